#include "grouser/shape/convex_lens_cell.h"

#include <algorithm>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {

namespace {

template <class T>
void enlarge(std::span<T>& items, std::size_t count, Scratch& scratch) {
  if (count <= items.size()) return;
  const std::span<T> larger = scratch.take<T>(2 * count);
  std::copy(items.begin(), items.end(), larger.begin());
  items = larger;
}

}  // namespace

/// Room for the start: what the cell has in itself, or more.
void LensCell::take(std::size_t vertices, std::size_t edges, std::size_t faces) {
  positions_ = room_.positions;
  heights_ = room_.heights;
  gone_ = room_.gone;
  outgoing_ = room_.outgoing;
  left_ = room_.left;
  edges_ = room_.edges;
  faces_ = room_.faces;
  exits_ = room_.exits;
  cap_from_ = room_.cap_from;
  vertex_count_ = edge_count_ = face_count_ = 0;
  enlarge(positions_, vertices, scratch_);
  enlarge(heights_, vertices, scratch_);
  enlarge(gone_, vertices, scratch_);
  enlarge(outgoing_, vertices, scratch_);
  enlarge(left_, vertices, scratch_);
  enlarge(edges_, edges, scratch_);
  enlarge(faces_, faces, scratch_);
}

void LensCell::grow(int exits) {
  enlarge(positions_, at(vertex_count_ + exits), scratch_);
  enlarge(heights_, at(vertex_count_ + exits), scratch_);
  enlarge(gone_, at(vertex_count_ + exits), scratch_);
  enlarge(outgoing_, at(vertex_count_ + exits), scratch_);
  enlarge(left_, at(vertex_count_ + exits), scratch_);
  enlarge(edges_, at(edge_count_ + 2 * exits), scratch_);
  enlarge(faces_, at(face_count_ + exits), scratch_);
  enlarge(cap_from_, at(exits), scratch_);
}

void LensCell::set_vertices(std::span<const Vec3> vertices) {
  vertex_count_ = left_count_ = static_cast<int>(vertices.size());
  for (int v = 0; v < vertex_count_; ++v) {
    positions_[at(v)] = vertices[at(v)];
    gone_[at(v)] = 0;
    left_[at(v)] = v;
  }
}

void LensCell::set_edge(int number, int next, int twin, int origin, int face) {
  GROUSER_ASSERT(at(number) < edges_.size() && at(origin) < positions_.size());
  edges_[at(number)] = {next, twin, origin, face};
  outgoing_[at(origin)] = number;
}

void LensCell::start_prism(std::span<const Vec3> vertices) {
  const int n = static_cast<int>(vertices.size()) / 2;
  GROUSER_ASSERT(n >= 3 && vertices.size() == 2 * at(n));
  take(vertices.size(), at(6 * n), at(n + 2));
  set_vertices(vertices);
  for (int k = 0; k < n; ++k) {
    const int after = k + 1 < n ? k + 1 : 0;
    const int before = k > 0 ? k - 1 : n - 1;
    // Side: along the lower lid, up, back along the upper lid, down.
    set_edge(4 * k, 4 * k + 1, 4 * n + k, k, k);
    set_edge(4 * k + 1, 4 * k + 2, 4 * after + 3, after, k);
    set_edge(4 * k + 2, 4 * k + 3, 5 * n + k, n + after, k);
    set_edge(4 * k + 3, 4 * k, 4 * before + 1, n + k, k);
    set_edge(4 * n + k, 4 * n + before, 4 * k, after, n);
    set_edge(5 * n + k, 5 * n + after, 4 * k + 2, n + k, n + 1);
    faces_[at(k)] = {4 * k, k, false};
  }
  faces_[at(n)] = {4 * n, n, false};
  faces_[at(n + 1)] = {5 * n, n + 1, false};
  edge_count_ = 6 * n;
  face_count_ = n + 2;
}

void LensCell::start_pyramid(std::span<const Vec3> vertices) {
  const int n = static_cast<int>(vertices.size()) - 1;
  GROUSER_ASSERT(n >= 3);
  take(vertices.size(), at(4 * n), at(n + 1));
  set_vertices(vertices);
  for (int k = 0; k < n; ++k) {
    const int after = k + 1 < n ? k + 1 : 0;
    const int before = k > 0 ? k - 1 : n - 1;
    // Side: along the base, up to the apex, down again.
    set_edge(3 * k, 3 * k + 1, 3 * n + k, k, k);
    set_edge(3 * k + 1, 3 * k + 2, 3 * after + 2, after, k);
    set_edge(3 * k + 2, 3 * k, 3 * before + 1, n, k);
    set_edge(3 * n + k, 3 * n + before, 3 * k, after, n);
    faces_[at(k)] = {3 * k, k, false};
  }
  faces_[at(n)] = {3 * n, n, false};
  edge_count_ = 4 * n;
  face_count_ = n + 1;
}

void LensCell::start_patch(const Patch& patch) {
  GROUSER_ASSERT(patch.first_edge.size() >= 2 && patch.twins.size() == patch.origins.size());
  GROUSER_ASSERT(at(patch.first_edge.back()) == patch.origins.size());
  take(patch.vertices.size(), patch.origins.size(), patch.first_edge.size() - 1);
  face_count_ = static_cast<int>(patch.first_edge.size()) - 1;
  edge_count_ = static_cast<int>(patch.origins.size());
  set_vertices(patch.vertices);
  for (int f = 0; f < face_count_; ++f) {
    const int first = patch.first_edge[at(f)], end = patch.first_edge[at(f + 1)];
    for (int h = first; h < end; ++h)
      set_edge(h, h + 1 < end ? h + 1 : first, patch.twins[at(h)], patch.origins[at(h)], f);
    faces_[at(f)] = {first, f, false};
  }
}

