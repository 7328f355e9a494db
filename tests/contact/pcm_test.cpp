#include "grouser/contact/pcm.h"

#include <gtest/gtest.h>

#include <cmath>

#include "grouser/base/random.h"
#include "grouser/contact/world.h"
#include "grouser/laws/elastic_foundation.h"
#include "grouser/mesh/mesh_shapes.h"

namespace grouser {
namespace {

constexpr double kYoung = 1e6, kLayerPoisson = 0.4, kThickness = 0.01;

ShapeDef shape(const std::string& name, const std::string& body, TriangleMesh mesh) {
  ShapeDef def;
  def.name = name;
  def.body = body;
  def.geometry = MeshShape{std::make_shared<TriangleMesh>(std::move(mesh))};
  return def;
}

/// A body "b" with the base or target shape above a fixed one of "world".
struct PcmPair {
  PcmPair(TriangleMesh base, TriangleMesh target, bool base_moves, double max_penetration) {
    ContactWorldDef def;
    def.shapes = {shape("base", base_moves ? "b" : "world", std::move(base)),
                  shape("target", base_moves ? "world" : "b", std::move(target))};
    pcm.base = "base";
    pcm.target = "target";
    pcm.layer["base"] = {kYoung, kLayerPoisson, kThickness};
    pcm.max_penetration = max_penetration;
    def.add(pcm);
    world = std::make_unique<ContactWorld>(def);
  }

  Wrench at(const Vec3& p, const Twist& V = {}, const Mat3& R = Mat3::Identity()) {
    const int body = world->body("b");
    world->set_body(body, {{R, p}, V});
    EXPECT_EQ(world->evaluate(0.0), Status::ok);
    return world->wrench(body);
  }

