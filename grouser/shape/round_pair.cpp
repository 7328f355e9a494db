// A cylinder or cone that gives way under the surface of another one. Side and lids of the one that
// bears are families of lines. Along a line the depth in the other one is quadratic or linear,
// piece by piece, and integrated exactly. From line to line it is smooth between the angles at
// which the rim of one body goes through the surface of the other; these, and where the lines begin
// to meet the body, are found by search.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "grouser/base/assert.h"
#include "grouser/math/false_position.h"
#include "grouser/math/gauss_rules.h"
#include "grouser/shape/round_pressure.h"

namespace grouser {
namespace {

/// c[0] + c[1] s + c[2] s^2.
struct Quadratic {
  double c0, c1, c2;
  double at(double s) const { return c0 + s * (c1 + s * c2); }
};

/// Depth in a cylinder or cone: under its side, and under its lids.
class RoundDepth {
 public:
  RoundDepth(const ConvexShape& shape, const Pose& X_WS, const Vec3& p_WO)
      : R_(X_WS.R),
        center_(X_WS.p - p_WO),
        radius_(shape.radius),
        half_(shape.half_size.z()),
        cone_(shape.kind == ConvexKind::cone) {
    // Unit slope at the surface; of a cone at its base.
    const double taper = cone_ ? radius_ / (2.0 * half_) : 0.0;
    scale_ = 0.5 / (radius_ * std::sqrt(1.0 + taper * taper));
    taper_ = taper;
  }
  bool is_cone() const { return cone_; }

  struct Along {
    Quadratic side;
    Quadratic lower, upper;  ///< a cone's upper end is a bound, no face
  };
  Along along(const Vec3& start, const Vec3& direction) const {
    const Vec3 p = R_.transpose() * (start - center_), d = R_.transpose() * direction;
    const double r0 = cone_ ? taper_ * (half_ - p.z()) : radius_;
    const double r1 = cone_ ? -taper_ * d.z() : 0.0;
    return {{scale_ * (r0 * r0 - p.head<2>().squaredNorm()),
             2.0 * scale_ * (r0 * r1 - p.head<2>().dot(d.head<2>())),
             scale_ * (r1 * r1 - d.head<2>().squaredNorm())},
            {half_ + p.z(), d.z(), 0.0},
            {half_ - p.z(), -d.z(), 0.0}};
  }

