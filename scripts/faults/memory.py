#!/usr/bin/env python3
"""Builds and serves within a memory control group, and shows that neither is killed there.

    memory.py --almoner target/release/almoner [--data-dir D] [--input FILES...] [--quick]

--input is built within --build-mb, into --build-dir (kept, with its vector cache) or a folder of its
own (removed). Then --data-dir, or else what was built, is served within --serve-mb: eight
connections ask for all endpoints, and for organizations that earlier answers named. With neither
--input nor --data-dir fictional organizations are built. Swap does not widen the limits. What the
system keeps of the files is dropped first, so that what is read is charged to the group.

Prints the most that was charged (with files that were read: it nears the limit where there is much to
read), the most anonymous memory, and the times to the last byte as the client saw them. Fails
when a process is killed, a build or the server exits otherwise than asked, or an answer is not 200;
one in a thousand may be 503, which is what a search gets that would have to wait too long for the disk.
Of --data-dir only the keys change: one is added. The folders must not be on tmpfs, which is memory.
"""

import argparse
import collections
import http.client
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import control_group
import trial

ORGANIZATIONS, ORGANIZATIONS_QUICK = 20_000, 300
REQUESTS, REQUESTS_QUICK = 20_000, 800
CONNECTIONS = 8
# Requests that take longer count as failed; after so long no more are sent.
ANSWER_SECONDS_MAX, LOAD_SECONDS_MAX = 30, 1800
BUILD_SECONDS_MAX = 12 * 3600
REFUSED_SHARE_MAX = 0.001
# How often a build's memory is looked at, and told.
LOOK_SECONDS, TELL_SECONDS = 0.2, 60
# EINs kept of those that answers named.
EINS_MAX = 50_000
SESSIONS = 200
MB = 1 << 20

WORDS = """food bank church school youth red cross humane society friends library veterans homeless
music theater museum river forest cancer children animal rescue scholarship garden housing health
legal aid science community trust""".split()
STATES = "CA NY TX FL OH PA IL WA MA GA VT WY".split()


def words(chance, most):
    return quote(" ".join(chance.sample(WORDS, chance.randint(1, most))))


def search(chance):
    filters = [f"state={chance.choice(STATES)}", f"ntee_codes={chance.choice('ABCDEPX')}",
               f"min_revenue={10 ** chance.randint(2, 7)}", "sort=-assets,name", "foundation=true",
               "latitude=40.7&longitude=-74&location_range=200&sort=distance"]
    chosen = chance.sample(filters, 2)
    return f"/beta/nonprofits/search?{'&'.join(chosen)}&size=50&page={chance.randint(1, 40)}"


# How each kind of question is made, of chance and an EIN.
KINDS = {
    "details": lambda chance, ein: f"/nonprofits/details/{ein}",
    "filings": lambda chance, ein: f"/nonprofits/filings/{ein}",
    "standing": lambda chance, ein: f"/nonprofits/standing/{ein}",
    "typeahead": lambda chance, ein:
        f"/typeahead/nonprofits?limit=25&q={chance.choice(WORDS)[: chance.randint(2, 6)]}",
    "search by filters": lambda chance, ein: search(chance),
    "search by text": lambda chance, ein: f"/beta/nonprofits/search?size=50&q={words(chance, 5)}",
    "feed": lambda chance, ein: chance.choice(
        [f"/feed/posts?page={chance.randint(1, 50)}", f"/feed/posts?search={words(chance, 2)}"]),
    "stories": lambda chance, ein: chance.choice(
        [f"/impact/stories?q={words(chance, 3)}", f"/impact/stories/{ein}"]),
    "metrics": lambda chance, ein: chance.choice(
        [f"/impact/metrics?page={chance.randint(1, 50)}", f"/impact/metrics/{ein}"]),
    "chat": lambda chance, ein: f"/chat?q={words(chance, 4)}",
}


