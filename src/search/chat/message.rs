//! Reads a message: the trained reader's spans, mended where words of the message say otherwise.

use std::ops::Range;

use super::pointed::{is_kind, points_elsewhere};
use super::{Result, changes, misread, places, says_any};
use crate::naming::normalise;
use crate::places::is_country;
use crate::reader::{Act, Intent, Known, Language, Message, Operation, Reader, Role, Span};
use crate::text::place_in;
use crate::understand::{
    Conversation, Lookup, clauses, conditions_in, is_generic, is_kind_word, leave_streets,
    opens_with, ordinals, said_in, says, sentences, spelled, tells, written_out,
};

/// Words that tell something of a message that corrects the one before.
const CORRECTED_WORDS_MIN: usize = 2;
/// The same behind another sentence.
const CORRECTED_LATER_MIN: usize = 1;
/// The least probability, and words, of a name that only reading a message alone finds.
const HIDDEN_NAME_MIN: f32 = 0.8;
const HIDDEN_NAME_WORDS_MIN: usize = 2;

/// A message as it is read: short forms are written out, and what it misspells of causes is corrected in English.
pub(super) fn corrected(reader: &Reader, text: String, snapshot: &Lookup<'_>) -> Result<String> {
    let text = written_out(&text).unwrap_or(text);
    let Some(spelled) = spelled(&text, snapshot)? else { return Ok(text) };
    let is_english = reader.read(&text, &[])?.language.label == Language::English;
    Ok(if is_english { spelled.text } else { text })
}

/// A message without the words by which it corrects the one before, if there is one: of `no, I meant cats` the last, of
/// `South Dakota?? I said Arkansas` the second sentence.
pub(super) fn without_correction<'t>(text: &'t str, before: Option<&Conversation>) -> &'t str {
    if before.is_none() {
        return text;
    }
    let later = sentences(text).into_iter().skip(1).map(|sentence| &text[sentence.start..]);
    let mut later =
        later.filter_map(|rest| corrected_by(without_interjections(rest), CORRECTED_LATER_MIN));
    corrected_to(text).or_else(|| later.next_back()).unwrap_or(text)
}

/// A text without the interjections at its beginning: of `lol no I meant cats` the last four words.
fn without_interjections(text: &str) -> &str {
    let mut rest = text;
    while let Some(said) = said_in(rest, "interjection").into_iter().find(|said| said.start == 0) {
        rest = rest[said.end..].trim_start_matches(|c: char| !c.is_alphanumeric());
    }
    rest
}

/// What a message corrects the one before to.
fn corrected_to(text: &str) -> Option<&str> {
    corrected_by(without_interjections(text), CORRECTED_WORDS_MIN)
}

/// What a text that begins with a correction corrects to, in at least some words that tell something.
fn corrected_by(text: &str, least: usize) -> Option<&str> {
    let opens = |list| {
        let leads =
            |said: &Range<usize>| !text[..said.start].contains(|c: char| c.is_alphanumeric());
        said_in(text, list).into_iter().filter(leads).max_by_key(|said| said.end)
    };
    let refused = opens("refuses").map(|said| {
        let rest = &text[said.end..];
        let is_apart = rest.starts_with([',', ';', ':', '!', '.'])
            || opens_with(rest.trim_start(), "goes on from no");
        (said.end, is_apart)
    });
    let end = match (opens("corrects"), refused) {
        (Some(said), _) => said.end,
        (None, Some((end, true))) => end,
        _ => return None,
    };
    let rest = text[end..].trim_start_matches(|c: char| !c.is_alphanumeric());
    let told = normalise(rest);
    let told = told.split(' ').filter(|word| tells(word) && !says(word, "thanks")).count();
    // `no, I meant`.
    (told >= least).then(|| corrected_to(rest).unwrap_or(rest))
}

