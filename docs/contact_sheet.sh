#!/usr/bin/env bash
# Makes docs/figures/assets.jpg anew: ten assets from the generator, drawn in Chromium on one sheet.
# Takes some minutes without a graphics card. Needs a build with report pages.
#
# docs/contact_sheet.sh [BUILD [PICTURE]]
source "$(dirname -- "${BASH_SOURCE[0]}")/pictures.sh"
picture=${2:-docs/figures/assets.jpg}
meshes=$work
export GROUSER_CACHE=$meshes/cache

# make NAME KIND [--preset NAME] [KEY=VALUE ...]
make() {
  local name=$1 kind=$2 arguments=()
  shift 2
  while (($# > 0)); do
    case $1 in
      --preset) arguments+=("$1" "$2"); shift ;;
      *) arguments+=(--set "$1") ;;
    esac
    shift
  done
  "$build/apps/cli/grouser" make "$kind" "${arguments[@]}" -o "$meshes/$name.glb" --quiet
}

make wheel_slim wheel radius=0.15 width=0.06 body=spokes spoke_count=8 spoke_width=0.012 hub_radius=0.035 \
  grouser_count=24 grouser_height=0.012 grouser_thickness=0.003 grouser_shape=slanted grouser_angle=0.6 longest_edge=0.006
make wheel_wide wheel --preset msl grouser_height=0.012 longest_edge=0.012
make wheel_convex wheel --preset mer crown=0.04 grouser_count=24 grouser_height=0.008 longest_edge=0.004

make surface_noise surface size=[10,10] spacing=0.027 depth=0.6 seed=3 'layers=[{noise={slope=0.22}}]'
make surface_craters surface size=[20,20] spacing=0.053 depth=1.2 seed=5 \
  'layers=[{noise={slope=0.06}},{craters={density=0.16,exponent=1.6,min_diameter=0.8,max_diameter=8}}]'
make surface_stairs surface size=[4,4] spacing=0.0106 depth=0.25 seed=2 \
  'layers=[{stairs={height=0.16,count=5,tread=0.4,start=-0.9}},{noise={slope=0.03,longest=1}}]'

make rock_1 rock --preset rounded size=[0.4,0.32,0.24] triangles=81920 seed=4
make rock_2 rock size=[0.4,0.32,0.26] triangles=81920 seed=7
make rock_3 rock --preset rugged size=[0.4,0.32,0.26] triangles=81920 seed=3

ground=(size=[12,6] spacing=0.03 depth=0.4 seed=11 'layers=[{noise={slope=0.12}}]')
make field_ground surface "${ground[@]}"
make field_rocks rocks area=[11.4,5.4] 'sizes={law="pathfinder",min_diameter=0.08,max_diameter=1}' triangles=720 seed=2 \
  "ground={$(IFS=,; echo "${ground[*]}")}"

node docs/contact_sheet.mjs "$build/viewer" "$meshes" "$picture"
ls -l "$picture"
