"""Two sets of fictional data, a data directory of them, and what has to hold of it at any time.

The old and the new data have the same organizations, of which the new have longer names, and one
line each that cannot be read: the two lists of rejects differ, and are equally long.
"""

import contextlib
import csv
import glob
import json
import os
import shutil
import tempfile

from trial import Server, must, run

# What may lie in a data directory when no build runs.
NAMES = {
    "CURRENT",
    "snapshots",
    "build.lock",
    "rejects.ndjson",
    "reports.cache",
    "vectors.cache",
    "keys.json",
    "keys.lock",
}
RENAMED = " RENEWED"
# Files that depend on the snapshot before as well, so that they differ by what was killed when:
# the list of changes, and the checksums of all files.
OF_HISTORY = ("changes", "changes.kept", "checksums")
REJECTED = {"old": {"kind": "storx"}, "new": {"kind": "storz"}}


# Here flushing costs nothing. It proves nothing of disks either, and need not: what is written to
# the system outlives a process that is killed.
MEMORY = "/dev/shm"


class Broken(Exception):
    """What had to hold does not."""


def workplace(name):
    """A folder for the time of a run: where TMPDIR says, else in memory, else where others are."""
    in_memory = "TMPDIR" not in os.environ and os.access(MEMORY, os.W_OK)
    return tempfile.TemporaryDirectory(prefix=f"almoner-{name}-", dir=MEMORY if in_memory else None)


@contextlib.contextmanager
def serving(folder):
    """A server of a folder; it ends with the block at the latest."""
    server = Server(folder.almoner, folder.path)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.process.kill()
            server.process.wait()


class Inputs:
    """Folders of the old and the new data."""

    def __init__(self, almoner, work, organizations, seed):
        self.old, self.new = os.path.join(work, "old"), os.path.join(work, "new")
        must(almoner, "generate", self.old, "--organizations", organizations, "--seed", seed)
        shutil.copytree(self.old, self.new)
        for name, folder in (("old", self.old), ("new", self.new)):
            with open(os.path.join(folder, "curated.ndjson"), "a", encoding="utf-8") as lines:
                lines.write(json.dumps(REJECTED[name]) + "\n")
        self.eins = []
        for path in sorted(glob.glob(os.path.join(self.new, "eo*.csv"))):
            self.eins += rename_all(path)
        if len(self.eins) < 2:
            raise SystemExit(f"too few organizations in {self.new}")

    def of(self, name):
        """The folder of `old` or `new`."""
        return self.old if name == "old" else self.new


def rename_all(path):
    """Gives the organizations of a master file other names; tells their EINs."""
    with open(path, newline="", encoding="latin-1") as lines:
        header, *rows = csv.reader(lines)
    at = header.index("NAME")
    for row in rows:
        row[at] += RENAMED
    with open(path, "w", newline="", encoding="latin-1") as lines:
        csv.writer(lines).writerows([header, *rows])
    return [row[header.index("EIN")] for row in rows]


class Folder:
    """A data directory, with what the program answers of the old and of the new data."""

    def __init__(self, almoner, inputs, path, *options):
        self.almoner, self.inputs, self.path, self.options = almoner, inputs, path, options
        first, last = inputs.eins[0], inputs.eins[-1]
        self.paths = [
            f"/nonprofits/details/{first}",
            f"/nonprofits/details/{last}",
            f"/typeahead/nonprofits?q={first}",
        ]
        self.expected, self.files = {}, {}
        for name in ("new", "old"):
            self.build(name)
            self.expected[name], self.files[name] = self.answers(), self.contents()
        for path, old, new in zip(self.paths, self.expected["old"], self.expected["new"]):
            if old == new or old[0] != 0 or new[0] != 0:
                raise SystemExit(f"{path}: the old and the new data cannot be told apart")

    def command(self, name):
        """The command that builds the old or the new data."""
        built = ["build", *self.options, "--data-dir", self.path]
        return [self.almoner, *built, self.inputs.of(name)]

    def build(self, name):
        must(*self.command(name))

    def get(self, path):
        done = run(self.almoner, "get", "--data-dir", self.path, path)
        return done.returncode, done.stdout.strip()

    def answers(self):
        return [self.get(path) for path in self.paths]

    def named(self):
        """The snapshot that `CURRENT` names; `None` where there is none."""
        try:
            with open(os.path.join(self.path, "CURRENT"), encoding="ascii") as line:
                return line.read().split(" ")[1]
        except FileNotFoundError:
            return None

    def contents(self):
        """Files of the snapshot with their hashes: of the same data always the same bytes.

        Those of the snapshots before are left out; `verify` reads them.
        """
        path = os.path.join(self.path, "snapshots", self.named() or "", "manifest.json")
        with open(path, encoding="utf-8") as manifest:
            files = json.load(manifest)["files"]
        return {
            file["name"]: file["sha256"]
            for file in files
            if not file["name"].startswith(OF_HISTORY)
        }

    def state(self, before):
        """Whether it holds the `old` or the `new` data, where `before` was named as the old."""
        verified = run(self.almoner, "verify", "--data-dir", self.path)
        if verified.returncode != 0:
            said = (verified.stdout + verified.stderr).strip().splitlines()
            raise Broken(f"verify: {' | '.join(said[:1])}")
        found = self.answers()
        name = "old" if self.named() == before else "new"
        if found != self.expected[name]:
            others = [name for name, answers in self.expected.items() if answers == found]
            other = next(one for one, right in zip(found, self.expected[name]) if one != right)
            raise Broken(
                f"CURRENT names the {name} snapshot, answers are of {others or 'none'}: {str(other)[:300]}"
            )
        self.compare(name)
        return name

    def compare(self, name):
        """Every file has to be as an undisturbed build writes it."""
        found, expected = self.contents(), self.files[name]
        names = found.keys() | expected.keys()
        others = sorted(name for name in names if found.get(name) != expected.get(name))
        if others:
            raise Broken(f"files of the {name} snapshot that are not as they should be: {others}")

    def ask(self, server):
        """A server has to answer from one of the two."""
        for at, path in enumerate(self.paths):
            status, body = server.get(path)
            expected = [answers[at][1] for answers in self.expected.values()]
            if status != 200 or body.strip() not in expected:
                raise Broken(f"the server answers {path} with {status}: {body[:200]}")

    def litter(self, is_served=False):
        """What lies there that no build should leave; a server removes snapshots when it may."""
        rejects = os.path.join(self.path, "rejects.ndjson")
        known = NAMES | ({os.readlink(rejects)} if os.path.islink(rejects) else set())
        found = [name for name in os.listdir(self.path) if name not in known]
        if is_served:
            return found
        snapshots = os.path.join(self.path, "snapshots")
        names = os.listdir(snapshots) if os.path.isdir(snapshots) else []
        return sorted(found + [name for name in names if name != self.named()])

    def renewed(self, name="old", is_served=False):
        """Builds once more; nothing of a build that did not end may be left."""
        before = self.named()
        done = run(*self.command(name))
        if done.returncode != 0:
            raise Broken(f"the next build: {done.stderr.strip().splitlines()[-1:]}")
        if self.named() == before or self.answers() != self.expected[name]:
            raise Broken("the next build did not publish")
        self.compare(name)
        if self.litter(is_served):
            raise Broken(f"the next build left {self.litter(is_served)}")

    def emptied(self):
        """Removes it."""
        shutil.rmtree(self.path, ignore_errors=True)
