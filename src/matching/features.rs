//! What speaks for a candidate and what against it, as numbers that the model weighs.

use std::borrow::Cow;

use super::address::ZipReading;
use super::name::{NameFit, NameForm, compare};
use super::query::{Location, ParsedRow};
use super::street::StreetFit;
use crate::index::names::{Listed, Name};
use crate::model::features;
use crate::record::Organization;

features! { one: Fit<'_> =>
    /// Share of the mass of both names that both have.
    Similarity = one.names.similarity(),
    /// What of that is above 0.5, and above 0.8.
    SimilarityAboveHalf = (one.names.similarity() - 0.5).max(0.0),
    SimilarityAboveMost = (one.names.similarity() - 0.8).max(0.0),
    /// Whether the names are the same terms.
    Equal = one.names.is_equal,
    /// The mass of equal names, a tenth.
    EqualMass = one.equal_mass(),
    /// The mass that both names have, a tenth.
    SharedMass = one.names.shared / 10.0,
    /// Share and mass (a tenth) of the asked name that the found one lacks.
    OpenAsked = one.share(one.names.open_asked),
    OpenAskedMass = one.names.open_asked / 10.0,
    /// The same of the found one.
    OpenFound = one.share(one.names.open_found),
    OpenFoundMass = one.names.open_found / 10.0,
    /// Share of what one name has and the other's place says.
    InPlace = one.share(one.names.in_place),
    /// Share lost to misspellings and short forms.
    Misspelt = one.names.lost / (one.names.shared + one.names.lost).max(f32::MIN_POSITIVE),
    InOrder = one.names.in_order,
    Begins = one.names.begins,
    /// Shared pairs of letters.
    Characters = one.names.characters,
    Cut = one.names.is_cut,
    NumberDiffers = one.names.number_differs,
    NumberOpen = one.names.number_open,
    DirectionDiffers = one.names.direction_differs,
    DirectionOpen = one.names.direction_open,
    /// The row names a related body (a foundation, an auxiliary) of the same name; the candidate is one.
    KinAsked = one.names.kin_asked,
    KinFound = one.names.kin_found,
    /// The same where the house or box is the same.
    KinSameStreet = (one.names.kin_asked || one.names.kin_found) && one.place.has_same_address(),
    /// The names differ in words of what kind of body it is only.
    FormOnly = one.names.form_only,
    /// Terms that only one of the names has, a tenth.
    OpenTerms = one.names.open_terms as f32 / 10.0,
    Initials = one.names.is_initials,
    /// Whether it is by another name of the row that they are alike; how alike the first one is.
    OtherAsked = one.is_by_other_asked,
    FirstSimilarity = one.best.first_similarity,
    /// How alike the least alike name of the row is with any.
    LeastSimilarity = one.best.least_similarity,
    /// Whether it is by another name than the legal one; by one on a return; by a website's host.
    OtherFound = matches!(one.found_name, Name::Other(_)),
    /// That where no part of the place below the state is the same.
    OtherFoundUnplaced = matches!(one.found_name, Name::Other(_)) && !one.place.is_placed(),
    FiledFound = matches!(one.found_name, Name::Filed(_)),
    HostFound = one.found_name == Name::Host,
    StateSame = one.place.state == Some(true),
    /// Another state and not near; another state and near.
    StateDiffers = one.place.is_elsewhere(),
    StateNeighbour = one.place.state == Some(false) && one.place.is_neighbour(),
    ZipSame = one.place.zip == Some(true),
    /// Other ZIP codes of the same sectional center (three digits).
    ZipNear = one.place.zip_near,
    /// The logarithm of the miles between the ZIP codes, a tenth.
    Distance = one.place.miles.map_or(0.0, |miles| miles.ln_1p() as f32 / 10.0),
    CitySame = one.place.city == Some(true),
    CityDiffers = one.place.city == Some(false),
    StreetSame = one.street.is_same(),
    /// The same street with another number.
    StreetNear = one.street.is_same_street() && !one.street.is_same(),
    StreetDiffers = one.street.street.is_some() && !one.street.is_same_street(),
    UnitSame = one.street.is_same() && one.street.unit == Some(true),
    UnitDiffers = one.street.is_same() && one.street.unit == Some(false),
    BoxSame = one.street.box_number == Some(true),
    BoxDiffers = one.street.box_number == Some(false),
    /// What the names lack of being alike where the house is the same, and where the state is another.
    UnlikeSameStreet = one.unlike_where(one.place.has_same_address()),
    UnlikeElsewhere = one.unlike_where(one.place.is_elsewhere()),
    /// The same where nothing but the ZIP code is the same.
    UnlikeSameZip = one.unlike_where(one.place.zip == Some(true) && !one.place.has_same_address()),
    /// The mass of equal names, a tenth, where the state is another; where nobody else has the name.
    EqualElsewhere = one.equal_mass() * f32::from(one.place.is_elsewhere()),
    EqualUnique = one.equal_mass() * f32::from(one.standing.namesakes == 0),
    /// Whether the names are equal and the street, the box or the ZIP code is the same.
    EqualPlaced = one.names.is_equal
        && (one.place.has_same_address() || one.place.zip == Some(true)),
    /// The logarithm of how many others have exactly this name, and that where no part of the place below
    /// the state is the same.
    Namesakes = one.namesakes(),
    NamesakesUnplaced = one.namesakes() * f32::from(!one.place.is_placed()),
    Weight = one.candidate.weight,
    Charity = one.candidate.is_charity,
    /// Whether it has a group exemption number, and that where the state is another: subordinates give the
    /// address of the central organization.
    Group = one.standing.is_in_group,
    GroupElsewhere = one.standing.is_in_group && one.place.is_elsewhere(),
}

