//! `almoner match`: a list of names and addresses to EINs.
//!
//! Rows are read in batches, matched on all cores and written in their order, so that memory does not
//! grow with the list and the same list gives the same bytes. A run that was stopped is gone on with.

mod added;
mod columns;
mod input;
mod resume;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use rayon::prelude::*;

use super::progress::{Bar, counted};
use super::{DataDir, OUTPUT, Outcome, complain_plainly};
use crate::embed::Lazy;
use crate::matching::{self, Decision, Field, YesMin};
use crate::record::thousands;
use crate::snapshot::{self, Snapshot};
use crate::sources::Sheets;
use crate::spreadsheet::guarded;
use added::DetailColumn;
use columns::Columns;
use input::List;
use resume::{KeptRows, PartialFile};

/// Rows, and bytes of the list, that are matched at once.
const BATCH_ROWS: usize = 2_048;
const BATCH_BYTES: u64 = 8 << 20;
/// The columns that are added, in their order.
const ADDED: [&str; 6] = ["decision", "ein", "matched_name", "score", "reasons", "second_ein"];
/// What precedes an added column of which the list has one already.
const PREFIX: &str = "almoner_";
/// The probability from which on another organization is named beside the likeliest.
const SECOND_MIN: f64 = 0.01;
/// Where the decision stands among the added columns.
const DECISION: usize = 0;
/// The same of the reasons.
const REASONS: usize = 4;
/// What stands for standard input and output.
const STANDARD: &str = "-";

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// CSV or a workbook (.xlsx, .ods, .xls), with a row of headings, of organizations; `-` for standard input
    #[arg(value_name = "LIST")]
    list: PathBuf,
    #[command(flatten)]
    data_dir: DataDir,
    /// File of the same rows with EINs; `-` for standard output
    #[arg(long, value_name = "FILE", default_value = STANDARD)]
    output: PathBuf,
    /// Which column is what, where its heading is not a usual one; what is name, other_name, street, street2,
    /// city, state, zip or ein
    #[arg(long, value_name = "WHAT=HEADING", value_parser = parse_column)]
    column: Vec<(Field, String)>,
    /// Sheet of a workbook; the first with usual headings unless given
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Columns that are added of whoever was found, by commas: those of the tables `organizations` and `standing`
    /// that `almoner export` has; revenue, standing, website and category are short for some
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', value_parser = DetailColumn::parse)]
    add: Vec<DetailColumn>,
    /// Probability from which on the answer is yes
    #[arg(long, value_name = "SHARE", default_value = "0.75", value_parser = yes_min, env = "ALMONER_YES")]
    yes: YesMin,
}

/// Reads `name=Organization`.
fn parse_column(text: &str) -> Result<(Field, String), String> {
    let (what, heading) =
        text.split_once('=').ok_or("expected WHAT=HEADING, as in name=Grantee")?;
    let field = Field::named(what).ok_or_else(|| {
        let known: Vec<&str> = Field::ALL.iter().map(|field| field.name()).collect();
        format!("expected one of {} before the =, found {what:?}", known.join(", "))
    })?;
    Ok((field, heading.to_owned()))
}

