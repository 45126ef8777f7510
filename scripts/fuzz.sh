#!/usr/bin/env bash
# Fuzzes the readers of outside bytes, the target of a request and the chat: each target of fuzz/ for
# some seconds, under AddressSanitizer and with overflow checks, from seeds that are small good files
# of its kind (of `almoner generate`, and written down below) and a dictionary of their words.
#
#   fuzz.sh [--seconds N] [--almoner BINARY] [--required] [TARGET...]
#
# Without targets it takes all, each for 600 seconds; without --almoner target/release/almoner, else
# target/debug/almoner. What a run found worth keeping lies in fuzz/corpus/TARGET and is taken up by the
# next; what made a target fail in fuzz/artifacts/TARGET, which `cargo +nightly fuzz run TARGET FILE` runs
# again. Prints a line a target; exits 1 if one failed: a crash, an input of more than 10 s, more than
# 2 GB, a leak. Needs cargo-fuzz and a nightly toolchain: without them it says `skipped: …` and succeeds,
# but fails with --required.
set -euo pipefail

UNIT_SECONDS=10
RSS_MB=2048
# Past the longest line that a reader of lists takes, 64 KiB, and one of JSON, 1 MiB.
INPUT_BYTES_MAX=70000
JSON_BYTES_MAX=1100000
DICTIONARY_WORDS=600

root=$(cd "$(dirname "$0")/.." && pwd)
seconds=600
almoner=
required=
targets=()
folder=

fail() {
    echo "fuzz.sh: $1" >&2
    exit 1
}

skip() {
    echo "skipped: $1"
    [ -z "$required" ] || exit 1
    exit 0
}

arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
            --seconds | --almoner)
                [ $# -gt 1 ] || fail "$1 needs a value"
                if [ "$1" = --seconds ]; then seconds=$2; else almoner=$(realpath "$2"); fi
                shift
                ;;
            --required) required=yes ;;
            -*) fail "unknown option $1; see the head of this file" ;;
            *) targets+=("$1") ;;
        esac
        shift
    done
    [[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "--seconds: expected a number of seconds, found $seconds"
}

# The program that writes the seeds.
find_program() {
    if [ -z "$almoner" ]; then
        almoner=$root/target/release/almoner
        [ -x "$almoner" ] || almoner=$root/target/debug/almoner
    fi
    [ -x "$almoner" ] || fail "no program at $almoner; build it, or name it with --almoner"
}

# Seeds of the three lists and the master file: some lines of each; and one that is too long a line.
seed_lists() {
    mkdir "$seeds/master_file" "$seeds/publication_78" "$seeds/revocation_list" "$seeds/postcard"
    for file in "$files"/eo*.csv; do
        head -n 4 "$file" >"$seeds/master_file/$(basename "$file")"
    done
    head -n 12 "$files/data-download-pub78.txt" >"$seeds/publication_78/list"
    head -n 12 "$files/data-download-revocation.txt" >"$seeds/revocation_list/list"
    head -n 12 "$files/data-download-epostcard.txt" >"$seeds/postcard/list"
    for list in publication_78 revocation_list postcard; do
        { head -n 2 "$seeds/$list/list"; head -c 66000 /dev/zero | tr '\0' 'x'; } >"$seeds/$list/long"
    done
}

# Seeds of returns, curated records and feeds.
seed_documents() {
    mkdir "$seeds/returns" "$seeds/curated" "$seeds/feed"
    local form kind file
    for form in IRS990 IRS990EZ IRS990PF; do
        file=$(grep -lE "<$form[ >]" "$files"/returns/*.xml | sed -n 1p) || fail "generate wrote no $form"
        cp "$file" "$seeds/returns/$form"
    done
    for kind in story metric post article knowledge fund overlay; do
        grep -hm 2 "\"kind\":\"$kind\"" "$files"/*.ndjson >"$seeds/curated/$kind" || fail "generate wrote no $kind"
    done
    { head -n 1 "$seeds/curated/story"; head -c 1060000 /dev/zero | tr '\0' 'x'; } >"$seeds/curated/long"
    cat >"$seeds/feed/rss" <<'FEED'
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>News</title><link>https://news.example.org/</link>
<item><title>A &amp; B &#8212; open</title><link>https://news.example.org/1</link><guid isPermaLink="false">n-1</guid>
<pubDate>Tue, 03 Jun 2025 09:39:21 +0200</pubDate><dc:creator>The office</dc:creator>
<description><![CDATA[<p>We <b>open</b> on&nbsp;Monday.<br/><img src="a.png" alt="x"></p>]]></description>
<content:encoded>&lt;ul&gt;&lt;li&gt;One&lt;/li&gt;&lt;/ul&gt;</content:encoded><category>events</category>
<media:group><media:content url="https://news.example.org/1.mp4" type="video/mp4"/></media:group>
<enclosure url="https://news.example.org/1.mp3" length="1" type="audio/mpeg"/></item></channel></rss>
FEED
    cat >"$seeds/feed/atom" <<'FEED'
<feed xmlns="http://www.w3.org/2005/Atom"><title type="text">News</title><id>urn:news</id>
<entry><id>urn:news:1</id><title type="html">A &lt;i&gt;title&lt;/i&gt;</title><updated>2025-06-03T09:39:21.5Z</updated>
<link rel="alternate" href="https://news.example.org/1"/><link rel="enclosure" type="image/png" href="1.png"/>
<author><name>The office</name></author><category term="news"/><summary>Short</summary>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>We open.</p></div></content></entry></feed>
FEED
}

# Seeds of ZIP files, stored and deflated, and of recognition: one of each kind.
seed_containers() {
    mkdir "$seeds/zip" "$seeds/recognise"
    local kind file
    for kind in master_file publication_78 revocation_list postcard returns curated feed; do
        for file in "$seeds/$kind"/*; do
            [ "$(basename "$file")" = long ] || cp "$file" "$seeds/recognise/$kind-$(basename "$file")"
        done
    done
    python3 - "$seeds/zip" "$seeds"/{publication_78,postcard,revocation_list}/list "$seeds"/returns/* <<'ZIP'
import sys, zipfile
folder, *files = sys.argv[1:]
for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
    for number, file in enumerate(files):
        with zipfile.ZipFile(f"{folder}/{method}-{number}", "w", method) as archive:
            archive.write(file, f"{number}.xml")
    with zipfile.ZipFile(f"{folder}/{method}-all", "w", method) as archive:
        for number, file in enumerate(files):
            archive.write(file, f"returns/{number}_public.xml")
ZIP
    cp "$seeds"/zip/* "$seeds/recognise/"
}

# Seeds of reports.
seed_reports() {
    mkdir "$seeds/pdf" "$seeds/web_page" "$seeds/docx" "$seeds/plain_text"
    printf 'Annual Report 2024\n\nWe served 1,245 fam-\nilies.\n\n- Meals\n\fEIN 17-0000001\n' >"$seeds/plain_text/text"
    printf '<main><h1>Report</h1><p>We served <b>5</b> &amp; more.</p><ul><li>a<li>b</ul><hr class="page"><table><tr><td>x<td>1</table></main>' >"$seeds/web_page/page"
    cp "$files"/reports/*/*.html "$seeds/web_page/"
    printf '<w:document xmlns:w="w"><w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>Text</w:t><w:br w:type="page"/></w:r></w:p><w:tbl><w:tr><w:tc/></w:tr></w:tbl></w:document>' >"$seeds/docx/document"
    python3 - "$seeds/pdf" <<'PDF'
import sys, zlib
folder = sys.argv[1]
content = b"BT /F 10 Tf 1 0 0 1 50 700 Tm (Text) Tj 0 -12 Td [(a) -300 <0041>] TJ ET q /X Do Q"
packed = zlib.compress(content)
pages = b"1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>endobj "
page = b"3 0 obj<</Contents 4 0 R>>endobj 5 0 obj<</Type/Font/Widths[500]/FirstChar 65/Encoding<</Differences[65/eacute]>>>>endobj "
form = b"6 0 obj<</Subtype/Form/Length 0>>stream\nendstream endobj trailer<</Root 1 0 R>>"
for name, keys, body in (("plain", b"", content), ("packed", b"/Filter/FlateDecode", packed)):
    stream = b"4 0 obj<<" + keys + b"/Length %d>>stream\n" % len(body) + body + b"\nendstream endobj "
    open(f"{folder}/{name}", "wb").write(pages + page + stream + form)
PDF
}

# Seeds of lists that are matched, in every encoding and with every separator.
seed_matched() {
    mkdir "$seeds/list"
    printf 'Name,Street,City,State,ZIP\n"Foo, Inc.",1 Main St,Reno,NV,89501\nBar,,,,\n' >"$seeds/list/commas"
    tr ',' '\t' <"$seeds/list/commas" >"$seeds/list/tabs"
    printf 'name;city\r\n"Pe\361a; Club";Reno\r\n' >"$seeds/list/windows"
    { printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$seeds/list/commas"; } >"$seeds/list/utf-16"
}

# Seeds of requests and of the chat, a file each: the snapshot of those targets is of the same files.
seed_questions() {
    mkdir "$seeds/query" "$seeds/chat"
    local ein number=0 line
    ein=$(sed -n '2s/,.*//p' "$files/eo3.csv")
    while IFS= read -r line; do
        number=$((number + 1))
        printf '%s' "${line//EIN/$ein}" >"$seeds/query/$number"
    done <<'TARGETS'
/nonprofits/details/EIN
/nonprofits/standing/EIN
/nonprofits/filings/EIN?page=1&size=20
/typeahead/nonprofits?q=red%20cro&limit=10&state=NY
/impact/stories/EIN?min_power_score=1&page=0&size=5
/impact/metrics/EIN?size=3
/impact/stories?q=food&eins=EIN,EIN&min_power_score=50
/impact/metrics?eins=EIN&metric_ids=1&metric_type=Output
/beta/nonprofits/search?q=help+for+veterans+in+Ohio&min_revenue=100000&sort=-revenue,name&size=100
/beta/nonprofits/search?latitude=40.7&longitude=-74&location_range=50&sort=distance&page=2&model=minilm
/beta/nonprofits/search?subsection_codes=03&foundation=15&city=New%20York&county=Kings&zip_code=10001
/beta/nonprofits/search?ntee_codes=A,B25&sdgs=1,2&org_size=Small&min_score=1&max_rating=4&max_vector_distance=0.9
/feed/posts?classification=event&search=x&view=latest&state=CA&eins=EIN&page=1&size=2
/chat/search?q=food%20banks%20in%20Ohio&gc_vetted=true&sdg=2&zip=10001
/chat?q=tell+me+about+EIN&city=Bronx&min_total_revenue=1&max_total_revenue=9e9
/openapi.json
TARGETS
    while IFS= read -r line; do
        number=$((number + 1))
        printf '%b' "${line//EIN/$ein}" >"$seeds/chat/$number"
    done <<'MESSAGES'
food banks in Ohio with revenue over $1M\nonly vetted ones\nwhat about Texas\nthe second one\nits revenue
tell me about EIN\nothers like it\narticles about hunger\nmore
show me article 1002\nwhat is an EIN?\nthanks\nstart over
funds for education\nno, I meant health in New York City\nany size\nnever mind the state
small animal shelters near 10001 founded after 1990, not in NJ\nthe first 3\ncompare them
MESSAGES
}

# Words of a target's seeds, as libFuzzer reads them.
dictionary() {
    find "$seeds/$1" -type f -exec cat {} + | tr -c '[:alnum:]_:./<=&%-' '\n' |
        LC_ALL=C awk 'length >= 2 && length <= 32 { seen[$0]++ } END { for (word in seen) print seen[word], word }' |
        LC_ALL=C sort -k1,1nr -k2 | awk -v most="$DICTIONARY_WORDS" 'NR <= most { print "\"" $2 "\"" }'
}

# One of the figures that libFuzzer prints at its end.
figure() {
    local found
    found=$(sed -n "s/^stat::$1: *//p" "$2" | tail -n 1)
    echo "${found:-0}"
}

# One target; its line.
fuzz() {
    local target=$1 log=$folder/$1.log status=0 most=$INPUT_BYTES_MAX units coverage found words=()
    [ "$target" != curated ] || most=$JSON_BYTES_MAX
    mkdir -p "$root/fuzz/corpus/$target" "$seeds/$target"
    dictionary "$target" >"$folder/$target.dict"
    [ ! -s "$folder/$target.dict" ] || words=(-dict="$folder/$target.dict")
    touch "$folder/began"
    (cd "$root" && TMPDIR=$folder/tmp cargo +nightly fuzz run -O -a "$target" "fuzz/corpus/$target" "$seeds/$target" \
        -- -max_total_time="$seconds" -timeout="$UNIT_SECONDS" -rss_limit_mb="$RSS_MB" -max_len="$most" \
        "${words[@]}" -print_final_stats=1) >"$log" 2>&1 || status=$?
    units=$(figure number_of_executed_units "$log")
    coverage=$(grep -oE 'cov: [0-9]+' "$log" | tail -n 1 | cut -c 6-)
    found=$(find "$root/fuzz/artifacts/$target" -newer "$folder/began" -type f ! -name 'slow-unit-*' 2>/dev/null | wc -l)
    printf '%-16s executions %10s  %7s/s  coverage %6s  peak %5s MB  crashes %s\n' \
        "$target" "$units" "$(figure average_exec_per_sec "$log")" "${coverage:-?}" "$(figure peak_rss_mb "$log")" "$found"
    if [ "$status" -ne 0 ] || [ "$found" -ne 0 ] || [ "$units" -eq 0 ]; then
        grep -aE 'panicked|ERROR:|SUMMARY:|Test unit written|^error' -A 1 "$log" | head -n 20 || tail -n 20 "$log"
        return 1
    fi
}

arguments "$@"
cargo fuzz --version >/dev/null 2>&1 && cargo +nightly --version >/dev/null 2>&1 ||
    skip "needs cargo-fuzz and a nightly toolchain"
find_program
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(cd "$root" && cargo fuzz list)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
files=$folder/files
seeds=$folder/seeds
mkdir "$seeds" "$folder/tmp"
"$almoner" generate --organizations 300 --seed 1 --returns 20 "$files" >"$folder/log" 2>&1 || fail "no data: $(cat "$folder/log")"
seed_lists
seed_documents
seed_containers
seed_reports
seed_matched
seed_questions
# The versions of crates that the program is built with, not the newest.
cp "$root/Cargo.lock" "$root/fuzz/Cargo.lock"
for target in "${targets[@]}"; do
    (cd "$root" && cargo +nightly fuzz build -O -a "$target") >"$folder/log" 2>&1 ||
        fail "$target does not build: $(tail -n 20 "$folder/log")"
done
failed=0
for target in "${targets[@]}"; do
    fuzz "$target" || failed=1
done
exit "$failed"
