//! How well an organization fits a question: the terms of the question that its names and its place
//! explain, and the terms of its name that the question leaves open.

use super::Names;
use super::documents::{Document, Name, NameEntry};
use super::query::{Position, Query, edited};
use super::similar::may_be_misspelt;
use super::terms::TermId;
use crate::mapped::Damage;
use crate::model::features;
use crate::naming::{edit_distance, edits_max};

/// How well the beginning of a word stands for it: `elem` for `elementary`.
const ABBREVIATION_QUALITY: f32 = 0.8;
/// Characters that an abbreviation has at least.
const ABBREVIATION_CHARACTERS_MIN: usize = 3;
/// Allows for the rounding of sums taken in another order.
const NEARLY_ALL: f32 = 0.999;
/// How well a word stands for another that is certainly meant.
const SURE_QUALITY: f32 = 0.95;
/// How well an unfinished word stands for its completions.
const BEGUN_QUALITY: f32 = 0.9;
/// Weight of the open part of a name against the explained part, when choosing among the names of
/// one organization.
const OPEN_SHARE: f32 = 0.6;

/// A question beside an organization: what features are taken of.
pub(super) struct Fit<'a> {
    query: &'a Query,
    document: &'a Document,
    named: &'a NameEntry,
    alignment: Alignment,
    rest: Rest,
    /// Mass of the question; of what nothing explains in it, of terms that the index has, and of others.
    total: f32,
    known: f32,
    unheard: f32,
    is_explained: bool,
    has_other_number: bool,
}

impl Fit<'_> {
    fn share(&self, mass: f32) -> f32 {
        mass / self.total
    }

    /// Share of the name's mass that the question leaves open.
    fn open(&self) -> f32 {
        let Alignment { open, mass, .. } = self.alignment;
        open / (open + mass).max(f32::MIN_POSITIVE)
    }

    fn is_complete(&self) -> bool {
        self.alignment.is_open.iter().all(|open| !open)
    }

    fn is_equal(&self) -> bool {
        let is_whole = self.alignment.explained.iter().all(Option::is_some);
        self.is_complete() && is_whole && self.alignment.lost == 0.0
    }

    /// Share of the question's words whose bits those of names have.
    fn literal(&self) -> f32 {
        let words = &self.query.words;
        let literal = words.iter().filter(|word| *word & self.rest.spelled != 0).count();
        literal as f32 / words.len().max(1) as f32
    }
}

features! { one: Fit<'_> =>
    /// Share of the question's mass in the name.
    InName = one.share(one.alignment.mass),
    /// Share in another of its names, or said again.
    InOtherName = one.share(one.rest.other),
    /// Share in city, county, state and ZIP code.
    InPlace = one.share(one.rest.place),
    /// Whether the whole city is named besides the name.
    CityNamed = one.rest.city_named,
    /// Share that nothing of it explains, of terms that the index has.
    Unexplained = one.share(one.known),
    /// The same of terms that nobody has.
    Unheard = one.share(one.unheard),
    /// The mass of both, a tenth.
    UnexplainedMass = (one.known + one.unheard) / 10.0,
    /// Share of the name's mass that the question leaves open.
    Open = one.open(),
    /// That mass, a tenth.
    OpenMass = one.alignment.open / 10.0,
    /// Share of the question's mass lost to misspellings and short forms.
    Misspelt = one.share(one.rest.lost),
    /// Share of neighbours in the question that are neighbours in the name; the least of its names that
    /// explain something.
    InOrder = one.rest.in_order,
    /// Whether the name's first term is in the question.
    Begins = one.alignment.is_open.first() == Some(&false),
    /// Whether question and name are the same terms.
    Equal = one.is_equal(),
    /// Whether all of the name is in the question.
    Complete = one.is_complete(),
    /// Whether all of the question is explained.
    Explained = one.is_explained,
    /// Mass of what is in the name, a tenth.
    NameMass = one.alignment.mass / 10.0,
    /// Its weight, 0 to 1.
    Weight = f32::from(one.document.weight) / f32::from(u16::MAX),
    /// Whether it is an active 501(c)(3).
    ActiveCharity = one.document.is_active_charity,
    /// Whether it was found by another name than the legal one, and by that alone.
    OtherName = matches!(one.named.name, Name::Other(_)) && one.rest.by_one_name,
    /// Whether by a name on an earlier return.
    FiledName = matches!(one.named.name, Name::Filed(_)),
    /// Whether by its website.
    Host = one.named.name == Name::Host,
    /// Whether question and name have different numbers.
    OtherNumber = one.has_other_number,
    /// Whether the question is spelled as the name is.
    Spelled = one.named.spelling.hash == one.query.spelling.hash,
    /// Whether only one of them has initials that stand for a phrase.
    Initials = one.named.spelling.has_initials != one.query.spelling.has_initials,
    /// Whether the name's last term is in the question.
    Ends = one.alignment.is_open.last() == Some(&false),
    /// Whether a term of its city is in the question as a word of its names.
    CityInName = one.rest.city_in_name,
    /// Mass that the question leaves open of other names that explain something of it, a tenth.
    OtherOpenMass = one.rest.other_open / 10.0,
    /// Share of the question's words, small ones and short forms too, that those names have as they are.
    Literal = one.literal(),
}

