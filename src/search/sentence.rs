//! What is said of an answer: how a query was read, and how many nonprofits that is.

use std::borrow::Cow;

use super::interpret::Interpretation;
use super::nonprofits::NonprofitPage;
use super::plan::Fit;
use crate::query::Filters;
use crate::record::{counted, thousands};
use crate::understand::{self, Frame, NameUse, NamedPlace, Otherwise, Step, described};

impl Interpretation {
    /// What is said of a query that is a name and nothing else.
    fn naming(&self) -> Option<String> {
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
            (None, 0) if places.is_empty() => format!(
                "No nonprofit called “{asked}” is in the data; the nearest by name come first"
            ),
            (None, 0) => format!(
                "No nonprofit called “{asked}” is in the data; the nearest in {} come first",
                understand::named_places(&places)
            ),
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
        said.push_str(&self.otherwise());
        Some(said)
    }

    /// What else may be meant.
    fn otherwise(&self) -> String {
        match &self.heard.otherwise {
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
            _ if found.sorted.is_some() || found.plan.nearby > 0 => {}
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
        if let Some(said) = self.naming() {
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
                    format!("; none fits well, the {} nearest are sorted", thousands(sorted))
                }
                1 => "; the one that fits is shown".to_owned(),
                _ => format!("; the {} that fit are sorted", thousands(sorted)),
            });
        }
        if let Some(fit) = found.plan.fit.filter(|_| found.sorted.is_none()) {
            let is_narrowed = self.frame.filters() != Filters::default();
            sentence.push_str(&fit_clause(fit, found.plan.nearby, matches, is_narrowed));
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
        sentence.push_str(&self.otherwise());
        sentence
    }
}

/// What is said of the rows that fit after what they fit; nothing where all do. So many of `nearby` fit too.
fn fit_clause(fit: Fit, nearby: u64, matches: u64, is_narrowed: bool) -> Cow<'static, str> {
    let verb = if fit.count == 1 && !fit.is_least { "fits" } else { "fit" };
    match fit.count {
        0 if nearby > 0 => {
            let verb = if nearby == 1 { "does" } else { "do" };
            format!("; none there fits well, {nearby} {verb} nearby or elsewhere in the state")
                .into()
        }
        0 if matches > 0 => "; none fits well, the nearest come first".into(),
        count if nearby > 0 => {
            format!("; {count} {verb}, and {nearby} nearby or elsewhere in the state").into()
        }
        count if count >= matches => "".into(),
        _ if is_narrowed => "; the rest only satisfies the filters".into(),
        _ => "; the rest comes behind".into(),
    }
}
