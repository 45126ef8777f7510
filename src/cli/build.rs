//! `almoner build`: IRS files, curated records and feeds in, a published snapshot out.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;

use super::flags::VerbosityArguments;
use super::output_file::OutputFile;
use super::printable::printable;
use super::progress::{Bars, counted};
use super::table::{Table, size};
use super::{BulkModel, DataDir, Outcome, chain, coverage, is_full, print};
use crate::build;
use crate::record::{Ein, thousands};
use crate::sources::SkippedFile;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// IRS files, curated records, feeds, ZIPs of them, what `extract` and `embed --output` wrote, or folders;
    /// each is recognised by its content
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Build without embeddings; search then uses words and filters only
    #[arg(long, env = "ALMONER_NO_SEMANTIC")]
    no_semantic: bool,
    /// Publish only the snapshot with embeddings, not a first one that is searched by words alone
    #[arg(long, env = "ALMONER_WAIT_FOR_VECTORS")]
    wait_for_vectors: bool,
    #[command(flatten)]
    model: BulkModel,
    /// Fail when more than this share of any source's rows, lines or returns cannot be read
    /// [default: 1 for the IRS's lists, no limit for others]
    #[arg(long, value_name = "PERCENT", env = "ALMONER_REJECT_LIMIT", value_parser = percent)]
    reject_limit: Option<f64>,
    /// Fail when organizations, returns, metrics or the rows of a kind of source are fewer by more than this share
    /// than in the published snapshot; 100 allows any [default: 20]
    #[arg(long, value_name = "PERCENT", env = "ALMONER_FALL_MAX", value_parser = percent)]
    fall_max: Option<f64>,
    /// Leave a part of returns out: `people` leaves out every person they name
    #[arg(long, value_name = "PART", env = "ALMONER_WITHOUT", value_delimiter = ',')]
    without: Vec<Part>,
    /// EIN of the nonprofit whose posts the RSS or Atom feed holds; for several feeds, put a CSV file with the
    /// header `file,ein` among the inputs
    #[arg(long, value_name = "EIN", env = "ALMONER_FEED_EIN", value_parser = super::ein)]
    feed_ein: Option<Ein>,
    /// Publish nothing, and write the texts that have no vectors yet to a file, for `embed --json --output`, of which the
    /// results are inputs
    #[arg(long, value_name = "FILE", conflicts_with = "no_semantic")]
    texts: Option<PathBuf>,
    #[command(flatten)]
    verbosity: VerbosityArguments,
}

/// A part of returns that can be left out.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Part {
    People,
}

/// Rejects by reason that the summary shows; the whole list is in `rejects.ndjson`.
const REASONS_SHOWN: usize = 20;

/// Files left out that the summary names, of each reason.
const LEFT_OUT_SHOWN: usize = 3;

fn percent(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(percent) if (0.0..=100.0).contains(&percent) => Ok(percent),
        _ => Err("expected a percentage of 0 to 100".to_owned()),
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let model = (!arguments.no_semantic).then(|| arguments.model.lazy()).transpose()?;
    let options = build::Options {
        data_dir: arguments.data_dir.path,
        inputs: arguments.inputs,
        model,
        wait_for_vectors: arguments.wait_for_vectors,
        reject_limit_percent: arguments.reject_limit,
        fall_max_percent: arguments.fall_max,
        without: arguments.without.into_iter().map(|Part::People| build::LeftOut::People).collect(),
        feed_ein: arguments.feed_ein,
    };
    if let Some(path) = &arguments.texts {
        return write_texts(&options, path, &Bars::of(arguments.verbosity.verbosity()));
    }
    let report =
        build::build(&options, &Bars::of(arguments.verbosity.verbosity())).map_err(|error| {
            let error = anyhow::Error::new(error);
            if !is_full(&chain(&error)) {
                return error;
            }
            let folder = options.data_dir.display();
            error.context(format!(
            "no room in {folder}: free some space there, or build into a folder on a larger disk"
        ))
        })?;
    print(&summary(&report))?;
    Ok(Outcome::Done)
}

/// Writes the texts that lack vectors.
fn write_texts(options: &build::Options, path: &Path, bars: &Bars) -> anyhow::Result<Outcome> {
    let failed = || format!("cannot write {}: its folder must exist", path.display());
    let mut file = OutputFile::create(path).with_context(failed)?;
    let found = build::missing_texts(options, &mut file, bars)?;
    file.publish().with_context(failed)?;
    print(&format!(
        "{} without vectors in {}; of {} others there are vectors\n",
        counted(found.missing, "text"),
        path.display(),
        thousands(found.known)
    ))?;
    Ok(Outcome::Done)
}

