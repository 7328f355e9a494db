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
  double gravity = kStandardGravity;
  // Wheel
  std::string preset;
  std::vector<std::string> wheel;
  std::string mesh;
  double load = 100.0;
  std::vector<double> slips;
  double slip_angle = 0.0;  // degrees
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

/// A soil of the library with the settings of the command line.
SoilDef soil_of(const TestbedSetup& setup);
SoilGroundDef bed_of(const TestbedSetup& setup);

/// From a file, or from the generator with a preset and settings. `verb` is for messages.
std::shared_ptr<const TriangleMesh> wheel_of(const TestbedSetup& setup, const std::string& verb);

/// The slips to test at; throws InputError if there is one that cannot be tested at.
std::vector<double> slips_of(const TestbedSetup& setup);

/// Means of the steady part at every slip, the side force without rounding errors. `rolling_radius`
/// is what slip refers to. Asks `go_on` now and then, and ends with RunError if it says no.
std::vector<TestbedSample> sweep_slips(const TestbedSetup& setup,
                                       const std::shared_ptr<const TriangleMesh>& wheel,
                                       double rolling_radius, Progress::Style style,
                                       const std::function<bool()>& go_on);

}  // namespace grouser::cli
