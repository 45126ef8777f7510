//! Addresses that may be shown as links: `http` and `https`, and nothing that a browser would run.

/// The longest address that is kept; browsers and servers commonly refuse longer ones.
const ADDRESS_BYTES_MAX: usize = 2048;

/// What is expected of an address.
pub(super) const EXPECTED: &str =
    "an address that begins with http:// or https://, of at most 2,048 bytes";

/// The address, trimmed, if it may be shown as a link.
pub(super) fn address(text: &str) -> Option<&str> {
    let text = text.trim();
    let rest = after_scheme(text)?;
    let host = &rest[..rest.find(['/', '?', '#']).unwrap_or(rest.len())];
    // A backslash is a slash to browsers; the others end an attribute or hide what follows.
    let hostile = |c: char| c.is_whitespace() || c.is_control() || "<>\"\\`".contains(c);
    let good = text.len() <= ADDRESS_BYTES_MAX
        && host.chars().next().is_some_and(|first| first.is_alphanumeric() || first == '[')
        && !host.contains('@')
        && !text.contains(hostile);
    good.then_some(text)
}

fn after_scheme(text: &str) -> Option<&str> {
    ["https://", "http://"].into_iter().find_map(|scheme| {
        let (head, rest) = text.split_at_checked(scheme.len())?;
        head.eq_ignore_ascii_case(scheme).then_some(rest)
    })
}

/// The host of an address that [`address`] lets pass, without `www.` and `m.`, in lower case.
pub(super) fn host(address: &str) -> String {
    let rest = after_scheme(address).unwrap_or_default();
    let host = rest[..rest.find(['/', '?', '#', ':']).unwrap_or(rest.len())].to_ascii_lowercase();
    let bare = host.strip_prefix("www.").or_else(|| host.strip_prefix("m.")).unwrap_or(&host);
    bare.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_browser_may_open() {
        for (text, expected) in [
            ("https://example.org/a?b=c#d", Some("https://example.org/a?b=c#d")),
            (" HTTP://Example.org ", Some("HTTP://Example.org")),
            ("https://bücher.example/é", Some("https://bücher.example/é")),
            ("https://example.org:8080", Some("https://example.org:8080")),
            ("https://example.org/@friends", Some("https://example.org/@friends")),
            ("http://[::1]/", Some("http://[::1]/")),
            ("", None),
            ("https://", None),
            ("https:///path", None),
            ("http:example.org", None),
            ("www.example.org", None),
            ("//example.org", None),
            ("javascript:alert(1)", None),
            ("JavaScript:alert('https://example.org')", None),
            ("data:text/html,hello", None),
            ("ftp://example.org", None),
            ("mailto:someone@example.org", None),
            ("https://example.org@other.example/", None),
            ("https://exa mple.org", None),
            ("https://example.org/\"onclick=x", None),
            ("https://example.org/<b>", None),
            ("https://example.org\\@other.example", None),
            ("https://example.org/a\nb", None),
            ("日本語日本語", None),
        ] {
            assert_eq!(address(text), expected, "{text:?}");
        }
        let long = format!("https://example.org/{}", "x".repeat(2028));
        assert_eq!(address(&long), Some(long.as_str()));
        assert_eq!(address(&(long + "x")), None);
    }

    #[test]
    fn hosts() {
        for (text, expected) in [
            ("https://www.YouTube.com/watch?v=1", "youtube.com"),
            ("http://m.example.org:80", "example.org"),
            ("nothing", ""),
        ] {
            assert_eq!(host(text), expected, "{text:?}");
        }
    }
}
