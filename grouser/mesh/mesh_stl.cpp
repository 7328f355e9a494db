// STL, text and binary. The order of the corners tells the outside; stored normals are left out.
// If a text file has solids of different names, each name is a group.
#include <bit>
#include <cctype>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/mesh/mesh_formats.h"
#include "grouser/mesh/mesh_groups.h"

namespace grouser::mesh_formats {

namespace {

// Binary: 80 bytes of anything, the number of triangles, and for each its normal, its corners and
// two bytes of attributes; little endian.
constexpr std::size_t kHeader = 84;
constexpr std::size_t kRecord = 50;

double float_at(const std::string& bytes, std::size_t offset) {
  return static_cast<double>(std::bit_cast<float>(unsigned_at(bytes, offset)));
}

/// The size a binary file with this header should have.
std::size_t promised_size(const std::string& bytes) {
  return kHeader + kRecord * static_cast<std::size_t>(unsigned_at(bytes, 80));
}

/// Text starts with "solid" and has no control characters; binary headers often start so too.
bool looks_like_text(const std::string& bytes) {
  std::string_view start = std::string_view(bytes).substr(0, 512);
  for (const char c : start)
    if (c == '\0' || (static_cast<unsigned char>(c) < ' ' && !std::isspace(c))) return false;
  start.remove_prefix(std::min(start.find_first_not_of(" \t\r\n"), start.size()));
  std::string word(start.substr(0, 5));
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "solid";
}

void add_triangle(TriangleMesh& mesh, const std::array<Vec3, 3>& corners, const Place& place) {
  const auto base = static_cast<std::int32_t>(mesh.vertices.size());
  require_countable(mesh.vertices.size() + 3, place);
  for (const Vec3& p : corners) mesh.vertices.push_back(p);
  mesh.triangles.push_back({base, base + 1, base + 2});
}

TriangleMesh read_binary(const TextFile& text) {
  const std::string& bytes = text.bytes;
  if (bytes.size() < kHeader)
    throw InputError(text.place(),
                     "is neither a text STL file, which starts with 'solid', nor a "
                     "binary one, which has 84 bytes or more; it has " +
                         std::to_string(bytes.size()));
  const std::size_t promised = promised_size(bytes);
  if (bytes.size() != promised)
    throw InputError(text.place(),
                     std::string("is a binary STL file that ") +
                         (bytes.size() < promised ? "is cut off" : "is longer than it should be") +
                         ": " + std::to_string(unsigned_at(bytes, 80)) + " triangles make " +
                         std::to_string(promised) + " bytes, it has " +
                         std::to_string(bytes.size()));
  TriangleMesh mesh;
  for (std::size_t record = kHeader; record < bytes.size(); record += kRecord) {
    std::array<Vec3, 3> corners;
    for (std::size_t k = 0; k < 3; ++k)
      for (int axis = 0; axis < 3; ++axis) {
        const double x = float_at(bytes, record + 12 + 12 * k + 4 * static_cast<std::size_t>(axis));
        if (!std::isfinite(x))
          throw InputError(text.place(), "triangle " + std::to_string(mesh.triangle_count()) +
                                             ": a coordinate must be finite, is " + to_text(x));
        corners[k][axis] = x;
      }
    add_triangle(mesh, corners, text.place());
  }
  return mesh;
}

/// Where a text file stands: solid { facet { outer loop { vertex x 3 } } }.
enum class Inside { nothing, solid, facet, loop };

TriangleMesh read_text(const TextFile& text) {
  TriangleMesh mesh;
  Inside inside = Inside::nothing;
  std::array<Vec3, 3> corners;
  std::size_t count = 0;
  GroupNumbers numbers;
  std::string solid;
  Lines lines(text.bytes);
  for (std::string_view line; lines.next(line);) {
    const Place place = text.place(lines.number());
    std::string word(next_word(line));
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (word.empty()) continue;

    // Each word has one place it may stand, and leads to another.
    const auto step = [&](std::string_view expected, Inside from, Inside to) {
      if (word != expected || inside != from) return false;
      inside = to;
      return true;
    };
    if (step("endsolid", Inside::solid, Inside::nothing)) continue;
    if (step("solid", Inside::nothing, Inside::solid)) {
      solid = trimmed(line);
      if (solid.empty()) solid = kUnnamedGroup;
    } else if (step("facet", Inside::solid, Inside::facet)) {
      count = 0;
    } else if (step("outer", Inside::facet, Inside::loop)) {
      continue;
    } else if (step("vertex", Inside::loop, Inside::loop)) {
      if (count == 3)
        throw InputError(place, "a facet of an STL file has three vertices, not more");
      for (int axis = 0; axis < 3; ++axis) corners[count][axis] = next_coordinate(line, place);
      ++count;
    } else if (step("endloop", Inside::loop, Inside::facet)) {
      if (count != 3)
        throw InputError(place, "a facet needs three vertices, has " + std::to_string(count));
    } else if (step("endfacet", Inside::facet, Inside::solid)) {
      if (count != 3)
        throw InputError(place, "a facet needs three vertices, has " + std::to_string(count));
      add_triangle(mesh, corners, place);
      mesh.groups.push_back(numbers.number_of(solid));
    } else {
      throw InputError(place, in_quotes(word) + " is not expected here in an STL file");
    }
  }
  if (inside != Inside::nothing)
    throw InputError(text.place(lines.number()),
                     "the file is cut off: 'endsolid' is missing at its end");
  if (numbers.names().size() < 2)
    mesh.groups.clear();
  else
    mesh.group_names = numbers.names();
  return mesh;
}

}  // namespace

TriangleMesh read_stl(const TextFile& text) {
  const bool size_fits =
      text.bytes.size() >= kHeader && text.bytes.size() == promised_size(text.bytes);
  return !size_fits && looks_like_text(text.bytes) ? read_text(text) : read_binary(text);
}

}  // namespace grouser::mesh_formats
