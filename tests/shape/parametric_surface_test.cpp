#include "grouser/shape/parametric_surface.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/base/random.h"
#include "grouser/shape/smooth_bodies.h"
#include "tests/shape/surface_checks.h"
#include "tests/support/allocations.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

ParametricDef formulas(const std::string& x, const std::string& y, const std::string& z,
                       const Vec2& u, const Vec2& v, const std::string& periodic = "") {
  const auto formula = [](const std::string& text) { return Formula(text, {"u", "v"}); };
  ParametricDef def = parametric_formulas(formula(x), formula(y), formula(z));
  def.u = u;
  def.v = v;
  def.periodic_u = periodic.find('u') != std::string::npos;
  def.periodic_v = periodic.find('v') != std::string::npos;
  return def;
}
ParametricDef height(const std::string& z, double reach = 2.0) {
  return formulas("u", "v", z, {-reach, reach}, {-reach, reach});
}
ParametricDef torus() {
  return formulas("(0.5 + 0.2*cos(v))*cos(u)", "(0.5 + 0.2*cos(v))*sin(u)", "0.2*sin(v)",
                  {-kPi, kPi}, {-kPi, kPi}, "uv");
}
/// Without its ends, seen from outside.
ParametricDef tube() {
  return formulas("0.3*cos(u)", "0.3*sin(u)", "v", {-kPi, kPi}, {-1, 1}, "u");
}
ParametricDef flipped(ParametricDef def) {
  def.flip = true;
  return def;
}

struct NamedDef {
  std::string name;
  ParametricDef def;
};
class ParametricSurfaces : public testing::TestWithParam<NamedDef> {
 protected:
  const ParametricSurface surface_{GetParam().def};
  Random random_{4};

  SurfaceCoordinates random_place(double reach = 1.0) {
    const SmoothSurface::Grid grid = surface_.grids()[0];
    const double s = random_.uniform(-reach, reach), t = random_.uniform(-reach, reach);
    return {0.5 * (grid.u0 + grid.u1) + 0.5 * (grid.u1 - grid.u0) * s,
            0.5 * (grid.v0 + grid.v1) + 0.5 * (grid.v1 - grid.v0) * t, 0};
  }
};
INSTANTIATE_TEST_SUITE_P(
    All, ParametricSurfaces,
    testing::Values(NamedDef{"bowl", height("0.2*u^2 + 0.15*v^2 + 0.05*u*v")},
                    NamedDef{"waves", height("0.1*sin(3*u)*cos(2*v)")},
                    NamedDef{"ceiling", flipped(height("1 + 0.1*sin(3*u)"))},
                    NamedDef{"torus", torus()}, NamedDef{"hole", flipped(torus())},
                    NamedDef{"tube", tube()},
                    NamedDef{"helicoid",
                             formulas("v*cos(u)", "v*sin(u)", "0.2*u", {-4, 4}, {0.5, 2})}),
    [](const auto& row) { return row.param.name; });

TEST_P(ParametricSurfaces, HaveTheNormalAndCurvatureOfDifferences) {
  for (int i = 0; i < 100; ++i)
    expect_differences(surface_, random_place(1.2), 1e-5, 1.0, 1e-8);  // 1e-10 times derivatives
}

TEST_P(ParametricSurfaces, HaveAFootWithTheRightGapNearby) {
  for (int i = 0; i < 200; ++i) {
    const GaussFrame frame = gauss_frame(surface_.at(random_place(0.95)));
    for (const double d : {1e-4, -1e-4}) {
      const Vec3 p = frame.p + d * frame.n;
      const SurfaceFoot foot = surface_.foot(p);
      EXPECT_NEAR(foot.gap, d, 1e2 * d * d);  // to first order, curvatures are up to 10 per metre
      EXPECT_LT((surface_.at(foot.at).p - p).norm(), 3.0 * std::abs(d));
      EXPECT_TRUE(surface_.may_touch(p, 1.001e-4));
    }
  }
}

TEST_P(ParametricSurfaces, NeverMissABallThatTouches) {
  for (int i = 0; i < 300; ++i) {
    const GaussFrame frame = gauss_frame(surface_.at(random_place(1.0)));
    const double radius = random_.uniform(1e-3, 0.5);
    Vec3 direction(random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1));
    direction.normalize();
    EXPECT_TRUE(surface_.may_touch(frame.p + 0.999 * radius * direction, radius));
  }
}

