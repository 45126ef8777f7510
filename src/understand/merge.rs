//! Frames as filters on columns, and explicit parameters that override them.

use super::area;
use super::frame::{Frame, NameUse, NamedPlace};
use crate::places;
use crate::query::{Area, Figure, Filters, Range};
use crate::record::{SdgSet, State};

impl Frame {
    /// The filters on every row.
    pub fn filters(&self) -> Filters {
        let Self {
            places,
            not_places,
            ranges,
            sdgs,
            ntee,
            not_ntee,
            not_eins,
            choices,
            subsections,
            flags,
            eins,
            among,
            organization,
            // Words that names may not have become EINs; the rest ranks or orders.
            not_names: _,
            cause: _,
            text: _,
            cause_ntee: _,
            cause_is_term: _,
            sort: _,
        } = self;
        let areas =
            |places: &[NamedPlace]| places.iter().flat_map(|p| p.areas.iter().cloned()).collect();
        // A model for similar nonprofits is not a filter.
        let itself = organization.as_ref().filter(|found| found.wanted == NameUse::Similar);
        let left_out = not_eins.iter().copied();
        Filters {
            subsections: subsections.clone(),
            flags: *flags,
            eins: if eins.is_empty() { among } else { eins }.clone(),
            not_eins: itself.and_then(|found| found.ein).into_iter().chain(left_out).collect(),
            areas: areas(places),
            not_areas: areas(not_places),
            ranges: *ranges,
            // “Under $50,000” includes the club that files the e-postcard, too.
            admits_ceilings: ranges[Figure::Revenue].max.is_some(),
            sdgs: *sdgs,
            ntee_prefixes: ntee.clone(),
            not_ntee_prefixes: not_ntee.clone(),
            choices: choices.clone(),
        }
    }

    /// What of it another frame does not ask for, cause, name and order aside.
    #[must_use]
    pub fn filters_beyond(&self, before: &Self) -> Self {
        fn new<T: Clone + PartialEq>(own: &[T], before: &[T]) -> Vec<T> {
            if own == before { Vec::new() } else { own.to_vec() }
        }
        let mut ranges = self.ranges;
        for (figure, range) in ranges.iter_mut() {
            if *range == before.ranges[figure] {
                *range = Range::default();
            }
        }
        let mut flags = self.flags;
        for (flag, asked) in before.flags.iter() {
            if flags[flag] == asked {
                flags[flag] = None;
            }
        }
        let is_new = |code: &&String| !before.not_ntee.contains(code);
        Self {
            places: new(&self.places, &before.places),
            not_places: new(&self.not_places, &before.not_places),
            ranges,
            flags,
            sdgs: if self.sdgs == before.sdgs { SdgSet::default() } else { self.sdgs },
            ntee: new(&self.ntee, &before.ntee),
            not_ntee: self.not_ntee.iter().filter(is_new).cloned().collect(),
            not_names: new(&self.not_names, &before.not_names),
            not_eins: self.not_eins.clone(),
            choices: self.choices.beyond(&before.choices),
            subsections: new(&self.subsections, &before.subsections),
            ..Self::default()
        }
    }

    /// The slots of `explicit`, and those of this frame where `explicit` has none; and the slots of this frame
    /// that are overruled by another value.
    #[must_use]
    pub fn overridden_by(&self, explicit: &Self) -> (Self, Vec<&'static str>) {
        // Parameters set no cause, name or order; a new field has to be added here.
        let Self {
            places,
            not_places: _,
            ranges,
            flags,
            sdgs,
            ntee,
            not_ntee: _,
            not_names: _,
            not_eins: _,
            choices,
            subsections,
            eins: _,
            among: _,
            organization: _,
            sort: _,
            cause: _,
            text: _,
            cause_ntee: _,
            cause_is_term: _,
        } = explicit;
        let (mut merged, mut overruled) = (self.clone(), Vec::new());
        let mut note = |slot, is_overruled: bool| overruled.extend(is_overruled.then_some(slot));
        if let [place] = &places[..] {
            merged.places = place_over(&self.places, place);
            // A wanted value is not excluded.
            let same =
                |other: &NamedPlace| other.areas.iter().any(|area| place.areas.contains(area));
            merged.not_places.retain(|other| !same(other));
            let is_narrowed = |place: &NamedPlace| {
                let is_city = |own: &NamedPlace| own.city.is_some() && own.city == place.city;
                let holds = |own: &NamedPlace| is_city(own) || own.is_state();
                self.places.iter().any(|own| holds(own) && own.state == place.state)
            };
            let is_other = merged.places != self.places && !merged.places.iter().all(is_narrowed);
            note("place", !self.places.is_empty() && is_other);
        }
        let overlaps = |a: &str, b: &str| {
            let (a, b) = (a.to_ascii_uppercase(), b.to_ascii_uppercase());
            a.starts_with(&b) || b.starts_with(&a)
        };
        merged.not_ntee.retain(|barred| !ntee.iter().any(|asked| overlaps(asked, barred)));
        for (figure, range) in merged.ranges.iter_mut() {
            let own = *range;
            *range = range_over(own, ranges[figure]);
            let is_lost = |own: Option<f64>, new| own.is_some() && own != new;
            note(figure.name(), is_lost(own.min, range.min) || is_lost(own.max, range.max));
        }
        if !sdgs.is_empty() {
            merged.sdgs = *sdgs;
        }
        note("goals", !self.sdgs.is_empty() && merged.sdgs != self.sdgs);
        note("codes", override_list(&mut merged.ntee, ntee));
        merged.choices = self.choices.overridden_by(choices);
        for choice in self.choices.asked() {
            let is_lost = merged.choices.names(choice) != self.choices.names(choice);
            note(choice.definition().short_name, is_lost);
        }
        note("subsection", override_list(&mut merged.subsections, subsections));
        merged.flags = self.flags.overridden_by(flags);
        for (flag, asked) in self.flags.asked() {
            note(flag.definition().slot, merged.flags[flag] != Some(asked));
        }
        (merged, overruled)
    }
}

