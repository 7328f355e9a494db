// Wavefront OBJ: "v x y z" and "f a b c ..." lines; corners are "v", "v/t", "v//n" or "v/t/n",
// count from one, and from the end if negative. Everything else is left out.
#include "grouser/geometry/mesh_formats.h"

namespace grouser::mesh_formats {

namespace {

void read_face(std::string_view line, const Place& place, std::size_t vertex_count, Polygons& out) {
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
    const std::optional<std::int64_t> number = to_integer(word.substr(0, word.find('/')));
    if (!number || *number == 0)
      throw InputError(place, "a face's corner must be the number of a vertex, is " + quoted(word));
    out.add_corner(*number > 0 ? *number - 1 : static_cast<std::int64_t>(vertex_count) + *number);
  }
  out.end_polygon(place);
}

}  // namespace

TriangleMesh read_obj(const MeshText& text) {
  TriangleMesh mesh;
  Polygons faces(1);
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
    }
  }
  require_countable(mesh.vertices.size(), text.place());
  faces.add_to(mesh, text);
  refuse_if_cut_off(mesh, text);
  return mesh;
}

}  // namespace grouser::mesh_formats
