//! `almoner bench relevance`: how good answers are, by judgements of people's queries.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Subcommand;

use super::search::Interpreter;
use super::table::Table;
use super::{DataDir, ModelFolder, Outcome, complain_plainly, print};
use crate::rank::{Feature, Features};
use crate::record::{Ein, OrgId};
use crate::search::candidates::Candidates;
use crate::search::interpret::{Presentation, Question, interpret};
use crate::search::nonprofits::{self, Passage, Query};
use crate::snapshot::{self, Snapshot};
use crate::understand::Frame;

/// Queries with their kinds, and the grades of nonprofits as answers to them; `data/README.md` gives their sources.
const JUDGEMENTS: [(&str, &str); 2] = [
    ("queries.tsv", include_str!("../../data/judgements/queries.tsv")),
    ("grades.tsv", include_str!("../../data/judgements/grades.tsv")),
];

/// The grade of what is exactly right, and the least of what is good.
const RIGHT: u8 = 3;
const GOOD: u8 = 2;
/// Rows of an answer that are looked at.
const DEPTH: usize = 50;
const PAGE: usize = 10;
const FIRST: usize = 5;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    what: Target,
}

#[derive(Debug, Subcommand)]
enum Target {
    /// Measure answers to judged queries, and the rankings that they are combined from
    Relevance(Relevance),
}

#[derive(Debug, clap::Args)]
struct Relevance {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
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
}

/// A query with the grades of nonprofits, 0 to 3.
struct GradedQuery<'a> {
    id: &'a str,
    kind: &'a str,
    text: &'a str,
    grades: HashMap<Ein, u8>,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    let Target::Relevance(arguments) = arguments.what;
    relevance(&arguments)
}

