#!/usr/bin/env bash
# Builds the module of the Python package, and runs its tests and the notebook's code over fictional data.
#
#   python_package.sh [--almoner PROGRAM] [--profile dev] [--wheel FOLDER]
#
# PROGRAM makes the data: target/debug/almoner when left out. With --wheel, a wheel of that profile with the program in it
# is written to FOLDER by maturin. Python comes from $PYTHON, python3 when that is not set.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}
program=$root/target/debug/almoner profile=dev wheel=
while [ $# -gt 0 ]; do
    case $1 in
        --almoner) program=$(realpath "${2:?--almoner wants a program}"); shift 2 ;;
        --profile) profile=${2:?--profile wants dev, release or dist}; shift 2 ;;
        --wheel) wheel=$(realpath -m "${2:?--wheel wants a folder}"); shift 2 ;;
        *) echo "python_package.sh: no option $1; see its first lines" >&2; exit 2 ;;
    esac
done
cd "$root"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --locked --package almoner-python --profile "$profile"
built=${CARGO_TARGET_DIR:-target}/$([ "$profile" = dev ] && echo debug || echo "$profile")/lib_almoner.so
cp -r python/almoner "$work/"
cp "$built" "$work/almoner/_almoner.abi3.so"
export PYTHONPATH=$work ALMONER=$program MPLBACKEND=Agg
"$python" -m unittest discover --start-directory python/tests
"$python" scripts/notebook.py examples/three_questions.ipynb

if [ -n "$wheel" ]; then
    command -v maturin >/dev/null || { echo "python_package.sh: maturin is not installed" >&2; exit 1; }
    mkdir -p python/almoner.data/scripts
    trap 'rm -rf "$work" python/almoner.data' EXIT
    cp "$program" python/almoner.data/scripts/almoner
    maturin build --locked --manifest-path python/Cargo.toml --profile "$profile" --out "$wheel"
fi
