//! Ratios by which organizations of a kind are compared: each a formula over amounts of returns.

use super::{Filing, Usd, named};

named! {
    /// A ratio.
    #[derive(PartialOrd, Ord)]
    Ratio {
        ProgramShare = "program_share",
        FundraisingCost = "fundraising_cost",
        MonthsOfReserves = "months_of_reserves",
        SurplusMargin = "surplus_margin",
        RevenueGrowth = "revenue_growth",
    }
}

impl Ratio {
    /// How it is computed.
    pub fn formula(self) -> &'static str {
        match self {
            Self::ProgramShare => "expenses of programme services / total expenses",
            Self::FundraisingCost => "expenses of fundraising / contributions",
            Self::MonthsOfReserves => {
                "net assets without donor restrictions / (total expenses / 12)"
            }
            Self::SurplusMargin => "(total revenue - total expenses) / total revenue",
            Self::RevenueGrowth => {
                "total revenue / total revenue of the tax period a year before - 1"
            }
        }
    }

    /// The lines of the forms that its amounts stand on; a form that is not named has none.
    pub fn lines(self) -> &'static str {
        match self {
            Self::ProgramShare => {
                "Form 990, Part IX, line 25, columns B and A; Form 990-EZ, Part III, line 32, and \
                 Part I, line 17"
            }
            Self::FundraisingCost => "Form 990, Part IX, line 25, column D, and Part VIII, line 1h",
            Self::MonthsOfReserves => {
                "Form 990, Part X, line 27, column B, and Part I, line 18; Form 990-PF, Part II, \
                 line 24, column b, and Part I, line 26, column a"
            }
            Self::SurplusMargin | Self::RevenueGrowth => {
                "Form 990, Part I, lines 12 and 18; Form 990-EZ, Part I, lines 9 and 17; Form \
                 990-PF, Part I, lines 12 and 26, column a"
            }
        }
    }

    /// Its value, by a return and that of the tax period a year before; `None` where an amount is not
    /// in them or what is divided by is not above 0. A tax period is taken to be of twelve months.
    /// Expenses by function need be filed by 501(c)(3) and (4) organizations only, and others often
    /// leave zeros: where all are 0, their shares are not known.
    pub fn of(self, filing: &Filing, earlier: Option<&Filing>) -> Option<f64> {
        let totals = &filing.totals;
        let quotient = |part: Option<Usd>, whole: Option<Usd>| {
            let (part, whole) = (part?.dollars(), whole?.dollars());
            (whole > 0).then(|| part as f64 / whole as f64)
        };
        match self {
            Self::ProgramShare | Self::FundraisingCost if !totals.are_by_function() => None,
            Self::ProgramShare => quotient(totals.program_expenses, filing.expenses),
            Self::FundraisingCost => quotient(totals.fundraising_expenses, totals.contributions),
            Self::MonthsOfReserves => {
                quotient(totals.unrestricted_net_assets, filing.expenses).map(|years| years * 12.0)
            }
            Self::SurplusMargin => {
                quotient(filing.expenses, filing.revenue).map(|spent| 1.0 - spent)
            }
            Self::RevenueGrowth => {
                let earlier = earlier.filter(|earlier| is_a_year_before(earlier, filing))?;
                quotient(filing.revenue, earlier.revenue).map(|share| share - 1.0)
            }
        }
    }
}

/// Whether a tax period ends twelve months before another.
fn is_a_year_before(earlier: &Filing, filing: &Filing) -> bool {
    let ends = earlier.tax_period().zip(filing.tax_period());
    ends.is_some_and(|(before, now)| before.ordinal() + 12 == now.ordinal())
}

#[cfg(test)]
mod tests {
    use super::super::{Form, Month, Totals};
    use super::*;

    fn filing(year: u16, revenue: i64, expenses: i64) -> Filing {
        let ein = "970000001".parse().unwrap();
        Filing {
            revenue: Some(Usd::new(revenue)),
            expenses: Some(Usd::new(expenses)),
            totals: Totals {
                program_expenses: Some(Usd::new(600)),
                fundraising_expenses: Some(Usd::new(50)),
                contributions: Some(Usd::new(500)),
                unrestricted_net_assets: Some(Usd::new(-400)),
                ..Totals::default()
            },
            ..Filing::of_figures(ein, Form::Full, Month::new(year, 6).unwrap())
        }
    }

    #[test]
    fn values() {
        let (now, before) = (filing(2022, 1_000, 800), filing(2021, 400, 1));
        let check = |ratio: Ratio, expected: f64| {
            let found = ratio.of(&now, Some(&before)).unwrap();
            assert!((found - expected).abs() < 1e-12, "{}: {found}", ratio.name());
        };
        check(Ratio::ProgramShare, 0.75);
        check(Ratio::FundraisingCost, 0.1);
        check(Ratio::MonthsOfReserves, -6.0);
        check(Ratio::SurplusMargin, 0.2);
        check(Ratio::RevenueGrowth, 1.5);
    }

    #[test]
    fn what_is_not_known_has_no_value() {
        let now = filing(2022, 0, -5);
        for ratio in Ratio::ALL {
            let known = ratio.of(&now, Some(&filing(2021, 0, 1)));
            assert_eq!(known.is_some(), ratio == Ratio::FundraisingCost, "{}", ratio.name());
        }
        let bare = Filing { totals: Totals::default(), ..filing(2022, 10, 5) };
        assert_eq!(Ratio::ProgramShare.of(&bare, None), None);
        let zeros = Totals {
            program_expenses: Some(Usd::new(0)),
            management_expenses: Some(Usd::new(0)),
            fundraising_expenses: Some(Usd::new(0)),
            ..now.totals
        };
        let unfilled = Filing { totals: zeros, ..now.clone() };
        assert_eq!(Ratio::ProgramShare.of(&unfilled, None), None);
        assert_eq!(Ratio::FundraisingCost.of(&unfilled, None), None);
        assert_eq!(Ratio::SurplusMargin.of(&bare, None), Some(0.5));
        // Not the year before.
        for year in [2020, 2022] {
            assert_eq!(Ratio::RevenueGrowth.of(&bare, Some(&filing(year, 10, 5))), None);
        }
    }
}
