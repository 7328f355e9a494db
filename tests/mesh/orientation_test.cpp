#include "grouser/mesh/orientation.h"

#include <gtest/gtest.h>

#include <array>

#include "grouser/base/random.h"

namespace grouser {
namespace {

__extension__ using Wide = __int128;
using WideVec3 = std::array<Wide, 3>;

// Points on a grid of whole numbers, with the displacement written out: in units of 2^-60 it is
// (2^40, 2^20, 1), so small that it changes no sign but zeros.
constexpr Wide kUnit = Wide{1} << 60;
constexpr WideVec3 kDisplacement = {Wide{1} << 40, Wide{1} << 20, 1};

WideVec3 operator-(const WideVec3& a, const WideVec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
WideVec3 cross(const WideVec3& a, const WideVec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Wide dot(const WideVec3& a, const WideVec3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
WideVec3 whole(const Vec3& p) {
  return {static_cast<Wide>(p.x()), static_cast<Wide>(p.y()), static_cast<Wide>(p.z())};
}

/// From `tail` to `head`, displaced by `sign` times the displacement, in units of 2^-60.
WideVec3 displaced(const Vec3& head, const Vec3& tail, int sign) {
  const WideVec3 d = whole(head) - whole(tail);
  WideVec3 out;
  for (std::size_t k = 0; k < 3; ++k) out[k] = d[k] * kUnit + sign * kDisplacement[k];
  return out;
}

WideVec3 normal(const FaceCorners& face) {
  return cross(whole(face[1]) - whole(face[0]), whole(face[2]) - whole(face[0]));
}

Vec3 grid_point(Random& random, std::uint32_t size) {
  const auto coordinate = [&] { return static_cast<double>(random.below(size)); };
  const double x = coordinate(), y = coordinate();
  return {x, y, coordinate()};
}

FaceCorners grid_face(Random& random, std::uint32_t size) {
  const Vec3 a = grid_point(random, size), b = grid_point(random, size);
  return {a, b, grid_point(random, size)};
}

TEST(Orientation, PointsOnAGridAreAboveOrBelowAsIntegersSay) {
  Random random(1);
  for (const std::uint32_t size : {3u, 6u, 1u << 18}) {
    int zeros = 0;
    for (int trial = 0; trial < 20000; ++trial) {
      const FaceCorners face = grid_face(random, size);
      const Vec3 p = grid_point(random, size);
      for (const Displaced which : {Displaced::edge, Displaced::face}) {
        const int sign = which == Displaced::edge ? 1 : -1;
        ASSERT_EQ(FacePlane(face).is_above(p, which),
                  dot(normal(face), displaced(p, face[0], sign)) > 0);
      }
      if (dot(normal(face), whole(p) - whole(face[0])) == 0) ++zeros;
    }
    EXPECT_TRUE(size != 3 || zeros > 5000) << zeros;
  }
}

TEST(Orientation, EdgesOnAGridAreHandedAsIntegersSay) {
  Random random(2);
  for (const std::uint32_t size : {3u, 6u, 1u << 18})
    for (int trial = 0; trial < 20000; ++trial) {
      const Vec3 p = grid_point(random, size), q = grid_point(random, size);
      const Vec3 u = grid_point(random, size), v = grid_point(random, size);
      const WideVec3 across = cross(whole(q) - whole(p), whole(v) - whole(u));
      ASSERT_EQ(is_right_handed(p, q, u, v), dot(across, displaced(u, p, -1)) > 0);
    }
}

TEST(Orientation, FacesOnAGridAreMetInTheOrderIntegersSay) {
  Random random(3);
  int met = 0;
  for (int trial = 0; trial < 300000; ++trial) {
    const Vec3 p = grid_point(random, 4), q = grid_point(random, 4);
    const FaceCorners first = grid_face(random, 4), second = grid_face(random, 4);
    for (const Displaced which : {Displaced::edge, Displaced::face}) {
      const int sign = which == Displaced::edge ? 1 : -1;
      const auto separates = [&](const FaceCorners& face) {
        return FacePlane(face).is_above(p, which) != FacePlane(face).is_above(q, which);
      };
      if (!separates(first) || !separates(second)) continue;
      ++met;
      const Wide height_1 = dot(normal(first), displaced(p, first[0], sign));
      const Wide height_2 = dot(normal(second), displaced(p, second[0], sign));
      const Wide fall_1 = dot(normal(first), whole(p) - whole(q));
      const Wide fall_2 = dot(normal(second), whole(p) - whole(q));
      // height_1 / fall_1 < height_2 / fall_2
      const Wide difference = height_1 * fall_2 - height_2 * fall_1;
      ASSERT_EQ(is_met_before(p, q, first, second, which),
                (fall_1 > 0) == (fall_2 > 0) ? difference < 0 : difference > 0);
    }
  }
  EXPECT_GT(met, 10000);
}

TEST(Orientation, DoesNotDependOnTheOrderOfThePointsNearZero) {
  // Four points of a plane up to rounding: the sign is that of rounding, but one and the same
  // whichever point the others are measured from.
  Random random(4);
  int above = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto vector = [&] {
      const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      return Vec3(x, y, random.uniform(-1, 1));
    };
    const Vec3 origin = vector(), e_1 = vector(), e_2 = vector();
    const auto point = [&] {
      const double s = random.uniform(-1, 1);
      return Vec3(origin + s * e_1 + random.uniform(-1, 1) * e_2);
    };
    const Vec3 a = point(), b = point(), c = point(), p = point();
    const auto is_above = [](const Vec3& i, const Vec3& j, const Vec3& k, const Vec3& l) {
      return FacePlane({i, j, k}).is_above(l, Displaced::edge);
    };
    const bool expected = is_above(a, b, c, p);
    above += expected;
    ASSERT_EQ(is_above(b, c, a, p), expected);
    ASSERT_EQ(is_above(c, a, b, p), expected);
    ASSERT_EQ(is_above(b, a, p, c), expected);
    ASSERT_EQ(is_above(p, c, b, a), expected);
    ASSERT_EQ(is_right_handed(a, b, p, c), is_above(a, b, c, p));
    ASSERT_NE(is_above(b, a, c, p), expected);
    ASSERT_NE(is_above(a, b, p, c), expected);
  }
  EXPECT_GT(above, 500);
  EXPECT_LT(above, 1500);
}

TEST(Orientation, TheOrderOfPlanesThroughOnePointDoesNotDependOnTheOrderOfCorners) {
  Random random(5);
  int first_is_first = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto vector = [&] {
      const double x = random.uniform(-1, 1), y = random.uniform(-1, 1);
      return Vec3(x, y, random.uniform(-1, 1));
    };
    const Vec3 meeting = vector(), along = vector();
    const Vec3 p = meeting + along, q = meeting - 0.7 * along;
    // The meeting point is in the plane up to rounding.
    const auto face = [&] {
      const Vec3 a = vector(), b = vector();
      const double s = random.uniform(), t = random.uniform();
      return FaceCorners{a, b, meeting + s * (meeting - a) + t * (meeting - b)};
    };
    const FaceCorners f = face(), g = face();
    const bool expected = is_met_before(p, q, f, g, Displaced::edge);
    first_is_first += expected;
    const FaceCorners f_turned{f[1], f[2], f[0]}, g_turned{g[2], g[0], g[1]},
        g_flipped{g[1], g[0], g[2]};
    ASSERT_EQ(is_met_before(p, q, f_turned, g, Displaced::edge), expected);
    ASSERT_EQ(is_met_before(p, q, f, g_turned, Displaced::edge), expected);
    ASSERT_EQ(is_met_before(p, q, f_turned, g_flipped, Displaced::edge), expected);
    ASSERT_NE(is_met_before(p, q, g_turned, f, Displaced::edge), expected);
    ASSERT_NE(is_met_before(q, p, f, g_turned, Displaced::edge), expected);
  }
  EXPECT_GT(first_is_first, 500);
  EXPECT_LT(first_is_first, 1500);
}

TEST(Orientation, NothingIsAboveALine) {
  const FacePlane line({Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(2, 2, 2)});
  EXPECT_FALSE(line.is_above({1, 0, 0}, Displaced::edge));
  EXPECT_FALSE(line.is_above({1, 0, 0}, Displaced::face));
}

}  // namespace
}  // namespace grouser