  PcmDef pcm;
  std::unique_ptr<ContactWorld> world;
};

const double kLayer = layer_stiffness(kYoung, kLayerPoisson, kThickness);

/// Order at which `error(f)` falls when the number of divisions f is doubled.
template <class Error>
double order(Error error, int f) {
  return std::log2(std::abs(error(f)) / std::abs(error(2 * f)));
}

TriangleMesh wide_plane(int cells) {
  return make_plane({2.0, 2.0, cells, cells});
}

TEST(PcmClosedForm, SphereAsBaseOnAPlane) {
  // F = pi c R d^2 for any d: rays run along the sphere's normals.
  const double R = 0.5, d = 0.05;
  const auto relative_error = [&](int f) {
    PcmPair pair(make_sphere({R, 20 * f * f}), wide_plane(1), true, 0.2);
    return pair.at({0, 0, R - d}).force.z() / (kPi * kLayer * R * d * d) - 1.0;
  };
  // Facets lie inside the sphere by edge^2 / 8 R: second order in the edge.
  EXPECT_NEAR(order(relative_error, 32), 2.0, 0.5);
  EXPECT_LT(std::abs(relative_error(96)), 2e-3);  // edge^2 / (8 R d) = 1e-3, over the patch
}

TEST(PcmClosedForm, PlaneAsBaseUnderASphere) {
  const double R = 0.5, d = 0.05;
  const double exact = kPi * kLayer * d * d * (R - d / 3.0);
  const auto relative_error = [&](int cells) {
    // The sphere is fine, so that what is left is the sampling of the patch by the plane.
    PcmPair pair(make_plane({0.6, 0.6, cells, cells}), make_sphere({R, 20 * 160 * 160}), false,
                 0.2);
    return pair.at({0.0013, 0.0007, R - d}).force.z() / exact - 1.0;
  };
  // The force falls to zero linearly at the rim of the patch: second order on average; single
  // values scatter with how the rim meets the grid, so only the size is asserted.
  EXPECT_LT(std::abs(relative_error(40)), 5e-3);
  EXPECT_LT(std::abs(relative_error(160)), 6e-4);
}

TEST(PcmClosedForm, FlatPunch) {
  // F = c A d, exact on any mesh: every element has the same depth.
  const double d = 0.004;
  PcmPair pair(make_box({Vec3(0.3, 0.2, 0.1), 7}), wide_plane(3), true, 0.02);
  const Wrench F = pair.at({0.01, 0.02, 0.05 - d});
  EXPECT_NEAR(F.force.z(), kLayer * 0.3 * 0.2 * d, 1e-9 * F.force.z());  // rounding
  EXPECT_NEAR(F.force.x(), 0.0, 1e-9 * F.force.z());
  EXPECT_NEAR(F.torque.norm(), 0.0, 1e-9 * F.force.z());
}

TEST(PcmClosedForm, CylinderOnItsSide) {
  // F = 2 c l R (R sin t - (R - d) t), cos t = 1 - d / R, with the cylinder as base.
  const double R = 0.2, l = 0.5, d = 0.02;
  const double t = std::acos(1.0 - d / R);
  const double exact = 2.0 * kLayer * l * R * (R * std::sin(t) - (R - d) * t);
  const Mat3 lying = rotation_from_vector(Vec3(kPi / 2.0, 0, 0));
  const auto relative_error = [&](int segments) {
    PcmPair pair(make_cylinder({R, l, segments}), wide_plane(1), true, 0.1);
    return pair.at({0, 0, R - d}, {}, lying).force.z() / exact - 1.0;
  };
  EXPECT_NEAR(order(relative_error, 96), 2.0, 0.6);  // facets inside by edge^2 / 8 R
  EXPECT_LT(std::abs(relative_error(384)), 3e-3);
}

TEST(PcmClosedForm, RingOfASphereInATorus) {
  // Per length (4 sqrt2 / 3) c sqrt(R_e) d^1.5, 1/R_e = 1/R_s + 1/r, for small d.
  const double R_s = 1.0, R_t = 1.0, r = 0.3, d = 0.02;
  const double D = R_s + r - d, h = std::sqrt(D * D - R_t * R_t);
  const double R_e = 1.0 / (1.0 / R_s + 1.0 / r);
  const double per_length = 4.0 * std::sqrt(2.0) / 3.0 * kLayer * std::sqrt(R_e) * d * std::sqrt(d);
  const double exact = 2.0 * kPi * R_t * (1.0 - r / D) * per_length * h / D;
  PcmPair pair(make_torus({R_t, r, 4 * 400 * 400}), make_sphere({R_s, 20 * 150 * 150}), false, 0.1);
  const double F = pair.at({0, 0, h}).force.z();
  EXPECT_NEAR(F / exact, 1.0, 0.03);  // the formula neglects terms of d / r = 0.07, halved by signs
}

TEST(PcmClosedForm, FacetsOfACoarseSphereLoseHalfOfTheRing) {
  // Hippmann's meshes: centroids of the sphere's 500 triangles lie 7 to 11 mm inside, and at this
  // height 7.2e5 N are left of the 1.6e6 N of a smooth sphere.
  const TriangleMesh coarse = make_sphere({1.0, 500});
  double nearest = 1.0, farthest = 0.0;
  for (std::size_t i = 0; i < coarse.triangle_count(); ++i) {
    nearest = std::min(nearest, face_of(coarse, i).centroid.norm());
    farthest = std::max(farthest, face_of(coarse, i).centroid.norm());
  }
  EXPECT_NEAR(nearest, 0.9885, 5e-5);
  EXPECT_NEAR(farthest, 0.9926, 5e-5);
  PcmPair rough(make_torus({1.0, 0.3, 4096}), coarse, false, 0.06);
  EXPECT_NEAR(rough.at({0, 0, 0.8}).force.z(), 7.2e5, 0.05e5);  // the digits known
  PcmPair smooth(make_torus({1.0, 0.3, 4 * 100 * 100}), make_sphere({1.0, 20 * 100 * 100}), false,
                 0.06);
  EXPECT_NEAR(smooth.at({0, 0, 0.8}).force.z(), 1.6e6, 0.05e6);
}

TEST(Pcm, ForceIsTheGradientOfItsEnergyWhereLinesRunAlongTheMotion) {
  // With the plane as base all lines are vertical, so a vertical motion changes every penetration
  // at the rate of the motion. (With oblique lines u changes faster than the surfaces approach.)
  PcmPair pair(make_plane({0.6, 0.6, 60, 60}), make_sphere({0.5, 20 * 30 * 30}), false, 0.2);
  const auto energy = [&](double z) {
    pair.at({0, 0, z});
    ContactReport report;
    pair.world->report(0.0, 0, report);
    return report.channels[3];
  };
  const double z = 0.46, h = 1e-7;
  const double slope = -(energy(z + h) - energy(z - h)) / (2.0 * h);
  EXPECT_NEAR(slope, pair.at({0, 0, z}).force.z(), 1e-6 * slope);  // rounding over h
}

TEST(Pcm, ElementsAreThoseBruteForceFinds) {
  // Every line against every triangle, written down again.
  const TriangleMesh base = make_torus({0.3, 0.1, 4 * 10 * 10});
  const TriangleMesh target = make_sphere({0.3, 20 * 4 * 4});
  Random random(5);
  for (const bool base_is_smaller : {false, true}) {
    const TriangleMesh& fine = base_is_smaller ? make_torus({0.3, 0.1, 4 * 6 * 6}) : base;
    for (int trial = 0; trial < 20; ++trial) {
      PcmPair pair(fine, target, false, 0.05);
      const Mat3 R = rotation_from_vector(
          Vec3(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)));
      const Vec3 p(random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), random.uniform(0.1, 0.4));
      pair.at(p, {}, R);
      ContactReport report;
      pair.world->report(0.0, 0, report);

      std::vector<std::pair<int, double>> expected;
      for (std::size_t i = 0; i < fine.triangle_count(); ++i) {
        const TriangleFace face = face_of(fine, i);
        double nearest = 0.05;
        bool active = false;
        for (std::size_t j = 0; j < target.triangle_count(); ++j) {
          const Vec3 a = R * target.corner(j, 0) + p, b = R * target.corner(j, 1) + p,
                     c = R * target.corner(j, 2) + p;
          const Vec3 n = (b - a).cross(c - a).normalized();
          const double facing = n.dot(face.normal);
          const double u = n.dot(face.centroid - a) / facing;
          if (!(u > 0.0 && u <= nearest)) continue;
          const Vec3 hit = face.centroid - u * face.normal;
          const bool inside = (b - a).cross(hit - a).dot(n) >= 0.0 &&
                              (c - b).cross(hit - b).dot(n) >= 0.0 &&
                              (a - c).cross(hit - c).dot(n) >= 0.0;
          if (!inside) continue;
          nearest = u;
          active = facing < 0.0;
        }
        if (active) expected.emplace_back(static_cast<int>(i), nearest);
      }
      ASSERT_EQ(report.patch.size(), expected.size()) << "trial " << trial;
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_EQ(report.patch[k].index, expected[k].first);
        EXPECT_NEAR(report.patch[k].penetration, expected[k].second, 1e-12);  // rounding
      }
    }
  }
}

