#!/usr/bin/env python3
"""Precision and recall of matching beside the rule of npmatch, on the same rows and candidates.

    matching_peers.py FEATURES.ndjson ROWS.ndjson --bmf eo1.csv ... [--ridge 1e-3]

npmatch scores a candidate by 0.6 of how alike the names are and 0.4 of the most alike part of the address (street,
city, ZIP code). Its rule is applied here as published, with the Jaro-Winkler similarity of names in capitals without
legal suffixes; candidates are Almoner's own for both, which flatters the rule. Almoner's probabilities are
cross-validated by organization. Printed for each source: the greatest recall at some precisions. Needs numpy.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from pathlib import Path

import matching_model as model
import numpy as np

PRECISIONS = (1.0, 0.99, 0.98, 0.95, 0.9)
SOURCES = ("register_random", "register_hard", "grants")
SUFFIXES = re.compile(r"\b(INC|INCORPORATED|CORP|CORPORATION|LLC|LTD|CO|NFP)\b")


def plain(text: str) -> str:
    return " ".join(SUFFIXES.sub(" ", re.sub(r"[^A-Z0-9 ]", " ", text.upper().replace("&", " AND "))).split())


def jaro_winkler(one: str, other: str) -> float:
    if one == other:
        return 1.0
    if not one or not other:
        return 0.0
    reach = max(len(one), len(other)) // 2 - 1
    taken, shared = [False] * len(other), []
    for at, letter in enumerate(one):
        for near in range(max(0, at - reach), min(len(other), at + reach + 1)):
            if not taken[near] and other[near] == letter:
                taken[near] = True
                shared.append(letter)
                break
    if not shared:
        return 0.0
    swapped = sum(a != b for a, b in zip(shared, (c for c, is_taken in zip(other, taken) if is_taken))) / 2
    count = len(shared)
    jaro = (count / len(one) + count / len(other) + (count - swapped) / count) / 3
    prefix = next((at for at in range(4) if one[at : at + 1] != other[at : at + 1]), 4)
    return jaro + prefix * 0.1 * (1 - jaro)


def peer_score(query: dict, found: dict[str, str]) -> float:
    names = [query["name"], *query.get("other_names", [])]
    theirs = [found["NAME"], *([found["SORT_NAME"]] if found["SORT_NAME"] else [])]
    name = max(jaro_winkler(plain(one), plain(other)) for one in names for other in theirs)
    zip_same = bool(query.get("zip")) and query["zip"][:5] == found["ZIP"][:5]
    parts = [
        jaro_winkler(plain(query.get("street", "")), plain(found["STREET"])),
        jaro_winkler(plain(query.get("city", "")), plain(found["CITY"])),
        float(zip_same),
    ]
    return 0.6 * name + 0.4 * max(parts)


def recall_at(scored: list[tuple[float, bool]], linkable: int, precision: float) -> float:
    """The greatest recall of a cut at which so many of those above it are right."""
    best, right = 0.0, 0
    for count, (_, is_right) in enumerate(sorted(scored, reverse=True), 1):
        right += is_right
        if right / count >= precision:
            best = max(best, right / linkable)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("features", type=Path)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--bmf", type=Path, nargs="+", required=True)
    parser.add_argument("--ridge", type=float, default=1e-3)
    args = parser.parse_args()
    known = {
        row["EIN"]: row for path in args.bmf for row in csv.DictReader(path.open(encoding="latin-1", newline=""))
    }
    queries = {}
    with args.rows.open() as lines:
        for line in lines:
            row = json.loads(line)
            queries[row["source"], row["id"]] = row["query"]
    rows, _, _ = model.load(args.features)
    probable, _ = model.cross_validated(rows, args.ridge)
    for source in SOURCES:
        ours, theirs, linkable = [], [], 0
        for at in np.flatnonzero([about["source"] == source for about in rows.about]):
            about = rows.about[at]
            linkable += about["in_data"]
            ours.append((float(probable[at].max()), bool(probable[at].argmax() == rows.meant[at])))
            scores = [peer_score(queries[source, about["id"]], known[ein]) for ein in about["eins"] if ein in known]
            if scores:
                best = int(np.argmax(scores))
                theirs.append((scores[best], about["eins"][best] == about["ein"]))
        print(f"{source}: {len(ours)} rows, {linkable} of them with an organization in the data")
        for who, scored in (("almoner", ours), ("0.6 name + 0.4 address", theirs)):
            cells = [f"{recall_at(scored, linkable, precision):.3f}" for precision in PRECISIONS]
            print(f"  {who:24}", "  ".join(f"{p}: {cell}" for p, cell in zip(PRECISIONS, cells)))


if __name__ == "__main__":
    main()
