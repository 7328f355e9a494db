#include "grouser/scene/mesh_source.h"

#include <algorithm>
#include <filesystem>

#include "grouser/assets/asset_cache.h"
#include "grouser/base/assert.h"
#include "grouser/base/text.h"
#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_shapes.h"
#include "grouser/mesh/refinement.h"

namespace grouser {
namespace {

/// What a scene may do with a mesh, in this order.
struct MeshChanges {
  double scale = 1.0;
  int subdivide = 0;
  double longest_edge = 0.0;  ///< 0: as long as they are
};

const ParameterTable<MeshChanges>& mesh_parameters() {
  static const auto table = [] {
    ParameterTable<MeshChanges> t;
    // Sources are read by read_source.
    const auto later = [](const Value&, MeshChanges&, const std::string&) {};
    t.custom("file", "string", later,
             "OBJ, STL, PLY, glTF or COLLADA file; or one of the tables below");
    for (const std::string& shape : mesh_shape_names())
      t.custom(shape, "table", later, mesh_shape_meaning(shape));
    for (const AssetKind& kind : asset_kinds())
      t.custom(std::string(kind.name), "table", later, std::string(kind.meaning));
    t.number("scale", &MeshChanges::scale, "", positive(), "factor of all coordinates");
    t.integer("subdivide", &MeshChanges::subdivide, within(0, 8),
              "how often each triangle is cut into four, after scale");
    t.custom(
        "longest_edge", "number [m]",
        [](const Value& v, MeshChanges& out, const std::string& path) {
          out.longest_edge = parameters_detail::read_number(v, path, positive());
        },
        "longer edges are cut in halves until none is left, after subdivide");
    return t;
  }();
  return table;
}

/// The one entry of `mesh` that says where it comes from.
const Value::Entry& mesh_source(const Value& value, const std::string& path) {
  std::vector<std::string> names = mesh_shape_names();
  for (const AssetKind& kind : asset_kinds()) names.emplace_back(kind.name);
  const Value::Entry* source = nullptr;
  for (const Value::Entry& entry : value.as_table()) {
    if (entry.key != "file" && std::find(names.begin(), names.end(), entry.key) == names.end())
      continue;
    if (source)
      throw InputError(entry.place, path + " has two sources, '" + source->key + "' and '" +
                                        entry.key + "'; give one");
    source = &entry;
  }
  if (!source) throw InputError(value.place(), path + " needs a file or one of " + join(names));
  return *source;
}

TriangleMesh read_source(const Value::Entry& source, const std::string& key,
                         const std::string& folder) {
  if (const AssetKind* kind = find_asset_kind(source.key))
    return AssetCache::standard().mesh(*read_asset(*kind, source.value, key, folder));
  if (source.key != "file") return generate_mesh(source.key, source.value, key);
  const std::filesystem::path file = source.value.text_or_throw(key);
  try {
    return read_mesh_file((std::filesystem::path(folder) / file).string());
  } catch (const InputError& error) {
    throw InputError(source.value.place(), key + ": " + error.what());
  }
}

}  // namespace

std::shared_ptr<const TriangleMesh> read_mesh_source(const Value& value, const std::string& path,
                                                     const std::string& folder) {
  MeshChanges changes;
  mesh_parameters().read(value, changes, path);
  const Value::Entry& source = mesh_source(value, path);
  auto mesh = std::make_shared<TriangleMesh>(
      read_source(source, parameters_detail::joined(path, source.key), folder));
  for (Vec3& vertex : mesh->vertices) vertex *= changes.scale;
  GROUSER_ASSERT(changes.subdivide >= 0 && changes.longest_edge >= 0.0);

  // Refusals are placed at the key that asked.
  const char* key = "subdivide";
  try {
    if (changes.subdivide > 0) *mesh = subdivided(*mesh, changes.subdivide);
    key = "longest_edge";
    if (changes.longest_edge > 0.0) *mesh = refined(*mesh, changes.longest_edge);
  } catch (const InputError& error) {
    throw InputError(value.find(key)->place(), path + "." + key + ": " + error.what());
  }
  return mesh;
}

std::shared_ptr<const ElevationGrid> read_map_source(const Value& value, const std::string& path,
                                                     const std::string& folder, bool generator,
                                                     ElevationGaps gaps) {
  const std::vector<std::string> known =
      generator ? std::vector<std::string>{"file", "surface"} : std::vector<std::string>{"file"};
  const Value::Table& table = value.table_or_throw(path);
  for (const Value::Entry& entry : table)
    if (std::find(known.begin(), known.end(), entry.key) == known.end())
      parameters_detail::refuse_unknown_key(entry, path, known);
  if (table.size() != 1) throw InputError(value.place(), path + " needs one of " + join(known));
  const Value::Entry& source = table.front();
  const std::string key = parameters_detail::joined(path, source.key);
  try {
    ElevationGrid grid;
    if (source.key == "file") {
      const std::filesystem::path file = source.value.text_or_throw(key);
      grid = read_elevation_file((std::filesystem::path(folder) / file).string());
      require_sound(grid, {}, gaps);
    } else {
      GROUSER_ASSERT(find_asset_kind("surface"));
      const AssetKind& kind = *find_asset_kind("surface");
      grid = AssetCache::standard().map(*read_asset(kind, source.value, key, folder));
    }
    return std::make_shared<const ElevationGrid>(std::move(grid));
  } catch (const InputError& error) {
    if (source.key != "file") throw;
    throw InputError(source.value.place(), key + ": " + error.what());
  }
}

std::vector<ParameterInfo> mesh_parameter_infos() {
  return mesh_parameters().infos();
}

}  // namespace grouser
