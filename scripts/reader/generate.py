#!/usr/bin/env python3
"""Composes marked-up sentences for training from a grammar, the gazetteer, causes and real names.

    generate.py --bmf FILES... --count 16000 --vary data/reader/{written,corrections}/*.jsonl > generated.jsonl

The grammar is data/reader/grammar.txt. Names are drawn from IRS master files, places from data/zips.tsv and
data/regions.tsv, causes from data/causes.tsv. Sentences that were written are varied: with other names, places,
causes and amounts of the same form. A share of all is misspelt, in other casing, or without punctuation. The
same seed and files give the same sentences.
"""

import argparse
import csv
import json
import random
import re
from pathlib import Path

from markup import SPAN, STATE, errors, is_held_out, rows

DATA = Path(__file__).parents[2] / "data"
NUMBER_WORDS = "two three four five six seven eight nine ten twelve fifteen twenty".split()
STATE_NAMES = dict(line.split("=") for line in (
    "AL=Alabama,AK=Alaska,AZ=Arizona,AR=Arkansas,CA=California,CO=Colorado,CT=Connecticut,DE=Delaware,"
    "DC=District of Columbia,FL=Florida,GA=Georgia,HI=Hawaii,ID=Idaho,IL=Illinois,IN=Indiana,IA=Iowa,KS=Kansas,"
    "KY=Kentucky,LA=Louisiana,ME=Maine,MD=Maryland,MA=Massachusetts,MI=Michigan,MN=Minnesota,MS=Mississippi,"
    "MO=Missouri,MT=Montana,NE=Nebraska,NV=Nevada,NH=New Hampshire,NJ=New Jersey,NM=New Mexico,NY=New York,"
    "NC=North Carolina,ND=North Dakota,OH=Ohio,OK=Oklahoma,OR=Oregon,PA=Pennsylvania,RI=Rhode Island,"
    "SC=South Carolina,SD=South Dakota,TN=Tennessee,TX=Texas,UT=Utah,VT=Vermont,VA=Virginia,WA=Washington,"
    "WV=West Virginia,WI=Wisconsin,WY=Wyoming,PR=Puerto Rico,GU=Guam").split(","))
PEOPLE = ("kids,children,teens,seniors,veterans,refugees,immigrants,homeless families,single mothers,farmworkers,"
          "people with disabilities,girls,women,foster youth,low-income families,students,older adults,artists,"
          "first responders,widows,prisoners,people with autism,military families,the blind,the deaf,rural families,"
          "at-risk youth,Native Americans,cancer patients,new parents,the unemployed,caregivers").split(",")
VERBS = ("helping,serving,feeding,housing,supporting,teaching,training,mentoring,protecting,advocating for,"
         "empowering,caring for,tutoring,counseling,sheltering,reaching").split(",")
REFERENCES = ("it,that one,the first one,the second one,the third one,the last one,number 2,#3,the first,the 4th,"
              "the second,the top one,this organization,the one in the middle,that charity,the third,1,the fifth one").split(",")
SORTS = {
    "revenue": "revenue desc", "budget": "revenue desc", "income": "revenue desc", "size": "revenue desc",
    "assets": "assets desc", "total assets": "assets desc", "endowment": "assets desc", "expenses": "expenses desc",
    "spending": "expenses desc", "staff": "employees desc", "number of employees": "employees desc",
    "rating": "rating desc", "stars": "rating desc", "score": "score desc", "name": "name asc",
    "distance": "distance asc", "age": "age desc", "alphabet": "name asc", "revenue ascending": "revenue asc",
    "how much they make": "revenue desc", "how much they own": "assets desc", "how old they are": "age desc",
}
SORTS_FIRST = {
    "largest": "revenue desc", "biggest": "revenue desc", "smallest": "revenue asc", "richest": "assets desc",
    "wealthiest": "assets desc", "newest": "age asc", "youngest": "age asc", "oldest": "age desc",
    "highest rated": "rating desc", "top rated": "rating desc", "best rated": "rating desc", "closest": "distance asc",
    "nearest": "distance asc", "highest revenue": "revenue desc", "lowest revenue": "revenue asc",
    "most employees": "employees desc", "highest scoring": "score desc", "most assets": "assets desc",
    "biggest spending": "expenses desc", "most recent": "age asc", "alphabetical": "name asc",
}
SORTS_MOST = {
    "biggest": "revenue desc", "largest": "revenue desc", "most money": "assets desc", "highest revenue": "revenue desc",
    "most staff": "employees desc", "oldest": "age desc", "newest": "age asc", "smallest": "revenue asc",
    "closest": "distance asc", "best rated": "rating desc", "lowest budget": "revenue asc", "highest score": "score desc",
}
TAXED = ("tax deductible,tax-deductible,with deductible donations,where gifts are deductible,that I can deduct,"
         "whose donations are tax deductible").split(",")
