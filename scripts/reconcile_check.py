#!/usr/bin/env python3
"""Hold the reconciliation service against the schemas of its specification, and use it with a real client.

    reconcile_check.py --almoner target/release/almoner --schemas specs/0.2/schemas [--data-dir D]

SCHEMAS is the folder `0.2/schemas` of https://github.com/reconciliation-api/specs. Every kind of answer is
validated: the manifest, results of GET and POST, suggestions, proposed properties, extensions; organizations
must be found by their name and place, one by one (`query`), as a script (`callback`) and by a multipart form as in
a batch, and the log must not hold the key that stands in the address. Where the draft of version 1.0 lies beside
SCHEMAS (`1.0-draft/schemas`), what its match service takes and answers is validated, too. Where the client `reconciler` is installed, it matches a table against the same server. Works on fictional data unless
--data-dir is given. Exits 0 if everything is as it should be. Needs `jsonschema`, in a virtual environment whose
Python runs this.
"""

import argparse
import importlib.util
import json
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

INSTALL = (
    "python3 -m venv .venv && .venv/bin/pip install jsonschema==4.26.0 reconciler==0.2.2 'numpy<2',"
    " then run this with .venv/bin/python"
)
# Organizations that are looked for, of those that suggestions for these beginnings name.
BEGINNINGS = ["th", "fo", "ch", "so", "co", "ri", "ma"]
ORGANIZATIONS_MAX = 50
# Share of them that the best candidate must be: fictional data has namesakes in one town.
FOUND_MIN = 0.9


class Schemas:
    """The schemas of a folder, by the name of their file."""

    def __init__(self, folder):
        from referencing import Registry
        from referencing.jsonschema import DRAFT7

        self.by_name = {path.stem: json.loads(path.read_text()) for path in folder.glob("*.json")}
        resources = [(schema["$id"], DRAFT7.create_resource(schema)) for schema in self.by_name.values()]
        self.registry = Registry().with_resources(resources)
        self.checked = 0

    def check(self, name, value):
        from jsonschema import Draft7Validator

        errors = list(Draft7Validator(self.by_name[name], registry=self.registry).iter_errors(value))
        assert not errors, f"{name}: {[error.message for error in errors[:3]]} in {str(value)[:400]}"
        self.checked += 1
        return value


def ask(address, query=None, form=None):
    """What an address answers, as JSON."""
    target = address + ("?" + urllib.parse.urlencode(query) if query else "")
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(target, data, {"Origin": "https://refine.example"})
    with urllib.request.urlopen(request, timeout=30) as reply:
        assert reply.headers["Access-Control-Allow-Origin"] == "*", dict(reply.headers)
        body = reply.read()
        return json.loads(body) if reply.headers["Content-Type"] == "application/json" else body


def other_ways(endpoint, query, draft):
    """What older clients ask in other ways must be answered as a batch of it is."""
    asked = json.dumps({"a": query})
    expected = ask(endpoint, form={"queries": asked})
    assert ask(endpoint, {"query": json.dumps(query)}) == expected["a"], "one query is answered otherwise"
    script = ask(endpoint, {"queries": asked, "callback": "page.f"}).decode()
    assert script.startswith("/**/page.f(") and script.endswith(");"), script
    assert json.loads(script[len("/**/page.f(") : -len(");")]) == expected, "a script says something else"
    part = f'--b\r\nContent-Disposition: form-data; name="queries"\r\n\r\n{asked}\r\n--b--\r\n'
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    assert post(endpoint, part, kind) == expected, "a multipart form is answered otherwise"
    if draft is None:
        print("skipped: no schemas of 1.0-draft beside those given")
        return
    conditions = [{"matchType": "name", "propertyValue": query["query"]}]
    conditions += [
        {"matchType": "property", "propertyId": one["pid"], "propertyValue": one["v"], "matchQuantifier": "any"}
        for one in query["properties"]
    ]
    asked = {"queries": [{"type": query["type"], "limit": 5, "conditions": conditions}] * 2}
    draft.check("reconciliation-query-batch", asked)
    found = post(f"{endpoint}/match", json.dumps(asked), {"Content-Type": "application/json"})
    draft.check("reconciliation-result-batch", found)
    candidates = [one["candidates"] for one in found["results"]]
    assert candidates == [expected["a"]["result"]] * 2, "conditions are answered otherwise"


def post(address, body, headers):
    """What an address answers to a body, as JSON."""
    with urllib.request.urlopen(urllib.request.Request(address, body.encode(), headers), timeout=30) as reply:
        return json.loads(reply.read())


def suggestions(schemas, manifest):
    """Identifiers of entities, by what the manifest says suggests them."""
    ids = []
    for kind, plural in [("property", "properties"), ("type", "types"), ("entity", "entities")]:
        place = manifest["suggest"][kind]
        for prefix in BEGINNINGS:
            for cursor in [0, 10]:
                query = {"prefix": prefix, "cursor": cursor}
                found = ask(place["service_url"] + place["service_path"], query)
                schemas.check(f"suggest-{plural}-response", found)
                if kind == "entity":
                    ids += [one["id"] for one in found["result"]]
    return list(dict.fromkeys(ids))[:ORGANIZATIONS_MAX]


