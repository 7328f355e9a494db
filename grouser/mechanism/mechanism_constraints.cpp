// Couplings, loops and prescribed joints of a mechanism: what they ask of positions, velocities and
// accelerations.
#include "grouser/math/rotation.h"
#include "grouser/mechanism/mechanism_detail.h"

namespace grouser {

using mechanism_detail::part;
using mechanism_detail::to_index;

void Mechanism::loop_jacobian(const Loop& loop) {
  if (J_.cols() == 0) return;  // nothing moves
  const auto fill = [&](int b, const Vec3& point_B, MatX& J) {
    J.setZero();
    const BodyPlace& place = model_->places_[static_cast<std::size_t>(b)];
    if (place.tree < 0) return;
    const auto t = static_cast<std::size_t>(place.tree);
    trees_[t]->jacobian(place.index, kinematics_[static_cast<std::size_t>(b)].X_WB * point_B,
                        J.middleCols(to_index(model_->tree_v_[t]), to_index(trees_[t]->nv())));
  };
  fill(loop.a, loop.def.point_a, jac_a_);
  fill(loop.b, loop.def.point_b, jac_b_);
  J_.middleRows<3>(loop.row) = jac_a_.bottomRows<3>() - jac_b_.bottomRows<3>();
  if (loop.def.kind == LoopDef::Kind::weld)
    J_.middleRows<3>(loop.row + 3) = jac_a_.topRows<3>() - jac_b_.topRows<3>();
}

/// Rows of couplings never change; those of loops follow the positions.
void Mechanism::fill_jacobian() {
  if (!linear_filled_) {
    for (std::size_t r = 0; r < model_->rows_.size(); ++r)
      for (std::size_t k = 0; k < model_->rows_[r].v.size(); ++k)
        J_(to_index(r), to_index(model_->rows_[r].v[k])) += model_->rows_[r].factor[k];
  }
  for (const Loop& loop : model_->loops_) loop_jacobian(loop);
  jacobian_is_here_ = true;
  if (linear_filled_ && model_->loops_.empty()) return;
  linear_filled_ = true;
  J_positions_ = J_;
  for (std::size_t r = 0; r < model_->rows_.size(); ++r)
    if (!model_->rows_[r].position) J_positions_.row(to_index(r)).setZero();
  normal_.factor(J_ * mobility_.asDiagonal() * J_.transpose());
  position_normal_.factor(J_positions_ * mobility_.asDiagonal() * J_positions_.transpose());
}

void Mechanism::position_residual(VecX& phi) const {
  phi.resize(model_->row_count_);
  for (std::size_t r = 0; r < model_->rows_.size(); ++r) {
    const LinearRow& row = model_->rows_[r];
    double sum = -row.offset;
    for (std::size_t k = 0; k < row.q.size(); ++k) sum += row.factor[k] * q_[to_index(row.q[k])];
    if (row.prescribed >= 0)
      sum -= model_->prescribed_[static_cast<std::size_t>(row.prescribed)].signal.at(time_).value;
    phi[to_index(r)] = row.position ? sum : 0.0;
  }
  for (const Loop& loop : model_->loops_) {
    const Pose& X_WA = kinematics_[static_cast<std::size_t>(loop.a)].X_WB;
    const Pose& X_WB = kinematics_[static_cast<std::size_t>(loop.b)].X_WB;
    phi.segment<3>(loop.row) = X_WA * loop.def.point_a - X_WB * loop.def.point_b;
    if (loop.def.kind == LoopDef::Kind::weld)
      phi.segment<3>(loop.row + 3) = rotation_vector(X_WA.R * loop.def.R_AB * X_WB.R.transpose());
  }
}

/// Newton steps of least change. Couplings are linear: one step. Loops need new kinematics after
/// every step, but start within the integrator's tolerance of the solution.
void Mechanism::project_positions(int iterations) {
  for (int i = 0; i < iterations; ++i) {
    fill_jacobian();
    position_residual(phi_);
    if (phi_.lpNorm<Eigen::Infinity>() < mechanism_detail::kClosed) return;
    position_normal_.solve(phi_);
    tau_.noalias() = -J_positions_.transpose() * phi_;
    tau_.array() *= mobility_.array();
    for (std::size_t t = 0; t < trees_.size(); ++t)
      trees_[t]->move(part(q_, model_->tree_q_[t], trees_[t]->nq()),
                      part(tau_, model_->tree_v_[t], trees_[t]->nv()), 1.0);
    if (model_->loops_.empty()) return;
    jacobian_is_here_ = false;
    set_tree_positions();
    set_tree_velocities();  // fills kinematics
  }
}

void Mechanism::project_velocities() {
  gamma_.noalias() = J_ * v_;
  for (std::size_t r = 0; r < model_->rows_.size(); ++r) {
    const LinearRow& row = model_->rows_[r];
    if (row.prescribed < 0) continue;
    const SignalValue s =
        model_->prescribed_[static_cast<std::size_t>(row.prescribed)].signal.at(time_);
    gamma_[to_index(r)] -= row.position ? s.rate : s.value;
  }
  for (const Loop& loop : model_->loops_) {  // moving bodies have velocities that J does not know
    const auto subtract = [&](int b, const Vec3& point_B, double sign) {
      const BodyPlace& place = model_->places_[static_cast<std::size_t>(b)];
      if (place.moving < 0) return;
      const BodyKinematics& body = kinematics_[static_cast<std::size_t>(b)];
      gamma_.segment<3>(loop.row) += sign * body.V_WB.at(body.X_WB.R * point_B);
      if (loop.def.kind == LoopDef::Kind::weld)
        gamma_.segment<3>(loop.row + 3) += sign * body.V_WB.w;
    };
    subtract(loop.a, loop.def.point_a, 1.0);
    subtract(loop.b, loop.def.point_b, -1.0);
  }
  normal_.solve(gamma_);
  tau_.noalias() = J_.transpose() * gamma_;
  v_.array() -= mobility_.array() * tau_.array();
}

void Mechanism::acceleration_targets(VecX& gamma) const {
  gamma.setZero(model_->row_count_);
  for (std::size_t r = 0; r < model_->rows_.size(); ++r) {
    const LinearRow& row = model_->rows_[r];
    if (row.prescribed < 0) continue;
    const SignalValue s =
        model_->prescribed_[static_cast<std::size_t>(row.prescribed)].signal.at(time_);
    gamma[to_index(r)] = row.position ? s.acceleration : s.rate;
  }
  if (model_->loops_.empty()) return;
  for (const auto& tree : trees_) tree->prepare_bias_acceleration();
  for (const Loop& loop : model_->loops_) {
    const auto add = [&](int b, const Vec3& point_B, double sign) {
      const BodyPlace& place = model_->places_[static_cast<std::size_t>(b)];
      const BodyKinematics& body = kinematics_[static_cast<std::size_t>(b)];
      Twist bias;
      if (place.tree >= 0) {
        bias = trees_[static_cast<std::size_t>(place.tree)]->bias_acceleration(place.index);
      } else if (place.moving >= 0) {
        bias = moving_acceleration_[static_cast<std::size_t>(place.moving)];
      }
      const Vec3 r = body.X_WB.R * point_B;
      const Vec3& w = body.V_WB.w;
      gamma.segment<3>(loop.row) -= sign * (bias.at(r) + w.cross(w.cross(r)));
      if (loop.def.kind == LoopDef::Kind::weld) gamma.segment<3>(loop.row + 3) -= sign * bias.w;
    };
    add(loop.a, loop.def.point_a, 1.0);
    add(loop.b, loop.def.point_b, -1.0);
  }
}

double Mechanism::constraint_gap() {
  if (model_->row_count_ == 0) return 0.0;
  position_residual(phi_);
  return phi_.lpNorm<Eigen::Infinity>();
}

}  // namespace grouser
