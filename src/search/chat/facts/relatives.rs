//! What a nonprofit belongs to, and how it compares with its peers.

use super::people::some_more;
use super::{Mention, Profile, Result, details, place};
use crate::naming::normalise;
use crate::record::{Organization, Ratio};
use crate::search::chat::has_word;
use crate::search::chat::phrase::phrase;
use crate::search::chat::spelling::is_of_name;
use crate::search::family::{self, Group, GroupRole, RelationHit};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::peers::{RatioStanding, compare};
use crate::snapshot::Snapshot;
use crate::understand::{Lookup, Names as _, is_kind_word, tells};

/// Organizations that a sentence names.
const NAMED: usize = 5;

impl Profile<'_> {
    /// Its group exemption, the organizations that list it as related or that it lists, and a foundation that bears its
    /// name.
    pub(super) fn family(&self, snapshot: &Lookup<'_>, mention: Mention) -> Result<String> {
        let ein = self.organization().ein;
        let paging = Paging { page: 1, size: SIZE_MAX };
        let (mut said, mut lists_any) = (Vec::new(), false);
        if let Some(found) = family::family(snapshot, ein, paging)? {
            said.extend(found.group.iter().map(|group| self.group(group, mention)));
            let (mut filers, mut others) = (Vec::new(), Vec::new());
            for RelationHit { relation, listed_by } in &found.relations.rows {
                match listed_by {
                    // Some list themselves.
                    Some(name) if relation.ein != ein => {
                        filers.push(format!("{name} ({})", relation.tax_year));
                    }
                    Some(_) => {}
                    None => others.extend(relation.related_name.clone()),
                }
            }
            filers.truncate(NAMED);
            if !filers.is_empty() {
                said.push(self.say(phrase!("family.listed", names = filers)));
            }
            let more = some_more(others.len(), NAMED);
            others.truncate(NAMED);
            lists_any = !others.is_empty();
            if !others.is_empty() {
                said.push(self.say(phrase!("family.lists", names = others, more)));
            }
        }
        // Whose return lists who is related needs no guess by names.
        let named = match lists_any {
            true => Vec::new(),
            false => self.namesake_foundations(snapshot)?,
        };
        if !named.is_empty() {
            said.push(self.say(phrase!("family.named", names = named)));
        }
        if said.is_empty() {
            said.push(self.about(mention, phrase!("family.none")));
        }
        Ok(said.join(" "))
    }

    /// Foundations of the state that are called as it is.
    fn namesake_foundations(&self, snapshot: &Lookup<'_>) -> Result<Vec<String>> {
        let organization = self.organization();
        let word = "foundation";
        let own = normalise(&organization.name);
        let is_distinct = |word: &&str| is_of_name(word) && !is_kind_word(word);
        let first = own.split(' ').find(|word| tells(word)).filter(is_distinct);
        let Some(first) = first else { return Ok(Vec::new()) };
        let state = organization.address.state;
        let mut named = Vec::new();
        let mut asked = vec![format!("{own} {word}"), format!("{first} {word}")];
        asked.dedup();
        for asked in asked {
            for one in snapshot.named(&asked)?.candidates {
                let form = normalise(&one.name);
                if one.ein == organization.ein || !has_word(&form, word) || !has_word(&form, first)
                {
                    continue;
                }
                let other = details(snapshot, one.ein)?;
                let other = other.filter(|other| other.address.state == state);
                let said = other.as_ref().map(identified);
                named.extend(said.filter(|said| named.len() < NAMED && !named.contains(said)));
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
        let head = (!heads.is_empty()).then_some(heads);
        let number = group.number.number().to_string();
        self.about(mention, phrase!(name, number, count = group.subordinates.total, head))
    }

    /// Its ratios beside the medians of its peers.
    pub(super) fn peers(&self, snapshot: &Snapshot) -> Result<String> {
        let found = compare(snapshot, self.organization().ein)?;
        if let Some(found) = found
            && let Some((filing, ratios)) = &found.ratios
        {
            // Those of any cause are no peers.
            let has_cause = found.ntee_major.is_some();
            let of_peers = |one: &RatioStanding| RatioStanding {
                median: one.median.filter(|_| has_cause),
                ..*one
            };
            let ratios = ratios.iter().filter_map(|one| self.beside_peers(&of_peers(one)));
            let ratios: Vec<String> = ratios.collect();
            if !ratios.is_empty() {
                let (count, year) = (found.peers, filing.tax_year);
                let name = if has_cause { "peers" } else { "peers.no_cause" };
                return Ok(self.say(phrase!(name, count, year, ratios)));
            }
        }
        Ok(self.say(phrase!("peers.none")))
    }

    /// A ratio with the median of the peers; `None` where it is not known.
    fn beside_peers(&self, one: &RatioStanding) -> Option<String> {
        let shown = |value: f64| match one.ratio {
            Ratio::FundraisingCost => format!("${value:.2}"),
            Ratio::MonthsOfReserves => format!("{value:.1}"),
            _ => format!("{:.0}%", value * 100.0),
        };
        let what = self.text(&format!("ratio.{}", one.ratio.name()));
        let (value, median) = (shown(one.value?), one.median.map(shown));
        let name = if median.is_some() { "peers.median" } else { "peers.alone" };
        Some(phrase!(name, what, value, median).part(self.language))
    }
}

/// A nonprofit with its place and its EIN.
fn identified(one: &Organization) -> String {
    let place = place(one).map_or(String::new(), |place| format!(", {place}"));
    format!("{} (EIN {}{place})", one.name, one.ein.dashed())
}
