#include "grouser/shape/convex_polish.h"

#include "grouser/base/assert.h"

namespace grouser::convex {
namespace {

/// Pieces that must reach as far as the first ones: m . side = 0, side = q_first - q_other.
struct Sides {
  struct Side {
    Vec3 step;       // of the difference's point
    Mat3 curvature;  // of m . step
    bool on_a;
    int piece;
    Vec2 slope;  // of m . step, along the two tangents
    double weight = 0.0;
  };
  std::array<Side, 6> all;
  int count = 0;
};

Sides sides_of(const MeetingJets& jets, const Eigen::Matrix<double, 3, 2>& tangents) {
  Sides sides;
  const auto add = [&](const PieceJet& first, const PieceJet& other, bool on_a, int piece) {
    const double sign = on_a ? 1.0 : -1.0;
    auto& side = sides.all[static_cast<std::size_t>(sides.count++)];
    side.step = sign * (first.p - other.p);
    // h_B(-m) has the curvature itself, not its negative.
    side.curvature = first.curvature - other.curvature;
    side.on_a = on_a;
    side.piece = piece;
    side.slope = tangents.transpose() * side.step;
  };
  for (int i = 1; i < jets.count_a; ++i)
    add(jets.a[0], jets.a[static_cast<std::size_t>(i)], true, i);
  for (int i = 1; i < jets.count_b; ++i)
    add(jets.b[0], jets.b[static_cast<std::size_t>(i)], false, i);
  return sides;
}

double cross2(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// The two sides that fix m best, in front; returns how many there are (0, 1, 2).
int choose_sides(Sides& sides, double size) {
  if (sides.count < 2) return sides.count;
  int best_i = 0, best_j = 1;
  double best = -1.0;
  for (int i = 0; i < sides.count; ++i)
    for (int j = i + 1; j < sides.count; ++j) {
      const double area = std::abs(cross2(sides.all[static_cast<std::size_t>(i)].slope,
                                          sides.all[static_cast<std::size_t>(j)].slope));
      if (area > best) {
        best = area;
        best_i = i;
        best_j = j;
      }
    }
  std::swap(sides.all[0], sides.all[static_cast<std::size_t>(best_i)]);
  std::swap(sides.all[1], sides.all[static_cast<std::size_t>(best_j)]);
  // Two sides along one line say the same.
  const double product = sides.all[0].slope.norm() * sides.all[1].slope.norm();
  if (best > 1e-9 * product && product > 1e-18 * size * size) return 2;
  if (sides.all[1].slope.squaredNorm() > sides.all[0].slope.squaredNorm())
    std::swap(sides.all[0], sides.all[1]);
  return 1;
}

/// Newton's step along a line: gradient g and curvature k. Flat both in slope and in curvature (a
/// family of minima) is as good as a minimum.
bool line_step(double g, double k, double size, double& step, bool& flat) {
  if (k > 1e-10 * size) {
    step = -g / k;
    return true;
  }
  step = 0.0;
  flat = true;
  return std::abs(g) < 1e-10 * size && k > -1e-10 * size;
}

bool plane_step(const Vec2& g, const Eigen::Matrix2d& m, double size, Vec2& step, bool& flat) {
  const double mean = 0.5 * (m(0, 0) + m(1, 1)), half = 0.5 * (m(0, 0) - m(1, 1));
  const double radius = std::hypot(half, m(0, 1));
  Vec2 axis = half >= 0.0 ? Vec2(half + radius, m(0, 1)) : Vec2(m(0, 1), radius - half);
  axis = axis.norm() > 0.0 ? Vec2(axis.normalized()) : Vec2(1.0, 0.0);
  const Vec2 other(-axis.y(), axis.x());
  double along, across;
  if (!line_step(g.dot(axis), mean + radius, size, along, flat) ||
      !line_step(g.dot(other), mean - radius, size, across, flat))
    return false;
  step = along * axis + across * other;
  return true;
}

}  // namespace

NewtonStatus newton_step(const MeetingJets& jets, double size, Vec3& m, Extreme& at) {
  GROUSER_ASSERT(!(std::abs(m.norm() - 1.0) > 1e-6) && size > 0.0);
  Eigen::Matrix<double, 3, 2> tangents;
  tangents.col(0) = m.unitOrthogonal();
  tangents.col(1) = m.cross(tangents.col(0));
  Sides sides = sides_of(jets, tangents);
  const Vec3 q = jets.a[0].p - jets.b[0].p;
  const Vec2 slope = tangents.transpose() * q;
  const int count = choose_sides(sides, size);

  // Weights of the other pieces: they turn the touching points until a - b is along m.
  auto &s0 = sides.all[0], &s1 = sides.all[1];
  if (count == 1) s0.weight = slope.dot(s0.slope) / s0.slope.squaredNorm();
  if (count == 2) {
    const double area = cross2(s0.slope, s1.slope);
    s0.weight = cross2(slope, s1.slope) / area;
    s1.weight = cross2(s0.slope, slope) / area;
  }

  at.m = m;
  at.one_of_many = false;
  at.a = jets.a[0].p;
  at.b = jets.b[0].p;
  double weight_a = 0.0, weight_b = 0.0, least = 1.0;
  Mat3 curvature = jets.a[0].curvature + jets.b[0].curvature;
  for (int i = 0; i < count; ++i) {
    const auto& side = sides.all[static_cast<std::size_t>(i)];
    (side.on_a ? at.a : at.b) -= side.weight * (side.on_a ? side.step : Vec3(-side.step));
    (side.on_a ? weight_a : weight_b) += side.weight;
    least = std::min(least, side.weight);
    curvature -= side.weight * side.curvature;
  }
  at.reach = m.dot(at.a - at.b);

  // The step to where the chosen pieces reach alike, and along that to the least reach.
  Vec2 step;
  if (count == 2) {
    const double area = cross2(s0.slope, s1.slope), r0 = -m.dot(s0.step), r1 = -m.dot(s1.step);
    step =
        Vec2(r0 * s1.slope.y() - r1 * s0.slope.y(), s0.slope.x() * r1 - s1.slope.x() * r0) / area;
  } else {
    Eigen::Matrix2d second = tangents.transpose() * curvature * tangents;
    second.diagonal().array() -= at.reach;
    if (count == 0) {
      if (!plane_step(slope, second, size, step, at.one_of_many)) return NewtonStatus::failed;
    } else {
      const Vec2 normal = s0.slope / s0.slope.squaredNorm() * -m.dot(s0.step);
      const Vec2 along = Vec2(-s0.slope.y(), s0.slope.x()).normalized();
      double length;
      if (!line_step(along.dot(slope + second * normal), along.dot(second * along), size, length,
                     at.one_of_many))
        return NewtonStatus::failed;
      step = normal + length * along;
    }
  }

  const double length = step.norm();
  if (!(length < 0.5)) return NewtonStatus::failed;
  // Where the surface is sharply curved the points move much farther than m turns.
  const double error = (at.a - at.b - at.reach * m).squaredNorm();
  if (length < 1e-12 && error < (length < 1e-15 ? 1e-20 : 1e-26) * size * size) {
    const bool inside = least > -1e-9 && weight_a < 1.0 + 1e-9 && weight_b < 1.0 + 1e-9;
    return inside ? NewtonStatus::done : NewtonStatus::failed;
  }
  m = (m + tangents * step).normalized();
  return NewtonStatus::going;
}

}  // namespace grouser::convex
