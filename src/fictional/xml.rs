//! Writes the XML of one return: elements, text and what must be escaped in it.

use std::fmt::Display;

/// How texts are written: some filers use nothing but capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    AsTyped,
    Capitals,
}

/// The XML so far; elements that are open are closed in turn.
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
    case: Case,
}

impl Xml {
    pub(super) fn new(case: Case) -> Self {
        let declaration = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
        Self { text: declaration.to_owned(), open: Vec::new(), case }
    }

    fn indent(&mut self) {
        self.text.extend(std::iter::repeat_n("  ", self.open.len()));
    }

    /// Opens an element; the attributes are written as they are, after a blank.
    pub(super) fn open(&mut self, name: &'static str, attributes: &str) {
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        if !attributes.is_empty() {
            self.text.push(' ');
            self.text.push_str(attributes);
        }
        self.text.push_str(">\n");
        self.open.push(name);
    }

    /// Closes the element that was opened last.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            self.text.push_str(&format!("</{name}>\n"));
        }
    }

    /// An element with others in it.
    pub(super) fn group(&mut self, name: &'static str, inside: impl FnOnce(&mut Self)) {
        self.open(name, "");
        inside(self);
        self.close();
    }

    /// An element with a code, number or date.
    pub(super) fn leaf(&mut self, name: &str, value: impl Display) {
        self.leaf_with(name, "", value);
    }

    /// The same, with attributes as they are.
    pub(super) fn leaf_with(&mut self, name: &str, attributes: &str, value: impl Display) {
        self.indent();
        let blank = if attributes.is_empty() { "" } else { " " };
        self.text.push_str(&format!("<{name}{blank}{attributes}>"));
        for character in value.to_string().chars() {
            match character {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                other => self.text.push(other),
            }
        }
        self.text.push_str(&format!("</{name}>\n"));
    }

    /// An element with words, in the case of the return.
    pub(super) fn words(&mut self, name: &str, words: &str) {
        match self.case {
            Case::AsTyped => self.leaf(name, words),
            Case::Capitals => self.leaf(name, words.to_uppercase()),
        }
    }

    /// The whole, with everything closed.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_nested_and_text_is_escaped() {
        let mut xml = Xml::new(Case::Capitals);
        xml.open("A", "b=\"c\"");
        xml.group("D", |xml| xml.words("E", "x & <y>"));
        xml.leaf("F", -5);
        let expected = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<A b=\"c\">\n  <D>\n    \
             <E>X &amp; &lt;Y&gt;</E>\n  </D>\n  <F>-5</F>\n</A>\n";
        assert_eq!(xml.finish(), expected);
    }
}
