#include "grouser/shape/smooth_bodies.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mass_properties.h"
#include "tests/shape/surface_checks.h"
#include "tests/support/allocations.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

struct NamedBody {
  std::string name;
  /// Made for its own tests alone: every test of the program starts with the list of all.
  std::function<std::shared_ptr<const SmoothSurface>()> make;
};

NamedBody star(const std::string& name, const Vec3& axes, const Vec2& exponents = Vec2::Ones()) {
  return {name, [=] { return std::make_shared<StarSurface>(axes, exponents); }};
}
std::vector<NamedBody> bodies() {
  return {star("sphere", Vec3::Constant(0.4)),
          star("ellipsoid", Vec3(0.5, 0.7, 0.4)),
          star("long", Vec3(2.0, 0.3, 0.2)),
          star("rounded_box", Vec3(0.5, 0.4, 0.3), Vec2(0.5, 0.5)),
          star("lens", Vec3(0.5, 0.4, 0.3), Vec2(1.0, 0.4)),
          star("pill", Vec3(0.5, 0.4, 0.3), Vec2(0.4, 1.0)),
          star("uneven", Vec3(0.3, 0.6, 0.5), Vec2(0.8, 0.63)),
          star("sharp", Vec3(0.3, 0.6, 0.5), Vec2(0.2, 0.1)),
          {"torus", [] { return std::make_shared<TorusSurface>(0.5, 0.2); }}};
}

/// Somewhere on the surface.
SurfaceCoordinates random_place(const SmoothSurface& surface, Random& random, double reach = 1.0) {
  const std::vector<SmoothSurface::Grid> grids = surface.grids();
  const SmoothSurface::Grid& grid = grids[random.below(static_cast<std::uint32_t>(grids.size()))];
  const double s = random.uniform(-reach, reach), t = random.uniform(-reach, reach);
  return {0.5 * (grid.u0 + grid.u1) + 0.5 * (grid.u1 - grid.u0) * s,
          0.5 * (grid.v0 + grid.v1) + 0.5 * (grid.v1 - grid.v0) * t, grid.chart};
}
double extent(const SmoothSurface& surface) {
  return bounding_box(surface.mesh()).half_size().maxCoeff();
}

class SmoothBodies : public testing::TestWithParam<NamedBody> {
 protected:
  const std::shared_ptr<const SmoothSurface> made_ = GetParam().make();
  const SmoothSurface& surface_ = *made_;
  Random random_{7};
};
INSTANTIATE_TEST_SUITE_P(All, SmoothBodies, testing::ValuesIn(bodies()),
                         [](const auto& body) { return body.param.name; });

TEST_P(SmoothBodies, HaveTheNormalAndCurvatureOfDifferences) {
  const double scale = extent(surface_);
  for (int i = 0; i < 300; ++i) {
    const SurfaceCoordinates x = random_place(surface_, random_, 1.1);
    // Near coordinate planes third derivatives of uneven exponents are not bounded; see below.
    if (std::abs(x.u) < 0.02 || std::abs(x.v) < 0.02) continue;
    // Central differences: 1e-10 times third derivatives, which are thousands where it is sharp.
    expect_differences(surface_, x, 1e-5, scale, 1e-6);
  }
}

TEST_P(SmoothBodies, KeepPlaceAndShapeInAnotherChart) {
  for (int i = 0; i < 300; ++i) {
    const SurfaceCoordinates x = random_place(surface_, random_, 1.4);
    const SurfaceCoordinates y = surface_.recharted(x);
    const GaussFrame a = gauss_frame(surface_.at(x), Vec3(0.3, 0.5, 0.7));
    const GaussFrame b = gauss_frame(surface_.at(y), Vec3(0.3, 0.5, 0.7));
    EXPECT_LT((a.p - b.p).norm(), 1e-14);  // rounding
    EXPECT_LT((a.n - b.n).norm(), 1e-12);  // rounding, times slopes
    // Rounding, times second derivatives.
    EXPECT_LT((a.K - b.K).norm(), 1e-10 * (1.0 + a.K.norm()));
    const SurfaceCoordinates again = surface_.recharted(y);
    EXPECT_EQ(again.chart, y.chart);
    EXPECT_EQ(again.u, y.u);
    EXPECT_EQ(again.v, y.v);
  }
}

