#!/usr/bin/env bash
# All tests in builds that see what one release build hides: not optimised and with assertions, by the
# other compiler (which compiles every file alone: each includes what it needs), under sanitizers; then
# clang-tidy. Each is a whole build; together they take hours on two cores.
set -uo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1

case ${1:-} in
  -h | --help) echo 'Usage: scripts/check_builds.sh [debug] [clang] [asan] [tsan] [tidy]   (default: all)'; exit 0 ;;
esac
wanted=("$@")
((${#wanted[@]} > 0)) || wanted=(debug clang asan tsan tidy)

failed=()
for one in "${wanted[@]}"; do
  if [[ $one == tidy ]]; then
    scripts/check_tidy.sh || failed+=("$one")
  else
    ./test.sh --preset "$one" || failed+=("$one")
  fi
done
if ((${#failed[@]} > 0)); then
  echo "builds: FAILED: ${failed[*]}" >&2
  exit 1
fi
echo "builds: ok (${wanted[*]})"
