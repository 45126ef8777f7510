//! Figures of a nonprofit that ranges filter by and lists are sorted by, each declared once: the parameters
//! and flags of every interface, their checks and documentation, the sentence that says what was understood
//! and the panel of the page are made from [`FIGURES`].

use super::Range;

/// What the numbers of a figure are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Whole US dollars.
    Dollars,
    /// How many there are.
    Count,
    /// Points of a scale on which more is better.
    Points,
    /// A year of the calendar.
    Year,
}

/// The declaration of a figure.
#[derive(Debug)]
pub struct Definition {
    /// Its name as a key of sorting and in `min_…` and `max_…`.
    pub name: &'static str,
    /// The parameters that bound it, the least value and the greatest.
    pub parameters: [&'static str; 2],
    /// What the bounds ask for, without a full stop.
    pub requests: [&'static str; 2],
    /// What the parameters ask for, one sentence each.
    pub descriptions: [&'static str; 2],
    /// What a bound may be.
    pub bounds: [f64; 2],
    pub unit: Unit,
    /// What it is called within a sentence.
    pub noun: &'static str,
    /// What its field is called.
    pub title: &'static str,
    /// How lists sorted by it are described: the greatest first, the least first.
    pub orders: [&'static str; 2],
    /// What an answer says where nobody's is known, a clause.
    pub not_loaded: &'static str,
}

macro_rules! figures {
    ($(
        $(#[$about:meta])*
        $figure:ident = $name:literal {
            noun: $noun:literal, title: $title:literal, unit: $unit:ident, bounds: $bounds:expr,
            at_least: $least:literal, at_most: $most:literal,
            greatest_first: $greatest_first:literal, least_first: $least_first:literal,
            not_loaded: $not_loaded:literal,
        }
    )+) => {
        /// A figure of a nonprofit.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Figure {
            $($(#[$about])* $figure,)+
        }

        impl Figure {
            /// Every figure, in the order in which interfaces list them.
            pub const ALL: [Self; FIGURES.len()] = [$(Self::$figure,)+];
        }

        const FIGURES: &[Definition] = &[$(Definition {
            name: $name,
            parameters: [concat!("min_", $name), concat!("max_", $name)],
            requests: [$least, $most],
            descriptions: [
                concat!($least, "."),
                concat!($most, "; not below `min_", $name, "`."),
            ],
            bounds: $bounds,
            unit: Unit::$unit,
            noun: $noun,
            title: $title,
            orders: [$greatest_first, $least_first],
            not_loaded: $not_loaded,
        },)+];
    };
}

const NOT_NEGATIVE: [f64; 2] = [0.0, f64::INFINITY];

figures! {
    Revenue = "revenue" {
        noun: "revenue", title: "Revenue", unit: Dollars, bounds: NOT_NEGATIVE,
        at_least: "At least this annual revenue, in dollars",
        at_most: "At most this annual revenue, in dollars",
        greatest_first: "revenue, the greatest first", least_first: "revenue, the least first",
        not_loaded: "nothing is loaded that has revenue",
    }
    Expenses = "expenses" {
        noun: "expenses", title: "Expenses", unit: Dollars, bounds: NOT_NEGATIVE,
        at_least: "At least these annual expenses, in dollars",
        at_most: "At most these annual expenses, in dollars",
        greatest_first: "expenses, the greatest first", least_first: "expenses, the least first",
        not_loaded: "no returns are loaded that have expenses",
    }
    Assets = "assets" {
        noun: "assets", title: "Assets", unit: Dollars, bounds: NOT_NEGATIVE,
        at_least: "At least these total assets, in dollars",
        at_most: "At most these total assets, in dollars",
        greatest_first: "assets, the greatest first", least_first: "assets, the least first",
        not_loaded: "nothing is loaded that has assets",
    }
    Employees = "employees" {
        noun: "employees", title: "Employees", unit: Count, bounds: NOT_NEGATIVE,
        at_least: "At least this many employees",
        at_most: "At most this many employees",
        greatest_first: "employees, the most first", least_first: "employees, the fewest first",
        not_loaded: "no returns are loaded that have numbers of employees",
    }
    Score = "score" {
        noun: "score", title: "Score", unit: Points, bounds: [0.0, 100.0],
        at_least: "At least this organization score",
        at_most: "At most this organization score",
        greatest_first: "score, the best first", least_first: "score, the lowest first",
        not_loaded: "the operator's records have no scores",
    }
    Rating = "rating" {
        noun: "rating", title: "Stars", unit: Points, bounds: [0.0, 4.0],
        at_least: "At least this star rating",
        at_most: "At most this star rating",
        greatest_first: "rating, the best first", least_first: "rating, the lowest first",
        not_loaded: "the operator's records have no ratings",
    }
    /// In which the IRS recognized the exemption; sorted by month.
    RulingYear = "ruling_year" {
        noun: "IRS ruling year", title: "Ruling year", unit: Year, bounds: [1800.0, 2100.0],
        at_least: "At least this year of the IRS's ruling that recognized the exemption",
        at_most: "At most this year of the IRS's ruling that recognized the exemption",
        greatest_first: "the IRS's ruling date, the latest first",
        least_first: "the IRS's ruling date, the earliest first",
        not_loaded: "no master file is loaded that has ruling dates",
    }
}

impl Figure {
    /// What was declared of it.
    pub fn definition(self) -> &'static Definition {
        &FIGURES[self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.definition().name
    }

    /// The figure of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|figure| figure.name() == name)
    }

    /// Whether it is in dollars.
    pub fn is_money(self) -> bool {
        self.definition().unit == Unit::Dollars
    }
}

of_each! {
    /// A range of every figure.
    #[derive(Debug, Clone, Copy, PartialEq, Default)]
    Ranges of Figure: Range
}

impl Ranges {
    /// One range; the others are open.
    pub fn of(figure: Figure, range: Range) -> Self {
        let mut ranges = Self::default();
        ranges[figure] = range;
        ranges
    }

    /// Every figure with its range, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Figure, &mut Range)> {
        Figure::ALL.into_iter().zip(&mut self.0)
    }

    /// The figures that are bounded, with their ranges.
    pub fn bounded(&self) -> impl Iterator<Item = (Figure, Range)> {
        self.iter().filter(|(_, range)| !range.is_open())
    }
}
