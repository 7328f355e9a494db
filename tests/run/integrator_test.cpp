// Integrators: equations with known solutions, by every method.
#include "grouser/run/integrator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/support/messages.h"

namespace grouser {
namespace {

// Equations

/// y' = A y with counters. The first half of y are positions, the second their velocities.
class LinearSystem : public OdeSystem {
 public:
  explicit LinearSystem(const Eigen::SparseMatrix<double>& A)
      : A_(A), dense_(A), scales_(static_cast<std::size_t>(A.rows()), 1.0) {
    for (std::size_t i = 0; i < scales_.size(); ++i)
      blocks_.push_back(static_cast<int>(i % (scales_.size() / 2)));
  }

  std::size_t size() const override { return scales_.size(); }
  std::span<const double> scales() const override { return scales_; }
  Status rhs(double, std::span<const double> y, std::span<double> rates) override {
    ++evaluations;
    vector(rates) = A_ * vector(y);
    return Status::ok;
  }
  Status jacobian(double, std::span<const double>, MatX& out) override {
    ++dense_jacobians;
    out = dense_;
    return Status::ok;
  }
  Status jacobian(double, std::span<const double>, Eigen::SparseMatrix<double>& out) override {
    ++sparse_jacobians;
    out = A_;
    return Status::ok;
  }
  std::span<const int> blocks() const override { return blocks_; }
  void semi_implicit_step(double h, std::span<double> y, std::span<const double> rates) override {
    const std::size_t n = size() / 2;
    for (std::size_t i = 0; i < n; ++i) y[n + i] += h * rates[n + i];
    for (std::size_t i = 0; i < n; ++i) y[i] += h * y[n + i];
  }
  void project(double t, std::span<double>) override {
    ++projections;
    last_projection = t;
  }
  std::size_t event_count() const override { return 0; }
  Status events(double, std::span<const double>, std::span<double>) override { return Status::ok; }

  std::uint64_t evaluations = 0, dense_jacobians = 0, sparse_jacobians = 0, projections = 0;
  double last_projection = 0.0;

 protected:
  static Eigen::Map<const VecX> vector(std::span<const double> x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
  }
  static Eigen::Map<VecX> vector(std::span<double> x) {
    return {x.data(), static_cast<Eigen::Index>(x.size())};
  }

 private:
  Eigen::SparseMatrix<double> A_;
  MatX dense_;
  std::vector<double> scales_;
  std::vector<int> blocks_;
};

/// `count` points between two walls, each tied to its place and to its neighbours by springs:
/// x_i'' = -k x_i + c (x_{i-1} - 2 x_i + x_{i+1}).
constexpr double kTie = 100.0, kLink = 25.0;
Eigen::SparseMatrix<double> chain_matrix(int count, double tie = kTie, double link = kLink) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < count; ++i) {
    entries.emplace_back(i, count + i, 1.0);
    entries.emplace_back(count + i, i, -tie - 2.0 * link);
    if (i > 0) entries.emplace_back(count + i, i - 1, link);
    if (i + 1 < count) entries.emplace_back(count + i, i + 1, link);
  }
  Eigen::SparseMatrix<double> A(2 * count, 2 * count);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

/// x'' = -x from x = 1 at rest: x = cos t.
class Oscillator : public LinearSystem {
 public:
  Oscillator() : LinearSystem(chain_matrix(1, 1.0, 0.0)) {}
};
const double kOscillatorStart[] = {1.0, 0.0};

double oscillator_error(double t, std::span<const double> y) {
  return std::max(std::abs(y[0] - std::cos(t)), std::abs(y[1] + std::sin(t)));
}

/// The oscillator, whose equations have no answer beyond some time.
class Refusing final : public Oscillator {
 public:
  explicit Refusing(Status status) : status_(status) {}
  Status rhs(double t, std::span<const double> y, std::span<double> rates) override {
    if (t > last_time) return status_;
    return Oscillator::rhs(t, y, rates);
  }
  double last_time = std::numeric_limits<double>::infinity();

