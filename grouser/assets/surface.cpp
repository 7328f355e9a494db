#include "grouser/assets/surface.h"

#include <cmath>
#include <filesystem>

#include "grouser/assets/noise.h"
#include "grouser/assets/surface_field.h"
#include "grouser/base/text.h"
#include "grouser/map/elevation_file.h"
#include "grouser/map/elevation_mesh.h"

namespace grouser {
namespace {

using parameters_detail::joined;

void read_layers(const Value& value, SurfaceDef& out, const std::string& path) {
  const Value::Array& entries = value.array_or_throw(path);
  out.layers.clear();
  for (std::size_t i = 0; i < entries.size(); ++i)
    out.layers.push_back(read_surface_layer(entries[i], joined(path, std::to_string(i))));
}
Value write_layers(const SurfaceDef& in) {
  Value::Array out;
  for (const SurfaceLayer& layer : in.layers) out.push_back(surface_layer_values(layer));
  return out;
}

/// Nodes along x and y, in numbers that hold any size.
Vec2 node_counts(const SurfaceDef& definition) {
  // A size that is a multiple of the spacing, but for rounding, needs no further cell.
  return (definition.size / definition.spacing - Vec2::Constant(1e-9)).array().ceil() + 1.0;
}

void require_sound(const SurfaceDef& definition, const Place& place, const std::string& path) {
  parameter_table(&definition).check(definition, place, path);
  const double shorter = definition.size.minCoeff();
  if (definition.spacing > shorter)
    throw InputError(place, joined(path, "spacing") + " must be at most the shorter side, " +
                                to_text(shorter) + ", is " + to_text(definition.spacing));
  const double farthest = (definition.center.cwiseAbs() + 0.5 * definition.size).maxCoeff();
  if (farthest > 1e12 * definition.spacing)
    throw InputError(place, joined(path, "spacing") + " must be at least " +
                                to_text(1e-12 * farthest, 3) + " for coordinates of " +
                                to_text(farthest) + ", is " + to_text(definition.spacing));
  if (definition.layers.empty())
    throw InputError(place, joined(path, "layers") + " must not be empty; known are " +
                                join(surface_layer_names()));
}

void require_affordable(const SurfaceDef& definition, const Place& place, const std::string& path) {
  const Vec2 counts = node_counts(definition);
  const double nodes = counts.x() * counts.y();
  if (!(nodes <= kMostSurfaceNodes))
    throw InputError(
        place, path + " would have about " + to_text(nodes, 3) + " nodes, at most " +
                   to_text(kMostSurfaceNodes, 3) + " are allowed; the least spacing is about " +
                   to_text(definition.spacing * std::sqrt(nodes / kMostSurfaceNodes), 2));
}

std::string key_of_layer(const std::string& path, std::size_t i) {
  return joined(joined(path, "layers"), std::to_string(i));
}

void require_finite(std::span<const double> x, double y, std::span<const double> z, std::size_t row,
                    const Place& place, const std::string& path) {
  for (std::size_t i = 0; i < z.size(); ++i)
    if (!std::isfinite(z[i]))
      throw InputError(place, path + " must have finite heights, is " + to_text(z[i]) +
                                  " at node (" + std::to_string(i) + ", " + std::to_string(row) +
                                  "), x = " + to_text(x[i]) + ", y = " + to_text(y));
}

void add(SurfaceHeight& sum, const SurfaceHeight& part) {
  sum.z += part.z;
  sum.dx += part.dx, sum.dy += part.dy;
  sum.dxx += part.dxx, sum.dxy += part.dxy, sum.dyy += part.dyy;
  sum.inside = sum.inside && part.inside;
  sum.known = sum.known && part.known;
}

}  // namespace

const ParameterTable<SurfaceDef>& parameter_table(const SurfaceDef*) {
  using Def = SurfaceDef;
  static const auto table =
      ParameterTable<Def>()
          .vector2("size", &Def::size, "m", "along x and y", positive())
          .number("spacing", &Def::spacing, "m", positive(), "of the nodes of grid and mesh")
          .vector2("center", &Def::center, "m", "of the surface, x and y")
          .integer("seed", &Def::seed, non_negative(), "of noise and craters")
          .number("depth", &Def::depth, "m", non_negative(),
                  "of a closed mesh below its lowest point; 0: a sheet")
          .custom("layers", "list of tables", read_layers,
                  "what is added up: " + join(surface_layer_names()), true, "", write_layers);
  return table;
}

void load_files(SurfaceDef& definition, const std::string& folder, const std::string& path) {
  for (std::size_t i = 0; i < definition.layers.size(); ++i) {
    SurfaceLayer& layer = definition.layers[i];
    auto* file = std::get_if<FileLayer>(&layer.shape);
    if (!file || file->map) continue;
    const std::string key = key_of_layer(path, i);
    check_surface_layer(layer, layer.place, key);
    file->file = (std::filesystem::path(folder) / file->file).string();
    auto map = std::make_shared<const ElevationGrid>(read_elevation_file(file->file));
    const std::string content = elevation_fingerprint(*map);
    if (!file->content.empty() && file->content != content)
      throw InputError(layer.place, joined(key, "file.content") + " must be that of the map, " +
                                        content + ", is " + file->content);
    file->content = content;
    file->map = std::move(map);
  }
}

Surface::Surface(const SurfaceDef& definition, const Place& place, const std::string& path) {
  require_sound(definition, place, path);
  lower_ = definition.center - 0.5 * definition.size;
  upper_ = definition.center + 0.5 * definition.size;
  for (std::size_t i = 0; i < definition.layers.size(); ++i) {
    const SurfaceLayer& layer = definition.layers[i];
    const std::string key = key_of_layer(path, i);
    LayerContext context;
    context.lower = lower_, context.upper = upper_;
    context.center = definition.center;
    context.spacing = definition.spacing;
    context.seed = seed_of_part(static_cast<std::uint64_t>(definition.seed), i);
    context.place = layer.place.known() ? layer.place : place;
    context.path = joined(key, surface_layer_name(layer));
    check_surface_layer(layer, context.place, key);
    fields_.push_back(
        std::visit([&](const auto& shape) { return make_field(shape, context); }, layer.shape));
  }
}

Surface::~Surface() = default;
Surface::Surface(Surface&&) noexcept = default;
Surface& Surface::operator=(Surface&&) noexcept = default;

SurfaceHeight Surface::at(double x, double y) const {
  SurfaceHeight sum;
  for (const auto& field : fields_) add(sum, field->at(x, y));
  sum.inside =
      sum.inside && x >= lower_.x() && y >= lower_.y() && x <= upper_.x() && y <= upper_.y();
  return sum;
}

void Surface::heights(std::span<const double> x, double y, std::span<double> z) const {
  for (double& height : z) height = 0.0;
  for (const auto& field : fields_) field->add_row(x, y, z);
}

ElevationGrid make_surface_grid(const SurfaceDef& definition, const Place& place,
                                const std::string& path, const Progress& progress) {
  require_sound(definition, place, path);
  require_affordable(definition, place, path);
  const Surface surface(definition, place, path);

  ElevationGrid grid;
  grid.origin = surface.lower();
  grid.spacing = definition.spacing;
  grid.nx = static_cast<std::size_t>(node_counts(definition).x());
  grid.ny = static_cast<std::size_t>(node_counts(definition).y());
  grid.heights.resize(grid.nx * grid.ny);
  std::vector<double> x(grid.nx);
  for (std::size_t i = 0; i < grid.nx; ++i)
    x[i] = grid.origin.x() + grid.spacing * static_cast<double>(i);
  for (std::size_t j = 0; j < grid.ny; ++j) {
    const double y = grid.origin.y() + grid.spacing * static_cast<double>(j);
    const std::span<double> z = std::span(grid.heights).subspan(j * grid.nx, grid.nx);
    surface.heights(x, y, z);
    require_finite(x, y, z, j, place, path);
    if (progress) progress(static_cast<double>(j + 1) / static_cast<double>(grid.ny));
  }
  return grid;
}

TriangleMesh make_surface_mesh(const SurfaceDef& definition, const Place& place,
                               const std::string& path, const Progress& progress) {
  require_sound(definition, place, path);
  const Vec2 cells = node_counts(definition) - Vec2::Ones();
  const double triangles = 2.0 * cells.x() * cells.y();
  if (!(triangles <= kMostTriangles))
    throw InputError(place,
                     path + " would have about " + to_text(triangles, 3) + " triangles, at most " +
                         to_text(kMostTriangles, 3) + " are allowed; the least spacing is about " +
                         to_text(definition.spacing * std::sqrt(triangles / kMostTriangles), 2));
  const ElevationGrid grid = make_surface_grid(definition, place, path, progress);
  return make_elevation_mesh(grid, definition.depth, place, path);
}

}  // namespace grouser
