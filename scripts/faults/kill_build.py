#!/usr/bin/env python3
"""Kills builds at every boundary and at random moments; the data directory never breaks.

An old snapshot is published, and a build of new data into the same data directory is killed with
SIGKILL, which leaves what was written to the system as it is (it is no power failure):

- at boundaries, under strace: before each call that makes, renames, removes, cuts or flushes
  something, and before the end of the process, which is after the last of them. So for a build
  without vectors; for some of one with vectors; of one that first removes what a killed build left;
  and of the first build of all, into a folder that does not exist.
- at --kills random moments of an untraced build on all cores: a third of the whole build, a third
  once its data files are written, and a third once it is sealed. Of a build that ends before its
  moment the outcome counts, but not as a kill.

After each, `almoner verify` passes, `almoner get` answers from the old snapshot or from the new
one, whichever `CURRENT` names, and every file of it is byte for byte that of an undisturbed build
(but for the list of changes, which tells of the snapshot before); an `almoner serve` that runs all
the while (at renames, and at random moments) answers from one of the two; the next build succeeds
and leaves one snapshot, and no file that does not belong there. At random moments the next build is
tried after every fifth kill, and after each that published.

strace counts calls by thread: of the first each is a boundary, of others the N-th of whichever
thread comes to it first. With `RAYON_NUM_THREADS=1` there is one other that flushes.

One line a figure; exits 1 if anything failed. Thought through on x86-64 Linux with strace 6.1.
"""

import argparse
import collections
import os
import random
import sys

import strace
from folder import Broken, Folder, Inputs, serving, workplace
from moments import SEALED, WRITTEN, build_until, timed_build
from trial import Verdict, run

