#!/usr/bin/env python3
"""Records the answers to some thousand requests, or compares with what was recorded before.

    recorded_answers.py --almoner target/release/almoner --data-dir D --record FILE [--requests 2000]
    recorded_answers.py --almoner target/release/almoner --data-dir D --compare FILE

`--also FILE` adds what people asked: lines of JSON, each a query (`q`) or a conversation (`turns`, each with `q` or
`say`); a query is asked of both readers and of the chat.

A refactoring that is to change no answer records with the program before it, compares with the one after
it, over the same data directory. The requests are drawn with a fixed seed from what the data directory
itself answers (EINs and names) and from the tables in `data/`: lookups by EIN, typeahead, searches with
filters, sentences, follow-ups within a session, chat, lists. Kept are the path, the status, a hash of the
body and the body itself; what names a message or tells the time is left out of the comparison.

One line per difference, the first in full; exits 1 if there is any. Standard library only.
"""

import argparse
import hashlib
import json
import random
import sys
import uuid
from itertools import chain
from pathlib import Path
from urllib.parse import urlencode

from faults.trial import Refused, Server

DATA = Path(__file__).parent.parent / "data"
SEED = 7
# What differs from run to run, or from one snapshot of the same sources to another, without a change of the program.
VOLATILE = ("messageId", "provided_at", "snapshot", "built_at")
DIFFERENCES_SHOWN = 20
NAMES_SAMPLED = 300


def rows(name):
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def filters(chance, cities):
    """Some filters of the search."""
    money = lambda: chance.choice([10_000, 250_000, 1_000_000, 25_000_000])
    city, state = chance.choice(cities)
    every = [
        ("state", state), ("city", city), ("min_revenue", money()), ("max_revenue", money() * 10),
        ("min_assets", money()), ("max_expenses", money()), ("min_employees", chance.randrange(1, 50)),
        ("foundation", chance.choice(["true", "false"])), ("deductible_donations", "true"),
        ("subsection_codes", "03"), ("ntee_codes", chance.choice("ABCDEFGHILMNOPQRSTX")),
        ("org_size", chance.choice(["Small", "Medium", "Large"])), ("sdgs", chance.randrange(1, 18)),
        ("sort", chance.choice(["name", "-revenue", "-assets", "employees"])), ("min_rating", 5),
        ("latitude", 91), ("max_score", 20), ("facets", "state,ntee_major"), ("size", 25), ("page", 2),
    ]
    return chance.sample(every, chance.randrange(0, 4))


def sentence(chance, causes, cities):
    city, state = chance.choice(cities)
    amount = chance.choice(["$1 million", "$250k", "500,000 dollars", "$2.5M"])
    place = chance.choice([f"in {city}, {state}", f"in {state}", f"near {city} {state}", ""])
    bound = chance.choice(["", f"with revenue over {amount}", f"under {amount}", "with 10 or more employees",
                           "that are not private foundations", "largest first", "whose exemption was revoked"])
    return " ".join(part for part in (chance.choice(causes), place, bound) if part)


