#include "grouser/soil/wheel_tread.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "grouser/base/assert.h"
#include "grouser/soil/revolved.h"

namespace grouser {
namespace {

/// Places around the wheel at which it is measured, and rows across it.
constexpr int kAround = 4096;
constexpr int kRows = 48;
/// A rim reaches at least so far out, as a share of the greatest radius.
constexpr double kRim = 0.6;
/// Hubs reach out at most so far where they stand out to the sides.
constexpr double kHub = 0.45;
/// What stands out by less than this share of the radius is no grouser.
constexpr double kLeastHeight = 0.01;
/// Of all places of a row, that may be open: holes in the rim.
constexpr double kOpen = 0.1;
/// Of all rows, that have a rim at least: grousers may stand out to the sides, edges may be rough.
constexpr double kRimmed = 0.5;
/// By how much the flat facets of a carcass may lie within its circle [m].
constexpr double kSagitta = 1e-5;
/// Thickness of the ring, as a share of the radius.
constexpr double kRing = 0.15;
/// Least thickness of a ring, as a share of the radius: that of a sheet.
constexpr double kSheet = 2e-3;
/// Cracks and holes in a section that are not wider are closed, in places to either side.
constexpr int kCrack = 4;
/// Points of a profile that are off the straight line by less are left out, the greater of [m] and
/// a share of the tolerance.
constexpr double kStraight = 1e-5, kStraightShare = 0.1;
/// Ups and downs along the rim that are smaller are facets and roughness, as a share of the height.
constexpr double kSmallRise = 0.1;
/// Parts of a section that are as convex as their hull have nothing that stands out: share of the
/// mean height by which hollows must be deep.
constexpr double kHollow = 0.1;

/// Number of the place at an angle.
double place_at(double angle) {
  const double at = angle / (2.0 * kPi) * kAround;
  return at < 0.0 ? at + kAround : at;
}

/// Greatest distance from the axis, by angle: the section of a mesh with a plane across the axis.
class Section {
 public:
  Section() : radius_(kAround, 0.0) {}

  /// The side of a triangle in the plane, from (x0, y0) to (x1, y1).
  void add(double x0, double y0, double x1, double y1) {
    const double cross = x0 * y1 - x1 * y0;
    if (cross == 0.0) return;
    if (cross < 0.0) {
      std::swap(x0, x1);
      std::swap(y0, y1);
    }
    const double from = place_at(std::atan2(y0, x0));
    double to = place_at(std::atan2(y1, x1));
    if (to < from) to += kAround;
    const double dx = x1 - x0, dy = y1 - y0;
    for (auto k = static_cast<long>(std::ceil(from)); k <= static_cast<long>(std::floor(to)); ++k) {
      const double angle = 2.0 * kPi / kAround * static_cast<double>(k);
      const double across = std::cos(angle) * dy - std::sin(angle) * dx;
      if (!(across > 0.0)) continue;
      double& radius = radius_[static_cast<std::size_t>(k % kAround)];
      radius = std::max(radius, std::abs(cross) / across);
    }
  }
  /// Cracks that are narrow are no gaps.
  void close_cracks() {
    widen([](double a, double b) { return std::max(a, b); });
    widen([](double a, double b) { return std::min(a, b); });
  }
  const std::vector<double>& radius() const { return radius_; }

 private:
  template <class Choose>
  void widen(Choose choose) {
    const std::vector<double> old = radius_;
    for (int k = 0; k < kAround; ++k)
      for (int step = -kCrack; step <= kCrack; ++step)
        radius_[static_cast<std::size_t>(k)] =
            choose(radius_[static_cast<std::size_t>(k)],
                   old[static_cast<std::size_t>((k + step + kAround) % kAround)]);
  }

