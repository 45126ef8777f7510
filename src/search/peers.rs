//! How a nonprofit compares with those of its cause and size, by ratios of their latest returns.

use super::SearchError;
use super::details::details;
use crate::index::columns::Bitmap;
use crate::index::ratios;
use crate::query::{Area, Figure, Filters, Range, Ranges};
use crate::record::{Ein, Filing, Ratio, State};
use crate::snapshot::Snapshot;

/// Peers required for a comparison within the state; with fewer, the whole country is used.
const PEERS_MIN: usize = 20;

/// The largest ratio between the revenues of peers.
const SIZE_FACTOR: f64 = 3.0;

/// A nonprofit among its peers.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// Letter of the major group that the peers have; `None` where the nonprofit's is not known.
    pub ntee_major: Option<char>,
    /// The least and the greatest revenue of peers, in whole US dollars; `None` where the nonprofit's is
    /// not known or not above 0.
    pub revenue: Option<(i64, i64)>,
    /// The state of the peers; `None` for the whole country.
    pub state: Option<State>,
    /// Number of peers with a return, without the nonprofit itself.
    pub peers: u64,
    /// Its latest return as filed, and each ratio with its standing; `None` where none was loaded.
    pub ratios: Option<(Filing, Vec<RatioStanding>)>,
}

/// A ratio in comparison with those of peers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioStanding {
    pub ratio: Ratio,
    pub value: Option<f64>,
    /// Number of peers with a known value.
    pub known: u64,
    /// Of these, the share with a smaller value, half of those with the same counted: 0 to 100. `None`
    /// without a value or without peers.
    pub percentile: Option<f64>,
    /// The median of these.
    pub median: Option<f64>,
}

/// A nonprofit among its peers, if the snapshot has it.
pub fn compare(snapshot: &Snapshot, ein: Ein) -> Result<Option<Comparison>, SearchError> {
    let Some(organization) = details(snapshot, ein)? else { return Ok(None) };
    let ntee_major = organization.ntee.or(organization.group_ntee).map(|code| code.major());
    let revenue = organization.finances.revenue.map(|usd| usd.dollars()).filter(|usd| *usd > 0);
    let revenue = revenue.map(|revenue| {
        let revenue = revenue as f64;
        ((revenue / SIZE_FACTOR) as i64, (revenue * SIZE_FACTOR) as i64)
    });
    let mut filters = Filters { not_eins: vec![ein], ..Filters::default() };
    filters.ntee_prefixes.extend(ntee_major.map(String::from));
    if let Some((min, max)) = revenue {
        let range = Range { min: Some(min as f64), max: Some(max as f64) };
        filters.ranges = Ranges::of(Figure::Revenue, range);
    }
    let all = snapshot.columns.select(&filters)?.matching;
    let mut state = organization.address.state;
    let mut places = places(snapshot, &all, state)?;
    if places.len() < PEERS_MIN && state.is_some() {
        state = None;
        places = snapshot.ratios.places(&all)?;
    }
    let filings = match snapshot.columns.org_of(ein)? {
        Some(org) => snapshot.records.filings(org)?,
        None => Vec::new(),
    };
    let ratios = match ratios::of_latest(&filings) {
        Some((filing, values)) => {
            let standing = |(ratio, value)| standing(snapshot, ratio, value, &places);
            let all = Ratio::ALL.into_iter().zip(values).map(standing);
            Some((filing.clone(), all.collect::<Result<_, SearchError>>()?))
        }
        None => None,
    };
    Ok(Some(Comparison { ntee_major, revenue, state, peers: places.len() as u64, ratios }))
}

/// The places of those of a set that are in a state, where one is given.
fn places(
    snapshot: &Snapshot,
    all: &Bitmap,
    state: Option<State>,
) -> Result<Vec<usize>, SearchError> {
    let mut set = all.clone();
    if state.is_some() {
        let areas = vec![Area { state, ..Area::default() }];
        set.intersect(&snapshot.columns.select(&Filters { areas, ..Filters::default() })?.matching);
    }
    Ok(snapshot.ratios.places(&set)?)
}

fn standing(
    snapshot: &Snapshot,
    ratio: Ratio,
    value: Option<f64>,
    places: &[usize],
) -> Result<RatioStanding, SearchError> {
    let mut values = snapshot.ratios.values(ratio, places)?;
    values.sort_unstable_by(f32::total_cmp);
    let percentile = value.filter(|_| !values.is_empty()).map(|value| {
        let below = values.partition_point(|one| f64::from(*one) < f64::from(value as f32));
        let equal = values[below..].partition_point(|one| *one <= value as f32);
        100.0 * (below as f64 + equal as f64 / 2.0) / values.len() as f64
    });
    let middle = values.len() / 2;
    let median = match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(f64::from(values[middle])),
        _ => Some((f64::from(values[middle - 1]) + f64::from(values[middle])) / 2.0),
    };
    Ok(RatioStanding { ratio, value, known: values.len() as u64, percentile, median })
}
