//! Whatever a list of stories, metrics or posts is asked for: rows, order and total are those of
//! looking at every item, and pages put together are the list.

#![allow(clippy::unwrap_used)] // Helpers of tests, not only tests.

use std::sync::LazyLock;

use almoner::naming;
use almoner::query::{Area, Filters};
use almoner::record::{
    Classification, Ein, ListedName, Metric, OrgId, Organization, Person, Post, Role, RowId, Story,
};
use almoner::search::listing::Paging;
use almoner::search::{details, feed, funders, grants, metrics, people, stories};
use almoner::snapshot::Snapshot;
use proptest::prelude::*;

use crate::fixture::{run, text};

/// Fictional items, every one of them in the order of its list, with whose it is.
struct Country {
    _folder: tempfile::TempDir,
    snapshot: Snapshot,
    stories: Vec<(Story, Organization)>,
    metrics: Vec<(Metric, Organization)>,
    posts: Vec<(Post, Organization)>,
}

static COUNTRY: LazyLock<Country> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let (inputs, data) = (folder.path().join("inputs"), folder.path().join("data"));
    let size = ["--organizations", "1500", "--posts", "600", "--returns", "40", "--seed", "5"];
    run(&[&["generate", text(&inputs)], &size[..]].concat()).succeeds();
    run(&["build", "--no-semantic", "--data-dir", text(&data), text(&inputs)]).succeeds();
    let snapshot = almoner::snapshot::open(&data).unwrap();
    let records = &snapshot.records;
    let owner = |ein: Ein| details::details(&snapshot, ein).unwrap().unwrap();
    let stories =
        (0..snapshot.stories.count()).map(|at| records.get::<Story>(RowId::new(at)).unwrap());
    let stories = stories.map(|story| (story.clone(), owner(story.ein))).collect();
    let metrics =
        (0..snapshot.metrics.count()).map(|at| records.get::<Metric>(RowId::new(at)).unwrap());
    let metrics = metrics.map(|metric| (metric.clone(), owner(metric.ein))).collect();
    let posts = (0..snapshot.posts.count()).map(|at| records.get::<Post>(RowId::new(at)).unwrap());
    let posts = posts.map(|post| (post.clone(), owner(post.organization_ein))).collect();
    Country { _folder: folder, stories, metrics, posts, snapshot }
});

/// The page of a list.
fn page<Item>(all: Vec<Item>, paging: Paging) -> (u64, Vec<Item>) {
    let (total, skipped) = (all.len() as u64, (paging.page as usize - 1) * paging.size);
    (total, all.into_iter().skip(skipped).take(paging.size).collect())
}

fn pagings() -> impl Strategy<Value = Paging> {
    (1_u64..5, 1_usize..=100).prop_map(|(page, size)| Paging { page, size })
}

/// EINs that some items are of, and one that nobody has.
fn eins() -> impl Strategy<Value = Vec<Ein>> {
    let known: Vec<Ein> = COUNTRY.posts.iter().map(|(post, _)| post.organization_ein).collect();
    let of_stories = COUNTRY.stories.iter().map(|(story, _)| story.ein);
    let of_metrics = COUNTRY.metrics.iter().map(|(metric, _)| metric.ein);
    let all: Vec<Ein> = known.into_iter().chain(of_stories).chain(of_metrics).collect();
    let one = prop_oneof![9 => prop::sample::select(all), 1 => Just("999999999".parse().unwrap())];
    prop::collection::vec(one, 0..4)
}

/// Filters by where and what the nonprofit of a post is.
fn filters() -> impl Strategy<Value = Filters> {
    let of_one = prop::sample::select((0..COUNTRY.posts.len()).collect::<Vec<_>>());
    (of_one, any::<[bool; 5]>()).prop_map(|(at, [state, county, city, zip, ntee])| {
        let owner = &COUNTRY.posts[at].1;
        let address = &owner.address;
        let area = Area {
            state: address.state.filter(|_| state),
            county: address.county.clone().filter(|_| county),
            city: address.city.clone().filter(|_| city),
            zip: address.zip.filter(|_| zip),
            near: None,
        };
        let code = owner.ntee.filter(|_| ntee).map(|code| code.as_str()[..1].to_lowercase());
        Filters {
            areas: if area.is_whole() { Vec::new() } else { vec![area] },
            ntee_prefixes: code.into_iter().collect(),
            ..Filters::default()
        }
    })
}

