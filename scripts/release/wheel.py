#!/usr/bin/env python3
"""Makes a wheel of the built program: `pip install` and `uvx` then run it. It is no module of Python.

    wheel.py --staged FOLDER --target TARGET --epoch SECONDS --output FOLDER

maturin (`bindings = "bin"`) would compile the program anew; this packs the one that the other packages have, in the
binary distribution format of PyPA: `data/scripts` is what pip puts beside `python`. A static program runs with any C
library, and is tagged for manylinux and musllinux; another is tagged `linux`, which pip installs but no index takes.
Prints the path of the wheel.
"""

import argparse
import base64
import hashlib
import time
import zipfile

import package

PROGRAM_MODE, FILE_MODE = 0o100755, 0o100644
# A ZIP knows no earlier time.
EARLIEST = (1980, 1, 1, 0, 0, 0)


def wheel_version(version):
    """A version as Python writes it: 1.0.0-rc.1 is 1.0.0rc1."""
    for cargo, python in (("-alpha.", "a"), ("-beta.", "b"), ("-rc.", "rc")):
        version = version.replace(cargo, python)
    if "-" in version:
        raise SystemExit(f"wheel.py: expected a version with -alpha.N, -beta.N, -rc.N or none of these, found {version}")
    return version


def tags(target, is_static):
    """The platforms, as the name of the file and the metadata list them."""
    architecture = package.TARGETS[target].wheel
    names = ["manylinux_2_17", "manylinux2014", "musllinux_1_1"] if is_static else ["linux"]
    return [f"{name}_{architecture}" for name in names]


def metadata(about):
    """METADATA: the headers, and README as the description."""
    readme = (package.ROOT / "README.md").read_text()
    headers = [
        "Metadata-Version: 2.4",
        f"Name: {about['name']}",
        f"Version: {wheel_version(about['version'])}",
        f"Summary: {about['description']}",
        f"Keywords: {','.join(about['keywords'])}",
        f"License-Expression: {about['license']}",
        "License-File: LICENSE",
        "License-File: THIRD-PARTY.txt",
        "Requires-Python: >=3.8",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join([*headers, "", readme])


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    package.add_arguments(parser)
    arguments = parser.parse_args()
    about = package.cargo_package()
    program = arguments.staged / "almoner"
    platforms = tags(arguments.target, package.is_static(program))
    stem = f"{about['name']}-{wheel_version(about['version'])}"
    info = f"{stem}.dist-info"
    lines = ["Wheel-Version: 1.0", "Generator: almoner scripts/release/wheel.py", "Root-Is-Purelib: false"]
    wheel = "\n".join([*lines, *[f"Tag: py3-none-{platform}" for platform in platforms], ""])
    files = [
        (f"{stem}.data/scripts/almoner", program.read_bytes(), PROGRAM_MODE),
        (f"{info}/METADATA", metadata(about).encode(), FILE_MODE),
        (f"{info}/WHEEL", wheel.encode(), FILE_MODE),
        (f"{info}/licenses/LICENSE", (package.ROOT / "LICENSE").read_bytes(), FILE_MODE),
        (f"{info}/licenses/THIRD-PARTY.txt", (package.ROOT / "THIRD-PARTY.txt").read_bytes(), FILE_MODE),
    ]
    record = [*[record_line(name, data) for name, data, _ in files], f"{info}/RECORD,,", ""]
    files.append((f"{info}/RECORD", "\n".join(record).encode(), FILE_MODE))
    path = arguments.output / f"{stem}-py3-none-{'.'.join(platforms)}.whl"
    when = max(time.gmtime(arguments.epoch)[:6], EARLIEST)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: the mode is one.
            entry.external_attr = mode << 16
            archive.writestr(entry, data)
    print(path)


if __name__ == "__main__":
    main()
