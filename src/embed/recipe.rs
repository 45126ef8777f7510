//! The text of a record that is embedded: its names and its purpose, never its location or
//! finances, for those are filters.
//!
//! The cause comes first: of the orders that were tried on real missions with NTEE labels, that is
//! the one whose neighbours agree best with the label (`scripts/recipe_agreement.py`; the shares are
//! in docs/benchmarks.md).

use crate::record::{Filing, Organization};
use crate::taxonomy;

/// What an organization's vector is made of.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parts<'a> {
    /// For display.
    pub name: &'a str,
    pub other_names: &'a [String],
    /// Title of its NTEE code; the code itself says nothing to a language model.
    pub cause: Option<&'a str>,
    /// Its mission or summary.
    pub mission: Option<&'a str>,
    /// What its filing says that it does.
    pub activities: &'a [String],
}

/// Names of an organization that are embedded besides the first: some chapters list dozens.
pub const OTHER_NAMES_MAX: usize = 3;

impl Parts<'_> {
    /// The text that is embedded. What is longest comes last, for what is past the model's limit is
    /// cut off.
    pub fn text(&self) -> String {
        let others = self.other_names.iter().map(String::as_str).take(OTHER_NAMES_MAX);
        let activities = self.activities.iter().map(String::as_str);
        let named = self.cause.into_iter().chain([self.name]).chain(others);
        joined(named.chain(self.mission).chain(activities))
    }
}

/// Characters of a mission, and of what the programmes of a return say, that are embedded: beyond that
/// they add little to what a vector can say, and every token takes time.
const MISSION_CHARACTERS_MAX: usize = 400;
const ACTIVITY_CHARACTERS_MAX: usize = 160;

/// Programmes of a return that are embedded: a return lists them by their expenses.
const ACTIVITIES_MAX: usize = 2;

/// The text that is embedded of an organization, of which `filing` is the latest return.
pub fn organization(organization: &Organization, filing: Option<&Filing>) -> String {
    let programs = filing.map_or(&[][..], |filing| &filing.programs);
    let activities: Vec<String> = programs
        .iter()
        .take(ACTIVITIES_MAX)
        .map(|program| leading_words(&program.description, ACTIVITY_CHARACTERS_MAX).to_owned())
        .collect();
    let mission = organization.summary.as_deref();
    let parts = Parts {
        name: &organization.name,
        other_names: &organization.other_names,
        cause: organization.ntee.and_then(taxonomy::title),
        mission: mission.map(|mission| leading_words(mission, MISSION_CHARACTERS_MAX)),
        activities: &activities,
    };
    parts.text()
}

/// The whole words at the beginning of a text that fit into `characters_max` characters.
fn leading_words(text: &str, characters_max: usize) -> &str {
    match text.char_indices().nth(characters_max) {
        Some((end, _)) => text[..end].rsplit_once(' ').map_or(&text[..end], |(words, _)| words),
        None => text,
    }
}

/// The text that is embedded of an impact story.
pub fn story(title: &str, hook: Option<&str>, states: &[String], quote: Option<&str>) -> String {
    let states = states.join(", ");
    joined([Some(title), hook, Some(states.as_str()), quote].into_iter().flatten())
}

/// Characters of the text behind a title that are embedded: what is past the model's limit is cut off
/// anyway, and a beginning says what a text is about.
const BODY_CHARACTERS_MAX: usize = 800;

/// The text that is embedded of an article, an entry of the knowledge base or a fund.
pub fn titled<'a>(title: &'a str, body: impl IntoIterator<Item = &'a str>) -> String {
    let text = joined(std::iter::once(title).chain(body));
    leading_words(&text, title.len() + BODY_CHARACTERS_MAX).to_owned()
}

/// Sentences out of parts; empty ones and repeats of the one before are left out.
fn joined<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    let mut last = "";
    for part in parts.map(|part| part.trim().trim_end_matches('.')) {
        if part.is_empty() || part.eq_ignore_ascii_case(last) {
            continue;
        }
        if !text.is_empty() {
            text.push_str(". ");
        }
        text.push_str(part);
        last = part;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_become_sentences_in_order() {
        let others = ["Second Harvest".to_owned(), "SECOND HARVEST".to_owned()];
        let activities = ["Food for schools.".to_owned()];
        let parts = Parts {
            name: "Harvest Inc.",
            other_names: &others,
            cause: Some("Food Banks"),
            mission: Some(" To end hunger. "),
            activities: &activities,
        };
        let expected = "Food Banks. Harvest Inc. Second Harvest. To end hunger. Food for schools";
        assert_eq!(parts.text(), expected);
        assert_eq!(Parts { name: "Harvest", ..Parts::default() }.text(), "Harvest");
    }

    #[test]
    fn long_texts_are_cut_at_a_word() {
        assert_eq!(leading_words("to end hunger", 13), "to end hunger");
        assert_eq!(leading_words("to end hunger", 12), "to end");
        assert_eq!(leading_words("ééé éé", 5), "ééé");
        assert_eq!(leading_words("unending", 4), "unen");
    }

    #[test]
    fn a_title_is_never_cut() {
        let body = "word ".repeat(BODY_CHARACTERS_MAX);
        let text = titled("A title", ["A title.", body.as_str()]);
        assert!(text.starts_with("A title. word") && text.ends_with("word"), "{text}");
        assert!(text.len() <= "A title".len() + BODY_CHARACTERS_MAX);
    }

    #[test]
    fn a_story_names_its_states() {
        let states = ["Ohio".to_owned(), "Iowa".to_owned()];
        assert_eq!(story("A roof", None, &states, Some("Home.")), "A roof. Ohio, Iowa. Home");
    }
}
