#!/usr/bin/env bash
# From a bare system to a tested build: packages, build, all tests.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
source scripts/stage.sh

usage() {
  cat <<'HELP'
Usage: ./test.sh [--preset NAME] [--rooms "ROOM ..."] [--long] [-- ARGUMENTS]
  Installs missing packages (Debian, Ubuntu), builds everything and runs all tests.
  --preset NAME   build preset of CMakePresets.json:
                    release (default),
                    debug  not optimised, with assertions,
                    clang  the other compiler,
                    asan   address and undefined-behaviour sanitizers, by clang, with assertions,
                    tsan   thread sanitizer, with assertions
  --rooms "..."   builds and runs the tests of these rooms alone, for example "laws contact"
  --long          also runs what debug, asan and tsan leave out: tests/long_tests.txt, pages
  ARGUMENTS       passed on to ctest, for example -R contact.Pcm
HELP
}

preset=release
rooms=()
long=false
while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    --rooms) read -ra rooms <<<"${2:?--rooms needs names of rooms}"; shift 2 ;;
    --long) long=true; shift ;;
    --) shift; break ;;
    *) usage >&2; exit 2 ;;
  esac
done

# The thread sanitizer cannot place its shadow memory when addresses are randomised widely.
plain=()
if [[ $preset == tsan ]] && setarch "$(uname -m)" -R true 2>/dev/null; then
  plain=(setarch "$(uname -m)" -R)
fi

# Ten to thirty times as slow, what takes seconds takes minutes, of code that other tests run through
# as well.
leave_out=()
if [[ $preset == debug || $preset == asan || $preset == tsan ]] && ! $long; then
  leave_out=(--label-exclude '^(long|viewer)$')
  echo "left out under $preset: $(wc -l <tests/long_tests.txt) long tests, pages in a browser (--long)"
fi

targets=()
if ((${#rooms[@]} > 0)); then
  targets=(--target "${rooms[@]/%/_test}")
  leave_out+=(--tests-regex "^($(IFS='|'; echo "${rooms[*]}"))\\.")
fi

setup=(scripts/setup.sh)
if [[ $preset == clang || $preset == asan ]]; then setup+=(--checks); fi
stage_shown 'packages' "${setup[@]}"
configure "$preset"
stage "build $preset" "${plain[@]}" cmake --build --preset "$preset" "${targets[@]}"
stage_shown "test $preset" "${plain[@]}" ctest --preset "$preset" "${leave_out[@]}" "$@"