  std::vector<double> radius_;
};

struct Profile {
  std::vector<double> place;                 // of the rows, along the axis
  std::vector<std::vector<double>> section;  // radius by angle
  std::vector<double> base;                  // of the carcass
  double greatest = 0.0;
  double before = 0.0, behind = 0.0;  // width beyond the first and last row
};

/// Keeps the rows with a rim, and adds what they are. None if they are few or not together.
std::optional<Profile> with_rim(Profile profile, const std::vector<Section>& sections) {
  Profile out;
  out.greatest = profile.greatest;
  std::size_t first = sections.size(), last = 0;
  for (std::size_t r = 0; r < sections.size(); ++r) {
    std::vector<double> sorted = sections[r].radius();
    std::sort(sorted.begin(), sorted.end());
    const double low = sorted[static_cast<std::size_t>(kOpen * kAround)];
    if (low < kRim * out.greatest) continue;
    if (first < r && last + 1 != r) return std::nullopt;
    first = std::min(first, r);
    last = r;
    // The mean of what lies nearer to the carcass than to the tips, without holes.
    const double middle = 0.5 * (low + sorted.back());
    double sum = 0.0, count = 0.0;
    for (const double radius : sorted) {
      if (radius < (1.0 - kLeastHeight) * low) continue;
      if (radius > middle && radius > low + 1e-9) break;
      sum += radius;
      count += 1.0;
    }
    out.base.push_back(sum / count);
    out.place.push_back(profile.place[r]);
    out.section.push_back(sections[r].radius());
  }
  if (static_cast<double>(out.place.size()) < kRimmed * kRows) return std::nullopt;
  // Beyond the first and last row: to the side, or half way to a row without a rim.
  const double step = profile.place[1] - profile.place[0];
  out.before = first == 0 ? profile.before : 0.5 * step;
  out.behind = last + 1 == sections.size() ? profile.behind : 0.5 * step;
  return out;
}

/// Sections of a mesh with its axis along z, centred.
std::optional<Profile> measure(const std::vector<Vec3>& corners, const TriangleMesh& mesh) {
  double least = 1e300, most = -1e300;
  Profile out;
  for (const Vec3& p : corners) out.greatest = std::max(out.greatest, std::hypot(p.x(), p.y()));
  // The width is that of the rim: hubs may stand out of it.
  for (const Vec3& p : corners) {
    if (std::hypot(p.x(), p.y()) < kRim * out.greatest) continue;
    least = std::min(least, p.z());
    most = std::max(most, p.z());
  }
  if (!(most > least)) return std::nullopt;
  // What goes on beside the rim, such as a ball, is no wheel.
  for (const Vec3& p : corners)
    if ((p.z() < least || p.z() > most) && std::hypot(p.x(), p.y()) > kHub * out.greatest)
      return std::nullopt;
  std::vector<Section> sections(kRows);
  // Rows lie within; the first and last close to the sides.
  out.before = out.behind = 1e-3 * (most - least);
  const double step = (most - least - out.before - out.behind) / (kRows - 1);
  for (int r = 0; r < kRows; ++r) out.place.push_back(least + out.before + step * r);
  for (const auto& triangle : mesh.triangles) {
    const Vec3* p[3];
    for (std::size_t k = 0; k < 3; ++k) p[k] = &corners[static_cast<std::size_t>(triangle[k])];
    const double low = std::min({p[0]->z(), p[1]->z(), p[2]->z()});
    const double high = std::max({p[0]->z(), p[1]->z(), p[2]->z()});
    const int first = std::max(0, static_cast<int>(std::ceil((low - out.place[0]) / step)));
    const int last =
        std::min(kRows - 1, static_cast<int>(std::floor((high - out.place[0]) / step)));
    for (int r = first; r <= last; ++r) {
      const double z = out.place[static_cast<std::size_t>(r)];
      double x[2], y[2];
      int count = 0;
      for (int k = 0; k < 3 && count < 2; ++k) {
        const Vec3 &a = *p[k], &b = *p[(k + 1) % 3];
        if ((a.z() < z) == (b.z() < z)) continue;
        const double share = (z - a.z()) / (b.z() - a.z());
        x[count] = a.x() + share * (b.x() - a.x());
        y[count] = a.y() + share * (b.y() - a.y());
        ++count;
      }
      if (count == 2) sections[static_cast<std::size_t>(r)].add(x[0], y[0], x[1], y[1]);
    }
  }
  for (Section& section : sections) section.close_cracks();
  return with_rim(std::move(out), sections);
}

/// Points (place along the axis, radius), those of the rows without those on straight lines.
std::vector<Vec2> outline_of(const Profile& profile, const std::vector<double>& radius,
                             double tolerance) {
  const double off_line = std::max(kStraight, kStraightShare * tolerance);
  std::vector<Vec2> all;
  for (std::size_t r = 0; r < profile.place.size(); ++r)
    all.emplace_back(profile.place[r], radius[r]);
  all.front().x() -= profile.before;
  all.back().x() += profile.behind;
  std::vector<Vec2> out = {all.front()};
  std::size_t from = 0;
  for (std::size_t to = 2; to < all.size(); ++to) {
    bool straight = true;
    for (std::size_t k = from + 1; k < to && straight; ++k) {
      const double share = (all[k].x() - all[from].x()) / (all[to].x() - all[from].x());
      const double line = all[from].y() + share * (all[to].y() - all[from].y());
      straight = std::abs(all[k].y() - line) < off_line;
    }
    if (straight) continue;
    from = to - 1;
    out.push_back(all[from]);
  }
  out.push_back(all.back());
  return out;
}

/// How far the side of a wheel reaches in from its rim, a share of the radius up to kRing: as far
/// as at least half of the circles' places at `place` along the axis are covered.
double side_of(const std::vector<Vec3>& corners, const TriangleMesh& mesh, double place,
               double radius, double width) {
  constexpr int kAngles = 64, kCircles = 30;
  constexpr double kNear = 0.05;  // of the width
  std::vector<std::uint8_t> covered(kAngles * kCircles, 0);
  const auto at = [&](int angle, int circle) {
    const double a = 2.0 * kPi / kAngles * (angle + 0.3);
    const double r = radius * (1.0 - kRing * (circle + 0.5) / kCircles);
    return Vec2(r * std::cos(a), r * std::sin(a));
  };
  for (const auto& triangle : mesh.triangles) {
    Vec2 p[3];
    bool side = true;
    double farthest = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& corner = corners[static_cast<std::size_t>(triangle[k])];
      p[k] = corner.head<2>();
      side &= std::abs(corner.z() - place) <= kNear * width;
      farthest = std::max(farthest, p[k].norm());
    }
    if (!side || farthest < (1.0 - kRing) * radius) continue;
    const Vec2 lower = p[0].cwiseMin(p[1]).cwiseMin(p[2]),
               upper = p[0].cwiseMax(p[1]).cwiseMax(p[2]);
    for (int i = 0; i < kAngles * kCircles; ++i) {
      const Vec2 here = at(i / kCircles, i % kCircles);
      if ((here.array() < lower.array()).any() || (here.array() > upper.array()).any()) continue;
      double least = 0.0, most = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec2 along = p[(k + 1) % 3] - p[k], to = here - p[k];
        const double turn = along.x() * to.y() - along.y() * to.x();
        least = std::min(least, turn);
        most = std::max(most, turn);
      }
      if (least == 0.0 || most == 0.0) covered[static_cast<std::size_t>(i)] = 1;
    }
  }
  for (int circle = 0; circle < kCircles; ++circle) {
    int count = 0;
    for (int angle = 0; angle < kAngles; ++angle)
      count += covered[static_cast<std::size_t>(angle * kCircles + circle)];
    if (2 * count < kAngles) return std::max(kSheet, kRing * circle / kCircles);
  }
  return kRing;
}

