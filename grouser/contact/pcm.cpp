#include "grouser/contact/pcm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <tuple>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/contact/pcm_construction.h"
#include "grouser/laws/elastic_foundation.h"
#include "grouser/math/checks.h"
#include "grouser/mesh/refinement.h"

namespace grouser {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What acts between a group of base triangles and a group of target triangles.
struct LayerPair {
  double stiffness;        // c_l [Pa/m]
  double interface_share;  // of the penetration that lies on the base side of the interface
  DryFriction friction;
};

/// Force of one element on the base body, in the base frame, and what produced it.
struct ElementForce {
  Vec3 p_BC;           // where it acts
  Wrench F_B_B;        // about the base's origin
  double area;         // [m^2]
  double energy;       // [J]
  double dissipation;  // [W]
};

/// Contact elements, in the order of the base triangles. Clipped ones have pieces.
struct Found {
  std::span<const PcmElement> elements;
  std::span<const Piece> pieces = {};
};

/// One assignment of base and target. A model has one, or two with exchanged roles.
struct Pass {
  std::size_t base_port, target_port;
  std::shared_ptr<const BaseSurface> base;
  std::shared_ptr<const TargetSurface> target;
  // For intersection construction only.
  std::shared_ptr<const ConstructionSurface> base_area, target_area;
  std::vector<LayerPair> layers;  // by base group, then target group
  std::size_t base_groups, target_groups;
  std::vector<BoxTree::Ref> parts;

  const LayerPair& layer(const PcmElement& element) const {
    if (layers.size() == 1) return layers[0];
    const std::size_t b = base_groups == 1 ? 0 : group_of(base->mesh, element.triangle);
    const std::size_t t = target_groups == 1 ? 0 : group_of(target->mesh, element.target);
    GROUSER_ASSERT(b < base_groups && t < target_groups);
    return layers[b * target_groups + t];
  }
  Pose target_in_base(const ContactInput& in) const {
    return in.bodies[base_port].X_WB.inverse() * in.bodies[target_port].X_WB;
  }

 private:
  static std::size_t group_of(const TriangleMesh& mesh, std::int32_t triangle) {
    return mesh.groups.empty()
               ? 0
               : static_cast<std::size_t>(mesh.groups[static_cast<std::size_t>(triangle)]);
  }
};

/// Sum over elements, taken in the order of the triangles.
struct PassSum {
  Wrench F_B_B;  // on the base, about its origin, in its frame
  double greatest = 0.0;

  void add(const PcmElement& element, const ElementForce& f) {
    F_B_B += f.F_B_B;
    greatest = std::max(greatest, element.penetration);
  }
};

class Pcm final : public ContactModel {
 public:
  Pcm(const PcmDef& def, std::vector<std::string> bodies, std::vector<Pass> passes,
      std::vector<std::string> notes)
      : def_(def),
        bodies_(std::move(bodies)),
        passes_(std::move(passes)),
        weight_(1.0 / static_cast<double>(passes_.size())),
        per_damping_depth_(1.0 / def.damping_depth),
        notes_(std::move(notes)) {}

  std::vector<std::string> body_names() const override { return bodies_; }
  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<PlainMemory<NoMemory>>();
  }
  double max_penetration() const override { return def_.max_penetration; }
  std::vector<std::string> notes() const override { return notes_; }

  Status evaluate(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                  ContactOutput& out) const override {
    return sum_passes(in, out, [&](const Pass& pass) {
      return sum_elements(pass, in, find_elements(pass, in, scratch));
    });
  }

  void commit(const ContactInput&, ContactMemory&, Scratch&) const override {}

  std::size_t part_count() const override;
  const void* evaluate_part(const ContactInput& in, const ContactMemory&, std::size_t part,
                            Scratch& scratch) const override;
  Status gather_parts(const ContactInput& in, const ContactMemory&,
                      std::span<const void* const> parts, Scratch& scratch,
                      ContactOutput& out) const override;

  const void* prepare_perturbations(const ContactInput& in, const ContactMemory&,
                                    Scratch& scratch) const override;
  Status evaluate_perturbed(const ContactInput& in, const ContactMemory&, const void* prepared,
                            Scratch& scratch, ContactOutput& out) const override;

  bool linearize(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                 Eigen::Ref<Eigen::Matrix<double, 12, 12>> out) const override;

  std::vector<ReportChannel> report_channels() const override {
    return {{"penetration", "m", "greatest penetration of a contact element"},
            {"area", "m^2", "of all contact elements"},
            {"element_count", "", "number of contact elements"},
            {"elastic_energy", "J", "stored in the layers"},
            {"dissipation", "W", "by damping and friction"}};
  }
  void report(const ContactInput& in, const ContactMemory&, Scratch& scratch,
              ContactReport& out) const override;

  PcmWork work(const ContactInput& in) const;

