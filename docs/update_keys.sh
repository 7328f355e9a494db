#!/usr/bin/env bash
# Writes what `grouser keys --markdown` prints into docs/user/scene.md, between its two marks.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."

command=${1:-build/release/apps/cli/grouser}
[[ -x $command ]] || { echo "Usage: docs/update_keys.sh [grouser]; there is no $command" >&2; exit 2; }

page=docs/user/scene.md
new=$(mktemp -t grouser-keys.XXXXXX)
trap 'rm -f -- "$new"' EXIT
{
  sed '/^<!-- keys: begin/q' "$page"
  echo
  "$command" keys --markdown | sed 's/^## /### /'
  sed -n '/^<!-- keys: end/,$p' "$page"
} >"$new"
cat "$new" >"$page"
