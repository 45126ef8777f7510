//! What is written is found again, as a naive search over the rows finds it.

#![allow(clippy::unwrap_used)]

use std::cmp::Reverse;

use proptest::prelude::*;

use super::*;
use crate::mapped::files_in;

fn opened(rows: &[GrantRow], accepting: &[(OrgId, bool)]) -> (tempfile::TempDir, Grants) {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::default();
    // They come in any order.
    for (at, row) in rows.iter().enumerate().rev() {
        builder.push(RowId::new(at as u32), *row);
    }
    builder.finish(folder.path(), accepting).unwrap();
    let grants = Grants::open(&mut files_in(folder.path()));
    (folder, grants.unwrap())
}

fn row() -> impl Strategy<Value = GrantRow> {
    let state = || prop::option::of(prop_oneof![Just("OH"), Just("AK")]);
    let amount = prop::option::of(-5_i64..50);
    let code = prop::option::of(prop_oneof![Just("A20"), Just("A"), Just("B99")]);
    let sides = (0_u32..9, prop::option::of(0_u32..9), 2019_u16..2023, any::<bool>());
    (sides, amount, state(), state(), code).prop_map(
        |((grantor, recipient, year, paid), amount, to, of, code)| {
            let state = |code: Option<&str>| code.map(|code| code.parse().unwrap());
            GrantRow {
                grantor: OrgId::new(grantor),
                recipient: recipient.map(OrgId::new),
                link: if recipient.is_some() { LinkKind::Matched } else { LinkKind::Unmatched },
                probability: 0.5,
                amount,
                noncash: amount.filter(|amount| amount % 2 == 0),
                tax_year: year,
                stage: if paid { GrantStage::Paid } else { GrantStage::Approved },
                recipient_state: state(to),
                grantor_state: state(of),
                recipient_ntee: recipient.and(code).map(|code| code.parse().unwrap()),
            }
        },
    )
}

