//! The root element of an XML file: what tells a return from other XML and from what is none.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Namespace of every element of a return.
const NAMESPACE: &str = "http://www.irs.gov/efile";

/// The first element of an XML file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Local name, without a prefix.
    pub name: String,
    /// Its namespace, if it is in one.
    pub namespace: Option<String>,
}

impl Root {
    /// The name and namespace of a start tag that has none above it.
    pub(super) fn of(tag: &BytesStart<'_>) -> Self {
        let (name, prefix) = tag.name().decompose();
        let prefix = prefix.as_ref().map(AsRef::as_ref);
        let declaration = |key: &str| match prefix {
            None => key == "xmlns",
            Some(prefix) => key.strip_prefix("xmlns:") == Some(prefix),
        };
        let namespace = tag
            .attributes()
            .flatten()
            .find(|attribute| declaration(attribute.key.as_ref()))
            .map(|attribute| attribute.value.trim().to_owned());
        Self { name: name.as_ref().to_owned(), namespace }
    }

    /// Whether a file with this root is an e-file return.
    pub fn is_return(&self) -> bool {
        self.name == "Return" && self.namespace.as_deref() == Some(NAMESPACE)
    }
}

/// The first element in the head of a file, after a byte order mark, a declaration, comments,
/// processing instructions and a document type; `None` when there is none, or text before it.
/// An element that the head cuts off is none: give some KiB.
pub fn root(head: &[u8]) -> Option<Root> {
    let mut reader = Reader::from_reader(head);
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).ok()? {
            Event::Start(tag) | Event::Empty(tag) => return Some(Root::of(&tag)),
            Event::Text(text) if text.trim().is_empty() => {}
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => {}
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots() {
        let check = |head: &[u8], expected: Option<(&str, Option<&str>)>| {
            let found = root(head);
            let found = found.as_ref().map(|root| (root.name.as_str(), root.namespace.as_deref()));
            assert_eq!(found, expected, "{}", String::from_utf8_lossy(head));
        };
        let efile = Some(("Return", Some(NAMESPACE)));
        check(b"<Return xmlns=\"http://www.irs.gov/efile\">", efile);
        check(
            b"\xef\xbb\xbf<?xml version='1.0'?>\r\n<!-- a --><?b c?> \
              <Return xmlns='http://www.irs.gov/efile' a='b'><x",
            efile,
        );
        check(b"<e:Return xmlns='x' xmlns:e='http://www.irs.gov/efile'/>", efile);
        check(b"<Return xmlns:efile='http://www.irs.gov/efile'>", Some(("Return", None)));
        check(b"<f:Return xmlns:e='http://www.irs.gov/efile'>", Some(("Return", None)));
        check(b"<!DOCTYPE html><html lang=en>", Some(("html", None)));
        check(
            b"<svg xmlns='http://www.w3.org/2000/svg'>",
            Some(("svg", Some("http://www.w3.org/2000/svg"))),
        );
        check(b"EIN|NAME\n<Return>", None);
        check(b"", None);
        check(b"<?xml version='1.0'?>", None);
        check(b"<Return xmlns=\"http://www.irs", None);
        check(b"</Return>", None);
        check(b"\xff\xfe<\0R\0", None);
    }

    #[test]
    fn only_the_root_of_returns_is_theirs() {
        assert!(root(b"<Return xmlns='http://www.irs.gov/efile'/>").is_some_and(|r| r.is_return()));
        for head in [
            &b"<Return/>"[..],
            b"<Return xmlns='http://www.irs.gov/other'/>",
            b"<ReturnData xmlns='http://www.irs.gov/efile'/>",
        ] {
            assert!(!root(head).is_some_and(|root| root.is_return()), "{head:?}");
        }
    }
}
