// Contact of smooth surfaces: forces, continuity, energy, and what it says when it cannot answer.
#include "grouser/contact/smooth.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "grouser/base/random.h"
#include "grouser/contact/world.h"
#include "grouser/laws/hunt_crossley.h"
#include "grouser/shape/map_surface.h"
#include "grouser/shape/parametric_surface.h"
#include "grouser/shape/smooth_bodies.h"
#include "tests/support/random_vector.h"

namespace grouser {
namespace {

using test::random_vector;

using Kind = ElevationMap::Kind;

/// Heights over [-2, 2] x [-2, 2].
SmoothShape map_of(const std::function<double(double, double)>& height, double spacing,
                   Kind kind = Kind::quintic) {
  const auto nodes = static_cast<std::size_t>(std::lround(4.0 / spacing)) + 1;
  ElevationGrid grid{Vec2(-2.0, -2.0), spacing, nodes, nodes, {}};
  for (std::size_t iy = 0; iy < nodes; ++iy)
    for (std::size_t ix = 0; ix < nodes; ++ix)
      grid.heights.push_back(height(-2.0 + spacing * static_cast<double>(ix),
                                    -2.0 + spacing * static_cast<double>(iy)));
  return {"map", std::make_shared<MapSurface>(std::make_shared<ElevationMap>(
                     grid, kind, ElevationMap::Border::extrapolate, Place{}, ElevationGaps::keep))};
}

double flat(double, double) {
  return 0.0;
}
double hills(double x, double y) {
  return 0.1 * std::sin(3.0 * x) * std::cos(2.0 * y);
}

/// A body over the world, with one contact.
class SmoothPair {
 public:
  SmoothPair(SmoothShape ground, Geometry body, SmoothDef contact = {})
      : def_(make(std::move(ground), std::move(body), contact)), world_(def_) {}

  struct Answer {
    Wrench wrench;  // on the body, about its origin
    ContactReport report;
    double channel(std::size_t i) const { return report.channels[i]; }
  };
  Answer at(const Pose& X_WB, const Twist& V_WB = {}) {
    world_.set_body(world_.body("body"), {X_WB, V_WB});
    world_.set_body(world_.body("world"), {});
    EXPECT_EQ(world_.evaluate(0.0), Status::ok);
    Answer out;
    out.wrench = world_.wrench(world_.body("body"));
    world_.report(0.0, 0, out.report);
    return out;
  }
  Answer at(const Vec3& p_WB) { return at(Pose{Mat3::Identity(), p_WB}); }
  ContactWorld& world() { return world_; }
  std::size_t channel(const std::string& name) const {
    const std::vector<ReportChannel> channels = world_.contact(0).report_channels();
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (channels[i].name == name) return i;
    ADD_FAILURE() << "no channel " << name;
    return 0;
  }

