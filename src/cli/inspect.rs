//! `almoner inspect`: what the published snapshot holds, or all that it holds of one nonprofit.

use serde::Serialize;

use super::table::{Table, size};
use super::{DataDir, ModelFolder, Outcome, chain, not_found, print};
use crate::build::VectorCache;
use crate::index::fulltext;
use crate::index::vectors::Statistics;
use crate::record::{Ein, Filing, Metric, Organization, Person, Timestamp, thousands};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::{metrics, officers};
use crate::snapshot::{self, ModelError, Snapshot};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
    /// Print the manifest itself, as JSON
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
    /// Print one nonprofit instead, as JSON: its record, its returns and its metrics
    #[arg(long, value_name = "EIN", env = "ALMONER_EIN", value_parser = super::ein)]
    ein: Option<Ein>,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    if let Some(ein) = arguments.ein {
        return of_nonprofit(&snapshot, ein);
    }
    let manifest = &snapshot.manifest;
    if arguments.json {
        print(&serde_json::to_string_pretty(manifest)?)?;
        return Ok(Outcome::Done);
    }
    print(&format!(
        "snapshot {} (format {}), built {} by almoner {}\nmodel: {}\n\n",
        manifest.snapshot,
        manifest.format,
        manifest.built_at,
        manifest.program,
        manifest.model.as_deref().unwrap_or("none (built without embeddings)"),
    ))?;

    let mut counts = Table::new(&["what", "count"]);
    counts.row(["organizations".to_owned(), thousands(manifest.organizations)]);
    for (name, count) in &manifest.counts {
        counts.row([meaning(name), thousands(*count)]);
    }
    print(&counts.render())?;

    let mut sources = Table::new(&["source", "kind", "dated", "rows", "rejects", "SHA-256"]);
    for source in &manifest.sources {
        sources.row([
            source.name.clone(),
            source.kind.name().to_owned(),
            day_of(source.modified_seconds),
            thousands(source.rows),
            thousands(source.rejects),
            source.sha256.get(..12).unwrap_or_default().to_owned(),
        ]);
    }
    print(&format!("\n{}", sources.render()))?;

    let mut files = Table::new(&["file", "size"]);
    for file in &manifest.files {
        files.row([file.name.clone(), size(file.bytes)]);
    }
    let total = manifest.files.iter().map(|file| file.bytes).sum();
    files.row(["all".to_owned(), size(total)]);
    print(&format!("\n{}", files.render()))?;

    if let Some(vectors) = &snapshot.vectors {
        print(&format!("\n{}", of_vectors(&vectors.statistics()?).render()))?;
    }
    print(&format!("\n{}", of_fulltext(&snapshot).render()))?;
    if let Some(cache) = VectorCache::look(&arguments.data_dir.path)? {
        print(&format!("\n{}", of_cache(&cache, &snapshot)))?;
    }
    Ok(Outcome::Done)
}

/// What the vectors are. Each of their files is in the list of files.
fn of_vectors(statistics: &Statistics) -> Table {
    let Statistics { dims, organizations, nodes, entries, bytes, kernel, .. } = *statistics;
    let total: u64 = bytes.iter().sum();
    let each = |sum: u64, of: u64| format!("{:.1}", sum as f64 / of.max(1) as f64);
    let mut table = Table::new(&[&format!("vectors (kernel {kernel})"), "count"]);
    table.row(["dimensions".to_owned(), dims.to_string()]);
    table.row(["organizations".to_owned(), thousands(organizations)]);
    table.row(["nodes (distinct vectors)".to_owned(), thousands(nodes)]);
    table.row(["links per node, in a sample".to_owned(), each(statistics.links, nodes)]);
    table.row(["entry points of searches".to_owned(), thousands(entries)]);
    table.row([format!("size of {} files", bytes.len()), size(total)]);
    table.row(["size per organization".to_owned(), format!("{} B", each(total, organizations))]);
    table
}

/// What the full-text index is.
fn of_fulltext(snapshot: &Snapshot) -> Table {
    let organizations = u64::from(snapshot.fulltext.count());
    let names = fulltext::files();
    let files = names.into_iter().filter_map(|name| snapshot.manifest.file(name));
    let mut table = Table::new(&["full text", "count"]);
    table.row(["organizations".to_owned(), thousands(organizations)]);
    let total = files.map(|file| file.bytes).sum();
    table.row([format!("size of {} files", names.len()), size(total)]);
    table
}

/// What is kept of a nonprofit.
#[derive(Debug, Serialize)]
struct InspectedNonprofit {
    organization: Organization,
    filings: Vec<Filing>,
    /// Everyone listed in those filings.
    people: Vec<Person>,
    /// The latest, at most one page.
    metrics: Vec<Metric>,
}

/// Prints everything that is kept of a nonprofit.
fn of_nonprofit(snapshot: &Snapshot, ein: Ein) -> anyhow::Result<Outcome> {
    let Some(org) = snapshot.org_of(ein)? else {
        return Err(not_found(format!("the snapshot has no nonprofit with EIN {ein}")));
    };
    let paging = Paging { page: 1, size: SIZE_MAX };
    let (eins, metric_ids) = (vec![ein], Vec::new());
    let asked = metrics::Query { eins, metric_ids, metric_type: None, paging };
    let found = InspectedNonprofit {
        organization: snapshot.records.organization(org)?,
        filings: snapshot.records.filings(org)?,
        people: officers::everybody(snapshot, ein)?,
        metrics: metrics::search(snapshot, &asked)?.rows,
    };
    print(&serde_json::to_string_pretty(&found)?)?;
    Ok(Outcome::Done)
}

/// What the vector cache is, and whether the next build with the snapshot's model uses it.
fn of_cache(cache: &VectorCache, snapshot: &Snapshot) -> String {
    let fits = match snapshot.model() {
        Ok(model) if cache.fits(model) => {
            "of the snapshot's model: the next build uses it".to_owned()
        }
        Ok(_) => "of another model or format: the next build starts a new one".to_owned(),
        Err(ModelError::None) => "not used by a snapshot without embeddings".to_owned(),
        Err(error) => {
            format!("cannot tell whether the next build uses it: {}", chain(&error.into()))
        }
    };
    let mut table = Table::new(&["vector cache", "count"]);
    table.row(["rows".to_owned(), thousands(cache.rows())]);
    table.row(["size".to_owned(), size(cache.bytes())]);
    format!("{}{fits}\n", table.render())
}

/// What a count of the manifest counts.
fn meaning(name: &str) -> String {
    match name {
        "names" => "names that lead to suggestions",
        "rejects" => "rows that could not be read",
        "suggested" => "organizations that typeahead suggests",
        "texts" => "texts embedded, each once",
        "vectors" => "vectors that differ",
        "superseded" => "rows replaced by a later one of the same EIN",
        "unmatched" => "rows of an EIN that the master file lacks",
        "word_starts" => "names by each of their words",
        other => return other.replace('_', " "),
    }
    .to_owned()
}

/// The day of a moment, UTC, as `YYYY-MM-DD`.
fn day_of(seconds: u64) -> String {
    let day = Timestamp::from_seconds(seconds).and_then(Timestamp::date);
    day.map_or_else(String::new, |day| day.to_string())
}
