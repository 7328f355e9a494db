#include "grouser/contact/convex.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "grouser/base/assert.h"
#include "grouser/contact/convex_memory.h"
#include "grouser/contact/convex_parts.h"
#include "grouser/contact/convex_patch.h"
#include "grouser/laws/friction.h"
#include "grouser/math/rotation.h"

namespace grouser {
namespace {

/// Two parts in their place.
struct PlacedPair {
  const ContactPart &a, &b;
  const BodyKinematics &body_a, &body_b;
  Pose X_WA, X_WB;  // of the shapes
  const SurfacePair& surfaces;
};

/// How the bodies of a pair move against each other at a patch.
struct PatchMotion {
  double depth_rate = 0.0;      // at the centre [m/s]
  Vec3 sliding = Vec3::Zero();  // of A over B, across the normal [m/s]
  double spin = 0.0;            // of A against B about the normal [rad/s]
  Vec3 rolling = Vec3::Zero();  // the rest of it [rad/s]
};

/// How far the bristles are stretched.
struct Stretch {
  Vec3 slip = Vec3::Zero();  // across the normal [m]
  double twist = 0.0;        // about it [rad]
};

/// What acts on A at a patch.
struct PatchForce {
  Vec3 force_W = Vec3::Zero();
  Vec3 torque_W = Vec3::Zero();  // besides that of the forces at the centre
  double normal = 0.0;           // total [N]
  double softening = 1.0;        // by a fixed step
  Vec3 center_W = Vec3::Zero();  // of the normal forces
};

/// What a pair answers.
struct PairAnswer {
  Wrench on_a, on_b;  // about the origins of the bodies
  double depth = 0.0;
  double softening = 1.0;
  int port_a = 0, port_b = 0;
};

/// What a step of fixed length that is explicit in contact can bear. Euler's, with velocities
/// first, is stable if h^2 k + 2 h c is less than 4 / mobility. Where several contacts hold a body
/// each has its share.
struct StepBounds {
  double step = 0.0;    // [s]; 0: no bounds
  double along = 0.0;   // greatest mobility of the two bodies along the normal [1/kg]
  double across = 0.0;  // and in any direction

  /// By how much a stiffness [N/m] must be less.
  static double stiff(double step, double mobility, double stiffness) {
    return std::max(1.0, step * step * stiffness * mobility / 1.5);
  }
  /// By how much a damping [N s/m] must be less.
  static double damped(double step, double mobility, double damping) {
    return std::max(1.0, step * damping * mobility);
  }
};

Vec3 vector_of(const double (&x)[3]) {
  return Vec3(x[0], x[1], x[2]);
}
void store(const Vec3& x, double (&out)[3]) {
  std::copy_n(x.data(), 3, out);
}

/// Whether a part touches over an area, and looks the same when it turns about its own axis, z.
bool revolves(const ContactPart& part) {
  return part.is(ConvexKind::cylinder) || part.is(ConvexKind::cone);
}

/// Whether a part can roll on another.
bool rolls(const ContactPart& part) {
  return revolves(part) || touches_in_a_point(part) || part.is(ConvexKind::capsule);
}

class Convex final : public ContactModel {
 public:
  Convex(const ConvexDef& def, const ShapeTable& shapes) : def_(def), parts_(def, shapes) {}

  std::vector<std::string> body_names() const override { return parts_.body_names(); }
  std::unique_ptr<ContactMemory> make_memory() const override {
    return std::make_unique<ConvexMemory>();
  }

  Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                  ContactOutput& out) const override {
    const std::span<const NearPair> pairs = parts_.near_pairs(in.bodies, 0.0, scratch);
    const std::span<PairAnswer> answers = scratch.take<PairAnswer>(pairs.size());
    const std::span<const int> touches = count_touches(in, memory, scratch);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      answers[i] = answer(in, memory, pairs[i], touches, scratch);
    return sum(
        answers.size(), [&](std::size_t i) -> const PairAnswer& { return answers[i]; }, out);
  }

  // A part of an evaluation has some of the pairs of bodies.

