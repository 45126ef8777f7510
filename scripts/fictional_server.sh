# What scripts that test a server share; sourced by them with `here` and `almoner` (or nothing) set. Ends the script with
# `skipped: …` where something is missing, or fails where `required` is set.

fail() {
  echo "$(basename "$0"): $1" >&2
  exit 1
}

skip() {
  echo "skipped: $1"
  [ -z "$required" ] || exit 1
  exit 0
}

need_node() {
  command -v node >/dev/null || skip "no node"
  command -v npm >/dev/null || skip "no npm"
  [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] || skip "node is older than 20"
}

# The first of the programs that is there.
first_of() {
  for one in "$@"; do
    [ -n "$one" ] && command -v "$one" && return
  done
  return 0
}

# Chromium: sets `chromium`, skips where there is none.
need_chromium() {
  chromium=$(first_of "${CHROMIUM:-}" chromium chromium-browser google-chrome)
  [ -n "$chromium" ] || skip 'no chromium, chromium-browser or google-chrome; $CHROMIUM may name one'
}

# Installs the packages of a folder, unless its lock says that they are there.
packages_of() {
  cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock.json" && return
  log=$( (cd "$1" && npm ci --no-audit --no-fund) 2>&1) || skip "the packages cannot be installed: $(echo "$log" | grep -v warn | head -n 1)"
  cp "$1/package-lock.json" "$1/node_modules/.installed-lock.json"
}

# Compiles a program in TypeScript against the types that are made of the OpenAPI document, with the packages of
# scripts/clients, and goes to the folder where it then lies.
compile_client() {
  clients=$here/../clients
  packages_of "$clients"
  mkdir "$folder/typescript"
  cp "$1" "$clients/tsconfig.json" "$clients/package.json" "$folder/typescript"
  cd "$folder/typescript"
  ln -s "$clients/node_modules" node_modules
  "$almoner" openapi >openapi.json
  node_modules/.bin/openapi-typescript openapi.json --output api.d.ts
  node_modules/.bin/tsc
}

# The program: $almoner, else what was built; by its whole path, for those who go to another folder.
find_almoner() {
  if [ -z "$almoner" ]; then
    almoner=$here/../../target/release/almoner
    [ -x "$almoner" ] || almoner=$here/../../target/debug/almoner
  fi
  [ -x "$almoner" ] || fail "no program at $almoner; build it, or name it with --almoner"
  almoner=$(realpath "$almoner")
}

# Serves so many fictional organizations, with further options; sets `origin`, `key` and `folder`, which
# goes with the server when the script ends.
serve_fictional() {
  folder=$(mktemp -d)
  server=
  trap clean EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  "$almoner" generate --organizations "$1" --seed 1 "$folder/files" >"$folder/log" 2>&1 || fail "no data: $(cat "$folder/log")"
  shift
  "$almoner" build --data-dir "$folder/data" "$folder/files" >"$folder/log" 2>&1 || fail "no snapshot: $(cat "$folder/log")"
  key=$("$almoner" keys create --data-dir "$folder/data" --name "$(basename "$here")" 2>/dev/null)
  "$almoner" serve --data-dir "$folder/data" --listen 127.0.0.1:0 --log-level warn "$@" >"$folder/log" 2>&1 &
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
}

clean() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$folder"
}
