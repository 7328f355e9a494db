#include "grouser/soil/wheel_soil.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/assets/asset.h"
#include "grouser/base/text.h"
#include "grouser/contact/world.h"
#include "grouser/laws/soil_library.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "grouser/soil/testbed.h"
#include "grouser/soil/wheel_ground.h"

namespace grouser {
namespace {

const std::vector<std::string> kModels = {"bekker", "bekker-janosi", "terra", "rheological"};

const SoilDef& soil_named(const std::string& name) {
  return library_soil(name, {}, "soil").soil;
}

std::shared_ptr<const TriangleMesh> upright_drum(double radius, double width) {
  TriangleMesh mesh = make_cylinder({.radius = radius, .length = width, .segments = 360});
  for (Vec3& v : mesh.vertices) v = Vec3(v.x(), v.z(), -v.y());  // axis y
  return std::make_shared<const TriangleMesh>(mesh);
}

// The ground that wheels feel.

ElevationGrid sampled(double spacing, double size, const std::function<double(double, double)>& z) {
  ElevationGrid grid;
  grid.spacing = spacing;
  grid.nx = grid.ny = static_cast<std::size_t>(std::lround(size / spacing)) + 1;
  for (std::size_t iy = 0; iy < grid.ny; ++iy)
    for (std::size_t ix = 0; ix < grid.nx; ++ix)
      grid.heights.push_back(
          z(spacing * static_cast<double>(ix), spacing * static_cast<double>(iy)));
  return grid;
}

WheelGround ground_of(const ElevationGrid& grid, double footprint) {
  SoilGroundDef def;
  def.name = "ground";
  def.soil = soil_named("dry-sand");
  def.heights = std::make_shared<const ElevationGrid>(grid);
  def.spacing = grid.spacing;
  return WheelGround(def, footprint);
}

TEST(WheelGround, KeepsPlanes) {
  const auto plane = [](double x, double y) { return 0.3 * x - 0.2 * y + 0.1; };
  const Vec3 n = Vec3(-0.3, 0.2, 1.0).normalized();
  for (const double spacing : {0.005, 0.013, 0.2}) {
    const WheelGround ground = ground_of(sampled(spacing, 2.6, plane), 0.05);
    for (const double x : {0.01, 0.7, 1.234, 2.5}) {
      const WheelGround::Plane found = ground.under(Vec3(x, 1.1, 0.6));
      EXPECT_NEAR((found.normal - n).norm(), 0.0, 1e-10) << spacing << " at " << x;
      EXPECT_NEAR(found.height, (0.6 - plane(x, 1.1)) * n.z(), 1e-10);
    }
  }
}

TEST(WheelGround, DoesNotDependOnTheSpacingOfTheMap) {
  // Bumps longer than the footprint, with roughness much shorter than it.
  const auto rough = [](double x, double y) {
    return 0.03 * std::sin(6.0 * x) * std::cos(5.0 * y) + 0.002 * std::sin(900.0 * x + 700.0 * y);
  };
  const auto even = [](double x, double y) { return 0.03 * std::sin(6.0 * x) * std::cos(5.0 * y); };
  const WheelGround fine = ground_of(sampled(0.001, 1.0, rough), 0.05);
  const WheelGround coarse = ground_of(sampled(0.004, 1.0, even), 0.05);
  for (double x = 0.2; x < 0.8; x += 0.037) {
    const WheelGround::Plane a = fine.under(Vec3(x, 0.5, 0.15)),
                             b = coarse.under(Vec3(x, 0.5, 0.15));
    // The roughness of 2 mm and slopes of 2 is averaged away.
    EXPECT_NEAR(a.height, b.height, 1e-4);
    EXPECT_NEAR((a.normal - b.normal).norm(), 0.0, 5e-3);
  }
}

TEST(WheelGround, GoesOnBeyondTheMapAndSaysSo) {
  const WheelGround ground =
      ground_of(sampled(0.05, 1.0, [](double x, double) { return 0.1 * x; }), 0.05);
  EXPECT_TRUE(ground.under(Vec3(0.5, 0.5, 0.3)).inside);
  const WheelGround::Plane beyond = ground.under(Vec3(1.5, 0.5, 0.3));
  EXPECT_FALSE(beyond.inside);
  EXPECT_NEAR(beyond.height, 0.15 * beyond.normal.z(), 1e-9);
}

TEST(WheelGround, GoesOverFromOneSoilToAnother) {
  SoilGroundDef def;
  def.name = "ground";
  def.soil = soil_named("dry-sand");
  SoilRegionDef region;
  region.soil = soil_named("lete-sand");
  region.polygon = {{0.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {0.0, 1.0}};
  def.regions = {region};
  const WheelGround ground(def, 0.05);
  double before = 0.0;
  for (double x = -0.1; x < 0.1; x += 1e-3) {
    const WheelGround::Shares shares = ground.soils_under(Vec3(x, 0.0, 0.0));
    double sum = 0.0, second = 0.0;
    for (const auto& [soil, share] : shares) {
      sum += share;
      if (soil == 1) second = share;
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
    EXPECT_LE(std::abs(second - before), 1e-3 / 0.05 + 1e-12);  // no jump
    before = second;
  }
  EXPECT_EQ(before, 1.0);
}

// Wheels.

TEST(MeasureWheel, FindsRimWidthAndGrousers) {
  const WheelSize plain = measure_wheel(*upright_drum(0.125, 0.1), Vec3::UnitY());
  EXPECT_NEAR(plain.radius, 0.125, 1e-12);
  EXPECT_NEAR(plain.width, 0.1, 1e-12);
  EXPECT_EQ(plain.grouser_height, 0.0);
  const Value keys = read_toml_value(
      "{ radius = 0.125, width = 0.1, grouser_count = 24, grouser_height = 0.01, "
      "grouser_thickness = 0.01 }",
      "wheel");
  const TriangleMesh lugged = read_asset(*find_asset_kind("wheel"), keys, "wheel", "")->make_mesh();
  const WheelSize measured = measure_wheel(lugged, Vec3::UnitY());
  EXPECT_NEAR(measured.radius, 0.125, 1e-4);  // the rim is a polygon
  EXPECT_NEAR(measured.grouser_height, 0.01, 2e-4);
  EXPECT_NEAR(measured.width, 0.1, 1e-9);
}

/// A world with one drum on a ground, the drum as body "wheel".
ContactWorldDef world_with(const std::string& model, const SoilGroundDef& ground,
                           const std::string& keys = "") {
  ContactWorldDef def;
  def.add(ground);
  ShapeDef shape;
  shape.name = shape.body = "wheel";
  shape.geometry = MeshShape{upright_drum(0.15, 0.1)};
  def.shapes = {shape};
  const Value table =
      read_toml_text("soil = \"ground\"\nobjects = [\"wheel\"]\n" + keys, "contact");
  def.contacts = {read_wheel_soil(model, table, "contact")};
  return def;
}

SoilGroundDef flat_sand() {
  SoilGroundDef ground;
  ground.name = "ground";
  ground.soil = soil_named("dry-sand");
  return ground;
}

BodyKinematics rolling(const Vec3& p, double v, double w) {
  BodyKinematics body;
  body.X_WB.p = p;
  body.V_WB.v = Vec3(v, 0.01, -0.002);
  body.V_WB.w = Vec3(0.0, w, 0.05);
  return body;
}

TEST(WheelSoil, FeelsASlopeOfTheMapLikeTiltedGround) {
  const double slope = 0.25;
  SoilGroundDef map = flat_sand();
  map.heights = std::make_shared<const ElevationGrid>(
      sampled(0.02, 4.0, [&](double x, double) { return slope * x; }));
  map.spacing = 0.02;
  SoilGroundDef tilted = flat_sand();
  tilted.X_BT.R = Eigen::AngleAxisd(-std::atan(slope), Vec3::UnitY()).toRotationMatrix();
  for (const std::string& model : kModels) {
    ContactWorld a(world_with(model, map)), b(world_with(model, tilted));
    BodyKinematics body = rolling(Vec3(2.0, 2.0, 0.0), 0.05, 0.5);
    body.X_WB.R = Eigen::AngleAxisd(-std::atan(slope), Vec3::UnitY()).toRotationMatrix();
    body.X_WB.p = Vec3(2.0, 2.0, slope * 2.0) + 0.144 * Vec3(-slope, 0.0, 1.0).normalized();
    a.set_body(a.body("wheel"), body);
    b.set_body(b.body("wheel"), body);
    EXPECT_EQ(a.evaluate(0.0), Status::ok);
    b.evaluate(0.0);
    const Wrench &Fa = a.wrench(a.body("wheel")), &Fb = b.wrench(b.body("wheel"));
    EXPECT_GT(Fa.force.norm(), 1.0) << model;
    EXPECT_NEAR((Fa.force - Fb.force).norm(), 0.0, 1e-8 * Fa.force.norm()) << model;
    EXPECT_NEAR((Fa.torque - Fb.torque).norm(), 0.0, 1e-8 * Fa.force.norm()) << model;
  }
}

TEST(WheelSoil, PullsForwardsWhenItSpinsAndBackWhenItIsLocked) {
  for (const std::string& model : kModels) {
    TestbedDef def;
    def.soil = flat_sand();
    def.wheel = upright_drum(0.15, 0.1);
    def.rolling_radius = 0.15;
    def.load = 80.0;
    def.model = model;
    def.distance = 1.0;
    def.slip = 0.3;
    const TestbedResult spins = run_testbed(def);
    def.slip = -0.9;
    const TestbedResult skids = run_testbed(def);
    EXPECT_GT(spins.mean.torque, 0.0) << model;
    EXPECT_LT(skids.mean.torque, 0.0) << model;
    EXPECT_GT(spins.mean.drawbar, skids.mean.drawbar) << model;
    EXPECT_NEAR(spins.mean.normal, 80.0, 0.08) << model;  // a weight that has settled
  }
}

TEST(WheelSoil, ComesToTheSteadyStateOfItsLaw) {
  for (const std::string& model : kModels)
    for (const double slip : {0.1, 0.4}) {
      TestbedDef def;
      def.soil = flat_sand();
      def.wheel = upright_drum(0.15, 0.1);
      def.rolling_radius = 0.15;
      def.load = 80.0;
      def.slip = slip;
      def.model = model;
      def.distance = 1.5;
      def.settling = 0.8;
      const TestbedResult bed = run_testbed(def);
      const auto wheel = read_wheel_soil(model, Value(), "contact");
      const SteadyWheel steady = make_wheel_law(*wheel, def.soil.soil, {0.15, 0.1}, 9.81)
                                     ->steady({80.0, slip, 0.0, def.speed});
      // Bekker-Janosi's polynomial through four cells is good to 1e-3; the others are exact.
      EXPECT_NEAR(bed.mean.sinkage, steady.sinkage, 2e-3 * steady.sinkage) << model;
      EXPECT_NEAR(bed.mean.drawbar, steady.drawbar, 2e-3 * 80.0) << model;
      EXPECT_NEAR(bed.mean.torque, steady.torque, 2e-3 * 80.0 * 0.15) << model;
    }
}

TEST(WheelSoil, TakesPropertiesForItselfAlone) {
  const auto torque = [](const std::string& keys) {
    const auto wheel = read_wheel_soil("terra", read_toml_text(keys, "x.toml"), "contact");
    return make_wheel_law(*wheel, soil_named("dry-sand"), {0.15, 0.1}, 9.81)
        ->steady({80.0, 0.5})
        .torque;
  };
  EXPECT_LT(torque("properties.friction_angle = 0.1"), torque(""));
}

TEST(WheelSoil, SaysWhatItIsNotMadeFor) {
  SoilGroundDef ground = flat_sand();
  ground.layers = {{0.02, soil_named("lete-sand")}};
  ContactWorldDef def = world_with("rheological", ground);
  def.gravity = 1.62;
  const std::string all = join(ContactWorld(def).contact(0).notes(), "\n");
  EXPECT_NE(all.find("Bekker, who knows no gravity"), std::string::npos) << all;
  EXPECT_NE(all.find("feel the uppermost alone"), std::string::npos) << all;
  EXPECT_NE(all.find("nominal_load is not given"), std::string::npos) << all;
}

TEST(WheelSoil, RefusesWhatCannotBe) {
  const auto refusal = [](const std::string& model, const std::string& keys) -> std::string {
    try {
      ContactWorld world(world_with(model, flat_sand(), keys));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto expect = [&](const std::string& model, const std::string& keys,
                          const std::string& words) {
    const std::string said = refusal(model, keys);
    EXPECT_NE(said.find(words), std::string::npos) << keys << ": " << said;
  };
  expect("terra", "terra.cells = 9", "contact.terra.cells must lie in [1, 8], is 9");
  expect("terra", "terra.yield_time = 0", "contact.terra.yield_time must be positive");
  expect("terra", "terra.frictionn = 1", "did you mean 'friction'?");
  expect("bekker", "terra.recovery = -1", "contact.terra.recovery must be positive");
  expect("rheological", "rheological.elastic_ratio = 0.5", "contact.rheological.elastic_ratio");
  expect("terra", "properties.n = 4", "contact.properties.n must lie in");
  expect("terra", "properties.nn = 4", "contact.properties.nn");
  // The soil under the wheel counts, not the ground's.
  expect("terra", "properties.k_c = -1e9", "soil 'ground' does not carry wheel 'wheel'");
  expect("terra", "axis = [0, 0, 0]", "contact.axis must not be zero");
  expect("terra", "grouser_share = 2", "contact.grouser_share must lie in [0, 1], is 2");
  EXPECT_THROW(read_wheel_soil("scm", Value(), "contact"), InputError);
}

TEST(WheelSoil, TakesTheSameKeysAsTheSoilContactModel) {
  // One word changes the model, whatever else a contact says.
  const std::string keys =
      "envelope = \"triangles\"\nwidth = 0.1\nterra.cells = 3\nrheological.nominal_load = 50\n"
      "bekker.damping_ratio = 1\nbekker_janosi.c1 = 0.3\nproperties.cohesion = 10\n";
  for (const std::string model : {"scm", "bekker", "bekker-janosi", "terra", "rheological"}) {
    ContactWorldDef def = world_with("terra", flat_sand());
    Value document = read_toml_text(
        "[[contact]]\nmodel = \"" + model + "\"\nsoil = \"ground\"\nobjects = [\"wheel\"]\n" + keys,
        "scene.toml");
    def.contacts = read_contact_world(document, ".").contacts;
    ContactWorld world(def);
    world.set_body(world.body("wheel"), rolling(Vec3(0.0, 0.0, 0.146), 0.05, 0.5));
    EXPECT_EQ(world.evaluate(0.0), Status::ok) << model;
    EXPECT_GT(world.wrench(world.body("wheel")).force.z(), 1.0) << model;
  }
}

TEST(WheelSoil, WarnsAboutAWheelThatLeftItsGround) {
  SoilGroundDef ground = flat_sand();
  ground.size = Vec2(2.0, 2.0);
  ContactWorld world(world_with("terra", ground));
  world.set_body(world.body("wheel"), rolling(Vec3(1.5, 0.0, 0.148), 0.1, 1.0));
  world.evaluate(0.0);
  EXPECT_TRUE(world.warnings().empty());
  world.commit(0.0);
  ASSERT_EQ(world.warnings().size(), 1u);
  EXPECT_NE(world.warnings()[0].find("left the soil 'ground'"), std::string::npos);
}

TEST(WheelSoil, FollowsTheGranularScalingLawWithReeceAndNotWithBekker) {
  // Slonaker and others (2017): a wheel three times as large, under a sixth of the gravity, on the
  // same soil without cohesion sinks as deep and pulls as hard in its own measures, if K grows with
  // it. Bekker's moduli have no gravity.
  const double size = 3.0, gravity = 1.62;
  const auto answer = [](const std::string& model, bool reece, double r, double load, double K,
                         double g) {
    SoilDef soil;
    soil.pressure = reece ? SoilDef::Pressure::reece : SoilDef::Pressure::bekker;
    soil.k_phi = reece ? 150.0 : 1.5e6;
    soil.n = 1.1;
    soil.friction_angle = 0.55;
    soil.shear_modulus = K;
    // Times go with the root of length over gravity: here they do not count.
    const Value keys = read_toml_text("terra = { sliding_damping = 0, least_length = 1e-6 }", "x");
    const SteadyWheel steady =
        make_wheel_law(*read_wheel_soil(model, keys, "contact"), soil, {r, 0.5 * r}, g)
            ->steady({load, 0.3, 0.1, 20.0});
    return Vec3(steady.sinkage / r, steady.drawbar / load, steady.side / load);
  };
  for (const std::string model : {"bekker", "bekker-janosi", "terra"}) {
    const double load = 80.0, other = load * size * size * size * gravity / 9.81;
    const Vec3 earth = answer(model, true, 0.15, load, 0.01, 9.81);
    const Vec3 moon = answer(model, true, 0.15 * size, other, 0.01 * size, gravity);
    // Lengths are smoothed over 1e-6 m, of a contact of 50 mm.
    EXPECT_LT((moon - earth).norm(), 1e-3 * earth.norm()) << model;
    EXPECT_GT((answer(model, false, 0.15 * size, other, 0.01 * size, gravity) -
               answer(model, false, 0.15, load, 0.01, 9.81))
                  .norm(),
              0.05 * earth.norm())
        << model;
  }
}

// A wheel that is locked and pulled: friction that holds.

/// Pulls a locked wheel of 80 N along firm sand, in small steps. What moving sand adds to friction
/// is off.
struct Sled {
  std::unique_ptr<WheelLaw> law;
  double load = 80.0, mass = 80.0 / 9.81, x = 0.0, time = 0.0;
  WheelMotion motion = {};
  std::vector<double> states = {}, rates = {};
  WheelMemory memory = {};
  WheelForce force = {};

  explicit Sled(const std::string& model) {
    SoilDef soil;
    soil.k_phi = 2e10;
    soil.friction_angle = std::atan(0.5);
    soil.shear_modulus = 5e-4;  // much shorter than the contact, so that all strength is used
    soil.density = 1.0;
    const Value keys = read_toml_text(
        "rheological = { nominal_load = 80, nominal_sinkage = 5e-4, rolling_resistance = 0 }\n"
        "terra = { stiffness = 6e6, compaction_resistance = 0, slip_sinkage = 0, skid_sinkage = 0, "
        "sliding_damping = 0.5 }\n"
        "bekker_janosi = { slip_sinkage = 0, skid_sinkage = 0 }\n",
        "x.toml");
    law = make_wheel_law(*read_wheel_soil(model, keys, "contact"), soil, {0.1, 0.1}, 9.81);
    motion.sinkage = law->steady({load, 0.0}).sinkage;
    states.assign(law->state_count(), 0.0);
    rates = states;
  }
  void step(double pull, double h) {
    force = law->evaluate(motion, states, memory, rates);
    motion.forward += h * (pull + force.drawbar) / mass;
    motion.sinkage_rate =
        (motion.sinkage_rate + h * (load - force.normal) / mass) / (1.0 + 200.0 * h);
    motion.sinkage += h * motion.sinkage_rate;
    x += h * motion.forward;
    for (std::size_t k = 0; k < states.size(); ++k) states[k] += h * rates[k];
    time += h;
    law->commit(motion, time, states, memory);
  }
};

TEST(DrivenWheel, ComesToASteadySpeedAndStaysThere) {
  // A wheel of a Martian rover that turns at a constant rate and pulls its share of the mass. Slip
  // that acted on the pressure at once would make it surge for good.
  const SoilDef& soil = soil_named("mars-soil-reece");
  const double mass = 310.0 / 6.0, g = 3.71, rim = 0.02;
  const WheelSize size{0.1425, 0.12};
  for (const std::string& model : kModels) {
    const Value keys = read_toml_text("rheological.nominal_load = 192", "x.toml");
    const auto law = make_wheel_law(*read_wheel_soil(model, keys, "contact"), soil, size, g);
    WheelMotion motion;
    motion.spin = rim / size.radius;
    std::vector<double> states(law->state_count(), 0.0), rates = states;
    WheelMemory memory;
    constexpr double kStep = 1e-4;  // friction of a slipping rheological wheel wants 2 v_d / (mu g)
    double slowest = 1.0, fastest = 0.0, lightest = 1e9, heaviest = 0.0;
    for (int i = 0; i < static_cast<int>(30.0 / kStep); ++i) {
      const WheelForce f = law->evaluate(motion, states, memory, rates);
      motion.forward += kStep * f.drawbar / mass;
      motion.sinkage_rate += kStep * (g - f.normal / mass);
      motion.sinkage += kStep * motion.sinkage_rate;
      for (std::size_t k = 0; k < states.size(); ++k) states[k] += kStep * rates[k];
      law->commit(motion, kStep * i, states, memory);
      if (i < static_cast<int>(25.0 / kStep)) continue;
      slowest = std::min(slowest, motion.forward);
      fastest = std::max(fastest, motion.forward);
      lightest = std::min(lightest, f.normal);
      heaviest = std::max(heaviest, f.normal);
    }
    EXPECT_GT(slowest, 0.0) << model;
    EXPECT_LT(fastest, rim * 1.0001) << model;
    EXPECT_LT(fastest - slowest, 1e-3 * rim) << model;
    EXPECT_LT(heaviest - lightest, 1e-3 * mass * g) << model;
  }
}

TEST(LockedWheel, BreaksAwayAtTheStaticLimit) {
  for (const std::string model : {"terra", "bekker-janosi", "rheological"}) {
    Sled sled(model);
    for (int i = 0; i < 20000; ++i) sled.step(0.0, 5e-5);
    double pull = 0.8 * 0.5 * sled.load;
    for (int i = 0; i < 40000; ++i) sled.step(pull, 5e-5);
    // A ramp of one hundredth of the limit per second. At 99 % of it soil still gives way by K r /
    // (limit - pull) = 0.5 mm/s; half a second after the limit the wheel has 5 mm/s.
    while (sled.motion.forward < 5e-3 && pull < 2.0 * sled.load) {
      pull += 0.5 * sled.load * 1e-2 * 5e-5;
      sled.step(pull, 5e-5);
    }
    // Once it moves, pressure ahead of a Bekker-Janosi wheel adds 3 % even on sand as firm as this.
    const double limit = 0.5 * sled.load, sliding = -sled.law->steady({sled.load, -0.999}).drawbar;
    EXPECT_NEAR(sliding, limit, 0.04 * limit) << model;
    EXPECT_GT(pull, 0.99 * limit) << model;
    EXPECT_LT(pull, 1.01 * std::max(limit, sliding)) << model;
  }
}

}  // namespace
}  // namespace grouser
