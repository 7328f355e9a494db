// Flat-faced bodies of a lens. Round ones are in convex_lens_round.cpp.
#include "grouser/shape/convex_lens_body.h"

#include <algorithm>
#include <array>

#include "grouser/base/assert.h"
#include "grouser/shape/convex_lens_round.h"

namespace grouser {

namespace {

/// How far above the lowest point of a body its faces matter, in depths. Faces up to one depth
/// bound the overlap; those beyond it may be near enough to count in the weights of its faces.
constexpr double kSlab = 1.5;

double slab(const LensPlace& place) {
  return kSlab * place.depth + place.rounding;
}

LensBody half_space_body(const Pose& X_WS, const LensPlace& place, Scratch& scratch) {
  const std::span<LensPlane> planes = scratch.take<LensPlane>(1);
  const Vec3 normal = X_WS.R.col(2);
  planes[0] = {normal, -normal.dot(place.p_WO - X_WS.p), false};
  LensBody body;
  body.planes = body.cell_planes = planes;
  return body;
}

struct BoxRoom {
  std::array<Vec3, 8> vertices;
  std::array<LensPlane, 6> all;
  std::array<LensPlane, 6> near;
};

/// As a prism with lids at both ends of z. Sides: -y, +x, +y, -x, then the lids.
LensBody box_body(const Vec3& half, const Pose& X_WS, const LensPlace& place, Scratch& scratch) {
  BoxRoom& room = scratch.take<BoxRoom>(1)[0];
  const Vec3 center = X_WS.p - place.p_WO;
  const Vec3 x = half.x() * X_WS.R.col(0), y = half.y() * X_WS.R.col(1);
  const Vec3 z = half.z() * X_WS.R.col(2), sum = x + y, difference = x - y;
  for (std::size_t lid = 0; lid < 2; ++lid) {
    const Vec3 middle = lid == 0 ? Vec3(center - z) : Vec3(center + z);
    room.vertices[4 * lid] = middle - sum;
    room.vertices[4 * lid + 1] = middle + difference;
    room.vertices[4 * lid + 2] = middle + sum;
    room.vertices[4 * lid + 3] = middle - difference;
  }
  std::size_t near_count = 0;
  const auto add = [&](std::size_t face, const Vec3& normal, double offset, double from_middle) {
    room.all[face] = {normal, offset, false};
    // The face's lowest point is the body's, or twice its distance from the middle above it.
    const double lean = normal.dot(place.direction_W);
    if (lean >= 0.0 || -2.0 * lean * from_middle <= slab(place))
      room.near[near_count++] = room.all[face];
  };
  constexpr std::array<std::array<std::size_t, 2>, 3> kFaces = {{{3, 1}, {0, 2}, {4, 5}}};
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 normal = X_WS.R.col(axis);
    const double shift = normal.dot(center);
    const auto& [lower, upper] = kFaces[static_cast<std::size_t>(axis)];
    add(lower, -normal, half[axis] - shift, half[axis]);
    add(upper, normal, half[axis] + shift, half[axis]);
  }
  LensBody body;
  body.form = LensBody::Form::prism;
  body.planes = std::span(room.near).first(near_count);
  body.cell_planes = room.all;
  body.vertices = room.vertices;
  return body;
}

/// The faces of a hull that reach below the top of the slab.
struct NearFaces {
  std::span<const int> faces;
  std::span<const int> numbers;  ///< by face of the hull: which of `faces` it is, or -1
  double top;                    ///< what is farther than this along the direction is in the slab
  bool open;                     ///< some vertices of `faces` are not in it
};

/// A face that has the vertex as a corner.
int face_at(const ConvexHull& hull, int vertex) {
  // In blocks, which compilers turn into vector instructions.
  constexpr std::size_t kBlock = 16;
  const int* const corners = hull.corners.data();
  std::size_t corner = 0;
  for (bool found = false; corner + kBlock <= hull.corners.size(); corner += kBlock) {
    for (std::size_t k = 0; k < kBlock; ++k) found |= corners[corner + k] == vertex;
    if (found) break;
  }
  while (corners[corner] != vertex) ++corner;
  const auto after = std::upper_bound(hull.first_corner.begin(), hull.first_corner.end(),
                                      static_cast<int>(corner));
  return static_cast<int>(after - hull.first_corner.begin()) - 1;
}

/// Goes from face to face over the edges that have an end in the slab: these join all its faces.
NearFaces find_near_faces(const ConvexHull& hull, const Vec3& direction, double slab,
                          Scratch& scratch) {
  const auto at = [](int number) { return static_cast<std::size_t>(number); };
  const int lowest = farthest_vertex(hull, direction);
  const double top = direction.dot(hull.vertices[at(lowest)]) - slab;
  const std::span<int> faces = scratch.take<int>(hull.face_count());
  const std::span<int> numbers = scratch.take<int>(hull.face_count());
  std::fill(numbers.begin(), numbers.end(), -1);
  std::size_t count = 0;
  const auto add = [&](int face) {
    if (numbers[at(face)] >= 0) return;
    numbers[at(face)] = static_cast<int>(count);
    faces[count++] = face;
  };
  const auto is_near = [&](int v) { return direction.dot(hull.vertices[at(v)]) >= top; };
  add(face_at(hull, lowest));
  bool open = false;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const int> corners = hull.corners_of(at(faces[i]));
    const int* across = &hull.across[at(hull.first_corner[at(faces[i])])];
    const bool first = is_near(corners[0]);
    bool from = first;
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const bool to = k + 1 < corners.size() ? is_near(corners[k + 1]) : first;
      if (from || to) add(across[k]);
      open = open || !to;
      from = to;
    }
  }
  return {faces.first(count), numbers, top, open};
}

