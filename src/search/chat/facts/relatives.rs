//! What a nonprofit belongs to, and how it compares with its peers.

use super::{Mention, Profile, SearchError, place};
use crate::naming::normalise;
use crate::record::{Organization, Ratio};
use crate::search::chat::phrase::{Phrase, text};
use crate::search::family::{self, Group, GroupRole, RelationHit};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::peers::{RatioStanding, compare};
use crate::snapshot::Snapshot;
use crate::understand::{Names as _, tells};

/// Organizations that a sentence names.
const NAMED: usize = 5;

impl Profile<'_> {
    /// Its group exemption, the organizations that list it as related or that it lists, and a foundation that bears its
    /// name.
    pub(super) fn family(
        &self,
        snapshot: &Snapshot,
        mention: Mention,
    ) -> Result<String, SearchError> {
        let ein = self.organization().ein;
        let paging = Paging { page: 1, size: SIZE_MAX };
        let mut said = Vec::new();
        if let Some(found) = family::family(snapshot, ein, paging)? {
            said.extend(found.group.iter().map(|group| self.group(group, mention)));
            let (by_others, own): (Vec<&RelationHit>, Vec<&RelationHit>) =
                found.relations.rows.iter().partition(|row| row.listed_by.is_some());
            // Some list themselves.
            let filers = by_others.into_iter().filter(|row| row.relation.ein != ein);
            let filers: Vec<String> = filers
                .map(|row| {
                    format!(
                        "{} ({})",
                        row.listed_by.clone().unwrap_or_default(),
                        row.relation.tax_year
                    )
                })
                .take(NAMED)
                .collect();
            if !filers.is_empty() {
                said.push(self.say(&Phrase::new("family.listed").with("names", filers)));
            }
            let others: Vec<String> =
                own.iter().filter_map(|row| row.relation.related_name.clone()).collect();
            if !others.is_empty() {
                let more = others.len().saturating_sub(NAMED);
                let named: Vec<String> = others.into_iter().take(NAMED).collect();
                let phrase = Phrase::new("family.lists").with("names", named);
                said.push(self.say(&phrase.with_some("more", (more > 0).then_some(more))));
            }
        }
        let named = self.namesake_foundations(snapshot)?;
        if !named.is_empty() {
            said.push(self.say(&Phrase::new("family.named").with("names", named)));
        }
        if said.is_empty() {
            said.push(self.say(&self.about("family.none", mention)));
        }
        Ok(said.join(" "))
    }

    /// Foundations of the state that are called as it is.
    fn namesake_foundations(&self, snapshot: &Snapshot) -> Result<Vec<String>, SearchError> {
        let organization = self.organization();
        let word = "foundation";
        let own = normalise(&organization.name);
        let Some(first) = own.split(' ').find(|word| tells(word)) else { return Ok(Vec::new()) };
        let state = organization.address.state;
        let mut named = Vec::new();
        let mut asked = vec![format!("{own} {word}"), format!("{first} {word}")];
        asked.dedup();
        for asked in asked {
            for one in snapshot.named(&asked)?.candidates {
                let form = normalise(&one.name);
                let has = |word: &str| form.split(' ').any(|own| own == word);
                if one.ein == organization.ein || !has(word) || !has(first) {
                    continue;
                }
                let other = crate::search::details::details(snapshot, one.ein)?;
                let Some(other) = other.filter(|other| other.address.state == state) else {
                    continue;
                };
                let said = identified(&other);
                if named.len() < NAMED && !named.contains(&said) {
                    named.push(said);
                }
            }
        }
        Ok(named)
    }

    /// Its place in a group exemption.
    fn group(&self, group: &Group, mention: Mention) -> String {
        let name = match group.role {
            Some(GroupRole::Central) => "family.central",
            _ => "family.member",
        };
        let heads: Vec<String> = group.central.iter().map(identified).collect();
        self.say(
            &self
                .about(name, mention)
                .with("number", group.number.number().to_string())
                .with("count", group.subordinates.total)
                .with_some("head", (!heads.is_empty()).then_some(heads)),
        )
    }

    /// Its ratios beside the medians of its peers.
    pub(super) fn peers(&self, snapshot: &Snapshot) -> Result<String, SearchError> {
        let name = |name: &str| Phrase::new(name).with("name", &self.organization().name);
        let found = compare(snapshot, self.organization().ein)?;
        let ratios = found.as_ref().and_then(|found| found.ratios.as_ref());
        let Some((found, (filing, ratios))) = found.as_ref().zip(ratios) else {
            return Ok(self.say(&name("peers.none")));
        };
        let known: Vec<String> = ratios.iter().filter_map(|one| self.beside_peers(one)).collect();
        if known.is_empty() {
            return Ok(self.say(&name("peers.none")));
        }
        let phrase = name("peers").with("count", found.peers).with("year", filing.tax_year);
        Ok(self.say(&phrase.with("ratios", known)))
    }

    /// A ratio with the median of the peers; `None` where it is not known.
    fn beside_peers(&self, one: &RatioStanding) -> Option<String> {
        let shown = |value: f64| match one.ratio {
            Ratio::FundraisingCost => format!("${value:.2}"),
            Ratio::MonthsOfReserves => format!("{value:.1}"),
            _ => format!("{:.0} %", value * 100.0),
        };
        let what = text(&format!("ratio.{}", one.ratio.name()), self.language);
        let median = one.median.map(shown);
        let name = if median.is_some() { "peers.median" } else { "peers.alone" };
        let phrase = Phrase::new(name).with("what", what).with("value", shown(one.value?));
        Some(phrase.with_some("median", median).part(self.language))
    }
}

/// A nonprofit with its place and its EIN.
fn identified(one: &Organization) -> String {
    let place = place(one).map_or(String::new(), |place| format!(", {place}"));
    format!("{} (EIN {}{place})", one.name, one.ein)
}
