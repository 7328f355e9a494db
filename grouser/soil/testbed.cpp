#include "grouser/soil/testbed.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "grouser/soil/testbed_steady.h"
#include "grouser/soil/tested_object.h"

namespace grouser {
namespace {

/// A weight that follows its load with strong damping, so that a test is quasi-static.
struct Weight {
  double load, mass, rate;  // rate of damping [1/s]
  double z, v = 0.0;

  void step(double force, double h) {
    // Semi-implicit: stable for any damping.
    v = (v + h * (force - load) / mass) / (1.0 + h * rate);
    z += h * v;
  }
};

constexpr double kDampingRate = 60.0;  // [1/s]

// A wheel stands at least so long, and at most so long if it still sinks [s].
constexpr double kLeastStanding = 1.0, kMostStanding = 10.0;
/// Over which it must stand still [s], and how well it must be carried for that.
constexpr double kStill = 0.1, kStillError = 2e-3;
/// How often steps are halved for a wheel that bounces.
constexpr int kHalvings = 3;

/// One wheel test with steps of one size.
class WheelTest {
 public:
  WheelTest(const TestbedDef& def, double steps_per_update, const TestbedProgress& progress)
      : def_(def),
        progress_(progress),
        bed_(def.soil, def.wheel, {def.model, def.settings, def.gravity, def.threads, def.place}),
        R_WH_(Eigen::AngleAxisd(def.heading, Vec3::UnitZ()).toRotationMatrix()),
        h_(def.soil.update_period / steps_per_update),
        weight_{def.load, def.load / 9.81, kDampingRate, bed_.touching()} {
    // The faster of rim and carriage has the given speed.
    rim_ = def.slip >= 0.0 ? def.speed : def.speed * (1.0 + def.slip);
    travel_ = def.slip >= 0.0 ? def.speed * (1.0 - def.slip) : def.speed;
    v_H_ = Vec3(travel_ * std::cos(def.slip_angle), travel_ * std::sin(def.slip_angle), 0.0);
    out_.axle_height = bed_.touching();
    out_.notes = bed_.notes();
  }

  enum class Standing { still, sinks, bounces, stopped };
  /// The load comes on while the wheel stands.
  Standing stand() {
    const auto window = static_cast<std::int64_t>(std::ceil(kStill / h_));
    while (true) {
      double sum = 0.0, error = 0.0;
      bool in_air = false;
      for (std::int64_t k = 0; k < window; ++k) {
        if (progress_ && !progress_(0.0)) return Standing::stopped;
        const Wrench F = ask(0.0, false);
        sum += F.force.z();
        error += std::abs(F.force.z() - def_.load);
        in_air |= F.force.z() <= 0.0;
        go_on(F);
      }
      out_.stood = time();
      out_.carried = sum / static_cast<double>(window);
      if (out_.stood < kLeastStanding * (1.0 - 1e-9)) continue;
      if (error <= kStillError * def_.load * static_cast<double>(window)) return Standing::still;
      if (in_air) return Standing::bounces;
      if (out_.stood >= kMostStanding) return Standing::sinks;
    }
  }

  void drive() {
    const auto steps = static_cast<std::int64_t>(std::ceil(def_.distance / def_.speed / h_));
    const auto every = std::max<std::int64_t>(1, steps / 1000);
    const auto first = static_cast<std::int64_t>(def_.settling * static_cast<double>(steps));
    SteadyPart steady(steps - first);
    double area = 0.0, areas = 0.0;
    for (std::int64_t k = 0; k < steps; ++k) {
      if (progress_ && !progress_(static_cast<double>(k) / static_cast<double>(steps))) break;
      const double driven = h_ * static_cast<double>(k);
      const Wrench F = ask(driven, true);
      const TestbedSample now = measured(driven, F);
      const bool sampled = k % every == 0, is_steady = k >= first;
      if (sampled) out_.samples.push_back(now);
      if (is_steady) steady.add(now);
      if (sampled && is_steady) {
        area += bed_.contact_area(time());
        areas += 1.0;
      }
      go_on(F);
    }
    steady.tell(out_);
    out_.contact_area = areas > 0.0 ? area / areas : 0.0;
  }

  const TestbedResult& result() const { return out_; }

 private:
  double time() const { return h_ * static_cast<double>(step_); }

  /// The soil's wrench on the wheel after it was driven for a time [s].
  Wrench ask(double driven, bool drives) {
    const double w = rim_ / def_.rolling_radius;
    BodyKinematics body;
    body.X_WB.p = R_WH_ * v_H_ * driven + Vec3(0.0, 0.0, weight_.z);
    body.X_WB.R = R_WH_ * Eigen::AngleAxisd(w * driven, Vec3::UnitY()).toRotationMatrix();
    body.V_WB.v = Vec3(0.0, 0.0, weight_.v);
    body.V_WB.w = Vec3::Zero();
    if (drives) {
      body.V_WB.v += R_WH_ * v_H_;
      body.V_WB.w = R_WH_ * Vec3(0.0, w, 0.0);
    }
    return bed_.ask(time(), body);
  }
  void go_on(const Wrench& F) {
    bed_.advance(time(), h_);
    weight_.step(F.force.z(), h_);
    ++step_;
  }
  TestbedSample measured(double driven, const Wrench& F_W) const {
    const Vec3 force_H = R_WH_.transpose() * F_W.force, torque_H = R_WH_.transpose() * F_W.torque;
    TestbedSample s;
    s.time = driven;
    s.travel = travel_ * driven;
    s.sinkage = bed_.touching() - weight_.z;
    s.normal = force_H.z();
    s.drawbar = force_H.x();
    s.side = force_H.y();
    s.torque = -torque_H.y();
    return s;
  }

  const TestbedDef& def_;
  const TestbedProgress& progress_;
  TestedObject bed_;
  Mat3 R_WH_;  // H is the heading: x along the wheel's plane, y along its axis, z up
  double h_;
  Weight weight_;
  double rim_, travel_;  // speeds [m/s]
  Vec3 v_H_;
  std::int64_t step_ = 0;
  TestbedResult out_;
};

}  // namespace

TestbedResult run_testbed(const TestbedDef& def, const TestbedProgress& progress) {
  using Standing = WheelTest::Standing;
  for (int halvings = 0;; ++halvings) {
    WheelTest test(def, std::ldexp(def.steps_per_update, halvings), progress);
    const Standing standing = test.stand();
    // Soil is a hard spring under a light wheel; steps that are too long make it hop.
    if (standing == Standing::bounces && halvings < kHalvings) continue;
    if (standing != Standing::stopped) test.drive();
    return test.result();
  }
}

}  // namespace grouser
