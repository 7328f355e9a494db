#include "grouser/shape/convex_contact.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/shape/convex_reference.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

/// Sizes are some 1 m: 1e-10 of them is what the header promises.
constexpr double kPromised = 1e-10;

struct PlacedPair {
  ConvexShape a, b;
  Pose X_WA, X_WB;

  ConvexContact contact(double reach = kInfinity) const {
    return find_convex_contact(a, X_WA, b, X_WB, reach);
  }
};

Pose random_pose(Random& random, double range) {
  return {random_rotation(random), range * random_vector(random)};
}

/// How deep to put the bodies into each other.
enum class Overlap { apart, shallow, deep };

PlacedPair random_scene(ConvexKind a, ConvexKind b, Overlap overlap, Random& random) {
  PlacedPair scene{random_shape(a, random), random_shape(b, random), random_pose(random, 2.0),
                   random_pose(random, 1.0)};
  scene.X_WB.p = scene.X_WA.p;
  if (overlap == Overlap::deep) {
    scene.X_WB.p += 0.1 * random_vector(random);
    return scene;
  }
  // Along a random way out until they just touch, by what the brute force sees.
  const Vec3 way = random_vector(random).normalized();
  const double wanted =
      overlap == Overlap::apart ? -random.uniform(1e-3, 1.0) : random.uniform(1e-4, 0.03);
  for (int i = 0; i < 12; ++i) {
    const ConvexContact at = scene.contact();
    const double slope = at.normal_W.dot(way);
    scene.X_WA.p += (at.depth - wanted) * (slope > 0.3 ? 1.0 / slope : 1.0) * way;
  }
  return scene;
}

void expect_touching_points(const PlacedPair& s, const ConvexContact& c, double tolerance) {
  EXPECT_NEAR(c.normal_W.norm(), 1.0, 1e-14);
  EXPECT_LT((c.p_WB - c.p_WA - c.depth * c.normal_W).norm(), tolerance);
  EXPECT_NEAR(outside_by(s.a, s.X_WA.inverse() * c.p_WA), 0.0, tolerance);
  EXPECT_NEAR(outside_by(s.b, s.X_WB.inverse() * c.p_WB), 0.0, tolerance);
}

std::string pair_name(ConvexKind a, ConvexKind b) {
  return std::string(kConvexKindNames[static_cast<std::size_t>(a)]) + " and " +
         std::string(kConvexKindNames[static_cast<std::size_t>(b)]);
}

/// Calls with every pair of kinds but two half-spaces.
template <class Call>
void for_every_pair(Call&& call) {
  for (std::size_t i = 0; i < kConvexKinds; ++i)
    for (std::size_t j = i; j < kConvexKinds; ++j) {
      const auto a = static_cast<ConvexKind>(i), b = static_cast<ConvexKind>(j);
      if (a == ConvexKind::half_space) continue;
      SCOPED_TRACE(pair_name(a, b));
      call(a, b);
    }
}

TEST(ConvexContact, IsTheShortestWayOutByBruteForce) {
  Random random(7);
  for_every_pair([&](ConvexKind kind_a, ConvexKind kind_b) {
    if (kind_b == ConvexKind::half_space) return;  // has no support; see below
    for (int i = 0; i < 150; ++i) {
      SCOPED_TRACE(i);
      const PlacedPair s = random_scene(kind_a, kind_b, static_cast<Overlap>(i % 3), random);
      const ConvexContact c = s.contact();
      // Along the normal it is as deep as it says, so it is not less than the least. Nor more:
      // neither than in the directions around it nor than anywhere else.
      const Vec3 m = -c.normal_W;
      EXPECT_NEAR(c.depth, reach_along(s.a, s.X_WA, s.b, s.X_WB, m), kPromised);
      EXPECT_LT(c.depth, least_reach_around(s.a, s.X_WA, s.b, s.X_WB, m) + kPromised);
      EXPECT_LT(c.depth, brute_force_depth(s.a, s.X_WA, s.b, s.X_WB) + kPromised);
      expect_touching_points(s, c, kPromised);
    }
  });
}

