// Contact elements: spheres and lines against spheres, lines, discs, polygons, curves, splines and
// cones, by penalty forces with stick-slip friction.
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
struct ElementPairDef : ContactDef {
  std::string first, second;  ///< names of the shapes
  double stiffness = kRequired;
  double exponent = 1.5;
  double damping = 0.0;
  double damping_depth = 1e-4;
  double static_friction = 0.0;
  double dynamic_friction = -1.0;  ///< negative: that of sticking
  double stick_speed = 0.01;
  double slip_speed = 0.1;

  PenaltyNormal normal_law() const;
  StickSlip friction_law() const;
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
  t.number("stiffness", &Def::stiffness, "N/m^n", positive(), "K of F = K d^n, d the depth");
  t.number("exponent", &Def::exponent, "", within(1.0, 4.0),
           "n: 1.5 for round bodies of metal (Hertz), 2 to 3 for rubber");
  t.number("damping", &Def::damping, "N s/m", non_negative(), "C at the depth damping_depth");
  t.number("damping_depth", &Def::damping_depth, "m", positive(), "where damping is in full force");
  t.number("static_friction", &Def::static_friction, "", non_negative(),
           "coefficient at the stick_speed, where friction is greatest");
  t.number("dynamic_friction", &Def::dynamic_friction, "", any_number(),
           "coefficient from the slip_speed on; negative: the static one");
  t.number("stick_speed", &Def::stick_speed, "m/s", positive(),
           "sliding speed below which friction fades to nothing");
  t.number("slip_speed", &Def::slip_speed, "m/s", positive(),
           "sliding speed from which friction is dynamic; above stick_speed");
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
