#!/usr/bin/env python3
"""Learns which danger or urgent need a message is about: the coefficients in models/dangers.tsv.

    cargo bench --bench reader -- dangers data/dangers.tsv > dangers.ndjson
    cargo bench --bench reader -- dangers data/questions.tsv > ordinary.ndjson
    cut -f2,3 data/judgements/queries.tsv > queries.tsv
    cargo bench --bench reader -- dangers queries.tsv > queries.ndjson
    danger_model.py dangers.ndjson ordinary.ndjson queries.ndjson --output models/dangers.tsv [--test OTHER.ndjson]

Messages of other kinds than those of dangers, as all of the other files, are ordinary.

A multinomial logistic regression over the words of a message, pairs of them, their beginnings, the reader's label and the
vector of the sentence model. Features of fewer than three messages are left out, and coefficients below 0.04. The strength
of the ridge is chosen by five-fold cross-validation; the threshold, from which probability of any danger on a message is
taken for one, is about the least by which 2 in 1,000 ordinary messages are. With --test, figures of messages that
nothing was learned of. Needs numpy, scipy and scikit-learn.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

KINDS = ("self_harm", "partner_violence", "immediate", "child_abuse", "elder_abuse", "hunger", "shelter", "none")
NONE = KINDS.index("none")
FOLDS = 5
MESSAGES_MIN = 3
STRENGTHS = (0.1, 0.3, 1.0)
VECTOR_SCALE = 10.0
FALSE_MAX = 0.002
DIGITS = 2
WEIGHT_MIN = 0.04


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def labels_of(messages):
    return np.array([KINDS.index(one["kind"]) if one["kind"] in KINDS else NONE for one in messages])


def rows_of(messages, names):
    sparse = names.transform([dict.fromkeys(one["features"], 1.0) for one in messages])
    return hstack([sparse, csr_matrix(VECTOR_SCALE * np.array([one["vector"] for one in messages]))]).tocsr()


def learnt(rows, labels, strength):
    seen = np.asarray((rows != 0).sum(axis=0)).ravel()
    kept = np.flatnonzero(seen >= MESSAGES_MIN)
    model = LogisticRegression(C=strength, tol=1e-3, max_iter=400, fit_intercept=False).fit(rows[:, kept], labels)
    return kept, model


def figures(what, likely, truth, threshold):
    taken = np.where(1 - likely[:, NONE] >= threshold, likely[:, :NONE].argmax(axis=1), NONE)
    danger = truth != NONE
    return (f"{what}: {(taken[danger] == truth[danger]).sum()} of {danger.sum()} dangers are of the right kind, "
            f"{(taken[danger] != NONE).sum()} are found; {(taken[~danger] != NONE).sum()} of {(~danger).sum()} ordinary ones are taken for one")


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("messages", type=Path, nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--test", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    messages = [one for path in args.messages for one in read(path)]
    labels = labels_of(messages)
    names = DictVectorizer(dtype=np.float64).fit([dict.fromkeys(one["features"], 1.0) for one in messages])
    rows = rows_of(messages, names)
    fold = np.random.default_rng(args.seed).permutation(len(messages)) % FOLDS
    loss, by_strength = {}, {}
    for strength in STRENGTHS:
        likely = np.zeros((len(messages), len(KINDS)))
        for at in range(FOLDS):
            kept, model = learnt(rows[fold != at], labels[fold != at], strength)
            likely[fold == at] = model.predict_proba(rows[fold == at][:, kept])
        by_strength[strength] = likely
        loss[strength] = -np.log(np.maximum(likely[np.arange(len(labels)), labels], 1e-9)).mean()
    strength = min(loss, key=loss.get)
    likely = by_strength[strength]
    false = np.sort(1 - likely[labels == NONE, NONE])[::-1]
    threshold = round(float(false[int(FALSE_MAX * len(false))]) + 10.0**-DIGITS, DIGITS)
    kept, model = learnt(rows, labels, strength)
    told = [f"{len(messages)} messages; ridge C = {strength}; threshold {threshold:.2f}", figures("cross-validated", likely, labels, threshold)]
    if args.test:
        others = read(args.test)
        unseen = model.predict_proba(rows_of(others, names)[:, kept])
        truth = labels_of(others)
        told.append(figures("of others' messages", unseen, truth, threshold))
        for one, by, of in zip(others, unseen, truth):
            taken = by[:NONE].argmax() if 1 - by[NONE] >= threshold else NONE
            if taken != of:
                print(f"{1 - by[NONE]:.2f} {KINDS[taken]} for {KINDS[of]}: {one['text']}")
    print("\n".join(told))
    if not args.output:
        return
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in args.messages)).hexdigest()
    out = [
        "# Coefficients of the model of dangers; see models/README.md.",
        f"# Made by scripts/danger_model.py from features of SHA-256 {digest}.",
        *(f"# {line}" for line in told),
        "# Columns: part, feature, a coefficient for each of " + " ".join(KINDS) + ".",
        f"threshold\t\t{threshold:.{DIGITS}f}",
    ]
    known = names.get_feature_names_out()
    for at, weights in zip(kept, model.coef_.T, strict=True):
        if at >= len(known):
            out.append(f"vector\t{at - len(known)}\t" + " ".join(f"{weight * VECTOR_SCALE:.{DIGITS}f}" for weight in weights))
        elif np.abs(weights).max() >= WEIGHT_MIN:
            out.append(f"word\t{known[at]}\t" + " ".join(f"{weight:.{DIGITS}f}" for weight in weights))
    args.output.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
