// A sphere on a half-space: Hertz force with Hunt-Crossley damping, and friction.
//
// The speed at which the bodies met is remembered, so that the damping gives the wanted restitution
// exactly, whatever the impact. Bristle friction is a state (two deflections in the plane), so the
// sphere can stand on a slope without creeping.
#pragma once

#include <string>

#include "grouser/contact/world_def.h"

namespace grouser {

struct SphereHalfSpaceDef final : ContactDef, ImpactDef, FrictionDef {
  SphereHalfSpaceDef() { friction_law = FrictionLaw::bristle; }

  std::string sphere;
  std::string half_space;
  double stiffness = 0.0;

  static constexpr std::string_view kModel = "sphere-half-space";
  static const ParameterTable<SphereHalfSpaceDef>& parameters();
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

}  // namespace grouser
