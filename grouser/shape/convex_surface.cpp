#include "grouser/shape/convex_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/error.h"
#include "grouser/map/elevation_mesh.h"

namespace grouser {
namespace {

/// The prism between a triangle and the same triangle at the height `floor`.
ConvexShape prism_below(const std::array<Vec3, 3>& top, double floor) {
  std::vector<Vec3> corners(top.begin(), top.end());
  for (const Vec3& p : top) corners.emplace_back(p.x(), p.y(), floor);
  return ConvexShape::from_hull(make_convex_hull(corners, "surface"));
}

}  // namespace

ConvexSurface::ConvexSurface(const ElevationGrid& grid) : grid_(grid) {
  const std::size_t cells = (grid.nx - 1) * (grid.ny - 1);
  if (cells > kMostCells)
    throw InputError("the map has " + std::to_string(cells) + " cells, more than the " +
                     std::to_string(kMostCells) +
                     " a convex surface may have; make it coarser or smaller, or use pcm");
  const auto [lowest, highest] = std::minmax_element(grid.heights.begin(), grid.heights.end());
  // As thick as a few cells are wide: nothing gets through it in a step.
  const double floor = *lowest - 4.0 * grid.spacing;
  mesh_ = make_elevation_mesh(grid, 0.0);
  lower_ = mesh_.vertices.front();
  upper_ = mesh_.vertices.back();
  lower_.z() = floor;
  upper_.z() = *highest;
  prisms_.reserve(mesh_.triangle_count());
  for (std::size_t t = 0; t < mesh_.triangle_count(); ++t)
    prisms_.push_back(
        prism_below({mesh_.corner(t, 0), mesh_.corner(t, 1), mesh_.corner(t, 2)}, floor));
}

template <class Visit>
void ConvexSurface::for_each_near(const ConvexShape& a, const Pose& X_SA, double reach,
                                  Visit&& visit) const {
  const ConvexBounds box = bounds_of(a, X_SA);
  const auto cell = [&](double x, double origin, std::size_t nodes) {
    const double i = std::floor((x - origin) / grid_.spacing);
    return static_cast<std::size_t>(std::clamp(i, 0.0, static_cast<double>(nodes - 2)));
  };
  const std::size_t x0 = cell(box.lower.x() - reach, grid_.origin.x(), grid_.nx);
  const std::size_t x1 = cell(box.upper.x() + reach, grid_.origin.x(), grid_.nx);
  const std::size_t y0 = cell(box.lower.y() - reach, grid_.origin.y(), grid_.ny);
  const std::size_t y1 = cell(box.upper.y() + reach, grid_.origin.y(), grid_.ny);
  for (std::size_t iy = y0; iy <= y1; ++iy)
    for (std::size_t ix = x0; ix <= x1; ++ix) {
      const double highest = std::max({grid_.height(ix, iy), grid_.height(ix + 1, iy),
                                       grid_.height(ix, iy + 1), grid_.height(ix + 1, iy + 1)});
      if (highest + reach < box.lower.z()) continue;
      const std::size_t first = 2 * (iy * (grid_.nx - 1) + ix);
      visit(prisms_[first]);
      visit(prisms_[first + 1]);
    }
}

ConvexContact ConvexSurface::contact(const ConvexShape& a, const Pose& X_WA, const Pose& X_WS,
                                     double reach) const {
  ConvexContact best;
  for_each_near(a, X_WS.inverse() * X_WA, reach, [&](const ConvexShape& prism) {
    const ConvexContact contact = find_convex_contact(a, X_WA, prism, X_WS, reach);
    if (contact.depth > best.depth) best = contact;
  });
  return best;
}

ConvexLens ConvexSurface::lens(const ConvexShape& a, const Pose& X_WA, const Pose& X_WS,
                               Scratch& scratch) const {
  ConvexLens sum;
  Vec3 area = Vec3::Zero(), moment = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  // Moments about a point nearby, so that no digits are lost.
  const Vec3 near_W = X_WA.p;
  for_each_near(a, X_WS.inverse() * X_WA, 0.0, [&](const ConvexShape& prism) {
    const ConvexContact contact = find_convex_contact(a, X_WA, prism, X_WS, 0.0);
    if (!(contact.depth > 0.0)) return;
    const ConvexLens lens = find_convex_lens(a, X_WA, prism, X_WS, contact, scratch);
    if (!(lens.volume > 0.0)) return;
    const Vec3 center = lens.center_W - near_W;
    sum.volume += lens.volume;
    area += lens.area * lens.normal_W;
    moment += lens.volume * center;
    second += lens.volume * (lens.covariance_W + center * center.transpose());
  });
  if (!(sum.volume > 0.0)) return sum;
  sum.area = area.norm();
  sum.normal_W = area / sum.area;
  sum.depth = sum.volume / sum.area;
  const Vec3 center = moment / sum.volume;
  sum.center_W = near_W + center;
  sum.covariance_W = second / sum.volume - center * center.transpose();
  return sum;
}

}  // namespace grouser