TEST_P(SmoothBodies, LookOutward) {
  // The volume of a mesh that looks outward is positive, and its triangles look as the surface.
  const TriangleMesh mesh = surface_.mesh();
  EXPECT_TRUE(take_census(mesh).closed());
  EXPECT_GT(mass_properties(mesh, 1.0, "it").mass, 0.0);
  for (int i = 0; i < 100; ++i) {
    const GaussFrame frame = gauss_frame(surface_.at(random_place(surface_, random_)));
    EXPECT_GT(surface_.foot(frame.p + 1e-3 * frame.n).gap, 0.0);
    EXPECT_LT(surface_.foot(frame.p - 1e-3 * frame.n).gap, 0.0);
  }
}

TEST_P(SmoothBodies, HaveAFootWithTheRightGapNearby) {
  for (int i = 0; i < 200; ++i) {
    const SurfaceCoordinates x = random_place(surface_, random_);
    const GaussFrame frame = gauss_frame(surface_.at(x));
    for (const double d : {1e-5, -1e-5}) {
      const SurfaceFoot foot = surface_.foot(frame.p + d * frame.n);
      // To first order; curvatures here are up to some hundreds per metre.
      EXPECT_NEAR(foot.gap, d, 1e3 * d * d);
      const Vec3 p = surface_.at(foot.at).p;
      EXPECT_LT((p - frame.p).norm(), 20.0 * std::abs(d));  // slanted at most as a long ellipsoid
    }
  }
}

TEST_P(SmoothBodies, HaveAFiniteFootOfEveryPoint) {
  for (const Vec3& p : {Vec3(0, 0, 0), Vec3(0, 0, 1e-300), Vec3(1e200, 0, 0), Vec3(0, 0, -3),
                        Vec3(0, 0.5, 0), Vec3(1e-20, -1e-20, 1e-20)}) {
    const SurfaceFoot foot = surface_.foot(p);
    EXPECT_TRUE(std::isfinite(foot.gap)) << p.transpose();
    EXPECT_TRUE(surface_.at(foot.at).p.allFinite());
  }
}

TEST_P(SmoothBodies, NeverMissABallThatTouches) {
  const double scale = extent(surface_);
  int missed = 0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 p = surface_.at(random_place(surface_, random_)).p;
    const double radius = scale * random_.uniform(1e-3, 1.0);
    Vec3 direction(random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1));
    direction.normalize();
    EXPECT_TRUE(surface_.may_touch(p + direction * radius * 0.999, radius));
    EXPECT_TRUE(
        surface_.may_touch(p - 1e-6 * gauss_frame(surface_.at(surface_.foot(p).at)).n, 0.0));
    missed += !surface_.may_touch(p + direction * (5.0 * scale), radius);
  }
  EXPECT_GT(missed, 350);  // what is far away is told from what is near
}

TEST_P(SmoothBodies, HaveCoordinatesAsNumbers) {
  for (int i = 0; i < 100; ++i) {
    const SurfaceCoordinates x = random_place(surface_, random_);
    const GaussFrame frame = gauss_frame(surface_.at(x));
    const Vec3 numbers = surface_.numbers(x);
    EXPECT_LT((surface_.at(surface_.coordinates(numbers)).p - frame.p).norm(), 1e-14);  // rounding
    const Vec2 t(random_.uniform(-1, 1), random_.uniform(-1, 1));
    const double h = 1e-6;
    const Vec3 step = h * surface_.numbers_step(frame, t);
    const Vec3 after = surface_.at(surface_.coordinates(numbers + step)).p;
    const Vec3 before = surface_.at(surface_.coordinates(numbers - step)).p;
    EXPECT_LT(((after - before) / (2.0 * h) - frame.along(t)).norm(), 1e-7);  // h^2 and rounding
  }
}

