// A point near a spline: every point of the curve that is nearer than those around it.
//
// On a piece (p - c(u)) . c'(u) is a polynomial of degree five. Nearest points are its roots where
// it goes from plus to minus. The signs of its Bernstein coefficients bound the number of roots; if
// they leave a doubt the piece is cut in two.
#include <cmath>
#include <limits>

#include "grouser/shape/element_gap.h"
#include "grouser/shape/elements.h"

namespace grouser {

namespace {

/// At a fold, where the circle of curvature has its centre at the point, a nearest point appears or
/// vanishes. Its share grows from 0 there to 1 at this much of the way from the centre.
constexpr double kFullRoundness = 0.2;

using Bernstein = std::array<double, 6>;

/// The point of the curve at u, and its derivatives.
struct CurvePoint {
  Vec3 at, slope, curve;
};

CurvePoint evaluate(const Spline::Piece& piece, double u) {
  const std::array<Vec3, 4>& c = piece.c;
  return {c[0] + u * (c[1] + u * (c[2] + u * c[3])), c[1] + u * (2.0 * c[2] + (3.0 * u) * c[3]),
          2.0 * c[2] + (6.0 * u) * c[3]};
}

/// 0 where the point is the centre of curvature, 1 where the curve is straight.
double roundness(const CurvePoint& on, const Vec3& apart) {
  return 1.0 - apart.dot(on.curve) / on.slope.squaredNorm();
}

int sign_changes(const Bernstein& b) {
  int changes = 0;
  for (std::size_t k = 0; k < 5; ++k) changes += (b[k] > 0.0) != (b[k + 1] > 0.0) ? 1 : 0;
  return changes;
}

/// Cuts the polynomial in the middle of its interval (de Casteljau).
void halve(const Bernstein& whole, Bernstein& left, Bernstein& right) {
  right = whole;
  for (std::size_t k = 0; k < 6; ++k) {
    left[k] = right[0];
    for (std::size_t i = 0; i + 1 < 6 - k; ++i) right[i] = 0.5 * (right[i] + right[i + 1]);
  }
  // What is left in place are the last entries of the rows: the right half.
}

/// Where the polygon of the coefficients goes from plus to minus, for 0 to 1.
double polygon_crossing(const Bernstein& b) {
  std::size_t k = 0;
  while (k < 4 && b[k + 1] > 0.0) ++k;
  return (static_cast<double>(k) + b[k] / (b[k] - b[k + 1])) / 5.0;
}

/// The one root between low and high, by Newton's method within bounds.
double find_root(const Spline::Piece& piece, const Vec3& p, double low, double high, double u) {
  for (int i = 0; i < 60; ++i) {
    const CurvePoint on = evaluate(piece, u);
    const Vec3 apart = p - on.at;
    const double value = apart.dot(on.slope);
    const double slope = apart.dot(on.curve) - on.slope.squaredNorm();
    (value > 0.0 ? low : high) = u;
    double next = u - value / slope;
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    if (std::abs(next - u) < 1e-9) return next;  // the error is the square of the last step
    u = next;
  }
  return u;
}

/// Calls use(u) for every nearest point on a piece, given the coefficients on [low, high].
template <class Use>
void for_each_root(const Spline::Piece& piece, const Vec3& p, const Bernstein& whole,
                   const Use& use) {
  struct Part {
    Bernstein b;
    double low, high;
  };
  constexpr double kNarrow = 1e-7;
  std::array<Part, 32> open;  // one per halving, and each leaves one aside
  std::size_t count = 1;
  open[0] = {whole, 0.0, 1.0};
  while (count > 0) {
    const Part part = open[--count];
    const int changes = sign_changes(part.b);
    const bool falls = part.b[0] > 0.0 && !(part.b[5] > 0.0);
    if (changes == 0 || (changes == 1 && !falls)) continue;
    const double width = part.high - part.low;
    if (changes == 1 || width < kNarrow) {
      // Narrower than that, a fall and a rise cancel: they are a fold, which has no share.
      if (!falls) continue;
      const double guess = changes == 1 ? polygon_crossing(part.b) : 0.5;
      use(find_root(piece, p, part.low, part.high, part.low + guess * width));
      continue;
    }
    const double middle = 0.5 * (part.low + part.high);
    Part& right = open[count++];
    Part& left = open[count++];
    halve(part.b, left.b, right.b);
    right.low = middle;
    right.high = part.high;
    left.low = part.low;
    left.high = middle;
  }
}

/// (p - c) . slope at the end of piece i. From the next piece, whose slope there is the same up to
/// a factor: both must agree on the sign, or a nearest point is lost or counted twice.
double at_end_of(const Spline& spline, std::size_t i, const Vec3& p) {
  const bool is_last = i + 1 == spline.piece_count();
  if (is_last && !spline.closed()) {
    const Spline::Piece& last = spline.piece(i);
    return last.along[5].dot(p) - last.at[5];
  }
  const Spline::Piece& next = spline.piece(is_last ? 0 : i + 1);
  return (next.along[0].dot(p) - next.at[0]) * (spline.piece(i).width / next.width);
}

/// Calls use(piece, u, past_end) for all nearest points on pieces that the ball of radius reach()
/// around p may touch; past_end is positive at an end of the curve beyond which p lies.
template <class Reach, class Use>
void for_each_nearest(const Vec3& p, const Spline& spline, const Reach& reach, const Use& use) {
  const std::size_t last = spline.piece_count() - 1;
  const auto is_near = [&](const Vec3& center, double radius) {
    const double near = radius + reach();
    return (p - center).squaredNorm() < near * near;
  };
  for (const Spline::Group& group : spline.groups()) {
    if (!is_near(group.center, group.radius)) continue;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      const Spline::Piece& piece = spline.piece(i);
      if (!is_near(piece.center, piece.radius)) continue;
      Bernstein b;
      for (std::size_t k = 0; k < 5; ++k) b[k] = piece.along[k].dot(p) - piece.at[k];
      b[5] = at_end_of(spline, i, p);
      if (!spline.closed() && i == 0 && !(b[0] > 0.0)) use(piece, 0.0, -b[0]);
      for_each_root(piece, p, b, [&](double u) { use(piece, u, 0.0); });
      if (!spline.closed() && i == last && b[5] > 0.0) use(piece, 1.0, b[5]);
    }
  }
}

}  // namespace

