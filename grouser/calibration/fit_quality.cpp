#include "grouser/calibration/fit_quality.h"

#include <Eigen/Dense>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/calibration/student_t.h"

namespace grouser {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Over all of its range such a parameter changes a usual residual by a millionth of its error.
constexpr double kNoInfluence = 1e-6;
// Beyond it differences of 1e-5 no longer see in which of the parameters a change was.
constexpr double kWorstCondition = 1e6;
// Share in the direction nothing depends on from which a parameter is named.
constexpr double kNamed = 0.1;

/// Columns of `jacobian` that are not at a bound.
std::vector<Eigen::Index> free_columns(const FitResult& result) {
  std::vector<Eigen::Index> out;
  for (std::size_t k = 0; k < result.parameters.size(); ++k)
    if (result.parameters[k].bound == FittedParameter::Bound::none)
      out.push_back(static_cast<Eigen::Index>(k));
  return out;
}

/// (J^T J)^-1 by the singular values of J with columns of length one.
Eigen::MatrixXd inverse_normal_matrix(const Eigen::MatrixXd& jacobian) {
  const Eigen::VectorXd length = jacobian.colwise().norm();
  const Eigen::MatrixXd unit = jacobian * length.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(unit, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::MatrixXd root = length.cwiseInverse().asDiagonal() * svd.matrixV() *
                               svd.singularValues().cwiseInverse().asDiagonal();
  return root * root.transpose();
}

void require_influence(const std::vector<FitParameter>& parameters,
                       const Eigen::VectorXd& influence, Eigen::Index residual_count) {
  const double smallest = kNoInfluence * std::sqrt(static_cast<double>(residual_count));
  for (Eigen::Index k = 0; k < influence.size(); ++k) {
    const bool relative = influence[k] <= kNoInfluence * influence.maxCoeff();
    if (influence[k] == 0.0 || (relative && influence[k] <= smallest))
      throw InputError("the data do not depend on " +
                       quoted_name(parameters[static_cast<std::size_t>(k)].name) +
                       " near the best fit; give it a value instead of fitting it");
  }
}

}  // namespace

void require_told_apart(const std::vector<FitParameter>& parameters,
                        const Eigen::MatrixXd& jacobian) {
  GROUSER_ASSERT(static_cast<std::size_t>(jacobian.cols()) == parameters.size() &&
                 jacobian.allFinite());
  const Eigen::VectorXd length = jacobian.colwise().norm();
  require_influence(parameters, length, jacobian.rows());

  const Eigen::MatrixXd unit = jacobian * length.cwiseInverse().asDiagonal();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(unit, Eigen::ComputeThinV);
  const Eigen::VectorXd& values = svd.singularValues();
  if (values[values.size() - 1] * kWorstCondition >= values[0]) return;
  std::vector<std::string> names;
  for (Eigen::Index k = 0; k < values.size(); ++k)
    if (std::abs(svd.matrixV()(k, values.size() - 1)) > kNamed)
      names.push_back(quoted_name(parameters[static_cast<std::size_t>(k)].name));
  throw InputError("the data cannot tell " + join(names) +
                   " apart: changes of one are made up for by the others; give values to all but "
                   "one of them");
}

void judge(const FitProblem& problem, const std::vector<FitParameter>& parameters,
           std::span<const double> u, const Eigen::MatrixXd& jacobian, FitResult& result) {
  GROUSER_ASSERT(u.size() == parameters.size() && result.degrees > 0);
  const auto count = static_cast<Eigen::Index>(parameters.size());
  for (std::size_t k = 0; k < parameters.size(); ++k)
    result.parameters.push_back({parameters[k].name, problem.scale(k).to_value(u[k]),
                                 problem.scale(k).bound_at(u[k]), kNaN, kNaN, kNaN});
  result.correlation = Eigen::MatrixXd::Constant(count, count, kNaN);
  const std::vector<Eigen::Index> free = free_columns(result);
  if (free.empty()) return;

  const Eigen::MatrixXd inverse = inverse_normal_matrix(jacobian(Eigen::all, free));
  const double t = student_t_quantile(0.975, static_cast<double>(result.degrees));
  for (std::size_t i = 0; i < free.size(); ++i) {
    const auto k = static_cast<std::size_t>(free[i]);
    const auto ii = static_cast<Eigen::Index>(i);
    FittedParameter& parameter = result.parameters[k];
    parameter.standard_error = result.residual_deviation * std::sqrt(inverse(ii, ii)) *
                               std::abs(problem.scale(k).slope(u[k]));
    parameter.low = parameter.value - t * parameter.standard_error;
    parameter.high = parameter.value + t * parameter.standard_error;
    for (std::size_t j = 0; j < free.size(); ++j) {
      const auto jj = static_cast<Eigen::Index>(j);
      result.correlation(free[i], free[j]) =
          inverse(ii, jj) / std::sqrt(inverse(ii, ii) * inverse(jj, jj));
      GROUSER_ASSERT(std::abs(result.correlation(free[i], free[j])) <= 1.0 + 1e-9);
    }
  }
}

}  // namespace grouser
