#include "grouser/contact/pcm_sieve.h"

#include <gtest/gtest.h>

#include "grouser/base/random.h"
#include "grouser/contact/pcm_detection.h"
#include "tests/support/random_vector.h"

namespace grouser {
namespace {

using test::random_vector;

/// Up to eight triangles around a point, some of them degenerate or thin.
TriangleMesh random_triangles(Random& random, const Vec3& middle, double size) {
  TriangleMesh mesh;
  const int count = 1 + static_cast<int>(random.uniform(0.0, 7.99));
  for (std::int32_t i = 0; i < count; ++i) {
    const Vec3 a = middle + random_vector(random, size);
    const Vec3 b = middle + random_vector(random, size);
    const double kind = random.uniform();
    const Vec3 c = kind < 0.05   ? a
                   : kind < 0.15 ? Vec3(0.5 * (a + b) + random_vector(random, 1e-4 * size))
                                 : Vec3(middle + random_vector(random, size));
    mesh.vertices.insert(mesh.vertices.end(), {a, b, c});
    mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return mesh;
}

/// Whether double precision finds that the line meets the triangle.
bool crosses(const PenetrationLine& line, const TargetTriangle& triangle, double length) {
  Scratch scratch;
  // Both facings count: reverse the triangle if need be.
  PcmHits hits(1, scratch);
  TargetTriangle facing = triangle;
  if (line.normal.dot(triangle.normal) > 0.0) facing.normal = -facing.normal;
  hits.cut(0, line, 0, facing, length);
  return !hits.elements(scratch).empty();
}

class Sieve : public testing::TestWithParam<bool> {
 protected:
  const PcmSieve& sieve = GetParam() ? quickest_sieve() : kPortableSieve;
};

TEST_P(Sieve, KeepsEveryLineThatCrossesATriangle) {
  Random random(11);
  std::size_t kept = 0, crossing = 0, pairs = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    // Near the origin, and where single precision has a tenth of a millimetre left.
    const Vec3 middle = trial % 3 == 0 ? Vec3(1000.0, -800.0, 300.0) : Vec3::Zero();
    const double length = random.uniform(0.01, 1.0);
    const BaseSurface base(random_triangles(random, middle, 0.5), length, BaseSurface::Probe::line);
    const TargetSurface target(random_triangles(random, middle, 0.5));
    const auto margin =
        static_cast<float>(5e-7 * (middle.cwiseAbs().sum() + 1.0));  // as MovedBoxes has it

    Crossings found;
    const std::size_t count = sieve.find_crossings(base.lanes[0], target.lanes[0], margin, found);
    kept += count;
    for (std::size_t line = 0; line < base.tree.size(); ++line)
      for (std::size_t triangle = 0; triangle < target.tree.size(); ++triangle) {
        ++pairs;
        if (!crosses(base.lines_by_cluster[line], target.triangles_by_cluster[triangle], length))
          continue;
        ++crossing;
        const bool is_there = std::any_of(
            found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
            [&](const Crossing& c) { return c.line == line && c.triangle == triangle; });
        EXPECT_TRUE(is_there) << "trial " << trial << ": line " << line << ", triangle "
                              << triangle;
      }
    for (std::size_t k = 0; k < count; ++k) {
      EXPECT_LT(found[k].line, base.tree.size()) << "a lane that is not used";
      EXPECT_LT(found[k].triangle, target.tree.size());
    }
  }
  EXPECT_GT(crossing, 2000u);
  // Besides these little passes: thin triangles, most of it where single precision is coarse.
  EXPECT_LT(kept, crossing + pairs / 20);
}

TEST_P(Sieve, KeepsEveryBoxThatATrianglePassesThrough) {
  Random random(12);
  std::size_t kept = 0, boxes_tried = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const TargetSurface target(random_triangles(random, Vec3::Zero(), 2.0));
    BoxLanes boxes;
    std::array<Box, kLanes> exact;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Vec3 p = random_vector(random, 2.0);
      exact[lane].add(p);
      exact[lane].add(Vec3(p + random_vector(random, 0.3)));
      boxes.set(lane, outward(exact[lane]));
    }
    const unsigned found = sieve.sift(boxes, 0xff, target.lanes[0], 1e-5f);
    kept += static_cast<std::size_t>(std::popcount(found));
    boxes_tried += kLanes;
    // Points of the triangles that lie in a box.
    for (int sample = 0; sample < 200; ++sample) {
      const auto t = static_cast<std::size_t>(sample) % target.mesh.triangle_count();
      if (target.triangles[t].normal.isZero(0.0)) continue;  // degenerate: nothing meets it
      double u = random.uniform(), v = random.uniform();
      if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
      const Vec3 p = (1.0 - u - v) * target.mesh.corner(t, 0) + u * target.mesh.corner(t, 1) +
                     v * target.mesh.corner(t, 2);
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        EXPECT_TRUE(!exact[lane].overlaps({p, p}) || (found >> lane & 1u) != 0);
    }
    EXPECT_EQ(sieve.sift(boxes, 0, target.lanes[0], 1e-5f), 0u);
  }
  EXPECT_LT(kept, boxes_tried / 2);
}

INSTANTIATE_TEST_SUITE_P(Versions, Sieve, testing::Values(false, true), [](const auto& version) {
  return version.param ? "Quickest" : "Portable";
});

}  // namespace
}  // namespace grouser
