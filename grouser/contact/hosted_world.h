// A contact world for hosts that never say which steps they accept.
//
// Modelica tools call functions: update(object, pose, twist, time) for each object in any order,
// then force(object, time), again and again, also for steps that they reject afterwards. Nobody
// calls commit. But time tells: who asks for an earlier moment, or once more for the same one, has
// given up what came after. So every moment that is asked for is remembered as if it were accepted,
// and forgotten when the host goes back behind it.
#pragma once

#include <deque>

#include "grouser/contact/world.h"

namespace grouser {

class HostedWorld {
 public:
  explicit HostedWorld(ContactWorld world);

  std::span<const std::string> bodies() const { return world_.bodies(); }
  int body(const std::string& name) const { return world_.body(name); }

  /// A body as the host has it at `time`.
  void set_body(int body, const BodyKinematics& kinematics, double time);
  /// On a body, about its origin, in W; with all bodies where they were last set. Contacts are
  /// asked once per moment, by whichever body comes first.
  const Wrench& wrench(int body, double time);
  /// How the last moment could be answered.
  Status status() const { return status_; }

  /// Contacts of this world must have no states to be integrated; their number is 0.
  const ContactWorld& world() const { return world_; }

  /// How often the host went back farther than is remembered, and got the oldest memory there is.
  std::uint64_t forgotten() const { return forgotten_; }

 private:
  /// The world after a moment, as if that were accepted.
  struct Moment {
    double time;
    WorldSnapshot after;
  };
  static constexpr std::size_t kMostMoments = 256;

  void answer(double time);

  ContactWorld world_;
  WorldSnapshot start_;
  std::deque<Moment> past_;  // by time
  std::vector<BodyKinematics> kinematics_;
  double time_ = 0.0;
  bool answered_ = false;  // for time_ and kinematics_
  Status status_ = Status::ok;
  std::uint64_t forgotten_ = 0;
  bool trimmed_ = false;  // older moments than those in past_ were dropped
};

}  // namespace grouser
