// CVODE and ARKODE behind the Integrator interface. The only file that includes SUNDIALS.
#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/run/integrator.h"

namespace grouser {
namespace {

// SUNDIALS' C objects, freed in the reverse order of their making.
template <auto Free>
struct Freed {
  template <class T>
  void operator()(T* x) const {
    Free(x);
  }
};
struct FreeContext {
  void operator()(SUNContext c) const { SUNContext_Free(&c); }
};
using Context = std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext>;
using Vector = std::unique_ptr<std::remove_pointer_t<N_Vector>, Freed<N_VDestroy>>;
using Matrix = std::unique_ptr<std::remove_pointer_t<SUNMatrix>, Freed<SUNMatDestroy>>;
using LinearSolver = std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, Freed<SUNLinSolFree>>;

std::span<double> as_span(N_Vector x) {
  return {NV_DATA_S(x), static_cast<std::size_t>(NV_LENGTH_S(x))};
}

std::string where(double t, double h) {
  return "the integrator stops at t = " + to_text(t, 9) + " s with a step of " + to_text(h, 3) +
         " s: ";
}

/// SUNDIALS' return value of a user function: a positive number asks for a shorter step.
int answer(Status status) {
  return status == Status::ok ? 0 : 1;
}

/// What both packages share: vectors, tolerances, the linear algebra, callbacks.
class Sundials : public Integrator {
 public:
  Sundials(const IntegratorDef& def, OdeSystem& system) : def_(def), system_(system) {
    SUNContext raw = nullptr;
    if (SUNContext_Create(nullptr, &raw) != 0) throw RunError("SUNDIALS cannot be started");
    context_.reset(raw);
    const auto n = static_cast<sunindextype>(system.size());
    y_.reset(N_VNew_Serial(n, context_.get()));
    absolute_.reset(N_VNew_Serial(n, context_.get()));
    if (!iterative()) dense_jacobian_.resize(n, n);
    const double absolute =
        def.absolute_tolerance > 0.0 ? def.absolute_tolerance : 0.01 * def.tolerance;
    const std::span<const double> scales = system.scales();
    for (std::size_t i = 0; i < scales.size(); ++i)
      as_span(absolute_.get())[i] = absolute * scales[i];
  }

  std::span<const double> state() const override { return as_span(y_.get()); }

  IntegratorStatistics statistics() const override {
    IntegratorStatistics s = earlier_;
    if (started_) add_to(s);
    s.restarts += restarts_;
    if (smallest_ > 0.0)
      s.smallest_step = s.smallest_step > 0.0 ? std::min(s.smallest_step, smallest_) : smallest_;
    s.largest_step = std::max(s.largest_step, largest_);
    return s;
  }

  void archive(Archive& a) override {
    IntegratorStatistics all = statistics();
    a(all);
    if (a.reading()) earlier_ = all;
  }

  Step step(double t_stop) override {
    const double before = t_;
    // Within rounding of the stop time there is nothing left to do, and SUNDIALS refuses to start.
    if (t_stop - t_ <= 4.0 * std::numeric_limits<double>::epsilon() * std::abs(t_stop)) {
      t_ = t_stop;
      return {t_, false};
    }
    const Step taken = advance(t_stop);
    GROUSER_ASSERT(taken.time <= t_stop + 1e-9 * std::max(1.0, std::abs(t_stop)));
    const double h = taken.time - before;
    // Short of a state without an answer, steps shrink until time stands still.
    if (!taken.event && !(h > 0.0))
      throw RunError(where(before, h) + "no step is short enough; " +
                     (refusal_ == Status::ok
                          ? "the error cannot be kept within the tolerance"
                          : "the equations answer '" +
                                std::string(kStatusNames[static_cast<std::size_t>(refusal_)]) +
                                "'"));
    smallest_ = smallest_ == 0.0 ? h : std::min(smallest_, h);
    largest_ = std::max(largest_, h);
    t_ = taken.time;
    return taken;
  }

 protected:
  virtual Step advance(double t_stop) = 0;
  /// Adds what the package has counted.
  virtual void add_to(IntegratorStatistics& s) const = 0;

  /// The end of the last step needs no interpolation; before the first step there is none.
  bool copy_end(double t, std::span<double> y) const {
    GROUSER_ASSERT(y.size() == system_.size());
    if (t == t_) std::copy_n(NV_DATA_S(y_.get()), y.size(), y.begin());
    return t == t_;
  }

