#include "grouser/laws/friction.h"

#include <algorithm>
#include <array>

namespace grouser {
namespace {

struct LawRow {
  FrictionLaw law;
  const char* word;
  bool of_speed;  // a function of the sliding speed alone
};

/// All laws, in the order of the enumerators; those of the speed come first.
constexpr std::array kLaws = {
    LawRow{FrictionLaw::quadratic, "quadratic", true},
    LawRow{FrictionLaw::tanh, "tanh", true},
    LawRow{FrictionLaw::stick_slip, "stick-slip", true},
    LawRow{FrictionLaw::bengisu_akay, "bengisu-akay", true},
    LawRow{FrictionLaw::brown_mcphee, "brown-mcphee", true},
    LawRow{FrictionLaw::bristle, "bristle", false},
    LawRow{FrictionLaw::spring_slider, "spring-slider", false},
};

/// So that words are where their enumerators are, also of the laws of the speed alone.
constexpr bool is_in_order() {
  for (std::size_t i = 0; i < kLaws.size(); ++i)
    if (static_cast<std::size_t>(kLaws[i].law) != i ||
        (i > 0 && kLaws[i].of_speed && !kLaws[i - 1].of_speed))
      return false;
  return true;
}
static_assert(is_in_order());

std::vector<std::string> all_words() {
  std::vector<std::string> out;
  for (const LawRow& row : kLaws) out.emplace_back(row.word);
  return out;
}

}  // namespace

std::vector<std::string> friction_words(std::initializer_list<FrictionLaw> others) {
  std::vector<std::string> out;
  for (const LawRow& row : kLaws)
    if (row.of_speed || std::find(others.begin(), others.end(), row.law) != others.end())
      out.emplace_back(row.word);
  return out;
}

const ParameterTable<FrictionDef>& friction_parameters() {
  using Def = FrictionDef;
  static const auto table =
      ParameterTable<Def>()
          .choice("friction_law", &Def::friction_law, all_words(),
                  "bristle and spring-slider hold bodies at rest; the others are functions of the "
                  "sliding speed and creep under load")
          .optional("friction", &Def::friction, "", non_negative(), "of the materials",
                    "Coulomb coefficient; if neither the contact nor a material gives one it is 0, "
                    "of convex bodies 0.5")
          .optional("static_friction", &Def::static_friction, "", non_negative(), "as friction",
                    "coefficient at the peak before sliding, of stick-slip, bengisu-akay and "
                    "brown-mcphee")
          .number("friction_speed", &Def::friction_speed, "m/s", positive(),
                  "sliding speed at which friction is fully there, or at its peak")
          .optional("slip_speed", &Def::slip_speed, "m/s", positive(), "10 friction_speed",
                    "stick-slip: sliding speed from which the peak is over")
          .number("peak_decay", &Def::peak_decay, "s/m", non_negative(),
                  "bengisu-akay: xi, with which the peak fades")
          .number("stroke", &Def::stroke, "m", positive(), "bristle: deflection at full friction")
          .number("tangential_stiffness", &Def::tangential_stiffness, "N/m", non_negative(),
                  "spring-slider: of the spring across the normal; 0: 0.8 of that along it at a "
                  "depth of R / 100")
          .number("friction_damping", &Def::friction_damping, "s", non_negative(),
                  "bristle, spring-slider: damping / stiffness")
          .renamed("friction_velocity", "friction_speed")
          .renamed("stick_speed", "friction_speed")
          .renamed("dynamic_friction", "friction")
          .renamed("bristle_damping", "friction_damping")
          .renamed("relaxation_time", "friction_damping");
  return table;
}

double friction_per_speed_slope(const DryFriction& f, double normal_force, double v) {
  if (f.law == FrictionLaw::quadratic)
    return f.sliding * normal_force * quadratic_friction_per_speed_slope(v, f.speed);
  // Central differences: the error is (1e-5)^2 of what changes over v_d, and rounding 1e-11.
  const double h = std::min(1e-5 * std::max(f.speed, v), v);
  if (!(h > 0.0)) return 0.0;  // it is multiplied by the velocity twice
  return (friction_per_speed(f, normal_force, v + h) - friction_per_speed(f, normal_force, v - h)) /
         (2.0 * h);
}

}  // namespace grouser
