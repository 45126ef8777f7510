//! Legal and sort names of fictional organizations, made of the templates and words of
//! `data/fictional_names.tsv` and `data/fictional_words.tsv`.

use std::collections::HashMap;
use std::iter::repeat_n;
use std::sync::LazyLock;

use super::cities::{CITIES, City};
use super::random::Random;
use super::template::fill;
use crate::record::State;
use crate::table::table;

/// Longest name of the master file, in bytes: the IRS cuts there.
const NAME_BYTES_MAX: usize = 70;

/// Longest sort name and in-care-of line of the master file, in bytes.
const SHORT_BYTES_MAX: usize = 35;

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

/// Writes a coined proper name: one of about 68,000, the first ones far more frequent.
pub(super) fn coin(random: &mut Random, out: &mut String) {
    let first = |list: &str, random: &mut Random| {
        let words = &WORDS[list];
        words[random.skewed(words.len() as u64) as usize]
    };
    out.push_str(first("head", random));
    out.push_str(word("middle", random));
    out.push_str(first("tail", random));
}

/// The order of a group number, the same for every subordinate of it. Returns whether it is one of
/// the parent-teacher associations and school clubs that are public charities.
pub(super) fn order(seed: u64, group: u64, out: &mut String) -> bool {
    // Streams of orders lie apart from those of organizations, which count from 0.
    let mut random = Random::new(seed, u64::MAX - group);
    let city = random.weighted(&CITIES);
    let which = ["order 0", "order 1", "order 2", "order 3", "order 4", "order 5"];
    let which = which[(group % 8).min(5) as usize];
    make(which, city, &mut random, out);
    cut(out, NAME_BYTES_MAX);
    matches!(group % 8, 0 | 1 | 3 | 4)
}

/// The sort name of a subordinate: a number, a place or both.
pub(super) fn chapter(random: &mut Random, city: City, out: &mut String) {
    make("chapter", city, random, out);
    cut(out, SHORT_BYTES_MAX);
}

/// Another sort name.
pub(super) fn short(random: &mut Random, out: &mut String) {
    coin(random, out);
    append(out, word("sort name", random));
    cut(out, SHORT_BYTES_MAX);
}

/// The name of what is no order; returns the NTEE code that it promises.
pub(super) fn legal(sort: Sort, random: &mut Random, city: City, out: &mut String) -> &'static str {
    // How many names in a thousand end in `INC` or the like.
    let (name, incorporated, promised) = match sort {
        Sort::Church => ("church", 90, Some("X20")),
        Sort::Family => ("family", 200, Some("T20")),
        Sort::Order | Sort::Other => ("other", 380, None),
    };
    if promised.is_none() && random.chance(40) {
        out.push_str("THE ");
    }
    let code = make(name, city, random, out);
    if promised.is_none() && random.below(2500) == 0 {
        out.push('@');
        coin(random, out);
    }
    if random.chance(incorporated) {
        append(out, word("form", random));
    }
    cut(out, NAME_BYTES_MAX);
    promised.unwrap_or(code)
}

/// Writes a name by one of the templates; returns the NTEE code of what is done.
fn make(sort: &str, city: City, random: &mut Random, out: &mut String) -> &'static str {
    let (cause, code) = word("cause", random).split_once(':').expect("cause and code: tested");
    let template = random.weighted(&TEMPLATES[sort]);
    fill(out, template, |out, what| match what {
        "coin" => coin(random, out),
        "cause" => out.push_str(cause),
        "city" => out.push_str(city.name),
        "state" => out.push_str(&state_name(city.state)),
        "any state" => out.push_str(&state_name(random.weighted(&CITIES).state)),
        "number" => out.push_str(&(1 + random.skewed(12_000)).to_string()),
        "initial" => out.push(char::from(b'A' + random.below(26) as u8)),
        list => out.push_str(word(list, random)),
    });
    code
}

/// The state's name as organizations write it; the code itself where it is none.
fn state_name(code: &str) -> String {
    match code.parse::<State>() {
        Ok(state) => state.name().replace('.', "").to_ascii_uppercase(),
        Err(_) => code.to_owned(),
    }
}

fn append(out: &mut String, word: &str) {
    out.push(' ');
    out.push_str(word);
}

/// Truncates to at most `bytes_max` bytes; names are ASCII.
fn cut(out: &mut String, bytes_max: usize) {
    out.truncate(bytes_max);
    out.truncate(out.trim_end().len());
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
                let (mut name, city) = (String::new(), random.weighted(&CITIES));
                make(sort, city, &mut random, &mut name);
                assert!(name.is_ascii() && !name.contains(['{', '*', ':']), "{name}");
            }
        }
    }
}
