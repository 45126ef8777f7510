#!/usr/bin/env python3
"""Compares what a server says of returns beyond their sums with what this reads of the same XML by itself.

    returns_check.py --base-url URL --api-key KEY FOLDER

Values compared for every return that the server has: the sums, staff, days of the tax period, telephone, principal officer,
who signed, governance (Form 990, Part VI), of what revenue, expenses and assets consist, the balance at the beginning, the
reconciliation of net assets, what foundations distribute, and what the best paid contractors got. Prints the counts and every difference; exit status 1 where there is one. Standard library only.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from derived_check import Service

NUMBERS = {
    "IRS990": {
        "revenue": ["CYTotalRevenueAmt", "TotalRevenueCurrentYear", "TotalRevenueGrp/TotalRevenueColumnAmt"],
        "expenses": ["CYTotalExpensesAmt", "TotalExpensesCurrentYear", "TotalFunctionalExpensesGrp/TotalAmt"],
        "assets": ["TotalAssetsEOYAmt", "TotalAssetsEOY", "TotalAssetsGrp/EOYAmt"],
        "liabilities": ["TotalLiabilitiesEOYAmt", "TotalLiabilitiesEOY", "TotalLiabilitiesGrp/EOYAmt"],
        "net_assets": ["NetAssetsOrFundBalancesEOYAmt", "NetAssetsOrFundBalancesEOY", "TotalNetAssetsFundBalanceGrp/EOYAmt"],
        "employees": ["TotalEmployeeCnt", "TotalNbrEmployees"],
        "volunteers": ["TotalVolunteersCnt", "TotalNbrVolunteers"],
        "contributions": ["TotalContributionsAmt", "TotalContributions", "CYContributionsGrantsAmt", "ContributionsGrantsCurrentYear"],
        "government_grants": ["GovernmentGrantsAmt", "GovernmentGrants"],
        "membership_dues": ["MembershipDuesAmt", "MembershipDues"],
        "program_revenue": ["TotalProgramServiceRevenueAmt", "TotalProgramServiceRevenue"],
        "investment_income": ["CYInvestmentIncomeAmt", "InvestmentIncomeCurrentYear"],
        "program_expenses": ["TotalFunctionalExpensesGrp/ProgramServicesAmt", "TotalFunctionalExpenses/ProgramServices"],
        "management_expenses": ["TotalFunctionalExpensesGrp/ManagementAndGeneralAmt", "TotalFunctionalExpenses/ManagementAndGeneral"],
        "fundraising_expenses": ["TotalFunctionalExpensesGrp/FundraisingAmt", "TotalFunctionalExpenses/Fundraising"],
        "other_revenue": ["OtherRevenueTotalAmt", "TotalOtherRevenue"],
        "beginning.assets": ["TotalAssetsGrp/BOYAmt", "TotalAssets/BOY", "TotalAssetsBOYAmt", "TotalAssetsBOY"],
        "beginning.liabilities": ["TotalLiabilitiesGrp/BOYAmt", "TotalLiabilities/BOY", "TotalLiabilitiesBOYAmt", "TotalLiabilitiesBOY"],
        "beginning.net_assets": ["TotalNetAssetsFundBalanceGrp/BOYAmt", "TotalNetAssetsFundBalances/BOY", "NetAssetsOrFundBalancesBOYAmt"],
        "reconciliation.unrealized_gains": ["NetUnrlzdGainsLossesInvstAmt", "ReconciliationUnrealizedInvest"],
        "reconciliation.donated_services": ["DonatedServicesAndUseFcltsAmt", "ReconcilationDonatedServices"],
        "reconciliation.investment_expenses": ["InvestmentExpenseAmt", "ReconcilationInvestExpenses"],
        "reconciliation.prior_period_adjustments": ["PriorPeriodAdjustmentsAmt", "ReconcilationPriorAdjustment"],
        "reconciliation.other_changes": ["OtherChangesInNetAssetsAmt", "ReconcilationOtherChanges"],
        "cash": ["CashNonInterestBearingGrp/EOYAmt", "CashNonInterestBearing/EOY"],
        "savings": ["SavingsAndTempCashInvstGrp/EOYAmt", "SavingsAndTempCashInvestments/EOY"],
        "securities": ["InvestmentsPubTradedSecGrp/EOYAmt", "InvestmentsPubTradedSecurities/EOY"],
        "land_and_buildings": ["LandBldgEquipBasisNetGrp/EOYAmt", "LandBuildingsEquipmentBasisNet/EOY"],
    },
    "IRS990EZ": {
        "revenue": ["TotalRevenueAmt", "TotalRevenue"],
        "expenses": ["TotalExpensesAmt", "TotalExpenses"],
        "assets": ["Form990TotalAssetsGrp/EOYAmt", "TotalAssets/EOY"],
        "liabilities": ["SumOfTotalLiabilitiesGrp/EOYAmt", "SumOfTotalLiabilities/EOY", "TotalLiabilities/EOY"],
        "net_assets": ["NetAssetsOrFundBalancesEOYAmt", "NetAssetsOrFundBalancesEOY", "NetAssetsOrFundBalancesGrp/EOYAmt"],
        "contributions": ["ContributionsGiftsGrantsEtcAmt", "ContributionsGiftsGrantsEtc"],
        "other_revenue": ["OtherRevenueTotalAmt", "OtherRevenueTotal"],
        "beginning.assets": ["Form990TotalAssetsGrp/BOYAmt", "TotalAssets/BOY"],
        "beginning.liabilities": ["SumOfTotalLiabilitiesGrp/BOYAmt", "SumOfTotalLiabilities/BOY"],
        "beginning.net_assets": ["NetAssetsOrFundBalancesGrp/BOYAmt", "NetAssetsOrFundBalances/BOY", "NetAssetsOrFundBalancesBOYAmt"],
        "reconciliation.other_changes": ["OtherChangesInNetAssetsAmt", "OtherChangesInNetAssets"],
        "membership_dues": ["MembershipDuesAmt", "MembershipDues"],
        "program_revenue": ["ProgramServiceRevenueAmt", "ProgramServiceRevenue"],
        "investment_income": ["InvestmentIncomeAmt", "InvestmentIncome"],
        "program_expenses": ["TotalProgramServiceExpensesAmt", "TotalProgramServiceExpenses"],
        "cash": ["CashSavingsAndInvestmentsGrp/EOYAmt", "CashSavingsAndInvestments/EOY"],
        "land_and_buildings": ["LandAndBuildingsGrp/EOYAmt", "LandAndBuildings/EOY"],
    },
    "IRS990PF": {
        "revenue": ["AnalysisOfRevenueAndExpenses/TotalRevAndExpnssAmt", "AnalysisOfRevenueAndExpenses/TotalRevenueAndExpenses"],
        "expenses": ["AnalysisOfRevenueAndExpenses/TotalExpensesRevAndExpnssAmt", "AnalysisOfRevenueAndExpenses/TotalExpensesRevAndExpnss"],
        "assets": ["Form990PFBalanceSheetsGrp/TotalAssetsEOYAmt", "BalanceSheets/TotalAssetsEOY"],
        "liabilities": ["Form990PFBalanceSheetsGrp/TotalLiabilitiesEOYAmt", "BalanceSheets/TotalLiabilitiesEOY"],
        "net_assets": ["Form990PFBalanceSheetsGrp/TotNetAstOrFundBalancesEOYAmt", "BalanceSheets/TotalNetAssetsEOY",
                       "ChgInNetAssetsFundBalancesGrp/TotNetAstOrFundBalancesEOYAmt"],
        "other_revenue": ["AnalysisOfRevenueAndExpenses/OtherIncomeRevAndExpnssAmt"],
        "beginning.assets": ["Form990PFBalanceSheetsGrp/TotalAssetsBOYAmt", "BalanceSheets/TotalAssetsBOY"],
        "beginning.liabilities": ["Form990PFBalanceSheetsGrp/TotalLiabilitiesBOYAmt", "BalanceSheets/TotalLiabilitiesBOY"],
        "beginning.net_assets": ["Form990PFBalanceSheetsGrp/TotNetAstOrFundBalancesBOYAmt", "BalanceSheets/TotalNetAssetsBOY",
                                 "ChgInNetAssetsFundBalancesGrp/TotNetAstOrFundBalancesBOYAmt"],
        "reconciliation.other_increases": ["ChgInNetAssetsFundBalancesGrp/OtherIncreasesAmt"],
        "reconciliation.other_decreases": ["ChgInNetAssetsFundBalancesGrp/OtherDecreasesAmt"],
        "distributions.distributable_amount": ["DistributableAmountGrp/DistributableAsAdjustedAmt", "UndistributedIncomeGrp/DistributableAsAdjustedAmt"],
        "distributions.qualifying_distributions": ["PFQualifyingDistributionsGrp/QualifyingDistributionsAmt",
                                                   "QualifyingDistriPartXIIGrp/QualifyingDistributionsAmt"],
        "distributions.undistributed_income": ["UndistributedIncomeGrp/UndistributedIncomeCYAmt"],
        "distributions.excise_tax": ["ExciseTaxBasedOnInvstIncmGrp/InvestmentIncomeExciseTaxAmt"],
    },
}
CONTRACTORS = ["ContractorCompensationGrp", "ContractorCompensation", "CompensationOfHghstPdCntrctGrp", "CompOfHghstPaidCntrctProfSer"]
NOBODY = {"none", "na", None}
GOVERNANCE = {
    "voting_members": ["VotingMembersGoverningBodyCnt", "NbrVotingMembersGoverningBody"],
    "independent_members": ["VotingMembersIndependentCnt", "NbrIndependentVotingMembers"],
    "conflict_policy": ["ConflictOfInterestPolicyInd", "ConflictOfInterestPolicy"],
    "whistleblower_policy": ["WhistleblowerPolicyInd", "WhistleblowerPolicy"],
    "retention_policy": ["DocumentRetentionPolicyInd", "DocumentRetentionPolicy"],
}
OFFICER = ["PrincipalOfficerNm", "PrincipalOfcrBusinessName/BusinessNameLine1Txt", "NameOfPrincipalOfficerPerson",
           "NameOfPrincipalOfficerBusiness/BusinessNameLine1"]


def bare(root):
    for element in root.iter():
        element.tag = element.tag.split("}")[-1]
    return root


def text(element, paths):
    for path in paths:
        found = element.find(path) if element is not None else None
        if found is not None and (found.text or "").strip():
            return " ".join(found.text.split())
    return None


def letters(name):
    return re.sub("[^a-z]", "", (name or "").lower()) or None


def contractors(form):
    paid = []
    for group in (one for tag in CONTRACTORS for one in form.iter(tag)):
        named = [text(group, [f"{inside}{name}"]) for inside in ("ContractorName/", "", "NameOfContractor/", "ContractorName/BusinessName/",
                 "BusinessName/") for name in ("PersonNm", "NamePerson", "Name", "BusinessNameLine1Txt", "BusinessNameLine1")]
        named += [text(group, ["ContractorName/NameBusiness/BusinessNameLine1", "NameOfContractor/NameBusiness/BusinessNameLine1",
                               "NameBusiness/BusinessNameLine1"])]
        if letters(next(filter(None, named), None)) not in NOBODY:
            paid.append(whole(text(group, ["CompensationAmt", "Compensation"])))
    return paid


def whole(value):
    return int(value) if value and re.fullmatch(r"-?\d+", value) else None


def wanted(root):
    header, full = root.find("ReturnHeader"), root.find("ReturnData/IRS990")
    name, form = next(((name, root.find(f"ReturnData/{name}")) for name in NUMBERS if root.find(f"ReturnData/{name}") is not None), (None, None))
    if form is None:
        return None
    stated = {name: text(full, paths) for name, paths in GOVERNANCE.items()}
    governance = {
        name: value and (int(value) if name.endswith("members") else value not in ("0", "false")) for name, value in stated.items()
    }
    governance = {name: None if value is None or value == "" else value for name, value in governance.items()}
    return {
        **{name: whole(text(form, paths)) for name, paths in NUMBERS[name].items()}, **governance,
        "period_begin": text(header, ["TaxPeriodBeginDt", "TaxPeriodBeginDate"]),
        "period_end": text(header, ["TaxPeriodEndDt", "TaxPeriodEndDate"]),
        "phone": text(header, ["Filer/PhoneNum", "Filer/Phone"]),
        "principal_officer": letters(text(full, OFFICER)),
        "business_officer": letters(text(header, ["BusinessOfficerGrp/PersonNm", "Officer/Name"])),
        "contractors": contractors(form),
    }


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--api-key", required=True)
    args = parser.parse_args()
    service = Service(args.base_url, args.api_key)
    returns, known, differing = 0, Counter(), 0
    for path in sorted(args.folder.glob("*.xml")):
        root = bare(ElementTree.parse(path).getroot())
        expected = wanted(root)
        number = re.search(r"\d{18}", path.name)
        page = expected and service.get(f"/nonprofits/filings/{text(root, ['ReturnHeader/Filer/EIN'])}?size=100")
        found = [one for one in (page or {}).get("items", []) if number and one["url"] and number.group() in one["url"]]
        if not found:
            continue
        returns += 1
        one = found[0]
        for name, value in expected.items():
            group, _, member = name.rpartition(".")
            shown = one[group][member] if group else one["breakdown"].get(name, one["governance"].get(name, one.get(name)))
            shown = letters(shown) if name.endswith("officer") else shown
            shown = [one["compensation"] for one in shown] if name == "contractors" else shown
            known[name] += value not in (None, [])
            if shown != value:
                differing += 1
                print(f"{path.name} {name}: expected {value!r}, found {shown!r}")
    print(", ".join(f"{name} {count}" for name, count in known.items()))
    print(f"{returns} returns compared, {differing} differences")
    sys.exit(1 if differing or not returns else 0)


if __name__ == "__main__":
    main()
