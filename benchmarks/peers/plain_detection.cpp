#include "benchmarks/peers/plain_detection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace grouser {
namespace {

// Edge-on lines are skipped and the inside test is widened by this much, as in our model.
constexpr double kDetectionEps = 5e3 * std::numeric_limits<double>::epsilon();
constexpr double kLeastHalfSize = 0.5e-6;  // of a box [m]

/// Along the axes of the surface's own frame.
struct CenteredBox {
  Vec3 center;
  Vec3 half;
};

/// How frame F is turned against frame E, as the separating-axis test needs it.
struct Turn {
  Mat3 R;
  Mat3 Q;  // absolute values, widened: products of parallel axes are no axes

  explicit Turn(const Mat3& R_EF) : R(R_EF), Q(R_EF.cwiseAbs().array() + 1e-12) {}
};

/// Separating-axis test: three axes of each box and their nine products (Gottschalk, Lin, Manocha
/// 1996, "OBBTree"). center_F: of box F, in E.
bool overlap(const CenteredBox& E, const CenteredBox& F, const Vec3& center_F, const Turn& turn) {
  const Mat3 &R = turn.R, &Q = turn.Q;
  const Vec3 t = center_F - E.center;
  for (int i = 0; i < 3; ++i)
    if (std::abs(t[i]) > E.half[i] + Q.row(i).dot(F.half)) return false;
  for (int j = 0; j < 3; ++j)
    if (std::abs(t.dot(R.col(j))) > Q.col(j).dot(E.half) + F.half[j]) return false;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach = E.half[i1] * Q(i2, j) + E.half[i2] * Q(i1, j) + F.half[j1] * Q(i, j2) +
                           F.half[j2] * Q(i, j1);
      if (std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j)) > reach) return false;
    }
  }
  return true;
}

/// A leaf has one primitive.
class ObjectBoxTree {
 public:
  struct Node {
    CenteredBox box;
    int primitive = -1;  // of a leaf
    int left = -1, right = -1;
    bool is_leaf() const { return left < 0; }
  };

  explicit ObjectBoxTree(std::span<const Box> boxes) {
    std::vector<int> order(boxes.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    build(boxes, order);
  }

  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }

 private:
  /// Cuts across the longest axis at the mean of the centres, or in halves if that cuts nothing.
  int build(std::span<const Box> all, std::span<int> chosen) {
    const auto number = static_cast<int>(nodes_.size());
    Box around;
    for (const int i : chosen) around.add(all[static_cast<std::size_t>(i)]);
    nodes_.push_back({{around.center(), around.half_size().cwiseMax(kLeastHalfSize)}});
    if (chosen.size() == 1) {
      nodes_.back().primitive = chosen[0];
      return number;
    }
    Eigen::Index longest = 0;
    around.half_size().maxCoeff(&longest);
    const auto along = [&](int i) { return all[static_cast<std::size_t>(i)].center()[longest]; };
    double mean = 0.0;
    for (const int i : chosen) mean += along(i) / static_cast<double>(chosen.size());
    auto cut = std::partition(chosen.begin(), chosen.end(), [&](int i) { return along(i) < mean; });
    if (cut == chosen.begin() || cut == chosen.end())
      cut = chosen.begin() + static_cast<std::ptrdiff_t>(chosen.size() / 2);
    const auto left_count = static_cast<std::size_t>(cut - chosen.begin());
    const int left = build(all, chosen.first(left_count));
    const int right = build(all, chosen.subspan(left_count));
    nodes_[static_cast<std::size_t>(number)].left = left;
    nodes_[static_cast<std::size_t>(number)].right = right;
    return number;
  }

  std::vector<Node> nodes_;
};

struct Line {
  Vec3 start;
  Vec3 normal;  // outward
};

struct Triangle {
  Vec3 corner, edge_1, edge_2, normal;
};

/// Contact element data, kept with the base triangle.
struct Element {
  enum class Status : std::uint8_t { inactive, active, invalid };
  Status status = Status::inactive;
  double penetration = 0.0;
};

}  // namespace

struct PlainDetection::Data {
  Data(const TriangleMesh& base, const TriangleMesh& target, double length, bool keep_base)
      : max_penetration(length),
        base_keeps_frame(keep_base),
        elements(base.triangle_count()),
        line_tree(line_boxes(base)),
        triangle_tree(triangle_boxes(target)) {}

