#include "grouser/mesh/box_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"

namespace grouser {

namespace {

constexpr int kBins = 16;
constexpr float kFloatInfinity = std::numeric_limits<float>::infinity();
// Below this depth cuts are at the median: eight parts per level, so ten more are always enough.
constexpr int kHeuristicDepth = 12;

/// Half the surface; zero for an empty box.
double half_area(const Box& box) {
  if (box.empty()) return 0.0;
  const Vec3 s = box.upper - box.lower;
  return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

float down(double x) {
  const auto f = static_cast<float>(x);
  return static_cast<double>(f) > x ? std::nextafter(f, -kFloatInfinity) : f;
}
float up(double x) {
  const auto f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafter(f, kFloatInfinity) : f;
}

/// A plane across box centres: primitives whose bin is below `bin` go left.
struct Split {
  int axis = -1;
  std::size_t left_count = 0;

  // While it is looked for.
  double lower = 0.0;  // centre range along the axis
  double scale = 0.0;  // bins per metre
  std::size_t bin_of(const Vec3& center) const {
    return static_cast<std::size_t>(
        std::clamp(static_cast<int>((center[axis] - lower) * scale), 0, kBins - 1));
  }
};

/// A run of primitives that becomes a child.
struct PrimitiveRange {
  std::size_t begin, end;
  Box box;
  std::size_t count() const { return end - begin; }
  double cost() const { return half_area(box) * static_cast<double>(count()); }
};

class Builder {
 public:
  Builder(std::span<const Box> boxes, std::vector<BoxTree::Node>& nodes,
          std::vector<std::int32_t>& order)
      : boxes_(boxes), nodes_(nodes), order_(order) {
    centers_.reserve(boxes.size());
    for (const Box& box : boxes) centers_.push_back(box.empty() ? Vec3::Zero() : box.center());
  }

  int depth() const { return deepest_; }

  /// Appends the subtree over order[begin .. end), begin a multiple of eight.
  BoxTree::Ref build(std::size_t begin, std::size_t end, int depth) {
    GROUSER_ASSERT(begin % kLanes == 0 && begin < end);
    GROUSER_ASSERT(depth <= BoxTree::kMaxDepth);
    deepest_ = std::max(deepest_, depth);
    if (end - begin <= kLanes) {
      std::sort(order_.begin() + begin, order_.begin() + end);
      return ~static_cast<BoxTree::Ref>(begin / kLanes);
    }
    std::vector<PrimitiveRange> ranges = {{begin, end, box_of(begin, end)}};
    while (ranges.size() < kLanes && divide_one(ranges, depth)) {
    }

    const std::size_t index = nodes_.size();
    nodes_.emplace_back();
    BoxTree::Node node;
    node.count = static_cast<std::int32_t>(ranges.size());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Box box = lane < ranges.size() ? ranges[lane].box : Box{};
      node.boxes.set(lane, outward(box));
      node.size[lane] = box.empty() ? 0.0f : static_cast<float>(box.half_size().sum());
      node.children[lane] =
          lane < ranges.size() ? build(ranges[lane].begin, ranges[lane].end, depth + 1) : 0;
    }
    nodes_[index] = node;
    return static_cast<BoxTree::Ref>(index);
  }

 private:
  const Vec3& center(std::int32_t i) const { return centers_[static_cast<std::size_t>(i)]; }
  const Box& box(std::int32_t i) const { return boxes_[static_cast<std::size_t>(i)]; }

  Box box_of(std::size_t begin, std::size_t end) const {
    Box out;
    for (std::size_t i = begin; i < end; ++i) out.add(box(order_[i]));
    return out;
  }

  /// Cuts the most expensive range that has more than a cluster in two. False if there is none.
  bool divide_one(std::vector<PrimitiveRange>& ranges, int depth) {
    // Near the bottom the fullest first: the tree must end.
    const bool median = depth >= kHeuristicDepth;
    auto worst = ranges.end();
    for (auto range = ranges.begin(); range != ranges.end(); ++range) {
      if (range->count() <= kLanes) continue;
      const auto weight = [median](const PrimitiveRange& r) {
        return std::pair(median ? 0.0 : r.cost(), r.count());
      };
      if (worst == ranges.end() || weight(*range) > weight(*worst)) worst = range;
    }
    if (worst == ranges.end()) return false;
    const PrimitiveRange whole = *worst;
    const std::size_t middle = divide(whole.begin, whole.end, median);
    *worst = {whole.begin, middle, box_of(whole.begin, middle)};
    ranges.insert(worst + 1, {middle, whole.end, box_of(middle, whole.end)});
    return true;
  }

  /// Reorders order[begin .. end) into two parts and tells where the second starts: a multiple of
  /// eight, so neither is empty.
  std::size_t divide(std::size_t begin, std::size_t end, bool median) {
    Box centers;
    for (std::size_t i = begin; i < end; ++i) centers.add(center(order_[i]));
    Split split;
    if (!median) split = best_split(begin, end, centers);
    if (split.axis < 0) {
      (centers.upper - centers.lower).maxCoeff(&split.axis);
      split.left_count = (end - begin) / 2;
    }
    const std::size_t clusters = (end - begin + kLanes - 1) / kLanes;
    const std::size_t left =
        std::clamp<std::size_t>((split.left_count + kLanes / 2) / kLanes, 1, clusters - 1);
    const std::size_t middle = begin + kLanes * left;
    GROUSER_ASSERT(begin < middle && middle < end);
    const int axis = split.axis;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::int32_t i, std::int32_t j) {
                       const double x = center(i)[axis];
                       const double y = center(j)[axis];
                       return x != y ? x < y : i < j;  // a total order, so the parts are unique
                     });
    return middle;
  }

