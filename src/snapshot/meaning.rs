//! Embeds what organizations and stories are about, and writes their vectors.
//!
//! Texts come in the order of their numbers and go in windows: of each window the texts that the cache lacks are
//! embedded, each once, and kept in the cache at once, so that a build that is killed loses at most
//! a window. The vectors are then written in that order, which makes neighbours of a place neighbours
//! on disk.

use std::collections::{HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use super::directory::Directory;
use super::error::BuildError;
use super::report::{Progress, Vectors as Report};
use crate::embed::{Cache, CacheContents, CacheError, Key, Model};
use crate::index::vectors;

/// The stage in which texts are embedded.
pub const EMBEDDING: &str = "embedding";

/// Texts of a window: enough texts of every length to fill batches, few enough to show
/// progress and to lose little.
const WINDOW: usize = 16_384;

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

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }
}

/// A list of texts, and below which folder its vectors go.
pub(super) struct Set<'a> {
    pub(super) texts: &'a Texts,
    pub(super) folder: PathBuf,
}

/// Embeds the texts of every set, the organizations first, and writes the vector files of each.
pub(super) fn write(
    sets: &[Set<'_>],
    model: &Model,
    directory: &Directory,
    progress: &dyn Progress,
) -> Result<Report, BuildError> {
    progress.stage("reading vector cache", None);
    let codec = vectors::Codec::new(model.dimensions())?;
    let cache = directory.vector_cache();
    let mut cache = Cache::open(&cache, &form(model), codec.row_bytes())?;
    let mut report = Report { notice: cache.notice().map(str::to_owned), ..Report::default() };

    // Every text that is used, and how many of them are new: what is cached takes no time, and would
    // make the rest look quick.
    let keys = |texts: &Texts| (0..texts.len()).map(|number| Key::of(texts.get(number))).collect();
    let keys: Vec<Vec<Key>> = sets.iter().map(|set| keys(set.texts)).collect();
    let used: HashSet<Key> = keys.iter().flatten().copied().collect();
    let new = used.iter().filter(|key| !cache.contains(**key)).count() as u64;
    report.distinct = used.len() as u64;
    progress.stage(EMBEDDING, Some(new));
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut builders = Vec::new();
    for (set, keys) in sets.iter().zip(keys) {
        let mut builder = vectors::Builder::create(&set.folder, model.dimensions())?;
        for (at, keys) in keys.chunks(WINDOW).enumerate() {
            let (texts, start) = (set.texts, at * WINDOW);
            let mut window =
                Window { texts, start, keys: keys.to_vec(), rows: HashMap::new(), codec: &codec };
            let embedded = window.fill(model, &mut cache, threads.get())?;
            window.push(&cache, &mut builder)?;
            report.embedded += embedded;
            progress.advance(embedded);
        }
        builders.push(builder);
    }
    cache.trim(|key| used.contains(&key))?;
    drop(used);
    for builder in builders {
        report.nodes += link(builder, threads, progress)?.nodes;
    }
    Ok(report)
}

/// What names the model and the form of the cache's rows.
fn form(model: &Model) -> String {
    format!("{} {}", model.identity(), vectors::ROW_FORM)
}

/// The vectors that builds keep in a data directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorCache(CacheContents);

impl VectorCache {
    /// Looks at the cache of a data directory; `None` where there is none. Writes nothing.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn look(data_dir: &Path) -> Result<Option<Self>, CacheError> {
        Ok(Cache::look(&Directory::new(data_dir).vector_cache())?.map(Self))
    }

    /// Vectors in it.
    pub fn rows(&self) -> u64 {
        self.0.rows
    }

    /// Its length.
    pub fn bytes(&self) -> u64 {
        self.0.bytes
    }

    /// Whether a build with that model uses it; otherwise the build begins it anew.
    pub fn fits(&self, model: &Model) -> bool {
        vectors::Codec::new(model.dimensions())
            .is_ok_and(|codec| self.0.fits(&form(model), codec.row_bytes()))
    }
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

/// Texts that are embedded together.
struct Window<'a> {
    texts: &'a Texts,
    start: usize,
    keys: Vec<Key>,
    /// Rows that this window embedded.
    rows: HashMap<Key, Vec<u8>>,
    codec: &'a vectors::Codec,
}

impl Window<'_> {
    /// Embeds the texts that the cache lacks, each once, and adds them to it; says how many.
    fn fill(
        &mut self,
        model: &Model,
        cache: &mut Cache,
        threads: usize,
    ) -> Result<u64, BuildError> {
        let mut missing: Vec<(Key, &str)> = Vec::new();
        let mut seen = HashSet::new();
        for (number, &key) in self.keys.iter().enumerate() {
            if !cache.contains(key) && seen.insert(key) {
                missing.push((key, self.texts.get(self.start + number)));
            }
        }
        let (keys, texts): (Vec<Key>, Vec<&str>) = missing.into_iter().unzip();
        let embedded = model.embed(&texts, threads)?;
        let mut rows = vec![0; keys.len() * self.codec.row_bytes()];
        let encoded = rows.chunks_exact_mut(self.codec.row_bytes());
        for (vector, row) in embedded.chunks_exact(model.dimensions()).zip(encoded) {
            self.codec.encode(vector, row);
        }
        cache.add(&keys, &rows)?;
        let rows = rows.chunks_exact(self.codec.row_bytes());
        self.rows = keys.iter().copied().zip(rows.map(<[u8]>::to_vec)).collect();
        Ok(keys.len() as u64)
    }

    /// Writes the window's rows in order.
    fn push(&self, cache: &Cache, builder: &mut vectors::Builder) -> Result<(), BuildError> {
        let mut cached = vec![0; self.codec.row_bytes()];
        for &key in &self.keys {
            let row = match self.rows.get(&key) {
                Some(row) => row,
                None => {
                    assert!(cache.get(key, &mut cached)?, "what the cache lacked was embedded");
                    &cached
                }
            };
            builder.push(row)?;
        }
        Ok(())
    }
}
