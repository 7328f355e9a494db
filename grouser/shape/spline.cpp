#include "grouser/shape/spline.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "grouser/base/assert.h"
#include "grouser/shape/ball_groups.h"
#include "grouser/shape/point_list.h"

namespace grouser {

namespace {

/// Sums of chords: 0 at the first point, up to the last one (or the first again, if closed).
std::vector<double> chord_knots(const std::vector<Vec3>& points, bool closed) {
  std::vector<double> knots{0.0};
  const std::size_t pieces = closed ? points.size() : points.size() - 1;
  for (std::size_t i = 0; i < pieces; ++i) {
    knots.push_back(knots.back() + (points[(i + 1) % points.size()] - points[i]).norm());
  }
  return knots;
}

/// One row of the equations for the slopes m: below m[i-1] + middle m[i] + above m[i+1] = right.
struct Row {
  double below, middle, above;
  Vec3 right;
};

/// Curvature is the same on both sides of point i, between pieces of width h0 and h1.
Row smooth_row(double h0, double h1, const Vec3& p0, const Vec3& p1, const Vec3& p2) {
  return {1.0 / h0, 2.0 / h0 + 2.0 / h1, 1.0 / h1,
          3.0 * (p1 - p0) / (h0 * h0) + 3.0 * (p2 - p1) / (h1 * h1)};
}

/// By elimination; the middle of every row is the largest of it.
std::vector<Vec3> solve(std::vector<Row> rows) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    GROUSER_ASSERT(rows[i - 1].middle != 0.0);
    const double share = rows[i].below / rows[i - 1].middle;
    rows[i].middle -= share * rows[i - 1].above;
    rows[i].right -= share * rows[i - 1].right;
  }
  std::vector<Vec3> slopes(rows.size());
  for (std::size_t i = rows.size(); i-- > 0;) {
    Vec3 right = rows[i].right;
    if (i + 1 < rows.size()) right -= rows[i].above * slopes[i + 1];
    slopes[i] = right / rows[i].middle;
  }
  return slopes;
}

/// The same where row 0 also has `below` for the last slope and the last row `above` for the first
/// one (Sherman and Morrison).
std::vector<Vec3> solve_around(std::vector<Row> rows) {
  const double corner = rows.front().below, other_corner = rows.back().above;
  const double shift = -rows.front().middle;
  rows.front().middle -= shift;
  rows.back().middle -= corner * other_corner / shift;
  std::vector<Row> response = rows;
  for (Row& row : response) row.right = Vec3::Zero();
  response.front().right = Vec3::Constant(shift);
  response.back().right = Vec3::Constant(other_corner);
  std::vector<Vec3> slopes = solve(rows);
  const std::vector<Vec3> change = solve(response);
  const double ratio = corner / shift;
  const Vec3 amount = (slopes.front() + ratio * slopes.back()) /
                      (1.0 + change.front().x() + ratio * change.back().x());
  for (std::size_t i = 0; i < slopes.size(); ++i) slopes[i] -= change[i].x() * amount;
  return slopes;
}

std::vector<Row> inner_rows(const std::vector<Vec3>& points, const std::vector<double>& knots) {
  std::vector<Row> rows;
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    rows.push_back(smooth_row(knots[i] - knots[i - 1], knots[i + 1] - knots[i], points[i - 1],
                              points[i], points[i + 1]));
  }
  return rows;
}

constexpr std::array<double, 6> kChoose5{1, 5, 10, 10, 5, 1};
constexpr std::array<double, 4> kChoose3{1, 3, 3, 1};
constexpr std::array<double, 3> kChoose2{1, 2, 1};

/// From the points and slopes at the ends of a piece of width h.
Spline::Piece make_piece(const Vec3& p0, const Vec3& p1, const Vec3& m0, const Vec3& m1, double h) {
  Spline::Piece piece;
  piece.width = h;
  const Vec3 chord = p1 - p0;
  piece.c = {p0, h * m0, 3.0 * chord - h * (2.0 * m0 + m1), h * (m0 + m1) - 2.0 * chord};

  // Control points of the curve and of its slope, and their products.
  const std::array<Vec3, 4> curve{p0, p0 + h / 3.0 * m0, p1 - h / 3.0 * m1, p1};
  piece.along.fill(Vec3::Zero());
  piece.at.fill(0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Vec3 slope = 3.0 * (curve[j + 1] - curve[j]);
      const double weight = kChoose3[i] * kChoose2[j] / kChoose5[i + j];
      piece.along[i + j] += weight * slope;
      piece.at[i + j] += weight * slope.dot(curve[i]);
    }
  }
  Box box;
  for (const Vec3& point : curve) box.add(point);
  piece.center = box.center();
  piece.radius = 0.0;
  for (const Vec3& point : curve) {
    piece.radius = std::max(piece.radius, (point - piece.center).norm());
  }
  piece.radius *= 1.0 + 1e-12;
  return piece;
}

/// Where t is: the piece and the u on it.
struct OnPiece {
  std::size_t piece;
  double u, width;
};

