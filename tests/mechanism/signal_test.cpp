// Signals: what a scene may write, its value, and that the derivatives are those of the value.
#include "grouser/mechanism/signal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/math/types.h"
#include "grouser/scene/toml_reader.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

/// The signal written right of `x = ` in line 1, so that column 5 is its first character.
Signal read(const std::string& text) {
  const Value document = read_toml_text("x = " + text, "s.toml");
  return Signal::read(*document.find("x"), "motor.target", "");
}

std::string signal_refusal(const std::string& text) {
  return message_of<InputError>([&] { read(text); });
}

constexpr double kUlp = 2.3e-16;

/// Rate and acceleration at t against central differences of value and rate over +-h. `third` and
/// `fourth` bound the third and fourth derivative of the value, `size` its size.
void expect_derivatives(const Signal& signal, double t, double third, double fourth, double size) {
  const double h = 1e-4;
  const SignalValue before = signal.at(t - h), here = signal.at(t), after = signal.at(t + h);
  // Truncation h^2/6 times two derivatives more, and rounding of the difference.
  EXPECT_NEAR(here.rate, (after.value - before.value) / (2.0 * h),
              h * h / 6.0 * third + 10.0 * kUlp * size / h)
      << "at " << t;
  EXPECT_NEAR(here.acceleration, (after.rate - before.rate) / (2.0 * h),
              h * h / 6.0 * fourth + 10.0 * kUlp * third / h)
      << "at " << t;
}

/// Integrals against Gauss's rule of three points, exact for polynomials of degree 5, between 0 and
/// t, in pieces that no kink lies in.
void expect_integral(const Signal& signal, std::vector<double> kinks, double t, double tolerance) {
  kinks.push_back(0.0);
  kinks.push_back(t);
  std::sort(kinks.begin(), kinks.end());
  const double low = std::min(0.0, t), high = std::max(0.0, t), far = std::sqrt(0.6);
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {
    const double a = std::clamp(kinks[i], low, high), b = std::clamp(kinks[i + 1], low, high);
    const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
    sum += half / 9.0 *
           (5.0 * signal.at(middle - far * half).value + 8.0 * signal.at(middle).value +
            5.0 * signal.at(middle + far * half).value);
  }
  EXPECT_NEAR(signal.integral(t), t < 0.0 ? -sum : sum, tolerance) << "at " << t;
}

// Forms

TEST(Signal, IsZeroByDefault) {
  EXPECT_EQ(Signal().at(3.0).value, 0.0);
  EXPECT_EQ(Signal().at(3.0).rate, 0.0);
  EXPECT_EQ(Signal().at(3.0).acceleration, 0.0);
}

TEST(Signal, OfANumberIsConstant) {
  for (const Signal& signal : {read("2.5"), Signal(2.5)})
    for (const double t : {-1e9, 0.0, 1e9}) {
      EXPECT_EQ(signal.at(t).value, 2.5);
      EXPECT_EQ(signal.at(t).rate, 0.0);
      EXPECT_EQ(signal.at(t).acceleration, 0.0);
    }
  EXPECT_EQ(read("-3").at(0.0).value, -3.0);  // a whole number is a number
}

TEST(Signal, OfARateIsALine) {
  const Signal signal = read("{ rate = 2.0, offset = -1.0 }");
  EXPECT_EQ(signal.at(0.0).value, -1.0);
  EXPECT_EQ(signal.at(3.0).value, 5.0);
  Random random(1);
  for (int i = 0; i < 100; ++i)
    expect_derivatives(signal, random.uniform(-10.0, 10.0), 0.0, 0.0, 21.0);
  EXPECT_EQ(read("{ rate = 2.0 }").at(0.0).value, 0.0);  // no offset: through the origin
}