 private:
  Mat3 R_;
  Vec3 center_;
  double radius_, half_;
  bool cone_;
  double scale_ = 0.0, taper_ = 0.0;
};

/// Roots, as far as there are any, go where `at` points.
void add_roots(const Quadratic& q, double length, std::array<double, 16>& out, std::size_t& count) {
  const auto add = [&](double s) {
    if (s > 0.0 && s < length) out[count++] = s;
  };
  const double root = q.c1 * q.c1 - 4.0 * q.c2 * q.c0;
  if (!(root >= 0.0)) return;
  const double w = -0.5 * (q.c1 + std::copysign(std::sqrt(root), q.c1));
  if (q.c2 != 0.0) add(w / q.c2);
  if (w != 0.0) add(q.c0 / w);
}
Quadratic difference(const Quadratic& a, const Quadratic& b) {
  return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2};
}

/// Places along a line where the nearest face may change or end.
struct LineBreaks {
  std::array<double, 16> at;
  std::size_t count = 0;
};
LineBreaks seams_of(const RoundDepth::Along& q, bool cone, double length) {
  LineBreaks out;
  add_roots(difference(q.side, q.lower), length, out.at, out.count);
  if (cone) return out;
  add_roots(difference(q.side, q.upper), length, out.at, out.count);
  add_roots(difference(q.lower, q.upper), length, out.at, out.count);
  return out;
}

/// Depth of the deepest point of a line; negative: how far it misses the body.
double reach_of(const SurfaceLine& line, const RoundDepth& soft) {
  const RoundDepth::Along q = soft.along(line.start, line.direction);
  const LineBreaks seams = seams_of(q, soft.is_cone(), line.length);
  const auto depth = [&](double s) {
    return std::min({q.side.at(s), q.lower.at(s), q.upper.at(s)});
  };
  double reach = std::max(depth(0.0), depth(line.length));
  if (q.side.c2 < 0.0)
    reach = std::max(reach, depth(std::clamp(-0.5 * q.side.c1 / q.side.c2, 0.0, line.length)));
  for (std::size_t i = 0; i < seams.count; ++i) reach = std::max(reach, depth(seams.at[i]));
  return reach;
}

/// What a line meets.
struct LineAnswer {
  LineSums sums;
  std::uint32_t pieces = 0;  ///< which faces are nearest, one after the other: changes at kinks
};

LineAnswer press_line(const SurfaceLine& line, const RoundDepth& soft) {
  const RoundDepth::Along q = soft.along(line.start, line.direction);
  LineBreaks breaks = seams_of(q, soft.is_cone(), line.length);
  for (const Quadratic& one : {q.side, q.lower, q.upper})
    add_roots(one, line.length, breaks.at, breaks.count);
  breaks.at[breaks.count++] = line.length;
  std::sort(breaks.at.begin(), breaks.at.begin() + static_cast<std::ptrdiff_t>(breaks.count));
  const double taper = (line.width_end - line.width_start) / line.length;
  LineAnswer out;
  double from = 0.0;
  for (std::size_t i = 0; i < breaks.count; ++i) {
    const double half = 0.5 * (breaks.at[i] - from), middle = from + half;
    const bool first = from == 0.0;
    from = breaks.at[i];
    if (!(half > 0.0)) continue;
    const double side = q.side.at(middle), lower = q.lower.at(middle), upper = q.upper.at(middle);
    if (!(side > 0.0 && lower > 0.0 && upper > 0.0)) continue;
    const bool by_side = side <= lower && (soft.is_cone() || side <= upper);
    const bool by_lower = !by_side && (soft.is_cone() || lower <= upper);
    const Quadratic& least = by_side ? q.side : by_lower ? q.lower : q.upper;
    out.pieces = 4 * out.pieces + (by_side ? 1u : by_lower ? 2u : 3u);
    if (first) out.pieces += 1u << 30;
    if (i + 1 == breaks.count) out.pieces += 1u << 31;
    for (const GaussPoint& point : kGauss3) {  // exact: a polynomial of fifth order
      const double s = middle + half * point.place;
      const double width = half * point.weight * (line.width_start + taper * s);
      const double weight = width * least.at(s);
      out.sums.area += width;
      out.sums.total += weight;
      out.sums.first += weight * s;
      out.sums.second += weight * s * s;
    }
  }
  return out;
}

/// Lines side by side, by an angle; those that meet the other body are next to each other.
template <class LineAt>
class LineFamily {
 public:
  LineFamily(const LineAt& line_at, const RoundDepth& soft) : line_at_(line_at), soft_(soft) {}

  /// Integrates the lines between two angles; `guess` is about where the deepest one is.
  void press(double first, double last, double guess, PressureSums& sums) const {
    double inside = guess;
    if (!find_one(first, last, inside)) return;
    const double from = find_end(inside, first), to = find_end(inside, last);
    // Kinks are looked for between some lines; from one to the next all is smooth.
    constexpr int kLinesTried = 10;
    constexpr double kWidest = 0.8;  // [rad], of a piece that has one set of Gauss points
    double begin = from, before = from + 1e-3 * (to - from);
    std::uint32_t pieces = at(before).pieces;
    for (int k = 1; k <= kLinesTried; ++k) {
      const double angle =
          from + (k < kLinesTried ? k / double{kLinesTried} : 1.0 - 1e-3) * (to - from);
      const std::uint32_t now = at(angle).pieces;
      const bool kink = now != pieces;
      if (kink || angle - begin > kWidest) {
        const double end = kink ? find_kink(before, angle, pieces) : angle;
        integrate(begin, end, sums);
        begin = end;
      }
      before = angle;
      pieces = now;
    }
    integrate(begin, to, sums);
  }

 private:
  LineAnswer at(double angle) const { return press_line(line_at_(angle), soft_); }
  double reach(double angle) const { return reach_of(line_at_(angle), soft_); }

