//! The rows of a return's lists, parsed: grants, people with their pay from Schedule J, related
//! organizations, transactions with interested persons, how to apply.

use std::collections::BTreeMap;

use super::gather::ListRow;
use super::meaning::{Cell, List};
use super::row::Row;
use crate::irs::text::is_nothing;
use crate::naming::normalise;
use crate::record::{
    Application, CompensationDetail, Contractor, Date, Ein, Grant, GrantForm, GrantStage,
    InterestedTransaction, LoanDirection, Pay, Person, Relation, RelationPart, Role, Roles,
    Schedules, TransactionKind, Usd,
};

/// What is the same for every row of a return.
pub(super) struct OfReturn<'a> {
    pub(super) ein: Ein,
    pub(super) tax_year: u16,
    pub(super) period_end: Date,
    pub(super) object_id: Option<&'a str>,
}

/// What the lists hold, and the elements that hold what cannot be read.
#[derive(Default)]
pub(super) struct Lists {
    pub(super) schedules: Schedules,
    pub(super) applications: Vec<Application>,
    pub(super) contractors: Vec<Contractor>,
    pub(super) transactions: Vec<InterestedTransaction>,
    pub(super) unreadable: Vec<&'static str>,
}

impl Lists {
    /// Of rows in the order of the XML.
    pub(super) fn of(rows: &[ListRow], of_return: &OfReturn<'_>) -> Self {
        let mut lists = Self::default();
        let mut details = BTreeMap::new();
        for ListRow { list, values } in rows {
            let mut row = Row::new(values, &mut lists.unreadable);
            let Schedules { grants, people, relations } = &mut lists.schedules;
            match list {
                List::Officers | List::HighestPaid => {
                    let position = people.len() as u32 + 1;
                    people.extend(person(*list, &mut row, of_return, position));
                }
                List::Compensation => {
                    if let Some(name) = row.name() {
                        let known: &mut Vec<_> = details.entry(normalise(&name.text)).or_default();
                        known.push(detail(&mut row));
                    }
                }
                List::Contractors => lists.contractors.extend(contractor(&mut row)),
                List::Application => lists.applications.extend(application(&mut row)),
                _ => {
                    if let Some((form, stage)) = grant_form(*list) {
                        let position = grants.len() as u32 + 1;
                        grants.extend(grant(form, stage, &mut row, of_return, position));
                    } else if let Some(part) = relation_part(*list) {
                        let position = relations.len() as u32 + 1;
                        relations.extend(relation(part, &mut row, of_return, position));
                    } else if let Some(kind) = transaction_kind(*list) {
                        lists.transactions.extend(transaction(kind, &mut row));
                    }
                }
            }
        }
        lists.put_details(details);
        lists
    }

    /// Gives each person the row of Schedule J that has the name; of equal names, the first the first.
    fn put_details(&mut self, mut details: BTreeMap<String, Vec<CompensationDetail>>) {
        if details.is_empty() {
            return;
        }
        for person in &mut self.schedules.people {
            let Some(of_name) = details.get_mut(&normalise(&person.name)) else { continue };
            if !of_name.is_empty() {
                person.detail = Some(of_name.remove(0));
            }
        }
        // A row for somebody missing from the form's list is reported.
        let left = details.into_values().map(|rows| rows.len()).sum();
        self.unreadable.extend(std::iter::repeat_n("Schedule J, Part II", left));
    }
}

fn grant_form(list: List) -> Option<(GrantForm, GrantStage)> {
    Some(match list {
        List::ScheduleI => (GrantForm::ScheduleI, GrantStage::Paid),
        List::ScheduleF => (GrantForm::ScheduleF, GrantStage::Paid),
        List::GrantsPaid => (GrantForm::PrivateFoundation, GrantStage::Paid),
        List::GrantsApproved => (GrantForm::PrivateFoundation, GrantStage::Approved),
        _ => return None,
    })
}

fn relation_part(list: List) -> Option<RelationPart> {
    Some(match list {
        List::Disregarded => RelationPart::Disregarded,
        List::TaxExempt => RelationPart::TaxExempt,
        List::Partnership => RelationPart::Partnership,
        List::Corporation => RelationPart::CorporationOrTrust,
        _ => return None,
    })
}

fn transaction_kind(list: List) -> Option<TransactionKind> {
    Some(match list {
        List::ExcessBenefits => TransactionKind::ExcessBenefit,
        List::Loans => TransactionKind::Loan,
        List::InterestedGrants => TransactionKind::Grant,
        List::BusinessTransactions => TransactionKind::Business,
        _ => return None,
    })
}

