#include "grouser/mechanism/mechanism.h"

#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mechanism_solver.h"

namespace grouser {

using mechanism_detail::part;
using mechanism_detail::to_index;

namespace {

template <class Items, class NameOf>
std::vector<std::string> names_of(const Items& items, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(name_of(item));
  return names;
}

}  // namespace

Mechanism::~Mechanism() = default;

int Mechanism::body(const std::string& name, const Place& place, const std::string& key) const {
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found == body_names_.end())
    throw InputError(place,
                     key + ": there is no body '" + name + "'" + suggestion(name, body_names_));
  return static_cast<int>(found - body_names_.begin());
}

const Joint& Mechanism::joint(const std::string& name, const Place& place,
                              const std::string& key) const {
  for (const Joint& candidate : joints_)
    if (candidate.name == name) return candidate;
  const auto names = names_of(joints_, [](const Joint& j) { return j.name; });
  throw InputError(place, key + ": there is no joint '" + name + "'" + suggestion(name, names));
}

const Joint& Mechanism::scalar_joint(const std::string& name, const Place& place,
                                     const std::string& key) const {
  const Joint& found = joint(name, place, key);
  if (!found.scalar())
    throw InputError(place, key + ": joint '" + name + "' is neither a hinge nor a slide");
  return found;
}

void Mechanism::set_tree_positions() {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    const std::span<const double> q = part(q_, tree_q_[i], trees_[i]->nq());
    if (nearby_)
      trees_[i]->set_positions_nearby(q);
    else
      trees_[i]->set_positions(q);
  }
}

void Mechanism::set_tree_velocities() {
  std::size_t body = 1 + moving_.size();
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i]->set_velocities(part(v_, tree_v_[i], trees_[i]->nv()));
    const std::size_t count = tree_bodies_[i];
    trees_[i]->kinematics(std::span(kinematics_).subspan(body, count));
    body += count;
    GROUSER_ASSERT(body <= kinematics_.size());
  }
}

void Mechanism::update_moving_bodies(double time) {
  for (std::size_t i = 0; i < moving_.size(); ++i) {
    const MovingBodyDef& def = moving_[i];
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

void Mechanism::set_state(double time, std::span<const double> q, std::span<const double> v) {
  GROUSER_ASSERT(q.size() == nq_ && v.size() == nv_);
  const auto equal = [](std::span<const double> a, std::span<const double> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  const auto all = [](const VecX& x) {
    return std::span<const double>(x.data(), static_cast<std::size_t>(x.size()));
  };
  // Integrators often change velocities alone, or ask again about the state as it was projected.
  const bool known_time = !nearby_ && time == time_;
  const bool known_positions = known_time && (equal(q, last_q_) || equal(q, all(q_)));
  const bool known_velocities = known_positions && (equal(v, last_v_) || equal(v, all(v_)));
  nearby_ = false;
  last_q_.assign(q.begin(), q.end());
  last_v_.assign(v.begin(), v.end());
  if (known_velocities) return;
  if (!known_positions) {
    schur_ready_ = false;
    time_ = time;
    std::copy(q.begin(), q.end(), q_.data());
    update_moving_bodies(time);
  }
  project_state(v, !known_positions);
}

void Mechanism::set_nearby(std::span<const double> q, std::span<const double> v) {
  GROUSER_ASSERT(q.size() == nq_ && v.size() == nv_ && last_q_.size() == nq_);
  const bool same_positions = std::equal(q.begin(), q.end(), last_q_.begin());
  nearby_ = true;
  last_v_.clear();
  if (!same_positions) {
    last_q_.assign(q.begin(), q.end());
    std::copy(q.begin(), q.end(), q_.data());
  }
  project_state(v, !same_positions);
}

/// Constraints and kinematics for the positions in q_ and the velocities v.
void Mechanism::project_state(std::span<const double> v, bool new_positions) {
  if (new_positions) {
    for (const std::size_t at : quaternions_) q_.segment<4>(to_index(at)).normalize();
    if (row_count_ > 0 && loops_.empty()) project_positions(1);
    set_tree_positions();
  }
  std::copy(v.begin(), v.end(), v_.data());
  if (new_positions && !loops_.empty()) {
    set_tree_velocities();  // fills kinematics
    project_positions(10);
  }
  if (row_count_ > 0) project_velocities();
  set_tree_velocities();
}

void Mechanism::position_rates(std::span<double> rates) const {
  GROUSER_ASSERT(rates.size() == nq_);
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->position_rates({q_.data() + tree_q_[i], trees_[i]->nq()},
                              {v_.data() + tree_v_[i], trees_[i]->nv()},
                              rates.subspan(tree_q_[i], trees_[i]->nq()));
}

void Mechanism::move(std::span<double> q, std::span<const double> v, double h) const {
  GROUSER_ASSERT(q.size() == nq_ && v.size() == nv_);
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->move(q.subspan(tree_q_[i], trees_[i]->nq()), v.subspan(tree_v_[i], trees_[i]->nv()),
                    h);
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
  for (std::size_t b = 0; b < places_.size(); ++b) {
    if (places_[b].tree < 0 || body_parts_[b] < 0) continue;
    const Tree::Mass body =
        trees_[static_cast<std::size_t>(places_[b].tree)]->masses()[places_[b].index];
    sum.mass += body.mass;
    sum.center += body.mass * (kinematics_[b].X_WB * body.center);
  }
  if (sum.mass > 0.0) sum.center /= sum.mass;
  return sum;
}

}  // namespace grouser
