//! What a message changes of the list before it, where the trained reader takes it for something else: what is left out,
//! what comes beside, and a place or a cause alone.

use std::ops::Range;

use super::says_any;
use crate::naming::normalise;
use crate::reader::{Act, Intent, Known, Message, Operation, Role, Span};
use crate::text::place_in;
use crate::understand::{
    clauses, is_kind_word, opens_with, ordinals, said_in, says, superlative, tells,
};

/// The probability from which on a reference is certain.
const REFERENCE_SURE_MIN: f32 = 0.6;
/// Words for an exception before what is left out, an article included.
const EXCEPTION_WORDS_MAX: usize = 4;

/// Mends what a message changes; `known` is what is known of the conversation.
pub(super) fn read(text: &str, message: &mut Message, known: &[Known]) {
    leave_out(text, message, known);
    leave_out_excepted(text, message);
    want_before_exception(text, message);
    leave_out_joined(text, message);
    add_places(text, message);
    leave_reset(text, message);
    find_size(text, message);
    if known.contains(&Known::Started) && opens_with(text, "asks the same") {
        go_on_elsewhere(text, message);
        go_on_with_cause(text, message, known);
    }
}

/// Whether a message only names another place or kind for the list before: `¿y alguna en Las Cruces?`.
pub(super) fn goes_on(text: &str, message: &Message, known: &[Known]) -> bool {
    let finds = |span: &Span| matches!(span.role, Role::Place | Role::Near | Role::Cause);
    let is_list = message.intent.label == Intent::Find && message.act.label == Act::On;
    known.contains(&Known::Started)
        && is_list
        && opens_with(text, "asks the same")
        && !asks(text)
        && message.spans.iter().any(finds)
        && message.spans.iter().all(|span| finds(span) || span.role == Role::Nothing)
}

/// What is to be taken out is unwanted: `take out anything in Missoula`; but `take out anything outside Ada County` leaves
/// what is there.
fn leave_out(text: &str, message: &mut Message, known: &[Known]) {
    let removes = opens_with(text, "removes");
    if !removes && !opens_with(text, "outside of") {
        return;
    }
    let is_of_shown = says(text, "of those shown");
    // `except those in Newport, I want more` leaves out nothing behind the comma; `the clubs and anything run by a church`
    // does.
    let ends =
        |clause: &&Range<usize>| !opens_with(&text[clause.start..clause.end], "left out too");
    let end = clauses(text).iter().skip(1).find(ends).map_or(text.len(), |clause| clause.start);
    for span in &mut message.spans {
        let is_wanted = match span.operation {
            Operation::Not => false,
            // `drop the ones for veterans` takes away no condition.
            Operation::Clear => is_of_shown,
            _ => true,
        };
        let is_found = matches!(span.role, Role::Place | Role::Cause) && span.bytes.start < end;
        let is_inverted =
            removes && span.role == Role::Place && says(&text[..span.bytes.start], "outside of");
        if is_inverted {
            span.operation = Operation::Set;
        } else if is_found && is_wanted {
            span.operation = Operation::Not;
        }
    }
    if known.contains(&Known::Started) {
        message.act.label = Act::On;
    }
}

/// What stands behind words for an exception is unwanted: `veterans' groups, but not the American Legion`, `las que no están en
/// San Juan`.
fn leave_out_excepted(text: &str, message: &mut Message) {
    // `take out anything outside Ada County`.
    let removes = opens_with(text, "removes");
    for span in &mut message.spans {
        let is_named = matches!(span.role, Role::Place | Role::Cause | Role::Name);
        let before = &text[..span.bytes.start];
        let words: Vec<&str> = before.split_whitespace().rev().take(EXCEPTION_WORDS_MAX).collect();
        let is_place = span.role == Role::Place && !removes;
        let excepts = |count: usize| {
            let last: Vec<&str> = words[..count].iter().rev().copied().collect();
            let last = last.join(" ");
            excepts_wholly(&last, "excepting") || (is_place && excepts_wholly(&last, "outside of"))
        };
        if is_named && span.operation != Operation::Not && (1..=words.len()).any(excepts) {
            span.operation = Operation::Not;
        }
    }
}

