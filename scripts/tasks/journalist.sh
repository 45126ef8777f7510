#!/bin/sh
# The task of a journalist at a terminal: which nonprofits a state has, all of them as a file, what is in it by other
# tools, and the EINs of a list that somebody typed by hand, joined with what the nonprofits have. Uses what README and
# `--help` say, sh, Python's csv, and sqlite3 where there is one.
#
#   journalist.sh ALMONER DATA_DIR FOLDER
set -eu

almoner=$1
export ALMONER_DATA_DIR="$2"
cd "$3"

mismatch() {
  printf 'FAIL journalist: %s\n     %s: expected %s, found %s\n' "$step" "$1" "$3" "$(printf %s "$2" | head -c 300)"
  exit 1
}

is() { [ "$2" = "$3" ] || mismatch "$@"; }

# Whether text has what fits a pattern of the shell.
has() {
  case $2 in
    *$3*) ;;
    *) mismatch "$1" "$2" "…$3…" ;;
  esac
}

# An expression of Python over the rows of a CSV file.
rows() { python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], encoding="utf-8-sig", newline="")))
print(eval(sys.argv[2]))' "$@"; }

# Runs it, keeps what it says, and sets `code`.
trying() {
  code=0
  "$@" >out 2>err </dev/null || code=$?
}

helped() {
  for command in search export match; do
    has "the commands" "$("$almoner" --help)" "  $command "
    has "flags of $command" "$("$almoner" "$command" --help)" --data-dir
  done
}

searched() {
  "$almoner" search --state OH --limit all --format csv >ohio.csv 2>said
  is "states in the rows" "$(rows ohio.csv 'sorted({row["state"] for row in rows})')" "['OH']"
  has "what it says beside the rows" "$(cat said)" "$(rows ohio.csv 'len(rows)') nonprofits match"
  "$almoner" search --state OH --limit all --format csv --quiet >quiet.csv 2>said
  is "what it says with --quiet" "$(cat said)" ""
  is "the rows with --quiet" "$(cksum <quiet.csv)" "$(cksum <ohio.csv)"
  "$almoner" search --state OH --limit all --format ndjson --quiet | python3 -c 'import json, sys
print(*[json.loads(line)["ein"] for line in sys.stdin], sep="\n")' >eins
  is "EINs as NDJSON" "$(cksum <eins)" "$(rows ohio.csv '"\n".join(row["ein"] for row in rows)' | cksum)"
}

exported() {
  mkdir -p all
  "$almoner" export --quiet all
  "$almoner" export --quiet --format ndjson - >all.ndjson
  is "rows of the two formats" "$(rows all/nonprofits.csv 'len(rows)')" "$(wc -l <all.ndjson | tr -d ' ')"
  python3 - <<'END' || mismatch "values of the two formats" "others" "the same"
import csv, json
lines = [json.loads(line) for line in open("all.ndjson", encoding="utf-8")]
rows = csv.DictReader(open("all/nonprofits.csv", encoding="utf-8", newline=""))
for row, line in zip(rows, lines, strict=True):
    for name in ("ein", "name", "city", "state", "revenueGrandTotal"):
        value = "" if line[name] is None else str(line[name])
        assert row[name].removeprefix("'") == value.removeprefix("'"), (row["ein"], name, row[name], value)
END
  "$almoner" export --quiet --fields state,ein,name - >some.csv
  is "columns that were selected" "$(head -n 1 some.csv | tr -d '\r')" state,ein,name
}

totals() {
  sum='sum(int(row["revenueGrandTotal"] or 0) for row in rows if row["state"] == "OH")'
  total=$(rows all/nonprofits.csv "$sum")
  is "revenue of the state, searched and exported" "$(rows ohio.csv "$sum")" "$total"
  is "nonprofits of the state, asked as a program does" "$("$almoner" get '/nonprofits/search?state=OH&size=1' |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["total"])')" "$(rows ohio.csv 'len(rows)')"
  if command -v sqlite3 >/dev/null; then
    is "revenue of the state in SQLite" "$(sqlite3 :memory: -cmd '.mode csv' -cmd '.import all/nonprofits.csv n' \
      "SELECT sum(CAST(revenueGrandTotal AS INTEGER)) FROM n WHERE state = 'OH'")" "$total"
  else
    echo "skipped: no sqlite3"
  fi
}

