//! What a fictional return lists: grants to other fictional organizations, and those that it is related
//! to. The same recipients come back year after year, with other amounts.

use serde_json::{Value, json};

use super::random::Random;
use super::row::{Population, Row};
use crate::record::Form;

const PURPOSES: [&str; 6] = [
    "GENERAL SUPPORT",
    "EDUCATION PROGRAM",
    "CAPITAL CAMPAIGN",
    "FOOD ASSISTANCE",
    "HEALTH SERVICES",
    "SCHOLARSHIP FUND",
];

/// The most other organizations that are drawn where one of them is not to be had.
const DRAWS_MAX: u64 = 4;

/// The streams of grants, of grants to come and of relations lie apart.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    Grants,
    Approved,
    Relations,
}

/// Other organizations that the returns of one name.
pub(super) struct Others<'a> {
    pub(super) population: Population,
    pub(super) seed: u64,
    pub(super) row: &'a Row,
}

impl Others<'_> {
    /// Grants that add up to `total`; whole dollars, none of 0.
    pub(super) fn grants(&self, total: i64, most: u64, purpose: Purpose) -> Vec<Value> {
        let mut random = self.stream(purpose);
        let count = (1 + random.skewed(most)).min(total.max(0) as u64);
        let mut grants = self.draw(count, &mut random);
        let mut left = total;
        let last = grants.len().saturating_sub(1);
        for (at, grant) in grants.iter_mut().enumerate() {
            let rest = (last - at) as i64;
            // Each of those that follow gets a dollar at least.
            let share = left / 100 * (20 + random.below(40) as i64);
            let amount = if at == last { left } else { share.clamp(1, left - rest) };
            grant["given"] = amount.into();
            left -= amount;
        }
        grants
    }

    /// Organizations that the filer controls: few have any.
    pub(super) fn related(&self, form: Form) -> Vec<Value> {
        let mut random = self.stream(Purpose::Relations);
        let has = form == Form::Full && (self.row.group != 0 || random.chance(120));
        let count = if has { 1 + random.below(3) } else { 0 };
        self.draw(count, &mut random)
    }

    fn stream(&self, purpose: Purpose) -> Random {
        let ein = u64::from(self.row.ein);
        Random::new(self.seed, u64::MAX / 4 - ein * 4 - purpose as u64)
    }

    /// Other organizations, each once, as their rows of the master file have them.
    fn draw(&self, count: u64, random: &mut Random) -> Vec<Value> {
        let mut found: Vec<Value> = Vec::new();
        for _ in 0..count * DRAWS_MAX {
            if found.len() as u64 == count {
                break;
            }
            let (row, _) = self.population.draw(random.below(self.population.count));
            let ein = format!("{:09}", row.ein);
            let is_new = row.ein != self.row.ein && found.iter().all(|other| other["ein"] != ein);
            if is_new && !row.state.is_empty() {
                found.push(json!({
                    "ein": ein,
                    "name": row.name,
                    // A foundation writes the name as it is spoken of.
                    "spoken name": row.name.trim_end_matches(" INC"),
                    "street": row.street,
                    "city": row.city,
                    "state": row.state,
                    "zip": row.zip,
                    "purpose": random.pick(&PURPOSES),
                }));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::options;
    use super::*;

    #[test]
    fn grants_add_up_and_go_to_others() {
        let population = Population::of(&options(500, 3));
        for index in 0..200 {
            let (row, _) = population.draw(index);
            let others = Others { population, seed: 5, row: &row };
            for total in [0, 1, 2, 90_000, 1_234_567] {
                let grants = others.grants(total, 12, Purpose::Grants);
                let amounts = grants.iter().map(|grant| grant["given"].as_i64().unwrap());
                assert_eq!(amounts.clone().sum::<i64>(), total);
                assert!(amounts.clone().all(|amount| amount > 0));
                let own = format!("{:09}", row.ein);
                assert!(grants.iter().all(|grant| grant["ein"] != own && grant["name"] != ""));
            }
        }
    }
}