  bool implicit() const { return def_.method != Method::runge_kutta; }
  bool iterative() const { return system_.size() > static_cast<std::size_t>(def_.dense_limit); }
  bool structured() const { return def_.jacobian == JacobianKind::structured; }

  void check(int flag, const char* what) const {
    if (flag < 0) throw RunError(std::string(what) + " failed: " + failure());
  }
  std::string failure() const { return message_.empty() ? "no reason given" : message_; }

  static int rhs(realtype t, N_Vector y, N_Vector rates, void* self) {
    auto& me = *static_cast<Sundials*>(self);
    const Status status = me.system_.rhs(t, as_span(y), as_span(rates));
    if (status != Status::ok) me.refusal_ = status;
    return answer(status);
  }
  static int roots(realtype t, N_Vector y, realtype* out, void* self) {
    auto& me = *static_cast<Sundials*>(self);
    // A root function may not ask for a shorter step; its value at a bad state is not used.
    me.system_.events(t, as_span(y), {out, me.system_.event_count()});
    return 0;
  }
  static int dense_jacobian(realtype t, N_Vector y, N_Vector, SUNMatrix J, void* self, N_Vector,
                            N_Vector, N_Vector) {
    auto& me = *static_cast<Sundials*>(self);
    const Status status = me.system_.jacobian(t, as_span(y), me.dense_jacobian_);
    std::copy_n(me.dense_jacobian_.data(), me.dense_jacobian_.size(), SM_DATA_D(J));
    return answer(status);
  }
  static int sparse_setup(realtype t, N_Vector y, N_Vector, void* self) {
    auto& me = *static_cast<Sundials*>(self);
    ++me.sparse_evaluations_;
    return answer(me.system_.jacobian(t, as_span(y), me.sparse_jacobian_));
  }
  static int sparse_times(N_Vector v, N_Vector out, realtype, N_Vector, N_Vector, void* self,
                          N_Vector) {
    const auto& me = *static_cast<Sundials*>(self);
    Eigen::Map<VecX>(NV_DATA_S(out), NV_LENGTH_S(out)) =
        me.sparse_jacobian_ * Eigen::Map<const VecX>(NV_DATA_S(v), NV_LENGTH_S(v));
    return 0;
  }
  /// Block-diagonal preconditioner: the blocks of I - gamma J.
  static int precondition_setup(realtype t, N_Vector y, N_Vector, booleantype reuse,
                                booleantype* renewed, realtype gamma, void* self) {
    auto& me = *static_cast<Sundials*>(self);
    if (!reuse) {
      ++me.sparse_evaluations_;
      if (me.system_.jacobian(t, as_span(y), me.sparse_jacobian_) != Status::ok) return 1;
      *renewed = SUNTRUE;
    }
    me.factor_blocks(gamma);
    return 0;
  }
  static int precondition_solve(realtype, N_Vector, N_Vector, N_Vector r, N_Vector z, realtype,
                                realtype, int, void* self) {
    static_cast<Sundials*>(self)->solve_blocks(as_span(r), as_span(z));
    return 0;
  }
  static void on_error(int, const char*, const char*, char* text, void* self) {
    static_cast<Sundials*>(self)->message_ = text;
  }

  /// Dense, or iterative above the limit; then there is no matrix.
  void make_linear_solver() {
    if (iterative()) {
      const int side = structured() ? SUN_PREC_LEFT : SUN_PREC_NONE;
      linear_.reset(SUNLinSol_SPGMR(y_.get(), side, 20, context_.get()));
      return;
    }
    const auto n = NV_LENGTH_S(y_.get());
    matrix_.reset(SUNDenseMatrix(n, n, context_.get()));
    linear_.reset(SUNLinSol_Dense(y_.get(), matrix_.get(), context_.get()));
  }
  void factor_blocks(double gamma);
  void solve_blocks(std::span<const double> r, std::span<double> z);

