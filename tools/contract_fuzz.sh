#!/usr/bin/env bash
# Starts a server, sends it generated requests, valid and invalid by openapi.json, and fails on a response that the
# contract does not allow: a 5xx, an undocumented status, content type or body schema.
#
#   tools/contract_fuzz.sh [EXAMPLES] [SEED]
#
# Needs target/debug/afterglow (`make build`) and Python. Installs schemathesis into a temporary folder unless SCHEMATHESIS
# names its executable. EXAMPLES is the number of cases per operation and phase, 50 by default.
set -euo pipefail
cd "$(dirname "$0")/.."

examples=${1:-50}
seed=${2:-1}
version=4.32.5
contract=$PWD/openapi.json
folder=$(mktemp -d)
server=
cleanup() {
  [ -z "$server" ] || kill "$server" 2> /dev/null || true
  wait
  rm -rf "$folder"
}
trap cleanup EXIT

schemathesis=${SCHEMATHESIS:-$folder/venv/bin/schemathesis}
if [ -z "${SCHEMATHESIS:-}" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "schemathesis==$version"
fi

export AFTERGLOW_LISTEN=127.0.0.1:0 AFTERGLOW_DATA_DIR=$folder/data AFTERGLOW_RATE_LIMITS=off AFTERGLOW_LOG_FORMAT=json
target/debug/afterglow serve 2> "$folder/log" &
server=$!
url=
for _ in $(seq 300); do
  url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$folder/log" | head -n 1)
  [ -z "$url" ] || break
  kill -0 "$server" || { cat "$folder/log"; exit 1; }
  sleep 0.2
done

# post PATH JSON: prints the response body.
post() {
  curl --silent --show-error --fail-with-body --header 'Content-Type: application/json' --data "$2" "$url$1"
}
account='{"name":"Fuzz","email":"fuzz@example.com","password":"only for fuzzing"}'
post /api/auth/register "$account" > /dev/null
target/debug/afterglow user verify fuzz@example.com 2> /dev/null
target/debug/afterglow credits grant fuzz@example.com 10000 2> /dev/null
token=$(post /api/auth/login "$account" | sed 's/.*"token":"\([^"]*\)".*/\1/')

# run NAME OPTION...: one pass over all operations.
failed=0
run() {
  local name=$1
  shift
  printf '\n== %s\n' "$name"
  # Schemathesis writes its cache to the working directory.
  (cd "$folder" && "$schemathesis" --no-color run "$contract" --url "$url" \
    --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
    --max-examples "$examples" --seed "$seed" --phases examples,coverage,fuzzing --continue-on-failure \
    --warnings off --generation-database none --request-timeout 60 "$@") || failed=1
}
run 'without a token'
# Logging out would revoke the token for the rest of this pass.
run 'as a photographer' --header "Authorization: Bearer $token" --exclude-path /api/auth/logout

# No request may have caused an internal error, whatever the response.
if grep -E '"(a request failed|a job failed)"|panicked' "$folder/log"; then
  echo 'the server logged internal errors'
  failed=1
fi
exit "$failed"
