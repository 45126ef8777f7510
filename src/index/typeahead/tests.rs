//! The index against the naive answer: every organization looked at, every edit tried.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::mapped::{BlockSums, MappedFile, files_in};
use crate::naming::normalise;
use crate::record::Ein;

/// An index in a folder of its own, from `(weight, names)` by OrgId; every fifth is no active charity.
fn built(organizations: &[(u16, Vec<String>)]) -> (tempfile::TempDir, Typeahead) {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::new();
    for (index, (weight, names)) in organizations.iter().enumerate() {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let card = Card {
            ein: Ein::unpack(index as u32).unwrap(),
            name: names.first().copied().unwrap_or_default().to_owned(),
            city: None,
            state: None,
            alt_name: None,
        };
        let scope = if index % 5 == 4 { Scope::All } else { Scope::ActiveCharities };
        builder.add(OrgId::new(index as u32), scope, Weight::new(*weight), &names, &card).unwrap();
    }
    builder.finish(folder.path()).unwrap();
    let index = Typeahead::open(&mut files_in(folder.path()));
    (folder, index.unwrap())
}

fn check(names: &[(u16, &str)], typed: &str, limit: usize, expected: &[(&str, Match)]) {
    let organizations: Vec<_> =
        names.iter().map(|(weight, name)| (*weight, vec![(*name).to_owned()])).collect();
    let (_folder, index) = built(&organizations);
    let hits = index.suggest(&normalise(typed), Scope::All, limit).unwrap();
    let found: Vec<_> = hits.iter().map(|hit| (names[hit.org.index()].1, hit.reason)).collect();
    for hit in &hits {
        assert_eq!(index.card(hit.org).unwrap().name, names[hit.org.index()].1);
    }
    assert_eq!(found, expected, "{typed:?}");
}

const RED: [(u16, &str); 6] = [
    (60_000, "American National Red Cross"),
    (40_000, "Redwood Crossing Inc"),
    (100, "Red Cross Lake Shore Chapter"),
    (90, "Red Cros Fans"),
    (80, "Rde Cross"),
    (70, "The Fred Cross Fund"),
];

#[test]
fn names_and_words_by_weight_then_typos() {
    check(
        &RED,
        "red cro",
        10,
        &[
            // A giant whose later word matches, before dwarfs whose first does.
            (RED[0].1, Match::Word),
            (RED[2].1, Match::Name),
            (RED[3].1, Match::Name),
            (RED[4].1, Match::NameTypo),
        ],
    );
    check(&RED, "red cro", 2, &[(RED[0].1, Match::Word), (RED[2].1, Match::Name)]);
    check(&RED, "redwodo", 9, &[(RED[1].1, Match::NameTypo)]);
    check(&RED, "crosing", 9, &[(RED[1].1, Match::WordTypo)]);
    check(&RED, "xed cross", 9, &[]);
    check(&RED, "", 9, &[]);
}

#[test]
fn a_number_never_becomes_another() {
    let troops = [(9, "Troop 12"), (8, "Troop 123"), (7, "Troop 13"), (6, "Troop X3")];
    check(&troops, "troop 13", 9, &[("Troop 13", Match::Name)]);
    check(&troops, "troop 23", 9, &[]);
    check(
        &troops,
        "troop 1x3",
        9,
        &[("Troop 123", Match::NameTypo), ("Troop 13", Match::NameTypo)],
    );
    check(&troops, "trop 12", 9, &[("Troop 12", Match::NameTypo), ("Troop 123", Match::NameTypo)]);
}

#[test]
fn equal_names_come_by_weight_among_the_others() {
    let names = [(5, "Rotary Club"), (9, "Rotary Club"), (7, "Rotary Clubs"), (7, "Rotary Club")];
    let organizations: Vec<_> =
        names.iter().map(|(weight, name)| (*weight, vec![(*name).to_owned()])).collect();
    let (_folder, index) = built(&organizations);
    let found: Vec<u32> =
        index.suggest("rotary", Scope::All, 9).unwrap().iter().map(|hit| hit.org.0).collect();
    assert_eq!(found, [1, 3, 2, 0]);
}

