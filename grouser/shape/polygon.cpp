#include "grouser/shape/polygon.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"
#include "grouser/shape/point_list.h"

namespace grouser {

namespace {

/// Relative to the size of the outline: flatness, and how close points and edges may come.
constexpr double kFlat = 1e-6, kApart = 1e-9;

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Twice the area, towards the front (Newell).
Vec3 area_vector(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 a = points[i] - points[0], b = points[(i + 1) % points.size()] - points[0];
    sum += a.cross(b);
  }
  return sum;
}

/// Of two ways from the first point to others.
Vec3 largest_cross(const std::vector<Vec3>& points) {
  Vec3 largest = Vec3::Zero();
  for (std::size_t i = 1; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      const Vec3 now = (points[i] - points[0]).cross(points[j] - points[0]);
      if (now.norm() > largest.norm()) largest = now;
    }
  }
  return largest;
}

double size_of(const std::vector<Vec3>& points) {
  double size = 0.0;
  for (const Vec3& point : points) size = std::max(size, (point - points[0]).norm());
  return size;
}

void require_no_repeats(const std::vector<Vec3>& points, double size) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      if ((points[i] - points[j]).norm() <= kApart * size) {
        throw InputError("points " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
                         " of the polygon coincide");
      }
    }
  }
}

/// Distance of p from the edge.
double distance_from(const Vec2& p, const Polygon::Edge& edge) {
  const double t = std::clamp((p - edge.from).dot(edge.tangent), 0.0, edge.length);
  return (p - edge.from - t * edge.tangent).norm();
}

Vec2 end_of(const Polygon::Edge& edge) {
  return edge.from + edge.length * edge.tangent;
}

/// Whether edges without a common corner cross or touch.
bool meet(const Polygon::Edge& a, const Polygon::Edge& b, double close) {
  const double a_from = cross(b.tangent, a.from - b.from);
  const double a_to = cross(b.tangent, end_of(a) - b.from);
  const double b_from = cross(a.tangent, b.from - a.from);
  const double b_to = cross(a.tangent, end_of(b) - a.from);
  if ((a_from > 0.0) != (a_to > 0.0) && (b_from > 0.0) != (b_to > 0.0)) return true;
  return distance_from(a.from, b) <= close || distance_from(end_of(a), b) <= close ||
         distance_from(b.from, a) <= close || distance_from(end_of(b), a) <= close;
}

void require_no_crossings(const std::vector<Polygon::Edge>& edges, double size) {
  const std::size_t count = edges.size();
  for (std::size_t i = 0; i < count; ++i) {
    // Neighbours only share a corner, unless one runs back along the other.
    const Polygon::Edge& next = edges[(i + 1) % count];
    if (edges[i].tangent.dot(next.tangent) < 0.0 &&
        std::abs(cross(edges[i].tangent, next.tangent)) <= kApart) {
      throw InputError("edges " + std::to_string(i + 1) + " and " +
                       std::to_string((i + 1) % count + 1) + " of the polygon lie on each other");
    }
    for (std::size_t j = i + 2; j < count; ++j) {
      if (i == 0 && j + 1 == count) continue;
      if (meet(edges[i], edges[j], kApart * size)) {
        throw InputError("edges " + std::to_string(i + 1) + " and " + std::to_string(j + 1) +
                         " of the polygon cross or touch");
      }
    }
  }
}

/// Whether the triangle a, b, c, counter-clockwise, holds p.
bool holds(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& p) {
  return cross(b - a, p - a) >= 0.0 && cross(c - b, p - b) >= 0.0 && cross(a - c, p - c) >= 0.0;
}

}  // namespace

Polygon::Polygon(const std::vector<Vec3>& points) : points_(points) {
  require_points(points_, 3, "a polygon");
  const double size = size_of(points_);
  require_no_repeats(points_, size);
  const Vec3 doubled = area_vector(points_);
  area_ = 0.5 * doubled.norm();
  // The loops of a figure of eight may cancel; it is refused for its crossings further down.
  const bool has_area = area_ > kApart * size * size;
  const Vec3 across_plane = has_area ? doubled : largest_cross(points_);
  if (across_plane.norm() <= kApart * size * size) {
    throw InputError("the points of the polygon are on a line");
  }
  normal_ = across_plane.normalized();
  const Vec3 edge = points_[1] - points_[0];
  along_ = (edge - normal_.dot(edge) * normal_).normalized();
  across_ = normal_.cross(along_);

  double least = 0.0, most = 0.0;
  for (const Vec3& point : points_) {
    const double height = normal_.dot(point - points_[0]);
    least = std::min(least, height);
    most = std::max(most, height);
  }
  if (most - least > kFlat * size) {
    throw InputError("the points of the polygon are not in a plane: they are off by " +
                     to_text(most - least, 3) + " m");
  }
  const double middle = 0.5 * (least + most);
  for (Vec3& point : points_) {
    point += (middle + normal_.dot(points[0] - point)) * normal_;
  }

  std::vector<Vec2> flat;
  for (const Vec3& point : points_) {
    const Vec3 p = point - points_[0];
    flat.emplace_back(p.dot(along_), p.dot(across_));
  }
  for (std::size_t i = 0; i < flat.size(); ++i) {
    const Vec2 way = flat[(i + 1) % flat.size()] - flat[i];
    edges_.push_back({flat[i], way.normalized(), way.norm(), false});
  }
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Edge& before = edges_[(i + edges_.size() - 1) % edges_.size()];
    edges_[i].notch = cross(before.tangent, edges_[i].tangent) < 0.0;
  }
  require_no_crossings(edges_, size);
  if (!has_area) throw InputError("the polygon encloses no area");
  GROUSER_ASSERT(edges_.size() >= 3 && is_unit(normal_) && is_unit(along_));
}

bool Polygon::contains(const Vec2& point) const {
  bool inside = false;
  const Vec2* from = &edges_.back().from;
  for (const Edge& edge : edges_) {
    const Vec2& to = edge.from;
    if ((from->y() > point.y()) != (to.y() > point.y())) {
      const double side = cross(to - *from, point - *from);
      if ((side > 0.0) == (to.y() > from->y())) inside = !inside;
    }
    from = &to;
  }
  return inside;
}

std::vector<std::array<std::int32_t, 3>> Polygon::triangles() const {
  // Cuts off one ear after the other.
  std::vector<std::int32_t> left(edges_.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = static_cast<std::int32_t>(i);
  const auto at = [this](std::int32_t i) -> const Vec2& {
    return edges_[static_cast<std::size_t>(i)].from;
  };
  std::vector<std::array<std::int32_t, 3>> triangles;
  const auto is_ear = [&](std::size_t i) {
    const std::size_t n = left.size();
    const std::int32_t a = left[(i + n - 1) % n], b = left[i], c = left[(i + 1) % n];
    if (cross(at(b) - at(a), at(c) - at(b)) <= 0.0) return false;
    return std::none_of(left.begin(), left.end(), [&](std::int32_t k) {
      return k != a && k != b && k != c && holds(at(a), at(b), at(c), at(k));
    });
  };
  while (left.size() > 2) {
    const std::size_t n = left.size();
    std::size_t ear = 0;
    while (ear < n && !is_ear(ear)) ++ear;
    // Corners on straight edges are no ears; with nothing else left any of them may go.
    if (ear == n) ear = 0;
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  GROUSER_ASSERT(triangles.size() + 2 == edges_.size());
  return triangles;
}

}  // namespace grouser
