// What the answers of a world depend on, as one number.
#include "grouser/contact/model_set.h"
#include "grouser/shape/convex_surface.h"

namespace grouser {
namespace {

void add(Hash& hash, const Vec3& x) {
  hash.add(std::span(x.data(), 3));
}
void add(Hash& hash, const Pose& X) {
  hash.add(std::span(X.R.data(), 9));
  add(hash, X.p);
}
template <class Item>
void add_bytes(Hash& hash, const std::vector<Item>& items) {
  static_assert(std::has_unique_object_representations_v<Item> || sizeof(Item) % 8 == 0);
  hash.add(checksum(std::as_bytes(std::span(items))));
}
void add(Hash& hash, const TriangleMesh& mesh) {
  add_bytes(hash, mesh.vertices);
  add_bytes(hash, mesh.triangles);
  add_bytes(hash, mesh.groups);
  for (const std::string& name : mesh.group_names) hash.add(name);
}

void add(Hash&, const std::monostate&) {}
void add(Hash& hash, const MeshShape& shape) {
  add(hash, *shape.mesh);
}
void add(Hash& hash, const SphereShape& shape) {
  hash.add(shape.radius);
}
void add(Hash&, const HalfSpaceShape&) {}
void add(Hash& hash, const ConvexBody& body) {
  for (const ConvexPiece& piece : body.pieces) {
    add(hash, piece.X_SP);
    if (piece.surface) {
      add(hash, piece.surface->mesh());
      continue;
    }
    hash.add(std::uint64_t{static_cast<std::uint8_t>(piece.shape.kind)});
    add(hash, piece.shape.half_size);
    hash.add(piece.shape.radius);
    if (piece.shape.hull) add_bytes(hash, piece.shape.hull->vertices);
  }
}
void add(Hash& hash, const ElementShape& shape) {
  hash.add(std::uint64_t{shape.index()});
  std::visit(
      [&](const auto& element) {
        hash.add(parameter_table(&element).values(element).inline_text());
        if constexpr (requires { element.points; }) add_bytes(hash, element.points);
      },
      shape);
}
/// A surface is known by where its cells are and how they slope, and by what is said beyond its
/// borders.
void add(Hash& hash, const SmoothShape& shape) {
  hash.add(shape.kind);
  std::vector<double> row;
  for (const SmoothSurface::Grid& grid : shape.surface->grids()) {
    const double du = (grid.u1 - grid.u0) / grid.nu, dv = (grid.v1 - grid.v0) / grid.nv;
    for (int j = -1; j <= grid.nv; ++j) {
      row = {grid.u0, grid.u1, grid.v0, grid.v1};
      for (int i = -1; i <= grid.nu; ++i) {
        const SurfaceCoordinates x{grid.u0 + (i + 0.5) * du, grid.v0 + (j + 0.5) * dv, grid.chart};
        const SurfaceCoordinates same = shape.surface->recharted(x);
        const SurfaceJet jet = shape.surface->at(x);
        for (const Vec3& vector : {jet.p, jet.fu, jet.fv})
          row.insert(row.end(), vector.data(), vector.data() + 3);
        row.insert(row.end(), {same.u, same.v, static_cast<double>(same.chart),
                               static_cast<double>(jet.status)});
      }
      add_bytes(hash, row);
    }
  }
}

}  // namespace

std::uint64_t ContactModelSet::definition_hash() const {
  std::call_once(hashed_, [this] {
    Hash hash;
    hash.add(shapes_.gravity());
    for (const MaterialDef& material : shapes_.materials())
      hash.add(material_parameters().values(material).inline_text());
    for (const ShapeDef& shape : shapes_.shapes()) {
      for (const std::string& name : {shape.name, shape.body, shape.material}) hash.add(name);
      add(hash, shape.X_BS);
      hash.add(std::uint64_t{shape.geometry.index()});
      std::visit([&](const auto& geometry) { add(hash, geometry); }, shape.geometry);
    }
    for (const auto& soil : shapes_.soils()) {
      hash.add(soil->name);
      soil->add_to(hash);
    }
    for (const Contact& contact : contacts_) {
      hash.add(contact.name);
      hash.add(contact.model_name);
      hash.add(contact.def->values().inline_text());
    }
    hash_ = hash.digest();
  });
  return hash_;
}

}  // namespace grouser
