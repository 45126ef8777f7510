//! Answers that need no look-up, in the language of the message: `data/replies.tsv`.

use crate::reader::Language;
use crate::record::named;
use crate::table::{Table, table};

const TABLE: Table = table!("data/replies.tsv");

named! {
    /// A text that is always the same.
    FixedReply {
        Hello = "hello",
        Thanks = "thanks",
        Bye = "bye",
        Reset = "reset",
        Unknown = "unknown",
        OtherLanguage = "other_language",
        NothingYet = "nothing_yet",
        NothingBefore = "nothing_before",
        NothingToCompare = "nothing_to_compare",
        Sources = "sources",
        Accusation = "accusation",
    }
}

impl FixedReply {
    /// In a language; what is neither is answered in English.
    pub(super) fn text(self, language: Language) -> &'static str {
        text(self.name(), language).unwrap_or_default()
    }
}

/// The text of a name in a language; `None` where the table has none.
pub(super) fn text(name: &str, language: Language) -> Option<&'static str> {
    let [_, english, spanish] = TABLE.rows().find(|row: &[&str; 3]| row[0] == name)?;
    Some(if language == Language::Spanish { spanish } else { english })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::danger::sought;
    use super::*;
    use crate::reader::Danger;

    #[test]
    fn every_text_is_there_once_in_both_languages_and_used() {
        let rows: Vec<[&str; 3]> = TABLE.rows().collect();
        let names: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
        assert_eq!(names.len(), rows.len());
        assert!(
            rows.iter().all(|[_, english, spanish]| !english.is_empty() && !spanish.is_empty())
        );
        let mut used: BTreeSet<String> =
            FixedReply::ALL.iter().map(|one| one.name().into()).collect();
        for danger in Danger::ALL {
            used.extend([danger.name().to_owned(), format!("{}.again", danger.name())]);
            if sought(danger).is_some() {
                used.extend(
                    ["near", "where", "seek"].map(|part| format!("{}.{part}", danger.name())),
                );
            }
        }
        assert_eq!(names.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), used);
    }
}
