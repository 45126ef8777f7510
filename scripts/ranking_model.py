#!/usr/bin/env python3
"""Learn the ranking of search results from judgements.

    cargo bench --bench relevance -- --data-dir D --features minilm.ndjson
    cargo bench --bench relevance -- --data-dir D --interpreter grammar --features grammar.ndjson
    ranking_model.py minilm.ndjson grammar.ndjson ... --output models/ranking.tsv

Each line of the input is a query of `data/judgements` with the features of every candidate (`rank::Feature`) and the
grades of nonprofits. Gradient-boosted trees (LightGBM 4.7) learn the share of the highest gain that a grade is
worth by cross entropy, every query weighing the same; candidates that nobody judged count as unwanted, with
a third of the weight, at most sixty a query. The score is then fitted to the probability that a row is good (grade 2 or 3) by
logistic regression.

Printed are figures of five-fold cross-validation by query, in which the rankings of a query's two
readings are never on both sides: nDCG@10, precision@5 (of as many as there are), recall@50, success@1 (grade 3); and a reliability table. The
model that is written is learned from all. A seed and one thread make the same file of the same
input. Needs lightgbm, numpy and scikit-learn.
"""

import argparse
import collections
import hashlib
import json
import math
import sys
from pathlib import Path
from typing import NamedTuple

import lightgbm
import numpy as np
from sklearn.linear_model import LogisticRegression

# What a grade of 0, 1, 2, 3 is worth.
GAIN = np.array([0.0, 0.1, 0.6, 1.0])
GOOD = 2
FOLDS = 5
UNJUDGED_MAX = 60
UNJUDGED_WEIGHT = 0.3
# Candidates that a query weighs as much as, whatever their number.
WEIGHT = 30.0
PARAMETERS = {
    "objective": "cross_entropy",
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 40,
    "feature_fraction": 0.6,
    "bagging_fraction": 0.8,
    "bagging_freq": 1,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "num_threads": 1,
    "verbose": -1,
}


class Query(NamedTuple):
    id: str
    kind: str
    source: int
    eins: list[str]
    features: np.ndarray
    grades: np.ndarray
    """Of each candidate; -1 where nobody judged it."""
    all_grades: dict[str, int]


def read(paths: list[str]) -> tuple[list[str], list[Query]]:
    names: list[str] = []
    queries = []
    for source, path in enumerate(paths):
        with open(path) as lines:
            for line in map(json.loads, lines):
                names = line["features"]
                rows = line["candidates"]
                queries.append(Query(
                    line["id"], line["kind"], source, [row[0] for row in rows],
                    np.array([row[2] for row in rows], dtype=np.float32).reshape(-1, len(names)),
                    np.array([-1 if row[1] is None else row[1] for row in rows], dtype=int),
                    line["grades"],
                ))
    return names, queries


