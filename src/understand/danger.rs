//! Danger and urgent need in a text: as patterns of words tell it (`data/danger_patterns.tsv`), or the model of
//! [`Reader::danger`].

use std::collections::HashMap;
use std::iter;
use std::sync::{Arc, LazyLock};

use super::place::{is_preposition, places_named};
use super::{UnderstandError, phrases, says, tells};
use crate::naming::{edits, normalise};
use crate::reader::{Danger, Language, Message, Reader, Role};
use crate::table::table;

/// Words between two parts of a pattern that may be anything.
const GAP_WORDS_MAX: usize = 3;
/// Bytes from which on a word may be misspelt by one edit; of shorter ones, too many become others.
const MISSPELT_BYTES_MIN: usize = 8;

/// Words behind a preposition among which its place is looked for: as many as the longest name has, and an article.
const PLACE_WORDS_MAX: usize = 6;

#[derive(Debug, Clone)]
enum Element {
    Word(&'static str),
    OneOf(Arc<[Pattern]>),
    Optional(Arc<[Pattern]>),
    Gap,
}

type Pattern = Vec<Element>;

/// How much of a message a pattern has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    Within,
    Alone,
}

/// A danger and its signs.
type DangerPatterns = (Danger, Extent, Arc<[Pattern]>);

/// What dangers there are patterns of, and who helps against each.
struct DangerTable {
    patterns: Vec<DangerPatterns>,
    sought: Vec<(Danger, Vec<&'static str>)>,
}

static TABLE: LazyLock<DangerTable> = LazyLock::new(|| {
    let mut classes: HashMap<&str, Arc<[Pattern]>> = HashMap::new();
    let mut sought = Vec::new();
    let rows = table!("data/danger_patterns.tsv").each(|[what, extent, patterns]| {
        if what == "sought" {
            sought.push((Danger::named(extent)?, patterns.split('|').collect()));
            return Some(None);
        }
        let parsed = patterns.split('|').map(|pattern| parsed(pattern, &classes));
        let parsed: Arc<[Pattern]> = parsed.collect::<Option<_>>()?;
        if what == "class" {
            classes.insert(extent, parsed);
            return Some(None);
        }
        let extent = match extent {
            "within" => Extent::Within,
            "alone" => Extent::Alone,
            _ => return None,
        };
        Some(Some((Danger::named(what)?, extent, parsed)))
    });
    let patterns = rows.flatten().collect();
    DangerTable { patterns, sought }
});

/// The kinds of nonprofits that help in a danger, the most urgent first; none where a telephone is all that helps.
pub fn sought_in(danger: Danger) -> &'static [&'static str] {
    let of_danger = TABLE.sought.iter().find(|(of, _)| *of == danger);
    of_danger.map_or(&[], |(_, kinds)| kinds)
}

/// A pattern; `None` where it has a class that does not stand above it.
fn parsed(pattern: &'static str, classes: &HashMap<&str, Arc<[Pattern]>>) -> Option<Pattern> {
    let element = |piece: &'static str| {
        if piece == "..." {
            return Some(Element::Gap);
        }
        let Some(name) = piece.strip_prefix('{') else { return Some(Element::Word(piece)) };
        let class = |name| classes.get(name).map(Arc::clone);
        match name.strip_suffix("}?") {
            Some(name) => class(name).map(Element::Optional),
            None => class(name.strip_suffix('}')?).map(Element::OneOf),
        }
    };
    pattern.split(' ').map(element).collect()
}

/// The danger in a message: as patterns or the model know it, or where somebody asks for what helps against violence at
/// home.
pub fn danger_in(text: &str, message: &Message) -> Result<Option<Danger>, UnderstandError> {
    Ok(of_known(text, message, Reader::shared()?.danger(text, message)?))
}

/// Whether words of a message tell a danger by themselves.
pub fn tells_danger(text: &str, message: &Message) -> bool {
    patterned(text, message).is_some()
}

/// The danger in one of the stretches of a long message: violence at home only where a word of it stands there, as many a
/// story has a husband.
pub fn danger_in_stretch(text: &str, message: &Message) -> Result<Option<Danger>, UnderstandError> {
    let known = Reader::shared()?.danger_in_stretch(text, message)?;
    let is_told = |known: &Danger| {
        *known != Danger::PartnerViolence || says(text, "word of partner_violence")
    };
    Ok(of_known(text, message, known.filter(is_told)))
}

