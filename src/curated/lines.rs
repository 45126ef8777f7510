//! Newline-delimited JSON: lines to records or rejects, in constant memory.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read};
use std::sync::LazyLock;

use serde_json::{Map, Value};

use super::object::Object;
use super::{Counts, Event, Item, PROGRESS_BYTES, ReadError, RecordError, kinds};
use crate::naming::normalise;
use crate::record::Knowledge;

/// The longest line that is read: several times the longest record of use.
const LINE_BYTES_MAX: usize = 1 << 20;

/// How much is read at once.
const BUFFER_BYTES: usize = 64 << 10;

/// Reads lines to the end, in constant memory, and calls `on` for everything found. Blank lines are
/// skipped. An error of `on` stops the reading and is returned.
pub fn read_lines<E: From<ReadError>>(
    input: impl Read,
    on: &mut dyn FnMut(Event) -> Result<(), E>,
) -> Result<Counts, E> {
    let mut input = BufReader::with_capacity(BUFFER_BYTES, input);
    let mut counts = Counts::default();
    let (mut line, mut number, mut reported) = (Vec::new(), 0, 0);
    loop {
        let length = next_line(&mut input, &mut line).map_err(ReadError::Io)?;
        if length == 0 {
            break;
        }
        counts.bytes += length;
        number += 1;
        let text = match (number, line.as_slice()) {
            (1, [0xEF, 0xBB, 0xBF, rest @ ..]) => rest.trim_ascii(),
            (_, line) => line.trim_ascii(),
        };
        let is_whole = line.len() <= LINE_BYTES_MAX;
        if !text.is_empty() || !is_whole {
            match read(text, is_whole) {
                Ok((item, keys)) => {
                    counts.items += 1;
                    on(Event::Item { line: number, item })?;
                    keys.into_iter().try_for_each(|key| on(Event::Warning { key }))?;
                }
                Err(fault) => {
                    counts.rejects += 1;
                    on(Event::Reject(RecordError { line: number, ..fault }))?;
                }
            }
        }
        if counts.bytes - reported >= PROGRESS_BYTES {
            reported = counts.bytes;
            on(Event::Progress { bytes: reported })?;
        }
    }
    on(Event::Progress { bytes: counts.bytes })?;
    Ok(counts)
}

/// Takes a line without its end or, of one that is too long, a byte more than may be. Returns how many
/// bytes it has with its end, 0 where there is none.
fn next_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let mut length = input.by_ref().take(LINE_BYTES_MAX as u64 + 1).read_until(b'\n', line)?;
    if line.ends_with(b"\n") {
        line.pop();
    } else if length > LINE_BYTES_MAX {
        length += input.skip_until(b'\n')?;
    }
    Ok(length as u64)
}

/// Reads one line: the record, and the keys that are not known.
fn read(bytes: &[u8], is_whole: bool) -> Result<(Item, Vec<String>), RecordError> {
    let fault = |expected: Cow<'static, str>| {
        let start = &bytes[..bytes.len().min(super::EXCERPT_CHARACTERS_MAX * 4)];
        RecordError::new("line", expected, &String::from_utf8_lossy(start))
    };
    if !is_whole {
        return Err(fault("a line of at most 1 MiB".into()));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| fault("UTF-8".into()))?;
    if !text.starts_with('{') {
        return Err(fault("a JSON object in one line".into()));
    }
    let map: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        let column = error.column();
        fault(format!("a JSON object in one line; what is wrong is at column {column}").into())
    })?;
    let mut object = Object::new(map);
    let item = kinds::item(&mut object)?;
    Ok((item, object.rest().collect()))
}

static OWN_KNOWLEDGE: LazyLock<Vec<Knowledge>> = LazyLock::new(|| {
    let mut entries = Vec::new();
    let text = include_str!("../../data/knowledge.ndjson");
    let read = read_lines::<ReadError>(text.as_bytes(), &mut |event| {
        if let Event::Item { item: Item::Knowledge(entry), .. } = event {
            entries.push(*entry);
        }
        Ok(())
    });
    read.expect("an embedded text can be read");
    entries
});

/// Whether at least two titles or questions of the knowledge base that comes with the program have a word, in normal form.
pub fn is_explained_word(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let texts = OWN_KNOWLEDGE.iter().flat_map(|entry| {
            let Knowledge { title, questions, .. } = entry;
            questions.iter().chain([title])
        });
        let mut counts = HashMap::new();
        for text in texts {
            let form = normalise(text);
            let words: HashSet<&str> = form.split(' ').collect();
            words.into_iter().for_each(|word| *counts.entry(word.to_owned()).or_insert(0) += 1);
        }
        // What a single question has may be misspelt there.
        counts.into_iter().filter(|(_, count)| *count > 1).map(|(word, _)| word).collect()
    });
    WORDS.contains(word)
}

/// The knowledge base that comes with the program, `data/knowledge.ndjson`: entries on U.S. nonprofits, on
/// giving and on the service itself. An operator's entry of the same identifier replaces one.
pub fn own_knowledge() -> &'static [Knowledge] {
    &OWN_KNOWLEDGE
}
