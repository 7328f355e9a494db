// Mechanisms of every kind, states to ask them about, and what they answer, bit by bit.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grouser/base/random.h"
#include "grouser/mechanism/mechanism.h"

namespace grouser::test {

const Vec3 kEarth(0.0, 0.0, -9.81);

struct MechanismCase {
  std::string name;
  std::shared_ptr<const MechanismModel> (*build)(const Vec3& gravity);
};

/// A rover with a differential, motors and a force; closed loops; an arm from URDF; free bodies;
/// springs along tendons and a ball joint; prescribed joints and moving bodies.
const std::vector<MechanismCase>& mechanism_cases();

/// Of this name.
std::shared_ptr<const MechanismModel> build_case(const std::string& name,
                                                 const Vec3& gravity = kEarth);

struct MechanismQuestion {
  double time = 0.0;
  std::vector<double> q, v;
};

/// Raw states around the initial one, their projections, and some of them with other velocities.
std::vector<MechanismQuestion> make_questions(const std::shared_ptr<const MechanismModel>& model,
                                              std::uint64_t seed);

/// Wrenches that depend on nothing but the mechanism.
std::vector<Wrench> some_wrenches(const Mechanism& mechanism);

enum class Asked { accelerations, step, derivatives };

/// All that a mechanism tells at a state: projected coordinates, kinematics, accelerations, forces
/// by kind, drives, energies; or accelerations of a step; or differences in the neighbourhood.
std::vector<double> answers(Mechanism& mechanism, const MechanismQuestion& question, Asked asked);

/// What follows from a middle that was kept before.
std::vector<double> responses(Mechanism& mechanism, const MechanismQuestion& question);

bool same_bits(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace grouser::test
