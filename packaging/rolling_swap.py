#!/usr/bin/env python3
"""Swaps a snapshot and restarts two replicas in turn under load, and counts what failed.

    rolling_swap.py --almoner target/release/almoner [--seconds 30] [--rate 300] [--clients 24]
        [--organizations 5000] [--semantic] [--no-socket] [--nginx nginx] [--config nginx.conf]

Builds fictional data in a folder of its own, starts two replicas over it and nginx with --config
before them, other addresses put in place, and asks every endpoint through nginx: --clients
connections, --rate requests a second together. Meanwhile it publishes a second snapshot, then stops
(SIGTERM), awaits and starts each replica, twice. A failure is any other status than the one
expected, a body that is not whole or not what was asked for, or a connection that breaks. Prints
requests, failures, latencies, the snapshots that answered, and memory; exits 1 on any failure.

The second replica listens on a Unix socket where the program can, unless --no-socket is given.
Standard library only. Ends what it started, by process, whatever happens.
"""

import argparse
import collections
import contextlib
import gzip
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from urllib.parse import quote

# Longer than Almoner drains (15 s) before it cuts off what is left.
STOP_SECONDS = 20
# For everything besides the load itself: building twice, starting, stopping.
SPARE_SECONDS = 180
# How long a replica stays away, so that more than the moment of its end is tried.
AWAY_SECONDS = 1
# Between a replica's return and the other's end, so that what waits at the one is answered.
SETTLE_SECONDS = 3
SESSIONS = 50
SHOWN = 10
ADDRESSES = {"listen": "listen 80;", "first": "127.0.0.1:8081", "second": "unix:/run/almoner/second.sock"}
ACCESS_LOG = "/var/log/nginx/almoner.log"
SUMMARY = "Told by the second snapshot."
MESSAGES = ["food banks in Ohio", "only ones over $1M", "what about Texas instead", "tell me more about the second one",
            "who runs it?", "others like it", "what does net assets mean?", "articles about hunger", "start over"]
QUERIES = ["food banks in Ohio", "animal rescue in California over $100k", "veterans", "youth sports not schools",
           "largest arts nonprofits in New York", "within 25 miles of Denver"]


def run(*command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SPARE_SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"{' '.join(map(str, command))}: not within {SPARE_SECONDS} s")
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} exited {done.returncode}: {done.stderr.strip()[-800:]}")
    return done.stdout.strip()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


def connect(address, timeout=20):
    if address.startswith("unix:"):
        return UnixConnection(address.removeprefix("unix:"), timeout)
    return http.client.HTTPConnection(address, timeout=timeout)


def ask(address, path, headers=None):
    """Status and body, on a connection of its own."""
    with contextlib.closing(connect(address)) as link:
        link.request("GET", path, headers=headers or {})
        answer = link.getresponse()
        return answer.status, answer.read()


def until(what, seconds, true):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            if true():
                return
        time.sleep(0.05)
    sys.exit(f"{what}: not within {seconds} s")


