#include "grouser/soil/lower_envelope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "grouser/assets/rock.h"
#include "grouser/assets/wheel.h"
#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/mesh/refinement.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Picture {
  GridWindow window;
  double spacing = 0.0;
  std::vector<double> height, coverage;

  double area() const {
    double sum = 0.0;
    for (const double share : coverage) sum += share;
    return sum * spacing * spacing;
  }
};

Picture empty_picture(const LowerEnvelope::Request& request) {
  return {request.window, request.spacing, std::vector<double>(request.window.size(), -7.0),
          std::vector<double>(request.window.size(), -7.0)};
}

Picture find(const LowerEnvelope& envelope, const LowerEnvelope::Request& request) {
  Scratch scratch;
  Picture picture = empty_picture(request);
  envelope.find(request, scratch, picture.height, picture.coverage);
  return picture;
}

LowerEnvelope::Request request_for(const LowerEnvelope& envelope, const Pose& X_TB, double spacing,
                                   double ceiling = kInfinity) {
  return {X_TB, spacing, envelope.window(X_TB, spacing), ceiling};
}

Pose random_pose(Random& random, double range = 0.1) {
  const auto coordinate = [&] { return random.uniform(-1.0, 1.0); };
  const Quat q(coordinate(), coordinate(), coordinate(), coordinate());
  return make_pose(range * Vec3(coordinate(), coordinate(), coordinate()), q);
}

double lowest_vertex(const TriangleMesh& mesh, const Pose& X_TB) {
  double lowest = kInfinity;
  for (const Vec3& p : mesh.vertices) lowest = std::min(lowest, (X_TB * p).z());
  return lowest;
}

TriangleMesh wheel(GrouserShape shape) {
  WheelDef wheel;
  wheel.radius = 0.25;
  wheel.width = 0.2;
  wheel.grouser_count = 24;
  wheel.grouser_height = 0.015;
  wheel.grouser_thickness = 0.004;
  wheel.grouser_shape = shape;
  if (shape != GrouserShape::straight) wheel.grouser_angle = 0.3;
  wheel.longest_edge = 0.04;
  return make_wheel(wheel);
}

/// A sheet with hills, two triangles per cell, that looks up.
TriangleMesh wavy_sheet() {
  TriangleMesh mesh = make_plane({.size_x = 0.5, .size_y = 0.4, .cells_x = 12, .cells_y = 10});
  for (Vec3& p : mesh.vertices) p.z() = 0.05 * std::sin(15.0 * p.x()) * std::cos(11.0 * p.y());
  return mesh;
}

struct Shape {
  const char* name;
  TriangleMesh mesh;
};
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"sphere", make_sphere({.radius = 0.2, .triangles = 500})},
      {"fine sphere", make_sphere({.radius = 0.1, .triangles = 8000})},
      {"box", make_box({.size = {0.4, 0.3, 0.2}})},
      {"large box", make_box({.size = {1.5, 0.02, 1.2}})},
      {"divided box", make_box({.size = {0.4, 0.3, 0.2}, .divisions = 7})},
      {"torus", make_torus({.major_radius = 0.2, .minor_radius = 0.06, .triangles = 1024})},
      {"cylinder", make_cylinder({.radius = 0.15, .length = 0.3, .segments = 40})},
      {"rock", make_rock({.size = {0.4, 0.3, 0.2}, .triangles = 500})},
      {"wheel", wheel(GrouserShape::straight)},
      {"chevron wheel", wheel(GrouserShape::chevron)},
      {"plane", make_plane({.size_x = 0.4, .size_y = 0.3, .cells_x = 3, .cells_y = 4})},
      {"wavy sheet", wavy_sheet()},
  };
  return all;
}

// -------------------------------------------------------------------------------------------------
// The same by hand: every triangle against every node and cell.

/// The corners of a triangle, z up, x and y in nodes of the window.
using Corners = std::vector<Vec3>;
std::vector<Corners> placed(const TriangleMesh& mesh, const LowerEnvelope::Request& request) {
  std::vector<Corners> out;
  const Vec3 start(request.spacing * static_cast<double>(request.window.ix0),
                   request.spacing * static_cast<double>(request.window.iy0), 0.0);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    Corners corners;
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = request.X_TB.R * mesh.corner(t, k) + (request.X_TB.p - start);
      corners.emplace_back(p.x() / request.spacing, p.y() / request.spacing, p.z());
    }
    out.push_back(corners);
  }
  return out;
}

