//! Web addresses as filers type them, to ones that a browser opens.

/// The longest address that is kept; longer ones are pasted by mistake.
const WEBSITE_BYTES_MAX: usize = 500;

/// The longest host and label (RFC 1035).
const HOST_BYTES_MAX: usize = 253;
const LABEL_BYTES_MAX: usize = 63;

/// The web address in a typed text, with a scheme (`https://` where none was typed) and its host
/// in lower case; of several the first. `None` for `N/A`, `NONE`, e-mail addresses, and whatever has
/// no host with a dot.
pub fn website(typed: &str) -> Option<String> {
    typed.split_whitespace().find_map(address)
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
