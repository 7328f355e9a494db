// What grouser::calibration and the plugin grouser_ceres.so say to each other, see base/plugin.h.
#pragma once

#include <cstddef>

#include "grouser/base/plugin.h"

namespace grouser {

/// Residuals to be made small, within bounds that may be infinite.
struct CeresProblem {
  void* self;
  std::size_t parameter_count, residual_count;
  const double *lower, *upper;
  int iterations;  ///< at most
  /// The residuals at `u` and, unless it is null, their Jacobian, row by row. 0: no answer there.
  PluginAnswer (*evaluate)(void* self, const double* u, double* residuals, double* jacobian);
  /// Called at every step; 0 ends the search.
  PluginAnswer (*step)(void* self, int iteration);
};

struct CeresSolution {
  double residual_sum;  ///< of squares
  int iterations;
  int usable, converged;
};

/// What grouser_plugin() of grouser_ceres.so returns.
struct CeresTable {
  static constexpr char kName[] = "ceres";
  static constexpr int kVersion = 1;

  int version;
  /// One descent from `u`, which is where it ends.
  PluginAnswer (*solve)(const CeresProblem* problem, double* u, CeresSolution* solution,
                        const PluginErrors* errors);
};

}  // namespace grouser
