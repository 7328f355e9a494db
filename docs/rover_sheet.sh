#!/usr/bin/env bash
# Makes docs/figures/rover_models.jpg anew: the rover models on one sheet, as a page shows them.
# Needs a build with report pages.
#
# docs/rover_sheet.sh [BUILD [PICTURE]]
source "$(dirname -- "${BASH_SOURCE[0]}")/pictures.sh"
picture=${2:-docs/figures/rover_models.jpg}
pages=$work

# page NAME MECHANISM PRESET ROW...: the rover floats where its wheels touch the ground.
page() {
  local name=$1 mechanism=$2 preset=$3 row side
  shift 3
  {
    printf '[simulation]\nduration = 0.01\ngravity = [0, 0, 0]\n'
    printf '[mechanism]\nfile = "%s/scenes/%s"\n' "$PWD" "$mechanism"
    printf '[[shape]]\nname = "ground"\nhalf_space = true\n'
    for row in "$@"; do
      for side in left right; do
        printf '[[shape]]\nname = "%s"\nbody = "%s"\nmesh.wheel.preset = "%s"\n' \
          "wheel_${row}_$side" "wheel_${row}_$side" "$preset"
      done
    done
  } >"$pages/$name.toml"
  "$build/apps/cli/grouser" run "$pages/$name.toml" --out "$pages" --quiet --report 2>/dev/null
}

page rocker_bogie mechanisms/rocker_bogie.xml mer front middle rear
page exomars rovers/exomars.xml exomars front middle rear
page viper rovers/viper.xml viper front rear
page mmx rovers/mmx.xml mmx front rear
node docs/rover_sheet.mjs "$build/viewer" "$pages" "$picture"
ls -l "$picture"
