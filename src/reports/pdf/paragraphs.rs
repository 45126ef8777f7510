//! Lines to paragraphs, and what each is: by gaps, indents, sizes and bullets.

use super::super::passages::{CELL, is_quoted, item, join_line};
use super::columns::Block;
use super::segment::Segment;
use crate::record::PassageKind;

/// Of the usual distance of lines, and of the size of letters: from which distance on a paragraph ends.
const GAP_USUAL: f32 = 1.3;
const GAP_SIZE: f32 = 1.25;

/// How much larger letters are in another paragraph, and how much larger or smaller than the body those of headings and
/// captions are.
const SIZE_OTHER: f32 = 1.12;
const SIZE_HEADING: f32 = 1.18;
const SIZE_CAPTION: f32 = 0.88;

/// An indent, of the size of letters.
const INDENT: f32 = 0.8;

/// Of the width of a column: a line that leaves as much of it free ends a paragraph, if it ends a sentence.
const SHORT: f32 = 0.25;

/// Characters of headings: of larger letters, and of bold ones.
const HEADING_MAX: usize = 150;
const BOLD_HEADING_MAX: usize = 90;

/// Characters of a figure that stands over what it counts, and of that.
const FIGURE_MAX: usize = 12;
const COUNTED_MAX: usize = 160;

/// A paragraph on its page.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Paragraph {
    pub(super) page: u32,
    pub(super) text: String,
    pub(super) size: f32,
    pub(super) is_bold: bool,
    /// Whether it is a row of a table.
    pub(super) is_row: bool,
    /// Whether it is the first of its column or page.
    pub(super) is_first: bool,
}

/// The paragraphs of a block.
pub(super) fn of_block(block: Block, page: u32, paragraphs: &mut Vec<Paragraph>) {
    match block {
        Block::Table(rows) => paragraphs.extend(rows.into_iter().map(|row| {
            let size = row.first().map_or(0.0, |cell| cell.size);
            let cells: Vec<&str> = row.iter().map(|cell| cell.text.trim()).collect();
            let text = cells.join(CELL);
            Paragraph { page, text, size, is_bold: false, is_row: true, is_first: false }
        })),
        Block::Lines(lines) => of_lines(&lines, page, paragraphs),
    }
}

fn of_lines(lines: &[Segment], page: u32, paragraphs: &mut Vec<Paragraph>) {
    let column = Column::of(lines);
    let mut first: Option<&Segment> = None;
    for (at, line) in lines.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &lines[before]);
        match (paragraphs.last_mut(), before, first) {
            (Some(paragraph), Some(before), Some(start)) if !column.parts(start, before, line) => {
                join_line(&mut paragraph.text, &line.text);
                paragraph.is_bold &= line.is_bold;
            }
            _ => {
                first = Some(line);
                let text = line.text.trim().to_owned();
                let (size, is_bold) = (line.size, line.is_bold);
                let is_first = at == 0;
                let is_row = false;
                paragraphs.push(Paragraph { page, text, size, is_bold, is_row, is_first });
            }
        }
    }
}

/// What is usual in a column.
struct Column {
    left: f32,
    right: f32,
    distance: f32,
}

impl Column {
    fn of(lines: &[Segment]) -> Self {
        let left = lines.iter().map(|line| line.left).fold(f32::MAX, f32::min);
        let right = lines.iter().map(|line| line.right).fold(f32::MIN, f32::max);
        let pairs = lines.windows(2).filter(|pair| pair[1].y > pair[0].y);
        let mut distances: Vec<f32> = pairs.map(|pair| pair[1].y - pair[0].y).collect();
        distances.sort_by(f32::total_cmp);
        // Lines are nearer than paragraphs.
        let distance = distances.get(distances.len() / 3).copied().unwrap_or_default();
        Self { left, right, distance }
    }

