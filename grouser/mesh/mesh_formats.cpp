#include "grouser/mesh/mesh_formats.h"

#include <cmath>
#include <limits>

#include "grouser/base/text.h"

namespace grouser::mesh_formats {

namespace {

/// Area vector of a polygon, twice; sums over all corners, so it holds for any simple polygon.
Vec3 newell_normal(const TriangleMesh& mesh, std::span<const std::int32_t> corners) {
  const Vec3& origin = mesh.vertices[static_cast<std::size_t>(corners[0])];
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(corners[i])] - origin;
    const Vec3 b = mesh.vertices[static_cast<std::size_t>(corners[i + 1])] - origin;
    normal += a.cross(b);
  }
  return normal;
}

/// Can corner i be cut off, leaving a simple polygon? It must not poke inward, and no other corner
/// may lie in the triangle.
bool is_ear(const TriangleMesh& mesh, std::span<const std::int32_t> corners, std::size_t i,
            const Vec3& normal) {
  const std::size_t n = corners.size();
  const std::size_t before = (i + n - 1) % n;
  const std::size_t after = (i + 1) % n;
  const auto at = [&](std::size_t k) -> const Vec3& {
    return mesh.vertices[static_cast<std::size_t>(corners[k])];
  };
  const auto turn = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    return (b - a).cross(c - a).dot(normal);
  };
  const Vec3 &a = at(before), &b = at(i), &c = at(after);
  if (turn(a, b, c) <= 0.0) return false;
  for (std::size_t k = 0; k < n; ++k) {
    if (k == before || k == i || k == after) continue;
    const Vec3& p = at(k);
    if (p == a || p == b || p == c) continue;
    if (turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0) return false;
  }
  return true;
}

}  // namespace

std::uint32_t unsigned_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t x = 0;
  for (std::size_t k = 4; k-- > 0;) x = (x << 8) | static_cast<std::uint8_t>(bytes[offset + k]);
  return x;
}

double next_coordinate(std::string_view& line, const Place& place) {
  const std::string_view word = next_word(line);
  if (word.empty()) throw InputError(place, "a vertex needs three coordinates");
  const std::optional<double> x = to_number(word);
  if (!x) throw InputError(place, "a coordinate must be a number, is " + in_quotes(word));
  if (!std::isfinite(*x))
    throw InputError(place, "a coordinate must be finite, is " + std::string(word));
  return *x;
}

void require_countable(std::size_t vertices, const Place& place) {
  if (vertices > std::numeric_limits<std::int32_t>::max())
    throw InputError(place, "has " + std::to_string(vertices) + " vertices, too many to number");
}

void add_polygon(TriangleMesh& mesh, std::span<const std::int32_t> corners) {
  std::vector<std::int32_t> left(corners.begin(), corners.end());
  const Vec3 normal = corners.size() > 3 ? newell_normal(mesh, corners) : Vec3::Zero();
  while (left.size() > 3) {
    // The first ear; if rounding leaves none, any corner will do.
    std::size_t ear = 1;
    for (std::size_t k = 0; k < left.size(); ++k) {
      const std::size_t candidate = (k + 1) % left.size();
      if (!is_ear(mesh, left, candidate, normal)) continue;
      ear = candidate;
      break;
    }
    const std::size_t n = left.size();
    mesh.triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  if (left.size() == 3) mesh.triangles.push_back({left[0], left[1], left[2]});
}

void Polygons::end_polygon(const Place& place) {
  const std::size_t count = corners_.size() - (polygons_.empty() ? 0 : polygons_.back().end);
  if (count < 3)
    throw InputError(place, "a face needs three corners or more, has " + std::to_string(count));
  polygons_.push_back({corners_.size(), place.line});
}

void Polygons::add_to(TriangleMesh& mesh, const TextFile& text,
                      std::span<const std::int32_t> groups) const {
  std::vector<std::int32_t> corners;
  std::size_t begin = 0;
  for (std::size_t p = 0; p < polygons_.size(); ++p) {
    const Polygon& polygon = polygons_[p];
    corners.clear();
    for (std::size_t i = begin; i < polygon.end; ++i) {
      if (corners_[i] < 0 || corners_[i] >= static_cast<std::int64_t>(mesh.vertices.size()))
        throw InputError(text.place(polygon.line),
                         "a face names vertex " + std::to_string(corners_[i] + first_number_) +
                             ", but the file has " + std::to_string(mesh.vertices.size()));
      corners.push_back(static_cast<std::int32_t>(corners_[i]));
    }
    add_polygon(mesh, corners);
    if (!groups.empty()) mesh.groups.resize(mesh.triangles.size(), groups[p]);
    begin = polygon.end;
  }
}

void refuse_if_cut_off(const TriangleMesh& mesh, const TextFile& text) {
  if (mesh.triangles.empty() || text.bytes.back() == '\n') return;
  TriangleMesh welded = mesh;
  weld_vertices(welded);
  const std::size_t unused = take_census(mesh).unused_vertices;
  const std::size_t open = take_census(welded).boundary_edges;
  if (unused == 0 && open == 0) return;
  throw InputError(text.place(), "seems to be cut off: its last line has no end, " +
                                     std::to_string(unused) + " vertices are unused and " +
                                     std::to_string(open) +
                                     " edges open; if it is whole, end it with a line break");
}

}  // namespace grouser::mesh_formats
