//! Ratios of a return: how a nonprofit spends, raises and keeps money.

use super::{Filing, Form, Usd, named};

named! {
    /// A ratio, by its name in answers.
    #[derive(PartialOrd, Ord)]
    Ratio {
        ProgramShare = "program_share",
        FundraisingEfficiency = "fundraising_efficiency",
        MonthsOfReserves = "months_of_reserves",
        Surplus = "surplus",
        Growth = "growth",
    }
}

impl Ratio {
    /// How it is calculated, of values of a return and of the one before it.
    pub fn formula(self) -> &'static str {
        match self {
            Self::ProgramShare => "program expenses / total expenses",
            Self::FundraisingEfficiency => "contributions / fundraising expenses",
            Self::MonthsOfReserves => {
                "net assets without donor restrictions / (total expenses / 12)"
            }
            Self::Surplus => "(total revenue - total expenses) / total revenue",
            Self::Growth => "total revenue / total revenue of the tax year before - 1",
        }
    }

    /// The lines of a form that it is made of; `None` where the form has not all of them.
    pub fn lines(self, form: Form) -> Option<&'static str> {
        Some(match (self, form) {
            (Self::ProgramShare, Form::Full) => "Form 990, Part IX, line 25, columns B and A",
            (Self::ProgramShare, Form::Short) => "Form 990-EZ, Part III, line 32; Part I, line 17",
            (Self::ProgramShare, Form::PrivateFoundation) => {
                "Form 990-PF, Part I, line 26, columns d and a"
            }
            (Self::FundraisingEfficiency, Form::Full) => {
                "Form 990, Part VIII, line 1h; Part IX, line 25, column D"
            }
            (Self::MonthsOfReserves, Form::Full) => {
                "Form 990, Part X, line 27; Part IX, line 25, column A"
            }
            (Self::MonthsOfReserves, Form::PrivateFoundation) => {
                "Form 990-PF, Part II, line 24; Part I, line 26, column a"
            }
            (Self::Surplus, Form::Full) => "Form 990, Part I, lines 12 and 18",
            (Self::Surplus, Form::Short) => "Form 990-EZ, Part I, lines 9 and 17",
            (Self::Surplus, Form::PrivateFoundation) => {
                "Form 990-PF, Part I, lines 12 and 26, column a"
            }
            (Self::Growth, Form::Full) => "Form 990, Part I, line 12",
            (Self::Growth, Form::Short) => "Form 990-EZ, Part I, line 9",
            (Self::Growth, Form::PrivateFoundation) => "Form 990-PF, Part I, line 12, column a",
            (Self::FundraisingEfficiency, Form::Short | Form::PrivateFoundation)
            | (Self::MonthsOfReserves, Form::Short) => return None,
        })
    }

    /// Its value in a return; `before` is the latest return of an earlier tax year. `None` where a value
    /// is not stated or what is divided by is not above 0.
    pub fn of(self, filing: &Filing, before: Option<&Filing>) -> Option<f64> {
        self.lines(filing.form)?;
        let totals = &filing.totals;
        let number = |amount: Option<Usd>| amount.map(|usd| usd.dollars() as f64);
        let (revenue, expenses) = (number(filing.revenue), number(filing.expenses));
        let (over, under) = match self {
            Self::ProgramShare => {
                let spent = totals.program_expenses.or(totals.charitable_disbursements);
                (number(spent)?, expenses?)
            }
            Self::FundraisingEfficiency => {
                (number(totals.contributions)?, number(totals.fundraising_expenses)?)
            }
            Self::MonthsOfReserves => (number(totals.unrestricted_net_assets)?, expenses? / 12.0),
            Self::Surplus => (revenue? - expenses?, revenue?),
            Self::Growth => {
                let before = before.filter(|one| one.tax_year + 1 == filing.tax_year)?;
                let earlier = number(before.revenue)?;
                (revenue? - earlier, earlier)
            }
        };
        (under > 0.0).then(|| over / under)
    }
}

/// Every ratio of the latest return that was read as filed, in the order of [`Ratio::ALL`], with that
/// return; of returns with the latest tax period first.
pub fn ratios_of(filings: &[Filing]) -> Option<(&Filing, [Option<f64>; Ratio::ALL.len()])> {
    let at = filings.iter().position(Filing::is_whole)?;
    let before = filings[at + 1..].iter().find(|one| one.tax_year < filings[at].tax_year);
    let of = |ratio: Ratio| ratio.of(&filings[at], before);
    Some((&filings[at], Ratio::ALL.map(of)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Month, Totals};

    fn filing(form: Form, year: u16, revenue: i64, expenses: i64) -> Filing {
        let ein = "000000019".parse().unwrap();
        let mut filing = Filing::of_figures(ein, form, Month::new(year, 12).unwrap());
        filing.name = "Fictional".to_owned();
        (filing.revenue, filing.expenses) = (Some(Usd::new(revenue)), Some(Usd::new(expenses)));
        filing
    }

    #[test]
    fn ratios_are_those_of_their_formulas() {
        let totals = Totals {
            contributions: Some(Usd::new(600)),
            program_expenses: Some(Usd::new(750)),
            fundraising_expenses: Some(Usd::new(50)),
            unrestricted_net_assets: Some(Usd::new(500)),
            ..Totals::default()
        };
        let latest = Filing { totals, ..filing(Form::Full, 2022, 1_250, 1_000) };
        let before = filing(Form::Full, 2021, 1_000, 900);
        let both = [latest.clone(), before];
        let (of, values) = ratios_of(&both).unwrap();
        assert_eq!(of.tax_year, 2022);
        assert_eq!(values, [Some(0.75), Some(12.0), Some(6.0), Some(0.2), Some(0.25)]);
        // A year between is no growth of a year, and a form has only its own lines.
        let other = [Filing { form: Form::Short, ..latest }, filing(Form::Short, 2019, 1_000, 1)];
        assert_eq!(ratios_of(&other).unwrap().1, [Some(0.75), None, None, Some(0.2), None]);
    }

    #[test]
    fn nothing_is_divided_by_nothing() {
        let none = filing(Form::Full, 2022, 0, 0);
        assert_eq!(ratios_of(&[none]).unwrap().1, [None; 5]);
        assert_eq!(ratios_of(&[]), None);
    }
}
