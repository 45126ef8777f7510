"""Sentences marked up with what they mean (data/reader/README.md): labels, parsing, the state of a dialogue."""

import hashlib
import json
import re
import sys

FIGURES = ["revenue", "expenses", "assets", "employees", "score", "rating"]
ROLES = [
    "none", "cause", "name", "place", "near", "amount", "revenue", "expenses", "assets", "employees",
    "score", "rating", "size", "sdg", "ntee", "subsection", "foundation", "deductible", "revoked",
    "vetted", "sort", "count", "ein", "ref", "number", "unread",
]
BOUNDS = ["none", "min", "max", "range", "about"]
OPERATIONS = ["none", "not", "add", "clear", "narrow"]
SORT_KEYS = ["none", *FIGURES, "name", "distance", "age"]
DIRECTIONS = ["none", "asc", "desc"]
INTENTS = [
    "find", "similar", "details", "compare", "articles", "article", "funds", "knowledge", "source",
    "hello", "thanks", "bye", "help", "more", "reset", "undo", "accusation", "distress", "off_topic",
    "unclear",
]
ACTS = ["new", "on"]
FACTS = [
    "none", "revenue", "expenses", "assets", "net_assets", "employees", "place", "website", "founded",
    "mission", "ein", "pay", "deductible", "standing", "officers", "size", "code", "goals", "score",
    "vetted", "filing", "impact", "donate", "contact",
]
LANGUAGES = ["en", "es", "other"]

# Heads of the model: a class a token, and a class a sentence.
TOKEN_HEADS = {
    "role": ROLES, "bound": BOUNDS, "operation": OPERATIONS, "sort_key": SORT_KEYS, "direction": DIRECTIONS,
}
SENTENCE_HEADS = {"intent": INTENTS, "act": ACTS, "fact": FACTS, "language": LANGUAGES}

# What a model is told of the conversation so far: a number that is 0 or 1 for each of these.
STATE = [
    "started", "cause", "name", "place", *(f"{figure}_min" for figure in FIGURES),
    *(f"{figure}_max" for figure in FIGURES), "size", "sdg", "ntee", "subsection", "foundation",
    "deductible", "revoked", "vetted", "sort", "shown_nonprofits", "shown_one", "shown_articles",
    "shown_funds", "explained",
]

SPAN = re.compile(r"\[([^\[\]]+)\]\(([a-z_ ]+)\)")


def parse(marked):
    """The text without marks, and its spans: (start, end, label of each token head)."""
    text, spans, at = "", [], 0
    for match in SPAN.finditer(marked):
        text += marked[at:match.start()]
        start = len(text)
        text += match[1]
        role, *rest = match[2].split()
        if role not in ROLES:
            raise ValueError(f"label {match[2]!r} in {marked!r}")
        label = {head: "none" for head in TOKEN_HEADS} | {"role": role}
        for word in rest:
            head = next((head for head, values in TOKEN_HEADS.items()
                         if word in values and head != "role" and (head != "sort_key" or role == "sort")), None)
            if head is None:
                raise ValueError(f"label {match[2]!r} in {marked!r}")
            label[head] = word
        spans.append((start, len(text), label))
        at = match.end()
    return text + marked[at:], spans


class Dialogue:
    """Which filters are set and what was shown, turn by turn."""

    def __init__(self):
        self.set = set()
        self.before = set()

    def state(self):
        return [float(name in self.set) for name in STATE]

    def turn(self, row):
        """What a turn changes."""
        intent, act = row["intent"], row.get("act", "new")
        shown = {"shown_nonprofits", "shown_one", "shown_articles", "shown_funds", "explained"}
        if intent == "reset":
            self.before, self.set = self.set, set()
            return
        if intent == "undo":
            self.set, self.before = self.before, self.set
            return
        subject = {"find": "shown_nonprofits", "similar": "shown_nonprofits", "compare": "shown_nonprofits",
                   "details": "shown_one", "articles": "shown_articles", "funds": "shown_funds",
                   "knowledge": "explained"}.get(intent)
        if subject is None:
            return
        next_set = set(self.set)
        if intent in ("find", "similar"):
            if act == "new":
                next_set = set()
            for _, _, label in parse(row["text"])[1]:
                names = slots(label, next_set)
                if label["operation"] in ("clear",):
                    next_set -= names
                else:
                    if label["role"] in FIGURES and names:
                        next_set -= {f"{label['role']}_min", f"{label['role']}_max"} - names
                    next_set |= names
            self.before = self.set
        next_set -= shown - ({"shown_nonprofits"} if intent == "details" else set())
        self.set = next_set | {subject, "started"}


def slots(label, known):
    """Names in STATE that a span sets or clears."""
    role, bound = label["role"], label["bound"]
    if role in FIGURES:
        both = {f"{role}_min", f"{role}_max"}
        if label["operation"] == "clear":
            return both if bound == "none" else {f"{role}_{bound}"}
        return {"min": {f"{role}_min"}, "max": {f"{role}_max"}}.get(bound, both)
    if label["operation"] == "not" and role in ("cause", "name"):
        return set()
    return {role} if role in STATE else set()


def rows(path):
    """Every sentence of a file: its row, the state before it, and the file's line."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            row = json.loads(line)
            dialogue = Dialogue()
            for turn in row.get("turns", [row]):
                state = dialogue.state()
                # A single sentence may say what was asked before it.
                for name in turn.get("state", []):
                    state[STATE.index(name)] = 1.0
                yield turn, state, number
                dialogue.turn(turn)


HELD_OUT_ONE_OF = 20


def is_held_out(row):
    """By its text, so that it does not depend on the order of files."""
    return hashlib.sha256(row["text"].encode()).digest()[0] % HELD_OUT_ONE_OF == 0


def errors(turn, is_first):
    """What is wrong with a sentence."""
    found = []
    known = {"intent": INTENTS, "act": ACTS, "fact": FACTS[1:], "lang": LANGUAGES}
    for key, value in turn.items():
        if key in known and value not in known[key]:
            found.append(f"{key} should be one of {', '.join(known[key])}, is {value!r}")
        elif key not in known and key not in ("text", "state"):
            found.append(f"key {key!r} is none of text, state, {', '.join(known)}")
    if "intent" not in turn:
        found.append("intent is missing")
    if is_first and turn.get("act") == "on" and "state" not in turn:
        found.append("a first turn goes on from nothing")
    try:
        text, spans = parse(turn["text"])
    except (KeyError, ValueError) as error:
        return [*found, str(error)]
    if not 1 <= len(text) <= 256 or "[" in text:
        found.append(f"text should have 1 to 256 characters and no other brackets: {text!r}")
    for start, end, label in spans:
        if text[start:end] != text[start:end].strip():
            found.append(f"blank at the edge of {text[start:end]!r}")
        if label["role"] in FIGURES and label["bound"] == "none" and label["operation"] != "clear":
            found.append(f"{text[start:end]!r} bounds neither way")
    return found


def main():
    wrong = sentences = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                row = json.loads(line)
                for at, turn in enumerate(row.get("turns", [row])):
                    sentences += 1
                    for error in errors(turn, at == 0):
                        wrong += 1
                        print(f"{path}:{number}: {error}")
    print(f"{sentences} sentences, {wrong} errors")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