  IntegratorDef def_;
  OdeSystem& system_;
  Context context_;
  Vector y_, absolute_;
  Matrix matrix_;
  LinearSolver linear_;
  MatX dense_jacobian_;
  Eigen::SparseMatrix<double> sparse_jacobian_;
  std::vector<std::vector<int>> members_;  // of each block
  std::vector<int> position_;              // of each component in its block
  std::vector<Eigen::PartialPivLU<MatX>> factors_;
  double t_ = 0.0;
  double smallest_ = 0.0, largest_ = 0.0;
  std::uint64_t restarts_ = 0, sparse_evaluations_ = 0;
  bool started_ = false;
  IntegratorStatistics earlier_;  // before the counters of the package began
  Status refusal_ = Status::ok;   // last answer of the equations other than ok
  std::string message_;
};

void Sundials::factor_blocks(double gamma) {
  const std::span<const int> blocks = system_.blocks();
  if (members_.empty()) {
    position_.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const auto b = static_cast<std::size_t>(blocks[i]);
      GROUSER_ASSERT(blocks[i] >= 0);
      if (b >= members_.size()) members_.resize(b + 1);
      position_[i] = static_cast<int>(members_[b].size());
      members_[b].push_back(static_cast<int>(i));
    }
    factors_.resize(members_.size());
  }
  std::vector<MatX> matrices;
  for (const auto& block : members_)
    matrices.push_back(MatX::Identity(static_cast<Eigen::Index>(block.size()),
                                      static_cast<Eigen::Index>(block.size())));
  for (Eigen::Index column = 0; column < sparse_jacobian_.outerSize(); ++column) {
    const auto c = static_cast<std::size_t>(column);
    for (Eigen::SparseMatrix<double>::InnerIterator it(sparse_jacobian_, column); it; ++it) {
      const auto r = static_cast<std::size_t>(it.row());
      if (blocks[r] == blocks[c])
        matrices[static_cast<std::size_t>(blocks[r])](position_[r], position_[c]) -=
            gamma * it.value();
    }
  }
  for (std::size_t b = 0; b < matrices.size(); ++b) factors_[b].compute(matrices[b]);
}

void Sundials::solve_blocks(std::span<const double> r, std::span<double> z) {
  GROUSER_ASSERT(r.size() == z.size() && factors_.size() == members_.size());
  for (std::size_t b = 0; b < members_.size(); ++b) {
    VecX x(static_cast<Eigen::Index>(members_[b].size()));
    for (Eigen::Index i = 0; i < x.size(); ++i)
      x[i] = r[static_cast<std::size_t>(members_[b][static_cast<std::size_t>(i)])];
    x = factors_[b].solve(x);
    for (Eigen::Index i = 0; i < x.size(); ++i)
      z[static_cast<std::size_t>(members_[b][static_cast<std::size_t>(i)])] = x[i];
  }
}

class Cvode final : public Sundials {
 public:
  Cvode(const IntegratorDef& def, OdeSystem& system) : Sundials(def, system) {}
  ~Cvode() override { CVodeFree(&memory_); }

  void start(double t, std::span<const double> y) override {
    std::copy(y.begin(), y.end(), NV_DATA_S(y_.get()));
    t_ = t;
    if (started_) {
      add_to(earlier_);  // CVODE's own counters are zeroed
      sparse_evaluations_ = 0;
      check(CVodeReInit(memory_, t, y_.get()), "restarting the integrator");
      ++restarts_;
      return;
    }
    started_ = true;
    memory_ = CVodeCreate(def_.method == Method::bdf ? CV_BDF : CV_ADAMS, context_.get());
    if (!memory_) throw RunError("CVODE cannot be started");
    CVodeSetErrHandlerFn(memory_, on_error, this);
    check(CVodeInit(memory_, rhs, t, y_.get()), "starting the integrator");
    CVodeSetUserData(memory_, static_cast<Sundials*>(this));
    check(CVodeSVtolerances(memory_, def_.tolerance, absolute_.get()), "setting tolerances");
    CVodeSetMaxStep(memory_, def_.max_step);
    CVodeSetMaxErrTestFails(memory_, 30);
    CVodeSetMaxConvFails(memory_, 30);
    if (system_.event_count() > 0)
      check(CVodeRootInit(memory_, static_cast<int>(system_.event_count()), roots), "event search");
    use_newton();  // for Adams too: regularised friction is stiff at rest
  }

  void interpolate(double t, std::span<double> y) const override {
    if (copy_end(t, y)) return;
    const Vector out(N_VMake_Serial(NV_LENGTH_S(y_.get()), y.data(), context_.get()));
    check(CVodeGetDky(memory_, t, 0, out.get()), "interpolation");
  }

