// Signals through points: interpolation, ends, repetition, and tables from files.
#include "grouser/mechanism/signal_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/mechanism/signal.h"
#include "grouser/scene/toml_reader.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

using Interpolation = SignalTable::Interpolation;
using Ends = SignalTable::Ends;
using Numbers = std::vector<double>;
constexpr double kPi = std::numbers::pi;
constexpr double kRounding = 2.3e-16;

const Numbers kPointTimes = {-0.5, 0.3, 1.0, 1.2, 3.0};
const Numbers kPointValues = {1.0, 2.0, -1.0, 0.5, 1.0};  // the last is the first: may repeat

std::vector<SignalTable::Options> all_options() {
  std::vector<SignalTable::Options> out;
  for (const auto kind : {Interpolation::spline, Interpolation::monotone, Interpolation::linear}) {
    out.push_back({kind, Ends::rest, false});
    out.push_back({kind, Ends::straight, false});
    out.push_back({kind, Ends::rest, true});
  }
  return out;
}

TEST(SignalTable, PassesThroughItsPointsHoweverItInterpolates) {
  for (const SignalTable::Options& options : all_options()) {
    const SignalTable table(kPointTimes, kPointValues, options);
    for (std::size_t i = 0; i < kPointTimes.size(); ++i)
      EXPECT_NEAR(table.at(kPointTimes[i]).value, kPointValues[i], 8.0 * kRounding);  // rounding
  }
}

TEST(SignalTable, HasTheDerivativesItsInterpolationPromises) {
  const double h = 1e-7;  // over 2 h nothing changes by more than 500 h where it is continuous
  for (const SignalTable::Options& options : all_options()) {
    const SignalTable table(kPointTimes, kPointValues, options);
    for (const double t : {-4.0, -0.5, 0.3, 1.0, 1.2, 3.0, 6.5}) {
      const SignalValue before = table.at(t - h), after = table.at(t + h);
      EXPECT_NEAR(before.value, after.value, 500.0 * h);
      if (options.interpolation == Interpolation::linear) continue;
      EXPECT_NEAR(before.rate, after.rate, 500.0 * h);
      const bool end = t == -0.5 || t == 3.0;
      if (options.interpolation == Interpolation::spline &&
          (!end || options.periodic || options.ends == Ends::straight)) {
        EXPECT_NEAR(before.acceleration, after.acceleration, 500.0 * h);
      }
    }
  }
}

TEST(SignalTable, DerivativesAreThoseOfTheValueBetweenPoints) {
  Random random(1);
  const double h = 1e-4;
  for (const SignalTable::Options& options : all_options()) {
    const SignalTable table(kPointTimes, kPointValues, options);
    for (int k = 0; k < 300; ++k) {
      const double t = random.uniform(-4.0, 7.0);
      // Not over a point: a period is 3.5.
      bool near = false;
      for (const double point : kPointTimes)
        near |= std::abs(std::remainder(t - point, 3.5)) < 2.0 * h;
      if (near) continue;
      const SignalValue before = table.at(t - h), here = table.at(t), after = table.at(t + h);
      // Third derivatives stay below 2200 in this table.
      EXPECT_NEAR(here.rate, (after.value - before.value) / (2.0 * h),
                  h * h * 2200.0 / 6.0 + 1e-11);
      EXPECT_NEAR(here.acceleration, (after.rate - before.rate) / (2.0 * h), 1e-9);  // linear
    }
  }
}

TEST(SignalTable, IntegralIsThatOfTheValue) {
  // Gauss's rule of two points is exact for a cubic.
  for (const SignalTable::Options& options : all_options()) {
    const SignalTable table(kPointTimes, kPointValues, options);
    double sum = 0.0;
    const double x = 1.0 / std::sqrt(3.0);
    const double step = 0.1;  // all points are multiples of it
    for (int i = 0; i < 80; ++i) {
      const double middle = (i + 0.5) * step;
      sum += 0.5 * step *
             (table.at(middle - 0.5 * x * step).value + table.at(middle + 0.5 * x * step).value);
      EXPECT_NEAR(table.integral((i + 1) * step), sum, 1e-13);
    }
    EXPECT_EQ(table.integral(0.0), 0.0);
  }
}

TEST(SignalTable, MonotoneStaysBetweenItsPoints) {
  const Numbers times = {0, 1, 2, 2.1, 3, 5}, values = {0, 0, 0, 1, 1, 1};  // a step
  const SignalTable monotone(times, values, {Interpolation::monotone, Ends::rest, false});
  const SignalTable spline(times, values, {});
  double lowest = 0.0, highest = 0.0;
  for (int i = 0; i <= 5000; ++i) {
    const double value = monotone.at(1e-3 * i).value;
    EXPECT_GE(value, 0.0);
    EXPECT_LE(value, 1.0 + kRounding);
    lowest = std::min(lowest, spline.at(1e-3 * i).value);
    highest = std::max(highest, spline.at(1e-3 * i).value);
  }
  EXPECT_LT(lowest, -0.1);  // where a spline swings
  EXPECT_GT(highest, 1.1);
}