/// A candidate compared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ScoredCandidate {
    pub features: Features,
    pub name: Name,
    /// Positions that nothing explains, or only a word that is like them.
    pub doubtful: Vec<usize>,
}

/// How a position is explained by a list of terms.
#[derive(Debug, Clone, Copy, PartialEq)]
struct TermCover {
    quality: f32,
    slot: usize,
}

/// A name laid beside the question.
struct Alignment {
    explained: Vec<Option<TermCover>>,
    mass: f32,
    lost: f32,
    /// Mass of the name's terms that nothing in the question stands for.
    open: f32,
    is_open: Vec<bool>,
}

/// Compares a question with what is known of an organization.
pub(super) fn compare(
    names: &Names,
    query: &Query,
    document: &Document,
) -> Result<ScoredCandidate, Damage> {
    let nobody = || vec![None; query.positions.len()];
    let mut best: Option<(f32, &NameEntry, Alignment)> = None;
    for named in &document.names {
        let alignment = align(names, query, &named.terms, &nobody())?;
        let value = alignment.mass - OPEN_SHARE * alignment.open;
        if best.as_ref().is_none_or(|(most, ..)| value > *most) {
            best = Some((value, named, alignment));
        }
    }
    let Some((_, named, alignment)) = best else {
        return Ok(ScoredCandidate {
            features: [0.0; FEATURES],
            name: Name::Legal,
            doubtful: (0..query.positions.len()).collect(),
        });
    };
    let rest = Rest::explained(names, query, document, named, &alignment)?;
    let taken = &rest.taken;
    let words = (0..taken.len()).filter(|at| !query.positions[*at].is_state_only);
    let unexplained: Vec<usize> = words.clone().filter(|at| taken[*at].is_none()).collect();
    let doubtful =
        words.filter(|at| taken[*at].is_none_or(|found| found.quality < SURE_QUALITY)).collect();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let mut has_number = false;
    for (term, _) in named.terms.iter().zip(&alignment.is_open).filter(|(_, open)| **open) {
        has_number |= is_number(names.terms.text(*term)?);
    }
    let asks_number = unexplained.iter().any(|at| is_number(&query.positions[*at].text));
    let total: f32 = query.positions.iter().map(|position| position.mass).sum();
    let fit = Fit {
        total: total.max(f32::MIN_POSITIVE),
        known: rest.unexplained(query, true),
        unheard: rest.unexplained(query, false),
        is_explained: unexplained.is_empty(),
        has_other_number: has_number && asks_number,
        query,
        document,
        named,
        alignment,
        rest,
    };
    Ok(ScoredCandidate { features: features(&fit), name: named.name, doubtful })
}

/// The part of a question that the best name leaves to the other names and to the place.
struct Rest {
    /// How each position is explained by anything.
    taken: Vec<Option<TermCover>>,
    /// Mass that other names explain, and what they have that nothing in the question stands for.
    other: f32,
    other_open: f32,
    /// Whether no other name explains anything.
    by_one_name: bool,
    /// Mass that the place explains.
    place: f32,
    city_named: bool,
    city_in_name: bool,
    /// Mass lost by misspellings, of all names and the place.
    lost: f32,
    in_order: f32,
    /// The bits of the words of the names that explain something.
    spelled: u64,
}

