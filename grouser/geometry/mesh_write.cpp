#include <bit>

#include "grouser/base/text.h"
#include "grouser/base/whole_file.h"
#include "grouser/geometry/mesh_file.h"

namespace grouser {

namespace {

std::string coordinates(const Vec3& p) {
  return to_text(p.x()) + " " + to_text(p.y()) + " " + to_text(p.z());
}

/// Blanks stand for what would end a name in an OBJ file: comments, line breaks, continuations.
std::string obj_name(std::string name) {
  for (char& c : name)
    if (c == '#' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = ' ';
  return name;
}

void append_unsigned(std::string& out, std::uint32_t x) {
  for (int k = 0; k < 4; ++k) out += static_cast<char>(static_cast<std::uint8_t>(x >> (8 * k)));
}

void append_floats(std::string& out, const Vec3& p) {
  for (int axis = 0; axis < 3; ++axis)
    append_unsigned(out, std::bit_cast<std::uint32_t>(static_cast<float>(p[axis])));
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
  append_unsigned(out, static_cast<std::uint32_t>(mesh.triangle_count()));
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    append_floats(out, face_of(mesh, t).normal);
    for (int k = 0; k < 3; ++k) append_floats(out, mesh.corner(t, k));
    out.append(2, '\0');
  }
  return out;
}

}  // namespace

void write_mesh_obj(const TriangleMesh& mesh, const std::string& path) {
  std::string out = "# " + std::to_string(mesh.vertices.size()) + " vertices, " +
                    std::to_string(mesh.triangle_count()) + " triangles\n";
  for (const Vec3& p : mesh.vertices) out += "v " + coordinates(p) + "\n";
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    if (!mesh.groups.empty() && (i == 0 || mesh.groups[i] != mesh.groups[i - 1]))
      out += "g " + obj_name(mesh.group_names[static_cast<std::size_t>(mesh.groups[i])]) + "\n";
    const auto& t = mesh.triangles[i];
    out += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " +
           std::to_string(t[2] + 1) + "\n";
  }
  write_file(path, out);
}

void write_mesh_stl(const TriangleMesh& mesh, const std::string& path, StlKind kind) {
  write_file(path, kind == StlKind::text ? stl_text(mesh) : stl_binary(mesh));
}

}  // namespace grouser
