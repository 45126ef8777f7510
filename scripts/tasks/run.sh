#!/bin/sh
# Does what three people who use Almoner for the first time want to do, over fictional data that this makes, on a server
# that this starts and stops: a program officer on the page (officer.mjs), a developer with a generated client
# (developer.ts) and a journalist at a terminal (journalist.sh). Each is a sequence of named steps; the first that fails
# says what was expected and found, and ends it. Where what one of them needs is missing, or packages cannot be installed,
# it says `skipped: …` for that one and succeeds, but fails with --required.
#
#   run.sh [--almoner BINARY] [--required] [--shots DIR] [officer | developer | journalist]
#
# Without --almoner it takes target/release/almoner, else target/debug/almoner. The officer needs Chromium, Node.js 20 and
# npm, the developer Node.js 20 and npm, the journalist Python 3 and perhaps sqlite3. --shots writes pictures of the page.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
almoner=
required=
shots=
people="officer developer journalist"
. "$here/../fictional_server.sh"

while [ $# -gt 0 ]; do
  case $1 in
    --almoner | --shots)
      [ $# -gt 1 ] || fail "$1 needs a value"
      case $1 in
        --almoner) almoner=$2 ;;
        --shots) shots=$2 ;;
      esac
      shift
      ;;
    --required) required=yes ;;
    officer | developer | journalist) people=$1 ;;
    *) fail "unknown option $1; see the head of this file" ;;
  esac
  shift
done

officer() {
  need_chromium
  need_node
  packages_of "$here/../browser"
  [ -z "$shots" ] || mkdir -p "$shots"
  node "$here/officer.mjs" --origin "$origin" --key "$key" --chromium "$chromium" ${shots:+--shots "$shots"}
}

developer() {
  need_node
  compile_client "$here/developer.ts"
  node developer.js "$origin" "$key"
}

journalist() {
  command -v python3 >/dev/null || skip "no python3"
  mkdir "$folder/journalist"
  "$here/journalist.sh" "$almoner" "$folder/data" "$folder/journalist"
}

find_almoner
# Embedding takes a debug build most of a minute, and nothing here needs it.
export ALMONER_NO_SEMANTIC="${ALMONER_NO_SEMANTIC-true}"
# So many a second for the developer, who asks for more at once.
serve_fictional 4000 --rate 100
for one in $people; do
  # In a shell of its own: one who is skipped does not end the others.
  ("$one")
done
