#include "grouser/laws/rheological.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "grouser/base/random.h"

namespace grouser {
namespace {

using Mode = RheologicalMemory::Mode;

SoilDef loose_sand() {
  SoilDef soil;
  soil.k_phi = 2.4e6;
  soil.n = 1.1;
  soil.friction_angle = 0.55;
  return soil;
}

const WheelSize kSmallWheel{0.15, 0.1};
constexpr double kNominalLoad = 80.0, kGravity = 9.81;

RheologicalWheel wheel_of(RheologicalDef def = {}) {
  def.nominal_load = kNominalLoad;
  return make_rheological_wheel(def, loose_sand(), kSmallWheel, kGravity);
}

/// A locked wheel with a mass on level ground that a force pulls along, in small steps.
struct Sled {
  RheologicalWheel wheel;
  WheelMotion motion = {};
  std::vector<double> states = std::vector<double>(RheologicalWheel::kStates, 0.0);
  RheologicalMemory memory = {};
  double mass = kNominalLoad / kGravity, time = 0.0, x = 0.0;
  WheelForce force = {};

  explicit Sled(const RheologicalWheel& w) : wheel(w) {
    motion.sinkage = rheological_steady(wheel, {kNominalLoad, 0.0}).sinkage;
    states[0] = motion.sinkage - kNominalLoad / wheel.k_e;
  }
  void step(double pull, double h) {
    double rates[RheologicalWheel::kStates];
    force = rheological_force(wheel, motion, states, memory, rates);
    motion.forward += h * (pull + force.drawbar) / mass;
    motion.sinkage_rate += h * ((kNominalLoad - force.normal) / mass - 60.0 * motion.sinkage_rate);
    motion.sinkage += h * motion.sinkage_rate;
    x += h * motion.forward;
    for (std::size_t k = 0; k < states.size(); ++k) states[k] += h * rates[k];
    time += h;
    rheological_commit(wheel, motion, time, states, memory);
  }
};

TEST(RheologicalWheel, SinksToItsNominalSinkage) {
  RheologicalDef def;
  def.nominal_sinkage = 0.012;
  const RheologicalWheel wheel = wheel_of(def);
  EXPECT_NEAR(wheel.k_p, kNominalLoad / 0.012, 1e-9);
  // Lengths are smoothed over 1e-6 m, on an elastic line 15 times as stiff.
  EXPECT_NEAR(rheological_steady(wheel, {kNominalLoad, 0.2}).sinkage, 0.012, 1e-5);
  // Without a sinkage, that of Bekker's formula.
  const double k = 2.4e6, b = 0.1, n = 1.1, D = 0.3;
  const double z =
      std::pow(3.0 * kNominalLoad / ((3.0 - n) * b * k * std::sqrt(D)), 2.0 / (2.0 * n + 1.0));
  EXPECT_NEAR(wheel_of().k_p, kNominalLoad / z, 1e-6 * wheel_of().k_p);
}

TEST(RheologicalWheel, HoldsUpToTheStaticLimitAndNotBeyond) {
  RheologicalDef def;
  def.static_friction = 0.8;
  Sled sled(wheel_of(def));
  const double limit = 0.8 * kNominalLoad;
  // A slow ramp.
  double pull = 0.0;
  bool stuck = false;
  while (pull < 2.0 * limit) {
    pull += limit * 1e-5;
    sled.step(pull, 1e-4);
    if (sled.memory.mode == Mode::stick) stuck = true;
    if (stuck && sled.memory.mode == Mode::slip) break;
  }
  EXPECT_TRUE(stuck);
  EXPECT_NEAR(pull, limit, 0.01 * limit);
}

TEST(RheologicalWheel, ComesToRestAndStaysThere) {
  Sled sled(wheel_of());
  sled.motion.forward = 0.05;
  const double pull = 0.4 * sled.wheel.mu * kNominalLoad;
  for (int i = 0; i < 200000; ++i) sled.step(pull, 1e-4);
  EXPECT_EQ(sled.memory.mode, Mode::stick);
  const double x = sled.x;
  for (int i = 0; i < 100000; ++i) sled.step(pull, 1e-4);
  EXPECT_NEAR(sled.x, x, 1e-9);  // the controller has settled: only rounding is left
  EXPECT_NEAR(sled.force.drawbar, -pull, 1e-6 * pull);
  EXPECT_LE(sled.memory.most_in_window, 3);
}

TEST(RheologicalWheel, SlidesWithItsFrictionBeyondTheLimit) {
  Sled sled(wheel_of());
  const double limit = sled.wheel.mu * kNominalLoad;
  for (int i = 0; i < 20000; ++i) sled.step(1.5 * limit, 1e-4);
  const double before = sled.motion.forward;
  for (int i = 0; i < 10000; ++i) sled.step(1.5 * limit, 1e-4);
  const double rolling = kNominalLoad * std::sqrt(sled.motion.sinkage / (2.0 * kSmallWheel.radius));
  EXPECT_NEAR((sled.motion.forward - before) * sled.mass, 0.5 * limit - rolling, 1e-3 * limit);
  EXPECT_EQ(sled.memory.mode, Mode::slip);
}

TEST(RheologicalWheel, SwitchesInSilence) {
  // At any state and in any mode: committing changes no force, whatever it decides.
  const RheologicalWheel wheel = wheel_of();
  Random random(3);
  int switches = 0;
  double rates[RheologicalWheel::kStates];
  for (int i = 0; i < 5000; ++i) {
    Sled sled(wheel);
    const double speed = std::pow(10.0, random.uniform(-6.0, -1.0));
    sled.motion.forward = speed * random.uniform(-1.0, 1.0);
    sled.motion.lateral = speed * random.uniform(-1.0, 1.0);
    for (std::size_t k = 1; k < 5; ++k)
      sled.states[k] = random.uniform(-1.0, 1.0) * (k < 3 ? 1e-2 : 1e-3);
    if (random.uniform(0.0, 1.0) < 0.5) sled.memory.mode = Mode::stick;
    sled.memory.slow_since = random.uniform(0.0, 1.0) < 0.5 ? 0.0 : -1.0;
    const WheelForce before =
        rheological_force(wheel, sled.motion, sled.states, sled.memory, rates);
    rheological_commit(wheel, sled.motion, 1.0, sled.states, sled.memory);
    const WheelForce after = rheological_force(wheel, sled.motion, sled.states, sled.memory, rates);
    EXPECT_NEAR(after.drawbar, before.drawbar, 1e-11 * kNominalLoad);
    EXPECT_NEAR(after.side, before.side, 1e-11 * kNominalLoad);
    switches += static_cast<int>(sled.memory.switches);
  }
  EXPECT_GT(switches, 500);  // the test has seen many
}

TEST(RheologicalWheel, EventsTellWhenItSwitches) {
  const RheologicalWheel wheel = wheel_of();
  Sled sled(wheel);
  double events[RheologicalWheel::kEvents];
  const auto ask = [&] {
    rheological_events(wheel, sled.motion, sled.time, sled.states, sled.memory, events);
  };
  sled.motion.forward = 2e-3;  // slips, faster than the lock speed of 1 mm/s
  ask();
  EXPECT_GT(events[0], 0.0);
  sled.motion.forward = 1e-4;
  ask();
  EXPECT_LT(events[0], 0.0);
  rheological_commit(wheel, sled.motion, sled.time, sled.states, sled.memory);
  ask();
  EXPECT_NEAR(events[1], wheel.def.dwell, 1e-15);  // now the dwell runs
  sled.time += wheel.def.dwell;
  ask();
  EXPECT_LE(events[1], 0.0);
  rheological_commit(wheel, sled.motion, sled.time, sled.states, sled.memory);
  EXPECT_EQ(sled.memory.mode, Mode::stick);
  ask();
  EXPECT_GT(events[0], 0.0);
  sled.states[1] += 2.0 * wheel.mu * kNominalLoad / wheel.k_P;  // stretched too far
  ask();
  EXPECT_LT(events[0], 0.0);
}

TEST(RheologicalWheel, CountsChatter) {
  const RheologicalWheel wheel = wheel_of();
  Sled sled(wheel);
  for (int i = 0; i < 30; ++i) {
    sled.memory.mode = Mode::stick;
    sled.states[1] = 1.0;  // far beyond the limit
    rheological_commit(wheel, sled.motion, 0.01 * i, sled.states, sled.memory);
  }
  EXPECT_EQ(sled.memory.switches, 30);
  EXPECT_GT(sled.memory.most_in_window, kChatter);
}

TEST(RheologicalWheel, IsFiniteAtItsLimits) {
  for (const auto law : {FrictionLaw::tanh, FrictionLaw::bengisu_akay}) {
    RheologicalDef def;
    def.friction_law = law;
    const RheologicalWheel wheel = wheel_of(def);
    double rates[RheologicalWheel::kStates];
    const std::vector<double> states(RheologicalWheel::kStates, 0.0);
    for (const double z : {-1.0, 0.0, 1e-12, 1e-6, 0.01, 0.15})
      for (const double v : {-1.0, -1e-12, 0.0, 1e-12, 1.0})
        for (const Mode mode : {Mode::slip, Mode::stick}) {
          WheelMotion motion;
          motion.sinkage = z;
          motion.forward = motion.lateral = v;
          RheologicalMemory memory;
          memory.mode = mode;
          const WheelForce f = rheological_force(wheel, motion, states, memory, rates);
          EXPECT_TRUE(std::isfinite(f.normal + f.drawbar + f.side + f.torque + f.yaw_torque));
          if (z <= 0.0) {
            EXPECT_EQ(f.normal, 0.0);
            EXPECT_EQ(f.drawbar, 0.0);
          }
        }
  }
}

}  // namespace
}  // namespace grouser