TEST(Signal, OfFromAndToIsAStep) {
  const Signal signal = read("{ from = 1, to = 4, start = 0.5, duration = 2 }");
  for (const double t : {-1e6, 0.0, 0.5}) EXPECT_EQ(signal.at(t).value, 1.0);
  for (const double t : {2.5, 3.0, 1e6}) EXPECT_EQ(signal.at(t).value, 4.0);
  EXPECT_EQ(signal.at(1.5).value, 2.5);  // halfway in the middle, by symmetry
  // Derivatives of 10 x^3 - 15 x^4 + 6 x^5 on [0, 1] do not exceed 60 (third) and 360 (fourth).
  Random random(2);
  for (int i = 0; i < 1000; ++i)
    expect_derivatives(signal, random.uniform(0.501, 2.499), 3.0 * 60.0 / 8.0, 3.0 * 360.0 / 16.0,
                       4.0);
}

TEST(Signal, IntegralIsThatOfTheValueFromTimeZero) {
  const Signal constant = read("2.5"), line = read("{ rate = 2.0, offset = -1.0 }");
  const Signal late = read("{ from = 1, to = 4, start = 0.5, duration = 2 }");
  const Signal running = read("{ from = 1, to = 4, start = -0.5, duration = 2 }");
  const Signal table = read("{ table = [[-1, 2], [0.5, -1], [1, 3], [3, 0]] }");
  for (const double t : {-2.0, -0.7, 0.0, 0.3, 0.8, 1.2, 2.0, 2.7, 5.0}) {
    const double rounding = 1e-13;
    expect_integral(constant, {}, t, rounding);
    expect_integral(line, {}, t, rounding);
    expect_integral(late, {0.5, 2.5}, t, rounding);
    expect_integral(running, {-0.5, 1.5}, t, rounding);
    expect_integral(table, {-1.0, 0.5, 1.0, 3.0}, t, rounding);
  }
}

TEST(Signal, IntegralOfASineIsACosine) {
  const Signal sine = read("{ amplitude = 2, frequency = 0.3, phase = 0.7, offset = 0.5 }");
  const double w = 2.0 * kPi * 0.3;
  for (const double t : {-4.0, 0.0, 0.1, 3.0, 50.0})
    EXPECT_NEAR(sine.integral(t), 0.5 * t + 2.0 * (std::cos(0.7) - std::cos(w * t + 0.7)) / w,
                1e-13 * (1.0 + std::abs(t)));
  const Signal slow = read("{ amplitude = 2, frequency = 1e-12, phase = 0.7 }");
  EXPECT_NEAR(slow.integral(3.0), 6.0 * std::sin(0.7), 1e-10);  // almost a constant
  EXPECT_NEAR(read("{ amplitude = 2, frequency = 0, phase = 0.7 }").integral(3.0),
              6.0 * std::sin(0.7), 1e-14);
}

TEST(Signal, StepRisesAllTheWay) {
  const Signal signal = read("{ from = 1, to = 4, start = 0.5, duration = 2 }");
  Random random(3);
  for (int i = 0; i < 1000; ++i) EXPECT_GT(signal.at(random.uniform(0.51, 2.49)).rate, 0.0);
}

TEST(Signal, StepHasTwoContinuousDerivatives) {
  const Signal signal = read("{ from = 1, to = 4, start = 0.5, duration = 2 }");
  for (const double joint : {0.5, 2.5}) {
    const double h = 1e-7;
    const SignalValue before = signal.at(joint - h), after = signal.at(joint + h);
    // Two h apart; the slopes there are at most 1.875 / 2, 5.8 / 4 and 60 / 8 times the rise of 3.
    EXPECT_NEAR(before.value, after.value, 2.0 * h * 3.0 * 0.94);
    EXPECT_NEAR(before.rate, after.rate, 2.0 * h * 3.0 * 1.45);
    EXPECT_NEAR(before.acceleration, after.acceleration, 2.0 * h * 3.0 * 7.5);
    // Exactly at the joint all is at rest.
    EXPECT_EQ(signal.at(joint).rate, 0.0);
    EXPECT_EQ(signal.at(joint).acceleration, 0.0);
  }
}

TEST(Signal, StepFromAloneOrToAloneUsesDefaults) {
  EXPECT_EQ(read("{ to = 2 }").at(0.0).value, 0.0);
  EXPECT_EQ(read("{ to = 2 }").at(1.0).value, 2.0);  // one second long
  EXPECT_EQ(read("{ from = 2 }").at(0.0).value, 2.0);
  EXPECT_EQ(read("{ from = 2 }").at(1.0).value, 0.0);
}

