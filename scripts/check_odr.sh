#!/usr/bin/env bash
# Compares the types of all objects of a build by name (-Wodr): two that differ are a defect that
# optimised builds hide. The libraries of a build with GROUSER_ODR (presets debug and asan) carry what
# is needed; they are joined without making code of it.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

preset=${1:-debug}
libraries=()
while IFS= read -r -d '' library; do libraries+=("$library"); done \
  < <(find "build/$preset/grouser" -name 'libgrouser_*.a' -print0 | LC_ALL=C sort -z)
((${#libraries[@]} > 0)) || { echo "odr: no library in build/$preset; run ./test.sh --preset $preset" >&2; exit 1; }

log=$(mktemp -t grouser-odr.XXXXXX)
trap 'rm -f -- "$log"' EXIT
g++ -O0 -flto=auto -Wodr -Wlto-type-mismatch -r -flinker-output=rel -nostdlib -o /dev/null \
  -Wl,--whole-archive "${libraries[@]}" -Wl,--no-whole-archive >"$log" 2>&1 ||
  { cat "$log" >&2; exit 1; }
if grep -q 'Wodr\|Wlto-type-mismatch' "$log"; then
  cat "$log" >&2
  exit 1
fi
echo "odr: ok (${#libraries[@]} libraries)"
