// Parameters as used: what a text gave, and the defaults of the rest.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "grouser/base/parameters.h"

namespace grouser {

/// One parameter with its value, for people.
struct ParameterSetting {
  std::string key;
  std::string value;  ///< as one would write it, strings without quotes; long arrays are shortened
  std::string unit;
  std::string meaning;

  bool operator==(const ParameterSetting&) const = default;
};

/// All `parameters` in their order, with what the table `given` says of them, or else their
/// defaults. Where a table is given for a parameter of kind table, each of its entries has a row,
/// with a dotted key.
std::vector<ParameterSetting> parameter_settings(std::span<const ParameterInfo> parameters,
                                                 const Value& given);

}  // namespace grouser
