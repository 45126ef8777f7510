//! `almoner inspect`: what the published snapshot holds.

use time::OffsetDateTime;

use super::table::{Table, size, thousands};
use super::{DataDir, Outcome, print};
use crate::snapshot;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Print the manifest itself, as JSON
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let manifest = snapshot::open(&arguments.data_dir.path)?.manifest;
    if arguments.json {
        print(&serde_json::to_string_pretty(&manifest)?)?;
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
            source.kind.title().to_owned(),
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
    Ok(Outcome::Done)
}

/// What a count of the manifest counts.
fn meaning(name: &str) -> String {
    match name {
        "names" => "names that lead to suggestions",
        "rejects" => "rows that could not be read",
        "suggested" => "organizations that typeahead suggests",
        "superseded" => "rows replaced by a later one of the same EIN",
        "unmatched" => "rows of an EIN that the master file lacks",
        "word_starts" => "names by each of their words",
        other => return other.replace('_', " "),
    }
    .to_owned()
}

/// The day of a moment, UTC, as `YYYY-MM-DD`.
fn day_of(seconds: u64) -> String {
    let moment = i64::try_from(seconds).ok();
    let moment = moment.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
    moment.map_or_else(String::new, |moment| moment.date().to_string())
}