class Load:
    """Questions asked of a server over connections that stay, each kind as often as the others."""

    def __init__(self, server, seed):
        self.server, self.eins = server, []
        self.lock = threading.Lock()
        self.times, self.wrong = collections.defaultdict(list), collections.Counter()
        self.refused = 0
        self.sessions = [str(uuid.UUID(int=seed << 64 | number)) for number in range(SESSIONS)]
        self.until = time.monotonic() + LOAD_SECONDS_MAX
        link = self.connection()
        for word in WORDS:
            self.ask(link, "typeahead", f"/typeahead/nonprofits?limit=25&q={word[:3]}")
        if not self.eins:
            sys.exit(f"no completion names an organization: {self.wrong.most_common(1)}")
        # Of the load only what follows counts.
        self.times.clear()

    def connection(self):
        port = self.server.port
        return http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS_MAX)

    def ask(self, link, kind, path, session=None):
        headers = {"X-API-Key": self.server.key}
        headers |= {"x-session-id": session} if session else {}
        start = time.perf_counter()
        try:
            link.request("GET", path, headers=headers)
            response = link.getresponse()
            body, status = response.read(), response.status
        except (OSError, http.client.HTTPException) as error:
            link.close()
            body, status = b"", type(error).__name__
        seconds = time.perf_counter() - start
        with self.lock:
            self.times[kind].append(seconds)
            if status == 503:
                self.refused += 1
            elif status != 200:
                self.wrong[f"{status} for {path}"] += 1
            if len(self.eins) < EINS_MAX:
                self.eins += re.findall(r'"ein":"(\d{9})"', body.decode())

    def run(self, requests):
        def client(number):
            chance, link = random.Random(number), self.connection()
            for _ in range(number, requests, CONNECTIONS):
                if time.monotonic() > self.until or self.server.process.poll() is not None:
                    break
                kind = chance.choice(list(KINDS))
                session = chance.choice(self.sessions) if kind == "chat" else None
                self.ask(link, kind, KINDS[kind](chance, chance.choice(self.eins)), session)
            link.close()

        with ThreadPoolExecutor(CONNECTIONS) as pool:
            list(pool.map(client, range(CONNECTIONS)))


class Watch:
    """Looks at the anonymous memory of a process again and again, and keeps the most."""

    def __init__(self, process):
        self.process, self.most, self.ended = process, 0, threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        self.thread.start()

    def look(self):
        while not self.ended.is_set():
            self.most = max(self.most, anonymous_bytes(self.process.pid))
            self.ended.wait(LOOK_SECONDS)

    def end(self):
        self.ended.set()
        self.thread.join()
        return self.most


