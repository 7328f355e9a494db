// Core's side of the door to assimp; mesh_gltf.cpp is the other.
#include "grouser/mesh/assimp_door.h"

#include "grouser/mesh/mesh_formats.h"
#include "grouser/mesh/mesh_groups.h"

namespace grouser::mesh_formats {
namespace {

const AssimpTable& assimp(const TextFile& text, const std::string& format) {
  const OpenedPlugin plugin = open_plugin(AssimpTable::kName, AssimpTable::kVersion);
  if (!plugin.table)
    throw InputError(text.place(),
                     "this build of grouser cannot read " + format +
                         " files; install assimp (libassimp-dev) and build with "
                         "-DGROUSER_WITH_ASSIMP=ON, or use an OBJ, PLY or STL file (" +
                         plugin.why_not + ")");
  return *static_cast<const AssimpTable*>(plugin.table);
}

/// GLB is a header of 12 bytes that tells the size of the file, then chunks that tell theirs.
void require_whole_glb(const TextFile& text) {
  const std::string& bytes = text.bytes;
  if (bytes.size() < 12)
    throw InputError(text.place(), "the file is cut off inside its GLB header");
  const std::size_t promised = unsigned_at(bytes, 8);
  if (promised != bytes.size())
    throw InputError(text.place(), std::string("the file is ") +
                                       (bytes.size() < promised ? "cut off" : "too long") +
                                       ": its GLB header promises " + std::to_string(promised) +
                                       " bytes, it has " + std::to_string(bytes.size()));
  std::size_t chunk = 12;
  while (chunk + 8 <= bytes.size()) chunk += 8 + std::size_t{unsigned_at(bytes, chunk)};
  if (chunk != bytes.size())
    throw InputError(text.place(), "the sizes of its GLB chunks do not add up to the file's");
}

/// The mesh that assimp reads.
struct Reading : PluginCall {
  Place place;
  TriangleMesh mesh;
  GroupNumbers numbers;

  static PluginAnswer take(void* self, const AssimpPart* part) {
    auto& to = *static_cast<Reading*>(self);
    return to.guarded([&] { to.add(*part); });
  }

  void add(const AssimpPart& part) {
    const std::size_t first = mesh.vertices.size();
    require_countable(first + part.vertex_count, place);
    const auto base = static_cast<std::int32_t>(first);
    for (std::size_t v = 0; v < part.vertex_count; ++v) {
      const double* p = part.vertices + 3 * v;
      mesh.vertices.emplace_back(p[0], p[1], p[2]);
    }
    for (std::size_t t = 0; t < part.triangle_count; ++t) {
      const std::int32_t* corners = part.triangles + 3 * t;
      mesh.triangles.push_back({base + corners[0], base + corners[1], base + corners[2]});
    }
    if (part.triangle_count == 0) return;
    const std::string_view name = part.name;
    mesh.groups.resize(mesh.triangles.size(),
                       numbers.number_of(name.empty() ? kUnnamedGroup : name));
  }
};

TriangleMesh read(const AssimpTable& table, const TextFile& text, bool is_collada) {
  Reading reading;
  reading.place = text.place();
  const AssimpPartTaker taker{&reading, Reading::take};
  reading.require(table.read(text.path.c_str(), is_collada, &taker, reading.errors()));
  if (reading.numbers.names().size() < 2)
    reading.mesh.groups.clear();
  else
    reading.mesh.group_names = reading.numbers.names();
  return std::move(reading.mesh);
}

}  // namespace

bool can_read_gltf() {
  return plugin_exists(AssimpTable::kName);
}

TriangleMesh read_gltf(const TextFile& text) {
  const AssimpTable& table = assimp(text, "glTF");
  if (text.bytes.starts_with("glTF")) require_whole_glb(text);
  return read(table, text, false);
}

TriangleMesh read_collada(const TextFile& text) {
  return read(assimp(text, "COLLADA"), text, true);
}

}  // namespace grouser::mesh_formats
