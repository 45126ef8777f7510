#!/usr/bin/env python3
"""Asks `/nonprofits/aggregate` and DuckDB the same random questions, and compares every number.

    pip install duckdb
    scripts/aggregate_check.py --almoner ALMONER --data-dir DIR [--questions 200] [--seed 8]
    scripts/aggregate_check.py --almoner ALMONER --quick             # over fictional data that it makes; for CI

Writes the records of the snapshot (`almoner search --limit all`) and its exported tables as NDJSON, which DuckDB
reads: the endpoint answers from columns, so that the two have nothing in common but the snapshot. A question has up to
five filters, up to two dimensions, some measures and an order. Compared are `counted`, `left_out` and `total_groups`,
every group of the pages that are asked for with all its numbers (`quantile_disc` for the quantiles), and the order.
Prints the first differences and the times of the answers; exits 1 where anything differs.
"""

import argparse
import http.client
import json
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

try:
    import duckdb
except ImportError:
    duckdb = None

PAGES_MAX = 3
PAGE_ROWS = 100
QUICK_ORGANIZATIONS = 3_000
MEASURES = ["revenue", "expenses", "assets", "employees"]
NUMBERS = ["known", "unknown", "sum", "min", "p10", "p25", "median", "p75", "p90", "max"]
# What names of places are compared by: words of letters and digits, with what is written out or apart in one form, as
# the groups have it.
KEY = "trim(regexp_replace(regexp_replace(lower(strip_accents({})), '[''’.]', '', 'g'), '[^a-z0-9]+', ' ', 'g'))"
ONE_FORM = {
    r"\b(mc|o) ": r"\1", r"\bsaint ": "st ", r"\bsainte ": "ste ", r"\bfort ": "ft ", r"\bmount ": "mt ",
    "^north ": "n ", "^south ": "s ", "^east ": "e ", "^west ": "w ",
}
for _form, _same in ONE_FORM.items():
    KEY = f"regexp_replace({KEY}, '{_form}', '{_same}', 'g')"
# Each dimension by the members of a group and the columns of the table that they are compared with.
DIMENSIONS = {
    "state": [("state", "state")],
    "county": [("state", "state"), ("county", "county_key")],
    "city": [("state", "state"), ("city", "city_key")],
    "ntee": [("ntee", "ntee[1]")],
    "ntee_code": [("ntee_code", "ntee")],
    "size": [("size", "size")],
    "subsection": [("subsection", "subsection")],
    "foundation": [("foundation", "foundation")],
    "ruling_decade": [("ruling_decade", "ruling_year // 10 * 10")],
}
PLACES = {"county", "city"}
RECORDS = """{
    ein: 'VARCHAR', ntee: 'VARCHAR', sdgs: 'INTEGER[]',
    address: 'STRUCT(state VARCHAR, county VARCHAR, city VARCHAR, city_as_filed VARCHAR, zip VARCHAR)',
    exemption: 'STRUCT(subsection INTEGER, ruling VARCHAR)',
    finances: 'STRUCT(revenue BIGINT, expenses BIGINT, assets BIGINT, employees BIGINT)'
}"""


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)

STANDING = "{ein: 'VARCHAR', size: 'VARCHAR', deductible: 'BOOLEAN', revenue_ceiling: 'BIGINT'}"


class Table:
    """The snapshot in DuckDB: a row a nonprofit."""

    def __init__(self, almoner, data, folder):
        records = folder / "records.ndjson"
        with records.open("wb") as out:
            command = [almoner, "search", "--data-dir", data, "--format", "ndjson", "--limit", "all", "--quiet"]
            subprocess.run(command, check=True, stdout=out)
        run(almoner, "export", "--data-dir", data, "--format", "ndjson", "--tables", "organizations,standing", "--quiet",
            folder)
        self.connection = duckdb.connect()
        read = "read_json('{}', format = 'newline_delimited', columns = {})"
        self.connection.execute(f"""
            CREATE TABLE nonprofits AS SELECT
                ein, ntee, sdgs, size, deductible, foundation, printf('%02d', exemption.subsection) AS subsection,
                CAST(exemption.ruling[1:4] AS INTEGER) AS ruling_year, address.state AS state, address.zip AS zip,
                address.county AS county, {KEY.format('address.county')} AS county_key,
                address.city AS city, {KEY.format('address.city')} AS city_key,
                coalesce({KEY.format('address.city_as_filed')}, {KEY.format('address.city')}) AS filed_key,
                finances.revenue AS revenue, finances.expenses AS expenses, finances.assets AS assets,
                finances.employees AS employees, revenue_ceiling
            FROM {read.format(records, RECORDS)} AS records
            JOIN {read.format(folder / 'standing.ndjson', STANDING)}
                AS standing USING (ein)
            JOIN {read.format(folder / 'nonprofits.ndjson', "{ein: 'VARCHAR', foundation: 'BOOLEAN'}")}
                AS organizations USING (ein)
        """)

    def rows(self, query, values=()):
        found = self.connection.execute(query, list(values))
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    def values(self, expression):
        query = f"SELECT {expression} AS one FROM nonprofits WHERE {expression} IS NOT NULL GROUP BY ALL ORDER BY ALL"
        return [row["one"] for row in self.rows(query)]


