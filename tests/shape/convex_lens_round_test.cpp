// Lenses of cylinders and cones, which are cut into facets.
#include <gtest/gtest.h>

#include "tests/shape/convex_lens_oracle.h"

namespace grouser {
namespace {

using test::even_rotation;
using test::kGround;
using test::lens_of;
using test::pose_at_depth;
using test::random_vector;

/// What the header promises.
constexpr double kFacetError = 0.01;

/// Turned by `angle` about y, its lowest point `depth` below ground.
Pose in_ground(const ConvexShape& shape, double angle, double depth) {
  Pose X{rotation_from_vector({0.0, angle, 0.0}), Vec3::Zero()};
  const Vec3 down = -(X.R.transpose() * Vec3::UnitZ());
  X.p.z() = support_point(shape, down).dot(down) - depth;
  return X;
}

/// What a circle of radius r has below a chord, h above its lowest point.
double segment_area(double r, double h) {
  if (h >= 2.0 * r) return kPi * r * r;
  if (h < 1e-5 * r) return 4.0 / 3.0 * h * std::sqrt(2.0 * r * h);  // the rest is of order h / r
  return r * r * std::acos(1.0 - h / r) - (r - h) * std::sqrt(h * (2.0 * r - h));
}

TEST(RoundLens, OfALyingCylinderIsASegment) {
  const double radius = 0.3, length = 0.8;
  const ConvexShape cylinder = ConvexShape::cylinder(radius, length);
  for (const double depth : {1e-9, 1e-6, 1e-3, 0.03, 0.1, 0.3}) {
    const ConvexLens lens = lens_of(cylinder, in_ground(cylinder, kPi / 2, depth), kGround, {});
    const double volume = length * segment_area(radius, depth);
    const double width = 2.0 * std::sqrt(depth * (2.0 * radius - depth));
    EXPECT_NEAR(lens.volume, volume, kFacetError * volume) << depth;
    EXPECT_NEAR(lens.area, width * length, kFacetError * width * length) << depth;
    EXPECT_LT((lens.normal_W - Vec3::UnitZ()).norm(), 1e-6) << depth;
    EXPECT_LT(lens.center_W.head<2>().norm(), 1e-6 * radius) << depth;
  }
}

TEST(RoundLens, OfAStandingCylinderIsItsFoot) {
  const double radius = 0.3;
  const ConvexShape cylinder = ConvexShape::cylinder(radius, 0.8);
  for (const double depth : {1e-9, 1e-6, 1e-3, 0.03}) {
    const ConvexLens lens = lens_of(cylinder, in_ground(cylinder, 0.0, depth), kGround, {});
    EXPECT_NEAR(lens.area, kPi * radius * radius, 1e-6);  // the facets have the circle's area
    EXPECT_NEAR(lens.depth, depth, 1e-6 * depth);
    // The facets' corners stick out, edges do not reach: the variance is that of a polygon.
    const double variance = radius * radius / 4.0;
    EXPECT_NEAR(lens.covariance_W(0, 0), variance, kFacetError * variance);
    EXPECT_NEAR(lens.covariance_W(1, 1), variance, kFacetError * variance);
  }
}

TEST(RoundLens, OfAConeOnItsApexOrItsBaseIsAPieceOfIt) {
  const double radius = 0.3, length = 0.8;
  const ConvexShape cone = ConvexShape::cone(radius, length);
  for (const double depth : {1e-6, 1e-3, 0.03, 0.2}) {
    const double slope = radius / length;
    const double tip = kPi / 3.0 * slope * slope * std::pow(depth, 3);
    EXPECT_NEAR(lens_of(cone, in_ground(cone, kPi, depth), kGround, {}).volume, tip,
                kFacetError * tip);
    const double rest = radius * (1.0 - depth / length);
    const double foot = kPi / 3.0 * depth * (radius * radius + radius * rest + rest * rest);
    EXPECT_NEAR(lens_of(cone, in_ground(cone, 0.0, depth), kGround, {}).volume, foot,
                kFacetError * foot);
  }
}

/// The body as a hull with many sides, with the volume of the round one.
ConvexShape fine_hull(const ConvexShape& shape) {
  constexpr int kSides = 400;
  const double sector = 2.0 * kPi / kSides;
  const double radius = shape.radius * std::sqrt(sector / std::sin(sector));
  std::vector<Vec3> points;
  for (int k = 0; k < kSides; ++k) {
    const double x = radius * std::cos(sector * k), y = radius * std::sin(sector * k);
    points.emplace_back(x, y, -shape.half_size.z());
    if (shape.kind == ConvexKind::cylinder) points.emplace_back(x, y, shape.half_size.z());
  }
  if (shape.kind == ConvexKind::cone) points.emplace_back(0.0, 0.0, shape.half_size.z());
  return ConvexShape::from_hull(make_convex_hull(points));
}

/// Errors of volume and depth, relative, of many poses, smallest first.
struct Errors {
  std::vector<double> volume, depth;
  double share(const std::vector<double>& errors, double percent) const {
    return errors[static_cast<std::size_t>(percent / 100.0 * double(errors.size() - 1))];
  }
};

/// Against the same bodies with many sides.
Errors errors_of(const ConvexShape& a, const ConvexShape& b, std::uint64_t seed) {
  Random random(seed);
  const ConvexShape fine_a = fine_hull(a);
  const bool b_is_round = b.kind == ConvexKind::cylinder || b.kind == ConvexKind::cone;
  const ConvexShape fine_b = b_is_round ? fine_hull(b) : b;
  Errors errors;
  Scratch scratch;
  for (int i = 0; i < 200; ++i) {
    const Pose X_WA{even_rotation(random), random_vector(random, 1.0)};
    const Pose X_WB = pose_at_depth(a, X_WA, b, random.uniform(0.01, 0.1), random);
    const ConvexContact contact = find_convex_contact(a, X_WA, b, X_WB);
    const ConvexLens lens = find_convex_lens(a, X_WA, b, X_WB, contact, scratch);
    const ConvexLens exact = find_convex_lens(fine_a, X_WA, fine_b, X_WB, contact, scratch);
    errors.volume.push_back(std::abs(lens.volume / exact.volume - 1.0));
    errors.depth.push_back(std::abs(lens.depth / exact.depth - 1.0));
  }
  std::sort(errors.volume.begin(), errors.volume.end());
  std::sort(errors.depth.begin(), errors.depth.end());
  return errors;
}

TEST(RoundLens, IsNearThatOfManySides) {
  const ConvexShape cylinder = ConvexShape::cylinder(0.4, 0.9), cone = ConvexShape::cone(0.5, 0.8);
  const ConvexShape box = ConvexShape::box({1.0, 0.7, 0.4});
  const std::pair<const ConvexShape&, const ConvexShape&> pairs[] = {
      {cylinder, kGround}, {cylinder, box}, {cylinder, cylinder},
      {cone, kGround},     {cone, box},     {cone, cylinder}};
  for (const auto& [a, b] : pairs) {
    const Errors errors = errors_of(a, b, 31);
    for (const auto& of : {errors.volume, errors.depth}) {
      EXPECT_LT(errors.share(of, 95), 0.005);
      EXPECT_LT(errors.share(of, 98), kFacetError);
      EXPECT_LT(of.back(),
                0.1);  // a corner that pokes into the rim of a lid, whose facets are wide
    }
  }
}

/// A cone lying on its side, whose overlap reaches around it near the apex.
TEST(RoundLens, OfALyingConeIsNearThatOfManySides) {
  const ConvexShape cone = ConvexShape::cone(0.3, 0.8);
  const double lying = kPi / 2.0 + std::atan(0.3 / 0.8);
  for (const double depth : {1e-6, 1e-4, 1e-2, 0.1}) {
    // Segments of circles in planes across the axis are ellipses' in the ground's; summed instead
    // over sections at right angles to the axis.
    const double lean = lying - kPi / 2.0;
    double volume = 0.0;
    constexpr int kSlices = 20000;
    for (int i = 0; i < kSlices; ++i) {
      const double z = 0.8 * (i + 0.5) / kSlices;
      volume += 0.8 / kSlices * segment_area(0.3 * z / 0.8, depth / std::cos(lean));
    }
    const ConvexLens lens = lens_of(cone, in_ground(cone, lying, depth), kGround, {});
    EXPECT_NEAR(lens.volume, volume, kFacetError * volume) << depth;
  }
}

}  // namespace
}  // namespace grouser
