#include "grouser/mesh/mesh_shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "grouser/base/error.h"
#include "grouser/base/hash.h"
#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_groups.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"

namespace grouser {
namespace {

/// Smallest angle of all triangles [rad]; 60 degrees is best.
double smallest_angle(const TriangleMesh& mesh) {
  double smallest = kPi;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = (mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k)).normalized();
      const Vec3 v = (mesh.corner(t, (k + 2) % 3) - mesh.corner(t, k)).normalized();
      smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)));
    }
  return smallest;
}

constexpr double kDegree = kPi / 180.0;

TEST(TorusMesh, HasExactlyTheTrianglesAskedFor) {
  const TriangleMesh mesh =
      make_torus({.major_radius = 1.0, .minor_radius = 0.3, .triangles = 4096});
  EXPECT_EQ(mesh.triangle_count(), 4096u);
  EXPECT_EQ(mesh.vertices.size(), 64u * 32u);
  expect_solid(mesh, 0);
  expect_solid(make_torus({.major_radius = 1.0, .minor_radius = 0.99, .triangles = 36}), 0);
}

TEST(TorusMesh, HasItsVerticesOnTheTorus) {
  const TriangleMesh mesh = make_torus({.major_radius = 1.0, .minor_radius = 0.3});
  for (const Vec3& p : mesh.vertices)
    EXPECT_NEAR(std::hypot(std::hypot(p.x(), p.y()) - 1.0, p.z()), 0.3, 1e-15);
  const Box box = bounding_box(mesh);
  EXPECT_NEAR(box.upper.z(), 0.3, 1e-15);  // axis z
  EXPECT_NEAR(box.upper.x(), 1.3, 1e-15);
}

TEST(TorusMesh, HasAnAreaThatConverges) {
  const double exact = 4.0 * kPi * kPi * 0.3;
  const auto error = [&](int triangles) {
    return exact - surface_area(make_torus(
                       {.major_radius = 1.0, .minor_radius = 0.3, .triangles = triangles}));
  };
  EXPECT_NEAR(error(4096) / error(16384), 4.0, 0.1);  // order 2 in the edge
}

TEST(TorusMesh, NamesTheNearestCountsThereAre) {
  const auto complaint = [](const TorusMesh& torus) {
    return message_of<InputError>([&] { make_torus(torus); });
  };
  EXPECT_EQ(complaint({.major_radius = 1.0, .minor_radius = 0.3, .triangles = 4000}),
            "torus.triangles must be 4 times a square, is 4000; nearest are 3844 and 4096");
  EXPECT_EQ(complaint({.major_radius = 1.0, .minor_radius = 0.3, .triangles = 16}),
            "torus.triangles must lie in [36, 2e+07], is 16");
  EXPECT_EQ(complaint({.major_radius = 1.0, .minor_radius = 1.0}),
            "torus.minor_radius must be below major_radius 1, is 1");
  EXPECT_TRUE(contains(complaint({.minor_radius = 1.0}), "torus.major_radius is missing"));
}

TEST(SphereMesh, HasExactlyTheTrianglesAskedFor) {
  for (const int f : {1, 2, 3, 5, 16}) {
    const TriangleMesh mesh = make_sphere({.radius = 0.5, .triangles = 20 * f * f});
    EXPECT_EQ(mesh.triangle_count(), static_cast<std::size_t>(20 * f * f));
    EXPECT_EQ(mesh.vertices.size(), static_cast<std::size_t>(10 * f * f + 2));
    expect_solid(mesh);
    for (const Vec3& p : mesh.vertices) EXPECT_NEAR(p.norm(), 0.5, 1e-15);  // rounding
  }
}

TEST(SphereMesh, HasWellShapedTriangles) {
  EXPECT_GT(smallest_angle(make_sphere({.radius = 1.0, .triangles = 5120})), 45.0 * kDegree);
}

TEST(SphereMesh, HasAnAreaThatConverges) {
  const auto error = [&](int triangles) {
    return 4.0 * kPi - surface_area(make_sphere({.radius = 1.0, .triangles = triangles}));
  };
  EXPECT_NEAR(error(1280) / error(5120), 4.0, 0.1);  // order 2 in the edge
}

TEST(SphereMesh, NamesTheNearestCountsThereAre) {
  EXPECT_EQ(message_of<InputError>([] { make_sphere({.radius = 1.0, .triangles = 501}); }),
            "sphere.triangles must be 20 times a square, is 501; nearest are 500 and 720");
}

