#!/usr/bin/env python3
"""Learns the model of stories in reports: the coefficients in models/stories.tsv.

    cargo bench --bench reader -- stories data/reports/passages.ndjson > stories.ndjson
    story_model.py stories.ndjson --output models/stories.tsv --likely likely.ndjson
    cargo bench --bench reader -- drafts data/reports/passages.ndjson likely.ndjson > drafts.ndjson
    story_drafts.py drafts.ndjson --sentences stories.ndjson --output models/stories.tsv

Reads a JSON object a sentence: report, section, passage, label, features, vector (of the sentence) and context (the mean
of the vectors of its passage). Learns, with a fold for each writer,
- a gate, a logistic regression over the features alone, which spares the sentence model where no story is: a section is
  read on if the mean of its three likeliest sentences reaches the gate's threshold;
- the labels, a multinomial logistic regression over features and both vectors, of the sentences of sections that pass;
- priors and transitions of labels, within passages and from one to the next, by counting.
Features of fewer than three sections are left out, and small coefficients. Prints and writes figures of cross-validation.
Needs numpy, scipy and scikit-learn.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

# In the order of `stories::Label`.
LABELS = "none background before turning after quote obstacle".split()
NONE, BEFORE, TURNING, AFTER = 0, 2, 3, 4
# The first reports of the writers.
WRITERS = ("001", "101", "201", "216", "231", "301", "321", "401", "421", "501", "521", "541", "561", "701", "721", "741", "761", "791", "811", "831")
SECTIONS_MIN = 3
STRENGTHS = (0.15, 0.3, 0.6)
VECTOR_SCALE = 3.0
PRIOR_SHARES = (0.7, 0.9)
SMOOTHING = 0.3
DIGITS = 2
WEIGHT_MIN = {"word": 0.12, "gate": 0.08}
GATE_MISSED_MAX = 0.01
STORY_SENTENCES_MIN = 3


def read(paths):
    rows = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    for row in rows:
        row["section"] = (row["report"], row["section"])
    return rows


def writer(report):
    """Number of the writer of a report."""
    return sum(report >= first for first in WRITERS) - 1


def by_section(rows):
    found = {}
    for at, row in enumerate(rows):
        found.setdefault(row["section"], []).append(at)
    return list(found.values())


class Names:
    """Columns of the features that enough sections have."""

    def __init__(self, rows):
        sections = {}
        for row in rows:
            for feature in row["features"]:
                sections.setdefault(feature, set()).add(row["section"])
        self.kept = {feature for feature, of in sections.items() if len(of) >= SECTIONS_MIN}
        self.columns = DictVectorizer().fit([dict.fromkeys(self.kept, 1.0)])

    def of(self, rows):
        return self.columns.transform([{one: 1.0 for one in row["features"] if one in self.kept} for row in rows])

    def with_vectors(self, rows):
        vectors = (np.array([row[part] for row in rows]) * VECTOR_SCALE for part in ("vector", "context"))
        return hstack([self.of(rows), *map(csr_matrix, vectors)]).tocsr()


def fitted(rows, labels, strength):
    return LogisticRegression(C=strength, tol=1e-3, max_iter=400).fit(rows, labels)


def strengths_of(sections, likely):
    return [np.sort(likely[ids])[::-1][:3].sum() / 3 for ids in sections]


def log_tables(rows, labels, sections):
    """Logarithms of priors and of transitions: [within a passage, to the next][from][to]; sections begin and end with none."""
    counts = np.full((2, len(LABELS), len(LABELS)), SMOOTHING)
    priors = np.ones(len(LABELS))
    for ids in sections:
        before = None
        for at in ids:
            is_next = before is None or rows[before]["passage"] != rows[at]["passage"]
            counts[int(is_next), NONE if before is None else labels[before], labels[at]] += 1
            priors[labels[at]] += 1
            before = at
        counts[1, labels[before], NONE] += 1
    return np.log(priors / priors.sum()), np.log(counts / counts.sum(axis=2, keepdims=True))


def decoded(rows, ids, likely, priors, transitions, share):
    """The likeliest labels of a section, after Viterbi."""
    scores = np.log(np.maximum(likely[ids], 1e-9)) - share * priors
    best, origins = transitions[1][NONE] + scores[0], []
    for step, at in enumerate(ids[1:], 1):
        is_next = rows[ids[step - 1]]["passage"] != rows[at]["passage"]
        ways = best[:, None] + transitions[int(is_next)]
        origins.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + scores[step]
    labels = [int((best + transitions[1][:, NONE]).argmax())]
    for origin in reversed(origins):
        labels.append(int(origin[labels[-1]]))
    return np.array(labels[::-1])


def is_story(labels):
    changed = (labels == BEFORE).any() or (labels == TURNING).any()
    return (labels != NONE).sum() >= STORY_SENTENCES_MIN and changed and (labels == AFTER).any()


def cross_validated(rows, labels, fold, strength):
    likely, gate = np.zeros((len(rows), len(LABELS))), np.zeros(len(rows))
    for at in sorted(set(fold)):
        train, test = np.flatnonzero(fold != at), np.flatnonzero(fold == at)
        learned, others = [rows[i] for i in train], [rows[i] for i in test]
        names = Names(learned)
        model = fitted(names.with_vectors(learned), labels[train], strength)
        likely[np.ix_(test, model.classes_)] = model.predict_proba(names.with_vectors(others))
        gates = fitted(names.of(learned), labels[train] != NONE, strength)
        gate[test] = gates.predict_proba(names.of(others))[:, 1]
    return likely, gate


def figures(rows, labels, fold, likely, gate, threshold, share):
    sections = by_section(rows)
    passed = [strength >= threshold for strength in strengths_of(sections, gate)]
    found = np.zeros(len(rows), dtype=int)
    tables = {at: log_tables(rows, labels, [ids for ids in sections if fold[ids[0]] != at]) for at in sorted(set(fold))}
    for ids, is_read in zip(sections, passed, strict=True):
        if is_read:
            found[ids] = decoded(rows, ids, likely, *tables[fold[ids[0]]], share)
    marked = [ids for ids in sections if (labels[ids] != NONE).sum() >= STORY_SENTENCES_MIN]
    kept = [ids for ids in sections if is_story(found[ids])]

    def overlap(ids, of):
        return 2 * ((found[ids] != NONE) & (labels[ids] != NONE)).sum() >= (of[ids] != NONE).sum()

    right, hit = sum(overlap(ids, found) for ids in kept), sum(overlap(ids, labels) for ids in marked)
    told, given = labels != NONE, found != NONE
    both = (told & given).sum()
    read_on = sum(len(ids) for ids, is_read in zip(sections, passed, strict=True) if is_read)
    return (right / max(1, len(kept)) + hit / len(marked), [
        f"{right} of {len(kept)} sections taken for a story have one, {hit} of {len(marked)} that have one are found",
        f"sentences of stories: precision {both / max(1, given.sum()):.3f}, recall {both / told.sum():.3f}, right label {(found == labels)[told].mean():.3f}",
        f"sentences that pass the gate and are embedded: {read_on} of {len(rows)}",
    ])


def written(weights):
    """Coefficients with two digits, zeros as 0."""
    return " ".join(f"{weight:.{DIGITS}f}" if abs(weight) >= 0.5 * 10.0**-DIGITS else "0" for weight in weights)


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sentences", type=Path, nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--likely", type=Path, help="write the cross-validated probabilities of each sentence, null where the gate closes")
    args = parser.parse_args()
    rows = read(args.sentences)
    labels = np.array([LABELS.index(row["label"]) for row in rows])
    reports = {row["report"] for row in rows}
    fold = np.array([writer(row["report"]) for row in rows])
    sections = by_section(rows)
    best = None
    for strength in STRENGTHS:
        likely, gate = cross_validated(rows, labels, fold, strength)
        of_stories = sorted(value for value, ids in zip(strengths_of(sections, gate), sections, strict=True)
                            if (labels[ids] != NONE).sum() >= STORY_SENTENCES_MIN)
        threshold = round(float(of_stories[int(GATE_MISSED_MAX * len(of_stories))]) * 0.8, DIGITS)
        for share in PRIOR_SHARES:
            score, told = figures(rows, labels, fold, likely, gate, threshold, share)
            if best is None or score > best[0]:
                best = (score, strength, share, threshold, told, likely, gate)
    _, strength, share, threshold, told, likely, gate = best
    told = [f"{len(rows)} sentences of {len(reports)} reports; ridge C = {strength}, priors by {share}, gate {threshold}",
            f"cross-validated by writer, {len(set(fold))} folds:", *told]
    print("\n".join(told))
    if args.likely:
        is_read = np.zeros(len(rows), dtype=bool)
        for strength_of, ids in zip(strengths_of(sections, gate), sections, strict=True):
            is_read[ids] = strength_of >= threshold
        lines = [json.dumps([round(float(one), 5) for one in row] if read_on else None) for row, read_on in zip(likely, is_read, strict=True)]
        args.likely.write_text("\n".join(lines) + "\n")
    if not args.output:
        return
    names = Names(rows)
    model = fitted(names.with_vectors(rows), labels, strength)
    gates = fitted(names.of(rows), labels != NONE, strength)
    priors, transitions = log_tables(rows, labels, sections)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in args.sentences)).hexdigest()
    out = [
        "# Coefficients of the model of stories; see models/README.md.",
        f"# Made by scripts/story_model.py from sentences of SHA-256 {digest}.",
        *(f"# {line}" for line in told),
        "# Columns: part, feature, a coefficient for each of " + " ".join(LABELS) + "; those of the gate are one number.",
        f"threshold\t\t{threshold:.{DIGITS}f}",
        f"gate\tbias\t{gates.intercept_[0]:.{DIGITS}f}",
        "word\tbias\t" + written(model.intercept_),
        "prior\t\t" + written(share * priors),
    ]
    for part, table in zip(("within", "across"), transitions, strict=True):
        out += [f"{part}\t{label}\t" + written(row) for label, row in zip(LABELS, table, strict=True)]
    known = names.columns.get_feature_names_out()
    for feature, weight in zip(known, gates.coef_[0], strict=True):
        if abs(weight) >= WEIGHT_MIN["gate"]:
            out.append(f"gate\t{feature}\t{weight:.{DIGITS}f}")
    for at, weights in enumerate(model.coef_.T):
        if at >= len(known):
            out.append(f"vector\t{at - len(known)}\t" + written(weights * VECTOR_SCALE))
        elif np.abs(weights).max() >= WEIGHT_MIN["word"]:
            out.append(f"word\t{known[at]}\t" + written(weights))
    args.output.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
