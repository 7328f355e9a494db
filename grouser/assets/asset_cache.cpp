#include "grouser/assets/asset_cache.h"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "grouser/base/assert.h"
#include "grouser/map/elevation_file.h"
#include "grouser/mesh/mesh_file.h"

namespace grouser {
namespace {

namespace fs = std::filesystem;

/// What `read` makes of the file, if there is one and it is whole.
template <class T, class Read>
std::optional<T> kept(const std::string& path, const Read& read) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  try {
    return read();
  } catch (const InputError&) {
    return std::nullopt;  // damaged, or something else: it is made anew
  }
}

/// Keeping is a service: that it fails changes nothing in what was made.
template <class Write>
void keep(const std::string& path, const Write& write) {
  try {
    fs::create_directories(fs::path(path).parent_path());
    write();
  } catch (const Error&) {
  } catch (const fs::filesystem_error&) {
  }
}

}  // namespace

AssetCache AssetCache::standard() {
  if (const char* folder = std::getenv("GROUSER_CACHE")) return AssetCache(folder);
  const char* caches = std::getenv("XDG_CACHE_HOME");
  if (caches && *caches) return AssetCache((fs::path(caches) / "grouser/assets").string());
  const char* home = std::getenv("HOME");
  if (home && *home) return AssetCache((fs::path(home) / ".cache/grouser/assets").string());
  return AssetCache("");
}

TriangleMesh AssetCache::mesh(const Asset& asset, const Progress& progress) const {
  if (folder_.empty()) return asset.make_mesh(progress);
  const std::string path = (fs::path(folder_) / (asset.id() + ".ply")).string();
  const std::vector<std::string> comments = {asset.definition()};
  const auto read = [&] {
    if (read_mesh_comments(path) != comments) throw InputError(path + ": is another asset");
    return read_mesh_file(path);
  };
  if (std::optional<TriangleMesh> mesh = kept<TriangleMesh>(path, read)) return std::move(*mesh);
  TriangleMesh mesh = asset.make_mesh(progress);
  keep(path, [&] { write_mesh_file(mesh, path, comments); });
  return mesh;
}

ElevationGrid AssetCache::map(const Asset& asset, const Progress& progress) const {
  GROUSER_ASSERT(asset.has_map());
  if (folder_.empty()) return asset.make_map(progress);
  const std::string path = (fs::path(folder_) / (asset.id() + ".flt")).string();
  if (std::optional<ElevationGrid> map =
          kept<ElevationGrid>(path, [&] { return read_elevation_file(path); }))
    return std::move(*map);
  ElevationGrid map = asset.make_map(progress);
  keep(path, [&] { write_elevation_file(map, path, {.all_digits = true}); });
  return map;
}

}  // namespace grouser
