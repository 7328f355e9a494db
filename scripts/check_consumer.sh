#!/usr/bin/env bash
# Installs the release build to a temporary prefix and builds, against nothing but that prefix,
# a program that uses find_package(grouser).
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
source scripts/stage.sh
root=$PWD

preset=release
case ${1:-} in
  '') ;;
  *) echo 'Usage: scripts/check_consumer.sh' >&2; exit 2 ;;
esac

work=$(mktemp -d -t grouser-consumer.XXXXXX)
trap 'rm -rf -- "$work"' EXIT

configure "$preset"
stage "build $preset" cmake --build --preset "$preset"
stage 'install' cmake --install "build/$preset" --prefix "$work/prefix"

# What is installed must not remember where it was built.
if grep -rIlF -e "$root" "$work/prefix" --include='*.cmake' --include='*.h'; then
  echo 'consumer: the installed files above name the source directory' >&2
  exit 1
fi

# A copy outside the tree, so that no header of the tree is found by accident.
cp -R examples/consumer "$work/source"
stage 'consumer configure' cmake -S "$work/source" -B "$work/build" -G Ninja \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$work/prefix"
stage 'consumer build' cmake --build "$work/build"
stage 'consumer run' "$work/build/consumer"
if [[ -x $work/prefix/bin/grouser ]]; then
  stage 'installed command' "$work/prefix/bin/grouser" --help
fi
echo 'consumer: ok'
