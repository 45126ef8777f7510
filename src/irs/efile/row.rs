//! One row of a list, parsed cell by cell. What is not what a cell should hold is left out and told.

use super::gather::Values;
use super::meaning::{Cell, Meaning};
use super::paths::Tree;
use super::pointer::statement;
use crate::irs::text::is_nothing;
use crate::record::{Ein, State, Usd, Zip5};

/// Hours of a week.
pub(super) const HOURS_MAX: f32 = 168.0;

/// Whether a text stands for none: `N/A`, but not the `7` that is a line of a form.
fn says_none(text: &str) -> bool {
    is_nothing(text) && !text.bytes().any(|byte| byte.is_ascii_digit())
}

/// A row, and the elements that hold what cannot be read.
pub(super) struct Row<'a> {
    values: &'a Values,
    unreadable: &'a mut Vec<&'static str>,
}

/// A name of an organization or a person.
pub(super) struct Name {
    pub(super) text: String,
    pub(super) is_business: bool,
    /// Whether it only points elsewhere: `SEE ATTACHED`.
    pub(super) points: bool,
}

impl<'a> Row<'a> {
    pub(super) fn new(values: &'a Values, unreadable: &'a mut Vec<&'static str>) -> Self {
        Self { values, unreadable }
    }

    /// The text of a cell, unless it stands for none.
    pub(super) fn text(&self, cell: Cell) -> Option<String> {
        let text = self.values.text(Meaning::Cell(cell))?;
        (!says_none(text)).then(|| text.to_owned())
    }

    /// The text of a cell as filed: of deadlines, `NONE` is an answer.
    pub(super) fn filed(&self, cell: Cell) -> Option<String> {
        self.values.text(Meaning::Cell(cell)).map(str::to_owned)
    }

    fn parse<T>(&mut self, cell: Cell, parse: impl Fn(&str) -> Option<T>) -> Option<T> {
        let value = self.values.value(Meaning::Cell(cell))?;
        let parsed = parse(&value.text);
        if parsed.is_none() && !says_none(&value.text) {
            self.unreadable.push(Tree::get().node(usize::from(value.at.node)).name);
        }
        parsed
    }

    pub(super) fn amount(&mut self, cell: Cell) -> Option<Usd> {
        self.parse(cell, |text| text.parse().ok())
    }

    /// Hours a week.
    pub(super) fn hours(&mut self, cell: Cell) -> Option<f32> {
        self.parse(cell, |text| {
            text.parse::<f32>().ok().filter(|hours| (0.0..=HOURS_MAX).contains(hours))
        })
    }

    /// A share of 0 to 1.
    pub(super) fn share(&mut self, cell: Cell) -> Option<f32> {
        self.parse(cell, |text| {
            text.parse::<f32>().ok().filter(|share| (0.0..=1.0).contains(share))
        })
    }

    /// `None` also of nine equal digits, which fill a field that must be filled.
    pub(super) fn ein(&mut self, cell: Cell) -> Option<Ein> {
        let ein = self.parse(cell, |text| text.parse::<Ein>().ok())?;
        let digits = ein.as_str().as_bytes();
        digits.iter().any(|digit| *digit != digits[0]).then_some(ein)
    }

    pub(super) fn state(&mut self, cell: Cell) -> Option<State> {
        self.parse(cell, |text| text.parse().ok())
    }

    /// The first five digits of five or nine.
    pub(super) fn zip(&mut self, cell: Cell) -> Option<Zip5> {
        self.parse(cell, |text| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            (digits && matches!(text.len(), 5 | 9)).then(|| text[..5].parse().ok()).flatten()
        })
    }

    /// Whether a box is ticked.
    pub(super) fn ticked(&self, cell: Cell) -> bool {
        is_ticked(self.values.text(Meaning::Cell(cell)))
    }

    /// The answer to a question with yes or no.
    pub(super) fn answer(&self, cell: Cell) -> Option<bool> {
        self.values.value(Meaning::Cell(cell)).map(|_| self.ticked(cell))
    }

    /// Two lines as one.
    pub(super) fn lines(&self, first: Cell, second: Cell) -> Option<String> {
        lines_of(self.text(first).as_deref(), self.text(second).as_deref())
    }

    /// The name, which stands where the form has a person's or a business's.
    pub(super) fn name(&self) -> Option<Name> {
        let person = self.text(Cell::Person);
        let is_business = person.is_none();
        let text = person.or_else(|| self.lines(Cell::Business1, Cell::Business2))?;
        let points = statement(&text).own.is_empty();
        Some(Name { text, is_business, points })
    }
}

/// Two lines of a name or a street as one.
pub(super) fn lines_of(first: Option<&str>, second: Option<&str>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first} {second}")),
        (one, other) => one.or(other).map(str::to_owned),
    }
}

/// Ticks are `X`, `true` or `1`.
pub(super) fn is_ticked(text: Option<&str>) -> bool {
    text.is_some_and(|text| !matches!(text, "0" | "false"))
}
