#include "grouser/mesh/surface_intersection.h"

#include <algorithm>
#include <array>

#include "grouser/base/bits.h"
#include "grouser/mesh/orientation.h"

namespace grouser {

namespace {

std::span<const std::int32_t> sorted(const BitSet& set, Scratch& scratch) {
  ScratchList<std::int32_t> numbers(scratch);
  set.for_each([&](std::size_t number) { numbers.add(static_cast<std::int32_t>(number)); });
  return numbers.items();
}

const Vec3& vertex(const PlacedSurface& surface, std::int32_t v) {
  return surface.vertices[static_cast<std::size_t>(v)];
}

FaceCorners corners(const PlacedSurface& surface, std::int32_t triangle) {
  const auto& t = surface.topology.triangles()[static_cast<std::size_t>(triangle)];
  return {vertex(surface, t[0]), vertex(surface, t[1]), vertex(surface, t[2])};
}

/// End of an intersection line: an edge of one of its triangles that pierces the other one.
struct LineEnd {
  std::int32_t edge;
  bool of_a;  // whose edge

  bool operator==(const LineEnd&) const = default;
};

/// A pair of triangles that intersect. The line between them runs along n_a x n_b.
struct IntersectionLine {
  TrianglePair pair;
  LineEnd start;
  LineEnd end;
};

/// The two edges of a triangle through the plane of the other one, as numbers of corners.
struct CrossingEdges {
  std::uint8_t rising = 0;   // from this corner below the plane to the next one above
  std::uint8_t falling = 0;  // the other way
  bool any = false;
};

CrossingEdges crossing_edges(const FaceCorners& corners, const FacePlane& plane,
                             Displaced displaced) {
  const std::array<bool, 3> above = {plane.is_above(corners[0], displaced),
                                     plane.is_above(corners[1], displaced),
                                     plane.is_above(corners[2], displaced)};
  CrossingEdges out;
  for (std::uint8_t k = 0; k < 3; ++k) {
    const bool next = above[(k + 1u) % 3u];
    if (!above[k] && next) out.rising = k;
    if (above[k] && !next) out.falling = k;
    out.any = out.any || above[k] != next;
  }
  return out;
}

/// Step 1 for one pair; false if the triangles do not intersect.
///
/// Both triangles cut an interval out of the line that their planes share; along n_a x n_b that of
/// A reaches from its rising to its falling edge and that of B from its falling to its rising one.
/// The order of an end of A and an end of B is the handedness of the two edges.
bool intersect(const PlacedSurface& a, const PlacedSurface& b, const TrianglePair& pair,
               IntersectionLine& line) {
  const FaceCorners p = corners(a, pair.a);
  const FaceCorners u = corners(b, pair.b);
  const CrossingEdges of_a = crossing_edges(p, FacePlane(u), Displaced::edge);
  if (!of_a.any) return false;
  const CrossingEdges of_b = crossing_edges(u, FacePlane(p), Displaced::face);
  if (!of_b.any) return false;

  // Both edges taken upwards through the plane of the other triangle.
  const auto a_before_b = [&](std::uint8_t i, std::uint8_t j) {
    const std::size_t i_next = (i + 1u) % 3u, j_next = (j + 1u) % 3u;
    const bool up_a = i == of_a.rising, up_b = j == of_b.rising;
    return !is_right_handed(up_a ? p[i] : p[i_next], up_a ? p[i_next] : p[i],
                            up_b ? u[j] : u[j_next], up_b ? u[j_next] : u[j]);
  };
  if (!a_before_b(of_a.rising, of_b.rising) || a_before_b(of_a.falling, of_b.falling)) return false;
  const auto& edges_a = a.topology.edges_of(pair.a);
  const auto& edges_b = b.topology.edges_of(pair.b);
  line.pair = pair;
  line.start = a_before_b(of_a.rising, of_b.falling) ? LineEnd{edges_b[of_b.falling], false}
                                                     : LineEnd{edges_a[of_a.rising], true};
  line.end = a_before_b(of_a.falling, of_b.rising) ? LineEnd{edges_a[of_a.falling], true}
                                                   : LineEnd{edges_b[of_b.rising], false};
  return true;
}

/// Finds intersection lines by their pair of triangles.
class LineTable {
 public:
  static constexpr std::int32_t kNone = -1;

  LineTable(std::span<const IntersectionLine> lines, Scratch& scratch)
      : lines_(lines), slots_(scratch.take<std::int32_t>(std::bit_ceil(2 * lines.size() + 1))) {
    std::fill(slots_.begin(), slots_.end(), kNone);
    for (std::size_t i = 0; i < lines.size(); ++i)
      slots_[slot_of(lines[i].pair)] = static_cast<std::int32_t>(i);
  }
  std::int32_t find(const TrianglePair& pair) const { return slots_[slot_of(pair)]; }

