// The model of all contact elements: a point or a segment against any of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/contact/elements.h"
#include "grouser/shape/elements.h"

namespace grouser {

/// On which side of a plate the other body is: +1 in front, -1 behind, 0 not known yet.
struct PlateMemory {
  double side = 0.0;
};
/// In which direction the first line lies from the second, in the frame of that; 0: not known yet.
struct LineMemory {
  std::array<double, 3> side = {0.0, 0.0, 0.0};
};

template <class Element>
constexpr bool kIsPlate = std::is_same_v<Element, Disc> || std::is_same_v<Element, Polygon> ||
                          std::is_same_v<Element, Frustum>;

template <class A, class B>
struct Remembered {
  using Type = std::conditional_t<kIsPlate<B>, PlateMemory, NoMemory>;
};
template <>
struct Remembered<Segment, Segment> {
  using Type = LineMemory;
};

/// What acts at one place.
struct ElementTouch {
  Vec3 p_WC = Vec3::Zero();
  Vec3 force_W = Vec3::Zero();  // on a
  double depth = 0.0;           // [m]
  double normal = 0.0;          // [N]
  double friction = 0.0;        // [N]
  double sliding = 0.0;         // [m/s]
};

/// What acts between two elements.
struct ElementLaws {
  PenaltyNormal normal;
  DryFriction friction;
};

/// Element a, a point or a segment, against element b. Frames: A and B the bodies, S that of b.
template <class A, class B>
class ElementContact final : public ContactModel {
 public:
  struct Parts {
    A a;  // in A
    B b;  // in S
    Pose X_BS;
    double radius_a, radius_b;
    PlateSide side = PlateSide::both;
    std::vector<std::string> bodies;
  };

  ElementContact(const ElementLaws& laws, Parts parts)
      : parts_(std::move(parts)),
        is_placed_(!(parts_.X_BS == Pose{})),
        reach_(parts_.radius_a + parts_.radius_b),
        normal_law_(laws.normal),
        friction_law_(laws.friction) {
    GROUSER_ASSERT(reach_ >= 0.0 && friction_law_.speed < friction_law_.slip_speed);
  }

  std::vector<std::string> body_names() const override { return parts_.bodies; }
  std::unique_ptr<ContactMemory> make_memory() const override { return std::make_unique<Memory>(); }

  // Flat: calls of short vector functions would take longer than what they do.
  [[gnu::flatten]] Status evaluate(const ContactInput& in, const ContactMemory& memory, Scratch&,
                                   ContactOutput& out) const override {
    GROUSER_ASSERT(in.bodies.size() == 2 && out.wrenches.size() == 2);
    Pose placed;
    const Pose& X_WS = is_placed_ ? (placed = in.bodies[1].X_WB * parts_.X_BS) : in.bodies[1].X_WB;
    WitnessPairs places;
    find_places(in, memory, X_WS, places);
    const Twist V_WBA = relative_twist(in);
    Wrench on_a;
    double depth = 0.0;
    for (const WitnessPair& place : places) {
      if (place.gap >= reach_) continue;  // NaN goes on, to be refused
      const ElementTouch touch = touch_at(place, X_WS, in.bodies[0].X_WB.p, V_WBA);
      on_a.add_force_at(touch.p_WC - in.bodies[0].X_WB.p, touch.force_W);
      depth = std::max(depth, touch.depth);
    }
    out.wrenches[0] = on_a;
    out.wrenches[1] = -on_a.moved_by(in.bodies[1].X_WB.p - in.bodies[0].X_WB.p);
    out.penetration = depth;
    return std::isfinite(on_a.force.sum() + on_a.torque.sum()) ? Status::ok : Status::impossible;
  }

