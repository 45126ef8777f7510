//! The reading order of a page: rows of segments, parted into columns where a gutter runs between them.
//!
//! Rows are taken from the top down into bands. A band goes on as long as the gutters of its rows stay open; a row that
//! closes one, such as a heading over both columns, begins the next band. The columns of a band are read one after the
//! other, each again by its rows.

use super::segment::{COLUMN_GAP, Segment};

/// Columns within columns.
const DEPTH_MAX: usize = 6;

/// Columns of a band.
const COLUMNS_MAX: usize = 64;

/// Rows of a table at least.
const TABLE_ROWS_MIN: usize = 3;

/// What is read without a look to the side.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Block {
    /// Lines of one column, from the top.
    Lines(Vec<Segment>),
    /// Rows of cells.
    Table(Vec<Vec<Segment>>),
}

/// Segments that stand at one height, and from where to where they reach in width.
struct Row {
    segments: Vec<Segment>,
    bottom: f32,
    extents: Extents,
}

/// Parts of the width that are taken, from the left, with gutters between them.
#[derive(Debug, Clone, Default)]
struct Extents(Vec<(f32, f32)>);

impl Extents {
    /// Those of both; what is nearer than a gutter is one.
    fn with(&self, other: &Self, gutter: f32) -> Self {
        let mut all: Vec<(f32, f32)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut merged: Vec<(f32, f32)> = Vec::with_capacity(all.len());
        for (left, right) in all {
            match merged.last_mut() {
                Some(last) if left - last.1 < gutter => last.1 = last.1.max(right),
                _ => merged.push((left, right)),
            }
        }
        Self(merged)
    }

    fn columns(&self) -> usize {
        self.0.len()
    }
}

/// The blocks of a page, in reading order. Cost is that of sorting, times the depth of columns.
pub(super) fn blocks(segments: Vec<Segment>) -> Vec<Block> {
    let mut blocks = Vec::new();
    arrange(segments, DEPTH_MAX, &mut blocks);
    blocks
}

fn arrange(segments: Vec<Segment>, depth: usize, blocks: &mut Vec<Block>) {
    let gutter = COLUMN_GAP * median_size(&segments);
    let mut band: Vec<Row> = Vec::new();
    let mut extents = Extents::default();
    for row in rows(segments, gutter) {
        let together = extents.with(&row.extents, gutter);
        let columns = extents.columns().max(row.extents.columns());
        let parts = together.columns() < columns || together.columns() > COLUMNS_MAX;
        if !band.is_empty() && parts {
            finish(std::mem::take(&mut band), &extents, depth, blocks);
            extents = row.extents.clone();
        } else {
            extents = together;
        }
        band.push(row);
    }
    finish(band, &extents, depth, blocks);
}

/// The size that half of the letters have at most.
fn median_size(segments: &[Segment]) -> f32 {
    let mut sizes: Vec<f32> = segments.iter().map(|segment| segment.size).collect();
    sizes.sort_by(f32::total_cmp);
    sizes.get(sizes.len() / 2).copied().unwrap_or_default()
}

fn rows(mut segments: Vec<Segment>, gutter: f32) -> Vec<Row> {
    segments.sort_by(|one, other| {
        one.top().total_cmp(&other.top()).then(one.left.total_cmp(&other.left))
    });
    let mut rows: Vec<Row> = Vec::new();
    for segment in segments {
        let (top, bottom) = (segment.top(), segment.bottom());
        let own = Extents(vec![(segment.left, segment.right)]);
        match rows.last_mut() {
            Some(row) if top < row.bottom => {
                row.bottom = row.bottom.max(bottom);
                row.segments.push(segment);
                row.extents.0.extend(own.0);
            }
            _ => rows.push(Row { segments: vec![segment], bottom, extents: own }),
        }
    }
    for row in &mut rows {
        row.extents = row.extents.with(&Extents::default(), gutter);
    }
    rows
}