TEST(ConvexContact, MeetsAHalfSpaceWithItsLowestPoint) {
  Random random(8);
  for (std::size_t k = 0; k + 1 < kConvexKinds; ++k) {
    SCOPED_TRACE(kConvexKindNames[k]);
    for (int i = 0; i < 100; ++i) {
      const PlacedPair s{random_shape(static_cast<ConvexKind>(k), random),
                         ConvexShape::half_space(), random_pose(random, 1.0),
                         random_pose(random, 1.0)};
      const ConvexContact c = s.contact();
      const Vec3 up = s.X_WB.R.col(2);
      const Vec3 lowest = s.X_WA * support_point(s.a, -(s.X_WA.R.transpose() * up));
      EXPECT_NEAR(c.depth, up.dot(s.X_WB.p - lowest), 1e-14);
      EXPECT_LT((c.normal_W - up).norm(), 1e-14);
      expect_touching_points(s, c, 1e-13);
    }
  }
}

TEST(ConvexContact, NeverIsBetweenHalfSpaces) {
  const ConvexShape ground = ConvexShape::half_space();
  EXPECT_EQ(find_convex_contact(ground, {}, ground, {}).depth, -kInfinity);
}

TEST(ConvexContact, IsTheSameWithTheBodiesSwapped) {
  Random random(9);
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    for (int i = 0; i < 30; ++i) {
      const PlacedPair s = b == ConvexKind::half_space
                               ? PlacedPair{random_shape(a, random), random_shape(b, random),
                                            random_pose(random, 1.0), random_pose(random, 1.0)}
                               : random_scene(a, b, static_cast<Overlap>(i % 3), random);
      const ConvexContact c = s.contact();
      const ConvexContact d = find_convex_contact(s.b, s.X_WB, s.a, s.X_WA);
      EXPECT_NEAR(c.depth, d.depth, kPromised);
      // Where two ways out are equally short either may be told; at random poses none are.
      EXPECT_LT((c.normal_W + d.normal_W).norm(), 1e-6);
      expect_touching_points({s.b, s.a, s.X_WB, s.X_WA}, d, kPromised);
    }
  });
}

TEST(ConvexContact, MovesWithTheBodies) {
  Random random(10);
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    if (b == ConvexKind::half_space) return;
    for (int i = 0; i < 30; ++i) {
      const PlacedPair s = random_scene(a, b, static_cast<Overlap>(i % 3), random);
      const Pose X_VW = random_pose(random, 3.0);
      const ConvexContact c = s.contact();
      const ConvexContact d = find_convex_contact(s.a, X_VW * s.X_WA, s.b, X_VW * s.X_WB);
      EXPECT_NEAR(c.depth, d.depth, kPromised);
      EXPECT_LT((X_VW.R * c.normal_W - d.normal_W).norm(), 1e-6);  // sqrt of rounding, if curved
      EXPECT_NEAR(c.normal_W.dot(c.p_WA - s.X_WA.p), d.normal_W.dot(d.p_WA - (X_VW * s.X_WA).p),
                  1e-9);
    }
  });
}

TEST(ConvexContact, SaysNoMoreThanNeededBeyondItsReach) {
  Random random(11);
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    if (b == ConvexKind::half_space) return;
    for (int i = 0; i < 30; ++i) {
      const PlacedPair s =
          random_scene(a, b, i % 2 == 0 ? Overlap::apart : Overlap::shallow, random);
      const double exact = s.contact().depth, reach = random.uniform(0.0, 0.5);
      const ConvexContact c = s.contact(reach);
      if (exact > -reach) {
        EXPECT_NEAR(c.depth, exact, kPromised);
      } else {
        EXPECT_LE(c.depth, -reach);
        EXPECT_GE(c.depth, exact - kPromised);
        EXPECT_NEAR(reach_along(s.a, s.X_WA, s.b, s.X_WB, -c.normal_W), c.depth, kPromised);
      }
    }
  });
}

/// All planes of the difference of two polyhedra: faces, and edges with edges.
double depth_by_all_planes(const PlacedPair& s) {
  double least = kInfinity;
  const auto try_plane = [&](const Vec3& m) {
    if (m.norm() < 1e-9) return;
    for (const double sign : {1.0, -1.0})
      least = std::min(least, reach_along(s.a, s.X_WA, s.b, s.X_WB, sign * m.normalized()));
  };
  const ConvexHull &a = *s.a.hull, &b = *s.b.hull;
  for (const Vec3& n : a.normals) try_plane(s.X_WA.R * n);
  for (const Vec3& n : b.normals) try_plane(s.X_WB.R * n);
  const auto edges = [](const ConvexHull& hull, const Mat3& R) {
    std::vector<Vec3> all;
    for (std::size_t v = 0; v < hull.vertices.size(); ++v)
      for (const int n : hull.neighbours_of(v))
        if (static_cast<std::size_t>(n) > v)
          all.push_back(R * (hull.vertices[static_cast<std::size_t>(n)] - hull.vertices[v]));
    return all;
  };
  const std::vector<Vec3> edges_a = edges(a, s.X_WA.R), edges_b = edges(b, s.X_WB.R);
  for (const Vec3& i : edges_a)
    for (const Vec3& j : edges_b) try_plane(i.cross(j));
  return least;
}

