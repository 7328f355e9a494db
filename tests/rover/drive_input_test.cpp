// What a scene may say of a drive, and what is refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "grouser/rover/driver.h"
#include "grouser/scene/toml_reader.h"
#include "tests/rover/drive_rover.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

std::vector<ManoeuvreDef> read(const std::string& text) {
  return read_drive(read_toml_text("[[drive]]\n" + text, "d.toml"), "");
}
std::string refusal(const std::string& text) {
  return message_of<InputError>([&] { read(text); });
}
std::string table_refusal(const std::string& text) {
  return message_of<InputError>([&] { parse_drive_table(text, "t.csv"); });
}

TEST(DriveInput, ReadsManoeuvresInTheirOrder) {
  const auto defs = read(
      "manoeuvre = 'arc'\nspeed = -0.05\nradius = 2\nangle = 1\n"
      "[[drive]]\nmanoeuvre = 'path'\nspeed = 0.1\nwaypoints = [[1, 2], [3, 4]]\nlookahead = 0.5\n"
      "[[drive]]\nmanoeuvre = 'wait'\nduration = 3\n");
  ASSERT_EQ(defs.size(), 3u);
  EXPECT_EQ(defs[0].kind, ManoeuvreDef::Kind::arc);
  EXPECT_EQ(defs[0].speed, -0.05);
  EXPECT_EQ(defs[0].radius, 2.0);
  EXPECT_EQ(defs[0].angle, 1.0);
  EXPECT_TRUE(std::isnan(defs[0].distance));
  EXPECT_EQ(defs[1].waypoints[1], Vec2(3, 4));
  EXPECT_EQ(defs[1].lookahead, 0.5);
  EXPECT_EQ(defs[2].duration, 3.0);
  EXPECT_EQ(defs[2].place.line, 11);
  EXPECT_TRUE(read_drive(read_toml_text("", "d.toml"), "").empty());
}

TEST(DriveInput, RefusesWhatIsNoManoeuvre) {
  EXPECT_EQ(refusal("manoeuvre = 'ark'\n"),
            "d.toml:2:13: drive.manoeuvre is 'ark'; it must be one of straight, arc, crab, "
            "point_turn, climb, step, path, table, wait");
  EXPECT_EQ(refusal("speed = 1\n"), "d.toml:1:1: drive.manoeuvre is missing (what to do)");
  EXPECT_TRUE(contains(refusal("manoeuvre = 'wait'\nlenght = 1\n"), "unknown key drive.lenght"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'wait'\nduration = 1\nspeed = 1\n"),
                       "d.toml:4:9: drive 'wait' has no speed; it has duration"));
}

TEST(DriveInput, RefusesAMissingSpeed) {
  EXPECT_EQ(refusal("manoeuvre = 'straight'\ndistance = 1\n"),
            "d.toml:1:1: drive 'straight': drive.speed is missing (of the rover; negative: "
            "backwards)");
}

TEST(DriveInput, WantsExactlyOneLength) {
  EXPECT_EQ(refusal("manoeuvre = 'straight'\nspeed = 1\ndistance = 1\nduration = 1\n"),
            "d.toml:5:12: drive 'straight' needs only one of distance, duration, has more");
  EXPECT_EQ(refusal("manoeuvre = 'arc'\nradius = 1\nspeed = 1\n"),
            "d.toml:1:1: drive 'arc' needs one of distance, angle, duration");
}