/// Heights of all vertices, and how many are outside.
int LensCell::measure(const LensPlane& plane) {
  GROUSER_ASSERT(is_unit(plane.normal, 1e-6));
  const int* const left = left_.data();
  const Vec3* const positions = positions_.data();
  int outside = 0;
  for (int i = 0; i < left_count_; ++i) {
    const std::size_t v = at(left[i]);
    const double height = plane.normal.dot(positions[v]) - plane.offset;
    heights_[v] = height;
    gone_[v] = height > 0.0;
    outside += height > 0.0;
  }
  return outside;
}

void LensCell::add_exit(int edge) {
  if (at(exit_count_) == exits_.size()) enlarge(exits_, at(exit_count_ + 1), scratch_);
  exits_[at(exit_count_++)] = edge;
}

/// Exits are the twins of those half-edges around vertices outside that lead inside.
void LensCell::find_exits() {
  const HalfEdge* const edges = edges_.data();
  const char* const gone = gone_.data();
  exit_count_ = 0;
  for (int i = 0; i < left_count_; ++i) {
    const int v = left_[at(i)];
    if (!gone[v]) continue;
    const int first = outgoing_[at(v)];
    int h = first;
    do {
      const int twin = edges[h].twin;
      if (!gone[edges[twin].origin]) add_exit(twin);
      h = edges[twin].next;
    } while (h != first);
  }
}

void LensCell::find_exits_of_patch() {
  exit_count_ = 0;
  for (int h = 0; h < edge_count_; ++h) {
    const HalfEdge& edge = edges_[at(h)];
    if (gone_[at(edge.origin)] || !gone_[at(edges_[at(edge.next)].origin)]) continue;
    add_exit(h);
  }
}

void LensCell::drop_vertices_outside() {
  int kept = 0;
  for (int i = 0; i < left_count_; ++i)
    if (!gone_[at(left_[at(i)])]) left_[at(kept++)] = left_[at(i)];
  left_count_ = kept;
}

/// New vertices where edges leave; the halves that come back inside start there from now on.
void LensCell::split_exits() {
  for (int i = 0; i < exit_count_; ++i) {
    const HalfEdge& exit = edges_[at(exits_[at(i)])];
    HalfEdge& entry = edges_[at(exit.twin)];
    const std::size_t in = at(exit.origin), out = at(entry.origin);
    GROUSER_ASSERT(heights_[in] <= 0.0 && heights_[out] > 0.0);
    GROUSER_ASSERT(at(vertex_count_) < positions_.size());
    const double share = heights_[in] / (heights_[in] - heights_[out]);
    const int v = vertex_count_++;
    positions_[at(v)] = positions_[in] + share * (positions_[out] - positions_[in]);
    gone_[at(v)] = 0;
    outgoing_[at(v)] = exit.twin;
    left_[at(left_count_++)] = v;
    entry.origin = v;
  }
}

/// Joins exit and entry in every face that was cut, and the faces behind these joints to a new
/// one. (To more than one if rounding made several holes out of one.)
void LensCell::close(int plane, bool of_cutter) {
  const int first_vertex = vertex_count_;
  grow(exit_count_);
  split_exits();
  const int first_edge = edge_count_;
  for (int i = 0; i < exit_count_; ++i) {
    HalfEdge& exit = edges_[at(exits_[at(i)])];
    int entry = exit.next;
    while (edges_[at(entry)].origin < first_vertex) entry = edges_[at(entry)].next;
    const int joint = edge_count_++, cap = edge_count_++;
    const int from = edges_[at(exit.twin)].origin, to = edges_[at(entry)].origin;
    edges_[at(joint)] = {entry, cap, from, exit.face};
    edges_[at(cap)] = {-1, joint, to, -1};
    exit.next = joint;
    faces_[at(exit.face)].edge = joint;
    cap_from_[at(to - first_vertex)] = cap;
  }
  for (int i = 0; i < exit_count_; ++i) {
    const int joint = first_edge + 2 * i;
    edges_[at(joint + 1)].next = cap_from_[at(edges_[at(joint)].origin - first_vertex)];
  }
  for (int cap = first_edge + 1; cap < edge_count_; cap += 2) {
    if (edges_[at(cap)].face >= 0) continue;
    GROUSER_ASSERT(at(face_count_) < faces_.size() && at(edge_count_) <= edges_.size());
    faces_[at(face_count_)] = {cap, plane, of_cutter};
    for (int h = cap; edges_[at(h)].face < 0; h = edges_[at(h)].next)
      edges_[at(h)].face = face_count_;
    ++face_count_;
  }
}

bool LensCell::cut(const LensPlane& plane, int number) {
  const int outside = measure(plane);
  if (outside == 0) return true;
  if (outside == left_count_) return false;
  find_exits();
  drop_vertices_outside();
  close(number, true);
  return true;
}

void LensCell::cut_patch(const LensPlane& plane) {
  if (measure(plane) == 0) return;
  find_exits_of_patch();
  drop_vertices_outside();
  close(face_count_, false);
}

}  // namespace grouser
