#!/usr/bin/env python3
"""Compare known-item search: Almoner, SQLite FTS5 by words and by trigrams, and MiniSearch, in one run.

    name_peers.py --bmf eo_vt.csv eo_wy.csv ... --base-url http://127.0.0.1:8080 --api-key KEY
        [--items 100] [--seed 7] [--engines almoner,fts-words,fts-trigrams,minisearch]
        [--boost 1]

Nonprofits are drawn from the master files by a seeded choice, and every engine is asked for each, in
lower case, in the ways below. Printed of every way and engine: how often the nonprofit is first and how
often it is among the first five (of Almoner's typeahead: among the first eight), and the median and the
99th percentile of the milliseconds a query took. Every engine has all rows of the files: name, sort name,
city and state. Almoner's server must have been built from the same files, which the script cannot see.

  name             the name without its last legal suffix
  name, city       the name and the city; name, city, state: and the state's code
  transposed       two unlike neighbouring letters inside the longest word exchanged
  typo at start    another letter for the first of the first word
  word left out    without one of more than three telling words, neither the first nor the last of them
  no small words   without of, the, and, for, &, a, an, in, at, to
  other order      the last word first
  short forms      Saint/St, and/&, Association/Assn and the like: the first found, the other way about
  end, city        the last two words and the city
  chapter          the sort name of a chapter of a national body: Rotary, Lions, PTA, post, lodge, ...
  chapter, city    the same and the city
  body, chapter    the name and the sort name

The first ten ways are of 501(c)(3) organizations of three words or more whose name no other 501(c)(3)
of the files has; the last three of those whose sort name is a chapter's and the only such in its city. The
peers get the best of what was found. FTS5 is asked for rows with all words, or all trigrams inside the
words, and what is left of the five is filled with rows that have any: that finds more than any alone,
chapters above all. (Trigrams that span words find about a hundredth more yet and take nearly twice as
long.) MiniSearch allows typos in a fifth of a word's letters, completes the last word and counts all
columns alike: a name that counts twice, --boost 2, finds fewer chapters and little more otherwise.

One query is asked at a time, each of all engines before the next, after some of other nonprofits. Times
of Almoner are HTTP on kept connections, so they count its parsing of the request, ranking and the whole
JSON of an answer. Those of FTS5 are the statement called from Python, those of MiniSearch the call inside
Node: both read no more than the numbers of rows. MiniSearch needs Node and npm, which installs it into a
temporary folder; other than that nothing leaves the machine. Standard library only.
"""

import argparse
import csv
import http.client
import json
import os
import random
import re
import select
import shutil
import sqlite3
import statistics
import string
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

