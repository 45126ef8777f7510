//! Which of the rows shown is nearest to a place.

use super::facts::place;
use super::phrase::{Value, phrase};
use super::referents::Referents;
use super::{Answer, Result, Turn, says_any};
use crate::places;
use crate::reader::{DialogueAct, Intent, Role};
use crate::record::{Organization, Point};
use crate::understand::{Frame, decode, facts_joined, says, surroundings};

/// Rows that are named behind the nearest.
const OTHERS_NAMED: usize = 2;

impl Turn<'_> {
    /// `is there a place like that closer to her`: the same is searched for around the place of the message.
    pub(super) fn seek_nearer(&mut self) {
        let is_asked = says(self.text, "nearest of those")
            && says(self.text, "asks whether any")
            && self.has(Role::Place)
            && !self.has(Role::Cause)
            && !self.has(Role::Name)
            && self.conversation.frame.cause.is_some();
        if is_asked {
            self.message.spans.retain(|span| span.role == Role::Place);
            self.message.intent.label = Intent::Find;
            self.request.acts = vec![DialogueAct::Change];
        }
    }

    /// `which one is closest to Springdale`: those shown by their distance; `None` where that is not asked, or unknown.
    pub(super) fn nearest_of_shown(&self) -> Result<Option<Answer>> {
        let is_asked = says(self.text, "nearest of those")
            && says_any(self.text, &["which of", "which one", "one of those", "those shown"])
            && self.has(Role::Place)
            && !self.has(Role::Cause)
            && self.conversation.nonprofits.len() > 1;
        if !is_asked {
            return Ok(None);
        }
        let earlier = &self.conversation.frame;
        let said =
            decode(self.text, &self.message, Some(earlier), self.snapshot)?.heard.frame.places;
        let from = surroundings(&said);
        let Some(from) = from.first().and_then(|from| from.point) else { return Ok(None) };
        let shown = self.records(&self.conversation.nonprofits)?;
        let mut measured: Vec<(f64, Organization)> = shown
            .into_iter()
            .filter_map(|one| Some((point_of(&one)?.distance_miles(from), one)))
            .collect();
        measured.sort_by(|one, other| one.0.total_cmp(&other.0));
        if measured.is_empty() {
            return Ok(None);
        }
        let named = |(miles, one): &(f64, Organization)| self.at_distance(*miles, one);
        let first = named(&measured[0]);
        let others: Vec<String> = measured.iter().skip(1).take(OTHERS_NAMED).map(named).collect();
        let names =
            said.iter().map(|place| place.city.clone().unwrap_or_else(|| place.name.clone()));
        let place: Vec<String> = names.collect();
        let place = Value::Any(place);
        let message = phrase!("nearest.of", place, first, names = others).say(self.language);
        let mut turn = self.clone();
        // `and the shelters there`.
        turn.conversation.ask(Frame { places: said, ..earlier.clone() });
        let organizations: Vec<Organization> = measured.into_iter().map(|(_, one)| one).collect();
        let (order, rows) = (organizations.iter().map(|one| one.ein), turn.conversation.rows);
        turn.conversation.show_nonprofits(order, rows);
        turn.conversation.focus = organizations.first().map(|one| one.ein);
        turn.of_organizations(organizations, message).map(Some)
    }

    /// How far the one asked about is from a place of the message: `how far is that from Deming`; `None` where that is not
    /// asked, or unknown.
    pub(super) fn distance_asked(&self) -> Result<Option<Answer>> {
        let asks = says(self.text, "how far") && self.has(Role::Place) && !self.has(Role::Cause);
        if !asks || self.conversation.nonprofits.is_empty() && !self.has(Role::Name) {
            return Ok(None);
        }
        let Referents::Of(eins) = self.referents()? else { return Ok(None) };
        let [one] = &self.records(&eins[..1])?[..] else { return Ok(None) };
        let earlier = Some(&self.conversation.frame);
        let said = decode(self.text, &self.message, earlier, self.snapshot)?.heard.frame.places;
        let from = surroundings(&said).first().and_then(|from| from.point);
        let Some((from, there)) = from.zip(point_of(one)) else { return Ok(None) };
        let place = said.first().map(|place| place.name.clone());
        let miles = format!("{:.0}", there.distance_miles(from));
        let (name, town) = (&one.name, one.address.city.clone());
        let mut message = phrase!("nearest.one", name, town, miles, place).say(self.language);
        // The reader takes a distance for other facts, too.
        let joined = facts_joined(self.text).into_iter().filter_map(DialogueAct::named);
        let mut facts: Vec<DialogueAct> = joined.collect();
        if says(self.text, "how big") {
            facts.push(DialogueAct::Size);
        }
        if let Some(profile) = self.profile(one.ein)?.filter(|_| !facts.is_empty()) {
            message += &format!(" {}", profile.sentences(self.snapshot, &facts)?);
        }
        let mut turn = self.clone();
        turn.conversation.focus = Some(one.ein);
        turn.conversation.remember(one.ein);
        turn.of_organizations(vec![one.clone()], message).map(Some)
    }

    /// A row with its town and how far it is.
    fn at_distance(&self, miles: f64, one: &Organization) -> String {
        let town = one.address.city.clone().or_else(|| place(one));
        phrase!("nearest.row", name = one.name, town, miles = format!("{miles:.0}"))
            .part(self.language)
    }
}

/// Where an organization is, as its ZIP code tells.
pub(super) fn point_of(one: &Organization) -> Option<Point> {
    places::zip(one.address.zip?)?.point
}