 private:
  Found find_elements(const Pass& pass, const ContactInput& in, BoxTree::Ref part, Scratch& scratch,
                      PcmWork* work = nullptr) const;
  Found find_elements(const Pass& pass, const ContactInput& in, Scratch& scratch) const {
    return find_elements(pass, in, pass.base->tree.root(), scratch);
  }
  Found same_elements(const Pass& pass, const Pose& X_BT, const Found& found,
                      Scratch& scratch) const;
  PassSum sum_elements(const Pass& pass, const ContactInput& in, const Found& found) const;
  /// Sum of `sum(pass)` over the passes, as wrenches on the bodies.
  template <class Sum>
  Status sum_passes(const ContactInput& in, ContactOutput& out, Sum&& sum) const;
  ElementForce element_force(const Pass& pass, const Found& found, std::size_t k,
                             const Twist& V_TB_B) const;
  ElementForce whole_element_force(const Pass& pass, const Found& found, std::size_t k,
                                   const Twist& V_TB_B) const;
  Vec3 damping_and_friction(const LayerPair& layer, const Vec3& normal, double area, double u,
                            double spring, const Vec3& velocity) const;

  struct ElementSlopes;
  ElementSlopes element_slopes(const LayerPair& layer, const Vec3& normal, double area, double u,
                               const Vec3& velocity) const;

  PcmDef def_;
  std::vector<std::string> bodies_;  // base's, target's
  std::vector<Pass> passes_;
  double weight_;  // of a pass
  double per_damping_depth_;
  std::vector<std::string> notes_;
};

Found Pcm::find_elements(const Pass& pass, const ContactInput& in, BoxTree::Ref part,
                         Scratch& scratch, PcmWork* work) const {
  const Pose X_BT = pass.target_in_base(in);
  if (def_.elements == PcmDef::Elements::clipped) {
    const PcmPieces found = find_pieces(*pass.base, *pass.target, X_BT, part, scratch, work);
    return {found.elements, found.pieces};
  }
  if (pass.base_area)
    return {construct_penetrations(*pass.base, *pass.base_area, *pass.target_area, X_BT, def_.frame,
                                   scratch, work)};
  return {find_penetrations(*pass.base, *pass.target, X_BT, def_.frame, part, scratch, work)};
}

/// The elements found before, with the penetrations they have now.
Found Pcm::same_elements(const Pass& pass, const Pose& X_BT, const Found& found,
                         Scratch& scratch) const {
  const std::span<PcmElement> elements = scratch.take<PcmElement>(found.elements.size());
  std::copy(found.elements.begin(), found.elements.end(), elements.begin());
  if (def_.elements == PcmDef::Elements::clipped) {
    const std::span<Piece> pieces = scratch.take<Piece>(elements.size());
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const PieceBase& prism = pass.base->prisms[static_cast<std::size_t>(elements[k].triangle)];
      if (make_piece(prism, piece_target(*pass.target, elements[k].target, X_BT), pass.base->length,
                     pieces[k]))
        elements[k].penetration = pieces[k].greatest_depth;
      else
        pieces[k] = {};
    }
    return {elements, pieces};
  }
  const Pose X_TB = X_BT.inverse();
  for (PcmElement& element : elements) {
    const PenetrationLine line =
        pass.base->lines[static_cast<std::size_t>(element.triangle)].moved(X_TB);
    const TargetTriangle& triangle =
        pass.target->triangles[static_cast<std::size_t>(element.target)];
    element.penetration = distance_along(line, triangle, line.normal.dot(triangle.normal));
  }
  return {elements};
}

/// Force on the base that does not follow from the depth alone, besides a spring's along `normal`.
/// velocity: of the base relative to the target, at the element.
inline Vec3 Pcm::damping_and_friction(const LayerPair& layer, const Vec3& normal, double area,
                                      double u, double spring, const Vec3& velocity) const {
  GROUSER_ASSERT(!(area < 0.0));
  const double rate = velocity.dot(normal);  // > 0: bodies approach
  double damping = def_.damping * area * rate * std::min(1.0, u * per_damping_depth_);
  if (def_.damping_mode == PcmDef::Damping::no_expansion) damping = std::max(0.0, damping);
  if (def_.damping_mode == PcmDef::Damping::no_tension) damping = std::max(-spring, damping);

  Vec3 force = -damping * normal;
  if (layer.friction.acts()) {
    const Vec3 sliding = velocity - rate * normal;
    force -= friction_per_speed(layer.friction, std::max(0.0, spring + damping), sliding.norm()) *
             sliding;
  }
  return force;
}

/// Spring, damper and friction of one element. V_TB_B: twist of the base relative to the target at
/// the base's origin, in the base frame.
// Inlined so that a sum computes no more of it than it needs.
[[gnu::always_inline]] inline ElementForce Pcm::element_force(const Pass& pass, const Found& found,
                                                              std::size_t k,
                                                              const Twist& V_TB_B) const {
  const PcmElement& element = found.elements[k];
  const LayerPair& layer = pass.layer(element);
  const PenetrationLine& line = pass.base->lines[static_cast<std::size_t>(element.triangle)];
  const bool whole = found.pieces.empty();
  ElementForce f;
  double u, spring;
  if (whole) {
    f.area = pass.base->areas[static_cast<std::size_t>(element.triangle)];
    u = element.penetration;
    spring = layer.stiffness * f.area * u;
    f.p_BC = line.start - layer.interface_share * u * line.normal;
    f.energy = 0.5 * spring * u;
  } else {
    const Piece& piece = found.pieces[k];
    f.area = piece.area;
    u = piece.depth;
    spring = layer.stiffness * piece.volume;
    f.p_BC = piece.center;
    f.energy = layer.stiffness * piece.energy;
    f.F_B_B = {layer.stiffness * piece.F_base.torque, layer.stiffness * piece.F_base.force};
  }
  const Vec3 velocity = V_TB_B.at(f.p_BC);
  const Vec3 extra = damping_and_friction(layer, line.normal, f.area, u, spring, velocity);
  if (whole) {
    f.F_B_B.force = extra - spring * line.normal;
    f.F_B_B.torque = f.p_BC.cross(f.F_B_B.force);
  } else {
    f.F_B_B.add_force_at(f.p_BC, extra);
  }
  f.dissipation = -extra.dot(velocity);
  return f;
}

