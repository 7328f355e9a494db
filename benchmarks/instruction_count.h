// Instructions of single cases, counted by callgrind: benchmarks/count_instructions.sh asks a
// benchmark for `--cases` and then for `--callgrind CASE`.
#pragma once

#include <cstddef>
#include <cstdio>

#ifdef GROUSER_WITH_CALLGRIND
#include <valgrind/callgrind.h>
#endif

namespace grouser {

/// Calls twice, the second time with callgrind switched on, and prints how many evaluations that
/// are. Returns the exit code of the program.
template <class Call>
int count_instructions([[maybe_unused]] std::size_t evaluations, [[maybe_unused]] Call&& call) {
#ifdef GROUSER_WITH_CALLGRIND
  call();
  CALLGRIND_START_INSTRUMENTATION;
  call();
  CALLGRIND_STOP_INSTRUMENTATION;
  std::printf("evaluations %zu\n", evaluations);
  return 0;
#else
  std::fprintf(stderr, "built without valgrind/callgrind.h: scripts/setup.sh --benchmarks\n");
  return 2;
#endif
}

/// For a name that --callgrind got and nobody has.
inline int refuse_case(const char* name) {
  std::fprintf(stderr, "no case '%s'; see --cases\n", name);
  return 2;
}

}  // namespace grouser
