// The testbed itself: what it moves, how it measures, what it warns of.
#include "grouser/soil/testbed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/laws/soil_library.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/testbed_steady.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

constexpr double kSlopeDegree = kPi / 180.0;

const SoilDef& testbed_soil(const std::string& name) {
  return library_soil(name, {}, "soil").soil;
}

/// A drum of 0.1 m on coarse sand.
TestbedDef drum_test(double slip) {
  TriangleMesh drum = make_cylinder({.radius = 0.1, .length = 0.08, .segments = 180});
  for (Vec3& v : drum.vertices) v = Vec3(v.x(), v.z(), -v.y());  // axis y
  TestbedDef def;
  def.soil.soil = testbed_soil("dry-sand");
  def.soil.spacing = 0.01;
  def.wheel = std::make_shared<const TriangleMesh>(drum);
  def.rolling_radius = 0.1;
  def.load = 60.0;
  def.slip = slip;
  def.speed = 0.1;
  def.distance = 0.4;
  def.steps_per_update = 4;
  return def;
}

TEST(Testbed, ForcesTurnWithTheWheel) {
  TestbedDef def = drum_test(0.3);
  def.slip_angle = 20.0 * kSlopeDegree;
  const TestbedSample ahead = run_testbed(def).mean;
  EXPECT_LT(ahead.side, -0.1 * def.load);  // against the travel across
  // The grid is the same after a quarter of a turn, so all is, but for rounding, which decides
  // which of two nodes at equal distance touches first.
  def.heading = 90.0 * kSlopeDegree;
  const TestbedSample turned = run_testbed(def).mean;
  EXPECT_NEAR(turned.sinkage, ahead.sinkage, 0.005 * ahead.sinkage);
  EXPECT_NEAR(turned.drawbar, ahead.drawbar, 0.005 * def.load);
  EXPECT_NEAR(turned.side, ahead.side, 0.005 * def.load);
  EXPECT_NEAR(turned.torque, ahead.torque, 0.005 * def.load * def.rolling_radius);
  // Across the grid nodes come under the rim in another order; the soil is the same.
  def.heading = 30.0 * kSlopeDegree;
  const TestbedSample across = run_testbed(def).mean;
  EXPECT_NEAR(across.sinkage, ahead.sinkage, 0.1 * ahead.sinkage);
  EXPECT_NEAR(across.drawbar, ahead.drawbar, 0.05 * def.load);
  EXPECT_NEAR(across.side, ahead.side, 0.05 * def.load);
}

TEST(Testbed, ALockedWheelIsDraggedAndOneOnTheSpotDigs) {
  for (const double slip : {-1.0, 1.0}) {
    const TestbedDef def = drum_test(slip);
    const TestbedResult found = run_testbed(def);
    const TestbedSample& last = found.samples.back();
    // The faster of rim and carriage runs the distance.
    EXPECT_NEAR(last.time * def.speed, def.distance, 0.01 * def.distance);
    EXPECT_NEAR(last.travel, slip < 0.0 ? def.distance : 0.0, 0.01 * def.distance);
    EXPECT_GT(slip * found.mean.torque, 0.1 * def.load * def.rolling_radius);
    EXPECT_GT(slip * found.mean.drawbar, 0.0);
    EXPECT_GT(last.sinkage, found.samples.front().sinkage);
  }
}

TEST(Testbed, ALightWheelDoesNotBounce) {
  // 10 Pa or so on soil that springs back a hundred times a step.
  TestbedDef def = drum_test(0.2);
  def.load = 0.02;
  def.distance = 0.1;
  const TestbedResult found = run_testbed(def);
  EXPECT_NEAR(found.carried, def.load, 0.01 * def.load);
  for (const TestbedSample& s : found.samples) EXPECT_TRUE(std::isfinite(s.torque));
}

TEST(Testbed, StopsWhenItIsTold) {
  int asked = 0;
  const auto stop = [&](double) { return ++asked < 100; };
  EXPECT_TRUE(run_testbed(drum_test(0.2), stop).samples.empty());  // while the wheel stands
  EXPECT_EQ(asked, 100);
}

// --- the steady part --------------------------------------------------------------------------