TEST(EllipsoidMesh, HasItsVerticesOnTheEllipsoid) {
  const TriangleMesh mesh = make_ellipsoid({.half_axes = {0.3, 0.5, 0.8}});
  EXPECT_EQ(mesh.triangle_count(), 980u);
  expect_solid(mesh);
  for (const Vec3& p : mesh.vertices)
    EXPECT_NEAR(p.cwiseQuotient(Vec3(0.3, 0.5, 0.8)).norm(), 1.0, 1e-15);  // rounding
}

TEST(EllipsoidMesh, HasTheVolumeOfItsSphereTimesTheStretch) {
  const double sphere = signed_volume(make_sphere({.radius = 1.0, .triangles = 980}));
  EXPECT_NEAR(signed_volume(make_ellipsoid({.half_axes = {0.3, 0.5, 0.8}})), 0.12 * sphere, 1e-15);
}

TEST(EllipsoidMesh, WithEqualAxesIsASphere) {
  const TriangleMesh sphere = make_sphere({.radius = 0.37, .triangles = 180});
  const TriangleMesh mesh = make_ellipsoid({.half_axes = {0.37, 0.37, 0.37}, .triangles = 180});
  EXPECT_EQ(mesh.vertices, sphere.vertices);  // the same bits
  EXPECT_EQ(mesh.triangles, sphere.triangles);
}

TEST(EllipsoidMesh, RefusesBadNumbers) {
  const auto complaint = [](const EllipsoidMesh& ellipsoid) {
    return message_of<InputError>([&] { make_ellipsoid(ellipsoid); });
  };
  EXPECT_EQ(complaint({.half_axes = {1.0, 0.0, 1.0}}),
            "ellipsoid.half_axes must be positive, is 0");
  EXPECT_EQ(complaint({.half_axes = {1.0, 1.0, 1.0}, .triangles = 1000}),
            "ellipsoid.triangles must be 20 times a square, is 1000; nearest are 980 and 1280");
}

TEST(BoxMesh, NamesItsSides) {
  const TriangleMesh mesh = make_box({.size = {0.3, 0.7, 1.1}, .divisions = 3});
  require_usable(mesh, "box");
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const std::string& name = mesh.group_names[static_cast<std::size_t>(mesh.groups[t])];
    const Vec3 outward = (name[1] == '+' ? 1.0 : -1.0) * Vec3::Unit(name[0] - 'x');
    EXPECT_EQ(face_of(mesh, t).normal, outward) << name;
  }
  const std::vector<MeshGroup> groups = summarize_groups(mesh);
  ASSERT_EQ(groups.size(), 6u);
  const double areas[] = {0.77, 0.77, 0.33, 0.33, 0.21, 0.21};
  for (std::size_t g = 0; g < 6; ++g) EXPECT_NEAR(groups[g].area, areas[g], 1e-15);
}

TEST(BoxMesh, HasTheSameBitsAsEver) {
  const TriangleMesh mesh = make_box({.size = {0.3, 0.7, 1.1}, .divisions = 11});
  Hash vertices, triangles;
  for (const Vec3& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) vertices.add(p[k]);
  for (const auto& t : mesh.triangles)
    for (const std::int32_t v : t) triangles.add(static_cast<std::uint64_t>(v));
  EXPECT_EQ(vertices.digest(), 0x187d8ad2712ce7f9u);
  EXPECT_EQ(triangles.digest(), 0x3491d131afef2f9du);
}

TEST(BoxMesh, IsExact) {
  const TriangleMesh mesh = make_box({.size = {0.3, 0.7, 1.1}});
  EXPECT_EQ(mesh.triangle_count(), 12u);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  expect_solid(mesh);
  EXPECT_EQ(bounding_box(mesh).lower, Vec3(-0.15, -0.35, -0.55));
  EXPECT_EQ(bounding_box(mesh).upper, Vec3(0.15, 0.35, 0.55));
  EXPECT_NEAR(surface_area(mesh), 2.0 * (0.3 * 0.7 + 0.7 * 1.1 + 1.1 * 0.3), 1e-15);
}

TEST(BoxMesh, CutsShorterEdgesIntoFewerPieces) {
  const TriangleMesh mesh = make_box({.size = {0.3, 0.7, 1.1}, .divisions = 11});
  EXPECT_EQ(mesh.triangle_count(), 4u * (3 * 7 + 7 * 11 + 11 * 3));
  expect_solid(mesh);
  EXPECT_GT(smallest_angle(mesh), 40.0 * kDegree);  // halves of squares
  expect_solid(make_box({.size = {1e-6, 1.0, 1.0}, .divisions = 9}));
}

