// Where two convex parts touch, and what presses them apart.
#pragma once

#include <array>

#include "grouser/base/scratch.h"
#include "grouser/contact/convex_parts.h"
#include "grouser/shape/convex_contact.h"

namespace grouser {

inline constexpr int kMostPoints = 8;

/// The contact of two parts, A and B. What is elastic is the slope of an energy.
struct ConvexPatch {
  double depth = 0.0;             ///< the shortest way out [m]; not positive: they do not touch
  double normal_force = 0.0;      ///< elastic [N]; along normal_W on A, at the centre
  Vec3 normal_W = Vec3::UnitZ();  ///< from B to A
  Vec3 center_W = Vec3::Zero();   ///< of the pressure
  Vec3 torque_W = Vec3::Zero();   ///< elastic, on A, besides that of the force at the centre [N m]
  double stiffness = 0.0;         ///< along the normal [N/m]
  double area = 0.0;              ///< [m^2]; 0: a point
  double hertz_radius = 0.0;      ///< [m]
  /// Mean distance from the centre [m]: friction against turning about the normal is mu F times it.
  double friction_radius = 0.0;
  /// Points where the speed of approach is asked, so that rocking is damped.
  std::array<Vec3, kMostPoints> points;
  int point_count = 1;
};

/// The shortest way out of the deepest contact of two parts, or the shortest distance; see
/// find_convex_contact().
ConvexContact find_contact(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                           const Pose& X_WB, double reach);

/// Also answers what find_contact() does. `effective_modulus`: E* of the two [Pa].
ConvexContact find_patch(const ContactPart& a, const Pose& X_WA, const ContactPart& b,
                         const Pose& X_WB, double effective_modulus, int points, Scratch& scratch,
                         ConvexPatch& out, double reach = 0.0);

/// Radius for Hertz's stiffness where two parts touch in a point, or may soon [m].
double point_radius(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                    const ConvexContact& contact);

/// Energy that is stored in a patch [J]: what it gives back on the shortest way out.
double patch_energy(const ContactPart& a, const Pose& X_WA, const ContactPart& b, const Pose& X_WB,
                    double effective_modulus, Scratch& scratch);

/// Whether a part is curved everywhere.
bool touches_in_a_point(const ContactPart& part);

/// Radius for Hertz's stiffness of two parts: 1/R = 1/R_a + 1/R_b, where a plane part counts as
/// plane unless both are.
double combined_radius(double radius_a, bool flat_a, double radius_b, bool flat_b);

}  // namespace grouser
