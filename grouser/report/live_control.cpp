#include "grouser/report/live_control.h"

namespace grouser {

LiveControl::Wish LiveControl::wish() const {
  const std::lock_guard lock(mutex_);
  return wish_;
}

void LiveControl::wish(Wish wish) {
  const std::lock_guard lock(mutex_);
  wish_ = wish;
  changed_.notify_all();
}

bool LiveControl::go_on(const std::function<bool()>& stopped) {
  using namespace std::chrono_literals;
  std::unique_lock lock(mutex_);
  while (wish_ == Wish::pause && !stopped()) changed_.wait_for(lock, 50ms);
  return wish_ != Wish::restart && !stopped();
}

void LiveControl::restarted() {
  const std::lock_guard lock(mutex_);
  if (wish_ == Wish::restart) wish_ = Wish::run;
}

}  // namespace grouser