/// Area of the projection; positive if it looks up.
double area_above(const Corners& corners) {
  double twice = 0.0;
  for (std::size_t k = 2; k < corners.size(); ++k)
    twice += (corners[k - 1] - corners[0]).cross(corners[k] - corners[0]).z();
  return 0.5 * twice;
}

/// The part of a polygon where normal . p <= limit (Sutherland and Hodgman 1974).
Corners clipped(const Corners& corners, const Vec3& normal, double limit) {
  Corners out;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3 &a = corners[k], &b = corners[(k + 1) % corners.size()];
    const double da = normal.dot(a) - limit, db = normal.dot(b) - limit;
    if (da <= 0.0) out.push_back(a);
    if ((da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0))
      out.push_back(a + da / (da - db) * (b - a));
  }
  return out;
}

/// By how much a triangle may count as lower than it is: a wall, by half a cell of its slopes.
double drop_by_hand(const Corners& c, double spacing) {
  const Vec3 normal = (c[1] - c[0]).cross(c[2] - c[0]);
  const Vec2 rise = -normal.head<2>() / normal.z();  // [m] per cell
  return rise.cwiseAbs().maxCoeff() > 20.0 * spacing ? 0.5 * rise.cwiseAbs().sum() : 0.0;
}

/// Heights over the nodes, and how low they may be instead because of walls.
struct HeightsByHand {
  std::vector<double> height, least;
};
HeightsByHand heights_by_hand(const TriangleMesh& mesh, const LowerEnvelope::Request& request) {
  std::vector<double> height(request.window.size(), kInfinity), least = height;
  for (const Corners& c : placed(mesh, request)) {
    const double area = area_above(c);
    if (area == 0.0) continue;
    Box box;
    for (const Vec3& p : c) box.add(p);
    const int last_x = std::min(request.window.nx - 1, static_cast<int>(box.upper.x()) + 1);
    const int last_y = std::min(request.window.ny - 1, static_cast<int>(box.upper.y()) + 1);
    for (int iy = std::max(0, static_cast<int>(box.lower.y())); iy <= last_y; ++iy)
      for (int ix = std::max(0, static_cast<int>(box.lower.x())); ix <= last_x; ++ix) {
        const Vec3 node(ix, iy, 0.0);
        double z = 0.0;
        bool inside = true;
        for (std::size_t k = 0; k < 3; ++k) {
          const double part = area_above({node, c[(k + 1) % 3], c[(k + 2) % 3]}) / area;
          inside = inside && part >= 0.0;
          z += part * c[k].z();
        }
        if (!inside) continue;
        const auto i = static_cast<std::size_t>(iy * request.window.nx + ix);
        height[i] = std::min(height[i], z);
        least[i] = std::min(least[i], z - drop_by_hand(c, request.spacing));
      }
  }
  return {height, least};
}

/// Shares of the cells below all triangles that look down, or all that look up.
std::vector<double> shares_by_hand(const TriangleMesh& mesh, const LowerEnvelope::Request& request,
                                   bool up) {
  std::vector<double> shares(request.window.size(), 0.0);
  for (const Corners& whole : placed(mesh, request)) {
    if (up != (area_above(whole) > 0.0)) continue;
    const Corners low = clipped(whole, Vec3::UnitZ(), request.ceiling + request.spacing);
    Box box;
    for (const Vec3& p : low) box.add(p);
    if (box.empty()) continue;
    const int last_x = std::min(request.window.nx - 1, static_cast<int>(box.upper.x()) + 1);
    const int last_y = std::min(request.window.ny - 1, static_cast<int>(box.upper.y()) + 1);
    for (int iy = std::max(0, static_cast<int>(box.lower.y()) - 1); iy <= last_y; ++iy) {
      const Corners row = clipped(clipped(low, Vec3::UnitY(), iy + 0.5), -Vec3::UnitY(), 0.5 - iy);
      for (int ix = std::max(0, static_cast<int>(box.lower.x()) - 1); ix <= last_x; ++ix) {
        const Corners part =
            clipped(clipped(row, Vec3::UnitX(), ix + 0.5), -Vec3::UnitX(), 0.5 - ix);
        shares[static_cast<std::size_t>(iy * request.window.nx + ix)] += std::abs(area_above(part));
      }
    }
  }
  return shares;
}

