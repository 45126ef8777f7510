#!/usr/bin/env python3
"""Train the classifier that says which NTEE codes a text is probably about.

    ntee_model.py --bmf eo_vt.csv eo_wy.csv ... --missions missions_1023ez.csv missions.csv
        --almoner target/release/almoner --output models/ntee [--cache DIR] [--seed 22]

Learned from: rows of the IRS's master file that have a code (name, and sort name unless it is a number);
missions with the code, or the major group, that the organization filed (columns NTEE_CD or NTEE1, MISSION or
mission, NAME or TAXPAYER_NAME); the titles of `data/ntee.tsv`; the terms of `data/causes.tsv` and the phrases
of `data/needs.tsv`, whose prefixes stand for all codes that begin with them, the first counting most.

A text is the mean of learned vectors of its words, pairs of neighbours and ends of long words (FNV-1a into
2^15 buckets), plus a linear map of the sentence model's vector, through a rectifier to the codes. Vectors
come from `almoner embed`; a quarter of the examples is shown without, so that it also works where there are
none. The loss is cross entropy of the code, and of its major group.

Held out are names by their first two words (a tenth, so that chapters and namesakes do not straddle): on
them a temperature is fitted, and the figures are theirs. Needs torch and numpy; five minutes on two cores,
most of it embedding. `--cache` keeps the vectors between runs.
"""

import argparse
import collections
import csv
import hashlib
import json
import random
import subprocess
import sys
import tempfile
import time
import unicodedata
import zlib
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

ROOT = Path(__file__).resolve().parent.parent
BUCKETS = 1 << 15
HIDDEN = 96
DIMENSIONS = 384
WORDS_MAX = 96
AFFIX = 5
MISSION_CHARACTERS_MAX = 400
CODES_LEAST = 5
EPOCHS = 6
BATCH = 512
APOSTROPHES = "'\u2018\u2019\u02bc\u0060"


def normalise(text: str) -> str:
    """As `naming::normalise` does."""
    text = "".join(c for c in text if c not in APOSTROPHES).lower().replace("&", " and ")
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).lower()
    return " ".join("".join(c if c.isalnum() else " " for c in text).split())


def bucket(text: str) -> int:
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return (value ^ (value >> 32)) % BUCKETS


class Buckets(dict):
    def __missing__(self, text: str) -> int:
        self[text] = bucket(text)
        return self[text]


BUCKET = Buckets()


def features(text: str) -> np.ndarray:
    """As `embed/classifier.rs` finds them."""
    words = text.split()[:WORDS_MAX]
    found = [BUCKET[word] for word in words]
    found += [BUCKET[f"{a} {b}"] for a, b in zip(words, words[1:])]
    for word in words:
        if len(word) > AFFIX:
            found += [BUCKET["^" + word[:AFFIX]], BUCKET[word[-AFFIX:] + "$"]]
    return np.array(found or [0], dtype=np.int64)


class Example:
    """A text and what it is about: prefixes of codes, the likeliest first. `group` is what is held out together."""

    __slots__ = ("text", "prefixes", "group", "kind")

    def __init__(self, text: str, prefixes: list[str], group: str, kind: str):
        self.text, self.prefixes, self.group, self.kind = " ".join(text.split()), prefixes, group, kind


def is_code(code: str) -> bool:
    return bool(code) and code[0] in "ABCDEFGHIJKLMNOPQRSTUVWXY"


def group_of(name: str) -> str:
    return " ".join(normalise(name).split()[:2])


