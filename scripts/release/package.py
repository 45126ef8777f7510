"""What the packages of a release have in common: the name, version and targets, bytes that depend on nothing but what
is packed, and whether a program is linked statically.
"""

import dataclasses
import gzip
import hashlib
import pathlib
import struct
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The type of a program header that names a loader, and where headers are described in ELF of 64 bits.
PT_INTERP = 3
ELF64_LITTLE = b"\x7fELF\x02\x01"


@dataclasses.dataclass(frozen=True)
class Target:
    """What others call the architecture of one of Rust's targets."""

    debian: str
    image: str
    wheel: str


TARGETS = {
    "x86_64-unknown-linux-gnu": Target("amd64", "amd64", "x86_64"),
    "x86_64-unknown-linux-musl": Target("amd64", "amd64", "x86_64"),
    "aarch64-unknown-linux-gnu": Target("arm64", "arm64", "aarch64"),
    "aarch64-unknown-linux-musl": Target("arm64", "arm64", "aarch64"),
}


def cargo_package():
    """The section `package` of Cargo.toml."""
    return tomllib.loads((ROOT / "Cargo.toml").read_text())["package"]


def add_arguments(parser):
    """What every package is made of."""
    parser.add_argument("--staged", type=pathlib.Path, required=True, help="folder with almoner, man and completions")
    parser.add_argument("--target", choices=sorted(TARGETS), required=True)
    parser.add_argument("--epoch", type=int, required=True, help="seconds since 1970 of every file")
    parser.add_argument("--output", type=pathlib.Path, required=True)


def is_static(program):
    """Whether a program (ELF, 64 bits, little-endian) is started without a loader."""
    data = program.read_bytes()
    if not data.startswith(ELF64_LITTLE):
        raise SystemExit(f"{program}: expected a program in ELF of 64 bits, little-endian")
    (offset,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    types = [struct.unpack_from("<I", data, offset + number * size)[0] for number in range(count)]
    return PT_INTERP not in types


def compressed(data):
    """Gzip without a name and a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def sha256(data):
    return hashlib.sha256(data).hexdigest()
