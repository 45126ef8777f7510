//! The table that says whose posts a feed holds: CSV with the header `feed,ein`, a line each with
//! the path of the feed's file, seen from the table's folder, and an EIN. A member of a ZIP file has the
//! ZIP's path in front.

use std::collections::BTreeMap;

use crate::record::Ein;

/// Bytes that the table may have: a hundred thousand feeds.
pub(super) const BYTES_MAX: u64 = 8 << 20;

/// Whether the beginning of a text is the table's.
pub(super) fn is_header(start: &[u8]) -> bool {
    let line = start.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    let mut fields = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    let named = |field: Option<&[u8]>, name: &str| {
        field.is_some_and(|field| field.eq_ignore_ascii_case(name.as_bytes()))
    };
    named(fields.next(), "feed") && named(fields.next(), "ein") && fields.next().is_none()
}

/// Reads the table: EINs by the paths of files, as written.
///
/// # Errors
/// The first line that is none, as a clause: a feed must not end up with another's EIN.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, Ein>, String> {
    let mut eins = BTreeMap::new();
    let text = text.trim_start_matches('\u{feff}');
    let lines = (1_u64..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    for (number, line) in lines.skip(1) {
        // A file's name may hold a comma; an EIN does not.
        let read = line.rsplit_once(',').and_then(|(feed, ein)| {
            let feed = feed.trim().trim_matches('"').trim();
            (!feed.is_empty()).then_some(())?;
            Some((feed.to_owned(), Ein::from_typed(ein.trim().trim_matches('"'))?))
        });
        let Some((feed, ein)) = read else {
            let found: String = line.chars().take(80).collect();
            return Err(format!(
                "line {number}: expected the path of a feed's file, a comma and its EIN, found {found:?}"
            ));
        };
        if eins.insert(feed.clone(), ein).is_some_and(|before| before != ein) {
            return Err(format!("line {number}: {feed:?} is listed with another EIN before"));
        }
    }
    Ok(eins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_to_eins() {
        let read = read("feed,ein\r\n news.xml , 17-0000001\n\n\"a, b.xml\",170000002\n").unwrap();
        let eins: Vec<_> = read.iter().map(|(feed, ein)| (feed.as_str(), ein.as_str())).collect();
        assert_eq!(eins, [("a, b.xml", "170000002"), ("news.xml", "170000001")]);
    }

    #[test]
    fn lines_that_are_none() {
        for bad in ["a.xml,170000002", "news.xml", "news.xml,1", ",170000001", "news.xml;170000001"]
        {
            let error = read(&format!("feed,ein\na.xml,170000001\n{bad}\n")).unwrap_err();
            assert!(error.starts_with("line 3: "), "{error}");
        }
    }
}