// Pulses

TEST(Signal, OfAPulseHasItsPeakInTheMiddleAndIsZeroOutside) {
  const Signal signal = read("{ pulse = 30, start = 2.2, duration = 0.5 }");
  EXPECT_NEAR(signal.at(2.45).value, 30.0, 30.0 * kUlp);
  EXPECT_NEAR(signal.at(2.325).value, 7.5, 7.5 * 100.0 * kUlp);  // a quarter; x has 1e-15 of 2.2
  for (const double t : {-1e6, 0.0, 2.2, 2.7, 3.0, 1e6}) {
    EXPECT_EQ(signal.at(t).value, 0.0);
    EXPECT_EQ(signal.at(t).rate, 0.0);
    EXPECT_EQ(signal.at(t).acceleration, 0.0);
  }
  EXPECT_NEAR(read("{ pulse = 2 }").at(0.5).value, 2.0, 2.0 * kUlp);  // from 0 on, one second
}

TEST(Signal, OfAnImpulseHasThisIntegral) {
  const Signal signal = read("{ impulse = 1.5, start = 2.2, duration = 0.05 }");
  EXPECT_EQ(signal.integral(2.2), 0.0);
  EXPECT_NEAR(signal.integral(2.225), 0.75, 1e-13);  // half of it; x has 1e-14 of 2.2 / 0.05
  for (const double t : {2.25, 3.0, 1e6}) EXPECT_NEAR(signal.integral(t), 1.5, 10.0 * kUlp);
  // Three eighths of peak times duration.
  EXPECT_NEAR(signal.at(2.225).value, 80.0, 80.0 * 10.0 * kUlp);
  // Time 0 lies in the middle of this one.
  const Signal running = read("{ impulse = 1.5, start = -1, duration = 2 }");
  EXPECT_NEAR(running.integral(5.0), 0.75, 10.0 * kUlp);
  EXPECT_NEAR(running.integral(-5.0), -0.75, 10.0 * kUlp);
}

TEST(Signal, DerivativesAndIntegralOfAPulseAreThoseOfItsValue) {
  const Signal signal = read("{ pulse = 3, start = -0.5, duration = 2 }");
  // The third and fourth derivative of sin^4(x) stay below 12 and 40, with x = pi / 2 t.
  const double w = kPi / 2.0;
  Random random(6);
  for (int i = 0; i < 1000; ++i)
    expect_derivatives(signal, random.uniform(-0.499, 1.499), 3.0 * 12.0 * w * w * w,
                       3.0 * 40.0 * w * w * w * w, 3.0);
  // A pulse is no polynomial: Gauss's rule over fortieths errs by (h w)^6 of it.
  std::vector<double> cuts;
  for (int i = 0; i <= 40; ++i) cuts.push_back(-0.5 + 0.05 * i);
  for (const double t : {-2.0, -0.3, 0.0, 0.4, 1.3, 5.0}) expect_integral(signal, cuts, t, 1e-8);
}

TEST(Signal, EqualStepsOverAPulseSumToItsIntegral) {
  // Three or more; what fixed steps that start with the pulse do.
  const Signal signal = read("{ impulse = 1.5, start = 0, duration = 1 }");
  for (const int n : {3, 4, 7, 100}) {
    double sum = 0.0;
    for (int i = 0; i < n; ++i) sum += signal.at(static_cast<double>(i) / n).value / n;
    EXPECT_NEAR(sum, 1.5, 1e-14);  // rounding
  }
}

// Corners

TEST(SignalCorner, OfAStepIsItsStartAndEndAndOfAPulseEachQuarter) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Signal step = read("{ to = 4, start = 0.5, duration = 2 }");
  EXPECT_EQ(step.next_corner(-1.0), 0.5);
  EXPECT_EQ(step.next_corner(0.5), 2.5);  // later than the time, not at it
  EXPECT_EQ(step.next_corner(2.5), kNever);
  const Signal pulse = read("{ pulse = 4, start = 0.5, duration = 2 }");
  double t = -1.0;
  for (const double corner : {0.5, 1.0, 1.5, 2.0, 2.5, kNever})
    EXPECT_EQ(t = pulse.next_corner(t), corner);
}