 protected:
  Step advance(double t_stop) override {
    CVodeSetStopTime(memory_, t_stop);
    double reached = t_;
    const int flag = CVode(memory_, t_stop, y_.get(), &reached, CV_ONE_STEP);
    if (flag < 0) {
      double h = 0.0, t = 0.0;
      CVodeGetCurrentStep(memory_, &h);
      CVodeGetCurrentTime(memory_, &t);
      throw RunError(where(t, h) + failure());
    }
    return {reached, flag == CV_ROOT_RETURN};
  }

 private:
  void use_newton() {
    make_linear_solver();
    check(CVodeSetLinearSolver(memory_, linear_.get(), matrix_.get()),
          "choosing the linear solver");
    if (!structured()) return;
    if (iterative()) {
      CVodeSetPreconditioner(memory_, precondition_setup, precondition_solve);
      CVodeSetJacTimes(memory_, nullptr, sparse_times);
    } else {
      CVodeSetJacFn(memory_, dense_jacobian);
    }
  }

  void add_to(IntegratorStatistics& s) const override {
    long steps = 0, evaluations = 0, rejected = 0, failures = 0, jacobians = 0, difference = 0;
    CVodeGetNumSteps(memory_, &steps);
    CVodeGetNumRhsEvals(memory_, &evaluations);
    CVodeGetNumErrTestFails(memory_, &rejected);
    CVodeGetNumNonlinSolvConvFails(memory_, &failures);
    if (linear_) {
      CVodeGetNumJacEvals(memory_, &jacobians);
      CVodeGetNumLinRhsEvals(memory_, &difference);
    }
    s.steps += static_cast<std::uint64_t>(steps);
    s.evaluations += static_cast<std::uint64_t>(evaluations + difference);
    s.rejected += static_cast<std::uint64_t>(rejected);
    s.convergence_failures += static_cast<std::uint64_t>(failures);
    s.jacobians += iterative() ? sparse_evaluations_ : static_cast<std::uint64_t>(jacobians);
  }

  void* memory_ = nullptr;
};

class Arkode final : public Sundials {
 public:
  Arkode(const IntegratorDef& def, OdeSystem& system) : Sundials(def, system) {}
  ~Arkode() override { ARKStepFree(&memory_); }

  void start(double t, std::span<const double> y) override {
    std::copy(y.begin(), y.end(), NV_DATA_S(y_.get()));
    t_ = t;
    if (started_) {
      check(ARKStepReset(memory_, t, y_.get()), "restarting the integrator");
      ++restarts_;
      return;
    }
    started_ = true;
    memory_ = ARKStepCreate(implicit() ? nullptr : rhs, implicit() ? rhs : nullptr, t, y_.get(),
                            context_.get());
    if (!memory_) throw RunError("ARKODE cannot be started");
    ARKStepSetErrHandlerFn(memory_, on_error, this);
    ARKStepSetUserData(memory_, static_cast<Sundials*>(this));
    check(ARKStepSVtolerances(memory_, def_.tolerance, absolute_.get()), "setting tolerances");
    const int flag =
        implicit() ? ARKStepSetTableNum(memory_, ARKODE_ESDIRK436L2SA_6_3_4, ARKODE_ERK_NONE)
                   : ARKStepSetTableNum(memory_, ARKODE_DIRK_NONE, ARKODE_DORMAND_PRINCE_7_4_5);
    check(flag, "choosing the method");
    ARKStepSetMaxStep(memory_, def_.max_step);
    ARKStepSetMaxErrTestFails(memory_, 30);
    ARKStepSetMaxConvFails(memory_, 30);
    ARKStepSetInterpolantDegree(memory_, 5);
    if (system_.event_count() > 0)
      check(ARKStepRootInit(memory_, static_cast<int>(system_.event_count()), roots),
            "event search");
    if (implicit()) use_newton();
    y_before_.resize(y.size());
  }

  void interpolate(double t, std::span<double> y) const override {
    if (copy_end(t, y)) return;
    const Vector out(N_VMake_Serial(NV_LENGTH_S(y_.get()), y.data(), context_.get()));
    check(ARKStepGetDky(memory_, t, 0, out.get()), "interpolation");
  }

