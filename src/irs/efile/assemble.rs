//! The texts of a return, parsed into a filing.

use super::elements::elements;
use super::gather::{ReturnValues, Values};
use super::lists::{Lists, OfReturn};
use super::meaning::{Field, Meaning};
use super::narrative;
use super::own_name::OwnNames;
use super::period;
use super::row::{is_ticked, lines_of};
use super::{Return, ReturnError};
use crate::irs::text::is_nothing;
use crate::irs::website;
use crate::record::{
    Date, Ein, Element, ElementPath, Filing, Form, Governance, Lobbying, Posture, Program,
    StatedValue, Subsection, Timestamp, Totals, Usd,
};

/// Digits of the IRS's number of a return.
const OBJECT_ID_DIGITS: usize = 18;

/// The earliest year of formation that is believed: the oldest university is of 1636.
const YEAR_FORMED_MIN: u16 = 1600;

/// The subsections that there are: 501(c)(1) to 501(c)(29).
const SUBSECTIONS: std::ops::RangeInclusive<u8> = 1..=29;

pub(super) fn whole(gathered: ReturnValues, file_name: &str) -> Result<Return, ReturnError> {
    let mut filing = filing(&gathered, file_name)?;
    let ReturnValues { form, values, rows, rows_beyond, .. } = gathered;
    let of_return = OfReturn {
        ein: filing.ein,
        tax_year: filing.tax_year,
        period_end: filing.period_end,
        object_id: filing.object_id.as_deref(),
    };
    let Lists { schedules, applications, contractors, transactions, mut unreadable } =
        Lists::of(&rows, &of_return);
    (filing.contractors, filing.transactions) = (contractors, transactions);
    unreadable.extend(std::iter::repeat_n("rows beyond those kept", rows_beyond));
    filing.posture = (form == Form::PrivateFoundation).then(|| Posture {
        only_preselected: is_ticked(values.text(Field::OnlyPreselected)),
        applications,
    });
    Ok(Return { filing, schedules, unreadable })
}

/// A return without what it lists.
fn filing(gathered: &ReturnValues, file_name: &str) -> Result<Filing, ReturnError> {
    let ReturnValues { form, values, programs, notes, .. } = gathered;
    let ein =
        required(gathered, Field::Ein, ["EIN", "nine digits"], |text| text.parse::<Ein>().ok())?;
    let end = ["TaxPeriodEndDt", "a day as YYYY-MM-DD"];
    let period_end = required(gathered, Field::PeriodEnd, end, |text| day(Some(text)))?;
    let is_over = |_: &str| period::is_over(period_end, |field| values.text(field)).then_some(());
    required(gathered, Field::PeriodEnd, ["TaxPeriodEndDt", period::EXPECTED], is_over)?;
    let name = ["BusinessNameLine1Txt", "the filer's name"];
    let name = required(gathered, Field::NameLine1, name, |text| {
        let further = values.text(Field::NameLine2).filter(|line| !is_care_of(line));
        lines_of(Some(text), further)
    })?;
    let text = |field| values.text(field);
    let kept = |field| text(field).map(str::to_owned);
    let dollars = |field| amount(text(field));
    let names = [text(Field::DoingBusinessAs1), text(Field::NameLine1), Some(name.as_str())];
    let own_names = OwnNames::of(names.into_iter().flatten());
    let (programs, programs_from): (Vec<_>, Vec<_>) =
        narrative::programs(programs, notes, values, &own_names, amount).into_iter().unzip();
    let first_program = programs.first().zip(programs_from.first());
    let (mission, mission_from) = mission(gathered, &own_names, first_program).unzip();
    let mut filing = Filing {
        ein,
        form: *form,
        tax_year: tax_year(values, period_end),
        period_begin: day(text(Field::PeriodBegin)).filter(|begin| *begin <= period_end),
        period_end,
        filed: text(Field::Filed).and_then(|text| Timestamp::parse(text).ok()),
        amended: is_ticked(text(Field::Amended)),
        object_id: object_id(file_name),
        name,
        doing_business_as: lines_of(text(Field::DoingBusinessAs1), text(Field::DoingBusinessAs2))
            .filter(|name| !is_nothing(name)),
        street: lines_of(text(Field::StreetLine1), text(Field::StreetLine2)),
        city: kept(Field::City),
        state: text(Field::State).and_then(|code| code.parse().ok()),
        zip: text(Field::Zip).and_then(|zip| zip.get(..5)).and_then(|zip| zip.parse().ok()),
        subsection: subsection(*form, values),
        website: text(Field::Website).and_then(website),
        mission,
        year_formed: number(text(Field::YearFormed))
            .filter(|year| (YEAR_FORMED_MIN..=period_end.year()).contains(year)),
        revenue: dollars(Field::Revenue),
        expenses: dollars(Field::Expenses),
        assets: dollars(Field::Assets),
        liabilities: dollars(Field::Liabilities),
        net_assets: dollars(Field::NetAssets),
        employees: number(text(Field::Employees)),
        volunteers: number(text(Field::Volunteers)),
        programs,
        contractors: Vec::new(),
        superseded: Vec::new(),
        phone: kept(Field::Phone),
        principal_officer: kept(Field::PrincipalOfficer).filter(|name| !is_nothing(name)),
        business_officer: kept(Field::BusinessOfficer).filter(|name| !is_nothing(name)),
        governance: governance(values),
        totals: Totals::read(|total| values.text(Meaning::Total(total))),
        lobbying: lobbying(values),
        transactions: Vec::new(),
        posture: None,
        elements: Vec::new(),
        source: 0,
    };
    filing.elements = elements(values, &filing);
    filing.elements.extend(narrated(StatedValue::Mission, mission_from.unwrap_or_default()));
    let of_program = |(at, from)| narrated(StatedValue::Program(at), from);
    filing.elements.extend((0..).zip(programs_from).flat_map(of_program));
    Ok(filing)
}