std::vector<double> coverage_by_hand(const TriangleMesh& mesh,
                                     const LowerEnvelope::Request& request) {
  std::vector<double> shares = shares_by_hand(mesh, request, false);
  if (!take_census(mesh).closed()) {
    const std::vector<double> other = shares_by_hand(mesh, request, true);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = std::max(shares[i], other[i]);
  }
  for (double& share : shares) share = std::min(share, 1.0);
  return shares;
}

void expect_as_by_hand(const Shape& shape, const LowerEnvelope& envelope,
                       const LowerEnvelope::Request& request) {
  const Picture picture = find(envelope, request);
  const auto [heights, least] = heights_by_hand(shape.mesh, request);
  const std::vector<double> coverage = coverage_by_hand(shape.mesh, request);
  for (std::size_t i = 0; i < heights.size(); ++i) {
    SCOPED_TRACE(::testing::Message() << shape.name << ", spacing " << request.spacing << ", node "
                                      << i << ", height " << heights[i]);
    // Steep triangles: rounding of the place (1e-15 m) times their slope.
    if (heights[i] <= request.ceiling && heights[i] < kInfinity) {
      ASSERT_LE(picture.height[i], heights[i] + 1e-11);
      ASSERT_GE(picture.height[i], least[i] - 1e-11);
    }
    // Sums of as many as a hundred pieces around the outline.
    ASSERT_NEAR(picture.coverage[i], coverage[i], 1e-11);
    ASSERT_EQ(picture.height[i] == kInfinity, picture.coverage[i] == 0.0);
  }
}

// -------------------------------------------------------------------------------------------------

TEST(GridWindow, CountsItsNodesRowByRow) {
  const GridWindow window{-3, 5, 4, 2};
  EXPECT_EQ(window.size(), 8u);
  EXPECT_EQ(window.index(-3, 5), 0u);
  EXPECT_EQ(window.index(0, 6), 7u);
  EXPECT_TRUE(window.contains(0, 6));
  EXPECT_FALSE(window.contains(1, 6));
  EXPECT_FALSE(window.contains(-3, 7));
  EXPECT_FALSE(window.contains(-4, 5));
  EXPECT_EQ(GridWindow{}.size(), 0u);
  EXPECT_TRUE(GridWindow{}.empty());
}

TEST(LowerEnvelope, IsThatOfAllTrianglesInAnyPose) {
  Random random(1);
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    for (const double spacing : {0.01, 0.037, 0.3})
      for (int k = 0; k < 4; ++k)
        expect_as_by_hand(shape, envelope, request_for(envelope, random_pose(random), spacing));
  }
}

TEST(LowerEnvelope, IsThatOfAllTrianglesInPosesAlongTheGrid) {
  // Edges and corners lie on nodes and on the borders of cells, sides are upright.
  const Shape box{"box", make_box({.size = {0.4, 0.3, 0.2}, .divisions = 4})};
  const Shape plane{"plane",
                    make_plane({.size_x = 0.4, .size_y = 0.3, .cells_x = 4, .cells_y = 3})};
  for (const double spacing : {0.0125, 0.025, 0.05, 0.1})
    for (const double offset : {0.0, 0.25, 0.5})
      for (const double quarter_turns : {0.0, 0.5, 1.0}) {
        Pose X_TB{rotation_from_vector(quarter_turns * kPi / 2.0 * Vec3::UnitZ()),
                  offset * spacing * Vec3(1.0, 1.0, 0.0)};
        for (const Shape* shape : {&box, &plane}) {
          const LowerEnvelope envelope(shape->mesh);
          const auto request = request_for(envelope, X_TB, spacing);
          const Picture picture = find(envelope, request);
          const std::vector<double> coverage = coverage_by_hand(shape->mesh, request);
          const double floor = shape == &box ? -0.1 : 0.0;
          for (std::size_t i = 0; i < coverage.size(); ++i) {
            ASSERT_NEAR(picture.coverage[i], coverage[i], 1e-12);  // rounding
            if (coverage[i] > 1e-9) {
              ASSERT_NEAR(picture.height[i], floor, 1e-15);
            }
          }
        }
      }
}

