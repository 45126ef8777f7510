#!/usr/bin/env python3
"""Kills builds at random moments and checks that the data directory never breaks.

A snapshot of 1,000 fictional organizations is built first; then builds of --input into the same
data directory are killed with SIGKILL, each at another moment. After each, `almoner verify` must
pass and `almoner get` of an organization of the first data must answer its old record, or be gone
or changed because the new snapshot was published. A last build is left alone; after it there must
be one snapshot and no litter. One line a figure; exits 1 if anything failed.
"""

import argparse
import csv
import glob
import os
import random
import subprocess
import sys
import tempfile
import time


def run(*command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} exited {done.returncode}: {done.stderr.strip()}")
    return done


def first_ein(folder):
    for path in sorted(glob.glob(os.path.join(folder, "eo*.csv"))):
        with open(path, newline="", encoding="latin-1") as rows:
            for row in csv.DictReader(rows):
                return row["EIN"]
    sys.exit(f"no organization in {folder}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--input", required=True, help="folder of the data that builds are killed on")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    failures = []
    with tempfile.TemporaryDirectory(prefix="almoner-kill-") as work:
        old_input, data = os.path.join(work, "old"), os.path.join(work, "data")
        spare = os.path.join(work, "spare")
        must(arguments.almoner, "generate", old_input, "--organizations", "1000", "--seed", "77")
        build = [arguments.almoner, "build", "--no-semantic", "--data-dir"]
        must(*build, data, old_input)
        path = f"/nonprofits/details/{first_ein(old_input)}"

        def answer(of):
            done = run(arguments.almoner, "get", "--data-dir", of, path)
            return done.returncode, done.stdout

        old = answer(data)
        started = time.monotonic()
        must(*build, spare, arguments.input)
        whole = time.monotonic() - started
        new = answer(spare)
        if old[0] != 0 or old == new:
            sys.exit("the two data sets cannot be told apart: choose another --input")
        print(f"undisturbed build: {whole:.2f} s")

        counts = {"old": 0, "new": 0, "killed": 0, "ended by themselves": 0}
        for number in range(arguments.kills):
            if counts["new"] and answer(data) == new:
                # Go on from the old snapshot, so that each kill may meet the publication.
                must(*build, data, old_input)
            builder = subprocess.Popen(
                [*build, data, arguments.input],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            moment = moments.uniform(0, whole * 1.05)
            try:
                builder.wait(timeout=moment)
                counts["ended by themselves"] += 1
            except subprocess.TimeoutExpired:
                builder.kill()
                builder.wait()
                counts["killed"] += 1
            where = f"kill {number} after {moment:.3f} s"
            verified = run(arguments.almoner, "verify", "--data-dir", data)
            if verified.returncode != 0:
                failures.append(f"{where}: verify: {verified.stderr.strip()}")
            now = answer(data)
            if now == old:
                counts["old"] += 1
            elif now == new:
                counts["new"] += 1
            else:
                failures.append(f"{where}: neither the old nor the new answer: {now}")

        must(*build, data, arguments.input)
        must(arguments.almoner, "verify", "--data-dir", data)
        if answer(data) != new:
            failures.append("the last build did not publish the new data")
        names = [name for _, folders, files in os.walk(data) for name in folders + files]
        litter = [n for n in names if n.startswith("staging") or n.endswith((".tmp", ".partial"))]
        manifests = [name for name in names if name.startswith("manifest")]
        if litter:
            failures.append(f"litter is left: {litter}")
        if len(manifests) != 1:
            failures.append(f"expected one snapshot, found {len(manifests)} manifests")
        for what, count in counts.items():
            print(f"{what}: {count}")
    print(f"failures: {len(failures)}")
    for failure in failures:
        print(failure, file=sys.stderr)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
