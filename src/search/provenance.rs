//! Where each value of a nonprofit's details is from: which list or return, in which column or
//! element; and of a value that is not known, why.
//!
//! Values read from a return record their elements there, and an organization records which of
//! several sources supplied a value. Every other value follows the rule of its column
//! (`data/provenance.tsv`).

mod figures;
mod lists;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::irs::{efile, extract};
use crate::record::{Date, Filing, Listing, Month, Organization, Origin, StatedValue};
use crate::sources::{SourceKind, Summary};
use crate::table::{Table, table};

/// Why a value is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, JsonSchema, Serialize)]
#[schemars(inline)]
pub enum Missing {
    /// The row or the return is there, and says nothing.
    #[serde(rename = "not filed")]
    NotFiled,
    /// Nothing that was loaded of that kind has the nonprofit.
    #[serde(rename = "not in this list")]
    NotListed,
    /// No source of the kind that would say it was loaded.
    #[serde(rename = "list not loaded")]
    NotLoaded,
    /// The IRS has it and does not publish it: state and ZIP code of an address abroad.
    #[serde(rename = "withheld")]
    Withheld,
    /// Something stands there, and is no such value.
    #[serde(rename = "unreadable")]
    Unreadable,
}

/// Where a value is from, or was looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance<'a> {
    /// The kind of source that says such a value.
    pub kind: SourceKind,
    /// The list or the file of returns; `None` where none was loaded that says it.
    pub source: Option<&'a Summary>,
    /// The return, of a value that one states.
    pub filing: Option<&'a Filing>,
    /// The column of a list or the key of a curated record.
    pub column: Option<&'static str>,
    /// The elements of the return, as XPaths by local names, in the order of what they say.
    pub paths: Vec<String>,
    /// Last month of the tax period that it is of.
    pub period: Option<Month>,
    /// The day that the row itself gives.
    pub row_date: Option<Date>,
    /// How it was made of what stands there, where it is not just that.
    pub derived: Option<&'static str>,
    /// Why it is not known; `None` of a value that is.
    pub missing: Option<Missing>,
}

impl<'a> Provenance<'a> {
    /// In a source, or in none where none of the kind was loaded.
    fn within(kind: SourceKind, source: Option<&'a Summary>) -> Self {
        Self {
            kind,
            source,
            filing: None,
            column: None,
            paths: Vec::new(),
            period: None,
            row_date: None,
            derived: None,
            missing: Some(Missing::NotFiled),
        }
    }
}

/// A nonprofit, its returns and what they were read from.
#[derive(Debug)]
pub struct TracedNonprofit<'a> {
    pub organization: Organization,
    /// The latest tax period first.
    pub filings: Vec<Filing>,
    pub sources: &'a [Summary],
}

/// Members of the details that a column of one kind of source says: the kind, the column, and how they are made of it.
const OF_COLUMNS: Table = table!("data/provenance.tsv");

/// What a return states that a column of the master file says.
fn stated_as(column: &str) -> Option<StatedValue> {
    Some(match column {
        "EIN" => StatedValue::Ein,
        "NAME" => StatedValue::Name,
        "STREET" => StatedValue::Street,
        "CITY" => StatedValue::City,
        "STATE" => StatedValue::State,
        "ZIP" => StatedValue::Zip,
        _ => return None,
    })
}

/// How a value is made of a column of the master file and, where no master file has the nonprofit,
/// of its latest return.
struct OfRow {
    column: &'static str,
    stated: Option<StatedValue>,
    derived: Option<&'static str>,
}

