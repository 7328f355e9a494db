#include "grouser/contact/elements.h"

#include "grouser/base/pattern.h"
#include "grouser/base/text.h"
#include "grouser/contact/element_contact.h"
#include "grouser/contact/element_group.h"

namespace grouser {
namespace {

Vec3 placed(const Pose& X, const Vec3& point) {
  return X * point;
}
Segment placed(const Pose& X, const Segment& segment) {
  return {X * segment.from, X * segment.to};
}

/// Where a definition calls its shapes.
struct Keys {
  const ShapeTable& shapes;
  const ElementPairDef& def;
  const ElementPairNames& names;

  template <class E>
  const ShapeDef& find(bool second) const {
    const std::string key = "contact." + std::string(second ? names.second : names.first);
    const std::string& name = second ? def.second : def.first;
    if constexpr (std::is_same_v<E, SphereShape>)
      return shapes.shape_of<SphereShape>(name, def.place, key);
    else
      return shapes.element_of<E>(name, def.place, key);
  }
};

Vec3 element_of(const SphereShape&) {
  return Vec3::Zero();
}
double reach_of(const SphereShape& sphere) {
  return sphere.radius;
}

template <class Shape>
const Shape& geometry_of(const ShapeDef& shape) {
  if constexpr (std::is_same_v<Shape, SphereShape>)
    return std::get<SphereShape>(shape.geometry);
  else
    return std::get<Shape>(std::get<ElementShape>(shape.geometry));
}

/// The model of a pair of shapes.
template <class First, class Second>
std::unique_ptr<ContactModel> build_pair(const Keys& keys) {
  const ShapeDef& first = keys.find<First>(false);
  const ShapeDef& second = keys.find<Second>(true);
  const First& shape_a = geometry_of<First>(first);
  const Second& shape_b = geometry_of<Second>(second);
  using A = decltype(element_of(shape_a));
  using B = decltype(element_of(shape_b));
  typename ElementContact<A, B>::Parts parts{placed(first.X_BS, element_of(shape_a)),
                                             element_of(shape_b),
                                             second.X_BS,
                                             reach_of(shape_a),
                                             reach_of(shape_b),
                                             PlateSide::both,
                                             {first.body, second.body}};
  const MaterialPair materials = keys.shapes.materials_of(first, second);
  const ElementLaws laws{
      penalty_normal(keys.def, keys.def.stiffness, restitution_between(keys.def, materials)),
      friction_between(keys.def, materials, keys.def.place)};
  if constexpr (requires { shape_b.side; }) parts.side = shape_b.side;
  if (!kIsPlate<B> && !(parts.radius_a + parts.radius_b > 0.0))
    throw InputError(keys.def.place, "contact: neither '" + first.name + "' nor '" + second.name +
                                         "' has a radius, so they cannot touch");
  return std::make_unique<ElementContact<A, B>>(laws, std::move(parts));
}

using Build = std::unique_ptr<ContactModel> (*)(const Keys& keys);
/// In the order of ElementPair.
constexpr Build kBuild[] = {
    build_pair<SphereShape, SphereShape>,  build_pair<SphereShape, LineShape>,
    build_pair<SphereShape, DiscShape>,    build_pair<SphereShape, PolygonShape>,
    build_pair<SphereShape, CurveShape>,   build_pair<SphereShape, SplineShape>,
    build_pair<SphereShape, FrustumShape>, build_pair<LineShape, LineShape>,
    build_pair<LineShape, FrustumShape>};

}  // namespace

template <ElementPair pair>
std::unique_ptr<ContactModel> ElementContactDef<pair>::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  if (stiffness == 0.0) throw InputError(place, "contact.stiffness must be positive, is 0");
  if (!is_pattern(first) && !is_pattern(second))
    return kBuild[static_cast<std::size_t>(pair)]({shapes, *this, kNames});
  return build_element_group({first, second, "contact." + std::string(kNames.first),
                              "contact." + std::string(kNames.second), place},
                             shapes, [&](const ShapeDef& a, const ShapeDef& b) {
                               ElementContactDef one = *this;
                               one.first = a.name;
                               one.second = b.name;
                               return kBuild[static_cast<std::size_t>(pair)]({shapes, one, kNames});
                             });
}

template struct ElementContactDef<ElementPair::sphere_sphere>;
template struct ElementContactDef<ElementPair::sphere_line>;
template struct ElementContactDef<ElementPair::sphere_disc>;
template struct ElementContactDef<ElementPair::sphere_polygon>;
template struct ElementContactDef<ElementPair::sphere_curve>;
template struct ElementContactDef<ElementPair::sphere_spline>;
template struct ElementContactDef<ElementPair::sphere_cone>;
template struct ElementContactDef<ElementPair::line_line>;
template struct ElementContactDef<ElementPair::line_cone>;

}  // namespace grouser
