//! A model that is loaded when it is first asked for, and then shared.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::{Error, Model};

/// A model to be loaded once: from a folder, or the embedded one.
#[derive(Debug, Default)]
pub struct Lazy {
    folder: Option<PathBuf>,
    model: OnceLock<Result<Model, Arc<Error>>>,
}

impl Lazy {
    /// The model in a folder, or the embedded one; nothing is read yet.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, model: OnceLock::new() }
    }

    /// The model; whoever asks first waits for it to be loaded, as does who asks meanwhile.
    ///
    /// # Errors
    /// Those of [`Model::load`], the same each time.
    pub fn get(&self) -> Result<&Model, Arc<Error>> {
        let load = || Model::load(self.folder.as_deref()).map_err(Arc::new);
        self.model.get_or_init(load).as_ref().map_err(Arc::clone)
    }
}