fn satisfies(owner: &Organization, filters: &Filters) -> bool {
    let key = |text: &Option<String>| text.as_deref().map(almoner::places::city_key);
    let (address, area) = (&owner.address, filters.areas.first());
    area.is_none_or(|area| {
        area.state.is_none_or(|state| address.state == Some(state))
            && area.zip.is_none_or(|zip| address.zip == Some(zip))
            && (area.county.is_none() || key(&area.county) == key(&address.county))
            && (area.city.is_none()
                || key(&area.city) == key(&address.city)
                || key(&area.city) == key(&address.city_as_filed))
    }) && (filters.ntee_prefixes.is_empty()
        || owner.ntee.is_some_and(|code| {
            filters
                .ntee_prefixes
                .iter()
                .any(|prefix| code.as_str().starts_with(&prefix.to_uppercase()))
        }))
}

/// Words that stand in some post, and some that stand in none.
fn words() -> impl Strategy<Value = Option<String>> {
    let of_one = prop::sample::select((0..COUNTRY.posts.len()).collect::<Vec<_>>());
    let drawn = (of_one, any::<[prop::sample::Index; 2]>(), 0_u8..6).prop_map(|(at, two, kind)| {
        let text = said(&COUNTRY.posts[at].0);
        let text: Vec<&str> = text.split(' ').collect();
        let [one, other] = two.map(|index| *index.get(&text));
        match kind {
            0 => "qzxvkj".to_owned(),
            1 => format!("{one} {other}"),
            2 => one.to_uppercase(),
            _ => one.to_owned(),
        }
    });
    prop::option::of(drawn)
}

