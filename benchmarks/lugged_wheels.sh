#!/usr/bin/env bash
# Five wheels with grousers over headings and grids: pull must not depend on either, there is no
# side force without a cause, and thrust stays within what soil holds.
set -euo pipefail

usage() {
  cat <<'HELP'
Usage: benchmarks/lugged_wheels.sh [GROUSER [WHEEL...]]
  GROUSER  the command (default: build/release/apps/cli/grouser)
  WHEEL    viper, mmx, exomars, ding or blades (default: all)
Spacings are shares of the grousers' thickness; slips 0.1, 0.3 and 0.6. By default half and whole
thickness with headings 0 to 45 degrees in steps of 5, a quarter and an eighth with fewer. These set
others:
  SHARES="1 0.5" HEADINGS="0 20 45" benchmarks/lugged_wheels.sh
ROWS=FILE keeps every single test. Whole and half thickness take about half an hour on a busy core, the
finer ones hours: SHARES="1 0.5" leaves them out.
HELP
}

case ${1:-} in
  -h | --help) usage; exit 0 ;;
  -*) usage >&2; exit 2 ;;
esac
grouser=${1:-$(dirname -- "${BASH_SOURCE[0]}")/../build/release/apps/cli/grouser}
wheels=("${@:2}")
((${#wheels[@]})) || wheels=(blades ding mmx exomars viper)
shares=${SHARES:-1 0.5 0.25 0.125}
[[ -x $grouser ]] || { printf 'lugged_wheels: no command %s\n' "$grouser" >&2; exit 1; }

headings_of() {
  if [[ -n ${HEADINGS:-} ]]; then printf '%s' "$HEADINGS"; return; fi
  case $1 in
    0.25) printf '0 15 30 45' ;;
    0.125) printf '0 25' ;;
    *) printf '0 5 10 15 20 25 30 35 40 45' ;;
  esac
}

# Radius of the tips, width, thickness, load, gravity; then soil, its c and tan(phi); then options.
describe() {
  local made='--wheel radius=%s --wheel width=%s --wheel grouser_count=%s --wheel grouser_height=%s'
  made+=' --wheel grouser_thickness=%s'
  case $1 in
    viper) echo "0.25 0.2 0.003 174 1.62 lunar-nominal 170 0.7002 --preset viper" ;;
    mmx) echo "0.108 0.05 0.0015 15 1.62 lunar-nominal 170 0.7002 --preset mmx" ;;
    exomars) echo "0.1525 0.12 0.003 150 9.81 ding-simulant 250 0.6228 --preset exomars" ;;
    ding)
      echo "0.16735 0.165 0.005 80 9.81 ding-simulant 250 0.6228" \
        "$(printf -- "$made" 0.15735 0.165 30 0.01 0.005)" ;;
    blades) echo "0.0665 0.06 0.002 25 9.81 cmu-sand 500 0.5543" \
        "$(printf -- "$made" 0.0625 0.06 12 0.004 0.002)" ;;
    *) usage >&2; exit 2 ;;
  esac
}

folder=$(mktemp -d -t grouser-lugged.XXXXXX)
trap 'rm -rf -- "$folder"' EXIT
rows=${ROWS:-$folder/rows.csv}
echo 'wheel,share,heading,slip,load,pull,side,thrust,holds,sinkage' >"$rows"
for share in $shares; do
  for wheel in "${wheels[@]}"; do
    read -r radius width thickness load gravity soil cohesion tan_phi options < <(describe "$wheel")
    spacing=$(awk "BEGIN { print $share * $thickness }")
    # Banks come to rest update by update, on fine grids more slowly.
    period=$(awk "BEGIN { print $share < 0.5 ? 0.005 : 0.02 }")
    for heading in $(headings_of "$share"); do
      # shellcheck disable=SC2086  # options are words
      "$grouser" testbed wheel $options --soil "$soil" --load "$load" --gravity "$gravity" \
        --slip 0.1,0.3,0.6 --heading "$heading" --spacing "$spacing" --period "$period" --speed 0.2 \
        --distance 0.5 -o "$folder/one.csv" -q 2>/dev/null
      # Holds: W tan(phi) + c A, A from the lowest point of the rim forwards.
      awk -F, -v w="$wheel,$share,$heading" -v load="$load" -v r="$radius" -v b="$width" \
        -v c="$cohesion" -v f="$tan_phi" 'NR > 1 {
          half = sqrt(2 * r * $5 - $5 * $5)
          printf "%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%.5f\n", w, $1, load, $7, $9, $11 / r,
            load * f + c * b * half, $5 }' "$folder/one.csv" >>"$rows"
    done
  done
done
awk -F, 'NR > 1 { k = $1 "," $4; n[k]++; load[k] = $5
    if (n[k] == 1 || $6 < low[k]) low[k] = $6
    if (n[k] == 1 || $6 > high[k]) high[k] = $6
    side = $7 < 0 ? -$7 : $7; if (side > most[k]) most[k] = side
    if ($8 / $9 > thrust[k]) thrust[k] = $8 / $9 }
  END { printf "%-8s %5s %6s %12s %12s %10s %10s %18s\n", "wheel", "slip", "tests", "least pull",
      "most pull", "spread", "side", "thrust / holds"
    for (k in n) { split(k, a, ","); printf "%-8s %5s %6d %10.3f N %10.3f N %8.2f %% %8.3f %% %18.3f\n",
      a[1], a[2], n[k], low[k], high[k], 100 * (high[k] - low[k]) / load[k], 100 * most[k] / load[k],
      thrust[k] | "sort" } }' "$rows"
