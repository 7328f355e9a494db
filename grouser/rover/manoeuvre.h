// What a scene may say of a drive: `[[drive]]`, one manoeuvre after the other.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/rover/drive_table.h"

namespace grouser {

/// One manoeuvre. Numbers that are not a number are not given; which ones a kind needs, and which
/// it may have, stands in a table at the top of manoeuvre.cpp.
struct ManoeuvreDef {
  enum class Kind { straight, arc, crab, point_turn, climb, step, path, table, wait };
  static constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

  Kind kind = Kind::straight;
  double speed = kNotGiven;      ///< of the reference point; negative: backwards [m/s]
  double distance = kNotGiven;   ///< [m]
  double duration = kNotGiven;   ///< [s]
  double angle = kNotGiven;      ///< turned; of a point turn positive to the left [rad]
  double radius = kNotGiven;     ///< of an arc; positive: its centre is on the left [m]
  double direction = kNotGiven;  ///< of a crab from the rover's x, positive to the left [rad]
  double rate = kNotGiven;       ///< of a point turn [rad/s]
  double patience = kNotGiven;   ///< of a step: time without progress until it is stuck [s]
  double lookahead = kNotGiven;  ///< of a path [m]
  double tolerance = kNotGiven;  ///< of a path, at its last waypoint [m]
  std::vector<Vec2> waypoints;   ///< of a path, in the world [m]
  std::string file;              ///< of a table
  DriveTable table;              ///< read from the file, or rows
  Place place;
};

/// How a rover is driven, whatever the manoeuvre.
struct DriveDef {
  enum class OnStuck { go_on, stop, end };

  double control_period = 0.1;  ///< between two questions to the driver [s]
  double acceleration = 0.1;    ///< of the fastest rim [m/s^2]
  double steering_rate = 0.3;   ///< [rad/s]
  double stuck_slip = 0.95;     ///< share of the commanded way that is lost
  double stuck_time = 5.0;      ///< for so long [s]
  OnStuck on_stuck = OnStuck::go_on;
};

/// Adds the keys of DriveDef to the table of a struct that derives from it.
template <class T>
void add_drive_settings(ParameterTable<T>& table) {
  table.number("control_period", &T::control_period, "s", {.lower = 1e-4, .upper = 10.0},
               "between two commands of the driver; in between they change linearly");
  table.number("acceleration", &T::acceleration, "m/s^2", positive(),
               "greatest, of the fastest wheel's rim");
  table.number("steering_rate", &T::steering_rate, "rad/s", positive(), "greatest");
  table.number("stuck_slip", &T::stuck_slip, "", within(0.0, 1.0),
               "share of the commanded way that is lost when the rover counts as stuck");
  table.number("stuck_time", &T::stuck_time, "s", {0.0, 1e6, true},
               "over which the way is measured");
  table.choice("on_stuck", &T::on_stuck, {"go on", "stop", "end"},
               "go on with the drive, stop the rover for good, or end the run as well");
}
const ParameterTable<DriveDef>& drive_settings_parameters();

inline constexpr double kDefaultPatience = 30.0;   ///< of a step [s]
inline constexpr double kDefaultTolerance = 0.05;  ///< of a path [m]
inline constexpr double kDefaultTurnSpeed = 0.05;  ///< of the fastest wheel in a point turn [m/s]

/// "point_turn"
std::string_view name_of(ManoeuvreDef::Kind kind);

const ParameterTable<ManoeuvreDef>& manoeuvre_parameters();

/// All [[drive]] of a scene; files are relative to `folder`. Throws InputError.
std::vector<ManoeuvreDef> read_drive(const Value& document, const std::string& folder);

/// The same checks for a definition written in C++. Throws InputError.
void check_manoeuvre(const ManoeuvreDef& def);

}  // namespace grouser
