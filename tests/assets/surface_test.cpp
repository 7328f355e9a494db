// Surfaces: sums of layers, their derivatives, grids, meshes and refusals.
#include "grouser/assets/surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "grouser/base/hash.h"
#include "grouser/base/random.h"
#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mass_properties.h"
#include "tests/mesh/solids.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace grouser {
namespace {

SurfaceDef surface_of(std::vector<SurfaceLayer> layers) {
  SurfaceDef def;
  def.size = Vec2(12.0, 8.0);
  def.spacing = 0.1;
  def.layers = std::move(layers);
  return def;
}

/// One layer of each kind that needs no file, all of them smooth.
std::vector<SurfaceLayer> smooth_layers() {
  return {{NoiseLayer{.slope = 0.1, .shortest = 0.5}},
          {NoiseLayer{.kind = NoiseLayer::Kind::ridged, .slope = 0.05, .shortest = 0.9}},
          {ProfileLayer{{Vec2(-3, 0), Vec2(0, 0.5), Vec2(1, 0.6), Vec2(4, -0.2)}, 0.7}},
          {SlopeLayer{.angle = 0.2, .direction = 2.0}},
          {SlopeLayer{.angle = 0.3, .direction = -1.0, .from = -1.0, .to = 2.0, .rounding = 1.0}},
          {StairsLayer{.height = 0.1,
                       .count = 3,
                       .tread = 1.0,
                       .direction = 0.4,
                       .start = -2.0,
                       .riser_width = 0.4,
                       .rounding = 0.3}},
          {CraterLayer{.density = 0.3, .min_diameter = 0.5, .max_diameter = 3.0}}};
}

std::string complaint(const SurfaceDef& def) {
  return message_of<InputError>([&] { make_surface_grid(def, {"s.toml", 3, 1}); });
}
std::string complaint(SurfaceLayer layer) {
  return complaint(surface_of({std::move(layer)}));
}

TEST(Surface, IsTheSumOfItsLayers) {
  const std::vector<SurfaceLayer> layers = smooth_layers();
  const Surface all(surface_of(layers));
  std::vector<Surface> parts;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    // In its place among others, so that it has the same seed; flat ones stand in for those.
    std::vector<SurfaceLayer> alone(layers.size(), {SlopeLayer{.angle = 0.0}});
    alone[i] = layers[i];
    parts.emplace_back(surface_of(alone));
  }
  Random random(1);
  for (int k = 0; k < 50; ++k) {
    const double x = random.uniform(-6.0, 6.0), y = random.uniform(-4.0, 4.0);
    SurfaceHeight sum;
    for (const Surface& part : parts) {
      const SurfaceHeight z = part.at(x, y);
      sum.z += z.z, sum.dx += z.dx, sum.dyy += z.dyy;
    }
    EXPECT_EQ(all.at(x, y).z, sum.z);
    EXPECT_EQ(all.at(x, y).dx, sum.dx);
    EXPECT_EQ(all.at(x, y).dyy, sum.dyy);
  }
}

TEST(Surface, HasTheDerivativesOfItsHeight) {
  for (const SurfaceLayer& layer : smooth_layers()) {
    SCOPED_TRACE(surface_layer_name(layer));
    const Surface surface(surface_of({layer}));
    Random random(2);
    const double h = 1e-4;
    for (int k = 0; k < 300; ++k) {
      const double x = random.uniform(-5.0, 5.0), y = random.uniform(-3.0, 3.0);
      const auto at = [&](double dx, double dy) { return surface.at(x + dx, y + dy); };
      const SurfaceHeight z = at(0, 0);
      // Central differences: h^2 times third derivatives of at most some hundred, of crests of
      // ridged noise; half a jump of curvature where parabolas of roundings meet lines.
      const double bend = 0.01 + 0.5 * std::abs(at(h, h).dxx - at(-h, -h).dxx) +
                          0.5 * std::abs(at(h, h).dyy - at(-h, -h).dyy);
      EXPECT_NEAR(z.dx, (at(h, 0).z - at(-h, 0).z) / (2 * h), 1e-5 + h * bend);
      EXPECT_NEAR(z.dy, (at(0, h).z - at(0, -h).z) / (2 * h), 1e-5 + h * bend);
      EXPECT_NEAR(z.dxx, (at(h, 0).dx - at(-h, 0).dx) / (2 * h), bend);
      EXPECT_NEAR(z.dyy, (at(0, h).dy - at(0, -h).dy) / (2 * h), bend);
      EXPECT_NEAR(z.dxy, (at(0, h).dx - at(0, -h).dx) / (2 * h), bend);
      EXPECT_NEAR(z.dxy, (at(h, 0).dy - at(-h, 0).dy) / (2 * h), bend);
    }
  }
}

