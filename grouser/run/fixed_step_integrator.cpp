#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/run/integrator.h"

namespace grouser {
namespace {

/// RK4, semi-implicit and linearly implicit Euler with a step that does not adapt: for real time.
class FixedStep final : public Integrator {
 public:
  FixedStep(const IntegratorDef& def, OdeSystem& system) : def_(def), system_(system) {
    const auto n = static_cast<Eigen::Index>(system.size());
    for (VecX* x : {&y_, &before_, &rates_, &rates_before_, &k2_, &k3_, &k4_, &trial_})
      x->setZero(n);
    statistics_.smallest_step = statistics_.largest_step = def.step;
  }

  void start(double t, std::span<const double> y) override {
    GROUSER_ASSERT(y.size() == system_.size());
    t_ = t_before_ = t;
    y_ = Eigen::Map<const VecX>(y.data(), y_.size());
    if (started_) ++statistics_.restarts;
    started_ = true;
    evaluate(t_, y_, rates_);
  }

  Step step(double t_stop) override {
    // A last step that would leave a sliver is stretched or cut to end at t_stop.
    const double left = t_stop - t_;
    GROUSER_ASSERT(left >= 0.0);
    const double h = left < def_.step * (1.0 + 1e-6) ? left : def_.step;
    before_ = y_;
    rates_before_ = rates_;
    t_before_ = t_;
    if (def_.method == Method::rk4)
      rk4(h);
    else if (def_.method == Method::implicit_euler)
      implicit_euler(h);
    else
      system_.semi_implicit_step(h, as_span(y_), as_span(rates_));
    t_ = h == left ? t_stop : t_ + h;
    system_.project(t_, as_span(y_));
    evaluate(t_, y_, rates_);
    ++statistics_.steps;
    return {t_, false};
  }

  std::span<const double> state() const override {
    return {y_.data(), static_cast<std::size_t>(y_.size())};
  }

  void interpolate(double t, std::span<double> y) const override {
    GROUSER_ASSERT(t >= t_before_ - 1e-9 && t <= t_ + 1e-9 && y.size() == system_.size());
    // Cubic through values and slopes at both ends.
    const double h = t_ - t_before_;
    const double s = h > 0.0 ? (t - t_before_) / h : 1.0;
    const double a = s * s * (3.0 - 2.0 * s);
    const double b = s * (1.0 - s) * (1.0 - s) * h, c = s * s * (s - 1.0) * h;
    Eigen::Map<VecX>(y.data(), y_.size()) =
        (1.0 - a) * before_ + a * y_ + b * rates_before_ + c * rates_;
  }

  IntegratorStatistics statistics() const override { return statistics_; }

  void archive(Archive& a) override {
    a(t_, t_before_, y_, before_, rates_, rates_before_, started_, statistics_);
  }

 private:
  static std::span<double> as_span(VecX& x) {
    return {x.data(), static_cast<std::size_t>(x.size())};
  }

  void evaluate(double t, VecX& y, VecX& rates) {
    ++statistics_.evaluations;
    // Shorter steps, before an update or the end, are served by the same rates.
    const Status status = def_.method == Method::semi_implicit_euler
                              ? system_.step_rates(t, as_span(y), def_.step, as_span(rates))
                              : system_.rhs(t, as_span(y), as_span(rates));
    if (!rates.allFinite()) fail(t, "the accelerations are no longer finite");
    if (status == Status::impossible)
      fail(t,
           "a contact cannot answer there, such as a wheel that is below the soil with its axle");
  }

  [[noreturn]] void fail(double t, const std::string& why) const {
    throw RunError("the fixed step of " + to_text(def_.step, 3) +
                   " s fails at t = " + to_text(t, 6) + " s: " + why +
                   "; use a shorter step or an integrator with error control");
  }

  void rk4(double h) {
    trial_ = y_ + 0.5 * h * rates_;
    evaluate(t_ + 0.5 * h, trial_, k2_);
    trial_ = y_ + 0.5 * h * k2_;
    evaluate(t_ + 0.5 * h, trial_, k3_);
    trial_ = y_ + h * k3_;
    evaluate(t_ + h, trial_, k4_);
    y_ += h / 6.0 * (rates_ + 2.0 * k2_ + 2.0 * k3_ + k4_);
  }

  /// One Newton step of implicit Euler: (I - h J) dy = h f. Stable however stiff the contact.
  void implicit_euler(double h) {
    ++statistics_.jacobians;
    if (system_.size() > static_cast<std::size_t>(def_.dense_limit)) {
      [[maybe_unused]] const Status status = system_.jacobian(t_, as_span(y_), sparse_);
      GROUSER_ASSERT(status != Status::impossible);  // the rates have an answer here
      Eigen::SparseMatrix<double> matrix(sparse_.rows(), sparse_.cols());
      matrix.setIdentity();
      matrix -= h * sparse_;
      const Eigen::SparseLU<Eigen::SparseMatrix<double>> lu(matrix);
      if (lu.info() != Eigen::Success) fail(t_, "the linear system is singular");
      y_ += lu.solve(h * rates_);
      return;
    }
    if (def_.jacobian == JacobianKind::plain)
      plain_jacobian();
    else
      system_.jacobian(t_, as_span(y_), jacobian_);
    matrix_ = -h * jacobian_;
    matrix_.diagonal().array() += 1.0;
    lu_.compute(matrix_);
    y_ += lu_.solve(h * rates_);
  }

  /// One evaluation per state, as integrators do that know nothing of the system.
  void plain_jacobian() {
    jacobian_.resize(y_.size(), y_.size());
    trial_ = y_;
    for (Eigen::Index j = 0; j < y_.size(); ++j) {
      trial_[j] +=
          1.5e-8 * std::max(std::abs(y_[j]), system_.scales()[static_cast<std::size_t>(j)]);
      const double step = trial_[j] - y_[j];
      evaluate(t_, trial_, k2_);
      jacobian_.col(j) = (k2_ - rates_) / step;
      trial_[j] = y_[j];
    }
  }

  IntegratorDef def_;
  OdeSystem& system_;
  double t_ = 0.0, t_before_ = 0.0;
  VecX y_, before_, rates_, rates_before_, k2_, k3_, k4_, trial_;
  MatX jacobian_, matrix_;
  Eigen::SparseMatrix<double> sparse_;
  Eigen::PartialPivLU<MatX> lu_;
  IntegratorStatistics statistics_;
  bool started_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_fixed_step_integrator(const IntegratorDef& def,
                                                       OdeSystem& system) {
  return std::make_unique<FixedStep>(def, system);
}

std::unique_ptr<Integrator> make_integrator(const IntegratorDef& def, OdeSystem& system) {
  if (has_fixed_step(def.method)) return make_fixed_step_integrator(def, system);
  // Where everything moves as told there is no error to control, and SUNDIALS has no empty vectors.
  if (system.size() == 0) {
    IntegratorDef told = def;
    told.method = Method::rk4;
    told.step = def.max_step;
    return make_fixed_step_integrator(told, system);
  }
  return make_sundials_integrator(def, system);
}

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names = {
      "bdf", "adams", "esdirk", "runge-kutta", "rk4", "semi-implicit-euler", "implicit-euler"};
  return names;
}

}  // namespace grouser