/// All of it. Not inlined: with more copies of it the compiler takes the sum itself apart.
[[gnu::noinline]] ElementForce Pcm::whole_element_force(const Pass& pass, const Found& found,
                                                        std::size_t k, const Twist& V_TB_B) const {
  return element_force(pass, found, k, V_TB_B);
}

/// Relative twist of the base to the target, at the base's origin, in the base frame.
Twist relative_twist(const BodyKinematics& base, const BodyKinematics& target) {
  const Vec3 w = base.V_WB.w - target.V_WB.w;
  const Vec3 v = base.V_WB.v - target.V_WB.at(base.X_WB.p - target.X_WB.p);
  return {base.X_WB.R.transpose() * w, base.X_WB.R.transpose() * v};
}
Twist relative_twist(const Pass& pass, const ContactInput& in) {
  return relative_twist(in.bodies[pass.base_port], in.bodies[pass.target_port]);
}

PassSum Pcm::sum_elements(const Pass& pass, const ContactInput& in, const Found& found) const {
  PassSum sum;
  if (found.elements.empty()) return sum;
  GROUSER_ASSERT(std::ranges::is_sorted(found.elements, {}, &PcmElement::triangle));
  GROUSER_ASSERT(found.pieces.empty() || found.pieces.size() == found.elements.size());
  const Twist V_TB_B = relative_twist(pass, in);
  for (std::size_t k = 0; k < found.elements.size(); ++k)
    sum.add(found.elements[k], element_force(pass, found, k, V_TB_B));
  return sum;
}

template <class Sum>
Status Pcm::sum_passes(const ContactInput& in, ContactOutput& out, Sum&& sum) const {
  GROUSER_ASSERT(in.bodies.size() == 2 && out.wrenches.size() == 2);
  out.wrenches[0] = out.wrenches[1] = Wrench{};
  out.penetration = 0.0;
  for (const Pass& pass : passes_) {
    const PassSum of_pass = sum(pass);
    if (of_pass.greatest == 0.0) continue;
    const Pose& X_WB = in.bodies[pass.base_port].X_WB;
    const Wrench F_B_W{weight_ * (X_WB.R * of_pass.F_B_B.torque),
                       weight_ * (X_WB.R * of_pass.F_B_B.force)};
    out.wrenches[pass.base_port] += F_B_W;
    out.wrenches[pass.target_port] += -F_B_W.moved_by(in.bodies[pass.target_port].X_WB.p - X_WB.p);
    out.penetration = std::max(out.penetration, of_pass.greatest);
  }
  const Wrench& F = out.wrenches[0];
  return std::isfinite(F.force.sum() + F.torque.sum()) ? Status::ok : Status::impossible;
}

// Parts: base triangles below some nodes of the tree, with their forces.

struct PcmPart {
  std::span<const PcmElement> elements;
  std::span<const ElementForce> forces;
};

std::size_t Pcm::part_count() const {
  std::size_t count = 0;
  for (const Pass& pass : passes_) count += pass.parts.size();
  return count;
}

const void* Pcm::evaluate_part(const ContactInput& in, const ContactMemory&, std::size_t part,
                               Scratch& scratch) const {
  GROUSER_ASSERT(part < part_count());
  auto pass = passes_.begin();
  for (; part >= pass->parts.size(); ++pass) part -= pass->parts.size();
  PcmPart& answer = scratch.take<PcmPart>(1)[0];
  const Found found = find_elements(*pass, in, pass->parts[part], scratch);
  answer.elements = found.elements;
  const std::span<ElementForce> forces = scratch.take<ElementForce>(found.elements.size());
  const Twist V_TB_B = relative_twist(*pass, in);
  for (std::size_t k = 0; k < forces.size(); ++k)
    forces[k] = element_force(*pass, found, k, V_TB_B);
  answer.forces = forces;
  return &answer;
}

