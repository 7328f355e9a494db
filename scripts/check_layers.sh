#!/usr/bin/env bash
# Checks the #include lines of the tree against the two tables below: which room may know which,
# and at which door a third-party library may come in. Prints file:line and the rule broken.
set -euo pipefail

# Room: rooms it may know besides itself.
rooms='
grouser/base     :
grouser/math     : base
grouser/geometry : base math
grouser/laws     : base math
grouser/assets   : base math geometry
grouser/contact  : base math geometry laws assets
grouser/calibration : base math geometry laws assets contact
grouser/sim      : base math geometry laws contact assets
grouser/report   : base math geometry laws contact assets sim
hosts/fmi        : base math geometry laws contact assets sim
hosts            : base math geometry laws contact assets
apps             : base math geometry laws contact assets calibration sim report
examples         : base math geometry laws contact assets calibration sim report
'

# Library | header as included (regular expression) | files that may include it (same).
# Tests and benchmarks may include any library.
doors='
assimp   | ^assimp/                                    | ^grouser/geometry/mesh_gltf\.cpp$
GDAL     | ^(gdal|ogr|cpl_)                            | ^grouser/geometry/elevation_gdal\.cpp$
libccd   | ^ccd/                                       | ^grouser/geometry/[a-z0-9_]+\.cpp$
qhull    | ^libqhull                                   | ^grouser/geometry/[a-z0-9_]+\.cpp$
Ceres    | ^ceres/                                     | ^grouser/calibration/least_squares\.cpp$
glog     | ^glog/                                      | ^grouser/calibration/least_squares\.cpp$
toml++   | ^toml(\+\+/|\.hpp$)                         | ^grouser/sim/toml_reader\.cpp$
MuJoCo   | ^(mujoco/|mujoco\.h$)                       | ^(grouser/sim/mujoco_([a-z0-9_]+\.cpp|handles\.h)$|hosts/mujoco)
urdfdom  | ^urdf                                       | ^grouser/sim/urdf_[a-z0-9_]*\.cpp$
SUNDIALS | ^(sun[a-z]*|cvodes?|arkode|idas?|kinsol|nvector)/ | ^grouser/sim/sundials_[a-z0-9_]*\.cpp$
HDF5     | ^(hdf5(_hl)?\.h|H5[A-Za-z]*\.h|highfive/)    | ^grouser/sim/recording_[a-z0-9_]*\.(h|cpp)$
zlib     | ^zlib\.h$                                  | ^grouser/report/page_data\.cpp$
httplib  | ^httplib\.h$                               | ^grouser/report/live_server\.cpp$
nlohmann | ^nlohmann/                                  | ^grouser/report/[a-z0-9_]+\.(h|cpp)$
TBB      | ^(oneapi/)?tbb/                             | ^grouser/base/
fmt      | ^fmt/                                       | ^grouser/base/
CLI11    | ^CLI(11\.hpp$|/)                            | ^apps/cli/
spdlog   | ^spdlog/                                    | ^apps/cli/
'

usage() {
  cat <<'HELP'
Usage: scripts/check_layers.sh [DIRECTORY | --self-test]
  Checks the #include lines below DIRECTORY (default: this repository) against the rooms and doors
  tabled at the top of the script. Exit 1 if a rule is broken.
  --self-test   makes a tree with violations and checks that exactly those are found
HELP
}

