//! Names that stand for another: a person's where an organization's should be, and the initials of a name.

use super::words::List;

/// Words of a person's name: the given one, initials and the last.
const WORDS_MAX: usize = 3;

/// “For the benefit of”.
const BENEFICIARY: &str = "FBO";

/// Letters from which on initials are taken for a name that prose uses; fewer spell a word by chance.
const INITIALS_MIN: usize = 4;

/// Whether what stands for a name is a person's: `Meg Costanzo`, `Alfond Peter Ttee`.
pub fn is_person(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let words: Vec<&str> = name.split_whitespace().collect();
    let [first, middle @ .., last] = &words[..] else { return false };
    if List::Holder.has(last) || List::Trustee.has(last) {
        return true;
    }
    let is_family_name = last.len() > 1
        && last.bytes().all(|byte| byte.is_ascii_alphabetic())
        && ![List::Body, List::Institution, List::Last].iter().any(|list| list.has(last));
    words.len() <= WORDS_MAX
        && List::GivenName.has(first)
        && !List::Ordinary.has(first)
        && middle.iter().all(|word| word.len() == 1)
        && is_family_name
}

/// Whether what stands for a name is that of a trustee: `KU Endowment Ttee`.
pub fn is_trustee(name: &str) -> bool {
    let last = name.split_whitespace().next_back().map(str::to_ascii_uppercase);
    last.is_some_and(|last| List::Trustee.has(&last))
}

/// Whether what follows a name is whom it benefits: `Louis E May Trust FBO`.
pub fn leads_to_beneficiary(name: &str) -> bool {
    let last = name.split_whitespace().next_back();
    last.is_some_and(|last| last.eq_ignore_ascii_case(BENEFICIARY))
}

/// The initials of a name, in capitals, where prose may use them for it: `ILAP` of `Immigrant Legal Advocacy
/// Project`; small words are left out.
pub fn initials_of(name: &str) -> Option<String> {
    let name = name.to_ascii_uppercase();
    let words = name.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words = words.filter(|word| !word.is_empty() && !List::Small.has(word));
    let initials: String = words.filter_map(|word| word.chars().next()).collect();
    let is_name = initials.len() >= INITIALS_MIN
        && initials.bytes().all(|byte| byte.is_ascii_uppercase())
        && !List::Acrostic.has(&initials);
    is_name.then_some(initials)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persons() {
        for (name, expected) in [
            ("MEG COSTANZO", true),
            ("Kathryn M Urquhart", true),
            ("Bangor Savings Bank Ttee", true),
            ("Lisa Louden Mbr", true),
            ("FRANKLIN SOCIETY", false),
            ("Clara Barton Hospital", false),
            ("Howard County", false),
            ("Kelly Elementary", false),
            ("HOPE CENTER", false),
            ("David Otero Memorial", false),
            ("Mary", false),
            ("", false),
        ] {
            assert_eq!(is_person(name), expected, "{name}");
        }
    }

    #[test]
    fn initials() {
        for (name, expected) in [
            ("Immigrant Legal Advocacy Project", Some("ILAP")),
            ("Friends of the Idle Old Cats", Some("FIOC")),
            ("Helping Our People Eat", None),
            ("Kite Club of Ohio", None),
            ("4 Kites in a Row Club", None),
            ("", None),
        ] {
            assert_eq!(initials_of(name).as_deref(), expected, "{name}");
        }
    }
}
