#!/usr/bin/env python3
"""Trains the reader: upper layers of the sentence model that label the words of a sentence.

    cargo bench --bench reader -- hints FILES... > hints.ndjson
    train.py generated.jsonl data/reader/{written,corrections}/*.jsonl --hints hints.ndjson --output models/reader

Files hold marked-up sentences (data/reader/README.md); those of a file called `generated` are composed or varied and
seen once an epoch, the others were written and are seen several times. One line in twenty of these is held
out: never trained on, the report is made on it. Python 3.11 with torch and tokenizers; two cores take about
a quarter of an hour. The seed is fixed: the same data give the same weights on the same kind of CPU.
"""

import argparse
import hashlib
import json
import random
import time
from collections import Counter
from pathlib import Path

import torch
from torch import nn

from encoder import HIDDEN, LAYERS, Layer, Lower, FOLDER, read_tensors, tokenizer, write_tensors
from markup import SENTENCE_HEADS, STATE, TOKEN_HEADS, is_held_out, parse, rows

SHARED = 3
SEED = 20
DROPOUT = 0.1
BATCH = 32
RATE = 2e-4
EPOCHS = 4
WRITTEN_REPEATED = 2
# The weights that are kept are a running mean of those of so many last steps, about.
MEAN_STEPS = 500
IGNORED = -100
TEMPERATURES = [0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.6, 1.8, 2.0, 2.3, 2.6, 3.0]
HINTS = 6


class Reader(nn.Module):
    """The upper layers, told the state of the conversation, and a linear head for each kind of label.

    The roles of a sentence's words are a chain (a linear-chain conditional random field): what a word is
    depends on its neighbours' roles, and on what the whole asks for.
    """

    def __init__(self):
        super().__init__()
        tensors = read_tensors(FOLDER / "model.safetensors")
        self.state = nn.Linear(len(STATE), HIDDEN)
        nn.init.normal_(self.state.weight, std=0.02)
        nn.init.zeros_(self.state.bias)
        self.hints = nn.Linear(HINTS, HIDDEN)
        nn.init.normal_(self.hints.weight, std=0.02)
        nn.init.zeros_(self.hints.bias)
        self.layers = nn.ModuleList(Layer(tensors, number, DROPOUT) for number in range(SHARED, LAYERS))
        roles, intents = len(TOKEN_HEADS["role"]), len(SENTENCE_HEADS["intent"])
        self.transitions = nn.Parameter(torch.zeros(roles, roles))
        self.by_intent = nn.Parameter(torch.zeros(intents, roles))
        self.heads = nn.ModuleDict({name: nn.Linear(HIDDEN, len(labels))
                                    for name, labels in (TOKEN_HEADS | SENTENCE_HEADS).items()})

    def forward(self, lower, mask, state, hints, words):
        # What nothing is known of is told nothing, not even the bias: the first number says so.
        states = lower + self.state(state)[:, None, :] + self.hints(hints[:, :, 1:]) * hints[:, :, :1]
        for layer in self.layers:
            states = layer(states, mask)
        logits = {name: self.heads[name](states) for name in TOKEN_HEADS}
        # A word has one role: its tokens tell it together, as many as they are.
        logits["role"] = words @ logits["role"]
        return logits | {name: self.heads[name](states[:, 0]) for name in SENTENCE_HEADS}

    def tensors(self):
        found = {"context.weight": self.state.weight, "context.bias": self.state.bias,
                 "hints.weight": self.hints.weight, "hints.bias": self.hints.bias,
                 "role.transitions": self.transitions, "role.by_intent": self.by_intent}
        for number, layer in enumerate(self.layers):
            found |= dict(layer.tensors(number))
        for name, head in self.heads.items():
            found |= {f"heads.{name}.weight": head.weight, f"heads.{name}.bias": head.bias}
        return found


def words_of(text, offsets):
    """The word that each token is a part of, none of -1: pieces of letters and digits with nothing between them."""
    found, end, word = [], 0, ""
    for start, stop in offsets:
        piece = text[start:stop]
        is_joined = start < end or (start == end and all(any(map(str.isalnum, part)) for part in (word, piece)))
        if start == stop:
            found.append(-1)
        elif is_joined and word:
            found.append(max(found))
            word, end = word + piece, max(end, stop)
        else:
            found.append(max(found, default=-1) + 1)
            word, end = piece, stop
    return found


