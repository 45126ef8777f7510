#!/usr/bin/env python3
"""Trains the cross-encoder that reads a question beside the text of a row, and fits how it joins the trees.

    cargo bench --bench relevance -- --data-dir D --features F.ndjson
    cross_encoder.py train F.ndjson ... --output weights.pt
    python3 scripts/ranking_model.py F.ndjson ... --output models/ranking.tsv
    cross_encoder.py write F.ndjson ... --weights weights.pt --trees models/ranking.tsv --output models/cross-encoder

Four layers that begin as the lowest of the embedded sentence model, over its word embeddings, which stay as they
are. Half of a query's rows in a step are graded good or marginal, the rest graded wrong or not graded; the loss is
cross entropy with what a grade is worth, row by row and, with less weight, over the rows of a query. Queries whose id
begins with one of HELD_OUT are never trained on: the blend with the trees and its figures are theirs. Python 3.11 with
torch, tokenizers, numpy and scikit-learn; some forty minutes on two cores with bfloat16. The seed is fixed, but the
number of steps that fit the time is not: the committed file is told by its SHA-256.
"""

import argparse
import hashlib
import json
import math
import random
import sys
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

sys.path.append(str(Path(__file__).parent / "reader"))
from encoder import FOLDER, HIDDEN, Layer, read_tensors, tokenizer  # noqa: E402
import quantise  # noqa: E402

HELD_OUT = ("G", "W", "HH")
GAIN = np.array([0.0, 0.1, 0.6, 1.0])
GOOD = 2
LAYERS = 4
TOKENS_MAX = 128
SEED = 11
ROWS = 24
GRADED_MAX = 10
UNGRADED_MIN = 4
UNGRADED_WEIGHT = 0.4
QUERIES_A_STEP = 2
LIST_WEIGHT = 0.15
RATE = 2e-4
WARM_STEPS = 100
DROPOUT = 0.1
# More than are read in service: the blend is fitted on rows that the trees are less sure of, too.
READ_MAX = 24
CALIBRATION_PAIRS = 1200


class Query:
    def __init__(self, line):
        self.id, self.kind, self.question = line["id"], line["kind"], line["question"]
        self.passages, self.grades = line["passages"], line["grades"]
        self.names = line["features"]
        self.eins = [row[0] for row in line["candidates"]]
        self.features = np.array([row[2] for row in line["candidates"]], dtype=np.float32)

    @property
    def is_held_out(self):
        return self.id.startswith(HELD_OUT)


def read(paths):
    return [Query(json.loads(line)) for path in paths for line in open(path)]


class CrossEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        tensors = read_tensors(FOLDER / "model.safetensors")
        self.words = tensors["embeddings.word_embeddings.weight"]
        self.positions = (tensors["embeddings.position_embeddings.weight"]
                          + tensors["embeddings.token_type_embeddings.weight"][0])
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.norm.weight.data = tensors["embeddings.LayerNorm.weight"]
        self.norm.bias.data = tensors["embeddings.LayerNorm.bias"]
        self.norm.requires_grad_(False)
        self.layers = nn.ModuleList(Layer(tensors, number, DROPOUT) for number in range(LAYERS))
        self.head = nn.Linear(HIDDEN, 1)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids, mask):
        rows = self.norm(self.words[ids] + self.positions[: ids.shape[1]])
        for layer in self.layers:
            rows = layer(rows, mask)
        return self.head(rows[:, 0]).squeeze(1).float()

    def tensors(self):
        found = {"head.weight": self.head.weight, "head.bias": self.head.bias}
        for number, layer in enumerate(self.layers):
            found |= dict(layer.tensors(number))
        return {name: values.detach().numpy() for name, values in found.items()}


def pairs_of(tokens, pairs):
    return [pair.ids[:TOKENS_MAX] for pair in tokens.encode_batch(pairs)]


