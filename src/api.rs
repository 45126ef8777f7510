//! What a program that embeds Almoner calls: build a snapshot, open it, ask it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::build::{self, BuildError, NoProgress, Progress, Report};
use crate::embed::Lazy;
use crate::index::typeahead::Scope;
use crate::matching::{self, Matched, YesMin};
use crate::record::{Ein, GrantStage, Organization};
use crate::search::grants::{self, Direction, NonprofitGrants};
use crate::search::listing::Paging;
use crate::search::people::{self, NonprofitPeople, PeopleOrder};
use crate::search::standing::Standing;
use crate::search::typeahead::{self, Suggestion};
use crate::search::{SearchError, details, nonprofits};
use crate::snapshot::{self, OpenError, Snapshot};
use crate::understand::{Frame, Lookup, QUERY_CHARACTERS_MAX, Request, interpret};

/// What [`build()`] reads, and where it writes.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    options: build::Options,
}

impl BuildOptions {
    /// Builds into `data_dir`, which is made if it does not exist, from `inputs`: files, and folders
    /// that are searched to any depth. Texts are embedded with the model inside the library.
    pub fn new(data_dir: impl Into<PathBuf>, inputs: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            options: build::Options {
                data_dir: data_dir.into(),
                inputs: inputs.into_iter().collect(),
                model: Some(Arc::new(Lazy::default())),
                wait_for_vectors: true,
                reject_limit_percent: None,
                fall_max_percent: None,
                without: Vec::new(),
                feed_ein: None,
            },
        }
    }

    /// Leaves out the embeddings: a build then takes seconds instead of minutes, and search ranks by
    /// names and words alone.
    #[must_use]
    pub fn without_embeddings(mut self) -> Self {
        self.options.model = None;
        self
    }

    /// Publishes even what has much less than the published snapshot: fewer organizations, returns, metrics or
    /// rows of a kind of source. Otherwise that is refused.
    #[must_use]
    pub fn allowing_falls(mut self) -> Self {
        self.options.fall_max_percent = Some(100.0);
        self
    }
}

/// Builds a snapshot of the IRS's files and publishes it; servers that follow the folder swap to it.
///
/// # Errors
/// When an input cannot be used, too many of its rows are rejected, much of what is published would be
/// lost, another build into the same folder is running, or the disk refuses. The snapshot before stays
/// published.
///
/// # Examples
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("eo.csv");
/// std::fs::write(
///     &file,
///     "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,CLASSIFICATION,RULING,\
///      DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,ASSET_CD,INCOME_CD,\
///      FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,REVENUE_AMT,NTEE_CD,SORT_NAME\n\
///      000000019,FICTIONAL RIVER TRUST,,1 MAIN ST,BURLINGTON,VT,05401-0001,0000,03,3,1000,201001,\
///      1,15,000000000,1,01,202312,4,4,01,0,12,250000,90000,90000,C32,\n",
/// )?;
/// let options = almoner::BuildOptions::new(folder.path().join("data"), [file]).without_embeddings();
/// let report = almoner::build(&options)?;
/// assert_eq!(report.organizations, 1);
/// # Ok(())
/// # }
/// ```
pub fn build(options: &BuildOptions) -> Result<Report, BuildError> {
    build_with(options, &NoProgress)
}

/// As [`build()`], telling `progress` what is done.
///
/// # Errors
/// As [`build()`].
pub fn build_with(options: &BuildOptions, progress: &dyn Progress) -> Result<Report, BuildError> {
    build::build(&options.options, progress)
}

/// The nonprofits of a published snapshot: opened in milliseconds, read through memory maps, and
/// shared by any number of threads.
pub struct Nonprofits {
    snapshot: Snapshot,
}

/// One page of what a query finds.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResults {
    /// Nonprofits that satisfy what the query asks for.
    pub total: u64,
    /// What was understood and found, in sentences.
    pub message: String,
    /// The page's nonprofits, best first.
    pub organizations: Vec<Organization>,
}

impl Nonprofits {
    /// Opens the snapshot that is published in a data directory.
    ///
    /// # Errors
    /// When there is none, it is of another format version, or a file is missing, truncated or, as
    /// far as opening looks, damaged.
    ///
    /// # Examples
    /// ```
    /// let missing = almoner::Nonprofits::open("no/such/folder".as_ref()).err().unwrap();
    /// assert!(missing.to_string().contains("no/such/folder"));
    /// ```
    pub fn open(data_dir: &Path) -> Result<Self, OpenError> {
        snapshot::open(data_dir).map(|snapshot| Self { snapshot })
    }