def examples(paths, tokens, hints):
    """Token ids, words, labels, hints and state of every sentence."""
    found = []
    for path in paths:
        for row, state, line in rows(path):
            text, spans = parse(row["text"])
            encoding = tokens.encode(text)
            labels = {head: [IGNORED] * len(encoding.ids) for head in TOKEN_HEADS}
            words = words_of(text, encoding.offsets)
            labels["role"] = [IGNORED] * (max(words, default=-1) + 1)
            for at, (start, end) in enumerate(encoding.offsets):
                if start == end:
                    continue
                label = next((label for first, last, label in spans if first <= start < last), None)
                if labels["role"][words[at]] == IGNORED:
                    labels["role"][words[at]] = TOKEN_HEADS["role"].index(label["role"] if label else "none")
                if label:
                    for head in ("bound", "operation", "sort_key", "direction"):
                        labels[head][at] = TOKEN_HEADS[head].index(label[head])
            intent = row["intent"]
            sentence = {
                "intent": intent, "act": row.get("act", "new"),
                "fact": row.get("fact") or "none", "language": row.get("lang", "en"),
            }
            sentence = {head: SENTENCE_HEADS[head].index(value) for head, value in sentence.items()}
            if intent not in ("find", "similar", "articles", "funds"):
                sentence["act"] = IGNORED
            if intent != "details":
                sentence["fact"] = IGNORED
            told = [[0.0] * (1 + HINTS) for _ in encoding.ids]
            for at, (start, end) in enumerate(encoding.offsets):
                word = next((held for first, last, held in hints[text] if start < end and first < end and start < last), None)
                if word is not None:
                    told[at] = [1.0, *word]
            found.append({"ids": encoding.ids, "words": words, "hints": told, "labels": labels, "sentence": sentence, "state": state,
                          "text": text, "source": f"{path}:{line}", "is_held_out": is_held_out(row)})
    return found


def batches(items, shuffle):
    """Sentences of about one length together."""
    order = sorted(range(len(items)), key=lambda at: (len(items[at]["ids"]), shuffle.random()))
    groups = [order[at:at + BATCH] for at in range(0, len(order), BATCH)]
    shuffle.shuffle(groups)
    for group in groups:
        yield [items[at] for at in group]


def tensors_of(group, lower):
    size = max(len(item["ids"]) for item in group)
    pad = lambda values, fill: torch.tensor([list(value) + [fill] * (size - len(value)) for value in values])
    ids = pad([item["ids"] for item in group], 0)
    mask = pad([[True] * len(item["ids"]) for item in group], False)
    if "lower" in group[0]:
        states = torch.zeros(len(group), size, HIDDEN)
        for at, item in enumerate(group):
            states[at, :len(item["ids"])] = item["lower"].float()
    else:
        states = lower(ids, mask)
    labels = {head: pad([item["labels"][head] for item in group], IGNORED) for head in TOKEN_HEADS if head != "role"}
    count = max(len(item["labels"]["role"]) for item in group)
    labels["role"] = torch.tensor([item["labels"]["role"] + [IGNORED] * (count - len(item["labels"]["role"]))
                                   for item in group])
    # The share that each token has in each word.
    words = (pad([item["words"] for item in group], -1)[:, None, :] == torch.arange(count)[None, :, None]).float()
    words = words / words.sum(2, keepdim=True).clamp(min=1.0)
    labels |= {head: torch.tensor([item["sentence"][head] for item in group]) for head in SENTENCE_HEADS}
    hints = pad([item["hints"] for item in group], [0.0] * (1 + HINTS))
    return states, mask, torch.tensor([item["state"] for item in group]), hints, words, labels