Status Pcm::gather_parts(const ContactInput& in, const ContactMemory&,
                         std::span<const void* const> parts, Scratch& scratch,
                         ContactOutput& out) const {
  GROUSER_ASSERT(parts.size() == part_count());
  std::size_t first = 0;
  return sum_passes(in, out, [&](const Pass& pass) {
    // Where each active triangle is found, so that the sum runs in their order.
    struct Where {
      const PcmPart* part;
      std::size_t index;
    };
    const std::size_t triangles = pass.base->lines.size();
    BitSet active(triangles, scratch);
    const std::span<Where> where = scratch.take<Where>(triangles);
    for (const void* answer : parts.subspan(first, pass.parts.size())) {
      const auto& part = *static_cast<const PcmPart*>(answer);
      for (std::size_t k = part.elements.size(); k-- > 0;) {
        const auto i = static_cast<std::size_t>(part.elements[k].triangle);
        active.insert(i);
        where[i] = {&part, k};
      }
    }
    first += pass.parts.size();
    PassSum sum;
    active.for_each([&](std::size_t i) {
      const std::span<const PcmElement> elements = where[i].part->elements;
      for (std::size_t k = where[i].index;
           k < elements.size() && static_cast<std::size_t>(elements[k].triangle) == i; ++k)
        sum.add(elements[k], where[i].part->forces[k]);
    });
    return sum;
  });
}

// Perturbations change penetrations, not which triangles meet.

struct Prepared {
  Found found;
  Pose X_BT;
};

const void* Pcm::prepare_perturbations(const ContactInput& in, const ContactMemory&,
                                       Scratch& scratch) const {
  const std::span<Prepared> prepared = scratch.take<Prepared>(passes_.size());
  for (std::size_t p = 0; p < passes_.size(); ++p)
    prepared[p] = {find_elements(passes_[p], in, scratch), passes_[p].target_in_base(in)};
  return prepared.data();
}

Status Pcm::evaluate_perturbed(const ContactInput& in, const ContactMemory&, const void* prepared,
                               Scratch& scratch, ContactOutput& out) const {
  const auto* before = static_cast<const Prepared*>(prepared);
  return sum_passes(in, out, [&](const Pass& pass) {
    const auto& [found, X_BT] = *before++;
    const Pose perturbed_X_BT = pass.target_in_base(in);
    if (perturbed_X_BT.R == X_BT.R &&
        perturbed_X_BT.p == X_BT.p)  // the perturbation was one of velocity
      return sum_elements(pass, in, found);
    return sum_elements(pass, in, same_elements(pass, perturbed_X_BT, found, scratch));
  });
}

/// Derivatives of the force of one element: by its penetration, by its velocity.
struct Pcm::ElementSlopes {
  Vec3 by_depth;
  Mat3 by_velocity;
};

/// The derivatives of damping_and_friction() and the spring.
Pcm::ElementSlopes Pcm::element_slopes(const LayerPair& layer, const Vec3& normal, double area,
                                       double u, const Vec3& velocity) const {
  const double rate = velocity.dot(normal);
  const double spring_by_depth = layer.stiffness * area;
  const double spring = spring_by_depth * u;
  const double share = std::min(1.0, u * per_damping_depth_);
  double damping = def_.damping * area * rate * share;
  double damping_by_rate = def_.damping * area * share;
  double damping_by_depth = share < 1.0 ? def_.damping * area * rate * per_damping_depth_ : 0.0;
  if (def_.damping_mode == PcmDef::Damping::no_expansion && damping < 0.0)
    damping = damping_by_rate = damping_by_depth = 0.0;
  if (def_.damping_mode == PcmDef::Damping::no_tension && damping < -spring) {
    damping = -spring;
    damping_by_rate = 0.0;
    damping_by_depth = -spring_by_depth;
  }
  const double pressing = spring + damping;
  const double pressing_by_depth = spring_by_depth + damping_by_depth;
  ElementSlopes slopes{-pressing_by_depth * normal, -damping_by_rate * normal * normal.transpose()};
  if (layer.friction.acts() && pressing > 0.0) {
    const Vec3 sliding = velocity - rate * normal;
    const double speed = sliding.norm();
    const Vec3 along = friction_per_speed(layer.friction, 1.0, speed) * sliding;
    slopes.by_depth -= pressing_by_depth * along;
    slopes.by_velocity -= damping_by_rate * along * normal.transpose();
    slopes.by_velocity -= friction_per_speed(layer.friction, pressing, speed) *
                          (Mat3::Identity() - normal * normal.transpose());
    if (speed > 0.0)
      slopes.by_velocity -= friction_per_speed_slope(layer.friction, pressing, speed) / speed *
                            sliding * sliding.transpose();
  }
  return slopes;
}

