//! Figures of one nonprofit, each with the tax period that it is of; those of a year that was asked
//! for; and where a figure is from.

use super::say::{dollars, list};
use super::standing::as_of;
use crate::reader::Fact;
use crate::record::{Filing, FilingDuty, Month, Organization, Origin, Usd, thousands};
use crate::search::provenance::{Provenance, TracedNonprofit};
use crate::sources::Summary;
use crate::understand::FactQuestion;

/// Periods that a sentence names.
const PERIODS_NAMED: usize = 4;

/// A figure that a return or the master file's row may state.
struct Figure {
    /// What it is called behind a verb: `revenue`.
    what: &'static str,
    of_return: fn(&Filing) -> Option<i64>,
    /// The nonprofit's own: the latest that is known.
    of_latest: fn(&Organization) -> Option<i64>,
    origin: fn(&Organization) -> Origin,
    is_count: bool,
}

fn figure(fact: Fact) -> Option<Figure> {
    Some(match fact {
        Fact::Revenue => Figure {
            what: "revenue",
            of_return: |filing| filing.revenue.map(Usd::dollars),
            of_latest: |one| one.finances.revenue.map(Usd::dollars),
            origin: |one| one.origins.revenue,
            is_count: false,
        },
        Fact::Expenses => Figure {
            what: "expenses",
            of_return: |filing| filing.expenses.map(Usd::dollars),
            of_latest: |one| one.finances.expenses.map(Usd::dollars),
            origin: |one| one.origins.expenses,
            is_count: false,
        },
        Fact::Assets => Figure {
            what: "total assets",
            of_return: |filing| filing.assets.map(Usd::dollars),
            of_latest: |one| one.finances.assets.map(Usd::dollars),
            origin: |one| one.origins.assets,
            is_count: false,
        },
        Fact::NetAssets => Figure {
            what: "net assets",
            of_return: |filing| filing.net_assets.map(Usd::dollars),
            of_latest: |one| one.finances.net_assets.map(Usd::dollars),
            origin: |one| one.origins.net_assets,
            is_count: false,
        },
        Fact::Employees => Figure {
            what: "employees",
            of_return: |filing| filing.employees.map(i64::from),
            of_latest: |one| one.finances.employees.map(i64::from),
            origin: |one| one.origins.employees,
            is_count: true,
        },
        _ => return None,
    })
}

impl Figure {
    fn sentence(&self, amount: i64) -> String {
        match (self.is_count, amount) {
            (true, 1) => "1 employee".to_owned(),
            (true, count) => format!("{} employees", thousands(count.unsigned_abs())),
            (false, amount) => format!("{} of {}", self.what, dollars(amount)),
        }
    }
}

/// ` for the tax period that ended in June 2024`; of a period that is no whole year how many months it has.
fn for_period(month: Option<Month>, filings: &[Filing]) -> String {
    let Some(month) = month else { return String::new() };
    let of_month = filings.iter().find(|filing| filing.tax_period() == Some(month));
    match of_month.and_then(Filing::short_months) {
        Some(months) => {
            format!(" for a short tax year of {}, which ended in {month}", count_of_months(months))
        }
        None => format!(" for the tax period that ended in {month}"),
    }
}

fn count_of_months(months: u16) -> String {
    if months == 1 { "one month".to_owned() } else { format!("{months} months") }
}

/// A figure, the latest or that of a year; `None` of no figure, and of one that is not known at all.
pub(super) fn sentence(asked: FactQuestion, traced: &TracedNonprofit<'_>) -> Option<String> {
    let TracedNonprofit { organization, filings, .. } = traced;
    let Organization { name, origins, .. } = organization;
    if asked.fact == Fact::Size {
        return size(organization, filings);
    }
    let figure = figure(asked.fact)?;
    if let Some(year) = asked.year {
        return Some(of_year(&figure, year, traced));
    }
    let amount = (figure.of_latest)(organization)?;
    let period = origins.period((figure.origin)(organization), filings);
    Some(format!("{name} reported {}{}.", figure.sentence(amount), for_period(period, filings)))
}

/// The return of a year: of that form's year, else of a period that ended in it.
pub(super) fn return_of(year: u16, filings: &[Filing]) -> Option<&Filing> {
    let of_form = filings.iter().find(|filing| filing.tax_year == year);
    of_form.or_else(|| filings.iter().find(|filing| filing.period_end.year() == year))
}

