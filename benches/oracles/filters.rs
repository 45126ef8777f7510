//! Filters against the naive answer: every filter and every pair of them, each organization's record
//! looked at.
//!
//! What a record does not say satisfies no filter, and `unknown` counts whom that alone leaves out.

use std::time::Instant;

use almoner::index::columns::Selection;
use almoner::query::{Area, Figure, Filters, Flag};
use almoner::record::{OrgId, OrgSize, Organization, SdgSet, Subsection, Usd, as_written};
use almoner::snapshot::Snapshot;
use rayon::prelude::*;

/// Differing pairs that are shown.
const SHOWN_MAX: usize = 10;

/// Whether a record satisfies a filter; `None` where what the filter asks about is not known.
type Naive = Box<dyn Fn(&Organization) -> Option<bool> + Sync>;

/// One filter, as the columns take it and as it is read off a record.
struct Single {
    /// What it filters by: two of one flag cannot both be asked.
    flag: Option<&'static str>,
    name: String,
    set: Box<dyn Fn(&mut Filters) + Sync>,
    naive: Naive,
}

impl Single {
    fn new(
        name: impl Into<String>,
        set: impl Fn(&mut Filters) + Sync + 'static,
        naive: impl Fn(&Organization) -> Option<bool> + Sync + 'static,
    ) -> Self {
        Self { flag: None, name: name.into(), set: Box::new(set), naive: Box::new(naive) }
    }
}

/// Asks a snapshot; whether every answer is the naive one.
pub fn check(snapshot: &Snapshot) -> bool {
    let start = Instant::now();
    let count = snapshot.columns.organizations();
    let record =
        |number| snapshot.records.organization(OrgId::new(number)).expect("a whole snapshot");
    let organizations: Vec<Organization> = (0..count).into_par_iter().map(record).collect();
    let singles = singles(&organizations);
    let verdicts: Vec<Vec<Option<bool>>> = singles
        .iter()
        .map(|single| organizations.par_iter().map(|one| (single.naive)(one)).collect())
        .collect();
    let flag = |single: usize| singles[single].flag;
    let pairs: Vec<(usize, usize)> = (0..singles.len())
        .flat_map(|a| (a..singles.len()).map(move |b| (a, b)))
        .filter(|&(a, b)| a == b || flag(a).is_none() || flag(a) != flag(b))
        .collect();
    let differing: Vec<String> = pairs
        .par_iter()
        .filter_map(|&(a, b)| {
            let mut filters = Filters::default();
            (singles[a].set)(&mut filters);
            (singles[b].set)(&mut filters);
            let found = snapshot.columns.select(&filters).expect("a whole snapshot");
            let said = difference(&found, &verdicts[a], &verdicts[b])?;
            Some(format!("{} and {}: {said}", singles[a].name, singles[b].name))
        })
        .collect();
    let never: Vec<&str> = (singles.iter().zip(&verdicts))
        .filter(|(_, verdicts)| !verdicts.contains(&Some(true)))
        .map(|(single, _)| single.name.as_str())
        .collect();
    println!(
        "filters: {} of them and {} pairs in {:.1} s, {} differ",
        singles.len(),
        pairs.len(),
        start.elapsed().as_secs_f64(),
        differing.len()
    );
    differing.iter().take(SHOWN_MAX).for_each(|one| println!("  {one}"));
    if !never.is_empty() {
        println!("  satisfied by nobody here: {}", never.join(", "));
    }
    differing.is_empty()
}

/// How an answer differs from two verdicts on each organization, if it does.
fn difference(found: &Selection, a: &[Option<bool>], b: &[Option<bool>]) -> Option<String> {
    let mut unknown = 0;
    for (number, (a, b)) in (0..).zip(a.iter().zip(b)) {
        let expected = match (a, b) {
            (Some(false), _) | (_, Some(false)) => false,
            (Some(true), Some(true)) => true,
            _ => {
                unknown += 1;
                false
            }
        };
        if found.matching.contains(OrgId::new(number)) != expected {
            return Some(format!("organization {number} should be {expected}"));
        }
    }
    (found.unknown != unknown).then(|| format!("{} unknown, expected {unknown}", found.unknown))
}