TEST(Surface, IsTheSameForEverySpacing) {
  SurfaceDef coarse = surface_of(smooth_layers()), fine = coarse;
  fine.spacing = 0.5 * coarse.spacing;
  const ElevationGrid a = make_surface_grid(coarse), b = make_surface_grid(fine);
  EXPECT_EQ(a.nx, 121u);
  EXPECT_EQ(a.ny, 81u);
  EXPECT_EQ(b.nx, 241u);
  for (std::size_t j = 0; j < a.ny; ++j)
    for (std::size_t i = 0; i < a.nx; ++i) EXPECT_EQ(a.height(i, j), b.height(2 * i, 2 * j));
}

TEST(Surface, HasGridsWithTheBitsOfItsPoints) {
  for (const auto kind : {NoiseLayer::Kind::fbm, NoiseLayer::Kind::billow}) {
    std::vector<SurfaceLayer> layers = smooth_layers();
    layers.push_back({NoiseLayer{.kind = kind, .hurst = 0.4, .slope = 0.2}});
    SurfaceDef def = surface_of(layers);
    def.center = Vec2(1e3, -2e3);
    def.spacing = 0.23;
    const Surface surface(def);
    const ElevationGrid grid = make_surface_grid(def);
    for (std::size_t j = 0; j < grid.ny; ++j)
      for (std::size_t i = 0; i < grid.nx; ++i)
        EXPECT_EQ(grid.height(i, j),
                  surface
                      .at(grid.origin.x() + grid.spacing * static_cast<double>(i),
                          grid.origin.y() + grid.spacing * static_cast<double>(j))
                      .z);
  }
}

TEST(Surface, IsCoveredByItsGrid) {
  SurfaceDef def = surface_of({{SlopeLayer{.angle = 0.1}}});
  def.center = Vec2(5.0, 7.0);
  def.spacing = 0.7;
  const ElevationGrid grid = make_surface_grid(def);
  EXPECT_EQ(grid.origin, Vec2(-1.0, 3.0));
  EXPECT_EQ(grid.nx, 19u);  // 18 cells of 0.7 m cover 12 m
  EXPECT_EQ(grid.ny, 13u);  // 12 cover 8 m
  const Surface surface(def);
  EXPECT_TRUE(surface.at(-1.0, 3.0).inside);
  EXPECT_FALSE(surface.at(-1.01, 3.0).inside);
}

TEST(Surface, IsMetByMapsOfItsGridWithTheirOrder) {
  SurfaceDef def =
      surface_of({{NoiseLayer{.slope = 0.1, .scale = 2.0, .longest = 4.0, .shortest = 2.0}},
                  {CraterLayer{.list = {{Vec2(0, 0), 4.0, 0.3}}}}});
  const auto error = [&](double spacing) {
    def.spacing = spacing;
    const Surface surface(def);
    const ElevationMap map(make_surface_grid(def), ElevationMap::Kind::bspline,
                           ElevationMap::Border::extrapolate);
    Random random(5);
    double sum = 0.0;
    for (int k = 0; k < 2000; ++k) {
      const double x = random.uniform(-4.0, 4.0), y = random.uniform(-3.0, 3.0);
      sum += std::pow(map.at(x, y).z - surface.at(x, y).z, 2);
    }
    return std::sqrt(sum / 2000);
  };
  const double coarse = error(0.1), fine = error(0.05);
  EXPECT_LT(coarse, 1e-4);
  // Curvature is continuous and its slope jumps on lines: between the third order there and the
  // fourth elsewhere; on average 3.5, and a bit less before the limit is reached.
  EXPECT_GT(std::log2(coarse / fine), 3.0);
}

TEST(Surface, TellsItsProgress) {
  std::vector<double> told;
  make_surface_grid(surface_of({{SlopeLayer{.angle = 0.1}}}), {}, "surface",
                    [&](double fraction) { told.push_back(fraction); });
  ASSERT_FALSE(told.empty());
  for (std::size_t i = 1; i < told.size(); ++i) EXPECT_GT(told[i], told[i - 1]);
  EXPECT_EQ(told.back(), 1.0);
}

TEST(SlopeLayer, IsAPlane) {
  const Surface surface(surface_of({{SlopeLayer{.angle = 0.3, .direction = 0.5}}}));
  const SurfaceHeight z = surface.at(2.0, -1.0);
  EXPECT_NEAR(z.z, std::tan(0.3) * (2.0 * std::cos(0.5) - std::sin(0.5)), 1e-15);
  EXPECT_NEAR(std::acos(z.normal().z()), 0.3, 1e-14);
}

TEST(SlopeLayer, IsARampBetweenStations) {
  SlopeLayer ramp{.angle = std::atan(0.5), .from = -1.0, .to = 3.0};
  const Surface sharp(surface_of({{ramp}}));
  EXPECT_EQ(sharp.at(-1.5, 2.0).z, 0.0);
  EXPECT_NEAR(sharp.at(1.0, 0.0).z, 1.0, 1e-15);
  EXPECT_NEAR(sharp.at(4.0, 0.0).z, 2.0, 1e-15);
  ramp.rounding = 1.0;
  const Surface round(surface_of({{ramp}}));
  EXPECT_NEAR(round.at(-1.0, 0.0).z, 0.5 * 0.125, 1e-15);  // slope r / 8 at the kink
  EXPECT_NEAR(round.at(1.0, 0.0).z, 1.0, 1e-15);
  EXPECT_NEAR(round.at(3.6, 0.0).z, 2.0, 1e-15);
}

