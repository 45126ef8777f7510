//! Headers by which a client says what it prefers: names with weights, RFC 9110 12.4.2.

use hyper::HeaderMap;
use hyper::header::HeaderName;

/// Names that one header may list; what is behind them is not looked at.
const NAMES_MAX: usize = 32;

/// What a client prefers.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Preference {
    /// Names in lower case without parameters, and their weights in thousandths.
    pub(crate) names: Vec<(String, u16)>,
}

/// Reads a header; what is malformed has the weight 0.
pub(crate) fn preference(headers: &HeaderMap, name: HeaderName) -> Preference {
    let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    let items = values.flat_map(|value| value.split(',')).take(NAMES_MAX);
    let names = items.filter_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        let name = parts.next().filter(|name| !name.is_empty())?.to_ascii_lowercase();
        let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
        let weight = weight.map_or(Some(1.0), |weight| weight.parse::<f32>().ok());
        let weight = weight.filter(|weight| (0.0..=1.0).contains(weight)).unwrap_or(0.0);
        Some((name, (weight * 1000.0).round() as u16))
    });
    Preference { names: names.collect() }
}

#[cfg(test)]
mod tests {
    use hyper::header::ACCEPT;

    use super::*;

    #[test]
    fn weights() {
        for (sent, names) in [
            ("text/csv", vec![("text/csv", 1000)]),
            ("Text/CSV;q=0.5, */*;q=0.1", vec![("text/csv", 500), ("*/*", 100)]),
            ("a;q=2, b;q=x, ,c; v=1; q=0", vec![("a", 0), ("b", 0), ("c", 0)]),
            ("", vec![]),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, sent.parse().unwrap());
            let found = preference(&headers, ACCEPT).names;
            let found: Vec<_> = found.iter().map(|(name, weight)| (&**name, *weight)).collect();
            assert_eq!(found, names, "{sent}");
        }
    }
}
