#!/usr/bin/env python3
"""Compares stories and metrics that the program found in reports with those that people marked.

    story_passages.py FOLDER/*.html > passages.ndjson
    cargo bench --bench reader -- reports passages.ndjson > found.ndjson
    story_check.py FOLDER|passages.ndjson --marks marks.ndjson [--metrics metrics.ndjson] --found found.ndjson

A found story is right if half of its sentences are of a marked one, or half of the marked one's are its own, and it names
the marked protagonist; a marked one is found if any is right for it. A member is right if it and the marked one share half
of the words of the shorter. A quotation is exact if it is the marked one's words or a part of them. A metric is right if a
marked one of the same report has its value and they share a word of what is counted. Figures of stories are also given by
style, which is the last digit of the report's number. Marks that are doubtful count neither way.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

from story_passages import passages

WORD = re.compile(r"[^\W_]+")
MEMBERS = {"before": "before_state", "moment": "transformation_moment", "after": "after_state", "quote_by": "quote_attribution",
           "time": "time_to_impact", "call_to_action": "call_to_action"}
COMMON = set("the a an of in and to we our with for were was is are by on at from".split())


def words(text):
    return [word.lower() for word in WORD.findall(text or "")]


def read(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def alike(one, other):
    one, other = Counter(words(one)), Counter(words(other))
    shared = sum((one & other).values())
    return bool(one and other) and 2 * shared >= min(sum(one.values()), sum(other.values()))


def stem(name):
    return Path(name).stem


def span(text, first, last):
    """The words of a report from a marked first sentence to a marked last one, by place."""
    start = text.find(first)
    end = text.find(last, max(start, 0))
    return (start, end + len(last)) if start >= 0 and end >= 0 else None


def named(found, marked):
    one, other = set(words(found)) - COMMON, set(words(marked)) - COMMON
    return bool(one & other)


def right(found, marked, text):
    own = [span(text, passage, passage) for passage in found["passages"]]
    own = [one for one in own if one]
    theirs = span(text, marked["first"], marked["last"])
    if not own or not theirs:
        return False
    start, end = own[0][0], own[-1][1]
    shared = min(end, theirs[1]) - max(start, theirs[0])
    overlaps = 2 * shared >= end - start or 2 * shared >= theirs[1] - theirs[0]
    return shared > 0 and overlaps and named(found["story"]["protagonist"], marked["protagonist"])


def share(count, of):
    return f"{count} of {of}" + (f" ({count / of:.2f})" if of else "")


def check_stories(texts, marks, found):
    members, quotes, styles = defaultdict(lambda: [0, 0, 0]), [0, 0], defaultdict(lambda: [0, 0, 0, 0])
    hit, right_count, counted, spoiled = set(), 0, 0, 0
    for one in found:
        report = stem(one["report"])
        near = [(at, mark) for at, mark in enumerate(marks) if stem(mark["report"]) == report and right(one, mark, texts[report])]
        sure = [pair for pair in near if not pair[1].get("doubtful")]
        if near and not sure:
            continue
        counted += 1
        style = styles[report[-1]]
        style[1] += 1
        if not sure:
            print(f"  not marked: {report} {one['story']['protagonist']}: {one['passages'][0][:90]}")
            continue
        at, mark = sure[0]
        right_count += 1
        style[0] += 1
        hit.add(at)
        for name, member in MEMBERS.items():
            given, wanted = one["story"].get(member), mark.get(name)
            members[name][0] += bool(given and wanted and alike(given, wanted))
            members[name][1] += bool(given)
            members[name][2] += bool(wanted)
        quote, wanted = one["story"].get("full_quote"), mark.get("quote")
        spoiled += bool(quote) and quote not in texts[report]
        if wanted:
            quotes[1] += 1
            strip = lambda text: (text or "").strip(" ,.\"“”")
            quotes[0] += bool(quote) and (strip(quote) in wanted or strip(wanted) in quote)
    wanted = [(at, mark) for at, mark in enumerate(marks) if not mark.get("doubtful")]
    for at, mark in wanted:
        styles[stem(mark["report"])[-1]][3] += 1
        if at in hit:
            styles[stem(mark["report"])[-1]][2] += 1
        else:
            print(f"  not found: {mark['report']} {mark['protagonist']}")
    print(f"stories: precision {share(right_count, counted)}, recall {share(len(hit), len(wanted))}")
    for style in sorted(styles):
        good, all_found, got, all_marked = styles[style]
        print(f"  style {style}: precision {share(good, all_found)}, recall {share(got, all_marked)}")
    for name, (good, given, marked) in members.items():
        print(f"  {name}: right {share(good, given)} given, {marked} marked")
    print(f"  quotations: {share(quotes[0], quotes[1])} as marked, {spoiled} that are not words of the report")


def check_metrics(marks, found):
    left = defaultdict(list)
    for mark in marks:
        left[stem(mark["report"])].append(mark)
    good = counted = 0
    taken = set()
    for row in found:
        report, metric = stem(row["report"]), row["metric"]
        told = set(words(metric["metric_text"]) + words(metric["metric_type"])) - COMMON
        same = [mark for mark in left[report] if mark["value"] == metric["metric_value"]
                and told & set(words(mark.get("what") or mark.get("unit")) + words(mark["text"])) - COMMON]
        if same and all(mark.get("doubtful") for mark in same):
            continue
        counted += 1
        if same:
            good += 1
            taken.update(id(mark) for mark in same)
        else:
            print(f"  metric not marked: {report} {metric['metric_value']} {metric['metric_text']} | {metric['source_snippet'][:80]}")
    sure = [mark for mark in marks if not mark.get("doubtful")]
    print(f"metrics: precision {share(good, counted)}, recall {share(sum(id(mark) in taken for mark in sure), len(sure))}")


def texts_of(reports):
    """The text of each report."""
    if reports.is_dir():
        return {path.stem: " ".join(one["text"] for one in passages(path)) for path in reports.glob("*.html")}
    found = defaultdict(list)
    for passage in read(reports):
        found[passage["report"]].append(passage["text"])
    return {report: " ".join(texts) for report, texts in found.items()}


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("reports", type=Path, help="a folder of web pages, or a file of passages")
    parser.add_argument("--marks", type=Path, required=True)
    parser.add_argument("--metrics", type=Path)
    parser.add_argument("--found", type=Path, required=True)
    args = parser.parse_args()
    texts = texts_of(args.reports)
    found = [row for row in read(args.found) if stem(row["report"]) in texts]
    marks = [mark for mark in read(args.marks) if stem(mark["report"]) in texts]
    check_stories(texts, [mark for mark in marks if "protagonist" in mark], [row for row in found if "story" in row])
    metrics = read(args.metrics) if args.metrics else [mark for mark in marks if "value" in mark]
    check_metrics([mark for mark in metrics if stem(mark["report"]) in texts], [row for row in found if "metric" in row])


if __name__ == "__main__":
    main()