TEST(Pcm, HitsFromOutsideAndFromTheRearAreInvalid) {
  // A thin plate as target: lines of the base that start above it hit its top from outside, lines
  // that start inside hit the top from inside first and the bottom behind it never counts.
  PcmPair pair(make_box({Vec3(0.1, 0.1, 0.1), 2}), make_box({Vec3(1, 1, 0.02), 1}), true, 0.05);
  EXPECT_EQ(pair.at({0, 0, 0.05 + 0.01 + 0.001}).force.norm(), 0.0);  // above
  EXPECT_GT(pair.at({0, 0, 0.05 + 0.01 - 0.001}).force.z(), 0.0);     // 1 mm deep
}

TEST(Pcm, DampingAndFrictionFollowTheirLaws) {
  ContactWorldDef def;
  def.shapes = {shape("punch", "b", make_box({Vec3(0.2, 0.2, 0.2), 4})),
                shape("floor", "world", wide_plane(1))};
  PcmDef pcm;
  pcm.base = "punch";
  pcm.target = "floor";
  pcm.layer["punch"] = {kYoung, kLayerPoisson, kThickness};
  pcm.max_penetration = 0.02;
  pcm.damping = 3e6;
  pcm.damping_depth = 2e-3;
  pcm.friction = 0.3;
  pcm.friction_speed = 1e-2;
  const double A = 0.04, d = 1e-3;
  const double spring = kLayer * A * d;
  const auto force = [&](PcmDef::Damping mode, const Vec3& v) {
    pcm.damping_mode = mode;
    ContactWorldDef all = def;
    all.add(pcm);
    ContactWorld world(all);
    const int b = world.body("b");
    world.set_body(b, {{Mat3::Identity(), Vec3(0, 0, 0.1 - d)}, {Vec3::Zero(), v}});
    world.evaluate(0.0);
    return world.wrench(b).force;
  };
  const double damper = 3e6 * A * 0.5;  // per m/s; half of the transition depth
  using enum PcmDef::Damping;
  EXPECT_NEAR(force(full, {0, 0, -0.1}).z(), spring + 0.1 * damper, 1e-9 * spring);
  EXPECT_NEAR(force(full, {0, 0, 1.0}).z(), spring - damper, 1e-9 * spring);
  ASSERT_LT(spring, damper);
  EXPECT_EQ(force(no_tension, {0, 0, 1.0}).z(), 0.0);
  EXPECT_NEAR(force(no_expansion, {0, 0, 1.0}).z(), spring, 1e-9 * spring);
  EXPECT_NEAR(force(full, {1.0, 0, 0}).x(), -0.3 * spring, 1e-9 * spring);           // sliding
  EXPECT_NEAR(force(full, {0, 0.005, 0}).y(), -0.3 * spring * 0.75, 1e-9 * spring);  // x (2 - x)
}

