//! Embeds what organizations and stories are about, and writes their vectors.
//!
//! Texts come in the order of their numbers and go in windows: of each window the texts that the cache lacks are
//! embedded, each once, and kept in the cache some at a time, so that a build that is stopped loses what seconds
//! made. The vectors are then written in that order, which makes neighbours of a place neighbours
//! on disk.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::error::BuildError;
use super::report::{Progress, Vectors as Report};
use crate::embed::{Cache, Key, Model};
use crate::index::vectors;
use crate::record::thousands;
use crate::snapshot::directory::Directory;

/// The stage in which texts are embedded.
pub const EMBEDDING: &str = "embedding";

/// Texts of a window, and bytes of them after which it ends: enough texts of every length to fill
/// batches, few enough that their vectors are small.
const WINDOW_TEXTS: usize = 16_384;
const WINDOW_BYTES: u64 = 1 << 20;
/// Texts that are embedded before they are kept: a few seconds of a slow core's work.
const KEPT_TOGETHER: usize = 1_024;

/// What is embedded of each of a list, in the order of their numbers.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: String,
    ends: Vec<u64>,
}

impl Texts {
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len() as u64);
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Where the window ends that begins at a text: behind that text at the earliest.
    pub(super) fn window_end(&self, start: usize) -> usize {
        let bytes_max = self.start(start) + WINDOW_BYTES;
        let within = self.ends[start..].partition_point(|&end| end <= bytes_max);
        start + within.clamp(1, WINDOW_TEXTS)
    }

    /// Where the bytes of a text begin.
    fn start(&self, number: usize) -> u64 {
        number.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    pub(super) fn get(&self, number: usize) -> &str {
        &self.bytes[self.start(number) as usize..self.ends[number] as usize]
    }
}

/// A list of texts, and below which folder its vectors go.
pub(super) struct Set<'a> {
    pub(super) texts: &'a Texts,
    pub(super) folder: PathBuf,
}

/// The model at work, with the cache of what it made before.
pub(super) struct Embedder<'a> {
    model: &'a Model,
    codec: vectors::Codec,
    cache: Cache,
    threads: NonZeroUsize,
    report: Report,
}

impl<'a> Embedder<'a> {
    /// Opens the cache of a data directory, and takes in the vectors that are in other files.
    pub(super) fn open(
        model: &'a Model,
        directory: &Directory,
        files: &[PathBuf],
    ) -> Result<Self, BuildError> {
        let codec = vectors::Codec::new(model.dimensions())?;
        let mut cache = Cache::open(&directory.vector_cache(), &form(model), codec.row_bytes())?;
        for path in files {
            if !cache.absorb(path)? {
                let (path, model) = (path.clone(), model.identifier());
                return Err(BuildError::VectorsOfAnother { path, model });
            }
        }
        let report = Report { notice: cache.notice().map(str::to_owned), ..Report::default() };
        let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self { model, codec, cache, threads, report })
    }

    /// The model.
    pub(super) fn model(&self) -> &'a Model {
        self.model
    }

    /// Whether it has the vector of a text.
    pub(super) fn has(&self, key: Key) -> bool {
        self.cache.contains(key)
    }

    /// Embeds the texts that the cache lacks, each once, and adds them to it; gives their rows.
    fn fill<'t>(
        &mut self,
        keys: &[Key],
        text: impl Fn(usize) -> &'t str,
        progress: &dyn Progress,
    ) -> Result<HashMap<Key, Vec<u8>>, BuildError> {
        let mut missing: Vec<(Key, &str)> = Vec::new();
        let mut seen = HashSet::new();
        for (at, &key) in keys.iter().enumerate() {
            if !self.cache.contains(key) && seen.insert(key) {
                missing.push((key, text(at)));
            }
        }
        // Texts of a length take as long, and go well together.
        missing.sort_by_key(|(_, text)| text.len());
        let row_bytes = self.codec.row_bytes();
        let mut fresh = HashMap::with_capacity(missing.len());
        for some in missing.chunks(KEPT_TOGETHER) {
            let (keys, texts): (Vec<Key>, Vec<&str>) = some.iter().copied().unzip();
            let rows = encoded(self.model, &self.codec, &texts, self.threads.get())?;
            self.cache.add(&keys, &rows)?;
            self.report.embedded += keys.len() as u64;
            fresh
                .extend(keys.iter().copied().zip(rows.chunks_exact(row_bytes).map(<[u8]>::to_vec)));
            // One takes about as long as it is long.
            progress.advance(texts.iter().map(|text| text.len() as u64).sum());
        }
        Ok(fresh)
    }

    /// Embeds the texts of every set, and writes the vector files of each; says what the whole build
    /// embedded. `seen` is shown the vectors of the first set: the number of a run's first text, and the
    /// vectors of the run, one after the other.
    pub(super) fn write(
        mut self,
        sets: &[Set<'_>],
        seen: &mut dyn FnMut(usize, &[f32]),
        progress: &dyn Progress,
    ) -> Result<Report, BuildError> {
        let keys =
            |texts: &Texts| (0..texts.len()).map(|number| Key::of(texts.get(number))).collect();
        let keys: Vec<Vec<Key>> = sets.iter().map(|set| keys(set.texts)).collect();
        // Only what is new counts: what is cached takes no time, and would make the rest look quick.
        let mut of_sets = HashSet::new();
        let mut new_bytes = 0;
        for (set, keys) in sets.iter().zip(&keys) {
            for (number, &key) in keys.iter().enumerate() {
                if of_sets.insert(key) && !self.cache.contains(key) {
                    new_bytes += set.texts.get(number).len() as u64;
                }
            }
        }
        self.report.texts += keys.iter().map(|keys| keys.len() as u64).sum::<u64>();
        self.report.distinct = of_sets.len() as u64;
        let kept = of_sets.iter().filter(|key| self.cache.contains(**key)).count() as u64;
        if kept > 0 && new_bytes > 0 {
            progress.note(&format!(
                "{} of {} texts were embedded before and are taken from vectors.cache",
                thousands(kept),
                thousands(of_sets.len() as u64)
            ));
        }
        progress.stage(EMBEDDING, Some(new_bytes));
        let mut builders = Vec::new();
        let dimensions = self.model.dimensions();
        let mut cached = vec![0; self.codec.row_bytes()];
        for (at, (set, keys)) in sets.iter().zip(keys).enumerate() {
            let mut builder = vectors::Builder::create(&set.folder, self.model.dimensions())?;
            let mut start = 0;
            while start < keys.len() {
                let end = set.texts.window_end(start);
                let text = |at| set.texts.get(start + at);
                let fresh = self.fill(&keys[start..end], text, progress)?;
                let mut vectors = vec![0.0; if at == 0 { end - start } else { 0 } * dimensions];
                let mut shown = vectors.chunks_exact_mut(dimensions);
                for &key in &keys[start..end] {
                    let row = row_of(&self.cache, &fresh, key, &mut cached)?;
                    builder.push(row)?;
                    if let Some(vector) = shown.next() {
                        self.codec.decode(row, vector);
                    }
                }
                if at == 0 {
                    seen(start, &vectors);
                }
                start = end;
            }
            builders.push(builder);
        }
        let Self { cache, threads, mut report, .. } = self;
        cache.trim(|key| of_sets.contains(&key))?;
        drop(of_sets);
        for builder in builders {
            report.nodes += link(builder, threads, progress)?.nodes;
        }
        Ok(report)
    }
}

