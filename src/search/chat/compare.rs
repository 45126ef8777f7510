//! Several nonprofits side by side.

use super::phrase::{Phrase, text};
use super::referents::Referents;
use super::shown::COMPARED_MAX;
use super::{Answer, Intent, SearchError, Turn};
use crate::reader::{DialogueAct, Role};
use crate::record::Organization;
use crate::understand::says;

/// Nonprofits of a list that are compared if the message does not choose.
const COMPARED_OF_LIST: usize = 3;
/// What is compared when nothing else is asked.
const COMPARED: [DialogueAct; 6] = [
    DialogueAct::Revenue,
    DialogueAct::Assets,
    DialogueAct::Founded,
    DialogueAct::Kind,
    DialogueAct::Mission,
    DialogueAct::Address,
];

impl Turn<'_> {
    /// Compares nonprofits that are named or were shown, side by side.
    pub(super) fn compare(mut self) -> Result<Answer, SearchError> {
        let explicit = self.explicit_referents()?;
        let refers = says(self.text, "of it") || says(self.text, "those shown");
        let refers = refers || says(self.text, "the two") || self.words(Role::Reference).is_some();
        if explicit == Referents::Nobody && !refers && says(self.text, "difference") {
            // A comparison of two kinds of things, not of two nonprofits.
            return self.knowledge();
        }
        let mut eins = match self.referents()? {
            Referents::Of(eins) => eins,
            Referents::Called(called) => return self.of_called(called),
            Referents::Beyond(number) => return self.beyond(number),
            Referents::Nobody => Vec::new(),
        };
        let shown = self.conversation.nonprofits.clone();
        if eins == shown {
            eins.truncate(if says(self.text, "the two") { 2 } else { COMPARED_OF_LIST });
        }
        if eins.len() < 2 {
            // A referenced one and the one mentioned last, else the first two.
            let others = self.conversation.focus.into_iter().chain(shown.iter().copied().take(2));
            eins.extend(others.filter(|ein| !eins.contains(ein)).collect::<Vec<_>>());
            eins.truncate(2);
        }
        eins.truncate(COMPARED_MAX);
        let organizations = self.records(&eins)?;
        if organizations.len() < 2 {
            return self.reply(Intent::NonprofitDetails, "nothing_to_compare");
        }
        let names: Vec<String> = organizations.iter().map(|one| one.name.clone()).collect();
        let mut said = vec![Phrase::new("compare.head").with("names", names).say(self.language)];
        let asked = self.request.fact.filter(|fact| !COMPARED.contains(fact));
        for fact in asked.into_iter().chain(COMPARED) {
            said.extend(self.compared(fact, &organizations)?);
        }
        said.push(text("compare.note", self.language).to_owned());
        self.conversation.show_nonprofits(eins, organizations.len() as u64);
        self.of_organizations(organizations, said.join(" "))
    }

    /// A fact of several nonprofits in a line; `None` if it is unknown for all of them.
    fn compared(
        &self,
        fact: DialogueAct,
        organizations: &[Organization],
    ) -> Result<Option<String>, SearchError> {
        let mut values = Vec::new();
        for one in organizations {
            values.push(self.profile(one.ein)?.and_then(|profile| profile.value(fact)));
        }
        let is_main = matches!(fact, DialogueAct::Revenue | DialogueAct::Assets);
        if values.iter().all(Option::is_none) {
            let label = text(&format!("compare.{}", fact.name()), self.language);
            let none = text("compare.none", self.language);
            let line = Phrase::new("compare.line").with("label", label).with("values", none);
            return Ok(is_main.then(|| line.say(self.language)));
        }
        let unknown = text("compare.unknown", self.language);
        let value_of = |value: &Option<String>| value.clone().unwrap_or(unknown.to_owned());
        let first = value_of(&values[0]);
        let said = match values.iter().all(|value| value_of(value) == first) {
            true => Phrase::new("compare.same").with("value", &first).part(self.language),
            false => organizations
                .iter()
                .zip(&values)
                .map(|(one, value)| {
                    let line = Phrase::new("compare.value").with("name", &one.name);
                    line.with("value", value_of(value)).part(self.language)
                })
                .collect::<Vec<_>>()
                .join("; "),
        };
        let label = match fact {
            DialogueAct::Address => "place",
            DialogueAct::Mission => "cause",
            other => other.name(),
        };
        let label = text(&format!("compare.{label}"), self.language);
        let said = said.trim_end_matches('.');
        Ok((!label.is_empty()).then(|| {
            Phrase::new("compare.line").with("label", label).with("values", said).say(self.language)
        }))
    }
}
