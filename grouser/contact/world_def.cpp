#include "grouser/contact/world_def.h"

#include <array>

#include "grouser/base/text.h"
#include "grouser/laws/hunt_crossley.h"

namespace grouser {
namespace {

// In the order of the alternatives of Geometry.
constexpr std::array<std::string_view, 7> kGeometryNames = {
    "none", "mesh", "sphere", "half_space", "convex body", "element", "smooth surface"};

}  // namespace

const ParameterTable<SphereShape>& sphere_parameters() {
  static const auto table = ParameterTable<SphereShape>().number(
      "radius", &SphereShape::radius, "m", non_negative(), "of the sphere");
  return table;
}

double radius_of_sphere(const ShapeDef& sphere, const Place& place, const std::string& key) {
  const double radius = std::get<SphereShape>(sphere.geometry).radius;
  if (!(radius > 0.0))
    throw InputError(place, key + ": sphere '" + sphere.name +
                                "' is a point (radius 0), which only contact elements know");
  return radius;
}

std::string_view geometry_name(const Geometry& geometry) {
  if (const auto* body = std::get_if<ConvexBody>(&geometry); body && !body->kind.empty())
    return body->kind;
  if (const auto* element = std::get_if<ElementShape>(&geometry))
    return kElementNames[element->index()];
  if (const auto* smooth = std::get_if<SmoothShape>(&geometry); smooth && !smooth->kind.empty())
    return smooth->kind;
  return kGeometryNames[geometry.index()];
}

ShapeTable::ShapeTable(std::vector<ShapeDef> shapes, std::vector<MaterialDef> materials,
                       std::vector<std::shared_ptr<const GroundDef>> soils, double gravity)
    : shapes_(std::move(shapes)),
      materials_(std::move(materials)),
      soils_(std::move(soils)),
      gravity_(gravity) {
  require_unique_names(shapes_, "shape");
  require_unique_names(materials_, "material");
  require_unique_names(soils_, "soil");
  for (const auto& soil : soils_) soil->check();
  for (const MaterialDef& material : materials_)
    material_parameters().check(material, material.place, "material");
  for (const ShapeDef& shape : shapes_) {
    if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry))
      sphere_parameters().check(*sphere, shape.place, "shape.sphere");
    if (const auto* mesh = std::get_if<MeshShape>(&shape.geometry)) {
      if (!mesh->mesh) throw InputError(shape.place, "shape '" + shape.name + "' has no mesh");
      require_usable(*mesh->mesh, "shape '" + shape.name + "'");
    }
    if (const auto* body = std::get_if<ConvexBody>(&shape.geometry))
      require_sound(*body, shape.place, "shape '" + shape.name + "'");
    if (const auto* element = std::get_if<ElementShape>(&shape.geometry))
      require_sound(*element, shape.place, "shape '" + shape.name + "'");
    if (const auto* smooth = std::get_if<SmoothShape>(&shape.geometry); smooth && !smooth->surface)
      throw InputError(shape.place, "shape '" + shape.name + "' has no surface");
    if (!shape.material.empty()) material_of(shape);
  }
}

namespace {

/// The definition of that name; `what` it is, for the message.
template <class Def>
const Def& named(const std::vector<Def>& all, const std::string& name, const Place& place,
                 const std::string& key, const std::string& what) {
  std::vector<std::string> names;
  for (const Def& def : all) {
    const std::string* known = nullptr;
    if constexpr (requires { def->name; })
      known = &def->name;
    else
      known = &def.name;
    if (*known == name) return def;
    names.push_back(*known);
  }
  throw InputError(place,
                   key + ": there is no " + what + " '" + name + "'" + suggestion(name, names));
}

}  // namespace

const ShapeDef& ShapeTable::shape(const std::string& name, const Place& place,
                                  const std::string& key) const {
  return named(shapes_, name, place, key, "shape");
}

const GroundDef& ShapeTable::soil(const std::string& name, const Place& place,
                                  const std::string& key) const {
  return *named(soils_, name, place, key, "soil");
}

double hertz_stiffness_of(const ShapeTable& shapes, const ShapeDef& first, const ShapeDef& second,
                          double radius, const Place& place) {
  const double compliance = shapes.materials_of(first, second).compliance;
  if (compliance == 0.0)
    throw InputError(place, "contact.stiffness is missing, and neither '" + first.name + "' nor '" +
                                second.name + "' has a material to compute it from");
  return hertz_stiffness(1.0 / compliance, radius);
}

const MaterialDef* ShapeTable::material_of(const ShapeDef& shape) const {
  if (shape.material.empty()) return nullptr;
  return &material(shape.material, shape.place, "shape.material");
}

const MaterialDef& ShapeTable::material(const std::string& name, const Place& place,
                                        const std::string& key) const {
  return named(materials_, name, place, key, "material");
}

void ShapeTable::refuse_geometry(const ShapeDef& found, const Geometry& wanted, const Place& place,
                                 const std::string& key) {
  throw InputError(place, key + ": shape '" + found.name + "' is a " +
                              std::string(geometry_name(found.geometry)) + ", it must be a " +
                              std::string(geometry_name(wanted)));
}

namespace world_def_detail {
void refuse_duplicate(const Place& place, const std::string& what, const std::string& name,
                      const Place& first) {
  throw InputError(place, what + ".name '" + name + "' is used twice" +
                              (first.known() ? "; first at " + first.text() : ""));
}
}  // namespace world_def_detail

}  // namespace grouser
