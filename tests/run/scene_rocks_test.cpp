// [[rocks]] of a scene: where they come to lie, what can move, and what is refused.
#include "grouser/scene/scene_rocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "grouser/mesh/convex_hull.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/soil/scm.h"
#include "tests/run/scene_text.h"

namespace grouser {
namespace {

const std::string kHead = R"(
[simulation]
duration = 0.5
[[body]]
name = "ball"
density = 100.0
position = [0, 0, 2]
[[shape]]
name = "ball"
body = "ball"
material = "stone"
sphere.radius = 0.1
)";
const std::string kFlat = R"(
[[soil]]
name = "ground"
type = "mars-drift"
size = [8, 8]
)";
/// Ten to twenty rocks of 0.1 to 0.4 m.
const std::string kField =
    "field = { area = [5, 4], sizes = { law = \"classes\", classes = [[0.1, 0.4], [0.4, 0.4]] }, "
    "seed = 2 }\n";

Scene scene_with(const std::string& rocks, const std::string& soil = kFlat) {
  return scene_from(kHead + soil + "[[rocks]]\n" + rocks);
}

const ShapeDef& shape_of(const Scene& scene, const std::string& name) {
  return *std::find_if(scene.contact.shapes.begin(), scene.contact.shapes.end(),
                       [&](const ShapeDef& shape) { return shape.name == name; });
}

/// Corners of a rock in the world.
std::vector<Vec3> corners_of(const Scene& scene, const std::string& name) {
  const ShapeDef& shape = shape_of(scene, name);
  Pose X_WB;
  for (const BodyDef& body : scene.bodies)
    if (body.name == shape.body) X_WB = body.placement.pose();
  std::vector<Vec3> out;
  for (const Vec3& p : std::get<MeshShape>(shape.geometry).mesh->vertices)
    out.push_back(X_WB * shape.X_BS * p);
  return out;
}

/// Share of a rock's height that is below a plane through the origin.
double burial(const std::vector<Vec3>& corners, const Vec3& normal) {
  double lowest = 1e9, highest = -1e9;
  for (const Vec3& p : corners) {
    lowest = std::min(lowest, normal.dot(p));
    highest = std::max(highest, normal.dot(p));
  }
  return -lowest / (highest - lowest);
}

void expect_refusal(const std::string& text, const std::string& message) {
  try {
    const Simulation simulation(scene_from(text));
    FAIL() << "accepted; expected: " << message;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(".toml:"), std::string::npos) << error.what();
  }
}

TEST(SceneRocks, FixedOnesAreShapesOfTheWorldLargestFirst) {
  const Scene scene = scene_with(kField);
  ASSERT_EQ(scene.rocks.size(), 1u);
  const SceneRocks& rocks = scene.rocks[0];
  EXPECT_EQ(rocks.soil, "ground");
  EXPECT_TRUE(rocks.free.empty());
  ASSERT_GT(rocks.fixed.size(), 5u);
  EXPECT_EQ(scene.contact.shapes.size(), rocks.fixed.size() + 1);  // and the ball
  EXPECT_EQ(scene.bodies.size(), 1u);
  double before = 1e9;
  for (std::size_t i = 0; i < rocks.fixed.size(); ++i) {
    EXPECT_EQ(rocks.fixed[i], "rock_" + std::to_string(i + 1));
    const ShapeDef& shape = shape_of(scene, rocks.fixed[i]);
    EXPECT_EQ(shape.body, "world");
    EXPECT_EQ(shape.material, "stone");
    const Box box = bounding_box(*std::get<MeshShape>(shape.geometry).mesh);
    const double area = 4.0 * box.half_size().x() * box.half_size().y();
    EXPECT_LT(area, before * 1.3);  // corners that are left out make a rock a little smaller
    before = area;
  }
}

TEST(SceneRocks, AreConvexWithFewCorners) {
  for (const int most : {12, 40}) {
    const Scene scene = scene_with("corners = " + std::to_string(most) + "\n" + kField);
    for (const std::string& name : scene.rocks[0].fixed) {
      const std::vector<Vec3> corners = corners_of(scene, name);
      EXPECT_LE(corners.size(), static_cast<std::size_t>(most));
      EXPECT_EQ(make_convex_hull(corners).vertices.size(), corners.size());
    }
  }
}

TEST(SceneRocks, LieOnTheHeightsOfTheSoil) {
  // A plane of 0.2 rad, as a map of two spacings and as ground that is turned.
  const std::string map = R"(
[[soil]]
name = "ground"
type = "mars-drift"
heights.surface = { size = [8, 8], spacing = 0.1, layers = [{ slope.angle = 0.2 }] }
)";
  const std::string turned = R"(