TEST(StairsLayer, HasStepsAndTreads) {
  const Surface stairs(surface_of({{StairsLayer{.height = 0.15,
                                                .count = 3,
                                                .tread = 0.5,
                                                .direction = 0.5 * kPi,
                                                .start = -1.0,
                                                .riser_width = 0.02}}}));
  // Rounding of stations, of 1e-16 m, times the slope of a riser.
  EXPECT_NEAR(stairs.at(3.0, -1.0).z, 0.0, 1e-14);
  for (int step = 0; step < 3; ++step) {
    EXPECT_NEAR(stairs.at(3.0, -1.0 + 0.5 * step + 0.01).z, 0.15 * (step + 0.5), 1e-14);
    EXPECT_NEAR(stairs.at(3.0, -1.0 + 0.5 * step + 0.3).z, 0.15 * (step + 1), 1e-14);
    EXPECT_EQ(stairs.at(3.0, -1.0 + 0.5 * step + 0.3).dy, 0.0);
  }
  EXPECT_NEAR(stairs.at(-5.0, 3.9).z, 0.45, 1e-15);
}

TEST(StairsLayer, HasRisersAsWideAsTheSpacingByDefault) {
  const Surface step(surface_of({{StairsLayer{.height = -0.2}}}));
  EXPECT_EQ(step.at(-0.001, 0.0).z, 0.0);
  EXPECT_NEAR(step.at(0.05, 0.0).z, -0.1, 1e-15);
  EXPECT_NEAR(step.at(0.1, 0.0).z, -0.2, 1e-15);
}

TEST(ProfileLayer, GoesThroughItsPoints) {
  const std::vector<Vec2> points = {Vec2(-2, 0), Vec2(-1, 1), Vec2(1, 1.2), Vec2(2, 0.2)};
  for (const auto kind : {ProfileLayer::Kind::linear, ProfileLayer::Kind::smooth}) {
    const Surface surface(surface_of({{ProfileLayer{points, 0.0, kind}}}));
    for (const Vec2& p : points) EXPECT_NEAR(surface.at(p.x(), 1.0).z, p.y(), 1e-15);
    EXPECT_EQ(surface.at(-4.0, 0.0).z, 0.0);
    EXPECT_EQ(surface.at(4.0, 0.0).z, 0.2);
    for (double x = -2.0; x < 2.0; x += 0.01) {  // nowhere beyond the neighbours' heights
      EXPECT_GE(surface.at(x, 0.0).z, -1e-15);
      EXPECT_LE(surface.at(x, 0.0).z, 1.2 + 1e-15);
    }
  }
  const Surface linear(surface_of({{ProfileLayer{points, 0.0, ProfileLayer::Kind::linear}}}));
  EXPECT_NEAR(linear.at(0.0, 0.0).z, 1.1, 1e-15);
  EXPECT_NEAR(linear.at(0.0, 0.0).dx, 0.1, 1e-15);
  const Surface smooth(surface_of({{ProfileLayer{points}}}));
  const double e = 1e-9;
  for (const Vec2& p : points)  // continuous slope: curvatures are below 10 / m
    EXPECT_NEAR(smooth.at(p.x() - e, 0.0).dx, smooth.at(p.x() + e, 0.0).dx, 20 * e);
}

/// A map of 5 x 4 nodes with z = 100 + x y, spacing 2 m, far away.
ElevationGrid small_map() {
  ElevationGrid grid{Vec2(5e5, 3e6), 2.0, 5, 4, {}};
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 5; ++i) grid.heights.push_back(100.0 + (2.0 * i - 4.0) * (2.0 * j - 3.0));
  return grid;
}

TEST(FileLayer, IsTheMapOfTheFile) {
  const TemporaryFolder folder;
  const std::string file = folder / "map.asc";
  write_elevation_file(small_map(), file);
  FileLayer layer{.file = file, .border = FileLayer::Border::extrapolate};
  layer.height_scale = 0.5;
  layer.offset = -50.0;
  const Surface surface(surface_of({{layer}}));
  // Splines with natural ends reproduce x y; the middle of the map is the centre of the surface.
  EXPECT_NEAR(surface.at(1.2, -0.7).z, 0.5 * 1.2 * -0.7, 1e-12);
  EXPECT_NEAR(surface.at(1.2, -0.7).dx, 0.5 * -0.7, 1e-12);
  EXPECT_TRUE(surface.at(3.9, 2.9).inside);
  EXPECT_FALSE(surface.at(4.1, 0.0).inside);

  layer.spacing = 1.0;
  EXPECT_NEAR(Surface(surface_of({{layer}})).at(0.6, -0.35).z, 0.5 * 1.2 * -0.7, 1e-12);

  SurfaceDef there = surface_of({{FileLayer{.file = file, .centered = false}}});
  there.size = Vec2(8.0, 6.0);  // as large as the map
  there.center = Vec2(5e5 + 4.0, 3e6 + 3.0);
  EXPECT_NEAR(Surface(there).at(5e5 + 5.0, 3e6 + 5.0).z, 102.0, 1e-9);
}