  std::vector<Box> line_boxes(const TriangleMesh& mesh) {
    std::vector<Box> boxes(mesh.triangle_count());
    for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
      const TriangleFace face = face_of(mesh, i);
      lines.push_back({face.centroid, face.normal});
      boxes[i].add(face.centroid);
      boxes[i].add(Vec3(face.centroid - max_penetration * face.normal));
    }
    return boxes;
  }

  std::vector<Box> triangle_boxes(const TriangleMesh& mesh) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
      const Vec3& a = mesh.corner(i, 0);
      triangles.push_back(
          {a, mesh.corner(i, 1) - a, mesh.corner(i, 2) - a, face_of(mesh, i).normal});
      boxes.push_back(triangle_box(mesh, i));
    }
    return boxes;
  }

  /// Every line that meets a triangle, below two nodes. center_F: of the box of node_F, in E.
  void collide(int node_E, int node_F, const Vec3& center_F) {
    const ObjectBoxTree::Node &E = tree_E().at(node_E), &F = tree_F().at(node_F);
    ++counters.box_tests;
    if (!overlap(E.box, F.box, center_F, turn)) return;
    if (E.is_leaf() && F.is_leaf()) {
      if (base_keeps_frame)
        cut(E.primitive, F.primitive);
      else
        cut(F.primitive, E.primitive);
    } else if (F.is_leaf() || (!E.is_leaf() && E.box.half.norm() > F.box.half.norm())) {
      collide(E.left, node_F, center_F);
      collide(E.right, node_F, center_F);
    } else {
      collide(node_E, F.left, X_EF * tree_F().at(F.left).box.center);
      collide(node_E, F.right, X_EF * tree_F().at(F.right).box.center);
    }
  }

  /// One line with one triangle, in the frame of E.
  void cut(int line_number, int triangle_number) {
    ++counters.ray_tests;
    Line line = lines[static_cast<std::size_t>(line_number)];
    Triangle triangle = triangles[static_cast<std::size_t>(triangle_number)];
    if (base_keeps_frame)
      triangle = {X_EF * triangle.corner, X_EF.R * triangle.edge_1, X_EF.R * triangle.edge_2,
                  X_EF.R * triangle.normal};
    else
      line = {X_EF * line.start, X_EF.R * line.normal};

    // Moeller, Trumbore (1997).
    const double facing = line.normal.dot(triangle.normal);
    if (std::abs(facing) < kDetectionEps) return;
    const Vec3 direction = -line.normal;
    const Vec3 p = direction.cross(triangle.edge_2);
    const double inverse = 1.0 / triangle.edge_1.dot(p);
    const Vec3 s = line.start - triangle.corner;
    const double u = s.dot(p) * inverse;
    if (!(u >= -kDetectionEps && u <= 1.0 + kDetectionEps)) return;
    const Vec3 q = s.cross(triangle.edge_1);
    const double v = direction.dot(q) * inverse;
    if (!(v >= -kDetectionEps && u + v <= 1.0 + kDetectionEps)) return;
    const double depth = triangle.edge_2.dot(q) * inverse;
    if (!(depth > 0.0 && depth <= max_penetration)) return;

    Element& element = elements[static_cast<std::size_t>(line_number)];
    if (element.status != Element::Status::inactive && depth > element.penetration) return;
    element.status = facing < 0.0 ? Element::Status::active : Element::Status::invalid;
    element.penetration = depth;
  }

  const ObjectBoxTree& tree_E() const { return base_keeps_frame ? line_tree : triangle_tree; }
  const ObjectBoxTree& tree_F() const { return base_keeps_frame ? triangle_tree : line_tree; }

  double max_penetration;
  bool base_keeps_frame;
  std::vector<Line> lines;
  std::vector<Triangle> triangles;
  std::vector<Element> elements;
  ObjectBoxTree line_tree;
  ObjectBoxTree triangle_tree;
  Pose X_EF;
  Turn turn{Mat3::Identity()};
  Counters counters;
};

PlainDetection::PlainDetection(const TriangleMesh& base, const TriangleMesh& target,
                               double max_penetration, Frame frame) {
  const bool base_is_larger = base.triangle_count() >= target.triangle_count();
  const bool keep_base = base_is_larger == (frame == Frame::larger);
  data_ = std::make_unique<Data>(base, target, max_penetration, keep_base);
}

PlainDetection::~PlainDetection() = default;
PlainDetection::PlainDetection(PlainDetection&&) noexcept = default;

std::size_t PlainDetection::find(const Pose& X_BT) {
  Data& d = *data_;
  d.counters = {};
  std::fill(d.elements.begin(), d.elements.end(), Element{});
  d.X_EF = d.base_keeps_frame ? X_BT : X_BT.inverse();
  d.turn = Turn(d.X_EF.R);
  d.collide(0, 0, d.X_EF * d.tree_F().at(0).box.center);
  return static_cast<std::size_t>(
      std::count_if(d.elements.begin(), d.elements.end(),
                    [](const Element& e) { return e.status == Element::Status::active; }));
}

const PlainDetection::Counters& PlainDetection::counters() const {
  return data_->counters;
}

}  // namespace grouser
