#!/usr/bin/env python3
"""Compares what a server says of Form 1023-EZ applicants with what this reads of the IRS's workbooks by itself.

    approvals_check.py --base-url URL --api-key KEY --master eo_*.csv --approvals f1023ez_approvals_*.xlsx

Every organization of the master files that has a row in the workbooks: day and state of incorporation, purposes, NTEE code
(where NTEE_CD is blank), year founded, website and mission (where no return has them). Of several rows of an EIN the last
application counts; a row under a name that shares no word with the master file's must not be used. Prints the counts and
every difference; exit status 1 where there is one. Standard library only.
"""

import argparse
import csv
import datetime
import re
import sys
import zipfile
from collections import Counter
from xml.etree import ElementTree

from derived_check import Service

SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
PURPOSES = {
    "Orgpurposecharitable": "charitable", "Orgpurposereligious": "religious", "Orgpurposeeducational": "educational",
    "Orgpurposescientific": "scientific", "Orgpurposeliterary": "literary", "Orgpurposepublicsafety": "testing for public safety",
    "Orgpurposeamateursports": "amateur sports competition",
    "Orgpurposecrueltyprevention": "prevention of cruelty to children or animals",
}
NAME_LINE = 35
# Words that say what kind of body it is, and small ones.
COMMON = set("A AN AND ASSOCIATION AT BOARD CENTER CHAPTER CLUB CO COMMITTEE COMPANY CORP CORPORATION COUNCIL FOR FOUNDATION FUND "
             "GROUP IN INC INCORPORATED INSTITUTE LLC LTD NETWORK OF ON ORGANIZATION PROGRAM PROJECT SOCIETY THE TO TRUST".split())


def rows(path):
    """The rows of the first sheet by their headings."""
    with zipfile.ZipFile(path) as archive:
        shared = []
        if "xl/sharedStrings.xml" in archive.namelist():
            tree = ElementTree.parse(archive.open("xl/sharedStrings.xml"))
            shared = ["".join(text.text or "" for text in one.iter(SHEET + "t")) for one in tree.iter(SHEET + "si")]
        headings = None
        for _, element in ElementTree.iterparse(archive.open("xl/worksheets/sheet1.xml")):
            if element.tag != SHEET + "row":
                continue
            cells = {}
            for cell in element.iter(SHEET + "c"):
                column = re.match("[A-Z]+", cell.get("r")).group()
                value = cell.find(SHEET + "v")
                text = "".join(one.text or "" for one in cell.iter(SHEET + "t"))
                if value is not None:
                    text = shared[int(value.text)] if cell.get("t") == "s" else value.text or ""
                cells[column] = " ".join(text.split())
            element.clear()
            if headings is None:
                headings = cells
            else:
                yield {headings[column]: text for column, text in cells.items() if column in headings}


def ein_of(row):
    return row.get("EIN", "").split(".")[0].zfill(9)


def name_of(row):
    first, rest = row.get("Orgname1", ""), row.get("Orgname2", "")
    return first + rest if len(first) >= NAME_LINE else f"{first} {rest}"


def words(name):
    """Its telling words without plurals, and all of them as one."""
    found = [word for word in re.findall("[A-Z0-9]+", name.upper().replace("'", "")) if word not in COMMON]
    return {word.rstrip("S") for word in found} | {"".join(found)}


def day_of(row):
    text = row.get("Incorporateddate", "")
    submitted = re.match(r"[^-]+-(\d{4})\d{3}-", row.get("Case Number", ""))
    try:
        if "/" in text:
            day = datetime.datetime.strptime(text, "%m/%d/%Y").date()
        else:
            day = datetime.date(1899, 12, 30) + datetime.timedelta(days=int(text))
    except ValueError:
        return None
    if day.year < 1800 or submitted and day.year > int(submitted.group(1)):
        return None
    return day.isoformat()


def host(address):
    return re.sub("^https?:/*", "", (address or "").lower()).rstrip("/.")


def nothing(text):
    return re.sub("[^a-z]", "", text.lower()) in ("", "na", "none", "nil", "null", "tbd", "notapplicable", "notrequired")


def compare(row, master, details, standing):
    """Pairs of what is expected and what was found, by what they are."""
    state = row.get("Incorporatedstate", "")
    yield "incorporated", day_of(row), standing["incorporated"]
    yield "incorporated_in", state or None, standing["incorporated_in"]
    yield "purposes", [name for column, name in PURPOSES.items() if row.get(column) == "1"], standing["purposes"]
    code, filed = row.get("Nteecode", ""), master["NTEE_CD"].strip()
    is_code = re.fullmatch("[A-Y][0-9A-Z]{0,4}", code) and code[1:2].isdigit()
    if is_code and (not filed or filed[0] == "Z"):
        yield "ntee", code[:3], details["ntee"]
    if details["netAssets"] is None:
        if day_of(row):
            yield "yearFounded", int(day_of(row)[:4]), details["yearFounded"]
        mission = row.get("Mission", "")
        if not nothing(mission):
            yield "summary", mission.lower(), (details["summary"] or "").lower()
        address = row.get("Orgurl", "")
        if re.fullmatch(r"(?i)(https?://)?(www\.)?[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}/?", address):
            yield "url", host(address), host(details["url"])


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--api-key", required=True)
    parser.add_argument("--master", nargs="+", required=True)
    parser.add_argument("--approvals", nargs="+", required=True)
    args = parser.parse_args()
    master = {}
    for path in args.master:
        with open(path, encoding="latin-1", newline="") as file:
            master.update((row["EIN"], row) for row in csv.DictReader(file))
    latest = {}
    for path in args.approvals:
        for row in rows(path):
            case = row.get("Case Number", "").split("-")
            rank = int(case[1]) if len(case) > 1 and case[1].isdigit() else 0
            known = latest.get(ein_of(row))
            if ein_of(row) in master and (known is None or rank >= known[0]):
                latest[ein_of(row)] = rank, row
    service = Service(args.base_url, args.api_key)
    compared, differing = Counter(), 0
    for ein, (_, row) in sorted(latest.items()):
        details, standing = service.get(f"/nonprofits/details/{ein}"), service.get(f"/nonprofits/standing/{ein}")
        known = words(master[ein]["NAME"]) | words(master[ein]["SORT_NAME"])
        pairs = compare(row, master[ein], details, standing)
        if not words(name_of(row)) & known:
            compared["other name"] += 1
            pairs = [("other name", None, standing["incorporated"])]
        for name, wanted, found in pairs:
            compared[name] += 1
            if wanted != found:
                differing += 1
                print(f"{ein} {name}: expected {wanted!r}, found {found!r}")
    print(", ".join(f"{name} {count}" for name, count in sorted(compared.items())))
    print(f"{len(latest)} organizations compared, {differing} differences")
    sys.exit(1 if differing or not latest else 0)


if __name__ == "__main__":
    main()
