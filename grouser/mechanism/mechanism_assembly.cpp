// From the definition of a mechanism to its state at time 0.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/mechanism/mechanism_solver.h"

namespace grouser {

using mechanism_detail::part;
using mechanism_detail::to_index;

namespace {

// Mobility of a coordinate whose initial value is given: small, but above what counts as zero.
constexpr double kHeld = 1e-9;

}  // namespace

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

}  // namespace grouser
