#include "grouser/mesh/revolved_mesh.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

namespace {

/// Whole number of pieces, at least one.
int whole(double pieces) {
  return std::max(1, static_cast<int>(std::lround(pieces)));
}

/// Fills the band between ring a (vertices from `base_a`) and the next ring b.
void join_rings(TriangleMesh& mesh, const Ring& a, std::int32_t base_a, const Ring& b,
                std::int32_t base_b) {
  GROUSER_ASSERT(a.count >= 1 && b.count >= 1);
  const auto at_a = [&](int i) { return base_a + i % a.count; };
  const auto at_b = [&](int j) { return base_b + j % b.count; };
  const std::int64_t steps_a = a.count == 1 ? 0 : a.count;
  const std::int64_t steps_b = b.count == 1 ? 0 : b.count;
  // Go around on both rings, always taking the step whose middle comes first.
  for (int i = 0, j = 0; i < steps_a || j < steps_b;) {
    const bool on_a =
        j == steps_b || (i < steps_a && (2 * i + 1) * steps_b <= (2 * j + 1) * steps_a);
    if (on_a) {
      mesh.triangles.push_back({at_a(i), at_a(i + 1), at_b(j)});
      ++i;
    } else {
      mesh.triangles.push_back({at_a(i), at_b(j + 1), at_b(j)});
      ++j;
    }
  }
}

}  // namespace

int RingSpacing::count_on(double radius) const {
  GROUSER_ASSERT(radius >= 0.0 && largest_radius_ > 0.0);
  if (radius == 0.0) return 1;
  return std::max(3, static_cast<int>(std::lround(segments_ * radius / largest_radius_)));
}

double RingSpacing::pieces_of(double length) const {
  return segments_ * length / (2.0 * kPi * largest_radius_);
}

void append_point(std::vector<Ring>& profile, const ProfilePoint& point,
                  const RingSpacing& spacing) {
  profile.push_back({point.radius, point.z, spacing.count_on(point.radius)});
}

void append_line(std::vector<Ring>& profile, const ProfilePoint& to, const RingSpacing& spacing) {
  GROUSER_ASSERT(!profile.empty());
  const ProfilePoint from{profile.back().radius, profile.back().z};
  const int pieces = whole(spacing.pieces_of(std::hypot(to.radius - from.radius, to.z - from.z)));
  for (int k = 1; k < pieces; ++k) {
    const double s = static_cast<double>(k) / pieces;
    append_point(profile, {(1.0 - s) * from.radius + s * to.radius, (1.0 - s) * from.z + s * to.z},
                 spacing);
  }
  append_point(profile, to, spacing);
}

void append_arc(std::vector<Ring>& profile, const ProfileArc& arc, const RingSpacing& spacing) {
  const int pieces = whole(spacing.pieces_of(arc.radius * (arc.to - arc.from)));
  for (int k = profile.empty() ? 0 : 1; k <= pieces; ++k) {
    const double latitude = arc.from + (arc.to - arc.from) * k / pieces;
    const bool pole = std::abs(latitude) == 0.5 * kPi;
    append_point(profile,
                 {pole ? 0.0 : arc.radius * std::cos(latitude),
                  arc.center_z + arc.radius * std::sin(latitude)},
                 spacing);
  }
}

TriangleMesh revolve(const std::vector<Ring>& profile, std::span<const std::int32_t> groups) {
  GROUSER_ASSERT(profile.size() >= 2);
  GROUSER_ASSERT(groups.empty() || groups.size() + 1 == profile.size());
  TriangleMesh mesh;
  std::int32_t base_before = 0;
  for (std::size_t k = 0; k < profile.size(); ++k) {
    const Ring& ring = profile[k];
    const auto base = static_cast<std::int32_t>(mesh.vertices.size());
    for (int i = 0; i < ring.count; ++i) {
      const double angle = 2.0 * kPi * i / ring.count;
      mesh.vertices.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle),
                                 ring.z);
    }
    if (k > 0) join_rings(mesh, profile[k - 1], base_before, ring, base);
    if (k > 0 && !groups.empty()) mesh.groups.resize(mesh.triangles.size(), groups[k - 1]);
    base_before = base;
  }
  return mesh;
}

}  // namespace grouser
