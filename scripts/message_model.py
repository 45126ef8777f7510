#!/usr/bin/env python3
"""Learns a model of messages: the coefficients in models/dangers.tsv, models/dialogue_acts.tsv or models/explanations.tsv.

    jq -r '.article_id as $id | (.title, .questions[]) | [$id, .] | @tsv' data/knowledge.ndjson > knowledge.tsv
    cut -f2,3 data/judgements/queries.tsv > queries.tsv
    for table in data/dangers.tsv data/questions.tsv data/dialogue_acts.tsv data/explanations.tsv queries.tsv knowledge.tsv; do
        cargo bench --bench reader -- dangers $table > $(basename $table .tsv).dangers.ndjson
        cargo bench --bench reader -- acts $table > $(basename $table .tsv).acts.ndjson
    done
    message_model.py dangers *.dangers.ndjson --output models/dangers.tsv [--test OTHER.ndjson]
    message_model.py acts dialogue_acts.acts.ndjson --output models/dialogue_acts.tsv [--test OTHER.ndjson]
    message_model.py explanations *.acts.ndjson --output models/explanations.tsv [--test OTHER.ndjson]

Of dangers, messages of other kinds than theirs are ordinary. Of explanations, the kinds are the entries of the knowledge
base, without the ending of a language; messages of other kinds ask for none, and those that may ask for one are left out.

A multinomial logistic regression over the features that the reader gives of a message, the vector of the sentence model
and, of acts and explanations, that of the message before it. Features of fewer than three messages are left out, and small coefficients. The strength of the ridge is chosen by
three-fold cross-validation among STRENGTHS. Messages of rare dangers count more. A danger that is likelier than not is taken for one. With --test, figures of messages that nothing was learned of. Needs
numpy, scipy and scikit-learn.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

# In the order of `LEARNT` in `src/reader/danger.rs`, then none.
DANGERS = """self_harm partner_violence immediate child_abuse elder_abuse hunger shelter shutoff disaster immigration benefits
eating_disorder trafficking runaway treatment caregiving lawyer medicine baby none"""
# In the order of `reader::DialogueAct`.
ACTS = """revenue expenses assets net_assets employees address phone website ein founded mission leaders pay deductible standing
kind size code filing share health trend donate volunteer grants_made grants_received family peers missing changed impact score
most which count total compare search change similar return more knowledge why source funders articles thanks hello bye help
reset other"""
KINDS = {"dangers": DANGERS.split(), "acts": ACTS.split(), "explanations": []}
ENTRY = "kb-"
IN_SPANISH = "-es"
MAY_ASK = ("knowledge", "articles", "help")
FOLDS = 3
MESSAGES_MIN = 3
STRENGTHS = {"dangers": (0.3,), "acts": (1.0,), "explanations": (1.0,)}
VECTOR_SCALE = {"dangers": 3.0, "acts": 5.0, "explanations": 5.0}
# Of the vector of the message before; 0 where it is not looked at.
BEFORE_SCALE = {"dangers": 0.0, "acts": 3.0, "explanations": 2.5}
NUMBERS = 384
# How much a message counts of a kind with fewer messages than these: else it is taken for a kind with many.
RARE_MESSAGES = 200
RARE_WEIGHT = {"dangers": 2.0, "acts": 1.0, "explanations": 1.0}
# From which probability of any on, a message is taken for a danger: likelier than not.
DANGER_MIN = 0.5
DIGITS = 2
WEIGHT_MIN = {"dangers": 0.04, "acts": 0.12, "explanations": 0.1}


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def of_explanations(messages):
    """The messages with their entries as kinds, or `none`, and no sequences of words: these learn the wording by heart."""
    kept = [one for one in messages if one["kind"] not in MAY_ASK]
    for one in kept:
        one["kind"] = one["kind"].removesuffix(IN_SPANISH) if one["kind"].startswith(ENTRY) else "none"
        one["features"] = [name for name in one["features"] if not name.startswith("w:")]
    return kept


def without_contradictions(messages, kinds):
    """The messages without those that one table leaves ordinary and another does not: a need is a search as well."""
    def is_told(one):
        return one["kind"] in kinds[:-1]
    told = {one["text"] for one in messages if is_told(one)}
    return [one for one in messages if is_told(one) or one["text"] not in told]


def labels_of(messages, kinds):
    return np.array([kinds.index(one["kind"]) if one["kind"] in kinds else len(kinds) - 1 for one in messages])


def rows_of(messages, names, model):
    blocks = [names.transform([dict.fromkeys(one["features"], 1.0) for one in messages])]
    blocks.append(csr_matrix(VECTOR_SCALE[model] * np.array([one["vector"] for one in messages])))
    if BEFORE_SCALE[model]:
        before = np.array([one["before"] or [0.0] * NUMBERS for one in messages])
        blocks.append(csr_matrix(BEFORE_SCALE[model] * before))
    return hstack(blocks).tocsr()


def learnt(rows, labels, strength, rare_weight):
    counts = np.bincount(labels)
    weights = {kind: rare_weight for kind in np.flatnonzero((counts > 0) & (counts < RARE_MESSAGES))}
    seen = np.asarray((rows != 0).sum(axis=0)).ravel()
    kept = np.flatnonzero(seen >= MESSAGES_MIN)
    model = LogisticRegression(C=strength, class_weight=weights, tol=1e-3, max_iter=400, fit_intercept=False)
    model.fit(rows[:, kept], labels)
    return kept, model


def taken(likely, threshold):
    """The label of each message; where there is a threshold the last one is that of no danger."""
    if threshold is None:
        return likely.argmax(axis=1)
    none = likely.shape[1] - 1
    return np.where(1 - likely[:, none] >= threshold, likely[:, :none].argmax(axis=1), none)


def written(weights):
    """Coefficients with two digits, zeros as 0."""
    return " ".join(f"{weight:.{DIGITS}f}" if abs(weight) >= 0.5 * 10.0**-DIGITS else "0" for weight in weights)


def figures(what, likely, truth, threshold):
    labels = taken(likely, threshold)
    asked = truth != likely.shape[1] - 1
    if likely.shape[1] > len(ACTS.split()):
        right = likely[asked][:, :-1].argmax(axis=1) == truth[asked]
        asks = 1 - likely[:, -1] >= 0.5
        return (f"{what}: {asks[asked].sum()} of {asked.sum()} that ask for an explanation are found, and for {right.sum()} the "
                f"likeliest entry is theirs; {asks[~asked].sum()} of {(~asked).sum()} others are taken for one")
    if threshold is None:
        return f"{what}: {(labels == truth).mean():.3f} of {len(truth)} messages have their label"
    none = likely.shape[1] - 1
    danger = truth != none
    return (f"{what}: {(labels[danger] == truth[danger]).sum()} of {danger.sum()} dangers are of the right kind, "
            f"{(labels[danger] != none).sum()} are found; {(labels[~danger] != none).sum()} of {(~danger).sum()} ordinary ones are taken for one")


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", choices=KINDS)
    parser.add_argument("messages", type=Path, nargs="+")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--test", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    messages = [one for path in args.messages for one in read(path)]
    kinds = KINDS[args.model]
    if args.model == "explanations":
        messages = of_explanations(messages)
        kinds = sorted({one["kind"] for one in messages} - {"none"}) + ["none"]
    messages = without_contradictions(messages, kinds)
    labels = labels_of(messages, kinds)
    names = DictVectorizer(dtype=np.float64).fit([dict.fromkeys(one["features"], 1.0) for one in messages])
    rows = rows_of(messages, names, args.model)
    fold = np.random.default_rng(args.seed).permutation(len(messages)) % FOLDS
    loss, by_strength = {}, {}
    for strength in STRENGTHS[args.model]:
        likely = np.zeros((len(messages), len(kinds)))
        for at in range(FOLDS):
            kept, model = learnt(rows[fold != at], labels[fold != at], strength, RARE_WEIGHT[args.model])
            likely[fold == at] = model.predict_proba(rows[fold == at][:, kept])
        by_strength[strength] = likely
        loss[strength] = -np.log(np.maximum(likely[np.arange(len(labels)), labels], 1e-9)).mean()
    strength = min(loss, key=loss.get)
    likely = by_strength[strength]
    threshold = None
    if args.model == "dangers":
        threshold = DANGER_MIN
    kept, model = learnt(rows, labels, strength, RARE_WEIGHT[args.model])
    told = [f"{len(messages)} messages; ridge C = {strength}; threshold {threshold}", figures("cross-validated", likely, labels, threshold)]
    if args.test:
        others = of_explanations(read(args.test)) if args.model == "explanations" else read(args.test)
        unseen = model.predict_proba(rows_of(others, names, args.model)[:, kept])
        truth = labels_of(others, kinds)
        told.append(figures("of others' messages", unseen, truth, threshold))
        for one, by, label, of in zip(others, unseen, taken(unseen, threshold), truth):
            if label != of:
                print(f"{by[label]:.2f} {kinds[label]} for {kinds[of]} {by[of]:.2f}: {one['text']}")
    print("\n".join(told))
    if not args.output:
        return
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in args.messages)).hexdigest()
    is_sparse = args.model == "explanations"
    columns = "position:coefficient of entries" if is_sparse else "a coefficient for each of " + " ".join(kinds)
    out = [
        f"# Coefficients of the model of {args.model}; see models/README.md.",
        f"# Made by scripts/message_model.py from features of SHA-256 {digest}.",
        *(f"# {line}" for line in told),
        f"# Columns: part, feature, {columns}.",
        *([f"threshold\t\t{threshold:.{DIGITS}f}"] if threshold is not None else []),
        *([f"entry\t{kind}\t" for kind in kinds] if is_sparse else []),
    ]
    least = WEIGHT_MIN[args.model]
    known = names.get_feature_names_out()
    for at, weights in zip(kept, model.coef_.T, strict=True):
        if at >= len(known) + NUMBERS:
            out.append(f"before\t{at - len(known) - NUMBERS}\t" + written(weights * BEFORE_SCALE[args.model]))
        elif at >= len(known):
            out.append(f"vector\t{at - len(known)}\t" + written(weights * VECTOR_SCALE[args.model]))
        elif np.abs(weights).max() >= least:
            told_apart = " ".join(f"{at}:{weight:.{DIGITS}f}" for at, weight in enumerate(weights) if abs(weight) >= least)
            out.append(f"word\t{known[at]}\t" + (told_apart if is_sparse else written(weights)))
    args.output.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
