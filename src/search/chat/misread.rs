//! Words that the trained reader takes for what they are not: verbs for parts of a name, a year for a name, the class of a
//! charity for a cause.

use std::ops::Range;

use super::listed_towns::is_sign;
use super::{says_any, worded};
use crate::naming::normalise;
use crate::reader::{Bound, Message, Operation, Role, Span};
use crate::text::place_in;
use crate::understand::{all_clauses, is_kind_word, money_in, opens_with, said_in, says, tells};

/// Takes such words out of the spans of a message, before its places are read.
pub(super) fn leave(text: &str, message: &mut Message) {
    leave_classes(text, message);
    leave_finances(text, message);
    leave_money(text, message);
    leave_worth(text, message);
    leave_sizes_asked(text, message);
    leave_measures(text, message);
    leave_lacks(text, message);
    leave_figures(text, message);
    leave_dates(text, message);
}

/// The same of names, kinds and forms, after references are read.
pub(super) fn leave_from_names(text: &str, message: &mut Message) {
    leave_forms(text, message);
    leave_foundations(text, message);
    leave_verbs(text, message);
    leave_small_letters(text, message);
    leave_openings(text, message);
    leave_questions(text, message);
    leave_examples(text, message);
}

/// Takes words for the class of a charity for no name, no kind and no cause: of `foundation class of each` the first two.
fn leave_classes(text: &str, message: &mut Message) {
    let is_class = |span: &Span| {
        let form = normalise(&text[span.bytes.clone()]);
        let is_free = matches!(span.role, Role::Name | Role::Cause | Role::Unread);
        is_free && !form.split(' ').any(is_of_other)
    };
    if says(text, "class of a charity") {
        message.spans.retain(|span| !is_class(span));
    }
}

/// Whether a word tells something beside the class of a charity.
fn is_of_other(word: &str) -> bool {
    tells(word) && !says(word, "word of a class")
}

/// Takes amounts of money for no name: `given $10,000 to the library`.
fn leave_money(text: &str, message: &mut Message) {
    for money in money_in(text) {
        let is_within =
            |span: &Span| money.start <= span.bytes.start && span.bytes.end <= money.end;
        message.spans.retain(|span| span.role != Role::Name || !is_within(span));
    }
}

/// Takes what a gift of goods is worth for no bound: of `want to donate a boat, worth maybe 9 thousand` the last words.
fn leave_worth(text: &str, message: &mut Message) {
    let is_given = says(text, "gives") && !says(text, "nonprofit of any kind");
    message.spans.retain(|span| {
        let is_worth = worded::is_amount(span.role)
            && span.bound == Bound::None
            && opens_with(&text[span.bytes.clone()], "worth");
        !(is_given && is_worth)
    });
}

/// Takes what says how often or how far out of what is sought: of `ride to dialysis 3x a week` the end, all of `20 min away`.
fn leave_measures(text: &str, message: &mut Message) {
    let is_count = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Cause) {
        let own = &text[span.bytes.clone()];
        let at = own.split_whitespace().map(|word| place_in(own, word).start).find(|at| {
            let mut words = own[*at..].split_whitespace();
            let first = words.next().unwrap_or_default();
            let digits = first.trim_start_matches(|c: char| c.is_ascii_digit());
            let unit = if digits.is_empty() { words.next().unwrap_or_default() } else { digits };
            let is_last = words.all(|word| !tells(word) || says(word, "behind a measure"));
            is_count(first) && says(unit, "unit of how often or far") && is_last
        });
        if let Some(at) = at {
            span.bytes.end = span.bytes.start + own[..at].trim_end().len();
        }
    }
    message.spans.retain(|span| !span.bytes.is_empty());
}

