"""A data directory of fictional organizations that is to be damaged: its files, and how it is sealed."""

import contextlib
import csv
import struct
from pathlib import Path
from typing import NamedTuple

import trial

# EINs that are asked for, spread over the master files.
EINS = 8

# Constants of XXH3-64 as its specification gives them; of the secret, what texts of 17 to 128 bytes need.
PRIME64_1, AVALANCHE = 0x9E3779B185EBCA87, 0x165667919E3779F9
BITS_64 = 2**64 - 1
SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
    "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
    "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
    "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
)


class File(NamedTuple):
    """What `verify` calls it, where it is, and whether `serve` looks at it when it starts."""

    name: str
    path: Path
    is_opened: bool


class Bench:
    """Organizations, rejects and a key, and how they are told while all is whole.

    `options` are more of the build's.
    """

    def __init__(self, almoner, work, organizations, seed, *options):
        self.almoner, self.data = almoner, work / "data"
        inputs = work / "inputs"
        work.mkdir(exist_ok=True)
        trial.must(almoner, "generate", inputs, "--organizations", organizations, "--seed", seed)
        with open(inputs / "curated.ndjson", "a", encoding="utf-8") as curated:
            curated.write('{"kind": "none"}\n')
        trial.must(almoner, "build", *options, "--data-dir", self.data, inputs)
        trial.must(almoner, "keys", "create", "--data-dir", self.data, "--name", "damage")
        self.eins = some_eins(inputs)
        self.files = files_of(self.data)
        self.before = {ein: self.get(ein).stdout for ein in self.eins}

    def get(self, ein):
        return trial.run(self.almoner, "get", "--data-dir", self.data, f"/nonprofits/details/{ein}")

    def verify(self):
        return trial.run(self.almoner, "verify", "--data-dir", self.data)


def some_eins(inputs):
    found = []
    for path in sorted(inputs.glob("eo*.csv")):
        with open(path, newline="", encoding="latin-1") as rows:
            found += [row["EIN"] for row in csv.DictReader(rows)]
    return found[:: max(1, len(found) // EINS)][:EINS]


def files_of(data):
    """The files that hold something and are verified."""
    snapshot = next((data / "snapshots").iterdir())
    inner = (path for path in sorted(snapshot.rglob("*")) if path.is_file())
    files = [File(str(path.relative_to(snapshot)), path, True) for path in inner]
    files += [File(name, data / name, True) for name in ("CURRENT", "keys.json")]
    files.append(File("rejects.ndjson", data / "rejects.ndjson", False))
    return [file for file in files if file.path.stat().st_size > 0]


@contextlib.contextmanager
def holding(*changes):
    """Files hold other bytes for a while: pairs of path and bytes.

    They are written in place, and one whose length stays is never shorter meanwhile: it may be mapped.
    """
    whole = [(path, path.read_bytes()) for path, _ in changes]
    try:
        for path, changed in changes:
            write(path, changed)
        yield
    finally:
        for path, before in whole:
            write(path, before)


def write(path, content):
    with open(path, "r+b") as file:
        file.write(content)
        file.truncate()


def flipped(whole, positions, chance):
    """Bytes of which those at some positions have one bit changed."""
    changed = bytearray(whole)
    for position in set(positions):
        changed[position] ^= 1 << chance.randrange(8)
    return bytes(changed)


def sealed(words):
    """The line of `CURRENT` that says these words, as a build writes it."""
    line = " ".join(words)
    return f"{line} {xxh3_64(line.encode()):016x}\n"


def xxh3_64(text):
    """XXH3-64 of 17 to 128 bytes, without a seed."""
    assert 16 < len(text) <= 128, "other lengths are hashed in other ways"

    def mixed(at, of_secret):
        low, high = struct.unpack_from("<QQ", text, at)
        one, other = struct.unpack_from("<QQ", SECRET, of_secret)
        product = (low ^ one) * (high ^ other)
        return (product & BITS_64) ^ (product >> 64)

    total = len(text) * PRIME64_1
    for step in range((len(text) - 1) // 32 + 1):
        total += mixed(16 * step, 32 * step) + mixed(len(text) - 16 - 16 * step, 32 * step + 16)
    total &= BITS_64
    total = (total ^ (total >> 37)) * AVALANCHE & BITS_64
    return total ^ (total >> 32)
