//! Questions that no organization's text is: causes as people ask for them, and what fictional
//! organizations of another seed are about.

use std::collections::BTreeSet;
use std::path::Path;

use almoner::embed::recipe;
use almoner::record::OrgId;
use almoner::snapshot;
use almoner::table::Table;

use fastrand::Rng;

use super::typed::one;

/// Causes and kinds of nonprofits, the first column being what people call them.
const CAUSES: Table = Table::new("data/causes.tsv", include_str!("../../data/causes.tsv"));

/// How a cause is asked for.
const FORMS: [&str; 10] = [
    "{}",
    "who helps with {}",
    "nonprofits for {} near me",
    "I want to give to {}",
    "volunteer for {} with my children",
    "small charities that work on {} in rural places",
    "is there a {} program for older people",
    "grants for {}",
    "best rated {} organizations",
    "{} for veterans and their families",
];

/// Fictional organizations for each text that is taken from them.
const ORGANIZATIONS_EACH: u64 = 2;

const SEED: u64 = 13;

/// What the other organizations are generated from.
const OTHER_SEED: u64 = 424_242;

/// What is asked.
pub struct Questions {
    pub texts: Vec<String>,
    /// How many of them, from the first on, are what other organizations are about; the rest asks
    /// for causes.
    pub of_others: usize,
}

/// So many different texts, half of each kind.
pub fn questions(count: usize) -> Questions {
    let mut random = Rng::with_seed(SEED);
    let terms: Vec<&str> = CAUSES.rows().map(|[term, _, _]| term).collect();
    let mut texts: Vec<String> = of_others(count / 2).into_iter().collect();
    let of_others = texts.len();
    assert!(count <= terms.len() * FORMS.len() / 2, "too many questions for so many causes");
    let mut asked = BTreeSet::new();
    while of_others + asked.len() < count {
        let (form, term) = (one(&FORMS, &mut random), one(&terms, &mut random));
        asked.insert(form.replace("{}", term));
    }
    texts.extend(asked);
    Questions { texts, of_others }
}

/// What organizations of another seed are about: their missions, or what would be embedded of them.
fn of_others(count: usize) -> BTreeSet<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let organizations = ORGANIZATIONS_EACH * count.max(1) as u64;
    let snapshot = opened(folder.path(), organizations);
    let text = |org| {
        let organization =
            snapshot.records.organization(OrgId::new(org)).expect("a whole snapshot");
        let mission = organization.summary.clone();
        mission.unwrap_or_else(|| recipe::organization(&organization, None))
    };
    let mut texts = BTreeSet::new();
    for org in 0..snapshot.manifest.organizations as u32 {
        if texts.len() < count {
            texts.insert(text(org));
        }
    }
    texts
}

fn opened(folder: &Path, organizations: u64) -> snapshot::Snapshot {
    let data_dir = super::build_snapshot(folder, organizations, OTHER_SEED, None);
    snapshot::open(&data_dir).expect("a snapshot")
}
