#!/usr/bin/env bash
# Makes what people without a compiler install, all from one build of the profile `dist` with the feature `full`:
#
#   almoner-VERSION-TARGET.tar.gz        one static binary, manual, completions, docs, the units of packaging/
#   almoner-VERSION-py3-none-….whl       a wheel: `pip install` and `uvx` run the program
#   almoner_VERSION_ARCHITECTURE.deb     the same with user, service, manual pages and completions in their places
#   almoner-VERSION-TARGET.oci.tar       an image for containers, an OCI layout
#   almoner-VERSION-TARGET.cdx.json      what is linked (CycloneDX)
#   almoner-VERSION-source.tar.gz        the sources of the commit
#   almoner.rb                           a Homebrew formula, with --address only
#   SHA256SUMS                           of all of them
#
#   release.sh [--target x86_64-unknown-linux-gnu] [--address URL] [--certificates FILE] [--binary FILE] [FOLDER]
#
# FOLDER is target/dist when left out; packages of before are removed from it. The same commit, toolchain and target
# give the same bytes. The binary is linked statically (glibc, or musl where that target is installed) and refused if it
# still asks for a library. --address is where the files will lie, for the formula. --certificates is a bundle (PEM)
# for the image, which object storage over HTTPS needs. --binary packs a program that is already built, of any features
# and any linking: to try the packages, not for a release. Needs cargo, git, tar, gzip, python3 (3.11), readelf, dpkg-deb
# and the static C library. A static glibc looks names of hosts up through the machine's own NSS: `almoner fetch`
# and object storage alone do that, and where they cannot, say so.
set -euo pipefail

target=x86_64-unknown-linux-gnu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/target/dist
address=
certificates=
binary=
fail() {
    echo "release.sh: $1" >&2
    exit 1
}
while [ $# -gt 0 ]; do
    case $1 in
        --target) target=${2:?--target wants the name of a target, as rustup lists them}; shift 2 ;;
        --address) address=${2:?--address wants the address of the folder with the files}; shift 2 ;;
        --certificates) certificates=$(realpath -e "${2:?--certificates wants a file}"); shift 2 ;;
        --binary) binary=$(realpath -e "${2:?--binary wants a program}"); shift 2 ;;
        -*) echo "release.sh: no option $1; see its first lines" >&2; exit 2 ;;
        *) folder=$1; shift ;;
    esac
done
mkdir -p "$folder"
folder=$(realpath "$folder")

for tool in cargo git tar gzip python3 readelf dpkg-deb sha256sum; do
    command -v "$tool" >/dev/null || fail "$tool is not installed"
done
cd "$root"
scripts/licenses/notices.py --check >/dev/null || fail "the notices are not those of Cargo.lock"
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

if [ -n "$binary" ]; then
    echo "release.sh: packs $binary, as it is: a trial, no release" >&2
else
    [ -z "$(git status --porcelain --untracked-files=no)" ] || fail "files differ from the commit; commit them first"
    # Paths of this machine are no part of the binary.
    export RUSTFLAGS="-C target-feature=+crt-static --remap-path-prefix=$root=. --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
    cargo build --profile dist --features full --locked --bin almoner --target "$target"
    binary=${CARGO_TARGET_DIR:-target}/$target/dist/almoner
    if readelf --dynamic "$binary" | grep -F '(NEEDED)'; then
        fail "$binary asks for the libraries above: it is not static"
    fi
fi
version=$("$binary" --version | cut -d' ' -f2)
[ "$version" = "$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)" ] ||
    fail "$binary is of version $version, not that of Cargo.toml"

name=almoner-$version-$target
staged=$(mktemp -d)
trap 'rm -rf "$staged"' EXIT
mkdir -p "$staged/$name/man" "$staged/$name/completions"
rm -f "$folder"/almoner[-_.]* "$folder/SHA256SUMS"
cp README.md ARCHITECTURE.md SECURITY.md CONTRIBUTING.md CHANGELOG.md LICENSE THIRD-PARTY.txt "$staged/$name/"
install -m 755 "$binary" "$staged/$name/almoner"
cp -r docs packaging "$staged/$name/"
"$binary" man "$staged/$name/man" >/dev/null
for shell in bash fish zsh; do
    "$binary" completions "$shell" >"$staged/$name/completions/almoner.$shell"
done
chmod -R u=rwX,go=rX "$staged/$name"
tar --create --directory "$staged" --sort=name --owner=0 --group=0 --numeric-owner \
    --mtime="@$SOURCE_DATE_EPOCH" "$name" | gzip --no-name --best >"$folder/$name.tar.gz"

parts=(--staged "$staged/$name" --target "$target" --epoch "$SOURCE_DATE_EPOCH" --output "$folder")
scripts/release/wheel.py "${parts[@]}" >/dev/null
scripts/release/debian.py "${parts[@]}" >/dev/null
scripts/release/image.py "${parts[@]}" ${certificates:+--certificates "$certificates"} >/dev/null
scripts/release/sbom.py "${parts[@]:2}" >/dev/null
source=almoner-$version-source
git archive --format=tar --prefix="$source/" HEAD | gzip --no-name --best >"$folder/$source.tar.gz"

if [ -n "$address" ]; then
    hash() { sha256sum "$folder/$1.tar.gz" | cut -d' ' -f1; }
    sed -e "s|@ADDRESS@|${address%/}|g; s|@VERSION@|$version|g; s|@TARGET@|$target|g" \
        -e "s|@SOURCE_SHA256@|$(hash "$source")|; s|@ARCHIVE_SHA256@|$(hash "$name")|" \
        packaging/homebrew/almoner.rb.in >"$folder/almoner.rb"
fi
cd "$folder"
sha256sum almoner[-_.]* | tee SHA256SUMS
