#include "grouser/calibration/wheel_fit.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"

namespace grouser {
namespace {

/// Mean of |quantity| over the rows that have it.
double mean_size(const WheelData& data, WheelQuantity quantity) {
  double sum = 0.0;
  for (const WheelRow& row : data.rows)
    if (row.has(quantity)) sum += std::abs(row[quantity]);
  return sum / static_cast<double>(std::max<std::size_t>(1, data.count(quantity)));
}

double mean_load(const WheelData& data) {
  double sum = 0.0;
  for (const WheelRow& row : data.rows) sum += row.load;
  return sum / static_cast<double>(data.rows.size());
}

/// What 1 / the residual's unit is, for every quantity of a row.
std::array<double, kWheelQuantities.size()> factors_of(const WheelFitDef& def,
                                                       const WheelRow& row) {
  const WheelFitScales& s = def.scales;
  const double sinkage = s.sinkage * mean_size(def.data, WheelQuantity::sinkage);
  std::array<double, kWheelQuantities.size()> out = {
      s.drawbar * row.load, sinkage, s.torque * row.load * def.radius, s.side * row.load};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = s.weights[i] / out[i];
  return out;
}

void require_complete(const WheelFitDef& def) {
  for (const WheelRow& row : def.data.rows) {
    if (std::isnan(row.load)) throw InputError(row.place, "the load of this row is not known");
    if (std::isnan(row.speed)) throw InputError(row.place, "the speed of this row is not known");
  }
  const bool sinks = mean_size(def.data, WheelQuantity::sinkage) > 0.0;
  if (def.data.count(WheelQuantity::sinkage) > 0 && !sinks)
    throw InputError(Place{def.data.path}, "the measured sinkage is zero in all rows");
}

bool counts(const WheelFitDef& def, const WheelRow& row, WheelQuantity q) {
  return row.has(q) && def.scales.weights[static_cast<std::size_t>(q)] > 0.0;
}

}  // namespace

SteadyQuery query_of(const WheelRow& row) {
  SteadyQuery query;
  query.load = row.load;
  query.slip = row.slip;
  query.slip_angle = row.slip_angle;
  query.speed = row.speed;
  return query;
}

double value_of(const SteadyWheel& wheel, WheelQuantity quantity) {
  switch (quantity) {
    case WheelQuantity::drawbar:
      return wheel.drawbar;
    case WheelQuantity::sinkage:
      return wheel.sinkage;
    case WheelQuantity::torque:
      return wheel.torque;
    case WheelQuantity::side:
      return wheel.side;
  }
  return 0.0;
}

std::vector<WheelQuantity> quantities_of(const WheelFitDef& def) {
  std::vector<WheelQuantity> out;
  for (const WheelQuantity q : kWheelQuantities)
    if (def.data.count(q) > 0 && def.scales.weights[static_cast<std::size_t>(q)] > 0.0)
      out.push_back(q);
  return out;
}

std::size_t residual_count(const WheelFitDef& def) {
  std::size_t count = 0;
  for (const WheelRow& row : def.data.rows)
    for (const WheelQuantity q : kWheelQuantities) count += counts(def, row, q) ? 1 : 0;
  return count;
}

WheelFitResult fit_wheel(const WheelFitDef& def) {
  require_complete(def);
  std::vector<std::array<double, kWheelQuantities.size()>> factors;
  for (const WheelRow& row : def.data.rows) factors.push_back(factors_of(def, row));

  const auto residuals = [&](std::span<const double> parameters, std::span<double> out) {
    const std::vector<double> values(parameters.begin(), parameters.end());
    std::size_t next = 0;
    for (std::size_t i = 0; i < def.data.rows.size(); ++i) {
      const WheelRow& row = def.data.rows[i];
      const SteadyWheel wheel = def.predict(values, query_of(row));
      if (!wheel.carried) return false;
      for (const WheelQuantity q : kWheelQuantities)
        if (counts(def, row, q))
          out[next++] = (value_of(wheel, q) - row[q]) * factors[i][static_cast<std::size_t>(q)];
    }
    GROUSER_ASSERT(next == out.size());
    return true;
  };
  WheelFitResult result;
  result.fit = fit(def.parameters, residual_count(def), residuals, def.options);
  const std::vector<double> values = result.fit.values();
  for (const WheelRow& row : def.data.rows)
    result.predicted.push_back(def.predict(values, query_of(row)));
  result.quantities = compare_wheel(def.data, def.radius, result.predicted);
  return result;
}

std::vector<QuantityFit> compare_wheel(const WheelData& data, double radius,
                                       const std::vector<SteadyWheel>& predicted) {
  GROUSER_ASSERT(predicted.size() == data.rows.size() && radius > 0.0);
  std::vector<QuantityFit> out;
  for (const WheelQuantity q : kWheelQuantities) {
    QuantityFit fit{q, data.count(q), 0.0, 0.0, 0.0};
    if (fit.count == 0) continue;
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
      if (!data.rows[i].has(q)) continue;
      const double deviation = value_of(predicted[i], q) - data.rows[i][q];
      fit.rms += deviation * deviation / static_cast<double>(fit.count);
      fit.largest = std::max(fit.largest, std::abs(deviation));
    }
    fit.rms = std::sqrt(fit.rms);
    const double load = mean_load(data);
    fit.share = fit.rms / (q == WheelQuantity::sinkage  ? mean_size(data, q)
                           : q == WheelQuantity::torque ? load * radius
                                                        : load);
    out.push_back(fit);
  }
  return out;
}

}  // namespace grouser
