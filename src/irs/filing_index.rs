//! The index of e-filed returns of a year: of every return its filer, form, tax period and number,
//! under which the return itself can be fetched.
//!
//! Names in it may have commas without quotes, so what stands behind the name is counted from the end.
//!
//! Source: IRS, Form 990 Series Downloads.

use super::layout::{FieldError, Layout, Values};
use super::records::Fields;
use super::{IndexRow, IndexedForm, ListRow, text};
use crate::record::{Form, Month};

/// The columns that are read; the first two stand before the filer's name, the others behind it.
pub(super) const COLUMNS: [&str; 4] = ["EIN", "TAX_PERIOD", "RETURN_TYPE", "OBJECT_ID"];

/// The column of the filer's name.
const NAME: &str = "TAXPAYER_NAME";

/// Digits of the IRS's number of a return.
const OBJECT_ID_DIGITS: usize = 18;

/// The columns of one file.
#[derive(Debug, Clone)]
pub(super) struct Header {
    ein: usize,
    period: usize,
    /// From the end, the last column being 0.
    form: usize,
    object_id: usize,
    columns: usize,
}

impl Header {
    /// Reads a header line; `None` of any other line.
    pub(super) fn read(fields: Fields<'_>) -> Option<Self> {
        let columns = fields.len();
        let position = |column: &str| {
            fields
                .iter()
                .position(|field| field.trim_ascii().eq_ignore_ascii_case(column.as_bytes()))
        };
        let name = position(NAME)?;
        let before = |column| position(column).filter(|at| *at < name);
        let behind = |column| position(column).filter(|at| *at > name).map(|at| columns - 1 - at);
        let [ein, period, form, object_id] = COLUMNS;
        Some(Self {
            ein: before(ein)?,
            period: before(period)?,
            form: behind(form)?,
            object_id: behind(object_id)?,
            columns,
        })
    }

    /// Whether a record is a header: the name of a column stands where EINs stand.
    pub(super) fn is_header(&self, fields: Fields<'_>) -> bool {
        text::is_ein_heading(fields.get(self.ein))
    }
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

impl Layout for Header {
    fn columns(&self) -> usize {
        self.columns
    }

    fn has_commas_in_names(&self) -> bool {
        true
    }

    fn column_name(&self, index: usize) -> &'static str {
        match index {
            index if index == self.ein => COLUMNS[0],
            index if index == self.period => COLUMNS[1],
            _ => "row",
        }
    }

    fn row(&self, values: &mut Values<'_>) -> Result<ListRow, FieldError> {
        let from_end = |at: usize| values.fields.get(values.fields.len() - 1 - at);
        let (form_found, object_found) = (from_end(self.form), from_end(self.object_id));
        let ein = values.ein(self.ein)?;
        let period = values.fields.get(self.period);
        let tax_period = Month::parse_yyyymm(text::code(period)).map_err(|_| {
            FieldError::new("TAX_PERIOD", "the end of a tax period as YYYYMM", period)
        })?;
        let form = form(text::code(form_found)).ok_or_else(|| {
            FieldError::new("RETURN_TYPE", "990, 990EZ, 990PF or 990T", form_found)
        })?;
        let digits = text::code(object_found);
        let is_number = digits.len() == OBJECT_ID_DIGITS;
        let object_id = digits.parse().ok().filter(|_| is_number).ok_or_else(|| {
            FieldError::new("OBJECT_ID", "the 18 digits of a return's number", object_found)
        })?;
        Ok(ListRow::Indexed(IndexRow { ein, form, tax_period, object_id }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::irs::{Event, Extent, Head, List, ReadError, read, recognise};

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
        let (mut found, mut faults) = (Vec::new(), Vec::new());
        read::<ReadError>(List::FilingIndex, text.as_bytes(), &mut |event| {
            match event {
                Event::Row { row: ListRow::Indexed(row), .. } => found.push(row),
                Event::Row { row, .. } => panic!("{row:?}"),
                Event::Fault { line, fault } => faults.push(format!("{line} {}", fault.field)),
                Event::Progress { .. } => {}
            }
            Ok(())
        })
        .unwrap();
        let row = |ein: &str, form, period: &str, object_id| IndexRow {
            ein: ein.parse().unwrap(),
            form,
            tax_period: Month::parse_yyyymm(period).unwrap(),
            object_id,
        };
        let (short, full) = (IndexedForm::Profile(Form::Short), IndexedForm::Profile(Form::Full));
        let expected = [
            row("010000001", short, "202312", 202_400_559_349_300_125),
            row("010000001", full, "202412", 202_500_559_349_300_125),
            row("010000002", IndexedForm::UnrelatedBusiness, "202406", 202_500_559_349_300_126),
        ];
        assert_eq!(found, expected);
        assert_eq!(faults, ["5 RETURN_TYPE", "6 OBJECT_ID", "7 TAX_PERIOD", "8 row"]);
    }
}
