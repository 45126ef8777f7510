//! What a snapshot covers: counted once, while it is built, and kept beside the manifest.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::mapped::{Files, OpenError};
use crate::record::{Organization, State, named};
use crate::sources::SourceKind;
use crate::taxonomy::Cause;

/// The file of the coverage within a snapshot.
pub const FILE: &str = "coverage.json";

named! {
    /// A value that may not be known of an organization.
    #[derive(PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    Field {
        Street = "street",
        City = "city",
        State = "state",
        County = "county",
        Zip = "zip",
        Point = "point",
        Website = "website",
        Mission = "mission",
        ImpactSummary = "impact_summary",
        Ntee = "ntee",
        IssueArea = "issue_area",
        Sdgs = "sdgs",
        Ruling = "ruling",
        YearFormed = "year_formed",
        TaxPeriod = "tax_period",
        Return = "return",
        FilingRequirement = "filing_requirement",
        Revenue = "revenue",
        Expenses = "expenses",
        Assets = "assets",
        NetAssets = "net_assets",
        Employees = "employees",
        Size = "size",
        Subsection = "subsection",
        Foundation = "foundation",
        FoundationCode = "foundation_code",
        Approvals = "form_1023ez",
        Returns = "has_return",
        Deductible = "deductible",
        Inactive = "inactive",
        Vetted = "vetted",
        Score = "score",
        Rating = "rating",
    }
}

impl Field {
    /// Whether it is known of an organization.
    pub fn is_known(self, organization: &Organization) -> bool {
        let Organization { address, exemption, finances, overlay, .. } = organization;
        let overlay = overlay.as_deref();
        match self {
            Self::Street => address.street.is_some(),
            Self::City => address.city.is_some(),
            Self::State => address.state.is_some(),
            Self::County => address.county.is_some(),
            Self::Zip => address.zip.is_some(),
            Self::Point => address.point.is_some(),
            Self::Website => organization.website.is_some(),
            Self::Mission => organization.summary.is_some(),
            Self::ImpactSummary => organization.impact_summary.is_some(),
            Self::Ntee => organization.ntee.is_some(),
            Self::IssueArea => Cause::of(organization).is_some(),
            Self::Sdgs => !organization.sdgs.is_empty(),
            Self::Ruling => exemption.ruling.is_some(),
            Self::YearFormed => organization.year_formed.is_some(),
            Self::TaxPeriod => finances.tax_period.is_some(),
            Self::Return => organization.latest_filing.is_some(),
            Self::FilingRequirement => organization.finances.filing_duty().is_some(),
            Self::Revenue => finances.revenue.is_some(),
            Self::Expenses => finances.expenses.is_some(),
            Self::Assets => finances.assets.is_some(),
            Self::NetAssets => finances.net_assets.is_some(),
            Self::Employees => finances.employees.is_some(),
            Self::Size => organization.size().is_some(),
            Self::Subsection => exemption.subsection.is_some(),
            Self::Foundation => organization.is_private_foundation().is_some(),
            Self::FoundationCode => exemption.foundation.is_some(),
            Self::Approvals => exemption.listings.approvals.is_listed().is_some(),
            Self::Returns => exemption.listings.returns.is_listed().is_some(),
            Self::Deductible => exemption.is_deductible().is_some(),
            Self::Inactive => exemption.is_inactive().is_some(),
            Self::Vetted => organization.is_vetted().is_some(),
            Self::Score => overlay.is_some_and(|overlay| overlay.score.is_some()),
            Self::Rating => overlay.is_some_and(|overlay| overlay.rating.is_some()),
        }
    }

    /// The kinds of sources that tell it.
    pub fn source_kinds(self) -> &'static [SourceKind] {
        use SourceKind::{
            Approvals, Curated, Extract, FilingIndex, MasterFile, Postcard, Publication78, Returns,
            RevocationList,
        };
        match self {
            Self::Website => &[Returns, Approvals, Postcard],
            Self::Mission | Self::YearFormed => &[Returns, Approvals],
            Self::ImpactSummary | Self::Returns => &[Returns],
            Self::Approvals => &[Approvals],
            Self::Ntee | Self::IssueArea | Self::Sdgs => &[MasterFile, Approvals],
            Self::Return => &[Returns, FilingIndex],
            Self::Expenses | Self::NetAssets | Self::Employees => &[Returns, Extract],
            Self::TaxPeriod | Self::Revenue | Self::Assets | Self::Size => {
                &[MasterFile, Returns, Extract]
            }
            Self::Deductible => &[MasterFile, Publication78],
            Self::Inactive => &[RevocationList],
            Self::Vetted | Self::Score | Self::Rating => &[Curated],
            _ => &[MasterFile],
        }
    }
}

