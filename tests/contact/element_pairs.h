// The nine pairs of contact elements, each where it just touches.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "grouser/contact/elements.h"
#include "grouser/contact/model_row.h"
#include "grouser/contact/world.h"

namespace grouser {

/// Shape a on body "a", shape b on body "b", which is at the origin.
struct ElementCase {
  std::string name;
  ElementPair pair;
  Geometry a, b;
  Pose X_WA;  ///< where the gap is the sum of the radii
  Vec3 away;  ///< in which direction a leaves
  const ElementPairNames& names() const { return kElementPairs[static_cast<std::size_t>(pair)]; }
};

inline void PrintTo(const ElementCase& one, std::ostream* out) {
  *out << one.name;
}

inline Pose at(const Vec3& p) {
  return {Mat3::Identity(), p};
}

/// Every pair on its plain part, and plates also at their rim.
inline std::vector<ElementCase> element_cases() {
  using P = ElementPair;
  const Geometry ball = SphereShape{0.03};
  const auto element = [](auto shape) { return Geometry(ElementShape(std::move(shape))); };
  const Vec3 z = Vec3::UnitZ(), slanted = Vec3(1.0, 0.0, 1.0).normalized();
  const Geometry rod = element(LineShape{Vec3(-0.2, 0, 0), Vec3(0.2, 0, 0), 0.01});
  const Geometry disc = element(DiscShape{0.25, 0.0, 0.005, PlateSide::both});
  const std::vector<Vec3> corner = {Vec3(0, 0, 0),     Vec3(0.4, 0, 0),   Vec3(0.4, 0.1, 0),
                                    Vec3(0.1, 0.1, 0), Vec3(0.1, 0.4, 0), Vec3(0, 0.4, 0)};
  const Geometry plate = element(PolygonShape{corner, 0.0, PlateSide::both});
  const Geometry wire = element(CurveShape{
      {Vec3(-0.3, 0, 0.1), Vec3(-0.1, 0, 0), Vec3(0.1, 0, 0), Vec3(0.3, 0, 0.1)}, false, 0.003});
  const Geometry wave =
      element(SplineShape{{Vec3(-0.2, 0, 0.02), Vec3(-0.1, 0, 0), Vec3(0, 0, -0.01),
                           Vec3(0.1, 0, 0), Vec3(0.2, 0, 0.02)},
                          SplineEnds::natural,
                          Vec3::Zero(),
                          Vec3::Zero(),
                          0.003});
  const Geometry funnel = element(FrustumShape{0.04, 0.24, 0.2, 0.0, PlateSide::both});
  const Geometry drum = element(FrustumShape{0.1, 0.1, 0.4, 0.0, PlateSide::both});
  // The wall of the funnel is at 45 degrees, so its inside looks to (-1, 1) in (radius, z).
  const Vec3 inward = Vec3(-1.0, 0.0, 1.0).normalized();
  // A rod with its ends along y.
  const Pose across{Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitZ()).toRotationMatrix(),
                    Vec3(0.11, 0, 0.2)};
  const Pose skew{Eigen::AngleAxisd(1.0, Vec3::UnitZ()).toRotationMatrix(), Vec3(0.03, 0.02, 0.02)};
  return {
      {"sphere_sphere", P::sphere_sphere, ball, SphereShape{0.1}, at(0.13 * slanted), slanted},
      {"sphere_line", P::sphere_line, ball, rod, at({0.05, 0, 0.04}), z},
      {"sphere_line_end", P::sphere_line, ball, rod, at(Vec3(0.2, 0, 0) + 0.04 * slanted), slanted},
      {"sphere_disc", P::sphere_disc, ball, disc, at({0.05, 0.02, 0.035}), z},
      {"sphere_disc_rim", P::sphere_disc, ball, disc, at(Vec3(0.25, 0, 0) + 0.035 * slanted),
       slanted},
      {"sphere_polygon", P::sphere_polygon, ball, plate, at({0.05, 0.05, 0.03}), z},
      {"sphere_polygon_edge", P::sphere_polygon, ball, plate,
       at(Vec3(0.4, 0.05, 0) + 0.03 * slanted), slanted},
      {"sphere_curve", P::sphere_curve, ball, wire, at({0.0, 0, 0.033}), z},
      {"sphere_spline", P::sphere_spline, ball, wave, at({0.0, 0, 0.023}), z},
      {"sphere_cone", P::sphere_cone, ball, funnel, at(Vec3(0.14, 0, 0.1) + 0.03 * inward), inward},
      {"line_line", P::line_line, rod, rod, skew, z},
      {"line_cone", P::line_cone, rod, drum, across, Vec3::UnitX()}};
}

/// Keys of a [[contact]] by name.
using ElementSettings = std::vector<std::pair<std::string, Value>>;

inline ContactWorldDef world_of(const ElementCase& one, const ElementSettings& settings = {}) {
  ContactWorldDef def;
  ShapeDef a, b;
  a.name = a.body = "a";
  a.geometry = one.a;
  b.name = b.body = "b";
  b.geometry = one.b;
  def.shapes = {a, b};
  Value keys;
  set_at_path(keys, std::string(one.names().first), Value("a"));
  set_at_path(keys, std::string(one.names().second), Value("b"));
  set_at_path(keys, "stiffness", Value(1e6));
  for (const auto& [key, value] : settings) set_at_path(keys, key, value);
  def.contacts.push_back(
      find_model(dry_models(), std::string(one.names().model), {}).read(keys, "contact"));
  return def;
}

/// The force on a where it is, with b at rest at the origin.
inline Vec3 force_on_a(ContactWorld& world, const Pose& X_WA, const Twist& V_WA = {}) {
  world.set_body(world.body("a"), {X_WA, V_WA});
  world.evaluate(0.0);
  return world.wrench(world.body("a")).force;
}

}  // namespace grouser