TEST(FileLayer, IsKnownByItsContent) {
  const TemporaryFolder folder;
  const std::string file = folder / "map.asc";
  const auto values = [&] {
    const SurfaceDef def = surface_of({{FileLayer{.file = file}}});
    return parameter_table(&def).values(def).inline_text();
  };
  ElevationGrid grid = small_map();
  write_elevation_file(grid, file);
  const std::string before = values();
  EXPECT_EQ(values(), before);
  grid.heights[7] += 1e-6;
  write_elevation_file(grid, file);
  EXPECT_NE(values(), before);
  EXPECT_TRUE(contains(values(), elevation_fingerprint(read_elevation_file(file))));

  FileLayer layer{.file = file};
  layer.content = elevation_fingerprint(small_map());
  EXPECT_TRUE(contains(complaint({layer}),
                       "s.toml:3:1: surface.layers.0.file.content must be that of the map, "));
}

TEST(FileLayer, CoversTheSurfaceUnlessABorderIsGiven) {
  const TemporaryFolder folder;
  const std::string file = folder / "map.asc";
  write_elevation_file(small_map(), file);
  FileLayer layer{.file = file};
  const std::string refusal =
      "s.toml:3:1: surface.layers.0.file.file must cover the surface, 12 x 8 m from (-6, -4) on: "
      "the map is 8 x 6 m from (-4, -3) on; border = \"clamp\" or \"extrapolate\" goes on beyond "
      "it";
  EXPECT_EQ(complaint({layer}), refusal);
  for (const auto border : {FileLayer::Border::clamp, FileLayer::Border::extrapolate}) {
    layer.border = border;
    EXPECT_NO_THROW(make_surface_grid(surface_of({{layer}})));
  }
  EXPECT_NEAR(Surface(surface_of({{layer}})).at(5.0, 0.0).dy, 5.0, 1e-12);  // x y goes on

  layer.border = FileLayer::Border::refuse;
  SurfaceDef def = surface_of({{layer}});
  def.size = Vec2(8.0, 6.0);
  EXPECT_NO_THROW(make_surface_grid(def));
  def.size.y() = 6.01;
  EXPECT_TRUE(contains(complaint(def), "file.file must cover the surface, 8 x 6.01 m"));
  layer.centered = false;  // then the map is far away
  def = surface_of({{layer}});
  def.size = Vec2(2.0, 2.0);
  EXPECT_TRUE(contains(complaint(def), "the map is 8 x 6 m from (5e+05, 3e+06) on"));
}

TEST(FileLayer, KeepsTheHeightsThatWereLoaded) {
  const TemporaryFolder folder;
  ElevationGrid grid = small_map();
  write_elevation_file(grid, folder / "map.asc");
  SurfaceDef def = surface_of({{SlopeLayer{.angle = 0.0}}, {FileLayer{.file = "map.asc"}}});
  def.size = Vec2(8.0, 6.0);
  load_files(def, folder / "", "surface");
  const auto values = [&] { return parameter_table(&def).values(def).inline_text(); };
  const std::string before = values();
  const std::vector<double> heights = make_surface_grid(def).heights;
  EXPECT_TRUE(contains(before, elevation_fingerprint(grid)));

  // Whatever happens to the file.
  grid.heights[7] += 1.0;
  write_elevation_file(grid, folder / "map.asc");
  EXPECT_EQ(values(), before);
  EXPECT_EQ(make_surface_grid(def).heights, heights);
  std::filesystem::remove(folder / "map.asc");
  load_files(def, folder / "", "surface");  // is loaded
  EXPECT_EQ(make_surface_grid(def).heights, heights);
}

TEST(FileLayer, IsLoadedOnlyWithTheContentItMustHave) {
  const TemporaryFolder folder;
  write_elevation_file(small_map(), folder / "map.asc");
  const std::string content = elevation_fingerprint(small_map());
  EXPECT_EQ(content.size(), 32u);  // 128 bits
  EXPECT_NE(content.substr(0, 16), content.substr(16));
  SurfaceDef def = surface_of({{FileLayer{.file = "map.asc", .content = content}}});
  EXPECT_NO_THROW(load_files(def, folder / "", "ground"));
  def = surface_of({{FileLayer{.file = "map.asc", .content = "1234"}, {"s.toml", 9, 5}}});
  EXPECT_EQ(
      message_of<InputError>([&] { load_files(def, folder / "", "ground"); }),
      "s.toml:9:5: ground.layers.0.file.content must be that of the map, " + content + ", is 1234");
  def = surface_of({{FileLayer{}}});
  EXPECT_TRUE(contains(message_of<InputError>([&] { load_files(def, folder / "", "ground"); }),
                       "ground.layers.0.file.file is missing"));
}

