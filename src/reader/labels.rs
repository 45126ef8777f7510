//! The labels that the reader gives to a message and its words, as in `models/reader/labels.json`.

use crate::record::named;

named! {
    /// What a word is part of.
    Role {
        /// Part of no request.
        Nothing = "none",
        /// What nonprofits do, and for which people.
        Cause = "cause",
        /// The name of one.
        Name = "name",
        Place = "place",
        /// What makes a place the middle of a circle.
        Near = "near",
        /// A bare number that corrects a bound which was set before.
        Amount = "amount",
        Revenue = "revenue",
        Expenses = "expenses",
        Assets = "assets",
        Employees = "employees",
        Score = "score",
        Rating = "rating",
        Size = "size",
        /// A Sustainable Development Goal.
        Sdg = "sdg",
        Ntee = "ntee",
        Subsection = "subsection",
        Foundation = "foundation",
        Deductible = "deductible",
        Revoked = "revoked",
        Vetted = "vetted",
        Sort = "sort",
        /// How many are wanted.
        Count = "count",
        Ein = "ein",
        /// What refers to something that was shown.
        Reference = "ref",
        /// The number of an article.
        Number = "number",
        /// What is wanted and no field tells.
        Unread = "unread",
    }
}

named! {
    /// How an amount bounds.
    Bound {
        None = "none",
        Min = "min",
        Max = "max",
        /// Both ends are given.
        Range = "range",
        /// The amount itself.
        About = "about",
    }
}

named! {
    /// What is done with what a span says.
    Operation {
        /// It is wanted, in the place of what was.
        Set = "none",
        /// It is not wanted.
        Not = "not",
        /// It is wanted beside what was.
        Add = "add",
        /// Nothing of its kind is asked for any longer.
        Clear = "clear",
        /// It makes the cause narrower.
        Narrow = "narrow",
    }
}

named! {
    /// What an order is by.
    SortBy {
        None = "none",
        Revenue = "revenue",
        Expenses = "expenses",
        Assets = "assets",
        Employees = "employees",
        Score = "score",
        Rating = "rating",
        Name = "name",
        Distance = "distance",
        /// Rising: the youngest first.
        Age = "age",
    }
}

named! {
    /// Which way an order goes.
    Direction {
        None = "none",
        Ascending = "asc",
        Descending = "desc",
    }
}

named! {
    /// What a message asks for.
    Intent {
        Find = "find",
        /// Nonprofits like one.
        Similar = "similar",
        /// One nonprofit, or a fact of it.
        Details = "details",
        Compare = "compare",
        Articles = "articles",
        Article = "article",
        Funds = "funds",
        /// How giving, nonprofits or the service work.
        Knowledge = "knowledge",
        /// Where a figure or a statement is from.
        Source = "source",
        Hello = "hello",
        Thanks = "thanks",
        Bye = "bye",
        Help = "help",
        /// The next rows.
        More = "more",
        Reset = "reset",
        /// What was before the last change.
        Undo = "undo",
        /// Who has done wrong.
        Accusation = "accusation",
        /// Somebody is in danger.
        Distress = "distress",
        OffTopic = "off_topic",
        Unclear = "unclear",
    }
}

named! {
    /// Whether a message continues the query before it.
    Act {
        New = "new",
        On = "on",
    }
}

named! {
    /// A fact of a nonprofit.
    Fact {
        Revenue = "revenue",
        Expenses = "expenses",
        Assets = "assets",
        NetAssets = "net_assets",
        Employees = "employees",
        Place = "place",
        Website = "website",
        Founded = "founded",
        Mission = "mission",
        Ein = "ein",
        /// What its officers are paid.
        Pay = "pay",
        Deductible = "deductible",
        Standing = "standing",
        Officers = "officers",
        Size = "size",
        Code = "code",
        Goals = "goals",
        Score = "score",
        Vetted = "vetted",
        Filing = "filing",
        Impact = "impact",
        Donate = "donate",
        Contact = "contact",
    }
}

named! {
    /// Which language a message is in.
    Language {
        English = "en",
        Spanish = "es",
        Other = "other",
    }
}

named! {
    /// What is known of a conversation before a message: each is a feature of the model, 0 or 1.
    Known {
        /// Something was asked before.
        Started = "started",
        Cause = "cause",
        Name = "name",
        Place = "place",
        RevenueMin = "revenue_min",
        ExpensesMin = "expenses_min",
        AssetsMin = "assets_min",
        EmployeesMin = "employees_min",
        ScoreMin = "score_min",
        RatingMin = "rating_min",
        RevenueMax = "revenue_max",
        ExpensesMax = "expenses_max",
        AssetsMax = "assets_max",
        EmployeesMax = "employees_max",
        ScoreMax = "score_max",
        RatingMax = "rating_max",
        Size = "size",
        Sdg = "sdg",
        Ntee = "ntee",
        Subsection = "subsection",
        Foundation = "foundation",
        Deductible = "deductible",
        Revoked = "revoked",
        Vetted = "vetted",
        Sort = "sort",
        ShownNonprofits = "shown_nonprofits",
        ShownOne = "shown_one",
        ShownArticles = "shown_articles",
        ShownFunds = "shown_funds",
        Explained = "explained",
    }
}

named! {
    /// What is asked about money, people and relations: the questions of `models/questions.tsv`.
    Topic {
        /// Who funds a cause.
        Funders = "funders",
        /// Grants that one nonprofit received, and their grantors.
        GrantsTo = "grants_to",
        /// Grants that one nonprofit made.
        GrantsBy = "grants_by",
        /// Who governs and leads one nonprofit.
        Board = "board",
        /// What its people are paid.
        Pay = "pay",
        /// What it belongs to, and what belongs to it.
        Family = "family",
        /// How it compares with others of its kind.
        Peers = "peers",
        /// Anything else.
        Other = "other",
    }
}