def chain_loss(model, emissions, roles, intents):
    """Minus the mean log-likelihood of a word's role, given what the sentence asks for."""
    known = roles != IGNORED
    scores = emissions + model.by_intent[intents][:, None, :]
    texts = torch.arange(len(roles))
    first = known.float().argmax(1)
    before = scores[texts, first]
    path = before.gather(1, roles[texts, first].clamp(min=0)[:, None]).squeeze(1)
    into = model.transitions.exp()
    for at in range(1, roles.shape[1]):
        active = known[:, at] & (at > first)
        most = before.detach().max(1, keepdim=True).values
        step = ((before - most).exp() @ into).log() + most + scores[:, at]
        before = torch.where(active[:, None], step, before)
    # The path's own score, every step at once.
    labels = roles.clamp(min=0)
    active = known[:, 1:] & (torch.arange(1, roles.shape[1]) > first[:, None])
    gains = model.transitions[labels[:, :-1], labels[:, 1:]] + scores[:, 1:].gather(2, labels[:, 1:, None]).squeeze(2)
    path = path + (gains * active).sum(1)
    missed = torch.logsumexp(before, dim=1) - path
    return missed.sum() / known.sum()


def best_roles(model, emissions, known, intent):
    """The likeliest roles of one sentence's words: Viterbi."""
    scores = (emissions + model.by_intent[intent])[known]
    best, back = scores[0], []
    for row in scores[1:]:
        most, origin = (best[:, None] + model.transitions).max(0)
        back.append(origin)
        best = most + row
    path = [int(best.argmax())]
    for origin in reversed(back):
        path.append(int(origin[path[-1]]))
    found = torch.zeros(len(known), dtype=torch.long)
    found[known] = torch.tensor(path[::-1])
    return found


def loss_of(model, logits, labels):
    total = 2.0 * chain_loss(model, logits["role"], labels["role"], labels["intent"])
    for head, values in logits.items():
        if head == "role":
            continue
        if (labels[head] != IGNORED).any():
            total = total + nn.functional.cross_entropy(
                values.flatten(0, -2), labels[head].flatten(), ignore_index=IGNORED,
                label_smoothing=0.02) * (2.0 if head == "intent" else 1.0)
    return total


@torch.no_grad()
def calibrate(model, lower, held):
    """Divides the scores of each head by the temperature at which held-out sentences are likeliest."""
    model.eval()
    groups = [tensors_of(held[at:at + BATCH], lower) for at in range(0, len(held), BATCH)]
    logits = [model(*inputs) for *inputs, _ in groups]
    chain = [model.transitions, model.by_intent]
    plain = [parameter.clone() for parameter in chain]

    def loss_at(head, temperature):
        total = 0.0
        for values, (*_, labels) in zip(logits, groups):
            scores, known = values[head] / temperature, labels[head] != IGNORED
            if head == "role":
                total += float(chain_loss(model, scores, labels[head], labels["intent"]) * known.sum())
            else:
                total += float(nn.functional.cross_entropy(
                    scores.flatten(0, -2), labels[head].flatten(), ignore_index=IGNORED, reduction="sum"))
        return total

    for head, linear in model.heads.items():
        losses = {}
        for temperature in TEMPERATURES:
            if head == "role":
                for parameter, own in zip(chain, plain):
                    parameter.copy_(own / temperature)
            losses[temperature] = loss_at(head, temperature)
        best = min(losses, key=losses.get)
        print(f"temperature of {head}: {best}", flush=True)
        for parameter in (linear.weight, linear.bias):
            parameter.div_(best)
        if head == "role":
            for parameter, own in zip(chain, plain):
                parameter.copy_(own / best)


