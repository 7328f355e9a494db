#!/usr/bin/env bash
# Makes the pictures of docs/models/smooth.md anew: runs the scenes, opens their pages in Chromium,
# plots where the balls and the stone went. Needs a build with report pages.
source "$(dirname -- "${BASH_SOURCE[0]}")/pictures.sh"
for scene in bowl_map irregular ellipsoid; do
  "$build/apps/cli/grouser" run "scenes/smooth/$scene.toml" --out "$work" --quiet --report
done
plot() {
  "$build/apps/cli/grouser" plot "$work/$1.h5" "${@:3}" -o "docs/figures/smooth_$2.svg"
}
plot bowl_map bowl bodies/ball/position 'contacts/ball in bowl/gap' 'contacts/ball in bowl/dissipated_energy'
plot irregular irregular 'contacts/ball on ground/contacts' 'contacts/ball on ground/gap' system/kinetic_energy
plot ellipsoid ellipsoid bodies/stone/position.z 'contacts/stone on waves/convexity' 'contacts/stone on waves/normal_force'
node docs/scene_figures.mjs "$build/viewer" "$work" docs/figures \
  bowl_map:smooth_bowl:2.4:40 irregular:smooth_irregular:6:25 ellipsoid:smooth_ellipsoid:2.5:20
ls -l docs/figures/smooth_*