void find_near(const Vec3& a, const Spline& b, const Approach& approach, WitnessPairs& places) {
  places.clear();
  const double reach = approach.reach;
  for_each_nearest(
      a, b, [&] { return reach; },
      [&](const Spline::Piece& piece, double u, double past_end) {
        const CurvePoint on = evaluate(piece, u);
        const Vec3 apart = a - on.at;
        const double squared = apart.squaredNorm();
        if (squared >= reach * reach) return;
        double share = smooth_step(roundness(on, apart) / kFullRoundness);
        const double r = std::sqrt(squared);
        // Beyond the end it is the end that touches, however the curve bends before it.
        if (past_end > 0.0) {
          share += (1.0 - share) * smooth_step(2.0 * past_end / (r * on.slope.norm()));
        }
        if (share <= 0.0) return;
        const auto [gap, slope] = smooth_distance(r, kSmoothedShare * reach);
        WitnessPair& place = places.add();
        place.on_a = a;
        place.on_b = on.at;
        place.normal = r > 0.0 ? Vec3((slope / r) * apart) : Vec3::Zero();
        place.gap = gap;
        place.share = share;
      });
}

double distance_between(const Vec3& a, const Spline& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const Spline::Group& group : b.groups()) {
    least = std::min(least, (a - b.piece(group.begin).c[0]).norm());
  }
  // A hair more, so that the ball still touches the piece that has this point.
  for_each_nearest(
      a, b, [&] { return least * (1.0 + 1e-12); },
      [&](const Spline::Piece& piece, double u, double) {
        least = std::min(least, (a - evaluate(piece, u).at).norm());
      });
  return least;
}

}  // namespace grouser
