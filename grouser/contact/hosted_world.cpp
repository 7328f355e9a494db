#include "grouser/contact/hosted_world.h"

#include <utility>

#include "grouser/base/assert.h"

namespace grouser {

HostedWorld::HostedWorld(ContactWorld world)
    : world_(std::move(world)), start_(world_.snapshot()), kinematics_(world_.bodies().size()) {
  if (world_.state_count() > 0)
    throw InputError("contacts with states that a host integrates need one that does: these have " +
                     std::to_string(world_.state_count()));
  for (std::size_t b = 0; b < kinematics_.size(); ++b)
    kinematics_[b] = world_.kinematics(static_cast<int>(b));
}

void HostedWorld::set_body(int body, const BodyKinematics& kinematics, double time) {
  GROUSER_ASSERT(static_cast<std::size_t>(body) < kinematics_.size());
  BodyKinematics& mine = kinematics_[static_cast<std::size_t>(body)];
  if (time != time_ || !(mine == kinematics)) answered_ = false;
  mine = kinematics;
  time_ = time;
}

const Wrench& HostedWorld::wrench(int body, double time) {
  if (!answered_ || time != time_) answer(time);
  return world_.wrench(body);
}

void HostedWorld::answer(double time) {
  // What lies at this moment or behind it has been given up.
  while (!past_.empty() && past_.back().time >= time) past_.pop_back();
  if (past_.empty() && trimmed_) ++forgotten_;
  world_.rewind(past_.empty() ? start_ : past_.back().after);
  for (std::size_t b = 0; b < kinematics_.size(); ++b)
    world_.set_body(static_cast<int>(b), kinematics_[b]);
  status_ = world_.evaluate(time);
  time_ = time;
  answered_ = true;
  if (status_ == Status::impossible) return;
  // The forces stay those of the evaluation: neither a commit nor an update changes them.
  world_.commit(time);
  world_.update(time);
  past_.push_back({time, world_.snapshot()});
  if (past_.size() > kMostMoments) {
    start_ = std::move(past_.front().after);
    past_.pop_front();
    trimmed_ = true;
  }
}

}  // namespace grouser
