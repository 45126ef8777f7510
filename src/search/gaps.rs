//! Parts of a question for which nothing is loaded: states without a master file, and values that no source
//! supplies. An answer names them, since "none matches" would otherwise be taken for "there is none".

use std::fmt;

use crate::places::{self, Division, UnknownPlace};
use crate::query::{Area, Choice, Figure, Filters, Flag};
use crate::record::State;
use crate::snapshot::{Coverage, Field, PendingVectors};

/// States that one message names; of more it gives the number.
const STATES_NAMED_MAX: usize = 3;

/// The subjects of filters that may not be loaded.
#[derive(Debug, Clone, Copy)]
enum Criterion {
    Range(Figure),
    Flag(Flag),
    Subsection,
    Choice(Choice),
}

impl Criterion {
    /// All criteria, in the order in which they are reported.
    fn all() -> impl Iterator<Item = Self> {
        let ranges = Figure::ALL.into_iter().map(Self::Range);
        let flags = Flag::ALL.into_iter().map(Self::Flag);
        flags.chain([Self::Subsection]).chain(ranges).chain(Choice::ALL.map(Self::Choice))
    }

    /// Whether the filters use it.
    fn is_in(self, filters: &Filters) -> bool {
        let Filters {
            subsections,
            flags,
            ranges,
            choices,
            // Of places the states are looked at; who has no code and no goal has none.
            areas: _,
            not_areas: _,
            eins: _,
            not_eins: _,
            admits_ceilings: _,
            sdgs: _,
            ntee_prefixes: _,
            not_ntee_prefixes: _,
        } = filters;
        match self {
            Self::Range(figure) => !ranges[figure].is_open(),
            Self::Flag(flag) => flags[flag].is_some(),
            Self::Subsection => !subsections.is_empty(),
            Self::Choice(choice) => choices.asked().any(|asked| asked == choice),
        }
    }

    /// The field that must be known; `None` where nothing is counted.
    fn field(self) -> Option<Field> {
        Some(match self {
            Self::Range(figure) => field_of(figure),
            Self::Flag(Flag::Inactive) => Field::Inactive,
            Self::Flag(Flag::Deductible) => Field::Deductible,
            Self::Flag(Flag::Foundation) => Field::Foundation,
            Self::Flag(Flag::Operating | Flag::Church) => Field::FoundationCode,
            Self::Flag(Flag::Form1023Ez) => Field::Approvals,
            Self::Flag(Flag::HasReturn) => Field::Returns,
            Self::Flag(Flag::Vetted) => Field::Vetted,
            Self::Flag(Flag::Video) => return None,
            Self::Subsection => Field::Subsection,
            Self::Choice(Choice::Size) => Field::Size,
        })
    }

    /// The clause for a figure that is loaded for no organization.
    fn clause(self) -> &'static str {
        match self {
            Self::Range(figure) => figure.definition().not_loaded,
            Self::Flag(flag) => flag.definition().not_loaded,
            Self::Subsection => "no list that is loaded has subsections",
            Self::Choice(choice) => choice.definition().not_loaded,
        }
    }
}

/// The fields that filters need known.
#[cfg(test)]
pub(super) fn fields() -> impl Iterator<Item = Field> {
    Criterion::all().filter_map(Criterion::field)
}

/// The field that says whether a flag is known of anybody.
pub(super) fn field_of_flag(flag: Flag) -> Option<Field> {
    Criterion::Flag(flag).field()
}

/// The field that says whether a figure is known of anybody.
pub(super) fn field_of(figure: Figure) -> Field {
    match figure {
        Figure::Revenue => Field::Revenue,
        Figure::Expenses => Field::Expenses,
        Figure::Assets => Field::Assets,
        Figure::Employees => Field::Employees,
        Figure::Score => Field::Score,
        Figure::Rating => Field::Rating,
        Figure::RulingYear => Field::Ruling,
    }
}

/// Unknown cities and counties that an answer names: each costs a look at every place of the country.
pub const UNKNOWN_PLACES_MAX: usize = 10;

