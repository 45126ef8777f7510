#!/usr/bin/env python3
"""Measure what a language model has to read of Almoner's tools, and exit 1 where it is more than promised.

    mcp_tokens.py --almoner target/release/almoner [--data-dir D | --url http://127.0.0.1:8080/mcp [--key K]]

Without --data-dir and --url it builds fictional data. A token is taken for four characters. Of an answer the longer of
its two parts (text, structured content) counts, since some hosts give a model the one, some the other.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

CHARACTERS_OF_A_TOKEN = 4
# What is measured, and the most tokens that it may have.
LISTED_MAX = 4_000
INSTRUCTIONS_MAX = 300
TEN_ROWS_MAX = 350
# With an amount, its period and its source in each.
TEN_ROWS_OF_MONEY_MAX = 400
COVERAGE_MAX = 256
MATCH_MAX = 25
ORGANIZATIONS = 2_000
MATCHED = 50


def tokens(text):
    return len(text) / CHARACTERS_OF_A_TOKEN


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Stdio:
    """The program with standard input and output."""

    def __init__(self, almoner, data_dir):
        command = [almoner, "mcp", "--data-dir", data_dir]
        self.program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, message):
        self.program.stdin.write(compact(message) + "\n")
        self.program.stdin.flush()
        return json.loads(self.program.stdout.readline())

    def tell(self, message):
        self.program.stdin.write(compact(message) + "\n")
        self.program.stdin.flush()

    def end(self):
        self.program.stdin.close()
        self.program.wait()


class Http:
    """A server."""

    def __init__(self, url, key):
        self.url = url
        self.headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if key:
            self.headers["X-API-Key"] = key

    def ask(self, message):
        request = urllib.request.Request(self.url, compact(message).encode(), self.headers)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def tell(self, message):
        pass

    def end(self):
        pass


class Client:
    def __init__(self, way):
        self.way = way
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "tokens", "version": "1"}}
        self.hello = self.request("initialize", hello)
        way.tell({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method, params):
        answer = self.way.ask({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        if "error" in answer:
            sys.exit(f"{method}: {answer['error']}")
        return answer["result"]

    def call(self, tool, arguments):
        """The answer as data, and the tokens of its longer part."""
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = result["content"][0]["text"]
        if result["isError"]:
            sys.exit(f"{tool} {arguments}: {text}")
        data = result["structuredContent"]
        return data, max(tokens(text), tokens(compact(data)))


def measure(client):
    """Each figure: what it is, its tokens, the most."""
    listed = client.request("tools/list", {})["tools"]
    shown = [tool["name"] + tool["description"] + compact(tool["inputSchema"]) for tool in listed]
    yield f"tools/list, {len(listed)} tools", tokens("".join(shown)), LISTED_MAX
    yield "instructions", tokens(client.hello["instructions"]), INSTRUCTIONS_MAX
    yield "coverage", client.call("coverage", {})[1], COVERAGE_MAX
    searched, cost = client.call("search_nonprofits", {"limit": 10})
    yield "ten rows by revenue", cost, TEN_ROWS_OF_MONEY_MAX
    assert len(searched["rows"]) == 10, searched
    yield "ten rows of words", client.call("search_nonprofits", {"q": "food bank", "limit": 10})[1], TEN_ROWS_MAX
    rows, cursor = [], {}
    while len(rows) < MATCHED:
        page, _ = client.call("search_nonprofits", {"limit": 50, "fields": ["name", "city", "state", "zipCode5"], **cursor})
        rows += [{**page.get("all", {}), **row} for row in page["rows"]]
        if "nextCursor" not in page:
            break
        cursor = {"cursor": page["nextCursor"]}
    queries = [
        {"name": row["name"], "city": row.get("city"), "state": row.get("state"), "zip": row.get("zipCode5")}
        for row in rows[:MATCHED]
    ]
    matched, _ = client.call("match_organizations", {"queries": queries})
    sure = [row for row in matched["rows"] if row.get("decision", "yes") != "maybe"]
    assert sure, matched
    yield f"a match, of {len(sure)} that are sure", tokens(compact(sure)) / len(sure), MATCH_MAX


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--almoner", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--url")
    parser.add_argument("--key")
    options = parser.parse_args()
    if not (options.almoner or options.url):
        sys.exit("expected --almoner or --url")
    with tempfile.TemporaryDirectory() as folder:
        if options.url:
            way = Http(options.url, options.key)
        else:
            almoner = str(options.almoner.resolve())
            data_dir = str(options.data_dir or Path(folder, "data"))
            if not options.data_dir:
                inputs = str(Path(folder, "inputs"))
                for arguments in [
                    ["generate", "--organizations", str(ORGANIZATIONS), inputs],
                    ["build", "--no-semantic", "--data-dir", data_dir, inputs],
                ]:
                    subprocess.run([almoner, *arguments], check=True, capture_output=True)
            way = Stdio(almoner, data_dir)
        client, over = Client(way), 0
        for name, cost, most in measure(client):
            over += cost > most
            print(f"{name}: {cost:.0f} tokens, at most {most}{'  TOO MANY' if cost > most else ''}")
        way.end()
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
