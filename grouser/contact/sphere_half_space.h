// A sphere on a half-space: Hertz force with Hunt-Crossley damping and bristle friction.
//
// The speed at which the bodies met is remembered, so that the damping gives the wanted restitution
// exactly, whatever the impact. Friction is a state (two bristle deflections in the plane), so the
// sphere can stand on a slope without creeping.
#pragma once

#include <string>

#include "grouser/contact/world_def.h"

namespace grouser {

struct SphereHalfSpaceDef final : ContactDef {
  std::string sphere;
  std::string half_space;
  double stiffness = 0.0;
  double restitution = 0.5;
  double smallest_impact = 1e-2;
  double friction = 0.0;
  double stroke = 1e-4;
  double bristle_damping = 2e-3;

  static constexpr std::string_view kModel = "sphere-half-space";
  static const ParameterTable<SphereHalfSpaceDef>& parameters();
  std::string_view model() const override { return kModel; }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};

}  // namespace grouser
