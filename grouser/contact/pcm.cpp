#include "grouser/contact/pcm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "grouser/base/text.h"
#include "grouser/geometry/box_tree.h"
#include "grouser/laws/elastic_foundation.h"
#include "grouser/laws/friction.h"

namespace grouser {
namespace {

// Edge-on rays are skipped and the inside test is widened by this much (Hippmann's published code).
constexpr double kDetectionEps = 5e3 * std::numeric_limits<double>::epsilon();

/// Line from a base triangle's centroid inwards.
struct PenetrationLine {
  Vec3 start;
  Vec3 normal;  // outward; the line runs along -normal
};

/// A triangle of the target as the cut needs it.
struct TargetTriangle {
  Vec3 corner;
  Vec3 edge_1;
  Vec3 edge_2;
  Vec3 normal;  // unit
};

enum class Hit : std::uint8_t { none, active, invalid };

/// A contact element: an active base triangle, the target triangle its line meets, how deep.
struct Element {
  std::int32_t triangle;
  std::int32_t target;
  double penetration;
};

/// Force of one element on the base body, in the base frame, and what produced it.
struct ElementForce {
  Vec3 p_BC;
  Vec3 force_B;
  double dissipation;  // [W]
};

class Pcm final : public ContactModel {
 public:
  Pcm(const PcmDef& def, const ShapeDef& base, const ShapeDef& target, double layer_stiffness,
      double interface_share);

  std::vector<std::string> body_names() const override { return bodies_; }
  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<PlainMemory<NoMemory>>();
  }
  double max_penetration() const override { return def_.max_penetration; }

  Status evaluate(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                  ContactOutput& out) const override {
    const std::span<const Element> elements = find_elements(in, scratch);
    return sum_forces(in, elements, out);
  }

  void commit(const ContactInput&, ContactMemory&, Scratch&) const override {}

  const void* prepare_nudges(const ContactInput& in, const ContactMemory&,
                             Scratch& scratch) const override {
    const std::span<std::span<const Element>> found = scratch.take<std::span<const Element>>(1);
    found[0] = find_elements(in, scratch);
    return found.data();
  }
  Status evaluate_nudged(const ContactInput& in, const ContactMemory&, const void* prepared,
                         Scratch& scratch, ContactOutput& out) const override {
    const auto& found = *static_cast<const std::span<const Element>*>(prepared);
    return sum_forces(in, same_elements(in, found, scratch), out);
  }

  std::vector<ReportChannel> report_channels() const override {
    return {{"penetration", "m", "greatest penetration of a contact element"},
            {"area", "m^2", "of all contact elements"},
            {"element_count", "", "number of contact elements"},
            {"elastic_energy", "J", "stored in the layers"},
            {"dissipation", "W", "by damping and friction"}};
  }
  void report(const ContactInput& in, const ContactMemory&, Scratch& scratch,
              ContactReport& out) const override;

 private:
  bool roots_are_near(const Pose& X_BT) const;
  std::span<const Element> find_elements(const ContactInput& in, Scratch& scratch) const;
  std::span<const Element> same_elements(const ContactInput& in, std::span<const Element> found,
                                         Scratch& scratch) const;
  Status sum_forces(const ContactInput& in, std::span<const Element> elements,
                    ContactOutput& out) const;
  ElementForce element_force(const Element& element, const Twist& V_TB_B) const;

