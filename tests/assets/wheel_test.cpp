#include "grouser/assets/wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "grouser/assets/wheel_shape.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_groups.h"
#include "tests/assets/wheel_checks.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

WheelDef plain(WheelBody body) {
  WheelDef wheel;
  wheel.radius = 0.25;
  wheel.width = 0.2;
  wheel.body = body;
  return wheel;
}

WheelDef with_grousers(WheelDef wheel, GrouserShape shape, double angle) {
  wheel.grouser_count = 12;
  wheel.grouser_height = 0.02;
  wheel.grouser_thickness = 0.01;
  wheel.grouser_shape = shape;
  wheel.grouser_angle = angle;
  return wheel;
}

/// All kinds in turn, with sizes that fit together and otherwise anything.
WheelDef random_wheel(std::uint32_t number, Random& random) {
  const auto share = [&](double low, double high) { return random.uniform(low, high); };
  WheelDef def;
  def.body = static_cast<WheelBody>(number % 6);
  const std::uint32_t profile = number / 6 % 3, grousers = number / 18 % 4;
  def.radius = std::exp(share(-3.0, 0.0));
  def.width = def.radius * share(0.2, 2.0);
  def.longest_edge = def.radius * share(0.12, 0.6);
  def.rim_thickness = def.radius * share(0.01, 0.1);
  def.hub_radius = def.radius * share(0.1, 0.4);
  def.disc_thickness = def.width * share(0.05, 0.45);
  def.hub_width = std::max(def.width * share(0.1, 1.5), def.disc_thickness);

  const auto chord = [](double radius, int count) {
    return 2.0 * radius * std::sin(std::min(kPi / count, kPi / 2.0));
  };
  def.spoke_count = 2 + static_cast<int>(random.below(8));
  def.spoke_depth = std::min(def.width * share(0.2, 1.1), def.width);
  if (def.body == WheelBody::spokes || def.body == WheelBody::feet)
    def.hub_width = std::max(def.hub_width, def.spoke_depth);
  def.spoke_width = share(0.1, 0.95) * chord(def.hub_radius, def.spoke_count);
  if (def.body == WheelBody::feet) {
    def.foot_count = 2 + static_cast<int>(random.below(5));
    def.foot_height = def.radius * share(0.1, 0.3);
    def.foot_length = share(0.2, 0.95) * chord(def.radius - def.foot_height, def.foot_count);
    def.foot_chamfer =
        share(0.0, 0.9) * std::min({def.foot_height, def.foot_length / 2.0, def.width / 2.0});
    def.spoke_width = std::min(share(0.1, 0.95) * chord(def.hub_radius, def.foot_count),
                               share(0.5, 1.0) * def.foot_length);
    return def;
  }

  if (profile == 1) def.crown = share(0.05, 1.0) * std::min(0.3 * def.radius, def.width / 2.0);
  if (profile == 2) {
    const int points = 2 + static_cast<int>(random.below(5));
    for (int i = 0; i < points; ++i)
      def.curve.emplace_back(-1.0 + 2.0 * i / (points - 1.0), def.radius * share(0.0, 0.3));
  }
  if (grousers == 0) return def;
  def.grouser_count = 1 + static_cast<int>(random.below(40));
  def.grouser_shape = static_cast<GrouserShape>(grousers - 1);
  if (grousers > 1) def.grouser_angle = share(-1.0, 1.0);
  def.grouser_height = def.radius * share(0.01, 0.2);
  const double foot =
      share(0.1, 0.95) * chord(0.7 * def.radius, def.grouser_count) * std::cos(def.grouser_angle);
  const double flanks = std::min(share(0.0, 0.9) * foot, 6.0 * def.grouser_height);
  def.grouser_side_angle = random.below(2) * std::atan(flanks / (2.0 * def.grouser_height));
  def.grouser_thickness = foot - flanks;
  def.grouser_width = random.below(2) * share(0.2, 1.0) * def.width;
  def.grouser_taper = random.below(2) * share(0.0, 0.95);
  return def;
}

/// The surface of a ball with handles, one for each way through; a drum has a cavity like a torus.
std::int64_t expected_euler(const WheelDef& def) {
  switch (def.body) {
    case WheelBody::ring:
      return 0;
    case WheelBody::spokes:
      return 2 - 2 * def.spoke_count;  // through between each two spokes
    default:
      return 2;
  }
}

std::string text_of(const WheelDef& def) {
  return parameter_table(&def).values(def).inline_text();
}

