#!/usr/bin/env bash
# Unpacks the Debian packages of programs that tests run, where the system lacks these, into .cache/debian: installing the
# packages would start servers on port 80. apt compares what it downloads with the signed lists. Tests that find no program
# say so and are skipped.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=.cache/debian
PATH=$PATH:/usr/sbin

missing=()
for pair in caddy=caddy nginx=nginx promtool=prometheus; do
  program=${pair%=*} package=${pair#*=}
  if ! command -v "$program" > /dev/null && ! compgen -G "$folder/usr/*bin/$program" > /dev/null; then
    missing+=("$package")
  fi
done
[ "${#missing[@]}" -gt 0 ] || exit 0

if ! command -v apt-get > /dev/null; then
  printf 'Tests of proxies and alerts are skipped: this system has no apt-get to fetch %s with.\n' "${missing[*]}"
  exit 0
fi
mkdir -p "$folder/archives"
download() {
  (cd "$folder/archives" && apt-get download --quiet "${missing[@]}" > /dev/null 2>&1)
}
if ! download; then
  if [ "$(id -u)" = 0 ]; then
    apt-get update --quiet > /dev/null 2>&1 || true
  fi
  download || true
fi
for archive in "$folder"/archives/*.deb; do
  [ -e "$archive" ] && dpkg-deb --extract "$archive" "$folder"
done
rm -rf "$folder/archives"
for package in "${missing[@]}"; do
  [ -e "$folder/usr/share/doc/$package" ] || printf 'Tests that need %s are skipped: it could not be fetched.\n' "$package"
done
