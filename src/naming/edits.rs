//! How far apart two spellings are.

/// Characters of the longest word that is compared: longer ones are no words.
const CHARACTERS_MAX: usize = 40;
/// Characters from which on a word may be misspelt.
const CHARACTERS_MIN: usize = 4;
/// Characters from which on two edits are tolerated.
const TWO_EDITS_MIN: usize = 7;

/// How many edits a word of `characters` characters may have.
pub fn edits_max(characters: usize) -> usize {
    match characters {
        ..CHARACTERS_MIN => 0,
        CHARACTERS_MIN..TWO_EDITS_MIN => 1,
        TWO_EDITS_MIN..=CHARACTERS_MAX => 2,
        _ => 0,
    }
}

/// How many insertions, deletions, substitutions and swaps of neighbours lead from one to the
/// other; `None` above `most`.
pub fn edit_distance<T: PartialEq>(one: &[T], other: &[T], most: usize) -> Option<usize> {
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    // Three rows of the table: of two characters back, of one, and this one.
    let width = other.len() + 1;
    let mut rows = [[0_usize; CHARACTERS_MAX + 3]; 3];
    if width > rows[0].len() {
        return None;
    }
    for (at, cell) in rows[1][..width].iter_mut().enumerate() {
        *cell = at;
    }
    for (i, a) in one.iter().enumerate() {
        let [back, last, this] = &mut rows;
        this[0] = i + 1;
        let mut least = this[0];
        for (j, b) in other.iter().enumerate() {
            let mut cost = (last[j] + usize::from(a != b)).min(last[j + 1] + 1).min(this[j] + 1);
            if i > 0 && j > 0 && *a == other[j - 1] && one[i - 1] == *b {
                cost = cost.min(back[j - 1] + 1);
            }
            this[j + 1] = cost;
            least = least.min(cost);
        }
        if least > most {
            return None;
        }
        rows.rotate_left(1);
    }
    Some(rows[1][width - 1]).filter(|edits| *edits <= most)
}

/// As [`edit_distance`], of two words.
pub fn edits(one: &str, other: &str, most: usize) -> Option<usize> {
    if one.is_ascii() && other.is_ascii() {
        return edit_distance(one.as_bytes(), other.as_bytes(), most);
    }
    // Few pairs are near enough to be worth the table.
    if one.len().abs_diff(other.len()) > most * char::MAX.len_utf8() {
        return None;
    }
    let characters = |word: &str| word.chars().collect::<Vec<_>>();
    edit_distance(&characters(one), &characters(other), most)
}

#[cfg(test)]
mod tests {
    #[test]
    fn distances() {
        for (one, other, edits) in [
            ("museum", "museum", Some(0)),
            ("musuem", "museum", Some(1)),
            ("mueseum", "museum", Some(1)),
            ("orchestera", "orchestra", Some(1)),
            ("libary", "library", Some(1)),
            ("hsopitla", "hospital", Some(2)),
            ("house", "mouse", Some(1)),
            ("alpha", "omega", None),
            ("ab", "ba", Some(1)),
            ("a", "", Some(1)),
            ("été", "ete", Some(2)),
        ] {
            assert_eq!(super::edits(one, other, 2), edits, "{one} {other}");
            assert_eq!(super::edits(other, one, 2), edits, "{other} {one}");
        }
    }
}