SIZES = ("small,medium,large,super-size,tiny,mid-size,midsized,big,huge,medium-sized,small-scale,very large,"
         "smaller,larger,super size").split(",")


def table(name):
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


class Source:
    """What is drawn at random."""

    def __init__(self, bmf, seed):
        self.random = random.Random(seed)
        state = city = county = ""
        self.zips, self.cities, self.counties = [], {}, {}
        for fields in table("zips.tsv"):
            code, state, city, county = (new or old for new, old in zip(
                (fields[0], fields[1], fields[2], fields[3]), ("", state, city, county)))
            self.zips.append(code)
            if state in STATE_NAMES and city:
                self.cities[city, state] = self.cities.get((city, state), 0) + 1
                if county:
                    self.counties[county, state] = self.counties.get((county, state), 0) + 1
        self.regions = [fields[0] for fields in table("regions.tsv") if fields[2] == "region"]
        causes = [fields for fields in table("causes.tsv")]
        self.causes = [fields[0] for fields in causes if len(fields) < 3 or not fields[2]]
        self.spanish = [fields[0] for fields in causes if len(fields) > 2 and fields[2]]
        titles = [title.replace("N.E.C.", "").strip() for _, title, *_ in table("ntee.tsv")]
        self.titles = [title for title in titles if "(" not in title]
        self.goals = [(int(fields[0]), fields[1], fields[2].split("|")) for fields in table("goals.tsv")]
        self.majors = [(fields[0], fields[1]) for fields in table("ntee_majors.tsv")]
        self.codes = [fields[0] for fields in table("ntee.tsv")]
        self.names = []
        for path in sorted(bmf):
            with open(path, encoding="ascii", errors="replace", newline="") as lines:
                for row in csv.DictReader(lines):
                    if self.random.random() < 0.12:
                        self.names.append((row["NAME"], row["CITY"], row["STATE"], row["EIN"]))

    def one(self, values):
        return values[self.random.randrange(len(values))]

    def chance(self, share):
        return self.random.random() < share

    def name(self):
        name = self.one(self.names)[0].title()
        name = re.sub(r"\b(Of|The|And|For|In|At|A|On)\b", lambda m: m[0].lower(), name)
        name = re.sub(r" (Inc|Incorporated|Corp|Corporation)$", "", name) if self.chance(0.85) else name
        words = name.split()
        if len(words) > 3 and self.chance(0.25):
            words = words[:-1] if self.chance(0.6) else words[1:]
        if len(words) > 6:
            words = words[:6]
        while len(words) > 1 and words[-1].lower() in ("of", "the", "and", "for", "in", "at", "a", "on"):
            words.pop()
        name = " ".join(words)
        if self.chance(0.12):
            name = self.one(KNOWN_NAMES)
        name = name[0].upper() + name[1:]
        return ("the " if self.chance(0.2) else "") + name

    def weighted(self, counts):
        keys = self.__dict__.setdefault("keys" + str(id(counts)), list(counts))
        if self.chance(0.5):
            return self.one(keys)
        weights = self.__dict__.setdefault("weights" + str(id(counts)), list(counts.values()))
        return self.random.choices(keys, weights)[0]

    def place(self):
        kind = self.random.random()
        if kind < 0.3:
            return self.one(list(STATE_NAMES.values()))
        if kind < 0.36:
            return self.one(list(STATE_NAMES))
        if kind < 0.56:
            return self.weighted(self.cities)[0]
        if kind < 0.8:
            city, state = self.weighted(self.cities)
            return self.one([f"{city}, {state}", f"{city} {state}", f"{city}, {STATE_NAMES[state]}",
                             f"{city} {STATE_NAMES[state]}", f"{city}, {state.lower()}"])
        if kind < 0.88:
            county, state = self.weighted(self.counties)
            return self.one([f"{county} County", f"{county} County, {state}", f"{county} County, {STATE_NAMES[state]}",
                             f"{county} county {state}"])
        if kind < 0.94:
            return ("the " if self.chance(0.4) else "") + self.one(self.regions).title()
        return self.one(self.zips)

    def place_like(self, words):
        """A place of the same form: a state for a state, a town with its state for one."""
        if words.upper() == words and len(words) == 2:
            return self.one(list(STATE_NAMES))
        if words.title() in STATE_NAMES.values():
            return self.one(list(STATE_NAMES.values()))
        if re.fullmatch(r"\d{5}", words):
            return self.one(self.zips)
        if re.search(r"\bcount(y|ies)\b", words, re.I):
            return words
        if (match := US_STATE.search(words)) and match.start() > 2 and match.end() == len(words):
            city, state = self.weighted(self.cities)
            between = re.search(r"\W+$", words[:match.start()])
            return city + (between[0] if between else " ") + (state if len(match[0]) == 2 else STATE_NAMES[state])
        if re.fullmatch(r"[A-Z][a-z]+", words):
            return self.weighted(self.cities)[0]
        return words

    def cause(self):
        cause = self.one(self.causes) if self.chance(0.85) else self.one(self.titles).replace("&", self.one(["&", "and"]))
        words = cause.split(" ")
        if self.chance(0.5) and len(words[-1]) > 3 and words[-1][-1] not in "sgyn":
            cause += "s"
        return cause

    def money(self):
        amount = self.one([1, 2, 3, 5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 600, 750, 800])
        dollar = self.one(["$", "$", "", ""])
        thousand = self.one(["k", "K", " thousand", ",000", " grand"])
        million = self.one(["m", "M", " million", " mil", "MM", " mio", ",000,000"])
        kind = self.random.random()
        if kind < 0.45:
            return f"{dollar}{max(amount, 10)}{thousand}" + self.one(["", "", " dollars"])
        if kind < 0.85:
            amount = amount if amount < 60 else amount // 10
            text = f"{amount}.{self.one([2, 5, 7])}" if million != ",000,000" and self.chance(0.2) else str(amount)
            return f"{dollar}{text}{million}"
        if kind < 0.95:
            return self.one(["half a million", "a million", "one million dollars", "two million", "a quarter million",
                             "five hundred thousand", "a hundred grand", "ten million", "a cool million", "two and a half million",
                             "half a mil", "a quarter mil", "a million five", "75 thou", "a couple million", "a hundred thousand dollars",
                             "1.5 million dollars", "a billion", "three quarters of a million"])
        return f"{dollar}{amount * 1000 + self.one([0, 500])}"

    def money_spanish(self):
        amount = self.one([1, 2, 3, 5, 10, 20, 50, 100, 200, 250, 300, 500, 750])
        unit = self.one([" mil", " millones", ",000", "k", " mil dólares", " millones de dólares", ".000"])
        if "millones" in unit:
            amount = max(2, amount // 10)
        return self.one([f"{amount}{unit}", f"{amount}{unit}", f"${amount}{unit}", "medio millón", "un millón de dólares",
                         "un millón", "medio millón de dólares"])

    def minimum(self):
        return self.one(["over", "more than", "above", "at least", "greater than", "exceeding", ">", ">=", "north of",
                         "upwards of", "a minimum of", "min", "no less than", "not under", "in excess of", "starting at",
                         "from", "better than", "beyond"])

    def maximum(self):
        return self.one(["under", "less than", "below", "at most", "up to", "<", "<=", "no more than", "not over", "sub",
                         "a maximum of", "max", "smaller than", "lower than", "not exceeding", "south of", "short of",
                         "not above", "capped at"])

    def span(self, low, high, prefix=""):
        return self.one([f"between {low} and {high}", f"no less than {low} and no more than {high}",
                         f"past {low} though short of {high}", f"at least {low}, at most {high}", f"from {low} to {high}", f"{low} to {high}", f"{low}-{high}",
                         f"b/w {low} & {high}", f"btwn {low} and {high}", f"{low} - {high}", f"somewhere between {low} and {high}",
                         f"anywhere from {low} to {high}", f"in the {low} to {high} range", f"{low}–{high}"])

    def slot(self, name):
        amount = self.money
        count = lambda: str(self.one([5, 10, 12, 20, 25, 30, 50, 75, 100, 200, 500])) if self.chance(0.85) else self.one(NUMBER_WORDS)
        if name == "SPAN_GOAL":
            return ""
        simple = {
            "NOTHING": lambda: "", "PLACE": self.place, "CAUSE": self.cause, "NAME": self.name, "WHO": self.name,
            "CAUSE_ES": lambda: self.one(self.spanish), "MONEY": amount, "PEOPLE": lambda: self.one(PEOPLE),
            "VERB": lambda: self.one(VERBS), "REF": lambda: self.one(REFERENCES), "NUMBER": count,
            "BOUND_PLAIN_MIN": lambda: f"{self.minimum()} {amount()}", "BOUND_PLAIN_MAX": lambda: f"{self.maximum()} {amount()}",
            "BOUND_COUNT_MIN": lambda: f"{self.minimum()} {count()}", "BOUND_COUNT_MAX": lambda: self.one([
                f"{self.maximum()} {count()}", f"fewer than {count()}"]),
            "COUNT_RANGE": lambda: self.span(count(), count()), "RANGE": lambda: self.span(amount(), amount()),
            "REV": lambda: self.one(["revenue", "annual revenue", "income", "budget", "annual budget", "receipts",
                                     "yearly revenue", "gross receipts", "operating budget", "rev", "funding", "turnover"]),
            "ASSETS": lambda: self.one(["assets", "total assets", "endowment", "holdings", "net worth", "reserves"]),
            "EXPENSES": lambda: self.one(["expenses", "spending", "annual expenses", "costs", "expenditures", "outlays"]),
            "STAFF": lambda: self.one(["employees", "staff", "people on staff", "workers", "paid staff", "staff members",
                                       "full-time employees", "FTEs"]),
            "SCORE": lambda: str(self.one([70, 75, 80, 85, 90, 95, 60, 50])), "TAXED": lambda: self.one(TAXED),
            "SIZE_WORD": lambda: self.one(SIZES), "YEAR": lambda: str(self.random.randrange(1950, 2025)),
            "EIN": lambda: self.one([lambda e: e, lambda e: f"{e[:2]}-{e[2:]}", lambda e: f"{e[:2]} {e[2:]}",
                                     lambda e: f"{e[:2]} - {e[2:]}", lambda e: f"{e[:2]}.{e[2:]}"])(
                self.one(self.names)[3]),
            "ES_MIN": lambda: self.one(["más de", "al menos", "mas de", "mayores a", "superiores a", "por encima de",
                                        "un mínimo de", "no menos de", "de", "arriba de", "mayor a", "desde"]),
            "ES_MAX": lambda: self.one(["menos de", "hasta", "como máximo", "menores a", "inferiores a", "por debajo de",
                                        "no más de", "un máximo de", "menor a", "no superiores a"]),
            "ES_MONEY": self.money_spanish, "TOWN": lambda: self.weighted(self.cities)[0],
            "ZIP": lambda: self.one(self.zips), "GOAL_NUMBER": lambda: str(self.random.randrange(1, 18)),
            "NTEE_MARK": self.ntee, "GOAL_MARK": lambda: self.goal(""), "GOAL_MARK_ADD": lambda: self.goal(" add"),
        }
        return simple[name]()

    def goal(self, operation):
        number, title, names = self.one(self.goals)
        text = self.one([f"SDG {number}", f"sdg{number}", f"goal {number}", f"UN goal {number}", f"SDG #{number}",
                         f"Sustainable Development Goal {number}", f"SDG {number} ({title})", f"the {self.one(names)} goal",
                         f"the UN goal on {self.one(names)}", f"SDG {self.one(names)}", f"global goal {number}",
                         f"goal number {number}", f"SDGs {number} and {number % 17 + 1}"])
        return f"[{text}](sdg{operation})"

    def ntee(self):
        code, (letter, title) = self.one(self.codes), self.one(self.majors)
        text = self.one([f"NTEE {code}", f"NTEE code {code}", f"ntee {code.lower()}", code, f"NTEE {letter}",
                         f"major group {letter}", f"NTEE major group {letter}", f"code {code}", f"the NTEE group {title}",
                         f"NTEE codes {code} and {self.one(self.codes)}", f"category {letter}"])
        return f"[{text}](ntee)"


KNOWN_NAMES = """Habitat for Humanity;American Red Cross;Salvation Army;St Jude;Sierra Club;Doctors Without Borders;YMCA;
Goodwill;United Way;Feeding America;World Vision;Heifer International;Save the Children;Kiva;charity: water;UNICEF USA;
Nature Conservancy;World Wildlife Fund;ASPCA;Humane Society;Best Friends Animal Society;Planned Parenthood;ACLU;
Boys and Girls Club;Big Brothers Big Sisters;Girl Scouts;Boy Scouts of America;Make-A-Wish;Susan G. Komen;JDRF;
American Cancer Society;Alzheimer's Association;Teach for America;Khan Academy;Wikimedia Foundation;Gates Foundation;
Ford Foundation;Rotary Club;Lions Club;Kiwanis;VFW;American Legion;NAACP;Meals on Wheels;Ronald McDonald House;
Special Olympics;March of Dimes;Wounded Warrior Project;Catholic Charities;Lutheran Social Services;Jewish Federation;
Samaritan's Purse;Compassion International;Oxfam;CARE;Mercy Corps;Partners in Health;Smithsonian;Metropolitan Opera;
PBS;NPR;National Geographic Society;Audubon Society;Trout Unlimited;Ducks Unlimited;4-H;FFA;PTA;Elks Lodge;Moose Lodge;
Second Harvest;Dress for Success;Girls Who Code;DonorsChoose;GiveDirectly;GoodRx Helps;Team Rubicon;Direct Relief
""".replace("\n", "").split(";")


class Grammar:
    """Rules, their alternatives with weights, and labels of those that are kinds of sentences."""

    def __init__(self, path):
        self.rules, self.kinds, rule = {}, [], None
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            if line.startswith(":"):
                rule, *labels = line[1:].split(" ")
                self.rules[rule] = []
                if labels:
                    self.kinds.append((rule, dict(label.split("=") for label in labels)))
                continue
            weight = re.match(r"(\d+)\* ", line)
            self.rules[rule].append((int(weight[1]) if weight else 1, line[weight.end():] if weight else line))

    def expand(self, rule, source, sorts):
        alternatives = self.rules[rule]
        text = source.random.choices([a for _, a in alternatives], [w for w, _ in alternatives])[0]
        text = self.choose(text, source)
        def fill(match):
            name = match[1]
            if name in self.rules:
                inner = self.expand(name, source, sorts)
                return inner if inner.endswith(" ") or not inner or name != "lead" else inner + " "
            if name == "AMOUNT_BOUND":
                return "max" if re.search(r"under", text[:match.start()][-40:]) else "min"
            for key, orders in (("SORT", SORTS), ("SORT_FIRST", SORTS_FIRST), ("SORT_MOST", SORTS_MOST)):
                if name == key:
                    word = source.one(sorted(orders))
                    sorts[key] = orders[word]
                    return word
                if name == key.replace("SORT", "SORTED"):
                    return sorts[key]
            return source.slot(name)
        return re.sub(r"\{([A-Za-z_0-9]+)\}", fill, text)

    @staticmethod
    def choose(text, source):
        text = text.replace("\\<", "\x01").replace("\\>", "\x02")
        while (match := re.search(r"<([^<>]*)>", text)):
            text = text[:match.start()] + source.one(match[1].split("|")) + text[match.end():]
        return text.replace("\x01", "<").replace("\x02", ">")


def misspell(word, source):
    if len(word) < 5 or not word.isalpha():
        return word
    at = source.random.randrange(1, len(word) - 1)
    return source.one([word[:at] + word[at + 1:], word[:at] + word[at] + word[at:],
                       word[:at - 1] + word[at] + word[at - 1] + word[at + 1:] if at > 1 else word,
                       word[:at] + source.one("aeiou") + word[at + 1:]])


def noisy(marked, source):
    """The sentence as somebody careless types it; marks stay."""
    kind = source.random.random()
    pieces = re.split(r"(\[|\]\([a-z_ ]+\))", marked)
    def change(of):
        return "".join(piece if piece == "[" or piece.startswith("](") else of(piece) for piece in pieces)
    if kind < 0.35:
        marked = change(str.lower)
    elif kind < 0.38:
        marked = change(str.upper)
    pieces = re.split(r"(\[|\]\([a-z_ ]+\))", marked)
    if source.chance(0.12):
        marked = change(lambda piece: re.sub(r"[A-Za-z]+", lambda m: misspell(m[0], source) if source.chance(0.25) else m[0], piece))
    pieces = re.split(r"(\[|\]\([a-z_ ]+\))", marked)
    if source.chance(0.1):
        marked = change(lambda piece: re.sub(r"[,?!]", "", piece))
    return marked


US_STATE = re.compile(r"\b(%s)\b" % "|".join([*STATE_NAMES.values(), *STATE_NAMES]))


class Variation:
    """Written sentences with other values in the same words."""

    def __init__(self, paths, source):
        self.source = source
        self.rows = [(row, state) for path in paths for row, state, _ in rows(path) if not is_held_out(row)]
        self.causes = {}
        for row, _ in self.rows:
            for match in SPAN.finditer(row["text"]):
                # `Texas longhorn cattle` is a cause where it was written, and seldom elsewhere.
                if match[2] == "cause" and not US_STATE.search(match[1].title()):
                    self.causes.setdefault(self.form(match[1], row), []).append(match[1])

    @staticmethod
    def form(cause, row):
        """Causes of one form stand in each other's place: `helping veterans`, `food banks`, `literacy`."""
        first, *_, last = cause.split(" ") if " " in cause else (cause, cause)
        return row.get("lang", "en"), first.endswith("ing"), last.endswith("s"), cause.islower(), first == last

    def value(self, words, label, row):
        """Other words for those of a span, or the same."""
        source = self.source
        if label in ("place", "place not", "place add") and row.get("lang", "en") != "other":
            place = source.place_like(words)
            return place.lower() if words.islower() else place
        if label == "name":
            name = source.name()
            name = re.sub("^the ", "", name)
            return name.lower() if words.islower() else name
        if label.split(" ")[0] == "cause" and source.chance(0.6):
            return source.one(self.causes.get(self.form(words, row)) or [words])
        if label.split(" ")[0] in ("revenue", "assets", "expenses", "amount", "employees"):
            return re.sub(r"(?<![\d.,])[1-9]\d{0,2}(?![\d.,])", lambda m: str(source.one(
                [1, 2, 3, 4, 5, 6, 8, 15] if len(m[0]) == 1 else [10, 12, 20, 25, 30, 40, 60, 75] if len(m[0]) == 2
                else [100, 125, 200, 250, 300, 400, 500, 600, 750, 800])), words) if "range" not in label else words
        if label.split(" ")[0] == "ein":
            ein = source.one(source.names)[3]
            return re.sub(r"\d{2}(\W*)\d{7}", lambda m: f"{ein[:2]}{m[1]}{ein[2:]}", words)
        return words

    def draw(self):
        row, state = self.source.one(self.rows)
        text = SPAN.sub(lambda m: f"[{self.value(m[1], m[2], row) if self.source.chance(0.7) else m[1]}]({m[2]})",
                        row["text"])
        told = {name for name, value in zip(STATE, state) if value}
        return row | {"text": noisy(text, self.source)} | ({"state": sorted(told, key=STATE.index)} if told else {})


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--bmf", nargs="+", type=Path, required=True)
    arguments.add_argument("--count", type=int, default=16000)
    arguments.add_argument("--vary", nargs="*", type=Path, default=[], help="files of written sentences")
    arguments.add_argument("--variations", type=int, default=24000)
    arguments.add_argument("--seed", type=int, default=20)
    options = arguments.parse_args()
    source, grammar = Source(options.bmf, options.seed), Grammar(DATA / "reader" / "grammar.txt")
    weights = [int(labels.get("weight", 1)) for _, labels in grammar.kinds]
    seen = set()
    while len(seen) < options.count:
        rule, labels = source.random.choices(grammar.kinds, weights)[0]
        text = noisy(re.sub(r" +", " ", grammar.expand(rule, source, {})).strip(), source)
        text = re.sub(r"\[ +", " [", re.sub(r" +\]", "]", text)).strip()
        row = {"text": text, "intent": labels["intent"]}
        row |= {"act": labels["act"]} if "act" in labels else {}
        row |= {"fact": labels["fact"]} if "fact" in labels else {}
        row |= {"lang": labels["language"]} if "language" in labels else {}
        state = [name.rstrip("?") for name in labels.get("state", "").split(",")
                 if name and (not name.endswith("?") or source.chance(0.5))]
        row |= {"state": state} if state else {}
        if text in seen or errors(row, True):
            continue
        seen.add(text)
        print(json.dumps(row, ensure_ascii=False))
    variation = Variation(options.vary, source)
    for _ in range(options.variations if options.vary else 0):
        row = variation.draw()
        if row["text"] not in seen and not errors(row, True):
            seen.add(row["text"])
            print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
