// Ceres' trust-region solver. The only file that knows Ceres.
//
// This is the plugin grouser_ceres.so; ceres_door.h says what it is asked and answers.
#include <ceres/ceres.h>
#include <glog/logging.h>

#include <cmath>

#include "grouser/calibration/ceres_door.h"

namespace grouser {
namespace {

/// Ceres reports to a log that goes to the terminal unless a program has set it up; what it says
/// there, the result says too. Fatal errors remain.
class SilentLog {
 public:
  SilentLog() : before_(FLAGS_minloglevel) { FLAGS_minloglevel = google::GLOG_FATAL; }
  ~SilentLog() { FLAGS_minloglevel = before_; }
  SilentLog(const SilentLog&) = delete;
  SilentLog& operator=(const SilentLog&) = delete;

 private:
  int before_;
};

/// Residuals and derivatives as Ceres asks for them.
class Cost final : public ceres::CostFunction {
 public:
  explicit Cost(const CeresProblem& problem) : problem_(problem) {
    set_num_residuals(static_cast<int>(problem.residual_count));
    mutable_parameter_block_sizes()->push_back(static_cast<int>(problem.parameter_count));
  }
  bool Evaluate(double const* const* blocks, double* residuals, double** jacobians) const override {
    double* jacobian = jacobians ? jacobians[0] : nullptr;
    return problem_.evaluate(problem_.self, blocks[0], residuals, jacobian) != 0;
  }

 private:
  const CeresProblem& problem_;
};

/// Tells how far it is, and stops if so asked.
class Watch final : public ceres::IterationCallback {
 public:
  explicit Watch(const CeresProblem& problem) : problem_(problem) {}
  ceres::CallbackReturnType operator()(const ceres::IterationSummary& step) override {
    return problem_.step(problem_.self, step.iteration) ? ceres::SOLVER_CONTINUE
                                                        : ceres::SOLVER_ABORT;
  }

 private:
  const CeresProblem& problem_;
};

ceres::Solver::Options solver_options(int iterations) {
  ceres::Solver::Options out;
  out.minimizer_type = ceres::TRUST_REGION;
  out.trust_region_strategy_type = ceres::LEVENBERG_MARQUARDT;
  out.linear_solver_type = ceres::DENSE_QR;
  out.dense_linear_algebra_library_type = ceres::EIGEN;
  out.max_num_iterations = iterations;
  // Derivatives have ten good digits; what these promise is reached.
  out.function_tolerance = 1e-14;
  out.parameter_tolerance = 1e-10;
  out.gradient_tolerance = 1e-12;
  out.num_threads = 1;
  out.logging_type = ceres::SILENT;
  return out;
}

CeresSolution solve(const CeresProblem& problem, double* u) {
  const SilentLog silent;
  Cost cost(problem);
  Watch watch(problem);
  ceres::Problem::Options ownership;
  ownership.cost_function_ownership = ceres::DO_NOT_TAKE_OWNERSHIP;
  ceres::Problem ceres_problem(ownership);
  ceres_problem.AddResidualBlock(&cost, nullptr, u);
  for (std::size_t k = 0; k < problem.parameter_count; ++k) {
    const int index = static_cast<int>(k);
    if (std::isfinite(problem.lower[k]))
      ceres_problem.SetParameterLowerBound(u, index, problem.lower[k]);
    if (std::isfinite(problem.upper[k]))
      ceres_problem.SetParameterUpperBound(u, index, problem.upper[k]);
  }
  ceres::Solver::Options how = solver_options(problem.iterations);
  how.callbacks.push_back(&watch);
  ceres::Solver::Summary summary;
  ceres::Solve(how, &ceres_problem, &summary);
  return {2.0 * summary.final_cost, static_cast<int>(summary.iterations.size()) - 1,
          summary.IsSolutionUsable(), summary.termination_type == ceres::CONVERGENCE};
}

constexpr CeresTable kTable = {
    CeresTable::kVersion,
    [](const CeresProblem* problem, double* u, CeresSolution* solution,
       const PluginErrors* errors) {
      return plugin_answer(*errors, [&] { *solution = solve(*problem, u); });
    },
};

}  // namespace
}  // namespace grouser

GROUSER_PLUGIN_ENTRY const void* grouser_plugin() {
  return &grouser::kTable;
}