  /// A line that meets the body, from a guess; false: none does.
  bool find_one(double first, double last, double& angle) const {
    double best = reach(angle);
    if (best > 0.0) return true;
    constexpr int kLinesTried = 12;
    for (int k = 0; k <= kLinesTried; ++k) {
      const double look = first + (last - first) * k / kLinesTried;
      if (const double found = reach(look); found > best) {
        best = found;
        angle = look;
      }
    }
    // Golden section.
    constexpr double kShare = 0.6180339887498949;
    double from = std::max(first, angle - (last - first) / kLinesTried);
    double to = std::min(last, angle + (last - first) / kLinesTried);
    double x = to - kShare * (to - from), y = from + kShare * (to - from);
    double at_x = reach(x), at_y = reach(y);
    for (int i = 0; i < 40 && std::max(at_x, at_y) <= 0.0; ++i) {
      if (at_x > at_y) {
        to = y;
        y = x;
        at_y = at_x;
        x = to - kShare * (to - from);
        at_x = reach(x);
      } else {
        from = x;
        x = y;
        at_x = at_y;
        y = from + kShare * (to - from);
        at_y = reach(y);
      }
    }
    angle = at_x > at_y ? x : y;
    return std::max(at_x, at_y) > 0.0;
  }
  /// Where lines cease to meet the body, from one that does.
  double find_end(double inside, double limit) const {
    double step = 0.02 * (limit - inside), from = inside, before = reach(inside);
    double to = inside;
    for (;;) {
      to = std::abs(to + step - inside) < std::abs(limit - inside) ? to + step : limit;
      const double now = reach(to);
      if (now <= 0.0)
        return find_crossing([&](double angle) { return reach(angle); }, from, to, before, now,
                             1e-5 * std::abs(to - inside));
      if (to == limit) return limit;
      from = to;
      before = now;
      step *= 2.0;
    }
  }
  double find_kink(double from, double to, std::uint32_t pieces) const {
    for (int i = 0; i < 12; ++i)
      (at(0.5 * (from + to)).pieces == pieces ? from : to) = 0.5 * (from + to);
    return 0.5 * (from + to);
  }
  void integrate(double from, double to, PressureSums& sums) const {
    if (!(to > from)) return;
    // Where three faces are equally near there is a milder kink, in no known place: in two halves.
    const double half = 0.25 * (to - from);
    for (const double middle : {from + half, to - half})
      for (const GaussPoint& point : kGauss6) {
        const SurfaceLine line = line_at_(middle + half * point.place);
        press_line(line, soft_)
            .sums.add_to(sums, half * point.weight, line.start, line.direction, line.normal);
      }
  }

  const LineAt& line_at_;
  const RoundDepth& soft_;
};

}  // namespace

void press_round_pair(const RoundSurface& surface, const ConvexShape& soft_shape, const Pose& X_WS,
                      const OverlapPlace& place, const Vec3& deepest, PressureSums& sums) {
  const RoundDepth soft(soft_shape, X_WS, place.p_WO);
  const Vec3 p_S = surface.in_shape(deepest);
  const double angle = std::atan2(p_S.y(), p_S.x());
  const auto side = [&](double at) { return surface.line(at); };
  LineFamily(side, soft).press(angle - kPi, angle + kPi, angle, sums);
  for (int k = 0; k < surface.lid_count(); ++k) {
    const Lid lid = surface.lid(k);
    // The other body lies on one side of it, mostly.
    const auto beyond = [&](const Vec3& direction) {
      const Vec3 p = X_WS * support_point(soft_shape, X_WS.R.transpose() * direction);
      return direction.dot(p - place.p_WO - lid.center);
    };
    if (beyond(lid.normal) <= 0.0 || beyond(-lid.normal) <= 0.0) continue;
    const double u = lid.x.dot(deepest - lid.center) / lid.radius;
    const auto chord = [&](double at) { return lid.chord(at); };
    LineFamily(chord, soft)
        .press(-0.5 * kPi, 0.5 * kPi, std::asin(std::clamp(u, -0.99, 0.99)), sums);
  }
}

}  // namespace grouser