 private:
  Status status_;
};

/// y' = -1e5 (y - cos t) - sin t from 1: y = cos t (Prothero and Robinson 1974). The second
/// component, y' = -y from 1, is slow.
class Stiff final : public LinearSystem {
 public:
  static constexpr double kRate = 1e5;
  Stiff() : LinearSystem(matrix()) {}
  Status rhs(double t, std::span<const double> y, std::span<double> rates) override {
    const Status status = LinearSystem::rhs(t, y, rates);
    rates[0] += kRate * std::cos(t) - std::sin(t);
    return status;
  }

 private:
  static Eigen::SparseMatrix<double> matrix() {
    Eigen::SparseMatrix<double> A(2, 2);
    A.insert(0, 0) = -kRate;
    A.insert(1, 1) = -1.0;
    return A;
  }
};

/// A point falls: z'' = -g. Events: it is at z = 0; it is a quarter past a tenth.
class Falling final : public LinearSystem {
 public:
  static constexpr double kGravity = 9.81;
  static constexpr double kBell = 0.125;
  Falling() : LinearSystem(matrix()) {}
  Status rhs(double t, std::span<const double> y, std::span<double> rates) override {
    const Status status = LinearSystem::rhs(t, y, rates);
    rates[1] -= kGravity;
    return status;
  }
  std::size_t event_count() const override { return 2; }
  Status events(double t, std::span<const double> y, std::span<double> out) override {
    out[0] = y[0];
    out[1] = t - kBell;
    return Status::ok;
  }

