#!/usr/bin/env bash
# Audits the dependencies: licences, sources and bans as deny.toml says (cargo deny), and published
# advisories (cargo deny and cargo audit). It asks the network for nothing but crates of Cargo.lock that were
# never downloaded here.
#
#   audit.sh [--required]
#
# The advisories are those of $ALMONER_ADVISORY_DB, a clone of https://github.com/RustSec/advisory-db, else of
# the clone that `cargo audit` or `cargo deny fetch` keeps in cargo's folder; without one they are skipped.
# How old they are is printed. Where a tool is missing or crates cannot be had it says `skipped: …`, and
# succeeds unless --required is given. Prints what each tool says; exits 1 if it found anything.
set -euo pipefail

# For each command; they take seconds.
SECONDS_MAX=120
# The name under which cargo deny keeps its clone.
CLONE=advisory-db-3157b0e258782691

root=$(cd "$(dirname "$0")/.." && pwd)
required=
failed=0
folder=

skip() {
    echo "skipped: $1"
    [ -z "$required" ] || failed=1
}

# The folder of the advisories; nothing if there is none.
database() {
    local cargo=${CARGO_HOME:-$HOME/.cargo} one
    if [ -n "${ALMONER_ADVISORY_DB:-}" ]; then
        realpath "$ALMONER_ADVISORY_DB"
        return
    fi
    for one in "$cargo/advisory-dbs/$CLONE" "$cargo/advisory-db"; do
        if [ -d "$one/.git" ]; then
            echo "$one"
            return
        fi
    done
}

# Whether the sources of all crates are here, of other platforms too; fetches them if they are not.
crates() {
    cargo metadata --format-version 1 --locked --offline >/dev/null 2>&1 ||
        CARGO_NET_RETRY=0 CARGO_HTTP_TIMEOUT=10 timeout "$SECONDS_MAX" cargo fetch --locked >/dev/null 2>&1
}

# A command that must succeed.
check() {
    echo "-- $*"
    timeout "$SECONDS_MAX" "$@" || failed=1
}

# deny.toml with the folder of the advisories, as cargo deny expects to find it.
configuration() {
    ln -s "$1" "$folder/$CLONE"
    sed "s|^\[advisories\]\$|&\ndb-path = \"$folder\"|" deny.toml >"$folder/deny.toml"
}

[ $# -eq 0 ] || [ "$*" = --required ] || {
    echo "audit.sh: unknown options $*; see the head of this file" >&2
    exit 1
}
[ $# -eq 0 ] || required=yes
cd "$root"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
advisories=$(database)
[ -z "${ALMONER_ADVISORY_DB:-}" ] || [ -d "$advisories/crates" ] || {
    echo "audit.sh: no advisories in $ALMONER_ADVISORY_DB; clone https://github.com/RustSec/advisory-db there" >&2
    exit 1
}
if [ -n "$advisories" ]; then
    configuration "$advisories"
    echo "advisories as of $(git -C "$advisories" log -1 --format=%cs)"
else
    skip "no advisories: \$ALMONER_ADVISORY_DB may name a clone of RustSec/advisory-db"
fi

if ! cargo deny --version >/dev/null 2>&1; then
    skip "needs cargo-deny"
elif ! crates; then
    skip "cargo deny needs the sources of all crates, also those of other platforms: run cargo fetch"
else
    check cargo deny --locked --offline --log-level error check bans licenses sources
    # A database may be older than an advisory that deny.toml leaves out.
    [ -z "$advisories" ] || check cargo deny --locked --offline --config "$folder/deny.toml" check --allow unknown-advisory advisories
fi
if ! cargo audit --version >/dev/null 2>&1; then
    skip "needs cargo-audit"
elif [ -n "$advisories" ]; then
    check cargo audit --db "$advisories" --no-fetch --stale --deny unsound --deny yanked
fi
exit "$failed"
