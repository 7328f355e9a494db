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
/// What stands out by less than this share of the radius is no grouser.
constexpr double kLeastHeight = 0.01;
/// Of all places of a row, that are on the carcass at least.
constexpr double kOpen = 0.1;
/// By how much the flat facets of a carcass may lie within its circle [m].
constexpr double kSagitta = 1e-5;
/// Thickness of the ring, as a share of the radius.
constexpr double kRing = 0.15;
/// Points of a profile that are off the straight line by less are left out [m].
constexpr double kStraight = 1e-5;

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
  const std::vector<double>& radius() const { return radius_; }

 private:
  std::vector<double> radius_;
};

struct Profile {
  std::vector<double> place;                 // of the rows, along the axis
  std::vector<std::vector<double>> section;  // radius by angle
  std::vector<double> base;                  // of the carcass
  double greatest = 0.0;
  double inset = 0.0;  // of the first and last row from the sides
};

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
  std::vector<Section> sections(kRows);
  // Rows lie within; the first and last close to the sides.
  out.inset = 1e-3 * (most - least);
  const double step = (most - least - 2.0 * out.inset) / (kRows - 1);
  for (int r = 0; r < kRows; ++r) out.place.push_back(least + out.inset + step * r);
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
  for (const Section& section : sections) {
    std::vector<double> sorted = section.radius();
    std::sort(sorted.begin(), sorted.end());
    const double low = sorted[static_cast<std::size_t>(kOpen * kAround)];
    if (low < kRim * out.greatest) return std::nullopt;  // no rim
    // The mean of what lies nearer to the carcass than to the tips.
    const double middle = 0.5 * (low + sorted.back());
    double sum = 0.0, count = 0.0;
    for (const double radius : sorted) {
      if (radius > middle && radius > low + 1e-9) break;
      sum += radius;
      count += 1.0;
    }
    out.base.push_back(sum / count);
    out.section.push_back(section.radius());
  }
  return out;
}

/// Points of the carcass raised by `height`, (place along the axis, radius): those of the rows,
/// without those on straight lines.
std::vector<Vec2> outline_of(const Profile& profile, double height) {
  std::vector<Vec2> all;
  for (std::size_t r = 0; r < profile.place.size(); ++r)
    all.emplace_back(profile.place[r], profile.base[r] + height);
  all.front().x() -= profile.inset;
  all.back().x() += profile.inset;
  std::vector<Vec2> out = {all.front()};
  std::size_t from = 0;
  for (std::size_t to = 2; to < all.size(); ++to) {
    bool straight = true;
    for (std::size_t k = from + 1; k < to && straight; ++k) {
      const double share = (all[k].x() - all[from].x()) / (all[to].x() - all[from].x());
      const double line = all[from].y() + share * (all[to].y() - all[from].y());
      straight = std::abs(all[k].y() - line) < kStraight;
    }
    if (straight) continue;
    from = to - 1;
    out.push_back(all[from]);
  }
  out.push_back(all.back());
  return out;
}

/// A ring that turns about z: what the outline has outside, and within as deep as kRing says. Sides
/// of a whole disc would reach far above the ground on a wheel that leans.
TriangleMesh drum_of(std::vector<Vec2> outline, double radius) {
  const int around =
      4 * static_cast<int>(std::ceil(std::max(24.0, kPi / std::sqrt(2.0 * kSagitta / radius) / 4)));
  // Facets as far outside of the circle as inside.
  const double out = 1.0 + std::pow(kPi / around, 2) / 6.0;
  outline.emplace_back(outline.back().x(), outline.back().y() - kRing * radius);
  outline.emplace_back(outline.front().x(), outline.front().y() - kRing * radius);
  for (Vec2& point : outline) point.y() *= out;
  return revolved(outline, around);
}

}  // namespace

std::shared_ptr<const WheelTread> find_tread(const TriangleMesh& mesh, const Vec3& axis,
                                             const Vec3& centre) {
  GROUSER_ASSERT(std::abs(axis.norm() - 1.0) < 1e-9);
  const Vec3 e1 = axis.unitOrthogonal(), e2 = axis.cross(e1);
  std::vector<Vec3> corners;
  for (const Vec3& vertex : mesh.vertices) {
    const Vec3 from = vertex - centre;
    corners.emplace_back(from.dot(e1), from.dot(e2), from.dot(axis));
  }
  const std::optional<Profile> profile = measure(corners, mesh);
  if (!profile) return nullptr;
  auto out = std::make_shared<WheelTread>();
  out->radius = *std::max_element(profile->base.begin(), profile->base.end());

  // Heights over the carcass, and climbs along the rim and across it, per length.
  std::vector<std::vector<double>> rise(kRows);
  double height = 0.0, lugged = 0.0, climb = 0.0, sideways = 0.0, mean = 0.0;
  const double width = profile->place.back() - profile->place.front();
  for (std::size_t r = 0; r < kRows; ++r) {
    for (const double radius : profile->section[r])
      rise[r].push_back(std::max(0.0, radius - profile->base[r]));
    const double most = *std::max_element(rise[r].begin(), rise[r].end());
    if (most > kLeastHeight * out->radius) {
      height += most;
      lugged += 1.0;
    }
    for (std::size_t k = 0; k < kAround; ++k) {
      mean += rise[r][k] / (kRows * kAround);
      climb += std::max(0.0, rise[r][(k + 1) % kAround] - rise[r][k]) /
               (kRows * 2.0 * kPi * profile->base[r]);
      if (r > 0) sideways += std::abs(rise[r][k] - rise[r - 1][k]) / (2.0 * kAround * width);
    }
  }
  if (lugged == 0.0) return nullptr;
  height /= lugged;
  out->along = {height, climb, width};
  out->across = {height, sideways, 0.0};
  out->share = std::min(1.0, mean / height);
  out->thickness = mean / climb;

  out->drum = drum_of(outline_of(*profile, height), out->radius + height);
  for (Vec3& p : out->drum.vertices) p = centre + p.x() * e1 + p.y() * e2 + p.z() * axis;
  return out;
}

}  // namespace grouser
