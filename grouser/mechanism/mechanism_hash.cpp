// What the answers of a mechanism depend on, as one number.
#include "grouser/mechanism/mechanism_model.h"

namespace grouser {
namespace {

void add(Hash& hash, const Vec3& x) {
  hash.add(std::span(x.data(), 3));
}
void add(Hash& hash, const Mat3& x) {
  hash.add(std::span(x.data(), 9));
}
void add(Hash& hash, const VecX& x) {
  hash.add(std::span(x.data(), static_cast<std::size_t>(x.size())));
}

void add(Hash& hash, const MovingBodyDef& def) {
  hash.add(def.name);
  add(hash, def.X_WB.R);
  add(hash, def.X_WB.p);
  add(hash, def.axis);
  for (const Signal* signal : {&def.x, &def.y, &def.z, &def.roll, &def.pitch, &def.yaw, &def.angle})
    signal->add_to(hash);
}

void add(Hash& hash, const CouplingDef& def) {
  hash.add(def.name);
  hash.add(std::uint64_t{def.joints.size()});
  for (const auto& [joint, factor] : def.joints) {
    hash.add(joint);
    hash.add(factor);
  }
  hash.add(def.offset);
}

void add(Hash& hash, const PrescribedJointDef& def) {
  hash.add(def.joint);
  hash.add(std::uint64_t{def.speed});
  def.signal.add_to(hash);
}

void add(Hash& hash, const LoopDef& def) {
  for (const std::string& name : {def.name, def.body_a, def.body_b}) hash.add(name);
  hash.add(std::uint64_t{def.kind == LoopDef::Kind::weld});
  add(hash, def.point_a);
  add(hash, def.point_b);
  add(hash, def.R_AB);
}

void add(Hash& hash, const MotorDef& def) {
  hash.add(def.name);
  hash.add(def.joint);
  hash.add(static_cast<std::uint64_t>(def.control));
  def.target.add_to(hash);
  for (const double x : {def.stiffness, def.damping, def.limit, def.torque_constant,
                         def.current_limit, def.no_load_speed})
    hash.add(x);
}

void add(Hash& hash, const ForceDef& def) {
  hash.add(def.name);
  hash.add(def.body);
  add(hash, def.point);
  hash.add(static_cast<std::uint64_t>(def.frame));
  for (const auto* signals : {&def.force, &def.torque})
    for (const Signal& signal : *signals) signal.add_to(hash);
}

}  // namespace

std::uint64_t MechanismModel::make_hash() const {
  Hash hash;
  // How many there are of each tells where one kind ends and the next begins.
  for (const std::size_t count :
       {trees_.size(), moving_.size(), couplings_.size(), prescribed_.size(), loops_.size(),
        motors_.size(), applied_.size()})
    hash.add(std::uint64_t{count});
  for (const TreeCopy& tree : trees_) tree->add_to(hash);
  for (const MovingBodyDef& def : moving_) add(hash, def);
  for (const CouplingDef& def : couplings_) add(hash, def);
  for (const PrescribedJointDef& def : prescribed_) add(hash, def);
  for (const Loop& loop : loops_) add(hash, loop.def);
  for (const Motor& motor : motors_) add(hash, motor.def());
  for (const AppliedForce& force : applied_) add(hash, force.def());
  add(hash, initial_q_);
  add(hash, initial_v_);
  return hash.digest();
}

}  // namespace grouser
