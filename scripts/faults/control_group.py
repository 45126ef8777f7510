"""A memory control group of Linux, of version 1 or 2, in which a command is run."""

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Runs a command in the group whose `cgroup.procs` comes first; it keeps its process number.
JOIN = 'echo $$ > "$0" && exec "$@"'
# Set where this script runs in a scope that systemd made for it.
SCOPED = "ALMONER_SCOPED"


class Unavailable(Exception):
    """There is no group that we may make others in."""


class Group:
    """A group with a limit that swap does not widen; removed when it is left and empty."""

    def __init__(self, parent, name, limit_bytes):
        self.folder, self.is_v2 = parent.folder / f"almoner-{os.getpid()}-{name}", parent.is_v2
        self.folder.mkdir()
        limits = ["memory.max"] if self.is_v2 else ["memory.limit_in_bytes"]
        swap = "memory.swap.max" if self.is_v2 else "memory.memsw.limit_in_bytes"
        limits += [swap] if (self.folder / swap).exists() else []
        for limit in limits:
            # Of version 2 the limit of swap is one for itself, of version 1 it is of both.
            (self.folder / limit).write_text("0" if "swap.max" in limit else str(limit_bytes))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Who is ended leaves a moment later.
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def join(self):
        """What a command is preceded by to run in the group."""
        return ["sh", "-c", JOIN, self.folder / "cgroup.procs"]

    def kills(self):
        """Processes that the kernel ended for want of memory."""
        name = "memory.events" if self.is_v2 else "memory.oom_control"
        lines = (line.split() for line in (self.folder / name).read_text().splitlines())
        return int({line[0]: line[1] for line in lines}["oom_kill"])

    def peak_bytes(self):
        """The most that was charged to it at once, files that were read included."""
        peak = self.folder / ("memory.peak" if self.is_v2 else "memory.max_usage_in_bytes")
        # Before Linux 5.19 version 2 does not keep it.
        return int(peak.read_text()) if peak.exists() else self.now_bytes()

    def now_bytes(self):
        name = "memory.current" if self.is_v2 else "memory.usage_in_bytes"
        return int((self.folder / name).read_text())


class Parent:
    """The group that ours are made in: our own, or in version 2 one that was made ready for it."""

    def __init__(self, folder, is_v2):
        self.folder, self.is_v2 = folder, is_v2


@contextlib.contextmanager
def parent():
    """Yields the [`Parent`]; raises [`Unavailable`]."""
    mounts = [line.split()[1:4] for line in Path("/proc/self/mounts").read_text().splitlines()]
    own = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    for point, kind, options in mounts:
        if kind == "cgroup" and "memory" in options.split(","):
            inner = next(path for _, names, path in own if "memory" in names.split(","))
            yield writable(Parent(within(point, inner), False))
            return
    for point, kind, _ in mounts:
        if kind == "cgroup2":
            inner = next(path for number, _, path in own if number == "0")
            with enabled(within(point, inner)) as folder:
                yield writable(Parent(folder, True))
            return
    raise Unavailable


def within(mount, path):
    """Where our group is; in a namespace the mount itself is it."""
    folder = Path(mount) / path.lstrip("/")
    return folder if folder.is_dir() else Path(mount)


def writable(found):
    if not os.access(found.folder, os.W_OK) or not (found.folder / "cgroup.procs").exists():
        raise Unavailable
    return found


@contextlib.contextmanager
def enabled(folder):
    """A group of version 2 whose children can be limited: it must have no process of its own."""
    control = folder / "cgroup.subtree_control"
    if not control.exists() or "memory" not in (folder / "cgroup.controllers").read_text().split():
        raise Unavailable
    if "memory" in control.read_text().split():
        yield folder
        return
    runner, us = folder / f"almoner-{os.getpid()}-runner", str(os.getpid())
    try:
        runner.mkdir()
    except OSError as error:
        raise Unavailable from error
    try:
        (runner / "cgroup.procs").write_text(us)
        control.write_text("+memory")
    except OSError as error:
        leave(folder, runner, us)
        raise Unavailable from error
    try:
        yield folder
    finally:
        with contextlib.suppress(OSError):
            control.write_text("-memory")
        leave(folder, runner, us)


def leave(folder, runner, us):
    with contextlib.suppress(OSError):
        (folder / "cgroup.procs").write_text(us)
        runner.rmdir()


def run_in_scope():
    """Runs this script once more, in a scope of the user's systemd; returns where there is none."""
    scope = ["systemd-run", "--user", "--scope", "--quiet", "--property=Delegate=yes", "--"]
    if os.environ.get(SCOPED) or not shutil.which(scope[0]):
        return
    if subprocess.run([*scope, "true"], capture_output=True, check=False).returncode == 0:
        os.environ[SCOPED] = "1"
        os.execvp(scope[0], [*scope, sys.executable, *sys.argv])
