// What is refused as an element.
#include <cmath>

#include "grouser/base/error.h"
#include "grouser/base/text.h"
#include "grouser/shape/elements.h"

namespace grouser {

namespace {

void require_finite(double value, const char* what) {
  if (!std::isfinite(value)) throw InputError(std::string(what) + " is not finite");
}

void require_positive(double value, const char* what) {
  require_finite(value, what);
  if (value <= 0.0) {
    throw InputError(std::string(what) + " must be positive, is " + to_text(value));
  }
}

void require_not_negative(double value, const char* what) {
  require_finite(value, what);
  if (value < 0.0) {
    throw InputError(std::string(what) + " must not be negative, is " + to_text(value));
  }
}

}  // namespace

void require_usable(const Segment& segment) {
  if (!segment.from.allFinite() || !segment.to.allFinite()) {
    throw InputError("an end of the segment has a coordinate that is not finite");
  }
  if (segment.from == segment.to) throw InputError("the segment has no length");
}

void require_usable(const Disc& disc) {
  require_positive(disc.radius, "the radius of the disc");
  require_not_negative(disc.inner_radius, "the inner radius of the disc");
  if (disc.inner_radius >= disc.radius) {
    throw InputError("the inner radius of the disc, " + to_text(disc.inner_radius) +
                     ", must be below its radius, " + to_text(disc.radius));
  }
}

void require_usable(const Frustum& frustum) {
  require_not_negative(frustum.bottom_radius, "the bottom radius of the frustum");
  require_not_negative(frustum.top_radius, "the top radius of the frustum");
  require_positive(frustum.height, "the height of the frustum");
  if (frustum.bottom_radius == 0.0 && frustum.top_radius == 0.0) {
    throw InputError("one of the radii of the frustum must be positive");
  }
}

}  // namespace grouser
