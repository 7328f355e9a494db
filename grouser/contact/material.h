// Materials of surfaces, and what two of them do together.
#pragma once

#include <optional>
#include <string>

#include "grouser/laws/friction.h"
#include "grouser/laws/hunt_crossley.h"

namespace grouser {

/// An elastic material; the thickness of the layer it forms on a surface (elastic foundation), and
/// what it does against another one. What it does not say it leaves to the other.
struct MaterialDef {
  std::string name;
  double young_modulus = kRequired;
  double poisson_ratio = 0.3;
  double thickness = 0.01;
  std::optional<double> restitution = {};
  std::optional<double> friction = {};
  std::optional<double> static_friction = {};  ///< absent: friction
  Place place;
};
const ParameterTable<MaterialDef>& material_parameters();

/// What two materials do together; numbers that neither gives are absent.
struct MaterialPair {
  double compliance = 0.0;  ///< 1 / E* [1/Pa]; 0: both are rigid
  std::optional<double> restitution;
  std::optional<double> friction;
  std::optional<double> static_friction;
};
/// Compliances add up; of coefficients the harmonic mean counts, where only one says something
/// that. Null: a rigid body, which leaves everything to the other.
MaterialPair pair_of(const MaterialDef* first, const MaterialDef* second);

/// What a contact is told to do comes first, then what its materials do, then the usual.
inline constexpr double kUsualRestitution = 0.5;
double restitution_between(const RestitutionDef& contact, const MaterialPair& materials);
/// Throws InputError at `place` if the numbers do not fit each other.
DryFriction friction_between(const FrictionDef& contact, const MaterialPair& materials,
                             const Place& place, std::optional<double> usual = {});

}  // namespace grouser