  /// The cheapest of the planes between bins along all axes; axis -1 if the centres coincide.
  Split best_split(std::size_t begin, std::size_t end, const Box& centers) const {
    Split best;
    double best_cost = kInfinity;
    for (int axis = 0; axis < 3; ++axis) {
      const double extent = centers.upper[axis] - centers.lower[axis];
      Split split{axis, 0, centers.lower[axis], kBins / extent};
      if (!(extent > 0.0) || !(split.scale < kInfinity) || !(extent < kInfinity)) continue;

      std::array<Box, kBins> bin_box;
      std::array<std::size_t, kBins> bin_count{};
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t bin = split.bin_of(center(order_[i]));
        bin_box[bin].add(box(order_[i]));
        ++bin_count[bin];
      }

      // Costs of everything right of each plane, then sweep from the left.
      std::array<double, kBins> right_cost{};
      Box right;
      std::size_t right_count = 0;
      for (std::size_t bin = kBins - 1; bin > 0; --bin) {
        right.add(bin_box[bin]);
        right_count += bin_count[bin];
        right_cost[bin] = half_area(right) * static_cast<double>(right_count);
      }
      Box left;
      std::size_t left_count = 0;
      for (std::size_t bin = 1; bin < kBins; ++bin) {
        left.add(bin_box[bin - 1]);
        left_count += bin_count[bin - 1];
        if (left_count == 0 || left_count == end - begin) continue;
        const double cost = half_area(left) * static_cast<double>(left_count) + right_cost[bin];
        if (cost < best_cost) {
          best_cost = cost;
          best = split;
          best.left_count = left_count;
        }
      }
    }
    return best;
  }

  std::span<const Box> boxes_;
  std::vector<BoxTree::Node>& nodes_;
  std::vector<std::int32_t>& order_;
  std::vector<Vec3> centers_;
  int deepest_ = 0;
};

}  // namespace

FloatBox outward(const Box& box) {
  FloatBox out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.lower[k] = box.empty() ? kFloatInfinity : down(box.lower[static_cast<Eigen::Index>(k)]);
    out.upper[k] = box.empty() ? -kFloatInfinity : up(box.upper[static_cast<Eigen::Index>(k)]);
  }
  return out;
}

