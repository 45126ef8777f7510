//! Templates: texts with words in braces.

/// Appends a text, and what `put` appends for each word in braces.
pub(super) fn fill(out: &mut String, text: &str, mut put: impl FnMut(&mut String, &str)) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((word, after)) = after.split_once('}') else {
            return;
        };
        put(out, word);
        rest = after;
    }
    out.push_str(rest);
}
