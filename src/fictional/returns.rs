//! Returns of fictional organizations: which form each files, in which years, and with which
//! amounts. How they are written is in `forms`.

use std::fs;
use std::path::{Path, PathBuf};

use super::figure::{self, PROGRAMS};
use super::forms::{self, Amounts, Case, Form, Officer, Program, Return, Wording};
use super::listed::{Others, Purpose};
use super::options::GenerateError;
use super::phrase::{Voice, render};
use super::population::Population;
use super::random::Random;
use super::row::Row;
use super::subject::Subject;

/// Years of which each organization has returns, the last that of its master file row.
const YEARS: usize = 3;

/// The folder of the returns.
pub(super) struct Returns {
    folder: PathBuf,
    seed: u64,
    population: Population,
}

impl Returns {
    pub(super) fn new(folder: &Path, seed: u64, population: Population) -> Self {
        Self { folder: folder.to_owned(), seed, population }
    }

    /// Writes the returns of an organization that has a tax period; returns how many.
    pub(super) fn write(&self, row: &Row, subject: &Subject) -> Result<u64, GenerateError> {
        let mut count = 0;
        for (number, filed) in self.of(row, subject).iter().enumerate() {
            // Year of filing, EIN and a running number: 18 digits that no two files share.
            let object = format!("{}{}{:05}", filed.filed.0, subject.ein, number + 1);
            let path = self.folder.join(format!("{object}_public.xml"));
            fs::write(&path, forms::write(filed))
                .map_err(|source| GenerateError::Io { path, source })?;
            count += 1;
        }
        Ok(count)
    }

    /// The returns of an organization, the oldest first; none without a tax period.
    fn of<'a>(&self, row: &'a Row, subject: &'a Subject) -> Vec<Return<'a>> {
        let others = Others { population: self.population, seed: self.seed, row };
        let mut all = returns(row, subject, self.seed);
        all.iter_mut().for_each(|filed| list(filed, &others));
        all
    }
}

/// Adds what a return lists.
fn list(filed: &mut Return<'_>, others: &Others<'_>) {
    match filed.form {
        Form::Full => {
            let total = filed.programs.iter().map(|program| program.grants).sum();
            filed.grants = others.grants(total, 12, Purpose::Grants);
        }
        Form::PrivateFoundation => {
            let total = filed.now.grants_paid();
            filed.grants = others.grants(total, 20, Purpose::Grants);
            if filed.row.ein.is_multiple_of(7) {
                filed.approved = others.grants(total / 4, 3, Purpose::Approved);
            }
        }
        Form::Short => {}
    }
    filed.related = others.related(filed.form);
}

/// The returns of an organization without what they list, the oldest first; none without a tax period.
fn returns<'a>(row: &'a Row, subject: &'a Subject, seed: u64) -> Vec<Return<'a>> {
    let Some(period) = row.tax_period else {
        return Vec::new();
    };
    let mut random = Random::new(seed, u64::from(row.ein));
    let amounts = amounts(row, &mut random);
    let latest = amounts[YEARS];
    let form = match (row.foundation_filing, latest.revenue, latest.assets) {
        (1, ..) => Form::PrivateFoundation,
        // The limits up to which the IRS allows the short form.
        (_, ..200_000, ..500_000) => Form::Short,
        _ => Form::Full,
    };
    let case = if random.chance(250) { Case::Capitals } else { Case::AsTyped };
    let elsewhere = form != Form::PrivateFoundation && random.chance(150);
    let wording = if elsewhere { Wording::OnScheduleO } else { Wording::InPlace };
    let mission = PROGRAMS.one(subject.cause.key, "mission", &mut random);
    let mission = render(mission, subject, &Voice::default(), &mut random);
    let (people, delay) = (3 + random.below(4), 4 + random.below(5));
    let volunteers = random.chance(750).then(|| 1 + random.skewed(40 + subject.money / 20_000));
    let start = random.below(4);
    let year_of = |index: usize, amended: bool| {
        let (now, before) = (amounts[index + 1], amounts[index]);
        let period = (period / 100 - (YEARS - 1 - index) as u64, period % 100);
        let months = period.1 + delay + u64::from(amended) * 2;
        let filed = (period.0 + (months - 1) / 12, (months - 1) % 12 + 1);
        let employees = now.expenses.max(0) as u64 / 110_000;
        let volunteers = volunteers.map(|count| count + index as u64 * (count / 9));
        let officers = officers(people, now.expenses, employees);
        let programs = programs(subject, start, period.0, index, now, seed);
        let mission = mission.clone();
        Return {
            row,
            subject,
            form,
            case,
            wording,
            amended,
            period,
            filed,
            mission,
            now,
            before,
            programs,
            officers,
            employees,
            volunteers,
            grants: Vec::new(),
            approved: Vec::new(),
            related: Vec::new(),
        }
    };
    let mut all: Vec<_> = (0..YEARS).map(|index| year_of(index, false)).collect();
    if random.chance(60) {
        // The return that it replaces stays among the files, as in the real ones.
        let mut amended = year_of(YEARS - 1, true);
        amended.now.expenses += amended.now.expenses / 50;
        all.push(amended);
    }
    all
}

