//! The annual extracts of tax-exempt organizations' financial data (Statistics of Income): figures of
//! Forms 990, 990-EZ and 990-PF as filed, also of returns of which no XML is published. CSV or, in
//! older years, separated by blanks; columns named by a header, which differs from form to form.
//!
//! Source: IRS, Annual Extract of Tax-Exempt Organization Financial Data, its record layouts.

use serde::{Deserialize, Serialize};

use super::ListRow;
use super::layout::{FieldError, Heading, Layout, ListFormat, RowReader, Values, parsed, position};
use super::records::{Dialect, Fields};
use crate::record::{Ein, Form, Month, StatedValue, Subsection, Totals, Usd};

/// A row of an annual extract: the figures of one return.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractRow {
    pub ein: Ein,
    pub form: Form,
    /// Last month of the tax period.
    pub tax_period: Month,
    pub subsection: Option<Subsection>,
    pub revenue: Option<Usd>,
    pub expenses: Option<Usd>,
    pub assets: Option<Usd>,
    pub liabilities: Option<Usd>,
    pub net_assets: Option<Usd>,
    pub employees: Option<u32>,
    /// Contributions, revenue of programmes, dues, investment income, grants paid.
    pub totals: Box<Totals>,
}

/// What every extract's header has.
const COLUMNS: [&str; 2] = ["EIN", "tax_pd"];

pub(super) const FORMAT: ListFormat = ListFormat {
    columns: &COLUMNS,
    columns_min: COLUMNS.len(),
    dialects: &[Dialect::Commas, Dialect::Spaces],
    heading: Heading::Named(|header| layout(header).ok_or_else(|| COLUMNS.to_vec())),
};

/// Names that the column of the tax period had.
const PERIOD: [&str; 3] = ["tax_pd", "tax_prd", "taxpd"];

/// Names that the column of the subsection had.
const SUBSECTION: [&str; 2] = ["subseccd", "subcd"];

/// The columns of a form's figures: those of [`STATED`], then contributions, revenue of programmes, dues,
/// investment income and grants paid.
type Columns = [Option<&'static str>; FIGURES];

const FIGURES: usize = STATED.len() + 5;

const STATED: [StatedValue; 6] = [
    StatedValue::Revenue,
    StatedValue::Expenses,
    StatedValue::Assets,
    StatedValue::Liabilities,
    StatedValue::NetAssets,
    StatedValue::Employees,
];

fn columns(form: Form) -> Columns {
    match form {
        Form::Full => [
            Some("totrevenue"),
            Some("totfuncexpns"),
            Some("totassetsend"),
            Some("totliabend"),
            Some("totnetassetend"),
            Some("noemplyeesw3cnt"),
            Some("totcntrbgfts"),
            Some("totprgmrevnue"),
            None,
            // `invstmntinc` is line 3 of Part VIII alone, and not all of line 10 of Part I.
            None,
            None,
        ],
        Form::Short => [
            Some("totrevnue"),
            Some("totexpns"),
            Some("totassetsend"),
            Some("totliabend"),
            Some("totnetassetsend"),
            None,
            Some("totcntrbs"),
            Some("prgmservrev"),
            Some("duesassesmnts"),
            Some("othrinvstinc"),
            None,
        ],
        Form::PrivateFoundation => [
            Some("totrcptperbks"),
            Some("totexpnspbks"),
            Some("totassetsend"),
            Some("totliabend"),
            Some("tfundnworth"),
            None,
            Some("grscontrgifts"),
            None,
            None,
            None,
            Some("contrpdpbks"),
        ],
    }
}

/// The column of the extract of a form that states a value; `None` of what it does not state.
pub fn column(form: Form, stated: StatedValue) -> Option<&'static str> {
    match stated {
        StatedValue::Ein => Some("EIN"),
        StatedValue::PeriodEnd => Some(PERIOD[0]),
        StatedValue::Form => Some("header"),
        stated => columns(form)[STATED.iter().position(|known| *known == stated)?],
    }
}

/// Where figures begin among the columns of a [`Layout`].
const FIRST_FIGURE: usize = 3;

/// The layout that a header line gives; `None` of any other line.
fn layout(header: Fields<'_>) -> Option<Layout> {
    let place = |name: &str| position(header, name);
    // Revenue tells the forms apart.
    let forms: [(Form, RowReader); 3] = [
        (Form::Full, |values| row(Form::Full, values)),
        (Form::Short, |values| row(Form::Short, values)),
        (Form::PrivateFoundation, |values| row(Form::PrivateFoundation, values)),
    ];
    let mut forms = forms.into_iter();
    let (form, row) = forms.find(|(form, _)| columns(*form)[0].and_then(place).is_some())?;
    let figures = columns(form);
    let ein = place("EIN")?;
    let (period, period_name) = PERIOD.iter().find_map(|name| Some((place(name)?, *name)))?;
    let subsection = SUBSECTION.iter().find_map(|name| place(name));
    let names = ["EIN", period_name, SUBSECTION[0]].into_iter();
    let positions = [Some(ein), Some(period), subsection].into_iter();
    Some(Layout {
        names: names.chain(figures.map(|name| name.unwrap_or("row"))).collect(),
        positions: positions.chain(figures.map(|name| name.and_then(place))).collect(),
        width: header.len(),
        commas_at: None,
        row,
    })
}