  std::size_t part_count() const override { return kParts; }
  const void* evaluate_part(const ContactInput& in, const ContactMemory& memory, std::size_t part,
                            Scratch& scratch) const override {
    GROUSER_ASSERT(part < kParts);
    const std::span<const NearPair> pairs =
        parts_.near_pairs(in.bodies, 0.0, scratch, {part, kParts});
    const std::span<PairAnswer> answers = scratch.take<PairAnswer>(pairs.size());
    const std::span<const int> touches = count_touches(in, memory, scratch);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      answers[i] = answer(in, memory, pairs[i], touches, scratch);
    const std::span<SomeAnswers> out = scratch.take<SomeAnswers>(1);
    out[0] = {pairs, answers};
    return out.data();
  }
  Status gather_parts(const ContactInput&, const ContactMemory&, std::span<const void* const> parts,
                      Scratch& scratch, ContactOutput& out) const override {
    GROUSER_ASSERT(parts.size() == kParts);
    struct Entry {
      std::uint64_t key;
      const PairAnswer* answer;
    };
    ScratchList<Entry> entries(scratch);
    for (const void* part : parts) {
      const auto& some = *static_cast<const SomeAnswers*>(part);
      for (std::size_t i = 0; i < some.pairs.size(); ++i)
        entries.add({some.pairs[i].key(), &some.answers[i]});
    }
    const std::span<Entry> all = entries.items();
    std::sort(all.begin(), all.end(), [](const Entry& x, const Entry& y) { return x.key < y.key; });
    return sum(
        all.size(), [&](std::size_t i) -> const PairAnswer& { return *all[i].answer; }, out);
  }

  const void* prepare_perturbations(const ContactInput& in, const ContactMemory& memory,
                                    Scratch& scratch) const override {
    const std::span<Prepared> prepared = scratch.take<Prepared>(1);
    prepared[0].pairs = parts_.near_pairs(in.bodies, kNudgeMargin, scratch);
    const std::span<PairAnswer> answers = scratch.take<PairAnswer>(prepared[0].pairs.size());
    for (std::size_t i = 0; i < answers.size(); ++i)
      answers[i] = answer(in, memory, prepared[0].pairs[i], {}, scratch);
    const std::span<BodyKinematics> bodies = scratch.take<BodyKinematics>(in.bodies.size());
    std::copy(in.bodies.begin(), in.bodies.end(), bodies.begin());
    prepared[0].answers = answers;
    prepared[0].bodies = bodies;
    return prepared.data();
  }
  /// Only pairs of which a body has been moved are asked again.
  Status evaluate_perturbed(const ContactInput& in, const ContactMemory& memory, const void* before,
                            Scratch& scratch, ContactOutput& out) const override {
    const auto& prepared = *static_cast<const Prepared*>(before);
    GROUSER_ASSERT(prepared.bodies.size() == in.bodies.size());
    const std::span<bool> moved = scratch.take<bool>(in.bodies.size());
    for (std::size_t b = 0; b < moved.size(); ++b) moved[b] = !(in.bodies[b] == prepared.bodies[b]);
    PairAnswer fresh;
    const auto asked = [&](std::size_t i) -> const PairAnswer& {
      const PairAnswer& known = prepared.answers[i];
      if (!moved[static_cast<std::size_t>(known.port_a)] &&
          !moved[static_cast<std::size_t>(known.port_b)])
        return known;
      return fresh = answer(in, memory, prepared.pairs[i], {}, scratch);
    };
    return sum(prepared.pairs.size(), asked, out);
  }

