//! Figures of an organization that can be cited: each with the period that it is of, and the list or the return that
//! states it. Figures of one organization may be of several periods.

use crate::record::{Filing, Form, Listing, Month, Organization, Origin, Origins, Usd, filing_url};
use crate::sources::Summary;

/// Where the IRS describes and offers the master file.
const MASTER_FILE_PAGE: &str = "https://www.irs.gov/charities-non-profits/exempt-organizations-business-master-file-extract-eo-bmf";

/// Where a figure is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// Last day (`2025-06-30`) or month (`2025-06`) of the tax period; `None` where its row does not say.
    pub period_end: Option<String>,
    /// The form, or the file of the list with the day as of which it speaks.
    pub source: String,
    /// The same without the file: what figures of many rows have in common.
    pub kind: String,
    /// Address of the return in XML, or of the list's page; `None` where the number of the return is not known.
    pub url: Option<String>,
}

/// A figure of an organization: whole US dollars, but for employees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedFigure {
    /// `revenue`, `expenses`, `assets`, `net_assets` or `employees`.
    pub name: &'static str,
    pub value: i64,
    pub citation: Citation,
}

impl CitedFigure {
    /// The figures that are known; `filings` are the organization's, the latest first.
    pub fn all(organization: &Organization, filings: &[Filing], sources: &[Summary]) -> Vec<Self> {
        let Organization { finances, origins, .. } = organization;
        let dollars = |value: Option<Usd>| value.map(Usd::dollars);
        let Origins { revenue, expenses, assets, net_assets, employees, .. } = origins;
        let figures = [
            ("revenue", dollars(finances.revenue), *revenue),
            ("expenses", dollars(finances.expenses), *expenses),
            ("assets", dollars(finances.assets), *assets),
            ("net_assets", dollars(finances.net_assets), *net_assets),
            ("employees", finances.employees.map(i64::from), *employees),
        ];
        let cited = figures.into_iter().filter_map(|(name, value, origin)| {
            let citation = Citation::of(organization, origin, filings, sources);
            Some(Self { name, value: value?, citation })
        });
        cited.collect()
    }

    /// Whether none of the figures is from a return.
    pub fn are_of_list(organization: &Organization) -> bool {
        let Origins { revenue, expenses, assets, net_assets, employees, .. } =
            &organization.origins;
        let is_listed = matches!(organization.exemption.listings.master_file, Listing::Row { .. });
        let origins = [revenue, expenses, assets, net_assets, employees];
        is_listed && origins.iter().all(|origin| !matches!(origin, Origin::Return(_)))
    }

    /// The figures of one return that are known.
    pub fn of_return(filing: &Filing) -> Vec<Self> {
        let dollars = |value: Option<Usd>| value.map(Usd::dollars);
        let figures = [
            ("revenue", dollars(filing.revenue)),
            ("expenses", dollars(filing.expenses)),
            ("assets", dollars(filing.assets)),
            ("net_assets", dollars(filing.net_assets)),
            ("employees", filing.employees.map(i64::from)),
        ];
        let cited = figures.into_iter().filter_map(|(name, value)| {
            Some(Self { name, value: value?, citation: Citation::of_return(filing) })
        });
        cited.collect()
    }
}

impl Citation {
    fn of(
        organization: &Organization,
        origin: Origin,
        filings: &[Filing],
        sources: &[Summary],
    ) -> Self {
        let filing = match (origin, organization.exemption.listings.master_file) {
            (Origin::Return(at), _) => filings.get(usize::from(at)),
            (_, Listing::Row { source }) => {
                let list = sources.get(source as usize);
                return Self::of_list(organization.origins.row_period, list);
            }
            // Of an organization that no master file has, its latest return.
            _ => filings.first(),
        };
        filing.map_or_else(|| Self::of_list(None, None), Self::of_return)
    }

    fn of_return(filing: &Filing) -> Self {
        let form: Form = filing.form;
        Self {
            period_end: Some(filing.period_end.to_string()),
            source: format!("Form {}", form.name()),
            kind: format!("Form {}", form.name()),
            url: filing.object_id.as_deref().map(filing_url),
        }
    }

    fn of_list(period: Option<Month>, list: Option<&Summary>) -> Self {
        let dated = |name: fn(&Summary) -> &str| match list {
            None => "not known".to_owned(),
            Some(list) => match list.vintage() {
                Some(vintage) => format!("{} {vintage}", name(list)),
                None => name(list).to_owned(),
            },
        };
        Self {
            period_end: period.map(|month| format!("{}-{:02}", month.year(), month.month())),
            source: dated(|list| &list.name),
            kind: dated(|list| list.kind.name()),
            url: list.map(|_| MASTER_FILE_PAGE.to_owned()),
        }
    }
}