TEST(SignalCorner, IsNoneOfConstantsLinesAndSines) {
  for (const char* text : {"2", "{ rate = 2 }", "{ amplitude = 2, frequency = 3 }"})
    EXPECT_EQ(read(text).next_corner(0.0), std::numeric_limits<double>::infinity());
}

TEST(Signal, OfAnAmplitudeIsASine) {
  const Signal signal = read("{ amplitude = 3, frequency = 2, phase = 0.5, offset = 1 }");
  const double w = 4.0 * kPi;
  EXPECT_EQ(signal.at(0.0).value, 1.0 + 3.0 * std::sin(0.5));
  Random random(4);
  for (int i = 0; i < 1000; ++i) {
    const double t = random.uniform(-3.0, 3.0);
    expect_derivatives(signal, t, 3.0 * w * w * w, 3.0 * w * w * w * w, 4.0);
    // Two periods a second: the angle of about 40 rad is rounded to 40 ulp.
    EXPECT_NEAR(signal.at(t).value, signal.at(t + 0.5).value, 3.0 * 100.0 * kUlp);
  }
}

TEST(Signal, SineWithoutFrequencyIsConstant) {
  const Signal signal = read("{ amplitude = 3, offset = 1 }");
  EXPECT_EQ(signal.at(7.0).value, 1.0);
  EXPECT_EQ(signal.at(7.0).rate, 0.0);
}

// Tables

const char* const kTable = "{ table = [[0, 1.0], [0.3, 2.0], [1.0, -1.0], [1.2, 0.5], [3.0, 0]] }";
const double kTimes[] = {0.0, 0.3, 1.0, 1.2, 3.0};
const double kValues[] = {1.0, 2.0, -1.0, 0.5, 0.0};

TEST(SignalTable, PassesThroughItsPoints) {
  const Signal signal = read(kTable);
  for (int i = 0; i < 5; ++i)
    EXPECT_NEAR(signal.at(kTimes[i]).value, kValues[i], 4.0 * kUlp);  // one product and one sum
}

TEST(SignalTable, DerivativesAreThoseOfTheValue) {
  const Signal signal = read(kTable);
  // A cubic between points: its fourth derivative is zero, its third the slope of the curvature.
  double third = 0.0;
  for (int i = 0; i < 4; ++i)
    third = std::max(
        third, std::abs(signal.at(kTimes[i + 1]).acceleration - signal.at(kTimes[i]).acceleration) /
                   (kTimes[i + 1] - kTimes[i]));
  Random random(5);
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 200; ++k)
      expect_derivatives(signal, random.uniform(kTimes[i] + 2e-4, kTimes[i + 1] - 2e-4), third, 0.0,
                         3.0);
}

TEST(SignalTable, HasTwoContinuousDerivativesAtItsPoints) {
  const Signal signal = read(kTable);
  const double h = 1e-7;
  for (int i = 1; i < 4; ++i) {
    const SignalValue before = signal.at(kTimes[i] - h), after = signal.at(kTimes[i] + h);
    const SignalValue here = signal.at(kTimes[i]);
    // Two h apart. Rate, acceleration and its slope stay below 9, 58 and 361 in this table.
    EXPECT_NEAR(before.value, after.value, 2.0 * h * 9.0);
    EXPECT_NEAR(before.rate, after.rate, 2.0 * h * 63.0);
    EXPECT_NEAR(before.acceleration, after.acceleration, 2.0 * h * 409.0);
    EXPECT_NEAR(here.rate, after.rate, h * 63.0);
    EXPECT_NEAR(here.acceleration, after.acceleration, h * 409.0);
  }
}

TEST(SignalTable, StartsAndEndsAtRest) {
  const Signal signal = read(kTable);
  const double h = 1e-9;  // the rate grows from zero with a slope below 63
  EXPECT_NEAR(signal.at(0.0 + h).rate, 0.0, 409.0 * h);
  EXPECT_NEAR(signal.at(3.0 - h).rate, 0.0, 409.0 * h);
}

