#include "grouser/laws/penalty.h"

namespace grouser {

const ParameterTable<PenaltyDef>& penalty_parameters() {
  using Def = PenaltyDef;
  static const auto table =
      ParameterTable<Def>()
          .choice("normal_law", &Def::normal_law, {"power-law", "hunt-crossley"},
                  "F = K d^n + C d' with C fading in over damping_depth, or F = K d^n (1 + a d' / "
                  "v) with a from the restitution")
          .number("stiffness", &Def::stiffness, "N/m^n", non_negative(),
                  "K of F = K d^n, d the depth; 0, of smooth surfaces: Hertz, from their materials")
          .number("exponent", &Def::exponent, "", within(1.0, 4.0),
                  "n: 1.5 for round bodies of metal (Hertz), 2 to 3 for rubber")
          .number("damping", &Def::damping, "N s/m", non_negative(),
                  "power-law: C at the depth damping_depth")
          .number("damping_depth", &Def::damping_depth, "m", positive(),
                  "power-law: depth at which damping is fully there")
          .include(restitution_parameters())
          .number("impact_speed", &Def::impact_speed, "m/s", positive(),
                  "hunt-crossley: v, at which restitution holds; slower impacts lose less");
  return table;
}

PenaltyNormal penalty_normal(const PenaltyDef& def, double stiffness, double restitution) {
  PenaltyNormal out;
  out.stiffness = stiffness;
  out.exponent = def.exponent;
  if (def.normal_law == NormalLaw::hunt_crossley) {
    out.damping_per_spring = damping_factor(def.restitution_law, restitution) / def.impact_speed;
  } else {
    out.damping = def.damping;
    out.damping_depth = def.damping_depth;
  }
  return out;
}

}  // namespace grouser
