#!/usr/bin/env python3
"""Builds the same inputs again and again, and compares what was built byte by byte.

The inputs are all that `almoner generate` writes. The first build is made on every core and has
no vector cache. Each further one is made in another way, into a data directory of its own:

  warm     on one core, with the cache of the first, from a copy of the inputs that was written in
           the opposite order
  cold     on one core, without a cache
  damaged  with a cache of which a byte is changed
  clock    with the cache of the first, by a clock that is 30 years ahead (where faketime is installed)

(--quick: warm and clock). Every file must be the same, but for those of a table in this script, each
with its reason; where the reason leaves something to compare, that must be the same too. A line a
build; exits 1 if anything failed.
"""

import argparse
import json
import os
import shutil
import tempfile
import time
from pathlib import Path

import trial

ORGANIZATIONS, ORGANIZATIONS_QUICK = 3000, 100
# What a snapshot's identifier is replaced by, so that paths can be compared.
ANY = "*"
YEARS_AHEAD = 30
MANIFEST = f"snapshots/{ANY}/manifest.json"


def same_but_for_time(one, other):
    """Of two manifests: what is neither the snapshot's name nor when it was built."""
    def rest(path):
        manifest = json.loads(path.read_bytes())
        del manifest["snapshot"], manifest["built_at"]
        return manifest

    return rest(one) == rest(other)


def same_but_for_names(one, other):
    """Of two CURRENT: the format."""
    return one.read_text().split()[0] == other.read_text().split()[0]


def no_shorter(one, other):
    """Of two caches: nothing is lost."""
    return other.stat().st_size >= one.stat().st_size


# Which files may differ, why, and whether what the reason does not touch is the same.
DIFFER = {
    "CURRENT": ("names the snapshot, the manifest's SHA-256 and its own checksum",
                same_but_for_names),
    MANIFEST: ("holds the snapshot's name and the time of the build", same_but_for_time),
}
# A chunk of the cache that is damaged stays where it is, and what it held is added behind it.
DIFFER_DAMAGED = {**DIFFER, "vectors.cache": ("keeps its damaged chunk", no_shorter)}


class Builds:
    """The first build, and those that are compared with it."""

    def __init__(self, almoner, work, organizations, seed, verdict):
        self.almoner, self.work, self.verdict = almoner, work, verdict
        self.inputs = work / "inputs"
        generate = ["generate", self.inputs, "--organizations", organizations, "--seed", seed]
        trial.must(almoner, *generate)
        self.first = self.built("first", self.inputs, os.sched_getaffinity(0))
        self.cache = self.first / "vectors.cache"
        verdict.figure(f"first: {len(files_of(self.first))} files of {organizations} organizations "
                       f"on all cores, without a cache, in {self.seconds:.1f} s")

    def built(self, name, inputs, cores, cache=None, before=()):
        """A data directory; with a cache's bytes to begin with, by a command that stands before."""
        data = self.work / name
        data.mkdir()
        if cache:
            (data / "vectors.cache").write_bytes(cache)
        start = time.perf_counter()
        usual = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cores)
        try:
            done = trial.must(*before, self.almoner, "build", "--wait-for-vectors", "--data-dir", data, inputs)
        finally:
            os.sched_setaffinity(0, usual)
        self.seconds, self.said = time.perf_counter() - start, done.stdout + done.stderr
        return data

    def compare(self, name, inputs, cores, cache=None, differ=None, before=()):
        """Builds once more, compares each file and removes what was built."""
        data = self.built(name, inputs, cores, cache, before)
        one, other = files_of(self.first), files_of(data)
        for path in sorted(one.keys() ^ other.keys()):
            self.verdict.failed(f"{name}: {path} is in one data directory only")
        same, told = 0, []
        for path in sorted(one.keys() & other.keys()):
            if one[path].read_bytes() == other[path].read_bytes():
                same += 1
                continue
            reason, rest_is_same = (differ or DIFFER).get(path, (None, None))
            if not reason:
                self.verdict.failed(f"{name}: {path} differs, and should not")
            elif not rest_is_same(one[path], other[path]):
                self.verdict.failed(f"{name}: {path} differs in more than that it {reason}")
            else:
                told.append(f"{path} {reason}")
        self.verdict.figure(f"{name}: {same} files are the same, on {len(cores)} of {os.cpu_count()} "
                            f"cores in {self.seconds:.1f} s; {len(told)} differ: {'; '.join(told)}")
        shutil.rmtree(data)


def files_of(data):
    """The files of a data directory, by path with the snapshot's name left out."""
    found = {}
    for path in data.rglob("*"):
        if path.is_file():
            parts = list(path.relative_to(data).parts)
            if parts[0] == "snapshots":
                parts[1] = ANY
            found["/".join(parts)] = path
    return found


def copied_in_reverse(folder, to):
    """The same files with the same dates, the last one written first."""
    to.mkdir()
    for path in sorted(folder.iterdir(), reverse=True):
        if path.is_dir():
            copied_in_reverse(path, to / path.name)
        else:
            shutil.copy2(path, to / path.name)


def damaged(cache, verdict, builds):
    """A build whose cache has a byte of its last row changed: it has to notice."""
    changed = bytearray(cache)
    changed[-1] ^= 1
    cores = os.sched_getaffinity(0)
    builds.compare("damaged", builds.inputs, cores, bytes(changed), DIFFER_DAMAGED)
    if "damaged rows, which are embedded again" not in builds.said:
        verdict.failed("damaged: the build does not say that rows of the cache are damaged")


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--quick", action="store_true", help="two builds of a small input")
    parser.add_argument("--organizations", type=int,
                        help=f"default: {ORGANIZATIONS}, quick {ORGANIZATIONS_QUICK}")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    verdict = trial.Verdict("reproducible")
    count = ORGANIZATIONS_QUICK if arguments.quick else ORGANIZATIONS
    count = arguments.organizations or count
    with tempfile.TemporaryDirectory(prefix="almoner-equal-") as folder:
        work = Path(folder)
        builds = Builds(arguments.almoner, work, count, arguments.seed, verdict)
        one_core, cache = {min(os.sched_getaffinity(0))}, builds.cache.read_bytes()
        copied_in_reverse(builds.inputs, work / "copy")
        builds.compare("warm", work / "copy", one_core, cache)
        if shutil.which("faketime"):
            ahead = ("faketime", f"+{YEARS_AHEAD} years")
            builds.compare("clock", builds.inputs, one_core, cache, before=ahead)
        else:
            verdict.figure("clock: skipped, faketime is not installed")
        if not arguments.quick:
            builds.compare("cold", builds.inputs, one_core)
            damaged(cache, verdict, builds)
    verdict.end()


if __name__ == "__main__":
    main()
