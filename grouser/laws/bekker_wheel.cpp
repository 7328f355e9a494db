#include "grouser/laws/bekker_wheel.h"

#include <cmath>
#include <limits>

#include "grouser/base/assert.h"

namespace grouser {

namespace {

/// 1 - (1 - exp(-q)) / q: share of the strength that a contact mobilises when shear displacement
/// grows along it to q times K. Divided by q: it has a limit at 0.
double mobilised_per_q(double q) {
  // The series errs by less than 2e-13 where it is used; the formula loses as little elsewhere.
  if (q < 3e-3) return 0.5 - q * (1.0 / 6.0 - q * (1.0 / 24.0 - q * (1.0 / 120.0)));
  return (1.0 + std::expm1(-q) / q) / q;
}

/// Depth that counts for forces: the sinkage, 0 in the air, smooth at the touch.
double touching_depth(double z) {
  return smooth_ramp(z, kTouchDepth);
}

/// A sinkage whose touching_depth is `depth`.
double sinkage_of_depth(double depth) {
  if (depth >= kTouchDepth) return depth;
  // q^2 (2 - q) = y rises on [0, 1].
  const double y = std::max(0.0, depth / kTouchDepth);
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double q = 0.5 * (low + high);
    (q * q * (2.0 - q) < y ? low : high) = q;
  }
  return high * kTouchDepth;
}

void set_bulldozing(BekkerWheel& out, const SoilDef& soil, double gravity) {
  const double phi = soil.friction_angle;
  const double c = soil.cohesion;
  const double gamma = soil.density * gravity;
  const double b = out.size.width;
  if (out.def.bulldozing == BekkerWheelDef::Bulldozing::rankine) {
    const double K_p = passive_coefficient(phi);
    out.bulldozing_1 = 2.0 * b * c * std::sqrt(K_p);
    out.bulldozing_2 = 0.5 * b * gamma * K_p;
  } else if (out.def.bulldozing == BekkerWheelDef::Bulldozing::hegedus) {
    const BearingFactors N = bearing_factors(phi);
    const double cos2 = std::cos(phi) * std::cos(phi);
    const double K_c = (N.N_c - out.tan_phi) * cos2;
    const double K_g = (2.0 * N.N_g_per_tan + 1.0) * cos2;
    out.bulldozing_1 = b * c * K_c;
    out.bulldozing_2 = 0.5 * b * gamma * K_g;
    const double l0 = 1.0 / passive_coefficient(phi);  // length of the heap over z
    out.heap_2 = c * l0 * l0 * (1.0 + std::tan(0.25 * kPi + 0.5 * phi));
    out.heap_3 = l0 * l0 * l0 * gamma * (0.5 * kPi - phi) / 3.0;
  }
}

/// Resistance of soil ahead at a depth that counts for forces.
double bulldozing_at(const BekkerWheel& wheel, double z) {
  const double ahead = z * (wheel.bulldozing_1 + wheel.bulldozing_2 * z);
  if (wheel.def.bulldozing != BekkerWheelDef::Bulldozing::hegedus) return ahead;
  // sin(a + phi) / (sin a cos phi) = 1 + cot(a) tan(phi) at the angle of approach a. The cotangent
  // is held finite at the touch, where the angle is 0.
  const double D = 2.0 * wheel.size.radius;
  const double x = contact_depth(z, wheel.size.radius) / D;
  const double sin2 = x * (1.0 - x);  // sin^2(a) / 4
  const double cot = (0.5 - x) * std::sqrt(sin2) / (sin2 + 1e-6 / D);
  return ahead * (1.0 + cot * wheel.tan_phi) + z * z * (wheel.heap_2 + wheel.heap_3 * z);
}

double contact_length_at(const BekkerWheel& wheel, double z) {
  const double r = wheel.size.radius;
  // acos(1 - 2 x) = 2 asin(sqrt(x)), without the difference.
  return 2.0 * r * std::asin(std::sqrt(contact_depth(z, r) / (2.0 * r)));
}

double full_thrust(const BekkerWheel& wheel, double normal, double length) {
  return wheel.cohesive_thrust * length + wheel.frictional_thrust * normal;
}

/// Larger of the speeds of rim and travel, never less than about kSlowSpeed: half of |a + b| +
/// |a - b| of the two vectors.
double larger_speed(double rim, const WheelMotion& motion) {
  const double across = motion.lateral * motion.lateral + kSlowSpeed * kSlowSpeed;
  const double sum = rim + motion.forward;
  const double difference = rim - motion.forward;
  return 0.5 * (std::sqrt(sum * sum + across) + std::sqrt(difference * difference + across));
}

/// What soil beside the wheel adds. It is pushed aside as in steady motion, since nothing
/// remembers.
WallForce wall_at(const BekkerWheel& wheel, const WheelMotion& motion, double z, double normal) {
  const double r = wheel.size.radius, depth = contact_depth(z, r);
  const double length = std::sqrt(depth * (2.0 * r - depth));
  const double passing = std::sqrt(motion.forward * motion.forward + kSlowSpeed * kSlowSpeed);
  const double displaced = displaced_steadily(wheel.walls, motion.lateral, passing, length);
  return wall_force(wheel.walls, motion, {displaced, 0.0}, depth, length, normal);
}

double yaw_torque(const BekkerWheel& wheel, double yaw, double length, double full, double speed) {
  const double end = 0.5 * yaw * length;  // speed of the ends of the contact
  const double slip = end / std::sqrt(speed * speed + end * end);
  const double q = length / wheel.shear_modulus;
  const double share = mobilised_per_q(std::abs(slip) * q) * q * slip;
  return -full * scrub_arm(length, wheel.size.width) * share;
}

}  // namespace