TEST(DriveInput, RefusesNumbersThatMakeNoSense) {
  EXPECT_EQ(refusal("manoeuvre = 'straight'\nspeed = 0\ndistance = 1\n"),
            "d.toml:3:9: drive.speed must not be 0: the manoeuvre would never end; to stand still, "
            "manoeuvre = \"wait\"");
  EXPECT_TRUE(contains(refusal("manoeuvre = 'straight'\nspeed = nan\ndistance = 1\n"),
                       "d.toml:3:9: drive.speed must be finite"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'arc'\nspeed = 1\nradius = 0\ndistance = 1\n"),
                       "d.toml:4:10: drive.radius must not be 0; to turn on the spot"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'arc'\nspeed = 1\nradius = 1\nangle = -1\n"),
                       "d.toml:5:9: drive.angle of an arc must be positive, is -1"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'point_turn'\nangle = 0\n"), "must not be 0"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'straight'\nspeed = 1\ndistance = -1\n"),
                       "d.toml:4:12: drive.distance must lie in (0, "));
}

TEST(DriveInput, RefusesPathsThatAreNone) {
  EXPECT_EQ(refusal("manoeuvre = 'path'\nspeed = 1\nwaypoints = []\n"),
            "d.toml:4:13: drive.waypoints must have at least one point");
  EXPECT_TRUE(contains(refusal("manoeuvre = 'path'\nspeed = 1\nwaypoints = [[1, nan]]\n"),
                       "drive.waypoints.0 must be finite"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'path'\nspeed = 1\nwaypoints = [[1, 1], [1, 1]]\n"),
                       "drive.waypoints.1 is the same as the one before it"));
  EXPECT_EQ(refusal("manoeuvre = 'path'\nspeed = 1\nwaypoints = [[1, 1]]\nlookahead = 0\n"),
            "d.toml:5:13: drive.lookahead must be positive, is 0");
}

TEST(DriveInput, RefusesRowsThatAreNoTable) {
  const std::string head = "manoeuvre = 'table'\nrows = ";
  EXPECT_TRUE(contains(refusal(head + "[[0, 1]]\n"),
                       "d.toml:3:8: drive.rows: there must be at "
                       "least two rows, there is one"));
  EXPECT_TRUE(contains(refusal(head + "[[0, 1], [0, 1]]\n"),
                       "d.toml:3:17: drive.rows: times must increase: 0 comes after 0"));
  EXPECT_TRUE(contains(refusal(head + "[[1, 1], [2, 1]]\n"), "the first time must be 0, is 1"));
  EXPECT_TRUE(contains(refusal(head + "[[0], [2, 1]]\n"), "drive.rows.0 must have 2 to 4 numbers"));
  EXPECT_TRUE(contains(refusal(head + "[[0, 1], [2, inf]]\n"), "must be finite"));
  EXPECT_TRUE(contains(refusal("manoeuvre = 'table'\n"), "needs one of file, rows"));
  EXPECT_EQ(refusal("manoeuvre = 'table'\nfile = 'no.csv'\n"),
            "d.toml:3:8: drive.file: there is no file 'no.csv'");
}

TEST(DriveInput, ReadsATableOfCommaSeparatedValues) {
  const DriveTable t = parse_drive_table(
      "# a drive\nTime [s], speed [mm/s], direction [deg]\n0, 0, 0\n\n2, 50, 90\n", "t.csv");
  ASSERT_EQ(t.rows.size(), 2u);
  EXPECT_FALSE(t.by_yaw_rate);
  EXPECT_EQ(t.rows[1].speed, 0.05);
  EXPECT_NEAR(t.rows[1].direction, 0.5 * kPi, 1e-15);
  std::size_t index = 0;
  EXPECT_NEAR(t.at(0.5, index).speed, 0.0125, 1e-17);  // linear
  EXPECT_EQ(t.at(9.0, index).speed, 0.05);
  EXPECT_TRUE(parse_drive_table("time,speed,yaw_rate\n0,0,0\n1,0,1\n", "t.csv").by_yaw_rate);
}

