//! Groups of the nonprofits that were asked for or counted: by county, by field, by kind of 501(c); and which of the
//! groups counted last has most.

use std::ops::Range;

use super::phrase::{phrase, text};
use super::such::such_of;
use super::sums::{CountedSet, is_counting, value_of};
use super::{Answer, Asks, DialogueAct, Intent, ROWS, Result, Turn, says_any};
use crate::index::columns::{Dimension, Distribution};
use crate::naming::normalise;
use crate::query::{Figure, Sort, SortKey};
use crate::reader::{Act, Language, Operation, Role, Span};
use crate::record::{Month, Organization};
use crate::search::aggregate::{self, Aggregation, Order, OrderKey, aggregate};
use crate::search::listing::Paging;
use crate::search::nonprofits::{self, Query, RelevanceQuery};
use crate::taxonomy::{self, Cause};
use crate::text::place_in;
use crate::understand::{
    NamedDimension, grouped_by, is_generic, is_kind_word, said_in, says, tells,
};

/// Groups that a sentence names.
const GROUPS_NAMED: usize = 8;
/// Years of a decade.
const DECADE_YEARS: u16 = 10;

impl Turn<'_> {
    /// Reads what is asked of groups: by what they are, and which of those counted are meant.
    pub(super) fn read_groups(&mut self) {
        if let Some(named) = self.groups_asked() {
            for bytes in named.words {
                self.leave_words(bytes);
            }
            self.request.acts = vec![DialogueAct::Groups];
            self.message.intent.label = Asks::Find;
        }
        if is_counting(self.request.act()) || self.speaks_of_count() {
            // `per 1,000 people` is no number of employees.
            for bytes in said_in(self.text, "people living there") {
                self.leave_words(bytes);
            }
        }
        if is_counting(self.request.act()) {
            self.leave_question();
        }
        // `how much do they have altogether`.
        let is_of_all = self.conversation.nonprofits.len() > 1
            && says(self.text, "they")
            && says(self.text, "sum of all");
        let asks_sum = self.request.asks_fact() && says(self.text, "sum");
        if asks_sum && !self.has(Role::Name) && (is_of_all || self.speaks_of_count()) {
            self.request.acts = vec![DialogueAct::Total];
        }
        if !self.speaks_of_count() {
            return;
        }
        if is_counting(self.request.act()) {
            self.seek_kind_of_those();
            self.message.intent.label = Asks::Find;
            self.message.act.label = Act::On;
        }
    }

    /// Takes the words that say what groups are by for no place, no cause and no order; a place is where to count.
    fn leave_words(&mut self, bytes: Range<usize>) {
        let spans = &mut self.message.spans;
        spans.retain(|span| span.is_apart(&bytes) && !matches!(span.role, Role::Sort | Role::Name));
        let is_left_out = says_any(self.text, &["left out", "removes"]);
        for span in spans.iter_mut().filter(|span| span.role == Role::Place && !is_left_out) {
            span.operation = Operation::Set;
        }
        spans.push(unread(bytes));
        spans.sort_by_key(|span| span.bytes.start);
    }

    /// Takes the words that ask for a count or a sum for no cause: `Maine vs Vermont, how much in total` has none.
    fn leave_question(&mut self) {
        for list in ["how many", "how much", "sum", "field", "difference"] {
            for bytes in said_in(self.text, list) {
                let is_apart = |span: &Span| span.is_apart(&bytes);
                if self.has(Role::Place) && self.message.spans.iter().all(is_apart) {
                    self.message.spans.push(unread(bytes));
                }
            }
        }
        self.message.spans.sort_by_key(|span| span.bytes.start);
    }

    /// What the message asks for groups by, beside a count, a sum, or after one.
    fn groups_asked(&self) -> Option<NamedDimension> {
        let orders = || {
            let sorts = |span: &&str| says(span, "order by");
            self.all_words(Role::Sort).any(|words| sorts(&words)) && !says(self.text, "by group")
        };
        // `what goes in each section of the form`.
        let has_set = self.asks_anew() || !self.conversation.frame.is_empty();
        let is_explained = self.request.act() == DialogueAct::Knowledge;
        let asks = |named: &NamedDimension| {
            (named.is_certain && has_set)
                || says_any(self.text, &["how many", "sum", "breaks down"])
                || (self.speaks_of_count() && !orders())
        };
        grouped_by(self.text).filter(asks).filter(|_| !is_explained || self.speaks_of_count())
    }

    /// `the arts ones there`: a kind of those counted.
    fn seek_kind_of_those(&mut self) {
        let text = self.text;
        for span in self.message.spans.iter_mut().filter(|span| span.role == Role::Reference) {
            let words = &text[span.bytes.clone()];
            let of_kind = words.split(' ').filter(|word| {
                let form = normalise(word);
                tells(&form) && !is_generic(&form)
            });
            let of_kind: Vec<&str> = of_kind.collect();
            let (Some(first), Some(last)) = (of_kind.first(), of_kind.last()) else { continue };
            if of_kind.iter().all(|word| is_kind_word(&normalise(word))) {
                span.bytes = place_in(text, first).start..place_in(text, last).end;
                span.role = Role::Cause;
            }
        }
    }

    /// What was asked for, group by group, the largest first.
    pub(super) fn groups(self) -> Result<Answer> {
        let before = self.conversation.asked.as_ref().and_then(|asked| asked.by);
        let named = grouped_by(self.text).map(|named| named.dimension);
        let Some(by) = named.or(before) else { return self.count() };
        let set = self.counted_set()?;
        let mut figures = self.figures_named();
        let before = self.conversation.asked.as_ref().and_then(|asked| asked.figure);
        if figures.is_empty() && says_any(self.text, &["sum", "how much"]) {
            figures.extend(before);
        }
        let by_sum = figures.first().filter(|_| !says(self.text, "how many"));
        let order = match (by, by_sum) {
            (Dimension::RulingDecade, _) => Order { key: OrderKey::Group, descending: false },
            (_, Some(figure)) => Order { key: OrderKey::Sum(*figure), descending: true },
            _ => Order::DEFAULT,
        };
        let query = aggregate::Query {
            filters: set.filters.clone(),
            group_by: vec![by],
            measures: figures.clone(),
            order,
            paging: Paging { page: 1, size: GROUPS_NAMED + 1 },
        };
        let found = aggregate(self.snapshot, &query)?;
        let said = self.said_groups(&set, by, &found);
        let mut answer = self.counted(set, said, DialogueAct::Groups, &figures)?;
        if let Some(asked) = &mut answer.next.asked {
            asked.by = Some(by);
        }
        Ok(answer)
    }

    /// The sentence on groups: the first by name, of the others how many they are.
    fn said_groups(&self, set: &CountedSet, by: Dimension, found: &Aggregation) -> String {
        let (language, frame) = (self.language, &set.understood.frame);
        let such = such_of(frame, language);
        if found.counted == 0 {
            return phrase!("list.none", such, cause = frame.cause).say(language);
        }
        let is_one_state = frame.state().is_some();
        let rows = found.groups.rows.iter();
        let (known, unknown): (Vec<_>, Vec<_>) = rows
            .map(|row| (label(by, &row.first, is_one_state, language), row))
            .partition(|(label, _)| label.is_some());
        let named: Vec<_> = known.into_iter().take(GROUPS_NAMED).collect();
        let items = named.iter().map(|(label, row)| {
            let sums =
                row.measures.iter().map(|(figure, sum)| self.said_sum_of(*figure, sum, row.count));
            self.item(label.as_deref().unwrap_or_default(), row.count, &sums.collect::<Vec<_>>())
        });
        let items = items.collect::<Vec<_>>().join("; ");
        let unknown: u64 = unknown.iter().map(|(_, row)| row.count).sum();
        let named_in_all: u64 = named.iter().map(|(_, row)| row.count).sum();
        let rest = found.counted - named_in_all - unknown;
        let more = found.groups.total - named.len() as u64 - u64::from(unknown > 0);
        let some = |count: u64| Some(count).filter(|count| *count > 0);
        let name = if set.is_of_rows() { "groups.shown" } else { "groups" };
        phrase!(
            name,
            count = found.counted,
            such,
            cause = frame.cause,
            by = text(&format!("group.{}", by.name()), language),
            items,
            more = some(more),
            rest = some(rest),
            unknown = some(unknown),
        )
        .say(language)
    }

    /// The sum of a figure of a group in a few words.
    fn said_sum_of(&self, figure: Figure, found: &Distribution, count: u64) -> String {
        let what = text(&format!("figure.{}", figure.name()), self.language);
        if found.known == 0 {
            return phrase!("count.no_sum", what).part(self.language);
        }
        let amount = i64::try_from(found.sum).unwrap_or(i64::MAX);
        let amount = value_of(figure, amount);
        let unknown = Some(count - found.known).filter(|unknown| *unknown > 0);
        phrase!("count.sum", amount, what, unknown).part(self.language)
    }

    /// Whether the message asks which of the groups counted last has most, or what their number is beside that of the
    /// people who live there.
    pub(super) fn asks_of_counted(&self) -> bool {
        use DialogueAct as Ask;
        let by_people = says(self.text, "people living there");
        if by_people && (is_counting(self.request.act()) || self.speaks_of_count()) {
            return true;
        }
        let is_of_groups = self.conversation.asked.as_ref().is_some_and(|asked| {
            is_counting(asked.fact)
                && (asked.by.is_some() || self.conversation.frame.places.len() > 1)
        });
        let asks = matches!(self.request.act(), Ask::Compare | Ask::Most | Ask::Which | Ask::Peers);
        let refers = by_people || says_any(self.text, &["which of", "the two", "which groups"]);
        let is_of_these = !self.has(Role::Name) && !self.has(Role::Cause);
        // `which state has more?`
        let asks_most = !is_counting(self.request.act())
            && says(self.text, "of groups")
            && says_any(self.text, &["more or less", "mostly"])
            && self.rank().is_none();
        let is_asked = (asks && refers) || asks_most;
        self.rank_of_counted().is_some() || (is_of_groups && is_asked && is_of_these)
    }

    /// The order by which the message asks for one nonprofit of those that were counted: `which single one is the largest`.
    /// Where groups were counted, it has to say that it asks for a nonprofit.
    fn rank_of_counted(&self) -> Option<Sort> {
        let asked = self.conversation.asked.as_ref().filter(|asked| is_counting(asked.fact))?;
        let is_of_groups = says_any(self.text, &["of groups", "people living there"]);
        let says_one = says(self.text, "one nonprofit")
            || normalise(self.text).split(' ').any(|word| is_generic(word) || is_kind_word(word));
        let is_of_one = !is_of_groups && (says_one || asked.by.is_none());
        let asks = matches!(
            self.request.act(),
            DialogueAct::Most | DialogueAct::Which | DialogueAct::Compare
        );
        let is_asked = asks && is_of_one && !self.has(Role::Name) && !self.asks_anew();
        self.rank().filter(|sort| is_asked && matches!(sort.key, SortKey::Figure(_)))
    }

    /// The first by an order of all that were counted.
    fn most_of_counted(self, sort: Sort) -> Result<Answer> {
        let asked = self.conversation.asked.clone();
        let mut set = self.counted_set()?;
        if set.is_of_rows() {
            return self.most();
        }
        let query = Query::of(set.filters.clone(), RelevanceQuery::default(), ROWS);
        set.found = nonprofits::search(
            self.snapshot,
            &Query { sort: vec![nonprofits::Order::By(sort)], ..query },
        )?;
        let Some(first) = set.found.rows.first().map(|row| row.organization.clone()) else {
            return self.most();
        };
        let message = self.said_most("most", &first, sort, 1);
        let fact = asked.as_ref().map_or(DialogueAct::Count, |asked| asked.fact);
        let mut answer = self.counted(set, message, fact, &[])?;
        // `and Wyoming?` asks for what was counted before.
        answer.next.asked = asked;
        answer.next.focus = Some(first.ein);
        Ok(answer)
    }

    /// The one nonprofit of those counted last that is asked for, else their groups, the one with most first.
    pub(super) fn of_counted(mut self) -> Result<Answer> {
        if let Some(sort) = self.rank_of_counted() {
            return self.most_of_counted(sort);
        }
        let language = self.language;
        let by_people = says(self.text, "people living there");
        let before = self.conversation.asked.as_ref().and_then(|asked| asked.figure);
        let figures = match by_people {
            true => before.into_iter().collect(),
            false => self.figures_named(),
        };
        if !self.asks_anew() {
            self.message.spans.clear();
        }
        if self.conversation.asked.as_ref().is_some_and(|asked| asked.by.is_some()) {
            return match by_people {
                true => self.reply(Intent::FindNonprofits, "groups.people"),
                false => self.groups(),
            };
        }
        let set = self.counted_set()?;
        let mut items = self.places_counted(&set, &figures)?;
        items.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let items: Vec<String> = items.into_iter().map(|(_, item)| item).collect();
        let items = items.join("; ");
        let counts = match items.is_empty() {
            true => {
                let such = such_of(&set.understood.frame, language);
                let count = self.chosen_by(&set.filters)?.count();
                phrase!("count", count, such, cause = set.understood.frame.cause).say(language)
            }
            false => phrase!("groups.places", items).say(language),
        };
        let said = match by_people {
            true => format!("{} {counts}", text("groups.people", language)),
            false => counts,
        };
        self.counted(set, said, DialogueAct::Count, &figures)
    }
}