/// Takes the explicit list, unless it is empty; whether it takes the place of others.
fn override_list<T: Clone + PartialEq>(own: &mut Vec<T>, asked: &[T]) -> bool {
    if asked.is_empty() {
        return false;
    }
    let had = std::mem::replace(own, asked.to_vec());
    !had.is_empty() && had != asked
}

/// Both explicit bounds; the other bound stays if the two leave anything.
fn range_over(own: Range, asked: Range) -> Range {
    if asked.is_open() {
        return own;
    }
    let joined = Range { min: asked.min.or(own.min), max: asked.max.or(own.max) };
    match (joined.min, joined.max) {
        (Some(min), Some(max)) if min > max => asked,
        _ => joined,
    }
}

/// The explicit place, refined by the understood one: `city=Columbus` and “in Ohio” are Columbus,
/// Ohio; `state=TX` and “in Houston” Houston, Texas.
fn place_over(own: &[NamedPlace], asked: &NamedPlace) -> Vec<NamedPlace> {
    let Some(area) = asked.areas.first() else { return own.to_vec() };
    match area.state {
        Some(state) if asked.is_state() => {
            let within: Vec<NamedPlace> =
                own.iter().filter_map(|place| place.within(state)).collect();
            if within.is_empty() { vec![asked.clone()] } else { within }
        }
        None if area.near.is_none() && area.zip.is_none() => match own {
            [place @ NamedPlace { state: Some(state), .. }] if place.is_state() => {
                vec![asked.within(*state).unwrap_or_else(|| asked.clone())]
            }
            _ => vec![asked.clone()],
        },
        _ => vec![asked.clone()],
    }
}

impl NamedPlace {
    /// Whether it is a whole state.
    pub(super) fn is_state(&self) -> bool {
        let is_whole = |area: &Area| {
            let only = Area { state: area.state, ..Area::default() };
            area.state.is_some() && *area == only
        };
        self.areas.len() == 1 && self.areas.iter().all(is_whole)
    }

    /// The state of the city that it lies around, as its name says.
    pub(super) fn state_of_center(&self) -> Option<State> {
        self.city.as_ref()?;
        self.name.rsplit_once(", ")?.1.parse().ok()
    }

