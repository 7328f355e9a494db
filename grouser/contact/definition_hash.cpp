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
/// A surface is known by how it looks and bends.
void add(Hash& hash, const SmoothShape& shape) {
  hash.add(shape.kind);
  add(hash, shape.surface->mesh());
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