# Prints one line per broken rule of the tree in the current directory.
broken_rules() {
  local -a parts=()
  local part
  for part in grouser hosts apps examples tests benchmarks; do
    [[ -d $part ]] && parts+=("$part")
  done
  ((${#parts[@]} > 0)) || return 0
  find "${parts[@]}" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.cpp' -o -name '*.c' \
    -o -name '*.h.in' -o -name '*.cpp.in' \) -print0 | LC_ALL=C sort -z |
    ROOMS=$rooms DOORS=$doors LC_ALL=C xargs -0 -r awk '
    function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
    function readable(r) { gsub(/\[a-z0-9_\][*+]/, "*", r); gsub(/[\\^$()]/, "", r); return r }
    function broken(rule) { printf "%s:%d: %s: %s\n", FILENAME, FNR, header, rule }

    BEGIN {
      n_rooms = 0
      n = split(ENVIRON["ROOMS"], row, "\n")
      for (i = 1; i <= n; ++i) {
        if (row[i] !~ /:/) continue
        room[++n_rooms] = trim(substr(row[i], 1, index(row[i], ":") - 1))
        knows[room[n_rooms]] = " " trim(substr(row[i], index(row[i], ":") + 1)) " "
      }
      n_doors = 0
      n = split(ENVIRON["DOORS"], row, "\n")
      for (i = 1; i <= n; ++i) {
        # The regular expressions hold "|" without spaces around it.
        if (split(row[i], field, / +\| +/) != 3) continue
        library[++n_doors] = trim(field[1]); pattern[n_doors] = trim(field[2])
        door[n_doors] = trim(field[3])
      }
    }

    # The room of the file: the first row that its path begins with.
    FNR == 1 {
      here = ""
      for (i = 1; i <= n_rooms && here == ""; ++i)
        if (index(FILENAME, room[i] "/") == 1) here = room[i]
      free = FILENAME ~ /^(tests|benchmarks)\//
      directory = FILENAME; sub(/[^\/]*$/, "", directory)
    }

    /^[ \t]*#[ \t]*include[ \t]*[<"]/ {
      header = $0
      sub(/^[ \t]*#[ \t]*include[ \t]*/, "", header)
      quoted = header ~ /^"/
      header = substr(header, 2); sub(/[>"].*$/, "", header)
      if (free) next
      if (here == "") { broken("this file lies in no room of the table"); next }

      # Third-party libraries.
      for (i = 1; i <= n_doors; ++i)
        if (header ~ pattern[i]) {
          if (FILENAME !~ door[i]) broken(library[i] " may come in only at " readable(door[i]))
          next
        }

      # Rooms of grouser.
      if (header ~ /(^|\/)\.\.\//) { broken("write the path from the root, without .."); next }
      if (header ~ /^grouser\//) {
        split(header, path, "/")
        if ("grouser/" path[2] != here && index(knows[here], " " path[2] " ") == 0)
          broken(here " may know" (knows[here] ~ /[a-z]/ ? ":" knows[here] : " no other room"))
        next
      }
      if (header ~ /^(apps|hosts|tests|benchmarks|examples)\//) {
        split(here, mine, "/")
        if (header !~ "^" mine[1] "/") broken(here " may know only the rooms below grouser/")
        else if (here == "examples") broken("examples include installed headers of grouser only")
        next
      }
      if (quoted && here ~ /^grouser\//) broken("write the path from the root: grouser/<room>/...")
    }'
}

check() {
  local report
  report=$(cd -- "$1" && broken_rules)
  if [[ -n $report ]]; then
    printf '%s\n' "$report"
    echo "layers: $(wc -l <<<"$report") broken" >&2
    return 1
  fi
  echo 'layers: ok'
}

self_test() {
  local expected found
  tree=$(mktemp -d -t grouser-layers.XXXXXX)  # not local: the trap below outlives the function
  trap 'rm -rf -- "$tree"' EXIT
  # put <file> <line...>: a line that ends in "!" breaks a rule.
  expected=''
  put() {
    local file=$1 line=0 text
    shift
    mkdir -p "$tree/$(dirname "$file")"
    for text in "$@"; do
      line=$((line + 1))
      printf '%s\n' "${text%!}" >>"$tree/$file"
      if [[ $text == *! ]]; then expected+="$file:$line"$'\n'; fi
    done
  }
  put grouser/base/error.h '#include <string>' '#include "grouser/base/text.h"' \
    '#include "grouser/math/types.h"!'
  put grouser/math/types.h '#include <Eigen/Core>' '#include "grouser/base/error.h"' \
    '  #  include <grouser/geometry/triangle_mesh.h>!' '// #include "grouser/sim/scene.h"'
  put grouser/geometry/triangle_mesh.h '#include "grouser/math/types.h"' \
    '#include "grouser/laws/friction.h"!' '#include <assimp/scene.h>!' \
    '#include "../laws/friction.h"!' '#include "triangle_tree.h"!'
  put grouser/geometry/mesh_gltf.cpp '#include <assimp/scene.h>' '#include <toml++/toml.h>!'
  put grouser/laws/friction.cpp '#include "grouser/base/error.h"' \
    '#include "grouser/geometry/triangle_mesh.h"!' '#include "grouser/contact/world.h"!'
  put grouser/contact/world.cpp '#include "grouser/geometry/triangle_mesh.h"' \
    '#include "grouser/laws/friction.h"' '#include "grouser/assets/wheel.h"' \
    '#include "grouser/sim/scene.h"!' '#include "apps/cli/run.h"!'
  put grouser/assets/wheel.cpp '#include "grouser/geometry/triangle_mesh.h"' \
    '#include "grouser/laws/friction.h"!' '#include "grouser/contact/world.h"!'
  put grouser/sim/scene.cpp '#include "grouser/contact/world.h"' '#include "grouser/assets/wheel.h"' \
    '#include <toml++/toml.h>!' '#include <toml++/toml.hpp>!' '#include <mujoco/mujoco.h>!' \
    '#include <urdf_parser/urdf_parser.h>!' '#include <cvode/cvode.h>!' \
    '#include <arkode/arkode_arkstep.h>!' '#include <nvector/nvector_serial.h>!' \
    '#include <sunmatrix/sunmatrix_dense.h>!' '#include <sunlinsol/sunlinsol_dense.h>!' \
    '#include <sundials/sundials_types.h>!' '#include <hdf5.h>!' '#include <H5Cpp.h>!' \
    '#include <CLI/CLI.hpp>!' '#include "grouser/viewer/page.h"!'
  put grouser/sim/toml_reader.cpp '#include <toml++/toml.h>' '#include <hdf5.h>!'
  put grouser/sim/mujoco_tree.cpp '#include <mujoco/mujoco.h>'
  put grouser/sim/mujoco_tree.h '#include <mujoco/mujoco.h>!'
  put grouser/sim/urdf_reader.cpp '#include <urdf_model/model.h>'
  put grouser/sim/sundials_cvode.cpp '#include <cvode/cvode.h>' '#include <sunmatrix/sunmatrix_dense.h>'
  put grouser/sim/recording_writer.cpp '#include <hdf5.h>' '#include <hdf5_hl.h>'
  put grouser/report/page_data.cpp '#include <zlib.h>' '#include <nlohmann/json.hpp>' \
    '#include "grouser/sim/recording.h"' '#include <hdf5.h>!'
  put grouser/report/report.cpp '#include <zlib.h>!'
  put grouser/viewer/page.cpp '#include <string>!'
  put apps/cli/main.cpp '#include <CLI/CLI.hpp>' '#include "apps/cli/run.h"' '#include "run.h"' \
    '#include "grouser/sim/scene.h"' '#include <mujoco/mujoco.h>!'
  put hosts/c/grouser.cpp '#include "grouser/contact/world.h"' '#include "grouser/sim/scene.h"!'
  put hosts/fmi/fmu.cpp '#include "grouser/sim/scene.h"'
  put examples/consumer/main.cpp '#include <grouser/contact/world.h>' '#include "grouser/sim/scene.h"' \
    '#include "../../grouser/base/error.h"!' '#include "tests/base/helper.h"!' '#include <hdf5.h>!'
  put tests/sim/recording_test.cpp '#include <hdf5.h>' '#include "grouser/sim/scene.h"'

  expected=$(LC_ALL=C sort <<<"${expected%$'\n'}")
  found=$(cd -- "$tree" && broken_rules | cut -d: -f1,2 | LC_ALL=C sort)
  if [[ $expected != "$found" ]]; then
    echo 'layers: self-test failed ("<" expected, ">" found)' >&2
    diff <(echo "$expected") <(echo "$found") >&2 || true
    return 1
  fi
  echo "layers: self-test ok ($(wc -l <<<"$expected") violations found)"
}

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
case ${1:-} in
  -h | --help) usage ;;
  --self-test) self_test ;;
  -*) usage >&2; exit 2 ;;
  *) check "${1:-$root}" ;;
esac
