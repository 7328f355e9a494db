// Wheel-soil models as functions of keys: what a scene's [[contact]] can say, a fit can find.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/calibration/least_squares.h"
#include "grouser/calibration/wheel_data.h"
#include "grouser/laws/wheel_soil.h"

namespace grouser {

/// A wheel of one model on one soil.
struct WheelModelDef {
  std::string model;  ///< "terra"
  SoilDef soil;
  WheelSize size;
  double gravity = 9.81;  ///< [m/s^2]
  Value keys;             ///< of a [[contact]]: what is given, and where fits start
};

/// A number that can be fitted, with its value as the model is given.
struct WheelKey {
  std::string key;  ///< "terra.friction", "properties.n", "grouser_share"
  std::string unit;
  std::string meaning;
  Range range;  ///< that the model takes
  double value = 0.0;
  /// The model takes 0, or less, for "from the soil and the wheel"; `value` is what comes of that.
  bool automatic = false;
};

/// All of a model: of its own table, of the soil's properties, of the wheel. Throws InputError if
/// there is no such model, or `keys` is not what it takes.
std::vector<WheelKey> wheel_keys(const WheelModelDef& def);

/// The key of that name; throws InputError with the nearest one.
const WheelKey& wheel_key(const std::vector<WheelKey>& keys, const std::string& name);

/// Where a fit may look: the declared range where it has ends, a tenth to ten times the value where
/// it has none. Throws InputError where that says nothing.
FitParameter default_bounds(const WheelKey& key);

/// Keys that are worth fitting if these quantities were measured, and those left out since what
/// they act on was not.
struct UsualKeys {
  std::vector<std::string> fitted, left_out;
};
UsualKeys usual_keys(const std::string& model, std::span<const WheelQuantity> measured);

/// What the model says, as a function of the values of `keys`. For one thread: it keeps the wheel
/// it made last.
std::function<SteadyWheel(const std::vector<double>&, const SteadyQuery&)> wheel_prediction(
    const WheelModelDef& def, const std::vector<std::string>& keys);

}  // namespace grouser
