#!/usr/bin/env python3
"""Loads a PostgreSQL export into a server of its own, and asks it and Almoner the same five questions.

    pip install "psycopg[binary]"                       # and Debian's package postgresql-15
    scripts/postgres_check.py --almoner ALMONER --data-dir DIR [--postgres /usr/lib/postgresql/15/bin]

Questions: an exact name, a name with two letters exchanged, organizations of a state and a cause above a revenue
with the greatest first, grants of a funder in a year with their sum, and people by name. Names, funders and people
are drawn from the data by a fixed seed. PostgreSQL listens on a socket in a temporary folder, as the user postgres
where root runs this; `almoner serve` listens on loopback. Both are asked over one connection, one question after
another; times are medians of a question. Fails where answers differ, except of misspelt names, where it prints how
often each finds whom the name is of: the two measure likeness differently.
"""

import argparse
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

import psycopg

EACH = 40
SEED = 11


class Postgres:
    def __init__(self, folder, binaries):
        self.user = "postgres" if os.geteuid() == 0 else None
        self.folder, self.binaries = folder, pathlib.Path(binaries)
        if self.user:
            shutil.chown(folder, self.user)
        data = folder / "data"
        initdb = [self.binaries / "initdb", "-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8"]
        subprocess.run(initdb, check=True, user=self.user, stdout=subprocess.DEVNULL, cwd=folder)
        settings = ["listen_addresses=", f"unix_socket_directories={folder}", "shared_buffers=512MB", "work_mem=64MB"]
        settings += ["maintenance_work_mem=256MB", "fsync=off"]
        command = [self.binaries / "postgres", "-D", data, *(part for one in settings for part in ("-c", one))]
        log = open(folder / "log", "w")
        self.process = subprocess.Popen(command, user=self.user, cwd=folder, stdout=log, stderr=log)
        for _ in range(100):
            try:
                psycopg.connect(host=str(folder), user="postgres", dbname="postgres").close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        sys.exit("postgres does not start: " + (folder / "log").read_text())

    def load(self, export):
        psql = [self.binaries / "psql", "-q", "-h", self.folder, "-U", "postgres", "--set", "ON_ERROR_STOP=1"]
        subprocess.run([*psql, "-f", "load.sql", "postgres"], check=True, cwd=export)

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Almoner:
    def __init__(self, program, data_dir):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [program, "serve", "--open", "--listen", f"127.0.0.1:{port}", "--data-dir", data_dir]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(200):
            try:
                self.get("/version")
                return
            except OSError:
                self.connection.close()
                time.sleep(0.1)
        sys.exit("almoner does not start")

    def answer(self):
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status}: {body[:200]}")
        return json.loads(body)

    def get(self, path, **parameters):
        query = urllib.parse.urlencode(parameters, doseq=True)
        self.connection.request("GET", f"{path}?{query}")
        return self.answer()

    def post(self, path, body):
        self.connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        return self.answer()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def timed(times, ask, *arguments):
    began = time.perf_counter()
    answer = ask(*arguments)
    times.append((time.perf_counter() - began) * 1000)
    return answer


