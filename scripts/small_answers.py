#!/usr/bin/env python3
"""Measure what entity tags and compression cost answers that are small, and what a 304 saves.

    small_answers.py --almoner target/release/almoner --data-dir D [--rounds 7] [--seconds 3]

Starts a server and asks it for details and suggestions, eight connections at a time, in every way by turns: without any
header beside the key; with another header as long as a session's, and with a session, whose answers have no tag; with
encodings named; and with the tag of each answer. Prints the medians of requests per second and of the processor time of
the server a request, which depends less on what else the machine does, and bytes of a body. Needs wrk 4.1.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

from serve_figures import WORDS, listening_port

SCRIPT = """
local targets, tags, at = {}, {}, 0
for line in io.lines(os.getenv("ASKED")) do
  local target, tag = line:match("(%S+) (.+)")
  targets[#targets + 1], tags[#tags + 1] = target, tag
end
local name, value = os.getenv("HEADER"):match("([^:]+): (.+)")
request = function()
  at = at % #targets + 1
  local headers = { ["X-API-Key"] = os.getenv("KEY") }
  if name == "If-None-Match" then headers[name] = tags[at] elseif name then headers[name] = value end
  return wrk.format("GET", targets[at], headers)
end
"""
SESSION = "8c6a3b1e-4f0e-4c3f-9a55-0d6a3e0e7f11"
WAYS = {
    "plain": "",
    "another header": f"x-sessiom-id: {SESSION}",
    "a session, no tag": f"x-session-id: {SESSION}",
    "identity": "Accept-Encoding: identity",
    "gzip": "Accept-Encoding: gzip",
    "br": "Accept-Encoding: br",
    "304": "If-None-Match: tag",
}
PAGES = 5


def ask(port: int, key: str, target: str, headers: dict[str, str]) -> tuple[bytes, str]:
    """The body of an answer and its tag."""
    asked = urllib.request.Request(f"http://127.0.0.1:{port}{target}", headers={"X-API-Key": key, **headers})
    with urllib.request.urlopen(asked) as answer:
        return answer.read(), answer.headers.get("ETag", "-")


def targets(port: int, key: str) -> dict[str, list[str]]:
    pages = [json.loads(ask(port, key, f"/nonprofits/search?size=100&page={at + 1}", {})[0]) for at in range(PAGES)]
    eins = [row["ein"] for page in pages for row in page["items"]]
    random.Random(1).shuffle(eins)
    begun = [word[:end] for word in WORDS for end in range(2, len(word) + 1)]
    return {
        "details": [f"/nonprofits/details/{ein}" for ein in eins],
        "typeahead": [f"/typeahead/nonprofits?q={typed}" for typed in begun],
    }


def ticks(pid: int) -> int:
    user, system = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    return int(user) + int(system)


def turn(args: argparse.Namespace, server: subprocess.Popen[str], port: int, environment: dict[str, str]) -> tuple[float, float]:
    """Requests per second, and microseconds of the server's processors for each."""
    before = ticks(server.pid)
    command = ["wrk", "-t1", "-c8", f"-d{args.seconds}", "-s", environment["SCRIPT"], f"http://127.0.0.1:{port}"]
    said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    spent = (ticks(server.pid) - before) / os.sysconf("SC_CLK_TCK")
    if "Non-2xx" in said:
        raise SystemExit(said)
    words = said.split()
    return float(words[words.index("Requests/sec:") + 1]), 1e6 * spent / int(words[words.index("requests") - 1])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=3)
    args = parser.parse_args()
    create = [args.almoner, "keys", "create", "--data-dir", args.data_dir, "--name", "small answers"]
    key = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
    command = [args.almoner, "serve", "--data-dir", args.data_dir, "--listen", "127.0.0.1:0", "--log-level", "warn"]
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            port = listening_port(server)
            script = Path(folder, "ask.lua")
            script.write_text(SCRIPT)
            for kind, asked in targets(port, key).items():
                answers = {way: [ask(port, key, one, header_of(way)) for one in asked] for way in ("plain", "gzip", "br")}
                file = Path(folder, kind)
                file.write_text("".join(f"{one} {tag}\n" for one, (_, tag) in zip(asked, answers["plain"])))
                shared = dict(os.environ, KEY=key, ASKED=str(file), SCRIPT=str(script))
                found: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
                for _ in range(args.rounds):
                    for way, header in WAYS.items():
                        found[way].append(turn(args, server, port, dict(shared, HEADER=header)))
                for way, turns in found.items():
                    rate, spent = (statistics.median(one) for one in zip(*turns))
                    sizes = [len(body) for body, _ in answers.get(way, [])]
                    size = f", {statistics.mean(sizes):.0f} B" if sizes else ""
                    print(f"{kind}, {way}: {rate:,.0f}/s, {spent:.1f} µs{size}", flush=True)
        finally:
            server.terminate()
            server.wait()
    return 0


def header_of(way: str) -> dict[str, str]:
    name, _, value = WAYS[way].partition(": ")
    return {name: value} if name else {}


if __name__ == "__main__":
    sys.exit(main())
