// How deep points lie in a body with flat faces: under one of them a linear function of place, in
// the body the least of these.
#pragma once

#include <algorithm>
#include <span>

#include "grouser/base/scratch.h"
#include "grouser/shape/pressure_sums.h"

namespace grouser {

struct LinearField {
  Vec3 slope;
  double base;
  double at(const Vec3& p) const { return base + slope.dot(p); }
};
inline LinearField operator-(const LinearField& a, const LinearField& b) {
  return {a.slope - b.slope, a.base - b.base};
}

/// A region of space in which depth is linear: where `depth` and all of `bounds` are positive.
struct DepthCell {
  LinearField depth;
  std::span<const LinearField> bounds;
};

/// What is left of a convex polygon where a function is positive; `out` has room for one corner
/// more. Returns the number of corners.
inline std::size_t clip_polygon(std::span<const Vec3> corners, const LinearField& bound,
                                std::span<Vec3> out) {
  std::size_t count = 0;
  Vec3 from = corners.back();
  double before = bound.at(from);
  for (const Vec3& to : corners) {
    const double now = bound.at(to);
    if ((before > 0.0) != (now > 0.0)) out[count++] = from + before / (before - now) * (to - from);
    if (now > 0.0) out[count++] = to;
    from = to;
    before = now;
  }
  return count;
}

/// Calls visit(polygon, depth) with the part of a convex polygon in a cell.
template <class Visit>
void clip_to_cell(std::span<const Vec3> corners, const DepthCell& cell, Scratch& scratch,
                  Visit&& visit) {
  const Scratch::Mark mark = scratch.mark();
  const std::size_t room = corners.size() + cell.bounds.size() + 2;
  std::span<Vec3> polygon = scratch.take<Vec3>(room), spare = scratch.take<Vec3>(room);
  std::size_t count = corners.size();
  std::copy(corners.begin(), corners.end(), polygon.begin());
  const auto clip = [&](const LinearField& bound) {
    count = clip_polygon(polygon.first(count), bound, spare);
    std::swap(polygon, spare);
  };
  clip(cell.depth);
  for (std::size_t i = 0; i < cell.bounds.size() && count > 2; ++i) clip(cell.bounds[i]);
  if (count > 2) visit(std::span<const Vec3>(polygon.first(count)), cell.depth);
  scratch.rewind(mark);
}

/// The cells of a body with flat faces that have a part of a convex polygon: depth is that under
/// one face where no other is nearer.
template <class Visit>
void clip_to_body(std::span<const Vec3> corners, std::span<const LinearField> faces,
                  Scratch& scratch, Visit&& visit) {
  const Scratch::Mark mark = scratch.mark();
  const std::size_t n = corners.size();
  const std::span<double> depths = scratch.take<double>(faces.size() * n);
  bool outside = false;
  for (std::size_t j = 0; j < faces.size() && !outside; ++j) {
    double greatest = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      depths[j * n + i] = faces[j].at(corners[i]);
      greatest = std::max(greatest, depths[j * n + i]);
    }
    outside = greatest == 0.0;
  }
  const std::span<LinearField> bounds = scratch.take<LinearField>(faces.size());
  for (std::size_t j = 0; j < faces.size() && !outside; ++j) {
    std::size_t count = 0;
    bool hidden = false;
    for (std::size_t l = 0; l < faces.size() && !hidden; ++l) {
      if (l == j) continue;
      // Of two faces that are as near everywhere the first one counts.
      bool any = false, all = true;
      for (std::size_t i = 0; i < n; ++i) {
        const double here = depths[j * n + i], there = depths[l * n + i];
        any = any || there < here;
        all = all && there <= here;
      }
      hidden = all && (any || l < j);
      if (any) bounds[count++] = faces[l] - faces[j];
    }
    if (!hidden) clip_to_cell(corners, {faces[j], bounds.first(count)}, scratch, visit);
  }
  scratch.rewind(mark);
}

/// Sums over a polygon of a plane with this normal.
inline void add_polygon(std::span<const Vec3> corners, const LinearField& depth, const Vec3& normal,
                        FaceSums& sums) {
  const Vec3 &a = corners[0], *b = &corners[1];
  const double qa = depth.at(a);
  double qb = depth.at(*b);
  for (std::size_t i = 2; i < corners.size(); ++i) {
    const Vec3& c = corners[i];
    const double qc = depth.at(c);
    const double size = 0.5 * (*b - a).cross(c - a).dot(normal);
    sums.add_triangle(a, *b, c, qa, qb, qc, size);
    b = &c;
    qb = qc;
  }
}

}  // namespace grouser
