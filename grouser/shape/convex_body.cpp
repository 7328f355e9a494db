#include "grouser/shape/convex_body.h"

#include <algorithm>
#include <cmath>

#include "grouser/mesh/mass_properties.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/shape/convex_surface.h"

namespace grouser {
namespace {

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
    case ConvexKind::box:
    case ConvexKind::hull:
      return mesh_of(*shape.hull);
    case ConvexKind::half_space:
      break;
  }
  return {};
}

}  // namespace

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
    case ConvexKind::box:
    case ConvexKind::hull:
      return mass_properties(mesh_of(*shape.hull), density, what);
    case ConvexKind::half_space:
      break;
  }
  throw InputError(what + ": a half-space has no mass");
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
