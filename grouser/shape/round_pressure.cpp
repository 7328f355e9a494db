// The side is a family of lines. Along each of them depth is a chain of linear pieces, which is
// integrated exactly; about the axis it is smooth between a few angles that are known: where a rim
// crosses the plane of a face, and where an edge goes through the side.
#include "grouser/shape/round_pressure.h"

#include <algorithm>
#include <array>

#include "grouser/base/assert.h"
#include "grouser/math/disc_moments.h"
#include "grouser/math/gauss_rules.h"

namespace grouser {
namespace {}  // namespace

void add_piece(const SurfaceLine& line, double from, double to, double q0, double q1,
               LineSums& sums) {
  const double half = 0.5 * (to - from), middle = 0.5 * (to + from);
  const double taper = (line.width_end - line.width_start) / line.length;
  for (const GaussPoint& point : kGauss3) {  // exact: a polynomial of fourth order
    const double s = middle + half * point.place;
    const double width = half * point.weight * (line.width_start + taper * s);
    const double weight = width * (q0 + q1 * s);
    sums.area += width;
    sums.total += weight;
    sums.first += weight * s;
    sums.second += weight * s * s;
  }
}

namespace {

/// The least of the faces' depths along a line, as far as it is positive.
LineSums press_line(const SurfaceLine& line, std::span<const LinearField> faces,
                    std::span<Vec2> depths) {
  double from = 0.0, to = line.length;
  for (std::size_t j = 0; j < faces.size(); ++j) {
    const double q0 = faces[j].at(line.start), q1 = faces[j].slope.dot(line.direction);
    depths[j] = Vec2(q0, q1);
    const double end = q0 + q1 * line.length;
    if (q0 <= 0.0 && end <= 0.0) return {};
    if (q0 < 0.0) from = std::max(from, -q0 / q1);
    if (end < 0.0) to = std::min(to, -q0 / q1);
  }
  LineSums sums;
  // From piece to piece; each begins where its face becomes the nearest.
  std::size_t face = 0;
  for (std::size_t j = 1; j < faces.size(); ++j) {
    const double here = depths[face][0] + depths[face][1] * from;
    const double other = depths[j][0] + depths[j][1] * from;
    if (other < here || (other == here && depths[j][1] < depths[face][1])) face = j;
  }
  while (from < to) {
    double end = to;
    std::size_t next = face;
    for (std::size_t j = 0; j < faces.size(); ++j) {
      const double steeper = depths[face][1] - depths[j][1];
      if (!(steeper > 0.0)) continue;
      const double s = (depths[j][0] - depths[face][0]) / steeper;
      if (s < end) {
        end = std::max(s, from);
        next = j;
      }
    }
    if (end > from) add_piece(line, from, end, depths[face][0], depths[face][1], sums);
    if (next == face) break;
    from = end;
    face = next;
  }
  return sums;
}

/// Whether a lid lies beyond a face of the other body.
bool is_outside(const Lid& lid, const SoftBody& soft) {
  return std::any_of(soft.faces.begin(), soft.faces.end(), [&](const LinearField& face) {
    const double base = face.at(lid.center);
    const double x = face.slope.dot(lid.x), y = face.slope.dot(lid.y);
    return base < 0.0 && base * base > lid.radius * lid.radius * (x * x + y * y);
  });
}

/// Angles about the axis between which the lines' sums are smooth.
class Angles {
 public:
  Angles(const RoundSurface& surface, const SoftBody& soft, Scratch& scratch)
      : surface_(surface),
        soft_(soft),
        angles_(scratch.take<double>(11 * soft.faces.size() + 6 * soft.edges.size() + 1)) {
    for (int k = 0; k < surface.lid_count(); ++k) {
      const Lid lid = surface.lid(k);
      if (is_outside(lid, soft)) continue;
      for (const LinearField& face : soft.faces) add_rim(lid, face);
      // Where depth goes over from one face to another.
      for (const EdgeLine& edge : soft.edges)
        if (edge.left >= 0 && edge.right >= 0)
          add_rim(lid, soft.faces[at(edge.left)] - soft.faces[at(edge.right)]);
    }
    if (surface.lid_count() == 1)
      for (const LinearField& face : soft.faces) add_apex(face);
    for (const EdgeLine& edge : soft.edges) add_edge(edge);
    if (count_ == 0) add(0.0);
    std::sort(angles_.begin(), angles_.begin() + static_cast<std::ptrdiff_t>(count_));
  }
  std::span<const double> sorted() const { return angles_.first(count_); }