#[test]
fn damage_is_an_error_and_never_a_panic() {
    let organizations: Vec<_> = (0..300)
        .map(|at| (at * 7, vec![format!("Name {} of {}", at * 37 % 300, at), "Other".to_owned()]))
        .collect();
    let (folder, index) = built(&organizations);
    let whole = index.suggest("name", Scope::All, 25).unwrap();
    let maps = [NAMES, WORDS, OTHER_NAMES, OTHER_WORDS];
    for name in maps.into_iter().flat_map(<[&str; 2]>::from).chain([CARDS]) {
        let path = folder.path().join(name);
        let bytes = std::fs::read(&path).unwrap();
        let sums = BlockSums::of(&bytes[..], |_| {}).unwrap();
        for position in (0..bytes.len()).step_by(bytes.len().div_ceil(200)) {
            let mut flipped = bytes.clone();
            flipped[position] ^= 1 << (position % 8);
            std::fs::write(&path, &flipped).unwrap();
            let mut others = files_in(folder.path());
            let index = Typeahead::open(&mut |other| match other == name {
                true => MappedFile::open(&path, other, sums.clone()),
                false => others(other),
            });
            for typed in ["name", "naem 1", "othre"] {
                if let Ok(Ok(hits)) =
                    index.as_ref().map(|index| index.suggest(typed, Scope::All, 25))
                {
                    assert!(typed != "name" || hits == whole, "{name} at {position}");
                }
            }
        }
        std::fs::write(&path, &bytes).unwrap();
    }
}

/// The naive answer: `(org, reason)` in order.
fn naive(
    organizations: &[(u16, Vec<String>)],
    typed: &str,
    scope: Scope,
    limit: usize,
) -> Vec<(u32, Match)> {
    let typed: Vec<char> = typed.chars().collect();
    let mut offered = Vec::new();
    for (org, (weight, names)) in organizations.iter().enumerate() {
        if scope == Scope::ActiveCharities && org % 5 == 4 {
            continue;
        }
        let names: BTreeSet<String> = names.iter().map(|name| normalise(name)).collect();
        let mut best: Option<(Match, String)> = None;
        for name in names.iter().filter(|name| !name.is_empty()) {
            let starts = name.match_indices(' ').map(|(at, _)| &name[at + 1..]);
            for (rest, later) in
                std::iter::once((&name[..], false)).chain(starts.map(|s| (s, true)))
            {
                let Some(reason) = reason(&typed, rest, later) else { continue };
                let offer = (reason, rest.to_owned());
                if best.as_ref().is_none_or(|known| offer < *known) {
                    best = Some(offer);
                }
            }
        }
        if let Some((reason, key)) = best {
            let group = reason.max(Match::Word);
            let advantage = if reason == Match::Name { NAME_ADVANTAGE } else { 0 };
            let weight = std::cmp::Reverse(u32::from(*weight) + advantage);
            // Of equally heavy ones in both parts, those of the first come first.
            let is_other = org % 5 == 4;
            offered.push((group, weight, is_other, reason, key, org as u32));
        }
    }
    offered.sort();
    offered.into_iter().take(limit).map(|(.., reason, _, org)| (org, reason)).collect()
}

fn reason(typed: &[char], name: &str, later: bool) -> Option<Match> {
    let name: Vec<char> = name.chars().collect();
    if name.starts_with(typed) {
        return Some(if later { Match::Word } else { Match::Name });
    }
    if typed.len() < TYPO_CHARACTERS_MIN || name.first() != typed.first() {
        return None;
    }
    let found = (1..typed.len()).any(|at| one_edit_at(typed, &name, at));
    found.then_some(if later { Match::WordTypo } else { Match::NameTypo })
}

/// Whether `name` begins with `typed` after one edit at a position.
fn one_edit_at(typed: &[char], name: &[char], at: usize) -> bool {
    let digit = |character: Option<&char>| character.is_some_and(|c| c.is_numeric());
    let begins = |parts: &[&[char]]| name.starts_with(&parts.concat());
    let (head, rest) = typed.split_at(at);
    if !digit(rest.first()) && begins(&[head, &rest[1..]]) {
        return true;
    }
    if rest.len() > 1
        && !(digit(rest.first()) && digit(rest.get(1)))
        && begins(&[head, &[rest[1], rest[0]], &rest[2..]])
    {
        return true;
    }
    let Some(&character) = name.get(at) else { return false };
    let breaks_number = character.is_numeric() && (digit(head.last()) || digit(rest.first()));
    (!breaks_number && begins(&[head, &[character], rest]))
        || (!digit(rest.first()) && begins(&[head, &[character], &rest[1..]]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn equals_the_naive_answer(
        organizations in prop::collection::vec(
            (0_u16..6, prop::collection::vec("[ab1é]{1,3}( [ab12]{1,3}){0,3}", 1..3)),
            0..40,
        ),
        typed in "[ab1é]{1,3}( [ab12x]{1,3}){0,2}",
        limit in 1_usize..12,
        scope in prop::sample::select(vec![Scope::ActiveCharities, Scope::All]),
    ) {
        let (_folder, index) = built(&organizations);
        let typed = normalise(&typed);
        let found: Vec<_> =
            index.suggest(&typed, scope, limit).unwrap().iter().map(|hit| (hit.org.0, hit.reason)).collect();
        prop_assert_eq!(found, naive(&organizations, &typed, scope, limit));
    }
}
