//! Texts within XML and HTML.

/// A text as XML and HTML have it, between tags and in quoted attributes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML 1.0 has no other control characters.
            control if control.is_control() && !matches!(control, '\t' | '\n' | '\r') => {}
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_markup_is_text() {
        assert_eq!(escaped("<b a=\"1\">&\u{0}\u{1b}\n"), "&lt;b a=&quot;1&quot;&gt;&amp;\n");
    }
}