/// Statistics of a sinkage and a pull.
TestbedResult told(int count, const std::function<TestbedSample(int)>& at) {
  SteadyPart steady(count);
  for (int i = 0; i < count; ++i) steady.add(at(i));
  TestbedResult out;
  steady.tell(out);
  return out;
}

TEST(SteadyPart, KnowsMeanAndScatterOfARamp) {
  constexpr int kCount = 4000;
  const TestbedResult found = told(kCount, [](int i) {
    TestbedSample s;
    s.sinkage = 0.02 + 0.01 * i / (kCount - 1.0);
    s.drawbar = 5.0;
    return s;
  });
  EXPECT_NEAR(found.mean.sinkage, 0.025, 1e-12);
  EXPECT_NEAR(found.scatter.sinkage, 0.01 / std::sqrt(12.0), 1e-5);  // of an even distribution
  EXPECT_NEAR(found.first_half.sinkage, 0.0225, 1e-5);
  EXPECT_NEAR(found.second_half.sinkage, 0.0275, 1e-5);
  EXPECT_EQ(found.least.sinkage, 0.02);
  EXPECT_NEAR(found.most.sinkage, 0.03, 1e-12);
  EXPECT_EQ(found.scatter.drawbar, 0.0);
  EXPECT_EQ(found.chance.drawbar, 0.0);
}

/// A result that leaves nothing to be desired.
TestbedResult steady_result(const TestbedDef& def) {
  TestbedResult result;
  result.carried = result.mean.normal = def.load;
  result.axle_height = 0.1;
  for (TestbedSample* s : {&result.mean, &result.first_half, &result.second_half, &result.most})
    s->sinkage = 0.02;
  return result;
}

TEST(TestbedDoubts, AreAboutDriftThatIsNotChance) {
  const TestbedDef def = drum_test(0.2);
  TestbedResult result = steady_result(def);
  EXPECT_TRUE(testbed_doubts(def, result).empty());
  result.first_half.sinkage = 0.0213;
  result.second_half.sinkage = 0.0230;
  const std::vector<std::string> grows = testbed_doubts(def, result);
  ASSERT_EQ(grows.size(), 1u);
  EXPECT_TRUE(contains(grows[0],
                       "sinkage still grows: 21.3 mm in the first half of the steady part, 23 mm "
                       "in the second; a longer distance"));
  result.chance.sinkage = 0.001;
  EXPECT_TRUE(testbed_doubts(def, result).empty());

  result = steady_result(def);
  result.first_half.drawbar = 0.021 * def.load;
  EXPECT_TRUE(contains(testbed_doubts(def, result).at(0), "drawbar pull still falls"));
  result.first_half.drawbar = 0.019 * def.load;
  EXPECT_TRUE(testbed_doubts(def, result).empty());
  result.second_half.torque = 0.021 * def.load * def.rolling_radius;
  EXPECT_TRUE(contains(testbed_doubts(def, result).at(0), "torque still grows"));
}

TEST(TestbedDoubts, AreAboutWhatCannotBe) {
  TestbedDef def = drum_test(0.2);
  TestbedResult result = steady_result(def);
  result.most.sinkage = 0.101;
  EXPECT_TRUE(contains(testbed_doubts(def, result).at(0), "the axle is below the undisturbed"));

  result = steady_result(def);
  result.contact_area = 0.004;
  def.soil.soil.cohesion = 1000.0;
  const double holds = def.load * std::tan(def.soil.soil.friction_angle) + 4.0;
  result.mean.drawbar = 0.99 * holds;
  EXPECT_TRUE(testbed_doubts(def, result).empty());
  result.mean.drawbar = 1.01 * holds;
  EXPECT_TRUE(contains(testbed_doubts(def, result).at(0), "more than the soil holds"));
  def.model = "terra";  // its properties need not be those of the soil
  EXPECT_TRUE(testbed_doubts(def, result).empty());

  result = steady_result(def);
  result.mean.normal = 0.98 * def.load;
  EXPECT_TRUE(contains(testbed_doubts(def, result).at(0), "the wheel hops or sinks away"));
  result.carried = 0.5 * def.load;
  EXPECT_TRUE(contains(testbed_doubts(def, result).at(0), "had not come to rest"));
}

// --- rings and plates -------------------------------------------------------------------------

