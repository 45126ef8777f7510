//! EINs in texts and in the names of files and folders.

use crate::record::Ein;

/// EINs that are looked for in a text: a report has its own, and perhaps those of partners.
const EINS_MAX: usize = 64;

/// Digits before and behind the dash.
const PREFIX: usize = 2;
const REST: usize = 7;

/// EINs with their dash (`12-3456789`) in a text, in order, none twice. Nine digits alone may be anything.
pub fn dashed_eins(text: &str) -> Vec<Ein> {
    let mut eins: Vec<Ein> = Vec::new();
    for (at, _) in text.match_indices(['-', '\u{2010}', '\u{2011}', '\u{2013}']) {
        let Some(ein) = around_dash(text, at) else { continue };
        if !eins.contains(&ein) {
            eins.push(ein);
        }
        if eins.len() == EINS_MAX {
            break;
        }
    }
    eins
}

/// The EIN whose dash stands at a position.
fn around_dash(text: &str, at: usize) -> Option<Ein> {
    let behind = text[at..].chars().next()?.len_utf8() + at;
    let is_digit = |c: &char| c.is_ascii_digit();
    let before = text[..at].chars().rev().take_while(is_digit).take(PREFIX + 1).count();
    let after = text[behind..].chars().take_while(is_digit).take(REST + 1).count();
    if before != PREFIX || after != REST {
        return None;
    }
    // A part of a longer number, such as that of a telephone, is none.
    let is_part = |c: Option<char>| c == Some('-');
    let (start, end) = (at - PREFIX, behind + REST);
    if is_part(text[..start].chars().next_back()) || is_part(text[end..].chars().next()) {
        return None;
    }
    format!("{}{}", &text[start..at], &text[behind..end]).parse().ok()
}

/// The EIN by which a file or folder is named: nine digits, or those with a dash, which no other digit touches. `None`
/// where it has none or several.
pub fn ein_of_name(name: &str) -> Option<Ein> {
    let mut found = dashed_eins(name);
    let plain = name.split(|c: char| !c.is_ascii_digit()).filter(|run| run.len() == PREFIX + REST);
    found.extend(plain.filter_map(|run| run.parse::<Ein>().ok()));
    found.dedup();
    match found[..] {
        [ein] => Some(ein),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eins_of_texts_and_names() {
        let dashed =
            |text: &str| -> Vec<String> { dashed_eins(text).iter().map(Ein::to_string).collect() };
        assert_eq!(dashed("EIN: 17-0000001, call 216-555-0100"), ["170000001"]);
        assert_eq!(
            dashed("17-0000001 and 17\u{2013}0000002; 17-0000001"),
            ["170000001", "170000002"]
        );
        for none in
            ["170000001", "117-0000001", "17-00000012", "1-17-0000001", "17-0000001-2", "é-1"]
        {
            assert!(dashed(none).is_empty(), "{none}");
        }
        for (name, expected) in [
            ("17-0000001", Some("170000001")),
            ("170000001_report-2024.pdf", Some("170000001")),
            ("report 17-0000001.pdf", Some("170000001")),
            ("202300559349300125_public.xml", None),
            ("170000001 and 170000002.pdf", None),
            ("report-2024.pdf", None),
        ] {
            assert_eq!(ein_of_name(name).map(|ein| ein.to_string()).as_deref(), expected, "{name}");
        }
    }
}
