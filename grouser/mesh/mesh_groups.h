// Named groups of triangles: giving them numbers, and counting them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// Numbers names in the order in which they are first asked for.
class GroupNumbers {
 public:
  std::int32_t number_of(std::string_view name);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;  // looked up, never iterated
};

struct MeshGroup {
  std::string name;
  std::size_t triangles = 0;
  double area = 0.0;  ///< [m^2]
};
/// One per name, in the order of the names; none if the mesh has no groups.
std::vector<MeshGroup> summarize_groups(const TriangleMesh& mesh);

}  // namespace grouser
