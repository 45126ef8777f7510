#!/usr/bin/env python3
"""Makes each system call of a build, and of what reads a snapshot, fail once.

A build of new data over an old snapshot is run under strace, and one call of it fails with an
error that such a call may give: the disk is full or worn, a limit is met, memory is short. Each
build ends with exit code 1 and one line that says what failed, or does without that call and
publishes. Either way `almoner verify` passes, `almoner get` answers from the snapshot that
`CURRENT` names, and every file of that is byte for byte as an undisturbed build writes it; a later
build succeeds and leaves nothing behind (tried after every fifth failure, and after all that left
something). Where memory for the heap is refused a process may be aborted with `memory allocation
of N bytes failed`; these are counted apart. `verify`, `get` and the opening of `serve` likewise end
with a line, or give the right answer.

A call of the first thread fails alone. Calls of other threads are counted by thread, so that the
N-th of each fails, and threads make what that is vary from run to run. The loader's calls, before
the program first names its files, are left out, and so are those of other threads that have the
same numbers. Of calls that only read or ask, at most 60 a name are tried, evenly spread, and of
builds with vectors 60 of all; of any other at most 2,000. --quick tries about 60 in all.

One line a figure; exits 1 if anything failed. Thought through on x86-64 Linux with strace 6.1.
"""

import argparse
import http.client
import os
import signal
import subprocess
import sys
import threading

import strace
from failing import ERRORS, SECONDS_MAX, Trial, chosen, errors_of
from folder import Broken, Folder, Inputs, workplace
from trial import Verdict, must

SOME, QUICK = 60, 40
CACHE_POINTS = 6
BUILD_EVERY = 5
ORGANIZATIONS = 60
NO_VECTORS = "--no-semantic"
LISTENING = "listening on"


class Builds(Trial):
    """Builds of new data over old."""

    def points(self, most):
        self.folder.build("old")
        command = self.folder.command("new")
        done, calls = strace.count(command, ERRORS, self.begins, self.log)
        if done.returncode != 0 or not calls.has_begun:
            sys.exit(f"strace of a build exited {done.returncode}: {done.stderr.strip()[-300:]}")
        self.folder.build("old")
        return calls, chosen(calls, most)

    def trial(self, point, error):
        before = self.folder.named()
        done = self.run(self.folder.command("new"), point, error)
        found = "did without" if done.returncode == 0 else self.told(done, point.call)
        state = self.folder.state(before)
        if done.returncode == 0 and state == "old":
            raise Broken("exit 0, and nothing is published")
        if done.returncode != 0 and state == "new":
            found = f"{found}, though published"
        litter = self.folder.litter()
        for name in litter:
            self.left[f"{kind(name)} after {point.call}"] += 1
        if litter or state == "new" or sum(self.calls.values()) % BUILD_EVERY == 0:
            self.folder.renewed("old")
        return found

    def each(self, points, trial=None):
        for point, error in points:
            if not self.tried(point, error, trial or self.trial):
                self.folder.emptied()
                self.folder.build("old")


def kind(name):
    """What it is that was left."""
    return "a snapshot" if name[0].isdigit() else name.split("-")[0]


def builds(trial, most):
    calls, points = trial.points(most)
    trial.each(points)
    trial.said(sum(len(calls.points(call)) for call in ERRORS))


def uncached(trial):
    """Builds that embed: calls on the vector cache, which is removed before each."""
    cache = os.path.join(trial.folder.path, "vectors.cache")
    trial.folder.build("old")
    os.remove(cache)
    _, calls = strace.count(trial.folder.command("new"), ERRORS, trial.begins, trial.log)
    trial.folder.build("old")
    about = [
        point
        for call in ("openat", "pwrite64", "ftruncate", "write")
        for point in calls.points(call)
        if point.call == "pwrite64" or "vectors.cache" in calls.text(point)
    ]

    def once(point, error):
        if os.path.exists(cache):
            os.remove(cache)
        return trial.trial(point, error)

    points = []
    for turn, point in enumerate(strace.evenly(about, CACHE_POINTS)):
        errors = errors_of(calls, point)
        points.append((point, errors[turn % len(errors)]))
    trial.each(points, once)
    trial.said(len(about))


class Readings(Trial):
    """Commands that read a snapshot."""

    def each(self, command, is_right, most):
        done, calls = strace.count(command, ERRORS, self.begins, self.log)
        if not is_right(done):
            sys.exit(f"{self.what} under strace exited {done.returncode}: {done.stderr.strip()}")

        def trial(point, error):
            done = self.run(command, point, error)
            if is_right(done):
                return "right"
            if done.returncode == 0:
                raise Broken(f"exit 0, and another answer: {done.stdout[:200]}")
            return self.told(done, point.call)

        for point, error in chosen(calls, most):
            self.tried(point, error, trial)
        self.said(sum(len(calls.points(call)) for call in ERRORS))


