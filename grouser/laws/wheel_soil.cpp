#include "grouser/laws/wheel_soil.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/smooth.h"

namespace grouser {

double slip_of(double rim, double forward) {
  const double fastest = std::max(std::abs(rim), std::abs(forward));
  return fastest > 0.0 ? (rim - forward) / fastest : 0.0;
}

double smooth_slip(double rim, double forward, double slow) {
  // The larger of two magnitudes is half of |a + b| + |a - b|.
  const double larger = 0.5 * (std::sqrt((rim + forward) * (rim + forward) + slow * slow) +
                               std::sqrt((rim - forward) * (rim - forward) + slow * slow));
  return (rim - forward) / larger;
}

WheelMotion steady_motion(const SteadyQuery& query, const WheelSize& size) {
  GROUSER_ASSERT(std::abs(query.slip) <= 1.0 && size.shear_radius() > 0.0);
  WheelMotion motion;
  const double rim = query.slip >= 0.0 ? query.speed : query.speed * (1.0 + query.slip);
  motion.forward = query.slip >= 0.0 ? query.speed * (1.0 - query.slip) : query.speed;
  motion.lateral = motion.forward * std::tan(query.slip_angle);
  motion.spin = rim / size.shear_radius();
  motion.slope = query.slope;
  return motion;
}

Vec2 janosi_vector(const Vec2& j, double K) {
  GROUSER_ASSERT(K > 0.0);
  const double q = j.norm() / K;
  // (1 - exp(-q)) / q, by its series where that would cancel.
  const double per_q = q < 1e-5 ? 1.0 - 0.5 * q : -std::expm1(-q) / q;
  return per_q / K * j;
}

Vec2 shear_rate(const Vec2& v, const Vec2& j, double K) {
  GROUSER_ASSERT(K > 0.0);
  constexpr double kUsedUp = 10.0, kLimit = 12.0;  // [K]
  constexpr double kFastest = 10.0;                // of giving way, against v
  const double length = j.norm();
  if (length == 0.0) return v;
  const Vec2 along = j / length;
  const double q = length / K, pulled = v.dot(along);
  if (pulled >= 0.0) {
    if (q <= kUsedUp) return v;
    return v - smooth_positive(pulled, kSlowSpeed) *
                   smooth_step((q - kUsedUp) / (kLimit - kUsedUp)) * along;
  }
  const double grown = std::expm1(std::min(q, kLimit));
  const double faster = 2.0 * grown / (1.0 + 2.0 * grown / kFastest);
  return v - smooth_positive(-pulled, kSlowSpeed) * faster * along;
}

double bounded_resistance(double resistance, double normal, double depth, double radius) {
  GROUSER_ASSERT(!(resistance < 0.0) && !(depth < 0.0) && radius > 0.0);
  constexpr double kRounded = 0.3;
  const double most = normal * std::sqrt(2.0 * depth / radius);
  if (!(most > 0.0)) return 0.0;  // nor where soil carries nothing, and depth is no number
  return most - smooth_ramp(most - resistance, kRounded * most);
}

double faded(double force, double normal) {
  constexpr double kShare = 0.1;
  return force > 0.0 ? force * smooth_step(normal / (kShare * force)) : 0.0;
}

SideWall side_wall(const SoilDef& soil, double gravity) {
  GROUSER_ASSERT(soil.friction_angle >= 0.0 && soil.friction_angle < 0.5 * kPi);
  const double phi = soil.friction_angle;
  const double X = 0.25 * kPi - 0.5 * phi;
  const double cot = 1.0 / std::tan(X);
  const double D1 = cot + std::tan(X + phi);
  const double D2 = cot + cot * cot * std::tan(phi);
  return {D1 * soil.cohesion, 0.5 * D1 * D2 * soil.density * gravity};
}

SideWall passive_wall(const SoilDef& soil, double wall_friction, double gravity) {
  const PassivePressure passive = passive_pressure(soil, wall_friction, gravity);
  return {passive.at_top, 0.5 * passive.per_depth};
}

SlipVector slip_vector(double rim, double forward, double lateral) {
  constexpr double kSlow = kSlowSpeed * kSlowSpeed;
  const double travel = std::sqrt(forward * forward + lateral * lateral + kSlow);
  const double turning = std::sqrt(rim * rim + kSlow);
  const double apart = travel - turning;
  const double larger = 0.5 * (travel + turning + std::sqrt(apart * apart + kSlow));
  const double along = rim - forward;
  return {(along * along + lateral * lateral) / (larger * larger),
          smooth_positive(apart, kSlowSpeed) / larger};
}

double sheared_share(const SlipSinkage& law, const SlipVector& slip) {
  return -std::expm1(-slip.squared / (law.reach * law.reach));
}

double deeper_by_slip(const SlipSinkage& law, const SlipVector& slip) {
  GROUSER_ASSERT(law.reach > 0.0 && !(slip.squared < 0.0));
  return law.slip * sheared_share(law, slip) + law.skid * slip.skid * slip.skid * slip.skid;
}

double working_speed(double rim, double forward, double lateral) {
  const double squared = rim * rim + forward * forward + lateral * lateral;
  return squared / (std::sqrt(squared + kSlowSpeed * kSlowSpeed) + kSlowSpeed);
}

WheelTreadStrength tread_of(const SoilDef& soil, const WheelSize& size, double gravity) {
  WheelTreadStrength out;
  Grousers grousers{size.grouser_height, 0.0, size.width};
  // Without a number they stand as close as they are high.
  grousers.density = size.grouser_count > 0.0
                         ? size.grouser_count * size.grouser_height / (2.0 * kPi * size.radius)
                         : 1.0;
  const double smooth = size.wall_friction;
  out.along = tread_strength(soil, grousers, smooth, gravity);
  out.across = smooth;
  const double rough = std::min(1.0, out.along.friction);
  out.shear_modulus = std::max(1e-3, rough * rough * rough);
  out.weaker = std::max(1.0, bearing_factor(soil, smooth) / out.along.bearing);
  return out;
}

WallForce wall_force(const WheelWalls& walls, const WheelMotion& motion, const SlipVector& slip,
                     double depth, double length, double share, double normal) {
  const double speed = std::sqrt(motion.forward * motion.forward + motion.lateral * motion.lateral +
                                 walls.rest_speed * walls.rest_speed);
  const double heap = walls.heap * slip.skid * depth;
  const double wall = faded(walls.wall.along(2.0 * length, depth + heap), normal);
  const double pushed =
      faded(walls.width * walls.wall.quadratic * heap * (2.0 * depth + heap), normal);
  WallForce out;
  out.side = -wall * motion.lateral / speed;
  const double pressed = wall * smooth_absolute(motion.lateral, walls.rest_speed) / speed;
  out.drawbar = walls.friction * pressed * share - pushed * motion.forward / speed;
  return out;
}

double bekker_stiffness(const SoilDef& soil, const WheelSize& size, double gravity) {
  GROUSER_ASSERT(soil.n < 3.0 && size.width > 0.0 && size.radius > 0.0);
  return (3.0 - soil.n) / 3.0 * size.width * pressure_modulus(soil, size.width, gravity) *
         std::sqrt(2.0 * size.radius);
}

double scrub_arm(double length, double width) {
  return 0.25 * std::sqrt(length * length + width * width);
}

double weighing_gravity(double gravity) {
  constexpr double kEarth = 9.81;
  return gravity > 0.0 ? gravity : kEarth;
}

double passive_coefficient(double friction_angle) {
  const double root = std::tan(0.25 * kPi + 0.5 * friction_angle);
  return root * root;
}

}  // namespace grouser
