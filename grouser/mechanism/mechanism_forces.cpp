// External forces on a mechanism, and the corners of everything that follows a signal.
#include <algorithm>
#include <limits>

#include "grouser/mechanism/mechanism.h"

namespace grouser {

void Mechanism::add_forces(std::vector<ForceDef>& defs) {
  for (ForceDef& def : defs) {
    const int b = body(def.body, def.place, "force.body");
    const auto refuse = [&](const std::string& why) {
      throw InputError(def.place, "force.body: '" + def.body + "' " + why);
    };
    if (places_[static_cast<std::size_t>(b)].moving >= 0)
      refuse("is a [[moving_body]] and moves as told, whatever pushes it");
    if (body_parts_[static_cast<std::size_t>(b)] < 0) refuse("cannot move");
    for (const AppliedForce& other : applied_)
      if (other.def().name == def.name)
        throw InputError(def.place, "two forces are named '" + def.name + "'");
    applied_.emplace_back(std::move(def), b);
  }
}

/// x += J^T F of the external forces at the time and poses set.
void Mechanism::add_applied(std::span<double> x) const {
  for (const AppliedForce& force : applied_) {
    const Mat3& R_WB = kinematics_[static_cast<std::size_t>(force.body())].X_WB.R;
    const Wrench wrench = force.at_origin(time_, R_WB);
    if (!wrench.force.isZero(0.0) || !wrench.torque.isZero(0.0))
      add_wrench(force.body(), wrench, x);
  }
}

double Mechanism::next_corner(double time) const {
  double next = std::numeric_limits<double>::infinity();
  const auto take = [&](const Signal& signal) { next = std::min(next, signal.next_corner(time)); };
  for (const AppliedForce& force : applied_) next = std::min(next, force.next_corner(time));
  for (const Motor& motor : motors_) take(motor.def().target);
  for (const PrescribedJointDef& p : prescribed_) take(p.signal);
  for (const MovingBodyDef& m : moving_)
    for (const Signal* signal : {&m.x, &m.y, &m.z, &m.roll, &m.pitch, &m.yaw, &m.angle})
      take(*signal);
  return next;
}

void Mechanism::append_force_channels(std::vector<DriveChannel>& out) const {
  for (const AppliedForce& force : applied_) {
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
  for (const AppliedForce& force : applied_) {
    const BodyKinematics& body = kinematics_[static_cast<std::size_t>(force.body())];
    const Wrench wrench = force.at_point(time_, body.X_WB.R);
    for (const double x : wrench.force) out[i++] = x;
    for (const double x : wrench.torque) out[i++] = x;
    out[i++] = wrench.force.dot(body.V_WB.at(body.X_WB.R * force.def().point)) +
               wrench.torque.dot(body.V_WB.w);
  }
  return i;
}

}  // namespace grouser
