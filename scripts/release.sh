#!/usr/bin/env bash
# Makes the archive that people without a compiler install: one static binary, its manual pages and
# completions, README, SECURITY, LICENSE, the notices of others' licences and the units of packaging/.
#
#   release.sh [--target x86_64-unknown-linux-gnu] [FOLDER]     FOLDER: target/dist when left out
#
# Writes almoner-VERSION-TARGET.tar.gz and its SHA-256 beside it. The same commit, toolchain and target
# give the same bytes. The binary is linked statically (glibc, or musl where that target is installed) and
# refused if it still asks for a library; it is run before it is packed. Needs cargo, tar, gzip, python3, readelf and
# the static C library. A static glibc looks names of hosts up through the machine's own NSS: `almoner
# fetch` alone does that, and where it cannot, says so.
set -euo pipefail

target=x86_64-unknown-linux-gnu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/target/dist
while [ $# -gt 0 ]; do
    case $1 in
        --target) target=${2:?--target wants the name of a target, as rustup lists them}; shift 2 ;;
        -*) echo "release.sh: no option $1; see its first lines" >&2; exit 2 ;;
        *) folder=$1; shift ;;
    esac
done

fail() {
    echo "release.sh: $1" >&2
    exit 1
}

for tool in cargo tar gzip python3 readelf sha256sum; do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
done
cd "$root"
scripts/licenses/notices.py --check >/dev/null || fail "the notices are not those of Cargo.lock"

# Paths of this machine are no part of the binary.
export RUSTFLAGS="-C target-feature=+crt-static --remap-path-prefix=$root=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
cargo build --release --locked --bin almoner --target "$target"

binary=${CARGO_TARGET_DIR:-target}/$target/release/almoner
if readelf --dynamic "$binary" | grep -F '(NEEDED)'; then
    fail "$binary asks for the libraries above: it is not static"
fi
version=$("$binary" --version | cut -d' ' -f2)

name=almoner-$version-$target
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
mkdir -p "$staged/$name/man" "$staged/$name/completions" "$folder"
cp "$binary" README.md ARCHITECTURE.md SECURITY.md CONTRIBUTING.md CHANGELOG.md LICENSE THIRD-PARTY.txt "$staged/$name/"
cp -r docs packaging "$staged/$name/"
"$binary" man "$staged/$name/man" >/dev/null
for shell in bash fish zsh; do
    "$binary" completions "$shell" >"$staged/$name/completions/almoner.$shell"
done
tar --create --directory "$staged" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip --no-name --best >"$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" | tee "$name.tar.gz.sha256")
