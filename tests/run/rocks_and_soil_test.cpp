// Soil and stone at once: scenes in which a wheel is carried by both.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grouser/mesh/mass_properties.h"
#include "grouser/run/simulation.h"

namespace grouser {
namespace {

constexpr double kWeight = 60.0 * 9.81;  // of wheel and load [N]
// Of a wheel in stone [m], on the edge of a rock: K V = F with K = E' / (H + H) = 4e9 Pa/m, and V,
// of a wedge of 90 degrees under the breadth of an edge of 3 cm, says 2.2 mm under the weight.
constexpr double kDeepest = 3e-3;

Scene coarse_rover_scene(const std::string& name, std::vector<std::string> overrides) {
  overrides.emplace_back("soil.0.spacing=0.02");  // a quarter of the work
  return load_scene(std::string(GROUSER_SCENES) + "/rovers/" + name + ".toml", overrides);
}

/// Watches a run: forces by contact, where the wheel is, and the work that stones have done.
class Watch {
 public:
  explicit Watch(const Scene& scene) : simulation(scene) {}

  RunSummary run() {
    RunOptions options;
    options.sample = [this](double t) { look(t); };
    const RunSummary summary = simulation.run(options);
    EXPECT_EQ(summary.status, RecordingStatus::complete) << summary.message;
    return summary;
  }
  /// On a body, upwards, at the end of the run.
  double soil_force(const std::string& body) { return force(0, body).z(); }
  double stone_force(const std::string& body) { return force(1, body).z(); }
  Vec3 position(const std::string& body) {
    ContactWorld& world = simulation.world();
    return world.kinematics(world.body(body)).X_WB.p;
  }

  Simulation simulation;
  double highest = -1e9;     // of the wheel's axis, while it touches stone [m]
  double fastest_end = 0.0;  // speed of any body in the last tenth of a second [m/s]
  double stone_work = 0.0;   // on all bodies [J]
  double most_stone_work = 0.0;
  double most_stone_force = 0.0;

