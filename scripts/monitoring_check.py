#!/usr/bin/env python3
"""Checks packaging/monitoring against a server: what alerts and the dashboard name is what /metrics has.

    monitoring_check.py --almoner target/debug/almoner

Serves fictional data, asks some requests, and reads /metrics. Every metric that an alert of alerts.yaml or a panel of
grafana.json names must be there, with every label that it is chosen by, and where a label has a list of values
(`cause`, `plan`) with those. Rules are also given to `promtool check rules` where it is installed, else that is said
to be skipped. Needs PyYAML. Exits 1 at the first fault.
"""

import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "packaging" / "monitoring"
# What Prometheus itself adds.
OWN_NAMES = {"up"}
OWN_LABELS = {"job", "instance"}
# Labels whose values are all there from the start.
LISTED = {"cause", "plan"}
NAME = re.compile(r"\b(?:almoner|process)_\w+|\bup\b")
CHOSEN = re.compile(r"\b((?:almoner|process)_\w+|up)\{([^}]*)\}")
LABEL = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? \S+$")
ASKED = ["/health", "/nonprofits/details/000000000", "/beta/nonprofits/search?q=food", "/chat?q=food"]
START_SECONDS_MAX = 60


def demand(holds, text):
    if not holds:
        raise SystemExit(f"FAILED: {text}")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def ask(url, key):
    request = urllib.request.Request(url, headers={"X-API-Key": key})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.read().decode()


def metrics(almoner):
    """What a server that was asked something tells of itself."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        data = str(folder / "data")
        run(almoner, "generate", "--organizations", "200", "--seed", "1", str(folder / "files"))
        run(almoner, "build", "--no-semantic", "--data-dir", data, str(folder / "files"))
        key = run(almoner, "keys", "create", "--data-dir", data, "--name", "monitoring").strip()
        log = folder / "log"
        serve = [almoner, "serve", "--data-dir", data, "--listen", "127.0.0.1:0", "--log-level", "warn"]
        with log.open("w") as written, subprocess.Popen(serve, stderr=written) as server:
            try:
                found, until = None, time.monotonic() + START_SECONDS_MAX
                while not found and server.poll() is None and time.monotonic() < until:
                    time.sleep(0.05)
                    found = re.search(r"listening on (\S+)", log.read_text())
                demand(found, f"the server does not start: {log.read_text()}")
                for path in ASKED:
                    ask(found[1] + path, key)
                return ask(found[1] + "/metrics", key)
            finally:
                server.terminate()


def labels_of(text):
    """By metric and label the values that it has."""
    found = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in text.splitlines():
        sample = SAMPLE.match(line)
        if sample:
            of_name = found[sample[1]]
            for label, _, value in LABEL.findall(sample[2] or ""):
                of_name[label].add(value)
    return found


def expressions():
    """What is asked of Prometheus, and where."""
    import yaml

    rules = yaml.safe_load((FOLDER / "alerts.yaml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            demand(rule["labels"]["severity"] and rule["annotations"]["summary"], f"{rule['alert']} says too little")
            yield rule["alert"], rule["expr"]
    dashboard = json.loads((FOLDER / "grafana.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            yield panel["title"], target["expr"]
    for variable in dashboard["templating"]["list"]:
        yield f"${variable['name']}", variable["query"]


def check(where, expression, found):
    """How many metrics an expression names, all of which are there."""
    names = set(NAME.findall(expression)) - OWN_NAMES
    for name in names:
        demand(name in found, f"{where} asks for {name}, which /metrics does not have")
    for name, chosen in CHOSEN.findall(expression):
        for label, _, value in LABEL.findall(chosen):
            known = found[name].get(label)
            demand(label in OWN_LABELS or known, f"{where} chooses {name} by {label}, which it does not have")
            for one in value.split("|") if label in LISTED else []:
                demand(one in known, f"{where} chooses {name} by {label}={one}, which is none of {sorted(known)}")
    return len(names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True)
    arguments = parser.parse_args()
    try:
        import yaml  # noqa: F401
    except ImportError:
        print("skipped: needs PyYAML")
        return
    found = labels_of(metrics(str(pathlib.Path(arguments.almoner).resolve())))
    asked = list(expressions())
    named = sum(check(where, expression, found) for where, expression in asked)
    demand(named, "nothing is asked for")
    print(f"{len(asked)} expressions name {named} metrics, all of which /metrics has")
    if promtool := shutil.which("promtool"):
        print(run(promtool, "check", "rules", str(FOLDER / "alerts.yaml")).strip())
    else:
        print("skipped: promtool is not installed")


if __name__ == "__main__":
    sys.exit(main())
