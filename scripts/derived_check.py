#!/usr/bin/env python3
"""Compares what a server derives from the codes of the master file with what this reads of the same rows by itself.

    derived_check.py --base-url URL --api-key KEY eo_*.csv [--rows 5000] [--seed 1]

Values compared for a random sample of rows: issue area, form, return to file, private foundation, what revenue is at
most, size and country. Written from the IRS's description of the columns and `data/`, not from the program. An organization with a return or a
curated record may say otherwise, and is left out. Prints the share known of each value and every difference; exit status 1 where
there is one. Standard library only.
"""

import argparse
import csv
import http.client
import json
import random
import sys
import urllib.parse
from collections import Counter, defaultdict
from pathlib import Path

DATA = Path(__file__).parent.parent / "data"
CLASS_MAX = {"1": 9_999, "2": 24_999, "3": 99_999, "4": 499_999, "5": 999_999, "6": 4_999_999, "7": 9_999_999, "8": 49_999_999}
FOUNDATIONS = {"02": "T", "03": "T", "04": "T", "10": "X", "11": "B", "12": "E", "13": "B", "18": "W"}
SUBSECTIONS = {"02": "S", "05": "J", "06": "S", "07": "N", "08": "Y", "09": "Y", "10": "Y", "11": "Y", "12": "Y", "13": "Y", "14": "Y",
               "15": "Y", "17": "Y", "19": "W", "20": "I", "22": "Y", "23": "W", "25": "S", "27": "Y", "92": "T"}
SIZES = [(1_000_000, "Small"), (10_000_000, "Medium"), (100_000_000, "Large"), (None, "Super-Size")]
NOBODY_FILES = {"06", "13", "07", "14", "00"}


