// A box and a cylinder: every kind of plane on which they can be told apart.
//
// The body of all a - b has flat and curved patches, and the way out is through the middle of one
// of them: a face of the box with the rim, a cap with a corner, an edge with a line of the mantle,
// a corner with the mantle, or an edge with the rim. The reach D(m) along any m is an upper bound
// of the depth, so candidates may be tried freely; those that cannot win are left out cheaply.
#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/shape/convex_gjk.h"
#include "grouser/shape/convex_pairs.h"

namespace grouser::convex {
namespace {

enum class Patch { face, cap, edge_mantle, corner_mantle, edge_rim };

struct Bodies {
  Vec3 half;              // of the box
  double radius, length;  // of the cylinder; half its length
  Vec3 c, u;              // its centre and axis, in the frame of the box
  Vec3 sine;              // of the angles between the axis and the edges
};

struct Best {
  double depth;
  Vec3 m;  // unit, from the box to the cylinder
  Patch patch;
  int edge;

  void take(double d, const Vec3& direction, Patch p, int e) {
    depth = d;
    m = direction;
    patch = p;
    edge = e;
  }
};

double toward(double x, double sign) {
  return std::signbit(sign) ? -x : x;
}

void try_faces(const Bodies& s, Best& best) {
  for (int i = 0; i < 3; ++i) {
    const double depth =
        s.half[i] + s.length * std::abs(s.u[i]) + s.radius * s.sine[i] - std::abs(s.c[i]);
    if (depth < best.depth) best.take(depth, toward(1.0, s.c[i]) * Vec3::Unit(i), Patch::face, i);
  }
}

void try_caps(const Bodies& s, Best& best) {
  const double along = s.u.dot(s.c);
  const double depth = s.u.cwiseAbs().dot(s.half) + s.length - std::abs(along);
  if (depth < best.depth) best.take(depth, toward(1.0, along) * s.u, Patch::cap, 0);
}

/// Along e_i x u.
void try_edges_on_mantle(const Bodies& s, Best& best) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (s.sine[i] < kLevel) continue;
    const double across = s.c[k] * s.u[j] - s.c[j] * s.u[k];
    const double wide = s.half[j] * std::abs(s.u[k]) + s.half[k] * std::abs(s.u[j]);
    // Times the sine; the mantle's own share is the radius.
    const double rest = wide - std::abs(across);
    if (rest >= (best.depth - s.radius) * s.sine[i]) continue;
    Vec3 m;
    m[i] = 0.0;
    m[j] = -s.u[k] / s.sine[i];
    m[k] = s.u[j] / s.sine[i];
    best.take(rest / s.sine[i] + s.radius, toward(1.0, across) * m, Patch::edge_mantle, i);
  }
}

/// Reach along a unit m, with nothing left out.
double reach_along(const Bodies& s, const Vec3& m) {
  const double along = m.dot(s.u);
  const Vec3 across = m - along * s.u;
  return m.cwiseAbs().dot(s.half) + s.length * std::abs(along) + s.radius * across.norm() -
         m.dot(s.c);
}

/// A corner inside the mantle leaves it by the shortest way, if no other corner is in the way.
void try_corners(const Bodies& s, Best& best) {
  const double inner = s.radius - best.depth, bound = inner > 0.0 ? inner * inner : 0.0;
  const double rounding = 1e-14 * s.half.squaredNorm();
  for (int n = 0; n < 8; ++n) {
    const Vec3 corner((n & 1) != 0 ? s.half.x() : -s.half.x(),
                      (n & 2) != 0 ? s.half.y() : -s.half.y(),
                      (n & 4) != 0 ? s.half.z() : -s.half.z());
    const Vec3 from = corner - s.c, radial = from - s.u.dot(from) * s.u;
    // The box moves outward, so each coordinate of the corner must be against the way out.
    const double square = radial.squaredNorm();
    const bool against = static_cast<int>(radial.x() * corner.x() <= rounding) &
                         static_cast<int>(radial.y() * corner.y() <= rounding) &
                         static_cast<int>(radial.z() * corner.z() <= rounding) &
                         static_cast<int>(square > bound);
    if (!against) continue;
    const Vec3 m = radial / -std::sqrt(square);
    const double depth = reach_along(s, m);
    if (depth < best.depth) best.take(depth, m, Patch::corner_mantle, n);
  }
}

