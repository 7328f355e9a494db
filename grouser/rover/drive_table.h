// A drive as rows over time: speed, curvature or yaw rate, direction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grouser/base/value.h"
#include "grouser/rover/drive_geometry.h"

namespace grouser {

/// What the reference point of a rover shall do at a time; linear in between.
struct DriveRow {
  double time = 0.0;       ///< from the start of the manoeuvre [s]
  double speed = 0.0;      ///< [m/s], negative: backwards
  double curvature = 0.0;  ///< yaw rate per speed, positive to the left [1/m]
  double direction = 0.0;  ///< of travel from the rover's x, positive to the left [rad]
  double yaw_rate = 0.0;   ///< [rad/s]; instead of the curvature
  Place place;             ///< of the row, for messages
};

struct DriveTable {
  std::string file;  ///< as the user wrote it; empty: rows of the scene
  bool by_yaw_rate = false;
  std::vector<DriveRow> rows;

  double duration() const { return rows.empty() ? 0.0 : rows.back().time; }
  /// The row at `time` (without a place), the last one after the end. `index` is where the last
  /// search ended.
  DriveRow at(double time, std::size_t& index) const;
  /// Motion that a row asks for.
  PlanarMotion motion(const DriveRow& row) const;
  /// What wheels are steered for, up to a factor: a curvature tells it at rest too, a yaw rate does
  /// not, and all is zero.
  PlanarMotion shape(const DriveRow& row) const;
};

/// Columns time and speed; curvature or yaw_rate, and direction, if they are wanted. A unit may
/// stand behind a name, in brackets. Throws InputError with file, line and column.
DriveTable read_drive_table(const std::string& path);
DriveTable parse_drive_table(std::string_view text, const std::string& path);

/// [[time, speed], [time, speed, curvature], [time, speed, curvature, direction], ...]
DriveTable read_drive_rows(const Value& value, const std::string& key);

/// At least two rows of finite numbers, times from zero on and increasing. Throws InputError.
void check_drive_table(const DriveTable& table, const Place& place, const std::string& key);

}  // namespace grouser