/// The row of a key that was embedded now or is in the cache.
fn row_of<'r>(
    cache: &Cache,
    fresh: &'r HashMap<Key, Vec<u8>>,
    key: Key,
    cached: &'r mut [u8],
) -> Result<&'r [u8], BuildError> {
    match fresh.get(&key) {
        Some(row) => Ok(row),
        None => {
            assert!(cache.get(key, cached)?, "what the cache lacked was embedded");
            Ok(cached)
        }
    }
}

/// Embeds texts; gives the rows of their vectors, one after the other.
pub(super) fn encoded(
    model: &Model,
    codec: &vectors::Codec,
    texts: &[impl AsRef<str> + Sync],
    threads: usize,
) -> Result<Vec<u8>, BuildError> {
    let embedded = model.embed(texts, threads)?;
    let mut rows = vec![0; texts.len() * codec.row_bytes()];
    let encoded = rows.chunks_exact_mut(codec.row_bytes());
    for (vector, row) in embedded.chunks_exact(model.dimensions()).zip(encoded) {
        codec.encode(vector, row);
    }
    Ok(rows)
}

/// What names the model and the form of the cache's rows.
pub(super) fn form(model: &Model) -> String {
    format!("{} {}", model.bulk_identity(), vectors::ROW_FORM)
}

/// Builds the graph, a stage of the index's being a stage of the build.
fn link(
    builder: vectors::Builder,
    threads: NonZeroUsize,
    progress: &dyn Progress,
) -> Result<vectors::Counts, BuildError> {
    let mut stage = None;
    let mut told = 0;
    let mut tell = |now: vectors::Progress| {
        if stage != Some(now.stage) {
            let name = match now.stage {
                vectors::Stage::Inserting => "linking vectors",
                vectors::Stage::Repairing => "repairing links",
                vectors::Stage::Writing => "writing vectors",
            };
            progress.stage(name, Some(now.total));
            (stage, told) = (Some(now.stage), 0);
        }
        progress.advance(now.done.saturating_sub(told));
        told = now.done;
    };
    Ok(builder.finish(threads, &mut tell)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn windows(texts: &Texts) -> Vec<usize> {
        let end = |&start: &usize| (start < texts.len()).then(|| texts.window_end(start));
        std::iter::successors(Some(0), end).skip(1).collect()
    }

    #[test]
    fn windows_end_after_so_many_texts_or_bytes() {
        let mut texts = Texts::default();
        assert!(windows(&texts).is_empty());
        for _ in 0..WINDOW_TEXTS + 1 {
            texts.push("short");
        }
        assert_eq!(windows(&texts), [WINDOW_TEXTS, WINDOW_TEXTS + 1]);

        let half = "h".repeat(WINDOW_BYTES as usize / 2);
        let mut texts = Texts::default();
        for text in [&half, &half, "", "more", &half.repeat(3), &half] {
            texts.push(text);
        }
        assert_eq!(windows(&texts), [3, 4, 5, 6], "one that is longer than a window is one");
    }
}
