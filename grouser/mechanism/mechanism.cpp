#include <cmath>
#include <cstring>

#include "grouser/base/assert.h"
#include "grouser/mechanism/mechanism_detail.h"

namespace grouser {

using mechanism_detail::part;
using mechanism_detail::to_index;

namespace {

bool same_bits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::span<const double> all(const VecX& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

}  // namespace

void Mechanism::set_tree_positions() {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const std::span<const double> q = part(q_, model_->tree_q_[i], trees_[i]->nq());
    if (nearby_)
      trees_[i]->set_positions_nearby(q);
    else
      trees_[i]->set_positions(q);
  }
}

void Mechanism::set_tree_velocities() {
  std::size_t body = 1 + model_->moving_.size();
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i]->set_velocities(part(v_, model_->tree_v_[i], trees_[i]->nv()));
    const std::size_t count = model_->tree_bodies_[i];
    trees_[i]->kinematics(std::span(kinematics_).subspan(body, count));
    body += count;
    GROUSER_ASSERT(body <= kinematics_.size());
  }
}

void Mechanism::update_moving_bodies(double time) {
  for (std::size_t i = 0; i < model_->moving_.size(); ++i) {
    const MovingBodyDef& def = model_->moving_[i];
    const SignalValue x = def.x.at(time), y = def.y.at(time), z = def.z.at(time);
    BodyKinematics& body = kinematics_[1 + i];
    body.X_WB.p = def.X_WB.p + Vec3(x.value, y.value, z.value);
    body.V_WB.v = Vec3(x.rate, y.rate, z.rate);
    moving_acceleration_[i].v = Vec3(x.acceleration, y.acceleration, z.acceleration);

    // Turns about fixed axes, the last one first, are turns about axes that are carried along.
    Mat3& R = body.X_WB.R;
    Vec3 &w = body.V_WB.w, &alpha = moving_acceleration_[i].w;
    R = def.X_WB.R;
    w = alpha = Vec3::Zero();
    const auto turn = [&](const Signal& signal, const Vec3& axis) {
      const SignalValue angle = signal.at(time);
      const Vec3 axis_W = R * axis;
      alpha += angle.acceleration * axis_W + w.cross(angle.rate * axis_W);
      w += angle.rate * axis_W;
      if (angle.value != 0.0) R *= Eigen::AngleAxisd(angle.value, axis).toRotationMatrix();
    };
    turn(def.yaw, Vec3::UnitZ());
    turn(def.pitch, Vec3::UnitY());
    turn(def.roll, Vec3::UnitX());
    turn(def.angle, def.axis);
    GROUSER_ASSERT(!(std::abs(R.determinant() - 1.0) > 1e-6));
  }
}

bool Mechanism::knows(double time) const {
  return !nearby_ && !last_q_.empty() && same_bits({&time, 1}, {&time_, 1});
}

void Mechanism::begin_state(double time, std::span<const double> q) {
  schur_ready_ = false;
  time_ = time;
  std::copy(q.begin(), q.end(), q_.data());
  update_moving_bodies(time);
}

void Mechanism::set_state(double time, std::span<const double> q, std::span<const double> v) {
  GROUSER_ASSERT(q.size() == nq() && v.size() == nv());
  // Integrators often change velocities alone, or ask again.
  const bool known_time = knows(time);
  const bool asked_before = known_time && !as_is_ && same_bits(q, last_q_);
  const bool known_positions = asked_before || (known_time && same_bits(q, all(q_)) && stays());
  nearby_ = false;
  if (asked_before && same_bits(v, last_v_)) return;
  last_q_.clear();  // until all is done
  if (!known_positions) begin_state(time, q);
  project_state(v, !known_positions);
  as_is_ = false;
  last_q_.assign(q.begin(), q.end());
  last_v_.assign(v.begin(), v.end());
}