  void commit(const ContactInput& in, ContactMemory& memory, Scratch& scratch) const override {
    auto& remembered = static_cast<ConvexMemory&>(memory);
    GROUSER_ASSERT(dynamic_cast<ConvexMemory*>(&memory));
    ScratchList<ConvexTouch> touches(scratch);
    const std::span<const int> counts = count_touches(in, memory, scratch);
    for (const NearPair& pair : parts_.near_pairs(in.bodies, kTouchDistance, scratch)) {
      const PlacedPair placed = place(in, pair);
      ConvexPatch patch;
      const ConvexContact contact = find(placed, scratch, patch, kTouchDistance);
      if (patch.normal_force > 0.0)
        touches.add(
            touch_of(placed, patch, bounds_of(in, placed, patch, counts), pair.key(), remembered));
      else
        add_arrival(placed, pair, contact, touches);
    }
    remembered.touches.assign(touches.items().begin(), touches.items().end());
    // They are found by their keys.
    GROUSER_ASSERT(std::ranges::adjacent_find(remembered.touches, std::greater_equal(),
                                              &ConvexTouch::key) == remembered.touches.end());
  }

  std::size_t event_count() const override { return 1; }
  std::vector<ReportChannel> event_channels() const override {
    return {{"first_touch", "m", "depth of the deepest pair that has not touched yet"}};
  }
  /// Depth of the deepest pair that has not touched yet: zero at a first touch.
  void event_functions(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
                       std::span<double> out) const override {
    const double reach = 0.1 * parts_.smallest_size();
    out[0] = -reach;
    const auto& remembered = static_cast<const ConvexMemory&>(memory);
    for (const NearPair& pair : parts_.near_pairs(in.bodies, reach, scratch)) {
      if (remembered.find(pair.key())) continue;
      const PlacedPair placed = place(in, pair);
      out[0] =
          std::max(out[0], find_contact(placed.a, placed.X_WA, placed.b, placed.X_WB, reach).depth);
    }
  }

  std::vector<ReportChannel> report_channels() const override {
    return {{"touching_pairs", "", "pairs of parts in contact"},
            {"penetration", "m", "greatest depth of a patch"},
            {"normal_force", "N", "sum over all patches"},
            {"elastic_energy", "J", "stored in all patches"}};
  }

  void report(const ContactInput& in, const ContactMemory& memory, Scratch& scratch,
              ContactReport& out) const override {
    double touching = 0.0, depth = 0.0, normal = 0.0, energy = 0.0;
    out.patch.clear();
    const std::span<const int> touches = count_touches(in, memory, scratch);
    for (const NearPair& pair : parts_.near_pairs(in.bodies, 0.0, scratch)) {
      const PlacedPair placed = place(in, pair);
      ConvexPatch patch;
      find(placed, scratch, patch);
      if (!(patch.normal_force > 0.0)) continue;
      touching += 1.0;
      const PatchForce force =
          force_of(placed, patch, bounds_of(in, placed, patch, touches), pair.key(), memory);
      // Forces on the first port of the contact, if it is one of the two.
      const double sign = placed.b.port == 0 ? -1.0 : 1.0;
      out.patch.push_back(
          {force.center_W, sign * force.force_W, patch.depth, patch.area, placed.a.object});
      depth = std::max(depth, patch.depth);
      normal += force.normal;
      energy += energy_of(placed, scratch);
    }
    out.channels = {touching, depth, normal, energy};
  }

  double stored_energy(const ContactInput& in, const ContactMemory&,
                       Scratch& scratch) const override {
    double energy = 0.0;
    for (const NearPair& pair : parts_.near_pairs(in.bodies, 0.0, scratch))
      energy += energy_of(place(in, pair), scratch);
    return energy;
  }

 private:
  static constexpr std::size_t kParts = 4;

  /// How many touches each port had at the last commit.
  std::span<const int> count_touches(const ContactInput& in, const ContactMemory& memory,
                                     Scratch& scratch) const {
    if (in.step == 0.0 || in.mobilities.empty()) return {};
    const std::span<int> counts = scratch.take<int>(in.bodies.size());
    std::fill(counts.begin(), counts.end(), 0);
    for (const ConvexTouch& touch : static_cast<const ConvexMemory&>(memory).touches)
      for (const std::uint64_t part : {touch.key >> 32, touch.key & 0xffffffffu})
        ++counts[static_cast<std::size_t>(parts_[static_cast<int>(part)].port)];
    return counts;
  }