LensBody hull_body(const ConvexHull& hull, const Pose& X_WS, const LensPlace& place,
                   Scratch& scratch) {
  const Vec3 p_SO = X_WS.R.transpose() * (place.p_WO - X_WS.p);
  const Vec3 direction = X_WS.R.transpose() * place.direction_W;
  const NearFaces near = find_near_faces(hull, direction, slab(place), scratch);
  const std::span<LensPlane> planes = scratch.take<LensPlane>(near.faces.size() + 1);
  for (std::size_t i = 0; i < near.faces.size(); ++i) {
    const auto f = static_cast<std::size_t>(near.faces[i]);
    planes[i] = {X_WS.R * hull.normals[f], hull.offsets[f] - hull.normals[f].dot(p_SO), false};
  }
  planes.back() = {-place.direction_W, direction.dot(p_SO) - near.top, true};
  LensBody body;
  body.form = LensBody::Form::patch;
  body.planes = planes.first(near.faces.size());
  body.cell_planes = near.open ? planes : body.planes;
  body.hull = &hull;
  body.hull_faces = near.faces;
  body.face_numbers = near.numbers;
  return body;
}

/// Twin of the half-edge from vertex `from` to `to` among those of the face across, or -1.
int find_twin(std::span<const int> origins, int first, int end, int from, int to) {
  for (int h = first; h < end; ++h) {
    const int after = h + 1 < end ? h + 1 : first;
    if (origins[static_cast<std::size_t>(h)] == to &&
        origins[static_cast<std::size_t>(after)] == from)
      return h;
  }
  return -1;
}

/// Vertices, faces and half-edges of the near faces, numbered anew.
LensCell::Patch make_patch(const LensBody& body, const Pose& X_WS, const LensPlace& place,
                           Scratch& scratch) {
  const ConvexHull& hull = *body.hull;
  const auto at = [](int number) { return static_cast<std::size_t>(number); };
  const std::span<int> number_of_vertex = scratch.take<int>(hull.vertices.size());
  std::fill(number_of_vertex.begin(), number_of_vertex.end(), -1);
  const std::span<int> first_edge = scratch.take<int>(body.hull_faces.size() + 1);
  first_edge[0] = 0;
  for (std::size_t i = 0; i < body.hull_faces.size(); ++i)
    first_edge[i + 1] =
        first_edge[i] + static_cast<int>(hull.corners_of(at(body.hull_faces[i])).size());
  const std::size_t edge_count = at(first_edge.back());
  const std::span<int> origins = scratch.take<int>(edge_count);
  const std::span<int> twins = scratch.take<int>(edge_count);
  const std::span<Vec3> vertices = scratch.take<Vec3>(std::min(hull.vertices.size(), edge_count));
  const Vec3 p_OS = X_WS.p - place.p_WO;
  int vertex_count = 0;
  std::size_t h = 0;
  for (const int face : body.hull_faces)
    for (const int v : hull.corners_of(at(face))) {
      int& number = number_of_vertex[at(v)];
      if (number < 0) {
        number = vertex_count++;
        vertices[at(number)] = X_WS.R * hull.vertices[at(v)] + p_OS;
      }
      origins[h++] = number;
    }
  for (std::size_t i = 0; i < body.hull_faces.size(); ++i) {
    const int first = first_edge[i], end = first_edge[i + 1];
    const int first_corner = hull.first_corner[at(body.hull_faces[i])];
    for (int e = first; e < end; ++e) {
      const int across = body.face_numbers[at(hull.across[at(first_corner + e - first)])];
      const int to = origins[at(e + 1 < end ? e + 1 : first)];
      twins[at(e)] = across < 0 ? -1
                                : find_twin(origins, first_edge[at(across)],
                                            first_edge[at(across + 1)], origins[at(e)], to);
    }
  }
  return {vertices.first(at(vertex_count)), first_edge, origins, twins};
}

}  // namespace

LensBody make_lens_body(const ConvexShape& shape, const Pose& X_WS, const LensPlace& place,
                        Scratch& scratch) {
  switch (shape.kind) {
    case ConvexKind::half_space:
      return half_space_body(X_WS, place, scratch);
    case ConvexKind::box:
      return box_body(shape.half_size, X_WS, place, scratch);
    case ConvexKind::cylinder:
      return cylinder_body(shape, X_WS, place, scratch);
    case ConvexKind::cone:
      return cone_body(shape, X_WS, place, scratch);
    default:
      GROUSER_ASSERT(shape.hull);
      return hull_body(*shape.hull, X_WS, place, scratch);
  }
}

void start_cell(const LensBody& body, const Pose& X_WS, const LensPlace& place, Scratch& scratch,
                LensCell& cell) {
  switch (body.form) {
    case LensBody::Form::prism:
      return cell.start_prism(body.vertices);
    case LensBody::Form::pyramid:
      return cell.start_pyramid(body.vertices);
    case LensBody::Form::patch:
      cell.start_patch(make_patch(body, X_WS, place, scratch));
      if (body.cell_planes.size() > body.planes.size()) cell.cut_patch(body.cell_planes.back());
      return;
    case LensBody::Form::planes:
      return;
  }
}

}  // namespace grouser
