#include "grouser/shape/contact_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "grouser/base/assert.h"
#include "grouser/base/error.h"
#include "grouser/map/elevation_patch.h"
#include "grouser/shape/parametric_surface.h"
#include "grouser/shape/smooth_bodies.h"

namespace grouser {
namespace {

std::size_t cells_of(const SmoothSurface& surface) {
  std::size_t cells = 0;
  for (const SmoothSurface::Grid& grid : surface.grids())
    cells += static_cast<std::size_t>(grid.nu) * static_cast<std::size_t>(grid.nv);
  return cells;
}

/// The distance of a point from a map, as a function of x and y: slope and curvature of half its
/// square.
struct DistanceOverMap {
  Vec2 slope;
  double xx, xy, yy;

  DistanceOverMap(const SurfaceHeight& h, const Vec3& c, double x, double y) {
    const double below = h.z - c.z();
    slope = Vec2(x - c.x() + below * h.dx, y - c.y() + below * h.dy);
    xx = 1.0 + h.dx * h.dx + below * h.dxx;
    xy = h.dx * h.dy + below * h.dxy;
    yy = 1.0 + h.dy * h.dy + below * h.dyy;
  }
  double determinant() const { return xx * yy - xy * xy; }
  bool is_least() const { return is_above(0.0); }
  /// No eigenvalue is less than this; it is 1 on level ground.
  bool is_above(double least) const { return xx > least && (xx - least) * (yy - least) > xy * xy; }

