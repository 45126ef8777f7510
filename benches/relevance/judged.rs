//! Judged queries, and how good a ranking is by their grades.

use std::collections::HashMap;
use std::path::Path;

use almoner::record::{Ein, OrgId};
use anyhow::{Context as _, bail};

/// Queries with their kinds, and the grades of nonprofits as answers to them; `data/README.md` gives their sources.
const JUDGEMENTS: [(&str, &str); 2] = [
    ("queries.tsv", include_str!("../../data/judgements/queries.tsv")),
    ("grades.tsv", include_str!("../../data/judgements/grades.tsv")),
];

/// The grade of what is exactly right, and the least of what is good.
pub const RIGHT: u8 = 3;
pub const GOOD: u8 = 2;
/// Rows of an answer that are looked at.
pub const DEPTH: usize = 50;
pub const PAGE: usize = 10;
const FIRST: usize = 5;

/// A query with the grades of nonprofits, 0 to 3.
pub struct GradedQuery<'a> {
    pub id: &'a str,
    pub kind: &'a str,
    pub text: &'a str,
    pub grades: HashMap<Ein, u8>,
}

/// The two tables of a folder, or those of the binary.
pub fn tables(folder: Option<&Path>) -> anyhow::Result<[String; 2]> {
    let Some(folder) = folder else { return Ok(JUDGEMENTS.map(|(_, table)| table.to_owned())) };
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    Ok([read(JUDGEMENTS[0].0)?, read(JUDGEMENTS[1].0)?])
}

pub fn judged<'a>(queries: &'a str, grades: &'a str) -> anyhow::Result<Vec<GradedQuery<'a>>> {
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

/// What ranks are raised by: the published constant, which keeps one ranking's first row from
/// outweighing agreement of both.
const RANK_OFFSET: f64 = 60.0;

/// Joins rankings by reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009); equally good ones by
/// OrgId. The baseline of the learned ranking.
pub fn fused(rankings: &[Vec<OrgId>]) -> Vec<OrgId> {
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
pub struct Figures {
    /// Normalised discounted cumulative gain of the first [`PAGE`], gain 2^grade − 1 (Järvelin and Kekäläinen,
    /// 2002).
    pub ndcg: f64,
    /// The share of good ones among the first [`FIRST`], of as many as there are.
    pub precision: f64,
    /// The share of all good ones among the first [`DEPTH`].
    pub recall: f64,
    /// Whether the first is right.
    pub success: f64,
}

impl Figures {
    pub fn of(ranking: &[Ein], grades: &HashMap<Ein, u8>) -> Self {
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
