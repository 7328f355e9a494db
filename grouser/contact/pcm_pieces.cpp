#include "grouser/contact/pcm_pieces.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {
namespace {

// Triangles steeper than this are edge-on, as for penetration lines (Hippmann's published code).
constexpr double kEdgeOn = 5e3 * std::numeric_limits<double>::epsilon();

/// A corner of what is left of the target triangle, and the edge from it to the next corner.
struct Corner {
  Vec3 p;                        // from the base centroid, on the target's surface
  double u;                      // depth
  std::array<double, 3> beside;  // signed distance from the base edges, times their length
  bool on_target_edge;           // the edge from here lies on an edge of the target triangle
};

/// Five cuts of a triangle: 3 + 5 corners, and 19 if rounding dents the polygon at every cut (a cut
/// adds a corner per pair of crossings, and n corners have at most n / 2 pairs).
struct CutPolygon {
  std::array<Corner, 19> corners;
  std::size_t count;

  const Corner& after(std::size_t i) const { return corners[i + 1 == count ? 0 : i + 1]; }
};

/// The corner at the share t of the way from a to b.
Corner between(const Corner& a, const Corner& b, double t) {
  Corner c;
  c.p = a.p + t * (b.p - a.p);
  c.u = a.u + t * (b.u - a.u);
  c.on_target_edge = false;
  for (std::size_t k = 0; k < 3; ++k) c.beside[k] = a.beside[k] + t * (b.beside[k] - a.beside[k]);
  return c;
}

/// Keeps the part of the polygon with level >= 0; false if nothing is left. The new edge is not on
/// an edge of the target (Sutherland, Hodgman 1974).
template <class Level>
bool cut(CutPolygon& polygon, Level level) {
  bool all = true, none = true;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const double here = level(polygon.corners[i]);
    all = all && here >= 0.0;
    none = none && !(here >= 0.0);
  }
  if (all) return true;
  if (none) return false;

  CutPolygon kept;
  kept.count = 0;
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Corner& a = polygon.corners[i];
    const Corner& b = polygon.after(i);
    const double at_a = level(a), at_b = level(b);
    if (at_a >= 0.0) kept.corners[kept.count++] = a;
    if ((at_a >= 0.0) == (at_b >= 0.0)) continue;
    GROUSER_ASSERT(kept.count < kept.corners.size());
    // From inside outwards, so that both triangles at an edge find the same crossing to the bit.
    const bool leaves = at_a >= 0.0;
    Corner& crossing = kept.corners[kept.count++];
    crossing = leaves ? between(a, b, at_a / (at_a - at_b)) : between(b, a, at_b / (at_b - at_a));
    crossing.on_target_edge = !leaves && a.on_target_edge;  // else it begins the new edge
  }
  polygon.count = kept.count;
  std::copy_n(kept.corners.begin(), kept.count, polygon.corners.begin());
  return polygon.count > 2;
}

/// Integrals over a piece; vectors from the base centroid.
struct Sums {
  double area = 0.0;
  double volume = 0.0;
  double energy = 0.0;
  Vec3 surface = Vec3::Zero();   // of p over the area
  Vec3 pressure = Vec3::Zero();  // of u p over the area
  Wrench F_target;               // about the base centroid
};

/// A triangle of the polygon. Its surface vector S has the projected area along n, and S / area is
/// n + grad u: pressure u acts on the true surface along its normal.
void add_triangle(const Corner& a, const Corner& b, const Corner& c, const Vec3& n, Sums& sums) {
  const Vec3 S = 0.5 * (b.p - a.p).cross(c.p - a.p);
  const double area = std::abs(n.dot(S));  // negative by rounding only
  const double u = a.u + b.u + c.u;
  const Vec3 p = a.p + b.p + c.p;
  const Vec3 u_p = (a.u * a.p + b.u * b.p + c.u * c.p + u * p) / 12.0;  // mean of u p
  sums.area += area;
  sums.volume += area * u / 3.0;
  sums.energy += area * (a.u * a.u + b.u * b.u + c.u * c.u + u * u) / 24.0;
  sums.surface += area / 3.0 * p;
  sums.pressure += area * u_p;
  sums.F_target.force += u / 3.0 * S;
  sums.F_target.torque += u_p.cross(S);
}

/// Line force -u^2 / 2 along the outward normal, on an edge of the target.
void add_edge(const Corner& a, const Corner& b, const Vec3& n, Sums& sums) {
  const Vec3 outward = (b.p - a.p).cross(n);  // times the length
  const double aa = a.u * a.u, ab = a.u * b.u, bb = b.u * b.u;
  const Vec3 u_u_p = ((3.0 * aa + 2.0 * ab + bb) * a.p + (aa + 2.0 * ab + 3.0 * bb) * b.p) / 12.0;
  sums.F_target.force -= (aa + ab + bb) / 6.0 * outward;
  sums.F_target.torque -= 0.5 * u_u_p.cross(outward);
}

Sums sum_over(const CutPolygon& polygon, const Vec3& n) {
  GROUSER_ASSERT(polygon.count >= 3 && polygon.count <= polygon.corners.size());
  Sums sums;
  for (std::size_t i = 1; i + 1 < polygon.count; ++i)
    add_triangle(polygon.corners[0], polygon.corners[i], polygon.corners[i + 1], n, sums);
  for (std::size_t i = 0; i < polygon.count; ++i)
    if (polygon.corners[i].on_target_edge) add_edge(polygon.corners[i], polygon.after(i), n, sums);
  return sums;
}

