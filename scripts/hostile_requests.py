#!/usr/bin/env python3
"""Sends a running server what no friendly client would, and checks that it stays itself.

Starts `almoner serve` over --data-dir with --key, on loopback, and then, in turn:

  targets    --requests paths and queries, mutated from valid ones, percent-encoded and raw
  heads      requests that are not HTTP, or are broken: each must be answered or closed
  slow       clients that send a byte a second, nothing at all, or never read: all are cut off
  crowd      more silent connections than are served: /health answers all the same
  overload   200 clients at once that ask for costly searches: only 200 and 503, /health answers

Fails when the server dies or panics, answers 5xx other than 503, answers for another EIN,
leaves a connection hanging, or holds more than --growth MB more anonymous memory at the end than
after warming up. Prints figures; seeded; no phase is longer than --seconds.
"""

import argparse
import collections
import json
import os
import random
import re
import resource
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

EXPECTED = {200, 400, 401, 404, 405, 413, 414, 422, 431, 503}
# Longer than the server waits for a head (15 s) or for a reader (30 s), with room.
HEAD_CUT_SECONDS, READ_CUT_SECONDS = 25, 55
PIPELINED = 16

WORDS = ["red cro", "foundation", "a", "St. Mary's", "ymca", "église", "友", "\u202e", "%", "\0", "x" * 300]
# Pieces of messages of a conversation, with what no grammar expects between them.
SAID = """food banks|in Ohio|only|what about|the second one|its revenue|tell me more about|articles about
hunger|funds for|that|thanks|start over|others like|the 999th one|show me article 1002|what is an EIN|more
never mind the|state|any size|SDG|no, I meant|over $1M|vetted|\u00bfqu\u00e9|?|!|,|(((|#|#3|the|\u0301|\u202e""".replace("\n", "|").split("|")
# Sessions: a few that are shared, none, and what is no UUID.
SESSION_IDS = [f"6f1f1b52-92ab-4b8b-9a5a-0b2c3d4e5f{n:02x}" for n in range(20)] + ["", "x", "0" * 36, "\xe9", "{" * 300]
NUMBERS = ["0", "-1", "1", "1e308", "NaN", "inf", "-0", "9" * 40, "1.5", "", " 7 ", "٣", "0x10"]
STATES = ["VT", "ny", "ZZ", "", "California", "ß"]
SEARCH = "/beta/nonprofits/search"
HEAVY = [
    f"{SEARCH}?sort=name&page=1&size=100",
    f"{SEARCH}?latitude=40.7&longitude=-74&location_range=5000&sort=distance,name&size=100",
    f"{SEARCH}?min_revenue=1&sort=-assets,name&page=50&size=100",
    f"{SEARCH}?latitude=39&longitude=-98&location_range=3000&min_assets=0&sort=-distance&page=900",
]


class Server:
    def __init__(self, almoner, data, key):
        self.key, self.log = key, tempfile.NamedTemporaryFile("w+", suffix=".log")
        self.process = subprocess.Popen(
            [almoner, "serve", "--data-dir", data, "--listen", "127.0.0.1:0", "--log-level", "warn"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.log,
        )
        for _ in range(200):
            found = re.search(r"listening on http://127.0.0.1:(\d+)", self.text())
            if found:
                self.address = ("127.0.0.1", int(found[1]))
                return
            time.sleep(0.05)
        sys.exit(f"the server does not listen: {self.text()}")

    def text(self):
        with open(self.log.name) as log:
            return log.read()

    def connect(self, timeout=15):
        stream = socket.create_connection(self.address, timeout=timeout)
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return stream

    def head(self, target, method=b"GET", session=None):
        if isinstance(target, str):
            target = target.encode()
        key = f"X-API-Key: {self.key}".encode()
        named = b"" if session is None else b"\r\nx-session-id: " + session.encode("latin-1")
        return method + b" " + target + b" HTTP/1.1\r\nHost: x\r\n" + key + named + b"\r\n\r\n"

    def ask(self, target, timeout=15):
        """Status, body and seconds of one request on a connection of its own."""
        began = time.monotonic()
        with self.connect(timeout) as stream:
            stream.sendall(self.head(target))
            status, body, _ = read_answer(stream, bytearray())
        return status, body, time.monotonic() - began

    def anonymous_mb(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1]) / 1024


