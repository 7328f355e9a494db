#include "grouser/geometry/box_tree.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "grouser/base/error.h"

namespace grouser {

namespace {

constexpr int kBins = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Half the surface; zero for an empty box.
double half_area(const Box& box) {
  if (box.empty()) return 0.0;
  const Vec3 s = box.upper - box.lower;
  return s.x() * s.y() + s.y() * s.z() + s.z() * s.x();
}

/// Levels a median-split tree over `count` primitives needs below its root.
int median_depth(std::size_t count) {
  const std::size_t leaves = (count + BoxTree::kLeafSize - 1) / BoxTree::kLeafSize;
  return static_cast<int>(std::bit_width(leaves - 1));
}

/// A plane across box centres: primitives whose bin is below `bin` go left.
struct Split {
  int axis = -1;
  int bin = 0;
  double lower = 0.0;  // centre range along the axis
  double scale = 0.0;  // bins per metre

  int bin_of(const Vec3& center) const {
    return std::clamp(static_cast<int>((center[axis] - lower) * scale), 0, kBins - 1);
  }
};

class Builder {
 public:
  Builder(std::span<const Box> boxes, std::vector<BoxTree::Node>& nodes,
          std::vector<std::int32_t>& order)
      : boxes_(boxes), nodes_(nodes), order_(order) {
    centers_.reserve(boxes.size());
    for (const Box& box : boxes) centers_.push_back(box.center());
  }

  /// Appends the subtree over order[begin .. end) and tells the depth of its deepest leaf.
  int build(std::size_t begin, std::size_t end, int depth) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({box_of(begin, end), 0, static_cast<std::int32_t>(begin),
                      static_cast<std::int32_t>(end - begin)});
    int deepest = depth;
    if (end - begin > BoxTree::kLeafSize) {
      const std::size_t middle = divide(begin, end, depth);
      const int left = build(begin, middle, depth + 1);
      const int right = build(middle, end, depth + 1);
      deepest = std::max(left, right);
    } else {
      std::sort(order_.begin() + begin, order_.begin() + end);
    }
    nodes_[node].skip = static_cast<std::int32_t>(nodes_.size());
    return deepest;
  }

 private:
  const Vec3& center(std::int32_t i) const { return centers_[static_cast<std::size_t>(i)]; }
  const Box& box(std::int32_t i) const { return boxes_[static_cast<std::size_t>(i)]; }

  Box box_of(std::size_t begin, std::size_t end) const {
    Box out;
    for (std::size_t i = begin; i < end; ++i) out.add(box(order_[i]));
    return out;
  }

  /// Reorders order[begin .. end) into two parts, neither empty, and tells where the second starts.
  std::size_t divide(std::size_t begin, std::size_t end, int depth) {
    Box centers;
    for (std::size_t i = begin; i < end; ++i) centers.add(center(order_[i]));

    const Split split = best_split(begin, end, centers);
    if (split.axis >= 0) {
      const auto middle =
          std::partition(order_.begin() + begin, order_.begin() + end,
                         [&](std::int32_t i) { return split.bin_of(center(i)) < split.bin; });
      const auto place = static_cast<std::size_t>(middle - order_.begin());
      const std::size_t larger = std::max(place - begin, end - place);
      if (depth + 1 + median_depth(larger) <= BoxTree::kMaxDepth) return place;
    }
    return divide_at_median(begin, end, centers);
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
        const auto bin = static_cast<std::size_t>(split.bin_of(center(order_[i])));
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
          best.bin = static_cast<int>(bin);
        }
      }
    }
    return best;
  }

  std::size_t divide_at_median(std::size_t begin, std::size_t end, const Box& centers) {
    int axis = 0;
    (centers.upper - centers.lower).maxCoeff(&axis);
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](std::int32_t i, std::int32_t j) {
                       const double x = center(i)[axis];
                       const double y = center(j)[axis];
                       return x != y ? x < y : i < j;  // a total order, so the halves are unique
                     });
    return middle;
  }

  std::span<const Box> boxes_;
  std::vector<BoxTree::Node>& nodes_;
  std::vector<std::int32_t>& order_;
  std::vector<Vec3> centers_;
};

}  // namespace

BoxTree::BoxTree(std::span<const Box> boxes) {
  constexpr std::size_t kMost = std::numeric_limits<std::int32_t>::max() / 2;  // nodes < 2 boxes
  if (boxes.size() > kMost)
    throw InputError("box tree: " + std::to_string(boxes.size()) + " boxes are too many");
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].lower.allFinite() || !boxes[i].upper.allFinite())
      throw InputError("box tree: box " + std::to_string(i) + " is not finite");
  if (boxes.empty()) return;

  primitives_.resize(boxes.size());
  std::iota(primitives_.begin(), primitives_.end(), 0);
  nodes_.reserve(boxes.size());
  depth_ = Builder(boxes, nodes_, primitives_).build(0, boxes.size(), 0);
  nodes_.shrink_to_fit();

  primitive_boxes_.reserve(boxes.size());
  for (const std::int32_t i : primitives_)
    primitive_boxes_.push_back(boxes[static_cast<std::size_t>(i)]);
}

BoxTree make_triangle_tree(const TriangleMesh& mesh) {
  std::vector<Box> boxes;
  boxes.reserve(mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) boxes.push_back(triangle_box(mesh, t));
  return BoxTree(boxes);
}

}  // namespace grouser
