//! Returns of fictional organizations: which form each files, in which years, with which amounts and
//! lists, by the words of `data/fictional_returns.tsv`. How they are written is in `forms`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::figure::{self, PROGRAMS};
use super::forms::section;
use super::listed::{Others, Purpose};
use super::options::GenerateError;
use super::phrase::Voice;
use super::random::Random;
use super::row::{Population, Row};
use super::subject::Subject;
use crate::record::Form;

/// Years of which each organization has returns, the last that of its master file row.
const YEARS: usize = 3;

/// Pay of an officer from which on Schedule J tells its parts.
const DETAILED_FROM: i64 = 150_000;

/// What a form says where its text is on Schedule O.
const POINTER: &str = "SEE SCHEDULE O";

/// Days of each month; of February the shorter, as a period that ends a day early is still one.
const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// Titles of officers, each with a name that cannot be taken for a person's.
const OFFICERS: [(&str, &str); 6] = [
    ("Fictional Officer One", "President"),
    ("Fictional Officer Two", "Treasurer"),
    ("Fictional Officer Three", "Secretary"),
    ("Fictional Officer Four", "Executive Director"),
    ("Fictional Officer Five", "Director"),
    ("Fictional Officer Six", "Director"),
];

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
    pub(super) fn write(&self, subject: &Subject<'_>) -> Result<u64, GenerateError> {
        let others = Others { population: self.population, seed: self.seed, row: subject.row };
        let all = returns(subject, &others);
        for (number, filed) in (1..).zip(&all) {
            // Year of filing, EIN and a running number: 18 digits that no two files share.
            let name = format!("{}{}{number:05}_public.xml", filed.filed_in, subject.ein);
            // Some real files begin with a byte order mark.
            let mark = if subject.row.ein.is_multiple_of(9) { "\u{feff}" } else { "" };
            let mut xml = mark.to_owned();
            section(&mut xml, &code(filed.form), &filed.scopes.each_ref());
            let path = self.folder.join(name);
            fs::write(&path, xml).map_err(GenerateError::io(&path))?;
        }
        Ok(all.len() as u64)
    }
}

/// A return as it will be written.
struct Return {
    form: Form,
    filed_in: u64,
    /// What the words stand for: lists, the return, amounts of the year, the filer.
    scopes: [Value; 4],
}

/// A form as `ReturnTypeCd` names it.
fn code(form: Form) -> String {
    form.name().replace('-', "")
}

/// Amounts of one year, in whole dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Amounts {
    revenue: i64,
    expenses: i64,
    assets: i64,
    liabilities: i64,
}

impl Amounts {
    fn net_assets(self) -> i64 {
        self.assets - self.liabilities
    }

    fn surplus(self) -> i64 {
        self.revenue - self.expenses
    }

    fn fundraising(self) -> i64 {
        self.expenses / 100 * 6
    }

    /// What a foundation pays in grants.
    fn grants_paid(self) -> i64 {
        self.expenses / 10 * 8
    }

    /// By the words of the table.
    fn words(self) -> Value {
        json!({
            "revenue": self.revenue,
            "expenses": self.expenses,
            "assets": self.assets,
            "liabilities": self.liabilities,
            "net assets": self.net_assets(),
            "surplus": self.surplus(),
            "contributions": self.revenue.max(0) / 10 * 7,
            "grants paid": self.grants_paid(),
            "fundraising": self.fundraising(),
            "unrestricted": self.net_assets() / 10 * 7,
        })
    }
}

/// What the returns of an organization have in common.
struct Filer<'a> {
    subject: &'a Subject<'a>,
    others: &'a Others<'a>,
    form: Form,
    amounts: [Amounts; YEARS + 1],
    in_capitals: bool,
    /// Whether mission and programs stand on Schedule O, and the form points there.
    points: bool,
    mission: String,
    people: usize,
    /// Months from the end of a period to the filing.
    delay: u64,
    volunteers: Option<u64>,
    /// Which of the programs of the cause come first.
    start: u64,
}

