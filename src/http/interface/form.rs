//! Forms that bodies bring, read whole: `application/x-www-form-urlencoded`, and `multipart/form-data` as RFC 7578
//! has it. What a field means is for the parameters that read it.

use std::borrow::Cow;

use memchr::memmem;

const URLENCODED: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// Parts of a multipart form: more than any endpoint has parameters.
pub const PARTS_MAX: usize = 16;
/// Bytes of the head of a part: room for its name, that of a file, and a type.
pub const PART_HEAD_BYTES_MAX: usize = 1024;
/// Bytes of a boundary, RFC 2046 5.1.1.
const BOUNDARY_BYTES_MAX: usize = 70;
/// Characters of what was found that an error tells.
const FOUND_CHARACTERS_MAX: usize = 100;

/// Names and values, in order.
pub(crate) type Fields<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Why a body is not read as a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FormError {
    /// Another type than those of forms.
    #[error("expected a body of {URLENCODED} or {MULTIPART}, found {found:?}")]
    Media { found: String },
    #[error(
        "expected a boundary of 1 to {BOUNDARY_BYTES_MAX} characters in Content-Type, found {found:?}"
    )]
    Boundary { found: String },
    #[error("expected parts between lines of --{boundary}, found no such line")]
    NoBoundary { boundary: String },
    #[error("expected at most {PARTS_MAX} parts, found more")]
    TooMany,
    #[error(
        "part {part}: expected a head of at most {PART_HEAD_BYTES_MAX} bytes and an empty line behind it"
    )]
    Head { part: usize },
    #[error("part {part}: expected Content-Disposition: form-data with a name, found {found:?}")]
    Name { part: usize, found: String },
    #[error("part {part}: expected the boundary behind it, found the end of the body")]
    Unended { part: usize },
}

impl FormError {
    /// What the status says that it is answered with.
    pub(crate) fn title(&self) -> &'static str {
        match self {
            Self::Media { .. } => "Unsupported Media Type",
            _ => "Bad Request",
        }
    }
}

/// The fields of a body of that `Content-Type`; none of an empty body that names no type.
pub(crate) fn fields<'a>(
    content_type: Option<&str>,
    body: &'a [u8],
) -> Result<Fields<'a>, FormError> {
    let Some(content_type) = content_type else {
        let found = String::new();
        return if body.is_empty() { Ok(Vec::new()) } else { Err(FormError::Media { found }) };
    };
    let media = content_type.split(';').next().unwrap_or_default().trim();
    if media.eq_ignore_ascii_case(URLENCODED) {
        return Ok(form_urlencoded::parse(body).collect());
    }
    if !media.eq_ignore_ascii_case(MULTIPART) {
        return Err(FormError::Media { found: shortened(media) });
    }
    let boundary = parameter(content_type, "boundary").unwrap_or_default();
    if (1..=BOUNDARY_BYTES_MAX).contains(&boundary.len()) {
        multipart(body, &boundary)
    } else {
        Err(FormError::Boundary { found: shortened(&boundary) })
    }
}

/// The fields of a body whose parts stand between lines of a boundary. What is before the first and behind the
/// last is nothing.
fn multipart<'a>(body: &'a [u8], boundary: &str) -> Result<Fields<'a>, FormError> {
    let no_boundary = || FormError::NoBoundary { boundary: boundary.to_owned() };
    let between = format!("\r\n--{boundary}");
    let between = memmem::Finder::new(&between);
    // The first line of it may begin the body.
    let first = &between.needle()[2..];
    let mut rest = match body.strip_prefix(first) {
        Some(rest) => rest,
        None => split(body, &between).ok_or_else(no_boundary)?.1,
    };
    let mut fields = Vec::new();
    while !rest.starts_with(b"--") {
        let part = fields.len() + 1;
        if part > PARTS_MAX {
            return Err(FormError::TooMany);
        }
        // Blanks may follow a boundary.
        let (_, line_end) =
            rest.split_at(rest.iter().take_while(|byte| b" \t".contains(byte)).count());
        if !line_end.starts_with(b"\r\n") {
            return Err(no_boundary());
        }
        let head_max = line_end.len().min(PART_HEAD_BYTES_MAX);
        let blank_line = memmem::Finder::new(b"\r\n\r\n");
        let (head, _) =
            split(&line_end[..head_max], &blank_line).ok_or(FormError::Head { part })?;
        let content = &line_end[head.len() + blank_line.needle().len()..];
        let name = name(head).map_err(|found| FormError::Name { part, found })?;
        let (value, behind) = split(content, &between).ok_or(FormError::Unended { part })?;
        fields.push((Cow::Owned(name), String::from_utf8_lossy(value)));
        rest = behind;
    }
    Ok(fields)
}

/// What stands before and behind the first of what a finder finds.
fn split<'a>(bytes: &'a [u8], finder: &memmem::Finder<'_>) -> Option<(&'a [u8], &'a [u8])> {
    let at = finder.find(bytes)?;
    Some((&bytes[..at], &bytes[at + finder.needle().len()..]))
}

/// The name of the part of a head, or what stands there in its place.
fn name(head: &[u8]) -> Result<String, String> {
    let head = String::from_utf8_lossy(head);
    let headers = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let disposition = headers
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"))
        .map(|(_, value)| value.trim())
        .next()
        .unwrap_or_default();
    let kind = disposition.split(';').next().unwrap_or_default();
    let name = parameter(disposition, "name").filter(|name| !name.is_empty());
    name.filter(|_| kind.trim().eq_ignore_ascii_case("form-data"))
        .ok_or_else(|| shortened(disposition))
}

