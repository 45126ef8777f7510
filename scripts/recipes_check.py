#!/usr/bin/env python3
"""Runs the recipes of docs/recipes.md over fictional data, and compares their answers.

    pip install duckdb pandas polars pyarrow
    scripts/recipes_check.py --almoner ALMONER [--required]

Builds a small snapshot, serves it on a port of loopback that the system picks, and runs the blocks of each section in
their order, in one folder: `sh` with bash, `python` with this interpreter, `sql` with DuckDB, `r` where Rscript and its
packages are. The address and the data directory of the page become those of the server. A section must print the
number and the sum that Almoner answers itself, or, where it asks something else, what ANSWERS says. What cannot run here
(a package or program that is missing, Excel) is printed as `not run`, and fails only with --required, but for what
needs no interpreter (`powerquery`), which is never run. Exits 1 if a recipe fails.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs/recipes.md"
ADDRESS = "http://127.0.0.1:8080"
# So many that the answer has several pages.
ORGANIZATIONS = 8_000
BLOCK_S_MAX = 120
START_S_MAX = 60
# What is looked for in the output of a section that does not answer the page's question.
ANSWERS = {"Match a data frame": re.compile(r"'yes': 20\b")}
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# What is needed for a block, by words in it: modules of Python, packages of R.
MODULES = {"python": ("pandas", "polars"), "r": ("httr2", "arrow", "dplyr")}
DUCKDB = "import duckdb, sys\nfor query in sys.stdin.read().split(';'):\n    if query.strip():\n        for row in duckdb.sql(query).fetchall():\n            print(*row)\n"


class NotRun(Exception):
    """Why a block cannot run here."""


def sections(text):
    """The sections of the page that have blocks: name, and (language, text) of each block."""
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        if blocks := BLOCK.findall(part):
            yield part.split("\n", 1)[0], blocks


def command(language, block, environment):
    """What runs a block, and what it reads."""
    needed = [name for name in MODULES.get(language, ()) if re.search(rf"\b(import|library\()\W*.*\b{name}\b", block)]
    if language == "sh":
        return ["bash", "-euo", "pipefail", "-c", block], ""
    if language in ("python", "sql"):
        for module in needed if language == "python" else ["duckdb"]:
            if not importlib.util.find_spec(module):
                raise NotRun(f"no {module} for {sys.executable}")
        return [sys.executable, "-c", block if language == "python" else DUCKDB], block
    if language == "r":
        if not shutil.which("Rscript"):
            raise NotRun("no Rscript")
        for package in needed:
            if subprocess.run(["Rscript", "-e", f"library({package})"], capture_output=True, env=environment).returncode:
                raise NotRun(f"no {package} for R")
        return ["Rscript", "-e", block], ""
    raise NotRun("needs Excel" if language == "powerquery" else f"nothing runs {language}")


def run(language, block, folder, environment):
    """The output of a block; ends the section if it fails."""
    arguments, standard_input = command(language, block, environment)
    ran = subprocess.run(
        arguments, input=standard_input, cwd=folder, env=environment, capture_output=True, text=True, timeout=BLOCK_S_MAX
    )
    if ran.returncode:
        if "the feature tables" in ran.stderr:
            raise NotRun("needs an almoner with the feature tables")
        raise RuntimeError(f"exit code {ran.returncode}:\n{block}\n{ran.stderr[-2000:]}")
    return ran.stdout


def asked(almoner, data):
    """The number of rows and the sum that recipes should find, by Almoner's own exports."""
    export = [almoner, "export", "--data-dir", data, "--state", "CA", "--min-revenue", "100000", "--format", "ndjson", "-"]
    lines = subprocess.run(export, check=True, capture_output=True, text=True).stdout.splitlines()
    return len(lines), sum(json.loads(line)["revenueGrandTotal"] for line in lines)


def shows(output, number):
    """Whether a number stands in an output, as a whole number or with a point."""
    found = re.findall(r"\d[\d.e+]*", output)
    return any(is_number(text, number) for text in found)


def is_number(text, number):
    try:
        return float(text) == number
    except ValueError:
        return False


def serve(almoner, folder, data):
    """A server, and its address."""
    log = (folder / "log").open("w+")
    server = subprocess.Popen([almoner, "serve", "--data-dir", data, "--listen", "127.0.0.1:0"], stdout=log, stderr=log)
    for _ in range(START_S_MAX * 10):
        if found := re.search(r"listening on (http://\S+)", (folder / "log").read_text()):
            return server, found.group(1)
        if server.poll() is not None:
            break
        time.sleep(0.1)
    server.kill()
    raise SystemExit(f"recipes_check.py: the server does not listen: {(folder / 'log').read_text()}")


def check(name, blocks, folder, environment, address, expected):
    """Runs a section and prints how it went: whether it passed, None where a part was not run."""
    outputs, skipped, began = [], [], time.monotonic()
    for language, block in blocks:
        try:
            outputs.append(run(language, block.replace(ADDRESS, address), folder, environment))
        except NotRun as reason:
            skipped.append((language, str(reason)))
            # What follows may need what this makes.
            if language == "sh":
                break
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"{name}: failed: {error}")
            return False
    for language, reason in skipped:
        print(f"{name}: not run: a block of {language}: {reason}")
    output = "\n".join(outputs)
    answer = ANSWERS.get(name)
    # curl counts the rows and adds nothing up.
    wanted = expected[:1] if name == "curl" else expected
    is_right = answer.search(output) if answer else all(shows(output, number) for number in wanted)
    if outputs and not skipped and not is_right:
        print(f"{name}: failed: expected {answer.pattern if answer else wanted} in\n{output}")
        return False
    if outputs:
        print(f"{name}: {len(outputs)} of {len(blocks)} blocks ran, {time.monotonic() - began:.1f} s")
    return None if any(language != "powerquery" for language, _ in skipped) else True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--required", action="store_true")
    arguments = parser.parse_args()
    almoner = str(pathlib.Path(arguments.almoner).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        data, files, programs = str(folder / "data"), str(folder / "files"), folder / "programs"
        programs.mkdir()
        (programs / "almoner").symlink_to(almoner)
        make = ([almoner, "generate", "--organizations", str(ORGANIZATIONS), files],
                [almoner, "build", "--data-dir", data, "--no-semantic", files])
        for one in make:
            subprocess.run(one, check=True, capture_output=True)
        key = subprocess.run([almoner, "keys", "create", "--data-dir", data, "--name", "recipes"],
                             check=True, capture_output=True, text=True).stdout.strip()
        environment = {**os.environ, "KEY": key, "PATH": f"{programs}:{os.environ['PATH']}", "NO_PROXY": "127.0.0.1"}
        expected = asked(almoner, data)
        server, address = serve(almoner, folder, data)
        try:
            outcomes = [
                check(section, blocks, folder, environment, address, expected)
                for section, blocks in sections(PAGE.read_text())
            ]
        finally:
            server.terminate()
            server.wait()
    skipped = outcomes.count(None)
    print(f"{outcomes.count(True)} of {len(outcomes)} recipes passed, {outcomes.count(False)} failed, {skipped} not run whole")
    return 1 if False in outcomes or (skipped and arguments.required) else 0


if __name__ == "__main__":
    sys.exit(main())