fn of_year(figure: &Figure, year: u16, traced: &TracedNonprofit<'_>) -> String {
    let TracedNonprofit { organization, filings, .. } = traced;
    let Organization { name, origins, .. } = organization;
    if let Some(filing) = return_of(year, filings) {
        let (form, tax_year, end) =
            (filing.form, filing.tax_year, for_period(filing.tax_period(), filings));
        return match (figure.of_return)(filing) {
            Some(amount) => {
                format!(
                    "{name} reported {}{end} (Form {form} of {tax_year}).",
                    figure.sentence(amount)
                )
            }
            None => {
                format!(
                    "The return of {name}{end} (Form {form} of {tax_year}) states no {}.",
                    figure.what
                )
            }
        };
    }
    let of_row = (figure.of_latest)(organization).filter(|_| {
        let is_of_row = (figure.origin)(organization) == Origin::Row;
        is_of_row && origins.row_period.is_some_and(|month| month.year() == year)
    });
    match of_row {
        Some(amount) => {
            format!(
                "{name} reported {}{}.",
                figure.sentence(amount),
                for_period(origins.row_period, filings)
            )
        }
        None => missing_year(figure.what, year, traced),
    }
}

/// That nothing is known of a year, and of which periods something is.
pub(super) fn missing_year(what: &str, year: u16, traced: &TracedNonprofit<'_>) -> String {
    let name = &traced.organization.name;
    let periods = traced.filings.iter().filter_map(Filing::tax_period).take(PERIODS_NAMED);
    let periods: Vec<String> = periods.map(|month| month.to_string()).collect();
    match (&periods[..], traced.organization.origins.row_period) {
        ([], None) => format!("The {what} of {name} in {year} is not in the loaded returns."),
        ([], Some(month)) => format!(
            "The {what} of {name} in {year} is not in the loaded returns: none of it is loaded, and the \
             master file's figures are of the tax period that ended in {month}."
        ),
        _ => format!(
            "The {what} of {name} in {year} is not in the loaded returns, which are of the tax periods \
             that ended in {}.",
            list(&periods)
        ),
    }
}

/// The size class, and the figure that it follows.
fn size(organization: &Organization, filings: &[Filing]) -> Option<String> {
    let Organization { name, finances, origins, overlay, .. } = organization;
    let size = organization.size()?;
    let said = overlay.as_ref().is_some_and(|overlay| overlay.size.is_some());
    let by = match (finances.expenses, finances.revenue) {
        _ if said => ", as the operator of this service says".to_owned(),
        (Some(usd), _) => {
            let period = for_period(origins.period(origins.expenses, filings), filings);
            format!(", by its expenses of {}{period}", dollars(usd.dollars()))
        }
        (None, Some(usd)) => {
            let period = for_period(origins.period(origins.revenue, filings), filings);
            format!(", by its revenue of {}{period}", dollars(usd.dollars()))
        }
        (None, None) => ceiling(organization).map_or(String::new(), |said| format!(", as {said}")),
    };
    Some(format!("{name} is of size {}{by}.", size.name()))
}

/// What is known of a revenue of which no amount is: `its gross receipts are at most $50,000`.
fn ceiling(organization: &Organization) -> Option<String> {
    let finances = &organization.finances;
    let most = dollars(finances.revenue_ceiling()?.dollars());
    Some(match finances.filing_duty() {
        Some(FilingDuty::Postcard) => {
            format!(
                "it has to file Form 990-N alone, for gross receipts of normally at most {most} a year"
            )
        }
        _ => format!(
            "its gross receipts were at most {most}{}",
            for_period(organization.origins.row_period, &[])
        ),
    })
}

/// That no amount of its revenue is known, and what is.
pub(super) fn no_revenue(organization: &Organization) -> Option<String> {
    let said = ceiling(organization)?;
    Some(format!("No amount of the revenue of {} is on file; {said}.", organization.name))
}

/// Its revenue with its period, for a portrait.
pub(super) fn revenue(traced: &TracedNonprofit<'_>) -> String {
    let TracedNonprofit { organization, filings, .. } = traced;
    let origins = &organization.origins;
    match organization.finances.revenue {
        Some(revenue) => {
            let period = for_period(origins.period(origins.revenue, filings), filings);
            format!("It reported revenue of {}{period}.", dollars(revenue.dollars()))
        }
        None => match ceiling(organization) {
            Some(said) => format!("No amount of its revenue is on file; {said}."),
            None => "The data holds no revenue of it.".to_owned(),
        },
    }
}

