//! What nonprofits should do, and what not.

use std::ops::Range as Span;

use super::super::cause_frame::cause_of;
use super::super::frame::{ALTERNATIVE, Frame, NameUse, NamedPlace};
use super::super::token::{Token, Tokens};
use super::super::{cause, money_in, phrases, place};
use super::{Decoder, Edit, Value, flags, sides};
use crate::mapped::Damage;
use crate::naming::normalise;
use crate::reader::{self, Act, Message, Operation, Role};

/// How sure a misspelt place is that the reader took for part of what they do.
const MISSPELT_PROBABILITY: f32 = 0.6;

impl Decoder<'_> {
    /// What nonprofits should not do: the codes that only such organizations carry.
    pub(super) fn read_unwanted(&mut self, span: &reader::Span) -> Result<(), Damage> {
        // `not for profit theaters`: words for any nonprofits leave nothing out.
        let tokens = &self.tokens;
        let any = |at: &usize| tokens.any_phrase(*at, phrases::of("any nonprofit phrase"));
        let ends = (0..tokens.len()).filter_map(|at| Some((tokens.list[at].span.start, any(&at)?)));
        for (start, end) in ends {
            let end = tokens.list[end - 1].span.end;
            if start < span.bytes.start && span.bytes.start < end {
                self.causes.push((end.min(span.bytes.end)..span.bytes.end, Operation::Set));
                return Ok(());
            }
        }
        let codes = cause::codes_of(self.words(span));
        // Of animal shelters those for cats have the same code.
        let is_wanted =
            |span: &&reader::Span| span.role == Role::Cause && span.operation != Operation::Not;
        let wanted: Vec<_> = self.message.spans.iter().filter(is_wanted).collect();
        let own = match self.earlier.filter(|_| wanted.is_empty()) {
            Some(earlier) => earlier.cause_ntee.clone(),
            None => wanted.iter().flat_map(|span| cause::codes_of(self.words(span))).collect(),
        };
        let is_own = codes.iter().all(|code| own.iter().any(|own| own.starts_with(&**code)));
        match is_own {
            true => self.read_unwanted_names(span)?,
            false => {
                let meaning = format!("not NTEE {}", codes.join(" or "));
                self.take(span, Value::NotCodes(codes), &meaning);
                // `not fire departments`: some are filed under other codes.
                if let Some(words) = self.words_of_names(span)? {
                    self.take(span, Value::NotNames(words), "");
                }
            }
        }
        Ok(())
    }

    /// `not the auxiliaries`: what no code tells, but names do.
    pub(super) fn read_unwanted_names(&mut self, span: &reader::Span) -> Result<(), Damage> {
        match self.words_of_names(span)? {
            Some(words) => {
                let meaning = format!("no names with {}", words[0]);
                self.take(span, Value::NotNames(words), &meaning);
            }
            None => self.leave_unread(span.bytes.clone()),
        }
        Ok(())
    }

    /// The words of a span that tell something, and what they stand for, where names have each of them.
    fn words_of_names(&self, span: &reader::Span) -> Result<Option<Vec<String>>, Damage> {
        let form = normalise(self.words(span));
        let is_of_question = |word: &str| {
            phrases::has("question opening", word) || phrases::has("verb before a cause", word)
        };
        let tells =
            |word: &&str| super::tells(word) && !phrases::is_generic(word) && !is_of_question(word);
        let words: Vec<&str> = form.split(' ').filter(tells).collect();
        for word in &words {
            let mut is_of_names = false;
            for own in cause::number_forms(word) {
                is_of_names |= self.names.frequency(&own)? > 0;
            }
            if !is_of_names {
                return Ok(None);
            }
        }
        if words.is_empty() {
            return Ok(None);
        }
        let words = words.join(" ");
        // `VFW` is written out in names, too.
        let forms = cause::number_forms(&words);
        let full = cause_of(&words, self.names)?.text.filter(|full| !forms.contains(full));
        Ok(Some([words].into_iter().chain(full).collect()))
    }

    /// Whether a term of causes is all of a span.
    pub(super) fn is_term(&self, span: &reader::Span) -> bool {
        let end = cause::phrase_end(&self.tokens, self.tokens.position(span.bytes.start));
        end.is_some_and(|end| self.tokens.list[end - 1].span.end == span.bytes.end)
    }

    /// Whether the last word is part of nothing that was read, or of a cause.
    fn is_end_open(&self) -> bool {
        let Some(last) = self.tokens.list.iter().rfind(|token| token.is_word()) else {
            return false;
        };
        let mut spans = self.message.spans.iter();
        let span = spans.find(|span| span.bytes.contains(&last.span.start));
        span.is_none_or(|span| matches!(span.role, Role::Cause | Role::Nothing))
    }

    /// Beside a cause, a name that nobody has is part of it: `lakota boys school` that `sends dreamcatchers`.
    fn join_unheard_of(&mut self) {
        let is_set = |(_, operation): &(Span<usize>, Operation)| *operation == Operation::Set;
        if !self.causes.iter().any(is_set) {
            return;
        }
        let unheard_of = self.edits.iter().position(|edit| match &edit.value {
            Value::Organization(found) => found.is_unheard_of() && found.wanted == NameUse::Itself,
            _ => false,
        });
        let of_name = |span: &&reader::Span| span.role == Role::Name;
        let Some((at, span)) = unheard_of.zip(self.message.spans.iter().find(of_name)) else {
            return;
        };
        self.edits.remove(at);
        self.parts.retain(|part| part.span != span.bytes);
        self.causes.push((span.bytes.clone(), Operation::Set));
    }

    /// The words of a name that nobody has, since they tell who comes nearest; they are no cause.
    fn read_unheard_of(&mut self) -> Result<(), Damage> {
        let asked = self.edits.iter().find_map(|edit| match &edit.value {
            Value::Organization(found) if found.is_unheard_of() => Some(found.asked.clone()),
            _ => None,
        });
        if let Some(asked) = asked {
            let told = cause_of(&asked, self.names)?;
            let value = Value::Cause(Box::new(Frame { cause: None, ..told }));
            // A cause that is set behind a name would replace it.
            self.edits.insert(0, Edit { value, operation: Operation::Set });
        }
        Ok(())
    }

    /// What is left of a new question that has a place, or is one word, and nothing else: its words rank, though the
    /// reader took them for none of a cause.
    fn read_leftover(&mut self) -> Result<(), Damage> {
        let is_only_placed = self.edits.iter().all(|edit| matches!(edit.value, Value::Places(_)));
        let message = self.message;
        let is_new = self.earlier.is_none() || message.act.label == Act::New;
        if !is_only_placed || !is_new || self.is_bare {
            return Ok(());
        }
        let is_unread = |at: usize| {
            self.unread.iter().any(|(start, words)| (*start..start + words.len()).contains(&at))
        };
        let is_read = |token: &&Token| {
            let at = token.span.start;
            let is_acronym = self.tokens.is_cased && token.is_acronym();
            let is_left = |role: Role| {
                role == Role::Nothing || is_acronym && (role == Role::Place || is_unread(at))
            };
            message.spans.iter().any(|span| span.bytes.contains(&at) && !is_left(span.role))
                || self.parts.iter().any(|part| part.span.contains(&at))
        };
        let words = self.tokens.list.iter().filter(|token| token.is_word());
        let words: Vec<&Token> =
            words.filter(|token| !is_read(token) && !phrases::is_common(&token.form)).collect();
        // `is my church in Topeka on here`, `MCLA in Maine`, `SEARHC`: one word is enough where it is a kind of nonprofit or
        // perhaps a name.
        let is_enough = |word: &Token| {
            let is_name = !phrases::is_generic(&word.form) && !self.names.is_word(&word.form)?;
            Ok::<_, Damage>(is_name || word.is_acronym() && self.tokens.is_cased)
        };
        let is_alone = self.edits.is_empty();
        let is_read = match &words[..] {
            [] => false,
            [word] if is_alone => {
                self.tokens.len() == 1 && self.earlier.is_none() && is_enough(word)?
            }
            _ if is_alone => false,
            [word] => cause::is_known_word(&word.form) || is_enough(word)?,
            _ => true,
        };
        if !is_read {
            return Ok(());
        }
        self.unread.retain(|(start, _)| !words.iter().any(|word| word.span.start == *start));
        let words: Vec<&str> = words.iter().map(|word| &self.text[word.span.clone()]).collect();
        let found = cause_of(&words.join(" "), self.names)?;
        let value = Value::Cause(Box::new(found));
        self.edits.push(Edit { value, operation: Operation::Set });
        Ok(())
    }

    /// A state as the city in it that misspelt words before it name: `chyenne wy`. It takes these words from
    /// causes, and gives where it begins.
    pub(super) fn with_misspelt_city(
        &mut self,
        state: &mut Vec<NamedPlace>,
        bytes: &Span<usize>,
    ) -> Result<usize, Damage> {
        let found = match &state[..] {
            [place] if place.is_state() => {
                place::misspelt_at_end(&self.text[..bytes.end], self.names)?
            }
            _ => None,
        };
        let is_there = |places: &[NamedPlace]| matches!(places, [city] if city.city.is_some() && city.state == state[0].state);
        let Some((at, city)) = found.filter(|(at, city)| *at < bytes.start && is_there(city))
        else {
            return Ok(bytes.start);
        };
        *state = city;
        cut(&mut self.causes, at);
        Ok(at)
    }

    /// Whether causes stand in a list: not `clinics for veterans`.
    fn is_list(&self, causes: &[(Span<usize>, Operation)]) -> bool {
        causes.windows(2).all(|pair| {
            let between = self.text.get(pair[0].0.end..pair[1].0.start);
            between.is_some_and(|between| Tokens::of(between).list.iter().any(Token::is_joint))
        })
    }

    /// Several texts of causes that each are a kind of their own: `food banks` and `pantries`.
    fn kinds(&self, texts: &[&str]) -> Result<Option<Vec<String>>, Damage> {
        let mut kinds = Vec::new();
        for text in texts {
            let one = cause_of(text, self.names)?;
            kinds.extend(one.cause.filter(|_| one.cause_is_term));
        }
        Ok(Some(kinds).filter(|kinds| kinds.len() > 1 && kinds.len() == texts.len()))
    }

    /// What nonprofits do, in one text.
    pub(super) fn read_causes(&mut self) -> Result<(), Damage> {
        self.join_unheard_of();
        let mut causes = without_money(std::mem::take(&mut self.causes), self.text);
        causes.sort_by_key(|(bytes, _)| bytes.start);
        let is_place = |edit: &Edit| matches!(edit.value, Value::Places(_));
        let last = causes.last().filter(|(_, operation)| *operation == Operation::Set);
        let end = match last {
            _ if self.is_end_open() => Some(self.text.len()),
            last => last.map(|(bytes, _)| bytes.end),
        };
        if let Some(end) = end.filter(|_| !self.edits.iter().any(is_place)) {
            // Its first word may have been taken for something else: `new orlens`.
            if let Some((at, mut places)) = place::misspelt_at_end(&self.text[..end], self.names)? {
                self.leave_unjoined_cities(&self.text[at..end], &mut places)?;
                let span = at..end;
                if !self.is_small_and_empty(&span, &places)? {
                    cut(&mut causes, at);
                    let meaning = format!("in {}", place::named(&places));
                    let places = Value::Places(places);
                    self.edit(places, Operation::Set, span, &meaning, MISSPELT_PROBABILITY);
                }
            }
        }
        if causes.is_empty() {
            self.read_unheard_of()?;
            return self.read_leftover();
        }
        let texts: Vec<&str> =
            causes.iter().map(|(bytes, _)| without_verb(&self.text[bytes.clone()])).collect();
        let mut found = cause_of(&texts.join(", "), self.names)?;
        if self.is_list(&causes)
            && let Some(kinds) = self.kinds(&texts)?
        {
            found.cause = Some(kinds.join(ALTERNATIVE));
        }
        if let [only] = texts[..] {
            flags::of_cause(only).for_each(|flag| found.flags[flag] = Some(true));
        }
        let all = |of: &[Operation]| causes.iter().all(|(_, operation)| of.contains(operation));
        let operation = match () {
            () if all(&[Operation::Narrow]) => Operation::Narrow,
            () if all(&[Operation::Narrow, Operation::Add]) => Operation::Add,
            () => Operation::Set,
        };
        self.edits.push(Edit { value: Value::Cause(Box::new(found)), operation });
        Ok(())
    }
}

