// A single-wheel testbed and a plate press: one object on one bed of soil, as in a laboratory.
//
// The wheel is carried along at a constant speed with a constant rate of turning, so that slip is
// given; it is free to sink under its load. A plate is pressed in at a constant speed. No mechanism
// is needed; wheel models have their states integrated by small steps.
#pragma once

#include <functional>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

struct TestbedDef {
  SoilGroundDef soil;                         ///< its body must be the world's
  std::shared_ptr<const TriangleMesh> wheel;  ///< axis y, forwards x
  double rolling_radius = kRequired;          ///< that slip refers to [m]
  double load = 100.0;                        ///< [N]
  double slip = 0.2;                          ///< (w r - v) / max(w r, v)
  double slip_angle = 0.0;                    ///< of travel from the wheel's plane [rad]
  double speed = 0.05;                        ///< of the faster of rim and carriage [m/s]
  double distance = 1.0;                      ///< that the faster of them runs [m]
  double settling = 0.4;                      ///< share of it that is left out of the means
  double gravity = 9.81;                      ///< [m/s^2]
  std::string model = "scm";                  ///< any of wheels or objects on soil
  Value settings;                             ///< further keys of its [[contact]]
  int threads = 1;
  double steps_per_update = 8;
  Place place;
};

/// One moment of a test.
struct TestbedSample {
  double time = 0.0, travel = 0.0;
  double sinkage = 0.0;  ///< of the lowest point below the undisturbed ground [m]
  double normal = 0.0;   ///< [N]
  double drawbar = 0.0;  ///< along the wheel's plane, forwards [N]
  double side = 0.0;     ///< along the axis [N]
  double torque = 0.0;   ///< that drives the wheel [Nm]
};

struct TestbedResult {
  std::vector<TestbedSample> samples;
  TestbedSample mean;         ///< over the steady part
  TestbedSample least, most;  ///< over the steady part
};

/// `progress` gets the share done; false stops the test early.
TestbedResult run_testbed(const TestbedDef& def, const std::function<bool(double)>& progress = {});

struct PlateDef {
  SoilGroundDef soil;
  std::shared_ptr<const TriangleMesh> plate;  ///< its lowest point is its sole
  double depth = 0.05;                        ///< [m]
  double speed = 0.01;                        ///< [m/s]
  double reload = 0.0;  ///< sinkage at which it is pulled up by 2 mm and pressed again [m]; 0: not
  Value settings;       ///< further keys of the [[contact]] of model scm
  double gravity = 9.81;
  Place place;
};
struct PlateSample {
  double sinkage = 0.0, force = 0.0;
};
std::vector<PlateSample> press_plate(const PlateDef& def);

struct ShearDef {
  SoilGroundDef soil;
  std::shared_ptr<const TriangleMesh> plate;
  double pressure = 1e4;  ///< [Pa]
  double distance = 0.1;  ///< [m]
  double speed = 0.01;    ///< [m/s]
  double gravity = 9.81;
  Place place;
};
struct ShearSample {
  double displacement = 0.0, force = 0.0, normal = 0.0, sinkage = 0.0;
};
std::vector<ShearSample> shear_plate(const ShearDef& def);

}  // namespace grouser