TEST(LowerEnvelope, OfAWallDoesNotDependOnHowItLeans) {
  // The sides of the box are 20 um beyond a row of nodes, or before it, as it leans one way or the
  // other: their height is that of the box's bottom all the time.
  const LowerEnvelope box(make_box({.size = {0.4, 0.3, 0.2}}));
  for (const double angle : {-1e-2, -1e-3, -1e-4, 0.0, 1e-4, 1e-3, 1e-2})
    for (const double offset : {-2e-5, 0.0, 2e-5}) {
      const Pose X_TB{rotation_from_vector(angle * Vec3::UnitX()), Vec3(0.0, offset, 0.1)};
      const auto request = request_for(box, X_TB, 0.01, 0.05);
      const Picture picture = find(box, request);
      for (const double y : {-0.15, 0.15}) {
        const std::size_t i = request.window.index(0, std::lround(y / 0.01));
        ASSERT_NEAR(picture.coverage[i], 0.5, 0.2);
        // The corner: 0.1 m below and 0.15 m beside the middle. It is 1 mm off the node at most.
        ASSERT_NEAR(picture.height[i], 0.1 - 0.1 * std::cos(angle) + y * std::sin(angle),
                    1.1e-3 * std::abs(angle) + 1e-12)
            << angle << " " << offset << " " << y;
      }
    }
}

TEST(LowerEnvelope, OfAWheelsSideDoesNotDependOnHowItLeans) {
  // A wheel of 0.2 m between two rows of nodes, with steep grousers: whether its sides are a hair
  // beyond the nodes or before them, the heights there are those of tread and grousers.
  const auto preset = std::find_if(wheel_presets().begin(), wheel_presets().end(),
                                   [](const WheelPreset& p) { return p.name == "viper"; });
  ASSERT_NE(preset, wheel_presets().end());
  const LowerEnvelope wheel(make_wheel(preset->wheel));
  constexpr double kLean = 1e-6;
  for (int k = 0; k < 40; ++k) {
    const double turn = 0.011 * k;
    const auto heights = [&](double lean) {
      const Mat3 R =
          rotation_from_vector(lean * Vec3::UnitX()) * rotation_from_vector(turn * Vec3::UnitY());
      const auto request = request_for(wheel, {R, Vec3(0.0, 0.0, 0.25)}, 0.01, 0.1);
      const Picture picture = find(wheel, request);
      std::vector<double> row;
      for (const std::int64_t iy : {-10, 10})
        for (std::int64_t ix = -8; ix <= 8; ++ix)
          row.push_back(picture.height[request.window.index(ix, iy)]);
      return row;
    };
    const std::vector<double> out = heights(kLean), in = heights(-kLean);
    for (std::size_t i = 0; i < out.size(); ++i) {
      // It moves by 0.25 kLean, and faces up to 40:1 count as they are.
      ASSERT_NEAR(out[i], in[i], 40.0 * kLean) << turn << " " << i;
    }
  }
}

TEST(LowerEnvelope, LosesNothingBelowTheCeiling) {
  Random random(2);
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    for (int k = 0; k < 6; ++k) {
      const Pose X_TB = random_pose(random);
      const double ceiling = lowest_vertex(shape.mesh, X_TB) + random.uniform(0.0, 0.15);
      const auto request = request_for(envelope, X_TB, 0.015, ceiling);
      expect_as_by_hand(shape, envelope, request);
      // The window of the part below the ceiling holds all nodes that matter.
      const GridWindow low = envelope.window(X_TB, 0.015, ceiling);
      const Picture all = find(envelope, request);
      for (std::int64_t iy = 0; iy < request.window.ny; ++iy)
        for (std::int64_t ix = 0; ix < request.window.nx; ++ix)
          if (all.height[static_cast<std::size_t>(iy * request.window.nx + ix)] <= ceiling) {
            ASSERT_TRUE(low.contains(request.window.ix0 + ix, request.window.iy0 + iy));
          }
    }
  }
}

