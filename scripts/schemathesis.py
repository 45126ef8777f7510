#!/usr/bin/env python3
"""Test a server against its own OpenAPI document, with requests that Schemathesis makes up.

    schemathesis.py --base-url http://127.0.0.1:8080 --api-key KEY [--examples 1000] [--seed 1]
    schemathesis.py --almoner target/release/almoner [--data-dir D] [--organizations 3000] [--no-key]

With --almoner it starts a server of its own, over --data-dir or over fictional data that it
generates. Runs every check of Schemathesis over every endpoint: the examples, the bounds of every
parameter, then --examples requests an endpoint, valid and invalid; with --no-key without the key,
when nothing that needs one may be answered. Exits with Schemathesis' status. Besides its hooks this file is the configuration: what a schema cannot say is `RULES`.
Needs Schemathesis, in a virtual environment whose Python runs this; all else is standard library.
"""

import argparse
import collections
import contextlib
import importlib.metadata
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

VERSION = "4.32.5"
INSTALL = (
    f"python3 -m venv .venv && .venv/bin/pip install schemathesis=={VERSION},"
    " then run this with .venv/bin/python"
)
# Beginnings whose suggestions give EINs that the server knows, so that not every answer is empty.
BEGINNINGS = ["th", "fo", "ch", "so", "co"]
# How often a made-up EIN is one of these instead.
KNOWN_SHARE = 0.5
# How long requests may take, in seconds: the server's own deadline, with room.
REQUEST_SECONDS = 15
START_SECONDS = 30
# The longest path and query that the server reads. A schema can bound each value, not their sum: a
# longer one is told 414, which Schemathesis takes for neither accepted nor refused.
TARGET_BYTES_MAX = 8 * 1024

FIGURES = [
    "revenue", "expenses", "assets", "employees", "score", "rating", "ruling_year", "total_revenue",
]
# Schemas of bodies that are sent.
SENT = ["BatchRequest", "MatchRequest", "MatchQuery"]
# Members of them that are often what the server knows, so that not every answer is empty.
KNOWN = {("BatchRequest", "eins"): "ein", ("MatchQuery", "name"): "name"}


def number(sent, name):
    """What is asked of a number; of one given twice the last counts."""
    try:
        return float(sent[name][-1])
    except (KeyError, ValueError):
        return None


def inverted(name):
    """The rule that a maximum is not below its minimum; the refusal names the maximum."""
    def broken(sent):
        low, high = number(sent, f"min_{name}"), number(sent, f"max_{name}")
        return low is not None and high is not None and high < low
    return broken


def alone(one, other):
    return lambda sent: one not in sent and other in sent


def after_unknown_snapshot(sent):
    return "T" in sent.get("since", [""])[-1]


def by_distance_from_nowhere(sent):
    keys = [key for value in sent.get("sort", []) for key in value.split(",")]
    return bool({"distance", "-distance"} & set(keys)) and not {"latitude", "longitude"} & set(sent)


# Rules between parameters, which OpenAPI has no words for: the parameter and the kind of error that
# a refusal names, and whether the query that was sent breaks the rule. A refusal of a request that
# fits the schema is right only when every error in it is such a rule, broken; and no request that
# breaks one is ever answered.
RULES = {
    ("latitude", "missing"): alone("latitude", "longitude"),
    ("longitude", "missing"): alone("longitude", "latitude"),
    ("sort", "value_error"): by_distance_from_nowhere,
    ("since", "value_error"): after_unknown_snapshot,
    **{(f"max_{name}", "value_error"): inverted(name) for name in FIGURES},
}

# Texts that must be JSON, and one of which a form must have: of what is within a schema of a parameter says nothing.
HOLDING_JSON = {"queries", "extend"}


def is_explained(query, body):
    """Whether every error of a 422 is a rule of `RULES` that the query breaks."""
    sent = parse_qs(query, keep_blank_values=True)
    def explained(error):
        rule = RULES.get((error["loc"][-1], error["type"]))
        return error["loc"][1] in HOLDING_JSON or rule is not None and rule(sent)
    return bool(body["detail"]) and all(map(explained, body["detail"]))


