//! The index of e-filed returns of a year: of every return its filer, form, tax period and number,
//! under which the return itself can be fetched.
//!
//! Names in it may have commas without quotes, so what stands behind the name is counted from the end.
//!
//! Source: IRS, Form 990 Series Downloads.

use serde::{Deserialize, Serialize};

use super::ListRow;
use super::layout::{FieldError, Heading, Layout, ListFormat, Values, position};
use super::records::{Dialect, Fields};
use crate::record::{Ein, Form, Month};

/// A row of the index of e-filed returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct IndexRow {
    pub ein: Ein,
    pub form: IndexedForm,
    /// Last month of the tax period.
    pub tax_period: Month,
    /// The IRS's number of the return, 18 digits.
    pub object_id: u64,
}

/// What a return is that the index lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum IndexedForm {
    /// One that carries a profile.
    Profile(Form),
    /// Form 990-T: income from business that is not related to the exemption.
    UnrelatedBusiness,
}

/// The columns that are read; the first two stand before the filer's name, the others behind it.
const COLUMNS: [&str; 4] = ["EIN", "TAX_PERIOD", "RETURN_TYPE", "OBJECT_ID"];

pub(super) const FORMAT: ListFormat = ListFormat {
    columns: &COLUMNS,
    columns_min: COLUMNS.len(),
    dialects: &[Dialect::Commas],
    heading: Heading::Named(|header| layout(header).ok_or_else(|| COLUMNS.to_vec())),
};

/// The column of the filer's name.
const NAME: &str = "TAXPAYER_NAME";

/// Digits of the IRS's number of a return.
const OBJECT_ID_DIGITS: usize = 18;

/// The layout that a header line gives; `None` of any other line.
fn layout(header: Fields<'_>) -> Option<Layout> {
    let name = position(header, NAME)?;
    let mut layout = Layout::of_header(header, &COLUMNS, row).ok()?;
    layout.commas_at = Some(name);
    // EIN and period stand before the name, form and number behind it.
    let is_before = |at: &Option<usize>| *at < Some(name);
    (layout.positions.iter().map(is_before).eq([true, true, false, false])).then_some(layout)
}

/// The form of a type of return; `None` of a type that is not known.
fn form(code: &str) -> Option<IndexedForm> {
    Some(match code.to_ascii_uppercase().as_str() {
        "990" | "990O" | "990A" => IndexedForm::Profile(Form::Full),
        "990EZ" | "990EO" | "990EA" => IndexedForm::Profile(Form::Short),
        "990PF" | "990PA" => IndexedForm::Profile(Form::PrivateFoundation),
        "990T" | "990TA" => IndexedForm::UnrelatedBusiness,
        _ => return None,
    })
}

fn row(values: &mut Values<'_>) -> Result<ListRow, FieldError> {
    let ein = values.ein()?;
    let tax_period = Month::parse_yyyymm(values.code_at(1))
        .map_err(|_| values.fault(1, "the end of a tax period as YYYYMM"))?;
    let form =
        form(values.code_at(2)).ok_or_else(|| values.fault(2, "990, 990EZ, 990PF or 990T"))?;
    let digits = Some(values.code_at(3)).filter(|code| code.len() == OBJECT_ID_DIGITS);
    let object_id = digits
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| values.fault(3, "the 18 digits of a return's number"))?;
    Ok(ListRow::FilingIndex(IndexRow { ein, form, tax_period, object_id }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::irs::tests::read_all;
    use crate::irs::{Extent, Head, List, recognise};

    #[test]
    fn names_may_have_commas() {
        let text = "RETURN_ID,FILING_TYPE,EIN,TAX_PERIOD,SUB_DATE,TAXPAYER_NAME,RETURN_TYPE,DLN,\
                    OBJECT_ID,XML_BATCH_ID\n\
                    1,EFILE,010000001,202312,2024,A CLUB,990EZ,1,202400559349300125,2024_TEOS_XML_01A\n\
                    2,EFILE,010000001,202412,2025,\"A, CLUB\",990,1,202500559349300125,\n\
                    3,EFILE,010000002,202406,2025,LIONS, TIGERS, AND BEARS,990T,1,202500559349300126,x\n\
                    4,EFILE,010000003,202406,2025,A,1120,1,202500559349300126,x\n\
                    5,EFILE,010000003,202406,2025,A,990,1,12,x\n\
                    6,EFILE,010000003,2024,2025,A,990,1,202500559349300126,x\n\
                    7,EFILE,010000003\n";
        assert_eq!(recognise(text.as_bytes(), Extent::Whole), Some(Head::Known(List::FilingIndex)));
        let found = read_all(List::FilingIndex, text.as_bytes()).unwrap();
        let row = |line: u64, ein: &str, form, period: &str, object_id| {
            let tax_period = Month::parse_yyyymm(period).unwrap();
            let row = IndexRow { ein: ein.parse().unwrap(), form, tax_period, object_id };
            (line, ListRow::FilingIndex(row))
        };
        let (short, full) = (IndexedForm::Profile(Form::Short), IndexedForm::Profile(Form::Full));
        let expected = [
            row(2, "010000001", short, "202312", 202_400_559_349_300_125),
            row(3, "010000001", full, "202412", 202_500_559_349_300_125),
            row(4, "010000002", IndexedForm::UnrelatedBusiness, "202406", 202_500_559_349_300_126),
        ];
        assert_eq!(found.rows, expected);
        assert_eq!(found.faults(), ["5 RETURN_TYPE", "6 OBJECT_ID", "7 TAX_PERIOD", "8 row"]);
    }
}
