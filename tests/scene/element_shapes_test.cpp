// Shapes of contact elements: read from scenes and files, or refused with place and key.
#include "grouser/shape/element_shapes.h"

#include <gtest/gtest.h>

#include "grouser/contact/elements.h"
#include "grouser/contact/world.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/scene/toml_reader.h"
#include "grouser/scene/world_reader.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

class ElementShapes : public testing::Test {
 protected:
  /// The world of a scene that stands in the folder.
  ContactWorldDef read(const std::string& text) const {
    return read_contact_world(read_toml_text(text, "scene.toml"), folder_ / "");
  }
  template <class Shape>
  Shape shape(const std::string& line) const {
    const ContactWorldDef def = read("[[shape]]\nname = \"it\"\n" + line);
    return std::get<Shape>(std::get<ElementShape>(def.shapes.at(0).geometry));
  }
  std::string refusal(const std::string& line) const {
    return message_of<InputError>([&] { read("[[shape]]\nname = \"it\"\n" + line); });
  }

  const TemporaryFolder folder_;
};

TEST_F(ElementShapes, AreReadWithTheirSizes) {
  const auto line = shape<LineShape>("line = { from = [1, 2, 3], to = [4, 5, 6], radius = 0.1 }");
  EXPECT_EQ(line.from, Vec3(1, 2, 3));
  EXPECT_EQ(line.to, Vec3(4, 5, 6));
  EXPECT_EQ(line.radius, 0.1);
  const auto disc = shape<DiscShape>(
      "disc = { radius = 0.3, inner_radius = 0.1, half_thickness = 0.01, side = \"back\" }");
  EXPECT_EQ(disc.radius, 0.3);
  EXPECT_EQ(disc.inner_radius, 0.1);
  EXPECT_EQ(disc.half_thickness, 0.01);
  EXPECT_EQ(disc.side, PlateSide::back);
  const auto polygon = shape<PolygonShape>("polygon.points = [[0, 0], [1, 0], [0, 1, 0]]");
  ASSERT_EQ(polygon.points.size(), 3u);
  EXPECT_EQ(polygon.points[2], Vec3(0, 1, 0));
  const auto curve = shape<CurveShape>(
      "curve = { points = [[0, 0], [1, 0], [0, 1, 5]], closed = true, radius = 0.2 }");
  EXPECT_EQ(curve.points[2], Vec3(0, 1, 5));
  EXPECT_TRUE(curve.closed);
  const auto spline = shape<SplineShape>(
      "spline = { points = [[0, 0], [1, 0]], ends = \"clamped\", start_tangent = [0, 1, 0], "
      "end_tangent = [0, 2, 0], radius = 0.2 }");
  EXPECT_EQ(spline.ends, SplineEnds::clamped);
  EXPECT_EQ(spline.end_tangent, Vec3(0, 2, 0));
  const auto frustum = shape<FrustumShape>(
      "frustum = { bottom_radius = 0.1, top_radius = 0, height = 0.3, side = \"inside\" }");
  EXPECT_EQ(frustum.top_radius, 0.0);
  EXPECT_EQ(frustum.side, PlateSide::back);
}

TEST_F(ElementShapes, TakePointsFromAFile) {
  folder_.write("cam.csv", "# of the cam\nx [m], y [m]\n0, 0\n1, 0.5\n\n2, 1e-3\n");
  const auto curve = shape<CurveShape>("curve.file = \"cam.csv\"");
  ASSERT_EQ(curve.points.size(), 3u);
  EXPECT_EQ(curve.points[1], Vec3(1, 0.5, 0));
  folder_.write("cam.csv", "x [mm], y [cm]\n0, 0\n500, 3\n");
  EXPECT_EQ(shape<CurveShape>("curve.file = \"cam.csv\"").points[1], Vec3(0.5, 0.03, 0));
  folder_.write("wire.csv", "0, 0, 1\n1, 0, 2\n2, 0, 4\n");
  EXPECT_EQ(shape<SplineShape>("spline.file = \"wire.csv\"").points[2], Vec3(2, 0, 4));
}

