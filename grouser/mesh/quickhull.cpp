#include "grouser/mesh/quickhull.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/mesh/orientation.h"

namespace grouser {

namespace {

constexpr int kNone = -1;

struct HullTriangle {
  std::array<int, 3> corners;
  std::array<int, 3> neighbours;
  Vec3 normal;              ///< unit; 0 if rounding leaves nothing of it
  double doubt;             ///< error of the normal [rad], a rotation about the longest side
  double farthest = 0.0;    ///< height of the point `top`
  int top = kNone;          ///< the farthest of its points
  int first_point = kNone;  ///< its points are a list, see next_point_
  int last_search = 0;      ///< the last search that came by
  bool replaced = false;
};

/// An edge between what a point sees and what it does not.
struct HorizonEdge {
  int from, to;
  int outer;  ///< the triangle beyond, which stays
};

/// A point above a triangle, or near its plane.
struct Seat {
  int point, triangle;
  double height;
};

double distance_to_edge(const Vec3& p, const Vec3& a, const Vec3& b) {
  const Vec3 side = b - a;
  const double along = std::clamp(side.dot(p - a) / side.squaredNorm(), 0.0, 1.0);
  return (p - a - along * side).norm();
}

class Quickhull {
 public:
  Quickhull(std::span<const Vec3> points, double tolerance)
      : points_(points),
        tolerance_(tolerance),
        next_point_(points.size(), kNone),
        fan_(points.size(), kNone) {}

  HullTriangles make(const std::array<int, 4>& first) {
    start(first);
    do {
      for (std::size_t t = 0; t < triangles_.size(); ++t) grow(static_cast<int>(t));
    } while (seat_again());
    return remaining();
  }

 private:
  using Sides = std::array<Vec3, 3>;

  Sides sides_of(const std::array<int, 3>& corners) const {
    return {points_[corners[1]] - points_[corners[0]], points_[corners[2]] - points_[corners[1]],
            points_[corners[0]] - points_[corners[2]]};
  }

  static std::size_t longest_of(const Sides& sides) {
    std::size_t longest = 0;
    for (std::size_t k = 1; k < 3; ++k)
      if (sides[k].squaredNorm() > sides[longest].squaredNorm()) longest = k;
    return longest;
  }

  /// Normals of slivers are best from their two shortest sides.
  int add_triangle(const std::array<int, 3>& corners) {
    const Sides sides = sides_of(corners);
    const std::size_t longest = longest_of(sides);
    const Vec3& u = sides[(longest + 1) % 3];
    const Vec3& v = sides[(longest + 2) % 3];
    const Vec3 normal = u.cross(v);
    const double length = normal.norm();
    constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
    triangles_.push_back({.corners = corners,
                          .neighbours = {kNone, kNone, kNone},
                          .normal = length > 0.0 ? Vec3(normal / length) : Vec3::Zero(),
                          .doubt = kRounding * u.norm() * v.norm() / length});
    return static_cast<int>(triangles_.size()) - 1;
  }

  double height(int triangle, int point) const {
    const HullTriangle& t = triangles_[triangle];
    return t.normal.dot(points_[point] - points_[t.corners[0]]);
  }

  /// Whether the height is right to the tolerance.
  bool is_sure(int triangle, int point) const {
    constexpr double kLargest = 4.0;  // two points of [-1, 1]^3 are not farther apart
    const HullTriangle& t = triangles_[triangle];
    if (t.doubt * kLargest <= tolerance_) return true;
    const Sides sides = sides_of(t.corners);
    const std::size_t longest = longest_of(sides);
    const Vec3 off =
        sides[longest].normalized().cross(points_[point] - points_[t.corners[longest]]);
    return t.doubt * off.norm() <= tolerance_;
  }

  /// Distance of a point from a triangle with all its inside.
  double distance(int triangle, int point) const {
    const HullTriangle& t = triangles_[triangle];
    const Vec3& p = points_[point];
    const Sides sides = sides_of(t.corners);
    bool over = is_sure(triangle, point);
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& a = points_[t.corners[k]];
      over = over && t.normal.cross(sides[k]).dot(p - a) >= 0.0;
      nearest = std::min(nearest, distance_to_edge(p, a, points_[t.corners[(k + 1) % 3]]));
    }
    return over ? std::abs(height(triangle, point)) : nearest;
  }