class Question:
    """A request, and the conditions that stand for it in SQL."""

    def __init__(self, draw, domain):
        self.parameters, self.conditions, self.arguments = [], [], []
        # Conditions that are not satisfied, nor unsatisfied, where a value is not known.
        self.uncertain, self.uncertain_arguments = [], []
        kinds = ["state", "state", "county", "city", "zip", "ntee", "sdgs", "subsection", "size", "flag", "range", "range"]
        for kind in dict.fromkeys(draw.sample(kinds, draw.randint(0, 4))):
            getattr(self, "by_" + kind)(draw, domain)
        self.group_by = draw.sample(list(DIMENSIONS), draw.choice([0, 1, 1, 1, 2, 2, 2]))
        self.measures = draw.sample(MEASURES, draw.randint(1, 3))
        keys = ["count", "group"] + [f"{one}_{of}" for one in self.measures for of in ("sum", "median")]
        self.sort = draw.choice(["", "-"]) + draw.choice(keys)
        self.parameters += [("group_by", ",".join(self.group_by)), ("measures", ",".join(self.measures))]
        self.parameters += [("sort", self.sort), ("size", PAGE_ROWS)]

    def where(self, condition, *arguments):
        self.conditions.append(condition)
        self.arguments += arguments

    def where_known(self, column, condition, *arguments, unknown=None):
        self.uncertain.append((unknown or f"{column} IS NULL", condition))
        self.uncertain_arguments += arguments

    def by_state(self, draw, domain):
        state = draw.choice(domain["state"])
        self.parameters.append(("state", state.lower() if draw.random() < 0.3 else state))
        self.where("state = ?", state)

    def by_county(self, draw, domain):
        county = draw.choice(domain["county"])
        self.parameters.append(("county", county))
        self.where(f"county_key = {KEY.format('?')}", county)

    def by_city(self, draw, domain):
        city = draw.choice(domain["city"])
        self.parameters.append(("city", city))
        self.where(f"(city_key = {KEY.format('?')} OR filed_key = {KEY.format('?')})", city, city)

    def by_zip(self, draw, domain):
        code = draw.choice(domain["zip"])
        self.parameters.append(("zip_code", code))
        self.where("zip = ?", code)

    def by_ntee(self, draw, domain):
        codes = [code[: draw.randint(1, 3)] for code in draw.sample(domain["ntee"], draw.randint(1, 3))]
        self.parameters.append(("ntee_codes", ",".join(codes)))
        self.where("(" + " OR ".join("starts_with(ntee, ?)" for _ in codes) + ")", *codes)

    def by_sdgs(self, draw, domain):
        goals = draw.sample(range(1, 18), draw.randint(1, 3))
        self.parameters += [("sdgs", goal) for goal in goals]
        self.where("list_has_any(sdgs, CAST(? AS INTEGER[]))", goals)

    def by_subsection(self, draw, domain):
        codes = draw.sample(domain["subsection"], draw.randint(1, min(3, len(domain["subsection"]))))
        self.parameters.append(("subsection_codes", ",".join(codes)))
        self.where("list_contains(?, subsection)", codes)

    def by_size(self, draw, domain):
        sizes = draw.sample(domain["size"], draw.randint(1, 2))
        self.parameters.append(("org_size", ",".join(sizes)))
        self.where_known("size", "list_contains(?, size)", sizes)

    def by_flag(self, draw, domain):
        name, column = draw.choice([("foundation", "foundation"), ("deductible_donations", "deductible")])
        wanted = draw.random() < 0.5
        self.parameters.append((name, str(wanted).lower()))
        self.where_known(column, f"{column} = ?", wanted)

    def by_range(self, draw, domain):
        column = draw.choice(["revenue", "assets", "assets", "expenses", "employees", "ruling_year"])
        bounds = sorted(draw.choices(domain[column] or [0], k=2))
        # Of amounts below 0 no bound can be set.
        low, high = [max(0, bound) if column != "ruling_year" else bound for bound in bounds]
        for name, sign, bound in draw.choice([[("min", ">=", low)], [("max", "<=", high)], [("min", ">=", low), ("max", "<=", high)]]):
            self.parameters.append((f"{name}_{column}", bound))
            # Revenue that is known to be less is not left out as unknown.
            reaches = f"revenue IS NULL AND coalesce(revenue_ceiling, {int(bound)}) >= {int(bound)}"
            unknown = reaches if (column, sign) == ("revenue", ">=") else None
            self.where_known(column, f"{column} {sign} ?", bound, unknown=unknown)

    def target(self, page):
        return "/nonprofits/aggregate?" + urllib.parse.urlencode([*self.parameters, ("page", page)])

    def selected(self, admits_unknown=False):
        """The condition on rows, and its arguments."""
        extra = " OR {}" if admits_unknown else ""
        uncertain = [f"({condition}{extra.format(unknown)})" for unknown, condition in self.uncertain]
        return " AND ".join(["true", *self.conditions, *uncertain]), [*self.arguments, *self.uncertain_arguments]

    def sql(self):
        condition, arguments = self.selected()
        members = dict(pair for dimension in self.group_by for pair in DIMENSIONS[dimension])
        columns = [f"{column} AS _{name}" for name, column in members.items()]
        columns.append("count(*) AS count")
        for one in self.measures:
            columns += [
                f"count({one}) AS {one}_known", f"count(*) - count({one}) AS {one}_unknown", f"sum({one}) AS {one}_sum",
                f"min({one}) AS {one}_min", f"max({one}) AS {one}_max", f"quantile_disc({one}, 0.5) AS {one}_median",
                *(f"quantile_disc({one}, 0.{p}) AS {one}_p{p}" for p in (10, 25, 75, 90)),
            ]
        by = f" GROUP BY {', '.join('_' + name for name in members)}" if members else " HAVING count(*) > 0"
        return list(members), f"SELECT {', '.join(columns)} FROM nonprofits WHERE {condition}{by}", arguments