TEST(CylinderMesh, IsASolidOfWellShapedTriangles) {
  for (const int segments : {3, 4, 7, 32, 101}) {
    SCOPED_TRACE(segments);
    expect_solid(make_cylinder({.radius = 0.5, .length = 1.2, .segments = segments}));
  }
  const TriangleMesh mesh = make_cylinder({.radius = 0.5, .length = 1.2, .segments = 48});
  EXPECT_GT(smallest_angle(mesh), 25.0 * kDegree);
  EXPECT_NEAR(bounding_box(mesh).upper.z(), 0.6, 0.0);
  for (const Vec3& p : mesh.vertices) EXPECT_LE(std::hypot(p.x(), p.y()), 0.5 + 1e-15);
}

/// Normals of the lids are exact, those of the side lean at most as far as the cone does.
void expect_lids_and_side(const TriangleMesh& mesh) {
  require_usable(mesh, "mesh");
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const std::string& name = mesh.group_names[static_cast<std::size_t>(mesh.groups[t])];
    const double up = face_of(mesh, t).normal.z();
    if (name == "bottom")
      EXPECT_EQ(up, -1.0);
    else if (name == "top")
      EXPECT_EQ(up, 1.0);
    else
      EXPECT_LT(std::abs(up), 0.9) << name;
  }
}

TEST(CylinderMesh, NamesSideAndLids) {
  const TriangleMesh mesh = make_cylinder({.radius = 0.5, .length = 1.2});
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"side", "bottom", "top"}));
  expect_lids_and_side(mesh);
  for (const MeshGroup& group : summarize_groups(mesh)) EXPECT_GT(group.triangles, 0u);
}

TEST(ConeMesh, HasATopOnlyIfThereIsOne) {
  const TriangleMesh frustum = make_cone({.base_radius = 0.5, .top_radius = 0.2, .length = 0.8});
  EXPECT_EQ(frustum.group_names, (std::vector<std::string>{"side", "bottom", "top"}));
  expect_lids_and_side(frustum);
  const TriangleMesh pointed = make_cone({.base_radius = 0.5, .length = 0.8});
  EXPECT_EQ(pointed.group_names, (std::vector<std::string>{"side", "bottom"}));
  expect_lids_and_side(pointed);
}

TEST(ConeMesh, IsASolidForEveryTop) {
  for (const double top : {0.0, 1e-6, 0.1, 0.5, 2.0})
    for (const int segments : {3, 5, 32, 77}) {
      SCOPED_TRACE(std::to_string(top) + " " + std::to_string(segments));
      const TriangleMesh mesh =
          make_cone({.base_radius = 0.5, .top_radius = top, .length = 0.8, .segments = segments});
      expect_solid(mesh);
      for (const Vec3& p : mesh.vertices) {
        const double s = p.z() / 0.8 + 0.5;
        EXPECT_LE(std::hypot(p.x(), p.y()), 0.5 + s * (top - 0.5) + 1e-15);
      }
    }
  EXPECT_GT(smallest_angle(make_cone({.base_radius = 0.5, .top_radius = 0.2, .length = 0.8})),
            20.0 * kDegree);
}

TEST(CapsuleMesh, HasItsVerticesAtOneDistanceFromItsSpine) {
  for (const double length : {0.0, 0.01, 1.0})
    for (const int segments : {4, 5, 32}) {
      SCOPED_TRACE(std::to_string(length) + " " + std::to_string(segments));
      const TriangleMesh mesh =
          make_capsule({.radius = 0.3, .length = length, .segments = segments});
      expect_solid(mesh);
      for (const Vec3& p : mesh.vertices) {
        const Vec3 spine(0.0, 0.0, std::clamp(p.z(), -0.5 * length, 0.5 * length));
        EXPECT_NEAR((p - spine).norm(), 0.3, 1e-15);
      }
    }
  EXPECT_GT(smallest_angle(make_capsule({.radius = 0.3, .length = 1.0})), 20.0 * kDegree);
}

TEST(RoundMeshes, RefuseToFillTheMemory) {
  EXPECT_TRUE(contains(message_of<InputError>([] {
                         make_cylinder({.radius = 1e-3, .length = 1e3, .segments = 4096});
                       }),
                       "cylinder would have about 5.34e+12 triangles"));
}