impl Rest {
    fn explained(
        names: &Names,
        query: &Query,
        document: &Document,
        named: &NameEntry,
        alignment: &Alignment,
    ) -> Result<Self, Damage> {
        let mut taken = alignment.explained.clone();
        let (mut other, mut other_open, mut lost) = (0.0, 0.0, alignment.lost);
        let mut in_order = order(&alignment.explained);
        let mut spelled = named.spelling.words;
        for other_name in document.names.iter().filter(|one| one.name != named.name) {
            let more = align(names, query, &other_name.terms, &taken)?;
            if more.mass > 0.0 {
                in_order = in_order.min(order(&more.explained));
                other_open += more.open;
                spelled |= other_name.spelling.words;
            }
            other += more.mass;
            lost += more.lost;
            for (slot, found) in taken.iter_mut().zip(more.explained) {
                *slot = slot.or(found);
            }
        }
        let in_city = |at: usize| {
            let alternatives = &query.positions[at].alternatives;
            alternatives.iter().any(|one| one.quality == 1.0 && document.city.contains(&one.term))
        };
        let city_in_name = (0..taken.len()).any(|at| taken[at].is_some() && in_city(at));
        let mut place = 0.0;
        let mut city_named = false;
        let county = Some(&document.county).filter(|_| query.names_county);
        for (at, terms) in std::iter::once(&document.city).chain(county).enumerate() {
            let more = align(names, query, terms, &taken)?;
            place += more.mass;
            lost += more.lost;
            city_named |= at == 0 && more.explained.iter().any(Option::is_some);
            for (slot, found) in taken.iter_mut().zip(more.explained) {
                *slot = slot.or(found);
            }
        }
        place += states(query, document, &mut taken);
        let by_one_name = other == 0.0;
        let again = repeated(query, &mut taken);
        other += again.0;
        lost += again.1;
        Ok(Self {
            taken,
            other,
            other_open,
            by_one_name,
            place,
            city_named,
            city_in_name,
            lost,
            in_order,
            spelled,
        })
    }

    /// Mass of what nothing explains, of terms that the data has or has not.
    fn unexplained(&self, query: &Query, is_known: bool) -> f32 {
        let open = query.positions.iter().zip(&self.taken).filter(|(_, found)| found.is_none());
        let open = open.map(|(position, _)| position).filter(|one| !one.is_state_only);
        open.filter(|one| one.is_known == is_known).map(|one| one.mass).sum()
    }
}

/// Lays terms beside the positions that nothing explains yet: first what is the same, then what is
/// short for something or misspelt.
fn align(
    names: &Names,
    query: &Query,
    terms: &[TermId],
    taken: &[Option<TermCover>],
) -> Result<Alignment, Damage> {
    let forward = align_along(names, query, terms, taken, 0..query.positions.len())?;
    if !query.repeats {
        return Ok(forward);
    }
    // `pta utah congress layton elementary pta`: either may be the one of `Layton Elementary PTA`.
    let backward = align_along(names, query, terms, taken, (0..query.positions.len()).rev())?;
    let is_better = backward.mass >= forward.mass * NEARLY_ALL
        && order(&backward.explained) > order(&forward.explained);
    Ok(if is_better { backward } else { forward })
}

/// The same, with the positions one after another as they are given.
fn align_along(
    names: &Names,
    query: &Query,
    terms: &[TermId],
    taken: &[Option<TermCover>],
    along: impl Iterator<Item = usize> + Clone,
) -> Result<Alignment, Damage> {
    let mut alignment = Alignment {
        explained: vec![None; query.positions.len()],
        mass: 0.0,
        lost: 0.0,
        open: 0.0,
        is_open: vec![true; terms.len()],
    };
    let is_free = |alignment: &Alignment, at: usize| {
        taken[at].is_none()
            && alignment.explained[at].is_none()
            && !query.positions[at].is_state_only
    };
    for at in along.clone() {
        let position = &query.positions[at];
        if is_free(&alignment, at)
            && let Some((found, covers)) = same(position, terms, &alignment)
        {
            for covered in at..(at + covers).min(query.positions.len()) {
                if is_free(&alignment, covered) {
                    alignment.take(covered, found, query.positions[covered].mass);
                }
            }
        }
    }
    for at in along {
        let position = &query.positions[at];
        if is_free(&alignment, at)
            && let Some(found) = nearly(names, position, terms, &alignment)?
        {
            alignment.take(at, found, position.mass);
        }
    }
    for (term, _) in terms.iter().zip(&alignment.is_open).filter(|(_, open)| **open) {
        alignment.open += names.terms.mass(*term)?;
    }
    Ok(alignment)
}

impl Alignment {
    fn take(&mut self, position: usize, found: TermCover, mass: f32) {
        self.explained[position] = Some(found);
        self.is_open[found.slot] = false;
        self.mass += mass * found.quality;
        self.lost += mass * (1.0 - found.quality);
    }
}

