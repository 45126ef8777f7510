//! The header `Link` of a page of a list: the first page, the one before and the next, RFC 8288 and RFC 5988's relations.
//! Targets are queries alone, which hold wherever a proxy has put the path.

use form_urlencoded::Serializer;
use hyper::header::HeaderValue;

/// The parameter that numbers pages.
const PAGE: &str = "page";

/// Which page of a list an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PagePosition {
    /// From 1.
    pub(crate) page: u64,
    /// Rows of a page.
    pub(crate) size: u64,
    /// Rows of all pages.
    pub(crate) total: u64,
}

impl PagePosition {
    /// The header of an answer to a query; `None` where there is no other page.
    pub(crate) fn links(self, query: Option<&str>) -> Option<HeaderValue> {
        let Self { page, size, total } = self;
        let last = total.div_ceil(size.max(1)).max(1);
        let before = (page > 1).then(|| [("first", 1), ("prev", (page - 1).min(last))]);
        let next = (page < last).then(|| ("next", page + 1));
        let links = before.into_iter().flatten().chain(next);
        let link = |(relation, page)| format!("<?{}>; rel=\"{relation}\"", query_of(query, page));
        let links = links.map(link).collect::<Vec<_>>().join(", ");
        if links.is_empty() { None } else { HeaderValue::try_from(links).ok() }
    }
}

/// A query for another page.
fn query_of(query: Option<&str>, page: u64) -> String {
    let given = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let mut changed = Serializer::new(String::new());
    changed.extend_pairs(given.filter(|(name, _)| name != PAGE));
    changed.append_pair(PAGE, &page.to_string());
    changed.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_lead_to_their_neighbours() {
        for (page, total, query, expected) in [
            (1, 0, "", ""),
            (1, 10, "size=10", ""),
            (1, 11, "q=a+b&size=10", r#"<?q=a+b&size=10&page=2>; rel="next""#),
            (1, 11, "page=1&sdgs=1&sdgs=2", r#"<?sdgs=1&sdgs=2&page=2>; rel="next""#),
            (
                2,
                30,
                "page=2&q=%22%3E",
                r#"<?q=%22%3E&page=1>; rel="first", <?q=%22%3E&page=1>; rel="prev", <?q=%22%3E&page=3>; rel="next""#,
            ),
            (9, 11, "page=9", r#"<?page=1>; rel="first", <?page=2>; rel="prev""#),
            (u64::MAX, 0, "", r#"<?page=1>; rel="first", <?page=1>; rel="prev""#),
        ] {
            let links = PagePosition { page, size: 10, total }.links(Some(query));
            let links = links.as_ref().map_or("", |links| links.to_str().unwrap());
            assert_eq!(links, expected, "page {page} of {total}");
        }
    }
}
