#!/usr/bin/env python3
"""Two replicas that take their snapshots from object storage, under load, through faults.

    replicas_check.py --almoner target/debug/almoner [--s3 s3s-fs] [--builder target/release/almoner]
        [--swaps 20] [--organizations 1000] [--clients 4]

With --s3 a real S3 server runs on loopback (`cargo install s3s-fs --features binary`; the program must be built
with --features objects); without it the store is a folder, and the partition and the wrong key are left out.
Each swap changes the revenue of the nonprofits of one state by a dollar in fictional data, builds, pushes and
waits for both replicas, while --clients clients ask them for profiles all the time. In between:

- `almoner push` is killed five times, and `almoner pull` into a folder of its own five times;
- the first replica is cut off for 5 s (a proxy that passes nothing on);
- an object of the new snapshot is changed in the store before the replicas see it;
- the store is asked with a wrong key, with a clock that is two hours late, and for a bucket that is not there;
  CURRENT is no JSON;
- a pull has no room (a small tmpfs, as root only).

Prints one line a step and the counts: requests, failed ones (no 200, broken connections), wrong answers (of
another EIN, or with a revenue that no snapshot has that was published until then), and how many bytes a push
moved. Exits 1 on any failure. Standard library only; ends what it started by process.
"""

import argparse
import collections
import contextlib
import csv
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

STATE = "OH"
KEY, SECRET = "fictional-key", "fictional-secret"
BUCKET, PREFIX = "almoner", "prod"
# For one command, one swap to arrive, and all of it.
COMMAND_SECONDS, SWAP_SECONDS, ALL_SECONDS = 120, 60, 1500
PARTITION_SECONDS = 5
KILLS = 5


LATE = """
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (clock == CLOCK_REALTIME) now->tv_sec -= 7200;
    return result;
}
"""


