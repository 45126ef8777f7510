#!/usr/bin/env bash
# Runs the unit tests of the modules that hold `unsafe` code, and of the store over them, under
# AddressSanitizer with its search for leaks: no read or write beyond what was allocated or mapped, none
# after it was freed, nothing lost. All kernels that this CPU has are run: they are chosen at run time, so
# no CPU is named to the compiler. ThreadSanitizer runs where the nightly toolchain has the source of the
# standard library (rust-src), which it must be built with; Miri runs the kernels where it is installed.
#
#   sanitize.sh [--required]
#
# Prints a line a module with its number of tests; exits 1 if a test failed, a sanitizer found something
# or a module had no tests. Needs a nightly toolchain: without it it says `skipped: …` and succeeds, but
# fails with --required.
set -euo pipefail

# A crate and part of the paths of its tests; Miri knows no mappings, so it has those of the kernels only.
MODULES=(almoner/mapped:: almoner-kernel/ almoner/index::vectors:: almoner/store::)
KERNELS=(almoner-kernel/ almoner/index::vectors::kernel::)

root=$(cd "$(dirname "$0")/.." && pwd)
required=
failed=0

skip() {
    echo "skipped: $1"
    [ -z "$required" ] || exit 1
}

# The tests of some modules, with a command before the filter; a line each.
tests() {
    local what=$1 module log ran status
    shift
    log=$(mktemp)
    for module in "${modules[@]}"; do
        status=0
        "$@" --package "${module%%/*}" -- "${module#*/}" >"$log" 2>&1 || status=$?
        ran=$(sed -nE 's/^test result: ok\. ([0-9]+) passed.*/\1/p' "$log" | tail -n 1)
        printf '%-17s %-33s %4s tests passed\n' "$what" "$module" "${ran:-0}"
        if [ "$status" -ne 0 ] || [ "${ran:-0}" -eq 0 ]; then
            grep -aE '^(ERROR|SUMMARY|error)|ERROR: |panicked at|test result: F' -A 4 "$log" | head -n 40 || tail -n 40 "$log"
            failed=1
        fi
    done
    rm -f "$log"
}

# A sanitizer's name for rustc, and how it is called in what is printed.
sanitized() {
    local sanitizer=$1 name=$2
    shift 2
    modules=("${MODULES[@]}")
    export RUSTFLAGS="-Zsanitizer=$sanitizer" CARGO_TARGET_DIR=$targets/$sanitizer
    export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1 TSAN_OPTIONS=halt_on_error=1
    # With --target, what runs at compile time is built without the sanitizer.
    tests "$name" cargo +nightly test --lib --locked --quiet --target "$host" "$@"
    unset RUSTFLAGS CARGO_TARGET_DIR
}

[ $# -eq 0 ] || [ "$*" = --required ] || {
    echo "sanitize.sh: unknown options $*; see the head of this file" >&2
    exit 1
}
[ $# -eq 0 ] || required=yes
cd "$root"
targets=${CARGO_TARGET_DIR:-$root/target}/sanitize
if ! cargo +nightly --version >/dev/null 2>&1; then
    skip "needs a nightly toolchain"
    exit 0
fi
host=$(rustc +nightly -vV | sed -n 's/^host: //p')
library=$(rustc +nightly --print sysroot)/lib/rustlib

sanitized address AddressSanitizer
if [ -f "$library/src/rust/library/Cargo.lock" ]; then
    sanitized thread ThreadSanitizer -Zbuild-std
else
    skip "ThreadSanitizer needs rust-src in the nightly toolchain"
fi
if cargo +nightly miri --version >/dev/null 2>&1; then
    modules=("${KERNELS[@]}")
    CARGO_TARGET_DIR=$targets/miri tests Miri cargo +nightly miri test --lib --locked --quiet
else
    skip "Miri is not installed in the nightly toolchain"
fi
exit "$failed"
