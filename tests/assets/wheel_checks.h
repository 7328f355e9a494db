// What tests ask of wheels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "grouser/assets/wheel.h"
#include "grouser/base/hash.h"
#include "tests/mesh/solids.h"

namespace grouser {

/// Surfaces that share no vertex.
inline std::size_t component_count(const TriangleMesh& mesh) {
  std::vector<std::size_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::int32_t vertex) {
    auto v = static_cast<std::size_t>(vertex);
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const auto& [a, b, c] : mesh.triangles) {
    parent[root(a)] = root(b);
    parent[root(b)] = root(c);
  }
  std::size_t count = 0;
  for (std::size_t v = 0; v < parent.size(); ++v) count += parent[v] == v;
  return count;
}

inline double longest_edge(const TriangleMesh& mesh) {
  double longest = 0.0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k)
      longest = std::max(longest, (mesh.corner(t, k) - mesh.corner(t, (k + 1) % 3)).norm());
  return longest;
}

/// Of all triangles [rad]; 60 degrees is best.
inline double smallest_angle(const TriangleMesh& mesh) {
  double smallest = kPi;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3 u = mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k);
      const Vec3 v = mesh.corner(t, (k + 2) % 3) - mesh.corner(t, k);
      smallest = std::min(smallest, std::atan2(u.cross(v).norm(), u.dot(v)));
    }
  return smallest;
}

/// The group "side" looks along the axis, away from the wheel, everywhere.
inline void expect_flat_sides(const TriangleMesh& mesh, const WheelDef& def) {
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    if (mesh.group_names[static_cast<std::size_t>(mesh.groups[t])] != "side") continue;
    for (int k = 0; k < 3; ++k) EXPECT_EQ(std::abs(mesh.corner(t, k).y()), def.width / 2.0);
    EXPECT_GT(face_of(mesh, t).normal.y() * mesh.corner(t, 0).y(), 0.0);
  }
}

/// Vertices at this distance from the axis and place along it, to rounding.
inline std::size_t vertices_at(const TriangleMesh& mesh, double radius, double y) {
  return static_cast<std::size_t>(
      std::count_if(mesh.vertices.begin(), mesh.vertices.end(), [&](const Vec3& p) {
        return std::abs(std::hypot(p.x(), p.z()) - radius) < 1e-12 && std::abs(p.y() - y) < 1e-12;
      }));
}

/// Angle of the middle of the top of the grouser at angle 0, of twelve, at y: all vertices of tops
/// lie on `radius`.
inline double top_angle(const TriangleMesh& mesh, double radius, double y) {
  std::vector<double> angles;
  for (const Vec3& p : mesh.vertices)
    if (std::abs(std::hypot(p.x(), p.z()) - radius) < 1e-12 && std::abs(p.y() - y) < 1e-12)
      angles.push_back(std::atan2(p.x(), p.z()));
  std::erase_if(angles, [](double angle) { return std::abs(angle) > kPi / 12.0; });
  const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
  return angles.empty() ? kPi : 0.5 * (*low + *high);
}

/// Edges that pierce triangles they share no vertex with.
inline std::size_t self_intersections(const TriangleMesh& mesh) {
  const std::size_t count = mesh.triangle_count();
  std::vector<Box> boxes;
  for (std::size_t t = 0; t < count; ++t) boxes.push_back(triangle_box(mesh, t));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return boxes[a].lower.x() < boxes[b].lower.x(); });
  const double size = bounding_box(mesh).half_size().maxCoeff();
  const double touching = 1e-12 * size * size * size;  // rounding of volumes
  const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return (b - a).cross(c - a).dot(d - a);
  };
  const auto pierces = [&](std::size_t edges, std::size_t face) {
    const Vec3 &a = mesh.corner(face, 0), &b = mesh.corner(face, 1), &c = mesh.corner(face, 2);
    for (int k = 0; k < 3; ++k) {
      const Vec3 &p = mesh.corner(edges, k), &q = mesh.corner(edges, (k + 1) % 3);
      const double above = volume(a, b, c, p), below = volume(a, b, c, q);
      if (std::min(above, below) > -touching || std::max(above, below) < touching) continue;
      const double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
      if (std::min({ab, bc, ca}) > touching || std::max({ab, bc, ca}) < -touching) return true;
    }
    return false;
  };
  const auto share_vertex = [&](std::size_t s, std::size_t t) {
    for (const std::int32_t a : mesh.triangles[s])
      for (const std::int32_t b : mesh.triangles[t])
        if (a == b) return true;
    return false;
  };
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i + 1; j < count; ++j) {
      const std::size_t s = order[i], t = order[j];
      if (boxes[t].lower.x() > boxes[s].upper.x()) break;
      if (!boxes[s].overlaps(boxes[t]) || share_vertex(s, t)) continue;
      found += pierces(s, t) || pierces(t, s);
    }
  return found;
}

inline std::uint64_t hash_of(const TriangleMesh& mesh) {
  Hash hash;
  for (const Vec3& p : mesh.vertices)
    for (int k = 0; k < 3; ++k) hash.add(p[k]);
  for (const auto& triangle : mesh.triangles)
    for (const std::int32_t v : triangle) hash.add(static_cast<std::uint64_t>(v));
  for (const std::int32_t group : mesh.groups) hash.add(static_cast<std::uint64_t>(group));
  return hash.digest();
}

}  // namespace grouser
