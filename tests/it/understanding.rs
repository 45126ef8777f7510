//! Whatever is asked in words and by parameters: every row satisfies every filter that the answer
//! says it applied, and the counts are those of looking at every organization.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use almoner::places;
use almoner::query::{Area, Choice, Figure, Flag, Range, Ranges};
use almoner::record::{OrgSize, Organization, Point, Usd, as_written};
use almoner::search::listing::SIZE_MAX;
use almoner::search::nonprofits::{NonprofitPage, search};
use almoner::understand::{
    Conversation, Frame, Interpretation, Lookup, Model, NamedPlace, Query, Request, interpret,
};
use proptest::prelude::*;

use crate::country::COUNTRY;

/// Pieces of queries. Those of places are where fictional organizations are.
const PIECES: &[&str] = &[
    "food banks",
    "museums",
    "youth",
    "in Ohio",
    "in Texas or California",
    "not in New York",
    "near Chicago",
    "outside of Florida",
    "within 200 miles of Denver",
    "in New England",
    "Cook County",
    "over $1M",
    "under 500k",
    "revenue between 100k and 5 million",
    "assets over $50,000",
    "with more than 10 employees",
    "small",
    "large",
    "medium or large",
    "SDG 4",
    "SDGs 1 and 2",
    "NTEE B",
    "ntee codes P, K3",
    "501(c)(3)",
    "501c4",
    "tax-deductible",
    "private foundations",
    "no private foundations",
    "not schools",
    "no religious groups",
    "revoked",
    "largest",
    "newest",
    "by assets",
    "4-star",
    "score over 50",
    "for children",
    "animals",
    ",",
    "and",
    "or",
    "not",
    "the",
    "similar to the food bank",
    "in San Francisco, CA",
    "Houston",
    "10001",
    "founded in 1999",
    "expenses under 1M",
];

fn asked() -> impl Strategy<Value = (Vec<&'static str>, Frame, Model)> {
    let words = prop::collection::vec(prop::sample::select(PIECES), 0..6);
    let bound = prop::option::of(prop::sample::select(vec![0.0, 5e4, 1e6, 2e7]));
    let range = (bound.clone(), bound).prop_map(|(min, max)| match (min, max) {
        (Some(min), Some(max)) if min > max => Range { min: Some(max), max: Some(min) },
        (min, max) => Range { min, max },
    });
    let state = prop::option::weighted(0.3, prop::sample::select(vec!["OH", "CA", "TX", "NY"]));
    let city =
        prop::option::weighted(0.1, prop::sample::select(vec!["Chicago", "Houston", "columbus"]));
    let flags =
        (prop::option::weighted(0.2, any::<bool>()), prop::option::weighted(0.2, any::<bool>()));
    let model = prop::sample::select(vec![Model::Grammar, Model::MiniLm]);
    (words, prop::option::weighted(0.3, range), state, city, flags, model).prop_map(
        |(words, revenue, state, city, (foundation, deductible), model)| {
            let state = state.map(|code| code.parse().unwrap());
            let area = Area { state, city: city.map(str::to_owned), ..Area::default() };
            let explicit = Frame {
                places: NamedPlace::of(area).into_iter().collect(),
                ranges: Ranges::of(Figure::Revenue, revenue.unwrap_or_default()),
                flags: [(Flag::Foundation, foundation), (Flag::Deductible, deductible)]
                    .into_iter()
                    .collect(),
                ..Frame::default()
            };
            (words, explicit, model)
        },
    )
}

/// Whether a figure is in a range; `None` when it is not known.
fn within(range: Range, figure: Option<f64>) -> Option<bool> {
    if range.is_open() { Some(true) } else { figure.map(|figure| range.contains(figure)) }
}

