#include "grouser/base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace grouser {

void assertion_failed(const char* text, const char* file, int line, const char* function) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s (%s)\n", file, line, text, function);
  std::fflush(stderr);
  std::abort();
}

}  // namespace grouser
