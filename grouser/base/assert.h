// Assertions: what the code relies on, said where it relies on it.
//
// They are for mistakes of programmers. What a user may get wrong throws an Error that names its
// place (see error.h), and what an integrator may ask for is answered with a Status (see status.h).
#pragma once

namespace grouser {

/// Prints `file:line: assertion failed: text (function)` to stderr and aborts.
[[noreturn]] void assertion_failed(const char* text, const char* file, int line,
                                   const char* function);

}  // namespace grouser

/// Stops the program, with the place, unless `condition` is true. On in Debug and with sanitizers
/// (see cmake/grouser_targets.cmake); elsewhere it is compiled but never evaluated, so what it
/// needs may be expensive but must have no effect. A header that asserts means the same either way.
#if defined(GROUSER_ASSERTIONS) && GROUSER_ASSERTIONS
#define GROUSER_ASSERT(condition) \
  (static_cast<bool>(condition)   \
       ? void()                   \
       : ::grouser::assertion_failed(#condition, __FILE__, __LINE__, __func__))
#else
#define GROUSER_ASSERT(condition) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif
