#!/usr/bin/env python3
"""Measure what text of an organization is worth embedding, by the NTEE majors of its neighbours.

    recipe_agreement.py --venv /tmp/peers-venv --missions missions.csv missions_1023ez.csv
        [--almoner target/release/almoner | --peer]

Each row of the files has a name, a mission and an NTEE label (of NTEE_CD, or the major letter NTEE1
alone). Its text by each recipe goes through `almoner embed` (--peer: through ONNX Runtime f32, as
`embed_peers.py` sets it up); then, by exact cosine, the ten nearest of the other organizations of
its file are looked up. The first row of an EIN counts; its other rows are left out.

The figures are the share of the ten whose major letter is the row's, the same of the nearest one,
and how often the vote of the ten is right. "asked like" asks with the row's own recipe: where that
has the NTEE title, the question holds the label, and the figure is no measure of understanding. "by
mission" asks with the mission alone, so nothing of the label is in the question; the title then
stands only in what is found, as it does in a search.
"""

import argparse
import collections
import csv
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Callable, NamedTuple

sys.dont_write_bytecode = True  # no __pycache__ among the scripts

from embed_peers import Model, embed, enter, ntee_titles, unit

NEAREST = 10


class Row(NamedTuple):
    name: str
    title: str
    mission: str
    major: str


def first_words(text: str, count: int) -> str:
    return " ".join(text.split()[:count])


# Longer text costs build time in proportion to its tokens.
RECIPES: dict[str, Callable[[Row], str]] = {
    "name": lambda row: row.name,
    "name. title": lambda row: f"{row.name}. {row.title}",
    "name: title": lambda row: f"{row.name}: {row.title}",
    "title. name": lambda row: f"{row.title}. {row.name}",
    "mission": lambda row: row.mission,
    "name. mission": lambda row: f"{row.name}. {row.mission}",
    "name: mission": lambda row: f"{row.name}: {row.mission}",
    "name. mission, 16 words": lambda row: f"{row.name}. {first_words(row.mission, 16)}",
    "name. title. mission": lambda row: f"{row.name}. {row.title}. {row.mission}",
    "title. name. mission": lambda row: f"{row.title}. {row.name}. {row.mission}",
    "name. mission. title": lambda row: f"{row.name}. {row.mission} {row.title}",
    "name. title. mission, 8 words": lambda row: f"{row.name}. {row.title}. {first_words(row.mission, 8)}",
    "name. title. mission, 16 words": lambda row: f"{row.name}. {row.title}. {first_words(row.mission, 16)}",
    "name. title. mission, 32 words": lambda row: f"{row.name}. {row.title}. {first_words(row.mission, 32)}",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--venv", required=True, help="folder of a throw-away environment")
    parser.add_argument("--missions", required=True, nargs="+")
    parser.add_argument("--almoner", default="target/release/almoner")
    parser.add_argument("--peer", action="store_true", help="embed with ONNX Runtime f32")
    args = parser.parse_args()
    enter(args.venv)

    model = Model(Path(args.venv).resolve() / "graphs")
    for path in args.missions:
        rows = read(path)
        missions = vectors(args, model, [row.mission for row in rows])
        print(f"\n{Path(path).name}: {len(rows)} organizations, {len({row.major for row in rows})} majors;"
              f" by chance {by_chance(rows):.3f}\n")
        print("| recipe | tokens | asked like: ten | nearest | vote | by mission: ten | nearest | vote |")
        print("|---|---|---|---|---|---|---|---|")
        for recipe, write in RECIPES.items():
            texts = [write(row) for row in rows]
            tokens = statistics.mean(len(ids) for ids in model.tokenise(texts))
            found = vectors(args, model, texts)
            like, asked = agreement(found, found, rows), agreement(missions, found, rows)
            cells = " | ".join(f"{share:.3f}" for share in (*like, *asked))
            print(f"| {recipe} | {tokens:.1f} | {cells} |", flush=True)
    return 0


def read(path: str) -> list[Row]:
    titles = ntee_titles()
    rows = {}
    with open(path, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            code = row.get("NTEE_CD") or row["NTEE1"]
            name, mission = row.get("NAME") or row["TAXPAYER_NAME"], row.get("MISSION") or row["mission"]
            title = titles.get(code[:3]) or titles[row["NTEE1"]]
            rows.setdefault(row["EIN"], Row(line(name).title(), title, line(mission), row["NTEE1"]))
    return list(rows.values())


def line(text: str) -> str:
    return " ".join(text.split())


def by_chance(rows: list[Row]) -> float:
    """Share of agreeing pairs among all."""
    counts = collections.Counter(row.major for row in rows).values()
    return sum(count * (count - 1) for count in counts) / (len(rows) * (len(rows) - 1))


def vectors(args: argparse.Namespace, model: Model, texts: list[str]):
    """f32[texts, 384], unit length."""
    if args.peer:
        return embed(model, texts)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as source:
        source.writelines(f"{text}\n" for text in texts)
        source.flush()
        command = [args.almoner, "embed", source.name]
        out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = [json.loads(row) for row in out.splitlines()]
    if len(rows) != len(texts):
        raise SystemExit(f"almoner embed wrote {len(rows)} vectors of {len(texts)} texts")
    return unit(rows)


def agreement(questions, found, rows: list[Row]) -> tuple[float, float, float]:
    """Shares of the ten nearest, of the nearest one, and of votes that have the row's major."""
    import numpy as np

    cosines = questions @ found.T
    np.fill_diagonal(cosines, -2.0)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, :NEAREST]
    majors = np.array([row.major for row in rows])
    agree = majors[nearest] == majors[:, None]
    # The nearest of the equally frequent wins a vote.
    votes = [collections.Counter(majors[ten].tolist()).most_common(1)[0][0] for ten in nearest]
    return float(agree.mean()), float(agree[:, 0].mean()), float((np.array(votes) == majors).mean())


if __name__ == "__main__":
    sys.exit(main())
