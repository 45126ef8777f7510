//! Seeded mutations of good files: no reader panics, and every row is a record or a reject, counted
//! exactly.
//!
//! What to expect of a mutated file is told by splitters that are written here a second time, as
//! simply as can be. `cargo test --test it mutations -- --nocapture` prints the figures.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use almoner::sources::{Event, ReadError, SourceKind, discover, read};

use crate::fixture::{MASTER_HEADER, run, text};
use fastrand::Rng;

/// Of each reader.
const MUTATIONS: u64 = 10_000;
/// Of these so many are still taken for a file of their kind, and read row by row.
const READ_MIN: u64 = MUTATIONS / 2;
/// Rows of a good file.
const ROWS: usize = 6;
/// Whose posts the feed's are.
const FEED_EIN: &str = "970000001";
const FEED: &str = r#"<?xml version="1.0"?>
<rss version="2.0"><channel><title>News</title>
<item><guid>a</guid><title>One &amp; only</title><link>https://example.org/a</link>
<pubDate>Tue, 03 Jun 2025 09:39:21 GMT</pubDate><description><![CDATA[<p>Text</p>]]></description></item>
<item><guid>b</guid><title>Two</title><category>food</category><description>Words</description></item>
</channel></rss>
"#;

fn mutate(bytes: &mut Vec<u8>, random: &mut Rng) {
    const SPECIAL: &[u8] = b"\0\n\r\",|-@./{}[]:\\<>&;= \x80\xC3\xEF\xFF0Z";
    for _ in 0..=random.usize(..6) {
        let at = random.usize(..bytes.len().max(1));
        let to = (at + random.usize(..40)).min(bytes.len());
        let special = SPECIAL[random.usize(..SPECIAL.len())];
        match random.usize(..7) {
            _ if bytes.is_empty() => bytes.push(special),
            0 => bytes[at] = special,
            1 => bytes[at] = random.u8(..),
            2 => bytes.insert(at, special),
            3 => drop(bytes.drain(at..to)),
            4 => {
                let copied = bytes[at..to].to_vec();
                let into = random.usize(..bytes.len().max(1));
                bytes.splice(into..into, copied);
            }
            5 => bytes.truncate(at),
            _ => bytes.splice(at..at, vec![special; random.usize(..2_000)]).for_each(drop),
        }
    }
}

/// Fictional files of every kind, generated once.
static INPUTS: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    run(&["generate", text(folder.path()), "--organizations", "300", "--seed", "3"]).succeeds();
    folder
});

/// The first rows of a generated file.
fn rows_of(name: &str) -> Vec<u8> {
    let whole = fs::read(INPUTS.path().join(name)).unwrap();
    let lines = whole.split_inclusive(|byte| *byte == b'\n');
    lines.filter(|line| !line.trim_ascii().is_empty()).take(ROWS).flatten().copied().collect()
}

fn first_return() -> Vec<u8> {
    let mut paths: Vec<PathBuf> = fs::read_dir(INPUTS.path().join("returns"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .collect();
    paths.sort();
    fs::read(&paths[0]).unwrap()
}

/// A reader under test.
struct Trial {
    kind: SourceKind,
    /// Stays as it is.
    head: Vec<u8>,
    /// Is mutated.
    body: Vec<u8>,
    /// How many records and rejects a file of these bytes has, where that can be told without
    /// reading it as the reader does.
    expected: fn(&[u8]) -> Option<u64>,
}

#[derive(Default)]
struct Tally {
    records: u64,
    rejects: u64,
    refused: u64,
}

impl Trial {
    fn run(&self) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        let whole = [&self.head[..], &self.body].concat();
        let good = self.read(&path, &whole).expect("a good file is read");
        assert!(good.records > 0 && good.rejects == 0, "{:?} is good", self.kind);
        let mut random = Rng::with_seed(self.kind as u64);
        let mut tally = Tally::default();
        for round in 0..MUTATIONS {
            let mut body = self.body.clone();
            mutate(&mut body, &mut random);
            let bytes = [&self.head[..], &body].concat();
            let read = catch_unwind(AssertUnwindSafe(|| self.read(&path, &bytes)));
            let shown = || String::from_utf8_lossy(&bytes).into_owned();
            let read = read.unwrap_or_else(|_| panic!("round {round} panics: {:?}", shown()));
            let Some(read) = read else {
                tally.refused += 1;
                continue;
            };
            tally.records += read.records;
            tally.rejects += read.rejects;
            if let Some(expected) = (self.expected)(&bytes) {
                assert_eq!(read.records + read.rejects, expected, "round {round}: {:?}", shown());
            }
        }
        println!(
            "mutated {:?}: {MUTATIONS}; records {}, rejects {}, refused whole {}, panics 0",
            self.kind, tally.records, tally.rejects, tally.refused
        );
        assert!(MUTATIONS - tally.refused >= READ_MIN, "{:?}: hardly any file is read", self.kind);
        assert!(tally.rejects > 0, "{:?}: no row is rejected", self.kind);
    }

    /// What is found in a file of these bytes; none when it is no longer taken for a source of its
    /// kind, or refused as a whole.
    fn read(&self, path: &Path, bytes: &[u8]) -> Option<Tally> {
        // A file that is made anew need not reach the disk, one that is cut and rewritten may.
        let _ = fs::remove_file(path);
        fs::write(path, bytes).unwrap();
        let found = discover(&[path.to_owned()], FEED_EIN.parse().ok()).ok()?;
        let source = found.sources.iter().find(|source| source.kind == self.kind)?;
        let mut seen = Tally::default();
        let mut last = 0;
        let summary = read(source, &mut |event| {
            let line = match event {
                Event::Record { line, .. } => {
                    seen.records += 1;
                    line
                }
                Event::Reject(reject) => {
                    seen.rejects += 1;
                    reject.line
                }
                Event::Progress { .. } => return Ok(()),
            };
            // Several entries of a feed may stand in one line.
            assert!(line > last || self.kind == SourceKind::Feed && line == last, "lines rise");
            last = line;
            Ok::<_, ReadError>(())
        })
        .ok()?;
        assert_eq!((summary.rows, summary.rejects), (seen.records, seen.rejects));
        assert_eq!(summary.bytes, bytes.len() as u64);
        Some(seen)
    }
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| *byte == b'\n')
}

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

