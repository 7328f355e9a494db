// A tree of axis-aligned boxes: which of many primitives are near a box, or near those of another
// tree that stands in another pose, without asking each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/base/bits.h"
#include "grouser/math/float_pose.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// A box in single precision.
struct FloatBox {
  std::array<float, 3> lower;
  std::array<float, 3> upper;

  bool overlaps(const FloatBox& other) const {
    bool yes = true;
    for (std::size_t k = 0; k < 3; ++k) {
      yes &= lower[k] <= other.upper[k];
      yes &= other.lower[k] <= upper[k];
    }
    return yes;
  }
};
/// Rounded outward: holds whatever `box` holds.
FloatBox outward(const Box& box);

/// Eight boxes side by side. Lanes without a box overlap nothing.
struct BoxLanes {
  alignas(32) std::array<std::array<float, kLanes>, 3> lower;
  alignas(32) std::array<std::array<float, kLanes>, 3> upper;

  void set(std::size_t lane, const FloatBox& box) {
    GROUSER_ASSERT(lane < kLanes);
    for (std::size_t k = 0; k < 3; ++k) {
      lower[k][lane] = box.lower[k];
      upper[k][lane] = box.upper[k];
    }
  }
  FloatBox at(std::size_t lane) const {
    GROUSER_ASSERT(lane < kLanes);
    return {{lower[0][lane], lower[1][lane], lower[2][lane]},
            {upper[0][lane], upper[1][lane], upper[2][lane]}};
  }
  /// Around all boxes.
  FloatBox join() const {
    FloatBox box;
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = lowest(Lanes(lower[k].data()));
      box.upper[k] = highest(Lanes(upper[k].data()));
    }
    return box;
  }
  /// Bit i: whether box i overlaps the other one.
  unsigned overlaps(const FloatBox& other) const {
    LaneMask yes = Lanes(lower[0].data()) <= Lanes(other.upper[0]);
    yes = yes & (Lanes(other.lower[0]) <= Lanes(upper[0].data()));
    for (std::size_t k = 1; k < 3; ++k) {
      yes = yes & (Lanes(lower[k].data()) <= Lanes(other.upper[k]));
      yes = yes & (Lanes(other.lower[k]) <= Lanes(upper[k].data()));
    }
    return yes.bits();
  }
};

/// Primitives stand in clusters of eight, nodes have up to eight children, so that one comparison
/// answers for eight boxes. Built once, top down, by the surface-area heuristic over bins of box
/// centres (Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"), with cuts
/// at multiples of eight so that all clusters but the last are full, and by the median where the
/// tree would grow too deep. The same boxes give the same tree. Queries do not allocate.
class BoxTree {
 public:
  /// No node is further than this many levels below the root, whatever the boxes.
  static constexpr int kMaxDepth = 24;

  /// What a node points to: node i is i, cluster c is ~c.
  using Ref = std::int32_t;
  static bool is_cluster(Ref ref) { return ref < 0; }
  static std::size_t cluster_of(Ref ref) { return static_cast<std::size_t>(~ref); }

  struct Node {
    BoxLanes boxes;                    ///< of the children
    std::array<float, kLanes> size;    ///< of the children's boxes: sum of the edges, halved
    std::array<Ref, kLanes> children;  ///< the first `count` are used
    std::int32_t count;
  };

  BoxTree() = default;
  /// Primitive i has box `boxes[i]`. Throws InputError if a box is not finite. Empty boxes are
  /// allowed; nothing overlaps them.
  explicit BoxTree(std::span<const Box> boxes);

  bool empty() const { return primitives_.empty(); }
  int depth() const { return depth_; }  ///< of the deepest node; the root has depth 0
  const Box& box() const { return box_; }

