// Wavefront OBJ: "v x y z" and "f a b c ..." lines; corners are "v", "v/t", "v//n" or "v/t/n",
// count from one, and from the end if negative. Groups are named by "g" lines, in a file without
// by "usemtl", in one without these by "o". Everything else is left out.
#include "grouser/mesh/mesh_formats.h"
#include "grouser/mesh/mesh_groups.h"

namespace grouser::mesh_formats {

namespace {

void read_face(std::string_view line, const Place& place, std::size_t vertex_count, Polygons& out) {
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const std::optional<std::int64_t> number = to_integer(word.substr(0, word.find('/')));
    if (!number || *number == 0)
      throw InputError(place,
                       "a face's corner must be the number of a vertex, is " + in_quotes(word));
    out.add_corner(*number > 0 ? *number - 1 : static_cast<std::int64_t>(vertex_count) + *number);
  }
  out.end_polygon(place);
}

/// The lines of one keyword that names faces: each is for those that follow it.
class FaceNames {
 public:
  /// `face_count` faces stand before this line. A line without a name ends the group.
  void add_line(std::string_view name, std::size_t face_count) {
    lines_.push_back({std::string(trimmed(name)), face_count});
    any_ = any_ || !lines_.back().name.empty();
  }
  bool any() const { return any_; }

  /// A group per face; none if no face is named.
  std::vector<std::int32_t> groups(std::size_t face_count, GroupNumbers& numbers) const {
    std::vector<std::int32_t> out;
    bool any_named = false;
    const auto fill = [&](const std::string& name, std::size_t end) {
      if (end == out.size()) return;
      any_named = any_named || !name.empty();
      out.resize(end, numbers.number_of(name.empty() ? kUnnamedGroup : name));
    };
    std::string name;
    for (const Line& line : lines_) {
      fill(name, line.first_face);
      name = line.name;
    }
    fill(name, face_count);
    if (!any_named) out.clear();
    return out;
  }

 private:
  struct Line {
    std::string name;
    std::size_t first_face;
  };
  std::vector<Line> lines_;
  bool any_ = false;
};

}  // namespace

TriangleMesh read_obj(const TextFile& text) {
  TriangleMesh mesh;
  Polygons faces(1);
  FaceNames by_group, by_material, by_object;
  Lines lines(text.bytes);
  std::string joined;
  for (std::string_view line; lines.next(line);) {
    // A backslash at its end continues a line on the next.
    if (!line.empty() && line.back() == '\\') {
      joined.assign(line);
      for (std::string_view more; joined.back() == '\\' && lines.next(more);) {
        joined.back() = ' ';
        joined += more;
      }
      line = joined;
    }
    line = line.substr(0, line.find('#'));

    const std::string_view keyword = next_word(line);
    if (keyword == "v") {
      const Place place = text.place(lines.number());
      const double x = next_coordinate(line, place);
      const double y = next_coordinate(line, place);
      const double z = next_coordinate(line, place);
      mesh.vertices.emplace_back(x, y, z);
    } else if (keyword == "f") {
      read_face(line, text.place(lines.number()), mesh.vertices.size(), faces);
    } else if (keyword == "g") {
      by_group.add_line(line, faces.count());
    } else if (keyword == "usemtl") {
      by_material.add_line(line, faces.count());
    } else if (keyword == "o") {
      by_object.add_line(line, faces.count());
    }
  }
  require_countable(mesh.vertices.size(), text.place());
  const FaceNames& names = by_group.any() ? by_group : by_material.any() ? by_material : by_object;
  GroupNumbers numbers;
  const std::vector<std::int32_t> groups = names.groups(faces.count(), numbers);
  faces.add_to(mesh, text, groups);
  if (!groups.empty()) mesh.group_names = numbers.names();
  refuse_if_cut_off(mesh, text);
  return mesh;
}

}  // namespace grouser::mesh_formats
