#!/usr/bin/env python3
"""Compare `almoner diff` of two vintages of master files with the files themselves, row by row.

    diff_check.py --almoner target/release/almoner --old OLD/eo_*.csv --new NEW/eo_*.csv

Both vintages are built without embeddings into a temporary folder and compared by `almoner diff --json`; this
script compares the rows of the CSV files by itself: who appeared and who vanished in states that both vintages
have, and whose NAME, address (STREET, CITY, STATE, ZIP of five digits), DEDUCTIBILITY or FOUNDATION differs, but
for blanks and case. Every difference between the two comparisons is printed, with what each side says.
Revocations and returns are not in these files. Standard library only. Exit status: 1 if there is a
difference, 2 if something cannot be run.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

CODES = {"DEDUCTIBILITY": "deductibility_changed", "FOUNDATION": "foundation_changed"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--old", nargs="+", required=True, metavar="CSV")
    parser.add_argument("--new", nargs="+", required=True, metavar="CSV")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = told(args, Path(folder))
    expected = compared(read(args.old), read(args.new))
    for ein, kind in sorted(expected - found):
        print(f"{ein} {kind}: in the files, not told")
    for ein, kind in sorted(found - expected):
        print(f"{ein} {kind}: told, not in the files")
    counts = Counter(kind for _, kind in expected)
    said = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    differences = len(expected ^ found)
    print(f"{len(expected)} changes in the files ({said}), {len(found)} told, {differences} differences")
    return int(differences > 0)


def told(args: argparse.Namespace, folder: Path) -> set[tuple[str, str]]:
    for name, files in (("old", args.old), ("new", args.new)):
        command = [args.almoner, "build", "--no-semantic", "--data-dir", folder / name, *files]
        run(command)
    lines = run([args.almoner, "diff", folder / "old", folder / "new", "--json"]).splitlines()
    changes = [(change["ein"], change["kind"]) for change in map(json.loads, lines)]
    if len(set(changes)) != len(changes):
        raise SystemExit("almoner diff tells a change twice")
    return set(changes)


def run(command: list) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr, file=sys.stderr)
        raise SystemExit(2)
    return done.stdout


def read(paths: list[str]) -> dict[str, dict[str, str]]:
    """The row of each EIN; of several, the last of the latest tax period."""
    rows: dict[str, dict[str, str]] = {}
    for path in sorted(paths):
        with open(path, encoding="utf-8", errors="replace", newline="") as lines:
            for row in csv.DictReader(lines):
                row = {name: " ".join((value or "").split()).upper() for name, value in row.items()}
                known = rows.get(row["EIN"])
                if known is None or row["TAX_PERIOD"] >= known["TAX_PERIOD"]:
                    rows[row["EIN"]] = row
    return rows


def compared(old: dict, new: dict) -> set[tuple[str, str]]:
    states = {row["STATE"] for row in old.values()} & {row["STATE"] for row in new.values()}
    changes = set()
    for ein in old.keys() | new.keys():
        before, after = old.get(ein), new.get(ein)
        if before is None or after is None:
            if (before or after)["STATE"] in states:
                changes.add((ein, "appeared" if before is None else "vanished"))
            continue
        if before["NAME"] != after["NAME"]:
            changes.add((ein, "renamed"))
        if place(before) != place(after):
            changes.add((ein, "moved"))
        changes |= {(ein, kind) for code, kind in CODES.items() if code_of(before, code) != code_of(after, code)}
    return changes


def place(row: dict[str, str]) -> tuple[str, ...]:
    return row["STREET"], row["CITY"], row["STATE"], row["ZIP"][:5]


def code_of(row: dict[str, str], name: str) -> int | None:
    """A code without leading zeros; 0 is none."""
    return int(row[name]) or None if row[name].isdigit() else None


if __name__ == "__main__":
    sys.exit(main())
