//! Reading a source that was extracted, from the parts that have it.

use super::super::Source;
use super::super::document::Outcome;
use super::super::error::ReadError;
use super::super::event::EventSink;
use super::super::hash::Stamp;
use super::super::returns::{Documents, FolderHash, zip_prefix};
use super::file::decode;
use super::{Extracted, Shape};
use crate::export::parquet::{Error, RecordReader};

/// Reads a source that was extracted.
pub(in super::super) fn read<E: From<ReadError>>(
    source: &Source,
    extracted: &Extracted,
    sink: &mut EventSink<'_, E>,
) -> Result<Stamp, E> {
    let name = source.name();
    let prefix = if extracted.shape == Shape::Zip { zip_prefix(source) } else { String::new() };
    let mut documents = Documents::new(sink, prefix);
    let mut folder = FolderHash::default();
    let mut last = Stamp::default();
    for (path, first, rows) in &extracted.rows {
        let damaged = |error: Option<Error>| ReadError::Extracted { path: path.clone(), error };
        let file = RecordReader::open(path).map_err(|error| damaged(Some(error)))?;
        let mut on = |record: &[u8]| {
            let mut document =
                decode(record).ok_or_else(|| Interrupted::Stopped(damaged(None).into()))?;
            if let (Shape::File, Outcome::Reject(reject)) = (extracted.shape, &mut document.outcome)
            {
                reject.source.clone_from(&name);
            }
            folder.add(&document.name, &document.stamp);
            last = document.stamp;
            documents.add(document).map_err(Interrupted::Stopped)
        };
        let read = file.read::<Interrupted<E>>(*first, *rows, &mut on);
        let read = read.map_err(|stopped| match stopped {
            Interrupted::File(error) => damaged(Some(error)).into(),
            Interrupted::Stopped(error) => error,
        })?;
        if read != *rows {
            return Err(damaged(None).into());
        }
    }
    Ok(match extracted.shape {
        Shape::Folder => folder.done(),
        Shape::File => last,
        Shape::Zip => extracted.zip.unwrap_or_default(),
    })
}

/// Why reading stopped.
enum Interrupted<E> {
    File(Error),
    Stopped(E),
}

impl<E> From<Error> for Interrupted<E> {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}
