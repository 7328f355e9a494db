// Wheels that slip, with and without grousers: the same in every direction and on every grid, and
// within what soil can hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "grouser/assets/wheel.h"
#include "grouser/contact/world.h"
#include "grouser/laws/soil_library.h"
#include "grouser/soil/scm.h"
#include "grouser/soil/soil_ground.h"
#include "tests/support/irregular_mesh.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

constexpr double kHeadingDegree = kPi / 180.0;

struct Wheel {
  std::string name;
  WheelDef def;
  std::string soil;
  double load = 0.0, gravity = 9.81;

  double radius() const { return def.radius + def.grouser_height; }
};

WheelDef preset(const std::string& name) {
  for (const WheelPreset& one : wheel_presets())
    if (one.name == name) return one.wheel;
  throw std::runtime_error("no wheel " + name);
}

WheelDef plain_drum(double radius, double width, int grousers = 0, double height = 0.0,
                    double thickness = 0.0) {
  WheelDef out;
  out.radius = radius;
  out.width = width;
  out.grouser_count = grousers;
  out.grouser_height = height;
  out.grouser_thickness = thickness;
  return out;
}

/// Means over the second half of a drive.
struct Result {
  double pull = 0.0, side = 0.0, sinkage = 0.0, torque = 0.0, area = 0.0;
};

struct GrouserDrive {
  double slip = 0.3, heading = 0.0, slip_angle = 0.0, spacing = 0.01, distance = 0.3;
  double speed = 0.05, period = 5e-3;
};

SoilGroundDef library_bed(const std::string& soil, double spacing) {
  SoilGroundDef bed;
  bed.name = "bed";
  bed.body = "world";
  bed.soil = library_soil(soil, {}, "soil").soil;
  bed.spacing = spacing;
  bed.size = Vec2(1000.0, 1000.0);
  return bed;
}

/// One mesh, the body "wheel", on a bed.
ContactWorld world_of(const TriangleMesh& mesh, const SoilGroundDef& bed, double gravity = 9.81,
                      ScmDef contact = {}) {
  ContactWorldDef def;
  def.add(bed);
  def.gravity = gravity;
  ShapeDef shape;
  shape.name = shape.body = "wheel";
  shape.geometry = MeshShape{std::make_shared<const TriangleMesh>(mesh)};
  def.shapes = {shape};
  contact.soil = "bed";
  contact.objects = {"wheel"};
  def.add(contact);
  return ContactWorld(def);
}

Result drive(const Wheel& wheel, const GrouserDrive& how) {
  SoilGroundDef bed = library_bed(wheel.soil, how.spacing);
  bed.update_period = how.period;
  ContactWorld world = world_of(make_wheel(wheel.def), bed, wheel.gravity);
  const int body = world.body("wheel");

  const double rim = how.slip >= 0.0 ? how.speed : how.speed * (1.0 + how.slip);
  const double travel = how.slip >= 0.0 ? how.speed * (1.0 - how.slip) : how.speed;
  const double spin = rim / wheel.radius(), h = how.period / 4.0;
  const auto along = [](double angle) { return Vec3(std::cos(angle), std::sin(angle), 0.0); };
  const Vec3 ahead = along(how.heading), left = along(how.heading + 0.5 * kPi);
  const Vec3 v = travel * along(how.heading + how.slip_angle);
  const auto loading = static_cast<int>(std::lround(0.5 / h));
  const auto steps = static_cast<int>(std::ceil(how.distance / how.speed / h));
  double z = wheel.radius(), sinking = 0.0, count = 0.0;
  Result sum;
  ContactReport report;
  for (int k = 0; k < loading + steps; ++k) {
    const bool drives = k >= loading;
    const double driven = h * std::max(0, k - loading);
    BodyKinematics state;
    state.X_WB.p = v * driven + Vec3(0.0, 0.0, z);
    state.X_WB.R = (Eigen::AngleAxisd(how.heading, Vec3::UnitZ()) *
                    Eigen::AngleAxisd(spin * driven, Vec3::UnitY()))
                       .toRotationMatrix();
    if (drives) {
      state.V_WB.v = v;
      state.V_WB.w = spin * left;
    }
    state.V_WB.v.z() = sinking;
    world.set_body(body, state);
    EXPECT_EQ(world.evaluate(h * k), Status::ok);
    const Wrench& F = world.wrench(body);
    if (k >= loading + steps / 2) {
      sum.pull += F.force.dot(ahead);
      sum.side += F.force.dot(left);
      sum.sinkage += wheel.radius() - z;
      sum.torque -= F.torque.dot(left);
      count += 1.0;
    }
    world.commit(h * k);
    if (h * k >= world.next_update() * (1.0 - 1e-12))
      world.update(std::max(h * k, world.next_update()));
    // A weight that follows its load, strongly damped.
    sinking = (sinking + h * (F.force.z() - wheel.load) * 9.81 / wheel.load) / (1.0 + 60.0 * h);
    z += h * sinking;
  }
  world.report(h * (loading + steps - 1), 0, report);
  sum.area = report.channels[1];
  for (double Result::*member : {&Result::pull, &Result::side, &Result::sinkage, &Result::torque})
    sum.*member /= count;
  return sum;
}

