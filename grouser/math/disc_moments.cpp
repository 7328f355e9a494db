// Edge by edge: what lies between the centre, the edge and the rim, with the sign of its turn.
#include "grouser/math/disc_moments.h"

#include <algorithm>
#include <cmath>

namespace grouser {
namespace {

double cross(const Vec2& a, const Vec2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// Of the centre and two points.
void add_triangle(const Vec2& a, const Vec2& b, DiscMoments& out) {
  const double size = 0.5 * cross(a, b);
  const double sx = a.x() + b.x(), sy = a.y() + b.y();
  const double xx = a.x() * a.x() + b.x() * b.x(), yy = a.y() * a.y() + b.y() * b.y();
  const double xy = a.x() * a.y() + b.x() * b.y();
  out.one += size;
  out.x += size / 3.0 * sx;
  out.y += size / 3.0 * sy;
  out.xx += size / 12.0 * (sx * sx + xx);
  out.xy += size / 12.0 * (sx * sy + xy);
  out.yy += size / 12.0 * (sy * sy + yy);
  // Integrals of products of three linear functions.
  const auto third = [&](double f_a, double f_b, double g_a, double g_b, double h_a, double h_b) {
    const double f = f_a + f_b, g = g_a + g_b, h = h_a + h_b;
    return size / 60.0 *
           (f * g * h + f * (g_a * h_a + g_b * h_b) + g * (f_a * h_a + f_b * h_b) +
            h * (f_a * g_a + f_b * g_b) + 2.0 * (f_a * g_a * h_a + f_b * g_b * h_b));
  };
  out.xxx += third(a.x(), b.x(), a.x(), b.x(), a.x(), b.x());
  out.xxy += third(a.x(), b.x(), a.x(), b.x(), a.y(), b.y());
  out.xyy += third(a.x(), b.x(), a.y(), b.y(), a.y(), b.y());
  out.yyy += third(a.y(), b.y(), a.y(), b.y(), a.y(), b.y());
}

/// Of the sector from the direction of a to that of b, the short way round.
void add_sector(const Vec2& a, const Vec2& b, double radius, DiscMoments& out) {
  const double angle = std::atan2(cross(a, b), a.dot(b));
  if (angle == 0.0) return;
  const Vec2 u = a.normalized(), v = b.normalized();
  const double c1 = u.x(), s1 = u.y(), c2 = v.x(), s2 = v.y();
  const double r2 = radius * radius / 2.0, r3 = radius * radius * radius / 3.0;
  const double r4 = r2 * r2, r5 = radius * r4 * 0.8;
  out.one += r2 * angle;
  out.x += r3 * (s2 - s1);
  out.y += r3 * (c1 - c2);
  const double turned = 0.5 * (s2 * c2 - s1 * c1);
  out.xx += r4 * (0.5 * angle + turned);
  out.xy += r4 * 0.5 * (s2 * s2 - s1 * s1);
  out.yy += r4 * (0.5 * angle - turned);
  const double cubes_s = (s2 * s2 * s2 - s1 * s1 * s1) / 3.0;
  const double cubes_c = (c1 * c1 * c1 - c2 * c2 * c2) / 3.0;
  out.xxx += r5 * (s2 - s1 - cubes_s);
  out.xxy += r5 * cubes_c;
  out.xyy += r5 * cubes_s;
  out.yyy += r5 * (c1 - c2 - cubes_c);
}

}  // namespace

DiscMoments disc_moments(std::span<const Vec2> polygon, double radius) {
  DiscMoments out;
  Vec2 a = polygon.back();
  for (const Vec2& b : polygon) {
    const Vec2 along = b - a;
    const double square = along.squaredNorm();
    if (square > 0.0) {
      // Where the edge comes into the disc and leaves it, as shares of the edge.
      const double middle = -a.dot(along) / square;
      const double off = cross(a, along) * cross(a, along) / square;
      const double rest = radius * radius - off;
      const double half = rest > 0.0 ? std::sqrt(rest / square) : 0.0;
      const double enter = std::clamp(middle - half, 0.0, 1.0);
      const double leave = std::clamp(middle + half, 0.0, 1.0);
      if (half > 0.0 && leave > enter) {
        const Vec2 p = a + enter * along, q = a + leave * along;
        if (enter > 0.0) add_sector(a, p, radius, out);
        add_triangle(p, q, out);
        if (leave < 1.0) add_sector(q, b, radius, out);
      } else {
        add_sector(a, b, radius, out);
      }
    }
    a = b;
  }
  return out;
}

}  // namespace grouser