const ParameterTable<BekkerWheelDef>& bekker_wheel_parameters() {
  using Def = BekkerWheelDef;
  static const auto table =
      ParameterTable<Def>()
          .choice("bulldozing", &Def::bulldozing, {"none", "hegedus", "rankine"},
                  "soil pushed ahead: not counted, by Hegedus, or as Rankine's passive pressure")
          .number("rolling_friction", &Def::rolling_friction, "", within(0.0, 1.0),
                  "resistance per normal force, beside that of the soil")
          .number("damping_ratio", &Def::damping_ratio, "", non_negative(),
                  "of the wheel that springs up and down on its soil; 1: critical")
          .number("rest_speed", &Def::rest_speed, "m/s", positive(),
                  "of travel, below which resistance fades");
  return table;
}

BearingFactors bearing_factors(double phi) {
  GROUSER_ASSERT(phi >= 0.0 && phi < 0.5 * kPi);
  BearingFactors out;
  const double t = std::tan(phi);
  const double exponent = 2.0 * (0.75 * kPi - 0.5 * phi) * t;
  const double twice_cos2 = 1.0 - std::sin(phi);  // 2 cos^2(45 deg + phi / 2)
  out.N_q = std::exp(exponent) / twice_cos2;
  // (N_q - 1) / tan phi by what does not cancel; 3 pi / 2 + 1 at phi = 0.
  const double first = phi > 0.0 ? std::expm1(exponent) / t : 1.5 * kPi;
  const double second = std::cos(phi);  // sin phi / tan phi
  out.N_c = (first + second) / twice_cos2;
  out.N_g_per_tan = 2.0 * (out.N_q + 1.0) / (1.0 + 0.4 * std::sin(4.0 * phi));
  return out;
}

BekkerWheel make_bekker_wheel(const BekkerWheelDef& def, const SoilDef& soil, const WheelSize& size,
                              double gravity) {
  BekkerWheel out;
  out.def = def;
  out.size = size;
  out.gravity = gravity;
  const double b = size.width;
  const double k = pressure_modulus(soil, b, gravity);
  out.n = soil.n;
  GROUSER_ASSERT(soil.n < 3.0 && gravity >= 0.0 && b > 0.0);
  out.normal = bekker_stiffness(soil, size, gravity);
  out.compaction = b * k / (soil.n + 1.0);
  out.tan_phi = std::tan(soil.friction_angle);
  const WheelTreadStrength tread = tread_of(soil, size, gravity);
  out.shear_modulus = soil.shear_modulus * tread.shear_modulus;
  out.cohesive_thrust = b * (soil.cohesion * tread.along.cohesion + tread.along.weight);
  out.frictional_thrust = out.tan_phi * tread.along.friction;
  out.side_thrust = tread.across / tread.along.friction;
  set_bulldozing(out, soil, gravity);
  MovedSoilDef moved;
  moved.heap = 0.0;
  out.walls = make_wheel_walls(moved, soil, size, gravity, out.shear_modulus);
  return out;
}