/// A parameter of a header's value, `form-data; name="a;b"`, RFC 9110 5.6.6.
fn parameter(header: &str, name: &str) -> Option<String> {
    let (_, mut rest) = header.split_once(';')?;
    loop {
        let (key, behind) = rest.split_once('=')?;
        let (value, after) = parameter_value(behind.trim_start());
        // What stands before another semicolon has no value.
        if key.rsplit(';').next()?.trim().eq_ignore_ascii_case(name) {
            return Some(value);
        }
        (_, rest) = after.split_once(';')?;
    }
}

/// A token or a quoted text, and what follows it.
fn parameter_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (token, rest) = text.split_at(text.find(';').unwrap_or(text.len()));
        return (token.trim_end().to_owned(), rest);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => value.push(character),
        }
    }
    (value, "")
}

/// The beginning of what was found, for an error.
fn shortened(text: &str) -> String {
    text.chars().take(FOUND_CHARACTERS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TYPE: &str = "multipart/form-data; boundary=b";

    fn read(content_type: &str, body: &str) -> Result<Vec<(String, String)>, String> {
        let owned = |fields: Fields<'_>| {
            let fields = fields.into_iter();
            fields.map(|(name, value)| (name.into_owned(), value.into_owned())).collect()
        };
        let fields = fields(Some(content_type), body.as_bytes());
        fields.map(owned).map_err(|error| error.to_string())
    }

    #[test]
    fn forms_of_both_types() {
        let part = "Content-Disposition: form-data; name=";
        for (content_type, body, expected) in [
            (
                "application/x-www-form-urlencoded",
                "a=1+2&b=%7B%7D",
                &[("a", "1 2"), ("b", "{}")][..],
            ),
            ("Application/X-WWW-Form-Urlencoded; charset=UTF-8", "a=1", &[("a", "1")]),
            ("application/x-www-form-urlencoded", "", &[]),
            (TYPE, &format!("--b\r\n{part}\"a\"\r\n\r\n1\r\n--b--\r\n"), &[("a", "1")]),
            (TYPE, &format!("before\r\n--b \t\r\n{part}a\r\n\r\n\r\n--b--behind"), &[("a", "")]),
            (
                "multipart/form-data; charset=utf-8; boundary=\"x y\"",
                &format!(
                    "--x y\r\nContent-Type: text/plain\r\n{part}\"a\\\"b;c\"; filename=\"f\"\r\n\r\n1\r\n2\r\n--x y\
                     \r\n{}\r\n\r\n{{}}\r\n--x y--",
                    part.to_ascii_lowercase() + "queries"
                ),
                &[("a\"b;c", "1\r\n2"), ("queries", "{}")],
            ),
            (TYPE, "--b--", &[]),
        ] {
            let expected =
                expected.iter().map(|(name, value)| (name.to_string(), value.to_string()));
            assert_eq!(read(content_type, body), Ok(expected.collect()), "{body}");
        }
        assert_eq!(fields(None, b""), Ok(Vec::new()));
        assert!(matches!(fields(None, b"a=1"), Err(FormError::Media { .. })));
    }

    #[test]
    fn what_is_no_form_is_told() {
        let part = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\n";
        let long = format!("--b\r\nX: {}\r\n\r\n1\r\n--b--", "x".repeat(PART_HEAD_BYTES_MAX));
        let many = format!("{part}1\r\n").repeat(PARTS_MAX + 1);
        for (content_type, body, expected) in [
            ("text/plain", "a=1", "multipart/form-data, found \"text/plain\""),
            ("multipart/form-data", "--b--", "1 to 70 characters in Content-Type, found \"\""),
            (&format!("{TYPE}{}", "b".repeat(70)), "", "1 to 70 characters"),
            (TYPE, "", "lines of --b, found no such line"),
            (TYPE, "--bc\r\n", "lines of --b, found no such line"),
            (TYPE, "--b\r\nX: 1", "part 1: expected a head of at most 1024 bytes"),
            (TYPE, &long, "part 1: expected a head of at most 1024 bytes"),
            (TYPE, "--b\r\n\r\n1\r\n--b--", "part 1: expected Content-Disposition: form-data"),
            (
                TYPE,
                "--b\r\nContent-Disposition: file; name=a\r\n\r\n1\r\n--b--",
                "with a name, found \"file; name=a\"",
            ),
            (TYPE, &format!("{part}1\r\n{part}"), "part 2: expected the boundary behind it"),
            (TYPE, &many, "expected at most 16 parts, found more"),
        ] {
            let error = read(content_type, body).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_body_is_read_or_refused(content_type in ".*", body: Vec<u8>) {
            let _ = fields(Some(&content_type), &body);
            let _ = fields(Some(TYPE), &body);
        }

        #[test]
        fn pieces_of_forms_are_read_or_refused(
            pieces in prop::collection::vec(
                prop::sample::select(vec![
                    "--b", "--", "\r\n", ":", ";", "=", "\"", "\\", " ", "Content-Disposition", "form-data", "name", "a",
                ]),
                0..40,
            )
        ) {
            let _ = read(TYPE, &pieces.concat());
            let _ = read(&pieces.concat(), &pieces.concat());
        }

        #[test]
        fn parts_come_back_as_they_were_sent(values in prop::collection::vec("[^b]*", 0..PARTS_MAX)) {
            let part = |(at, value): (usize, &String)| {
                format!("--b\r\nContent-Disposition: form-data; name=\"n{at}\"\r\n\r\n{value}\r\n")
            };
            let body = values.iter().enumerate().map(part).collect::<String>() + "--b--\r\n";
            let expected = values.iter().enumerate();
            let expected = expected.map(|(at, value)| (format!("n{at}"), value.clone())).collect();
            prop_assert_eq!(read(TYPE, &body), Ok(expected));
        }
    }
}