def register():
    """Registers the hooks; Schemathesis runs this when it loads the file."""
    import schemathesis
    from schemathesis.core.failures import AcceptedNegativeData, Failure
    from schemathesis.openapi.checks import RejectedPositiveData

    tally = collections.Counter()

    @schemathesis.hook
    def before_load_schema(_context, document):
        # Answers may grow fields in later versions, so the document leaves its schemas open. This
        # server's answers must have no field that its own document does not name.
        # Those of bodies that are sent stay open: members that it does not know are ignored.
        for name, schema in document["components"]["schemas"].items():
            if "properties" in schema and name not in SENT:
                schema["additionalProperties"] = False
        known = json.loads(os.environ["KNOWN"])
        for (name, member), what in KNOWN.items():
            schema = document["components"]["schemas"][name]["properties"][member]
            part = schema["items"] if schema["type"] == "array" else schema
            other = dict(part)
            part.clear()
            part["anyOf"] = [{"enum": [row[what] for row in known]}, other]
        # The server drops empty items of lists. The document names only what is of use there; here
        # an empty item counts as valid, so that one is sent now and then and must be accepted.
        for parameter in parameters(document):
            items = parameter["schema"].get("items", {})
            if "enum" in items:
                items["enum"].append("")
            elif "pattern" in items:
                items["pattern"] = f"^$|{items['pattern']}"
                items.pop("minLength", None)

    @schemathesis.hook
    def filter_failure(_context, failure, _case, response):
        judged = isinstance(failure, (RejectedPositiveData, AcceptedNegativeData))
        target = response.request.path_url
        if judged and response.status_code == 414:
            return len(target) <= TARGET_BYTES_MAX
        if isinstance(failure, RejectedPositiveData) and response.status_code == 422:
            return not is_explained(urlsplit(target).query, response.json())
        return True

    @schemathesis.check
    def rules_between_parameters(_context, response, case):
        declared = {parameter.name for parameter in case.operation.query}
        if response.request.method != "GET" or response.status_code != 200:
            return
        sent = parse_qs(urlsplit(response.request.url).query, keep_blank_values=True)
        sent = {name: values for name, values in sent.items() if name in declared}
        broken = [name for (name, _), rule in RULES.items() if rule(sent)]
        if broken:
            raise Failure(
                operation=case.operation.label,
                title="Answered though a rule between parameters is broken",
                message=f"Expected 422 that names {', '.join(broken)}",
            )

    @schemathesis.check
    def nothing_without_a_key(_context, response, case):
        # Of the reconciliation service the manifest is open, but nothing that it is asked.
        asked = HOLDING_JSON & parse_qs(urlsplit(response.request.url).query).keys()
        is_open = {} in case.operation.definition.raw.get("security", []) and not asked
        is_open |= case.operation.definition.raw.get("security") == []
        if "NO_KEY" in os.environ and response.status_code == 200 and not is_open:
            raise Failure(
                operation=case.operation.label,
                title="Answered without a key",
                message="Expected 401",
            )

    @schemathesis.hook
    def after_call(_context, case, response):
        tally[case.operation.label, response.status_code] += 1
        Path(os.environ["TALLY"]).write_text(json.dumps([[*key, n] for key, n in tally.items()]))


def parameters(document):
    """Every parameter of every operation of a document."""
    for path in document["paths"].values():
        for operation in path.values():
            yield from operation.get("parameters", [])


def known(base_url, key):
    """Nonprofits, and the EINs of owners of stories, metrics and posts."""
    def ask(path):
        request = urllib.request.Request(base_url + path, headers={"X-API-Key": key})
        with urllib.request.urlopen(request, timeout=REQUEST_SECONDS) as answer:
            return json.load(answer)

    suggested = [ask(f"/typeahead/nonprofits?q={start}&limit=5") for start in BEGINNINGS]
    rows = [row for answer in suggested for row in answer["results"]]
    eins = [row["ein"] for row in rows]
    for kind in ("stories", "metrics"):
        eins += [row["ein"] for row in ask(f"/impact/{kind}?size=10")["items"]]
    eins += [row["organization_ein"] for row in ask("/feed/posts?size=10")["items"]]
    return rows, list(dict.fromkeys(eins))


def configuration(eins):
    """The configuration file: a list as JSON is a list as TOML."""
    return f"""
hooks = {json.dumps(str(Path(__file__).resolve()))}
request-timeout = {REQUEST_SECONDS}
[dictionaries.eins]
values = {json.dumps(eins)}
[parameters]
"path.ein" = {{ dictionary = "eins", probability = {KNOWN_SHARE} }}
[checks.response_schema_conformance]
validate-formats = true
[phases.examples]
fill-missing = true
[phases.coverage]
generate-duplicate-query-parameters = true
[warnings]
enabled = false
"""


