#!/usr/bin/env python3
"""Writes THIRD-PARTY.txt: whose work is in the binary, and under which terms.

    notices.py [--check]

The file is what `almoner licenses` prints, and what the release archive and the image carry. It names every crate
that is linked for x86_64-unknown-linux-gnu (`cargo tree`: no tools of the build, no procedural macros, no crates of
tests), the licence of each that is used, and every text that this licence wants passed on: of crates that leave the
choice, Apache-2.0, whose text is one for all, and their NOTICE files. Texts are those in the sources of the crates,
which cargo has; equal ones stand once. What is no crate is in data.txt beside this script. A licence that deny.toml
does not allow, or a crate without the text of its licence, ends it.

The file is that of the program that releases have, with the feature `full`: a program with fewer features contains
less. With --check nothing is written: exits with 1 if the file differs from what would be.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import textwrap

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
FILE = ROOT / "THIRD-PARTY.txt"
TARGET = "x86_64-unknown-linux-gnu"
FEATURES = ["--locked", "--features", "full"]
# Which licence is used where there is a choice, and words that its text has.
LICENCES = {
    "Apache-2.0": "Version 2.0, January 2004",
    "MIT": "Permission is hereby granted, free of charge, to any person obtaining a copy of this software",
    "ISC": "Permission to use, copy, modify, and/or distribute this software for any purpose",
    "BSD-3-Clause": "Redistributions in binary form must reproduce",
    "BSL-1.0": "Boost Software License - Version 1.0",
    "Zlib": "This software is provided 'as-is'",
    "Unicode-3.0": "UNICODE LICENSE V3",
    "CDLA-Permissive-2.0": "Community Data License Agreement - Permissive - Version 2.0",
}
# Its text stands once, for all.
COMMON = "Apache-2.0"
NAME = re.compile(r"(licen[cs]e|copying)(?!.*\.(rs|toml|json|html)$)", re.IGNORECASE)
HEAD = """THIRD-PARTY NOTICES

Almoner is under the Apache License 2.0 (LICENSE). Its binary contains work of others, listed here with the terms
under which it does. Written by scripts/licenses/notices.py."""
RULE = "-" * 80


def fail(text):
    raise SystemExit(f"notices.py: {text}")


def cargo(*arguments):
    ran = subprocess.run(["cargo", *arguments], cwd=ROOT, capture_output=True, text=True)
    if ran.returncode:
        fail(f"cargo {arguments[0]}: {ran.stderr.strip()}")
    return ran.stdout


def metadata(target):
    """What cargo knows of the packages, and which needs which."""
    asked = ["--format-version", "1", "--filter-platform", target]
    return json.loads(cargo("metadata", *FEATURES, *asked))


def crates(target=TARGET):
    """What is linked: name, version, licence, repository and folder of each crate."""
    tree = cargo("tree", *FEATURES, "--edges", "normal,no-proc-macro", "--target", target, "--prefix", "none",
                 "--format", "{p}")
    linked = {tuple(line.split()[:2]) for line in tree.splitlines() if line}
    known = metadata(target)["packages"]
    found = [one for one in known if (one["name"], f"v{one['version']}") in linked and one["source"]]
    own = {(one["name"], f"v{one['version']}") for one in known if not one["source"]}
    if len(found) != len(linked - own):
        fail("cargo tree and cargo metadata name different crates")
    return sorted(found, key=lambda one: (one["name"], one["version"]))


def split(expression):
    """The parts of an expression that all hold."""
    return [part.strip().strip("()") for part in re.split(r"\s+AND\s+", expression.replace("/", " OR "))]


def licences(expression, there):
    """The licences that are used of an expression: of a choice the first of LICENCES whose text is there."""
    used = []
    for part in split(expression):
        fitting = [name for name in LICENCES if name in [one.strip() for one in part.split(" OR ")]]
        if not fitting:
            fail(f"no licence of {part} is known; see deny.toml and LICENCES")
        used.append(next((name for name in fitting if name in there), fitting[0]))
    return sorted(set(used))


def texts(crate):
    """The texts of licences in a crate's folder, by licence, and its notices."""
    folder = pathlib.Path(crate["manifest_path"]).parent
    files = [file for file in sorted(folder.rglob("*")) if file.is_file() and len(file.relative_to(folder).parts) < 3]
    of_licence, notices = collections.defaultdict(list), []
    for file in files:
        if NAME.search(file.name):
            text = file.read_text(errors="replace")
            for licence, words in LICENCES.items():
                if words in " ".join(text.replace("//", " ").split()):
                    of_licence[licence].append(plain(text))
        elif file.name.upper().startswith("NOTICE"):
            notices.append(plain(file.read_text(errors="replace")))
    return of_licence, notices


def collect(found):
    """The rows of the list, and by text of a licence or a notice the crates that bring it."""
    rows, owners, lacking = [], collections.defaultdict(set), []
    by_repository = collections.defaultdict(dict)
    for crate in found:
        name = f"{crate['name']} {crate['version']}"
        if not crate["license"]:
            fail(f"{name} names no licence")
        of_licence, notices = texts(crate)
        used = licences(crate["license"], [COMMON, *of_licence])
        rows.append((name, " AND ".join(used)))
        repository = (crate["repository"] or "").rstrip("/").removesuffix(".git").split("/tree/")[0]
        for licence in (one for one in used if one != COMMON):
            by_repository[repository].setdefault(licence, of_licence[licence])
            by_repository[repository][licence] = by_repository[repository][licence] or of_licence[licence]
            lacking += [] if of_licence[licence] else [(name, licence, repository)]
            notices += of_licence[licence]
        for text in notices:
            owners[text].add(name)
    # A crate without its text has that of another one of its repository.
    for name, licence, repository in lacking:
        if not by_repository[repository][licence]:
            fail(f"{name} lacks the text of {licence}, and so does what else is from {repository}")
        for text in by_repository[repository][licence]:
            owners[text].add(name)
    return rows, owners


def plain(text):
    """A text without blanks at the ends of lines and around it."""
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").expandtabs().split("\n")).strip("\n")


def titled(names, text):
    return "\n".join([RULE, textwrap.fill(f"Of {', '.join(sorted(names))}:", 115), "", text, ""])


def rendered():
    rows, owners = collect(crates())
    width = max(len(name) for name, _ in rows)
    font = plain((ROOT / "src/http/explorer/newsreader-license.txt").read_text())
    parts = [HEAD, "", RULE, "", (FOLDER / "data.txt").read_text(), textwrap.indent(font, "    "), ""]
    parts += [RULE, "CRATES", ""]
    parts += [f"{name:{width}}  {licence}" for name, licence in rows]
    parts.append("")
    parts += sorted(titled(names, text) for text, names in owners.items())
    parts.append(titled([f"all that is named under {COMMON}"], plain((ROOT / "LICENSE").read_text())))
    parts.append(titled(["the GNU C Library"], plain((FOLDER / "LGPL-2.1.txt").read_text())))
    return "\n".join(parts).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    text = rendered()
    if not arguments.check:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        fail(f"{FILE.name} is not that of Cargo.lock; run scripts/licenses/notices.py")
    print(f"{FILE.name}: {len(text.encode())} bytes")


if __name__ == "__main__":
    sys.exit(main())