TEST(LowerEnvelope, LosesNoSteepPartOfASheetBelowAnotherOne) {
  const Shape sheet{"wavy sheet", wavy_sheet()};
  const LowerEnvelope envelope(sheet.mesh);
  Random random(3);
  for (int k = 0; k < 200; ++k) {
    const Pose X_TB = random_pose(random);
    const double ceiling = lowest_vertex(sheet.mesh, X_TB) + random.uniform(0.0, 0.15);
    expect_as_by_hand(sheet, envelope, request_for(envelope, X_TB, 0.015, ceiling));
  }
}

TEST(LowerEnvelope, DoesNotDependOnTheCeilingWhereTheBodyIsFlat) {
  const LowerEnvelope sphere(make_sphere({.radius = 0.2, .triangles = 2000}));
  Random random(3);
  const Pose X_TB = random_pose(random);
  const auto request = request_for(sphere, X_TB, 0.01);
  auto low_request = request;
  low_request.ceiling = X_TB.p.z() - 0.17;
  const Picture all = find(sphere, request), low = find(sphere, low_request);
  int below = 0;
  for (std::size_t i = 0; i < all.height.size(); ++i) {
    if (all.height[i] > low_request.ceiling) continue;
    ++below;
    EXPECT_EQ(all.height[i], low.height[i]);
    EXPECT_NEAR(all.coverage[i], low.coverage[i], 1e-13);  // sums over other outlines
  }
  EXPECT_GT(below, 200);
}

TEST(LowerEnvelope, CoversTheProjectedAreaOfABox) {
  const Vec3 size(0.4, 0.3, 0.2);
  const Vec3 sides(size.y() * size.z(), size.z() * size.x(), size.x() * size.y());
  const LowerEnvelope box(make_box({.size = size, .divisions = 3}));
  Random random(4);
  for (int k = 0; k < 200; ++k) {
    const Pose X_TB = random_pose(random);
    const double area = X_TB.R.row(2).cwiseAbs().dot(sides);
    const double spacing = std::exp(random.uniform(std::log(0.003), std::log(0.5)));
    const Picture picture = find(box, request_for(box, X_TB, spacing));
    EXPECT_NEAR(picture.area(), area, 1e-12 * area);
  }
}

TEST(LowerEnvelope, JoinsTrianglesOfOnePlane) {
  EXPECT_EQ(LowerEnvelope(make_box({.size = {0.4, 0.3, 0.2}, .divisions = 9})).face_count(), 6u);
  EXPECT_EQ(LowerEnvelope(make_plane({.size_x = 1.0, .size_y = 2.0, .cells_x = 30, .cells_y = 20}))
                .face_count(),
            1u);
  const TriangleMesh sphere = make_sphere({.radius = 1.0, .triangles = 320});
  EXPECT_EQ(LowerEnvelope(sphere).face_count(), 320u);

  // Finer triangles of the same surface: the same picture.
  Random random(5);
  const LowerEnvelope coarse(sphere), fine(subdivided(sphere, 2));
  const auto request = request_for(coarse, random_pose(random), 0.05);
  const Picture a = find(coarse, request), b = find(fine, request);
  for (std::size_t i = 0; i < a.height.size(); ++i) {
    if (a.height[i] < kInfinity) {
      EXPECT_NEAR(a.height[i], b.height[i], 1e-12);  // of the middles
    }
    EXPECT_NEAR(a.coverage[i], b.coverage[i], 1e-12);
  }
}

TEST(LowerEnvelope, IsTheSameFarFromTheOrigin) {
  Random random(6);
  const double spacing = 0.0078125;  // 2^-7: the shift below is exact
  const std::int64_t shift = std::int64_t{1} << 20;
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    Pose X_TB = random_pose(random);
    X_TB.p = (X_TB.p * 0x1p30).array().round() * 0x1p-30;  // has room for the shift
    auto near = request_for(envelope, X_TB, spacing);
    auto far = near;
    far.X_TB.p += static_cast<double>(shift) * spacing * Vec3(1.0, -1.0, 0.0);
    far.window.ix0 += shift;
    far.window.iy0 -= shift;
    const Picture a = find(envelope, near), b = find(envelope, far);
    EXPECT_EQ(a.height, b.height) << shape.name;
    EXPECT_EQ(a.coverage, b.coverage) << shape.name;
    EXPECT_EQ(envelope.window(far.X_TB, spacing), far.window) << shape.name;
  }
}

