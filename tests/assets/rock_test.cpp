#include "grouser/assets/rock.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>

#include "grouser/base/hash.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

RockDef random_rock(Random& random) {
  const double length = std::exp(random.uniform(-5.0, 3.0));
  const int f = 1 + static_cast<int>(random.below(10));
  return {.size = length * Vec3(1.0, random.uniform(0.2, 1.0), random.uniform(0.2, 1.0)),
          .roughness = random.uniform(0.0, 0.3),
          .fine_roughness = random.uniform(0.0, 0.1),
          .facets = static_cast<int>(random.below(60)),
          .angularity = random.uniform(),
          .triangles = 20 * f * f,
          .seed = static_cast<int>(random.below(1u << 30))};
}

std::uint64_t bits(const TriangleMesh& mesh) {
  Hash hash;
  for (const Vec3& p : mesh.vertices) hash.add({p.data(), 3});
  for (const auto& t : mesh.triangles)
    for (const std::int32_t i : t) hash.add(static_cast<std::uint64_t>(i));
  return hash.digest();
}

TEST(Rock, IsASolidOfItsSizeForAnyParameters) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const RockDef rock = random_rock(random);
    const TriangleMesh mesh = make_rock(rock);
    expect_solid(mesh);
    EXPECT_EQ(mesh.triangle_count(), static_cast<std::size_t>(rock.triangles));

    // Rounding of a few operations on numbers of the size of the rock.
    const Box box = bounding_box(mesh);
    EXPECT_LT((box.upper - box.lower - rock.size).norm(), 1e-14 * rock.size.norm());
    EXPECT_LT(mass_properties(mesh, 1.0, "rock").center.norm(), 1e-14 * rock.size.norm());
  }
}

TEST(Rock, IsASolidAtTheEndsOfTheRangeOfSizes) {
  for (const double x : {1e-6, 1e6})
    for (const double y : {1e-6, 1e6})
      for (const double z : {1e-6, 1e6}) {
        const Vec3 size(x, y, z);
        const TriangleMesh mesh = make_rock({.size = size, .triangles = 320});
        EXPECT_TRUE(take_census(mesh).closed());
        // An ellipsoid fills 0.52 of its box, the roughest rock a third.
        EXPECT_GT(signed_volume(mesh), 0.2 * size.prod());
        EXPECT_LT(signed_volume(mesh), 0.8 * size.prod());
        const Box box = bounding_box(mesh);
        const Vec3 error = (box.upper - box.lower - size).cwiseQuotient(size);
        EXPECT_LT(error.norm(), 1e-14);  // rounding
      }
}

/// A point in front of no triangle and behind all, searched by stepping behind the plane that is
/// broken most (Agmon 1954); whether there is one.
bool is_star_shaped(const TriangleMesh& mesh) {
  std::vector<TriangleFace> faces;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) faces.push_back(face_of(mesh, t));
  Vec3 point = Vec3::Zero();
  for (int step = 0; step < 20000; ++step) {
    double worst = -1e300;
    Vec3 normal;
    for (const TriangleFace& face : faces) {
      const double height = face.normal.dot(point - face.centroid);
      if (height > worst) worst = height, normal = face.normal;
    }
    if (worst < 0.0) return true;
    point -= 1.5 * (worst + 1e-6) * normal;
  }
  return false;
}

TEST(Rock, IsStarShapedSoNeverMeetsItself) {
  Random random(2);
  for (int i = 0; i < 60; ++i) {
    RockDef rock = random_rock(random);
    rock.size /= rock.size.maxCoeff();
    EXPECT_TRUE(is_star_shaped(make_rock(rock))) << i;
  }
}

TEST(Rock, WithoutRoughnessAndFacetsIsAnEllipsoid) {
  const Vec3 size(0.6, 0.4, 0.3);
  const TriangleMesh rock = make_rock(
      {.size = size, .roughness = 0.0, .fine_roughness = 0.0, .facets = 0, .triangles = 320});
  // The geodesic sphere reaches its radius along the axes for even f.
  const TriangleMesh ellipsoid = make_ellipsoid({.half_axes = 0.5 * size, .triangles = 320});
  ASSERT_EQ(rock.triangles, ellipsoid.triangles);
  for (std::size_t i = 0; i < rock.vertices.size(); ++i)
    EXPECT_LT((rock.vertices[i] - ellipsoid.vertices[i]).norm(), 1e-15);  // rounding
  const MassProperties a = mass_properties(rock, 2700.0, "rock");
  const MassProperties b = mass_properties(ellipsoid, 2700.0, "ellipsoid");
  EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-13 * b.inertia.norm());
}