TEST(Pcm, LayersActInSeriesAndTheInterfaceDividesByCompliance) {
  ContactWorldDef def;
  def.shapes = {shape("a", "b", make_box({Vec3(0.2, 0.2, 0.2), 4})),
                shape("f", "world", wide_plane(1))};
  PcmDef pcm;
  pcm.base = "a";
  pcm.target = "f";
  pcm.layer["a"] = {kYoung, kLayerPoisson, kThickness};
  pcm.layer["f"] = {3.0 * kYoung, kLayerPoisson, kThickness};
  pcm.max_penetration = 0.02;
  def.add(pcm);
  ContactWorld world(def);
  const double d = 1e-3;
  world.set_body(world.body("b"), {{Mat3::Identity(), Vec3(0, 0, 0.1 - d)}, {}});
  world.evaluate(0.0);
  EXPECT_NEAR(world.wrench(world.body("b")).force.z(), 0.75 * kLayer * 0.04 * d, 1e-7);
  ContactReport report;
  world.report(0.0, 0, report);
  ASSERT_FALSE(report.patch.empty());
  // The base takes three quarters of the penetration, so the interface is d / 4 below the plane.
  EXPECT_NEAR(report.patch[0].p_WC.z(), -0.25 * d, 1e-12);
}

TEST(Pcm, DegenerateTrianglesCarryNothing) {
  TriangleMesh broken = make_sphere({0.5, 20 * 8 * 8});
  broken.triangles.push_back({0, 0, 1});
  broken.triangles.push_back({3, 3, 3});
  PcmPair whole(make_sphere({0.5, 20 * 8 * 8}), wide_plane(1), true, 0.2);
  PcmPair patched(broken, wide_plane(1), true, 0.2);
  EXPECT_EQ(whole.at({0, 0, 0.45}).force, patched.at({0, 0, 0.45}).force);
}

/// A ball "b" on the world's block, as a definition that tests change.
ContactWorldDef ball_and_block(PcmDef& pcm) {
  ContactWorldDef def;
  def.shapes = {shape("ball", "b", make_sphere({0.1, 20 * 8 * 8})),
                shape("block", "world", make_box({Vec3(0.3, 0.2, 0.1), 12}))};
  pcm.base = "ball";
  pcm.target = "block";
  pcm.layer["ball"] = {kYoung, kLayerPoisson, kThickness};
  pcm.max_penetration = 0.03;
  return def;
}

Wrench on_b(const ContactWorldDef& shapes, const PcmDef& pcm, const BodyKinematics& b,
            ContactReport* report = nullptr) {
  ContactWorldDef def = shapes;
  def.add(pcm);
  ContactWorld world(def);
  world.set_body(world.body("b"), b);
  EXPECT_EQ(world.evaluate(0.0), Status::ok);
  const Wrench F = world.wrench(world.body("b"));
  EXPECT_NEAR((F.force + world.wrench(0).force).norm(), 0.0, 1e-12 * F.force.norm());
  if (report) world.report(0.0, 0, *report);
  return F;
}