TEST(Wheel, IsWatertightForAnyParameters) {
  Random random(7);
  for (std::uint32_t n = 0; n < 216; ++n) {
    const WheelDef def = random_wheel(n, random);
    SCOPED_TRACE(std::to_string(n) + ": " + text_of(def));
    const TriangleMesh mesh = make_wheel(def);
    expect_solid(mesh, expected_euler(def));
    EXPECT_EQ(component_count(mesh), def.body == WheelBody::drum ? 2u : 1u);
    // The refinement compares with another norm: rounding.
    EXPECT_LE(longest_edge(mesh), def.longest_edge * (1.0 + 1e-12));
    expect_flat_sides(mesh, def);

    // Tops of grousers may stand out of the greatest radius, sides nowhere out of the width.
    const double reach = def.radius + (def.grouser_count > 0 ? def.grouser_height : 0.0);
    const double half_width = std::max(def.width, def.hub_width) / 2.0;
    for (const Vec3& p : mesh.vertices) {
      EXPECT_LE(std::hypot(p.x(), p.z()), reach * (1.0 + 1e-12));
      EXPECT_LE(std::abs(p.y()), half_width * (1.0 + 1e-12));
    }
  }
}

TEST(Wheel, DoesNotRunThroughItself) {
  Random random(8);
  for (std::uint32_t n = 0; n < 216; ++n) {
    WheelDef def = random_wheel(n, random);
    def.longest_edge = def.radius * random.uniform(0.3, 3.0);  // coarse: facets far from the shape
    SCOPED_TRACE(std::to_string(n) + ": " + text_of(def));
    EXPECT_EQ(self_intersections(make_wheel(def)), 0u);
  }
}

TEST(Wheel, HasFinerCellsForNarrowGapsBetweenSlantedGrousers) {
  // Two ways to cut a cell of a twisted flank differ by cell^2 sin(angle) / (2 r): less than half
  // of the gap, or flanks that face each other could meet.
  WheelDef def = with_grousers(plain(WheelBody::ring), GrouserShape::slanted, 0.86);
  const double chord = 2.0 * 0.25 * std::sin(kPi / 12.0);
  def.grouser_thickness = 0.98 * chord * std::cos(0.86);
  def.longest_edge = 1.0;
  const double gap = 0.25 * (kPi / 6.0 - 2.0 * std::asin(0.98 * chord / 2.0 / 0.25));
  const double cell = resolve_wheel(def, {}, "wheel").cell;
  EXPECT_LT(cell * cell * std::sin(0.86) / (2.0 * 0.25), 0.5 * gap);
  EXPECT_EQ(self_intersections(make_wheel(def)), 0u);
}

TEST(Wheel, IsACylinderWithoutAnythingElse) {
  WheelDef def = plain(WheelBody::solid);
  const TriangleMesh mesh = make_wheel(def);
  const double sides = static_cast<double>(vertices_at(mesh, 0.25, 0.1));
  EXPECT_GE(sides, 2.0 * kPi * 0.25 / (0.25 / 12.0 / std::sqrt(2.0)));
  const double polygon = 0.5 * sides * 0.25 * 0.25 * std::sin(2.0 * kPi / sides);
  EXPECT_NEAR(signed_volume(mesh), polygon * 0.2, 1e-12 * polygon);  // rounding
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"tread", "side"}));
}

TEST(Wheel, BodiesHaveTheVolumesOfTheirPolygons) {
  const auto polygon = [](const TriangleMesh& mesh, double radius, double y) {
    const double n = static_cast<double>(vertices_at(mesh, radius, y));
    EXPECT_GE(n, 12.0);
    return 0.5 * n * radius * radius * std::sin(2.0 * kPi / n);
  };
  WheelDef def = plain(WheelBody::ring);
  def.rim_thickness = 0.03;
  def.hub_radius = 0.05;
  def.hub_width = 0.3;
  def.disc_thickness = 0.04;
  const TriangleMesh ring = make_wheel(def);
  const double outer = polygon(ring, 0.25, 0.1), inner = polygon(ring, 0.22, 0.1);
  EXPECT_NEAR(signed_volume(ring), (outer - inner) * 0.2, 1e-12);  // rounding, here and below

  def.body = WheelBody::disc;
  const TriangleMesh disc = make_wheel(def);
  const double hub = polygon(disc, 0.05, 0.15);
  EXPECT_NEAR(signed_volume(disc), (outer - inner) * 0.2 + inner * 0.04 + hub * (0.3 - 0.04),
              1e-12);
  def.body = WheelBody::drum;
  EXPECT_NEAR(signed_volume(make_wheel(def)), outer * 0.2 - (inner - hub) * (0.2 - 2.0 * 0.04),
              1e-12);
}

