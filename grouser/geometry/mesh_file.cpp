#include "grouser/geometry/mesh_file.h"

#include <cctype>
#include <filesystem>

#include "grouser/base/text.h"
#include "grouser/geometry/mesh_formats.h"

namespace grouser {

namespace {

struct FormatRow {
  const char* suffix;
  TriangleMesh (*read)(const TextFile& text);
};

/// Every format that can be read.
constexpr FormatRow kFormats[] = {
    {".glb", mesh_formats::read_gltf}, {".gltf", mesh_formats::read_gltf},
    {".obj", mesh_formats::read_obj},  {".ply", mesh_formats::read_ply},
    {".stl", mesh_formats::read_stl},
};

const FormatRow& format_of(const std::string& path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  for (char& c : suffix) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const FormatRow& format : kFormats)
    if (suffix == format.suffix) return format;
  throw InputError(Place{path},
                   (suffix.empty() ? "the name has no suffix that tells its format"
                                   : "'" + suffix + "' is not a mesh format known here") +
                       std::string("; known are ") + join(mesh_file_suffixes()));
}

}  // namespace

TriangleMesh read_mesh_file(const std::string& path) {
  const FormatRow& format = format_of(path);
  const TextFile text = read_file(path, "a mesh file");
  TriangleMesh mesh = format.read(text);
  if (mesh.triangles.empty()) throw InputError(text.place(), "the file has no triangles");
  weld_vertices(mesh);
  if (mesh.triangles.empty())
    throw InputError(text.place(), "all triangles of the file are lines or points");
  require_usable(mesh, path);
  return mesh;
}

std::vector<std::string> mesh_file_suffixes() {
  std::vector<std::string> out;
  for (const FormatRow& format : kFormats)
    if (format.read != mesh_formats::read_gltf || mesh_formats::can_read_gltf())
      out.emplace_back(format.suffix);
  return out;
}

}  // namespace grouser