TEST(SignalTable, WithStraightEndsGoesOnAsItCame) {
  const Numbers times = {0, 1, 3}, values = {1, 3, 7};  // all on 1 + 2 t
  for (const auto kind : {Interpolation::spline, Interpolation::monotone, Interpolation::linear}) {
    const SignalTable table(times, values, {kind, Ends::straight, false});
    for (const double t : {-5.0, 0.0, 0.4, 1.0, 2.2, 3.0, 10.0}) {
      EXPECT_NEAR(table.at(t).value, 1.0 + 2.0 * t, 1e-14 * (1.0 + std::abs(t)));
      EXPECT_NEAR(table.at(t).rate, 2.0, 1e-14);
      EXPECT_NEAR(table.integral(t), t + t * t, 1e-13 * (1.0 + t * t));
    }
  }
}

TEST(SignalTable, RepeatsWhatIsPeriodic) {
  for (const SignalTable::Options& options : all_options()) {
    if (!options.periodic) continue;
    const SignalTable table(kPointTimes, kPointValues, options);
    for (const double t : {-0.5, 0.1, 1.1, 2.9})
      for (const int k : {-7, 1, 1000}) {
        EXPECT_NEAR(table.at(t + 3.5 * k).value, table.at(t).value, 1e-11);  // rounding of the time
        EXPECT_NEAR(table.integral(t + 3.5 * k) - table.integral(t), k * table.integral(3.5),
                    1e-11);
      }
  }
}

TEST(SignalTable, PeriodicSplineConvergesToACosineAtEveryPhase) {
  // Of fourth order all round, also where the end meets the start, with any slope there.
  const auto error = [](int n) {
    Numbers times, values;
    for (int i = 0; i <= n; ++i) {
      times.push_back(2.0 * kPi * i / n);
      values.push_back(std::cos(2.0 * kPi * (i % n) / n + 0.7));
    }
    const SignalTable table(times, values, {Interpolation::spline, Ends::rest, true});
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
      const double t = 2.0 * kPi * i / 1000.0;
      worst = std::max(worst, std::abs(table.at(t).value - std::cos(t + 0.7)));
    }
    return worst;
  };
  EXPECT_NEAR(std::log2(error(16) / error(32)), 4.0, 0.1);  // next term of the error: h^2 of it
}

TEST(SignalTable, OfTwoOrThreePointsMayBePeriodic) {
  const SignalTable constant(Numbers{0, 1}, Numbers{2, 2}, {Interpolation::spline, {}, true});
  EXPECT_EQ(constant.at(0.3).value, 2.0);
  EXPECT_EQ(constant.at(0.3).rate, 0.0);
  const SignalTable wave(Numbers{0, 1, 2}, Numbers{0, 1, 0}, {Interpolation::spline, {}, true});
  for (const double t : {0.0, 0.2, 0.7, 1.0}) {
    EXPECT_NEAR(wave.at(t).value, wave.at(2.0 - t).value, 1e-15);  // symmetric
    EXPECT_NEAR(wave.at(t).value, t * t * (3.0 - 2.0 * t), 1e-15);
  }
}

// Files

class SignalFile : public testing::Test {
 protected:
  /// The signal `x = { file = "m.csv"<keys> }`, with such a file.
  Signal read(const std::string& csv, const std::string& keys = "") {
    folder_.write("m.csv", csv);
    return read_scene("{ file = 'm.csv'" + keys + " }");
  }
  Signal read_scene(const std::string& text) {
    const Value document = read_toml_text("x = " + text, "s.toml");
    return Signal::read(*document.find("x"), "prescribed.position", folder_ / "");
  }
  std::string refusal(const std::string& csv, const std::string& keys = "") {
    return message_of<InputError>([&] { read(csv, keys); });
  }
  std::string file() const { return folder_ / "m.csv"; }

  const TemporaryFolder folder_;
};

TEST_F(SignalFile, IsThatOfItsColumns) {
  const Signal direct = read_scene("{ table = [[0, 1], [0.5, 3], [2, 2]] }");
  const Signal first = read("t,x\n0,1\n0.5,3\n2,2\n");
  const Signal named = read("x,force,t\n1,9,0\n3,9,0.5\n2,9,2\n", ", time = 't', value = 'x'");
  const Signal counted = read("x,force,t\n1,9,0\n3,9,0.5\n2,9,2\n", ", time = 3, value = 1");
  const Signal bare = read("# no names\n0,1\n0.5,3\n2,2\n");
  for (const Signal* signal : {&first, &named, &counted, &bare})
    for (const double t : {-1.0, 0.2, 0.5, 1.1, 3.0}) {
      EXPECT_EQ(signal->at(t).value, direct.at(t).value);
      EXPECT_EQ(signal->at(t).rate, direct.at(t).rate);
    }
}

TEST_F(SignalFile, HasItsUnitsConverted) {
  const Signal signal =
      read("time [ms],Crank_angle [deg],pull [kN]\n0,0,1\n500,90,2\n", ", value = 'crank angle'");
  EXPECT_NEAR(signal.at(0.5).value, kPi / 2.0, 4.0 * kRounding);
  EXPECT_EQ(read("time,angle,pull [kN]\n0,0,1\n5,90,2\n", ", value = 'pull'").at(9.0).value,
            2000.0);
}