TEST(Wheel, SpokesAddTheirVolume) {
  WheelDef def = plain(WheelBody::spokes);
  def.rim_thickness = 0.03;
  def.hub_radius = 0.06;
  def.hub_width = 0.12;
  def.spoke_count = 5;
  def.spoke_width = 0.04;
  def.spoke_depth = 0.08;
  def.longest_edge = 0.008;
  // Of one spoke in a cross-section: between two circles and two parallels.
  const auto below_circle = [](double r, double half) {
    return half * std::sqrt(r * r - half * half) + r * r * std::asin(half / r);
  };
  const double spoke = below_circle(0.22, 0.02) - below_circle(0.06, 0.02);
  const double expected =
      kPi * (0.25 * 0.25 - 0.22 * 0.22) * 0.2 + kPi * 0.06 * 0.06 * 0.12 + 5.0 * spoke * 0.08;
  // Polygons of sides 5.6 mm are smaller than their circles by (2 pi / n)^2 / 6 = 1e-4 of the
  // circle, which is three times the rim.
  EXPECT_NEAR(signed_volume(make_wheel(def)), expected, 5e-4 * expected);
}

TEST(Wheel, GrousersAddTheirVolume) {
  WheelDef def = with_grousers(plain(WheelBody::solid), GrouserShape::straight, 0.0);
  def.grouser_width = 0.12;
  def.longest_edge = 0.008;
  const auto below_circle = [](double r, double half) {
    return half * std::sqrt(r * r - half * half) + r * r * std::asin(half / r);
  };
  const auto expected = [&](double thickness) {
    const double grouser =
        below_circle(0.27, thickness / 2.0) - below_circle(0.25, thickness / 2.0);
    return kPi * 0.25 * 0.25 * 0.2 + 12.0 * grouser * 0.12;
  };
  // Facets: as above; grousers are 3 % of the volume.
  EXPECT_NEAR(signed_volume(make_wheel(def)), expected(0.01), 2e-4 * expected(0.01));
  // A slanted one is longer along the circumference by 1 / cos.
  for (const GrouserShape shape : {GrouserShape::slanted, GrouserShape::chevron}) {
    def.grouser_shape = shape;
    def.grouser_angle = 0.6;
    const double value = expected(0.01 / std::cos(0.6));
    EXPECT_NEAR(signed_volume(make_wheel(def)), value, 2e-4 * value);
  }
  // Flanks of 0.3 rad: a trapezoid. The tread is round, so this is good to (t / r)^2.
  def = with_grousers(plain(WheelBody::solid), GrouserShape::straight, 0.0);
  def.longest_edge = 0.008;
  const double upright = signed_volume(make_wheel(def));
  def.grouser_side_angle = 0.3;
  const double added = 12.0 * 0.02 * 0.02 * std::tan(0.3) * 0.2;
  EXPECT_NEAR(signed_volume(make_wheel(def)) - upright, added, 0.05 * added);
  // Tapered by half to the ends: three quarters of the height on average.
  def.grouser_side_angle = 0.0;
  def.grouser_taper = 0.5;
  const double lost = 12.0 * 0.01 * 0.25 * 0.02 * 0.2;
  EXPECT_NEAR(upright - signed_volume(make_wheel(def)), lost, 0.01 * lost);
}

TEST(Wheel, CrownAndCurveAreWhatTheTreadFollows) {
  WheelDef def = plain(WheelBody::solid);
  def.crown = 0.03;
  TriangleMesh mesh = make_wheel(def);
  const double arc = (0.01 + 0.0009) / 0.06;  // through the middle and both sides
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    if (mesh.groups[t] != 0) continue;  // tread
    for (int k = 0; k < 3; ++k) {
      const Vec3& p = mesh.corner(t, k);
      const double r = std::hypot(p.x(), p.z());
      EXPECT_NEAR(std::hypot(r - (0.25 - arc), p.y()), arc, 1e-15);  // rounding
    }
  }
  EXPECT_GT(vertices_at(mesh, 0.25, 0.0), 0u);
  EXPECT_GT(vertices_at(mesh, 0.22, 0.1), 0u);

  def.crown = 0.0;
  def.curve = {{-1.0, 0.04}, {-0.25, 0.0}, {0.5, 0.01}, {1.0, 0.02}};
  mesh = make_wheel(def);
  for (const Vec2& point : def.curve)
    EXPECT_GT(vertices_at(mesh, 0.25 - point.y(), 0.1 * point.x()), 0u);
}

