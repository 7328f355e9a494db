// Shapes made of convex pieces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/mesh/triangle_mesh.h"
#include "grouser/shape/convex_shape.h"

namespace grouser {

class ConvexSurface;

struct ConvexPiece {
  ConvexShape shape;
  Pose X_SP = {};  ///< of the piece in the shape
  /// Instead of `shape`: a map, whose cells are the convex pieces.
  std::shared_ptr<const ConvexSurface> surface = nullptr;
};

/// One or more convex pieces that belong together.
struct ConvexBody {
  std::string kind;  ///< "box", "wheel", ...: the scene's key
  std::vector<ConvexPiece> pieces;
};

/// Sizes of a wheel: a cylinder about the y axis, and boxes across its rim.
struct ConvexWheelDef {
  double radius = kRequired;  ///< of the rim, without grousers
  double width = kRequired;
  int grouser_count = 0;
  double grouser_height = 0.01;
  double grouser_thickness = 0.005;
};
ConvexBody make_convex_wheel(const ConvexWheelDef& def);

/// Throws InputError at `place`, beginning with `what`, if there is no piece or a size is no
/// positive number: for bodies made by C++ code.
void require_sound(const ConvexBody& body, const Place& place, const std::string& what);

/// Of all pieces together; where they overlap they count twice. Throws InputError, starting with
/// `what`, if a piece is ground.
MassProperties mass_properties(const ConvexBody& body, double density, const std::string& what);

/// For pictures: the surfaces of all pieces, in the frame of the shape.
TriangleMesh mesh_of(const ConvexBody& body);

}  // namespace grouser