// A line of the base ends at x on the target triangle with normal m. Where the target moves by
// d(x), the penetration changes by -d(x).m / n.m: the triangle's turn does not count, since the
// line ends on it. Everything else is the chain rule.
bool Pcm::linearize(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                    Eigen::Ref<Eigen::Matrix<double, 12, 12>> out) const {
  if (passes_.size() != 1 || def_.elements != PcmDef::Elements::centroid) return false;
  const Pass& pass = passes_[0];
  const Found found = find_elements(pass, in, scratch);
  const Pose X_BT = pass.target_in_base(in);
  const Twist V_TB_B = relative_twist(pass, in);

  // Of the wrench on the base, about its origin, in its frame.
  Wrench F;
  Mat6 by_motion =
      Mat6::Zero();              // of the target: turn about the base's origin, shift of that point
  Mat6 by_twist = Mat6::Zero();  // of the base relative to the target
  for (std::size_t k = 0; k < found.elements.size(); ++k) {
    const PcmElement& element = found.elements[k];
    const ElementForce f = whole_element_force(pass, found, k, V_TB_B);
    F += f.F_B_B;
    const LayerPair& layer = pass.layer(element);
    const Vec3& n = pass.base->lines[static_cast<std::size_t>(element.triangle)].normal;
    const ElementSlopes slopes =
        element_slopes(layer, n, f.area, element.penetration, V_TB_B.at(f.p_BC));

    const Vec3 m = X_BT.R * pass.target->triangles[static_cast<std::size_t>(element.target)].normal;
    const Vec3 end = f.p_BC - (1.0 - layer.interface_share) * element.penetration * n;
    Vec6 depth_by_motion;
    const Vec3 depth_by_shift = m / -n.dot(m);
    depth_by_motion << end.cross(depth_by_shift), depth_by_shift;
    const Vec3 point_by_depth = -layer.interface_share * n;
    const Vec3 force_by_depth =
        slopes.by_depth + slopes.by_velocity * V_TB_B.w.cross(point_by_depth);
    Vec6 wrench_by_depth;
    wrench_by_depth << f.p_BC.cross(force_by_depth) + point_by_depth.cross(f.F_B_B.force),
        force_by_depth;
    by_motion.noalias() += wrench_by_depth * depth_by_motion.transpose();

    const Mat3 arm = cross_matrix(f.p_BC);
    const Mat3 turned = slopes.by_velocity * arm;  // velocity by w is -arm
    by_twist.topLeftCorner<3, 3>().noalias() -= arm * turned;
    by_twist.topRightCorner<3, 3>().noalias() += arm * slopes.by_velocity;
    by_twist.bottomLeftCorner<3, 3>() -= turned;
    by_twist.bottomRightCorner<3, 3>() += slopes.by_velocity;
  }

  // From motions of the target, which is port 1, in W and about its own origin.
  const BodyKinematics& base = in.bodies[0];
  const BodyKinematics& target = in.bodies[1];
  const Mat3 R_BW = base.X_WB.R.transpose();
  const Vec3 arm = base.X_WB.p - target.X_WB.p;
  Mat6 to_base = Mat6::Zero();  // turn and shift at the target's origin -> at the base's, in B
  to_base.topLeftCorner<3, 3>() = R_BW;
  to_base.bottomLeftCorner<3, 3>() = -R_BW * cross_matrix(arm);
  to_base.bottomRightCorner<3, 3>() = R_BW;
  Eigen::Matrix<double, 6, 12> on_base;  // in B
  on_base.leftCols<6>() = by_motion * to_base;
  on_base.rightCols<6>() = -by_twist * to_base;
  // The target's velocity where the base's origin is depends on where the target's is.
  on_base.middleCols<3>(3) += by_twist.rightCols<3>() * R_BW * cross_matrix(target.V_WB.w);

  const Mat3& R_WB = base.X_WB.R;
  out.topRows<3>() = R_WB * on_base.topRows<3>();
  out.middleRows<3>(3) = R_WB * on_base.bottomRows<3>();
  out.bottomRows<3>() = -out.middleRows<3>(3);
  out.middleRows<3>(6) = -out.topRows<3>() - cross_matrix(arm) * out.middleRows<3>(3);
  out.block<3, 3>(6, 3) -= cross_matrix(R_WB * F.force);
  return true;
}

void Pcm::report(const ContactInput& in, const ContactMemory&, Scratch& scratch,
                 ContactReport& out) const {
  double greatest = 0.0, area = 0.0, energy = 0.0, dissipation = 0.0;
  out.patch.clear();
  int first_index = 0;  // of a pass: the triangles of the second follow those of the first
  for (const Pass& pass : passes_) {
    const Twist V_TB_B = relative_twist(pass, in);
    const Pose& X_WB = in.bodies[pass.base_port].X_WB;
    const double on_port_0 = pass.base_port == 0 ? weight_ : -weight_;
    const Found found = find_elements(pass, in, scratch);
    for (std::size_t k = 0; k < found.elements.size(); ++k) {
      const PcmElement& element = found.elements[k];
      const ElementForce f = whole_element_force(pass, found, k, V_TB_B);
      greatest = std::max(greatest, element.penetration);
      area += weight_ * f.area;
      energy += weight_ * f.energy;
      dissipation += weight_ * f.dissipation;
      out.patch.push_back({X_WB * f.p_BC, on_port_0 * (X_WB.R * f.F_B_B.force), element.penetration,
                           weight_ * f.area, first_index + element.triangle});
    }
    first_index += static_cast<int>(pass.base->lines.size());
  }
  out.channels = {greatest, area, static_cast<double>(out.patch.size()), energy, dissipation};
}