def examples(queries: list[Query], seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chance = np.random.RandomState(seed)
    features, gains, weights = [], [], []
    for query in queries:
        judged = np.where(query.grades >= 0)[0]
        others = np.where(query.grades < 0)[0]
        others = chance.choice(others, min(len(others), UNJUDGED_MAX), replace=False)
        total = len(judged) + UNJUDGED_WEIGHT * len(others)
        for rows, weight in ((judged, 1.0), (others, UNJUDGED_WEIGHT)):
            features.append(query.features[rows])
            gains.append(GAIN[np.maximum(query.grades[rows], 0)])
            weights.append(np.full(len(rows), weight * WEIGHT / max(total, 1.0)))
    return np.concatenate(features), np.concatenate(gains), np.concatenate(weights)


def learn(queries: list[Query], names: list[str], trees: int, seed: int) -> lightgbm.Booster:
    features, gains, weights = examples(queries, seed)
    data = lightgbm.Dataset(features, gains, weight=weights, feature_name=names)
    return lightgbm.train({**PARAMETERS, "seed": seed}, data, trees)


def figures(order: list[str], grades: dict[str, int]) -> tuple[float, float, float, float]:
    found = [grades.get(ein, 0) for ein in order]
    ideal = sorted(grades.values(), reverse=True)

    def gain(row: list[int]) -> float:
        return sum((2**grade - 1) / math.log2(at + 2) for at, grade in enumerate(row[:10]))

    good = sum(grade >= GOOD for grade in ideal)
    return (
        gain(found) / gain(ideal),
        sum(grade >= GOOD for grade in found[:5]) / min(5, good),
        sum(grade >= GOOD for grade in found[:50]) / good,
        float(found[:1] == [3]),
    )


def written(model: lightgbm.Booster, names: list[str], slope: float, constant: float) -> list[str]:
    """Rows of the table that `rank/trees.rs` reads; leaves carry the fit to a probability."""
    rows = ["tree", f"leaf\t{constant:.6g}"]

    def walk(node: dict, out: list[str]) -> None:
        if "leaf_value" in node:
            out.append(f"leaf\t{slope * node['leaf_value']:.6g}")
            return
        left: list[str] = []
        right: list[str] = []
        walk(node["left_child"], left)
        walk(node["right_child"], right)
        # In single precision, as the program compares, rounded down: of single values the same ones are at most it.
        threshold = np.float32(node["threshold"])
        if threshold > node["threshold"]:
            threshold = np.nextafter(threshold, np.float32(-np.inf))
        name = names[node["split_feature"]]
        out.append(f"split\t{name}\t{threshold:.9g}\t1\t{1 + len(left)}")
        out.extend(left)
        out.extend(right)

    for tree in model.dump_model()["tree_info"]:
        rows.append("tree")
        walk(tree["tree_structure"], rows)
    return rows


def scorer(path, names):
    """The trees of a table that was written here, as a function of features to log odds."""
    trees = []
    for line in open(path):
        columns = line.rstrip("\n").split("\t")
        if columns[0] == "tree":
            trees.append([])
        elif not line.startswith("#"):
            trees[-1].append(columns)

    def of_row(row):
        total = 0.0
        for tree in trees:
            at = 0
            while tree[at][0] == "split":
                _, name, threshold, below, above = tree[at]
                at += int(below) if row[names[name]] <= np.float32(threshold) else int(above)
            total += float(tree[at][1])
        return total

    return lambda features: np.array([of_row(row) for row in features])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--output", required=True)
    parser.add_argument("--trees", type=int, default=150)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--without", nargs="*", default=[], help="beginnings of ids of queries that are left out")
    args = parser.parse_args()
    names, queries = read(args.features)
    queries = [query for query in queries if not query.id.startswith(tuple(args.without)) and len(query.eins)]
    ids = sorted({query.id for query in queries})
    order = np.random.RandomState(args.seed).permutation(len(ids))
    fold = {ids[number]: at % FOLDS for at, number in enumerate(order)}
    results = collections.defaultdict(list)
    scores, goods = [], []
    for held in range(FOLDS):
        model = learn([query for query in queries if fold[query.id] != held], names, args.trees, args.seed)
        for query in (query for query in queries if fold[query.id] == held):
            score = model.predict(query.features, raw_score=True) if query.eins else np.zeros(0)
            ranking = [query.eins[at] for at in np.argsort(-score, kind="stable")]
            has_good = any(grade >= GOOD for grade in query.all_grades.values())
            for kind in ("all", query.kind) if has_good else ():
                results[(query.source, kind)].append(figures(ranking, query.all_grades))
            judged = query.grades >= 0
            scores.append(score[judged])
            goods.append(query.grades[judged] >= GOOD)
    told = [f"# {args.features[source].rsplit('/', 1)[-1]}, {kind}, {len(rows)} queries: nDCG@10 {mean[0]:.3f}, "
            f"precision@5 {mean[1]:.3f}, recall@50 {mean[2]:.3f}, success@1 {mean[3]:.3f}"
            for (source, kind), rows in sorted(results.items())
            for mean in [np.mean(rows, axis=0)]]
    score, good = np.concatenate(scores), np.concatenate(goods)
    fit = LogisticRegression(C=1e6).fit(score.reshape(-1, 1), good)
    slope, constant = float(fit.coef_[0, 0]), float(fit.intercept_[0])
    sure = 1 / (1 + np.exp(-(slope * score + constant)))
    for tenth in range(10):
        inside = (sure >= tenth / 10) & (sure < (tenth + 1) / 10)
        if inside.any():
            told.append(f"#   {tenth / 10:.1f} to {(tenth + 1) / 10:.1f}: {inside.sum()} rows, expected "
                        f"{sure[inside].mean():.3f}, found {good[inside].mean():.3f}")
    for cut in (0.2, 0.25, 0.3, 0.35, 0.4, 0.5):
        chosen = sure >= cut
        precision, recall = good[chosen].mean(), good[chosen].sum() / good.sum()
        print(f"cut {cut}: precision {precision:.3f}, recall {recall:.3f}")
    model = learn(queries, names, args.trees, args.seed)
    gains = sorted(zip(model.feature_importance("gain"), names), reverse=True)
    print("gain:", ", ".join(f"{name} {gain:.0f}" for gain, name in gains))
    digest = hashlib.sha256(b"".join(Path(path).read_bytes() for path in args.features)).hexdigest()
    head = [
        "# Boosted trees that rank search results; see models/README.md.",
        f"# Made by scripts/ranking_model.py from features of SHA-256 {digest}.",
        "# Five-fold cross-validation by query:",
    ]
    Path(args.output).write_text("\n".join([*head, *told, *written(model, names, slope, constant)]) + "\n")
    print("\n".join(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