  /// Made positive by what the smallest eigenvalue lacks: a step then leads nearer.
  void make_positive() {
    constexpr double kLeast = 2e-3;
    if (is_above(kLeast)) return;
    const double smallest = 0.5 * (xx + yy) - std::hypot(0.5 * (xx - yy), xy);
    const double more = std::max(kLeast, -smallest) - smallest;
    xx += more;
    yy += more;
  }
  /// Made such that a step leads farther along a direction and nearer across it.
  void make_saddle(const Vec2& over) {
    GROUSER_ASSERT(!(std::abs(over.norm() - 1.0) > 1e-9));
    const Vec2 across(-over.y(), over.x());
    const auto bend = [&](const Vec2& a, const Vec2& b) {
      return a.x() * (xx * b.x() + xy * b.y()) + a.y() * (xy * b.x() + yy * b.y());
    };
    const double up = bend(over, over), down = bend(across, across);
    if (up < 0.0 && down > 0.0 && determinant() < 0.0) return;
    const double along = std::min(-std::abs(up), -0.05), least = std::max(std::abs(down), 0.05);
    xx = along * over.x() * over.x() + least * across.x() * across.x();
    xy = along * over.x() * over.y() + least * across.x() * across.y();
    yy = along * over.y() * over.y() + least * across.y() * across.y();
  }
  /// Of the square of the distance, by a step.
  double change(const Vec2& s) const {
    return 2.0 * slope.dot(s) + xx * s.x() * s.x() + 2.0 * xy * s.x() * s.y() + yy * s.y() * s.y();
  }
  Vec2 step() const {
    const double scale = -1.0 / determinant();
    return {scale * (yy * slope.x() - xy * slope.y()), scale * (xx * slope.y() - xy * slope.x())};
  }
};

/// The contact of a ball whose centre has its foot on a map.
ClosestPoints ball_contact(const SurfaceHeight& h, double x, double y, const Vec3& c,
                           double radius) {
  GROUSER_ASSERT(radius > 0.0);
  const double s = 1.0 / std::sqrt(1.0 + h.dx * h.dx + h.dy * h.dy);
  const double s1 = 1.0 / std::sqrt(1.0 + h.dx * h.dx);
  ClosestPoints out;
  out.x1 = {x, y, 0};
  out.p1 = Vec3(x, y, h.z);
  out.n = s * Vec3(-h.dx, -h.dy, 1.0);
  out.e1 = s1 * Vec3(1.0, 0.0, h.dx);
  out.e2 = out.n.cross(out.e1);
  const double b10 = out.e2.x() + out.e2.z() * h.dx;  // 0 by construction, up to rounding
  const double b00 = 1.0 / s1, b01 = s1 * h.dx * h.dy, b11 = out.e2.y() + out.e2.z() * h.dy;
  out.B1 << b00, b01, b10, b11;
  // K = B^-T h B^-1 with an upper triangular B.
  const double i00 = s1, i11 = 1.0 / b11, i01 = -b01 * i00 * i11;
  const double hxx = -s * h.dxx, hxy = -s * h.dxy, hyy = -s * h.dyy;
  const double k00 = hxx * i00 * i00;
  const double k01 = i00 * (hxx * i01 + hxy * i11);
  const double k11 = hxx * i01 * i01 + 2.0 * hxy * i01 * i11 + hyy * i11 * i11;
  out.K1 << k00, k01, k01, k11;
  out.K2 = Mat2::Identity() / radius;
  out.gap = out.n.dot(c - out.p1) - radius;
  out.p2 = c - radius * out.n;
  if (!h.known)
    out.status1 = SurfaceStatus::no_data;
  else if (!h.inside)
    out.status1 = SurfaceStatus::beyond;
  return out;
}

}  // namespace

bool is_better_swapped(const SmoothSurface& first, const SmoothSurface& second) {
  const auto rank = [](const SmoothSurface& surface) {
    if (dynamic_cast<const MapSurface*>(&surface)) return 2;
    return dynamic_cast<const ParametricSurface*>(&surface) ? 1 : 0;
  };
  const int one = rank(first), two = rank(second);
  return one == two ? cells_of(first) < cells_of(second) : one < two;
}

ContactSearch::ContactSearch(std::shared_ptr<const SmoothSurface> first,
                             std::shared_ptr<const SmoothSurface> second)
    : first_(std::move(first)), second_(std::move(second)) {
  const auto* body = dynamic_cast<const StarSurface*>(second_.get());
  if (body && body->is_sphere()) ball_radius_ = body->half_axes().x();
  if (ball_radius_ > 0.0) map_ = dynamic_cast<const MapSurface*>(first_.get());
  if (!map_ && cells_of(*second_) > kMostCells)
    throw InputError("the smaller surface has " + std::to_string(cells_of(*second_)) +
                     " cells, at most " + std::to_string(kMostCells) +
                     " are possible; give a coarser map");
  // Where the first surface bends less, cells need not be small.
  if (!map_)
    samples_.emplace(*second_, std::clamp(0.5 * first_->size() / second_->size(), 1.0, 3.0));
  same_ = 1e-3 * std::min(first_->size(), second_->size());
}

std::optional<ClosestPoints> ContactSearch::ball_on_map(const Vec3& c, double x, double y,
                                                        const Way& way) const {
  constexpr int kMostIterations = 20;
  constexpr double kLastStep = 1e-6;  // of the spacing; what it leaves is its square
  constexpr double kAllowance = 0.03;
  const ElevationMap& map = map_->map();
  const double spacing = map.spacing();
  ElevationPatch patch = map.patch(x, y);
  bool is_last = false;
  for (int i = 0; i < kMostIterations; ++i) {
    if (!patch.covers(x, y)) patch = map.patch(x, y);
    const SurfaceHeight h = patch.at(x, y);
    DistanceOverMap at(h, c, x, y);
    if (is_last) {
      if (!way.over && !at.is_least()) return std::nullopt;
      return ball_contact(h, x, y, c, ball_radius_);
    }
    const bool is_round = at.is_above(0.4);
    if (way.is_bent && !is_round) *way.is_bent = true;
    if (way.over)
      at.make_saddle(*way.over);
    else
      at.make_positive();
    Vec2 step = at.step();
    const double length = std::max(std::abs(step.x()), std::abs(step.y()));
    if (!std::isfinite(length)) return std::nullopt;
    is_last = length < kLastStep * spacing;
    if (length > spacing) step *= spacing / length;
    const double x_before = x, y_before = y;
    x += step.x();
    y += step.y();
    if (!way.cell) continue;
    // Kept inside; where it still wants to go out it is another cell's business.
    const double x_in = std::clamp(x, way.cell->x0, way.cell->x1);
    const double y_in = std::clamp(y, way.cell->y0, way.cell->y1);
    if (x_in != x || y_in != y) {
      // So it is if all of the cell seems to be out of reach, by a parabola, with some allowance.
      if (i == 0 && is_round) {
        const Vec2 inside(x_in - x_before, y_in - y_before);
        const double square = (Vec3(x_before, y_before, h.z) - c).squaredNorm();
        const double reach = way.reach + kAllowance * spacing;
        if (square + at.change(inside) > reach * reach) return std::nullopt;
      }
      const double moved = std::max(std::abs(x_in - x_before), std::abs(y_in - y_before));
      if (moved < 0.1 * spacing) return std::nullopt;
      is_last = false;
    }
    x = x_in;
    y = y_in;
  }
  return std::nullopt;
}

std::optional<ClosestPoints> ContactSearch::follow(const Pose& X_12,
                                                   const ContactStart& start) const {
  if (map_) return ball_on_map(X_12.p, start.x1.u, start.x1.v, {});
  return find_closest(*first_, *second_, X_12, start.x1, start.x2);
}

bool ContactSearch::add(const ClosestPoints& contact, int known, FoundContacts& out) const {
  GROUSER_ASSERT(!std::isnan(contact.gap));
  for (const FoundContact& other : out.all)
    if ((other.at.p1 - contact.p1).squaredNorm() < same_ * same_) return false;
  if (out.all.add({contact, known})) return true;
  ++out.left_out;
  return false;
}

void ContactSearch::search(const Pose& X_12, double margin, FoundContacts& out) const {
  GROUSER_ASSERT(margin >= 0.0);
  if (map_)
    search_ball(X_12.p, margin, out);
  else
    search_samples(X_12, margin, out);
}

void ContactSearch::search_ball(const Vec3& c, double margin, FoundContacts& out) const {
  const ElevationMap& map = map_->map();
  const double spacing = map.spacing(), slack = 0.1 * spacing;
  const double reach = ball_radius_ + margin;
  // Each cell is entered where it is nearest to the likely contact: one that is known, or a step
  // from straight below the centre.
  Vec2 likely = c.head<2>();
  if (out.all.empty()) {
    DistanceOverMap below(map.at(c.x(), c.y()), c, c.x(), c.y());
    below.make_positive();
    const Vec2 step = below.step();
    if (step.norm() < ball_radius_) likely += step;
  } else {
    likely = Vec2(out.all[0].at.x1.u, out.all[0].at.x1.v);
  }
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  map_->pyramid().visit_cells(c, reach, [&](std::size_t ix, std::size_t iy) {
    // Somewhat larger, for steps that go a little too far; cells at the border go on beyond it.
    const double x = map.origin().x() + spacing * static_cast<double>(ix);
    const double y = map.origin().y() + spacing * static_cast<double>(iy);
    const Cell cell{
        ix == 0 ? -kNowhere : x - slack, ix + 2 == map.nx() ? kNowhere : x + spacing + slack,
        iy == 0 ? -kNowhere : y - slack, iy + 2 == map.ny() ? kNowhere : y + spacing + slack};
    for (const FoundContact& other : out.all) {
      const double u = other.at.x1.u, v = other.at.x1.v;
      if (u >= cell.x0 && u <= cell.x1 && v >= cell.y0 && v <= cell.y1) return;
    }
    bool is_bent = false;
    auto contact = ball_on_map(c, std::clamp(likely.x(), cell.x0, cell.x1),
                               std::clamp(likely.y(), cell.y0, cell.y1),
                               {.cell = &cell, .is_bent = &is_bent, .reach = reach});
    // A way out of the cell is no proof that nothing is in it.
    if (!contact && is_bent)
      contact = ball_on_map(c, x + 0.5 * spacing, y + 0.5 * spacing, {.cell = &cell});
    if (contact && contact->gap < margin) add(*contact, -1, out);
  });
}

void ContactSearch::search_samples(const Pose& X_12, double margin, FoundContacts& out) const {
  const auto foot_of = [&](int i) { return first_->foot(X_12 * samples_->sample(i).p); };
  const double bend = 1.0 / first_->size() + 1.0 / second_->size();
  const auto may = [&](const Vec3& centre, double radius) {
    return first_->may_touch(X_12 * centre, radius + margin);
  };
  samples_->visit(may, [&](int i) {
    const SurfaceFoot foot = foot_of(i);
    const std::span<const std::int32_t> around = samples_->neighbours(i);
    if (around.empty()) return;
    // From where the gap is smallest it grows with the square of the distance: too far for a
    // contact in this cell, whatever its neighbours say.
    const Vec3 cell = samples_->sample(i).p - samples_->sample(around.front()).p;
    if (foot.gap > margin + bend * cell.squaredNorm()) return;
    for (const int neighbour : around) {
      const double gap = foot_of(neighbour).gap;
      if (gap < foot.gap || (gap == foot.gap && neighbour < i)) return;
    }
    const auto contact = find_closest(*first_, *second_, X_12, foot.at, samples_->sample(i).at);
    if (contact && contact->gap < margin) add(*contact, -1, out);
  });
}

std::optional<ClosestPoints> ContactSearch::find_saddle(const Pose& X_12, const ClosestPoints& one,
                                                        const ClosestPoints& other) const {
  const double apart = (one.p1 - other.p1).norm();
  const Vec3 middle = 0.5 * (one.p1 + other.p1);
  std::optional<ClosestPoints> saddle;
  if (map_) {
    const Vec2 ridge = (other.p1 - one.p1).head<2>().normalized();
    saddle = ball_on_map(X_12.p, middle.x(), middle.y(), {.over = &ridge});
  } else {
    const Vec3 middle2 = X_12.inverse() * Vec3(0.5 * (one.p2 + other.p2));
    saddle = find_closest(*first_, *second_, X_12, first_->foot(middle).at,
                          second_->foot(middle2).at, Vec3(other.p1 - one.p1));
  }
  if (!saddle || (saddle->p1 - middle).norm() > apart) return std::nullopt;
  if (kind_of(*saddle) != ContactKind::saddle) return std::nullopt;
  return saddle;
}

}  // namespace grouser