/// How many organizations there are, and how many of them have a row in a master file: the others
/// are known from returns alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Count {
    pub organizations: u64,
    pub in_master_file: u64,
}

impl Count {
    fn add(&mut self, organization: &Organization) {
        self.organizations += 1;
        let is_listed = organization.exemption.listings.master_file.is_listed();
        self.in_master_file += u64::from(is_listed == Some(true));
    }
}

/// What there is of a state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OfState {
    pub count: Count,
    /// Organizations by county; those of unknown county are in none.
    pub counties: BTreeMap<String, u64>,
}

/// What a snapshot covers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// All together.
    pub count: Count,
    /// By state, those without any organization left out.
    pub states: BTreeMap<State, OfState>,
    /// For each field, how many organizations have a known value; every field is present.
    pub known: BTreeMap<Field, u64>,
    /// Returns by tax year.
    pub returns: BTreeMap<u16, u64>,
}

/// Fewest organizations of a state that has a file of its own.
const FILE_ORGANIZATIONS_MIN: u64 = 1000;
/// The fifty and the District of Columbia.
const STATES: usize = 51;

impl Coverage {
    /// Reads the coverage.
    pub(crate) fn open(files: &mut Files<'_>) -> Result<Self, OpenError> {
        let file = files(FILE)?;
        let read = serde_json::from_slice(file.bytes(0..file.len())?);
        Ok(read.map_err(|error| file.form(error.to_string()))?)
    }

    /// Writes [`FILE`] into a folder, not flushed to disk.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        std::fs::write(folder.join(FILE), serde_json::to_vec(self)?)
    }

    /// Whether a master file has anybody in a state.
    pub fn has_state(&self, state: State) -> bool {
        self.states.get(&state).is_some_and(|of_state| of_state.count.in_master_file > 0)
    }

    /// Whether a master file of a state is loaded, and not only strays of others.
    pub fn has_file(&self, state: State) -> bool {
        let of_state = self.states.get(&state);
        of_state.is_some_and(|of| of.count.in_master_file >= FILE_ORGANIZATIONS_MIN)
    }

    /// How many states have a master file of their own, where some have one and not all; those of which
    /// only strays of other files are known do not count.
    pub fn states_if_partial(&self) -> Option<usize> {
        let count = self.states.keys().filter(|state| self.has_file(**state)).count();
        (1..STATES).contains(&count).then_some(count)
    }

    /// Whether a value is known of anybody.
    pub fn has_field(&self, field: Field) -> bool {
        self.known.get(&field).is_some_and(|known| *known > 0)
    }

    /// Counts organizations.
    #[cfg(any(test, feature = "internals"))]
    pub fn of<'a>(organizations: impl IntoIterator<Item = &'a Organization>) -> Self {
        let mut coverage = Self::default();
        organizations.into_iter().for_each(|organization| coverage.add(organization));
        coverage
    }

    /// Counts one organization.
    pub(crate) fn add(&mut self, organization: &Organization) {
        self.count.add(organization);
        for field in Field::ALL {
            *self.known.entry(field).or_default() += u64::from(field.is_known(organization));
        }
        let address = &organization.address;
        let Some(state) = address.state else { return };
        let of_state = self.states.entry(state).or_default();
        of_state.count.add(organization);
        if let Some(county) = &address.county {
            match of_state.counties.get_mut(county) {
                Some(count) => *count += 1,
                None => _ = of_state.counties.insert(county.clone(), 1),
            }
        }
    }

    /// Counts one return.
    pub(crate) fn add_return(&mut self, tax_year: u16) {
        *self.returns.entry(tax_year).or_default() += 1;
    }
}
