//! The columns against the naive answer: every organization looked at.

mod groups;
mod record_filter;
mod refused;

use proptest::prelude::*;

use self::record_filter::{satisfies, value_of};
use super::*;
use crate::mapped::files_in;
use crate::places;
use crate::query::{Area, Choice, Figure, Filters, Flag, Range, Sort, SortKey, Unit};
use crate::record::{
    Address, Date, Exemption, Finances, Listing, Listings, Month, OrgSize, Organization, Overlay,
    Point, Revocation, Sdg, SdgSet, State, Usd, Zip5,
};

/// What a random organization is made of; few values each, so that filters meet.
#[derive(Debug, Clone)]
struct Seed {
    name: u8,
    place: (Option<u8>, Option<u8>, Option<u8>, Option<u8>),
    zip: Option<u8>,
    point: Option<(i8, i8)>,
    standing: (Option<u8>, Option<u8>, Option<u8>, Revoked),
    amounts: (Option<i64>, Option<i64>, Option<i64>),
    ntee: Option<u8>,
    sdgs: u32,
    ruling: Option<u16>,
}

/// What the revocation list has of a random organization.
#[derive(Debug, Clone, Copy)]
enum Revoked {
    NotChecked,
    No,
    Yes,
}

const NTEES: [&str; 5] = ["A20", "A2", "a25", "B11", "B"];

/// The EIN of a random organization; no two of the first 1009 share one.
fn ein(number: u32) -> Ein {
    Ein::unpack(number * 37 % 1009).unwrap()
}

fn organization(number: usize, seed: &Seed) -> Organization {
    let Seed { name, place, zip, point, standing, amounts, ntee, sdgs, ruling } = seed.clone();
    let usd = |amount: Option<i64>| amount.map(Usd::new);
    let day = Date::new(2015, 5, 15).unwrap();
    // Figures that returns and overlays bring, of some.
    let some = |every: usize| number.is_multiple_of(every);
    let figure = |every: usize, most: usize| some(every).then_some((number % most) as f32 / 10.0);
    // Not loaded with every ninth, else of every so many a row.
    let listing = |every: usize| match some(every) {
        _ if some(9) => Listing::NotLoaded,
        true => Listing::Row { source: 0 },
        false => Listing::Absent,
    };
    let (score, rating) = (figure(2, 900), figure(3, 40));
    let size = some(5).then(|| OrgSize::ALL[number % 4]);
    let overlay = Overlay {
        ein: ein(number as u32),
        vetted: [None, Some(false), Some(true)][number % 3],
        logo: None,
        video_url: number.is_multiple_of(5).then(|| "https://a.example/v".to_owned()),
        donation_url: None,
        impact_summary: None,
        score,
        rating,
        size,
        sdgs: None,
        summary: None,
        url: None,
        alt_name: None,
    };
    Organization {
        address: Address {
            street: None,
            city: place.2.map(|city| format!("City{city}")),
            country: None,
            city_as_filed: place.3.map(|city| format!("City{city}")),
            state: place.0.and_then(State::from_index),
            zip: zip.and_then(|zip| Zip5::unpack(zip.into())),
            county: place.1.map(|county| format!("County{county}")),
            point: point.map(|(a, b)| Point::new(f64::from(a) / 2.0, b.into()).unwrap()),
        },
        exemption: Exemption {
            subsection: standing.0.map(|code| format!("{code:02}").parse().unwrap()),
            ruling: ruling.and_then(|months| Month::try_from(months).ok()),
            deductibility: standing.2.map(|code| code.to_string().parse().unwrap()),
            foundation: standing.1.map(|code| format!("{code:02}").parse().unwrap()),
            revocation: matches!(standing.3, Revoked::Yes).then_some(Revocation {
                revoked: day,
                posted: None,
                reinstated: None,
            }),
            listings: Listings {
                revocations: match standing.3 {
                    Revoked::NotChecked => Listing::NotLoaded,
                    Revoked::No => Listing::Absent,
                    Revoked::Yes => Listing::Row { source: 0 },
                },
                approvals: listing(2),
                returns: listing(5),
                ..Listings::default()
            },
            ..Exemption::default()
        },
        finances: Finances {
            revenue: usd(amounts.0),
            expenses: usd(amounts.1),
            assets: usd(amounts.2),
            employees: some(4).then_some(number as u32 % 7),
            income: some(7).then(|| Usd::new(number as i64)),
            filing_requirement: some(3).then(|| if some(2) { "06" } else { "02" }.parse().unwrap()),
            ..Finances::default()
        },
        ntee: ntee.map(|at| NTEES[usize::from(at)].parse().unwrap()),
        sdgs: SdgSet::from_mask(sdgs),
        overlay: some(2).then(|| Box::new(overlay)),
        ..Organization::named(ein(number as u32), &format!("Name, {name}"))
    }
}

