//! Those that were shown: facts of several, which one is the largest, which have something, how many there are and what
//! they add up to, side by side, and why they were shown.

use super::facts::{Profile, cause};
use super::list::{ROWS_NAMED, figure_of};
use super::phrase::{Phrase, Value, text};
use super::referents::{Referents, first_by};
use super::such::such_of;
use super::{Answer, Intent, NonprofitRef, SearchError, Turn, suggest};
use crate::naming::normalise;
use crate::query::{Figure, Sort, SortKey};
use crate::reader::{DialogueAct, Language, Operation, Role};
use crate::record::{Ein, OrgId, Organization};
use crate::search::interpret::Interpretation;
use crate::search::nonprofits::{NonprofitHit, NonprofitPage};
use crate::search::sentence::words_of;
use crate::taxonomy;
use crate::understand::{Step, has_stem, says, tells};

/// Nonprofits that one answer compares, and of which it tells a fact each.
const COMPARED_MAX: usize = 5;
/// Nonprofits of a list that are compared where it is not said which.
const COMPARED_OF_LIST: usize = 3;
/// Nonprofits that an answer names as having something.
const HAVING_NAMED: usize = 6;

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
    /// What is asked of those shown beside a new list: whether the message changes what is looked for.
    pub(super) fn asks_anew(&self) -> bool {
        let says = |role| self.message.spans.iter().any(|span| span.role == role);
        self.message
            .spans
            .iter()
            .any(|span| span.role == Role::Cause && span.operation != Operation::Not)
            || says(Role::Place)
            || says(Role::Near)
    }

    fn profile(&self, ein: Ein) -> Result<Option<Profile<'_>>, SearchError> {
        let profile = Profile::of(self.snapshot, ein, self.language, self.text)?;
        Ok(profile.map(|profile| Profile { year: self.year(), ..profile }))
    }

    /// The same few facts of several nonprofits, one after another; the list stays.
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
            return self.said(Intent::NonprofitDetails, "which.unknown");
        }
        let message = format!("{}.", said.join("; "));
        self.conversation.asked = self.fact_question();
        let shown = self.records(&eins[..eins.len().min(COMPARED_MAX)])?;
        self.of_organizations(shown, message)
    }

    /// An answer of some nonprofits in words; lists that were shown stay.
    fn of_organizations(
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

    /// Which of those shown has most or least of something; of a new list the first.
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
            return self.said(Intent::NonprofitDetails, "most.unknown");
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

    /// Which of those shown do or have something.
    pub(super) fn which(self) -> Result<Answer, SearchError> {
        let says_where = self.words(Role::Place).is_some();
        if says_where || self.conversation.nonprofits.is_empty() {
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

    /// Those whose name, code or mission has words of what is asked for, of each thing that is.
    fn which_do(self, shown: &[Organization], asked: &[String]) -> Result<Answer, SearchError> {
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
        self.of_organizations(all, said.join(" "))
    }

    /// Those of which a fact is known.
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

    /// How many there are of what is asked for.
    pub(super) fn count(self) -> Result<Answer, SearchError> {
        let (understood, found) = self.asked_or_shown()?;
        let set = self.counted(&understood, &found)?;
        let frame = &understood.frame;
        let mut said = Vec::new();
        let count = match &set {
            Some(set) => set.len() as u64,
            None => found.plan.fit.map_or(found.total, |fit| fit.count),
        };
        let name = if set.is_some() { "count" } else { "count.about" };
        let cause = frame.cause.as_ref();
        let such = such_of(frame, self.language);
        said.push(
            Phrase::new(name)
                .with("count", count)
                .with("such", such)
                .with_some("cause", cause)
                .say(self.language),
        );
        if let (Some(_), true) = (&set, frame.places.len() > 1) {
            let mut each = Vec::new();
            for place in &frame.places {
                let mut part = understood.clone();
                part.frame.places = vec![place.clone()];
                let of_place = self.counted(&part, &found)?.unwrap_or_default().len();
                let line = Phrase::new("count.each").with("place", &place.name);
                each.push(line.with("count", of_place).part(self.language));
            }
            said.push(format!("{}.", each.join("; ")));
        }
        self.listed(&understood, found, 1, said.join(" "))
    }

    /// What those asked for, or shown, add up to.
    pub(super) fn total(self) -> Result<Answer, SearchError> {
        let figure = match self.request.fact {
            Some(DialogueAct::Assets) => Figure::Assets,
            Some(DialogueAct::Expenses) => Figure::Expenses,
            Some(DialogueAct::Employees) => Figure::Employees,
            _ => Figure::Revenue,
        };
        let (understood, found) = self.asked_or_shown()?;
        let set = self.counted(&understood, &found)?;
        let (values, all) = match &set {
            Some(set) => {
                let organizations = self.snapshot.columns.amounts(set, figure)?;
                (organizations.iter().copied().flatten().collect::<Vec<i64>>(), set.len())
            }
            None => {
                let shown = self.records(&self.conversation.nonprofits)?;
                let of = shown.iter().filter_map(|one| figure_of(one, figure));
                (of.map(|value| value as i64).collect(), shown.len())
            }
        };
        let what = text(&format!("figure.{}", figure.name()), self.language);
        let unknown = all - values.len();
        let sum: i64 = values.iter().sum();
        let name = match (values.is_empty(), set.is_some()) {
            (true, _) => "total.none",
            (false, true) => "total",
            (false, false) => "total.shown",
        };
        let sum = if figure == Figure::Employees {
            Value::Count(sum.unsigned_abs())
        } else {
            Value::Dollars(sum)
        };
        let mut said = vec![
            Phrase::new(name)
                .with("amount", sum)
                .with("what", what)
                .with("count", all)
                .with("such", such_of(&understood.frame, self.language))
                .with_some("unknown", (unknown > 0).then_some(unknown))
                .say(self.language),
        ];
        if let Some(middle) = median(values).filter(|_| figure != Figure::Employees) {
            said.push(
                Phrase::new("total.middle").dollars("amount", Some(middle)).say(self.language),
            );
        }
        self.listed(&understood, found, 1, said.join(" "))
    }

    /// What the message asks for anew, or what was shown last.
    fn asked_or_shown(&self) -> Result<(Interpretation, NonprofitPage), SearchError> {
        let changes = self.asks_anew() || !self.message.spans.is_empty();
        let mut understood = self.interpret(Some(self.text).filter(|_| changes))?;
        if understood.frame.is_empty() {
            understood = self.interpret(None)?;
        }
        if understood.step == Some(Step::New) && !self.asks_anew() {
            understood = self.interpret(None)?;
        }
        let found = self.page_of(&mut understood, 1)?;
        Ok((understood, found))
    }

    /// All that filters and the codes of the cause select; `None` where no code says all of the cause.
    fn counted(
        &self,
        understood: &Interpretation,
        found: &NonprofitPage,
    ) -> Result<Option<Vec<OrgId>>, SearchError> {
        let frame = &understood.frame;
        if frame.cause.is_some() && !frame.cause_is_term {
            return Ok(None);
        }
        if found.rows.is_empty() && frame.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let mut set = self.snapshot.columns.select(&frame.filters())?.matching;
        if frame.cause.is_some() {
            self.snapshot.columns.keep_ntee(&mut set, &frame.cause_ntee)?;
        }
        Ok(Some(set.iter().collect()))
    }

    /// Those that are named or were shown, side by side.
    pub(super) fn compare(mut self) -> Result<Answer, SearchError> {
        let explicit = self.explicit_referents()?;
        let refers = says(self.text, "of it") || says(self.text, "those shown");
        let refers = refers || says(self.text, "the two") || self.words(Role::Reference).is_some();
        if explicit == Referents::Nobody && !refers && says(self.text, "difference") {
            // Of two kinds of things, not of two nonprofits.
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
            // It and whoever was spoken of, else the first two.
            let others = self.conversation.focus.into_iter().chain(shown.iter().copied().take(2));
            eins.extend(others.filter(|ein| !eins.contains(ein)).collect::<Vec<_>>());
            eins.truncate(2);
        }
        eins.truncate(COMPARED_MAX);
        let organizations = self.records(&eins)?;
        if organizations.len() < 2 {
            return self.said(Intent::NonprofitDetails, "nothing_to_compare");
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

    /// A fact of several nonprofits in a line; `None` where it is known of none of them.
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

    /// Why the rows were shown, and why the first stands first.
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

    /// That the last list has no such number.
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

    /// Those that may be meant, to choose from; the next message is read as the choice.
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
        // Nobody of those near is called so.
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

/// The name of the phrase that says who has most or least.
fn most_of(sort: Sort) -> String {
    let way = if sort.descending { "down" } else { "up" };
    format!("most.{}.{way}", sort.key.name())
}

/// The middle of some amounts, of two the mean.
fn median(mut values: Vec<i64>) -> Option<i64> {
    if values.len() < 2 {
        return None;
    }
    values.sort_unstable();
    let middle = values.len() / 2;
    Some(match values.len() % 2 {
        0 => values[middle - 1].midpoint(values[middle]),
        _ => values[middle],
    })
}
