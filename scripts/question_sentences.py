#!/usr/bin/env python3
"""Make sentences from data/question_patterns.tsv for the models of questions to learn from.

    question_sentences.py [--seed 11] [--each 55] > made.tsv

Prints lines in the form of data/questions.tsv. Names are those in brackets in data/questions.tsv, one in five of them
in small letters, causes those of data/causes.tsv. Also printed are sentences of data/reader/written: those that ask for
officers or pay as such, and 3,000 others as `other`.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = (
    *("in Ohio", "in Texas", "in Portland, Maine", "near Denver", "in California", "in Idaho", "in Detroit"),
    *("in rural Georgia", "in the Bronx", "in New Mexico", "in Boise", "around Seattle", "in Vermont", "in Cook County"),
)
RECIPIENTS = (
    *("universities", "museums", "climate groups", "schools in Texas", "food banks", "arts groups", "hospitals"),
    *("churches", "universities in Ohio", "youth sports"),
)
KINDS = ("food banks", "hospices", "orchestras", "land trusts", "shelters", "museums", "zoos")
YEARS = ("2018", "2019", "2020", "2021", "2022")
OTHERS = 3000
OFFICERS_MAX = 160
CAUSE_CHARACTERS = range(5, 28)
TRIES = 150


def rows(path: str) -> list[list[str]]:
    lines = (ROOT / path).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


class Slots:
    """What stands in the places that patterns leave open."""

    def __init__(self) -> None:
        subjects = [(question, subject) for question, text in rows("data/questions.tsv") for subject in re.findall(r"\[([^\]]+)\]", text)]
        named = {subject for question, subject in subjects if question not in ("funders", "other")}
        self.names = sorted(name for name in named if name[0].isupper() and len(name) > 3)
        self.funders = [name for name in self.names if re.search("Foundation|Fund|Trust|Endowment|Philanthrop", name)]
        causes = [row[0] for row in rows("data/causes.tsv") if len(row[0]) in CAUSE_CHARACTERS]
        self.causes = causes + [subject for question, subject in subjects if question == "funders" and subject[0].islower()] * 4

    def name(self, is_funder: bool) -> str:
        name = random.choice(self.funders if is_funder else self.names)
        return f"[{name.lower() if random.random() < 0.2 else name}]"

    def place(self) -> str:
        return re.sub(" (.*)", r" [\1]", random.choice(PLACES), count=1)

    def filled(self, question: str, pattern: str) -> str:
        """A sentence of a pattern."""
        while choice := re.search(r"\{([^{}]*)\}", pattern):
            pattern = pattern[: choice.start()] + random.choice(choice.group(1).split("|")) + pattern[choice.end() :]
        makers = {
            r"\[N\]": lambda _: self.name(question == "grants_by" and random.random() < 0.85),
            r"\[M\]": lambda _: self.name(True),
            r"\bC\b": lambda _: f"[{random.choice(self.causes)}]",
            r"\bP\b": lambda _: self.place(),
            r"\bS\b": lambda _: f"[{random.choice(RECIPIENTS)}]",
            r"\bK\b": lambda _: f"[{random.choice(KINDS)}]",
            r"\bY\b": lambda _: random.choice(YEARS),
        }
        for slot, make in makers.items():
            pattern = re.sub(slot, make, pattern)
        sentence = re.sub(r"\s+([,?.])", r"\1", re.sub(" +", " ", pattern)).replace("] 's", "]'s").strip()
        return re.sub(r"[\[\]]", "", sentence) if question == "other" else sentence


def written() -> list[tuple[str, str]]:
    """Sentences that the reader learned from."""
    found: list[tuple[str, str]] = []
    messages = [json.loads(line) for path in sorted((ROOT / "data/reader/written").glob("*.jsonl")) for line in path.read_text().splitlines()]
    messages = [message for message in messages if "text" in message]
    random.shuffle(messages)
    officers, others = 0, 0
    for message in messages:
        marked, fact, intent = message["text"], message.get("fact"), message.get("intent")
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", marked)
        if fact in ("officers", "pay"):
            if intent == "details" and "](name" in marked and officers < OFFICERS_MAX:
                names = re.sub(r"\[([^\]]*)\]\(name[^)]*\)", r"<\1>", marked)
                names = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", names).replace("<", "[").replace(">", "]")
                found.append(("board" if fact == "officers" else "pay", names))
                officers += 1
        elif intent != "compare" and "[" not in plain and others < OTHERS:
            found.append(("other", plain))
            others += 1
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--each", type=int, default=55, help="sentences of a pattern at most")
    args = parser.parse_args()
    random.seed(args.seed)
    slots = Slots()
    for question, pattern in rows("data/question_patterns.tsv"):
        made: dict[str, None] = {}
        for _ in range(TRIES):
            made[slots.filled(question, pattern)] = None
            if len(made) == args.each:
                break
        for sentence in made:
            print(f"{question}\t{sentence}")
    for question, sentence in written():
        print(f"{question}\t{sentence}")


if __name__ == "__main__":
    main()