/// Makes blocks of a band.
fn finish(band: Vec<Row>, extents: &Extents, depth: usize, blocks: &mut Vec<Block>) {
    if band.is_empty() {
        return;
    }
    if extents.columns() < 2 || depth == 0 {
        let lines = band.into_iter().flat_map(|row| row.segments);
        blocks.push(Block::Lines(lines.collect()));
        return;
    }
    if is_table(&band) {
        let rows = band.into_iter().map(|mut row| {
            row.segments.sort_by(|one, other| one.left.total_cmp(&other.left));
            row.segments
        });
        blocks.push(Block::Table(rows.collect()));
        return;
    }
    let mut columns: Vec<Vec<Segment>> = vec![Vec::new(); extents.columns()];
    for segment in band.into_iter().flat_map(|row| row.segments) {
        let at = extents.0.partition_point(|(left, _)| *left <= segment.left).saturating_sub(1);
        columns[at].push(segment);
    }
    columns.into_iter().for_each(|column| arrange(column, depth - 1, blocks));
}

/// Whether the cells behind the first of most rows are figures.
fn is_table(band: &[Row]) -> bool {
    let is_figure = |segment: &Segment| {
        let text = segment.text.trim();
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        text.bytes().any(|byte| byte.is_ascii_digit()) && letters <= 1
            || matches!(text, "-" | "–" | "—")
    };
    let figures = band.iter().filter(|row| {
        let mut cells: Vec<&Segment> = row.segments.iter().collect();
        cells.sort_by(|one, other| one.left.total_cmp(&other.left));
        let on_one_line = cells.iter().all(|cell| (cell.y - cells[0].y).abs() < 0.5 * cell.size);
        on_one_line && cells.len() > 1 && cells[1..].iter().all(|cell| is_figure(cell))
    });
    let figures = figures.count();
    figures >= TABLE_ROWS_MIN && figures * 2 >= band.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(text: &str, left: f32, y: f32, right: f32) -> Segment {
        Segment { left, right, y, size: 10.0, text: text.to_owned(), is_bold: false }
    }

    fn order(segments: &[Segment]) -> Vec<String> {
        let texts = |block: &Block| match block {
            Block::Lines(lines) => lines.iter().map(|line| line.text.clone()).collect(),
            Block::Table(rows) => rows
                .iter()
                .map(|row| row.iter().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join("|"))
                .collect::<Vec<_>>(),
        };
        blocks(segments.to_vec()).iter().flat_map(texts).collect()
    }

    #[test]
    fn columns_are_read_one_after_the_other() {
        let page = [
            segment("title", 50.0, 30.0, 500.0),
            segment("b1", 300.0, 55.0, 500.0),
            segment("a1", 50.0, 50.0, 280.0),
            segment("a2", 50.0, 62.0, 280.0),
            segment("b2", 300.0, 67.0, 500.0),
            segment("a3", 50.0, 90.0, 120.0),
            segment("over both", 50.0, 130.0, 500.0),
            segment("c1", 50.0, 150.0, 280.0),
            segment("d1", 300.0, 150.0, 500.0),
            segment("end", 50.0, 200.0, 500.0),
        ];
        let expected = ["title", "a1", "a2", "a3", "b1", "b2", "over both", "c1", "d1", "end"];
        assert_eq!(order(&page), expected);
    }

    #[test]
    fn figures_beside_names_are_a_table() {
        let row = |name: &str, y: f32| {
            [
                segment(name, 50.0, y, 100.0),
                segment("1,200", 300.0, y, 340.0),
                segment("$4", 400.0, y, 420.0),
            ]
        };
        let page = [row("Meals", 50.0), row("Beds", 62.0), row("Classes", 74.0)].concat();
        assert_eq!(order(&page), ["Meals|1,200|$4", "Beds|1,200|$4", "Classes|1,200|$4"]);
    }
}
