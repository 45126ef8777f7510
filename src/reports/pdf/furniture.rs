//! Running heads and page numbers: what stands at the same edge of many pages.

use std::collections::HashMap;

use super::segment::Segment;

/// Lines at an edge that are looked at.
const LINES: usize = 2;

/// Characters of a running head at most.
const CHARACTERS_MAX: usize = 120;

/// Pages that have the same at least; facing pages have heads of their own, so that half of half the pages is enough.
const PAGES_MIN: usize = 3;
const PAGES_PERCENT: usize = 25;

/// Points within which a line stands at the same height.
const HEIGHT: f32 = 12.0;

/// What a line at an edge is recognised by: its text without figures, and its height.
type Mark = (String, i32);

/// Removes running heads and page numbers from pages, each sorted from the top.
pub(super) fn remove(pages: &mut [Vec<Segment>]) {
    let mut counts: HashMap<Mark, usize> = HashMap::new();
    for page in pages.iter() {
        let mut marks: Vec<Mark> = at_edges(page).map(|at| mark(&page[at])).collect();
        marks.sort_unstable();
        marks.dedup();
        for mark in marks {
            *counts.entry(mark).or_default() += 1;
        }
    }
    let with_text = pages.iter().filter(|page| !page.is_empty()).count();
    let needed = PAGES_MIN.max(with_text * PAGES_PERCENT / 100);
    for page in pages {
        let is_furniture = |at: &usize| {
            let segment = &page[*at];
            segment.text.chars().count() <= CHARACTERS_MAX
                && counts.get(&mark(segment)).is_some_and(|count| *count >= needed)
        };
        let removed: Vec<usize> = at_edges(page).filter(is_furniture).collect();
        for at in removed.into_iter().rev() {
            page.remove(at);
        }
    }
}

/// Positions of the segments in the first and the last lines, in rising order.
fn at_edges(page: &[Segment]) -> impl Iterator<Item = usize> + use<> {
    let line_starts = |at: &usize| *at == 0 || page[*at].top() > page[*at - 1].bottom();
    let first = (0..page.len()).filter(line_starts).nth(LINES).unwrap_or(page.len());
    let last = (0..page.len()).rev().filter(line_starts).nth(LINES - 1).unwrap_or_default();
    (0..first).chain(last.max(first)..page.len())
}

fn mark(segment: &Segment) -> Mark {
    let mut text = String::new();
    for c in segment.text.chars().filter(|c| !c.is_whitespace()).take(CHARACTERS_MAX) {
        match c {
            c if c.is_ascii_digit() && text.ends_with('#') => {}
            c if c.is_ascii_digit() => text.push('#'),
            c => text.extend(c.to_lowercase()),
        }
    }
    (text, (segment.y / HEIGHT).round() as i32)
}