TEST(ConvexContact, OfPolyhedraIsTheBestOfAllPlanes) {
  Random random(12);
  for (const auto& [a, b] :
       {std::pair(ConvexKind::box, ConvexKind::box), std::pair(ConvexKind::box, ConvexKind::hull),
        std::pair(ConvexKind::hull, ConvexKind::hull)})
    for (int i = 0; i < 60; ++i) {
      const PlacedPair s =
          random_scene(a, b, i % 2 == 0 ? Overlap::shallow : Overlap::deep, random);
      EXPECT_NEAR(s.contact().depth, depth_by_all_planes(s), 1e-13);  // rounding
    }
}

// ------------------------------------------------------------------------------- known answers

Pose placed_at(double x, double y, double z) {
  return {Mat3::Identity(), {x, y, z}};
}

TEST(ConvexContact, HasKnownDepths) {
  const ConvexShape box = ConvexShape::box({2.0, 2.0, 2.0}), ball = ConvexShape::sphere(0.5);
  const ConvexShape log = ConvexShape::cylinder(0.5, 4.0), coin = ConvexShape::cylinder(2.0, 0.1);
  const ConvexShape cone = ConvexShape::cone(1.0, 2.0),
                    egg = ConvexShape::ellipsoid({1.0, 2.0, 3.0});
  const ConvexShape rod = ConvexShape::capsule(0.2, 2.0);
  const Pose lying = {rotation_from_vector({0.5 * kPi, 0.0, 0.0}), Vec3::Zero()};
  struct Case {
    PlacedPair scene;
    double depth;
  };
  const Case cases[] = {
      {{ball, ball, placed_at(0, 0, 0.8), {}}, 0.2},
      {{ball, ball, {}, {}}, 1.0},
      {{ball, box, {}, {}}, 1.5},
      {{box, box, placed_at(0, 0, 1.9), {}}, 0.1},
      {{box, box, placed_at(0.3, 0.4, 1.9), {}}, 0.1},
      {{box, box, {}, {}}, 2.0},
      {{box, box, placed_at(3.0, 3.0, 3.0), {}}, -std::sqrt(3.0)},
      {{log, log, {}, {}}, 1.0},
      {{log, log, placed_at(0.7, 0.0, 1.0), {}}, 0.3},
      {{log, log, placed_at(0.0, 0.0, 0.9), lying}, 1.0},
      {{coin, coin, placed_at(0.5, 0.0, 0.02), {}}, 0.08},
      {{box, log, placed_at(0.0, 0.0, 2.9), {}}, 0.1},
      {{box, log, placed_at(0.0, 0.0, 1.4), lying}, 0.1},
      {{box, coin, {}, {}}, 1.05},
      {{cone, box, placed_at(0.0, 0.0, 1.95), {}}, 0.05},
      {{egg, egg, {}, {}}, 2.0},
      {{egg, ball, placed_at(0.0, 0.0, 3.4), {}}, 0.1},
      {{egg, box, placed_at(0.0, 0.0, 3.9), {}}, 0.1},
      {{rod, rod, {}, lying}, 0.4},
      {{rod, rod, {}, {}}, 0.4},
      {{rod, box, placed_at(0.0, 0.0, 2.1), {}}, 0.1},
      {{rod, log, placed_at(0.6, 0.0, 0.0), {}}, 0.1},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(pair_name(c.scene.a.kind, c.scene.b.kind) + ", depth " + std::to_string(c.depth));
    const ConvexContact found = c.scene.contact();
    EXPECT_NEAR(found.depth, c.depth, 1e-12);
    expect_touching_points(c.scene, found, 1e-11);
  }
}

// ------------------------------------------------------------------------------- extreme cases

