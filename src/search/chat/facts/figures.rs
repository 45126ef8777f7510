//! Amounts and counts, each with the tax period that it is of.

use super::{Mention, Profile};
use crate::reader::DialogueAct;
use crate::record::{Filing, FilingDuty, Month, Organization, Origin, Ratio, Usd, thousands};
use crate::search::chat::phrase::{Phrase, dollars};

/// Periods that a sentence names.
const PERIODS_NAMED: usize = 4;
/// Years of a trend that a sentence names.
const YEARS_NAMED: usize = 6;
/// How far from each other income and spending may be, as a share of the income, to be about the same.
const EVEN_SHARE: f64 = 0.01;

/// A figure that a return or the master file's row may state.
struct Figure {
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

fn figure(fact: DialogueAct) -> Option<Figure> {
    Some(match fact {
        DialogueAct::Revenue => figure!(revenue),
        DialogueAct::Expenses => figure!(expenses),
        DialogueAct::Assets => figure!(assets),
        DialogueAct::NetAssets => figure!(net_assets),
        DialogueAct::Employees => Figure {
            of_return: |filing| filing.employees.map(i64::from),
            of_latest: |one| one.finances.employees.map(i64::from),
            origin: |one| one.origins.employees,
        },
        _ => return None,
    })
}

impl Profile<'_> {
    /// A figure, the latest or that of the year; else why it is not known.
    pub(super) fn figure(&self, fact: DialogueAct, mention: Mention) -> String {
        let Some(figure) = figure(fact) else { return String::new() };
        if let Some(year) = self.year {
            return self.figure_of_year(fact, &figure, year, mention);
        }
        match self.latest(&figure) {
            Some((amount, month)) => self.stated(fact, amount, month, mention),
            None => self.no_figure(fact, mention),
        }
    }