/// How far a neighbour is at most.
const NEIGHBOUR_MILES: f64 = 40.0;
/// Namesakes that are counted.
pub(super) const NAMESAKES_MAX: usize = 64;

/// What is known of a candidate, ready to be compared.
pub(super) struct CandidateView<'a> {
    /// Those of chapters after the one that is their body's.
    pub names: Vec<(Name, NameForm<'a>)>,
    pub place_words: Vec<Cow<'a, str>>,
    /// Where it is, and where its returns say it was.
    pub locations: Vec<Location<'a>>,
    pub weight: f32,
    pub is_charity: bool,
}

impl<'a> CandidateView<'a> {
    /// What the index of names knows of it: no street.
    pub fn new(listed: Listed<'a>) -> Self {
        let state = listed.region.iter().find_map(|region| region.parse().ok());
        let zip = listed.region.iter().find_map(|region| region.parse().ok());
        let zip = ZipReading::from(zip);
        let mut place_words: Vec<Cow<'a, str>> = listed.city.clone();
        place_words.extend(listed.county);
        if let Some(state) = state {
            let name: &str = crate::record::State::name(state);
            place_words.extend(crate::index::names::terms(name).into_iter().map(Cow::Owned));
        }
        let legal = listed.names.iter().find(|(name, _)| *name == Name::Legal);
        let sort_names = listed.names.iter().filter(|(name, _)| matches!(name, Name::Other(_)));
        let chapters = sort_names
            .filter_map(|(_, sort)| Some((Name::Legal, NameForm::of_chapter(&legal?.1, sort)?)));
        let chapters: Vec<_> = chapters.collect();
        let names = listed.names.into_iter().map(|(name, terms)| (name, NameForm::new(terms)));
        Self {
            names: names.chain(chapters).collect(),
            place_words,
            locations: vec![Location { city: listed.city, state, zip, ..Location::default() }],
            weight: listed.weight,
            is_charity: listed.is_active_charity,
        }
    }
}

impl CandidateView<'_> {
    /// Its legal name, and whether one of its names says itself that it is of a chapter of that body.
    pub fn body(&self, at: usize) -> Option<(&NameForm<'_>, bool)> {
        let (_, legal) = self.names.iter().find(|(name, _)| *name == Name::Legal)?;
        Some((legal, self.names[at].1.is_of_chapter(legal)))
    }
}

/// The names of both that are most alike.
#[derive(Debug, Clone, Copy)]
pub(super) struct BestNames {
    /// Positions among the names of the row and of the candidate.
    pub asked: usize,
    pub found: usize,
    pub fit: NameFit,
    /// How alike the name of the row itself is with any, and the least alike of all its names.
    pub first_similarity: f32,
    pub least_similarity: f32,
}

/// Compares every name of a row with every name of a candidate.
pub(super) fn best_names(row: &ParsedRow, candidate: &CandidateView<'_>) -> Option<BestNames> {
    let mut best: Option<BestNames> = None;
    let (mut first_similarity, mut least_similarity) = (0.0_f32, 1.0_f32);
    let mut is_other_chapter = false;
    for (at, name) in row.names.iter().enumerate() {
        let mut most = 0.0_f32;
        for (along, (_, form)) in candidate.names.iter().enumerate() {
            let fit = compare((&name.form, &row.place_words), (form, &candidate.place_words));
            is_other_chapter |= fit.number_differs && form.has_chapter_number();
            most = most.max(fit.similarity());
            let value = (fit.similarity(), fit.shared);
            if best.is_none_or(|best| value > (best.fit.similarity(), best.fit.shared)) {
                let (first_similarity, least_similarity) = (0.0, 0.0);
                let (asked, found) = (at, along);
                best = Some(BestNames { asked, found, fit, first_similarity, least_similarity });
            }
        }
        if name.is_first {
            first_similarity = first_similarity.max(most);
        }
        least_similarity = least_similarity.min(most);
    }
    best.map(|mut best| {
        // Of a body's name alone it is not seen that the chapter is another one.
        if is_other_chapter && best.fit.number_open {
            (best.fit.number_open, best.fit.number_differs) = (false, true);
        }
        BestNames { first_similarity, least_similarity, ..best }
    })
}

/// How two places compare.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct PlaceFit {
    pub state: Option<bool>,
    pub zip: Option<bool>,
    pub zip_near: bool,
    /// Miles between the ZIP codes where they differ.
    pub miles: Option<f64>,
    pub city: Option<bool>,
    pub street: StreetFit,
}