 protected:
  Step advance(double t_stop) override {
    std::copy_n(NV_DATA_S(y_.get()), y_before_.size(), y_before_.begin());
    ARKStepSetStopTime(memory_, t_stop);
    double reached = t_;
    int flag = ARKStepEvolve(memory_, t_stop, y_.get(), &reached, ARK_ONE_STEP);
    // Where the equations refuse to answer, ARKODE's explicit methods give up: begin again at the
    // last accepted state with a shorter step.
    for (int i = 0; i < 30 && refused(flag); ++i) {
      double h = 0.0;
      ARKStepGetCurrentStep(memory_, &h);
      if (!(h > 0.0)) break;
      ++shortened_;
      std::copy(y_before_.begin(), y_before_.end(), NV_DATA_S(y_.get()));
      check(ARKStepReset(memory_, t_, y_.get()), "shortening the step");
      ARKStepSetInitStep(memory_, 0.25 * h);
      ARKStepSetStopTime(memory_, t_stop);
      flag = ARKStepEvolve(memory_, t_stop, y_.get(), &reached, ARK_ONE_STEP);
      ARKStepSetInitStep(memory_, 0.0);
    }
    if (flag < 0) {
      double h = 0.0, t = 0.0;
      ARKStepGetCurrentStep(memory_, &h);
      ARKStepGetCurrentTime(memory_, &t);
      throw RunError(where(t, h) + failure());
    }
    return {reached, flag == ARK_ROOT_RETURN};
  }

 private:
  static bool refused(int flag) {
    return flag == ARK_UNREC_RHSFUNC_ERR || flag == ARK_RHSFUNC_FAIL ||
           flag == ARK_REPTD_RHSFUNC_ERR;
  }

  void use_newton() {
    // ARKODE trusts the rate of convergence it saw after the last setup. When the step has changed
    // since, that rate is too good and stages are accepted that have not converged.
    ARKStepSetLSetupFrequency(memory_, 1);
    // f of a solved stage follows from its equation; stages start from the last step's polynomial.
    ARKStepSetDeduceImplicitRhs(memory_, 1);
    ARKStepSetPredictorMethod(memory_, 1);
    make_linear_solver();
    check(ARKStepSetLinearSolver(memory_, linear_.get(), matrix_.get()),
          "choosing the linear solver");
    if (!structured()) return;
    if (iterative()) {
      ARKStepSetPreconditioner(memory_, precondition_setup, precondition_solve);
      ARKStepSetJacTimes(memory_, nullptr, sparse_times);
    } else {
      ARKStepSetJacFn(memory_, dense_jacobian);
      // A structured Jacobian costs less than the iterations that fail with an old one.
      ARKStepSetJacEvalFrequency(memory_, 1);
    }
  }

  void add_to(IntegratorStatistics& s) const override {
    long steps = 0, explicit_evaluations = 0, implicit_evaluations = 0;
    long rejected = 0, failures = 0, jacobians = 0, difference = 0;
    ARKStepGetNumSteps(memory_, &steps);
    ARKStepGetNumRhsEvals(memory_, &explicit_evaluations, &implicit_evaluations);
    ARKStepGetNumErrTestFails(memory_, &rejected);
    if (linear_) {
      ARKStepGetNumNonlinSolvConvFails(memory_, &failures);
      ARKStepGetNumJacEvals(memory_, &jacobians);
      ARKStepGetNumLinRhsEvals(memory_, &difference);
    }
    s.steps += static_cast<std::uint64_t>(steps);
    s.evaluations +=
        static_cast<std::uint64_t>(explicit_evaluations + implicit_evaluations + difference);
    s.rejected += static_cast<std::uint64_t>(rejected);
    s.convergence_failures += static_cast<std::uint64_t>(failures) + shortened_;
    s.jacobians += iterative() ? sparse_evaluations_ : static_cast<std::uint64_t>(jacobians);
  }

  void* memory_ = nullptr;
  std::vector<double> y_before_;  // at the end of the last step
  std::uint64_t shortened_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_sundials_integrator(const IntegratorDef& def, OdeSystem& system) {
  if (def.method == Method::bdf || def.method == Method::adams)
    return std::make_unique<Cvode>(def, system);
  return std::make_unique<Arkode>(def, system);
}

}  // namespace grouser
