//! Filters as the records themselves satisfy them, without columns.

use crate::places;
use crate::query::{Area, Choice, Figure, Filters, Flag, Range};
use crate::record::{Address, Listing, OrgSize, Organization, Usd, as_written};

/// Whether an address is in an area, read off it.
fn within(address: &Address, area: &Area) -> bool {
    let key = |text: &Option<String>| text.as_deref().map(places::city_key);
    let city = key(&area.city);
    area.near.is_none_or(|(from, miles)| {
        miles == 0.0 || address.point.is_some_and(|to| from.distance_miles(to) <= miles)
    }) && (city.is_none() || key(&address.city) == city || key(&address.city_as_filed) == city)
        && area.county.as_deref().is_none_or(|county| {
            address.county.as_deref().map(places::county_key) == Some(places::county_key(county))
        })
        && area.state.is_none_or(|state| address.state == Some(state))
        && area.zip.is_none_or(|zip| address.zip == Some(zip))
}

/// Whether a record satisfies the filters; what is not known counts as `unknown` says.
pub(super) fn satisfies(organization: &Organization, filters: &Filters, unknown: bool) -> bool {
    let Organization { ein, address, exemption, finances, ntee, sdgs, .. } = organization;
    let fits = |range: Range, amount: Option<Usd>| {
        range.is_open() || amount.map_or(unknown, |a| range.contains(a.dollars() as f64))
    };
    let figure = |range: Range, value: Option<f64>| {
        range.is_open() || value.map_or(unknown, |value| range.contains(value))
    };
    let flag = |asked: Option<bool>, value: Option<bool>| {
        asked.is_none_or(|asked| value.map_or(unknown, |value| value == asked))
    };
    let code = |number: u8| exemption.deductibility.is_some_and(|code| code.number() == number);
    let is_revoked = match exemption.listings.revocations {
        Listing::NotLoaded => None,
        _ => Some(exemption.revocation.is_some()),
    };
    let is_deductible = match is_revoked {
        Some(true) => Some(false),
        _ if code(2) => Some(false),
        _ => (code(1) || code(4)).then_some(true),
    };
    let listed = |listing: Listing| match listing {
        Listing::NotLoaded => None,
        _ => Some(listing != Listing::Absent),
    };
    let foundation = exemption.foundation.map(|code| code.number());
    let is_foundation = exemption.foundation.map(|code| (2..=4).contains(&code.number()));
    let overlay = organization.overlay.as_deref();
    let starts = |prefixes: &[String]| {
        let start = |code: &str, prefix: &String| code.starts_with(&prefix.trim().to_uppercase());
        ntee.is_some_and(|code| prefixes.iter().any(|prefix| start(code.as_str(), prefix)))
    };
    (filters.subsections.is_empty()
        || exemption.subsection.is_some_and(|code| filters.subsections.contains(&code)))
        && filters.flags.iter().all(|(asked, wanted)| {
            let known = match asked {
                Flag::Foundation => is_foundation,
                Flag::Operating if is_foundation == Some(false) => return wanted.is_none(),
                Flag::Operating => foundation.map(|code| code != 4),
                Flag::Church => match finances.filing_requirement.map(|code| code.number()) {
                    Some(6) if foundation.is_none() => Some(true),
                    _ => foundation.map(|code| code == 10),
                },
                Flag::Form1023Ez => listed(exemption.listings.approvals),
                Flag::HasReturn => listed(exemption.listings.returns),
                Flag::Deductible => is_deductible,
                Flag::Inactive => is_revoked,
                Flag::Vetted => overlay.and_then(|overlay| overlay.vetted),
                Flag::Video => overlay.map(|overlay| overlay.video_url.is_some()),
            };
            flag(wanted, known)
        })
        && (filters.eins.is_empty() || filters.eins.contains(ein))
        && !filters.not_eins.contains(ein)
        && (filters.areas.is_empty() || filters.areas.iter().any(|area| within(address, area)))
        && !filters.not_areas.iter().any(|area| within(address, area))
        && filters.ranges.iter().all(|(asked, range)| match asked {
            Figure::Revenue => match (finances.revenue, finances.revenue_ceiling()) {
                (None, Some(ceiling)) if !range.is_open() => {
                    let ceiling = ceiling.dollars() as f64;
                    let is_below = range.max.is_none_or(|max| ceiling <= max);
                    let is_surely = filters.admits_ceilings && range.min.is_none() && is_below;
                    is_surely || (unknown && range.min.is_none_or(|min| ceiling >= min))
                }
                (revenue, _) => fits(range, revenue),
            },
            Figure::Expenses => fits(range, finances.expenses),
            Figure::Assets => fits(range, finances.assets),
            _ => figure(range, value_of(organization, asked)),
        })
        && (filters.sdgs.is_empty() || sdgs.mask() & filters.sdgs.mask() != 0)
        && (filters.ntee_prefixes.is_empty() || starts(&filters.ntee_prefixes))
        && !starts(&filters.not_ntee_prefixes)
        && filters.choices.asked().all(|choice| {
            let value = choice_of(organization, choice);
            value.map_or(unknown, |value| filters.choices.names(choice).contains(&value))
        })
}

/// The value that an organization has of a choice, without a column.
fn choice_of(organization: &Organization, choice: Choice) -> Option<&'static str> {
    match choice {
        Choice::Size => organization.size().map(OrgSize::name),
    }
}

/// A figure of an organization, without a column.
pub(super) fn value_of(organization: &Organization, figure: Figure) -> Option<f64> {
    let Organization { exemption, finances, overlay, .. } = organization;
    let overlay = overlay.as_deref();
    let usd = |amount: Option<Usd>| amount.map(|amount| amount.dollars() as f64);
    match figure {
        Figure::Revenue => usd(finances.revenue),
        Figure::Expenses => usd(finances.expenses),
        Figure::Assets => usd(finances.assets),
        Figure::Employees => finances.employees.map(f64::from),
        Figure::Score => overlay.and_then(|overlay| overlay.score).map(as_written),
        Figure::Rating => overlay.and_then(|overlay| overlay.rating).map(as_written),
        Figure::RulingYear => exemption.ruling.map(|month| f64::from(month.year())),
    }
}