PcmWork Pcm::work(const ContactInput& in) const {
  PcmWork work;
  Scratch scratch;
  for (const Pass& pass : passes_) find_elements(pass, in, pass.base->tree.root(), scratch, &work);
  return work;
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

/// The keys of a layer, all or none, and friction.
PcmGroup read_group(const Value& value, const std::string& path) {
  PcmGroup group;
  Value layer(Value::Table{}, value.place());
  for (const Value::Entry& entry : value.table_or_throw(path)) {
    const auto read = [&] {
      return parameters_detail::read_number(entry.value, path + "." + entry.key, non_negative());
    };
    if (entry.key == "friction")
      group.friction = read();
    else if (entry.key == "static_friction")
      group.static_friction = read();
    else
      layer.as_table().push_back(entry);
  }
  group.has_layer = !layer.as_table().empty();
  if (group.has_layer) layer_parameters().read(layer, group.layer, path);
  return group;
}

double stiffness_of(const PcmLayer& layer, const Place& place, const std::string& key) {
  layer_parameters().check(layer, place, key);
  return layer_stiffness(layer.young_modulus, layer.poisson_ratio, layer.thickness);
}

/// Stiffness per area of the layer on a shape; infinite if the shape is rigid.
double stiffness_of(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& shape) {
  if (const auto given = def.layer.find(shape.name); given != def.layer.end())
    return stiffness_of(given->second, def.place, "contact.layer." + shape.name);
  if (const MaterialDef* material = shapes.material_of(shape))
    return stiffness_of(
        PcmLayer{material->young_modulus, material->poisson_ratio, material->thickness}, def.place,
        "material " + material->name);
  return kInfinity;
}

/// One group of triangles of a shape.
struct GroupLayer {
  double stiffness;
  std::optional<double> friction, static_friction;
};

/// By group number; one entry if the shape has no groups.
std::vector<GroupLayer> group_layers(const PcmDef& def, const ShapeTable& shapes,
                                     const ShapeDef& shape) {
  const std::vector<std::string>& names = std::get<MeshShape>(shape.geometry).mesh->group_names;
  const std::vector<GroupLayer> plain(std::max<std::size_t>(1, names.size()),
                                      {stiffness_of(def, shapes, shape), {}, {}});
  const auto given = def.group.find(shape.name);
  if (given == def.group.end()) return {plain.begin(), plain.begin() + 1};
  std::vector<GroupLayer> layers = plain;
  for (const auto& [name, group] : given->second) {
    const std::string key = "contact.group." + shape.name + "." + name;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw InputError(def.place, key + ": the mesh of '" + shape.name + "' has no group '" + name +
                                      "'" + suggestion(name, names));
    GroupLayer& layer = layers[static_cast<std::size_t>(found - names.begin())];
    if (group.has_layer) layer.stiffness = stiffness_of(group.layer, def.place, key);
    layer.friction = group.friction;
    layer.static_friction = group.static_friction;
  }
  return layers;
}

/// The smaller one, if both are there.
std::optional<double> weaker(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

/// Where both groups name a friction coefficient the smaller one counts: the weaker surface gives
/// way.
DryFriction friction_of(const PcmDef& def, const GroupLayer& base, const GroupLayer& target,
                        const MaterialPair& materials) {
  FrictionDef keys = def;
  if (const auto friction = weaker(base.friction, target.friction)) {
    keys.friction = friction;
    keys.static_friction = std::nullopt;
  }
  if (const auto peak = weaker(base.static_friction, target.static_friction))
    keys.static_friction = peak;
  return friction_between(keys, materials, def.place);
}

/// Layers in series; the interface divides the penetration by compliance.
LayerPair pair_of(const GroupLayer& base, const GroupLayer& target, const DryFriction& friction) {
  if (std::isinf(base.stiffness)) return {target.stiffness, 0.0, friction};
  if (std::isinf(target.stiffness)) return {base.stiffness, 1.0, friction};
  return {series_stiffness(base.stiffness, target.stiffness),
          target.stiffness / (base.stiffness + target.stiffness), friction};
}

/// Tells apart what is prepared from a mesh in some place on its body.
std::string surface_key(const std::string& kind, const ShapeDef& shape, double element_size) {
  const auto mesh =
      reinterpret_cast<std::uintptr_t>(std::get<MeshShape>(shape.geometry).mesh.get());
  std::string key = kind + " " + std::to_string(mesh) + " " + to_text(element_size);
  for (int k = 0; k < 3; ++k) key += " " + to_text(shape.X_BS.p[k]);
  for (int k = 0; k < 9; ++k) key += " " + to_text(shape.X_BS.R(k / 3, k % 3));
  return key;
}

/// In the body's frame, edges no longer than `element_size` unless that is 0.
TriangleMesh surface_mesh(const ShapeDef& shape, double element_size) {
  TriangleMesh mesh = *std::get<MeshShape>(shape.geometry).mesh;
  for (Vec3& vertex : mesh.vertices) vertex = shape.X_BS * vertex;
  return element_size > 0.0 ? refined(mesh, element_size) : mesh;
}

std::shared_ptr<const TargetSurface> target_surface(const ShapeTable& shapes, const ShapeDef& shape,
                                                    double element_size = 0.0) {
  return shapes.shared<TargetSurface>(surface_key("pcm target", shape, element_size), [&] {
    return TargetSurface(surface_mesh(shape, element_size));
  });
}

std::shared_ptr<const ConstructionSurface> construction_surface(const PcmDef& def,
                                                                const ShapeTable& shapes,
                                                                const ShapeDef& shape,
                                                                double element_size) {
  return shapes.shared<ConstructionSurface>(
      surface_key("pcm construction", shape, element_size), [&] {
        const auto triangles = target_surface(shapes, shape, element_size);
        try {
          return ConstructionSurface{triangles, SurfaceTopology(triangles->mesh, shape.name)};
        } catch (const InputError& error) {
          throw InputError(def.place, "contact.detection \"construction\" needs clean meshes: " +
                                          std::string(error.what()) +
                                          "; use \"penetration\", which does not");
        }
      });
}

Pass make_pass(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& base,
               const ShapeDef& target, std::size_t base_port) {
  Pass pass;
  pass.base_port = base_port;
  pass.target_port = 1 - base_port;
  const bool clipped = def.elements == PcmDef::Elements::clipped;
  pass.base = shapes.shared<BaseSurface>(
      surface_key((clipped ? "pcm prisms " : "pcm lines ") + to_text(def.max_penetration), base,
                  def.element_size),
      [&] {
        return BaseSurface(surface_mesh(base, def.element_size), def.max_penetration,
                           clipped ? BaseSurface::Probe::prism : BaseSurface::Probe::line);
      });
  pass.target = target_surface(shapes, target);
  const std::vector<GroupLayer> base_layers = group_layers(def, shapes, base);
  const std::vector<GroupLayer> target_layers = group_layers(def, shapes, target);
  pass.base_groups = base_layers.size();
  pass.target_groups = target_layers.size();
  const MaterialPair materials = shapes.materials_of(base, target);
  for (const GroupLayer& b : base_layers)
    for (const GroupLayer& t : target_layers) {
      if (std::isinf(b.stiffness) && std::isinf(t.stiffness))
        throw InputError(def.place, "contact: both '" + def.base + "' and '" + def.target +
                                        "' are rigid" +
                                        (def.group.empty() ? "" : " in some of their groups") +
                                        "; give one of them a layer or a material");
      pass.layers.push_back(pair_of(b, t, friction_of(def, b, t, materials)));
    }
  pass.parts = pass.base->tree.parts();
  if (def.detection == PcmDef::Detection::construction) {
    pass.base_area = construction_surface(def, shapes, base, def.element_size);
    pass.target_area = construction_surface(def, shapes, target, 0.0);
    pass.parts = {pass.base->tree.root()};  // an area is searched as a whole
  }
  return pass;
}

/// A share of the wall thickness of the thinner body, or what the user gave.
double choose_max_penetration(const PcmDef& def, const ShapeTable& shapes, const ShapeDef& base,
                              const ShapeDef& target, std::vector<std::string>& notes) {
  // A line must end inside its own body, and well before the rear of the other one.
  constexpr double kShare = 0.2;
  const double base_wall = wall_thickness(*target_surface(shapes, base));
  const double target_wall = wall_thickness(*target_surface(shapes, target));
  const double wall = std::min(base_wall, target_wall);
  if (def.max_penetration == PcmDef::kAuto) {
    if (std::isinf(wall))
      throw InputError(def.place, "contact.max_penetration: neither '" + def.base + "' nor '" +
                                      def.target +
                                      "' has a wall thickness to choose it from (both are open "
                                      "sheets); give a number");
    return kShare * wall;
  }
  if (def.max_penetration > wall)
    notes.push_back("max_penetration (" + to_text(def.max_penetration) + " m) exceeds the " +
                    to_text(wall) + " m of the walls of '" +
                    (base_wall <= target_wall ? def.base : def.target) +
                    "': penetrations may be measured to the wrong side");
  return def.max_penetration;
}

}  // namespace

const ParameterTable<PcmDef>& PcmDef::parameters() {
  using Def = PcmDef;
  static const auto read_layers = [](const Value& value, Def& def, const std::string& path) {
    for (const Value::Entry& entry : value.table_or_throw(path))
      layer_parameters().read(entry.value, def.layer[entry.key], path + "." + entry.key);
  };
  static const auto read_groups = [](const Value& value, Def& def, const std::string& path) {
    for (const Value::Entry& shape : value.table_or_throw(path))
      for (const Value::Entry& group : shape.value.table_or_throw(path + "." + shape.key))
        def.group[shape.key][group.key] =
            read_group(group.value, path + "." + shape.key + "." + group.key);
  };
  static const auto read_depth = [](const Value& value, Def& def, const std::string& path) {
    if (value.is_text()) {
      parameters_detail::read_choice(value, path, {"auto"});
      def.max_penetration = kAuto;
    } else {
      def.max_penetration = parameters_detail::read_number(value, path, positive());
    }
  };
  static const auto table =
      ParameterTable<Def>()
          .text("base", &Def::base, "mesh shape whose triangles become contact elements", true)
          .text("target", &Def::target, "mesh shape they are cut with", true)
          .custom("layer", "tables by shape name", read_layers,
                  "elastic layers (young_modulus [Pa], poisson_ratio, thickness [m]); a shape "
                  "without one takes its material, or is rigid")
          .custom("group", "tables by shape name and mesh group", read_groups,
                  "a layer and friction of its own for a group of triangles")
          .custom("max_penetration", "number [m] or \"auto\"", read_depth,
                  "greatest penetration that is looked for; auto: a fifth of the thinner body's "
                  "wall thickness",
                  false, "\"auto\"")
          .number("damping", &Def::damping, "Ns/m^3", non_negative(), "per area")
          .number("damping_depth", &Def::damping_depth, "m", positive(),
                  "depth at which damping is fully there")
          .choice("damping_mode", &Def::damping_mode, {"no-tension", "no-expansion", "full"},
                  "whether damping may pull, or act while the bodies part")
          .include(friction_parameters())
          .only("friction_law", friction_words())
          .renamed("damping_transition", "damping_depth")
          .choice("elements", &Def::elements, {"centroid", "clipped"},
                  "whole base triangles probed at their centroids, or the parts of them that the "
                  "target covers (keeps energy at sharp edges)")
          .number("element_size", &Def::element_size, "m", non_negative(),
                  "longest edge of a base triangle: longer ones are divided; 0: none")
          .boolean("two_pass", &Def::two_pass,
                   "evaluate with base and target exchanged as well, and take the mean")
          .choice("detection", &Def::detection, {"penetration", "construction"},
                  "penetration detection, or the classic intersection construction for clean "
                  "meshes")
          .choice("frame", &Def::frame, {"auto", "base", "target"},
                  "in whose frame surfaces are compared; auto: the one with more triangles");
  return table;
}

std::unique_ptr<ContactModel> PcmDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  const ShapeDef& base_shape = shapes.shape_of<MeshShape>(base, place, "contact.base");
  const ShapeDef& target_shape = shapes.shape_of<MeshShape>(target, place, "contact.target");
  const auto refuse_stranger = [&](const std::string& key, const std::string& shape) {
    if (shape != base && shape != target)
      throw InputError(place, "contact." + key + "." + shape + ": the contact is between '" + base +
                                  "' and '" + target + "'");
  };
  for (const auto& entry : layer) refuse_stranger("layer", entry.first);
  for (const auto& entry : group) refuse_stranger("group", entry.first);
  if (max_penetration != kAuto)
    parameters_detail::check_number(max_penetration, place, "contact.max_penetration", positive());

  if (elements == Elements::clipped && detection == Detection::construction)
    throw InputError(place,
                     "contact: elements \"clipped\" need detection \"penetration\"; "
                     "\"construction\" finds whole triangles");

  if (elements == Elements::clipped && frame == PcmFrame::target)
    throw InputError(place,
                     "contact: elements \"clipped\" are found in the frame of the base; frame must "
                     "be \"auto\" or \"base\"");

  std::vector<std::string> notes;
  PcmDef def = *this;
  def.max_penetration = choose_max_penetration(*this, shapes, base_shape, target_shape, notes);
  std::vector<Pass> passes = {make_pass(def, shapes, base_shape, target_shape, 0)};
  if (two_pass) passes.push_back(make_pass(def, shapes, target_shape, base_shape, 1));
  return std::make_unique<Pcm>(def, std::vector{base_shape.body, target_shape.body},
                               std::move(passes), std::move(notes));
}