def fail(text):
    raise SystemExit(f"FAILED: {text}")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Proxy:
    """Passes connections on to a port; cut off, it keeps them open and passes nothing on."""

    def __init__(self, target):
        self.target, self.passes, self.bytes = target, threading.Event(), 0
        self.passes.set()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.target), timeout=10)
            except OSError:
                client.close()
                continue
            for ends in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=ends, daemon=True).start()

    def pump(self, source, sink):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self.passes.wait()
                self.bytes += len(data)
                sink.sendall(data)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Check:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder
        self.environment = {**os.environ, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET,
                            "AWS_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true"}
        self.processes, self.proxies, self.logs = [], [], []
        self.version, self.revenue = 0, {}
        self.counts, self.stops = collections.Counter(), threading.Event()
        self.moved, self.examples = [], []

    def almoner(self, *command, expect=0, port=None, program=None, **more):
        program = program or self.arguments.almoner
        environment = {**self.environment, **more}
        if port:
            environment["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
        done = subprocess.run([program, *command], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=COMMAND_SECONDS)
        if done.returncode != expect:
            fail(f"almoner {command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def start(self, command, log, **environment):
        out = open(self.folder / log, "w")
        process = subprocess.Popen(command, env={**self.environment, **environment}, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=subprocess.STDOUT)
        self.processes.append(process)
        return process

    # The store.

    def start_store(self):
        root = self.folder / "store"
        if not self.arguments.s3:
            root.mkdir()
            self.url, self.s3_port, self.objects = f"file://{root}", None, root / "objects"
            return
        (root / BUCKET).mkdir(parents=True)
        self.url, self.s3_port = f"s3://{BUCKET}/{PREFIX}", free_port()
        self.objects = root / BUCKET / PREFIX / "objects"
        self.start([self.arguments.s3, "--host", "127.0.0.1", "--port", str(self.s3_port), "--access-key", KEY,
                    "--secret-key", SECRET, str(root)], "s3.log", RUST_LOG="warn")
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.s3_port), timeout=1).close()
                return
            time.sleep(0.1)
        fail("the S3 server does not listen")

    def push(self, *more):
        return self.almoner("push", "--data-dir", str(self.folder / "data"), "--to", self.url, *more,
                            port=self.s3_port)

    # What is built.

    def change(self):
        """One dollar more for the nonprofits of one state, as a snapshot."""
        self.version += 1
        for path in sorted((self.folder / "files").glob("eo*.csv")):
            with open(path, newline="") as file:
                rows = list(csv.reader(file))
            state, revenue = rows[0].index("STATE"), rows[0].index("REVENUE_AMT")
            for row in rows[1:]:
                if row[state] == STATE and row[revenue]:
                    self.revenue.setdefault(row[0], int(row[revenue]))
                    row[revenue] = str(self.revenue[row[0]] + self.version)
            with open(path, "w", newline="") as file:
                csv.writer(file, lineterminator="\n").writerows(rows)
        self.almoner("build", str(self.folder / "files"), "--data-dir", str(self.folder / "data"), "--no-semantic",
                     "--quiet", program=self.arguments.builder)

    def manifest(self):
        name = (self.folder / "data" / "CURRENT").read_text().split()[1]
        return json.loads((self.folder / "data" / "snapshots" / name / "manifest.json").read_text())

    def published(self):
        return self.manifest()["snapshot"]

    # Who serves.

    def start_replica(self, number):
        port, proxy = free_port(), Proxy(self.s3_port) if self.s3_port else None
        self.proxies.append(proxy)
        more = {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.port}"} if proxy else {}
        self.start([self.arguments.almoner, "serve", "--data-dir", str(self.folder / f"replica{number}"), "--from",
                    self.url, "--every", "1s", "--open", "--listen", f"127.0.0.1:{port}", "--log-level", "info"],
                   f"replica{number}.log", **more)
        return port

    def ready(self, port):
        try:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
                connection.request("GET", "/ready")
                answer = connection.getresponse()
                return json.loads(answer.read()) if answer.status == 200 else {}
        except OSError:
            return {}

    def wait(self, ports, what, holds):
        began = time.monotonic()
        while not all(holds(self.ready(port)) for port in ports):
            if time.monotonic() - began > SWAP_SECONDS:
                logs = "".join((self.folder / f"replica{n}.log").read_text()[-1500:] for n in (1, 2))
                fail(f"{what}: not within {SWAP_SECONDS} s: {[self.ready(port) for port in ports]}\n{logs}")
            time.sleep(0.1)
        return time.monotonic() - began

    def client(self, ports, seed):
        chance, connections = random.Random(seed), {}
        eins = sorted(self.revenue)
        while not self.stops.is_set():
            port, ein = chance.choice(ports), chance.choice(eins)
            try:
                if port not in connections:
                    connections[port] = http.client.HTTPConnection("127.0.0.1", port, timeout=15)
                connections[port].request("GET", f"/nonprofits/details/{ein}")
                answer = connections[port].getresponse()
                body = answer.read()
                self.counts["requests"] += 1
                if answer.status != 200:
                    self.counts["failed"] += 1
                    self.examples.append(f"{answer.status} {body[:200]}")
                    continue
                found = json.loads(body)
                newer = found["revenueGrandTotal"] - self.revenue[ein]
                if found["ein"] != ein or not 0 <= newer <= self.version:
                    self.counts["wrong"] += 1
                    self.examples.append(f"{ein}: {found['ein']} {newer} of {self.version}")
            except (OSError, http.client.HTTPException, ValueError, TypeError) as error:
                self.counts["requests"] += 1
                self.counts["failed"] += 1
                self.examples.append(repr(error))
                connections.pop(port, None)
            time.sleep(0.005)

    def only_from_the_list(self, port):
        """Of the nonprofits those whose revenue is the list's, not a return's."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=15)) as connection:
            for ein in list(self.revenue):
                connection.request("GET", f"/nonprofits/details/{ein}")
                found = json.loads(connection.getresponse().read())
                if found["revenueGrandTotal"] != self.revenue[ein] + self.version:
                    del self.revenue[ein]
        if len(self.revenue) < 3:
            fail("too few nonprofits to ask for; let there be more --organizations")

    # What happens.

    def changed_share(self, before):
        files, old = self.manifest()["files"], {file["sha256"] for file in before["files"]}
        changed = sum(file["bytes"] for file in files if file["sha256"] not in old)
        self.moved.append((changed, sum(file["bytes"] for file in files)))

    def swap(self, ports):
        before = self.manifest()
        self.change()
        self.changed_share(before)
        self.push()
        took = self.wait(ports, "a swap", lambda ready: ready.get("snapshot") == self.published())
        print(f"swap {self.version}: both replicas after {took:.1f} s", flush=True)

    def killed(self, command, port):
        """Kills a command at a moment of its first second, again and again, then lets it end."""
        for kill in range(KILLS):
            environment = dict(self.environment)
            if port:
                environment["AWS_ENDPOINT_URL"] = f"http://127.0.0.1:{port}"
            process = subprocess.Popen([self.arguments.almoner, *command], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.02 + 0.06 * kill)
            process.kill()
            process.wait()
        return self.almoner(*command, port=port).splitlines()[0]

    def kills(self, ports):
        self.change()
        data = ["--data-dir", str(self.folder / "data")]
        print("killed pushes:", self.killed(["push", *data, "--to", self.url], self.s3_port))
        self.wait(ports, "a swap", lambda ready: ready.get("snapshot") == self.published())
        other = ["--data-dir", str(self.folder / "pulled")]
        print("killed pulls:", self.killed(["pull", *other, "--from", self.url], self.s3_port))
        print("verify:", self.almoner("verify", *other).strip(), flush=True)

    def partition(self, ports):
        if not self.s3_port:
            return
        old = self.published()
        self.proxies[0].passes.clear()
        self.change()
        self.push()
        self.wait(ports[1:], "a swap beside a partition", lambda ready: ready.get("snapshot") == self.published())
        time.sleep(PARTITION_SECONDS)
        if self.ready(ports[0]).get("snapshot") != old:
            fail("the replica that is cut off does not serve the old snapshot")
        self.proxies[0].passes.set()
        took = self.wait(ports, "after a partition", lambda ready: ready.get("snapshot") == self.published())
        print(f"partition: the old snapshot meanwhile, the new one {took:.1f} s after it", flush=True)

    def corruption(self, ports):
        """Changes an object where replicas cannot see the snapshot yet: CURRENT is put back last."""
        old = self.manifest()
        self.change()
        known = {file["sha256"] for file in old["files"]}
        new = [file for file in self.manifest()["files"] if file["sha256"] not in known]
        victim = max(new, key=lambda file: file["bytes"])
        path = self.objects / victim["sha256"]
        for proxy in filter(None, self.proxies):
            proxy.passes.clear()
        current = self.objects.parent / "CURRENT"
        if not self.s3_port:
            # Without a proxy replicas are kept away by a CURRENT that names what they have.
            former = current.read_bytes()
        self.push()
        if not self.s3_port:
            latest = current.read_bytes()
            current.write_bytes(former)
        data = bytearray(path.read_bytes())
        data[len(data) // 2] ^= 1
        path.write_bytes(data)
        if not self.s3_port:
            current.write_bytes(latest)
        for proxy in filter(None, self.proxies):
            proxy.passes.set()
        refused = lambda ready: "damaged" in str(ready.get("behind")) and ready["snapshot"] == old["snapshot"]
        if self.s3_port:
            self.wait(ports, "a changed object is told", refused)
            print("a changed object:", self.ready(ports[0]), flush=True)
        told = (self.folder / "replica1.log").read_text()
        if self.s3_port and f"objects/{victim['sha256']}" not in told:
            fail("the log does not name the object that was changed")
        path.unlink()
        self.push()
        took = self.wait(ports, "after a changed object",
                         lambda ready: ready.get("snapshot") == self.published() and ready["behind"] is None)
        print(f"removed and pushed again: both replicas after {took:.1f} s", flush=True)

    def wrong_clock(self):
        """A library by which a program believes that it is two hours ago; needs a C compiler."""
        source, library = self.folder / "late.c", self.folder / "late.so"
        source.write_text(LATE)
        try:
            subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True, timeout=60)
        except (OSError, subprocess.CalledProcessError):
            print("skipped: a wrong clock needs cc")
            return None
        return str(library)

    def wrongs(self):
        data = ["--data-dir", str(self.folder / "elsewhere")]
        asked = ["pull", *data, "--from", self.url]
        if self.s3_port:
            print("wrong key:", self.almoner(*asked, expect=1, port=self.s3_port, AWS_SECRET_ACCESS_KEY="x").strip())
            none = ["pull", *data, "--from", "s3://nowhere/prod"]
            print("no bucket:", self.almoner(*none, expect=1, port=self.s3_port).strip())
            if library := self.wrong_clock():
                late = self.almoner(*asked, expect=1, port=self.s3_port, LD_PRELOAD=library)
                print("a clock two hours late:", late.strip())
            print("nobody:", self.almoner(*asked, expect=1, port=free_port()).strip())
        small = self.folder / "small"
        small.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(small)], capture_output=True)
        if mounted.returncode == 0:
            try:
                full = ["pull", "--data-dir", str(small / "data"), "--from", self.url]
                print("no room:", self.almoner(*full, expect=1, port=self.s3_port).strip())
            finally:
                subprocess.run(["umount", str(small)], check=True)
        else:
            print("skipped: a full disk needs root")
        current = self.objects.parent / "CURRENT"
        good = current.read_bytes()
        current.write_bytes(b"no JSON")
        print("no JSON:", self.almoner(*asked, expect=1, port=self.s3_port).strip(), flush=True)
        current.write_bytes(good)

    def run(self):
        began = time.monotonic()
        self.almoner("generate", str(self.folder / "files"), "--organizations", str(self.arguments.organizations),
                     program=self.arguments.builder)
        self.change()
        self.start_store()
        print("first:", self.push().strip(), flush=True)
        ports = [self.start_replica(1), self.start_replica(2)]
        self.wait(ports, "the first snapshot", lambda ready: ready.get("snapshot") == self.published())
        self.only_from_the_list(ports[0])
        clients = [threading.Thread(target=self.client, args=(ports, seed), daemon=True)
                   for seed in range(self.arguments.clients)]
        for client in clients:
            client.start()
        steps = {self.arguments.swaps // 4: self.kills, self.arguments.swaps // 2: self.partition,
                 self.arguments.swaps * 3 // 4: self.corruption}
        swaps = 0
        while swaps < self.arguments.swaps:
            if time.monotonic() - began > ALL_SECONDS:
                fail(f"only {swaps} swaps within {ALL_SECONDS} s")
            steps.get(swaps, self.swap)(ports)
            swaps += 1
        self.stops.set()
        for client in clients:
            client.join(20)
        self.wrongs()
        kept = [len(os.listdir(self.folder / f"replica{number}" / "snapshots")) for number in (1, 2)]
        share = [100 * changed / of for changed, of in self.moved]
        print(f"{swaps} swaps, {self.counts['requests']} requests, {self.counts['failed']} failed, "
              f"{self.counts['wrong']} wrong; {kept} snapshots kept by the replicas; a change of {STATE} moves "
              f"{min(share):.1f} to {max(share):.1f} % of {self.moved[-1][1]} bytes; "
              f"{time.monotonic() - began:.0f} s")
        if self.counts["failed"] or self.counts["wrong"] or max(kept) > 2:
            fail("; ".join(self.examples[:10]))

    def end(self):
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--builder", help="what generates and builds, where another program is faster")
    parser.add_argument("--s3", help="an S3 server: s3s-fs")
    parser.add_argument("--swaps", type=int, default=20, choices=range(4, 101), metavar="4..100")
    parser.add_argument("--organizations", type=int, default=1000)
    parser.add_argument("--clients", type=int, default=4)
    arguments = parser.parse_args()
    arguments.almoner = str(pathlib.Path(arguments.almoner).resolve())
    arguments.builder = str(pathlib.Path(arguments.builder or arguments.almoner).resolve())
    with tempfile.TemporaryDirectory() as folder:
        check = Check(arguments, pathlib.Path(folder))
        try:
            check.run()
        finally:
            check.end()


if __name__ == "__main__":
    sys.exit(main())
