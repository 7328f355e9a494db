// Many pairs of elements as one contact: the teeth of two gears, a handful of balls.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grouser/contact/world_def.h"

namespace grouser {

/// All pairs of a shape that fits `first` and one that fits `second`, names with * for any letters;
/// each pair once, and none of two shapes on the same body.
struct ElementPatterns {
  std::string first, second;
  std::string first_key, second_key;  ///< for messages
  Place place;
};

/// A model with one port per body; forces are the sums over the pairs. `build` makes the model of
/// one pair. Pairs that are far from each other cost next to nothing. Throws InputError if a
/// pattern fits no shape, or no pair is left.
std::unique_ptr<ContactModel> build_element_group(
    const ElementPatterns& patterns, const ShapeTable& shapes,
    const std::function<std::unique_ptr<ContactModel>(const ShapeDef&, const ShapeDef&)>& build);

}  // namespace grouser