def session(schemas, draft, endpoint):
    """Everything that the manifest offers; names and places of organizations by EIN."""
    manifest = schemas.check("manifest", ask(endpoint))
    ids = suggestions(schemas, manifest)
    assert ids, "nothing is suggested"
    place = manifest["extend"]["propose_properties"]
    proposed = ask(place["service_url"] + place["service_path"], {"type": "nonprofit"})
    schemas.check("data-extension-property-proposal", proposed)
    asked = {"ids": ids, "properties": [{"id": one["id"]} for one in proposed["properties"]]}
    schemas.check("data-extension-query", asked)
    extended = ask(endpoint, form={"extend": json.dumps(asked)})
    rows = schemas.check("data-extension-response", extended)["rows"]
    assert set(rows) == set(ids), "not every identifier has a row"
    text = lambda row, name: next((one["str"] for one in row[name]), "")  # noqa: E731
    queries = {}
    for ein, row in rows.items():
        places = {"street": "streetAddress", "city": "city", "state": "state", "zip": "zipCode5"}
        properties = [{"pid": pid, "v": text(row, name)} for pid, name in places.items()]
        queries[ein] = {"query": text(row, "name"), "type": "nonprofit", "properties": properties}
    schemas.check("reconciliation-query-batch", queries)
    results = ask(endpoint, form={"queries": json.dumps(queries)})
    schemas.check("reconciliation-result-batch", results)
    found = sum(one["result"][:1] != [] and one["result"][0]["id"] == ein for ein, one in results.items())
    print(f"{found} of {len(queries)} found by name and place")
    assert found >= FOUND_MIN * len(queries), results
    few = dict(list(queries.items())[:2])
    by_get = ask(endpoint, {"queries": json.dumps(few)})
    assert by_get == {ein: results[ein] for ein in few}, "a GET answers otherwise than a POST"
    broken = {"good": queries[ids[0]], "bad": {"query": "x", "limit": -1}}
    mixed = schemas.check("reconciliation-result-batch", ask(endpoint, form={"queries": json.dumps(broken)}))
    assert mixed["good"]["result"] and "limit" in mixed["bad"]["error"], mixed
    other_ways(endpoint, queries[ids[0]], draft)
    card = ask(manifest["preview"]["url"].replace("{{id}}", ids[0])).decode()
    assert ids[0] in card and "<script" not in card, card
    many = {str(at): {"query": "x"} for at in range(manifest["batchSize"] + 1)}
    try:
        ask(endpoint, form={"queries": json.dumps(many)})
        raise AssertionError("a batch beyond batchSize is answered")
    except urllib.error.HTTPError as error:
        assert error.code == 413 and str(manifest["batchSize"]) in error.read().decode()
    return {ein: (query["query"], {one["pid"]: one["v"] for one in query["properties"]}) for ein, query in queries.items()}


def client(endpoint, known):
    """A table matched by the client `reconciler`."""
    import pandas
    from reconciler import reconcile

    names = {}
    for ein, (name, places) in known.items():
        names.setdefault(name, (ein, places))
    table = pandas.DataFrame([{"ein": ein, "name": name, **places} for name, (ein, places) in names.items()])
    properties = {"city": table["city"], "state": table["state"], "zip": table["zip"]}
    answered = reconcile(table["name"], "nonprofit", 1, properties, endpoint)
    right = (answered["id"].to_numpy() == table["ein"].to_numpy()).sum()
    print(f"reconciler: {right} of {len(table)} rows")
    assert right >= FOUND_MIN * len(table), answered


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--almoner", required=True, type=Path)
    parser.add_argument("--schemas", required=True, type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--organizations", type=int, default=300)
    options = parser.parse_args()
    if not importlib.util.find_spec("jsonschema"):
        sys.exit(f"jsonschema is missing: {INSTALL}")
    almoner = str(options.almoner.resolve())
    schemas = Schemas(options.schemas)
    drafted = options.schemas.resolve().parent.parent / "1.0-draft" / "schemas"
    draft = Schemas(drafted) if drafted.is_dir() else None
    with tempfile.TemporaryDirectory() as folder:
        def run(*arguments):
            done = subprocess.run([almoner, *arguments], check=True, capture_output=True, text=True)
            return done.stdout

        data_dir = str(options.data_dir.resolve() if options.data_dir else Path(folder, "data"))
        if not options.data_dir:
            inputs = str(Path(folder, "inputs"))
            run("generate", "--organizations", str(options.organizations), inputs)
            run("build", "--no-semantic", "--data-dir", data_dir, inputs)
        key = run("keys", "create", "--data-dir", data_dir, "--name", "reconcile_check.py").strip()
        serve = [almoner, "serve", "--data-dir", data_dir, "--listen", "127.0.0.1:0"]
        log = Path(folder, "log")
        with log.open("w") as written, subprocess.Popen(serve, stderr=written) as server:
            try:
                found = None
                while not found and server.poll() is None:
                    time.sleep(0.05)
                    found = re.search(r"listening on (\S+)", log.read_text())
                if not found:
                    sys.exit(f"the server does not start: {log.read_text()}")
                endpoint = f"{found[1]}/reconcile/{key}"
                known = session(schemas, draft, endpoint)
                print(f"{schemas.checked} answers and queries are as their schemas say")
                if importlib.util.find_spec("reconciler"):
                    client(endpoint, known)
                else:
                    print(f"skipped: the client reconciler is missing: {INSTALL}")
            finally:
                server.terminate()
        assert "/reconcile" in log.read_text() and key not in log.read_text(), "the log holds the key"


if __name__ == "__main__":
    main()
