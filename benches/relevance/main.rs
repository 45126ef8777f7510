//! How good answers are, by judgements of people's queries.
//!
//! - `cargo bench --bench relevance -- --data-dir D`: answers to judged queries, and the rankings that they are
//!   combined from, as a table.
//! - With `--features FILE`: also the features of every candidate, one query a line, for
//!   `scripts/ranking_model.py` and `scripts/cross_encoder.py`; with `--answers FILE` the first rows.

// Figures go to standard output.
#![allow(clippy::print_stdout)]

mod judged;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use almoner::embed::Lazy;
use almoner::rank::{Feature, Features};
use almoner::record::{Ein, OrgId};
use almoner::search::candidates::Candidates;
use almoner::search::nonprofits::{self, Passage, Query};
use almoner::snapshot::{self, Snapshot};
use almoner::understand::{Frame, Lookup, Model, Request, interpret};
use anyhow::Context as _;
use clap::{Parser, ValueEnum};

use judged::{DEPTH, Figures, GradedQuery, PAGE, RIGHT, fused, judged, tables};

/// Measures answers to judged queries, and the rankings that they are combined from.
#[derive(Debug, Parser)]
struct Arguments {
    /// Folder that holds the snapshots
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Folder with another sentence model
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// What interprets the queries
    #[arg(long, value_enum, default_value_t = Interpreter::Minilm)]
    interpreter: Interpreter,
    /// Folder with other judgements: queries.tsv (id, kind, query) and grades.tsv (id, EIN, grade 0 to 3)
    #[arg(long, value_name = "DIR")]
    judgements: Option<PathBuf>,
    /// Write the features of every candidate to this file, one JSON object per line and query
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// Write the first rows of every answer to this file, one JSON object per line and query
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
    /// Passed by `cargo bench`
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Interpreter {
    Minilm,
    Grammar,
}

impl From<Interpreter> for Model {
    fn from(interpreter: Interpreter) -> Self {
        match interpreter {
            Interpreter::Minilm => Self::MiniLm,
            Interpreter::Grammar => Self::Grammar,
        }
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let Some(data_dir) = &arguments.data_dir else {
        // As by `cargo test --benches`: there is nothing to measure.
        println!("relevance: say --data-dir; skipped");
        return Ok(());
    };
    measure(data_dir, &arguments)
}

fn measure(data_dir: &Path, arguments: &Arguments) -> anyhow::Result<()> {
    let snapshot = snapshot::open_with(data_dir, &Arc::new(Lazy::new(arguments.model.clone())))?;
    let [queries, grades] = tables(arguments.judgements.as_deref())?;
    let judged = judged(&queries, &grades)?;
    let present = present(&snapshot, &judged)?;
    eprintln!(
        "{} queries; of the nonprofits that are right for one, {:.1} % are in the snapshot",
        judged.len(),
        100.0 * present
    );
    let mut features = arguments.features.as_deref().map(lines).transpose()?;
    let mut answers = arguments.answers.as_deref().map(lines).transpose()?;
    let mut figures: BTreeMap<(usize, &str), Vec<Figures>> = BTreeMap::new();
    for query in &judged {
        let asked = query_for(&snapshot, query.text, arguments.interpreter)?;
        let found = nonprofits::search(&Lookup::of(&snapshot), &asked)?;
        let answer: Vec<Ein> = found.rows.iter().map(|row| row.organization.ein).collect();
        let mut rankings = vec![answer];
        let graded = graded(&snapshot, query)?;
        if let Some((Candidates { rows, found: by }, passages)) =
            nonprofits::candidates(&snapshot, &asked, &graded)?
        {
            let words: Vec<OrgId> = by.words.iter().map(|one| one.0).collect();
            let joined = fused(&[by.meaning.clone(), words.clone()]);
            for ranking in [words, by.meaning, joined] {
                rankings.push(eins(&snapshot, ranking)?);
            }
            if let Some(out) = &mut features {
                let question = asked.relevance.question.as_deref().unwrap_or(query.text);
                write_features(out, &snapshot, query, question, &rows, &passages)?;
            }
        } else {
            rankings.resize(RANKINGS.len(), rankings[0].clone());
        }
        if let Some(out) = &mut answers {
            let rows: Vec<String> = rankings[0].iter().take(PAGE).map(Ein::to_string).collect();
            let fit = found.plan.fit.map(|fit| fit.count);
            serde_json::to_writer(
                &mut *out,
                &serde_json::json!({"id": query.id, "eins": rows, "fit": fit}),
            )?;
            out.write_all(b"\n")?;
        }
        for (at, ranking) in rankings.iter().enumerate() {
            let of_query = Figures::of(ranking, &query.grades);
            figures.entry((at, "")).or_default().push(of_query);
            figures.entry((at, query.kind)).or_default().push(of_query);
        }
    }
    for out in [features, answers].into_iter().flatten() {
        out.into_inner().context("cannot write")?;
    }
    print_table(&figures);
    Ok(())
}

/// What is compared.
const RANKINGS: [&str; 4] = ["answer", "words", "meaning", "both, fused by rank"];

fn lines(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(BufWriter::new(file))
}

/// The share of what is right that the snapshot has.
fn present(snapshot: &Snapshot, judged: &[GradedQuery<'_>]) -> anyhow::Result<f64> {
    let (mut all, mut known) = (0_u32, 0_u32);
    for query in judged {
        for (ein, _) in query.grades.iter().filter(|(_, grade)| **grade == RIGHT) {
            all += 1;
            known += u32::from(snapshot.columns.org_of(*ein)?.is_some());
        }
    }
    Ok(f64::from(known) / f64::from(all.max(1)))
}

/// A query as the search endpoint asks it.
fn query_for(snapshot: &Snapshot, text: &str, interpreter: Interpreter) -> anyhow::Result<Query> {
    let explicit = Frame::default();
    let request = Request { model: interpreter.into(), ..Request::of(Some(text), &explicit) };
    let page = Query { page: 1, size: DEPTH, ..Query::default() };
    Ok(interpret(&Lookup::of(snapshot), &request)?.query(page))
}

fn eins(snapshot: &Snapshot, orgs: Vec<OrgId>) -> anyhow::Result<Vec<Ein>> {
    Ok(orgs.into_iter().map(|org| snapshot.columns.ein_of(org)).collect::<Result<_, _>>()?)
}

/// The rows that were graded, as far as the snapshot has them.
fn graded(snapshot: &Snapshot, query: &GradedQuery<'_>) -> anyhow::Result<Vec<OrgId>> {
    let mut orgs = Vec::new();
    for ein in query.grades.keys() {
        orgs.extend(snapshot.columns.org_of(*ein)?);
    }
    orgs.sort_unstable();
    Ok(orgs)
}

fn write_features(
    out: &mut impl std::io::Write,
    snapshot: &Snapshot,
    query: &GradedQuery<'_>,
    question: &str,
    rows: &[(OrgId, Features)],
    passages: &[Passage],
) -> anyhow::Result<()> {
    let names: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
    let mut candidates = Vec::with_capacity(rows.len());
    for (org, features) in rows {
        let ein = snapshot.columns.ein_of(*org)?;
        let grade = query.grades.get(&ein);
        candidates.push(serde_json::json!([ein.to_string(), grade, features.values().as_slice()]));
    }
    let grades: BTreeMap<String, u8> =
        query.grades.iter().map(|(ein, grade)| (ein.to_string(), *grade)).collect();
    let mut texts = BTreeMap::new();
    for (org, text) in passages {
        texts.insert(snapshot.columns.ein_of(*org)?.to_string(), text);
    }
    let line = serde_json::json!({
        "id": query.id, "kind": query.kind, "question": question, "features": names,
        "candidates": candidates, "grades": grades, "passages": texts,
    });
    serde_json::to_writer(&mut *out, &line)?;
    Ok(out.write_all(b"\n")?)
}

fn print_table(figures: &BTreeMap<(usize, &str), Vec<Figures>>) {
    println!(
        "{:<19}  {:<12}  {:>5}  nDCG@10  precision@5  recall@50  success@1",
        "ranking", "queries", "n"
    );
    for ((at, kind), of_queries) in figures {
        let mean = |of: fn(&Figures) -> f64| {
            of_queries.iter().map(of).sum::<f64>() / of_queries.len() as f64
        };
        let (ranking, n) = (RANKINGS[*at], of_queries.len());
        let kind = if kind.is_empty() { "all" } else { kind };
        let (ndcg, precision) = (mean(|one| one.ndcg), mean(|one| one.precision));
        let (recall, success) = (mean(|one| one.recall), mean(|one| one.success));
        println!(
            "{ranking:<19}  {kind:<12}  {n:>5}  {ndcg:>7.3}  {precision:>11.3}  {recall:>9.3}  {success:>9.3}"
        );
    }
}
