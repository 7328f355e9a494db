#!/usr/bin/env bash
# Installs grouser to a temporary prefix and builds, against nothing but that prefix, a program that
# uses find_package(grouser): with static libraries and with shared ones. That program must load few
# libraries and need little memory, and every header that grouser/grouser.h promises must compile
# alone.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/stage.sh
root=$PWD

most_libraries=10   # as ldd counts them
most_memory=15000   # kB

usage() { echo 'Usage: scripts/check_consumer.sh [--static | --shared]   default: both'; }
kinds=(static shared)
case ${1:-} in
  '') ;;
  --static | --shared) kinds=("${1#--}") ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

work=$(mktemp -d -t grouser-consumer.XXXXXX)
trap 'rm -rf -- "$work"' EXIT

# install_grouser <kind>: builds and installs grouser to $work/<kind>. Shared libraries have a build folder of
# their own, in which a compiler cache finds all that was compiled for the static ones.
install_grouser() {
  local kind=$1 folder=build/release options=()
  if [[ $kind == shared ]]; then
    folder=build/shared
    options=(-B "$folder" -DGROUSER_SHARED=ON -DGROUSER_BUILD_TESTS=OFF -DGROUSER_BUILD_APPS=OFF
      -DGROUSER_WITH_REPORT_PAGE=OFF)
  fi
  stage "$kind configure" cmake --preset release "${options[@]}"
  stage "$kind build" cmake --build "$folder" --target grouser_installed
  stage "$kind install" cmake --install "$folder" --prefix "$work/$kind"

  # What is installed must not remember where it was built.
  if grep -rlF -e "$root" "$work/$kind"; then
    echo 'consumer: the installed files above name the source directory' >&2
    return 1
  fi
}

# build_consumer <kind>: a copy outside the tree, so that no header of the tree is found by accident.
build_consumer() {
  cp -R examples/consumer "$work/source-$1"
  stage "$1 consumer" build_against "$work/source-$1" "$work/build-$1" "$work/$1"
}

# build_against <source> <build> <prefix>
build_against() {
  cmake -S "$1" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$3"
  cmake --build "$2"
}

# check_weight <program>: how many libraries it loads, how much memory it needs.
check_weight() {
  local output libraries memory
  output=$("$1")
  libraries=$(ldd "$1" | wc -l)
  memory=${output##*, }
  memory=${memory%% *}
  echo "  $output: $libraries shared libraries (at most $most_libraries)," \
    "$memory kB of memory (below $most_memory)"
  ((libraries <= most_libraries && memory > 0 && memory < most_memory))
}

# check_headers <prefix>: each of the promised ones alone, and all of them together.
check_headers() {
  local names name list
  names=$(cd "$1/include" && sed -n 's/^#include "\(grouser\/.*\)"$/\1/p' grouser/grouser.h)
  mkdir "$work/headers"
  for name in grouser/grouser.h $names; do
    [[ -e $1/include/$name ]] || continue  # of a library that was not built
    list+=" ${name//\//_}.cpp"
    echo "#include <$name>" >"$work/headers/${name//\//_}.cpp"
  done
  cat >"$work/headers/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.22)
project(headers LANGUAGES CXX)
find_package(grouser 0.1 REQUIRED COMPONENTS core)
add_library(headers OBJECT$list)
target_link_libraries(headers PRIVATE grouser::core)
target_compile_options(headers PRIVATE -Wall -Wextra -Werror)
END
  stage 'headers alone' build_against "$work/headers" "$work/build-headers" "$1"
  echo "  $(wc -w <<<"$names") headers are promised," \
    "$(find "$1/include/grouser" -name '*.h' | wc -l) are installed"
}

for kind in "${kinds[@]}"; do
  install_grouser "$kind"
  build_consumer "$kind"
  check_weight "$work/build-$kind/consumer"
  if [[ -x $work/$kind/bin/grouser ]]; then
    stage "$kind command" "$work/$kind/bin/grouser" --help
    if [[ -e $work/$kind/lib/grouser/grouser_gdal.so ]]; then
      stage "$kind plugin" "$work/$kind/bin/grouser" make surface --preset lunar-mare \
        --set 'size=[2,2]' --set spacing=0.1 -o "$work/map.tif"
    fi
  fi
done
check_headers "$work/${kinds[0]}"
echo 'consumer: ok'