 private:
  /// That of the pair, or the free one where it belongs.
  std::size_t slot_of(const TrianglePair& pair) const {
    const std::uint64_t key = std::uint64_t{static_cast<std::uint32_t>(pair.a)} << 32 |
                              static_cast<std::uint32_t>(pair.b);
    const std::size_t mask = slots_.size() - 1;
    // Multiplied by 2^64 over the golden ratio; the upper half is well mixed.
    std::size_t slot = (key * 0x9e3779b97f4a7c15u) >> 32 & mask;
    for (; slots_[slot] != kNone; slot = (slot + 1) & mask) {
      const TrianglePair& here = lines_[static_cast<std::size_t>(slots_[slot])].pair;
      if (here.a == pair.a && here.b == pair.b) break;
    }
    return slot;
  }
  std::span<const IntersectionLine> lines_;
  std::span<std::int32_t> slots_;
};

/// Step 1: all intersection lines.
std::span<const IntersectionLine> intersect_triangles(const PlacedSurface& a,
                                                      const PlacedSurface& b,
                                                      std::span<const TrianglePair> candidates,
                                                      Scratch& scratch) {
  const std::span<IntersectionLine> lines = scratch.take<IntersectionLine>(candidates.size());
  std::size_t count = 0;
  for (const TrianglePair& pair : candidates)
    if (intersect(a, b, pair, lines[count])) ++count;
  return lines.first(count);
}

/// The line that goes on where `line` ends, in the triangle across the pierced edge.
std::int32_t next_line(const IntersectionLine& line, const PlacedSurface& a, const PlacedSurface& b,
                       std::span<const IntersectionLine> lines, const LineTable& table) {
  TrianglePair pair = line.pair;
  if (line.end.of_a)
    pair.a = a.topology.edge(line.end.edge).across(pair.a);
  else
    pair.b = b.topology.edge(line.end.edge).across(pair.b);
  if (pair.a < 0 || pair.b < 0) return LineTable::kNone;
  const std::int32_t next = table.find(pair);
  if (next == LineTable::kNone) return next;
  return lines[static_cast<std::size_t>(next)].start == line.end ? next : LineTable::kNone;
}

/// Step 2: counts what the lines make up when joined end to start.
void assemble_polygons(const PlacedSurface& a, const PlacedSurface& b,
                       std::span<const IntersectionLine> lines, Scratch& scratch,
                       ActiveAreas& out) {
  const LineTable table(lines, scratch);
  const std::span<std::int32_t> next = scratch.take<std::int32_t>(lines.size());
  BitSet continues(lines.size(), scratch);  // another line
  for (std::size_t i = 0; i < lines.size(); ++i) {
    next[i] = next_line(lines[i], a, b, lines, table);
    if (next[i] != LineTable::kNone) continues.insert(next[i]);
  }

  BitSet seen(lines.size(), scratch);
  const auto follow = [&](std::int32_t line) {
    while (line != LineTable::kNone && seen.insert(line))
      line = next[static_cast<std::size_t>(line)];
  };
  // Open chains from their beginnings; what is left then goes round.
  const auto line_count = static_cast<std::int32_t>(lines.size());
  for (std::int32_t i = 0; i < line_count; ++i) {
    if (continues.has(i)) continue;
    ++out.open_polygons;
    follow(i);
  }
  for (std::int32_t i = 0; i < line_count; ++i) {
    if (seen.has(i)) continue;
    ++out.polygons;
    follow(i);
  }
}

/// An edge of one surface passes through a face of the other.
struct Piercing {
  std::int32_t edge;
  std::int32_t face;
  bool a_is_inside;  // the edge leaves the other surface on its way from a to b
};

/// Step 3 for one surface: `mine`, where `other` pierces it. `displaced` tells which one is so if
/// an edge of mine meets a face of the other.
class InsideSearch {
 public:
  InsideSearch(const PlacedSurface& mine, const PlacedSurface& other, Displaced displaced,
               std::size_t max_piercings, Scratch& scratch)
      : mine_(mine),
        other_(other),
        displaced_(displaced),
        piercings_(scratch.take<Piercing>(max_piercings)),
        ends_(scratch.take<EdgeEnds>(mine.topology.edges().size())),
        pierced_(mine.topology.edges().size(), scratch),
        inside_(mine.topology.vertex_count(), scratch),
        active_(mine.topology.triangles().size(), scratch) {}

  void activate(std::int32_t triangle) { active_.insert(triangle); }
  void add(const Piercing& piercing);
  void run(Scratch& scratch);
  std::span<const std::int32_t> active(Scratch& scratch) const { return sorted(active_, scratch); }

 private:
  /// The piercings nearest to the ends of an edge.
  struct EdgeEnds {
    std::int32_t at_a;
    std::int32_t at_b;
  };
  bool is_before(const Piercing& first, const Piercing& second) const;