TEST(SignalTable, IsConstantBeforeAndAfter) {
  const Signal signal = read(kTable);
  for (const double t : {-1e6, -1e-9, 0.0}) {
    EXPECT_EQ(signal.at(t).value, 1.0);
    EXPECT_EQ(signal.at(t).rate, 0.0);
    EXPECT_EQ(signal.at(t).acceleration, 0.0);
  }
  for (const double t : {3.0, 3.0 + 1e-9, 1e6}) {
    EXPECT_EQ(signal.at(t).value, 0.0);
    EXPECT_EQ(signal.at(t).rate, 0.0);
    EXPECT_EQ(signal.at(t).acceleration, 0.0);
  }
}

TEST(SignalTable, OfTwoPointsIsACubicStepBetweenThem) {
  const Signal signal = read("{ table = [[1, 10], [3, 14]] }");
  EXPECT_NEAR(signal.at(2.0).value, 12.0, 14.0 * 4.0 * kUlp);
  EXPECT_NEAR(signal.at(2.0).rate, 3.0, 14.0 * 4.0 * kUlp);  // 3/2 of the mean slope
  EXPECT_NEAR(signal.at(2.0).acceleration, 0.0, 14.0 * 4.0 * kUlp);
}

TEST(SignalTable, ConvergesToASmoothFunction) {
  // cos has no slope at 0 and pi, so the spline is of fourth order there too.
  const auto error = [](int n) {
    std::string text = "{ table = [";
    for (int i = 0; i <= n; ++i) {
      const double t = kPi * i / n;
      char row[80];
      std::snprintf(row, sizeof row, "[%.17g, %.17g],", t, std::cos(t));
      text += row;
    }
    const Signal signal = read(text + "] }");
    double worst = 0.0;
    for (int i = 1; i < 1000; ++i) {
      const double t = kPi * i / 1000.0;
      worst = std::max(worst, std::abs(signal.at(t).value - std::cos(t)));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4.0, 0.1);  // next term of the error: h^2 of it
}

TEST(SignalCorner, OfATableIsEachPointAndOfALongOneItsEnds) {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Signal signal = read(kTable);
  double t = -1.0;
  for (const double time : kTimes) EXPECT_EQ(t = signal.next_corner(t), time);
  EXPECT_EQ(signal.next_corner(t), kNever);

  std::vector<double> times, values;
  for (int i = 0; i < 10000; ++i) {
    times.push_back(1.0 + i);
    values.push_back(i % 7);
  }
  const Signal recorded{SignalTable(times, values, {})};
  EXPECT_EQ(recorded.next_corner(0.0), 1.0);
  EXPECT_EQ(recorded.next_corner(1.0), 10000.0);
  EXPECT_EQ(recorded.next_corner(10000.0), kNever);
}

TEST(SignalCorner, OfATableThatRepeatsComesBackUnlessItIsSmooth) {
  const std::string points = "table = [[0.1, 0], [0.2, 1], [0.4, 0]], periodic = true";
  const Signal kinked = read("{ " + points + ", interpolation = 'linear' }");
  double t = 0.0, before = 0.0;
  for (int i = 0; i < 2000; ++i, before = t) {
    t = kinked.next_corner(t);
    const int period = i / 2;  // points 0.1 and 0.2, then those of the next period
    // The end of a period and the start of the next may differ by rounding.
    if (t - before < 1e-12) t = kinked.next_corner(t);
    EXPECT_NEAR(t, 0.3 * period + (i % 2 == 0 ? 0.1 : 0.2), 1e-12);
  }
  EXPECT_EQ(read("{ " + points + " }").next_corner(0.0), std::numeric_limits<double>::infinity());
}

// Refusals

TEST(SignalRefusal, NamesPlaceAndKey) {
  EXPECT_TRUE(contains(signal_refusal("'fast'"),
                       "s.toml:1:5: motor.target must be a number or a table, is \"fast\""));
  EXPECT_TRUE(
      contains(signal_refusal("true"), "s.toml:1:5: motor.target must be a number or a table"));
  EXPECT_TRUE(
      contains(signal_refusal("[1, 2]"), "s.toml:1:5: motor.target must be a number or a table"));
  EXPECT_TRUE(contains(signal_refusal("{ rate = 'fast' }"),
                       "s.toml:1:14: motor.target.rate must be a number, is a string"));
}

TEST(SignalRefusal, OfNumbersThatAreNone) {
  EXPECT_TRUE(contains(signal_refusal("nan"), "s.toml:1:5: motor.target must be finite, is nan"));
  EXPECT_TRUE(contains(signal_refusal("inf"), "s.toml:1:5: motor.target must be finite, is inf"));
  EXPECT_TRUE(
      contains(signal_refusal("{ rate = nan }"), "s.toml:1:14: motor.target.rate must be finite"));
  EXPECT_TRUE(
      contains(signal_refusal("{ amplitude = inf }"), "motor.target.amplitude must be finite"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [[0, 1], [1, nan]] }"),
                       "s.toml:1:28: motor.target.table"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [[nan, 1], [1, 0]] }"),
                       "s.toml:1:17: motor.target.table"));
}