  /// Geometry only changes a side where the force does not notice.
  void commit(const ContactInput& in, ContactMemory& memory, Scratch&) const override {
    if constexpr (!std::is_same_v<Remember, NoMemory>) {
      const A a = a_in_S(in, in.bodies[1].X_WB * parts_.X_BS);
      Remember& kept = static_cast<Memory&>(memory).value;
      if constexpr (kIsPlate<B>)
        if (parts_.side != PlateSide::both && is_known(kept.side)) {
          kept.side = next_of_one_sided(a, kept.side);
          return;
        }
      kept = remember(next_side(a, parts_.b, approach_of(kept)));
    }
  }

  std::size_t event_count() const override { return 1; }
  std::vector<ReportChannel> event_channels() const override {
    return {{"touch", "m", "gap between the two, negative where they overlap"}};
  }
  void event_functions(const ContactInput& in, const ContactMemory& memory, Scratch&,
                       std::span<double> out) const override {
    const Pose X_WS = in.bodies[1].X_WB * parts_.X_BS;
    WitnessPairs places;
    if (!find_places(in, memory, X_WS, places))
      out[0] = 1.0;  // on the side that cannot be touched
    else if (const double gap = places.smallest_gap(); gap < reach_)
      out[0] = gap - reach_;
    else
      out[0] = distance_between(a_in_S(in, X_WS), parts_.b) - reach_;
  }

  std::vector<ReportChannel> report_channels() const override {
    return {{"penetration", "m", "greatest depth"},
            {"normal_force", "N", "sum over all places"},
            {"friction_force", "N", "sum over all places"},
            {"sliding_speed", "m/s", "where it is deepest"},
            {"elastic_energy", "J", "stored in the contact"}};
  }

  void report(const ContactInput& in, const ContactMemory& memory, Scratch&,
              ContactReport& out) const override {
    const Pose X_WS = in.bodies[1].X_WB * parts_.X_BS;
    WitnessPairs places;
    find_places(in, memory, X_WS, places);
    out.patch.clear();
    const Twist V_WBA = relative_twist(in);
    ElementTouch deepest;
    double normal = 0.0, friction = 0.0, energy = 0.0;
    for (const WitnessPair& place : places) {
      if (place.gap >= reach_) continue;  // NaN goes on, to be refused
      const ElementTouch touch = touch_at(place, X_WS, in.bodies[0].X_WB.p, V_WBA);
      if (touch.depth > deepest.depth) deepest = touch;
      normal += touch.normal;
      friction += touch.friction;
      energy += place.share * penalty_energy(normal_law_, touch.depth);
      const int index = static_cast<int>(&place - places.begin());
      out.patch.push_back({touch.p_WC, touch.force_W, touch.depth, 0.0, index});
    }
    out.channels = {deepest.depth, normal, friction, deepest.sliding, energy};
  }

 private:
  using Remember = typename Remembered<A, B>::Type;
  using Memory = PlainMemory<Remember>;
  static constexpr bool kLines = std::is_same_v<Remember, LineMemory>;

  A a_in_S(const ContactInput& in, const Pose& X_WS) const {
    const auto in_S = [&](const Vec3& p_A) -> Vec3 {
      return X_WS.R.transpose() * (in.bodies[0].X_WB * p_A - X_WS.p);
    };
    if constexpr (std::is_same_v<A, Segment>)
      return {in_S(parts_.a.from), in_S(parts_.a.to)};
    else
      return in_S(parts_.a);
  }

  // Between what geometry asks and what is remembered.

  auto approach_of(const Remember& kept) const {
    if constexpr (kLines)
      return SegmentApproach{reach_, Vec3(kept.side[0], kept.side[1], kept.side[2])};
    else if constexpr (kIsPlate<B>)
      return Approach{reach_, kept.side};
    else
      return Approach{reach_};
  }
  static LineMemory remember(const Vec3& side) { return {{side.x(), side.y(), side.z()}}; }
  static PlateMemory remember(double side) { return {side}; }
  static bool is_known(const Vec3& side) { return side != Vec3::Zero(); }
  static bool is_known(double side) { return side != 0.0; }

