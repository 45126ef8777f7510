//! Annual reports as web pages, in the words of `data/fictional_reports.tsv`: a letter, programs with a
//! figure each, these figures by year, and in some a story. Its readers and finders are elsewhere; a
//! test of `build` holds that they find what stands here.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use super::figure::{self, PROGRAMS, SERIES_YEARS};
use super::forms::element;
use super::options::GenerateError;
use super::phrase::{Alternatives, Voice};
use super::random::Random;
use super::story;
use super::subject::Subject;
use crate::record::thousands;
use crate::table::table;

pub(super) static PARTS: LazyLock<Alternatives> =
    LazyLock::new(|| Alternatives::read(table!("data/fictional_reports.tsv")));

/// One in this many reports tells a story.
const STORY_EVERY: u64 = 3;

/// Begins a page, as the reader of web pages understands it.
const PAGE: &str = "<hr class=\"page\">\n";

/// The folder of the reports, with a folder for each nonprofit.
pub(super) struct Reports {
    folder: PathBuf,
    seed: u64,
}

impl Reports {
    pub(super) fn new(folder: &Path, seed: u64) -> Self {
        Self { folder: folder.to_owned(), seed }
    }

    /// Writes the report of that number, of the year of the latest return; without one there is none.
    /// Returns how many were written.
    pub(super) fn write(&self, number: u64, subject: &Subject<'_>) -> Result<u64, GenerateError> {
        let Some(period) = subject.row.tax_period else { return Ok(0) };
        let year = period / 100;
        let mut random = Random::new(self.seed, number);
        let page = page(number, year, subject, &mut random);
        let folder = self.folder.join(&subject.ein);
        fs::create_dir_all(&folder).map_err(GenerateError::io(&folder))?;
        let path = folder.join(format!("annual-report-{year}.html"));
        fs::write(&path, page).map_err(GenerateError::io(&path))?;
        Ok(1)
    }
}

fn page(number: u64, year: u64, subject: &Subject<'_>, random: &mut Random) -> String {
    let voice = Voice { year, ..Voice::of(subject) };
    let title = format!("{}: annual report {year}", subject.name);
    let mut html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n".to_owned();
    html += &element("title", &title);
    html += "</head>\n<body>\n<main>\n";
    html += &element("h1", &title);
    html += &letter(&voice, random);
    html += PAGE;
    html += &programs(&voice, random);
    if number.is_multiple_of(STORY_EVERY) {
        html += PAGE;
        let (title, paragraphs) = story::told(number / STORY_EVERY, subject, &PARTS, random);
        html += &element("h2", &title);
        html.extend(paragraphs.iter().map(|paragraph| element("p", paragraph)));
    }
    let (prefix, rest) = subject.ein.split_at(2);
    let note = format!(
        "EIN {prefix}-{rest}. {} and all people in this report are fictional.",
        subject.name
    );
    html += "</main>\n";
    html += &element("footer", &note);
    html += "</body>\n</html>\n";
    html
}

fn letter(voice: &Voice<'_>, random: &mut Random) -> String {
    let mut part = |name| voice.render(PARTS.one("letter", name, random), random);
    let mut html = element("h2", &part("title"));
    let (opening, work) = (part("opening"), part("work"));
    // Some rows of the master file have a ruling of a later year than their return.
    let is_founded = voice.subject.founded < voice.year;
    html += &element("p", &if is_founded { format!("{opening} {work}") } else { opening });
    html += &element("p", &[part("thanks"), part("request")].join(" "));
    html += &element("p", &part("closing"));
    html
}

/// Each program with its figure, then all figures by year.
fn programs(voice: &Voice<'_>, random: &mut Random) -> String {
    let (subject, year) = (voice.subject, voice.year);
    let known = PROGRAMS.all(subject.cause.key, "program");
    let mut html = element("h2", &voice.render(PARTS.one("programs", "title", random), random));
    let mut table = String::new();
    let start = random.below(known.len() as u64);
    for turn in 0..2 + random.below(2) {
        let program = known[((start + turn) % known.len() as u64) as usize];
        let program = voice.render(program, random);
        let (name, purpose) = program.split_once(": ").unwrap_or(("", &program));
        let series = figure::series(subject, year, turn, random);
        html += &element("h3", name);
        html += &element(
            "p",
            &format!("{}. {}", capitalised(purpose.trim_end_matches('.')), series.sentence),
        );
        table += &row("td", &capitalised(series.what), series.values.map(thousands));
    }
    html += &element("h2", &voice.render(PARTS.one("programs", "table", random), random));
    let years =
        std::array::from_fn(|before| (year + 1 + before as u64 - SERIES_YEARS as u64).to_string());
    html + "<table>\n" + &row("th", "", years) + &table + "</table>\n"
}

fn row(cell: &str, label: &str, values: [String; SERIES_YEARS]) -> String {
    let cells = values.map(|value| element(cell, &value));
    format!("<tr>\n{}{}</tr>\n", element("th", label), cells.concat())
}

fn capitalised(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}
