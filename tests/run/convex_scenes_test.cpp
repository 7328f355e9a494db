// The verification of BBCC, the body-to-body contact of DLR's Contact Dynamics library (2023,
// section 4.1.2), against what mechanics expects; and bodies that come to rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/run/simulation.h"
#include "tests/run/motion.h"
#include "tests/run/scene_text.h"

namespace grouser {
namespace {

using Overrides = std::vector<std::string>;

// Of the scenes: cylinders of 1 kg with the inertia of hoops.
constexpr double kGravity = 9.81, kFriction = 0.4, kHoopRadius = 0.5, kRestitution = 0.6;
constexpr double kHoopInertia = 0.25;
constexpr double kModulus = 4.5e5 / (2.0 * (1.0 - 0.4 * 0.4));  // E* of two equal bodies

// What mechanics says of rigid bodies. Ours sink in by 2 mm, which shortens the lever of 0.5 m by
// 0.2 %; bristles are stretched after 0.1 mm, of a metre.
constexpr double kHalfPercent = 0.005;

constexpr std::array<const char*, 4> kFrictionLaws = {"bristle", "tanh", "bengisu-akay",
                                                      "brown-mcphee"};

Motion run_convex(const std::string& scene, const Overrides& overrides = {}) {
  return motion_of(
      load_scene(std::string(GROUSER_SCENES) + "/convex/" + scene + ".toml", overrides));
}

/// A scene of one body of 1 kg on a floor; all parts are lines of its tables.
struct OnFloor {
  std::string simulation;
  std::string surface;  ///< Young's modulus, restitution, friction
  std::string body;
  std::string shape;
  std::string contact = "";

