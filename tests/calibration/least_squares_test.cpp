#include "grouser/calibration/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/calibration/student_t.h"

namespace grouser {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// y measured at x, and a model y(p, x).
struct Curve {
  std::vector<double> x, y;
  std::function<double(std::span<const double>, double)> model;

  ResidualFunction residuals() const {
    return [this](std::span<const double> p, std::span<double> out) {
      for (std::size_t i = 0; i < x.size(); ++i) out[i] = model(p, x[i]) - y[i];
      return true;
    };
  }
  FitResult fitted(const std::vector<FitParameter>& parameters,
                   const FitOptions& options = {}) const {
    return fit(parameters, x.size(), residuals(), options);
  }
};

FitParameter unbounded(const std::string& name, double start) {
  return {name, start, -kInfinity, kInfinity};
}

/// What a fit says that is refused; empty if it is not.
std::string refusal(const Curve& curve, const std::vector<FitParameter>& parameters) {
  try {
    curve.fitted(parameters);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Curve line() {
  return {{1.0, 2.0, 3.0, 4.0, 5.0, 6.0},
          {1.1, 3.9, 6.2, 8.1, 9.7, 12.3},
          [](std::span<const double> p, double x) { return p[0] + p[1] * x; }};
}

TEST(LinearRegression, HasTheErrorsOfTextbooks) {
  const Curve curve = line();
  const FitResult result = curve.fitted({unbounded("a", 1.0), unbounded("b", 1.0)});

  const auto n = static_cast<double>(curve.x.size());
  double mx = 0.0, my = 0.0, sxx = 0.0, sxy = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    mx += curve.x[i] / n;
    my += curve.y[i] / n;
  }
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    sxx += (curve.x[i] - mx) * (curve.x[i] - mx);
    sxy += (curve.x[i] - mx) * (curve.y[i] - my);
  }
  const double b = sxy / sxx, a = my - b * mx;
  double sum = 0.0;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    sum += std::pow(a + b * curve.x[i] - curve.y[i], 2);
  const double s = std::sqrt(sum / (n - 2.0));
  const double error_b = s / std::sqrt(sxx), error_a = s * std::sqrt(1.0 / n + mx * mx / sxx);

  // Central differences of a line are off by rounding alone, 1e-16 / 1e-5.
  constexpr double kTight = 1e-9;
  ASSERT_TRUE(result.converged) << result.message;
  EXPECT_EQ(result.degrees, 4u);
  EXPECT_NEAR(result.residual_sum, sum, kTight * sum);
  EXPECT_NEAR(result.rms, std::sqrt(sum / n), kTight);
  EXPECT_NEAR(result.parameters[0].value, a, kTight);
  EXPECT_NEAR(result.parameters[1].value, b, kTight);
  EXPECT_NEAR(result.parameters[0].standard_error, error_a, kTight);
  EXPECT_NEAR(result.parameters[1].standard_error, error_b, kTight);
  const double t = student_t_quantile(0.975, 4.0);
  EXPECT_NEAR(result.parameters[1].low, b - t * error_b, kTight);
  EXPECT_NEAR(result.parameters[1].high, b + t * error_b, kTight);
  const double mean_square = sxx / n + mx * mx;
  EXPECT_NEAR(result.correlation(0, 1), -mx / std::sqrt(mean_square), kTight);
  EXPECT_NEAR(result.correlation(0, 0), 1.0, kTight);
  EXPECT_EQ(result.agreeing_starts, 8);
}

// NIST Statistical Reference Datasets, nonlinear regression: certified to 11 digits. Differences
// leave about 8 of the errors; the values follow from residuals, which are exact.
constexpr double kValues = 1e-7, kErrors = 1e-6;

void expect_certified(const FittedParameter& p, double value, double error) {
  EXPECT_NEAR(p.value, value, kValues * std::abs(value)) << p.name;
  EXPECT_NEAR(p.standard_error, error, kErrors * error) << p.name;
}

TEST(NistMisra1a, IsReachedFromBothStarts) {
  const Curve curve{
      {77.6, 114.9, 141.1, 190.8, 239.9, 289.0, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1,
       760.0},
      {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.40, 75.47,
       81.78},
      [](std::span<const double> p, double x) { return p[0] * (1.0 - std::exp(-p[1] * x)); }};
  for (const auto& [b1, b2] : {std::pair(500.0, 1e-4), std::pair(250.0, 5e-4)}) {
    const FitResult result = curve.fitted({unbounded("b1", b1), unbounded("b2", b2)});
    EXPECT_TRUE(result.converged);
    expect_certified(result.parameters[0], 2.3894212918e+02, 2.7070075241e+00);
    expect_certified(result.parameters[1], 5.5015643181e-04, 7.2668688436e-06);
    EXPECT_NEAR(result.residual_sum, 1.2455138894e-01, 1e-9);
    EXPECT_NEAR(result.residual_deviation, 1.0187876330e-01, 1e-9);
  }
}

TEST(NistRat42, IsReachedFromBothStarts) {
  const Curve curve{
      {9.0, 14.0, 21.0, 28.0, 42.0, 57.0, 63.0, 70.0, 79.0},
      {8.93, 10.80, 18.59, 22.33, 39.35, 56.11, 61.73, 64.62, 67.08},
      [](std::span<const double> p, double x) { return p[0] / (1.0 + std::exp(p[1] - p[2] * x)); }};
  const std::vector<std::vector<double>> starts = {{100.0, 1.0, 0.1}, {75.0, 2.5, 0.07}};
  for (const std::vector<double>& start : starts) {
    // Bounds that are met nowhere change nothing, and the third is spread in the logarithm.
    const FitResult result = curve.fitted(
        {{"b1", start[0], 1.0, 200.0}, {"b2", start[1], 0.0, 10.0}, {"b3", start[2], 1e-3, 1.0}});
    EXPECT_TRUE(result.converged);
    expect_certified(result.parameters[0], 7.2462237576e+01, 1.7340283401e+00);
    expect_certified(result.parameters[1], 2.6180768402e+00, 8.8295217536e-02);
    expect_certified(result.parameters[2], 6.7359200066e-02, 3.4465663377e-03);
    EXPECT_NEAR(result.residual_sum, 8.0565229338e+00, 1e-8);
  }
}

TEST(Fit, EndsAtABoundAndSaysSo) {
  const Curve curve = line();
  const FitResult result = curve.fitted({{"a", 0.5, 0.0, 2.0}, unbounded("b", 1.0)});
  EXPECT_EQ(result.parameters[0].bound, FittedParameter::Bound::lower);
  EXPECT_EQ(result.parameters[0].value, 0.0);
  EXPECT_TRUE(std::isnan(result.parameters[0].standard_error));
  EXPECT_TRUE(std::isnan(result.correlation(0, 1)));
  // The slope of a line through the origin, by hand: sum(x y) / sum(x^2).
  EXPECT_NEAR(result.parameters[1].value, 182.2 / 91.0, 1e-9);  // see LinearRegression
  EXPECT_EQ(result.parameters[1].bound, FittedParameter::Bound::none);
  EXPECT_TRUE(std::isfinite(result.parameters[1].standard_error));
}

TEST(Fit, FindsTheBestOfSeveralMinima) {
  // A sine of unknown frequency: from a wrong start a descent ends in a side minimum.
  Curve curve;
  Random random(7);
  for (int i = 0; i < 40; ++i) {
    curve.x.push_back(0.1 * i);
    curve.y.push_back(std::sin(3.0 * curve.x.back()) + 0.01 * (random.uniform() - 0.5));
  }
  curve.model = [](std::span<const double> p, double x) { return std::sin(p[0] * x); };
  const FitParameter frequency{"w", 8.0, 0.5, 10.0};
  const FitResult one = curve.fitted({frequency}, {.starts = 1});
  EXPECT_GT(std::abs(one.parameters[0].value - 3.0), 1.0);
  const FitResult many = curve.fitted({frequency}, {.starts = 16});
  EXPECT_NEAR(many.parameters[0].value, 3.0, 0.01);  // the noise is 0.003
  EXPECT_LT(many.agreeing_starts, 16);
}

TEST(Fit, CoversTheTruthAsOftenAsItClaims) {
  // 400 data sets of a known exponential with noise: 95 % intervals hold the truth in 95 %.
  Curve curve;
  curve.model = [](std::span<const double> p, double x) { return p[0] * std::exp(-p[1] * x); };
  for (int i = 0; i < 12; ++i) curve.x.push_back(0.25 * i);
  Random random(11);
  int held = 0;
  for (int trial = 0; trial < 400; ++trial) {
    curve.y.clear();
    for (const double x : curve.x) {
      double noise = -6.0;
      for (int k = 0; k < 12; ++k) noise += random.uniform();  // nearly normal, deviation 1
      curve.y.push_back(2.0 * std::exp(-0.7 * x) + 0.02 * noise);
    }
    const FitResult result =
        curve.fitted({{"a", 1.0, 0.1, 10.0}, {"k", 1.0, 0.1, 10.0}}, {.starts = 1});
    held += result.parameters[1].low <= 0.7 && 0.7 <= result.parameters[1].high ? 1 : 0;
  }
  EXPECT_NEAR(held / 400.0, 0.95, 0.033);  // three deviations of a binomial count
}

TEST(Fit, GivesTheSameBitsAgain) {
  const Curve curve = line();
  const std::vector<FitParameter> parameters = {{"a", 1.0, -5.0, 5.0}, {"b", 1.0, 0.1, 50.0}};
  const FitResult first = curve.fitted(parameters), second = curve.fitted(parameters);
  EXPECT_EQ(first.values(), second.values());
  EXPECT_EQ(first.residuals, second.residuals);
}

TEST(Fit, AvoidsPlacesWithoutAnAnswer) {
  // The model exists for p > 1 alone, and the given start is not there.
  Curve curve = line();
  curve.model = [](std::span<const double> p, double x) { return std::sqrt(p[0] - 1.0) * x; };
  const FitResult result = curve.fitted({{"p", 0.5, 0.0, 20.0}});
  EXPECT_NEAR(result.parameters[0].value, 1.0 + std::pow(182.2 / 91.0, 2),
              1e-6);  // the sum is flat there
  EXPECT_EQ(refusal(curve, {{"p", 0.5, 0.0, 0.9}}),
            "the model has no answer at the start values, nor elsewhere in the bounds");
}

TEST(Fit, PassesOnWhatTheModelThrows) {
  const ResidualFunction throws = [](std::span<const double>, std::span<double>) -> bool {
    throw InputError("of the model");
  };
  EXPECT_THROW(fit({{"p", 0.5, 0.0, 1.0}}, 3, throws), InputError);
}

TEST(Fit, StopsWhenAsked) {
  FitOptions options;
  options.progress = [](double) { return false; };
  EXPECT_THROW(line().fitted({unbounded("a", 1.0), unbounded("b", 1.0)}, options), RunError);
}

TEST(FitRefusals, NameWhatIsWrong) {
  Curve curve = line();
  EXPECT_TRUE(contains(refusal(curve, {{"a", 3.0, 0.0, 2.0}, unbounded("b", 1.0)}),
                       "the start of 'a' must lie in [0, 2], is 3"));
  EXPECT_TRUE(contains(refusal(curve, {{"a", 1.0, 2.0, 0.0}}), "the bounds of 'a' must rise"));
  curve.x.resize(2);
  EXPECT_TRUE(contains(refusal(curve, {unbounded("a", 1.0), unbounded("b", 1.0)}),
                       "2 parameters need at least 3 measured numbers, there are 2"));
  EXPECT_TRUE(contains(refusal(curve, {}), "no parameter"));
}

TEST(FitRefusals, NameAParameterWithoutInfluence) {
  Curve curve = line();
  const std::vector<FitParameter> parameters = {
      unbounded("a", 1.0), unbounded("b", 1.0), {"idle", 1.0, 0.0, 2.0}};
  EXPECT_TRUE(contains(refusal(curve, parameters), "do not depend on 'idle'"));
  // An influence of a billionth is none; one of a thousandth is some.
  for (const auto& [influence, refused] : {std::pair(1e-9, true), std::pair(1e-3, false)}) {
    curve.model = [influence = influence](std::span<const double> p, double x) {
      return p[0] + p[1] * x + influence * p[2] * x * x;
    };
    EXPECT_EQ(contains(refusal(curve, parameters), "do not depend on 'idle'"), refused);
  }
}

TEST(FitRefusals, NameParametersThatActTogether) {
  Curve curve = line();
  curve.model = [](std::span<const double> p, double x) { return p[0] + p[1] * p[2] * x; };
  const std::string message =
      refusal(curve, {unbounded("a", 1.0), {"b", 1.0, 0.1, 50.0}, {"c", 1.0, 0.1, 50.0}});
  EXPECT_TRUE(contains(message, "cannot tell 'b', 'c' apart")) << message;
}

}  // namespace
}  // namespace grouser
