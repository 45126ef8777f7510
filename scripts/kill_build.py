#!/usr/bin/env python3
"""Kills builds at random moments and checks that the data directory never breaks.

A snapshot of 1,000 fictional organizations is built first; then builds of --input into the same
data directory are killed with SIGKILL: a third at a random moment of the whole build, a third after
its data files are written, when it is sealed, and a third when it is published. After each, `almoner verify` must pass, and `almoner get` of an organization of the first data must answer
its old record, or be gone or changed because the new snapshot was published; an `almoner serve`
that runs all the while must go on answering one of the two. A last build is left alone; after it
there must be one snapshot and no litter. One line a figure; exits 1 if anything failed.
"""

import argparse
import csv
import glob
import http.client
import os
import random
import signal
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


WRITTEN, SEALED = "writing typeahead", "sealing"


def build_until(command, moment, after=None):
    """Kills a build so many seconds after its begin, or after the line that begins so."""
    builder = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    if after:
        for line in builder.stderr:
            if line.startswith(after):
                break
    try:
        builder.wait(timeout=moment)
        was_killed = False
    except subprocess.TimeoutExpired:
        builder.kill()
        builder.wait()
        was_killed = True
    builder.stderr.close()
    return was_killed


def timed_build(command):
    """Seconds of a whole build, and of it those after each of its stages."""
    started = time.monotonic()
    builder = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    ends = [(line, time.monotonic()) for line in builder.stderr]
    if builder.wait() != 0:
        sys.exit(f"{' '.join(command)} exited {builder.returncode}")
    ended = time.monotonic()
    return ended - started, {
        stage: ended - next(end for line, end in ends if line.startswith(stage))
        for stage in (WRITTEN, SEALED)
    }


class Server:
    """`almoner serve` of the data directory, asked for one path."""

    def __init__(self, almoner, data, path):
        self.path = path
        self.key = must(almoner, "keys", "create", "--data-dir", data, "--name", "x").stdout.strip()
        self.process = subprocess.Popen(
            [almoner, "serve", "--data-dir", data, "--listen", "127.0.0.1:0", "--log-level", "off"],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.port = int(self.process.stderr.readline().rsplit(":", 1)[1])

    def answer(self):
        """Status and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", self.path, headers={"X-API-Key": self.key})
        response = connection.getresponse()
        found = response.status, response.read().decode()
        connection.close()
        return found

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=30)


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
        whole, rest = timed_build([*build, spare, arguments.input])
        new = answer(spare)
        if old[0] != 0 or old == new:
            sys.exit("the two data sets cannot be told apart: choose another --input")
        print(f"undisturbed build: {whole:.2f} s; after writing {rest[WRITTEN]:.3f} s, "
              f"after sealing {rest[SEALED]:.3f} s")
        server = Server(arguments.almoner, data, path)
        served = {server.answer()[1]}

        counts = {"old": 0, "new": 0, "killed": 0, "ended by themselves": 0}
        for number in range(arguments.kills):
            if answer(data) == new:
                # Go on from the old snapshot, so that each kill may meet the publication.
                must(*build, data, old_input)
            after = (None, WRITTEN, SEALED)[number % 3]
            moment = moments.uniform(0, rest[after] if after else whole)
            was_killed = build_until([*build, data, arguments.input], moment, after)
            counts["killed" if was_killed else "ended by themselves"] += 1
            where = f"kill {number} {moment:.3f} s after {after or 'its begin'}"
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
            served.add(server.answer()[1])

        # While it runs it holds the snapshot that it serves.
        ended = server.stop()
        must(*build, data, arguments.input)
        must(arguments.almoner, "verify", "--data-dir", data)
        if answer(data) != new:
            failures.append("the last build did not publish the new data")
        # What the server answered, by the answers offline: the same but for the line feed.
        expected = {text.strip() for text in (old[1], new[1])}
        wrong = {text for text in served if text.strip() not in expected}
        if wrong or ended != 0:
            failures.append(f"the server exited {ended}, and answered also {wrong}")
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
