//! Which elements of a return state the values of its filing.

use super::gather::Values;
use super::meaning::Field;
use crate::irs::text::is_nothing;
use crate::record::{Element, Filing, StatedValue};

/// A value of a filing: the elements that state it, and whether one of a text was read.
type ValueElements = (StatedValue, &'static [Field], fn(&Filing, &str) -> bool);

/// The values of one element or of the lines of one.
const TRACED: [ValueElements; 19] = [
    (StatedValue::Ein, &[Field::Ein], |_, _| true),
    (StatedValue::Form, &[Field::FormType], |_, _| true),
    (StatedValue::PeriodEnd, &[Field::PeriodEnd], |_, _| true),
    (StatedValue::Name, &[Field::NameLine1, Field::NameLine2], |filing, text| {
        filing.name.contains(text)
    }),
    (
        StatedValue::DoingBusinessAs,
        &[Field::DoingBusinessAs1, Field::DoingBusinessAs2],
        |filing, text| filing.doing_business_as.as_deref().is_some_and(|name| name.contains(text)),
    ),
    (StatedValue::Street, &[Field::StreetLine1, Field::StreetLine2], |filing, _| {
        filing.street.is_some()
    }),
    (StatedValue::City, &[Field::City], |filing, _| filing.city.is_some()),
    (StatedValue::State, &[Field::State], |filing, _| filing.state.is_some()),
    (StatedValue::Zip, &[Field::Zip], |filing, _| filing.zip.is_some()),
    (StatedValue::Subsection, &[Field::Charitable, Field::Subsection], |filing, _| {
        filing.subsection.is_some()
    }),
    (StatedValue::Website, &[Field::Website], |filing, _| filing.website.is_some()),
    (StatedValue::YearFormed, &[Field::YearFormed], |filing, _| filing.year_formed.is_some()),
    (StatedValue::Revenue, &[Field::Revenue], |filing, _| filing.revenue.is_some()),
    (StatedValue::Expenses, &[Field::Expenses], |filing, _| filing.expenses.is_some()),
    (StatedValue::Assets, &[Field::Assets], |filing, _| filing.assets.is_some()),
    (StatedValue::Liabilities, &[Field::Liabilities], |filing, _| filing.liabilities.is_some()),
    (StatedValue::NetAssets, &[Field::NetAssets], |filing, _| filing.net_assets.is_some()),
    (StatedValue::Employees, &[Field::Employees], |filing, _| filing.employees.is_some()),
    (StatedValue::Volunteers, &[Field::Volunteers], |filing, _| filing.volunteers.is_some()),
];

/// Where a filing's values stand, and what stands where a value should and is none. A text that says
/// that there is none, as `N/A`, is neither.
pub(super) fn elements(values: &Values, filing: &Filing) -> Vec<Element> {
    let mut elements = Vec::new();
    for (stated, fields, is_read) in TRACED {
        for (line, field) in fields.iter().enumerate() {
            let Some(value) = values.value(*field) else { continue };
            let is_unreadable = !is_read(filing, &value.text);
            // A second line may be somebody's in whose care mail is sent.
            let says_none = line > 0 || (is_text(stated) && is_nothing(&value.text));
            if !(is_unreadable && says_none) {
                elements.push(Element { stated, at: value.at.clone(), is_unreadable });
            }
        }
    }
    elements
}

fn is_text(stated: StatedValue) -> bool {
    matches!(
        stated,
        StatedValue::Website
            | StatedValue::DoingBusinessAs
            | StatedValue::State
            | StatedValue::Street
    )
}
