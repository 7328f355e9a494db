#include "grouser/contact/sphere_half_space.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
namespace grouser {
namespace {

/// What is remembered of the impact that led to the present touch.
struct ImpactMemory {
  double impact_speed = 0.0;  // [m/s], 0: not touching
};

/// Relative position and motion of the two shapes, H = frame of the half-space.
struct SphereMotion {
  double depth;       // of the sphere's lowest point below the plane [m]
  double depth_rate;  // [m/s]
  Mat3 R_WH;
  Vec3 p_WC;     // foot of the sphere centre on the plane, where forces act
  Vec2 sliding;  // velocity of the sphere's material over the plane, in H [m/s]
};

class SphereHalfSpace final : public ContactModel {
 public:
  SphereHalfSpace(const SphereHalfSpaceDef& def, const ShapeDef& sphere, const ShapeDef& plane,
                  double stiffness, const MaterialPair& materials)
      : def_(def),
        friction_(friction_between(def, materials, def.place)),
        bodies_{sphere.body, plane.body},
        p_BS_(sphere.X_BS.p),
        X_BH_(plane.X_BS),
        radius_(std::get<SphereShape>(sphere.geometry).radius),
        stiffness_(stiffness),
        damping_(damping_factor(def.restitution_law, restitution_between(def, materials))) {}

  std::vector<std::string> body_names() const override { return bodies_; }
  std::size_t state_count() const override {
    return friction_.law == FrictionLaw::bristle && friction_.acts() ? 2 : 0;
  }
  std::vector<ReportChannel> state_channels() const override {
    if (state_count() == 0) return {};
    return {{"bristle_x", "m", "deflection of the bristle along the half-space's x"},
            {"bristle_y", "m", "the same along its y"}};
  }
  double state_scale() const override { return def_.stroke; }
  std::unique_ptr<ContactMemory> make_memory() const override { return std::make_unique<Memory>(); }

  Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch&,
                  ContactOutput& out) const override {
    GROUSER_ASSERT(in.bodies.size() == 2 && out.wrenches.size() == 2);
    GROUSER_ASSERT(in.states.size() == state_count() &&
                   out.state_derivatives.size() == state_count());
    const SphereMotion a = approach(in);
    out.wrenches[0] = {};
    out.wrenches[1] = {};
    out.penetration = std::max(0.0, a.depth);
    if (state_count() > 0) bristle_rates(a, in.states, out.state_derivatives);
    if (a.depth <= 0.0) return Status::ok;

    const Vec3 force_W = force_on_sphere(a, impact_speed(a, memory), in.states);
    out.wrenches[0].add_force_at(a.p_WC - in.bodies[0].X_WB.p, force_W);
    out.wrenches[1].add_force_at(a.p_WC - in.bodies[1].X_WB.p, -force_W);
    return std::isfinite(force_W.sum()) ? Status::ok : Status::impossible;
  }

  void commit(const ContactInput& in, ContactMemory& memory, Scratch&) const override {
    const SphereMotion a = approach(in);
    double& remembered = static_cast<Memory&>(memory).value.impact_speed;
    // A located touch lies within rounding of depth 0 on either side. Above the plane the force is
    // zero whatever is remembered, so arriving may count as touching a little early: still silent.
    const bool arriving = a.depth > -kTouchDistance * radius_ && a.depth_rate > 0.0;
    const bool touching = a.depth > 0.0 || arriving;
    remembered = touching ? impact_speed(a, memory) : 0.0;
  }

  std::size_t event_count() const override { return 1; }
  std::vector<ReportChannel> event_channels() const override {
    return {{"touch", "m", "depth of the sphere below the plane, negative above it"}};
  }
  void event_functions(const ContactInput& in, const ContactMemory&, Scratch&,
                       std::span<double> out) const override {
    GROUSER_ASSERT(out.size() == 1);
    out[0] = approach(in).depth;
  }

  std::vector<ReportChannel> report_channels() const override {
    return {{"penetration", "m", "depth of the sphere below the plane"},
            {"elastic_energy", "J", "stored in the contact"},
            {"sliding_speed", "m/s", "of the sphere's surface over the plane"}};
  }

  void report(const ContactInput& in, const ContactMemory& memory, Scratch&,
              ContactReport& out) const override {
    const SphereMotion a = approach(in);
    const double depth = std::max(0.0, a.depth);
    out.channels = {depth, hertz_energy(stiffness_, depth), a.sliding.norm()};
    out.patch.clear();
    if (depth > 0.0)
      out.patch.push_back(
          {a.p_WC, force_on_sphere(a, impact_speed(a, memory), in.states), depth, 0.0, 0});
  }

