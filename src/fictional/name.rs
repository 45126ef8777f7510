//! Legal and sort names of fictional organizations, made of the templates and words of
//! `data/fictional_names.tsv` and `data/fictional_words.tsv`, and the cities that they are in.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::LazyLock;

use super::random::Random;
use crate::record::State;
use crate::table::table;

/// Longest name of the master file, in bytes: the IRS cuts there.
const NAME_BYTES_MAX: usize = 70;

/// Longest sort name and in-care-of line of the master file, in bytes.
const SHORT_BYTES_MAX: usize = 35;

/// A city as the master file writes it.
#[derive(Debug, Clone, Copy)]
pub(super) struct City {
    /// Upper case, abbreviated where the IRS does.
    pub(super) name: &'static str,
    /// USPS code.
    pub(super) state: &'static str,
    /// ZIP codes, separated by a blank.
    pub(super) zips: &'static str,
}

/// Cities by weight.
pub(super) static CITIES: LazyLock<Vec<(u64, City)>> = LazyLock::new(|| {
    table!("data/fictional_cities.tsv")
        .each(|[weight, name, state, zips]| {
            Some((weight.parse().ok()?, City { name, state, zips }))
        })
        .collect()
});

/// Words by their list.
static WORDS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: HashMap<_, Vec<_>> = HashMap::new();
    for [list, words] in table!("data/fictional_words.tsv").rows() {
        let counted = words.split('|').flat_map(|word| match word.split_once('*') {
            Some((count, word)) => repeat_n(word, count.parse().expect("a number: tested")),
            None => repeat_n(word, 1),
        });
        lists.entry(list).or_default().extend(counted);
    }
    lists
});

/// Templates by their sort, with weights.
static TEMPLATES: LazyLock<HashMap<&str, Vec<(u64, &str)>>> = LazyLock::new(|| {
    let mut sorts: HashMap<_, Vec<_>> = HashMap::new();
    let rows = table!("data/fictional_names.tsv")
        .each(|[sort, weight, template]| Some((sort, weight.parse().ok()?, template)));
    for (sort, weight, template) in rows {
        sorts.entry(sort).or_default().push((weight, template));
    }
    sorts
});

/// What sort of organization it is; the rest of its row follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// Subordinate of a group ruling, or its parent.
    Order,
    Church,
    /// Private foundation of a family.
    Family,
    Other,
}

/// One word of a list of the table.
pub(super) fn word(list: &str, random: &mut Random) -> &'static str {
    random.pick(&WORDS[list])
}

/// What organizations do, each with its NTEE code.
pub(super) fn causes() -> impl Iterator<Item = (&'static str, &'static str)> {
    WORDS["cause"].iter().filter_map(|cause| cause.split_once(':'))
}

/// A coined proper name: one of about 68,000, the first ones far more frequent.
pub(super) fn coin(random: &mut Random) -> String {
    let early = |list: &str, random: &mut Random| {
        let words = &WORDS[list];
        words[random.skewed(words.len() as u64) as usize]
    };
    [early("head", random), word("middle", random), early("tail", random)].concat()
}

/// The name of an order by its group number, the same for every subordinate of it, and whether it is
/// one of the parent-teacher associations and school clubs that are public charities.
pub(super) fn order(seed: u64, group: u64) -> (String, bool) {
    // Streams of orders lie apart from those of organizations, which count from 0.
    let mut random = Random::new(seed, u64::MAX - group);
    let city = random.weighted(&CITIES);
    let (name, _) = make(&format!("order {}", (group % 8).min(5)), city, &mut random);
    (cut(name, NAME_BYTES_MAX), matches!(group % 8, 0 | 1 | 3 | 4))
}

/// The sort name of a subordinate: a number, a place or both.
pub(super) fn chapter(random: &mut Random, city: City) -> String {
    cut(make("chapter", city, random).0, SHORT_BYTES_MAX)
}

/// Another sort name.
pub(super) fn short(random: &mut Random) -> String {
    let coined = coin(random);
    cut(format!("{coined} {}", word("sort name", random)), SHORT_BYTES_MAX)
}

/// The name of what is no order, and the NTEE code that it promises.
pub(super) fn legal(sort: Sort, random: &mut Random, city: City) -> (String, &'static str) {
    // How many names in a thousand end in `INC` or the like.
    let (template, incorporated, promised) = match sort {
        Sort::Church => ("church", 90, Some("X20")),
        Sort::Family => ("family", 200, Some("T20")),
        Sort::Order | Sort::Other => ("other", 380, None),
    };
    let article = if promised.is_none() && random.chance(40) { "THE " } else { "" };
    let (made, code) = make(template, city, random);
    let mut name = format!("{article}{made}");
    if promised.is_none() && random.below(2500) == 0 {
        name = format!("{name}@{}", coin(random));
    }
    if random.chance(incorporated) {
        name = format!("{name} {}", word("form", random));
    }
    (cut(name, NAME_BYTES_MAX), promised.unwrap_or(code))
}

/// A name by one of the templates, and the NTEE code of what is done.
fn make(sort: &str, city: City, random: &mut Random) -> (String, &'static str) {
    let (cause, code) = word("cause", random).split_once(':').expect("cause and code: tested");
    let template = random.weighted(&TEMPLATES[sort]);
    let name = fill(template, |what| match what {
        "coin" => coin(random),
        "cause" => cause.to_owned(),
        "city" => city.name.to_owned(),
        "state" => state_name(city.state),
        "any state" => state_name(random.weighted(&CITIES).state),
        "number" => (1 + random.skewed(12_000)).to_string(),
        "initial" => char::from(b'A' + random.below(26) as u8).to_string(),
        list => word(list, random).to_owned(),
    });
    (name, code)
}

/// A text with what `value` gives for each word in braces.
pub(super) fn fill(text: &str, mut value: impl FnMut(&str) -> String) -> String {
    let (start, rest) = text.split_once('{').unwrap_or((text, ""));
    let mut out = String::with_capacity(text.len() + 64);
    out.push_str(start);
    for piece in rest.split('{') {
        let Some((word, after)) = piece.split_once('}') else { break };
        out.push_str(&value(word));
        out.push_str(after);
    }
    out
}

/// The state's name as organizations write it; the code itself where it is none.
fn state_name(code: &str) -> String {
    match code.parse::<State>() {
        Ok(state) => state.name().replace('.', "").to_ascii_uppercase(),
        Err(_) => code.to_owned(),
    }
}

/// At most `bytes_max` bytes of a name, which is ASCII.
fn cut(mut name: String, bytes_max: usize) -> String {
    name.truncate(bytes_max);
    name.truncate(name.trim_end().len());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_can_be_filled() {
        let mut random = Random::new(1, 1);
        assert_eq!(causes().count(), WORDS["cause"].len());
        for (sort, templates) in TEMPLATES.iter() {
            for _ in 0..templates.len() * 50 {
                let city = random.weighted(&CITIES);
                let (name, _) = make(sort, city, &mut random);
                assert!(name.is_ascii() && !name.contains(['{', '*', ':']), "{name}");
            }
        }
    }
}
