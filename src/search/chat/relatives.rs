//! What a nonprofit belongs to, and how it compares with its peers.

use super::SearchError;
use super::one::Questioned;
use super::say::{dollars, list};
use crate::record::counted;
use crate::record::{Organization, Ratio};
use crate::search::family::{self, Group, GroupRole, RelationHit};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::peers::{Comparison, RatioStanding, compare};

/// Organizations that a sentence names.
const NAMED: usize = 5;

/// Its group exemption, who lists it as related, and whom it lists.
pub(super) fn family(one: &Questioned<'_>) -> Result<String, SearchError> {
    let name = one.name;
    let paging = Paging { page: 1, size: SIZE_MAX };
    let Some(found) = family::family(one.snapshot, one.ein, paging)? else {
        return Ok(format!("Not in the loaded returns: the related organizations of {name}."));
    };
    let mut said: Vec<String> = found.group.iter().map(|group| in_group(name, group)).collect();
    let (by_others, own): (Vec<&RelationHit>, Vec<&RelationHit>) =
        found.relations.rows.iter().partition(|row| row.listed_by.is_some());
    // Some list themselves.
    let by_others: Vec<_> =
        by_others.into_iter().filter(|row| row.relation.ein != one.ein).collect();
    if !by_others.is_empty() {
        let filers = by_others.iter().map(|row| {
            let by = row.listed_by.clone().unwrap_or_default();
            let control = row.relation.controlling_name.as_deref();
            let control = control.map_or(String::new(), |who| format!(", controlled by {who}"));
            format!("{by} (EIN {}, {}{control})", row.relation.ein, row.relation.tax_year)
        });
        said.push(format!(
            "{name} is listed as related in Schedule R of {}.",
            first(filers.collect())
        ));
    }
    if !own.is_empty() {
        let others = own.iter().filter_map(|row| row.relation.related_name.clone());
        let count = counted(own.len() as u64, "related organization", "related organizations");
        said.push(format!("Its own Schedule R lists {count}: {}.", first(others.collect())));
    } else if found.has_returns {
        said.push(format!("The loaded returns of {name} list no related organizations."));
    } else {
        said.push(format!("Not in the loaded returns: whom {name} lists as related."));
    }
    Ok(said.join(" "))
}

/// Its place in a group exemption.
fn in_group(name: &str, group: &Group) -> String {
    let number = group.number.number();
    let members = counted(group.subordinates.total, "other member", "other members");
    match (group.role, &group.central[..]) {
        (Some(GroupRole::Central), _) => {
            format!(
                "{name} is the central organization of group exemption {number}, which has {members}."
            )
        }
        (_, []) => format!(
            "{name} is in group exemption {number}, whose central organization is in no list that was \
             loaded; it has {members}."
        ),
        (_, central) => {
            let who = |one: &Organization| format!("{} (EIN {})", one.name, one.ein);
            let central: Vec<String> = central.iter().map(who).collect();
            format!(
                "{name} is in group exemption {number}, whose central organization is {}; it has \
                 {members}.",
                list(&central)
            )
        }
    }
}

/// The first of some, and how many more there are.
fn first(mut all: Vec<String>) -> String {
    let more = all.len().saturating_sub(NAMED);
    all.truncate(NAMED);
    match more {
        0 => list(&all),
        more => format!("{} and {more} more", all.join(", ")),
    }
}

/// Its ratios beside the medians of its peers.
pub(super) fn peers(one: &Questioned<'_>) -> Result<String, SearchError> {
    let name = one.name;
    let found = compare(one.snapshot, one.ein)?;
    let Some((found, (filing, ratios))) =
        found.and_then(|mut found| found.ratios.take().map(|ratios| (found, ratios)))
    else {
        return Ok(format!("Not in the loaded returns: a return of {name} to compare."));
    };
    let known: Vec<String> = ratios.iter().filter_map(standing).collect();
    let peers = of_peers(&found);
    if known.is_empty() {
        return Ok(format!(
            "The return of {name} for {} states none of what the ratios are made of.",
            filing.tax_year
        ));
    }
    Ok(format!(
        "By its return for {}, beside {peers}: {name} has {}.",
        filing.tax_year,
        list(&known)
    ))
}

/// Who the peers are.
fn of_peers(found: &Comparison) -> String {
    let Comparison { ntee_major, revenue, state, peers, .. } = found;
    let mut said = counted(*peers, "peer", "peers");
    if let Some(state) = state {
        said.push_str(&format!(" in {}", state.name()));
    }
    if let Some(major) = ntee_major {
        said.push_str(&format!(" of NTEE major group {major}"));
    }
    if let Some((least, most)) = revenue {
        said.push_str(&format!(" with revenue of {} to {}", dollars(*least), dollars(*most)));
    }
    said
}

/// A ratio with the median of the peers and its percentile; `None` where it is not known.
fn standing(one: &RatioStanding) -> Option<String> {
    let value = one.value?;
    let (what, shown): (&str, fn(f64) -> String) = match one.ratio {
        Ratio::ProgramShare => ("a share of program expenses", percent),
        Ratio::FundraisingCost => ("a fundraising cost for each dollar raised", in_dollars),
        Ratio::MonthsOfReserves => ("months of reserves", plain),
        Ratio::SurplusMargin => ("a surplus", percent),
        Ratio::RevenueGrowth => ("a growth of revenue", percent),
    };
    let beside = match (one.median, one.percentile) {
        (Some(median), Some(percentile)) => {
            format!(" (median {}, percentile {percentile:.0})", shown(median))
        }
        _ => String::new(),
    };
    Some(match one.ratio {
        Ratio::MonthsOfReserves => format!("{} {what}{beside}", shown(value)),
        _ => format!("{what} of {}{beside}", shown(value)),
    })
}

fn percent(value: f64) -> String {
    format!("{:.1} %", value * 100.0)
}

fn in_dollars(value: f64) -> String {
    format!("${value:.2}")
}

fn plain(value: f64) -> String {
    format!("{value:.1}")
}