/// An ellipse with half axes r >= b and a point (x, y), x >= 0, that leaves it through its quarter
/// of positive normals: along the unit d with d_x, d_y > 0 and the least
/// f(d) = sqrt(r^2 d_x^2 + b^2 d_y^2) - d . (x, y). If y >= 0 there is just one, else one at most.
struct EllipseExit {
  double r, b, x, y;

  /// Of f, as d turns from x to y.
  double slope(const Vec2& d, double& q) const {
    q = std::sqrt(r * r * d.x() * d.x() + b * b * d.y() * d.y());
    return (b * b - r * r) * d.x() * d.y() / q + x * d.y() - y * d.x();
  }
  /// For y < 0: false if the point cannot leave by less than `limit`. Only inside the ellipse's
  /// evolute is there a way out across the long axis, and none is shorter than for y = 0.
  bool can_cross(double limit) const {
    const double c = r * r - b * b;
    return r * x < c && -b * y < c && b * b * (c - x * x) < limit * limit * c;
  }
  bool find(Vec2& d, double& distance) const;
};

bool EllipseExit::find(Vec2& d, double& distance) const {
  // Newton's method on the slope, between bounds; plain numbers, this is the inner loop.
  double low_x = 1.0, low_y = 0.0, high_x = 0.0, high_y = 1.0;
  double d_x = x * b * b, d_y = y * r * r, q;
  if (y < 0.0) {
    // The least f, if any, lies beyond the only dent of its slope.
    const Vec2 dent = Vec2(b, r * std::cbrt(-b * y / (r * x))).normalized();
    if (!(slope(dent, q) < 0.0)) return false;
    low_x = dent.x(), low_y = dent.y();
    d_x = low_x, d_y = low_y + 1.0;
  }
  const double length = std::sqrt(d_x * d_x + d_y * d_y);
  d_x = length > 0.0 ? d_x / length : 0.0;
  d_y = length > 0.0 ? d_y / length : 1.0;
  const double rr = r * r, bb = b * b;
  for (int i = 0; i < 60; ++i) {
    const double square = rr * d_x * d_x + bb * d_y * d_y;
    q = std::sqrt(square);
    const double over_q = 1.0 / q;
    distance = q - d_x * x - d_y * y;
    const double first = (bb - rr) * d_x * d_y * over_q + x * d_y - y * d_x;
    const double second = rr * bb * over_q * over_q * over_q - distance;
    const double step = -first / second;
    double next_x = d_x - step * d_y, next_y = d_y + step * d_x;
    const bool last = std::abs(step) < 1e-8;  // the next one would be of 1e-16
    if (!last) {
      if (first < 0.0)
        low_x = d_x, low_y = d_y;
      else
        high_x = d_x, high_y = d_y;
      if (!(second > 0.0 && low_x * next_y > low_y * next_x && next_x * high_y > next_y * high_x))
        next_x = low_x + high_x, next_y = low_y + high_y;
    }
    const double scale = 1.0 / std::sqrt(next_x * next_x + next_y * next_y);
    d_x = next_x * scale;
    d_y = next_y * scale;
    if (last) break;
  }
  d = {d_x, d_y};
  return true;
}