/// The year that the form is of; where it says none, that in which the period began.
fn tax_year(values: &Values, period_end: Date) -> u16 {
    let stated = number(values.text(Field::TaxYear));
    let stated = stated.filter(|year| period::TAX_YEARS.contains(year));
    stated.unwrap_or_else(|| year_begun(period_end))
}

/// What it says it is for, and the elements that say it. Form 990-PF does not ask; there the first thing that
/// it does stands for it.
fn mission(
    gathered: &ReturnValues,
    own_names: &OwnNames,
    first_program: Option<(&Program, &Vec<ElementPath>)>,
) -> Option<(String, Vec<ElementPath>)> {
    if gathered.form == Form::PrivateFoundation {
        return first_program.map(|(program, from)| (program.description.clone(), from.clone()));
    }
    let told = narrative::mission(&gathered.values, &gathered.notes, own_names)?;
    Some((told.text, told.from))
}

fn governance(values: &Values) -> Governance {
    let answer = |field| values.text(field).map(|text| is_ticked(Some(text)));
    let count = |field| number(values.text(field));
    Governance {
        voting_members: count(Field::VotingMembers),
        independent_members: count(Field::IndependentMembers),
        conflict_policy: answer(Field::ConflictPolicy),
        whistleblower_policy: answer(Field::WhistleblowerPolicy),
        retention_policy: answer(Field::RetentionPolicy),
    }
}

/// Who elected under section 501(h) fills in one part on lobbying, and everybody else the other.
fn lobbying(values: &Values) -> Lobbying {
    let is_filed = |fields: [Field; 2]| fields.iter().any(|field| values.text(*field).is_some());
    let elected = is_filed([Field::ElectedLobbying, Field::ElectedLobbyingLine]);
    let unelected = is_filed([Field::UnelectedLobbying, Field::UnelectedLobbyingLine]);
    let dollars = |field| amount(values.text(field));
    Lobbying {
        elected_501h: (elected != unelected).then_some(elected),
        expenditures: dollars(Field::ElectedLobbying).xor(dollars(Field::UnelectedLobbying)),
        political_expenditures: dollars(Field::PoliticalExpenditures),
    }
}

/// The elements that a text was read from.
fn narrated(stated: StatedValue, from: Vec<ElementPath>) -> impl Iterator<Item = Element> {
    from.into_iter().map(move |at| Element { stated, at, is_unreadable: false })
}

/// A value without which a return is of no use, called `name` where it is not there or malformed.
fn required<T>(
    gathered: &ReturnValues,
    field: Field,
    [name, expected]: [&'static str; 2],
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, ReturnError> {
    let value = gathered.values.value(field);
    value.and_then(|value| parse(&value.text)).ok_or_else(|| {
        // A return that lacks it lacks it at its end.
        let (line, found) =
            value.map_or((gathered.lines, ""), |value| (value.line, value.text.as_str()));
        ReturnError::malformed(line, name, expected, found)
    })
}

/// Whether a line tells in whose care mail is sent and not how the filer is called.
fn is_care_of(line: &str) -> bool {
    let line = line.trim_start().to_ascii_uppercase();
    ["C/O ", "%", "ATTN"].iter().any(|mark| line.starts_with(mark))
}

fn day(text: Option<&str>) -> Option<Date> {
    text.and_then(|text| Date::parse_yyyy_mm_dd(text).ok())
}

fn amount(text: Option<&str>) -> Option<Usd> {
    text.and_then(|text| text.parse().ok())
}

/// Digits only: a sign or a fraction is no count and no year.
fn number<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?.parse().ok()
}

/// The year in which a tax period of twelve months began that ends on this day.
fn year_begun(end: Date) -> u16 {
    if end.month() == 12 { end.year() } else { end.year() - 1 }
}

fn subsection(form: Form, values: &Values) -> Option<Subsection> {
    match form {
        Form::PrivateFoundation => {
            (!is_ticked(values.text(Field::Taxable))).then_some(Subsection::CHARITABLE)
        }
        Form::Full | Form::Short if is_ticked(values.text(Field::Charitable)) => {
            Some(Subsection::CHARITABLE)
        }
        Form::Full | Form::Short => number::<u8>(values.text(Field::Subsection))
            .filter(|number| SUBSECTIONS.contains(number))
            .and_then(|number| Subsection::try_from(number).ok()),
    }
}

/// Eighteen digits, with no other digit beside them.
fn object_id(file_name: &str) -> Option<String> {
    let mut runs = file_name.split(|c: char| !c.is_ascii_digit());
    runs.find(|run| run.len() == OBJECT_ID_DIGITS).map(str::to_owned)
}
