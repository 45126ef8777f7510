//! The lists of a return, the cells of their rows, and the totals that accompany them.

use crate::record::named;

named! {
    /// A list whose rows are taken.
    #[derive(PartialOrd, Ord)]
    List {
        Officers = "officers",
        HighestPaid = "highest_paid",
        Contractors = "contractors",
        /// Schedule J, Part II: what those of the other lists were paid, in detail.
        Compensation = "compensation",
        Application = "application",
        GrantsPaid = "grants_paid",
        GrantsApproved = "grants_approved",
        ScheduleI = "grants_schedule_i",
        ScheduleF = "grants_schedule_f",
        Disregarded = "disregarded",
        TaxExempt = "tax_exempt",
        Partnership = "partnership",
        Corporation = "corporation",
    }
}

named! {
    /// What a row says. A name stands on two lines, or is a person's.
    #[derive(PartialOrd, Ord)]
    Cell {
        Person = "person",
        Business1 = "business.1",
        Business2 = "business.2",
        Ein = "ein",
        Street1 = "street.1",
        Street2 = "street.2",
        City = "city",
        State = "state",
        Zip = "zip",
        Province = "province",
        PostalCode = "postal_code",
        Country = "country",
        Title = "title",
        Hours = "hours",
        HoursRelated = "hours_related",
        TrusteeOrDirector = "trustee_or_director",
        InstitutionalTrustee = "institutional_trustee",
        Officer = "officer",
        KeyEmployee = "key_employee",
        HighestCompensated = "highest_compensated",
        Former = "former",
        Compensation = "compensation",
        CompensationRelated = "compensation_related",
        CompensationOther = "compensation_other",
        Benefits = "benefits",
        ExpenseAccount = "expense_account",
        Base = "base",
        BaseRelated = "base.related",
        Bonus = "bonus",
        BonusRelated = "bonus.related",
        Other = "other",
        OtherRelated = "other.related",
        Deferred = "deferred",
        DeferredRelated = "deferred.related",
        Nontaxable = "nontaxable",
        NontaxableRelated = "nontaxable.related",
        Total = "total",
        TotalRelated = "total.related",
        ReportedBefore = "reported_before",
        ReportedBeforeRelated = "reported_before.related",
        Cash = "cash",
        Noncash = "noncash",
        NoncashDescription = "noncash_description",
        Purpose = "purpose",
        Services = "services",
        Region = "region",
        ExemptSection = "exempt_section",
        Relationship = "relationship",
        FoundationStatus = "foundation_status",
        Phone = "phone",
        Email = "email",
        Form = "form",
        Deadlines = "deadlines",
        Restrictions = "restrictions",
        PrimaryActivity = "primary_activity",
        DomicileState = "domicile_state",
        DomicileCountry = "domicile_country",
        Controlling1 = "controlling.1",
        Controlling2 = "controlling.2",
        CharityStatus = "charity_status",
        Controlled = "controlled",
        Ownership = "ownership",
        EntityType = "entity_type",
    }
}

named! {
    /// A total, of the return or of one of its schedules.
    #[derive(PartialOrd, Ord)]
    Total {
        Contributions = "total.contributions",
        GovernmentGrants = "total.government_grants",
        MembershipDues = "total.membership_dues",
        ProgramRevenue = "total.program_revenue",
        InvestmentIncome = "total.investment_income",
        ProgramExpenses = "total.program_expenses",
        ManagementExpenses = "total.management_expenses",
        FundraisingExpenses = "total.fundraising_expenses",
        CharitableDisbursements = "total.charitable_disbursements",
        Cash = "total.cash",
        Savings = "total.savings",
        Securities = "total.securities",
        LandAndBuildings = "total.land_and_buildings",
        UnrestrictedNetAssets = "total.unrestricted_net_assets",
        GrantsToOrganizations = "total.grants_to_organizations",
        GrantsToIndividuals = "total.grants_to_individuals",
        GrantsAbroad = "total.grants_abroad",
        GrantsPaid = "total.grants_paid",
        GrantsDisbursed = "total.grants_disbursed",
        ListedGrantsPaid = "total.listed_grants_paid",
        ListedGrantsApproved = "total.listed_grants_approved",
        ScheduleICharities = "total.schedule_i_charities",
        ScheduleIOthers = "total.schedule_i_others",
        SpentAbroad = "total.spent_abroad",
    }
}
