// Shapes with a smooth surface: read from scenes, or refused with place and key.
#include <gtest/gtest.h>

#include "grouser/contact/smooth.h"
#include "grouser/contact/world.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/run/simulation.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "grouser/shape/parametric_surface.h"
#include "grouser/shape/smooth_bodies.h"
#include "grouser/shape/smooth_shape.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

ShapeDef shape(const std::string& line) {
  const std::string text = "[[shape]]\nname = \"it\"\n" + line;
  return read_contact_world(read_toml_text(text, "scene.toml"), "").shapes.at(0);
}
std::string shape_refusal(const std::string& line) {
  return message_of<InputError>([&] { shape(line); });
}
template <class Surface>
const Surface& surface_of(const ShapeDef& shape) {
  return dynamic_cast<const Surface&>(*std::get<SmoothShape>(shape.geometry).surface);
}

TEST(SmoothShapes, AreReadWithTheirSizes) {
  const ShapeDef torus = shape("torus = { major_radius = 0.5, minor_radius = 0.2 }");
  EXPECT_EQ(surface_of<TorusSurface>(torus).major_radius(), 0.5);
  EXPECT_EQ(surface_of<TorusSurface>(torus).minor_radius(), 0.2);
  EXPECT_EQ(geometry_name(torus.geometry), "torus");
  const ShapeDef box =
      shape("superellipsoid = { half_axes = [0.1, 0.2, 0.3], exponents = [0.5, 0.2] }");
  EXPECT_EQ(surface_of<StarSurface>(box).half_axes(), Vec3(0.1, 0.2, 0.3));
  EXPECT_EQ(surface_of<StarSurface>(box).exponents(), Vec2(0.5, 0.2));
  EXPECT_TRUE(
      surface_of<StarSurface>(shape("superellipsoid.half_axes = [1, 2, 3]")).is_ellipsoid());
}

TEST(SmoothShapes, AreReadFromFormulas) {
  const ShapeDef bowl = shape(
      "parametric = { x = \"u\", y = \"v\", z = \"0.2*u^2 + 0.2*v^2\", u = [-5, 5], v = [-4, 4] }");
  const auto& surface = surface_of<ParametricSurface>(bowl);
  EXPECT_NEAR(surface.at({1.0, 2.0, 0}).p.z(), 1.0, 1e-15);
  EXPECT_EQ(surface.grids()[0].u1, 5.0);
  EXPECT_EQ(surface.grids()[0].v0, -4.0);
  EXPECT_EQ(geometry_name(bowl.geometry), "parametric");
  const ShapeDef pipe = shape(
      "parametric = { x = \"cos(u)\", y = \"sin(u)\", z = \"v\", u = [0, 6.283185307179586], "
      "v = [0, 1], periodic = [\"u\"], flip = true }");
  const auto& inside = surface_of<ParametricSurface>(pipe);
  EXPECT_GT(inside.foot(Vec3(0.0, 0.9, 0.5)).gap, 0.0);  // the hollow is outside
  EXPECT_EQ(inside.at({0.5, 100.0, 0}).status, SurfaceStatus::ok);
  EXPECT_EQ(inside.at({1.5, 0.0, 0}).status, SurfaceStatus::beyond);
}

