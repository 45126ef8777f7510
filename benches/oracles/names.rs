//! The naive answer of typeahead: sorted tables of every name and of every rest of a name, made
//! from the records, and loops over all that begins with a text.
//!
//! An organization is offered for the best reason that one of its names gives: the name begins with
//! what was typed; from a later word on it does; the name does after one edit; from a later word on
//! it does after one edit. The first two are merged by weight, of which a beginning of the name has
//! `NAME_ADVANTAGE` more. Within a reason the heavier come first, equally heavy ones in the order of
//! the name (or rest) that led there, and those of an equal name by `OrgId`. No tie is open.

use std::cmp::Reverse;
use std::ops::Range;

use almoner::index::typeahead::{NAME_ADVANTAGE, Weight};
use almoner::naming;
use almoner::record::{Ein, OrgId, Organization};
use almoner::snapshot::Snapshot;
use rayon::prelude::*;

/// Bytes of a name in normal form that lead to it.
const NAME_BYTES_MAX: usize = 400;

/// Characters from which on an edit is tried.
const TYPO_CHARACTERS_MIN: usize = 4;

/// Why an organization is offered: the best first.
const REASONS: [Reason; 4] = [
    Reason { later: false, edited: false },
    Reason { later: true, edited: false },
    Reason { later: false, edited: true },
    Reason { later: true, edited: true },
];

struct Reason {
    /// From a later word on.
    later: bool,
    /// After one edit.
    edited: bool,
}

/// An organization offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub ein: Ein,
    /// 0 to 3, the best first.
    pub reason: usize,
}

/// A name, or what is left of one from a later word on.
#[derive(Debug, Clone, Copy)]
struct Key {
    start: u32,
    length: u16,
    weight: u16,
    org: u32,
}

/// Keys in the order of their text, then of their organization.
type Table = Vec<Key>;

/// Every name of every organization that may be offered.
pub struct Names {
    /// The names in normal form, one after another.
    text: String,
    whole: Table,
    later: Table,
    /// By OrgId.
    eins: Vec<Ein>,
    weights: Vec<u16>,
    /// Every character of the names.
    alphabet: Vec<char>,
}

impl Names {
    /// Reads every record of a snapshot.
    pub fn of(snapshot: &Snapshot) -> Self {
        let read = |org| {
            let organization =
                snapshot.records.organization(OrgId::new(org)).expect("a whole snapshot");
            let is_offered = organization.exemption.is_active_charity();
            let names = if is_offered { names(&organization) } else { Vec::new() };
            (organization.ein, Weight::of(&organization).value(), names)
        };
        let organizations = snapshot.manifest.organizations as u32;
        let read: Vec<_> = (0..organizations).into_par_iter().map(read).collect();
        let eins = read.iter().map(|(ein, ..)| *ein).collect();
        let weights = read.iter().map(|(_, weight, _)| *weight).collect();
        let (mut text, mut whole, mut later) = (String::new(), Table::new(), Table::new());
        for (org, (_, weight, names)) in (0_u32..).zip(read) {
            for name in names {
                let key = |at: usize| Key {
                    start: (text.len() + at) as u32,
                    length: (name.len() - at) as u16,
                    weight,
                    org,
                };
                whole.push(key(0));
                later.extend(name.match_indices(' ').map(|(at, _)| key(at + 1)));
                text.push_str(&name);
            }
        }
        assert!(u32::try_from(text.len()).is_ok(), "names beyond 4 GiB");
        let mut alphabet: Vec<char> = (0..=char::MAX as u32).filter_map(char::from_u32).collect();
        let mut is_used = vec![false; char::MAX as usize + 1];
        text.chars().for_each(|character| is_used[character as usize] = true);
        alphabet.retain(|&character| is_used[character as usize]);
        let mut names =
            Self { text, whole: Vec::new(), later: Vec::new(), eins, weights, alphabet };
        (names.whole, names.later) = (names.sorted(whole), names.sorted(later));
        names
    }

    fn sorted(&self, mut table: Table) -> Table {
        table.par_sort_unstable_by_key(|key| (self.text_of(key), key.org));
        table.dedup_by_key(|key| (self.text_of(key), key.org));
        table
    }

    /// How many names there are, and how many rests of names from a later word on.
    pub fn counts(&self) -> (usize, usize) {
        (self.whole.len(), self.later.len())
    }

    fn text_of(&self, key: &Key) -> &str {
        &self.text[key.start as usize..][..usize::from(key.length)]
    }

