// A fit in parameters of like size: what the solver sees.
#pragma once

#include <Eigen/Core>
#include <exception>
#include <span>
#include <vector>

#include "grouser/calibration/least_squares.h"

namespace grouser {

/// How far a parameter is from its bounds, as a number u. Between finite bounds u goes from 0 to 1,
/// evenly or, where both are positive and ten times or more apart, evenly in the logarithm. With a
/// bound at infinity u counts from the start, in units of it.
class FitScale {
 public:
  explicit FitScale(const FitParameter& parameter);

  double to_value(double u) const;
  double from_value(double x) const;
  double slope(double u) const;  ///< dx / du
  double lower() const { return lower_u_; }
  double upper() const { return upper_u_; }
  /// Which of them u is at, to a millionth.
  FittedParameter::Bound bound_at(double u) const;
  /// A place between the bounds, or within some units of the start; `share` from 0 to 1.
  double spread(double share) const;

 private:
  bool logarithmic_ = false;
  double lower_, upper_;  // of x
  double origin_ = 0.0, unit_ = 1.0;
  double lower_u_ = 0.0, upper_u_ = 1.0;
};

/// Residuals and their derivatives by u.
class FitProblem {
 public:
  FitProblem(const std::vector<FitParameter>& parameters, std::size_t residual_count,
             const ResidualFunction& function);

  std::size_t parameter_count() const { return scales_.size(); }
  std::size_t residual_count() const { return residual_count_; }
  const FitScale& scale(std::size_t k) const { return scales_[k]; }
  std::vector<double> values(std::span<const double> u) const;

  /// False where the model has no answer, or one that is no number.
  bool residuals(std::span<const double> u, std::span<double> out) const;
  /// By central differences; one-sided ones, of second order too, at a bound and beside places
  /// without an answer.
  bool jacobian(std::span<const double> u, Eigen::MatrixXd& out) const;

  /// The solver does not know exceptions: what the model threw is kept, and thrown here.
  void rethrow() const;

 private:
  bool column(std::span<const double> u, std::size_t k, Eigen::MatrixXd& out) const;

  std::vector<FitScale> scales_;
  std::size_t residual_count_;
  const ResidualFunction& function_;
  mutable std::exception_ptr thrown_;
};

}  // namespace grouser
