#!/usr/bin/env bash
# Checks that every tracked *.h and *.cpp is as clang-format writes it; --fix rewrites them.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

action=(--dry-run -Werror)
case ${1:-} in
  '') ;;
  --fix) action=(-i) ;;
  *) echo 'Usage: scripts/check_format.sh [--fix]' >&2; exit 2 ;;
esac
command -v clang-format >/dev/null || { echo 'format: clang-format is missing; run scripts/setup.sh' >&2; exit 1; }

# Without git (an unpacked archive) every source below the rooms counts as tracked.
list_sources() {
  git ls-files -z -- '*.h' '*.cpp' 2>/dev/null ||
    find grouser hosts apps examples tests benchmarks \( -name '*.h' -o -name '*.cpp' \) -print0 2>/dev/null ||
    true
}
mapfile -d '' -t sources < <(list_sources)
present=()
for file in "${sources[@]}"; do
  if [[ -f $file ]]; then present+=("$file"); fi
done
((${#present[@]} > 0)) || { echo 'format: no sources found' >&2; exit 1; }

if ! printf '%s\0' "${present[@]}" | xargs -0 clang-format "${action[@]}"; then
  echo 'format: run scripts/check_format.sh --fix' >&2
  exit 1
fi
echo "format: ok (${#present[@]} files)"
