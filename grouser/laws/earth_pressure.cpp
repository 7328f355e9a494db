#include "grouser/laws/earth_pressure.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/laws/wheel_soil.h"

namespace grouser {

namespace {

/// Of soil on the surface [rad].
double wall_angle(const SoilDef& soil, double wall_friction) {
  GROUSER_ASSERT(wall_friction >= 0.0 && wall_friction <= 1.0);
  return std::atan(wall_friction * std::tan(soil.friction_angle));
}

/// Pressure on a surface per pressure on the free one, with a fan of slip lines between them that
/// turns by `turn` [rad].
double across_fan(const SoilDef& soil, double wall_friction, double turn) {
  const double wall = wall_angle(soil, wall_friction);
  const double s = std::sin(soil.friction_angle), d = std::sin(wall);
  if (!(s > 0.0)) return 1.0;
  return std::cos(wall) / (1.0 - s) * (std::cos(wall) + std::sqrt(std::max(0.0, s * s - d * d))) *
         std::exp(turn * std::tan(soil.friction_angle));
}

}  // namespace

double friction_turn(const SoilDef& soil, double wall_friction) {
  const double wall = wall_angle(soil, wall_friction), s = std::sin(soil.friction_angle);
  return s > 0.0 ? std::asin(std::min(1.0, std::sin(wall) / s)) + wall : 0.0;
}

double passive_coefficient(const SoilDef& soil, double wall_friction) {
  return across_fan(soil, wall_friction, friction_turn(soil, wall_friction));
}

double bearing_factor(const SoilDef& soil, double wall_friction) {
  return across_fan(soil, wall_friction, kPi - friction_turn(soil, wall_friction));
}

double face_factor(const SoilDef& soil, double wall_friction, double angle) {
  GROUSER_ASSERT(std::abs(angle) <= 0.5 * kPi);
  const double share = angle > 0.0 ? std::cos(2.0 * angle) : 1.0;
  return across_fan(soil, wall_friction,
                    kPi - 2.0 * angle - share * friction_turn(soil, wall_friction));
}

double passive_ends(const SoilDef& soil, double wall_friction) {
  const double passive = passive_coefficient(soil, wall_friction);
  const double active = 1.0 / passive_coefficient(soil, 0.0);
  return 1.6 * std::cbrt((passive - active) * (passive - active));
}

PassivePressure passive_pressure(const SoilDef& soil, double wall_friction, double gravity) {
  const double k = passive_coefficient(soil, wall_friction);
  const double tan_phi = std::tan(soil.friction_angle);
  PassivePressure out;
  // Corresponding states (Caquot 1934): cohesion is as a pressure of c cot(phi) all around. Without
  // friction it is 2 c, the limit of it.
  out.at_top = soil.cohesion * (tan_phi > 1e-6 ? (k - 1.0) / tan_phi : 2.0);
  out.per_depth = k * soil.density * gravity;
  return out;
}

TreadStrength tread_strength(const SoilDef& soil, const Grousers& grousers, double wall_friction,
                             double gravity) {
  GROUSER_ASSERT(grousers.height >= 0.0 && grousers.density >= 0.0 && grousers.width >= 0.0);
  TreadStrength out;
  out.cohesion = out.friction = wall_friction;
  out.bearing = bearing_factor(soil, wall_friction);
  out.turn = friction_turn(soil, wall_friction);
  if (grousers.height == 0.0 || grousers.density == 0.0) return out;
  const double tan_phi = std::tan(soil.friction_angle);
  // The block: sides of its height hold with cohesion, and with friction under pressure that
  // spreads (Bekker 1969).
  TreadStrength block;
  if (grousers.width > 0.0) {
    const double high = grousers.height / grousers.width;
    block.cohesion = 1.0 + 2.0 * high;
    block.friction = 1.0 + 0.64 * high * std::atan2(1.0, high);
  }
  block.level = 1.0;
  block.bearing = bearing_factor(soil, 1.0);
  block.turn = friction_turn(soil, 1.0);
  if (!(tan_phi > 0.0)) return block;
  // Wedges reach ahead by height tan(45 deg + phi / 2).
  const double covered =
      std::min(1.0, grousers.density * std::sqrt(passive_coefficient(soil.friction_angle)));
  const PassivePressure passive = passive_pressure(soil, wall_friction, gravity);
  TreadStrength wedges;
  wedges.friction = wall_friction * (1.0 - covered) +
                    grousers.density * passive_coefficient(soil, wall_friction) / tan_phi;
  wedges.cohesion = wall_friction * (1.0 - covered) +
                    (soil.cohesion > 0.0 ? grousers.density * passive.at_top / soil.cohesion : 0.0);
  wedges.weight = 0.5 * grousers.density * passive.per_depth * grousers.height;
  if (wedges.friction >= block.friction) return block;
  wedges.cohesion = std::min(wedges.cohesion, block.cohesion);
  wedges.bearing = bearing_factor(soil, std::min(1.0, wedges.friction));
  wedges.turn = friction_turn(soil, std::min(1.0, wedges.friction));
  wedges.level =
      std::clamp((wedges.friction - wall_friction) / (block.friction - wall_friction), 0.0, 1.0);
  return wedges;
}

}  // namespace grouser
