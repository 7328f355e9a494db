// Parameters of a model from measurements, by least squares, and how far to trust them.
//
// The trust-region solver is Ceres, in a plugin (ceres_door.h). What a fit cannot know is refused:
// more parameters than measurements, a parameter that nothing depends on, parameters that only act
// together.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace grouser {

struct FitParameter {
  std::string name;
  double start = 0.0;
  double lower = 0.0, upper = 0.0;  ///< may be infinite
};

/// Sets all residuals at given parameters, each divided by the error one expects of its
/// measurement, so that 1 is a usual one. False: the model has no answer there.
using ResidualFunction =
    std::function<bool(std::span<const double> parameters, std::span<double> residuals)>;

struct FitOptions {
  int starts = 8;        ///< from how many places; the first is the given one
  int iterations = 200;  ///< at most, from each of them
  /// Gets the share that is done; false ends the fit with RunError.
  std::function<bool(double)> progress = {};
};

struct FittedParameter {
  enum class Bound { none, lower, upper };

  std::string name;
  double value = 0.0;
  Bound bound = Bound::none;  ///< that it ended at
  // NaN at a bound, where the theory of small errors to both sides does not hold.
  double standard_error = 0.0;
  double low = 0.0, high = 0.0;  ///< 95 % confidence interval
};

struct FitResult {
  std::vector<FittedParameter> parameters;
  Eigen::MatrixXd correlation;  ///< of the parameters; NaN for those at a bound
  std::vector<double> residuals;
  double residual_sum = 0.0;        ///< of squares
  double rms = 0.0;                 ///< root of their mean
  std::size_t degrees = 0;          ///< of freedom: residuals less parameters
  double residual_deviation = 0.0;  ///< root of residual_sum / degrees
  int iterations = 0;               ///< of the start that was best
  int agreeing_starts = 0;          ///< that ended at the same sum, to 1e-6
  bool converged = false;
  std::string message;  ///< why it ended

  std::vector<double> values() const;
};

/// The smallest sum of squares within the bounds that is found from several starts: the given one,
/// and points spread evenly over the bounds. Standard errors are those of a linear model with the
/// scatter of the residuals (Seber and Wild 1989, 5.1), parameters at a bound taken as known. The
/// same input gives the same bits.
///
/// Throws InputError where the data do not tell the parameters: fewer than one residual more than
/// parameters; a start outside of its bounds; no start the model has an answer at; at the best fit,
/// a parameter without influence, or parameters that cannot be told apart.
FitResult fit(const std::vector<FitParameter>& parameters, std::size_t residual_count,
              const ResidualFunction& residual_function, const FitOptions& options = {});

/// Throws InputError that says what is missing if there is no solver, as fit() does.
void require_solver();

}  // namespace grouser
