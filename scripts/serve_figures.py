#!/usr/bin/env python3
"""Measure how soon `almoner serve` answers after exec, and how much anonymous memory it holds.

    serve_figures.py --almoner target/release/almoner --data-dir D [--runs 5] [--requests 2000]
        [--searches 400]

Starts the server `--runs` times on a free port of 127.0.0.1, asks it one typeahead question as soon
as it listens, then one search by meaning, then `--requests` of the first kind and `--searches` of
the second over four connections, and ends it. Prints the median and the worst time from exec to the
first answer, the time of the first search after it (which loads the model) and of the later ones,
and the anonymous memory at the end (RssAnon of /proc/PID/status). Standard library only.
"""

import argparse
import http.client
import random
import statistics
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple
from urllib.parse import quote

WORDS = "food bank church school youth red cross humane society friends of the library pta".split()
CONNECTIONS = 4


class Run(NamedTuple):
    """Milliseconds to the first answer, of the first search, of the later ones; KiB at the end."""

    first: float
    first_search: float
    searches: list[float]
    anonymous: int


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--searches", type=int, default=400)
    args = parser.parse_args()

    create = [args.almoner, "keys", "create", "--data-dir", args.data_dir, "--name", "figures"]
    key = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
    runs = [one_run(args, key) for _ in range(args.runs)]
    print(f"first answer after exec: {spread([run.first for run in runs])} of {args.runs} starts")
    print(f"first search: {spread([run.first_search for run in runs])}")
    searches = [each for run in runs for each in run.searches]
    if searches:
        print(f"later searches, {CONNECTIONS} at a time: {spread(searches)}")
    memory = max(run.anonymous for run in runs) / 1024
    print(f"anonymous memory after {args.requests} completions and {args.searches} searches:"
          f" {memory:.1f} MB")
    return 0


def spread(times: list[float]) -> str:
    return f"median {statistics.median(times):.1f} ms, worst {max(times):.1f} ms"


def one_run(args: argparse.Namespace, key: str) -> Run:
    command = [args.almoner, "serve", "--data-dir", args.data_dir, "--listen", "127.0.0.1:0"]
    start = time.perf_counter()
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        port = listening_port(server)
        # The log must not fill the pipe.
        threading.Thread(target=server.stderr.read, daemon=True).start()
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        ask(link, key, typeahead("food bank"))
        first = 1000 * (time.perf_counter() - start)
        first_search = ask(link, key, search("hot meals for people in need"))
        chance = random.Random(1)
        for _ in range(args.requests):
            word = chance.choice(WORDS)
            typed = word[: chance.randint(2, len(word))] if len(word) > 2 else word
            ask(link, key, typeahead(typed))
        texts = [" ".join(chance.sample(WORDS, 3)) for _ in range(args.searches)]
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            shares = [texts[at::CONNECTIONS] for at in range(CONNECTIONS)]
            asked = pool.map(lambda share: searches(port, key, share), shares)
            times = [each for share in asked for each in share]
        return Run(first, first_search, times, anonymous(server.pid))
    finally:
        server.terminate()
        server.wait(timeout=30)


def listening_port(server: subprocess.Popen[str]) -> int:
    """The port that a server says it listens on."""
    for line in server.stderr or ():
        if "listening on http://" in line:
            return int(line.rsplit(":", 1)[1].split()[0].strip('/"}'))
    raise SystemExit("the server ended before it listened")


def typeahead(typed: str) -> str:
    return f"/typeahead/nonprofits?q={quote(typed)}"


def search(text: str) -> str:
    return f"/beta/nonprofits/search?q={quote(text)}"


def searches(port: int, key: str, texts: list[str]) -> list[float]:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    return [ask(link, key, search(text)) for text in texts]


def ask(link: http.client.HTTPConnection, key: str, path: str) -> float:
    """Milliseconds until the answer is whole."""
    start = time.perf_counter()
    link.request("GET", path, headers={"X-API-Key": key})
    answer = link.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{answer.status} {body[:200]!r}")
    return 1000 * (time.perf_counter() - start)


def anonymous(pid: int) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


if __name__ == "__main__":
    sys.exit(main())