TEST_F(ElementShapes, AreRefusedWithPlaceAndKey) {
  const std::pair<const char*, const char*> kRows[] = {
      {"sphere.radius = -1", "scene.toml:3:17: shape.sphere.radius must not be negative, is -1"},
      {"sphere.radius = nan", "scene.toml:3:17: shape.sphere.radius"},
      {"line = { from = [0, 0, 0], to = [0, 0, 0] }",
       "scene.toml:3:8: shape.line: the segment has no length"},
      {"line = { from = [0, 0, 0] }", "scene.toml:3:8: shape.line.to is missing"},
      {"line = { from = [0, 0, nan], to = [1, 0, 0] }", "scene.toml:3:24: shape.line.from"},
      {"line = { from = [0, 0, 0], to = [1, 0, 0], radius = -0.1 }",
       "scene.toml:3:53: shape.line.radius must not be negative, is -0.1"},
      {"disc.radius = -0.2", "scene.toml:3:15: shape.disc.radius must be positive, is -0.2"},
      {"disc = { radius = 0.2, inner_radius = 0.3 }",
       "scene.toml:3:8: shape.disc: the inner radius of the disc, 0.3, must be below its radius"},
      {"disc = { radius = 0.2, side = \"top\" }", "scene.toml:3:31: shape.disc.side"},
      {"disc = { radius = 0.2, thickness = 0.1 }",
       "scene.toml:3:24: unknown key shape.disc.thickness"},
      {"polygon.points = [[0, 0], [1, 0]]",
       "scene.toml:3:18: shape.polygon.points: a polygon needs at least 3 points, has 2"},
      {"polygon.points = [[0, 0], [1, 0], [1, 1, 0.2], [0, 1]]",
       "scene.toml:3:18: shape.polygon.points: the points of the polygon are not in a plane"},
      {"polygon.points = [[0, 0], [2, 1], [2, 0], [0, 2]]",
       "scene.toml:3:18: shape.polygon.points: edges 1 and 3 of the polygon cross"},
      {"polygon.points = [[0, 0], [1, 0], [1, 1], [1, 0]]",
       "shape.polygon.points: points 2 and 4 of the polygon coincide"},
      {"polygon.points = [[0, 0], [1, 0], [1, nan]]", "scene.toml:3:39: shape.polygon.points.2"},
      {"polygon.points = [[0, 0], [1, 0], [1]]", "scene.toml:3:35: shape.polygon.points.2"},
      {"polygon.half_thickness = 0.1", "scene.toml:3:1: shape.polygon needs points or a file"},
      {"curve.points = [[0, 0]]",
       "scene.toml:3:16: shape.curve.points: a curve needs at least 2 points, has 1"},
      {"curve.points = [[0, 0], [1, 0], [1, 0], [2, 0]]",
       "shape.curve.points: points 2 and 3 coincide"},
      {"curve = { points = [[0, 0], [1, 0], [0, 0]], closed = true }",
       "shape.curve.points: the last point repeats the first one"},
      {"spline.points = [[0, 0]]", "shape.spline.points: a spline needs at least 2 points, has 1"},
      {"spline = { points = [[0, 0], [1, 0]], ends = \"clamped\" }",
       "scene.toml:3:10: shape.spline.start_tangent is missing"},
      {"spline = { points = [[0, 0], [1, 0]], start_tangent = [1, 0, 0] }",
       "scene.toml:3:55: shape.spline.start_tangent is only for ends = \"clamped\""},
      {"frustum = { bottom_radius = 0.1, top_radius = -0.1, height = 1 }",
       "scene.toml:3:47: shape.frustum.top_radius must not be negative"},
      {"frustum = { bottom_radius = 0, top_radius = 0, height = 1 }",
       "scene.toml:3:11: shape.frustum: one of the radii of the frustum must be positive"},
      {"frustum = { bottom_radius = 0.1, top_radius = 0.1, height = 0 }",
       "scene.toml:3:61: shape.frustum.height must be positive, is 0"}};
  for (const auto& [line, message] : kRows) EXPECT_TRUE(contains(refusal(line), message)) << line;
}

