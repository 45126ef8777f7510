//! How people ask for a nonprofit that they remember more or less, made of its names by chance; and
//! questions that name none.

use almoner::naming;
use almoner::record::{OrgId, Organization, State};
use almoner::snapshot::Snapshot;
use almoner::table::Table;
use fastrand::Rng;

/// A question and whom it is about.
pub struct NameQuery {
    pub way: &'static str,
    pub text: String,
    pub target: Option<OrgId>,
}

/// Words that people leave out and legal forms, as in `data/name_words.tsv`.
const NAME_WORDS: Table =
    Table::new("data/name_words.tsv", include_str!("../../data/name_words.tsv"));
const SHORT_FORMS: Table =
    Table::new("data/short_forms.tsv", include_str!("../../data/short_forms.tsv"));
const CAUSES: Table = Table::new("data/causes.tsv", include_str!("../../data/causes.tsv"));

type Way = fn(&Organization, &mut Rng) -> Option<String>;

/// Every way, and how often it is drawn.
const WAYS: [(&str, u32, Way); 25] = [
    ("name", 3, |org, _| Some(name(org).join(" "))),
    ("name, city", 4, |org, _| Some(format!("{} {}", name(org).join(" "), city(org)?))),
    ("name in city", 1, |org, _| Some(format!("{} in {}", name(org).join(" "), city(org)?))),
    ("city, name", 1, |org, _| Some(format!("{} {}", city(org)?, name(org).join(" ")))),
    ("name, state", 2, |org, random| {
        Some(format!("{} {}", name(org).join(" "), state(org, random)?))
    }),
    ("name, city, state", 2, |org, random| {
        Some(format!("{} {} {}", name(org).join(" "), city(org)?, state(org, random)?))
    }),
    ("transposed", 2, |org, random| mistyped(name(org), 0, random)),
    ("another letter", 2, |org, random| mistyped(name(org), 1, random)),
    ("first letter", 2, |org, random| mistyped(name(org), 2, random)),
    ("a letter less", 2, |org, random| mistyped(name(org), 3, random)),
    ("a letter more", 1, |org, random| mistyped(name(org), 4, random)),
    ("two typos, city", 1, |org, random| {
        let how = random.usize(0..5);
        let once = mistyped(name(org), how, random)?;
        let words = once.split(' ').map(str::to_owned).collect();
        Some(format!("{} {}", mistyped(words, 3, random)?, city(org)?))
    }),
    ("a word less", 4, without_a_word),
    ("a word less, city", 2, |org, random| {
        Some(format!("{} {}", without_a_word(org, random)?, city(org)?))
    }),
    ("no small words", 2, |org, _| {
        let words = name(org);
        let kept = words.iter().filter(|word| !is("small", word)).cloned().collect::<Vec<_>>();
        (kept.len() < words.len() && !kept.is_empty()).then(|| kept.join(" "))
    }),
    ("other order", 3, |org, random| {
        let mut words = name(org);
        (words.len() > 1).then_some(())?;
        let by = random.usize(1..words.len());
        words.rotate_right(by);
        Some(words.join(" "))
    }),
    ("short forms", 3, |org, random| in_short_forms(&name(org), random)),
    ("glued", 1, |org, random| {
        let mut words = name(org);
        (words.len() > 1).then_some(())?;
        let at = random.usize(1..words.len());
        let second = words.remove(at);
        words[at - 1].push_str(&second);
        Some(words.join(" "))
    }),
    ("end, city", 4, |org, _| {
        let words = name(org);
        Some(format!("{} {}", words[words.len().saturating_sub(2)..].join(" "), city(org)?))
    }),
    ("beginning", 2, |org, random| {
        let words = name(org);
        (words.len() > 2).then_some(())?;
        Some(words[..random.usize(1..words.len())].join(" "))
    }),
    ("name, words", 2, |org, random| Some(format!("{} {}", name(org).join(" "), cause(random)))),
    ("name, city, words", 3, |org, random| {
        Some(format!("{} {} {}", name(org).join(" "), city(org)?, cause(random)))
    }),
    ("chapter", 3, |org, _| other(org)),
    ("chapter, city", 3, |org, _| Some(format!("{} {}", other(org)?, city(org)?))),
    ("body, chapter", 3, |org, _| Some(format!("{} {}", name(org).join(" "), other(org)?))),
];

/// Nonprofits that are tried for a way that does not fit most: few have another name.
const TARGETS_TRIED_MAX: usize = 12;

/// A question about a nonprofit by chance; `None` where the way that was drawn fits none that was tried.
pub fn of_somebody(snapshot: &Snapshot, random: &mut Rng) -> Option<NameQuery> {
    let total: u32 = WAYS.iter().map(|(_, often, _)| often).sum();
    let mut at = random.u32(0..total);
    let (way, _, make) = WAYS.iter().find(|(_, often, _)| {
        let here = at < *often;
        at = at.saturating_sub(*often);
        here
    })?;
    (0..TARGETS_TRIED_MAX).find_map(|_| {
        let (target, organization) = somebody(snapshot, random)?;
        let text = make(&organization, random)?;
        (!text.trim().is_empty()).then_some(NameQuery { way, text, target: Some(target) })
    })
}

