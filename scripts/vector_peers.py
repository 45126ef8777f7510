#!/usr/bin/env python3
"""Compare Almoner's vector index with hnswlib: same vectors, queries and threads, in one process.

    vector_peers.py --bmf FOLDER --work FOLDER [--headers FOLDER] [--almoner target/release/almoner]

The vectors are those of the distinct names of the master file, in the order of their places, embedded
by `almoner embed` and kept in --work; some names are held out as queries. hnswlib's headers are taken out of
its source distribution on PyPI, unless --headers has them, and compiled with g++ for this CPU behind
`benches/vectors/hnswlib.cpp`. `benches/vectors` builds both and prints the curve.
"""

import argparse
import csv
import json
import os
import random
import struct
import subprocess
import sys
import tarfile
from pathlib import Path

DIMS = 384
BENCH = Path(__file__).resolve().parent.parent / "benches" / "vectors"


def main() -> int:
    args = arguments()
    make_vectors(args)
    library = compiled(args)
    names = {"VECTORS": args.work.resolve(), "HNSWLIB": library.resolve()}
    environment = os.environ | {f"ALMONER_BENCH_{name}": str(path) for name, path in names.items()}
    return subprocess.run(["cargo", "bench", "--bench", "vectors"], env=environment).returncode


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bmf", required=True, help="folder of master file extracts, CSV")
    parser.add_argument("--work", required=True, type=Path, help="folder for the vectors")
    parser.add_argument("--headers", type=Path, help="folder with hnswlib/hnswlib.h")
    parser.add_argument("--almoner", default="target/release/almoner")
    parser.add_argument("--queries", type=int, default=2_000)
    return parser.parse_args()


# The peer


def compiled(args: argparse.Namespace) -> Path:
    """hnswlib.cpp as a shared library in the folder for the vectors."""
    library = args.work / "libhnswlib.so"
    headers = args.headers or downloaded(args.work)
    flags = ["-O3", "-march=native", "-std=c++17", "-shared", "-fPIC", "-pthread"]
    subprocess.run(["g++", *flags, "-I", headers, "-o", library, BENCH / "hnswlib.cpp"], check=True)
    return library


def downloaded(work: Path) -> Path:
    """The source distribution of hnswlib, taken apart."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", "hnswlib"]
    subprocess.run([*pip, "--dest", work, "hnswlib"], check=True)
    archive = next(work.glob("hnswlib-*.tar.gz"))
    with tarfile.open(archive) as files:
        files.extractall(work, filter="data")
    return archive.with_name(archive.name.removesuffix(".tar.gz"))


# Vectors


def make_vectors(args: argparse.Namespace) -> None:
    """The vectors of the names, those of the queries apart; embedded once."""
    paths = [args.work / "base.f32", args.work / "queries.f32"]
    if not all(path.exists() for path in paths):
        args.work.mkdir(parents=True, exist_ok=True)
        names = names_by_place(args.bmf)
        held = set(random.Random(7).sample(range(len(names)), args.queries))
        for path, kept in zip(paths, (False, True)):
            embed(args.almoner, [name for at, name in enumerate(names) if (at in held) == kept], path)


def names_by_place(folder: str) -> list[str]:
    """Distinct names in title case, by state, city and ZIP of the first that bears each."""
    places = {}
    for path in sorted(Path(folder).glob("**/*.csv")):
        with open(path, encoding="latin-1", newline="") as lines:
            for row in csv.DictReader(lines):
                if not {"NAME", "STATE", "CITY", "ZIP"} <= row.keys():
                    break
                name, place = " ".join(row["NAME"].split()).title(), (row["STATE"], row["CITY"], row["ZIP"])
                if name and place < places.get(name, ("~",)):
                    places[name] = place
    return sorted(places, key=lambda name: (places[name], name))


def embed(almoner: str, names: list[str], path: Path) -> None:
    source, part = path.with_suffix(".txt"), path.with_suffix(".part")
    source.write_text("".join(f"{name}\n" for name in names), encoding="utf-8")
    with subprocess.Popen([almoner, "embed", str(source)], stdout=subprocess.PIPE) as running:
        with open(part, "wb") as out:
            for line in running.stdout:
                out.write(struct.pack(f"<{DIMS}f", *json.loads(line)))
    if running.returncode:
        raise SystemExit(f"{almoner} embed ended with {running.returncode}")
    part.rename(path)


if __name__ == "__main__":
    sys.exit(main())
