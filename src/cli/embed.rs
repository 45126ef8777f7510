//! `almoner embed [FILE]`: one text a line in, one vector a line out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::{ModelFolder, Outcome};
use crate::embed::{Model, Reference};

/// Lines that are embedded together: enough of each length to fill batches, few enough to show the
/// first answers soon.
const LINES: usize = 8192;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Texts, one a line; standard input when left out
    file: Option<PathBuf>,
    #[command(flatten)]
    model: ModelFolder,
    /// Threads; as many as there are cores when left out
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// `fixed` point, or f32 by stock candle: slower, for comparison
    #[arg(long, value_enum, default_value_t = Arithmetic::Fixed)]
    arithmetic: Arithmetic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Arithmetic {
    Fixed,
    F32,
}

/// What embeds: the model, or its reference.
enum Embedder {
    Fixed(Box<Model>, usize),
    F32(Box<Reference>),
}

impl Embedder {
    fn load(arguments: &Arguments) -> anyhow::Result<Self> {
        let folder = arguments.model.path.as_deref();
        Ok(match arguments.arithmetic {
            Arithmetic::Fixed => {
                let cores = std::thread::available_parallelism().map_or(1, usize::from);
                let threads = arguments.threads.map_or(cores, usize::from);
                Self::Fixed(Box::new(Model::load(folder)?), threads)
            }
            Arithmetic::F32 => Self::F32(Box::new(Reference::load(folder)?)),
        })
    }

    /// The vectors of the texts, one after the other.
    fn embed(&self, texts: &[String]) -> anyhow::Result<Vec<f32>> {
        Ok(match self {
            Self::Fixed(model, threads) => model.embed(texts, *threads)?,
            Self::F32(reference) => {
                let vectors = texts.iter().map(|text| reference.embed_one(text));
                vectors.collect::<Result<Vec<_>, _>>()?.concat()
            }
        })
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let embedder = Embedder::load(&arguments)?;
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
        let vectors = embedder.embed(&texts)?;
        spent += start.elapsed();
        for vector in vectors.chunks_exact(vectors.len() / texts.len()) {
            serde_json::to_writer(&mut out, vector).map_err(io::Error::from)?;
            out.write_all(b"\n")?;
        }
        out.flush()?;
        count += texts.len();
    }
    report(&embedder, count, spent);
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

fn report(embedder: &Embedder, count: usize, spent: Duration) {
    let rate = count as f64 / spent.as_secs_f64().max(1e-9);
    let how = match embedder {
        Embedder::Fixed(model, threads) => {
            format!("{}, {}, threads: {threads}", model.name(), model.kernel())
        }
        Embedder::F32(_) => "f32 by candle".to_owned(),
    };
    let seconds = spent.as_secs_f64();
    super::complain_plainly(&format!("{count} texts in {seconds:.2} s: {rate:.0} texts/s ({how})"));
}