/// A message whose kinds of nonprofits of several words are whole, though the reader cut them, and whose sizes that begin one,
/// though misspelt, are causes: `personas mayores`, `little leage`.
pub(super) fn with_kinds(tokens: &Tokens, mut message: Message) -> Message {
    let spans = &mut message.spans;
    let phrases =
        tokens.scan(|at| cause::phrase_end(tokens, at).map(|end| (tokens.span(at..end), end)));
    phrases.into_iter().for_each(|phrase| join_phrase(tokens, spans, phrase));
    for at in (0..spans.len()).rev() {
        let first = tokens.position(spans[at].bytes.start);
        let end = cause::spelled_phrase_end(tokens, first);
        let Some(end) = end.filter(|_| spans[at].role == Role::Size) else { continue };
        let mut bytes = tokens.span(first..end);
        // Of `little league baseball` the words behind the size are a cause already.
        while let Some(next) = spans.get(at + 1).filter(|next| next.bytes.start < bytes.end) {
            bytes.end = bytes.end.max(next.bytes.end);
            spans.remove(at + 1);
        }
        spans[at] = reader::Span::told(Role::Cause, bytes, spans[at].operation);
    }
    message
}

/// Makes one cause of a phrase that the reader took in parts, or only in part, for causes, sizes or an order.
fn join_phrase(tokens: &Tokens, spans: &mut Vec<reader::Span>, phrase: Span<usize>) {
    let is_of_phrase = |span: &&reader::Span| !span.is_apart(&phrase);
    let parts: Vec<reader::Span> = spans.iter().filter(is_of_phrase).cloned().collect();
    let is_read = |span: &reader::Span| matches!(span.role, Role::Cause | Role::Size | Role::Sort);
    let may_join =
        |span: &reader::Span| is_read(span) || matches!(span.role, Role::Unread | Role::Nothing);
    let covers =
        |span: &reader::Span| span.bytes.start <= phrase.start && phrase.end <= span.bytes.end;
    let is_whole = |span: &reader::Span| span.role == Role::Cause && covers(span);
    if parts.iter().any(is_whole) || !parts.iter().any(is_read) || !parts.iter().all(may_join) {
        return;
    }
    // `veterans organizations`: what the reader left out says nothing.
    let is_left = |token: &&Token| {
        let at = token.span.start;
        phrase.contains(&at) && !parts.iter().any(|span| is_read(span) && span.bytes.contains(&at))
    };
    let is_cut_by_order = parts.iter().any(|span| span.role != Role::Cause && is_read(span));
    let mut left = tokens.list.iter().filter(is_left);
    if !is_cut_by_order && left.all(|token| phrases::is_generic(&token.form)) {
        return;
    }
    let causes = || parts.iter().filter(|span| span.role == Role::Cause);
    let start = causes().map(|span| span.bytes.start).chain([phrase.start]).min();
    let end = causes().map(|span| span.bytes.end).chain([phrase.end]).max();
    let bytes = start.unwrap_or(phrase.start)..end.unwrap_or(phrase.end);
    let operation = causes().next().map_or(Operation::Set, |span| span.operation);
    spans.retain(|span| span.is_apart(&phrase));
    spans.push(reader::Span::told(Role::Cause, bytes, operation));
    spans.sort_by_key(|span| span.bytes.start);
}

