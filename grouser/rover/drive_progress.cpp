#include "grouser/rover/drive_progress.h"

#include <algorithm>
#include <cmath>

#include "grouser/base/assert.h"

namespace grouser {

void DriveProgress::restart(std::int64_t window) {
  window = std::max<std::int64_t>(window, 1);
  stride_ = (window + kParts - 1) / kParts;
  parts_ = (window + stride_ - 1) / stride_;
  GROUSER_ASSERT(parts_ >= 1 && parts_ <= kParts);
  now_ = {};
  ring_[0] = {};
  oldest_ = newest_ = 0;
  full_ = false;
}

void DriveProgress::add(double commanded, double real) {
  GROUSER_ASSERT(commanded >= 0.0 && std::isfinite(real));
  now_.ticks += 1;
  now_.commanded += commanded;
  now_.real += real;
  if (now_.ticks % stride_ != 0) return;
  full_ = now_.ticks >= stride_ * parts_;
  // The oldest sum is that of a whole window ago, or of the start.
  const auto after = [&](std::size_t slot) { return (slot + 1) % ring_.size(); };
  if (now_.ticks - ring_[oldest_].ticks > stride_ * parts_) oldest_ = after(oldest_);
  newest_ = after(newest_);
  ring_[newest_] = now_;
}

double DriveProgress::commanded() const {
  return now_.commanded - ring_[oldest_].commanded;
}
double DriveProgress::real() const {
  return now_.real - ring_[oldest_].real;
}
std::int64_t DriveProgress::ticks() const {
  return now_.ticks - ring_[oldest_].ticks;
}

}  // namespace grouser
