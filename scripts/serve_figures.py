#!/usr/bin/env python3
"""Measure how soon `almoner serve` answers after exec, and how much anonymous memory it holds.

    serve_figures.py --almoner target/release/almoner --data-dir D [--runs 5] [--requests 2000]

Starts the server `--runs` times on a free port of 127.0.0.1, asks it one typeahead question as soon
as it listens, then `--requests` more, and ends it. Prints the median and the worst time from exec to
the first answer, and the anonymous memory after the requests (RssAnon of /proc/PID/status).
Standard library only.
"""

import argparse
import http.client
import random
import statistics
import subprocess
import sys
import threading
import time
from urllib.parse import quote

WORDS = "food bank church school youth red cross humane society friends of the library pta".split()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--requests", type=int, default=2000)
    args = parser.parse_args()

    create = [args.almoner, "keys", "create", "--data-dir", args.data_dir, "--name", "figures"]
    key = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
    times, memory = [], 0
    for _ in range(args.runs):
        seconds, memory = one_run(args, key)
        times.append(seconds * 1000)
    print(f"first answer after exec: median {statistics.median(times):.0f} ms, worst {max(times):.0f} ms"
          f" of {args.runs} starts")
    print(f"anonymous memory after {args.requests} requests: {memory / 1024:.1f} MB")
    return 0


def one_run(args: argparse.Namespace, key: str) -> tuple[float, int]:
    """Seconds from exec to the first answer; anonymous memory in KiB at the end."""
    command = [args.almoner, "serve", "--data-dir", args.data_dir, "--listen", "127.0.0.1:0"]
    start = time.perf_counter()
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        port = None
        for line in server.stderr or ():
            if "listening on http://" in line:
                port = int(line.rsplit(":", 1)[1].split()[0].strip('/"}'))
                break
        if port is None:
            raise SystemExit("the server ended before it listened")
        # The log must not fill the pipe.
        threading.Thread(target=server.stderr.read, daemon=True).start()
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        ask(link, key, "food bank")
        seconds = time.perf_counter() - start
        chance = random.Random(1)
        for _ in range(args.requests):
            word = chance.choice(WORDS)
            ask(link, key, word[: chance.randint(2, len(word))] if len(word) > 2 else word)
        return seconds, anonymous(server.pid)
    finally:
        server.terminate()
        server.wait(timeout=30)


def ask(link: http.client.HTTPConnection, key: str, typed: str) -> None:
    link.request("GET", f"/typeahead/nonprofits?q={quote(typed)}", headers={"X-API-Key": key})
    answer = link.getresponse()
    body = answer.read()
    if answer.status != 200:
        raise SystemExit(f"{answer.status} {body[:200]!r}")


def anonymous(pid: int) -> int:
    with open(f"/proc/{pid}/status", encoding="ascii") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))


if __name__ == "__main__":
    sys.exit(main())
