// What residuals and their derivatives at a best fit say about its parameters.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "grouser/calibration/fit_problem.h"

namespace grouser {

/// Throws InputError that names a parameter without influence, or those that only act together.
void require_told_apart(const std::vector<FitParameter>& parameters,
                        const Eigen::MatrixXd& jacobian);

/// Sets bounds, standard errors, intervals and correlations; `result` has its residuals. `u` is the
/// best fit.
void judge(const FitProblem& problem, const std::vector<FitParameter>& parameters,
           std::span<const double> u, const Eigen::MatrixXd& jacobian, FitResult& result);

}  // namespace grouser
