//! The members of a story, each of them words of its passages to the letter.

use super::draft::Draft;
use super::lexicon::{lists, lower, words};
use super::model::{Label, Scores};
use super::part::Part;
use super::sentence::Section;
use crate::record::{Passage, PassageKind};
use crate::text::place_in;

/// How probable a sentence must be to stand for its part of the story.
const MEMBER_MIN: f32 = 0.1;

/// By how much the logarithm of the odds of how it was, and of how it is since, differs between the two ends of a story.
const PLACE_WEIGHT: f32 = 4.0;

/// Obstacles of a story.
const OBSTACLES_MAX: usize = 4;

/// Bytes of an obstacle, which is cut at a comma or not taken.
const OBSTACLE_BYTES_MAX: usize = 140;

/// Words of a clause that is an obstacle.
const CLAUSE_WORDS_MIN: usize = 4;
const CLAUSE_WORDS_MAX: usize = 24;

/// Words from `by` to a name of the calendar.
const BY_REACH: usize = 3;

/// Bytes of a title that is taken from the first sentence.
const TITLE_BYTES_MAX: usize = 90;

/// Points of a request from which it is one.
const ASK_MIN: f32 = 2.0;

/// Sentences of a member.
const MEMBER_SENTENCES_MAX: usize = 3;

/// Bytes of a member of several sentences.
const MEMBER_BYTES_MAX: usize = 420;

/// The sentences in a row that most surely tell a part of the story, up to three of one passage.
pub(super) fn extract(draft: &Draft<'_>, label: Label, passages: &[Passage]) -> Option<String> {
    let mut best: Option<(f32, &str)> = None;
    for start in 0..draft.parts.len() {
        let mut points = 0.0;
        for (ahead, part) in draft.parts[start..].iter().take(MEMBER_SENTENCES_MAX).enumerate() {
            let (first, last) = (draft.parts[start].sentence, part.sentence);
            let text = &passages[first.passage].text;
            let end = last.start + last.text.len();
            if last.passage != first.passage
                || (points > 0.0 && end - first.start > MEMBER_BYTES_MAX)
            {
                break;
            }
            let place = ((start + ahead) as f32 + 0.5) / draft.parts.len() as f32 - 0.5;
            points += likely(&part.probabilities, place, label) - MEMBER_MIN;
            if points > 0.0 && best.is_none_or(|(most, _)| points > most) {
                best = Some((points, &text[first.start..end]));
            }
        }
    }
    best.map(|(_, text)| unquoted(text).to_owned())
}

/// How probable a label of a sentence is, given also where in the story it stands: how it was is told early, how it is
/// since late.
///
/// The place is that of its middle, from -0.5 to 0.5.
fn likely(probabilities: &Scores, place: f32, label: Label) -> f32 {
    let odds = |(of, probability): (Label, f32)| match of {
        Label::Before => probability * (-PLACE_WEIGHT * place).exp(),
        Label::After => probability * (PLACE_WEIGHT * place).exp(),
        _ => probability,
    };
    let all: f32 = Label::ALL.into_iter().zip(probabilities.iter().copied()).map(odds).sum();
    odds((label, probabilities[label as usize])) / all
}

/// A sentence without a quotation mark at one of its ends whose partner is elsewhere.
pub(super) fn unquoted(text: &str) -> &str {
    let straight = text.matches('"').count() % 2 == 1;
    let opens =
        (straight && text.starts_with('"')) || (text.starts_with('“') && !text.contains('”'));
    if opens {
        return text.trim_start_matches(['"', '“']);
    }
    let closes = (straight && text.ends_with('"')) || (text.ends_with('”') && !text.contains('“'));
    if closes { text.trim_end_matches(['"', '”']) } else { text }
}

/// What stood in the way: sentences that are labelled so or their first clauses, then clauses of hindrances before it
/// became better.
pub(super) fn obstacles(draft: &Draft<'_>) -> Vec<String> {
    let is_text = |part: &&Part<'_>| part.sentence.kind != PassageKind::Caption;
    let parts = || draft.parts.iter().filter(is_text);
    let labelled = parts().filter(|part| part.label == Label::Obstacle).filter_map(|part| {
        let text = unquoted(part.sentence.text).trim_end_matches(['.', '!']);
        match text.len() {
            0..=OBSTACLE_BYTES_MAX => Some(text),
            _ => {
                let cut = &text[..text.floor_char_boundary(OBSTACLE_BYTES_MAX)];
                cut.rfind([',', ';']).map(|end| &cut[..end])
            }
        }
    });
    let before = parts()
        .filter(|part| matches!(part.label, Label::Before | Label::Turning | Label::Background));
    let hindered = before.flat_map(|part| clauses(part.sentence.text)).filter(|clause| {
        let all = words(clause);
        (CLAUSE_WORDS_MIN..=CLAUSE_WORDS_MAX).contains(&all.len())
            && all.iter().any(|word| lists("hindrances", &lower(word)))
    });
    labelled.chain(hindered).take(OBSTACLES_MAX).map(str::to_owned).collect()
}

/// The clauses of a sentence: parts between signs and between words that join clauses.
fn clauses(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for part in text.split([',', ';', ':', '.', '!', '?', '—', '"', '“', '”', '(', ')']) {
        let (mut start, mut end) = (None, 0);
        for word in words(part) {
            let place = place_in(part, word);
            if lists("breaks", &lower(word)) {
                found.extend(start.take().map(|start: usize| &part[start..end]));
            } else {
                start = start.or(Some(place.start));
                end = place.end;
            }
        }
        found.extend(start.map(|start| &part[start..end]));
    }
    found
}

