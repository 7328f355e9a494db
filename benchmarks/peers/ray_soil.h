// The plain way to a wheel's force on soil: a vertical ray from every node under the wheel, and the
// laws of the soil node by node with the functions of the standard library.
#pragma once

#include "grouser/laws/soil.h"
#include "grouser/math/spatial.h"
#include "grouser/mesh/box_tree.h"

namespace grouser {

class RaySoil {
 public:
  RaySoil(const TriangleMesh& mesh, double spacing, const SoilDef& soil);
  /// On flat, fresh ground at height 0.
  Vec3 force(const BodyKinematics& body) const;

 private:
  TriangleMesh mesh_;
  BoxTree tree_;
  double spacing_;
  SoilDef soil_;
};

}  // namespace grouser