def read_answer(stream, buffer):
    """Status, body, and whether the server closes; a status of 0 where it closed without one."""
    while b"\r\n\r\n" not in buffer:
        more = stream.recv(65536)
        if not more:
            return 0, b"", True
        buffer += more
    head, _, _ = bytes(buffer).partition(b"\r\n\r\n")
    status, lower = int(head[9:12]), head.lower()
    length = re.search(rb"\r\ncontent-length: (\d+)", lower)
    end = len(head) + 4 + (int(length[1]) if length else 0)
    while len(buffer) < end:
        more = stream.recv(65536)
        if not more:
            return status, bytes(buffer[len(head) + 4 :]), True
        buffer += more
    body = bytes(buffer[len(head) + 4 : end])
    del buffer[:end]
    return status, body, b"\r\nconnection: close" in lower


def quoted(chance, text):
    """Percent-encoded as a careful, a careless or a hostile client would."""
    out = []
    for byte in text.encode("utf-8", "surrogatepass"):
        plain = chr(byte).isascii() and chr(byte).isalnum() or chr(byte) in "-._~"
        roll = chance.random()
        if plain and roll > 0.05:
            out.append(chr(byte))
        elif roll > 0.02:
            out.append(f"%{byte:02X}" if roll > 0.5 else f"%{byte:02x}")
        else:
            out.append(chance.choice(["%", "%zz", "%FF", "%00", "+", "%C3%28", "%ED%A0%80"]))
    return "".join(out)


def valid_target(chance, eins):
    ein = chance.choice(eins)
    text, number = lambda: quoted(chance, chance.choice(WORDS)), lambda: quoted(chance, chance.choice(NUMBERS))
    state = lambda: quoted(chance, chance.choice(STATES))
    shapes = [
        lambda: f"/nonprofits/details/{ein}",
        lambda: f"/typeahead/nonprofits?q={text()}&limit={number()}&state={state()}",
        lambda: f"/typeahead/nonprofits?q={quoted(chance, ein[: chance.randrange(2, 10)])}",
        lambda: f"/impact/stories/{ein}?min_power_score={number()}&page={number()}&size={number()}",
        lambda: f"/impact/metrics/{ein}?page={number()}",
        lambda: f"/impact/stories?q={text()}&eins={ein},{number()}&eins={ein}",
        lambda: f"/impact/metrics?eins={ein}&metric_ids={text()}&metric_type={text()}",
        lambda: f"/feed/posts?classification={text()}&view=following&eins={ein}&zip_code={number()}",
        lambda: f"/chat?q={text()}&state={state()}&sdg={number()}&gc_vetted={text()}",
        lambda: f"/chat/search?q={text()}&city={text()}&min_total_revenue={number()}",
        lambda: f"/chat?q={quoted(chance, ' '.join(chance.choices(SAID, k=chance.randrange(1, 6))))}",
        lambda: f"/chat?q={quoted(chance, ' '.join(chance.choices(SAID, k=chance.randrange(1, 6))))}",
        lambda: f"{SEARCH}?city={text()}&county={text()}&state={state()}&page={number()}",
        lambda: f"{SEARCH}?zip_code={number()}&ntee_codes=B,{text()}&sdgs={number()}&sort=name,-{text()}",
        lambda: f"{SEARCH}?latitude={number()}&longitude={number()}&location_range={number()}&sort=distance",
        lambda: f"{SEARCH}?min_revenue={number()}&max_revenue={number()}&foundation={text()}&state=VT",
        lambda: chance.choice(["/health", "/ready", "/version", "/metrics", "/openapi.json", "/docs", "/"]),
    ]
    return chance.choice(shapes)()