/// The returns of an organization, the oldest first; none without a tax period.
fn returns(subject: &Subject<'_>, others: &Others<'_>) -> Vec<Return> {
    let Some(period) = subject.row.tax_period else {
        return Vec::new();
    };
    let random = &mut Random::new(others.seed, u64::from(subject.row.ein));
    let filer = Filer::draw(subject, others, random);
    let mut all: Vec<_> = (0..YEARS).map(|index| filer.filed(period, index, false)).collect();
    if random.chance(60) {
        // The return that it replaces stays among the files, as in the real ones.
        all.push(filer.filed(period, YEARS - 1, true));
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

/// The sum of a word over a list.
fn sum(list: &[Value], word: &str) -> i64 {
    list.iter().filter_map(|item| item[word].as_i64()).sum()
}

impl<'a> Filer<'a> {
    fn draw(subject: &'a Subject<'a>, others: &'a Others<'a>, random: &mut Random) -> Self {
        let amounts = amounts(subject.row, random);
        let latest = amounts[YEARS];
        let form = match (subject.row.foundation_filing, latest.revenue, latest.assets) {
            (1, ..) => Form::PrivateFoundation,
            // The limits up to which the IRS allows the short form.
            (_, ..200_000, ..500_000) => Form::Short,
            _ => Form::Full,
        };
        Self {
            subject,
            others,
            form,
            amounts,
            in_capitals: random.chance(250),
            points: form != Form::PrivateFoundation && random.chance(150),
            mission: {
                let mission = PROGRAMS.one(subject.cause.key, "mission", random);
                Voice::of(subject).render(mission, random)
            },
            people: 3 + random.below(4) as usize,
            delay: 4 + random.below(5),
            volunteers: random.chance(750).then(|| 1 + random.skewed(40 + subject.money / 20_000)),
            start: random.below(4),
        }
    }

    /// What is the same in every year.
    fn words(&self) -> Value {
        let (subject, row) = (self.subject, self.subject.row);
        let in_table = matches!(row.subsection, "03" | "92");
        let control = row.name.chars().filter(char::is_ascii_alphabetic).take(4);
        // One return in ten is without a site.
        let site = subject.site.trim_start_matches("https://");
        json!({
            "form": code(self.form),
            "in capitals": self.in_capitals,
            "ein": subject.ein,
            "organization": row.name,
            "name control": control.collect::<String>(),
            "street": row.street,
            "city": row.city,
            "state": row.state,
            "zip": row.zip,
            "is 03": (row.subsection == "03").then_some("X"),
            "is 92": (row.subsection == "92").then_some("X"),
            "other subsection": (!in_table).then(|| row.subsection.trim_start_matches('0')),
            "founded": subject.founded,
            "Website": if row.ein.is_multiple_of(10) { "N/A" } else { site },
            "Mission": self.in_place(&self.mission),
            "Signer": OFFICERS[0].0,
            "Signer's title": OFFICERS[0].1,
        })
    }

    /// The return of a year of [`Filer::amounts`]; `last` is the month in which the last of them ended.
    fn filed(&self, last: u64, index: usize, amended: bool) -> Return {
        let (mut now, before) = (self.amounts[index + 1], self.amounts[index]);
        let (year, month) = (last / 100 - (YEARS - 1 - index) as u64, last % 100);
        let employees = now.expenses.max(0) as u64 / 110_000;
        let officers = self.officers(now.expenses, employees);
        let programs = self.programs(year, index, now);
        if amended {
            now.expenses += now.expenses / 50;
        }
        let spent = sum(&programs, "cost");
        let (begin_year, begin_month) = if month == 12 { (year, 1) } else { (year - 1, month + 1) };
        let filing = month - 1 + self.delay + if amended { 2 } else { 0 };
        let (filed_in, day) = (year + filing / 12, 1 + self.subject.row.plus_four % 28);
        let words = json!({
            "amended": amended.then_some("X"),
            "tax year": begin_year,
            "period begin": format!("{begin_year}-{begin_month:02}-01"),
            "period end": format!("{year}-{month:02}-{}", DAYS[(month.clamp(1, 12) - 1) as usize]),
            "filed on": format!("{filed_in}-{:02}-{day:02}", filing % 12 + 1),
            "before": before.words(),
            "receipts": self.subject.row.income.unwrap_or(now.revenue).max(now.revenue),
            "other changes": now.net_assets() - before.net_assets() - now.surplus(),
            "program expenses": spent,
            "management": now.expenses - spent - now.fundraising(),
            "employees": employees,
            "salaries": employees * 52_000,
            "volunteers": self.volunteers.map(|count| count + index as u64 * (count / 9)),
        });
        let lists = self.lists(now, officers, programs, amended);
        Return { form: self.form, filed_in, scopes: [lists, words, now.words(), self.words()] }
    }

    /// What is written once for each of several.
    fn lists(
        &self,
        now: Amounts,
        officers: Vec<Value>,
        programs: Vec<Value>,
        amended: bool,
    ) -> Value {
        let (ein, is_full) = (self.subject.row.ein, self.form == Form::Full);
        let is_detailed = |officer: &&Value| officer["pay"].as_i64() > Some(DETAILED_FROM);
        let details: Vec<_> = officers.iter().filter(is_detailed).collect();
        let (total, most) = match self.form {
            Form::Full => (sum(&programs, "grants"), 12),
            Form::PrivateFoundation => (now.grants_paid(), 20),
            Form::Short => (0, 0),
        };
        let approves = self.form == Form::PrivateFoundation && ein.is_multiple_of(7);
        let grants = self.others.grants(total, most, Purpose::Grants);
        let approved =
            self.others.grants(if approves { total / 4 } else { 0 }, 3, Purpose::Approved);
        let related = self.others.related(self.form);
        let explanations = self.explanations(&programs, amended);
        let schedules = [
            !explanations.is_empty(),
            is_full && !grants.is_empty(),
            is_full && !details.is_empty(),
            !related.is_empty(),
        ];
        // Whether a foundation gives to preselected organizations only.
        let is_preselected = ein % 5 < 3;
        json!({
            "officers": officers.len(),
            "recipients": grants.len(),
            "given in all": sum(&grants, "given"),
            "approved in all": sum(&approved, "given"),
            "is preselected": is_preselected.then_some("X"),
            "application": !is_preselected,
            "documents": 1 + schedules.into_iter().filter(|is_there| *is_there).count(),
            "schedule": schedules[0],
            "schedule-i": schedules[1],
            "schedule-j": schedules[2],
            "schedule-r": schedules[3],
            "detail": details,
            "officer": officers,
            "program": programs,
            "grant": grants,
            "approved": approved,
            "related": related,
            "explanation": explanations,
        })
    }

    fn officers(&self, expenses: i64, employees: u64) -> Vec<Value> {
        let officer = |(number, (name, title)): (u64, &(&str, &str))| {
            let is_paid = *title == "Executive Director" && employees > 0;
            let pay = if is_paid { (expenses / 12).min(410_000) } else { 0 };
            json!({
                "Name": name,
                "Title": title,
                "hours": if is_paid { 40 } else { number },
                "is director": (*title == "Director").then_some("X"),
                "is officer": (*title != "Director").then_some("X"),
                "pay": pay,
                "other pay": pay / 10,
                "bonus": pay / 20,
                "base pay": pay - pay / 20,
                "pay in all": pay + pay / 10,
            })
        };
        (1..).zip(&OFFICERS[..self.people]).map(officer).collect()
    }

    /// Two or three programs: the same in every year, at about the same size.
    fn programs(&self, year: u64, index: usize, now: Amounts) -> Vec<Value> {
        let (subject, start) = (self.subject, self.start);
        let known = PROGRAMS.all(subject.cause.key, "program");
        // Not the stream of the year, so that years resemble each other.
        let mut random = Random::new(!self.others.seed, subject.money ^ start);
        let count = 2 + random.below(2);
        let mut left = now.expenses / 100 * 84;
        let program = |number: u64| {
            let purpose = known[((start + number - 1) % known.len() as u64) as usize];
            let percent = 88 + index as u64 * 5 + random.below(5);
            let mut text = Voice::of(subject).render(purpose, &mut random);
            for kind in (start + number * 2 - 2..).take(1 + random.below(2) as usize) {
                text.push(' ');
                text += &figure::of_program(subject, year, kind, percent, &mut random);
            }
            let cost = if number == count { left } else { left / 100 * 58 };
            left -= cost;
            json!({
                "number": number,
                // The first stands in the form itself, the others in groups.
                "further": (number > 1).then_some(number),
                "Text": self.in_place(&text),
                "text": text,
                "cost": cost,
                "grants": if random.chance(300) { cost / 5 } else { 0 },
                "earned": if random.chance(300) { now.revenue.max(0) / 10 } else { 0 },
            })
        };
        (1..=count).map(program).collect()
    }

    /// What the form itself says.
    fn in_place<'b>(&self, text: &'b str) -> &'b str {
        if self.points { POINTER } else { text }
    }

    /// What Schedule O says: the line of the form, and the text.
    fn explanations(&self, programs: &[Value], amended: bool) -> Vec<Value> {
        let (form, purpose, lines) = match self.form {
            Form::Full => ("FORM 990", "LINE 1", ["4A", "4B", "4C"]),
            Form::Short => ("FORM 990-EZ", "PRIMARY EXEMPT PURPOSE", ["28", "29", "30"]),
            Form::PrivateFoundation => return Vec::new(),
        };
        let mut all = Vec::new();
        if self.points {
            let line = format!("{form}, PART III, {purpose}");
            all.push(json!({ "line": line, "Explanation": self.mission }));
            all.extend(programs.iter().zip(lines).map(|(program, line)| {
                let line = format!("{form}, PART III, LINE {line}");
                json!({ "line": line, "Explanation": program["text"] })
            }));
        }
        if amended {
            let text = "The return was amended to correct the expenses of the year.";
            all.push(json!({ "line": "AMENDED RETURN INFORMATION", "Explanation": text }));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::options;
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

    fn returns_of(row: &Row) -> Vec<Return> {
        let population = Population::of(&options(500, 3));
        returns(&Subject::of(row), &Others { population, seed: 5, row })
    }

    fn word<'a>(filed: &'a Return, name: &str) -> &'a Value {
        filed.scopes.iter().find_map(|scope| scope.get(name)).unwrap()
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
            let all = returns_of(&row);
            let ends: Vec<_> = all.iter().take(3).map(|filed| word(filed, "period end")).collect();
            assert_eq!(ends, ["2022-06-30", "2023-06-30", "2024-06-30"]);
            let number = |filed, name| word(filed, name).as_i64();
            let last = &all[2];
            assert_eq!((number(last, "revenue"), number(last, "assets")), (revenue, assets));
            for (index, filed) in all.iter().enumerate() {
                assert_eq!(filed.form, form, "{change:?}");
                assert!(number(filed, "expenses") > Some(0));
                let count = |name| word(filed, name).as_array().unwrap().len();
                assert!((3..=6).contains(&count("officer")));
                assert!((2..=3).contains(&count("program")));
                assert!(number(filed, "program expenses") <= number(filed, "expenses"));
                if (1..3).contains(&index) {
                    assert_eq!(filed.scopes[1]["before"], all[index - 1].scopes[2]);
                }
            }
        }
    }

    #[test]
    fn without_a_tax_period_there_is_none() {
        let row = Row { tax_period: None, ..row() };
        assert!(returns_of(&row).is_empty());
    }
}