TEST(Rock, HasMassPropertiesThatAreExactForTheMesh) {
  const TriangleMesh rock = make_rock({.size = {0.5, 0.4, 0.3}, .roughness = 0.25, .seed = 4});
  const MassProperties mass = mass_properties(rock, 2700.0, "rock");
  // Integrals over tetrahedra by a formula of second degree, exact for moments of inertia: corners
  // weigh 1/20 less their sum, the centroid 4/5.
  double volume = 0.0;
  Mat3 second = Mat3::Zero();
  for (std::size_t t = 0; t < rock.triangle_count(); ++t) {
    const Vec3 a = rock.corner(t, 0), b = rock.corner(t, 1), c = rock.corner(t, 2);
    const double v = a.dot(b.cross(c)) / 6.0;
    const Vec3 middle = 0.25 * (a + b + c);
    volume += v;
    second += v * (0.8 * middle * middle.transpose() +
                   0.05 * (a * a.transpose() + b * b.transpose() + c * c.transpose()));
  }
  const Mat3 inertia = 2700.0 * (second.trace() * Mat3::Identity() - second);
  EXPECT_NEAR(mass.mass, 2700.0 * volume, 1e-13 * mass.mass);
  EXPECT_LT((mass.inertia - inertia).norm(), 1e-12 * inertia.norm());
}

/// rms of the distance from the ellipsoid with the same moments, over its radius.
double deviation_from_ellipsoid(const TriangleMesh& mesh) {
  const MassProperties mass = mass_properties(mesh, 1.0, "rock");
  const Mat3 second = 0.5 * mass.inertia.trace() * Mat3::Identity() - mass.inertia;
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(second);
  const Vec3 half = (5.0 * axes.eigenvalues() / mass.mass).cwiseSqrt();
  double square = 0.0;
  for (const Vec3& p : mesh.vertices) {
    const double r = (axes.eigenvectors().transpose() * p).cwiseQuotient(half).norm();
    square += (r - 1.0) * (r - 1.0);
  }
  return std::sqrt(square / static_cast<double>(mesh.vertices.size()));
}

/// Mean angle [rad] between triangles that share an edge.
double mean_bend(const TriangleMesh& mesh) {
  std::map<std::pair<std::int32_t, std::int32_t>, Vec3> sides;
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
      const Vec3 normal = face_of(mesh, t).normal;
      const auto [other, fresh] = sides.emplace(std::minmax(a, b), normal);
      if (fresh) continue;
      sum += std::acos(std::clamp(normal.dot(other->second), -1.0, 1.0));
      ++count;
    }
  return sum / static_cast<double>(count);
}

TEST(Rock, IsRougherWithMoreRoughness) {
  const auto mean_over_seeds = [](const auto& measure, RockDef rock) {
    double sum = 0.0;
    for (rock.seed = 0; rock.seed < 12; ++rock.seed) sum += measure(make_rock(rock));
    return sum / 12;
  };
  double last_deviation = 0.0, last_bend = 0.0;
  for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const RockDef shape{.size = {1.0, 0.9, 0.7}, .roughness = 0.3 * part, .fine_roughness = 0.01};
    const double deviation = mean_over_seeds(deviation_from_ellipsoid, shape);
    EXPECT_GT(deviation, 1.1 * last_deviation);
    last_deviation = deviation;
    const RockDef skin{.size = {1.0, 0.9, 0.7}, .fine_roughness = 0.1 * part};
    const double bend = mean_over_seeds(mean_bend, skin);
    EXPECT_GT(bend, 1.1 * last_bend);
    last_bend = bend;
  }
}

TEST(Rock, ShowsTheSameShapeWithMoreTriangles) {
  RockDef rock{.size = {1.0, 0.9, 0.7}, .triangles = 1280, .seed = 3};
  const MassProperties coarse = mass_properties(make_rock(rock), 1.0, "rock");
  rock.triangles = 20480;
  const MassProperties fine = mass_properties(make_rock(rock), 1.0, "rock");
  // Edges of 0.1 cut off up to edge^2 / 8 of the radius, and the boxes touch other bumps.
  EXPECT_NEAR(coarse.mass, fine.mass, 0.03 * fine.mass);
  EXPECT_LT((coarse.inertia - fine.inertia).norm(), 0.05 * fine.inertia.norm());
}