TEST(Wheel, GrousersLeanAsTheyAreTold) {
  // On the unrolled tread the middle of the foot runs at tan(angle) from the axis.
  for (const double angle : {0.4, -0.4}) {
    const TriangleMesh slanted =
        make_wheel(with_grousers(plain(WheelBody::disc), GrouserShape::slanted, angle));
    const TriangleMesh chevron =
        make_wheel(with_grousers(plain(WheelBody::disc), GrouserShape::chevron, angle));
    const double shift = std::tan(angle) * 0.1 / 0.25;
    EXPECT_NEAR(top_angle(slanted, 0.27, 0.1), shift, 1e-12);
    EXPECT_NEAR(top_angle(slanted, 0.27, -0.1), -shift, 1e-12);
    EXPECT_NEAR(top_angle(slanted, 0.27, 0.0), 0.0, 1e-12);
    EXPECT_NEAR(top_angle(chevron, 0.27, 0.1), shift, 1e-12);
    EXPECT_NEAR(top_angle(chevron, 0.27, -0.1), shift, 1e-12);
    EXPECT_NEAR(top_angle(chevron, 0.27, 0.0), 0.0, 1e-12);
  }
}

TEST(Wheel, BalancesOnItsAxis) {
  for (int body = 0; body < 6; ++body)
    for (const GrouserShape shape :
         {GrouserShape::straight, GrouserShape::slanted, GrouserShape::chevron}) {
      WheelDef def = plain(static_cast<WheelBody>(body));
      def.crown = body == 5 ? 0.0 : 0.02;
      const double angle = shape == GrouserShape::straight ? 0.0 : 0.5;
      if (def.body != WheelBody::feet) def = with_grousers(def, shape, angle);
      SCOPED_TRACE(text_of(def));
      const MassProperties solid = mass_properties(make_wheel(def), 1000.0, "wheel");
      // Polygons that repeat around the axis balance to rounding; slanted ones repeat, but facets
      // of left and right are no mirror images.
      EXPECT_NEAR(solid.center.x(), 0.0, 1e-12);
      EXPECT_NEAR(solid.center.z(), 0.0, 1e-12);
      EXPECT_NEAR(solid.center.y(), 0.0, 1e-5);
      const double scale = solid.inertia(1, 1);
      EXPECT_NEAR(solid.inertia(0, 1) / scale, 0.0, 1e-11);
      EXPECT_NEAR(solid.inertia(1, 2) / scale, 0.0, 1e-11);
      EXPECT_NEAR(solid.inertia(0, 2) / scale, 0.0, 1e-4);  // lids: no twelfth turn of themselves
      EXPECT_GT(scale, solid.inertia(0, 0) * (body == 5 ? 1.0 : 0.5));
    }
}

TEST(Wheel, HasTrianglesOfGoodShape) {
  WheelDef def = plain(WheelBody::disc);
  EXPECT_GT(smallest_angle(make_wheel(def)), 20.0 * kPi / 180.0);
  def.body = WheelBody::spokes;
  def = with_grousers(def, GrouserShape::chevron, 0.35);
  EXPECT_GT(smallest_angle(make_wheel(def)), 10.0 * kPi / 180.0);
}

TEST(Wheel, GetsFinerAsAskedFor) {
  WheelDef def = with_grousers(plain(WheelBody::spokes), GrouserShape::chevron, 0.35);
  def.longest_edge = 0.02;
  const auto coarse = static_cast<double>(make_wheel(def).triangle_count());
  def.longest_edge = 0.01;
  const auto fine = static_cast<double>(make_wheel(def).triangle_count());
  EXPECT_NEAR(fine / coarse, 4.0, 1.0);  // twice the cells each way, less what was rounded up
}

TEST(Wheel, KnowsBeforehandHowManyTrianglesThereWillBe) {
  Random random(9);
  for (std::uint32_t n = 0; n < 72; ++n) {
    WheelDef def = random_wheel(n, random);
    def.longest_edge = 0.05 * def.radius;
    SCOPED_TRACE(std::to_string(n) + ": " + text_of(def));
    const double expected = estimated_triangles(resolve_wheel(def, {}, "wheel"));
    const auto actual = static_cast<double>(make_wheel(def).triangle_count());
    EXPECT_GT(expected, 0.8 * actual);  // good enough to refuse, or not, the right wheels
    EXPECT_LT(expected, 2.0 * actual);
  }
}

TEST(Wheel, NamesItsParts) {
  const TriangleMesh mesh =
      make_wheel(with_grousers(plain(WheelBody::spokes), GrouserShape::straight, 0.0));
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"tread", "grousers", "side", "body"}));
  const std::vector<MeshGroup> groups = summarize_groups(mesh);
  // Sides are what is left of two discs; grousers have two flanks, two ends and a top each.
  EXPECT_NEAR(groups[2].area, 2.0 * kPi * (0.0625 - 0.2375 * 0.2375), 1e-3 * groups[2].area);
  const double grouser = 2.0 * 0.02 * 0.2 + 2.0 * 0.02 * 0.01 + 0.01 * 0.2;
  EXPECT_NEAR(groups[1].area, 12.0 * grouser, 1e-2 * groups[1].area);
}

