//! Pages of a report that list its contents: their numbers are those of pages.

use std::collections::BTreeSet;

use crate::record::Passage;

/// A table of contents stands on one of the first pages.
const PAGE_MAX: u32 = 6;
/// Entries that make one, and words that the title of an entry has at most.
const ENTRIES_MIN: usize = 4;
const TITLE_WORDS_MAX: usize = 8;
/// Digits of the number of a page.
const DIGITS_MAX: usize = 3;
/// Two facing pages may be one page of a PDF.
const PAGES_OF_A_SPREAD: u32 = 2;
/// At most one entry in four may have a lower page number than the entry before it, as at the top of a second column.
const DESCENTS_ONE_IN: usize = 4;

/// The pages on which titles stand with the numbers of their pages, most of them rising.
pub(super) fn pages_of_contents(passages: &[Passage]) -> BTreeSet<u32> {
    let last = passages.iter().map(|passage| passage.page).max().unwrap_or_default();
    let lists_contents = |page: u32, passages: &[Passage]| {
        let pieces = passages.iter().flat_map(|passage| passage.text.split('|'));
        let numbers: Vec<u32> = pieces.filter_map(number_of_entry).collect();
        let are_pages =
            numbers.iter().all(|number| (page..=last * PAGES_OF_A_SPREAD).contains(number));
        let descents = numbers.windows(2).filter(|pair| pair[0] >= pair[1]).count();
        numbers.len() >= ENTRIES_MIN && are_pages && descents * DESCENTS_ONE_IN <= numbers.len()
    };
    let pages = passages.chunk_by(|one, next| one.page == next.page);
    pages
        .map(|passages| (passages[0].page, passages))
        .take_while(|(page, _)| *page <= PAGE_MAX)
        .filter(|(page, passages)| lists_contents(*page, passages))
        .map(|(page, _)| page)
        .collect()
}

/// The number of `21 Research` or `Research ..... 21`.
fn number_of_entry(piece: &str) -> Option<u32> {
    let words: Vec<&str> =
        piece.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).collect();
    let is_number =
        |word: &&str| word.len() <= DIGITS_MAX && word.bytes().all(|byte| byte.is_ascii_digit());
    let (number, title) = match &words[..] {
        [number, title @ ..] if is_number(number) => (number, title),
        [title @ .., number] if is_number(number) => (number, title),
        _ => return None,
    };
    let is_title = title.first()?.starts_with(char::is_uppercase)
        && title.len() <= TITLE_WORDS_MAX
        && !piece.trim_end().ends_with(['.', '!', '?']);
    if is_title { number.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::PassageKind;

    fn pages(texts: &[(u32, &str)]) -> Vec<u32> {
        let passage = |(page, text): &(u32, &str)| Passage {
            page: *page,
            kind: PassageKind::Paragraph,
            text: (*text).to_owned(),
        };
        let passages: Vec<Passage> = texts.iter().map(passage).collect();
        pages_of_contents(&passages).into_iter().collect()
    }

    #[test]
    fn titles_with_rising_numbers_are_contents() {
        let listed = [
            (1, "Annual Report"),
            (2, "4 Letter From the Chair"),
            (2, "Treatment ..... 9"),
            (2, "21 Research | 25 Your Impact"),
            (2, "8 Final Words"),
            (30, "The end."),
        ];
        assert_eq!(pages(&listed), [2]);
    }

    #[test]
    fn counts_are_no_contents() {
        let counts = [(2, "21 Schools"), (2, "9 Camps"), (2, "14 Clubs"), (2, "6 Towns"), (30, "")];
        assert_eq!(pages(&counts), [0; 0], "numbers that fall");
        let counts =
            [(2, "12 Schools"), (2, "19 Camps"), (2, "84 Clubs"), (2, "96 Towns"), (9, "")];
        assert_eq!(pages(&counts), [0; 0], "beyond the last page");
        let sentences = [(1, "4 We met."), (1, "5 We sang."), (1, "6 We ate."), (1, "7 We left.")];
        assert_eq!(pages(&sentences), [0; 0], "sentences");
    }
}