/// Takes what an asker lacks for nothing that is unwanted: `he has no car`.
fn leave_lacks(text: &str, message: &mut Message) {
    let is_lacked = |span: &Span| {
        let form = normalise(&text[span.bytes.clone()]);
        let before = text[..span.bytes.start].split_whitespace().next_back();
        let is_denied = span.operation == Operation::Not
            && (before.is_some_and(|word| says(word, "lacks")) || opens_with(&form, "lacks"));
        is_denied
            && form
                .split(' ')
                .all(|word| !tells(word) || says_any(word, &["lacks", "what askers lack"]))
    };
    message.spans.retain(|span| !is_lacked(span));
}

/// Takes two sizes between which a question chooses for no filter: `is it big or small`.
fn leave_sizes_asked(text: &str, message: &mut Message) {
    if says(text, "asks which size") {
        message.spans.retain(|span| span.role != Role::Size);
    }
}

/// Takes the word for a figure without an amount for no bound: of `list them with city and assets` the last one.
fn leave_figures(text: &str, message: &mut Message) {
    for span in &mut message.spans {
        let words = &text[span.bytes.clone()];
        let has_amount = words.bytes().any(|byte| byte.is_ascii_digit())
            || says_any(words, &["unit", "number", "size"]);
        let is_figure = worded::is_amount(span.role) && span.operation == Operation::Set;
        let before = text[..span.bytes.start].split_whitespace().next_back();
        let is_column = span.role == Role::Place
            && span.operation == Operation::Clear
            && before.is_some_and(|word| says(word, "leads to columns"));
        if (is_figure && !has_amount) || is_column {
            span.role = Role::Nothing;
        }
    }
}

/// Takes a year, or the month of a day, for no name: of `Red Cross revenue 2015 vs 2022` the first, of `our year to June 30`
/// the month.
fn leave_dates(text: &str, message: &mut Message) {
    let is_year = |word: &str| word.len() == 4 && word.bytes().all(|b| b.is_ascii_digit());
    let is_day = |span: &Span| {
        let (name, after) = (text[span.bytes.clone()].trim(), text[span.bytes.end..].trim_start());
        let has_day = after.starts_with(|c: char| c.is_ascii_digit());
        has_day && !name.contains(' ') && opens_with(name, "month")
    };
    message.spans.retain(|span| {
        span.role != Role::Name || !(is_year(text[span.bytes.clone()].trim()) || is_day(span))
    });
}

/// Takes what a complaint says of the rows before for nothing that is sought, where something else is: the first clause of
/// `the first one is in Montana, she's in Hot Springs, AR`, the first sentence of `Amory is not close to Meridian, what's there`.
pub(super) fn leave_complaints(text: &str, message: &mut Message) {
    let of_complaint: Vec<Range<usize>> = all_clauses(text)
        .filter(|bytes| says_any(&text[bytes.clone()], &["is far off", "row is elsewhere"]))
        .collect();
    let is_complained = |span: &Span| of_complaint.iter().any(|of| of.contains(&span.bytes.start));
    let is_sought =
        |span: &Span| matches!(span.role, Role::Place | Role::Cause | Role::Name | Role::Near);
    if message.spans.iter().any(|span| span.role == Role::Place && !is_complained(span)) {
        message.spans.retain(|span| !(is_complained(span) && is_sought(span)));
    }
}

/// Takes the number of a tax form for no name: `how much does form 1023-EZ cost`.
fn leave_forms(text: &str, message: &mut Message) {
    message.spans.retain(|span| {
        span.role != Role::Name || !opens_with(text[span.bytes.clone()].trim(), "tax form of")
    });
}

/// Takes words for no kind of foundation that say nothing of the kind: `small established groups`.
fn leave_foundations(text: &str, message: &mut Message) {
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Foundation) {
        if !says(&text[span.bytes.clone()], "word of foundations") {
            span.role = Role::Nothing;
        }
    }
}

/// Takes an example for nobody asked about: the name in `foundations that give grants in Montana, like Weingart does`.
fn leave_examples(text: &str, message: &mut Message) {
    let is_example = |span: &Span| {
        let before = text[..span.bytes.start].split_whitespace().next_back();
        span.role == Role::Name && before.is_some_and(|word| says(word, "before an example"))
    };
    if says_any(text, &["asks who funds", "funder"]) {
        message.spans.retain(|span| !is_example(span));
    }
}

