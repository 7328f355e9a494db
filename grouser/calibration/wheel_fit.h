// Parameters of a wheel-soil model from measurements of a wheel.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "grouser/calibration/least_squares.h"
#include "grouser/calibration/wheel_data.h"
#include "grouser/laws/wheel_soil.h"

namespace grouser {

/// The error one expects of a measurement; residuals are divided by it, and multiplied by the
/// weight of their quantity. A weight of 0 leaves a quantity out.
struct WheelFitScales {
  double drawbar = 0.03;  ///< of the load
  double sinkage = 0.03;  ///< of the mean measured sinkage
  double torque = 0.05;   ///< of load times radius
  double side = 0.03;     ///< of the load
  std::array<double, kWheelQuantities.size()> weights = {1.0, 1.0, 1.0, 1.0};  ///< by quantity
};

struct WheelFitDef {
  WheelData data;             ///< all rows with load and speed
  double radius = kRequired;  ///< of the wheel [m]
  std::vector<FitParameter> parameters;
  /// What the model says with given parameters, in the order of `parameters`.
  std::function<SteadyWheel(const std::vector<double>&, const SteadyQuery&)> predict;
  WheelFitScales scales;
  FitOptions options;
};

/// How well one quantity is met, in its unit.
struct QuantityFit {
  WheelQuantity quantity = WheelQuantity::drawbar;
  std::size_t count = 0;
  double rms = 0.0;
  double largest = 0.0;  ///< deviation, by size
  /// rms relative to the mean load, of torque to that times the radius, of sinkage to its mean.
  double share = 0.0;
};

struct WheelFitResult {
  FitResult fit;
  std::vector<SteadyWheel> predicted;   ///< by row
  std::vector<QuantityFit> quantities;  ///< those that were measured, also with a weight of 0
};

SteadyQuery query_of(const WheelRow& row);
double value_of(const SteadyWheel& wheel, WheelQuantity quantity);

/// Quantities that count: measured, and with a weight.
std::vector<WheelQuantity> quantities_of(const WheelFitDef& def);
/// How many numbers of the data count.
std::size_t residual_count(const WheelFitDef& def);

/// Throws InputError as fit() does, and where a row has no load or speed.
WheelFitResult fit_wheel(const WheelFitDef& def);

/// The deviations of any prediction from the data.
std::vector<QuantityFit> compare_wheel(const WheelData& data, double radius,
                                       const std::vector<SteadyWheel>& predicted);

}  // namespace grouser
