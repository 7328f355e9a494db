// Scenes with smooth contact: a ball in a bowl that is a formula or a map, a ball on irregular
// ground, a stone on waves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/run/figures.h"
#include "tests/run/motion.h"

namespace grouser {
namespace {

struct Ride {
  Figures figures;
  Motion motion;
};

/// Runs a scene, which must come to its end without a warning.
Ride run_smooth(const std::string& name, const std::vector<std::string>& overrides = {}) {
  Ride out;
  out.motion =
      motion_of(load_scene(std::string(GROUSER_SCENES) + "/smooth/" + name + ".toml", overrides),
                false, &out.figures);
  return out;
}

double greatest_distance(const Motion& one, const Motion& other, const std::string& body) {
  EXPECT_EQ(one.time.size(), other.time.size());
  double greatest = 0.0;
  for (std::size_t i = 0; i < one.time.size(); ++i)
    greatest = std::max(greatest, (one[body].position[i] - other[body].position[i]).norm());
  return greatest;
}

/// How far mechanical energy, what the contact stores and what it has lost, less the work of
/// external forces, wander from their sum at the start; by how much energy there was to change.
double energy_error(const Ride& run, const std::string& contact) {
  const auto all = [&](const std::string& channel) { return run.figures.all(channel); };
  const std::vector<double> kinetic = all("system/kinetic_energy");
  const std::vector<double> potential = all("system/potential_energy");
  const std::vector<double> pushed = all("system/force_work");
  const std::vector<double> stored = all("contacts/" + contact + "/elastic_energy");
  const std::vector<double> lost = all("contacts/" + contact + "/dissipated_energy");
  double error = 0.0;
  const auto sum = [&](std::size_t i) {
    return kinetic[i] + potential[i] + stored[i] + lost[i] - pushed[i];
  };
  for (std::size_t i = 0; i < kinetic.size(); ++i)
    error = std::max(error, std::abs(sum(i) - sum(0)));
  return error / (lost.back() - lost.front());
}

TEST(Bowl, IsTheSameFromAFormulaAndFromSamples) {
  // 25 s, with a push at 2.2 s. Both surfaces are the same parabola; what differs is rounding,
  // which bounces make larger.
  const Ride formula = run_smooth("bowl"), samples = run_smooth("bowl_map");
  EXPECT_NEAR(formula.motion.time.back(), 25.0, 1e-9);
  EXPECT_LT(greatest_distance(formula.motion, samples.motion, "ball"), 1e-6);
  // The push is felt.
  const std::vector<Vec3>& v = formula.motion["ball"].velocity;
  const std::size_t before = formula.motion.at(2.18), after = formula.motion.at(2.28);
  EXPECT_GT(v[after].y() - v[before].y(), 0.8);

  for (const Ride* one : {&formula, &samples})
    EXPECT_LT(energy_error(*one, "ball in bowl"), 1e-4);  // relative to what was lost
}

TEST(Bowl, IsTheSameWithAnyPatch) {
  const Ride quintic = run_smooth("bowl_map", {"simulation.duration=5"});
  for (const std::string kind : {"cubic", "bspline"}) {
    const Ride other =
        run_smooth("bowl_map", {"simulation.duration=5", "shape.bowl.map.patch=\"" + kind + "\""});
    // The spline has natural ends, which a parabola has not: it feels them 0.27 times per cell.
    const double tolerance = kind == "cubic" ? 1e-6 : 0.05;
    EXPECT_LT(greatest_distance(quintic.motion, other.motion, "ball"), tolerance) << kind;
  }
}

TEST(Bowl, IsTheSameWithIntegratedContactPoints) {
  const std::vector<std::string> overrides = {"simulation.duration=5", "simulation.tolerance=1e-9"};
  std::vector<std::string> integrated = overrides;
  integrated.push_back("contact.0.kinematics=\"integrated\"");
  const Ride projected = run_smooth("bowl_map", overrides),
             states = run_smooth("bowl_map", integrated);
  // Drift is corrected within 1/30 s, and the integrator keeps it below its tolerance per step.
  EXPECT_LT(greatest_distance(projected.motion, states.motion, "ball"), 1e-5);
  EXPECT_LT(energy_error(states, "ball in bowl"), 1e-4);
}

TEST(IrregularGround, TakesNoMoreEnergyThanItTells) {
  const Ride ball = run_smooth("irregular");
  EXPECT_LT(energy_error(ball, "ball on ground"), 1e-4);
  const std::vector<double> lost = ball.figures.all("contacts/ball on ground/dissipated_energy");
  for (std::size_t i = 1; i < lost.size(); ++i)
    EXPECT_GE(lost[i] - lost[i - 1], -1e-6 * lost.back());  // error control
  const std::vector<double> contacts = ball.figures.all("contacts/ball on ground/contacts");
  EXPECT_GE(*std::max_element(contacts.begin(), contacts.end()), 1.0);
}

TEST(StoneOnWaves, TumblesDownAndStaysOnTheGround) {
  const Ride stone = run_smooth("ellipsoid");
  EXPECT_LT(energy_error(stone, "stone on waves"), 1e-4);
  const Motion& motion = stone.motion;
  EXPECT_GT(motion["stone"].position.back().x(), -8.0) << "it went on";
  for (const Vec3& p : motion["stone"].position) {
    const double ground = 0.06 * std::sin(1.2 * p.x()) * std::cos(0.8 * p.y()) - 0.12 * p.x();
    EXPECT_GT(p.z(), ground + 0.25);  // the shortest half axis is 0.28 m
  }
}

}  // namespace
}  // namespace grouser