/// Reads a message; where no place is found in the whole, its sentences and clauses are read one by one for places.
pub(super) fn read(reader: &Reader, text: &str, known: &[Known]) -> Result<Message> {
    let points = !known.is_empty() && says(text, "points at");
    let alone = points.then(|| reader.read(text, &[])).transpose()?;
    let (mut message, known) = match alone.filter(|alone| points_elsewhere(text, alone)) {
        Some(alone) => (alone, &[][..]),
        None => (reader.read(text, known)?, known),
    };
    if !known.is_empty() && message.intent.label == Intent::Distress && message.spans.is_empty() {
        seek_alone(&mut message, reader.read(text, &[])?);
    }
    if !known.is_empty() {
        let has_name = message.spans.iter().any(|span| span.role == Role::Name);
        if has_name || has_capitals_in_a_row(text) {
            let alone = reader.read(text, &[])?;
            match has_name {
                true => keep_longer_names(&mut message, &alone),
                false => keep_hidden_name(text, &mut message, &alone),
            }
        }
    }
    message = leave_streets(text, message);
    misread::leave(text, &mut message);
    seek_own_kind(text, &mut message);
    seek_kind_given_to(text, &mut message);
    refer_by_kind(text, &mut message, known);
    refer_by_number(text, &mut message, known);
    misread::leave_from_names(text, &mut message);
    places::read(text, &mut message);
    misread::leave_complaints(text, &mut message);
    misread::leave_words_of_place(text, &mut message);
    misread::leave_articles(text, &mut message);
    seek_unspoken_kind(text, &mut message, known);
    seek_bare_kind(text, &mut message, known);
    seek_condition(text, &mut message);
    changes::read(text, &mut message, known);
    places::leave_pronouns(text, &mut message);
    if message.spans.iter().any(|span| span.role == Role::Place) {
        return Ok(message);
    }
    let of_sentence = |sentence: Range<usize>| {
        let clauses = clauses(&text[sentence.clone()]).into_iter();
        clauses.map(move |clause| sentence.start + clause.start..sentence.start + clause.end)
    };
    let parts: Vec<Range<usize>> = sentences(text).into_iter().flat_map(of_sentence).collect();
    for part in parts.iter().filter(|_| parts.len() > 1) {
        let alone = reader.read(&text[part.clone()], known)?;
        for span in alone.spans.into_iter().filter(|span| span.role == Role::Place) {
            let bytes = part.start + span.bytes.start..part.start + span.bytes.end;
            let is_free = |other: &Span| other.role == Role::Nothing || other.is_apart(&bytes);
            if message.spans.iter().all(is_free) {
                message.spans.retain(|other| other.is_apart(&bytes));
                message.spans.push(Span { bytes, ..span });
            }
        }
    }
    places::seek_regions(text, &mut message);
    places::leave_pronouns(text, &mut message);
    message.spans.sort_by_key(|span| span.bytes.start);
    Ok(message)
}

/// What a message seeks where it is read without the conversation, which hid it: `I need a lawyer for custody`.
fn seek_alone(message: &mut Message, alone: Message) {
    let finds = |span: &Span| span.role == Role::Cause;
    if alone.intent.label == Intent::Find && alone.spans.iter().any(finds) {
        message.act.label = if alone.spans.iter().any(|span| span.role == Role::Place) {
            alone.act.label
        } else {
            Act::On
        };
        (message.intent, message.spans, message.fact) = (alone.intent, alone.spans, alone.fact);
    }
}

/// Whether two words in a row behind the first begin with capital letters, as a name does.
fn has_capitals_in_a_row(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().skip(1).collect();
    words
        .windows(HIDDEN_NAME_WORDS_MIN)
        .any(|words| words.iter().all(|word| word.starts_with(char::is_uppercase)))
}

/// A name in capital letters that only reading the message alone finds: `how much goes to the cause at Share Our Strength?`
/// behind one that was spoken of.
fn keep_hidden_name(text: &str, message: &mut Message, alone: &Message) {
    let is_sure = |span: &&Span| {
        span.role == Role::Name
            && span.probability >= HIDDEN_NAME_MIN
            && text[span.bytes.clone()].split_whitespace().count() >= HIDDEN_NAME_WORDS_MIN
            && text[span.bytes.clone()]
                .split_whitespace()
                .all(|word| word.starts_with(char::is_uppercase) || !tells(&normalise(word)))
    };
    for name in alone.spans.iter().filter(is_sure) {
        let is_free = |span: &Span| {
            matches!(span.role, Role::Nothing | Role::Unread) || span.is_apart(&name.bytes)
        };
        if message.spans.iter().all(is_free) {
            message.spans.retain(|span| span.is_apart(&name.bytes));
            message.spans.push(name.clone());
        }
    }
    message.spans.sort_by_key(|span| span.bytes.start);
}

