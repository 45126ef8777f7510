//! Names: those of the table, acronyms that the text explains, places and organizations.
//!
//! Each pass capitalises words by their neighbours; later ones build on what earlier ones
//! found, so their order in `sentence_case` matters.

use std::collections::HashSet;

use super::{Form, NAMES, Name, Prose, is_unnamed};
use crate::naming::words::List;

/// Letters of an acronym in parentheses that the words before it explain.
const EXPLAINED_LETTERS: std::ops::RangeInclusive<usize> = 2..=8;

/// Letters from which on what an acronym explains is likely an organization, not a term.
const EXPLAINED_NAME_LETTERS_MIN: usize = 4;

/// Words of a name before `Inc.`, at the most; farther back the name has not begun.
const COMPANY_WORDS_MAX: usize = 8;

/// Words of a list before `counties`, at the most; few states have more of them.
const COUNTY_WORDS_MAX: usize = 100;

/// Words of a name before `foundation` and the like that a known one may begin.
const BODY_WORDS_MAX: usize = 4;

impl Prose<'_> {
    /// Writes the names of the table wherever they stand, the longest first.
    pub(super) fn name_known(&mut self) {
        let mut at = 0;
        while at < self.list.len() {
            let names = NAMES.get(&self.list[at].key).map_or(&[][..], Vec::as_slice);
            let Some(name) = names.iter().find(|name| self.has_name(at, name)) else {
                at += 1;
                continue;
            };
            for (offset, (_, written)) in name.iter().enumerate() {
                if !self.list[at + offset].has_small() && self.forms[at + offset] != Form::Lower {
                    self.forms[at + offset] = Form::Table(written);
                }
            }
            at += name.len();
        }
    }

    fn has_name(&self, at: usize, name: &Name) -> bool {
        name.iter().enumerate().all(|(offset, (key, _))| {
            self.list.get(at + offset).is_some_and(|word| {
                let tight = word.gap.len() <= 3 && word.gap.chars().all(|c| " .-&".contains(c));
                word.key == *key && (offset == 0 || tight)
            })
        })
    }

    /// Keeps acronyms that the text itself explains: `Friends of Lost Dogs (FLD)`.
    pub(super) fn name_explained(&mut self) {
        let mut explained = HashSet::new();
        for at in 1..self.list.len() {
            let key = self.list[at].key.clone();
            let enclosed = matches!(self.list[at].gap.trim(), "(" | "(\"" | "(“")
                && self.gap_after(at).starts_with([')', '"', '”']);
            if !enclosed || !EXPLAINED_LETTERS.contains(&key.len()) {
                continue;
            }
            let Some(first) = self.first_explaining(at, &key) else { continue };
            if key.len() >= EXPLAINED_NAME_LETTERS_MIN && !List::Acronym.has(&key) {
                for part in first..at {
                    if !List::Small.has(&self.list[part].key) {
                        self.capitalise(part);
                    }
                }
            }
            explained.insert(key);
        }
        for (word, form) in self.list.iter().zip(&mut self.forms) {
            if explained.contains(&word.key) && matches!(form, Form::Small | Form::Capital) {
                *form = Form::Kept;
            }
        }
    }

    /// The first of the words before an acronym whose initials it is, small words counted or not.
    fn first_explaining(&self, at: usize, key: &str) -> Option<usize> {
        let explains = |skip: bool| {
            let mut letters = key.bytes().rev().peekable();
            // Hardly more small words than others stand in a name.
            for before in (at.saturating_sub(2 * key.len())..at).rev() {
                let word = &self.list[before];
                let small = List::Small.has(&word.key);
                if !(skip && small) && letters.peek() == word.key.as_bytes().first() {
                    letters.next();
                    if letters.peek().is_none() {
                        return Some(before);
                    }
                } else if !small {
                    return None;
                }
            }
            None
        };
        explains(true).or_else(|| explains(false))
    }

    /// Capitalises the names of storms: `Hurricane Ian`, `hurricanes Irma and Maria`.
    pub(super) fn name_storms(&mut self) {
        for at in 1..self.list.len() {
            let before = self.near(at, -1).to_owned();
            let is_tropical = before == "STORM" && self.near(at, -2) == "TROPICAL";
            if !(is_tropical || List::Storm.has(&before)) || !self.names_storm(at) {
                continue;
            }
            self.capitalise(at);
            if before.ends_with('S') {
                if self.near(at, 1) == "AND" && self.names_storm(at + 2) {
                    self.capitalise(at + 2);
                }
            } else {
                (at - 1 - usize::from(is_tropical)..at).for_each(|part| self.capitalise(part));
            }
        }
    }

    /// Whether a word may be the name of a storm.
    fn names_storm(&self, at: usize) -> bool {
        let key = self.near(at, 0);
        let is_word = key.len() > 1 && key.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_name = List::GivenName.has(key) || !(is_unnamed(key) || List::AfterStorm.has(key));
        is_word && is_name && self.list[at].gap == " "
    }

    /// Writes names before and behind what they are names of: `Polk and Marion Counties`.
    pub(super) fn name_places(&mut self) {
        for at in 0..self.list.len() {
            let key = self.list[at].key.clone();
            let of = self.near(at, 1) == "OF";
            let by =
                matches!(self.near(at, -2), "AT" | "BY" | "FOR" | "FROM" | "IN" | "OF" | "THE");
            let kind = match key.as_str() {
                "COUNTY" | "TOWNSHIP" | "UNIVERSITY" => true,
                "COLLEGE" | "HIGH" | "ELEMENTARY" | "RIVER" | "VALLEY" | "ISLAND" | "AVENUE" => by,
                _ => false,
            };
            let school = !matches!(key.as_str(), "HIGH" | "ELEMENTARY")
                || (self.near(at, 1) == "SCHOOL" && !self.near(at, 2).starts_with("STUDENT"));
            if kind && school && self.list[at].gap == " " && self.name_ending(at.wrapping_sub(1)) {
                self.capitalise(at);
                if matches!(key.as_str(), "HIGH" | "ELEMENTARY") {
                    self.capitalise(at + 1);
                }
            }
            if key == "COUNTIES" && self.list[at].gap == " " {
                self.name_counties(at);
            }
            let town =
                matches!(key.as_str(), "CITY" | "COUNTY" | "TOWN" | "VILLAGE" | "UNIVERSITY");
            if town
                && of
                && self.near(at, -1) != "A"
                && self.is_joined(at + 2)
                && !is_unnamed(self.near(at, 2))
            {
                if key == "UNIVERSITY" {
                    self.capitalise(at);
                }
                self.capitalise(at + 2);
                let more = List::First.has(self.near(at, 2)) || List::Last.has(self.near(at, 3));
                if more && self.is_joined(at + 3) {
                    self.capitalise(at + 3);
                }
            }
            let region = List::Region.has(&key) && matches!(self.forms[at], Form::Table(_));
            if self.is_state_code(at) || (region && self.list[at].gap == ", ") {
                self.name_ending(at.wrapping_sub(1));
            }
        }
    }

    /// Capitalises the name that ends at a word; whether there is one.
    fn name_ending(&mut self, at: usize) -> bool {
        let Some(word) = self.list.get(at) else { return false };
        if is_unnamed(&word.key)
            || !matches!(self.forms[at], Form::Small | Form::Capital | Form::Table(_))
        {
            return false;
        }
        let before = self.near(at, -1);
        let more = word.gap == " " && !List::Small.has(before);
        let more = more && (List::First.has(before) || List::Last.has(&word.key));
        self.capitalise(at);
        if more {
            self.capitalise(at - 1);
        }
        true
    }

    /// Capitalises the names of a list before `counties`.
    fn name_counties(&mut self, counties: usize) {
        let mut at = counties;
        while at > counties.saturating_sub(COUNTY_WORDS_MAX) && self.name_ending(at - 1) {
            at -= 1;
            if List::First.has(self.near(at, -1)) && self.list[at].gap == " " {
                at -= 1;
            }
            if matches!(self.near(at, -1), "AND" | "OR") {
                at -= 1;
            } else if !self.list[at].gap.contains([',', '&', '/']) {
                break;
            }
        }
        // `Marion and Polk Counties`, but `five Ohio counties`.
        if at < counties && !(at + 1 == counties && List::Region.has(self.near(at, 0))) {
            self.capitalise(counties);
        }
    }

    /// Capitalises what stands between a known name and `foundation` or the like, and between an
    /// article and it: `Ohio Lost Dogs Council`, `the Brightwater Foundation`.
    pub(super) fn name_bodies(&mut self) {
        for at in 1..self.list.len() {
            let key = self.list[at].key.as_str();
            if !List::Body.has(key) {
                continue;
            }
            let by_article = matches!(key, "FOUNDATION" | "ASSOCIATION");
            let mut first = at;
            while first > at.saturating_sub(BODY_WORDS_MAX) && self.list[first].gap == " " {
                let article = by_article && first < at && self.near(first, -1) == "THE";
                let named = matches!(self.forms[first - 1], Form::Capital | Form::Table(_));
                if article || named {
                    (first..=at).for_each(|part| self.capitalise(part));
                    break;
                }
                // `Ohio State University`
                let before = self.near(first, -1);
                if is_unnamed(before) && !matches!(before, "STATE" | "COMMUNITY") {
                    break;
                }
                first -= 1;
            }
        }
    }

    /// Capitalises the words of a name before `Inc.` and the like, as far back as they are one.
    pub(super) fn name_companies(&mut self) {
        for at in 1..self.list.len() {
            if !matches!(self.list[at].key.as_str(), "INC" | "LLC" | "LTD") {
                continue;
            }
            let mut first = at;
            while first > 0 && at - first < COMPANY_WORDS_MAX {
                let opens = self.list[first].gap.contains(['.', ';', ':', '(', '"']);
                let opens = opens || self.list[first].gap == " - ";
                let lists = first < at && self.list[first].gap.contains(',');
                let small = List::Small.has(self.near(first, -1));
                if opens || lists || small || matches!(self.near(first, -1), "IS" | "ARE" | "A") {
                    break;
                }
                first -= 1;
            }
            // `to support Lost Dogs Inc`
            if self.near(first, -1) == "TO" && at - first > 1 {
                first += 1;
            }
            (first..at).for_each(|part| self.capitalise(part));
        }
    }
}
