//! Lists of nonprofits: a message understood and searched as by the beta search, and the text about
//! the rows. Only another list with rows replaces a list.

use super::facts::place;
use super::phrase::{Value, dollars, help_beside, phrase, quoted, text};
use super::such::such_of;
use super::{Answer, Intent, NonprofitRef, ROWS, Result, Turn};
use crate::naming::normalise;
use crate::query::{Area, Figure, Flag, Sort, SortKey, Unit};
use crate::reader::{Intent as Asks, Language, Role};
use crate::record::{FilingDuty, Organization, Usd, thousands};
use crate::search::gaps::field_of_flag;
use crate::search::nonprofits::{NonprofitHit, NonprofitPage};
use crate::search::relevance::RANKED_MAX;
use crate::understand::{
    self, Frame, Interpretation, NameUse, NamedPlace, Request, Step, asks_for_several, decode,
    interpret, is_kind_word, says, state_of_circle,
};

/// Rows that a message names.
pub(super) const ROWS_NAMED: usize = 3;
/// The longest unusable phrase that a remark quotes, in words; longer stretches are somebody's story.
const UNREAD_WORDS_MAX: usize = 3;
/// Rows that an ordered list should have: if fewer certainly fit, the likeliest are ordered instead.
const SORTED_MIN: u64 = 5;
/// States that one remark names.
const STATES_NAMED_MAX: usize = 3;