fn relevance(arguments: &Relevance) -> anyhow::Result<Outcome> {
    let snapshot = snapshot::open_with(&arguments.data_dir.path, &arguments.model.lazy())?;
    let [queries, grades] = tables(arguments.judgements.as_deref())?;
    let judged = judged(&queries, &grades)?;
    let present = present(&snapshot, &judged)?;
    complain_plainly(&format!(
        "{} queries; of the nonprofits that are right for one, {:.1} % are in the snapshot",
        judged.len(),
        100.0 * present
    ));
    let mut features = arguments.features.as_deref().map(lines).transpose()?;
    let mut answers = arguments.answers.as_deref().map(lines).transpose()?;
    let mut figures: BTreeMap<(usize, &str), Vec<Figures>> = BTreeMap::new();
    for query in &judged {
        let asked = query_for(&snapshot, query.text, arguments.interpreter)?;
        let found = nonprofits::search(&snapshot, &asked)?;
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
    print(&table(&figures).render())?;
    Ok(Outcome::Done)
}

/// What is compared.
const RANKINGS: [&str; 4] = ["answer", "words", "meaning", "both, fused by rank"];

fn lines(path: &Path) -> anyhow::Result<BufWriter<File>> {
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(BufWriter::new(file))
}

/// The two tables of a folder, or those of the binary.
fn tables(folder: Option<&Path>) -> anyhow::Result<[String; 2]> {
    let Some(folder) = folder else { return Ok(JUDGEMENTS.map(|(_, table)| table.to_owned())) };
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    Ok([read(JUDGEMENTS[0].0)?, read(JUDGEMENTS[1].0)?])
}

fn judged<'a>(queries: &'a str, grades: &'a str) -> anyhow::Result<Vec<GradedQuery<'a>>> {
    let rows = |table: &'a str| {
        let rows = (1..).zip(table.lines()).filter(|(_, row)| !row.starts_with('#'));
        rows.map(|(line, row)| (line, row.split('\t').collect::<Vec<_>>()))
    };
    let mut of_queries: HashMap<&str, HashMap<Ein, u8>> = HashMap::new();
    for (line, row) in rows(grades) {
        let [id, ein, grade] = row[..] else {
            bail!("grades.tsv line {line}: expected id, EIN and grade, found {row:?}");
        };
        let grade = grade.parse().ok().filter(|grade| *grade <= RIGHT);
        let (Ok(ein), Some(grade)) = (ein.parse(), grade) else {
            bail!("grades.tsv line {line}: expected nine digits and a grade 0 to 3, found {row:?}");
        };
        of_queries.entry(id).or_default().insert(ein, grade);
    }
    let query = |(line, row): (usize, Vec<&'a str>)| match row[..] {
        [id, kind, text, ..] => {
            let grades = of_queries.remove(id).unwrap_or_default();
            Ok(GradedQuery { id, kind, text, grades })
        }
        _ => bail!("queries.tsv line {line}: expected id, kind and query, found {row:?}"),
    };
    rows(queries).map(query).collect()
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
    let question = Question {
        q: Some(text),
        model: interpreter.into(),
        earlier: None,
        message: None,
        explicit: &explicit,
    };
    let understood = interpret(snapshot, &question)?;
    let paging = Presentation { page: 1, size: DEPTH, ..Presentation::default() };
    Ok(understood.query(Some(text), paging))
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

/// What ranks are raised by: the published constant, which keeps one ranking's first row from
/// outweighing agreement of both.
const RANK_OFFSET: f64 = 60.0;

/// Joins rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009); equally good ones by
/// OrgId. The baseline of the learned ranking.
fn fused(rankings: &[Vec<OrgId>]) -> Vec<OrgId> {
    let mut scores: HashMap<OrgId, f64> = HashMap::new();
    for ranking in rankings {
        for (rank, &org) in (1_u32..).zip(ranking) {
            *scores.entry(org).or_default() += 1.0 / (RANK_OFFSET + f64::from(rank));
        }
    }
    let mut scores: Vec<(OrgId, f64)> = scores.into_iter().collect();
    scores.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    scores.into_iter().map(|(org, _)| org).collect()
}

/// How good one ranking of one query is.
#[derive(Debug, Clone, Copy)]
struct Figures {
    /// Normalised discounted cumulative gain of the first [`PAGE`], gain 2^grade − 1 (Järvelin and Kekäläinen,
    /// 2002).
    ndcg: f64,
    /// The share of good ones among the first [`FIRST`], of as many as there are.
    precision: f64,
    /// The share of all good ones among the first [`DEPTH`].
    recall: f64,
    /// Whether the first is right.
    success: f64,
}

impl Figures {
    fn of(ranking: &[Ein], grades: &HashMap<Ein, u8>) -> Self {
        let grade = |ein: &Ein| grades.get(ein).copied().unwrap_or_default();
        let gain = |grades: &mut dyn Iterator<Item = u8>| -> f64 {
            let one =
                |(at, grade): (u32, u8)| (f64::from(grade).exp2() - 1.0) / f64::from(at + 2).log2();
            (0..).zip(grades.take(PAGE)).map(one).sum()
        };
        let mut ideal: Vec<u8> = grades.values().copied().collect();
        ideal.sort_unstable_by(|a, b| b.cmp(a));
        let best = gain(&mut ideal.iter().copied());
        let all_good = ideal.iter().filter(|grade| **grade >= GOOD).count();
        let good =
            |first: usize| ranking.iter().take(first).filter(|ein| grade(ein) >= GOOD).count();
        let share = |count: usize, of: usize| count as f64 / of.max(1) as f64;
        Self {
            ndcg: if best > 0.0 { gain(&mut ranking.iter().map(grade)) / best } else { 0.0 },
            precision: share(good(FIRST), all_good.min(FIRST)),
            recall: share(good(DEPTH), all_good),
            success: f64::from(u8::from(ranking.first().is_some_and(|ein| grade(ein) == RIGHT))),
        }
    }
}

fn table(figures: &BTreeMap<(usize, &str), Vec<Figures>>) -> Table {
    let mut table = Table::new(&[
        "ranking",
        "queries",
        "n",
        "nDCG@10",
        "precision@5",
        "recall@50",
        "success@1",
    ]);
    for ((at, kind), of_queries) in figures {
        let mean = |of: fn(&Figures) -> f64| {
            let sum: f64 = of_queries.iter().map(of).sum();
            format!("{:.3}", sum / of_queries.len() as f64)
        };
        table.row([
            RANKINGS[*at].to_owned(),
            if kind.is_empty() { "all".to_owned() } else { (*kind).to_owned() },
            of_queries.len().to_string(),
            mean(|one| one.ndcg),
            mean(|one| one.precision),
            mean(|one| one.recall),
            mean(|one| one.success),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agreement_of_both_rankings_beats_the_first_place_of_one() {
        let orgs = |numbers: &[u32]| numbers.iter().copied().map(OrgId::new).collect::<Vec<_>>();
        let joined = fused(&[orgs(&[1, 2, 3]), orgs(&[4, 2, 5])]);
        assert_eq!(joined, orgs(&[2, 1, 4, 3, 5]));
        assert_eq!(fused(&[orgs(&[7, 6]), Vec::new()]), orgs(&[7, 6]));
    }

    fn ein(number: u32) -> Ein {
        Ein::unpack(number).unwrap()
    }

    #[test]
    fn figures_are_those_of_their_definitions() {
        let grades = HashMap::from([(ein(1), 3), (ein(2), 2), (ein(3), 0)]);
        let best = Figures::of(&[ein(1), ein(2), ein(3)], &grades);
        assert_eq!((best.ndcg, best.precision, best.recall, best.success), (1.0, 1.0, 1.0, 1.0));
        let second = Figures::of(&[ein(3), ein(1)], &grades);
        let expected = (7.0 / 3.0_f64.log2()) / (7.0 + 3.0 / 3.0_f64.log2());
        assert!((second.ndcg - expected).abs() < 1e-12);
        assert_eq!((second.precision, second.recall, second.success), (0.5, 0.5, 0.0));
        assert_eq!(Figures::of(&[], &HashMap::new()).ndcg, 0.0);
    }

    #[test]
    fn every_judged_query_has_something_good() {
        let [queries, grades] = tables(None).unwrap();
        let judged = judged(&queries, &grades).unwrap();
        assert!(judged.len() >= 400);
        for query in judged {
            assert!(!query.text.is_empty() && !query.kind.is_empty());
            assert!(query.grades.values().any(|grade| *grade >= GOOD), "{}", query.id);
            assert!(query.grades.values().all(|grade| *grade <= RIGHT), "{}", query.id);
        }
    }
}
