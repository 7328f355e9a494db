#include "grouser/laws/rheological.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/smooth.h"

namespace grouser {
namespace {

using Mode = RheologicalMemory::Mode;

constexpr double kLength = 1e-6;     // over which lengths are smoothed [m]
constexpr double kYield = 1e-8;      // the same of yielding, which would creep over longer ones [m]
constexpr double kGap = 1e-4;        // above the ground at which yielding is forgotten in full [m]
constexpr double kForget = 0.02;     // time in which it is [s]
constexpr double kFullShare = 0.05;  // of the nominal load at which damping counts in full
constexpr double kLeastLength = 5e-3;  // of the contact [m]
constexpr double kHold = 0.9;  // share of the static limit that may be needed to hold the wheel

/// Friction as it stands: what it could be and what it is.
struct Friction {
  double sliding = 0.0, limit = 0.0;  // mu F + c A, mu_s F + c A
  Vec2 u = Vec2::Zero();              // how the rim slides, in the direction of its force
  Vec2 wanted = Vec2::Zero();         // of a stuck wheel: before it is cut at the limit
  Vec2 force = Vec2::Zero();
};

Vec2 vector_of(const std::array<double, 2>& x) {
  return {x[0], x[1]};
}
std::array<double, 2> numbers_of(const Vec2& v) {
  return {v.x(), v.y()};
}

struct Normal {
  double force = 0.0, length = 0.0;
};

Normal normal_of(const RheologicalWheel& w, const WheelMotion& motion, double z_p) {
  Normal out;
  const double spring = w.k_e * smooth_positive(motion.sinkage - z_p, kLength);
  const double contact = smooth_step(spring / (kFullShare * w.nominal_load));
  out.force = std::max(0.0, spring + contact * w.d * motion.sinkage_rate);
  out.length = std::sqrt(2.0 * w.size.radius * smooth_positive(motion.sinkage, kLength) +
                         kLeastLength * kLeastLength);
  return out;
}

Vec2 friction_law(const RheologicalWheel& w, const Friction& f) {
  const double v_d = w.def.friction_speed;
  // Forces in the place of coefficients, since cohesion is part of them.
  const DryFriction forces{w.def.friction_law, f.sliding, f.limit, v_d, 10.0 * v_d, 1.0 / v_d};
  return friction_per_speed(forces, 1.0, f.u.norm()) * f.u;
}

Friction friction_of(const RheologicalWheel& w, const WheelMotion& motion, const Normal& normal,
                     std::span<const double> states, const RheologicalMemory& memory) {
  Friction out;
  const double cohesion = faded(w.c * w.size.width * normal.length, normal.force);
  out.sliding = w.mu * normal.force + cohesion;
  out.limit = w.mu_s * normal.force + cohesion;
  out.u = Vec2(motion.spin * w.size.shear_radius() - motion.forward, -motion.lateral);
  if (memory.mode == Mode::stick) {
    const Vec2 stretch = Vec2(states[1], states[2]) - vector_of(memory.anchor);
    const Vec2 integral = Vec2(states[3], states[4]) - vector_of(memory.integral);
    out.wanted = w.k_P * stretch + w.k_D * out.u + w.k_I * integral;
    const double size = out.wanted.norm();
    out.force = size > out.limit ? Vec2(out.limit / size * out.wanted) : out.wanted;
    GROUSER_ASSERT(!(out.force.norm() > out.limit * (1.0 + 1e-12)));
    return out;
  }
  out.force = friction_law(w, out);
  if (memory.leaving) {
    // From the force at breakaway over to the law, as it gets faster.
    const double v = out.u.norm(), from = memory.release_speed, over = w.def.lock_speed;
    const double left = std::exp(-std::max(0.0, v * v - from * from) / (over * over));
    out.force = left * out.limit * vector_of(memory.release) + (1.0 - left) * out.force;
  }
  return out;
}

/// Whether a slipping wheel is slow enough, and easy enough to hold, to stick.
bool could_stick(const RheologicalWheel& w, const Friction& f, const Normal& normal) {
  const double v = f.u.norm();
  const double stopping = w.mass * v * w.def.stick_frequency / (2.0 * kPi);
  return normal.force > 0.0 && v < w.def.lock_speed && f.force.norm() + stopping < kHold * f.limit;
}

void count_switch(double time, RheologicalMemory& memory) {
  ++memory.switches;
  if (time - memory.window_start > 1.0) {
    memory.window_start = time;
    memory.in_window = 0;
  }
  memory.most_in_window = std::max(memory.most_in_window, ++memory.in_window);
}

}  // namespace

const ParameterTable<RheologicalDef>& rheological_parameters() {
  using Def = RheologicalDef;
  static const auto table =
      ParameterTable<Def>()
          .number("nominal_load", &Def::nominal_load, "N", non_negative(),
                  "that the wheel usually carries; 0: that which presses it in by nominal_sinkage")
          .number("nominal_sinkage", &Def::nominal_sinkage, "m", non_negative(),
                  "under the nominal load; 0: that of a Bekker wheel, or a twentieth of the radius "
                  "if no load is given either")
          .number("elastic_ratio", &Def::elastic_ratio, "", {.lower = 1.0, .lower_open = true},
                  "stiffness of unloading / of loading")
          .number("damping_ratio", &Def::damping_ratio, "", non_negative(),
                  "of the wheel on its plastic spring; 1: critical")
          .number("yield_time", &Def::yield_time, "s", positive(), "in which the soil yields")
          .choice("friction_law", &Def::friction_law, friction_words(),
                  "of a slipping wheel: without or with a peak before it slides")
          .number("friction", &Def::friction, "", non_negative(),
                  "coefficient of wheel on soil; 0: tan(friction_angle) of the soil")
          .number("static_friction", &Def::static_friction, "", non_negative(),
                  "coefficient up to which it sticks; 0: friction")
          .number("friction_speed", &Def::friction_speed, "m/s", positive(),
                  "sliding speed at which friction is in force")
          .number("stick_frequency", &Def::stick_frequency, "rad/s", positive(),
                  "of a stuck wheel under its nominal load")
          .number("stick_damping", &Def::stick_damping, "", positive(), "of it; 1: critical")
          .number("stick_integral", &Def::stick_integral, "", within(0.0, 1.0),
                  "how fast a stuck wheel is led back to where it stuck; 0: not")
          .number("lock_speed", &Def::lock_speed, "m/s", positive(),
                  "sliding speed below which it may stick")
          .number("dwell", &Def::dwell, "s", non_negative(), "for so long")
          .number("rolling_resistance", &Def::rolling_resistance, "", non_negative(),
                  "factor of normal force sqrt(z / 2 r)")
          .number("rest_speed", &Def::rest_speed, "m/s", positive(),
                  "speed of travel below which rolling resistance fades");
  return table;
}

RheologicalWheel make_rheological_wheel(const RheologicalDef& def, const SoilDef& soil,
                                        const WheelSize& size, double gravity) {
  RheologicalWheel w;
  w.size = size;
  w.def = def;
  // Bekker's wheel: W = C z^(n + 1/2).
  const double C = bekker_stiffness(soil, size, gravity);
  const double m = soil.n + 0.5;
  double z_0 = def.nominal_sinkage;
  w.nominal_load = def.nominal_load;
  if (z_0 == 0.0)
    z_0 = w.nominal_load > 0.0 ? std::pow(w.nominal_load / C, 1.0 / m) : 0.05 * size.radius;
  if (w.nominal_load == 0.0) w.nominal_load = C * std::pow(z_0, m);
  GROUSER_ASSERT(z_0 > 0.0 && w.nominal_load >= 0.0);
  w.k_p = w.nominal_load / z_0;
  w.k_e = def.elastic_ratio * w.k_p;
  w.mass = w.nominal_load / weighing_gravity(gravity);
  w.d = 2.0 * def.damping_ratio * std::sqrt(w.k_p * w.mass);
  // The weaker of along and across would be safe, along is what drives.
  w.mu = def.friction > 0.0
             ? def.friction
             : std::tan(soil.friction_angle) * tread_of(soil, size, gravity).along.friction;
  w.mu_s = std::max(w.mu, def.static_friction);
  w.c = soil.cohesion;
  w.k_P = w.mass * def.stick_frequency * def.stick_frequency;
  w.k_D = 2.0 * def.stick_damping * w.mass * def.stick_frequency;
  w.k_I = def.stick_integral * w.k_P * def.stick_frequency;
  return w;
}

WheelForce rheological_force(const RheologicalWheel& w, const WheelMotion& motion,
                             std::span<const double> states, const RheologicalMemory& memory,
                             std::span<double> derivatives) {
  GROUSER_ASSERT(states.size() == w.kStates && derivatives.size() == w.kStates);
  const double z_p = states[0];
  const Normal normal = normal_of(w, motion, z_p);
  const Friction friction = friction_of(w, motion, normal, states, memory);

  const double z = smooth_positive(motion.sinkage, kLength);
  const double e = z - z * w.k_p / w.k_e - z_p;
  const double speed = smooth_absolute(motion.forward, kSlowSpeed);
  derivatives[0] = smooth_positive(e, kYield) / w.def.yield_time -
                   speed / normal.length * smooth_positive(-e, kYield) -
                   smooth_step(-motion.sinkage / kGap) / kForget * z_p;
  // Stretch and integral go on while the wheel is stuck and its force is not at the limit.
  const bool held = memory.mode == Mode::stick;
  const bool free = held && friction.wanted.norm() < friction.limit;
  derivatives[1] = held ? friction.u.x() : 0.0;
  derivatives[2] = held ? friction.u.y() : 0.0;
  derivatives[3] = free ? states[1] - memory.anchor[0] : 0.0;
  derivatives[4] = free ? states[2] - memory.anchor[1] : 0.0;

  const double rolling = w.def.rolling_resistance * normal.force *
                         std::sqrt(z / (2.0 * w.size.radius)) *
                         std::tanh(motion.forward / w.def.rest_speed);
  WheelForce out;
  out.normal = normal.force;
  out.thrust = friction.force.x();
  out.drawbar = friction.force.x() - rolling;
  out.side = friction.force.y();
  out.torque = w.size.shear_radius() * friction.force.x();
  // Turning on the spot scrubs.
  const double arm = scrub_arm(normal.length, w.size.width);
  out.yaw_torque = -friction.sliding * arm * std::tanh(motion.yaw * arm / w.def.friction_speed);
  out.length = normal.length;
  return out;
}

void rheological_commit(const RheologicalWheel& w, const WheelMotion& motion, double time,
                        std::span<const double> states, RheologicalMemory& memory) {
  const Normal normal = normal_of(w, motion, states[0]);
  const Friction f = friction_of(w, motion, normal, states, memory);
  GROUSER_ASSERT(states.size() == w.kStates && memory.slow_since <= time);
  if (memory.mode == Mode::stick) {
    constexpr double kReached = 1.0 - 1e-9;  // an event is found to rounding only
    if (f.wanted.norm() < kReached * f.limit && normal.force > 0.0) return;
    memory.mode = Mode::slip;
    memory.leaving = f.limit > 0.0;
    if (f.limit > 0.0) memory.release = numbers_of(f.force / f.limit);
    memory.release_speed = f.u.norm();
    memory.slow_since = -1.0;
    count_switch(time, memory);
    return;
  }
  // What is left of the breakaway is less than rounding.
  if (memory.leaving && f.u.norm() > 8.0 * w.def.lock_speed + memory.release_speed)
    memory.leaving = 0;
  if (!could_stick(w, f, normal)) {
    memory.slow_since = -1.0;
    return;
  }
  if (memory.slow_since < 0.0) memory.slow_since = time;
  if (time - memory.slow_since < w.def.dwell * (1.0 - 1e-9)) return;
  // It sticks where it is: the integral pulls just as the law did, or without one the spring.
  memory.mode = Mode::stick;
  memory.leaving = 0;
  const Vec2 pull = f.force - w.k_D * f.u;
  const Vec2 x(states[1], states[2]), sum(states[3], states[4]);
  memory.anchor = numbers_of(w.k_I > 0.0 ? x : Vec2(x - pull / w.k_P));
  memory.integral = numbers_of(w.k_I > 0.0 ? Vec2(sum - pull / w.k_I) : sum);
  memory.slow_since = -1.0;
  count_switch(time, memory);
}

void rheological_events(const RheologicalWheel& w, const WheelMotion& motion, double time,
                        std::span<const double> states, const RheologicalMemory& memory,
                        std::span<double> events) {
  const Normal normal = normal_of(w, motion, states[0]);
  const Friction f = friction_of(w, motion, normal, states, memory);
  GROUSER_ASSERT(states.size() == w.kStates && events.size() == w.kEvents);
  events[0] = memory.mode == Mode::stick ? (f.limit - f.wanted.norm()) / w.nominal_load
                                         : f.u.norm() / w.def.lock_speed - 1.0;
  events[1] = memory.mode == Mode::slip && memory.slow_since >= 0.0
                  ? memory.slow_since + w.def.dwell - time
                  : 1.0;
}

SteadyWheel rheological_steady(const RheologicalWheel& w, const SteadyQuery& query) {
  WheelMotion motion = steady_motion(query, w.size);
  const double z = query.load / w.k_p;
  motion.sinkage = z + 0.5 * kLength;
  const double states[RheologicalWheel::kStates] = {z - query.load / w.k_e, 0.0, 0.0, 0.0, 0.0};
  double derivatives[RheologicalWheel::kStates];
  const WheelForce f = rheological_force(w, motion, states, {}, derivatives);
  return {motion.sinkage, f.drawbar, f.side, f.torque, std::isfinite(motion.sinkage)};
}

}  // namespace grouser