 private:
  static Eigen::SparseMatrix<double> matrix() {
    Eigen::SparseMatrix<double> A(2, 2);
    A.insert(0, 1) = 1.0;
    return A;
  }
};

// Runs

using After = std::function<void(double from, double to)>;

/// Steps to t_stop; `after` sees every step. Gives up after a million of them.
void run(Integrator& integrator, double t, double t_stop, const After& after = {}) {
  for (int i = 0; t < t_stop; ++i) {
    ASSERT_LT(i, 1'000'000) << "time stands still at " << t;
    const double to = integrator.step(t_stop).time;
    ASSERT_LE(to, t_stop);
    if (after) after(t, to);
    t = to;
  }
}

IntegratorDef make_def(Method method, double tolerance = 1e-6, double max_step = 1.0) {
  IntegratorDef def;
  def.method = method;
  def.tolerance = tolerance;
  def.max_step = max_step;
  return def;
}

std::string name_of(const ::testing::TestParamInfo<Method>& info) {
  std::string name = method_names()[static_cast<std::size_t>(info.param)];
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

bool is_implicit(Method method) {
  return method == Method::bdf || method == Method::adams || method == Method::esdirk ||
         method == Method::implicit_euler;
}
bool is_euler(Method method) {
  return method == Method::semi_implicit_euler || method == Method::implicit_euler;
}
bool is_fixed(Method method) {
  return method == Method::rk4 || is_euler(method);
}

// Every method

class EveryMethod : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Integrator, EveryMethod,
                         ::testing::Values(Method::bdf, Method::adams, Method::esdirk,
                                           Method::runge_kutta, Method::rk4,
                                           Method::semi_implicit_euler, Method::implicit_euler),
                         name_of);

TEST_P(EveryMethod, EndsExactlyAtTheStopTime) {
  Oscillator system;
  const auto integrator = make_integrator(make_def(GetParam()), system);
  integrator->start(0.0, kOscillatorStart);
  double t = 0.0;
  for (int k = 1; k <= 50; ++k) {
    const double stop = 0.01 * k * k;  // distances longer and shorter than a step
    run(*integrator, t, stop, [&](double, double to) { t = to; });
    ASSERT_EQ(t, stop);
  }
}

TEST_P(EveryMethod, TakesAStopTimeWithinRoundingOfTheStart) {
  Oscillator system;
  const auto integrator = make_integrator(make_def(GetParam()), system);
  const double stop = std::nextafter(1.0, 2.0);
  integrator->start(1.0, kOscillatorStart);
  EXPECT_EQ(integrator->step(stop).time, stop);
  EXPECT_NEAR(integrator->state()[0], 1.0, 1e-15);  // nothing happens in 2e-16 s
  double y[2];
  integrator->interpolate(stop, y);
  EXPECT_NEAR(y[0], 1.0, 1e-15);
}

TEST_P(EveryMethod, RespectsTheLongestStep) {
  Oscillator system;
  IntegratorDef def = make_def(GetParam(), 1e-3, 0.02);
  def.step = 0.02;
  const auto integrator = make_integrator(def, system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 1.0, [](double from, double to) {
    EXPECT_LE(to - from, 0.02 * (1.0 + 2e-6));  // the last step may be stretched a millionth
  });
}

TEST_P(EveryMethod, InterpolationEndsAtTheState) {
  Oscillator system;
  const auto integrator = make_integrator(make_def(GetParam()), system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 3.0, [&](double, double to) {
    double y[2];
    integrator->interpolate(to, y);
    EXPECT_NEAR(y[0], integrator->state()[0], 1e-14);  // a dozen roundings
    EXPECT_NEAR(y[1], integrator->state()[1], 1e-14);
  });
}

TEST_P(EveryMethod, ContinuesAfterARestart) {
  Oscillator system;
  const auto integrator = make_integrator(make_def(GetParam()), system);
  integrator->start(0.0, kOscillatorStart);
  EXPECT_EQ(integrator->statistics().restarts, 0u);
  run(*integrator, 0.0, 1.0);
  // What error control allows on this problem, with room; the fixed steps of 1 ms have their own.
  const double allowed = is_euler(GetParam()) ? 1e-3 : 1e-4;
  EXPECT_LT(oscillator_error(1.0, integrator->state()), allowed);

  // From where it is: nothing changes.
  const std::vector<double> now(integrator->state().begin(), integrator->state().end());
  integrator->start(1.0, now);
  run(*integrator, 1.0, 2.0);
  EXPECT_LT(oscillator_error(2.0, integrator->state()), allowed);

  // From elsewhere and at another time: 3 cos(t - 10).
  integrator->start(10.0, std::vector{3.0, 0.0});
  run(*integrator, 10.0, 12.0);
  EXPECT_NEAR(integrator->state()[0], 3.0 * std::cos(2.0), 3.0 * allowed);
  EXPECT_NEAR(integrator->state()[1], -3.0 * std::sin(2.0), 3.0 * allowed);
  EXPECT_EQ(integrator->statistics().restarts, 2u);
}

TEST_P(EveryMethod, CountsWhatItDoes) {
  Oscillator system;
  const auto integrator = make_integrator(make_def(GetParam()), system);
  integrator->start(0.0, kOscillatorStart);
  std::uint64_t steps = 0;
  double shortest = 1e9, longest = 0.0;
  const auto count = [&](double from, double to) {
    ++steps;
    shortest = std::min(shortest, to - from);
    longest = std::max(longest, to - from);
  };
  run(*integrator, 0.0, 3.0, count);
  const std::vector<double> now(integrator->state().begin(), integrator->state().end());
  integrator->start(3.0, now);
  run(*integrator, 3.0, 6.0, count);

  const IntegratorStatistics s = integrator->statistics();
  EXPECT_EQ(s.steps, steps);
  EXPECT_EQ(s.restarts, 1u);
  EXPECT_EQ(s.evaluations, system.evaluations);
  EXPECT_GE(s.evaluations, s.steps);
  EXPECT_EQ(s.jacobians, system.dense_jacobians);
  EXPECT_EQ(system.sparse_jacobians, 0u);
  EXPECT_EQ(s.jacobians > 0, is_implicit(GetParam()));
  EXPECT_LT(s.rejected, s.steps);
  if (is_fixed(GetParam())) {
    EXPECT_EQ(s.smallest_step, 1e-3);
    EXPECT_EQ(s.largest_step, 1e-3);
  } else {
    EXPECT_EQ(s.smallest_step, shortest);
    EXPECT_EQ(s.largest_step, longest);
  }
}

TEST_P(EveryMethod, IsRepeatableToTheLastBit) {
  const auto end = [&] {
    Oscillator system;
    const auto integrator = make_integrator(make_def(GetParam()), system);
    integrator->start(0.0, kOscillatorStart);
    run(*integrator, 0.0, 3.0);
    return std::vector<double>(integrator->state().begin(), integrator->state().end());
  };
  EXPECT_EQ(end(), end());
}

TEST_P(EveryMethod, StopsWithTimeAndReasonWhereThereIsNoAnswer) {
  ::testing::internal::CaptureStderr();
  for (const double last : {-1.0, 0.5}) {
    Refusing system(Status::impossible);
    system.last_time = last;
    const auto integrator = make_integrator(make_def(GetParam()), system);
    const std::string message = message_of<RunError>([&] {
      integrator->start(0.0, kOscillatorStart);
      run(*integrator, 0.0, 1.0);
    });
    EXPECT_TRUE(contains(message, last < 0.0 ? "at t = 0 s" : "at t = 0.5")) << message;
    EXPECT_GT(message.size(), message.find(" s: ") + 20) << message;  // a reason follows
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

/// The oscillator, whose rates are no numbers after half a second though the answer is ok.
class Exploding final : public Oscillator {
 public:
  Status rhs(double t, std::span<const double> y, std::span<double> rates) override {
    const Status status = Oscillator::rhs(t, y, rates);
    if (t > 0.5) rates[1] = std::numeric_limits<double>::quiet_NaN();
    return status;
  }
};

TEST_P(EveryMethod, StopsWhereRatesAreNoNumbers) {
  ::testing::internal::CaptureStderr();
  Exploding system;
  const auto integrator = make_integrator(make_def(GetParam()), system);
  integrator->start(0.0, kOscillatorStart);
  EXPECT_TRUE(contains(message_of<RunError>([&] { run(*integrator, 0.0, 1.0); }), "at t = 0.5"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// Methods with error control

class ErrorControl : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Integrator, ErrorControl,
                         ::testing::Values(Method::bdf, Method::adams, Method::esdirk,
                                           Method::runge_kutta),
                         name_of);

/// Greatest error at the end and inside of the steps, of the oscillator over 10 s.
struct Errors {
  double end = 0.0, inside = 0.0;
};
Errors errors_at(Method method, double tolerance) {
  Oscillator system;
  const auto integrator = make_integrator(make_def(method, tolerance), system);
  integrator->start(0.0, kOscillatorStart);
  Errors errors;
  run(*integrator, 0.0, 10.0, [&](double from, double to) {
    for (const double s : {0.1, 0.25, 0.5, 0.75, 0.9}) {
      const double t = from + s * (to - from);
      double y[2];
      integrator->interpolate(t, y);
      errors.inside = std::max(errors.inside, oscillator_error(t, y));
    }
  });
  errors.end = oscillator_error(10.0, integrator->state());
  return errors;
}

TEST_P(ErrorControl, KeepsTheErrorNearTheTolerance) {
  // The tolerance is per step and nothing damps what was made before: at worst errors add up over
  // all steps, of which there are at least 30 and, for the lower orders, 100 and more.
  for (const double tolerance : {1e-4, 1e-6, 1e-8})
    EXPECT_LT(errors_at(GetParam(), tolerance).end, 100.0 * tolerance) << tolerance;
}

TEST_P(ErrorControl, ErrorFallsWithTheTolerance) {
  const double coarse = errors_at(GetParam(), 1e-4).end, fine = errors_at(GetParam(), 1e-8).end;
  EXPECT_LT(fine, 1e-3 * coarse);  // 1e-4 if it were exactly proportional
}

TEST_P(ErrorControl, InterpolatesToTheOrderOfTheTolerance) {
  // No less exact between the ends of steps than there.
  for (const double tolerance : {1e-4, 1e-6, 1e-8})
    EXPECT_LT(errors_at(GetParam(), tolerance).inside, 100.0 * tolerance) << tolerance;
}

TEST_P(ErrorControl, AbsoluteToleranceIsScaled) {
  // A hundredth of the tolerance times the scale of 1: what is much smaller is not resolved.
  const auto steps = [&](double absolute) {
    Oscillator system;
    IntegratorDef def = make_def(GetParam(), 1e-6);
    def.absolute_tolerance = absolute;
    const auto integrator = make_integrator(def, system);
    integrator->start(0.0, std::vector{1e-9, 0.0});
    run(*integrator, 0.0, 10.0);
    EXPECT_NEAR(integrator->state()[0], 1e-9 * std::cos(10.0), 1e-8);
    return integrator->statistics().steps;
  };
  EXPECT_EQ(steps(0.0), steps(1e-8));
  EXPECT_LT(2 * steps(0.0), steps(1e-15));
}

TEST_P(ErrorControl, ShortensAStepThatWasTooLong) {
  // The equations answer no more than 1 ms beyond the last accepted step.
  constexpr double kReach = 1e-3;
  for (const Status status : {Status::shorten_step, Status::impossible}) {
    Refusing system(status);
    system.last_time = kReach;
    const auto integrator = make_integrator(make_def(GetParam(), 1e-6, 0.01), system);
    integrator->start(0.0, kOscillatorStart);
    run(*integrator, 0.0, 0.5, [&](double, double to) { system.last_time = to + kReach; });
    EXPECT_LT(oscillator_error(0.5, integrator->state()), 1e-6);
    const IntegratorStatistics s = integrator->statistics();
    EXPECT_LE(s.largest_step, kReach * (1.0 + 1e-12));  // rounding of the difference of times
    EXPECT_GE(s.steps, 500u);
    EXPECT_LT(s.steps, 5000u);  // of the reach, a good part is used
    EXPECT_GT(s.convergence_failures, 0u);
  }
}

// Stiffness

TEST(StiffEquations, AreSolvedInLongStepsByImplicitMethods) {
  for (const Method method : {Method::bdf, Method::esdirk}) {
    Stiff system;
    const auto integrator = make_integrator(make_def(method), system);
    integrator->start(0.0, std::vector{1.0, 1.0});
    run(*integrator, 0.0, 2.0);
    // The fast component forgets its errors, the slow one adds up those of some 40 steps.
    EXPECT_NEAR(integrator->state()[0], std::cos(2.0), 1e-6);
    EXPECT_NEAR(integrator->state()[1], std::exp(-2.0), 1e-5);
    EXPECT_LT(integrator->statistics().steps, 1000u);
  }
}

TEST(StiffEquations, NeedManyStepsOfAnExplicitMethod) {
  Stiff system;
  const auto integrator = make_integrator(make_def(Method::runge_kutta), system);
  integrator->start(0.0, std::vector{1.0, 1.0});
  run(*integrator, 0.0, 0.1);
  EXPECT_NEAR(integrator->state()[0], std::cos(0.1), 1e-6);
  // Dormand and Prince's method is stable up to 3.3 time constants; error control walks along it.
  EXPECT_GT(static_cast<double>(integrator->statistics().steps), 0.1 * Stiff::kRate / 5.0);
}

// Events

TEST_P(ErrorControl, FindsEvents) {
  constexpr double kRestitution = 0.8, g = Falling::kGravity;
  Falling system;
  const auto integrator = make_integrator(make_def(GetParam(), 1e-9), system);
  integrator->start(0.0, std::vector{1.0, 0.0});

  // Touches as they must be: after sqrt(2 / g), then after 2 v / g for every v that is left.
  std::vector<double> wanted = {Falling::kBell, std::sqrt(2.0 / g)};
  double v = std::sqrt(2.0 * g);
  for (int i = 0; i < 3; ++i) {
    v *= kRestitution;
    wanted.push_back(wanted.back() + 2.0 * v / g);
  }
  std::vector<double> found;
  double t = 0.0;
  for (int i = 0; t < 1.9 && i < 100'000; ++i) {
    const Integrator::Step step = integrator->step(1.9);
    t = step.time;
    if (!step.event) continue;
    found.push_back(t);
    if (std::abs(t - Falling::kBell) < 1e-6) continue;  // goes on without a restart
    EXPECT_NEAR(integrator->state()[0], 0.0, 1e-9);
    integrator->start(t, std::vector{0.0, -kRestitution * integrator->state()[1]});
  }
  ASSERT_GE(found.size(), 4u);
  for (std::size_t i = 0; i < found.size() && i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-9) << "event " << i;  // as located, the motion is exact
  EXPECT_EQ(found.size(), static_cast<std::size_t>(std::count_if(
                              wanted.begin(), wanted.end(), [](double x) { return x < 1.9; })));
}

TEST_P(ErrorControl, ReportsAnEventOnceAndGoesOn) {
  Falling system;
  const auto integrator = make_integrator(make_def(GetParam(), 1e-9), system);
  integrator->start(0.0, std::vector{1.0, 0.0});
  int events = 0;
  double t = 0.0;
  for (int i = 0; t < 1.0 && i < 100'000; ++i) {
    const Integrator::Step step = integrator->step(1.0);
    EXPECT_GE(step.time, t);
    t = step.time;
    events += step.event;
    const double z = 1.0 - 0.5 * Falling::kGravity * t * t;
    EXPECT_NEAR(integrator->state()[0], z, 1e-7);  // a parabola, to a hundred tolerances
  }
  EXPECT_EQ(events, 2);
  EXPECT_EQ(integrator->statistics().restarts, 0u);
}

TEST(FixedStep, PassesOverEvents) {
  for (const Method method : {Method::rk4, Method::semi_implicit_euler, Method::implicit_euler}) {
    Falling system;
    const auto integrator = make_integrator(make_def(method), system);
    integrator->start(0.0, std::vector{1.0, 0.0});
    for (double t = 0.0; t < 1.0;) {
      const Integrator::Step step = integrator->step(1.0);
      EXPECT_FALSE(step.event);
      t = step.time;
    }
    EXPECT_LT(integrator->state()[0], 0.0);
  }
}

// Linear algebra

/// A wave of the lowest and one of a high mode of the chain, and the exact solution.
class Chain final : public LinearSystem {
 public:
  static constexpr int kPoints = 210;  // 420 states, above the default dense_limit
  Chain() : LinearSystem(chain_matrix(kPoints)) {}

  static VecX solution(double t) {
    VecX y = VecX::Zero(2 * kPoints);
    for (const int mode : {1, 150}) {
      const double turn = kPi * mode / (kPoints + 1);
      const double half = std::sin(0.5 * turn);
      const double w = std::sqrt(kTie + 4.0 * kLink * half * half);
      for (int i = 0; i < kPoints; ++i) {
        y[i] += std::sin(turn * (i + 1)) * std::cos(w * t);
        y[kPoints + i] -= std::sin(turn * (i + 1)) * w * std::sin(w * t);
      }
    }
    return y;
  }
};

struct ChainEnd {
  VecX y;
  IntegratorStatistics statistics;
  std::uint64_t dense = 0, sparse = 0;
};
ChainEnd run_chain(Method method, JacobianKind jacobian, int dense_limit, double duration) {
  Chain system;
  IntegratorDef def = make_def(method, 1e-6, 0.01);
  def.jacobian = jacobian;
  def.dense_limit = dense_limit;
  const auto integrator = make_integrator(def, system);
  const VecX start = Chain::solution(0.0);
  integrator->start(0.0, {start.data(), system.size()});
  run(*integrator, 0.0, duration);
  const std::span<const double> y = integrator->state();
  return {Eigen::Map<const VecX>(y.data(), start.size()), integrator->statistics(),
          system.dense_jacobians, system.sparse_jacobians};
}
// A hundred tolerances, as for the single oscillator.
constexpr double kChainError = 100.0 * 1e-6;

class ImplicitMethod : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Integrator, ImplicitMethod, ::testing::Values(Method::bdf, Method::esdirk),
                         name_of);

TEST_P(ImplicitMethod, SolvesManyStatesIteratively) {
  const ChainEnd end =
      run_chain(GetParam(), JacobianKind::structured, IntegratorDef().dense_limit, 0.5);
  EXPECT_LT((end.y - Chain::solution(0.5)).cwiseAbs().maxCoeff(), kChainError);
  EXPECT_GT(end.sparse, 0u);
  EXPECT_EQ(end.dense, 0u);
  EXPECT_EQ(end.statistics.jacobians, end.sparse);
  EXPECT_LT(end.statistics.convergence_failures, end.statistics.steps / 10);
}

TEST_P(ImplicitMethod, IterativeAndDenseAgree) {
  const ChainEnd iterative = run_chain(GetParam(), JacobianKind::structured, 400, 0.2);
  const ChainEnd dense = run_chain(GetParam(), JacobianKind::structured, 1000, 0.2);
  EXPECT_LT((iterative.y - dense.y).cwiseAbs().maxCoeff(), 2.0 * kChainError);
  EXPECT_GT(dense.dense, 0u);
  EXPECT_EQ(dense.sparse, 0u);
  EXPECT_EQ(dense.statistics.jacobians, dense.dense);
}

TEST_P(ImplicitMethod, IterativeWithoutStructureAgrees) {
  const ChainEnd end = run_chain(GetParam(), JacobianKind::plain, 400, 0.2);
  EXPECT_LT((end.y - Chain::solution(0.2)).cwiseAbs().maxCoeff(), kChainError);
  EXPECT_EQ(end.sparse, 0u);
  EXPECT_EQ(end.dense, 0u);
}

TEST_P(ImplicitMethod, StructuredAndPlainJacobianAgree) {
  const auto solve = [&](JacobianKind kind) {
    Stiff system;
    IntegratorDef def = make_def(GetParam());
    def.jacobian = kind;
    const auto integrator = make_integrator(def, system);
    integrator->start(0.0, std::vector{1.0, 1.0});
    run(*integrator, 0.0, 2.0);
    EXPECT_EQ(system.dense_jacobians > 0, kind == JacobianKind::structured);
    EXPECT_GT(integrator->statistics().jacobians, 0u);
    EXPECT_EQ(integrator->statistics().evaluations, system.evaluations);
    return std::vector<double>(integrator->state().begin(), integrator->state().end());
  };
  const auto structured = solve(JacobianKind::structured), plain = solve(JacobianKind::plain);
  EXPECT_NEAR(structured[0], plain[0], 1e-6);
  EXPECT_NEAR(structured[1], plain[1], 2e-5);  // both within half of it of the solution, as above
}

// Methods with a fixed step

double fixed_step_error(Method method, double h) {
  Oscillator system;
  IntegratorDef def;
  def.method = method;
  def.step = h;
  const auto integrator = make_integrator(def, system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 2.0);
  return oscillator_error(2.0, integrator->state());
}

TEST(FixedStep, RungeKuttaIsOfOrderFour) {
  const double order = std::log2(fixed_step_error(Method::rk4, 0.02) /  // 100 steps
                                 fixed_step_error(Method::rk4, 0.01));
  EXPECT_NEAR(order, 4.0, 0.05);  // the next term of the error is h times smaller
}

TEST(FixedStep, EulerMethodsAreOfOrderOne) {
  for (const Method method : {Method::semi_implicit_euler, Method::implicit_euler}) {
    const double order =
        std::log2(fixed_step_error(method, 0.002) / fixed_step_error(method, 0.001));
    EXPECT_NEAR(order, 1.0, 0.01);  // the next term of the error is h times smaller
  }
}

TEST(FixedStep, ImplicitEulerIsStableHoweverStiff) {
  for (const JacobianKind kind : {JacobianKind::structured, JacobianKind::plain}) {
    Stiff system;
    IntegratorDef def = make_def(Method::implicit_euler);
    def.step = 0.01;  // a thousand time constants
    def.jacobian = kind;
    const auto integrator = make_integrator(def, system);
    integrator->start(0.0, std::vector{3.0, 1.0});
    run(*integrator, 0.0, 1.0);
    EXPECT_NEAR(integrator->state()[0], std::cos(1.0), def.step);  // one step late
    EXPECT_NEAR(integrator->state()[1], std::exp(-1.0), def.step * std::exp(-1.0));  // h t / 2
    EXPECT_EQ(system.dense_jacobians, kind == JacobianKind::structured ? 100u : 0u);
    EXPECT_EQ(integrator->statistics().jacobians, 100u);
    EXPECT_EQ(integrator->statistics().evaluations, system.evaluations);
  }
}

TEST(FixedStep, ImplicitEulerSolvesManyStatesSparsely) {
  const auto solve = [](int dense_limit) {
    Chain system;
    IntegratorDef def = make_def(Method::implicit_euler);
    def.dense_limit = dense_limit;
    const auto integrator = make_integrator(def, system);
    const VecX start = Chain::solution(0.0);
    integrator->start(0.0, {start.data(), system.size()});
    run(*integrator, 0.0, 0.01);
    EXPECT_EQ(system.sparse_jacobians, dense_limit < 420 ? 10u : 0u);
    EXPECT_EQ(system.dense_jacobians, dense_limit < 420 ? 0u : 10u);
    return VecX(Eigen::Map<const VecX>(integrator->state().data(), start.size()));
  };
  // Ten steps, each to the rounding of factors of numbers of 25, well conditioned.
  EXPECT_LT((solve(400) - solve(1000)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(FixedStep, SemiImplicitEulerKeepsEnergyBounded) {
  Oscillator system;
  IntegratorDef def;
  def.method = Method::semi_implicit_euler;
  def.step = 0.01;
  const auto integrator = make_integrator(def, system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 1000.0, [&](double, double) {
    const double x = integrator->state()[0], v = integrator->state()[1];
    // x^2 + v^2 - h x v is kept exactly, so x^2 + v^2 stays within h / 2 of it.
    ASSERT_NEAR(x * x + v * v, 1.0, 0.0051);
    ASSERT_NEAR(x * x + v * v - def.step * x * v, 1.0, 1e-11);  // 1e5 steps of rounding
  });
}

TEST(FixedStep, InterpolatesWithACubic) {
  Oscillator system;
  IntegratorDef def;
  def.method = Method::rk4;
  def.step = 0.02;
  const auto integrator = make_integrator(def, system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 2.0, [&](double from, double to) {
    for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const double t = from + s * (to - from);
      double y[2];
      integrator->interpolate(t, y);
      // h^4 / 384 of the cubic through values and slopes, h^4 t / 120 of the steps.
      EXPECT_LT(oscillator_error(t, y), std::pow(def.step, 4) * (1.0 / 384.0 + 2.0 / 120.0));
    }
  });
}

TEST(FixedStep, ProjectsAfterEveryStep) {
  Oscillator system;
  IntegratorDef def;
  def.method = Method::rk4;
  def.step = 0.25;
  const auto integrator = make_integrator(def, system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 1.0, [&](double, double to) { EXPECT_EQ(system.last_projection, to); });
  EXPECT_EQ(system.projections, 4u);
}

TEST(FixedStep, DoesNotLeaveASliver) {
  // Ten times 0.1 is not 1; the last step makes up for it.
  Oscillator system;
  IntegratorDef def;
  def.method = Method::rk4;
  def.step = 0.1;
  const auto integrator = make_integrator(def, system);
  integrator->start(0.0, kOscillatorStart);
  run(*integrator, 0.0, 1.0);
  EXPECT_EQ(integrator->statistics().steps, 10u);
}

TEST(FixedStep, TakesNoNoticeOfStepsCalledTooLong) {
  Refusing system(Status::shorten_step);
  system.last_time = 0.5;
  const auto integrator = make_integrator(make_def(Method::rk4), system);
  integrator->start(0.0, kOscillatorStart);
  EXPECT_NO_THROW(run(*integrator, 0.0, 1.0));
}

TEST(MethodNames, AreInTheOrderOfTheEnumeration) {
  const std::pair<Method, const char*> kNames[] = {
      {Method::bdf, "bdf"},
      {Method::adams, "adams"},
      {Method::esdirk, "esdirk"},
      {Method::runge_kutta, "runge-kutta"},
      {Method::rk4, "rk4"},
      {Method::semi_implicit_euler, "semi-implicit-euler"},
      {Method::implicit_euler, "implicit-euler"}};
  ASSERT_EQ(method_names().size(), std::size(kNames));
  for (const auto& [method, name] : kNames)
    EXPECT_EQ(method_names()[static_cast<std::size_t>(method)], name);
}

}  // namespace
}  // namespace grouser
