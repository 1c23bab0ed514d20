#!/usr/bin/env bash
# Checks what this machine has, and installs Debian's part of what is missing.
#
#   tools/setup.sh run     what building and serving need
#   tools/setup.sh test    what the tests need as well
set -euo pipefail

purpose=${1:-run}
missing=()
packages=()

# has_version NAME WANTED FOUND: notes NAME as missing unless FOUND is WANTED or newer.
has_version() {
  local name=$1 wanted=$2 found=$3
  if [ -z "$found" ]; then
    missing+=("$name $wanted or newer: not found")
  elif [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
    missing+=("$name $wanted or newer: this machine has $found")
  fi
}

rust_wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
has_version Rust "$rust_wanted" "$(rustc --version 2>/dev/null | cut -d ' ' -f 2)"
has_version Node.js 20.19 "$(node --version 2>/dev/null | tr -d v)"
has_version Python 3.9 "$(python3 --version 2>/dev/null | cut -d ' ' -f 2)"
command -v npm > /dev/null || missing+=('npm: not found; it comes with Node.js')
if [ "${#missing[@]}" -gt 0 ]; then
  printf 'This machine lacks something that has to be installed first:\n' >&2
  printf '  %s\n' "${missing[@]}" >&2
  printf 'Rust comes from https://rustup.rs, Node.js from https://nodejs.org.\n' >&2
  exit 1
fi

command -v cc > /dev/null || packages+=(gcc libc6-dev)
command -v nasm > /dev/null || packages+=(nasm)
python3 -c 'import ensurepip, venv' 2> /dev/null || packages+=(python3-venv)
if [ "$purpose" = test ]; then
  [ -x /usr/bin/chromium ] || packages+=(chromium)
  compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null || command -v initdb > /dev/null || packages+=(postgresql)
fi
[ "${#packages[@]}" -gt 0 ] || exit 0

install="apt-get install --yes --no-install-recommends ${packages[*]}"
if ! command -v apt-get > /dev/null; then
  printf 'Not found, and this is no Debian: install %s (Debian names) and run this again.\n' "${packages[*]}" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  as=()
elif command -v sudo > /dev/null && sudo --non-interactive true 2> /dev/null; then
  as=(sudo)
else
  printf 'Some Debian packages are missing. Run this, then try again:\n  sudo apt-get update && sudo %s\n' "$install" >&2
  exit 1
fi
printf 'Installing Debian packages: %s\n' "${packages[*]}"
"${as[@]}" apt-get update --quiet
# shellcheck disable=SC2086 -- the command is split into its words on purpose
"${as[@]}" env DEBIAN_FRONTEND=noninteractive $install
