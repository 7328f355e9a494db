// Two ways to the places of a segment near a frustum. Inside the geometry room, and for tests.
#pragma once

#include "grouser/shape/elements.h"

namespace grouser {

/// For the usual cases: what is within reach lies over the mantle, or around one rim. False if it
/// is another case.
bool find_near_simply(const Segment& a, const Frustum& b, const Approach& approach,
                      WitnessPairs& places);
/// For any case.
void find_near_anyhow(const Segment& a, const Frustum& b, const Approach& approach,
                      WitnessPairs& places);

}  // namespace grouser
