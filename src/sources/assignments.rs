//! The table that says whose a feed or a report is: CSV with the header `file,ein` (or `feed,ein`) and, for reports,
//! perhaps `year` and `url` behind it; a line each with the path of the file, seen from the table's folder. A member of
//! a ZIP file has the ZIP's path in front.

use std::collections::BTreeMap;

use crate::record::Ein;
use crate::text::YEARS;

/// Bytes that the table may have: a hundred thousand files.
pub(super) const BYTES_MAX: u64 = 8 << 20;

/// Whose a file is, and for a report of which year and where it can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    pub ein: Ein,
    pub year: Option<i32>,
    pub url: Option<String>,
}

impl Assignment {
    /// One that tells the EIN alone.
    pub fn of(ein: Ein) -> Self {
        Self { ein, year: None, url: None }
    }
}

/// A column behind the first two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Year,
    Url,
}

/// Whether the beginning of a text is the table's.
pub(super) fn is_header(start: &[u8]) -> bool {
    let line = start.split(|byte| matches!(byte, b'\r' | b'\n')).next().unwrap_or_default();
    std::str::from_utf8(line).is_ok_and(|line| columns(line).is_some())
}

/// The columns of a header behind the first two; `None` where it is none of the table.
fn columns(line: &str) -> Option<Vec<Column>> {
    let names = line.split(',').map(|name| name.trim().trim_matches('"').to_ascii_lowercase());
    let mut names = names.collect::<Vec<_>>().into_iter();
    let first = names.next()?;
    let is_table = matches!(&*first, "feed" | "file") && names.next().as_deref() == Some("ein");
    let column = |name: String| match &*name {
        "year" => Some(Column::Year),
        "url" => Some(Column::Url),
        _ => None,
    };
    is_table.then(|| names.map(column).collect()).flatten()
}

/// Reads the table: the assignments of files, by their paths as written.
///
/// # Errors
/// The first line that is none, as a clause: a file must not end up with another's EIN.
pub(super) fn read(text: &str) -> Result<BTreeMap<String, Assignment>, String> {
    let mut assignments = BTreeMap::new();
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = (1_u64..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let more = lines.next().and_then(|(_, header)| columns(header)).unwrap_or_default();
    for (number, line) in lines {
        let (file, assignment) = row(line, &more).map_err(|expected| {
            let found: String = line.chars().take(80).collect();
            format!("line {number}: expected {expected}, found {found:?}")
        })?;
        let before = assignments.insert(file.clone(), assignment);
        if before.is_some_and(|before| assignments.get(&file) != Some(&before)) {
            return Err(format!("line {number}: {file:?} is listed with other values before"));
        }
    }
    Ok(assignments)
}

/// The file of a line and its assignment, or else the format that was expected.
fn row(line: &str, more: &[Column]) -> Result<(String, Assignment), &'static str> {
    const EXPECTED: &str =
        "the path of a file, a comma and its EIN, then a year and a URL where the header has them";
    let fields = fields(line);
    // A file's name may hold a comma, what stands behind it does not.
    let names =
        fields.len().checked_sub(more.len() + 1).filter(|names| *names > 0).ok_or(EXPECTED)?;
    let file = fields[..names].join(",").trim().to_owned();
    let ein = Ein::from_typed(fields[names].trim()).ok_or(EXPECTED)?;
    if file.is_empty() {
        return Err(EXPECTED);
    }
    let mut assignment = Assignment::of(ein);
    for (column, value) in more.iter().zip(&fields[names + 1..]) {
        let value = value.trim();
        match column {
            _ if value.is_empty() => {}
            Column::Year => {
                let year = value.parse().ok().filter(|year| YEARS.contains(year));
                assignment.year = Some(year.ok_or("a year of four digits")?);
            }
            Column::Url => {
                let is_address = value.starts_with("https://") || value.starts_with("http://");
                if !is_address || value.contains(|c: char| c.is_whitespace() || c.is_control()) {
                    return Err("an address that begins with https:// or http://");
                }
                assignment.url = Some(value.to_owned());
            }
        }
    }
    Ok((file, assignment))
}

/// The fields of a line, without their quotation marks.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut is_quoted) = (Vec::new(), String::new(), false);
    for c in line.trim().chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_to_eins() {
        let read = read(
            "feed,ein\r\n news.xml , 17-0000001\n\n\"a, b.xml\",170000002\nc, d.xml,170000003\n",
        );
        let read = read.unwrap();
        let eins: Vec<_> =
            read.iter().map(|(file, one)| (file.as_str(), one.ein.as_str())).collect();
        let expected =
            [("a, b.xml", "170000002"), ("c, d.xml", "170000003"), ("news.xml", "170000001")];
        assert_eq!(eins, expected);
    }

    #[test]
    fn years_and_addresses_of_reports() {
        for header in ["file,ein,year,url", "\u{feff}File, EIN, Year, URL"] {
            assert!(is_header(header.trim_start_matches('\u{feff}').as_bytes()), "{header}");
            let table = format!(
                "{header}\na.pdf,170000001,2024,\"https://example.org/a,b\"\nb.pdf,170000002,,\n"
            );
            let read = read(&table).unwrap();
            let (year, url) = (Some(2024), Some("https://example.org/a,b".to_owned()));
            assert_eq!(read["a.pdf"], Assignment { ein: "170000001".parse().unwrap(), year, url });
            assert_eq!(read["b.pdf"], Assignment::of("170000002".parse().unwrap()));
        }
        for none in ["file,ein,colour", "file", "name,ein", "ein,file"] {
            assert!(!is_header(none.as_bytes()), "{none}");
        }
        for (bad, expected) in [
            ("a.pdf,170000001,24,", "expected a year"),
            ("a.pdf,170000001,,javascript:x", "expected an address"),
            ("a.pdf,170000001", "expected the path"),
        ] {
            let error = read(&format!("file,ein,year,url\n{bad}\n")).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn lines_that_are_none() {
        for bad in ["a.xml,170000002", "news.xml", "news.xml,1", ",170000001", "news.xml;170000001"]
        {
            let error = read(&format!("feed,ein\na.xml,170000001\n{bad}\n")).unwrap_err();
            assert!(error.starts_with("line 3: "), "{error}");
        }
    }
}
