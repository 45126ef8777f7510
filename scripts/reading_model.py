#!/usr/bin/env python3
"""Learn whether a query is the name of a nonprofit or describes a kind: the coefficients in models/readings.tsv.

    reading_model.py EVIDENCE.ndjson [--output models/readings.tsv] [--ridge 2.5e-4] [--show 20]

EVIDENCE is what `cargo bench --bench names -- readings --data-dir DIR` prints: one query a line, with the set that it
is of, whether it is a name, and what speaks for and against that. A logistic model is fitted by Newton's method to
maximum likelihood, with a small ridge, to the sets `train` (written by hand) and `made` (names and causes by chance).
Names weigh somewhat more than kinds: a name that is read as a kind is lost where a filter leaves it out, a kind that is
read as a name is still ranked. The set `test` gives the figures that are printed and written above the coefficients;
they are of the model alone, without what the program adds where a description leaves nothing. Needs numpy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

from name_model import BINS, FEATURES, newton

EVIDENCE = (
    *("Constant", "NameOdds", "Likeliest", "ReaderOdds", "Filter", "SizeOrUnread", "Empty", "Satisfied"),
    *("Scattered", "Place", "Plural", "Term", "NoCause", "Nothing", "UnknownShare", "Words", "Titled"),
    *FEATURES,
)


def fit(rows: np.ndarray, is_name: np.ndarray, weights: np.ndarray, ridge: float) -> np.ndarray:
    penalty = ridge * weights.sum() * np.array([name != "Constant" for name in EVIDENCE])

    def loss(at: np.ndarray) -> float:
        sums = rows @ at
        return float(weights @ (np.logaddexp(0, sums) - is_name * sums) + penalty @ at**2 / 2)

    def slopes(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        likely = 1 / (1 + np.exp(-rows @ at))
        curved = weights * likely * (1 - likely)
        hessian = (rows * curved[:, None]).T @ rows + np.diag(penalty + 1e-9)
        return rows.T @ (weights * (likely - is_name)) + penalty * at, hessian

    return newton(rows.shape[1], loss, slopes)


def figures(likely: np.ndarray, is_name: np.ndarray) -> list[str]:
    told = []
    for what, these in (("names", is_name), ("kinds", ~is_name)):
        right = (likely[these] > 0.5) == is_name[these]
        told.append(f"{what}: {right.mean():.3f} of {len(right)} read as such")
    for at in range(BINS):
        here = np.minimum((likely * BINS).astype(int), BINS - 1) == at
        if here.any():
            told.append(
                f"  {at / BINS:.1f} to {(at + 1) / BINS:.1f}: {here.sum()} queries, expected "
                f"{likely[here].mean():.3f}, found {is_name[here].mean():.3f}"
            )
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("evidence", type=Path)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--ridge", type=float, default=2.5e-4)
    parser.add_argument("--show", type=int, default=0, help="queries of the test set read wrongly to print")
    args = parser.parse_args()
    text = args.evidence.read_text()
    queries = [json.loads(line) for line in text.splitlines()]
    sets = np.array([query["set"] for query in queries])
    is_name = np.array([query["is_name"] for query in queries])
    rows = np.array([query["evidence"] for query in queries], dtype=float)
    weights = np.zeros(len(queries))
    for these, share in (
        ((sets == "train") & ~is_name, 0.36),
        ((sets == "made") & ~is_name, 0.08),
        ((sets == "train") & is_name, 0.28),
        ((sets == "made") & is_name, 0.28),
    ):
        weights[these] = share * len(queries) / max(1, these.sum())
    learnt = weights > 0
    model = fit(rows[learnt], is_name[learnt], weights[learnt], args.ridge)
    likely = 1 / (1 + np.exp(-rows @ model))
    told = []
    for name in ("train", "made", "test"):
        these = sets == name
        told.append(f"{name}:")
        told += figures(likely[these], is_name[these])
    print("\n".join(told))
    for at, value in zip(EVIDENCE, model, strict=True):
        print(f"{at:14} {value:8.4f}")
    wrong = [at for at in np.flatnonzero(sets == "test") if (likely[at] > 0.5) != is_name[at]]
    for at in wrong[: args.show]:
        print(f"{likely[at]:.2f} {'name' if is_name[at] else 'kind'}: {queries[at]['text']}")
    if args.output:
        head = [
            "Coefficients of the logistic model that tells names from descriptions; see models/README.md.",
            f"Made by scripts/reading_model.py from evidence of SHA-256 {hashlib.sha256(text.encode()).hexdigest()}.",
            *told,
        ]
        rows_out = [f"{name}\t{value:.4f}" for name, value in zip(EVIDENCE, model, strict=True)]
        args.output.write_text("".join(f"# {line}\n" for line in head) + "\n".join(rows_out) + "\n")


if __name__ == "__main__":
    main()