fn summary(report: &build::Report) -> String {
    let mut text = sources(report);
    let mut reasons = Table::new(&["rejects", "field", "expected"]);
    for ((field, reason), count) in report.rejects.iter().take(REASONS_SHOWN) {
        reasons.row([thousands(*count), field.clone(), reason.clone()]);
    }
    if !reasons.is_empty() {
        text += &format!("\n{}", reasons.render());
        if report.rejects.len() > REASONS_SHOWN {
            let more = (report.rejects.len() - REASONS_SHOWN) as u64;
            text += &format!("and {} more\n", counted(more, "reason"));
        }
        text += "each with its line is in rejects.ndjson\n";
    }
    let mut warnings = Table::new(&["warnings", "malformed and read as unknown, or not known"]);
    for (column, count) in &report.warnings {
        warnings.row([thousands(*count), column.clone()]);
    }
    if !warnings.is_empty() {
        text += &format!("\n{}", warnings.render());
    }
    if !report.doubts.is_empty() {
        text += "\ncheck these sources:\n";
        for doubt in &report.doubts {
            text += &format!("  {}\n", printable(doubt));
        }
    }
    if let Some(vectors) = &report.vectors {
        let stages = report.stages.iter().filter(|stage| stage.0 == build::EMBEDDING);
        let seconds = stages.map(|stage| stage.1.as_secs_f64()).sum::<f64>().max(1e-3);
        let rate = vectors.embedded as f64 / seconds;
        text += &format!(
            "\n{} of which {} differ; embedded now: {} ({rate:.0} a second); vectors: {}\n",
            counted(vectors.texts, "text"),
            thousands(vectors.distinct),
            thousands(vectors.embedded),
            thousands(vectors.nodes)
        );
        if let Some(notice) = &vectors.notice {
            text += &format!("{notice}\n");
        }
    }
    text += &left_out(&report.skipped);
    let loaded: Vec<_> = report.sources.iter().map(|source| source.summary.clone()).collect();
    text += &format!("\n{}", coverage::values(&report.coverage, &loaded).render());
    let mut stages = Table::new(&["stage", "time"]);
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    for (stage, time) in &report.stages {
        stages.row([(*stage).to_owned(), seconds(*time)]);
    }
    stages.row(["all".to_owned(), seconds(report.stages.iter().map(|stage| stage.1).sum())]);
    text += &format!("\n{}", stages.render());
    text += &format!(
        "\npublished snapshot {}: {}{}, {}\n",
        report.snapshot,
        counted(report.organizations, "organization"),
        items(report),
        size(report.bytes)
    );
    text
}

/// What else was published: `, 3 stories, 5 posts`.
fn items(report: &build::Report) -> String {
    let some = report.items.named().into_iter().filter(|(_, count)| *count > 0);
    some.map(|(name, count)| format!(", {} {name}", thousands(count))).collect()
}

/// The sources; of the counts that are mostly 0, only those that are not, with what they mean.
fn sources(report: &build::Report) -> String {
    type Count = fn(&build::SourceReport) -> u64;
    let rare: [(&str, &str, Count); 3] = [
        ("superseded", "a later row of the same EIN counts instead", |source| source.superseded),
        ("unmatched", "the EIN is in no master file and no return given", |source| {
            source.unmatched
        }),
        (
            "warnings",
            "a malformed field was read as unknown, or an unknown key left out",
            |source| source.summary.warnings.values().sum(),
        ),
    ];
    let rare: Vec<_> = rare
        .iter()
        .filter(|(_, _, count)| report.sources.iter().any(|one| count(one) > 0))
        .collect();
    let mut header = vec!["source", "kind", "rows", "rejects"];
    header.extend(rare.iter().map(|(name, _, _)| *name));
    let mut table = Table::new(&header);
    for source in &report.sources {
        let mut row = vec![
            source.summary.name.clone(),
            source.summary.kind.name().to_owned(),
            thousands(source.summary.rows),
            thousands(source.summary.rejects),
        ];
        row.extend(rare.iter().map(|(_, _, count)| thousands(count(source))));
        table.row(row);
    }
    let mut text = table.render();
    for (name, meaning, _) in rare {
        text += &format!("{name}: {meaning}\n");
    }
    text
}

/// Files that are no source, by the reason; the first few of each are named.
fn left_out(skipped: &[SkippedFile]) -> String {
    let mut reasons: BTreeMap<&str, Vec<&SkippedFile>> = BTreeMap::new();
    for one in skipped {
        reasons.entry(&one.why).or_default().push(one);
    }
    let mut text = String::new();
    for (why, files) in reasons {
        let (count, why) = (counted(files.len() as u64, "file"), printable(why));
        text += &format!("\n{count} left out: {why}\n");
        for file in files.iter().take(LEFT_OUT_SHOWN) {
            text += &format!("  {}\n", printable(&file.path.to_string_lossy()));
        }
        if files.len() > LEFT_OUT_SHOWN {
            text += &format!("  and {} more\n", thousands((files.len() - LEFT_OUT_SHOWN) as u64));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_left_out_are_gathered_by_their_reason() {
        let skipped =
            |name: &str, why: &str| SkippedFile { path: name.into(), why: why.to_owned() };
        let mut files: Vec<_> = (0..5).map(|n| skipped(&format!("{n}.xml"), "XML")).collect();
        files.push(skipped("a.pdf", "a PDF"));
        assert_eq!(
            left_out(&files),
            "\n5 files left out: XML\n  0.xml\n  1.xml\n  2.xml\n  and 2 more\n\
             \n1 file left out: a PDF\n  a.pdf\n"
        );
        assert_eq!(left_out(&[]), "");
        let hostile = skipped("a.zip!\u{1b}]0;PWN\u{7}\nFORGED.csv", "a\u{9b}2J");
        assert_eq!(
            left_out(&[hostile]),
            "\n1 file left out: a\\u009b2J\n  a.zip!\\u001b]0;PWN\\u0007\\u000aFORGED.csv\n"
        );
    }
}
