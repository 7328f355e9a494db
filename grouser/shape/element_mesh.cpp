#include "grouser/shape/element_mesh.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/mesh/revolved_mesh.h"

namespace grouser {

namespace {

constexpr int kAroundTube = 16, kAroundAxis = 96, kPerPiece = 12, kRingsOfCap = 4;
/// Of the size of what has no thickness.
constexpr double kThin = 0.01;

double thickness(double radius, double size) {
  return radius > 0.0 ? radius : kThin * size;
}

std::int32_t index(std::size_t i) {
  return static_cast<std::int32_t>(i);
}

/// Joins rings of equally many vertices, each to the next; `closed` the last to the first.
void join_rings(TriangleMesh& mesh, std::size_t first, std::size_t rings, std::size_t around,
                bool closed) {
  for (std::size_t i = 0; i + (closed ? 0 : 1) < rings; ++i) {
    const std::size_t here = first + i * around, next = first + (i + 1) % rings * around;
    for (std::size_t k = 0; k < around; ++k) {
      const std::size_t l = (k + 1) % around;
      mesh.triangles.push_back({index(here + k), index(here + l), index(next + l)});
      mesh.triangles.push_back({index(here + k), index(next + l), index(next + k)});
    }
  }
}

/// A closed profile (radius, z), counter-clockwise, turned around the axis z.
TriangleMesh turned(const std::vector<Vec2>& profile) {
  TriangleMesh mesh;
  for (const Vec2& point : profile) {
    for (int k = 0; k < kAroundAxis; ++k) {
      const double angle = 2.0 * kPi * k / kAroundAxis;
      mesh.vertices.emplace_back(point.x() * std::cos(angle), point.x() * std::sin(angle),
                                 point.y());
    }
  }
  join_rings(mesh, 0, profile.size(), kAroundAxis, true);
  return mesh;
}

/// Directions along a curve through points, and one across each that turns as little as possible.
struct Frames {
  std::vector<Vec3> along, across;
};

Frames frames_of(const std::vector<Vec3>& points, bool closed) {
  Frames frames;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool first = i == 0 && !closed, last = i + 1 == n && !closed;
    const Vec3 in = (points[i] - points[first ? i : (i + n - 1) % n]);
    const Vec3 out = (points[last ? i : (i + 1) % n] - points[i]);
    const Vec3 sum = (first ? out : Vec3(in.normalized())) + (last ? in : Vec3(out.normalized()));
    // A curve that turns back has no middle direction.
    const Vec3 way = first ? out : last || sum.norm() < 1e-6 ? in : sum;
    frames.along.push_back(way.normalized());
  }
  Vec3 across = frames.along[0].unitOrthogonal();
  for (const Vec3& along : frames.along) {
    const Vec3 turned_on = across - across.dot(along) * along;
    across = turned_on.norm() > 1e-6 ? turned_on.normalized() : along.unitOrthogonal();
    frames.across.push_back(across);
  }
  if (!closed) return frames;
  // What is missing at the seam is shared out.
  const Vec3 along = frames.along[0], start = frames.across[0];
  const Vec3 arrived = (across - across.dot(along) * along).normalized();
  const double twist = std::atan2(arrived.cross(start).dot(along), arrived.dot(start));
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = twist * static_cast<double>(i) / static_cast<double>(n);
    frames.across[i] = Eigen::AngleAxisd(angle, frames.along[i]) * frames.across[i];
  }
  return frames;
}

void add_ring(TriangleMesh& mesh, const Vec3& center, const Vec3& along, const Vec3& across,
              double radius) {
  const Vec3 third = along.cross(across);
  for (int k = 0; k < kAroundTube; ++k) {
    const double angle = 2.0 * kPi * k / kAroundTube;
    mesh.vertices.push_back(center + radius * (std::cos(angle) * across + std::sin(angle) * third));
  }
}