TEST_P(ParametricSurfaces, AnswerWithoutAllocating) {
  const SurfaceCoordinates x = random_place(1.1);
  const std::size_t before = allocations();
  const Vec3 p = surface_.at(surface_.recharted(x)).p;
  const bool touches = surface_.may_touch(p, 0.1) && surface_.foot(p).gap < 1.0;
  EXPECT_EQ(allocations(), before);
  EXPECT_TRUE(touches);
}

TEST_P(ParametricSurfaces, LookOutwardInPictures) {
  const TriangleMesh mesh = surface_.mesh();
  for (std::size_t t = 0; t < mesh.triangle_count(); t += 97) {
    const TriangleFace face = face_of(mesh, t);
    EXPECT_GT(surface_.foot(face.centroid + 0.05 * face.normal).gap, 0.0);
  }
}

TEST(ParametricSurface, GivenAsAFunctionIsTheSame) {
  const StarSurface sphere(Vec3::Constant(0.5));
  ParametricDef def;
  def.f = [&](double u, double v) { return sphere.at({u, v, 4}); };
  def.u = def.v = Vec2(-1.0, 1.0);
  const ParametricSurface patch(def);
  EXPECT_EQ(patch.at({0.3, -0.4, 0}).p, sphere.at({0.3, -0.4, 4}).p);
  EXPECT_NEAR(patch.size(), 0.5, 1e-12);  // rounding
  // Newton's method ends at the foot itself, in 4 steps.
  const SurfaceFoot foot = patch.foot(Vec3(0.1, 0.2, 0.9));
  EXPECT_NEAR(foot.gap, Vec3(0.1, 0.2, 0.9).norm() - 0.5, 1e-6);
}

TEST(ParametricSurface, IsTheTorusOfThatFormula) {
  const ParametricSurface formula(torus());
  const TorusSurface torus(0.5, 0.2);
  Random random(8);
  for (int i = 0; i < 100; ++i) {
    const SurfaceCoordinates x = {random.uniform(-9, 9), random.uniform(-9, 9), 0};
    EXPECT_LT((formula.at(x).p - torus.at(x).p).norm(), 1e-14);
    EXPECT_EQ(formula.at(x).status, SurfaceStatus::ok);  // periodic both ways
    const Vec3 p(random.uniform(-0.9, 0.9), random.uniform(-0.9, 0.9), random.uniform(-0.5, 0.5));
    // Newton's method ends at the foot, unless the point is near the middle of the tube or the
    // axis.
    EXPECT_NEAR(formula.foot(p).gap, torus.foot(p).gap, 1e-3);
  }
  EXPECT_TRUE(take_census(formula.mesh()).closed());
  EXPECT_FALSE(formula.may_touch(Vec3(0, 0, 0), 0.2));
  EXPECT_TRUE(formula.may_touch(Vec3(0, 0, 0), 0.31));
}

TEST(ParametricSurface, OfAHeightFieldHasItsFootVertically) {
  const ParametricSurface bowl(height("0.2*u^2 + 0.2*v^2"));
  const SurfaceFoot foot = bowl.foot(Vec3(1.0, 0.5, 3.0));
  EXPECT_EQ(foot.at.u, 1.0);
  EXPECT_EQ(foot.at.v, 0.5);
  EXPECT_GT(foot.gap, 0.0);
  EXPECT_FALSE(bowl.may_touch(Vec3(0, 0, 2), 0.1));
  EXPECT_TRUE(bowl.may_touch(Vec3(0, 0, -5), 0.1));  // below is inside
  const ParametricSurface ceiling(flipped(height("2 + 0*u")));
  EXPECT_NEAR(ceiling.foot(Vec3(0.5, 0.1, 1.5)).gap, 0.5, 1e-15);
  EXPECT_FALSE(ceiling.may_touch(Vec3(0.5, 0.1, 1.5), 0.4));
  EXPECT_TRUE(ceiling.may_touch(Vec3(0.5, 0.1, 3.0), 0.1));
}