/// The edge along axis i at (corner_j, corner_k) and the rim of one cap, seen along the edge: a
/// point and an ellipse, whose short axis is along u.
inline void try_edge_on_rim(const Bodies& s, int i, double corner_j, double corner_k, double cap,
                            double over_sine, Best& best) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const double from_j = corner_j - s.c[j] - cap * s.length * s.u[j];
  const double from_k = corner_k - s.c[k] - cap * s.length * s.u[k];
  // Ways out along the short axis, on the side of the cap, and along the long one.
  const double short_j = cap * s.u[j] * over_sine, short_k = cap * s.u[k] * over_sine;
  double long_j = -short_k, long_k = short_j;
  EllipseExit exit{s.radius, s.radius * std::abs(s.u[i]), from_j * long_j + from_k * long_k,
                   from_j * short_j + from_k * short_k};
  if (exit.x < 0.0) exit.x = -exit.x, long_j = -long_j, long_k = -long_k;
  // The corner must move against its own side; the way out is between those two.
  if (short_j * corner_j > 0.0 && long_j * corner_j > 0.0) return;
  if (short_k * corner_k > 0.0 && long_k * corner_k > 0.0) return;
  // An ellipse of the same shape through the point is at least this much smaller.
  const double smaller = exit.b - best.depth, x = exit.x * s.u[i];
  if (smaller > 0.0 && x * x + exit.y * exit.y <= smaller * smaller) return;
  if (exit.y < 0.0) {
    if (!exit.can_cross(best.depth)) return;
  } else {
    // One axis of the box is between the two ways; the slope there tells on which side the exit is.
    const bool at_j = (long_j > 0.0) == (short_j > 0.0);
    const Vec2 axis = at_j ? Vec2(std::abs(long_j), std::abs(short_j))
                           : Vec2(std::abs(long_k), std::abs(short_k));
    const double before = at_j ? long_k * corner_k : long_j * corner_j;
    double q;
    if ((exit.slope(axis, q) > 0.0) != (before < 0.0)) return;
  }
  Vec2 d;
  double distance;
  if (!exit.find(d, distance) || !(distance < best.depth)) return;
  const double d_j = d.x() * long_j + d.y() * short_j, d_k = d.x() * long_k + d.y() * short_k;
  if (d_j * corner_j > 0.0 || d_k * corner_k > 0.0) return;
  Vec3 m;
  m[i] = 0.0;
  m[j] = -d_j;
  m[k] = -d_k;
  const double depth = reach_along(s, m);
  if (depth < best.depth) best.take(depth, m, Patch::edge_rim, i);
}

/// The edges along axis i. Between two faces the reach is at least that of the chord between the
/// points that are reached along their normals, which leaves few edges to look at.
void try_edges_on_rims(const Bodies& s, int i, Best& best) {
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  if (s.sine[i] < kLevel) return;
  const double over_sine = 1.0 / s.sine[i];
  // The point of the cylinder reached along -e_j is off by `aside_j` along k, and the reverse.
  const auto aside = [&](int n) {
    return s.sine[n] > 0.0 ? toward(s.length, s.u[n]) - s.radius * s.u[n] / s.sine[n] : 0.0;
  };
  const double aside_j = s.u[k] * aside(j), aside_k = s.u[j] * aside(k);
  const double wide_j = s.half[j] + s.length * std::abs(s.u[j]) + s.radius * s.sine[j];
  const double wide_k = s.half[k] + s.length * std::abs(s.u[k]) + s.radius * s.sine[k];
  for (const double side_j : {1.0, -1.0})
    for (const double side_k : {1.0, -1.0}) {
      const double c_j = side_j * s.c[j], c_k = side_k * s.c[k], both = side_j * side_k;
      const double reach_j = wide_j - c_j, reach_k = wide_k - c_k;
      const double along_k = s.half[k] - c_k + both * aside_j;  // where reach_j is had
      const double along_j = s.half[j] - c_j + both * aside_k;
      const double chord_j = reach_j - along_j, chord_k = reach_k - along_k;
      const double area = reach_j * reach_k - along_j * along_k;
      if (area > 0.0 &&
          area * area >= best.depth * best.depth * (chord_j * chord_j + chord_k * chord_k))
        continue;
      // One cap or, if an m between the faces is level with it, both.
      const double up_j = side_j * s.u[j], up_k = side_k * s.u[k];
      for (const double cap : {1.0, -1.0})
        if (cap * up_j <= 0.0 || cap * up_k <= 0.0)
          try_edge_on_rim(s, i, side_j * s.half[j], side_k * s.half[k], cap, over_sine, best);
    }
}

