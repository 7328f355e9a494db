#include "grouser/contact/pcm_surface.h"

#include <algorithm>

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
  for (const std::int32_t i : tree.primitives())
    lines_by_cluster.push_back(lines[static_cast<std::size_t>(i)]);
  for (std::size_t c = 0; c < tree.cluster_count(); ++c) {
    LineLanes here{};
    here.boxes = boxes_of_cluster(tree, c);
    here.box = here.boxes.join();
    for (std::size_t lane = 0; lane < tree.cluster(c).size(); ++lane) {
      const PenetrationLine& line = lines[static_cast<std::size_t>(tree.cluster(c)[lane])];
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
  for (const std::int32_t i : tree.primitives())
    triangles_by_cluster.push_back(triangles[static_cast<std::size_t>(i)]);
  for (std::size_t c = 0; c < tree.cluster_count(); ++c) {
    TriangleLanes here{};
    std::array<FloatLanes3, 3> corner{};
    here.boxes = boxes_of_cluster(tree, c);
    here.box = here.boxes.join();
    for (std::size_t lane = 0; lane < tree.cluster(c).size(); ++lane) {
      const auto t = static_cast<std::size_t>(tree.cluster(c)[lane]);
      for (std::size_t k = 0; k < 3; ++k)
        set_lane(corner[k], lane, mesh.corner(t, static_cast<int>(k)));
      set_lane(here.normal, lane, triangles[t].normal);
      here.offset[lane] = static_cast<float>(triangles[t].normal.dot(triangles[t].corner));
    }
    lanes.push_back(here);
    corners.push_back(corner);
  }
}

}  // namespace grouser