/// Names that go on where the message is read alone: `Recovery Point`, not `Recovery`.
fn keep_longer_names(message: &mut Message, alone: &Message) {
    let names = alone.spans.iter().filter(|span| span.role == Role::Name);
    for longer in names {
        let own = message.spans.iter().position(|span| {
            span.role == Role::Name
                && span.bytes.start == longer.bytes.start
                && span.bytes.end < longer.bytes.end
        });
        let Some(at) = own else { continue };
        message.spans[at].bytes.end = longer.bytes.end;
        let covered = longer.bytes.clone();
        let is_covered =
            |span: &Span| covered.start < span.bytes.start && span.bytes.start < covered.end;
        message.spans.retain(|span| !is_covered(span));
    }
}

/// A name that says no more than a kind of nonprofit and whose it is (`our temple`) is a cause.
fn seek_own_kind(text: &str, message: &mut Message) {
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let own = text[span.bytes.clone()].trim_start();
        let kind = own.split_once(' ').filter(|_| opens_with(own, "owner")).map(|(_, kind)| kind);
        if let Some(kind) = kind.filter(|kind| normalise(kind).split(' ').all(is_kind_word)) {
            span.role = Role::Cause;
            span.bytes.start = span.bytes.end - kind.len();
            message.names_one = 0.0;
        }
    }
}

/// A name in small letters that says no more than a kind is what grants are for: `what did it give for education in Maine`; and
/// a country is where they go.
fn seek_kind_given_to(text: &str, message: &mut Message) {
    if !says(text, "asks what it gave") {
        return;
    }
    message
        .spans
        .retain(|span| span.role != Role::Name || !is_country(text[span.bytes.clone()].trim()));
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let words = text[span.bytes.clone()].trim();
        if !words.contains(char::is_uppercase) && normalise(words).split(' ').all(is_kind_word) {
            span.role = Role::Cause;
            message.names_one = 0.0;
        }
    }
}

/// A kind that is pointed at where nobody was spoken of is a cause: `whats that museum in Bozeman w the dinosaurs`; and so is a
/// name that is only a kind, where the asker does not know what the one is called: `the hospice there`.
fn seek_unspoken_kind(text: &str, message: &mut Message, known: &[Known]) {
    if !known.is_empty() {
        return;
    }
    // `whats the big food bank in Omaha called`.
    let is_unknown = says(text, "name unknown");
    for span in &mut message.spans {
        if is_unknown && span.role == Role::Name && is_kind(&text[span.bytes.clone()]) {
            *span = Span::told(Role::Cause, span.bytes.clone(), Operation::Set);
            message.names_one = 0.0;
            message.intent.label = Intent::Find;
        }
        let may_be = span.role == Role::Reference || (is_unknown && span.role == Role::Name);
        if !may_be {
            continue;
        }
        let words = text[span.bytes.clone()].trim_end();
        let Some((pointer, kind)) = words.split_once(' ') else { continue };
        if says(pointer, "points at") && is_kind(kind) {
            let end = span.bytes.start + words.len();
            *span = Span::told(Role::Cause, end - kind.len()..end, Operation::Set);
            message.names_one = 0.0;
            message.intent.label = Intent::Find;
        }
    }
}

/// Words in the middle of a conversation that are nothing but a kind of nonprofit are sought: `quilting guild?`.
fn seek_bare_kind(text: &str, message: &mut Message, known: &[Known]) {
    let is_open = |span: &Span| {
        matches!(span.role, Role::Nothing | Role::Unread | Role::Reference | Role::Name)
    };
    let form = normalise(text);
    let mut telling = form.split(' ').filter(|word| tells(word)).peekable();
    let is_bare = telling.peek().is_some() && telling.all(is_kind_word);
    let is_other = says_any(
        text,
        &["leading article", "fact word", "of it", "those shown", "thanks", "hello", "bye"],
    ) || text.contains(char::is_uppercase)
        && message.spans.iter().any(|span| span.role == Role::Name);
    let is_text = matches!(message.intent.label, Intent::Funds | Intent::Article);
    if known.is_empty() || is_text || !is_bare || is_other || !message.spans.iter().all(is_open) {
        return;
    }
    let bytes = place_in(text, text.trim_matches(|c: char| !c.is_alphanumeric()));
    message.spans = vec![Span::told(Role::Cause, bytes, Operation::Set)];
    (message.intent.label, message.act.label) = (Intent::Find, Act::On);
}

