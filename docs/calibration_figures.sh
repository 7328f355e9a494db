#!/usr/bin/env bash
# Makes the pictures of docs/user/calibration.md with the commands that stand there.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

command=${1:-build/release/apps/cli/grouser}
[[ -x $command ]] || { echo "Usage: docs/calibration_figures.sh [grouser]; there is no $command" >&2; exit 2; }

"$command" calibrate --model terra --data scenes/measurements/ding2011_smooth.csv \
  --soil ding-simulant --radius 0.15735 --width 0.165 --plot docs/figures/calibrate_ding.svg
"$command" calibrate --model terra --data scenes/measurements/cmu_smooth.csv \
  --soil cmu-sand --radius 0.0625 --width 0.06 --plot docs/figures/calibrate_cmu.svg
"$command" calibrate --model terra --against scm --soil dry-sand --load 100 \
  --slip 0,0.05,0.1,0.2,0.3,0.4,0.5,0.6 --plot docs/figures/calibrate_scm.svg