/// `None` of a row that names nobody, describes nothing and has no amount but 0.
fn transaction(kind: TransactionKind, row: &mut Row<'_>) -> Option<InterestedTransaction> {
    let name = row.name();
    let (amount, balance_due) = (row.amount(Cell::Amount), row.amount(Cell::BalanceDue));
    let description = row.text(Cell::Description);
    let has_amount = [amount, balance_due].iter().flatten().any(|usd| usd.dollars() != 0);
    if name.is_none() && description.is_none() && !has_amount {
        return None;
    }
    let direction =
        match [Cell::ToOrganization, Cell::FromOrganization].map(|cell| row.ticked(cell)) {
            [true, false] => Some(LoanDirection::ToOrganization),
            [false, true] => Some(LoanDirection::FromOrganization),
            _ => None,
        };
    Some(InterestedTransaction {
        kind,
        is_business: name.as_ref().is_some_and(|name| name.is_business),
        name: name.map(|name| name.text),
        relationship: row.text(Cell::Relationship),
        amount,
        description,
        assistance: row.text(Cell::Assistance),
        direction,
        balance_due,
        in_default: row.answer(Cell::InDefault),
        board_approved: row.answer(Cell::BoardApproved),
        written_agreement: row.answer(Cell::WrittenAgreement),
        corrected: row.answer(Cell::Corrected),
        shares_revenue: row.answer(Cell::SharesRevenue),
    })
}

/// `None` of a row that names nobody and has no amount but 0, as `NONE` with 0.
fn grant(
    form: GrantForm,
    stage: GrantStage,
    row: &mut Row<'_>,
    of_return: &OfReturn<'_>,
    position: u32,
) -> Option<Grant> {
    let (cash, noncash) = (row.amount(Cell::Cash), row.amount(Cell::Noncash));
    let name = row.name();
    let has_amount = [cash, noncash].iter().flatten().any(|usd| usd.dollars() != 0);
    if name.is_none() && !has_amount {
        return None;
    }
    let recipient_ein = row.ein(Cell::Ein);
    let points = name.as_ref().is_some_and(|name| name.points);
    Some(Grant {
        grantor: of_return.ein,
        form,
        stage,
        recipient_ein,
        is_listed_elsewhere: points && recipient_ein.is_none(),
        is_person: name.as_ref().is_some_and(|name| !name.is_business),
        recipient_name: name.map(|name| name.text),
        street: row.lines(Cell::Street1, Cell::Street2),
        city: row.text(Cell::City),
        state: row.state(Cell::State),
        zip: row.zip(Cell::Zip),
        province: row.text(Cell::Province),
        country: row.text(Cell::Country),
        foreign_region: row.text(Cell::Region),
        cash,
        noncash,
        noncash_description: row.text(Cell::NoncashDescription),
        purpose: row.text(Cell::Purpose),
        exempt_section: row.text(Cell::ExemptSection),
        relationship: row.filed(Cell::Relationship),
        foundation_status: row.text(Cell::FoundationStatus),
        tax_year: of_return.tax_year,
        period_end: of_return.period_end,
        object_id: of_return.object_id.map(str::to_owned),
        position,
    })
}

/// `None` of an entry that names nobody, as one that refers to a list.
fn person(
    list: List,
    row: &mut Row<'_>,
    of_return: &OfReturn<'_>,
    position: u32,
) -> Option<Person> {
    let name = row.name().filter(|name| !name.points)?;
    let other = [Cell::CompensationOther, Cell::Benefits, Cell::ExpenseAccount];
    let other = other.into_iter().filter_map(|cell| row.amount(cell).map(Usd::dollars));
    let compensation_other = other.reduce(i64::saturating_add).map(Usd::new);
    Some(Person {
        ein: of_return.ein,
        name: name.text,
        is_business: name.is_business,
        title: row.text(Cell::Title),
        hours: row.hours(Cell::Hours),
        hours_related: row.hours(Cell::HoursRelated),
        roles: roles(list, row),
        compensation: row.amount(Cell::Compensation),
        compensation_related: row.amount(Cell::CompensationRelated),
        compensation_other,
        detail: None,
        tax_year: of_return.tax_year,
        period_end: of_return.period_end,
        object_id: of_return.object_id.map(str::to_owned),
        position,
    })
}

