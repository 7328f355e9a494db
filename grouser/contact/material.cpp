#include "grouser/contact/material.h"

#include <algorithm>

#include "grouser/base/text.h"

namespace grouser {
namespace {

/// Twice the product over the sum; of two zeros it is zero. What is absent is as the other.
std::optional<double> harmonic_mean(std::optional<double> a, std::optional<double> b) {
  if (!a && !b) return std::nullopt;
  const double x = a ? *a : *b, y = b ? *b : *a;
  return x + y > 0.0 ? 2.0 * x * y / (x + y) : 0.0;
}

}  // namespace

const ParameterTable<MaterialDef>& material_parameters() {
  static const auto table =
      ParameterTable<MaterialDef>()
          .text("name", &MaterialDef::name, "by which shapes refer to the material", true)
          .number("young_modulus", &MaterialDef::young_modulus, "Pa", positive(),
                  "stress / stretch")
          .number("poisson_ratio", &MaterialDef::poisson_ratio, "", within(0.0, 0.49),
                  "lateral contraction / stretch")
          .number("thickness", &MaterialDef::thickness, "m", positive(),
                  "of the layer it forms on a surface (elastic foundation)")
          .optional("restitution", &MaterialDef::restitution, "", within(0.0, 1.0),
                    "of the other surface", "rebound / impact speed")
          .optional("friction", &MaterialDef::friction, "", non_negative(), "of the other surface",
                    "Coulomb coefficient")
          .optional("static_friction", &MaterialDef::static_friction, "", non_negative(),
                    "as friction", "coefficient at the peak before sliding");
  return table;
}

MaterialPair pair_of(const MaterialDef* first, const MaterialDef* second) {
  static const MaterialDef kNothing;
  const MaterialDef &a = first ? *first : kNothing, &b = second ? *second : kNothing;
  const auto peak_of = [](const MaterialDef& m) {
    return m.static_friction ? m.static_friction : m.friction;
  };
  MaterialPair out;
  for (const MaterialDef* m : {first, second})
    if (m) out.compliance += (1.0 - m->poisson_ratio * m->poisson_ratio) / m->young_modulus;
  out.restitution = harmonic_mean(a.restitution, b.restitution);
  out.friction = harmonic_mean(a.friction, b.friction);
  if (a.static_friction || b.static_friction)
    out.static_friction = harmonic_mean(peak_of(a), peak_of(b));
  return out;
}

double restitution_between(const RestitutionDef& contact, const MaterialPair& materials) {
  if (contact.restitution) return *contact.restitution;
  return materials.restitution.value_or(kUsualRestitution);
}

DryFriction friction_between(const FrictionDef& contact, const MaterialPair& materials,
                             const Place& place, std::optional<double> usual) {
  const std::optional<double> by_material = materials.friction ? materials.friction : usual;
  const std::optional<double> friction = contact.friction ? contact.friction : by_material;
  std::optional<double> peak = contact.static_friction;
  if (!peak && !contact.friction) peak = materials.static_friction;
  if (peak && !friction)
    throw InputError(place,
                     "contact.static_friction is given, but neither contact.friction nor a "
                     "material tells the friction while sliding");
  DryFriction out;
  out.law = contact.friction_law;
  out.sliding = friction.value_or(0.0);
  out.peak = peak.value_or(out.sliding);
  out.speed = contact.friction_speed;
  out.slip_speed = contact.slip_speed.value_or(10.0 * out.speed);
  out.decay = contact.peak_decay;
  // A mean of two materials may be larger than both by rounding.
  if (out.peak < (1.0 - 1e-12) * out.sliding)
    throw InputError(place,
                     "contact.static_friction must be at least the friction while sliding (" +
                         to_text(out.sliding) + "), is " + to_text(out.peak));
  out.peak = std::max(out.peak, out.sliding);
  if (!(out.slip_speed > out.speed))
    throw InputError(place, "contact.slip_speed must be greater than contact.friction_speed (" +
                                to_text(out.speed) + "), is " + to_text(out.slip_speed));
  return out;
}

}  // namespace grouser
