// Counts every operator new of a test program.
#pragma once

#include <cstddef>

namespace grouser {

/// Calls of operator new so far, by all threads.
std::size_t allocations();

}  // namespace grouser
