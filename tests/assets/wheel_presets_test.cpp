#include <gtest/gtest.h>

#include <set>

#include "grouser/mesh/mesh_groups.h"
#include "tests/assets/wheel_checks.h"

namespace grouser {
namespace {

const WheelPreset& preset(const std::string& name) {
  for (const WheelPreset& candidate : wheel_presets())
    if (candidate.name == name) return candidate;
  ADD_FAILURE() << "no preset " << name;
  return wheel_presets().front();
}

TEST(WheelPresets, AreAllSoundWheels) {
  for (const WheelPreset& preset : wheel_presets()) {
    SCOPED_TRACE(preset.name);
    EXPECT_FALSE(preset.meaning.empty());
    const TriangleMesh mesh = make_wheel(preset.wheel);
    const bool spoked = preset.wheel.body == WheelBody::spokes;
    expect_solid(mesh, spoked ? 2 - 2 * preset.wheel.spoke_count : 2);
    expect_flat_sides(mesh, preset.wheel);
    EXPECT_LT(mesh.triangle_count(), 30000u);
    const double reach = preset.wheel.radius + preset.wheel.grouser_height;
    const Box box = bounding_box(mesh);
    EXPECT_LE(box.upper.z(), reach * (1.0 + 1e-12));
    EXPECT_GT(box.upper.z(), 0.97 * reach);  // facets, and crowns below the tips of grousers
  }
}

TEST(WheelPresets, DoNotRunThroughThemselves) {
  for (const std::string name : {"cmu-k10-mini", "mmx", "scout", "lrv"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(self_intersections(make_wheel(preset(name).wheel)), 0u);
  }
}

TEST(WheelPresets, HaveTheSizesOfTheRealOnes) {
  struct Size {
    const char* name;
    double diameter;
    double width;
    int grousers;
  };
  constexpr Size sizes[] = {
      {"sojourner", 0.13, 0.08, 24}, {"mer", 0.25, 0.16, 30},           {"msl", 0.50, 0.40, 24},
      {"m2020", 0.525, 0.33, 48},    {"exomars", 0.285, 0.12, 12},      {"zhurong", 0.30, 0.20, 20},
      {"lunokhod", 0.51, 0.20, 24},  {"lrv", 0.818, 0.229, 48},         {"yutu-2", 0.30, 0.15, 24},
      {"pragyan", 0.17, 0.07, 20},   {"viper", 0.45, 0.20, 24},         {"rashid", 0.20, 0.08, 14},
      {"mmx", 0.20, 0.05, 24},       {"cmu-k10-mini", 0.125, 0.06, 24}, {"scout", 0.4, 0.057, 0},
  };
  std::set<std::string> names;
  for (const WheelPreset& p : wheel_presets()) names.insert(p.name);
  EXPECT_EQ(names.size(), std::size(sizes));
  EXPECT_EQ(names.size(), wheel_presets().size());
  for (const Size& size : sizes) {
    SCOPED_TRACE(size.name);
    const WheelDef& wheel = preset(size.name).wheel;
    EXPECT_DOUBLE_EQ(2.0 * wheel.radius, size.diameter);
    EXPECT_DOUBLE_EQ(wheel.width, size.width);
    EXPECT_EQ(wheel.grouser_count, size.grousers);
  }
  EXPECT_DOUBLE_EQ(preset("rashid").wheel.grouser_height, 0.015);
  EXPECT_DOUBLE_EQ(preset("viper").wheel.grouser_height, 0.025);
  EXPECT_EQ(preset("msl").wheel.grouser_shape, GrouserShape::chevron);
}

TEST(WheelPresets, ScoutHasThreeFeetOfTheSizeAndFinenessOfThePaper) {
  const TriangleMesh mesh = make_wheel(preset("scout").wheel);
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"feet", "body"}));
  const std::vector<MeshGroup> groups = summarize_groups(mesh);
  EXPECT_NEAR(static_cast<double>(groups[0].triangles) / 3.0, 570.0, 57.0);  // a grid, not theirs

  // The first foot points up.
  Box foot;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    if (mesh.groups[t] == 0 && face_of(mesh, t).centroid.z() > 0.0)
      for (int k = 0; k < 3; ++k) foot.add(mesh.corner(t, k));
  EXPECT_NEAR(2.0 * foot.half_size().x(), 0.0595, 1e-12);
  EXPECT_NEAR(2.0 * foot.half_size().y(), 0.057, 1e-12);
  EXPECT_NEAR(foot.upper.z(), 0.2, 1e-4);          // no vertex in the middle
  EXPECT_NEAR(0.2 - foot.lower.z(), 0.03, 0.003);  // and the sagitta of its inside
}

}  // namespace
}  // namespace grouser
