//! Amounts and counts, each with the tax period that it is of.

use std::cmp::Reverse;

use super::{Act, Mention, Profile};
use crate::record::{Filing, FilingDuty, Month, Organization, Origin, Ratio, Usd, thousands};
use crate::search::chat::phrase::{Value, dollars, phrase};
use crate::understand::{meaning_in, says};

/// Periods that a sentence names.
const PERIODS_NAMED: usize = 4;
/// Years of a trend that a sentence names.
const YEARS_NAMED: usize = 6;
/// How far from each other income and spending may be, as a share of the income, to be about the same.
const EVEN_SHARE: f64 = 0.01;

/// A figure that a return or the master file's row may state.
pub(super) struct Figure {
    of_return: fn(&Filing) -> Option<i64>,
    /// The nonprofit's own: the latest that is known.
    of_latest: fn(&Organization) -> Option<i64>,
    origin: fn(&Organization) -> Origin,
}

macro_rules! figure {
    ($member:ident) => {
        Figure {
            of_return: |filing| filing.$member.map(Usd::dollars),
            of_latest: |one| one.finances.$member.map(Usd::dollars),
            origin: |one| one.origins.$member,
        }
    };
}

pub(super) fn figure(fact: Act) -> Option<Figure> {
    Some(match fact {
        Act::Revenue => figure!(revenue),
        Act::Expenses => figure!(expenses),
        Act::Assets => figure!(assets),
        Act::NetAssets => figure!(net_assets),
        Act::Employees => Figure {
            of_return: |filing| filing.employees.map(i64::from),
            of_latest: |one| one.finances.employees.map(i64::from),
            origin: |one| one.origins.employees,
        },
        _ => return None,
    })
}

