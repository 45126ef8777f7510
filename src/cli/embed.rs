//! `almoner embed [FILE]`: one text a line in, one vector a line out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::{BulkModel, Outcome};

/// Lines that are embedded together: enough of each length to fill batches, few enough to show the
/// first answers soon.
const LINES: usize = 8192;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// File of texts, one per line [default: standard input]
    file: Option<PathBuf>,
    #[command(flatten)]
    model: BulkModel,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let model = arguments.model.lazy()?;
    let model = model.get()?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.map_or(cores, usize::from);
    let mut lines: Box<dyn BufRead> = match &arguments.file {
        Some(path) => {
            let file =
                File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
            Box::new(BufReader::new(file))
        }
        None => Box::new(BufReader::new(io::stdin())),
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut count, mut spent) = (0, Duration::ZERO);
    loop {
        let texts = next(&mut lines).with_context(|| format!("cannot read after line {count}"))?;
        if texts.is_empty() {
            break;
        }
        let start = Instant::now();
        let vectors = model.embed(&texts, threads)?;
        spent += start.elapsed();
        for vector in vectors.chunks_exact(vectors.len() / texts.len()) {
            serde_json::to_writer(&mut out, vector).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
        count += texts.len();
    }
    let seconds = spent.as_secs_f64();
    let rate = count as f64 / seconds.max(1e-9);
    let (name, kernel) = (model.name(), model.kernel());
    super::complain_plainly(&format!(
        "{count} texts in {seconds:.2} s: {rate:.0} texts/s ({name}, {kernel}, threads: {threads})"
    ));
    Ok(Outcome::Done)
}

/// The next texts, at most [`LINES`]; none at the end.
fn next(lines: &mut dyn BufRead) -> io::Result<Vec<String>> {
    let mut texts = Vec::new();
    while texts.len() < LINES {
        let mut line = String::new();
        if lines.read_line(&mut line)? == 0 {
            break;
        }
        let text = line.strip_suffix('\n').unwrap_or(&line);
        texts.push(text.strip_suffix('\r').unwrap_or(text).to_owned());
    }
    Ok(texts)
}
