"""Builds that are killed at a moment: after so many seconds, or so long after a stage."""

import subprocess
import sys
import time

# Lines of progress that end a stage: the data files are written, the snapshot is sealed.
WRITTEN, SEALED = "writing typeahead", "sealing"


def build_until(command, moment, after):
    """Kills a build so many seconds after its begin, or after the line that begins so; what it
    exited with if it ended before."""
    builder = begun(command)
    if after:
        for line in builder.stderr:
            if line.startswith(after):
                break
    try:
        code = builder.wait(timeout=moment)
    except subprocess.TimeoutExpired:
        builder.kill()
        builder.wait()
        code = None
    builder.stderr.close()
    return code


def begun(command):
    return subprocess.Popen(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def timed_build(command):
    """Seconds of a whole build, and of it those after each of its stages."""
    started = time.monotonic()
    builder = begun(command)
    ends = [(line, time.monotonic()) for line in builder.stderr]
    if builder.wait() != 0:
        sys.exit(f"{' '.join(command)} exited {builder.returncode}")
    ended = time.monotonic()
    rest = {None: ended - started}
    for stage in (WRITTEN, SEALED):
        rest[stage] = ended - next(end for line, end in ends if line.startswith(stage))
    return rest
