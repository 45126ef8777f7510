//! What is said of an answer: how a query was read, and how many nonprofits that is.

use std::borrow::Cow;

use super::interpret::Interpretation;
use super::nonprofits::{NonprofitHit, NonprofitPage};
use super::plan::Fit;
use crate::naming;
use crate::query::Filters;
use crate::record::{counted, thousands};
use crate::taxonomy;
use crate::understand::{self, Frame, NameUse, NamedPlace, Otherwise, Step, described, tells};

/// How much of a word of the cause a row must have for the word not to be missing from it.
const STEM_BYTES: usize = 5;

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
                format!(
                    "Read as a name: {} (EIN {ein}){also} comes first, then what is like it",
                    named.name
                )
            }
            (None, 0) => Self::nearest_to(asked, &places, found),
            (None, 1) => {
                format!("Read as a name: the nonprofit that may be meant by “{asked}” comes first")
            }
            (None, count) => {
                format!(
                    "Read as a name: {} may be meant by “{asked}”, the likeliest comes first",
                    understand::counted(count)
                )
            }
        };
        said.push('.');
        said.push_str(&self.otherwise(found));
        Some(said)
    }

    /// The row that comes nearest to a name that nobody in the data has word by word.
    fn nearest_to(asked: &str, places: &[NamedPlace], found: &NonprofitPage) -> String {
        let fits = found.plan.nearby_fit > 0 || found.plan.fit.is_some_and(|fit| fit.count > 0);
        if let Some(nearest) = found.first().filter(|_| fits) {
            let address = &nearest.address;
            let state = address.state.map(|state| state.to_string());
            let place: Vec<String> = address.city.iter().cloned().chain(state).collect();
            let place =
                if place.is_empty() { String::new() } else { format!(", {}", place.join(", ")) };
            return format!("Nearest to “{asked}”: {} (EIN {}){place}", nearest.name, nearest.ein);
        }
        let place = match places.is_empty() {
            true => String::new(),
            false => format!(" in {}", understand::named_places(places)),
        };
        format!("No name has all the words of “{asked}”; the nearest{place} come first")
    }

    /// Words of the cause that no row of the first page has in its names, its code or its mission.
    fn unmatched(&self, found: &NonprofitPage) -> Vec<&str> {
        let fits = found.plan.nearby_fit > 0 || found.plan.fit.is_some_and(|fit| fit.count > 0);
        let cause = self.frame.text.as_deref().filter(|_| fits && found.first().is_some());
        let texts: Vec<String> = found.rows.iter().map(words_of).collect();
        let is_matched = |word: &str| {
            let stem = &word[..word.floor_char_boundary(STEM_BYTES.min(word.len()))];
            let begins = |text: &String| text.split(' ').any(|own| own.starts_with(stem));
            texts.iter().any(begins)
        };
        let words = cause.into_iter().flat_map(|cause| cause.split(' '));
        words.filter(|word| word.len() >= STEM_BYTES && tells(word) && !is_matched(word)).collect()
    }

    /// What else may be meant.
    fn otherwise(&self, found: &NonprofitPage) -> String {
        let is_first = |ein| found.first().is_some_and(|first| first.ein == ein);
        match &self.heard.otherwise {
            Some(Otherwise::Name(one)) if is_first(one.ein) => String::new(),
            Some(Otherwise::Name(one)) => {
                format!(" It may also name {} (EIN {}).", one.name, one.ein)
            }
            Some(Otherwise::Kind(query)) => format!(" It may also mean “{query}”."),
            None => String::new(),
        }
    }

    /// How many nonprofits are left, or which of them fit.
    fn beginning(found: &NonprofitPage, matches: u64) -> String {
        let nonprofits = counted(matches, "nonprofit", "nonprofits");
        match found.plan.fit {
            _ if found.sorted.is_some() || found.plan.nearby_fit > 0 => {}
            Some(fit) if (1..matches).contains(&fit.count) => {
                let (least, verb) = match (fit.is_least, fit.count) {
                    (true, _) => ("At least ", "fit"),
                    (false, 1) => ("", "fits"),
                    (false, _) => ("", "fit"),
                };
                return format!("{least}{} of {nonprofits} {verb}", thousands(fit.count));
            }
            _ => {}
        }
        counted(matches, "nonprofit matches", "nonprofits match")
    }

    /// What was understood, what was not, and how many nonprofits that is: one plain sentence.
    pub fn sentence(&self, found: &NonprofitPage, distance_max: Option<f64>) -> String {
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
        let mut sentence = Self::beginning(found, matches);
        match said.is_empty() {
            true => sentence.push_str("; nothing in the query narrows them"),
            false => sentence.push_str(&format!(": {}", said.join("; "))),
        }
        if let Some(sorted) = found.sorted {
            let none_fits = found.plan.fit.is_some_and(|fit| fit.count == 0);
            sentence.push_str(&match sorted {
                _ if none_fits => {
                    format!("; none surely fits, the {} likeliest are sorted", thousands(sorted))
                }
                1 => "; the one that fits is shown".to_owned(),
                _ => format!("; the {} that fit are sorted", thousands(sorted)),
            });
        }
        if let Some(fit) = found.plan.fit.filter(|_| found.sorted.is_none()) {
            let is_narrowed = self.frame.filters() != Filters::default();
            sentence.push_str(&fit_clause(fit, found.plan.nearby_fit, matches, is_narrowed));
        }
        let unmatched = self.unmatched(found);
        if !unmatched.is_empty() {
            let words: Vec<String> = unmatched.iter().map(|word| format!("“{word}”")).collect();
            let words = words.join(", ");
            sentence.push_str(&format!("; not in the names, codes or missions shown: {words}"));
        }
        for clause in found.plan.gaps.clauses() {
            sentence.push_str(&format!("; {clause}"));
        }
        if !self.overruled.is_empty() {
            let slots = self.overruled.join(", ");
            sentence.push_str(&format!("; parameters win over what the query says of {slots}"));
        }
        if !self.heard.unread.is_empty() {
            let words: Vec<String> =
                self.heard.unread.iter().map(|words| format!("“{words}”")).collect();
            sentence.push_str(&format!("; not understood: {}", words.join(", ")));
        }
        if found.unknown > 0 {
            let left_out = counted(found.unknown, "more is", "more are");
            sentence.push_str(&format!("; {left_out} left out because a value is not known"));
        }
        sentence.push('.');
        sentence.push_str(&self.otherwise(found));
        sentence
    }
}