def mutated(chance, target):
    for _ in range(chance.choice([0, 0, 1, 1, 2, 5])):
        at, end = chance.randrange(len(target) + 1), chance.randrange(len(target) + 1)
        piece = chance.choice(["&", "=", "?", "/", "//", "..", "%2F", "%00", "#", ";", "&&", "%", ",,", "-", "0"])
        target = chance.choice(
            [
                target[:at] + piece + target[at:],
                target[:at] + target[at + 1 :],
                target[: min(at, end)] + target[max(at, end) :],
                target + "&" + target.rpartition("?")[2],
                target[:at] + target[at : at + 8] * chance.randrange(2, 40) + target[at:],
            ]
        )
    return "/" + target.lstrip("/") if chance.random() < 0.98 else target


class Run:
    def __init__(self, server, arguments, eins):
        self.server, self.arguments, self.eins = server, arguments, eins
        self.chance, self.failures = random.Random(arguments.seed), []
        self.lock = threading.Lock()

    def fail(self, text):
        with self.lock:
            self.failures.append(text)

    def judge(self, target, status, body):
        if status not in EXPECTED:
            self.fail(f"{status} for {target!r}: {body[:200]!r}")
        path = target if isinstance(target, str) else target.decode("latin-1")
        asked = re.fullmatch(r"/nonprofits/details/(\d{9})(?:[?#].*)?", path, re.ASCII)
        if status == 200 and asked and json.loads(body)["ein"] != asked[1]:
            self.fail(f"another EIN for {target!r}: {body[:200]!r}")

    def targets(self, count):
        """Sends that many targets over keep-alive connections, most of them pipelined."""
        statuses, chance, began = collections.Counter(), self.chance, time.monotonic()
        stream, buffer, sent = self.server.connect(), bytearray(), 0
        while sent < count and time.monotonic() - began < self.arguments.seconds:
            batch = [mutated(chance, valid_target(chance, self.eins)) for _ in range(PIPELINED)]
            # What hyper may refuse to parse ends a connection: it goes alone.
            batch = [target for target in batch if re.fullmatch(r"/[!-~]*", target) and len(target) < 8000]
            odd = valid_target(chance, self.eins).encode()
            at = chance.randrange(len(odd))
            odd = odd[:at] + bytes(chance.choices([9, 11, 127, 128, 195, 255, 34, 60, 92, 94, 123], k=3)) + odd[at:]
            for group in (batch, [odd] if chance.random() < 0.3 else []):
                try:
                    sessions = chance.choices([None, *SESSION_IDS], k=len(group))
                    heads = (self.server.head(t, session=s) for t, s in zip(group, sessions))
                    stream.sendall(b"".join(heads))
                    for place, target in enumerate(group):
                        status, body, closes = read_answer(stream, buffer)
                        statuses[status] += 1
                        sent += 1
                        if status:
                            self.judge(target, status, body)
                        elif place == 0:
                            self.fail(f"closed without an answer to {target!r}")
                        if closes:
                            stream.close()
                            stream, buffer = self.server.connect(), bytearray()
                            break
                except TimeoutError:
                    self.fail(f"no answer to one of {group!r}"[:2000])
                    return
                except OSError as error:
                    self.fail(f"{error} at {group!r}"[:500])
                    stream.close()
                    stream, buffer = self.server.connect(), bytearray()
        stream.close()
        took = time.monotonic() - began
        told = ", ".join(f"{status}: {seen}" for status, seen in sorted(statuses.items()))
        print(f"targets: {sent} in {took:.0f} s; {told}", flush=True)

    def heads(self, count):
        """Requests that are broken, each on a connection that is then closed for writing."""
        chance, statuses, began = self.chance, collections.Counter(), time.monotonic()
        key = f"X-API-Key: {self.server.key}\r\n".encode()
        search = f"GET {SEARCH} HTTP/1.1\r\nHost: x\r\n".encode() + key
        chunked = b"GET /health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
        cases = [
            b"", b"\r\n", b"\r\n" * 500, b"\0" * 100, bytes(range(256)), b"GET", b"GET \r\n\r\n",
            b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.0\r\n\r\n", b"GET http://[::1 HTTP/1.1\r\n\r\n",
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" + b"a" * 400,
            b"OPTIONS * HTTP/1.1\r\n\r\n", b"CONNECT a:1 HTTP/1.1\r\n\r\n", b"TRACE / HTTP/1.1\r\n\r\n",
            b"GET http://evil.example/health HTTP/1.1\r\nHost: y\r\n\r\n",
            b"GET /health HTTP/1.1\r\n" + b"A: b\r\n" * 5000 + b"\r\n",
            b"GET /health HTTP/1.1\r\nA: " + b"x" * 200_000 + b"\r\n\r\n",
            b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\n\r\n",
            b"X" * 200_000, b"GET /health HTTP/1.1\r\nHost : x\r\n folded\r\n\r\n",
            b"GET /health HTTP/1.1\nHost: x\n\n",
            b"GET /health HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            b"GET /health HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
            b"GET /health HTTP/1.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
            b"GET /health HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            b"GET /health HTTP/1.1\r\nContent-Length: 10\r\n\r\nabc",
            chunked + b"\r\nzz\r\n\r\n", chunked + b"\r\nffffffffffffffff1\r\n", chunked + b"\r\n-1\r\n",
            chunked + b"\r\n5\r\nab", chunked + b"\r\n" + b"1\r\na\r\n" * 10_000 + b"0\r\n\r\n",
            chunked + b"\r\n0\r\n" + b"T: x\r\n" * 5000 + b"\r\n", chunked + b"\r\n1;" + b"e" * 100_000 + b"\r\n",
            b"GET /health HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
            b"GET /health HTTP/1.1\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
            b"GET /health HTTP/1.1\r\nX-Request-Id: \xff\xfe\r\n\r\n",
            search + b"x-session-id: \xc3\x28\r\n\r\n", search + key + b"\r\n", search[:-2] + b"\0\r\n\r\n",
            b"HEAD /openapi.json HTTP/1.1\r\n\r\n" * 200, search + b"\r\n" + search,
        ]
        while len(cases) < count:
            case = bytearray(chance.choice(cases[2:46]))
            for _ in range(chance.randrange(1, 6)):
                if case:
                    case[chance.randrange(min(len(case), 2000))] = chance.randrange(256)
            cases.append(bytes(case))
        done = 0
        for case in cases:
            if time.monotonic() - began > self.arguments.seconds:
                break
            done += 1
            with self.server.connect(HEAD_CUT_SECONDS) as stream:
                buffer = bytearray()
                try:
                    stream.sendall(case)
                    stream.shutdown(socket.SHUT_WR)
                    while True:
                        more = stream.recv(65536)
                        if not more:
                            break
                        buffer += more
                except TimeoutError:
                    self.fail(f"hangs after {case[:200]!r}")
                except OSError:
                    statuses["reset"] += 1
            for status in re.findall(rb"(?:^|\n|\})HTTP/1\.[01] (\d{3})", bytes(buffer)) or [b"none"]:
                statuses[status.decode()] += 1
                if status.isdigit() and int(status) not in EXPECTED | {100, 204}:
                    self.fail(f"{status} for {case[:200]!r}")
        told = ", ".join(f"{status}: {seen}" for status, seen in sorted(statuses.items()))
        print(f"heads: {done} in {time.monotonic() - began:.0f} s; {told}", flush=True)

    def slow(self, clients):
        """Clients that dawdle; each must be cut off in its time."""
        began, ends = time.monotonic(), collections.defaultdict(list)
        ask = self.server.head("/openapi.json")

        def dribble(stream):
            for byte in b"GET /health HTTP/1.1\r\nA: " + b"x" * 1000:
                stream.sendall(bytes([byte]))
                time.sleep(1)

        def body(stream):
            stream.sendall(b"GET /health HTTP/1.1\r\nContent-Length: 1000\r\n\r\n")
            for _ in range(1000):
                stream.sendall(b"x")
                time.sleep(1)

        def silent(stream):
            stream.recv(1)
            raise ConnectionResetError

        def half_open(stream):
            stream.sendall(b"GET /he")
            silent(stream)

        def deaf(stream):
            # Asks for ever and never reads, with a small window.
            while True:
                stream.sendall(ask)

        def run(what, limit):
            started = time.monotonic()
            stream = socket.socket()
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stream.settimeout(limit)
            stream.connect(self.server.address)
            try:
                what(stream)
                self.fail(f"{what.__name__}: not cut off")
            except TimeoutError:
                self.fail(f"{what.__name__}: still open after {limit} s")
            except OSError:
                ends[what.__name__].append(time.monotonic() - started)
            stream.close()

        kinds = [(dribble, 25), (body, 25), (silent, 25), (half_open, 25), (deaf, READ_CUT_SECONDS)]
        threads = [
            threading.Thread(target=run, args=kind, daemon=True) for kind in kinds for _ in range(clients)
        ]
        for thread in threads:
            thread.start()
        health = 0.0
        while any(thread.is_alive() for thread in threads):
            status, _, took = self.server.ask("/health")
            health = max(health, took)
            if status != 200:
                self.fail(f"/health answers {status} beside slow clients")
            if time.monotonic() - began > max(self.arguments.seconds, READ_CUT_SECONDS + 5):
                self.fail(f"{sum(thread.is_alive() for thread in threads)} slow clients are not cut off")
                break
            time.sleep(0.5)
        told = ", ".join(f"{kind} after {max(times):.1f} s" for kind, times in sorted(ends.items()))
        print(f"slow: {clients} of each kind; the last cut off: {told}; /health within {health * 1e3:.0f} ms", flush=True)

    def crowd(self, connections):
        """More connections than are served."""
        held, refused = [], 0
        for _ in range(connections):
            try:
                held.append(self.server.connect(5))
            except OSError:
                refused += 1
        # Beyond the connections that are served, a silent one has a second.
        time.sleep(2)
        answered = closed = 0
        for _ in range(20):
            try:
                status, _, _ = self.server.ask("/health", 5)
                answered += status == 200
                closed += status == 0
                if status not in (0, 200):
                    self.fail(f"/health answers {status} in a crowd")
            except TimeoutError:
                self.fail("/health hangs in a crowd")
            except OSError:
                closed += 1
        if answered < 20:
            self.fail(f"/health answers {answered} times of 20 in a crowd")
        memory = self.server.anonymous_mb()
        for stream in held:
            stream.close()
        recovered = self.recovers("/ready")
        print(
            f"crowd: {connections} connections, {refused} refused; /health answered {answered}, closed {closed} "
            f"of 20; {memory:.0f} MB anonymous meanwhile; served again after {recovered:.2f} s",
            flush=True,
        )

    def recovers(self, target):
        began = time.monotonic()
        while time.monotonic() - began < 10:
            try:
                if self.server.ask(target)[0] == 200:
                    return time.monotonic() - began
            except OSError:
                pass
            time.sleep(0.02)
        self.fail(f"{target} is not answered 10 s after the load ended")
        return float("inf")

    def overload(self, connections, seconds):
        """Costly searches, each client sending the next when it is answered."""
        chooser, took = selectors.DefaultSelector(), collections.defaultdict(list)
        for _ in range(connections):
            stream = self.server.connect()
            stream.sendall(self.server.head(self.chance.choice(HEAVY)))
            chooser.register(stream, selectors.EVENT_READ, {"buffer": bytearray(), "since": time.monotonic()})
        health, stopping = [], threading.Event()

        def watch():
            while not stopping.is_set():
                status, _, seconds = self.server.ask("/health")
                health.append(seconds)
                if status != 200:
                    self.fail(f"/health answers {status} under load")
                time.sleep(0.05)

        watcher = threading.Thread(target=watch)
        watcher.start()
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            for event, _ in chooser.select(1):
                stream, state = event.fileobj, event.data
                status, body, closes = read_answer(stream, state["buffer"])
                took[status].append(time.monotonic() - state["since"])
                if status not in (200, 503):
                    self.fail(f"{status} under load: {body[:200]!r}")
                state["since"] = time.monotonic()
                if closes:
                    chooser.unregister(stream)
                    stream.close()
                    stream = self.server.connect()
                    chooser.register(stream, selectors.EVENT_READ, state)
                stream.sendall(self.server.head(self.chance.choice(HEAVY)))
        stopping.set()
        watcher.join()
        if took[503] and median(took[503]) > 1:
            self.fail(f"503 takes {median(took[503]):.1f} s: clients wait to be turned away")
        for event in list(chooser.get_map().values()):
            event.fileobj.close()
        recovered = self.recovers(f"{SEARCH}?state=VT&size=1")
        told = "; ".join(
            f"{status}: {len(times)}, median {median(times):.2f} s, worst {max(times):.2f} s"
            for status, times in sorted(took.items())
            if times
        )
        print(
            f"overload: {connections} connections for {seconds} s; {told}; /health asked {len(health)} times, "
            f"median {median(health) * 1e3:.0f} ms, worst {max(health) * 1e3:.0f} ms; "
            f"searches again after {recovered:.2f} s",
            flush=True,
        )


