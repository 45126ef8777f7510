//! Two names compared term by term: what they share, what either has besides, and what contradicts.

use std::borrow::Cow;

use super::words::{WORDS, number};
use crate::index::names::{WeighedTerm, may_stand_for, terms};
use crate::naming::{edits, edits_max};

/// How well a term that is short for another stands for it, and one that begins it.
const VARIANT_QUALITY: f32 = 0.95;
const BEGINNING_QUALITY: f32 = 0.8;
const JOINED_QUALITY: f32 = 0.97;
/// How well initials stand for the terms, and what is left of a term for it: `cmmrc` for `commerce`.
const INITIALS_QUALITY: f32 = 0.9;
const CONTRACTED_QUALITY: f32 = 0.75;
/// What an edit takes, as a share of the term's characters.
const EDIT_COST: f32 = 1.2;
/// Characters of a beginning, and of initials that stand for a name, at least.
const BEGINNING_CHARACTERS_MIN: usize = 3;
const INITIALS_MIN: usize = 3;
/// Characters from which on a name may have been cut at the end of a field.
const CUT_CHARACTERS_MIN: usize = 12;
/// How much of what was cut off counts against a name.
const CUT_SHARE: f32 = 0.3;
/// How much of what only the place explains counts against a name.
const IN_PLACE_SHARE: f32 = 0.3;

/// A name as it is compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NameForm<'a> {
    pub terms: Vec<WeighedTerm<'a>>,
    /// Its terms without blanks.
    joined: String,
    pairs: Vec<[u8; 2]>,
}

impl<'a> NameForm<'a> {
    pub fn new(terms: Vec<WeighedTerm<'a>>) -> Self {
        let joined: String = terms.iter().map(|term| &*term.text).collect();
        let mut pairs: Vec<[u8; 2]> =
            joined.as_bytes().windows(2).map(|pair| [pair[0], pair[1]]).collect();
        pairs.sort_unstable();
        Self { terms, joined, pairs }
    }

    /// The first letters of its terms.
    fn initials(&self) -> String {
        self.terms.iter().filter_map(|term| term.text.chars().next()).collect()
    }
}

/// How two names compare. Masses are sums of inverse document frequencies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct NameFit {
    /// Mass of what both have.
    pub shared: f32,
    /// Mass of what only the asked name has, and only the found one, less what the other's place says.
    pub open_asked: f32,
    pub open_found: f32,
    /// Mass of what only one name has and the other's place says.
    pub in_place: f32,
    /// Mass lost to misspellings and short forms.
    pub lost: f32,
    /// Share of neighbours that are neighbours in both.
    pub in_order: f32,
    /// Whether both begin with the same term.
    pub begins: bool,
    /// Whether they are the same terms, or the same letters.
    pub is_equal: bool,
    /// Twice the shared pairs of letters by all pairs (Dice).
    pub characters: f32,
    /// Whether one ends where a field of that length may have cut it.
    pub is_cut: bool,
    /// Whether each has a number, or a direction, that the other lacks.
    pub number_differs: bool,
    pub direction_differs: bool,
    /// Whether only one has one.
    pub number_open: bool,
    pub direction_open: bool,
    /// Whether only the asked name, or only the found one, says that it is a body beside another.
    pub kin_asked: bool,
    pub kin_found: bool,
    /// Whether they differ only in words of what kind of body it is, or that the place says.
    pub form_only: bool,
    /// How many terms only one of them has.
    pub open_terms: usize,
    /// Whether one is the initials of the other.
    pub is_initials: bool,
}

impl NameFit {
    /// How alike the names are, 0 to 1.
    pub fn similarity(&self) -> f32 {
        if self.is_equal || self.is_initials {
            return if self.is_equal { 1.0 } else { 0.8 };
        }
        let open = self.open_asked + self.open_found + IN_PLACE_SHARE * self.in_place;
        self.shared / (self.shared + self.lost + open).max(f32::MIN_POSITIVE)
    }
}

/// The words of a place, as terms.
pub(super) type PlaceWords<'a> = [Cow<'a, str>];