/// The words of a row's names, code and mission in normal form, with blanks between.
fn words_of(hit: &NonprofitHit) -> String {
    let row = &hit.organization;
    let names =
        std::iter::once(row.name.as_str()).chain(row.other_names.iter().map(String::as_str));
    let cause = row.ntee.and_then(taxonomy::title).into_iter().chain(row.summary.as_deref());
    naming::normalise(&names.chain(cause).collect::<Vec<_>>().join(" "))
}

/// What is said of the rows that fit after what they fit; nothing where all do. So many of `nearby` fit too.
fn fit_clause(fit: Fit, nearby: u64, matches: u64, is_narrowed: bool) -> Cow<'static, str> {
    let verb = if fit.count == 1 && !fit.is_least { "fits" } else { "fit" };
    match fit.count {
        0 if nearby > 0 => {
            let verb = if nearby == 1 { "does" } else { "do" };
            format!("; none there surely fits, {nearby} {verb} nearby or elsewhere in the state")
                .into()
        }
        0 if matches > 0 => "; none surely fits, the likeliest come first".into(),
        count if nearby > 0 => {
            format!("; {count} {verb}, and {nearby} nearby or elsewhere in the state").into()
        }
        count if count >= matches => "".into(),
        _ if is_narrowed => "; the rest only satisfies the filters".into(),
        _ => "; the rest comes behind".into(),
    }
}