  /// Exactly; a point in the plane is not above. Such a point is above for one of the two opposite
  /// displacements only.
  bool is_above(int triangle, int point) const {
    const std::array<int, 3>& c = triangles_[triangle].corners;
    const FacePlane plane({points_[c[0]], points_[c[1]], points_[c[2]]});
    return plane.is_above(points_[point], Displaced::edge) &&
           plane.is_above(points_[point], Displaced::face);
  }

  void start(const std::array<int, 4>& p) {
    const std::array<std::array<int, 3>, 4> faces = {
        {{p[0], p[1], p[2]}, {p[1], p[0], p[3]}, {p[2], p[1], p[3]}, {p[0], p[2], p[3]}}};
    for (const auto& face : faces) add_triangle(face);
    triangles_[0].neighbours = {1, 2, 3};
    triangles_[1].neighbours = {0, 3, 2};
    triangles_[2].neighbours = {0, 1, 3};
    triangles_[3].neighbours = {0, 2, 1};
    for (int q = 0; q < static_cast<int>(points_.size()); ++q)
      if (std::find(p.begin(), p.end(), q) == p.end()) seat(q, 0);
  }

  /// Gives a point to the triangle of those from `first_triangle` on that it is farthest above.
  /// Points in such a plane, to rounding, stay in the game; what lies deeper is inside for good.
  void seat(int point, int first_triangle) {
    int best = kNone, doubtful = kNone;
    double farthest = -tolerance_;
    for (int t = first_triangle; t < static_cast<int>(triangles_.size()); ++t) {
      if (!is_sure(t, point)) {
        if (farthest <= tolerance_ && is_above(t, point)) doubtful = t;
        continue;
      }
      const double h = height(t, point);
      if (h <= farthest) continue;
      farthest = h;
      best = t;
    }
    if (doubtful != kNone && farthest <= tolerance_)
      give(point, doubtful, 0.0);  // seat_again() looks further
    else if (best != kNone)
      give(point, best, farthest);
  }

  void give(int point, int triangle, double h) {
    HullTriangle& t = triangles_[triangle];
    next_point_[point] = t.first_point;
    t.first_point = point;
    if (t.top != kNone && (h < t.farthest || (h == t.farthest && point > t.top))) return;
    t.farthest = h;
    t.top = point;
  }

  /// Adds the point farthest above a triangle.
  void grow(int triangle) {
    const HullTriangle& t = triangles_[triangle];
    if (t.replaced || t.top == kNone || t.farthest <= tolerance_) return;
    if (is_above(triangle, t.top))
      add_point(t.top, triangle);
    else
      triangles_[triangle].farthest = 0.0;
  }

  void add_point(int point, int triangle) {
    find_visible(point, triangle);
    GROUSER_ASSERT(horizon_.size() >= 3);
    const int first_new = static_cast<int>(triangles_.size());
    for (const HorizonEdge& edge : horizon_) add_to_fan(point, edge);
    for (int t = first_new; t < static_cast<int>(triangles_.size()); ++t) {
      const int next = fan_[triangles_[t].corners[1]];
      GROUSER_ASSERT(next >= first_new);
      triangles_[t].neighbours[1] = next;
      triangles_[next].neighbours[2] = t;
    }
    for (const int v : visible_)
      for (int q = triangles_[v].first_point; q != kNone;) {
        const int next = next_point_[q];
        if (q != point) seat(q, first_new);
        q = next;
      }
  }

  /// Fills visible_ and horizon_.
  void find_visible(int point, int triangle) {
    visible_.assign(1, triangle);
    horizon_.clear();
    triangles_[triangle].replaced = true;
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      const HullTriangle& t = triangles_[visible_[i]];
      for (std::size_t k = 0; k < 3; ++k) {
        const int n = t.neighbours[k];
        if (triangles_[n].replaced) continue;
        if (is_above(n, point)) {
          triangles_[n].replaced = true;
          visible_.push_back(n);
        } else {
          horizon_.push_back({t.corners[k], t.corners[(k + 1) % 3], n});
        }
      }
    }
  }