TEST(Wheel, EveryParameterChangesValuesAndMesh) {
  struct Change {
    WheelDef base;
    std::function<void(WheelDef&)> apply;
  };
  const WheelDef disc = plain(WheelBody::disc), spokes = plain(WheelBody::spokes);
  const WheelDef feet = plain(WheelBody::feet);
  const WheelDef cleats = with_grousers(disc, GrouserShape::chevron, 0.2);
  const std::map<std::string, Change> changes = {
      {"radius", {disc, [](WheelDef& w) { w.radius = 0.26; }}},
      {"width", {disc, [](WheelDef& w) { w.width = 0.21; }}},
      {"crown", {disc, [](WheelDef& w) { w.crown = 0.01; }}},
      {"curve",
       {disc,
        [](WheelDef& w) {
          w.curve = {{-1.0, 0.0}, {1.0, 0.01}};
        }}},
      {"body", {disc, [](WheelDef& w) { w.body = WheelBody::drum; }}},
      {"rim_thickness", {disc, [](WheelDef& w) { w.rim_thickness = 0.02; }}},
      {"hub_radius", {disc, [](WheelDef& w) { w.hub_radius = 0.06; }}},
      {"hub_width", {disc, [](WheelDef& w) { w.hub_width = 0.3; }}},
      {"disc_thickness", {disc, [](WheelDef& w) { w.disc_thickness = 0.03; }}},
      {"spoke_count", {spokes, [](WheelDef& w) { w.spoke_count = 5; }}},
      {"spoke_width", {spokes, [](WheelDef& w) { w.spoke_width = 0.03; }}},
      {"spoke_depth", {spokes, [](WheelDef& w) { w.spoke_depth = 0.05; }}},
      {"foot_count", {feet, [](WheelDef& w) { w.foot_count = 4; }}},
      {"foot_length", {feet, [](WheelDef& w) { w.foot_length = 0.1; }}},
      {"foot_height", {feet, [](WheelDef& w) { w.foot_height = 0.03; }}},
      {"foot_chamfer", {feet, [](WheelDef& w) { w.foot_chamfer = 0.01; }}},
      {"grouser_count", {cleats, [](WheelDef& w) { w.grouser_count = 13; }}},
      {"grouser_height", {cleats, [](WheelDef& w) { w.grouser_height = 0.015; }}},
      {"grouser_thickness", {cleats, [](WheelDef& w) { w.grouser_thickness = 0.008; }}},
      {"grouser_shape", {cleats, [](WheelDef& w) { w.grouser_shape = GrouserShape::slanted; }}},
      {"grouser_angle", {cleats, [](WheelDef& w) { w.grouser_angle = 0.3; }}},
      {"grouser_width", {cleats, [](WheelDef& w) { w.grouser_width = 0.1; }}},
      {"grouser_side_angle", {cleats, [](WheelDef& w) { w.grouser_side_angle = 0.1; }}},
      {"grouser_taper", {cleats, [](WheelDef& w) { w.grouser_taper = 0.5; }}},
      {"longest_edge", {disc, [](WheelDef& w) { w.longest_edge = 0.01; }}},
  };
  for (const std::string& key : parameter_table(&disc).keys()) {
    SCOPED_TRACE(key);
    ASSERT_TRUE(changes.count(key));
    const Change& change = changes.at(key);
    WheelDef changed = change.base;
    change.apply(changed);
    EXPECT_NE(text_of(changed), text_of(change.base));
    EXPECT_NE(make_wheel(changed).vertices, make_wheel(change.base).vertices);

    WheelDef back;
    parameter_table(&back).read(parameter_table(&changed).values(changed), back, "wheel");
    EXPECT_EQ(text_of(back), text_of(changed));
  }
}

// May change only together with kWheelVersion.
TEST(Wheel, HasTheSameBitsAsEver) {
  WheelDef def = with_grousers(plain(WheelBody::spokes), GrouserShape::chevron, 0.35);
  def.crown = 0.01;
  def.grouser_taper = 0.3;
  EXPECT_EQ(hash_of(make_wheel(def)), 17819916267001802986ull);
  EXPECT_EQ(hash_of(make_wheel(plain(WheelBody::feet))), 1987725213298433637ull);
  EXPECT_EQ(kWheelVersion, 1);
}

}  // namespace
}  // namespace grouser
