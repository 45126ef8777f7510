"""Which calls are made to fail and how, and what a run has to say in which one failed."""

import collections
import re

import strace
from folder import Broken

FULL = ("EIO", "ENOSPC", "EDQUOT")
NAMED = ("EIO", "ENOSPC", "EROFS")
# What changes something, or takes what there may be too little of.
CHANGES = {
    **dict.fromkeys(("write", "writev", "pwrite64", "pwritev"), FULL),
    **dict.fromkeys(("copy_file_range", "sendfile"), FULL),
    **dict.fromkeys(("fsync", "fdatasync", "sync_file_range", "msync"), ("EIO", "ENOSPC")),
    **dict.fromkeys(("rename", "renameat", "renameat2", "link", "linkat"), NAMED),
    **dict.fromkeys(("mkdir", "mkdirat"), ("ENOSPC", "EROFS", "EDQUOT")),
    **dict.fromkeys(("unlink", "unlinkat", "rmdir"), ("EIO", "EROFS")),
    **dict.fromkeys(("ftruncate", "fallocate"), ("ENOSPC", "EIO")),
    **dict.fromkeys(("mmap", "mremap"), ("ENOMEM",)),
    **dict.fromkeys(("clone", "clone3"), ("EAGAIN",)),
    "openat": ("EMFILE", "EIO"),
    "flock": ("ENOLCK",),
}
CREATING = ("ENOSPC", "EROFS", "EDQUOT", "EMFILE")
READS = {
    **dict.fromkeys(("read", "pread64", "statx", "newfstatat", "getdents64", "lseek"), ("EIO",)),
    "fchmod": ("EROFS",),
    "fcntl": ("ENOLCK",),
}
ERRORS = CHANGES | READS
# Points of one call that are tried at most.
READS_MOST, MOST = 60, 2000
# A run that takes longer hangs.
SECONDS_MAX = 60
OUT_OF_MEMORY = "memory allocation of"
# A line that is nothing but what the system said.
BARE = re.compile(r"^almoner: [^:]*\(os error \d+\)$")
# A line with an error as the program holds it, not as people read it.
DEBUG = re.compile(r"\bOs \{")
# A panic names the thread's number, which is another each time.
THREAD = re.compile(r" \(\d+\)")


class Trial:
    """Runs of one kind, each with one failing call."""

    def __init__(self, verdict, folder, what, log):
        self.verdict, self.folder, self.what, self.log = verdict, folder, what, log
        self.counts = collections.Counter()
        self.calls = collections.Counter()
        # What the next build had to remove, by what it was and the call that failed.
        self.left = collections.Counter()
        self.failures = collections.defaultdict(list)

    def begins(self, text):
        """Whether a call is one of the program's own: it names the input or the data directory."""
        return self.folder.inputs.new in text or self.folder.path in text

    def run(self, command, point, error):
        return strace.tampered(command, point, f"error={error}", self.log, SECONDS_MAX)

    def tried(self, point, error, trial):
        """One run; what broke is gathered by what it was."""
        self.calls[point.call] += 1
        try:
            found = trial(point, error)
            reached = strace.was_injected(self.log)
            self.counts[found if reached else "not reached"] += 1
        except Broken as broken:
            self.failures[f"{point.call} {error}: {broken}"].append(point)
            return False
        return True

    def told(self, done, call):
        """How a run ended that did not do what it was asked."""
        lines = [line for line in done.stderr.splitlines() if line.startswith("almoner: ")]
        if "panicked" in done.stderr or "hangs" in done.stderr:
            raise Broken(shortened(done.stderr))
        if OUT_OF_MEMORY in done.stderr and call in ("mmap", "mremap"):
            return "aborted for want of memory"
        if done.returncode != 1 or len(lines) != 1:
            raise Broken(f"exit {done.returncode}: {shortened(done.stderr)}")
        if BARE.match(lines[0]):
            raise Broken(f"does not say what failed: {lines[0]}")
        if DEBUG.search(lines[0]):
            raise Broken(f"shows the program's own structures: {lines[0]}")
        return "told"

    def said(self, points):
        """The figures."""
        tried = ", ".join(f"{call} {count}" for call, count in sorted(self.calls.items()))
        self.verdict.figure(f"{self.what}: calls failed of {points}: {tried}")
        counts = ", ".join(f"{what} {count}" for what, count in sorted(self.counts.items()))
        self.verdict.figure(f"{self.what}: {counts}")
        if self.left:
            left = ", ".join(f"{call} {count}" for call, count in sorted(self.left.items()))
            self.verdict.figure(f"{self.what}: left for the next build to remove: {left}")
        if self.counts["not reached"] * 10 > sum(self.calls.values()):
            self.verdict.failed(f"{self.what}: too few calls were reached")
        for what, at in self.failures.items():
            self.verdict.failed(f"{self.what}: {what} ({len(at)} times, first: {at[0]})")


def shortened(text):
    """What matters of what was printed: no lines of progress."""
    lines = [line for line in text.splitlines() if line.strip() and not line.endswith(" s")]
    return THREAD.sub("", " | ".join(lines))[:300]


def errors_of(calls, point):
    """The errors that a call may give."""
    if point.call == "openat" and "O_CREAT" in calls.text(point):
        return CREATING
    if point.call == "fcntl" and "F_DUPFD" in calls.text(point):
        return ("EMFILE",)
    return ERRORS[point.call]


def chosen(calls, most):
    """Points and their errors, an error in turn: all, or so many spread over all calls."""
    points = []
    for call in ERRORS:
        found = calls.points(call)
        points.append(strace.evenly(found, READS_MOST if call in READS else MOST))
    if most:
        # Of each call as many as of the others, as long as it has them.
        share = 1
        while share < MOST and sum(min(len(found), share + 1) for found in points) <= most:
            share += 1
        points = [strace.evenly(found, share) for found in points]
    return [
        (point, errors[turn % len(errors)])
        for found in points
        for turn, point in enumerate(found)
        for errors in [errors_of(calls, point)]
    ]
