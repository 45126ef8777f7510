#!/usr/bin/env python3
"""Judge rankings of SQLite FTS5 and MiniSearch by the same queries and grades as Almoner's, in one run.

    relevance_peers.py --bmf eo_vt.csv eo_wy.csv ... --data-dir DIR

First `cargo bench --bench relevance` prints its table; then come the peers, as name_peers.py asks them: FTS5 for rows
with all words, then with any, bm25 by default; MiniSearch with typos in a fifth of a word's letters. Every
peer has name, sort name, city and state of all rows of the files and gets the query as it was typed. Figures
are those of data/judgements as ranking_model.py counts them: nDCG@10, precision@5 of as many as there are,
recall@50, success@1. Rows that nobody has graded count as wrong, which is hard on rankings that the judges
did not see; so the last column is nDCG@10 of the graded rows alone. The data directory must have been built
from the same files, which the script cannot see. Times of one query are medians in milliseconds.

Needs Node and npm (MiniSearch is installed into a temporary folder) and ranking_model.py's packages.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import name_peers
import ranking_model

JUDGEMENTS = Path(__file__).parent.parent / "data" / "judgements"
DEPTH = 50


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bmf", nargs="+", required=True, metavar="CSV", help="IRS master files")
    parser.add_argument("--data-dir", required=True, help="what it was built into")
    args = parser.parse_args()
    queries, grades = table("queries.tsv"), {}
    for query, ein, grade in table("grades.tsv"):
        grades.setdefault(query, {})[ein] = int(grade)
    command = ["cargo", "bench", "--bench", "relevance", "--", "--data-dir", str(Path(args.data_dir).resolve())]
    if subprocess.run(command).returncode:
        return 1
    rows = name_peers.read(args.bmf)
    print(f"{len(rows)} rows of {len(args.bmf)} files, {len(queries)} queries", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        peers = {
            "fts-words": name_peers.Fts("fts-words", rows, DEPTH),
            "minisearch": name_peers.MiniSearch(rows, folder, 1.0, DEPTH),
        }
        print("ranking     nDCG@10  precision@5  recall@50  success@1 of names  median ms  nDCG@10 of graded")
        for name, peer in peers.items():
            print(line(name, peer, queries, grades), flush=True)
            peer.close()
    return 0


def table(name: str) -> list[list[str]]:
    with open(JUDGEMENTS / name, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    return [row[:3] for row in rows]


def line(name: str, peer, queries: list[list[str]], grades: dict[str, dict[str, int]]) -> str:
    all_figures, of_names, graded, times = [], [], [], []
    for query, kind, text in queries:
        answer, judged = peer.ask(text.lower()), grades[query]
        figures = ranking_model.figures(answer.eins, judged)
        all_figures.append(figures)
        graded.append(ranking_model.figures([ein for ein in answer.eins if ein in judged], judged)[0])
        times.append(answer.milliseconds)
        if kind == "name":
            of_names.append(figures[3])
    gain, precision, recall = (statistics.fmean(row[at] for row in all_figures) for at in range(3))
    return (f"{name:10}  {gain:7.3f}  {precision:11.3f}  {recall:9.3f}  {statistics.fmean(of_names):18.3f}"
            f"  {statistics.median(times):9.1f}  {statistics.fmean(graded):17.3f}")


if __name__ == "__main__":
    sys.exit(main())
