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

namespace grouser {

/// What two materials do together, where it is not the mean of what they do alone; it comes before
/// what the contact says.
struct MaterialPairDef {
  std::string first, second;
  std::optional<double> restitution = {}, friction = {}, static_friction = {};
};

struct ConvexDef final : ContactDef, ImpactDef, FrictionDef {
  enum class RadiusRule { curvature, longest_edge };
  static constexpr double kUsualFriction = 0.5;

  ConvexDef() { friction_law = FrictionLaw::bristle; }

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
  double rolling_resistance = 0.0;
  double rolling_speed = 1e-2;
  int points = 4;
  std::vector<MaterialPairDef> material_pairs;

  static constexpr std::string_view kModel = "convex";
  static const ParameterTable<ConvexDef>& parameters();
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

}  // namespace grouser
