#include "grouser/mesh/mesh_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/mesh/mesh_formats.h"

namespace grouser {

namespace {

struct ReaderRow {
  const char* suffix;
  TriangleMesh (*read)(const TextFile& text);
  bool by_assimp = false;
};

/// Every format that can be read.
constexpr ReaderRow kReaders[] = {
    {".dae", mesh_formats::read_collada, true}, {".glb", mesh_formats::read_gltf, true},
    {".gltf", mesh_formats::read_gltf, true},   {".obj", mesh_formats::read_obj},
    {".ply", mesh_formats::read_ply},           {".stl", mesh_formats::read_stl},
};

const ReaderRow& format_of(const std::string& path) {
  const std::string suffix = suffix_of(path);
  for (const ReaderRow& format : kReaders)
    if (suffix == format.suffix) return format;
  throw InputError(Place{path},
                   (suffix.empty() ? "the name has no suffix that tells its format"
                                   : "'" + suffix + "' is not a mesh format known here") +
                       std::string("; known are ") + join(mesh_file_suffixes()));
}

/// Texts of lines at the start of a file, one at a time; a line may not be longer than texts are.
class FirstLines {
 public:
  explicit FirstLines(const std::string& path) : place_{path, 0, 0} {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
      throw InputError(place_, "is a directory, not a mesh file");
    file_.open(path, std::ios::binary);
    if (!file_) throw InputError(place_, std::string("cannot be opened: ") + std::strerror(errno));
  }
  bool next(std::string& line) {
    line.clear();
    for (char c; file_.get(c) && c != '\n';) {
      if (line.size() == 1'000'000) throw InputError(place_, "a line of the header never ends");
      line += c;
    }
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++place_.line;
    return !line.empty() || file_.good();
  }
  const Place& place() const { return place_; }

 private:
  Place place_;
  std::ifstream file_;
};

/// What follows the mark and a blank.
std::string comment_after(std::string_view mark, std::string_view line) {
  line.remove_prefix(mark.size());
  if (line.starts_with(' ')) line.remove_prefix(1);
  return std::string(line.substr(0, line.find_last_not_of(" \t") + 1));
}

std::vector<std::string> comments_of_ply(FirstLines& lines) {
  std::vector<std::string> out;
  std::string line;
  if (!lines.next(line) || line != "ply")
    throw InputError(lines.place(), "a PLY file starts with 'ply'");
  while (lines.next(line)) {
    if (line == "end_header") return out;
    if (line == "comment" || line.starts_with("comment "))
      out.push_back(comment_after("comment", line));
  }
  throw InputError(lines.place(), "the file is cut off inside its PLY header");
}

std::vector<std::string> comments_of_obj(FirstLines& lines) {
  std::vector<std::string> out;
  for (std::string line; lines.next(line) && line.starts_with('#');)
    out.push_back(comment_after("#", line));
  return out;
}

}  // namespace

std::vector<std::string> read_mesh_comments(const std::string& path) {
  const std::string suffix = suffix_of(path);
  if (suffix != ".ply" && suffix != ".obj")
    throw InputError(Place{path, 0, 0}, "comments are read from .ply and .obj files only");
  FirstLines lines(path);
  return suffix == ".ply" ? comments_of_ply(lines) : comments_of_obj(lines);
}

TriangleMesh read_mesh_file(const std::string& path) {
  const ReaderRow& format = format_of(path);
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
  for (const ReaderRow& format : kReaders)
    if (!format.by_assimp || mesh_formats::can_read_gltf()) out.emplace_back(format.suffix);
  return out;
}

}  // namespace grouser