  /// The root, of a tree that is not empty.
  Ref root() const {
    GROUSER_ASSERT(!empty());
    return nodes_.empty() ? ~0 : 0;
  }
  const FloatBox& root_box() const { return root_box_; }
  std::span<const Node> nodes() const { return nodes_; }
  const Node& node(Ref ref) const {
    GROUSER_ASSERT(!is_cluster(ref) && static_cast<std::size_t>(ref) < nodes_.size());
    return nodes_[static_cast<std::size_t>(ref)];
  }

  /// Subtrees that together are the tree: the root, or the children of the root and, in a large
  /// tree, their children. For sharing out work.
  std::vector<Ref> parts() const;

  std::size_t cluster_count() const { return (primitives_.size() + kLanes - 1) / kLanes; }
  /// Primitives of a cluster, ascending.
  std::span<const std::int32_t> cluster(std::size_t c) const {
    GROUSER_ASSERT(c < cluster_count());
    return primitives().subspan(kLanes * c, std::min<std::size_t>(kLanes, size() - kLanes * c));
  }
  /// Primitive numbers, cluster after cluster, and their boxes in the same order.
  std::span<const std::int32_t> primitives() const { return primitives_; }
  std::span<const Box> primitive_boxes() const { return primitive_boxes_; }
  std::size_t size() const { return primitives_.size(); }

  /// Calls `visit(primitive)` for every primitive whose box overlaps `query`.
  template <class Visit>
  void for_each_overlap(const Box& query, Visit&& visit) const;

 private:
  std::vector<Node> nodes_;
  std::vector<std::int32_t> primitives_;
  std::vector<Box> primitive_boxes_;
  Box box_;
  FloatBox root_box_{};
  int depth_ = 0;
};

/// One box per triangle.
BoxTree make_triangle_tree(const TriangleMesh& mesh);

/// The boxes of a tree's nodes as seen from another frame. A node is turned when it is asked for,
/// and then once.
class MovedBoxes {
 public:
  /// X_AB: pose of the tree's frame B in the frame A in which the boxes are wanted.
  MovedBoxes(const BoxTree& tree, const Pose& X_AB, Scratch& scratch);

  const BoxLanes& node(BoxTree::Ref ref) {
    const auto n = static_cast<std::size_t>(ref);
    if (known_.insert(n)) move(n);
    return moved_[n];
  }
  /// How far rounding may have moved a point, in single precision [m]; the boxes are larger by it.
  float margin() const { return margin_; }

 private:
  void move(std::size_t node);

  const BoxTree& tree_;
  FloatPose X_;
  float margin_;
  BitSet known_;
  std::span<BoxLanes> moved_;
};

/// Walks two trees at once: finds every pair of a cluster i of a below `start_a` and a cluster j of
/// b below `start_b` whose boxes overlap. `moved` has the boxes of b in the frame of a. The visitor
/// has
///   visit(i, j)               such a pair
///   cluster_box(j)            tight box of cluster j of b in the frame of a
///   sift_a(boxes, mask, j)    which of these boxes of a, bits of `mask`, may meet cluster j of b
///   sift_b(boxes, mask, i)    which of these boxes of b may meet cluster i of a
///   count(n)                  n boxes were tested
template <class Visitor>
void for_each_cluster_pair(const BoxTree& a, BoxTree::Ref start_a, const BoxTree& b,
                           BoxTree::Ref start_b, MovedBoxes& moved, Visitor&& visitor);

// ---------------------------------------------------------------------------------------------

template <class Visit>
void BoxTree::for_each_overlap(const Box& query, Visit&& visit) const {
  if (empty()) return;
  const FloatBox rough = outward(query);
  std::array<Ref, 7 * kMaxDepth + 8> waiting;
  std::size_t count = 0;
  waiting[count++] = root();
  while (count > 0) {
    const Ref ref = waiting[--count];
    if (is_cluster(ref)) {
      const std::size_t first = kLanes * cluster_of(ref);
      const std::size_t end = std::min(first + kLanes, size());
      for (std::size_t k = first; k < end; ++k)
        if (primitive_boxes_[k].overlaps(query)) visit(primitives_[k]);
      continue;
    }
    for_each_bit(node(ref).boxes.overlaps(rough), [&](std::size_t lane) {
      GROUSER_ASSERT(count < waiting.size());
      waiting[count++] = node(ref).children[lane];
    });
  }
}

