// Integrators and what they integrate.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/archive.h"
#include "grouser/base/parameters.h"
#include "grouser/base/status.h"
#include "grouser/math/types.h"

namespace grouser {

/// y' = f(t, y), with everything an integrator may want to know about it.
class OdeSystem {
 public:
  virtual ~OdeSystem() = default;

  virtual std::size_t size() const = 0;
  /// Typical size of each component, for absolute tolerances.
  virtual std::span<const double> scales() const = 0;
  virtual Status rhs(double t, std::span<const double> y, std::span<double> rates) = 0;

  /// df/dy at (t, y), by differences that know the structure of f.
  virtual Status jacobian(double t, std::span<const double> y, MatX& out) = 0;
  virtual Status jacobian(double t, std::span<const double> y,
                          Eigen::SparseMatrix<double>& out) = 0;
  /// Number of the block of components each component belongs to; blocks are strongly coupled
  /// inside and weakly among each other (for preconditioning).
  virtual std::span<const int> blocks() const = 0;

  /// Rates for a semi-implicit step of length h from here: as rhs(), but what is stiff and known to
  /// be so may be taken at the end of the step.
  virtual Status step_rates(double t, std::span<const double> y, double h,
                            std::span<double> rates) {
    static_cast<void>(h);
    return rhs(t, y, rates);
  }
  /// For semi-implicit Euler: y <- y moved with velocities first, then positions with the new ones.
  virtual void semi_implicit_step(double h, std::span<double> y, std::span<const double> rates) = 0;
  /// y <- nearest allowed state (unit quaternions, constraints).
  virtual void project(double t, std::span<double> y) = 0;

  virtual std::size_t event_count() const = 0;
  virtual Status events(double t, std::span<const double> y, std::span<double> out) = 0;
};

enum class Method { bdf, adams, esdirk, runge_kutta, rk4, semi_implicit_euler, implicit_euler };
constexpr bool has_fixed_step(Method method) {
  return method >= Method::rk4;
}
enum class JacobianKind { structured, plain };

struct IntegratorDef {
  Method method = Method::bdf;
  JacobianKind jacobian = JacobianKind::structured;
  double tolerance = 1e-6;
  double absolute_tolerance = 0.0;  ///< 0: a hundredth of `tolerance`
  double max_step = 0.01;           ///< [s]
  double step = 1e-3;               ///< [s], fixed-step methods
  int dense_limit = 400;            ///< states above which linear systems are solved iteratively
};

struct IntegratorStatistics {
  std::uint64_t steps = 0;
  std::uint64_t rejected = 0;              ///< by the error test
  std::uint64_t convergence_failures = 0;  ///< of the nonlinear solver
  std::uint64_t evaluations = 0;           ///< of f
  std::uint64_t jacobians = 0;
  std::uint64_t restarts = 0;
  double smallest_step = 0.0, largest_step = 0.0;

  void archive(Archive& a) {
    a(steps, rejected, convergence_failures, evaluations, jacobians, restarts, smallest_step,
      largest_step);
  }
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Begins at (t, y), also after a change the integrator cannot know of.
  virtual void start(double t, std::span<const double> y) = 0;
  struct Step {
    double time = 0.0;
    bool event = false;  ///< stopped at the sign change of an event function
  };
  /// One accepted step, not beyond t_stop. Throws RunError, with the reason, if it cannot be done.
  virtual Step step(double t_stop) = 0;
  /// State at the end of the last step.
  virtual std::span<const double> state() const = 0;
  /// State at a time within the last step.
  virtual void interpolate(double t, std::span<double> y) const = 0;
  virtual IntegratorStatistics statistics() const = 0;
  /// All that the next steps and interpolate() depend on, and the statistics so far. With error
  /// control the past of a run cannot be told: then it is statistics alone, and start() must follow
  /// when they are read back.
  virtual void archive(Archive& a) = 0;
};

std::unique_ptr<Integrator> make_integrator(const IntegratorDef& def, OdeSystem& system);
std::unique_ptr<Integrator> make_sundials_integrator(const IntegratorDef& def, OdeSystem& system);
std::unique_ptr<Integrator> make_fixed_step_integrator(const IntegratorDef& def, OdeSystem& system);

/// The names of Method in a scene file, in its order.
const std::vector<std::string>& method_names();

}  // namespace grouser