class Process:
    """A process that is ended when the `with` block ends."""

    def __init__(self, name, command, log):
        self.name, self.command, self.log, self.child = name, command, log, None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        with open(self.log, "a") as log:
            self.child = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self):
        """Seconds until it ended."""
        began = time.monotonic()
        if self.child.poll() is None:
            self.child.send_signal(signal.SIGTERM)
            try:
                self.child.wait(timeout=STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
                print(f"{self.name} did not end within {STOP_SECONDS} s")
        return time.monotonic() - began

    def memory_mb(self):
        """Anonymous memory, and the file pages that it has mapped, in MB."""
        status = pathlib.Path(f"/proc/{self.child.pid}/status").read_text()
        found = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
        return [int(found[name].split()[0]) / 1024 for name in ("RssAnon", "RssFile")]


class Load:
    """Clients that ask through nginx until told to end."""

    def __init__(self, address, key, eins, rate, clients):
        self.address, self.key, self.eins = address, key, eins
        self.pause, self.ending, self.lock = clients / rate, threading.Event(), threading.Lock()
        self.began = time.monotonic()
        self.times, self.failures = collections.defaultdict(list), []
        self.snapshots, self.marks, self.compressed = collections.Counter(), collections.Counter(), 0
        self.threads = [threading.Thread(target=self.client, args=(n,), daemon=True) for n in range(clients)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def end(self):
        self.ending.set()
        for thread in self.threads:
            thread.join(timeout=30)

    def client(self, number):
        chance = random.Random(number)
        session = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        link, due = connect(self.address), time.monotonic() + chance.random() * self.pause
        while not self.ending.is_set():
            time.sleep(max(0.0, due - time.monotonic()))
            due = max(due + self.pause, time.monotonic() - 1)
            kind, path, status, right, is_keyed, headers = self.choose(chance, session)
            if is_keyed:
                headers["X-API-Key"] = self.key
            identifier = headers["X-Request-ID"] = f"{number}-{time.monotonic_ns()}"
            began = time.monotonic()
            try:
                link.request("GET", path, headers=headers)
                answer = link.getresponse()
                body = answer.read()
                wrong = self.wrong(answer, body, status, right, identifier)
            except (OSError, http.client.HTTPException) as error:
                wrong = repr(error)
                link.close()
                link = connect(self.address)
            took = time.monotonic() - began
            with self.lock:
                self.times[kind].append(took)
                if wrong:
                    self.failures.append(f"at {began - self.began:.2f} s, {path} ({identifier}): {wrong}")
        link.close()

    def wrong(self, answer, body, status, right, identifier):
        """What is wrong with an answer; `None` if nothing is."""
        if answer.status != status:
            return f"{answer.status}, expected {status}: {body[:200]!r}"
        if answer.getheader("X-Request-ID") != identifier:
            return f"identifier {answer.getheader('X-Request-ID')!r}"
        if answer.getheader("Content-Encoding") == "gzip":
            with self.lock:
                self.compressed += 1
            body = gzip.decompress(body)
        try:
            is_right = right(body)
        except (ValueError, KeyError, TypeError) as error:
            return f"{error!r} in {body[:200]!r}"
        return None if is_right else f"not what was asked for: {body[:200]!r}"

    def choose(self, chance, session):
        """Kind, path, status, what the body must be, whether with a key, headers."""
        ein = chance.choice(self.eins)
        query, message = quote(chance.choice(QUERIES)), quote(chance.choice(MESSAGES))
        has = lambda *members: lambda body: all(member in json.loads(body) for member in members)  # noqa: E731
        items = has("items", "total", "page", "size")
        encoded = {"Accept-Encoding": "gzip"} if chance.random() < 0.5 else {}
        talking = encoded | {"x-session-id": session}
        choices = [
            ("details", f"/nonprofits/details/{ein}", 200, lambda body: json.loads(body)["ein"] == ein, True, encoded),
            ("details", f"/nonprofits/details/{self.eins[0]}", 200, self.marked, True, encoded),
            ("details, 404", "/nonprofits/details/000000001", 404, has("detail"), True, encoded),
            ("typeahead", f"/typeahead/nonprofits?q={chance.choice(['fo', 'chil', 'st', 'hosp'])}", 200,
             has("query", "count", "results"), True, encoded),
            ("typeahead, 422", "/typeahead/nonprofits?limit=0", 422, has("detail"), True, encoded),
            ("stories of", f"/impact/stories/{ein}", 200, items, True, encoded),
            ("metrics of", f"/impact/metrics/{ein}", 200, items, True, encoded),
            ("stories", "/impact/stories?q=a+family+finds+a+home&size=50", 200, items, True, encoded),
            ("metrics", "/impact/metrics?metric_type=meals&size=50", 200, items, True, encoded),
            ("beta search", f"/beta/nonprofits/search?q={query}", 200, has("intentDetails"), True, encoded),
            ("beta search", "/beta/nonprofits/search?sort=-revenue&size=100", 200, has("intentDetails"), True, encoded),
            ("beta session", f"/beta/nonprofits/search?q={query}", 200, has("intentDetails"), True, talking),
            ("feed", "/feed/posts?search=garden&size=50", 200, items, True, encoded),
            ("chat", f"/chat?q={message}", 200, has("messageId", "message", "intent"), True, talking),
            ("chat search", f"/chat/search?q={message}", 200, has("messageId", "message", "intent"), True, encoded),
            ("no key", f"/nonprofits/details/{ein}", 401, has("detail"), False, encoded),
            ("health", "/health", 200, has("status"), False, encoded),
            ("ready", "/ready", 200, self.is_ready, False, encoded),
            ("version", "/version", 200, has("snapshot"), False, encoded),
            ("openapi", "/openapi.json", 200, has("paths"), False, encoded),
            ("pages", chance.choice(["/", "/docs"]), 200, lambda body: b"</html>" in body, False, encoded),
        ]
        kind, path, status, right, is_keyed, headers = chance.choice(choices)
        return kind, path, status, right, is_keyed, dict(headers)

    def is_ready(self, body):
        answer = json.loads(body)
        with self.lock:
            self.snapshots[answer["snapshot"]] += 1
        return answer["status"] == "ready"

    def marked(self, body):
        summary = json.loads(body)["summary"]
        with self.lock:
            self.marks["second" if summary == SUMMARY else "first"] += 1
        return True


def lasting_sessions(address, key):
    """How many of SESSIONS sessions, each question on a connection of its own, went on."""
    lasted = 0
    for _ in range(SESSIONS):
        headers = {"X-API-Key": key, "x-session-id": str(uuid.uuid4())}
        ask(address, "/beta/nonprofits/search?q=food+banks+in+Ohio", headers)
        _, body = ask(address, "/beta/nonprofits/search?q=only+ones+over+%241000", headers)
        lasted += json.loads(body)["intentDetails"].get("state") == "OH"
    return lasted


def write_config(args, folder, listen, first, second):
    text = pathlib.Path(args.config).read_text()
    for old, new in [(ADDRESSES["listen"], f"listen {listen};"), (ADDRESSES["first"], first),
                     (ADDRESSES["second"], second), (ACCESS_LOG, f"{folder}/access.log")]:
        if old not in text:
            sys.exit(f"{args.config} does not have {old!r}")
        text = text.replace(old, new)
    (folder / "almoner.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "".join(f"    {kind}_temp_path {folder}/nginx-{kind};\n" for kind in kinds)
    # Workers of the user that this runs as: nobody else may enter the folder.
    user = "user root;\n" if os.geteuid() == 0 else ""
    main = folder / "main.conf"
    main.write_text(f"{user}daemon off;\nworker_processes 2;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log notice;\n"
                    f"events {{ worker_connections 1024; }}\nhttp {{\n{paths}    include {folder}/almoner.conf;\n}}\n")
    run(args.nginx, "-t", "-q", "-p", folder, "-c", main, "-e", f"{folder}/error.log")
    return [args.nginx, "-p", str(folder), "-c", str(main), "-e", f"{folder}/error.log"]


def rehearse(args, folder):
    data, files = folder / "data", folder / "files"
    build = [args.almoner, "build", "--data-dir", data, *([] if args.semantic else ["--no-semantic"])]
    run(args.almoner, "generate", files, "--organizations", str(args.organizations))
    run(*build, files)
    key = run(args.almoner, "keys", "create", "--data-dir", data, "--name", "load")
    eins = [line.split(",", 1)[0] for line in (files / "eo1.csv").read_text().splitlines()[1:]]
    overlay = {"kind": "overlay", "ein": eins[0], "summary": SUMMARY}
    (folder / "overlay.ndjson").write_text(json.dumps(overlay) + "\n")

    has_sockets = "unix:" in run(args.almoner, "serve", "--help") and not args.no_socket
    first = f"127.0.0.1:{free_port()}"
    second = f"unix:{folder}/second.sock" if has_sockets else f"127.0.0.1:{free_port()}"
    listen = f"127.0.0.1:{free_port()}"
    print(f"replicas at {first} and {second.replace(str(folder), '…')}, nginx at {listen}")
    serve = [args.almoner, "serve", "--data-dir", str(data), "--log-level", "warn", "--warm", "--listen"]
    is_ready = lambda address: ask(address, "/ready")[0] == 200  # noqa: E731
    snapshot = lambda address: json.loads(ask(address, "/ready")[1])["snapshot"]  # noqa: E731
    config = write_config(args, folder, listen, first, second)
    with (Process("first", [*serve, first], folder / "first.log") as one,
          Process("second", [*serve, second], folder / "second.log") as two,
          Process("nginx", config, folder / "nginx.log")):
        replicas = [(one, first), (two, second)]
        for replica, address in replicas:
            until(f"{replica.name} answers", 60, lambda address=address: is_ready(address))
        until("nginx answers", 10, lambda: is_ready(listen))
        print(f"sessions that went on: {lasting_sessions(listen, key)} of {SESSIONS}")
        print(f"/metrics through nginx: {ask(listen, '/metrics')[0]}")
        old = snapshot(first)
        load = Load(listen, key, eins, args.rate, args.clients)
        load.start()
        told = lambda text: print(f"{time.monotonic() - load.began:5.1f} s  {text}")  # noqa: E731
        time.sleep(args.seconds * 0.15)
        run(*build, files, folder / "overlay.ndjson")
        told("a second snapshot is published")
        for replica, address in replicas:
            until(f"{replica.name} swaps", 10, lambda address=address: snapshot(address) != old)
        told("both replicas serve it")
        new = snapshot(first)
        # The snapshot that was replaced is removed 10 s later.
        for turn in range(4):
            wait_until = load.began + args.seconds * (0.35 + 0.15 * turn)
            time.sleep(max(0.0, wait_until - time.monotonic()))
            replica, address = replicas[turn % 2]
            took = replica.stop()
            code = replica.child.returncode
            time.sleep(AWAY_SECONDS)
            replica.start()
            until(f"{replica.name} answers again", 60, lambda address=address: is_ready(address))
            told(f"{replica.name} ended with {code} in {took:.2f} s, was away for {AWAY_SECONDS} s and answers again")
            time.sleep(SETTLE_SECONDS)
        time.sleep(max(0.0, load.began + args.seconds - time.monotonic()))
        load.end()
        seconds = time.monotonic() - load.began
        for replica, _ in replicas:
            anonymous, file = replica.memory_mb()
            print(f"memory of {replica.name}: {anonymous:.0f} MB anonymous, {file:.0f} MB of files mapped")
        errors = (folder / "error.log").read_text().splitlines()
    return report(load, seconds, {old: "first", new: "second"}, errors)


def report(load, seconds, names, errors):
    times = sorted(took for kind in load.times.values() for took in kind)
    print(f"requests: {len(times)} in {seconds:.1f} s, {len(times) / seconds:.0f} a second; failed: {len(load.failures)}")
    print(f"latency: p50 {1e3 * statistics.median(times):.1f} ms, "
          f"p99 {1e3 * times[int(len(times) * 0.99)]:.1f} ms, worst {1e3 * times[-1]:.1f} ms")
    print(f"compressed answers: {load.compressed}")
    print("snapshots that answered /ready:", {names.get(one, one): n for one, n in load.snapshots.items()})
    print("details told by snapshots:", dict(load.marks))
    retried = sum("upstream" in line and "[error]" in line for line in errors)
    print(f"attempts that nginx made again or gave up: {retried}")
    whys = collections.Counter(line.split(" while ")[0].split(" client:")[0].split("* ")[-1].split(" ", 5)[-1]
                               for line in errors if "[error]" in line)
    for why, count in whys.most_common(SHOWN):
        print(f"  {count:5} {why}")
    for failure in load.failures[:SHOWN]:
        print("FAILED", failure)
    return 1 if load.failures else 0


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--nginx", default=shutil.which("nginx") or "/usr/sbin/nginx")
    parser.add_argument("--config", default=pathlib.Path(__file__).with_name("nginx.conf"))
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rate", type=float, default=300)
    parser.add_argument("--clients", type=int, default=24)
    parser.add_argument("--organizations", type=int, default=5000)
    parser.add_argument("--semantic", action="store_true", help="with vectors, so that the model is loaded")
    parser.add_argument("--no-socket", action="store_true", help="both replicas listen on ports")
    args = parser.parse_args()

    def late(*_):
        raise SystemExit("took too long")

    signal.signal(signal.SIGALRM, late)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.alarm(int(args.seconds) + 2 * SPARE_SECONDS)
    with tempfile.TemporaryDirectory(prefix="almoner-rolling-") as folder:
        return rehearse(args, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
