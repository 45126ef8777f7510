#!/usr/bin/env python3
"""Measure how soon the beta search understands and answers queries in plain words.

    search_latency.py --almoner target/release/almoner --data-dir D [--requests 600] [--clients 1,8]
        [--fuzz 0]

Starts the server on a free port of 127.0.0.1 and, for each interpreter and number of clients, asks
`--requests` queries made of causes, places, amounts and the like by a seeded choice. Prints the
median, the 99th percentile and the worst time, once as many others have warmed the process, until an answer is whole, and how many answers were not
200. With `--fuzz` it then asks so many texts of up to 256 characters: any Unicode, and words and signs
of queries in any order. Standard library only.
"""

import argparse
import http.client
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

from serve_figures import listening_port

CAUSES = """food banks|animal rescue groups|youth theater programs|homeless shelters|legal aid
literacy nonprofits|community gardens|hospice care|veterans helping veterans|after school tutoring
land trusts|museums of local history|cancer research|volunteer fire companies|symphony orchestras
domestic violence shelters|clean water abroad|dog parks|scholarships for nurses|church food pantries
mentoring for teenagers|mental health counseling|public radio|bancos de alimentos|refugee resettlement
river cleanup volunteers|housing for seniors|stem camps for girls|autism support groups|hiking trails
""".replace("\n", "|").split("|")
PLACES = """|in Ohio|in Texas or Oklahoma|in Boise, ID|near Chicago|outside of California|in New England
in Cook County, Illinois|within 25 miles of Denver|in the Bay Area|in 10001|en Florida
""".replace("\n", "|").split("|")
FILTERS = """|||with revenue over $1M|under 500k in revenue|assets above $10 million|small|tax-deductible
budget between 50 and 250k|SDG 4|501(c)(3)|largest|not schools|no private foundations
""".replace("\n", "|").split("|")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--requests", type=int, default=600)
    parser.add_argument("--clients", default="1,8")
    parser.add_argument("--fuzz", type=int, default=0)
    args = parser.parse_args()
    create = [args.almoner, "keys", "create", "--data-dir", args.data_dir, "--name", "latency"]
    key = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
    command = [args.almoner, "serve", "--data-dir", args.data_dir, "--listen", "127.0.0.1:0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        port = listening_port(server)
        threading.Thread(target=server.stderr.read, daemon=True).start()
        chance = random.Random(4)
        queries = [query(chance) for _ in range(args.requests)]
        # The model and its labels are made ready first, and most blocks of the files are verified, which
        # happens once in a process: by as many other queries.
        others = [query(chance) for _ in range(args.requests)]
        for model in ("grammar", "minilm"):
            share(port, key, model, others)
        for model in ("grammar", "minilm"):
            for clients in map(int, args.clients.split(",")):
                report(port, key, model, queries, clients)
            if args.fuzz:
                texts = [fuzzed(chance) for _ in range(args.fuzz)]
                report(port, key, f"{model}, fuzzed", texts, 4)
        return 0
    finally:
        server.terminate()
        server.wait(timeout=30)


def query(chance: random.Random) -> str:
    words = [chance.choice(FILTERS), chance.choice(CAUSES), chance.choice(PLACES)]
    if chance.random() < 0.5:
        words = words[1:] + words[:1]
    return " ".join(word for word in words if word)


def fuzzed(chance: random.Random) -> str:
    if chance.random() < 0.5:
        letters = [chance.randrange(0x20, 0x2FFFF) for _ in range(chance.randint(1, 256))]
        return "".join(chr(code) for code in letters if not 0xD800 <= code <= 0xDFFF) or "x"
    words = " ".join(CAUSES + PLACES + FILTERS).split() + "$ 5M , - / ( ) 501 sdg ntee near not".split()
    return " ".join(chance.choice(words) for _ in range(chance.randint(1, 60)))[:256]


def report(port: int, key: str, model: str, queries: list[str], clients: int) -> None:
    with ThreadPoolExecutor(clients) as pool:
        parts = [queries[at::clients] for at in range(clients)]
        answers = [each for part in pool.map(lambda q: share(port, key, model, q), parts) for each in part]
    times = sorted(took for took, _ in answers)
    errors = sum(status != 200 for _, status in answers)
    p99 = times[min(len(times) - 1, len(times) * 99 // 100)]
    print(f"{model}, {clients} at a time: median {times[len(times) // 2]:.1f} ms, p99 {p99:.1f} ms,"
          f" worst {times[-1]:.1f} ms, {errors} of {len(times)} not answered with 200")


def share(port: int, key: str, model: str, queries: list[str]) -> list[tuple[float, int]]:
    """Milliseconds and status of each answer."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    answers = []
    for text in queries:
        start = time.perf_counter()
        path = f"/beta/nonprofits/search?model={model.split(',')[0]}&q={quote(text)}"
        link.request("GET", path, headers={"X-API-Key": key})
        answer = link.getresponse()
        answer.read()
        answers.append((1000 * (time.perf_counter() - start), answer.status))
    return answers


if __name__ == "__main__":
    sys.exit(main())