    /// The part of it that a state has, or a city's namesake there.
    pub(super) fn within(&self, state: State) -> Option<Self> {
        let center = self.state.or_else(|| self.state_of_center());
        let has_city = |name: &str| places::has_city(&places::city_key(name), state);
        let has_county = |name: &str| places::county(&places::county_key(name), state).is_some();
        // `Iowa, the Des Moines area`: a circle around the city of that name there.
        if let Some(name) = self.city.as_deref().filter(|name| has_city(name))
            && center.is_some_and(|own| own != state)
            && let Some((_, miles)) = self.areas.iter().find_map(|area| area.near)
        {
            let mut place = area::city(&places::city_key(name), Some(state), Some(miles));
            // Of the circle what is in the state: a setting beside the query holds for every row.
            place.areas.iter_mut().for_each(|area| area.state = Some(state));
            return Some(place);
        }
        let part = |area: &Area| match area {
            Area { county: None, city: None, zip: None, near: None, .. } => None,
            // A circle lies where its centre does.
            Area { near: Some(_), .. } if center.is_some_and(|own| own != state) => None,
            Area { state: Some(own), city, .. }
                if *own != state && !city.as_deref().is_some_and(has_city) =>
            {
                None
            }
            _ => Some(Area { state: Some(state), ..area.clone() }),
        };
        let areas: Vec<Area> = self.areas.iter().filter_map(part).collect();
        let is_there = |area: &Area| {
            area.city.as_deref().is_none_or(has_city)
                && area.county.as_deref().is_none_or(has_county)
                && area.zip.and_then(places::zip).is_none_or(|known| known.state == state)
        };
        let base = self.name.split(", ").next().unwrap_or(&self.name);
        let name = format!("{base}, {state}");
        (!areas.is_empty() && areas.iter().all(is_there)).then(|| Self {
            areas,
            name,
            state: Some(state),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Ranges;
    use crate::record::Ein;

    #[test]
    fn what_a_frame_asks_beyond_another_is_only_what_is_new() {
        let least = |min| Ranges::of(Figure::Revenue, Range { min: Some(min), max: None });
        let before = Frame {
            cause: Some("shelters".into()),
            places: vec![state("NV")],
            not_ntee: vec!["X".into()],
            ranges: least(5.0),
            ..Frame::default()
        };
        assert!(before.filters_beyond(&before).is_empty());
        let after = Frame {
            places: vec![state("UT")],
            not_ntee: vec!["X".into(), "W30".into()],
            ranges: least(9.0),
            ..before.clone()
        };
        let beyond = Frame {
            places: vec![state("UT")],
            not_ntee: vec!["W30".into()],
            ranges: least(9.0),
            ..Frame::default()
        };
        assert_eq!(after.filters_beyond(&before), beyond);
        let ein: Ein = "530196605".parse().unwrap();
        let shown = Frame { among: vec![ein], ..before.clone() };
        assert_eq!(shown.filters().eins, [ein]);
    }

    fn state(code: &str) -> NamedPlace {
        let state: State = code.parse().unwrap();
        let areas = vec![Area { state: Some(state), ..Area::default() }];
        NamedPlace {
            areas,
            name: state.name().to_owned(),
            state: Some(state),
            ..NamedPlace::default()
        }
    }

    fn city(name: &str, code: Option<&str>) -> NamedPlace {
        let state = code.map(|code| code.parse().unwrap());
        let areas = vec![Area { city: Some(name.to_owned()), state, ..Area::default() }];
        NamedPlace { areas, name: name.to_owned(), city: Some(name.to_owned()), state, zip: None }
    }

    #[test]
    fn explicit_places_win_and_are_made_narrower() {
        for (own, asked, city_then, state_then, is_replaced) in [
            (state("WY"), state("OH"), None, Some("OH"), true),
            (state("OH"), city("Columbus", None), Some("Columbus"), Some("OH"), false),
            (state("OH"), city("Columbus", Some("OH")), Some("Columbus"), Some("OH"), false),
            (state("WY"), city("Columbus", None), Some("Columbus"), None, true),
            (city("Houston", Some("TX")), state("TX"), Some("Houston"), Some("TX"), false),
            (city("Portland", Some("OR")), state("ME"), Some("Portland"), Some("ME"), true),
            (city("Chicago", Some("IL")), state("VT"), None, Some("VT"), true),
            (city("Boise", Some("ID")), city("Reno", None), Some("Reno"), None, true),
        ] {
            let frame = Frame { places: vec![own], ..Frame::default() };
            let explicit = Frame { places: vec![asked], ..Frame::default() };
            let (merged, overruled) = frame.overridden_by(&explicit);
            assert_eq!(merged.city(), city_then);
            assert_eq!(merged.state().map(State::code), state_then);
            assert_eq!(overruled == ["place"], is_replaced, "{:?}", explicit.places);
        }
    }

    #[test]
    fn explicit_bounds_win() {
        let range = |min, max| Range { min, max };
        for (own, asked, expected) in [
            (range(Some(1.0), None), range(None, Some(5.0)), range(Some(1.0), Some(5.0))),
            (range(Some(9.0), None), range(None, Some(5.0)), range(None, Some(5.0))),
            (range(Some(1.0), Some(2.0)), range(Some(3.0), Some(4.0)), range(Some(3.0), Some(4.0))),
            (range(Some(1.0), Some(2.0)), Range::default(), range(Some(1.0), Some(2.0))),
        ] {
            assert_eq!(range_over(own, asked), expected);
        }
    }
}