 private:
  using Memory = PlainMemory<ImpactMemory>;

  SphereMotion approach(const ContactInput& in) const {
    const BodyKinematics& sphere = in.bodies[0];
    const BodyKinematics& plane = in.bodies[1];
    const Pose X_WH = plane.X_WB * X_BH_;
    const Vec3 n_W = X_WH.R.col(2);
    const Vec3 p_WS = sphere.X_WB * p_BS_;
    const double height = n_W.dot(p_WS - X_WH.p);

    SphereMotion a;
    a.depth = radius_ - height;
    a.R_WH = X_WH.R;
    a.p_WC = p_WS - height * n_W;
    const Vec3 v_rel_W =
        sphere.V_WB.at(a.p_WC - sphere.X_WB.p) - plane.V_WB.at(a.p_WC - plane.X_WB.p);
    const Vec3 v_rel_H = X_WH.R.transpose() * v_rel_W;
    a.depth_rate = -v_rel_H.z();
    a.sliding = v_rel_H.head<2>();
    return a;
  }

  /// The remembered impact speed or, before anything is remembered, the present speed: that makes
  /// the first commit silent.
  double impact_speed(const SphereMotion& a, const ContactMemory& memory) const {
    GROUSER_ASSERT(dynamic_cast<const Memory*>(&memory));
    const double remembered = static_cast<const Memory&>(memory).value.impact_speed;
    return remembered > 0.0 ? remembered : std::max(std::abs(a.depth_rate), def_.smallest_impact);
  }

  Vec3 force_on_sphere(const SphereMotion& a, double impact_speed,
                       std::span<const double> z) const {
    const double normal =
        hunt_crossley_force(stiffness_, damping_, impact_speed, a.depth, a.depth_rate);
    Vec3 force_H(0.0, 0.0, normal);
    if (state_count() > 0) {
      Vec2 share = (Vec2(z[0], z[1]) + def_.friction_damping * a.sliding) / def_.stroke;
      share /= std::max(1.0, share.norm());  // stays inside the friction cone
      force_H.head<2>() = -friction_.sliding * normal * share;
    } else if (friction_.acts()) {
      force_H.head<2>() = -friction_per_speed(friction_, normal, a.sliding.norm()) * a.sliding;
    }
    return a.R_WH * force_H;
  }

  void bristle_rates(const SphereMotion& a, std::span<const double> z,
                     std::span<double> rates) const {
    const Vec2 bristle(z[0], z[1]);
    // Apart, the bristle springs back within a few milliseconds.
    const Vec2 rate = a.depth > 0.0 ? bristle_rate(a.sliding, bristle, def_.stroke)
                                    : Vec2(-bristle / kSpringBack);
    rates[0] = rate.x();
    rates[1] = rate.y();
  }

  static constexpr double kSpringBack = 2e-3;     // [s]
  static constexpr double kTouchDistance = 1e-8;  // of the radius

  SphereHalfSpaceDef def_;
  DryFriction friction_;
  std::vector<std::string> bodies_;  // sphere's, half-space's
  Vec3 p_BS_;
  Pose X_BH_;
  double radius_;
  double stiffness_;
  double damping_;
};

}  // namespace

const ParameterTable<SphereHalfSpaceDef>& SphereHalfSpaceDef::parameters() {
  using Def = SphereHalfSpaceDef;
  static const auto table =
      ParameterTable<Def>()
          .text("sphere", &Def::sphere, "shape of kind sphere", true)
          .text("half_space", &Def::half_space, "shape of kind half_space", true)
          .number("stiffness", &Def::stiffness, "N/m^1.5", non_negative(),
                  "k of F = k d^1.5; 0: Hertz, from the materials of the shapes")
          .include(impact_parameters())
          .include(friction_parameters())
          .only("friction_law", friction_words({FrictionLaw::bristle}));
  return table;
}

std::unique_ptr<ContactModel> SphereHalfSpaceDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  const ShapeDef& ball = shapes.shape_of<SphereShape>(sphere, place, "contact.sphere");
  const double radius = radius_of_sphere(ball, place, "contact.sphere");
  const ShapeDef& plane = shapes.shape_of<HalfSpaceShape>(half_space, place, "contact.half_space");
  return std::make_unique<SphereHalfSpace>(
      *this, ball, plane,
      stiffness > 0.0 ? stiffness : hertz_stiffness_of(shapes, ball, plane, radius, place),
      shapes.materials_of(ball, plane));
}

}  // namespace grouser
