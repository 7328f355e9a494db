// Closed meshes around the axis z from a profile of rings, with triangles of about equal sides.
#pragma once

#include <span>
#include <vector>

#include "grouser/mesh/triangle_mesh.h"

namespace grouser {

/// `count` vertices evenly on a circle; a ring of radius 0 is a point and has one.
struct Ring {
  double radius;
  double z;
  int count;
};

/// How long the sides should be: `segments` of them go around the largest ring.
class RingSpacing {
 public:
  RingSpacing(double largest_radius, int segments)
      : largest_radius_(largest_radius), segments_(segments) {}

  /// Vertices on a ring of this radius.
  int count_on(double radius) const;
  /// Pieces of a line of this length, not rounded.
  double pieces_of(double length) const;

 private:
  double largest_radius_;
  int segments_;
};

/// A point of the profile: distance from the axis and height.
struct ProfilePoint {
  double radius;
  double z;
};

/// Part of a circle around (0, center_z), between two latitudes [rad].
struct ProfileArc {
  double radius;
  double center_z;
  double from;
  double to;
};

/// Profiles run from a point on the axis at the bottom, outward and up, to a point on the axis.
/// A line starts where the profile ends; so does an arc, unless the profile is empty.
void append_point(std::vector<Ring>& profile, const ProfilePoint& point,
                  const RingSpacing& spacing);
void append_line(std::vector<Ring>& profile, const ProfilePoint& to, const RingSpacing& spacing);
void append_arc(std::vector<Ring>& profile, const ProfileArc& arc, const RingSpacing& spacing);

/// Joins each ring to the next. Watertight and outward if the profile starts and ends on the axis.
/// `groups` has one per band between two rings, or none.
TriangleMesh revolve(const std::vector<Ring>& profile, std::span<const std::int32_t> groups = {});

}  // namespace grouser
