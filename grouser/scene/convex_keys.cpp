// Shapes made of convex pieces.
#include <array>

#include "grouser/base/text.h"
#include "grouser/scene/mesh_source.h"
#include "grouser/scene/placement.h"
#include "grouser/scene/shape_keys.h"
#include "grouser/shape/convex_surface.h"

namespace grouser {
namespace {

struct BoxDef {
  Vec3 size = Vec3::Constant(kRequired);
};
struct EllipsoidDef {
  Vec3 half_axes = Vec3::Constant(kRequired);
};
/// Cylinder, capsule and cone, along z.
struct RoundDef {
  double radius = kRequired;
  double length = kRequired;
};

const ParameterTable<BoxDef>& box_parameters() {
  static const auto table = ParameterTable<BoxDef>().vector3("size", &BoxDef::size, "m",
                                                             "edges along x, y and z", positive());
  return table;
}

const ParameterTable<EllipsoidDef>& ellipsoid_parameters() {
  static const auto table = ParameterTable<EllipsoidDef>().vector3(
      "half_axes", &EllipsoidDef::half_axes, "m", "along x, y and z", positive());
  return table;
}

const ParameterTable<RoundDef>& round_parameters() {
  static const auto table =
      ParameterTable<RoundDef>()
          .number("radius", &RoundDef::radius, "m", positive(), "of the cylinder, or the base")
          .number("length", &RoundDef::length, "m", positive(),
                  "along z; of a capsule between the centres of its ends");
  return table;
}

const ParameterTable<ConvexWheelDef>& wheel_parameters() {
  using Def = ConvexWheelDef;
  static const auto table =
      ParameterTable<Def>()
          .number("radius", &Def::radius, "m", positive(), "of the rim, without grousers")
          .number("width", &Def::width, "m", positive(), "along the axis y")
          .integer("grouser_count", &Def::grouser_count, within(0, 1000), "boxes across the rim")
          .number("grouser_height", &Def::grouser_height, "m", positive(), "beyond the rim")
          .number("grouser_thickness", &Def::grouser_thickness, "m", positive(),
                  "along the circumference");
  return table;
}

ConvexBody single(std::string kind, ConvexShape shape) {
  return {std::move(kind), {{std::move(shape), {}}}};
}

Geometry read_box(const Value& value, const std::string& path, const std::string&) {
  return single("box", ConvexShape::box(read_as(box_parameters(), value, path).size));
}

Geometry read_ellipsoid(const Value& value, const std::string& path, const std::string&) {
  return single("ellipsoid",
                ConvexShape::ellipsoid(read_as(ellipsoid_parameters(), value, path).half_axes));
}

Geometry read_cylinder(const Value& value, const std::string& path, const std::string&) {
  const RoundDef def = read_as(round_parameters(), value, path);
  return single("cylinder", ConvexShape::cylinder(def.radius, def.length));
}

Geometry read_capsule(const Value& value, const std::string& path, const std::string&) {
  const RoundDef def = read_as(round_parameters(), value, path);
  return single("capsule", ConvexShape::capsule(def.radius, def.length));
}

Geometry read_cone(const Value& value, const std::string& path, const std::string&) {
  const RoundDef def = read_as(round_parameters(), value, path);
  return single("cone", ConvexShape::cone(def.radius, def.length));
}

Geometry read_hull(const Value& value, const std::string& path, const std::string& folder) {
  const std::shared_ptr<const TriangleMesh> mesh = read_mesh_source(value, path, folder);
  try {
    return single("hull", ConvexShape::from_hull(make_convex_hull(mesh->vertices, path)));
  } catch (const InputError& error) {
    throw InputError(value.place(), error.what());
  }
}

Geometry read_wheel(const Value& value, const std::string& path, const std::string&) {
  return make_convex_wheel(read_as(wheel_parameters(), value, path));
}

Geometry read_surface(const Value& value, const std::string& path, const std::string& folder) {
  const std::shared_ptr<const ElevationGrid> grid = read_map_source(value, path, folder, true);
  ConvexPiece piece;
  try {
    piece.surface = std::make_shared<const ConvexSurface>(*grid);
  } catch (const InputError& error) {
    throw InputError(value.place(), path + ": " + error.what());
  }
  return ConvexBody{"surface", {std::move(piece)}};
}

Geometry read_compound(const Value& value, const std::string& path, const std::string& folder);

using Key = ShapeKey;
const std::array kConvexKeys = {
    Key{"box", "table", "a box: size", read_box, [] { return box_parameters().infos(); }},
    Key{"cylinder", "table", "a cylinder about z: radius, length", read_cylinder,
        [] { return round_parameters().infos(); }},
    Key{"capsule", "table", "a cylinder about z with half spheres as ends: radius, length",
        read_capsule, [] { return round_parameters().infos(); }},
    Key{"cone", "table", "a cone about z, its base at -length / 2: radius, length", read_cone,
        [] { return round_parameters().infos(); }},
    Key{"ellipsoid", "table", "an ellipsoid: half_axes", read_ellipsoid,
        [] { return ellipsoid_parameters().infos(); }},
    Key{"hull", "table", "the convex hull of a mesh, with the keys of `mesh`", read_hull,
        [] { return std::vector<ParameterInfo>(); }},
    Key{"wheel", "table", "a cylinder about y with boxes as grousers", read_wheel,
        [] { return wheel_parameters().infos(); }},
    Key{"surface", "table",
        "an elevation map as convex cells: file = \"...\", or a surface = { ... } of the generator",
        read_surface, [] { return std::vector<ParameterInfo>(); }},
    Key{"compound", "list of tables",
        "several of these or spheres, each with position, rpy or quaternion of its own",
        read_compound, [] { return std::vector<ParameterInfo>(); }},
};

/// One entry of a compound: one of the keys above, and its place.
struct CompoundEntry {
  PlacementDef placement;
  ConvexBody body;
  int kinds = 0;
};

ParameterTable<CompoundEntry> compound_parameters(const std::string& folder) {
  ParameterTable<CompoundEntry> table;
  add_placement(table, &CompoundEntry::placement);
  table.custom(
      "sphere", "table",
      [](const Value& v, CompoundEntry& out, const std::string& path) {
        const SphereShape sphere = read_as(sphere_parameters(), v, path);
        if (!(sphere.radius > 0.0))
          throw InputError(v.place(), path + ".radius must be positive, is 0");
        out.body = single("sphere", ConvexShape::sphere(sphere.radius));
        ++out.kinds;
      },
      "a sphere: radius");
  for (const ShapeKey& key : kConvexKeys)
    table.custom(
        std::string(key.name), std::string(key.kind),
        [&key, folder](const Value& v, CompoundEntry& out, const std::string& path) {
          out.body = std::get<ConvexBody>(key.read(v, path, folder));
          ++out.kinds;
        },
        std::string(key.meaning));
  return table;
}

Geometry read_compound(const Value& value, const std::string& path, const std::string& folder) {
  ConvexBody out{"compound", {}};
  const ParameterTable<CompoundEntry> table = compound_parameters(folder);
  parameters_detail::read_entries(value, path, [&](const Value& entry, const std::string& item) {
    CompoundEntry part;
    table.read(entry, part, item);
    if (part.kinds != 1)
      throw InputError(entry.place(), item + " needs exactly one kind of body; it has " +
                                          std::to_string(part.kinds));
    const Pose X_SE = part.placement.pose();
    for (ConvexPiece& piece : part.body.pieces)
      out.pieces.push_back({std::move(piece.shape), X_SE * piece.X_SP, piece.surface});
  });
  if (out.pieces.empty()) throw InputError(value.place(), path + " has no bodies in it");
  return out;
}

}  // namespace

std::span<const ShapeKey> convex_keys() {
  return kConvexKeys;
}

}  // namespace grouser
