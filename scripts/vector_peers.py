#!/usr/bin/env python3
"""Compare Almoner's vector index with hnswlib and usearch: same vectors, queries and thread count.

    vector_peers.py --venv /tmp/peers-venv --bmf FOLDER --work FOLDER
        [--almoner target/release/almoner] [--bench "cargo bench --bench vectors"]

Makes the environment at --venv if it is not there and installs its peers into it by name. The
vectors are those of the distinct names of the master file, in the order of their places, embedded
by `almoner embed` and kept in --work; some names are held out as queries. Truth is exact search in
f32.

The peers get the best of what was found: for each, among the settings below, the smallest width of
search whose recall@10 is at least 0.98, asked one query after another in one thread. The index of
Almoner is built and asked by `benches/vectors.rs`, which reads --work. Runs alternate, the quickest of
three passes counts on both sides, and a ratio is the median of the ratios of one round. The peers are
called from Python, which costs them some microseconds a query: the script says how many.
"""

import argparse
import csv
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

sys.dont_write_bytecode = True  # no __pycache__ among the scripts

DIMS = 384
WANTED = 10
RECALL = 0.98
WIDTHS = (16, 24, 32, 48, 64, 96, 128, 160, 192, 224, 256, 320, 384, 512)
# Links a node and nodes considered when one is inserted: what the peers' own guides name.
HNSWLIB_BUILDS = ((16, 100), (16, 200))
USEARCH_BUILDS = (("f32", 16, 128), ("i8", 16, 128))
ROW = re.compile(r"^none +\d+ +([\d.]+) +\d+ +([\d.]+) +[\d.]+ +(\d+)", re.MULTILINE)
BUILT = re.compile(r"^built \d+ nodes in ([\d.]+) s", re.MULTILINE)


class Peer(NamedTuple):
    """A built index of a peer: how it is asked, and how long it took to build."""

    name: str
    seconds: float
    width: int
    recall: float
    rate: float
    ask: object