/// Every filter that pairs are made of.
fn singles(organizations: &[Organization]) -> Vec<Single> {
    let mut all = flags();
    all.extend(amounts());
    all.extend(codes());
    let state = organizations.iter().find_map(|one| one.address.state).expect("a state");
    let area = Area { state: Some(state), ..Area::default() };
    all.push(Single::new(
        format!("state {state}"),
        move |filters| filters.areas = vec![area.clone()],
        move |one| Some(one.address.state == Some(state)),
    ));
    let area = Area { state: Some(state), ..Area::default() };
    all.push(Single::new(
        format!("not state {state}"),
        move |filters| filters.not_areas = vec![area.clone()],
        move |one| Some(one.address.state != Some(state)),
    ));
    all
}

/// A value of a record that may not be known.
type Truth = fn(&Organization) -> Option<bool>;

fn flags() -> Vec<Single> {
    let flags: [(&'static str, Flag, Truth); 4] = [
        ("foundation", Flag::Foundation, |one| one.is_private_foundation()),
        ("deductible", Flag::Deductible, |one| one.exemption.is_deductible()),
        ("inactive", Flag::Inactive, |one| one.exemption.is_inactive()),
        ("vetted", Flag::Vetted, Organization::is_vetted),
    ];
    let single = |(name, flag, value): (&'static str, Flag, Truth), asked: bool| Single {
        flag: Some(name),
        ..Single::new(
            format!("{name}={asked}"),
            move |filters| filters.flags[flag] = Some(asked),
            move |one| value(one).map(|value| value == asked),
        )
    };
    flags.into_iter().flat_map(|flag| [true, false].map(|asked| single(flag, asked))).collect()
}

fn amounts() -> Vec<Single> {
    type Value = fn(&Organization) -> Option<f64>;
    fn dollars(amount: Option<Usd>) -> Option<f64> {
        amount.map(|usd| usd.dollars() as f64)
    }
    let single = |figure: Figure| {
        let (bound, value): (f64, Value) = match figure {
            Figure::Revenue => (1e5, |one| dollars(one.finances.revenue)),
            Figure::Expenses => (1e6, |one| dollars(one.finances.expenses)),
            Figure::Assets => (1e6, |one| dollars(one.finances.assets)),
            Figure::Employees => (3.0, |one| one.finances.employees.map(f64::from)),
            Figure::Score => {
                (50.0, |one| one.overlay.as_ref().and_then(|overlay| overlay.score).map(as_written))
            }
            Figure::Rating => {
                (2.0, |one| one.overlay.as_ref().and_then(|overlay| overlay.rating).map(as_written))
            }
            Figure::RulingYear => {
                (1990.0, |one| one.exemption.ruling.map(|month| f64::from(month.year())))
            }
        };
        Single::new(
            format!("{} at least {bound}", figure.name()),
            move |filters| filters.ranges[figure].min = Some(bound),
            // Whose revenue is at most less surely has less.
            move |one| {
                let ceiling = one.finances.revenue_ceiling().filter(|_| figure == Figure::Revenue);
                let is_below = dollars(ceiling).is_some_and(|most| most < bound);
                value(one).map(|value| value >= bound).or(is_below.then_some(false))
            },
        )
    };
    Figure::ALL.into_iter().map(single).collect()
}

fn codes() -> Vec<Single> {
    let charitable = Subsection::CHARITABLE;
    let begins = |one: &Organization| one.ntee.is_some_and(|code| code.as_str().starts_with('B'));
    vec![
        Single::new(
            "501(c)(3)",
            move |filters| filters.subsections = vec![charitable],
            move |one| Some(one.exemption.subsection == Some(charitable)),
        ),
        Single::new(
            "NTEE B",
            |filters| filters.ntee_prefixes = vec!["B".into()],
            move |one| Some(begins(one)),
        ),
        Single::new(
            "not NTEE B",
            |filters| filters.not_ntee_prefixes = vec!["B".into()],
            move |one| Some(!begins(one)),
        ),
        Single::new(
            "SDG 4",
            |filters| filters.sdgs = SdgSet::from_mask(1 << 4),
            |one| Some(one.sdgs.mask() & 1 << 4 != 0),
        ),
        Single::new(
            "of size Small",
            |filters| filters.choices.sizes = vec![OrgSize::Small],
            |one| one.size().map(|size| size == OrgSize::Small),
        ),
    ]
}
