#!/usr/bin/env bash
# From a bare system to a simulated scene: packages, build, run.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")"
source scripts/stage.sh

scene=rover_drive
usage() {
  cat <<HELP
Usage: ./demo.sh [--preset NAME] [-- ARGUMENTS]
  Installs missing packages (Debian, Ubuntu), builds the grouser command and simulates
  scenes/rovers/$scene.toml, a rover among rocks on soft soil; the results go to
  results/$scene, with a picture of the torques, and a report page if node and npm
  are there.
  --preset NAME   build preset of CMakePresets.json: release (default), debug, asan, tsan
  ARGUMENTS       passed on to "grouser run"
HELP
}

preset=release
while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    --) shift; break ;;
    *) usage >&2; exit 2 ;;
  esac
done

# Compiled once: many files at a time.
export GROUSER_UNITY=${GROUSER_UNITY:-40}
stage_shown 'packages' scripts/setup.sh
configure "$preset"
stage "build $preset" cmake --build --preset "$preset" --target grouser_cli
report=()
if grep -q '^GROUSER_HAVE_REPORT_PAGE:INTERNAL=TRUE$' "build/$preset/CMakeCache.txt"; then
  report=(--report)
fi
stage_shown "run $scene" "build/$preset/apps/cli/grouser" run "scenes/rovers/$scene.toml" \
  --out "results/$scene" "${report[@]}" "$@"
"build/$preset/apps/cli/grouser" plot "results/$scene/$scene.h5" 'wheels/*/drive_torque' \
  'wheels/*/steering_torque' -o "results/$scene/torque.svg"
echo "Results are in $PWD/results/$scene:"
ls -lh "results/$scene" | sed 1d
if ((${#report[@]} > 0)); then
  echo "Open $PWD/results/$scene/$scene.html in a browser."
else
  echo 'Without node and npm there is no report page.'
fi