@torch.no_grad()
def report(model, lower, items, show):
    """Shares of labels that are right, by head; of sentences of which all are."""
    model.eval()
    right, total, confused, whole, misses = Counter(), Counter(), Counter(), 0, []
    for at in range(0, len(items), BATCH):
        group = items[at:at + BATCH]
        *inputs, labels = tensors_of(group, lower)
        logits = model(*inputs)
        bad = torch.zeros(len(group), dtype=torch.bool)
        for head, values in logits.items():
            known = labels[head] != IGNORED
            told = values.argmax(-1)
            if head == "role":
                intents = logits["intent"].argmax(-1)
                told = torch.stack([best_roles(model, *one) for one in zip(values, known, intents)])
            wrong = (told != labels[head]) & known
            right[head] += int((known & ~wrong).sum())
            total[head] += int(known.sum())
            bad |= wrong.flatten(1).any(1) if wrong.dim() > 1 else wrong
            names = (TOKEN_HEADS | SENTENCE_HEADS)[head]
            for truth, answer in zip(labels[head][wrong].tolist(), told[wrong].tolist()):
                confused[head, names[truth], names[answer]] += 1
        whole += int((~bad).sum())
        misses += [item for item, is_bad in zip(group, bad.tolist()) if is_bad]
    lines = [f"sentences with every label right: {whole}/{len(items)} = {whole / max(1, len(items)):.4f}"]
    lines += [f"{head}: {right[head]}/{total[head]} = {right[head] / max(1, total[head]):.4f}" for head in total]
    lines += ["confusions (head, truth, told, times):"]
    lines += [f"  {head}: {truth} -> {told}: {count}" for (head, truth, told), count in confused.most_common(40)]
    if show:
        lines += [f"  miss {item['source']}: {item['text']}" for item in misses[:show]]
    return "\n".join(lines)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("data", nargs="+", type=Path)
    arguments.add_argument("--hints", type=Path, required=True)
    arguments.add_argument("--output", type=Path, required=True)
    arguments.add_argument("--epochs", type=int, default=EPOCHS)
    arguments.add_argument("--show", type=int, default=0)
    options = arguments.parse_args()
    random.seed(SEED)
    torch.manual_seed(SEED)
    torch.set_num_threads(2)
    tokens, lower = tokenizer(), Lower(SHARED).eval()
    with open(options.hints, encoding="utf-8") as lines:
        hints = {row["text"]: row["words"] for row in map(json.loads, lines)}
    generated = examples([path for path in options.data if path.stem == "generated"], tokens, hints)
    written = examples([path for path in options.data if path.stem != "generated"], tokens, hints)
    held = [item for item in written if item["is_held_out"]]
    written = [item for item in written if not item["is_held_out"]]
    items = written + generated
    print(f"{len(written)} written, {len(generated)} generated, {len(held)} held out", flush=True)
    for at in range(0, len(items), 256):
        group = sorted(items[at:at + 256], key=lambda item: len(item["ids"]))
        for first in range(0, len(group), BATCH):
            part = group[first:first + BATCH]
            states, *_ = tensors_of(part, lower)
            for item, rows_of in zip(part, states):
                item["lower"] = rows_of[:len(item["ids"])].half()
    model = Reader()
    decayed = [value for value in model.parameters() if value.dim() > 1]
    others = [value for value in model.parameters() if value.dim() == 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.01}, {"params": others, "weight_decay": 0.0}],
                                  lr=RATE)
    seen = written * WRITTEN_REPEATED + generated
    steps = options.epochs * ((len(seen) + BATCH - 1) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(
        1.0, step / (0.06 * steps)) * max(0.02, 1.0 - step / steps))
    mean = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(1 - 1 / MEAN_STEPS))
    shuffle, started = random.Random(SEED), time.monotonic()
    for epoch in range(options.epochs):
        model.train()
        sums, count = 0.0, 0
        for group in batches(seen, shuffle):
            *inputs, labels = tensors_of(group, lower)
            loss = loss_of(model, model(*inputs), labels)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            mean.update_parameters(model)
            sums, count = sums + loss.item(), count + 1
        print(f"epoch {epoch + 1}: loss {sums / count:.4f}, {time.monotonic() - started:.0f} s", flush=True)
        if held:
            print(report(model, lower, held, 0).splitlines()[0], flush=True)
    model = mean.module
    calibrate(model, lower, held)
    options.output.mkdir(parents=True, exist_ok=True)
    path = options.output / "model.safetensors"
    write_tensors(path, model.tensors())
    labels = {"shared_layers": SHARED, "layers": LAYERS - SHARED, "state": STATE,
              "token_heads": TOKEN_HEADS, "sentence_heads": SENTENCE_HEADS}
    (options.output / "labels.json").write_text(json.dumps(labels, indent=1) + "\n")
    print(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    print(report(model, lower, held, options.show))


if __name__ == "__main__":
    main()