/// How long the change took: `within six months`, `nine weeks later`.
pub(super) fn time(draft: &Draft<'_>) -> Option<String> {
    let parts = draft.parts.iter().filter(|part| part.label != Label::Before);
    let found = parts.flat_map(|part| times(part.sentence.text));
    found.min_by_key(|(rank, _)| *rank).map(|(_, text)| text.to_owned())
}

/// Statements of a length of time, each with its rank: the least is surest to be how long something took.
fn times(text: &str) -> Vec<(usize, &str)> {
    const PREPOSITIONS: [&str; 4] = ["within", "after", "in", "over"];
    let raw = words(text);
    let all: Vec<String> = raw.iter().map(|word| lower(word)).collect();
    let is_number = |word: &str| {
        lists("numbers", word)
            || (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let cut = |first: usize, last: usize| {
        &text[place_in(text, raw[first]).start..place_in(text, raw[last]).end]
    };
    let mut found = Vec::new();
    for at in 1..all.len() {
        // `by February`, `by the second autumn`
        let by = (at.saturating_sub(BY_REACH)..at).find(|&by| all[by] == "by");
        if let Some(by) = by.filter(|_| lists("calendar", &all[at])) {
            found.push((PREPOSITIONS.len() + 1, cut(by, at)));
        }
        if !lists("spans", &all[at]) || !is_number(&all[at - 1]) {
            continue;
        }
        let mut from = at - 1;
        while from > 0 && (lists("about", &all[from - 1]) || is_number(&all[from - 1])) {
            from -= 1;
        }
        let before = from.checked_sub(1).map(|before| all[before].as_str()).unwrap_or_default();
        let is_later = all.get(at + 1).is_some_and(|word| lists("later", word));
        if let Some(rank) = PREPOSITIONS.iter().position(|word| *word == before) {
            found.push((rank, cut(from - 1, at)));
        } else if is_later {
            found.push((1, cut(from, at + 1)));
        } else if all[..from].iter().any(|word| lists("took", word)) {
            found.push((1, cut(from, at)));
        }
    }
    found
}

/// What changed for others: a sentence about the time since that mentions them.
pub(super) fn ripple(draft: &Draft<'_>) -> Option<String> {
    let tells = |part: &&Part<'_>| {
        part.label == Label::After && part.sentence.words.iter().any(|word| lists("ripple", word))
    };
    let last = draft.parts.iter().rev().find(tells)?;
    Some(unquoted(last.sentence.text).to_owned())
}

/// The title: the heading over the story, or the first clause of its first sentence.
pub(super) fn title(draft: &Draft<'_>) -> String {
    let first = draft.parts.first();
    if let Some(heading) = first.and_then(|part| part.section.heading) {
        return heading.to_owned();
    }
    let text = first.map_or("", |part| unquoted(part.sentence.text));
    let clause = text.find([',', ';', ':', '—']).map_or(text, |end| &text[..end]);
    let cut = &clause[..clause.floor_char_boundary(TITLE_BYTES_MAX)];
    let whole = if cut.len() == clause.len() {
        cut
    } else {
        cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole)
    };
    whole.trim_end_matches(['.', '!', '?']).to_owned()
}

/// What the report asks its readers to do: the surest request, the first of equal ones.
pub(super) fn request<'a>(sections: &'a [Section<'_>]) -> Option<&'a str> {
    let mut best: Option<(f32, &str)> = None;
    for section in sections {
        let heading: Vec<String> = section
            .heading
            .map_or_else(Vec::new, |heading| words(heading).into_iter().map(lower).collect());
        let is_urged = heading.iter().any(|word| lists("urges", word));
        for sentence in &section.sentences {
            let own = &sentence.words;
            let asks = own.first().is_some_and(|word| lists("asks", word));
            let offers =
                matches!(&own[..], [first, second, ..] if first == "if" && lists("you", second));
            let is_quoted = sentence.text.starts_with(['"', '“']);
            let of_others = own.iter().any(|word| lists("third", word));
            if !(asks || offers) || is_quoted || of_others || own.len() < 3 {
                continue;
            }
            let has_digit = sentence.text.bytes().any(|byte| byte.is_ascii_digit());
            let weights = [
                (asks, 1.2),
                (offers, 1.2),
                (is_urged, 1.0),
                (has_digit, 0.8),
                (own[0] == "please", 0.9),
            ];
            let points: f32 =
                weights.iter().filter(|(holds, _)| *holds).map(|(_, weight)| weight).sum();
            if points >= ASK_MIN - f32::EPSILON && best.is_none_or(|(most, _)| points > most) {
                best = Some((points, sentence.text));
            }
        }
    }
    best.map(|(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_was_is_told_early() {
        let even = [1.0 / Label::ALL.len() as f32; Label::ALL.len()];
        let of = |place, label| likely(&even, place, label);
        assert!(of(-0.4, Label::Before) > 2.0 * of(-0.4, Label::After));
        assert!(of(0.4, Label::After) > 2.0 * of(0.4, Label::Before));
        assert!((of(0.0, Label::Turning) - even[0]).abs() < 1e-6);
    }
}
