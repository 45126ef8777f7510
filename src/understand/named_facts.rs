//! Facts that a text names side by side: `its EIN, address and revenue`.

use super::phrases;
use super::token::Tokens;

/// The names of the facts in the longest row of such words, in order; empty where there are not two.
pub fn facts_joined(text: &str) -> Vec<&'static str> {
    let tokens = Tokens::of(text);
    let mut rows: Vec<Vec<&str>> = Vec::new();
    let mut row: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((fact, end)) = tokens.longest(at, "fact word") {
            if !row.contains(&fact) {
                row.push(fact);
            }
            at = end;
            continue;
        }
        let joins = tokens.has_sign(at, ',') || phrases::has("between facts", tokens.form(at));
        if !joins {
            rows.push(std::mem::take(&mut row));
        }
        at += 1;
    }
    rows.push(row);
    let longest = rows.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
    if longest.len() < 2 { Vec::new() } else { longest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::DialogueAct;

    #[test]
    fn facts_stand_side_by_side() {
        for (text, expected) in [
            ("UnidosUS ein and revenue please", &["ein", "revenue"][..]),
            ("what are its EIN, address and total revenue?", &["ein", "address", "revenue"]),
            ("What were its assets and distributions?", &["assets", "lines"]),
            ("dame su dirección y su teléfono", &["address", "phone"]),
            ("how much of its revenue goes to staff", &[]),
            ("its revenue", &[]),
            ("revenue and the revenue of 2020", &[]),
        ] {
            assert_eq!(facts_joined(text), expected, "{text}");
        }
    }

    #[test]
    fn every_word_names_a_fact() {
        for (name, _) in phrases::meanings("fact word") {
            assert!(DialogueAct::named(name).is_some_and(DialogueAct::is_fact), "{name}");
        }
    }
}
