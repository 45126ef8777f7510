//! Resolves which nonprofit a message is about: one by EIN or name, one of those shown by number, rank, name, place
//! or kind, or the one mentioned last. A name that was shown wins over every other reading of its words.

use super::ordered::in_order;
use super::several::eins_in;
use super::spelling::{is_of_name, is_spelled_as, words_of_names};
use super::{Result, Turn, says_any, worded};
use crate::naming::normalise;
use crate::query::Filters;
use crate::reader::{DialogueAct, Reader, Role, Topic};
use crate::record::{Ein, Organization};
use crate::search::details::details;
use crate::search::nonprofits::{self, Query, RelevanceQuery};
use crate::search::sentence::words_of;
use crate::understand::{
    self, Conversation, NameUse, Names as _, Question, Which, ordinals, says, tells,
};

/// Nonprofits shown before whose names a message is compared with, the latest first.
const SEEN_COMPARED_MAX: usize = 40;
/// Words that may stand before a name in a side of a comparison.
const LEADING_WORDS_MAX: usize = 6;

/// A name of this many organizations; with none, no organization in the data has it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UnresolvedName {
    pub(super) asked: String,
    pub(super) count: usize,
}

/// The nonprofits that a message is about.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Referents {
    /// The message names none.
    Nobody,
    Of(Vec<Ein>),
    /// A number that the list lacks.
    Beyond(usize),
    /// A name that is not resolved to one organization.
    Called(UnresolvedName),
}