/// Sorted as a build sorts them.
fn sorted(seeds: &[Seed]) -> Vec<Organization> {
    let mut all: Vec<_> = seeds.iter().enumerate().map(|(at, s)| organization(at, s)).collect();
    all.sort_by_key(|organization| {
        let Address { state, county, city, zip, .. } = &organization.address;
        let county = county.as_deref().map(places::county_key);
        let city = city.as_deref().map(places::city_key);
        let last = (state.is_none(), county.is_none(), city.is_none(), zip.is_none());
        let key = (last.0, *state, last.1, county, last.2, city, last.3, *zip);
        (key, organization.ein)
    });
    all
}

fn built(organizations: &[Organization]) -> (tempfile::TempDir, Columns) {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::new();
    for organization in organizations {
        builder.push(ColumnRow::of(organization)).unwrap();
    }
    builder.finish(folder.path()).unwrap();
    let columns = opened(folder.path());
    (folder, columns)
}

fn opened(folder: &std::path::Path) -> Columns {
    Columns::open(&mut files_in(folder)).unwrap()
}

/// Orders numbers as `sorts` ask, looking at every pair.
fn naively_sorted(
    all: &[Organization],
    found: &Bitmap,
    sorts: &[Sort],
    near: Option<Point>,
) -> Vec<OrgId> {
    let key = |org: OrgId, key: SortKey| -> Option<f64> {
        let Organization { address, exemption, name, .. } = &all[org.index()];
        match key {
            SortKey::Name => {
                let less = |other: &&Organization| other.name < *name;
                Some(all.iter().filter(less).count() as f64)
            }
            SortKey::Figure(Figure::RulingYear) => {
                exemption.ruling.map(|month| month.ordinal().into())
            }
            SortKey::Figure(figure) => value_of(&all[org.index()], figure),
            SortKey::Distance => near.zip(address.point).map(|(from, to)| from.distance_miles(to)),
        }
    };
    let mut orgs: Vec<OrgId> = found.iter().collect();
    orgs.sort_by(|&a, &b| {
        let by = |sort: &Sort| match (key(a, sort.key), key(b, sort.key)) {
            (Some(a), Some(b)) if sort.descending => b.total_cmp(&a),
            (Some(a), Some(b)) => a.total_cmp(&b),
            (a, b) => a.is_none().cmp(&b.is_none()),
        };
        sorts.iter().map(by).find(|order| order.is_ne()).unwrap_or(a.cmp(&b))
    });
    orgs
}

fn some<T: std::fmt::Debug>(of: impl Strategy<Value = T>) -> impl Strategy<Value = Option<T>> {
    prop::option::weighted(0.7, of)
}

