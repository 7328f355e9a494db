// Contact elements: spheres and lines against spheres, lines, discs, polygons, curves, splines and
// cones, by penalty forces and friction.
//
// One model around all pairs. Geometry finds the places where the two are near, the law makes a
// force of each, which acts halfway between the two surfaces. On which side of a plate or of
// another line something is, is remembered, so that nothing slips through.
#pragma once

#include <string>
#include <string_view>

#include "grouser/contact/world_def.h"
#include "grouser/laws/penalty.h"

namespace grouser {

/// What all pairs have in common.
struct ElementPairDef : ContactDef, PenaltyDef, FrictionDef {
  ElementPairDef() {
    stiffness = kRequired;
    friction_law = FrictionLaw::stick_slip;
    friction_speed = 0.01;
  }

  std::string first, second;  ///< names of the shapes
};

enum class ElementPair {
  sphere_sphere,
  sphere_line,
  sphere_disc,
  sphere_polygon,
  sphere_curve,
  sphere_spline,
  sphere_cone,
  line_line,
  line_cone
};

/// A pair in the registry, and the keys by which it calls its shapes.
struct ElementPairNames {
  std::string_view model;
  std::string_view first, first_meaning;
  std::string_view second, second_meaning;
};
inline constexpr ElementPairNames kElementPairs[] = {
    {"sphere-sphere", "first", "shape of kind sphere", "second", "shape of kind sphere"},
    {"sphere-line", "sphere", "shape of kind sphere", "line", "shape of kind line"},
    {"sphere-disc", "sphere", "shape of kind sphere", "disc", "shape of kind disc"},
    {"sphere-polygon", "sphere", "shape of kind sphere", "polygon", "shape of kind polygon"},
    {"sphere-curve", "sphere", "shape of kind sphere", "curve", "shape of kind curve"},
    {"sphere-spline", "sphere", "shape of kind sphere", "spline", "shape of kind spline"},
    {"sphere-cone", "sphere", "shape of kind sphere", "frustum", "shape of kind frustum"},
    {"line-line", "first", "shape of kind line", "second", "shape of kind line"},
    {"line-cone", "line", "shape of kind line", "frustum", "shape of kind frustum"}};

/// The keys of a pair.
template <class Def>
ParameterTable<Def> element_pair_parameters(const ElementPairNames& names) {
  using Base = ElementPairDef;
  ParameterTable<Def> t;
  t.text(std::string(names.first), static_cast<std::string Def::*>(&Base::first),
         std::string(names.first_meaning), true);
  t.text(std::string(names.second), static_cast<std::string Def::*>(&Base::second),
         std::string(names.second_meaning), true);
  t.include(penalty_parameters());
  t.include(friction_parameters());
  t.only("friction_law", friction_words());
  return t;
}

/// A model of the registry that is a pair of elements.
template <ElementPair pair>
struct ElementContactDef final : ElementPairDef {
  static constexpr const ElementPairNames& kNames = kElementPairs[static_cast<std::size_t>(pair)];
  static constexpr std::string_view kModel = kNames.model;
  static const ParameterTable<ElementContactDef>& parameters() {
    static const auto table = element_pair_parameters<ElementContactDef>(kNames);
    return table;
  }
  std::string_view model() const override { return kModel; }
  Value values() const override { return parameters().values(*this); }
  std::unique_ptr<ContactModel> build(const ShapeTable& shapes) const override;
};
using SphereSphereDef = ElementContactDef<ElementPair::sphere_sphere>;
using SphereLineDef = ElementContactDef<ElementPair::sphere_line>;
using SphereDiscDef = ElementContactDef<ElementPair::sphere_disc>;
using SpherePolygonDef = ElementContactDef<ElementPair::sphere_polygon>;
using SphereCurveDef = ElementContactDef<ElementPair::sphere_curve>;
using SphereSplineDef = ElementContactDef<ElementPair::sphere_spline>;
using SphereConeDef = ElementContactDef<ElementPair::sphere_cone>;
using LineLineDef = ElementContactDef<ElementPair::line_line>;
using LineConeDef = ElementContactDef<ElementPair::line_cone>;

}  // namespace grouser