 private:
  static ContactWorldDef make(SmoothShape ground, Geometry body, SmoothDef contact) {
    ContactWorldDef def;
    ShapeDef below, above;
    below.name = "ground";
    below.geometry = std::move(ground);
    above.name = "body";
    above.body = "body";
    above.geometry = std::move(body);
    def.shapes = {below, above};
    contact.first = "ground";
    contact.second = "body";
    if (contact.stiffness == 0.0) contact.stiffness = 1e6;
    def.add(contact);
    return def;
  }
  ContactWorldDef def_;
  ContactWorld world_;
};

SphereShape ball(double radius) {
  return {radius};
}

TEST(Smooth, PressesABallWithHertzForceOnLevelGround) {
  for (const Kind kind : {Kind::cubic, Kind::quintic, Kind::bspline}) {
    SmoothPair pair(map_of(flat, 0.1, kind), ball(0.2));
    const auto answer = pair.at(Vec3(0.123, -0.456, 0.199));
    const double expected = 1e6 * std::pow(1e-3, 1.5);
    EXPECT_NEAR(answer.wrench.force.z(), expected, 1e-10 * expected);  // 1e-16 m of 1e-3 m
    EXPECT_LT(answer.wrench.torque.norm(), 1e-13);
    EXPECT_NEAR(answer.channel(pair.channel("u_first")), 0.123, 1e-15);
    EXPECT_NEAR(answer.channel(pair.channel("v_first")), -0.456, 1e-15);
    EXPECT_NEAR(answer.channel(pair.channel("gap")), -1e-3, 1e-15);
    EXPECT_NEAR(answer.channel(pair.channel("convexity")), 1.0, 1e-9);
  }
}

TEST(Smooth, TakesHertzStiffnessFromMaterials) {
  ContactWorldDef def;
  def.materials = {{.name = "rubber", .young_modulus = 1e7, .poisson_ratio = 0.4, .place = {}}};
  ShapeDef below, above;
  below.name = "ground";
  below.geometry = map_of(flat, 0.5);
  above.name = above.body = "ball";
  above.material = "rubber";
  above.geometry = ball(0.25);
  def.shapes = {below, above};
  SmoothDef contact;
  contact.first = "ball";
  contact.second = "ground";
  def.add(contact);
  ContactWorld world(def);
  world.set_body(world.body("ball"), {{Mat3::Identity(), Vec3(0.0, 0.0, 0.249)}, {}});
  world.evaluate(0.0);
  const double k = hertz_stiffness(1e7 / (1.0 - 0.16), 0.25);
  EXPECT_NEAR(world.wrench(world.body("ball")).force.z(), k * std::pow(1e-3, 1.5), 1e-8);
}

TEST(Smooth, DampsByHuntAndCrossleyOrLinearly) {
  SmoothDef contact;
  contact.restitution = 0.5;
  contact.impact_speed = 2.0;
  SmoothPair hunt(map_of(flat, 0.1), ball(0.2), contact);
  const Pose X{Mat3::Identity(), Vec3(0.0, 0.0, 0.199)};
  const double spring = 1e6 * std::pow(1e-3, 1.5);
  const Twist down{Vec3::Zero(), Vec3(0.0, 0.0, -0.3)};
  EXPECT_NEAR(hunt.at(X, down).wrench.force.z(),
              spring * (1.0 + hunt_crossley_damping(0.5) * 0.3 / 2.0), 1e-9 * spring);
  contact.normal_law = NormalLaw::power_law;
  contact.exponent = 1.0;
  contact.damping = 50.0;
  SmoothPair linear(map_of(flat, 0.1), ball(0.2), contact);
  EXPECT_NEAR(linear.at(X, down).wrench.force.z(), 1e6 * 1e-3 + 50.0 * 0.3, 1e-8);
  const Twist up{Vec3::Zero(), Vec3(0.0, 0.0, 100.0)};
  EXPECT_EQ(linear.at(X, up).wrench.force.z(), 0.0);  // it does not pull
}

TEST(Smooth, IsContinuousWhereAContactGoesFromPatchToPatch) {
  Random random(3);
  for (const Kind kind : {Kind::cubic, Kind::quintic, Kind::bspline}) {
    SmoothDef contact;
    contact.friction = 0.4;
    SmoothPair pair(map_of(hills, 0.1, kind), ball(0.3), contact);
    const std::size_t u = pair.channel("u_first"), v = pair.channel("v_first");
    int switches = 0;
    for (int path = 0; path < 20; ++path) {
      const Vec3 from = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), 0.0);
      const Vec3 along = Vec3(random.uniform(-0.15, 0.15), random.uniform(-0.15, 0.15), 0.0);
      const auto place = [&](double s) {
        Vec3 p = from + s * along;
        p.z() = hills(p.x(), p.y()) + 0.295;
        return p;
      };
      const auto cell = [&](const SmoothPair::Answer& answer) {
        return std::pair(std::floor(answer.channel(u) / 0.1), std::floor(answer.channel(v) / 0.1));
      };
      // Bisection to where the cell of the contact changes.
      double low = 0.0, high = 1.0;
      const auto first = cell(pair.at(place(low)));
      if (pair.at(place(low)).report.patch.size() != 1 || cell(pair.at(place(high))) == first)
        continue;
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (cell(pair.at(place(middle))) == first ? low : high) = middle;
      }
      const auto before = pair.at(place(low)), after = pair.at(place(high));
      ASSERT_EQ(before.report.patch.size(), after.report.patch.size());
      ++switches;
      EXPECT_LT(std::abs(before.channel(u) - after.channel(u)), 1e-9);
      EXPECT_LT(std::abs(before.channel(v) - after.channel(v)), 1e-9);
      EXPECT_LT(std::abs(before.channel(1) - after.channel(1)), 1e-12) << "gap";
      const double scale = before.wrench.force.norm();
      EXPECT_LT((before.wrench.force - after.wrench.force).norm(), 1e-9 * scale);
      EXPECT_LT((before.wrench.torque - after.wrench.torque).norm(), 1e-9 * scale);
    }
    EXPECT_GE(switches, 8);
  }
}

