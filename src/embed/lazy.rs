//! A model that is loaded when it is first asked for, and then shared.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use super::{Error, Model};

type Loaded = OnceLock<Result<Model, Arc<Error>>>;

/// The embedded model: a process has one.
static EMBEDDED: Loaded = OnceLock::new();

/// A model to be loaded once: from a folder, or the embedded one.
#[derive(Debug, Default)]
pub struct Lazy {
    folder: Option<PathBuf>,
    #[cfg(feature = "gpu")]
    device: Option<candle_core::Device>,
    /// Any but the embedded one on the CPU.
    model: Loaded,
}

impl Lazy {
    /// The model in a folder, or the embedded one; nothing is read yet.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
    }

    /// As [`Lazy::new`], with many texts embedded on the first GPU.
    #[cfg(feature = "gpu")]
    pub fn on_gpu(folder: Option<PathBuf>) -> Result<Self, Error> {
        use candle_core::Device;

        let is_cuda = cfg!(feature = "cuda");
        let device = if is_cuda { Device::new_cuda(0) } else { Device::new_metal(0) }?;
        Ok(Self { folder, device: Some(device), ..Self::default() })
    }

    /// The embedded model, loaded when it is first asked for.
    pub fn embedded() -> Result<&'static Model, Arc<Error>> {
        EMBEDDED.get_or_init(|| Model::embedded().map_err(Arc::new)).as_ref().map_err(Arc::clone)
    }

    /// The model; whoever asks first waits for it to be loaded, as does who asks meanwhile.
    pub fn get(&self) -> Result<&Model, Arc<Error>> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &self.device {
            let load = || Model::load_on(self.folder.as_deref(), device).map_err(Arc::new);
            return self.model.get_or_init(load).as_ref().map_err(Arc::clone);
        }
        let Some(folder) = &self.folder else { return Self::embedded() };
        let open = || Model::open(folder).map_err(Arc::new);
        self.model.get_or_init(open).as_ref().map_err(Arc::clone)
    }
}
