#include "grouser/geometry/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/geometry/mesh_shapes.h"
#include "tests/geometry/messages.h"

namespace grouser {
namespace {

std::vector<Box> random_boxes(std::size_t count, double size, std::uint64_t seed) {
  Random random(seed);
  std::vector<Box> boxes(count);
  for (Box& box : boxes) {
    const Vec3 p(random.uniform(), random.uniform(), random.uniform());
    box.add(p);
    box.add(p + size * Vec3(random.uniform(), random.uniform(), random.uniform()));
  }
  return boxes;
}

std::vector<std::int32_t> overlaps(const BoxTree& tree, const Box& query) {
  std::vector<std::int32_t> found;
  tree.for_each_overlap(query, [&](std::int32_t i) { found.push_back(i); });
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::int32_t> overlaps_by_hand(const std::vector<Box>& boxes, const Box& query) {
  std::vector<std::int32_t> found;
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (boxes[i].overlaps(query)) found.push_back(static_cast<std::int32_t>(i));
  return found;
}

/// Every node's box holds its children's, leaves are small, ranges and skips fit together.
void expect_well_formed(const BoxTree& tree, std::size_t count) {
  ASSERT_EQ(tree.primitives().size(), count);
  std::vector<std::int32_t> sorted(tree.primitives().begin(), tree.primitives().end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(sorted[i], static_cast<std::int32_t>(i));

  EXPECT_LE(tree.depth(), BoxTree::kMaxDepth);
  const auto nodes = static_cast<std::int32_t>(tree.nodes().size());
  for (std::int32_t node = 0; node < nodes; ++node) {
    const BoxTree::Node& here = tree.at(node);
    if (tree.is_leaf(node)) {
      ASSERT_GE(here.count, 1);
      ASSERT_LE(here.count, BoxTree::kLeafSize);
      continue;
    }
    const BoxTree::Node& left = tree.at(tree.left(node));
    const BoxTree::Node& right = tree.at(tree.right(node));
    ASSERT_EQ(right.skip, here.skip);
    ASSERT_EQ(left.first, here.first);
    ASSERT_EQ(right.first, left.first + left.count);
    ASSERT_EQ(left.count + right.count, here.count);
    Box both = left.box;
    both.add(right.box);
    ASSERT_EQ(both.lower, here.box.lower);
    ASSERT_EQ(both.upper, here.box.upper);
  }
}

TEST(BoxTree, FindsWhatALoopOverAllBoxesFinds) {
  for (const std::size_t count : {1u, 2u, 4u, 5u, 17u, 1000u})
    for (const double size : {0.0, 0.02, 0.5}) {
      const std::vector<Box> boxes = random_boxes(count, size, 7);
      const BoxTree tree(boxes);
      expect_well_formed(tree, count);
      for (const Box& query : random_boxes(50, 0.2, 8))
        ASSERT_EQ(overlaps(tree, query), overlaps_by_hand(boxes, query));
    }
}

TEST(BoxTree, FindsBoxesThatOnlyTouch) {
  const std::vector<Box> boxes = {{Vec3::Zero(), Vec3::Ones()}};
  const BoxTree tree(boxes);
  EXPECT_EQ(overlaps(tree, {Vec3::Ones(), 2.0 * Vec3::Ones()}).size(), 1u);
  EXPECT_EQ(overlaps(tree, {Vec3::Constant(std::nextafter(1.0, 2.0)), 2.0 * Vec3::Ones()}).size(),
            0u);
}

TEST(BoxTree, OfNothingIsEmpty) {
  const BoxTree tree(std::span<const Box>{});
  EXPECT_TRUE(tree.empty());
  EXPECT_TRUE(overlaps(tree, {Vec3::Zero(), Vec3::Ones()}).empty());
  int visits = 0;
  for_each_overlapping_pair(
      tree, tree, [](std::int32_t) { return Box{}; }, [](std::size_t) { return Box{}; },
      [&](std::int32_t, std::int32_t) { ++visits; });
  EXPECT_EQ(visits, 0);
}

TEST(BoxTree, StaysShallowOverAMillionEqualBoxes) {
  const std::vector<Box> boxes(1000000, Box{Vec3::Zero(), Vec3::Zero()});
  const BoxTree tree(boxes);
  expect_well_formed(tree, boxes.size());
  EXPECT_EQ(tree.depth(), 18);  // 2^18 leaves of at most 4 hold a million
  EXPECT_EQ(overlaps(tree, boxes[0]).size(), boxes.size());
}

TEST(BoxTree, StaysShallowOverBoxesThatShrinkForever) {
  // Each plane between bins parts one box from all others, so the heuristic alone would go 1000
  // deep.
  std::vector<Box> boxes(1000);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double x = std::pow(2.0, -static_cast<double>(i));
    boxes[i] = {Vec3::Zero(), Vec3::Constant(x)};
  }
  const BoxTree tree(boxes);
  expect_well_formed(tree, boxes.size());
  EXPECT_EQ(overlaps(tree, {Vec3::Constant(0.3), Vec3::Ones()}).size(), 2u);
}

TEST(BoxTree, TakesEmptyBoxesAndNeverFindsThem) {
  std::vector<Box> boxes = random_boxes(20, 0.1, 3);
  boxes[4] = boxes[11] = Box{};
  const BoxTree tree(boxes);
  const Box everything{Vec3::Constant(-1e9), Vec3::Constant(1e9)};
  EXPECT_EQ(overlaps(tree, everything).size(), 18u);
  EXPECT_EQ(overlaps(BoxTree(std::vector<Box>(9)), everything).size(), 0u);
}

TEST(BoxTree, TakesHugeAndTinyBoxes) {
  std::vector<Box> boxes = random_boxes(40, 0.1, 5);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const double scale = i % 2 == 0 ? 1e200 : 1e-310;
    boxes[i].lower *= scale;
    boxes[i].upper *= scale;
  }
  const BoxTree tree(boxes);
  expect_well_formed(tree, boxes.size());
  for (const Box& query : boxes) ASSERT_EQ(overlaps(tree, query), overlaps_by_hand(boxes, query));
}

TEST(BoxTree, RefusesABoxThatIsNotFinite) {
  std::vector<Box> boxes = random_boxes(5, 0.1, 3);
  boxes[3].upper.x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of<InputError>([&] { BoxTree tree(boxes); }), "box tree: box 3 is not finite");
}

TEST(BoxTree, IsTheSameEachTime) {
  const std::vector<Box> boxes = random_boxes(5000, 0.05, 9);
  const BoxTree a(boxes);
  const BoxTree b(boxes);
  ASSERT_EQ(a.nodes().size(), b.nodes().size());
  EXPECT_TRUE(std::equal(a.primitives().begin(), a.primitives().end(), b.primitives().begin()));
}

TEST(BoxTree, LooksAtFewNodesOfASurface) {
  const TriangleMesh sphere = make_sphere({.radius = 1.0, .triangles = 20480});
  const BoxTree tree = make_triangle_tree(sphere);
  const Box query{Vec3(0.0, 0.0, 0.999), Vec3(0.01, 0.01, 1.0)};
  int looked_at = 0;
  for (std::int32_t node = 0; node < static_cast<std::int32_t>(tree.nodes().size());) {
    ++looked_at;
    node = tree.at(node).box.overlaps(query) ? node + 1 : tree.at(node).skip;
  }
  EXPECT_GE(overlaps(tree, query).size(), 1u);
  EXPECT_LE(looked_at, 150);  // a few paths of about 15 nodes, two looked at per level
}

TEST(OverlappingPairs, AreThoseALoopOverAllPairsFinds) {
  const std::vector<Box> a = random_boxes(300, 0.2, 1);
  const std::vector<Box> b = random_boxes(77, 0.2, 2);
  // One side is moved, as a contact model does.
  const Vec3 shift(0.3, -0.1, 0.2);
  const auto moved = [&](const Box& box) { return Box{box.lower + shift, box.upper + shift}; };
  const auto near = [&](const Box& x, const Box& y) { return x.overlaps(moved(y)); };
  std::vector<std::pair<std::int32_t, std::int32_t>> found;
  const BoxTree tree_b(b);
  for_each_overlapping_pair(
      BoxTree(a), tree_b, [&](std::int32_t node) { return moved(tree_b.at(node).box); },
      [&](std::size_t k) { return moved(tree_b.primitive_boxes()[k]); },
      [&](std::int32_t i, std::int32_t j) { found.emplace_back(i, j); });
  std::sort(found.begin(), found.end());

  std::vector<std::pair<std::int32_t, std::int32_t>> expected;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j)
      if (near(a[i], b[j]))
        expected.emplace_back(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
  EXPECT_GT(expected.size(), 20u);
  EXPECT_EQ(found, expected);
}

TEST(OverlappingPairs, FitTheStackWhenBothTreesAreDeep) {
  std::vector<Box> boxes(3000);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    boxes[i] = {Vec3::Zero(), Vec3::Constant(std::pow(1.5, -static_cast<double>(i % 1500)))};
  const BoxTree tree(boxes);
  std::size_t pairs = 0;
  for_each_overlapping_pair(
      tree, tree, [&](std::int32_t node) { return tree.at(node).box; },
      [&](std::size_t k) { return tree.primitive_boxes()[k]; },
      [&](std::int32_t, std::int32_t) { ++pairs; });
  EXPECT_EQ(pairs, boxes.size() * boxes.size());  // all hold the origin
}

}  // namespace
}  // namespace grouser
