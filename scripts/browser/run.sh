#!/bin/sh
# Tests the explorer and the picker in a browser, over fictional data that this makes, on a server that this starts
# and stops. Needs Chromium, Node.js 20 and npm: where one is missing, or the packages cannot be
# installed, it says `skipped: …` and succeeds, but fails with --required.
#
#   run.sh [--almoner BINARY] [--required] [--shots DIR] [--only TEXT] [--prove]
#
# Without --almoner it takes target/release/almoner, else target/debug/almoner. The other options
# are those of test.mjs. $CHROMIUM names a browser that is not found by itself. Where there is a Firefox
# ($FIREFOX), the same steps run in it too, but for those marked with what it lacks.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
almoner=
required=
shots=
only=
prove=

. "$here/../fictional_server.sh"

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

need_chromium
firefox=$(first_of "${FIREFOX:-}" firefox-esr firefox)
[ -n "$firefox" ] || echo 'skipped in Firefox: no firefox-esr or firefox; $FIREFOX may name one'
# Playwright asks of it what came with this version.
firefox_min=143
if [ -n "$firefox" ] && version=$("$firefox" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/') && [ "$version" -lt $firefox_min ]; then
  echo "skipped in Firefox: this is version $version, and its tests take $firefox_min or later"
  firefox=
fi
need_node
find_almoner
packages_of "$here"
# Pages of other origins may read the answers: the picker is in one.
serve_fictional 400 --cors-origin '*'

# In the background, so that a signal ends this script at once and with it the server.
node "$here/test.mjs" --origin "$origin" --key "$key" --chromium "$chromium" ${firefox:+--firefox "$firefox"} \
  --only "$only" ${shots:+--shots "$shots"} ${prove:+--prove} &
test=$!
trap 'kill "$test" 2>/dev/null; exit 143' HUP INT TERM
status=0
wait "$test" || status=$?
exit "$status"