const BodyKinematics kPressed{{rotation_from_vector(Vec3(0.3, 0.2, 0.1)), Vec3(0.02, 0.01, 0.14)},
                              {Vec3(1.0, 2.0, -1.0), Vec3(0.1, -0.2, -0.3)}};

TEST(Pcm, TheFrameOfComparisonShowsInRoundingOnly) {
  PcmDef pcm;
  const ContactWorldDef def = ball_and_block(pcm);
  pcm.damping = 1e4;
  pcm.friction = 0.5;
  pcm.frame = PcmFrame::base;
  const Wrench in_base = on_b(def, pcm, kPressed);
  pcm.frame = PcmFrame::target;
  const Wrench in_target = on_b(def, pcm, kPressed);
  ASSERT_GT(in_base.force.z(), 1.0);
  EXPECT_LT((in_base.force - in_target.force).norm(), 1e-11 * in_base.force.norm());
  EXPECT_LT((in_base.torque - in_target.torque).norm(), 1e-11 * in_base.force.norm());
  pcm.frame = PcmFrame::automatic;  // the ball has more triangles
  EXPECT_EQ(on_b(def, pcm, kPressed).force, in_base.force);
}

TEST(Pcm, TwoPassesAreTheMeanOfBothAssignments) {
  PcmDef pcm;
  const ContactWorldDef def = ball_and_block(pcm);
  pcm.damping = 1e4;
  pcm.friction = 0.5;
  const Wrench one = on_b(def, pcm, kPressed);
  std::swap(pcm.base, pcm.target);
  const Wrench other = on_b(def, pcm, kPressed);
  std::swap(pcm.base, pcm.target);
  pcm.two_pass = true;
  ContactReport report;
  const Wrench both = on_b(def, pcm, kPressed, &report);
  ASSERT_GT((one.force - other.force).norm(), 1e-3 * one.force.norm());  // two quadratures
  EXPECT_LT((both.force - 0.5 * (one.force + other.force)).norm(), 1e-12 * one.force.norm());
  EXPECT_LT((both.torque - 0.5 * (one.torque + other.torque)).norm(), 1e-12 * one.force.norm());
  // The elements of the report add up to the force on port 0, whichever pass they come from.
  Vec3 sum = Vec3::Zero();
  for (const PatchElement& element : report.patch) sum += element.force_W;
  EXPECT_LT((sum - both.force).norm(), 1e-12 * both.force.norm());
}

TEST(Pcm, GroupsHaveLayersAndFrictionOfTheirOwn) {
  // A punch whose bottom is divided in two halves by groups, one soft and smooth, one hard and
  // rough: each carries c A d and mu c A d.
  TriangleMesh punch = make_box({Vec3(0.2, 0.2, 0.2), 4});
  punch.group_names = {"soft", "hard"};
  punch.groups.clear();
  for (std::size_t i = 0; i < punch.triangle_count(); ++i)
    punch.groups.push_back(face_of(punch, i).centroid.x() < 0.0 ? 0 : 1);
  ContactWorldDef def;
  def.shapes = {shape("punch", "b", punch),
                shape("floor", "world", make_box({Vec3(2, 2, 0.2), 1}))};
  PcmDef pcm;
  pcm.base = "punch";
  pcm.target = "floor";
  pcm.layer["punch"] = {kYoung, kLayerPoisson, kThickness};
  pcm.group["punch"]["hard"] = {true, {5.0 * kYoung, kLayerPoisson, kThickness}, 0.7, {}};
  pcm.friction = 0.2;
  pcm.max_penetration = 0.02;
  const double d = 1e-3, A = 0.02;
  const Wrench F =
      on_b(def, pcm, {{Mat3::Identity(), Vec3(0, 0, 0.2 - d)}, {Vec3::Zero(), Vec3(0, 1, 0)}});
  const double soft = kLayer * A * d, hard = 5.0 * soft;
  EXPECT_NEAR(F.force.z(), soft + hard, 1e-9 * hard);
  EXPECT_NEAR(F.force.y(), -0.2 * soft - 0.7 * hard, 1e-9 * hard);
  EXPECT_NEAR(F.torque.y(), -0.05 * (hard - soft), 1e-9 * hard);
}

