// Stands in for least_squares.cpp in a build without Ceres.
#include "grouser/base/error.h"
#include "grouser/calibration/least_squares.h"

namespace grouser {

std::vector<double> FitResult::values() const {
  std::vector<double> out;
  for (const FittedParameter& p : parameters) out.push_back(p.value);
  return out;
}

bool can_fit() {
  return false;
}

FitResult fit(const std::vector<FitParameter>&, std::size_t, const ResidualFunction&,
              const FitOptions&) {
  throw InputError("this build fits no parameters; build with GROUSER_WITH_CERES=ON");
}

}  // namespace grouser
