// A force and a torque that act on a body from outside, as functions of time.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"
#include "grouser/math/spatial.h"
#include "grouser/mechanism/held_input.h"
#include "grouser/mechanism/signal.h"

namespace grouser {

/// [[force]]
struct ForceDef {
  enum class Frame { world, body };
  std::string name;
  std::string body;              ///< one that has mass
  Vec3 point = Vec3::Zero();     ///< where the force acts, in the body frame [m]
  Frame frame = Frame::world;    ///< axes of force and torque
  std::array<Signal, 3> force;   ///< [N]
  std::array<Signal, 3> torque;  ///< besides that of the force about the origin [Nm]
  Place place;
};

class AppliedForce {
 public:
  /// `body` is its index in the mechanism.
  AppliedForce(ForceDef def, int body) : def_(std::move(def)), body_(body) {}

  const ForceDef& def() const { return def_; }
  int body() const { return body_; }
  /// What a host may set instead of the signals: three components of the force, three of the
  /// torque, along the axes of its frame.
  using Held = std::span<const std::optional<HeldInput>, 6>;
  /// About the point, in W.
  Wrench at_point(double time, const Mat3& R_WB, Held held) const;
  /// About the body's origin, in W.
  Wrench at_origin(double time, const Mat3& R_WB, Held held) const;
  /// See Signal::next_corner().
  double next_corner(double time) const;

 private:
  ForceDef def_;
  int body_;
};

/// Every [[force]] of a scene; files of signals are looked up in `folder`. Throws InputError.
std::vector<ForceDef> read_forces(const Value& document, const std::string& folder);

/// The keys of a [[force]], for documentation.
std::vector<ParameterInfo> force_parameter_infos();

}  // namespace grouser