  PcmDef def_;
  std::vector<std::string> bodies_;  // base's, target's
  double stiffness_;                 // c_l [Pa/m]
  double interface_share_;  // of the penetration that lies on the base side of the interface
  // In the base body's frame.
  std::vector<PenetrationLine> lines_;
  std::vector<double> areas_;
  BoxTree line_tree_;
  // In the target body's frame.
  std::vector<TargetTriangle> triangles_;
  BoxTree triangle_tree_;
};

TriangleMesh in_body_frame(const ShapeDef& shape) {
  TriangleMesh mesh = *std::get<MeshShape>(shape.geometry).mesh;
  for (Vec3& vertex : mesh.vertices) vertex = shape.X_BS * vertex;
  return mesh;
}

/// Boxes are a little larger than what they hold, so that rounding loses no line that starts on or
/// runs along a face of one [m].
constexpr double kBoxMargin = 1e-12;

Box line_box(const PenetrationLine& line, double length) {
  Box box;
  box.add(line.start);
  box.add(Vec3(line.start - length * line.normal));
  box.lower.array() -= kBoxMargin;
  box.upper.array() += kBoxMargin;
  return box;
}

Box triangle_box(const TargetTriangle& triangle) {
  Box box;
  box.add(triangle.corner);
  box.add(Vec3(triangle.corner + triangle.edge_1));
  box.add(Vec3(triangle.corner + triangle.edge_2));
  box.lower.array() -= kBoxMargin;
  box.upper.array() += kBoxMargin;
  return box;
}

Pcm::Pcm(const PcmDef& def, const ShapeDef& base, const ShapeDef& target, double layer_stiffness,
         double interface_share)
    : def_(def),
      bodies_{base.body, target.body},
      stiffness_(layer_stiffness),
      interface_share_(interface_share) {
  const TriangleMesh base_mesh = in_body_frame(base);
  std::vector<Box> boxes(base_mesh.triangle_count());
  for (std::size_t i = 0; i < base_mesh.triangle_count(); ++i) {
    const TriangleFace face = face_of(base_mesh, i);
    lines_.push_back({face.centroid, face.normal});
    areas_.push_back(face.area);
    boxes[i] = line_box(lines_[i], def.max_penetration);
  }
  line_tree_ = BoxTree(boxes);

  const TriangleMesh target_mesh = in_body_frame(target);
  for (std::size_t i = 0; i < target_mesh.triangle_count(); ++i) {
    const Vec3& a = target_mesh.corner(i, 0);
    triangles_.push_back({a, target_mesh.corner(i, 1) - a, target_mesh.corner(i, 2) - a,
                          face_of(target_mesh, i).normal});
  }
  triangle_tree_ = make_triangle_tree(target_mesh);
}

/// Whether the ray from `start` in `direction` (unit) passes through the triangle, edges included.
/// Moeller, Trumbore (1997).
bool passes_through(const Vec3& start, const Vec3& direction, const TargetTriangle& triangle) {
  const Vec3 p = direction.cross(triangle.edge_2);
  const double inverse = 1.0 / triangle.edge_1.dot(p);
  const Vec3 s = start - triangle.corner;
  const double u = s.dot(p) * inverse;
  if (!(u >= -kDetectionEps && u <= 1.0 + kDetectionEps)) return false;
  const double v = direction.dot(s.cross(triangle.edge_1)) * inverse;
  return v >= -kDetectionEps && u + v <= 1.0 + kDetectionEps;
}

/// Length of a line from its start to the plane of a triangle. facing = product of the normals.
double distance_along(const PenetrationLine& line, const TargetTriangle& triangle, double facing) {
  return triangle.normal.dot(line.start - triangle.corner) / facing;
}

/// What is known of every base triangle while target triangles are cut with its line.
struct Hits {
  std::span<Hit> kind;
  std::span<double> depth;
  std::span<std::int32_t> target;

  /// The nearest hit decides; at equal distance (a shared edge) an active one wins.
  void cut(std::size_t i, const PenetrationLine& line, std::int32_t j,
           const TargetTriangle& triangle, double max_penetration) {
    const double facing = line.normal.dot(triangle.normal);
    if (std::abs(facing) < kDetectionEps) return;  // edge-on, or one of them is degenerate
    const double u = distance_along(line, triangle, facing);
    if (!(u > 0.0 && u <= max_penetration)) return;
    if (kind[i] != Hit::none && u > depth[i]) return;
    if (!passes_through(line.start, -line.normal, triangle)) return;
    const Hit here = facing < 0.0 ? Hit::active : Hit::invalid;
    if (kind[i] == Hit::none || u < depth[i] || here == Hit::active) {
      kind[i] = here;
      depth[i] = u;
      target[i] = j;
    }
  }
};

/// False if the boxes around all lines and around all triangles are certainly apart.
bool Pcm::roots_are_near(const Pose& X_BT) const {
  const Box& lines = line_tree_.at(0).box;
  const Box& triangles = triangle_tree_.at(0).box;
  const Vec3 apart = (X_BT * triangles.center() - lines.center()).cwiseAbs();
  const Vec3 reach = lines.half_size() + X_BT.R.cwiseAbs() * triangles.half_size();
  return ((apart - reach).array() <= kBoxMargin).all();
}

/// A tree of lines or triangles in another pose than it was built in. Nothing is moved before it
/// is asked for, and then once.
template <class Primitive, class Move, class BoxOf>
class MovedTree {
 public:
  MovedTree(const BoxTree& tree, const Pose& X, Move move, BoxOf box_of, Scratch& scratch)
      : tree_(tree),
        X_(X),
        turned_size_(X.R.cwiseAbs()),
        move_(move),
        box_of_(box_of),
        node_boxes_(scratch.take<Box>(tree.nodes().size())),
        boxes_(scratch.take<Box>(tree.primitives().size())),
        moved_(scratch.take<Primitive>(tree.primitives().size())),
        node_known_(scratch.take<bool>(tree.nodes().size())),
        known_(scratch.take<bool>(tree.primitives().size())) {
    std::fill(node_known_.begin(), node_known_.end(), false);
    std::fill(known_.begin(), known_.end(), false);
  }

