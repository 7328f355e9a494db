#!/usr/bin/env bash
# Takes the pictures of report pages in docs/figures/ anew: runs the scenes, opens their pages in
# Chromium. Needs a build with report pages.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

build=${1:-build/release}
[[ -x $build/apps/cli/grouser && -d $build/viewer ]] ||
  { echo "take_pictures: $build has no grouser command with report pages; build it first" >&2; exit 1; }
pages=$(mktemp -d -t grouser-pictures.XXXXXX)
trap 'rm -rf -- "$pages"' EXIT
for scene in rovers/rover_drive bubbles single_wheel turn_on_the_spot; do
  "$build/apps/cli/grouser" run "scenes/$scene.toml" --out "$pages/${scene#*/}" --quiet --report
done
node docs/take_pictures.mjs "$build/viewer" "$pages" docs/figures
ls -l docs/figures/report_*.jpg docs/figures/soil_heaps.jpg
