//! What the elements of a return say: values, totals, lists with the cells of their rows, programmes.

use crate::record::{Totals, named};

/// The meaning of an element. The start of a group resets what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    Field(Field),
    /// One of [`Totals::NAMES`].
    Total(&'static str),
    /// A row of a list, and what it says.
    List(List),
    Cell(Cell),
    Program(Part, Line),
}

impl From<Field> for Meaning {
    fn from(field: Field) -> Self {
        Self::Field(field)
    }
}

impl Meaning {
    /// That of a name in the table of elements, outside the rows of lists. Programmes add their
    /// line: `program.first.text`.
    pub(super) fn named(name: &str) -> Option<Self> {
        if let Some(of_program) = name.strip_prefix("program.") {
            let (line, part) = of_program.split_once('.').unwrap_or((of_program, ""));
            return Some(Self::Program(Part::named(part)?, Line::named(line)?));
        }
        let field = Field::named(name).map(Self::Field);
        let is_total = |total: &&str| name.strip_prefix("total.") == Some(*total);
        let total = || Totals::NAMES.into_iter().find(is_total).map(Self::Total);
        field.or_else(total).or_else(|| List::named(name).map(Self::List))
    }

    /// Whether it is an element that only holds others.
    pub(super) fn is_group(self) -> bool {
        matches!(
            self,
            Self::List(_) | Self::Program(Part::Group, _) | Self::Field(Field::NoteGroup)
        )
    }

    /// Whether it is prose, of which more is kept.
    pub(super) fn is_prose(self) -> bool {
        let prose = [Field::Mission, Field::Summary, Field::NoteText].map(Self::Field);
        prose.contains(&self) || matches!(self, Self::Program(Part::Text, _))
    }
}

named! {
    /// A value that an element of a return states; a note is a group of elements.
    #[derive(PartialOrd, Ord)]
    Field {
        FormType = "form",
        Ein = "ein",
        NameLine1 = "name.1",
        NameLine2 = "name.2",
        StreetLine1 = "street.1",
        StreetLine2 = "street.2",
        City = "city",
        State = "state",
        Zip = "zip",
        TaxYear = "tax_year",
        PeriodBegin = "period_begin",
        PeriodEnd = "period_end",
        Filed = "filed",
        Amended = "amended",
        Website = "website",
        DoingBusinessAs1 = "doing_business_as.1",
        DoingBusinessAs2 = "doing_business_as.2",
        /// Ticked: 501(c)(3).
        Charitable = "charitable",
        /// The subsection of another 501(c), which is an attribute.
        Subsection = "subsection",
        /// Ticked: a foundation that is not exempt.
        Taxable = "taxable",
        /// Part III, line 1.
        Mission = "mission",
        /// Part I, line 1.
        Summary = "summary",
        YearFormed = "year_formed",
        Revenue = "revenue",
        Expenses = "expenses",
        Assets = "assets",
        Liabilities = "liabilities",
        NetAssets = "net_assets",
        Employees = "employees",
        Volunteers = "volunteers",
        Phone = "phone",
        PrincipalOfficer = "principal_officer",
        BusinessOfficer = "business_officer",
        VotingMembers = "voting_members",
        IndependentMembers = "independent_members",
        ConflictPolicy = "conflict_policy",
        WhistleblowerPolicy = "whistleblower_policy",
        RetentionPolicy = "retention_policy",
        /// Ticked: a foundation that takes no applications.
        OnlyPreselected = "only_preselected",
        /// Schedule C, Part I-A, line 2.
        PoliticalExpenditures = "political_expenditures",
        /// Schedule C, Part II-A, which those fill in who elected under section 501(h): line 1c.
        ElectedLobbying = "lobbying.elected",
        /// Another line of that part.
        ElectedLobbyingLine = "lobbying.elected.line",
        /// Schedule C, Part II-B, which those fill in who did not: line 1j.
        UnelectedLobbying = "lobbying.unelected",
        /// Another line of that part.
        UnelectedLobbyingLine = "lobbying.unelected.line",
        OtherExpenses = "other.expenses",
        OtherGrants = "other.grants",
        OtherRevenue = "other.revenue",
        NoteGroup = "note",
        NoteIdentifier = "note.identifier",
        NoteReference = "note.reference",
        NoteText = "note.text",
    }
}

named! {
    /// A line of the form on which a programme stands: 4a to 4d of Form 990, 28 to 31 of Form 990-EZ,
    /// 1 to 4 of the summary of direct charitable activities of Form 990-PF.
    #[derive(PartialOrd, Ord)]
    Line {
        First = "first",
        Second = "second",
        Third = "third",
        /// The last line, which several programmes share.
        Other = "other",
        /// The line after that of the programme before.
        Next = "next",
    }
}

named! {
    /// A part of what a return states about a programme.
    #[derive(PartialOrd, Ord)]
    Part {
        /// The element that holds the others.
        Group = "",
        Text = "text",
        Expenses = "expenses",
        Grants = "grants",
        Revenue = "revenue",
    }
}

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
        /// Schedule L, Parts I to IV.
        ExcessBenefits = "excess_benefits",
        Loans = "loans",
        InterestedGrants = "interested_grants",
        BusinessTransactions = "business_transactions",
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
        Amount = "amount",
        Description = "description",
        Corrected = "corrected",
        ToOrganization = "to_organization",
        FromOrganization = "from_organization",
        BalanceDue = "balance_due",
        InDefault = "in_default",
        BoardApproved = "board_approved",
        WrittenAgreement = "written_agreement",
        Assistance = "assistance",
        SharesRevenue = "shares_revenue",
    }
}