fn row(form: Form, values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let ein = values.ein()?;
    let tax_period = Month::parse_yyyymm(values.code_at(1))
        .map_err(|_| values.fault(1, "the end of a tax period as YYYYMM"))?;
    let mut usd = |figure| values.code::<Usd>(FIRST_FIGURE + figure, parsed);
    let [revenue, expenses, assets, liabilities, net_assets] = [0, 1, 2, 3, 4].map(&mut usd);
    let totals = [6, 7, 8, 9, 10].map(usd);
    let [contributions, program_revenue, membership_dues, investment_income, grants_paid] = totals;
    let subsection = |code: &str| {
        let number = code.parse::<u8>().ok()?;
        Subsection::try_from(number).ok().map(Some)
    };
    Ok(ListRow::Extract(ExtractRow {
        ein,
        form,
        tax_period,
        subsection: values.code(2, subsection),
        revenue,
        expenses,
        assets,
        liabilities,
        net_assets,
        employees: values.code(FIRST_FIGURE + 5, parsed),
        totals: Box::new(Totals {
            contributions,
            program_revenue,
            membership_dues,
            investment_income,
            grants_paid,
            ..Totals::default()
        }),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::irs::tests::read_all;
    use crate::irs::{Extent, Head, List, recognise};

    fn check(text: &str, expected: ExtractRow, faults: &[&str]) {
        let head = Some(Head::Known(List::Extract));
        assert_eq!(recognise(text.as_bytes(), Extent::Whole), head, "{text}");
        let found = read_all(List::Extract, text.as_bytes()).unwrap();
        assert_eq!(found.rows, [(2, ListRow::Extract(expected))]);
        assert_eq!(found.faults(), faults);
    }

    #[test]
    fn each_form_has_its_own_columns() {
        let usd = |dollars| Some(Usd::new(dollars));
        let row = |form, period: &str, figures: [Option<Usd>; 5], employees| ExtractRow {
            ein: "010000001".parse().unwrap(),
            form,
            tax_period: Month::parse_yyyymm(period).unwrap(),
            subsection: "03".parse().ok(),
            revenue: figures[0],
            expenses: figures[1],
            assets: figures[2],
            liabilities: figures[3],
            net_assets: figures[4],
            employees,
            totals: Box::default(),
        };
        let totals = Box::new(Totals {
            contributions: usd(60),
            program_revenue: usd(30),
            ..Totals::default()
        });
        let figures = [usd(100), usd(-5), usd(7), None, usd(0)];
        check(
            "efile,EIN,tax_pd,subseccd,noemplyeesw3cnt,totrevenue,totfuncexpns,totassetsend,\
             totliabend,totnetassetend,totcntrbgfts,totprgmrevnue\r\n\
             E,010000001,202206,3,12,100,-5,7,,0,60,30\r\nE,01000000X,202206,3,1,1,1,1,1,1,1,1\r\n",
            ExtractRow { totals, ..row(Form::Full, "202206", figures, Some(12)) },
            &["3 EIN"],
        );
        let figures = [usd(1), usd(2), usd(3), usd(4), usd(5)];
        check(
            "ein  tax_pd subseccd totrevnue totexpns totassetsend totliabend totnetassetsend\n\
             010000001 201412   3  1 2 3 4 5\n",
            row(Form::Short, "201412", figures, None),
            &[],
        );
        let totals = Box::new(Totals { grants_paid: usd(6), ..Totals::default() });
        check(
            "EIN,TAX_PRD,SUBCD,TOTRCPTPERBKS,TOTEXPNSPBKS,TOTASSETSEND,TOTLIABEND,TFUNDNWORTH,\
             CONTRPDPBKS\n010000001,202112,3,1,2,3,4,5,6\n010000001,2021,3,1,2,3,4,5,6\n",
            ExtractRow { totals, ..row(Form::PrivateFoundation, "202112", figures, None) },
            &["3 tax_prd"],
        );
    }

    #[test]
    fn other_headers_are_none() {
        for text in ["EIN,NAME,totrevenue\n", "EIN,tax_pd,revenue\n", "a b c\n", "", "1 2 3\n"] {
            assert_eq!(recognise(text.as_bytes(), Extent::Whole), None, "{text}");
        }
    }
}
