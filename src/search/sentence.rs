//! The sentence about an answer: how the query was read, and how many nonprofits match.

use super::called::is_called;
use super::chat::{help_beside, help_in};
use super::gaps::unknown_places;
use super::national::RegisteredElsewhere;
use super::nonprofits::NonprofitPage;
use super::relevance::RANKED_MAX;
use crate::naming;
use crate::reader::Language;
use crate::record::{Organization, counted, thousands};
use crate::taxonomy;
use crate::understand::{
    self, AlternativeReading, Frame, Interpretation, NameUse, NamedPlace, Step, described,
    has_stem, language_in_danger, states_of, tells,
};

/// Bytes of a word of the cause that is worth looking for in the rows.
const WORD_BYTES_MIN: usize = 5;
/// Rows that a sentence names.
const NAMED_MAX: usize = 3;

impl Interpretation {
    /// The sentence for a query that is a name and nothing else.
    fn naming(&self, found: &NonprofitPage) -> Option<String> {
        let named = self.frame.organization.as_ref()?;
        let mut rest = Frame { organization: None, ..self.frame.clone() };
        let places: Vec<NamedPlace> = match named.is_unheard_of() {
            true => {
                rest = rest.without_cause();
                std::mem::take(&mut rest.places)
            }
            false => Vec::new(),
        };
        let only = rest.is_empty();
        let is_told = named.wanted == NameUse::Itself || named.namesakes == 0;
        if !is_told || !only || self.step.is_some_and(|s| s != Step::New) {
            return None;
        }
        let asked = &named.name;
        let mut said = match (named.ein, named.namesakes) {
            (Some(ein), _) => {
                let also = named.other_name.as_ref();
                let also = also.map(|other| format!(", also called {other},")).unwrap_or_default();
                let first = found.first().filter(|row| row.ein == ein);
                let name = first.map_or_else(|| format!("{}, EIN {ein}", named.name), identified);
                let elsewhere = Self::registered_elsewhere(asked, found);
                let elsewhere = elsewhere.map(|it| format!("; {it}")).unwrap_or_default();
                format!("{name}{also} comes first, then similar nonprofits{elsewhere}")
            }
            (None, 0) => Self::nearest_to(asked, &places, found),
            (None, _) if Self::registered_elsewhere(asked, found).is_some() => {
                Self::nearest_to(asked, &places, found)
            }
            (None, _) if found.first().is_some_and(|first| !is_called(first, asked)) => {
                Self::nearest_to(asked, &places, found)
            }
            (None, count) => {
                let first = found.first().map(|row| format!(": {}", identified(row)));
                let first = first.unwrap_or_default();
                match count {
                    1 => format!("Probably meant by “{asked}”{first}"),
                    _ => {
                        let several = understand::counted(count);
                        format!("“{asked}” may mean {several}; the likeliest comes first{first}")
                    }
                }
            }
        };
        said.push('.');
        said.push_str(&self.alternative_sentence(found));
        Some(said)
    }

    /// Who is asked for and registered elsewhere; a body of the place may have the name where its list is loaded.
    fn registered_elsewhere(asked: &str, found: &NonprofitPage) -> Option<RegisteredElsewhere> {
        let asked = naming::normalise(asked);
        let begins = |first: &Organization| naming::normalise(&first.name).starts_with(&asked);
        let is_of_place = found.first().is_some_and(begins);
        found.plan.elsewhere.filter(|elsewhere| !elsewhere.is_loaded || !is_of_place)
    }

    /// The row that comes nearest to a name that nobody in the data surely has.
    fn nearest_to(asked: &str, places: &[NamedPlace], found: &NonprofitPage) -> String {
        let fits = found.plan.nearby_fit > 0 || found.plan.fit.is_some_and(|fit| fit.count > 0);
        if let Some(elsewhere) = Self::registered_elsewhere(asked, found) {
            let nearest = found.first().map(identified);
            let nearest = nearest.map(|first| format!("; nearest by name here: {first}"));
            return format!("{elsewhere}{}", nearest.unwrap_or_default());
        }
        let elsewhere = found.plan.states_if_partial.map(|count| {
            let states = counted(count as u64, "state or territory", "states and territories");
            format!("; only the lists of {states} are loaded, so it may be registered elsewhere")
        });
        let elsewhere = elsewhere.unwrap_or_default();
        if let Some(nearest) = found.first().filter(|_| fits) {
            let nearest_is_it = is_called(nearest, asked);
            let nearest = identified(nearest);
            return match nearest_is_it {
                true => format!("Probably meant by “{asked}”: {nearest}"),
                false => {
                    format!("No nonprofit here is called “{asked}”; nearest: {nearest}{elsewhere}")
                }
            };
        }
        let begins = |first: &&Organization| {
            naming::normalise(&first.name).starts_with(&naming::normalise(asked))
        };
        let states = states_of(places);
        let is_there = |first: &&Organization| {
            first.address.state.is_some_and(|state| states.contains(&state))
        };
        if let Some(first) = found.first().filter(begins).filter(is_there) {
            return format!("Probably meant by “{asked}”: {}", identified(first));
        }
        let place = match places.is_empty() {
            true => String::new(),
            false => format!(" in {}", understand::named_places(places)),
        };
        let nobody = match found.first().is_some_and(|first| is_called(first, asked)) {
            true => format!("No nonprofit here is clearly “{asked}”"),
            false => format!("No name has all the words of “{asked}”"),
        };
        format!("{nobody}; the nearest{place} come first{elsewhere}")
    }

