// grouser calibrate.
#include "tests/cli/scenes.h"

namespace grouser {
namespace {

#ifdef GROUSER_HAVE_CERES

const std::string kDing = GROUSER_SCENES "/measurements/ding2011_smooth.csv";

class Calibrate : public CommandTest {
 protected:
  /// On the data of Ding et al.
  Ending ding(std::vector<std::string> more) const {
    more.insert(more.begin(), {"calibrate", "--data", kDing, "--soil", "ding-simulant", "--radius",
                               "0.15735", "--width", "0.165"});
    return grouser(std::move(more));
  }
  void expect_refused(const std::vector<std::string>& words, const std::string& why) const {
    expect_refusal(ding(words), 2, {why});
  }
};

TEST_F(Calibrate, FitsMeasurementsAndWritesWhatAContactTakes) {
  const Ending ending = ding({"--model", "terra", "-o", "terra.toml", "--plot", "terra.svg"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  // Progress at most, and no log of the solver.
  EXPECT_FALSE(contains(ending.err, "warning"));
  EXPECT_FALSE(contains(ending.err, ".cc"));
  for (const char* part :
       {"95 % interval", "terra.stiffness", "at its lower bound", "% of the load", "terra.toml ("})
    EXPECT_TRUE(contains(ending.out, part)) << part;
  const std::string toml = folder_.read("terra.toml");
  EXPECT_TRUE(contains(toml, "model = \"terra\""));
  EXPECT_TRUE(contains(toml, "ding2011_smooth.csv, 6 rows"));
  EXPECT_TRUE(contains(toml, "\n[terra]\nstiffness = "));
  const std::string svg = folder_.read("terra.svg");
  EXPECT_TRUE(contains(svg, "<circle"));
  EXPECT_TRUE(contains(svg, "<polyline"));
}

TEST_F(Calibrate, GivesTheSameBytesAgain) {
  const Ending first = ding({"--model", "terra", "-o", "a.toml"});
  const Ending second = ding({"--model", "terra", "-o", "b.toml"});
  EXPECT_EQ(folder_.read("a.toml"), folder_.read("b.toml"));
  EXPECT_EQ(replaced(first.out, "a.toml", "b.toml"), second.out);
}

TEST_F(Calibrate, KnowsAllModels) {
  for (const char* model : {"bekker", "bekker-janosi", "rheological"}) {
    const Ending ending = ding({"--model", model, "-o", "m.toml", "--quiet"});
    EXPECT_EQ(ending.code, 0) << model << ": " << ending.err;
    EXPECT_EQ(ending.out, "");
    EXPECT_TRUE(contains(folder_.read("m.toml"), std::string("model = \"") + model + "\""));
  }
}

TEST_F(Calibrate, KeepsWhatIsGiven) {
  const Ending ending =
      ding({"--model", "terra", "--start", "terra.exponent=1.25", "--start", "terra.friction=0.4",
            "--bounds", "terra.slip_sinkage=0.5:0.6", "--weight", "torque=0", "-o", "t.toml"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  const std::string toml = folder_.read("t.toml");
  EXPECT_TRUE(contains(toml, "exponent = 1.25\n"));
  EXPECT_TRUE(contains(toml, "friction = 0.4\n"));
  EXPECT_FALSE(contains(ending.out, "terra.friction"));
  EXPECT_TRUE(contains(ending.out, "not fitted: its weight is 0"));
}

TEST_F(Calibrate, LeavesOutWhatWasNotMeasured) {
  folder_.write("z.csv", "slip,sinkage [mm]\n0,5\n0.1,6\n0.2,8\n0.3,9\n0.5,12\n");
  const Ending ending = grouser({"calibrate", "--model", "terra", "--data", "z.csv", "--load", "80",
                                 "--radius", "0.15", "--width", "0.16"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  EXPECT_TRUE(contains(ending.err,
                       "not fitted, since what they act on was not measured: "
                       "terra.friction"));
  EXPECT_FALSE(contains(ending.out, "terra.friction"));
}

TEST_F(Calibrate, FitsTheSoilContactModel) {
  // A coarse and short test; docs/user/calibration.md has a good one.
  const Ending ending = grouser({"calibrate", "--model", "terra", "--against", "scm", "--spacing",
                                 "0.02", "--distance", "0.3", "--slip", "0,0.1,0.2,0.4,0.6",
                                 "--save-data", "scm.csv", "-o", "scm.toml"});
  EXPECT_EQ(ending.code, 0) << ending.err;
  const std::string csv = folder_.read("scm.csv");
  EXPECT_TRUE(contains(csv, "slip,load [N],speed [m/s],sinkage [m],drawbar pull [N],torque [Nm]"));
  EXPECT_TRUE(contains(folder_.read("scm.toml"), "# Data: scm, 5 rows"));
  // What was saved gives the same fit.
  const Ending again = grouser({"calibrate", "--model", "terra", "--data", "scm.csv", "--radius",
                                "0.125", "--width", "0.1", "-o", "again.toml", "-q"});
  EXPECT_EQ(again.code, 0) << again.err;
  const auto numbers = [&](const std::string& file) {
    const std::string text = folder_.read(file);
    return text.substr(text.find("stiffness"), 18);  // six digits: the wheel is a polygon
  };
  EXPECT_EQ(numbers("scm.toml"), numbers("again.toml"));
}

TEST_F(Calibrate, RefusesWhatItCannotFit) {
  expect_refused({"--model", "tera"}, "did you mean 'terra'?");
  expect_refused({"--model", "terra", "--fit", "terra.fricton"}, "did you mean 'terra.friction'?");
  expect_refused({"--model", "terra", "--fit", "terra.friction,terra.yield_time"},
                 "do not depend on 'terra.yield_time'");
  expect_refused({"--model", "bekker", "--fit", "properties.k_c,properties.k_phi"},
                 "cannot tell 'properties.k_c', 'properties.k_phi' apart");
  expect_refused({"--model", "terra", "--bounds", "terra.friction=0.5"}, "KEY=LOW:HIGH");
  expect_refused({"--model", "terra", "--bounds", "terra.friction=-1:1"},
                 "--bounds terra.friction must not be negative, is -1");
  expect_refused({"--model", "terra", "--start", "terra.frction=1"}, "terra.frction");
  expect_refused({"--model", "terra", "--start", "terra.friction=-1"}, "terra.friction must");
  expect_refused({"--model", "terra", "--weight", "drawba=1"}, "did you mean 'drawbar'?");
  expect_refused({"--model", "terra", "--slip", "0.1"}, "--slip means nothing with --data");
  expect_refused({"--model", "terra", "--against", "scm"}, "one of them");
  expect_refused({"--model", "terra", "--set", "cohesionn=3"}, "cohesion");
}

TEST_F(Calibrate, RefusesDataThatSayTooLittle) {
  const auto refused = [&](const std::string& csv, const std::string& why) {
    folder_.write("w.csv", csv);
    expect_refusal(grouser({"calibrate", "--model", "terra", "--data", "w.csv", "--radius", "0.1",
                            "--width", "0.1"}),
                   2, {why});
  };
  refused("slip,load,sinkage\n0,80,0.01\n0.1,80,0.011\n",
          "w.csv: 3 parameters need at least 4 measured numbers, there are 2");
  refused("slip,sinkage\n0,0.01\n", "w.csv: there is no column 'load'; give --load");
  refused("slip,load,sinkag\n", "w.csv:1:11: there is no column 'sinkag'");
  refused("slip,load,sinkage\n0,80,x\n", "w.csv:2:6: sinkage must be a number");
  refused("slip,load,sinkage\n0,80,0.01\n0,80,0.011\n0,80,0.012\n0,80,0.01\n",
          "w.csv: the data do not depend on 'terra.slip_sinkage'");
}

#else

TEST_F(CommandTest, CalibrateSaysWhatItNeeds) {
  expect_refusal(grouser({"calibrate", "--model", "terra", "--data", "w.csv"}), 2,
                 {"GROUSER_WITH_CERES=ON"});
}

#endif

}  // namespace
}  // namespace grouser
