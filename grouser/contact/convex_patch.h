// Where and how deep two convex parts touch.
#pragma once

#include <array>
#include <span>

#include "grouser/base/scratch.h"
#include "grouser/contact/convex_parts.h"
#include "grouser/shape/convex_contact.h"

namespace grouser {

inline constexpr int kMostPoints = 8;

/// A place of contact between two parts, A and B.
struct ConvexPatch {
  Vec3 normal_W = Vec3::UnitZ();  ///< from B to A
  Vec3 center_W = Vec3::Zero();   ///< where the force acts
  double depth = 0.0;             ///< mean over the patch [m]
  double weight = 1.0;            ///< share of the pair's stiffness
  double area = 0.0;              ///< [m^2]; 0: a point
  double hertz_radius = 0.0;      ///< [m]
  /// Mean distance from the centre [m]: friction against turning about the normal is mu F times it.
  double friction_radius = 0.0;
  /// Points where the speed of approach is asked, so that rocking is damped.
  std::array<Vec3, kMostPoints> points;
  int point_count = 1;
};

/// The patches of a pair: none, one, or two (along a capsule).
struct ConvexPatches {
  std::array<ConvexPatch, 2> patch;
  int count = 0;
};

/// The shortest way out of the deepest contact of two parts, or the shortest distance; see
/// find_convex_contact().
ConvexContact find_contact(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                           const Pose& X_WB, double reach);

/// Also answers what find_contact() does.
ConvexContact find_patches(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                           const Pose& X_WB, int points, Scratch& scratch, ConvexPatches& out,
                           double reach = 0.0);

/// Whether a part is curved everywhere.
bool touches_in_a_point(const ContactPart& part);

/// Radius for Hertz's stiffness of two parts: 1/R = 1/R_a + 1/R_b, where a plane part counts as
/// plane unless both are.
double combined_radius(double radius_a, bool flat_a, double radius_b, bool flat_b);

}  // namespace grouser
