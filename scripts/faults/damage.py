#!/usr/bin/env python3
"""Damages a data directory and checks that nothing wrong is ever answered from it.

Fictional organizations are built, with vectors, rejects and a key. Then, of every file that is there:

  flips    bytes changed by chance, the first and the last among them: `verify` must name the file,
           and `get` of an EIN must answer as before, or fail and say why
  cuts     0, 1, a third, half, all but 64 and all but one of its bytes: `serve` must refuse within
           a second and name the file and what to do; `verify` must name it (--quick: of those cut in half)
  swaps    exchanged with every other file (--quick: with the next): `serve` must refuse likewise
  formats  CURRENT of older and newer formats, sealed as a build seals it: the same
  serving  a server is started over a file whose every block is damaged that opening does not read: every
           answer must be that of the whole file, or a 5xx that says no more than that (--quick: without
           vectors)

Nothing may panic or die of a signal, and at the end `verify` must find all whole again. One line a
figure; exits 1 if anything failed. No file is damaged beneath a server that has read it: a block is hashed
on its first touch only. The vector cache is not part of a snapshot: see
reproducible.py. The same flips, cuts and swaps in process, with more questions: tests/it/faults.rs.
"""

import argparse
import contextlib
import http.client
import itertools
import json
import random
import re
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import trial
from bench import Bench, flipped, holding, sealed

# Flips a file that each cost two processes.
FLIPS, FLIPS_QUICK = 40, 3
# How a server that refuses to start names the block.
REFUSED_AT = re.compile(r"bytes at (\d+) are not those that were built")
# In the quick form one flip in so many is followed by a `get`.
ASKED_QUICK = 3
# From exec to exit, of a server that refuses what it is to serve.
REFUSED_SECONDS_MAX = 1.0
TRIES_MAX = 3
# A server that has not ended by then serves.
SERVES_SECONDS = 5
ORGANIZATIONS, ORGANIZATIONS_QUICK = 300, 100
# What is damaged beneath a server: fewer organizations have few files of more than two blocks.
SERVED_SEMANTIC, SERVED, SERVED_QUICK = 2000, 20_000, 4000
BLOCK_BYTES = 64 * 1024
WHAT_TO_DO = re.compile("build again|use a newer almoner|restore it from a backup")


def is_named(done, name):
    return trial.is_told(done) and f"damaged: {name} " in done.stdout