/// A body of a kind, 1 m long and `thin` across, or `thin` in height and 1 m across.
ConvexShape thin_shape(ConvexKind kind, double thin, bool needle) {
  const double across = needle ? thin : 1.0, along = needle ? 1.0 : thin;
  switch (kind) {
    case ConvexKind::sphere:
      return ConvexShape::sphere(0.5 * thin);
    case ConvexKind::capsule:
      return ConvexShape::capsule(0.5 * thin, 1.0);
    case ConvexKind::ellipsoid:
      return ConvexShape::ellipsoid(0.5 * Vec3(across, across, along));
    case ConvexKind::box:
      return ConvexShape::box({across, across, along});
    case ConvexKind::cylinder:
      return ConvexShape::cylinder(0.5 * across, along);
    case ConvexKind::cone:
      return ConvexShape::cone(0.5 * across, along);
    case ConvexKind::hull: {
      Random random(3);
      return random_hull(random, 20, 0.5 * Vec3(across, across, along));
    }
    case ConvexKind::half_space:
      break;
  }
  return ConvexShape::half_space();
}

void expect_sane(const PlacedPair& s, double tolerance) {
  const ConvexContact c = s.contact();
  ASSERT_TRUE(std::isfinite(c.depth) && c.normal_W.allFinite() && c.p_WA.allFinite() &&
              c.p_WB.allFinite());
  EXPECT_NEAR(c.depth, reach_along(s.a, s.X_WA, s.b, s.X_WB, -c.normal_W), tolerance);
  expect_touching_points(s, c, tolerance);
}

TEST(ConvexContact, OfThinBodiesIsSane) {
  Random random(13);
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    if (b == ConvexKind::half_space) return;
    for (int i = 0; i < 200; ++i) {
      SCOPED_TRACE(i);
      const double thin = i % 3 == 0 ? 1e-6 : 1e-3;
      PlacedPair s{thin_shape(a, thin, i % 2 == 0),
                   thin_shape(b, i % 5 < 2 ? 1.0 : thin, i % 4 < 2), random_pose(random, 0.1),
                   random_pose(random, 0.1)};
      if (i % 7 == 0) s.X_WB.R = s.X_WA.R;
      expect_sane(s, 1e-9);  // a needle's normal is less sure than its size
    }
  });
}

TEST(ConvexContact, OfAlignedBodiesIsSane) {
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    if (b == ConvexKind::half_space) return;
    const Mat3 turns[] = {Mat3::Identity(), rotation_from_vector({0.5 * kPi, 0.0, 0.0}),
                          rotation_from_vector({kPi, 0.0, 0.0}),
                          rotation_from_vector({0.0, 0.25 * kPi, 0.0})};
    for (const Mat3& R : turns)
      for (const double x : {0.0, 0.5, 1.0, 1.0 + 1e-9})
        for (const double y : {0.0, 0.3, 1.0})
          for (const double z : {0.0, -0.5, 1.0}) {
            SCOPED_TRACE(testing::Message() << x << " " << y << " " << z << " " << R.row(1));
            expect_sane({thin_shape(a, 1.0, true), thin_shape(b, 1.0, true), {R, {x, y, z}}, {}},
                        kPromised);
          }
  });
}

TEST(ConvexContact, IsZeroWhereBodiesJustTouch) {
  Random random(14);
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    if (b == ConvexKind::half_space) return;
    for (int i = 0; i < 30; ++i) {
      PlacedPair s = random_scene(a, b, Overlap::shallow, random);
      const ConvexContact c = s.contact();
      s.X_WA.p += c.depth * c.normal_W;
      for (const double shift : {0.0, 1e-13, -1e-13, 1e-9, -1e-9, 1e-6, -1e-6}) {
        SCOPED_TRACE(shift);
        PlacedPair near = s;
        near.X_WA.p += shift * c.normal_W;
        EXPECT_NEAR(near.contact().depth, -shift, kPromised);
        expect_sane(near, kPromised);
      }
    }
  });
}

TEST(ConvexContact, DoesNotAllocate) {
  Random random(15);
  for_every_pair([&](ConvexKind a, ConvexKind b) {
    const PlacedPair s{random_shape(a, random), random_shape(b, random), random_pose(random, 0.2),
                       random_pose(random, 0.2)};
    const std::size_t before = allocations();
    const double depth = s.contact().depth;
    EXPECT_EQ(allocations(), before) << depth;
  });
}

}  // namespace
}  // namespace grouser
