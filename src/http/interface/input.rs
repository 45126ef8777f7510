//! What a request brings: the value in its path, its query string and its headers, decoded.

use std::borrow::Cow;

use hyper::HeaderMap;

use super::form::Fields;

/// The parts of a request that parameters are read from.
#[derive(Debug)]
pub(crate) struct Input<'a> {
    path_value: Option<Cow<'a, str>>,
    query: Fields<'a>,
    has_form: bool,
    headers: &'a HeaderMap,
}

impl<'a> Input<'a> {
    /// Takes the path's value and the query string as they were sent, percent-encoded. A `%` that
    /// starts no escape stands for itself; bytes that are not UTF-8 become U+FFFD.
    pub(crate) fn new(
        path_value: Option<&'a str>,
        query: Option<&'a str>,
        headers: &'a HeaderMap,
    ) -> Self {
        let path_value =
            path_value.map(|value| percent_encoding::percent_decode_str(value).decode_utf8_lossy());
        let query = form_urlencoded::parse(query.unwrap_or_default().as_bytes()).collect();
        Self { path_value, query, has_form: false, headers }
    }

    /// The same with the values of a form behind those of the query.
    pub(crate) fn with_form(mut self, form: Fields<'a>) -> Self {
        self.query.extend(form);
        self.has_form = true;
        self
    }

    /// Whether the body brought a form, be it an empty one.
    pub(crate) fn has_form(&self) -> bool {
        self.has_form
    }

    /// The value that stands in the path.
    pub(crate) fn path_value(&self) -> Option<&str> {
        self.path_value.as_deref()
    }

    /// The last value of that name in the query: of a scalar given twice the last one counts.
    pub(crate) fn last(&self, name: &str) -> Option<&str> {
        self.query.iter().rev().find(|(one, _)| one == name).map(|(_, value)| &**value)
    }

    /// Every value of that name in the query, in order.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.query.iter().filter(move |(one, _)| one == name).map(|(_, value)| &**value)
    }

    /// The names in the query, in order.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.query.iter().map(|(name, _)| &**name)
    }

    /// A header's first value.
    pub(crate) fn header(&self, name: &str) -> Option<Cow<'_, str>> {
        self.headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn decoding() {
        for (raw, query, path) in [
            ("a+b", "a b", "a+b"),
            ("a%20b%2B", "a b+", "a b+"),
            ("100%", "100%", "100%"),
            ("%4", "%4", "%4"),
            ("%zz%41", "%zzA", "%zzA"),
            ("%FF%FE", "\u{FFFD}\u{FFFD}", "\u{FFFD}\u{FFFD}"),
            ("%F0%9F%8C%BB", "🌻", "🌻"),
            ("%00", "\0", "\0"),
        ] {
            let (headers, pair) = (HeaderMap::new(), format!("q={raw}"));
            let input = Input::new(Some(raw), Some(&pair), &headers);
            assert_eq!((input.path_value(), input.last("q")), (Some(path), Some(query)));
        }
    }

    #[test]
    fn queries() {
        let headers = HeaderMap::new();
        let input = Input::new(Some("12%2F3"), Some("a=1&b&a=2=3&&%61=4&c="), &headers);
        assert_eq!(input.path_value(), Some("12/3"));
        assert_eq!(input.last("a"), Some("4"));
        assert_eq!(input.all("a").collect::<Vec<_>>(), ["1", "2=3", "4"]);
        assert_eq!((input.last("b"), input.last("c"), input.last("d")), (Some(""), Some(""), None));
    }

    proptest! {
        #[test]
        fn any_query_is_decoded(text in ".*") {
            let headers = HeaderMap::new();
            let input = Input::new(Some(&text), Some(&text), &headers);
            prop_assert!(input.path_value().is_some());
        }

        #[test]
        fn encoding_is_undone(bytes: Vec<u8>) {
            let encoded: String = form_urlencoded::byte_serialize(&bytes).collect();
            let (headers, pair) = (HeaderMap::new(), format!("q={encoded}"));
            let input = Input::new(None, Some(&pair), &headers);
            prop_assert_eq!(input.last("q"), Some(&*String::from_utf8_lossy(&bytes)));
        }
    }
}