TEST(Smooth, StoresOrDissipatesAllPowerThatGoesIn) {
  Random random(9);
  for (const auto law : {NormalLaw::hunt_crossley, NormalLaw::power_law}) {
    SmoothDef contact;
    contact.normal_law = law;
    contact.exponent = law == NormalLaw::power_law ? 1.0 : 1.5;
    contact.damping = 200.0;
    contact.friction = 0.02;  // so that some slide and some stick
    const auto stone = std::make_shared<StarSurface>(Vec3(0.2, 0.25, 0.3));
    SmoothPair pair(map_of(hills, 0.1), SmoothShape{"ellipsoid", stone}, contact);
    const std::size_t energy = pair.channel("elastic_energy"), power = pair.channel("power"),
                      lost = pair.channel("dissipated_power");
    int sliding = 0, touching = 0;
    for (int i = 0; i < 60; ++i) {
      Pose X{rotation_from_vector(random_vector(random, 3.0)), random_vector(random, 1.0)};
      X.p.z() = hills(X.p.x(), X.p.y()) + random.uniform(0.22, 0.27);
      const Twist V{random_vector(random, 2.0), random_vector(random, 0.5)};
      std::vector<double> states;
      for (const double scale : pair.world().state_scales())
        states.push_back(random.uniform(-scale, scale) * 0.5);
      const auto put = [&] {
        std::copy(states.begin(), states.end(), pair.world().states().begin());
      };
      put();
      const auto now = pair.at(X, V);
      if (now.report.patch.empty()) continue;
      ++touching;
      const std::vector<double> rates(pair.world().state_derivatives().begin(),
                                      pair.world().state_derivatives().end());
      // A little before and after, all states along.
      const double h = 1e-7;
      double stored[2];
      for (const int side : {0, 1}) {
        const double t = side == 0 ? -h : h;
        for (std::size_t s = 0; s < states.size(); ++s)
          pair.world().states()[s] = states[s] + t * rates[s];
        const Pose there{rotation_from_vector(t * V.w) * X.R, X.p + t * V.v};
        stored[side] = pair.at(there, V).channel(energy);
      }
      const double rate = (stored[1] - stored[0]) / (2.0 * h);
      const double scale = std::abs(rate) + std::abs(now.channel(power)) + 1.0;
      // Differences: rounding of energies (1e-16 of 10 J) over h, and kinks of the slider.
      EXPECT_NEAR(now.channel(power), rate + now.channel(lost), 1e-5 * scale) << i;
      EXPECT_GE(now.channel(lost), 0.0);
      sliding += now.channel(pair.channel("friction_force")) >
                 0.0199 * now.channel(pair.channel("normal_force"));
    }
    EXPECT_GT(touching, 10);
    EXPECT_GT(sliding, 3);
  }
}

TEST(Smooth, HoldsABodyOnASlopeBelowTheAngleOfFriction) {
  // The stretch at which the spring carries the weight across: nothing moves.
  SmoothDef contact;
  contact.friction = 0.5;
  contact.tangential_stiffness = 1e5;
  SmoothPair pair(map_of([](double x, double) { return 0.3 * x; }, 0.5), ball(0.2), contact);
  const Vec3 n = Vec3(-0.3, 0.0, 1.0).normalized();
  const Vec3 up = Vec3(1.0, 0.0, 0.3).normalized();
  const double normal = 1e6 * std::pow(1e-3, 1.5);
  const double pull = 0.3 * normal;  // the slope of 0.3 is less than 0.5
  const Vec3 stretch = -pull / 1e5 * up;
  for (int i = 0; i < 3; ++i) pair.world().states()[static_cast<std::size_t>(i)] = stretch[i];
  const auto answer = pair.at(Pose{Mat3::Identity(), (0.2 - 1e-3) * n});
  EXPECT_LT((answer.wrench.force - normal * n - pull * up).norm(), 1e-9 * normal);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(pair.world().state_derivatives()[static_cast<std::size_t>(i)], 0.0, 1e-12);
}