 private:
  Vec3 force(std::size_t contact, const std::string& body) {
    ContactWorld& world = simulation.world();
    const int wanted = world.body(body);
    const std::span<const int> ports = world.ports(contact);
    for (std::size_t p = 0; p < ports.size(); ++p)
      if (ports[p] == wanted) return world.port_wrenches(contact)[p].force;
    return Vec3::Zero();
  }
  void look(double t) {
    ContactWorld& world = simulation.world();
    const std::span<const int> ports = world.ports(1);
    double power = 0.0, touching = 0.0;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const Wrench& F = world.port_wrenches(1)[p];
      const Twist& V = world.kinematics(ports[p]).V_WB;
      power += F.force.dot(V.v) + F.torque.dot(V.w);
      touching = std::max(touching, F.force.norm());
    }
    stone_work += (t - time_) * 0.5 * (power + power_);
    most_stone_work = std::max(most_stone_work, stone_work);
    most_stone_force = std::max(most_stone_force, touching);
    if (touching > 0.0) highest = std::max(highest, position("wheel").z());
    const double end = simulation.scene().simulation.duration;
    for (std::size_t b = 0; t > end - 0.1 && b < world.bodies().size(); ++b)
      fastest_end = std::max(fastest_end, world.kinematics(static_cast<int>(b)).V_WB.v.norm());
    time_ = t;
    power_ = power;
  }
  double time_ = 0.0, power_ = 0.0;
};

TEST(RocksAndSoil, CarryAWheelAtRestTogether) {
  // Set down on the flank of a rock, half of the wheel over soil.
  Watch watch(coarse_rover_scene("fixed_rocks", {"simulation.duration=4", "initial.along=0.15",
                                                 "motor.0.target=0", "motor.1.target=0"}));
  watch.run();
  EXPECT_LT(watch.fastest_end, 1e-3);
  EXPECT_GT(watch.stone_force("wheel"), 0.005 * kWeight);
  EXPECT_GT(watch.soil_force("wheel"), 0.02 * kWeight);
  // What is left is the creep of soil, some mm/s^2.
  EXPECT_NEAR(watch.stone_force("wheel") + watch.soil_force("wheel"), kWeight, 2e-3 * kWeight);
}

TEST(RocksAndSoil, AWheelClimbsARockAndComesDownIntoSoil) {
  Watch watch(coarse_rover_scene(
      "fixed_rocks", {"simulation.duration=10", "motor.0.target.rate=0.4", "motor.1.target.to=0.1",
                      "simulation.output_interval=2e-3"}));
  const RunSummary summary = watch.run();
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings[0];
  EXPECT_GT(watch.highest, 0.245 + 0.09);  // of a rock of 0.1 m, its top is a little rounder
  EXPECT_GT(watch.position("wheel").x(), 0.85);
  EXPECT_LT(watch.position("wheel").z(), 0.25);  // in the soil
  EXPECT_EQ(watch.stone_force("wheel"), 0.0);
  EXPECT_NEAR(watch.soil_force("wheel"), kWeight, 0.1 * kWeight);  // it drives
  EXPECT_LT(summary.contacts[1].greatest_penetration, kDeepest);
  // Stones store and dissipate; they are no motor.
  EXPECT_LT(watch.most_stone_work, 0.5);
  EXPECT_LT(watch.stone_work, 0.0);
  EXPECT_LT(watch.most_stone_force, 3.0 * kWeight);  // no kicks
}

TEST(RocksAndSoil, AWheelPressesALooseRockIntoTheSoil) {
  const auto rock_height = [](double duration) {
    Watch watch(coarse_rover_scene(
        "free_rock", {"simulation.duration=" + std::to_string(duration), "motor.0.target.rate=0.4",
                      "motor.1.target.to=0.1", "simulation.output_interval=2e-3"}));
    const RunSummary summary = watch.run();
    EXPECT_LT(summary.contacts[1].greatest_penetration, kDeepest);
    EXPECT_LT(watch.most_stone_work, 0.5);
    return std::pair(watch.position("rock"), watch.position("wheel"));
  };
  const auto [before, at_first] = rock_height(1.0);
  const auto [after, at_last] = rock_height(14.0);
  EXPECT_GT(at_last.x(), after.x() + 0.3);  // the wheel is past it
  EXPECT_GT(after.x(), before.x() - 0.05);
  EXPECT_LT(after.z(), before.z() - 0.01);  // pressed in
  EXPECT_GT(after.z(), -0.1);
}

TEST(RocksAndSoil, AWheelClimbsAHardStep) {
  Watch watch(coarse_rover_scene(
      "hard_step", {"simulation.duration=14", "motor.0.target.rate=0.4", "motor.1.target.to=0.1",
                    "simulation.output_interval=2e-3"}));
  const RunSummary summary = watch.run();
  EXPECT_NEAR(watch.highest, 0.245 + 0.1, 5e-3);
  EXPECT_GT(watch.position("wheel").x(), 1.1);
  EXPECT_LT(watch.position("wheel").z(), 0.25);
  EXPECT_LT(summary.contacts[1].greatest_penetration, kDeepest);
  EXPECT_LT(watch.most_stone_work, 0.5);
}

TEST(RocksAndSoil, AFreeRockAtRestIsCarriedByTheSoil) {
  Watch watch(coarse_rover_scene(
      "free_rock", {"simulation.duration=2", "motor.0.target=0", "motor.1.target=0"}));
  watch.run();
  const auto& shapes = watch.simulation.scene().contact.shapes;
  const auto rock = std::find_if(shapes.begin(), shapes.end(),
                                 [](const ShapeDef& shape) { return shape.name == "rock"; });
  const double weight =
      9.81 * mass_properties(*std::get<MeshShape>(rock->geometry).mesh, 2700.0, "rock").mass;
  EXPECT_NEAR(watch.soil_force("rock"), weight, 1e-2 * weight);
}

}  // namespace
}  // namespace grouser