/// Wants what stands right before an exception, and leaves out what stands behind: `food bank not animals`.
fn want_before_exception(text: &str, message: &mut Message) {
    for at in 1..message.spans.len() {
        let [before, own] = [&message.spans[at - 1], &message.spans[at]];
        let is_cause = |span: &Span| span.role == Role::Cause;
        let between = text.get(before.bytes.end..own.bytes.start).unwrap_or_default();
        let is_contrast = excepts_wholly(between, "contrast")
            && !says_any(&text[..before.bytes.start], &["left out", "removes"]);
        if is_cause(before) && is_cause(own) && is_contrast {
            if before.operation == Operation::Not {
                message.spans[at - 1].operation = Operation::Set;
            }
            message.spans[at].operation = Operation::Not;
        }
    }
}

/// Whether words are those of a list of exceptions, with an article at most.
fn excepts_wholly(words: &str, list: &'static str) -> bool {
    let form = normalise(words);
    let bare = form.rsplit_once(' ').filter(|(_, last)| says(last, "leading article"));
    let bare = bare.map_or(&*form, |(bare, _)| bare);
    said_in(bare, list).iter().any(|bytes| bytes.len() == bare.len())
}

/// What a conjunction joins to something unwanted is unwanted, too: `drop the homeowners associations or senior housing`.
fn leave_out_joined(text: &str, message: &mut Message) {
    let spans = &mut message.spans;
    let mut at = 0;
    while at < spans.len() {
        let first = spans[at].clone();
        let is_left_out = first.operation == Operation::Not
            && matches!(first.role, Role::Place | Role::Cause | Role::Name);
        let is_alike = |next: &Span| {
            let names = [next.role, first.role].map(|role| role == Role::Place);
            matches!(next.role, Role::Place | Role::Cause | Role::Name) && names[0] == names[1]
        };
        let mut end = at + 1;
        let mut joined_end = end;
        while is_left_out
            && let Some(next) = spans.get(end).filter(|next| is_alike(next))
            && let Some(between) = text.get(spans[end - 1].bytes.end..next.bytes.start)
            && between
                .split_whitespace()
                .all(|word| says_any(word, &["conjunction", "beside left out"]) || word == ",")
        {
            end += 1;
            if says(between, "conjunction") {
                joined_end = end;
            }
        }
        for span in &mut spans[at + 1..joined_end] {
            span.operation = Operation::Not;
        }
        at = end;
    }
}

/// `also those in Louisiana`, `if I drove as far as Nampa`: beside the places that were asked for before.
fn add_places(text: &str, message: &mut Message) {
    if opens_with(text, "adds") || says(text, "as far as") {
        for span in &mut message.spans {
            if span.role == Role::Place && span.operation == Operation::Set {
                span.operation = Operation::Add;
            }
        }
    }
}

/// `¿cuáles de esas son pequeñas?`: a size that no span marks.
fn find_size(text: &str, message: &mut Message) {
    // `which of those is larger` asks for an order.
    if !says_any(text, &["which of", "those shown"]) || superlative(text).is_some() {
        return;
    }
    let is_size = |word: &&str| says(word, "size");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(is_size);
    for bytes in words.map(|word| place_in(text, word)) {
        if message.spans.iter().all(|span| span.is_apart(&bytes)) {
            message.spans.push(Span::told(Role::Size, bytes, Operation::Set));
        }
    }
    message.spans.sort_by_key(|span| span.bytes.start);
}

/// `they forgot to file`: only who says so starts over.
fn leave_reset(text: &str, message: &mut Message) {
    if message.intent.label == Intent::Reset && !says(text, "starts over") {
        message.intent.label = Intent::Unclear;
    }
}

/// `¿y alguna en Las Cruces?`: a place, and nobody that is asked about, is another place for the same.
fn go_on_elsewhere(text: &str, message: &mut Message) {
    let has = |role| message.spans.iter().any(|span| span.role == role);
    let refers = message
        .spans
        .iter()
        .any(|span| span.role == Role::Reference && span.probability >= REFERENCE_SURE_MIN);
    let is_one = has(Role::Name) || has(Role::Cause) || refers;
    if has(Role::Place) && !is_one && !asks(text) {
        take_for_list(message);
        message.spans.retain(|span| span.role != Role::Reference);
    }
}