OnPiece locate(const std::vector<double>& knots, bool closed, double t) {
  const double end = knots.back();
  t = closed ? t - end * std::floor(t / end) : std::clamp(t, 0.0, end);
  const auto after = std::upper_bound(knots.begin() + 1, knots.end() - 1, t);
  const auto i = static_cast<std::size_t>(after - knots.begin()) - 1;
  GROUSER_ASSERT(i + 1 < knots.size() && knots[i] < knots[i + 1]);
  const double width = knots[i + 1] - knots[i];
  return {i, (t - knots[i]) / width, width};
}

}  // namespace

Spline::Spline(std::vector<double> knots, const std::vector<Vec3>& points,
               const std::vector<Vec3>& slopes, SplineEnds ends)
    : ends_(ends), knots_(std::move(knots)) {
  GROUSER_ASSERT(slopes.size() == points.size());
  GROUSER_ASSERT(std::ranges::adjacent_find(knots_, std::greater_equal()) == knots_.end());
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const std::size_t next = (i + 1) % points.size();
    pieces_.push_back(
        make_piece(points[i], points[next], slopes[i], slopes[next], knots_[i + 1] - knots_[i]));
  }
  groups_ = make_groups<Group>(pieces_.size(), [this](std::size_t i) {
    const std::array<Vec3, 4>& c = pieces_[i].c;
    return std::array<Vec3, 4>{c[0], c[0] + c[1] / 3.0, c[0] + (2.0 * c[1] + c[2]) / 3.0,
                               c[0] + c[1] + c[2] + c[3]};
  });
}

Spline Spline::natural(const std::vector<Vec3>& points) {
  require_points(points, 2, "a spline");
  require_distinct_neighbours(points, false);
  std::vector<double> knots = chord_knots(points, false);
  std::vector<Row> rows = inner_rows(points, knots);
  const std::size_t n = points.size();
  const double first = knots[1] - knots[0], last = knots[n - 1] - knots[n - 2];
  rows.insert(rows.begin(), Row{0.0, 2.0, 1.0, 3.0 / first * (points[1] - points[0])});
  rows.push_back(Row{1.0, 2.0, 0.0, 3.0 / last * (points[n - 1] - points[n - 2])});
  return {std::move(knots), points, solve(rows), SplineEnds::natural};
}

Spline Spline::clamped(const std::vector<Vec3>& points, const Vec3& first_tangent,
                       const Vec3& last_tangent) {
  require_points(points, 2, "a spline");
  require_distinct_neighbours(points, false);
  for (const Vec3& tangent : {first_tangent, last_tangent}) {
    if (!tangent.allFinite()) throw InputError("an end tangent of the spline is not finite");
    if (tangent.norm() == 0.0) throw InputError("an end tangent of the spline has no length");
  }
  std::vector<double> knots = chord_knots(points, false);
  std::vector<Row> rows = inner_rows(points, knots);
  rows.insert(rows.begin(), Row{0.0, 1.0, 0.0, first_tangent.normalized()});
  rows.push_back(Row{0.0, 1.0, 0.0, last_tangent.normalized()});
  return {std::move(knots), points, solve(rows), SplineEnds::clamped};
}

Spline Spline::periodic(const std::vector<Vec3>& points) {
  require_points(points, 3, "a periodic spline");
  require_distinct_neighbours(points, true);
  std::vector<double> knots = chord_knots(points, true);
  std::vector<Row> rows;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t before = (i + n - 1) % n, after = (i + 1) % n;
    const double h0 = knots[before + 1] - knots[before], h1 = knots[i + 1] - knots[i];
    rows.push_back(smooth_row(h0, h1, points[before], points[i], points[after]));
  }
  return {std::move(knots), points, solve_around(rows), SplineEnds::periodic};
}

Vec3 Spline::at(double t) const {
  const OnPiece on = locate(knots_, closed(), t);
  const std::array<Vec3, 4>& c = pieces_[on.piece].c;
  return c[0] + on.u * (c[1] + on.u * (c[2] + on.u * c[3]));
}

Vec3 Spline::slope_at(double t) const {
  const OnPiece on = locate(knots_, closed(), t);
  const std::array<Vec3, 4>& c = pieces_[on.piece].c;
  return (c[1] + on.u * (2.0 * c[2] + 3.0 * on.u * c[3])) / on.width;
}

Vec3 Spline::curve_at(double t) const {
  const OnPiece on = locate(knots_, closed(), t);
  const std::array<Vec3, 4>& c = pieces_[on.piece].c;
  return (2.0 * c[2] + 6.0 * on.u * c[3]) / (on.width * on.width);
}

std::vector<Vec3> Spline::samples(int per_piece) const {
  GROUSER_ASSERT(per_piece > 0);
  std::vector<Vec3> points;
  for (const Piece& piece : pieces_) {
    for (int k = 0; k < per_piece; ++k) {
      const double u = static_cast<double>(k) / per_piece;
      points.push_back(piece.c[0] + u * (piece.c[1] + u * (piece.c[2] + u * piece.c[3])));
    }
  }
  if (!closed()) points.push_back(at(end()));
  return points;
}

Box Spline::box() const {
  Box box;
  for (const Piece& piece : pieces_) {
    const std::array<Vec3, 4>& c = piece.c;
    box.add(c[0]);
    box.add(c[0] + c[1] / 3.0);
    box.add(c[0] + (2.0 * c[1] + c[2]) / 3.0);
    box.add(c[0] + c[1] + c[2] + c[3]);
  }
  return box;
}

}  // namespace grouser
