#!/usr/bin/env python3
"""Learn the model of matching: the coefficients in models/matching.tsv.

    matching_model.py FEATURES.ndjson [--output models/matching.tsv] [--ridge 1e-3] [--yes 0.75]

FEATURES is what `cargo bench --bench matching -- features rows.ndjson --data-dir DIR` prints of the rows that
scripts/matching_rows.py writes. A nested logit is fitted by Newton's method to maximum likelihood with a ridge: a
conditional logit of which candidate a row means, of the rows whose organization is among them; and a logistic model,
over the likeliest candidate of every row, of whether it means any. Sources have the weights below. The figures that are
printed and written above the coefficients are of five-fold cross-validation by organization: every row is judged by a
model that has seen no row of its organization. Of these, a constant and a slope are learned that calibrate the log odds
on rows as people wrote them. The coefficients are then learned from all rows, and calibrated by the same. Needs numpy.

Left out of learning and of the figures are grants whose EIN the data lacks while an organization of the same name is at
the same street or ZIP code: grantors file EINs of fiscal sponsors and former EINs, so that neither answer is known to
be right.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

np.seterr(over="ignore")  # A probability of 0 is what overflows.

FEATURES = (
    *("Similarity", "SimilarityAboveHalf", "SimilarityAboveMost", "Equal", "EqualMass", "SharedMass"),
    *("OpenAsked", "OpenAskedMass", "OpenFound", "OpenFoundMass", "InPlace", "Misspelt"),
    *("InOrder", "Begins", "Characters", "Cut", "NumberDiffers", "NumberOpen"),
    *("DirectionDiffers", "DirectionOpen", "KinAsked", "KinFound", "KinSameStreet", "FormOnly"),
    *("OpenTerms", "Initials", "OtherAsked", "FirstSimilarity", "LeastSimilarity", "OtherFound"),
    *("OtherFoundUnplaced", "FiledFound", "HostFound", "StateSame", "StateDiffers", "StateNeighbour"),
    *("ZipSame", "ZipNear", "Distance", "CitySame", "CityDiffers", "StreetSame"),
    *("StreetNear", "StreetDiffers", "UnitSame", "UnitDiffers", "BoxSame", "BoxDiffers"),
    *("UnlikeSameStreet", "UnlikeElsewhere", "UnlikeSameZip", "EqualElsewhere", "EqualUnique", "EqualPlaced"),
    *("Namesakes", "NamesakesUnplaced", "Weight", "Charity", "Group", "GroupElsewhere"),
)
OF_ROW = ("Constant", "LogShare", "NameMass", "HasStreet", "HasPlace", "HasState")
ROW_OWN = len(OF_ROW) - 2
CANDIDATES_MAX = 9
WEIGHTS = {
    "register_random": 6.0, "register_hard": 3.0, "register_random_left_out": 0.7, "register_hard_left_out": 0.7,
    "grants": 1.0, "grants_elsewhere": 0.1, "legal_names": 0.5, "made": 0.15, "made_left_out": 0.1, "made_other": 0.15,
}
# What probabilities are calibrated on: rows as people wrote them, and some whose organization is not in the data.
CALIBRATED_ON = {
    "register_random": 1.0, "register_hard": 1.0, "grants": 1.0, "register_random_left_out": 0.2,
    "register_hard_left_out": 0.2,
}
FOLDS = 5
NEWTON_STEPS = 60
BINS = (0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 1.0001)
MAYBE = 0.02
MARGIN = 0.2
YES_ELSEWHERE = 0.9  # Where the state is another and not near, and nothing below it is the same.


class Rows:
    """Rows as arrays: their candidates, padded to one number, and which of them is meant (-1: none)."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.about = [{key: row[key] for key in ("id", "source", "in_data", "left_out", "ein", "eins")} for row in rows]
        count = len(rows)
        self.candidates = np.zeros((count, CANDIDATES_MAX, len(FEATURES)))
        self.own = np.zeros((count, CANDIDATES_MAX, ROW_OWN))
        self.is_there = np.zeros((count, CANDIDATES_MAX), dtype=bool)
        for at, row in enumerate(rows):
            for slot, one in enumerate(row["candidates"][:CANDIDATES_MAX]):
                self.candidates[at, slot], self.own[at, slot] = one[: len(FEATURES)], one[len(FEATURES) :]
                self.is_there[at, slot] = True
        self.meant = np.array([-1 if row["meant"] is None else row["meant"] for row in rows])
        self.weights = np.array([WEIGHTS[row["source"]] for row in rows])
        self.parts = np.array([row["part"] for row in rows])

    def shares(self, choice: np.ndarray, which: np.ndarray) -> np.ndarray:
        """How likely each candidate is, given that one of them is meant."""
        sums = np.where(self.is_there[which], self.candidates[which] @ choice, -1e9)
        shares = np.exp(sums - sums.max(axis=1, keepdims=True)) * self.is_there[which]
        return shares / np.maximum(shares.sum(axis=1, keepdims=True), 1e-300)

    def of_likeliest(self, choice: np.ndarray, which: np.ndarray) -> np.ndarray:
        """What speaks for any being meant at all."""
        shares = self.shares(choice, which)
        best, every = shares.argmax(axis=1), np.arange(len(which))
        share = np.log(np.maximum(shares.max(axis=1), 1e-300))
        own = np.column_stack([np.ones(len(which)), share, self.own[which][every, best]])
        return np.hstack([own, self.candidates[which][every, best]])

    def probabilities(self, model: tuple[np.ndarray, np.ndarray], which: np.ndarray) -> np.ndarray:
        choice, somebody = model
        any_meant = 1 / (1 + np.exp(-self.of_likeliest(choice, which) @ somebody))
        return self.shares(choice, which) * any_meant[:, None] * self.is_there[which]


