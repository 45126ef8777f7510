#!/usr/bin/env python3
"""Makes the snapshots that tests/it/snapshots.rs opens, one folder for each version of the format.

    snapshot_fixture.py --almoner target/debug/almoner

Builds fictional organizations twice, a few with vectors and more without, and writes to
tests/it/snapshots/vN/, where N is the version of the format that the program writes:

    words.zip, vectors.zip    a data directory each: CURRENT and the snapshot that it names
    answers.json              for each of them, what `almoner get` answers to some paths

Run it whenever data/formats.tsv has a new format, and commit the new folder. Standard library only.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import quote

SNAPSHOTS = Path(__file__).parent.parent / "tests" / "it" / "snapshots"
# Name of each archive, how many organizations it has, and with what options it is built.
ARCHIVES = [("words", 20, ["--no-semantic"]), ("vectors", 5, [])]
SEED = 12
# The same for every entry, as the time of making is of no interest.
ENTRY_DATE = (1980, 1, 1, 0, 0, 0)


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def paths(inputs):
    """What is asked: a nonprofit's details, a completion and a search."""
    [master] = sorted(inputs.glob("eo*.csv"))[:1]
    with master.open(newline="", encoding="utf-8") as lines:
        row = next(row for row in csv.DictReader(lines) if row["SUBSECTION"] == "03" and " " in row["NAME"])
    yield f"/nonprofits/details/{row['EIN']}"
    yield f"/typeahead/nonprofits?q={quote(row['NAME'][:6].lower())}"
    yield "/beta/nonprofits/search?q=help+for+children+and+families"


def kept(path, answer):
    """The part of an answer that is compared: of a search, who is found, as probabilities may be rounded otherwise."""
    if "search" in path:
        return {"nonprofits": [{"ein": row["ein"]} for row in answer["nonprofits"]]}
    return answer


def pack(data, archive):
    """Packs `CURRENT` and the snapshot that it names; says of which format they are."""
    current = (data / "CURRENT").read_text(encoding="ascii").split()
    files = sorted(path for path in (data / "snapshots" / current[1]).rglob("*") if path.is_file())
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in [data / "CURRENT", *files]:
            entry = zipfile.ZipInfo(path.relative_to(data).as_posix(), ENTRY_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, path.read_bytes())
    return int(current[0])


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True, help="path of the binary")
    almoner = parser.parse_args().almoner
    answers = {}
    with tempfile.TemporaryDirectory() as place:
        for name, organizations, options in ARCHIVES:
            inputs, data = Path(place) / f"{name}-inputs", Path(place) / name
            run(almoner, "generate", inputs, "--organizations", organizations, "--seed", SEED)
            run(almoner, "build", "--data-dir", data, *options, inputs)
            answers[name] = {
                path: kept(path, json.loads(run(almoner, "get", "--data-dir", data, path)))
                for path in paths(inputs)
            }
            version = pack(data, Path(place) / f"{name}.zip")
        folder = SNAPSHOTS / f"v{version}"
        folder.mkdir(parents=True, exist_ok=True)
        for name, *_ in ARCHIVES:
            (folder / f"{name}.zip").write_bytes((Path(place) / f"{name}.zip").read_bytes())
    text = json.dumps(answers, indent=1, ensure_ascii=False)
    (folder / "answers.json").write_text(text + "\n", encoding="utf-8")
    print(f"wrote {folder}")


if __name__ == "__main__":
    main()
