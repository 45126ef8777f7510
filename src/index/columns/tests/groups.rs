//! Groups and their sums and quantiles against the naive answer: every organization looked at, every value sorted.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::record_filter::value_of;
use super::{built, filters, plain, seeds, sorted};
use crate::index::columns::{Dimension, Distribution, MEASURES, QUANTILES, median};
use crate::places;
use crate::query::{Figure, Filters};
use crate::record::{OrgSize, Organization, Usd};
use crate::taxonomy::Cause;

/// What sorts behind everything that is known.
const UNKNOWN: &str = "\u{10ffff}";

/// The value of a dimension as a text that sorts as groups do.
fn value(organization: &Organization, dimension: Dimension) -> String {
    let Organization { address, exemption, ntee, .. } = organization;
    let state = address.state.map(|state| state.code().to_owned());
    let place = |key: Option<String>| {
        let parts = [state.clone(), key].map(|part| part.unwrap_or_else(|| UNKNOWN.to_owned()));
        Some(parts.join("\t"))
    };
    let text = match dimension {
        Dimension::State => state.clone(),
        Dimension::County => place(address.county.as_deref().map(places::county_key)),
        Dimension::City => place(address.city.as_deref().map(places::city_key)),
        Dimension::Ntee => ntee.map(|code| code.major().to_string()),
        Dimension::IssueArea => Cause::of(organization).map(|one| one.code.major().to_string()),
        Dimension::NteeCode => ntee.map(|code| code.to_string()),
        Dimension::Size => organization.size().map(|size| {
            let at = OrgSize::ALL.iter().position(|known| *known == size);
            format!("{at:?}")
        }),
        Dimension::Subsection => exemption.subsection.map(|code| code.to_string()),
        Dimension::Foundation => organization.is_private_foundation().map(|is| is.to_string()),
        Dimension::RulingDecade => {
            exemption.ruling.map(|month| (month.year() / 10 * 10).to_string())
        }
    };
    text.unwrap_or_else(|| UNKNOWN.to_owned())
}

/// The distribution of a figure among organizations, from all its values in order.
fn naive(group: &[&Organization], figure: Figure) -> Distribution {
    let values = group.iter().filter_map(|one| value_of(one, figure)).map(|value| value as i64);
    let mut values: Vec<i64> = values.collect();
    values.sort_unstable();
    let at_percent = |percent: usize| {
        let not_above = |value: &&i64| {
            let count = values.iter().filter(|one| one <= value).count();
            100 * count >= percent * values.len()
        };
        values.iter().find(not_above).copied()
    };
    let quantiles = at_percent(0).map(|_| QUANTILES.map(|percent| at_percent(percent).unwrap()));
    Distribution {
        known: values.len() as u64,
        sum: values.iter().map(|value| i128::from(*value)).sum(),
        range: values.first().zip(values.last()).map(|(least, greatest)| [*least, *greatest]),
        quantiles,
    }
}

fn dimensions() -> impl Strategy<Value = Vec<Dimension>> {
    prop::collection::vec(prop::sample::select(Dimension::ALL.to_vec()), 0..3)
}

fn check(all: &[Organization], filters: &Filters, by: &[Dimension], step: usize) {
    let (_folder, columns) = built(all);
    let set = columns.select(filters).unwrap().matching;
    let mut expected: BTreeMap<Vec<String>, Vec<&Organization>> = BTreeMap::new();
    for org in set.iter() {
        let organization = &all[org.index()];
        let values = by.iter().map(|dimension| value(organization, *dimension)).collect();
        expected.entry(values).or_default().push(organization);
    }
    let grouping = columns.group(&set, by).unwrap();
    let mut numbers: Vec<u32> = (0..grouping.groups.len() as u32).collect();
    numbers.sort_by_key(|number| grouping.key(&grouping.groups[*number as usize]));
    let found: Vec<_> = numbers
        .iter()
        .map(|number| {
            let group = &grouping.groups[*number as usize];
            let first = &all[group.first.index()];
            let values: Vec<_> = by.iter().map(|one| value(first, *one)).collect();
            (values, first.ein, u64::from(group.count))
        })
        .collect();
    let as_expected: Vec<_> = expected
        .iter()
        .map(|(values, group)| (values.clone(), group[0].ein, group.len() as u64))
        .collect();
    assert_eq!(found, as_expected, "{by:?}");
    let chosen: Vec<u32> = numbers.iter().rev().step_by(step).copied().collect();
    for figure in MEASURES {
        let found = columns.of_known(&set, &grouping, &chosen, figure, Distribution::of).unwrap();
        let groups = expected.values().rev().step_by(step);
        let expected: Vec<Distribution> = groups.map(|group| naive(group, figure)).collect();
        assert_eq!(found, expected, "{by:?} {figure:?}");
        let medians = columns.of_known(&set, &grouping, &chosen, figure, median).unwrap();
        let expected = expected.iter().map(|one| one.quantiles.map(|quantiles| quantiles[2]));
        assert_eq!(medians, expected.collect::<Vec<_>>(), "{by:?} {figure:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn groups_and_their_sums_are_as_by_looking_at_every_record(
        seeds in seeds(),
        filters in filters(),
        by in dimensions(),
        step in 1_usize..3,
    ) {
        let all = sorted(&seeds);
        check(&all, &filters, &by, step);
        check(&all, &Filters::default(), &by, step);
    }
}

#[test]
fn many_pairs_are_grouped_too() {
    // More cities and counties than a table has cells for.
    let all = (0..2_600).map(|number| {
        let mut organization = plain(number);
        organization.address.county = Some(format!("County{:04}", number / 2));
        organization.address.city = Some(format!("City{:04}", number * 7 % 1_300));
        organization
    });
    let mut all: Vec<Organization> = all.collect();
    all.sort_by_key(|one| (one.address.county.clone(), one.address.city.clone()));
    check(&all, &Filters::default(), &[Dimension::County, Dimension::City], 40);
    check(&all, &Filters::default(), &[Dimension::City, Dimension::County], 40);
}

#[test]
fn sums_are_exact_beyond_64_bits() {
    let mut all: Vec<Organization> = (0..4).map(plain).collect();
    for (organization, revenue) in all.iter_mut().zip([i64::MAX, i64::MAX, -1, i64::MAX]) {
        organization.finances.revenue = Some(Usd::new(revenue));
    }
    let (_folder, columns) = built(&all);
    let set = columns.select(&Filters::default()).unwrap().matching;
    let grouping = columns.group(&set, &[]).unwrap();
    let [found] =
        columns.of_known(&set, &grouping, &[0], Figure::Revenue, Distribution::of).unwrap()[..]
    else {
        panic!("expected one group");
    };
    assert_eq!(found.sum, 3 * i128::from(i64::MAX) - 1);
    assert_eq!(found.quantiles, Some([-1, -1, i64::MAX, i64::MAX, i64::MAX]));
    assert_eq!(found.range, Some([-1, i64::MAX]));
    let scores = columns.of_known(&set, &grouping, &[0], Figure::Score, Distribution::of).unwrap();
    assert_eq!(scores, [Distribution::default()]);
}