# What somebody has typed: other headings, capitals, no "Inc", spaces, amounts, and somebody who is no nonprofit.
matched() {
  python3 - <<'END'
import csv, re
rows = [row for row in csv.DictReader(open("all/nonprofits.csv", encoding="utf-8", newline="")) if row["city"] and row["state"]]
with open("grants.csv", "w", encoding="utf-8-sig", newline="") as file:
    out = csv.writer(file)
    out.writerow(["No.", "Grantee", "Town", "ST", "Amount", "truth"])
    for at, row in enumerate(rows[:: max(1, len(rows) // 40)]):
        name = re.sub(r",? inc\.?$", "", row["name"], flags=re.I)
        name = [name.upper(), f"  {name.lower()} ", name.replace(" and ", " & "), f"{name}, Inc."][at % 4]
        out.writerow([at, name, row["city"].upper(), row["state"].lower(), f"${1000 + at:,}.00", row["ein"]])
    out.writerow([999, "Zzyzx Quux Holdings, LLC\nAttn: nobody", "", "", "$5", ""])
END
  "$almoner" match grants.csv --output found.csv 2>said
  has "which column is what" "$(cat said)" 'name from "Grantee", city from "Town", state from "ST"'
  is "rows" "$(rows found.csv 'len(rows)')" "$(rows grants.csv 'len(rows)')"
  is "columns" "$(rows found.csv '[*rows[0]]')" "['No.', 'Grantee', 'Town', 'ST', 'Amount', 'truth', 'decision', 'ein', 'matched_name', 'score', 'reasons', 'second_ein']"
  is "EINs that are said to be right and are not" "$(rows found.csv 'sum(row["decision"] == "yes" and row["ein"] != row["truth"] for row in rows)')" 0
  is "whether at least three of four are found" "$(rows found.csv '4 * sum(row["ein"] == row["truth"] != "" for row in rows) >= 3 * len(rows)')" True
  is "the one that is no nonprofit" "$(rows found.csv 'rows[-1]["decision"]')" no
  is "the same list through pipes" "$("$almoner" match - <grants.csv 2>/dev/null | cksum)" "$(cksum <found.csv)"
}

joined() {
  python3 - <<'END' || mismatch "a join by EIN" "other names or sums" "the names that match said"
import csv
read = lambda path: list(csv.DictReader(open(path, encoding="utf-8-sig", newline="")))
known = {row["ein"]: row for row in read("all/nonprofits.csv")}
pairs = [(row, known[row["ein"]]) for row in read("found.csv") if row["decision"] == "yes"]
assert pairs and all(row["matched_name"] == one["name"] for row, one in pairs), pairs[:1]
print(sum(float(row["Amount"].strip("$").replace(",", "")) for row, _ in pairs), file=open("sum", "w"))
END
  command -v sqlite3 >/dev/null || return 0
  is "amounts of those found, joined in SQLite" "$(sqlite3 :memory: -cmd '.mode csv' -cmd '.import all/nonprofits.csv n' -cmd '.import found.csv f' \
    "SELECT sum(replace(replace(f.Amount, '$', ''), ',', '')) FROM f JOIN n USING (ein) WHERE f.decision = 'yes'")" "$(cat sum)"
}

refused() {
  trying "$almoner" search --state OH --min-revenue 9e15
  is "exit code of nothing found" $code 3
  has "what is said of nothing found" "$(cat err)" "widen or leave out"
  trying "$almoner" search --state Ohayo
  is "exit code of a state that is none" $code 2
  has "what is said of it" "$(cat err)" Ohayo
  trying "$almoner" search --data-dir nowhere food
  is "exit code without data" $code 1
  has "what is said of it" "$(cat err)" nowhere
  trying "$almoner" export all
  is "exit code where a file is there" $code 1
  has "what is said of it" "$(cat err)" --force
  trying "$almoner" export --fields ein,revenue -
  is "exit code of a field that does not exist" $code 2
  has "what is said of it" "$(cat err)" revenueGrandTotal
  printf 'a,b\n1,2\n' >headless.csv
  trying "$almoner" match headless.csv
  is "exit code of a list without names" $code 1
  has "what is said of it" "$(cat err)" "--column name="
  trying "$almoner" get /nonprofits/details/000000000
  is "exit code of an EIN that nobody has" $code 3
  is "what is said when a pipe is closed early" "$("$almoner" export --quiet - 2>&1 >/dev/null | head -n 1; "$almoner" search --limit all --format csv --quiet 2>&1 | head -n 1)" \
    "$(head -n 1 ohio.csv)"
}

while read -r run step <&3; do
  began=$(date +%s)
  $run
  echo "ok   journalist: $step ($(($(date +%s) - began)) s)"
done 3<<'END'
helped --help names what is needed
searched a search as CSV and as NDJSON, with nothing beside the rows
exported everything as CSV and as NDJSON, value by value the same
totals sums by other tools agree
matched EINs of a list typed by hand
joined the list joined by EIN with what is known
refused mistakes end with an exit code and what to do
END
