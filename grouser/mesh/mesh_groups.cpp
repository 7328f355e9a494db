#include "grouser/mesh/mesh_groups.h"

#include "grouser/base/assert.h"

namespace grouser {

std::int32_t GroupNumbers::number_of(std::string_view name) {
  const auto [entry, is_new] =
      numbers_.try_emplace(std::string(name), static_cast<std::int32_t>(names_.size()));
  if (is_new) names_.emplace_back(name);
  return entry->second;
}

std::vector<MeshGroup> summarize_groups(const TriangleMesh& mesh) {
  std::vector<MeshGroup> out;
  for (const std::string& name : mesh.group_names) out.push_back({name, 0, 0.0});
  GROUSER_ASSERT(mesh.groups.empty() || mesh.groups.size() == mesh.triangle_count());
  for (std::size_t t = 0; t < mesh.groups.size(); ++t) {
    GROUSER_ASSERT(static_cast<std::size_t>(mesh.groups[t]) < out.size());
    MeshGroup& group = out[static_cast<std::size_t>(mesh.groups[t])];
    ++group.triangles;
    group.area += face_of(mesh, t).area;
  }
  return out;
}

}  // namespace grouser
