//! Lines of a return beyond its main figures: what it spent on fundraising, what governments granted it, what it
//! distributed; each with its share of what it is a part of.

use super::figures::return_of;
use super::{Act, Mention, Profile};
use crate::record::{Filing, Form, Usd};
use crate::search::chat::phrase::{Value, dollars, phrase};
use crate::understand::{meanings_in, says};

/// The forms that have a line.
const FULL: &[Form] = &[Form::Full];
const CHARITIES: &[Form] = &[Form::Full, Form::Short];
const FOUNDATIONS: &[Form] = &[Form::PrivateFoundation];
const ALL: &[Form] = &[Form::Full, Form::Short, Form::PrivateFoundation];

/// A line of a return.
struct Line {
    name: &'static str,
    amount: fn(&Filing) -> Option<Usd>,
    forms: &'static [Form],
    /// The figure that it is a part of.
    whole: Option<Act>,
}

macro_rules! lines {
    ($($name:ident $forms:ident $whole:expr;)+) => {
        /// The lines that are asked for, by the names of the totals of a return; last, one of Schedule C.
        const LINES: &[Line] = &[
            $(Line {
                name: stringify!($name),
                amount: |filing| filing.totals.$name,
                forms: $forms,
                whole: $whole,
            },)+
            Line {
                name: "lobbying",
                amount: |filing| filing.lobbying.expenditures,
                forms: CHARITIES,
                whole: Some(Act::Expenses),
            },
        ];
    };
}

lines! {
    contributions ALL Some(Act::Revenue);
    government_grants FULL Some(Act::Revenue);
    membership_dues CHARITIES Some(Act::Revenue);
    program_revenue CHARITIES Some(Act::Revenue);
    investment_income CHARITIES Some(Act::Revenue);
    program_expenses CHARITIES Some(Act::Expenses);
    management_expenses FULL Some(Act::Expenses);
    fundraising_expenses FULL Some(Act::Expenses);
    grants_paid ALL Some(Act::Expenses);
    charitable_disbursements FOUNDATIONS None;
    qualifying_distributions FOUNDATIONS None;
    distributable_amount FOUNDATIONS None;
    undistributed_income FOUNDATIONS None;
    excise_tax FOUNDATIONS None;
    cash CHARITIES None;
    savings FULL None;
    securities FULL None;
    land_and_buildings CHARITIES None;
}

/// The lines that a text asks for, each once.
fn asked_in(text: &str) -> Vec<&'static Line> {
    let names = meanings_in(text, "line of a return");
    LINES.iter().filter(|line| names.contains(&line.name)).collect()
}

/// The names of the lines that a text asks for.
pub(in crate::search::chat) fn lines_in(text: &str) -> Vec<&'static str> {
    asked_in(text).into_iter().map(|line| line.name).collect()
}

/// Whether a text asks for what is paid in all to those who work there, which no line that is kept tells.
fn asks_for_payroll(text: &str) -> bool {
    says(text, "payroll")
}

/// Whether a text asks for lines of a return.
pub(in crate::search::chat) fn asks_for_lines(text: &str) -> bool {
    asks_for_payroll(text) || !asked_in(text).is_empty()
}