fn yes_min(text: &str) -> Result<YesMin, String> {
    let value = text.parse().ok().and_then(YesMin::new);
    value.ok_or_else(|| "expected a share from 0.5 to 1".to_owned())
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &Arc::<Lazy>::default())?;
    let name = arguments.list.display().to_string();
    let is_standard = arguments.list.as_os_str() == STANDARD;
    let is_header = |row: &[String]| columns::is_header(row, &arguments.column);
    let cannot = || format!("cannot read {name}");
    let mut sheets;
    let (list, bytes) = if is_standard {
        (List::open(io::stdin(), is_header), None)
    } else {
        let file = File::open(&arguments.list).with_context(|| format!("cannot open {name}"))?;
        let bytes = file.metadata().ok().filter(std::fs::Metadata::is_file).map(|one| one.len());
        sheets = Sheets::open(&file).with_context(cannot)?;
        match &mut sheets {
            None => (List::open(file, is_header), bytes),
            Some(sheets) => {
                let chosen = input::choose_sheet(sheets, arguments.sheet.as_deref(), is_header);
                let chosen = chosen.with_context(cannot)?;
                let names = sheets.names();
                if names.len() > 1 {
                    let (sheet, count) = (&names[chosen], names.len());
                    complain_plainly(&format!("{name}: sheet {sheet:?} of {count}"));
                }
                (List::open(sheets.text(chosen).with_context(cannot)?, is_header), None)
            }
        }
    };
    let list = list.with_context(cannot)?;
    if list.rows_above > 0 {
        let rows = counted(list.rows_above as u64, "row");
        complain_plainly(&format!("{name}: {rows} above the headings left out"));
    }
    let columns = Columns::of(&list.header, &arguments.column)
        .with_context(|| format!("cannot match {name}"))?;
    complain_plainly(&format!("{name}: {}", columns.describe(&list.header)));
    let bar = Bar::new("matching", bytes);
    let matching =
        Matching { snapshot: &snapshot, columns, yes: arguments.yes, add: arguments.add };
    let began = Instant::now();
    let tally = if arguments.output.as_os_str() == STANDARD {
        matching.run(list, None, io::stdout().lock(), &bar)
    } else {
        matching.to_file(list, &arguments.output, &bar)
    };
    let tally = tally.with_context(|| format!("cannot match {name}"))?;
    bar.finish();
    complain_plainly(&tally.summary(began.elapsed().as_secs_f64()));
    Ok(Outcome::Done)
}

/// How many rows had which decision.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Tally {
    yes: u64,
    maybe: u64,
    no: u64,
    /// Of the last, rows with more than the header has.
    ragged: u64,
}

impl Tally {
    /// Counts a row; of one that fits the header as `fit` says.
    fn add(&mut self, decision: Decision, fit: Fit) {
        match decision {
            Decision::Yes => self.yes += 1,
            Decision::Maybe => self.maybe += 1,
            Decision::No => self.no += 1,
        }
        self.ragged += u64::from(fit == Fit::Ragged);
    }

    fn rows(&self) -> u64 {
        self.yes + self.maybe + self.no
    }

    fn summary(&self, seconds: f64) -> String {
        let rows = self.rows();
        let ragged = match self.ragged {
            0 => String::new(),
            count => {
                format!("; {} had more fields than the header", counted(count, "row"))
            }
        };
        format!(
            "{} in {seconds:.1} s: {} yes, {} maybe, {} no{ragged}",
            counted(rows, "row"),
            thousands(self.yes),
            thousands(self.maybe),
            thousands(self.no)
        )
    }
}

/// Whether a row has nothing beyond the fields of the header; programs leave out empty ones at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Whole,
    Ragged,
}

/// What is added to a row.
#[derive(Debug)]
struct Answer {
    decision: Decision,
    added: Vec<String>,
}

/// How far an earlier run came.
#[derive(Debug, Default)]
struct Resumed {
    tally: Tally,
    /// The first row of the list that it has not answered, where that was read.
    next: Option<Vec<String>>,
}

struct Matching<'a> {
    snapshot: &'a Snapshot,
    columns: Columns,
    yes: YesMin,
    /// What is added of those who were found.
    add: Vec<DetailColumn>,
}