/// A ring that turns about z: what the outline has outside, and within as deep as the shares of the
/// radius say, at its first and last place. Sides of a whole disc would reach far above the ground
/// on a wheel that leans.
TriangleMesh drum_of(std::vector<Vec2> outline, double radius, double first_side = kRing,
                     double last_side = kRing) {
  const int around =
      4 * static_cast<int>(std::ceil(std::max(24.0, kPi / std::sqrt(2.0 * kSagitta / radius) / 4)));
  // Facets as far outside of the circle as inside.
  const double out = 1.0 + std::pow(kPi / around, 2) / 6.0;
  outline.emplace_back(outline.back().x(), outline.back().y() - last_side * radius);
  outline.emplace_back(outline.front().x(), outline.front().y() - first_side * radius);
  for (Vec2& point : outline) point.y() *= out;
  return revolved(outline, around);
}

/// How far the ups along a row go together, without small ones.
double climb_of(const std::vector<double>& rise, double small) {
  const auto lowest = std::min_element(rise.begin(), rise.end()) - rise.begin();
  double valley = rise[static_cast<std::size_t>(lowest)], peak = valley, sum = 0.0;
  bool up = false;
  for (std::size_t k = 1; k <= rise.size(); ++k) {
    const double here = rise[(static_cast<std::size_t>(lowest) + k) % rise.size()];
    if (up) {
      peak = std::max(peak, here);
      if (here >= peak - small && k < rise.size()) continue;
      sum += peak - valley;
      valley = here;
    } else {
      valley = std::min(valley, here);
      if (here <= valley + small) continue;
      peak = here;
    }
    up = !up;
  }
  return sum;
}

/// How far the sections lie within their convex hulls, in the mean [m]: nothing stands out of what
/// is convex, such as a box or a drum of few facets.
double hollow_of(const Profile& profile) {
  double sum = 0.0;
  for (const std::vector<double>& radius : profile.section) {
    const auto at = [&](std::size_t k) {
      const double angle = 2.0 * kPi / kAround * static_cast<double>(k);
      return Vec2(radius[k % kAround] * std::cos(angle), radius[k % kAround] * std::sin(angle));
    };
    const auto turn = [](const Vec2& a, const Vec2& b, const Vec2& c) {
      return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
    };
    // The farthest point is on the hull; from there once around.
    const auto start =
        static_cast<std::size_t>(std::max_element(radius.begin(), radius.end()) - radius.begin());
    std::vector<Vec2> hull;
    for (std::size_t k = 0; k <= kAround; ++k) {
      const Vec2 here = at(start + k);
      while (hull.size() > 1 && turn(hull[hull.size() - 2], hull.back(), here) <= 0.0)
        hull.pop_back();
      hull.push_back(here);
    }
    double hull_area = 0.0, area = 0.0;
    for (std::size_t k = 0; k + 1 < hull.size(); ++k)
      hull_area += 0.5 * turn(Vec2::Zero(), hull[k], hull[k + 1]);
    for (std::size_t k = 0; k < kAround; ++k) area += 0.5 * turn(Vec2::Zero(), at(k), at(k + 1));
    sum += (hull_area - area) / (2.0 * kPi * radius[start]);
  }
  return sum / static_cast<double>(profile.section.size());
}