/// Amounts of the year before the first and of the years, oldest first; the last are those of the
/// master file.
fn amounts(row: &Row, random: &mut Random) -> [Amounts; YEARS + 1] {
    // Form 990-PF tells the master file no revenue; some of its gross income is none.
    let income = row.income.unwrap_or(0);
    let mut revenue = row.revenue.unwrap_or(income / 100 * 80);
    let mut assets = row.assets.unwrap_or(0);
    let owed = random.below(46) as i64;
    let mut all = [Amounts::default(); YEARS + 1];
    for amounts in all.iter_mut().rev() {
        let spent = 70 + random.below(43) as i64;
        *amounts = Amounts {
            revenue,
            expenses: (revenue.abs().max(assets / 20) / 100 * spent).max(100),
            assets,
            liabilities: assets / 100 * owed,
        };
        // A loss is of one year.
        revenue = revenue.abs() / 100 * (82 + random.below(28) as i64);
        assets = assets / 100 * (85 + random.below(25) as i64);
    }
    all
}

/// Names of officers that cannot be taken for people's.
const COUNTED: [&str; 6] = ["One", "Two", "Three", "Four", "Five", "Six"];

const TITLES: [&str; 6] =
    ["President", "Treasurer", "Secretary", "Executive Director", "Director", "Director"];

fn officers(count: u64, expenses: i64, employees: u64) -> Vec<Officer> {
    (0..count as usize)
        .filter_map(|at| {
            let (number, title) = (COUNTED.get(at)?, *TITLES.get(at)?);
            let paid = title == "Executive Director" && employees > 0;
            Some(Officer {
                name: format!("Fictional Officer {number}"),
                title,
                hours: if paid { 40 } else { 1 + at as u64 },
                pay: if paid { (expenses / 12).min(410_000) } else { 0 },
            })
        })
        .collect()
}

/// Two or three programs: the same in every year, at about the same size.
fn programs(
    subject: &Subject,
    start: u64,
    year: u64,
    index: usize,
    now: Amounts,
    seed: u64,
) -> Vec<Program> {
    let known = PROGRAMS.all(subject.cause.key, "program");
    // Not the stream of the year, so that years resemble each other.
    let mut random = Random::new(!seed, subject.money ^ start);
    let count = 2 + random.below(2);
    let mut left = now.expenses / 100 * 84;
    (0..count)
        .filter_map(|turn| {
            let purpose = known.get(((start + turn) % known.len() as u64) as usize)?;
            let percent = 88 + index as u64 * 5 + random.below(5);
            let turns = [start + turn * 2, start + turn * 2 + 1];
            let mut text = render(purpose, subject, &Voice::default(), &mut random);
            for turn in turns.iter().take(1 + random.below(2) as usize) {
                text.push(' ');
                let sentence = figure::of_program(subject, year, *turn, percent, &mut random);
                text.push_str(&sentence);
            }
            let expenses = if turn + 1 == count { left } else { left / 100 * 58 };
            left -= expenses;
            let grants = if random.chance(300) { expenses / 5 } else { 0 };
            let revenue = if random.chance(300) { now.revenue.max(0) / 10 } else { 0 };
            Some(Program { text, expenses, grants, revenue })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Row {
        Row {
            ein: 70_000_001,
            name: "YARBROOK MEALS & MORE INC".into(),
            city: "AUSTIN",
            state: "TX",
            zip: "78701",
            ntee: "K31".into(),
            tax_period: Some(202_406),
            assets: Some(900_000),
            income: Some(800_000),
            revenue: Some(700_000),
            ruling: 200_101,
            subsection: "03",
            ..Row::default()
        }
    }

    #[test]
    fn the_last_year_is_that_of_the_master_file() {
        for (change, form) in [
            ((0, 700_000, 900_000), Form::Full),
            ((0, 90_000, 30_000), Form::Short),
            ((0, 90_000, 700_000), Form::Full),
            ((1, 90_000, 30_000), Form::PrivateFoundation),
            ((0, -3_000, 10_000), Form::Short),
        ] {
            let (foundation_filing, revenue, assets) = change;
            let (revenue, assets) = (Some(revenue), Some(assets));
            let row = Row { foundation_filing, revenue, assets, ..row() };
            let subject = Subject::of(&row);
            let all = returns(&row, &subject, 5);
            let ends: Vec<_> = all.iter().take(3).map(|filed| filed.period).collect();
            assert_eq!(ends, [(2022, 6), (2023, 6), (2024, 6)]);
            let last = &all[2];
            assert_eq!((Some(last.now.revenue), Some(last.now.assets)), (revenue, assets));
            for (index, filed) in all.iter().enumerate() {
                assert_eq!(filed.form, form, "{change:?}");
                assert!(filed.now.expenses > 0);
                assert!((3..=6).contains(&filed.officers.len()));
                assert!((2..=3).contains(&filed.programs.len()));
                let spent: i64 = filed.programs.iter().map(|program| program.expenses).sum();
                assert!(spent <= filed.now.expenses);
                if (1..3).contains(&index) {
                    assert_eq!(filed.before, all[index - 1].now);
                }
            }
        }
    }

    #[test]
    fn without_a_tax_period_there_is_none() {
        let row = Row { tax_period: None, ..row() };
        assert!(returns(&row, &Subject::of(&row), 1).is_empty());
    }
}