impl Turn<'_> {
    /// The nonprofits that the message describes, or the one that it names.
    pub(super) fn search(self) -> Result<Answer> {
        let understood = self.interpret(Some(self.text))?;
        let heard = &understood.heard.frame;
        if understood.frame.is_empty() && !asks_for_several(self.text) {
            // Nothing in it says what to find.
            return match self.needs_place(&understood.frame) {
                true => self.clone().ask_where_alike()?.map_or_else(|| self.read_alone(), Ok),
                false => self.read_alone(),
            };
        }
        if self.changes_nothing(&understood) {
            return self.reply(Intent::FindNonprofits, "list.unchanged");
        }
        let stands_alone = understood.step == Some(Step::New);
        if let ([ein], true) = (&heard.eins[..], stands_alone) {
            return self.about(&[*ein]);
        }
        let named = heard.organization.as_ref().filter(|_| stands_alone);
        let asks_one = says(self.text, "asks for one") && !asks_for_several(self.text);
        if named.is_none() && asks_one {
            if let Some(ein) = self.called_in_passing()? {
                return self.about(&[ein]);
            }
            if heard.cause.is_some() {
                return self.found_one(understood);
            }
        }
        if let Some(found) = named.filter(|found| found.wanted == NameUse::Itself) {
            // It was looked up with its place; among candidates the name alone is compared.
            let asked = if found.ein.is_some() { &found.asked } else { &found.name };
            let found = understand::Organization { asked: asked.clone(), ..found.clone() };
            return match self.resolved(found)? {
                Ok(ein) => self.details_of(ein),
                Err(name) => self.of_called(name),
            };
        }
        self.found(understood, 1)
    }

    /// Whether a message that goes on says nothing that would change the list shown.
    fn changes_nothing(&self, understood: &Interpretation) -> bool {
        understood.step == Some(Step::Refined)
            && understood.heard.frame.is_empty()
            && understood.kept == self.conversation.frame
            && !self.conversation.nonprofits.is_empty()
            && self.explicit.is_empty()
            && !says(self.text, "shows again")
    }

    /// The rows of the current search, from a page on.
    pub(super) fn list(self, page: u64) -> Result<Answer> {
        let understood = self.interpret(None)?;
        self.found(understood, page)
    }

    pub(super) fn interpret(&self, q: Option<&str>) -> Result<Interpretation> {
        let (earlier, message) = (Some(&self.conversation), Some(&self.message));
        let request = Request { earlier, message, ..Request::of(q, &self.explicit) };
        let mut understood = interpret(self.snapshot, &request)?;
        // Cosines are taken with the message, whatever it changes.
        understood.typed = Some(self.text.to_owned());
        Ok(understood)
    }

    /// An earlier list, which the message may reorder.
    pub(super) fn go_back(mut self) -> Result<Answer> {
        self.message.intent.label = Asks::Undo;
        let mut understood = self.interpret(Some(self.text))?;
        if understood.step == Some(Step::Back) {
            let said = decode(self.text, &self.message, None, self.snapshot)?.heard.frame;
            for frame in [&mut understood.frame, &mut understood.kept] {
                for (figure, range) in said.ranges.bounded() {
                    frame.ranges[figure] = range;
                }
                if !said.choices.sizes.is_empty() {
                    frame.choices.sizes.clone_from(&said.choices.sizes);
                }
                if !said.sort.is_empty() {
                    frame.sort.clone_from(&said.sort);
                }
            }
        }
        self.found(understood, 1)
    }

    pub(super) fn found(self, mut understood: Interpretation, page: u64) -> Result<Answer> {
        understood.measure_foundations_by_assets(self.text);
        if understood.step == Some(Step::Refined) && self.has(Role::Sort) {
            for sort in understood.frame.sort.iter_mut().chain(&mut understood.kept.sort) {
                *sort = self.in_measure_of_talk(*sort);
            }
        }
        if page <= 1 {
            if self.needs_place(&understood.frame) {
                return self.ask_where(&understood);
            }
            if let Some(kept) = self.kept_rows(&mut understood)? {
                return self.of_kept(&understood, kept);
            }
            if let Some(name) = self.name_elsewhere(&understood) {
                return self.of_called(name);
            }
        }
        put_largest_first(&mut understood.frame);
        let mut found = self.page_of(&mut understood, page)?;
        let asks_cause_of_foundations = understood.frame.flags[Flag::Foundation] == Some(true)
            && understood.frame.cause.is_some();
        if found.rows.is_empty() && asks_cause_of_foundations {
            // No list records the causes of foundations, so those of the place are shown.
            understood.frame = std::mem::take(&mut understood.frame).without_cause();
            understood.frame.sort = vec![Sort::descending(SortKey::Figure(Figure::Assets))];
            found = self.page_of(&mut understood, page)?;
            if let Some(state) = understood.frame.state().filter(|_| found.rows.is_empty()) {
                let area = Area { state: Some(state), ..Area::default() };
                understood.frame.places = NamedPlace::of(area).into_iter().collect();
                found = self.page_of(&mut understood, page)?;
            }
        }
        self.leave_unknown_order(&mut understood, &mut found)?;
        let is_short = |least: u64| found.sorted.is_some_and(|all| all < least);
        if page <= 1 && self.only_orders(&understood) && is_short(ROWS as u64) {
            let shown = self.conversation.nonprofits.clone();
            found = self.ordered(&understood, shown, found)?;
        } else if page <= 1 && is_short(SORTED_MIN) {
            let mut unsorted = understood.clone();
            unsorted.frame.sort.clear();
            let ranked = self.page_of(&mut unsorted, 1)?;
            let eins = ranked.rows.iter().map(|row| row.organization.ein).collect();
            found = self.ordered(&understood, eins, found)?;
        }
        let mut message = self.said_of(&understood, &found, page);
        if page <= 1
            && let Some(remark) = self.remark_on_smallest(&mut understood, &found)?
        {
            message += &format!(" {remark}");
        }
        self.listed(&understood, found, page, message)
    }

    /// The answer with a page of rows. A page without rows leaves the list shown before in place.
    pub(super) fn listed(
        mut self,
        understood: &Interpretation,
        found: NonprofitPage,
        page: u64,
        message: String,
    ) -> Result<Answer> {
        let frame = understood.frame.clone();
        let named = frame.organization.as_ref();
        let suggestions = self.after_nonprofits(&frame, &found)?;
        let intent = match named.map(|named| named.wanted) {
            Some(NameUse::Similar) => Intent::SimilarNonprofits,
            Some(NameUse::Itself) => Intent::NonprofitDetails,
            None => Intent::FindNonprofits,
        };
        // Without a list to keep, the next message continues from this query as well.
        if !found.rows.is_empty() || self.conversation.nonprofits.is_empty() {
            self.conversation.take_step(understood.step, understood.kept.clone());
        }
        if found.rows.is_empty() && page <= 1 {
            // `is it deductible` is about none of those that stood there before.
            self.conversation.of_candidates = true;
            self.conversation.focus = None;
        }
        if !found.rows.is_empty() {
            let eins = found.rows.iter().map(|row| row.organization.ein);
            self.conversation.show_nonprofits(eins, page.saturating_mul(ROWS as u64));
            // `is that one still going` is about none of those that only come nearest.
            self.conversation.of_candidates = is_loose(&frame, &found);
            self.conversation.explicit =
                (!self.explicit.is_empty()).then(|| Box::new(self.explicit.clone()));
        }
        let named =
            named.map(|named| NonprofitRef { name: Some(named.name.clone()), ein: named.ein });
        let answer = Answer::of(intent, message, self.conversation);
        Ok(Answer {
            explained: understood.sentence(&found, None),
            about: frame.text.clone(),
            named,
            nonprofits: found.rows,
            suggestions,
            plan: Some(found.plan),
            frame,
            ..answer
        })
    }

    /// The text about a page: its subject, its first rows, and what was not checked.
    fn said_of(&self, understood: &Interpretation, found: &NonprofitPage, page: u64) -> String {
        let mut said = vec![self.head(understood, found, page)];
        if found.rows.is_empty() && page <= 1 && !self.conversation.nonprofits.is_empty() {
            said.push(text("list.kept", self.language).to_owned());
        }
        if page <= 1 {
            said.extend(self.remarks(understood, found));
        }
        said.join(" ")
    }

    fn head(&self, understood: &Interpretation, found: &NonprofitPage, page: u64) -> String {
        let frame = &understood.frame;
        let language = self.language;
        let such = such_of(frame, language);
        let kinds = frame.alternatives().into_iter().map(|kind| self.as_typed(kind));
        let cause = frame.cause.as_ref().map(|_| Value::Any(kinds.collect()));
        if found.plan.words && found.sorted.is_none() && found.skipped >= RANKED_MAX {
            return phrase!("list.limit", count = RANKED_MAX).say(language);
        }
        let names = self.named_rows(frame, found);
        let phrase = |name: &str| phrase!(name, such, cause, names);
        let order = frame.sort.first().map(|sort| text(&order_of(*sort), language));
        let matches = found.total - found.plan.nearby.min(found.total);
        let fit = found.plan.fit;
        let said = match (&frame.organization, &frame.cause) {
            _ if found.rows.is_empty() && page > 1 => phrase("list.end"),
            _ if found.rows.is_empty() => phrase("list.none"),
            _ if page > 1 => phrase("list.more"),
            (Some(named), _) if named.ein.is_none() => {
                phrase!("which_one.none", asked = named.asked, names)
            }
            (Some(named), _) if named.wanted == NameUse::Similar => {
                phrase!("list.similar", name = named.name, such, names)
            }
            (Some(named), _) => phrase!("list.named", asked = named.asked, names = names.first()),
            (None, Some(cause)) if understood.step == Some(Step::Back) => {
                phrase!("back", asked = format!("“{cause}”"), such, names)
            }
            (None, Some(_)) if order.is_some() && fit.is_none_or(|fit| fit.count > 0) => {
                phrase!("list.sorted", cause, such, order, names)
            }
            (None, Some(_)) => {
                phrase(match (fit.map_or(0, |fit| fit.count), found.plan.nearby_fit) {
                    (1.., 1..) if !frame.places.is_empty() => {
                        let said = phrase("list.matches").say(language);
                        return format!("{said} {}", text("list.beyond", language));
                    }
                    (1.., _) => "list.matches",
                    (0, 1..) => "list.near",
                    (0, 0) if is_loose(frame, found) => "list.loose",
                    _ => "list.close",
                })
            }
            (None, None) => {
                let name = if such.is_empty() { "list.all" } else { "list.kind" };
                let default = order_of(Sort::descending(SortKey::Figure(largest_by(frame))));
                let default = Some(text(&default, language)).filter(|order| !order.is_empty());
                phrase!(name, count = matches, such, order = order.or(default), names)
            }
        };
        said.say(language)
    }

    /// A cause in normal form as the message has it (`niños` of `ninos`), where it does.
    fn as_typed(&self, cause: &str) -> String {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let stretches = words.windows(cause.split(' ').count()).map(|words| words.join(" "));
        let is_sign = |c: char| c.is_ascii_punctuation() || matches!(c, '¿' | '¡');
        let mut typed = stretches.map(|words| words.trim_matches(is_sign).to_owned());
        typed.find(|words| normalise(words) == cause).unwrap_or_else(|| cause.to_owned())
    }

    /// The first rows by name and place, with the figure that orders them.
    pub(super) fn named_rows(&self, frame: &Frame, found: &NonprofitPage) -> Vec<String> {
        let key = frame.sort.first().map(|sort| sort.key);
        // Without a cause the largest come first.
        let key = key.or(frame.cause.is_none().then_some(SortKey::Figure(largest_by(frame))));
        // `Hot Springs` is in several states.
        let states = || found.rows.iter().map(|row| row.organization.address.state);
        let is_one_state = states().all(|state| Some(state) == states().next());
        let named = |NonprofitHit { organization, .. }: &NonprofitHit| {
            let value = match key {
                Some(SortKey::Figure(figure)) => self.value_of(organization, figure),
                _ => None,
            };
            let city = organization.address.city.clone().filter(|_| is_one_state);
            let place = city.or_else(|| place(organization));
            let beside: Vec<String> = place.into_iter().chain(value).collect();
            match beside.is_empty() {
                true => organization.name.clone(),
                false => format!("{} ({})", organization.name, beside.join(", ")),
            }
        };
        found.rows.iter().take(ROWS_NAMED).map(named).collect()
    }

    /// A figure of a row in a few words.
    pub(super) fn value_of(&self, organization: &Organization, figure: Figure) -> Option<String> {
        if figure == Figure::RulingYear {
            let month = organization.exemption.ruling?;
            return Some(phrase!("most.since", month).part(self.language));
        }
        let amount = figure_of(organization, figure)?;
        Some(match figure.definition().unit {
            Unit::Dollars => dollars(amount as i64),
            Unit::Count => format!(
                "{} {}",
                thousands(amount as u64),
                text(&format!("figure.{}", figure.name()), self.language)
            ),
            _ => amount.to_string(),
        })
    }

    /// That no list of some states is loaded, if they are asked about.
    pub(super) fn unknown_states(&self, frame: &Frame, found: &NonprofitPage) -> Option<String> {
        // Of a town across the border only what is around it is seen.
        let around = frame.places.iter().filter_map(state_of_circle);
        let around = around.filter(|state| !self.snapshot.coverage.has_state(*state));
        let states = found.plan.gaps.states().chain(around).map(|state| state.name().to_owned());
        let states: Vec<String> = states.take(STATES_NAMED_MAX).collect();
        let any = (!states.is_empty()).then_some(Value::Any(states))?;
        Some(phrase!("remark.states", states = any).say(self.language))
    }

    /// Remarks on what no row has, what is not loaded, and what is unknown or unusable.
    fn remarks(&self, understood: &Interpretation, found: &NonprofitPage) -> Vec<String> {
        let language = self.language;
        let mut said = Vec::new();
        let fits = found.plan.fit.is_some_and(|fit| fit.count > 0);
        // Forms of common words are no gap where rows fit by their code.
        let unmatched = understood.unmatched(found).into_iter();
        let unmatched = unmatched.filter(|word| !fits && !is_kind_word(word));
        let unmatched: Vec<String> = unmatched.map(|word| quoted(word, language)).collect();
        if !unmatched.is_empty() && language == Language::English {
            let words = Value::Any(unmatched);
            said.push(phrase!("remark.unmatched", words).say(language));
        }
        let cause = understood.frame.cause.as_deref().unwrap_or_default();
        said.extend(help_beside(cause, language).map(str::to_owned));
        let gaps = found.plan.gaps;
        said.extend(self.unknown_states(&understood.frame, found));
        let unchecked = understood.unchecked.iter().filter_map(|flag| field_of_flag(*flag));
        let fields = gaps.fields().chain(unchecked).map(crate::snapshot::Field::name);
        let mut remarks: Vec<&str> =
            fields.map(|field| text(&format!("gap.{field}"), language)).collect();
        remarks.dedup();
        said.extend(remarks.into_iter().filter(|remark| !remark.is_empty()).map(str::to_owned));
        if gaps.awaits_meaning() {
            said.push(text("remark.meaning", language).to_owned());
        }
        // Of a cause, how many other rows lack a figure is no information about those that fit.
        let of_cause = understood.frame.cause.is_some();
        for (name, count) in
            [("remark.unknown", found.unknown), ("remark.ceiling", found.by_ceiling)]
        {
            if count > 0 && !found.rows.is_empty() {
                let name = if of_cause { format!("{name}.some") } else { name.to_owned() };
                said.push(phrase!(name, count).say(language));
            }
        }
        let mut unread = understood.heard.unread.iter();
        if understood.heard.parts.is_empty()
            && let Some(words) = unread.find(|words| words.split(' ').count() <= UNREAD_WORDS_MAX)
        {
            said.push(phrase!("remark.unread", words).say(language));
        }
        said
    }
}