/// Everything that is searched of a post, in normal form.
fn said(post: &Post) -> String {
    let parts =
        [Some(&post.post_title), post.post_description.as_ref(), post.post_content.as_ref()];
    naming::normalise(&parts.into_iter().flatten().cloned().collect::<Vec<_>>().join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn posts_are_those_of_looking_at_every_post(
        classification in prop::option::of(prop::sample::select(Classification::ALL.to_vec())),
        words in words(),
        followed in prop::option::of(eins()),
        filters in filters(),
        paging in pagings(),
    ) {
        let has = |post: &Post, words: &str| {
            let text = said(post);
            words.split(' ').all(|word| {
                text.split(' ').any(|known| known == naming::normalise(word))
            })
        };
        let found = COUNTRY.posts.iter().filter(|(post, owner)| {
            classification.is_none_or(|class| post.post_classification == Some(class))
                && words.as_ref().is_none_or(|words| has(post, words))
                && followed.as_ref().is_none_or(|eins| eins.contains(&owner.ein))
                && satisfies(owner, &filters)
        });
        let expected = page(found.map(|(post, _)| post.clone()).collect(), paging);
        let query = feed::Query { classification, words, followed, filters, paging };
        let found = feed::search(&COUNTRY.snapshot, &query).unwrap();
        for row in &found.rows {
            let owner = details::details(&COUNTRY.snapshot, row.post.organization_ein).unwrap();
            prop_assert_eq!(&row.organization_name, &owner.unwrap().name);
        }
        let rows: Vec<Post> = found.rows.into_iter().map(|row| row.post).collect();
        prop_assert_eq!((found.total, rows), expected);
    }

    #[test]
    fn metrics_are_those_of_looking_at_every_metric(
        eins in eins(),
        ids in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        kind in prop::option::of((any::<prop::sample::Index>(), any::<bool>())),
        paging in pagings(),
    ) {
        let all = &COUNTRY.metrics;
        let metric_ids: Vec<String> =
            ids.iter().map(|index| index.get(all).0.metric_id.clone()).collect();
        // A whole type, or its last word.
        let metric_type = kind.and_then(|(index, whole)| {
            let kind = index.get(all).0.metric_type.clone()?;
            let last = kind.rsplit(' ').next().unwrap_or_default().to_uppercase();
            Some(if whole { kind } else { last })
        });
        let is_of = |kind: &str, asked: &str| {
            let (kind, asked) = (naming::normalise(kind), naming::normalise(asked));
            format!(" {kind} ").contains(&format!(" {asked} "))
        };
        let found = all.iter().map(|(metric, _)| metric).filter(|metric| {
            (eins.is_empty() || eins.contains(&metric.ein))
                && (metric_ids.is_empty() || metric_ids.contains(&metric.metric_id))
                && metric_type.as_ref().is_none_or(|asked| {
                    metric.metric_type.as_ref().is_some_and(|kind| is_of(kind, asked))
                })
        });
        let expected = page(found.cloned().collect::<Vec<Metric>>(), paging);
        let query = metrics::Query { eins, metric_ids, metric_type, paging };
        let found = metrics::search(&COUNTRY.snapshot, &query).unwrap();
        prop_assert_eq!((found.total, found.rows), expected);
    }

    #[test]
    fn stories_are_those_of_looking_at_every_story(
        eins in eins(),
        min_power_score in prop::option::of((0_u8..=100).prop_map(|tenths| f64::from(tenths) / 10.0)),
        paging in pagings(),
    ) {
        let found = COUNTRY.stories.iter().map(|(story, _)| story).filter(|story| {
            (eins.is_empty() || eins.contains(&story.ein))
                && min_power_score.is_none_or(|min| story.power_score.is_some_and(|it| it >= min))
        });
        let expected = page(found.cloned().collect::<Vec<Story>>(), paging);
        let query = stories::Query { eins, min_power_score, about: None, paging };
        let found = stories::search(&COUNTRY.snapshot, &query).unwrap();
        let rows: Vec<Story> = found.rows.into_iter().map(|row| row.story).collect();
        prop_assert_eq!((found.total, rows), expected);
    }
}

#[test]
fn lists_stand_in_their_order() {
    let scores: Vec<_> = COUNTRY.stories.iter().map(|(story, _)| story.power_score).collect();
    assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
    let dates: Vec<_> = COUNTRY.posts.iter().map(|(post, _)| post.post_published_date).collect();
    assert!(dates.windows(2).all(|pair| pair[0] >= pair[1]), "{dates:?}");
    assert!(dates.last().is_some_and(Option::is_none), "some have no date, and come last");
    let years: Vec<_> = COUNTRY.metrics.iter().map(|(metric, _)| metric.report_year).collect();
    assert!(years.windows(2).all(|pair| pair[0] >= pair[1]), "{years:?}");
    let mut kinds: Vec<_> =
        COUNTRY.posts.iter().map(|(post, _)| post.post_classification).collect();
    kinds.sort();
    kinds.dedup();
    assert_eq!(kinds.len(), Classification::ALL.len());
}

#[test]
fn what_returns_say_is_shown_of_their_organizations() {
    let snapshot = &COUNTRY.snapshot;
    let count = snapshot.columns.organizations();
    let mut filers = 0;
    for number in 0..count {
        let organization = snapshot.records.organization(OrgId::new(number)).unwrap();
        let filings = snapshot.records.filings(OrgId::new(number)).unwrap();
        assert_eq!(organization.latest_filing.is_some(), !filings.is_empty());
        let Some(latest) = filings.first() else { continue };
        filers += 1;
        assert!(filings.iter().all(|filing| filing.ein == organization.ein));
        let periods: Vec<_> = filings.iter().map(|filing| filing.period_end).collect();
        assert!(periods.windows(2).all(|pair| pair[0] > pair[1]), "{periods:?}");
        assert_eq!(organization.finances.expenses, latest.expenses);
        assert_eq!(organization.finances.employees, latest.employees);
    }
    assert!(filers >= 30, "{filers}");
}

/// Asserts that values are in order, and unknown ones behind all others.
#[track_caller]
fn in_order<Value: Ord + std::fmt::Debug>(values: &[Option<Value>], descending: bool) {
    let known: Vec<&Value> = values.iter().map_while(Option::as_ref).collect();
    assert!(values[known.len()..].iter().all(Option::is_none), "{values:?}");
    let is_right =
        |pair: &[&Value]| if descending { pair[0] >= pair[1] } else { pair[0] <= pair[1] };
    assert!(known.windows(2).all(is_right), "{values:?}");
}

#[test]
fn funders_come_in_every_order() {
    let snapshot = &COUNTRY.snapshot;
    let all = grants::Query {
        words: None,
        recipient_state: None,
        recipient_ntee: Vec::new(),
        grantor_state: None,
        year: None,
        min_amount: None,
        accepts_applications: None,
    };
    for name in funders::Order::names() {
        let order = funders::Order::parse(&name).unwrap();
        assert_eq!(order.name(), name);
        let paging = Paging { page: 1, size: 100 };
        let found = funders::search(snapshot, &all, order, paging).unwrap();
        assert!(found.rows.len() > 1, "{name}");
        let number = |one: &funders::Funder| match order.key {
            funders::OrderKey::Amount => one.given.sum.amount,
            funders::OrderKey::Grants => Some(one.given.sum.grants as i64),
            funders::OrderKey::Assets | funders::OrderKey::Name => one.assets,
        };
        match order.key {
            funders::OrderKey::Name => {
                let names = found.rows.iter().map(|one| Some(naming::normalise(&one.card.name)));
                in_order(&names.collect::<Vec<_>>(), order.descending);
            }
            _ => {
                let numbers = found.rows.iter().map(number);
                in_order(&numbers.collect::<Vec<_>>(), order.descending);
            }
        }
        let second = funders::search(snapshot, &all, order, Paging { page: 2, size: 1 }).unwrap();
        assert_eq!(second.rows, found.rows[1..2], "{name}");
    }
    assert_eq!(funders::Order::parse("size"), None);
}

#[test]
fn people_are_those_of_a_state_and_a_role_the_best_paid_first() {
    let snapshot = &COUNTRY.snapshot;
    let count = snapshot.people.count();
    let names: Vec<(ListedName, Organization)> = (0..count)
        .map(|at| {
            let row = RowId::new(at);
            let owner = snapshot.people.owner(row).unwrap();
            let owner = snapshot.records.organization(owner).unwrap();
            (snapshot.records.get::<ListedName>(row).unwrap(), owner)
        })
        .collect();
    let some = names.iter().find_map(|(_, owner)| owner.address.state).unwrap();
    let pay = |one: &ListedName| one.latest().and_then(Person::reportable_pay);
    for state in [None, Some(some)] {
        for role in [None, Some(Role::Officer), Some(Role::HighestCompensated)] {
            let mut expected: Vec<&(ListedName, Organization)> = names
                .iter()
                .filter(|(_, owner)| state.is_none() || owner.address.state == state)
                .filter(|(one, _)| role.is_none_or(|role| one.roles().contains(role)))
                .collect();
            expected.sort_by_key(|(one, _)| std::cmp::Reverse(pay(one)));
            let query = people::Query { state, role, order: people::NameOrder::Pay, text: None };
            let paging = Paging { page: 2, size: 7 };
            let found = people::search(snapshot, &query, paging).unwrap();
            assert_eq!(found.page.total, expected.len() as u64, "{state:?} {role:?}");
            let unknown = expected.iter().filter(|(one, _)| pay(one).is_none()).count();
            assert_eq!(found.without_pay, Some(unknown as u64), "{state:?} {role:?}");
            let of = |(one, owner): &(ListedName, Organization)| (one.name.clone(), owner.ein);
            let rows = found.page.rows.iter();
            let rows: Vec<_> =
                rows.map(|hit| (hit.named.name.clone(), hit.organization.ein)).collect();
            let expected: Vec<_> = expected.into_iter().skip(7).take(7).map(of).collect();
            assert_eq!(rows, expected, "{state:?} {role:?}");
        }
    }
}
