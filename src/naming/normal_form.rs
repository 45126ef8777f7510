//! The normal form in which names, places and queries are compared.
//!
//! Lower case, compatibility decomposition without combining marks, apostrophes removed, `&` as a
//! word of its own, every other run of characters that are not alphanumeric as one blank, no blank
//! at either end. It is used at build and at query time alike; two texts are the same name exactly
//! when their normal forms are equal.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The normal form of a text. It is its own normal form.
pub fn normalise(text: &str) -> String {
    // An `&` without blanks around it grows by four bytes; this leaves room for a few.
    let mut form = String::with_capacity(text.len() + 8);
    normalise_into(text, &mut form);
    form
}

/// Writes the normal form of a text over what `form` held; allocates only when it must grow.
pub fn normalise_into(text: &str, form: &mut String) {
    form.clear();
    let mut writer = Writer { form, blank: false };
    if text.is_ascii() {
        for byte in text.bytes() {
            writer.push(char::from(byte.to_ascii_lowercase()));
        }
    } else {
        let plain = text.chars().flat_map(char::to_lowercase).nfkd();
        // Decomposition may bring capitals back (`℡`), and lower case a mark (`İ`).
        for c in plain.flat_map(char::to_lowercase).filter(|&c| !is_combining_mark(c)) {
            writer.push(c);
        }
    }
}

/// Writes lower-case characters, owing a blank until the next alphanumeric one.
struct Writer<'a> {
    form: &'a mut String,
    blank: bool,
}

impl Writer<'_> {
    #[inline]
    fn push(&mut self, c: char) {
        // One apostrophe (U+02BC) counts as a letter elsewhere.
        let other = || !c.is_ascii() && c.is_alphanumeric() && !is_apostrophe(c);
        if c.is_ascii_alphanumeric() || other() {
            self.pay();
            self.form.push(c);
        } else if c == '&' {
            self.blank = true;
            self.pay();
            self.form.push_str("and");
            self.blank = true;
        } else if !is_apostrophe(c) {
            self.blank = true;
        }
    }

    #[inline]
    fn pay(&mut self) {
        if std::mem::take(&mut self.blank) && !self.form.is_empty() {
            self.form.push(' ');
        }
    }
}

/// Apostrophes stand inside words and are dropped, not read as blanks.
pub fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '`' | '\u{2018}' | '\u{2019}' | '\u{2bc}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn normal_forms() {
        for (text, form) in [
            ("YMCA OF GREATER NEW YORK INC", "ymca of greater new york inc"),
            ("THE@COMPASS", "the compass"),
            ("A&B", "a and b"),
            ("A & B", "a and b"),
            ("& Co &", "and co and"),
            ("ST. MARY'S", "st marys"),
            ("O’Brien ‘x’ ʼy `z", "obrien x y z"),
            ("  4-H -- Club (Inc.) ", "4 h club inc"),
            ("Peña Ĳsland ﬁre №5 ℡", "pena ijsland fire no5 tel"),
            ("İstanbul STRAẞE", "istanbul straße"),
            ("東京 日本", "東京 日本"),
            ("", ""),
            (" -@- ", ""),
            ("'", ""),
        ] {
            assert_eq!(normalise(text), form, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn is_its_own_normal_form(text in "\\PC{0,40}") {
            let form = normalise(&text);
            prop_assert_eq!(&normalise(&form), &form);
            prop_assert_eq!(form.trim(), &form);
            prop_assert!(!form.contains("  "));
        }

        #[test]
        fn both_paths_agree(text in "[ -~]{0,40}") {
            // A mark alone takes the long way round and is dropped.
            let long = format!("{text}\u{301}");
            prop_assert_eq!(normalise(&long), normalise(&text));
        }

        #[test]
        fn overwrites_what_was_there(text in "\\PC{0,40}", before in "\\PC{0,9}") {
            let mut form = before;
            normalise_into(&text, &mut form);
            prop_assert_eq!(form, normalise(&text));
        }
    }
}
