//! Fillers: articles, prepositions and conjunctions in English and Spanish (`data/phrases.tsv`). Every other text has
//! them, so they do not tell its subject.

use super::phrases;
use crate::naming::normalise;

/// Whether a text has words that are fillers in Spanish only.
pub fn is_spanish(text: &str) -> bool {
    has_spanish(&normalise(text))
}

/// The same of a text in normal form.
fn has_spanish(words: &str) -> bool {
    words.split(' ').any(|word| phrases::meaning("filler", word) == Some("spanish"))
}

/// The words of a text in normal form without fillers; those that names in English have too (`los`) are fillers in
/// Spanish only. All of its words where it has no others.
pub fn without_fillers(text: &str) -> String {
    let words = normalise(text);
    let is_spanish = has_spanish(&words);
    let tells = |word: &&str| match phrases::meaning("filler", word) {
        Some("either") => !is_spanish,
        filler => filler.is_none(),
    };
    let telling: Vec<&str> = words.split(' ').filter(tells).collect();
    if telling.is_empty() { words } else { telling.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fillers() {
        for (text, expected) in [
            ("becas para estudiantes", "becas estudiantes"),
            ("Comida para mis hijos", "comida hijos"),
            ("ayuda con la renta", "ayuda renta"),
            ("rescate de perros en el condado", "rescate perros condado"),
            ("scholarships for students", "scholarships students"),
            ("food in Los Angeles", "food los angeles"),
            ("St Vincent de Paul", "st vincent de paul"),
            ("para", "para"),
            ("", ""),
        ] {
            assert_eq!(without_fillers(text), expected, "{text}");
        }
    }
}
