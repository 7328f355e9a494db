# shellcheck shell=bash
# Sourced by the scripts of the repository: stages of one line each, with elapsed seconds.
# The output of a quiet stage goes to build/log and is shown when the stage fails.

# stage <name> <command...>: quiet.
stage() {
  local name=$1 start=$SECONDS log
  shift
  mkdir -p build/log
  log=build/log/${name//[^A-Za-z0-9]/_}.log
  printf '%-22s ' "$name"
  if "$@" >"$log" 2>&1; then
    printf 'ok      %4d s\n' $((SECONDS - start))
    return 0
  fi
  printf 'FAILED  %4d s\n' $((SECONDS - start))
  { tail -n 80 -- "$log"; echo "The whole output is in $log"; } >&2
  return 1
}

# stage_shown <name> <command...>: the command prints as it runs, the line with the time follows.
stage_shown() {
  local name=$1 start=$SECONDS status=0
  shift
  "$@" || status=$?
  printf '%-22s %-7s %4d s\n' "$name" "$( ((status == 0)) && echo ok || echo FAILED)" \
    $((SECONDS - start))
  return $status
}

# configure <preset>: each time, since it is quick and follows changed presets and packages.
configure() { stage "configure $1" cmake --preset "$1"; }

# Paths count from here, so that a compiler cache knows in one build folder what was built in another.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD}

# As many compilers and tests at a time as there are processors, unless the caller says otherwise.
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc 2>/dev/null || echo 2)}
export CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$CMAKE_BUILD_PARALLEL_LEVEL}