/// `¿y clases de inglés?`: a kind of nonprofit that no span marks, or only in part, is another cause in the same place.
/// After an explanation `and a private foundation?` asks for another one.
fn go_on_with_cause(text: &str, message: &mut Message, known: &[Known]) {
    let is_open = |span: &Span| {
        let is_set = span.operation == Operation::Set;
        span.role == Role::Nothing || (span.role == Role::Cause && is_set)
    };
    let is_list = known.contains(&Known::ShownNonprofits)
        || (known.contains(&Known::Cause) && !says(text, "a"));
    let asks_else = ["of it", "those shown", "of the asker", "field", "year before"];
    let is_list = is_list && ordinals(text).is_empty();
    if !is_list || !message.spans.iter().all(is_open) || asks(text) || says_any(text, &asks_else) {
        return;
    }
    let words =
        text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let mut told = words.filter(|word| tells(&normalise(word)) && !says(word, "asks the same"));
    let Some(first) = told.next() else { return };
    let last = told.next_back().unwrap_or(first);
    let bytes = place_in(text, first).start..place_in(text, last).end;
    if normalise(&text[bytes.clone()]).split(' ').any(is_kind_word) {
        take_for_list(message);
        message.spans = vec![Span::told(Role::Cause, bytes, Operation::Set)];
    }
}

/// Whether a text asks more than whether there are any.
fn asks(text: &str) -> bool {
    let form = normalise(text);
    form.split(' ').any(|word| says(word, "question opening"))
        || says_any(text, &["how many", "sum", "asks where", "compare"])
}

