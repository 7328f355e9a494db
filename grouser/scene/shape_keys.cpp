#include "grouser/scene/shape_keys.h"

#include "grouser/base/assert.h"
#include "grouser/scene/mesh_source.h"

namespace grouser {
namespace {

Geometry read_mesh(const Value& value, const std::string& path, const std::string& folder) {
  return MeshShape{read_mesh_source(value, path, folder)};
}

Geometry read_sphere(const Value& value, const std::string& path, const std::string&) {
  return read_as(sphere_parameters(), value, path);
}

Geometry read_half_space(const Value&, const std::string&, const std::string&) {
  return HalfSpaceShape{};
}

std::vector<ParameterInfo> none() {
  return {};
}

constexpr ShapeKey kPlain[] = {
    {"mesh", "table", "a triangle mesh: file = \"...\" or a generator, and what is done with it",
     read_mesh, none},
    {"sphere", "table", "a sphere: radius [m]; 0: a point, for contact elements", read_sphere,
     none},
    {"half_space", "boolean", "everything below z = 0 of the shape frame", read_half_space, none}};

}  // namespace

const std::vector<ShapeKey>& shape_keys() {
  static const std::vector<ShapeKey> all = [] {
    std::vector<ShapeKey> out;
    for (const std::span<const ShapeKey> family :
         {std::span<const ShapeKey>(kPlain), convex_keys(), element_keys(), smooth_keys()})
      out.insert(out.end(), family.begin(), family.end());
    GROUSER_ASSERT(element_keys().size() == std::variant_size_v<ElementShape>);
    return out;
  }();
  return all;
}

}  // namespace grouser
