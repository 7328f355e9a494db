// Sieves for pairs of eight: what certainly does not touch is dropped, in single precision with a
// margin for its rounding. What passes is cut in double precision, which alone decides; so it does
// not matter which version of a sieve runs, nor what passes besides.
#pragma once

#include "grouser/contact/pcm_surface.h"

namespace grouser {

/// Lanes of a line and a triangle that may cross.
struct Crossing {
  std::uint8_t line, triangle;
};
using Crossings = std::array<Crossing, kLanes * kLanes>;

/// The sieves. `margin`: how far a point may be wrong [m].
struct PcmSieve {
  /// Which of eight lines may cross which of eight triangles; tells how many pairs.
  std::size_t (*find_crossings)(const LineLanes& lines, const TriangleLanes& triangles,
                                float margin, Crossings& out);
  /// Which of eight boxes, bits of `mask`, may meet the box and the plane of one of eight
  /// triangles. Worth it where triangles are large: their boxes hold much that is far from them.
  unsigned (*sift)(const BoxLanes& boxes, unsigned mask, const TriangleLanes& triangles,
                   float margin);
};

/// For any processor, with registers of four.
extern const PcmSieve kPortableSieve;
/// The quickest this processor can run.
const PcmSieve& quickest_sieve();

}  // namespace grouser