class Check:
    def __init__(self, database, almoner):
        self.database, self.almoner = database, almoner
        self.random = random.Random(SEED)
        self.good = True

    def rows(self, sql, *values):
        return self.database.execute(sql, values).fetchall()

    def column(self, sql, *values):
        return [row[0] for row in self.rows(sql, *values)]

    def compare(self, title, questions, of_postgres, of_almoner, same=lambda one, other: one == other):
        """Asks both every question and prints how many are answered the same, and the medians."""
        times, equal = ([], []), 0
        for question in questions:
            one, other = timed(times[0], of_postgres, *question), timed(times[1], of_almoner, *question)
            if same(one, other):
                equal += 1
            elif equal == len(times[0]) - 1:
                print(f"  {question}: PostgreSQL {str(one)[:300]}, Almoner {str(other)[:300]}")
        postgres, almoner = (statistics.median(some) if some else 0 for some in times)
        print(f"{title:34} {equal:>3} of {len(questions):<3} the same; PostgreSQL {postgres:8.2f} ms, Almoner {almoner:8.2f} ms")
        self.good = self.good and equal == len(questions) > 0

    def names(self):
        """Names that one organization has, and its EIN."""
        sql = """SELECT min(name), min(ein) FROM organizations WHERE length(name) BETWEEN 14 AND 60
                 AND name ~ '^[A-Za-z ]+$' AND NOT coalesce(inactive, false) GROUP BY lower(name)
                 HAVING count(*) = 1 ORDER BY 2"""
        return self.random.sample(self.rows(sql), EACH)

    def exact_names(self, names):
        def of_postgres(name):
            return self.column("SELECT ein FROM organizations WHERE lower(name) = lower(%s)", name)

        def of_almoner(name):
            found = self.almoner.get("/typeahead/nonprofits", q=name, scope="all", limit=10)["results"]
            return [one["ein"] for one in found if one["name"].lower() == name.lower()]

        self.compare("an exact name", [(name,) for name, _ in names], of_postgres, of_almoner)

    def misspelt_names(self, names):
        times, right = ([], []), [0, 0]
        for name, ein in names:
            at = self.random.choice([at for at in range(2, len(name) - 2) if name[at : at + 2].isalpha()])
            wrong = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
            sql = "SELECT ein FROM organizations WHERE name %% %s ORDER BY similarity(name, %s) DESC, ein LIMIT 1"
            one = timed(times[0], self.column, sql, wrong, wrong)
            body = {"queries": [{"id": "1", "name": wrong}], "limit": 1}
            found = timed(times[1], self.almoner.post, "/match", body)["results"][0]["candidates"]
            right[0] += one == [ein]
            right[1] += [candidate["ein"] for candidate in found] == [ein]
        postgres, almoner = map(statistics.median, times)
        print(
            f"{'a name with a typo':34} found by PostgreSQL {right[0]}, by Almoner {right[1]} of {len(names)};"
            f" PostgreSQL {postgres:.2f} ms, Almoner {almoner:.2f} ms"
        )
        self.good = self.good and right[1] * 10 >= len(names) * 9

    def filters(self):
        sql = """SELECT state, left(ntee, 1) FROM organizations WHERE revenue_grand_total >= 1e6 AND ntee IS NOT NULL
                 AND state IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2"""
        groups = self.rows(sql)
        questions = self.random.sample(groups, min(EACH, len(groups)))

        def of_postgres(state, major):
            where = "FROM organizations WHERE state = %s AND ntee LIKE %s AND revenue_grand_total >= 1e6"
            values = (state, major + "%")
            sql = f"SELECT revenue_grand_total, ein {where} ORDER BY revenue_grand_total DESC, ein LIMIT 20"
            return self.column(f"SELECT count(*) {where}", *values)[0], self.rows(sql, *values)

        def of_almoner(state, major):
            # Without words the greatest revenue comes first.
            found = self.almoner.get(
                "/nonprofits/search", state=state, ntee_codes=major, min_revenue=1_000_000, size=20
            )
            rows = [(row["revenueGrandTotal"], row["ein"]) for row in found["items"]]
            return found["total"], sorted(rows, key=lambda row: (-row[0], row[1]))

        self.compare("state, cause and revenue, sorted", questions, of_postgres, of_almoner)

    def grants(self):
        sql = "SELECT grantor_ein, tax_year FROM grants WHERE stage = 'paid' GROUP BY 1, 2 ORDER BY 1, 2"
        groups = self.rows(sql)
        questions = self.random.sample(groups, min(EACH, len(groups)))

        def of_postgres(ein, year):
            sql = """SELECT count(*), sum(coalesce(cash, 0) + coalesce(noncash, 0))
                     FILTER (WHERE cash IS NOT NULL OR noncash IS NOT NULL)
                     FROM grants WHERE grantor_ein = %s AND tax_year = %s AND stage = 'paid'"""
            (count, amount), = self.rows(sql, ein, year)
            return count, None if amount is None else int(amount)

        def of_almoner(ein, year):
            found = self.almoner.get(f"/nonprofits/grants/{ein}", year=year, size=20)
            return found["total"], found["total_amount"]

        self.compare("grants of a funder in a year", questions, of_postgres, of_almoner)

    def people(self):
        sql = """SELECT DISTINCT lower(name) FROM people WHERE NOT is_business AND name ~ '^[A-Za-z]+ [A-Za-z]{4,}$'
                 ORDER BY 1"""
        names = self.column(sql)
        questions = [(name,) for name in self.random.sample(names, min(EACH, len(names)))]

        def of_postgres(name):
            words = name.split()
            where = " AND ".join("name ~* %s" for _ in words)
            sql = f"SELECT DISTINCT organization_ein FROM people WHERE {where} ORDER BY 1"
            return self.column(sql, *(rf"\m{re.escape(word)}\M" for word in words))

        def of_almoner(name):
            eins, page = set(), 1
            while True:
                found = self.almoner.get("/people/search", q=name, size=100, page=page)
                eins.update(row["ein"] for row in found["items"])
                if page * 100 >= found["total"]:
                    return sorted(eins)
                page += 1

        self.compare("people by name", questions, of_postgres, of_almoner)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir", required=True)
    parser.add_argument("--postgres", default="/usr/lib/postgresql/15/bin")
    arguments = parser.parse_args()
    postgres = almoner = None
    with tempfile.TemporaryDirectory(prefix="almoner-postgres-") as place:
        os.chmod(place, 0o755)
        export = pathlib.Path(place) / "export"
        command = [arguments.almoner, "export", "--data-dir", arguments.data_dir, "--format", "postgres", str(export)]
        subprocess.run(command, check=True)
        cluster = pathlib.Path(place) / "cluster"
        cluster.mkdir()
        try:
            postgres = Postgres(cluster, arguments.postgres)
            began = time.monotonic()
            postgres.load(export)
            print(f"loaded and indexed in {time.monotonic() - began:.1f} s")
            almoner = Almoner(arguments.almoner, arguments.data_dir)
            with psycopg.connect(host=str(cluster), user="postgres", dbname="postgres", autocommit=True) as database:
                check = Check(database, almoner)
                names = check.names()
                check.exact_names(names)
                check.misspelt_names(names)
                check.filters()
                check.grants()
                check.people()
        finally:
            for server in (almoner, postgres):
                if server:
                    server.stop()
    print("answers are the same" if check.good else "FAILED")
    sys.exit(0 if check.good else 1)


if __name__ == "__main__":
    main()