def anonymous_bytes(pid):
    """0 when the process has ended."""
    try:
        found = re.search(r"RssAnon:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) * 1024 if found else 0


def forget(paths):
    """Drops what the system keeps of files, as far as nobody uses it."""
    for path in itertools.chain(*([path, *path.rglob("*")] for path in paths)):
        if path.is_file():
            handle = os.open(path, os.O_RDONLY)
            os.fdatasync(handle)
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(handle)


def memory(group, most_anonymous):
    charged, most = group.peak_bytes() / MB, most_anonymous / MB
    return f"at most {charged:.0f} MB charged, {most:.0f} MB anonymous; killed: {group.kills()}"


def build(arguments, parent, verdict, inputs, data):
    """Builds in a group, telling now and then how far it is; whether it ended well."""
    forget(inputs)
    limit_mb, start, told = arguments.build_mb, time.monotonic(), 0
    command = [arguments.almoner, "build", "--data-dir", data, *inputs]
    with control_group.Group(parent, "build", limit_mb * MB) as group, \
            tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen([str(part) for part in [*group.join(), *command]],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
        watch = Watch(process)
        try:
            while process.poll() is None:
                seconds = time.monotonic() - start
                if seconds > BUILD_SECONDS_MAX:
                    verdict.failed(f"build: not ended after {seconds:.0f} s")
                    break
                if seconds // TELL_SECONDS > told:
                    told = seconds // TELL_SECONDS
                    verdict.figure(f"building for {seconds:.0f} s, {group.now_bytes() / MB:.0f} MB "
                                   f"charged, {watch.most / MB:.0f} MB anonymous: {last_line(log)}")
                time.sleep(LOOK_SECONDS)
        finally:
            process.kill()
            code, most = process.wait(), watch.end()
        seconds = time.monotonic() - start
        verdict.figure(f"build within {limit_mb} MB: {seconds:.0f} s, {memory(group, most)}")
        if code != 0 or group.kills():
            verdict.failed(f"build: exit {code}, {group.kills()} killed: {last_line(log)}")
    return code == 0


def last_line(log):
    """Of what was written so far; the writer's position is its own."""
    size = os.fstat(log.fileno()).st_size
    end = os.pread(log.fileno(), 4096, max(0, size - 4096)).decode(errors="replace")
    return end.strip().rpartition("\n")[2]


def serve(arguments, parent, verdict, data, requests):
    forget([data])
    limit_mb = arguments.serve_mb
    with control_group.Group(parent, "serve", limit_mb * MB) as group:
        server = trial.Server(arguments.almoner, data, "--warm", within=group.join())
        watch = Watch(server.process)
        try:
            load = Load(server, arguments.seed)
            start = time.monotonic()
            load.run(requests)
            seconds = time.monotonic() - start
            is_alive = server.process.poll() is None
        finally:
            code, most = server.stop(), watch.end()
        for kind, times in sorted(load.times.items()):
            verdict.figure(f"{kind}: {spread(times)}")
        times = list(itertools.chain(*load.times.values()))
        if len(times) < requests:
            verdict.failed(f"serve: {len(times)} of {requests} requests within {LOAD_SECONDS_MAX} s")
        verdict.figure(f"all, {CONNECTIONS} at a time in {seconds:.0f} s: {spread(times)}; "
                       f"refused with 503: {load.refused}")
        if load.refused > len(times) * REFUSED_SHARE_MAX:
            verdict.failed(f"serve: {load.refused} of {len(times)} requests refused with 503")
        verdict.figure(f"serve within {limit_mb} MB: {size_of(data) / MB:.0f} MB of data, "
                       f"{memory(group, most)}")
        for what, count in load.wrong.most_common():
            verdict.failed(f"serve: {count} times {what}")
        if not is_alive or code != 0 or group.kills():
            verdict.failed(f"serve: exit {code}, {group.kills()} killed")


def spread(times):
    times = sorted(times)
    p50, p99 = (1000 * times[len(times) * part // 100] for part in (50, 99))
    return f"{len(times)} requests, p50 {p50:.1f} ms, p99 {p99:.1f} ms"


def size_of(data):
    snapshots = data / "snapshots"
    return sum(path.stat().st_size for path in snapshots.rglob("*") if path.is_file())


def arguments_of_the_line():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--almoner", required=True, help="path of the binary")
    parser.add_argument("--data-dir", type=Path, help="served; default: what is built")
    parser.add_argument("--input", type=Path, nargs="+", help="built; default: fictional data")
    parser.add_argument("--build-dir", type=Path, help="where it is built; default: removed after")
    parser.add_argument("--serve-mb", type=int, default=512)
    parser.add_argument("--build-mb", type=int, default=6144)
    parser.add_argument("--requests", type=int, help=f"default: {REQUESTS}, quick {REQUESTS_QUICK}")
    parser.add_argument("--quick", action="store_true", help="fewer organizations and requests")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    arguments = arguments_of_the_line()
    verdict, is_quick = trial.Verdict("memory"), arguments.quick
    requests = arguments.requests or (REQUESTS_QUICK if is_quick else REQUESTS)
    try:
        with control_group.parent() as parent, \
                tempfile.TemporaryDirectory(prefix="almoner-memory-") as work:
            data, inputs = arguments.data_dir, arguments.input
            if not data and not inputs:
                inputs = [Path(work) / "inputs"]
                count = ORGANIZATIONS_QUICK if is_quick else ORGANIZATIONS
                generate = ["generate", *inputs, "--organizations", count]
                trial.must(arguments.almoner, *generate, "--seed", arguments.seed)
            if inputs:
                built = arguments.build_dir or Path(work) / "data"
                if build(arguments, parent, verdict, inputs, built):
                    data = data or built
            if data:
                serve(arguments, parent, verdict, data, requests)
        verdict.end()
    except control_group.Unavailable:
        control_group.run_in_scope()
        print("memory: skipped: needs a memory cgroup that can be written to")


if __name__ == "__main__":
    main()
