#include <bit>

#include "grouser/base/text.h"
#include "grouser/base/text_file.h"
#include "grouser/base/whole_file.h"
#include "grouser/mesh/mesh_file.h"
#include "grouser/mesh/mesh_formats.h"

namespace grouser {

namespace {

std::string coordinates(const Vec3& p) {
  return to_text(p.x()) + " " + to_text(p.y()) + " " + to_text(p.z());
}

/// Blanks stand for what would end a name in an OBJ file: comments, line breaks, continuations.
std::string obj_name(std::string name) {
  for (char& c : name)
    if (c == '#' || c == '\\') c = ' ';
  return mesh_formats::on_one_line(std::move(name));
}

void append_floats(std::string& out, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis)
    mesh_formats::append_unsigned(out, std::bit_cast<std::uint32_t>(static_cast<float>(p[axis])));
}

std::string stl_text(const TriangleMesh& mesh) {
  std::string out = "solid grouser\n";
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    out += "facet normal " + coordinates(face_of(mesh, t).normal) + "\n outer loop\n";
    for (int k = 0; k < 3; ++k) out += "  vertex " + coordinates(mesh.corner(t, k)) + "\n";
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid grouser\n";
}

std::string stl_binary(const TriangleMesh& mesh) {
  std::string out = "binary STL written by grouser";
  out.resize(80, ' ');
  mesh_formats::append_unsigned(out, static_cast<std::uint32_t>(mesh.triangle_count()));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    append_floats(out, face_of(mesh, t).normal);
    for (int k = 0; k < 3; ++k) append_floats(out, mesh.corner(t, k));
    out.append(2, '\0');
  }
  return out;
}

struct WriterRow {
  const char* suffix;
  std::string (*bytes)(const TriangleMesh& mesh, mesh_formats::Comments comments);
};

/// Every format that can be written.
constexpr WriterRow kWriters[] = {
    {".glb", mesh_formats::glb_bytes},
    {".obj", mesh_formats::obj_bytes},
    {".ply", mesh_formats::ply_bytes},
    {".stl", mesh_formats::stl_bytes},
};

void require_lines(mesh_formats::Comments comments, const Place& place) {
  for (const std::string& comment : comments)
    for (const char c : comment)
      if (static_cast<unsigned char>(c) < ' ' && c != '\t')
        throw InputError(place, "a comment must be one line of text, is " + in_quotes(comment));
}

}  // namespace

namespace mesh_formats {

void append_unsigned(std::string& out, std::uint32_t x) {
  for (int k = 0; k < 4; ++k) out += static_cast<char>(static_cast<std::uint8_t>(x >> (8 * k)));
}

std::string on_one_line(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return name;
}

std::string obj_bytes(const TriangleMesh& mesh, Comments comments) {
  std::string out;
  for (const std::string& comment : comments)  // a backslash at the end would join lines
    out += "# " + comment + (comment.ends_with('\\') ? " \n" : "\n");
  if (!comments.empty()) out += "\n";
  for (const Vec3& p : mesh.vertices) out += "v " + coordinates(p) + "\n";
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    if (!mesh.groups.empty() && (i == 0 || mesh.groups[i] != mesh.groups[i - 1]))
      out += "g " + obj_name(mesh.group_names[static_cast<std::size_t>(mesh.groups[i])]) + "\n";
    const auto& t = mesh.triangles[i];
    out += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
           std::to_string(t[2] + 1) + "\n";
  }
  return out;
}

std::string stl_bytes(const TriangleMesh& mesh, Comments) {
  return stl_text(mesh);
}

}  // namespace mesh_formats

void write_mesh_file(const TriangleMesh& mesh, const std::string& path,
                     std::span<const std::string> comments) {
  const Place place{path, 0, 0};
  const WriterRow* format = nullptr;
  const std::string suffix = suffix_of(path);
  for (const WriterRow& row : kWriters)
    if (suffix == row.suffix) format = &row;
  if (!format)
    throw InputError(place,
                     (suffix.empty() ? "the name has no suffix that tells its format"
                                     : "'" + suffix + "' is not a mesh format written here") +
                         std::string("; known are ") + join(mesh_write_suffixes()));
  require_usable(mesh, path);
  require_lines(comments, place);
  std::string bytes;
  try {
    bytes = format->bytes(mesh, comments);
  } catch (const InputError& error) {
    throw InputError(place, error.what());
  }
  write_file(path, bytes);
}

std::vector<std::string> mesh_write_suffixes() {
  std::vector<std::string> out;
  for (const WriterRow& format : kWriters) out.emplace_back(format.suffix);
  return out;
}

void write_mesh_obj(const TriangleMesh& mesh, const std::string& path,
                    std::span<const std::string> comments) {
  require_lines(comments, Place{path, 0, 0});
  write_file(path, mesh_formats::obj_bytes(mesh, comments));
}

void write_mesh_stl(const TriangleMesh& mesh, const std::string& path, StlKind kind) {
  write_file(path, kind == StlKind::text ? stl_text(mesh) : stl_binary(mesh));
}

}  // namespace grouser
