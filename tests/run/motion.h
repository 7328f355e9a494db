// What the bodies of a scene did, for tests of scenes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "grouser/run/simulation.h"

namespace grouser {

/// A scene of scenes/rovers.
inline Scene rover_scene(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return load_scene(std::string(GROUSER_SCENES) + "/rovers/" + name + ".toml", overrides);
}

/// What a body did, sample by sample.
struct Track {
  std::vector<Vec3> position, velocity, spin;
};

struct Motion {
  std::vector<double> time, kinetic_energy;
  std::map<std::string, Track> bodies;

  const Track& operator[](const std::string& body) const { return bodies.at(body); }
  /// The first sample at or after a time.
  std::size_t at(double t) const {
    const auto found = std::lower_bound(time.begin(), time.end(), t - 1e-9);
    return static_cast<std::size_t>(found - time.begin());
  }
};

/// Runs a scene, which must come to its end, and without a warning unless some are expected.
inline Motion motion_of(const Scene& scene, bool may_warn = false, RunWatcher* watcher = nullptr) {
  Simulation simulation(scene);
  Mechanism& mechanism = simulation.mechanism();
  Motion out;
  RunOptions options;
  options.watcher = watcher;
  options.sample = [&](double t) {
    out.time.push_back(t);
    out.kinetic_energy.push_back(mechanism.kinetic_energy());
    for (std::size_t b = 1; b < mechanism.body_names().size(); ++b) {
      const BodyKinematics& body = mechanism.kinematics()[b];
      Track& track = out.bodies[mechanism.body_names()[b]];
      track.position.push_back(body.X_WB.p);
      track.velocity.push_back(body.V_WB.v);
      track.spin.push_back(body.V_WB.w);
    }
  };
  const RunSummary summary = simulation.run(options);
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  if (!may_warn) {
    EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
  }
  return out;
}

}  // namespace grouser
