// How far two convex bodies are apart or inside each other, along which normal.
#pragma once

#include <limits>

#include "grouser/shape/convex_shape.h"

namespace grouser {

/// The shortest way to part two bodies that overlap, or to join two that are apart.
struct ConvexContact {
  /// How far A must move along normal_W to just touch [m]; negative: they are that far apart.
  double depth = -std::numeric_limits<double>::infinity();
  Vec3 normal_W = Vec3::UnitZ();  ///< unit; from B to A
  Vec3 p_WA = Vec3::Zero();       ///< point of A deepest in B, or nearest to B
  Vec3 p_WB = Vec3::Zero();       ///< the same of B; p_WB - p_WA = depth * normal_W
};

/// Exact where the pair has a routine of its own (see the table in the source), to 1e-10 of the
/// sizes elsewhere. Bodies farther apart than `reach` may be answered with any negative depth of at
/// least that size and the normal of a plane that separates them. Two half-spaces never meet.
ConvexContact find_convex_contact(const ConvexShape& a, const Pose& X_WA, const ConvexShape& b,
                                  const Pose& X_WB,
                                  double reach = std::numeric_limits<double>::infinity());

}  // namespace grouser