/// The cities and counties of areas that the gazetteer does not have, each once, at most [`UNKNOWN_PLACES_MAX`].
pub fn unknown_places<'a>(areas: impl IntoIterator<Item = &'a Area>) -> Vec<UnknownPlace> {
    let mut unknown: Vec<UnknownPlace> = Vec::new();
    for Area { state, county, city, .. } in areas {
        let names = [(Division::County, county), (Division::City, city)];
        for (division, name) in names {
            let Some(name) = name.as_deref() else { continue };
            let is_told = |one: &UnknownPlace| {
                (one.division, &*one.name, one.state) == (division, name, *state)
            };
            if unknown.len() < UNKNOWN_PLACES_MAX && !unknown.iter().any(is_told) {
                unknown.extend(UnknownPlace::of(division, name, *state));
            }
        }
    }
    unknown
}

/// The parts of a question that are not loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gaps {
    /// A bit for each [`State::index`].
    states: u64,
    /// A bit for each of [`Criterion::all`].
    fields: u32,
    /// Whether words were asked for whose meaning is not searched yet.
    meaning: Option<VectorProgress>,
}

/// Vectors that a build still makes, in percent of the work; `None` if no build is running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct VectorProgress(Option<u8>);

impl Gaps {
    /// The filters that a snapshot does not cover.
    pub fn of(filters: &Filters, coverage: &Coverage) -> Self {
        let state_of = |zip| places::zip(zip).map(|place| place.state);
        let states = filters
            .areas
            .iter()
            .filter_map(|area| area.state.or_else(|| area.zip.and_then(state_of)))
            .filter(|state| !coverage.has_state(*state))
            .fold(0, |states, state| states | 1 << state.index());
        let is_missing =
            |asked: Criterion| asked.field().is_some_and(|field| !coverage.has_field(field));
        let fields = (0..)
            .zip(Criterion::all())
            .filter(|(_, asked)| asked.is_in(filters) && is_missing(*asked))
            .fold(0, |fields, (at, _)| fields | 1 << at);
        Self { states, fields, meaning: None }
    }

    /// The same for a question with words, on a snapshot that may still lack its vectors.
    pub fn of_words(self, awaited: Option<PendingVectors>) -> Self {
        let percent = |share: f64| (share * 100.0) as u8;
        Self { meaning: awaited.map(|one| VectorProgress(one.share.map(percent))), ..self }
    }

    /// Whether everything asked for is loaded.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// States without a loaded master file.
    pub(super) fn states(self) -> impl Iterator<Item = State> {
        State::all().filter(move |state| self.states >> state.index() & 1 == 1)
    }

    fn criteria(self) -> impl Iterator<Item = Criterion> {
        (0..)
            .zip(Criterion::all())
            .filter(move |(at, _)| self.fields >> at & 1 == 1)
            .map(|(_, asked)| asked)
    }

    /// Values that no loaded source supplies.
    pub(super) fn fields(self) -> impl Iterator<Item = Field> {
        self.criteria().filter_map(Criterion::field)
    }

    /// Whether search by meaning is not ready yet.
    pub(super) fn awaits_meaning(self) -> bool {
        self.meaning.is_some()
    }

    /// One clause for each, without a full stop.
    pub fn clauses(self) -> Vec<String> {
        let names: Vec<&str> = self.states().map(State::name).collect();
        let states = match &names[..] {
            [] => None,
            [one] => Some(one.to_string()),
            [most @ .., last] if names.len() <= STATES_NAMED_MAX => {
                Some(format!("{} or {last}", most.join(", ")))
            }
            _ => Some(format!("{} of these states", names.len())),
        };
        let states = states.map(|states| {
            format!("no master file of {states} is loaded, so nonprofits there cannot be found")
        });
        let fields = self.criteria().map(|asked| asked.clause().to_owned());
        let meaning = self.meaning.map(|VectorProgress(percent)| match percent {
            Some(percent) => format!(
                "only words are compared so far: meaning is on its way, {percent} % is done"
            ),
            None => "only words are compared: the build that was to add meaning has stopped, and \
                     goes on when it is run again"
                .to_owned(),
        });
        states.into_iter().chain(fields).chain(meaning).collect()
    }
}

