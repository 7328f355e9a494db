#!/usr/bin/env bash
# Do the pinned results notice? Multiplies the result of one law after the other by 1 + 1e-12, in a
# copy of the tree, and runs pinned_test: each time it must be red.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)

# Law | how its function begins, a basic regular expression: that is how it is found, wherever it is |
# what sed changes from there to the end of the function. @ is the factor; F: all that is returned.
laws='
Hertz stiffness            | ^double hertz_stiffness(                   | F
Hunt-Crossley force        | ^double hunt_crossley_force(               | s/elastic = /elastic = @ /
restitution, exact         | ^double hunt_crossley_damping(             | s/return -std::expm1/return @ -std::expm1/
restitution by a formula   | ^double damping_factor(                    | s/return 6[.]0/return @ 6.0/
friction, regularised      | ^inline double quadratic_friction_per_speed( | F
friction, tanh             | ^inline double tanh_friction_per_speed(    | F
friction, Bengisu-Akay     | ^inline double bengisu_akay_per_speed(     | F
friction, Brown-McPhee     | ^inline double brown_mcphee_per_speed(     | s/return f/return @ f/
friction, Dahl bristle     | ^inline Vec2 bristle_rate(                 | F
friction, spring-slider    | ^SliderAnswer<V> spring_slider(            | s/stuck = /stuck = @ /
penalty spring             | ^inline PenaltyParts penalty_parts(        | s/law[.]stiffness/@ law.stiffness/
penalty damper             | ^inline PenaltyParts penalty_parts(        | s/law[.]damping [*]/@ law.damping */
friction, stick-slip       | ^inline double stick_slip_per_speed(                       | s/return f/return @ f/
elastic layer              | ^inline double layer_stiffness(            | F
layers in series           | ^inline double series_stiffness(           | F
PCM damping                | ^inline Vec3 Pcm::damping_and_friction(    | s/double damping = /double damping = @ /
convex patch force         | ^  void press(const PlacedPair& pair       | s/double force = /double force = @ /
convex friction radius     | ^void spread_points(                       | s/friction_radius = /friction_radius = @ /
smooth contact force       | ^  PlaceForce force_at(const ContactInput  | s/out[.]force = /out.force = @ /
soil pressure, Bekker      | ^double pressure_modulus(                  | s/soil[.]k_phi);/@ soil.k_phi);/
soil shear, Janosi         | ^Vec2 janosi_vector(                       | F
wheel, Bekker              | ^WheelForce bekker_force(                  | s/out[.]normal = /out.normal = @ /
wheel, bulldozing          | ^double bulldozing_at(                     | F
wheel, side wall           | ^SideWall side_wall(                       | s/return {/return {@ /
wheel, wall and heap       | ^WallForce wall_force(                     | s/double wall = /double wall = @ /
wheel, Wong-Reece          | ^WheelForce sum_stresses(                  | s/double strength = /double strength = @ /
wheel, TerRA               | ^WheelForce forces(const TerraWheel        | s/double strength = /double strength = @ /
wheel, rheological         | ^Normal normal_of(const RheologicalWheel   | s/double spring = /double spring = @ /
SCM pressure               | ^void add_pressure(                        | s/+ k_phi)/+ @ k_phi)/
SCM pressure, Reece        | ^void add_pressure(                        | s/double cohesive = /double cohesive = @ /
SCM shear                  | ^void find_forces(                         | s/Double2 shear = /Double2 shear = @ /
SCM damping                | ^double damping_of(const ScmSettings       | F
'

usage() {
  cat <<'HELP'
Usage: scripts/mutate_laws.sh [--preset NAME] [LAW...]
  Changes one law at a time by a factor of 1 + 1e-12 in a temporary copy of this tree, builds
  pinned_test there and runs it. Prints a table: law, file, cases that turned red. Exit 1 if a
  change goes unnoticed.
  --preset NAME   build preset, release by default: that is what the hashes were written with
  LAW             words that are looked for in the names of laws; default: all of them
HELP
}

preset=release
wanted=()
while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --preset) preset=${2:?--preset needs a name}; shift 2 ;;
    -*) usage >&2; exit 2 ;;
    *) wanted+=("$1"); shift ;;
  esac
done

work=$(mktemp -d -t grouser-mutants.XXXXXX)
trap 'rm -rf -- "$work"' EXIT
copy=$work/tree
mkdir "$copy"
tar -C "$root" --exclude=./build --exclude=./.git --exclude=./results -cf - . | tar -C "$copy" -xf -
# Paths count from the copy, so that a compiler cache knows what was built elsewhere.
export CCACHE_BASEDIR=$copy CCACHE_NOHASHDIR=1

build() { cmake --build "$copy/build/$preset" --target pinned_test >"$work/build.log" 2>&1; }
# Number of cases that are red.
run() {
  local status=0
  "$copy/build/$preset/tests/pinned/pinned_test" --gtest_filter='*threads_1' >"$work/run.log" 2>&1 ||
    status=$?
  case $status in
    0) red=0 ;;
    1) red=$(grep -c '^\[  FAILED  \].*ms)$' "$work/run.log") ;;
    *) tail -n 20 "$work/run.log" >&2; echo "mutants: pinned_test ends with $status" >&2; exit 1 ;;
  esac
}
refuse() { echo "mutants: $1" >&2; exit 1; }

(cd "$copy" && cmake --preset "$preset" -DGROUSER_BUILD_APPS=OFF -DGROUSER_WITH_REPORT_PAGE=OFF) \
  >"$work/configure.log" 2>&1 || { tail -n 20 "$work/configure.log" >&2; refuse 'cannot configure'; }
build || { tail -n 20 "$work/build.log" >&2; refuse 'the tree itself does not build'; }
run
((red == 0)) || refuse "$red cases are red before anything was changed"

unnoticed=0 count=0
printf '%-27s %-42s %s\n' law file 'red cases'
while IFS='|' read -r law line change; do
  law=$(sed 's/ *$//' <<<"$law") line=$(sed 's/^ //; s/ *$//' <<<"$line") change=${change# }
  [[ -n $law ]] || continue
  if ((${#wanted[@]} > 0)); then
    hit=0
    for word in "${wanted[@]}"; do [[ $law == *"$word"* ]] && hit=1; done
    ((hit)) || continue
  fi

  [[ $change == F ]] && change='s/return \(.*\);/return @ (\1);/'
  change=${change//@/(1.0 + 1e-12) *}
  file=''
  for found in $(cd "$copy" && grep -rl --include='*.h' --include='*.cpp' -e "$line" grouser); do
    # Not where it is declared only; up to a brace as far left as the name.
    grep -A3 -e "$line" "$copy/$found" | grep -m1 '[;{]$' | grep -q '{$' || continue
    indent=$(grep -m1 -e "$line" "$copy/$found" | sed 's/[^ ].*//')
    sed "/$line/,/^$indent}/ $change" "$copy/$found" >"$work/changed"
    cmp -s "$copy/$found" "$work/changed" && continue
    [[ -z $file ]] || refuse "$law: found in $file and in $found"
    file=$found
    mv "$work/changed" "$work/mutant"
  done
  [[ -n $file ]] || refuse "$law: not found, or nothing to change in it"
  cp "$copy/$file" "$work/original"
  cp "$work/mutant" "$copy/$file"

  build || { tail -n 20 "$work/build.log" >&2; refuse "$law: the changed tree does not build"; }
  run
  printf '%-27s %-42s %s\n' "$law" "$file" "$( ((red > 0)) && echo "$red" || echo 'NOT NOTICED')"
  ((red > 0)) || unnoticed=$((unnoticed + 1))
  count=$((count + 1))
  cp "$work/original" "$copy/$file"
done <<<"$laws"

((count > 0)) || refuse 'no such law'
((unnoticed == 0)) || refuse "$unnoticed of $count changes went unnoticed"
echo "mutants: all $count changes were noticed"
