//! `almoner diff`: what changed between two data directories.

use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;

use super::flags::{Format, FormatArguments};
use super::record_writer::RecordWriter;
use super::table::Table;
use super::{OUTPUT, Outcome, complain_plainly, print};
use crate::embed::Lazy;
use crate::export::RowWriter as _;
use crate::record::{Change, ChangeKind, State, thousands};
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
    #[command(flatten)]
    format: FormatArguments,
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
    write(&changes, arguments.format.format())?;
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

/// Columns of a list of changes in CSV: the members of a change.
const COLUMNS: [&str; 6] = ["ein", "kind", "name", "state", "before", "after"];

fn write(changes: &[Change], format: Format) -> anyhow::Result<()> {
    let Some(records) = format.of_records() else {
        return if changes.is_empty() { Ok(()) } else { print(&table(changes).render()) };
    };
    let out = BufWriter::new(std::io::stdout().lock());
    let columns = || COLUMNS.map(str::to_owned).to_vec();
    let mut writer = RecordWriter::new(records, out, None, columns, OUTPUT)?;
    changes.iter().try_for_each(|change| writer.write(change))?;
    writer.finish().map(drop)
}

fn table(changes: &[Change]) -> Table {
    let mut table = Table::new(&["EIN", "change", "name", "state", "before", "after"]);
    for change in changes {
        let state = change.state.map_or_else(String::new, |state| state.to_string());
        let [before, after] = [&change.before, &change.after].map(Option::clone);
        table.row([
            change.ein.to_string(),
            change.kind.name().to_owned(),
            change.name.clone(),
            state,
            before.unwrap_or_default(),
            after.unwrap_or_default(),
        ]);
    }
    table
}
