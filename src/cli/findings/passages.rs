//! Where findings stand in the passages of a report: marks on their words, and rows of passages with the findings that
//! belong beside them.

use std::ops::Range;

use super::finding::Finding;
use crate::http::escaped;
use crate::record::Passage;

/// Words of a passage that a finding was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    /// In bytes of the passage.
    pub(super) range: Range<usize>,
    /// The member that they are.
    pub(super) member: &'static str,
}

/// The passages of a report in rows: what a story was made of is one row.
pub(super) struct Rows {
    /// Of each passage.
    marks: Vec<Vec<Mark>>,
    /// Whether the next passage is in the same row.
    goes_on: Vec<bool>,
    /// The passage beside which each finding stands: the last where its words are not found.
    begins: Vec<usize>,
}

impl Rows {
    pub(super) fn of(passages: &[Passage], findings: &[Finding<'_>]) -> Self {
        let mut rows = Self {
            marks: vec![Vec::new(); passages.len()],
            goes_on: vec![false; passages.len()],
            begins: Vec::new(),
        };
        for finding in findings {
            let found: Vec<usize> = finding
                .words()
                .into_iter()
                .filter_map(|(member, words)| rows.mark(passages, finding, member, words))
                .collect();
            let last = passages.len().saturating_sub(1);
            let first = found.iter().min().copied().unwrap_or(last);
            rows.goes_on[first..found.iter().max().copied().unwrap_or(first)].fill(true);
            rows.begins.push(first);
        }
        rows
    }

    /// Marks words where they first stand; the number of that passage.
    fn mark(
        &mut self,
        passages: &[Passage],
        finding: &Finding<'_>,
        member: &'static str,
        words: &str,
    ) -> Option<usize> {
        let sentence = finding.sentence().unwrap_or(words);
        let place = |text: &str| {
            let start = text.find(sentence)?;
            let within = sentence.find(words).map_or(0..sentence.len(), |at| at..at + words.len());
            Some(start + within.start..start + within.end)
        };
        let mut numbered = passages.iter().enumerate();
        let (number, range) =
            numbered.find_map(|(number, one)| Some((number, place(&one.text)?)))?;
        self.marks[number].push(Mark { range, member });
        Some(number)
    }

    pub(super) fn marks(&self, passage: usize) -> &[Mark] {
        &self.marks[passage]
    }

    /// The rows, each with the numbers of its passages.
    pub(super) fn all(&self) -> Vec<Range<usize>> {
        let mut start = 0;
        let ends = (0..self.goes_on.len()).filter(|&number| !self.goes_on[number]);
        ends.map(|end| std::mem::replace(&mut start, end + 1)..end + 1).collect()
    }

    /// Numbers of the findings that begin in a row.
    pub(super) fn beginning_in(&self, row: &Range<usize>) -> Vec<usize> {
        let is_here = |&finding: &usize| row.contains(&self.begins[finding]);
        (0..self.begins.len()).filter(is_here).collect()
    }
}

/// A text as HTML with its marks, which may lie over each other.
pub(super) fn marked(text: &str, marks: &[Mark]) -> String {
    let mut cuts: Vec<usize> =
        marks.iter().flat_map(|mark| [mark.range.start, mark.range.end]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut html = String::new();
    for (start, end) in cuts.iter().zip(&cuts[1..]) {
        let covers = |mark: &&Mark| mark.range.start <= *start && *end <= mark.range.end;
        let members: Vec<&str> = marks.iter().filter(covers).map(|mark| mark.member).collect();
        let piece = escaped(&text[*start..*end]);
        html += &match members.is_empty() {
            true => piece,
            false => format!("<mark title=\"{}\">{piece}</mark>", members.join(", ")),
        };
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_lie_over_each_other_and_nothing_is_markup() {
        let mark = |range, member| Mark { range, member };
        for (text, marks, expected) in [
            ("a <b> \"c\"", vec![], "a &lt;b&gt; &quot;c&quot;"),
            (
                "<i>five</i>",
                vec![mark(3..7, "metric_text")],
                "&lt;i&gt;<mark title=\"metric_text\">five</mark>&lt;/i&gt;",
            ),
            (
                "abcd",
                vec![mark(0..3, "before_state"), mark(1..4, "metric_text")],
                "<mark title=\"before_state\">a</mark><mark title=\"before_state, metric_text\">bc</mark>\
                 <mark title=\"metric_text\">d</mark>",
            ),
            ("", vec![], ""),
        ] {
            assert_eq!(marked(text, &marks), expected, "{text}");
        }
    }
}
