// Overlap or not, as libccd sees it. Built only where libccd is found.
#include <ccd/ccd.h>
#include <gtest/gtest.h>

#include "tests/shape/convex_reference.h"

namespace grouser {
namespace {

struct Body {
  const ConvexHull* hull;
  Pose X_WS;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  const Body& body = *static_cast<const Body*>(object);
  const Vec3 d_S =
      body.X_WS.R.transpose() * Vec3(direction->v[0], direction->v[1], direction->v[2]);
  const Vec3* best = &body.hull->vertices[0];
  for (const Vec3& vertex : body.hull->vertices)
    if (vertex.dot(d_S) > best->dot(d_S)) best = &vertex;
  const Vec3 p = body.X_WS * *best;
  ccdVec3Set(out, p.x(), p.y(), p.z());
}

TEST(ConvexContact, OverlapsWhereLibccdSaysSo) {
  constexpr int kHullPairs = 100000;
  // libccd's GJK takes bodies closer than some 1e-5 of their size for one or the other.
  constexpr double kUnsure = 1e-6;
  Random random(21);
  std::vector<ConvexShape> hulls;
  for (int i = 0; i < 200; ++i) hulls.push_back(random_shape(ConvexKind::hull, random));
  const auto any_hull = [&]() -> const ConvexShape& { return hulls[random.below(200)]; };

  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support;
  ccd.max_iterations = 200;
  int overlapping = 0, unsure = 0;
  for (int i = 0; i < kHullPairs; ++i) {
    const ConvexShape &a = any_hull(), &b = any_hull();
    const Pose X_WA{random_rotation(random), 0.55 * random_vector(random)};
    const Pose X_WB{random_rotation(random), Vec3::Zero()};
    const double depth = find_convex_contact(a, X_WA, b, X_WB, 0.0).depth;
    const Body body_a{a.hull.get(), X_WA}, body_b{b.hull.get(), X_WB};
    const bool overlap = ccdGJKIntersect(&body_a, &body_b, &ccd) != 0;
    overlapping += depth > 0.0;
    if (std::abs(depth) < kUnsure)
      ++unsure;
    else
      EXPECT_EQ(depth > 0.0, overlap) << "pair " << i << ", depth " << depth;
  }
  // Both answers were asked for often, and few were left out.
  EXPECT_GT(overlapping, kHullPairs / 5);
  EXPECT_LT(overlapping, kHullPairs * 4 / 5);
  EXPECT_LT(unsure, kHullPairs / 1000);
}

}  // namespace
}  // namespace grouser
