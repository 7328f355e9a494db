#include "grouser/calibration/fit_problem.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

// Of differences, in u. The error of a central one is about its square, and that of rounding 1e-16
// divided by it; an iterative model with a relative error of 1e-12 still gives five digits.
constexpr double kStep = 1e-5;
// Bounds further apart than this are spread in the logarithm.
constexpr double kDecade = 10.0;
// Starts lie within so many units of the given one where there is no bound.
constexpr double kSpread = 2.0;
// Starts keep off the bounds by this share.
constexpr double kMargin = 0.05;
// In u.
constexpr double kAtBound = 1e-6;

}  // namespace

FitScale::FitScale(const FitParameter& p) : lower_(p.lower), upper_(p.upper) {
  GROUSER_ASSERT(p.lower < p.upper && p.start >= p.lower && p.start <= p.upper);
  if (std::isfinite(lower_) && std::isfinite(upper_)) {
    logarithmic_ = lower_ > 0.0 && upper_ >= kDecade * lower_;
    origin_ = logarithmic_ ? std::log(lower_) : lower_;
    unit_ = logarithmic_ ? std::log(upper_) - origin_ : upper_ - lower_;
    return;
  }
  origin_ = p.start;
  unit_ = p.start != 0.0 ? std::abs(p.start) : 1.0;
  lower_u_ = (lower_ - origin_) / unit_;
  upper_u_ = (upper_ - origin_) / unit_;
}

double FitScale::to_value(double u) const {
  const double x = origin_ + unit_ * u;
  // Rounding must not lead out of the bounds.
  return std::clamp(logarithmic_ ? std::exp(x) : x, lower_, upper_);
}

double FitScale::from_value(double x) const {
  return ((logarithmic_ ? std::log(x) : x) - origin_) / unit_;
}

double FitScale::slope(double u) const {
  return logarithmic_ ? unit_ * to_value(u) : unit_;
}

FittedParameter::Bound FitScale::bound_at(double u) const {
  if (u - lower_u_ <= kAtBound) return FittedParameter::Bound::lower;
  if (upper_u_ - u <= kAtBound) return FittedParameter::Bound::upper;
  return FittedParameter::Bound::none;
}

double FitScale::spread(double share) const {
  GROUSER_ASSERT(share >= 0.0 && share <= 1.0);
  const double low = std::max(lower_u_, -kSpread), high = std::min(upper_u_, kSpread);
  return low + (kMargin + (1.0 - 2.0 * kMargin) * share) * (high - low);
}

FitProblem::FitProblem(const std::vector<FitParameter>& parameters, std::size_t residual_count,
                       const ResidualFunction& function)
    : scales_(parameters.begin(), parameters.end()),
      residual_count_(residual_count),
      function_(function) {}

std::vector<double> FitProblem::values(std::span<const double> u) const {
  GROUSER_ASSERT(u.size() == scales_.size());
  std::vector<double> out;
  for (std::size_t k = 0; k < scales_.size(); ++k) out.push_back(scales_[k].to_value(u[k]));
  return out;
}

bool FitProblem::residuals(std::span<const double> u, std::span<double> out) const {
  GROUSER_ASSERT(out.size() == residual_count_);
  if (thrown_) return false;
  try {
    if (!function_(values(u), out)) return false;
  } catch (...) {
    thrown_ = std::current_exception();
    return false;
  }
  return std::all_of(out.begin(), out.end(), [](double r) { return std::isfinite(r); });
}

bool FitProblem::jacobian(std::span<const double> u, Eigen::MatrixXd& out) const {
  out.resize(static_cast<Eigen::Index>(residual_count_), static_cast<Eigen::Index>(scales_.size()));
  for (std::size_t k = 0; k < scales_.size(); ++k)
    if (!column(u, k, out)) return false;
  return true;
}

bool FitProblem::column(std::span<const double> u, std::size_t k, Eigen::MatrixXd& out) const {
  GROUSER_ASSERT(k < scales_.size() && k < static_cast<std::size_t>(out.cols()));
  std::vector<double> moved(u.begin(), u.end());
  const auto at = [&](double steps, Eigen::VectorXd& residual) {
    residual.resize(static_cast<Eigen::Index>(residual_count_));
    moved[k] = u[k] + steps * kStep;
    const bool inside = moved[k] >= scales_[k].lower() && moved[k] <= scales_[k].upper();
    return inside && residuals(moved, {residual.data(), residual_count_});
  };
  const auto column = static_cast<Eigen::Index>(k);
  Eigen::VectorXd below, here, above, beyond;
  const bool has_below = at(-1.0, below), has_above = at(1.0, above);
  if (has_below && has_above) {
    out.col(column) = (above - below) / (2.0 * kStep);
    return true;
  }
  if (!has_below && !has_above) return false;
  const double side = has_above ? 1.0 : -1.0;
  if (!at(0.0, here) || !at(2.0 * side, beyond)) return false;
  const Eigen::VectorXd& next = has_above ? above : below;
  out.col(column) = side * (4.0 * next - 3.0 * here - beyond) / (2.0 * kStep);
  return true;
}

void FitProblem::rethrow() const {
  if (thrown_) std::rethrow_exception(thrown_);
}

}  // namespace grouser
