// Elements from input: what is refused, what a spline promises, and their meshes.
#include <gtest/gtest.h>

#include <limits>

#include "grouser/base/error.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/shape/element_mesh.h"
#include "tests/shape/element_oracle.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

using Points = std::vector<Vec3>;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class Call>
void expect_refused(const Call& call, const std::string& part) {
  EXPECT_TRUE(contains(message_of<InputError>(call), part));
}

TEST(ElementInput, RefusesPolygonsThatAreNone) {
  const auto polygon = [](const Points& points) { return [=] { Polygon{points}; }; };
  expect_refused(polygon({{0, 0, 0}, {1, 0, 0}}), "at least 3 points, has 2");
  expect_refused(polygon({{0, 0, 0}, {1, 0, 0}, {1, kNan, 0}}), "point 3");
  expect_refused(polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 0, 0}}), "points 2 and 4");
  expect_refused(polygon({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}), "on a line");
  expect_refused(polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}}), "not in a plane");
  expect_refused(polygon({{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}), "edges 1 and 3");
  expect_refused(polygon({{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, -1, 0}, {0, 4, 0}}),
                 "edges 1 and 3 of the polygon cross");
  expect_refused(polygon({{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {1, 1, 0}}), "lie on each other");
}

TEST(ElementInput, RefusesCurvesThatAreNone) {
  expect_refused([] { Polyline({{0, 0, 0}}); }, "at least 2 points, has 1");
  expect_refused([] { Polyline({{0, 0, 0}, {1, 0, 0}}, true); }, "at least 3 points");
  expect_refused([] { Polyline({{0, 0, 0}, {0, 0, 0}}); }, "points 1 and 2 coincide");
  expect_refused(
      [] {
        Polyline({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, true);
      },
      "repeats the first");
  expect_refused([] { Spline::natural({{0, 0, 0}}); }, "at least 2 points");
  expect_refused([] { Spline::natural({{0, 0, 0}, {kNan, 0, 0}}); }, "not finite");
  expect_refused([] { Spline::periodic({{0, 0, 0}, {1, 0, 0}}); }, "at least 3 points");
  expect_refused(
      [] {
        Spline::periodic({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}});
      },
      "repeats the first");
  expect_refused(
      [] {
        Spline::clamped({{0, 0, 0}, {1, 0, 0}}, Vec3::Zero(), Vec3::UnitX());
      },
      "has no length");
}

TEST(ElementInput, RefusesSegmentsDiscsAndFrustaThatAreNone) {
  expect_refused([] { require_usable(Segment{Vec3::Ones(), Vec3::Ones()}); }, "no length");
  expect_refused([] { require_usable(Disc{-1.0}); }, "must be positive, is -1");
  expect_refused([] { require_usable(Disc{1.0, 1.5}); }, "must be below");
  expect_refused([] { require_usable(Disc{kNan}); }, "not finite");
  expect_refused([] { require_usable(Frustum{0.1, -0.1, 1.0}); }, "must not be negative");
  expect_refused([] { require_usable(Frustum{0.1, 0.1, 0.0}); }, "height");
  expect_refused([] { require_usable(Frustum{0.0, 0.0, 1.0}); }, "one of the radii");
  EXPECT_NO_THROW(require_usable(Frustum{0.1, 0.0, 1.0}));
}

TEST(Spline, GoesThroughItsPointsWithContinuousCurvature) {
  Random random(1);
  const Points points = test::random_way(random, 9);
  const Vec3 first(1.0, 0.0, 0.0), last(0.0, 2.0, 0.0);
  for (const Spline& spline :
       {Spline::natural(points), Spline::periodic(points), Spline::clamped(points, first, last)}) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double t = spline.knots()[i], h = 1e-9;
      EXPECT_LT((spline.at(t) - points[i]).norm(), 1e-14);
      if (i == 0 || i + 1 == points.size()) continue;
      // Slopes of the third derivative, up to 1e5, times the step.
      EXPECT_LT((spline.slope_at(t + h) - spline.slope_at(t - h)).norm(), 1e-5);
      EXPECT_LT((spline.curve_at(t + h) - spline.curve_at(t - h)).norm(), 1e-3);
    }
  }
}

