#include "grouser/mesh/box_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/support/messages.h"

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

/// Every primitive is in one cluster, clusters are full, boxes hold what is below them.
void expect_well_formed(const BoxTree& tree, std::span<const Box> boxes) {
  ASSERT_EQ(tree.size(), boxes.size());
  std::vector<std::int32_t> sorted(tree.primitives().begin(), tree.primitives().end());
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i)
    ASSERT_EQ(sorted[i], static_cast<std::int32_t>(i));
  EXPECT_LE(tree.depth(), BoxTree::kMaxDepth);

  std::size_t clusters = 0;
  std::vector<bool> seen(tree.cluster_count(), false);
  const auto walk = [&](BoxTree::Ref ref, auto&& again) -> FloatBox {
    Box around;
    if (BoxTree::is_cluster(ref)) {
      const std::size_t c = BoxTree::cluster_of(ref);
      EXPECT_FALSE(seen[c]);
      seen[c] = true;
      ++clusters;
      for (const std::int32_t i : tree.cluster(c)) around.add(boxes[static_cast<std::size_t>(i)]);
      EXPECT_TRUE(std::is_sorted(tree.cluster(c).begin(), tree.cluster(c).end()));
      return outward(around);
    }
    const BoxTree::Node& node = tree.node(ref);
    EXPECT_GE(node.count, 2);
    FloatBox all = outward(Box{});
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(node.count); ++lane) {
      const FloatBox child = again(node.children[lane], again);
      const FloatBox stored = node.boxes.at(lane);
      EXPECT_EQ(child.lower, stored.lower);
      EXPECT_EQ(child.upper, stored.upper);
      for (std::size_t k = 0; k < 3; ++k) {
        all.lower[k] = std::min(all.lower[k], child.lower[k]);
        all.upper[k] = std::max(all.upper[k], child.upper[k]);
      }
    }
    return all;
  };
  const FloatBox all = walk(tree.root(), walk);
  EXPECT_EQ(all.lower, tree.root_box().lower);
  EXPECT_EQ(all.upper, tree.root_box().upper);
  EXPECT_EQ(clusters, tree.cluster_count());
}

