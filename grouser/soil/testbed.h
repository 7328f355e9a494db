// A single-wheel testbed and a plate press: one object on one bed of soil, as in a laboratory.
//
// The wheel is carried along at a constant speed with a constant rate of turning, so that slip is
// given; it is free to sink under its load. A plate, a sphere or a wheel is pressed in at a
// constant speed; a ring turns in place under its load. No mechanism is needed; wheel models have
// their states integrated by small steps.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"
#include "grouser/soil/soil_ground.h"

namespace grouser {

struct TestbedDef {
  SoilGroundDef soil;                         ///< its body must be the world's
  std::shared_ptr<const TriangleMesh> wheel;  ///< axis y, forwards x
  double rolling_radius = kRequired;          ///< that slip refers to [m]
  double load = 100.0;                        ///< [N]
  double slip = 0.2;          ///< (w r - v) / max(w r, v): -1 is locked, 1 spins on the spot
  double slip_angle = 0.0;    ///< of travel from the wheel's plane [rad]
  double heading = 0.0;       ///< of the wheel's plane from the grid's x [rad]
  double speed = 0.05;        ///< of the faster of rim and carriage [m/s]
  double distance = 1.0;      ///< that the faster of them runs [m]
  double settling = 0.4;      ///< share of it that is left out of the means
  double gravity = 9.81;      ///< [m/s^2]
  std::string model = "scm";  ///< any of wheels or objects on soil
  Value settings;             ///< further keys of its [[contact]]
  int threads = 1;
  double steps_per_update = 8;  ///< at least; more if a wheel would bounce on hard soil
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
  TestbedSample mean;                     ///< over the steady part
  TestbedSample scatter;                  ///< standard deviation over the steady part
  TestbedSample least, most;              ///< over the steady part
  TestbedSample first_half, second_half;  ///< means of the halves of the steady part
  /// By how much these two differ by chance: the standard error of their difference, from the
  /// means of shorter pieces (neighbours in time are alike, so single moments would tell too
  /// little).
  TestbedSample chance;
  double contact_area = 0.0;       ///< mean over the steady part [m^2]; 0: the model does not tell
  double axle_height = 0.0;        ///< of the wheel that just touches the ground [m]
  double stood = 0.0;              ///< how long it stood under its load before it was driven [s]
  double carried = 0.0;            ///< by the soil at the end of that, in the mean of 0.1 s [N]
  std::vector<std::string> notes;  ///< of the model, such as that the grid is coarse for the wheel
};

/// Called often with the share done; false stops a test early.
using TestbedProgress = std::function<bool(double)>;

TestbedResult run_testbed(const TestbedDef& def, const TestbedProgress& progress = {});

/// Why the means of a wheel test may not be what they seem, one sentence each: it had not come to
/// rest, it hops, it is not steady, the axle is under ground, it pulls more than the soil holds.
std::vector<std::string> testbed_doubts(const TestbedDef& def, const TestbedResult& result);

struct PlateDef {
  SoilGroundDef soil;
  std::shared_ptr<const TriangleMesh> plate;  ///< or any other object; it does not turn
  double depth = 0.05;                        ///< of its lowest point [m]
  double speed = 0.01;                        ///< [m/s]
  /// Sinkages at which it is pulled up until nothing carries it, and pressed again [m]; growing.
  std::vector<double> reloads;
  Value settings;  ///< further keys of the [[contact]] of model scm
  double gravity = 9.81;
  Place place;
};
struct PlateSample {
  double sinkage = 0.0, force = 0.0;
};
std::vector<PlateSample> press_plate(const PlateDef& def, const TestbedProgress& progress = {});

struct ShearDef {
  SoilGroundDef soil;
  double outer_radius = 0.1;   ///< of the ring [m]
  double inner_radius = 0.05;  ///< [m]
  double pressure = 1e4;       ///< [Pa]
  double distance = 0.1;       ///< that the ring slides half way between its radii [m]
  double speed = 0.01;         ///< there [m/s]
  Value settings;              ///< further keys of the [[contact]] of model scm
  double gravity = 9.81;
  Place place;

  double area() const;          ///< [m^2]
  double middle() const;        ///< radius half way [m]
  double first_moment() const;  ///< integral of the radius over the area [m^3]
};
struct ShearSample {
  double displacement = 0.0;  ///< half way between the radii [m]
  double torque = 0.0;        ///< that turns the ring [Nm]
  double stress = 0.0;        ///< of shear, in the mean of the torque [Pa]
  double pressure = 0.0;      ///< [Pa]
  double sinkage = 0.0;       ///< [m]
};
/// How deep a patch of width b [m] is pressed in under a pressure [m], by the pressure of the soil
/// and its layers alone; infinite if that is more than 10 m.
double patch_sinkage(const SoilGroundDef& soil, double b, double gravity, double pressure);

/// A rough ring stands under its load until it sinks no further, and turns in place then, so that
/// it always shears the same soil and pushes none ahead. It has no mass: at every step it goes
/// where the soil carries the load, to 0.1 %. `doubts` gets what went otherwise, one sentence each.
/// Throws InputError if the soil does not carry the ring.
std::vector<ShearSample> shear_ring(const ShearDef& def, const TestbedProgress& progress = {},
                                    std::vector<std::string>* doubts = nullptr);

}  // namespace grouser