TEST(FileLayer, ComplainsWithThePlaceOfTheTrouble) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(complaint({FileLayer{.file = folder / "none.asc"}}), "none.asc"));
  const std::string cut = folder.write("cut.asc", "ncols 3\nnrows 2\ncellsize 1\n1 2 3\n4 5\n");
  EXPECT_TRUE(contains(complaint({FileLayer{.file = cut}}), "cut.asc"));
  ElevationGrid grid = small_map();
  grid.heights[3] = std::nan("");
  write_elevation_file(grid, folder / "gap.asc");
  EXPECT_TRUE(contains(complaint({FileLayer{.file = folder / "gap.asc"}}),
                       "gap.asc: the elevation map has no height at 1 of 20 nodes"));
  EXPECT_TRUE(contains(complaint({FileLayer{}}), "surface.layers.0.file.file is missing"));
}

TEST(SurfaceMesh, IsASheetThatLooksUp) {
  const SurfaceDef def = surface_of(smooth_layers());
  const TriangleMesh mesh = make_surface_mesh(def);
  const ElevationGrid grid = make_surface_grid(def);
  EXPECT_EQ(mesh.triangle_count(), 2u * 120u * 80u);
  EXPECT_EQ(mesh.vertices.size(), 121u * 81u);
  const MeshCensus census = take_census(mesh);
  EXPECT_EQ(census.boundary_edges, 2u * (120u + 80u));
  EXPECT_EQ(census.flipped_edges + census.non_manifold_edges + census.duplicate_vertices +
                census.unused_vertices + census.degenerate_triangles,
            0u);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    EXPECT_GT(face_of(mesh, t).normal.z(), 0.0);
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
    EXPECT_EQ(mesh.vertices[v].z(), grid.heights[v]);
}

TEST(SurfaceMesh, WithADepthIsASolid) {
  SurfaceDef def = surface_of(smooth_layers());
  def.depth = 0.5;
  const TriangleMesh mesh = make_surface_mesh(def);
  expect_solid(mesh);
  const ElevationGrid grid = make_surface_grid(def);
  const double bottom = *std::min_element(grid.heights.begin(), grid.heights.end()) - 0.5;
  EXPECT_EQ(bounding_box(mesh).lower.z(), bottom);
  // The volume is the sum of prisms below the triangles of the top.
  double volume = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    if (mesh.groups[t] == 0) volume += (face_of(mesh, t).centroid.z() - bottom) * 0.5 * 0.1 * 0.1;
  EXPECT_NEAR(signed_volume(mesh), volume, 1e-9 * volume);
  EXPECT_EQ(mesh.group_names, (std::vector<std::string>{"top", "side", "bottom"}));
}

TEST(SurfaceMesh, CutsCellsAlongTheirRidges) {
  // A ridge along the diagonal x = y: no edge of the mesh crosses it.
  SurfaceDef def = surface_of({{ProfileLayer{
      {Vec2(-9, -9), Vec2(0, 0), Vec2(9, -9)}, -0.25 * kPi, ProfileLayer::Kind::linear}}});
  def.size = Vec2(8.0, 8.0);
  const TriangleMesh mesh = make_surface_mesh(def);
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const Vec3 c = face_of(mesh, t).centroid;
    EXPECT_NEAR(c.z(), -std::abs(c.x() - c.y()) * std::sqrt(0.5), 1e-12);
  }
}

TEST(Surface, RefusesWhatCannotBe) {
  const std::string at = "s.toml:3:1: surface.";
  SurfaceDef def = surface_of({});
  EXPECT_EQ(complaint(def), at + "layers must not be empty; known are noise, file, profile, slope, "
                                 "stairs, craters, formula");
  def = surface_of({{SlopeLayer{.angle = 0.1}}});
  def.spacing = 9.0;
  EXPECT_EQ(complaint(def), at + "spacing must be at most the shorter side, 8, is 9");
  def.spacing = 0.0;
  EXPECT_EQ(complaint(def), at + "spacing must be positive, is 0");
  def.spacing = 1e-4;
  EXPECT_EQ(complaint(def),
            "s.toml:3:1: surface would have about 9.6e+09 nodes, at most 1e+08 are allowed; the "
            "least spacing is about 0.00098");
  def.spacing = 1e-3;
  EXPECT_EQ(message_of<InputError>([&] { make_surface_mesh(def); }),
            "surface would have about 1.92e+08 triangles, at most 2e+07 are allowed; the least "
            "spacing is about 0.0031");
  def.spacing = 0.1;
  def.size = Vec2(-1.0, 2.0);
  EXPECT_EQ(complaint(def), at + "size must be positive, is -1");
  EXPECT_EQ(complaint(SurfaceDef{}), at + "size is missing (along x and y)");
  def.size = Vec2(1.0, 2.0);
  def.center.x() = INFINITY;
  EXPECT_EQ(complaint(def), at + "center must be finite, is inf");
  def.center.x() = 1e15;
  EXPECT_EQ(complaint(def),
            at + "spacing must be at least 1e+03 for coordinates of 1000000000000000.5, is 0.1");
}