/// The danger in a message of which the model knows that.
fn of_known(text: &str, message: &Message, known: Option<Danger>) -> Option<Danger> {
    let known = known.filter(|known| !is_explained(text, *known));
    let patterned = patterned(text, message);
    let is_patterned = patterned.is_some();
    let found = match (patterned, known) {
        (Some(Danger::Overdose), _) if says(text, "of naloxone") => Some(Danger::Overdose),
        (Some(patterned), Some(known)) if outweighs(text, known, patterned) => Some(known),
        _ => patterned.or(known),
    };
    let is_of_somebody = ["asker in danger", "person beside animal", "word of immediate"];
    let is_of_animal = says(text, "animal") && !is_of_somebody.iter().any(|list| says(text, list));
    let is_of_violence = says(text, "of violence at home");
    let asks = is_of_violence && says(text, "needs it now") && !says(text, "studies nonprofits");
    match found {
        Some(
            Danger::PartnerViolence
            | Danger::ChildAbuse
            | Danger::ElderAbuse
            | Danger::Immediate
            | Danger::Treatment,
        ) if is_of_animal => None,
        Some(Danger::Treatment) if says(text, "beside treatment") => None,
        // Who needs a ride to dialysis seeks no clinic; who is out of insulin and has none does.
        Some(Danger::Medicine | Danger::Treatment | Danger::Caregiving)
            if !is_patterned && says(text, "asks for a ride") =>
        {
            None
        }
        Some(Danger::PartnerViolence) if says(text, "of a boss") && !says(text, "of a partner") => {
            Some(match () {
                () if says(text, "blows and locks") => Danger::Immediate,
                () if says(text, "of immigration") => Danger::Immigration,
                () => Danger::Lawyer,
            })
        }
        Some(Danger::Shelter) if is_of_violence => Some(Danger::PartnerViolence),
        // Who sleeps in a car is past what a court decides.
        Some(Danger::Shelter | Danger::Eviction) if says(text, "out of home") => {
            Some(Danger::Shelter)
        }
        Some(Danger::Shelter) if says(text, "of rent") => Some(Danger::Eviction),
        Some(Danger::Immediate) if says(text, "of overdose") => Some(Danger::Overdose),
        None if asks => Some(Danger::PartnerViolence),
        found => found,
    }
}

/// Whether a message that the model takes for a danger is about something else that sounds like it, and has no word of the
/// danger itself: a lost job beside a husband, a nephew who is sober, the roof of a widow.
fn is_explained(text: &str, danger: Danger) -> bool {
    let explains = match danger {
        Danger::SelfHarm => "beside self_harm",
        Danger::PartnerViolence => "beside partner_violence",
        Danger::ChildAbuse => "beside child_abuse",
        Danger::Immediate => "beside immediate",
        Danger::ElderAbuse => "beside elder_abuse",
        Danger::Hunger => "beside hunger",
        _ => return false,
    };
    says(text, explains) && !says(text, &format!("word of {}", danger.name()))
}

/// The language of a message about a danger: to the reader one word of Spanish alone is English.
pub fn language_in_danger(text: &str, read: Language) -> Language {
    if says(text, "danger in spanish") { Language::Spanish } else { read }
}

/// Whether what the model knows of a message says more than a pattern in it: a child says `my mom hits me`, too.
fn outweighs(text: &str, known: Danger, patterned: Danger) -> bool {
    match patterned {
        // Whoever took pills to die needs an ambulance first.
        Danger::SelfHarm | Danger::Overdose | Danger::Poisoning => false,
        Danger::SexualAssault => {
            matches!(known, Danger::SelfHarm | Danger::ChildAbuse | Danger::Immediate)
        }
        // Of the lights of an old mother.
        Danger::Shutoff => !known.is_need() && known != Danger::ElderAbuse,
        // A husband whom agents took has hit nobody.
        Danger::Disaster | Danger::Immigration | Danger::Benefits | Danger::Lawyer => match known {
            Danger::PartnerViolence => says(text, "word of partner_violence"),
            known => known == Danger::SelfHarm,
        },
        _ => !known.is_need(),
    }
}

