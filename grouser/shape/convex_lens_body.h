// One of the two bodies of a lens: the part of it that can take part in the overlap.
#pragma once

#include "grouser/shape/convex_lens_cell.h"
#include "grouser/shape/convex_shape.h"

namespace grouser {

/// Where to look for the overlap.
struct LensPlace {
  Vec3 p_WO;         ///< a point of it; positions and planes are relative to it, axes of W
  Vec3 direction_W;  ///< unit; from the body towards the other one
  double depth;      ///< how far the bodies are in each other along it [m]
  double rounding;   ///< what such lengths may be wrong by [m]
};

/// A body as planes, and as the vertices they meet in.
struct LensBody {
  enum class Form { planes, prism, pyramid, patch };
  Form form = Form::planes;  ///< planes: those only, no cell can be made of it
  /// Those that bound the body where the overlap is. Others may be missing, which matters to a
  /// cutter only: a cell has a face for each plane of `cell_planes`.
  std::span<const LensPlane> planes;
  std::span<const LensPlane> cell_planes;
  std::span<const Vec3> vertices;  ///< in the order of the cell's start
  const ConvexHull* hull = nullptr;
  std::span<const int> hull_faces;    ///< of the patch, by plane
  std::span<const int> face_numbers;  ///< by face of the hull: its place in the patch, or -1
};

LensBody make_lens_body(const ConvexShape& shape, const Pose& X_WS, const LensPlace& place,
                        Scratch& scratch);

/// The body as a cell, before the other one cuts it. Not of a half-space.
void start_cell(const LensBody& body, const Pose& X_WS, const LensPlace& place, Scratch& scratch,
                LensCell& cell);

}  // namespace grouser
