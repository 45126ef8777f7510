//! Questions about money, people and relations: who funds a cause, and what is asked of one nonprofit.

use super::one::{NameResolution, Questioned, who_is};
use super::say::{dollars, list};
use super::{Answer, Intent, ROWS, SearchError, Turn, leaders, relatives, suggest};
use crate::query::Area;
use crate::reader::{Act, Fact, Role, Topic};
use crate::record::counted;
use crate::record::{Ein, GrantStage, State};
use crate::search::funders::Funder;
use crate::search::grants::{self, Basis, Direction, Found, ListedGrant, OfOne};
use crate::search::listing::{Paging, SIZE_MAX};
use crate::search::nonprofits::NonprofitHit;
use crate::search::questions::{Question, funders_of};
use crate::understand::{FactQuestion, NamedPlace, Which};

/// Grants and funders that a sentence names.
const NAMED: usize = 3;

/// A question that is answered, and the nonprofit that it is asked of.
pub(super) struct Asked {
    question: Question,
    whom: Whom,
}

enum Whom {
    /// It is asked of a cause.
    Nobody,
    Named(NameResolution),
    Shown(Ein),
}

impl Turn<'_> {
    /// What a message asks about money, people or relations; `None` where it asks something else, or nobody
    /// is named or was shown whom it may be asked of.
    pub(super) fn money_question(&self) -> Result<Option<Asked>, SearchError> {
        // `and in 2020?` goes on with the fact of before.
        if self.asks_of_focus() && self.message.fact.is_none() {
            return Ok(None);
        }
        let Some(question) = Question::read(self.snapshot, self.text, &self.message)? else {
            return Ok(None);
        };
        if question.topic == Topic::Funders {
            return Ok(Some(Asked { question, whom: Whom::Nobody }));
        }
        let whom = match &question.whom {
            Some(whom) => Some(Whom::Named(who_is(whom.clone()))),
            None => {
                let goes_on =
                    self.message.act.label == Act::On || self.words(Role::Reference).is_some();
                let which = self.referred().first().copied().unwrap_or(Which::That);
                self.ein_shown(which).filter(|_| goes_on).map(Whom::Shown)
            }
        };
        Ok(whom.map(|whom| Asked { question, whom }))
    }

    pub(super) fn on_money(self, asked: Asked) -> Result<Answer, SearchError> {
        let Asked { question, whom } = asked;
        let fact = fact_of(&question);
        let ein = match whom {
            Whom::Nobody => return self.funders(&question),
            Whom::Shown(ein) => ein,
            Whom::Named(called) => match called {
                NameResolution::One(ein) => ein,
                several => return self.of_called(several, fact),
            },
        };
        let (snapshot, text) = (self.snapshot, self.text);
        let answer = self.details_of(ein, fact)?;
        let Some(name) = answer.nonprofits.first().map(|one| one.organization.name.clone()) else {
            return Ok(answer);
        };
        let one = Questioned { snapshot, ein, name: &name, question: &question, text };
        let message = match question.topic {
            Topic::GrantsTo => grants_of(&one, Direction::Received)?,
            Topic::GrantsBy => grants_of(&one, Direction::Made)?,
            Topic::Board => leaders::board(&one)?,
            Topic::Pay => leaders::pay(&one)?,
            Topic::Family => relatives::family(&one)?,
            Topic::Peers => relatives::peers(&one)?,
            Topic::Funders | Topic::Other => return Ok(answer),
        };
        Ok(Answer { message, ..answer })
    }

    /// Who funds a cause.
    fn funders(mut self, asked: &Question) -> Result<Answer, SearchError> {
        let paging = Paging { page: 1, size: ROWS };
        let (way, found) = funders_of(self.snapshot, asked, paging)?;
        let such = of_funders(asked, way.words.is_none());
        let message = match (found.total, self.snapshot.grants.count()) {
            (0, 0) => {
                "No return that was loaded lists grants: who funds what is not in the loaded \
                       returns."
                    .to_owned()
            }
            (0, _) => format!("Not in the loaded returns: funders{such}."),
            (total, _) => {
                let named: Vec<String> = found.rows.iter().take(NAMED).map(funder).collect();
                let count = counted(total, "funder", "funders");
                let rest = if total as usize > NAMED { "Most gave" } else { "They are" };
                format!("The loaded returns list {count}{such}. {rest} {}.", named.join("; "))
            }
        };
        let orgs: Vec<_> = found.rows.iter().map(|one| one.given.grantor).collect();
        let rows = self.snapshot.records.get_all(&orgs)?.into_iter();
        let nonprofits: Vec<NonprofitHit> =
            rows.map(|organization| NonprofitHit { organization, cosine: None }).collect();
        let mut suggestions: Vec<_> =
            nonprofits.iter().take(2).map(|row| suggest::details_of(&row.organization)).collect();
        if suggestions.is_empty() {
            suggestions = suggest::openings(self.snapshot)?;
        }
        self.conversation.show_nonprofits(nonprofits.iter().map(|row| row.organization.ein), 0);
        let answer = Answer::of(Intent::FindNonprofits, message, self.conversation);
        Ok(Answer { about: asked.words.clone(), nonprofits, suggestions, ..answer })
    }
}