std::vector<Wheel> lugged_wheels() {
  return {{"viper", preset("viper"), "lunar-nominal", 174.0, 1.62},
          {"mmx", preset("mmx"), "lunar-nominal", 15.0, 1.62},
          {"exomars", preset("exomars"), "ding-simulant", 150.0},
          {"ding", plain_drum(0.15735, 0.165, 30, 0.01, 0.005), "ding-simulant", 80.0},
          {"blades", plain_drum(0.0625, 0.06, 12, 0.004, 0.002), "cmu-sand", 25.0}};
}

/// Thrust that soil can hold, with what the sides of a block add.
double most_thrust(const Wheel& wheel, double area) {
  const SoilDef soil = library_soil(wheel.soil, {}, "soil").soil;
  return 1.2 * (wheel.load * std::tan(soil.friction_angle) + soil.cohesion * area);
}

class LuggedWheel : public testing::TestWithParam<Wheel> {};

TEST_P(LuggedWheel, PullsAlikeOnAnyGridInAnyDirection) {
  const Wheel& wheel = GetParam();
  for (const double slip : {0.1, 0.3, 0.6}) {
    double least = 1e9, most = -1e9;
    const auto go = [&](double heading, double spacing) {
      const Result found = drive(wheel, {.slip = slip, .heading = heading, .spacing = spacing});
      least = std::min(least, found.pull);
      most = std::max(most, found.pull);
      EXPECT_LT(std::abs(found.side), 5e-3 * wheel.load) << slip << " " << heading;
      EXPECT_LT(found.torque / wheel.radius(), most_thrust(wheel, found.area)) << slip;
    };
    const double fine = wheel.def.radius / 40.0;
    go(0.0, 2.0 * fine);
    for (const double heading : {0.0, 10.0, 25.0, 45.0}) go(heading * kHeadingDegree, fine);
    EXPECT_LT(most - least, 0.05 * wheel.load) << slip;
  }
}

INSTANTIATE_TEST_SUITE_P(Wheels, LuggedWheel, testing::ValuesIn(lugged_wheels()),
                         [](const auto& wheel) { return wheel.param.name; });

TEST(LuggedWheelOnAFineGrid, PullsAsOnACoarseOne) {
  // Half the thickness of its grousers, and five times their thickness.
  const Wheel wheel = lugged_wheels()[3];
  const double fine = drive(wheel, {.slip = 0.6, .spacing = 2.5e-3, .distance = 0.15}).pull;
  const double coarse = drive(wheel, {.slip = 0.6, .spacing = 25e-3, .distance = 0.15}).pull;
  EXPECT_NEAR(fine, coarse, 0.05 * wheel.load);
}

// --- meshes of real wheels --------------------------------------------------------------------

/// What the soil answers to a wheel that is pressed in, leans, and rolls with some slip.
Wrench answer_to(ContactWorld& world, double radius, double depth, double lean, double heading) {
  const int body = world.body("wheel");
  constexpr double kStep = 2.5e-3;
  const Mat3 R =
      (Eigen::AngleAxisd(heading, Vec3::UnitZ()) * Eigen::AngleAxisd(lean, Vec3::UnitX()))
          .toRotationMatrix();
  const Vec3 ahead(std::cos(heading), std::sin(heading), 0.0);
  for (int k = 0; k <= 200; ++k) {
    const double t = kStep * k;
    BodyKinematics state;
    state.X_WB.R = R * Eigen::AngleAxisd(0.4 * t, Vec3::UnitY()).toRotationMatrix();
    state.X_WB.p = 0.06 * t * ahead + Vec3(0.0, 0.0, radius - depth * std::min(1.0, 3.0 * t));
    state.V_WB.v = 0.06 * ahead;
    state.V_WB.w = 0.4 * (R * Vec3::UnitY());
    world.set_body(body, state);
    EXPECT_EQ(world.evaluate(t), Status::ok);
    world.commit(t);
    if (t >= world.next_update() * (1.0 - 1e-12)) world.update(std::max(t, world.next_update()));
  }
  return world.wrench(body);
}

