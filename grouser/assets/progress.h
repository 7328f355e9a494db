#pragma once

#include <functional>

namespace grouser {

/// Called now and then by what takes long, with the fraction that is done, in [0, 1].
using Progress = std::function<void(double)>;

}  // namespace grouser
