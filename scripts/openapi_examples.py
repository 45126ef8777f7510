#!/usr/bin/env python3
"""Makes the examples of the OpenAPI document: of each operation a request and the answer of a server to it.

    openapi_examples.py --almoner target/debug/almoner                      # requests that have no example yet
    openapi_examples.py --almoner target/debug/almoner '/changes' '/feed/posts'    # and these again
    openapi_examples.py --almoner target/debug/almoner --all

Generates fictional data, builds and serves it, asks what data/openapi_requests.tsv has, cuts the lists of the answers to
their first row and long texts to their beginning, and writes data/openapi_examples.json; other examples stay as they
are. Name the paths whose answers have changed; `cargo test --lib schema` holds the examples against the schemas. Standard
library only.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import quote

DATA = Path(__file__).parent.parent / "data"
REQUESTS, EXAMPLES = DATA / "openapi_requests.tsv", DATA / "openapi_examples.json"
ORGANIZATIONS, SEED = 2_000, 7
TEXT_CHARACTERS_MAX = 240


def requests():
    """The target or the body of each operation, by its path, as REQUESTS has them."""
    lines = REQUESTS.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if line and not line.startswith("#"))
    return {path: json.loads(request) if request.startswith("{") else request for path, request in rows}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited {done.returncode}: {done.stderr.strip()}")


def ask(origin, target, body=None):
    """The answer to a request, in JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(origin + target, data, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{target}: {error.code} {error.read().decode()}")


def found(origin):
    """What requests name, from the data served."""
    funder = ask(origin, "/funders/search?size=1")["items"][0]["ein"]
    filer = ask(origin, "/grants/search?size=1")["items"][0]["grantor_ein"]
    details = ask(origin, f"/nonprofits/details/{filer}")
    people = ask(origin, f"/nonprofits/people/{filer}?size=1")["items"]
    person = people[0]["name"] if people else "a"
    return {
        "funder": funder,
        "filer": filer,
        "name": details["name"],
        "state": details["state"],
        "start": details["name"][:6].lower().strip(),
        "person": person.split()[-1].lower(),
        "teller": ask(origin, "/impact/stories?size=1")["items"][0]["ein"],
        "measured": ask(origin, "/impact/metrics?size=1")["items"][0]["ein"],
    }


def cut(value):
    """A value with the first row of each list, and the beginning of each text."""
    if isinstance(value, dict):
        return {name: cut(member) for name, member in value.items()}
    if isinstance(value, list):
        return [cut(row) for row in value[:1]]
    if isinstance(value, str) and len(value) > TEXT_CHARACTERS_MAX:
        return value[: TEXT_CHARACTERS_MAX - 1] + "…"
    return value


def filled(value, names):
    """A body with the names that it has in braces."""
    text = json.dumps(value, ensure_ascii=False)
    for name, one in names.items():
        text = text.replace("{" + name + "}", json.dumps(one, ensure_ascii=False)[1:-1])
    return json.loads(text)


def examples(origin, wanted):
    """Path and example of each of some requests."""
    names = found(origin)
    quoted = {name: quote(one) for name, one in names.items()}
    for path, request in wanted.items():
        if isinstance(request, str):
            target = request.format(**quoted)
            yield path, {"target": target, "answer": cut(ask(origin, target))}
        else:
            body = filled(request, names)
            yield path, {"body": body, "answer": cut(ask(origin, path, body))}


def made(almoner, wanted):
    """The examples of some requests, answered by a server of fictional data."""
    with tempfile.TemporaryDirectory() as folder:
        inputs, data = Path(folder, "inputs"), Path(folder, "data")
        size = ["--organizations", ORGANIZATIONS, "--seed", SEED, "--returns", 400]
        run(almoner, "generate", inputs, *size)
        run(almoner, "build", "--no-semantic", "--data-dir", data, inputs)
        serve = [almoner, "serve", "--open", "--listen", "127.0.0.1:0", "--data-dir", data]
        server = subprocess.Popen([str(part) for part in serve], stderr=subprocess.PIPE, text=True)
        try:
            place = next(line for line in server.stderr if "listening on http://" in line)
            return dict(examples("http://" + place.split("http://", 1)[1].strip(), wanted))
        finally:
            server.terminate()
            server.communicate()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True, type=Path)
    parser.add_argument("--all", action="store_true", help="make all examples again")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a path whose example is made again")
    arguments = parser.parse_args()
    almoner, asked = arguments.almoner.resolve(), requests()
    if unknown := [path for path in arguments.paths if path not in asked]:
        sys.exit(f"{REQUESTS} has no {', '.join(unknown)}")
    known = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    kept = {path for path in known if not arguments.all and path not in arguments.paths}
    wanted = {path: request for path, request in asked.items() if path not in kept}
    if wanted:
        known.update(made(almoner, wanted))
    ordered = {path: known[path] for path in asked}
    EXAMPLES.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{len(wanted)} of {len(asked)} examples made, {EXAMPLES.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
