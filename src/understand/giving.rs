//! Givers: whether somebody seeks recipients (`we want to fund preschools`) rather than donors, and which amounts of a text are
//! the size of the asker's gift.

use super::bound::is_amount;
use super::grouping::measures_in;
use super::phrases;
use super::token::Tokens;
use super::{clauses, says};
use crate::query::Figure;
use crate::reader::{Bound, Message, Span};

/// Words before an amount among which it is called a gift: `grants of up to $100,000`.
const WORDS_BEFORE_GIFT: usize = 4;

/// Whether a text says that the asker wants to give to others.
pub fn seeks_recipients(text: &str) -> bool {
    let tokens = Tokens::of(text);
    (0..tokens.len()).any(|start| {
        let gives =
            |at| tokens.any_phrase(past_adverbs(&tokens, at), phrases::of("gives to a cause"));
        // `which museums should we fund`.
        if let Some(at) = tokens.any_phrase(start, phrases::of("asker may give")) {
            return gives(at).is_some_and(|end| !is_own(&tokens, end));
        }
        // `foundations that want to fund schools` speaks of others.
        let is_wish = start == 0 || is_askers(&tokens, start);
        let wish = tokens.any_phrase(start, phrases::of("wish to give")).filter(|_| is_wish);
        let end = wish.and_then(gives);
        end.is_some_and(|end| end < tokens.len() && !is_own(&tokens, end))
    })
}

/// Takes amounts that the asker gives for no bound on what a nonprofit takes in or owns: `we give $10K to $100K in Nebraska`,
/// `grants of 10 to 100 thousand`.
pub(super) fn leave_gifts(text: &str, mut message: Message) -> Message {
    let clauses = clauses(text);
    let is_gift = |span: &Span| {
        let around = clauses.iter().find(|clause| clause.contains(&span.bytes.start));
        let Some(clause) = around.filter(|_| is_amount(span.role)) else { return false };
        let said = &text[clause.clone()];
        if measures_in(said).into_iter().any(Figure::is_money) {
            return false;
        }
        let before: Vec<&str> =
            text[clause.start..span.bytes.start].split_whitespace().rev().collect();
        let before = &before[..before.len().min(WORDS_BEFORE_GIFT)];
        // `would fit a $25K grant`.
        let behind = text[span.bytes.end..clause.end.max(span.bytes.end)].split_whitespace().next();
        let is_called = before.iter().chain(&behind).any(|word| says(word, "gift noun"));
        // `I give to museums over $5 million` bounds museums, `I can give up to $5,000` a gift.
        let is_given = span.bound == Bound::None
            || before
                .iter()
                .find(|word| !says(word, "beside an amount"))
                .is_some_and(|word| says(word, "gives"));
        is_called || (is_given && says(said, "asker who gives") && says(said, "gives"))
    };
    message.spans.retain(|span| !is_gift(span));
    message
}

/// The first token from a position on that does not merely stand between a wish and its verb.
fn past_adverbs(tokens: &Tokens, mut at: usize) -> usize {
    while at < tokens.len() && phrases::has("beside giving", tokens.form(at)) {
        at += 1;
    }
    at
}

/// Whether the asker is spoken of before a token, and nobody else since: not `I look for foundations that want to give`.
fn is_askers(tokens: &Tokens, end: usize) -> bool {
    let mut asker = (0..end).filter_map(|at| tokens.any_phrase(at, phrases::of("asker who gives")));
    let is_other = |at: usize| phrases::has("relative pronoun", tokens.form(at));
    asker.any(|from| !(from..end).any(is_other))
}

/// Whether what is to be given to is the asker's own: `we want to fund our playground` needs money.
fn is_own(tokens: &Tokens, at: usize) -> bool {
    at < tokens.len() && phrases::has("owner", tokens.form(at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::{Operation, Reader, Role};

    #[test]
    fn what_the_asker_gives_bounds_nobody() {
        for (text, amount, expected) in [
            ("We give $10K-$100K in Nebraska. Looking for food banks.", "$10K-$100K", 0),
            ("who funds hunger relief? Grants of 10 to 100 thousand", "10 to 100 thousand", 0),
            ("I have $2,000 to give to shelters", "$2,000", 0),
            ("which pantries would fit a $25K grant", "$25K", 0),
            ("food banks with over $100,000 in revenue that we could give to", "$100,000", 1),
            ("food banks over $100,000", "$100,000", 1),
            ("we want to support museums over $500,000", "$500,000", 1),
            ("I want to give to museums over $5 million", "$5 million", 1),
        ] {
            let start = text.find(amount).unwrap();
            let bytes = start..start + amount.len();
            let bound = if text.contains("over") { Bound::Min } else { Bound::None };
            let span = Span { bound, ..Span::told(Role::Amount, bytes, Operation::Set) };
            let message = Reader::shared().unwrap().read(text, &[]).unwrap();
            let left = leave_gifts(text, Message { spans: vec![span], ..message });
            assert_eq!(left.spans.len(), expected, "{text}");
        }
    }

    #[test]
    fn who_wants_to_give_seeks_recipients() {
        for (text, expected) in [
            ("We want to fund preschools for poor children in New Orleans", true),
            ("We would like to support dance companies in Vermont", true),
            ("I'd like to financially support museums in Vermont", true),
            ("our foundation hopes to give grants to clinics", true),
            ("looking to help fund soup kitchens in Maine", true),
            ("queremos apoyar museos en Vermont", true),
            ("which theaters in Maine should we fund?", true),
            ("how could we support our museum", false),
            ("foundations that want to fund preschools", false),
            ("I am looking for foundations that want to support arts programs", false),
            ("we need a donor who wants to fund clinics", false),
            ("we want to fund our new playground", false),
            ("who wants to support museums in Vermont", false),
            ("we want funding for preschools", false),
            ("museums in Vermont", false),
            ("we want to fund", false),
        ] {
            assert_eq!(seeks_recipients(text), expected, "{text}");
        }
    }
}