TEST_F(SignalFile, TakesTheOptionsOfTables) {
  const char* const csv = "t,x\n0,1\n0.5,3\n2,1\n";
  EXPECT_EQ(read(csv, ", interpolation = 'linear'").at(0.25).value, 2.0);
  EXPECT_EQ(read(csv, ", interpolation = 'linear', ends = 'straight'").at(-0.5).value, -1.0);
  const Signal periodic = read(csv, ", periodic = true");
  EXPECT_NEAR(periodic.at(4.5).value, 3.0, 1e-14);
}

TEST_F(SignalFile, RefusesWhatIsNoTableWithFileAndLine) {
  EXPECT_EQ(refusal("t,x\n0,1\n1,2\n0.5,3\n"),
            file() + ":4:1: times must increase: 0.5 comes after 1");
  EXPECT_EQ(refusal("t,x\n0,1\n0,2\n"), file() + ":3:1: times must increase: 0 comes after 0");
  EXPECT_EQ(refusal("t,x\n0,1\n1,nan\n"), file() + ":3:3: x must be finite");
  EXPECT_EQ(refusal("t,x\n0,1\n1,two\n"), file() + ":3:3: x must be a number, is 'two'");
  EXPECT_EQ(refusal("0,1\n1,two\n"), file() + ":2:3: value must be a number, is 'two'");
  EXPECT_EQ(refusal("t,x\n0,1\n1\n"),
            file() + ":3: there must be 2 numbers, as the first line has columns; there are 1");
  EXPECT_EQ(refusal("t,x\n0,1\n"),
            file() + ": there must be at least two rows of numbers, there is one");
  EXPECT_EQ(refusal("t,x\n"),
            file() + ": there must be at least two rows of numbers, there is none");
  EXPECT_EQ(refusal("# nothing\n"), file() + ": there is no line that names the columns");
  EXPECT_TRUE(contains(refusal("t [m],x\n0,1\n1,2\n"),
                       file() + ":1:1: the unit of 't' must be one of s, ms, min, is 'm'"));
  EXPECT_TRUE(contains(refusal("t,x [furlong]\n0,1\n1,2\n"), file() + ":1:3: the unit of 'x'"));
  EXPECT_EQ(refusal("t,x\n0,1\n1,2\n", ", periodic = true"),
            file() +
                ":3:1: prescribed.position is periodic: its last value must be the first one, "
                "1, is 2");
}

TEST_F(SignalFile, RefusesColumnsThatAreNotThere) {
  const char* const csv = "time,angle\n0,1\n1,2\n";
  EXPECT_EQ(refusal(csv, ", value = 'angel'"), "s.toml:1:31: prescribed.position.value: " + file() +
                                                   ":1 has no column 'angel'; did you mean "
                                                   "'angle'?");
  EXPECT_EQ(refusal(csv, ", value = 3"),
            "s.toml:1:31: prescribed.position.value is column 3, but " + file() + ":1 has 2");
  EXPECT_EQ(refusal("0\n1\n"),
            "s.toml:1:14: prescribed.position.value is column 2, but " + file() + ":1 has 1");
  EXPECT_EQ(refusal("0,1\n1,1\n", ", time = 't'"),
            "s.toml:1:30: prescribed.position.time: " + file() +
                ":1 has no column 't'; it has numbers only");
  EXPECT_TRUE(
      contains(refusal(csv, ", value = 0"), "prescribed.position.value must be at least 1"));
  EXPECT_TRUE(contains(refusal(csv, ", value = 1.5"), "must be the name of a column"));
}

TEST_F(SignalFile, RefusesFilesAndKeysThatDoNotFit) {
  const auto scene_refusal = [&](const std::string& text) {
    return message_of<InputError>([&] { read_scene(text); });
  };
  EXPECT_TRUE(contains(scene_refusal("{ file = 'none.csv' }"),
                       "s.toml:1:14: prescribed.position.file: " + folder_ / "none.csv"));
  EXPECT_TRUE(contains(scene_refusal("{ file = '' }"), "must name a file"));
  EXPECT_TRUE(contains(scene_refusal("{ table = [[0, 1], [1, 2]], file = 'm.csv' }"),
                       "give table or file, not both"));
  EXPECT_TRUE(contains(scene_refusal("{ table = [[0, 1], [1, 2]], value = 'x' }"),
                       "prescribed.position.value belongs to a file"));
  EXPECT_TRUE(
      contains(scene_refusal("{ table = [[0, 1], [1, 1]], periodic = true, ends = 'rest' }"),
               "prescribed.position.ends: what repeats has none"));
  EXPECT_TRUE(contains(scene_refusal("{ table = [[0, 1], [1, 2]], interpolation = 'cubic' }"),
                       "prescribed.position.interpolation is 'cubic'; it must be one of spline"));
}

}  // namespace
}  // namespace grouser