def padded(pairs):
    length = max(map(len, pairs))
    ids = torch.zeros(len(pairs), length, dtype=torch.long)
    mask = torch.zeros(len(pairs), length, dtype=torch.bool)
    for at, pair in enumerate(pairs):
        ids[at, : len(pair)] = torch.tensor(pair)
        mask[at, : len(pair)] = True
    return ids, mask


def train(args):
    torch.manual_seed(SEED)
    chance = random.Random(SEED)
    tokens = tokenizer()
    groups = []
    for query in read(args.features):
        graded = [(ein, grade) for ein, grade in query.grades.items() if ein in query.passages]
        ungraded = [ein for ein in query.eins if ein not in query.grades]
        if graded and not query.is_held_out:
            groups.append((query, graded, ungraded))
    model = CrossEncoder()
    parameters = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=RATE, weight_decay=0.01)
    began, order, losses = time.time(), [], []
    for step in range(args.steps):
        progress = max(step / args.steps, (time.time() - began) / args.seconds)
        if progress >= 1:
            break
        eins, worth, weights, owners = [], [], [], []
        for owner in range(QUERIES_A_STEP):
            if not order:
                order = list(range(len(groups)))
                chance.shuffle(order)
            query, graded, ungraded = groups[order.pop()]
            good = [one for one in graded if one[1] > 0]
            wrong = [one for one in graded if one[1] == 0]
            chance.shuffle(good)
            chance.shuffle(wrong)
            picked = good[:GRADED_MAX]
            picked += wrong[: ROWS - UNGRADED_MIN - len(picked)]
            others = chance.sample(ungraded, min(len(ungraded), ROWS - len(picked)))
            eins += [(query.question, query.passages[ein]) for ein, _ in picked]
            eins += [(query.question, query.passages[ein]) for ein in others]
            worth += [GAIN[grade] for _, grade in picked] + [0.0] * len(others)
            weights += [1.0] * len(picked) + [UNGRADED_WEIGHT] * len(others)
            owners += [owner] * (len(picked) + len(others))
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, step / WARM_STEPS) * max(0.02, 1 - progress)
        worth, weights = torch.tensor(worth, dtype=torch.float32), torch.tensor(weights)
        owners = torch.tensor(owners)
        with torch.autocast("cpu", torch.bfloat16):
            scores = model(*padded(pairs_of(tokens, eins)))
        loss = nn.functional.binary_cross_entropy_with_logits(scores, worth, reduction="none")
        loss = (loss * weights).mean()
        for owner in range(QUERIES_A_STEP):
            own = owners == owner
            if worth[own].sum() > 0:
                wanted = worth[own] / worth[own].sum()
                of_list = -(wanted * torch.log_softmax(scores[own], 0)).sum()
                loss = loss + LIST_WEIGHT * of_list / QUERIES_A_STEP
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        losses.append(loss.item())
        if len(losses) % 100 == 0:
            print(step + 1, round(float(np.mean(losses[-100:])), 4), flush=True)
            torch.save(model.state_dict(), args.output)
    torch.save(model.state_dict(), args.output)


def score(model, tokens, query, eins):
    with torch.no_grad():
        pairs = pairs_of(tokens, [(query.question, query.passages[ein]) for ein in eins])
        return model(*padded(pairs)).numpy()


def figures(rankings):
    """nDCG@10 and the share of good answers (three of the first five good, or all there are) of queries with anything good."""
    gains, good = [], []
    for query, eins in rankings:
        fine = sum(grade >= GOOD for grade in query.grades.values())
        if not fine:
            continue
        grades = [query.grades.get(ein, 0) for ein in eins[:10]]
        worth = lambda all: sum((2**grade - 1) / math.log2(at + 2) for at, grade in enumerate(all))
        ideal = sorted(query.grades.values(), reverse=True)[:10]
        gains.append(worth(grades) / worth(ideal))
        if query.kind in ("name", "navigational"):
            good.append(3 in grades[:3])
        else:
            good.append(sum(grade >= GOOD for grade in grades[:5]) >= min(3, fine))
    return f"n {len(gains)}, nDCG@10 {np.mean(gains):.3f}, good {np.mean(good):.3f}"