FIRST = 5
HINTS = 8
WARMING = 200  # queries asked before the measured ones
PATIENCE = 300  # seconds until an engine that does not answer is given up
MINISEARCH = "minisearch@7.2.0"
ENGINES = ("almoner", "fts-words", "fts-trigrams", "minisearch")
WAYS = """name|name, city|name, city, state|transposed|typo at start|word left out|no small words|other order
short forms|end, city|chapter|chapter, city|body, chapter""".replace("\n", "|").split("|")
LEGAL = set("INC INCORPORATED LLC CORP CORPORATION LTD CO TR TTEE TRUST".split())
SMALL = set("OF THE AND FOR & A AN IN AT TO".split())
FORMS = """SAINT/ST|AND/&|ASSOCIATION/ASSN|MOUNT/MT|FORT/FT|CENTER/CTR|FIRST/1ST|SECOND/2ND|THIRD/3RD
FOUNDATION/FDN|COMMUNITY/COMM|UNIVERSITY/UNIV|INTERNATIONAL/INTL|NATIONAL/NATL|SOCIETY/SOC|HIGH SCHOOL/HS
VETERANS OF FOREIGN WARS/VFW|PARENT TEACHER ASSOCIATION/PTA|DEPARTMENT/DEPT""".replace("\n", "|").split("|")
CHAPTER = re.compile("ROTARY|LIONS|KIWANIS|ELEMENTARY|CHAPTER|POST |LODGE|COUNCIL|TROOP|AUXILIARY|BRANCH|PTA$")
SAME_NAME_MAX = 30  # chapters of one body in one city, from which on they are no item that one knows
WORD = re.compile(r"[^\W_]+")
NODE = """
const { createRequire } = require("node:module");
const { createInterface } = require("node:readline");
const MiniSearch = createRequire(process.argv[1] + "/")("minisearch");
const index = new MiniSearch({ fields: ["name", "sort", "city", "state"] });
const options = {
  fuzzy: 0.2, prefix: (term, at, terms) => at === terms.length - 1, combineWith: "OR",
  boost: { name: Number(process.argv[2]) },
};
const say = (value) => process.stdout.write(JSON.stringify(value) + "\\n");
const started = performance.now();
createInterface({ input: process.stdin }).on("line", (line) => {
  const said = JSON.parse(line);
  if (typeof said === "string") {
    const start = performance.now();
    const found = index.search(said, options);
    const took = performance.now() - start;
    say([found.slice(0, Number(process.argv[3])).map((row) => row.id), took]);
  } else if (said) {
    const [id, name, sort, city, state] = said;
    index.add({ id, name, sort, city, state });
  } else {
    say([index.documentCount, performance.now() - started]);
  }
});
"""


class Row(NamedTuple):
    """What is read of a line of a master file."""

    ein: str
    name: str
    sort: str
    city: str
    state: str
    subsection: str
    period: str


class Answer(NamedTuple):
    """The EINs that an engine names, best first, and how long it took."""

    eins: list[str]
    milliseconds: float