impl Matching<'_> {
    /// Writes a file beside its place, from where an earlier run left it, and moves it there when it is whole.
    fn to_file(&self, mut list: List<'_>, output: &Path, bar: &Bar) -> anyhow::Result<Tally> {
        let made = || -> anyhow::Result<Tally> {
            let mut partial = PartialFile::open(output, self.settings(&list))?;
            if let Some(byte) = partial.damaged_from() {
                let (file, byte) = (partial.partial.display(), thousands(byte));
                complain_plainly(&format!(
                    "{file} is not as the earlier run wrote it from byte {byte} on: rows from there are matched again"
                ));
            }
            let mut kept = partial.rows(list.separator)?;
            let resumed = self.resumed(&mut list, &mut kept)?;
            partial.cut(kept.agreed_bytes)?;
            if let Some(resumed) = &resumed {
                let rows = counted(resumed.tally.rows(), "row");
                complain_plainly(&format!("resuming after {rows} that an earlier run matched"));
            }
            let tally = self.run(list, resumed, &mut partial, bar)?;
            partial.publish()?;
            Ok(tally)
        };
        made().with_context(|| format!("cannot write {}", output.display()))
    }

    /// What the answers depend on besides the rows.
    fn settings(&self, list: &List<'_>) -> String {
        let (program, snapshot) = (env!("CARGO_PKG_VERSION"), &self.snapshot.manifest.snapshot);
        let columns = self.columns.describe(&list.header);
        let (yes, added) = (self.yes, added::names(&self.add));
        format!("almoner {program}\nsnapshot {snapshot}\nyes {yes:?}\n{columns}\nadd {added}\n")
    }

    /// Passes over the rows of the list that were answered; `None` where not even the header was.
    fn resumed(&self, list: &mut List<'_>, kept: &mut KeptRows) -> anyhow::Result<Option<Resumed>> {
        let headings = self.added_headings(&list.header);
        let is_same =
            |added: &[&str]| added.iter().zip(&headings).all(|(a, b)| a == b).then_some(());
        if !kept.advance() || kept.agree(&list.header, headings.len(), is_same).is_none() {
            return Ok(None);
        }
        let mut tally = Tally::default();
        while kept.advance() {
            let Some(row) = list.next_row()? else { break };
            let fit = self.fit(&row);
            let own = self.fitted(row.clone());
            let decision = |added: &[&str]| Decision::named(added[DECISION]);
            let Some(decision) = kept.agree(&own, headings.len(), decision) else {
                return Ok(Some(Resumed { tally, next: Some(row) }));
            };
            tally.add(decision, fit);
        }
        Ok(Some(Resumed { tally, next: None }))
    }

    /// Writes the rows behind those of an earlier run.
    fn run(
        &self,
        mut list: List<'_>,
        resumed: Option<Resumed>,
        out: impl Write,
        bar: &Bar,
    ) -> anyhow::Result<Tally> {
        let mut rows =
            csv::WriterBuilder::new().delimiter(list.separator).from_writer(BufWriter::new(out));
        if resumed.is_none() {
            let added = self.added_headings(&list.header);
            rows.write_record(list.header.iter().chain(&added)).context(OUTPUT)?;
        }
        let Resumed { mut tally, mut next } = resumed.unwrap_or_default();
        let mut bytes_before = 0;
        loop {
            let mut batch = Vec::with_capacity(BATCH_ROWS);
            batch.extend(next.take());
            let batch_end = list.bytes() + BATCH_BYTES;
            while batch.len() < BATCH_ROWS && list.bytes() < batch_end {
                let Some(row) = list.next_row()? else { break };
                batch.push(row);
            }
            if batch.is_empty() {
                break;
            }
            let answers: Vec<anyhow::Result<Answer>> =
                batch.par_iter().map(|row| self.answer(row)).collect();
            for (row, answer) in batch.into_iter().zip(answers) {
                let answer = answer?;
                tally.add(answer.decision, self.fit(&row));
                rows.write_record(self.fitted(row).iter().chain(&answer.added))?;
            }
            rows.flush()?;
            bar.advance(list.bytes() - bytes_before);
            bytes_before = list.bytes();
        }
        rows.flush()?;
        Ok(tally)
    }

    fn fit(&self, row: &[String]) -> Fit {
        let beyond = row.get(self.columns.count..).unwrap_or_default();
        if beyond.iter().all(|field| field.trim().is_empty()) { Fit::Whole } else { Fit::Ragged }
    }

    /// A row with as many fields as the header.
    fn fitted(&self, mut row: Vec<String>) -> Vec<String> {
        row.resize(self.columns.count, String::new());
        row
    }

    /// The headings of the added columns.
    fn added_headings(&self, header: &[String]) -> Vec<String> {
        let details = self.add.iter().map(DetailColumn::heading);
        ADDED.into_iter().chain(details).map(|name| added_heading(name, header)).collect()
    }

    fn answer(&self, row: &[String]) -> anyhow::Result<Answer> {
        if self.fit(row) == Fit::Ragged {
            let reason = format!(
                "the row has {}, the header {}, those beyond it left out",
                counted(row.len() as u64, "field"),
                self.columns.count
            );
            let mut added = vec![String::new(); ADDED.len() + self.add.len()];
            added[DECISION] = Decision::No.name().to_owned();
            added[REASONS] = reason;
            return Ok(Answer { decision: Decision::No, added });
        }
        let matched = matching::find(self.snapshot.into(), &self.columns.query(row), self.yes)?;
        let first = matched.candidates.first();
        // After a no, the likeliest candidate appears only among the reasons: nobody should copy its EIN.
        let named = first.filter(|_| matched.decision != Decision::No);
        let second = matched.candidates.get(1);
        let second = second.filter(|one| named.is_some() && one.probability >= SECOND_MIN);
        let reasons = match (first, matched.no_match_reason) {
            (_, Some(reason)) => reason,
            (Some(first), None) if named.is_none() => {
                format!("nearest is {}: {}", first.name, first.reasons.join("; "))
            }
            (first, None) => first.map(|one| one.reasons.join("; ")).unwrap_or_default(),
        };
        let mut added = vec![
            matched.decision.name().to_owned(),
            named.map(|one| one.ein.to_string()).unwrap_or_default(),
            guarded(named.map(|one| one.name.clone()).unwrap_or_default()),
            first.map(|one| format!("{:.4}", one.probability)).unwrap_or_default(),
            guarded(reasons),
            second.map(|one| one.ein.to_string()).unwrap_or_default(),
        ];
        added.extend(added::cells(&self.add, self.snapshot, named.map(|one| one.org))?);
        Ok(Answer { decision: matched.decision, added })
    }
}