def median(values):
    return sorted(values)[len(values) // 2]


def some_eins(server):
    eins = []
    for query in ("fo", "ch", "as", "fr", "st", "ne", "ha", "be"):
        status, body, _ = server.ask(f"/typeahead/nonprofits?q={query}&limit=25")
        if status != 200:
            sys.exit(f"typeahead answers {status}: {body!r}")
        eins += re.findall(r'"ein":"(\d{9})"', body.decode())
    if not eins:
        sys.exit("typeahead gave no EIN")
    return eins


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--key", required=True, help="a key of that data directory")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--heads", type=int, default=2_000)
    parser.add_argument("--slow", type=int, default=20, help="clients of each kind")
    parser.add_argument("--crowd", type=int, default=1_200, help="connections")
    parser.add_argument("--overload", type=int, default=200, help="connections")
    parser.add_argument("--overload-seconds", type=int, default=15)
    parser.add_argument("--seconds", type=int, default=300, help="most of one phase")
    parser.add_argument("--growth", type=float, default=64, help="MB")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    server = Server(arguments.almoner, arguments.data_dir, arguments.key)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    run = Run(server, arguments, some_eins(server))
    # Allocators, pools and caches reach their size before memory is compared.
    run.targets(min(arguments.requests, 5_000))
    if arguments.overload:
        run.overload(arguments.overload, 3)
    before = server.anonymous_mb()
    run.targets(arguments.requests)
    run.heads(arguments.heads)
    if arguments.slow:
        run.slow(arguments.slow)
    if arguments.crowd:
        run.crowd(arguments.crowd)
    if arguments.overload:
        run.overload(arguments.overload, arguments.overload_seconds)
    after = server.anonymous_mb()
    print(f"anonymous memory: {before:.1f} MB after warming up, {after:.1f} MB at the end")
    if after - before > arguments.growth:
        run.fail(f"anonymous memory grew by {after - before:.1f} MB")
    alive = server.process.poll() is None
    server.process.send_signal(signal.SIGTERM)
    ended = server.process.wait(timeout=30)
    if not alive or ended != 0:
        run.fail(f"the server exited {ended}")
    log = server.text()
    for word in ("panic", "request failed"):
        if word in log:
            run.fail(f"the log says {word!r}: {log[-2000:]}")
    print(f"failures: {len(run.failures)}")
    for failure in run.failures[:50]:
        print(failure, file=sys.stderr)
    sys.exit(1 if run.failures else 0)


if __name__ == "__main__":
    main()