/// Codes of states and names of fields, with commas.
impl fmt::Display for Gaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states = self.states().map(State::code);
        let fields = self.criteria().filter_map(Criterion::field).map(Field::name);
        let meaning = self.meaning.map(|_| "meaning");
        for (at, name) in states.chain(fields).chain(meaning).enumerate() {
            if at > 0 {
                f.write_str(",")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{Flags, Range, Ranges};
    use crate::record::{Listing, Organization};

    /// Vermont by a master file, New York by a return alone; revenue is known of one.
    fn coverage() -> Coverage {
        let mut vermont = Organization::named("010000001".parse().unwrap(), "Alpha");
        vermont.address.state = "VT".parse().ok();
        vermont.exemption.listings.master_file = Listing::Row { source: 0 };
        vermont.finances.revenue = Some(crate::record::Usd::new(5));
        let mut york = Organization::named("010000002".parse().unwrap(), "Beta");
        york.address.state = "NY".parse().ok();
        york.exemption.listings.master_file = Listing::Absent;
        Coverage::of([&vermont, &york])
    }

    fn area(state: Option<&str>, zip: Option<&str>) -> Area {
        Area {
            state: state.and_then(|code| code.parse().ok()),
            zip: zip.and_then(|code| code.parse().ok()),
            ..Area::default()
        }
    }

    #[test]
    fn what_is_asked_for_and_not_loaded_is_named() {
        let coverage = coverage();
        let check = |filters: Filters, shown: &str, clauses: &[&str]| {
            let gaps = Gaps::of(&filters, &coverage);
            assert_eq!((gaps.to_string().as_str(), gaps.is_empty()), (shown, shown.is_empty()));
            let said = gaps.clauses();
            assert_eq!(said.len(), clauses.len(), "{said:?}");
            for (said, part) in said.iter().zip(clauses) {
                assert!(said.contains(part), "{said:?} has no {part:?}");
            }
        };
        let of = |areas: Vec<Area>| Filters { areas, ..Filters::default() };
        check(Filters::default(), "", &[]);
        let waits = |share| Gaps::default().of_words(Some(PendingVectors { share }));
        assert_eq!(waits(None).to_string(), "meaning");
        assert!(waits(None).clauses()[0].contains("has stopped"));
        assert!(waits(Some(0.426)).clauses()[0].contains("42 % is done"));
        assert!(Gaps::default().of_words(None).is_empty());
        check(of(vec![area(Some("VT"), None)]), "", &[]);
        check(of(vec![area(None, Some("05401"))]), "", &[]);
        let york = "no master file of New York is loaded";
        check(of(vec![area(Some("NY"), None)]), "NY", &[york]);
        check(of(vec![area(None, Some("10001"))]), "NY", &[york]);
        let some = [Some("VT"), Some("OH"), Some("NY")].map(|state| area(state, None));
        check(of(some.to_vec()), "NY,OH", &["of New York or Ohio is"]);
        let many = ["NY", "OH", "ME", "NH"].map(|state| area(Some(state), None));
        check(of(many.to_vec()), "ME,NH,NY,OH", &["of 4 of these states is"]);
        let above = Range { min: Some(1.0), max: None };
        check(
            Filters { ranges: Ranges::of(Figure::Revenue, above), ..Filters::default() },
            "",
            &[],
        );
        let filters = Filters {
            flags: Flags::from([(Flag::Inactive, false)]),
            ranges: Ranges::of(Figure::Employees, above),
            areas: vec![area(Some("NY"), None)],
            ..Filters::default()
        };
        check(filters, "NY,inactive,employees", &[york, "revocation list", "employees"]);
    }

    #[test]
    fn each_unknown_place_is_told_once() {
        let of = |county: &str, city: Option<&str>| Area {
            county: Some(county.to_owned()),
            city: city.map(str::to_owned),
            ..area(Some("VT"), None)
        };
        let areas = [
            of("Addison", Some("Burlington")),
            of("Adison", Some("Burlingtn")),
            of("Rutland", Some("Burlingtn")),
        ];
        let unknown = unknown_places(&areas);
        let names: Vec<_> = unknown.iter().map(|one| (one.division, one.name.as_str())).collect();
        assert_eq!(names, [(Division::County, "Adison"), (Division::City, "Burlingtn")]);
        assert_eq!(unknown[0].nearest[0].name, "Addison");
        let many: Vec<Area> = (0..30).map(|at| of(&format!("Adison {at}"), None)).collect();
        assert_eq!(unknown_places(&many).len(), UNKNOWN_PLACES_MAX);
    }
}
