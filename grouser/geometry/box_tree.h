// A tree of axis-aligned boxes: which of many primitives are near a box, or near those of another
// tree, without asking each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grouser/geometry/triangle_mesh.h"

namespace grouser {

/// Built once, top down, by the surface-area heuristic over bins of box centres (Wald 2007, "On
/// fast construction of SAH-based bounding volume hierarchies"), by the median where that does not
/// help or would grow too deep. The same boxes give the same tree. Queries do not allocate.
class BoxTree {
 public:
  /// No leaf is further than this many nodes below the root, whatever the boxes.
  static constexpr int kMaxDepth = 64;
  static constexpr int kLeafSize = 4;

  /// Nodes stand in depth-first order, so the left child of node i is i + 1 and the right child is
  /// where the left one's subtree ends.
  struct Node {
    Box box;             ///< around the boxes of all primitives below
    std::int32_t skip;   ///< index of the first node after this one's subtree
    std::int32_t first;  ///< the primitives below are primitives()[first .. first + count)
    std::int32_t count;
  };

  BoxTree() = default;
  /// Primitive i has box `boxes[i]`. Throws InputError if a box is not finite. Empty boxes are
  /// allowed; nothing overlaps them.
  explicit BoxTree(std::span<const Box> boxes);

  bool empty() const { return nodes_.empty(); }
  int depth() const { return depth_; }  ///< of the deepest leaf; the root has depth 0

  // To walk the tree: node 0 is the root of a tree that is not empty.
  std::span<const Node> nodes() const { return nodes_; }
  bool is_leaf(std::int32_t node) const { return at(node).skip == node + 1; }
  std::int32_t left(std::int32_t node) const { return node + 1; }
  std::int32_t right(std::int32_t node) const { return at(node + 1).skip; }

  /// Primitive numbers in the order of the leaves, and their boxes in the same order.
  std::span<const std::int32_t> primitives() const { return primitives_; }
  std::span<const Box> primitive_boxes() const { return primitive_boxes_; }

  /// Calls `visit(primitive)` for every primitive whose box overlaps `query`, in the tree's order.
  template <class Visit>
  void for_each_overlap(const Box& query, Visit&& visit) const;

  const Node& at(std::int32_t node) const { return nodes_[static_cast<std::size_t>(node)]; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::int32_t> primitives_;
  std::vector<Box> primitive_boxes_;
  int depth_ = 0;
};

/// One box per triangle.
BoxTree make_triangle_tree(const TriangleMesh& mesh);

/// Walks two trees at once: calls `visit(i, j)` for every pair of primitives whose boxes overlap,
/// with their numbers in a and b. The boxes of b are asked for when they are needed, so that it may
/// stand in another pose than it was built in: `node_box(node)` and `primitive_box(k)`, k counting
/// in the order of b.primitives(), give boxes in the frame of a. The order of the visits depends on
/// the trees and boxes alone.
template <class NodeBox, class PrimitiveBox, class Visit>
void for_each_overlapping_pair(const BoxTree& a, const BoxTree& b, NodeBox&& node_box,
                               PrimitiveBox&& primitive_box, Visit&& visit);

// ---------------------------------------------------------------------------------------------

template <class Visit>
void BoxTree::for_each_overlap(const Box& query, Visit&& visit) const {
  const auto end = static_cast<std::int32_t>(nodes_.size());
  for (std::int32_t node = 0; node < end;) {
    const Node& here = at(node);
    if (!here.box.overlaps(query)) {
      node = here.skip;
      continue;
    }
    if (is_leaf(node))
      for (std::int32_t i = here.first; i < here.first + here.count; ++i)
        if (primitive_boxes_[static_cast<std::size_t>(i)].overlaps(query))
          visit(primitives_[static_cast<std::size_t>(i)]);
    ++node;
  }
}

template <class NodeBox, class PrimitiveBox, class Visit>
void for_each_overlapping_pair(const BoxTree& a, const BoxTree& b, NodeBox&& node_box,
                               PrimitiveBox&& primitive_box, Visit&& visit) {
  if (a.empty() || b.empty()) return;
  struct Pair {
    std::int32_t a;
    std::int32_t b;
  };
  // Every step down one tree leaves at most one pair waiting.
  std::array<Pair, 2 * BoxTree::kMaxDepth + 1> waiting;
  std::size_t count = 0;
  waiting[count++] = {0, 0};
  while (count > 0) {
    const Pair pair = waiting[--count];
    const BoxTree::Node& node_a = a.at(pair.a);
    const BoxTree::Node& node_b = b.at(pair.b);
    if (!node_a.box.overlaps(node_box(pair.b))) continue;
    const bool leaf_a = a.is_leaf(pair.a);
    const bool leaf_b = b.is_leaf(pair.b);
    if (leaf_a && leaf_b) {
      for (std::int32_t j = node_b.first; j < node_b.first + node_b.count; ++j) {
        const Box& box_b = primitive_box(static_cast<std::size_t>(j));
        if (!box_b.overlaps(node_a.box)) continue;
        for (std::int32_t i = node_a.first; i < node_a.first + node_a.count; ++i)
          if (a.primitive_boxes()[static_cast<std::size_t>(i)].overlaps(box_b))
            visit(a.primitives()[static_cast<std::size_t>(i)],
                  b.primitives()[static_cast<std::size_t>(j)]);
      }
      continue;
    }
    // Open the node with more below it; the left child is looked at first.
    if (leaf_b || (!leaf_a && node_a.count >= node_b.count)) {
      waiting[count++] = {a.right(pair.a), pair.b};
      waiting[count++] = {a.left(pair.a), pair.b};
    } else {
      waiting[count++] = {pair.a, b.right(pair.b)};
      waiting[count++] = {pair.a, b.left(pair.b)};
    }
  }
}

}  // namespace grouser
