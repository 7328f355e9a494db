// How many rocks of which size lie on a square metre.
//
// Three kinds of law. All say how many rocks per area have a diameter of D or more:
//
//   exponential  rocks of D and more cover the fraction F(D) = k exp(-q D) of the ground, so that
//                N(D) is the integral of 4 k q exp(-q x) / (pi x^2) from D upwards; on Mars
//                q = 1.79 + 0.152 / k (Golombek and Rapp 1997)
//   power        N(D) = number (D / 1 m)^-exponent
//   classes      a list of diameters with the number of rocks of each
//
// Landing sites have names: law = "vl1".
#pragma once

#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/base/random.h"
#include "grouser/math/types.h"

namespace grouser {

enum class RockLaw {
  exponential,
  power,
  classes,
  vl1,
  vl2,
  pathfinder,
  spirit,
  insight,
  phoenix,
  viking_1_classes
};

struct RockClass {
  double diameter;  ///< [m]
  double number;    ///< of rocks per area [1/m^2]
};

struct RockSizes {
  RockLaw law = RockLaw::vl1;
  double k = 0.069;                     ///< exponential: fraction of the ground under rocks
  double q = 0.0;                       ///< exponential [1/m]; 0: 1.79 + 0.152 / k
  double number = 0.0;                  ///< power: rocks of 1 m and more per area [1/m^2]
  double exponent = 2.0;                ///< power
  std::vector<RockClass> classes = {};  ///< classes
  double min_diameter = 0.05;           ///< [m]
  double max_diameter = 2.0;            ///< [m]
};

const ParameterTable<RockSizes>& parameter_table(const RockSizes*);

/// Refuses numbers out of range, min_diameter not below max_diameter by a millionth or more, a law
/// without its parameters or with those of another law, and one without rocks between the two
/// diameters or with more than a number can hold.
void require_sound(const RockSizes& sizes, const Place& place, const std::string& path);

/// What stands behind the name of a site: law, k, q and classes. Other laws stay as they are.
RockSizes resolved(const RockSizes& sizes);

/// Rocks of `diameter` [m] or more per area [1/m^2], by the law alone, whatever min_diameter and
/// max_diameter. Precondition for all below: the sizes are sound.
double cumulative_number(const RockSizes& sizes, double diameter);

/// Fraction of the ground under rocks with diameters in [from, to], taken as discs.
double coverage(const RockSizes& sizes, double from, double to);

/// Rocks between min_diameter and max_diameter per area [1/m^2].
double number_of_rocks(const RockSizes& sizes);

/// Draws diameters between min_diameter and max_diameter. Continuous laws are inverted once, into
/// a table of (log N, log D) that is refined until straight lines between its nodes are right to
/// 1e-6 of the diameter.
class RockSampler {
 public:
  explicit RockSampler(const RockSizes& sizes);

  double draw(Random& random) const { return diameter_at(random.uniform()); }
  /// The diameter that the fraction `share`, in [0, 1), of the rocks exceeds.
  double diameter_at(double share) const;
  std::size_t nodes() const { return log_number_.size(); }

 private:
  void refine(const RockSizes& sizes, double log_from, double log_to, int depth);

  double lowest_ = 0.0, highest_ = 0.0;            // numbers at max_diameter and at min_diameter
  std::vector<double> log_number_, log_diameter_;  // numbers rise, diameters fall
  std::vector<RockClass> classes_;                 // largest first, with cumulative numbers
};

}  // namespace grouser
