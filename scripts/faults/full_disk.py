#!/usr/bin/env python3
"""Builds onto a disk that becomes full; the snapshot before stays whole and served.

A tmpfs holds an old snapshot and is given --points sizes, spread evenly over what a build of new
data takes beside it, from no room at all; then, so that names rather than bytes run out, some
numbers of inodes. Each build fails with exit code 1 and one line that names a file of the data
directory, says that no space is left and what to do about it; its staging folder is gone.
`almoner verify` passes, `almoner get` answers from the old snapshot, and so does an `almoner serve`
that runs all the while. With room enough the build then succeeds, and the server serves the new
one. The same with vectors, whose cache begins anew each time, at some of the points.

Without root it mounts in a namespace of its own; where that may not be either, it is skipped. One
line a figure; exits 1 if anything failed. Thought through on x86-64 Linux, with tmpfs; file systems
that allocate late can find that they are full only when a file is flushed.
"""

import argparse
import collections
import fcntl
import os
import re
import subprocess
import sys
import time

from folder import Broken, Folder, Inputs, serving, workplace
from trial import Verdict, run

ORGANIZATIONS = 100
# Bytes beyond what both snapshots take that every build has to be content with.
MARGIN_BYTES = 4 << 20
LARGE_BYTES, MANY_INODES = 512 << 20, 1 << 20
INODE_POINTS, QUICK_POINTS, VECTOR_POINTS = 5, 5, 5
# A server looks for a new snapshot several times a second.
SWAP_SECONDS_MAX = 20
NO_VECTORS = "--no-semantic"
FULL = "No space left on device"
ADVICE = re.compile(r"\b(free|room|larger)\b")
STAGING = re.compile(r"staging-\w+-\w+")
# Set for the run in a namespace of its own.
WITHIN = "ALMONER_FULL_DISK_WITHIN"


