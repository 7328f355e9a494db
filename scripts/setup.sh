#!/usr/bin/env bash
# Installs the packages of scripts/packages.txt that are missing. Instant when none is.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
lists=("$here/packages.txt")

usage() {
  cat <<'HELP'
Usage: scripts/setup.sh [--benchmarks] [--checks] [--check | --list]
  Installs the packages of scripts/packages.txt that are missing (Debian 12 or later, Ubuntu).
  --benchmarks   also those of scripts/packages-benchmarks.txt: peers, instruction counts
  --checks       also those of scripts/packages-checks.txt: another compiler, clang-tidy
  --check        name the missing packages, install nothing; exit 1 if any is missing
  --list         print the package names
GROUSER_SKIP_SETUP=1 does nothing, for systems where the libraries come from elsewhere.
HELP
}

wanted_lines() { sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' "${lists[@]}"; }
wanted_packages() { wanted_lines | sed 's/?*\(=.*\)*$//'; }
optional_packages() { wanted_lines | sed -n 's/?.*//p'; }

# Wanted packages, without those whose command is there.
needed_packages() {
  local line
  while read -r line; do
    [[ $line == *=* ]] && command -v "${line#*=}" >/dev/null && continue
    line=${line%%=*}
    echo "${line%\?}"
  done < <(wanted_lines)
}

# Needed packages that dpkg does not hold as installed.
missing_packages() {
  local -a wanted
  mapfile -t wanted < <(needed_packages)
  { dpkg-query -W -f='${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null || true; } |
    awk -v wanted="${wanted[*]}" '
      $2 == "installed" { have[$1] = 1 }
      END { n = split(wanted, name, " "); for (i = 1; i <= n; ++i) if (!(name[i] in have)) print name[i] }'
}

# Prints the words of the first list that are not in the second.
without() { comm -23 <(tr ' ' '\n' <<<"$1" | sort) <(tr ' ' '\n' <<<"$2" | sort) | sed '/^$/d'; }

fail() { printf 'setup: %s\n' "$@" >&2; exit 1; }

mode=install
for argument in "$@"; do
  case $argument in
    -h | --help) usage; exit 0 ;;
    --benchmarks) lists+=("$here/packages-benchmarks.txt") ;;
    --checks) lists+=("$here/packages-checks.txt") ;;
    --list) mode=list ;;
    --check) mode=check ;;
    *) usage >&2; exit 2 ;;
  esac
done

if [[ $mode == list ]]; then
  wanted_packages
  exit 0
fi

if [[ ${GROUSER_SKIP_SETUP:-0} == 1 ]]; then
  echo 'packages: not checked (GROUSER_SKIP_SETUP=1)'
  exit 0
fi

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  fail 'this is not a Debian or Ubuntu system (no apt-get). Install what these packages hold:' \
       "  $(wanted_packages | tr '\n' ' ')" \
       'and run again with GROUSER_SKIP_SETUP=1.'
fi

mapfile -t missing < <(missing_packages)
if ((${#missing[@]} == 0)); then
  echo 'packages: all present'
  exit 0
fi
echo "packages: missing: ${missing[*]}"
[[ $mode == check ]] && exit 1

# Root installs directly, others through sudo.
as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    fail 'neither root nor sudo is available. Ask an administrator to run:' \
         "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  as_root=(sudo)
fi

apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
  -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
log=$(mktemp -t grouser-setup.XXXXXX)
trap 'rm -f -- "$log"' EXIT

# Missing packages that no apt source offers.
unavailable_packages() {
  apt-cache policy "${missing[@]}" 2>/dev/null | awk -v wanted="${missing[*]}" '
    /^[^ ].*:$/ { name = substr($0, 1, length($0) - 1) }
    $1 == "Candidate:" && $2 != "(none)" { have[name] = 1 }
    END { n = split(wanted, w, " "); for (i = 1; i <= n; ++i) if (!(w[i] in have)) print w[i] }'
}

start=$SECONDS
echo 'packages: apt-get update'
# A source that is out of order need not be one of ours: what apt-get install needs is checked next.
"${apt[@]}" update >"$log" 2>&1 || true
mapfile -t unavailable < <(unavailable_packages)
mapfile -t absent < <(comm -12 <(printf '%s\n' "${unavailable[@]}" | sort) <(optional_packages | sort))
if ((${#absent[@]} > 0)); then
  echo "packages: left out, no apt source offers: ${absent[*]}"
  mapfile -t unavailable < <(without "${unavailable[*]}" "${absent[*]}")
  mapfile -t missing < <(without "${missing[*]}" "${absent[*]}")
fi
if ((${#unavailable[@]} > 0)); then
  grep -E '^(E|W|Err):' "$log" | tail -n 20 >&2 || true
  fail "no apt source of this system offers: ${unavailable[*]}" \
       'Check the network and the apt sources. Debian 12 has all packages in its section main,' \
       'Ubuntu 24.04 in main and universe.'
fi
echo 'packages: apt-get install (the first time takes some minutes)'
if ! "${apt[@]}" install --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
  tail -n 40 -- "$log" >&2
  fail 'apt-get install failed; its last lines are above. Check the network, the free disk space and' \
       'the apt sources, then run again.'
fi
mapfile -t missing < <(without "$(missing_packages | tr '\n' ' ')" "${absent[*]}")
((${#missing[@]} == 0)) || fail "still missing after apt-get install: ${missing[*]}"
echo "packages: installed in $((SECONDS - start)) s"
