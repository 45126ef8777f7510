#!/usr/bin/env python3
"""Learn how surely a question names an organization: the coefficients in models/names.tsv.

    name_model.py FEATURES.ndjson [--output models/names.tsv] [--ridge 1e-3] [--test-part 0 1 2]

FEATURES is what `cargo bench --bench names -- features --data-dir DIR` prints: one question a line, with the
features of its candidates and which of them was meant. A conditional logit with nobody as one more choice is
fitted by Newton's method to maximum likelihood, with a small ridge. Questions whose nonprofit falls in the test
parts are kept out and give the figures that are printed and written above the coefficients: how often the first
candidate is right, and the reliability of the probabilities in ten bins. Needs numpy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

CANDIDATE = (
    *("InName", "InOtherName", "InPlace", "CityNamed", "Unexplained", "Unheard", "UnexplainedMass", "Open"),
    *("OpenMass", "Misspelt", "InOrder", "Begins", "Equal", "Complete", "Explained", "NameMass", "Weight"),
    *("ActiveCharity", "OtherName", "FiledName", "Host", "OtherNumber"),
)
NOBODY = ("Nobody", "NobodyTerms", "NobodyMass")
NEWTON_STEPS = 30
BINS = 10


class Question:
    """The choices of one question as rows of features; nobody is the last."""

    def __init__(self, line: str) -> None:
        row = json.loads(line)
        self.way, self.part, self.text = row["way"], row["part"], row["text"]
        choices = len(row["candidates"]) + 1
        self.features = np.zeros((choices, len(CANDIDATE) + len(NOBODY)))
        if choices > 1:
            self.features[:-1, : len(CANDIDATE)] = row["candidates"]
        self.features[-1, len(CANDIDATE) :] = row["nobody"]
        self.meant = row["meant"] if row["meant"] >= 0 else choices - 1
        self.is_nobody = self.meant == choices - 1

    def probabilities(self, coefficients: np.ndarray) -> np.ndarray:
        sums = self.features @ coefficients
        shares = np.exp(sums - sums.max())
        return shares / shares.sum()


def fit(questions: list[Question], ridge: float) -> np.ndarray:
    """The coefficients of greatest likelihood; the step is halved while it does not help."""
    coefficients = np.zeros(len(CANDIDATE) + len(NOBODY))
    penalty = ridge * len(questions)

    def loss(at: np.ndarray) -> float:
        total = sum(-np.log(max(q.probabilities(at)[q.meant], 1e-300)) for q in questions)
        return total + penalty * float(at @ at) / 2

    before = loss(coefficients)
    for _ in range(NEWTON_STEPS):
        gradient, hessian = penalty * coefficients, penalty * np.eye(len(coefficients))
        for question in questions:
            shares = question.probabilities(coefficients)
            mean = shares @ question.features
            gradient = gradient + mean - question.features[question.meant]
            hessian += (question.features * shares[:, None]).T @ question.features - np.outer(mean, mean)
        step = np.linalg.solve(hessian, gradient)
        size = 1.0
        while size > 1e-4 and loss(coefficients - size * step) > before:
            size /= 2
        coefficients = coefficients - size * step
        after = loss(coefficients)
        if before - after < 1e-6 * before:
            break
        before = after
    return coefficients


def reliability(questions: list[Question], coefficients: np.ndarray) -> list[str]:
    """Expected against found, of every choice with at least one in two hundred."""
    expected, found, count = np.zeros(BINS), np.zeros(BINS), np.zeros(BINS, dtype=int)
    for question in questions:
        for at, share in enumerate(question.probabilities(coefficients)[:-1]):
            if share >= 0.005:
                here = min(int(share * BINS), BINS - 1)
                expected[here] += share
                found[here] += at == question.meant
                count[here] += 1
    return [
        f"{at / BINS:.1f} to {(at + 1) / BINS:.1f}: {count[at]} candidates, expected "
        f"{expected[at] / count[at]:.3f}, found {found[at] / count[at]:.3f}"
        for at in range(BINS)
        if count[at]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("features", type=Path, nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--ridge", type=float, default=1e-3)
    parser.add_argument("--test-part", type=int, nargs="+", default=[0, 1, 2])
    args = parser.parse_args()
    lines = [line for path in args.features for line in path.read_text().splitlines()]
    questions = [Question(line) for line in lines]
    train = [q for q in questions if q.part not in args.test_part]
    test = [q for q in questions if q.part in args.test_part]
    coefficients = fit(train, args.ridge)
    by_way: dict[str, list[bool]] = defaultdict(list)
    sure: list[bool] = []
    for question in test:
        shares = question.probabilities(coefficients)
        if question.is_nobody:
            by_way["(nobody is meant)"].append(shares[-1] > 0.5)
        else:
            by_way[question.way].append(shares[:-1].argmax() == question.meant)
        best = shares[:-1].argmax() if len(shares) > 1 else None
        if best is not None and shares[best] >= 0.8:
            sure.append(best == question.meant)
    figures = [f"Questions: {len(train)} to learn from, {len(test)} to test with, of which:"]
    figures += [f"  {way}: {sum(right) / len(right):.3f} of {len(right)}" for way, right in sorted(by_way.items())]
    figures += [f"Surely one (0.8 or more): {len(sure)}, right {sum(sure) / max(1, len(sure)):.3f}", "Reliability:"]
    figures += [f"  {line}" for line in reliability(test, coefficients)]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    print("\n".join(figures))
    rows = [f"{name}\t{value:.4f}" for name, value in zip((*CANDIDATE, *NOBODY), coefficients, strict=True)]
    print("\n".join(rows))
    if args.output:
        head = [
            "Coefficients of the conditional logit that gives names their probabilities; see models/README.md.",
            f"Made by scripts/name_model.py from features of SHA-256 {digest}.",
            *figures,
        ]
        args.output.write_text("".join(f"# {line}\n" for line in head) + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
