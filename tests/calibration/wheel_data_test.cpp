#include "grouser/calibration/wheel_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace grouser {
namespace {

WheelData parsed(const std::string& text) {
  return parse_wheel_data(text, "w.csv");
}

/// What reading says that is refused; empty if it is not.
std::string refusal(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(WheelData, ConvertsUnits) {
  const WheelData data = parsed(
      "# a comment, with a comma\n"
      "slip [%], Sinkage [mm], traction [N], torque, side_force [kN], load, slip angle [deg], "
      "speed [mm/s]\n"
      "\n"
      " 20, 7.5, 14.5, 4.2, 0.003, 80, 30, 20\r\n"
      "# and another\n"
      "30,,15,4.8,,80,0,20\n");
  ASSERT_EQ(data.rows.size(), 2u);
  const WheelRow& row = data.rows[0];
  // One multiplication each.
  EXPECT_DOUBLE_EQ(row.slip, 0.2);
  EXPECT_DOUBLE_EQ(row[WheelQuantity::sinkage], 0.0075);
  EXPECT_DOUBLE_EQ(row[WheelQuantity::drawbar], 14.5);
  EXPECT_DOUBLE_EQ(row[WheelQuantity::torque], 4.2);
  EXPECT_DOUBLE_EQ(row[WheelQuantity::side], 3.0);
  EXPECT_DOUBLE_EQ(row.load, 80.0);
  EXPECT_DOUBLE_EQ(row.slip_angle, std::numbers::pi / 6.0);
  EXPECT_DOUBLE_EQ(row.speed, 0.02);
  EXPECT_EQ(row.place.line, 4);
  EXPECT_FALSE(data.rows[1].has(WheelQuantity::sinkage));
  EXPECT_EQ(data.count(WheelQuantity::sinkage), 1u);
  EXPECT_EQ(data.count(WheelQuantity::torque), 2u);
}

TEST(WheelData, KnowsTheColumnsOfTheTestbed) {
  const WheelData data =
      parsed("slip,sinkage [m],drawbar pull [N],side force [N],torque [Nm]\n0.1,0.01,5,0.1,2\n");
  EXPECT_TRUE(std::isnan(data.rows[0].load));
  EXPECT_TRUE(std::isnan(data.rows[0].speed));
  // A side force at no slip angle is none to fit.
  EXPECT_EQ(data.count(WheelQuantity::side), 0u);
  EXPECT_EQ(data.count(WheelQuantity::drawbar), 1u);
}

TEST(WheelData, PassesOverScatter) {
  const WheelData data = parsed(
      "slip,load [N],sinkage [m],sinkage scatter [m],torque [Nm],torque scatter [Nm]\n"
      "0.1,80,0.01,0.002,3,0.5\n");
  EXPECT_EQ(data.rows[0].load, 80.0);
  EXPECT_EQ(data.rows[0][WheelQuantity::sinkage], 0.01);
  EXPECT_EQ(data.rows[0][WheelQuantity::torque], 3.0);
  EXPECT_FALSE(refusal("slip,sinkage scatter [m]\n0.1,0.01\n").empty());  // nothing is measured
}

TEST(WheelData, ReadsWhatItWrites) {
  const WheelData data = parsed(
      "slip,slip angle,load,sinkage,drawbar,side\n0.1,0.2,80,0.01,5.25,-3\n0.3,0,70,,1e-7,\n");
  const std::string text = wheel_data_text(data, "one line\nand another");
  EXPECT_TRUE(text.starts_with("# one line\n# and another\nslip,slip angle [rad],load [N],"));
  EXPECT_EQ(text.find("torque"), std::string::npos);
  EXPECT_EQ(wheel_data_text(parsed(text), "one line\nand another"), text);
}

TEST(WheelDataRefusals, TellWhereAndWhatWouldBeRight) {
  EXPECT_EQ(refusal("slip,sinkag\n"),
            "w.csv:1:6: there is no column 'sinkag'; did you mean "
            "'sinkage'?");
  EXPECT_EQ(refusal("# c\n\nsinkage,torque\n1,2\n"), "w.csv:3: there must be a column 'slip'");
  EXPECT_EQ(refusal("slip,load\n0,1\n"),
            "w.csv:1: there must be a measured column: drawbar pull, sinkage, torque or side "
            "force");
  EXPECT_EQ(refusal("slip, sinkage [N]\n"),
            "w.csv:1:7: the unit of 'sinkage' must be m or cm or mm, is 'N'");
  EXPECT_EQ(refusal("slip,sinkage [m\n"), "w.csv:1:6: the bracket [ of a unit must close");
  EXPECT_EQ(refusal("slip,drawbar,traction\n"), "w.csv:1:14: there are two columns 'drawbar pull'");
  EXPECT_EQ(refusal("slip,torque\n0.1,two\n"), "w.csv:2:5: torque must be a number, is 'two'");
  EXPECT_EQ(refusal("slip,torque\n,2\n"), "w.csv:2:1: slip must be a number, is ''");
  EXPECT_EQ(refusal("slip,torque\n0.1,2,3\n"),
            "w.csv:2: there must be 2 numbers, as the first line has columns; there are 3");
  EXPECT_EQ(refusal("slip,torque\n20,2\n"),
            "w.csv:2:1: slip must lie in (-1, 1), is 20; percent are written 'slip [%]'");
  EXPECT_EQ(refusal("slip,torque\n-1,2\n").find("w.csv:2:1: slip must lie in (-1, 1)"), 0u);
  EXPECT_EQ(refusal("slip,torque,load\n0,2,0\n"), "w.csv:2:5: load must be positive, is 0");
  EXPECT_EQ(refusal("slip,torque,load\n0,2,-0\n"), "w.csv:2:5: load must be positive, is -0");
  EXPECT_EQ(refusal("slip,torque\n0,nan\n"), "w.csv:2:3: torque must be finite");
  EXPECT_EQ(refusal("slip,torque\n0,1e999\n"), "w.csv:2:3: torque must be finite");
  EXPECT_NE(refusal("slip,torque,slip angle\n0,2,30\n").find("'slip angle [deg]'"),
            std::string::npos);
  EXPECT_EQ(refusal("slip,torque\n"), "w.csv: there is no row of numbers");
  EXPECT_EQ(refusal("# nothing\n"), "w.csv: there is no line that names the columns");
}

TEST(WheelDataRefusals, HoldForFiles) {
  EXPECT_THROW(read_wheel_data("/no/such/file.csv"), InputError);
}

TEST(WheelData, ThatIsShippedCanBeRead) {
  const WheelData ding = read_wheel_data(GROUSER_SCENES "/measurements/ding2011_smooth.csv");
  EXPECT_EQ(ding.rows.size(), 6u);
  EXPECT_EQ(ding.count(WheelQuantity::torque), 6u);
  EXPECT_DOUBLE_EQ(ding.rows[5][WheelQuantity::sinkage], 0.0175);
  const WheelData cmu = read_wheel_data(GROUSER_SCENES "/measurements/cmu_smooth.csv");
  EXPECT_EQ(cmu.rows.size(), 5u);
  EXPECT_GT(cmu.rows[0].load, 20.0);
}

}  // namespace
}  // namespace grouser
