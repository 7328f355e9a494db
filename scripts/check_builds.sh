#!/usr/bin/env bash
# All tests in builds that see what one release build hides: not optimised and with assertions, by the
# other compiler, under sanitizers. Each is a whole build; together they take hours on two cores.
set -uo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1

case ${1:-} in
  -h | --help) echo 'Usage: scripts/check_builds.sh [debug] [clang] [asan] [tsan]   (default: all)'; exit 0 ;;
esac
presets=("$@")
((${#presets[@]} > 0)) || presets=(debug clang asan tsan)

failed=()
for preset in "${presets[@]}"; do
  ./test.sh --preset "$preset" || failed+=("$preset")
done
if ((${#failed[@]} > 0)); then
  echo "builds: FAILED: ${failed[*]}" >&2
  exit 1
fi
echo "builds: ok (${presets[*]})"