  static StepBounds bounds_of(const ContactInput& in, const PlacedPair& pair,
                              const ConvexPatch& patch, std::span<const int> touches) {
    StepBounds out;
    if (touches.empty()) return out;
    out.step = in.step;
    for (const ContactPart* part : {&pair.a, &pair.b}) {
      const auto port = static_cast<std::size_t>(part->port);
      const BodyMobility& body = in.mobilities[port];
      const Vec3 lever = patch.center_W - in.bodies[port].X_WB * body.center;
      const double across = lever.norm() + patch.friction_radius;
      const double along = patch.normal_W.cross(lever).norm() + patch.friction_radius;
      const double share = std::max(1, touches[port]);
      out.along += share * (body.linear + along * along * body.angular);
      out.across += share * (body.linear + across * across * body.angular);
    }
    return out;
  }
  static constexpr double kNudgeMargin = 1e-6;    // [m], more than a perturbation moves a part
  static constexpr double kTouchDistance = 1e-9;  // [m], within which a located touch ends

  struct SomeAnswers {
    std::span<const NearPair> pairs;
    std::span<const PairAnswer> answers;
  };
  struct Prepared {
    std::span<const NearPair> pairs;
    std::span<const PairAnswer> answers;
    std::span<const BodyKinematics> bodies;
  };

  static double energy_of(const PlacedPair& pair, Scratch& scratch) {
    return patch_energy(pair.a, pair.X_WA, pair.b, pair.X_WB, pair.surfaces.effective_modulus,
                        scratch);
  }
  ConvexContact find(const PlacedPair& pair, Scratch& scratch, ConvexPatch& patch,
                     double reach = 0.0) const {
    return find_patch(pair.a, pair.X_WA, pair.b, pair.X_WB, pair.surfaces.effective_modulus,
                      def_.points, scratch, patch, reach);
  }

  PlacedPair place(const ContactInput& in, const NearPair& pair) const {
    const ContactPart &a = parts_[pair.first], &b = parts_[pair.second];
    const BodyKinematics& body_a = in.bodies[static_cast<std::size_t>(a.port)];
    const BodyKinematics& body_b = in.bodies[static_cast<std::size_t>(b.port)];
    return {
        a, b, body_a, body_b, body_a.X_WB * a.X_BS, body_b.X_WB * b.X_BS, parts_.surfaces(a, b)};
  }

  /// In the order of the pairs, so that threads do not show in the sums.
  template <class Answer>
  static Status sum(std::size_t count, Answer&& answer_of, ContactOutput& out) {
    std::fill(out.wrenches.begin(), out.wrenches.end(), Wrench{});
    out.penetration = 0.0;
    out.softening = 1.0;
    double check = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const PairAnswer& one = answer_of(i);
      if (one.depth <= 0.0) continue;
      GROUSER_ASSERT(one.port_a != one.port_b &&
                     static_cast<std::size_t>(one.port_a) < out.wrenches.size() &&
                     static_cast<std::size_t>(one.port_b) < out.wrenches.size());
      out.wrenches[static_cast<std::size_t>(one.port_a)] += one.on_a;
      out.wrenches[static_cast<std::size_t>(one.port_b)] += one.on_b;
      out.penetration = std::max(out.penetration, one.depth);
      out.softening = std::max(out.softening, one.softening);
      check += one.on_a.force.sum() + one.on_a.torque.sum();
    }
    return std::isfinite(check) ? Status::ok : Status::impossible;
  }

  PairAnswer answer(const ContactInput& in, const ContactMemory& memory, const NearPair& pair,
                    std::span<const int> touches, Scratch& scratch) const {
    const PlacedPair placed = place(in, pair);
    PairAnswer out;
    out.port_a = placed.a.port;
    out.port_b = placed.b.port;
    ConvexPatch patch;
    find(placed, scratch, patch);
    if (!(patch.normal_force > 0.0)) return out;
    const PatchForce force =
        force_of(placed, patch, bounds_of(in, placed, patch, touches), pair.key(), memory);
    out.depth = patch.depth;
    out.softening = force.softening;
    out.on_a.add_force_at(force.center_W - placed.body_a.X_WB.p, force.force_W);
    out.on_b.add_force_at(force.center_W - placed.body_b.X_WB.p, -force.force_W);
    out.on_a.torque += force.torque_W;
    out.on_b.torque -= force.torque_W;
    return out;
  }