    /// At most `limit` organizations for a text in normal form, in their order.
    pub fn answer(&self, typed: &str, limit: usize) -> Vec<Offer> {
        let characters: Vec<char> = typed.chars().collect();
        let mut answer: Vec<(u32, usize)> = Vec::new();
        for (number, reason) in REASONS.iter().enumerate() {
            let is_short = characters.len() < TYPO_CHARACTERS_MIN;
            let is_full = answer.len() >= limit && number > 1;
            if typed.is_empty() || is_full || (reason.edited && is_short) {
                break;
            }
            let table = if reason.later { &self.later } else { &self.whole };
            let runs = if reason.edited {
                self.one_edit_away(table, &characters)
            } else {
                vec![self.beginning_with(table, 0..table.len(), typed)]
            };
            // A word competes with names for every place, a typo for those that are left.
            let left = if number == 1 { limit } else { limit - answer.len() };
            let known: Vec<u32> = answer.iter().map(|offered| offered.0).collect();
            let best = best(table, runs, &known, left);
            answer.extend(best.into_iter().map(|org| (org, number)));
            if number == 1 {
                // Stable: of equal ones those by name stay first.
                answer.sort_by_key(|(org, reason)| {
                    let advantage = if *reason == 0 { NAME_ADVANTAGE } else { 0 };
                    Reverse(u32::from(self.weights[*org as usize]) + advantage)
                });
                answer.truncate(limit);
            }
        }
        let offer = |(org, reason)| Offer { ein: self.eins[org as usize], reason };
        answer.into_iter().map(offer).collect()
    }

    /// The keys of a part of a table that begin with a text.
    fn beginning_with(&self, table: &Table, within: Range<usize>, text: &str) -> Range<usize> {
        let keys = &table[within.clone()];
        let first = keys.partition_point(|key| self.text_of(key) < text);
        let begins = |key: &Key| self.text_of(key).starts_with(text);
        // Most texts that are tried begin nothing.
        if !keys.get(first).is_some_and(begins) {
            return 0..0;
        }
        let length = keys[first..].partition_point(begins);
        within.start + first..within.start + first + length
    }

    /// The keys that begin with a text one edit away, each in one run.
    fn one_edit_away(&self, table: &Table, typed: &[char]) -> Vec<Range<usize>> {
        let (mut runs, mut within, mut text) = (Vec::new(), 0..table.len(), String::new());
        for at in 1..typed.len() {
            // The first character is never edited, and what stands before an edit is in the name.
            let head: String = typed[..at].iter().collect();
            within = self.beginning_with(table, within, &head);
            if within.is_empty() {
                break;
            }
            each_edit(typed, at, &self.alphabet, |parts| {
                text.clear();
                text.push_str(&head);
                parts.iter().for_each(|part| text.extend(*part));
                runs.push(self.beginning_with(table, within.clone(), &text));
            });
        }
        joined(runs)
    }
}

/// The names that lead to an organization, in normal form.
fn names(organization: &Organization) -> Vec<String> {
    let own = [&organization.legal_name, &organization.name];
    let all = own.into_iter().chain(&organization.alt_name).chain(&organization.other_names);
    let mut names: Vec<String> = all.map(|name| naming::normalise(name)).collect();
    for name in &mut names {
        name.truncate(name.floor_char_boundary(NAME_BYTES_MAX));
        name.truncate(name.trim_end().len());
    }
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    names
}

/// Gives what may have been meant from a character on, in parts, when one edit was made there. A
/// typed digit is meant, and a digit that is missing was not part of a number that was begun.
fn each_edit(typed: &[char], at: usize, alphabet: &[char], mut give: impl FnMut(&[&[char]])) {
    let (before, now, rest) = (typed[at - 1], typed[at], &typed[at + 1..]);
    if !now.is_numeric() {
        give(&[rest]);
        alphabet.iter().for_each(|meant| give(&[&[*meant], rest]));
    }
    for missing in alphabet {
        let is_of_number = missing.is_numeric() && (before.is_numeric() || now.is_numeric());
        if !is_of_number {
            give(&[&[*missing, now], rest]);
        }
    }
    if let [next, rest @ ..] = rest
        && !(now.is_numeric() && next.is_numeric())
    {
        give(&[&[*next, now], rest]);
    }
}

/// Runs in rising order without what they have in common.
fn joined(mut runs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    runs.retain(|run| !run.is_empty());
    runs.sort_unstable_by_key(|run| (run.start, run.end));
    let mut joined: Vec<Range<usize>> = Vec::new();
    for run in runs {
        match joined.last_mut() {
            Some(last) if run.start <= last.end => last.end = last.end.max(run.end),
            _ => joined.push(run),
        }
    }
    joined
}

/// The best organizations of rising runs of a table that are not yet known: heaviest first, then in
/// the order of the table.
fn best(table: &Table, runs: Vec<Range<usize>>, known: &[u32], limit: usize) -> Vec<u32> {
    let mut best: Vec<(u16, u32)> = Vec::new();
    for key in runs.into_iter().flat_map(|run| &table[run]) {
        // Of equally heavy ones the first stays.
        let is_full = best.len() >= limit;
        if is_full && best.last().is_some_and(|last| last.0 >= key.weight) {
            continue;
        }
        if known.contains(&key.org) || best.iter().any(|(_, org)| *org == key.org) {
            continue;
        }
        let place = best.partition_point(|other| other.0 >= key.weight);
        best.insert(place, (key.weight, key.org));
        best.truncate(limit);
    }
    best.into_iter().map(|(_, org)| org).collect()
}
