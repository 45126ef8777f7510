#!/usr/bin/env bash
# Shows that a static binary runs where there is nothing else, as in an image made FROM scratch.
#
#   check-static.sh target/x86_64-unknown-linux-gnu/release/almoner
#
# Puts the binary into an empty folder with /dev/random and urandom, which every container has (a static
# binary reads them where a dynamic one asks the C library), changes root into that folder as user 65532
# (no /etc, /proc or /tmp), and there asks for its version, generates and builds 500 fictional organizations,
# makes a key, serves with all of it read-only, asks for health, a profile and a search, and ends it.
# Prints a line for each; exits 1 at the first that fails. Needs root, curl and util-linux.
set -euo pipefail

if [ $# != 1 ] || [ ! -x "$1" ]; then echo "usage: check-static.sh BINARY" >&2; exit 2; fi
[ "$(id -u)" = 0 ] || { echo "root is needed to change the root folder" >&2; exit 2; }

root=$(mktemp -d)
server=
finish() {
    if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
    rm -rf "$root"
}
trap finish EXIT
fail() { echo "FAILED: $*" >&2; exit 1; }

# A program that is loaded by another has an interpreter.
if LC_ALL=C readelf -lW "$1" | grep -q INTERP; then fail "$1 is not static"; fi
cp "$1" "$root/almoner"
mkdir -m 755 "$root/data" "$root/files" "$root/dev"
mknod -m 444 "$root/dev/random" c 1 8
mknod -m 444 "$root/dev/urandom" c 1 9
chown 65532:65532 "$root/data" "$root/files"
chmod 755 "$root"
chroot=$(command -v chroot || echo /usr/sbin/chroot)
# Settings are variables, as an image sets them.
listen=127.0.0.1:0
inside() { env -i ALMONER_DATA_DIR=/data ALMONER_LISTEN="$listen" timeout 120 "$chroot" --userspec=65532:65532 "$root" /almoner "$@"; }

echo "static: $(stat -c %s "$root/almoner") bytes; the folder: $(cd "$root" && echo *)"
version=$(inside --version) || fail "no version"
echo "version: $version"
inside generate /files/irs --organizations 500 >/dev/null 2>"$root/log" || fail "generate: $(cat "$root/log")"
built=$(inside build /files/irs 2>"$root/log") || fail "build: $(tail -3 "$root/log")"
echo "build: $(tail -1 <<<"$built")"
key=$(inside keys create --name check 2>/dev/null) || fail "no key"
ein=$(sed -n '2s/,.*//p' "$root/files/irs/eo1.csv")

# Serving, nothing is written: neither beside the binary nor in the data directory.
log=$(mktemp)
# shellcheck disable=SC2016 # the inner shell's own $1
env -i ALMONER_DATA_DIR=/data ALMONER_LISTEN="$listen" "$(command -v unshare)" --mount /bin/sh -c '
    PATH=/bin:/usr/bin:/sbin:/usr/sbin; mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 9
    exec "$2" --userspec=65532:65532 "$1" /almoner serve' sh "$root" "$chroot" 2>"$log" &
server=$!
address=
for _ in $(seq 100); do
    address=$(sed -n 's/.*listening on //p' "$log")
    [ -n "$address" ] && break
    kill -0 "$server" 2>/dev/null || fail "serve ended: $(tail -3 "$log")"
    sleep 0.1
done
[ -n "$address" ] || fail "serve does not listen: $(tail -3 "$log")"
echo "serve: $address, everything read-only"
listen=${address#http://}
inside health >/dev/null || fail "health: exit $?"
echo "health: exit 0"
listen=127.0.0.1:1
inside health >/dev/null 2>&1 && fail "health of nobody: exit 0"
echo "health where nobody listens: exit not 0"
curl -fsS -m 30 -H "X-API-Key: $key" "$address/nonprofits/details/$ein" >/dev/null || fail "details"
curl -fsS -m 30 -H "X-API-Key: $key" "$address/beta/nonprofits/search?q=food" | grep -q intentDetails || fail "search"
echo "details and search: 200"
kill -TERM "$server"
code=0; wait "$server" || code=$?
server=
[ $code = 0 ] || fail "serve ended with $code"
grep -i 'warn\|error' "$log" && fail "the log complains"
rm -f "$log"
echo "ended: 0"