impl PlaceFit {
    /// Compares two places.
    pub fn of(asked: &Location<'_>, found: &Location<'_>) -> Self {
        let both = asked.zip.whole().zip(found.zip.whole());
        let differ = both.is_some_and(|(one, other)| one != other);
        // A part that fits says something, one that does not says that it was a part of something else.
        let is_part = match (asked.zip, found.zip.whole()) {
            (ZipReading::Part(part), Some(zip)) => part.may_be(zip).then_some(true),
            _ => None,
        };
        let miles = || Some(asked.point()?.distance_miles(found.point()?));
        Self {
            state: asked.state.zip(found.state).map(|(one, other)| one == other),
            zip: both.map(|(one, other)| one == other).or(is_part),
            zip_near: both
                .is_some_and(|(one, other)| differ && one.pack() / 100 == other.pack() / 100),
            miles: differ.then(miles).flatten(),
            city: same_city(&asked.city, &found.city),
            street: asked.street.fit(&found.street),
        }
    }

    /// Compares the place of a row with what a record says now.
    pub fn of_record(asked: &Location<'_>, organization: &Organization) -> Self {
        let address = &organization.address;
        let (street, city) = (address.street.as_deref(), address.city.as_deref());
        let found = Location::filed(street, city, address.state, address.zip);
        Self::of(asked, &found)
    }

    /// Whether it is within what people commute.
    fn is_neighbour(&self) -> bool {
        self.miles.is_some_and(|miles| miles <= NEIGHBOUR_MILES)
    }

    /// Whether it is of another state and not near.
    pub fn is_elsewhere(&self) -> bool {
        self.state == Some(false) && !self.is_neighbour()
    }

    /// Whether anything below the state is the same.
    pub fn is_placed(&self) -> bool {
        self.zip == Some(true) || self.city == Some(true) || self.has_same_address()
    }

    /// Whether the ZIP code, the street or the box is another.
    pub fn is_another_address(&self) -> bool {
        let street = &self.street;
        let is_another_street = street.street.is_some() && !street.is_same();
        self.zip == Some(false)
            || !self.has_same_address() && (is_another_street || street.box_number == Some(false))
    }

    /// Whether house or box are the same.
    pub fn has_same_address(&self) -> bool {
        self.street.is_same() || self.street.box_number == Some(true)
    }

    /// How near: for choosing among the places of one candidate.
    pub fn value(&self) -> f32 {
        let points = [
            (self.has_same_address(), 4.0),
            (self.zip == Some(true), 2.0),
            (self.city == Some(true), 1.0),
            (self.zip_near, 0.5),
            (self.state == Some(true), 0.5),
            (self.state == Some(false), -1.0),
        ];
        points.iter().filter(|(holds, _)| *holds).map(|(_, points)| points).sum()
    }
}

/// Whether two cities are the same, by terms; a found one may be known in two spellings.
fn same_city(asked: &[Cow<'_, str>], found: &[Cow<'_, str>]) -> Option<bool> {
    if asked.is_empty() || found.is_empty() {
        return None;
    }
    let (one, other) = (asked.concat(), found.concat());
    let most = crate::naming::edits_max(one.chars().count().min(other.chars().count()));
    let is_spelled_alike = || crate::naming::edits(&one, &other, most).is_some();
    Some(asked.iter().all(|term| found.contains(term)) || is_spelled_alike())
}

/// Features that are known only with the record of a candidate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Standing {
    /// Others that have exactly its name.
    pub namesakes: usize,
    pub is_in_group: bool,
}

/// How a candidate fits a row.
pub(super) struct Fit<'a> {
    best: &'a BestNames,
    names: &'a NameFit,
    /// Whether the name of the row is another one than its first.
    is_by_other_asked: bool,
    found_name: Name,
    place: &'a PlaceFit,
    street: &'a StreetFit,
    candidate: &'a CandidateView<'a>,
    standing: Standing,
}

impl<'a> Fit<'a> {
    pub fn of(
        row: &ParsedRow,
        candidate: &'a CandidateView<'a>,
        best: &'a BestNames,
        place: &'a PlaceFit,
        standing: Standing,
    ) -> Self {
        let is_by_other_asked = !row.names[best.asked].is_first;
        let found_name = candidate.names[best.found].0;
        let (names, street) = (&best.fit, &place.street);
        Self { best, names, is_by_other_asked, found_name, place, street, candidate, standing }
    }

    /// A mass as a share of it and of what the names have in common.
    fn share(&self, mass: f32) -> f32 {
        mass / (mass + (self.names.shared + self.names.lost)).max(f32::MIN_POSITIVE)
    }

    fn equal_mass(&self) -> f32 {
        f32::from(self.names.is_equal) * self.names.shared / 10.0
    }

    fn unlike_where(&self, holds: bool) -> f32 {
        (1.0 - self.names.similarity()) * f32::from(holds)
    }

    fn namesakes(&self) -> f32 {
        (1.0 + self.standing.namesakes as f32).ln()
    }
}