TEST(PlaneMesh, IsASheetThatLooksUp) {
  const TriangleMesh mesh = make_plane({.size_x = 2.0, .size_y = 3.0, .cells_x = 4, .cells_y = 5});
  EXPECT_EQ(mesh.triangle_count(), 40u);
  EXPECT_EQ(mesh.vertices.size(), 30u);
  EXPECT_EQ(euler_characteristic(mesh), 1);
  const MeshCensus census = take_census(mesh);
  EXPECT_EQ(census.boundary_edges, 18u);
  EXPECT_EQ(census.flipped_edges + census.non_manifold_edges, 0u);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    EXPECT_EQ(face_of(mesh, t).normal, Vec3::UnitZ());
    EXPECT_NEAR(face_of(mesh, t).area, 0.15, 1e-15);
  }
  EXPECT_EQ(bounding_box(mesh).lower, Vec3(-1.0, -1.5, 0.0));
  EXPECT_EQ(bounding_box(mesh).upper, Vec3(1.0, 1.5, 0.0));
}

Value table(std::initializer_list<Value::Entry> entries) {
  return Value(Value::Table(entries), Place{"scene.toml", 3, 8});
}
Value::Entry entry(const std::string& key, Value value) {
  return {key, {}, std::move(value)};
}

TEST(GenerateMesh, ReadsWhatASceneSays) {
  const TriangleMesh mesh = generate_mesh(
      "torus",
      table({entry("major_radius", 1.0), entry("minor_radius", 0.3), entry("triangles", 1024)}),
      "shape.ring.mesh.torus");
  const TriangleMesh same =
      make_torus({.major_radius = 1.0, .minor_radius = 0.3, .triangles = 1024});
  EXPECT_EQ(mesh.vertices, same.vertices);  // the same bits
  EXPECT_EQ(mesh.triangles, same.triangles);

  const Value size(Value::Array{1.0, 2.0, 3.0});
  EXPECT_EQ(generate_mesh("box", table({entry("size", size)}), "mesh.box").triangle_count(), 12u);
}

TEST(GenerateMesh, ComplainsWithPlaceAndKey) {
  const auto complaint = [](const std::string& shape, const Value& parameters) {
    return message_of<InputError>([&] { generate_mesh(shape, parameters, "mesh." + shape); });
  };
  EXPECT_EQ(complaint("tours", table({})),
            "scene.toml:3:8: unknown mesh shape 'tours'; did you mean 'torus'?");
  EXPECT_TRUE(
      contains(complaint("sphere", table({})), "scene.toml:3:8: mesh.sphere.radius is missing"));
  const Value count(501, Place{"scene.toml", 4, 20});
  EXPECT_EQ(complaint("sphere", table({entry("radius", 1.0), entry("triangles", count)})),
            "scene.toml:4:20: mesh.sphere.triangles must be 20 times a square, is 501; nearest are "
            "500 and 720");
  EXPECT_TRUE(
      contains(complaint("plane", table({entry("size_x", 1.0), entry("size_y", 1.0),
                                         entry("cells_x", 10000), entry("cells_y", 10000)})),
               "scene.toml:3:8: mesh.plane would have about 2e+08 triangles"));
}

/// A tetrahedron; `change` may alter what the table says. Places are all in line 5.
Value listed_tetrahedron() {
  const auto list = [](std::initializer_list<Value> entries, int column) {
    return Value(Value::Array(entries), Place{"scene.toml", 5, column});
  };
  return table({entry("faces", list({list({0, 2, 1}, 11), list({0, 1, 3}, 12), list({1, 2, 3}, 13),
                                     list({2, 0, 3}, 14)},
                                    10)),
                entry("vertices", list({list({0, 0, 0}, 21), list({1, 0, 0}, 22),
                                        list({0, 1, 0}, 23), list({0.0, 0.0, 0.1}, 24)},
                                       20))});
}

TEST(ListedMesh, IsTakenAsItStands) {
  Value parameters = listed_tetrahedron();
  const TriangleMesh mesh = generate_mesh("triangles", parameters, "mesh.triangles");
  expect_solid(mesh);
  EXPECT_EQ(mesh.vertices[3], Vec3(0, 0, 0.1));
  EXPECT_EQ(mesh.triangles[3], (std::array<std::int32_t, 3>{2, 0, 3}));
  EXPECT_TRUE(mesh.groups.empty());

  parameters.as_table().push_back(
      entry("groups", Value(Value::Array{"floor", "wall", "roof", "wall"})));
  const TriangleMesh grouped = generate_mesh("triangles", parameters, "mesh.triangles");
  EXPECT_EQ(grouped.group_names, (std::vector<std::string>{"floor", "wall", "roof"}));
  EXPECT_EQ(grouped.groups, (std::vector<std::int32_t>{0, 1, 2, 1}));
}

