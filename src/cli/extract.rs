//! `almoner extract`: returns in, what a build reads of them out, as Parquet; one part of several.

use std::path::PathBuf;

use super::Outcome;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Returns as XML, ZIPs of them, or folders; the same for every part
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Parquet file to write, in place of one that has the name
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Which part of the returns, and how many there are
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    part: String,
}

#[cfg(not(feature = "tables"))]
pub(super) fn run(_: Arguments) -> anyhow::Result<Outcome> {
    Err(super::misused(
        "extracting is not in this program: expected one that was built with the feature tables; get it by \
         `cargo install --path . --features tables` in the sources, or give the returns to `almoner build`",
    ))
}

#[cfg(feature = "tables")]
pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    use anyhow::Context as _;

    use super::output_file::OutputFile;
    use crate::record::thousands;
    use crate::sources;

    let misused =
        |error: String| super::misused(format!("--part: {error}, found {:?}", arguments.part));
    let part: sources::Part = arguments.part.parse().map_err(misused)?;
    let output = arguments.output.display();
    let discovery = sources::discover(&arguments.inputs, None)?;
    let file = OutputFile::create(&arguments.output)
        .with_context(|| format!("cannot write {output}: its folder must exist"))?;
    let (file, extraction) = sources::extract(&discovery, part, file)?;
    let bytes = file.bytes();
    file.publish().with_context(|| format!("cannot write {output}"))?;
    super::complain_plainly(&format!(
        "part {part}: {} returns and {} rejects in {output}, {}",
        thousands(extraction.returns),
        thousands(extraction.rejects),
        super::table::size(bytes),
    ));
    for other in &extraction.others {
        super::complain_plainly(&format!(
            "{other} is no return: give it to `almoner build` itself"
        ));
    }
    Ok(Outcome::Done)
}
