#!/usr/bin/env python3
"""Rows of lists whose EIN is known, to learn the model of matching from: newline-delimited JSON.

    matching_rows.py --bmf eo1.csv ... --register organizations.csv --returns efile --output rows.ndjson
                     [--legal-names legal_name_to_ein.csv] [--made 6000] [--seed 7]

Five sources, each row with the part (0 to 9, by a hash of the EIN, or of the name where there is none) by which it is
kept for learning or for testing, so that all rows of one organization are on one side:

- register: the rows of a federal register (shared/data/match), as they stand;
- grants: recipients in Schedule I of returns, name and address as the grantor typed them, the EIN filed beside them;
  grants_elsewhere those in states of which no master file is at hand;
- legal_names: names alone, labelled by hand or by two rules that agree (kinds and methods as in the file);
- made: rows of the master file with what goes wrong in lists: suffixes lost or added, words abbreviated, left out,
  swapped, misspelt or cut, the sort name, an earlier address of another organization nearby, a lost field.

- made_other: rows of the master file whose name is made another one: another number or direction, a body beside it
  (foundation, auxiliary) added or taken away. Nobody is right, unless somebody has that name: then there is no row.

`left_out` rows are the same with their organization taken out of the data: the right answer is then nobody. Every
register and made row has such a twin; grants name enough organizations that the master files at hand lack.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import random
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from pathlib import Path
from typing import Any, Iterator

Row = dict[str, Any]
SHORT = {
    "ASSOCIATION": "ASSN", "FOUNDATION": "FDN", "COUNTY": "CO", "COMMUNITY": "COMM", "CENTER": "CTR",
    "SAINT": "ST", "DEPARTMENT": "DEPT", "INTERNATIONAL": "INTL", "NATIONAL": "NATL", "SOCIETY": "SOC",
    "UNIVERSITY": "UNIV", "COMMITTEE": "CMTE", "ORGANIZATION": "ORG", "AND": "&", "NORTH": "N", "SOUTH": "S",
    "EAST": "E", "WEST": "W", "MOUNT": "MT", "FORT": "FT", "SERVICES": "SVCS", "DEVELOPMENT": "DEV",
    "STREET": "ST", "AVENUE": "AVE", "ROAD": "RD", "DRIVE": "DR",
}
LONG = {short: full for full, short in SHORT.items() if short not in ("CO", "ST")}
BESIDE = ("FOUNDATION", "AUXILIARY", "ALUMNI ASSOCIATION", "ENDOWMENT", "BOOSTERS", "FRIENDS", "SCHOLARSHIP FUND")
OPPOSITE = {"NORTH": "SOUTH", "SOUTH": "NORTH", "EAST": "WEST", "WEST": "EAST", "NORTHERN": "SOUTHERN",
            "SOUTHERN": "NORTHERN", "EASTERN": "WESTERN", "WESTERN": "EASTERN", "FIRST": "SECOND", "SECOND": "FIRST"}
ORGANIZATIONS_MIN = 200
SUFFIXES = ("INC", "INC.", ", INC.", "CORP", "CORPORATION", "LLC", "INCORPORATED", "CO")


def part(key: str) -> int:
    return hashlib.sha256(key.encode()).digest()[0] % 10


def row(source: str, key: str, ein: str | None, left_out: bool = False, **query: Any) -> Row:
    return {"id": key, "source": source, "part": part(ein or query["name"]), "ein": ein, "left_out": left_out,
            "query": query}


def of_register(path: Path) -> Iterator[Row]:
    for one in csv.DictReader(path.open(encoding="utf-8", newline="")):
        others = [name for name in (one["other_name"], one["division"]) if name]
        query = {key: one[key] for key in ("name", "street", "city", "state", "zip")} | {"other_names": others}
        source = f"register_{one['sample']}"
        yield row(source, one["id"], one["ein"] or None, **query)
        if one["ein"]:
            yield row(f"{source}_left_out", one["id"], one["ein"], True, **query)


def of_returns(folder: Path, covered: set[str]) -> Iterator[Row]:
    known: set[tuple[str, ...]] = set()
    for path in sorted(folder.glob("*.xml")):
        for at, table in enumerate(recipients(path)):
            get = lambda *names: next((table[name] for name in names if name in table), "")
            first, second = get("BusinessNameLine1Txt", "BusinessNameLine1"), get("BusinessNameLine2Txt")
            name = " ".join(filter(None, (first, second)))
            query = {
                "name": name,
                "street": " ".join(filter(None, (get("AddressLine1Txt", "AddressLine1"), get("AddressLine2Txt")))),
                "city": get("CityNm", "City"), "state": get("StateAbbreviationCd", "State"),
                "zip": get("ZIPCd", "ZIPCode"),
            }
            ein = get("RecipientEIN", "EINOfRecipient")
            same = (ein, *query.values())
            if ein and name and same not in known:
                known.add(same)
                source = "grants" if query["state"] in covered else "grants_elsewhere"
                yield row(source, f"{path.stem}/{at}", ein, **query)


def covered_states(paths: list[Path]) -> set[str]:
    """States of which the master files have more than a few organizations."""
    counts: dict[str, int] = defaultdict(int)
    for path in paths:
        for one in csv.DictReader(path.open(encoding="latin-1", newline="")):
            counts[one["STATE"]] += 1
    return {state for state, count in counts.items() if state and count > ORGANIZATIONS_MIN}


def recipients(path: Path) -> Iterator[dict[str, str]]:
    """The recipients of Schedule I, each by the names of its elements."""
    for element in ElementTree.parse(path).getroot().iter():
        if element.tag.split("}")[-1] in ("RecipientTable", "Form990ScheduleIPartII"):
            yield {
                inner.tag.split("}")[-1]: inner.text.strip()
                for inner in element.iter()
                if inner.text and inner.text.strip()
            }


def of_legal_names(path: Path) -> Iterator[Row]:
    for one in csv.DictReader(path.open(encoding="utf-8", newline="")):
        if one["method"] != "algo_auto":
            yield row("legal_names", one["ein"], one["ein"], name=one["name"])


def of_master_file(paths: list[Path], count: int, rng: random.Random) -> Iterator[Row]:
    rows = [one for path in sorted(paths) for one in csv.DictReader(path.open(encoding="latin-1", newline=""))]
    by_state: dict[str, list[dict[str, str]]] = defaultdict(list)
    for one in rows:
        by_state[one["STATE"]].append(one)
    for one in rng.sample(rows, count):
        name = changed_name(one, rng)
        query = {"name": name} | changed_address(one, by_state[one["STATE"]], rng)
        yield row("made", one["EIN"], one["EIN"], **query)
        yield row("made_left_out", one["EIN"], one["EIN"], True, **query)


def others_of_master_file(paths: list[Path], count: int, rng: random.Random) -> Iterator[Row]:
    rows = [one for path in sorted(paths) for one in csv.DictReader(path.open(encoding="latin-1", newline=""))]
    known = {core(one["NAME"]) for one in rows}
    made = 0
    for one in rng.sample(rows, len(rows)):
        name = made_other(one["NAME"].replace("@", " "), rng)
        if made < count and name and core(name) not in known:
            made += 1
            address = {"street": one["STREET"], "city": one["CITY"], "state": one["STATE"], "zip": one["ZIP"][:5]}
            yield row("made_other", one["EIN"], one["EIN"], name=name, **address) | {"ein": None}


def core(name: str) -> str:
    return " ".join(word for word in name.replace("@", " ").split() if word not in ("INC", "CORP", "THE", "LLC", "CO"))


def made_other(name: str, rng: random.Random) -> str | None:
    """A name that somebody else would have; None where there is no way to make one."""
    words = name.split()
    turned = [OPPOSITE.get(word, word) for word in words]
    numbers = [at for at, word in enumerate(words) if word.isdigit()]
    ways = []
    if numbers:
        last = numbers[-1]
        ways += [[*words[:last], str(int(words[last]) + rng.randrange(1, 40)), *words[last + 1 :]]] * 3
    if turned != words:
        ways += [turned] * 3
    kept = [word for word in words if word not in BESIDE and word != "ALUMNI"]
    if 2 <= len(kept) < len(words):
        ways += [kept] * 2
    if rng.random() < 0.1 and len(kept) == len(words):
        ways += [[*words, rng.choice(BESIDE)]]
    return " ".join(rng.choice(ways)) if ways else None


def changed_name(one: dict[str, str], rng: random.Random) -> str:
    name = one["NAME"].replace("@", " ")
    if rng.random() < 0.1 and len(one["SORT_NAME"]) > 8:
        name = one["SORT_NAME"]
    words = name.split()
    if words[-1] in ("INC", "CORP", "CO", "LLC") and rng.random() < 0.5:
        words.pop()
    elif rng.random() < 0.3:
        words.append(rng.choice(SUFFIXES))
    if rng.random() < 0.4:
        words = [SHORT.get(word, word) if rng.random() < 0.5 else LONG.get(word, word) for word in words]
    if len(words) > 3 and rng.random() < 0.12:
        words.pop(rng.randrange(len(words)))
    if len(words) > 2 and rng.random() < 0.05:
        at = rng.randrange(len(words) - 1)
        words[at], words[at + 1] = words[at + 1], words[at]
    if rng.random() < 0.15:
        at = rng.randrange(len(words))
        words[at] = misspelt(words[at], rng)
    if rng.random() < 0.05:
        words.append(one["CITY"])
    if rng.random() < 0.1:
        words.insert(0, "THE")
    name = " ".join(words)
    return name[: rng.choice((25, 30, 35))].rstrip() if rng.random() < 0.05 else name


def misspelt(word: str, rng: random.Random) -> str:
    if len(word) < 4 or not word.isalpha():
        return word
    at = rng.randrange(1, len(word) - 1)
    return rng.choice((
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[:at] + rng.choice("AEIOURSTLN") + word[at + 1 :],
    ))


def changed_address(one: dict[str, str], nearby: list[dict[str, str]], rng: random.Random) -> dict[str, str]:
    found = one
    chance = rng.random()
    if chance < 0.35:
        same = lambda key, digits: [two for two in nearby if two[key][:digits] == one[key][:digits]]
        others = same("ZIP", 5) if chance < 0.2 else same("ZIP", 3) if chance < 0.28 else nearby
        found = rng.choice(others or [one])
    words = [LONG.get(word, word) if rng.random() < 0.5 else SHORT.get(word, word) for word in found["STREET"].split()]
    address = {"street": " ".join(words), "city": found["CITY"], "state": found["STATE"], "zip": found["ZIP"][:5]}
    for key in address:
        if rng.random() < 0.06:
            address[key] = ""
    return {} if rng.random() < 0.08 else address


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bmf", type=Path, nargs="+", required=True)
    parser.add_argument("--register", type=Path, required=True)
    parser.add_argument("--returns", type=Path, required=True)
    parser.add_argument("--legal-names", type=Path)
    parser.add_argument("--made", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--output", type=Path, required=True)
    args = parser.parse_args()
    rows = [*of_register(args.register), *of_returns(args.returns, covered_states(args.bmf))]
    rows += of_legal_names(args.legal_names) if args.legal_names else []
    rows += of_master_file(args.bmf, args.made, random.Random(args.seed))
    rows += others_of_master_file(args.bmf, args.made // 4, random.Random(args.seed + 1))
    with args.output.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(one) + "\n" for one in rows)
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    main()