/// Takes the verbs beside a name out of it: of `who does Share Our Strength fund` the last word, of `trust Doctors Without
/// Borders` the first.
fn leave_verbs(text: &str, message: &mut Message) {
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let name = &text[span.bytes.clone()];
        if let Some((first, rest)) = name.split_once(' ')
            && says(first, "verb before a name")
            && first.starts_with(char::is_lowercase)
        {
            span.bytes.start = span.bytes.end - rest.len();
        }
        let name = &text[span.bytes.clone()];
        let before = text[..span.bytes.start].split_whitespace().rev();
        let asks = before.take(2).any(|word| says(word, "auxiliary verb"));
        if let Some((rest, last)) = name.trim_end().rsplit_once(' ')
            && asks
            && last.starts_with(char::is_lowercase)
            && says(last, "verb behind a name")
        {
            span.bytes.end = span.bytes.start + rest.len();
        }
    }
}

/// Takes what stands behind a sign in small letters out of a name in capitals: of `Bread for the City, public charity or not`
/// what follows the comma.
fn leave_small_letters(text: &str, message: &mut Message) {
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let words = &text[span.bytes.clone()];
        let Some((name, rest)) = words.split_once(is_sign) else { continue };
        // `Recovery Point, they have one here I think`.
        let is_capital = |word: &str| word.contains(char::is_uppercase) && !says(word, "i");
        if name.contains(char::is_uppercase) && !rest.split_whitespace().any(is_capital) {
            span.bytes.end = span.bytes.start + name.trim_end().len();
        }
    }
}

/// Takes the words that ask for somebody by name out of a name in capitals: of `what about Recovery Point` the first two.
fn leave_openings(text: &str, message: &mut Message) {
    for span in message.spans.iter_mut().filter(|span| span.role == Role::Name) {
        let words = &text[span.bytes.clone()];
        let opening = said_in(words, "asks by name").into_iter().find(|said| said.start == 0);
        // `And Justice for All`, `Vet Tix`.
        let is_said = words.starts_with(char::is_lowercase)
            || opening.as_ref().is_some_and(|said| words[said.clone()].contains(' '));
        let Some(opening) = opening.filter(|_| is_said) else { continue };
        let name = words[opening.end..].trim_start();
        if name.starts_with(char::is_uppercase) {
            span.bytes.start = span.bytes.end - name.len();
        }
    }
}

/// Takes words that ask, or tell a size, for no name: of `¿cuáles de esas son grandes?` the last two.
fn leave_questions(text: &str, message: &mut Message) {
    message.spans.retain(|span| {
        let form = normalise(&text[span.bytes.clone()]);
        let is_asked = |word: &str| {
            !tells(word)
                || says_any(word, &["question opening", "size", "they", "no name", "comparative"])
        };
        span.role != Role::Name || !form.split(' ').all(is_asked)
    });
}

/// Takes words for the place that is spoken of for nothing that is sought: the first of `Allá vive mi cuñada`.
pub(super) fn leave_words_of_place(text: &str, message: &mut Message) {
    message.spans.retain(|span| {
        let form = normalise(&text[span.bytes.clone()]);
        let is_sought = matches!(span.role, Role::Cause | Role::Name);
        !is_sought || !form.split(' ').all(|word| says(word, "place spoken of") || !tells(word))
    });
}

