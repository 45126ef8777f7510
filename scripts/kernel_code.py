#!/usr/bin/env python3
"""Check what the compiler made of the encoder's products: no instruction taken apart, no sum spilled.

    kernel_code.py BINARY

Reads the disassembly of a binary that has its symbols (objdump of GNU binutils; `skipped: …` where it is
not installed). Of every innermost loop that multiplies in `almoner_kernel`:

  avx512   products are `vpdpbusd` of 512 bits alone, never `vpmaddubsw` and what widens it;
  avx2     two `vpmaddubsw` are added before one `vpmaddwd` widens them;
  both     nothing is written to memory in the loop, so all sums are in registers.

Prints a line a kernel with the products of its largest loop; exits 1 with the loop that breaks it.
"""

import re
import shutil
import subprocess
import sys
from typing import Iterator, NamedTuple

# Products in the largest loop: those of a whole tile.
WANTED = {"avx512": ("vpdpbusd", 24), "avx2": ("vpmaddubsw", 20)}
PRODUCT = re.compile(r"vpdpbusd|vpmaddubsw")
WIDENING = re.compile(r"vpmaddwd")
# In AT&T's order the destination stands last: a memory operand there is a store.
STORE = re.compile(r"^v?mov\S+\s+%[xyz]mm\d+,.*\(")
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(.*?)\s*$")
JUMP = re.compile(r"^j\w+\s+([0-9a-f]+)\b")


class Instruction(NamedTuple):
    address: int
    text: str


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: kernel_code.py BINARY", file=sys.stderr)
        return 2
    if not shutil.which("objdump"):
        print("skipped: objdump is not installed")
        return 0
    largest = dict.fromkeys(WANTED, 0)
    wrong = 0
    for name, code in functions(sys.argv[1]):
        kernel = next((kernel for kernel in WANTED if f"kernel::{kernel}::" in name), None)
        for loop in innermost_loops(code) if kernel else ():
            products = [one.text for one in loop if PRODUCT.match(one.text)]
            if not products:
                continue
            largest[kernel] = max(largest[kernel], len(products))
            mnemonic = WANTED[kernel][0]
            widened = sum(1 for one in loop if WIDENING.match(one.text))
            if widened != (len(products) // 2 if kernel == "avx2" else 0):
                print(f"{name}: {widened} vpmaddwd for {len(products)} {WANTED[kernel][0]}")
                wrong += 1
            for one in loop:
                apart = PRODUCT.match(one.text) and not one.text.startswith(mnemonic)
                if apart or STORE.match(one.text):
                    print(f"{name}: {one.address:x}: {one.text}: in a loop of {mnemonic}, what"
                          " should be one instruction is two, or a sum is not in a register")
                    wrong += 1
    for kernel, (mnemonic, count) in WANTED.items():
        print(f"{kernel}: {largest[kernel]} {mnemonic} in the largest loop")
        if largest[kernel] != count:
            print(f"{kernel}: expected {count}: the tile is another, or has no loop of its own")
            wrong += 1
    return 1 if wrong else 0


def functions(binary: str) -> Iterator[tuple[str, list[Instruction]]]:
    """The kernels' functions: demangled name and instructions."""
    command = ["objdump", "--disassemble", "--demangle", "--no-show-raw-insn", binary]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        name, code = "", []
        for line in process.stdout or ():
            if line.endswith(">:\n"):
                if code:
                    yield name, code
                name, code = line.split("<", 1)[1][:-3], []
            elif "kernel::avx" in name and (found := LINE.match(line)):
                code.append(Instruction(int(found[1], 16), found[2]))
        if code:
            yield name, code
        if process.wait():
            sys.exit(f"{binary}: objdump cannot read it")


def innermost_loops(code: list[Instruction]) -> Iterator[list[Instruction]]:
    """What stands between the target of a jump back and the jump, if no other such is within."""
    spans = []
    for one in code:
        jump = JUMP.match(one.text)
        if jump and (target := int(jump[1], 16)) <= one.address and target >= code[0].address:
            spans.append((target, one.address))
    for first, last in spans:
        if not any(first <= a and b <= last and (a, b) != (first, last) for a, b in spans):
            yield [one for one in code if first <= one.address <= last]


if __name__ == "__main__":
    sys.exit(main())
