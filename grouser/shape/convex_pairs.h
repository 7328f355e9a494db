// The routines behind the table of pairs in convex_contact.cpp. All work in the frame of A.
#pragma once

#include "grouser/shape/convex_contact.h"

namespace grouser::convex {

/// Directions this close to a face, an edge or a cap meet all of it.
inline constexpr double kLevel = 1e-12;

/// Contact of A and B in the frame of A: what find_convex_contact() tells in W.
using PairRoutine = ConvexContact (*)(const ConvexShape& a, const ConvexShape& b, const Pose& X_AB,
                                      double reach);

ConvexContact sphere_sphere(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact sphere_capsule(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact sphere_ellipsoid(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact sphere_box(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact sphere_cylinder(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact sphere_cone(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact sphere_hull(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact capsule_capsule(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact box_box(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact box_cylinder(const ConvexShape&, const ConvexShape&, const Pose&, double);
ConvexContact body_half_space(const ConvexShape&, const ConvexShape&, const Pose&, double);

}  // namespace grouser::convex
