#include <array>

#include "grouser/contact/convex.h"
#include "grouser/contact/elements.h"
#include "grouser/contact/model_row.h"
#include "grouser/contact/pcm.h"
#include "grouser/contact/smooth.h"
#include "grouser/contact/sphere_half_space.h"

namespace grouser {

std::span<const ContactModelRow> dry_models() {
  static const std::array rows = {
      model_row<ConvexDef>(
          "convex bodies: Hertz forces between boxes, cylinders, hulls, wheels, compounds"),
      model_row<LineConeDef>("a line against the wall of a cone or cylinder", "elements"),
      model_row<LineLineDef>("two lines with radii: crossed, parallel, end to end", "elements"),
      model_row<PcmDef>("polygonal contact: elastic foundation between two triangle meshes"),
      model_row<SmoothDef>("smooth surfaces with tracked contact points: bodies on elevation maps"),
      model_row<SphereConeDef>("a sphere in or on the wall of a cone or cylinder", "elements"),
      model_row<SphereCurveDef>("a sphere on lines from point to point", "elements"),
      model_row<SphereDiscDef>("a sphere on a disc or ring", "elements"),
      model_row<SphereHalfSpaceDef>("sphere on a half-space: Hertz force with exact restitution"),
      model_row<SphereLineDef>("a sphere on a line", "elements"),
      model_row<SpherePolygonDef>("a sphere on a planar polygon", "elements"),
      model_row<SphereSphereDef>("two spheres", "elements"),
      model_row<SphereSplineDef>("a sphere on a cubic spline", "elements"),
  };
  return rows;
}

}  // namespace grouser