/// A nonprofit by chance; now and then nobody, since those that are no charities are asked for less.
fn somebody(snapshot: &Snapshot, random: &mut Rng) -> Option<(OrgId, Organization)> {
    let all = snapshot.manifest.organizations as u32;
    let record = |org: OrgId| snapshot.records.organization(org).expect("a whole snapshot");
    // A fifth of the questions are about the greatest of a few: people ask for those more often.
    let drawn = if random.u32(0..5) > 0 { 1 } else { 4 };
    let target = (0..drawn)
        .map(|_| OrgId::new(random.u32(0..all)))
        .max_by_key(|org| record(*org).finances.revenue.map(|usd| usd.dollars()))?;
    let organization = record(target);
    // People who give or grant ask for charities: one other in three is asked for.
    if !organization.exemption.is_active_charity() && random.u32(0..3) > 0 {
        return None;
    }
    Some((target, organization))
}

/// A question that names nobody: a cause, perhaps somewhere, or a place.
pub fn of_nobody(snapshot: &Snapshot, random: &mut Rng) -> NameQuery {
    if random.u32(0..6) == 0 {
        return NameQuery { way: "nobody", text: gibberish(random), target: None };
    }
    let org = OrgId::new(random.u32(0..snapshot.manifest.organizations as u32));
    let somewhere = snapshot.records.organization(org).expect("a whole snapshot");
    let place = match random.u32(0..3) {
        0 => city(&somewhere),
        1 => somewhere.address.state.map(|state| state.name().to_lowercase()),
        _ => None,
    };
    let (cause, other) = (cause(random), cause(random));
    let plural = if random.bool() { "s" } else { "" };
    let text = match (place, random.u32(0..4)) {
        (Some(place), 0) => place,
        (Some(place), 1) => format!("{cause}{plural} {place}"),
        (Some(place), 2) => format!("{cause} {place} {other}{plural}"),
        (Some(place), _) => format!("{cause}{plural} in {place}"),
        (None, _) => format!("{cause}{plural}"),
    };
    NameQuery { way: "nobody", text, target: None }
}

/// What some nonprofits do, by chance.
fn cause(random: &mut Rng) -> &'static str {
    let causes: Vec<&str> = CAUSES.rows().map(|[term, _, _]| term).collect();
    causes[random.usize(0..causes.len())]
}

/// Words that nobody has, perhaps with a number.
fn gibberish(random: &mut Rng) -> String {
    let mut words: Vec<String> = (0..random.usize(1..4))
        .map(|_| (0..random.usize(3..9)).map(|_| random.lowercase()).collect())
        .collect();
    if random.bool() {
        words.push(random.u32(0..1000).to_string());
    }
    words.join(" ")
}

/// An organization and all that share a name with it.
pub fn namesakes(snapshot: &Snapshot, org: OrgId) -> Vec<OrgId> {
    let record = snapshot.records.organization(org).expect("a whole snapshot");
    let names = std::iter::once(&record.legal_name).chain(&record.other_names);
    let mut all = vec![org];
    for name in names {
        let named = snapshot.names.weigh(name);
        let named = named.and_then(|terms| snapshot.names.organizations_named(&terms, 10_000));
        all.extend(named.expect("a whole snapshot"));
    }
    all
}

fn is(list: &str, word: &str) -> bool {
    NAME_WORDS.rows().any(|row| row == [list, word])
}

/// The words of the legal name without its suffix.
fn name(org: &Organization) -> Vec<String> {
    let mut words: Vec<String> =
        naming::normalise(&org.legal_name).split(' ').map(str::to_owned).collect();
    while words.len() > 1 && words.last().is_some_and(|word| is("suffix", word)) {
        words.pop();
    }
    words
}

fn city(org: &Organization) -> Option<String> {
    org.address.city.as_deref().map(str::to_lowercase)
}

fn state(org: &Organization, random: &mut Rng) -> Option<String> {
    let state: State = org.address.state?;
    Some(if random.bool() { state.code() } else { state.name() }.to_lowercase())
}

fn other(org: &Organization) -> Option<String> {
    org.other_names.first().map(|name| naming::normalise(name))
}

fn without_a_word(org: &Organization, random: &mut Rng) -> Option<String> {
    let mut words = name(org);
    let telling: Vec<usize> = (0..words.len()).filter(|at| !is("small", &words[*at])).collect();
    (telling.len() > 2).then_some(())?;
    words.remove(telling[random.usize(0..telling.len())]);
    Some(words.join(" "))
}

fn in_short_forms(words: &[String], random: &mut Rng) -> Option<String> {
    let text = format!(" {} ", words.join(" "));
    let mut written = Vec::new();
    for row in SHORT_FORMS.lines() {
        let mut columns = row.split('\t');
        let short = columns.next()?;
        for full in columns {
            for (one, two) in [(short, full), (full, short)] {
                if text.contains(&format!(" {one} ")) {
                    written.push(text.replacen(&format!(" {one} "), &format!(" {two} "), 1));
                }
            }
        }
    }
    (!written.is_empty()).then(|| written[random.usize(0..written.len())].trim().to_owned())
}

/// One slip of the finger in a word of some length: neighbours exchanged, another letter, another
/// first letter, one left out, one too many.
fn mistyped(mut words: Vec<String>, how: usize, random: &mut Rng) -> Option<String> {
    let long: Vec<usize> = (0..words.len())
        .filter(|at| words[*at].len() > 4 && words[*at].bytes().all(|b| b.is_ascii_lowercase()))
        .collect();
    (!long.is_empty()).then_some(())?;
    let at = long[random.usize(0..long.len())];
    let mut letters: Vec<char> = words[at].chars().collect();
    let place = random.usize(1..letters.len() - 1);
    match how {
        0 => letters.swap(place, place + 1),
        1 => letters[place] = random.lowercase(),
        2 => letters[0] = random.lowercase(),
        3 => drop(letters.remove(place)),
        _ => letters.insert(place, random.lowercase()),
    }
    words[at] = letters.into_iter().collect();
    Some(words.join(" "))
}
