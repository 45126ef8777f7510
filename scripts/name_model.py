#!/usr/bin/env python3
"""Learn how surely a question names an organization: the coefficients in models/names.tsv.

    name_model.py FEATURES.ndjson [--output models/names.tsv] [--ridge 1e-3] [--test-part 0 1 2]

FEATURES is what `cargo bench --bench names -- features --data-dir DIR` prints: one question a line, with the
features of its candidates and which of them was meant. A nested logit is fitted by Newton's method to maximum
likelihood, with a small ridge: a conditional logit of which candidate is meant, of the questions of which one is;
and a logistic model, over the likeliest candidate of every question, of whether any is. Questions whose nonprofit
falls in the test parts are kept out and give the figures that are printed and written above the coefficients: how
often the likeliest candidate is right, and the reliability of the probabilities in ten bins. Needs numpy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from pathlib import Path

import numpy as np

FEATURES = (
    *("InName", "InOtherName", "InPlace", "CityNamed", "Unexplained", "Unheard", "UnexplainedMass", "Open"),
    *("OpenMass", "Misspelt", "InOrder", "Begins", "Equal", "Complete", "Explained", "NameMass", "Weight"),
    *("ActiveCharity", "OtherName", "FiledName", "Host", "OtherNumber", "Spelled", "Initials", "Ends"),
    *("CityInName", "OtherOpenMass", "Literal"),
)
OF_QUESTION = ("Constant", "LogShare", "Terms", "Mass")
NEWTON_STEPS = 40
BINS = 10
SURE = 0.8


class Question:
    """The candidates of one question as rows of features, and which of them was meant, if one was."""

    def __init__(self, line: str) -> None:
        row = json.loads(line)
        self.way, self.part, self.meant = row["way"], row["part"], row["meant"]
        self.candidates = np.array(row["candidates"], dtype=float).reshape(-1, len(FEATURES))
        self.terms, self.mass = row["size"]

    def shares(self, choice: np.ndarray) -> np.ndarray:
        """How likely each candidate is, given that one of them is meant."""
        sums = self.candidates @ choice
        shares = np.exp(sums - sums.max())
        return shares / shares.sum()

    def of_likeliest(self, choice: np.ndarray) -> np.ndarray:
        """What speaks for somebody being meant at all."""
        shares = self.shares(choice)
        own = (1.0, np.log(shares.max()), self.terms / 10, self.mass / 100)
        return np.concatenate([own, self.candidates[shares.argmax()]])

    def probabilities(self, choice: np.ndarray, somebody: np.ndarray) -> np.ndarray:
        if not len(self.candidates):
            return np.zeros(0)
        return self.shares(choice) / (1 + np.exp(-self.of_likeliest(choice) @ somebody))


def newton(size: int, loss, slopes) -> np.ndarray:
    """The coefficients of least loss; a step is halved while it does not help."""
    at, before = np.zeros(size), loss(np.zeros(size))
    for _ in range(NEWTON_STEPS):
        gradient, hessian = slopes(at)
        step, length = np.linalg.solve(hessian, gradient), 1.0
        while length > 1e-4 and loss(at - length * step) > before:
            length /= 2
        at = at - length * step
        after = loss(at)
        if before - after < 1e-7 * before:
            break
        before = after
    return at


def fit_choice(questions: list[Question], ridge: float) -> np.ndarray:
    """The conditional logit: which candidate, of questions of which one is meant."""
    meant = [question for question in questions if question.meant >= 0]
    penalty = ridge * len(meant)

    def loss(at: np.ndarray) -> float:
        return sum(-np.log(max(q.shares(at)[q.meant], 1e-300)) for q in meant) + penalty * float(at @ at) / 2

    def slopes(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gradient, hessian = penalty * at, (penalty + 1e-9) * np.eye(len(at))
        for question in meant:
            shares = question.shares(at)
            mean = shares @ question.candidates
            gradient = gradient + mean - question.candidates[question.meant]
            hessian += (question.candidates * shares[:, None]).T @ question.candidates - np.outer(mean, mean)
        return gradient, hessian

    return newton(len(FEATURES), loss, slopes)


def fit_somebody(questions: list[Question], choice: np.ndarray, ridge: float) -> np.ndarray:
    """The logistic model: whether any candidate is meant."""
    asked = [question for question in questions if len(question.candidates)]
    rows = np.array([question.of_likeliest(choice) for question in asked])
    meant = np.array([question.meant >= 0 for question in asked], dtype=float)
    penalty = ridge * len(asked)

    def loss(at: np.ndarray) -> float:
        sums = rows @ at
        return float(np.logaddexp(0, sums).sum() - meant @ sums + penalty * at @ at / 2)

    def slopes(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        likely = 1 / (1 + np.exp(-rows @ at))
        weights = likely * (1 - likely)
        hessian = (rows * weights[:, None]).T @ rows + (penalty + 1e-9) * np.eye(len(at))
        return rows.T @ (likely - meant) + penalty * at, hessian

    return newton(rows.shape[1], loss, slopes)


def reliability(questions: list[Question], choice: np.ndarray, somebody: np.ndarray) -> list[str]:
    """Expected against found, of every candidate with at least one in two hundred."""
    expected, found, count = np.zeros(BINS), np.zeros(BINS), np.zeros(BINS, dtype=int)
    for question in questions:
        for at, share in enumerate(question.probabilities(choice, somebody)):
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


def figures(test: list[Question], choice: np.ndarray, somebody: np.ndarray) -> list[str]:
    by_way: dict[str, list[bool]] = defaultdict(list)
    sure: list[bool] = []
    for question in test:
        probable = question.probabilities(choice, somebody)
        if question.meant < 0:
            by_way["(nobody is meant)"].append(probable.sum() < 0.5)
        else:
            by_way[question.way].append(probable.argmax() == question.meant)
        if len(probable) and probable.max() >= SURE:
            sure.append(probable.argmax() == question.meant)
    lines = [f"  {way}: {sum(right) / len(right):.3f} of {len(right)}" for way, right in sorted(by_way.items())]
    lines += [f"Surely one ({SURE} or more): {len(sure)}, right {sum(sure) / max(1, len(sure)):.3f}", "Reliability:"]
    return lines + [f"  {line}" for line in reliability(test, choice, somebody)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("features", type=Path, nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--ridge", type=float, default=1e-6)
    parser.add_argument("--test-part", type=int, nargs="+", default=[0, 1, 2])
    args = parser.parse_args()
    digest, questions = hashlib.sha256(), []
    for path in args.features:
        with path.open() as lines:
            for line in lines:
                digest.update(line.encode())
                questions.append(Question(line))
    train = [question for question in questions if question.part not in args.test_part]
    test = [question for question in questions if question.part in args.test_part]
    choice = fit_choice(train, args.ridge)
    somebody = fit_somebody(train, choice, args.ridge)
    told = [f"Questions: {len(train)} to learn from, {len(test)} to test with, of which:"]
    told += figures(test, choice, somebody)
    print("\n".join(told))
    names = (*FEATURES, *OF_QUESTION, *FEATURES)
    rows = [f"{name}\t{value:.4f}" for name, value in zip(names, (*choice, *somebody), strict=True)]
    if args.output:
        head = [
            "Coefficients of the nested logit that gives names their probabilities; see models/README.md.",
            f"Made by scripts/name_model.py from features of SHA-256 {digest.hexdigest()}.",
            *told,
        ]
        args.output.write_text("".join(f"# {line}\n" for line in head) + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