TEST(Surface, RefusesHeightsThatAreNotFinite) {
  // Two hills that are finite, and their sum is not from x = 0.899 on.
  const ProfileLayer hill{{Vec2(0, 0), Vec2(1, 1e308)}, 0.0, ProfileLayer::Kind::linear};
  EXPECT_TRUE(contains(complaint(surface_of({{hill}, {hill}})),
                       "s.toml:3:1: surface must have finite heights, is inf at node (69, 0), x = "
                       "0.9"));
  const SurfaceDef extreme = surface_of(
      {{NoiseLayer{.hurst = 0.01, .slope = 10.0}}, {NoiseLayer{.hurst = 0.99, .slope = 10.0}}});
  EXPECT_NO_THROW(make_surface_grid(extreme));
}

TEST(Surface, RefusesLayersThatCannotBe) {
  const std::string noise = "s.toml:3:1: surface.layers.0.noise.";
  EXPECT_EQ(complaint({NoiseLayer{.hurst = 0.0, .slope = 0.1}}),
            noise + "hurst must lie in [0.01, 0.99], is 0");
  EXPECT_EQ(complaint({NoiseLayer{.hurst = -0.2, .slope = 0.1}}),
            noise + "hurst must lie in [0.01, 0.99], is -0.2");
  EXPECT_EQ(complaint({NoiseLayer{.hurst = 1.0, .slope = 0.1}}),
            noise + "hurst must lie in [0.01, 0.99], is 1");
  EXPECT_EQ(complaint({NoiseLayer{.hurst = 1e-20, .slope = 0.1}}),
            noise + "hurst must lie in [0.01, 0.99], is 1e-20");
  EXPECT_EQ(complaint({NoiseLayer{.slope = 1e308}}),
            noise + "slope must lie in (0, 10], is 1e+308");
  EXPECT_EQ(complaint({NoiseLayer{.slope = 0.1, .scale = 0.5, .shortest = 0.6}}),
            noise + "shortest must be at most scale, 0.5, is 0.6");
  EXPECT_TRUE(contains(complaint({NoiseLayer{}}), noise + "slope is missing"));
  EXPECT_EQ(complaint({NoiseLayer{.slope = 0.1, .scale = 7.0}}),
            noise +
                "scale must be at most half of the longer side of the surface, 6, is 7; "
                "calibration = \"ensemble\" has no such limit");
  EXPECT_EQ(complaint({NoiseLayer{.slope = 0.1, .longest = 0.5, .shortest = 0.7}}),
            noise + "shortest must be at most the longest wavelength, 0.5, is 0.7");
  EXPECT_EQ(complaint({NoiseLayer{.slope = 0.1, .longest = 1.0, .shortest = 1e-30}}),
            noise + "shortest asks for 100 octaves, at most 64 are allowed");
  EXPECT_EQ(complaint({NoiseLayer{.slope = 0.1, .longest = 1.0, .shortest = 1e-15}}),
            noise + "shortest must be at least 6e-12 for coordinates of 6, is 1e-15");
  const std::string layer = "s.toml:3:1: surface.layers.0.";
  EXPECT_TRUE(contains(complaint({SlopeLayer{.angle = 1.6}}), layer + "slope.angle must lie in ("));
  EXPECT_EQ(complaint({SlopeLayer{.angle = 0.1, .from = 2.0, .to = 1.0}}),
            layer + "slope.to must be above from, 2, is 1");
  EXPECT_EQ(complaint({SlopeLayer{.angle = 0.1, .from = 0.0, .to = 1.0, .rounding = 2.0}}),
            layer + "slope.rounding must be at most the length of the ramp, 1, is 2");
  EXPECT_EQ(complaint({StairsLayer{.height = 0.1, .count = 2, .tread = 0.05}}),
            layer + "stairs.tread must be at least riser_width + rounding, 0.1, is 0.05");
  EXPECT_EQ(complaint({StairsLayer{.height = 0.1, .rounding = 0.2}}),
            layer + "stairs.rounding must be at most the width of a riser, 0.1, is 0.2");
  EXPECT_EQ(complaint({StairsLayer{.height = 0.1, .count = 0}}),
            layer + "stairs.count must lie in [1, 1e+06], is 0");
  EXPECT_EQ(complaint({ProfileLayer{{Vec2(0, 0)}}}),
            layer + "profile.points must have at least 2 points, has 1");
  EXPECT_EQ(complaint({ProfileLayer{{Vec2(0, 0), Vec2(0, 1)}}}),
            layer + "profile.points.1 must have a station above that of the point before, 0, is 0");
  // A layer that was read from a text tells its own place.
  EXPECT_EQ(complaint({NoiseLayer{.hurst = 2.0, .slope = 0.1}, {"s.toml", 9, 5}}),
            "s.toml:9:5: surface.layers.0.noise.hurst must lie in [0.01, 0.99], is 2");
}

