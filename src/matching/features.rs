//! What speaks for a candidate and what against it, as numbers that the model weighs.

use std::borrow::Cow;

use super::address::ZipReading;
use super::name::{NameFit, NameForm, compare};
use super::query::{Location, ParsedRow};
use super::street::StreetFit;
use crate::index::names::{Listed, Name};
use crate::record::Organization;

/// The features of a candidate, in the order of the model's coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Feature {
    /// Share of the mass of both names that both have.
    Similarity,
    /// What of that is above 0.5, and above 0.8.
    SimilarityAboveHalf,
    SimilarityAboveMost,
    /// Whether the names are the same terms.
    Equal,
    /// The mass of equal names, a tenth.
    EqualMass,
    /// The mass that both names have, a tenth.
    SharedMass,
    /// Share and mass (a tenth) of the asked name that the found one lacks.
    OpenAsked,
    OpenAskedMass,
    /// The same of the found one.
    OpenFound,
    OpenFoundMass,
    /// Share of what one name has and the other's place says.
    InPlace,
    /// Share lost to misspellings and short forms.
    Misspelt,
    InOrder,
    Begins,
    /// Shared pairs of letters.
    Characters,
    Cut,
    NumberDiffers,
    NumberOpen,
    DirectionDiffers,
    DirectionOpen,
    /// The row names a related body (a foundation, an auxiliary) of the same name; the candidate is one.
    KinAsked,
    KinFound,
    /// The same where the house or box is the same.
    KinSameStreet,
    /// The names differ in words of what kind of body it is only.
    FormOnly,
    /// Terms that only one of the names has, a tenth.
    OpenTerms,
    Initials,
    /// Whether it is by another name of the row that they are alike; how alike the first one is.
    OtherAsked,
    FirstSimilarity,
    /// How alike the least alike name of the row is with any.
    LeastSimilarity,
    /// Whether it is by another name than the legal one; by one on a return; by a website's host.
    OtherFound,
    /// That where no part of the place below the state is the same.
    OtherFoundUnplaced,
    FiledFound,
    HostFound,
    StateSame,
    /// Another state and not near; another state and near.
    StateDiffers,
    StateNeighbour,
    ZipSame,
    /// Other ZIP codes of the same sectional center (three digits).
    ZipNear,
    /// The logarithm of the miles between the ZIP codes, a tenth.
    Distance,
    CitySame,
    CityDiffers,
    StreetSame,
    /// The same street with another number.
    StreetNear,
    StreetDiffers,
    UnitSame,
    UnitDiffers,
    BoxSame,
    BoxDiffers,
    /// What the names lack of being alike where the house is the same, and where the state is another.
    UnlikeSameStreet,
    UnlikeElsewhere,
    /// The same where nothing but the ZIP code is the same.
    UnlikeSameZip,
    /// The mass of equal names, a tenth, where the state is another; where nobody else has the name.
    EqualElsewhere,
    EqualUnique,
    /// Whether the names are equal and the street, the box or the ZIP code is the same.
    EqualPlaced,
    /// The logarithm of how many others have exactly this name, and that where no part of the place below
    /// the state is the same.
    Namesakes,
    NamesakesUnplaced,
    Weight,
    Charity,
    /// Whether it has a group exemption number, and that where the state is another: subordinates give the
    /// address of the central organization.
    Group,
    GroupElsewhere,
}

/// How many features there are.
pub const FEATURES: usize = Feature::GroupElsewhere as usize + 1;

/// A candidate's features.
pub type Features = [f32; FEATURES];

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

fn of_kind(holds: bool) -> f32 {
    f32::from(u8::from(holds))
}