fn seeds() -> impl Strategy<Value = Vec<Seed>> {
    let place = (some(0_u8..3), some(0_u8..3), some(0_u8..3), prop::option::of(0_u8..4));
    let revoked = prop::sample::select(vec![Revoked::NotChecked, Revoked::No, Revoked::Yes]);
    let standing = (
        some(3_u8..6),
        some(prop::sample::select(vec![2_u8, 3, 4, 5, 10])),
        some(0_u8..5),
        revoked,
    );
    let amount = || some(prop_oneof![-5_i64..5, Just(2_000_000), Just(200_000_000)]);
    let amounts = (amount(), prop::option::weighted(0.12, -5_i64..5), amount());
    let seed = (
        (0_u8..12, place, some(0_u8..3)),
        (some((0_i8..3, 0_i8..3)), standing, amounts),
        (some(0_u8..5), prop_oneof![Just(0_u32), Just(2), Just(4), Just(6)], some(0_u16..20)),
    );
    let seed = seed.prop_map(|((name, place, zip), (point, standing, amounts), rest)| {
        let (ntee, sdgs, ruling) = rest;
        Seed { name, place, zip, point, standing, amounts, ntee, sdgs, ruling }
    });
    prop::collection::vec(seed, 0..150)
}

fn area() -> impl Strategy<Value = Area> {
    let near = (0_u8..3, prop_oneof![Just(0.0), Just(60.0), Just(100.0)]);
    let parts = (
        prop::option::weighted(0.4, 0_u8..5),
        prop::option::weighted(0.3, 0_u8..4),
        prop::option::weighted(0.3, 0_u8..4),
        prop::option::weighted(0.2, 0_u8..4),
        prop::option::weighted(0.3, near),
    );
    parts.prop_map(|(state, county, city, zip, near)| Area {
        state: state.and_then(State::from_index),
        county: county.map(|county| format!("county{county}")),
        city: city.map(|city| format!("CITY{city}")),
        zip: zip.and_then(|zip| Zip5::unpack(zip.into())),
        near: near.map(|(lat, miles)| (Point::new(lat.into(), 1.0).unwrap(), miles)),
    })
}

/// A range around 0, moved to where the values of a figure are.
fn around_values(figure: Figure, range: Range) -> Range {
    let at = |bound: f64| match figure.definition().unit {
        Unit::Year => 1990.0 + 10.0 * bound,
        Unit::Dollars | Unit::Count | Unit::Points => bound,
    };
    Range { min: range.min.map(at), max: range.max.map(at) }
}

fn filters() -> impl Strategy<Value = Filters> {
    let range = || {
        prop_oneof![
            12 => Just(Range::default()),
            1 => (-3_i32..3).prop_map(|min| Range { min: Some(min.into()), max: None }),
            1 => (-3_i32..3).prop_map(|max| Range { min: None, max: Some(max.into()) }),
            1 => (-3_i32..3).prop_map(|n| Range { min: Some(n.into()), max: Some(1e7) }),
        ]
    };
    let code = (3_u8..6).prop_map(|code| format!("{code:02}").parse().unwrap());
    let flag = || prop::option::weighted(0.2, any::<bool>());
    let standing = (
        prop_oneof![3 => Just(vec![]), 1 => prop::collection::vec(code, 1..3)],
        prop::collection::vec(flag(), Flag::ALL.len()),
    );
    // Some of these EINs no organization has.
    let eins = |most| prop::collection::vec((0_u32..100).prop_map(ein), 1..most);
    let which = (
        prop_oneof![2 => Just(vec![]), 3 => prop::collection::vec(area(), 1..5)],
        prop_oneof![3 => Just(vec![]), 2 => prop::collection::vec(area(), 1..3)],
        prop_oneof![5 => Just(vec![]), 1 => eins(80)],
        prop_oneof![4 => Just(vec![]), 1 => eins(20)],
    );
    let ntees = || {
        let ntee = prop::sample::select(vec!["A", "a2", "A20", "b", "B1", "A201", "C", "B ", ""]);
        prop_oneof![4 => Just(vec![]), 1 => prop::collection::vec(ntee.prop_map(str::to_owned), 1..3)]
    };
    let values = |choice: Choice| {
        let value = prop::sample::select(choice.definition().values.to_vec());
        prop_oneof![4 => Just(vec![]), 1 => prop::collection::vec(value, 1..3)]
    };
    let rest = (
        prop_oneof![4 => Just(0_u32), 1 => Just(2), 1 => Just(6)],
        (ntees(), ntees()),
        Choice::ALL.map(values).into_iter().collect::<Vec<_>>(),
    );
    let ranges = prop::collection::vec(range(), Figure::ALL.len());
    (standing, which, ranges, rest).prop_map(|(standing, which, ranges, rest)| Filters {
        subsections: standing.0,
        flags: Flag::ALL.into_iter().zip(standing.1).collect(),
        areas: which.0,
        not_areas: which.1,
        eins: which.2,
        not_eins: which.3,
        admits_ceilings: rest.0 % 2 == 0,
        sdgs: SdgSet::from_mask(rest.0),
        ntee_prefixes: rest.1.0,
        not_ntee_prefixes: rest.1.1,
        choices: Choice::ALL.into_iter().zip(rest.2).collect(),
        ranges: Figure::ALL
            .into_iter()
            .zip(ranges)
            .map(|(figure, range)| (figure, around_values(figure, range)))
            .collect(),
    })
}

