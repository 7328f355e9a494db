// Contact of convex bodies: boxes, cylinders, hulls, wheels and compounds of them, against each
// other.
//
// Groups say who may touch whom; boxes around the parts say which are near. Round parts touch in a
// point, where the force is that of Hertz. Parts with faces touch in the body of their overlap: its
// mean depth gives the force, its shape says where it acts and how rocking is damped, so that the
// force changes continuously with the pose and a stack can rest. docs/models/convex.md has the
// equations.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "grouser/contact/world_def.h"
#include "grouser/laws/hunt_crossley.h"

namespace grouser {

/// What two materials do together, where it is not the mean of what they do alone.
struct MaterialPairDef {
  std::string first, second;
  double restitution = kRequired;
  double friction = kRequired;
};

struct ConvexDef final : ContactDef {
  enum class RadiusRule { curvature, longest_edge };
  enum class FrictionLaw { bristle, tanh, bengisu_akay, brown_mcphee };

  /// Shapes that take part, by name, with * for any letters.
  std::vector<std::string> objects = {"*"};
  /// Names for sets of shapes.
  struct Group {
    std::string name;
    std::vector<std::string> members;
  };
  std::vector<Group> groups;
  /// Pairs of groups or shapes that may touch; empty: all may.
  std::vector<std::array<std::string, 2>> touch;
  /// Pairs that may not, whatever `touch` says.
  std::vector<std::array<std::string, 2>> exclude;

  RadiusRule radius = RadiusRule::curvature;
  RestitutionLaw restitution_law = RestitutionLaw::exact;
  double smallest_impact = 1e-2;
  FrictionLaw friction_law = FrictionLaw::bristle;
  double stroke = 1e-4;
  double bristle_damping = 2e-3;
  double friction_speed = 1e-3;
  double static_friction = 1.0;  ///< peak / sliding
  double peak_decay = 100.0;
  double rolling_resistance = 0.0;
  double rolling_speed = 1e-2;
  int points = 4;
  std::vector<MaterialPairDef> material_pairs;

  static constexpr std::string_view kModel = "convex";
  static const ParameterTable<ConvexDef>& parameters();
  std::string_view model() const override { return kModel; }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

}  // namespace grouser
