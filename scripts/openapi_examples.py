#!/usr/bin/env python3
"""Makes the examples of the OpenAPI document: of each operation a request and the answer of a server to it.

    openapi_examples.py --almoner target/debug/almoner

Generates fictional data, builds and serves it, asks what TARGETS and BODIES have, cuts the lists of the answers to their
first row and long texts to their beginning, and writes data/openapi_examples.json. Run it after a change of an answer;
`cargo test --lib schema` holds the examples against the schemas. Standard library only.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from urllib.parse import quote

EXAMPLES = Path(__file__).parent.parent / "data" / "openapi_examples.json"
ORGANIZATIONS, SEED = 2_000, 7
TEXT_CHARACTERS_MAX = 240

# Operation and request; what stands in braces is found among the data.
TARGETS = [
    ("/nonprofits/details/{ein}", "/nonprofits/details/{filer}"),
    ("/nonprofits/details/{ein}/financials", "/nonprofits/details/{filer}/financials"),
    ("/nonprofits/details/{ein}/related", "/nonprofits/details/{filer}/related"),
    ("/nonprofits/search", "/nonprofits/search?state={state}&min_revenue=10000&size=1"),
    ("/articles/search", "/articles/search?q=food&size=1"),
    ("/nonprofits/standing/{ein}", "/nonprofits/standing/{filer}"),
    ("/nonprofits/provenance/{ein}", "/nonprofits/provenance/{filer}"),
    ("/nonprofits/reliance/{ein}", "/nonprofits/reliance/{filer}"),
    ("/nonprofits/filings/{ein}", "/nonprofits/filings/{filer}?size=1"),
    ("/nonprofits/grants/{ein}", "/nonprofits/grants/{funder}?direction=made&size=1"),
    ("/grants/search", "/grants/search?min_amount=1000&size=1"),
    ("/funders/search", "/funders/search?min_amount=1000&size=1"),
    ("/nonprofits/aggregate", "/nonprofits/aggregate?group_by=ntee&size=1"),
    ("/nonprofits/people/{ein}", "/nonprofits/people/{filer}?size=1"),
    ("/people/search", "/people/search?q={person}&size=1"),
    ("/nonprofits/family/{ein}", "/nonprofits/family/{funder}"),
    ("/nonprofits/peers/{ein}", "/nonprofits/peers/{filer}"),
    ("/coverage", "/coverage"),
    ("/changes", "/changes?state={state}&kind=renamed"),
    ("/typeahead/nonprofits", "/typeahead/nonprofits?q={start}&limit=1"),
    ("/impact/stories/{ein}", "/impact/stories/{teller}?size=1"),
    ("/impact/metrics/{ein}", "/impact/metrics/{measured}?size=1"),
    ("/impact/stories", "/impact/stories?min_power_score=5&size=1"),
    ("/impact/metrics", "/impact/metrics?size=1"),
    ("/beta/nonprofits/search", "/beta/nonprofits/search?q=food+banks&state={state}&size=1"),
    ("/feed/posts", "/feed/posts?size=1"),
    ("/chat/search", "/chat/search?q=food+banks&state={state}"),
    ("/chat", "/chat?q=food+banks&state={state}"),
    ("/reconcile/suggest/entity", "/reconcile/suggest/entity?prefix={start}"),
    ("/reconcile/suggest/property", "/reconcile/suggest/property?prefix=st"),
    ("/reconcile/suggest/type", "/reconcile/suggest/type?prefix=non"),
    ("/reconcile/extend/properties", "/reconcile/extend/properties?type=nonprofit&limit=1"),
]

# Operation and body.
BODIES = [
    ("/match", {"queries": [{"id": "1", "name": "{name}", "state": "{state}"}], "limit": 1}),
    ("/nonprofits/batch", {"eins": ["{filer}"], "fields": ["ein", "name", "state"]}),
    ("/reconcile/match", {"queries": [{"type": "nonprofit", "limit": 1, "conditions": [
        {"matchType": "name", "propertyValue": "{name}"}]}]}),
]


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


def examples(origin):
    names = found(origin)
    quoted = {name: quote(one) for name, one in names.items()}
    for operation, pattern in TARGETS:
        target = pattern.format(**quoted)
        yield operation, {"target": target, "answer": cut(ask(origin, target))}
    for operation, pattern in BODIES:
        body = filled(pattern, names)
        yield operation, {"body": body, "answer": cut(ask(origin, operation, body))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True, type=Path)
    almoner = parser.parse_args().almoner.resolve()
    with tempfile.TemporaryDirectory() as folder:
        inputs, data = Path(folder, "inputs"), Path(folder, "data")
        size = ["--organizations", ORGANIZATIONS, "--seed", SEED, "--returns", 400]
        run(almoner, "generate", inputs, *size)
        run(almoner, "build", "--no-semantic", "--data-dir", data, inputs)
        serve = [almoner, "serve", "--open", "--listen", "127.0.0.1:0", "--data-dir", data]
        server = subprocess.Popen([str(part) for part in serve], stderr=subprocess.PIPE, text=True)
        try:
            place = next(line for line in server.stderr if "listening on http://" in line)
            made = dict(examples("http://" + place.split("http://", 1)[1].strip()))
        finally:
            server.terminate()
            server.communicate()
    EXAMPLES.write_text(json.dumps(made, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{len(made)} examples, {EXAMPLES.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