TEST(LowerEnvelope, IsTheSameFarFromTheOriginWithAnySpacing) {
  const LowerEnvelope rock(make_rock({.size = {0.4, 0.3, 0.2}}));
  Random random(7);
  const Pose X_TB = random_pose(random);
  const auto near = request_for(rock, X_TB, 0.01);
  auto far = near;
  far.X_TB.p += Vec3(1e4, -1e4, 0.0);
  far.window.ix0 += 1000000;
  far.window.iy0 -= 1000000;
  const Picture a = find(rock, near), b = find(rock, far);
  for (std::size_t i = 0; i < a.height.size(); ++i) {
    // The place of the body is rounded to 1e-12 m; slopes at the outline are steep.
    if (a.coverage[i] == 1.0) {
      EXPECT_NEAR(a.height[i], b.height[i], 1e-9);
    }
    EXPECT_NEAR(a.coverage[i], b.coverage[i], 1e-9);
  }
}

TEST(LowerEnvelope, HasTheSameNumbersInASmallerWindow) {
  Random random(8);
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    const auto request = request_for(envelope, random_pose(random), 0.02);
    const Picture all = find(envelope, request);
    for (int k = 0; k < 50; ++k) {
      auto part_request = request;
      GridWindow& part = part_request.window;
      part.ix0 += static_cast<int>(random.below(static_cast<std::uint32_t>(part.nx)));
      part.iy0 += static_cast<int>(random.below(static_cast<std::uint32_t>(part.ny)));
      part.nx = 1 + static_cast<int>(random.below(9));
      part.ny = 1 + static_cast<int>(random.below(9));
      const Picture some = find(envelope, part_request);
      for (std::int64_t iy = part.iy0; iy < part.iy0 + part.ny; ++iy)
        for (std::int64_t ix = part.ix0; ix < part.ix0 + part.nx; ++ix) {
          const bool known = request.window.contains(ix, iy);
          const std::size_t here = part.index(ix, iy);
          const double height = known ? all.height[request.window.index(ix, iy)] : kInfinity;
          const double coverage = known ? all.coverage[request.window.index(ix, iy)] : 0.0;
          ASSERT_NEAR(some.coverage[here], coverage, 1e-12) << shape.name;  // rounding
          if (coverage > 1e-9) {
            ASSERT_NEAR(some.height[here], height, 1e-12) << shape.name;
          }
        }
    }
  }
}

TEST(LowerEnvelope, IsExactUnderABodyMuchLargerThanTheWindow) {
  const LowerEnvelope slab(make_box({.size = {2000.0, 1000.0, 10.0}}));
  const Pose X_TB{rotation_from_vector(Vec3(0.2, -0.1, 0.3)), Vec3(3.0, 1.0, 2.0)};
  const GridWindow window{-12, 40, 25, 17};
  const Picture picture = find(slab, {X_TB, 0.01, window, kInfinity});
  // The lower side: all points p with n . (p - p0) = 0.
  const Vec3 n = -X_TB.R.col(2), p0 = X_TB * Vec3(0.0, 0.0, -5.0);
  for (int iy = 0; iy < window.ny; ++iy)
    for (int ix = 0; ix < window.nx; ++ix) {
      const double x = 0.01 * (-12 + ix) - p0.x(), y = 0.01 * (40 + iy) - p0.y();
      const auto i = static_cast<std::size_t>(iy * window.nx + ix);
      EXPECT_NEAR(picture.height[i], p0.z() - (n.x() * x + n.y() * y) / n.z(), 1e-11);  // 1 km away
      EXPECT_NEAR(picture.coverage[i], 1.0, 1e-10);  // rounding of 100,000 cells
    }
}