TEST(DriveInput, RefusesTablesWithTheirPlace) {
  EXPECT_EQ(table_refusal("time,sped\n0,1\n"),
            "t.csv:1:6: there is no column 'sped'; did you mean 'speed'?");
  EXPECT_TRUE(
      contains(table_refusal("time,curvature\n0,1\n"), "t.csv:1: there must be a column 'speed'"));
  EXPECT_TRUE(contains(table_refusal("time,speed,speed\n"), "t.csv:1:12: there are two columns"));
  EXPECT_TRUE(contains(table_refusal("time,speed,curvature,yaw_rate\n"), "not both"));
  EXPECT_EQ(table_refusal("time,speed [km/h]\n0,1\n"),
            "t.csv:1:6: the unit of 'speed' must be m/s or mm/s, is 'km/h'");
  EXPECT_EQ(table_refusal("time,speed\n0,0\n1,fast\n"),
            "t.csv:3:3: speed must be a number, is 'fast'");
  EXPECT_EQ(table_refusal("time,speed\n0,0\n1,nan\n"), "t.csv:3:3: speed must be finite");
  EXPECT_TRUE(contains(table_refusal("time,speed\n0,0\n1\n"), "t.csv:3: there must be 2 numbers"));
  EXPECT_EQ(table_refusal("speed, time\n0,0\n1,  2\n2, 1\n"),
            "t.csv:4:4: times must increase: 1 comes after 2");
  EXPECT_TRUE(contains(table_refusal("time,speed\n0,0\n"), "there must be at least two rows"));
  EXPECT_TRUE(contains(table_refusal("# nothing\n"), "no line that names the columns"));
}

TEST(DriveInput, ATableThatEndsEarlySaysSoWithItsFile) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "drive_input";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "drive.csv") << "time,speed,yaw_rate\n0,0,0\n2,0.1,0\n4,0,0.1\n";
  const auto defs =
      read_drive(read_toml_text("[[drive]]\nmanoeuvre = 'table'\nfile = 'drive.csv'\n", "d.toml"),
                 folder.string());
  ASSERT_EQ(defs[0].table.rows.size(), 3u);
  const Driver driver({}, defs, six_wheels(true));
  const std::vector<std::string> notes = driver.notes(20.0);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(contains(notes[0], "drive.csv' is that of 4 s"));
  EXPECT_TRUE(contains(notes[1], "stands still from then on"));
}

TEST(DriveInput, IsCheckedForDefinitionsWrittenInCppToo) {
  const auto refused = [](const ManoeuvreDef& def) {
    return message_of<InputError>([&] { Driver({}, {def}, six_wheels(true)); });
  };
  ManoeuvreDef def;
  EXPECT_TRUE(contains(refused(def), "drive 'straight': drive.speed is missing"));
  def.speed = 0.1;
  EXPECT_TRUE(contains(refused(def), "drive 'straight' needs one of distance, duration"));
  def.distance = -1.0;
  EXPECT_TRUE(contains(refused(def), "drive.distance must lie in (0, "));
  DriveDef settings;
  settings.acceleration = 0.0;
  EXPECT_TRUE(contains(message_of<InputError>([&] { Driver(settings, {}, six_wheels(true)); }),
                       "rover.acceleration must be positive"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { Driver({}, {}, {}); }), "at least one wheel"));
}

TEST(DriveInput, RefusesACrabOfARoverWithoutSteering) {
  const auto defs = read("manoeuvre = 'crab'\nspeed = 1\ndirection = 0.5\ndistance = 1\n");
  EXPECT_EQ(message_of<InputError>([&] { Driver({}, defs, four_fixed_wheels()); }),
            "d.toml:1:1: drive.0 (crab) needs steered wheels; the rover has none");
}

TEST(DriveInput, SettingsAreReadFromATable) {
  DriveDef def;
  const Value text = read_toml_text("acceleration = 0.5\non_stuck = 'stop'\n", "d.toml");
  drive_settings_parameters().read(text, def, "rover");
  EXPECT_EQ(def.acceleration, 0.5);
  EXPECT_EQ(def.on_stuck, DriveDef::OnStuck::stop);
  EXPECT_EQ(def.control_period, 0.1);
}

}  // namespace
}  // namespace grouser
