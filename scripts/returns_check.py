#!/usr/bin/env python3
"""Compares what a server says of returns beyond their sums with what this reads of the same XML by itself.

    returns_check.py --base-url URL --api-key KEY FOLDER

Values compared for every return of Form 990 and 990-EZ that the server has: telephone, principal officer, who signed,
governance (Form 990, Part VI) and of what revenue, expenses and assets consist. Prints the counts and every difference; exit
status 1 where there is one. Standard library only.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from derived_check import Service

MONEY_990 = {
    "government_grants": ["GovernmentGrantsAmt", "GovernmentGrants"],
    "membership_dues": ["MembershipDuesAmt", "MembershipDues"],
    "program_revenue": ["TotalProgramServiceRevenueAmt", "TotalProgramServiceRevenue"],
    "investment_income": ["CYInvestmentIncomeAmt", "InvestmentIncomeCurrentYear"],
    "cash": ["CashNonInterestBearingGrp/EOYAmt", "CashNonInterestBearing/EOY"],
    "savings": ["SavingsAndTempCashInvstGrp/EOYAmt", "SavingsAndTempCashInvestments/EOY"],
    "securities": ["InvestmentsPubTradedSecGrp/EOYAmt", "InvestmentsPubTradedSecurities/EOY"],
    "land_and_buildings": ["LandBldgEquipBasisNetGrp/EOYAmt", "LandBuildingsEquipmentBasisNet/EOY"],
}
MONEY_EZ = {
    "membership_dues": ["MembershipDuesAmt", "MembershipDues"],
    "program_revenue": ["ProgramServiceRevenueAmt", "ProgramServiceRevenue"],
    "investment_income": ["InvestmentIncomeAmt", "InvestmentIncome"],
    "cash": ["CashSavingsAndInvestmentsGrp/EOYAmt", "CashSavingsAndInvestments/EOY"],
    "land_and_buildings": ["LandAndBuildingsGrp/EOYAmt", "LandAndBuildings/EOY"],
}
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


def wanted(root):
    header, form = root.find("ReturnHeader"), root.find("ReturnData/IRS990")
    money = MONEY_990 if form is not None else MONEY_EZ
    short = root.find("ReturnData/IRS990EZ")
    if form is None and short is None:
        return None
    values = {name: text(form if form is not None else short, paths) for name, paths in money.items()}
    values = {name: int(value) if value and re.fullmatch(r"-?\d+", value) else None for name, value in values.items()}
    stated = {name: text(form, paths) for name, paths in GOVERNANCE.items()}
    governance = {
        name: value and (int(value) if name.endswith("members") else value not in ("0", "false")) for name, value in stated.items()
    }
    governance = {name: None if value is None or value == "" else value for name, value in governance.items()}
    return {
        **values, **governance,
        "phone": text(header, ["Filer/PhoneNum", "Filer/Phone"]),
        "principal_officer": letters(text(form, OFFICER)),
        "business_officer": letters(text(header, ["BusinessOfficerGrp/PersonNm", "Officer/Name"])),
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
            shown = one["breakdown"].get(name, one["governance"].get(name, one.get(name)))
            shown = letters(shown) if name.endswith("officer") else shown
            known[name] += value is not None
            if shown != value:
                differing += 1
                print(f"{path.name} {name}: expected {value!r}, found {shown!r}")
    print(", ".join(f"{name} {count}" for name, count in known.items()))
    print(f"{returns} returns compared, {differing} differences")
    sys.exit(1 if differing or not returns else 0)


if __name__ == "__main__":
    main()
