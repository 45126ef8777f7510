#!/usr/bin/env python3
"""Learn which question about money, people and relations a message asks: the coefficients in models/questions.tsv.

    question_model.py QUESTIONS.ndjson MADE.ndjson --almoner BIN [--output models/questions.tsv] [--seed 7]

Both are what `cargo bench --bench reader -- questions FILE.tsv` prints, of data/questions.tsv and of what
scripts/question_sentences.py makes: every sentence as written and in small letters, with features of the whole and of
each word. A binary logistic regression tells whether a word asks or is part of what is asked of; every sentence is then
marked by one that has not seen it. A multinomial one tells the question, from the words, the marks, and the vector of
the sentence with an example in the place of each mark, which `BIN embed` gives. Features that fewer than three
sentences have are left out, and coefficients below 0.04.

The strength of the ridge and the threshold, from which probability of any question on a message is taken for one, are
chosen by five-fold cross-validation over QUESTIONS, in which a sentence is judged by a model that has seen neither form
of it, but all of MADE; the threshold is the least by which at most 10 in 100 sentences that ask something else, most of them written to mislead, are taken
for a question. The figures that are printed and written above the coefficients are of that. Needs numpy and scikit-learn.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

TOPICS = ("funders", "grants_to", "grants_by", "board", "pay", "family", "peers", "other")
OTHER = TOPICS.index("other")
EXAMPLES = {"@name": "Acme", "@cause": "hunger", "@place": "Ohio"}
FOLDS = 5
SENTENCES_MIN = 3
STRENGTHS = (0.1, 0.3)
WORD_STRENGTH = 2.0
VECTOR_SCALE = 10.0
SEQUENCE_MAX = 3
WRONG_MAX = 0.10
DIGITS = 2
WEIGHT_MIN = 0.04


class Model:
    """A logistic regression over the features that enough sentences have."""

    def __init__(self, rows: csr_matrix, labels: np.ndarray, strength: float) -> None:
        seen = np.asarray((rows != 0).sum(axis=0)).ravel()
        self.kept = np.flatnonzero(seen >= SENTENCES_MIN)
        self.model = LogisticRegression(C=strength, tol=1e-3, max_iter=200, fit_intercept=False)
        self.model.fit(rows[:, self.kept], labels)

    def likely(self, rows: csr_matrix) -> np.ndarray:
        return self.model.predict_proba(rows[:, self.kept])


def matrix(rows: list[list[str]]) -> tuple[list[str], csr_matrix]:
    """The features, and how often each row has each."""
    vectors = DictVectorizer(dtype=np.float64)
    found = csr_matrix(vectors.fit_transform([Counter(row) for row in rows]))
    return list(vectors.feature_names_), found


def mark(words: list[dict[str, str]]) -> str:
    """What stands for neighbouring words that do not ask, as src/reader/questions.rs has it."""
    if all(word["r"] in ("place", "near") for word in words):
        return "@place"
    names = sum(word["r"] in ("name", "ein") for word in words)
    return "@name" if names * 2 >= len(words) or all(word["c"] == "titled" for word in words) else "@cause"


def marked(sentence: dict, asks: np.ndarray) -> tuple[list[str], str]:
    """How subjects end and sequences with their marks; and the sentence with examples."""
    text = sentence["text"]
    places = [found.span() for found in re.finditer(r"[^\W_]+", text)]
    words = [dict(feature.split(":", 1) for feature in features if ":" in feature) for _, features in sentence["words"]]
    features, forms, example, end, at = [], ["^"], "", 0, 0
    while at < min(len(words), len(places)):
        if asks[at]:
            forms.append(words[at]["w"])
            at += 1
            continue
        last = at
        while last + 1 < min(len(words), len(places)) and not asks[last + 1]:
            last += 1
        label = mark(words[at : last + 1])
        features += [f"s:{label} {words[last]['w']}", f"s1:{words[last]['w']}"]
        forms.append(label)
        example += text[end : places[at][0]] + EXAMPLES[label]
        end, at = places[last][1], last + 1
    forms.append("$")
    for count in range(1, SEQUENCE_MAX + 1):
        features += ["m:" + " ".join(forms[i : i + count]) for i in range(len(forms) - count + 1)]
    return features, (example + text[end:]).replace("\n", " ")


def vectors_of(texts: list[str], almoner: Path) -> np.ndarray:
    lines = "".join(f"{text}\n" for text in texts)
    ran = subprocess.run([almoner, "embed"], input=lines, capture_output=True, text=True, check=True)
    return np.array([json.loads(line) for line in ran.stdout.splitlines()])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument("made", type=Path)
    parser.add_argument("--almoner", type=Path, required=True)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=int, default=0, help="sentences read wrongly to print")
    args = parser.parse_args()
    text = args.questions.read_text() + args.made.read_text()
    judged = [json.loads(line) for line in args.questions.read_text().splitlines()]
    made = [json.loads(line) for line in args.made.read_text().splitlines()]
    sentences = judged + [one for one in made if not one["is_small"]]
    # Both forms of a sentence stand one behind the other, and are judged by the same model.
    count, is_judged = len(sentences), np.arange(len(sentences)) < len(judged)
    of = np.where(is_judged, np.arange(count) // 2, len(judged) // 2 + np.arange(count) - len(judged))
    fold = (np.random.default_rng(args.seed).permutation(of.max() + 1) % FOLDS)[of]
    labels = np.array([TOPICS.index(one["question"]) for one in sentences])

    word_names, words = matrix([features for one in sentences for _, features in one["words"]])
    asks = np.array([asks for one in sentences for asks, _ in one["words"]], dtype=int)
    word_of = np.repeat(np.arange(count), [len(one["words"]) for one in sentences])
    has_marks = labels[word_of] != OTHER
    heard = np.zeros(len(asks), dtype=int)
    for at in range(FOLDS):
        learnt, unseen = np.flatnonzero((fold[word_of] != at) & has_marks), np.flatnonzero(fold[word_of] == at)
        heard[unseen] = Model(words[learnt], asks[learnt], WORD_STRENGTH).likely(words[unseen]).argmax(axis=1)
    ends = np.cumsum([len(one["words"]) for one in sentences])
    found = [marked(one, heard[end - len(one["words"]) : end]) for one, end in zip(sentences, ends, strict=True)]
    names, sparse = matrix([one["whole"] + features for one, (features, _) in zip(sentences, found, strict=True)])
    vectors = vectors_of([example for _, example in found], args.almoner)
    rows = hstack([sparse, csr_matrix(VECTOR_SCALE * vectors)]).tocsr()

    def cross_validated(strength: float) -> np.ndarray:
        likely = np.zeros((len(judged), len(TOPICS)))
        for at in range(FOLDS):
            unseen = np.flatnonzero((fold == at) & is_judged)
            learnt = np.flatnonzero(~((fold == at) & is_judged))
            likely[unseen] = Model(rows[learnt], labels[learnt], strength).likely(rows[unseen])
        return likely

    truth = labels[: len(judged)]
    by_strength = {strength: cross_validated(strength) for strength in STRENGTHS}
    loss = {strength: -np.log(np.maximum(likely[np.arange(len(truth)), truth], 1e-9)).mean() for strength, likely in by_strength.items()}
    strength = min(loss, key=lambda at: loss[at])
    likely = by_strength[strength]
    best, probability = likely[:, :OTHER].argmax(axis=1), 1 - likely[:, OTHER]
    wrong = np.sort(probability[truth == OTHER])[::-1]
    threshold = round(float(wrong[int(WRONG_MAX * len(wrong))]) + 10.0**-DIGITS, DIGITS)
    taken = np.where(probability >= threshold, best, OTHER)
    is_small = np.array([one["is_small"] for one in judged])
    told = [f"{len(judged) // 2} sentences, and {count - len(judged)} that were made; ridge C = {strength}; threshold {threshold:.2f}"]
    for what, these in (("as written", ~is_small), ("in small letters", is_small)):
        right, kept = (likely[these].argmax(axis=1) == truth[these]).mean(), (taken[these] == truth[these]).mean()
        told.append(f"{what}: the likeliest question of {right:.3f} is right, with the threshold {kept:.3f}")
    for at, name in enumerate(TOPICS):
        told.append(f"  {name}: {(taken[truth == at] == at).mean():.3f} of {(truth == at).sum()} found, {(truth[taken == at] == at).mean():.3f} of {(taken == at).sum()} right")
    marks = has_marks & is_judged[word_of]
    told.append(f"words: {(heard[marks] == asks[marks]).mean():.3f} of {marks.sum()} right")
    print("\n".join(told), flush=True)
    for at in [at for at in np.flatnonzero(taken != truth) if not is_small[at]][: args.show]:
        print(f"{probability[at]:.2f} {TOPICS[best[at]]} for {TOPICS[truth[at]]}: {found[at][1]} | {judged[at]['text']}")
    if not args.output:
        return
    word_model = Model(words[has_marks], asks[has_marks], WORD_STRENGTH)
    model = Model(rows, labels, strength)
    out = [
        "# Coefficients of the models of questions about money, people and relations; see models/README.md.",
        f"# Made by scripts/question_model.py from features of SHA-256 {hashlib.sha256(text.encode()).hexdigest()}.",
        *(f"# {line}" for line in told),
        "# Columns: model, feature, coefficient; of whole and vector one for each of " + " ".join(TOPICS) + ".",
        f"threshold\t\t{threshold:.{DIGITS}f}",
    ]
    for at, weights in zip(model.kept, model.model.coef_.T, strict=True):
        if at >= len(names):
            scaled = " ".join(f"{weight * VECTOR_SCALE:.{DIGITS}f}" for weight in weights)
            out.append(f"vector\t{at - len(names)}\t{scaled}")
        elif np.abs(weights).max() >= WEIGHT_MIN:
            out.append(f"whole\t{names[at]}\t" + " ".join(f"{weight:.{DIGITS}f}" for weight in weights))
    for at, weight in zip(word_model.kept, word_model.model.coef_[0], strict=True):
        if abs(weight) >= WEIGHT_MIN:
            out.append(f"word\t{word_names[at]}\t{weight:.{DIGITS}f}")
    args.output.write_text("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