TEST_F(ElementShapes, TellTheLineOfAFileThatIsWrong) {
  const auto refused = [&](const std::string& bytes) {
    folder_.write("cam.csv", bytes);
    return refusal("curve.file = \"cam.csv\"");
  };
  const std::string path = folder_ / "cam.csv";
  EXPECT_TRUE(contains(refused("0, 0\n1, x\n"),
                       path + ":2:4: a point's coordinate must be a number, is 'x'"));
  EXPECT_TRUE(
      contains(refused("0, 0\n1, nan\n"), path + ":2:4: a point's coordinate must be finite"));
  EXPECT_TRUE(contains(refused("0, 0\n1\n"), path + ":2:1: a point has two or three numbers"));
  EXPECT_TRUE(contains(refused("x, y\n0, 0\n"),
                       "scene.toml:3:14: shape.curve.file: a curve needs at least 2 points"));
  EXPECT_TRUE(
      contains(refused("x [in], y [in]\n0, 0\n"),
               path + ":1:1: the unit of a point's coordinate must be m, cm or mm, is 'in'"));
  EXPECT_TRUE(contains(refusal("curve.file = \"none.csv\""), "scene.toml:3:14: shape.curve.file"));
  EXPECT_TRUE(contains(refusal("curve = { points = [[0, 0], [1, 0]], file = \"cam.csv\" }"),
                       "shape.curve needs points or a file with points, one of the two"));
}

TEST_F(ElementShapes, AreRefusedAlikeWhenMadeByPrograms) {
  ContactWorldDef def;
  ShapeDef shape;
  shape.name = "it";
  shape.geometry = LineShape{Vec3::Zero(), Vec3::Zero(), 0.1};
  def.shapes = {shape};
  EXPECT_TRUE(contains(message_of<InputError>([&] { ContactWorld{def}; }),
                       "shape 'it': the segment has no length"));
  def.shapes[0].geometry = DiscShape{-1.0};
  EXPECT_TRUE(contains(message_of<InputError>([&] { ContactWorld{def}; }),
                       "shape 'it'.radius must be positive, is -1"));
}

const std::string kBallAndDisc = R"([[shape]]
name = "ball"
body = "ball"
sphere.radius = 0.1
[[shape]]
name = "plate"
disc.radius = 1
[[contact]]
model = "sphere-disc"
)";

TEST_F(ElementShapes, ContactsAreRefusedWithPlaceAndKey) {
  const auto refused = [&](const std::string& keys) {
    return message_of<InputError>([&] { ContactWorld{read(kBallAndDisc + keys)}; });
  };
  const std::string both = "sphere = \"ball\"\ndisc = \"plate\"\n";
  const std::string full = both + "stiffness = 1e6\n";
  EXPECT_TRUE(contains(refused(both), "scene.toml:8:1: contact.stiffness is missing"));
  EXPECT_TRUE(contains(refused(both + "stiffness = -1\n"),
                       "scene.toml:12:13: contact.stiffness must not be negative, is -1"));
  EXPECT_TRUE(contains(refused(both + "stiffness = nan\n"), "scene.toml:12:13: contact.stiffness"));
  EXPECT_TRUE(contains(refused(full + "exponent = 0.5\n"), "scene.toml:13:12: contact.exponent"));
  EXPECT_TRUE(contains(refused(full + "damping = -1\n"), "scene.toml:13:11: contact.damping"));
  EXPECT_TRUE(contains(refused(full + "friction_speed = 0.2\nslip_speed = 0.1\n"),
                       "scene.toml:8:1: contact.slip_speed must be greater than "
                       "contact.friction_speed (0.2), is 0.1"));
  EXPECT_TRUE(contains(refused(both + "stiffness = 0\n"),
                       "scene.toml:8:1: contact.stiffness must be positive, is 0"));
  EXPECT_TRUE(contains(refused(full + "static_friction = 0.2\n"),
                       "scene.toml:8:1: contact.static_friction is given, but neither "
                       "contact.friction nor a material tells the friction while sliding"));
  EXPECT_TRUE(contains(refused(full + "friction = 0.3\nstatic_friction = 0.2\n"),
                       "scene.toml:8:1: contact.static_friction must be at least the friction "
                       "while sliding (0.3), is 0.2"));
  EXPECT_TRUE(contains(refused(full + "friction_law = \"bristle\"\n"),
                       "scene.toml:13:16: contact.friction_law is 'bristle'; it must be one of "
                       "quadratic, tanh, stick-slip, "));
  EXPECT_TRUE(contains(refused("sphere = \"plate\"\ndisc = \"ball\"\nstiffness = 1\n"),
                       "contact.sphere: shape 'plate' is a disc, it must be a sphere"));
  EXPECT_TRUE(contains(refused("sphere = \"ball\"\ndisc = \"ball\"\nstiffness = 1\n"),
                       "contact.disc: shape 'ball' is a sphere, it must be a disc"));
}