  /// Speed at which material of A moves away from B at a point, along n.
  static double parting_speed(const PlacedPair& pair, const Vec3& point_W, const Vec3& n_W) {
    const BodyKinematics &A = pair.body_a, &B = pair.body_b;
    Vec3 v = A.V_WB.at(point_W - A.X_WB.p) - B.V_WB.at(point_W - B.X_WB.p);
    // A wheel that rolls presses new places into the ground, but it does not move into it: turning
    // about their own axis does not move the surface of round parts.
    const Vec3 turning = A.V_WB.w - B.V_WB.w;
    if (revolves(pair.a)) {
      const Vec3 axis = pair.X_WA.R.col(2);
      v -= turning.dot(axis) * axis.cross(point_W - pair.X_WA.p);
    }
    if (revolves(pair.b)) {
      const Vec3 axis = pair.X_WB.R.col(2);
      v -= turning.dot(axis) * axis.cross(point_W - pair.X_WB.p);
    }
    return n_W.dot(v);
  }

  static PatchMotion approach(const PlacedPair& pair, const ConvexPatch& patch) {
    const BodyKinematics &A = pair.body_a, &B = pair.body_b;
    const Vec3& n = patch.normal_W;
    const Vec3 v = A.V_WB.at(patch.center_W - A.X_WB.p) - B.V_WB.at(patch.center_W - B.X_WB.p);
    const Vec3 w = A.V_WB.w - B.V_WB.w;
    PatchMotion out;
    out.depth_rate = -parting_speed(pair, patch.center_W, n);
    out.sliding = v - n.dot(v) * n;
    out.spin = n.dot(w);
    out.rolling = w - out.spin * n;
    return out;
  }

  /// The remembered impact speed or, before anything is remembered, the present speed: that makes
  /// the first commit silent.
  double impact_speed(const ConvexTouch* touch, double depth_rate) const {
    return touch ? touch->impact_speed : std::max(std::abs(depth_rate), def_.smallest_impact);
  }

  PatchForce force_of(const PlacedPair& pair, ConvexPatch patch, const StepBounds& bounds,
                      std::uint64_t key, const ContactMemory& memory) const {
    GROUSER_ASSERT(dynamic_cast<const ConvexMemory*>(&memory));
    const ConvexTouch* touch = static_cast<const ConvexMemory&>(memory).find(key);
    if (touch && patch.area == 0.0) {
      const double share = std::sqrt(touch->hertz_radius / patch.hertz_radius);
      patch.normal_force *= share;
      patch.stiffness *= share;
      patch.friction_radius *= share;
    }
    const PatchMotion motion = approach(pair, patch);
    PatchForce out;
    press(pair, patch, bounds, impact_speed(touch, motion.depth_rate), out);
    if (out.normal > 0.0 && pair.surfaces.friction.acts())
      rub(pair, patch, bounds, motion, touch, out);
    if (def_.rolling_resistance > 0.0)
      out.torque_W -= def_.rolling_resistance * patch.hertz_radius * out.normal *
                      tanh_friction_per_speed(motion.rolling.norm(), def_.rolling_speed) *
                      motion.rolling;
    return out;
  }