TEST(ParametricSurface, GoesOnBeyondItsRangeAndSaysSo) {
  const ParametricSurface bowl(height("0.2*u^2 + 0.2*v^2"));
  EXPECT_EQ(bowl.at({2.0, -2.0, 0}).status, SurfaceStatus::ok);
  EXPECT_EQ(bowl.at({2.1, 0.0, 0}).status, SurfaceStatus::beyond);
  EXPECT_NEAR(bowl.at({3.0, 0.0, 0}).p.z(), 1.8, 1e-15);
  // Where the formula ends, the surface goes on straight.
  const ParametricSurface cap(formulas("u", "v", "sqrt(4 - u^2 - v^2)", {-1, 1}, {-1, 1}));
  const SurfaceJet far = cap.at({5.0, 0.0, 0}), border = cap.at({1.0, 0.0, 0});
  EXPECT_EQ(far.status, SurfaceStatus::beyond);
  EXPECT_LT((far.p - (border.p + 4.0 * border.fu)).norm(), 1e-14);
  EXPECT_TRUE(cap.foot(Vec3(50, 0, 0)).at.u == 50.0);
  EXPECT_TRUE(std::isfinite(cap.foot(Vec3(50, 0, 0)).gap));
}

TEST(ParametricSurface, HasNothingToSayAtASingularPlaceThatNobodySaw) {
  const ParametricSurface cone(height("sqrt((u - 0.0123)^2 + v^2 + 0*u)"));
  const SurfaceJet tip = cone.at({0.0123, 0.0, 0});
  EXPECT_EQ(tip.status, SurfaceStatus::no_data);
  EXPECT_TRUE(gauss_frame(tip).K.allFinite());
}

TEST(ParametricSurface, IsRefusedWithThePlace) {
  const auto refusal = [](const ParametricDef& def) {
    return message_of<InputError>([&] { ParametricSurface surface(def); });
  };
  EXPECT_EQ(refusal(height("sqrt(u)")),
            "the surface or a derivative of it is not finite at u = -2, v = -2");
  EXPECT_EQ(refusal(formulas("cos(u)*cos(v)", "sin(u)*cos(v)", "sin(v)", {-kPi, kPi},
                             {-0.5 * kPi, 0.0}, "u")),
            "the surface has no normal at u = -3.14159, v = -1.5708");
  EXPECT_EQ(refusal(formulas("u", "2*u", "v^2", {-1, 1}, {-1, 1})),
            "the surface has no normal at u = -1, v = 0");
  EXPECT_EQ(refusal(flipped(formulas("u", "2*u", "v^2", {-1, 1}, {-1, 1}))),
            "the surface has no normal at u = -1, v = 0");
  EXPECT_EQ(refusal(formulas("u", "v", "0", {1, 1}, {0, 1})),
            "the range of u must go up, is from 1 to 1");
  EXPECT_EQ(refusal(formulas("u", "v", "0", {0, 1}, {0, HUGE_VAL})),
            "the range of v must go up, is from 0 to inf");
  EXPECT_EQ(refusal(formulas("u", "v", "u^2", {-1, 1}, {-1, 1}, "u")),
            "periodic in u, but its ends are 2 m apart");
  EXPECT_EQ(refusal(flipped(formulas("u", "v", "u^2", {-1, 1}, {-1, 1}, "v"))),
            "periodic in v, but its ends are 2 m apart");
  EXPECT_EQ(refusal(formulas("(2 + u^2)*cos(2*v)", "(2 + u^2)*sin(2*v)", "(2 + u^2)*(u^3 - u)",
                             {-1, 1}, {-1, 1}, "u")),
            "periodic in u, but there is a kink at its ends");
  EXPECT_EQ(refusal(ParametricDef{}), "a parametrised surface needs a function f");
}

TEST(ParametricSurface, HasMoreCellsWhereItIsWavy) {
  const auto cells = [](const std::string& z) {
    return ParametricSurface(height(z)).grids()[0].nu;
  };
  EXPECT_EQ(cells("0*u"), 8);
  EXPECT_GT(cells("0.1*sin(6*u)"), 16);
  EXPECT_EQ(cells("0.1*sin(60*u)"), 128);
}

}  // namespace
}  // namespace grouser