TEST(RealWheel, OfManyTrianglesIsAnsweredAsTheWheelItShows) {
  const SoilGroundDef bed = library_bed("lete-sand", 0.01);
  ScmDef by_triangles;
  by_triangles.envelope = ScmDef::Envelope::triangles;
  // Clean sheets, which are drawn triangle by triangle, are the truth.
  const OpenWheel plain{.grousers = 0};
  const TriangleMesh clean = make_open_wheel(plain);
  const TriangleMesh real = make_irregular(clean, {.triangles = 20000});
  for (const double lean : {0.0, 5.0, 15.0})
    for (const double depth : {0.01, 0.04}) {
      ContactWorld exact = world_of(clean, bed, 9.81, by_triangles), world = world_of(real, bed);
      const double heading = 20.0 * kHeadingDegree;
      const Wrench wanted = answer_to(exact, plain.radius, depth, lean * kHeadingDegree, heading);
      const Wrench found = answer_to(world, plain.radius, depth, lean * kHeadingDegree, heading);
      // 96 facets are off the circle by 0.07 mm to either side, of 10 mm and more.
      const double part = 0.02 * wanted.force.norm();
      EXPECT_LT((found.force - wanted.force).norm(), part) << lean << " " << depth;
      EXPECT_LT((found.torque - wanted.torque).norm(), part * plain.radius) << lean << " " << depth;
    }
}

TEST(RealWheel, WithGrousersIsAnsweredAsTheGeneratedOne) {
  const SoilGroundDef bed = library_bed("lete-sand", 0.01);
  const TriangleMesh generated = make_wheel(plain_drum(0.25, 0.2, 24, 0.015, 0.01));
  for (const std::size_t triangles : {2500, 40000}) {
    const TriangleMesh real = make_irregular(make_open_wheel({}), {.triangles = triangles});
    ContactWorld exact = world_of(generated, bed), world = world_of(real, bed);
    const Wrench wanted = answer_to(exact, 0.265, 0.04, 0.1, 0.3);
    const Wrench found = answer_to(world, 0.265, 0.04, 0.1, 0.3);
    const double part = 0.02 * wanted.force.norm();  // heights of tips to 0.1 mm
    EXPECT_LT((found.force - wanted.force).norm(), part) << triangles;
    EXPECT_LT((found.torque - wanted.torque).norm(), part * 0.265) << triangles;
  }
}

const Wheel& smooth() {
  static const Wheel wheel{"smooth", plain_drum(0.0625, 0.06), "cmu-sand", 25.0};
  return wheel;
}

std::vector<std::string> notes_of(const Wheel& wheel, double spacing) {
  return world_of(make_wheel(wheel.def), library_bed(wheel.soil, spacing)).contact(0).notes();
}

TEST(Notes, SayThatAGridIsCoarse) {
  EXPECT_TRUE(notes_of(smooth(), 5e-3).empty());
  const std::vector<std::string> coarse = notes_of(smooth(), 0.03);
  ASSERT_FALSE(coarse.empty());
  EXPECT_NE(coarse[0].find("soil.spacing 0.03 m is coarse"), std::string::npos) << coarse[0];
  // Grousers are taken in the mean: they need no finer grid.
  EXPECT_TRUE(notes_of(lugged_wheels()[3], 0.03).empty());
}

TEST(Notes, SayThatGrousersAreNotResolvedWhereEachCounts) {
  ScmDef contact;
  contact.envelope = ScmDef::Envelope::triangles;
  const auto notes = [&](double spacing) {
    const Wheel wheel = lugged_wheels()[3];  // 5 mm thick
    return world_of(make_wheel(wheel.def), library_bed(wheel.soil, spacing), 9.81, contact)
        .contact(0)
        .notes();
  };
  EXPECT_TRUE(notes(2e-3).empty());
  ASSERT_EQ(notes(0.01).size(), 1u);
  EXPECT_NE(notes(0.01)[0].find("0.01 m does not resolve grousers 0.0048 m"), std::string::npos)
      << notes(0.01)[0];
}

