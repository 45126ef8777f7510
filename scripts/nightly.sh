#!/usr/bin/env bash
# The promises of SECURITY.md in their full forms, for hours: those of which .ci/run has the quick ones, and
# what it leaves out.
#
#   nightly.sh [NAME...]
#
# Runs all, or the named ones, one after another, going on after one that fails; prints a line each with its
# seconds, and exits 1 if any failed. Tools that are missing count as skipped, as in each script. Compiles a
# release build first. Logs lie in target/nightly.
set -uo pipefail
cd "$(dirname "$0")/.."
exec </dev/null

ALMONER=target/release/almoner
LOGS=target/nightly
NAMES=(tables_and_objects recipes python release damage kill_build failing_calls full_disk reproducible load oracles schemathesis sanitize fuzz)

tables_and_objects() {
    cargo clippy --all-targets --locked --features tables,objects -- -D warnings &&
        cargo test --locked --features tables,objects -- export extract objects
}
recipes() {
    cargo build --locked --features full && scripts/recipes_check.py --almoner target/debug/almoner
}
release() { scripts/release.sh && scripts/release_check.py; }
python() {
    cargo clippy --package almoner-python --locked -- -D warnings &&
        scripts/python_package.sh --almoner $ALMONER --profile release
}
damage() {
    ALMONER_FULL=1 cargo test --locked --test it faults -- --nocapture && scripts/faults/damage.py --almoner $ALMONER
}
kill_build() { scripts/faults/kill_build.py --almoner $ALMONER; }
failing_calls() { scripts/faults/failing_calls.py --almoner $ALMONER; }
full_disk() { scripts/faults/full_disk.py --almoner $ALMONER; }
reproducible() { scripts/faults/reproducible.py --almoner $ALMONER; }
load() {
    local scenario
    for scenario in overload soak swap slow hostile sessions keys costly; do
        cargo bench --locked --bench load -- "$scenario" || return
    done
}
oracles() {
    local data=$LOGS/data
    [ -e "$data/CURRENT" ] ||
        { $ALMONER generate --organizations 20000 "$data.in" && $ALMONER build --data-dir "$data" "$data.in"; } || return
    for oracle in typeahead filters vectors; do
        cargo bench --locked --bench oracles -- "$oracle" --data-dir "$data" || return
    done
    scripts/aggregate_check.py --almoner $ALMONER --data-dir "$data" --questions 1000
}
schemathesis() { scripts/schemathesis.py --almoner $ALMONER; }
sanitize() { scripts/sanitize.sh; }
fuzz() { scripts/fuzz.sh --almoner $ALMONER; }

if [ $# -gt 0 ]; then
    for name in "$@"; do
        [[ " ${NAMES[*]} " == *" $name "* ]] || { echo "nightly.sh: no $name; expected one of: ${NAMES[*]}" >&2; exit 2; }
    done
    NAMES=("$@")
fi
mkdir -p $LOGS
cargo build --release --locked || exit
failed=0
for name in "${NAMES[@]}"; do
    began=$SECONDS
    if "$name" >"$LOGS/$name.log" 2>&1; then
        outcome=passed
    else
        outcome="failed, see $LOGS/$name.log"
        failed=1
    fi
    echo "$name: $outcome, $((SECONDS - began)) s"
done
exit $failed