/// The rows of a list, its header first.
///
/// # Errors
/// When it has none, or a row without end.
#[cfg(feature = "internals")]
pub fn list_rows(bytes: Vec<u8>) -> anyhow::Result<Vec<Vec<String>>> {
    let mut list = List::open(io::Cursor::new(bytes), |row| columns::is_header(row, &[]))?;
    let mut rows = vec![std::mem::take(&mut list.header)];
    while let Some(row) = list.next_row()? {
        rows.push(row);
    }
    Ok(rows)
}

/// The heading of an added column: another one where the list has a column of that name.
fn added_heading(name: &str, header: &[String]) -> String {
    let mut heading = name.to_owned();
    while header.iter().any(|one| one.trim().eq_ignore_ascii_case(&heading)) {
        heading.insert_str(0, PREFIX);
    }
    heading
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_as_told() {
        assert_eq!(parse_column("name=A=b"), Ok((Field::Name, "A=b".to_owned())));
        assert!(parse_column("name").is_err() && parse_column("what=x").is_err());
        assert!(yes_min("0.95").is_ok() && yes_min("2").is_err() && yes_min("x").is_err());
    }

    #[test]
    fn headings_that_the_list_has_already() {
        let header = ["Ein", "almoner_ein"].map(str::to_owned);
        assert_eq!(added_heading("ein", &header), "almoner_almoner_ein");
        assert_eq!(added_heading("score", &header), "score");
    }
}