  Motion run() const {
    return motion_of(scene_from(R"(
[[shape]]
name = "floor"
half_space = true
[[shape]]
name = "body"
body = "body"
material = "surface"
)" + shape + R"(
[[material]]
name = "surface"
poisson_ratio = 0.3
)" + surface + R"(
[[body]]
name = "body"
mass = 1.0
inertia = [0.005, 0.005, 0.005]
)" + body + R"(
[[contact]]
name = "contact"
model = "convex"
)" + contact + "\n[simulation]\n" +
                                simulation));
  }
};

std::string friction_law(const std::string& law) {
  return "contact.0.friction_law=" + law;
}

void expect_near(double value, double expected, double share, const std::string& what) {
  EXPECT_NEAR(value, expected, share * std::abs(expected)) << what;
}

// ------------------------------------------------------------------------------------------------
// Impact

/// Both materials of the impact scene with another restitution.
Overrides restitution(double e) {
  const std::string value = std::to_string(e);
  return {"material.rubber.restitution=" + value, "material.smooth.restitution=" + value};
}

TEST(ConvexImpact, TurnsTheSpeedAlongTheNormalRoundAndKeepsTheOther) {
  for (const double e : {0.05, 0.3, kRestitution, 0.9, 0.99}) {
    const Track smooth = run_convex("impact", restitution(e))["smooth"];
    const Vec3 before = smooth.velocity.front(), after = smooth.velocity.back();
    EXPECT_NEAR(-after.z() / before.z(), e, 1e-5);  // of the integrator; the law is exact
    EXPECT_NEAR(after.x(), before.x(), 1e-12);
    EXPECT_LT(smooth.spin.back().norm(), 1e-12);
  }
}

TEST(ConvexImpact, FrictionTakesItsShareOfTheImpulse) {
  const Track rough = run_convex("impact")["rough"];
  const Vec3 before = rough.velocity.front(), after = rough.velocity.back();
  const double impulse = -before.z() * (1.0 + kRestitution);
  // Bristles stretch in the first thousandth of the impact, when there is hardly a force.
  expect_near(before.x() - after.x(), kFriction * impulse, 1e-5, "loss of speed");
  EXPECT_GT(after.x(), kHoopRadius * rough.spin.back().y());  // it slid to the end
  // It acts in the middle of the overlap, which is up to 11 mm deep.
  expect_near(rough.spin.back().y(), kFriction * impulse * kHoopRadius / kHoopInertia,
              0.011 / kHoopRadius, "spin");
}

TEST(ConvexImpact, OfABallIsAsLongAndDeepAsHertzSays) {
  const double radius = 0.1, speed = 1.0, start = 0.11;
  const OnFloor scene{
      "duration = 0.1\ngravity = [0, 0, 0]\ntolerance = 1e-9\noutput_interval = 1e-5",
      "young_modulus = 1e7\nrestitution = 1.0\nfriction = 0.4",
      "position = [0, 0, 0.11]\nvelocity = [0, 0, -1]", "sphere.radius = 0.1"};
  const Track ball = scene.run()["body"];
  double lowest = radius;
  for (const Vec3& p : ball.position) lowest = std::min(lowest, p.z());
  const double k = 4.0 / 3.0 * 1e7 / (1.0 - 0.3 * 0.3) * std::sqrt(radius);
  const double depth = std::pow(1.25 * speed * speed / k, 0.4);
  expect_near(radius - lowest, depth, 1e-4, "depth");  // a sample every 1/700 of the impact
  const double touch = (start - radius) / speed;
  const double parting = 0.1 - (ball.position.back().z() - radius) / ball.velocity.back().z();
  expect_near(parting - touch, 2.94328 * depth / speed, 1e-4, "time");
}

/// Energy of a cylinder in flight.
double energy(const Track& track, std::size_t i) {
  return 0.5 * track.velocity[i].squaredNorm() + 0.5 * kHoopInertia * track.spin[i].squaredNorm() +
         kGravity * track.position[i].z();
}

TEST(ConvexImpact, WithFullRestitutionEnergyIsKept) {
  Overrides overrides = restitution(1.0);
  overrides.push_back("simulation.gravity=[0, 0, -9.81]");
  // A cylinder that falls flat does so less each time: one end comes first by 60 times as much,
  // which makes something of rounding after ten bounces.
  overrides.push_back("simulation.duration=4");
  const Motion motion = run_convex("impact", overrides);
  const Track &smooth = motion["smooth"], &rough = motion["rough"];
  int bounces = 0;
  double greatest_change = 0.0, greatest_gain = 0.0;  // of the energy, by it
  for (std::size_t i = 1; i < motion.time.size(); ++i) {
    if (smooth.velocity[i - 1].z() < 0.0 && smooth.velocity[i].z() > 0.0) ++bounces;
    if (smooth.position[i].z() > kHoopRadius)
      greatest_change =
          std::max(greatest_change, std::abs(energy(smooth, i) / energy(smooth, 0) - 1.0));
    if (rough.position[i].z() > kHoopRadius)
      greatest_gain = std::max(greatest_gain, energy(rough, i) / energy(rough, 0) - 1.0);
  }
  EXPECT_EQ(bounces, 6);
  EXPECT_LT(greatest_change, 2e-6);  // tolerance 1e-8, over some hundred steps
  EXPECT_LT(greatest_gain, 2e-6);    // friction may only take
}

TEST(ConvexImpact, WithoutRestitutionItStopsAtTheFirstTouch) {
  Overrides overrides = restitution(0.0);
  for (const char* more : {"simulation.gravity=[0, 0, -9.81]", "body.smooth.velocity=[0, 0, -1.5]"})
    overrides.push_back(more);
  const Motion motion = run_convex("impact", overrides);
  const Track& smooth = motion["smooth"];
  const double impact = std::sqrt(1.5 * 1.5 + 2.0 * kGravity * 0.5);
  std::size_t i = 0;
  while (smooth.position[i].z() > kHoopRadius) ++i;
  for (; i < motion.time.size(); ++i) {
    EXPECT_LT(smooth.position[i].z(), kHoopRadius);
    EXPECT_LT(smooth.velocity[i].z(), 0.01 * impact);  // zero counts as 0.01
  }
  EXPECT_LT(smooth.velocity.back().norm(), 1e-9);
}

// ------------------------------------------------------------------------------------------------
// Sliding and rolling

TEST(ConvexSliding, StopsWhereFrictionHasUsedUpTheEnergy) {
  for (const char* law : kFrictionLaws) {
    const Track cylinder = run_convex("sliding", {friction_law(law)})["cylinder"];
    // 0.01 % short with bristles, which pull back; 1e-6 with the others.
    expect_near(cylinder.position.back().x(), 3.0 * 3.0 / (2.0 * kFriction * kGravity), 2e-4, law);
    EXPECT_LT(std::abs(cylinder.velocity.back().x()), 1e-8) << law;
  }
}

TEST(ConvexRolling, EnergyOfMovingAndOfTurningBecomesRolling) {
  for (const double inertia : {0.25, 0.125}) {  // of a hoop, and solid
    const Motion motion = [&] {
      Overrides overrides;
      for (const std::string body : {"moving", "turning", "rolling"})
        overrides.push_back("body." + body + ".inertia=[0.25, " + std::to_string(inertia) +
                            ", 0.25]");
      return run_convex("rolling", overrides);
    }();
    const double share = inertia / (kHoopRadius * kHoopRadius);  // J / (m r^2)
    const std::map<std::string, double> speeds = {{"moving", 3.0 / (1.0 + share)},
                                                  {"turning", 3.0 * share / (1.0 + share)},
                                                  {"rolling", 3.0 / std::sqrt(2.0)}};
    for (const auto& [name, speed] : speeds) {
      const Track& body = motion[name];
      expect_near(body.velocity.back().x(), speed, kHalfPercent, name);
      expect_near(body.spin.back().y(), speed / kHoopRadius, kHalfPercent, name);
      // It rolls on without loss, and straight.
      EXPECT_NEAR(body.velocity.back().x(), body.velocity[motion.at(1.0)].x(), 1e-6) << name;
      EXPECT_NEAR(body.position.back().y(), body.position.front().y(), 1e-8) << name;
    }
  }
}

// ------------------------------------------------------------------------------------------------
// Incline

double radians(double degrees) {
  return degrees * kPi / 180.0;
}

/// Gravity as on a slope.
std::string slope(double degrees) {
  return "simulation.gravity=[" + std::to_string(kGravity * std::sin(radians(degrees))) + ", 0, " +
         std::to_string(-kGravity * std::cos(radians(degrees))) + "]";
}

TEST(ConvexIncline, BristlesHold) {
  const Motion motion = run_convex("incline", {"simulation.duration=12"});
  const Track& sliding = motion["sliding"];
  EXPECT_LT((sliding.position.back() - sliding.position[motion.at(2.0)]).norm(), 1e-9);
  // They have given way by their share of the stroke.
  EXPECT_NEAR(sliding.position.back().x(), 1e-4 * std::tan(radians(15.0)) / kFriction, 1e-5);
}

TEST(ConvexIncline, OtherLawsCreepAtTheirSpeed) {
  const auto creep = [](const std::string& law, double peak) {
    const Motion motion = run_convex(
        "incline",
        {friction_law(law), "contact.0.static_friction=" + std::to_string(peak * kFriction)});
    const Track& sliding = motion["sliding"];
    const std::size_t from = motion.at(1.0);
    return (sliding.position.back() - sliding.position[from]).x() /
           (motion.time.back() - motion.time[from]);
  };
  const double load = std::tan(radians(15.0)) / kFriction, v_d = 1e-3;
  const auto parabola = [&](double peak) { return v_d * (1.0 - std::sqrt(1.0 - load / peak)); };
  // Functions of the speed alone; the tolerance is that of six digits of gravity.
  expect_near(creep("tanh", 1.0), v_d * std::atanh(load), 1e-5, "tanh");
  expect_near(creep("bengisu-akay", 1.0), parabola(1.0), 1e-5, "bengisu-akay");
  expect_near(creep("bengisu-akay", 1.5), parabola(1.5), 1e-5, "bengisu-akay with a peak");
  expect_near(creep("brown-mcphee", 1.0), 0.25 * v_d * std::atanh(load), 1e-5, "brown-mcphee");
}

TEST(ConvexIncline, SlidesAndRollsWithTheAccelerationOfMechanics) {
  for (const std::string law : kFrictionLaws)
    for (const double degrees : {15.0, 30.0, 45.0}) {
      const Motion motion = run_convex("incline", {slope(degrees), friction_law(law)});
      const auto acceleration = [&](const std::string& body) {
        const std::size_t from = motion.at(1.0), to = motion.time.size() - 1;
        return (motion[body].velocity[to] - motion[body].velocity[from]).x() /
               (motion.time[to] - motion.time[from]);
      };
      const double down = kGravity * std::sin(radians(degrees));
      const double sliding = down - kFriction * kGravity * std::cos(radians(degrees));
      const std::string what = law + " at " + std::to_string(degrees);
      if (sliding > 0.0) expect_near(acceleration("sliding"), sliding, 1e-5, "sliding, " + what);
      // A hoop, for which J / (m r^2) = 1, rolls up to tan i = 2 mu.
      const bool rolls = std::tan(radians(degrees)) <= 2.0 * kFriction;
      expect_near(acceleration("rolling"), rolls ? 0.5 * down : sliding, kHalfPercent,
                  "rolling, " + what);
    }
}

TEST(ConvexIncline, AFreeBoxStaysWhereItIsSetDown) {
  const OnFloor scene{"duration = 12\ntolerance = 1e-8\ngravity = [2.5, 0.5, -9.5]",
                      "young_modulus = 1e8\nrestitution = 0.3\nfriction = 0.4",
                      "position = [0, 0, 0.0501]\nrpy = [0, 0, 0.3]", "box.size = [0.2, 0.2, 0.1]"};
  const Motion motion = scene.run();
  const Track& box = motion["body"];
  EXPECT_LT((box.position.back() - box.position[motion.at(2.0)]).norm(), 1e-9);
  EXPECT_LT(motion.kinetic_energy.back(), 1e-20);
}

// ------------------------------------------------------------------------------------------------
// Spinning

/// When a spin about z that dwindles evenly is over.
double stopping_time(const Motion& motion, const std::string& body) {
  const std::vector<Vec3>& spin = motion[body].spin;
  std::size_t i = 1;
  while (i + 1 < spin.size() && spin[i].z() > 0.0) ++i;
  const double before = spin[i - 1].z(), after = spin[i].z();
  return motion.time[i - 1] + before / (before - after) * (motion.time[i] - motion.time[i - 1]);
}

TEST(ConvexSpinning, FrictionStopsADiscAndAPointInTime) {
  const Motion motion = run_convex("spinning", {"simulation.output_interval=0.001"});
  const double mu_force = kFriction * kGravity;  // of 1 kg
  // The lid of 16 facets has the area of a disc, and its radius of gyration within 1e-4.
  expect_near(stopping_time(motion, "cylinder"),
              8.0 * kHoopInertia / (2.0 / 3.0 * mu_force * kHoopRadius), 2e-4, "cylinder");
  const double radius = 0.1, inertia = 0.004;  // of the ball
  const double k = 4.0 / 3.0 * kModulus * std::sqrt(radius);
  const double depth = std::pow(kGravity / k, 2.0 / 3.0);
  const double torque = 3.0 * kPi / 16.0 * mu_force * std::sqrt(radius * depth);
  expect_near(stopping_time(motion, "ball"), 12.0 * inertia / torque, 2e-4, "ball");
  for (const char* body : {"cylinder", "ball"}) {
    const Track& track = motion[body];
    EXPECT_LT((track.position.back() - track.position.front()).head<2>().norm(), 1e-8) << body;
  }
}

// ------------------------------------------------------------------------------------------------
// Rest

/// At the end nothing has moved for half of the time.
void expect_rest(const Motion& motion, const std::string& body, double joules, double metres) {
  EXPECT_LT(motion.kinetic_energy.back(), joules);
  const std::vector<Vec3>& position = motion[body].position;
  EXPECT_LT((position.back() - position[position.size() / 2]).norm(), metres);
}

double moved(const Motion& motion, const std::string& body) {
  return (motion[body].position.back() - motion[body].position.front()).norm();
}

TEST(ConvexTower, TenBoxesComeToRestAndStay) {
  const Motion motion = run_convex("tower");
  EXPECT_EQ(motion.time.back(), 60.0);
  expect_rest(motion, "box_9", 1e-20, 1e-12);  // asked for: 1e-9 J
  EXPECT_LT(moved(motion, "box_9"), 5e-4);     // asked for: 1 mm
}

TEST(ConvexTower, LeansButStandsIfFrictionCreeps) {
  const Motion motion = run_convex("tower", {friction_law("tanh"), "simulation.duration=10"});
  EXPECT_LT(moved(motion, "box_9"), 5e-4);
  EXPECT_LT(motion.kinetic_energy.back(), 1e-9);
}

TEST(ConvexTrough, SixCylindersComeToRestAndStay) {
  const Motion motion = run_convex("trough");
  EXPECT_EQ(motion.time.back(), 60.0);
  expect_rest(motion, "cylinder_5", 1e-20, 1e-12);  // asked for: 1e-9 J
  EXPECT_LT(moved(motion, "cylinder_5"), 2e-4);     // asked for: 1 mm
}

TEST(ConvexDrop, EveryKindOfBodyComesToRest) {
  struct Dropped {
    std::string shape, position, rpy;
  };
  // From 1 to 2 cm, tilted, so that an edge or a corner lands first.
  for (const Dropped& one :
       {Dropped{"box.size = [0.2, 0.2, 0.2]", "[0, 0, 0.12]", "[0.05, 0.04, 0.3]"},
        Dropped{"cylinder = { radius = 0.1, length = 0.2 }", "[0, 0, 0.12]", "[0.05, 0.04, 0.3]"},
        Dropped{"capsule = { radius = 0.1, length = 0.2 }", "[0, 0, 0.12]", "[1.52, 0, 0]"},
        Dropped{"cone = { radius = 0.1, length = 0.2 }", "[0, 0, 0.12]", "[0.05, 0.04, 0.3]"},
        Dropped{"ellipsoid.half_axes = [0.1, 0.12, 0.05]", "[0, 0, 0.07]", "[0.05, 0, 0]"},
        Dropped{"hull.sphere = { radius = 0.1, triangles = 20 }", "[0, 0, 0.1]", "[0, 0.4, 0.2]"},
        Dropped{"wheel = { radius = 0.1, width = 0.1, grouser_count = 12 }", "[0, 0, 0.13]",
                "[0.05, 0.2, 0.3]"}}) {
    // Without rolling resistance an ellipsoid would rock for ever.
    const OnFloor scene{"duration = 20\ntolerance = 1e-7",
                        "young_modulus = 1e8\nrestitution = 0.3\nfriction = 0.5",
                        "position = " + one.position + "\nrpy = " + one.rpy, one.shape,
                        "rolling_resistance = 0.01"};
    const Motion motion = scene.run();
    SCOPED_TRACE(one.shape);
    expect_rest(motion, "body", 1e-15, 1e-7);  // rocking fades slowly
  }
}

/// Three crates and a drum fall onto each other, askew.
std::string heap(const std::string& modulus, const std::string& simulation) {
  std::string text = "[simulation]\nduration = 2\ngravity = [0, 0, -9.81]\n" + simulation + R"(
[[shape]]
name = "floor"
half_space = true
[[material]]
name = "m"
restitution = 0.3
friction = 0.5
young_modulus = )" + modulus +
                     "\n";
  for (int i = 0; i < 4; ++i) {
    const std::string name = "part_" + std::to_string(i);
    text += "[[body]]\nname = \"" + name + "\"\nmass = 1.0\ninertia = [0.002, 0.002, 0.002]\n" +
            "position = [" + std::to_string(0.02 * i) + ", 0, " + std::to_string(0.1 + 0.17 * i) +
            "]\nrpy = [" + std::to_string(0.1 + 0.4 * i) + ", 0.2, 0.3]\n[[shape]]\nname = \"" +
            name + "\"\nbody = \"" + name + "\"\nmaterial = \"m\"\n" +
            (i == 2 ? "cylinder = { radius = 0.05, length = 0.1 }" : "box.size = [0.1, 0.1, 0.1]") +
            "\n";
  }
  return text + "[[contact]]\nmodel = \"convex\"\n";
}

