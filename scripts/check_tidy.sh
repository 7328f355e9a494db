#!/usr/bin/env bash
# clang-tidy over the library and the command, with the checks of .clang-tidy; any finding is a failure.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/stage.sh

case ${1:-} in
  -h | --help) echo 'Usage: scripts/check_tidy.sh [FILE.cpp ...]   (default: grouser and apps)'; exit 0 ;;
esac
scripts/setup.sh --checks
# Without precompiled headers, which clang cannot read.
cmake --preset release -B build/tidy -DGROUSER_PRECOMPILE=OFF >/dev/null

files=("$@")
((${#files[@]} > 0)) || mapfile -t files < <(find grouser apps -name '*.cpp' | LC_ALL=C sort)
if ! printf '%s\0' "${files[@]}" | xargs -0 -P "$CMAKE_BUILD_PARALLEL_LEVEL" -n 4 \
  clang-tidy -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null; then
  echo 'tidy: failed' >&2
  exit 1
fi
echo "tidy: ok (${#files[@]} files)"
