#!/bin/sh
# Tests the explorer in a browser, over fictional data that this makes, on a server that this starts
# and stops. Needs Chromium, Node.js 20 and npm: where one is missing, or the packages cannot be
# installed, it says `skipped: …` and succeeds, but fails with --required.
#
#   run.sh [--almoner BINARY] [--required] [--shots DIR] [--only TEXT] [--prove]
#
# Without --almoner it takes target/release/almoner, else target/debug/almoner. The other options
# are those of test.mjs. $CHROMIUM names a browser that is not found by itself.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
target=$here/../../target
almoner=
required=
shots=
only=
prove=

fail() {
  echo "run.sh: $1" >&2
  exit 1
}

skip() {
  echo "skipped: $1"
  [ -z "$required" ] || exit 1
  exit 0
}

while [ $# -gt 0 ]; do
  case $1 in
    --almoner | --shots | --only)
      [ $# -gt 1 ] || fail "$1 needs a value"
      case $1 in
        --almoner) almoner=$2 ;;
        --shots) shots=$2 ;;
        --only) only=$2 ;;
      esac
      shift
      ;;
    --required) required=yes ;;
    --prove) prove=yes ;;
    *) fail "unknown option $1; see the head of this file" ;;
  esac
  shift
done

chromium=
for one in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
  [ -z "$one" ] || chromium=$(command -v "$one") && [ -n "$chromium" ] && break
done
[ -n "$chromium" ] || skip 'no chromium, chromium-browser or google-chrome; $CHROMIUM may name one'
command -v node >/dev/null || skip "no node"
command -v npm >/dev/null || skip "no npm"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "node is older than 20"

if [ -z "$almoner" ]; then
  almoner=$target/release/almoner
  [ -x "$almoner" ] || almoner=$target/debug/almoner
fi
[ -x "$almoner" ] || fail "no program at $almoner; build it, or name it with --almoner"

# The copy of the lock says what is installed.
if ! cmp -s "$here/package-lock.json" "$here/node_modules/.installed-lock.json"; then
  log=$( (cd "$here" && npm ci --no-audit --no-fund) 2>&1) || skip "the packages cannot be installed: $(echo "$log" | grep -v warn | head -n 1)"
  cp "$here/package-lock.json" "$here/node_modules/.installed-lock.json"
fi

folder=$(mktemp -d)
server=
clean() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

"$almoner" generate --organizations 400 --seed 1 "$folder/files" >"$folder/log" 2>&1 || fail "no data: $(cat "$folder/log")"
"$almoner" build --data-dir "$folder/data" "$folder/files" >"$folder/log" 2>&1 || fail "no snapshot: $(cat "$folder/log")"
key=$("$almoner" keys create --data-dir "$folder/data" --name browser 2>/dev/null)
"$almoner" serve --data-dir "$folder/data" --listen 127.0.0.1:0 --log-level warn >"$folder/log" 2>&1 &
server=$!
origin=
waited=0
while [ -z "$origin" ]; do
  origin=$(sed -n 's/.*listening on \(http:[^ ]*\).*/\1/p' "$folder/log" | head -n 1)
  kill -0 "$server" 2>/dev/null || fail "the server ended: $(cat "$folder/log")"
  [ "$waited" -lt 300 ] || fail "the server does not listen: $(cat "$folder/log")"
  waited=$((waited + 1))
  [ -n "$origin" ] || sleep 0.1
done

# In the background, so that a signal ends this script at once and with it the server.
node "$here/test.mjs" --origin "$origin" --key "$key" --chromium "$chromium" --only "$only" \
  ${shots:+--shots "$shots"} ${prove:+--prove} &
test=$!
trap 'kill "$test" 2>/dev/null; exit 143' HUP INT TERM
status=0
wait "$test" || status=$?
exit "$status"
