//! `almoner verify`: every file of the published snapshot against its manifest, and the key file
//! against its checksum.

use super::progress::counted;
use super::{DataDir, Outcome, print, table};
use crate::http::keys::{self, KeysError};
use crate::snapshot::{self, Corruption};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let data_dir = arguments.data_dir.path;
    let mut report = snapshot::verify(&data_dir)?;
    match keys::list(&data_dir) {
        Ok(_) => {}
        Err(KeysError::Damaged { why, .. }) => report.damaged.push(keys_damaged(why.to_owned())),
        Err(KeysError::Format { found, .. }) => {
            report.damaged.push(keys_damaged(format!("it has format {found}")));
        }
        Err(error) => return Err(error.into()),
    }
    for damage in &report.damaged {
        print(&format!("damaged: {} {}", damage.file, damage.what))?;
    }
    let snapshot = report.snapshot.as_deref().unwrap_or("that CURRENT names");
    let size = table::size(report.bytes);
    if report.damaged.is_empty() {
        print(&format!("snapshot {snapshot} is whole: {}, {size}", counted(report.files, "file")))?;
        return Ok(Outcome::Done);
    }
    if report.damaged.iter().all(|damage| damage.file == keys::NAME) {
        anyhow::bail!(
            "{} is damaged; restore it from a backup, or remove it and create new keys; snapshot \
             {snapshot} is whole",
            keys::NAME
        );
    }
    anyhow::bail!(
        "snapshot {snapshot} is damaged in {}; build again from the source files",
        counted(report.damaged.len() as u64, "file")
    )
}

fn keys_damaged(why: String) -> Corruption {
    Corruption { file: keys::NAME.to_owned(), what: format!("is not as it was written: {why}") }
}
