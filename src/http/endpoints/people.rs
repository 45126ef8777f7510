//! `GET /nonprofits/people/{ein}` and `/people/search`: officers, directors, trustees, key employees and
//! the highest paid, as returns list them. Beside the specification.

use super::grants::{NOT_LOADED, year};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{EIN, PAGE, SIZE, STATE, YEAR};
use crate::http::interface::endpoint::{
    Context, Cost, Endpoint, Reply, Rows, UNKNOWN_EIN, json, paging,
};
use crate::http::interface::parameter::{defaulted, optional, parameters};
use crate::http::interface::parameter_type::{Choice, Text};
use crate::record::{Date, Ein, Person, Role, Roles, State, Usd, filing_url};
use crate::search::listing::ListPage;
use crate::search::people::{
    self, NameHit, NameOrder, Names, NonprofitQuery, PeopleOrder, nonprofit_people, search,
};
use crate::snapshot::Manifest;
use crate::views::{PersonRow, view};

parameters! {
    /// What the people of one nonprofit take.
    PeopleOf {
        ein: Ein = EIN,
        year: Option<i64> = YEAR,
        sort: PeopleOrder = defaulted(
            "sort",
            Choice::of(&PeopleOrder::ALL, PeopleOrder::name),
            PeopleOrder::Form,
            "What the people of one return are sorted by: `form`, as it lists them, or `pay`, the best paid first, by \
             reportable pay from the nonprofit and from related organizations. The latest return comes first either way.",
        ),
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over the people of one nonprofit.
pub(crate) static PEOPLE_OF: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "People of one nonprofit by year, with what they were paid",
    rows: Rows::In("items"),
    not_found: Some(UNKNOWN_EIN),
    cost: Cost::Heavy, // Every name in its returns is read.
    ..Endpoint::json::<NonprofitPeople>(
        "/nonprofits/people/{ein}",
        PeopleOf::DECLARED,
        answer_of_one,
    )
};

fn answer_of_one(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = PeopleOf::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let paging = paging(asked.page, asked.size);
    let query =
        NonprofitQuery { ein: asked.ein, year: year(asked.year), order: asked.sort, paging };
    let found = nonprofit_people(snapshot, &query)?.ok_or(ApiError::UnknownNonprofit)?;
    let none = if found.has_returns { "the loaded returns list nobody" } else { NOT_LOADED };
    let message = left_out(&snapshot.manifest).or(found.years.is_empty().then_some(none));
    let (total, page, size) = (found.page.total, asked.page, asked.size);
    Ok(json(&NonprofitPeople::of(asked, found, message))?.of_page(total, page, size))
}

/// That people are not in the snapshot, where they are not.
fn left_out(manifest: &Manifest) -> Option<&'static str> {
    manifest.without_people.then_some("people were left out when this snapshot was built")
}

view! {
    /// People of a nonprofit.
    struct NonprofitPeople of |
        asked: PeopleOf,
        found: people::NonprofitPeople,
        message: Option<&'static str>
    | {
        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = asked.ein,
        /// People of this page, one row a person and return: the latest tax period first, and within
        /// one in the order asked for.
        items: Vec<PersonRow> = found.page.rows.into_iter().map(PersonRow::of).collect(),
        /// Number of rows on all pages together. Of each tax period the return that was filed last
        /// counts.
        total: u64 = found.page.total,
        /// Why there are none; null where returns that were loaded list people of the nonprofit.
        message: Option<&'static str> = message,
        /// Tax years whose returns list people, the latest first.
        years: Vec<u16> = found.years,
        /// Number of this page, from 1, as requested.
        page: i64 = asked.page,
        /// Most rows that a page has, as requested.
        size: i64 = asked.size,
    }
}

parameters! {
    /// What the search of people takes.
    Params {
        q: Option<String> = optional(
            "q",
            Text::between(2, 256),
            "A name or part of one: words, all of which the name has, in any case and order. Without it everybody.",
        ),
        state: Option<State> = STATE,
        role: Option<Role> = optional(
            "role",
            Choice::of(&Role::ALL, Role::name),
            "Only who has this role in the latest return that lists the name; `listed` where the form does not say which.",
        ),
        sort: NameOrder = defaulted(
            "sort",
            Choice::of(&NameOrder::ALL, NameOrder::name),
            NameOrder::Name,
            "What rows are sorted by: `name`, those with no other words than the query's first, then by the latest year, or \
             `pay`, the best paid first, by reportable pay from the nonprofit and from related organizations in the \
             latest tax period that lists the name; whose pay is not stated is last, and the list ends after \
             100,000 rows.",
        ),
        page: i64 = PAGE,
        size: i64 = SIZE,
    }
}