/// A mesh as it is seen from its axis.
struct Axes {
  Vec3 centre, e1, e2, axis;

  Axes(const Vec3& axis_B, const Vec3& centre_B)
      : centre(centre_B), e1(axis_B.unitOrthogonal()), e2(axis_B.cross(e1)), axis(axis_B) {
    GROUSER_ASSERT(std::abs(axis_B.norm() - 1.0) < 1e-9);
  }
  std::vector<Vec3> seen(const TriangleMesh& mesh) const {
    std::vector<Vec3> corners;
    for (const Vec3& vertex : mesh.vertices) {
      const Vec3 from = vertex - centre;
      corners.emplace_back(from.dot(e1), from.dot(e2), from.dot(axis));
    }
    return corners;
  }
  TriangleMesh back(TriangleMesh mesh) const {
    for (Vec3& p : mesh.vertices) p = centre + p.x() * e1 + p.y() * e2 + p.z() * axis;
    return mesh;
  }
};

}  // namespace

std::shared_ptr<const WheelTread> find_tread(const TriangleMesh& mesh, const Vec3& axis,
                                             const Vec3& centre, double tolerance) {
  const Axes axes(axis, centre);
  const std::optional<Profile> profile = measure(axes.seen(mesh), mesh);
  if (!profile) return nullptr;
  auto out = std::make_shared<WheelTread>();
  out->radius = *std::max_element(profile->base.begin(), profile->base.end());

  // Heights over the carcass, and climbs along the rim and across it, per length.
  const std::size_t rows = profile->place.size();
  const auto row_count = static_cast<double>(rows);
  std::vector<std::vector<double>> rise(rows);
  double height = 0.0, lugged = 0.0, climb = 0.0, sideways = 0.0, mean = 0.0;
  const double width = profile->place.back() - profile->place.front();
  for (std::size_t r = 0; r < rows; ++r) {
    for (const double radius : profile->section[r])
      rise[r].push_back(std::max(0.0, radius - profile->base[r]));
    const double most = *std::max_element(rise[r].begin(), rise[r].end());
    if (most <= kLeastHeight * out->radius) continue;
    height += most;
    lugged += 1.0;
  }
  if (lugged == 0.0) return nullptr;
  height /= lugged;
  for (std::size_t r = 0; r < rows; ++r) {
    climb += climb_of(rise[r], kSmallRise * height) / (row_count * 2.0 * kPi * profile->base[r]);
    for (std::size_t k = 0; k < kAround; ++k) {
      mean += rise[r][k] / (row_count * kAround);
      if (r > 0) sideways += std::abs(rise[r][k] - rise[r - 1][k]) / (2.0 * kAround * width);
    }
  }
  if (climb == 0.0 || hollow_of(*profile) < kHollow * mean) return nullptr;
  out->along = {height, climb, width};
  out->across = {height, sideways, 0.0};
  out->share = std::min(1.0, mean / height);
  out->thickness = mean / climb;

  std::vector<double> tips = profile->base;
  for (double& radius : tips) radius += height;
  out->drum = axes.back(drum_of(outline_of(*profile, tips, tolerance), out->radius + height));
  return out;
}

std::optional<TriangleMesh> find_drum(const TriangleMesh& mesh, const Vec3& axis,
                                      const Vec3& centre, double tolerance) {
  const Axes axes(axis, centre);
  const std::vector<Vec3> corners = axes.seen(mesh);
  const std::optional<Profile> profile = measure(corners, mesh);
  if (!profile) return std::nullopt;
  std::vector<double> means;
  for (std::size_t r = 0; r < profile->place.size(); ++r) {
    // Holes do not count.
    double sum = 0.0, count = 0.0;
    for (const double radius : profile->section[r]) {
      if (radius < profile->base[r] - tolerance) continue;
      if (radius > profile->base[r] + tolerance) return std::nullopt;
      sum += radius;
      count += 1.0;
    }
    if (count < (1.0 - kOpen) * kAround) return std::nullopt;
    means.push_back(sum / count);
  }
  const double greatest = *std::max_element(means.begin(), means.end());
  const std::vector<Vec2> outline = outline_of(*profile, means, tolerance);
  const double width = outline.back().x() - outline.front().x();
  const auto side = [&](const Vec2& end) {
    return side_of(corners, mesh, end.x(), end.y(), width);
  };
  return axes.back(drum_of(outline, greatest, side(outline.front()), side(outline.back())));
}

}  // namespace grouser