/// Where a value that was spoken of is from, and how old that is; without one, where the name and the
/// latest figures are from.
pub(super) fn source(asked: Option<FactQuestion>, traced: &TracedNonprofit<'_>) -> String {
    let name = &traced.organization.name;
    let year = asked.and_then(|asked| asked.year);
    if let Some(filing) = year.and_then(|year| return_of(year, &traced.filings)) {
        let from = of_return(filing, traced.sources.get(filing.source as usize));
        return format!("What is said of {name} in that year is from {from}.");
    }
    let keys =
        asked.map_or(&["name", "revenueGrandTotal", "netAssets"][..], |asked| key(asked.fact));
    // What has one source is told together.
    let mut told: Vec<(String, Vec<&str>)> = Vec::new();
    for key in keys {
        let Some(from) = traced.of(key).as_ref().and_then(from) else { continue };
        match told.iter_mut().find(|(known, _)| *known == from) {
            Some((_, keys)) => keys.push(key),
            None => told.push((from, vec![key])),
        }
    }
    if told.is_empty() {
        return format!("No list or return that was loaded says that of {name}.");
    }
    let said = |(at, (from, keys)): (usize, &(String, Vec<&str>))| {
        let what: Vec<String> = keys.iter().map(|key| called(key).to_owned()).collect();
        let is_one = keys.len() == 1 && keys[0] != "netAssets";
        let verb = if is_one { "is" } else { "are" };
        let whose = if at == 0 { format!(" of {name}") } else { String::new() };
        format!("The {}{whose} {verb} from {from}.", list(&what))
    };
    told.iter().enumerate().map(said).collect::<Vec<_>>().join(" ")
}

/// Whether a fact is an amount or a count of a tax period.
pub(super) fn is_figure(fact: Fact) -> bool {
    figure(fact).is_some()
}

/// How old the figure is that was spoken of last.
pub(super) fn age(asked: FactQuestion, traced: &TracedNonprofit<'_>) -> Option<String> {
    let said = is_figure(asked.fact).then(|| source(Some(asked), traced))?;
    Some(format!("As to what was said last: {}{}", said[..1].to_lowercase(), &said[1..]))
}

/// Keys of details that a fact is of.
fn key(fact: Fact) -> &'static [&'static str] {
    match fact {
        Fact::Revenue | Fact::Size => &["revenueGrandTotal"],
        Fact::NetAssets | Fact::Expenses | Fact::Employees | Fact::Assets => &["netAssets"],
        Fact::Place => &["streetAddress", "city"],
        Fact::Website | Fact::Donate | Fact::Contact => &["url"],
        Fact::Founded => &["yearFounded", "irsRulingDate"],
        Fact::Mission => &["summary"],
        Fact::Ein => &["ein"],
        Fact::Standing | Fact::Deductible => &["inactive", "irsRulingDate"],
        Fact::Officers | Fact::Pay | Fact::Filing => &["formType"],
        Fact::Code => &["ntee"],
        Fact::Goals => &["sdgs"],
        Fact::Score | Fact::Vetted => &["gcVetted"],
        Fact::Impact => &["impactSummary"],
    }
}

/// What a key of details is called in a sentence.
fn called(key: &str) -> &'static str {
    match key {
        "name" => "name",
        "revenueGrandTotal" => "revenue",
        "netAssets" => "net assets",
        "streetAddress" => "street",
        "city" => "city",
        "url" => "website",
        "yearFounded" => "year of formation",
        "irsRulingDate" => "ruling date",
        "summary" => "mission",
        "ein" => "EIN",
        "inactive" => "word on revocation",
        "formType" => "list of officers and the form",
        "ntee" => "NTEE code",
        "sdgs" => "list of goals",
        "gcVetted" => "mark on the vetting",
        "impactSummary" => "summary of the impact",
        _ => "value",
    }
}

/// The list or the return that says a value; `None` where none does.
fn from(provenance: &Provenance<'_>) -> Option<String> {
    let Provenance { source, filing, column, period, missing, .. } = provenance;
    if let (Some(filing), None) = (filing, missing) {
        return Some(of_return(filing, *source));
    }
    if missing.is_some() {
        return None;
    }
    let source = source.as_ref()?;
    let column = column.map_or(String::new(), |column| format!(", column {column}"));
    let period = for_period(*period, &[]);
    Some(format!(
        "{} in the file {}{column}{period}",
        as_of(source.kind, Some(source)),
        source.name
    ))
}

fn of_return(filing: &Filing, source: Option<&Summary>) -> String {
    let file = source.map_or(String::new(), |source| format!(" in {}", source.name));
    let filed = filing.filed.and_then(crate::record::Timestamp::date);
    let filed = filed.map_or(String::new(), |day| format!(", filed on {day}"));
    format!(
        "its Form {}{}{filed}{file}",
        filing.form,
        for_period(filing.tax_period(), std::slice::from_ref(filing))
    )
}