fn is_in(area: &Area, organization: &Organization) -> bool {
    let address = &organization.address;
    let same_city = |city: &String| {
        let key = places::city_key(city);
        [&address.city, &address.city_as_filed]
            .into_iter()
            .flatten()
            .any(|known| places::city_key(known) == key)
    };
    let same_county = |county: &String| {
        let known = address.county.as_deref().map(places::county_key);
        known.is_some_and(|known| known == places::county_key(county))
    };
    // Points are kept in 32 bits, here and there.
    let near = |(from, miles): (Point, f64)| {
        let narrow = |point: Point| {
            let half = |degrees: f64| f64::from(degrees as f32);
            Point::new(half(point.latitude()), half(point.longitude())).unwrap()
        };
        miles == 0.0 || address.point.is_some_and(|to| from.distance_miles(narrow(to)) <= miles)
    };
    area.state.is_none_or(|state| address.state == Some(state))
        && area.zip.is_none_or(|zip| address.zip == Some(zip))
        && area.city.as_ref().is_none_or(same_city)
        && area.county.as_ref().is_none_or(same_county)
        && area.near.is_none_or(near)
}

/// Whether an organization satisfies what is asked for; `None` when only a value that is not known
/// stands against it.
fn satisfies(frame: &Frame, organization: &Organization, admits_ceilings: bool) -> Option<bool> {
    let any = |places: &[NamedPlace]| {
        places.iter().flat_map(|place| &place.areas).any(|area| is_in(area, organization))
    };
    let code = organization.ntee.map(|code| code.as_str().to_owned());
    let begins = |prefixes: &[String]| {
        code.as_ref()
            .is_some_and(|code| prefixes.iter().any(|prefix| code.starts_with(prefix.as_str())))
    };
    let exemption = &organization.exemption;
    let filters = frame.filters();
    let certain = (frame.places.is_empty() || any(&frame.places))
        && !any(&frame.not_places)
        && (frame.ntee.is_empty() || begins(&frame.ntee))
        && !begins(&frame.not_ntee)
        && (frame.sdgs.is_empty()
            || organization.sdgs.iter().any(|goal| frame.goals().contains(&goal.number())))
        && (frame.subsections.is_empty()
            || exemption.subsection.is_some_and(|code| frame.subsections.contains(&code)))
        && (filters.eins.is_empty() || filters.eins.contains(&organization.ein))
        && !filters.not_eins.contains(&organization.ein);
    if !certain {
        return Some(false);
    }
    let finances = &organization.finances;
    let overlay = organization.overlay.as_deref();
    let usd = |amount: Option<Usd>| amount.map(|amount| amount.dollars() as f64);
    let flag = |wanted: Option<bool>, value: Option<bool>| match wanted {
        None => Some(true),
        Some(wanted) => value.map(|value| value == wanted),
    };
    let value = |figure| match figure {
        Figure::Revenue => usd(finances.revenue),
        Figure::Expenses => usd(finances.expenses),
        Figure::Assets => usd(finances.assets),
        Figure::Employees => finances.employees.map(f64::from),
        Figure::Score => overlay.and_then(|overlay| overlay.score).map(as_written),
        Figure::Rating => overlay.and_then(|overlay| overlay.rating).map(as_written),
        Figure::RulingYear => exemption.ruling.map(|month| f64::from(month.year())),
    };
    let ceiling = usd(finances.revenue_ceiling());
    let ranges = frame.ranges.iter().map(|(figure, range)| match ceiling {
        Some(ceiling) if figure == Figure::Revenue && !range.is_open() => {
            let is_below = admits_ceilings && range.max.is_none_or(|max| ceiling <= max);
            match range.min {
                Some(min) => (ceiling < min).then_some(false),
                None => is_below.then_some(true),
            }
        }
        _ => within(range, value(figure)),
    });
    let others = [
        flag(frame.flags[Flag::Foundation], organization.is_private_foundation()),
        flag(frame.flags[Flag::Deductible], exemption.is_deductible()),
        flag(frame.flags[Flag::Inactive], exemption.is_inactive()),
        flag(frame.flags[Flag::Vetted], organization.is_vetted()),
    ];
    let choices = frame.choices.asked().map(|choice| {
        let value = match choice {
            Choice::Size => organization.size().map(OrgSize::name),
        };
        value.map(|value| frame.choices.names(choice).contains(&value))
    });
    let all: Vec<Option<bool>> = ranges.chain(others).chain(choices).collect();
    if all.contains(&Some(false)) {
        return Some(false);
    }
    if all.contains(&None) { None } else { Some(true) }
}

