// The four machines of Zhu et al., "A Penalty Function-based Modelica Library for Multi-body
// Contact Collision" (2023): a ball on a rocking disc, a differential, two cam drives, marbles in a
// funnel.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "grouser/mechanism/signal_table.h"
#include "tests/run/figures.h"
#include "tests/run/motion.h"

namespace grouser {
namespace {

struct Machine {
  Figures figures;
  Motion motion;
};

/// Runs a scene, which must come to its end without a warning.
Machine run_elements(const std::string& name, const std::vector<std::string>& overrides = {}) {
  Machine out;
  out.motion =
      motion_of(load_scene(std::string(GROUSER_SCENES) + "/elements/" + name + ".toml", overrides),
                false, &out.figures);
  return out;
}

double greatest(const std::vector<double>& x) {
  return *std::max_element(x.begin(), x.end());
}
double least(const std::vector<double>& x) {
  return *std::min_element(x.begin(), x.end());
}

// ------------------------------------------------------------------------------------------------
// The ball on the disc: r = 30 mm, 2 mm half thickness, pitch = 5 degrees at 1 Hz

constexpr double kRollingRadius = 0.03, kLift = kRollingRadius + 0.002;
constexpr double kAmplitude = 0.0872664626, kRate = 2.0 * kPi;

double pitch(double t) {
  return kAmplitude * std::sin(kRate * t);
}

/// The ball's centre along x and z of the disc.
Vec2 in_disc(const Vec3& p, double t) {
  const double c = std::cos(pitch(t)), s = std::sin(pitch(t));
  return {c * p.x() - s * p.z(), s * p.x() + c * p.z()};
}

TEST(SwingingDisc, BallFallsFreelyUntilItTouches) {
  const Machine machine = run_elements("swinging_disc", {"simulation.duration=0.1"});
  const std::vector<Vec3>& p = machine.motion["ball"].position;
  const double g = 9.81, t = machine.motion.time.back();
  EXPECT_NEAR(p.back().z(), 0.132 - 0.5 * g * t * t, 1e-7);  // error control
  EXPECT_EQ(greatest(machine.figures.all("contacts/ball on disc/penetration")), 0.0);
}

TEST(SwingingDisc, BallStaysOnTheDisc) {
  const Machine machine = run_elements("swinging_disc");
  const Motion& motion = machine.motion;
  ASSERT_NEAR(motion.time.back(), 2.0, 1e-9);
  for (std::size_t i = 0; i < motion.time.size(); ++i) {
    const Vec2 p = in_disc(motion["ball"].position[i], motion.time[i]);
    EXPECT_LT(std::abs(p.x()), 0.25);
    EXPECT_GT(p.y(), kLift - 1e-3);
    EXPECT_NEAR(motion["ball"].position[i].y(), 0.0, 1e-9);
  }
  // After a second it lies on it, as deep as its weight presses it, (m g / K)^(2/3) = 20 um, and
  // the disc's acceleration of less than g / 10.
  for (std::size_t i = motion.at(1.0); i < motion.time.size(); ++i)
    EXPECT_NEAR(in_disc(motion["ball"].position[i], motion.time[i]).y(), kLift - 1.96e-5, 1.4e-6);
}

TEST(SwingingDisc, BallRollsAsLagrangeSays) {
  // Rolling on a disc at the angle q: 7/5 x'' + (c + 2/5 r) q'' = x q'^2 + g sin q, with c the
  // height of the centre over the disc's axis.
  const Machine machine = run_elements("swinging_disc");
  const Motion& motion = machine.motion;
  const auto x_of = [&](std::size_t i) {
    return in_disc(motion["ball"].position[i], motion.time[i]).x();
  };
  const auto acceleration = [](double t, double x) {
    const double q = pitch(t), rate = kAmplitude * kRate * std::cos(kRate * t);
    const double second = -kRate * kRate * q;
    return (x * rate * rate + 9.81 * std::sin(q) - (kLift + 0.4 * kRollingRadius) * second) / 1.4;
  };
  const std::size_t start = motion.at(1.0);
  const double h = motion.time[start + 1] - motion.time[start];
  double x = x_of(start), v = (x_of(start + 1) - x_of(start - 1)) / (2.0 * h);
  for (std::size_t i = start; i + 1 < motion.time.size(); ++i) {  // the midpoint rule, error O(h^2)
    const double t = motion.time[i], middle = x + 0.5 * h * v;
    const double a = acceleration(t + 0.5 * h, middle);
    x += h * (v + 0.5 * h * a);
    v += h * a;
  }
  // Friction lets it creep at a thousandth of the stick speed, and v is a difference quotient.
  EXPECT_NEAR(x_of(motion.time.size() - 1), x, 5e-4);
  EXPECT_LT(greatest(machine.figures.all("contacts/ball on disc/sliding_speed", 1.0)), 0.005);
}

// ------------------------------------------------------------------------------------------------
// The differential

TEST(Differential, TurnsAsOneUntilOneSideIsBrakedWhichDoublesTheOther) {
  const Machine machine = run_elements("differential");
  const auto mean = [&](const std::string& joint, double from, double to) {
    const std::vector<double> x = machine.figures.all("joints/" + joint + "/velocity", from);
    const auto count = static_cast<std::size_t>((to - from) / 0.02);
    return std::accumulate(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
           static_cast<double>(count);
  };
  // Under the same resistance both turn with the carrier.
  EXPECT_NEAR(mean("left", 8.0, 10.0), 10.0, 0.01);
  EXPECT_NEAR(mean("right", 8.0, 10.0), 10.0, 0.01);
  // Friction between the pegs takes some per cent of the torque, so the right side turns on slowly.
  EXPECT_NEAR(mean("right", 18.0, 20.0), 0.0, 0.6);
  EXPECT_NEAR(mean("left", 18.0, 20.0), 20.0, 0.6);
  // What one side loses the other gains: planets roll between them, but for the play of the pegs,
  // 0.035 rad in 2 s.
  EXPECT_NEAR(mean("left", 18.0, 20.0) + mean("right", 18.0, 20.0), 20.0, 0.04);
  EXPECT_GT(least(machine.figures.all("joints/left/velocity", 3.0)), 9.0);
}

// ------------------------------------------------------------------------------------------------
// The cam drives

/// The outline of the cam: a periodic spline over the length of its chords, made apart from the one
/// that is tested.
class Outline {
 public:
  Outline() {
    std::ifstream file(std::string(GROUSER_SCENES) + "/elements/cam.csv");
    std::vector<double> t, x, y;
    for (std::string line; std::getline(file, line);) {
      double a = 0.0, b = 0.0;
      if (std::sscanf(line.c_str(), "%lf,%lf", &a, &b) != 2) continue;
      x.push_back(a);
      y.push_back(b);
    }
    x.push_back(x[0]);
    y.push_back(y[0]);
    for (std::size_t i = 0; i < x.size(); ++i)
      t.push_back(i == 0 ? 0.0 : t.back() + std::hypot(x[i] - x[i - 1], y[i] - y[i - 1]));
    const SignalTable::Options periodic{SignalTable::Interpolation::spline, {}, true};
    x_ = SignalTable(t, x, periodic);
    y_ = SignalTable(t, y, periodic);
    length_ = t.back();
  }

  /// Distance of a point in the cam's plane: the nearest of many samples, refined.
  double distance(const Vec2& p) const {
    const int n = 720;
    double best = 0.0, nearest = 1e9;
    for (int i = 0; i < n; ++i)
      if (const double d = (at(length_ * i / n) - p).norm(); d < nearest) {
        nearest = d;
        best = length_ * i / n;
      }
    double a = best - length_ / n, b = best + length_ / n;
    while (b - a > 1e-9) {  // the minimum of a parabola: 1e-9 along is 1e-16 across
      const double u = a + (b - a) / 3.0, v = b - (b - a) / 3.0;
      if ((at(u) - p).norm() < (at(v) - p).norm())
        b = v;
      else
        a = u;
    }
    return (at(0.5 * (a + b)) - p).norm();
  }

 private:
  Vec2 at(double t) const { return {x_.at(t).value, y_.at(t).value}; }
  SignalTable x_{std::vector<double>{0, 1}, std::vector<double>{0, 0}, {}};
  SignalTable y_ = x_;
  double length_ = 0.0;
};

constexpr double kRoller = 0.008;

/// The roller's centre keeps the roller's radius from the outline, but for what it is pressed in:
/// it lies on the pitch curve. Forces are those of the contact, F = 1e8 d^1.5.
void expect_on_pitch_curve(const Machine& machine) {
  const Outline outline;
  const Motion& motion = machine.motion;
  const double settled = 0.05;  // at the start it just touches
  EXPECT_GT(least(machine.figures.all("contacts/cam/normal_force", settled)), 1.0);  // never leaves
  const double force = greatest(machine.figures.all("contacts/cam/normal_force"));
  const double deepest = std::pow(force / 1e8, 2.0 / 3.0);
  EXPECT_LT(deepest, 1e-4);
  for (std::size_t i = motion.at(settled); i < motion.time.size(); ++i) {
    const Vec3& p = motion["roller"].position[i];
    // In the cam, which has turned about y, from z to x.
    const double angle = 4.0 * kPi * motion.time[i];
    const double c = std::cos(angle), s = std::sin(angle);
    const double gap = outline.distance({c * p.x() - s * p.z(), s * p.x() + c * p.z()}) - kRoller;
    EXPECT_LE(gap, 1e-9) << "at " << motion.time[i];
    EXPECT_GE(gap, -1.1 * deepest) << "at " << motion.time[i];  // damping takes part of the force
  }
}

TEST(CamDrive, TranslatingFollowerFollowsThePitchCurve) {
  const Machine machine = run_elements("cam_translating");
  expect_on_pitch_curve(machine);
  // It rises by the lift of 10 mm and comes back, twice a second.
  const std::vector<double> lift = machine.figures.all("joints/follower/position");
  EXPECT_NEAR(greatest(lift), 0.010, 1e-4);  // the spline swings a little between its points
  EXPECT_NEAR(least(lift), 0.0, 1e-4);
  EXPECT_NEAR(machine.figures.at(0.6, "joints/follower/position"),
              machine.figures.at(1.1, "joints/follower/position"), 1e-5);
}

TEST(CamDrive, RockingFollowerFollowsThePitchCurve) {
  const Machine machine = run_elements("cam_rocking");
  expect_on_pitch_curve(machine);
  EXPECT_GT(greatest(machine.figures.all("joints/arm/position")), 0.1);  // 10 mm at 83 mm
}

// ------------------------------------------------------------------------------------------------
// The funnel

class Funnel : public testing::Test {
 protected:
  static void SetUpTestSuite() { machine_ = new Machine(run_elements("funnel")); }
  static void TearDownTestSuite() { delete machine_; }
  static Machine* machine_;
};
Machine* Funnel::machine_ = nullptr;

TEST_F(Funnel, HasAllMarblesAtRestInTheCylinderAtTheEnd) {
  EXPECT_EQ(machine_->motion.bodies.size(), 6u);
  for (const auto& [name, track] : machine_->motion.bodies) {
    const Vec3& p = track.position.back();
    EXPECT_LT(p.head<2>().norm(), 0.034 - 0.012 + 1e-4) << name;  // 1e-4: penetration
    EXPECT_GT(p.z(), 0.012 - 1e-4) << name;
    EXPECT_LT(p.z(), 0.13) << name;
    EXPECT_LT(track.velocity.back().norm(), 0.01) << name;
  }
}

TEST_F(Funnel, LosesEnergyAllTheTime) {
  std::vector<double> sum(machine_->motion.time.size(), 0.0);
  const auto add = [&](const std::string& name) {
    const std::vector<double> x = machine_->figures.all(name);
    for (std::size_t i = 0; i < x.size(); ++i) sum[i] += x[i];
  };
  add("system/kinetic_energy");
  add("system/potential_energy");
  for (const char* contact : {"funnel", "cylinder", "bottom", "marbles"})
    add("contacts/" + std::string(contact) + "/elastic_energy");
  EXPECT_LT(sum.back(), 0.5 * sum[0]);
  for (std::size_t i = 1; i < sum.size(); ++i)  // error control allows 1e-6 per step
    EXPECT_LE(sum[i], sum[i - 1] + 1e-4 * sum[0]) << "at " << machine_->motion.time[i];
}

}  // namespace
}  // namespace grouser