Piece measure(const CutPolygon& polygon, const PieceBase& base) {
  const Sums sums = sum_over(polygon, base.normal);
  Piece piece;
  piece.area = sums.area;
  piece.volume = sums.volume;
  piece.energy = sums.energy;
  GROUSER_ASSERT(!(sums.area < 0.0) && !(sums.energy < 0.0));
  piece.greatest_depth = 0.0;
  for (std::size_t i = 0; i < polygon.count; ++i)
    piece.greatest_depth = std::max(piece.greatest_depth, polygon.corners[i].u);

  Vec3 surface, pressure;  // their middles, from the base centroid
  if (sums.area > 0.0 && sums.volume > 0.0) {
    piece.depth = sums.volume / sums.area;
    surface = sums.surface / sums.area;
    pressure = sums.pressure / sums.volume;
  } else {  // thinner than rounding
    piece.depth = polygon.corners[0].u;
    surface = pressure = polygon.corners[0].p;
  }
  piece.middle = base.centroid + surface + piece.depth * base.normal;
  piece.center = base.centroid + pressure;
  piece.F_base = (-sums.F_target).moved_by(-base.centroid);
  return piece;
}

/// At least 0 on the side of the triangle, less beyond. Points on the line are on one side.
double distance_beside(const PieceBaseEdge& edge, const Vec3& point) {
  const double distance = edge.inward.dot(point - edge.point);
  if (distance == 0.0 && !edge.closed) return -std::numeric_limits<double>::min();
  return distance;
}

bool lies_before(const Vec3& a, const Vec3& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

PieceBase make_piece_base(const std::array<Vec3, 3>& corners, const Vec3& normal) {
  PieceBase base{(corners[0] + corners[1] + corners[2]) / 3.0, normal, {}};
  for (std::size_t k = 0; k < 3; ++k) {
    // Always from the same end, so that neighbours in one plane see the same distance from their
    // common edge but for the sign, to the bit: what one of them leaves out the other has.
    const Vec3& a = corners[k];
    const Vec3& b = corners[(k + 1) % 3];
    if (lies_before(a, b))
      base.edges[k] = {a, normal.cross(b - a), true};
    else
      base.edges[k] = {b, -normal.cross(a - b), false};
  }
  return base;
}

bool make_piece(const PieceBase& base, const PieceTarget& target, double max_depth, Piece& piece) {
  GROUSER_ASSERT(is_unit_or_zero(base.normal) && max_depth > 0.0);
  const Vec3& n = base.normal;
  if (!(n.dot(target.normal) < -kEdgeOn)) return false;

  // Above or too deep: no piece.
  CutPolygon polygon;
  polygon.count = 3;
  Corner& a = polygon.corners[0];
  Corner& b = polygon.corners[1];
  Corner& c = polygon.corners[2];
  a.p = target.corners[0] - base.centroid;
  b.p = target.corners[2] - base.centroid;  // counter-clockwise seen from above
  c.p = target.corners[1] - base.centroid;
  a.u = -n.dot(a.p);
  b.u = -n.dot(b.p);
  c.u = -n.dot(c.p);
  if (!(std::max({a.u, b.u, c.u}) > 0.0 && std::min({a.u, b.u, c.u}) <= max_depth)) return false;

  // Beyond an edge of the base: no piece.
  for (std::size_t k = 0; k < 3; ++k) {
    a.beside[k] = distance_beside(base.edges[k], target.corners[0]);
    b.beside[k] = distance_beside(base.edges[k], target.corners[2]);
    c.beside[k] = distance_beside(base.edges[k], target.corners[1]);
    if (!(std::max({a.beside[k], b.beside[k], c.beside[k]}) >= 0.0)) return false;
  }

  a.on_target_edge = b.on_target_edge = c.on_target_edge = true;
  for (std::size_t k = 0; k < 3; ++k)
    if (!cut(polygon, [k](const Corner& corner) { return corner.beside[k]; })) return false;
  if (!cut(polygon, [](const Corner& corner) { return corner.u; })) return false;
  if (!cut(polygon, [=](const Corner& corner) { return max_depth - corner.u; })) return false;

  const Piece found = measure(polygon, base);
  if (found.area == 0.0 && found.F_base.force.isZero(0.0)) return false;  // touches in a point
  piece = found;
  return true;
}

std::optional<double> depth_at(const PieceBase& base, const PieceTarget& target,
                               const Vec3& point) {
  const Vec3 a = target.corners[0] - point;
  const Vec3 b = target.corners[1] - point;
  const Vec3 c = target.corners[2] - point;
  // Twice the areas, seen along n, of the triangles the point makes with the edges.
  const double at_a = base.normal.dot(b.cross(c));
  const double at_b = base.normal.dot(c.cross(a));
  const double at_c = base.normal.dot(a.cross(b));
  const double least = std::min({at_a, at_b, at_c}), greatest = std::max({at_a, at_b, at_c});
  if (least < 0.0 && greatest > 0.0) return {};
  if (!(std::abs(base.normal.dot(target.normal)) >= kEdgeOn) || least == greatest) return {};
  return -base.normal.dot(at_a * a + at_b * b + at_c * c) / (at_a + at_b + at_c);
}

}  // namespace grouser