def main() -> int:
    args = arguments()
    from embed_peers import enter, version

    enter(args.venv, ("hnswlib", "usearch"))
    base, queries = vectors(args)
    print(f"{len(base)} vectors of names, {len(queries)} queries; hnswlib {version('hnswlib')}, usearch"
          f" {version('usearch')}; {len(os.sched_getaffinity(0))} cores; load {os.getloadavg()[0]:.2f}",
          flush=True)
    truth = exact(base, queries)
    peers = [*hnswlib_peers(base, queries, truth), *usearch_peers(base, queries, truth)]
    peers = [best(peers, "hnswlib"), best(peers, "usearch")]
    build, _, _ = ours(args, built=False)
    empty = 1e6 / speed(lambda query, width: query, 0, queries)
    print(f"a call from Python that asks nothing: {empty:.2f} µs", flush=True)
    rounds = {peer.name: [] for peer in peers} | {"Almoner": []}
    recall = 0.0
    for _ in range(args.rounds):
        for peer in peers:
            rounds[peer.name].append(speed(peer.ask, peer.width, queries))
        _, recall, rate = ours(args, built=True)
        rounds["Almoner"].append(rate)
    for peer in peers:
        ratio = statistics.median(a / b for a, b in zip(rounds["Almoner"], rounds[peer.name]))
        print(f"{peer.name}: built in {peer.seconds:.1f} s, recall@10 {peer.recall:.4f} at width"
              f" {peer.width}, {statistics.median(rounds[peer.name]):.0f} queries/s;"
              f" Almoner has {ratio:.2f} times as many")
    took = f"built in {build:.1f} s, " if build else ""
    print(f"Almoner: {took}recall@10 {recall:.4f}, {statistics.median(rounds['Almoner']):.0f} queries/s")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venv", required=True, help="folder of a throw-away environment")
    parser.add_argument("--bmf", required=True, help="folder of master file extracts, CSV")
    parser.add_argument("--work", required=True, type=Path, help="folder for the vectors")
    parser.add_argument("--almoner", default="target/release/almoner")
    parser.add_argument("--bench", default="cargo bench --bench vectors")
    parser.add_argument("--queries", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    return parser.parse_args()


# Vectors


def vectors(args: argparse.Namespace):
    """The vectors of the names, those of the queries apart; embedded once."""
    import numpy as np

    paths = [args.work / "base.f32", args.work / "queries.f32"]
    if not all(path.exists() for path in paths):
        args.work.mkdir(parents=True, exist_ok=True)
        names = names_by_place(args.bmf)
        held = set(random.Random(7).sample(range(len(names)), args.queries))
        for path, kept in zip(paths, (False, True)):
            embed(args.almoner, [name for at, name in enumerate(names) if (at in held) == kept], path)
    return [np.fromfile(path, "<f4").reshape(-1, DIMS) for path in paths]


def names_by_place(folder: str) -> list[str]:
    """Distinct names in title case, by state, city and ZIP of the first that bears each."""
    places = {}
    for path in sorted(Path(folder).glob("**/*.csv")):
        with open(path, encoding="latin-1", newline="") as lines:
            for row in csv.DictReader(lines):
                if not {"NAME", "STATE", "CITY", "ZIP"} <= row.keys():
                    break
                name, place = " ".join(row["NAME"].split()).title(), (row["STATE"], row["CITY"], row["ZIP"])
                if name and place < places.get(name, ("~",)):
                    places[name] = place
    return sorted(places, key=lambda name: (places[name], name))


def embed(almoner: str, names: list[str], path: Path) -> None:
    import numpy as np

    source, part = path.with_suffix(".txt"), path.with_suffix(".part")
    source.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    with subprocess.Popen([almoner, "embed", str(source)], stdout=subprocess.PIPE) as running:
        with open(part, "wb") as out:
            for line in running.stdout:
                out.write(np.array(json.loads(line), "<f4").tobytes())
    if running.returncode:
        raise SystemExit(f"{almoner} embed ended with {running.returncode}")
    part.rename(path)


def exact(base, queries):
    """The cosine of each query and the last of its nearest of `base`, less what rounding may do."""
    import numpy as np

    found = []
    for start in range(0, len(queries), 100):
        scores = queries[start : start + 100] @ base.T
        found.append(np.partition(scores, -WANTED, 1)[:, -WANTED] - 1e-6)
    return np.concatenate(found)


# The peers


def hnswlib_peers(base, queries, truth):
    import hnswlib

    for links, considered in HNSWLIB_BUILDS:
        index = hnswlib.Index("ip", DIMS)
        start = time.perf_counter()
        index.init_index(len(base), M=links, ef_construction=considered)
        index.add_items(base, num_threads=-1)
        seconds = time.perf_counter() - start
        index.set_num_threads(1)

        def ask(query, width, index=index):
            if index.ef != width:
                index.set_ef(width)
            return index.knn_query(query, WANTED)[0][0]

        yield from tuned(f"hnswlib M={links} ef_construction={considered}", seconds, ask, base, queries, truth)


def usearch_peers(base, queries, truth):
    import numpy as np
    from usearch.index import Index

    for kind, links, considered in USEARCH_BUILDS:
        index = Index(ndim=DIMS, metric="ip", dtype=kind, connectivity=2 * links,
                      expansion_add=considered)
        start = time.perf_counter()
        index.add(np.arange(len(base)), base, threads=0)
        seconds = time.perf_counter() - start

        def ask(query, width, index=index):
            if index.expansion_search != width:
                index.expansion_search = width
            return index.search(query, WANTED, threads=1).keys

        name = f"usearch {kind} connectivity={2 * links} expansion_add={considered}"
        yield from tuned(name, seconds, ask, base, queries, truth)


def tuned(name: str, seconds: float, ask, base, queries, truth):
    """The peer at its smallest width of enough recall; none when it has none."""
    for width in WIDTHS:
        found = [ask(query, width) for query in queries]
        # As the bench of Almoner counts: equally near ones are the same.
        hits = sum((base[ids] @ query >= last).sum() for ids, query, last in zip(found, queries, truth))
        recall = hits / (WANTED * len(queries))
        if recall >= RECALL:
            rate = speed(ask, width, queries)
            print(f"{name}: built in {seconds:.1f} s, recall@10 {recall:.4f} at width {width},"
                  f" {rate:.0f} queries/s", flush=True)
            yield Peer(name, seconds, width, recall, rate, ask)
            return
    print(f"{name}: recall@10 stays below {RECALL} up to width {WIDTHS[-1]}", flush=True)


def best(peers: list[Peer], name: str) -> Peer:
    """The fastest of a kind, by a first measurement."""
    kind = [peer for peer in peers if peer.name.startswith(name)]
    if not kind:
        raise SystemExit(f"no {name} reaches recall@10 {RECALL}")
    return max(kind, key=lambda peer: peer.rate)


def speed(ask, width: int, queries) -> float:
    """Queries a second, one after another in one thread; the quickest of three runs."""
    times = []
    for _ in range(3):
        start = time.perf_counter()
        for query in queries:
            ask(query, width)
        times.append(time.perf_counter() - start)
    return len(queries) / min(times)


# Almoner


def ours(args: argparse.Namespace, built: bool) -> tuple[float | None, float, float]:
    """Seconds to build, if it was not built yet, recall@10 and queries a second, as the bench says."""
    told = {"ALMONER_BENCH_VECTORS": str(args.work.resolve()), "ALMONER_BENCH_UNFILTERED": "1"}
    told |= {"ALMONER_BENCH_BUILT": "1"} if built else {}
    environment = os.environ | told
    ran = subprocess.run(args.bench.split(), env=environment, stdout=subprocess.PIPE, text=True, check=True)
    row, built = ROW.search(ran.stdout), BUILT.search(ran.stdout)
    if not row:
        raise SystemExit(f"the bench printed no row of no filter:\n{ran.stdout}")
    print(ran.stdout, flush=True)
    return float(built[1]) if built else None, float(row[1]), float(row[3])


if __name__ == "__main__":
    sys.exit(main())
