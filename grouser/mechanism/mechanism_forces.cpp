// External forces on a mechanism, and the corners of everything that follows a signal.
#include <algorithm>
#include <limits>

#include "grouser/mechanism/mechanism.h"

namespace grouser {

/// x += J^T F of external forces and inputs on bodies, at the time and poses set.
void Mechanism::add_applied(std::span<double> x) const {
  const auto add = [&](int body, const Wrench& wrench) {
    if (!wrench.force.isZero(0.0) || !wrench.torque.isZero(0.0)) add_wrench(body, wrench, x);
  };
  for (std::size_t i = 0; i < model_->applied_.size(); ++i) {
    const AppliedForce& force = model_->applied_[i];
    const Mat3& R_WB = kinematics_[static_cast<std::size_t>(force.body())].X_WB.R;
    add(force.body(), force.at_origin(time_, R_WB, held_of(i)));
  }
  for (std::size_t i = 0; i < pushes_.size(); ++i) add(model_->pushed_[i], pushes_[i]);
}

double Mechanism::next_corner(double time) const {
  double next = std::numeric_limits<double>::infinity();
  const auto take = [&](const Signal& signal) { next = std::min(next, signal.next_corner(time)); };
  for (const AppliedForce& force : model_->applied_) next = std::min(next, force.next_corner(time));
  for (const Motor& motor : model_->motors_) take(motor.def().target);
  for (const PrescribedJointDef& p : model_->prescribed_) take(p.signal);
  for (const MovingBodyDef& m : model_->moving_)
    for (const Signal* signal : {&m.x, &m.y, &m.z, &m.roll, &m.pitch, &m.yaw, &m.angle})
      take(*signal);
  return next;
}

void Mechanism::append_force_channels(std::vector<DriveChannel>& out) const {
  for (const AppliedForce& force : model_->applied_) {
    const std::string path = "forces/" + force.def().name + "/";
    const std::string on = "on body '" + force.def().body + "'";
    for (const char* axis : {"x", "y", "z"})
      out.push_back({path + "force_" + axis, "N", on + ", in the world"});
    for (const char* axis : {"x", "y", "z"})
      out.push_back({path + "torque_" + axis, "Nm", on + ", about the point, in the world"});
    out.push_back({path + "power", "W", "of force and torque " + on});
  }
}

/// Values of these channels at the state set; returns how many.
std::size_t Mechanism::force_values(std::span<double> out) const {
  std::size_t i = 0;
  for (std::size_t f = 0; f < model_->applied_.size(); ++f) {
    const AppliedForce& force = model_->applied_[f];
    const BodyKinematics& body = kinematics_[static_cast<std::size_t>(force.body())];
    const Wrench wrench = force.at_point(time_, body.X_WB.R, held_of(f));
    for (const double x : wrench.force) out[i++] = x;
    for (const double x : wrench.torque) out[i++] = x;
    out[i++] = wrench.force.dot(body.V_WB.at(body.X_WB.R * force.def().point)) +
               wrench.torque.dot(body.V_WB.w);
  }
  return i;
}

}  // namespace grouser
