// Tables of keys of a scene file, and what is read into them before it is a definition. Inside the
// run room.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/run/run_scene.h"

namespace grouser::scene_tables {

const ParameterTable<MechanismFileDef>& mechanism_parameters();
const ParameterTable<BodyDef>& body_parameters();
const ParameterTable<CouplingDef>& coupling_parameters();

struct LoopText {
  std::string name, body_a, body_b;
  LoopDef::Kind kind = LoopDef::Kind::point;
  Vec3 point_a = Vec3::Zero();
  Vec3 point_b = Vec3::Zero();
  bool has_b = false;
};
const ParameterTable<LoopText>& loop_parameters();

/// `[initial]`: joint = number, or joint = { position, velocity, quaternion, angular_velocity }.
const ParameterTable<MechanismDef::InitialJoint>& initial_parameters();

// Tables with signals are made for the folder of a scene.

struct MovingBodyText {
  MovingBodyDef def;
  std::string name;
  PlacementDef placement;
  Vec3 axis = Vec3::UnitZ();
};
ParameterTable<MovingBodyText> moving_body_parameters(const std::string& folder = "");

struct PrescribedText {
  std::string joint;
  std::optional<Signal> position, speed;
};
ParameterTable<PrescribedText> prescribed_parameters(const std::string& folder = "");

ParameterTable<MotorDef> motor_parameters(const std::string& folder = "");

/// Every table of a document that was read without refusal.
std::vector<SceneSection> scene_sections(const Value& document);

}  // namespace grouser::scene_tables
