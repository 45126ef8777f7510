//! What a build is going to embed, for machines that share the work: texts go out, files of vectors come in.

use std::collections::HashSet;
use std::io::{self, Write};

use super::error::BuildError;
use super::pipeline::{self, Options};
use super::report::Progress;
use crate::embed::Key;

/// How many texts were written, and how many vectors of others are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MissingTexts {
    pub missing: u64,
    pub known: u64,
}

/// Writes the texts that a build would embed and that neither its cache nor its inputs have vectors of, each once, a JSON
/// string a line. Publishes nothing.
///
/// # Errors
/// As [`super::build`]; and when there is no model, or the texts cannot be written.
pub fn missing_texts(
    options: &Options,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> Result<MissingTexts, BuildError> {
    let gathered = pipeline::texts(options, progress);
    progress.finish();
    let (embedder, lists) = gathered?;
    let mut seen = HashSet::new();
    let mut found = MissingTexts::default();
    for texts in &lists {
        for text in (0..texts.len()).map(|number| texts.get(number)) {
            let key = Key::of(text);
            if !seen.insert(key) {
                continue;
            }
            if embedder.has(key) {
                found.known += 1;
                continue;
            }
            found.missing += 1;
            let line = serde_json::to_writer(&mut *out, text).map_err(io::Error::from);
            let line = line.and_then(|()| out.write_all(b"\n"));
            line.map_err(BuildError::io("the file of texts"))?;
        }
    }
    Ok(found)
}
