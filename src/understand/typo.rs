//! Words one edit apart: one letter put in, left out, changed, or two neighbours swapped (Damerau).

/// Whether two different words are one edit apart.
pub(super) fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => *a == b[1..],
        std::cmp::Ordering::Greater => a[1..] == *b,
        std::cmp::Ordering::Equal => {
            let swapped = a.len() >= 2 && a[0] == b[1] && a[1] == b[0] && a[2..] == b[2..];
            a[1..] == b[1..] || swapped
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits() {
        for (a, b) in [
            ("anmial", "animal"),
            ("lousiana", "louisiana"),
            ("shelterr", "shelter"),
            ("foor", "food"),
            ("cat", "cats"),
            ("ab", "ba"),
            ("a", ""),
        ] {
            assert!(is_one_edit(a, b) && is_one_edit(b, a), "{a} {b}");
        }
        for (a, b) in [("animal", "animal"), ("aniaml", "animals"), ("", ""), ("abc", "cba")] {
            assert!(!is_one_edit(a, b), "{a} {b}");
        }
    }
}
