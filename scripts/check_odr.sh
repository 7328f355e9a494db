#!/usr/bin/env bash
# Compares the types of all rooms by name (-Wodr): two that differ are a defect that optimised builds
# hide. Compiles the libraries in a build of its own, each room as one file, to what a link-time
# optimiser reads and no further. So a name that two files of a room give to different things is an
# error as well, whichever of them are compiled together elsewhere.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/stage.sh

case ${1:-} in
  '') ;;
  -h | --help) echo 'Usage: scripts/check_odr.sh'; exit 0 ;;
  *) echo 'Usage: scripts/check_odr.sh' >&2; exit 2 ;;
esac
build=build/odr
stage 'odr configure' cmake --preset odr
stage 'odr build' cmake --build --preset odr --target grouser_installed

libraries=()
while IFS= read -r -d '' library; do libraries+=("$library"); done \
  < <(find "$build/grouser" -name 'libgrouser_*.a' -print0 | LC_ALL=C sort -z)
((${#libraries[@]} > 0)) || { echo "odr: no library in $build" >&2; exit 1; }

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
