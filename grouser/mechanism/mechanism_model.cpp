// From the definition of a mechanism to its model: bodies, rows of constraints, parts.
#include "grouser/mechanism/mechanism_model.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/base/text.h"

namespace grouser {

namespace {

template <class Items, class NameOf>
std::vector<std::string> names_of(const Items& items, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(name_of(item));
  return names;
}

}  // namespace

MechanismModel::MechanismModel(MechanismDef def) {
  add_bodies(def);
  add_rows(def);
  find_parts();
  add_forces(def.forces);
  add_inputs();

  const auto nq = static_cast<Eigen::Index>(nq_), nv = static_cast<Eigen::Index>(nv_);
  stiffness_.setZero(nv);
  damping_.setZero(nv);
  initial_q_.resize(nq);
  initial_v_.resize(nv);
  for (std::size_t i = 0; i < trees_.size(); ++i) {
    trees_[i]->joint_springs({stiffness_.data() + tree_v_[i], trees_[i]->nv()},
                             {damping_.data() + tree_v_[i], trees_[i]->nv()});
    const VecX q = trees_[i]->initial_positions(), v = trees_[i]->initial_velocities();
    initial_q_.segment(static_cast<Eigen::Index>(tree_q_[i]), q.size()) = q;
    initial_v_.segment(static_cast<Eigen::Index>(tree_v_[i]), v.size()) = v;
  }
  VecX mobility = VecX::Ones(nv);
  for (const MechanismDef::InitialJoint& initial : def.initial) set_initial(initial, mobility);
  assemble(mobility);
  hash_ = make_hash();
}

int MechanismModel::body(const std::string& name, const Place& place,
                         const std::string& key) const {
  const auto found = std::find(body_names_.begin(), body_names_.end(), name);
  if (found == body_names_.end())
    throw InputError(place,
                     key + ": there is no body '" + name + "'" + suggestion(name, body_names_));
  return static_cast<int>(found - body_names_.begin());
}

const Joint& MechanismModel::joint(const std::string& name, const Place& place,
                                   const std::string& key) const {
  for (const Joint& candidate : joints_)
    if (candidate.name == name) return candidate;
  const auto names = names_of(joints_, [](const Joint& j) { return j.name; });
  throw InputError(place, key + ": there is no joint '" + name + "'" + suggestion(name, names));
}

const Joint& MechanismModel::scalar_joint(const std::string& name, const Place& place,
                                          const std::string& key) const {
  const Joint& found = joint(name, place, key);
  if (!found.scalar())
    throw InputError(place, key + ": joint '" + name + "' is neither a hinge nor a slide");
  return found;
}

void MechanismModel::add_bodies(MechanismDef& def) {
  for (std::unique_ptr<Tree>& tree : def.trees) trees_.emplace_back(std::move(tree));
  moving_ = std::move(def.moving_bodies);
  body_names_.push_back("world");
  places_.push_back({});
  masses_.resize(1 + moving_.size());
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
    for (const Tree::Mass& mass : trees_[i]->masses()) masses_.push_back(mass);
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
}

void MechanismModel::add_rows(MechanismDef& def) {
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
  row_count_ = static_cast<Eigen::Index>(rows_.size());
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
void MechanismModel::find_parts() {
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

}  // namespace grouser
