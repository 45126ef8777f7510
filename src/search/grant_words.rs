//! The grants that a text asks for: those whose recipient and purpose have its words, in the singular or in the
//! plural, and those to nonprofits of the cause that it names; where it names a place, those to recipients there.

use super::SearchError;
use crate::index::columns::{Bitmap, Majors};
use crate::index::grants::Filter;
use crate::query::{Area, Filters};
use crate::record::{Grant, State};
use crate::snapshot::Snapshot;
use crate::understand::{
    Frame, Lookup, NamedPlace, Names as _, decode, number_forms, tag, without_fillers,
};

/// Words of a text of which neighbours may be written as one.
const JOINED_WORDS_MAX: usize = 6;

/// The grants that a text asks for, whatever else is asked of them.
pub(super) fn of_text(snapshot: &Snapshot, text: &str) -> Result<Bitmap<Grant>, SearchError> {
    let mut found = with_words(snapshot, text)?;
    if let Some(asked) = Described::read(snapshot, text)? {
        found.union(&asked.select(snapshot)?);
    }
    Ok(found)
}

/// The grants that have all words of a text but fillers, each in any number.
fn with_words(snapshot: &Snapshot, text: &str) -> Result<Bitmap<Grant>, SearchError> {
    let telling = without_fillers(text);
    let mut found = snapshot.grant_words.all_of_forms(&telling, number_forms)?;
    // `food bank` is also written `foodbank`.
    let words: Vec<&str> = telling.split(' ').collect();
    for at in 1..words.len().min(JOINED_WORDS_MAX) {
        let one = words[at - 1..=at].concat();
        let joined = [&words[..at - 1], &[&*one], &words[at + 1..]].concat();
        found.union(&snapshot.grant_words.all_of_forms(&joined.join(" "), number_forms)?);
    }
    Ok(found)
}

/// Keeps of a set the grants to nonprofits whose NTEE codes begin with any of some prefixes.
pub(super) fn keep_causes(
    snapshot: &Snapshot,
    set: &mut Bitmap<Grant>,
    prefixes: &[String],
) -> Result<(), SearchError> {
    let majors = Majors::of(prefixes);
    let of_majors = Filter { recipient_majors: Some(&majors.letters), ..Filter::default() };
    set.intersect(&snapshot.grants.select(&of_majors)?);
    if !majors.are_whole {
        let organizations = snapshot.columns.organizations();
        let mut recipients = snapshot.grants.recipients(set, organizations)?;
        snapshot.columns.keep_ntee(&mut recipients, prefixes)?;
        snapshot.grants.keep_recipients(set, &recipients)?;
    }
    Ok(())
}

/// How a text describes recipients, beside its bare words.
struct Described {
    /// What they do, as it is compared; `None` where only a place is named.
    words: Option<String>,
    /// Prefixes of the NTEE codes of that, where it is one term.
    ntee: Vec<String>,
    /// Any of these.
    places: Vec<NamedPlace>,
}

impl Described {
    /// `None` where the text names a nonprofit, or asks for more than a cause and a place.
    fn read(snapshot: &Snapshot, text: &str) -> Result<Option<Self>, SearchError> {
        let names = Lookup::of(snapshot);
        // `University of Kentucky`: no university in Kentucky.
        let whole = names.named(text)?;
        if whole.sure_by_all().is_some() {
            return Ok(None);
        }
        let frame = decode(text, &tag(text), None, &names)?.heard.frame;
        let rest = Frame { places: Vec::new(), ..frame.without_cause() };
        let Frame { text: words, cause_ntee, cause_is_term, places, .. } = frame;
        let asked = Self { words, ntee: cause_ntee, places };
        let asked = if cause_is_term { asked } else { Self { ntee: Vec::new(), ..asked } };
        let tells_more = !asked.ntee.is_empty() || !asked.places.is_empty();
        Ok((rest.is_empty() && tells_more).then_some(asked))
    }

    fn select(&self, snapshot: &Snapshot) -> Result<Bitmap<Grant>, SearchError> {
        let grants = &snapshot.grants;
        let mut found = match &self.words {
            Some(words) => with_words(snapshot, words)?,
            None => Bitmap::all(grants.count()),
        };
        if !self.ntee.is_empty() {
            let mut of_cause = Bitmap::all(grants.count());
            keep_causes(snapshot, &mut of_cause, &self.ntee)?;
            found.union(&of_cause);
        }
        if !self.places.is_empty() {
            found.intersect(&self.placed(snapshot)?);
        }
        Ok(found)
    }

    /// The grants to recipients in any of the places: of a state by the place in the return, of a part of one by that
    /// of the nonprofit that the recipient is linked to.
    fn placed(&self, snapshot: &Snapshot) -> Result<Bitmap<Grant>, SearchError> {
        let grants = &snapshot.grants;
        let areas = || self.places.iter().flat_map(|place| &place.areas);
        let mut found = Bitmap::none(grants.count());
        for state in areas().filter_map(whole_state) {
            let there = Filter { recipient_state: Some(state), ..Filter::default() };
            found.union(&grants.select(&there)?);
        }
        let parts: Vec<Area> =
            areas().filter(|area| whole_state(area).is_none()).cloned().collect();
        if !parts.is_empty() {
            let filters = Filters { areas: parts, ..Filters::default() };
            let mut there = Bitmap::all(grants.count());
            grants.keep_recipients(&mut there, &snapshot.columns.select(&filters)?.matching)?;
            found.union(&there);
        }
        Ok(found)
    }
}

/// The state that an area is the whole of.
fn whole_state(area: &Area) -> Option<State> {
    let state = area.state?;
    (*area == Area { state: Some(state), ..Area::default() }).then_some(state)
}
