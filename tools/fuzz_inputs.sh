#!/usr/bin/env bash
# Runs each fuzz target of fuzz/ for so many minutes of one processor's time, whatever else runs beside. What it finds lies in .cache/fuzz/artifacts; inputs
# that reach new code, minimised and small enough to be kept, are added to fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."
minutes=${1:-10}
shift || true
targets=${*:-pictures metadata multipart search_form webhooks settings pack}
# A corpus that is replayed by each `make test` has small files.
kept_bytes=2048
kept_files=120

work=$PWD/.cache/fuzz
[ -x "$work/bin/cargo-fuzz" ] || cargo install cargo-fuzz --locked --root "$work"
export PATH="$work/bin:$PATH" CARGO_TARGET_DIR="$work/target"
cp Cargo.lock fuzz/Cargo.lock
cargo +nightly fuzz build --fuzz-dir fuzz --release
# As cargo-fuzz sets it when it runs a target itself.
export ASAN_OPTIONS=detect_odr_violation=0
export LSAN_OPTIONS=suppressions=$PWD/fuzz/known_leaks.txt:print_suppressions=0
binaries=$(echo "$CARGO_TARGET_DIR"/*/release)

failed=0
for target in $targets; do
    mkdir -p "$work/corpus/$target" "$work/artifacts/$target" "$work/least/$target"
    log="$work/$target.log"
    : > "$log"
    spent=0
    while [ "$spent" -lt $((minutes * 60)) ]; do
        began=$SECONDS
        # A slow or greedy input is a finding too.
        { TIMEFORMAT='%0U %0S'; time "$binaries/$target" "$work/corpus/$target" "fuzz/corpus/$target" \
            -max_total_time=60 -max_len=8192 -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 \
            -artifact_prefix="$work/artifacts/$target/" >> "$log" 2>&1; } 2> "$log.time" || { failed=1; break; }
        read -r user system < "$log.time"
        spent=$((spent + user + system))
        [ $((SECONDS - began)) -ge 30 ] || { echo "$target ends at once: see $log"; failed=1; break; }
    done
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | awk '{ sum += $1 } END { print sum }')
    peak=$(sed -n 's/^stat::peak_rss_mb: *//p' "$log" | sort -n | tail -n 1)
    finds=$(find "$work/artifacts/$target" -type f | wc -l)
    echo "$target: $spent s of processor time, ${executions:-?} executions, ${peak:-?} MB at most, $finds finds ($log)"

    "$binaries/$target" -merge=1 -max_len=$kept_bytes "$work/least/$target" "fuzz/corpus/$target" "$work/corpus/$target" \
        > "$log.merge" 2>&1 || true
    find "$work/least/$target" -type f -size -$((kept_bytes + 1))c -printf '%s %p\n' | sort -n | head -n $kept_files \
        | while read -r _ file; do
            # By its content, so that an input is kept once.
            cmp -s "$file" "fuzz/corpus/$target/$(basename "$file")" || cp "$file" "fuzz/corpus/$target/"
        done
done
exit $failed
