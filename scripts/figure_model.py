#!/usr/bin/env python3
"""Learns which numbers of reports are figures of impact: the coefficients in models/figures.tsv.

    cargo bench --bench reader -- figures data/reports/passages.ndjson > figures.ndjson
    figure_model.py figures.ndjson --output models/figures.tsv

Reads a JSON object a number: report, passage (its text), metric and features; and what people marked,
data/reports/metrics.ndjson. A number is right if a mark of its report has its value and stands in its passage, or, from
ten on, shares a word with it. Numbers that only doubtful marks have are left out, and those that the program refuses, which
count as not taken. Learns a logistic regression of the features that two writers have, with a fold for each writer; the
threshold is the least at which the share that is right reaches PRECISION. Prints and writes figures of cross-validation.
Needs numpy, scipy and scikit-learn.
"""

import argparse
import hashlib
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from story_check import COMMON, words
from story_model import WRITERS, writer

METRICS = Path(__file__).resolve().parent.parent / "data/reports/metrics.ndjson"
NUMBERS_MIN = 4
WRITERS_MIN = 2
STRENGTHS = (0.1, 0.2)
PRECISION = 0.955
REFUSAL = "refused"
# What a feature of a word or a kind begins with; others are of the form and the place, and weigh more.
WORDED = re.compile(r"\w+[:#]")
FORM_SCALE = 2.0
VALUE_MIN = 10
WEIGHT_MIN = 0.04
PRECISIONS = (0.8, 0.85, 0.9, 0.93, 0.95, 0.955, 0.965)


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def plain(text):
    return " ".join(re.sub(r"[^\w$%|.,+-]+", " ", text.lower()).split()).strip(" .,")


def judge(numbers, marks):
    """Of each number the marks that it has, and whether that makes it right: None where they are doubtful."""
    near = defaultdict(list)
    for at, mark in enumerate(marks):
        near[mark["report"], float(mark["value"])].append((at, mark, plain(mark["text"])))
    found, right = [], []
    for number in numbers:
        metric, passage = number["metric"], plain(number["passage"])
        told = set(words(metric["metric_text"]) + words(metric["metric_type"])) - COMMON
        own, is_near = [], False
        for at, mark, text in near[number["report"], metric["metric_value"]]:
            inside = text in passage or (len(passage) > 3 and passage in text)
            shared = told & (set(words(mark["what"]) + words(mark["text"])) - COMMON)
            is_near |= bool(inside or shared)
            if inside or (shared and mark["value"] >= VALUE_MIN):
                own.append(at)
        sure = {at for at in own if not marks[at].get("doubtful")}
        found.append(sure)
        right.append(True if sure else None if is_near else False)
    return found, right


def scale(feature):
    return 1.0 if WORDED.match(feature) else FORM_SCALE


def scaled(numbers, fold):
    """The features of each number that enough numbers and writers have."""
    counts, writers = Counter(), defaultdict(set)
    for number, at in zip(numbers, fold, strict=True):
        for feature in number["features"]:
            counts[feature] += 1
            writers[feature].add(at)
    kept = {one for one, count in counts.items() if count >= NUMBERS_MIN and len(writers[one]) >= WRITERS_MIN}
    return [{one: scale(one) for one in number["features"] if one in kept} for number in numbers]


def recalls(likely, found, right, sure):
    """For each of PRECISIONS the greatest share of the sure marks that are found at it, and from which probability on."""
    taken = good = 0
    got, best = set(), {}
    for at in np.argsort(-likely):
        if right[at] is None:
            continue
        taken += 1
        good += right[at]
        got |= found[at]
        for precision in PRECISIONS:
            if good >= precision * taken:
                best[precision] = (len(got & sure) / len(sure), float(likely[at]))
    return best


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("numbers", type=Path)
    parser.add_argument("--output", type=Path)
    args = parser.parse_args()
    marks = read(METRICS)
    reports = {mark["report"] for mark in marks}
    numbers = [number for number in read(args.numbers) if number["report"] in reports]
    found, right = judge(numbers, marks)
    sure = {at for at, mark in enumerate(marks) if not mark.get("doubtful")}
    fold = np.array([writer(number["report"]) for number in numbers])
    refused = np.array([REFUSAL in number["features"] for number in numbers])
    columns = DictVectorizer()
    values = columns.fit_transform(scaled(numbers, fold))
    known = np.array([one is not None for one in right])
    learned = known & ~refused
    is_right = np.array([bool(one) for one in right])

    def fitted(of, strength):
        return LogisticRegression(C=strength, tol=1e-3, max_iter=500).fit(values[of], is_right[of])

    best = None
    for strength in STRENGTHS:
        likely = np.zeros(len(numbers))
        for at in sorted(set(fold)):
            likely[fold == at] = fitted(learned & (fold != at), strength).predict_proba(values[fold == at])[:, 1]
        likely[refused] = 0.0
        recall = recalls(likely, found, right, sure)
        print(strength, {at: f"{one:.3f} from {threshold:.2f}" for at, (one, threshold) in recall.items()})
        if best is None or recall[PRECISION] > best[1][PRECISION]:
            best = (strength, recall, likely)
    strength, recall, likely = best
    threshold = recall[PRECISION][1]
    reachable = len(set().union(*found) & sure)
    told = [
        f"{len(numbers)} numbers of {len(reports)} reports; {len(sure)} sure marks, of which {reachable} are numbers; ridge C = {strength}",
        f"cross-validated by writer, {len(set(fold))} folds: marks found at a precision of "
        + ", ".join(f"{at:.2f} {one:.3f}" for at, (one, _) in recall.items()),
    ]
    print("\n".join(told))
    for at in sorted(set(fold)):
        of = np.flatnonzero((fold == at) & (likely >= threshold) & known)
        own = {mark for mark in sure if writer(marks[mark]["report"]) == at}
        got = set().union(*(found[one] for one in of)) if len(of) else set()
        print(f"  from {WRITERS[at]} on: {is_right[of].sum()} of {len(of)} right, {len(got & own)} of {len(own)} found")
    if not args.output:
        return
    model = fitted(learned, strength)
    digest = hashlib.sha256(args.numbers.read_bytes()).hexdigest()
    out = [
        "# Coefficients of the model of figures in reports; see models/README.md.",
        f"# Made by scripts/figure_model.py from numbers of SHA-256 {digest}.",
        *(f"# {line}" for line in told),
        "# Columns: part, feature, coefficient.",
        f"threshold\t\t{threshold:.3f}",
        f"bias\t\t{model.intercept_[0]:.3f}",
    ]
    names = columns.get_feature_names_out()
    weights = ((name, weight * scale(name)) for name, weight in zip(names, model.coef_[0], strict=True))
    out += [f"word\t{name}\t{weight:.2f}" for name, weight in weights if abs(weight) >= WEIGHT_MIN]
    args.output.write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