TEST(ListedMesh, ComplainsWithPlaceAndKey) {
  /// The complaint if entry i of `key` is this instead.
  const auto complaint = [](const std::string& key, std::size_t i, Value::Array instead) {
    Value parameters = listed_tetrahedron();
    Value& old = parameters.find(key)->as_array()[i];
    const Place place = old.place();
    for (Value& x : instead)
      if (x.is_integer()) x = Value(x.as_integer(), Place{"scene.toml", 6, 40});
    old = Value(std::move(instead), place);
    return message_of<InputError>(
        [&] { generate_mesh("triangles", parameters, "mesh.triangles"); });
  };
  const std::string at = "scene.toml:6:40: mesh.triangles.";
  EXPECT_EQ(complaint("faces", 2, {1, 2, 4}),
            at + "faces.2 names vertex 4, but there are 4, counted from 0");
  EXPECT_EQ(complaint("faces", 2, {1, -1, 3}),
            at + "faces.2 names vertex -1, but there are 4, counted from 0");
  EXPECT_EQ(complaint("faces", 0, {0, 1, 0}), at + "faces.0 names vertex 0 twice");
  EXPECT_EQ(complaint("faces", 1, {0, 1}),
            "scene.toml:5:12: mesh.triangles.faces.1 must have 3 numbers of vertices, has 2");
  EXPECT_EQ(complaint("faces", 1, {0, Value(1.5, {"scene.toml", 7, 1}), 2}),
            "scene.toml:7:1: mesh.triangles.faces.1 must be a whole number, is 1.5");
  EXPECT_EQ(complaint("vertices", 3, {0, 1}),
            "scene.toml:5:24: mesh.triangles.vertices.3 must have 3 numbers, has 2");
  EXPECT_EQ(complaint("vertices", 3, {0, 1, Value("x", {"scene.toml", 7, 2})}),
            "scene.toml:7:2: mesh.triangles.vertices.3 must be a number, is a string, \"x\"");
  EXPECT_EQ(complaint("vertices", 3, {0, 1, Value(kRequired, {"scene.toml", 7, 3})}),
            "scene.toml:7:3: mesh.triangles.vertices.3 must be finite, is nan");
}

TEST(ListedMesh, ComplainsOfListsThatAreMissingEmptyOrOfAnotherLength) {
  const auto complaint = [](const std::string& key, Value value) {
    Value parameters = listed_tetrahedron();
    std::erase_if(parameters.as_table(), [&](const auto& e) { return e.key == key; });
    if (!value.is_table()) parameters.as_table().push_back(entry(key, std::move(value)));
    return message_of<InputError>(
        [&] { generate_mesh("triangles", parameters, "mesh.triangles"); });
  };
  const Place place{"scene.toml", 8, 9};
  EXPECT_TRUE(contains(complaint("faces", {}), "scene.toml:3:8: mesh.triangles.faces is missing"));
  EXPECT_EQ(complaint("vertices", Value(Value::Array{}, place)),
            "scene.toml:8:9: mesh.triangles.vertices must not be empty");
  EXPECT_EQ(
      complaint("groups", Value(Value::Array{"a", "b"}, place)),
      "scene.toml:8:9: mesh.triangles.groups must have a name for each of the 4 faces, has 2");
  EXPECT_EQ(complaint("groups", Value(Value::Array{"a", Value("", place)})),
            "scene.toml:8:9: mesh.triangles.groups.1 must not be empty");
  EXPECT_TRUE(contains(complaint("groups", Value(Value::Array{Value(1, place)})),
                       "scene.toml:8:9: mesh.triangles.groups.0 must be a string"));
}

TEST(MeshShapes, AllTellTheirParameters) {
  const std::vector<std::string> names = mesh_shape_names();
  EXPECT_EQ(names.front(), "torus");
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 9u);
  for (const std::string& name : names) {
    EXPECT_FALSE(mesh_shape_meaning(name).empty());
    for (const ParameterInfo& info : mesh_shape_parameters(name)) {
      EXPECT_FALSE(info.key.empty());
      EXPECT_FALSE(info.meaning.empty());
    }
  }
  EXPECT_EQ(mesh_shape_parameters("torus").size(), 3u);
  EXPECT_THROW(mesh_shape_parameters("teapot"), InputError);
}

}  // namespace
}  // namespace grouser