def main() -> int:
    args = arguments()
    rows = read(args.bmf)
    chance = random.Random(args.seed)
    asked, others = drawn(rows, args.items, chance)
    print(f"{len(rows)} rows of {len(args.bmf)} files; {len(asked)} queries, seed {args.seed};"
          f" {len(os.sched_getaffinity(0))} cores; load {os.getloadavg()[0]:.2f}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        engines = {}
        try:
            for name in args.engines:
                engines |= started(name, args, rows, folder)
            for text in others:
                for engine in engines.values():
                    engine.ask(text)
            answers = defaultdict(list)
            for way, text, ein in asked:
                for name, engine in engines.items():
                    answers[way, name].append((ein, engine.ask(text)))
        finally:
            for engine in engines.values():
                engine.close()
    ways = {way for way, _, _ in asked}
    tables([way for way in WAYS if way in ways], list(engines), answers)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bmf", nargs="+", required=True, metavar="FILE", help="master file extracts, CSV")
    parser.add_argument("--base-url", help="of a running `almoner serve` that has the same files")
    parser.add_argument("--api-key", help="a key that `almoner keys create` printed")
    parser.add_argument("--items", type=int, default=100, help="nonprofits of each of the two sorts")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--engines", default=",".join(ENGINES), help=f"of {', '.join(ENGINES)}")
    parser.add_argument("--boost", type=float, default=1, help="how much the name counts in MiniSearch")
    args = parser.parse_args()
    args.engines = list(dict.fromkeys(args.engines.split(",")))
    if unknown := [name for name in args.engines if name not in ENGINES]:
        parser.error(f"no engine {unknown[0]!r}: choose of {', '.join(ENGINES)}")
    if "almoner" in args.engines and not (args.base_url and args.api_key):
        parser.error("almoner needs --base-url and --api-key; without it, name the others in --engines")
    if "almoner" in args.engines and not urlsplit(args.base_url).netloc:
        parser.error("--base-url starts with http:// and a host")
    if "minisearch" in args.engines and not (shutil.which("node") and shutil.which("npm")):
        parser.error("minisearch needs node and npm; without them, name the others in --engines")
    return args


# The items and what is asked


def read(paths: list[str]) -> list[Row]:
    """One row of each EIN, the one of the latest tax period, in the order of the files."""
    rows = {}
    names = "EIN NAME SORT_NAME CITY STATE SUBSECTION TAX_PERIOD".split()
    for path in paths:
        with open(path, encoding="utf-8", errors="replace", newline="") as lines:
            for line in csv.DictReader(lines):
                row = Row(*((line.get(name) or "").strip() for name in names))
                if row.period >= rows.get(row.ein, row).period:
                    rows[row.ein] = row
    return list(rows.values())


def drawn(rows: list[Row], items: int, chance: random.Random) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Way, text and EIN of every query; and texts of nonprofits that were not drawn, if there are."""
    rows = [row for row in rows if row.subsection == "03" and row.name]
    names = Counter(row.name for row in rows)
    places = Counter((row.name, row.city) for row in rows)
    sorts = Counter((row.sort, row.city) for row in rows)
    plain = [row for row in rows if names[row.name] == 1 and len(bare(row.name)) > 2]
    chapters = [row for row in rows if CHAPTER.search(row.sort) and " " in row.sort
                and sorts[row.sort, row.city] == 1 and places[row.name, row.city] < SAME_NAME_MAX]
    asked, others = [], []
    for pool, ways in ((plain, name_ways), (chapters, chapter_ways)):
        chosen = chance.sample(pool, min(2 * items, len(pool)))
        for at, row in enumerate(chosen):
            for way, text in ways(row, chance):
                if at < items:
                    asked.append((way, text.lower(), row.ein))
                else:
                    others.append(text.lower())
    if not asked:
        raise SystemExit("no nonprofit of these files has a name of its own")
    return asked, chance.sample(others, min(WARMING, len(others)))


def bare(name: str) -> list[str]:
    """The words of a name without the legal form that it ends in."""
    words = name.split()
    return words[:-1] if words and words[-1].removesuffix(".") in LEGAL else words


def name_ways(row: Row, chance: random.Random) -> Iterator[tuple[str, str]]:
    words = bare(row.name)
    name = " ".join(words)
    yield "name", name
    yield "name, city", f"{name} {row.city}"
    yield "name, city, state", f"{name} {row.city} {row.state}"
    longest = max(words, key=len)
    swaps = [at for at in range(1, len(longest) - 1) if longest[at] != longest[at + 1]]
    if len(longest) > 4 and swaps:
        at = chance.choice(swaps)
        wrong = longest[:at] + longest[at + 1] + longest[at] + longest[at + 2 :]
        yield "transposed", " ".join(put(words, words.index(longest), [wrong]))
    if len(words[0]) > 4 and words[0].isalpha():
        letter = chance.choice([each for each in string.ascii_uppercase if each != words[0][0]])
        yield "typo at start", " ".join(put(words, 0, [letter + words[0][1:]]))
    telling = [at for at, word in enumerate(words) if word not in SMALL]
    if len(telling) > 3:
        yield "word left out", " ".join(put(words, chance.choice(telling[1:-1]), []))
    if len(telling) < len(words):
        yield "no small words", " ".join(words[at] for at in telling)
    yield "other order", " ".join([words[-1], *words[:-1]])
    if other := other_form(name):
        yield "short forms", other
    yield "end, city", f"{' '.join(words[-2:])} {row.city}"


def chapter_ways(row: Row, chance: random.Random) -> Iterator[tuple[str, str]]:
    yield "chapter", row.sort
    yield "chapter, city", f"{row.sort} {row.city}"
    yield "body, chapter", f"{' '.join(bare(row.name))} {row.sort}"


def put(words: list[str], at: int, instead: list[str]) -> list[str]:
    return [*words[:at], *instead, *words[at + 1 :]]


def other_form(name: str) -> str | None:
    """The name with the first of FORMS that it has, long or short, exchanged for its other form."""
    padded = f" {name} "
    for pair in FORMS:
        long, short = (f" {form} " for form in pair.split("/"))
        for here, there in ((long, short), (short, long)):
            if here in padded:
                return padded.replace(here, there).strip()
    return None


# The engines


def started(name: str, args: argparse.Namespace, rows: list[Row], folder: str) -> dict:
    """The engine by its name in the tables, filled; Almoner is two, of one server."""
    if name == "almoner":
        print(f"almoner: {args.base_url}, over HTTP", flush=True)
        search = ("/beta/nonprofits/search", f"size={FIRST}", 256, "nonprofits")
        hints = ("/typeahead/nonprofits", f"limit={HINTS}", 100, "results")
        return {"typeahead": Almoner(args, *hints), "almoner": Almoner(args, *search)}
    if name == "minisearch":
        return {name: MiniSearch(rows, folder, args.boost)}
    return {name: Fts(name, rows)}


class Almoner:
    """An endpoint of a running server, on a connection of its own that is kept."""

    def __init__(self, args: argparse.Namespace, path: str, size: str, letters: int, member: str) -> None:
        url = urlsplit(args.base_url)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        self.link = kind(url.netloc, timeout=PATIENCE)
        self.target = f"{url.path.rstrip('/')}{path}?{size}&q="
        self.headers, self.letters, self.member = {"X-API-Key": args.api_key}, letters, member

    def ask(self, text: str) -> Answer:
        target = self.target + quote(text[: self.letters])
        start = time.perf_counter()
        try:
            self.link.request("GET", target, headers=self.headers)
            answer = self.link.getresponse()
            body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise SystemExit(f"no answer from almoner: {error}") from error
        took = 1000 * (time.perf_counter() - start)
        if answer.status != 200:
            raise SystemExit(f"almoner answers {target} with {answer.status}: {body[:200]!r}")
        return Answer([row["ein"] for row in json.loads(body)[self.member]], took)

    def close(self) -> None:
        self.link.close()


class Fts:
    """SQLite's FTS5 in memory. Rows of equal rank come in the order of the files (rowid)."""

    def __init__(self, name: str, rows: list[Row], depth: int = FIRST) -> None:
        self.rows, self.words, self.depth = rows, name == "fts-words", depth
        tokenizer = "unicode61" if self.words else "trigram"
        self.base = sqlite3.connect(":memory:")
        start = time.perf_counter()
        columns = f"name, sort, city, state, tokenize='{tokenizer}'"
        self.base.execute(f"CREATE VIRTUAL TABLE peer USING fts5({columns})")
        texts = ((at, row.name, row.sort, row.city, row.state) for at, row in enumerate(rows))
        self.base.executemany("INSERT INTO peer(rowid, name, sort, city, state) VALUES(?, ?, ?, ?, ?)", texts)
        self.base.execute("INSERT INTO peer(peer) VALUES('optimize')")
        self.base.commit()
        print(f"{name}: SQLite {sqlite3.sqlite_version}, tokenizer {tokenizer}, in memory, built in"
              f" {time.perf_counter() - start:.1f} s; AND, then OR for what is left; bm25 by default, ties by"
              " rowid", flush=True)

    def ask(self, text: str) -> Answer:
        start = time.perf_counter()
        terms = WORD.findall(text)
        if not self.words:
            terms = [word[at : at + 3] for word in terms for at in range(len(word) - 2)]
        terms = [f'"{term}"' for term in dict.fromkeys(terms)]
        found = self.match(" AND ".join(terms))
        if len(found) < self.depth:
            found += [at for at in self.match(" OR ".join(terms)) if at not in found]
        took = 1000 * (time.perf_counter() - start)
        return Answer([self.rows[at].ein for at in found[: self.depth]], took)

    def match(self, query: str) -> list[int]:
        select = "SELECT rowid FROM peer WHERE peer MATCH ? ORDER BY bm25(peer), rowid LIMIT ?"
        return [at for (at,) in self.base.execute(select, (query, self.depth))] if query else []

    def close(self) -> None:
        self.base.close()


class MiniSearch:
    """The npm package in a child process of Node, which is told a line of JSON and answers in one."""

    def __init__(self, rows: list[Row], folder: str, boost: float, depth: int = FIRST) -> None:
        options = ["--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts"]
        install = ["npm", "install", *options, MINISEARCH]
        ran = subprocess.run(install, capture_output=True, text=True, timeout=PATIENCE)
        if ran.returncode:
            raise SystemExit(f"npm cannot install {MINISEARCH}:\n{ran.stderr}")
        package = json.loads(Path(folder, "node_modules/minisearch/package.json").read_text(encoding="utf-8"))
        self.rows = rows
        self.node = subprocess.Popen(["node", "-e", NODE, folder, str(boost), str(depth)], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        for at, row in enumerate(rows):
            self.say([at, row.name, row.sort, row.city, row.state])
        count, took = self.say(None, answers=True)
        if count != len(rows):
            raise SystemExit(f"minisearch has {count} rows of {len(rows)}")
        print(f"minisearch: {package['version']}, {node_version()}, in memory, built in {took / 1000:.1f}"
              f" s; fuzzy 0.2, prefix of the last term, combineWith OR, boost name {boost:g}", flush=True)

    def ask(self, text: str) -> Answer:
        found, took = self.say(text, answers=True)
        return Answer([self.rows[at].ein for at in found], took)

    def say(self, value: object, answers: bool = False):
        try:
            self.node.stdin.write(json.dumps(value).encode() + b"\n")
            if not answers:
                return None
            self.node.stdin.flush()
        except BrokenPipeError:
            raise SystemExit("minisearch: Node has ended") from None
        # Nothing is left in the buffer here: every answer is one line, and is read before the next query.
        ready, _, _ = select.select([self.node.stdout], [], [], PATIENCE)
        line = self.node.stdout.readline() if ready else b""
        if not line:
            self.node.kill()
            raise SystemExit("minisearch: Node does not answer")
        return json.loads(line)

    def close(self) -> None:
        self.node.kill()
        self.node.communicate()


def node_version() -> str:
    return "Node " + subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()


# The tables


def tables(ways: list[str], engines: list[str], answers: dict) -> None:
    """Recall and milliseconds, a way a row and an engine a column; the last row is of all queries."""
    for title, cell in (("Recall", recall), ("Milliseconds", milliseconds)):
        heads = [(name, cell(name, None)) for name in engines]
        lines = [["", "", *(name for name, _ in heads)], [title, "n", *(head for _, head in heads)]]
        for way in [*ways, "all"]:
            taken = [[each for at in (ways if way == "all" else [way]) for each in answers[at, name]]
                     for name in engines]
            lines.append([way, str(len(taken[0])), *map(cell, engines, taken)])
        widths = [max(map(len, column)) for column in zip(*lines)]
        print()
        for first, *rest in lines:
            print("  ".join([first.ljust(widths[0]), *map(str.rjust, rest, widths[1:])]))


def recall(engine: str, answers: list[tuple[str, Answer]] | None) -> str:
    depths = (HINTS,) if engine == "typeahead" else (1, FIRST)
    if answers is None:
        return "  ".join(f"{f'@{depth}':>4}" for depth in depths)
    shares = (statistics.mean(ein in got.eins[:depth] for ein, got in answers) for depth in depths)
    return "  ".join(f"{share:.2f}" for share in shares)


def milliseconds(engine: str, answers: list[tuple[str, Answer]] | None) -> str:
    if answers is None:
        return f"{'median':>6}  {'p99':>6}"
    times = sorted(got.milliseconds for _, got in answers)
    return f"{statistics.median(times):6.2f}  {times[min(len(times) - 1, len(times) * 99 // 100)]:6.2f}"


if __name__ == "__main__":
    sys.exit(main())
