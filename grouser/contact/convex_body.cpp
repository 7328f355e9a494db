#include "grouser/contact/convex_body.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/contact/mesh_source.h"
#include "grouser/contact/world_def.h"
#include "grouser/geometry/mass_properties.h"
#include "grouser/geometry/mesh_shapes.h"

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

/// Parameters read from the scene.
template <class Def>
Def read_as(const ParameterTable<Def>& table, const Value& value, const std::string& path) {
  Def def;
  table.read(value, def, path);
  return def;
}

ConvexBody single(std::string kind, ConvexShape shape) {
  return {std::move(kind), {{std::move(shape), {}}}};
}

ConvexBody read_box(const Value& value, const std::string& path, const std::string&) {
  return single("box", ConvexShape::box(read_as(box_parameters(), value, path).size));
}

ConvexBody read_ellipsoid(const Value& value, const std::string& path, const std::string&) {
  return single("ellipsoid",
                ConvexShape::ellipsoid(read_as(ellipsoid_parameters(), value, path).half_axes));
}

ConvexBody read_cylinder(const Value& value, const std::string& path, const std::string&) {
  const RoundDef def = read_as(round_parameters(), value, path);
  return single("cylinder", ConvexShape::cylinder(def.radius, def.length));
}

ConvexBody read_capsule(const Value& value, const std::string& path, const std::string&) {
  const RoundDef def = read_as(round_parameters(), value, path);
  return single("capsule", ConvexShape::capsule(def.radius, def.length));
}

ConvexBody read_cone(const Value& value, const std::string& path, const std::string&) {
  const RoundDef def = read_as(round_parameters(), value, path);
  return single("cone", ConvexShape::cone(def.radius, def.length));
}

ConvexBody read_hull(const Value& value, const std::string& path, const std::string& folder) {
  const std::shared_ptr<const TriangleMesh> mesh = read_mesh_source(value, path, folder);
  try {
    return single("hull", ConvexShape::from_hull(make_convex_hull(mesh->vertices, path)));
  } catch (const InputError& error) {
    throw InputError(value.place(), error.what());
  }
}

ConvexBody read_wheel(const Value& value, const std::string& path, const std::string&) {
  return make_convex_wheel(read_as(wheel_parameters(), value, path));
}

ConvexBody read_surface(const Value& value, const std::string& path, const std::string& folder) {
  const std::shared_ptr<const ElevationGrid> grid = read_map_source(value, path, folder, true);
  ConvexPiece piece;
  try {
    piece.surface = std::make_shared<const ConvexSurface>(*grid);
  } catch (const InputError& error) {
    throw InputError(value.place(), path + ": " + error.what());
  }
  return {"surface", {std::move(piece)}};
}

ConvexBody read_compound(const Value& value, const std::string& path, const std::string& folder);

using Key = ConvexKey;
const std::array kKeys = {
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
        [] { return mesh_parameter_infos(); }},
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
  for (const ConvexKey& key : kKeys)
    table.custom(
        std::string(key.name), std::string(key.kind),
        [&key, folder](const Value& v, CompoundEntry& out, const std::string& path) {
          out.body = key.read(v, path, folder);
          ++out.kinds;
        },
        std::string(key.meaning));
  return table;
}

ConvexBody read_compound(const Value& value, const std::string& path, const std::string& folder) {
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

/// The surface of a piece, in its own frame.
TriangleMesh mesh_of_piece(const ConvexShape& shape) {
  switch (shape.kind) {
    case ConvexKind::sphere:
      return make_sphere({shape.radius, 1280});
    case ConvexKind::capsule:
      return make_capsule({shape.radius, 2.0 * shape.half_size.z(), 32});
    case ConvexKind::ellipsoid:
      return make_ellipsoid({shape.half_size, 980});
    case ConvexKind::cylinder:
      return make_cylinder({shape.radius, 2.0 * shape.half_size.z(), 48});
    case ConvexKind::cone:
      return make_cone({shape.radius, 0.0, 2.0 * shape.half_size.z(), 48});
    case ConvexKind::half_space:
      return {};
    default:
      return mesh_of(*shape.hull);
  }
}

}  // namespace

std::span<const ConvexKey> convex_keys() {
  return kKeys;
}

