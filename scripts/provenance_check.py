#!/usr/bin/env python3
"""Reads returns anew and checks that the elements that /nonprofits/provenance names hold the values.

    scripts/provenance_check.py ALMONER DATA_DIR RETURNS [--sample 30] [--seed 1] [--all]

RETURNS is a folder of Form 990 XML that DATA_DIR was built from. Of the returns drawn, each value that
is said to be a return's is looked up in that return by its XPath with Python's own XML reader. An amount,
a year and a code must be equal; a text equal but for case, blanks and punctuation, or, where it was put
together from several elements or sentences, made of their words in their order. Exits with 1 on a
difference.
"""

import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

TEXTS = {"name", "alt_name", "streetAddress", "city", "summary", "impactSummary"}


def local(tag):
    return tag.rsplit("}", 1)[-1]


def at(root, path):
    """The text at an XPath of local names with positions, or None."""
    steps = path.strip("/").split("/")
    if local(root.tag) != steps[0]:
        return None
    for step in steps[1:]:
        name, _, position = step.partition("[")
        position = int(position.rstrip("]")) if position else 1
        children = [child for child in root if local(child.tag) == name]
        if len(children) < position:
            return None
        root = children[position - 1]
    return "".join(root.itertext())


def words(text):
    """Lower-case words, without apostrophes and punctuation."""
    return re.findall(r"[^\W_]+", text.lower().replace("'", "").replace("’", ""))


def is_made_of(value, texts):
    """Whether the words of a value stand in the texts in their order, what points elsewhere left out."""
    told = iter([word for text in texts for word in words(text)])
    return all(word in told for word in words(value))


def agrees(field, value, texts):
    joined = " ".join(texts)
    if field in ("lat", "lng"):
        return re.match(r"\d{5}", joined) is not None
    if field == "filingYear":
        return joined.startswith(str(value))
    if field == "zipCode5":
        return joined[:5] == value
    if field == "formType":
        return joined == value.replace("-", "")
    if field == "foundation":
        return joined == "990PF"
    if field == "url":
        return "".join(words(value.partition("//")[2]))[-8:] in "".join(words(joined))
    if field in TEXTS:
        return is_made_of(value, texts)
    return joined.strip() == str(value)


def returns(folder):
    """The root of each return by EIN and end of its period, those filed last."""
    found = {}
    for path in sorted(folder.rglob("*.xml")):
        try:
            root = ElementTree.fromstring(path.read_bytes())
        except ElementTree.ParseError:
            continue
        text = {local(one.tag): one.text for one in root.iter() if local(one.tag) in (
            "TaxPeriodEndDt", "TaxPeriodEndDate", "ReturnTs", "Timestamp") and one.text}
        filer = next((one for one in root.iter() if local(one.tag) == "Filer"), None)
        if filer is None:
            continue
        ein = next(one.text for one in filer if local(one.tag) == "EIN")
        end = text.get("TaxPeriodEndDt") or text.get("TaxPeriodEndDate")
        filed = text.get("ReturnTs") or text.get("Timestamp") or ""
        found.setdefault((ein, end), []).append((filed, str(path), root))
    return {key: sorted(several, key=lambda one: one[:2]) for key, several in found.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("almoner")
    parser.add_argument("data_dir")
    parser.add_argument("returns", type=pathlib.Path)
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    known = returns(asked.returns)
    eins = sorted({ein for ein, _ in known})
    if not asked.all:
        eins = random.Random(asked.seed).sample(eins, min(asked.sample, len(eins)))
    checked = differences = nonprofits = 0
    for ein in eins:
        command = [asked.almoner, "get", "--data-dir", asked.data_dir, f"/nonprofits/provenance/{ein}"]
        answer = subprocess.run(command, capture_output=True, text=True)
        if answer.returncode == 3:
            continue
        if answer.returncode:
            sys.exit(f"{ein}: {answer.stderr.strip()}")
        nonprofits += 1
        for one in json.loads(answer.stdout)["fields"]:
            if one["value"] is None or one["return"] is None or one["field"] == "irsFilingUrl":
                continue
            candidates = known.get((ein, one["return"]["period_end"]), [])
            texts = []
            for _, _, root in candidates:
                texts = [at(root, path) for path in one["paths"]]
                if texts and None not in texts and agrees(one["field"], one["value"], texts):
                    break
            else:
                differences += 1
                print(f"{ein} {one['field']}: {one['value']!r} is not at {one['paths']}: {texts}")
            checked += 1
    print(f"{checked} values of {nonprofits} nonprofits, {differences} differences")
    return 1 if differences or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