TEST(ConvexSteps, NothingExplodesWhateverTheStepAndTheStiffness) {
  // Explicit methods would need h < 2 sqrt(m / k): 7e-5 s at 1e9 Pa.
  for (const char* method : {"semi-implicit-euler", "rk4"})
    for (const char* step : {"2e-4", "1e-3", "5e-3"})
      for (const char* modulus : {"1e6", "1e9", "2e11"}) {
        Simulation simulation(scene_from(
            heap(modulus, "integrator = \"" + std::string(method) + "\"\nstep = " + step)));
        const RunSummary summary = simulation.run();
        SCOPED_TRACE(std::string(method) + ", " + step + " s, " + modulus + " Pa");
        EXPECT_LT(summary.energy.work.contacts, 0.0);  // they took the energy of the fall
        EXPECT_LT(summary.contacts[0].greatest_penetration, 0.05);
        const bool bears = std::string(modulus) == "1e6" && std::string(step) == "2e-4";
        const double softening = summary.contacts[0].greatest_softening;
        EXPECT_TRUE(bears ? softening < 1.5 : std::string(modulus) == "1e6" || softening > 1.5);
      }
}

TEST(ConvexSteps, WhatIsPressedInAtTheStartIsNoGain) {
  // A crate that starts 5 mm deep flies off with what the floor had stored, and nobody complains.
  const RunSummary summary = Simulation(scene_from(R"(
[simulation]
duration = 0.5
gravity = [0, 0, -9.81]
[[shape]]
name = "floor"
half_space = true
[[material]]
name = "m"
young_modulus = 1e7
restitution = 1.0
[[body]]
name = "crate"
mass = 1.0
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.095]
[[shape]]
name = "crate"
body = "crate"
material = "m"
box.size = [0.2, 0.2, 0.2]
[[contact]]
model = "convex"
)"))
                                 .run();
  // K A d^2 / 2, K = E' / H.
  EXPECT_NEAR(summary.energy.work.contacts, 0.5 * 1e7 / 0.91 / 0.1 * 0.04 * 25e-6, 0.1);
  EXPECT_TRUE(summary.warnings.empty()) << summary.warnings.front();
}

TEST(ConvexSteps, AreAsTheyAreWithShortSteps) {
  Simulation simulation(scene_from(heap("1e6", "integrator = \"rk4\"\nstep = 2e-5")));
  EXPECT_EQ(simulation.run().contacts[0].greatest_softening, 1.0);
}

}  // namespace
}  // namespace grouser
