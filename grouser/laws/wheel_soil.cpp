#include "grouser/laws/wheel_soil.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/smooth.h"

namespace grouser {

const ParameterTable<MovedSoilDef>& moved_soil_parameters() {
  using Def = MovedSoilDef;
  static const auto table =
      ParameterTable<Def>()
          .number("slip_sinkage", &Def::slip_sinkage, "", within(0.0, 20.0),
                  "how much deeper a wheel stands whose soil is sheared in full, as a share of its "
                  "sinkage without slip; on a bare wheel, grousers make it more")
          .number("skid_sinkage", &Def::skid_sinkage, "", within(0.0, 20.0),
                  "besides, of a locked wheel, which pushes a heap ahead; grows as skid cubed")
          .number("slip_reach", &Def::slip_reach, "", {.lower = 0.01, .upper = 10.0},
                  "length of the slip vector at which 63 % of slip_sinkage are there")
          .number("heap", &Def::heap, "", within(0.0, 2.0),
                  "height of the soil ahead of a locked wheel, over its sinkage")
          .number("side_wall", &Def::side_wall, "", non_negative(),
                  "factor of the passive pressure on the side of the wheel and of the heap");
  return table;
}

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
  const double squared = forward * forward + lateral * lateral + kSlow;
  const double travel = std::sqrt(squared), ahead = std::sqrt(forward * forward + kSlow);
  const double turning = std::sqrt(rim * rim + kSlow);
  const double apart = travel - turning;
  const double larger = 0.5 * (travel + turning + std::sqrt(apart * apart + kSlow));
  const double along = rim - forward;
  const double rolled = ahead - smooth_positive(ahead - turning, kSlowSpeed);
  return {(along * along + lateral * lateral) / (larger * larger),
          std::max(0.0, 1.0 - rolled * ahead / squared)};
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

SlipSinkage make_slip_sinkage(const MovedSoilDef& def, const WheelTreadStrength& tread,
                              double exponent) {
  GROUSER_ASSERT(exponent > 0.0 && tread.weaker >= 1.0);
  return {(1.0 + def.slip_sinkage) * std::pow(tread.weaker, 1.0 / exponent) - 1.0, def.skid_sinkage,
          def.slip_reach};
}

WheelWalls make_wheel_walls(const MovedSoilDef& def, const SoilDef& soil, const WheelSize& size,
                            double gravity, double K) {
  GROUSER_ASSERT(K > 0.0);
  SideWall wall = passive_wall(soil, size.wall_friction, gravity);
  wall.linear *= def.side_wall;
  wall.quadratic *= def.side_wall;
  return {wall,
          passive_ends(soil, size.wall_friction),
          size.radius,
          size.width,
          def.heap,
          std::tan(soil.friction_angle) * size.wall_friction,
          K};
}

double displaced_rate(const WheelWalls& walls, const WheelMotion& motion, double length,
                      double displaced) {
  const Vec2 pushed = shear_rate(Vec2(0.0, -motion.lateral), Vec2(0.0, displaced), walls.K);
  return pushed.y() - smooth_absolute(motion.forward, kSlowSpeed) / length * displaced;
}

double displaced_steadily(const WheelWalls& walls, double lateral, double passing, double length) {
  if (lateral == 0.0) return 0.0;
  const double most = 12.0 * walls.K * passing;
  if (std::abs(lateral) * length < most) return -lateral * length / passing;
  return std::copysign(12.0 * walls.K, -lateral);
}

WallForce wall_force(const WheelWalls& walls, const WheelMotion& motion, const WallState& state,
                     double depth, double length, double normal) {
  const double heap = walls.heap * state.skid * depth, high = depth + heap;
  const auto held = [&](double force, double wide) {
    return faded((1.0 + walls.ends * high / (high + 5.0 * wide)) * force, normal);
  };
  const double share = janosi_vector(Vec2(0.0, state.displaced), walls.K).y();
  const double wall = held(walls.wall.along(2.0 * length, high), 2.0 * length);
  WallForce out;
  out.side = wall * share;

  // The wall slides on the soil as its rim turns and the wheel travels: where pressure acts in the
  // mean, 3/7 of the depth above the lowest point, and half of it as far ahead and behind as
  // length / sqrt(7), where the wall goes down and up.
  constexpr double kRest = kWallSpeed * kWallSpeed, kSmoothShare = 1e-2;
  const double arm = walls.radius - 3.0 / 7.0 * depth;
  const double along = motion.spin * arm - motion.forward;
  const double squared = motion.spin * motion.spin * length * length / 7.0;
  const double rubbed = walls.friction * wall * smooth_absolute(share, kSmoothShare) /
                        std::sqrt(along * along + squared + kRest);
  out.torque = rubbed * (along * arm + motion.spin * length * length / 7.0);

  // The heap lies before the whole width, unless soil passes it sideways before it is pushed ahead.
  const double front =
      held(walls.width * walls.wall.quadratic * heap * (2.0 * depth + heap), walls.width);
  const double aside = 2.0 * walls.K / walls.width * motion.lateral;
  out.drawbar =
      rubbed * along -
      front * motion.forward / std::sqrt(motion.forward * motion.forward + aside * aside + kRest);
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
