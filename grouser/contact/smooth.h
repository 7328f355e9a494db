// Contact of smooth surfaces with tracked contact points: bodies on elevation maps, and bodies on
// bodies.
//
// Every place where the gap between the two is smallest is a contact of its own. It has a point on
// each surface, tracked by the coordinates there, and a Gauss frame in which forces act: a
// visco-elastic one along the normal, friction across it and about it. docs/models/smooth.md has
// the equations.
#pragma once

#include <string>

#include "grouser/contact/world_def.h"
#include "grouser/laws/penalty.h"

namespace grouser {

struct SmoothDef final : ContactDef, PenaltyDef, FrictionDef {
  /// How the contact points follow the motion.
  enum class Kinematics {
    projected,   ///< found anew whenever they are asked for
    integrated,  ///< states, with a correction of their drift
  };

  SmoothDef() {
    normal_law = NormalLaw::hunt_crossley;
    friction_law = FrictionLaw::spring_slider;
    friction_damping = 1e-3;
  }

  std::string first, second;
  double drilling = 1.0;          ///< torque about the normal, by that of Hertz' pressure
  double effective_radius = 0.0;  ///< R of Hertz [m]; 0: size of the smaller surface
  Kinematics kinematics = Kinematics::projected;
  double drift_rate = 30.0;  ///< integrated: with which drift is corrected [1/s]
  double margin = 0.0;       ///< gap up to which contacts are tracked [m]; 0: R / 50
  int contacts = 4;          ///< at most, at the same time

  static constexpr std::string_view kModel = "smooth";
  static const ParameterTable<SmoothDef>& parameters();
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

inline constexpr int kMostSmoothContacts = 16;

/// The surface of a shape in its frame: of a smooth one, of a sphere that is no point, and of a
/// convex body that is one ellipsoid or sphere. Null for all others.
std::shared_ptr<const SmoothSurface> smooth_surface_of(const ShapeDef& shape);

}  // namespace grouser
