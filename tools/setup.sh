#!/usr/bin/env bash
# Checks the versions of the required tools and installs missing Debian packages.
#
#   tools/setup.sh run     for building and serving
#   tools/setup.sh test    for the tests as well
set -euo pipefail

purpose=${1:-run}
missing=()
packages=()
# Installed with the others where the system has them.
optional=()

# require_version NAME MINIMUM FOUND: adds NAME to `missing` unless FOUND is MINIMUM or newer.
require_version() {
  local name=$1 minimum=$2 found=$3
  if [ -z "$found" ]; then
    missing+=("$name $minimum or newer: not found")
  elif [ "$(printf '%s\n%s\n' "$minimum" "$found" | sort -V | head -n 1)" != "$minimum" ]; then
    missing+=("$name $minimum or newer: this machine has $found")
  fi
}

rust_minimum=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
require_version Rust "$rust_minimum" "$(rustc --version 2>/dev/null | cut -d ' ' -f 2)"
require_version Node.js 20.19 "$(node --version 2>/dev/null | tr -d v)"
require_version Python 3.9 "$(python3 --version 2>/dev/null | cut -d ' ' -f 2)"
command -v npm > /dev/null || missing+=('npm: not found; it comes with Node.js')
if [ "${#missing[@]}" -gt 0 ]; then
  printf 'Some required tools have to be installed first:\n' >&2
  printf '  %s\n' "${missing[@]}" >&2
  printf 'Rust comes from https://rustup.rs, Node.js from https://nodejs.org.\n' >&2
  exit 1
fi

command -v cc > /dev/null || packages+=(gcc libc6-dev)
command -v nasm > /dev/null || packages+=(nasm)
python3 -c 'import ensurepip, venv' 2> /dev/null || packages+=(python3-venv)
if [ "$purpose" = test ]; then
  # Without its window Chromium takes less of a processor.
  [ -x /usr/bin/chromium ] || { packages+=(chromium); optional+=(chromium-headless-shell); }
  # The journey of guests runs in all three engines. Where a system has no ESR, its own Firefox will do.
  [ -x /usr/bin/firefox-esr ] || [ -x /usr/bin/firefox ] || packages+=(firefox-esr)
  [ -x /usr/bin/WebKitWebDriver ] || packages+=(webkit2gtk-driver)
  [ -x /usr/bin/Xvfb ] || packages+=(xvfb)
  # Whether a translation fits depends on the letters of its script.
  [ -e /usr/share/fonts/truetype/noto/NotoSansTamil-Regular.ttf ] || packages+=(fonts-noto-core)
  compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null || command -v initdb > /dev/null || packages+=(postgresql)
fi
[ "${#packages[@]}" -gt 0 ] || exit 0

install="apt-get install --yes --no-install-recommends ${packages[*]}"
if ! command -v apt-get > /dev/null; then
  printf 'This system has no apt-get: install %s (names of the Debian packages) and run this again.\n' "${packages[*]}" >&2
  exit 1
elif [ "$(id -u)" = 0 ]; then
  privilege=()
elif command -v sudo > /dev/null && sudo --non-interactive true 2> /dev/null; then
  privilege=(sudo)
else
  printf 'Some Debian packages are missing. Install them, then try again:\n  sudo apt-get update && sudo %s\n' "$install" >&2
  exit 1
fi
printf 'Installing Debian packages: %s\n' "${packages[*]}"
"${privilege[@]}" apt-get update --quiet
for package in "${optional[@]}"; do
  if apt-cache show "$package" > /dev/null 2>&1; then install+=" $package"; fi
done
# shellcheck disable=SC2086 -- word splitting is intended
"${privilege[@]}" env DEBIAN_FRONTEND=noninteractive $install
