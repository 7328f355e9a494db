#include "grouser/mechanism/mechanism.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/semidefinite.h"

namespace grouser {

struct Mechanism::Solver : SemidefiniteSolver {};

namespace {

Eigen::Index to_index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

std::span<double> part(VecX& x, std::size_t first, std::size_t count) {
  return {x.data() + first, count};
}

// Mobility of a coordinate whose initial value is given: small, but above what counts as zero.
constexpr double kHeld = 1e-9;

/// A rotation matrix near identity as a rotation vector.
Vec3 rotation_vector(const Mat3& R) {
  const Eigen::AngleAxisd turn(R);
  return turn.angle() * turn.axis();
}

template <class Items, class NameOf>
std::vector<std::string> names_of(const Items& items, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(name_of(item));
  return names;
}

}  // namespace

Mechanism::~Mechanism() = default;

Mechanism::Mechanism(MechanismDef def)
    : normal_(std::make_unique<Solver>()),
      position_normal_(std::make_unique<Solver>()),
      schur_(std::make_unique<Solver>()) {
  add_bodies(def);
  add_rows(def);
  find_parts();
  add_forces(def.forces);

  q_.resize(to_index(nq_));
  v_.setZero(to_index(nv_));
  mobility_.setOnes(to_index(nv_));
  tau_.resize(to_index(nv_));
  lambda_.setZero(row_count_);
  J_.setZero(row_count_, to_index(nv_));
  jac_a_.resize(6, to_index(nv_));
  jac_b_.resize(6, to_index(nv_));
  inverse_JT_.resize(to_index(nv_), row_count_);
  for (VecX* x :
       {&passive_, &shares_.motors, &shares_.contacts, &shares_.applied, &shares_.dampers,
        &shares_.constraints, &stiffness_, &damping_, &diagonal_, &step_diagonal_, &no_diagonal_})
    x->setZero(to_index(nv_));
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->joint_springs(part(stiffness_, tree_v_[i], trees_[i]->nv()),
                             part(damping_, tree_v_[i], trees_[i]->nv()));
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    q_.segment(to_index(tree_q_[i]), to_index(trees_[i]->nq())) = trees_[i]->initial_positions();
    v_.segment(to_index(tree_v_[i]), to_index(trees_[i]->nv())) = trees_[i]->initial_velocities();
  }
  for (const MechanismDef::InitialJoint& initial : def.initial) set_initial(initial);
  assemble();
}

void Mechanism::set_initial(const MechanismDef::InitialJoint& initial) {
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
    if (!x.empty() && found.scalar()) mobility_[to_index(found.v)] = kHeld;
    if (x.empty()) return;
    if (x.size() != count)
      throw InputError(initial.place, key + "." + what + " must have " + std::to_string(count) +
                                          " numbers for this kind of joint, has " +
                                          std::to_string(x.size()));
    for (std::size_t k = 0; k < count; ++k) out[to_index(at + k)] = x[k];
  };
  put(initial.position, "position", places, q_, found.q);
  put(initial.quaternion, "quaternion", turns ? 4 : 0, q_, found.q + (free ? 3 : 0));
  put(initial.velocity, "velocity", places, v_, found.v);
  put(initial.angular_velocity, "angular_velocity", turns ? 3 : 0, v_, found.v + (free ? 3 : 0));
}

void Mechanism::add_bodies(MechanismDef& def) {
  trees_ = std::move(def.trees);
  moving_ = std::move(def.moving_bodies);
  body_names_.push_back("world");
  places_.push_back({});
  const auto add = [&](const std::string& name, BodyPlace place, const Place& where) {
    if (std::find(body_names_.begin(), body_names_.end(), name) != body_names_.end())
      throw InputError(where, "two bodies are named '" + name + "'");
    body_names_.push_back(name);
    places_.push_back(place);
  };
  for (std::size_t i = 0; i < moving_.size(); ++i)
    add(moving_[i].name, {-1, static_cast<int>(i), 0}, moving_[i].place);
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    tree_q_.push_back(nq_);
    tree_v_.push_back(nv_);
    const std::vector<std::string> names = trees_[i]->body_names();
    for (std::size_t b = 0; b < names.size(); ++b) add(names[b], {static_cast<int>(i), -1, b}, {});
    tree_bodies_.push_back(names.size());
    for (Joint j : trees_[i]->joints()) {
      j.q += nq_;
      j.v += nv_;
      if (j.kind == JointKind::ball) quaternions_.push_back(j.q);
      if (j.kind == JointKind::free) quaternions_.push_back(j.q + 3);
      joints_.push_back(j);
    }
    nq_ += trees_[i]->nq();
    nv_ += trees_[i]->nv();
  }
  kinematics_.resize(body_names_.size());
  moving_acceleration_.resize(moving_.size());
}

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

