//! `almoner diff`: what changed between two data directories.

use std::collections::BTreeMap;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;

use super::table::Table;
use super::{Outcome, complain_plainly};
use crate::embed::Lazy;
use crate::record::{ChangeKind, State, thousands};
use crate::snapshot;
use crate::sources;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Data directory with the earlier snapshot
    old: PathBuf,
    /// Data directory with the later snapshot
    new: PathBuf,
    /// Only changes of this kind: appeared, vanished, renamed, moved, revoked, reinstated,
    /// deductibility_changed, foundation_changed or new_return; may be repeated
    #[arg(long, value_parser = kind)]
    kind: Vec<ChangeKind>,
    /// Only nonprofits in this state
    #[arg(long)]
    state: Option<State>,
    /// Print one JSON object per line
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
}

fn kind(name: &str) -> Result<ChangeKind, String> {
    ChangeKind::named(name).ok_or_else(|| {
        format!("expected one of {}", ChangeKind::ALL.map(ChangeKind::name).join(", "))
    })
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let open = |folder: &PathBuf| {
        snapshot::open_with(folder, &Arc::<Lazy>::default())
            .with_context(|| format!("cannot compare {}", folder.display()))
    };
    let (old, new) = (open(&arguments.old)?, open(&arguments.new)?);
    for older in sources::older(&new.manifest.sources, &old.manifest.sources) {
        complain_plainly(&format!("the later snapshot has older data: {older}"));
    }
    let mut changes = snapshot::changes(&old, &new)?;
    changes.retain(|change| {
        (arguments.kind.is_empty() || arguments.kind.contains(&change.kind))
            && arguments.state.is_none_or(|state| change.state == Some(state))
    });
    let mut counts: BTreeMap<ChangeKind, u64> = BTreeMap::new();
    changes.iter().for_each(|change| *counts.entry(change.kind).or_default() += 1);
    let mut out = BufWriter::new(std::io::stdout().lock());
    if arguments.json {
        for change in &changes {
            serde_json::to_writer(&mut out, change)?;
            out.write_all(b"\n")?;
        }
    } else {
        let mut table = Table::new(&["EIN", "change", "name", "state", "before", "after"]);
        for change in changes {
            let state = change.state.map_or_else(String::new, |state| state.to_string());
            let [before, after] = [change.before, change.after].map(Option::unwrap_or_default);
            let kind = change.kind.name().to_owned();
            table.row([change.ein.to_string(), kind, change.name, state, before, after]);
        }
        if !table.is_empty() {
            writeln!(out, "{}", table.render().trim_end())?;
        }
    }
    out.flush()?;
    let [from, to] = [&old.manifest.snapshot, &new.manifest.snapshot];
    let count =
        |(kind, count): (&ChangeKind, &u64)| format!("{} {}", thousands(*count), kind.name());
    let said = match counts.is_empty() {
        true => "nothing changed".to_owned(),
        false => counts.iter().map(count).collect::<Vec<_>>().join(", "),
    };
    complain_plainly(&format!("from {from} to {to}: {said}"));
    Ok(Outcome::Done)
}
