#include "grouser/calibration/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/calibration/ceres_door.h"
#include "grouser/calibration/fit_problem.h"
#include "grouser/calibration/fit_quality.h"

namespace grouser {
namespace {

// Sums of squares this close, relative to the smaller, are of the same minimum.
constexpr double kSameMinimum = 1e-6;

/// Parameters that are held at a bound.
using Held = std::vector<bool>;

/// Where the solver came to from one start.
struct Descent {
  std::vector<double> u;
  double sum = std::numeric_limits<double>::infinity();  // of squares; infinite: no answer
  int iterations = 0;
  bool converged = false;
};

const CeresTable& ceres() {
  const OpenedPlugin plugin = open_plugin(CeresTable::kName, CeresTable::kVersion);
  if (!plugin.table)
    throw InputError(
        "this build fits no parameters; install Ceres (libceres-dev) and build with "
        "-DGROUSER_WITH_CERES=ON (" +
        plugin.why_not + ")");
  return *static_cast<const CeresTable*>(plugin.table);
}

/// Residuals and derivatives as Ceres asks for them.
class Search : public PluginCall {
 public:
  Search(const FitProblem& problem, const FitOptions& options, int start)
      : problem_(problem), options_(options), start_(start) {
    for (std::size_t k = 0; k < problem.parameter_count(); ++k) {
      lower_.push_back(problem.scale(k).lower());
      upper_.push_back(problem.scale(k).upper());
    }
  }

  /// One descent of Ceres, from `u`.
  Descent descend(std::vector<double> u, const Held& held) {
    held_ = &held;
    const CeresProblem task{this,          u.size(),      problem_.residual_count(),
                            lower_.data(), upper_.data(), options_.iterations,
                            evaluate,      step};
    CeresSolution solution{};
    require(ceres().solve(&task, u.data(), &solution, errors()));
    problem_.rethrow();
    if (stopped_) throw RunError("the fit was stopped");
    if (!solution.usable) return {};
    return {std::move(u), solution.residual_sum, solution.iterations, solution.converged != 0};
  }

 private:
  static PluginAnswer evaluate(void* self, const double* u, double* residuals, double* jacobian) {
    auto& search = *static_cast<Search*>(self);
    bool answered = false;
    return search.guarded([&] { answered = search.evaluate(u, residuals, jacobian); }) && answered;
  }

  bool evaluate(const double* point, double* residuals, double* out) const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const std::span<const double> u(point, problem_.parameter_count());
    if (!problem_.residuals(u, {residuals, problem_.residual_count()})) return false;
    if (!out) return true;
    Eigen::MatrixXd jacobian;
    if (!problem_.jacobian(u, jacobian)) return false;
    // What nothing seems to depend on stays where it is.
    for (std::size_t k = 0; k < held_->size(); ++k)
      if ((*held_)[k]) jacobian.col(static_cast<Eigen::Index>(k)).setZero();
    Eigen::Map<RowMajor>(out, jacobian.rows(), jacobian.cols()) = jacobian;
    return true;
  }

  /// Tells how far it is, and stops if so asked.
  static PluginAnswer step(void* self, int iteration) {
    auto& search = *static_cast<Search*>(self);
    const FitOptions& options = search.options_;
    if (!options.progress) return 1;
    const double share = std::min(1.0, static_cast<double>(iteration) / options.iterations);
    return search.guarded([&] {
      search.stopped_ = !options.progress((search.start_ + share) / options.starts);
    }) && !search.stopped_;
  }