    /// An amount of a period.
    fn stated(
        &self,
        fact: DialogueAct,
        amount: i64,
        month: Option<Month>,
        mention: Mention,
    ) -> String {
        let phrase = self.about(fact.name(), mention);
        self.say(
            &match fact {
                DialogueAct::Employees => phrase.with("count", amount.unsigned_abs()),
                _ => phrase.dollars("amount", Some(amount)),
            }
            .with_some("period", self.period(month))
            .with_some("month", month),
        )
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

    fn figure_of_year(
        &self,
        fact: DialogueAct,
        figure: &Figure,
        year: u16,
        mention: Mention,
    ) -> String {
        let filings = &self.traced.filings;
        let filing = return_of(year, filings);
        let of_return =
            filing.and_then(|filing| Some(((figure.of_return)(filing)?, filing.tax_period())));
        let of_row = || {
            let origins = &self.organization().origins;
            let is_of_row = (figure.origin)(self.organization()) == Origin::Row;
            let month = origins.row_period.filter(|month| is_of_row && month.year() == year)?;
            Some(((figure.of_latest)(self.organization())?, Some(month)))
        };
        match of_return.or_else(of_row) {
            Some((amount, month)) => self.stated(fact, amount, month, mention),
            None => self.no_year(fact, year, mention),
        }
    }

    /// That nothing is known of a year, and of which periods something is.
    pub(super) fn no_year(&self, fact: DialogueAct, year: u16, mention: Mention) -> String {
        let what = Phrase::new(format!("what.{}", fact.name()))
            .with("name", &self.organization().name)
            .part(self.language);
        let first =
            self.say(&self.about("figure.year", mention).with("what", what).with("year", year));
        let of_returns = self.traced.filings.iter().filter_map(Filing::tax_period);
        let mut periods: Vec<Month> =
            of_returns.chain(self.organization().origins.row_period).collect();
        periods.sort_unstable_by_key(|month| std::cmp::Reverse(month.ordinal()));
        periods.dedup();
        let periods: Vec<String> = periods
            .into_iter()
            .take(PERIODS_NAMED)
            .map(|month| Phrase::new("month").with("month", month).part(self.language))
            .collect();
        if periods.is_empty() {
            return first;
        }
        format!("{first} {}", self.say(&Phrase::new("figure.years").with("periods", periods)))
    }

    /// Why a figure is not known, and what is known instead.
    fn no_figure(&self, fact: DialogueAct, mention: Mention) -> String {
        let finances = &self.organization().finances;
        if fact == DialogueAct::Revenue
            && let Some(most) = finances.revenue_ceiling()
        {
            let period = self.period(self.organization().origins.row_period);
            return self.say(&match finances.filing_duty() {
                Some(FilingDuty::Postcard) => self.about("ceiling.postcard", mention),
                _ => self
                    .about("ceiling.receipts", mention)
                    .dollars("amount", Some(most.dollars()))
                    .with_some("period", period),
            });
        }
        let said = self.unknown(fact, mention, self.reason());
        let look = Phrase::new("look.returns").with("ein", self.organization().ein.to_string());
        match finances.filing_duty() {
            Some(FilingDuty::Religious | FilingDuty::Governmental) => said,
            _ => format!("{said} {}", self.say(&look)),
        }
    }

    /// Why figures are not known.
    fn reason(&self) -> &'static str {
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
    pub(super) fn figure_value(&self, fact: DialogueAct) -> Option<String> {
        let (amount, month) = self.latest(&figure(fact)?)?;
        let amount = match fact {
            DialogueAct::Employees => thousands(amount.unsigned_abs()),
            _ => dollars(amount),
        };
        Some(month.map_or(amount.clone(), |month| format!("{amount} ({})", month.year())))
    }

    /// How big it is, by all that tells it.
    pub(super) fn size(&self, mention: Mention) -> String {
        let mut figures = Vec::new();
        let mut period = None;
        for (fact, name) in [
            (DialogueAct::Revenue, "size.revenue"),
            (DialogueAct::Expenses, "size.expenses"),
            (DialogueAct::Assets, "size.assets"),
            (DialogueAct::Employees, "size.employees"),
        ] {
            let known = figure(fact).and_then(|figure| self.latest(&figure));
            let Some((amount, month)) = known else { continue };
            period = period.or(month);
            let phrase = Phrase::new(name);
            figures.push(
                match fact {
                    DialogueAct::Employees => phrase.with("count", amount.unsigned_abs()),
                    _ => phrase.dollars("amount", Some(amount)),
                }
                .part(self.language),
            );
        }
        if figures.is_empty() {
            return self.no_figure(DialogueAct::Revenue, mention);
        }
        let phrase = match self.organization().size() {
            Some(size) => {
                let size = crate::search::chat::phrase::text(
                    &format!("sized.{}", size.name()),
                    self.language,
                );
                self.about("size", mention).with("size", size)
            }
            None => self.about("size.plain", mention),
        };
        self.say(&phrase.with("figures", figures).with_some("period", self.period(period)))
    }

    /// Whether it takes in more than it spends, and what it could live on.
    pub(super) fn health(&self, mention: Mention) -> String {
        let latest = |fact| figure(fact).and_then(|figure| self.latest(&figure));
        let both = latest(DialogueAct::Revenue).zip(latest(DialogueAct::Expenses));
        let mut said = Vec::new();
        if let Some(((revenue, month), (expenses, _))) = both {
            let left = revenue - expenses;
            let name =
                match left.unsigned_abs() as f64 <= revenue.unsigned_abs() as f64 * EVEN_SHARE {
                    true => "health.even",
                    false if left > 0 => "health.surplus",
                    false => "health.deficit",
                };
            said.push(
                self.say(
                    &self
                        .about(name, mention)
                        .dollars("amount", Some(left.abs()))
                        .with_some("period", self.period(month)),
                ),
            );
        }
        let filing = self.traced.filings.iter().find(|filing| filing.is_whole());
        let reserves = filing.and_then(|filing| Ratio::MonthsOfReserves.of(filing, None));
        if let Some(months) = reserves {
            let months = format!("{months:.1}");
            said.push(self.say(&Phrase::new("health.reserves").with("months", months)));
        }
        if let Some((net, _)) = latest(DialogueAct::NetAssets) {
            let name = if net < 0 { "health.debts" } else { "health.net" };
            said.push(self.say(&Phrase::new(name).dollars("amount", Some(net))));
        }
        if said.is_empty() {
            let why = self.unknown(DialogueAct::Health, mention, self.reason());
            return match latest(DialogueAct::Revenue).or_else(|| latest(DialogueAct::Assets)) {
                Some(_) => format!("{why} {}", self.size(Mention::Pronoun)),
                None => why,
            };
        }
        said.push(self.say(&Phrase::new("health.single")));
        said.join(" ")
    }

    /// Its revenue over the years.
    pub(super) fn trend(&self, mention: Mention) -> String {
        if self.year.is_some() {
            return self.figure(DialogueAct::Revenue, mention);
        }
        let mut years: Vec<(u16, i64)> = Vec::new();
        let of_returns = self.traced.filings.iter().filter_map(|filing| {
            let whole_year = filing.short_months().is_none();
            Some((filing.period_end.year(), filing.revenue.filter(|_| whole_year)?.dollars()))
        });
        let organization = self.organization();
        let of_row = (organization.origins.revenue == Origin::Row)
            .then(|| organization.origins.row_period.zip(organization.finances.revenue))
            .flatten();
        years.extend(of_row.map(|(month, revenue)| (month.year(), revenue.dollars())));
        years.extend(of_returns);
        years.sort_unstable_by_key(|(year, _)| std::cmp::Reverse(*year));
        years.dedup_by_key(|(year, _)| *year);
        years.truncate(YEARS_NAMED);
        let [(_, last), .., (_, first)] = years[..] else {
            return match years.is_empty() {
                true => self.unknown(DialogueAct::Trend, mention, self.reason()),
                false => {
                    let one = self.say(&Phrase::new("trend.one"));
                    format!("{} {one}", self.figure(DialogueAct::Revenue, mention))
                }
            };
        };
        let listed: Vec<String> =
            years.iter().map(|(year, amount)| format!("{year} {}", dollars(*amount))).collect();
        let all = self.say(&self.about("trend", mention).with("years", listed));
        if first <= 0 {
            return all;
        }
        let share = last as f64 / first as f64 - 1.0;
        let name = if share < 0.0 { "trend.down" } else { "trend.up" };
        let share = format!("{:.0} %", share.abs() * 100.0);
        format!("{all} {}", self.say(&Phrase::new(name).with("share", share)))
    }

    /// How much of what it spends goes to programmes.
    pub(super) fn share(&self, mention: Mention) -> String {
        let known = self
            .traced
            .filings
            .iter()
            .find_map(|filing| Some((filing, Ratio::ProgramShare.of(filing, None)?)));
        let Some((filing, share)) = known else {
            return self.unknown(DialogueAct::Share, mention, self.reason());
        };
        let cents = Ratio::FundraisingCost.of(filing, None).map(|cost| format!("${cost:.2}"));
        self.say(
            &self
                .about("share", mention)
                .with("year", filing.tax_year)
                .with("share", format!("{:.0} %", share * 100.0))
                .with_some("cents", cents),
        )
    }

    /// Why a figure is not shown, and which ones are.
    pub(super) fn missing(&self) -> String {
        let why = self.no_figure(DialogueAct::Revenue, Mention::Name);
        let known = [
            DialogueAct::Revenue,
            DialogueAct::Assets,
            DialogueAct::Expenses,
            DialogueAct::Employees,
        ];
        let known = known.into_iter().filter_map(|fact| {
            let label = crate::search::chat::phrase::text(
                &format!("figure.{}", fact.name()),
                self.language,
            );
            Some(format!("{label} {}", self.figure_value(fact)?))
        });
        let known: Vec<String> = known.collect();
        if known.is_empty() {
            return why;
        }
        let listed = known.clone();
        let known = self.say(&self.about("missing.known", Mention::Name).with("known", known));
        match self.figure_value(DialogueAct::Revenue) {
            None => format!("{why} {known}"),
            Some(_) => self.say(&self.about("missing.not", Mention::Name).with("known", listed)),
        }
    }
}

/// The return of a year: of that form's year, else of a period that ended in it.
pub(super) fn return_of(year: u16, filings: &[Filing]) -> Option<&Filing> {
    let of_form = filings.iter().find(|filing| filing.tax_year == year);
    of_form.or_else(|| filings.iter().find(|filing| filing.period_end.year() == year))
}