def read(args: argparse.Namespace) -> list[Example]:
    examples = []
    for path in sorted(args.bmf):
        with open(path, encoding="latin-1", newline="") as file:
            for row in csv.DictReader(file):
                code, sort_name = row["NTEE_CD"].strip()[:3], row["SORT_NAME"].strip()
                if len(code) == 3 and is_code(code):
                    other = f". {sort_name}" if sort_name and not sort_name.isdigit() else ""
                    examples.append(Example(row["NAME"] + other, [code], group_of(row["NAME"]), "name"))
    for path in args.missions:
        seen = set()
        with open(path, encoding="utf-8", errors="replace", newline="") as file:
            for row in csv.DictReader(file):
                name = row.get("NAME") or row["TAXPAYER_NAME"]
                mission = (row.get("MISSION") or row.get("mission") or "").strip()[:MISSION_CHARACTERS_MAX]
                code = (row.get("NTEE_CD") or row["NTEE1"]).strip()[:3]
                if mission and is_code(code) and row["EIN"] not in seen:
                    seen.add(row["EIN"])
                    group = group_of(name)
                    examples.append(Example(f"{name}. {mission}", [code], group, "name and mission"))
                    examples.append(Example(mission, [code], group, "mission"))
    for line in (ROOT / "data/ntee.tsv").read_text().splitlines():
        if not line.startswith("#") and is_code(line):
            code, title = line.split("\t")[:2]
            examples.append(Example(title, [code], "", "title"))
    for line in (ROOT / "data/causes.tsv").read_text().splitlines():
        if not line.startswith("#"):
            term, prefixes = line.split("\t")[:2]
            if prefixes:
                examples.append(Example(term, prefixes.split(","), "", "term"))
    for line in (ROOT / "data/needs.tsv").read_text().splitlines():
        if not line.startswith("#"):
            phrase, prefixes = line.split("\t")
            examples.append(Example(phrase, prefixes.split(","), phrase, "need"))
    return examples


def vectors(args: argparse.Namespace, texts: list[str]) -> np.ndarray:
    """f16[texts][DIMENSIONS] of `almoner embed`."""
    kept = None
    if args.cache:
        digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
        kept = Path(args.cache) / f"{digest}.npy"
        if kept.exists():
            return np.load(kept)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as source:
        source.write("".join(f"{text}\n" for text in texts))
        source.flush()
        process = subprocess.Popen([args.almoner, "embed", source.name], stdout=subprocess.PIPE, text=True)
        rows = np.array([np.array(json.loads(line), dtype=np.float16) for line in process.stdout])
    if process.wait() != 0 or len(rows) != len(texts):
        sys.exit(f"{args.almoner} embed: expected {len(texts)} vectors, found {len(rows)}")
    if kept:
        np.save(kept, rows)
    return rows