fn sorts() -> impl Strategy<Value = Vec<Sort>> {
    let figures = Figure::ALL.into_iter().map(SortKey::Figure);
    let all = figures.chain([SortKey::Name, SortKey::Distance]);
    let key = prop::sample::select(all.collect::<Vec<_>>());
    let sort = (key, any::<bool>()).prop_map(|(key, descending)| Sort { key, descending });
    prop::collection::vec(sort, 0..3)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn selecting_and_sorting_answer_as_looking_at_every_record(
        seeds in seeds(),
        filters in prop::collection::vec(filters(), 12),
        sorts in sorts(),
        near in prop::option::of(0_i8..3),
        page in (0_usize..40, 0_usize..20),
    ) {
        let all = sorted(&seeds);
        let (_folder, columns) = built(&all);
        for filters in filters {
            let Selection { matching: found, unknown, only_ceiling, by_ceiling } =
                columns.select(&filters).unwrap();
            let expected: Vec<OrgId> = (0..all.len() as u32)
                .filter(|&number| satisfies(&all[number as usize], &filters, false))
                .map(OrgId::new)
                .collect();
            let possible = || all.iter().filter(|one| satisfies(one, &filters, true));
            prop_assert_eq!(unknown, (possible().count() - expected.len()) as u64, "{:?}", filters);
            let has_only_ceiling = |one: &&Organization| {
                !filters.ranges[Figure::Revenue].is_open()
                    && one.finances.revenue_ceiling().is_some()
                    && !satisfies(one, &filters, false)
            };
            let expected_only = possible().filter(has_only_ceiling).count();
            prop_assert_eq!(only_ceiling, expected_only as u64, "{:?}", filters);
            prop_assert_eq!(found.count(), expected.len() as u64, "{:?}", filters);
            prop_assert_eq!(found.iter().collect::<Vec<_>>(), expected);
            let has_no_amount = |org: &OrgId| {
                let finances = &all[org.index()].finances;
                finances.revenue.is_none() && finances.expenses.is_none()
            };
            let expected_by_ceiling = match (filters.admits_ceilings && !filters.ranges[Figure::Revenue].is_open())
                || !filters.choices.sizes.is_empty()
            {
                true => found.iter().filter(has_no_amount).count(),
                false => 0,
            };
            prop_assert_eq!(by_ceiling, expected_by_ceiling as u64, "{:?}", filters);
            let near = near.map(|lat| Point::new(lat.into(), 0.0).unwrap());
            let naive = naively_sorted(&all, &found, &sorts, near);
            let (offset, limit) = page;
            let got = columns.sorted(&found, &sorts, near, offset as u64, limit).unwrap();
            let expected: Vec<OrgId> = naive.iter().skip(offset).take(limit).copied().collect();
            prop_assert_eq!(got, expected, "{:?}", sorts);
            if let Some(&after) = naive.get(offset) {
                let got = columns.sorted_after(&found, &sorts, near, after, limit).unwrap();
                let rest = &naive[offset + 1..];
                prop_assert_eq!(&got, &rest[..limit.min(rest.len())], "after {:?}", after);
            }
        }
        for (number, organization) in all.iter().enumerate() {
            let org = OrgId::new(number as u32);
            prop_assert_eq!(columns.org_of(organization.ein).unwrap(), Some(org));
            prop_assert_eq!(columns.ein_of(org).unwrap(), organization.ein);
        }
        for state in State::all() {
            let is_there = all.iter().any(|organization| organization.address.state == Some(state));
            prop_assert_eq!(columns.has_state(state).unwrap(), is_there, "{:?}", state);
        }
        prop_assert_eq!(columns.org_of("999999999".parse().unwrap()).unwrap(), None);
        prop_assert!(columns.ein_of(OrgId::new(all.len() as u32)).is_err());
    }
}