/// A figure of an organization, where it is known.
pub(super) fn figure_of(organization: &Organization, figure: Figure) -> Option<f64> {
    let finances = &organization.finances;
    let overlay = organization.overlay.as_deref();
    // A filer of the e-postcard reports no amounts: the zeros of the master file stand for that.
    let is_postcard = finances.filing_duty() == Some(FilingDuty::Postcard);
    let dollars = |usd: Option<Usd>| {
        let dollars = usd.map(|usd| usd.dollars() as f64);
        dollars.filter(|dollars| !is_postcard || *dollars != 0.0)
    };
    match figure {
        Figure::Revenue => dollars(finances.revenue),
        Figure::Expenses => dollars(finances.expenses),
        Figure::Assets => dollars(finances.assets),
        Figure::Employees => finances.employees.map(f64::from),
        Figure::Score => overlay.and_then(|overlay| overlay.score).map(f64::from),
        Figure::Rating => overlay.and_then(|overlay| overlay.rating).map(f64::from),
        Figure::RulingYear => organization.exemption.ruling.map(|month| f64::from(month.ordinal())),
    }
}

/// Whether nothing that was found is near the cause.
fn is_loose(frame: &Frame, found: &NonprofitPage) -> bool {
    let fit = found.plan.fit.is_some_and(|fit| fit.count == 0 && fit.close == 0);
    frame.cause.is_some() && fit && found.plan.nearby_fit == 0 && !has_kind(frame, found)
}

