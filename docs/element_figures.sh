#!/usr/bin/env bash
# Makes the pictures of machines in docs/models/elements.md anew: runs the scenes, opens their pages
# in Chromium, plots what the paper plots. Needs a build with report pages.
source "$(dirname -- "${BASH_SOURCE[0]}")/pictures.sh"
pages=$work
for scene in swinging_disc differential cam_translating cam_rocking funnel; do
  "$build/apps/cli/grouser" run "scenes/elements/$scene.toml" --out "$pages" --quiet --report
done
plot() {
  "$build/apps/cli/grouser" plot "$pages/$1.h5" "${@:3}" -o "docs/figures/elements_$2.svg"
}
plot swinging_disc disc bodies/ball/position.z bodies/ball/position.x bodies/disc/angular_velocity.y
plot differential differential 'joints/*/velocity'
plot cam_translating cam joints/follower/position contacts/cam/normal_force
plot cam_rocking rocker joints/arm/position contacts/cam/normal_force
plot funnel funnel 'bodies/*/position.z' system/kinetic_energy
node docs/scene_figures.mjs "$build/viewer" "$pages" docs/figures \
  swinging_disc:elements_disc:1.2 differential:elements_differential:15 cam_translating:elements_cam:0.63 \
  cam_rocking:elements_rocker:0.63 funnel:elements_funnel:0.15:55
ls -l docs/figures/elements_*