proptest! {
    #[test]
    fn what_is_found_is_what_a_scan_finds(
        mut rows in prop::collection::vec(row(), 0..120),
        grantor in prop::option::of(0_u32..9),
        recipient in prop::option::of(0_u32..9),
        year in prop::option::of(2019_u16..2023),
        min_amount in prop::option::of(-6_i64..50),
        stage in prop::option::of(Just(GrantStage::Paid)),
        accepts in prop::option::of(any::<bool>()),
        to_ohio: bool,
        of_ohio: bool,
        majors in prop::option::of(prop::collection::vec(b'A'..b'D', 0..3)),
        wanted in prop::collection::vec(0_u32..9, 0..5),
        among in prop::collection::vec(0_u32..120, 0..100),
    ) {
        rows.sort_by_key(|row| (Reverse(row.tax_year), Reverse(row.amount)));
        let accepting = [(OrgId::new(1), true), (OrgId::new(4), false)];
        let (_folder, grants) = opened(&rows, &accepting);
        let ohio = |asked: bool| asked.then(|| "OH".parse().unwrap());
        let filter = Filter {
            grantor: grantor.map(OrgId::new),
            recipient: recipient.map(OrgId::new),
            year,
            stage,
            min_amount,
            recipient_state: ohio(to_ohio),
            grantor_state: ohio(of_ohio),
            recipient_majors: majors.as_deref(),
            accepts_applications: accepts,
        };
        let says = |org: OrgId| accepting.iter().find(|one| one.0 == org).map(|one| one.1);
        let good = |row: &GrantRow| {
            filter.grantor.is_none_or(|one| row.grantor == one)
                && filter.recipient.is_none_or(|one| row.recipient == Some(one))
                && accepts.is_none_or(|one| says(row.grantor) == Some(one))
                && year.is_none_or(|one| row.tax_year == one)
                && stage.is_none_or(|one| row.stage == one)
                && min_amount.is_none_or(|least| row.amount.is_some_and(|one| one >= least))
                && filter.recipient_state.is_none_or(|one| row.recipient_state == Some(one))
                && filter.grantor_state.is_none_or(|one| row.grantor_state == Some(one))
                && majors.as_ref().is_none_or(|all| {
                    row.recipient_ntee.is_some_and(|code| all.contains(&code.bytes()[0]))
                })
        };
        let expected: Vec<u32> =
            (0..).zip(&rows).filter(|(_, row)| good(row)).map(|(at, _)| at).collect();
        let set = grants.select(&filter).unwrap();
        prop_assert_eq!(set.iter().map(|row| row.0).collect::<Vec<_>>(), expected.clone());
        let mut some = among.clone();
        some.retain(|at| expected.contains(at));
        some.sort_unstable();
        some.dedup();
        let among = Bitmap::of(grants.count(), among.into_iter().map(RowId::new));
        let found = grants.select_among(among, &filter).unwrap();
        prop_assert_eq!(found.iter().map(|row| row.0).collect::<Vec<_>>(), some);
        let all = || expected.iter().map(|at| &rows[*at as usize]);
        let amount = all().filter_map(|row| row.amount).reduce(|one, other| one + other);
        let sum = Sum { grants: expected.len() as u64, amount };
        prop_assert_eq!(grants.sum(&set).unwrap(), sum);
        let parts = |of: &dyn Fn(&GrantRow) -> u32, value: u32| {
            let own = || all().filter(|row| of(row) == value);
            let amount = own().filter_map(|row| row.amount).reduce(|one, other| one + other);
            Sum { grants: own().count() as u64, amount }
        };
        let mut counted = 0;
        for (year, sum) in grants.by_year(&set).unwrap() {
            prop_assert_eq!(sum, parts(&|row| u32::from(row.tax_year), u32::from(year)));
            counted += sum.grants;
        }
        for (state, sum) in grants.by_state(&set).unwrap() {
            let index =
                |state: Option<State>| state.map_or(u32::MAX, |state| u32::from(state.index()));
            prop_assert_eq!(sum, parts(&|row| index(row.recipient_state), index(state)));
            counted += sum.grants;
        }
        for (major, sum) in grants.by_major(&set).unwrap() {
            let letter =
                |row: &GrantRow| row.recipient_ntee.map_or(0, |code| u32::from(code.major()));
            prop_assert_eq!(sum, parts(&letter, major.map_or(0, u32::from)));
            counted += sum.grants;
        }
        prop_assert_eq!(counted, 3 * expected.len() as u64);
        for found in grants.by_grantor(&set).unwrap() {
            let own = || all().filter(|row| row.grantor == found.grantor);
            prop_assert_eq!(found.sum.grants, own().count() as u64);
            let amount = own().filter_map(|row| row.amount).reduce(|one, other| one + other);
            prop_assert_eq!(found.sum.amount, amount);
            let noncash = own().filter_map(|row| row.noncash).reduce(|one, other| one + other);
            prop_assert_eq!(found.noncash, noncash);
            let latest = grants.latest_year(&set, found.grantor).unwrap();
            prop_assert_eq!(latest, own().map(|row| row.tax_year).max());
            prop_assert_eq!(found.accepts_applications, says(found.grantor));
        }
        let orgs = Bitmap::of(9, wanted.iter().copied().map(OrgId::new));
        let those = |good: &dyn Fn(&GrantRow) -> bool| {
            (0..).zip(&rows).filter(|(_, row)| good(row)).map(|(at, _)| at).collect::<Vec<u32>>()
        };
        let numbers = |set: &Bitmap<Grant>| set.iter().map(|row| row.0).collect::<Vec<_>>();
        let made = those(&|row| orgs.contains(row.grantor));
        prop_assert_eq!(numbers(&grants.made_by(&orgs).unwrap()), made);
        let mut received = Bitmap::all(grants.count());
        grants.keep_recipients(&mut received, &orgs).unwrap();
        let to_those = those(&|row| row.recipient.is_some_and(|org| orgs.contains(org)));
        prop_assert_eq!(numbers(&received), to_those);
        let recipients = grants.recipients(&set, 9).unwrap();
        for org in (0..9).map(OrgId::new) {
            prop_assert_eq!(recipients.contains(org), all().any(|row| row.recipient == Some(org)));
        }
        for (at, row) in (0..).map(RowId::new).zip(&rows) {
            let link = grants.link(at).unwrap();
            let probability = row.recipient.map(|_| 0.5);
            prop_assert_eq!(link, Link { kind: row.link, recipient: row.recipient, probability });
            prop_assert_eq!(grants.grantor(at).unwrap(), row.grantor);
        }
        prop_assert!(grants.link(RowId::new(rows.len() as u32)).is_err());
    }
}
