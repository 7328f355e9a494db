#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/contact/smooth.h"
#include "grouser/contact/smooth_contact.h"
#include "grouser/shape/smooth_bodies.h"

namespace grouser {
namespace {

/// Depth, by R, at which stiffnesses that depend on depth are taken where one number is needed.
constexpr double kUsualDepth = 1e-2;

std::shared_ptr<const SmoothSurface> surface_of(const ShapeDef& shape, const SmoothDef& def,
                                                const std::string& key) {
  std::shared_ptr<const SmoothSurface> surface = smooth_surface_of(shape);
  if (!surface)
    throw InputError(def.place, key + ": shape '" + shape.name + "' is a " +
                                    std::string(geometry_name(shape.geometry)) +
                                    ", which has no smooth surface (sphere, ellipsoid, torus, "
                                    "superellipsoid, parametric and map have)");
  return surface;
}

/// Slope of the force at the usual depth [N/m].
double normal_slope(const PenaltyNormal& normal, double radius) {
  const double n = normal.exponent;
  return normal.stiffness * n * std::pow(kUsualDepth * radius, n - 1.0);
}

}  // namespace

std::shared_ptr<const SmoothSurface> smooth_surface_of(const ShapeDef& shape) {
  if (const auto* smooth = std::get_if<SmoothShape>(&shape.geometry)) return smooth->surface;
  if (const auto* sphere = std::get_if<SphereShape>(&shape.geometry);
      sphere && sphere->radius > 0.0)
    return std::make_shared<StarSurface>(Vec3::Constant(sphere->radius));
  const auto* body = std::get_if<ConvexBody>(&shape.geometry);
  if (!body || body->pieces.size() != 1) return nullptr;
  const ConvexPiece& piece = body->pieces.front();
  const bool placed = !piece.X_SP.p.isZero(0.0) || piece.X_SP.R != Mat3::Identity();
  if (piece.surface || placed) return nullptr;
  if (piece.shape.kind == ConvexKind::ellipsoid)
    return std::make_shared<StarSurface>(piece.shape.half_size);
  if (piece.shape.kind == ConvexKind::sphere)
    return std::make_shared<StarSurface>(Vec3::Constant(piece.shape.radius));
  return nullptr;
}

const ParameterTable<SmoothDef>& SmoothDef::parameters() {
  static const auto table =
      ParameterTable<SmoothDef>()
          .text("first", &SmoothDef::first,
                "a shape with a smooth surface: map, parametric, sphere, ellipsoid, torus, "
                "superellipsoid",
                true)
          .text("second", &SmoothDef::second, "the other shape, with any of them", true)
          .include(penalty_parameters())
          .include(friction_parameters())
          .only("friction_law", friction_words({FrictionLaw::spring_slider}))
          .number("drilling", &SmoothDef::drilling, "", non_negative(),
                  "torque against spinning about the normal, by that of Hertz's pressure, "
                  "3 pi/16 mu F sqrt(R d)")
          .number("effective_radius", &SmoothDef::effective_radius, "m", non_negative(),
                  "R of Hertz's formulas; 0: size of the smaller surface, of a sphere its radius")
          .choice("kinematics", &SmoothDef::kinematics, {"projected", "integrated"},
                  "contact points are found by projection at every evaluation, or integrated as "
                  "states")
          .number("drift_rate", &SmoothDef::drift_rate, "1/s", positive(),
                  "integrated: rate at which drift is corrected")
          .number("margin", &SmoothDef::margin, "m", non_negative(),
                  "gap up to which contacts are tracked; 0: R / 50")
          .integer("contacts", &SmoothDef::contacts, within(1, kMostSmoothContacts),
                   "that many at most at the same time, between this pair");
  return table;
}

std::unique_ptr<ContactModel> SmoothDef::build(const ShapeTable& shapes) const {
  parameters().check(*this, place, "contact");
  const ShapeDef* one = &shapes.shape(first, place, "contact.first");
  const ShapeDef* two = &shapes.shape(second, place, "contact.second");
  auto surface1 = surface_of(*one, *this, "contact.first");
  auto surface2 = surface_of(*two, *this, "contact.second");
  SmoothPair pair;
  if (is_better_swapped(*surface1, *surface2)) {
    pair.swapped = true;
    std::swap(one, two);
    std::swap(surface1, surface2);
  }
  pair.bodies = {two->body, one->body};
  pair.X_B1 = one->X_BS;
  pair.X_B2 = two->X_BS;
  pair.radius = effective_radius > 0.0 ? effective_radius : surface2->size();
  if (stiffness == 0.0 && exponent != 1.5)
    throw InputError(place,
                     "contact.stiffness is missing: materials give that of Hertz, for which "
                     "contact.exponent is 1.5");
  if (friction_law == FrictionLaw::spring_slider && friction_damping == 0.0)
    throw InputError(place, "contact.friction_damping must be positive with a spring-slider, is 0");
  const MaterialPair materials = shapes.materials_of(*one, *two);
  pair.normal = penalty_normal(
      *this,
      stiffness > 0.0 ? stiffness : hertz_stiffness_of(shapes, *one, *two, pair.radius, place),
      restitution_between(*this, materials));
  pair.friction = friction_between(*this, materials, place);
  const double across = tangential_stiffness > 0.0 ? tangential_stiffness
                                                   : 0.8 * normal_slope(pair.normal, pair.radius);
  // About the normal an area of radius a has 2/3 a^2 of its stiffness across it; a^2 = R d.
  const double about =
      drilling > 0.0 ? 2.0 / 3.0 * across * kUsualDepth * pair.radius * pair.radius : 0.0;
  pair.sliding = {across, across * friction_damping};
  pair.drilling = {about, about * friction_damping};
  pair.drilling_limit = drilling * 3.0 * kPi / 16.0 * std::sqrt(pair.radius);
  pair.margin = margin > 0.0 ? margin : 0.02 * pair.radius;
  pair.slots = contacts;
  pair.integrated = kinematics == Kinematics::integrated;
  pair.drift_rate = drift_rate;
  try {
    return make_smooth_contact(std::move(pair), ContactSearch(surface1, surface2));
  } catch (const InputError& error) {
    throw InputError(place, "contact: " + std::string(error.what()));
  }
}

}  // namespace grouser