class Disk:
    """A tmpfs of a size that can be changed."""

    def __init__(self, path):
        self.path = path
        os.makedirs(path)

    def __enter__(self):
        self.is_mounted = self.mounted(f"size={LARGE_BYTES}").returncode == 0
        return self

    def __exit__(self, *_):
        if self.is_mounted and run("umount", self.path).returncode != 0:
            run("umount", "--lazy", self.path)

    def mounted(self, options):
        # All is named, so that no options are taken over that a namespace does not know.
        return run("mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path)

    def resize(self, bytes_max=LARGE_BYTES, inodes_max=MANY_INODES):
        """Sets how much it takes."""
        done = self.mounted(f"remount,size={bytes_max},nr_inodes={inodes_max}")
        if done.returncode != 0:
            sys.exit(f"cannot resize the tmpfs: {done.stderr.strip()}")

    def used(self):
        """Bytes and inodes in use."""
        found = os.statvfs(self.path)
        return (found.f_blocks - found.f_bfree) * found.f_frsize, found.f_files - found.f_ffree


class Trial:
    """Builds onto one disk."""

    def __init__(self, verdict, disk, folder, what):
        self.verdict, self.disk, self.folder, self.what = verdict, disk, folder, what
        self.counts = collections.Counter()
        self.lines = collections.Counter()
        # What did not hold: where, by what it was.
        self.failures = collections.defaultdict(list)

    def needs(self):
        """Bytes and inodes in use before a build, and when it has written everything."""
        folder = self.folder
        self.forget()
        manifest = os.path.join(folder.path, "snapshots", folder.named(), "manifest.json")
        before = self.disk.used()
        with open(manifest, "rb") as held:
            # Whoever reads a snapshot holds this lock: it is not removed.
            fcntl.flock(held, fcntl.LOCK_SH)
            folder.build("new")
            after = self.disk.used()
        folder.renewed("old")
        self.forget()
        return before, after

    def forget(self):
        """Removes the vector cache, so that each build writes it from its beginning."""
        cache = os.path.join(self.folder.path, "vectors.cache")
        if os.path.exists(cache):
            os.remove(cache)

    def told(self, done):
        """A failure has to say what is the matter."""
        lines = [line for line in done.stderr.splitlines() if line.startswith("almoner: ")]
        if done.returncode != 1 or len(lines) != 1 or "panicked" in done.stderr:
            raise Broken(f"exit {done.returncode}: {done.stderr.strip()[-300:]}")
        line = lines[0].removeprefix("almoner: ").replace(self.folder.path, "DIR")
        self.lines[STAGING.sub("staging", line).split(":")[0]] += 1
        if FULL not in line or "DIR" not in line:
            raise Broken("the line does not say what is full")
        if not ADVICE.search(line):
            raise Broken("the line does not say what to do")

    def at(self, where, server):
        """One build with what room there is."""
        before = self.folder.named()
        self.counts["all"] += 1
        self.forget()
        done = run(*self.folder.command("new"))
        try:
            if self.folder.state(before) != "old":
                raise Broken(f"exit {done.returncode}, published where there is no room")
            litter = self.folder.litter(is_served=True)
            if litter:
                raise Broken(f"left {' and '.join(name.split('-')[0] for name in litter)}")
            self.folder.ask(server)
            self.told(done)
        except Broken as broken:
            self.failures[str(broken)].append((where, done.stderr.strip().splitlines()[-1:]))
            return
        self.counts["refused"] += 1

    def enough(self, bytes_max, server):
        """With room the build succeeds, and is served."""
        self.disk.resize(bytes_max)
        before = self.folder.named()
        done = run(*self.folder.command("new"))
        if done.returncode != 0 or self.folder.state(before) != "new":
            raise Broken(f"with room: exit {done.returncode}: {done.stderr.strip()[-300:]}")
        new = self.folder.expected["new"][0][1]
        until = time.monotonic() + SWAP_SECONDS_MAX
        while server.get(self.folder.paths[0])[1].strip() != new:
            if time.monotonic() > until:
                raise Broken("with room: the server does not swap to the new snapshot")
            time.sleep(0.1)

    def all(self, points, inode_points):
        """Every amount of room, and enough of it."""
        (low, few), (high, many) = self.needs()
        with serving(self.folder) as server:
            # The keys lie there too.
            low, few = (max(pair) for pair in zip((low, few), self.disk.used()))
            for at in range(points):
                room = (high - low) * at // points
                self.disk.resize(low + room)
                self.at(f"{room} bytes free", server)
            for at in range(inode_points):
                room = (many - few) * at // inode_points
                self.disk.resize(inodes_max=few + room)
                self.at(f"{room} inodes free", server)
            try:
                self.enough(high + MARGIN_BYTES, server)
                room = (high - low + MARGIN_BYTES) >> 10
                self.verdict.figure(f"{self.what}: built with {room} KiB free")
            except Broken as broken:
                self.verdict.failed(f"{self.what}: {broken}")
            if server.stop() != 0:
                self.verdict.failed(f"{self.what}: the server did not end well")
        refused, tried = self.counts["refused"], self.counts["all"]
        self.verdict.figure(
            f"{self.what}: {points} sizes up to {(high - low) >> 10} KiB free, {inode_points} "
            f"numbers of inodes: {refused} of {tried} builds refused as they should be"
        )
        for line, count in self.lines.most_common():
            self.verdict.figure(f"{self.what}: {count} times: {line}")
        for what, found in self.failures.items():
            where, line = found[0]
            self.verdict.failed(f"{self.what}: {what} ({len(found)} times, first {where}: {line})")


def in_a_namespace():
    """Runs this again where it may mount; tells whether that can be."""
    if WITHIN in os.environ or run("unshare", "-rm", "true").returncode != 0:
        return False
    command = ["unshare", "-rm", sys.executable, *sys.argv]
    sys.exit(subprocess.run(command, env=os.environ | {WITHIN: "1"}).returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--points", type=int, default=20, help="sizes of the disk")
    parser.add_argument("--quick", action="store_true", help="fewer, without vectors")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    verdict = Verdict("full disk")
    almoner, quick = arguments.almoner, arguments.quick
    with workplace("full") as work, Disk(os.path.join(work, "disk")) as disk:
        if not disk.is_mounted:
            if not in_a_namespace():
                print("skipped: needs to mount a tmpfs")
            return
        inputs = Inputs(almoner, os.path.join(work, "inputs"), ORGANIZATIONS, arguments.seed)
        plain = Folder(almoner, inputs, os.path.join(disk.path, "plain"), NO_VECTORS)
        points = QUICK_POINTS if quick else arguments.points
        Trial(verdict, disk, plain, "without vectors").all(points, 1 if quick else INODE_POINTS)
        if not quick:
            disk.resize()
            plain.emptied()
            folder = Folder(almoner, inputs, os.path.join(disk.path, "vectors"))
            Trial(verdict, disk, folder, "with vectors").all(VECTOR_POINTS, 0)
    verdict.end()


if __name__ == "__main__":
    main()
