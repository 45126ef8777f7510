#!/bin/sh
# Tests clients that others' generators make of the OpenAPI document: generates one in TypeScript and one in Python, has
# their types checked, and asks a server through them that this starts and stops, over fictional data that this makes.
# `mcp` asks it with the official TypeScript client of the Model Context Protocol. What is generated is not kept. Where a tool is missing, or packages cannot be installed, it says `skipped: …` for that
# language and succeeds, but fails with --required.
#
#   run.sh [--almoner BINARY] [--required] [typescript | python | mcp]
#
# Without --almoner it takes target/release/almoner, else target/debug/almoner. TypeScript needs Node.js 20 and npm;
# Python 3.11 with venv. Packages go into node_modules and .venv of this folder.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
almoner=
required=
languages="typescript python mcp"
. "$here/../fictional_server.sh"

while [ $# -gt 0 ]; do
  case $1 in
    --almoner)
      [ $# -gt 1 ] || fail "$1 needs a value"
      almoner=$2
      shift
      ;;
    --required) required=yes ;;
    typescript | python | mcp) languages=$1 ;;
    *) fail "unknown option $1; see the head of this file" ;;
  esac
  shift
done

typescript() {
  need_node
  compile_client "$here/smoke.ts"
  node smoke.js "$origin" "$key"
}

mcp() {
  need_node
  packages_of "$here"
  node "$here/mcp.mjs" "$origin" "$key" "$almoner" "$folder/data"
}

python() {
  command -v python3 >/dev/null || skip "no python3"
  if ! cmp -s "$here/requirements.txt" "$here/.venv/installed"; then
    log=$( (python3 -m venv "$here/.venv" && "$here/.venv/bin/pip" install -q -r "$here/requirements.txt") 2>&1) ||
      skip "the packages cannot be installed: $(echo "$log" | tail -n 1)"
    cp "$here/requirements.txt" "$here/.venv/installed"
  fi
  mkdir "$folder/python"
  cp "$here/smoke.py" "$folder/python"
  cd "$folder/python"
  "$almoner" openapi >openapi.json
  "$here/.venv/bin/openapi-python-client" generate --path openapi.json --config "$here/python.yaml" \
    --meta none --output-path almoner_client >"$folder/warnings" 2>&1 || fail "$(cat "$folder/warnings")"
  # The feed is XML and whole results are streams, which it makes no types of; of everything else it makes one.
  others=$(sed -n 's/^WARNING parsing //p' "$folder/warnings" | grep -v -e 'GET /changes.atom' -e 'GET /export\.' || true)
  [ -z "$others" ] || fail "the generator leaves out: $others"
  "$here/.venv/bin/mypy" --strict --no-error-summary almoner_client smoke.py
  "$here/.venv/bin/python" smoke.py "$origin" "$key"
}

find_almoner
serve_fictional 1000
for language in $languages; do
  # In a shell of its own: a language that is skipped does not end the other.
  ("$language")
done