void Mechanism::add_rows(MechanismDef& def) {
  held_q_.resize(nq_);
  held_v_.resize(nv_);
  couplings_ = std::move(def.couplings);
  prescribed_ = std::move(def.prescribed);
  for (const CouplingDef& coupling : couplings_) {
    LinearRow row;
    row.offset = coupling.offset;
    for (const auto& [name, factor] : coupling.joints) {
      const Joint& coupled = scalar_joint(name, coupling.place, "coupling.joints");
      row.q.push_back(coupled.q);
      row.v.push_back(coupled.v);
      row.factor.push_back(factor);
    }
    rows_.push_back(row);
  }
  for (std::size_t i = 0; i < prescribed_.size(); ++i) {
    const Joint& driven =
        scalar_joint(prescribed_[i].joint, prescribed_[i].place, "prescribed.joint");
    rows_.push_back(
        {{driven.q}, {driven.v}, {1.0}, 0.0, static_cast<int>(i), !prescribed_[i].speed});
    if (!prescribed_[i].speed) held_q_[driven.q] = true;
    held_v_[driven.v] = true;
  }
  row_count_ = to_index(rows_.size());
  for (LoopDef& loop : def.loops) {
    Loop out;
    out.a = body(loop.body_a, loop.place, "loop.body_a");
    out.b = body(loop.body_b, loop.place, "loop.body_b");
    out.row = row_count_;
    row_count_ += loop.kind == LoopDef::Kind::weld ? 6 : 3;
    out.def = std::move(loop);
    loops_.push_back(std::move(out));
  }
  add_motors(def.motors);
}

