#include "grouser/shape/soft_body.h"

#include <algorithm>
#include <numeric>

#include "grouser/base/assert.h"
#include "grouser/shape/convex_near_faces.h"

namespace grouser {
namespace {

std::size_t at(int number) {
  return static_cast<std::size_t>(number);
}

/// Numbers of the faces of a body that reach into the slab behind its farthest point.
std::span<const int> faces_within(const ConvexShape& shape, const Mat3& R_WS, const Vec3& outward_W,
                                  double slab, Scratch& scratch) {
  const Vec3 outward = R_WS.transpose() * outward_W;
  if (shape.kind != ConvexKind::box) return find_near_faces(*shape.hull, outward, slab, scratch);
  // The farthest point of a face that looks away lies behind by the whole of its thickness.
  const std::span<int> faces = scratch.take<int>(6);
  std::size_t count = 0;
  for (int face = 0; face < 6; ++face) {
    const double ahead = outward[face / 2] * (face % 2 == 0 ? -1.0 : 1.0);
    if (-2.0 * ahead * shape.half_size[face / 2] <= slab) faces[count++] = face;
  }
  return faces.first(count);
}

std::span<const RigidFace> place_faces(const ConvexHull& hull, std::span<const int> faces,
                                       const Pose& X_WS, const Vec3& p_WO, Scratch& scratch) {
  const Vec3 p_OS = X_WS.p - p_WO;
  const std::span<RigidFace> out = scratch.take<RigidFace>(faces.size());
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const std::span<const int> loop = hull.corners_of(at(faces[i]));
    const std::span<Vec3> corners = scratch.take<Vec3>(loop.size());
    for (std::size_t k = 0; k < loop.size(); ++k)
      corners[k] = X_WS.R * hull.vertices[at(loop[k])] + p_OS;
    out[i] = {corners, X_WS.R * hull.normals[at(faces[i])]};
  }
  return out;
}

}  // namespace

SoftBody make_soft_body(const ConvexShape& shape, const Pose& X_WS, const OverlapPlace& place,
                        bool with_edges, Scratch& scratch) {
  const Vec3 p_SO = X_WS.R.transpose() * (place.p_WO - X_WS.p);
  SoftBody out;
  if (shape.kind == ConvexKind::half_space) {
    const std::span<LinearField> face = scratch.take<LinearField>(1);
    face[0] = {-X_WS.R.col(2), -p_SO.z()};
    out.faces = face;
    return out;
  }
  GROUSER_ASSERT(shape.hull);
  const ConvexHull& hull = *shape.hull;
  // A point of the overlap is no deeper in the body than the overlap, so the face nearest to it
  // is at most that much farther away.
  const std::span<const int> near =
      faces_within(shape, X_WS.R, place.normal_W, 2.0 * place.depth, scratch);
  const std::span<LinearField> faces = scratch.take<LinearField>(near.size());
  for (std::size_t i = 0; i < near.size(); ++i) {
    const Vec3& normal = hull.normals[at(near[i])];
    faces[i] = {-(X_WS.R * normal), hull.offsets[at(near[i])] - normal.dot(p_SO)};
  }
  out.faces = faces;
  if (!with_edges) return out;
  std::size_t corner_count = 0;
  for (const int face : near) corner_count += hull.corners_of(at(face)).size();
  const std::span<EdgeLine> edges = scratch.take<EdgeLine>(corner_count + 8);
  std::size_t count = 0;
  for (std::size_t i = 0; i < near.size(); ++i) {
    const std::span<const int> corners = hull.corners_of(at(near[i]));
    const int* across = &hull.across[at(hull.first_corner[at(near[i])])];
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const auto other = std::find(near.begin(), near.end(), across[k]);
      const int number = other == near.end() ? -1 : static_cast<int>(other - near.begin());
      if (number >= 0 && at(number) < i) continue;  // known from there
      const int to = corners[k + 1 < corners.size() ? k + 1 : 0];
      edges[count++] = {X_WS.R * (hull.vertices[at(corners[k])] - p_SO),
                        X_WS.R * (hull.vertices[at(to)] - p_SO), static_cast<int>(i), number};
    }
  }
  out.has_milder_kinks = shape.kind != ConvexKind::box;
  if (shape.kind == ConvexKind::box) {
    const double least = shape.half_size.minCoeff();
    const Vec3 outward = X_WS.R.transpose() * place.normal_W;
    for (const Vec3& corner : hull.vertices) {
      const double behind = outward.cwiseAbs().dot(shape.half_size) - outward.dot(corner);
      if (behind > 2.0 * place.depth) continue;
      const Vec3 inward = -least * corner.cwiseSign();
      edges[count++] = {X_WS.R * (corner - p_SO), X_WS.R * (corner + inward - p_SO), -1, -1};
    }
  }
  out.edges = edges.first(count);
  return out;
}

std::span<const RigidFace> make_rigid_faces(const ConvexShape& shape, const Pose& X_WS,
                                            const OverlapPlace& place, Scratch& scratch) {
  GROUSER_ASSERT(shape.hull);
  return place_faces(*shape.hull,
                     faces_within(shape, X_WS.R, -place.normal_W, place.depth, scratch), X_WS,
                     place.p_WO, scratch);
}

std::span<const RigidFace> all_rigid_faces(const ConvexShape& shape, const Pose& X_WS,
                                           const Vec3& p_WO, Scratch& scratch) {
  GROUSER_ASSERT(shape.hull);
  const std::span<int> all = scratch.take<int>(shape.hull->face_count());
  std::iota(all.begin(), all.end(), 0);
  return place_faces(*shape.hull, all, X_WS, p_WO, scratch);
}

}  // namespace grouser