    /// The record of an EIN; `None` where no loaded list has it.
    ///
    /// # Errors
    /// When the snapshot is damaged. A record of another EIN is never returned.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// let ein: almoner::Ein = "53-0196605".parse()?;
    /// if let Some(organization) = nonprofits.details(ein)? {
    ///     println!("{}: {:?}", organization.name, organization.finances.revenue);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn details(&self, ein: Ein) -> Result<Option<Organization>, SearchError> {
        details::details(&self.snapshot, ein)
    }

    /// At most `limit` (25) suggestions for what somebody has typed so far, best first: beginnings of names,
    /// with one typo, or an EIN.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// for suggestion in nonprofits.typeahead("vermont foodb", 5)? {
    ///     println!("{} {}", suggestion.ein, suggestion.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn typeahead(&self, typed: &str, limit: usize) -> Result<Vec<Suggestion>, SearchError> {
        typeahead::suggest(&self.snapshot, typed, Scope::All, limit)
    }

    /// A page (from 1) of at most `size` nonprofits for a query in natural language, such as `food banks in Vermont with
    /// revenue over $1M`. Of a longer query the first 256 characters are read.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// let found = nonprofits.search("food banks in Vermont", 1, 10)?;
    /// println!("{}", found.message);
    /// for organization in &found.organizations {
    ///     println!("{} {}", organization.ein, organization.name);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn search(
        &self,
        query: &str,
        page: u64,
        size: usize,
    ) -> Result<SearchResults, SearchError> {
        let query: String = query.chars().take(QUERY_CHARACTERS_MAX).collect();
        let lookup = &Lookup::of(&self.snapshot);
        let mut understood = interpret(lookup, &Request::of(Some(&query), &Frame::default()))?;
        let page = nonprofits::Query { page: page.max(1), size, ..nonprofits::Query::default() };
        let found = nonprofits::search(lookup, &understood.query(page))?;
        Ok(SearchResults {
            total: found.total,
            message: understood.sentence(&found, None),
            organizations: found.rows.into_iter().map(|row| row.organization).collect(),
        })
    }

    /// The organizations that a row of a list may mean, at most eight, the likeliest first, each with its
    /// probability and reasons; and whether the likeliest is probable enough to go without a person.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// let row = almoner::MatchQuery {
    ///     name: "Vermont Foodbank Inc".into(),
    ///     city: "Barre".into(),
    ///     state: "VT".into(),
    ///     ..almoner::MatchQuery::default()
    /// };
    /// let matched = nonprofits.match_row(&row)?;
    /// if let (almoner::MatchDecision::Yes, Some(found)) = (matched.decision, matched.candidates.first()) {
    ///     println!("{} {} ({:.2})", found.ein, found.name, found.probability);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn match_row(&self, row: &matching::Query) -> Result<Matched, SearchError> {
        Ok(matching::find((&self.snapshot).into(), row, YesMin::default())?)
    }

    /// The exemption, deductibility and revocation of an EIN by the IRS's lists, each with the list that decides it; `None`
    /// where no loaded list has the EIN.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// if let Some(standing) = nonprofits.standing("53-0196605".parse()?)? {
    ///     let is_deductible = standing.deductibility.state == almoner::StandingState::Yes;
    ///     println!("{is_deductible}, by {:?}", standing.deductibility.list.map(|list| &list.name));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn standing(&self, ein: Ein) -> Result<Option<Standing<'_>>, SearchError> {
        let organization = details::details(&self.snapshot, ein)?;
        let sources = &self.snapshot.manifest.sources;
        Ok(organization.map(|organization| Standing::of(&organization, sources)))
    }

    /// A page (from 1) of at most `size` (100) grants that a nonprofit paid or received, by its returns or those
    /// of others: the latest tax year first and, within one, the greatest amount. `None` where no loaded list has
    /// the EIN.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// let ein: almoner::Ein = "53-0196605".parse()?;
    /// if let Some(grants) = nonprofits.grants(ein, almoner::GrantDirection::Received, 1, 20)? {
    ///     println!("{} grants of {:?} dollars", grants.list.page.total, grants.list.amount);
    ///     for row in &grants.list.page.rows {
    ///         println!("{} {} {:?}", row.grant.tax_year, row.grantor_name, row.grant.amount());
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn grants(
        &self,
        ein: Ein,
        direction: Direction,
        page: u64,
        size: usize,
    ) -> Result<Option<NonprofitGrants>, SearchError> {
        let query = grants::NonprofitQuery {
            ein,
            direction,
            year: None,
            stage: GrantStage::Paid,
            min_amount: None,
            state: None,
            words: None,
            paging: Paging { page, size },
        };
        grants::nonprofit_grants(&self.snapshot, &query)
    }

    /// A page (from 1) of at most `size` (100) people that the returns of a nonprofit list, with what they were
    /// paid: the latest tax year first. `None` where no loaded list has the EIN.
    ///
    /// # Errors
    /// When the snapshot is damaged.
    ///
    /// # Examples
    /// ```
    /// # fn ask(nonprofits: &almoner::Nonprofits) -> Result<(), Box<dyn std::error::Error>> {
    /// if let Some(people) = nonprofits.people("53-0196605".parse()?, 1, 20)? {
    ///     for person in &people.page.rows {
    ///         println!("{} {} {:?}", person.tax_year, person.name, person.compensation);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn people(
        &self,
        ein: Ein,
        page: u64,
        size: usize,
    ) -> Result<Option<NonprofitPeople>, SearchError> {
        let (order, paging) = (PeopleOrder::Form, Paging { page, size });
        let query = people::NonprofitQuery { ein, year: None, order, paging };
        people::nonprofit_people(&self.snapshot, &query)
    }
}
