#include "grouser/contact/registry.h"

#include <array>

#include "grouser/base/text.h"
#include "grouser/contact/convex.h"
#include "grouser/contact/elements.h"
#include "grouser/contact/pcm.h"
#include "grouser/contact/scm.h"
#include "grouser/contact/smooth.h"
#include "grouser/contact/sphere_half_space.h"
#include "grouser/contact/wheel_soil.h"

namespace grouser {
namespace {

template <class Def>
std::shared_ptr<ContactDef> read(const Value& table, const std::string& path) {
  auto def = std::make_shared<Def>();
  def->place = table.place();
  Def::parameters().read(table, *def, path);
  return def;
}

template <class Def>
std::vector<ParameterInfo> infos() {
  return Def::parameters().infos();
}

/// Most models have a page of their own.
template <class Def>
constexpr ContactModelRow row(std::string_view summary, std::string_view page = Def::kModel) {
  return {Def::kModel, summary, page, &read<Def>, &infos<Def>};
}

const std::array kRows = {
    row<BekkerDef>("wheel on soil by Bekker's closed formulas"),
    row<BekkerJanosiContactDef>(
        "wheel on soil by stress integrals (Wong, Reece) with shear that is carried along"),
    row<ConvexDef>(
        "convex bodies: Hertz forces between boxes, cylinders, hulls, wheels, compounds"),
    row<LineConeDef>("a line against the wall of a cone or cylinder", "elements"),
    row<LineLineDef>("two lines with radii: crossed, parallel, end to end", "elements"),
    row<PcmDef>("polygonal contact: elastic foundation between two triangle meshes"),
    row<RheologicalContactDef>("wheel on soil as springs and dampers that stick or slip"),
    row<ScmDef>("plastic soil: pressure and shear on an elevation grid that keeps its ruts"),
    row<SmoothDef>("smooth surfaces with tracked contact points: bodies on elevation maps"),
    row<SphereConeDef>("a sphere in or on the wall of a cone or cylinder", "elements"),
    row<SphereCurveDef>("a sphere on lines from point to point", "elements"),
    row<SphereDiscDef>("a sphere on a disc or ring", "elements"),
    row<SphereHalfSpaceDef>("sphere on a half-space: Hertz force with exact restitution"),
    row<SphereLineDef>("a sphere on a line", "elements"),
    row<SpherePolygonDef>("a sphere on a planar polygon", "elements"),
    row<SphereSphereDef>("two spheres", "elements"),
    row<SphereSplineDef>("a sphere on a cubic spline", "elements"),
    row<TerraContactDef>("wheel on soil by TerRA: plastic and slip sinkage and shear as states"),
};

}  // namespace

std::span<const ContactModelRow> contact_models() {
  return kRows;
}

const ContactModelRow& contact_model(const std::string& name, const Place& place) {
  std::vector<std::string> names;
  for (const ContactModelRow& row : kRows) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw InputError(place,
                   "contact.model '" + name + "' is unknown" + suggestion(name, names) +
                       (nearest_name(name, names).empty() ? "" : " (of " + join(names) + ")"));
}

}  // namespace grouser