    /// Whether a line begins a paragraph; `start` is the first line of that before it.
    fn parts(&self, start: &Segment, before: &Segment, line: &Segment) -> bool {
        let size = line.size.max(before.size);
        let distance = line.y - before.y;
        if distance < 0.3 * size {
            // Of the same line.
            return line.size.max(before.size) > SIZE_OTHER * line.size.min(before.size);
        }
        let is_far = distance > GAP_SIZE * size && distance > GAP_USUAL * self.distance;
        let is_other_size = size > SIZE_OTHER * line.size.min(before.size);
        let begins_upper = line.text.chars().next().is_some_and(char::is_uppercase);
        let is_other_weight = line.is_bold != before.is_bold && begins_upper;
        if is_far
            || distance > 2.5 * size
            || is_other_size
            || is_other_weight
            || item(&line.text).is_some()
        {
            return true;
        }
        let indent = INDENT * line.size;
        if item(&start.text).is_some() {
            return line.left < start.left + 0.3 * line.size;
        }
        let is_indented = line.left > self.left + indent && before.left < self.left + indent / 2.0;
        let is_left_aligned = start.left < self.left + 2.0 * indent + line.size;
        let width = self.right - self.left;
        let ends = before.text.trim_end().ends_with(['.', '!', '?', '”', ':']);
        let is_short = before.right < self.right - SHORT * width;
        is_indented && begins_upper && is_left_aligned || ends && is_short
    }
}

/// The size that most letters have.
pub(super) fn body_size(paragraphs: &[Paragraph]) -> f32 {
    let mut letters: std::collections::BTreeMap<i32, usize> = std::collections::BTreeMap::new();
    for paragraph in paragraphs {
        // In half points.
        *letters.entry((paragraph.size * 2.0).round() as i32).or_default() += paragraph.text.len();
    }
    let most = letters.into_iter().max_by_key(|(_, letters)| *letters);
    most.map_or(0.0, |(size, _)| size as f32 / 2.0)
}

/// What a paragraph is, beside a body of letters of that size, and its text.
pub(super) fn kind_of(paragraph: &Paragraph, body: f32) -> (PassageKind, &str) {
    let text = paragraph.text.as_str();
    if paragraph.is_row {
        return (PassageKind::TableRow, text);
    }
    if let Some(item) = item(text) {
        return (PassageKind::ListItem, item);
    }
    if is_quoted(text) {
        return (PassageKind::Quotation, text);
    }
    let characters = text.chars().count();
    let is_large = paragraph.size >= SIZE_HEADING * body && characters <= HEADING_MAX;
    let is_bold =
        paragraph.is_bold && characters <= BOLD_HEADING_MAX && !text.ends_with(['.', ',', ';']);
    if (is_large || is_bold) && text.contains(char::is_alphabetic) {
        return (PassageKind::Heading, text);
    }
    let is_small = paragraph.size <= SIZE_CAPTION * body;
    (if is_small { PassageKind::Caption } else { PassageKind::Paragraph }, text)
}

/// Puts together what page and column breaks part, and a large figure with what it counts below it.
pub(super) fn mend(paragraphs: Vec<Paragraph>, body: f32) -> Vec<Paragraph> {
    let mut mended: Vec<Paragraph> = Vec::with_capacity(paragraphs.len());
    for mut next in paragraphs {
        match mended.last_mut() {
            Some(before) if goes_on(before, &next) => join_line(&mut before.text, &next.text),
            Some(before) if is_figure(before, body) && counts(before, &next) => {
                before.text = format!("{} {}", before.text.trim(), next.text.trim());
                (before.size, before.is_bold) = (body, false);
            }
            _ => {
                next.text = next.text.trim().to_owned();
                mended.push(next);
            }
        }
    }
    mended
}

/// Whether a sentence goes on in the next column or on the next page.
fn goes_on(before: &Paragraph, next: &Paragraph) -> bool {
    let is_open = !before.text.ends_with(['.', '!', '?', ':', ';', '”', '"', ')']);
    let is_same = !before.is_row && !next.is_row && before.is_bold == next.is_bold;
    next.is_first
        && is_open
        && is_same
        && (before.size - next.size).abs() < 0.5
        && next.page <= before.page + 1
        && next.text.starts_with(char::is_lowercase)
}

fn is_figure(paragraph: &Paragraph, body: f32) -> bool {
    let text = paragraph.text.trim();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    paragraph.size >= SIZE_HEADING * body
        && text.chars().count() <= FIGURE_MAX
        && text.contains(|c: char| c.is_ascii_digit())
        && letters <= 1
}

fn counts(figure: &Paragraph, next: &Paragraph) -> bool {
    let characters = next.text.chars().count();
    figure.page == next.page
        && !next.is_row
        && characters <= COUNTED_MAX
        && next.size < figure.size
        && next.text.starts_with(char::is_alphabetic)
}
