// Soil contact: forces against closed forms and a continuum, and what soil does.
#include "grouser/soil/scm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/assets/wheel.h"
#include "grouser/base/hash.h"
#include "grouser/base/random.h"
#include "grouser/contact/world.h"
#include "grouser/laws/soil_library.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/scm_memory.h"
#include "grouser/soil/testbed.h"
#include "tests/soil/wheel_continuum.h"

namespace grouser {
namespace {

constexpr double kDegree = kPi / 180.0;

/// Sand in which a rover's wheel sinks as deep as in the issue of the model's makers: 6 cm.
SoilDef soft_sand() {
  SoilDef soil;
  soil.k_c = 1370.0;
  soil.k_phi = 150e3;
  soil.n = 1.0;
  soil.cohesion = 300.0;
  soil.friction_angle = 32.0 * kDegree;
  soil.shear_modulus = 0.025;
  return soil;
}

SoilGroundDef bed_of(const SoilDef& soil, double spacing = 0.01) {
  SoilGroundDef ground;
  ground.name = "bed";
  ground.soil = soil;
  ground.spacing = spacing;
  ground.size = Vec2(40000.0, 40000.0);
  return ground;
}

/// Axis along y.
std::shared_ptr<const TriangleMesh> drum(double radius, double width) {
  TriangleMesh mesh = make_cylinder({.radius = radius, .length = width, .segments = 360});
  const Mat3 R = Eigen::AngleAxisd(0.5 * kPi, Vec3::UnitX()).toRotationMatrix();
  for (Vec3& vertex : mesh.vertices) vertex = R * vertex;
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

std::shared_ptr<const TriangleMesh> grouser_wheel(double radius, double width, int count,
                                                  double height, double thickness) {
  WheelDef def;
  def.radius = radius;
  def.width = width;
  def.grouser_count = count;
  def.grouser_height = height;
  def.grouser_thickness = thickness;
  return std::make_shared<const TriangleMesh>(make_wheel(def));
}

TestbedDef drum_test(double slip, const SoilDef& soil) {
  TestbedDef test;
  test.soil = bed_of(soil);
  test.wheel = drum(0.25, 0.2);
  test.rolling_radius = 0.25;
  test.load = 300.0;
  test.slip = slip;
  test.speed = 0.1;
  test.distance = 0.8;
  test.steps_per_update = 4;
  return test;
}

/// Keys of a contact that springs back without loss.
Value undamped() {
  Value::Table keys;
  keys.push_back({"damping_ratio", {}, 0.0});
  return keys;
}

/// Nothing is displaced, and nothing gives way to shear: what the continuum knows.
SoilDef pressed_only(SoilDef soil) {
  soil.compaction = 1.0;
  soil.slip_sinkage = 1.0;
  return soil;
}

// --- forces -----------------------------------------------------------------------------------

TEST(ScmDrum, ConvergesToTheContinuum) {
  const SoilDef soil = pressed_only(soft_sand());
  const DrumForces expected = drum_under_load(soil, 0.25, 0.2, 0.3, 300.0);
  EXPECT_GT(expected.sinkage, 0.05);  // deep, as in the field
  TestbedDef test = drum_test(0.3, soil);
  test.distance = 1.4;
  test.settling = 0.6;
  test.settings = undamped();
  const TestbedResult found = run_testbed(test);
  EXPECT_NEAR(found.mean.sinkage, expected.sinkage, 0.01 * expected.sinkage);
  EXPECT_NEAR(found.mean.drawbar, expected.drawbar, 0.01 * std::abs(expected.drawbar));
  EXPECT_NEAR(found.mean.torque, expected.torque, 0.01 * expected.torque);
  EXPECT_LT(found.most.sinkage - found.least.sinkage, 5e-4);
}

TEST(ScmDrum, IsTheSameTenKilometresAway) {
  const SoilDef soil = pressed_only(soft_sand());
  TestbedDef test = drum_test(0.3, soil);
  const TestbedResult here = run_testbed(test);
  test.soil.X_BT.p = Vec3(-10000.0, -10000.0, 0.0);  // nodes at x = 10 km lie under the wheel
  const TestbedResult there = run_testbed(test);
  // Rounding decides which of two nodes at equal distance touches first: a thousandth.
  EXPECT_NEAR(there.mean.sinkage, here.mean.sinkage, 2e-3 * here.mean.sinkage);
  EXPECT_NEAR(there.mean.drawbar, here.mean.drawbar, 5e-3 * std::abs(here.mean.drawbar));
  EXPECT_NEAR(there.mean.torque, here.mean.torque, 3e-3 * here.mean.torque);
}

TEST(ScmDrum, DoesNotCareWhereTheNodesAre) {
  SoilDef soil = soft_sand();
  TestbedDef test = drum_test(0.3, soil);
  const TestbedResult here = run_testbed(test);
  test.soil.X_BT.p = Vec3(0.01 / 3.0, 0.01 / 3.0, 0.0);
  const TestbedResult shifted = run_testbed(test);
  EXPECT_NEAR(shifted.mean.sinkage, here.mean.sinkage, 0.03 * here.mean.sinkage);
  EXPECT_NEAR(shifted.mean.drawbar, here.mean.drawbar, 0.03 * std::abs(here.mean.drawbar));
  EXPECT_NEAR(shifted.mean.torque, here.mean.torque, 0.03 * here.mean.torque);
}

TEST(ScmDrum, DoesNotCareHowOftenTheSoilIsUpdated) {
  // Firm soil too, in which half of the depth comes from what the wheel carries away.
  for (const auto& [soil, slip] : {std::pair(soft_sand(), 0.3), std::pair(soft_sand(), 0.6),
                                   std::pair(library_soil("ding-simulant", {}, "").soil, 0.6)}) {
    TestbedDef test = drum_test(slip, soil);
    test.distance = 0.5;
    const TestbedResult coarse = run_testbed(test);
    test.soil.update_period /= 2.0;
    test.steps_per_update /= 2.0;
    const TestbedResult fine = run_testbed(test);
    EXPECT_NEAR(coarse.mean.sinkage, fine.mean.sinkage, 0.02 * fine.mean.sinkage) << slip;
  }
}

TEST(ScmDrum, FreeRollingItIsHeldBack) {
  // Where the torque is zero, compaction still resists.
  double low = -0.3, high = 0.3;
  TestbedResult found;
  for (int i = 0; i < 6; ++i) {
    const double slip = 0.5 * (low + high);
    TestbedDef test = drum_test(slip, soft_sand());
    test.distance = 0.4;
    found = run_testbed(test);
    (found.mean.torque > 0.0 ? high : low) = slip;
  }
  EXPECT_LT(std::abs(found.mean.torque), 0.1 * 300.0 * 0.25);
  EXPECT_LT(found.mean.drawbar, -0.03 * 300.0);
}

TEST(ScmDrum, PullSaturatesBelowTheFrictionOfItsLoadAndSinkageGrowsWithSlip) {
  double sinkage = 0.0;
  for (const double slip : {0.0, 0.1, 0.3, 0.6}) {
    const TestbedResult found = run_testbed(drum_test(slip, soft_sand()));
    EXPECT_LT(found.mean.drawbar, 0.85 * 300.0 * std::tan(32.0 * kDegree)) << slip;
    // Where all soil under it has failed it sinks no deeper; thrust then even lifts it a little.
    EXPECT_GT(found.mean.sinkage, slip < 0.5 ? sinkage + 1e-3 : 0.95 * sinkage) << slip;
    sinkage = found.mean.sinkage;
  }
}

TEST(ScmWheel, GrousersRaiseThePull) {
  TestbedDef test = drum_test(0.3, soft_sand());
  test.soil.spacing = 0.005;  // half the thickness of a grouser
  test.distance = 1.2;
  test.settling = 0.7;
  const TestbedResult smooth = run_testbed(test);
  test.wheel = grouser_wheel(0.25, 0.2, 24, 0.015, 0.012);
  const TestbedResult grousers = run_testbed(test);
  EXPECT_GT(grousers.mean.drawbar, 1.03 * smooth.mean.drawbar);
  // But not beyond what the soil holds.
  EXPECT_LT(grousers.mean.drawbar, 300.0 * std::tan(32.0 * kDegree));
}

// --- plates -----------------------------------------------------------------------------------

std::shared_ptr<const TriangleMesh> square_plate(double side) {
  return std::make_shared<const TriangleMesh>(make_box({.size = Vec3(side, side, 0.02)}));
}
std::shared_ptr<const TriangleMesh> round_plate(double radius) {
  return std::make_shared<const TriangleMesh>(
      make_cylinder({.radius = radius, .length = 0.02, .segments = 128}));
}

TEST(ScmPlate, CarriesAreaTimesPressure) {
  SoilDef soil = pressed_only(soft_sand());
  soil.n = 1.2;
  for (const bool round : {false, true}) {
    PlateDef test;
    test.soil = bed_of(soil, 0.005);
    test.plate = round ? round_plate(0.06) : square_plate(0.1);
    test.depth = 0.03;
    const double area = round ? kPi * 0.06 * 0.06 : 0.01, b = round ? 0.06 : 0.05;
    const std::vector<PlateSample> curve = press_plate(test);
    for (const PlateSample& s : curve) {
      if (s.sinkage < 0.01) continue;
      const double expected = area * soil_pressure(soil, b, 9.81, s.sinkage);
      // The area is exact, the outline to 1 % of a cell in 20; k_c / b is a fifth of the modulus.
      EXPECT_NEAR(s.force, expected, 0.01 * expected) << s.sinkage;
    }
  }
}

TEST(ScmPlate, FeelsTheLayersOfTheGround) {
  // Loose sand of 2 cm on sand ten times as firm; and the other way round.
  SoilDef loose = pressed_only(soft_sand()), firm = loose;
  firm.k_phi *= 10.0;
  firm.n = 1.3;
  for (const bool crust : {false, true}) {
    PlateDef test;
    test.soil = bed_of(crust ? firm : loose, 0.005);
    test.soil.layers = {{0.02, crust ? loose : firm}};
    test.plate = square_plate(0.1);
    test.depth = 0.04;
    const std::vector<SoilLayer> layers = {{0.0, test.soil.soil}, test.soil.layers[0]};
    double last = 0.0;
    for (const PlateSample& s : press_plate(test)) {
      EXPECT_GE(s.force, last);
      last = s.force;
      if (s.sinkage < 0.01) continue;
      const double expected = 0.01 * layered_pressure(layers, 0.05, 9.81, s.sinkage);
      // As on one soil; where the firm one begins, the sinkage of 0.1 mm between two updates.
      EXPECT_NEAR(s.force, expected, 0.02 * expected) << crust << " " << s.sinkage;
    }
  }
}

TEST(ScmRing, ShearIsThatOfTheLayerItIsIn) {
  SoilDef top = pressed_only(soft_sand()), below = top;
  top.shear_modulus = below.shear_modulus = 0.005;
  below.friction_angle = 0.2;
  below.cohesion = 2000.0;
  ShearDef test;
  test.soil = bed_of(top);
  test.soil.layers = {{0.02, below}};
  test.distance = 0.05;                       // 10 K
  for (const double pressure : {1e3, 2e4}) {  // 5 mm deep, and 5 cm
    test.pressure = pressure;
    const ShearSample last = shear_ring(test).back();
    const SoilDef& soil = pressure < 1e4 ? top : below;
    const double full = soil.cohesion + last.pressure * std::tan(soil.friction_angle);
    EXPECT_NEAR(last.stress, full, 0.02 * full) << last.sinkage;  // cells at the edges
  }
}

TEST(ScmPlate, OneSoilIsWithinTenPercentOfMeasuredPlates) {
  // Medians of three runs each with plates of 60 and 100 mm on dry loose sand (Pavlov and Johnson,
  // Carnegie Mellon University; robomechanics/3d-terramechanics).
  struct Measured {
    double diameter, sinkage, force;
  };
  const Measured measured[] = {{0.06, 0.0089, 20.1}, {0.06, 0.0166, 42.1},  {0.06, 0.0243, 73.1},
                               {0.10, 0.0074, 70.6}, {0.10, 0.0118, 134.7}, {0.10, 0.0162, 211.5}};
  SoilDef soil = library_soil("cmu-sand", {}, "soil").soil;
  soil.n = 1.24;
  soil.k_c = -1.239e5;  // the modulus rises with the size of the plate
  soil.k_phi = 6.595e6;
  for (const Measured& m : measured) {
    PlateDef test;
    test.soil = bed_of(soil, 0.003);
    test.plate = round_plate(0.5 * m.diameter);
    test.depth = m.sinkage;
    EXPECT_NEAR(press_plate(test).back().force, m.force, 0.1 * m.force)
        << m.diameter << " " << m.sinkage;
  }
}

TEST(ScmPlate, ReloadingFollowsTheElasticLine) {
  const SoilDef soil = pressed_only(soft_sand());
  PlateDef test;
  test.soil = bed_of(soil);
  test.plate = square_plate(0.1);
  test.depth = 0.03;
  test.reloads = {0.02};
  test.settings = undamped();
  const std::vector<PlateSample> curve = press_plate(test);
  const double stiffness = elastic_stiffness_of(soil, 9.81);
  double top = 0.0, at = 0.0;
  std::size_t i = 0;
  for (; curve[i + 1].sinkage > curve[i].sinkage; ++i) {
  }
  top = curve[i].force;
  at = curve[i].sinkage;
  // Down the elastic line, to nothing, and up again to where it was left.
  std::size_t on_line = 0;
  for (++i; i < curve.size() && curve[i].sinkage < at; ++i) {
    const double expected = std::max(0.0, top - 0.01 * stiffness * (at - curve[i].sinkage));
    // The ground yields at updates: the last bit of loading is still to come off.
    EXPECT_NEAR(curve[i].force, expected, 0.015 * top) << curve[i].sinkage;
    on_line += expected > 0.0;
  }
  EXPECT_GT(on_line, 4u);
  EXPECT_GT(curve.back().force, 1.3 * top);
}

TEST(ScmRing, ShearFollowsJanosi) {
  SoilDef soil = pressed_only(library_soil("lete-sand", {}, "soil").soil);
  ShearDef test;
  test.soil = bed_of(soil);
  test.pressure = 2e4;
  test.distance = 0.05;
  const double K = soil.shear_modulus;
  for (const ShearSample& s : shear_ring(test)) {
    if (s.displacement < 2e-3) continue;
    // Soil at the radius r has been slid over by d r / middle; weighted with its arm.
    double share = 0.0;
    constexpr int kPieces = 100;
    const double step = (test.outer_radius - test.inner_radius) / kPieces;
    for (int k = 0; k < kPieces; ++k) {
      const double r = test.inner_radius + (k + 0.5) * step;
      const double slid = s.displacement * r / test.middle();
      share += 2.0 * kPi * r * r * step * (1.0 - std::exp(-slid / K)) / test.first_moment();
    }
    const double full = soil.cohesion + s.pressure * std::tan(soil.friction_angle);
    EXPECT_NEAR(s.stress, full * share, 0.02 * full) << s.displacement;  // cells at the edges
  }
}

// --- soil -------------------------------------------------------------------------------------

/// Wheels that drive over a bed one behind the other, at prescribed heights.
class Drive {
 public:
  Drive(const SoilGroundDef& ground, const std::vector<std::shared_ptr<const TriangleMesh>>& wheels,
        int threads = 1) {
    ContactWorldDef def;
    def.add(ground);
    def.threads = threads;
    ScmDef contact;
    contact.soil = ground.name;
    for (std::size_t i = 0; i < wheels.size(); ++i) {
      ShapeDef shape;
      shape.name = shape.body = "wheel_" + std::to_string(i);
      shape.geometry = MeshShape{wheels[i]};
      def.shapes.push_back(shape);
      contact.objects.push_back(shape.name);
    }
    def.add(contact);
    world = std::make_unique<ContactWorld>(def);
  }

  void put(std::size_t wheel, const Vec3& p, const Vec3& v, double angle, double w) {
    BodyKinematics body;
    body.X_WB.p = p;
    body.X_WB.R = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    body.V_WB = {Vec3(0.0, w, 0.0), v};
    world->set_body(world->body("wheel_" + std::to_string(wheel)), body);
  }
  const Wrench& force(std::size_t wheel) {
    return world->wrench(world->body("wheel_" + std::to_string(wheel)));
  }
  ScmBalance balance() const { return scm_balance(world->memory(0)); }
  const SoilSurface& surface() const {
    return dynamic_cast<const ScmMemory&>(world->memory(0)).surface;
  }

  std::unique_ptr<ContactWorld> world;
};

/// Drives grouser wheels that sink slowly; returns a hash of all forces and of the soil.
std::uint64_t drive_six(int threads, ScmBalance* balance = nullptr) {
  const auto wheel = grouser_wheel(0.125, 0.1, 18, 0.008, 0.01);
  SoilGroundDef ground = bed_of(soft_sand());
  ground.update_period = 0.01;
  Drive drive(ground, std::vector(6, wheel), threads);
  Hash hash;
  const double v = 0.1, w = 1.2;
  for (int k = 0; k <= 400; ++k) {
    const double t = 0.0025 * k;
    for (std::size_t i = 0; i < 6; ++i) {
      // Two lanes of three; the second lane slants and meets the first.
      const double x = 0.26 * static_cast<double>(i % 3) + v * t;
      const double y = i < 3 ? 0.0 : 0.25 - 0.1 * t;
      drive.put(i, Vec3(x, y, 0.13 - 0.03 * t - 0.01), Vec3(v, i < 3 ? 0.0 : -0.1, -0.03), w * t,
                w);
    }
    drive.world->evaluate(t);
    for (std::size_t i = 0; i < 6; ++i)
      for (int c = 0; c < 3; ++c) hash.add(drive.force(i).force[c]);
    if (k % 4 == 0 && k > 0) drive.world->update(std::max(t, drive.world->next_update()));
  }
  std::vector<std::byte> saved = drive.world->save();
  hash.add(std::string_view(reinterpret_cast<const char*>(saved.data()), saved.size()));
  if (balance) *balance = drive.balance();
  return hash.digest();
}

TEST(ScmSoil, VolumeIsKeptOverADrive) {
  ScmBalance balance;
  drive_six(1, &balance);
  EXPECT_GT(balance.displaced, 1e-3);
  EXPECT_GT(balance.compacted, 1e-3);
  EXPECT_EQ(balance.lost, 0.0);
  EXPECT_LE(std::abs(balance.surface + balance.compacted), 1e-12 * balance.displaced);
}

TEST(ScmSoil, AnyNumberOfThreadsGivesTheSameBits) {
  const std::uint64_t one = drive_six(1);
  EXPECT_EQ(drive_six(2), one);
  EXPECT_EQ(drive_six(5), one);
}

TEST(ScmSoil, AnUpdateIsTheSameRightAfterAnEvaluation) {
  // It may use what the evaluation found, but only if nothing has moved since; a commit does not
  // matter.
  std::vector<std::byte> saved[4];
  for (int way = 0; way < 4; ++way) {
    Drive drive(bed_of(soft_sand()), {grouser_wheel(0.1, 0.1, 12, 0.01, 0.01)});
    for (int k = 0; k < 60; ++k) {
      const double t = 5e-3 * (k + 1);
      if (way == 2) {
        drive.put(0, Vec3(0.5, 0.1, 0.09), Vec3::Zero(), 0.3, 0.0);
        drive.world->evaluate(t);
      }
      drive.put(0, Vec3(0.06 * t, 0.0, 0.1 - 0.1 * t), Vec3(0.06, 0.0, -0.1), t, 1.0);
      if (way == 1 || way == 3) drive.world->evaluate(t);
      if (way == 3) drive.world->commit(t);
      drive.world->update(t);
    }
    drive.world->memory(0).save(saved[way]);
  }
  for (int way = 1; way < 4; ++way) EXPECT_EQ(saved[0], saved[way]) << way;
}

TEST(ScmSoil, MemoryFollowsTheDrivenAreaAlone) {
  SoilGroundDef ground = bed_of(soft_sand());
  ground.size = Vec2(10000.0, 10000.0);
  Drive drive(ground, {drum(0.1, 0.1)});
  for (int k = 0; k <= 100; ++k) {
    drive.put(0, Vec3(4000.0 + 0.01 * k, 4000.0, 0.08), Vec3(0.1, 0.0, 0.0), 0.1 * k, 1.0);
    drive.world->evaluate(0.1 * k);
    drive.world->update(std::max(0.1 * k, drive.world->next_update()));
  }
  EXPECT_LE(drive.balance().tiles, 30u);  // 1 m of a rut, 0.4 m with its banks: 24 kB each
}

/// Mean vertical force on a wheel and on one that follows it on the same declining path, between
/// 0.7 m and 1.0 m. The wheels are 20 spacings wide: soil that slides into a rut from its banks is
/// a matter of single rows of nodes.
std::array<double, 2> drive_in_line(double compaction) {
  SoilGroundDef ground = bed_of(library_soil("mer-slope-soil", {}, "soil").soil, 5e-3);
  ground.soil.compaction = compaction;
  ground.update_period = 0.01;
  const auto wheel = grouser_wheel(0.125, 0.1, 18, 0.01, 0.015);
  Drive drive(ground, {wheel, wheel});
  const double v = 0.1, w = 0.8, decline = 0.03;
  std::array<double, 2> sum{}, count{};
  for (int k = 0; k < 1800; ++k) {
    const double t = 0.01 * k;
    for (std::size_t i = 0; i < 2; ++i) {
      const double x = v * t - 0.7 * static_cast<double>(i);
      drive.put(i, Vec3(x, 0.0, 0.135 - decline * (x - 0.1)), Vec3(v, 0.0, -decline * v), w * t, w);
    }
    drive.world->evaluate(t);
    for (std::size_t i = 0; i < 2; ++i) {
      const double x = v * t - 0.7 * static_cast<double>(i);
      if (x < 0.7 || x > 1.0) continue;
      sum[i] += drive.force(i).force.z();
      ++count[i];
    }
    if (t >= drive.world->next_update()) drive.world->update(t);
  }
  EXPECT_EQ(drive.balance().lost, 0.0);  // from the first touch on, all soil finds a place
  return {sum[0] / count[0], sum[1] / count[1]};
}

TEST(ScmSoil, WheelsThatFollowHaveItEasierInCompressibleSoilAlone) {
  const auto [leading, following] = drive_in_line(0.5);
  EXPECT_LT(following, leading);
  const auto [first, second] = drive_in_line(0.0);  // displaced soil flows back
  EXPECT_NEAR(second, first, 0.15 * first);
}

/// What a free wheel is held back by in the soil, torque included, on its first and second pass
/// under the same load.
std::array<double, 2> resistance_of_passes(double compaction) {
  SoilGroundDef ground = bed_of(library_soil("dry-sand", {}, "soil").soil);
  ground.soil.compaction = compaction;
  constexpr double kDrum = 0.25, kSpeed = 0.1, kPress = 300.0, kStep = 2.5e-3;
  Drive drive(ground, {drum(kDrum, 0.2)});
  double t = 0.0, turned = 0.0;
  const auto put = [&](double x, double z, double v, double sinking) {
    drive.put(0, Vec3(x, 0.0, z), Vec3(v, 0.0, sinking), turned, v / kDrum);
    drive.world->evaluate(t);
    const Wrench force = drive.force(0);
    if (t >= drive.world->next_update()) drive.world->update(t);
    t += kStep;
    turned += kStep * v / kDrum;
    return force;
  };
  std::array<double, 2> out{};
  for (double& mean : out) {
    double z = kDrum, sinking = 0.0, count = 0.0;
    for (int k = 0; k < 3600; ++k) {
      const double driven = std::max(0.0, kStep * k - 1.0), x = kSpeed * driven;
      const Wrench force = put(x, z, driven > 0.0 ? kSpeed : 0.0, sinking);
      // A weight that follows its load, strongly damped.
      sinking += kStep * (force.force.z() - kPress) * 9.81 / kPress;
      sinking /= 1.0 + 60.0 * kStep;
      z += kStep * sinking;
      if (x < 0.4) continue;
      mean -= force.torque.y() / kDrum + force.force.x();
      ++count;
    }
    mean /= count;
    put(0.8, z + 0.3, 0.0, 0.0);  // lifted, and back to the start
  }
  return out;
}

TEST(ScmSoil, ASecondPassIsEasierWhereSoilIsCompacted) {
  const auto [first, second] = resistance_of_passes(0.5);
  EXPECT_NEAR(second, 0.8 * first, 0.04 * first);
  // Krenn (2008): in soil that flows back the wheel meets what it met before.
  const auto [loose, again] = resistance_of_passes(0.0);
  EXPECT_NEAR(again, loose, 0.04 * loose);
}

TEST(ScmSoil, AHeapHoldsBackTheWheelThatPushesIt) {
  SoilGroundDef ground = bed_of(soft_sand());
  ground.soil.compaction = 0.0;  // all of it piles up
  Drive drive(ground, {drum(0.1, 0.1)});
  const auto push = [&](double x, double z, double t) -> Vec3 {  // a locked wheel
    drive.put(0, Vec3(x, 0.0, z), Vec3(0.1, 0.0, 0.0), 0.0, 0.0);
    drive.world->evaluate(t);
    return drive.force(0).force;
  };
  double t = 0.0;
  Vec3 early = Vec3::Zero(), late = early;
  for (int k = 0; k <= 600; ++k, t += 5e-3) {
    const double x = 1e-3 * k;
    const Vec3 force = push(x, 0.06, t);
    // Banks slide in bursts.
    if (k >= 60 && k < 90) early += force / 30.0;
    if (k > 500) late += force / 100.0;
    drive.world->update(std::max(t, drive.world->next_update()));
  }
  const ElevationGrid map =
      drive.world->contact(0).ground_maps(drive.world->memory(0)).value().heights;
  const auto node = [&](double at, double origin) {
    return static_cast<std::size_t>(std::lround((at - origin) / map.spacing));
  };
  EXPECT_GT(map.height(node(0.71, map.origin.x()), node(0.0, map.origin.y())), 0.01);
  EXPECT_LT(late.x(), 1.2 * early.x());
  // It lies before the wheel, and presses up only where the front rises: a quarter of its length.
  EXPECT_NEAR(late.z(), early.z(), 0.25 * early.z());
}

TEST(ScmSoil, StoresWhatItsElasticLineHolds) {
  const SoilDef soil = pressed_only(soft_sand());
  Drive drive(bed_of(soil), {square_plate(0.1)});
  double t = 0.0;
  const auto put = [&](double z) {
    drive.put(0, Vec3(0.0, 0.0, z + 0.01), Vec3::Zero(), 0.0, 0.0);  // its underside is at z
    drive.world->evaluate(t);
    return drive.force(0).force.z();
  };
  for (int k = 0; k <= 40; ++k, t += 0.005) {
    put(-0.0005 * k);
    drive.world->update(std::max(t, drive.world->next_update()));
  }
  const double force = put(-0.02), stiffness = 0.01 * elastic_stiffness_of(soil, 9.81);
  const double stored = drive.world->stored_energy(t);
  EXPECT_NEAR(stored, 0.5 * force * force / stiffness, 0.02 * stored);
  // It is what comes back.
  double work = 0.0;
  constexpr int kSteps = 100;
  const double lift = 1.1 * force / stiffness / kSteps;
  for (int k = 0; k < kSteps; ++k) work += lift * put(-0.02 + (k + 0.5) * lift);
  EXPECT_NEAR(work, stored, 0.02 * stored);
  EXPECT_EQ(drive.world->stored_energy(t), 0.0);
}

TEST(ScmSoil, StartsAgainFromItsMaps) {
  SoilGroundDef ground = bed_of(soft_sand());
  Drive first(ground, {square_plate(0.1)});
  double t = 0.0;
  for (int k = 0; k < 40; ++k, t += 0.005) {
    first.put(0, Vec3(0.002 * k, 0.0, -0.0005 * k), Vec3(0.4, 0.0, -0.1), 0.0, 0.0);
    first.world->evaluate(t);
    first.world->update(std::max(t, first.world->next_update()));
  }
  const std::optional<GroundMaps> maps =
      first.world->contact(0).ground_maps(first.world->memory(0));
  ASSERT_TRUE(maps.has_value());
  ground.heights = std::make_shared<const ElevationGrid>(maps->heights);
  ground.reference = std::make_shared<const ElevationGrid>(maps->reference);
  Drive again(ground, {square_plate(0.1)});
  const auto nx = static_cast<std::int64_t>(maps->heights.nx);
  for (std::size_t i = 0; i < maps->heights.heights.size(); ++i)
    EXPECT_EQ(again.surface().height(static_cast<std::int64_t>(i) % nx,
                                     static_cast<std::int64_t>(i) / nx),
              maps->heights.heights[i]);
}

TEST(ScmSoil, ASecondObjectDoesNotStartWithTheFirstOnesShear) {
  // The same plate, once dragged to full shear, once set down afresh beside it.
  SoilGroundDef ground = bed_of(pressed_only(soft_sand()));
  Drive drive(ground, {square_plate(0.1), square_plate(0.1)});
  double t = 0.0;
  for (int k = 0; k < 200; ++k, t += 0.005) {
    drive.put(0, Vec3(0.05 * t, 0.0, -0.01), Vec3(0.05, 0.0, 0.0), 0.0, 0.0);
    drive.put(1, Vec3(0.0, 0.0, 1.0), Vec3::Zero(), 0.0, 0.0);
    drive.world->evaluate(t);
    drive.world->update(std::max(t, drive.world->next_update()));
  }
  drive.world->evaluate(t);
  const double dragged = -drive.force(0).force.x() / drive.force(0).force.z();
  EXPECT_GT(dragged, 0.5);
  drive.put(0, Vec3(0.0, 0.0, 1.0), Vec3::Zero(), 0.0, 0.0);
  drive.put(1, Vec3(0.05 * t, 0.0, -0.012), Vec3(0.001, 0.0, 0.0), 0.0, 0.0);
  drive.world->evaluate(t);
  EXPECT_GT(drive.force(1).force.z(), 5.0);
  EXPECT_LT(-drive.force(1).force.x() / drive.force(1).force.z(), 0.01);
}

TEST(ScmSoil, TwoObjectsOnOneNodeDoNotCountTwice) {
  SoilGroundDef ground = bed_of(pressed_only(soft_sand()));
  Drive both(ground, {square_plate(0.1), square_plate(0.1)});
  Drive one(ground, {square_plate(0.1)});
  for (int k = 0; k <= 20; ++k) {
    const double t = 0.005 * k;
    for (Drive* drive : {&both, &one}) {
      drive->put(0, Vec3(0.0, 0.0, 0.01 - 0.001 * k), Vec3(0.0, 0.0, -0.2), 0.0, 0.0);
      if (drive == &both)
        drive->put(1, Vec3(0.0, 0.0, 0.0102 - 0.001 * k), Vec3(0.0, 0.0, -0.2), 0.0, 0.0);
      drive->world->evaluate(t);
      drive->world->update(std::max(t, drive->world->next_update()));
    }
  }
  for (Drive* drive : {&both, &one}) drive->world->evaluate(0.11);
  const double sum = both.force(0).force.z() + both.force(1).force.z();
  EXPECT_NEAR(sum, one.force(0).force.z(), 0.01 * sum);
}

TEST(ScmSoil, OfTwoRegionsWithTheSameSoilIsOneSoil) {
  TestbedDef test = drum_test(0.6, soft_sand());
  test.distance = 0.15;
  const TestbedSample whole = run_testbed(test).mean;
  SoilRegionDef region;
  region.soil = test.soil.soil;
  // Stripes, so that wheels stand on all of them, in any number of nodes.
  for (int k = -4; k < 10; ++k) {
    const double x = 0.033 * k;
    region.polygon = {{x, -1.0}, {x + 0.017, -1.0}, {x + 0.017, 1.0}, {x, 1.0}};
    test.soil.regions.push_back(region);
  }
  const TestbedSample striped = run_testbed(test).mean;
  // Sums are taken in another order.
  EXPECT_NEAR(striped.drawbar, whole.drawbar, 1e-7 * test.load);
  EXPECT_NEAR(striped.sinkage, whole.sinkage, 1e-9);
}

TEST(ScmSoil, ReeceInvariantUnderScaledGravity) {
  // Granular scaling (Slonaker 2017): lengths and K by s, cohesionless, forces by rho g L^3.
  SoilDef soil = library_soil("mars-sand-reece", {}, "soil").soil;
  soil.cohesion = 0.0;
  const auto pull = [&](double scale, double gravity) {
    SoilDef scaled = soil;
    scaled.shear_modulus = scaled.failure_shear = 0.02 * scale;
    TestbedDef test;
    test.soil = bed_of(scaled, 0.01 * scale);
    test.wheel = drum(0.125 * scale, 0.1 * scale);
    test.rolling_radius = 0.125 * scale;
    test.gravity = gravity;
    test.load = 60.0 * gravity / 9.81 * scale * scale * scale;
    test.speed = 0.05 * scale;
    test.distance = 0.5 * scale;
    return run_testbed(test).mean.drawbar / test.load;
  };
  const double earth = pull(1.0, 9.81);
  EXPECT_NEAR(pull(1.0, 1.62), earth, 0.03 * std::abs(earth) + 0.003);
  EXPECT_NEAR(pull(2.0, 9.81), earth, 0.03 * std::abs(earth) + 0.003);
}

// --- refusals ---------------------------------------------------------------------------------

std::string refusal(const std::function<void(SoilGroundDef&, ScmDef&)>& spoil) {
  SoilGroundDef ground = bed_of(soft_sand());
  ScmDef contact;
  contact.soil = "bed";
  contact.objects = {"wheel"};
  spoil(ground, contact);
  ContactWorldDef def;
  def.add(ground);
  ShapeDef shape;
  shape.name = shape.body = "wheel";
  shape.geometry = MeshShape{drum(0.1, 0.1)};
  def.shapes = {shape};
  def.add(contact);
  try {
    ContactWorld world(def);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ScmRefusals, NameWhatIsWrong) {
  const auto soil = [](auto change) {
    return [change](SoilGroundDef& g, ScmDef&) { change(g.soil); };
  };
  EXPECT_NE(refusal(soil([](SoilDef& s) { s.k_phi = -1.0; })).find("k_phi"), std::string::npos);
  EXPECT_NE(refusal(soil([](SoilDef& s) { s.n = 3.5; })).find("properties.n"), std::string::npos);
  EXPECT_NE(refusal(soil([](SoilDef& s) { s.n = 0.0; })).find("properties.n"), std::string::npos);
  EXPECT_NE(refusal(soil([](SoilDef& s) { s.cohesion = -5.0; })).find("cohesion"),
            std::string::npos);
  EXPECT_NE(refusal([](SoilGroundDef& g, ScmDef&) { g.spacing = 0.5; }).find("soil.spacing"),
            std::string::npos);
  EXPECT_NE(refusal([](SoilGroundDef&, ScmDef& c) { c.objects = {"weel"}; }).find("wheel"),
            std::string::npos);
  const std::string pattern = refusal([](SoilGroundDef&, ScmDef& c) { c.objects = {"leg_*"}; });
  EXPECT_NE(pattern.find("no shape is called 'leg_*'"), std::string::npos);
  EXPECT_NE(pattern.find("; there are "), std::string::npos);
  EXPECT_NE(pattern.find("wheel"), std::string::npos);
  EXPECT_NE(refusal([](SoilGroundDef&, ScmDef& c) { c.objects = {}; }).find("objects"),
            std::string::npos);
  EXPECT_NE(refusal([](SoilGroundDef&, ScmDef& c) { c.soil = "sand"; }).find("no soil 'sand'"),
            std::string::npos);
  EXPECT_NE(refusal([](SoilGroundDef& g, ScmDef&) {
              g.layers = {{0.1, soft_sand()}, {0.05, soft_sand()}};
            }).find("soil.layers.1.depth"),
            std::string::npos);
  EXPECT_NE(refusal([](SoilGroundDef& g, ScmDef&) {
              g.layers = {{0.1, soft_sand()}};
              g.layers[0].soil.k_phi = -1.0;
            }).find("soil.layers.0.properties.k_phi"),
            std::string::npos);
  EXPECT_EQ(refusal([](SoilGroundDef&, ScmDef&) {}), "accepted");
}

TEST(ScmRefusals, OffTheMapNothingCarriesAndItIsCounted) {
  SoilGroundDef ground = bed_of(soft_sand());
  ground.size = Vec2(0.3, 0.3);
  Drive drive(ground, {drum(0.1, 0.1)});
  double last = 1.0;
  for (int k = 0; k <= 40; ++k) {
    drive.put(0, Vec3(0.01 * k, 0.0, 0.09), Vec3(0.1, 0.0, 0.0), 0.0, 1.0);
    EXPECT_EQ(drive.world->evaluate(0.1 * k), Status::ok);
    last = drive.force(0).force.z();
    drive.world->update(std::max(0.1 * k, drive.world->next_update()));
  }
  EXPECT_EQ(last, 0.0);
  const std::vector<std::string> warnings = drive.world->warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("beyond the soil"), std::string::npos);
}

TEST(ScmRefusals, AnObjectFarBelowTheGroundIsImpossible) {
  Drive drive(bed_of(soft_sand()), {drum(0.1, 0.1)});
  drive.put(0, Vec3(0.0, 0.0, -1.0), Vec3::Zero(), 0.0, 0.0);
  EXPECT_EQ(drive.world->evaluate(0.0), Status::impossible);
  EXPECT_NE(drive.world->refuse_start(0.0).find("below the soil"), std::string::npos);
}

}  // namespace
}  // namespace grouser