TEST_P(SmoothBodies, AnswerWithoutAllocating) {
  const SurfaceCoordinates x = random_place(surface_, random_, 1.3);
  const std::size_t before = allocations();
  const Vec3 p = surface_.at(surface_.recharted(x)).p;
  const bool touches = surface_.may_touch(p, 0.1) && surface_.foot(p).gap < 1.0;
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(touches);
}

TEST(StarSurface, LiesWhereItsGaugeIsOne) {
  const Vec3 a(0.3, 0.6, 0.5);
  const Vec2 e(0.7, 0.4);
  const StarSurface surface(a, e);
  Random random(3);
  for (int i = 0; i < 100; ++i) {
    const Vec3 p = surface.at(random_place(surface, random)).p;
    const Vec3 q = p.cwiseQuotient(a).cwiseAbs();
    const double ring = std::pow(q.x(), 2.0 / e.y()) + std::pow(q.y(), 2.0 / e.y());
    EXPECT_NEAR(std::pow(ring, e.y() / e.x()) + std::pow(q.z(), 2.0 / e.x()), 1.0, 1e-13);
  }
}

TEST(StarSurface, IsASphereForEqualAxes) {
  const StarSurface sphere(Vec3::Constant(0.25));
  EXPECT_TRUE(sphere.is_sphere());
  EXPECT_EQ(sphere.size(), 0.25);
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const GaussFrame frame = gauss_frame(sphere.at(random_place(sphere, random)));
    EXPECT_LT((frame.n - frame.p / 0.25).norm(), 1e-14);          // rounding
    EXPECT_LT((frame.K - 4.0 * Mat2::Identity()).norm(), 1e-12);  // rounding
  }
  EXPECT_NEAR(sphere.foot(Vec3(0.3, 0.4, 0.0)).gap, 0.25, 1e-15);
}

TEST(StarSurface, HasTheCurvatureOfAnEllipsoidAtItsAxes) {
  // At the end of axis a the curvatures are a / b^2 and a / c^2.
  const StarSurface surface(Vec3(0.5, 0.7, 0.4));
  const Mat2 K = gauss_frame(surface.at({0.0, 0.0, 0}), Vec3::UnitY()).K;
  EXPECT_NEAR(K(0, 0), 0.5 / 0.49, 1e-14);
  EXPECT_NEAR(K(1, 1), 0.5 / 0.16, 1e-14);
  EXPECT_NEAR(K(0, 1), 0.0, 1e-14);
  EXPECT_NEAR(surface.size(), 0.16 / 0.7, 1e-15);
}

TEST(StarSurface, OfExponentsNearOneIsAlmostTheEllipsoid) {
  const Vec3 a(0.5, 0.7, 0.4);
  const StarSurface round(a), almost(a, Vec2::Constant(1.0 - 1e-9));
  Random random(3);
  for (int i = 0; i < 50; ++i) {
    const SurfaceCoordinates x = random_place(round, random);
    // The exponents differ by 1e-9; so do logarithms of ratios of up to 1e3.
    EXPECT_LT((round.at(x).p - almost.at(x).p).norm(), 1e-8);
    const Mat2 K = gauss_frame(round.at(x)).K;
    EXPECT_LT((K - gauss_frame(almost.at(x)).K).norm(), 1e-6);
  }
}

class CoordinatePlanes : public testing::TestWithParam<Vec2> {};