  const FitProblem& problem_;
  const FitOptions& options_;
  int start_;
  std::vector<double> lower_, upper_;
  const Held* held_ = nullptr;
  bool stopped_ = false;
};

/// Puts parameters beside a bound on it; tells which of them the residuals push outwards.
Held pushed_outwards(const FitProblem& problem, std::vector<double>& u) {
  Held held(u.size(), false);
  for (std::size_t k = 0; k < u.size(); ++k) {
    const FitScale& scale = problem.scale(k);
    const FittedParameter::Bound bound = scale.bound_at(u[k]);
    if (bound != FittedParameter::Bound::none)
      u[k] = bound == FittedParameter::Bound::lower ? scale.lower() : scale.upper();
  }
  Eigen::MatrixXd jacobian;
  Eigen::VectorXd residuals(static_cast<Eigen::Index>(problem.residual_count()));
  if (!problem.residuals(u, {residuals.data(), problem.residual_count()}) ||
      !problem.jacobian(u, jacobian))
    return held;
  const Eigen::VectorXd gradient = jacobian.transpose() * residuals;
  for (std::size_t k = 0; k < u.size(); ++k) {
    const FittedParameter::Bound bound = problem.scale(k).bound_at(u[k]);
    const double slope = gradient[static_cast<Eigen::Index>(k)];
    held[k] = (bound == FittedParameter::Bound::lower && slope > 0.0) ||
              (bound == FittedParameter::Bound::upper && slope < 0.0);
  }
  return held;
}

/// Ceres cuts steps that lead out of the bounds short, all of them, and so may end at a bound
/// before the other parameters are where they belong. Those are fitted again with the ones at
/// bounds held, until none wants to go in or out.
Descent descend(const FitProblem& problem, const std::vector<double>& start,
                const FitOptions& options, int number) {
  Search search(problem, options, number);
  Held held(start.size(), false);
  Descent descent = search.descend(start, held);
  if (descent.u.empty()) return descent;
  int iterations = descent.iterations;
  for (std::size_t round = 0; round < 2 * start.size(); ++round) {
    Held now = pushed_outwards(problem, descent.u);
    problem.rethrow();
    if (now == held) break;
    held = std::move(now);
    Descent again = search.descend(descent.u, held);
    if (again.u.empty()) break;
    descent = std::move(again);
    iterations += descent.iterations;
  }
  descent.iterations = iterations;
  return descent;
}

/// Points that fill a box evenly however many there are: multiples of powers of the number for
/// which x^(d+1) = x + 1 (Roberts 2018). The first is the given start.
std::vector<double> start_point(const FitProblem& problem,
                                const std::vector<FitParameter>& parameters, int start) {
  std::vector<double> u;
  const auto dimensions = static_cast<double>(parameters.size());
  double root = 2.0;
  for (int i = 0; i < 60; ++i) root = std::pow(1.0 + root, 1.0 / (dimensions + 1.0));
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const double step = std::pow(root, -static_cast<double>(k + 1));
    const double share = 0.5 + start * step;
    u.push_back(start == 0 ? problem.scale(k).from_value(parameters[k].start)
                           : problem.scale(k).spread(share - std::floor(share)));
    u.back() = std::clamp(u.back(), problem.scale(k).lower(), problem.scale(k).upper());
  }
  return u;
}

void require_sound(const std::vector<FitParameter>& parameters, std::size_t residual_count) {
  if (parameters.empty()) throw InputError("there is no parameter to fit");
  for (const FitParameter& p : parameters) {
    if (!(p.lower < p.upper))
      throw InputError("the bounds of '" + p.name + "' must rise, are " + to_text(p.lower) +
                       " and " + to_text(p.upper));
    if (!(p.start >= p.lower && p.start <= p.upper))
      throw InputError("the start of '" + p.name + "' must lie in [" + to_text(p.lower) + ", " +
                       to_text(p.upper) + "], is " + to_text(p.start));
  }
  if (residual_count < parameters.size() + 1)
    throw InputError(std::to_string(parameters.size()) + " parameters need at least " +
                     std::to_string(parameters.size() + 1) + " measured numbers, there are " +
                     std::to_string(residual_count) + "; fit fewer parameters");
}

FitResult result_of(const FitProblem& problem, const std::vector<FitParameter>& parameters,
                    const Descent& best) {
  FitResult result;
  result.residuals.resize(problem.residual_count());
  Eigen::MatrixXd jacobian;
  if (!problem.residuals(best.u, result.residuals) || !problem.jacobian(best.u, jacobian)) {
    problem.rethrow();
    throw InputError("the best fit lies where the model has no answer to small changes");
  }
  const std::vector<double>& r = result.residuals;
  result.residual_sum = std::inner_product(r.begin(), r.end(), r.begin(), 0.0);
  result.rms = std::sqrt(result.residual_sum / static_cast<double>(r.size()));
  result.degrees = r.size() - parameters.size();
  GROUSER_ASSERT(r.size() > parameters.size());
  result.residual_deviation = std::sqrt(result.residual_sum / static_cast<double>(result.degrees));
  require_told_apart(parameters, jacobian);
  judge(problem, parameters, best.u, jacobian, result);
  return result;
}

}  // namespace

std::vector<double> FitResult::values() const {
  std::vector<double> out;
  for (const FittedParameter& p : parameters) out.push_back(p.value);
  return out;
}

void require_solver() {
  ceres();
}

FitResult fit(const std::vector<FitParameter>& parameters, std::size_t residual_count,
              const ResidualFunction& residual_function, const FitOptions& options) {
  require_sound(parameters, residual_count);
  const FitProblem problem(parameters, residual_count, residual_function);
  std::vector<Descent> descents;
  for (int start = 0; start < std::max(1, options.starts); ++start)
    descents.push_back(descend(problem, start_point(problem, parameters, start), options, start));
  // The first of equals.
  const Descent& best = *std::min_element(
      descents.begin(), descents.end(),
      [](const Descent& a, const Descent& b) { return a.sum < b.sum * (1.0 - kSameMinimum); });
  if (best.u.empty())
    throw InputError("the model has no answer at the start values, nor elsewhere in the bounds");

  FitResult result = result_of(problem, parameters, best);
  result.iterations = best.iterations;
  result.converged = best.converged;
  result.message = best.converged ? "converged"
                                  : std::to_string(options.iterations) +
                                        " iterations were not enough to converge";
  for (const Descent& d : descents)
    result.agreeing_starts += d.sum <= best.sum * (1.0 + kSameMinimum) + 1e-20 ? 1 : 0;
  return result;
}

}  // namespace grouser
