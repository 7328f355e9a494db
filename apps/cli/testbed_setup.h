// What verbs that test a wheel on a bed of soil have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/progress.h"
#include "grouser/contact/world_def.h"
#include "grouser/soil/testbed.h"

namespace grouser::cli {

struct TestbedSetup {
  // Bed
  std::string soil = "dry-sand";
  std::vector<std::string> set;  // of the soil
  double spacing = 0.005;
  double period = 5e-3;
  double gravity = kStandardGravity;
  // Wheel
  std::string preset;
  std::vector<std::string> wheel;
  std::string mesh;
  std::vector<std::string> loads, slips, slip_angles;  // lists of numbers; angles in degrees
  double speed = 0.05;
  double distance = 1.0;
  // Contact
  std::string model = "scm";
  std::string include;            // a file with keys of the contact
  std::vector<std::string> keys;  // of the contact

  void add_contact_options(CLI::App& verb);
  void add_soil_options(CLI::App& verb);
  void add_wheel_options(CLI::App& verb);
  /// Throws InputError.
  void require_sensible() const;
};

/// What is varied in wheel tests.
struct WheelCase {
  double load = 0.0, slip = 0.0, slip_angle = 0.0;  // [N], -, [rad]

  /// Of the slip angle, as they were given.
  double degrees() const;

  /// "load 100 N, slip 0.2", and the slip angle if there is one.
  std::string text() const;
};
/// All combinations, slips innermost. Throws InputError if there is one that cannot be tested.
std::vector<WheelCase> cases_of(const TestbedSetup& setup,
                                const Range& slips = {.lower = -1.0, .upper = 1.0});

/// A soil of the library with the settings of the command line.
SoilDef soil_of(const TestbedSetup& setup);
SoilGroundDef bed_of(const TestbedSetup& setup);

/// From a file, or from the generator with a preset and settings. `verb` is for messages.
std::shared_ptr<const TriangleMesh> wheel_of(const TestbedSetup& setup, const std::string& verb);

/// Throws InputError if the grid is too fine for an object on it.
void require_spacing(const TestbedSetup& setup, double size);

/// Keys of the contact, from a file and the command line.
Value contact_keys_of(const TestbedSetup& setup);

/// One test of a sweep.
struct WheelRun {
  WheelCase test;
  TestbedResult result;             // forces without rounding errors
  std::vector<std::string> doubts;  // each with its case; notes of the model first
  std::string failure;              // why there is no result; empty if there is one
};

/// How the wheel is turned to the grid, and what slip refers to.
struct WheelPlacing {
  double rolling_radius;
  double heading = 0.0;  // [rad]
};

/// All cases. Asks `go_on` now and then, and ends with RunError if it says no.
std::vector<WheelRun> run_cases(const TestbedSetup& setup, const std::vector<WheelCase>& cases,
                                const std::shared_ptr<const TriangleMesh>& wheel,
                                const WheelPlacing& placing, Progress::Style style,
                                const std::function<bool()>& go_on);

}  // namespace grouser::cli
