// Measurements of a single wheel on soil: comma-separated values, one steady state per line.
//
//   # Ding et al. (2011), smooth wheel
//   slip, drawbar pull [N], sinkage [mm], torque [Nm]
//   0.1,  11.0,             5.5,          3.0
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "grouser/base/error.h"

namespace grouser {

/// What is measured of a wheel and can be fitted.
enum class WheelQuantity { drawbar, sinkage, torque, side };
inline constexpr std::array kWheelQuantities = {WheelQuantity::drawbar, WheelQuantity::sinkage,
                                                WheelQuantity::torque, WheelQuantity::side};
/// "drawbar pull", "sinkage", "torque", "side force"
std::string name_of(WheelQuantity quantity);
/// "N", "m", "Nm", "N"
std::string unit_of(WheelQuantity quantity);

/// One steady state; NaN is what was not measured.
struct WheelRow {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  double slip = 0.0;        ///< above -1 and below 1
  double slip_angle = 0.0;  ///< [rad]
  double load = kNone;      ///< [N]
  double speed = kNone;     ///< of the faster of rim and travel [m/s]
  std::array<double, kWheelQuantities.size()> measured = {kNone, kNone, kNone, kNone};
  Place place;

  double& operator[](WheelQuantity q) { return measured[static_cast<std::size_t>(q)]; }
  double operator[](WheelQuantity q) const { return measured[static_cast<std::size_t>(q)]; }
  /// A side force without a slip angle is chance; no model could follow it.
  bool has(WheelQuantity q) const;
};

struct WheelData {
  std::string path;
  std::vector<WheelRow> rows;  ///< at least one

  /// In how many rows.
  std::size_t count(WheelQuantity quantity) const;
};

/// Reads a file. The first line that is no comment (#) names the columns, each with a unit in
/// brackets or without one in SI: slip, and some of sinkage, drawbar pull (drawbar, traction),
/// torque, side force, load, slip angle, speed. What was not measured in a row is left empty.
/// Columns "... scatter" are passed over.
/// Throws InputError with file, line and column.
WheelData read_wheel_data(const std::string& path);

/// The same from a text; `path` stands for the file in messages.
WheelData parse_wheel_data(std::string_view text, const std::string& path);

/// Such a file, with the columns that some row has a number for.
std::string wheel_data_text(const WheelData& data, const std::string& comment);

}  // namespace grouser
