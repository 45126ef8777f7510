//! `almoner keys`: the API keys of a data directory.

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
    /// Make a key and print it, once: only its SHA-256 is stored
    Create {
        #[command(flatten)]
        data_dir: DataDir,
        /// Whose key it is
        #[arg(long, value_name = "NAME", env = "ALMONER_NAME")]
        name: String,
    },
    /// List the keys, without their secrets
    List {
        #[command(flatten)]
        data_dir: DataDir,
    },
    /// Make a key useless; a running server refuses it within a second
    Revoke {
        #[command(flatten)]
        data_dir: DataDir,
        /// The key's id, as `list` shows it
        #[arg(value_name = "ID")]
        id: String,
    },
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    match arguments.action {
        Action::Create { data_dir, name } => {
            let key = keys::create(&data_dir.path, &name)?;
            complain_plainly(&format!("key {} of {name}; it is not shown again:", key.id));
            print(&key.secret)?;
        }
        Action::List { data_dir } => {
            let mut table = Table::new(&["id", "name", "created", "revoked"]);
            for key in keys::list(&data_dir.path)? {
                table.row([key.id, key.name, key.created_at, key.revoked_at.unwrap_or_default()]);
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
