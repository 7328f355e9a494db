#include "grouser/laws/hunt_crossley.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"
#include "grouser/math/checks.h"

namespace grouser {

double hertz_stiffness(double effective_modulus, double radius) {
  GROUSER_ASSERT(effective_modulus >= 0.0 && radius >= 0.0);
  return 4.0 / 3.0 * effective_modulus * std::sqrt(radius);
}

double hunt_crossley_damping(double restitution) {
  const double e = std::clamp(restitution, kSmallestRestitution, 1.0);
  if (e == 1.0) return 0.0;
  // f(a) = a (1 + e) - ln(1 + a) + ln(1 - a e) starts at 0 with f'(0) = 0 and f''(0) = 1 - e^2 > 0,
  // rises, and falls to -infinity at a = 1/e: exactly one root in (0, 1/e). Towards e -> 0 the root
  // is within exp(-1/e^2) of 1/e, so the unknown is x = -ln(1 - a e), which stays moderate.
  const auto f = [e](double x) {
    const double a = -std::expm1(-x) / e;
    return a * (1.0 + e) - std::log1p(a) - x;
  };
  double lower = 1e-12;  // f > 0 here unless e is so near 1 that a is below rounding
  double upper = 1.0;
  while (f(upper) > 0.0) upper *= 2.0;
  for (int i = 0; i < 200 && upper - lower > 1e-15 * upper; ++i) {
    const double middle = 0.5 * (lower + upper);
    (f(middle) > 0.0 ? lower : upper) = middle;
  }
  return -std::expm1(-0.5 * (lower + upper)) / e;
}

double damping_factor(RestitutionLaw law, double restitution) {
  const double e = std::clamp(restitution, kSmallestRestitution, 1.0);
  switch (law) {
    case RestitutionLaw::exact:
      return hunt_crossley_damping(e);
    case RestitutionLaw::hunt_crossley:
      return 1.5 * (1.0 - e);
    case RestitutionLaw::lankarani_nikravesh:
      return 0.75 * (1.0 - e * e);
    case RestitutionLaw::herbert_mcwhannell:
      return 6.0 * (1.0 - e) / ((2.0 * e - 1.0) * (2.0 * e - 1.0) + 3.0);
    case RestitutionLaw::lee_wang:
      return 0.75 * (1.0 - e);
    case RestitutionLaw::gonthier:
      return (1.0 - e * e) / e;
    case RestitutionLaw::flores:
      return 1.6 * (1.0 - e) / e;
    case RestitutionLaw::hu_guo:
      return 1.5 * (1.0 - e) / e;
  }
  return 0.0;
}

const ParameterTable<RestitutionDef>& restitution_parameters() {
  static const auto table =
      ParameterTable<RestitutionDef>()
          .optional("restitution", &RestitutionDef::restitution, "", within(0.0, 1.0),
                    "of the materials",
                    "rebound speed / impact speed; if neither the contact nor a material gives one "
                    "it is 0.5")
          .choice("restitution_law", &RestitutionDef::restitution_law,
                  {"exact", "hunt-crossley", "lankarani-nikravesh", "herbert-mcwhannell",
                   "lee-wang", "gonthier", "flores", "hu-guo"},
                  "how damping follows from the restitution");
  return table;
}

const ParameterTable<ImpactDef>& impact_parameters() {
  static const auto table =
      ParameterTable<ImpactDef>()
          .include(restitution_parameters())
          .number("smallest_impact", &ImpactDef::smallest_impact, "m/s", positive(),
                  "impact speed assumed for slower touches, so that damping stays finite");
  return table;
}

double restitution_of(double damping) {
  const double a = damping;
  if (a <= 0.0) return 1.0;
  // g(y) = y + ln(1 - y) + a - ln(1 + a), y = a e, falls from a - ln(1 + a) > 0 at y = 0 to
  // -infinity at y = 1; restitutions above one do not count.
  const double rest = a - std::log1p(a);
  double lower = 0.0, upper = std::min(a, 1.0);
  for (int i = 0; i < 200 && upper - lower > 1e-16 * upper; ++i) {
    const double y = 0.5 * (lower + upper);
    (y + std::log1p(-y) + rest > 0.0 ? lower : upper) = y;
  }
  const double restitution = 0.5 * (lower + upper) / a;
  GROUSER_ASSERT(is_share(restitution));
  return restitution;
}

double hunt_crossley_force(double stiffness, double damping, double impact_speed, double depth,
                           double depth_rate) {
  if (depth <= 0.0) return 0.0;
  GROUSER_ASSERT(stiffness >= 0.0 && impact_speed > 0.0);
  const double elastic = stiffness * depth * std::sqrt(depth);
  return elastic * hunt_crossley_factor(damping, impact_speed, depth_rate);
}

double hunt_crossley_factor(double damping, double impact_speed, double depth_rate) {
  return std::max(0.0, 1.0 + damping * depth_rate / impact_speed);
}

double hertz_energy(double stiffness, double depth) {
  if (depth <= 0.0) return 0.0;
  return 0.4 * stiffness * depth * depth * std::sqrt(depth);
}

}  // namespace grouser
