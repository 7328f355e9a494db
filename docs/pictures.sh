# Sourced by the scripts that make pictures: goes to the project's folder, takes the build from their
# first argument, and makes a folder for what they leave behind, which goes away at their end.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

build=${1:-build/release}
[[ -x $build/apps/cli/grouser && -d $build/viewer/node_modules ]] ||
  { echo "$(basename "$0" .sh): $build has no grouser command with report pages; build it first" >&2; exit 1; }
work=$(mktemp -d -t grouser-pictures.XXXXXX)
trap 'rm -rf -- "$work"' EXIT