fn take_for_list(message: &mut Message) {
    message.intent.label = Intent::Find;
    message.act.label = Act::On;
    message.fact = None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{Prediction, Reader};

    fn mended(text: &str, spans: &[(&str, Role, Operation)], intent: (Intent, f32)) -> Message {
        let mut message = Reader::shared().unwrap().read(text, &[Known::Started]).unwrap();
        let span = |(words, role, operation): &(&str, Role, Operation)| {
            let start = text.find(words).unwrap();
            Span::told(*role, start..start + words.len(), *operation)
        };
        message.spans = spans.iter().map(span).collect();
        message.intent = Prediction { label: intent.0, probability: intent.1 };
        read(text, &mut message, &[Known::Started, Known::ShownNonprofits]);
        message
    }

    fn operations(text: &str, spans: &[(&str, Role, Operation)]) -> Vec<Operation> {
        let message = mended(text, spans, (Intent::Find, 1.0));
        message.spans.iter().map(|span| span.operation).collect()
    }

    #[test]
    fn what_is_joined_to_something_unwanted_is_unwanted() {
        use Operation::{Not, Set};
        for (text, words, expected) in [
            ("drop the owners or senior housing", vec!["owners", "senior housing"], vec![Not, Not]),
            (
                "no owners, clinics or the schools",
                vec!["owners", "clinics", "schools"],
                vec![Not; 3],
            ),
            ("not owners, schools", vec!["owners", "schools"], vec![Not, Set]),
            ("no owners and show me schools", vec!["owners", "schools"], vec![Not, Set]),
            ("sin bancos ni clínicas", vec!["bancos", "clínicas"], vec![Not, Not]),
        ] {
            let spans: Vec<_> = words
                .iter()
                .enumerate()
                .map(|(at, words)| (*words, Role::Cause, if at == 0 { Not } else { Set }))
                .collect();
            assert_eq!(operations(text, &spans), expected, "{text}");
        }
    }

    #[test]
    fn what_is_excepted_is_unwanted() {
        use Operation::{Not, Set};
        let name = |words| (words, Role::Name, Set);
        let cause = |words| (words, Role::Cause, Set);
        let place = |words| (words, Role::Place, Set);
        for (text, spans, expected) in [
            (
                "veterans, but not the Legion or VFW posts, she said",
                [cause("veterans"), name("Legion"), cause("VFW posts")],
                [Set, Not, Not],
            ),
            (
                "veteranos menos la Legión ni los Amvets",
                [cause("veteranos"), cause("Legión"), cause("Amvets")],
                [Set, Not, Not],
            ),
            (
                "schools, clinics, more or less churches",
                [cause("schools"), cause("clinics"), cause("churches")],
                [Set; 3],
            ),
            (
                "fundaciones, las que no están en Ponce ni en Salinas",
                [cause("fundaciones"), place("Ponce"), place("Salinas")],
                [Set, Not, Not],
            ),
            (
                "but food bank not animals, schools",
                [("food bank", Role::Cause, Not), cause("animals"), cause("schools")],
                [Set, Not, Set],
            ),
        ] {
            assert_eq!(operations(text, &spans), expected, "{text}");
        }
    }

    #[test]
    fn what_is_removed_is_unwanted_and_what_is_outside_of_a_place_is_not_wanted() {
        use Operation::{Clear, Narrow, Not, Set};
        for (text, words, role, read, expected) in [
            ("take out anything in Ada County", "Ada County", Role::Place, Set, Not),
            ("take out anything outside Ada County", "Ada County", Role::Place, Not, Set),
            ("take out the clubs and anything run by a church", "church", Role::Cause, Set, Not),
            ("take out the clubs and add Reno", "Reno", Role::Place, Set, Set),
            ("drop everything that isn't in Reno", "Reno", Role::Place, Set, Set),
            ("fuera de Ponce", "Ponce", Role::Place, Set, Not),
            ("drop the ones for cats", "cats", Role::Cause, Narrow, Not),
            ("remove any run by churches", "churches", Role::Cause, Clear, Not),
            ("take out the churches", "churches", Role::Cause, Clear, Clear),
            ("outdoor clubs in Reno", "Reno", Role::Place, Set, Set),
        ] {
            assert_eq!(operations(text, &[(words, role, read)]), [expected], "{text}");
        }
        let cats = [("gatos", Role::Cause, Set)];
        let message = mended("quita las de gatos", &cats, (Intent::Find, 0.5));
        assert_eq!(message.act.label, Act::On);
    }

    #[test]
    fn more_places_come_beside_the_others() {
        use Operation::{Add, Set};
        for (text, place, expected) in [
            ("also those in Louisiana", "Louisiana", Add),
            ("también en Ponce", "Ponce", Add),
            ("And if I drove as far as Nampa?", "Nampa", Add),
            ("and in Ohio", "Ohio", Set),
        ] {
            assert_eq!(operations(text, &[(place, Role::Place, Set)]), [expected], "{text}");
        }
    }

    #[test]
    fn a_place_or_a_kind_alone_goes_on_with_the_list() {
        let details = (Intent::Details, 0.5);
        let place = [("Las Cruces", Role::Place, Operation::Set)];
        let other = mended("¿Y alguna en Las Cruces?", &place, (Intent::Details, 0.98));
        assert_eq!((other.intent.label, other.act.label), (Intent::Find, Act::On));
        let asked = mended("and who runs it in Las Cruces?", &place, (Intent::Details, 0.98));
        assert_eq!(asked.intent.label, Intent::Details);
        for (text, expected) in [
            ("¿Y clases de inglés?", Some("clases de inglés")),
            ("and tutoring for kids?", Some("tutoring for kids")),
            ("and their phone?", None),
            ("and the second?", None),
        ] {
            let message = mended(text, &[], details);
            assert_eq!(message.words(text, Role::Cause).next(), expected, "{text}");
        }
    }

    #[test]
    fn a_size_of_those_shown_is_read() {
        for (text, expected) in [
            ("¿Cuáles de esas son pequeñas?", Some("pequeñas")),
            ("which of those are large", Some("large")),
            ("which of those is larger", None),
            ("Big Sky Bravery", None),
        ] {
            let message = mended(text, &[], (Intent::Details, 0.5));
            assert_eq!(message.words(text, Role::Size).next(), expected, "{text}");
        }
    }

    #[test]
    fn who_forgot_something_does_not_start_over() {
        for (text, expected) in [
            ("they forgot to file", Intent::Unclear),
            ("forget all that, new search", Intent::Reset),
            ("empecemos desde cero", Intent::Reset),
        ] {
            assert_eq!(mended(text, &[], (Intent::Reset, 0.9)).intent.label, expected, "{text}");
        }
    }
}