TEST(Spline, EndsAsItIsToldTo) {
  Random random(2);
  const Points points = test::random_way(random, 7);
  const Spline natural = Spline::natural(points);
  EXPECT_LT(natural.curve_at(0.0).norm(), 1e-9);  // rounding of curvatures of about 100 per metre
  EXPECT_LT(natural.curve_at(natural.end()).norm(), 1e-9);
  const Spline clamped = Spline::clamped(points, {0.0, 3.0, 0.0}, {0.0, 0.0, -2.0});
  EXPECT_LT((clamped.slope_at(0.0) - Vec3::UnitY()).norm(), 1e-12);
  EXPECT_LT((clamped.slope_at(clamped.end()) + Vec3::UnitZ()).norm(), 1e-12);
  const Spline periodic = Spline::periodic(points);
  const double end = periodic.end(), h = 1e-12 * end;
  EXPECT_LT((periodic.at(end) - points[0]).norm(), 1e-14);
  EXPECT_LT((periodic.slope_at(end - h) - periodic.slope_at(0.0)).norm(), 1e-8);
  EXPECT_LT((periodic.curve_at(end - h) - periodic.curve_at(0.0)).norm(), 1e-5);
}

TEST(Spline, ThroughPointsOfACircleIsNearlyOne) {
  Points circle;
  for (int i = 0; i < 32; ++i) {
    circle.emplace_back(0.1 * std::cos(kPi * i / 16), 0.1 * std::sin(kPi * i / 16), 0.0);
  }
  const Spline spline = Spline::periodic(circle);
  for (double t = 0.0; t < spline.end(); t += 1e-3) {
    // Interpolation error of a cubic: chord^4 / 384 of the fourth derivative 0.1 / 0.1^4.
    EXPECT_NEAR(spline.at(t).norm(), 0.1, 1e-6);
  }
}

TEST(Polygon, HasTrianglesThatCoverItOnce) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Polygon polygon = test::random_polygon(random);
    double area = 0.0;
    for (const auto& [a, b, c] : polygon.triangles()) {
      const auto at = [&](std::int32_t k) { return polygon.points()[static_cast<std::size_t>(k)]; };
      const double part = 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).dot(polygon.normal());
      EXPECT_GT(part, 0.0);
      area += part;
    }
    EXPECT_NEAR(area, polygon.area(), 1e-14);
  }
}

/// Closed, outward, and of this volume.
void expect_solid(const TriangleMesh& mesh, double volume, double relative) {
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_NEAR(signed_volume(mesh), volume, relative * volume);
}

TEST(ElementMesh, IsClosedAndAsLargeAsTheElement) {
  // Tubes have 16 sides: 1 - (sin x) / x of the area with x = 2 pi / 16, and rougher ends.
  const double r = 0.01;
  expect_solid(mesh_of(Segment{{0, 0, 0}, {0, 0.3, 0.4}}, r), kPi * r * r * (0.5 + 4.0 / 3.0 * r),
               0.04);
  // 96 sides around the axis.
  expect_solid(mesh_of(Disc{0.2}, r), kPi * 0.04 * 2.0 * r, 0.002);
  expect_solid(mesh_of(Disc{0.2, 0.1}, r), kPi * 0.03 * 2.0 * r, 0.002);
  expect_solid(mesh_of(Frustum{0.2, 0.2, 0.5}, r), 2.0 * kPi * 0.2 * 0.5 * 2.0 * r, 0.002);
  expect_solid(mesh_of(Polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0.2, 0.3, 0}}), r), 0.55 * 2 * r,
               1e-9);
  Points circle;
  for (int i = 0; i < 24; ++i) {
    circle.emplace_back(0.3 * std::cos(kPi * i / 12), 0.3 * std::sin(kPi * i / 12), 0.0);
  }
  const double torus = 2.0 * kPi * 0.3 * kPi * r * r;
  expect_solid(mesh_of(Polyline(circle, true), r), torus, 0.05);
  expect_solid(mesh_of(Spline::periodic(circle), r), torus, 0.03);
  EXPECT_TRUE(take_census(mesh_of(Frustum{0.1, 0.0, 0.2}, 0.0)).closed());
}

}  // namespace
}  // namespace grouser