TEST(SmoothShapes, AreRefusedWithPlaceAndKey) {
  const std::string parametric =
      "parametric = { x = \"u\", y = \"v\", z = \"u*v\", u = [-1, 1], v = [-1, 1]";
  const std::pair<std::string, std::string> kRows[] = {
      {"torus = { major_radius = 0.5 }", "scene.toml:3:9: shape.torus.minor_radius is missing"},
      {"torus = { major_radius = 0.5, minor_radius = 0 }",
       "scene.toml:3:46: shape.torus.minor_radius must be positive, is 0"},
      {"torus = { major_radius = 0.5, minor_radius = 0.6 }",
       "scene.toml:3:46: shape.torus.minor_radius: the minor radius of a torus must be positive "
       "and "
       "below the major one, are 0.6 and 0.5"},
      {"torus = { major_radius = 0.5, minor_radius = 0.1, radius = 1 }",
       "scene.toml:3:51: unknown key shape.torus.radius"},
      {"superellipsoid.exponents = [1, 1]", "shape.superellipsoid.half_axes is missing"},
      {"superellipsoid = { half_axes = [1, -1, 1] }",
       "scene.toml:3:36: shape.superellipsoid.half_axes"},
      {"superellipsoid = { half_axes = [1, 1, 1], exponents = [0.05, 1] }",
       "scene.toml:3:56: shape.superellipsoid.exponents must lie in [0.1, 1], is 0.05"},
      {"superellipsoid = { half_axes = [1, 1, 1], exponents = 0.5 }",
       "scene.toml:3:55: shape.superellipsoid.exponents"},
      {"parametric = { x = \"u\", y = \"v\", u = [-1, 1], v = [-1, 1] }",
       "scene.toml:3:14: shape.parametric.z is missing"},
      {"parametric = { x = \"u\", y = \"v\", z = \"u v\", u = [-1, 1], v = [-1, 1] }",
       "scene.toml:3:38: shape.parametric.z: at character 3, 'v': expected an operator"},
      {"parametric = { x = \"x\", y = \"v\", z = \"u\", u = [-1, 1], v = [-1, 1] }",
       "scene.toml:3:20: shape.parametric.x: at character 1, 'x': unknown name 'x'; the variables "
       "are u and v"},
      {"parametric = { x = \"u\", y = \"v\", z = \"u\", u = [1], v = [-1, 1] }",
       "scene.toml:3:47: shape.parametric.u"},
      {"parametric = { x = \"u\", y = \"v\", z = \"u\", u = [-1, 1] }",
       "scene.toml:3:14: shape.parametric.v is missing"},
      {"parametric = { x = \"u\", y = \"v\", z = \"u\", u = [1, -1], v = [-1, 1] }",
       "scene.toml:3:47: shape.parametric.u must go up, is from 1 to -1"},
      {"parametric = { x = \"u\", y = \"v\", z = \"log(u)\", u = [-1, 1], v = [-1, 1] }",
       "scene.toml:3:14: shape.parametric: the surface or a derivative of it is not finite at u = "
       "-1, v = -1"},
      {"parametric = { x = \"u\", y = \"u\", z = \"u\", u = [-1, 1], v = [-1, 1] }",
       "scene.toml:3:14: shape.parametric: the surface has no normal at u = -1, v = -1"},
      {parametric + ", periodic = [\"w\"] }",
       "scene.toml:3:83: shape.parametric.periodic.0 is 'w'; it must be one of u, v"},
      {parametric + ", periodic = [\"v\"] }",
       "scene.toml:3:14: shape.parametric: periodic in v, but its ends are"},
      {parametric + ", flip = 1 }", "shape.parametric.flip"},
      {"torus = { major_radius = 0.5, minor_radius = 0.2 }\nsphere.radius = 1",
       "shape 'it' needs exactly one of mesh, sphere"}};
  for (const auto& [line, message] : kRows)
    EXPECT_TRUE(contains(shape_refusal(line), message)) << line;
}

TEST(SmoothShapes, AreFoundInShapesOfOtherKinds) {
  const auto star = [](const std::string& line) {
    const auto surface = smooth_surface_of(shape(line));
    return std::dynamic_pointer_cast<const StarSurface>(surface);
  };
  EXPECT_EQ(star("sphere.radius = 0.3")->half_axes(), Vec3::Constant(0.3));
  EXPECT_TRUE(star("sphere.radius = 0.3")->is_sphere());
  EXPECT_EQ(star("ellipsoid.half_axes = [1, 2, 3]")->half_axes(), Vec3(1, 2, 3));
  EXPECT_TRUE(smooth_surface_of(shape("torus = { major_radius = 0.5, minor_radius = 0.2 }")));
  EXPECT_FALSE(smooth_surface_of(shape("sphere.radius = 0")));
  EXPECT_FALSE(smooth_surface_of(shape("box.size = [1, 1, 1]")));
  EXPECT_FALSE(smooth_surface_of(shape("half_space = true")));
  EXPECT_FALSE(smooth_surface_of(shape("disc.radius = 1")));
}

