#!/usr/bin/env python3
"""Checks that an OpenSearch export fits itself, and has the rows of an NDJSON export.

    scripts/opensearch_check.py --almoner ALMONER --data-dir DIR [--vectors] [-- FILTERS]

No server is needed: every line of a `_bulk` file is read as OpenSearch does, an action before each document; every
member of a document must be in the strict mapping, with a value that its type takes; identifiers are unique, files
below 100 MB (http.max_content_length) and end with a line feed; documents are those of NDJSON, in their order.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TABLES = ("organizations", "standing", "filings", "grants", "people", "relations", "changes", "stories", "metrics", "posts")
FILES = {"organizations": "nonprofits"}
CONTENT_BYTES_MAX = 100_000_000
TEXT = {"text", "keyword", "completion"}
TYPES = TEXT | {"date", "long", "double", "boolean", "knn_vector"}


def check_mapping(properties, analyzers):
    for name, mapping in properties.items():
        if "properties" in mapping:
            check_mapping(mapping["properties"], analyzers)
            continue
        for one in [mapping, *mapping.get("fields", {}).values()]:
            assert one["type"] in TYPES, (name, one)
            assert one.get("analyzer") in (None, *analyzers), (name, one)


def check_value(path, value, mapping):
    """That a field of this mapping takes a value."""
    if value is None:
        return
    kind = mapping.get("type")
    if kind == "knn_vector":
        assert len(value) == mapping["dimension"] and all(isinstance(one, (int, float)) for one in value), path
        # Lucene takes no vector without a direction for cosines.
        assert any(value), path
    elif isinstance(value, list):
        for item in value:
            check_value(path, item, mapping)
    elif isinstance(value, dict):
        check_document(path, value, mapping["properties"])
    elif kind in TEXT:
        assert isinstance(value, str), (path, value)
        assert kind != "keyword" or len(value.encode()) <= 32_766, (path, value)
        for name, field in mapping.get("fields", {}).items():
            assert field["type"] != "completion" or value.strip(), (path, name)
    elif kind == "date":
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", value), (path, value)
    elif kind == "long":
        assert isinstance(value, int) and -(2**63) <= value < 2**63, (path, value)
    elif kind == "double":
        assert isinstance(value, (int, float)) and not isinstance(value, bool), (path, value)
    elif kind == "boolean":
        assert isinstance(value, bool), (path, value)
    else:
        raise AssertionError((path, mapping))


def check_document(path, document, properties):
    for name, value in document.items():
        assert name in properties, f"{path}.{name} is not in the mapping"
        check_value(f"{path}.{name}", value, properties[name])


def check_table(folder, table, lines):
    index = json.loads((folder / "index.json").read_text())
    assert set(index) == {"settings", "mappings"} and index["mappings"]["dynamic"] == "strict"
    properties = index["mappings"]["properties"]
    check_mapping(properties, index["settings"]["analysis"]["analyzer"])
    has_vectors = any(one.get("type") == "knn_vector" for one in properties.values())
    assert index["settings"].get("index", {}).get("knn", False) == has_vectors
    identifiers, documents = set(), 0
    expected = lines.open(encoding="utf-8")
    for path in sorted(folder.glob("bulk-*.ndjson")):
        assert 0 < path.stat().st_size < CONTENT_BYTES_MAX, path
        with path.open(encoding="utf-8", newline="\n") as bulk:
            for action in bulk:
                (operation, target), = json.loads(action).items()
                assert operation == "index" and target["_index"] == table, action
                assert target["_id"] not in identifiers, f"{target['_id']} is there twice"
                identifiers.add(target["_id"])
                line = next(bulk)
                assert line.endswith("\n"), path
                document = json.loads(line)
                check_document(table, document, properties)
                assert document == json.loads(next(expected)), document
                documents += 1
    assert next(expected, None) is None, f"{table}: documents are missing"
    print(f"{table:14} {documents:>9,} documents, {len(properties)} fields{', vectors' if has_vectors else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("filters", nargs="*")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="almoner-opensearch-") as place:
        place = pathlib.Path(place)
        common = [arguments.almoner, "export", "--quiet", "--data-dir", arguments.data_dir, *arguments.filters]
        common += ["--with", "vectors"] if arguments.vectors else []
        (place / "lines").mkdir()
        subprocess.run([*common, "--format", "opensearch", str(place / "bulk")], check=True)
        tables = ["--tables", ",".join(TABLES)]
        subprocess.run([*common, "--format", "ndjson", *tables, str(place / "lines")], check=True)
        for table in TABLES:
            check_table(place / "bulk" / table, table, place / "lines" / f"{FILES.get(table, table)}.ndjson")
    print("every document fits its index")


if __name__ == "__main__":
    sys.exit(main())