impl TracedNonprofit<'_> {
    /// Where the value of a key of details is from, or was looked for where it is `null`; `None` of a key that details
    /// do not have.
    pub fn of(&self, key: &str, value: &Value) -> Option<Provenance<'_>> {
        let found = self.sought(key)?;
        Some(match value {
            Value::Null => Provenance { derived: None, ..found },
            _ => Provenance { missing: None, ..found },
        })
    }

    /// Where a value is from, and why it is not known if it is not.
    // Longer than 70 lines because it is a table, with a row for each key of an answer.
    fn sought(&self, key: &str) -> Option<Provenance<'_>> {
        let organization = &self.organization;
        let origins = &organization.origins;
        let row = |column, stated, derived| self.of_row(&OfRow { column, stated, derived });
        let curated = |column| self.of_own_source(SourceKind::Curated, column, None);
        let approved = |column, derived| self.of_own_source(SourceKind::Approvals, column, derived);
        Some(match key {
            "ntee" => match origins.ntee {
                Origin::Approval { .. } => approved("Nteecode", None),
                _ => row("NTEE_CD", None, None),
            },
            "issueArea" => self.of_cause(
                "major group of the NTEE code",
                "derived: major group of the NTEE code nearest to what the column says",
            ),
            "foundation" => match organization.exemption.foundation {
                None if organization.finances.files_as_private_foundation() => {
                    row("PF_FILING_REQ_CD", None, Some("true for who has to file Form 990-PF"))
                }
                // What else says so is the form of its latest return.
                None if organization.is_private_foundation().is_some() => {
                    self.of_latest_form(Some("true for who files Form 990-PF"))
                }
                _ => row("FOUNDATION", None, Some("true for the codes 02, 03 and 04")),
            },
            "inactive" => self.revocation(),
            "formType" => match &organization.latest_filing {
                None if organization.finances.filing_duty().is_some() => {
                    let column = match organization.finances.files_as_private_foundation() {
                        true => "PF_FILING_REQ_CD",
                        false => "FILING_REQ_CD",
                    };
                    row(column, None, Some("the form that has to be filed"))
                }
                _ => self.of_latest_form(None),
            },
            "irsFilingUrl" => match self.filings.first() {
                _ if matches!(origins.latest_filing, Origin::Index { .. }) => {
                    self.indexed("OBJECT_ID")
                }
                Some(filing) => self.in_return(filing, Some("by the number in the file's name")),
                None => self.unlisted(SourceKind::Returns, None),
            },
            "filingYear" => self.sourced(
                origins.tax_period,
                &OfRow {
                    column: "TAX_PERIOD",
                    stated: Some(StatedValue::PeriodEnd),
                    derived: Some("year in which the latest tax period ended"),
                },
            ),
            "revenueGrandTotal" => self.sourced(
                origins.revenue,
                &OfRow { column: "REVENUE_AMT", stated: Some(StatedValue::Revenue), derived: None },
            ),
            "netAssets" => self.of_returns(origins.net_assets, StatedValue::NetAssets, None),
            "yearFounded" => match origins.year_formed {
                Origin::Approval { .. } => approved("Incorporateddate", Some("its year")),
                origin => self.of_returns(origin, StatedValue::YearFormed, None),
            },
            "summary" => match origins.summary {
                Origin::Overlay { .. } => curated("summary"),
                Origin::Approval { .. } => approved("Mission", Some("in sentence case")),
                origin => self.of_returns(origin, StatedValue::Mission, Some("in sentence case")),
            },
            "url" => match origins.website {
                Origin::Overlay { .. } => curated("url"),
                Origin::Postcard { source } => self.listed(SourceKind::Postcard, source, "website"),
                Origin::Approval { .. } => approved("Orgurl", Some("as a whole address")),
                origin => self.of_returns(origin, StatedValue::Website, Some("as a whole address")),
            },
            "impactSummary" => match origins.impact_summary {
                Origin::Overlay { .. } => curated("impactSummary"),
                _ => self.impact_summary(),
            },
            "alt_name" => match origins.alt_name {
                Origin::Overlay { .. } => curated("alt_name"),
                Origin::Postcard { source } => {
                    self.listed(SourceKind::Postcard, source, "doing business as")
                }
                Origin::Return(_) => self.of_returns(
                    origins.alt_name,
                    StatedValue::DoingBusinessAs,
                    Some("in title case"),
                ),
                Origin::Row | Origin::Approval { .. } | Origin::Index { .. } => {
                    row("SORT_NAME", None, Some("in title case"))
                }
            },
            "sdgs" => match origins.sdgs {
                Origin::Overlay { .. } => curated("sdgs"),
                _ => self.of_cause(
                    "goals that the NTEE code stands for",
                    "derived: goals of the NTEE code nearest to what the column says",
                ),
            },
            _ => {
                let mut rows = OF_COLUMNS.rows::<4>();
                let [_, source, column, how] = rows.find(|[member, ..]| *member == key)?;
                let derived = Some(how).filter(|how| !how.is_empty());
                match SourceKind::named(source)? {
                    SourceKind::MasterFile => row(column, stated_as(column), derived),
                    kind => self.of_own_source(kind, column, derived),
                }
            }
        })
    }

    /// The source at a position of the manifest.
    fn source(&self, at: u32) -> Option<&Summary> {
        self.sources.get(at as usize)
    }

    /// The latest source of a kind, where none has the nonprofit.
    fn of_kind(&self, kind: SourceKind) -> Option<&Summary> {
        super::standing::latest(self.sources, kind)
    }

    /// Why a value is not known that a kind of source would give and none has given.
    fn unlisted(&self, kind: SourceKind, column: Option<&'static str>) -> Provenance<'_> {
        let source = self.of_kind(kind);
        let missing = if source.is_some() { Missing::NotListed } else { Missing::NotLoaded };
        Provenance { column, missing: Some(missing), ..Provenance::within(kind, source) }
    }

    fn of_row(&self, rule: &OfRow) -> Provenance<'_> {
        let Organization { exemption, origins, address, .. } = &self.organization;
        let Listing::Row { source } = exemption.listings.master_file else {
            let whole = (0..).zip(&self.filings).find(|(_, filing)| filing.is_whole());
            return match (rule.stated, whole, exemption.listings.revocations) {
                (Some(stated), Some((at, _)), _) => {
                    self.of_returns(Origin::Return(at), stated, rule.derived)
                }
                // Only the revocation list has it.
                (_, None, Listing::Row { source }) if revocation_column(rule.column).is_some() => {
                    Provenance {
                        column: revocation_column(rule.column),
                        derived: rule.derived,
                        ..Provenance::within(SourceKind::RevocationList, self.source(source))
                    }
                }
                _ => self.unlisted(SourceKind::MasterFile, Some(rule.column)),
            };
        };
        let is_abroad = address.state.is_none() && address.zip.is_none();
        let missing = match rule.column {
            column if origins.unreadable.iter().any(|known| known == column) => Missing::Unreadable,
            "STATE" | "ZIP" if is_abroad => Missing::Withheld,
            _ => Missing::NotFiled,
        };
        Provenance {
            column: Some(rule.column),
            derived: rule.derived,
            missing: Some(missing),
            ..Provenance::within(SourceKind::MasterFile, self.source(source))
        }
    }

    /// A figure that the row and the latest return may both give.
    fn sourced(&self, origin: Origin, rule: &OfRow) -> Provenance<'_> {
        match (origin, rule.stated) {
            (Origin::Return(_), Some(stated)) => self.of_returns(origin, stated, rule.derived),
            _ => {
                let period = self.organization.origins.row_period;
                Provenance { period, ..self.of_row(rule) }
            }
        }
    }

    /// What a return states.
    fn of_returns(
        &self,
        origin: Origin,
        stated: StatedValue,
        derived: Option<&'static str>,
    ) -> Provenance<'_> {
        let Origin::Return(at) = origin else {
            // Nobody said it: the latest return that has it unreadable is shown, else the latest.
            let unreadable = self
                .filings
                .iter()
                .find(|filing| filing.stating(stated).any(|element| element.is_unreadable));
            // An extract has figures alone.
            let may_state = |filing: &&Filing| {
                filing.is_whole() || extract::column(filing.form, stated).is_some()
            };
            return match unreadable.or_else(|| self.filings.iter().find(may_state)) {
                Some(filing) => self.stated(filing, stated, derived),
                None => self.unlisted(SourceKind::Returns, None),
            };
        };
        match self.filings.get(usize::from(at)) {
            Some(filing) => self.stated(filing, stated, derived),
            None => self.unlisted(SourceKind::Returns, None),
        }
    }

    /// The form of the latest return, by that return or, where it was not read, by the index.
    fn of_latest_form(&self, derived: Option<&'static str>) -> Provenance<'_> {
        match &self.organization.latest_filing {
            Some(filing) if filing.tax_period() != self.organization.origins.return_period => {
                Provenance { derived, ..self.indexed("RETURN_TYPE") }
            }
            _ => self.of_returns(Origin::Return(0), StatedValue::Form, derived),
        }
    }

    fn stated<'a>(
        &'a self,
        filing: &'a Filing,
        stated: StatedValue,
        derived: Option<&'static str>,
    ) -> Provenance<'a> {
        let is_unreadable = filing.stating(stated).any(|element| element.is_unreadable);
        let column = extract::column(filing.form, stated).filter(|_| !filing.is_whole());
        Provenance {
            column,
            paths: filing.stating(stated).filter_map(|one| efile::xpath(&one.at)).collect(),
            missing: Some(if is_unreadable { Missing::Unreadable } else { Missing::NotFiled }),
            ..self.in_return(filing, derived)
        }
    }

    fn in_return<'a>(
        &'a self,
        filing: &'a Filing,
        derived: Option<&'static str>,
    ) -> Provenance<'a> {
        let kind = if filing.is_whole() { SourceKind::Returns } else { SourceKind::Extract };
        Provenance {
            filing: Some(filing),
            period: filing.tax_period(),
            derived,
            ..Provenance::within(kind, self.source(filing.source))
        }
    }

    /// Sentences of what programmes accomplished.
    fn impact_summary(&self) -> Provenance<'_> {
        let Some(filing) = self.filings.iter().find(|filing| filing.is_whole()) else {
            return self.unlisted(SourceKind::Returns, None);
        };
        let summary = self.organization.impact_summary.as_deref().unwrap_or_default();
        let sentences = || crate::impact::sentences(summary);
        let stating = (0..).zip(&filing.programs).filter(|(_, program)| {
            sentences().any(|sentence| program.description.contains(sentence.trim()))
        });
        let paths = stating
            .flat_map(|(at, _)| filing.stating(StatedValue::Program(at)))
            .filter_map(|one| efile::xpath(&one.at))
            .collect();
        let derived = Some("the most telling sentences, in sentence case");
        Provenance { paths, ..self.in_return(filing, derived) }
    }

    /// Whether it is inactive; by no row of the revocation list as much as by one.
    fn revocation(&self) -> Provenance<'_> {
        let exemption = &self.organization.exemption;
        let column = Some("revocation and reinstatement dates");
        let entry = exemption.revocation.as_ref();
        let row_date = entry.map(|entry| entry.reinstated.unwrap_or(entry.revoked));
        let (source, derived) = match exemption.listings.revocations {
            Listing::NotLoaded => return self.unlisted(SourceKind::RevocationList, column),
            Listing::Absent => (self.of_kind(SourceKind::RevocationList), "not in the list"),
            Listing::Row { source } => {
                (self.source(source), "in the list; false where a reinstatement followed")
            }
        };
        let within = Provenance::within(SourceKind::RevocationList, source);
        Provenance { column, row_date, derived: Some(derived), ..within }
    }

    /// In a source that has the nonprofit.
    fn listed(&self, kind: SourceKind, source: u32, column: &'static str) -> Provenance<'_> {
        Provenance { column: Some(column), ..Provenance::within(kind, self.source(source)) }
    }

    /// What only one kind of source says: a list or the operator.
    fn of_own_source(
        &self,
        kind: SourceKind,
        column: &'static str,
        derived: Option<&'static str>,
    ) -> Provenance<'_> {
        let is_of_kind = |at: &u32| self.source(*at).is_some_and(|source| source.kind == kind);
        match self.organization.own_sources().find(is_of_kind) {
            Some(source) => Provenance { derived, ..self.listed(kind, source, column) },
            None => self.unlisted(kind, Some(column)),
        }
    }
}

/// The column of the revocation list that says what a column of the master file does.
fn revocation_column(column: &str) -> Option<&'static str> {
    Some(match column {
        "EIN" => "EIN",
        "NAME" => "LEGAL_NAME",
        "SORT_NAME" => "DOING_BUSINESS_AS_NAME",
        "STREET" => "ADDRESS",
        "CITY" => "CITY",
        "STATE" => "STATE",
        "ZIP" => "ZIP",
        _ => return None,
    })
}
