#include <algorithm>
#include <cmath>

#include "grouser/base/text.h"
#include "grouser/contact/smooth.h"
#include "grouser/contact/smooth_contact.h"
#include "grouser/laws/hunt_crossley.h"
#include "grouser/shape/smooth_bodies.h"

namespace grouser {
namespace {

using Def = SmoothDef;

/// Depth, by R, at which stiffnesses that depend on depth are taken where one number is needed.
constexpr double kUsualDepth = 1e-2;

std::shared_ptr<const SmoothSurface> surface_of(const ShapeDef& shape, const Def& def,
                                                const std::string& key) {
  std::shared_ptr<const SmoothSurface> surface = smooth_surface_of(shape);
  if (!surface)
    throw InputError(def.place, key + ": shape '" + shape.name + "' is a " +
                                    std::string(geometry_name(shape.geometry)) +
                                    ", which has no smooth surface (sphere, ellipsoid, torus, "
                                    "superellipsoid, parametric and map have)");
  return surface;
}

SmoothNormal normal_of(const Def& def, double stiffness) {
  if (def.normal_law == Def::NormalLaw::linear)
    return {{stiffness, 1.0, def.damping, def.damping_depth}, 0.0};
  return {{stiffness, 1.5, 0.0, 1.0}, hunt_crossley_damping(def.restitution) / def.impact_speed};
}

/// Slope of the force at the usual depth [N/m].
double normal_slope(const SmoothNormal& normal, double radius) {
  const double n = normal.spring.exponent;
  return normal.spring.stiffness * n * std::pow(kUsualDepth * radius, n - 1.0);
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
      ParameterTable<Def>()
          .text("first", &Def::first,
                "a shape with a smooth surface: map, parametric, sphere, ellipsoid, torus, "
                "superellipsoid",
                true)
          .text("second", &Def::second, "the other shape, with any of them", true)
          .choice("normal_law", &Def::normal_law, {"hunt-crossley", "linear"},
                  "F = k d^1.5 (1 + a d'), or F = k d + c d' with c fading in over damping_depth")
          .number("stiffness", &Def::stiffness, "N/m^1.5 or N/m", non_negative(),
                  "k; 0: Hertz, from the materials of the shapes and effective_radius")
          .number("restitution", &Def::restitution, "", within(kSmallestRestitution, 1.0),
                  "hunt-crossley: rebound speed / impact speed, exact at impact_speed")
          .number("impact_speed", &Def::impact_speed, "m/s", positive(),
                  "hunt-crossley: where restitution holds; slower impacts lose less")
          .number("damping", &Def::damping, "N s/m", non_negative(), "linear: c")
          .number("damping_depth", &Def::damping_depth, "m", positive(),
                  "linear: depth at which damping is fully there")
          .number("friction", &Def::friction, "", non_negative(), "Coulomb coefficient")
          .number("tangential_stiffness", &Def::tangential_stiffness, "N/m", non_negative(),
                  "of the spring across the normal; 0: 0.8 of that along it at a depth of R / 100")
          .number("relaxation_time", &Def::relaxation_time, "s", positive(),
                  "damping / stiffness across and about the normal")
          .number("drilling", &Def::drilling, "", non_negative(),
                  "torque against spinning about the normal, by that of Hertz's pressure, "
                  "3 pi/16 mu F sqrt(R d)")
          .number("effective_radius", &Def::effective_radius, "m", non_negative(),
                  "R of Hertz's formulas; 0: size of the smaller surface, of a sphere its radius")
          .choice("kinematics", &Def::kinematics, {"projected", "integrated"},
                  "contact points are found by projection at every evaluation, or integrated as "
                  "states")
          .number("drift_rate", &Def::drift_rate, "1/s", positive(),
                  "integrated: rate at which drift is corrected")
          .number("margin", &Def::margin, "m", non_negative(),
                  "gap up to which contacts are tracked; 0: R / 50")
          .integer("contacts", &Def::contacts, within(1, kMostSmoothContacts),
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
  pair.normal = normal_of(*this, stiffness > 0.0
                                     ? stiffness
                                     : hertz_stiffness_of(shapes, *one, *two, pair.radius, place));
  pair.friction = friction;
  const double across = tangential_stiffness > 0.0 ? tangential_stiffness
                                                   : 0.8 * normal_slope(pair.normal, pair.radius);
  // About the normal an area of radius a has 2/3 a^2 of its stiffness across it; a^2 = R d.
  const double about =
      drilling > 0.0 ? 2.0 / 3.0 * across * kUsualDepth * pair.radius * pair.radius : 0.0;
  pair.sliding = {across, across * relaxation_time};
  pair.drilling = {about, about * relaxation_time};
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
