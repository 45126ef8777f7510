//! Candidates for a row, gathered from the index of names and compared part by part.

use super::address::{ZipPart, ZipReading};
use super::features::{
    BestNames, CandidateView, Features, Fit, NAMESAKES_MAX, PlaceFit, Standing, best_names,
    features,
};
use super::model::RowFeatures;
use super::query::{Location, ParsedRow, Query, RowName};
use super::street::Street;
use super::{MatchError, Register};
use crate::index::names::{Name, Question, terms};
use crate::record::{Ein, OrgId, Organization};

/// Candidates that are gathered by the name and its place, by the name alone, by another name.
const GATHERED_PLACED: usize = 20;
const GATHERED_ANYWHERE: usize = 10;
const GATHERED_BY_OTHER: usize = 8;
/// Those of exactly a name that are compared before others are looked for.
const GATHERED_EQUAL: usize = 24;
/// Candidates whose records are read, the most alike.
const KEPT_MAX: usize = 8;
/// What a place adds to the similarity of names while candidates are chosen.
const PLACE_SHARE: f32 = 0.07;
/// What the row's EIN adds to it: more than anything else.
const EIN_VALUE: f32 = 10.0;
/// Those at the address of the row that are compared, whatever their names.
const GATHERED_AT_ADDRESS: usize = 24;
/// What the address adds to the similarity of names while candidates are chosen.
const ADDRESS_VALUE: f32 = 0.4;
/// Those of exactly a name that are looked through for a part of a ZIP code.
const GATHERED_FOR_PART: usize = 256;
/// Organizations of one legal name from which on it is that of a body with chapters: `Rotary International`.
const CHAPTERS_MIN: usize = 8;
/// Places that returns name, the latest ones.
pub(super) const FILED_PLACES_MAX: usize = 4;

/// How far candidates are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SearchDepth {
    /// All plausible organizations, for a person to choose among.
    Full,
    /// Only those with exactly the legal name and the row's ZIP code and street, if there is one;
    /// otherwise as above. For decisions that nobody reviews.
    ExactFirst,
}

/// A candidate as it compares with a row.
#[derive(Debug)]
pub struct Compared {
    pub org: OrgId,
    pub ein: Ein,
    pub features: Features,
    pub of_row: [f32; super::OF_ROW - 2],
    pub(super) organization: Organization,
    pub(super) names: BestNames,
    pub(super) place: PlaceFit,
    pub(super) standing: Standing,
    /// Whether it is by a sort name or a name it does business as that it is alike.
    pub(super) is_by_other_name: bool,
    /// Whether that may be the name of its host: the sort name of a subordinate of a group is often that of its
    /// college or school.
    pub(super) may_be_host: bool,
}

/// A row read, and its candidates in the order of their similarity.
#[derive(Debug)]
pub(super) struct Comparison {
    pub row: ParsedRow,
    /// Whose the EIN of the row is, if anybody's in the data.
    pub ein_owner: Option<OrgId>,
    pub candidates: Vec<Compared>,
}

/// Gathers and compares.
pub(super) fn comparison(
    register: Register<'_>,
    query: &Query,
    depth: SearchDepth,
    accepts: &dyn Fn(OrgId) -> bool,
) -> Result<Comparison, MatchError> {
    let row = ParsedRow::read(query, register.names)?;
    let ein_owner = match row.ein.ein() {
        Some(ein) => register.columns.org_of(ein)?,
        None => None,
    };
    let gathered = || {
        let (seen, similar) = (Vec::new(), Vec::new());
        Gathered { register, row: &row, ein_owner, accepts, seen, similar }
    };
    if depth == SearchDepth::ExactFirst {
        let decisive = gathered().decisive()?;
        let has_street = !row.location.street.is_empty();
        if decisive.iter().any(|one| !has_street || one.place.has_same_address()) {
            return Ok(Comparison { row, ein_owner, candidates: decisive });
        }
    }
    let mut gathered = gathered();
    gathered.gather()?;
    let mut similar = gathered.similar;
    similar.sort_by(|a, b| b.value.total_cmp(&a.value).then(a.org.cmp(&b.org)));
    similar.truncate(KEPT_MAX);
    let mut candidates = Vec::with_capacity(similar.len());
    for one in similar {
        candidates.push(compared(register, &row, one)?);
    }
    Ok(Comparison { row, ein_owner, candidates })
}

/// A candidate of which only the index was asked.
struct Similar<'a> {
    org: OrgId,
    /// How alike names and places are: for choosing whose records are read.
    value: f32,
    view: CandidateView<'a>,
    names: BestNames,
    /// Whether it has exactly the name and the ZIP code of the row.
    is_settled: bool,
}

impl Similar<'_> {
    /// Whether it is settled by its legal name: another name may be that of its host.
    fn is_decisive(&self) -> bool {
        self.is_settled && self.view.names[self.names.found].0 == Name::Legal
    }
}

/// The candidates that a row's names and EIN lead to.
struct Gathered<'a> {
    register: Register<'a>,
    row: &'a ParsedRow,
    ein_owner: Option<OrgId>,
    accepts: &'a dyn Fn(OrgId) -> bool,
    seen: Vec<OrgId>,
    similar: Vec<Similar<'a>>,
}