TEST_F(ElementShapes, ThinLinesAndPointsCannotTouch) {
  const std::string scene = R"([[shape]]
name = "point"
body = "a"
sphere.radius = 0
[[shape]]
name = "thread"
line = { from = [0, 0, 0], to = [1, 0, 0] }
[[contact]]
model = "sphere-line"
sphere = "point"
line = "thread"
stiffness = 1e6
)";
  EXPECT_TRUE(contains(message_of<InputError>([&] { ContactWorld{read(scene)}; }),
                       "scene.toml:8:1: contact: neither 'point' nor 'thread' has a radius"));
}

TEST_F(ElementShapes, OtherModelsRefusePointsAndElements) {
  const auto refused = [&](const std::string& shape, const std::string& contact) {
    const std::string scene = "[[shape]]\nname = \"it\"\nbody = \"a\"\n" + shape +
                              "\n[[shape]]\nname = \"floor\"\nhalf_space = true\n[[contact]]\n" +
                              contact;
    return message_of<InputError>([&] { ContactWorld{read(scene)}; });
  };
  const std::string point = "sphere.radius = 0", disc = "disc.radius = 1";
  const std::string convex = "model = \"convex\"\nobjects = [\"*\"]\n";
  const std::string half_space =
      "model = \"sphere-half-space\"\nsphere = \"it\"\nhalf_space = \"floor\"\nstiffness = 1e6\n";
  EXPECT_TRUE(contains(refused(point, convex), "sphere 'it' is a point (radius 0)"));
  EXPECT_TRUE(
      contains(refused(point, half_space), "contact.sphere: sphere 'it' is a point (radius 0)"));
  EXPECT_TRUE(contains(refused(disc, convex), "shape 'it' is a disc, which has no inside"));
  EXPECT_TRUE(contains(refused(disc, half_space), "shape 'it' is a disc, it must be a sphere"));
}

TEST_F(ElementShapes, HaveMeshesForPictures) {
  const ElementShape kAll[] = {LineShape{Vec3::Zero(), Vec3::UnitX(), 0.1},
                               DiscShape{0.5, 0.2, 0.01},
                               PolygonShape{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, 0.01},
                               CurveShape{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()}, true, 0.01},
                               SplineShape{{Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()},
                                           SplineEnds::periodic,
                                           Vec3::Zero(),
                                           Vec3::Zero(),
                                           0.01},
                               FrustumShape{0.1, 0.2, 0.3, 0.01}};
  for (const ElementShape& shape : kAll) {
    const TriangleMesh mesh = mesh_of(shape);
    EXPECT_GE(mesh.triangles.size(), 8u) << shape.index();
    EXPECT_GT(mass_properties(mesh, 1.0, "mesh").mass, 0.0) << shape.index();  // closed, outward
  }
}

}  // namespace
}  // namespace grouser