/// Terms laid side by side.
struct Alignment {
    /// Where each term of the asked name stands in the found one.
    slots: Vec<Option<usize>>,
    is_open: Vec<bool>,
    shared: f32,
    lost: f32,
}

/// Compares an asked name with a found one; each comes with the place that goes with it.
pub(super) fn compare(
    asked: (&NameForm<'_>, &PlaceWords<'_>),
    found: (&NameForm<'_>, &PlaceWords<'_>),
) -> NameFit {
    let ((asked, asked_place), (found, found_place)) = (asked, found);
    let alignment = align(&asked.terms, &found.terms);
    let mut fit = NameFit {
        shared: alignment.shared,
        lost: alignment.lost,
        in_order: in_order(&alignment.slots),
        begins: alignment.slots.first() == Some(&Some(0)),
        characters: dice(&asked.pairs, &found.pairs),
        is_cut: is_cut(asked, found),
        is_initials: is_initials(asked, found) || is_initials(found, asked),
        ..NameFit::default()
    };
    let open_asked = asked.terms.iter().zip(&alignment.slots);
    let open_asked = open_asked.filter(|(_, slot)| slot.is_none()).map(|(term, _)| term);
    let open_found = found.terms.iter().zip(&alignment.is_open);
    let open_found = open_found.filter(|(_, open)| **open).map(|(term, _)| term);
    let asked_left = Left::of(open_asked, found_place);
    let found_left = Left::of(open_found, asked_place);
    fit.open_asked = asked_left.mass;
    fit.open_found = found_left.mass;
    fit.in_place = asked_left.in_place + found_left.in_place;
    fit.number_differs = asked_left.has_number && found_left.has_number;
    fit.number_open = asked_left.has_number != found_left.has_number;
    fit.direction_differs = asked_left.has_direction && found_left.has_direction;
    fit.direction_open = asked_left.has_direction != found_left.has_direction;
    fit.kin_asked = asked_left.has_kin;
    fit.kin_found = found_left.has_kin;
    fit.open_terms = asked_left.terms + found_left.terms;
    fit.form_only = fit.open_terms > 0 && asked_left.is_form && found_left.is_form;
    if fit.is_cut {
        // What a field had no room for says nothing.
        let open = if asked.joined.len() < found.joined.len() {
            fit.kin_found = false;
            &mut fit.open_found
        } else {
            fit.kin_asked = false;
            &mut fit.open_asked
        };
        *open *= CUT_SHARE;
        fit.lost = 0.0;
    }
    let nothing_open = alignment.slots.iter().all(Option::is_some)
        && alignment.is_open.iter().all(|open| !open)
        && alignment.lost == 0.0;
    fit.is_equal = !asked.joined.is_empty() && (nothing_open || asked.joined == found.joined);
    if fit.is_equal {
        fit.shared = fit.shared.max(found.terms.iter().map(|term| term.mass).sum());
        (fit.lost, fit.open_asked, fit.open_found, fit.in_place) = (0.0, 0.0, 0.0, 0.0);
        (fit.number_open, fit.number_differs, fit.kin_asked, fit.kin_found) =
            (false, false, false, false);
        (fit.direction_open, fit.direction_differs, fit.form_only) = (false, false, false);
        fit.open_terms = 0;
    }
    fit
}

/// Whether two names may be one organization's: they share a word that tells more than what kind of body
/// it is, or differ in blanks alone.
pub fn may_be_one(one: &str, other: &str) -> bool {
    let (one, other) = (terms(one), terms(other));
    let tells = |term: &String| !WORDS.forms.contains(&**term) && !WORDS.kin.contains(&**term);
    let is_shared = one.iter().any(|term| tells(term) && other.contains(term));
    is_shared || (!one.is_empty() && one.concat() == other.concat())
}

/// What one name has and the other has not.
struct Left {
    terms: usize,
    /// Whether all of it is of words of what kind of body it is.
    is_form: bool,
    mass: f32,
    in_place: f32,
    has_number: bool,
    has_direction: bool,
    has_kin: bool,
}