impl Profile<'_> {
    /// A figure, the latest or that of the year; else why it is not known.
    pub(super) fn figure(&self, fact: Act, mention: Mention) -> String {
        let Some(figure) = figure(fact) else { return String::new() };
        let amounts = self.amounts_by_year(&figure);
        if self.year.is_none() && amounts.len() > 1 && says(self.text, "every year") {
            return self.figure_by_year(fact, mention, &amounts);
        }
        if self.asks_for_change() {
            let since =
                amounts.iter().take_while(|(year, _)| self.year.is_none_or(|from| from <= *year));
            let since: Vec<(u16, i64)> = since.copied().collect();
            if since.len() > 1 {
                return self.with_change(fact, mention, &since);
            }
        }
        match (self.known(&figure), self.year) {
            (Some(known), _) => self.amount(fact, mention, known),
            (None, Some(year)) => self.no_year(fact, year, mention),
            (None, None) => self.no_figure(fact, mention),
        }
    }

    /// The sentence on an amount that is known.
    fn amount(&self, fact: Act, mention: Mention, (amount, month): (i64, Option<Month>)) -> String {
        let (count, period) = (amount.unsigned_abs(), self.period(month));
        let amount = Value::Dollars(amount);
        self.about(mention, phrase!(fact.name(), count, amount, period, month))
    }

    /// The amount of the year, else the latest, and the period that it is of.
    fn known(&self, figure: &Figure) -> Option<(i64, Option<Month>)> {
        match self.year {
            Some(year) => self.of_year(figure, year),
            None => self.latest(figure),
        }
    }

    /// The latest amount, and the period that it is of.
    fn latest(&self, figure: &Figure) -> Option<(i64, Option<Month>)> {
        let organization = self.organization();
        // Who files the e-postcard reports no amounts: zeros of the master file stand for that.
        let is_postcard = organization.finances.filing_duty() == Some(FilingDuty::Postcard);
        let amount = (figure.of_latest)(organization)?;
        if is_postcard && amount == 0 {
            return None;
        }
        let origin = (figure.origin)(organization);
        Some((amount, organization.origins.period(origin, &self.traced.filings)))
    }

    /// The amount of a year by its return, else by the master file.
    fn of_year(&self, figure: &Figure, year: u16) -> Option<(i64, Option<Month>)> {
        let filing = return_of(year, &self.traced.filings);
        let of_return =
            filing.and_then(|filing| Some(((figure.of_return)(filing)?, filing.tax_period())));
        of_return.or_else(|| {
            let organization = self.organization();
            let is_of_row = (figure.origin)(organization) == Origin::Row;
            let month = organization.origins.row_period;
            let month = month.filter(|month| is_of_row && month.year() == year)?;
            Some(((figure.of_latest)(organization)?, Some(month)))
        })
    }

    /// That nothing is known of a year, and of which periods something is.
    pub(super) fn no_year(&self, fact: Act, year: u16, mention: Mention) -> String {
        let what = self.text(&format!("what.{}", fact.name()));
        let name = if figure(fact).is_some() { "figure.year" } else { "not_known.year" };
        let first = self.about(mention, phrase!(name, what, year));
        let of_returns = self.traced.filings.iter();
        let mut periods: Vec<Month> = match fact {
            Act::Surplus => {
                of_returns.filter_map(YearResult::of).filter_map(|one| one.month).collect()
            }
            _ => of_returns
                .filter_map(Filing::tax_period)
                .chain(self.organization().origins.row_period)
                .collect(),
        };
        periods.sort_unstable_by_key(|month| Reverse(month.ordinal()));
        periods.dedup();
        periods.truncate(PERIODS_NAMED);
        if let [_] = &periods[..]
            && let Some(latest) = figure(fact).and_then(|figure| self.latest(&figure))
        {
            return format!("{first} {}", self.amount(fact, Mention::Pronoun, latest));
        }
        if periods.is_empty() {
            return first;
        }
        let named = periods.iter().map(|month| phrase!("month", month).part(self.language));
        let periods: Vec<String> = named.collect();
        format!("{first} {}", self.say(phrase!("figure.years", periods)))
    }

    /// Why a figure is not known, and what is known instead.
    fn no_figure(&self, fact: Act, mention: Mention) -> String {
        let organization = self.organization();
        let duty = organization.finances.filing_duty();
        if fact == Act::Revenue
            && let Some(most) = organization.finances.revenue_ceiling()
        {
            let period = self.period(organization.origins.row_period);
            let amount = Value::Dollars(most.dollars());
            let name = match duty {
                Some(FilingDuty::Postcard) => "ceiling.postcard",
                _ => "ceiling.receipts",
            };
            return self.about(mention, phrase!(name, amount, period));
        }
        let said = self.unknown(fact, mention, self.reason());
        match duty {
            Some(FilingDuty::Religious | FilingDuty::Governmental) => said,
            _ => {
                let ein = organization.ein.dashed();
                format!("{said} {}", self.say(phrase!("look.returns", ein)))
            }
        }
    }

    /// Why figures are not known.
    pub(super) fn reason(&self) -> &'static str {
        let organization = self.organization();
        match organization.finances.filing_duty() {
            _ if self.traced.filings.iter().any(Filing::is_whole) => "line",
            Some(FilingDuty::Religious) => "church",
            Some(FilingDuty::Governmental) => "government",
            Some(FilingDuty::Group) => "group",
            Some(FilingDuty::PrivateFoundation) => "foundation",
            _ => "return",
        }
    }

    /// A figure in a few words.
    pub(super) fn figure_value(&self, fact: Act) -> Option<String> {
        let (amount, year) = match fact {
            Act::Share => {
                let (filing, share) = self.program_share()?;
                (percent(share), Some(filing.tax_year))
            }
            Act::Surplus => {
                let result = self.result()?;
                (dollars(result.left()), result.month.map(Month::year))
            }
            _ => {
                let (amount, month) = self.known(&figure(fact)?)?;
                let amount = match fact {
                    Act::Employees => thousands(amount.unsigned_abs()),
                    _ => dollars(amount),
                };
                (amount, month.map(Month::year))
            }
        };
        Some(year.map_or(amount.clone(), |year| format!("{amount} ({year})")))
    }

    /// How big it is, by all that tells it: the figures of each period in a sentence of their own, the latest first.
    pub(super) fn size(&self, mention: Mention) -> String {
        let mut periods: Vec<(Option<Month>, Vec<String>)> = Vec::new();
        for fact in [Act::Revenue, Act::Expenses, Act::Assets, Act::Employees] {
            let known = figure(fact).and_then(|figure| self.known(&figure));
            let Some((amount, month)) = known else { continue };
            let (count, amount) = (amount.unsigned_abs(), Value::Dollars(amount));
            let phrase = phrase!(format!("size.{}", fact.name()), count, amount);
            let said = phrase.part(self.language);
            match periods.iter_mut().find(|(own, _)| *own == month) {
                Some((_, figures)) => figures.push(said),
                None => periods.push((month, vec![said])),
            }
        }
        periods.sort_by_key(|(month, _)| Reverse(month.map(|month| month.ordinal())));
        let mut periods = periods.into_iter();
        let Some((month, figures)) = periods.next() else {
            return match self.year {
                Some(year) => self.no_year(Act::Size, year, mention),
                None => self.no_figure(Act::Revenue, mention),
            };
        };
        let size = self.organization().size().filter(|_| self.year.is_none());
        let name = if size.is_some() { "size" } else { "size.plain" };
        let size = size.map(|size| self.text(&format!("sized.{}", size.name())));
        let first = phrase!(name, size, figures, period = self.period(month));
        let earlier = periods.map(|(month, figures)| {
            self.say(phrase!("size.earlier", figures, period = self.period(month)))
        });
        [self.about(mention, first)].into_iter().chain(earlier).collect::<Vec<_>>().join(" ")
    }

    /// What it took in and spent in one period: that of the year, else the latest of which both are known.
    fn result(&self) -> Option<YearResult> {
        let mut filings = self.traced.filings.iter();
        if let Some(year) = self.year {
            return YearResult::of(return_of(year, &self.traced.filings)?);
        }
        filings.find_map(YearResult::of).or_else(|| {
            let latest = |fact| figure(fact).and_then(|figure| self.latest(&figure));
            let (revenue, month) = latest(Act::Revenue)?;
            let (expenses, of_expenses) = latest(Act::Expenses)?;
            (month == of_expenses).then_some(YearResult { revenue, expenses, month })
        })
    }

    /// Whether it took in more than it spent.
    pub(super) fn surplus(&self, mention: Mention) -> String {
        match (self.result(), self.year) {
            (Some(result), _) => self.said_result(&result, mention),
            (None, Some(year)) => self.no_year(Act::Surplus, year, mention),
            (None, None) => self.unknown(Act::Surplus, mention, self.reason()),
        }
    }

    fn said_result(&self, result: &YearResult, mention: Mention) -> String {
        let left = result.left();
        let revenue = result.revenue.unsigned_abs() as f64;
        let name = match left.unsigned_abs() as f64 <= revenue * EVEN_SHARE {
            true => "health.even",
            false if left > 0 => "health.surplus",
            false => "health.deficit",
        };
        let (amount, period) = (Value::Dollars(left.abs()), self.period(result.month));
        self.about(mention, phrase!(name, amount, period))
    }

    /// Whether it takes in more than it spends, and what it could live on, each with the period that it is of.
    pub(super) fn health(&self, mention: Mention) -> String {
        let result = self.result();
        let mut said = Vec::new();
        if result.is_some() || self.year.is_some() {
            said.push(self.surplus(mention));
        }
        let filings = &self.traced.filings;
        let reserves = match self.year {
            Some(year) => return_of(year, filings),
            None => filings.iter().find(|filing| filing.is_whole()),
        };
        let reserves = reserves.and_then(|filing| {
            Some((Ratio::MonthsOfReserves.of(filing, None)?, filing.tax_period()))
        });
        if let Some((months, month)) = reserves {
            said.push(self.say(phrase!("health.reserves", months = format!("{months:.1}"), month)));
        }
        if let Some((net, month)) = figure(Act::NetAssets).and_then(|figure| self.known(&figure)) {
            let name = if net < 0 { "health.debts" } else { "health.net" };
            said.push(self.say(phrase!(name, amount = Value::Dollars(net), month)));
        }
        if said.is_empty() {
            return self.no_health(mention);
        }
        said.extend(result.and_then(|result| self.later_revenue(&result)));
        said.push(self.say(phrase!("health.single")));
        said.join(" ")
    }

    /// That nothing tells whether its finances are sound, and what is known instead.
    fn no_health(&self, mention: Mention) -> String {
        let why = self.unknown(Act::Health, mention, self.reason());
        match self.figure_value(Act::Revenue).or_else(|| self.figure_value(Act::Assets)) {
            Some(_) => format!("{why} {}", self.size(Mention::Pronoun)),
            None => why,
        }
    }

    /// The revenue of a later period than the one whose expenses are known.
    fn later_revenue(&self, result: &YearResult) -> Option<String> {
        let (amount, month) = figure(Act::Revenue).and_then(|figure| self.known(&figure))?;
        let is_later = month?.ordinal() > result.month?.ordinal();
        let (amount, period) = (Value::Dollars(amount), self.period(month));
        is_later.then(|| self.say(phrase!("health.later", amount, period)))
    }

    /// Its revenue, or the figure that its words name, over the years.
    pub(super) fn trend(&self, mention: Mention) -> String {
        let named = meaning_in(self.text, "figure compared").and_then(Act::named);
        let fact = named.filter(|fact| figure(*fact).is_some()).unwrap_or(Act::Revenue);
        if self.year.is_some() {
            return self.figure(fact, mention);
        }
        let years = figure(fact).map(|figure| self.amounts_by_year(&figure));
        let years = years.unwrap_or_default();
        if years.len() < 2 {
            return match years.is_empty() {
                true => self.unknown(Act::Trend, mention, self.reason()),
                false => {
                    let one = self.say(phrase!("trend.one"));
                    format!("{} {one}", self.figure(fact, mention))
                }
            };
        }
        self.with_change(fact, mention, &years)
    }

    /// Whether the words ask how a figure changed from the year they name on.
    pub(in crate::search::chat) fn asks_for_change(&self) -> bool {
        says(self.text, "changed over years")
    }

    /// A figure year by year, and how much it rose or fell.
    fn with_change(&self, fact: Act, mention: Mention, years: &[(u16, i64)]) -> String {
        let all = self.figure_by_year(fact, mention, years);
        let [(_, last), .., (_, first)] = *years else { return all };
        if first <= 0 {
            return all;
        }
        let share = last as f64 / first as f64 - 1.0;
        let name = if share < 0.0 { "trend.down" } else { "trend.up" };
        let share = percent(share.abs());
        format!("{all} {}", self.say(phrase!(name, share)))
    }

    /// The amounts of a figure by the years in which their periods ended, the latest first; without those of short periods.
    fn amounts_by_year(&self, figure: &Figure) -> Vec<(u16, i64)> {
        let organization = self.organization();
        let is_of_row = (figure.origin)(organization) == Origin::Row;
        let month = organization.origins.row_period.filter(|_| is_of_row);
        let of_row =
            month.and_then(|month| Some((month.year(), (figure.of_latest)(organization)?)));
        let of_returns = self.traced.filings.iter().filter_map(|filing| {
            let is_whole_year = filing.short_months().is_none();
            Some((filing.period_end.year(), (figure.of_return)(filing).filter(|_| is_whole_year)?))
        });
        let mut years: Vec<(u16, i64)> = of_row.into_iter().chain(of_returns).collect();
        years.sort_unstable_by_key(|(year, _)| Reverse(*year));
        years.dedup_by_key(|(year, _)| *year);
        years.truncate(YEARS_NAMED);
        years
    }

    /// The sentence on a figure year by year.
    fn figure_by_year(&self, fact: Act, mention: Mention, years: &[(u16, i64)]) -> String {
        let shown = |(year, amount): &(u16, i64)| match fact {
            Act::Employees => format!("{year} {}", thousands(amount.unsigned_abs())),
            _ => format!("{year} {}", dollars(*amount)),
        };
        let years: Vec<String> = years.iter().map(shown).collect();
        let what = self.text(&format!("what.{}", fact.name()));
        self.about(mention, phrase!("trend", what, years))
    }

    /// How much of what it spends goes to programmes.
    pub(super) fn share(&self, mention: Mention) -> String {
        let Some((filing, share)) = self.program_share() else {
            return match self.year {
                Some(year) => self.no_year(Act::Share, year, mention),
                None => self.unknown(Act::Share, mention, self.reason()),
            };
        };
        let cents = Ratio::FundraisingCost.of(filing, None).map(|cost| format!("${cost:.2}"));
        self.about(mention, phrase!("share", year = filing.tax_year, share = percent(share), cents))
    }

    /// The return of the year, else the latest that tells it, with the share of its expenses that goes to programmes.
    fn program_share(&self) -> Option<(&Filing, f64)> {
        let with_share = |filing| Some((filing, Ratio::ProgramShare.of(filing, None)?));
        match self.year {
            Some(year) => with_share(return_of(year, &self.traced.filings)?),
            None => self.traced.filings.iter().find_map(with_share),
        }
    }

    /// Why a figure is not shown, and which ones are.
    pub(super) fn missing(&self) -> String {
        let why = self.no_figure(Act::Revenue, Mention::Name);
        let known = [Act::Revenue, Act::Assets, Act::Expenses, Act::Employees];
        let known = known.into_iter().filter_map(|fact| {
            let label = self.text(&format!("figure.{}", fact.name()));
            Some(format!("{label} {}", self.figure_value(fact)?))
        });
        let known: Vec<String> = known.collect();
        match (known.is_empty(), self.figure_value(Act::Revenue)) {
            (true, _) => why,
            (false, None) => format!("{why} {}", self.say(phrase!("missing.known", known))),
            (false, Some(_)) => self.say(phrase!("missing.not", known)),
        }
    }
}

/// What was taken in and spent in one period, in whole US dollars.
struct YearResult {
    revenue: i64,
    expenses: i64,
    month: Option<Month>,
}

impl YearResult {
    fn of(filing: &Filing) -> Option<Self> {
        let (revenue, expenses) = (filing.revenue?.dollars(), filing.expenses?.dollars());
        Some(Self { revenue, expenses, month: filing.tax_period() })
    }

    fn left(&self) -> i64 {
        self.revenue - self.expenses
    }
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// The return of a year: of that form's year, else of a period that ended in it.
pub(super) fn return_of(year: u16, filings: &[Filing]) -> Option<&Filing> {
    let of_form = filings.iter().find(|filing| filing.tax_year == year);
    of_form.or_else(|| filings.iter().find(|filing| filing.period_end.year() == year))
}