void Mechanism::resume(double time, std::span<const double> q, std::span<const double> v) {
  GROUSER_ASSERT(q.size() == nq() && v.size() == nv());
  const bool known_positions = knows(time) && same_bits(q, all(q_)) && jacobian_is_here_;
  nearby_ = false;
  last_q_.clear();  // until all is done
  if (!known_positions) {
    begin_state(time, q);
    set_tree_positions();
  }
  const bool known_velocities = known_positions && same_bits(v, all(v_));
  std::copy(v.begin(), v.end(), v_.data());
  if (!known_velocities) set_tree_velocities();
  if (!known_positions && model_->row_count_ > 0) fill_jacobian();
  as_is_ = true;
  last_q_.assign(q.begin(), q.end());
  last_v_.assign(v.begin(), v.end());
}

void Mechanism::set_nearby(std::span<const double> q, std::span<const double> v) {
  GROUSER_ASSERT(q.size() == nq() && v.size() == nv() && last_q_.size() == nq());
  const bool same_positions = !as_is_ && same_bits(q, last_q_);
  nearby_ = true;
  as_is_ = false;
  if (!same_positions) {
    last_q_.assign(q.begin(), q.end());
    std::copy(q.begin(), q.end(), q_.data());
  }
  project_state(v, !same_positions);
}

/// Constraints and kinematics for the positions in q_ and the velocities v.
void Mechanism::project_state(std::span<const double> v, bool new_positions) {
  if (new_positions) {
    for (const std::size_t at : model_->quaternions_) q_.segment<4>(to_index(at)).normalize();
    if (model_->row_count_ > 0 && model_->loops_.empty()) project_positions(1);
    set_tree_positions();
  }
  before_v_ = v_;
  std::copy(v.begin(), v.end(), v_.data());
  if (new_positions && !model_->loops_.empty()) {
    set_tree_velocities();  // fills kinematics
    project_positions(10);
  }
  if (model_->row_count_ > 0) project_velocities();
  if (new_positions || !same_bits(all(v_), all(before_v_))) set_tree_velocities();
}

/// Whether projecting the positions once more would leave every bit of them as it is.
bool Mechanism::stays() {
  for (const std::size_t at : model_->quaternions_) {
    Eigen::Vector4d q = q_.segment<4>(to_index(at));
    q.normalize();
    if (!same_bits({q.data(), 4}, {q_.data() + at, 4})) return false;
  }
  return jacobian_is_here_ && constraint_gap() < mechanism_detail::kClosed;
}

void Mechanism::position_rates(std::span<double> rates) const {
  GROUSER_ASSERT(rates.size() == model_->nq_);
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->position_rates({q_.data() + model_->tree_q_[i], trees_[i]->nq()},
                              {v_.data() + model_->tree_v_[i], trees_[i]->nv()},
                              rates.subspan(model_->tree_q_[i], trees_[i]->nq()));
}

void Mechanism::move(std::span<double> q, std::span<const double> v, double h) const {
  GROUSER_ASSERT(q.size() == model_->nq_ && v.size() == model_->nv_);
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->move(q.subspan(model_->tree_q_[i], trees_[i]->nq()),
                    v.subspan(model_->tree_v_[i], trees_[i]->nv()), h);
}

double Mechanism::kinetic_energy() {
  double sum = 0.0;
  for (const auto& tree : trees_) sum += tree->kinetic_energy();
  return sum;
}

double Mechanism::potential_energy() {
  double sum = 0.0;
  for (const auto& tree : trees_) sum += tree->potential_energy();
  return sum;
}

Tree::Mass Mechanism::moving_mass() const {
  Tree::Mass sum;
  for (std::size_t b = 0; b < kinematics_.size(); ++b) {
    if (model_->places_[b].tree < 0 || model_->body_parts_[b] < 0) continue;
    const Tree::Mass& body = model_->masses_[b];
    sum.mass += body.mass;
    sum.center += body.mass * (kinematics_[b].X_WB * body.center);
  }
  if (sum.mass > 0.0) sum.center /= sum.mass;
  return sum;
}

BodyMobility Mechanism::mobility(int body) const {
  const auto b = static_cast<std::size_t>(body);
  if (model_->places_[b].tree < 0 || model_->body_parts_[b] < 0) return {};
  const Tree::Mass& mass = model_->masses_[b];
  return {mass.linear_mobility, mass.angular_mobility, mass.center};
}

}  // namespace grouser
