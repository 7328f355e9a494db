#!/usr/bin/env bash
# Instructions per evaluation of the cases of a benchmark (pcm, elements, convex, soil), counted by
# valgrind. Unlike times they hardly depend on what else the machine does.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: benchmarks/count_instructions.sh [PROGRAM [CASE...]]
  PROGRAM  the built benchmark (default: build/release/benchmarks/pcm)
  CASE     see PROGRAM --cases (default: all of them; of pcm the main ones)
GROUSER_VARIANT=NAME counts another variant of pcm than the first.
HELP
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
program=${1:-$(dirname -- "${BASH_SOURCE[0]}")/../build/release/benchmarks/pcm}
cases=("${@:2}")

fail() { printf 'count_instructions: %s\n' "$@" >&2; exit 1; }
[[ -x $program ]] || fail "no program $program; build the target ${program##*/}_benchmark"
command -v valgrind >/dev/null || fail 'valgrind is missing; run scripts/setup.sh --benchmarks'
if ((${#cases[@]} == 0)); then
  if [[ ${program##*/} == pcm ]]; then
    cases=(torus torus-4 apart scout bubbles-0 bubbles-3 bubbles-6)
  else
    mapfile -t cases < <("$program" --cases)
  fi
fi

log=$(mktemp -t grouser-callgrind.XXXXXX)
trap 'rm -f -- "$log"' EXIT
printf '%-36s %14s\n' case 'per evaluation'
for name in "${cases[@]}"; do
  # Nothing is counted before the program asks for it.
  valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=/dev/null \
    "$program" --callgrind "$name" ${GROUSER_VARIANT:+"$GROUSER_VARIANT"} >"$log" 2>&1 ||
    { tail -n 5 -- "$log" >&2; fail "$name failed"; }
  awk -v name="$name" '
    $1 == "evaluations" { evaluations = $2 }
    /Collected *:/ { instructions = $NF }
    END {
      if (evaluations == 0 || instructions == "") exit 1
      printf "%-36s %14.0f\n", name, instructions / evaluations
    }' "$log" || fail "$name: valgrind printed no count"
done
