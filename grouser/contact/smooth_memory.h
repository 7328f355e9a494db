// What contact of smooth surfaces remembers: where its contacts are, and what went wrong how often.
#pragma once

#include <array>
#include <cstdint>

#include "grouser/contact/contact.h"
#include "grouser/contact/smooth.h"
#include "grouser/shape/smooth_surface.h"

namespace grouser {

/// A place for one contact. It keeps the place as long as it is tracked, and with it its states.
struct SmoothSlot {
  std::int32_t active = 0;
  std::int32_t touching = 0;
  std::int32_t chart1 = 0, chart2 = 0;
  double u1 = 0.0, v1 = 0.0, u2 = 0.0, v2 = 0.0;
  /// With integrated coordinates: these are base + state.
  std::array<double, 3> base1 = {}, base2 = {};
};

/// Accepted steps in which something was not as it should be.
struct SmoothCounts {
  std::uint64_t beyond = 0;    ///< a contact lay beyond the border
  std::uint64_t no_data = 0;   ///< a contact lay over a gap of the map
  std::uint64_t too_flat = 0;  ///< the bodies fitted each other, so that points cannot be tracked
  std::uint64_t lost = 0;      ///< a contact that carried a force could not be followed
  std::uint64_t left_out = 0;  ///< there were more contacts than places for them
};

struct SmoothMemory {
  std::array<SmoothSlot, kMostSmoothContacts> slots = {};
  SmoothCounts counts;
};

}  // namespace grouser