def run(args, base_url, key, folder):
    """Runs Schemathesis; its status."""
    config, tally = folder / "schemathesis.toml", folder / "tally.json"
    rows, eins = known(base_url, key)
    config.write_text(configuration(eins))
    document = args.document or f"{base_url}/openapi.json"
    command = [
        str(Path(sys.executable).with_name("st")), "--config-file", str(config), "run", document,
        "--url", base_url, "--checks", "all", *([] if args.no_key else ["--header", f"X-API-Key: {key}"]),
        "--phases", "examples,coverage,fuzzing", "--max-examples", str(args.examples),
        "--seed", str(args.seed), "--generation-database", "none", "--continue-on-failure",
        "--no-color",
    ]
    environment = dict(os.environ, TALLY=str(tally), KNOWN=json.dumps(rows), PYTHONWARNINGS="ignore")
    if args.no_key:
        environment["NO_KEY"] = "yes"
    process = subprocess.Popen(command, env=environment)
    try:
        status = process.wait(timeout=args.seconds)
    except subprocess.TimeoutExpired:
        print(f"not done after {args.seconds} s", file=sys.stderr)
        status = 1
    finally:
        process.kill()
        process.wait()
    if tally.exists():
        rows = collections.defaultdict(dict)
        for label, code, count in json.loads(tally.read_text()):
            rows[label][code] = count
        for label, codes in sorted(rows.items()):
            told = ", ".join(f"{count:,} of {code}" for code, count in sorted(codes.items()))
            print(f"{label}: {sum(codes.values()):,} answers, {told}")
    return status


@contextlib.contextmanager
def server(args, folder):
    """A server of this script's own; its address and a key."""
    almoner, data = args.almoner, args.data_dir
    if data is None:
        data, files = str(folder / "data"), str(folder / "files")
        size = ["--organizations", str(args.organizations), "--seed", str(args.seed)]
        subprocess.run([almoner, "generate", *size, files], check=True, stdout=subprocess.DEVNULL)
        build = [almoner, "build", "--no-semantic", "--data-dir", data, files]
        subprocess.run(build, check=True, capture_output=True)
    create = [almoner, "keys", "create", "--data-dir", data, "--name", "schemathesis"]
    key = subprocess.run(create, check=True, capture_output=True, text=True).stdout.strip()
    log = folder / "log"
    serve = [almoner, "serve", "--data-dir", data, "--listen", "127.0.0.1:0", "--log-level", "warn"]
    with open(log, "w") as sink:
        process = subprocess.Popen(serve, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not (found := re.search(r"listening on (http://127\.0\.0\.1:\d+)", log.read_text())):
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the server does not listen: {log.read_text()}")
            time.sleep(0.05)
        yield found[1], key
        if process.poll() is not None:
            sys.exit(f"the server ended: {log.read_text()[-2000:]}")
    finally:
        process.terminate()
        process.wait()


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--base-url", help="a server that runs")
    parser.add_argument("--api-key", help="a key of that server")
    parser.add_argument("--almoner", help="the program, to start a server instead")
    parser.add_argument("--data-dir", help="what that server serves; without it, fictional data")
    parser.add_argument("--organizations", type=int, default=3000, help="size of the fictional data")
    parser.add_argument("--document", help="a file to test against, instead of the server's own document")
    parser.add_argument("--examples", type=int, default=1000, help="requests an endpoint, at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-key", action="store_true", help="send no key")
    parser.add_argument("--seconds", type=int, default=1800, help="stop, and fail, after so long")
    args = parser.parse_args()
    own = args.almoner is not None
    if own == (args.base_url is not None) or own == (args.api_key is not None):
        parser.error("give --base-url and --api-key, or --almoner")
    try:
        found = importlib.metadata.version("schemathesis")
    except importlib.metadata.PackageNotFoundError:
        sys.exit(f"Schemathesis is not installed: {INSTALL}")
    if found != VERSION:
        print(f"Schemathesis {found} is installed, {VERSION} was tried", file=sys.stderr)
    # Told to end, it ends what it started: as an exception this runs what is in `finally`.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        folder = Path(folder)
        if own:
            base_url, key = stack.enter_context(server(args, folder))
        else:
            base_url, key = args.base_url.rstrip("/"), args.api_key
        return run(args, base_url, key, folder)


if __name__ == "__main__":
    sys.exit(main())
else:
    register()