def write(args):
    from sklearn.linear_model import LogisticRegression
    tokens = tokenizer()
    model = CrossEncoder()
    model.load_state_dict(torch.load(args.weights))
    model.eval()
    queries = read(args.features)
    import ranking_model
    names = {name: at for at, name in enumerate(queries[0].names)}
    scorer = ranking_model.scorer(args.trees, names)
    rows, labels, weights, held = [], [], [], []
    for query in (query for query in queries if query.is_held_out and len(query.eins)):
        by_trees = scorer(query.features)
        first = np.argsort(-by_trees, kind="stable")[:READ_MAX]
        eins = [query.eins[at] for at in first]
        by_reading = score(model, tokens, query, eins)
        held.append((query, eins, by_trees[first], by_reading, [query.eins[at] for at in np.argsort(-by_trees)]))
        for ein, tree, reading in zip(eins, by_trees[first], by_reading):
            rows.append([tree, reading])
            labels.append(query.grades.get(ein, 0) >= GOOD)
            weights.append(1.0 if ein in query.grades else UNGRADED_WEIGHT)
    blend = LogisticRegression(C=1e6).fit(rows, labels, sample_weight=weights)
    constant, (of_trees, of_reading) = float(blend.intercept_[0]), map(float, blend.coef_[0])
    head = [f"# How the scores of the trees and of the cross-encoder make log odds; fitted on {len(held)} queries that"
            " neither was trained on, by scripts/cross_encoder.py."]
    for group in HELD_OUT:
        own = [one for one in held if one[0].id.startswith(group)]
        joined = [(query, [eins[at] for at in np.argsort(-(of_trees * trees + of_reading * reading), kind="stable")])
                  for query, eins, trees, reading, _ in own]
        alone = [(query, [eins[at] for at in np.argsort(-reading, kind="stable")]) for query, eins, _, reading, _ in own]
        head.append(f"# {group}: trees {figures([(one[0], one[4]) for one in own])}; "
                    f"cross-encoder {figures(alone)}; both {figures(joined)}.")
    likely = blend.predict_proba(rows)[:, 1]
    for low in np.arange(0, 1, 0.1):
        inside = (likely >= low) & (likely < low + 0.1)
        if inside.sum():
            head.append(f"# said {low:.1f} to {low + 0.1:.1f}: {inside.sum()} rows, "
                        f"{np.mean(np.array(labels)[inside]):.2f} of them good")
    args.output.mkdir(exist_ok=True)
    values = [("constant", constant), ("trees", of_trees), ("reading", of_reading)]
    text = "\n".join(head + [f"{name}\t{value:.5f}" for name, value in values])
    (args.output / "blend.tsv").write_text(text + "\n")
    print(text)
    chance = random.Random(SEED)
    texts = [(query.question, query.passages[ein]) for query in queries for ein in chance.sample(query.eins, min(2, len(query.eins)))]
    chance.shuffle(texts)
    lower = quantise.dequantised(quantise.read_tensors((FOLDER / "model.safetensors").read_bytes()))
    calibration = [quantise.embed(lower, ids) for ids in pairs_of(tokens, texts[:CALIBRATION_PAIRS])]
    heads = json.loads((FOLDER / "config.json").read_text())["num_attention_heads"]
    tensors = quantise.quantise_layers(model.tensors(), calibration, heads)
    data = quantise.write_tensors(tensors)
    (args.output / "model.safetensors").write_bytes(data)
    print(hashlib.sha256(data).hexdigest())


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=["train", "write"])
    parser.add_argument("features", nargs="+")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--trees", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--seconds", type=float, default=2400)
    args = parser.parse_args()
    {"train": train, "write": write}[args.what](args)


if __name__ == "__main__":
    main()