  /// The normal force, and where it acts: the elastic one, and damping shared out among the points.
  /// Damping is a share of what is elastic, by the speed of approach, and takes energy only.
  void press(const PlacedPair& pair, const ConvexPatch& patch, const StepBounds& bounds,
             double impact_speed, PatchForce& out) const {
    GROUSER_ASSERT(patch.point_count > 0 && patch.normal_force > 0.0 && patch.hertz_radius > 0.0);
    out.softening = StepBounds::stiff(bounds.step, bounds.along, patch.stiffness);
    const double softened = patch.normal_force / out.softening;
    const double elastic = softened / patch.point_count;
    const double damping =
        pair.surfaces.damping / StepBounds::damped(bounds.step, bounds.along,
                                                   softened * pair.surfaces.damping / impact_speed);
    Vec3 moment = Vec3::Zero();  // of the forces about the centre, per normal
    for (int i = 0; i < patch.point_count; ++i) {
      const Vec3& point = patch.points[static_cast<std::size_t>(i)];
      const double rate = -parting_speed(pair, point, patch.normal_W);
      const double force = elastic * hunt_crossley_factor(damping, impact_speed, rate);
      out.normal += force;
      moment += force * (point - patch.center_W);
    }
    out.center_W = patch.center_W;
    out.force_W = out.normal * patch.normal_W;
    // What damping leaves of the force it leaves of the moment.
    out.torque_W = std::min(1.0, out.normal / softened) / out.softening * patch.torque_W +
                   moment.cross(patch.normal_W);
  }

  /// Friction against sliding and spinning: both share what mu F_n allows, a turn counting as what
  /// it slides at the patch's mean radius.
  void rub(const PlacedPair& pair, const ConvexPatch& patch, const StepBounds& bounds,
           const PatchMotion& motion, const ConvexTouch* touch, PatchForce& out) const {
    const DryFriction& friction = pair.surfaces.friction;
    const double radius = patch.friction_radius;
    if (friction.law != FrictionLaw::bristle) {
      const double speed = std::hypot(motion.sliding.norm(), radius * motion.spin);
      const double bare = friction_per_speed(friction, out.normal, speed);
      const double per_speed = bare / StepBounds::damped(bounds.step, bounds.across, bare);
      out.force_W -= per_speed * motion.sliding;
      out.torque_W -= per_speed * radius * radius * motion.spin * patch.normal_W;
      return;
    }
    const double mu_force = friction.sliding * out.normal;
    const double stroke = stroke_of(bounds, mu_force);
    const Stretch stretch = stretched(pair, patch, stroke, touch);
    Vec3 slide = (stretch.slip + def_.friction_damping * motion.sliding) / stroke;
    double turn = radius * (stretch.twist + def_.friction_damping * motion.spin) / stroke;
    const double share = std::max(1.0, std::hypot(slide.norm(), turn));
    slide /= share;
    turn /= share;
    GROUSER_ASSERT(!(std::hypot(slide.norm(), turn) > 1.0 + 1e-9));
    out.force_W -= mu_force * slide;
    out.torque_W -= mu_force * radius * turn * patch.normal_W;
  }

  /// How far bristles bend before they slide: softer ones, under a fixed step, farther.
  double stroke_of(const StepBounds& bounds, double mu_force) const {
    const double stiffness = mu_force / def_.stroke;
    return def_.stroke * std::max(StepBounds::stiff(bounds.step, bounds.across, stiffness),
                                  StepBounds::damped(bounds.step, bounds.across,
                                                     stiffness * def_.friction_damping));
  }

  /// Where the bristles are: where they were, carried along by both bodies alike, and what the
  /// bodies have moved against each other since; never longer than the stroke.
  Stretch stretched(const PlacedPair& pair, const ConvexPatch& patch, double stroke,
                    const ConvexTouch* touch) const {
    Stretch out;
    if (!touch) return out;
    const Pose &X_WA = pair.body_a.X_WB, &X_WB = pair.body_b.X_WB;
    const Vec3& n = patch.normal_W;
    const Pose X_BA_before{Eigen::Map<const Mat3>(touch->R_BA), vector_of(touch->p_BA)};
    const Pose X_BA = X_WB.inverse() * X_WA;
    // A round part rolls: it is watched from the other body.
    const bool from_a = rolls(pair.b) && !rolls(pair.a);
    const Vec3 center_A = X_WA.R.transpose() * (patch.center_W - X_WA.p);
    const Vec3 center_B = X_WB.R.transpose() * (patch.center_W - X_WB.p);
    const Displacement d =
        from_a ? displacement(X_BA_before.inverse(), X_BA.inverse(), pair.b.X_BS.p, center_A)
               : displacement(X_BA_before, X_BA, pair.a.X_BS.p, center_B);
    const Mat3& R_W = from_a ? X_WA.R : X_WB.R;
    const double sign = from_a ? -1.0 : 1.0;
    const Vec3 moved = sign * (R_W * d.shift), angle = sign * (R_W * d.turn);

    const Vec3 slip_A = vector_of(touch->stretch_A);
    Vec3 slip = 0.5 * (X_WA.R * slip_A + X_WB.R * vector_of(touch->stretch_B));
    slip -= n.dot(slip) * n;
    if (const double length = slip.norm(); length > 0.0) slip *= slip_A.norm() / length;
    out.slip = slip + moved - n.dot(moved) * n;
    out.twist = touch->twist + n.dot(angle);
    const double longest = std::hypot(out.slip.norm(), patch.friction_radius * out.twist) / stroke;
    if (longest > 1.0) {
      out.slip /= longest;
      out.twist /= longest;
    }
    return out;
  }