/// Middle of the part of x0 + t x1, |t| <= limit, with |x| <= half in two coordinates.
double middle_within(const Vec3& from, const Vec3& along, double limit, const Vec3& half, int j,
                     int k) {
  double low = -limit, high = limit;
  for (const int n : {j, k}) {
    if (std::abs(along[n]) < 1e-15) continue;
    const double s = (-half[n] - from[n]) / along[n], t = (half[n] - from[n]) / along[n];
    low = std::max(low, std::min(s, t));
    high = std::min(high, std::max(s, t));
  }
  return std::clamp(0.5 * (low + high), -limit, limit);
}

/// The point of the cylinder farthest along -m, over the face it leaves by if there are many.
Vec3 cylinder_point(const Bodies& s, const Best& best) {
  const double along = best.m.dot(s.u);
  const Vec3 across = best.m - along * s.u;
  const int j = (best.edge + 1) % 3, k = (best.edge + 2) % 3;
  const Vec3 cap = s.c - toward(s.length, along) * s.u;
  if (across.norm() < kLevel) {
    // A level cap: its centre, or what is nearest to it over the face.
    Vec3 p = cap;
    for (const int n : {j, k}) p[n] = std::clamp(p[n], -s.half[n], s.half[n]);
    p[best.edge] = cap[best.edge];
    return p;
  }
  const Vec3 rim = -s.radius * across.normalized();
  if (std::abs(along) < kLevel) {
    const Vec3 from = s.c + rim;
    return from + middle_within(from, s.u, s.length, s.half, j, k) * s.u;
  }
  return cap + rim;
}

/// The point of the box farthest along m; where many are, the one next to the cylinder's axis.
Vec3 box_point(const Bodies& s, const Vec3& m) {
  Vec3 p;
  for (int i = 0; i < 3; ++i)
    p[i] = std::abs(m[i]) < kLevel ? std::clamp(s.c[i], -s.half[i], s.half[i])
                                   : toward(s.half[i], m[i]);
  return p;
}

/// Where edge i and the mantle touch, on the edge.
Vec3 edge_point(const Bodies& s, const Best& best) {
  const int i = best.edge;
  Vec3 p = box_point(s, best.m);
  p[i] = 0.0;
  const Vec3 between = s.c - s.radius * best.m - p;
  const double cosine = s.u[i];
  const double x = (between[i] - cosine * s.u.dot(between)) / (s.sine[i] * s.sine[i]);
  p[i] = std::clamp(x, -s.half[i], s.half[i]);
  return p;
}

ConvexContact touching_points(const Bodies& s, const Best& best) {
  const Vec3 out = best.depth * best.m;
  const auto by_a = [&](const Vec3& a) { return ConvexContact{best.depth, -best.m, a, a - out}; };
  switch (best.patch) {
    case Patch::face:
    case Patch::edge_rim: {
      const Vec3 b = cylinder_point(s, best);
      return {best.depth, -best.m, b + out, b};
    }
    case Patch::edge_mantle:
      return by_a(edge_point(s, best));
    case Patch::cap:
    case Patch::corner_mantle:
      break;
  }
  return by_a(box_point(s, best.m));
}

}  // namespace

ConvexContact box_cylinder(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                           double reach) {
  Bodies s{a.half_size, b.radius, b.half_size.z(), X_AB.p, X_AB.R.col(2), Vec3::Zero()};
  const Vec3 squares = s.u.cwiseAbs2();
  s.sine = Vec3(squares.y() + squares.z(), squares.z() + squares.x(), squares.x() + squares.y())
               .cwiseSqrt();
  Best best{std::numeric_limits<double>::infinity(), Vec3::UnitZ(), Patch::face, 0};
  try_faces(s, best);
  try_caps(s, best);
  if (best.depth >= 0.0) try_edges_on_mantle(s, best);
  if (best.depth >= 0.0) try_corners(s, best);
  for (int i = 0; i < 3 && best.depth >= 0.0; ++i) try_edges_on_rims(s, i, best);
  if (best.depth < 0.0 && best.depth >= -reach)
    return general<BoxCore, CylinderCore>(a, b, X_AB, reach);
  return touching_points(s, best);
}

}  // namespace grouser::convex