/// Takes an article before a word for no reference: the last one of `cerca de la frontera`; nor a number behind a word that
/// tells something: the `2` of `who do i rite 2`.
pub(super) fn leave_articles(text: &str, message: &mut Message) {
    message.spans.retain(|span| {
        let form = normalise(&text[span.bytes.clone()]);
        let goes_on = text[span.bytes.end..].trim_start().starts_with(char::is_alphabetic);
        let is_article = !form.contains(' ') && says(&form, "leading article");
        let before = text[..span.bytes.start].split_whitespace().next_back().map(normalise);
        let is_digit = form.bytes().all(|byte| byte.is_ascii_digit())
            && before.is_some_and(|word| tells(&word) && !says(&word, "counts rows"));
        span.role != Role::Reference || !((is_article && goes_on) || is_digit)
    });
}

/// Takes words of the question for no name and no cause: of `is it financially healthy`, `how about its net assets`.
fn leave_finances(text: &str, message: &mut Message) {
    let asks = says_any(text, &["asks after finances", "surplus"]);
    if !asks && !says(text, "of it") {
        return;
    }
    message.spans.retain(|span| {
        let words = &text[span.bytes.clone()];
        // `do any of them work on health`.
        let is_kind = || normalise(words).split(' ').any(is_kind_word);
        let may_be_of_question = match span.role {
            Role::Name => true,
            Role::Cause => asks || !is_kind(),
            _ => false,
        };
        !may_be_of_question || !worded::is_of_finances(words)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Reader;

    #[test]
    fn the_class_of_a_charity_is_no_name() {
        for (text, name, expected) in [
            ("standing and foundation class of each", "foundation class", 0),
            ("a grant to a type III supporting organization", "III", 0),
            ("what class is Marion Project III in", "Marion Project III", 1),
        ] {
            let start = text.find(name).unwrap();
            let mut message = Reader::shared().unwrap().read(text, &[]).unwrap();
            let bytes = start..start + name.len();
            message.spans = vec![Span::told(Role::Name, bytes, Operation::Set)];
            leave_classes(text, &mut message);
            assert_eq!(message.spans.len(), expected, "{text}");
        }
    }

    #[test]
    fn measures_at_the_end_of_a_cause_are_no_part_of_it() {
        for (text, expected) in [
            ("ride to dialysis 3x a week", "ride to dialysis"),
            ("a clinic 20 min away", "a clinic"),
            ("24 hour shelter", "24 hour shelter"),
            ("free 24 hour animal clinic", "free 24 hour animal clinic"),
        ] {
            let mut message = Reader::shared().unwrap().read(text, &[]).unwrap();
            message.spans = vec![Span::told(Role::Cause, 0..text.len(), Operation::Set)];
            leave_measures(text, &mut message);
            assert_eq!(message.words(text, Role::Cause).next(), Some(expected));
        }
    }

    #[test]
    fn what_a_message_complains_of_or_lacks_is_not_sought() {
        let reader = Reader::shared().unwrap();
        let sought = |text: &str| {
            let mut message = reader.read(text, &[]).unwrap();
            leave(text, &mut message);
            leave_complaints(text, &mut message);
            let spans = message.spans.iter().filter(|span| span.role != Role::Nothing);
            spans.map(|span| text[span.bytes.clone()].to_owned()).collect::<Vec<_>>().join("|")
        };
        for (text, left, kept) in [
            ("the first one is in Montana, she is in Hot Springs, Arkansas", "Montana", "Arkansas"),
            (
                "Amory is not close to Meridian. food banks in Meridian, Mississippi",
                "Amory",
                "food",
            ),
            ("food pantry in Reno, he has no car", "car", "food"),
            ("is it big or small", "big", ""),
        ] {
            let sought = sought(text);
            assert!(!sought.contains(left) && sought.contains(kept), "{text}: {sought}");
        }
    }

    #[test]
    fn a_name_ends_before_small_letters_behind_a_sign() {
        let text = "what about Bread for the City, public charity or not";
        let mut message = Reader::shared().unwrap().read(text, &[]).unwrap();
        message.spans = vec![Span::told(Role::Name, 11..text.len() - 7, Operation::Set)];
        leave_small_letters(text, &mut message);
        assert_eq!(message.words(text, Role::Name).next(), Some("Bread for the City"));
    }
}
