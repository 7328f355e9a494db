// Two segments near each other.
//
// The differences of their points fill a parallelogram, and the segments are as far apart as the
// origin is from it. So a pair of segments is a plate with two sides; nearly parallel segments span
// next to none, and for them the sides fade.
#include <cmath>
#include <limits>

#include "grouser/shape/element_gap.h"
#include "grouser/shape/elements.h"

namespace grouser {

namespace {

/// Sine of the angle between segments from which on sides count fully.
constexpr double kClearlySkew = 0.1;
/// Below this sine segments are parallel: rounding says more about the angle than they do.
constexpr double kParallel = 1e-10;
constexpr double kUnknown = std::numeric_limits<double>::infinity();

/// A segment, its direction, and products of it.
struct Line {
  Vec3 from, along;
  double squared_length, per_squared_length;

  Vec3 at(double t) const { return from + t * along; }
};

Line line_of(const Segment& segment) {
  const Vec3 along = segment.to - segment.from;
  const double squared = along.squaredNorm();
  return {segment.from, along, squared, 1.0 / squared};
}

/// Products of two lines: everything about their distances follows from them.
struct Products {
  double aa, bb, ab;  ///< of the directions
  double sa, sb, ss;  ///< with the way from the start of b to that of a
  double per_bb;

  Products swapped(double per_aa) const { return {bb, aa, ab, -sb, -sa, ss, per_aa}; }
  /// On b, the point nearest to that at t of a.
  double foot(double t) const { return std::clamp((sb + t * ab) * per_bb, 0.0, 1.0); }
  /// Squared distance of two points.
  double squared(double t, double on_b) const {
    return ss + t * (2.0 * (sa - on_b * ab) + t * aa) - on_b * (2.0 * sb - on_b * bb);
  }
};

Products products_of(const Line& a, const Line& b, const Vec3& start) {
  return {a.squared_length,   b.squared_length,    a.along.dot(b.along), start.dot(a.along),
          start.dot(b.along), start.squaredNorm(), b.per_squared_length};
}

/// Parameters of nearest points.
struct Nearest {
  double on_a, on_b;
  Vec3 apart;  ///< from b to a
  double squared;
  bool crossing;  ///< both within their segments, seen along the common normal
  // Only if not crossing:
  Products products;
  double ends_a, ends_b;  ///< squared distance of the farther end of each; infinite if not known
};

/// Nearest points of which one is an end.
struct NearestEnd {
  double on_a, on_b;
  double squared;