  const PlacedSurface& mine_;
  const PlacedSurface& other_;
  Displaced displaced_;
  std::span<Piercing> piercings_;
  std::size_t piercing_count_ = 0;
  std::span<EdgeEnds> ends_;  // of pierced edges
  BitSet pierced_;            // edges
  BitSet inside_;             // vertices
  BitSet active_;             // triangles
};

/// Order of two piercings of one edge, from a to b.
bool InsideSearch::is_before(const Piercing& first, const Piercing& second) const {
  const SurfaceTopology::Edge& edge = mine_.topology.edge(first.edge);
  const FaceCorners face_1 = corners(other_, first.face);
  const FaceCorners face_2 = corners(other_, second.face);
  const Vec3& p = vertex(mine_, edge.a);
  const Vec3& q = vertex(mine_, edge.b);
  if (is_met_before(p, q, face_1, face_2, displaced_)) return true;
  // Faces of a surface that overlaps itself may be met at once.
  return first.face < second.face && !is_met_before(p, q, face_2, face_1, displaced_);
}

void InsideSearch::add(const Piercing& piercing) {
  const auto number = static_cast<std::int32_t>(piercing_count_);
  piercings_[piercing_count_++] = piercing;
  EdgeEnds& ends = ends_[static_cast<std::size_t>(piercing.edge)];
  if (pierced_.insert(piercing.edge)) {
    ends = {number, number};
    return;
  }
  const auto at = [&](std::int32_t n) { return piercings_[static_cast<std::size_t>(n)]; };
  if (is_before(piercing, at(ends.at_a)))
    ends.at_a = number;
  else if (is_before(at(ends.at_b), piercing))
    ends.at_b = number;
}

/// Breadth first from the inner ends of pierced edges; triangles with a corner inside are active.
void InsideSearch::run(Scratch& scratch) {
  const std::span<std::int32_t> queue = scratch.take<std::int32_t>(mine_.topology.vertex_count());
  std::size_t end = 0;
  const auto reach = [&](std::int32_t v) {
    if (inside_.insert(v)) queue[end++] = v;
  };
  for (std::size_t i = 0; i < piercing_count_; ++i) {
    const Piercing& piercing = piercings_[i];
    const SurfaceTopology::Edge& edge = mine_.topology.edge(piercing.edge);
    const EdgeEnds& ends = ends_[static_cast<std::size_t>(piercing.edge)];
    const auto number = static_cast<std::int32_t>(i);
    if (ends.at_a == number && piercing.a_is_inside) reach(edge.a);
    if (ends.at_b == number && !piercing.a_is_inside) reach(edge.b);
  }
  for (std::size_t begin = 0; begin < end; ++begin) {
    const std::int32_t v = queue[begin];
    for (const std::int32_t e : mine_.topology.edges_around(v)) {
      const SurfaceTopology::Edge& edge = mine_.topology.edge(e);
      if (edge.left >= 0) activate(edge.left);
      if (edge.right >= 0) activate(edge.right);
      if (!pierced_.has(e)) reach(edge.a == v ? edge.b : edge.a);
    }
  }
}

/// The piercing at one end of a line.
Piercing piercing_at(const IntersectionLine& line, bool at_start, const SurfaceTopology& topology) {
  const LineEnd& end = at_start ? line.start : line.end;
  const std::int32_t triangle = end.of_a ? line.pair.a : line.pair.b;
  // Edges of A rise where a line starts, edges of B where it ends, as their triangle runs.
  const bool rises = at_start == end.of_a;
  const bool runs_from_a = topology.edge(end.edge).left == triangle;
  return {end.edge, end.of_a ? line.pair.b : line.pair.a, rises == runs_from_a};
}

}  // namespace

ActiveAreas find_active_areas(const PlacedSurface& a, const PlacedSurface& b,
                              std::span<const TrianglePair> candidates, Scratch& scratch) {
  ActiveAreas out;
  const std::span<const IntersectionLine> lines = intersect_triangles(a, b, candidates, scratch);
  out.intersection_lines = lines.size();
  if (lines.empty()) return out;
  assemble_polygons(a, b, lines, scratch, out);

  InsideSearch in_b(a, b, Displaced::edge, 2 * lines.size(), scratch);
  InsideSearch in_a(b, a, Displaced::face, 2 * lines.size(), scratch);
  for (const IntersectionLine& line : lines) {
    in_b.activate(line.pair.a);
    in_a.activate(line.pair.b);
    for (const bool at_start : {true, false}) {
      const LineEnd& end = at_start ? line.start : line.end;
      const SurfaceTopology& topology = end.of_a ? a.topology : b.topology;
      // An edge with two triangles starts one line and ends another; it counts once.
      if (!at_start && !topology.edge(end.edge).on_border()) continue;
      (end.of_a ? in_b : in_a).add(piercing_at(line, at_start, topology));
    }
  }
  in_b.run(scratch);
  in_a.run(scratch);
  out.of_a = in_b.active(scratch);
  out.of_b = in_a.active(scratch);
  return out;
}

}  // namespace grouser