    /// Words of the cause, as it was typed, that no row of the first page has in its names, its code or its mission.
    pub(super) fn unmatched(&self, found: &NonprofitPage) -> Vec<&str> {
        let fits = found.plan.nearby_fit > 0 || found.plan.fit.is_some_and(|fit| fit.count > 0);
        let cause = self.frame.text.as_deref().filter(|_| fits && found.first().is_some());
        let texts: Vec<String> = found.rows.iter().map(|hit| words_of(&hit.organization)).collect();
        let is_matched = |word: &str| texts.iter().any(|text| has_stem(text, word));
        let words = cause.into_iter().flat_map(|cause| cause.split(' '));
        let typed = self.frame.cause.as_deref().unwrap_or_default();
        words
            .filter(|word| has_stem(typed, word))
            .filter(|word| word.len() >= WORD_BYTES_MIN && tells(word) && !is_matched(word))
            .collect()
    }

    /// What else may be meant.
    fn alternative_sentence(&self, found: &NonprofitPage) -> String {
        let is_first = |ein| found.first().is_some_and(|first| first.ein == ein);
        match &self.heard.alternative {
            Some(AlternativeReading::Name(one)) if is_first(one.ein) => String::new(),
            Some(AlternativeReading::Name(one)) => {
                format!(" It may also name {} (EIN {}).", one.name, one.ein)
            }
            Some(AlternativeReading::Kind(query)) => format!(" It may also mean “{query}”."),
            None => String::new(),
        }
    }

    /// The cause, behind a name that nobody surely has: both rank.
    fn ranked_words(&self) -> Option<String> {
        let cause = self.frame.cause.as_deref()?;
        let named = self.frame.organization.as_ref().filter(|named| {
            named.wanted == NameUse::Itself && named.ein.is_none() && !named.asked.contains(cause)
        });
        Some(named.map_or(cause.to_owned(), |named| format!("{} {cause}", named.asked)))
    }

    /// Which rows fit the cause, and what each of them satisfies; `None` where no fit is known.
    fn fit_clause(&self, found: &NonprofitPage) -> Option<String> {
        let (cause, fit) = (self.ranked_words()?, found.plan.fit?);
        // Where the list ends with what fits, more satisfies the filters.
        let matches = found.plan.matches;
        if found.sorted.is_some() || matches + found.plan.nearby_fit == 0 {
            return None;
        }
        let conditions = described(&Frame { cause: None, ..self.frame.clone() });
        let is_flag = |said: &String| self.frame.flags.descriptions().any(|flag| flag == *said);
        let of = |nonprofits: &str| match &conditions[..] {
            [] => nonprofits.to_owned(),
            // `14 nonprofits, private foundations only`.
            [first, ..] if is_flag(first) => format!("{nonprofits}, {}", conditions.join(", ")),
            _ => format!("{nonprofits} {}", conditions.join(", ")),
        };
        let all = of(&counted(matches, "nonprofit", "nonprofits"));
        // Who bears the words as a name may be in another state.
        let state = self.frame.state();
        let first = found.rows.first().and_then(|row| row.organization.address.state);
        let around = match (state, first) {
            (Some(own), Some(first)) if own != first => "elsewhere",
            _ => "nearby or elsewhere in the state",
        };
        Some(match (fit.count, found.plan.nearby_fit) {
            (0, 0) if fit.close > 0 => {
                format!("No name or code among {all} clearly matches “{cause}”; closest")
            }
            (0, 0) if found.plan.nearby > 0 => {
                format!("Of {all}, none comes close to “{cause}”; what may fit is {around}")
            }
            (0, 0) => format!("Of {all}, none comes close to “{cause}”"),
            (0, _) if matches == 0 => {
                format!("{} is on file; best matches for “{cause}” {around}", of("No nonprofit"))
            }
            (0, _) => format!("Of {all}, none clearly fits “{cause}”; best matches {around}"),
            (_, 0) => format!("Best matches for “{cause}” among {all}"),
            (..) => format!("Best matches for “{cause}” among {all} and {around}"),
        })
    }

