// Places where two analytic elements are near each other: what a penalty force is made of.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "grouser/base/assert.h"
#include "grouser/math/types.h"

namespace grouser {

/// One place where elements a and b are near, in the frame they were given in. Radii do not count
/// here. With reach = radius of a + radius of b a law is asked for
///
///   force = share * law(reach - gap)
///
/// and the force on a acts along `normal`, at point_between. All of it is continuous in the motion.
///
/// Nothing is initialised, so that room for many places costs nothing.
struct WitnessPair {
  Vec3 on_a, on_b;  ///< on the elements
  Vec3 normal;   ///< slope of the gap when a is shifted, from b to a. Its length is 1; less where
                 ///< the direction is about to vanish, other than 1 at the lip of a plate.
  double gap;    ///< [m], negative behind the side of a plate that is remembered
  double share;  ///< of the force that the law gives, 0 to 1; -1 where a place between two others
                 ///< takes away what both have
};

/// Halfway between the surfaces of elements that have radii.
inline Vec3 point_between(const WitnessPair& place, double radius_a, double radius_b) {
  return 0.5 * (place.on_a + place.on_b + (radius_b - radius_a) * place.normal);
}

/// The places of one pair. Those that are not nearer than the reach may be left out.
class WitnessPairs {
 public:
  static constexpr std::size_t kMost = 16;

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const WitnessPair* begin() const { return all_.data(); }
  const WitnessPair* end() const { return all_.data() + count_; }
  const WitnessPair& operator[](std::size_t i) const {
    GROUSER_ASSERT(i < count_);
    return all_[i];
  }
  WitnessPair* begin() { return all_.data(); }
  WitnessPair* end() { return all_.data() + count_; }

  void clear() { count_ = 0; }
  /// Room for one more. If there is none it takes that of the place with the largest gap, which
  /// only happens where a point is near the centre of a finely divided arc.
  WitnessPair& add() {
    if (count_ < kMost) return all_[count_++];
    return *std::max_element(begin(), end(), [](const WitnessPair& one, const WitnessPair& other) {
      return one.gap < other.gap;
    });
  }

  /// The smallest gap; infinite if there is no place.
  double smallest_gap() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (const WitnessPair& place : *this) smallest = std::min(smallest, place.gap);
    return smallest;
  }

 private:
  std::array<WitnessPair, kMost> all_;
  std::size_t count_ = 0;
};

}  // namespace grouser
