//! Vectors in files: those that a build keeps beside its snapshots, and those that another machine embeds for it.

use std::path::Path;

use super::embedding::{encoded, form};
use super::error::BuildError;
use crate::embed::{Cache, CacheContents, CacheError, Key, Model};
use crate::index::vectors::Codec;
use crate::snapshot::directory::Directory;

/// A file of vectors, for builds on other machines.
#[derive(Debug)]
pub struct VectorFile<'a> {
    model: &'a Model,
    codec: Codec,
    cache: Cache,
}

impl<'a> VectorFile<'a> {
    /// Begins a file at a path where there is none.
    pub fn create(path: &Path, model: &'a Model) -> Result<Self, BuildError> {
        let codec = Codec::new(model.dimensions())?;
        let cache = Cache::open(path, &form(model), codec.row_bytes())?;
        Ok(Self { model, codec, cache })
    }

    /// Embeds texts on this many threads and adds their vectors to the cache.
    ///
    /// # Errors
    /// When a text cannot be embedded, or the system refuses.
    pub fn add(&mut self, texts: &[String], threads: usize) -> Result<(), BuildError> {
        let keys: Vec<Key> = texts.iter().map(|text| Key::of(text)).collect();
        let rows = encoded(self.model, &self.codec, texts, threads)?;
        Ok(self.cache.add(&keys, &rows)?)
    }
}

/// The vectors that builds keep in a data directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VectorCache(CacheContents);

impl VectorCache {
    /// Looks at the cache of a data directory; `None` where there is none. Writes nothing.
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

    /// Whether a build with this model can reuse the cache; if not, the build starts a new one.
    pub fn fits(&self, model: &Model) -> bool {
        Codec::new(model.dimensions())
            .is_ok_and(|codec| self.0.fits(&form(model), codec.row_bytes()))
    }
}
