//! What a nonprofit spent, by its return, on the programs that a message asks after: `how much did they spend on disaster
//! relief`.

use super::records::excerpt;
use super::{Mention, Profile};
use crate::naming::normalise;
use crate::record::{Filing, Program};
use crate::search::chat::phrase::{Value, dollars, phrase};
use crate::understand::{has_stem, says, tells};

/// Letters of the shortest word by which a program is known.
const WORD_LETTERS_MIN: usize = 4;
/// Programs in one sentence.
const PROGRAMS_SAID: usize = 3;

impl Profile<'_> {
    /// Expenses of the programs that words of the message describe, by the return of the year or the latest that has some;
    /// `None` where none is described.
    pub(super) fn programs_asked(&self, mention: Mention) -> Option<String> {
        let has_programs = |filing: &&Filing| {
            let is_of_year = self.year.is_none_or(|year| filing.period_end.year() == year);
            is_of_year && filing.programs.iter().any(|program| program.expenses.is_some())
        };
        let filing = self.traced.filings.iter().find(has_programs)?;
        let own = normalise(&self.organization().name);
        let asked = normalise(self.text);
        let asked = asked.split(' ').filter(|word| {
            word.len() >= WORD_LETTERS_MIN
                && tells(word)
                && !has_stem(&own, word)
                && !says(word, "word of spending")
        });
        let mut found: Vec<&Program> = Vec::new();
        for word in asked {
            found.extend(
                described_by(word, &filing.programs)
                    .filter(|one| !found.iter().any(|known| std::ptr::eq(*known, *one))),
            );
        }
        found.truncate(PROGRAMS_SAID);
        let said = found.iter().filter_map(|program| {
            let amount = dollars(program.expenses?.dollars());
            let text = excerpt(&program.description);
            Some(phrase!("programs.one", amount, text).part(self.language))
        });
        let items = said.collect::<Vec<_>>().join("; ");
        let period = self.period(filing.tax_period());
        let total = filing.expenses.map(|usd| Value::Dollars(usd.dollars()));
        (!found.is_empty()).then(|| self.about(mention, phrase!("programs", items, period, total)))
    }
}

/// Of some programs the one that begins with a word soonest, unless all have it.
fn described_by<'p>(word: &str, programs: &'p [Program]) -> Option<&'p Program> {
    let position = |program: &Program| {
        let text = normalise(&program.description);
        text.split(' ').position(|own| has_stem(own, word))
    };
    let found: Vec<(usize, &Program)> = programs
        .iter()
        .filter(|program| program.expenses.is_some())
        .filter_map(|program| Some((position(program)?, program)))
        .collect();
    let tells_apart = found.len() < programs.len() || programs.len() == 1;
    found.into_iter().filter(|_| tells_apart).min_by_key(|(at, _)| *at).map(|(_, program)| program)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Usd;

    #[test]
    fn a_program_is_known_by_a_word_that_not_all_have() {
        let program = |description: &str, dollars| Program {
            description: description.to_owned(),
            expenses: Some(Usd::new(dollars)),
            grants: None,
            revenue: None,
        };
        let programs = [
            program("Services to donors: collecting and testing blood", 9),
            program("Relief services after disasters, with blood for the injured", 5),
        ];
        let found = |word| described_by(word, &programs).map(|one| one.expenses.unwrap().dollars());
        assert_eq!(found("disaster"), Some(5));
        assert_eq!(found("services"), None);
        assert_eq!(found("puppets"), None);
    }
}