TEST(FormulaLayer, IsItsFormulaFromTheCentre) {
  SurfaceDef def = surface_of({{FormulaLayer{"0.1*sin(2*x)*cos(y)"}}, {SlopeLayer{.angle = 0.0}}});
  def.center = Vec2(5.0, -3.0);
  const SurfaceHeight h = Surface(def).at(5.4, -2.3);
  const double rounding = 1e-15;
  EXPECT_NEAR(h.z, 0.1 * std::sin(0.8) * std::cos(0.7), rounding);
  EXPECT_NEAR(h.dx, 0.2 * std::cos(0.8) * std::cos(0.7), rounding);
  EXPECT_NEAR(h.dy, -0.1 * std::sin(0.8) * std::sin(0.7), rounding);
  EXPECT_NEAR(h.dxx, -0.4 * std::sin(0.8) * std::cos(0.7), rounding);
  EXPECT_NEAR(h.dxy, -0.2 * std::cos(0.8) * std::sin(0.7), rounding);
  EXPECT_NEAR(h.dyy, -0.1 * std::sin(0.8) * std::cos(0.7), rounding);
  const ElevationGrid grid = make_surface_grid(def);
  EXPECT_EQ(
      grid.height(3, 4),
      Surface(def).at(grid.origin.x() + 3 * grid.spacing, grid.origin.y() + 4 * grid.spacing).z);
}

TEST(FormulaLayer, BelongsToTheIdentityOfASurface) {
  const SurfaceDef one = surface_of({{FormulaLayer{"0.1*x"}}});
  const SurfaceDef other = surface_of({{FormulaLayer{"0.2*x"}}});
  const std::string text = parameter_table(&one).values(one).inline_text();
  EXPECT_TRUE(contains(text, "formula = { z = \"0.1*x\" }"));
  EXPECT_NE(text, parameter_table(&other).values(other).inline_text());
}

TEST(FormulaLayer, IsRefusedWithTheCharacter) {
  EXPECT_EQ(
      complaint({FormulaLayer{"0.1 x"}}),
      "s.toml:3:1: surface.layers.0.formula.z is no formula: at character 5, 'x': expected an "
      "operator (+ - * / ^) or the end");
  EXPECT_TRUE(contains(complaint({FormulaLayer{}}), "surface.layers.0.formula.z is no formula"));
  // Heights that are not finite are found when the grid is made.
  EXPECT_TRUE(contains(complaint({FormulaLayer{"1/x"}}), "finite"));
}

Value table_of(std::vector<Value::Entry> entries) {
  return Value(Value::Table(std::move(entries)), Place{"scene.toml", 3, 8});
}
Value::Entry entry(const std::string& key, Value value) {
  return {key, {"scene.toml", 4, 2}, std::move(value)};
}

TEST(SurfaceDef, IsReadAndWritten) {
  const Value noise = table_of({entry("slope", 0.08), entry("kind", "ridged")});
  const Value crater =
      table_of({entry("position", Value::Array{1.0, 2.0}), entry("diameter", 3.0)});
  const Value craters = table_of({entry("list", Value::Array{crater})});
  const Value profile =
      table_of({entry("points", Value::Array{Value::Array{0.0, 0.0}, Value::Array{1.0, 0.5}})});
  const Value text =
      table_of({entry("size", Value::Array{4, 3}), entry("spacing", 0.1),
                entry("layers", Value::Array{table_of({entry("noise", noise)}),
                                             table_of({entry("craters", craters)}),
                                             table_of({entry("profile", profile)})})});
  SurfaceDef def;
  parameter_table(&def).read(text, def, "surface");
  ASSERT_EQ(def.layers.size(), 3u);
  EXPECT_EQ(std::get<NoiseLayer>(def.layers[0].shape).kind, NoiseLayer::Kind::ridged);
  EXPECT_EQ(std::get<CraterLayer>(def.layers[1].shape).list[0].position, Vec2(1.0, 2.0));
  EXPECT_EQ(std::get<ProfileLayer>(def.layers[2].shape).points[1], Vec2(1.0, 0.5));
  EXPECT_EQ(def.layers[0].place.line, 3);

  // What is written is read again.
  def.layers[1] = {CraterLayer{.density = 0.01,
                               .min_diameter = 0.1,
                               .max_diameter = 1.0,
                               .list = {{Vec2(1.0, 2.0), 3.0, 0.5}}}};
  const Value values = parameter_table(&def).values(def);
  SurfaceDef again;
  parameter_table(&again).read(values, again, "surface");
  EXPECT_EQ(parameter_table(&again).values(again).inline_text(), values.inline_text());
  EXPECT_EQ(make_surface_grid(again).heights, make_surface_grid(def).heights);
}