  const Box& node_box(std::int32_t node) {
    const auto n = static_cast<std::size_t>(node);
    if (!node_known_[n]) {
      const Box& box = tree_.at(node).box;
      const Vec3 center = X_ * box.center();
      const Vec3 half = (turned_size_ * box.half_size()).array() + kBoxMargin;
      node_boxes_[n] = {center - half, center + half};
      node_known_[n] = true;
    }
    return node_boxes_[n];
  }

  const Box& primitive_box(std::size_t k) {
    if (!known_[k]) {
      const auto primitive = static_cast<std::size_t>(tree_.primitives()[k]);
      moved_[primitive] = move_(primitive);
      boxes_[k] = box_of_(moved_[primitive]);
      known_[k] = true;
    }
    return boxes_[k];
  }

  /// Precondition: its box was asked for.
  const Primitive& primitive(std::size_t number) const { return moved_[number]; }

 private:
  const BoxTree& tree_;
  Pose X_;
  Mat3 turned_size_;
  Move move_;
  BoxOf box_of_;
  std::span<Box> node_boxes_, boxes_;
  std::span<Primitive> moved_;  // by number
  std::span<bool> node_known_, known_;
};

template <class Primitive, class Move, class BoxOf>
auto make_moved_tree(const BoxTree& tree, const Pose& X, Move move, BoxOf box_of,
                     Scratch& scratch) {
  return MovedTree<Primitive, Move, BoxOf>(tree, X, move, box_of, scratch);
}

/// Calls `visit(i, j)` for primitives of `still` and `moved` that may meet.
template <class Moved, class Visit>
void for_each_candidate(const BoxTree& still, const BoxTree& moved_tree, Moved& moved,
                        Visit&& visit) {
  for_each_overlapping_pair(
      still, moved_tree, [&](std::int32_t n) -> const Box& { return moved.node_box(n); },
      [&](std::size_t k) -> const Box& { return moved.primitive_box(k); }, visit);
}

/// Every base triangle whose penetration line meets the target from inside first, in the order of
/// the triangles. The side with fewer triangles is moved into the frame of the other.
std::span<const Element> Pcm::find_elements(const ContactInput& in, Scratch& scratch) const {
  const Pose X_BT = in.bodies[0].X_WB.inverse() * in.bodies[1].X_WB;
  if (!roots_are_near(X_BT)) return {};
  Hits hits{scratch.take<Hit>(lines_.size()), scratch.take<double>(lines_.size()),
            scratch.take<std::int32_t>(lines_.size())};
  std::fill(hits.kind.begin(), hits.kind.end(), Hit::none);
  const double length = def_.max_penetration;

  if (triangles_.size() <= lines_.size()) {
    auto target = make_moved_tree<TargetTriangle>(
        triangle_tree_, X_BT,
        [&](std::size_t j) {
          const TargetTriangle& t = triangles_[j];
          return TargetTriangle{X_BT * t.corner, X_BT.R * t.edge_1, X_BT.R * t.edge_2,
                                X_BT.R * t.normal};
        },
        triangle_box, scratch);
    for_each_candidate(line_tree_, triangle_tree_, target, [&](std::int32_t i, std::int32_t j) {
      const auto line = static_cast<std::size_t>(i);
      hits.cut(line, lines_[line], j, target.primitive(static_cast<std::size_t>(j)), length);
    });
  } else {
    const Pose X_TB = X_BT.inverse();
    auto base = make_moved_tree<PenetrationLine>(
        line_tree_, X_TB,
        [&](std::size_t i) {
          return PenetrationLine{X_TB * lines_[i].start, X_TB.R * lines_[i].normal};
        },
        [length](const PenetrationLine& line) { return line_box(line, length); }, scratch);
    for_each_candidate(triangle_tree_, line_tree_, base, [&](std::int32_t j, std::int32_t i) {
      const auto line = static_cast<std::size_t>(i);
      hits.cut(line, base.primitive(line), j, triangles_[static_cast<std::size_t>(j)], length);
    });
  }

  const std::span<Element> elements = scratch.take<Element>(lines_.size());
  std::size_t count = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (hits.kind[i] == Hit::active)
      elements[count++] = {static_cast<std::int32_t>(i), hits.target[i], hits.depth[i]};
  return elements.first(count);
}

/// The elements found before, with the penetrations they have now.
std::span<const Element> Pcm::same_elements(const ContactInput& in, std::span<const Element> found,
                                            Scratch& scratch) const {
  const Pose X_TB = in.bodies[1].X_WB.inverse() * in.bodies[0].X_WB;
  const std::span<Element> elements = scratch.take<Element>(found.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const PenetrationLine& line_B = lines_[static_cast<std::size_t>(found[k].triangle)];
    const TargetTriangle& triangle = triangles_[static_cast<std::size_t>(found[k].target)];
    const PenetrationLine line{X_TB * line_B.start, X_TB.R * line_B.normal};
    const double u = distance_along(line, triangle, line.normal.dot(triangle.normal));
    elements[k] = {found[k].triangle, found[k].target, u};
  }
  return elements;
}

/// Spring, damper and friction of one element. V_TB_B: twist of the base relative to the target at
/// the base's origin, in the base frame.
ElementForce Pcm::element_force(const Element& element, const Twist& V_TB_B) const {
  const PenetrationLine& line = lines_[static_cast<std::size_t>(element.triangle)];
  const double area = areas_[static_cast<std::size_t>(element.triangle)];
  const double u = element.penetration;
  const Vec3 p_BC = line.start - interface_share_ * u * line.normal;
  const Vec3 velocity = V_TB_B.at(p_BC);
  const double rate = velocity.dot(line.normal);  // > 0: bodies approach
  const Vec3 sliding = velocity - rate * line.normal;

  double damping = def_.damping * area * rate * std::min(1.0, u / def_.damping_transition);
  if (def_.damping_mode == PcmDef::Damping::no_expansion) damping = std::max(0.0, damping);
  double normal = stiffness_ * area * u + damping;
  if (def_.damping_mode == PcmDef::Damping::no_tension) normal = std::max(0.0, normal);

  Vec3 force = -normal * line.normal;
  const double speed = sliding.norm();
  if (def_.friction > 0.0 && speed > 0.0) {
    const double share = quadratic_friction_share(speed, def_.friction_velocity);
    force -= def_.friction * std::max(0.0, normal) * share / speed * sliding;
  }
  const double elastic_power = stiffness_ * area * u * rate;
  return {p_BC, force, -force.dot(velocity) - elastic_power};
}

/// Relative twist of the base to the target, at the base's origin, in the base frame.
Twist relative_twist(const BodyKinematics& base, const BodyKinematics& target) {
  const Vec3 w = base.V_WB.w - target.V_WB.w;
  const Vec3 v = base.V_WB.v - target.V_WB.at(base.X_WB.p - target.X_WB.p);
  return {base.X_WB.R.transpose() * w, base.X_WB.R.transpose() * v};
}

Status Pcm::sum_forces(const ContactInput& in, std::span<const Element> elements,
                       ContactOutput& out) const {
  const BodyKinematics& base = in.bodies[0];
  const Twist V_TB_B = relative_twist(base, in.bodies[1]);
  Wrench F_B_B;
  double greatest = 0.0;
  for (const Element& element : elements) {
    const ElementForce f = element_force(element, V_TB_B);
    F_B_B.add_force_at(f.p_BC, f.force_B);
    greatest = std::max(greatest, element.penetration);
  }
  const Wrench F_B_W{base.X_WB.R * F_B_B.torque, base.X_WB.R * F_B_B.force};
  out.wrenches[0] = F_B_W;
  out.wrenches[1] = -F_B_W.moved_by(in.bodies[1].X_WB.p - base.X_WB.p);
  out.penetration = greatest;
  return std::isfinite(F_B_W.force.sum() + F_B_W.torque.sum()) ? Status::ok : Status::impossible;
}

void Pcm::report(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                 ContactReport& out) const {
  const BodyKinematics& base = in.bodies[0];
  const Twist V_TB_B = relative_twist(base, in.bodies[1]);
  double greatest = 0.0, area = 0.0, energy = 0.0, dissipation = 0.0;
  out.patch.clear();
  for (const Element& element : find_elements(in, scratch)) {
    const double A = areas_[static_cast<std::size_t>(element.triangle)];
    const double u = element.penetration;
    const ElementForce f = element_force(element, V_TB_B);
    greatest = std::max(greatest, u);
    area += A;
    energy += 0.5 * stiffness_ * A * u * u;
    dissipation += f.dissipation;
    out.patch.push_back({base.X_WB * f.p_BC, base.X_WB.R * f.force_B, u, A, element.triangle});
  }
  out.channels = {greatest, area, static_cast<double>(out.patch.size()), energy, dissipation};
}

const ParameterTable<PcmLayer>& layer_parameters() {
  // Above 0.45 the constrained modulus runs away: nearly incompressible layers are no foundation.
  static const auto table =
      ParameterTable<PcmLayer>()
          .number("young_modulus", &PcmLayer::young_modulus, "Pa", positive(), "of the layer")
          .number("poisson_ratio", &PcmLayer::poisson_ratio, "", within(0.0, 0.45), "of the layer")
          .number("thickness", &PcmLayer::thickness, "m", positive(), "of the layer");
  return table;
}

/// Stiffness per area of the layer on a shape; infinite if the shape is rigid.
double stiffness_of(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& shape) {
  PcmLayer layer;
  std::string key = "contact.layer." + shape.name;
  if (const auto given = def.layer.find(shape.name); given != def.layer.end()) {
    layer = given->second;
  } else if (const MaterialDef* material = shapes.material_of(shape)) {
    layer = {material->young_modulus, material->poisson_ratio, material->thickness};
    key = "material " + material->name;
  } else {
    return std::numeric_limits<double>::infinity();
  }
  layer_parameters().check(layer, def.place, key);
  return layer_stiffness(layer.young_modulus, layer.poisson_ratio, layer.thickness);
}

}  // namespace

