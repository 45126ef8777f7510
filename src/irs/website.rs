//! Web addresses as filers type them, to ones that a browser opens.

use std::sync::LazyLock;

use crate::table::table;

/// The longest address that is kept; longer ones are pasted by mistake.
const WEBSITE_BYTES_MAX: usize = 500;

/// The longest host and label (RFC 1035).
const HOST_BYTES_MAX: usize = 253;
const LABEL_BYTES_MAX: usize = 63;

/// Ends of hosts by which an address is known among other words; an address alone may have any.
static USUAL_ENDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| table!("data/website_ends.txt").lines().collect());

/// Of these, such as a blank within `com` leaves.
const CUT_ENDS: [&str; 2] = ["co", "me"];

/// The web address in a typed text, with a scheme (`https://` where none was typed) and its host
/// in lower case; of several the first. Blanks within one are left out: `example.or g`. `None` for
/// `N/A`, `NONE`, e-mail addresses, and whatever has no host with a dot.
pub fn website(typed: &str) -> Option<String> {
    let words: Vec<&str> = typed.split_whitespace().collect();
    if let [only] = words[..] {
        return address(only);
    }
    let is_whole = |word: &&&str| ends_as_usual(word, &CUT_ENDS);
    let among = words.iter().filter(is_whole).find_map(|word| address(word));
    let joined = words.concat();
    let joined = address(&joined).filter(|_| ends_as_usual(&joined, &[]));
    // A first word that begins an address and does not end it goes on in the next.
    let is_begun = words.first().is_some_and(|first| {
        let first = first.to_lowercase();
        (first.starts_with("http") || first.starts_with("www.")) && !is_whole(&&&*first)
    });
    if is_begun { joined.or(among) } else { among.or(joined) }
}

/// Whether a host ends as most do, and not in one of `except`.
fn ends_as_usual(word: &str, except: &[&str]) -> bool {
    let (_, rest) = split_scheme(word);
    let host = rest.split(['/', '?', '#', ':', ',', ';', ')', '>']).next().unwrap_or_default();
    let end = host.trim_end_matches('.').rsplit('.').next().unwrap_or_default().to_lowercase();
    USUAL_ENDS.contains(&&*end) && !except.contains(&&*end)
}

fn address(word: &str) -> Option<String> {
    let around = |c: char| matches!(c, '<' | '>' | '(' | ')' | '[' | ']' | '"' | '\'' | ',' | ';');
    let word = word.trim_matches(around).trim_end_matches('.');
    if word.len() > WEBSITE_BYTES_MAX {
        return None;
    }
    let (scheme, rest) = split_scheme(word);
    let split = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(split);
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let host = host.trim_end_matches('.').to_lowercase();
    let good_port = port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    let good_path = path.chars().all(|c| c.is_alphanumeric() || PATH_MARKS.contains(c));
    if !good_port || !good_path || !is_host(&host) {
        return None;
    }
    let colon = if port.is_empty() { "" } else { ":" };
    let path = if path == "/" { "" } else { path };
    Some(format!("{scheme}{host}{colon}{port}{path}"))
}

/// Marks that a path, a query or a fragment may hold (RFC 3986).
const PATH_MARKS: &str = "/?#-._~%!$&'()*+,;=:@[]";

/// The scheme, also misspelt (`http:/`, `HTTP//`), and what follows.
fn split_scheme(word: &str) -> (&'static str, &str) {
    for (name, scheme) in [("https", "https://"), ("http", "http://")] {
        let Some((head, tail)) = word.split_at_checked(name.len()) else { continue };
        let rest = tail.trim_start_matches([':', '/']);
        if head.eq_ignore_ascii_case(name) && rest.len() < tail.len() {
            return (scheme, rest);
        }
    }
    ("https://", word)
}

fn is_host(host: &str) -> bool {
    let label = |label: &str| {
        (1..=LABEL_BYTES_MAX).contains(&label.len())
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let Some((_, top)) = host.rsplit_once('.') else { return false };
    host.len() <= HOST_BYTES_MAX
        && host.split('.').all(label)
        && top.chars().count() >= 2
        && top.chars().next().is_some_and(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_addresses() {
        for (typed, expected) in [
            ("https://example.or g", "https://example.org"),
            ("www.exam ple.com", "https://www.example.com"),
            ("example.co m", "https://example.com"),
            ("example.org and other.org", "https://example.org"),
            ("see (example.org) or call", "https://example.org"),
            ("http:// www.example.org", "http://www.example.org"),
            ("WWW.Example.ORG", "https://www.example.org"),
            ("http://Example.org/", "http://example.org"),
            ("HTTPS://example.org/Path?q=1#top", "https://example.org/Path?q=1#top"),
            ("http//example.org", "http://example.org"),
            ("http:/example.org", "http://example.org"),
            ("https.example.org", "https://https.example.org"),
            (" <example.org> ", "https://example.org"),
            ("example.org.", "https://example.org"),
            ("example.org:8080/x", "https://example.org:8080/x"),
            ("facebook.com/@Friends", "https://facebook.com/@Friends"),
            ("NONE example.org", "https://example.org"),
            ("WWW.a.org; www.b.org", "https://www.a.org"),
            ("someone@example.org example.org", "https://example.org"),
            ("café.example", "https://café.example"),
        ] {
            assert_eq!(website(typed).as_deref(), Some(expected), "{typed:?}");
        }
    }

    #[test]
    fn what_is_no_address() {
        for typed in [
            "",
            "N/A",
            "n/a",
            "NA",
            "NONE",
            "none.",
            "0",
            ".",
            "someone@example.org",
            "mailto:someone@example.org",
            "http://",
            "javascript:alert(1)",
            "ftp://example.org",
            "10.0.0.1",
            "www",
            "http://user:pass@example.org",
            "-a.org",
            "a..org",
            "exa_mple.org/\u{202e}",
            "example.org/<script>",
            "example.org:http",
            "n.a",
        ] {
            assert_eq!(website(typed), None, "{typed:?}");
        }
        assert_eq!(website(&format!("example.org/{}", "x".repeat(600))), None);
    }
}
