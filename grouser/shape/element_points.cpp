// A point near another point, a segment or a polyline.
#include <cmath>
#include <limits>

#include "grouser/shape/element_gap.h"
#include "grouser/shape/elements.h"

namespace grouser {

namespace {

/// Adds the place where a is near the point b, if it is within reach.
void add_point(const Vec3& a, const Vec3& b, double share, double reach, WitnessPairs& places) {
  const Vec3 apart = a - b;
  const double squared = apart.squaredNorm();
  if (squared >= reach * reach) return;
  const double r = std::sqrt(squared);
  const auto [gap, slope] = smooth_distance(r, kSmoothedShare * reach);
  WitnessPair& place = places.add();
  place.on_a = a;
  place.on_b = b;
  place.normal = r > 0.0 ? Vec3((slope / r) * apart) : Vec3::Zero();
  place.gap = gap;
  place.share = share;
}

/// The point of the segment nearest to p.
Vec3 foot_on(const Segment& segment, const Vec3& p) {
  const Vec3 along = segment.to - segment.from;
  const double t = along.dot(p - segment.from);
  const double length = along.squaredNorm();
  if (t <= 0.0) return segment.from;
  if (t >= length) return segment.to;
  return segment.from + (t / length) * along;
}

/// Goes along a run of pieces of a polyline.
class Walk {
 public:
  Walk(const Vec3& a, const Polyline& line, double reach, WitnessPairs& places)
      : a_(a), line_(line), reach_(reach), places_(places) {}

  /// Pieces begin to end, each with the corner before it; and the corner at the end of all.
  void along(std::size_t begin, std::size_t end) {
    Vec3 from = a_ - line_.piece(begin).from;
    double inside_before = 0.0;  // how far inside from the corner the foot on the piece before is
    if (begin > 0 || line_.closed()) {
      const std::size_t before = begin > 0 ? begin - 1 : line_.piece_count() - 1;
      inside_before = -from.dot(line_.piece(before).tangent);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const Polyline::Piece& piece = line_.piece(i);
      const Vec3 to = a_ - end_of(i);
      const double past_begin = from.dot(piece.tangent), past_end = -to.dot(piece.tangent);
      if (past_begin <= 0.0) {
        if (inside_before <= 0.0) add_point(a_, piece.from, 1.0, reach_, places_);
      } else if (past_end > 0.0) {
        const double squared = (from - past_begin * piece.tangent).squaredNorm();
        if (squared < reach_ * reach_) {
          const double share = share_beside(inside_before, past_begin, from, piece.length) *
                               share_beside(inside_after(i, to), past_end, to, piece.length);
          if (share > 0.0) {
            add_point(a_, piece.from + past_begin * piece.tangent, share, reach_, places_);
          }
        }
      }
      from = to;
      inside_before = past_end;
    }
    if (end == line_.piece_count() && !line_.closed() && inside_before <= 0.0) {
      add_point(a_, line_.points().back(), 1.0, reach_, places_);
    }
  }

 private:
  static double share_beside(double inside_other, double own, const Vec3& from_corner,
                             double length) {
    return inside_other > 0.0 ? corner_share(own, inside_other, from_corner.norm(), length) : 1.0;
  }
  /// How far inside from the corner the foot on the piece after i is.
  double inside_after(std::size_t i, const Vec3& to) const {
    const bool last = i + 1 == line_.piece_count();
    if (last && !line_.closed()) return 0.0;
    return to.dot(line_.piece(last ? 0 : i + 1).tangent);
  }
  const Vec3& end_of(std::size_t i) const {
    return line_.points()[i + 1 < line_.points().size() ? i + 1 : 0];
  }

  const Vec3& a_;
  const Polyline& line_;
  double reach_;
  WitnessPairs& places_;
};

}  // namespace

void find_near(const Vec3& a, const Vec3& b, const Approach& approach, WitnessPairs& places) {
  places.clear();
  add_point(a, b, 1.0, approach.reach, places);
}

void find_near(const Vec3& a, const Segment& b, const Approach& approach, WitnessPairs& places) {
  places.clear();
  add_point(a, foot_on(b, a), 1.0, approach.reach, places);
}

void find_near(const Vec3& a, const Polyline& b, const Approach& approach, WitnessPairs& places) {
  places.clear();
  Walk walk(a, b, approach.reach, places);
  for (const Polyline::Group& group : b.groups()) {
    const double near = group.radius + approach.reach;
    if ((a - group.center).squaredNorm() < near * near) walk.along(group.begin, group.end);
  }
}

double distance_between(const Vec3& a, const Vec3& b) {
  return (a - b).norm();
}

double distance_between(const Vec3& a, const Segment& b) {
  return (a - foot_on(b, a)).norm();
}

double distance_between(const Vec3& a, const Polyline& b) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < b.piece_count(); ++i) {
    const Polyline::Piece& piece = b.piece(i);
    const Segment segment{piece.from, piece.from + piece.length * piece.tangent};
    least = std::min(least, distance_between(a, segment));
  }
  return least;
}

}  // namespace grouser