TEST(TestbedShear, GivesTheStrengthOfEverySoilUnderAnyPressure) {
  ShearDef def;
  def.soil.spacing = 0.02;
  int refused = 0;
  double worst = 0.0;
  for (const LibrarySoil& soil : soil_library())
    for (const double pressure : {10.0, 100.0, 1e3, 1e4, 1e5}) {
      def.soil.soil = soil.soil;
      def.pressure = pressure;
      def.distance = 8.0 * soil.soil.shear_modulus;
      def.speed = def.distance / 0.4;  // 80 updates
      const std::string where = soil.name + " " + std::to_string(pressure);
      const double width = def.outer_radius - def.inner_radius;
      if (!std::isfinite(patch_sinkage(def.soil, width, def.gravity, pressure))) {
        EXPECT_TRUE(contains(message_of<InputError>([&] { shear_ring(def); }), "does not carry"));
        ++refused;
        continue;
      }
      std::vector<std::string> doubts;
      const std::vector<ShearSample> curve = shear_ring(def, {}, &doubts);
      EXPECT_TRUE(doubts.empty()) << where << ": " << doubts[0];
      ASSERT_GT(curve.size(), 100u);
      for (const ShearSample& s : curve) {
        ASSERT_TRUE(std::isfinite(s.stress) && std::isfinite(s.sinkage)) << where;
        ASSERT_NEAR(s.pressure, pressure, 0.01 * pressure) << where << " at " << s.displacement;
      }
      EXPECT_GT(curve.front().sinkage, 0.0) << where;
      // Cells at the edges of the ring, onset of cohesion under 10 Pa, load: below 1 % each.
      const double strength = soil.soil.cohesion + pressure * std::tan(soil.soil.friction_angle);
      EXPECT_NEAR(curve.back().stress, strength, 0.02 * strength) << where;
      worst = std::max(worst, std::abs(curve.back().stress / strength - 1.0));
    }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_EQ(refused, 5);  // grc-1-fit-b has k_c < -k_phi b, whatever the pressure
}

TEST(TestbedShear, TellsOfACurveThatIsCutShort) {
  ShearDef def;
  def.soil.soil = testbed_soil("dry-sand");
  def.distance = def.soil.soil.shear_modulus;
  std::vector<std::string> doubts;
  shear_ring(def, {}, &doubts);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_TRUE(contains(doubts[0], "shear stress still grows: by "));
}

TEST(TestbedPress, UnloadsToNothingAndComesBackToTheCurve) {
  PlateDef def;
  def.plate = std::make_shared<const TriangleMesh>(make_box({.size = Vec3(0.1, 0.1, 0.02)}));
  def.soil.soil = testbed_soil("dry-sand");
  def.depth = 0.02;
  const std::vector<PlateSample> straight = press_plate(def);
  def.reloads = {0.008, 0.015};
  const std::vector<PlateSample> loops = press_plate(def);
  int unloaded = 0;
  for (std::size_t i = 1; i < loops.size(); ++i)
    unloaded += loops[i].force == 0.0 && loops[i - 1].force > 0.0;
  EXPECT_EQ(unloaded, 2);
  // Soil flows a little meanwhile.
  EXPECT_NEAR(loops.back().force, straight.back().force, 0.03 * straight.back().force);
}

TEST(TestbedPress, ASphereIsCarriedByThePressureOverItsCap) {
  PlateDef def;
  const double radius = 0.1, depth = 0.02;
  def.plate =
      std::make_shared<const TriangleMesh>(make_sphere({.radius = radius, .triangles = 5120}));
  SoilDef& soil = def.soil.soil;
  soil.k_phi = 1e6;
  soil.n = 1.0;
  soil.friction_angle = 0.01;  // hardly any shear
  soil.compaction = 1.0;       // nothing is displaced
  def.soil.spacing = 0.005;
  def.depth = depth;
  // p = k z over the cap from above is k times its volume.
  const double cap = kPi * depth * depth * (radius - depth / 3.0);
  const PlateSample last = press_plate(def).back();
  EXPECT_NEAR(last.force, soil.k_phi * cap, 0.03 * soil.k_phi * cap);
}

}  // namespace
}  // namespace grouser