impl Turn<'_> {
    /// The nonprofits that the message is about; the one mentioned last if it names none.
    pub(super) fn referents(&self) -> Result<Referents> {
        match self.explicit_referents()? {
            Referents::Nobody => match self.unknown_name()? {
                Some(asked) => Ok(Referents::Called(UnresolvedName { asked, count: 0 })),
                None => Ok(self.by_pronoun()),
            },
            found => Ok(found),
        }
    }

    /// The nonprofits that the message names or describes.
    pub(super) fn explicit_referents(&self) -> Result<Referents> {
        let typed = eins_in(self.text);
        if !typed.is_empty() {
            return Ok(Referents::Of(typed));
        }
        let shown = self.records(&self.conversation.nonprofits)?;
        if let Some(found) = self.by_number() {
            return Ok(found);
        }
        let seen = self.seen()?;
        let named = self.by_name_shown(&seen)?;
        // `the methodist one - how old`: by its name, and by no order.
        let is_one = named.len() == 1 && says(self.text, "one of those");
        let ranked = if is_one { Vec::new() } else { self.by_rank(&shown) };
        if !ranked.is_empty() {
            let others = named.into_iter().filter(|ein| !ranked.contains(ein));
            return Ok(Referents::Of(others.chain(ranked.iter().copied()).collect()));
        }
        if let Some(one) = self.by_description(&shown)? {
            return Ok(Referents::Of(vec![one]));
        }
        let (mut called, unsure) = self.by_name(&named, &seen)?;
        if let Some(unsure) = unsure {
            return Ok(Referents::Called(unsure));
        }
        called.dedup();
        for ein in self.named_beside(named, &called, &seen) {
            if !called.contains(&ein) {
                called.push(ein);
            }
        }
        Ok(if called.is_empty() { Referents::Nobody } else { Referents::Of(called) })
    }

    /// Of those shown that words of the message name, those of whom it has words outside of a name that is somebody else's:
    /// `is Crossroads Rhode Island legit` is not about the Rhode Island Youth Theatre shown before.
    fn named_beside(&self, shown: Vec<Ein>, called: &[Ein], seen: &[Organization]) -> Vec<Ein> {
        if called.is_empty() || !self.has(Role::Name) {
            return shown;
        }
        let outside = normalise(&self.blanked(|role| matches!(role, Role::Name | Role::Place)));
        let is_told = |one: &Organization| {
            let own = words_of_names(one);
            let mut words = outside.split(' ').filter(|word| is_of_name(word));
            words.any(|word| own.iter().any(|own| own == word))
        };
        let has_words = |ein: &Ein| seen.iter().any(|one| one.ein == *ein && is_told(one));
        shown.into_iter().filter(|ein| called.contains(ein) || has_words(ein)).collect()
    }

    /// The EINs that the data has, in their order.
    pub(super) fn records(&self, eins: &[Ein]) -> Result<Vec<Organization>> {
        let mut found = Vec::new();
        for ein in eins {
            found.extend(details(self.snapshot, *ein)?);
        }
        Ok(found)
    }

    /// The nonprofits shown or mentioned, the latest first.
    pub(super) fn seen(&self) -> Result<Vec<Organization>> {
        let seen = self.conversation.seen.iter().rev().take(SEEN_COMPARED_MAX);
        self.records(&seen.copied().collect::<Vec<_>>())
    }

    /// `the second one`, `the first two`, `the last`.
    pub(super) fn by_number(&self) -> Option<Referents> {
        let shown = &self.conversation.nonprofits;
        // `last one is the Red Cross`: who is named is not counted.
        let counts = !self.has(Role::Name);
        let mut which = if counts { ordinals(&self.unclaimed()) } else { Vec::new() };
        if which.is_empty() {
            which = self.referred();
            which.retain(|one| *one != Which::That);
        }
        let at = |which: &Which| match which {
            Which::Nth(number) => shown.get(number.checked_sub(1)?).copied(),
            Which::Last => shown.last().copied(),
            Which::That => None,
        };
        let found: Vec<Ein> = which.iter().filter_map(at).collect();
        match (&which[..], found.is_empty()) {
            ([], _) => None,
            (_, false) => Some(Referents::Of(found)),
            ([Which::Nth(number), ..], true) => Some(Referents::Beyond(*number)),
            _ => None,
        }
    }

    /// The text with the spans that ask for values blanked out.
    pub(super) fn unclaimed(&self) -> String {
        let is_free = |role| {
            matches!(
                role,
                Role::Reference | Role::Unread | Role::Sort | Role::Count | Role::Nothing
            )
        };
        self.blanked(|role| !is_free(role))
    }

    /// The text with the spans of some roles blanked out.
    pub(super) fn blanked(&self, is_blank: impl Fn(Role) -> bool) -> String {
        self.message.blanked(self.text, |span| is_blank(span.role))
    }

    /// Of those shown, in the place if one is named, the one with most or least of a figure, or as many as are asked for.
    fn by_rank(&self, shown: &[Organization]) -> Vec<Ein> {
        // `its biggest donors` are of the one that was mentioned last.
        let is_of_focus = self.conversation.focus.is_some() && says(self.text, "possessive");
        // `is Friends of Acadia older than Maine Farmland Trust` asks of these two.
        let is_of_named = self.all_words(Role::Name).count() > 1;
        let is_ranked = shown.len() > 1 && !is_of_focus && !is_of_named;
        let Some(sort) = self.rank().filter(|_| is_ranked) else { return Vec::new() };
        let asked = self.asked_in_order(in_order(&self.in_place_said(shown), sort));
        asked.into_iter().map(|one| one.ein).collect()
    }

    /// Those in the place of the message; without one, all.
    fn in_place_said<'o>(&self, shown: &'o [Organization]) -> Vec<&'o Organization> {
        let says_place = self.has(Role::Place);
        shown.iter().filter(|one| !says_place || self.is_in_place(one)).collect()
    }

    /// `the one in Little Rock that gives goats`: of those in the place, the one that best fits the description.
    fn by_description(&self, shown: &[Organization]) -> Result<Option<Ein>> {
        if let Some(one) = self.by_town(shown) {
            return Ok(Some(one));
        }
        let says_place = self.has(Role::Place);
        let cause: Vec<&str> = self.all_words(Role::Cause).collect();
        let cause = cause.join(" ");
        if (!says_place && cause.is_empty()) || !says(self.text, "one of those") {
            return Ok(None);
        }
        let mut there = self.in_place_said(shown);
        // `and the one in Alamogordo`, of a list before.
        let seen = if there.is_empty() { self.seen()? } else { Vec::new() };
        there.extend(self.in_place_said(&seen));
        if cause.is_empty() || there.len() < 2 {
            return Ok(there.first().filter(|_| says_place).map(|one| one.ein));
        }
        let words = normalise(&cause);
        let fits = |one: &&Organization| {
            let own = words_of(one);
            words.split(' ').any(|word| tells(word) && understand::has_stem(&own, word))
        };
        if !says_place && !there.iter().any(fits) {
            return Ok(None);
        }
        let eins = there.iter().map(|one| one.ein).collect();
        let filters = Filters { eins, ..Filters::default() };
        let query = Query::of(filters, RelevanceQuery::text(cause), 1);
        let found = nonprofits::search(self.snapshot, &query)?.rows;
        Ok(found.first().map(|row| row.organization.ein))
    }

    /// `the Whitesburg one`: the first of those shown in the town of the reference.
    fn by_town(&self, shown: &[Organization]) -> Option<Ein> {
        let said = self.all_words(Role::Reference).map(normalise);
        let said: Vec<String> = said.map(|said| format!(" {said} ")).collect();
        let is_there = |one: &&Organization| {
            let town = one.address.city.as_deref().map(normalise);
            town.is_some_and(|town| said.iter().any(|said| said.contains(&format!(" {town} "))))
        };
        shown.iter().find(is_there).map(|one| one.ein)
    }

    /// Whether an organization is in the place of the message.
    pub(super) fn is_in_place(&self, organization: &Organization) -> bool {
        let address = &organization.address;
        let state = address.state.map(|state| [state.name().to_owned(), state.code().to_owned()]);
        let own =
            address.city.iter().chain(&address.county).cloned().chain(state.into_iter().flatten());
        let own: Vec<String> = own.map(|name| normalise(&name)).collect();
        let mut said = self.all_words(Role::Place).map(normalise);
        said.any(|said| {
            let first = said.split(',').next().unwrap_or_default().trim().to_owned();
            own.iter().any(|name| {
                *name == said || *name == first || said.starts_with(&format!("{name} "))
            })
        })
    }

    /// The nonprofits named by the spans of names, and one name that stays ambiguous.
    fn by_name(
        &self,
        shown: &[Ein],
        seen: &[Organization],
    ) -> Result<(Vec<Ein>, Option<UnresolvedName>)> {
        let (mut eins, mut unsure) = (Vec::new(), None);
        for found in self.named_organizations()? {
            if let Some(one) = all_words_of(&found, seen) {
                eins.push(one);
                continue;
            }
            match self.resolved(found)? {
                Ok(ein) => eins.push(ein),
                Err(name) => unsure = unsure.or(Some(name)),
            }
        }
        // The other side of a comparison may be a name in small letters (`compare with so others might eat`).
        let lacks_side = self.request.act() == DialogueAct::Compare && eins.len() < 2;
        if lacks_side || (eins.is_empty() && shown.is_empty()) {
            let whole = self.by_whole_name()?.into_iter();
            eins.extend(whole.filter(|ein| !eins.contains(ein)).collect::<Vec<_>>());
        }
        if eins.is_empty() && shown.is_empty() && !(self.vouches() && unsure.is_some()) {
            eins.extend(self.called_in_passing()?);
        }
        if let Some(name) = unsure.as_ref().filter(|_| eins.is_empty() && shown.is_empty()) {
            eins.extend(self.giant(&name.asked)?);
        }
        // A name is never taken for another, but the words of a name shown before identify it.
        let is_sure = !shown.is_empty() || !eins.is_empty() || says(self.text, "half remembered");
        let unsure = unsure.filter(|_| !is_sure);
        Ok((eins, unsure))
    }

    /// The names in the message: its spans of names or, for a question about one nonprofit, the question's subject.
    fn named_organizations(&self) -> Result<Vec<understand::Organization>> {
        let mut found = Vec::new();
        for asked in self.all_words(Role::Name) {
            let asked = asked.trim();
            found.push(understand::named_organization(asked, NameUse::Itself, self.snapshot)?);
        }
        let is_known = |one: &understand::Organization| one.ein.is_some();
        if found.is_empty() || found.iter().any(is_known) {
            return Ok(found);
        }
        let of_act = |act: &DialogueAct| TOPICS.into_iter().find(|(_, own)| own == act);
        let mut topic = self.request.acts.iter().find_map(of_act).map(|(topic, _)| topic);
        if self.request.act() == DialogueAct::Knowledge {
            topic =
                Reader::shared()?.question(self.text, &self.message)?.map(|one| one.topic.label);
        }
        let Some(topic) = topic.filter(|topic| act_of(*topic).is_some()) else { return Ok(found) };
        let asked = Question::of_topic(self.snapshot, self.text, &self.message, topic)?;
        Ok(asked.whom.filter(is_known).map_or(found, |whom| vec![whom]))
    }

    /// The nonprofits whose names are exactly clauses of the message, apart from words without meaning.
    fn by_whole_name(&self) -> Result<Vec<Ein>> {
        let mut found = Vec::new();
        let clauses: Vec<&str> = match self.request.act() {
            DialogueAct::Compare => understand::sides(self.text),
            act if act.is_fact() => {
                let clauses = understand::clauses(self.text).into_iter();
                clauses.map(|clause| &self.text[clause]).collect()
            }
            _ => Vec::new(),
        };
        for clause in clauses {
            let form = normalise(clause);
            let words: Vec<&str> = form.split(' ').collect();
            let is_told_word = |word: &&str| tells(word) && !says(word, "said of names");
            let first = words.iter().position(is_told_word);
            let last = words.iter().rposition(is_told_word);
            let Some((first, last)) = first.zip(last) else { continue };
            // `the program share of Sojourners`: of a side of a comparison, the name may be its end.
            let is_side = self.request.act() == DialogueAct::Compare;
            let end = if is_side { last.min(first + LEADING_WORDS_MAX) } else { first };
            let is_titled = clause.trim_start().rsplit(' ').next();
            let is_titled = is_titled.is_some_and(|word| word.starts_with(char::is_uppercase));
            let stretches = (first..=end).map(|first| &words[first..=last]);
            let stretches = stretches.filter(|words| words.len() > 1 || (is_side && is_titled));
            for asked in stretches.map(|words| words.join(" ")).chain([form.clone()]) {
                if worded::is_of_finances(&asked) {
                    continue;
                }
                if let Some(one) = self.snapshot.named(&asked)?.sure_by_all() {
                    found.push(one.ein);
                    break;
                }
            }
        }
        Ok(found)
    }

    /// `either of them`: the first of those shown and who was spoken of before, else the first two.
    pub(super) fn last_two(&self) -> Vec<Ein> {
        let Conversation { nonprofits: shown, seen, focus, .. } = &self.conversation;
        let first = focus.or(shown.first().copied());
        let before = seen.iter().rev().filter(|ein| !shown.contains(ein));
        let others = before.chain(shown).filter(|ein| Some(**ein) != first);
        first.into_iter().chain(others.copied()).take(2).collect()
    }

    /// `these`, `they` and `it`.
    fn by_pronoun(&self) -> Referents {
        let shown = &self.conversation.nonprofits;
        let refers = self.has(Role::Reference);
        let of_focus = self.conversation.focus.map(|focus| Referents::Of(vec![focus]));
        match of_focus {
            _ if says(self.text, "one of two") && !shown.is_empty() => {
                Referents::Of(self.last_two())
            }
            _ if !shown.is_empty()
                && says_any(self.text, &["those shown", "each of those"])
                && !says(self.text, "those years") =>
            {
                Referents::Of(shown.clone())
            }
            Some(focus) => focus,
            None if shown.is_empty() || self.conversation.of_candidates => Referents::Nobody,
            None if says(self.text, "they") && !says(self.text, "one thing") => {
                Referents::Of(shown.clone())
            }
            None if shown.len() == 1 || refers || says(self.text, "one thing") => {
                Referents::Of(vec![shown[0]])
            }
            None => Referents::Nobody,
        }
    }
}