template <class Visitor>
void for_each_cluster_pair(const BoxTree& a, BoxTree::Ref start_a, const BoxTree& b,
                           BoxTree::Ref start_b, MovedBoxes& moved, Visitor&& visitor) {
  using Ref = BoxTree::Ref;
  // A subtree, and where its box stands: lane of a node's boxes, or none for the start.
  struct Side {
    Ref ref;
    std::int32_t lane;
    const BoxLanes* boxes;
    float size;
  };
  struct Pair {
    Side a, b;
  };
  std::array<Pair, 14 * BoxTree::kMaxDepth + 8> waiting;
  std::size_t waiting_count = 0;

  constexpr float kHuge = 1e30f;
  constexpr FloatBox kEverywhere{{-kHuge, -kHuge, -kHuge}, {kHuge, kHuge, kHuge}};
  const auto box_of = [&](const Side& side) {
    return side.boxes == nullptr ? kEverywhere
                                 : side.boxes->at(static_cast<std::size_t>(side.lane));
  };
  waiting[waiting_count++] = {{start_a, 0, nullptr, kHuge}, {start_b, 0, nullptr, kHuge}};
  while (waiting_count > 0) {
    const Pair pair = waiting[--waiting_count];
    // Whatever is opened has room for its children.
    GROUSER_ASSERT(waiting_count + kLanes <= waiting.size());
    const bool a_is_cluster = BoxTree::is_cluster(pair.a.ref);
    const bool b_is_cluster = BoxTree::is_cluster(pair.b.ref);
    if (b_is_cluster) {
      const std::size_t j = BoxTree::cluster_of(pair.b.ref);
      const FloatBox& box = visitor.cluster_box(j);
      if (a_is_cluster) {
        visitor.count(1);
        if (box_of(pair.a).overlaps(box)) visitor.visit(BoxTree::cluster_of(pair.a.ref), j);
        continue;
      }
      const BoxTree::Node& node = a.node(pair.a.ref);
      visitor.count(node.count);
      const unsigned near = visitor.sift_a(node.boxes, node.boxes.overlaps(box), j);
      for_each_bit(near, [&](std::size_t lane) {
        const Ref child = node.children[lane];
        if (BoxTree::is_cluster(child))
          visitor.visit(BoxTree::cluster_of(child), j);
        else
          waiting[waiting_count++] = {{child, static_cast<std::int32_t>(lane), &node.boxes, 0.0f},
                                      pair.b};
      });
    } else if (!a_is_cluster && pair.a.size >= pair.b.size) {  // open the larger one
      const BoxTree::Node& node = a.node(pair.a.ref);
      visitor.count(node.count);
      for_each_bit(node.boxes.overlaps(box_of(pair.b)), [&](std::size_t lane) {
        waiting[waiting_count++] = {
            {node.children[lane], static_cast<std::int32_t>(lane), &node.boxes, node.size[lane]},
            pair.b};
      });
    } else {
      const BoxTree::Node& node = b.node(pair.b.ref);
      const BoxLanes& boxes = moved.node(pair.b.ref);
      visitor.count(node.count);
      unsigned near = boxes.overlaps(box_of(pair.a));
      if (a_is_cluster) near = visitor.sift_b(boxes, near, BoxTree::cluster_of(pair.a.ref));
      for_each_bit(near, [&](std::size_t lane) {
        waiting[waiting_count++] = {
            pair.a,
            {node.children[lane], static_cast<std::int32_t>(lane), &boxes, node.size[lane]}};
      });
    }
  }
}

}  // namespace grouser