TEST(BoxTree, FindsWhatALoopOverAllBoxesFinds) {
  for (const std::size_t count : {1u, 2u, 4u, 5u, 17u, 1000u})
    for (const double size : {0.0, 0.02, 0.5}) {
      const std::vector<Box> boxes = random_boxes(count, size, 7);
      const BoxTree tree(boxes);
      expect_well_formed(tree, boxes);
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
}

TEST(BoxTree, StaysShallowOverAMillionEqualBoxes) {
  const std::vector<Box> boxes(1000000, Box{Vec3::Zero(), Vec3::Zero()});
  const BoxTree tree(boxes);
  expect_well_formed(tree, boxes);
  EXPECT_EQ(tree.depth(), 6);  // 8^6 clusters hold two million
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
  expect_well_formed(tree, boxes);
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
  expect_well_formed(tree, boxes);
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

TEST(BoxTree, PartsTogetherAreTheTree) {
  for (const std::size_t count : {5u, 100u, 600u, 5000u}) {
    const std::vector<Box> boxes = random_boxes(count, 0.05, 4);
    const BoxTree tree(boxes);
    std::size_t primitives = 0;
    for (const BoxTree::Ref part : tree.parts()) {
      std::vector<BoxTree::Ref> waiting = {part};
      while (!waiting.empty()) {
        const BoxTree::Ref ref = waiting.back();
        waiting.pop_back();
        if (BoxTree::is_cluster(ref)) {
          primitives += tree.cluster(BoxTree::cluster_of(ref)).size();
          continue;
        }
        for (std::size_t lane = 0; lane < static_cast<std::size_t>(tree.node(ref).count); ++lane)
          waiting.push_back(tree.node(ref).children[lane]);
      }
    }
    EXPECT_EQ(primitives, count);
    EXPECT_EQ(tree.parts().size() > 1, count >= 512) << "small trees are not worth sharing";
  }
}

/// Pairs of clusters that the walk finds, with the second tree at X, and how many tests it took.
struct Walk {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  int tests = 0;
};
Walk walk(const BoxTree& a, const BoxTree& b, const Pose& X) {
  Walk out;
  Scratch scratch;
  MovedBoxes moved(b, X, scratch);
  // The box of a cluster: around its turned primitives.
  std::vector<FloatBox> cluster_boxes;
  for (std::size_t c = 0; c < b.cluster_count(); ++c) {
    Box box;
    for (std::size_t k = 0; k < b.cluster(c).size(); ++k) {
      const Box& one = b.primitive_boxes()[kLanes * c + k];
      for (int corner = 0; corner < 8; ++corner)
        box.add(X * Vec3(corner & 1 ? one.lower.x() : one.upper.x(),
                         corner & 2 ? one.lower.y() : one.upper.y(),
                         corner & 4 ? one.lower.z() : one.upper.z()));
    }
    cluster_boxes.push_back(outward(box));
  }
  struct Visitor {
    const std::vector<FloatBox>& boxes;
    Walk& out;
    const FloatBox& cluster_box(std::size_t c) { return boxes[c]; }
    void visit(std::size_t i, std::size_t j) { out.pairs.emplace_back(i, j); }
    unsigned sift_a(const BoxLanes&, unsigned mask, std::size_t) { return mask; }
    unsigned sift_b(const BoxLanes&, unsigned mask, std::size_t) { return mask; }
    void count(std::int32_t n) { out.tests += n; }
  };
  for_each_cluster_pair(a, a.root(), b, b.root(), moved, Visitor{cluster_boxes, out});
  std::sort(out.pairs.begin(), out.pairs.end());
  return out;
}

TEST(ClusterPairs, HoldAllPairsOfTurnedBoxesThatMeet) {
  const std::vector<Box> a = random_boxes(300, 0.1, 1);
  const std::vector<Box> b = random_boxes(77, 0.1, 2);
  const BoxTree tree_a(a), tree_b(b);
  Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Pose X{rotation_from_vector(
                     Vec3(random.uniform(-3, 3), random.uniform(-3, 3), random.uniform(-3, 3))),
                 Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1))};
    const Walk found = walk(tree_a, tree_b, X);
    EXPECT_EQ(std::adjacent_find(found.pairs.begin(), found.pairs.end()), found.pairs.end())
        << "a pair came twice";
    // Centres of boxes of b that lie in boxes of a.
    for (std::size_t i = 0; i < tree_a.size(); ++i)
      for (std::size_t j = 0; j < tree_b.size(); ++j) {
        const Vec3 p = X * tree_b.primitive_boxes()[j].center();
        if (!tree_a.primitive_boxes()[i].overlaps({p, p})) continue;
        ASSERT_TRUE(std::binary_search(found.pairs.begin(), found.pairs.end(),
                                       std::pair(i / kLanes, j / kLanes)));
      }
  }
}

TEST(ClusterPairs, FitTheStackWhenBothTreesAreDeep) {
  std::vector<Box> boxes(3000);
  for (std::size_t i = 0; i < boxes.size(); ++i)
    boxes[i] = {Vec3::Zero(), Vec3::Constant(std::pow(1.5, -static_cast<double>(i % 1500)))};
  const BoxTree tree(boxes);
  EXPECT_EQ(walk(tree, tree, Pose{}).pairs.size(), tree.cluster_count() * tree.cluster_count())
      << "all hold the origin";
}

TEST(ClusterPairs, LookAtFewBoxesOfTwoSurfaces) {
  const BoxTree sphere = make_triangle_tree(make_sphere({.radius = 1.0, .triangles = 20480}));
  const Walk found = walk(sphere, sphere, {Mat3::Identity(), Vec3(0.0, 0.0, 1.99)});
  EXPECT_GE(found.pairs.size(), 1u);
  EXPECT_LE(found.tests, 20000);  // 2560 x 2560 without a tree
}

}  // namespace
}  // namespace grouser