/// The only nonprofit seen before whose name has all words of a name not resolved yet.
pub(super) fn all_words_of(
    called: &understand::Organization,
    seen: &[Organization],
) -> Option<Ein> {
    let asked = normalise(&called.asked);
    let has_all = |one: &&Organization| {
        let name = normalise(&one.name);
        let has = |word: &str| name.split(' ').any(|own| is_spelled_as(word, own));
        asked.split(' ').filter(|word| tells(word)).all(has)
    };
    let mut those = seen.iter().filter(has_all).filter(|_| called.ein.is_none());
    those.next().filter(|_| those.next().is_none()).map(|one| one.ein)
}

/// The questions about money, people and relations, and the facts that they ask for.
const TOPICS: [(Topic, DialogueAct); 6] = [
    (Topic::GrantsBy, DialogueAct::GrantsMade),
    (Topic::GrantsTo, DialogueAct::GrantsReceived),
    (Topic::Board, DialogueAct::Leaders),
    (Topic::Pay, DialogueAct::Pay),
    (Topic::Family, DialogueAct::Family),
    (Topic::Peers, DialogueAct::Peers),
];

/// The fact that a question of a topic asks for; `None` for the funders of a cause.
pub(super) fn act_of(topic: Topic) -> Option<DialogueAct> {
    TOPICS.into_iter().find(|(own, _)| *own == topic).map(|(_, act)| act)
}