[[soil]]
name = "ground"
type = "mars-drift"
size = [8, 8]
rpy = [0, -0.2, 0]
)";
  const Vec3 normal(-std::sin(0.2), 0.0, std::cos(0.2));
  for (const std::string& soil : {map, map + "spacing = 0.05\n", turned}) {
    const Scene scene = scene_with(kField, soil);
    for (const std::string& name : scene.rocks[0].fixed) {
      const double buried = burial(corners_of(scene, name), normal);
      // 0.1 to 0.4 of the rock; 40 of its corners miss a few hundredths of its height.
      EXPECT_GT(buried, 0.1 - 0.05) << name;
      EXPECT_LT(buried, 0.4 + 0.02) << name;
    }
  }
}

TEST(SceneRocks, OnAFineMapLieWhereTheMapOfTheSoilIs) {
  const auto rocks_at = [](const std::string& spacing) {
    return scene_with(kField, R"(
[[soil]]
name = "ground"
type = "mars-drift"
spacing = )" + spacing + R"(
heights.surface = { size = [8, 8], spacing = 0.05, layers = [{ noise = { slope = 0.05, shortest = 0.5 } }] }
)");
  };
  const Scene same = rocks_at("0.05"), finer = rocks_at("0.025");
  double highest = 0.0;
  for (const std::string& name : same.rocks[0].fixed) {
    const Vec3 p = shape_of(same, name).X_BS.p, q = shape_of(finer, name).X_BS.p;
    EXPECT_EQ(p.x(), q.x());
    // Straight lines against a smooth surface: curvature h^2 / 8.
    EXPECT_NEAR(p.z(), q.z(), 2e-3);
    highest = std::max(highest, std::abs(p.z()));
  }
  EXPECT_GT(highest, 0.05);  // the ground is not flat
}

TEST(SceneRocks, WithoutSoilLieOnTheirOwnGroundOrThePlane) {
  const Scene plane = scene_with(kField, "");
  EXPECT_EQ(plane.rocks[0].soil, "");
  for (const std::string& name : plane.rocks[0].fixed)
    EXPECT_LT(burial(corners_of(plane, name), Vec3::UnitZ()), 0.42);
  const Scene sloped = scene_with(R"(
field = { area = [5, 4], sizes.law = "vl1", sizes.min_diameter = 0.2, ground = { size = [8, 8], spacing = 0.1, layers = [{ slope.angle = 0.2 }] } }
)",
                                  "");
  const Vec3 normal(-std::sin(0.2), 0.0, std::cos(0.2));
  for (const std::string& name : sloped.rocks[0].fixed) {
    EXPECT_GT(burial(corners_of(sloped, name), normal), 0.05);
    EXPECT_LT(burial(corners_of(sloped, name), normal), 0.42);
  }
}

TEST(SceneRocks, SmallOnesCanBeFree) {
  const Scene scene = scene_with("free_below = 0.2\n" + kField);
  const SceneRocks& rocks = scene.rocks[0];
  EXPECT_GT(rocks.free.size(), 2u);
  EXPECT_GT(rocks.fixed.size(), 2u);
  EXPECT_EQ(scene.bodies.size(), rocks.free.size() + 1);
  for (const std::string& name : rocks.free) EXPECT_EQ(shape_of(scene, name).body, name);
  for (const std::string& name : rocks.fixed) EXPECT_EQ(shape_of(scene, name).body, "world");
}

TEST(SceneRocks, FreeOnesAreSetDownWhereTheSoilCarriesThem) {
  const Scene scene = scene_with("free = true\n" + kField + R"(
[[contact]]
model = "scm"
soil = "ground"
objects = ["rock_*"]
)");
  Simulation simulation(scene);
  ContactWorld& world = simulation.world();
  world.evaluate(0.0);
  for (const std::string& name : scene.rocks[0].free) {
    const TriangleMesh& mesh = *std::get<MeshShape>(shape_of(scene, name).geometry).mesh;
    const double weight = 9.81 * mass_properties(mesh, 2700.0, name).mass;
    // By another grid, and another width for Bekker's law.
    EXPECT_NEAR(world.wrench(world.body(name)).force.z(), weight, 0.35 * weight) << name;
  }
}

