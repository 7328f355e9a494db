// Readers of single mesh formats and what they share. Inside the geometry room only: everybody else
// calls mesh_file.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "grouser/base/error.h"
#include "grouser/geometry/triangle_mesh.h"

namespace grouser::mesh_formats {

/// A file in memory.
struct MeshText {
  std::string path;
  std::string bytes;

  /// The file, or a line of it, as the place of an error.
  Place place(int line = 0) const { return {path, line, 0}; }
};

// One reader per format. The mesh may have duplicate and unused vertices; indices are in range.
TriangleMesh read_obj(const MeshText& text);
TriangleMesh read_ply(const MeshText& text);
TriangleMesh read_stl(const MeshText& text);
TriangleMesh read_gltf(const MeshText& text);
bool can_read_gltf();  ///< was assimp there when this was built?

/// Lines of a text with their numbers. Line ends are "\n", "\r\n" or the end of the text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  /// False at the end. Otherwise `line` is the next one, without its end.
  bool next(std::string_view& line);
  int number() const { return number_; }           ///< of the line last given
  std::string_view rest() const { return rest_; }  ///< what follows it

 private:
  std::string_view rest_;
  int number_ = 0;
};

/// `text` without the blanks around it.
std::string_view trimmed(std::string_view text);

/// Takes the first word off `line`; empty if there is none.
std::string_view next_word(std::string_view& line);

/// A word as a number; the word must be one from end to end.
std::optional<double> to_number(std::string_view word);
std::optional<std::int64_t> to_integer(std::string_view word);

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
  void add_to(TriangleMesh& mesh, const MeshText& text,
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
void refuse_if_cut_off(const TriangleMesh& mesh, const MeshText& text);

/// The word, shortened and in quotes, for messages.
std::string quoted(std::string_view word);

}  // namespace grouser::mesh_formats