/// Searches for the condition of somebody where the question names only who needs help: `my son has autism. who helps families here`.
fn seek_condition(text: &str, message: &mut Message) {
    let is_of_anybody = |span: &Span| {
        let form = normalise(&text[span.bytes.clone()]);
        form.split(' ').all(|word| !tells(word) || is_generic(word) || says(word, "anybody helped"))
    };
    let has = |role| message.spans.iter().any(|span: &Span| span.role == role);
    let finds = has(Role::Cause) || (has(Role::Place) && message.intent.label == Intent::Find);
    let conditions = conditions_in(text);
    let is_told = |span: &Span| conditions.iter().any(|told| !span.is_apart(told));
    let mut causes = message.spans.iter().filter(|span| span.role == Role::Cause);
    let is_open = causes.clone().all(|span| is_told(span) || is_of_anybody(span))
        && (!has(Role::Cause) || causes.any(is_of_anybody));
    let Some(told) = conditions.last().cloned().filter(|_| finds && is_open) else { return };
    let is_free = |span: &Span| {
        let is_open = matches!(span.role, Role::Cause | Role::Unread | Role::Nothing);
        is_open || span.is_apart(&told)
    };
    if has(Role::Name) || !message.spans.iter().all(is_free) {
        return;
    }
    message.spans.retain(|span| span.role != Role::Cause && span.is_apart(&told));
    message.spans.push(Span::told(Role::Cause, told, Operation::Set));
    message.spans.sort_by_key(|span| span.bytes.start);
}

/// A kind with its article, where one was spoken of, refers to that one: `the food bank`.
fn refer_by_kind(text: &str, message: &mut Message, known: &[Known]) {
    if !known.contains(&Known::ShownOne) {
        return;
    }
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let name = text[span.bytes.clone()].trim();
        let before = text[..span.bytes.start].split_whitespace().next_back();
        let (article, kind) = match (name.split_once(' '), before) {
            (Some((first, rest)), _) if says(first, "leading article") => (Some(first), rest),
            (_, before) => (before, name),
        };
        let is_lower = kind.chars().all(|c| !c.is_uppercase());
        if article.is_some_and(|word| says(word, "leading article"))
            && is_lower
            && normalise(kind).split(' ').all(is_kind_word)
        {
            span.role = Role::Reference;
        }
    }
}

