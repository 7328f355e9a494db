// Readers of single mesh formats and what they share. Inside the room only: everybody else
// calls mesh_file.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "grouser/base/text_file.h"
#include "grouser/mesh/triangle_mesh.h"

namespace grouser::mesh_formats {

// One reader per format. The mesh may have duplicate and unused vertices; indices are in range.
TriangleMesh read_obj(const TextFile& text);
TriangleMesh read_ply(const TextFile& text);
TriangleMesh read_stl(const TextFile& text);
TriangleMesh read_gltf(const TextFile& text);
TriangleMesh read_collada(const TextFile& text);
bool can_read_gltf();  ///< is assimp's plugin there?

// One writer per format: the bytes of the file. The mesh is usable, and comments are lines.
using Comments = std::span<const std::string>;
std::string glb_bytes(const TriangleMesh& mesh, Comments comments);
std::string obj_bytes(const TriangleMesh& mesh, Comments comments);
std::string ply_bytes(const TriangleMesh& mesh, Comments comments);
std::string stl_bytes(const TriangleMesh& mesh, Comments comments);  ///< as text, without them

/// Appends four bytes, lowest first.
void append_unsigned(std::string& out, std::uint32_t x);

/// `name` with blanks for what would end a line.
std::string on_one_line(std::string name);

/// Four bytes at `offset` as a number, lowest first.
std::uint32_t unsigned_at(std::string_view bytes, std::size_t offset);

/// Takes a coordinate off `line`; refuses what is missing, no number or not finite.
double next_coordinate(std::string_view& line, const Place& place);

/// Refuses more vertices than indices can count.
void require_countable(std::size_t vertices, const Place& place);

/// Appends a simple, about flat polygon as triangles. Corners that poke inward are respected.
void add_polygon(TriangleMesh& mesh, std::span<const std::int32_t> corners);

/// Polygons of a file, kept until all vertices are known: some files have faces first.
class Polygons {
 public:
  /// `first_number` is what the format calls its first vertex, for messages.
  explicit Polygons(int first_number) : first_number_(first_number) {}
  void add_corner(std::int64_t vertex) { corners_.push_back(vertex); }  ///< counted from zero
  /// Ends the polygon of the corners added since the last one. Refuses fewer than three.
  void end_polygon(const Place& place);
  std::size_t count() const { return polygons_.size(); }
  /// Refuses corners that do not exist. Triangles get the group of their polygon; `groups` has one
  /// per polygon, or none.
  void add_to(TriangleMesh& mesh, const TextFile& text,
              std::span<const std::int32_t> groups = {}) const;

 private:
  struct Polygon {
    std::size_t end;  // of its corners
    int line;
  };
  int first_number_;
  std::vector<Polygon> polygons_;
  std::vector<std::int64_t> corners_;
};

/// The name of triangles whose file names others but not them.
inline constexpr std::string_view kUnnamedGroup = "default";

/// For text formats that do not say where they end, see mesh_file.h.
void refuse_if_cut_off(const TriangleMesh& mesh, const TextFile& text);

}  // namespace grouser::mesh_formats