def is_doubtful(row: dict[str, Any]) -> bool:
    """Whether a grant's EIN is not in the data while an organization of that name is at that place."""
    at = {name: position for position, name in enumerate(FEATURES)}
    return row["source"].startswith("grants") and row["meant"] is None and any(
        one[at["Equal"]] and one[at["EqualPlaced"]] for one in row["candidates"]
    )


def newton(size: int, loss, slopes) -> np.ndarray:
    """The coefficients of least loss; a step is halved while it does not help."""
    at = np.zeros(size)
    before = loss(at)
    for _ in range(NEWTON_STEPS):
        gradient, hessian = slopes(at)
        step, length = np.linalg.solve(hessian, gradient), 1.0
        while length > 1e-4 and loss(at - length * step) > before:
            length /= 2
        at = at - length * step
        after = loss(at)
        if before - after < 1e-8 * before:
            break
        before = after
    return at


def fit_choice(rows: Rows, which: np.ndarray, ridge: float) -> np.ndarray:
    """The conditional logit: which candidate, of rows of which one is meant."""
    which = which[rows.meant[which] >= 0]
    x, meant, weights = rows.candidates[which], rows.meant[which], rows.weights[which]
    penalty, every = ridge * weights.sum(), np.arange(len(which))

    def loss(at: np.ndarray) -> float:
        likely = np.log(np.maximum(rows.shares(at, which)[every, meant], 1e-300))
        return float(-(weights * likely).sum()) + penalty * float(at @ at) / 2

    def slopes(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shares = rows.shares(at, which)
        mean = np.einsum("nk,nkf->nf", shares, x)
        gradient = penalty * at + (weights[:, None] * (mean - x[every, meant])).sum(axis=0)
        flat = x.reshape(-1, x.shape[2])
        spread = (flat * (weights[:, None] * shares).reshape(-1, 1)).T @ flat - (mean * weights[:, None]).T @ mean
        return gradient, spread + (penalty + 1e-9) * np.eye(len(at))

    return newton(len(FEATURES), loss, slopes)


def fit_somebody(rows: Rows, which: np.ndarray, choice: np.ndarray, ridge: float) -> np.ndarray:
    """The logistic model: whether any candidate is meant."""
    which = which[rows.is_there[which].any(axis=1)]
    x, weights = rows.of_likeliest(choice, which), rows.weights[which]
    # What is right is that the likeliest is meant: another one is no better than nobody.
    meant = (rows.meant[which] >= 0).astype(float)
    penalty = ridge * weights.sum()

    def loss(at: np.ndarray) -> float:
        sums = x @ at
        return float((weights * (np.logaddexp(0, sums) - meant * sums)).sum() + penalty * at @ at / 2)

    def slopes(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        likely = 1 / (1 + np.exp(-x @ at))
        hessian = (x * (weights * likely * (1 - likely))[:, None]).T @ x
        return x.T @ (weights * (likely - meant)) + penalty * at, hessian + (penalty + 1e-9) * np.eye(len(at))

    return newton(x.shape[1], loss, slopes)


def fit(rows: Rows, which: np.ndarray, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    choice = fit_choice(rows, which, ridge)
    return choice, fit_somebody(rows, which, choice, ridge)


def logits(rows: Rows, model: tuple[np.ndarray, np.ndarray], which: np.ndarray) -> np.ndarray:
    choice, somebody = model
    return rows.of_likeliest(choice, which) @ somebody


def calibration(rows: Rows, sums: np.ndarray) -> np.ndarray:
    """Constant and slope that make of sums, of models that had not seen the rows, calibrated log odds (Platt)."""
    weights = np.array([CALIBRATED_ON.get(about["source"], 0.0) for about in rows.about])
    x, meant = np.column_stack([np.ones(len(sums)), sums]), (rows.meant >= 0).astype(float)

    def loss(at: np.ndarray) -> float:
        return float((weights * (np.logaddexp(0, x @ at) - meant * (x @ at))).sum())

    def slopes(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        likely = 1 / (1 + np.exp(-x @ at))
        hessian = (x * (weights * likely * (1 - likely))[:, None]).T @ x
        return x.T @ (weights * (likely - meant)), hessian + 1e-9 * np.eye(2)

    return newton(2, loss, slopes)


def calibrated(model: tuple[np.ndarray, np.ndarray], by: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    choice, somebody = model
    somebody = somebody * by[1]
    somebody[0] += by[0]
    return choice, somebody


def judged(rows: Rows, probable: np.ndarray, yes_min: float) -> dict[str, list[int]]:
    """By source: rows, linkable, yes, right yes, right yes or maybe."""
    found: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    ordered = np.sort(probable, axis=1)
    best = probable.argmax(axis=1)
    position = {name: index for index, name in enumerate(FEATURES)}
    likeliest, own = (all_of[np.arange(len(best)), best] for all_of in (rows.candidates, rows.own))
    names_place = own[:, OF_ROW.index("HasPlace") - 2] > 0
    same = [likeliest[:, position[name]] > 0 for name in ("ZipSame", "CitySame", "StreetSame", "BoxSame")]
    is_unplaced = names_place & ~np.logical_or.reduce(same)
    by_other = likeliest[:, position["OtherFound"]] > 0
    # A subordinate's sort name is often that of its host.
    is_hosted = by_other & (likeliest[:, position["Group"]] > 0) & ~np.logical_or.reduce(same[2:])
    elsewhere = likeliest[:, position["StateDiffers"]] > 0
    for at, about in enumerate(rows.about):
        first, second = ordered[at, -1], ordered[at, -2]
        least = max(yes_min, YES_ELSEWHERE) if is_unplaced[at] and elsewhere[at] else yes_min
        yes = first >= least and first - second >= MARGIN and not (is_unplaced[at] and by_other[at] or is_hosted[at])
        right = best[at] == rows.meant[at]
        tally = found[about["source"]]
        tally[0] += 1
        tally[1] += about["in_data"] and not about["left_out"]
        tally[2] += yes
        tally[3] += yes and right
        tally[4] += first >= MAYBE and right
    return found


def figures(rows: Rows, probable: np.ndarray, yes_min: float) -> list[str]:
    lines = []
    for source, (count, linkable, yes, right, either) in sorted(judged(rows, probable, yes_min).items()):
        line = f"  {source}: {count} rows, {yes} yes, precision {right / max(1, yes):.3f}"
        if linkable:
            line += f", recall {right / linkable:.3f}, with maybes {either / linkable:.3f} of {linkable}"
        lines.append(line)
    first, right = probable.max(axis=1), probable.argmax(axis=1) == rows.meant
    lines.append("Reliability of the likeliest, of register and grants as they stand:")
    real = np.array([about["source"] in ("register_random", "register_hard", "grants") for about in rows.about])
    for low, high in zip(BINS, BINS[1:]):
        here = real & (first >= low) & (first < high)
        if here.any():
            shares = f"expected {first[here].mean():.3f}, found {right[here].mean():.3f}"
            lines.append(f"  {low:.2f} to {min(high, 1):.2f}: {here.sum()} rows, {shares}")
    return lines


def cross_validated(rows: Rows, ridge: float) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities of models that had not seen the rows, and the calibration of these."""
    sums, models = np.zeros(len(rows.about)), []
    for fold in range(FOLDS):
        test = rows.parts % FOLDS == fold
        models.append(fit(rows, np.flatnonzero(~test), ridge))
        sums[test] = logits(rows, models[-1], np.flatnonzero(test))
    by = calibration(rows, sums)
    probable = np.zeros(rows.is_there.shape)
    for fold, model in enumerate(models):
        test = np.flatnonzero(rows.parts % FOLDS == fold)
        probable[test] = rows.probabilities(calibrated(model, by), test)
    return probable, by


def load(path: Path) -> tuple[Rows, str, int]:
    digest, kept, doubtful = hashlib.sha256(), [], 0
    with path.open() as lines:
        for line in lines:
            digest.update(line.encode())
            row = json.loads(line)
            if is_doubtful(row):
                doubtful += 1
            else:
                kept.append(row)
    return Rows(kept), digest.hexdigest(), doubtful


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("features", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--ridge", type=float, default=1e-3)
    parser.add_argument("--yes", type=float, default=0.75)
    args = parser.parse_args()
    rows, digest, doubtful = load(args.features)
    told = [
        f"Rows: {len(rows.about)}, and {doubtful} doubtful grants left out. Cross-validated, yes from {args.yes} on:"
    ]
    probable, by = cross_validated(rows, args.ridge)
    told += figures(rows, probable, args.yes)
    print("\n".join(told))
    if args.output:
        choice, somebody = calibrated(fit(rows, np.arange(len(rows.about)), args.ridge), by)
        names = (*FEATURES, *OF_ROW, *FEATURES)
        coefficients = [f"{name}\t{value:.4f}" for name, value in zip(names, (*choice, *somebody), strict=True)]
        head = [
            "Coefficients of the nested logit that matches rows of lists; see models/README.md.",
            f"Made by scripts/matching_model.py from features of SHA-256 {digest}.",
            *told,
        ]
        args.output.write_text("".join(f"# {line}\n" for line in head) + "\n".join(coefficients) + "\n")


if __name__ == "__main__":
    main()