 private:
  static std::size_t at(int number) { return static_cast<std::size_t>(number); }
  void add(double angle) {
    GROUSER_ASSERT(count_ < angles_.size());
    angles_[count_++] = angle < -kPi ? angle + 2.0 * kPi : angle > kPi ? angle - 2.0 * kPi : angle;
  }
  void add(const Vec3& p) {
    const Vec3 p_S = surface_.in_shape(p);
    add(std::atan2(p_S.y(), p_S.x()));
  }
  /// Where a rim crosses a plane in or near the other body.
  void add_rim(const Lid& lid, const LinearField& plane) {
    const double x = plane.slope.dot(lid.x), y = plane.slope.dot(lid.y);
    const double across = lid.radius * lid.radius * (x * x + y * y);
    const double base = plane.at(lid.center), root = across - base * base;
    if (!(root > 0.0)) return;
    const double u = -base / across, v = std::sqrt(root) / across;
    const Vec3 middle = lid.center + lid.radius * lid.radius * u * (x * lid.x + y * lid.y);
    const Vec3 aside = lid.radius * lid.radius * v * (x * lid.y - y * lid.x);
    for (const Vec3& p : {Vec3(middle - aside), Vec3(middle + aside)}) {
      const double margin = -1e-9 * lid.radius;
      if (std::all_of(soft_.faces.begin(), soft_.faces.end(),
                      [&](const LinearField& face) { return face.at(p) > margin; }))
        add(p);
    }
  }
  /// Lines from an apex below a face: those nearest to the plane reach far, others do not.
  void add_apex(const LinearField& face) {
    if (!(face.at(surface_.apex()) > 0.0)) return;
    const Vec3 slope = surface_.in_shape(face.slope) - surface_.in_shape(Vec3::Zero());
    const double middle = std::atan2(slope.y(), slope.x());
    const double least = std::abs(face.slope.dot(surface_.line(middle).direction));
    const double range = std::abs(face.slope.dot(surface_.line(middle + kPi).direction)) + least;
    const double width = std::sqrt(least / range);
    for (const double share : {-16.0, -4.0, -1.0, 0.0, 1.0, 4.0, 16.0})
      if (std::abs(share) * width < 2.0) add(middle + share * width);
  }
  /// Where an edge goes through the side: x^2 + y^2 = r(z)^2 along from + t (to - from).
  void add_edge(const EdgeLine& edge) {
    const Vec3 from = surface_.in_shape(edge.from), d = surface_.in_shape(edge.to) - from;
    const double r0 = surface_.radius_at(from.z()), r1 = surface_.radius_at(from.z() + d.z()) - r0;
    const double a = d.head<2>().squaredNorm() - r1 * r1;
    const double b = from.head<2>().dot(d.head<2>()) - r0 * r1;
    const double c = from.head<2>().squaredNorm() - r0 * r0;
    const double root = b * b - a * c;
    if (!(root > 0.0)) return;
    const double q = -(b + std::copysign(std::sqrt(root), b));
    for (const double t : {q / a, c / q}) {
      if (!(t >= 0.0 && t <= 1.0)) continue;
      const Vec3 p = from + t * d;
      if (p.z() >= surface_.lower().z && p.z() <= surface_.upper().z) add(std::atan2(p.y(), p.x()));
    }
  }

  const RoundSurface& surface_;
  const SoftBody& soft_;
  std::span<double> angles_;
  std::size_t count_ = 0;
};

void press_lid(const Lid& lid, const SoftBody& soft, Scratch& scratch, PressureSums& sums) {
  if (is_outside(lid, soft)) return;
  FaceSums all;
  clip_to_body(lid.square(), soft.faces, scratch,
               [&](std::span<const Vec3> polygon, const LinearField& depth) {
                 add_lid(lid, polygon, depth, scratch, all);
               });
  all.add_to(sums, lid.normal);
}

}  // namespace

void add_line(const SurfaceLine& line, const DepthCell& cell, LineSums& sums) {
  double from = 0.0, to = line.length;
  const auto bound = [&](const LinearField& field) {
    const double q = field.at(line.start), slope = field.slope.dot(line.direction);
    if (slope > 0.0) from = std::max(from, -q / slope);
    if (slope < 0.0) to = std::min(to, -q / slope);
    if (slope == 0.0 && q <= 0.0) to = from;
  };
  bound(cell.depth);
  for (const LinearField& one : cell.bounds) bound(one);
  if (from < to)
    add_piece(line, from, to, cell.depth.at(line.start), cell.depth.slope.dot(line.direction),
              sums);
}

void add_lid(const Lid& lid, std::span<const Vec3> polygon, const LinearField& depth,
             Scratch& scratch, FaceSums& sums) {
  const std::span<Vec2> flat = scratch.take<Vec2>(polygon.size());
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 p = polygon[i] - lid.center;
    flat[i] = Vec2(p.dot(lid.x), p.dot(lid.y));
  }
  const DiscMoments m = disc_moments(flat, lid.radius);
  const double q = depth.at(lid.center), qx = depth.slope.dot(lid.x), qy = depth.slope.dot(lid.y);
  const double total = q * m.one + qx * m.x + qy * m.y;
  const Vec3 first =
      (q * m.x + qx * m.xx + qy * m.xy) * lid.x + (q * m.y + qx * m.xy + qy * m.yy) * lid.y;
  const double xx = q * m.xx + qx * m.xxx + qy * m.xxy;
  const double xy = q * m.xy + qx * m.xxy + qy * m.xyy;
  const double yy = q * m.yy + qx * m.xyy + qy * m.yyy;
  sums.area += m.one;
  sums.total += total;
  sums.first += total * lid.center + first;
  sums.second += lid.center * (total * lid.center + first).transpose() +
                 first * lid.center.transpose() + (xx * lid.x + xy * lid.y) * lid.x.transpose() +
                 (xy * lid.x + yy * lid.y) * lid.y.transpose();
}

std::span<const double> smooth_angles(const RoundSurface& surface, const SoftBody& soft,
                                      Scratch& scratch) {
  return Angles(surface, soft, scratch).sorted();
}

void press_round(const RoundSurface& surface, const SoftBody& soft, Scratch& scratch,
                 PressureSums& sums) {
  const std::span<Vec2> depths = scratch.take<Vec2>(soft.faces.size());
  const auto press = [&](const SurfaceLine& line) { return press_line(line, soft.faces, depths); };
  press_side(
      surface, smooth_angles(surface, soft, scratch),
      SidePieces{0.8, soft.has_milder_kinks ? 2 : 1},
      [&](const SurfaceLine& line) { return press(line).total > 0.0; }, press, sums);
  for (int k = 0; k < surface.lid_count(); ++k) press_lid(surface.lid(k), soft, scratch, sums);
}

}  // namespace grouser
