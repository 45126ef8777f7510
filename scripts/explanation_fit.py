#!/usr/bin/env python3
"""Learns whether an entry of the knowledge base answers a question: WEIGHTS and INTERCEPT of src/search/explanation_fit.rs.

    cargo bench --bench reader -- fits data/explanation_judgements.tsv > fits.ndjson
    explanation_fit.py fits.ndjson

Reads a JSON object a question: grade of the entry that was told (2, 1 or 0) and the numbers of its fit. An entry answers if
its grade is not 0. Prints the coefficients of a logistic regression, and by ten-fold cross-validation how many entries that
answer are told, and how many that don't, at several thresholds. Needs numpy and scikit-learn.
"""

import json
import sys
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict

STRENGTH = 10.0
FOLDS = 10
SEED = 0
THRESHOLDS = (0.4, 0.45, 0.5, 0.55, 0.6)


def main():
    rows = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    numbers = np.array([row["numbers"] for row in rows])
    answers = np.array([row["grade"] > 0 for row in rows])
    model = LogisticRegression(C=STRENGTH)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    likely = cross_val_predict(model, numbers, answers, cv=folds, method="predict_proba")[:, 1]
    print(f"{len(rows)} questions, {answers.sum()} answered by their entry")
    for threshold in THRESHOLDS:
        told = likely >= threshold
        print(f"from {threshold}: {(told & answers).sum()} that answer, {(told & ~answers).sum()} that don't")
    model.fit(numbers, answers)
    print("weights", model.coef_[0].round(2).tolist(), "intercept", model.intercept_.round(2).tolist())


if __name__ == "__main__":
    main()