/// Whether a row is filed under a code of the cause.
fn has_kind(frame: &Frame, found: &NonprofitPage) -> bool {
    let mut codes = found.rows.iter().filter_map(|row| row.organization.ntee);
    codes.any(|code| frame.cause_ntee.iter().any(|own| code.as_str().starts_with(&**own)))
}

/// Puts those with most assets first where nothing else orders a list of which assets tell who is large.
pub(super) fn put_largest_first(frame: &mut Frame) {
    if frame.cause.is_none() && frame.sort.is_empty() && largest_by(frame) == Figure::Assets {
        frame.sort = vec![Sort::descending(SortKey::Figure(Figure::Assets))];
    }
}

/// The figure by which the largest come first: assets where they are asked for, and of foundations, of which the master
/// file has no revenue.
pub(super) fn largest_by(frame: &Frame) -> Figure {
    let bounds_assets =
        frame.ranges[Figure::Revenue].is_open() && !frame.ranges[Figure::Assets].is_open();
    match frame.flags[Flag::Foundation] {
        Some(true) => Figure::Assets,
        _ if bounds_assets => Figure::Assets,
        _ => Figure::Revenue,
    }
}

/// The name of the sentence part for an order.
pub(super) fn order_of(sort: Sort) -> String {
    let way = if sort.descending { "down" } else { "up" };
    format!("order.{}.{way}", sort.key.name())
}
