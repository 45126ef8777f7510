//! Pieces of lines: letters that stand next to one another on one baseline.

/// Of the size of letters: a gap that is a blank, and one that parts columns or cells.
const BLANK_GAP: f32 = 0.16;
pub(super) const COLUMN_GAP: f32 = 0.9;

/// How far a baseline may lie from another and be the same, of the size of letters.
const BASELINE: f32 = 0.35;

/// Sizes of letters that are read, in points: smaller ones are not for eyes, greater ones are none.
const SIZES: std::ops::RangeInclusive<f32> = 1.0..=2000.0;

/// How far text may lean, of its direction.
const LEAN_MAX: f64 = 0.2;

/// A gap behind a bullet or a number, of the size of letters.
const BULLET_GAP: f32 = 4.0;

/// A piece of a line, in points, from the left and downwards.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Segment {
    pub(super) left: f32,
    pub(super) right: f32,
    /// The baseline.
    pub(super) y: f32,
    pub(super) size: f32,
    pub(super) text: String,
    pub(super) is_bold: bool,
}

impl Segment {
    pub(super) fn top(&self) -> f32 {
        self.y - self.size * 0.7
    }

    pub(super) fn bottom(&self) -> f32 {
        self.y + self.size * 0.2
    }

    fn is_on_line_of(&self, other: &Self) -> bool {
        (self.y - other.y).abs() <= BASELINE * self.size.max(other.size)
    }

    /// Appends what stands right of it.
    fn append(&mut self, next: &Self) {
        let gap = next.left - self.right;
        let is_parted = self.text.ends_with(' ') || next.text.starts_with(' ');
        if gap > BLANK_GAP * next.size && !is_parted {
            self.text.push(' ');
        }
        // Raised or lowered letters are of the line.
        if next.size > self.size {
            (self.size, self.y) = (next.size, next.y);
        }
        self.is_bold &= next.is_bold;
        self.right = self.right.max(next.right);
        self.text.push_str(&next.text);
    }

    /// Whether it is what an item of a list begins with.
    fn is_mark(&self) -> bool {
        let text = self.text.trim();
        let number = text.trim_end_matches(['.', ')']);
        let is_number = number.len() < text.len() && number.len() <= 2;
        text.chars().count() == 1
            && super::super::passages::BULLETS.contains(&text.chars().next().unwrap_or(' '))
            || is_number && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    }
}

/// A letter as it is drawn, or several that one code shows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letter<'a> {
    pub(super) text: &'a str,
    /// Leads from a square of its size to the page.
    pub(super) matrix: [f64; 6],
    /// Of its size, with what stands between it and the next.
    pub(super) width: f64,
    pub(super) is_bold: bool,
}

/// Gathers letters to segments as they are drawn.
#[derive(Debug, Default)]
pub(super) struct Writer {
    segments: Vec<Segment>,
    current: Option<Segment>,
}

impl Writer {
    /// Takes a letter; one that is not upright is left out.
    pub(super) fn letter(&mut self, letter: Letter<'_>) {
        let Letter { text, matrix, width, is_bold } = letter;
        let [a, b, c, d, x, y] = matrix;
        let (size, right) = (c.hypot(d) as f32, x + width * a);
        let is_upright = a > 0.0 && d > 0.0 && b.abs() <= LEAN_MAX * a;
        if !is_upright || !SIZES.contains(&size) || !right.is_finite() || !y.is_finite() {
            return;
        }
        let (left, right, y) = (x as f32, right as f32, -y as f32);
        let letter = Segment { left, right, y, size, text: text.to_owned(), is_bold };
        match &mut self.current {
            Some(current) if continues(current, &letter) => current.append(&letter),
            current => self.segments.extend(current.replace(letter)),
        }
    }

    /// The segments, those of one line that are near put together, from the top to the bottom.
    pub(super) fn finish(mut self) -> Vec<Segment> {
        self.segments.extend(self.current.take());
        let mut segments = self.segments;
        segments.retain(|segment| !segment.text.trim().is_empty());
        segments
            .sort_by(|one, other| one.y.total_cmp(&other.y).then(one.left.total_cmp(&other.left)));
        let mut joined: Vec<Segment> = Vec::with_capacity(segments.len());
        let mut line: Vec<Segment> = Vec::new();
        for segment in segments {
            if line.first().is_some_and(|first| !segment.is_on_line_of(first)) {
                join(std::mem::take(&mut line), &mut joined);
            }
            line.push(segment);
        }
        join(line, &mut joined);
        joined
    }
}

/// Whether a letter goes on with what was drawn before it.
fn continues(current: &Segment, letter: &Segment) -> bool {
    let gap = letter.left - current.right;
    let size = current.size.max(letter.size);
    let is_near = -0.5 * size <= gap && gap < COLUMN_GAP * size;
    is_near && letter.is_on_line_of(current) && letter.size > current.size * 0.4
}

/// Puts segments of one line together where they are near.
fn join(mut line: Vec<Segment>, joined: &mut Vec<Segment>) {
    line.sort_by(|one, other| one.left.total_cmp(&other.left));
    let mut current: Option<Segment> = None;
    for segment in line {
        match &mut current {
            // Drawn twice, to look bold.
            Some(before)
                if before.text == segment.text
                    && (before.left - segment.left).abs() < 0.3 * before.size =>
            {
                before.is_bold = true;
            }
            Some(before) if continues(before, &segment) && !is_much_larger(before, &segment) => {
                before.append(&segment);
            }
            Some(before)
                if before.is_mark() && segment.left - before.right < BULLET_GAP * segment.size =>
            {
                before.text.push(' ');
                before.append(&segment);
            }
            before => joined.extend(before.replace(segment)),
        }
    }
    joined.extend(current);
}

/// Whether of two segments one is a figure or a letter that stands out.
fn is_much_larger(one: &Segment, other: &Segment) -> bool {
    one.size > other.size * 1.6 || other.size > one.size * 1.6
}