TEST(LowerEnvelope, CoverageChangesContinuously) {
  const TriangleMesh mesh = wheel(GrouserShape::straight);
  const LowerEnvelope envelope(mesh);
  const double spacing = 0.01, step = 1e-7;
  Random random(9);
  Pose X_TB{rotation_from_vector(Vec3(0.02, 0.3, 0.1)), Vec3::Zero()};
  auto request = request_for(envelope, X_TB, spacing);
  request.ceiling = lowest_vertex(mesh, X_TB) + 0.05;
  for (int k = 0; k < 200; ++k) {
    request.X_TB.p += Vec3(random.uniform(), random.uniform(), random.uniform()) * spacing * 0.1;
    auto moved = request;
    moved.X_TB.p += step * Vec3(random.uniform(), random.uniform(), random.uniform() - 0.5);
    const Picture a = find(envelope, request), b = find(envelope, moved);
    // An outline through the cell moves by the step, a cut at the ceiling by twice as much, and
    // there are no more than five such lines in a cell, each no longer than its diagonal.
    for (std::size_t i = 0; i < a.coverage.size(); ++i)
      ASSERT_NEAR(a.coverage[i], b.coverage[i], 20.0 * step / spacing);
  }
}

TEST(LowerEnvelope, SeesASheetFromBothSides) {
  const LowerEnvelope sheet(make_plane({.size_x = 0.4, .size_y = 0.3}));
  EXPECT_FALSE(sheet.closed());
  for (const double angle : {0.0, kPi}) {
    const Pose X_TB{rotation_from_vector(angle * Vec3::UnitX()), Vec3(0.003, 0.002, 0.5)};
    const Picture picture = find(sheet, request_for(sheet, X_TB, 0.01));
    EXPECT_NEAR(picture.area(), 0.12, 1e-14);  // rounding
    for (const double height : picture.height)
      if (height < kInfinity) {
        EXPECT_NEAR(height, 0.5, 1e-15);
      }
  }
  // Upright it covers nothing.
  const Pose upright{rotation_from_vector(kPi / 2.0 * Vec3::UnitX()), Vec3(0.003, 0.002, 0.5)};
  EXPECT_NEAR(find(sheet, request_for(sheet, upright, 0.01)).area(), 0.0, 1e-14);
}

TEST(LowerEnvelope, OfABodyWithAHoleIsThatOfTheBody) {
  TriangleMesh mesh = make_sphere({.radius = 0.2, .triangles = 500});
  const LowerEnvelope whole(mesh);
  const auto top = std::max_element(mesh.triangles.begin(), mesh.triangles.end(),
                                    [&](const auto& a, const auto& b) {
                                      return mesh.vertices[static_cast<std::size_t>(a[0])].z() <
                                             mesh.vertices[static_cast<std::size_t>(b[0])].z();
                                    });
  mesh.triangles.erase(top);
  const LowerEnvelope cracked(mesh);
  EXPECT_TRUE(whole.closed());
  EXPECT_FALSE(cracked.closed());
  const auto request = request_for(whole, Pose{}, 0.01);
  const Picture a = find(whole, request), b = find(cracked, request);
  for (std::size_t i = 0; i < a.height.size(); ++i) {
    EXPECT_NEAR(a.coverage[i], b.coverage[i], 1e-12);  // rounding
    if (a.height[i] < kInfinity) {
      EXPECT_NEAR(a.height[i], b.height[i], 1e-12);
    }
  }
}

TEST(LowerEnvelope, HoldsNoBodyOutsideItsWindow) {
  Random random(10);
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    auto request = request_for(envelope, random_pose(random), 0.03);
    const GridWindow tight = request.window;
    request.window = {tight.ix0 - 4, tight.iy0 - 4, tight.nx + 8, tight.ny + 8};
    const Picture picture = find(envelope, request);
    for (std::int64_t iy = 0; iy < request.window.ny; ++iy)
      for (std::int64_t ix = 0; ix < request.window.nx; ++ix) {
        const std::int64_t x = request.window.ix0 + ix, y = request.window.iy0 + iy;
        if (!tight.contains(x, y)) {
          ASSERT_EQ(picture.coverage[request.window.index(x, y)], 0.0);
        }
      }
  }
}

