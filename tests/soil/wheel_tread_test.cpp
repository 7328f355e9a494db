#include "grouser/soil/wheel_tread.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "grouser/assets/wheel.h"
#include "grouser/base/random.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/soil/lower_envelope.h"
#include "tests/support/irregular_mesh.h"

namespace grouser {
namespace {

const WheelDef& wheel_preset(const std::string& name) {
  for (const WheelPreset& one : wheel_presets())
    if (one.name == name) return one.wheel;
  throw std::runtime_error("no wheel " + name);
}

std::shared_ptr<const WheelTread> tread_of(const TriangleMesh& mesh) {
  return find_tread(mesh, Vec3::UnitY(), Vec3::Zero());
}

/// With its axis z along y.
TriangleMesh upright(TriangleMesh mesh) {
  for (Vec3& p : mesh.vertices) p = Vec3(p.x(), -p.z(), p.y());
  return mesh;
}

/// Greatest distance of a mesh from the y axis.
double radius_of(const TriangleMesh& mesh) {
  double out = 0.0;
  for (const Vec3& p : mesh.vertices) out = std::max(out, std::hypot(p.x(), p.z()));
  return out;
}

TEST(WheelTread, OfTheGeneratedWheelsIsWhatTheyWereMadeOf) {
  for (const char* name : {"viper", "mmx", "exomars", "zhurong", "pragyan", "rashid"}) {
    const WheelDef& wheel = wheel_preset(name);
    const TriangleMesh mesh = make_wheel(wheel);
    const auto tread = tread_of(mesh);
    ASSERT_TRUE(tread) << name;
    const double around = 2.0 * kPi * wheel.radius;
    EXPECT_NEAR(tread->height(), wheel.grouser_height, 0.01 * wheel.grouser_height) << name;
    EXPECT_NEAR(tread->along.density, wheel.grouser_count * wheel.grouser_height / around,
                0.04 * tread->along.density)  // facets of the rim are climbs too
        << name;
    // Flanks stand square to the tread, so tips are wider seen from the axis than the foot.
    EXPECT_NEAR(tread->share, wheel.grouser_count * wheel.grouser_thickness / around,
                0.1 * tread->share)
        << name;
    EXPECT_NEAR(tread->thickness, wheel.grouser_thickness, 0.1 * wheel.grouser_thickness) << name;
    EXPECT_NEAR(radius_of(tread->drum), wheel.radius + wheel.grouser_height, 1e-3 * wheel.radius)
        << name;
    EXPECT_NEAR(tread->along.width, wheel.width, 0.01 * wheel.width) << name;
    // Straight grousers push nothing sideways.
    EXPECT_LT(tread->across.density, 0.02 * tread->along.density) << name;
    EXPECT_TRUE(take_census(tread->drum).closed()) << name;
  }
}

TEST(WheelTread, OfChevronsPushesSidewaysToo) {
  const auto tread = tread_of(make_wheel(wheel_preset("msl")));
  ASSERT_TRUE(tread);
  EXPECT_NEAR(tread->across.density, std::tan(20.0 * kPi / 180.0) * tread->along.density,
              0.2 * tread->across.density);
}

TEST(WheelTread, IsTheSameOnAnyAxis) {
  const TriangleMesh mesh = make_wheel(wheel_preset("exomars"));
  const auto upright = tread_of(mesh);
  const Mat3 R = Eigen::AngleAxisd(0.8, Vec3(1.0, -2.0, 0.5).normalized()).toRotationMatrix();
  const Vec3 centre(0.3, -1.0, 2.0);
  TriangleMesh turned = mesh;
  for (Vec3& p : turned.vertices) p = centre + R * p;
  const auto tread = find_tread(turned, R * Vec3::UnitY(), centre);
  ASSERT_TRUE(tread && upright);
  EXPECT_NEAR(tread->height(), upright->height(), 1e-4);
  EXPECT_NEAR(tread->share, upright->share, 0.02 * upright->share);
  EXPECT_NEAR(tread->along.density, upright->along.density, 0.02 * upright->along.density);
}

TEST(WheelTread, DoesNotCareHowAMeshIsCut) {
  WheelDef fine = wheel_preset("exomars");
  fine.longest_edge = 5e-3;
  const auto coarse = tread_of(make_wheel(wheel_preset("exomars"))),
             cut = tread_of(make_wheel(fine));
  ASSERT_TRUE(coarse && cut);
  EXPECT_NEAR(cut->height(), coarse->height(), 5e-5);  // facets of the rim
  EXPECT_NEAR(cut->share, coarse->share, 0.02 * coarse->share);
}

TEST(WheelTread, IsNoneWhereNothingStandsOut) {
  EXPECT_FALSE(tread_of(upright(make_cylinder({.radius = 0.2, .length = 0.1, .segments = 64}))));
  EXPECT_FALSE(tread_of(make_box({.size = Vec3(0.3, 0.2, 0.1)})));
  EXPECT_FALSE(tread_of(make_sphere({.radius = 0.1, .triangles = 1280})));
  EXPECT_FALSE(tread_of(make_wheel(wheel_preset("scout"))));  // feet without a rim
}

TEST(WheelTread, IsNoneWhereNothingIsHollow) {
  EXPECT_FALSE(tread_of(make_box({.size = Vec3(0.1, 0.1, 0.1)})));  // four corners
  for (const int segments : {6, 8, 12, 16})
    EXPECT_FALSE(
        tread_of(upright(make_cylinder({.radius = 0.2, .length = 0.1, .segments = segments}))))
        << segments;
}

TEST(WheelTread, OfRealMeshesIsThatOfTheWheel) {
  const OpenWheel wheel;
  const double around = 2.0 * kPi * wheel.radius;
  for (const std::size_t triangles : {2500, 40000}) {
    const TriangleMesh mesh = make_irregular(make_open_wheel(wheel), {.triangles = triangles});
    EXPECT_FALSE(take_census(mesh).closed());
    const auto tread = find_tread(mesh, Vec3::UnitY(), Vec3::Zero(), 1e-3);
    ASSERT_TRUE(tread) << triangles;
    // Tips are flat, so that their corners are farther from the axis by 0.05 mm; roughness.
    EXPECT_NEAR(tread->height(), wheel.height, 2e-4);
    EXPECT_NEAR(
        tread->along.density, wheel.grousers * wheel.height / around,
        0.02 * tread->along.density);  // cracks and holes are closed as far as they are small
    EXPECT_NEAR(tread->share, wheel.grousers * wheel.thickness / around, 0.05 * tread->share);
    EXPECT_NEAR(radius_of(tread->drum), wheel.radius + wheel.height, 3e-4);
    EXPECT_LT(tread->across.density, 0.02 * tread->along.density);
    // One band around the rim, two sides and one within.
    EXPECT_LE(LowerEnvelope(tread->drum).face_count(), 2000u);
  }
}

TEST(WheelTread, MayHaveGrousersThatStandOutToTheSides) {
  const OpenWheel wheel{.overhang = 0.01};
  const auto tread = tread_of(make_open_wheel(wheel));
  ASSERT_TRUE(tread);
  EXPECT_NEAR(tread->height(), wheel.height, 2e-4);
  EXPECT_NEAR(tread->along.width, wheel.width, 0.01);  // rows are 4.7 mm apart
}

TEST(WheelDrum, OfRealMeshesIsRound) {
  const OpenWheel plain{.grousers = 0};
  for (const std::size_t triangles : {2500, 40000}) {
    const auto drum = find_drum(make_irregular(make_open_wheel(plain), {.triangles = triangles}),
                                Vec3::UnitY(), Vec3::Zero(), 1e-3);
    ASSERT_TRUE(drum) << triangles;
    EXPECT_TRUE(take_census(*drum).closed());
    EXPECT_NEAR(radius_of(*drum), plain.radius, 5e-5);  // facets and roughness
    EXPECT_NEAR(bounding_box(*drum).half_size().y(), 0.5 * plain.width, 1e-3);
  }
}

TEST(WheelDrum, IsNoneOfWhatIsNotRoundAboutTheAxis) {
  const auto drum_of = [](const TriangleMesh& mesh) {
    return find_drum(mesh, Vec3::UnitY(), Vec3::Zero(), 1e-3);
  };
  EXPECT_FALSE(drum_of(make_sphere({.radius = 0.1, .triangles = 5120})));  // it rolls anywhere
  EXPECT_FALSE(drum_of(upright(make_capsule({.radius = 0.1, .length = 0.1}))));
  EXPECT_FALSE(drum_of(make_box({.size = Vec3(0.1, 0.1, 0.1)})));
  EXPECT_FALSE(drum_of(make_cylinder({.radius = 0.1, .length = 0.1, .segments = 90})));
  EXPECT_FALSE(drum_of(make_wheel(wheel_preset("exomars"))));
  EXPECT_FALSE(drum_of(make_wheel(wheel_preset("scout"))));
  EXPECT_FALSE(drum_of(upright(make_cylinder({.radius = 0.2, .length = 0.1, .segments = 16}))));
  EXPECT_TRUE(drum_of(upright(make_cylinder({.radius = 0.2, .length = 0.1, .segments = 64}))));
}

TEST(WheelTread, PressesInAsFarAsTipsAndGapsDo) {
  const auto tread = tread_of(make_wheel(wheel_preset("exomars")));
  ASSERT_TRUE(tread);
  const double h = tread->height(), s = tread->share;
  EXPECT_DOUBLE_EQ(tread->imprint(0.5 * h), 0.5 * s * h);
  EXPECT_DOUBLE_EQ(tread->imprint(3.0 * h), s * 3.0 * h + (1.0 - s) * 2.0 * h);
  EXPECT_EQ(tread->imprint(-1e-3), -1e-3);
}

}  // namespace
}  // namespace grouser
