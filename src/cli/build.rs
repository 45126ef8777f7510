//! `almoner build`: IRS files in, a published snapshot out.

use std::path::PathBuf;

use super::progress::{Bars, counted};
use super::table::{Table, megabytes, thousands};
use super::{DataDir, Outcome, complain_plainly, print};
use crate::snapshot;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// IRS files, ZIPs of them, or folders of either; each is recognised by its content
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Build without embeddings
    #[arg(long, env = "ALMONER_NO_SEMANTIC")]
    no_semantic: bool,
    /// Fail when more than this share of a source's rows cannot be read
    #[arg(
        long,
        value_name = "PERCENT",
        env = "ALMONER_REJECT_LIMIT",
        default_value_t = 1.0,
        value_parser = percent
    )]
    reject_limit: f64,
}

/// Rejects by reason that the summary shows; the whole list is in `rejects.ndjson`.
const REASONS_SHOWN: usize = 20;

fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a percentage of 0 to 100".to_owned()),
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    if !arguments.no_semantic {
        complain_plainly("note: this version builds no embeddings, as with --no-semantic");
    }
    let options = snapshot::Options {
        data_dir: arguments.data_dir.path,
        inputs: arguments.inputs,
        semantic: !arguments.no_semantic,
        reject_limit_percent: arguments.reject_limit,
    };
    let report = snapshot::build(&options, &Bars::default())?;
    print(&summary(&report))?;
    Ok(Outcome::Done)
}

fn summary(report: &snapshot::Report) -> String {
    let mut sources =
        Table::new(&["source", "kind", "rows", "rejects", "superseded", "unmatched", "warnings"]);
    for source in &report.sources {
        sources.row([
            source.summary.name.clone(),
            source.summary.kind.title().to_owned(),
            thousands(source.summary.rows),
            thousands(source.summary.rejects),
            thousands(source.superseded),
            thousands(source.unmatched),
            thousands(source.summary.warnings.values().sum()),
        ]);
    }
    let mut text = sources.render();
    let mut reasons = Table::new(&["rejects", "field", "reason"]);
    for ((field, reason), count) in report.rejects.iter().take(REASONS_SHOWN) {
        reasons.row([thousands(*count), field.clone(), reason.clone()]);
    }
    if !reasons.is_empty() {
        text += &format!("\n{}", reasons.render());
        if report.rejects.len() > REASONS_SHOWN {
            let more = (report.rejects.len() - REASONS_SHOWN) as u64;
            text += &format!("and {} more\n", counted(more, "reason"));
        }
    }
    if !report.skipped.is_empty() {
        text += "\nnot of a known kind, left out:\n";
        for skipped in &report.skipped {
            text += &format!("  {}: {}\n", skipped.path.display(), skipped.why);
        }
    }
    let mut stages = Table::new(&["stage", "time"]);
    for (stage, time) in &report.stages {
        stages.row([(*stage).to_owned(), format!("{:.1} s", time.as_secs_f64())]);
    }
    text += &format!("\n{}", stages.render());
    text += &format!(
        "\npublished snapshot {}: {}, {}\n",
        report.snapshot,
        counted(report.organizations, "organization"),
        megabytes(report.bytes)
    );
    text
}