TEST(Pcm, ChoosesTheGreatestPenetrationFromTheWalls) {
  EXPECT_NEAR(wall_thickness(make_box({Vec3(0.3, 0.2, 0.1), 6})), 0.1, 1e-5);
  // Facets lie inside: the tube of 0.6 m is up to edge^2 / 4 r thinner, on both sides.
  EXPECT_NEAR(wall_thickness(make_torus({1.0, 0.3, 4096})), 0.6, 0.02);
  EXPECT_TRUE(std::isinf(wall_thickness(wide_plane(4))));
  TriangleMesh with_stray = make_box({Vec3(0.3, 0.2, 0.1), 6});
  with_stray.vertices.push_back(Vec3(1e6, 0, 0));  // of no triangle
  EXPECT_NEAR(wall_thickness(with_stray), 0.1, 1e-5);

  PcmDef pcm;
  ContactWorldDef def = ball_and_block(pcm);
  pcm.max_penetration = PcmDef::kAuto;
  def.add(pcm);
  const ContactWorld world(def);
  EXPECT_NEAR(world.contact(0).max_penetration(), 0.02, 1e-5);  // a fifth of the block's height
  EXPECT_TRUE(world.contact(0).notes().empty()) << "nothing to worry about";
}

TEST(Pcm, SaysWhenTheGreatestPenetrationIsThickerThanTheWalls) {
  PcmDef pcm;
  ContactWorldDef def = ball_and_block(pcm);
  pcm.max_penetration = 0.15;
  def.add(pcm);
  const std::vector<std::string> notes = ContactWorld(def).contact(0).notes();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("of the walls of 'block'"), std::string::npos) << notes[0];
}

TEST(Pcm, RefusesWhatItCannotBuild) {
  const auto message = [](auto change) {
    ContactWorldDef def;
    def.shapes = {shape("a", "b", make_box({Vec3(1, 1, 1), 1})),
                  shape("f", "world", wide_plane(1))};
    PcmDef pcm;
    pcm.base = "a";
    pcm.target = "f";
    pcm.layer["a"] = {kYoung, kLayerPoisson, kThickness};
    pcm.max_penetration = 0.02;
    change(pcm, def);
    def.add(pcm);
    try {
      ContactWorld world(def);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message([](PcmDef&, ContactWorldDef&) {}), "accepted");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef&) { pcm.layer.clear(); }),
            "contact: both 'a' and 'f' are rigid; give one of them a layer or a material");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef&) {
              pcm.layer["x"] = {1, 0.3, 1};
            }),
            "contact.layer.x: the contact is between 'a' and 'f'");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef&) { pcm.layer["a"].poisson_ratio = 0.5; }),
            "contact.layer.a.poisson_ratio must lie in [0, 0.45], is 0.5");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef&) { pcm.max_penetration = -1.0; }),
            "contact.max_penetration must be positive, is -1");
  EXPECT_EQ(
      message([](PcmDef& pcm, ContactWorldDef&) { pcm.group["a"]["lid"].friction = 1.0; }),
      "contact.group.a.lid: the mesh of 'a' has no group 'lid'; known are x-, x+, y-, y+, z-, "
      "z+");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef& def) {
              def.shapes[0].geometry = MeshShape{std::make_shared<TriangleMesh>(wide_plane(2))};
              pcm.max_penetration = PcmDef::kAuto;
            }),
            "contact.max_penetration: neither 'a' nor 'f' has a wall thickness to choose it from "
            "(both are open sheets); give a number");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef&) {
              pcm.elements = PcmDef::Elements::clipped;
              pcm.frame = PcmFrame::target;
            }),
            "contact: elements \"clipped\" are found in the frame of the base; frame must be "
            "\"auto\" or \"base\"");
  EXPECT_EQ(message([](PcmDef& pcm, ContactWorldDef&) { pcm.target = "ff"; }),
            "contact.target: there is no shape 'ff'; did you mean 'f'?");
  EXPECT_EQ(message([](PcmDef&, ContactWorldDef& def) { def.shapes[0].body = "world"; }),
            "contact 'pcm_0' is between two shapes of the same body 'world'");
  EXPECT_EQ(
      message([](PcmDef&, ContactWorldDef& def) { def.shapes[1].geometry = HalfSpaceShape{}; }),
      "contact.target: shape 'f' is a half_space, it must be a mesh");
}

}  // namespace
}  // namespace grouser
