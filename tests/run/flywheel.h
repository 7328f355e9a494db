// A hinge with some inertia and whatever drives it, for tests of motors and of the energy balance.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "grouser/mechanism/mujoco_tree.h"
#include "grouser/run/system.h"

namespace grouser {

/// A body of mass 1 on a hinge about y, its centre of mass `arm` below it, with `inertia` about the
/// hinge.
inline std::string hinge_xml(double inertia, double arm = 0.0, const std::string& joint = "") {
  const std::string across = std::to_string(inertia - arm * arm);
  return "<mujoco><compiler angle='radian' inertiafromgeom='false' balanceinertia='false'/>"
         "<worldbody><body name='wheel'><joint name='spin' type='hinge' axis='0 1 0' " +
         joint + "/><inertial pos='0 0 " + std::to_string(-arm) + "' mass='1' diaginertia='" +
         across + " " + across + " " + across + "'/></body></worldbody></mujoco>";
}

/// A mechanism without contact under an integrator.
class Driven {
 public:
  explicit Driven(const std::string& xml, std::vector<MotorDef> motors = {})
      : mechanism_(definition(xml, std::move(motors))),
        world_(ContactWorldDef{}),
        system_(mechanism_, world_) {
    state_ = system_.initial_state();
  }

  void start(Method method, double step_or_tolerance) {
    IntegratorDef def;
    def.method = method;
    def.step = step_or_tolerance;
    def.tolerance = step_or_tolerance;
    integrator_ = make_integrator(def, system_);
    integrator_->start(0.0, {state_.data(), system_.size()});
  }
  /// One step, not beyond `t_stop`; the time reached.
  double step(double t_stop) {
    const double t = integrator_->step(t_stop).time;
    system_.set_state(t, integrator_->state());
    return t;
  }
  void run(double t_begin, double t_end) {
    for (double t = t_begin; t < t_end;) t = step(t_end);
  }
  /// Accelerations of the state set, as equations have them.
  VecX accelerations() {
    VecX a(static_cast<Eigen::Index>(mechanism_.nv()));
    const std::vector<Wrench> none(mechanism_.body_names().size());
    mechanism_.accelerations(none, {a.data(), mechanism_.nv()});
    return a;
  }

  VecX& state() { return state_; }
  Mechanism& mechanism() { return mechanism_; }
  double position() const { return mechanism_.positions()[0]; }
  double speed() const { return mechanism_.velocities()[0]; }

 private:
  static MechanismDef definition(const std::string& xml, std::vector<MotorDef> motors) {
    MechanismDef def;
    def.trees.push_back(load_mujoco("test.xml", xml, Vec3(0, 0, -9.81)).tree);
    def.motors = std::move(motors);
    return def;
  }

  Mechanism mechanism_;
  ContactWorld world_;
  System system_;
  VecX state_;
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace grouser