  /// How a body has moved, seen from another one.
  struct Displacement {
    Vec3 shift, turn;  // of its material at a point, and its rotation vector
  };
  /// The shift is that of `origin`, fixed to the body, and the turn about it: for a wheel and its
  /// axis that is what it has slid, however far it has rolled.
  static Displacement displacement(const Pose& before, const Pose& now, const Vec3& origin,
                                   const Vec3& point) {
    const Vec3 from = before * origin, to = now * origin;
    const Vec3 turn = rotation_vector(now.R * before.R.transpose());
    return {to - from + turn.cross(point - to), turn};
  }

  ConvexTouch touch_of(const PlacedPair& pair, const ConvexPatch& patch, const StepBounds& bounds,
                       std::uint64_t key, const ConvexMemory& memory) const {
    const ConvexTouch* before = memory.find(key);
    const double stroke =
        bounds.step > 0.0 ? stroke_of(bounds, pair.surfaces.friction.sliding *
                                                  force_of(pair, patch, bounds, key, memory).normal)
                          : def_.stroke;
    ConvexTouch touch;
    touch.key = key;
    touch.impact_speed = impact_speed(before, approach(pair, patch).depth_rate);
    touch.hertz_radius = before ? before->hertz_radius : patch.hertz_radius;
    GROUSER_ASSERT(touch.impact_speed > 0.0 && touch.hertz_radius > 0.0);
    const Stretch stretch = stretched(pair, patch, stroke, before);
    const Pose &X_WA = pair.body_a.X_WB, &X_WB = pair.body_b.X_WB;
    store(X_WA.R.transpose() * stretch.slip, touch.stretch_A);
    store(X_WB.R.transpose() * stretch.slip, touch.stretch_B);
    touch.twist = stretch.twist;
    store_pose(X_WB.inverse() * X_WA, touch);
    return touch;
  }

  static void store_pose(const Pose& X_BA, ConvexTouch& touch) {
    Eigen::Map<Mat3>(touch.R_BA) = X_BA.R;
    store(X_BA.p, touch.p_BA);
  }

  /// A located touch lies within rounding of depth 0 on either side. Apart the force is zero
  /// whatever is remembered, so arriving may count as touching a little early: still silent.
  void add_arrival(const PlacedPair& pair, const NearPair& near, const ConvexContact& contact,
                   ScratchList<ConvexTouch>& out) const {
    const double rate = -parting_speed(pair, 0.5 * (contact.p_WA + contact.p_WB), contact.normal_W);
    if (contact.depth < -kTouchDistance || rate <= 0.0) return;
    ConvexTouch touch;
    touch.key = near.key();
    touch.impact_speed = std::max(rate, def_.smallest_impact);
    touch.hertz_radius = point_radius(pair.a, pair.X_WA, pair.b, pair.X_WB, contact);
    store_pose(pair.body_b.X_WB.inverse() * pair.body_a.X_WB, touch);
    out.add(touch);
  }

  ConvexDef def_;
  ContactParts parts_;
};

}  // namespace

std::unique_ptr<ContactModel> ConvexDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  return std::make_unique<Convex>(*this, shapes);
}

}  // namespace grouser