  /// Returns the squared distance.
  double try_points(const Products& p, double t_a, double t_b) {
    const double other = p.squared(t_a, t_b);
    if (other < squared) *this = {t_a, t_b, other};
    return other;
  }
};

/// `normal` is across both lines, its squared length `across` that of the parallelogram's area.
Nearest nearest_points(const Line& a, const Line& b, const Vec3& normal, double across) {
  const Vec3 start = a.from - b.from;
  const double full = a.squared_length * b.squared_length;
  // Nearly parallel lines do not say well where they are nearest, and all ends are tried.
  bool before_a = true, behind_a = true, before_b = true, behind_b = true;
  if (across > kParallel * kParallel * full) {
    const double per_across = 1.0 / across;
    const double on_a = normal.dot(b.along.cross(start)) * per_across;
    const double on_b = normal.dot(a.along.cross(start)) * per_across;
    if (on_a > 0.0 && on_a < 1.0 && on_b > 0.0 && on_b < 1.0) {
      const Vec3 apart = start + on_a * a.along - on_b * b.along;
      return {on_a, on_b, apart, apart.squaredNorm(), true, {}, kUnknown, kUnknown};
    }
    if (across > 1e-6 * full) {
      // The nearest points are at one of the ends beyond which the lines are nearest.
      before_a = on_a <= 0.0;
      behind_a = on_a >= 1.0;
      before_b = on_b <= 0.0;
      behind_b = on_b >= 1.0;
    }
  }
  const Products p = products_of(a, b, start), back = p.swapped(a.per_squared_length);
  NearestEnd best{0.0, 0.0, kUnknown};
  double a_from = kUnknown, a_to = kUnknown, b_from = kUnknown, b_to = kUnknown;
  if (before_a) a_from = best.try_points(p, 0.0, p.foot(0.0));
  if (behind_a) a_to = best.try_points(p, 1.0, p.foot(1.0));
  if (before_b) b_from = best.try_points(p, back.foot(0.0), 0.0);
  if (behind_b) b_to = best.try_points(p, back.foot(1.0), 1.0);
  const Vec3 apart = start + best.on_a * a.along - best.on_b * b.along;
  return {best.on_a,
          best.on_b,
          apart,
          apart.squaredNorm(),
          false,
          p,
          std::max(a_from, a_to),
          std::max(b_from, b_to)};
}

/// Grows an interval by the part of [low, high] where c0 + c1 t + c2 t^2 is at most 0; c2 >= 0.
void grow_by_part(double c0, double c1, double c2, double low, double high, double& begin,
                  double& end) {
  if (low >= high) return;
  const bool low_in = c0 + low * (c1 + low * c2) <= 0.0;
  const bool high_in = c0 + high * (c1 + high * c2) <= 0.0;
  if (low_in && high_in) {
    // All of it.
  } else if (c2 > 0.0) {
    const double root = c1 * c1 - 4.0 * c2 * c0;
    if (root < 0.0) return;
    // Without taking the difference of numbers that are almost equal: q / c2 is the one root, which
    // is the lower one if c1 is positive, c0 / q the other.
    const double q = -0.5 * (c1 + std::copysign(std::sqrt(root), c1));
    const bool falls = std::signbit(c1);
    if (!low_in) low = std::max(low, falls && q != 0.0 ? c0 / q : q / c2);
    if (!high_in) high = std::min(high, falls || q == 0.0 ? q / c2 : c0 / q);
  } else if (!low_in && !high_in) {
    return;
  }
  if (low > high) return;
  begin = std::min(begin, low);
  end = std::max(end, high);
}

/// The middle of those points of a that are not further than a level from b. Nearly parallel
/// segments are near along much of their length, and this point moves steadily where the nearest
/// one leaps.
double middle_of_footprint(const Products& p, double across, double level_squared, double nearest) {
  // Feet on the line of b: t = k0 + k1 s.
  const double k0 = p.sb * p.per_bb, k1 = p.ab * p.per_bb;
  double begin = nearest, end = nearest;

  // Where the foot is before b, on it and behind it.
  double before_from = 0.0, before_to = 0.0, on_from = 0.0, on_to = 1.0;
  double behind_from = 0.0, behind_to = 0.0;
  if (k1 != 0.0) {
    const double per_k1 = 1.0 / k1;
    const double at_begin = std::clamp(-k0 * per_k1, 0.0, 1.0);
    const double at_end = std::clamp((1.0 - k0) * per_k1, 0.0, 1.0);
    on_from = std::min(at_begin, at_end);
    on_to = std::max(at_begin, at_end);
    before_from = k1 > 0.0 ? 0.0 : at_begin;
    before_to = k1 > 0.0 ? at_begin : 1.0;
    behind_from = k1 > 0.0 ? at_end : 0.0;
    behind_to = k1 > 0.0 ? 1.0 : at_end;
  } else if (k0 < 0.0 || k0 > 1.0) {
    on_to = 0.0;
    (k0 < 0.0 ? before_to : behind_to) = 1.0;
  }
  grow_by_part(p.ss - k0 * p.sb - level_squared, 2.0 * (p.sa - k0 * p.ab), across * p.per_bb,
               on_from, on_to, begin, end);
  grow_by_part(p.ss - level_squared, 2.0 * p.sa, p.aa, before_from, before_to, begin, end);
  grow_by_part(p.ss - 2.0 * p.sb + p.bb - level_squared, 2.0 * (p.sa - p.ab), p.aa, behind_from,
               behind_to, begin, end);
  return 0.5 * (begin + end);
}

/// Whether all points within `level` have their feet between the ends: then the nearest points are
/// the middle.
bool is_clear_of_ends(const Line& a, const Line& b, const Nearest& nearest, double level,
                      double across) {
  if (!nearest.crossing) return false;
  // Along a the distance grows by the sine of the angle, so the footprint is half * |b| of a long,
  // to either side; feet on b are not further from their middle than that.
  const double half_squared = std::max(0.0, level * level - nearest.squared) / across;
  const double room_a = std::min(nearest.on_a, 1.0 - nearest.on_a);
  const double room_b = std::min(nearest.on_b, 1.0 - nearest.on_b);
  return half_squared * b.squared_length <= room_a * room_a &&
         half_squared * a.squared_length <= room_b * room_b;
}

/// The gap with regard to the side, and its slope.
struct SidedGap {
  double gap;
  Vec3 normal;
};

SidedGap sided_gap(const Nearest& nearest, const Vec3& normal, double across, double full_across,
                   const SegmentApproach& approach) {
  const double d = std::sqrt(nearest.squared);
  const double sign = approach.side.dot(normal) >= 0.0 ? 1.0 : -1.0;
  const double smoothed = kSmoothedShare * approach.reach;
  // In front of the side that is remembered the gap is the distance.
  if (d > smoothed && sign * normal.dot(nearest.apart) >= 0.0) return {d, nearest.apart / d};
  const double sine = std::sqrt(across / full_across);
  const double sided = sine > kParallel ? smooth_step(sine / kClearlySkew) : 0.0;
  const auto [plain, slope] = smooth_distance(d, smoothed);
  SidedGap found{plain, d > 0.0 ? Vec3((slope / d) * nearest.apart) : Vec3::Zero()};
  if (sided == 0.0) return found;

  const Vec3 front = (sign / std::sqrt(across)) * normal;
  const double height = front.dot(nearest.apart);
  const Vec3 sideways = nearest.apart - height * front;
  const double beside = nearest.crossing ? 0.0 : sideways.norm();
  const PlateGap plate = plate_gap(height, beside, lip_width(approach.reach));
  const Vec3 away = beside > 0.0 ? Vec3(sideways / beside) : Vec3::Zero();
  found.gap = (1.0 - sided) * plain + sided * plate.gap;
  found.normal =
      (1.0 - sided) * found.normal + sided * (plate.by_height * front + plate.by_beside * away);
  return found;
}

}  // namespace

// Flat: calls of short vector functions would take longer than what they do.
[[gnu::flatten]] void find_near(const Segment& a, const Segment& b, const SegmentApproach& approach,
                                WitnessPairs& places) {
  places.clear();
  const Line line_a = line_of(a), line_b = line_of(b);
  const Vec3 normal = line_a.along.cross(line_b.along);
  const double across = normal.squaredNorm();
  const Nearest nearest = nearest_points(line_a, line_b, normal, across);
  const double full_across = line_a.squared_length * line_b.squared_length;
  const SidedGap found = sided_gap(nearest, normal, across, full_across, approach);
  if (found.gap >= approach.reach) return;

  WitnessPair& place = places.add();
  place.gap = found.gap;
  place.normal = found.normal;
  place.share = 1.0;
  const double level = std::sqrt(nearest.squared) + approach.reach - found.gap;
  if (is_clear_of_ends(line_a, line_b, nearest, level, across)) {
    place.on_a = line_a.at(nearest.on_a);
    place.on_b = line_b.at(nearest.on_b);
    return;
  }
  // The same whichever segment is called a: halfway between the middle of the one footprint and the
  // foot of the other.
  const Products p =
      nearest.crossing ? products_of(line_a, line_b, a.from - b.from) : nearest.products;
  const Products back = p.swapped(line_a.per_squared_length);
  // All of a segment is in the footprint if both its ends are.
  const double level_squared = level * level;
  const double middle_a = nearest.ends_a <= level_squared
                              ? 0.5
                              : middle_of_footprint(p, across, level_squared, nearest.on_a);
  const double middle_b = nearest.ends_b <= level_squared
                              ? 0.5
                              : middle_of_footprint(back, across, level_squared, nearest.on_b);
  place.on_a = line_a.at(0.5 * (middle_a + back.foot(middle_b)));
  place.on_b = line_b.at(0.5 * (middle_b + p.foot(middle_a)));
}

Vec3 next_side(const Segment& a, const Segment& b, const SegmentApproach& approach) {
  const Line line_a = line_of(a), line_b = line_of(b);
  const Vec3 normal = line_a.along.cross(line_b.along);
  const double across = normal.squaredNorm();
  const double full_across = line_a.squared_length * line_b.squared_length;
  const Nearest nearest = nearest_points(line_a, line_b, normal, across);
  const bool starts = approach.side.squaredNorm() == 0.0;
  const bool parallel = across <= kParallel * kParallel * full_across;
  const Vec3 front = parallel ? line_a.along.unitOrthogonal() : Vec3(normal / std::sqrt(across));
  if (nearest.squared == 0.0) return starts ? front : approach.side;
  const Vec3 direction = nearest.apart.normalized();
  if (starts || parallel) return direction;

  // In front of its side a is where it seems to be; and beside the lip, where sides do not differ;
  // and where it touches neither. Pushed through b, the side turns with the segments.
  const double side = approach.side.dot(front) >= 0.0 ? 1.0 : -1.0;
  const double height = side * front.dot(nearest.apart);
  const Vec3 sideways = nearest.apart - height * side * front;
  const bool beside = !nearest.crossing && sideways.norm() >= lip_width(approach.reach);
  if (height > 0.0 || beside) return direction;
  const auto touches = [&](const Vec3& from) {
    const SegmentApproach asked{approach.reach, from};
    return sided_gap(nearest, normal, across, full_across, asked).gap < approach.reach;
  };
  return touches(front) || touches(-front) ? Vec3(side * front) : direction;
}

double distance_between(const Segment& a, const Segment& b) {
  const Line line_a = line_of(a), line_b = line_of(b);
  const Vec3 normal = line_a.along.cross(line_b.along);
  return std::sqrt(nearest_points(line_a, line_b, normal, normal.squaredNorm()).squared);
}

}  // namespace grouser
