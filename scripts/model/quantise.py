#!/usr/bin/env python3
"""Eight-bit weights for the encoder's linear maps, rounded so that each map gives what it gave.

A map y = W x + b is stored as integers q, a scale per output and a smoothing per input:
W ≈ scale · q / smoothing. The program divides its activations by the smoothing before it quantises them
to eight bits of their own (SmoothQuant, Xiao and others 2023), and multiplies bytes by bytes.

Integers are chosen input by input: what rounding one weight costs is made good by the weights that are
still to be rounded, as far as the inputs go together in the calibration texts (GPTQ, Frantar and others
2023). AVX2 adds the products of four inputs in 16 bits: within such a group the positive and the negative
weights of an output each sum to at most 128, so that 255 times either fits.

    quantise.py FOLDER [--upper FILE]

Needs numpy and tokenizers. Sums of floating point depend on how numpy was built, so that another machine
may round a few weights otherwise; the files that are committed are checked by their SHA-256.
"""

import argparse
import hashlib
import json
import re
import struct
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

ALPHA = 0.6
WEIGHT_MAX = 127
GROUP_SUM_MAX = 128
# Half a unit for each of four weights is what rounding may add to a group's sum.
GROUP_SUM_ROOM = GROUP_SUM_MAX - 2
DAMPING = 0.01
BLOCK = 64
EPSILON = 1e-12
# Messages of the reader among the calibration texts, and tokens of a text that count.
MESSAGES = 600
TOKENS_MAX = 256
SELF = ("query", "key", "value")


class Statistics:
    """What a map's inputs were while the calibration texts went through."""

    def __init__(self, inputs):
        self.count = 0
        self.reach = np.zeros(inputs)
        self.products = np.zeros((inputs, inputs))

    def add(self, rows):
        self.count += len(rows)
        self.reach = np.maximum(self.reach, np.abs(rows).max(0))
        self.products += rows.T.astype(np.float64) @ rows


def group_of(column):
    """Which of the two groups among eight inputs a column belongs to: 0 1 4 5, or 2 3 6 7."""
    return column // 2 % 2


