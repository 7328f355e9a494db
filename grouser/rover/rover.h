// A rover in a scene: [rover] and [[drive]].
//
// From a mechanism file and a few words follow the shapes of its wheels, their contact with soil
// and with obstacles, the motors that turn and steer them, and where it stands at the start. All of
// it becomes ordinary parts of the scene; what remains for the run is the driver.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/mechanism/mechanism.h"
#include "grouser/rover/manoeuvre.h"
#include "grouser/scene/rover_contacts.h"

namespace grouser {

struct MujocoModel;

/// [rover.drive] and [rover.steering]: motors of the wheels. Zero: chosen from mass and size.
struct RoverMotorDef {
  double stiffness = 0.0;        ///< [Nm/rad]
  double damping = 0.0;          ///< [Nms/rad]
  double limit = 0.0;            ///< greatest torque [Nm]; 0: none
  double torque_constant = 0.0;  ///< [Nm/A]; 0: not known
  double current_limit = 0.0;    ///< [A]; 0: none
  double no_load_speed = 0.0;    ///< [rad/s]; 0: none
};

/// [rover]
struct RoverDef : RoverContactDef {
  std::string body;                 ///< the chassis; empty: the only free body
  std::vector<std::string> wheels;  ///< name patterns; empty: bodies called like a wheel
  std::vector<double> position;     ///< x, y in the world; empty: as in the mechanism's file
  double heading = 0.0;             ///< [rad]
  RoverMotorDef drive, steering;
  DriveDef control;

  // Found out when the scene is read.
  std::vector<ManoeuvreDef> manoeuvres;
  std::vector<std::string> notes;
};
/// The keys of [rover], and of the tables in it.
const ParameterTable<RoverDef>& rover_parameters();
const ParameterTable<RoverMotorDef>& rover_motor_parameters();

/// Names of a rover's motors.
std::string drive_motor_name(const RoverWheel& wheel);
std::string steering_motor_name(const RoverWheel& wheel);

/// What follows from a rover is added to these parts of a scene.
struct RoverSite {
  ContactWorldDef& contact;
  std::vector<MotorDef>& motors;
  std::vector<MechanismDef::InitialJoint>& initial;
  const std::vector<SceneRocks>& rocks;
  Vec3 gravity;
  double euler_step = 0.0;  ///< [s]; 0: another integrator than semi-implicit Euler
  std::string folder;       ///< files are looked up relative to it
  /// With the motors and initial joints there are.
  std::function<std::unique_ptr<Mechanism>()> build_mechanism;
};

/// The [rover] of a document, if it has one. Throws InputError.
std::optional<RoverDef> read_rover(const Value& document);

/// Finds the rover in its mechanism, reads [[drive]] and adds to the scene what follows. Throws
/// InputError.
void add_rover(const Value& document, const MujocoModel& model, RoverDef& rover, RoverSite site);

}  // namespace grouser