ConvexBody make_convex_wheel(const ConvexWheelDef& def) {
  // The cylinder's axis z becomes the wheel's axis y.
  const Mat3 to_y = Eigen::AngleAxisd(-0.5 * kPi, Vec3::UnitX()).toRotationMatrix();
  ConvexBody out{"wheel", {{ConvexShape::cylinder(def.radius, def.width), {to_y, Vec3::Zero()}}}};
  // Grousers stand in the rim as deep as beyond it, so that their foot has no gap at its sides.
  const double depth = std::min(def.grouser_height, 0.5 * def.radius);
  const Vec3 size(def.grouser_thickness, def.width, def.grouser_height + depth);
  for (int i = 0; i < def.grouser_count; ++i) {
    const double angle = 2.0 * kPi * i / def.grouser_count;
    const Mat3 turn = Eigen::AngleAxisd(angle, Vec3::UnitY()).toRotationMatrix();
    const double middle = def.radius + 0.5 * (def.grouser_height - depth);
    out.pieces.push_back({ConvexShape::box(size), {turn, turn * Vec3(0.0, 0.0, middle)}});
  }
  return out;
}

void require_sound(const ConvexBody& body, const Place& place, const std::string& what) {
  if (body.pieces.empty()) throw InputError(place, what + " has no pieces");
  for (const ConvexPiece& piece : body.pieces) {
    if (piece.surface) continue;
    const ConvexShape& shape = piece.shape;
    const auto positive_number = [](double x) { return std::isfinite(x) && x > 0.0; };
    bool sound = piece.X_SP.R.allFinite() && piece.X_SP.p.allFinite();
    switch (shape.kind) {
      case ConvexKind::box:
      case ConvexKind::hull:
        sound = sound && shape.hull;
        if (shape.kind == ConvexKind::box)
          sound = sound && shape.half_size.allFinite() && shape.half_size.minCoeff() > 0.0;
        break;
      case ConvexKind::ellipsoid:
        sound = sound && shape.half_size.allFinite() && shape.half_size.minCoeff() > 0.0;
        break;
      case ConvexKind::sphere:
        sound = sound && positive_number(shape.radius);
        break;
      case ConvexKind::half_space:
        break;
      default:
        sound = sound && positive_number(shape.radius) && positive_number(shape.half_size.z());
    }
    if (!sound)
      throw InputError(place,
                       what + ": a " +
                           std::string(kConvexKindNames[static_cast<std::size_t>(shape.kind)]) +
                           " has a size that is no positive number");
  }
}

namespace {

MassProperties mass_of_piece(const ConvexShape& shape, double density, const std::string& what) {
  const double length = 2.0 * shape.half_size.z();
  switch (shape.kind) {
    case ConvexKind::sphere:
      return sphere_mass_properties(shape.radius, density);
    case ConvexKind::capsule:
      return capsule_mass_properties(shape.radius, length, density);
    case ConvexKind::ellipsoid:
      return ellipsoid_mass_properties(shape.half_size, density);
    case ConvexKind::cylinder:
      return cylinder_mass_properties(shape.radius, length, density);
    case ConvexKind::cone:
      return cone_mass_properties(shape.radius, 0.0, length, density);
    case ConvexKind::half_space:
      throw InputError(what + ": a half-space has no mass");
    default:
      return mass_properties(mesh_of(*shape.hull), density, what);
  }
}

}  // namespace

MassProperties mass_properties(const ConvexBody& body, double density, const std::string& what) {
  MassProperties out;
  for (const ConvexPiece& piece : body.pieces) {
    if (piece.surface) throw InputError(what + ": a surface has no mass");
    out = joined(out, placed(mass_of_piece(piece.shape, density, what), piece.X_SP));
  }
  return out;
}

TriangleMesh mesh_of(const ConvexBody& body) {
  TriangleMesh out;
  for (const ConvexPiece& piece : body.pieces) {
    const TriangleMesh mesh = piece.surface ? piece.surface->mesh() : mesh_of_piece(piece.shape);
    const auto first = static_cast<std::int32_t>(out.vertices.size());
    for (const Vec3& vertex : mesh.vertices) out.vertices.push_back(piece.X_SP * vertex);
    for (const auto& t : mesh.triangles)
      out.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return out;
}

}  // namespace grouser