impl Left {
    fn of<'t>(
        terms: impl Iterator<Item = &'t WeighedTerm<'t>>,
        other_place: &PlaceWords<'_>,
    ) -> Self {
        let mut left = Self {
            terms: 0,
            is_form: true,
            mass: 0.0,
            in_place: 0.0,
            has_number: false,
            has_direction: false,
            has_kin: false,
        };
        for term in terms {
            left.terms += 1;
            if other_place.contains(&term.text) {
                left.in_place += term.mass;
                continue;
            }
            left.mass += term.mass;
            left.is_form &= WORDS.forms.contains(&*term.text);
            left.has_number |= number(&term.text).is_some();
            left.has_direction |= WORDS.directions.contains_key(&*term.text);
            left.has_kin |= WORDS.kin.contains(&*term.text);
        }
        left
    }
}

/// Lays the terms of two names side by side: first the same, then two that are one in the other, then
/// those that are nearly the same.
fn align(asked: &[WeighedTerm<'_>], found: &[WeighedTerm<'_>]) -> Alignment {
    let mut alignment = Alignment {
        slots: vec![None; asked.len()],
        is_open: vec![true; found.len()],
        shared: 0.0,
        lost: 0.0,
    };
    for (at, term) in asked.iter().enumerate() {
        let same = |slot: &usize| alignment.is_open[*slot] && found[*slot].text == term.text;
        // The next one rather than one before: neighbours stay neighbours.
        let near = (at..found.len()).chain(0..at.min(found.len())).find(same);
        if let Some(slot) = near {
            alignment.take(at, slot, term.mass.max(found[slot].mass), 1.0);
        }
    }
    if alignment.slots.iter().all(Option::is_some) || alignment.is_open.iter().all(|open| !open) {
        return alignment;
    }
    alignment.join(asked, found);
    alignment.initials(asked, found);
    for (at, term) in asked.iter().enumerate() {
        if alignment.slots[at].is_some() {
            continue;
        }
        let open = (0..found.len()).filter(|slot| alignment.is_open[*slot]);
        let nearly = open.filter_map(|slot| Some((likeness(&term.text, &found[slot].text)?, slot)));
        if let Some((quality, slot)) = nearly.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        {
            // A misspelt word is as rare as the word that was meant.
            alignment.take(at, slot, term.mass.min(found[slot].mass), quality);
        }
    }
    alignment
}

impl Alignment {
    fn take(&mut self, at: usize, slot: usize, mass: f32, quality: f32) {
        self.slots[at] = Some(slot);
        self.is_open[slot] = false;
        self.shared += mass * quality;
        self.lost += mass * (1.0 - quality);
    }

    /// Two neighbours of one name that are one term of the other.
    fn join(&mut self, asked: &[WeighedTerm<'_>], found: &[WeighedTerm<'_>]) {
        for at in 0..asked.len() {
            if self.slots[at].is_some() {
                continue;
            }
            let is_pair = |one: &WeighedTerm<'_>, two: &[WeighedTerm<'_>]| {
                one.text.len() == two[0].text.len() + two[1].text.len()
                    && one.text.starts_with(&*two[0].text)
                    && one.text.ends_with(&*two[1].text)
            };
            let split = (1..found.len()).find(|slot| {
                self.is_open[*slot]
                    && self.is_open[slot - 1]
                    && is_pair(&asked[at], &found[slot - 1..=*slot])
            });
            if let Some(slot) = split {
                self.is_open[slot] = false;
                self.take(at, slot - 1, found[slot - 1].mass + found[slot].mass, JOINED_QUALITY);
                continue;
            }
            if at + 1 < asked.len() && self.slots[at + 1].is_none() {
                let joined = (0..found.len())
                    .find(|slot| self.is_open[*slot] && is_pair(&found[*slot], &asked[at..at + 2]));
                if let Some(slot) = joined {
                    self.take(at, slot, found[slot].mass, JOINED_QUALITY);
                    self.slots[at + 1] = Some(slot);
                }
            }
        }
    }
}

