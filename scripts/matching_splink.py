#!/usr/bin/env python3
"""Precision and recall of matching with Splink, on the rows that matching_peers.py judges.

    matching_splink.py FEATURES.ndjson ROWS.ndjson --bmf eo1.csv ...

Splink (Fellegi and Sunter's model, learned from the pairs themselves without labels) links the rows to every
organization of the master files, with blocking of its own; FEATURES says only which rows there are, and which of them
have their organization in the data. Names are in capitals without legal suffixes, as for the other peer; each is
compared as one text, its frequency counts. A row's likeliest organization is its match. Printed for each source: the
greatest recall at some precisions. Needs splink 5, pandas and numpy.
"""

from __future__ import annotations

import argparse
import csv
import json
import time
from pathlib import Path

import pandas as pd
import splink.comparison_library as cl
from matching_peers import PRECISIONS, SOURCES, plain, recall_at
from splink import DuckDBAPI, Linker, SettingsCreator, block_on

# Pairs by which it learns how often parts agree by chance.
PAIRS_MAX = 5e6
# How many of the true pairs agree in name and ZIP code: what it is told to begin with.
SAME_NAME_AND_ZIP = 0.5
SETTINGS = SettingsCreator(
    link_type="link_only",
    unique_id_column_name="id",
    comparisons=[
        cl.JaroWinklerAtThresholds("name", [0.96, 0.92, 0.88, 0.8, 0.7]).configure(term_frequency_adjustments=True),
        cl.JaroWinklerAtThresholds("street", [0.95, 0.88, 0.75]).configure(term_frequency_adjustments=True),
        cl.JaroWinklerAtThresholds("city", [0.92]).configure(term_frequency_adjustments=True),
        cl.LevenshteinAtThresholds("zip", [1, 2]).configure(term_frequency_adjustments=True),
        cl.ExactMatch("state").configure(term_frequency_adjustments=True),
    ],
    blocking_rules_to_generate_predictions=[
        block_on("zip"),
        block_on("name"),
        block_on("state", "substr(name, 1, 6)"),
        block_on("city", "state", "substr(name, 1, 2)"),
        block_on("substr(name, 1, 14)"),
    ],
)
SEED = 7


def part(text: str | None) -> str | None:
    return plain(text or "") or None


def record(key: str, name: str, street: str, city: str, state: str, digits: str) -> dict[str, str | None]:
    zip_code = digits[:5] or None
    return {
        "id": key, "name": part(name), "street": part(street), "city": part(city), "state": part(state), "zip": zip_code,
    }


def rows_of(features: Path, rows: Path) -> tuple[pd.DataFrame, dict[str, tuple[str, str, bool]]]:
    """The rows as records, and of each its source, its EIN and whether that is in the data."""
    with features.open() as lines:
        about = {(one["source"], one["id"]): one["in_data"] for one in map(json.loads, lines)}
    records, meant = [], {}
    with rows.open() as lines:
        for one in map(json.loads, lines):
            source, query = one["source"], one["query"]
            if source in SOURCES and (source, one["id"]) in about:
                key = f"{source}/{one['id']}"
                meant[key] = (source, one["ein"], about[source, one["id"]])
                parts = (query.get(name, "") for name in ("name", "street", "city", "state", "zip"))
                records.append(record(key, *parts))
    return pd.DataFrame(records), meant


def organizations(paths: list[Path]) -> pd.DataFrame:
    found = {}
    for path in paths:
        for one in csv.DictReader(path.open(encoding="latin-1", newline="")):
            found[one["EIN"]] = record(one["EIN"], one["NAME"], one["STREET"], one["CITY"], one["STATE"], one["ZIP"])
    return pd.DataFrame(found.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("features", type=Path)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--bmf", type=Path, nargs="+", required=True)
    args = parser.parse_args()
    rows, meant = rows_of(args.features, args.rows)
    database = DuckDBAPI()
    tables = [
        database.register(table, dataset_display_name=name)
        for name, table in (("a_rows", rows), ("organizations", organizations(args.bmf)))
    ]
    linker = Linker(tables, SETTINGS)
    learn = linker.training
    learn.estimate_probability_two_random_records_match([block_on("name", "zip")], recall=SAME_NAME_AND_ZIP)
    learn.estimate_u_using_random_sampling(max_pairs=PAIRS_MAX, seed=SEED)
    # Blocks in which most pairs are of one organization: in a ZIP code alone few are.
    for rule in (block_on("zip", "substr(street, 1, 8)"), block_on("name"), block_on("zip", "substr(name, 1, 8)")):
        learn.estimate_parameters_using_expectation_maximisation(rule)
    begun = time.monotonic()
    pairs = linker.inference.predict(threshold_match_probability=1e-6).as_pandas_dataframe()
    print(f"{len(pairs)} pairs of {len(rows)} rows compared in {time.monotonic() - begun:.1f} s")
    best = pairs.sort_values("match_weight").drop_duplicates("id_l", keep="last")
    likeliest = {key: (weight, ein) for key, weight, ein in zip(best["id_l"], best["match_weight"], best["id_r"])}
    for source in SOURCES:
        of_source = {key: one for key, one in meant.items() if one[0] == source}
        linkable = sum(in_data for _, _, in_data in of_source.values())
        judged = [(weight, ein == of_source[key][1]) for key in of_source if key in likeliest for weight, ein in [likeliest[key]]]
        print(f"{source}: {len(of_source)} rows, {linkable} of them with an organization in the data")
        cells = [f"{recall_at(judged, linkable, precision):.3f}" for precision in PRECISIONS]
        print(f"  {'splink':24}", "  ".join(f"{p}: {cell}" for p, cell in zip(PRECISIONS, cells)))


if __name__ == "__main__":
    main()