/// Words that say nothing to find.
fn unread(bytes: Range<usize>) -> Span {
    Span::told(Role::Unread, bytes, Operation::Set)
}

/// What the group of an organization is called; `None` where its value is not known.
fn label(
    by: Dimension,
    one: &Organization,
    is_one_state: bool,
    language: Language,
) -> Option<String> {
    let address = &one.address;
    let placed = |place: &Option<String>| {
        let place = place.as_ref()?;
        let state = address.state.filter(|_| !is_one_state);
        Some(state.map_or(place.clone(), |state| format!("{place}, {state}")))
    };
    match by {
        Dimension::State => Some(address.state?.name().to_owned()),
        Dimension::County => placed(&address.county),
        Dimension::City => placed(&address.city),
        Dimension::Ntee => Some(taxonomy::issue_area(one.ntee?)?.to_owned()),
        Dimension::NteeCode => Some(format!("{} ({})", taxonomy::title(one.ntee?)?, one.ntee?)),
        Dimension::IssueArea => Some(Cause::of(one)?.issue_area()?.to_owned()),
        Dimension::Size => Some(text(&format!("size.{}", one.size()?.name()), language).to_owned()),
        Dimension::Subsection => Some(format!("501(c)({})", one.exemption.subsection?.number())),
        Dimension::Foundation => {
            let not = if one.is_private_foundation()? { "" } else { ".not" };
            Some(text(&format!("group.foundation{not}"), language).to_owned())
        }
        Dimension::RulingDecade => {
            let decade = |month: Month| month.year() / DECADE_YEARS * DECADE_YEARS;
            one.exemption
                .ruling
                .map(|month| phrase!("group.decade", year = decade(month)).part(language))
        }
    }
}