def table(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


MAJORS = dict(table("ntee_majors.tsv"))
ACTIVITIES = {code: ntee for code, ntee, _ in table("activities.tsv")}
COUNTRIES = {name.upper() for name, of in table("countries.tsv") if of != "province"}


def group_letters(rows):
    """The major group that more than half of the members of a group ruling have that have a code, of three at least."""
    coded = defaultdict(Counter)
    for row in rows:
        if row["GROUP"].strip("0 ") and (letter := filed_letter(row)):
            coded[row["GROUP"]][letter] += 1
    commonest = {group: (letters.total(), *letters.most_common(1)[0]) for group, letters in coded.items()}
    return {group: letter for group, (total, letter, count) in commonest.items() if total >= 3 and count * 2 > total}


def filed_letter(row):
    code = row["NTEE_CD"].strip().upper()
    is_code = code[:1].isalpha() and code[1:2].isdigit() or len(code) == 1 and code.isalpha()
    return code[0] if is_code and code[0] != "Z" else None


def issue_letter(row, groups):
    if letter := filed_letter(row):
        return letter
    if row["GROUP"] in groups and row["FOUNDATION"] != "10":
        return groups[row["GROUP"]]
    codes = row["ACTIVITY"].strip()
    told = [ACTIVITIES[codes[at:at + 3]] for at in range(0, len(codes), 3) if codes[at:at + 3] in ACTIVITIES]
    if told:
        return told[0][0]
    if row["FOUNDATION"] in FOUNDATIONS:
        return FOUNDATIONS[row["FOUNDATION"]]
    if row["PF_FILING_REQ_CD"].strip() not in ("", "0"):
        return "T"
    return SUBSECTIONS.get(row["SUBSECTION"])


def amount(row, column):
    return int(row[column]) if row[column].strip() else None


def form(row):
    income, assets = amount(row, "INCOME_AMT"), amount(row, "ASSET_AMT")
    is_long = (income >= 200_000 if income is not None else row["INCOME_CD"] >= "5") or (
        assets >= 500_000 if assets is not None else row["ASSET_CD"] >= "5")
    if row["PF_FILING_REQ_CD"].strip() not in ("", "0"):
        return "990-PF"
    return {"01": "990" if is_long else None, "02": "990-N", "03": "990", "04": "990-BL"}.get(row["FILING_REQ_CD"])


def revenue_ceiling(row):
    is_postcard = row["FILING_REQ_CD"] == "02"
    revenue = amount(row, "REVENUE_AMT")
    if revenue is not None and not (is_postcard and revenue == 0):
        return None
    income = amount(row, "INCOME_AMT")
    if income is not None and income > 0:
        return income
    return CLASS_MAX.get(row["INCOME_CD"], 50_000 if is_postcard else None)


def size(row):
    def of(money):
        return None if money is None else next(name for end, name in SIZES if end is None or money < end)

    def of_class(code):
        return "Large" if code == "9" else of(CLASS_MAX.get(code))

    def above_zero(money):
        return money if money is not None and money > 0 else None

    is_postcard = row["FILING_REQ_CD"] == "02"
    revenue = amount(row, "REVENUE_AMT")
    if revenue is not None and not (is_postcard and revenue == 0):
        return of(revenue)
    if is_postcard:
        return "Small"
    return (of(above_zero(amount(row, "INCOME_AMT"))) or of_class(row["INCOME_CD"])
            or of(above_zero(amount(row, "ASSET_AMT"))) or of_class(row["ASSET_CD"]))


def expected(row, groups):
    is_abroad = not row["STATE"].strip() and row["ZIP"].startswith("00000")
    country = row["CITY"].strip() if is_abroad and row["CITY"].strip() in COUNTRIES else None
    code, files = row["FOUNDATION"], row["PF_FILING_REQ_CD"].strip() not in ("", "0")
    return {
        "issueArea": MAJORS.get(issue_letter(row, groups)),
        "formType": form(row),
        "filing_requirement": form(row) is not None or row["FILING_REQ_CD"] in NOBODY_FILES | {"01"},
        "foundation": code in ("02", "03", "04") if code else True if files else None,
        "revenue_ceiling": revenue_ceiling(row),
        "size": size(row),
        "country": country and country.upper(),
    }


class Service:
    def __init__(self, url, key):
        parts = urllib.parse.urlsplit(url)
        self.connection, self.headers = http.client.HTTPConnection(parts.hostname, parts.port), {"X-API-Key": key}

    def get(self, target):
        self.connection.request("GET", target, headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        return json.loads(body) if answer.status == 200 else None

    def found(self, ein):
        details, standing = self.get(f"/nonprofits/details/{ein}"), self.get(f"/nonprofits/standing/{ein}")
        if details is None or standing is None or details["irsFilingUrl"] or details["netAssets"] is not None:
            return None
        return {
            "issueArea": details["issueArea"],
            "formType": details["formType"],
            "filing_requirement": standing["filing_requirement"] is not None,
            "foundation": details["foundation"],
            "revenue_ceiling": standing["revenue_ceiling"],
            "size": standing["size"],
            "country": standing["country"] and standing["country"].upper(),
        }


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--api-key", required=True)
    parser.add_argument("--rows", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = {}
    for path in args.files:
        with open(path, encoding="latin-1", newline="") as file:
            rows.update((row["EIN"], row) for row in csv.DictReader(file))
    groups = group_letters(rows.values())
    service = Service(args.base_url, args.api_key)
    compared, differing, known = 0, 0, Counter()
    for ein in random.Random(args.seed).sample(sorted(rows), min(args.rows, len(rows))):
        found = service.found(ein)
        if found is None:
            continue
        compared += 1
        wanted = expected(rows[ein], groups)
        known.update(name for name, value in found.items() if value not in (None, False))
        for name in (name for name in wanted if wanted[name] != found[name]):
            differing += 1
            print(f"{ein} {name}: expected {wanted[name]!r}, found {found[name]!r}")
    for name, count in sorted(known.items()):
        print(f"{name}: known of {count / max(compared, 1):.1%}")
    print(f"{compared} rows compared, {differing} differences")
    sys.exit(1 if differing or not compared else 0)


if __name__ == "__main__":
    main()