/// The first danger with a pattern in a message. Who studies nonprofits or gives to them writes of all but the first kind.
fn patterned(text: &str, message: &Message) -> Option<Danger> {
    let (all, bare) = (normalise(text), bare(text, message));
    let words = |form: &'_ str| form.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (all, bare) = (words(&all), words(&bare));
    let matches = |extent: Extent, pattern: &Pattern| match extent {
        Extent::Within => (0..all.len()).any(|at| !ends(pattern, &all, at).is_empty()),
        Extent::Alone => is_all_of(pattern, &bare),
    };
    let mut found =
        TABLE.patterns.iter().filter(|(_, extent, of)| of.iter().any(|one| matches(*extent, one)));
    let danger = found.next()?.0;
    let is_studied = danger != Danger::SelfHarm && says(text, "studies nonprofits");
    (!is_studied).then_some(danger)
}

/// A message in normal form without the places that it names, and the prepositions before them.
fn bare(text: &str, message: &Message) -> String {
    let mut bare = text.to_owned();
    let places = message.spans.iter().filter(|span| span.role == Role::Place);
    for span in places.rev() {
        let before = bare[..span.bytes.start].trim_end();
        let word = before.rsplit(' ').next().filter(|word| is_preposition(word));
        let start = word.map_or(span.bytes.start, |word| before.len() - word.len());
        bare.replace_range(start..span.bytes.end, " ");
    }
    let form = normalise(&bare);
    let is_place = |words: &str| {
        // To look for places in all that follows each preposition would take longer than a message may.
        let next: Vec<&str> = words.split(' ').take(PLACE_WORDS_MAX).collect();
        !places_named(&next.join(" "), message.language.label).is_empty()
    };
    // The reader takes the `El` of `en El Paso` for an article.
    let cut = form.match_indices(' ').find_map(|(at, _)| {
        let (preposition, words) = form[at + 1..].split_once(' ')?;
        (is_preposition(preposition) && is_place(words)).then_some(at)
    });
    // `necesito comida, vivo en Little Rock`.
    let kept = form[..cut.unwrap_or(form.len())].split(' ');
    kept.filter(|word| !phrases::has("tells where one is", word)).collect::<Vec<_>>().join(" ")
}

/// Whether a pattern is all that words tell: others may only lead to it or stand behind it.
fn is_all_of(pattern: &Pattern, words: &[String]) -> bool {
    let is_of_shown =
        |word: &String| ["they", "those shown"].iter().any(|list| phrases::has(list, word));
    let is_empty = |word: &String| !tells(word) && !is_of_shown(word);
    let lead = words.iter().take_while(|word| is_empty(word)).count();
    let is_rest_empty = |end: usize| words[end..].iter().all(is_empty);
    (0..=lead).any(|start| ends(pattern, words, start).into_iter().any(is_rest_empty))
}

/// Where a pattern that begins at a word may end.
fn ends(pattern: &[Element], words: &[String], at: usize) -> Vec<usize> {
    let Some((first, rest)) = pattern.split_first() else { return vec![at] };
    let any = |of: &[Pattern]| of.iter().flat_map(|one| ends(one, words, at)).collect::<Vec<_>>();
    let mut behind = match first {
        Element::Word(form) => {
            let is_there = words.get(at).is_some_and(|word| is_like(word, form));
            is_there.then_some(at + 1).into_iter().collect()
        }
        Element::OneOf(of) => any(of),
        Element::Optional(of) => iter::once(at).chain(any(of)).collect(),
        Element::Gap => (at..=words.len().min(at + GAP_WORDS_MAX)).collect(),
    };
    behind.sort_unstable();
    behind.dedup();
    behind.into_iter().flat_map(|at| ends(rest, words, at)).collect()
}

/// Whether a word is another one, or a long one misspelt behind its first letter.
fn is_like(word: &str, form: &str) -> bool {
    let may_be_misspelt = || {
        form.len() >= MISSPELT_BYTES_MIN
            && word.len().abs_diff(form.len()) <= 1
            && word.as_bytes().first() == form.as_bytes().first()
    };
    word == form || (may_be_misspelt() && edits(word, form, 1).is_some())
}

#[cfg(test)]
mod tests;
