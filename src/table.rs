//! Tables that are embedded in the program, of `data/` and `models/`: lines of columns between tabs.
//! Empty lines and lines that begin with `#` are left out.
//!
//! Each table is read once, by the module that it belongs to, whose tests read the whole of it: a row
//! of another shape panics there and not in a build or at a request.

/// An embedded table.
#[derive(Debug, Clone, Copy)]
pub struct Table {
    path: &'static str,
    text: &'static str,
}

/// The table at a path below the root of the repository.
macro_rules! table {
    ($path:literal) => {
        $crate::table::Table::new(
            $path,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $path)),
        )
    };
}

pub(crate) use table;

impl Table {
    /// A table of that text; the path is for messages.
    pub const fn new(path: &'static str, text: &'static str) -> Self {
        Self { path, text }
    }

    /// The lines that are no comments, by their numbers from 1.
    fn numbered(self) -> impl Iterator<Item = (usize, &'static str)> {
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    }

    /// The lines that are no comments, whole: for columns of any number, and for lists.
    pub fn lines(self) -> impl Iterator<Item = &'static str> {
        self.numbered().map(|(_, line)| line)
    }

    /// The rows, each of exactly `N` columns.
    ///
    /// # Panics
    /// If a row has fewer or more columns.
    pub fn rows<const N: usize>(self) -> impl Iterator<Item = [&'static str; N]> {
        self.each(Some)
    }

    /// The value that `read` parses from each row of exactly `N` columns.
    ///
    /// # Panics
    /// If a row has fewer or more columns, or `read` returns `None` for it.
    pub fn each<const N: usize, T>(
        self,
        mut read: impl FnMut([&'static str; N]) -> Option<T>,
    ) -> impl Iterator<Item = T> {
        self.numbered().map(move |(number, line)| {
            let columns: Vec<&str> = line.split('\t').collect();
            let found = columns.len();
            let Ok(row) = columns.try_into() else {
                panic!("{}:{number}: expected {N} columns, found {found}: {line:?}", self.path);
            };
            read(row).unwrap_or_else(|| {
                panic!("{}:{number}: expected what the head lists, found {line:?}", self.path)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table = Table::new("data/some.tsv", "# a\tb\n1\tone\n\n2\t\n");

    #[test]
    fn rows_and_comments() {
        assert_eq!(TABLE.rows().collect::<Vec<_>>(), [["1", "one"], ["2", ""]]);
        assert_eq!(TABLE.lines().collect::<Vec<_>>(), ["1\tone", "2\t"]);
        let numbers = TABLE.each(|[number, _]| number.parse::<u8>().ok());
        assert_eq!(numbers.sum::<u8>(), 3);
    }

    #[test]
    #[should_panic(expected = "data/some.tsv:2: expected 3 columns, found 2: \"1\\tone\"")]
    fn a_row_of_other_columns() {
        TABLE.rows::<3>().for_each(drop);
    }

    #[test]
    #[should_panic(expected = "data/some.tsv:4: expected what the head lists, found \"2\\t\"")]
    fn a_row_of_other_words() {
        TABLE.each(|[_, word]| (word == "one").then_some(())).for_each(drop);
    }
}