/// Parts of the trees, joined where a constraint or a motor's coordinates connect them.
void Mechanism::find_parts() {
  std::vector<int> raw_dof, raw_body(body_names_.size(), -1);
  int first = 0;
  std::size_t body = 1 + moving_.size();
  for (const auto& tree : trees_) {
    int last = first;
    for (const int p : tree->parts()) {
      raw_dof.push_back(first + p);
      last = std::max(last, first + p);
    }
    for (const int p : tree->body_parts()) raw_body[body++] = p < 0 ? -1 : first + p;
    first = last + 1;
  }
  std::vector<int> leader(static_cast<std::size_t>(first));
  GROUSER_ASSERT(raw_dof.size() == nv_ && body == body_names_.size());
  std::iota(leader.begin(), leader.end(), 0);
  const std::function<int(int)> find = [&](int p) {
    int& up = leader[static_cast<std::size_t>(p)];
    return up == p ? p : up = find(up);
  };
  const auto join = [&](int a, int b) {
    if (a >= 0 && b >= 0) leader[static_cast<std::size_t>(find(a))] = find(b);
  };
  for (const LinearRow& row : rows_)
    for (const std::size_t v : row.v) join(raw_dof[v], raw_dof[row.v[0]]);
  for (const Loop& loop : loops_)
    join(raw_body[static_cast<std::size_t>(loop.a)], raw_body[static_cast<std::size_t>(loop.b)]);

  // Number the leaders in order of appearance.
  std::vector<int> number(static_cast<std::size_t>(first), -1);
  for (const int p : raw_dof) {
    int& n = number[static_cast<std::size_t>(find(p))];
    if (n < 0) n = part_count_++;
    parts_.push_back(n);
  }
  for (const int p : raw_body)
    body_parts_.push_back(p < 0 ? -1 : number[static_cast<std::size_t>(find(p))]);
  position_parts_.assign(nq_, 0);
  for (const Joint& j : joints_) {
    const std::size_t count = j.kind == JointKind::free ? 7 : j.kind == JointKind::ball ? 4 : 1;
    for (std::size_t k = 0; k < count; ++k) position_parts_[j.q + k] = parts_[j.v];
  }
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

void Mechanism::assemble() {
  time_ = 0.0;
  for (const std::size_t at : quaternions_) q_.segment<4>(to_index(at)).normalize();
  update_moving_bodies(0.0);
  set_tree_positions();
  set_tree_velocities();
  for (Loop& loop : loops_) {
    if (!loop.def.find_b) continue;
    const Pose& X_WA = kinematics_[static_cast<std::size_t>(loop.a)].X_WB;
    const Pose& X_WB = kinematics_[static_cast<std::size_t>(loop.b)].X_WB;
    loop.def.point_b = X_WB.inverse() * (X_WA * loop.def.point_a);
    loop.def.R_AB = X_WA.R.transpose() * X_WB.R;
  }
  if (row_count_ > 0) {
    project_positions(100);
    if (const double gap = constraint_gap(); !(gap < 1e-9)) {
      Eigen::Index worst = 0;
      phi_.cwiseAbs().maxCoeff(&worst);
      std::string what = "the couplings and prescribed joints contradict each other";
      Place place;
      for (const Loop& loop : loops_)
        if (worst >= loop.row) {
          what = "loop '" + loop.def.name + "' cannot be closed";
          place = loop.def.place;
        }
      throw InputError(place, what + ": a gap of " + to_text(gap, 3) + " remains at time 0");
    }
    project_velocities();
  }
  set_tree_velocities();
  initial_q_ = q_;
  initial_v_ = v_;
  for (Motor& motor : motors_) motor.set_start(q_[to_index(motor.q())]);
  // From now on all coordinates give way alike.
  mobility_.setOnes();
  J_.setZero();
  linear_filled_ = false;
  if (row_count_ > 0) fill_jacobian();
  time_ = std::numeric_limits<double>::quiet_NaN();  // no state has been set
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

void Mechanism::loop_jacobian(const Loop& loop) {
  const auto fill = [&](int b, const Vec3& point_B, MatX& J) {
    J.setZero();
    const BodyPlace& place = places_[static_cast<std::size_t>(b)];
    if (place.tree < 0) return;
    const auto t = static_cast<std::size_t>(place.tree);
    trees_[t]->jacobian(place.index, kinematics_[static_cast<std::size_t>(b)].X_WB * point_B,
                        J.middleCols(to_index(tree_v_[t]), to_index(trees_[t]->nv())));
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
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (std::size_t k = 0; k < rows_[r].v.size(); ++k)
        J_(to_index(r), to_index(rows_[r].v[k])) += rows_[r].factor[k];
  }
  for (const Loop& loop : loops_) loop_jacobian(loop);
  if (linear_filled_ && loops_.empty()) return;
  linear_filled_ = true;
  J_positions_ = J_;
  for (std::size_t r = 0; r < rows_.size(); ++r)
    if (!rows_[r].position) J_positions_.row(to_index(r)).setZero();
  normal_->factor(J_ * mobility_.asDiagonal() * J_.transpose());
  position_normal_->factor(J_positions_ * mobility_.asDiagonal() * J_positions_.transpose());
}

void Mechanism::position_residual(VecX& phi) const {
  phi.resize(row_count_);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const LinearRow& row = rows_[r];
    double sum = -row.offset;
    for (std::size_t k = 0; k < row.q.size(); ++k) sum += row.factor[k] * q_[to_index(row.q[k])];
    if (row.prescribed >= 0)
      sum -= prescribed_[static_cast<std::size_t>(row.prescribed)].signal.at(time_).value;
    phi[to_index(r)] = row.position ? sum : 0.0;
  }
  for (const Loop& loop : loops_) {
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
  constexpr double kClosed = 1e-13;  // [m], [rad]: rounding of kinematics over a few metres
  for (int i = 0; i < iterations; ++i) {
    fill_jacobian();
    position_residual(phi_);
    if (phi_.lpNorm<Eigen::Infinity>() < kClosed) return;
    position_normal_->solve(phi_);
    tau_.noalias() = -J_positions_.transpose() * phi_;
    tau_.array() *= mobility_.array();
    for (std::size_t t = 0; t < trees_.size(); ++t)
      trees_[t]->move(part(q_, tree_q_[t], trees_[t]->nq()),
                      part(tau_, tree_v_[t], trees_[t]->nv()), 1.0);
    if (loops_.empty()) return;
    set_tree_positions();
    set_tree_velocities();  // fills kinematics
  }
}

void Mechanism::project_velocities() {
  gamma_.noalias() = J_ * v_;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const LinearRow& row = rows_[r];
    if (row.prescribed < 0) continue;
    const SignalValue s = prescribed_[static_cast<std::size_t>(row.prescribed)].signal.at(time_);
    gamma_[to_index(r)] -= row.position ? s.rate : s.value;
  }
  for (const Loop& loop : loops_) {  // moving bodies have velocities that J does not know
    const auto subtract = [&](int b, const Vec3& point_B, double sign) {
      const BodyPlace& place = places_[static_cast<std::size_t>(b)];
      if (place.moving < 0) return;
      const BodyKinematics& body = kinematics_[static_cast<std::size_t>(b)];
      gamma_.segment<3>(loop.row) += sign * body.V_WB.at(body.X_WB.R * point_B);
      if (loop.def.kind == LoopDef::Kind::weld)
        gamma_.segment<3>(loop.row + 3) += sign * body.V_WB.w;
    };
    subtract(loop.a, loop.def.point_a, 1.0);
    subtract(loop.b, loop.def.point_b, -1.0);
  }
  normal_->solve(gamma_);
  tau_.noalias() = J_.transpose() * gamma_;
  v_.array() -= mobility_.array() * tau_.array();
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

void Mechanism::tree_solve(double* x) {
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->solve_mass({x + tree_v_[i], trees_[i]->nv()});
}

void Mechanism::acceleration_targets(VecX& gamma) const {
  gamma.setZero(row_count_);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const LinearRow& row = rows_[r];
    if (row.prescribed < 0) continue;
    const SignalValue s = prescribed_[static_cast<std::size_t>(row.prescribed)].signal.at(time_);
    gamma[to_index(r)] = row.position ? s.acceleration : s.rate;
  }
  if (loops_.empty()) return;
  for (const auto& tree : trees_) tree->prepare_bias_acceleration();
  for (const Loop& loop : loops_) {
    const auto add = [&](int b, const Vec3& point_B, double sign) {
      const BodyPlace& place = places_[static_cast<std::size_t>(b)];
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

/// x <- accelerations under the generalised forces x, with J a = gamma_.
void Mechanism::respond(double* x) {
  tree_solve(x);
  if (row_count_ == 0) return;
  Eigen::Map<VecX> a(x, to_index(nv_));
  lambda_.noalias() = gamma_ - response_J_ * a;
  schur_->solve(lambda_);
  a.noalias() += inverse_JT_ * lambda_;
}

void Mechanism::prepare_response() {
  if (row_count_ == 0 || schur_ready_) return;
  response_J_ = J_;
  inverse_JT_ = J_.transpose();
  for (Eigen::Index r = 0; r < row_count_; ++r) tree_solve(inverse_JT_.col(r).data());
  schur_->factor(J_ * inverse_JT_);
  schur_ready_ = true;
}

void Mechanism::accelerations(std::span<const Wrench> wrenches, std::span<double> a) {
  GROUSER_ASSERT(wrenches.size() == body_names_.size() && a.size() == nv_);
  passive_forces(wrenches);
  shares_.motors.setZero(to_index(nv_));
  for (std::size_t i = 0; i < motors_.size(); ++i) {
    torques_[i] = torque_of(motors_[i]);
    shares_.motors[to_index(motors_[i].v())] += torques_[i];
  }
  set_diagonal(no_diagonal_);
  solve_accelerations(a);
}

/// What acts without motors and constraints, and its shares.
void Mechanism::passive_forces(std::span<const Wrench> wrenches) {
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i]->bias(part(passive_, tree_v_[i], trees_[i]->nv()));
    trees_[i]->damper_forces(part(shares_.dampers, tree_v_[i], trees_[i]->nv()));
  }
  shares_.contacts.setZero();
  add_wrenches(wrenches, part(shares_.contacts, 0, nv_));
  shares_.applied.setZero();
  add_applied(part(shares_.applied, 0, nv_));
  passive_ = shares_.contacts + shares_.applied - passive_;
  shares_.moving = 0.0;
  for (std::size_t b = 1; b <= moving_.size(); ++b)
    shares_.moving += wrenches[b].torque.dot(kinematics_[b].V_WB.w) +
                      wrenches[b].force.dot(kinematics_[b].V_WB.v);
}

/// a <- accelerations under passive_ and the motors' share.
void Mechanism::solve_accelerations(std::span<double> a) {
  prepare_response();
  if (row_count_ > 0) acceleration_targets(gamma_);
  Eigen::Map<VecX>(a.data(), to_index(nv_)) = passive_ + shares_.motors;
  respond(a.data());
  forces_ = lambda_;
  if (row_count_ > 0) shares_.constraints.noalias() = response_J_.transpose() * forces_;
}

void Mechanism::add_wrenches(std::span<const Wrench> wrenches, std::span<double> x) const {
  GROUSER_ASSERT(wrenches.size() == places_.size() && x.size() == nv_);
  for (std::size_t b = 0; b < wrenches.size(); ++b)
    if (!wrenches[b].force.isZero(0.0) || !wrenches[b].torque.isZero(0.0))
      add_wrench(static_cast<int>(b), wrenches[b], x);
}

void Mechanism::add_wrench(int body, const Wrench& F_B_W, std::span<double> x) const {
  GROUSER_ASSERT(body >= 0 && static_cast<std::size_t>(body) < places_.size());
  const BodyPlace& place = places_[static_cast<std::size_t>(body)];
  if (place.tree < 0) return;  // whatever moves the world or a moving body takes the force
  const auto t = static_cast<std::size_t>(place.tree);
  trees_[t]->add_wrench(place.index, F_B_W, x.subspan(tree_v_[t], trees_[t]->nv()));
}

void Mechanism::keep_as_middle(std::span<const Wrench> wrenches, std::span<const double> a) {
  GROUSER_ASSERT(a.size() == nv_ && !nearby_);
  middle_q_ = last_q_;
  middle_a_ = Eigen::Map<const VecX>(a.data(), to_index(nv_));
  middle_lambda_ = forces_;
  middle_wrenches_.assign(wrenches.begin(), wrenches.end());
  middle_wrench_forces_.setZero(to_index(nv_));
  add_wrenches(wrenches, part(middle_wrench_forces_, 0, nv_));
  imbalance(middle_forces_, middle_along_);
}

/// What M a + c lacks of the forces, and J a of gamma, for the accelerations and constraint forces
/// of the middle.
void Mechanism::imbalance(VecX& forces, VecX& along) const {
  forces.resize(to_index(nv_));
  for (std::size_t i = 0; i < trees_.size(); ++i)
    trees_[i]->inverse_dynamics({middle_a_.data() + tree_v_[i], trees_[i]->nv()},
                                part(forces, tree_v_[i], trees_[i]->nv()));
  forces = -forces;
  if (last_q_ == middle_q_)
    forces += middle_wrench_forces_;
  else
    add_wrenches(middle_wrenches_, part(forces, 0, nv_));
  add_applied(part(forces, 0, nv_));  // these follow the pose
  for (const Motor& motor : motors_) forces[to_index(motor.v())] += torque_of(motor);
  if (row_count_ == 0) return;
  acceleration_targets(along);
  along.noalias() -= J_ * middle_a_;
  forces.noalias() += J_.transpose() * middle_lambda_;
}

void Mechanism::missing(std::span<double> forces, std::span<double> along) {
  GROUSER_ASSERT(forces.size() == nv_ && along.size() == static_cast<std::size_t>(row_count_));
  imbalance(tau_, gamma_);
  Eigen::Map<VecX>(forces.data(), to_index(nv_)) = tau_ - middle_forces_;
  if (row_count_ > 0) Eigen::Map<VecX>(along.data(), row_count_) = gamma_ - middle_along_;
}

void Mechanism::respond(MatX& x, const MatX& along) {
  GROUSER_ASSERT(x.rows() == to_index(nv_) && (row_count_ == 0 || along.cols() == x.cols()));
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    if (row_count_ > 0) gamma_ = along.col(k);
    respond(x.col(k).data());
  }
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

double Mechanism::constraint_gap() {
  if (row_count_ == 0) return 0.0;
  position_residual(phi_);
  return phi_.lpNorm<Eigen::Infinity>();
}

}  // namespace grouser
