// A rover in a scene: [rover] and [[drive]].
//
// From a mechanism file and a few words follow the shapes of its wheels, their contact with soil
// and with obstacles, the motors that turn and steer them, and where it stands at the start. All of
// it becomes ordinary parts of the scene; what remains for the run is the driver.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/sim/driver.h"
#include "grouser/sim/rover_wheels.h"

namespace grouser {

struct Scene;

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
struct RoverDef {
  std::string body;                 ///< the chassis; empty: the only free body
  std::vector<std::string> wheels;  ///< name patterns; empty: bodies called like a wheel
  std::string soil;                 ///< empty: the only [[soil]]
  std::string model = "scm";
  Value contact;                       ///< further keys of the wheels' contact with soil
  Value mesh;                          ///< of the wheels, instead of what the mechanism has
  double radius = 0.0;                 ///< [m]; 0: measured
  double width = 0.0;                  ///< [m]; 0: measured
  bool chassis = true;                 ///< whether it touches obstacles, too
  std::vector<std::string> obstacles;  ///< name patterns of shapes
  bool has_obstacles = false;          ///< they were given; else all rocks are
  Value obstacle_contact;              ///< further keys of the contact with obstacles
  std::string material;                ///< of wheels and chassis there; empty: a stiff one
  std::vector<double> position;        ///< x, y in the world; empty: as in the mechanism's file
  double heading = 0.0;                ///< [rad]
  RoverMotorDef drive, steering;
  DriveDef control;
  Place place;

  // Found out when the scene is read.
  RoverFacts facts;
  std::vector<ManoeuvreDef> manoeuvres;
  std::vector<std::string> soil_objects;  ///< shape of every wheel in the soil contact
  std::string soil_contact;               ///< its name; empty: none
  std::vector<std::string> hidden;        ///< shapes that pictures have in a better form
  std::vector<std::string> notes;
};
/// The keys of [rover], and of the tables in it.
const ParameterTable<RoverDef>& rover_parameters();
const ParameterTable<RoverMotorDef>& rover_motor_parameters();

/// Names of a rover's motors.
std::string drive_motor_name(const RoverWheel& wheel);
std::string steering_motor_name(const RoverWheel& wheel);

/// Reads [rover] and [[drive]] of a document and adds to the scene what follows from them. Throws
/// InputError.
void add_rover(const Value& document, Scene& scene);

}  // namespace grouser
