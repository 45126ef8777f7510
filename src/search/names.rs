//! What the understanding of queries asks of a snapshot's names.

use crate::index::columns::{Bitmap, Sort, SortKey};
use crate::index::typeahead::Match;
use crate::mapped::Damage;
use crate::naming;
use crate::record::Ein;
use crate::snapshot::Snapshot;
use crate::understand::Names;

/// Nonprofits of one name that are looked at: more share a name only where it tells nothing.
const NAMESAKES_MAX: usize = 64;

/// Nonprofits by words that are looked at for one that has all words of a name.
const CALLED_MAX: usize = 48;

/// Names that a word must be in to be one, if the model does not know it: so many at least, and one in
/// so many. Misspelt names exist too.
const NAMES_OF_A_WORD: u64 = 20;
const ORGANIZATIONS_A_WORD: u64 = 2_000;

/// What legal names end with and people leave out.
const LEGAL_SUFFIXES: [&str; 6] = ["inc", "incorporated", "corp", "corporation", "co", "llc"];

const GREATEST: &[Sort] = &[Sort { key: SortKey::Revenue, descending: true }];

fn first_suggestion(
    snapshot: &Snapshot,
    form: &str,
    fits: impl Fn(Match) -> bool,
) -> Result<Option<Ein>, Damage> {
    let first = snapshot.typeahead.suggest(form, 1)?.into_iter().next();
    first.filter(|hit| fits(hit.reason)).map(|hit| snapshot.columns.ein_of(hit.org)).transpose()
}

impl Names for Snapshot {
    fn of_name(&self, name: &str) -> Result<Vec<Ein>, Damage> {
        let mut named = self.fulltext.exact(name)?;
        if named.is_empty() && !naming::normalise(name).is_empty() {
            let suffixed = LEGAL_SUFFIXES.iter().map(|suffix| format!("{name} {suffix}"));
            for form in suffixed.chain([format!("the {name}")]) {
                named.extend(self.fulltext.exact(&form)?);
            }
        }
        if let [only] = named[..] {
            return Ok(vec![self.columns.ein_of(only)?]);
        }
        if named.is_empty() {
            return Ok(Vec::new());
        }
        let set = Bitmap::of(self.columns.organizations(), named);
        let sorted = self.columns.sorted(&set, GREATEST, None, 0, NAMESAKES_MAX)?;
        sorted.into_iter().map(|org| self.columns.ein_of(org)).collect()
    }

    fn called(&self, name: &str) -> Result<Option<Ein>, Damage> {
        let form = naming::normalise(name);
        let hits = self.fulltext.search(&form, CALLED_MAX, None)?;
        let mut called = Vec::new();
        for hit in hits {
            // A record that cannot be read is damage that the answer itself will tell of.
            let Ok(organization) = self.records.organization(hit.org) else { continue };
            let names = [&organization.name, &organization.legal_name];
            let names =
                names.into_iter().chain(&organization.alt_name).chain(&organization.other_names);
            let has_all = |known: &String| {
                let known = naming::normalise(known);
                form.split(' ').all(|word| known.split(' ').any(|other| other == word))
            };
            if names.into_iter().any(has_all) {
                called.push(hit.org);
            }
        }
        let set = Bitmap::of(self.columns.organizations(), called);
        let greatest = self.columns.sorted(&set, GREATEST, None, 0, 1)?;
        match greatest.first() {
            Some(&org) => self.columns.ein_of(org).map(Some),
            None => first_suggestion(self, &form, |reason| reason == Match::Name),
        }
    }

    fn misspelt(&self, name: &str) -> Result<Option<Ein>, Damage> {
        first_suggestion(self, &naming::normalise(name), |reason| reason == Match::NameTypo)
    }

    fn is_word(&self, word: &str) -> Result<bool, Damage> {
        // The model's tokenizer has common words whole and cuts what it does not know in pieces.
        const TOKENS_OF_A_WORD: usize = 3;
        let whole = self.model().ok().and_then(|model| model.count_tokens(word).ok());
        if whole == Some(TOKENS_OF_A_WORD) {
            return Ok(true);
        }
        let share = u64::from(self.columns.organizations()) / ORGANIZATIONS_A_WORD;
        Ok(self.fulltext.frequency(word)? >= NAMES_OF_A_WORD.max(share))
    }

    fn frequency(&self, word: &str) -> Result<u64, Damage> {
        self.fulltext.frequency(word)
    }
}