  void add_to_fan(int point, const HorizonEdge& edge) {
    const int t = add_triangle({edge.from, edge.to, point});
    triangles_[t].neighbours[0] = edge.outer;
    fan_[edge.from] = t;
    HullTriangle& outer = triangles_[edge.outer];
    GROUSER_ASSERT(std::ranges::count(outer.corners, edge.to) == 1);
    for (std::size_t k = 0; k < 3; ++k)
      if (outer.corners[k] == edge.to) outer.neighbours[k] = t;
  }

  /// Looks whether points that were left lie far above another triangle than their own. True if
  /// there is something to do again.
  bool seat_again() {
    bool any = false;
    const int count = static_cast<int>(triangles_.size());
    for (int t = 0; t < count; ++t) {
      if (triangles_[t].replaced) continue;
      for (int q = triangles_[t].first_point; q != kNone; q = next_point_[q])
        left_.push_back({q, t, 0.0});
      triangles_[t].first_point = triangles_[t].top = kNone;
      triangles_[t].farthest = 0.0;
    }
    for (const Seat& left : left_) {
      const Seat better = better_seat(left);
      if (better.triangle == kNone) continue;
      give(left.point, better.triangle, better.height);
      any = true;
    }
    left_.clear();
    return any;
  }

  /// The triangle that a point is farthest above, if that is more than the tolerance. Searched
  /// outward from its present one as long as the point is not below.
  Seat better_seat(const Seat& left) {
    const int point = left.point;
    Seat best = {point, kNone, tolerance_};
    int doubtful = kNone;
    visible_.assign(1, left.triangle);
    triangles_[left.triangle].last_search = ++searches_;
    for (std::size_t i = 0; i < visible_.size(); ++i) {
      const int t = visible_[i];
      const bool sure = is_sure(t, point);
      const double h = height(t, point);
      if (sure && h <= -tolerance_) continue;
      if (!sure && is_above(t, point)) doubtful = t;
      if (sure && h > best.height && is_above(t, point)) best = {point, t, h};
      for (const int n : triangles_[t].neighbours) {
        if (triangles_[n].last_search == searches_) continue;
        triangles_[n].last_search = searches_;
        visible_.push_back(n);
      }
    }
    if (best.triangle != kNone || doubtful == kNone) return best;
    // Above a sliver only: outside if it is not near to anything.
    const double nearest = distance_to_visible(point);
    if (nearest > tolerance_) best = {point, doubtful, nearest};
    return best;
  }

  double distance_to_visible(int point) const {
    double nearest = std::numeric_limits<double>::infinity();
    for (const int t : visible_) nearest = std::min(nearest, distance(t, point));
    return nearest;
  }

  HullTriangles remaining() const {
    std::vector<int> number(triangles_.size(), kNone);
    int count = 0;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (!triangles_[t].replaced) number[t] = count++;
    GROUSER_ASSERT(count >= 4 && count % 2 == 0);
    HullTriangles out;
    for (const HullTriangle& t : triangles_) {
      if (t.replaced) continue;
      out.corners.push_back(t.corners);
      GROUSER_ASSERT(std::ranges::none_of(t.neighbours, [&](int n) { return number[n] == kNone; }));
      out.neighbours.push_back(
          {number[t.neighbours[0]], number[t.neighbours[1]], number[t.neighbours[2]]});
    }
    return out;
  }

  std::span<const Vec3> points_;
  double tolerance_;
  std::vector<HullTriangle> triangles_;
  std::vector<int> next_point_;  ///< by point, in the list of its triangle
  std::vector<int> fan_;         ///< by point: the newest triangle whose first corner it is
  std::vector<int> visible_;
  std::vector<HorizonEdge> horizon_;
  std::vector<Seat> left_;
  int searches_ = 0;
};

}  // namespace

HullTriangles quickhull(std::span<const Vec3> points, const std::array<int, 4>& first,
                        double tolerance) {
  GROUSER_ASSERT(points.size() >= 4 && tolerance > 0.0);
  GROUSER_ASSERT(
      std::ranges::all_of(points, [](const Vec3& p) { return p.cwiseAbs().maxCoeff() <= 1.0; }));
  return Quickhull(points, tolerance).make(first);
}

}  // namespace grouser
