// The state of a mechanism at time 0: initial coordinates, around which loops and couplings are
// closed.
#include <limits>

#include "grouser/base/text.h"
#include "grouser/mechanism/mechanism_detail.h"

namespace grouser {

using mechanism_detail::to_index;

namespace {

// Mobility of a coordinate whose initial value is given: small, but above what counts as zero.
constexpr double kHeld = 1e-9;

}  // namespace

void MechanismModel::set_initial(const MechanismDef::InitialJoint& initial, VecX& mobility) {
  const Joint& found = joint(initial.joint, initial.place, "initial");
  const std::string key = "initial." + initial.joint;
  if (found.kind == JointKind::free && !found.at_origin)
    throw InputError(initial.place, key + ": give the initial state in [[body]]");
  // How many numbers each kind of joint has: position, quaternion, velocity, angular velocity.
  const bool free = found.kind == JointKind::free, turns = free || found.kind == JointKind::ball;
  const std::size_t places = found.scalar() ? 1 : free ? 3 : 0;
  const auto put = [&](const std::vector<double>& x, const char* what, std::size_t count, VecX& out,
                       std::size_t at) {
    // What is given stays; loops and couplings are closed by moving the rest.
    if (!x.empty() && found.scalar()) mobility[to_index(found.v)] = kHeld;
    if (x.empty()) return;
    if (x.size() != count)
      throw InputError(initial.place, key + "." + what + " must have " + std::to_string(count) +
                                          " numbers for this kind of joint, has " +
                                          std::to_string(x.size()));
    for (std::size_t k = 0; k < count; ++k) out[to_index(at + k)] = x[k];
  };
  put(initial.position, "position", places, initial_q_, found.q);
  put(initial.quaternion, "quaternion", turns ? 4 : 0, initial_q_, found.q + (free ? 3 : 0));
  put(initial.velocity, "velocity", places, initial_v_, found.v);
  put(initial.angular_velocity, "angular_velocity", turns ? 3 : 0, initial_v_,
      found.v + (free ? 3 : 0));
}

void MechanismModel::assemble(const VecX& mobility) {
  for (const std::size_t at : quaternions_) initial_q_.segment<4>(to_index(at)).normalize();
  // Not owned: it does not outlive this function.
  Mechanism draft(std::shared_ptr<const MechanismModel>(std::shared_ptr<void>(), this));
  for (Loop& loop : loops_) {
    if (!loop.def.find_b) continue;
    const Pose& X_WA = draft.kinematics_[static_cast<std::size_t>(loop.a)].X_WB;
    const Pose& X_WB = draft.kinematics_[static_cast<std::size_t>(loop.b)].X_WB;
    loop.def.point_b = X_WB.inverse() * (X_WA * loop.def.point_a);
    loop.def.R_AB = X_WA.R.transpose() * X_WB.R;
  }
  if (row_count_ > 0) {
    draft.mobility_ = mobility;
    draft.time_ = 0.0;
    draft.project_positions(100);
    if (const double gap = draft.constraint_gap(); !(gap < 1e-9)) {
      Eigen::Index worst = 0;
      draft.phi_.cwiseAbs().maxCoeff(&worst);
      std::string what = "the couplings and prescribed joints contradict each other";
      Place place;
      for (const Loop& loop : loops_)
        if (worst >= loop.row) {
          what = "loop '" + loop.def.name + "' cannot be closed";
          place = loop.def.place;
        }
      throw InputError(place, what + ": a gap of " + to_text(gap, 3) + " remains at time 0");
    }
    draft.project_velocities();
    initial_q_ = draft.q_;
    initial_v_ = draft.v_;
  }
  for (Motor& motor : motors_) motor.set_start(initial_q_[to_index(motor.q())]);
}

Mechanism::Mechanism(MechanismDef def)
    : Mechanism(std::make_shared<const MechanismModel>(std::move(def))) {}

Mechanism::Mechanism(std::shared_ptr<const MechanismModel> model)
    : model_(std::move(model)),
      trees_(model_->trees_),
      q_(model_->initial_q_),
      v_(model_->initial_v_),
      kinematics_(model_->body_names_.size()),
      moving_acceleration_(model_->moving_.size()),
      torques_(model_->motors_.size()),
      motor_steps_(model_->motors_.size()) {
  commands_.motors.resize(model_->motors_.size());
  commands_.inputs.resize(model_->inputs_.size());
  const Eigen::Index nv = to_index(model_->nv_), rows = model_->row_count_;
  mobility_.setOnes(nv);
  tau_.resize(nv);
  lambda_.setZero(rows);
  J_.setZero(rows, nv);
  jac_a_.resize(6, nv);
  jac_b_.resize(6, nv);
  inverse_JT_.resize(nv, rows);
  for (VecX* x : {&passive_, &shares_.motors, &shares_.contacts, &shares_.applied, &shares_.dampers,
                  &shares_.constraints, &diagonal_, &step_diagonal_, &no_diagonal_})
    x->setZero(nv);
  // Bodies are where they are at the start, but no state has been set.
  update_moving_bodies(0.0);
  set_tree_positions();
  set_tree_velocities();
  time_ = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace grouser
