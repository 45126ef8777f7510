//! The order that a message speaks of, and a fact of each of those shown in it: `how old are they? oldest first`.

use super::list::{ROWS_NAMED, figure_of, largest_by, order_of};
use super::phrase::{phrase, text};
use super::worded::is_of_order;
use super::{Answer, Conversation, Intent, Result, Turn, opens_with, says_any};
use crate::query::{Figure, Sort, SortKey};
use crate::reader::{DialogueAct, Role};
use crate::record::{FilingDuty, Organization};
use crate::understand::{count_in_order, measures_in, place_in_order, says, sort_of, superlative};

/// Words of a question that compares the last two spoken of.
const COMPARING_WORDS_MAX: usize = 5;

/// A fact of those shown, and what they are ordered by.
pub(super) struct FactOrder {
    fact: DialogueAct,
    sort: Sort,
}

impl Turn<'_> {
    /// The order that the message speaks of: `the bigger one`, `la más grande`.
    pub(super) fn rank(&self) -> Option<Sort> {
        let sort = self.message.spans.iter().find_map(sort_of);
        let sort = sort.or_else(|| superlative(&self.unclaimed()))?;
        // `¿cuál tiene más ingresos?`: the figure that is named, whatever the reader takes it for.
        Some(match (sort.key, &measures_in(self.text)[..]) {
            (SortKey::Figure(read), [named]) if read != Figure::RulingYear => {
                Sort { key: SortKey::Figure(*named), ..sort }
            }
            _ => self.in_measure_of_talk(sort),
        })
    }

    /// Which of those shown has most or least of a figure; in a new list the first.
    pub(super) fn most(mut self) -> Result<Answer> {
        if !self.conversation.nonprofits.is_empty() && says(self.text, "nearest of those") {
            return self.addresses();
        }
        if let Some(answer) = self.of_one_there()? {
            return Ok(answer);
        }
        let by_revenue = Sort::descending(SortKey::Figure(Figure::Revenue));
        let sort = self.rank().unwrap_or_else(|| self.in_measure_of_talk(by_revenue));
        let SortKey::Figure(figure) = sort.key else { return self.search() };
        if self.asks_anew() || self.conversation.nonprofits.is_empty() {
            return self.most_of_anew(sort);
        }
        let shown = self.records(&self.conversation.nonprofits)?;
        let all: Vec<&Organization> = shown.iter().collect();
        // Of foundations the master file has no revenue.
        let of_assets = Sort { key: SortKey::Figure(Figure::Assets), ..sort };
        let may_be_assets = figure == Figure::Revenue;
        let (found, sort, figure) = match self.asked_in_order(in_order(&all, sort)) {
            found if found.is_empty() && may_be_assets => {
                (self.asked_in_order(in_order(&all, of_assets)), of_assets, Figure::Assets)
            }
            found => (found, sort, figure),
        };
        let name = if shown.len() > 1 { "most.of" } else { "most.only" };
        let mut message = match &found[..] {
            [] => return self.reply(Intent::NonprofitDetails, "most.unknown"),
            [one] => self.said_most(name, one, sort, shown.len()),
            several => self.said_in_order("most.several", several, sort, shown.len()),
        };
        let remark = self.remark_on_unknown(&all, Sort { key: SortKey::Figure(figure), ..sort });
        message.extend(remark.map(|remark| format!(" {remark}")));
        let found: Vec<Organization> = found.into_iter().cloned().collect();
        if found.len() > 1 {
            // `the first one` is the first of these.
            let eins = found.iter().map(|one| one.ein);
            self.conversation.show_nonprofits(eins, found.len() as u64);
            return self.of_organizations(found, message);
        }
        self.conversation.focus = found.first().map(|one| one.ein);
        self.of_organizations(found, message)
    }

    /// The first of a list that the message asks for, by its order.
    fn most_of_anew(self, sort: Sort) -> Result<Answer> {
        let mut understood = self.interpret(Some(self.text))?;
        understood.frame.sort = vec![sort];
        understood.kept.sort = vec![sort];
        let found = self.page_of(&mut understood, 1)?;
        let rows = found.rows.iter().map(|row| &row.organization);
        let asked: Vec<&Organization> = self.asked_in_order(rows.collect());
        let (ein, mut message) = match &asked[..] {
            [] => return self.found(understood, 1),
            [one] => (one.ein, self.said_most("most", one, sort, 1)),
            several => {
                (several[0].ein, self.said_in_order("list.facts", several, sort, several.len()))
            }
        };
        if let Some(remark) = self.remark_on_smallest(&mut understood, &found)? {
            message += &format!(" {remark}");
        }
        if let Some(remark) = self.remark_on_country(&understood.frame) {
            message += &format!(" {remark}");
        }
        let mut answer = self.listed(&understood, found, 1, message)?;
        answer.next.focus = Some(ein);
        Ok(answer)
    }

    /// The sentence on the one of `count` nonprofits that has most or least.
    pub(super) fn said_most(
        &self,
        name: &str,
        one: &Organization,
        sort: Sort,
        count: usize,
    ) -> String {
        let way = if sort.descending { "down" } else { "up" };
        let most = text(&format!("most.{}.{way}", sort.key.name()), self.language);
        let is = text("most.is", self.language);
        let value = match sort.key {
            SortKey::Figure(figure) => self.value_of(one, figure),
            _ => None,
        };
        let name_of = &one.name;
        if let place @ 2.. = self.place_in_order() {
            let order = text(&order_of(sort), self.language);
            return phrase!("most.place", name = name_of, place, order, value).say(self.language);
        }
        phrase!(name, count, name = name_of, is, most, value).say(self.language)
    }

    /// The first of `count` nonprofits in an order, each with the figure that orders them.
    pub(super) fn said_in_order(
        &self,
        name: &str,
        first: &[&Organization],
        sort: Sort,
        count: usize,
    ) -> String {
        let item = |one: &&Organization| {
            let value = match sort.key {
                SortKey::Figure(figure) => self.value_of(one, figure),
                _ => None,
            };
            phrase!("most.item", name = one.name, value).part(self.language)
        };
        let items: Vec<String> = first.iter().map(item).collect();
        let order = text(&order_of(sort), self.language);
        phrase!(name, count, order, items = items.join("; ")).say(self.language)
    }

    /// What to mind of nonprofits that lack the figure of an order: of those that file the e-postcard it is known that they
    /// are small. `None` where none lacks it.
    pub(super) fn remark_on_unknown(&self, all: &[&Organization], sort: Sort) -> Option<String> {
        let SortKey::Figure(figure) = sort.key else { return None };
        let lacks_it = |one: &&&Organization| figure_of(one, figure).is_none();
        let files_postcard =
            |one: &&&Organization| one.finances.filing_duty() == Some(FilingDuty::Postcard);
        let names = all.iter().filter(lacks_it).filter(files_postcard).take(ROWS_NAMED);
        let names: Vec<String> = names.map(|one| one.name.clone()).collect();
        let phrase = match all.iter().filter(lacks_it).count() {
            0 => return None,
            _ if !names.is_empty() && !sort.descending && figure.is_money() => {
                phrase!("most.postcard", names)
            }
            count => phrase!("most.partly", count),
        };
        Some(phrase.say(self.language))
    }

    /// Of nonprofits in their order the ones that the message asks for: `the second largest`, `the three oldest`.
    pub(super) fn asked_in_order<'a>(&self, all: Vec<&'a Organization>) -> Vec<&'a Organization> {
        let count = count_in_order(self.text).unwrap_or(1);
        all.into_iter().skip(self.place_in_order() - 1).take(count).collect()
    }

    /// The place in that order that the message asks for, from 1.
    pub(super) fn place_in_order(&self) -> usize {
        place_in_order(self.text).unwrap_or(1)
    }

    /// An order by size in the measure that was spoken of, where the message names none: after assets, the largest have
    /// most of them.
    pub(super) fn in_measure_of_talk(&self, sort: Sort) -> Sort {
        let frame = &self.conversation.frame;
        let asked = self.conversation.asked.as_ref().and_then(|asked| asked.figure);
        let sorted = frame.sort.iter().find_map(|sort| match sort.key {
            SortKey::Figure(figure) => Some(figure),
            _ => None,
        });
        let spoken_of = asked.or(sorted).filter(|figure| figure.is_money());
        let figure = spoken_of.unwrap_or(largest_by(frame));
        let is_open =
            sort.key == SortKey::Figure(Figure::Revenue) && measures_in(self.text).is_empty();
        if is_open { Sort { key: SortKey::Figure(figure), ..sort } } else { sort }
    }

    /// Two that are named with a comparative are compared: `is A older than B?`; so are the last two spoken of, where only one
    /// is shown: `which is older`.
    pub(super) fn compare_two(&mut self) {
        let are_two = self.all_words(Role::Name).count() > 1 && says(self.text, "against another");
        let is_ranked = self.rank().is_some() || says(self.text, "is paid");
        if (are_two && is_ranked) || self.compares_last_two() {
            self.request.acts = vec![DialogueAct::Compare];
        }
    }

    /// Whether a short question, with one nonprofit shown, is which of it and the one before has more of something.
    fn compares_last_two(&self) -> bool {
        let Conversation { nonprofits: shown, seen, .. } = &self.conversation;
        shown.len() == 1
            && seen.len() > 1
            && self.text.split_whitespace().count() <= COMPARING_WORDS_MAX
            && opens_with(self.text, "question opening")
            && says(self.text, "comparative")
            && !says_any(self.text, &["of it", "against another"])
            && !self.message.spans.iter().any(|span| !is_of_order(span))
    }

    /// The order in which the message asks for a fact of those shown.
    pub(super) fn facts_in_order(&self) -> Option<FactOrder> {
        let is_of_shown = self.conversation.nonprofits.len() > 1
            && says(self.text, "in order")
            && !self.has(Role::Name)
            && !self.asks_anew();
        let sort = self.rank().filter(|_| is_of_shown)?;
        let fact = match self.request.act() {
            act if act.is_fact() => act,
            // `what are their assets, smallest first`.
            DialogueAct::Most if says(self.text, "they") => {
                DialogueAct::named(measures_in(self.text).first()?.name())?
            }
            _ => return None,
        };
        let figure = match fact {
            DialogueAct::Founded => Some(Figure::RulingYear),
            fact => Figure::named(fact.name()),
        };
        let sort = figure.map_or(sort, |figure| Sort { key: SortKey::Figure(figure), ..sort });
        Some(FactOrder { fact, sort })
    }

    /// The list in an order, each row with the fact.
    pub(super) fn ordered_facts(self, FactOrder { fact, sort }: FactOrder) -> Result<Answer> {
        let mut understood = self.interpret(None)?;
        understood.frame.sort = vec![sort];
        understood.kept.sort = vec![sort];
        let mut found = self.page_of(&mut understood, 1)?;
        if understood.frame.cause.is_some() {
            // Others than those shown may not fit the words.
            found = self.ordered(&understood, self.conversation.nonprofits.clone(), found)?;
        }
        let mut items = Vec::new();
        for row in &found.rows {
            let value = self.profile(row.organization.ein)?;
            let value = value.and_then(|profile| profile.value(fact));
            let unknown = || text("compare.unknown", self.language).to_owned();
            let (name, value) = (&row.organization.name, value.unwrap_or_else(unknown));
            items.push(phrase!("which.fact", name, value).part(self.language));
        }
        let order = text(&order_of(sort), self.language);
        let items = items.join("; ");
        let message = phrase!("list.facts", order, items).say(self.language);
        self.listed(&understood, found, 1, message)
    }
}

/// Those with a known value, in an order.
pub(super) fn in_order<'a>(all: &[&'a Organization], sort: Sort) -> Vec<&'a Organization> {
    let SortKey::Figure(figure) = sort.key else { return Vec::new() };
    let known = all.iter().filter_map(|one| Some((figure_of(one, figure)?, *one)));
    let mut known: Vec<(f64, &Organization)> = known.collect();
    known.sort_by(|a, b| if sort.descending { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) });
    known.into_iter().map(|(_, one)| one).collect()
}
