//! `almoner coverage`: what the published snapshot covers, and what it does not.

use std::sync::Arc;

use super::table::Table;
use super::{DataDir, Outcome, print};
use crate::embed::Lazy;
use crate::record::thousands;
use crate::snapshot::{self, Coverage, Manifest};
use crate::sources::{SourceKind, Summary};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Print the counts as JSON, including those by county
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &Arc::<Lazy>::default())?;
    let (manifest, coverage) = (&snapshot.manifest, &snapshot.coverage);
    if arguments.json {
        print(&serde_json::to_string_pretty(coverage)?)?;
        return Ok(Outcome::Done);
    }
    print(&format!(
        "snapshot {}: {} organizations, {} of them in a master file\n",
        manifest.snapshot,
        thousands(coverage.count.organizations),
        thousands(coverage.count.in_master_file),
    ))?;
    for table in
        [lists(manifest), states(coverage), values(coverage, &manifest.sources), returns(coverage)]
    {
        if !table.is_empty() {
            print(&format!("\n{}", table.render()))?;
        }
    }
    Ok(Outcome::Done)
}

/// Every kind of source, a line a file, and those that were not loaded.
fn lists(manifest: &Manifest) -> Table {
    let mut table = Table::new(&["list", "file", "as of", "dated by", "rows"]);
    for kind in SourceKind::ALL {
        let mut of_kind = manifest.sources.iter().filter(|one| one.kind == kind).peekable();
        if of_kind.peek().is_none() {
            let not_loaded = ["not loaded", "", "", ""].map(str::to_owned);
            table.row(std::iter::once(kind.name().to_owned()).chain(not_loaded));
        }
        for source in of_kind {
            let vintage = source.vintage();
            let dated_by = vintage.map_or("", |vintage| vintage.dated_by.name());
            table.row([
                kind.name().to_owned(),
                source.name.clone(),
                vintage.map_or_else(String::new, |vintage| vintage.date.to_string()),
                dated_by.to_owned(),
                thousands(source.rows),
            ]);
        }
    }
    table
}

fn states(coverage: &Coverage) -> Table {
    let mut table = Table::new(&["state", "organizations", "in a master file", "counties"]);
    for (state, one) in &coverage.states {
        table.row([
            state.name().to_owned(),
            thousands(one.count.organizations),
            thousands(one.count.in_master_file),
            thousands(one.counties.len() as u64),
        ]);
    }
    table
}

/// Of how many organizations each value is known, and which sources that were not loaded would raise that.
pub(super) fn values(coverage: &Coverage, sources: &[Summary]) -> Table {
    let mut table = Table::new(&["value", "known of", "share", "not loaded, but has it"]);
    let all = coverage.count.organizations;
    let is_loaded = |kind: &&SourceKind| sources.iter().any(|source| source.kind == **kind);
    for (field, known) in &coverage.known {
        let percent = format!("{:.1} %", *known as f64 * 100.0 / all.max(1) as f64);
        let kinds = field.source_kinds().iter().filter(|_| *known < all);
        let missing: Vec<_> =
            kinds.filter(|kind| !is_loaded(kind)).map(|kind| kind.name()).collect();
        let name = field.name().replace('_', " ");
        table.row([name, thousands(*known), percent, missing.join(", ")]);
    }
    table
}

fn returns(coverage: &Coverage) -> Table {
    let mut table = Table::new(&["tax year", "returns"]);
    for (tax_year, returns) in &coverage.returns {
        table.row([tax_year.to_string(), thousands(*returns)]);
    }
    table
}