impl Alignment {
    /// A term of one name that is the initials of neighbours in the other: `nys`, `new york state`.
    fn initials(&mut self, asked: &[WeighedTerm<'_>], found: &[WeighedTerm<'_>]) {
        for (at, term) in asked.iter().enumerate() {
            let text = term.text.as_ref();
            if self.slots[at].is_none()
                && let Some(run) = run_of_initials(text, found, |slot| self.is_open[slot])
            {
                let mass = found[run.clone()].iter().map(|term| term.mass).sum();
                for slot in run.clone() {
                    self.is_open[slot] = false;
                }
                self.take(at, run.start, mass, INITIALS_QUALITY);
            }
        }
        for (slot, term) in found.iter().enumerate() {
            let text = term.text.as_ref();
            if self.is_open[slot]
                && let Some(run) = run_of_initials(text, asked, |at| self.slots[at].is_none())
            {
                let mass = asked[run.clone()].iter().map(|term| term.mass).sum();
                self.take(run.start, slot, mass, INITIALS_QUALITY);
                for at in run {
                    self.slots[at] = Some(slot);
                }
            }
        }
    }
}

/// Where the terms begin whose initials a term is, all of them open.
fn run_of_initials(
    initials: &str,
    terms: &[WeighedTerm<'_>],
    is_open: impl Fn(usize) -> bool,
) -> Option<std::ops::Range<usize>> {
    let count = initials.len();
    if !(INITIALS_MIN..=terms.len()).contains(&count) || !initials.is_ascii() {
        return None;
    }
    (0..=terms.len() - count).map(|start| start..start + count).find(|run| {
        let letters = initials.bytes().zip(run.clone());
        letters
            .into_iter()
            .all(|(letter, at)| is_open(at) && terms[at].text.as_bytes().first() == Some(&letter))
    })
}

/// How well one term stands for another that is not the same.
fn likeness(one: &str, other: &str) -> Option<f32> {
    let has_digit = |term: &str| term.bytes().any(|byte| byte.is_ascii_digit());
    if has_digit(one) || has_digit(other) {
        return number(one).filter(|value| number(other) == Some(*value)).map(|_| VARIANT_QUALITY);
    }
    if may_stand_for(one, other) || may_stand_for(other, one) {
        return Some(VARIANT_QUALITY);
    }
    if number(one).is_some() || WORDS.directions.contains_key(one) {
        let same = number(one) == number(other)
            && WORDS.directions.get(one) == WORDS.directions.get(other);
        return same.then_some(VARIANT_QUALITY);
    }
    let (shorter, longer) = if one.len() < other.len() { (one, other) } else { (other, one) };
    if shorter.len() >= BEGINNING_CHARACTERS_MIN && longer.starts_with(shorter) {
        return Some(BEGINNING_QUALITY);
    }
    if is_contracted(shorter, longer) {
        return Some(CONTRACTED_QUALITY);
    }
    let characters = shorter.chars().count();
    let found = edits(one, other, edits_max(characters))?;
    Some((1.0 - EDIT_COST * found as f32 / characters.max(1) as f32).max(0.1))
}

/// Whether letters of a term are left out to shorten it: the first one stays, and more than a third.
fn is_contracted(shorter: &str, longer: &str) -> bool {
    if shorter.len() < BEGINNING_CHARACTERS_MIN
        || shorter.len() * 5 < longer.len() * 2
        || longer.len() < shorter.len() + 3
        || shorter.as_bytes()[0] != longer.as_bytes()[0]
    {
        return false;
    }
    let mut rest = longer.bytes();
    shorter.bytes().all(|letter| rest.any(|one| one == letter))
}

/// The share of neighbours among the shared terms that are neighbours in both names; all of a single one.
fn in_order(slots: &[Option<usize>]) -> f32 {
    let slots: Vec<usize> = slots.iter().flatten().copied().collect();
    if slots.len() < 2 {
        return 1.0;
    }
    let kept = slots.windows(2).filter(|pair| pair[1] >= pair[0] && pair[1] - pair[0] <= 1).count();
    kept as f32 / (slots.len() - 1) as f32
}

fn dice(one: &[[u8; 2]], other: &[[u8; 2]]) -> f32 {
    let (mut at, mut along, mut shared) = (0, 0, 0);
    while at < one.len() && along < other.len() {
        match one[at].cmp(&other[along]) {
            std::cmp::Ordering::Less => at += 1,
            std::cmp::Ordering::Greater => along += 1,
            std::cmp::Ordering::Equal => (at, along, shared) = (at + 1, along + 1, shared + 1),
        }
    }
    2.0 * shared as f32 / (one.len() + other.len()).max(1) as f32
}

/// Whether the shorter name ends within a word of the longer one, and is the same up to there.
fn is_cut(one: &NameForm<'_>, other: &NameForm<'_>) -> bool {
    let (shorter, longer) =
        if one.joined.len() < other.joined.len() { (one, other) } else { (other, one) };
    let Some((last, before)) = shorter.terms.split_last() else { return false };
    let within = longer.terms.get(before.len());
    shorter.joined.len() >= CUT_CHARACTERS_MIN
        && shorter.joined.len() < longer.joined.len()
        && before.iter().zip(&longer.terms).all(|(one, other)| one.text == other.text)
        && within.is_some_and(|term| term.text != last.text && term.text.starts_with(&*last.text))
}

fn is_initials(one: &NameForm<'_>, other: &NameForm<'_>) -> bool {
    let [only] = &one.terms[..] else { return false };
    other.terms.len() >= INITIALS_MIN && only.text == other.initials()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str) -> NameForm<'static> {
        let weighed = |text| WeighedTerm { text: Cow::Owned(text), mass: 1.0 };
        NameForm::new(terms(text).into_iter().map(weighed).collect())
    }

    fn fit(asked: &str, found: &str) -> NameFit {
        let place: Vec<Cow<'_, str>> = terms("Raleigh").into_iter().map(Cow::Owned).collect();
        compare((&form(asked), &place), (&form(found), &place))
    }

    #[test]
    fn the_same_name_in_other_spellings() {
        for (one, other) in [
            ("RE SOURCES", "Resources"),
            ("St. Mary's Assn Inc", "ST MARYS ASSOCIATION"),
            ("1st Baptist Church", "First Baptist Church, Inc."),
            ("The Arts Society", "ARTS SOCIETY OF THE"),
        ] {
            assert!(fit(one, other).is_equal, "{one} {other}");
        }
        for (one, other) in [
            ("Middle Atlantic Actuarial Club", "MIDDLE ATLANTIC ACTURIAL CLUB"),
            ("Nextstep Fitness Raleigh", "NEXTSTEP FITNESS"),
            ("West End Hose Co 7", "WEST END HOSE CO NO 07"),
        ] {
            let similarity = fit(one, other).similarity();
            assert!(similarity > 0.6 && similarity <= 1.0, "{one} {other} {similarity}");
        }
    }

    #[test]
    fn a_telling_word_may_make_two_names_one() {
        for (one, other, expected) in [
            ("THE FRIENDS OF SALMON INC", "SALMON FRIENDS", true),
            ("LADY EAGLE BASKETBALL BOOSTER CLUB", "EAGLE BASKETBALL", true),
            ("NORTH STAR MINISTRIES INCORPORATED", "NORTHSTAR MINISTRIES INC", true),
            ("BIG CLASS INC", "826 NEW ORLEANS", false),
            ("THE ARTS ASSOCIATION", "CHAMPIONS ASSOCIATION", false),
            ("", "A CLUB", false),
        ] {
            assert_eq!(may_be_one(one, other), expected, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_contradicts() {
        assert!(fit("Local 32", "Local 45").number_differs);
        assert!(fit("First Baptist Church", "Second Baptist Church").number_differs);
        assert!(fit("Local 32", "Local").number_open);
        assert!(fit("North Side School", "South Side School").direction_differs);
        assert!(fit("Mercy Hospital Foundation", "Mercy Hospital").kin_asked);
        assert!(fit("Mercy Hospital", "Mercy Hospital Foundation").kin_found);
        assert!(fit("GLAAD", "Green Ladies Against All Dust").is_initials);
        assert!(!fit("Mercy Hospital", "Mercy Hospital").kin_found);
        let nothing = fit("", "Mercy");
        assert_eq!((nothing.shared, nothing.is_equal), (0.0, false));
    }
}
