//! `almoner embed [FILE]`: one text a line in, one vector a line out, or a file of vectors for `build`.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::{BulkModel, Outcome};
use crate::build::VectorFile;
use crate::durable::{self, beside};
use crate::embed::Model;

/// Lines that are embedded together: enough of each length to fill batches, few enough to show the
/// first answers soon.
const LINES: usize = 8192;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// File of texts, one per line [default: standard input]
    file: Option<PathBuf>,
    /// Each line is a JSON string, as `build --texts` writes them
    #[arg(long)]
    json: bool,
    /// Write a file of vectors that is an input of `build`, instead of vectors to standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
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
    let mut out = Output::create(arguments.output.as_deref(), model)?;
    let read = if arguments.json { of_json } else { Ok };
    let (mut count, mut spent) = (0, Duration::ZERO);
    loop {
        let texts = next(&mut lines).with_context(|| format!("cannot read after line {count}"))?;
        let texts = texts.into_iter().map(read).collect::<anyhow::Result<Vec<String>>>();
        let texts = texts.with_context(|| format!("after line {count}"))?;
        if texts.is_empty() {
            break;
        }
        let start = Instant::now();
        out.add(model, &texts, threads)?;
        spent += start.elapsed();
        count += texts.len();
    }
    out.publish(arguments.output.as_deref())?;
    let seconds = spent.as_secs_f64();
    let rate = count as f64 / seconds.max(1e-9);
    let (name, kernel) = (model.name(), model.kernel());
    super::complain_plainly(&format!(
        "{count} texts in {seconds:.2} s: {rate:.0} texts/s ({name}, {kernel}, threads: {threads})"
    ));
    Ok(Outcome::Done)
}

/// The text of a line of JSON.
fn of_json(line: String) -> anyhow::Result<String> {
    serde_json::from_str(&line).with_context(|| {
        let found: String = line.chars().take(80).collect();
        format!("expected a JSON string, as `almoner build --texts` writes them, found {found}")
    })
}

/// Where vectors go.
enum Output<'a> {
    Lines(BufWriter<io::StdoutLock<'static>>),
    /// Under another name until it is whole, and removed if it never is.
    File(VectorFile<'a>, Temporary),
}

/// A path that is removed in the end; it has another name where the file was published.
struct Temporary(PathBuf);

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

impl<'a> Output<'a> {
    fn create(path: Option<&Path>, model: &'a Model) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Lines(BufWriter::new(io::stdout().lock()))) };
        let temporary = Temporary(beside(path, "tmp"));
        let file = VectorFile::create(&temporary.0, model);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self::File(file, temporary))
    }

    fn add(&mut self, model: &Model, texts: &[String], threads: usize) -> anyhow::Result<()> {
        match self {
            Self::File(file, _) => Ok(file.add(texts, threads)?),
            Self::Lines(out) => {
                let vectors = model.embed(texts, threads)?;
                for vector in vectors.chunks_exact(vectors.len() / texts.len()) {
                    serde_json::to_writer(&mut *out, vector).map_err(io::Error::from)?;
                    out.write_all(b"\n")?;
                }
                Ok(out.flush()?)
            }
        }
    }

    fn publish(self, path: Option<&Path>) -> anyhow::Result<()> {
        if let (Self::File(file, temporary), Some(path)) = (self, path) {
            drop(file);
            let renamed = durable::rename(&temporary.0, path);
            renamed.with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
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