/// The fact by which the next message goes on: `and in 2020?`.
fn fact_of(question: &Question) -> Option<FactQuestion> {
    let fact = match question.topic {
        Topic::Board => Fact::Officers,
        Topic::Pay => Fact::Pay,
        _ => return None,
    };
    Some(FactQuestion { fact, year: question.year })
}

/// What funders were asked for, behind the word.
fn of_funders(asked: &Question, is_by_code: bool) -> String {
    let mut such = String::new();
    let within = |state: Option<State>| {
        let area = Area { state, ..Area::default() };
        NamedPlace::of(area).map_or(String::new(), |place| format!(" in {}", place.name))
    };
    such.push_str(&within(asked.funder_state));
    if let Some(accepts) = asked.accepts_applications {
        such.push_str(match accepts {
            true => " that say that they take applications",
            false => " that say that they take no applications",
        });
    }
    match &asked.words {
        Some(words) if is_by_code => {
            such.push_str(&format!(" of nonprofits classified under “{words}”"));
        }
        Some(words) => such.push_str(&format!(" of “{words}”, by recipient and purpose of grants")),
        None => {}
    }
    if asked.recipient_state.is_some() {
        such.push_str(&format!(", recipients{}", within(asked.recipient_state)));
    }
    if let Some(least) = asked.min_amount {
        such.push_str(&format!(", grants of at least {}", dollars(least)));
    }
    if let Some(year) = asked.year {
        such.push_str(&format!(", tax year {year}"));
    }
    such
}

/// A funder with what it gave.
fn funder(one: &Funder) -> String {
    let sum = one.given.sum;
    let grants = counted(sum.grants, "grant", "grants");
    let amount = sum.amount.map_or(String::new(), |amount| format!("{} in ", dollars(amount)));
    let takes = match one.given.accepts_applications {
        Some(true) => ", takes applications",
        Some(false) => ", takes no applications",
        None => "",
    };
    format!("{} (EIN {}; {amount}{grants}{takes})", one.card.name, one.card.ein)
}

/// Grants that a nonprofit made or received: how many, how much, and the largest.
fn grants_of(one: &Questioned<'_>, direction: Direction) -> Result<String, SearchError> {
    let Question { year, words, recipient_state, min_amount, .. } = one.question;
    let is_made = direction == Direction::Made;
    let asked = OfOne {
        ein: one.ein,
        direction,
        year: *year,
        stage: GrantStage::Paid,
        min_amount: *min_amount,
        state: recipient_state.filter(|_| is_made),
        words: words.clone(),
        paging: Paging { page: 1, size: SIZE_MAX },
    };
    let name = one.name;
    let whose =
        if is_made { format!("grants made by {name}") } else { format!("grants to {name}") };
    let mut such = String::new();
    if let Some(words) = words {
        such.push_str(&format!(" for “{words}”"));
    }
    if let Some(state) = asked.state {
        such.push_str(&format!(" in {}", state.name()));
    }
    if let Some(year) = year {
        such.push_str(&format!(" of {year}"));
    }
    let Some(of_one) = grants::of_one(one.snapshot, &asked)? else {
        return Ok(format!("Not in the loaded returns: {whose}."));
    };
    Ok(match (of_one.basis, of_one.found.page.total) {
        (Basis::NotLoaded, _) => format!("Not in the loaded returns: {whose}."),
        (Basis::NoneListed, _) => format!("The loaded returns of {name} list no grants made."),
        (Basis::Listed, 0) => {
            format!("Not in the loaded returns: {whose}{such}; they do list others of its grants.")
        }
        (Basis::Listed, _) => {
            format!("{}{}", summed(&of_one.found, &whose, &such), largest(&of_one.found, direction))
        }
    })
}

/// How many grants there are and how much they are.
fn summed(found: &Found, whose: &str, such: &str) -> String {
    let whose = whose.trim_start_matches("grants");
    let count = counted(found.page.total, "grant", "grants");
    let amount = found.amount.map_or(String::new(), |sum| format!(", {} in all", dollars(sum)));
    format!("The loaded returns list {count}{whose}{such}{amount}.")
}

/// The largest grants; of a list longer than a page, those of its latest tax year.
fn largest(found: &Found, direction: Direction) -> String {
    let rows = &found.page.rows;
    let Some(latest) = rows.first().map(|row| row.grant.tax_year) else { return String::new() };
    let is_whole = found.page.total as usize == rows.len();
    let mut rows: Vec<&ListedGrant> =
        rows.iter().filter(|row| is_whole || row.grant.tax_year == latest).collect();
    let amount = |row: &ListedGrant| row.grant.amount().map(|usd| usd.dollars());
    rows.sort_by_key(|row| std::cmp::Reverse(amount(row)));
    let named = rows.iter().take(NAMED).map(|row| {
        let amount = amount(row).map_or("an amount not stated".to_owned(), dollars);
        let (to, side) = match direction {
            Direction::Made => {
                ("to", row.recipient_name.as_deref().unwrap_or("a recipient not named"))
            }
            Direction::Received => ("from", &*row.grantor_name),
        };
        format!("{amount} {to} {side} ({})", row.grant.tax_year)
    });
    let of = if is_whole { String::new() } else { format!(" of {latest}") };
    let named: Vec<String> = named.collect();
    match &named[..] {
        [only] if is_whole => format!(" It is {only}."),
        _ => format!(" The largest{of}: {}.", list(&named)),
    }
}
