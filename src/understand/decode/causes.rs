//! What nonprofits should do, and what not.

use super::super::{cause, phrases, place};
use super::{Decoder, Edit, Value};
use crate::mapped::Damage;
use crate::reader::{self, Operation};

/// How sure a misspelt place is that the reader took for part of what they do.
const MISSPELT_PROBABILITY: f32 = 0.6;

impl Decoder<'_> {
    /// What nonprofits should not do: the codes that only such organizations carry.
    pub(super) fn read_unwanted(&mut self, span: &reader::Span) {
        // `not for profit theaters`: words for any nonprofits leave nothing out.
        let tokens = &self.tokens;
        let any = |at: &usize| tokens.any_phrase(*at, phrases::of("any nonprofit phrase"));
        let ends = (0..tokens.len()).filter_map(|at| Some((tokens.list[at].span.start, any(&at)?)));
        for (start, end) in ends {
            let end = tokens.list[end - 1].span.end;
            if start < span.bytes.start && span.bytes.start < end {
                self.causes.push((end.min(span.bytes.end)..span.bytes.end, Operation::Set));
                return;
            }
        }
        let codes = cause::codes_of(self.words(span));
        match codes.is_empty() {
            true => self.leave_unread(span.bytes.clone()),
            false => {
                let meaning = format!("not NTEE {}", codes.join(" or "));
                self.take(span, Value::NotCodes(codes), &meaning);
            }
        }
    }

    /// What nonprofits do, in one text.
    pub(super) fn read_causes(&mut self) -> Result<(), Damage> {
        let mut causes = std::mem::take(&mut self.causes);
        causes.sort_by_key(|(bytes, _)| bytes.start);
        if causes.is_empty() {
            return Ok(());
        }
        if !self.edits.iter().any(|edit| matches!(edit.value, Value::Places(_))) {
            let end = causes.last_mut().filter(|(_, operation)| *operation == Operation::Set);
            if let Some((bytes, _)) = end
                && let Some((at, places)) =
                    place::misspelt_at_end(&self.text[bytes.clone()], self.names)?
            {
                let span = bytes.start + at..bytes.end;
                bytes.end = span.start;
                let meaning = format!("in {}", place::named(&places));
                self.edit(
                    Value::Places(places),
                    Operation::Set,
                    span,
                    &meaning,
                    MISSPELT_PROBABILITY,
                );
            }
        }
        let joins = causes
            .iter()
            .all(|(_, operation)| matches!(operation, Operation::Add | Operation::Narrow));
        let texts: Vec<&str> = causes.iter().map(|(bytes, _)| &self.text[bytes.clone()]).collect();
        let found = cause::read(&texts.join(", "), self.names)?;
        let operation = if joins { Operation::Add } else { Operation::Set };
        self.edits.push(Edit { value: Value::Cause(Box::new(found)), operation });
        Ok(())
    }
}
