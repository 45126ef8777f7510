#!/usr/bin/env python3
"""Build from years of returns that are far more than memory, and print what that took.

    returns_at_scale.py --almoner target/release/almoner --returns FOLDER --gigabytes 60 --years 10

Of the returns of a folder (XML of the IRS, or what `almoner generate` writes) copies are made: other EINs
and years, the same content. They are written as ZIPs that are named as the IRS names its own, twelve a
year, and built without embeddings into a temporary folder. Prints the returns, the bytes of XML, how long the
build took, its largest memory, of which anonymous and which of mapped files, and the size of the snapshot.

A copy's text is deflated once, and only its head, which has EIN and year, anew, so that writing takes
minutes. Needs room of about a tenth of the XML. Standard library only. Exit status: 1 if the build fails
or takes more memory than --limit, 2 if something cannot be run.
"""

import argparse
import re
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from pathlib import Path

LAST_YEAR = 2024
ZIPS_A_YEAR = 12
# A ZIP without the 64-bit extension holds no more files.
FILES_MAX = 65_000
LEVEL = 1
EIN = re.compile(rb"(<Filer\b.*?<EIN>)\d{9}(</EIN>)", re.S)
YEARS = [
    re.compile(rb"(<TaxYr>|<TaxYear>)\d{4}()"),
    re.compile(rb"(<TaxPeriodEndDt>|<TaxPeriodEndDate>)\d{4}(-)"),
    re.compile(rb"(<TaxPeriodBeginDt>|<TaxPeriodBeginDate>)\d{4}(-)"),
]
HEADER_END = b"</ReturnHeader>"


class Template:
    """A return whose content is deflated already."""

    def __init__(self, xml: bytes) -> None:
        at = xml.index(HEADER_END)
        self.head, self.rest = xml[:at], xml[at:]
        deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -15)
        self.deflated = deflate.compress(self.rest) + deflate.flush()

    def copy(self, ein: int, year: int) -> tuple[bytes, int, int]:
        """The deflated bytes of a copy, its CRC-32, and its length."""
        head = EIN.sub(rb"\g<1>%09d\g<2>" % ein, self.head, count=1)
        for pattern in YEARS:
            head = pattern.sub(rb"\g<1>%d\g<2>" % year, head)
        deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -15)
        begun = deflate.compress(head) + deflate.flush(zlib.Z_FULL_FLUSH)
        crc = zlib.crc32(self.rest, zlib.crc32(head))
        return begun + self.deflated, crc, len(head) + len(self.rest)


def write_zip(path: Path, files) -> tuple[int, int]:
    """Writes a ZIP of (name, deflated, CRC-32, length); how many files, and their bytes."""
    count, size, directory = 0, 0, []
    with open(path, "wb") as out:
        for name, deflated, crc, length in files:
            at = out.tell()
            fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, crc, len(deflated), length, len(name), 0)
            out.write(b"PK\3\4" + fields + name + deflated)
            directory.append(b"PK\1\2\x14\0" + fields + struct.pack("<HHHII", 0, 0, 0, 0, at) + name)
            count, size = count + 1, size + length
        at, listed = out.tell(), b"".join(directory)
        out.write(listed)
        out.write(b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, count, count, len(listed), at, 0))
    return count, size


def write(folder: Path, templates: list[Template], wanted: int, years: int) -> tuple[int, int]:
    """Writes the ZIPs; how many returns, and their bytes."""
    mean = sum(len(one.head) + len(one.rest) for one in templates) / len(templates)
    each = int(wanted / mean / years / ZIPS_A_YEAR)
    if each > FILES_MAX:
        sys.exit(f"{each} returns a ZIP: expected at most {FILES_MAX}: larger returns, or more years")
    count = size = 0
    for year in range(LAST_YEAR - years + 1, LAST_YEAR + 1):
        for part in range(ZIPS_A_YEAR):

            def files():
                for number in range(each):
                    filer = part * each + number
                    template = templates[filer % len(templates)]
                    object_id = b"%d%014d" % (year + 1, filer)
                    # A prefix that the IRS does not issue, and behind it those above.
                    yield object_id + b"_public.xml", *template.copy(900_000_000 + filer, year)

            name = f"{year + 1}_TEOS_XML_{part + 1:02}A.zip"
            found = write_zip(folder / name, files())
            count, size = count + found[0], size + found[1]
    return count, size


class Watch(threading.Thread):
    """The largest memory of a process, anonymous and in all, in KiB."""

    def __init__(self, process: subprocess.Popen) -> None:
        super().__init__(daemon=True)
        self.process, self.anonymous, self.resident = process, 0, 0

    def run(self) -> None:
        while self.process.poll() is None:
            try:
                status = Path(f"/proc/{self.process.pid}/status").read_text()
            except OSError:
                return
            value = lambda key: int(re.search(rf"{key}:\s+(\d+)", status)[1]) if key in status else 0
            self.anonymous = max(self.anonymous, value("RssAnon"))
            self.resident = max(self.resident, value("VmRSS"))
            time.sleep(0.2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--returns", required=True, type=Path, help="folder of returns to copy")
    parser.add_argument("--gigabytes", type=float, default=60)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--largest", type=int, default=60_000, help="bytes of a return to copy")
    parser.add_argument("--limit", type=float, default=6, help="gigabytes of anonymous memory")
    parser.add_argument("--folder", type=Path, help="where the ZIPs and the snapshot are made")
    args = parser.parse_args()
    found = (path.read_bytes() for path in sorted(args.returns.rglob("*.xml")))
    templates = [
        Template(xml)
        for xml in found
        if len(xml) <= args.largest and HEADER_END in xml and EIN.search(xml)
    ]
    if not templates:
        print(f"{args.returns}: expected returns of at most {args.largest} bytes", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(dir=args.folder) as work:
        zips, data = Path(work, "zips"), Path(work, "data")
        zips.mkdir()
        began = time.monotonic()
        count, size = write(zips, templates, int(args.gigabytes * 1e9), args.years)
        print(f"{count:,} returns, {size / 1e9:.1f} GB of XML, written in {time.monotonic() - began:.0f} s",
              flush=True)
        began = time.monotonic()
        command = [args.almoner, "build", "--no-semantic", "--data-dir", data, zips]
        with open(Path(work, "log"), "w+") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log)
            watch = Watch(process)
            watch.start()
            code = process.wait()
            watch.join()
            log.seek(0)
            told = log.read().splitlines()
        if code:
            print("\n".join(told[-5:]), file=sys.stderr)
            return 1
        print("\n".join(line for line in told if line.startswith("published")))
        print(f"built in {time.monotonic() - began:.0f} s; at most {watch.anonymous / 1e6:.2f} GB "
              f"anonymous, {watch.resident / 1e6:.2f} GB with mapped files")
        return int(watch.anonymous / 1e6 > args.limit)


if __name__ == "__main__":
    sys.exit(main())