class Classifier(nn.Module):
    def __init__(self, classes: int):
        super().__init__()
        self.features = nn.EmbeddingBag(BUCKETS, HIDDEN, mode="mean")
        nn.init.normal_(self.features.weight, std=0.2)
        self.sentence = nn.Linear(DIMENSIONS, HIDDEN)
        nn.init.normal_(self.sentence.weight, std=1.0)
        self.classes = nn.Linear(HIDDEN, classes)
        self.dropout = nn.Dropout(0.2)

    def forward(self, found, starts, sentence):
        hidden = self.features(found, starts) + self.sentence(sentence)
        return self.classes(self.dropout(torch.relu(hidden)))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bmf", nargs="+", required=True)
    parser.add_argument("--missions", nargs="*", default=[])
    parser.add_argument("--almoner", default="target/release/almoner")
    parser.add_argument("--output", required=True)
    parser.add_argument("--cache", help="folder that keeps vectors")
    parser.add_argument("--seed", type=int, default=22)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    random.seed(args.seed)
    chance = np.random.RandomState(args.seed)
    started = time.time()

    examples = read(args)
    filed = collections.Counter(e.prefixes[0] for e in examples if e.kind == "name")
    codes = sorted(code for code, count in filed.items() if count >= CODES_LEAST)
    majors = sorted({code[0] for code in codes})
    major_of = torch.tensor([majors.index(code[0]) for code in codes])
    frequency = np.array([filed[code] for code in codes], dtype=np.float32)

    def target(prefixes: list[str]) -> np.ndarray | None:
        """A prefix weighs two thirds of the one before, the codes of one are as likely as they are frequent."""
        shares = np.zeros(len(codes), dtype=np.float32)
        for at, prefix in enumerate(prefixes):
            has = np.array([code.startswith(prefix) for code in codes])
            if has.any():
                shares += (2 / 3) ** at * np.where(has, frequency, 0) / frequency[has].sum()
        return shares / shares.sum() if shares.sum() > 0 else None

    targets: dict[tuple[str, ...], int] = {}
    rows: list[np.ndarray] = []
    labels = []
    for example in examples:
        key = tuple(example.prefixes)
        if key not in targets:
            made = target(example.prefixes)
            targets[key] = -1 if made is None else len(rows)
            rows += [] if made is None else [made]
        labels.append(targets[key])
    known = [at for at, label in enumerate(labels) if label >= 0]
    examples, labels = [examples[at] for at in known], torch.tensor([labels[at] for at in known])
    wanted = torch.from_numpy(np.stack(rows))
    of_text = np.empty((len(examples), DIMENSIONS), dtype=np.float16)
    for kind in sorted({e.kind for e in examples}):
        of_kind = [at for at, e in enumerate(examples) if e.kind == kind]
        of_text[of_kind] = vectors(args, [examples[at].text for at in of_kind])
    found = [features(normalise(e.text)) for e in examples]
    is_held = [e.group != "" and zlib.crc32(e.group.encode()) % 10 == 0 for e in examples]
    train = np.array([at for at, held in enumerate(is_held) if not held])
    # Few beside the names: each is shown more than once.
    more = {"name": 1, "name and mission": 3, "mission": 3, "title": 8, "term": 4, "need": 6}
    train = np.concatenate([np.repeat(at, more[examples[at].kind]) for at in train])
    print(f"{len(examples)} examples, {len(codes)} codes, {len(majors)} major groups; {sum(is_held)} held out")

    model = Classifier(len(codes))

    def batch(numbers: np.ndarray, training: bool):
        bags = [found[at] for at in numbers]
        if training:
            # Some words are left out, so that none alone decides.
            bags = [bag if len(bag) < 3 or chance.rand() < 0.7 else bag[chance.rand(len(bag)) < 0.7] for bag in bags]
            bags = [bag if len(bag) else np.zeros(1, dtype=np.int64) for bag in bags]
        starts = torch.tensor(np.cumsum([0] + [len(bag) for bag in bags[:-1]]))
        sentence = torch.from_numpy(of_text[numbers].astype(np.float32))
        if training:
            sentence = sentence * torch.from_numpy((chance.rand(len(numbers), 1) > 0.25).astype(np.float32))
        return torch.from_numpy(np.concatenate(bags)), starts, sentence

    def of_majors(shares: torch.Tensor) -> torch.Tensor:
        return torch.zeros(len(shares), len(majors)).index_add(1, major_of, shares)

    optimizer = torch.optim.AdamW([
        {"params": model.features.parameters(), "lr": 0.02, "weight_decay": 0.0},
        {"params": [*model.sentence.parameters()], "lr": 0.01, "weight_decay": 1e-3},
        {"params": [*model.classes.parameters()], "lr": 0.003, "weight_decay": 1e-2},
    ])
    rates = [group["lr"] for group in optimizer.param_groups]
    steps, step = EPOCHS * (len(train) // BATCH), 0
    for epoch in range(EPOCHS):
        model.train()
        order = chance.permutation(train)
        for start in range(0, len(order) - BATCH, BATCH):
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * max(0.0, 1 - step / steps)
            step += 1
            numbers = order[start : start + BATCH]
            scores = model(*batch(numbers, True))
            share = wanted[labels[numbers]]
            of_code = functional.cross_entropy(scores, 0.98 * share + 0.02 / len(codes))
            of_major = -(of_majors(share) * (of_majors(scores.softmax(1)) + 1e-6).log()).sum(1).mean()
            optimizer.zero_grad()
            (of_code + 2 * of_major).backward()
            optimizer.step()
        print(f"epoch {epoch + 1}: loss {float(of_code + 2 * of_major):.3f}", flush=True)

    # What the program will have: a table in bytes, maps in half precision.
    model.eval()
    with torch.no_grad():
        weight = model.features.weight
        scales = weight.abs().amax(0) / 127
        table = (weight / scales).round().clamp(-127, 127)
        weight.copy_(table * scales)
        for part in (model.sentence, model.classes):
            part.weight.copy_(part.weight.half().float())

    def scores_of(numbers: list[int], with_vector: bool) -> torch.Tensor:
        made = []
        with torch.no_grad():
            for start in range(0, len(numbers), 2048):
                bags, starts, sentence = batch(np.array(numbers[start : start + 2048]), False)
                made.append(model(bags, starts, sentence if with_vector else torch.zeros_like(sentence)))
        return torch.cat(made)

    held = [at for at, is_one in enumerate(is_held) if is_one]
    names = [at for at in held if examples[at].kind == "name"]
    # A temperature by the held-out names, with their vectors.
    raw, share = scores_of(names, True), of_majors(wanted[labels[names]])
    losses = {t: float(-(share * (of_majors((raw / t).softmax(1)) + 1e-9).log()).sum(1).mean())
              for t in np.arange(0.7, 1.61, 0.05)}
    temperature = float(min(losses, key=losses.get))
    with torch.no_grad():
        model.classes.weight.copy_((model.classes.weight / temperature).half().float())
        model.classes.bias.div_(temperature)
    figures = []
    for kind in ("name", "name and mission", "mission", "need"):
        numbers = [at for at in held if examples[at].kind == kind]
        for with_vector in (True, False) if numbers else ():
            shares = of_majors(scores_of(numbers, with_vector).softmax(1))
            truth = of_majors(wanted[labels[numbers]]).argmax(1)
            best = shares.topk(3, 1).indices
            top1, top3 = (best[:, 0] == truth), (best == truth[:, None]).any(1)
            figures.append({"asked": kind, "with the sentence model": with_vector, "n": len(numbers),
                            "top 1": round(float(top1.float().mean()), 4),
                            "top 3": round(float(top3.float().mean()), 4)})
            print(figures[-1])
            if kind == "name" and with_vector:
                print("reliability of the likeliest major group: expected, found, rows")
                sure = shares.amax(1)
                for tenth in range(10):
                    inside = (sure >= tenth / 10) & (sure < (tenth + 1) / 10 + (tenth == 9))
                    if inside.any():
                        print(f"  {tenth / 10:.1f} {float(sure[inside].mean()):.3f} "
                              f"{float(top1[inside].float().mean()):.3f} {int(inside.sum())}")
                pairs = collections.Counter(
                    (majors[t], majors[b]) for t, b in zip(truth.tolist(), best[:, 0].tolist()) if t != b)
                print("taken for (truth, told, rows):", [(*pair, count) for pair, count in pairs.most_common(20)])

    from safetensors.torch import save_file

    output = Path(args.output)
    output.mkdir(parents=True, exist_ok=True)
    save_file({
        "features.weight": (table + 128).to(torch.uint8).contiguous(),
        "features.scales": scales.detach().contiguous(),
        "sentence.weight": model.sentence.weight.detach().half().contiguous(),
        "sentence.bias": model.sentence.bias.detach().half().contiguous(),
        "classes.weight": model.classes.weight.detach().half().contiguous(),
        "classes.bias": model.classes.bias.detach().half().contiguous(),
    }, output / "model.safetensors")
    (output / "codes.txt").write_text("".join(f"{code}\n" for code in codes))
    print(f"SHA-256 {hashlib.sha256((output / 'model.safetensors').read_bytes()).hexdigest()}; "
          f"{temperature=:.2f}; {time.time() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