/// `None` of an entry that names nobody, as `NONE`.
fn contractor(row: &mut Row<'_>) -> Option<Contractor> {
    let name = row.name().filter(|name| !name.points && !is_nothing(&name.text))?;
    Some(Contractor {
        name: name.text,
        is_business: name.is_business,
        services: row.text(Cell::Services),
        compensation: row.amount(Cell::Compensation),
    })
}

/// Those that are ticked; where the form has no boxes, what its list is of.
fn roles(list: List, row: &Row<'_>) -> Roles {
    let boxes = [
        (Cell::TrusteeOrDirector, Role::TrusteeOrDirector),
        (Cell::InstitutionalTrustee, Role::InstitutionalTrustee),
        (Cell::Officer, Role::Officer),
        (Cell::KeyEmployee, Role::KeyEmployee),
        (Cell::HighestCompensated, Role::HighestCompensated),
        (Cell::Former, Role::Former),
    ];
    let mut roles: Roles =
        boxes.into_iter().filter(|(cell, _)| row.ticked(*cell)).map(|(_, role)| role).collect();
    if list == List::HighestPaid {
        roles.insert(Role::HighestCompensated);
    } else if roles == Roles::default() {
        roles.insert(Role::Listed);
    }
    roles
}

/// What Schedule J lists of a person's pay, from the filer and from related organizations.
const PAY: [[Cell; 2]; 7] = [
    [Cell::Base, Cell::BaseRelated],
    [Cell::Bonus, Cell::BonusRelated],
    [Cell::Other, Cell::OtherRelated],
    [Cell::Deferred, Cell::DeferredRelated],
    [Cell::Nontaxable, Cell::NontaxableRelated],
    [Cell::Total, Cell::TotalRelated],
    [Cell::ReportedBefore, Cell::ReportedBeforeRelated],
];

fn detail(row: &mut Row<'_>) -> CompensationDetail {
    let [organization, related] = [0, 1].map(|payer| {
        let [base, bonus, other, deferred, nontaxable, total, reported_before] =
            PAY.map(|cells| row.amount(cells[payer]));
        Pay { base, bonus, other, deferred, nontaxable, total, reported_before }
    });
    CompensationDetail { organization, related }
}

/// `None` of a row that names nothing.
fn relation(
    part: RelationPart,
    row: &mut Row<'_>,
    of_return: &OfReturn<'_>,
    position: u32,
) -> Option<Relation> {
    let related_name = row.name().map(|name| name.text);
    let related_ein = row.ein(Cell::Ein);
    if related_name.is_none() && related_ein.is_none() {
        return None;
    }
    let first_of = |cells: &[Cell]| cells.iter().find_map(|cell| row.text(*cell));
    let region = first_of(&[Cell::State, Cell::Province, Cell::Country]);
    let legal_domicile = first_of(&[Cell::DomicileState, Cell::DomicileCountry]);
    Some(Relation {
        ein: of_return.ein,
        part,
        related_ein,
        related_name,
        city: row.text(Cell::City),
        region,
        primary_activity: row.text(Cell::PrimaryActivity),
        legal_domicile,
        exempt_section: row.text(Cell::ExemptSection),
        public_charity_status: row.text(Cell::CharityStatus),
        entity_type: row.text(Cell::EntityType),
        controlling_name: row.lines(Cell::Controlling1, Cell::Controlling2),
        is_controlled: row.answer(Cell::Controlled),
        ownership_share: row.share(Cell::Ownership),
        tax_year: of_return.tax_year,
        period_end: of_return.period_end,
        object_id: of_return.object_id.map(str::to_owned),
        position,
    })
}

/// `None` of a row that says nothing.
fn application(row: &mut Row<'_>) -> Option<Application> {
    let address = [
        row.lines(Cell::Street1, Cell::Street2),
        row.text(Cell::City),
        row.text(Cell::State),
        row.text(Cell::Zip),
        row.text(Cell::Province),
        row.text(Cell::PostalCode),
        row.text(Cell::Country),
    ];
    let address: Vec<String> = address.into_iter().flatten().collect();
    let application = Application {
        addressee: row.name().map(|name| name.text),
        address: (!address.is_empty()).then(|| address.join(", ")),
        phone: row.text(Cell::Phone),
        email: row.text(Cell::Email),
        form: row.filed(Cell::Form),
        deadlines: row.filed(Cell::Deadlines),
        restrictions: row.filed(Cell::Restrictions),
    };
    (application != Application::default()).then_some(application)
}