class Openings(Trial):
    """Servers that start."""

    def served(self, before):
        """Starts a server after `before`, asks it and ends it; as a command that was run."""
        server = [*before, self.folder.almoner, "serve", "--data-dir", self.folder.path]
        process = subprocess.Popen(
            [*map(str, server), "--listen", "127.0.0.1:0", "--log-level", "off"],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            env=os.environ | strace.ALONE,
            start_new_session=True,
        )
        hung = []

        def end():
            hung.append("hangs")
            strace.signalled(process, signal.SIGKILL)

        late = threading.Timer(SECONDS_MAX, end)
        late.start()
        lines, answer = [], ""
        for line in process.stderr:
            lines.append(line)
            if line.startswith(LISTENING):
                answer = self.asked(int(line.rsplit(":", 1)[1]))
                # strace does not heed this one.
                strace.signalled(process, signal.SIGTERM)
        code = process.wait()
        late.cancel()
        process.stderr.close()
        return subprocess.CompletedProcess(server, code, answer, "".join(lines + hung))

    def asked(self, port):
        """What it answers: the paths that tell old from new."""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        answers = []
        try:
            for path in self.folder.paths:
                connection.request("GET", path, headers={"X-API-Key": self.key})
                answers.append(connection.getresponse().read().decode())
        except (OSError, http.client.HTTPException) as error:
            return f"no answer: {error}"
        finally:
            connection.close()
        return "\n".join(answers)

    def each(self, most):
        """Calls before it says where it listens."""
        data = ["--data-dir", self.folder.path]
        key = must(self.folder.almoner, "keys", "create", *data, "--name", "trial")
        self.key = key.stdout.strip()
        traced = ["strace", "-f", "-o", self.log, "-e", "signal=none"]
        right = self.served([*traced, "-e", f"trace=%file,{strace.named(ERRORS)}"])
        expected = [answer for _, answer in self.folder.expected["old"]]
        if right.returncode != 0 or right.stdout.split("\n") != expected:
            sys.exit(f"the server under strace exited {right.returncode}: {right.stderr}")
        with open(self.log, encoding="utf-8", errors="replace") as log:
            lines = log.readlines()
        end = next(at for at, line in enumerate(lines) if LISTENING in line)
        calls = strace.Calls(lines[: end + 1], self.begins)

        def trial(point, error):
            done = self.served(strace.tampering(point, f"error={error}", self.log))
            if done.stdout == right.stdout and done.returncode == 0:
                return "right"
            if done.stdout:
                raise Broken(f"exit {done.returncode}, answers {done.stdout[:200]}")
            return self.told(done, point.call)

        for point, error in chosen(calls, most):
            # It writes where it listens, which has to be known, and wakes threads.
            if point.call != "write":
                self.tried(point, error, trial)
        self.said(sum(len(calls.points(call)) for call in ERRORS))


def readings(verdict, folder, log, most):
    folder.build("old")
    almoner, data = folder.almoner, ["--data-dir", folder.path]
    verify = Readings(verdict, folder, "verify", log)
    verify.each([almoner, "verify", *data], lambda done: "is whole" in done.stdout, most)
    get = Readings(verdict, folder, "get", log)
    right = folder.expected["old"][0]
    command = [almoner, "get", *data, folder.paths[0]]
    get.each(command, lambda done: (done.returncode, done.stdout.strip()) == right, most)
    Openings(verdict, folder, "serve", log).each(most)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--quick", action="store_true", help="about 60 runs, without vectors")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not strace.is_there():
        print("skipped: needs strace")
        return
    verdict = Verdict("failing calls")
    almoner, quick = arguments.almoner, arguments.quick
    with workplace("calls") as work:
        inputs = Inputs(almoner, os.path.join(work, "inputs"), ORGANIZATIONS, arguments.seed)
        log = os.path.join(work, "log")
        plain = Folder(almoner, inputs, os.path.join(work, "plain"), NO_VECTORS)
        builds(Builds(verdict, plain, "build", log), QUICK if quick else None)
        readings(verdict, plain, log, QUICK // 5 if quick else None)
        if not quick:
            folder = Folder(almoner, inputs, os.path.join(work, "vectors"))
            builds(Builds(verdict, folder, "build with vectors", log), SOME)
            uncached(Builds(verdict, folder, "build that embeds", log))
    verdict.end()


if __name__ == "__main__":
    main()
