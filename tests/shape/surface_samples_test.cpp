#include "grouser/shape/surface_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/shape/parametric_surface.h"
#include "grouser/shape/smooth_bodies.h"
#include "tests/support/allocations.h"

namespace grouser {
namespace {

struct NamedSurface {
  std::string name;
  /// Made for its own tests alone: every test of the program starts with the list of all.
  std::function<std::shared_ptr<const SmoothSurface>()> make;
};

ParametricDef formulas(const char* x, const char* y, const char* z, const Vec2& range) {
  const auto formula = [](const char* text) { return Formula(text, {"u", "v"}); };
  ParametricDef def = parametric_formulas(formula(x), formula(y), formula(z));
  def.u = def.v = range;
  return def;
}

std::shared_ptr<const SmoothSurface> wavy_ring() {
  ParametricDef ring = formulas("(0.5 + 0.2*cos(v))*cos(u)", "(0.5 + 0.2*cos(v))*sin(u)",
                                "0.2*sin(v) + 0.1*sin(3*u)", {0.0, 2.0 * kPi});
  ring.periodic_u = ring.periodic_v = true;
  return std::make_shared<ParametricSurface>(ring);
}

/// All are closed.
std::vector<NamedSurface> surfaces() {
  const auto star = [](const Vec3& axes, const Vec2& exponents = Vec2::Ones()) {
    return [=] { return std::make_shared<StarSurface>(axes, exponents); };
  };
  return {{"wavy_ring", wavy_ring},
          {"sphere", star(Vec3::Constant(0.3))},
          {"long", star(Vec3(2.0, 0.3, 0.2))},
          {"box", star(Vec3(0.4, 0.3, 0.2), Vec2(0.2, 0.1))},
          {"torus", [] { return std::make_shared<TorusSurface>(0.5, 0.2); }}};
}

class SurfaceSamplesOf : public testing::TestWithParam<NamedSurface> {
 protected:
  const std::shared_ptr<const SmoothSurface> made_ = GetParam().make();
  const SmoothSurface& surface_ = *made_;
  const SurfaceSamples samples_{surface_};
  Random random_{5};