/// A tube around a curve, with round ends if it is open.
TriangleMesh tube(const std::vector<Vec3>& points, bool closed, double radius) {
  GROUSER_ASSERT(points.size() >= 2 && radius > 0.0);
  TriangleMesh mesh;
  const Frames frames = frames_of(points, closed);
  const auto cap_ring = [&](std::size_t i, double latitude) {
    add_ring(mesh, points[i] + radius * std::sin(latitude) * frames.along[i], frames.along[i],
             frames.across[i], radius * std::cos(latitude));
  };
  const auto latitude = [](int k) { return 0.5 * kPi * k / kRingsOfCap; };
  if (!closed) {
    for (int k = kRingsOfCap - 1; k > 0; --k) cap_ring(0, -latitude(k));
  }
  for (std::size_t i = 0; i < points.size(); ++i) cap_ring(i, 0.0);
  if (!closed) {
    for (int k = 1; k < kRingsOfCap; ++k) cap_ring(points.size() - 1, latitude(k));
  }
  const std::size_t rings = mesh.vertices.size() / kAroundTube;
  join_rings(mesh, 0, rings, kAroundTube, closed);
  if (closed) return mesh;
  const std::size_t last_ring = (rings - 1) * kAroundTube, first_pole = mesh.vertices.size();
  mesh.vertices.push_back(points.front() - radius * frames.along.front());
  mesh.vertices.push_back(points.back() + radius * frames.along.back());
  for (std::size_t k = 0; k < kAroundTube; ++k) {
    const std::size_t l = (k + 1) % kAroundTube;
    mesh.triangles.push_back({index(l), index(k), index(first_pole)});
    mesh.triangles.push_back({index(last_ring + k), index(last_ring + l), index(first_pole + 1)});
  }
  return mesh;
}

double size_of(const Box& box) {
  return 2.0 * box.half_size().norm();
}

}  // namespace

TriangleMesh mesh_of(const Segment& segment, double radius) {
  const double length = (segment.to - segment.from).norm();
  return tube({segment.from, segment.to}, false, thickness(radius, length));
}

TriangleMesh mesh_of(const Polyline& polyline, double radius) {
  return tube(polyline.points(), polyline.closed(), thickness(radius, size_of(polyline.box())));
}

TriangleMesh mesh_of(const Spline& spline, double radius) {
  return tube(spline.samples(kPerPiece), spline.closed(), thickness(radius, size_of(spline.box())));
}

TriangleMesh mesh_of(const Disc& disc, double radius) {
  const double half = thickness(radius, disc.radius), r = disc.radius;
  if (disc.inner_radius > 0.0) {
    const double inner = disc.inner_radius;
    return turned({{inner, -half}, {r, -half}, {r, half}, {inner, half}});
  }
  return revolve(
      {{0.0, -half, 1}, {r, -half, kAroundAxis}, {r, half, kAroundAxis}, {0.0, half, 1}});
}

TriangleMesh mesh_of(const Frustum& frustum, double radius) {
  const double largest = std::max(frustum.bottom_radius, frustum.top_radius);
  const double half = thickness(radius, largest);
  const Vec2 bottom(frustum.bottom_radius, 0.0), top(frustum.top_radius, frustum.height);
  const Vec2 up = (top - bottom).normalized(), out = half * Vec2(up.y(), -up.x());
  std::vector<Vec2> profile{bottom - out, bottom + out, top + out, top - out};
  // At the tip of a cone the inner wall would be beyond the axis.
  for (Vec2& point : profile) point.x() = std::max(point.x(), 1e-6 * largest);
  return turned(profile);
}

TriangleMesh mesh_of(const Polygon& polygon, double radius) {
  const std::vector<Vec3>& points = polygon.points();
  double size = 0.0;
  for (const Vec3& point : points) size = std::max(size, (point - points[0]).norm());
  const Vec3 half = thickness(radius, size) * polygon.normal();
  TriangleMesh mesh;
  for (const Vec3& point : points) mesh.vertices.push_back(point - half);
  for (const Vec3& point : points) mesh.vertices.push_back(point + half);
  join_rings(mesh, 0, 2, points.size(), false);
  const std::int32_t above = index(points.size());
  for (const auto& [a, b, c] : polygon.triangles()) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({above + a, above + b, above + c});
  }
  return mesh;
}

}  // namespace grouser