impl Profile<'_> {
    /// The lines that its words ask for, else those of the question before.
    fn lines_asked(&self) -> Vec<&'static Line> {
        let asked = asked_in(self.text);
        match asked.is_empty() {
            true => LINES.iter().filter(|line| self.lines_before.contains(&line.name)).collect(),
            false => asked,
        }
    }

    /// The lines that are asked for, each in a sentence.
    pub(super) fn lines(&self, mention: Mention) -> String {
        let mut said = Vec::new();
        for line in self.lines_asked() {
            let mention = if said.is_empty() { mention } else { Mention::Pronoun };
            said.push(self.line(line, mention));
        }
        if asks_for_payroll(self.text) {
            said.push(match self.traced.filings.iter().any(Filing::is_whole) {
                true => self.about(mention, phrase!("line.payroll")),
                false => self.unknown(Act::Pay, mention, self.reason()),
            });
        }
        said.join(" ")
    }

    /// A line in a few words.
    pub(super) fn line_value(&self) -> Option<String> {
        let line = *self.lines_asked().first()?;
        let filing = self.filing_of(line)?;
        let (amount, whole) = ((line.amount)(filing)?, self.whole_of(line, filing));
        let share = whole.and_then(|whole| share_of(amount, whole));
        let period = filing.period_end.year();
        Some(match share {
            Some(share) => format!("{} ({period}, {share})", dollars(amount.dollars())),
            None => format!("{} ({period})", dollars(amount.dollars())),
        })
    }

    /// The return of the year, else the latest of a form that has the line.
    fn filing_of(&self, line: &Line) -> Option<&Filing> {
        let filings = &self.traced.filings;
        let has_it = |filing: &&Filing| filing.is_whole() && line.forms.contains(&filing.form);
        match self.year {
            Some(year) => return_of(year, filings),
            None => filings.iter().find(has_it).or(filings.iter().find(|one| one.is_whole())),
        }
    }

    fn whole_of(&self, line: &Line, filing: &Filing) -> Option<Usd> {
        match line.whole? {
            Act::Revenue => filing.revenue,
            _ => filing.expenses,
        }
    }

    fn line(&self, line: &Line, mention: Mention) -> String {
        let what = self.text(&format!("line.{}", line.name));
        let Some(filing) = self.filing_of(line) else {
            let why = self.text(if self.traced.filings.is_empty() { "why.return" } else { "" });
            let name = if self.year.is_some() { "not_known.year" } else { "not_known.figure" };
            let year = self.year;
            let said = self.about(mention, phrase!(name, what, year));
            return format!("{said} {why}").trim_end().to_owned();
        };
        let period = self.period(filing.tax_period());
        if !line.forms.contains(&filing.form) {
            let form = filing.form.to_string();
            return self.about(mention, phrase!("line.form", what, form, period));
        }
        let Some(amount) = (line.amount)(filing) else {
            let beside = filing.totals.contributions.filter(|_| line.whole == Some(Act::Revenue));
            let other = beside.map(|usd| Value::Dollars(usd.dollars()));
            return self.about(mention, phrase!("line.none", what, period, other));
        };
        let whole = self.whole_of(line, filing);
        let share = whole.and_then(|whole| share_of(amount, whole));
        let name = line.whole.map(|whole| format!("figure.{}", whole.name()));
        let of = name.map(|name| self.text(&name)).filter(|_| share.is_some());
        let other = whole.map(|whole| Value::Dollars(whole.dollars()));
        let amount = Value::Dollars(amount.dollars());
        self.about(mention, phrase!("line", amount, what, period, share, total = of, other))
    }
}

/// A part of a whole in percent.
fn share_of(part: Usd, whole: Usd) -> Option<String> {
    let (part, whole) = (part.dollars() as f64, whole.dollars() as f64);
    (whole > 0.0).then(|| format!("{:.1}%", part / whole * 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::chat::phrase::exists;

    #[test]
    fn lines_are_asked_for_by_their_words() {
        let asked = |text: &str| -> Vec<&str> {
            asked_in(text).into_iter().map(|line| line.name).collect()
        };
        for (text, expected) in [
            ("how much did it spend on fundraising in 2022", &["fundraising_expenses"][..]),
            ("what share came from government grants", &["government_grants"]),
            ("what were its distributions", &["grants_paid", "qualifying_distributions"]),
            ("¿cuánto gastó en recaudar fondos?", &["fundraising_expenses"]),
            ("how much are its administrative costs", &["management_expenses"]),
            ("does it have lobbying expenses", &["lobbying"]),
            ("how much did it take in", &[]),
        ] {
            assert_eq!(asked(text), expected, "{text}");
        }
        assert!(asks_for_lines("what share of its expenses is salaries"));
    }

    #[test]
    fn every_line_has_words_and_a_name() {
        let named: Vec<&str> = LINES.iter().map(|line| line.name).collect();
        for line in LINES {
            assert!(exists(&format!("line.{}", line.name)), "{}", line.name);
        }
        for text in ["payroll", "government grants", "undistributed income", "cash"] {
            assert!(asks_for_lines(text), "{text}");
        }
        for name in meanings_in("land and buildings, securities and dues", "line of a return") {
            assert!(named.contains(&name), "{name}");
        }
    }
}