TEST(SmoothShapes, HaveTheMassOfTheirMeshes) {
  for (const char* line :
       {"torus = { major_radius = 0.5, minor_radius = 0.2 }",
        "superellipsoid.half_axes = [0.5, 0.7, 0.4]",
        "superellipsoid = { half_axes = [0.5, 0.7, 0.4], exponents = [0.6, 0.3] }",
        "superellipsoid = { half_axes = [0.5, 0.7, 0.4], exponents = [1, 0.5] }"}) {
    const auto smooth = std::get<SmoothShape>(shape(line).geometry);
    const MassProperties exact = mass_properties(smooth, 1000.0, "it");
    const MassProperties mesh = mass_properties(smooth.surface->mesh(), 1000.0, "it");
    // A mesh of a thousand triangles lies within the body by about a hundredth of its size.
    EXPECT_NEAR(mesh.mass / exact.mass, 1.0, 0.02) << line;
    EXPECT_LT((mesh.inertia - exact.inertia).norm(), 0.04 * exact.inertia.norm()) << line;
    EXPECT_LT(mesh.center.norm(), 1e-12);
  }
  const auto ball = std::get<SmoothShape>(shape("superellipsoid.half_axes = [2, 2, 2]").geometry);
  const MassProperties a = mass_properties(ball, 3.0, "it"), b = sphere_mass_properties(2.0, 3.0);
  EXPECT_NEAR(a.mass, b.mass, 1e-13 * b.mass);  // rounding
  EXPECT_LT((a.inertia - b.inertia).norm(), 1e-13 * b.inertia.norm());
  const auto sheet = std::get<SmoothShape>(
      shape("parametric = { x = \"u\", y = \"v\", z = \"0\", u = [0, 1], v = [0, 1] }").geometry);
  EXPECT_TRUE(contains(message_of<InputError>([&] { mass_properties(sheet, 1.0, "body 'a'"); }),
                       "body 'a': the volume of a parametric surface is not known"));
}

/// What a recording shows.
struct Shapes final : RunWatcher {
  std::vector<PictureShape> all;
  void begin(const RecordingLayout& layout) override { all = layout.shapes; }
  void add_sample(double, std::span<const double>,
                  std::span<const std::span<const double>>) override {}
  void finish(const RecordingOutcome&) override {}
};

TEST(SmoothShapes, AreMeshesInRecordings) {
  const TemporaryFolder folder;
  const std::string path = folder.write("scene.toml", R"(
[simulation]
duration = 0.001
[[body]]
name = "ring"
density = 1000
[[shape]]
name = "ring"
body = "ring"
torus = { major_radius = 0.5, minor_radius = 0.2 }
position = [0, 0, 2]
[[shape]]
name = "bowl"
parametric = { x = "u", y = "v", z = "0.1*u^2", u = [-3, 3], v = [-1, 1] }
)");
  Simulation simulation(load_scene(path));
  Shapes shapes;
  RunOptions options;
  options.watcher = &shapes;
  simulation.run(options);
  ASSERT_EQ(shapes.all.size(), 2u);
  EXPECT_EQ(shapes.all[0].kind, "mesh");
  const Box ring = bounding_box(shapes.all[0].mesh), bowl = bounding_box(shapes.all[1].mesh);
  EXPECT_LT((ring.center() - Vec3(0, 0, 2)).norm(), 1e-12);           // rounding
  EXPECT_LT((ring.half_size() - Vec3(0.7, 0.7, 0.2)).norm(), 1e-12);  // vertices on the axes
  EXPECT_LT((bowl.lower - Vec3(-3, -1, 0)).norm(), 1e-12);
  EXPECT_LT((bowl.upper - Vec3(3, 1, 0.9)).norm(), 1e-12);
}

TEST(SmoothShapes, OfCodeNeedASurface) {
  ShapeDef empty;
  empty.name = "it";
  empty.geometry = SmoothShape{};
  EXPECT_TRUE(contains(message_of<InputError>([&] { ShapeTable({empty}, {}); }),
                       "shape 'it' has no surface"));
  EXPECT_EQ(geometry_name(empty.geometry), "smooth surface");
}

TEST(SmoothShapes, AreRefusedByContactsThatDoNotKnowThem) {
  const auto scene = [](const std::string& contact) {
    const std::string text =
        "[[shape]]\nname = \"ring\"\ntorus = { major_radius = 0.5, minor_radius = 0.2 }\n"
        "[[shape]]\nname = \"floor\"\nhalf_space = true\n[[contact]]\n" +
        contact;
    return message_of<InputError>(
        [&] { ContactWorld world(read_contact_world(read_toml_text(text, "scene.toml"), "")); });
  };
  EXPECT_TRUE(contains(scene("model = \"sphere-half-space\"\nsphere = \"ring\"\n"
                             "half_space = \"floor\"\nstiffness = 1e7"),
                       "shape 'ring' is a torus, it must be a sphere"));
  EXPECT_TRUE(contains(scene("model = \"convex\"\nobjects = [\"ring\", \"floor\"]\n"),
                       "shape 'ring' is a torus: convex contact does not know it"));
}

}  // namespace
}  // namespace grouser
