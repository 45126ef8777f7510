//! `almoner keys`: the API keys of a data directory, or of the folder that `serve --keys` reads them from.

use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::table::Table;
use super::{Outcome, complain_plainly, misused, not_found, print};
use crate::http::keys::{self, KeysError};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Create a key and print it; it cannot be shown again, as only its SHA-256 is stored
    Create {
        #[command(flatten)]
        folder: KeysFolder,
        /// Name of the person or program that the key is for
        #[arg(long, value_name = "NAME", env = "ALMONER_NAME")]
        name: String,
    },
    /// List the keys, without their secrets
    List {
        #[command(flatten)]
        folder: KeysFolder,
    },
    /// Revoke a key; a running server refuses it within a second
    Revoke {
        #[command(flatten)]
        folder: KeysFolder,
        /// The key's id, as `list` shows it
        #[arg(value_name = "ID")]
        id: String,
    },
}

impl Action {
    fn folder(&self) -> &KeysFolder {
        let (Self::Create { folder, .. } | Self::List { folder } | Self::Revoke { folder, .. }) =
            self;
        folder
    }
}

/// Where the keys are.
#[derive(Debug, clap::Args)]
struct KeysFolder {
    /// Folder that holds the snapshots and the keys
    #[arg(long, value_name = "DIR", env = "ALMONER_DATA_DIR", required_unless_present = "keys")]
    data_dir: Option<PathBuf>,
    /// Folder that holds keys.json, where it is not the data directory
    #[arg(long, value_name = "DIR", env = "ALMONER_KEYS")]
    keys: Option<PathBuf>,
}

impl KeysFolder {
    fn path(&self) -> &Path {
        self.keys.as_deref().or(self.data_dir.as_deref()).unwrap_or(Path::new(""))
    }

    /// A key of a folder that nothing serves would be made, or listed as missing, by mistake.
    fn check(&self) -> anyhow::Result<()> {
        let path = self.path();
        let missing = match self.keys {
            Some(_) => format!("folder of keys {} does not exist", path.display()),
            None => format!(
                "data directory {} does not exist; create it with `almoner build`",
                path.display()
            ),
        };
        anyhow::ensure!(path.is_dir(), missing);
        Ok(())
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    arguments.action.folder().check()?;
    match arguments.action {
        Action::Create { folder, name } => {
            let key = match keys::create(folder.path(), &name) {
                Ok(key) => key,
                Err(error @ KeysError::Name { .. }) => return Err(misused(error)),
                Err(error) => return Err(error.into()),
            };
            complain_plainly(&format!("key {} of {name}; it is not shown again:", key.id));
            print(&key.secret)?;
        }
        Action::List { folder } => {
            let mut table = Table::new(&["id", "name", "created", "revoked"]);
            for key in keys::list(folder.path())? {
                table.row([key.id, key.name, key.created_at, key.revoked_at.unwrap_or_default()]);
            }
            if table.is_empty() {
                complain_plainly("no keys yet; create one with `almoner keys create`");
            }
            print(&table.render())?;
        }
        Action::Revoke { folder, id } => match keys::revoke(folder.path(), &id) {
            Ok(_) => complain_plainly(&format!("key {id} is revoked")),
            Err(error @ KeysError::Unknown { .. }) => return Err(not_found(error)),
            Err(error) => return Err(error.into()),
        },
    }
    Ok(Outcome::Done)
}
