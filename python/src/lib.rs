//! The Python module `almoner._almoner`: paths of the HTTP interface in, bytes of JSON out. `python/almoner` makes
//! methods and dictionaries of it.

use std::path::PathBuf;

use almoner::{LocalAnswer, LocalService};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A published snapshot. Any number of threads may ask one; the interpreter is free meanwhile.
#[pyclass(frozen)]
struct Service {
    service: LocalService,
}

#[pymethods]
impl Service {
    /// Opens the snapshot that is published in a data directory.
    #[new]
    fn open(py: Python<'_>, data_dir: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| LocalService::open(&data_dir));
        opened.map(|service| Self { service }).map_err(|error| {
            let causes =
                std::iter::successors(std::error::Error::source(&error), |one| one.source());
            let text = causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"));
            PyOSError::new_err(text)
        })
    }

    /// Status and body of what `GET target` is answered with.
    fn get<'py>(&self, py: Python<'py>, target: &str) -> PyResult<(u16, Bound<'py, PyBytes>)> {
        answered(py, target, || self.service.get(target))
    }

    /// Status and body of what `POST path` with a body of JSON is answered with.
    fn post<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        body: Vec<u8>,
    ) -> PyResult<(u16, Bound<'py, PyBytes>)> {
        answered(py, path, || self.service.post(path, body))
    }
}

/// Asks, with the interpreter free meanwhile: the status, and the body as a whole.
fn answered<'py>(
    py: Python<'py>,
    target: &str,
    ask: impl FnOnce() -> Option<LocalAnswer> + Send,
) -> PyResult<(u16, Bound<'py, PyBytes>)> {
    let answer = py.detach(|| ask().map(|answer| (answer.status, answer.whole())));
    let (status, body) = answer.ok_or_else(|| {
        let expected = "a path that begins with / and is percent-encoded";
        PyValueError::new_err(format!("expected {expected}, found {target:?}"))
    })?;
    Ok((status, PyBytes::new(py, &body?)))
}

#[pymodule]
mod _almoner {
    #[pymodule_export]
    use super::Service;
}
