//! What people may have typed: beginnings of names and of later words of them, with and without a
//! typo, and nonsense.

use almoner::naming;
use almoner::record::OrgId;
use almoner::snapshot::Snapshot;

use fastrand::Rng;

/// Characters that are typed, from and to, before a typo is made.
const CHARACTERS: (usize, usize) = (2, 20);

/// What is typed by chance or by mistake.
const KEYS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789 ";

/// How each of twelve in turn is typed: a third has a typo, one of each kind.
const TURNS: [Kind; 12] = [
    Kind::Name,
    Kind::LaterWord,
    Kind::Insertion,
    Kind::Name,
    Kind::LaterWord,
    Kind::Deletion,
    Kind::Name,
    Kind::LaterWord,
    Kind::Substitution,
    Kind::LaterWord,
    Kind::Random,
    Kind::Transposition,
];

/// How something is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// As a name begins.
    Name,
    /// As a name goes on from a later word.
    LaterWord,
    /// Either, with a character too many.
    Insertion,
    /// With one missing.
    Deletion,
    /// With another one.
    Substitution,
    /// With two neighbours swapped.
    Transposition,
    /// By chance.
    Random,
}

impl Kind {
    pub const ALL: [Self; 7] = [
        Self::Name,
        Self::LaterWord,
        Self::Insertion,
        Self::Deletion,
        Self::Substitution,
        Self::Transposition,
        Self::Random,
    ];

    pub fn title(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::LaterWord => "later word",
            Self::Insertion => "insertion",
            Self::Deletion => "deletion",
            Self::Substitution => "substitution",
            Self::Transposition => "transposition",
            Self::Random => "random",
        }
    }
}

/// What was typed, and how.
pub struct Typed {
    pub text: String,
    pub kind: Kind,
}

/// So many texts out of the names of a snapshot, of any standing.
pub fn texts(snapshot: &Snapshot, count: usize, random: &mut Rng) -> Vec<Typed> {
    let organizations = snapshot.manifest.organizations as usize;
    let mut text = |kind| {
        let length = CHARACTERS.0 + random.usize(..CHARACTERS.1 - CHARACTERS.0 + 1);
        if kind == Kind::Random {
            return (0..length).map(|_| char::from(*one(KEYS, random))).collect();
        }
        let org = OrgId::new(random.usize(..organizations) as u32);
        let organization = snapshot.records.organization(org).expect("a whole snapshot");
        let mut names = vec![organization.name];
        names.extend(organization.other_names);
        let name = one(&names, random);
        match kind {
            // As it is shown, for that is what is typed; normalising is the program's.
            Kind::Name => name.chars().take(length).collect(),
            Kind::LaterWord => from_later_word(name, random).chars().take(length).collect(),
            _ => {
                let name = naming::normalise(name);
                let is_later = random.usize(..2) == 0;
                let start = if is_later { from_later_word(&name, random) } else { &name };
                mistyped(start.chars().take(length).collect(), kind, random)
            }
        }
    };
    let turns = TURNS.into_iter().cycle().take(count);
    turns.map(|kind| Typed { text: text(kind), kind }).collect()
}

/// What follows one of the blanks of a name; all of it where there is none.
fn from_later_word<'a>(name: &'a str, random: &mut Rng) -> &'a str {
    let blanks: Vec<usize> = name.match_indices(' ').map(|(at, _)| at).collect();
    if blanks.is_empty() { name } else { &name[one(&blanks, random) + 1..] }
}

/// A text with a typo anywhere, its first character included.
fn mistyped(mut text: Vec<char>, kind: Kind, random: &mut Rng) -> String {
    let other = char::from(*one(KEYS, random));
    let at = random.usize(..text.len().max(1));
    match kind {
        Kind::Insertion => text.insert(at, other),
        Kind::Deletion if !text.is_empty() => drop(text.remove(at)),
        Kind::Substitution if !text.is_empty() => text[at] = other,
        Kind::Transposition if text.len() > 1 => {
            let at = random.usize(..text.len() - 1);
            text.swap(at, at + 1);
        }
        _ => {}
    }
    text.into_iter().collect()
}

/// One of several.
pub fn one<'a, Item>(all: &'a [Item], random: &mut Rng) -> &'a Item {
    &all[random.usize(..all.len())]
}