PcmWork pcm_work(const ContactModel& model, const ContactInput& in) {
  return dynamic_cast<const Pcm&>(model).work(in);
}

double wall_thickness(const TriangleMesh& mesh) {
  return wall_thickness(TargetSurface(mesh));
}

double wall_thickness(const TargetSurface& body) {
  const TriangleMesh& mesh = body.mesh;
  GROUSER_ASSERT(!mesh.triangles.empty());
  // Lines through the whole body from up to some hundred triangles, met with the body itself. They
  // start a little below the surface, or they would meet the triangle they start from.
  constexpr std::size_t kSamples = 512;
  const double size = body.tree.box().half_size().norm();
  const std::size_t stride = (mesh.triangle_count() + kSamples - 1) / kSamples;
  TriangleMesh sample;
  for (std::size_t i = 0; i < mesh.triangle_count(); i += stride) {
    const Vec3 inward = -1e-6 * size * face_of(mesh, i).normal;
    const auto first = static_cast<std::int32_t>(sample.vertices.size());
    for (int k = 0; k < 3; ++k) sample.vertices.push_back(mesh.corner(i, k) + inward);
    sample.triangles.push_back({first, first + 1, first + 2});
  }
  const BaseSurface lines(std::move(sample), 2.0 * size, BaseSurface::Probe::line);
  Scratch scratch;
  double total = 0.0;
  for (const double area : lines.areas) total += area;
  std::vector<std::tuple<double, double>> walls;  // thickness, area
  for (const PcmElement& element :
       find_penetrations(lines, body, Pose{}, PcmFrame::target, lines.tree.root(), scratch))
    walls.emplace_back(element.penetration,
                       lines.areas[static_cast<std::size_t>(element.triangle)]);
  std::sort(walls.begin(), walls.end());
  double thinner = 0.0;
  for (const auto& [thickness, area] : walls) {
    thinner += area;
    if (thinner > 0.05 * total) return thickness;
  }
  return kInfinity;
}

}  // namespace grouser