TEST(Rock, GrowsWithItsSizeOnly) {
  const TriangleMesh small = make_rock({.size = {0.3, 0.2, 0.1}});
  const TriangleMesh large = make_rock({.size = {30.0, 20.0, 10.0}});
  for (std::size_t i = 0; i < small.vertices.size(); ++i)
    EXPECT_LT((100.0 * small.vertices[i] - large.vertices[i]).norm(), 1e-11);  // rounding
}

TEST(Rock, ChangesWithEveryParameterAndIsTheSameWithout) {
  const RockDef rock{.size = {0.3, 0.2, 0.1}, .triangles = 320};
  EXPECT_EQ(bits(make_rock(rock)), bits(make_rock(rock)));
  std::vector<RockDef> others(9, rock);
  others[0].size.x() = 0.31;
  others[1].size.y() = 0.21;
  others[2].size.z() = 0.11;
  others[3].roughness = 0.11;
  others[4].fine_roughness = 0.021;
  others[5].facets = 19;
  others[6].angularity = 0.61;
  others[7].triangles = 500;
  others[8].seed = 2;
  const auto& table = parameter_table(&rock);
  EXPECT_EQ(table.values(rock).as_table().size(), table.infos().size());
  for (const RockDef& other : others) {
    EXPECT_NE(bits(make_rock(rock)), bits(make_rock(other)));
    EXPECT_NE(table.values(rock).inline_text(), table.values(other).inline_text());
    RockDef again;
    table.read(table.values(other), again, "rock");
    EXPECT_EQ(bits(make_rock(again)), bits(make_rock(other)));
  }
}

TEST(Rock, RefusesBadNumbers) {
  const auto complaint = [](const RockDef& rock) {
    return message_of<InputError>([&] { make_rock(rock); });
  };
  const Vec3 size(0.3, 0.2, 0.1);
  EXPECT_EQ(complaint({.size = {0.3, -0.2, 0.1}}), "rock.size must lie in [1e-06, 1e+06], is -0.2");
  EXPECT_EQ(complaint({.size = Vec3::Constant(1e-110)}),
            "rock.size must lie in [1e-06, 1e+06], is 1e-110");
  EXPECT_EQ(complaint({.size = Vec3::Constant(1e110)}),
            "rock.size must lie in [1e-06, 1e+06], is 1e+110");
  EXPECT_EQ(complaint({}), "rock.size is missing (edge lengths of the bounding box)");
  EXPECT_EQ(complaint({.size = size, .roughness = 0.5}),
            "rock.roughness must lie in [0, 0.3], is 0.5");
  EXPECT_EQ(complaint({.size = size, .fine_roughness = -1.0}),
            "rock.fine_roughness must lie in [0, 0.1], is -1");
  EXPECT_EQ(complaint({.size = size, .facets = -1}), "rock.facets must lie in [0, 200], is -1");
  EXPECT_EQ(complaint({.size = size, .angularity = 1.5}),
            "rock.angularity must lie in [0, 1], is 1.5");
  EXPECT_EQ(complaint({.size = size, .triangles = 300}),
            "rock.triangles must be 20 times a square, is 300; nearest are 180 and 320");
  EXPECT_EQ(complaint({.size = size, .triangles = 30000000}),
            "rock.triangles must lie in [20, 2e+07], is 3e+07");
  EXPECT_EQ(complaint({.size = size, .seed = -1}), "rock.seed must not be negative, is -1");
}

// May change only together with kRockVersion.
TEST(Rock, HasTheSameBitsEverywhere) {
  EXPECT_EQ(kRockVersion, 1);
  EXPECT_EQ(bits(make_rock({.size = {0.4, 0.3, 0.2}, .seed = 7})), 977794748194021112ull);
  EXPECT_EQ(bits(make_rock({.size = {1.0, 1.0, 1.0},
                            .roughness = 0.2,
                            .fine_roughness = 0.04,
                            .facets = 5,
                            .angularity = 1.0,
                            .triangles = 2000})),
            16753381302557681216ull);
}

}  // namespace
}  // namespace grouser