    /// How many rows fit the cause where they are sorted by something else, and what each of them satisfies; `None` where
    /// none surely fits.
    fn sorted_clause(&self, found: &NonprofitPage) -> Option<String> {
        let is_sure = found.plan.fit.is_none_or(|fit| fit.count > 0);
        let sorted = found.sorted.filter(|sorted| is_sure && *sorted > 0)?;
        let cause = self.ranked_words()?;
        let conditions = described(&Frame { cause: None, ..self.frame.clone() }).join("; ");
        Some(match found.plan.fit.filter(|fit| fit.count < sorted) {
            Some(fit) => {
                let listed = counted(sorted, "nonprofit comes", "nonprofits come");
                let clearly = thousands(fit.count);
                format!("{listed} close to “{cause}” ({clearly} clearly): {conditions}")
            }
            None => {
                let fitting = counted(sorted, "nonprofit fits", "nonprofits fit");
                format!("{fitting} “{cause}”: {conditions}")
            }
        })
    }

    /// The names of the first rows that fit, or come close where none does, where they are the first of all.
    fn first_that_fit(found: &NonprofitPage) -> String {
        let fit = found.plan.fit.map_or(0, |fit| fit.count) + found.plan.nearby_fit;
        let fit = if fit == 0 { found.plan.fit.map_or(0, |fit| fit.close) } else { fit };
        let rows = found.rows.iter().filter(|_| found.skipped == 0);
        let names: Vec<String> =
            rows.take(NAMED_MAX.min(fit as usize)).map(|hit| located(&hit.organization)).collect();
        match &names[..] {
            [] if fit > 0 => " come first".to_owned(),
            [] => String::new(),
            _ => {
                format!(": {}", names.join("; "))
                    + if (names.len() as u64) < fit { " and others" } else { "" }
            }
        }
    }

    /// What no row shows, what is not loaded, overruled, not understood or not known.
    fn push_remarks(&self, sentence: &mut String, found: &NonprofitPage) {
        let unmatched = self.unmatched(found);
        if !unmatched.is_empty() {
            let words: Vec<String> = unmatched.iter().map(|word| format!("“{word}”")).collect();
            let words = words.join(" or ");
            sentence.push_str(&format!(". No name, code or mission shown has {words}"));
        }
        for clause in found.plan.gaps.clauses() {
            sentence.push_str(&format!("; {clause}"));
        }
        let areas = self.frame.places.iter().flat_map(|place| &place.areas);
        for place in unknown_places(areas.chain(&self.heard.unknown_counties)) {
            sentence.push_str(&format!("; {place}"));
        }
        for flag in &self.unchecked {
            sentence.push_str(&format!("; {}", flag.definition().not_loaded));
        }
        if !self.overruled.is_empty() {
            let slots = self.overruled.join(", ");
            sentence.push_str(&format!("; settings beside the query replace its {slots}"));
        }
        if !self.heard.unread.is_empty() {
            let words: Vec<String> =
                self.heard.unread.iter().map(|words| format!("“{words}”")).collect();
            sentence.push_str(&format!("; not understood: {}", words.join(", ")));
        }
        if found.by_ceiling > 0 {
            let those = counted(found.by_ceiling, "of them is", "of them are");
            sentence.push_str(&format!(
                "; {those} counted by the most that they take in (as filers of the e-Postcard, or by their gross \
                 receipts), for no revenue of theirs is on file"
            ));
        }
        if found.unknown > 0 {
            let left_out = counted(found.unknown, "more is", "more are");
            sentence.push_str(&format!("; {left_out} left out because a value is not known"));
            if found.only_ceiling > 0 {
                sentence.push_str(&format!(
                    " (of {} it is known only that they take in at most $50,000, as filers of the e-Postcard, or no \
                     more than their gross receipts)",
                    thousands(found.only_ceiling)
                ));
            }
        }
    }