BoxTree::BoxTree(std::span<const Box> boxes) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max() / 2;
  if (boxes.size() > kMost)
    throw InputError("box tree: " + std::to_string(boxes.size()) + " boxes are too many");
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].lower.allFinite() || !boxes[i].upper.allFinite())
      throw InputError("box tree: box " + std::to_string(i) + " is not finite");
  if (boxes.empty()) return;

  primitives_.resize(boxes.size());
  std::iota(primitives_.begin(), primitives_.end(), 0);
  Builder builder(boxes, nodes_, primitives_);
  builder.build(0, boxes.size(), 0);
  depth_ = builder.depth();
  nodes_.shrink_to_fit();

  primitive_boxes_.reserve(boxes.size());
  for (const std::int32_t i : primitives_) {
    primitive_boxes_.push_back(boxes[static_cast<std::size_t>(i)]);
    box_.add(primitive_boxes_.back());
  }
  root_box_ = outward(box_);
}

std::vector<BoxTree::Ref> BoxTree::parts() const {
  // Below this a part is not worth a thread.
  constexpr std::size_t kFewest = 512, kMany = 8 * kFewest;
  if (size() < kFewest || nodes_.empty()) return {root()};
  std::vector<Ref> parts;
  const auto children = [&](Ref ref, auto&& add) {
    for (std::int32_t lane = 0; lane < node(ref).count; ++lane)
      add(node(ref).children[static_cast<std::size_t>(lane)]);
  };
  children(root(), [&](Ref child) {
    if (size() < kMany || is_cluster(child))
      parts.push_back(child);
    else
      children(child, [&](Ref grandchild) { parts.push_back(grandchild); });
  });
  return parts;
}

BoxTree make_triangle_tree(const TriangleMesh& mesh) {
  std::vector<Box> boxes;
  boxes.reserve(mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) boxes.push_back(triangle_box(mesh, t));
  return BoxTree(boxes);
}

MovedBoxes::MovedBoxes(const BoxTree& tree, const Pose& X_AB, Scratch& scratch)
    : tree_(tree),
      X_(X_AB),
      known_(tree.nodes().size(), scratch),
      moved_(scratch.take<BoxLanes>(tree.nodes().size())) {
  // Four products and sums of numbers up to the reach, each rounded to 6e-8 of it.
  const Vec3 center = tree.box().center();
  const Vec3 half = tree.box().half_size();
  const double reach = X_AB.p.cwiseAbs().maxCoeff() + (center.cwiseAbs() + half).sum();
  margin_ = static_cast<float>(5e-7 * reach + 1e-12);
}

void MovedBoxes::move(std::size_t n) {
  GROUSER_ASSERT(n < moved_.size());
  const BoxLanes& from = tree_.nodes()[n].boxes;
  BoxLanes& to = moved_[n];
  std::array<Lanes, 3> center, half;
  for (std::size_t j = 0; j < 3; ++j) {
    const Lanes lower(from.lower[j].data()), upper(from.upper[j].data());
    center[j] = Lanes(0.5f) * (lower + upper);
    half[j] = Lanes(0.5f) * (upper - lower);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    Lanes c(X_.p[i]), h(margin_);
    for (std::size_t j = 0; j < 3; ++j) {
      c = c + Lanes(X_.R[i][j]) * center[j];
      h = h + Lanes(std::abs(X_.R[i][j])) * half[j];
    }
    (c - h).store(to.lower[i].data());
    (c + h).store(to.upper[i].data());
  }
  // Empty boxes stay empty.
  const unsigned filled = (Lanes(from.lower[0].data()) <= Lanes(from.upper[0].data())).bits();
  for_each_bit(filled ^ 0xffu, [&](std::size_t lane) { to.set(lane, outward(Box{})); });
}

}  // namespace grouser