def place_keys(table, names):
    """The keys of names of places."""
    rows = table.rows(f"SELECT one, {KEY.format('one')} AS key FROM (SELECT unnest(?) AS one)", [list(names)])
    return {row["one"]: row["key"] for row in rows}


def compare(table, ask, question):
    """What differs, as text, and how many numbers were compared."""
    answers = []
    for page in range(1, PAGES_MAX + 1):
        answers.append(ask(question.target(page)))
        if len(answers[-1]["groups"]) < PAGE_ROWS:
            break
    first, groups = answers[0], [group for answer in answers for group in answer["groups"]]
    names, query, arguments = question.sql()
    expected = table.rows(query, arguments)
    condition, all_arguments = question.selected(admits_unknown=True)
    possible = table.rows(f"SELECT count(*) AS one FROM nonprofits WHERE {condition}", all_arguments)[0]["one"]
    counted = sum(row["count"] for row in expected)
    wrong, compared = [], 3
    for name, wanted in [("counted", counted), ("left_out", possible - counted), ("total_groups", len(expected))]:
        if first[name] != wanted:
            wrong.append(f"{name}: {first[name]}, expected {wanted}")
    shown = {group[name] for group in groups for name in PLACES & set(names) if group[name] is not None}
    keys = place_keys(table, shown) if shown else {}
    key_of = lambda group: tuple(keys.get(group[name], group[name]) if name in PLACES else group[name] for name in names)
    by_key = {tuple(row["_" + name] for name in names): row for row in expected}
    found = set()
    for group in groups:
        key = key_of(group)
        row = by_key.get(key)
        if row is None or key in found:
            wrong.append(f"{key}: no such group, or twice")
            continue
        found.add(key)
        pairs = [("count", group["count"], row["count"])]
        pairs += [(f"{one}.{n}", group[one][n], row[f"{one}_{n}"]) for one in question.measures for n in NUMBERS]
        compared += len(pairs)
        wrong += [f"{key} {name}: {own}, expected {other}" for name, own, other in pairs if own != other]
    if len(groups) != min(len(expected), PAGES_MAX * PAGE_ROWS):
        wrong.append(f"{len(groups)} groups on {len(answers)} pages of {len(expected)}")
    wrong += order(question, groups, expected)
    return wrong, compared