/// A number of those shown refers to one of them, alone in its clause too: `el segundo, ¿desde cuándo existe?`.
fn refer_by_number(text: &str, message: &mut Message, known: &[Known]) {
    if !known.contains(&Known::ShownNonprofits) {
        return;
    }
    for span in &mut message.spans {
        let form = normalise(&text[span.bytes.clone()]);
        let is_number = |word: &str| !tells(word) || !ordinals(word).is_empty();
        let is_free = matches!(span.role, Role::Cause | Role::Name | Role::Place | Role::Unread);
        if is_free && form.split(' ').all(is_number) && !ordinals(&form).is_empty() {
            span.role = Role::Reference;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_capitals_is_read_beside_one_that_was_spoken_of() {
        let reader = Reader::shared().unwrap();
        let known = [Known::Started, Known::ShownNonprofits, Known::ShownOne];
        for (text, expected) in [
            (
                "How much of my dollar goes to the cause at Share Our Strength?",
                Some("Share Our Strength"),
            ),
            ("How Much Does The First One Spend?", None),
            ("how much of my dollar goes to the cause?", None),
        ] {
            let message = read(reader, text, &known).unwrap();
            assert_eq!(message.words(text, Role::Name).next(), expected, "{text}");
        }
    }

    #[test]
    fn a_correction_says_what_follows_it() {
        for (text, expected) in [
            ("no, I meant cats and dogs", Some("cats and dogs")),
            ("no! i said reading opens your world", Some("reading opens your world")),
            (
                "no the state food bank. the network one",
                Some("the state food bank. the network one"),
            ),
            ("no fire departments, small museums", None),
            ("no thanks, goodbye", None),
            ("nothing in Maine or Vermont", None),
        ] {
            assert_eq!(corrected_to(text), expected, "{text}");
            assert_eq!(without_correction(text, None), text);
        }
        let before = Conversation::default();
        for (text, expected) in [
            ("bro north dakota?? i said hot springs. home repair", "hot springs. home repair"),
            ("lol no i meant the light bill places", "the light bill places"),
            ("what about Reno? who said that", "what about Reno? who said that"),
        ] {
            assert_eq!(without_correction(text, Some(&before)), expected, "{text}");
        }
    }

    #[test]
    fn a_kind_alone_in_the_middle_is_sought() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [("quilting guild?", 1), ("gracias", 0), ("phone number", 0)] {
            let message = read(reader, text, &[Known::ShownOne]).unwrap();
            assert_eq!(message.words(text, Role::Cause).count(), expected, "{text}");
        }
    }

    #[test]
    fn a_kind_that_is_the_askers_is_no_name() {
        let reader = Reader::shared().unwrap();
        for text in ["is our temple in Reno listed", "my synagogue in Providence"] {
            let message = read(reader, text, &[]).unwrap();
            assert_eq!(message.words(text, Role::Name).count(), 0, "{text}");
        }
    }

    #[test]
    fn a_kind_pointed_at_is_sought_where_nobody_was_spoken_of() {
        let reader = Reader::shared().unwrap();
        let text = "whats that museum in bozeman w the dinosaurs";
        let message = read(reader, text, &[]).unwrap();
        assert_eq!(message.words(text, Role::Cause).next(), Some("museum"));
    }

    #[test]
    fn what_somebody_has_is_sought_for_whomever() {
        let reader = Reader::shared().unwrap();
        for (text, expected) in [
            (
                "My 6 year old was just diagnosed with autism. Who helps families in Salt Lake City?",
                "autism",
            ),
            ("Our daughter is blind. Is there anybody for kids in Reno?", "blind"),
            ("My dad has Parkinsons. who helps families in Omaha", "Parkinsons"),
            ("Who helps families in Omaha?", "helps families"),
        ] {
            let message = read(reader, text, &[]).unwrap();
            let causes: Vec<&str> = message.words(text, Role::Cause).collect();
            assert_eq!(causes, [expected], "{text}");
        }
    }

    #[test]
    fn spans_are_what_their_words_say() {
        let reader = Reader::shared().unwrap();
        let words = |text: &str, known: &[Known], role: Role| {
            let message = read(reader, text, known).unwrap();
            message.words(text, role).collect::<Vec<_>>().join("; ")
        };
        let shown = [Known::Started, Known::Cause, Known::Place, Known::ShownNonprofits];
        for (text, role, expected) in [
            ("el segundo", Role::Cause, ""),
            ("el segundo", Role::Reference, "segundo"),
            ("Can everybody take it off their taxes, or only me?", Role::Place, ""),
            ("theres like 20 cats behind my apt in vegas who fixes strays", Role::Place, "vegas"),
            ("¿Me lo puedo descontar en la planilla de Hacienda?", Role::Name, ""),
            ("Which are small established groups?", Role::Foundation, ""),
            ("who do i rite 2", Role::Reference, ""),
        ] {
            assert_eq!(words(text, &shown, role), expected, "{text}");
        }
    }

    #[test]
    fn words_that_ask_are_no_name() {
        let reader = Reader::shared().unwrap();
        let text = "¿Cuáles de esas son grandes, con más de un millón de dólares?";
        let message = read(reader, text, &[Known::Started, Known::ShownNonprofits]).unwrap();
        assert_eq!(message.words(text, Role::Name).count(), 0);
    }

    #[test]
    fn dates_are_no_names() {
        let reader = Reader::shared().unwrap();
        for text in [
            "by what date must a June 30 fiscal year charity send its 990?",
            "what is section 4960",
        ] {
            let message = read(reader, text, &[]).unwrap();
            assert_eq!(message.words(text, Role::Name).count(), 0, "{text}");
        }
    }

    #[test]
    fn words_of_the_question_are_no_name() {
        let reader = Reader::shared().unwrap();
        for text in ["Is it financially healthy?", "How about its net assets?", "is it solvent"] {
            let message = read(reader, text, &[Known::ShownOne]).unwrap();
            let named = [Role::Name, Role::Cause].map(|role| message.words(text, role).count());
            assert_eq!(named, [0, 0], "{text}");
        }
    }
}
