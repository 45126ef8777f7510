//! What a text asks for groups by (`by county`, `which fields are they mostly in`), and the figures that it names.

use std::ops::Range;

use super::phrases;
use super::token::Tokens;
use crate::index::columns::{Dimension, MEASURES};
use crate::query::Figure;

/// A dimension that a text names, and the bytes of the words that ask for its groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedDimension {
    pub dimension: Dimension,
    pub words: Vec<Range<usize>>,
    /// Whether its words ask for groups by themselves: `in each county`, `which towns mostly`.
    pub is_certain: bool,
}

/// What a text asks for groups by, if it does.
pub fn grouped_by(text: &str) -> Option<NamedDimension> {
    let tokens = Tokens::of(text);
    let named = |joint: &'static str, at: usize| {
        let start = tokens.any_phrase(at, phrases::of(joint))?;
        let (name, end) = tokens.longest(start, "group")?;
        Some((Dimension::named(name)?, tokens.span(at..end)))
    };
    let behind = |joint: &'static str| (0..tokens.len()).find_map(|at| named(joint, at));
    let asking = |list| said_of(&tokens, list);
    let found = |(dimension, bytes): (Dimension, Range<usize>), is_certain| {
        let words = [bytes].into_iter().chain(asking("breaks down")).chain(asking("mostly"));
        NamedDimension { dimension, words: words.collect(), is_certain }
    };
    if let Some(each) = behind("each group") {
        return Some(found(each, true));
    }
    let which = || behind("which groups").filter(|_| tokens.has_any(phrases::of("mostly")));
    behind("by group").map(|by| found(by, false)).or_else(|| which().map(|most| found(most, true)))
}

/// The bytes of every phrase of a list that a text has.
pub fn said_in(text: &str, list: &'static str) -> Vec<Range<usize>> {
    said_of(&Tokens::of(text), list)
}

fn said_of(tokens: &Tokens, list: &'static str) -> Vec<Range<usize>> {
    tokens.scan(|at| {
        let end = tokens.any_phrase(at, phrases::of(list))?;
        Some((tokens.span(at..end), end))
    })
}

/// The figures that a text names and that can be added up, in its order.
pub fn measures_in(text: &str) -> Vec<Figure> {
    let tokens = Tokens::of(text);
    let named = tokens.scan(|at| tokens.longest(at, "field"));
    let mut figures: Vec<Figure> = named.into_iter().filter_map(Figure::named).collect();
    figures.retain(|figure| MEASURES.contains(figure));
    let mut once = Vec::new();
    for figure in figures {
        if !once.contains(&figure) {
            once.push(figure);
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_named_behind_what_asks_for_groups() {
        let check = |text: &str, expected: Option<(Dimension, bool)>| {
            let found = grouped_by(text).map(|found| (found.dimension, found.is_certain));
            assert_eq!(found, expected, "{text}");
        };
        for (text, dimension) in [
            ("now break Vermont down by field", Dimension::Ntee),
            ("how many food banks in Ohio, by county?", Dimension::County),
            ("by size", Dimension::Size),
            ("desglosa por ciudad", Dimension::City),
            ("split it by type of 501(c)", Dimension::Subsection),
            ("how many were recognized, by decade", Dimension::RulingDecade),
        ] {
            check(text, Some((dimension, false)));
        }
        for (text, dimension) in [
            ("how many are there in each county of Vermont", Dimension::County),
            ("cuántas hay en cada estado", Dimension::State),
            ("which kinds of 501(c) are they mostly", Dimension::Subsection),
            ("which state has the most food banks", Dimension::State),
            ("what fields are most common", Dimension::Ntee),
        ] {
            check(text, Some((dimension, true)));
        }
        for text in [
            "which county are they in",
            "food banks in the county",
            "sorted by revenue",
            "what city is it in",
            "most of them are in a city",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn the_words_that_ask_for_groups_are_known() {
        for (text, expected) in [
            ("a breakdown of Vermont by field of work please", ["by field of work", "breakdown"]),
            ("what kinds of 501(c) are most common", ["what kinds of 501(c)", "most common"]),
        ] {
            let words = grouped_by(text).unwrap().words.into_iter();
            assert_eq!(words.map(|bytes| &text[bytes]).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn figures_are_in_the_order_of_the_text() {
        let check = |text: &str, expected: &[Figure]| {
            assert_eq!(measures_in(text), expected, "{text}");
        };
        check("total assets and the combined revenue", &[Figure::Assets, Figure::Revenue]);
        check("how many staff in all", &[Figure::Employees]);
        check("¿cuáles son sus ingresos?", &[Figure::Revenue]);
        check("how many are there", &[]);
    }

    #[test]
    fn every_group_has_a_dimension() {
        for (name, _) in phrases::meanings("group") {
            assert!(Dimension::named(name).is_some(), "{name}");
        }
    }
}