# What changes names, lengths or what is on disk; `exit_group` is after the last of them.
BOUNDARIES = [
    *("rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat"),
    *("unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "truncate", "ftruncate", "fallocate"),
    *("fsync", "fdatasync", "sync_file_range", "msync", "exit_group"),
]
# Of these a server runs all the while: it keeps the old snapshot, so that no build removes it.
SERVED = ("rename", "renameat", "renameat2", "exit_group")
KILL = "signal=SIGKILL"
BUILD_SECONDS_MAX = 120
BUILD_EVERY = 5
NO_VECTORS = "--no-semantic"
SMALL, LARGE = 60, 1000
# Builds begun for a kill at a random moment, at most: some end before it.
BUILDS_A_KILL_MAX = 4
ENDED = "ended by themselves"
# Points tried, of all that there are: of vectors, litter and first builds, and for --quick.
SOME, QUICK = 40, 8


class Trial:
    """Kills of one kind, what was found after each, and what the verdict is told."""

    def __init__(self, verdict, folder, what, work):
        self.verdict, self.folder, self.what = verdict, folder, what
        self.log = os.path.join(work, "log")
        self.counts = collections.Counter()

    def calls(self):
        """The calls of an unharmed build, of the new data over what is there."""
        inputs = self.folder.inputs.new
        begins = lambda text: inputs in text or self.folder.path in text
        done, calls = strace.count(self.folder.command("new"), BOUNDARIES, begins, self.log)
        if done.returncode != 0:
            sys.exit(f"strace of a build exited {done.returncode}: {done.stderr.strip()[-300:]}")
        return calls

    def points(self):
        """Every boundary of a build."""
        calls = self.calls()
        return [point for call in BOUNDARIES for point in calls.points(call)]

    def killed(self, point):
        """Kills a build at a point."""
        command = self.folder.command("new")
        done = strace.tampered(command, point, KILL, self.log, BUILD_SECONDS_MAX)
        if done.returncode != strace.KILLED or "hangs" in done.stderr:
            raise Broken(f"was not killed there: exit {done.returncode}: {done.stderr[-200:]}")

    def at(self, point, prepare, after):
        """One kill: `prepare` gives the snapshot that is there before, `after` looks."""
        try:
            before = prepare()
            self.killed(point)
            self.counts[after(before)] += 1
        except Broken as broken:
            self.verdict.failed(f"{self.what}, {point}: {broken}")
            self.folder.emptied()
            self.folder.build("old")
        self.counts["all"] += 1

    def whole(self, before):
        """What a killed build left of an old snapshot; then builds that again."""
        state = self.folder.state(before)
        self.folder.renewed("old")
        return state

    def kills(self):
        return self.counts["all"] - self.counts[ENDED]

    def said(self):
        counts = self.counts
        if not self.kills():
            self.verdict.failed(f"{self.what}: nothing was killed")
        mixtures = counts["all"] - counts["old"] - counts["new"] - counts["none"]
        none = f"no snapshot yet {counts['none']}, " if counts["none"] else ""
        ended = f", {counts[ENDED]} {ENDED}" if counts[ENDED] else ""
        self.verdict.figure(
            f"{self.what}: {self.kills()} kills{ended}: {none}"
            f"old {counts['old']}, new {counts['new']}, mixtures {mixtures}"
        )


def tried(points, most):
    """At most so many: every rename, and of the rest an even choice."""
    kept = [point for point in points if point.call in SERVED]
    rest = [point for point in points if point.call not in SERVED]
    return kept + strace.evenly(rest, most)


def of_calls(points):
    """How many of each call."""
    counts = collections.Counter(point.call for point in points)
    return ", ".join(f"{call} {count}" for call, count in counts.items())


def boundaries(trial, most):
    """Kills of a build over an old snapshot."""
    trial.folder.build("old")
    points = trial.points()
    trial.folder.build("old")
    chosen = tried(points, most) if most else points
    trial.verdict.figure(f"{trial.what}: tried of {len(points)} boundaries: {of_calls(chosen)}")
    for point in chosen:
        trial.at(point, trial.folder.named, trial.whole)
    if not trial.counts["old"] or not trial.counts["new"]:
        trial.verdict.failed(f"{trial.what}: the old or the new was never found: kills missed")
    trial.said()


def served(trial):
    """The renames again, while a server answers."""
    folder = trial.folder
    points = [point for point in trial.points() if point.call in SERVED]
    folder.renewed("old")
    with serving(folder) as server:

        def after(before):
            state = folder.state(before)
            folder.ask(server)
            folder.renewed("old", is_served=True)
            folder.ask(server)
            return state

        for point in points:
            trial.at(point, folder.named, after)
        if server.stop() != 0:
            trial.verdict.failed(f"{trial.what}: the server did not end well")
    folder.renewed("new")
    trial.said()


def over_litter(trial, most):
    """Kills of a build that removes what one left that was killed just before its last rename."""
    folder = trial.folder
    folder.build("old")
    renames = [point for point in trial.points() if point.call.startswith("rename")]

    def littered():
        folder.renewed("old")
        before = folder.named()
        # The last names the snapshot, the one before it publishes its folder.
        trial.killed(renames[-2])
        if not folder.litter():
            raise Broken("a killed build left no litter")
        return before

    littered()
    points = [point for point in trial.points() if point.call.startswith(("unlink", "rmdir"))]
    for point in strace.evenly(points, most):
        trial.at(point, littered, trial.whole)
    trial.said()


def first_builds(trial, most):
    """Kills of the first build of all: there is the new snapshot, or none, and a line says so."""
    folder = trial.folder

    def emptied():
        folder.emptied()

    def after(_):
        if folder.named():
            state = folder.state(None)
        else:
            done = run(folder.almoner, "get", "--data-dir", folder.path, folder.paths[0])
            if done.returncode != 1 or "almoner build" not in done.stderr:
                raise Broken(f"get without a snapshot: {done.returncode} {done.stderr.strip()}")
            state = "none"
        folder.renewed("old")
        return state

    emptied()
    for point in tried(trial.points(), most):
        trial.at(point, emptied, after)
    trial.said()


def random_moments(trial, kills, seed):
    """Kills of untraced builds, while a server answers."""
    folder, moments = trial.folder, random.Random(seed)
    rest = timed_build(folder.command("new"))
    folder.build("old")
    with serving(folder) as server:
        for number in range(kills * BUILDS_A_KILL_MAX):
            if trial.kills() == kills:
                break
            after = (None, WRITTEN, SEALED)[number % 3]
            at_moment(trial, server, number, moments.uniform(0, rest[after]), after)
        if trial.kills() < kills:
            trial.verdict.failed(f"{trial.what}: too many builds ended before they were killed")
        if server.stop() != 0:
            trial.verdict.failed("the server did not end well")
    folder.renewed("new")
    trial.verdict.figure(f"undisturbed build: {rest[None]:.2f} s; after writing "
                         f"{rest[WRITTEN]:.3f} s, after sealing {rest[SEALED]:.3f} s")
    trial.said()


def at_moment(trial, server, number, moment, after):
    """One kill so many seconds after a stage."""
    folder = trial.folder
    before = folder.named()
    code = build_until(folder.command("new"), moment, after)
    trial.counts["all"] += 1
    trial.counts[ENDED] += code is not None
    try:
        state = folder.state(before)
        if code is not None and (code, state) != (0, "new"):
            raise Broken(f"the build exited {code} by itself, and {state} is there")
        trial.counts[state] += 1
        folder.ask(server)
        if state == "new" or number % BUILD_EVERY == 0:
            folder.renewed("old", is_served=True)
    except Broken as broken:
        where = f"kill {number} {moment:.3f} s after {after or 'its begin'}"
        trial.verdict.failed(f"{where}: {broken}")
        folder.build("old")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--kills", type=int, default=200, help="at random moments")
    parser.add_argument("--quick", action="store_true", help="some of each, without vectors")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not strace.is_there():
        print("skipped: needs strace")
        return
    verdict = Verdict("killed builds")
    quick = arguments.quick
    with workplace("kill") as work:
        small = Inputs(arguments.almoner, os.path.join(work, "small"), SMALL, arguments.seed)

        def trial(what, inputs, *options):
            path = os.path.join(work, what.replace(" ", "-"))
            return Trial(verdict, Folder(arguments.almoner, inputs, path, *options), what, work)

        def part(kills, what, inputs, options, *more):
            try:
                kills(trial(what, inputs, *options), *more)
            except Broken as broken:
                verdict.failed(f"{what}: {broken}")

        words = [NO_VECTORS]
        part(boundaries, "without vectors", small, words, QUICK if quick else None)
        part(over_litter, "over litter", small, words, 2 if quick else SOME)
        part(first_builds, "first builds", small, words, QUICK // 2 if quick else SOME)
        if not quick:
            part(served, "served", small, words)
            part(boundaries, "with vectors", small, ["--wait-for-vectors"], SOME)
        size, kills = (SMALL, QUICK) if quick else (LARGE, arguments.kills)
        large = Inputs(arguments.almoner, os.path.join(work, "large"), size, arguments.seed)
        part(random_moments, "random moments", large, words, kills, arguments.seed)
    verdict.end()


if __name__ == "__main__":
    main()