def flips(bench, verdict, chance, a_file, asked):
    """`a_file` flips of every file; one in `asked` is followed by a `get`."""
    count = same = refused = 0
    for file in bench.files:
        whole = file.path.read_bytes()
        positions = [0, len(whole) - 1, *(chance.randrange(len(whole)) for _ in range(a_file))]
        for position in positions[:a_file]:
            what = f"{file.name} flipped at {position}"
            with holding((file.path, flipped(whole, [position], chance))):
                verified = bench.verify()
                if not is_named(verified, file.name):
                    verdict.failed(f"{what}: verify exits {verified.returncode}: {said(verified)}")
                count += 1
                if count % asked:
                    continue
                ein = bench.eins[count // asked % len(bench.eins)]
                done = bench.get(ein)
            if done.returncode == 0 and done.stdout == bench.before[ein]:
                same += 1
            elif trial.is_told(done) and '"ein"' not in done.stdout:
                refused += 1
            else:
                verdict.failed(f"{what}: get {ein} exits {done.returncode}: {said(done)}")
    verdict.figure(f"flips: {count} in {len(bench.files)} files; of {same + refused} details asked "
                   f"for, {same} as before, {refused} refused")


def said(done):
    return (done.stderr.strip() or done.stdout.strip())[:300]


class Refusals:
    """What `serve` says of data that it must refuse, and how soon."""

    def __init__(self, bench, verdict):
        self.bench, self.verdict, self.seconds = bench, verdict, []

    def expect(self, what, names):
        """One of the names must be told, and what to do."""
        bench = self.bench
        command = [bench.almoner, "serve", "--data-dir", bench.data, "--listen", "127.0.0.1:0"]
        taken = []
        # A busy machine may hold one refusal up, but hardly the same one twice.
        while not taken or (taken[-1] > REFUSED_SECONDS_MAX and len(taken) < TRIES_MAX):
            start = time.perf_counter()
            try:
                done = trial.run(*command, seconds=SERVES_SECONDS)
            except subprocess.TimeoutExpired:
                self.verdict.failed(f"{what}: it is served")
                return
            taken.append(time.perf_counter() - start)
        self.seconds.append(min(taken))
        if not trial.is_told(done) or not any(name in done.stderr for name in names):
            self.verdict.failed(f"{what}: serve exits {done.returncode}: {said(done)}")
        elif not WHAT_TO_DO.search(done.stderr):
            self.verdict.failed(f"{what}: serve does not say what to do: {said(done)}")
        elif self.seconds[-1] > REFUSED_SECONDS_MAX:
            self.verdict.failed(f"{what}: refused after {self.seconds[-1]:.2f} s")

    def figure(self, what):
        median, worst = statistics.median(self.seconds), max(self.seconds)
        self.verdict.figure(f"{what}: {len(self.seconds)}, refused by serve in a median of "
                            f"{1000 * median:.0f} ms, at worst {1000 * worst:.0f} ms")


def cuts(bench, verdict, is_quick):
    refusals = Refusals(bench, verdict)
    for file in filter(lambda file: file.is_opened, bench.files):
        whole = file.path.read_bytes()
        size = len(whole)
        for length in sorted({0, 1, size // 3, size // 2, max(0, size - 64), size - 1}):
            what = f"{file.name} cut to {length} of {size}"
            with holding((file.path, whole[:length])):
                refusals.expect(what, [file.name])
                if is_quick and length != size // 2:
                    continue
                verified = bench.verify()
            if not is_named(verified, file.name):
                verdict.failed(f"{what}: verify exits {verified.returncode}: {said(verified)}")
    refusals.figure("cuts")


def swaps(bench, verdict, is_quick):
    refusals, equal = Refusals(bench, verdict), 0
    opened = [file for file in bench.files if file.is_opened]
    ring = zip(opened, opened[1:] + opened[:1])
    for one, other in ring if is_quick else itertools.combinations(opened, 2):
        first, second = one.path.read_bytes(), other.path.read_bytes()
        if first == second:
            equal += 1
            continue
        with holding((one.path, second), (other.path, first)):
            refusals.expect(f"{one.name} and {other.name} swapped", [one.name, other.name])
    refusals.figure(f"swaps of two files ({equal} pairs are equal)")


def formats(bench, verdict):
    refusals, path = Refusals(bench, verdict), bench.data / "CURRENT"
    whole = path.read_text()
    number, *rest = whole.split()[:-1]
    if sealed([number, *rest]) != whole:
        verdict.failed("CURRENT is not sealed as expected: this script must be changed with it")
        return
    for other in (int(number) - 1, int(number) + 1, 0, 2**32 - 1):
        with holding((path, sealed([str(other), *rest]).encode())):
            refusals.expect(f"format {other}", [f"is of format {other},"])
    refusals.figure("formats")


def questions(eins):
    """Paths that together read from every file."""
    details, words = [], ["food bank", "children and schools", "animals", "wom"]
    for ein in eins:
        details += [f"/nonprofits/{kind}/{ein}" for kind in ("details", "filings", "standing")]
        details += [f"/impact/{kind}/{ein}" for kind in ("stories", "metrics")]
    typed = [f"/typeahead/nonprofits?limit=25&q={prefix}" for prefix in ("br", "foun", "the", "ch")]
    search = "/beta/nonprofits/search?size=50&"
    searches = [f"{search}q={quote(text)}" for text in words]
    searches += [f"{search}{filters}" for filters in ("sort=name", "state=NY", "min_revenue=1&page=3")]
    lists = ["/feed/posts", f"/feed/posts?search={quote('for the')}", "/impact/metrics?page=4"]
    lists += ["/impact/stories?q=home", "/impact/stories?page=2"]
    return details + typed + searches + lists + [f"/chat?q={quote(text)}" for text in words]


def answer(server, path):
    """Status and document; what names the message is left out, for it is another each time."""
    try:
        status, body = server.get(path)
        document = json.loads(body)
    except (OSError, http.client.HTTPException, ValueError) as error:
        return 0, f"{type(error).__name__}: {error}"
    if isinstance(document, dict):
        document.pop("messageId", None)
    return status, document


@contextlib.contextmanager
def over_damaged(bench, file, chance):
    """A server over a file whose every block is damaged but those that opening reads.

    These are the first and the last, and those at which a server refuses to start.
    """
    whole = file.path.read_bytes()
    blocks = set(range(1, -(-len(whole) // BLOCK_BYTES) - 1))
    while True:
        starts = [block * BLOCK_BYTES for block in sorted(blocks)]
        positions = [start + chance.randrange(BLOCK_BYTES) for start in starts for _ in range(64)]
        with holding((file.path, flipped(whole, positions, chance))):
            try:
                server = trial.Server(bench.almoner, bench.data)
            except trial.Refused as refused:
                blocks.remove(int(REFUSED_AT.search(str(refused))[1]) // BLOCK_BYTES)
                continue
            yield server
            return


def serving(bench, verdict, chance, what):
    asked, tally = questions(bench.eins), {"as before": 0, "5xx": 0}
    server = trial.Server(bench.almoner, bench.data, "--warm")
    before = {path: answer(server, path) for path in asked}
    unsteady = [path for path in asked if before[path] != answer(server, path)]
    server.stop()
    for path in unsteady + [path for path in asked if before[path][0] not in (200, 404)]:
        verdict.failed(f"{path} is answered {before[path][0]} before damage, or twice differently")
    files = [file for file in bench.files if file.path.stat().st_size > 2 * BLOCK_BYTES]
    for file in files:
        with over_damaged(bench, file, chance) as server:
            for path in asked:
                status, document = answer(server, path)
                if (status, document) == before[path]:
                    tally["as before"] += 1
                elif status >= 500 and list(document) == ["detail"]:
                    tally["5xx"] += 1
                else:
                    verdict.failed(f"serving a damaged {file.name}: {path}: {status}, another answer")
            code = server.stop()
        if code != 0:
            verdict.failed(f"serving a damaged {file.name}: the server exits {code}")
    verdict.figure(f"serving {what}: {len(files)} damaged files, a server over each asked {len(asked)} "
                   f"paths: {tally['as before']} as before, {tally['5xx']} answered 5xx")
    if not tally["5xx"]:
        verdict.failed(f"serving {what}: no damage was ever met")


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--quick", action="store_true", help="less of each")
    parser.add_argument("--flips", type=int, help=f"a file; default: {FLIPS}, quick {FLIPS_QUICK}")
    parser.add_argument("--organizations", type=int, help="default: 300, quick 100")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    is_quick, chance = arguments.quick, random.Random(arguments.seed)
    organizations = arguments.organizations or (ORGANIZATIONS_QUICK if is_quick else ORGANIZATIONS)
    verdict = trial.Verdict("damage")
    with tempfile.TemporaryDirectory(prefix="almoner-damage-") as work:
        bench = Bench(arguments.almoner, Path(work), organizations, arguments.seed)
        a_file = arguments.flips or (FLIPS_QUICK if is_quick else FLIPS)
        flips(bench, verdict, chance, a_file, ASKED_QUICK if is_quick else 1)
        cuts(bench, verdict, is_quick)
        swaps(bench, verdict, is_quick)
        formats(bench, verdict)
        if bench.verify().returncode != 0:
            verdict.failed(f"not whole after all was restored: {said(bench.verify())}")
        served = [Path(work) / "served", SERVED_QUICK if is_quick else SERVED, arguments.seed]
        bench = Bench(arguments.almoner, *served, "--no-semantic")
        serving(bench, verdict, chance, "without vectors")
        if not is_quick:
            served = [Path(work) / "semantic", SERVED_SEMANTIC, arguments.seed]
            serving(Bench(arguments.almoner, *served), verdict, chance, "with vectors")
    verdict.end()


if __name__ == "__main__":
    main()
