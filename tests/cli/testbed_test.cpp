// grouser testbed and grouser soils.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/cli/scenes.h"

namespace grouser {
namespace {

using Testbed = CommandTest;

/// A file of comma-separated numbers.
struct Csv {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  explicit Csv(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line, word; std::getline(lines, line);) {
      std::istringstream words(line);
      const bool head = columns.empty();
      if (!head) rows.emplace_back();
      while (std::getline(words, word, ','))
        if (head)
          columns.push_back(word);
        else
          rows.back().push_back(std::stod(word));
    }
  }
  std::vector<double> of(const std::string& name) const {
    const auto column = std::find(columns.begin(), columns.end(), name);
    EXPECT_NE(column, columns.end()) << "there is no column " << name;
    std::vector<double> out;
    if (column == columns.end()) return out;
    for (const auto& row : rows)
      out.push_back(row.at(static_cast<std::size_t>(column - columns.begin())));
    return out;
  }
};

TEST_F(Testbed, SweepsTheSlipOfAWheel) {
  const Ending ending =
      grouser({"testbed", "wheel", "--soil", "dry-sand", "--spacing", "0.02", "--slip", "0.1,0.5",
               "--distance", "0.3", "-o", "w.csv", "--plot", "w.svg"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.out, "drawbar pull [N]"));
  const std::string csv = folder_.read("w.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);  // header and two slips
  EXPECT_TRUE(contains(csv, "\n0.1,"));
  EXPECT_TRUE(contains(folder_.read("w.svg"), "<svg"));
}

TEST_F(Testbed, TakesWheelModels) {
  folder_.write("keys.toml", "[terra]\nfriction = 0.3\n");
  const auto torque = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"testbed",    "wheel", "--model", "terra", "--slip", "0.4",
                                      "--distance", "0.3",   "-q",      "-o",    "t.csv"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = grouser(words);
    EXPECT_EQ(ending.code, 0) << ending.err;
    return Csv(folder_.read("t.csv")).of("torque [Nm]").at(0);
  };
  const double usual = torque({}), file = torque({"--include", "keys.toml"});
  EXPECT_LT(file, usual);
  EXPECT_EQ(torque({"--key", "terra.friction=0.3"}), file);
  const Ending refused = grouser({"testbed", "wheel", "--model", "terra", "--key", "terra.x=1"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(refused.err, "contact.terra.x")) << refused.err;
}

TEST_F(Testbed, TestsAllCombinationsOfLists) {
  const Ending ending = grouser({"testbed", "wheel", "--model", "bekker", "--load", "50,100",
                                 "--slip", "-1:1:0.5", "--slip-angle", "0,10", "--distance", "0.1",
                                 "-o", "w.csv", "--series", "s.csv", "--plot", "w.svg"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  const Csv table(folder_.read("w.csv"));
  ASSERT_EQ(table.rows.size(), 20u);
  const std::vector<double> slips = table.of("slip"), loads = table.of("load [N]"),
                            angles = table.of("slip angle [deg]");
  EXPECT_EQ(std::vector(slips.begin(), slips.begin() + 5),
            (std::vector<double>{-1.0, -0.5, 0.0, 0.5, 1.0}));
  EXPECT_EQ(std::count(loads.begin(), loads.end(), 100.0), 10);
  EXPECT_EQ(std::count(angles.begin(), angles.end(), 10.0), 10);
  for (const double scatter : table.of("torque scatter [Nm]")) EXPECT_GE(scatter, 0.0);
  // More load, more sinkage.
  const std::vector<double> sinkages = table.of("sinkage [m]");
  for (std::size_t i = 0; i < 10; ++i) EXPECT_LT(sinkages[i], sinkages[i + 10]);
  // One line for every combination on the screen as well.
  EXPECT_EQ(std::count(ending.out.begin(), ending.out.end(), '\n'), 1 + 20 + 3);
  EXPECT_TRUE(contains(ending.out, "load [N]"));
  EXPECT_TRUE(contains(folder_.read("w.svg"), "load [N] 100"));

  const Csv series(folder_.read("s.csv"));
  const std::vector<double> cases = series.of("case"), travel = series.of("travel [m]");
  EXPECT_EQ(cases.front(), 1.0);
  EXPECT_EQ(cases.back(), 20.0);
  EXPECT_EQ(travel.back(), 0.0);                                // on the spot
  EXPECT_NEAR(series.of("time [s]").back(), 0.1 / 0.05, 0.01);  // which the rim ran
}

TEST_F(Testbed, WritesOneTestOverTimeAndItsMeansAsJson) {
  const Ending ending = grouser({"testbed", "wheel", "--model", "bekker", "--slip", "0.3",
                                 "--distance", "0.2", "--json", "--series", "s.csv"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  const auto json = nlohmann::json::parse(ending.out);
  ASSERT_EQ(json["rows"].size(), 1u);
  EXPECT_EQ(json["rows"][0]["load [N]"], 100.0);
  const Csv series(folder_.read("s.csv"));
  EXPECT_EQ(series.columns.front(), "time [s]");
  EXPECT_EQ(series.columns.back(), "torque [Nm]");
  // The mean over the steady part is about what the series has there.
  const std::vector<double> torque = series.of("torque [Nm]");
  EXPECT_NEAR(json["rows"][0]["torque [Nm]"], torque.back(), 0.02 * torque.back());
}

TEST_F(Testbed, WarnsOfAWheelThatStillSinks) {
  const Ending ending = grouser({"testbed", "wheel", "--slip", "1", "--distance", "0.2",
                                 "--spacing", "0.02", "--speed", "0.1", "-q"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.err, "warning: load 100 N, slip 1: sinkage still grows: "));
  EXPECT_TRUE(contains(ending.err, " mm in the first half of the steady part, "));
}

TEST_F(Testbed, WarnsOnceOfAGridThatIsCoarseForTheWheel) {
  const auto told = [&](const std::string& spacing, const std::vector<std::string>& more) {
    std::vector<std::string> words = {"testbed",    "wheel", "--slip",  "0.1,0.3",
                                      "--distance", "0.05",  "--speed", "0.1",
                                      "--spacing",  spacing, "-q"};
    words.insert(words.end(), more.begin(), more.end());
    return grouser(words).err;
  };
  const auto count = [](const std::string& text, const std::string& part) {
    int out = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++out;
    return out;
  };
  EXPECT_EQ(count(told("0.1", {}), "soil.spacing 0.1 m is coarse"), 1);
  EXPECT_EQ(count(told("0.02", {}), "coarse"), 0);
  const std::vector<std::string> grousers = {
      "--wheel", "radius=0.125",          "--wheel", "width=0.1",
      "--wheel", "grouser_count=12",      "--wheel", "grouser_height=0.01",
      "--wheel", "grouser_thickness=4e-3"};
  EXPECT_EQ(count(told("0.02", grousers), "does not resolve grousers"), 0);
  std::vector<std::string> one_by_one = grousers;
  one_by_one.insert(one_by_one.end(), {"--key", "envelope=triangles"});
  EXPECT_EQ(count(told("0.02", one_by_one), "does not resolve grousers"), 1);
}

TEST_F(Testbed, TakesHeadingAndPeriod) {
  const auto sinkage = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"testbed", "wheel",     "--slip", "0.3", "--distance",
                                      "0.2",     "--speed",   "0.1",    "-q",  "-o",
                                      "h.csv",   "--spacing", "0.02"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = grouser(words);
    EXPECT_EQ(ending.code, 0) << ending.err;
    return Csv(folder_.read("h.csv")).of("sinkage [m]").at(0);
  };
  const double usual = sinkage({});
  EXPECT_NEAR(sinkage({"--heading", "90"}), usual, 0.01 * usual);  // the grid is square
  const double seldom = sinkage({"--period", "0.02"});
  EXPECT_NE(seldom, usual);
  EXPECT_NEAR(seldom, usual, 0.1 * usual);
}

TEST_F(Testbed, PressesSpheresAndWheels) {
  for (const std::vector<std::string>& body : std::vector<std::vector<std::string>>{
           {"sphere", "--diameter", "0.08"},
           {"wheel", "--wheel", "radius=0.1", "--wheel", "width=0.08"},
           {"plate", "--side", "0.08"}}) {
    std::vector<std::string> words = {"testbed", "press",     "--depth", "0.01", "--reload",
                                      "0.005",   "--spacing", "0.01",    "-o",   "p.csv"};
    words.push_back("--body");
    words.insert(words.end(), body.begin(), body.end());
    const Ending ending = grouser(words);
    EXPECT_EQ(ending.code, 0) << ending.err;
    const Csv curve(folder_.read("p.csv"));
    const std::vector<double> sinkage = curve.of("sinkage [m]"), force = curve.of("force [N]");
    EXPECT_NEAR(sinkage.back(), 0.01, 1e-4);
    EXPECT_GT(force.back(), 1.0);
    EXPECT_GT(std::count(force.begin() + 10, force.end(), 0.0), 0) << body[0];  // unloaded
    EXPECT_FALSE(std::is_sorted(sinkage.begin(), sinkage.end()));
  }
}

TEST_F(Testbed, ShearsUnderAnyPressure) {
  for (const std::string pressure : {"10", "50", "1e5"}) {
    const Ending ending = grouser(
        {"testbed", "shear", "--spacing", "0.02", "--pressure", pressure, "-o", "s.csv", "-q"});
    EXPECT_EQ(ending.code, 0) << ending.err;
    EXPECT_EQ(ending.err, "");
    const Csv curve(folder_.read("s.csv"));
    for (const auto& row : curve.rows)
      for (const double number : row) ASSERT_TRUE(std::isfinite(number)) << pressure;
    EXPECT_NEAR(curve.of("stress / (c + p tan phi)").back(), 1.0, 0.02) << pressure;
  }
}

TEST_F(Testbed, ASignalEndsItAtOnce) {
  const std::vector<std::vector<std::string>> tests = {
      {"wheel", "--spacing", "0.003", "--distance", "1000"},
      {"press", "--spacing", "0.003", "--speed", "1e-6"},
      {"shear", "--spacing", "0.003", "--distance", "1000"}};
  for (const int signal : {SIGINT, SIGTERM})
    for (std::vector<std::string> words : tests) {
      words.insert(words.begin(), "testbed");
      words.insert(words.end(), {"-o", "t.csv"});
      Child child(words, folder_ / "");
      std::this_thread::sleep_for(std::chrono::seconds(1));  // the test is under way
      const auto sent = std::chrono::steady_clock::now();
      child.send(signal);
      expect_refusal(child.end(), 1, {"interrupted; nothing was written"});
      // A fifth of a second, and time for a computer that has other things to do.
      EXPECT_LT(std::chrono::steady_clock::now() - sent, std::chrono::seconds(2));
      EXPECT_FALSE(std::filesystem::exists(folder_ / "t.csv"));
    }
}

TEST_F(Testbed, PressesPlatesAndTurnsRings) {
  const Ending plate = grouser({"testbed", "plate", "--soil", "cmu-sand", "--diameter", "0.06",
                                "--spacing", "0.01", "--depth", "0.01", "-o", "p.csv"});
  EXPECT_EQ(plate.code, 0) << plate.err;
  EXPECT_TRUE(contains(folder_.read("p.csv"), "sinkage [m],force [N],pressure [Pa]"));
  const Ending shear = grouser({"testbed", "shear", "--diameter", "0.3", "--inner", "0.2"});
  EXPECT_EQ(shear.code, 0) << shear.err;
  EXPECT_TRUE(contains(shear.out, "shear stress [Pa]"));
  const Ending short_of = grouser({"testbed", "shear", "--distance", "0.01"});
  EXPECT_EQ(short_of.code, 0) << short_of.err;
  EXPECT_TRUE(contains(short_of.err, "shear stress still grows"));
}

TEST_F(Testbed, RefusesWhatItCannotTest) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Ending ending = grouser(words);
    EXPECT_EQ(ending.code, 2) << ending.err;
    EXPECT_TRUE(contains(ending.err, why)) << ending.err;
  };
  refused({"testbed", "weel"}, "did you mean 'wheel'?");
  refused({"testbed", "wheel", "--soil", "dry-sandd"}, "did you mean 'dry-sand'?");
  refused({"testbed", "wheel", "--set", "cohesionn=3"}, "cohesion");
  refused({"testbed", "wheel", "--set", "n=4"}, "soil.n must");
  refused({"testbed", "wheel", "--load", "-3"}, "--load must be positive");
  refused({"testbed", "wheel", "--load", "50,0"}, "--load must be positive, is 0");
  refused({"testbed", "wheel", "--slip", "1.5"}, "--slip must lie in [-1, 1], is 1.5");
  refused({"testbed", "wheel", "--slip", "0:2:0.5"}, "--slip must lie in [-1, 1], is 1.5");
  refused({"testbed", "wheel", "--slip", "0.1,x"}, "--slip must be a number, is 'x'");
  refused({"testbed", "wheel", "--slip", "0:1"}, "FIRST:LAST:STEP, is '0:1'");
  refused({"testbed", "wheel", "--slip", "0:1:-0.1"}, "the step must lead from 0 to 1, is -0.1");
  refused({"testbed", "wheel", "--slip", "0:1:0"}, "the step must lead from 0 to 1, is 0");
  refused({"testbed", "wheel", "--slip", "0:1:1e-9"}, "more than 10000 numbers");
  refused({"testbed", "wheel", "--slip-angle", "91"}, "--slip-angle must lie in [-90, 90], is 91");
  refused({"testbed", "wheel", "--heading", "nan"}, "--heading must");
  refused({"testbed", "wheel", "--period", "0"}, "--period must lie in");
  refused({"testbed", "wheel", "--radius", "-0.1"}, "--radius must be positive, is -0.1");
  refused({"testbed", "wheel", "--distance", "1e300"}, "--distance 1e+300 at --speed 0.05 takes");
  refused({"testbed", "wheel", "--speed", "1e3"}, "--speed must be at most 25");
  refused({"testbed", "wheel", "--pressure", "1e3"}, "--pressure means nothing with wheel");
  refused({"testbed", "shear", "--slip", "0.1"}, "--slip means nothing with shear");
  refused({"testbed", "shear", "--pressure", "0"}, "--pressure must be positive, is 0");
  refused({"testbed", "shear", "--soil", "grc-1-fit-b"}, "--pressure 10000: grc-1-fit-b does not");
  refused({"testbed", "shear", "--side", "1"}, "--side means nothing with shear");
  refused({"testbed", "shear", "--inner", "0.2"}, "--inner must lie in (0, 0.2), is 0.2");
  refused({"testbed", "shear", "--spacing", "0.03"}, "--spacing must be at most 0.025, half the");
  refused({"testbed", "plate", "--inner", "0.1"}, "--inner means nothing with plate");
  refused({"testbed", "plate", "--side", "-1"}, "--side must be positive, is -1");
  refused({"testbed", "plate", "--side", "1", "--diameter", "1"}, "not both");
  refused({"testbed", "press", "--body", "spere"}, "did you mean 'sphere'?");
  refused({"testbed", "press", "--body", "sphere", "--side", "1"}, "--side means nothing with");
  refused({"testbed", "press", "--preset", "mer"}, "--preset means nothing with --body plate");
  refused({"testbed", "press", "--body", "sphere", "--depth", "0.2"},
          "--depth must be at most 0.1");
  refused({"testbed", "press", "--reload", "0.05"}, "--reload must lie in (0, 0.03], is 0.05");
  refused({"testbed", "wheel", "--mesh", "no.obj"}, "no.obj");
  refused({"testbed", "wheel", "--spacing", "3"}, "soil.spacing");
  refused({"testbed", "wheel", "--spacing", "1e-7"}, "--spacing must be at least 0.000125");
}

TEST_F(Testbed, ListsSoilsAndTellsAboutOne) {
  const Ending all = grouser({"soils"});
  EXPECT_EQ(all.code, 0);
  EXPECT_TRUE(contains(all.out, "lete-sand"));
  const Ending one = grouser({"soils", "lete-sand"});
  EXPECT_EQ(one.code, 0);
  EXPECT_TRUE(contains(one.out, "Wong"));
  EXPECT_TRUE(contains(one.out, "k_phi"));
  EXPECT_EQ(grouser({"soils", "lete-sandd"}).code, 2);
}

}  // namespace
}  // namespace grouser