impl Gathered<'_> {
    /// Those of exactly a legal name of the row that have its ZIP code. A row with an EIN may mean whose that is.
    fn decisive(mut self) -> Result<Vec<Compared>, MatchError> {
        let row = self.row;
        for name in row.names.iter().filter(|_| row.ein.ein().is_none()) {
            for org in self.register.names.organizations_named(&name.form.terms, GATHERED_EQUAL)? {
                self.add(org)?;
            }
        }
        let decisive = self.similar.into_iter().filter(Similar::is_decisive);
        decisive.map(|one| compared(self.register, row, one)).collect()
    }

    fn gather(&mut self) -> Result<(), MatchError> {
        let row = self.row;
        if let Some(owner) = self.ein_owner {
            self.add(owner)?;
        }
        let place = row.place_text();
        for (at, name) in row.names.iter().enumerate() {
            if !place.is_empty() {
                self.search(&format!("{}{place}", name.text), GATHERED_PLACED)?;
                // Searching the country as well would take as long again, for nothing: who has this
                // name there is found already.
                if self.similar.iter().any(|one| one.is_settled) {
                    return Ok(());
                }
            }
            let k = if at == 0 { GATHERED_ANYWHERE } else { GATHERED_BY_OTHER };
            self.search(&name.text, k)?;
            if let ZipReading::Part(part) = row.location.zip {
                self.by_part(name, part)?;
            }
        }
        self.by_address()
    }

    /// Those at the house or the box of the row: of other names, as whoever was renamed.
    fn by_address(&mut self) -> Result<(), MatchError> {
        let Location { street, zip, .. } = &self.row.location;
        let Some(zip) = zip.whole() else { return Ok(()) };
        let addresses = self.register.addresses;
        for key in street.keys(zip) {
            for org in addresses.of(key)?.take(GATHERED_AT_ADDRESS) {
                self.add(org)?;
                let found = self.similar.iter_mut().find(|one| one.org == org);
                found.into_iter().for_each(|one| one.value += ADDRESS_VALUE);
            }
        }
        Ok(())
    }

    /// Those of exactly a name whose ZIP code may be the one of which the row has a part.
    fn by_part(&mut self, name: &RowName, part: ZipPart) -> Result<(), MatchError> {
        for org in self.register.names.organizations_named(&name.form.terms, GATHERED_FOR_PART)? {
            let listed = self.register.names.listed(org)?;
            let mut zips = listed.region.iter().filter_map(|region| region.parse().ok());
            if zips.any(|zip| part.may_be(zip)) {
                self.add(org)?;
            }
        }
        Ok(())
    }

    fn search(&mut self, text: &str, k: usize) -> Result<(), MatchError> {
        let question = Question { accepts: self.accepts, ..Question::of(text) };
        for org in self.register.names.candidates(&question, k)? {
            self.add(org)?;
        }
        Ok(())
    }

    fn add(&mut self, org: OrgId) -> Result<(), MatchError> {
        if self.seen.contains(&org) || !(self.accepts)(org) {
            return Ok(());
        }
        self.seen.push(org);
        let view = CandidateView::new(self.register.names.listed(org)?);
        let Some(names) = best_names(self.row, &view) else { return Ok(()) };
        let place = PlaceFit::of(&self.row.location, &view.locations[0]);
        let mut value = names.fit.similarity() + PLACE_SHARE * place.value();
        if self.ein_owner == Some(org) {
            value += EIN_VALUE;
        }
        let is_whole = self.row.location.zip.whole().is_some();
        let is_settled = names.fit.is_equal && is_whole && place.zip == Some(true);
        self.similar.push(Similar { org, value, view, names, is_settled });
        Ok(())
    }
}

/// Compares a candidate with all that its record says.
fn compared(
    register: Register<'_>,
    row: &ParsedRow,
    similar: Similar<'_>,
) -> Result<Compared, MatchError> {
    let Similar { org, mut view, names, .. } = similar;
    let organization = register.records.organization(org)?;
    view.locations[0].street =
        Street::of(organization.address.street.as_deref().unwrap_or_default());
    if organization.latest_filing.is_some() {
        let filings = register.records.filings(org)?;
        for filing in filings.iter().rev().take(FILED_PLACES_MAX) {
            let (street, city) = (filing.street.as_deref(), filing.city.as_deref());
            view.locations.push(Location::filed(street, city, filing.state, filing.zip));
        }
    }
    let places = view.locations.iter().map(|location| PlaceFit::of(&row.location, location));
    let nearest = places.reduce(|best, one| if one.value() > best.value() { one } else { best });
    let mut place = nearest.unwrap_or_default();
    // Abroad the master file has the country for a city.
    let country = organization.address.country.as_deref().map(terms).unwrap_or_default();
    if !country.is_empty() && row.location.city.iter().eq(country.iter()) {
        place.city = Some(true);
    }
    let form = &view.names[names.found].1;
    let equal = register.names.namesakes(&form.terms, NAMESAKES_MAX + 1)?;
    let standing = Standing {
        namesakes: equal.saturating_sub(1),
        is_in_group: organization.exemption.group.is_some(),
    };
    let mass: f32 = row.names[names.asked].form.terms.iter().map(|term| term.mass).sum();
    let location = &row.location;
    let of_row: RowFeatures = [
        mass / 10.0,
        f32::from(!location.street.is_empty()),
        f32::from(location.zip != ZipReading::Unknown || !location.city.is_empty()),
        f32::from(location.state.is_some()),
    ];
    let is_by_other_name = matches!(view.names[names.found].0, Name::Other(_));
    let may_be_host = is_by_other_name
        && standing.is_in_group
        && match view.body(names.found) {
            Some((body, true)) => {
                register.names.namesakes(&body.terms, CHAPTERS_MIN)? < CHAPTERS_MIN
            }
            _ => true,
        };
    Ok(Compared {
        is_by_other_name,
        may_be_host,
        org,
        ein: organization.ein,
        features: features(&Fit::of(row, &view, &names, &place, standing)),
        of_row,
        organization,
        names,
        place,
        standing,
    })
}