TEST(Smooth, BrakesABallThatSpinsOnTheSpot) {
  SmoothDef contact;
  contact.friction = 0.5;
  SmoothPair pair(map_of(flat, 0.1), ball(0.2), contact);
  pair.world().states()[3] = 0.2 * 0.5;  // wound up by half a radian: it slides
  const auto answer =
      pair.at(Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.199)}, {Vec3(0.0, 0.0, 50.0), Vec3::Zero()});
  const double normal = 1e6 * std::pow(1e-3, 1.5);
  // 3 pi/16 mu F sqrt(R d), of Hertz's pressure.
  EXPECT_NEAR(answer.wrench.torque.z(), -3.0 * kPi / 16.0 * 0.5 * normal * std::sqrt(0.2 * 1e-3),
              1e-9 * normal);
  EXPECT_NEAR(answer.channel(pair.channel("drilling_torque")), -answer.wrench.torque.z(), 1e-15);
}

/// A valley along y, as wide as y says: a ball stands on both flanks in the narrow part, and on the
/// bottom in the wide one.
double valley(double x, double y) {
  const double bottom = 0.15 + 0.2 * (y + 2.0);
  return std::sqrt(x * x + bottom * bottom) - bottom + 0.05 * x;
}

TEST(Smooth, IsContinuousWhereTwoContactsGrowTogether) {
  SmoothDef contact;
  contact.friction = 0.3;
  SmoothPair pair(map_of(valley, 0.05, Kind::bspline), ball(0.4), contact);
  const std::size_t count = pair.channel("contacts");
  const auto greatest_step = [&](int steps, int& most, int& least) {
    double greatest = 0.0;
    SmoothPair::Answer before;
    most = 0;
    least = 100;
    for (int i = 0; i <= steps; ++i) {
      const double y = -1.8 + 2.4 * i / steps;
      // As deep as it would sink into the flanks by some mm.
      auto answer = pair.at(Vec3(-0.02, y, 0.36 + 0.03 * (y + 1.8) / 2.4));
      const int contacts = static_cast<int>(answer.channel(count));
      most = std::max(most, contacts);
      least = std::min(least, contacts);
      if (i > 0) greatest = std::max(greatest, (answer.wrench.force - before.wrench.force).norm());
      before = answer;
    }
    return greatest;
  };
  int most = 0, least = 0;
  const double coarse = greatest_step(1000, most, least);
  const double fine = greatest_step(16000, most, least);
  EXPECT_EQ(most, 2);
  EXPECT_EQ(least, 1);
  // What is continuous changes by a sixteenth in a sixteenth of the step; a root at the fold would
  // still give a quarter.
  EXPECT_LT(fine, 0.3 * coarse);
}

TEST(Smooth, SaysThatThereIsNoGroundBeyondTheBorder) {
  SmoothPair pair(map_of(flat, 0.1), ball(0.2));
  const std::size_t off = pair.channel("off_ground");
  EXPECT_EQ(pair.at(Vec3(1.9, 0.0, 0.19)).channel(off), 0.0);
  EXPECT_TRUE(pair.world().warnings().empty());
  const auto answer = pair.at(Vec3(2.1, 0.0, 0.19));
  EXPECT_EQ(answer.channel(off), 1.0);
  EXPECT_EQ(answer.wrench.force, Vec3::Zero());
  pair.world().commit(0.0);
  ASSERT_EQ(pair.world().warnings().size(), 1u);
  EXPECT_NE(pair.world().warnings()[0].find("beyond the border"), std::string::npos);
}

TEST(Smooth, SaysThatThereIsNoGroundOverAGap) {
  SmoothPair pair(
      map_of([](double x, double y) { return std::hypot(x - 0.5, y) < 0.12 ? std::nan("") : 0.0; },
             0.1),
      ball(0.2));
  const auto answer = pair.at(Vec3(0.5, 0.0, 0.19));
  EXPECT_EQ(answer.channel(pair.channel("off_ground")), 1.0);
  EXPECT_EQ(answer.wrench.force, Vec3::Zero());
  pair.world().commit(0.0);
  ASSERT_EQ(pair.world().warnings().size(), 1u);
  EXPECT_NE(pair.world().warnings()[0].find("gap of the map"), std::string::npos);
}