TEST(SurfaceDef, ComplainsWithPlaceAndKey) {
  const auto refusal = [](Value layer) {
    const Value text = table_of({entry("size", Value::Array{4, 3}), entry("spacing", 0.1),
                                 entry("layers", Value::Array{std::move(layer)})});
    SurfaceDef def;
    return message_of<InputError>([&] { parameter_table(&def).read(text, def, "surface"); });
  };
  EXPECT_EQ(refusal(table_of({entry("nois", table_of({}))})),
            "scene.toml:4:2: unknown layer 'nois'; did you mean 'noise'?");
  EXPECT_EQ(refusal(table_of({})),
            "scene.toml:3:8: surface.layers.0 must have one key, the kind of layer (noise, file, "
            "profile, slope, stairs, craters, formula), has 0");
  EXPECT_TRUE(contains(refusal(table_of({entry("noise", table_of({}))})),
                       "scene.toml:3:8: surface.layers.0.noise.slope is missing"));
  EXPECT_TRUE(
      contains(refusal(table_of({entry("noise", table_of({entry("hrust", 0.5)}))})),
               "scene.toml:4:2: unknown key surface.layers.0.noise.hrust; did you mean 'hurst'?"));
}

TEST(SurfaceDef, RefusesAFormulaWhereItStands) {
  const Value layer = table_of(
      {entry("formula",
             table_of({{"z", {"scene.toml", 4, 2}, Value("sin(u)", Place{"scene.toml", 4, 6})}}))});
  EXPECT_EQ(message_of<InputError>([&] { read_surface_layer(layer, "layers.0"); }),
            "scene.toml:4:6: layers.0.formula.z: at character 5, 'u)': unknown name 'u'; the "
            "variables are x and y");
}

/// All texts that change one number, word or flag of a value.
void change_each(Value& root, Value& part, std::vector<std::string>& out) {
  if (part.is_table()) {
    for (Value::Entry& e : part.as_table()) change_each(root, e.value, out);
    return;
  }
  if (part.is_array()) {
    for (Value& e : part.as_array()) change_each(root, e, out);
    return;
  }
  const Value old = part;
  if (part.is_bool())
    part = Value(!part.as_bool());
  else if (part.is_integer())
    part = Value(part.as_integer() + 1);
  else if (part.is_number())
    part = Value(0.9375 * part.as_number() + 0.0078125);
  else
    return;  // words
  out.push_back(root.inline_text());
  part = old;
}

TEST(SurfaceDef, HasAllParametersInItsValues) {
  const SurfaceDef def = surface_of(smooth_layers());
  Value values = parameter_table(&def).values(def);
  std::vector<std::string> changed;
  change_each(values, values, changed);
  EXPECT_GT(changed.size(), 50u);
  const std::string original = parameter_table(&def).values(def).inline_text();
  for (const std::string& text : changed) EXPECT_NE(text, original);
  EXPECT_EQ(std::set<std::string>(changed.begin(), changed.end()).size(), changed.size());

  // Every key of every table is there.
  const Value& layers = *values.find("layers");
  for (const std::string& key : parameter_table(&def).keys()) EXPECT_TRUE(values.find(key)) << key;
  for (const Value& layer : layers.as_array()) {
    const Value::Entry& shape = layer.as_table().front();
    for (const ParameterInfo& info : surface_layer_parameters(shape.key))
      EXPECT_TRUE(shape.value.find(info.key)) << shape.key << "." << info.key;
  }
}

/// The heights, as a number.
std::uint64_t digest(const ElevationGrid& grid) {
  Hash hash;
  hash.add(grid.heights);
  return hash.digest();
}

// Each parameter that is read has an effect; those of words too.
TEST(SurfaceDef, ChangesWithEveryParameter) {
  const SurfaceDef def = surface_of(smooth_layers());
  std::set<std::uint64_t> digests = {digest(make_surface_grid(def))};
  std::size_t count = 1;
  const auto expect_new = [&](const SurfaceDef& changed, const std::string& what) {
    digests.insert(digest(make_surface_grid(changed)));
    EXPECT_EQ(digests.size(), ++count) << what;
  };
  SurfaceDef changed = def;
  changed.seed = 2;
  expect_new(changed, "seed");
  for (std::size_t i = 0; i < def.layers.size(); ++i) {
    Value values = surface_layer_values(def.layers[i]);
    for (Value::Entry& e : values.as_table().front().value.as_table()) {
      // Those of a plane have no ramp, those of craters have no list, and shortest = 0.47 keeps
      // the octaves of 0.5.
      if (!e.value.is_number() || e.value.as_number() == 0.0 || e.key == "shortest") continue;
      const Value old = e.value;
      e.value = old.is_integer() ? Value(old.as_integer() + 1) : Value(0.9375 * old.as_number());
      changed = def;
      changed.layers[i] = read_surface_layer(values, "layer");
      expect_new(changed, surface_layer_name(def.layers[i]) + "." + e.key);
      e.value = old;
    }
  }
}

// The bits of surfaces are their promise: these numbers may change only together with
// kSurfaceVersion.
TEST(Surface, HasTheSameBitsEverywhere) {
  EXPECT_EQ(kSurfaceVersion, 1);
  EXPECT_EQ(digest(make_surface_grid(surface_of({{NoiseLayer{.slope = 0.1}}}))),
            2955948007237622264u);
  EXPECT_EQ(digest(make_surface_grid(surface_of(smooth_layers()))), 14362114490604733378u);
}

}  // namespace
}  // namespace grouser