  /// Whether a plate lets pass what is on that side.
  bool passes(double side) const {
    return (parts_.side == PlateSide::front && side < 0.0) ||
           (parts_.side == PlateSide::back && side > 0.0);
  }

  /// The side to remember of a plate that lets pass what is on one of them: it changes where
  /// nothing acts before and after, also when something has passed.
  double next_of_one_sided(const A& a, double side) const {
    const auto acts = [&](double from) {
      if (passes(from)) return false;
      WitnessPairs places;
      find_near(a, parts_.b, Approach{reach_, from}, places);
      return places.smallest_gap() < reach_;
    };
    const double now = next_side(a, parts_.b, Approach{reach_, 0.0});
    return now == side || acts(side) || acts(now) ? side : now;
  }

  /// All places where the two are near, in S. False if a is on a side that cannot be touched.
  bool find_places(const ContactInput& in, const ContactMemory& memory, const Pose& X_WS,
                   WitnessPairs& places) const {
    const A a = a_in_S(in, X_WS);
    GROUSER_ASSERT(dynamic_cast<const Memory*>(&memory));
    auto approach = approach_of(static_cast<const Memory&>(memory).value);
    if constexpr (!std::is_same_v<Remember, NoMemory>)
      if (!is_known(approach.side)) approach.side = next_side(a, parts_.b, approach);
    if constexpr (kIsPlate<B>)
      if (passes(approach.side)) return false;
    find_near(a, parts_.b, approach, places);
    return true;
  }

  /// Where the force acts, in S: halfway between the surfaces. The force on a point goes through
  /// it, whatever the normal.
  Vec3 point_of(const WitnessPair& place, double depth) const {
    if constexpr (kLines) return point_between(place, parts_.radius_a, parts_.radius_b);
    return place.on_a + (0.5 * depth - parts_.radius_a) * place.normal;
  }

  /// How A moves as seen from B: about the origin of A, in W.
  static Twist relative_twist(const ContactInput& in) {
    const BodyKinematics &a = in.bodies[0], &b = in.bodies[1];
    return {a.V_WB.w - b.V_WB.w, a.V_WB.v - b.V_WB.at(a.X_WB.p - b.X_WB.p)};
  }

  ElementTouch touch_at(const WitnessPair& place, const Pose& X_WS, const Vec3& p_WA,
                        const Twist& V_WBA) const {
    ElementTouch out;
    out.depth = reach_ - place.gap;
    GROUSER_ASSERT(!(out.depth <= 0.0) && std::abs(place.share) <= 1.0);
    out.p_WC = X_WS * point_of(place, out.depth);
    const Vec3 n_W = X_WS.R * place.normal;
    const Vec3 v_W = V_WBA.at(out.p_WC - p_WA);
    const double approach_speed = -n_W.dot(v_W);  // the rate of the depth

    const double force = place.share * penalty_force(normal_law_, out.depth, approach_speed);
    out.force_W = force * n_W;

    // The length of n is not 1 where a direction vanishes, and at a lip.
    const double length2 = n_W.squaredNorm();
    const bool is_unit = std::abs(length2 - 1.0) < 1e-12;  // rounding; saves a root and a division
    out.normal = is_unit ? force : force * std::sqrt(length2);
    if (friction_law_.acts() && length2 > 0.0) {
      const double along_n = is_unit ? approach_speed : approach_speed / length2;
      const Vec3 sliding_W = v_W + along_n * n_W;
      const double squared = sliding_W.squaredNorm();
      out.sliding = std::sqrt(squared);
      const double per_speed = friction_per_speed(friction_law_, out.normal, out.sliding, squared);
      out.force_W -= per_speed * sliding_W;
      out.friction = per_speed * out.sliding;
    }
    return out;
  }

  Parts parts_;
  bool is_placed_;  // away from the frame of its body, which costs a product of poses
  double reach_;
  PenaltyNormal normal_law_;
  DryFriction friction_law_;
};

}  // namespace grouser
