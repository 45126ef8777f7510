"""The program under strace: its calls counted, and the program killed at one, or one failed.

strace counts calls by thread. So a point is either the N-th call of the first thread, which is then
followed alone, or the N-th call of whichever thread comes to it, all of them followed. With one
thread for what is done on all cores (`RAYON_NUM_THREADS=1`) most calls are made by the first, in
the same order each time, and one other makes nearly all the rest.
"""

import collections
import contextlib
import os
import re
import shutil
import signal
import subprocess
import typing

from trial import COMMAND_SECONDS_MAX

ALONE = {"RAYON_NUM_THREADS": "1"}
# A line of the log: who, the call, the rest. What is resumed was counted where it began.
LINE = re.compile(r"^(\d+)\s+(\w+)\((.*)$")
INJECTED = "(INJECTED)"
# How a process ends that is killed.
KILLED = -signal.SIGKILL


class Point(typing.NamedTuple):
    """A call: the N-th of its name, of the first thread or of any."""

    call: str
    number: int
    of_any: bool

    def __str__(self):
        return f"{self.call} {self.number} of {'any' if self.of_any else 'the first'} thread"


class Calls:
    """What a run called: the first thread's calls, and how many each other thread made."""

    def __init__(self, lines, begins):
        self.first = collections.defaultdict(list)
        self.before = collections.Counter()
        others = collections.defaultdict(collections.Counter)
        leader, has_begun = None, False
        for line in lines:
            found = LINE.match(line)
            if not found:
                continue
            thread, call, rest = found.groups()
            leader = leader or thread
            if thread != leader:
                others[call][thread] += 1
                continue
            has_begun = has_begun or call != "execve" and begins(rest)
            if not has_begun:
                self.before[call] += 1
            self.first[call].append(rest)
        self.has_begun = has_begun
        self.others = {call: max(threads.values()) for call, threads in others.items()}

    def points(self, call):
        """Every call of that name that the program makes once its own work has begun."""
        before = self.before[call]
        own = range(before + 1, len(self.first[call]) + 1)
        # The loader of the first thread has calls of the same number: those would hit it instead.
        others = range(before + 1, self.others.get(call, 0) + 1)
        points = [Point(call, number, False) for number in own]
        return points + [Point(call, number, True) for number in others]

    def text(self, point):
        """The arguments of the first thread's call, as strace writes them."""
        return self.first[point.call][point.number - 1] if not point.of_any else ""


def is_there():
    """Whether there is an strace that may follow a program."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-o", os.devnull, "true"], capture_output=True).returncode == 0


def named(calls):
    """Calls by name; those that this architecture lacks are passed over."""
    return ",".join(f"?{call}" for call in calls)


def count(command, calls, begins, log):
    """Runs a command unharmed and tells its calls; `begins` knows the program's own first one."""
    traced = ["strace", "-f", "-o", log, "-e", "signal=none", "-e", f"trace=%file,{named(calls)}"]
    done = subprocess.run(
        [*traced, *map(str, command)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=os.environ | ALONE,
        timeout=COMMAND_SECONDS_MAX,
    )
    return done, told(log, begins)


def told(log, begins):
    """The calls of a log."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        return Calls(lines, begins)


def tampering(point, how, log):
    """What goes before a command so that one call of it is tampered with."""
    # strace ends as the program does, by the same code or signal.
    traced = ["strace", *(["-f"] if point.of_any else []), "-o", log, "-e", "signal=none"]
    inject = f"inject={point.call}:{how}:when={point.number}"
    return [*traced, "-e", f"trace={point.call}", "-e", inject]


def tampered(command, point, how, log, seconds):
    """Runs a command with one call of it tampered with; past its time it is killed."""
    process = subprocess.Popen(
        [*tampering(point, how, log), *map(str, command)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=os.environ | ALONE,
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        signalled(process, signal.SIGKILL)
        output, errors = process.communicate()
        errors += f"\nhangs: killed after {seconds} s"
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def signalled(process, number):
    """Sends a signal to strace, which began a session, and to what it follows."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)


def was_injected(log):
    """Whether a call was failed in the run of a log."""
    with open(log, encoding="utf-8", errors="replace") as lines:
        return any(INJECTED in line for line in lines)


def evenly(points, most):
    """At most so many of a list, evenly spread."""
    if len(points) <= most:
        return list(points)
    return [points[(2 * at + 1) * len(points) // (2 * most)] for at in range(most)]