TEST(LowerEnvelope, LowestIsALowerBound) {
  Random random(11);
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    for (int k = 0; k < 20; ++k) {
      const Pose X_TB = random_pose(random);
      EXPECT_LE(envelope.lowest(X_TB), lowest_vertex(shape.mesh, X_TB) + 1e-15);  // rounding
    }
  }
  const LowerEnvelope box(make_box({.size = {0.4, 0.3, 0.2}}));
  EXPECT_NEAR(box.lowest(Pose{Mat3::Identity(), Vec3(0.0, 0.0, 3.0)}), 2.9, 1e-15);
  EXPECT_NEAR(box.longest_edge(), 0.5, 1e-15);  // the diagonal of its largest side
}

TEST(LowerEnvelope, ByVerticesIsThatOfTheNearestNodes) {
  Random random(12);
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    const Pose X_TB = random_pose(random);
    auto request = request_for(envelope, X_TB, 0.02);
    request.ceiling = lowest_vertex(shape.mesh, X_TB) + 0.1;
    Picture expected = empty_picture(request), found = expected;
    std::fill(expected.height.begin(), expected.height.end(), kInfinity);
    for (const Vec3& p_B : shape.mesh.vertices) {
      const Vec3 p = X_TB * p_B;
      double& height =
          expected
              .height[request.window.index(std::llround(p.x() / 0.02), std::llround(p.y() / 0.02))];
      height = std::min(height, p.z());
    }
    Scratch scratch;
    envelope.find_by_vertices(request, scratch, found.height, found.coverage);
    for (std::size_t i = 0; i < found.height.size(); ++i) {
      EXPECT_EQ(found.coverage[i], found.height[i] < kInfinity ? 1.0 : 0.0);
      if (expected.height[i] <= request.ceiling) {
        EXPECT_NEAR(found.height[i], expected.height[i], 1e-15);
      }
    }
  }
}

TEST(LowerEnvelope, GivesTheSameBitsWithoutAllocating) {
  for (const Shape& shape : shapes()) {
    const LowerEnvelope envelope(shape.mesh);
    Random random(13);
    const auto request = request_for(envelope, random_pose(random), 0.01);
    const Picture first = find(envelope, request);
    Picture again = empty_picture(request);
    Scratch scratch;
    for (int k = 0; k < 2; ++k) {
      envelope.find(request, scratch, again.height, again.coverage);
      envelope.find_by_vertices(request, scratch, again.height, again.coverage);
      scratch.reset();
    }
    const std::size_t before = allocations();
    envelope.find_by_vertices(request, scratch, again.height, again.coverage);
    envelope.find(request, scratch, again.height, again.coverage);
    EXPECT_EQ(envelope.window(request.X_TB, request.spacing), request.window);
    EXPECT_EQ(allocations(), before) << shape.name;
    EXPECT_EQ(first.height, again.height) << shape.name;
    EXPECT_EQ(first.coverage, again.coverage) << shape.name;
  }
}

TEST(LowerEnvelope, AnswersWithNothingWhereThereIsNothing) {
  const LowerEnvelope box(make_box({.size = {0.4, 0.3, 0.2}}));
  const Pose high{Mat3::Identity(), Vec3(0.0, 0.0, 5.0)};
  EXPECT_TRUE(box.window(high, 0.01, 0.0).empty());
  EXPECT_EQ(find(box, {high, 0.01, box.window(high, 0.01), 0.0}).area(), 0.0);

  const Pose lost{Mat3::Identity(), Vec3(0.0, std::nan(""), 0.0)};
  EXPECT_TRUE(box.window(lost, 0.01).empty());
  const Picture nothing = find(box, {lost, 0.01, {0, 0, 5, 4}, kInfinity});
  EXPECT_EQ(nothing.area(), 0.0);
  EXPECT_EQ(*std::min_element(nothing.height.begin(), nothing.height.end()), kInfinity);

  EXPECT_TRUE(box.window(Pose{}, 1e-6).empty());  // 10^11 nodes
}

TEST(LowerEnvelope, RefusesMeshesThatAreNotUsable) {
  EXPECT_THROW(LowerEnvelope(TriangleMesh{}), InputError);
  TriangleMesh mesh = make_box({.size = {0.4, 0.3, 0.2}});
  mesh.vertices[3].y() = std::nan("");
  EXPECT_THROW(LowerEnvelope{mesh}, InputError);
}

}  // namespace
}  // namespace grouser
