#include "grouser/mesh/mass_properties.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "grouser/base/error.h"
#include "grouser/mesh/mesh_shapes.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

/// Largest relative difference of mass, centre (in units of `size`) and inertia.
double difference(const MassProperties& a, const MassProperties& b, double size) {
  return std::max({std::abs(a.mass / b.mass - 1.0), (a.center - b.center).norm() / size,
                   (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

TEST(MassProperties, OfABoxAreExact) {
  const Vec3 size(0.4, 1.1, 2.3);
  for (const int divisions : {1, 7}) {
    const MassProperties box =
        mass_properties(make_box({.size = size, .divisions = divisions}), 2700.0, "box");
    EXPECT_LT(difference(box, box_mass_properties(size, 2700.0), 1.0), 1e-14);  // rounding
  }
}

struct CurvedCase {
  const char* name;
  std::function<TriangleMesh(int)> mesh;  // level 1 is twice as fine as level 0
  MassProperties exact;
};

std::vector<CurvedCase> curved_cases() {
  return {
      {"sphere",
       [](int level) { return make_sphere({.radius = 0.7, .triangles = level ? 20480 : 5120}); },
       sphere_mass_properties(0.7, 3.0)},
      {"torus",
       [](int level) {
         return make_torus(
             {.major_radius = 1.0, .minor_radius = 0.3, .triangles = level ? 65536 : 16384});
       },
       torus_mass_properties(1.0, 0.3, 3.0)},
      {"cylinder",
       [](int level) {
         return make_cylinder({.radius = 0.5, .length = 1.2, .segments = level ? 128 : 64});
       },
       cylinder_mass_properties(0.5, 1.2, 3.0)},
      {"cone",
       [](int level) {
         return make_cone({.base_radius = 0.5, .length = 1.2, .segments = level ? 256 : 128});
       },
       cone_mass_properties(0.5, 0.0, 1.2, 3.0)},
      {"frustum",
       [](int level) {
         return make_cone(
             {.base_radius = 0.2, .top_radius = 0.6, .length = 0.9, .segments = level ? 256 : 128});
       },
       cone_mass_properties(0.2, 0.6, 0.9, 3.0)},
      {"capsule",
       [](int level) {
         return make_capsule({.radius = 0.4, .length = 1.0, .segments = level ? 128 : 64});
       },
       capsule_mass_properties(0.4, 1.0, 3.0)},
  };
}

TEST(MassProperties, OfCurvedSolidsConvergeWithTheSquareOfTheEdge) {
  for (const CurvedCase& test : curved_cases()) {
    SCOPED_TRACE(test.name);
    const double coarse =
        difference(mass_properties(test.mesh(0), 3.0, test.name), test.exact, 1.0);
    const double fine = difference(mass_properties(test.mesh(1), 3.0, test.name), test.exact, 1.0);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_NEAR(coarse / fine, 4.0, 0.4);  // order 2; the rest is order 4 and uneven rings
  }
}

TEST(MassProperties, OfAConeInClosedFormAgreeWithTheTextbook) {
  const double r = 0.5, h = 1.2;
  const MassProperties cone = cone_mass_properties(r, 0.0, h, 1.0);
  EXPECT_NEAR(cone.mass, kPi * r * r * h / 3.0, 1e-15);
  EXPECT_NEAR(cone.center.z(), -h / 4.0, 1e-15);  // a quarter up from the base
  EXPECT_NEAR(cone.inertia(2, 2), 0.3 * cone.mass * r * r, 1e-15);
  EXPECT_NEAR(cone.inertia(0, 0), cone.mass * (3.0 / 20.0 * r * r + 3.0 / 80.0 * h * h), 1e-15);
}

TEST(MassProperties, OfAFrustumWithEqualEndsAreThoseOfACylinder) {
  EXPECT_LT(difference(cone_mass_properties(0.5, 0.5, 1.2, 2.0),
                       cylinder_mass_properties(0.5, 1.2, 2.0), 1.0),
            1e-15);
}

TEST(MassProperties, OfACapsuleWithoutLengthAreThoseOfASphere) {
  EXPECT_LT(
      difference(capsule_mass_properties(0.5, 0.0, 2.0), sphere_mass_properties(0.5, 2.0), 1.0),
      1e-15);
}

TEST(MassProperties, TurnAndMoveWithTheMesh) {
  TriangleMesh mesh = make_cone({.base_radius = 0.5, .length = 1.2});
  const MassProperties before = mass_properties(mesh, 5.0, "cone");
  const Pose X = {rotation_from_vector({0.3, -1.1, 0.7}), {3.0, -2.0, 5.0}};
  for (Vec3& p : mesh.vertices) p = X * p;
  const MassProperties after = mass_properties(mesh, 5.0, "cone");

  const MassProperties expected{before.mass, X * before.center,
                                X.R * before.inertia * X.R.transpose()};
  EXPECT_LT(difference(after, expected, 1.0), 1e-13);  // rounding of vertices at distance 6
}

TEST(MassProperties, LoseNoDigitsFarFromTheOrigin) {
  TriangleMesh mesh = make_box({.size = {1.0, 2.0, 4.0}});
  const Vec3 far(1048576.0, -2097152.0, 4194304.0);  // powers of two: the vertices stay exact
  for (Vec3& p : mesh.vertices) p += far;
  MassProperties expected = box_mass_properties({1.0, 2.0, 4.0}, 1.0);
  expected.center = far;
  EXPECT_LT(difference(mass_properties(mesh, 1.0, "box"), expected, 1.0), 1e-15);
}

TEST(MassProperties, GrowWithTheDensity) {
  const TriangleMesh mesh = make_sphere({.radius = 0.1});
  const MassProperties one = mass_properties(mesh, 1.0, "sphere");
  const MassProperties two = mass_properties(mesh, 2.0, "sphere");
  EXPECT_EQ(two.mass, 2.0 * one.mass);
  EXPECT_EQ(two.inertia, 2.0 * one.inertia);
}

TEST(MassProperties, RefuseWhatHasNoInside) {
  const auto complaint = [](const TriangleMesh& mesh, double density = 1.0) {
    return message_of<InputError>([&] { mass_properties(mesh, density, "hull"); });
  };
  TriangleMesh open = make_box({.size = Vec3::Ones()});
  open.triangles.pop_back();
  open.groups.pop_back();
  EXPECT_EQ(complaint(open),
            "hull: mass properties need a closed mesh; of its 18 edges 3 have one triangle, 0 have "
            "more than two and 0 have two of opposite orientation");

  TriangleMesh inside_out = make_box({.size = Vec3::Ones()});
  reverse_orientation(inside_out);
  EXPECT_EQ(complaint(inside_out),
            "hull: the mesh is inside out, its volume is -1 m^3; reverse the order of its "
            "triangles' corners");

  TriangleMesh flat = make_box({.size = {1.0, 2.0, 3.0}, .divisions = 3});
  for (Vec3& p : flat.vertices) p.z() = 0.1 * p.x();
  EXPECT_EQ(complaint(flat), "hull: the mesh encloses no volume");

  EXPECT_EQ(complaint({}), "hull: the mesh has no triangles");
  EXPECT_EQ(complaint(make_box({.size = Vec3::Ones()}), 0.0),
            "hull: density must be positive, is 0");
}

}  // namespace
}  // namespace grouser