TEST(Refusal, OfWhatIsHarderThanSoil) {
  SoilGroundDef bed = library_bed("dry-sand", 0.01);
  bed.soil.k_phi = 1e12;
  const auto message = message_of<InputError>([&] { world_of(make_wheel(smooth().def), bed); });
  EXPECT_NE(message.find("look at k_phi"), std::string::npos) << message;
}

TEST(SlippingWheel, SinksAlikeInAnyDirection) {
  for (const double slip : {-1.0, 0.2, 0.9}) {
    const GrouserDrive way{.slip = slip, .spacing = 5e-3, .distance = 0.2};
    const Result straight = drive(smooth(), way);
    for (const double heading : {15.0, 45.0}) {
      GrouserDrive turned = way;
      turned.heading = heading * kHeadingDegree;
      const Result found = drive(smooth(), turned);
      // Locked, it is half buried, and banks beside it slide along the grid.
      const double part = slip < 0.0 ? 0.02 : 0.01;
      EXPECT_NEAR(found.sinkage, straight.sinkage, part * straight.sinkage) << slip << heading;
      EXPECT_NEAR(found.pull, straight.pull, part * smooth().load) << slip << " " << heading;
    }
  }
}

TEST(SlippingWheel, SinksDeeperTheMoreItSlipsButNotForever) {
  // Measured on such a wheel: 14 mm at slip 0, 22 mm at 0.5, 25 mm at 0.75 and at 0.9.
  std::vector<double> sinkage;
  for (const double slip : {0.0, 0.3, 0.6, 0.9, 0.98, 1.0})
    sinkage.push_back(drive(smooth(), {.slip = slip, .spacing = 5e-3, .speed = 0.02}).sinkage);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GT(sinkage[i], sinkage[i - 1]) << i;
  EXPECT_LT(sinkage[4], 1.25 * sinkage[3]);
  EXPECT_LT(sinkage[5], 1.5 * sinkage[3]);
  EXPECT_LT(sinkage[5], 0.0625);
}

TEST(SlippingWheel, DoesNotCareHowOftenTheSoilIsUpdated) {
  for (const double slip : {0.1, 0.6}) {
    const Result often = drive(smooth(), {.slip = slip, .spacing = 5e-3, .period = 1e-3});
    const Result seldom = drive(smooth(), {.slip = slip, .spacing = 5e-3, .period = 2e-2});
    EXPECT_NEAR(often.sinkage, seldom.sinkage, 0.02 * often.sinkage) << slip;
    EXPECT_NEAR(often.pull, seldom.pull, 0.02 * smooth().load) << slip;
  }
}

TEST(SideForce, GrowsWithTheSlipAngle) {
  double last = 0.0;
  for (const double angle : {10.0, 20.0, 40.0, 60.0}) {
    const double side =
        -drive(smooth(), {.slip = 0.0, .slip_angle = angle * kHeadingDegree, .spacing = 5e-3}).side;
    EXPECT_GT(side, last) << angle;
    last = side;
  }
  EXPECT_GT(last, 0.35 * smooth().load);
}

TEST(SideForce, OfADiscIsThatOfPassivePressureOnItsWall) {
  // A thin disc pushed along its axis: the wall, 40 mm deep, holds what shear under it does not.
  const auto push = [](double factor) {
    ScmDef contact;
    contact.side_wall = factor;
    ContactWorld world =
        world_of(make_wheel(plain_drum(0.1, 0.02)), library_bed("dry-sand", 5e-3), 9.81, contact);
    const int body = world.body("wheel");
    double force = 0.0;
    for (int k = 0; k <= 600; ++k) {
      const double t = 2.5e-3 * k, pressed = std::min(0.04, 0.08 * t);
      const double moved = std::max(0.0, t - 0.5) * 0.1;
      BodyKinematics state;
      state.X_WB.p = Vec3(0.0, moved, 0.1 - pressed);
      state.V_WB.v = Vec3(0.0, t > 0.5 ? 0.1 : 0.0, t < 0.5 ? -0.08 : 0.0);
      world.set_body(body, state);
      world.evaluate(t);
      force = -world.wrench(body).force.y();
      world.commit(t);
      if (t >= world.next_update() * (1.0 - 1e-12)) world.update(std::max(t, world.next_update()));
    }
    return force;
  };
  const double without = push(0.0), once = push(1.0), twice = push(2.0);
  EXPECT_GT(once - without, 10.0);  // [N]: 2 kPa on 50 cm^2 and more
  EXPECT_NEAR(twice - without, 2.0 * (once - without), 0.02 * (once - without));
}

}  // namespace
}  // namespace grouser
