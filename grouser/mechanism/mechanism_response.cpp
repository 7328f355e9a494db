// Accelerations of a mechanism under forces, and how they change near a state.
#include "grouser/base/assert.h"
#include "grouser/mechanism/mechanism_detail.h"

namespace grouser {

using mechanism_detail::part;
using mechanism_detail::to_index;

void Mechanism::tree_solve(double* x) {
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->solve_mass({x + model_->tree_v_[i], trees_[i]->nv()});
}

/// x <- accelerations under the generalised forces x, with J a = gamma_.
void Mechanism::respond(double* x) {
  tree_solve(x);
  if (model_->row_count_ == 0) return;
  Eigen::Map<VecX> a(x, to_index(model_->nv_));
  lambda_.noalias() = gamma_ - response_J_ * a;
  schur_.solve(lambda_);
  a.noalias() += inverse_JT_ * lambda_;
}

void Mechanism::prepare_response() {
  if (model_->row_count_ == 0 || schur_ready_) return;
  response_J_ = J_;
  inverse_JT_ = J_.transpose();
  for (Eigen::Index r = 0; r < model_->row_count_; ++r) tree_solve(inverse_JT_.col(r).data());
  schur_.factor(J_ * inverse_JT_);
  schur_ready_ = true;
}

void Mechanism::accelerations(std::span<const Wrench> wrenches, std::span<double> a) {
  GROUSER_ASSERT(wrenches.size() == model_->body_names_.size() && a.size() == model_->nv_);
  passive_forces(wrenches);
  shares_.motors.setZero(to_index(model_->nv_));
  for (std::size_t i = 0; i < model_->motors_.size(); ++i) {
    torques_[i] = torque_of(i);
    shares_.motors[to_index(model_->motors_[i].v())] += torques_[i];
  }
  set_diagonal(no_diagonal_);
  solve_accelerations(a);
}

/// What acts without motors and constraints, and its shares.
void Mechanism::passive_forces(std::span<const Wrench> wrenches) {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i]->bias(part(passive_, model_->tree_v_[i], trees_[i]->nv()));
    trees_[i]->damper_forces(part(shares_.dampers, model_->tree_v_[i], trees_[i]->nv()));
  }
  shares_.contacts.setZero();
  add_wrenches(wrenches, part(shares_.contacts, 0, model_->nv_));
  shares_.applied.setZero();
  add_applied(part(shares_.applied, 0, model_->nv_));
  passive_ = shares_.contacts + shares_.applied - passive_;
  shares_.moving = 0.0;
  for (std::size_t b = 1; b <= model_->moving_.size(); ++b)
    shares_.moving += wrenches[b].torque.dot(kinematics_[b].V_WB.w) +
                      wrenches[b].force.dot(kinematics_[b].V_WB.v);
}

/// a <- accelerations under passive_ and the motors' share.
void Mechanism::solve_accelerations(std::span<double> a) {
  prepare_response();
  if (model_->row_count_ > 0) acceleration_targets(gamma_);
  Eigen::Map<VecX>(a.data(), to_index(model_->nv_)) = passive_ + shares_.motors;
  respond(a.data());
  forces_ = lambda_;
  if (model_->row_count_ > 0) shares_.constraints.noalias() = response_J_.transpose() * forces_;
}

void Mechanism::add_wrenches(std::span<const Wrench> wrenches, std::span<double> x) const {
  GROUSER_ASSERT(wrenches.size() == model_->places_.size() && x.size() == model_->nv_);
  for (std::size_t b = 0; b < wrenches.size(); ++b)
    if (!wrenches[b].force.isZero(0.0) || !wrenches[b].torque.isZero(0.0))
      add_wrench(static_cast<int>(b), wrenches[b], x);
}

void Mechanism::add_wrench(int body, const Wrench& F_B_W, std::span<double> x) const {
  GROUSER_ASSERT(body >= 0 && static_cast<std::size_t>(body) < model_->places_.size());
  const BodyPlace& place = model_->places_[static_cast<std::size_t>(body)];
  if (place.tree < 0) return;  // whatever moves the world or a moving body takes the force
  const auto t = static_cast<std::size_t>(place.tree);
  trees_[t]->add_wrench(place.index, F_B_W, x.subspan(model_->tree_v_[t], trees_[t]->nv()));
}

void Mechanism::keep_as_middle(std::span<const Wrench> wrenches, std::span<const double> a) {
  GROUSER_ASSERT(a.size() == model_->nv_ && !nearby_);
  middle_q_ = last_q_;
  middle_a_ = Eigen::Map<const VecX>(a.data(), to_index(model_->nv_));
  middle_lambda_ = forces_;
  middle_wrenches_.assign(wrenches.begin(), wrenches.end());
  middle_wrench_forces_.setZero(to_index(model_->nv_));
  add_wrenches(wrenches, part(middle_wrench_forces_, 0, model_->nv_));
  imbalance(middle_forces_, middle_along_);
}

/// What M a + c lacks of the forces, and J a of gamma, for the accelerations and constraint forces
/// of the middle.
void Mechanism::imbalance(VecX& forces, VecX& along) const {
  forces.resize(to_index(model_->nv_));
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->inverse_dynamics({middle_a_.data() + model_->tree_v_[i], trees_[i]->nv()},
                                part(forces, model_->tree_v_[i], trees_[i]->nv()));
  forces = -forces;
  if (last_q_ == middle_q_)
    forces += middle_wrench_forces_;
  else
    add_wrenches(middle_wrenches_, part(forces, 0, model_->nv_));
  add_applied(part(forces, 0, model_->nv_));  // these follow the pose
  for (std::size_t i = 0; i < model_->motors_.size(); ++i)
    forces[to_index(model_->motors_[i].v())] += torque_of(i);
  if (model_->row_count_ == 0) return;
  acceleration_targets(along);
  along.noalias() -= J_ * middle_a_;
  forces.noalias() += J_.transpose() * middle_lambda_;
}

void Mechanism::missing(std::span<double> forces, std::span<double> along) {
  GROUSER_ASSERT(forces.size() == model_->nv_ &&
                 along.size() == static_cast<std::size_t>(model_->row_count_));
  imbalance(tau_, gamma_);
  Eigen::Map<VecX>(forces.data(), to_index(model_->nv_)) = tau_ - middle_forces_;
  if (model_->row_count_ > 0)
    Eigen::Map<VecX>(along.data(), model_->row_count_) = gamma_ - middle_along_;
}

void Mechanism::respond(MatX& x, const MatX& along) {
  GROUSER_ASSERT(x.rows() == to_index(model_->nv_) &&
                 (model_->row_count_ == 0 || along.cols() == x.cols()));
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    if (model_->row_count_ > 0) gamma_ = along.col(k);
    respond(x.col(k).data());
  }
}

}  // namespace grouser