TEST_P(CoordinatePlanes, HaveFiniteDerivativesOfTheRightLimits) {
  const Vec2 e = GetParam();
  const StarSurface surface(Vec3(0.5, 0.4, 0.3), e);
  // Differences see the curvature only where the next derivative is bounded: powers of 4 and more.
  const bool even = (e.x() <= 0.5 || e.x() == 1.0) && (e.y() <= 0.5 || e.y() == 1.0);
  for (int chart = 0; chart < 6; ++chart)
    for (const Vec2& x : {Vec2(0, 0), Vec2(0, 0.4), Vec2(0.7, 0), Vec2(-1, 0), Vec2(0, 1),
                          Vec2(1, 1), Vec2(-1, 1)}) {
      const SurfaceCoordinates here = {x.x(), x.y(), chart};
      const GaussFrame frame = gauss_frame(surface.at(here), Vec3(1, 2, 3));
      EXPECT_TRUE(frame.K.allFinite());
      const bool pole = chart >= 4 && x.isZero(0.0);
      if (pole && e.x() == 1.0) continue;  // the curvature jumps
      if (even) {
        SCOPED_TRACE(e.transpose());
        expect_differences(surface, here, 1e-5, 0.5, 1e-6);  // 1e-10 times third derivatives
      }
      // The curvature is continuous: it grows with the distance from a plane to a power, of 0.1 or
      // more here, and (1e-100)^0.1 = 1e-10.
      for (const Vec2& d : {Vec2(1e-100, 1e-100), Vec2(-1e-101, 1e-100)}) {
        const SurfaceCoordinates near = {x.x() + d.x(), x.y() + d.y(), chart};
        const Mat2 K = gauss_frame(surface.at(near), Vec3(1, 2, 3)).K;
        EXPECT_LT((K - frame.K).norm(), 1e-7) << "chart " << chart << " at " << x.transpose();
      }
    }
}
INSTANTIATE_TEST_SUITE_P(All, CoordinatePlanes,
                         testing::Values(Vec2(0.5, 0.5), Vec2(0.4, 1.0), Vec2(1.0, 0.4),
                                         Vec2(0.8, 0.63), Vec2(0.2, 0.1), Vec2(0.9, 0.95),
                                         Vec2(0.95, 1.0), Vec2(0.25, 0.5)));

TEST(StarSurface, IsFlatAcrossCoordinatePlanesWhereAnExponentIsBelowOne) {
  const StarSurface surface(Vec3(0.5, 0.4, 0.3), Vec2(0.8, 0.6));
  for (int chart = 0; chart < 6; ++chart)
    EXPECT_EQ(gauss_frame(surface.at({0.0, 0.0, chart})).K.norm(), 0.0);
}

TEST(StarSurface, IsRefusedForUnsoundSizes) {
  const auto refusal = [](const Vec3& a, const Vec2& e) {
    return message_of<InputError>([&] { StarSurface(a, e); });
  };
  EXPECT_TRUE(contains(refusal(Vec3(1, 0, 1), Vec2(1, 1)), "half axes must be positive, one is 0"));
  EXPECT_TRUE(contains(refusal(Vec3(1, 1, NAN), Vec2(1, 1)), "half axes must be positive"));
  EXPECT_TRUE(contains(refusal(Vec3(1, 1, 1), Vec2(0.05, 1)),
                       "exponents must lie in [0.1, 1], one is 0.05"));
  EXPECT_TRUE(contains(refusal(Vec3(1, 1, 1), Vec2(1, 1.5)), "exponents must lie in [0.1, 1]"));
}

TEST(TorusSurface, HasTheExactDistance) {
  const TorusSurface torus(0.5, 0.2);
  EXPECT_NEAR(torus.foot(Vec3(0, 0, 0)).gap, 0.3, 1e-15);
  EXPECT_NEAR(torus.foot(Vec3(0.9, 0, 0)).gap, 0.2, 1e-15);
  EXPECT_NEAR(torus.foot(Vec3(0, -0.5, 0.5)).gap, 0.3, 1e-15);
  // Curvatures: 1 / minor around the tube, -1 / (major - minor) at the inner rim.
  const Mat2 K = gauss_frame(torus.at({0.0, kPi, 0}), Vec3::UnitY()).K;
  EXPECT_NEAR(K(0, 0), -1.0 / 0.3, 1e-14);
  EXPECT_NEAR(K(1, 1), 5.0, 1e-14);
}

TEST(TorusSurface, IsRefusedForUnsoundRadii) {
  for (const auto& radii :
       {std::pair(1.0, 1.0), std::pair(1.0, 0.0), std::pair(-1.0, 0.5), std::pair(HUGE_VAL, 0.5)})
    EXPECT_TRUE(contains(message_of<InputError>([&] { TorusSurface(radii.first, radii.second); }),
                         "must be positive and below the major one"));
}

}  // namespace
}  // namespace grouser
