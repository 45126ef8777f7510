//! The rows shown: facts of several, the largest, which have something, how many there are and what
//! they add up to, a comparison, and why they were shown.

use super::facts::{Profile, cause};
use super::list::{ROWS_NAMED, figure_of};
use super::phrase::{Phrase, Value, text};
use super::referents::first_by;
use super::{Answer, Intent, NonprofitRef, SearchError, Turn, suggest};
use crate::naming::normalise;
use crate::query::{Figure, Sort, SortKey};
use crate::reader::{Act, Language, Operation, Role, Span};
use crate::record::{Ein, Organization};
use crate::search::nonprofits::NonprofitHit;
use crate::search::sentence::words_of;
use crate::taxonomy;
use crate::understand::{has_stem, has_year_bound, tells};

/// Nonprofits that one answer compares, or gives a fact of each for.
pub(super) const COMPARED_MAX: usize = 5;
/// Nonprofits that an answer names as having something.
const HAVING_NAMED: usize = 6;

impl Turn<'_> {
    /// Whether the message asks for a new list, with a cause or place of its own, and not about the rows shown.
    pub(super) fn asks_anew(&self) -> bool {
        let says = |role| self.message.spans.iter().any(|span| span.role == role);
        self.message
            .spans
            .iter()
            .any(|span| span.role == Role::Cause && span.operation != Operation::Not)
            || says(Role::Place)
            || says(Role::Near)
    }

    pub(super) fn profile(&self, ein: Ein) -> Result<Option<Profile<'_>>, SearchError> {
        let profile = Profile::of(self.snapshot, ein, self.language, self.text)?;
        Ok(profile.map(|profile| Profile { year: self.year(), ..profile }))
    }

    /// The same facts of several nonprofits, one after another; the list stays.
    pub(super) fn facts_of_several(mut self, eins: &[Ein]) -> Result<Answer, SearchError> {
        let mut said = Vec::new();
        let mut is_known = false;
        for ein in eins.iter().take(COMPARED_MAX) {
            let Some(profile) = self.profile(*ein)? else { continue };
            let values = self.request.acts.iter().filter_map(|fact| profile.value(*fact));
            let values: Vec<String> = values.collect();
            is_known |= !values.is_empty();
            let value = match values.is_empty() {
                true => text("compare.unknown", self.language).to_owned(),
                false => values.join(", "),
            };
            let line = Phrase::new("which.fact").with("name", &profile.organization().name);
            said.push(line.with("value", value).part(self.language));
        }
        if !is_known {
            return self.reply(Intent::NonprofitDetails, "which.unknown");
        }
        let message = format!("{}.", said.join("; "));
        self.conversation.asked = self.fact_question();
        let shown = self.records(&eins[..eins.len().min(COMPARED_MAX)])?;
        self.of_organizations(shown, message)
    }

    /// An answer about some nonprofits in words; the lists shown stay.
    pub(super) fn of_organizations(
        self,
        organizations: Vec<Organization>,
        message: String,
    ) -> Result<Answer, SearchError> {
        let first = organizations.iter().take(2);
        let suggestions = first.map(|one| suggest::details_of(one, self.language)).collect();
        let answer = Answer::of(Intent::NonprofitDetails, message, self.conversation);
        let hit = |organization| NonprofitHit { organization, cosine: None };
        let nonprofits = organizations.into_iter().map(hit).collect();
        Ok(Answer { nonprofits, suggestions, ..answer })
    }

    /// Which of those shown has most or least of a figure; in a new list the first.
    pub(super) fn most(mut self) -> Result<Answer, SearchError> {
        let sort = self.rank().unwrap_or(Sort::descending(SortKey::Figure(Figure::Revenue)));
        let SortKey::Figure(figure) = sort.key else { return self.search() };
        if self.asks_anew() || self.conversation.nonprofits.is_empty() {
            return self.most_of_anew(sort, figure);
        }
        let shown = self.records(&self.conversation.nonprofits)?;
        let all: Vec<&Organization> = shown.iter().collect();
        // Of foundations the master file has no revenue.
        let found = first_by(&all, sort).map(|one| (one, sort, figure)).or_else(|| {
            let sort = Sort { key: SortKey::Figure(Figure::Assets), ..sort };
            let one = first_by(&all, sort).filter(|_| figure == Figure::Revenue)?;
            Some((one, sort, Figure::Assets))
        });
        let Some((one, sort, figure)) = found else {
            return self.reply(Intent::NonprofitDetails, "most.unknown");
        };
        let mut message = Phrase::new("most.of")
            .with("count", shown.len())
            .with("name", &one.name)
            .with("is", text("most.is", self.language))
            .with("most", text(&most_of(sort), self.language))
            .with_some("value", self.value_of(one, figure))
            .say(self.language);
        let unknown = shown.iter().filter(|one| figure_of(one, figure).is_none()).count();
        if unknown > 0 {
            let partly = Phrase::new("most.partly").with("count", unknown).say(self.language);
            message.push_str(&format!(" {partly}"));
        }
        let one = one.clone();
        self.conversation.focus = Some(one.ein);
        self.of_organizations(vec![one], message)
    }

    /// The first of a list that the message asks for, by its order.
    fn most_of_anew(self, sort: Sort, figure: Figure) -> Result<Answer, SearchError> {
        let mut understood = self.interpret(Some(self.text))?;
        understood.frame.sort = vec![sort];
        understood.kept.sort = vec![sort];
        let found = self.page_of(&mut understood, 1)?;
        let Some(first) = found.rows.first().map(|row| row.organization.clone()) else {
            return self.found(understood, 1);
        };
        let message = Phrase::new("most")
            .with("name", &first.name)
            .with("is", text("most.is", self.language))
            .with("most", text(&most_of(sort), self.language))
            .with_some("value", self.value_of(&first, figure))
            .say(self.language);
        let mut answer = self.listed(&understood, found, 1, message)?;
        answer.next.focus = Some(first.ein);
        Ok(answer)
    }

    /// Which of those shown have a property.
    pub(super) fn which(mut self) -> Result<Answer, SearchError> {
        let says_where = self.words(Role::Place).is_some();
        if says_where || self.conversation.nonprofits.is_empty() {
            return self.search();
        }
        // `which of those take in less than a million`.
        let is_bound = |span: &Span| {
            matches!(
                span.role,
                Role::Amount | Role::Revenue | Role::Expenses | Role::Assets | Role::Employees
            )
        };
        let is_bound = self.message.spans.iter().any(is_bound) || has_year_bound(self.text);
        if is_bound && self.words(Role::Cause).is_none() {
            self.message.act.label = Act::On;
            return self.search();
        }
        let shown = self.records(&self.conversation.nonprofits)?;
        let asked: Vec<String> =
            self.message.words(self.text, Role::Cause).map(normalise).collect();
        match asked.is_empty() {
            false => self.which_do(&shown, &asked),
            true => self.which_have(&shown),
        }
    }

    /// Those whose name, code or mission has words for each thing asked for. If there are none and the message is not
    /// about the rows shown (`are there any that do legal help`), others of the place follow.
    fn which_do(mut self, shown: &[Organization], asked: &[String]) -> Result<Answer, SearchError> {
        let mut said = Vec::new();
        let mut all: Vec<Organization> = Vec::new();
        for words in asked {
            let telling: Vec<&str> = words.split(' ').filter(|word| tells(word)).collect();
            let has = |one: &&Organization| {
                let own = words_of(one);
                telling.iter().any(|word| has_stem(&own, word))
            };
            let found: Vec<&Organization> = shown.iter().filter(has).collect();
            let names = found.iter().take(HAVING_NAMED).map(|one| one.name.clone());
            let names: Vec<String> = names.collect();
            let phrase = match names.is_empty() {
                true => Phrase::new("which.none"),
                false => Phrase::new("which.words").with("names", names),
            };
            said.push(phrase.with("words", words).say(self.language));
            all.extend(found.into_iter().cloned());
        }
        if all.is_empty() && self.words(Role::Reference).is_none() {
            for span in self.message.spans.iter_mut().filter(|span| span.role == Role::Cause) {
                span.operation = Operation::Set;
            }
            let answer = self.clone().search()?;
            if answer.plan.as_ref().and_then(|plan| plan.fit).is_some_and(|fit| fit.count > 0) {
                return Ok(answer);
            }
        }
        self.of_organizations(all, said.join(" "))
    }

    /// Those with a known value of a fact.
    fn which_have(self, shown: &[Organization]) -> Result<Answer, SearchError> {
        let Some(fact) = self.request.fact else { return self.search() };
        let mut found = Vec::new();
        let mut names = Vec::new();
        for one in shown {
            let value = self.profile(one.ein)?.and_then(|profile| profile.value(fact));
            let Some(value) = value else { continue };
            let line = Phrase::new("which.fact").with("name", &one.name).with("value", value);
            names.push(line.part(self.language));
            found.push(one.clone());
        }
        names.truncate(HAVING_NAMED);
        let phrase = match names.is_empty() {
            true => Phrase::new("which.unknown"),
            false => Phrase::new("which.known").with("count", found.len()).with("names", names),
        };
        let message = phrase.say(self.language);
        self.of_organizations(found, message)
    }

    /// Why the rows were shown, and why the first is first.
    pub(super) fn why(self) -> Result<Answer, SearchError> {
        let frame = self.conversation.frame.clone();
        let shown = self.records(&self.conversation.nonprofits)?;
        let (Some(asked), Some(first)) = (&frame.text, shown.first()) else {
            return self.knowledge();
        };
        let quote = |words: &str| match self.language {
            Language::Spanish => format!("«{words}»"),
            _ => format!("“{words}”"),
        };
        let place = frame.places.first().map(|place| place.name.clone());
        let mut said = vec![
            Phrase::new("why")
                .with("asked", quote(asked))
                .with_some("place", place)
                .say(self.language),
        ];
        let reason = self.reason(first, asked, &frame.cause_ntee);
        said.push(
            Phrase::new("why.first")
                .with("name", &first.name)
                .with("reason", reason)
                .say(self.language),
        );
        let message = said.join(" ");
        let first = first.clone();
        self.of_organizations(vec![first], message)
    }

    fn reason(&self, one: &Organization, asked: &str, codes: &[String]) -> String {
        let code =
            one.ntee.filter(|code| codes.iter().any(|prefix| code.as_str().starts_with(&**prefix)));
        let asked = normalise(asked);
        let words = || asked.split(' ').filter(|word| tells(word));
        let name = normalise(&one.name);
        let mission = normalise(one.summary.as_deref().unwrap_or_default());
        let phrase = match code.and_then(taxonomy::title) {
            Some(title) => Phrase::new("why.code").with("title", title),
            None => match (
                words().find(|word| has_stem(&name, word)),
                words().find(|word| has_stem(&mission, word)),
            ) {
                (Some(word), _) => Phrase::new("why.name").with("word", word),
                (None, Some(word)) => Phrase::new("why.mission").with("word", word),
                (None, None) => match cause(one, self.language) {
                    Some(title) if title.starts_with(['“', '«']) => {
                        let title = title.trim_matches(['“', '”', '«', '»']);
                        Phrase::new("why.code").with("title", title)
                    }
                    _ => Phrase::new("why.near"),
                },
            },
        };
        phrase.part(self.language)
    }

    /// States that the last list has no such number.
    pub(super) fn beyond(self, number: usize) -> Result<Answer, SearchError> {
        let count = self.conversation.nonprofits.len();
        let phrase = match count {
            0 => Phrase::new("missing.nothing"),
            count => Phrase::new("missing.number")
                .with("count", count)
                .with("number", number.to_string()),
        };
        let message = phrase.say(self.language);
        self.told(Intent::NonprofitDetails, message)
    }

    /// The candidates, to choose from; the next message is read as the choice.
    pub(super) fn which_one(
        mut self,
        asked: &str,
        count: usize,
        rows: Vec<NonprofitHit>,
    ) -> Result<Answer, SearchError> {
        let identified = |row: &NonprofitHit| {
            let one = &row.organization;
            let place = super::facts::place(one).unwrap_or_default();
            format!("{} ({place})", one.name)
        };
        let names: Vec<String> = rows.iter().take(ROWS_NAMED).map(identified).collect();
        // None of the nearest has the name.
        let asked_words = normalise(asked);
        let has_all = |row: &NonprofitHit| {
            let own = words_of(&row.organization);
            asked_words.split(' ').all(|word| !tells(word) || has_stem(&own, word))
        };
        let count = if rows.iter().any(has_all) { count } else { 0 };
        let phrase = match (count, names.is_empty()) {
            (_, true) => Phrase::new("which_one.nobody"),
            (0, false) => Phrase::new("which_one.none").with("names", names),
            (_, false) => Phrase::new("which_one").with("names", Value::Any(names)),
        };
        let message = phrase.with("asked", asked).say(self.language);
        if !rows.is_empty() {
            self.conversation.show_nonprofits(rows.iter().map(|row| row.organization.ein), 0);
            self.conversation.pending = Some(self.request.facts());
        }
        let named = NonprofitRef { name: Some(asked.to_owned()), ein: None };
        let answer = self.told(Intent::NonprofitDetails, message)?;
        let first = rows.iter().take(2).map(|row| &row.organization);
        let mut suggestions: Vec<_> =
            first.map(|one| suggest::details_of(one, Language::English)).collect();
        if suggestions.is_empty() {
            suggestions.clone_from(&answer.suggestions);
        }
        Ok(Answer { nonprofits: rows, named: Some(named), suggestions, ..answer })
    }
}

/// The name of the phrase for who has most or least.
fn most_of(sort: Sort) -> String {
    let way = if sort.descending { "down" } else { "up" };
    format!("most.{}.{way}", sort.key.name())
}
