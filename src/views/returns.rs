//! What returns list: grants, people and related organizations.

use super::view;
use crate::index::grants::LinkKind;
use crate::index::typeahead::Card;
use crate::naming::sentence_case;
use crate::record::{
    CompensationDetail, Date, Ein, GrantForm, GrantStage, Person, Relation, RelationPart, Roles,
    State, Usd, Zip5, decimal, filing_url,
};
use crate::search::grants::ListedGrant;

view! {
    /// A grant that a return lists.
    #[schemars(rename = "Grant")]
    pub struct GrantRow of |listed: ListedGrant| {
        let is_named_otherwise = listed.is_named_otherwise();
        let ListedGrant { grant, link, .. } = listed;
        let purpose_shown = grant.purpose.as_deref().map(sentence_case);

        /// Employer Identification Number of the grantor: nine digits, leading zeros kept.
        grantor_ein: Ein = listed.grantor_ein,
        /// Name of the grantor in title case.
        grantor_name: String = listed.grantor_name,
        /// Employer Identification Number of the recipient: nine digits, leading zeros kept; null
        /// where the return has none and it was not matched.
        recipient_ein: Option<Ein> = listed.recipient_ein,
        /// Name of the recipient as filed, else of the nonprofit that it is linked to; null where the
        /// return has none, as of most grants abroad.
        recipient_name: Option<String> = listed.recipient_name,
        /// City of the recipient as filed; null where the return does not state it.
        recipient_city: Option<String> = grant.city,
        /// USPS code of the recipient's state as filed; null abroad and where the return does not state it.
        recipient_state: Option<State> = grant.state,
        /// First five digits of the recipient's ZIP code as filed; null abroad and where the return does not
        /// state it.
        recipient_zip: Option<Zip5> = grant.zip,
        /// Relationship of the recipient to a manager or substantial contributor of the foundation, as filed
        /// (Form 990-PF); null where it is not stated.
        recipient_relationship: Option<String> = grant.relationship,
        /// Whether the return names nobody here and points to a list that is not in it, whose grants the
        /// amount may add up.
        is_listed_elsewhere: bool = grant.is_listed_elsewhere,
        /// Name and place of the nonprofit that the recipient is linked to; null where it is linked to none that is
        /// loaded.
        linked: Option<LinkedRow> = listed.linked.map(LinkedRow::of),
        /// Whether the return clearly names another recipient, in another state, than the nonprofit of the EIN, such as
        /// a member of a group under the EIN of its central organization.
        named_otherwise: bool = is_named_otherwise,
        /// How the recipient was found: by the EIN in the return, by its name and address, or not.
        recipient_match: LinkKind = link.kind,
        /// Probability that the matched nonprofit is the recipient, 0 to 1; null unless it was matched.
        match_score: Option<f64> = link.probability,
        /// Cash in whole US dollars, of Form 990-PF with what was given other than cash; null where it is
        /// not stated.
        cash: Option<Usd> = grant.cash,
        /// Value of what was given other than cash in whole US dollars; null where it is not stated.
        noncash: Option<Usd> = grant.noncash,
        /// What the grant is for, as filed; null where it is not stated.
        purpose: Option<String> = grant.purpose,
        /// The same in sentence case where the return has capitals only; null where it is not stated.
        purpose_shown: Option<String> = purpose_shown,
        /// Year that the return is of: the one in which its tax period begins.
        tax_year: u16 = grant.tax_year,
        /// Last day of that tax period.
        period_end: Date = grant.period_end,
        /// Where it is listed: `990-I` (Form 990, Schedule I), `990-F` (Schedule F, abroad) or
        /// `990-PF`.
        form: GrantForm = grant.form,
        /// Whether it was `paid` in the tax period or `approved` for later payment.
        stage: GrantStage = grant.stage,
        /// Region abroad, as filed; null at home and where it is not stated.
        foreign_region: Option<String> = grant.foreign_region,
        /// Address of the return in XML; null where the IRS's number of it is not known.
        file_url: Option<String> = grant.object_id.as_deref().map(filing_url),
    }
}