/// The term that is what a position means, and how many positions it stands for.
fn same(
    position: &Position,
    terms: &[TermId],
    alignment: &Alignment,
) -> Option<(TermCover, usize)> {
    let free = terms.iter().enumerate().filter(|(slot, _)| alignment.is_open[*slot]);
    let found = free.filter_map(|(slot, term)| {
        let one = position.alternatives.iter().find(|one| one.term == *term)?;
        Some((TermCover { quality: one.quality, slot }, one.covers))
    });
    found.max_by(|(a, _), (b, _)| a.quality.total_cmp(&b.quality).then(b.slot.cmp(&a.slot)))
}

/// The term that a position begins, is short for or misspells.
fn nearly(
    names: &Names,
    position: &Position,
    terms: &[TermId],
    alignment: &Alignment,
) -> Result<Option<TermCover>, Damage> {
    let mut best: Option<TermCover> = None;
    let mut known = position.likeness.borrow_mut();
    for (slot, term) in terms.iter().enumerate().filter(|(slot, _)| alignment.is_open[*slot]) {
        let quality = match known.get(term) {
            Some(quality) => *quality,
            None => {
                let quality = likeness(names, position, *term)?;
                known.insert(*term, quality);
                quality
            }
        };
        if let Some(quality) = quality
            && best.is_none_or(|best| quality > best.quality)
        {
            best = Some(TermCover { quality, slot });
        }
    }
    Ok(best)
}

/// How well a term stands for a position that begins, is short for or misspells it.
fn likeness(names: &Names, position: &Position, term: TermId) -> Result<Option<f32>, Damage> {
    if position.begun.contains(&term.0) {
        return Ok(Some(BEGUN_QUALITY));
    }
    let characters = position.text.chars().count();
    if characters < ABBREVIATION_CHARACTERS_MIN
        || position.text.bytes().any(|byte| byte.is_ascii_digit())
    {
        return Ok(None);
    }
    let text = names.terms.text(term)?;
    if text.starts_with(&position.text) {
        return Ok(Some(ABBREVIATION_QUALITY));
    }
    if !may_be_misspelt(&position.text) || !may_be_misspelt(text) {
        return Ok(None);
    }
    let (asked, found): (Vec<char>, Vec<char>) =
        (position.text.chars().collect(), text.chars().collect());
    let most = edits_max(asked.len()).min(edits_max(found.len()));
    let edits = edit_distance(&asked, &found, most);
    Ok(edits.map(|edits| edited(edits, asked.len())))
}

/// The mass of positions that name the state or the ZIP code of an organization.
fn states(query: &Query, document: &Document, taken: &mut [Option<TermCover>]) -> f32 {
    let mut mass = 0.0;
    for (at, position) in query.positions.iter().enumerate() {
        let zip = position.alternatives.iter().find(|one| document.region.contains(&one.term));
        let state = position.state.as_ref().filter(|one| document.region.contains(&one.term));
        let Some(found) = state.or(zip) else { continue };
        for covered in at..(at + found.covers).min(taken.len()) {
            if taken[covered].is_none() {
                taken[covered] = Some(TermCover { quality: 1.0, slot: 0 });
                mass += query.positions[covered].mass;
            }
        }
    }
    mass
}

/// What positions that say again what is explained already weigh, and what of that is lost, as where a
/// name and its place or two of its names have the same word.
fn repeated(query: &Query, taken: &mut [Option<TermCover>]) -> (f32, f32) {
    let (mut mass, mut lost) = (0.0, 0.0);
    for at in 0..taken.len() {
        let position = &query.positions[at];
        if !query.repeats || taken[at].is_some() || position.is_state_only {
            continue;
        }
        let same = query.positions.iter().zip(&*taken).filter(|(one, _)| one.text == position.text);
        if let Some(found) = same.filter_map(|(_, found)| *found).next() {
            taken[at] = Some(found);
            mass += position.mass * found.quality;
            lost += position.mass * (1.0 - found.quality);
        }
    }
    (mass, lost)
}

/// The share of neighbours in the question, as far as the name explains them, that are neighbours in
/// the name as well; all of a single one.
fn order(explained: &[Option<TermCover>]) -> f32 {
    let slots: Vec<usize> = explained.iter().flatten().map(|found| found.slot).collect();
    if slots.len() < 2 {
        return 1.0;
    }
    let kept = slots.windows(2).filter(|pair| pair[1] == pair[0] + 1).count();
    kept as f32 / (slots.len() - 1) as f32
}