TEST(SignalRefusal, OfUnknownKeys) {
  EXPECT_TRUE(contains(signal_refusal("{ rate = 1, ofset = 2 }"),
                       "s.toml:1:17: unknown key motor.target.ofset; did you mean 'offset'?"));
  EXPECT_TRUE(contains(signal_refusal("{ to = 1, form = 2 }"), "did you mean 'from'?"));
  EXPECT_TRUE(
      contains(signal_refusal("{ amplitude = 1, frequenzy = 2 }"), "did you mean 'frequency'?"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [[0, 1], [1, 2]], start = 2 }"),
                       "s.toml:1:33: unknown key motor.target.start"));
  // A key of another form is as unknown as any.
  EXPECT_TRUE(contains(signal_refusal("{ rate = 1, amplitude = 2 }"), "unknown key motor.target"));
}

TEST(SignalRefusal, OfATableThatIsNoForm) {
  for (const char* text : {"{}", "{ offset = 1 }", "{ frequency = 1 }"}) {
    EXPECT_TRUE(
        contains(signal_refusal(text), "s.toml:1:5: motor.target must be a number, or a table"));
    EXPECT_TRUE(contains(signal_refusal(text), "rate (a line)"));
  }
}

TEST(SignalRefusal, OfAStepThatTakesNoTime) {
  EXPECT_TRUE(contains(signal_refusal("{ to = 1, duration = 0 }"),
                       "s.toml:1:26: motor.target.duration must be positive, is 0"));
}

TEST(SignalRefusal, OfAPulseWithPeakAndIntegralOrWithoutDuration) {
  EXPECT_TRUE(contains(signal_refusal("{ pulse = 1, impulse = 2 }"),
                       "s.toml:1:5: motor.target: give pulse, the peak, or impulse, the integral"));
  EXPECT_TRUE(contains(signal_refusal("{ pulse = 1, duration = -1 }"),
                       "s.toml:1:29: motor.target.duration must be positive, is -1"));
  EXPECT_TRUE(contains(signal_refusal("{ impulse = 1, strat = 2 }"), "did you mean 'start'?"));
}

TEST(SignalRefusal, OfTablesThatAreNoFunction) {
  EXPECT_TRUE(contains(signal_refusal("{ table = [[0, 1], [0, 2]] }"),
                       "s.toml:1:24: motor.target.table: times must increase"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [[0, 1], [1, 2], [0.5, 2]] }"),
                       "s.toml:1:32: motor.target.table: times must increase"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [[0, 1]] }"),
                       "s.toml:1:15: motor.target.table needs at least two points"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [] }"), "needs at least two points"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [[0, 1], [1, 2, 3]] }"),
                       "s.toml:1:24: motor.target.table must have 2 numbers, has 3"));
  EXPECT_TRUE(contains(signal_refusal("{ table = [0, 1] }"),
                       "s.toml:1:16: motor.target.table must be an array, is a number, 0"));
  EXPECT_TRUE(contains(signal_refusal("{ table = 3 }"),
                       "s.toml:1:15: motor.target.table must be an array"));
}

}  // namespace
}  // namespace grouser