double bekker_normal_force(const BekkerWheel& wheel, double z) {
  return wheel.normal * std::pow(touching_depth(z), wheel.n + 0.5);
}

double bekker_sinkage(const BekkerWheel& wheel, double load) {
  if (load <= 0.0) return 0.0;
  if (wheel.normal <= 0.0) return std::numeric_limits<double>::infinity();
  return sinkage_of_depth(std::pow(load / wheel.normal, 1.0 / (wheel.n + 0.5)));
}

double bekker_contact_length(const BekkerWheel& wheel, double z) {
  return contact_length_at(wheel, touching_depth(z));
}

double compaction_resistance(const BekkerWheel& wheel, double z) {
  return wheel.compaction * std::pow(touching_depth(z), wheel.n + 1.0);
}

double bulldozing_resistance(const BekkerWheel& wheel, double z) {
  return bulldozing_at(wheel, touching_depth(z));
}

double bekker_thrust(const BekkerWheel& wheel, double normal, double length, double slip) {
  const double q = slip * length / wheel.shear_modulus;
  return full_thrust(wheel, normal, length) * mobilised_per_q(q) * q;
}

WheelForce bekker_force(const BekkerWheel& wheel, const WheelMotion& motion) {
  WheelForce out;
  const double z = touching_depth(motion.sinkage);
  if (z <= 0.0) return out;
  const double power = std::pow(z, wheel.n + 0.5);
  const double damping = sinking_damping(wheel.def.damping_ratio, wheel.n + 0.5, wheel.gravity, z);
  out.normal = wheel.normal * power * sinking_factor(damping, motion.sinkage_rate);
  out.length = contact_length_at(wheel, z);
  GROUSER_ASSERT(!(out.normal < 0.0) && !(out.length < 0.0));

  // Shear, along the slip vector.
  const double rim = motion.spin * wheel.size.shear_radius();
  const double speed = larger_speed(rim, motion);
  const Vec2 slip((rim - motion.forward) / speed, -motion.lateral / speed);
  const double per_slip = out.length / wheel.shear_modulus;
  const Vec2 share = mobilised_per_q(slip.norm() * per_slip) * per_slip * slip;
  const double full = full_thrust(wheel, out.normal, out.length);
  out.thrust = full * share.x();
  const WallForce wall = wall_at(wheel, motion, z, out.normal);
  out.torque = wheel.size.shear_radius() * out.thrust + wall.torque;
  out.side = wheel.side_thrust * full * share.y() + wall.side;
  out.yaw_torque = yaw_torque(wheel, motion.yaw, out.length, full, speed);

  // What holds travel back.
  const double ahead = wheel.compaction * power * std::sqrt(z) + bulldozing_at(wheel, z);
  const double resistance = bounded_resistance(ahead, out.normal, z, wheel.size.radius) +
                            wheel.def.rolling_friction * out.normal;
  out.drawbar =
      out.thrust + wall.drawbar - resistance * std::tanh(motion.forward / wheel.def.rest_speed);
  return out;
}

SteadyWheel bekker_steady(const BekkerWheel& wheel, const SteadyQuery& query) {
  SteadyWheel out;
  WheelMotion motion = steady_motion(query, wheel.size);
  motion.sinkage = out.sinkage = bekker_sinkage(wheel, query.load);
  out.carried = out.sinkage <= wheel.size.radius;
  if (!out.carried) return out;
  const WheelForce force = bekker_force(wheel, motion);
  out.drawbar = force.drawbar;
  out.side = force.side;
  out.torque = force.torque;
  return out;
}

}  // namespace grouser
