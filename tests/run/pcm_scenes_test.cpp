// Scenes of Hippmann (2023), and that it does not matter how contact elements are found.
#include <gtest/gtest.h>

#include "grouser/run/simulation.h"

namespace grouser {
namespace {

using Overrides = std::vector<std::string>;

std::uint64_t hash_of(const std::string& scene, const Overrides& overrides) {
  Simulation sim(load_scene(std::string(GROUSER_SCENES) + "/" + scene, overrides));
  const RunSummary summary = sim.run();
  EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
  return summary.state_hash;
}

Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(TorusAndSphere, IsTheSameToTheBitWithBothDetections) {
  // The paper's sphere of 500 triangles, over the first bounces.
  const Overrides papers = {"shape.sphere.mesh.sphere.triangles=500", "simulation.duration=1.5"};
  const std::uint64_t penetration = hash_of("torus_and_sphere.toml", papers);
  EXPECT_EQ(
      hash_of("torus_and_sphere.toml", papers + Overrides{"contact.0.detection=construction"}),
      penetration);
  // A difference would show: another tolerance does.
  EXPECT_NE(hash_of("torus_and_sphere.toml", papers + Overrides{"simulation.tolerance=1.1e-5"}),
            penetration);
}

TEST(Bubbles, AreTheSameToTheBitWithAnyMixOfDetections) {
  const Overrides papers = {"simulation.duration=1.2"};  // as long as the paper compares
  const auto constructed = [&](const Overrides& contacts) {
    Overrides overrides = papers;
    for (const std::string& name : contacts)
      overrides.push_back("contact." + name + ".detection=construction");
    return hash_of("bubbles.toml", overrides);
  };
  const std::uint64_t penetration = hash_of("bubbles.toml", papers);
  EXPECT_EQ(constructed({"a_funnel", "b_funnel", "c_funnel", "a_b", "a_c", "b_c"}), penetration);
  EXPECT_EQ(constructed({"a_funnel", "b_c"}), penetration);
  EXPECT_EQ(constructed({"a_b", "a_c", "b_c"}), penetration);
  EXPECT_EQ(hash_of("bubbles.toml", papers + Overrides{"simulation.threads=2"}), penetration);
}

TEST(Bubbles, BounceAndComeToRest) {
  Simulation sim(load_scene(std::string(GROUSER_SCENES) + "/bubbles.toml"));
  double highest = 0.0, lowest = 1.0;  // of the first bubble, after its first impact
  RunOptions options;
  options.sample = [&](double t) {
    const double z = sim.mechanism().kinematics()[1].X_WB.p.z();
    if (t > 0.3) lowest = std::min(lowest, z);
    if (t > 0.5) highest = std::max(highest, z);
  };
  const RunSummary summary = sim.run(options);
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  EXPECT_TRUE(summary.warnings.empty());
  EXPECT_GT(highest - lowest, 0.1);  // a bubble is 0.2 m thick
  for (const RunSummary::Contact& contact : summary.contacts)
    EXPECT_GT(contact.greatest_penetration, 5e-3) << contact.name;  // all touch, in centimetres
  // They fell from heights of 2.5 J on average, and have less than a thousandth of it.
  EXPECT_LT(sim.mechanism().kinetic_energy(), 2.5e-3);
}

}  // namespace
}  // namespace grouser
