// A free rigid body as it stands in a scene.
#pragma once

#include <string>
#include <vector>

#include "grouser/base/error.h"
#include "grouser/scene/placement.h"

namespace grouser {

/// [[body]]: a free rigid body.
struct BodyDef {
  std::string name;
  double mass = 0.0;
  double density = 0.0;
  std::vector<double> inertia;
  Vec3 center = Vec3::Zero();
  PlacementDef placement;
  Vec3 velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();
  Place place;
};

}  // namespace grouser