TEST(Smooth, FindsPointsAnewWhereBodiesFitEachOther) {
  // A ball in its own mould: no point of it is nearer than the others. All numbers stay finite, and
  // the run is told.
  for (const auto kinematics :
       {SmoothDef::Kinematics::projected, SmoothDef::Kinematics::integrated}) {
    SmoothDef contact;
    contact.kinematics = kinematics;
    contact.friction = 0.3;
    contact.effective_radius = 0.5;
    ParametricDef mould = parametric_formulas(Formula("u", {"u", "v"}), Formula("v", {"u", "v"}),
                                              Formula("0.5 - sqrt(0.25 - u^2 - v^2)", {"u", "v"}));
    mould.u = mould.v = Vec2(-0.3, 0.3);
    SmoothPair pair(SmoothShape{"parametric", std::make_shared<ParametricSurface>(mould)},
                    ball(0.5), contact);
    Random random(4);
    bool pressed = false;
    for (int i = 0; i < 50; ++i) {
      const auto answer =
          pair.at(Pose{Mat3::Identity(), Vec3(0.0, 0.0, 0.5 - 1e-4) + random_vector(random, 1e-5)},
                  {random_vector(random, 1.0), random_vector(random, 0.1)});
      EXPECT_TRUE(std::isfinite(answer.wrench.force.sum() + answer.wrench.torque.sum()));
      for (const double rate : pair.world().state_derivatives()) EXPECT_TRUE(std::isfinite(rate));
      pressed |= answer.wrench.force.z() > 0.0;
      pair.world().commit(0.0);
    }
    EXPECT_TRUE(pressed);
    ASSERT_FALSE(pair.world().warnings().empty());
    EXPECT_NE(pair.world().warnings()[0].find("fitted each other"), std::string::npos);
  }
}

TEST(Smooth, TracksContactsBeforeTheyTouch) {
  SmoothPair pair(map_of(hills, 0.1), ball(0.3));
  const Vec3 p(0.2, 0.3, hills(0.2, 0.3) + 0.31);
  const auto answer = pair.at(p);
  EXPECT_EQ(answer.wrench.force, Vec3::Zero());
  EXPECT_GT(answer.channel(pair.channel("gap")), 0.0);
  EXPECT_LT(answer.channel(pair.channel("gap")), 0.005);  // it would be the margin, 6 mm, else
}

TEST(Smooth, LetsMapsMeetMaps) {
  // A plate with a bump, turned over, on hills with another.
  const auto bump = [](double x, double y) { return 0.1 * std::exp(-4.0 * (x * x + y * y)); };
  SmoothDef contact;
  contact.effective_radius = 1.0;
  SmoothPair pair(map_of(bump, 0.1), map_of(bump, 0.2), contact);
  const Mat3 over = rotation_from_vector(Vec3(kPi, 0.0, 0.0));
  const auto answer = pair.at(Pose{over, Vec3(0.0, 0.0, 0.198)});
  EXPECT_EQ(answer.channel(pair.channel("contacts")), 1.0);
  EXPECT_NEAR(answer.channel(0), 2e-3, 1e-9);  // tops stand on nodes of both maps
  EXPECT_GT(answer.wrench.force.z(), 0.0);
}

TEST(Smooth, HasNoAnswerWhereABodyIsNowhere) {
  SmoothPair pair(map_of(flat, 0.1), ball(0.2));
  pair.world().set_body(pair.world().body("body"),
                        {{Mat3::Identity(), Vec3(0.0, std::nan(""), 0.1)}, {}});
  EXPECT_EQ(pair.world().evaluate(0.0), Status::impossible);
}

TEST(Smooth, RefusesShapesWithoutASmoothSurface) {
  ContactWorldDef def;
  ShapeDef plane, above;
  plane.name = "plane";
  plane.geometry = HalfSpaceShape{};
  above.name = above.body = "ball";
  above.geometry = ball(0.1);
  def.shapes = {plane, above};
  SmoothDef contact;
  contact.first = "plane";
  contact.second = "ball";
  contact.stiffness = 1.0;
  contact.place = {"scene.toml", 7, 1};
  def.add(contact);
  try {
    ContactWorld world(def);
    FAIL() << "it was built";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("contact.first: shape 'plane' is a half_space"),
              std::string::npos)
        << error.what();
    EXPECT_NE(std::string(error.what()).find("scene.toml:7"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace grouser