def quantise(matrix, statistics):
    """Integers i8[outputs][inputs], scales f32[outputs] and smoothing f32[inputs] of a matrix."""
    reach = np.maximum(statistics.reach, 1e-5)
    largest = np.maximum(np.abs(matrix).max(0), 1e-5)
    smoothing = reach**ALPHA / largest ** (1 - ALPHA)
    smoothing = (smoothing / np.exp(np.log(smoothing).mean())).astype(np.float32)
    weights = matrix.astype(np.float64) * smoothing
    outputs, inputs = weights.shape
    groups = weights.reshape(outputs, inputs // 8, 2, 2, 2).transpose(0, 1, 3, 2, 4)
    groups = groups.reshape(outputs, inputs // 4, 4)
    sums = np.maximum(np.maximum(groups, 0).sum(2), np.maximum(-groups, 0).sum(2)).max(1)
    scales = np.maximum(sums / GROUP_SUM_ROOM, np.abs(weights).max(1) / WEIGHT_MAX).astype(np.float32)

    products = statistics.products / np.outer(smoothing, smoothing) / statistics.count
    products += DAMPING * np.diag(products).mean() * np.eye(inputs)
    factor = np.linalg.cholesky(np.linalg.inv(products)).T
    integers = np.zeros((outputs, inputs), np.int8)
    for start in range(0, inputs, BLOCK):
        stop = min(start + BLOCK, inputs)
        errors = np.zeros((outputs, stop - start))
        for column in range(start, stop):
            if column % 8 == 0:
                room = np.full((2, 2, outputs), GROUP_SUM_MAX)  # by group and sign
            above, below = room[group_of(column)]
            rounded = np.round(weights[:, column] / scales)
            rounded = np.clip(rounded, -np.minimum(below, WEIGHT_MAX), np.minimum(above, WEIGHT_MAX))
            above -= np.maximum(rounded, 0).astype(int)
            below -= np.maximum(-rounded, 0).astype(int)
            integers[:, column] = rounded
            error = (weights[:, column] - rounded * scales) / factor[column, column]
            errors[:, column - start] = error
            weights[:, column + 1 : stop] -= np.outer(error, factor[column, column + 1 : stop])
        weights[:, stop:] -= errors @ factor[start:stop, stop:]
    return integers, scales, smoothing


def quantise_layers(tensors, rows, heads):
    """Replaces the maps of a model's layers by their eight-bit form.

    `tensors` by their published names, f32; `rows` is a list of f32[tokens][hidden], what the first layer
    takes for each calibration text. Numbers of layers are those in the names, in order.
    """
    numbers = sorted({int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")})
    for number in numbers:
        maps, norms = layer_of(tensors, number)
        statistics = {key: Statistics(matrix.shape[1]) for key, (matrix, _) in maps.items()}

        def apply(key, inputs):
            statistics[key].add(inputs)
            matrix, bias = maps[key]
            return inputs @ matrix.T + bias

        rows = [run_layer(apply, text, norms, heads) for text in rows]
        for key, parts in names_of(number).items():
            matrix = maps[key][0]
            integers, scales, smoothing = quantise(matrix, statistics[key])
            height = len(matrix) // len(parts)
            for at, name in enumerate(parts):
                part = slice(at * height, (at + 1) * height)
                tensors[f"{name}.weight"] = integers[part]
                tensors[f"{name}.weight_scale"] = scales[part]
                tensors[f"{name}.smoothing"] = smoothing
    return tensors


def names_of(number):
    """The maps of a layer, by what they do, and the published names of their parts."""
    layer = f"encoder.layer.{number}."
    return {
        "joined": [f"{layer}attention.self.{part}" for part in SELF],
        "out": [f"{layer}attention.output.dense"],
        "widen": [f"{layer}intermediate.dense"],
        "narrow": [f"{layer}output.dense"],
    }


def layer_of(tensors, number):
    """The maps of a layer, matrix and bias, and its two norms, gain and bias."""
    maps = {
        key: tuple(np.concatenate([tensors[f"{name}.{part}"] for name in names]) for part in ("weight", "bias"))
        for key, names in names_of(number).items()
    }
    norms = [
        tuple(tensors[f"encoder.layer.{number}.{name}.{part}"] for part in ("weight", "bias"))
        for name in ("attention.output.LayerNorm", "output.LayerNorm")
    ]
    return maps, norms


def run_layer(apply, rows, norms, heads):
    """One layer in f32: f32[tokens][hidden] to the same."""
    tokens, hidden = rows.shape
    joined = apply("joined", rows).reshape(tokens, 3, heads, hidden // heads).transpose(1, 2, 0, 3)
    query, key, value = joined
    scores = query @ key.transpose(0, 2, 1) / np.sqrt(hidden // heads)
    scores = np.exp(scores - scores.max(2, keepdims=True))
    context = (scores / scores.sum(2, keepdims=True)) @ value
    context = context.transpose(1, 0, 2).reshape(tokens, hidden)
    rows = norm(rows + apply("out", context), *norms[0])
    return norm(rows + apply("narrow", gelu(apply("widen", rows))), *norms[1])


def embed(tensors, tokens):
    """What the first layer takes for a text's tokens: f32[tokens][hidden]."""
    rows = tensors["embeddings.word_embeddings.weight"][tokens]
    rows = rows + tensors["embeddings.position_embeddings.weight"][: len(tokens)]
    rows = rows + tensors["embeddings.token_type_embeddings.weight"][0]
    gain, bias = (tensors[f"embeddings.LayerNorm.{part}"] for part in ("weight", "bias"))
    return norm(rows, gain, bias)


def norm(rows, gain, bias):
    centred = rows - rows.mean(1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(1, keepdims=True) + EPSILON) * gain + bias


def gelu(values):
    """By the error function after Abramowitz and Stegun 7.1.26."""
    z = np.abs(values) / np.sqrt(2, dtype=np.float32)
    t = 1 / (1 + 0.3275911 * z)
    series = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
    below = 0.5 * series * np.exp(-z * z)
    return values * np.where(values > 0, 1 - below, below)


KINDS = {"F32": np.float32, "F16": np.float16, "U8": np.int8, "I64": np.int64}


def read_tensors(data):
    """Tensors of a safetensors file's bytes by name; floating ones as f32. Eight-bit weights stand there
    as U8, which candle reads, and are two's complement."""
    (size,) = struct.unpack("<Q", data[:8])
    tensors = {}
    for name, entry in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__":
            start, end = (8 + size + offset for offset in entry["data_offsets"])
            values = np.frombuffer(data[start:end], KINDS[entry["dtype"]]).reshape(entry["shape"])
            tensors[name] = values if values.dtype == np.int8 else values.astype(np.float32)
    return tensors


def write_tensors(tensors):
    """The bytes of a safetensors file: floating matrices in half precision, vectors in single."""
    header, blobs, at = {}, [], 0
    for name in sorted(tensors):
        values = tensors[name]
        kind = "U8" if values.dtype == np.int8 else "F16" if values.ndim == 2 else "F32"
        blob = values.astype(KINDS[kind]).tobytes()
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(blobs)


def dequantised(tensors):
    """The same tensors with eight-bit maps as f32."""
    found = {}
    for name, values in tensors.items():
        scales = tensors.get(f"{name}_scale")
        if scales is not None:
            values = values * scales[:, None] / tensors[name.replace(".weight", ".smoothing")]
        if not name.endswith((".weight_scale", ".smoothing")):
            found[name] = values.astype(np.float32)
    return found


def calibration_texts():
    """Titles of NTEE codes, judged queries and messages written for the reader: all of this repository."""
    data = Path(__file__).parents[2] / "data"
    texts = [line.split("\t")[1] for line in lines(data / "ntee.tsv")]
    texts += [line.split("\t")[2] for line in lines(data / "judgements" / "queries.tsv")]
    messages = []
    for path in sorted((data / "reader" / "written").glob("*.jsonl")):
        for line in lines(path):
            item = json.loads(line)
            messages += [turn["text"] for turn in item.get("turns", [item])]
    messages = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", message) for message in messages]
    return texts + messages[:: max(1, len(messages) // MESSAGES)]


def lines(path):
    return [line for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="a model as published: config.json, tokenizer.json, "
                        "model.safetensors, which is rewritten unless --upper is given")
    parser.add_argument("--upper", type=Path, help="a file of layers on top of the model's lower ones, "
                        "rewritten in place; labels.json beside it says how many those are")
    args = parser.parse_args()
    heads = json.loads((args.folder / "config.json").read_text())["num_attention_heads"]
    path = args.folder / "model.safetensors"
    tensors = dequantised(read_tensors(path.read_bytes()))
    if "embeddings.LayerNorm.weight" not in tensors:
        tensors = {name.removeprefix("bert."): values for name, values in tensors.items()}
    rows = calibration_rows(tensors, args.folder / "tokenizer.json", calibration_texts())
    if args.upper:
        shared = json.loads((args.upper.parent / "labels.json").read_text())["shared_layers"]
        rows = run_lower(tensors, rows, heads, shared)
        path, tensors = args.upper, dequantised(read_tensors(args.upper.read_bytes()))
        rows = [text + tensors["context.bias"] for text in rows]
    path.write_bytes(write_tensors(quantise_layers(tensors, rows, heads)))
    print(hashlib.sha256(path.read_bytes()).hexdigest(), path)


def calibration_rows(tensors, tokenizer, texts):
    """What the first layer takes for each of some texts."""
    tokenizer = Tokenizer.from_file(str(tokenizer))
    tokenizer.no_padding()
    tokenizer.enable_truncation(TOKENS_MAX)
    return [embed(tensors, text.ids) for text in tokenizer.encode_batch(list(texts))]


def run_lower(tensors, rows, heads, count):
    """What the layers before the numbered one make of texts."""
    for number in range(count):
        maps, norms = layer_of(tensors, number)

        def apply(key, inputs):
            matrix, bias = maps[key]
            return inputs @ matrix.T + bias

        rows = [run_layer(apply, text, norms, heads) for text in rows]
    return rows


if __name__ == "__main__":
    main()
