//! `almoner findings`: what was found in annual reports, beside their text, as a page on which the operator
//! accepts, mends or drops it.

mod finding;
mod page;
mod passages;

use std::path::PathBuf;

use anyhow::Context as _;

use super::output_file::OutputFile;
use super::progress::counted;
use super::{DataDir, Outcome, complain_plainly, ein, not_found};
use crate::build::report_findings;
use crate::record::Ein;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    /// Only reports of this nonprofit; may be repeated
    #[arg(long, value_name = "EIN", value_parser = ein)]
    ein: Vec<Ein>,
    /// Only reports whose path has this in it
    #[arg(long, value_name = "TEXT")]
    report: Option<String>,
    /// Page to write, in place of one that has the name; any browser opens it
    #[arg(long, short, value_name = "FILE", default_value = "findings.html")]
    output: PathBuf,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let Arguments { data_dir, ein: eins, report, output } = arguments;
    let is_wanted = |source: &str, ein: Ein| {
        (eins.is_empty() || eins.contains(&ein))
            && report.as_ref().is_none_or(|text| source.contains(text))
    };
    let mut reports = report_findings(&data_dir.path, is_wanted).peekable();
    if reports.peek().is_none() {
        let folder = data_dir.path.display();
        return Err(not_found(format!(
            "expected an annual report among those of the last build in {folder}, found none that is asked for; \
             `almoner inspect` lists its sources"
        )));
    }
    let name = output.display();
    let mut file = OutputFile::create(&output)
        .with_context(|| format!("cannot write {name}: its folder must exist"))?;
    let counts = page::write(&mut file, reports)
        .and_then(|counts| file.publish().map(|()| counts))
        .with_context(|| format!("cannot write {name}"))?;
    let (reports, findings) =
        (counted(counts.reports, "report"), counted(counts.findings, "finding"));
    complain_plainly(&format!("{findings} of {reports} in {name}: open it in a browser"));
    Ok(Outcome::Done)
}