def requests(count, server):
    """Paths and the session of each, in an order that sessions keep."""
    chance = random.Random(SEED)
    causes = [row[0] for row in rows("causes.tsv") if len(row) > 1 and row[1]]
    cities = [(row[2], row[1]) for row in rows("zips.tsv") if len(row) > 3 and row[1] and row[2]]
    known = []
    for _ in range(NAMES_SAMPLED):
        prefix = "".join(chance.choice("abcdefghilmnoprstw") for _ in range(2))
        found = json.loads(server.get(f"/typeahead/nonprofits?q={prefix}&limit=25")[1])
        known += [(one["ein"], one["name"]) for one in found["results"]]
    if not known:
        sys.exit("typeahead knows nobody")
    known = sorted(set(known))
    follow_ups = ["only large ones", "in Ohio instead", "without foundations", "more", "the second one",
                  "any revenue", "sort by assets", "what is its revenue?"]
    for _ in range(count):
        ein, name = chance.choice(known)
        kind = chance.randrange(12)
        session = None
        if kind == 0:
            path = f"/nonprofits/{chance.choice(['details', 'filings', 'standing', 'provenance', 'reliance'])}/{ein}"
        elif kind == 1:
            path = f"/impact/{chance.choice(['stories', 'metrics'])}/{ein}"
        elif kind in (2, 3):
            end = chance.randrange(1, len(name) + 1)
            path = "/typeahead/nonprofits?" + urlencode({"q": name[:end], "limit": 25})
        elif kind in (4, 5):
            path = "/beta/nonprofits/search?" + urlencode([("q", sentence(chance, causes, cities))])
        elif kind == 6:
            path = "/beta/nonprofits/search?" + urlencode(filters(chance, cities))
        elif kind == 7:
            both = [("q", sentence(chance, causes, cities)), *filters(chance, cities)]
            path = "/beta/nonprofits/search?" + urlencode(both)
        elif kind == 8:
            path = "/nonprofits/search?" + urlencode([("q", name), *filters(chance, cities)])
        elif kind == 9:
            path = "/chat?" + urlencode({"q": chance.choice([name, f"compare {name} and {known[0][1]}",
                                                             sentence(chance, causes, cities)])})
        elif kind == 10:
            session = str(uuid.UUID(int=chance.getrandbits(128), version=4))
            yield "/chat?" + urlencode({"q": sentence(chance, causes, cities)}), session
            path = "/chat?" + urlencode({"q": chance.choice(follow_ups)})
        else:
            path = chance.choice(["/impact/stories", "/impact/metrics", "/feed/posts"]) + "?" + urlencode(
                {"page": chance.randrange(1, 5)})
        yield path, session


def asked_in(path):
    """Requests for the queries and conversations of a file, likewise."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        turns = [turn.get("q") or turn.get("say") for turn in record.get("turns", [])]
        for query in [record["q"]] if "q" in record else []:
            for model in ("minilm", "grammar"):
                yield "/beta/nonprofits/search?" + urlencode({"q": query, "model": model}), None
            narrowed = {"q": query, "state": "OH", "min_revenue": 100_000, "sort": "-assets", "facets": "state"}
            yield "/beta/nonprofits/search?" + urlencode(narrowed), None
            yield "/chat?" + urlencode({"q": query}), None
        for kind, path_of in enumerate(("/chat", "/beta/nonprofits/search")):
            session = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{path.name} {number} {kind}"))
            for turn in turns:
                yield f"{path_of}?" + urlencode({"q": turn}), session


def comparable(body):
    try:
        document = json.loads(body)
    except ValueError:
        return body
    if isinstance(document, dict):
        for name in VOLATILE:
            document.pop(name, None)
    return json.dumps(document)


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--data-dir", required=True)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--record", type=Path, help="where to keep the answers, a line of JSON each")
    what.add_argument("--compare", type=Path, help="what was recorded")
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--also", type=Path, action="append", default=[], help="queries and conversations to record too")
    arguments = parser.parse_args()
    try:
        server = Server(arguments.almoner, arguments.data_dir)
    except Refused as why:
        sys.exit(f"the server does not start: {why}")
    try:
        if arguments.record:
            with arguments.record.open("w", encoding="utf-8") as out:
                also = (request for path in arguments.also for request in asked_in(path))
                for path, session in chain(requests(arguments.requests, server), also):
                    status, body = server.get(path, session)
                    kept = comparable(body)
                    digest = hashlib.sha256(kept.encode()).hexdigest()
                    record = {"path": path, "session": session, "status": status, "sha256": digest, "body": kept}
                    out.write(json.dumps(record) + "\n")
            return 0
        same = different = 0
        for line in arguments.compare.open(encoding="utf-8"):
            before = json.loads(line)
            status, body = server.get(before["path"], before["session"])
            kept = comparable(body)
            if (status, hashlib.sha256(kept.encode()).hexdigest()) == (before["status"], before["sha256"]):
                same += 1
                continue
            different += 1
            if different <= DIFFERENCES_SHOWN:
                print(f"another answer: {before['status']} -> {status}: {before['path']}")
            if different == 1:
                print(f"  before: {before['body']}\n  now:    {kept}")
        print(f"{same} answers are the same, {different} are not")
        return 1 if different else 0
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
