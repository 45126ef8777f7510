"""What these scripts and `recorded_answers.py` share: running the program, a server, a verdict per row."""

import http.client
import signal
import subprocess
import sys

# A command that takes longer hangs, and is ended.
COMMAND_SECONDS_MAX = 600
# An answer that takes longer is none.
ANSWER_SECONDS_MAX = 10
# Exit codes of a failure that is told; others are deaths.
TOLD = (1, 2)


def run(*command, seconds=COMMAND_SECONDS_MAX, **options):
    """Runs a command to its end, with what it printed as text."""
    return subprocess.run(
        [str(part) for part in command],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=seconds,
        **options,
    )


def must(*command, **options):
    """Runs a command that has to succeed."""
    done = run(*command, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited {done.returncode}: {done.stderr.strip()}")
    return done


def is_told(done):
    """Whether a failure is a clean one: an exit code of ours, a line that says why, no panic."""
    return done.returncode in TOLD and done.stderr.strip() != "" and "panicked" not in done.stderr


class Refused(Exception):
    """A server that does not start, and what it says of that."""


class Server:
    """`almoner serve` of a data directory, on a port that the system picks.

    `within` is a command that runs it in its own place: one that joins a control group first.
    """

    def __init__(self, almoner, data, *options, within=()):
        key = must(almoner, "keys", "create", "--data-dir", data, "--name", "trial")
        self.key = key.stdout.strip()
        command = [*within, almoner, "serve", "--data-dir", data, "--listen", "127.0.0.1:0", *options]
        self.process = subprocess.Popen(
            [str(part) for part in [*command, "--log-level", "off"]],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        line = self.process.stderr.readline()
        port = line.strip().rpartition(":")[2]
        if not port.isdecimal():
            self.process.wait(timeout=30)
            self.process.stderr.close()
            raise Refused(line.strip())
        self.port = int(port)

    def get(self, path, session=None, seconds=ANSWER_SECONDS_MAX):
        """Status and body, within a session if one is named."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        headers = {"X-API-Key": self.key} | ({"X-Session-Id": session} if session else {})
        try:
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()

    def stop(self):
        """Asks it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=30)
        self.process.stderr.close()
        return code


class Verdict:
    """What a script says at its end: a line a figure, and the first failures."""

    SHOWN_MAX = 20

    def __init__(self, row):
        self.row, self.failures = row, []

    def failed(self, what):
        self.failures.append(what)

    def figure(self, text):
        print(f"{self.row}: {text}", flush=True)

    def end(self):
        """Exits 1 if anything failed."""
        for failure in self.failures[: self.SHOWN_MAX]:
            print(f"{self.row}: FAILED: {failure}")
        if self.failures:
            sys.exit(f"{self.row}: does not hold, {len(self.failures)} failures")
        print(f"{self.row}: holds")
