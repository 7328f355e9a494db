#!/usr/bin/env bash
# clang-tidy over the library and the command, with the checks of .clang-tidy; any finding is a failure.
# Each room is read as one file, so that the headers all of its files include are read once.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/stage.sh

case ${1:-} in
  -h | --help) echo 'Usage: scripts/check_tidy.sh [FILE.cpp ...]   (default: grouser and apps)'; exit 0 ;;
esac
scripts/setup.sh --checks
together=1000
(($# == 0)) || together=0
cmake --preset clang -B build/tidy -DGROUSER_UNITY=$together \
  -DGROUSER_BUILD_TESTS=OFF -DGROUSER_WITH_REPORT_PAGE=OFF >/dev/null

files=("$@")
((${#files[@]} > 0)) ||
  mapfile -t files < <(sed -n 's/^  "file": "\(.*\)".*/\1/p' build/tidy/compile_commands.json | LC_ALL=C sort -u)
if ! printf '%s\0' "${files[@]}" | xargs -0 -P "$CMAKE_BUILD_PARALLEL_LEVEL" -n 1 \
  clang-tidy -p build/tidy --quiet --warnings-as-errors='*' \
  --header-filter='/(grouser|apps)/.*\.(h|cpp)$' 2>/dev/null; then
  echo 'tidy: failed' >&2
  exit 1
fi
echo "tidy: ok (${#files[@]} files)"