TEST(SceneRocks, FreeOnesComeToRestOnSoil) {
  Simulation simulation(scene_from(R"(
[simulation]
duration = 1.0
integrator = "semi-implicit-euler"
step = 2e-3
[[soil]]
name = "ground"
type = "mars-drift"
size = [8, 8]
update_period = 0.01
[[rocks]]
free = true
field = { area = [3, 2], sizes = { law = "classes", classes = [[0.4, 1.0]] }, seed = 2 }
[[contact]]
model = "scm"
soil = "ground"
objects = ["rock_*"]
)"));
  const RunSummary summary = simulation.run();
  ASSERT_EQ(summary.status, RecordingStatus::complete) << summary.message;
  const Mechanism& mechanism = simulation.mechanism();
  ASSERT_GT(simulation.scene().rocks[0].free.size(), 1u);
  for (std::size_t i = 0; i < simulation.scene().bodies.size(); ++i) {
    const BodyDef& rock = simulation.scene().bodies[i];
    const BodyKinematics& end = mechanism.kinematics()[i + 1];
    // They tip by a tenth of a radian or two until all of their underside is carried.
    EXPECT_LT((end.X_WB.p - rock.placement.position).norm(), 0.1 * 0.4) << rock.name;
    EXPECT_LT(end.V_WB.v.norm(), 0.02) << rock.name;
  }
}

TEST(SceneRocks, StoneIsThereUnlessTheSceneHasItsOwn) {
  const Scene plain = scene_with(kField);
  ASSERT_EQ(plain.contact.materials.size(), 1u);
  EXPECT_EQ(plain.contact.materials[0].young_modulus, stone().young_modulus);
  const Scene own = scene_with(kField + "[[material]]\nname = \"stone\"\nyoung_modulus = 1e9\n");
  ASSERT_EQ(own.contact.materials.size(), 1u);
  EXPECT_EQ(own.contact.materials[0].young_modulus, 1e9);
}

TEST(SceneRocks, NothingToTouchOrToCarryThemIsNoted) {
  const auto notes_of = [](const std::string& rocks) {
    const Simulation simulation(scene_with(rocks));
    std::string all;
    for (const std::string& note : simulation.notes()) all += note + "\n";
    return all;
  };
  const std::string convex = "[[contact]]\nmodel = \"convex\"\nobjects = [\"ball\", \"rock_*\"]\n";
  EXPECT_NE(notes_of(kField).find("nothing touches them"), std::string::npos);
  EXPECT_EQ(notes_of(kField + convex).find("rocks"), std::string::npos);
  EXPECT_NE(notes_of("free = true\n" + kField).find("nothing carries them"), std::string::npos);
}

TEST(SceneRocks, RefusesWhatCannotBe) {
  const std::string head = kHead + kFlat + "[[rocks]]\n";
  expect_refusal(head + "soil = \"grond\"\n" + kField,
                 "rocks.soil: there is no soil 'grond'; did you mean 'ground'?");
  expect_refusal(head + "field = { area = [20, 4] }\n", "rocks.field.area, from [-10, -2]");
  expect_refusal(head + "field = { area = [0.01, 0.01] }\n", "there are no rocks in this area");
  expect_refusal(head + "density = 0\n" + kField, "rocks.density must be positive");
  expect_refusal(head + "free = true\nfree_below = 0.1\n" + kField, "give one");
  expect_refusal(head + "name = \"rock\"\n", "rocks.field is missing");
  expect_refusal(head + kField + "[[rocks]]\n" + kField, "'rock_1' is used twice");
  expect_refusal(head + "material = \"basalt\"\n" + kField +
                     "[[material]]\nname = \"stone\"\nyoung_modulus = 1e8\n",
                 "there is no material 'basalt'");
  expect_refusal(head +
                     "soil = \"ground\"\nfield = { area = [1, 1], ground = { size = [8, 8], "
                     "spacing = 1, layers = [{ slope.angle = 0.1 }] } }\n",
                 "both given");
  expect_refusal(
      kHead + kFlat + "[[soil]]\nname = \"other\"\ntype = \"mars-drift\"\n[[rocks]]\n" + kField,
      "rocks.soil is missing: the scene has 2 soils, ground, other");
  expect_refusal(head +
                     "field = { area = [8, 8], sizes = { law = \"classes\", classes = [[0.01, "
                     "1000]], min_diameter = 0.001 } }\n",
                 "can be touched one by one");
  expect_refusal(head + "feild = {}\n" + kField, "did you mean 'field'?");
  expect_refusal(head + kField + R"(
[[contact]]
model = "scm"
soil = "ground"
objects = ["rock_*"]
)",
                 "no shape is called 'rock_*' and fixed to another body than the soil");
}

}  // namespace
}  // namespace grouser
