//! The knowledge base that comes with the program: `data/knowledge.ndjson`, in the very form in which
//! an operator's own is read.

use std::sync::LazyLock;

use super::{Event, Item, ReadError, read_lines};
use crate::record::Knowledge;

static ENTRIES: LazyLock<Vec<Knowledge>> = LazyLock::new(|| {
    let mut entries = Vec::new();
    let read = read_lines::<ReadError>(
        include_str!("../../data/knowledge.ndjson").as_bytes(),
        &mut |event| {
            if let Event::Item { item: Item::Knowledge(entry), .. } = event {
                entries.push(*entry);
            }
            Ok(())
        },
    );
    read.expect("an embedded text can be read");
    entries
});

/// Entries on U.S. nonprofits, on giving and on the service itself. An operator's entry of the same
/// identifier replaces one.
pub fn own_knowledge() -> &'static [Knowledge] {
    &ENTRIES
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_line_is_an_entry_that_names_its_source() {
        let mut warnings = Vec::new();
        let counts = read_lines::<ReadError>(
            include_str!("../../data/knowledge.ndjson").as_bytes(),
            &mut |event| {
                if let Event::Warning { .. } | Event::Reject(_) = &event {
                    warnings.push(event);
                }
                Ok(())
            },
        );
        assert_eq!(warnings, []);
        let entries = own_knowledge();
        assert_eq!(counts.unwrap().items, entries.len() as u64);
        assert!(entries.len() >= 30, "{}", entries.len());
        let identifiers: HashSet<_> = entries.iter().map(|entry| &entry.article_id).collect();
        assert_eq!(identifiers.len(), entries.len());
        for entry in entries {
            let names = ["Source: ", "Sources: ", "Fuente: ", "Fuentes: "];
            let sourced = names.into_iter().any(|name| entry.content.contains(name));
            assert!(sourced, "{}", entry.article_id);
            let twin = format!("{}-es", entry.article_id.trim_end_matches("-es"));
            assert!(identifiers.contains(&twin), "{twin}");
        }
    }
}
