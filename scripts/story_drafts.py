#!/usr/bin/env python3
"""Learns what drafts of stories are stories, and whom they are about: more coefficients of models/stories.tsv.

    story_drafts.py drafts.ndjson --sentences stories.ndjson --output models/stories.tsv

Reads drafts as the bench `reader -- drafts` prints them from the cross-validated probabilities of story_model.py, the
labelled sentences that they are made of, and data/reports/protagonists.tsv. Learns
- names, a conditional logistic regression that ranks those whom a draft may be about;
- drafts, a logistic regression over the evidence of the draft and of the best name: a draft is right if half of its
  sentences are of a story and that name is its protagonist's. Its threshold is the least at which the share that is right
  reaches PRECISION.
Folds are by writer; the drafts of a fold are judged by names learned from the other ones. Replaces these parts of the
output and the figures in its head. Needs numpy, scipy and scikit-learn.
"""

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from story_model import WRITERS, writer

PROTAGONISTS = Path(__file__).resolve().parent.parent / "data/reports/protagonists.tsv"
NAME_RIDGE = 0.6
DRAFT_STRENGTH = 0.05
PRECISION = 0.92
OWN_PARTS = {"name", "draft", "draft_name", "draft_threshold"}
MARK = "# Of drafts: "
COMMON = set("the a an of in and to we our with for were was is are by on at from".split())


def words(text):
    return set(re.findall(r"[^\W_]+", text.lower())) - COMMON


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def protagonists():
    found = defaultdict(list)
    for line in PROTAGONISTS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            report, passage, names = line.split("\t")
            found[report].append((int(passage), names))
    return found


def marked(draft, sentences, known):
    """Whether each of the names is right, none where no sentence is of a story."""
    told = [at for at in draft["sentences"] if sentences[at]["label"] != "none"]
    near = known.get(draft["report"]) if told else None
    if not near:
        return np.zeros(len(draft["names"]), dtype=bool)
    first = sentences[told[0]]["passage"]
    names = min(near, key=lambda one: abs(one[0] - first))[1].split("|")
    return np.array([any(words(one["name"]) & words(name) for name in names) for one in draft["names"]], dtype=bool)


def matrix(rows, columns):
    return np.array([[row.get(column, 0.0) for column in columns] for row in rows]).reshape(len(rows), len(columns))


def ranked(choices, columns):
    """Weights that make the right ones of each choice likely."""

    def loss(weights):
        total, slope = 0.5 * NAME_RIDGE * weights @ weights, NAME_RIDGE * weights
        for values, right in choices:
            score = values @ weights
            odds = np.exp(score - score.max())
            total -= np.log(odds[right].sum() / odds.sum())
            slope = slope - values.T @ (odds * right / odds[right].sum() - odds / odds.sum())
        return total, slope

    return minimize(loss, np.zeros(len(columns)), jac=True, method="L-BFGS-B").x


def fitted(values, right):
    """Weights of a logistic regression over standardised values, given for the values as they are; the bias is the first."""
    mean, spread = values.mean(axis=0), values.std(axis=0)
    spread[spread == 0.0] = 1.0
    model = LogisticRegression(C=DRAFT_STRENGTH, max_iter=1000).fit((values - mean) / spread, right)
    weights = model.coef_[0] / spread
    weights[0] = model.intercept_[0] - (weights[1:] * mean[1:]).sum()
    return weights


def probability(values, weights):
    return 1.0 / (1.0 + np.exp(-(values @ weights)))


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("drafts", type=Path)
    parser.add_argument("--sentences", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    drafts, sentences, known = read(args.drafts), read(args.sentences), protagonists()
    drafts = [draft for draft in drafts if draft["names"]]
    fold = np.array([writer(draft["report"]) for draft in drafts])
    rights = [marked(draft, sentences, known) for draft in drafts]
    names = sorted({name for draft in drafts for one in draft["names"] for name in one["evidence"]})
    choices = [matrix([one["evidence"] for one in draft["names"]], names) for draft in drafts]

    def name_weights(of):
        return ranked([(choices[at], rights[at]) for at in of if rights[at].any()], names)

    evidence, right, right_names = [], [], 0
    by_fold = {at: name_weights(np.flatnonzero(fold != at)) for at in sorted(set(fold))}
    for at, draft in enumerate(drafts):
        score = choices[at] @ by_fold[fold[at]]
        best = score.argmax()
        own = {("draft_name", name): value for name, value in draft["names"][best]["evidence"].items()}
        whole = {("draft", name): value for name, value in draft["evidence"].items() if name != "protagonist"}
        told = sum(sentences[one]["label"] != "none" for one in draft["sentences"])
        evidence.append(own | whole | {("draft", "protagonist"): 1.0 / np.exp(score - score.max()).sum()})
        right.append(bool(2 * told >= len(draft["sentences"]) and rights[at][best]))
        right_names += bool(rights[at][best])
    right = np.array(right)
    bias = ("draft", "bias")
    columns = [bias, *sorted({name for one in evidence for name in one} - {bias})]
    values = matrix(evidence, columns)
    likely = np.zeros(len(drafts))
    for at in sorted(set(fold)):
        likely[fold == at] = probability(values[fold == at], fitted(values[fold != at], right[fold != at]))
    order = np.argsort(-likely)
    precise = np.flatnonzero(np.cumsum(right[order]) / np.arange(1, len(order) + 1) >= PRECISION)
    threshold = float(likely[order[precise[-1]]]) if len(precise) else 1.0
    threshold = np.floor(threshold * 100) / 100
    taken = likely >= threshold
    bins = [(low, (likely >= low) & (likely < low + 0.2)) for low in (0.0, 0.2, 0.4, 0.6, 0.8)]
    told = [
        f"{len(drafts)} of sections that are read; the best name is right in {right_names} of {sum(one.any() for one in rights)}",
        f"from {threshold:.2f} on {right[taken].sum()} of {taken.sum()} are right, of {right.sum()} that may be",
        "expected and right, by fifths: " + ", ".join(
            f"{likely[of].mean():.2f} {right[of].mean():.2f} ({of.sum()})" for _, of in bins if of.any()),
    ]
    print("\n".join(told))
    if not args.output:
        return
    lines = args.output.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if line.split("\t")[0] not in OWN_PARTS and not line.startswith(MARK)]
    head = sum(line.startswith("#") for line in kept)
    out = [*kept[: head - 1], *(MARK + line for line in told), *kept[head - 1 :], f"draft_threshold\t\t{threshold:.2f}"]
    out += [f"name\t{name}\t{weight:.2f}" for name, weight in zip(names, name_weights(range(len(drafts))), strict=True)]
    out += [f"{part}\t{name}\t{weight:.2f}" for (part, name), weight in zip(columns, fitted(values, right), strict=True)]
    args.output.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
