#include "grouser/shape/convex_surface.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grouser/base/error.h"
#include "grouser/map/elevation_mesh.h"
#include "grouser/shape/round_pressure.h"

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
void ConvexSurface::for_each_near(const ConvexBounds& box, double reach, Visit&& visit) const {
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
      visit(first);
      visit(first + 1);
    }
}

ConvexContact ConvexSurface::contact(const ConvexShape& a, const Pose& X_WA, const Pose& X_WS,
                                     double reach) const {
  ConvexContact best;
  for_each_near(bounds_of(a, X_WS.inverse() * X_WA), reach, [&](std::size_t triangle) {
    const ConvexContact contact = find_convex_contact(a, X_WA, prisms_[triangle], X_WS, reach);
    if (contact.depth > best.depth) best = contact;
  });
  return best;
}

namespace {

/// Of a triangle of the surface: how deep a point lies below it, and its three sides.
struct TriangleCell {
  LinearField depth;
  std::array<LinearField, 3> sides;
  DepthCell cell() const { return {depth, sides}; }
};

/// Corners counter-clockwise seen from above, relative to the point that all sums are.
TriangleCell cell_below(const std::array<Vec3, 3>& corners) {
  const Vec3 normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
  TriangleCell out;
  out.depth.slope = -normal / normal.z();
  out.depth.base = -out.depth.slope.dot(corners[0]);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 along = corners[(i + 1) % 3] - corners[i];
    out.sides[i].slope = Vec3(-along.y(), along.x(), 0.0);
    out.sides[i].base = -out.sides[i].slope.dot(corners[i]);
  }
  return out;
}

ConvexBounds bounds_of(std::span<const Vec3> points) {
  ConvexBounds out{points[0], points[0]};
  for (const Vec3& p : points) {
    out.lower = out.lower.cwiseMin(p);
    out.upper = out.upper.cwiseMax(p);
  }
  return out;
}

}  // namespace

// All in the frame of the map, relative to the body.
ConvexPressure ConvexSurface::pressure(const ConvexShape& a, const Pose& X_WA, const Pose& X_WS,
                                       Scratch& scratch) const {
  const Scratch::Mark mark = scratch.mark();
  const Pose X_SA = X_WS.inverse() * X_WA;
  const Vec3 p_SO = X_SA.p;
  const auto for_each_cell = [&](ConvexBounds box, const auto& visit) {
    box.lower += p_SO;
    box.upper += p_SO;
    for_each_near(box, 0.0, [&](std::size_t t) {
      visit(cell_below(
          {mesh_.corner(t, 0) - p_SO, mesh_.corner(t, 1) - p_SO, mesh_.corner(t, 2) - p_SO}));
    });
  };
  PressureSums sums;
  const auto add_face = [&](std::span<const Vec3> corners, const auto& add, const Vec3& normal) {
    FaceSums all;
    for_each_cell(bounds_of(corners), [&](const TriangleCell& cell) {
      clip_to_cell(corners, cell.cell(), scratch,
                   [&](std::span<const Vec3> polygon, const LinearField& depth) {
                     add(polygon, depth, all);
                   });
    });
    all.add_to(sums, normal);
  };
  if (is_round(a)) {
    const RoundSurface surface(a, X_SA, p_SO);
    // Lines below the highest point nearby may meet the surface; a plane has kinks there alone.
    double highest = lower_.z();
    for_each_near(bounds_of(a, X_SA), 0.0, [&](std::size_t t) {
      for (const int k : {0, 1, 2}) highest = std::max(highest, mesh_.corner(t, k).z());
    });
    const std::array<LinearField, 1> top = {{{-Vec3::UnitZ(), highest - p_SO.z()}}};
    const auto end_of = [](const SurfaceLine& line) -> Vec3 {
      return line.start + line.length * line.direction;
    };
    press_side(
        surface, smooth_angles(surface, {top, {}}, scratch), SidePieces{0.2},
        [&](const SurfaceLine& line) {
          return top[0].at(line.start) > 0.0 || top[0].at(end_of(line)) > 0.0;
        },
        [&](const SurfaceLine& line) {
          LineSums all;
          const Vec3 end = end_of(line);
          for_each_cell(bounds_of(std::array{line.start, end}),
                        [&](const TriangleCell& cell) { add_line(line, cell.cell(), all); });
          return all;
        },
        sums);
    for (int k = 0; k < surface.lid_count(); ++k) {
      const Lid lid = surface.lid(k);
      add_face(
          lid.square(),
          [&](std::span<const Vec3> polygon, const LinearField& depth, FaceSums& all) {
            add_lid(lid, polygon, depth, scratch, all);
          },
          lid.normal);
    }
  } else {
    for (const RigidFace& face : all_rigid_faces(a, X_SA, p_SO, scratch))
      add_face(
          face.corners,
          [&](std::span<const Vec3> polygon, const LinearField& depth, FaceSums& all) {
            add_polygon(polygon, depth, face.normal, all);
          },
          face.normal);
  }
  scratch.rewind(mark);
  return make_convex_pressure(sums, X_WS.R, X_WA.p, false);
}

}  // namespace grouser