def order(question, groups, expected):
    """What is wrong with the order: the values that decide it must be the first of all, in order."""
    sort, falls = question.sort.lstrip("-"), question.sort.startswith("-")
    if sort == "group":
        return []
    if sort == "count":
        own, other = [group["count"] for group in groups], [row["count"] for row in expected]
    else:
        measure, number = sort.rsplit("_", 1)
        own, other = [group[measure][number] for group in groups], [row[sort] for row in expected]
    known = sorted((value for value in other if value is not None), reverse=falls)
    wanted = (known + [None] * (len(other) - len(known)))[: len(own)]
    return [] if own == wanted else [f"the order by {question.sort}: {own[:5]}…, expected {wanted[:5]}…"]


def domain_of(table):
    columns = ["state", "county", "city", "zip", "ntee", "subsection", "size", "ruling_year", *MEASURES]
    domain = {column: table.values(column) for column in columns}
    # Filters take names of two characters and more.
    return {name: [one for one in values if name not in PLACES or len(one) > 1] for name, values in domain.items()}


def check(almoner, data, questions, seed):
    with tempfile.TemporaryDirectory() as folder:
        table = Table(almoner, data, pathlib.Path(folder))
        domain, draw, times = domain_of(table), random.Random(seed), []
        serve = [almoner, "serve", "--open", "--data-dir", data, "--listen", "127.0.0.1:0", "--log-level", "info"]
        with subprocess.Popen(serve, stderr=subprocess.PIPE, text=True) as server:
            try:
                line = next((line for line in server.stderr if "listening on http://" in line), None)
                if line is None:
                    raise SystemExit("the server ended before it listened")
                connection = http.client.HTTPConnection("127.0.0.1", int(line.rsplit(":", 1)[1].split()[0].strip('/"}')))

                def ask(target):
                    began = time.perf_counter()
                    connection.request("GET", target)
                    reply = connection.getresponse()
                    body = reply.read()
                    times.append(1_000 * (time.perf_counter() - began))
                    if reply.status != 200:
                        raise SystemExit(f"{target}: {reply.status} {body.decode()}")
                    return json.loads(body)

                differing = compared = 0
                for _ in range(questions):
                    question = Question(draw, domain)
                    wrong, numbers = compare(table, ask, question)
                    compared += numbers
                    if wrong:
                        differing += 1
                        print(question.target(1), *wrong[:5], sep="\n    ")
            finally:
                server.terminate()
    times.sort()
    print(f"{questions} questions, {compared:,} numbers compared, {differing} questions differ; {len(times)} answers: "
          f"median {statistics.median(times):.1f} ms, p99 {times[int(0.99 * (len(times) - 1))]:.1f} ms, "
          f"most {times[-1]:.1f} ms")
    return differing == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--almoner", required=True)
    parser.add_argument("--data-dir")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--quick", action="store_true", help=f"{QUICK_ORGANIZATIONS} fictional organizations")
    parser.add_argument("--required", action="store_true", help="fail where DuckDB is missing")
    arguments = parser.parse_args()
    if duckdb is None:
        print("skipped: needs DuckDB for Python")
        sys.exit(1 if arguments.required else 0)
    if not arguments.quick:
        if not arguments.data_dir:
            parser.error("expected --data-dir or --quick")
        sys.exit(0 if check(arguments.almoner, arguments.data_dir, arguments.questions, arguments.seed) else 1)
    with tempfile.TemporaryDirectory() as folder:
        inputs, data = pathlib.Path(folder) / "files", pathlib.Path(folder) / "data"
        run(arguments.almoner, "generate", inputs, "--organizations", QUICK_ORGANIZATIONS, "--seed", 1)
        run(arguments.almoner, "build", "--quiet", "--no-semantic", "--data-dir", data, inputs)
        sys.exit(0 if check(arguments.almoner, str(data), arguments.questions, arguments.seed) else 1)


if __name__ == "__main__":
    main()
