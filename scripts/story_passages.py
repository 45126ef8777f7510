#!/usr/bin/env python3
"""Reads reports in HTML into passages, a JSON object a line, as the bench `reader -- reports` takes them.

    story_passages.py REPORT.html... > passages.ndjson

Only for training and measuring: the program reads reports itself. Pages begin at `<hr class="page">`; running heads and
page numbers (classes head and folio) are left out.
"""

import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

BLOCKS = set("""p div li h1 h2 h3 h4 h5 h6 blockquote figcaption caption tr section article aside ul ol table figure header
footer main body html dl dt dd hr thead tbody tfoot td th pre address""".split())
SKIPPED = {"script", "style", "title", "nav", "template"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
RUNNING = {"folio", "head", "foot"}
YEAR = re.compile(r"\b20[0-4]\d\b")


class Reader(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.passages, self.open, self.text = [], [], ""
        self.page, self.skipped, self.cells = 1, 0, None

    def kind(self):
        for tag, _ in reversed(self.open):
            if tag in HEADINGS:
                return "heading"
            if tag in ("figcaption", "caption"):
                return "caption"
            if tag == "blockquote":
                return "quotation"
            if tag in ("li", "dt", "dd"):
                return "list_item"
        return "paragraph"

    def flush(self):
        text, self.text = " ".join(self.text.split()), ""
        if not text or any(name in RUNNING for _, name in self.open):
            return
        if self.cells is not None:
            self.cells.append(text)
        else:
            self.passages.append({"page": self.page, "kind": self.kind(), "text": text})

    def handle_starttag(self, tag, attrs):
        name = (dict(attrs).get("class") or "").split(" ")[0]
        if tag in SKIPPED:
            self.skipped += 1
        elif tag == "br":
            self.text += " "
        elif tag in BLOCKS:
            self.flush()
            if tag == "hr":
                self.page += name == "page"
                return
            if tag == "tr":
                self.cells = []
            self.open.append((tag, name))

    def handle_endtag(self, tag):
        if tag in SKIPPED:
            self.skipped = max(0, self.skipped - 1)
        elif tag in BLOCKS and tag != "hr":
            self.flush()
            if tag == "tr" and self.cells is not None:
                cells, self.cells = self.cells, None
                if cells:
                    self.passages.append({"page": self.page, "kind": "table_row", "text": " | ".join(cells)})
            while any(one == tag for one, _ in self.open) and self.open.pop()[0] != tag:
                pass

    def handle_data(self, data):
        if not self.skipped:
            self.text += data


def passages(path):
    reader = Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.flush()
    years = [int(year) for one in reader.passages[:6] for year in YEAR.findall(one["text"])]
    year = {"year": max(years)} if years else {}
    return [{"report": path.stem, **year, **one} for one in reader.passages]


def main():
    for name in sys.argv[1:]:
        for passage in passages(Path(name)):
            print(json.dumps(passage, ensure_ascii=False))


if __name__ == "__main__":
    main()