fn plain(number: usize) -> Organization {
    let seed = Seed {
        name: (number % 200) as u8,
        place: (Some(3), None, None, None),
        zip: None,
        point: None,
        standing: (Some(3), None, None, Revoked::No),
        amounts: (Some(number as i64 * 7919 % 1000), None, None),
        ntee: None,
        sdgs: [Sdg::new(4).unwrap()].into_iter().collect::<SdgSet>().mask(),
        ruling: None,
    };
    let ein = Ein::unpack(number as u32).unwrap();
    Organization { ein, ..organization(number, &seed) }
}

#[test]
fn a_page_far_down_a_long_list_is_exact() {
    let all: Vec<Organization> = (0..9_000).map(plain).collect();
    let (_folder, columns) = built(&all);
    let found = columns.select(&Filters::default()).unwrap().matching;
    let sorts = [Sort { key: SortKey::Figure(Figure::Revenue), descending: true }];
    let naive = naively_sorted(&all, &found, &sorts, None);
    for offset in [0, 10, 700, 4_490, 8_995, 9_000, u64::MAX as usize] {
        let got = columns.sorted(&found, &sorts, None, offset as u64, 10).unwrap();
        let expected: Vec<OrgId> = naive.iter().skip(offset).take(10).copied().collect();
        assert_eq!(got, expected, "{offset}");
    }
    // Page after page, each from where the one before ended.
    let mut pages = columns.sorted(&found, &sorts, None, 0, 700).unwrap();
    for _ in 0..12 {
        let last = pages[pages.len() - 1];
        pages.extend(columns.sorted_after(&found, &sorts, None, last, 700).unwrap());
    }
    assert_eq!(pages, naive);
}

#[test]
fn rulings_sort_as_months_and_the_unknown_last() {
    let check = |rulings: [&str; 5], descending: bool, expected: [u32; 5]| {
        let all = rulings.into_iter().enumerate().map(|(number, ruling)| {
            let mut organization = plain(number);
            organization.exemption.ruling = Month::parse_yyyymm(ruling).ok();
            organization
        });
        let (_folder, columns) = built(&all.collect::<Vec<_>>());
        let found = columns.select(&Filters::default()).unwrap().matching;
        let sorts = [Sort { key: SortKey::Figure(Figure::RulingYear), descending }];
        let got = columns.sorted(&found, &sorts, None, 0, 5).unwrap();
        assert_eq!(got, expected.map(OrgId::new), "{rulings:?}, descending: {descending}");
    };
    let some = ["", "199912", "180001", "219912", "199911"];
    check(some, false, [2, 4, 1, 3, 0]);
    check(some, true, [3, 1, 4, 2, 0]);
    check(["200001", "", "200001", "", "200101"], true, [4, 0, 2, 1, 3]);
    check([""; 5], true, [0, 1, 2, 3, 4]);
}

#[test]
fn an_area_of_which_nothing_is_given_is_the_whole() {
    let point = Point::new(44.5, -73.2).unwrap();
    let check = |area: Area, whole: bool| assert_eq!(area.is_whole(), whole, "{area:?}");
    check(Area::default(), true);
    check(Area { near: Some((point, 0.0)), ..Area::default() }, true);
    check(Area { near: Some((point, 0.1)), ..Area::default() }, false);
    check(Area { state: State::from_index(0), ..Area::default() }, false);
    check(Area { county: Some(String::new()), ..Area::default() }, false);
    check(Area { city: Some(String::new()), ..Area::default() }, false);
    check(Area { zip: Zip5::unpack(0), ..Area::default() }, false);
}
