#!/usr/bin/env python3
"""Reads grants, people, related organizations, lobbying, transactions with interested persons and totals of returns anew,
and compares them field by field.

    cargo build --release --example returns
    scripts/money_check.py target/release/examples/returns RETURNS [--totals]

RETURNS is a folder of Form 990 XML. This reader knows Python's XML reader and the names of elements, and
nothing of Almoner's. Exits with 1 on a difference. With --totals it also lists where the rows of a list
do not add up to the total that the return itself states.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

NOTHING = {"", "na", "none", "notapplicable", "notrequired", "nil", "tbd"}
FORMS = {"990": "IRS990", "990EZ": "IRS990EZ", "990PF": "IRS990PF"}
STATES = set(
    "AA AE AK AL AP AR AS AZ CA CO CT DC DE FL FM GA GU HI IA ID IL IN KS KY LA MA MD ME MH MI MN MO MP MS MT"
    " NC ND NE NH NJ NM NV NY OH OK OR PA PR PW RI SC SD TN TX UT VA VI VT WA WI WV WY".split()
)


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def child(element, *names):
    """The first child of the first of these names that has one."""
    for name in names:
        for one in element:
            if local(one) == name:
                return one
    return None


def at(element, *paths):
    """The text at the first of these paths that has one, with single blanks."""
    for path in paths:
        found = [element]
        for name in path.split("/"):
            found = [one for parent in found for one in parent if local(one) == name]
        for one in found:
            text = " ".join((one.text or "").split())
            if text:
                return text
    return None


def rows(element, *paths):
    """Every element at any of these paths, in the order of the file."""
    wanted = {tuple(path.split("/")) for path in paths}
    found = []

    def walk(one, steps):
        for inner in one:
            path = steps + (local(inner),)
            if path in wanted:
                found.append(inner)
            if any(longer[: len(path)] == path and longer != path for longer in wanted):
                walk(inner, path)

    walk(element, ())
    return found


def is_nothing(text):
    letters = "".join(c for c in text[:40].lower() if c.isalpha())
    return not any(c.isdigit() for c in text) and letters in NOTHING


def text(element, *paths):
    found = at(element, *paths)
    return None if found is None or is_nothing(found) else found


def lines(element, stem, *parents):
    both = (
        text(element, *(f"{parent}/{stem}{n}{end}" for parent in parents for end in ("Txt", "")))
        for n in "12"
    )
    return " ".join(filter(None, both)) or None


def whole(found, low=None):
    return int(found) if found and re.fullmatch(r"-?\d+", found) and (low is None or int(found) >= low) else None


def dollars(element, *paths):
    return whole(at(element, *paths))


def ein(element, *paths):
    found = at(element, *paths)
    return found if found and re.fullmatch(r"\d{9}", found) and len(set(found)) > 1 else None


def state(element, *paths):
    found = (at(element, *paths) or "").upper()
    return found if found in STATES else None


def zip5(element, *paths):
    found = at(element, *paths)
    return found[:5] if found and re.fullmatch(r"\d{5}(\d{4})?", found) else None


def ratio(element, most, *paths):
    found = at(element, *paths)
    try:
        return float(found) if found is not None and 0 <= float(found) <= most else None
    except ValueError:
        return None


def ticked(element, *paths):
    found = at(element, *paths)
    return None if found is None else found not in ("0", "false")


def address(element, us, abroad):
    both = us + abroad
    ends = lambda parents, *names: [f"{parent}/{name}" for parent in parents for name in names]
    return {
        "street": lines(element, "AddressLine", *both),
        "city": text(element, *ends(both, "CityNm", "City")),
        "state": state(element, *ends(us, "StateAbbreviationCd", "State")),
        "zip": zip5(element, *ends(us, "ZIPCd", "ZIPCode")),
        "province": text(element, *ends(abroad, "ProvinceOrStateNm", "ProvinceOrState")),
        "country": text(element, *ends(abroad, "CountryCd", "Country")),
        "postal": text(element, *ends(abroad, "ForeignPostalCd", "PostalCode")),
        "filed_state": text(element, *ends(us, "StateAbbreviationCd", "State")),
        "filed_zip": text(element, *ends(us, "ZIPCd", "ZIPCode")),
    }


def grant(row, form, stage):
    person = text(row, "RecipientPersonNm", "RecipientPersonName")
    name = person or lines(row, "BusinessNameLine", "RecipientBusinessName", "RecipientNameBusiness")
    cash = dollars(row, "CashGrantAmt", "AmountOfCashGrant", "Amt", "Amount")
    noncash = dollars(row, "NonCashAssistanceAmt", "AmountOfNonCashAssistance")
    if name is None and not cash and not noncash:
        return None
    us, abroad = ["USAddress", "AddressUS", "RecipientUSAddress"], ["ForeignAddress", "AddressForeign", "RecipientForeignAddress"]
    found = address(row, us, abroad)
    for key in ("postal", "filed_state", "filed_zip"):
        del found[key]
    return found | {
        "form": form,
        "stage": stage,
        "recipient_ein": ein(row, "RecipientEIN", "EINOfRecipient"),
        "recipient_name": name,
        "is_person": person is not None,
        "foreign_region": text(row, "RegionTxt", "Region"),
        "cash": cash,
        "noncash": noncash,
        "noncash_description": text(
            row, "NonCashAssistanceDesc", "DescriptionOfNonCashAsstTxt", "DescriptionOfNonCashAssistance"
        ),
        "purpose": text(
            row, "PurposeOfGrantTxt", "PurposeOfGrant", "GrantOrContributionPurposeTxt", "PurposeOfGrantOrContribution"
        ),
        "exempt_section": text(row, "IRCSectionDesc", "IRCSection"),
        "relationship": at(row, "RecipientRelationshipTxt", "RecipientRelationship"),
        "foundation_status": text(row, "RecipientFoundationStatusTxt", "RecipientFoundationStatus"),
    }


def name_of(row):
    person = text(row, "PersonNm", "NamePerson", "PersonName", "Name", "Name/NamePerson")
    business = lines(row, "BusinessNameLine", "BusinessName", "NameBusiness", "Name/NameBusiness")
    return person or business, person is None


ROLES = {
    "trustee or director": ("IndividualTrusteeOrDirectorInd", "IndividualTrusteeOrDirector"),
    "institutional trustee": ("InstitutionalTrusteeInd", "InstitutionalTrustee"),
    "officer": ("OfficerInd", "Officer"),
    "key employee": ("KeyEmployeeInd", "KeyEmployee"),
    "highest compensated": ("HighestCompensatedEmployeeInd", "HighestCompensatedEmployee"),
    "former": ("FormerOfcrDirectorTrusteeInd", "Former"),
}


def person(row, highest):
    name, is_business = name_of(row)
    if name is None:
        return None
    roles = [role for role, paths in ROLES.items() if ticked(row, *paths)]
    other = [
        dollars(row, "OtherCompensationAmt", "OtherCompensation"),
        dollars(row, "EmployeeBenefitProgramAmt", "ContriToEmplBenefitPlansEtc", "EmployeeBenefitsAmt", "EmployeeBenefits"),
        dollars(row, "ExpenseAccountOtherAllwncAmt", "ExpenseAccountOtherAllowances", "ExpenseAccountAmt", "ExpenseAccount"),
    ]
    other = [one for one in other if one is not None]
    return {
        "name": name,
        "is_business": is_business,
        "title": text(row, "TitleTxt", "Title"),
        "hours": ratio(
            row, 168, "AverageHoursPerWeekRt", "AverageHrsPerWkDevotedToPosRt", "AverageHoursPerWeek",
            "AvgHoursPerWkDevotedToPosition",
        ),
        "hours_related": ratio(row, 168, "AverageHoursPerWeekRltdOrgRt", "AverageHoursPerWeekRelated"),
        "roles": roles if roles and not highest else ["highest compensated"] if highest else ["listed"],
        "compensation": dollars(
            row, "ReportableCompFromOrgAmt", "ReportableCompFromOrganization", "CompensationAmt", "Compensation"
        ),
        "compensation_related": dollars(row, "ReportableCompFromRltdOrgAmt", "ReportableCompFromRelatedOrgs"),
        "compensation_other": sum(other) if other else None,
    }


PAY = {
    "organization": {
        "base": "BaseCompensationFilingOrg", "bonus": "BonusFilingOrg", "other": "OtherCompensationFilingOrg",
        "deferred": "DeferredCompFilingOrg", "nontaxable": "NontaxableBenefitsFilingOrg",
        "total": "TotalCompensationFilingOrg", "reported_before": "CompReportPrior990FilingOrg",
    },
    "related": {
        "base": "CompBasedOnRelatedOrgs", "bonus": "BonusRelatedOrgs", "other": "OtherCompensationRelatedOrgs",
        "deferred": "DeferredCompRelatedOrgs", "nontaxable": "NontaxableBenefitsRelatedOrgs",
        "total": "TotalCompensationRelatedOrgs", "reported_before": "CompReportPrior990RelatedOrgs",
    },
}
# What these were renamed to in 2013, where it is not the same with `Amt`.
RENAMED = {
    "BonusFilingOrg": "BonusFilingOrganizationAmount",
    "DeferredCompFilingOrg": "DeferredCompensationFlngOrgAmt",
    "CompBasedOnRelatedOrgs": "CompensationBasedOnRltdOrgsAmt",
    "BonusRelatedOrgs": "BonusRelatedOrganizationsAmt",
    "OtherCompensationRelatedOrgs": "OtherCompensationRltdOrgsAmt",
    "DeferredCompRelatedOrgs": "DeferredCompRltdOrgsAmt",
    "NontaxableBenefitsRelatedOrgs": "NontaxableBenefitsRltdOrgsAmt",
    "TotalCompensationRelatedOrgs": "TotalCompensationRltdOrgsAmt",
    "CompReportPrior990RelatedOrgs": "CompReportPrior990RltdOrgsAmt",
}


def detail(row):
    return {
        payer: {key: dollars(row, RENAMED.get(name, name + "Amt"), name) for key, name in columns.items()}
        for payer, columns in PAY.items()
    }


PARTS = {
    "disregarded": ("IdDisregardedEntitiesGrp", "Form990ScheduleRPartI"),
    "tax-exempt": ("IdRelatedTaxExemptOrgGrp", "Form990ScheduleRPartII"),
    "partnership": ("IdRelatedOrgTxblPartnershipGrp", "Form990ScheduleRPartIII"),
    "corporation or trust": ("IdRelatedOrgTxblCorpTrGrp", "Form990ScheduleRPartIV"),
}
PART_OF = {name: part for part, names in PARTS.items() for name in names}


def relation(row):
    name = lines(
        row, "BusinessNameLine", "DisregardedEntityName", "NameOfDisregardedEntity", "RelatedOrganizationName",
        "NameOfRelatedOrg",
    )
    number = ein(row, "EIN")
    if name is None and number is None:
        return None
    place = address(row, ["USAddress", "AddressUS"], ["ForeignAddress", "AddressForeign"])
    return {
        "part": PART_OF[local(row)],
        "related_ein": number,
        "related_name": name,
        "city": place["city"],
        "region": place["filed_state"] or place["province"] or place["country"],
        "primary_activity": text(row, "PrimaryActivitiesTxt", "PrimaryActivities", "PrimaryActivity"),
        "legal_domicile": text(row, "LegalDomicileStateCd", "LegalDomicileState", "LegalDomicile/State")
        or text(row, "LegalDomicileForeignCountryCd", "LegalDomicileForeignCountry", "LegalDomicile/ForeignCountry"),
        "exempt_section": text(row, "ExemptCodeSectionTxt", "ExemptCodeSection"),
        "public_charity_status": text(row, "PublicCharityStatusTxt", "PublicCharityStatus"),
        "entity_type": text(row, "EntityTypeTxt", "TypeOfEntity"),
        "controlling_name": lines(
            row, "BusinessNameLine", "DirectControllingEntityName", "DirectControllingEntity/NameBusiness"
        ),
        "is_controlled": ticked(row, "ControlledOrganizationInd", "ControlledOrg"),
        "ownership_share": ratio(row, 1, "OwnershipPct", "PercentageOwnership"),
    }


def application(row):
    place = address(row, ["RecipientUSAddress"], ["RecipientForeignAddress"])
    keys = ("street", "city", "filed_state", "filed_zip", "province", "postal", "country")
    found = {
        "addressee": text(row, "RecipientPersonNm", "RecipientName"),
        "address": ", ".join(place[key] for key in keys if place[key]) or None,
        "phone": text(row, "RecipientPhoneNum", "RecipientPhoneNumber", "RecipientForeignPhoneNum"),
        "email": text(row, "RecipientEmailAddressTxt", "RecipientEmailAddress"),
        "form": at(row, "FormAndInfoAndMaterialsTxt", "FormAndInfoAndMaterials"),
        "deadlines": at(row, "SubmissionDeadlinesTxt", "SubmissionDeadlines"),
        "restrictions": at(row, "RestrictionsOnAwardsTxt", "RestrictionsOnAwards"),
    }
    return found if any(found.values()) else None


TOTALS = {
    "IRS990": {
        "contributions": ("TotalContributionsAmt", "TotalContributions", "CYContributionsGrantsAmt", "ContributionsGrantsCurrentYear"),
        "program_expenses": ("TotalFunctionalExpensesGrp/ProgramServicesAmt", "TotalFunctionalExpenses/ProgramServices"),
        "management_expenses": ("TotalFunctionalExpensesGrp/ManagementAndGeneralAmt", "TotalFunctionalExpenses/ManagementAndGeneral"),
        "fundraising_expenses": ("TotalFunctionalExpensesGrp/FundraisingAmt", "TotalFunctionalExpenses/Fundraising"),
        "unrestricted_net_assets": ("NoDonorRestrictionNetAssetsGrp/EOYAmt", "UnrestrictedNetAssetsGrp/EOYAmt", "UnrestrictedNetAssets/EOY"),
        "grants_to_organizations": ("GrantsToDomesticOrgsGrp/TotalAmt", "GrantsToDomesticOrgs/Total"),
        "grants_to_individuals": ("GrantsToDomesticIndividualsGrp/TotalAmt", "GrantsToDomesticIndividuals/Total"),
        "grants_abroad": ("ForeignGrantsGrp/TotalAmt", "ForeignGrants/Total"),
        "grants_paid": ("CYGrantsAndSimilarPaidAmt", "GrantsAndSimilarAmntsCY"),
        "other_revenue": ("OtherRevenueTotalAmt", "TotalOtherRevenue"),
        "beginning_assets": ("TotalAssetsGrp/BOYAmt", "TotalAssets/BOY", "TotalAssetsBOYAmt", "TotalAssetsBOY"),
        "beginning_liabilities": ("TotalLiabilitiesGrp/BOYAmt", "TotalLiabilities/BOY", "TotalLiabilitiesBOYAmt", "TotalLiabilitiesBOY"),
        "beginning_net_assets": (
            "TotalNetAssetsFundBalanceGrp/BOYAmt", "TotalNetAssetsFundBalances/BOY", "NetAssetsOrFundBalancesBOYAmt", "NetAssetsOrFundBalancesBOY"
        ),
        "unrealized_gains": ("NetUnrlzdGainsLossesInvstAmt", "ReconciliationUnrealizedInvest"),
        "donated_services": ("DonatedServicesAndUseFcltsAmt", "ReconcilationDonatedServices"),
        "investment_expenses": ("InvestmentExpenseAmt", "ReconcilationInvestExpenses"),
        "prior_period_adjustments": ("PriorPeriodAdjustmentsAmt", "ReconcilationPriorAdjustment"),
        "other_changes": ("OtherChangesInNetAssetsAmt", "ReconcilationOtherChanges"),
    },
    "IRS990EZ": {
        "contributions": ("ContributionsGiftsGrantsEtcAmt", "ContributionsGiftsGrantsEtc"),
        "program_expenses": ("TotalProgramServiceExpensesAmt", "TotalProgramServiceExpenses"),
        "grants_paid": ("GrantsAndSimilarAmountsPaidAmt", "GrantsAndSimilarAmountsPaid", "GrantsAndSimilarAmntsCY"),
        "other_revenue": ("OtherRevenueTotalAmt", "OtherRevenueTotal"),
        "beginning_assets": ("Form990TotalAssetsGrp/BOYAmt", "TotalAssets/BOY"),
        "beginning_liabilities": ("SumOfTotalLiabilitiesGrp/BOYAmt", "SumOfTotalLiabilities/BOY", "TotalLiabilities/BOY"),
        "beginning_net_assets": ("NetAssetsOrFundBalancesGrp/BOYAmt", "NetAssetsOrFundBalances/BOY", "NetAssetsOrFundBalancesBOYAmt", "NetAssetsOrFundBalancesBOY"),
        "other_changes": ("OtherChangesInNetAssetsAmt", "OtherChangesInNetAssets"),
    },
    "IRS990PF": {
        "contributions": ("AnalysisOfRevenueAndExpenses/ContriRcvdRevAndExpnssAmt", "AnalysisOfRevenueAndExpenses/ContriReceivedRevAndExpnss"),
        "charitable_disbursements": ("AnalysisOfRevenueAndExpenses/TotalExpensesDsbrsChrtblAmt", "AnalysisOfRevenueAndExpenses/TotalExpensesDsbrsChrtblPrps"),
        "grants_paid": ("AnalysisOfRevenueAndExpenses/ContriPaidRevAndExpnssAmt", "AnalysisOfRevenueAndExpenses/ContriGiftsPaidRevAndExpnss"),
        "grants_disbursed": ("AnalysisOfRevenueAndExpenses/ContriPaidDsbrsChrtblAmt", "AnalysisOfRevenueAndExpenses/ContriGiftsPaidDsbrsChrtblPrps"),
        "unrestricted_net_assets": ("Form990PFBalanceSheetsGrp/NoDonorRstrNetAssestsEOYAmt", "Form990PFBalanceSheetsGrp/UnrestrictedEOYAmt", "BalanceSheets/UnrestrictedEOY"),
        "listed_grants_paid": ("SupplementaryInformationGrp/TotalGrantOrContriPdDurYrAmt", "SupplementaryInformation/TotGrantOrContriPaidDuringYear"),
        "other_revenue": ("AnalysisOfRevenueAndExpenses/OtherIncomeRevAndExpnssAmt", "AnalysisOfRevenueAndExpenses/OtherIncomeRevAndExpnss"),
        "beginning_assets": ("Form990PFBalanceSheetsGrp/TotalAssetsBOYAmt", "BalanceSheets/TotalAssetsBOY"),
        "beginning_liabilities": ("Form990PFBalanceSheetsGrp/TotalLiabilitiesBOYAmt", "BalanceSheets/TotalLiabilitiesBOY"),
        "beginning_net_assets": (
            "Form990PFBalanceSheetsGrp/TotNetAstOrFundBalancesBOYAmt", "BalanceSheets/TotalNetAssetsBOY",
            "ChgInNetAssetsFundBalancesGrp/TotNetAstOrFundBalancesBOYAmt", "ChangesInNetAssetsFundBalances/TotalNetAssetsFundBalancesBOY",
        ),
        "other_increases": ("ChgInNetAssetsFundBalancesGrp/OtherIncreasesAmt", "ChangesInNetAssetsFundBalances/OtherIncreases"),
        "other_decreases": ("ChgInNetAssetsFundBalancesGrp/OtherDecreasesAmt", "ChangesInNetAssetsFundBalances/OtherDecreases"),
        "distributable_amount": (
            "DistributableAmountGrp/DistributableAsAdjustedAmt", "DistributableAmount/DistributableAmountAsAdjusted",
            "UndistributedIncomeGrp/DistributableAsAdjustedAmt", "UndistributedIncome/DistributableAmountAsAdjusted",
        ),
        "qualifying_distributions": (
            "PFQualifyingDistributionsGrp/QualifyingDistributionsAmt", "QualifyingDistriPartXIIGrp/QualifyingDistributionsAmt",
            "QualifyingDistributions/QualifyingDistributions",
        ),
        "undistributed_income": ("UndistributedIncomeGrp/UndistributedIncomeCYAmt", "UndistributedIncome/UndistributedIncomeCY"),
        "excise_tax": ("ExciseTaxBasedOnInvstIncmGrp/InvestmentIncomeExciseTaxAmt", "ExciseTaxBasedOnInvestmentIncm/InvestmentIncomeExciseTax"),
        "listed_grants_approved": ("SupplementaryInformationGrp/TotalGrantOrContriApprvFutAmt", "SupplementaryInformation/TotGrantOrContriApprovedFuture"),
    },
}


# Part II-A of Schedule C is of those who elected under section 501(h), Part II-B of all others.
ELECTED = {
    "TotalLobbyingExpendGrp", "TotalLobbyingExpenditures", "LobbyingNontaxableAmountGrp", "LobbyingNontaxableAmount",
    "GrassrootsNontaxableGrp", "GrassrootsNontaxableAmount", "TotalExemptPurposeExpendGrp", "TotalExemptPurposeExpenditures",
}
UNELECTED = {
    "Volunteers", "PaidStaffOrManagement", "MediaAdvertisements", "MailingsMembers", "PublicationsOrBroadcast",
    "GrantsOtherOrganizations", "DirectContactLegislators", "RalliesDemonstrations", "OtherActivities",
}


def lobbying(data):
    part = lambda number: [f"IRS990ScheduleC{inside}" for inside in ("", f"/Form990ScheduleCPart{number}")]
    elsewhere = lambda number, *names: [f"{one}/{name}" for one in part(number) for name in names]
    columns = ("FilingOrganizationsTotalAmt", "FilingOrganizationsTotals")
    all_columns = columns + ("AffiliatedGroupTotalAmt", "AffiliatedGroupTotals")
    elected = at(data, *elsewhere("II", *(f"{group}/{column}" for group in sorted(ELECTED) for column in all_columns)))
    totals = elsewhere("II", "TotalLobbyingExpendituresAmt", "TotalLobbyingExpendituresIIB")
    unelected = at(data, *totals, *elsewhere("II", *(name + end for name in sorted(UNELECTED) for end in ("Ind", ""))))
    line_c = elsewhere("II", *(f"{group}/{column}" for group in ("TotalLobbyingExpendGrp", "TotalLobbyingExpenditures") for column in columns))
    both = [amount for amount in (dollars(data, *line_c), dollars(data, *totals)) if amount is not None]
    return {
        "elected_501h": None if bool(elected) == bool(unelected) else bool(elected),
        "expenditures": both[0] if len(both) == 1 else None,
        "political_expenditures": dollars(data, *elsewhere("I", "PoliticalExpendituresAmt", "PoliticalExpenditures")),
    }


TRANSACTIONS = {
    "DisqualifiedPersonExBnftTrGrp": "excess benefit", "DQPTable": "excess benefit", "Form990ScheduleLPartI/DQPTable": "excess benefit",
    "LoansBtwnOrgInterestedPrsnGrp": "loan", "LoanTable": "loan", "Form990ScheduleLPartII/LoanTable": "loan",
    "GrntAsstBnftInterestedPrsnGrp": "grant", "Form990ScheduleLPartIII": "grant",
    "BusTrInvolveInterestedPrsnGrp": "business", "Form990ScheduleLPartIV": "business",
}


def transaction(row):
    kind = next(kind for path, kind in TRANSACTIONS.items() if path.rsplit("/", 1)[-1] == local(row))
    person = text(row, "PersonNm", "NamePerson", "NameOfInterested/PersonNm", "NameOfInterestedPerson", "NameOfInterestedPerson/NamePerson")
    business = lines(
        row, "BusinessNameLine", "BusinessName", "NameBusiness", "NameOfInterestedBusiness", "NameOfInterested/BusinessName",
        "NameOfInterestedPerson/NameBusiness",
    )
    inside = "AmtOfGrantOrTypeOfAssistance/"
    found = {
        "kind": kind,
        "name": person or business,
        "is_business": person is None and business is not None,
        "relationship": text(row, "RelationshipWithOrgTxt", "RelationshipWithOrganization", "RelationshipDescriptionTxt",
                             "Relationship", "RlnDisqualifiedPersonOrgTxt", "RelationshipDisqualifiedPerson"),
        "amount": dollars(row, "OriginalPrincipalAmt", "OriginalPrincipalAmount", "CashGrantAmt", "AmountOfGrant",
                          f"{inside}AmountOfGrant", "TransactionAmt", "AmountOfTransaction"),
        "description": text(row, "TransactionDesc", "DescriptionOfTransaction", "LoanPurposeTxt", "PurposeOfLoan",
                            "AssistancePurposeTxt", "PurposeOfAssistance"),
        "assistance": text(row, "TypeOfAssistanceTxt", "TypeOfAssistance", f"{inside}TypeOfAssistance"),
        "balance_due": dollars(row, "BalanceDueAmt", "BalanceDue"),
        "in_default": ticked(row, "DefaultInd", "Default"),
        "board_approved": ticked(row, "BoardOrCommitteeApprovalInd", "ApprovedByBoard"),
        "written_agreement": ticked(row, "WrittenAgreementInd", "WrittenAgreement"),
        "corrected": ticked(row, "TransactionCorrectedInd", "TransactionCorrected"),
        "shares_revenue": ticked(row, "SharingOfRevenuesInd", "SharingOfRevenues"),
    }
    to, out = (ticked(row, f"Loan{one}OrganizationInd", f"Loan{one}Organization") for one in ("To", "From"))
    found["direction"] = None if bool(to) == bool(out) else "to the organization" if to else "from the organization"
    return found if found["name"] or found["description"] or found["amount"] or found["balance_due"] else None


def totals(data, body):
    found = {key: dollars(body, *paths) for key, paths in TOTALS[local(body)].items()}
    found["schedule_i_charities"] = whole(
        at(data, "IRS990ScheduleI/Total501c3OrgCnt", "IRS990ScheduleI/TotalNbrOf501C3AndGovtGrants"), 0
    )
    found["schedule_i_others"] = whole(
        at(data, "IRS990ScheduleI/TotalOtherOrgCnt", "IRS990ScheduleI/TotalNbrOfOtherOrganizations"), 0
    )
    found["spent_abroad"] = dollars(data, "IRS990ScheduleF/TotalSpentAmt", "IRS990ScheduleF/TotalAmountSpent")
    return found


def read(path):
    """What a return lists, or None of one that is of no form with a profile."""
    root = ElementTree.fromstring(path.read_bytes())
    header, data = child(root, "ReturnHeader"), child(root, "ReturnData")
    body = child(data, FORMS.get(at(header, "ReturnTypeCd", "ReturnType"), "-"))
    if body is None:
        return None
    supplement = "SupplementaryInformationGrp", "SupplementaryInformation"
    inside = lambda *names: [f"{one}/{name}" for one in supplement for name in names]
    grants = []
    # In the order of the file: the form stands before its schedules.
    for part in data:
        name = local(part)
        if part is body and name == "IRS990PF":
            paid = inside("GrantOrContributionPdDurYrGrp", "GrantOrContriPaidDuringYear")
            approved = inside("GrantOrContriApprvForFutGrp", "GrantOrContriApprovedForFuture")
            approved_names = {path.rsplit("/", 1)[-1] for path in approved}
            for row in rows(part, *paid, *approved):
                stage = "approved" if local(row) in approved_names else "paid"
                grants.append(grant(row, "990-PF", stage))
        elif name == "IRS990ScheduleI":
            grants += [grant(row, "990-I", "paid") for row in rows(part, "RecipientTable", "Form990ScheduleIPartII/RecipientTable")]
        elif name == "IRS990ScheduleF":
            grants += [grant(row, "990-F", "paid") for row in rows(
                part, "GrantsToOrgOutsideUSGrp", "GrantsToOrgsOutsideUS", "Form990ScheduleFPartII/GrantsToOrgsOutsideUS")]
    highest = {"CompensationHighestPaidEmplGrp", "CompensationOfHighestPaidEmpl"}
    people_at = {
        "IRS990": ["Form990PartVIISectionAGrp", "Form990PartVIISectionA"],
        "IRS990EZ": ["OfficerDirectorTrusteeEmplGrp", "OfficerDirectorTrusteeKeyEmpl", *highest],
        "IRS990PF": [
            f"{group}/{name}"
            for group in ("OfficerDirTrstKeyEmplInfoGrp", "OfcrDirTrusteesKeyEmployeeInfo")
            for name in ("OfficerDirTrstKeyEmplGrp", "OfcrDirTrusteesOrKeyEmployee", *highest)
        ],
    }[local(body)]
    people = [person(row, local(row) in highest) for row in rows(body, *people_at)]
    details = collections.defaultdict(list)
    for row in rows(data, "IRS990ScheduleJ/RltdOrgOfficerTrstKeyEmplGrp", "IRS990ScheduleJ/Form990ScheduleJPartII"):
        details[name_of(row)[0]].append(detail(row))
    relations = [relation(row) for row in rows(data, *(f"IRS990ScheduleR/{name}" for name in PART_OF))]
    posture = None
    if local(body) == "IRS990PF":
        posture = {
            "only_preselected": bool(ticked(body, *inside("OnlyContriToPreselectedInd", "OnlyContributesToPreselected"))),
            "applications": list(filter(None, map(application, rows(body, *inside(
                "ApplicationSubmissionInfoGrp", "AppicationSubmissionInfo", "ApplicationSubmissionInfo"))))),
        }
    return {
        "grants": list(filter(None, grants)),
        "people": list(filter(None, people)),
        "details": details,
        "relations": list(filter(None, relations)),
        "posture": posture,
        "totals": totals(data, body),
        "lobbying": lobbying(data),
        "transactions": list(filter(None, map(transaction, rows(data, *(f"IRS990ScheduleL/{path}" for path in TRANSACTIONS))))),
    }


def same(mine, theirs):
    if isinstance(mine, float) and isinstance(theirs, (int, float)):
        return abs(mine - theirs) < 1e-5 * max(1, abs(mine))
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return all(same(value, theirs.get(key)) for key, value in mine.items())
    return mine == theirs


class Comparison:
    def __init__(self):
        self.fields = 0
        self.differences = 0
        self.counts = collections.Counter()

    def differ(self, where, mine, theirs):
        self.differences += 1
        print(f"{where}: expected {mine!r}, found {theirs!r}")

    def row(self, where, mine, theirs):
        for key, value in mine.items():
            self.fields += 1
            if not same(value, theirs.get(key)):
                self.differ(f"{where} {key}", value, theirs.get(key))

    def rows(self, where, mine, theirs):
        self.counts[where.rsplit(" ", 1)[-1]] += len(theirs)
        if len(mine) != len(theirs):
            self.differ(f"{where} count", len(mine), len(theirs))
        for number, (one, other) in enumerate(zip(mine, theirs), 1):
            self.row(f"{where}[{number}]", one, other)

    def details(self, file, mine, people):
        """Every row of Schedule J belongs to the one whose name it has."""
        left = {name: list(of_name) for name, of_name in mine.items()}
        for one in people:
            if one["detail"] is None:
                continue
            self.counts["details"] += 1
            of_name = left.get(one["name"])
            if of_name:
                self.row(f"{file} {one['name']}", of_name.pop(0), one["detail"])
            else:
                self.differ(f"{file} {one['name']} detail", None, one["detail"])
        for name, of_name in left.items():
            if of_name:
                self.differ(f"{file} {name} detail", of_name, None)


def add_up(file, theirs, outcomes):
    """Tells where the rows of a list do not make its total."""
    total = theirs["filing"]["totals"]
    grants = theirs["schedules"]["grants"]
    amount = lambda form, stage: [
        (one["cash"] or 0) + (one["noncash"] or 0) for one in grants if (one["form"], one["stage"]) == (form, stage)
    ]
    lists = [
        ("Schedule I, against Part IX, line 1", amount("990-I", "paid"), total["grants_to_organizations"]),
        ("Form 990-PF, line 3a", amount("990-PF", "paid"), total["listed_grants_paid"]),
        ("Form 990-PF, line 3b", amount("990-PF", "approved"), total["listed_grants_approved"]),
    ]
    for name, amounts, stated in lists:
        if not amounts and not stated:
            continue
        outcome = "equal" if sum(amounts) == (stated or 0) else "not equal"
        if outcome == "not equal":
            outcome = "no rows" if not amounts else "no total" if stated is None else "rows more" if sum(amounts) > stated else "rows less"
            print(f"{file}: {name}: {len(amounts)} rows of {sum(amounts)}, stated {stated}")
        outcomes[name, outcome] += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("returns_example")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--totals", action="store_true", help="list where rows do not make their total")
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.xml"))
    run = subprocess.run([options.returns_example, *map(str, files)], check=True, capture_output=True)
    comparison, outcomes = Comparison(), collections.Counter()
    unreadable, elsewhere, known = (collections.Counter() for _ in range(3))
    for path, line in zip(files, run.stdout.decode().splitlines(), strict=True):
        theirs, mine = json.loads(line), read(path)
        if mine is None or "error" in theirs:
            if (mine is None) != ("error" in theirs):
                comparison.differ(path.name, "a return" if mine else "none", theirs.get("error"))
            continue
        comparison.counts["returns"] += 1
        for key in ("grants", "people", "relations"):
            comparison.rows(f"{path.name} {key}", mine[key], theirs["schedules"][key])
        comparison.details(path.name, mine["details"], theirs["schedules"]["people"])
        comparison.row(f"{path.name} totals", mine["totals"], theirs["filing"]["totals"])
        comparison.row(f"{path.name} lobbying", mine["lobbying"], theirs["filing"]["lobbying"])
        comparison.rows(f"{path.name} transactions", mine["transactions"], theirs["filing"]["transactions"])
        known.update(key for key, value in (mine["totals"] | mine["lobbying"]).items() if value is not None)
        posture = theirs["filing"]["posture"]
        if (mine["posture"] is None) != (posture is None):
            comparison.differ(f"{path.name} posture", mine["posture"], posture)
        elif posture is not None:
            comparison.row(f"{path.name} posture", {"only_preselected": mine["posture"]["only_preselected"]}, posture)
            comparison.rows(f"{path.name} applications", mine["posture"]["applications"], posture["applications"])
        unreadable.update(theirs["unreadable"])
        elsewhere.update(one["recipient_name"] for one in theirs["schedules"]["grants"] if one["is_listed_elsewhere"])
        if options.totals:
            add_up(path.name, theirs, outcomes)
    for (name, outcome), count in sorted(outcomes.items()):
        print(f"{name}: {outcome}: {count}")
    print("returns that state:", dict(sorted(known.items())))
    print("unreadable:", dict(unreadable), "listed elsewhere:", dict(elsewhere))
    print(", ".join(f"{count} {name}" for name, count in sorted(comparison.counts.items())))
    print(f"{comparison.fields} fields compared, {comparison.differences} differences")
    sys.exit(comparison.differences > 0)


if __name__ == "__main__":
    main()