fn ask(
    q: &str,
    explicit: &Frame,
    model: Model,
    earlier: Option<&Conversation>,
) -> (Interpretation, NonprofitPage) {
    let request = Request { model, earlier, ..Request::of(Some(q), explicit) };
    let lookup = &Lookup::of(&COUNTRY.snapshot);
    let mut understood = interpret(lookup, &request).unwrap();
    let page = Query { page: 1, size: SIZE_MAX, ..Query::default() };
    let found = search(lookup, &understood.query(page)).unwrap();
    (understood, found)
}

fn check(q: &str, understood: &Interpretation, found: &NonprofitPage) -> Result<(), TestCaseError> {
    let frame = &understood.frame;
    let admits = understood.clone().query(Query::default()).filters.admits_ceilings;
    let verdicts: Vec<Option<bool>> = COUNTRY
        .organizations
        .iter()
        .map(|organization| satisfies(frame, organization, admits))
        .collect();
    let count = |verdict| verdicts.iter().filter(|known| **known == verdict).count() as u64;
    prop_assert_eq!(
        (found.total - found.plan.nearby, found.unknown),
        (count(Some(true)), count(None)),
        "{}: {:?}",
        q,
        frame
    );
    // Sorted by a column, those that fit the text are shown.
    let shown = found.sorted.unwrap_or(found.total);
    prop_assert!(shown <= found.total && (shown > 0) == (found.total > 0), "{}", q);
    prop_assert_eq!(found.rows.len() as u64, shown.min(SIZE_MAX as u64), "{}", q);
    // Rows around the place satisfy everything else.
    let anywhere = Frame { places: Vec::new(), ..frame.clone() };
    let mut outside = 0;
    for row in &found.rows {
        outside += u64::from(satisfies(frame, &row.organization, admits) != Some(true));
        prop_assert_eq!(
            satisfies(&anywhere, &row.organization, admits),
            Some(true),
            "{}: {:?}",
            q,
            row
        );
    }
    prop_assert!(outside <= found.plan.nearby, "{}: {} outside", q, outside);
    let sentence = understood.sentence(found, None);
    prop_assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{}", sentence);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn rows_satisfy_every_filter_and_counts_are_exact((words, explicit, model) in asked()) {
        let q = words.join(" ");
        let (understood, found) = ask(&q, &explicit, model, None);
        check(&q, &understood, &found)?;
        // Explicit parameters hold for every row, whatever the query says.
        for row in &found.rows {
            prop_assert_eq!(satisfies(&explicit, &row.organization, false), Some(true), "{}: {:?}", q, row);
        }
    }

    #[test]
    fn so_they_do_in_a_session(
        (first, explicit, model) in asked(),
        (second, _, then) in asked(),
        opening in prop::sample::select(vec!["only", "what about", "and", "exclude", "", "any size", "nationwide"]),
    ) {
        let (q, mut session) = (first.join(" "), Conversation::default());
        let (before, found) = ask(&q, &explicit, model, Some(&session));
        check(&q, &before, &found)?;
        session.search(&q, before.step, before.kept);
        let q = format!("{opening} {}", second.join(" "));
        let (after, found) = ask(&q, &Frame::default(), then, Some(&session));
        check(&q, &after, &found)?;
        session.search(q.trim(), after.step, after.kept.clone());
        // The next page is asked for with the same words.
        let (again, _) = ask(&q, &Frame::default(), then, Some(&session));
        prop_assert_eq!(&again.kept, &after.kept, "{}", q);
    }

}

proptest! {
    // Long texts are read slowly without optimisation.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_text_is_answered(q in "\\PC{0,256}", model in prop::sample::select(vec![Model::Grammar, Model::MiniLm])) {
        let (understood, found) = ask(&q, &Frame::default(), model, None);
        check(&q, &understood, &found)?;
    }
}