  Vec3 random_point() {
    const std::vector<SmoothSurface::Grid> grids = surface_.grids();
    const auto& grid = grids[random_.below(static_cast<std::uint32_t>(grids.size()))];
    return surface_
        .at({random_.uniform(grid.u0, grid.u1), random_.uniform(grid.v0, grid.v1), grid.chart})
        .p;
  }
  Vec3 random_vector() {
    return {random_.uniform(-1, 1), random_.uniform(-1, 1), random_.uniform(-1, 1)};
  }
};
INSTANTIATE_TEST_SUITE_P(All, SurfaceSamplesOf, testing::ValuesIn(surfaces()),
                         [](const auto& row) { return row.param.name; });

TEST_P(SurfaceSamplesOf, LieOnTheSurface) {
  std::size_t cells = 0;
  for (const auto& grid : surface_.grids()) cells += static_cast<std::size_t>(grid.nu * grid.nv);
  EXPECT_EQ(static_cast<std::size_t>(samples_.size()), cells);
  for (int i = 0; i < samples_.size(); ++i)
    EXPECT_EQ(samples_.sample(i).p, surface_.at(samples_.sample(i).at).p);
}

TEST_P(SurfaceSamplesOf, HaveBallsThatCoverTheSurface) {
  for (int k = 0; k < 1000; ++k) {
    const Vec3 p = random_point();
    std::vector<int> found;
    samples_.visit([&](const Vec3& c, double r) { return (p - c).norm() <= r; },
                   [&](int i) { found.push_back(i); });
    ASSERT_FALSE(found.empty()) << p.transpose();
    // No more than a few cells meet at a point, so balls are not much larger than cells.
    EXPECT_LT(found.size(), 40u);
    EXPECT_NE(std::find(found.begin(), found.end(), samples_.nearest(p)), found.end());
  }
}

TEST_P(SurfaceSamplesOf, AreAllVisitedOnce) {
  std::vector<int> visits(static_cast<std::size_t>(samples_.size()), 0);
  samples_.visit([](const Vec3&, double) { return true; },
                 [&](int i) { ++visits[static_cast<std::size_t>(i)]; });
  for (const int count : visits) EXPECT_EQ(count, 1);
  samples_.visit([](const Vec3&, double) { return false; }, [](int) { ADD_FAILURE(); });
}

TEST_P(SurfaceSamplesOf, KnowTheNearest) {
  for (int k = 0; k < 200; ++k) {
    const Vec3 p = 3.0 * random_vector();
    double least = 1e300;
    for (int i = 0; i < samples_.size(); ++i)
      least = std::min(least, (samples_.sample(i).p - p).norm());
    EXPECT_EQ((samples_.sample(samples_.nearest(p)).p - p).norm(), least);
  }
}

TEST_P(SurfaceSamplesOf, HaveNeighboursAllAround) {
  for (int i = 0; i < samples_.size(); ++i) {
    const auto neighbours = samples_.neighbours(i);
    ASSERT_GE(neighbours.size(), 6u);  // at a corner of the cube three faces meet
    // They stand around the sample: in every direction along the surface there is one.
    const GaussFrame frame = gauss_frame(surface_.at(samples_.sample(i).at));
    for (int k = 0; k < 8; ++k) {
      const Vec3 direction = frame.along(Vec2(std::cos(0.25 * kPi * k), std::sin(0.25 * kPi * k)));
      double most = -1.0;
      for (const std::int32_t j : neighbours) {
        EXPECT_NE(j, i);
        most = std::max(most, (samples_.sample(j).p - frame.p).dot(direction));
      }
      EXPECT_GT(most, 0.0);
    }
  }
}

TEST(SurfaceSamples, OfASheetCoverItAndHaveFewerNeighboursAtItsBorder) {
  const ParametricSurface sheet(formulas("u", "v", "0.1*sin(3*u)*cos(2*v)", {-2.0, 2.0}));
  const SurfaceSamples samples(sheet);
  const SmoothSurface::Grid grid = sheet.grids()[0];
  EXPECT_EQ(samples.neighbours(0).size(), 3u);
  EXPECT_EQ(samples.neighbours(1).size(), 5u);
  EXPECT_EQ(samples.neighbours(grid.nu + 1).size(), 8u);
  Random random(2);
  for (int k = 0; k < 500; ++k) {
    const Vec3 p = sheet.at({random.uniform(-2, 2), random.uniform(-2, 2), 0}).p;
    int found = 0;
    samples.visit([&](const Vec3& c, double r) { return (p - c).norm() <= r; },
                  [&](int) { ++found; });
    EXPECT_GT(found, 0);
  }
}

TEST(SurfaceSamples, LeadDownhillToTheNearestOne) {
  // From neighbour to neighbour, always nearer to a point outside of an ellipsoid: ends where no
  // sample is nearer.
  const SurfaceSamples samples(StarSurface(Vec3(0.6, 0.3, 0.4)));
  Random random(9);
  for (int k = 0; k < 50; ++k) {
    const Vec3 p(random.uniform(-4, 4), random.uniform(-4, 4), random.uniform(1, 4));
    const auto distance = [&](int i) { return (samples.sample(i).p - p).norm(); };
    int here = 0, steps = 0;
    for (bool nearer = true; nearer; ++steps) {
      nearer = false;
      for (const std::int32_t j : samples.neighbours(here))
        if (distance(j) < distance(here)) {
          here = j;
          nearer = true;
        }
    }
    EXPECT_EQ(distance(here), distance(samples.nearest(p)));
    EXPECT_LT(steps, samples.size());
  }
}

TEST_P(SurfaceSamplesOf, AreVisitedWithoutAllocating) {
  const Vec3 p = random_point();
  int sum = 0;
  const std::size_t before = allocations();
  samples_.visit([&](const Vec3& c, double r) { return (p - c).norm() <= r; },
                 [&](int i) { sum += i; });
  sum += samples_.nearest(p);
  EXPECT_EQ(allocations(), before);
  EXPECT_GE(sum, 0);
}

}  // namespace
}  // namespace grouser