/// Lines of a pipe-separated file that are neither blank nor a header.
fn piped_rows(bytes: &[u8]) -> Option<u64> {
    let is_row = |line: &&[u8]| {
        let line = without_mark(line);
        let first = line.split(|byte| *byte == b'|').next().unwrap_or_default();
        !line.trim_ascii().is_empty() && !first.trim_ascii().eq_ignore_ascii_case(b"EIN")
    };
    Some(lines(bytes).filter(is_row).count() as u64)
}

/// Lines of newline-delimited JSON that are not blank.
fn json_rows(bytes: &[u8]) -> Option<u64> {
    let is_row = |line: &&[u8]| !line.trim_ascii().is_empty();
    Some(lines(without_mark(bytes)).filter(is_row).count() as u64)
}

/// One return a file.
fn one(_: &[u8]) -> Option<u64> {
    Some(1)
}

/// Of a feed nothing can be told without reading XML.
fn unknown(_: &[u8]) -> Option<u64> {
    None
}

/// Rows of a master file below its header. A row goes on over at most eight lines while a quoted
/// field is open, if it then has as many fields as the header; else its first line is a reject.
fn quoted_rows(bytes: &[u8]) -> Option<u64> {
    const SPAN_MAX: usize = 8;
    let columns = MASTER_HEADER.split(',').count();
    let all: Vec<&[u8]> = lines(bytes).skip(1).collect();
    let (mut at, mut rows) = (0, 0);
    while at < all.len() {
        let first = without_mark(all[at]);
        if first.trim_ascii().is_empty() {
            at += 1;
            continue;
        }
        rows += 1;
        // What follows the last newline is a line only when there is something in it.
        let end = if all[all.len() - 1].is_empty() { all.len() - 1 } else { all.len() };
        let spans = (1..=SPAN_MAX.min(end - at)).find_map(|span| {
            let joined = [&[first][..], &all[at + 1..at + span]].concat().join(&b'\n');
            fields_when_closed(&joined).map(|fields| (span, fields))
        });
        at += match spans {
            Some((span, fields)) if span == 1 || fields == columns => span,
            _ => 1,
        };
    }
    Some(rows)
}

/// How many fields a record has; none while a quoted one is open.
fn fields_when_closed(record: &[u8]) -> Option<usize> {
    let mut fields = 1;
    let mut rest = record;
    loop {
        if rest.first() == Some(&b'"') {
            rest = &rest[1..];
            loop {
                let quote = rest.iter().position(|byte| *byte == b'"')?;
                rest = &rest[quote + 1..];
                if rest.first() != Some(&b'"') {
                    break;
                }
                rest = &rest[1..];
            }
        }
        let Some(comma) = rest.iter().position(|byte| *byte == b',') else { return Some(fields) };
        rest = &rest[comma + 1..];
        fields += 1;
    }
}

#[test]
fn master_files() {
    let head = format!("{MASTER_HEADER}\r\n").into_bytes();
    let rows = rows_of("eo1.csv");
    let header_end = rows.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let mut body = rows[header_end..].to_vec();
    body.extend_from_slice(b"970000009,\"A, \"\"B\"\" C\",,,\"X\r\nY\",,00000-0000,");
    body.extend_from_slice(b",,,,,,,,,,,,,02,,,,,0,050,\r\n");
    Trial { kind: SourceKind::MasterFile, head, body, expected: quoted_rows }.run();
}

#[test]
fn piped_lists() {
    for (kind, name) in [
        (SourceKind::Publication78, "data-download-pub78.txt"),
        (SourceKind::RevocationList, "data-download-revocation.txt"),
        (SourceKind::Postcard, "data-download-epostcard.txt"),
    ] {
        // Two good rows before it, so that the file is still recognised.
        let rows = rows_of(name);
        let second = rows.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(1).unwrap();
        let (head, body) = rows.split_at(second.0 + 1);
        let (head, body) = (head.to_vec(), body.to_vec());
        Trial { kind, head, body, expected: piped_rows }.run();
    }
}

#[test]
fn curated_records() {
    let body = [rows_of("curated.ndjson"), rows_of("posts.ndjson")].concat();
    let first = body.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let (head, body) = body.split_at(first);
    let (head, body) = (head.to_vec(), body.to_vec());
    Trial { kind: SourceKind::Curated, head, body, expected: json_rows }.run();
}

#[test]
fn feeds() {
    let (head, body) = (Vec::new(), FEED.as_bytes().to_vec());
    Trial { kind: SourceKind::Feed, head, body, expected: unknown }.run();
}

#[test]
fn returns() {
    Trial { kind: SourceKind::Returns, head: Vec::new(), body: first_return(), expected: one }
        .run();
}
