//! `almoner keys`: the API keys of a data directory.

use std::path::Path;

use clap::Subcommand;

use super::table::Table;
use super::{DataDir, Outcome, complain, complain_plainly, print};
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
        data_dir: DataDir,
        /// Name of the person or program that the key is for
        #[arg(long, value_name = "NAME", env = "ALMONER_NAME")]
        name: String,
    },
    /// List the keys, without their secrets
    List {
        #[command(flatten)]
        data_dir: DataDir,
    },
    /// Revoke a key; a running server refuses it within a second
    Revoke {
        #[command(flatten)]
        data_dir: DataDir,
        /// The key's id, as `list` shows it
        #[arg(value_name = "ID")]
        id: String,
    },
}

impl Action {
    fn data_dir(&self) -> &Path {
        let (Self::Create { data_dir, .. }
        | Self::List { data_dir }
        | Self::Revoke { data_dir, .. }) = self;
        &data_dir.path
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let data_dir = arguments.action.data_dir();
    // A key of a directory that nothing serves would be made, or listed as missing, by mistake.
    anyhow::ensure!(
        data_dir.is_dir(),
        "data directory {} does not exist; create it with `almoner build`",
        data_dir.display()
    );
    match arguments.action {
        Action::Create { data_dir, name } => {
            let key = match keys::create(&data_dir.path, &name) {
                Ok(key) => key,
                Err(error @ KeysError::Name { .. }) => {
                    complain(&error.to_string());
                    return Ok(Outcome::Usage);
                }
                Err(error) => return Err(error.into()),
            };
            complain_plainly(&format!("key {} of {name}; it is not shown again:", key.id));
            print(&key.secret)?;
        }
        Action::List { data_dir } => {
            let mut table = Table::new(&["id", "name", "created", "revoked"]);
            for key in keys::list(&data_dir.path)? {
                table.row([key.id, key.name, key.created_at, key.revoked_at.unwrap_or_default()]);
            }
            if table.is_empty() {
                complain_plainly("no keys yet; create one with `almoner keys create`");
            }
            print(&table.render())?;
        }
        Action::Revoke { data_dir, id } => match keys::revoke(&data_dir.path, &id) {
            Ok(_) => complain_plainly(&format!("key {id} is revoked")),
            Err(error @ KeysError::Unknown { .. }) => {
                complain(&error.to_string());
                return Ok(Outcome::NotFound);
            }
            Err(error) => return Err(error.into()),
        },
    }
    Ok(Outcome::Done)
}
