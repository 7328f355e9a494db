#include "grouser/contact/pcm_surface.h"

#include <algorithm>

#include "grouser/base/assert.h"

namespace grouser {
namespace {

// Boxes are a little larger than what they hold, so that rounding loses no line that starts on or
// runs along a face of one [m].
constexpr double kBoxMargin = 1e-12;

Box with_margin(Box box) {
  box.lower.array() -= kBoxMargin;
  box.upper.array() += kBoxMargin;
  return box;
}

Box line_box(const PenetrationLine& line, double length) {
  Box box;
  box.add(line.start);
  box.add(Vec3(line.start - length * line.normal));
  return with_margin(box);
}

TargetTriangle make_triangle(const TriangleMesh& mesh, std::size_t i) {
  const TriangleFace face = face_of(mesh, i);
  TargetTriangle out{mesh.corner(i, 0), face.normal, Vec3::Zero(), Vec3::Zero()};
  if (face.area == 0.0) return out;
  const Vec3 edge_1 = mesh.corner(i, 1) - out.corner, edge_2 = mesh.corner(i, 2) - out.corner;
  out.along_1 = edge_2.cross(face.normal) / (2.0 * face.area);
  out.along_2 = face.normal.cross(edge_1) / (2.0 * face.area);
  return out;
}

void set_lane(FloatLanes3& lanes, std::size_t lane, const Vec3& value) {
  for (std::size_t k = 0; k < 3; ++k)
    lanes[k][lane] = static_cast<float>(value[static_cast<Eigen::Index>(k)]);
}

unsigned used_lanes(const BoxTree& tree, std::size_t cluster) {
  return (1u << tree.cluster(cluster).size()) - 1u;
}

/// The primitive in a lane of a cluster; the first one in lanes without.
std::size_t primitive_in(const BoxTree& tree, std::size_t cluster, std::size_t lane) {
  GROUSER_ASSERT(lane < kLanes);
  const std::span<const std::int32_t> primitives = tree.cluster(cluster);
  return static_cast<std::size_t>(primitives[lane < primitives.size() ? lane : 0]);
}

/// Boxes of a cluster of a tree; lanes beyond its primitives stay empty.
BoxLanes boxes_of_cluster(const BoxTree& tree, std::size_t cluster) {
  BoxLanes lanes;
  const std::size_t count = tree.cluster(cluster).size();
  for (std::size_t lane = 0; lane < kLanes; ++lane)
    lanes.set(lane,
              outward(lane < count ? tree.primitive_boxes()[kLanes * cluster + lane] : Box{}));
  return lanes;
}

}  // namespace

BaseSurface::BaseSurface(TriangleMesh mesh_B, double line_length, Probe probe)
    : mesh(std::move(mesh_B)), length(line_length) {
  std::vector<Box> line_boxes;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    const TriangleFace face = face_of(mesh, i);
    lines.push_back({face.centroid, face.normal});
    areas.push_back(face.area);
    if (probe == Probe::line) {
      line_boxes.push_back(line_box(lines.back(), length));
      continue;
    }
    prisms.push_back(
        make_piece_base({mesh.corner(i, 0), mesh.corner(i, 1), mesh.corner(i, 2)}, face.normal));
    Box box = triangle_box(mesh, i);
    for (int k = 0; k < 3; ++k) box.add(Vec3(mesh.corner(i, k) - length * face.normal));
    line_boxes.push_back(with_margin(box));
  }
  tree = BoxTree(line_boxes);
  GROUSER_ASSERT(tree.size() == mesh.triangle_count() && length > 0.0);
  for (const std::int32_t i : tree.primitives())
    lines_by_cluster.push_back(lines[static_cast<std::size_t>(i)]);
  for (std::size_t c = 0; c < tree.cluster_count(); ++c) {
    const BoxLanes boxes = boxes_of_cluster(tree, c);
    if (probe == Probe::prism) {
      prism_boxes.push_back(boxes);
      continue;
    }
    LineLanes here{};
    here.box = boxes.join();
    here.length = static_cast<float>(length);
    here.used = used_lanes(tree, c);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const PenetrationLine& line = lines[primitive_in(tree, c, lane)];
      set_lane(here.start, lane, line.start);
      set_lane(here.end, lane, line.start - length * line.normal);
    }
    lanes.push_back(here);
  }
}

TargetSurface::TargetSurface(TriangleMesh mesh_B) : mesh(std::move(mesh_B)) {
  std::vector<Box> triangle_boxes;
  for (std::size_t i = 0; i < mesh.triangle_count(); ++i) {
    triangles.push_back(make_triangle(mesh, i));
    triangle_boxes.push_back(with_margin(triangle_box(mesh, i)));
  }
  tree = BoxTree(triangle_boxes);
  GROUSER_ASSERT(tree.size() == triangles.size());
  for (const std::int32_t i : tree.primitives())
    triangles_by_cluster.push_back(triangles[static_cast<std::size_t>(i)]);
  for (std::size_t c = 0; c < tree.cluster_count(); ++c) {
    TriangleLanes here{};
    std::array<FloatLanes3, 3> corner{};
    here.boxes = boxes_of_cluster(tree, c);
    here.box = here.boxes.join();
    here.used = used_lanes(tree, c);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t t = primitive_in(tree, c, lane);
      const TargetTriangle& triangle = triangles[t];
      for (std::size_t k = 0; k < 3; ++k)
        set_lane(corner[k], lane, mesh.corner(t, static_cast<int>(k)));
      if (triangle.normal.isZero(0.0)) here.used &= ~(1u << lane);  // nothing meets it
      set_lane(here.normal, lane, triangle.normal);
      set_lane(here.along_1, lane, triangle.along_1);
      set_lane(here.along_2, lane, triangle.along_2);
      here.offset[lane] = static_cast<float>(triangle.normal.dot(triangle.corner));
      here.offset_1[lane] = static_cast<float>(triangle.along_1.dot(triangle.corner));
      here.offset_2[lane] = static_cast<float>(triangle.along_2.dot(triangle.corner));
      here.steepness[lane] = static_cast<float>(triangle.along_1.norm() + triangle.along_2.norm());
    }
    lanes.push_back(here);
    corners.push_back(corner);
  }
}

}  // namespace grouser