    /// The help line for the danger in the query, in its language, or the one beside nonprofits of its cause.
    pub fn help(&self) -> Option<&'static str> {
        let cause = self.frame.cause.as_deref().unwrap_or_default();
        match self.danger {
            Some((danger, language)) => Some(help_in(danger, language)),
            None => help_beside(cause, language_in_danger(cause, Language::English)).next(),
        }
    }

    /// Who helps where somebody is in danger, then the sentence about the answer.
    pub fn sentence(&self, found: &NonprofitPage, distance_max: Option<f64>) -> String {
        let said = self.of_answer(found, distance_max);
        match self.help() {
            Some(help) => format!("{help} {said}"),
            None => said,
        }
    }

    /// What was understood, what was not, and which nonprofits come first: one plain sentence.
    fn of_answer(&self, found: &NonprofitPage, distance_max: Option<f64>) -> String {
        if found.plan.words && found.sorted.is_none() && found.skipped >= RANKED_MAX {
            return format!(
                "A ranked answer ends after {} rows; a place, a kind or an amount finds the others.",
                thousands(RANKED_MAX)
            );
        }
        if let Some(said) = self.naming(found) {
            return said;
        }
        let mut said = match &self.frame.organization {
            Some(named) if self.leaves_out_named => {
                let rest = described(&Frame { organization: None, ..self.frame.clone() });
                let missing = format!("“{}” is not among them", named.described());
                rest.into_iter().chain([missing]).collect()
            }
            _ => described(&self.frame),
        };
        if self.step == Some(Step::Reset) {
            said.insert(0, "starting over".to_owned());
        }
        if let Some(distance) = distance_max {
            said.push(match found.plan.meaning {
                Some(_) => format!("within a distance of {distance} in meaning"),
                None => "the distance in meaning asks nothing".to_owned(),
            });
        }
        let matches = found.total - found.plan.nearby;
        let fitting = self.fit_clause(found).filter(|_| {
            // That sentence has no place for these conditions.
            distance_max.is_none() && !self.leaves_out_named && self.step != Some(Step::Reset)
        });
        let is_fit_told = fitting.is_some();
        let mut sentence = match (fitting, self.sorted_clause(found)) {
            (Some(fitting), _) => fitting + &Self::first_that_fit(found),
            (None, Some(sorted)) => sorted,
            (None, None) => {
                let matching = match matches {
                    // Of those that may match the values are not known.
                    0 if found.unknown > 0 => "No nonprofit is known to match".to_owned(),
                    _ => counted(matches, "nonprofit matches", "nonprofits match"),
                };
                match said.is_empty() {
                    true => format!("{matching}; nothing in the query narrows them"),
                    false => format!("{matching}: {}", said.join("; ")),
                }
            }
        };
        let none_fits = found.plan.fit.is_some_and(|fit| fit.count == 0);
        if let Some(sorted) = found.sorted.filter(|_| none_fits) {
            let likeliest = thousands(sorted);
            sentence
                .push_str(&format!("; none clearly fits, so the {likeliest} likeliest are sorted"));
        }
        let none_fits = none_fits && matches > 0;
        if none_fits && found.sorted.is_none() && !is_fit_told {
            sentence.push_str("; none clearly fits, so the likeliest come first");
        }
        self.push_remarks(&mut sentence, found);
        if let Some(elsewhere) = found.plan.elsewhere.filter(|elsewhere| !elsewhere.is_loaded) {
            sentence.push_str(&format!("; {elsewhere}"));
        }
        sentence.push('.');
        sentence.push_str(&self.alternative_sentence(found));
        sentence
    }
}

/// The words of a row's names, code and mission in normal form, with blanks between.
pub(super) fn words_of(row: &Organization) -> String {
    let names =
        std::iter::once(row.name.as_str()).chain(row.other_names.iter().map(String::as_str));
    let activities = taxonomy::activities(row).map(|activity| activity.title);
    let cause = row.ntee.or(row.group_ntee).and_then(taxonomy::title).into_iter().chain(activities);
    let cause = cause.chain(row.summary.as_deref());
    naming::normalise(&names.chain(cause).collect::<Vec<_>>().join(" "))
}

/// A nonprofit as a sentence names it: with its place.
fn located(organization: &Organization) -> String {
    let address = &organization.address;
    let state = address.state.map(|state| state.to_string());
    let place: Vec<String> = address.city.iter().cloned().chain(state).collect();
    match place.is_empty() {
        true => organization.name.clone(),
        false => format!("{} ({})", organization.name, place.join(", ")),
    }
}

/// The same with its EIN.
fn identified(organization: &Organization) -> String {
    format!("{}, EIN {}", located(organization), organization.ein)
}