/// `homeless people` of `helps homeless people`: every nonprofit helps.
fn without_verb(cause: &str) -> &str {
    let tokens = Tokens::of(cause);
    match tokens.any_phrase(0, phrases::of("verb before a cause")) {
        Some(end) if end < tokens.len() => &cause[tokens.list[end].span.start..],
        _ => cause,
    }
}

/// Causes without the amounts of money in them: of `$5,000 to help animals` animals.
fn without_money(
    mut causes: Vec<(Span<usize>, Operation)>,
    text: &str,
) -> Vec<(Span<usize>, Operation)> {
    for money in money_in(text) {
        let left = |(bytes, operation): (Span<usize>, Operation)| {
            sides(&bytes, &money).map(|part| (part, operation))
        };
        causes = causes.into_iter().flat_map(left).filter(|(part, _)| !part.is_empty()).collect();
    }
    causes
}

/// Takes from causes what stands from a byte on.
fn cut(causes: &mut Vec<(Span<usize>, Operation)>, at: usize) {
    for (bytes, _) in causes.iter_mut() {
        bytes.end = bytes.end.min(at).max(bytes.start);
    }
    causes.retain(|(bytes, _)| !bytes.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_no_part_of_a_cause() {
        for (text, cause, expected) in [
            ("give $5,000 to help animals", 6..27, &["to help animals"][..]),
            ("give $5,000 to help animals", 6..7, &[]),
            ("500 dollars for children", 0..24, &["for children"]),
            ("5k run for animals, $20", 0..18, &["5k run for animals"]),
        ] {
            let found = without_money(vec![(cause, Operation::Set)], text);
            let found: Vec<&str> = found.into_iter().map(|(part, _)| text[part].trim()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_verb_of_help_is_no_part_of_a_cause() {
        for (cause, expected) in [
            ("helps homeless people", "homeless people"),
            ("serving veterans", "veterans"),
            ("support groups", "support groups"),
            ("give out scholarships", "scholarships"),
            ("reparten comida", "comida"),
            ("helping", "helping"),
        ] {
            assert_eq!(without_verb(cause), expected);
        }
    }
}
