#!/usr/bin/env python3
"""Damages a copy of a data directory, one byte at a time, and checks that it is noticed.

Of each file of it (`CURRENT` and `keys.json` among them) every one of the first --header bytes and then random ones, --flips in
all at the least, are changed; then each file is cut short. Each time `almoner verify` must fail and
name the file, and `almoner get` of 20 EINs must answer as before or fail cleanly: no panic, no
death by a signal, never another organization. One line a figure; exits 1 if anything failed.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

EINS = 20


def run(*command):
    return subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace"
    )


def files_of(folder):
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            # Locks hold nothing.
            if os.path.getsize(path):
                found.append(path)
    return sorted(found)


class Check:
    def __init__(self, almoner, data, eins):
        self.almoner, self.data, self.failures = almoner, data, []
        self.refused = self.same = 0
        self.before = {ein: self.get(ein) for ein in eins}
        for ein, done in self.before.items():
            if done.returncode != 0:
                sys.exit(f"{ein} does not answer before any damage: {done.stderr.strip()}")

    def get(self, ein):
        return run(self.almoner, "get", "--data-dir", self.data, f"/nonprofits/details/{ein}")

    def clean(self, done, what):
        if "panicked" in done.stderr or done.returncode < 0 or done.returncode > 3:
            self.failures.append(f"{what}: exit {done.returncode}: {done.stderr.strip()[:300]}")

    def damaged(self, path, what, eins):
        verified = run(self.almoner, "verify", "--data-dir", self.data)
        self.clean(verified, f"{what}: verify")
        if verified.returncode == 0:
            self.failures.append(f"{what}: verify did not notice")
        elif os.path.basename(path) not in verified.stderr + verified.stdout:
            self.failures.append(f"{what}: verify does not name the file: {verified.stderr.strip()}")
        for ein in eins:
            done = self.get(ein)
            self.clean(done, f"{what}: get {ein}")
            if done.returncode == 0 and done.stdout == self.before[ein].stdout:
                self.same += 1
            elif done.returncode == 1:
                self.refused += 1
            else:
                self.failures.append(f"{what}: get {ein}: exit {done.returncode}, another answer")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--data-dir", required=True, help="is copied, never changed")
    parser.add_argument("--flips", type=int, default=1000, help="random flips, over all files")
    parser.add_argument("--header", type=int, default=64, help="bytes of each file all flipped")
    parser.add_argument("--eins", help="comma-separated; default: found by typeahead")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="almoner-flip-") as work:
        data = os.path.join(work, "data")
        shutil.copytree(arguments.data_dir, data, symlinks=True)
        eins = arguments.eins.split(",") if arguments.eins else some_eins(arguments.almoner, data)
        check = Check(arguments.almoner, data, eins[:EINS])
        files = files_of(data)
        per_file = -(-arguments.flips // len(files))
        flips = cuts = 0
        for path in files:
            name, size = os.path.relpath(path, data), os.path.getsize(path)
            positions = list(range(min(arguments.header, size)))
            positions += [chance.randrange(size) for _ in range(per_file)]
            for position in positions:
                with open(path, "r+b") as file:
                    file.seek(position)
                    byte = file.read(1)[0]
                    file.seek(position)
                    file.write(bytes([byte ^ (1 << chance.randrange(8))]))
                # One EIN a flip in turn keeps this fast; every fiftieth flip asks for all.
                asked = eins[:EINS] if flips % 50 == 0 else [eins[flips % len(eins[:EINS])]]
                check.damaged(path, f"{name} at byte {position}", asked)
                with open(path, "r+b") as file:
                    file.seek(position)
                    file.write(bytes([byte]))
                flips += 1
            aside = os.path.join(work, "whole")
            for length in sorted({0, 1, size // 2, size - 1}):
                shutil.copy2(path, aside)
                os.truncate(path, length)
                check.damaged(path, f"{name} cut to {length} of {size}", eins[:EINS])
                shutil.copy2(aside, path)
                cuts += 1
        whole = run(arguments.almoner, "verify", "--data-dir", data)
        if whole.returncode != 0:
            check.failures.append(f"verify fails after all was restored: {whole.stderr.strip()}")
        print(f"files: {len(files)}")
        print(f"flips: {flips}")
        print(f"truncations: {cuts}")
        print(f"answers as before: {check.same}")
        print(f"clean refusals: {check.refused}")
        print(f"failures: {len(check.failures)}")
        for failure in check.failures[:50]:
            print(failure, file=sys.stderr)
        sys.exit(1 if check.failures else 0)


def some_eins(almoner, data):
    eins = []
    for query in ("fo", "ch", "as", "fr", "st", "ne", "ha", "be"):
        path = f"/typeahead/nonprofits?q={query}&limit=25"
        done = run(almoner, "get", "--data-dir", data, path)
        if done.returncode == 0:
            collect(json.loads(done.stdout), eins)
        if len(eins) >= EINS:
            return eins
    if not eins:
        sys.exit("typeahead gave no EIN: name some with --eins")
    return eins


def collect(value, eins):
    """Every `ein` of an answer, whatever it is nested in."""
    if isinstance(value, dict):
        ein = value.get("ein")
        if isinstance(ein, str) and ein not in eins:
            eins.append(ein)
        for inner in value.values():
            collect(inner, eins)
    elif isinstance(value, list):
        for inner in value:
            collect(inner, eins)


if __name__ == "__main__":
    main()