/// The features of a candidate.
pub(super) fn features(
    row: &ParsedRow,
    candidate: &CandidateView<'_>,
    names: &BestNames,
    place: &PlaceFit,
    standing: Standing,
) -> Features {
    let mut features = [0.0; FEATURES];
    let mut set = |feature: Feature, value: f32| features[feature as usize] = value;
    of_names(&mut set, &names.fit);
    set(Feature::OtherAsked, of_kind(!row.names[names.asked].is_first));
    set(Feature::FirstSimilarity, names.first_similarity);
    set(Feature::LeastSimilarity, names.least_similarity);
    let found_name = candidate.names[names.found].0;
    let by_other = matches!(found_name, Name::Other(_));
    set(Feature::OtherFound, of_kind(by_other));
    set(Feature::OtherFoundUnplaced, of_kind(by_other && !place.is_placed()));
    set(Feature::FiledFound, of_kind(matches!(found_name, Name::Filed(_))));
    set(Feature::HostFound, of_kind(found_name == Name::Host));
    of_place(&mut set, place);
    let unlike = 1.0 - names.fit.similarity();
    set(Feature::UnlikeSameStreet, unlike * of_kind(place.has_same_address()));
    let is_elsewhere = place.is_elsewhere();
    let only_zip = place.zip == Some(true) && !place.has_same_address();
    let equal_mass = of_kind(names.fit.is_equal) * names.fit.shared / 10.0;
    let has_kin = names.fit.kin_asked || names.fit.kin_found;
    set(Feature::UnlikeElsewhere, unlike * of_kind(is_elsewhere));
    set(Feature::UnlikeSameZip, unlike * of_kind(only_zip));
    set(Feature::EqualElsewhere, equal_mass * of_kind(is_elsewhere));
    set(Feature::EqualUnique, equal_mass * of_kind(standing.namesakes == 0));
    set(Feature::KinSameStreet, of_kind(has_kin && place.has_same_address()));
    let is_near = place.has_same_address() || place.zip == Some(true);
    set(Feature::EqualPlaced, of_kind(names.fit.is_equal && is_near));
    let namesakes = (1.0 + standing.namesakes as f32).ln();
    set(Feature::Namesakes, namesakes);
    set(Feature::NamesakesUnplaced, namesakes * of_kind(!place.is_placed()));
    set(Feature::Weight, candidate.weight);
    set(Feature::Charity, of_kind(candidate.is_charity));
    set(Feature::Group, of_kind(standing.is_in_group));
    set(Feature::GroupElsewhere, of_kind(standing.is_in_group && is_elsewhere));
    features
}

fn of_names(set: &mut impl FnMut(Feature, f32), fit: &NameFit) {
    let share = |mass: f32, whole: f32| mass / whole.max(f32::MIN_POSITIVE);
    let shared = fit.shared + fit.lost;
    set(Feature::Similarity, fit.similarity());
    set(Feature::SimilarityAboveHalf, (fit.similarity() - 0.5).max(0.0));
    set(Feature::SimilarityAboveMost, (fit.similarity() - 0.8).max(0.0));
    set(Feature::Equal, of_kind(fit.is_equal));
    set(Feature::EqualMass, of_kind(fit.is_equal) * fit.shared / 10.0);
    set(Feature::SharedMass, fit.shared / 10.0);
    set(Feature::OpenAsked, share(fit.open_asked, fit.open_asked + shared));
    set(Feature::OpenAskedMass, fit.open_asked / 10.0);
    set(Feature::OpenFound, share(fit.open_found, fit.open_found + shared));
    set(Feature::OpenFoundMass, fit.open_found / 10.0);
    set(Feature::InPlace, share(fit.in_place, fit.in_place + shared));
    set(Feature::Misspelt, share(fit.lost, shared));
    set(Feature::InOrder, fit.in_order);
    set(Feature::Begins, of_kind(fit.begins));
    set(Feature::Characters, fit.characters);
    set(Feature::Cut, of_kind(fit.is_cut));
    set(Feature::NumberDiffers, of_kind(fit.number_differs));
    set(Feature::NumberOpen, of_kind(fit.number_open));
    set(Feature::DirectionDiffers, of_kind(fit.direction_differs));
    set(Feature::DirectionOpen, of_kind(fit.direction_open));
    set(Feature::KinAsked, of_kind(fit.kin_asked));
    set(Feature::KinFound, of_kind(fit.kin_found));
    set(Feature::FormOnly, of_kind(fit.form_only));
    set(Feature::OpenTerms, fit.open_terms as f32 / 10.0);
    set(Feature::Initials, of_kind(fit.is_initials));
}

fn of_place(set: &mut impl FnMut(Feature, f32), place: &PlaceFit) {
    let street = &place.street;
    let is_same_street = street.is_same_street();
    set(Feature::StateSame, of_kind(place.state == Some(true)));
    let differs = place.state == Some(false);
    set(Feature::StateDiffers, of_kind(differs && !place.is_neighbour()));
    set(Feature::StateNeighbour, of_kind(differs && place.is_neighbour()));
    set(Feature::ZipSame, of_kind(place.zip == Some(true)));
    set(Feature::ZipNear, of_kind(place.zip_near));
    set(Feature::Distance, place.miles.map_or(0.0, |miles| miles.ln_1p() as f32 / 10.0));
    set(Feature::CitySame, of_kind(place.city == Some(true)));
    set(Feature::CityDiffers, of_kind(place.city == Some(false)));
    set(Feature::StreetSame, of_kind(street.is_same()));
    set(Feature::StreetNear, of_kind(is_same_street && !street.is_same()));
    set(Feature::StreetDiffers, of_kind(street.street.is_some() && !is_same_street));
    set(Feature::UnitSame, of_kind(street.is_same() && street.unit == Some(true)));
    set(Feature::UnitDiffers, of_kind(street.is_same() && street.unit == Some(false)));
    set(Feature::BoxSame, of_kind(street.box_number == Some(true)));
    set(Feature::BoxDiffers, of_kind(street.box_number == Some(false)));
}
