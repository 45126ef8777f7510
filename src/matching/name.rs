//! Two names compared term by term: what they share, what either has besides, and what contradicts.

use std::borrow::Cow;

use super::alignment::{INITIALS_MIN, align};
use super::words::{WORDS, number};
use crate::index::names::{WeighedTerm, terms};

/// Characters from which on a name may have been cut at the end of a field.
const CUT_CHARACTERS_MIN: usize = 12;
/// How much of what was cut off counts against a name.
const CUT_SHARE: f32 = 0.3;
/// How much of what only the place explains counts against a name.
const IN_PLACE_SHARE: f32 = 0.3;

/// How much of what a chapter's body is called in full counts against a short name of it.
const CHAPTER_SHARE: f32 = 0.3;

/// A name as it is compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NameForm<'a> {
    pub terms: Vec<WeighedTerm<'a>>,
    /// Of a legal name with a sort name behind it, where that begins.
    chapter_from: Option<usize>,
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
        Self { terms, chapter_from: None, joined, pairs }
    }

    /// A chapter by the name of its body and what tells it apart: `American Legion` and `14 Gallatin`. `None` where
    /// that says nothing more.
    pub fn of_chapter(legal: &[WeighedTerm<'a>], sort: &[WeighedTerm<'a>]) -> Option<Self> {
        let more = sort.iter().filter(|term| !legal.contains(term));
        let form = Self::new(legal.iter().chain(more).cloned().collect());
        let chapter_from = Some(legal.len());
        (form.terms.len() > legal.len()).then_some(Self { chapter_from, ..form })
    }

    /// Whether a sort name is one of a chapter: it shares a word that tells something with the name of its body.
    pub fn is_of_chapter(&self, legal: &Self) -> bool {
        let mut words = self.terms.iter().filter(|term| tells(&term.text));
        words.any(|term| legal.terms.contains(term))
    }

    /// Whether a number tells the chapter apart.
    pub fn has_chapter_number(&self) -> bool {
        let chapter = self.chapter_from.map_or(&[][..], |from| &self.terms[from..]);
        chapter.iter().any(|term| number(&term.text).is_some())
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
    /// Whether each has a word of its own, beside those of what kind of body it is and those of the place.
    pub is_substituted: bool,
    /// Whether they differ only in words of what kind of body it is, or that the place says.
    pub form_only: bool,
    /// How many terms only one of them has.
    pub open_terms: usize,
    /// Whether one is the initials of the other.
    pub is_initials: bool,
    /// Whether both have the number of one chapter of a body.
    pub is_chapter: bool,
    /// Whether, moreover, all of the asked name was found: `VFW Post 32`, `Elks Lodge 609`.
    pub is_whole_chapter: bool,
}

impl NameFit {
    /// Of equal names nothing is open, whatever they were cut into.
    fn whole(self, found: &NameForm<'_>) -> Self {
        let mass: f32 = found.terms.iter().map(|term| term.mass).sum();
        let Self { in_order, begins, is_equal, characters, is_cut, .. } = self;
        let Self { is_initials, is_chapter, is_whole_chapter, .. } = self;
        Self {
            shared: self.shared.max(mass),
            in_order,
            begins,
            is_equal,
            characters,
            is_cut,
            is_initials,
            is_chapter,
            is_whole_chapter,
            ..Self::default()
        }
    }

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
    let chapter = alignment.chapter(&asked.terms, (&found.terms, found.chapter_from));
    fit.is_chapter = chapter.is_some();
    let is_left_away =
        |term: &WeighedTerm<'_>| fit.is_chapter && WORDS.chapters.contains(&*term.text);
    let open_asked = asked.terms.iter().zip(&alignment.slots);
    let open_asked = open_asked.filter(|(_, slot)| slot.is_none()).map(|(term, _)| term);
    let open_asked = open_asked.filter(|term| !is_left_away(term));
    let open_found = found.terms.iter().zip(&alignment.is_open).enumerate();
    let open_found = open_found.filter(|(_, (_, open))| **open);
    let open_found = open_found.filter(|(at, (term, _))| {
        let may_be_left = chapter.is_some_and(|chapter| *at >= chapter.sort_from);
        !may_be_left || WORDS.kin.contains(&*term.text)
    });
    let open_found = open_found.map(|(_, (term, _))| term);
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
    fit.is_whole_chapter =
        chapter.is_some_and(|chapter| chapter.is_whole) && !(fit.kin_asked || fit.kin_found);
    if fit.is_whole_chapter {
        fit.open_found *= CHAPTER_SHARE;
    }
    fit.is_substituted = asked_left.is_telling && found_left.is_telling;
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
        fit.is_substituted = false;
        *open *= CUT_SHARE;
        fit.lost = 0.0;
    }
    let nothing_open = fit.open_terms == 0 && alignment.lost == 0.0;
    fit.is_equal = !asked.joined.is_empty() && (nothing_open || asked.joined == found.joined);
    if fit.is_equal { fit.whole(found) } else { fit }
}

/// Whether a term tells more than what kind of body it is.
fn tells(term: &str) -> bool {
    !WORDS.forms.contains(term) && !WORDS.kin.contains(term)
}

/// Whether two names may be one organization's: they share a word that tells more than what kind of body
/// it is, or differ in blanks alone.
pub fn may_be_one(one: &str, other: &str) -> bool {
    let (one, other) = (terms(one), terms(other));
    let is_shared = one.iter().any(|term| tells(term) && other.contains(term));
    is_shared || (!one.is_empty() && one.concat() == other.concat())
}

/// What one name has and the other has not.
#[derive(Default)]
struct Left {
    terms: usize,
    /// Whether all of it is of words of what kind of body it is.
    is_form: bool,
    /// Whether any of it tells more.
    is_telling: bool,
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
        let mut left = Self { is_form: true, ..Self::default() };
        for term in terms {
            left.terms += 1;
            if other_place.contains(&term.text) {
                left.in_place += term.mass;
                continue;
            }
            left.mass += term.mass;
            let is_form = WORDS.forms.contains(&*term.text);
            left.is_form &= is_form;
            left.is_telling |= !is_form && !WORDS.chapters.contains(&*term.text);
            left.has_number |= number(&term.text).is_some();
            left.has_direction |= WORDS.directions.contains_key(&*term.text);
            left.has_kin |= WORDS.kin.contains(&*term.text);
        }
        left
    }
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
