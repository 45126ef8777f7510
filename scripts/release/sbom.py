#!/usr/bin/env python3
"""Writes what a release is made of: every crate that is linked, as CycloneDX 1.6 in JSON.

    sbom.py --target TARGET --epoch SECONDS --output FOLDER

The crates are those of THIRD-PARTY.txt, by `cargo tree` and `cargo metadata` with the features of releases, with the
SHA-256 that Cargo.lock has of each. Data and models, which are no crates, are in THIRD-PARTY.txt and
models/README.md. Prints the path of the file.
"""

import argparse
import datetime
import json
import pathlib
import sys
import tomllib
import uuid

import package

sys.path.insert(0, str(package.ROOT / "scripts/licenses"))
import notices

# Names the documents of this project: a version 5 UUID of its bytes is the serial number.
NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "urn:almoner:sbom")


def checksums():
    lock = tomllib.loads((package.ROOT / "Cargo.lock").read_text())["package"]
    return {(one["name"], one["version"]): one["checksum"] for one in lock if "checksum" in one}


def purl(crate):
    return f"pkg:cargo/{crate['name']}@{crate['version']}"


def component(crate, sums):
    """A crate as a component."""
    found = {
        "type": "library",
        "bom-ref": purl(crate),
        "name": crate["name"],
        "version": crate["version"],
        "purl": purl(crate),
        "licenses": [{"expression": crate["license"].replace("/", " OR ")}],
    }
    if sha256 := sums.get((crate["name"], crate["version"])):
        found["hashes"] = [{"alg": "SHA-256", "content": sha256}]
    if crate["repository"]:
        found["externalReferences"] = [{"type": "vcs", "url": crate["repository"]}]
    return found


def dependencies(linked, root, target):
    """Which component needs which, directly; the crates of this repository are the program."""
    known = notices.metadata(target)
    references = {one["id"]: root for one in known["packages"] if not one["source"]}
    references |= {one["id"]: purl(one) for one in linked}
    needed = {reference: set() for reference in references.values()}
    for node in known["resolve"]["nodes"]:
        if node["id"] in references:
            needs = (dependency["pkg"] for dependency in node["deps"] if any_normal(dependency))
            needed[references[node["id"]]].update(references[one] for one in needs if one in references)
    needed[root].discard(root)
    return [{"ref": reference, "dependsOn": sorted(needs)} for reference, needs in sorted(needed.items())]


def any_normal(dependency):
    """Whether it is needed by the program, not only to build or to test it."""
    return any(one["kind"] is None for one in dependency["dep_kinds"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=sorted(package.TARGETS), required=True)
    parser.add_argument("--epoch", type=int, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    about, sums = package.cargo_package(), checksums()
    crates = notices.crates(arguments.target)
    root = f"pkg:cargo/{about['name']}@{about['version']}"
    created = datetime.datetime.fromtimestamp(arguments.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": created,
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": about["name"],
                "version": about["version"],
                "description": about["description"],
                "purl": root,
                "licenses": [{"expression": about["license"]}],
            },
            "properties": [{"name": "cargo:target", "value": arguments.target}],
        },
        "components": [component(crate, sums) for crate in crates],
        "dependencies": dependencies(crates, root, arguments.target),
    }
    serial = uuid.uuid5(NAMESPACE, json.dumps(document, sort_keys=True))
    document = {"bomFormat": document.pop("bomFormat"), "serialNumber": f"urn:uuid:{serial}", **document}
    path = arguments.output / f"{about['name']}-{about['version']}-{arguments.target}.cdx.json"
    path.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    print(path)


if __name__ == "__main__":
    main()