view! {
    /// A nonprofit that the recipient of a grant is linked to.
    #[schemars(rename = "LinkedNonprofit")]
    pub struct LinkedRow of |card: Card| {
        /// Name in title case.
        name: String = card.name,
        /// City in title case; null where it is not known.
        city: Option<String> = card.city,
        /// USPS code of the state; null abroad and where it is not known.
        state: Option<State> = card.state,
    }
}

view! {
    /// Somebody as one return lists them.
    #[schemars(rename = "ListedPerson")]
    pub struct PersonRow of |person: Person| {
        /// Name as filed.
        name: String = person.name,
        /// Whether the name is a business's, such as a bank that is a trustee.
        is_business: bool = person.is_business,
        /// Title as filed; null where it is not stated.
        title: Option<String> = person.title,
        /// What they are: `trustee or director`, `institutional trustee`, `officer`, `key employee`,
        /// `highest compensated`, `former`, or `listed` where the form does not say which.
        roles: Roles = person.roles,
        /// Average hours a week for the nonprofit; null where they are not stated.
        hours: Option<f64> = person.hours.map(decimal),
        /// Average hours a week for related organizations; null where they are not stated.
        hours_related: Option<f64> = person.hours_related.map(decimal),
        /// Reportable compensation from the nonprofit in whole US dollars (Form 990, column D; other
        /// forms: compensation); null where it is not stated.
        compensation: Option<Usd> = person.compensation,
        /// Reportable compensation from related organizations in whole US dollars (Form 990, column
        /// E); null where it is not stated.
        compensation_related: Option<Usd> = person.compensation_related,
        /// Estimated other compensation in whole US dollars (Form 990, column F; other forms: benefit
        /// plans and expense accounts); null where it is not stated.
        compensation_other: Option<Usd> = person.compensation_other,
        /// What Schedule J of the same return says under the same name; null where it does not have
        /// it.
        schedule_j: Option<CompensationDetail> = person.detail,
        /// Year that the return is of: the one in which its tax period begins.
        tax_year: u16 = person.tax_year,
        /// Last day of the tax period.
        period_end: Date = person.period_end,
        /// Address of the return in XML; null where the IRS's number of it is not known.
        file_url: Option<String> = person.object_id.as_deref().map(filing_url),
    }
}

view! {
    /// A related organization, as Schedule R has it.
    #[schemars(rename = "RelatedOrganization")]
    pub struct RelationRow of |relation: Relation| {
        /// Employer Identification Number of the other organization: nine digits, leading zeros kept;
        /// null where the return has none.
        ein: Option<Ein> = relation.related_ein,
        /// Name of the other organization: as filed, or in title case where it is the filer; null where
        /// the return has none.
        name: Option<String> = relation.related_name,
        /// What the organization that is listed is: `disregarded`, `tax-exempt`, `partnership` or
        /// `corporation or trust`.
        kind: RelationPart = relation.part,
        /// City of the organization that is listed, as filed; null where it is not stated.
        city: Option<String> = relation.city,
        /// State, province or country of the organization that is listed; null where it is not stated.
        region: Option<String> = relation.region,
        /// What the organization that is listed does, as filed; null where it is not stated.
        primary_activity: Option<String> = relation.primary_activity,
        /// State or country by whose law the organization that is listed exists; null where it is not
        /// stated.
        legal_domicile: Option<String> = relation.legal_domicile,
        /// Section of the tax code by which the organization that is listed is exempt, as filed; null
        /// where it is not stated.
        exempt_section: Option<String> = relation.exempt_section,
        /// What the organization that is listed is, such as `C CORPORATION`; null where it is not
        /// stated.
        entity_type: Option<String> = relation.entity_type,
        /// Name of the entity that directly controls the organization that is listed, as filed; null
        /// where there is none or it is not stated.
        controlling_name: Option<String> = relation.controlling_name,
        /// Whether the filer controls the organization that is listed, by section 512(b)(13); null
        /// where it is not stated.
        is_controlled: Option<bool> = relation.is_controlled,
        /// What the filer owns of the organization that is listed, 0 to 1; null where it is not stated.
        ownership_share: Option<f64> = relation.ownership_share.map(decimal),
        /// Year that the return is of: the one in which its tax period begins.
        tax_year: u16 = relation.tax_year,
        /// Address of the return in XML; null where the IRS's number of it is not known.
        file_url: Option<String> = relation.object_id.as_deref().map(filing_url),
    }
}