const ParameterTable<PcmDef>& PcmDef::parameters() {
  using Def = PcmDef;
  static const auto read_layers = [](const Value& value, Def& def, const std::string& path) {
    for (const Value::Entry& entry : value.table_or_throw(path))
      layer_parameters().read(entry.value, def.layer[entry.key], path + "." + entry.key);
  };
  static const auto table =
      ParameterTable<Def>()
          .text("base", &Def::base, "mesh shape whose triangles become contact elements", true)
          .text("target", &Def::target, "mesh shape they are cut with", true)
          .custom("layer", "tables by shape name", read_layers,
                  "elastic layers (young_modulus [Pa], poisson_ratio, thickness [m]); a shape "
                  "without one takes its material, or is rigid")
          .number("max_penetration", &Def::max_penetration, "m", positive(),
                  "greatest penetration that is looked for")
          .number("damping", &Def::damping, "Ns/m^3", non_negative(), "per area")
          .number("damping_transition", &Def::damping_transition, "m", positive(),
                  "depth over which damping sets in")
          .choice("damping_mode", &Def::damping_mode, {"no-tension", "no-expansion", "full"},
                  "whether damping may pull, or act while the bodies part")
          .number("friction", &Def::friction, "", non_negative(), "Coulomb coefficient")
          .number("friction_velocity", &Def::friction_velocity, "m/s", positive(),
                  "sliding speed at which friction is fully there");
  return table;
}

std::unique_ptr<ContactModel> PcmDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  const ShapeDef& base_shape = shapes.shape_of<MeshShape>(base, place, "contact.base");
  const ShapeDef& target_shape = shapes.shape_of<MeshShape>(target, place, "contact.target");
  for (const auto& entry : layer)
    if (entry.first != base && entry.first != target)
      throw InputError(place, "contact.layer." + entry.first + ": the contact is between '" + base +
                                  "' and '" + target + "'");

  const double c_base = stiffness_of(*this, shapes, base_shape);
  const double c_target = stiffness_of(*this, shapes, target_shape);
  if (std::isinf(c_base) && std::isinf(c_target))
    throw InputError(place, "contact: both '" + base + "' and '" + target +
                                "' are rigid; give one of them a layer or a material");
  // Layers in series; the interface divides the penetration by compliance.
  double stiffness = std::isinf(c_base) ? c_target : c_base;
  double share = std::isinf(c_base) ? 0.0 : 1.0;
  if (!std::isinf(c_base) && !std::isinf(c_target)) {
    stiffness = series_stiffness(c_base, c_target);
    share = c_target / (c_base + c_target);
  }
  return std::make_unique<Pcm>(*this, base_shape, target_shape, stiffness, share);
}

}  // namespace grouser
