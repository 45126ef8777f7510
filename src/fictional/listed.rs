//! What a fictional return lists: grants to other fictional organizations, and those that it is related
//! to. The same recipients come back year after year, with other amounts.

use super::forms::{Form, Other};
use super::population::Population;
use super::random::Random;
use super::row::Row;

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
    pub(super) fn grants(&self, total: i64, most: u64, purpose: Purpose) -> Vec<Other> {
        let mut random = self.stream(purpose);
        let count = (1 + random.skewed(most)).min(total.max(0) as u64);
        let mut grants = self.draw(count, &mut random);
        let mut left = total;
        let last = grants.len().saturating_sub(1);
        for (at, grant) in grants.iter_mut().enumerate() {
            let rest = (last - at) as i64;
            // Each of those that follow gets a dollar at least.
            let share = left / 100 * (20 + random.below(40) as i64);
            grant.amount = if at == last { left } else { share.clamp(1, left - rest) };
            left -= grant.amount;
        }
        grants
    }

    /// Organizations that the filer controls: few have any.
    pub(super) fn related(&self, form: Form) -> Vec<Other> {
        let mut random = self.stream(Purpose::Relations);
        let has = form == Form::Full && (self.row.group != 0 || random.chance(120));
        let count = if has { 1 + random.below(3) } else { 0 };
        self.draw(count, &mut random)
    }

    fn stream(&self, purpose: Purpose) -> Random {
        let ein = u64::from(self.row.ein);
        Random::new(self.seed, u64::MAX / 4 - ein * 4 - purpose as u64)
    }

    /// Other organizations, each once.
    fn draw(&self, count: u64, random: &mut Random) -> Vec<Other> {
        let mut found: Vec<Other> = Vec::new();
        let mut row = Row::default();
        for _ in 0..count * DRAWS_MAX {
            if found.len() as u64 == count {
                break;
            }
            self.population.draw(random.below(self.population.count()), &mut row);
            let ein = format!("{:09}", row.ein);
            let is_new = row.ein != self.row.ein && found.iter().all(|other| other.ein != ein);
            if is_new && !row.state.is_empty() {
                let purpose = random.pick(&PURPOSES);
                found.push(Other::of(&row, ein, purpose));
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
            let mut row = Row::default();
            population.draw(index, &mut row);
            let others = Others { population, seed: 5, row: &row };
            for total in [0, 1, 2, 90_000, 1_234_567] {
                let grants = others.grants(total, 12, Purpose::Grants);
                assert_eq!(grants.iter().map(|grant| grant.amount).sum::<i64>(), total);
                assert!(grants.iter().all(|grant| grant.amount > 0));
                let own = format!("{:09}", row.ein);
                assert!(grants.iter().all(|grant| grant.ein != own && !grant.name.is_empty()));
            }
        }
    }
}
