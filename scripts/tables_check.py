#!/usr/bin/env python3
"""Compares every value of Parquet exports, as four programs read them, with what NDJSON exports have.

    pip install duckdb polars pandas pyarrow                   # and pyspark with Java, for --spark
    scripts/tables_check.py --almoner ALMONER --data-dir DIR [--vectors] [--spark] [-- FILTERS]

ALMONER is a program that was built with the feature `tables`. Exports all tables twice to Parquet and once to
NDJSON into a temporary folder, and reads the Parquet files with DuckDB, Polars, pandas and pyarrow. Fails where a
row or a value differs, the two exports differ in a byte, or a column of organizations has another description than
the OpenAPI document. FILTERS are flags of `almoner export`, such as --state VT.
"""

import argparse
import collections
import datetime
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import duckdb
import numpy
import pandas
import polars
import pyarrow.dataset
import pyarrow.parquet

TABLES = ("organizations", "standing", "filings", "grants", "people", "relations", "changes", "stories", "metrics", "posts")
FILES = {"organizations": "nonprofits"}
# The column that is kept in 32 bits.
VECTOR = "vector"
ROWS_AT_ONCE = 10_000


def plain(value, name=None):
    """A value as JSON has it: days as text, whole numbers without a point, what is missing as None."""
    if isinstance(value, numpy.ndarray):
        value = value.tolist()
    if isinstance(value, numpy.generic):
        value = value.item()
    if value is None or value is pandas.NA or value is pandas.NaT:
        return None
    if isinstance(value, (list, tuple)):
        if name == VECTOR:
            return hashlib.sha256(numpy.asarray(value, dtype=numpy.float32).tobytes()).hexdigest()
        if hasattr(value, "asDict"):
            return plain(value.asDict())
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item, key) for key, item in value.items()}
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()[:10]
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() else value
    return value


def digest(row):
    text = json.dumps(plain(row), sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def with_pyarrow(folder):
    for batch in pyarrow.dataset.dataset(folder, partitioning="hive").to_batches(batch_size=ROWS_AT_ONCE):
        yield from batch.to_pylist()


def with_duckdb(folder):
    connection = duckdb.connect()
    found = connection.execute("FROM read_parquet(?, hive_partitioning = true)", [f"{folder}/**/*.parquet"])
    names = [column[0] for column in found.description]
    while rows := found.fetchmany(ROWS_AT_ONCE):
        for row in rows:
            yield dict(zip(names, row))


def with_polars(folder):
    frame = polars.scan_parquet(folder, hive_partitioning=True).collect()
    for part in frame.iter_slices(ROWS_AT_ONCE):
        yield from part.iter_rows(named=True)


def with_pandas(folder):
    frame = pandas.read_parquet(folder, dtype_backend="pyarrow")
    for start in range(0, len(frame), ROWS_AT_ONCE):
        yield from frame.iloc[start : start + ROWS_AT_ONCE].to_dict("records")


def with_spark(folder):
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    for row in session.read.parquet(str(folder)).toLocalIterator():
        yield row.asDict(recursive=True)


def bytes_of(folder):
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def compare(table, folder, lines, readers):
    """Prints how the readers' rows compare with the lines; whether all are the same."""
    expected = collections.Counter()
    for line in lines.open(encoding="utf-8"):
        expected[digest(json.loads(line))] += 1
    good = True
    for name, read in readers.items():
        began, rest, extra, values = time.monotonic(), expected.copy(), 0, 0
        for row in read(folder):
            values += len(row)
            key = digest(row)
            if rest[key] > 0:
                rest[key] -= 1
            else:
                extra += 1
                if extra == 1:
                    print(f"  {name} reads a row that NDJSON does not have: {plain(row)}")
        missing = sum(rest.values())
        good = good and extra == 0 and missing == 0
        took = time.monotonic() - began
        rows = sum(expected.values())
        print(f"{table:14} {name:8} {rows:>9,} rows {values:>12,} values {extra} other {missing} missing {took:6.1f} s")
        if missing:
            lost = next(line for line in lines.open(encoding="utf-8") if rest[digest(json.loads(line))] > 0)
            print(f"  {name} does not read {plain(json.loads(lost))}")
    return good


def described(almoner, folder):
    """Whether columns of organizations have the descriptions of the OpenAPI document."""
    document = json.loads(subprocess.run([almoner, "openapi"], check=True, capture_output=True).stdout)
    members = document["components"]["schemas"]["NonprofitDetails"]["properties"]
    schema = pyarrow.parquet.read_schema(next(folder.rglob("*.parquet")))
    other = [
        field.name
        for field in schema
        if field.name in members
        and (field.metadata or {}).get(b"description", b"").decode() != members[field.name]["description"]
    ]
    print(f"descriptions: {len(schema)} columns, {len(other)} other than in the OpenAPI document {other}")
    return not other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--vectors", action="store_true")
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("filters", nargs="*")
    arguments = parser.parse_args()
    readers = {"duckdb": with_duckdb, "polars": with_polars, "pandas": with_pandas, "pyarrow": with_pyarrow}
    if arguments.spark:
        readers["spark"] = with_spark
    with tempfile.TemporaryDirectory(prefix="almoner-tables-") as place:
        place = pathlib.Path(place)
        common = [arguments.almoner, "export", "--data-dir", arguments.data_dir, *arguments.filters]
        common += ["--with", "vectors"] if arguments.vectors else []

        def export(kind, name, *flags):
            command = [*common, "--format", kind, *flags, str(place / name)]
            subprocess.run(command, check=True)

        export("parquet", "parquet")
        export("parquet", "again")
        (place / "lines").mkdir()
        export("ndjson", "lines", "--tables", ",".join(TABLES))
        good = bytes_of(place / "parquet") == bytes_of(place / "again")
        print(f"two exports: {'the same bytes' if good else 'OTHER BYTES'}")
        good = described(arguments.almoner, place / "parquet/organizations") and good
        for table in TABLES:
            lines = place / "lines" / f"{FILES.get(table, table)}.ndjson"
            good = compare(table, place / "parquet" / table, lines, readers) and good
    print("all values are the same" if good else "FAILED")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
