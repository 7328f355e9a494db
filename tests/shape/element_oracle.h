// Distances of analytic elements by search, without any of the formulas that are to be tested; and
// random elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/shape/elements.h"
#include "tests/support/random_vector.h"

namespace grouser::test {

/// The least value of a function with one valley between low and high, by golden sections: 56 of
/// them leave 1e-12 of the interval.
template <class Function>
double valley(const Function& f, double low, double high) {
  constexpr double kGolden = 0.6180339887498949;
  double a = high - kGolden * (high - low), b = low + kGolden * (high - low);
  double fa = f(a), fb = f(b), least = std::min(f(low), f(high));
  for (int i = 0; i < 56; ++i) {
    least = std::min({least, fa, fb});
    if (fa < fb) {
      high = b, b = a, fb = fa;
      a = high - kGolden * (high - low), fa = f(a);
    } else {
      low = a, a = b, fa = fb;
      b = low + kGolden * (high - low), fb = f(b);
    }
  }
  return std::min({least, fa, fb});
}

/// The least value of a function with several valleys, none narrower than 2 / samples of it all.
template <class Function>
double deepest_valley(const Function& f, double low, double high, int samples) {
  const auto at = [&](int i) { return low + (high - low) * i / samples; };
  std::vector<double> values;
  for (int i = 0; i <= samples; ++i) values.push_back(f(at(i)));
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= samples; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const bool falls = i == 0 || values[k] <= values[k - 1];
    const bool rises = i == samples || values[k] <= values[k + 1];
    if (falls && rises) {
      least = std::min(least, valley(f, at(std::max(i - 1, 0)), at(std::min(i + 1, samples))));
    }
  }
  return least;
}

inline double searched_distance(const Vec3& a, const Segment& b) {
  return valley([&](double t) { return (a - b.from - t * (b.to - b.from)).norm(); }, 0.0, 1.0);
}

inline double searched_distance(const Segment& a, const Segment& b) {
  return valley([&](double s) { return searched_distance(a.from + s * (a.to - a.from), b); }, 0.0,
                1.0);
}

inline double searched_distance(const Vec3& a, const Disc& b) {
  return deepest_valley(
      [&](double angle) {
        const Vec3 out(std::cos(angle), std::sin(angle), 0.0);
        return searched_distance(a, Segment{b.inner_radius * out, b.radius * out});
      },
      0.0, 2.0 * kPi, 5);
}

inline double searched_distance(const Vec3& a, const Frustum& b) {
  return deepest_valley(
      [&](double angle) {
        const Vec3 out(std::cos(angle), std::sin(angle), 0.0);
        return searched_distance(
            a, Segment{b.bottom_radius * out, b.top_radius * out + b.height * Vec3::UnitZ()});
      },
      0.0, 2.0 * kPi, 40);
}

/// The nearest generator of the mantle is the one beside the point.
inline double searched_distance(const Segment& a, const Frustum& b) {
  return deepest_valley(
      [&](double s) {
        const Vec3 p = a.from + s * (a.to - a.from);
        const Vec2 at(p.head<2>().norm() - b.bottom_radius, p.z());
        const Vec2 up(b.top_radius - b.bottom_radius, b.height);
        return (at - std::clamp(at.dot(up) / up.squaredNorm(), 0.0, 1.0) * up).norm();
      },
      0.0, 1.0, 400);
}

inline double searched_distance(const Vec3& a, const Polygon& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& corners : b.triangles()) {
    const auto at = [&](std::size_t k) { return b.points()[static_cast<std::size_t>(corners[k])]; };
    const auto from_first = [&](double t) {
      return searched_distance(a, Segment{at(0), at(1) + t * (at(2) - at(1))});
    };
    least = std::min(least, valley(from_first, 0.0, 1.0));
  }
  return least;
}

inline double searched_distance(const Vec3& a, const Polyline& b) {
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Vec3>& points = b.points();
  for (std::size_t i = 0; i + (b.closed() ? 0 : 1) < points.size(); ++i) {
    least = std::min(least, searched_distance(a, {points[i], points[(i + 1) % points.size()]}));
  }
  return least;
}

inline double searched_distance(const Vec3& a, const Spline& b) {
  const int samples = 16 * static_cast<int>(b.piece_count());
  return deepest_valley([&](double t) { return (a - b.at(t)).norm(); }, 0.0, b.end(), samples);
}

inline Vec3 random_direction(Random& random) {
  while (true) {
    const Vec3 p = random_vector(random, 1.0);
    if (p.norm() > 0.1 && p.norm() < 1.0) return p.normalized();
  }
}

inline Segment random_segment(Random& random, double size) {
  const Vec3 from = random_vector(random, size);
  return {from, from + random.uniform(0.1, 2.0) * size * random_direction(random)};
}

/// A star around the origin, mostly not convex, in a plane anyhow.
inline Polygon random_polygon(Random& random) {
  const Vec3 normal = random_direction(random), along = normal.unitOrthogonal();
  const Vec3 across = normal.cross(along), middle = random_vector(random, 0.1);
  const int corners = 3 + static_cast<int>(random.below(6));
  std::vector<Vec3> points;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2.0 * kPi * (i + random.uniform(0.0, 0.6)) / corners;
    const double radius = random.uniform(0.02, 0.1);
    points.push_back(middle + radius * (std::cos(angle) * along + std::sin(angle) * across));
  }
  return Polygon(points);
}

/// A way with bends of any kind, steps of about 0.03.
inline std::vector<Vec3> random_way(Random& random, int points) {
  std::vector<Vec3> way{random_vector(random, 0.02)};
  Vec3 step = random_direction(random);
  while (static_cast<int>(way.size()) < points) {
    step = (step + 1.2 * random_direction(random)).normalized();
    way.push_back(way.back() + random.uniform(0.01, 0.05) * step);
  }
  return way;
}

inline Frustum random_frustum(Random& random) {
  const double bottom = random.uniform(0.02, 0.1);
  // Every fourth is straight, every fourth pointed.
  const std::uint32_t kind = random.below(4);
  const double top = kind == 0 ? bottom : kind == 1 ? 0.0 : random.uniform(0.01, 0.1);
  return {bottom, top, random.uniform(0.02, 0.2)};
}

}  // namespace grouser::test