/// The endpoint over all people.
pub(crate) static SEARCH: Endpoint = Endpoint {
    tag: "Money and people",
    summary: "People in the returns of all nonprofits, by name, state and role",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // A page of records, each with its nonprofit.
    ..Endpoint::json::<Answer>("/people/search", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let snapshot = context.snapshot()?;
    let Params { state, role, sort: order, .. } = asked;
    let query = people::Query { text: asked.q.as_deref(), state, role, order };
    let Names { page: found, without_pay } =
        search(snapshot, &query, paging(asked.page, asked.size))?;
    let is_empty = snapshot.people.count() == 0;
    let none = is_empty.then_some("no return that was loaded lists people");
    let message = left_out(&snapshot.manifest).or(none);
    let total = found.total;
    let reply = json(&Answer::of(found.map(NameRow::of), without_pay, message, &asked))?;
    Ok(reply.of_page(total, asked.page, asked.size))
}

view! {
    /// A name in the returns of all nonprofits. Equal names of two nonprofits may be two people.
    #[schemars(rename = "Names")]
    struct Answer of |
        found: ListPage<NameRow>,
        without_pay: Option<u64>,
        message: Option<&'static str>,
        asked: &Params
    | {
        /// Names of this page, one row a name and nonprofit, in the order asked for.
        items: Vec<NameRow> = found.rows,
        /// Number of rows on all pages whose pay is not stated, which come last; null unless sorted by pay.
        without_pay: Option<u64> = without_pay,
        /// Number of rows on all pages together.
        total: u64 = found.total,
        /// Why nothing can be found; null where returns with people were loaded.
        message: Option<&'static str> = message,
        /// Number of this page, from 1, as requested.
        page: i64 = asked.page,
        /// Most rows that a page has, as requested.
        size: i64 = asked.size,
    }
}

view! {
    /// A name in the returns of one nonprofit. Equal names of two nonprofits may be two people.
    #[schemars(rename = "NameOfNonprofit")]
    struct NameRow of |hit: NameHit| {
        let NameHit { named, organization } = hit;
        let (years, roles) = (named.years(), named.roles());
        let latest = named.latest();

        /// Name, as the latest return has it.
        name: String = named.name.clone(),
        /// Employer Identification Number of the nonprofit: nine digits, leading zeros kept.
        ein: Ein = organization.ein,
        /// Name of the nonprofit in title case.
        organization_name: String = organization.name,
        /// City of the nonprofit in title case; null where it is not known.
        city: Option<String> = organization.city,
        /// USPS code of the nonprofit's state; null abroad and where it is not known.
        state: Option<State> = organization.state,
        /// Title in the latest return that lists the name; null where it is not stated.
        title: Option<String> = latest.and_then(|row| row.title.clone()),
        /// What they are in the latest return that lists the name: `trustee or director`, `institutional trustee`,
        /// `officer`, `key employee`, `highest compensated`, `former`, or `listed` where the form does not say which.
        roles: Roles = roles,
        /// Tax years whose returns list the name, the latest first.
        years: Vec<u16> = years,
        /// Reportable compensation from the nonprofit in the latest of these returns in whole US
        /// dollars; null where it is not stated.
        compensation: Option<Usd> = latest.and_then(|row| row.compensation),
        /// Reportable compensation from related organizations in the same return in whole US dollars; null where it is
        /// not stated.
        compensation_related: Option<Usd> = latest.and_then(|row| row.compensation_related),
        /// The two together, by which rows are sorted; null where neither is stated.
        pay: Option<i64> = latest.and_then(Person::reportable_pay),
        /// Last day of the tax period that title, roles and pay are of; null where it is not known.
        period_end: Option<Date> = latest.map(|row| row.period_end),
        /// Address of the latest of these returns in XML; null where the IRS's number of it is not
        /// known.
        file_url: Option<String> = latest.and_then(|row| row.object_id.as_deref()).map(filing_url),
    }
}
