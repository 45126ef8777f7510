//! Writes a return as XML in the IRS's e-file schema: Form 990, 990-EZ or 990-PF. Which elements
//! there are stands in `data/fictional_returns.tsv`; here is what their words mean.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::row::Row;
use super::subject::Subject;
use super::template::fill;
use crate::table::table;

/// Lines by their section.
static SECTIONS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut sections: HashMap<_, Vec<_>> = HashMap::new();
    for [section, line] in table!("data/fictional_returns.tsv").rows() {
        sections.entry(section).or_default().push(line);
    }
    sections
});

/// The forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Full,
    Short,
    PrivateFoundation,
}

impl Form {
    fn code(self) -> &'static str {
        match self {
            Self::Full => "990",
            Self::Short => "990EZ",
            Self::PrivateFoundation => "990PF",
        }
    }
}

/// How texts are written: some filers use nothing but capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    AsTyped,
    Capitals,
}

/// Amounts of one year, in whole dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Amounts {
    pub(super) revenue: i64,
    pub(super) expenses: i64,
    pub(super) assets: i64,
    pub(super) liabilities: i64,
}

impl Amounts {
    fn net_assets(self) -> i64 {
        self.assets - self.liabilities
    }

    fn surplus(self) -> i64 {
        self.revenue - self.expenses
    }

    /// The amount that a word of the table names.
    fn named(self, word: &str) -> Option<i64> {
        Some(match word {
            "revenue" => self.revenue,
            "expenses" => self.expenses,
            "assets" => self.assets,
            "liabilities" => self.liabilities,
            "net assets" => self.net_assets(),
            "surplus" => self.surplus(),
            "contributions" => self.revenue.max(0) / 10 * 7,
            "grants paid" => self.grants_paid(),
            "fundraising" => self.fundraising(),
            "unrestricted" => self.net_assets() / 10 * 7,
            _ => return None,
        })
    }

    fn fundraising(self) -> i64 {
        self.expenses / 100 * 6
    }

    /// What a foundation pays in grants.
    pub(super) fn grants_paid(self) -> i64 {
        self.expenses / 10 * 8
    }
}

/// An officer, in the order of the form.
#[derive(Debug)]
pub(super) struct Officer {
    pub(super) name: String,
    pub(super) title: &'static str,
    pub(super) hours: u64,
    pub(super) pay: i64,
}

/// Pay of an officer from which on Schedule J tells its parts.
const DETAILED_FROM: i64 = 150_000;

/// Another fictional organization, which a schedule names.
#[derive(Debug)]
pub(super) struct Other {
    pub(super) ein: String,
    pub(super) name: String,
    street: String,
    city: &'static str,
    state: &'static str,
    zip: &'static str,
    purpose: &'static str,
    /// What it was given.
    pub(super) amount: i64,
}

impl Other {
    /// As its row of the master file has it.
    pub(super) fn of(row: &Row, ein: String, purpose: &'static str) -> Self {
        Self {
            ein,
            name: row.name.clone(),
            street: row.street.clone(),
            city: row.city,
            state: row.state,
            zip: row.zip,
            purpose,
            amount: 0,
        }
    }

    /// What a word of the table stands for.
    fn named(&self, word: &str) -> Option<String> {
        Some(match word {
            "other ein" => self.ein.clone(),
            "other name" => self.name.clone(),
            // A foundation writes the name as it is spoken of.
            "spoken name" => self.name.trim_end_matches(" INC").to_owned(),
            "other street" => self.street.clone(),
            "other city" => self.city.to_owned(),
            "other state" => self.state.to_owned(),
            "other zip" => self.zip.to_owned(),
            "purpose" => self.purpose.to_owned(),
            "given" => self.amount.to_string(),
            _ => return None,
        })
    }
}

/// A program and what it cost.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) text: String,
    pub(super) expenses: i64,
    pub(super) grants: i64,
    pub(super) revenue: i64,
}

/// Whether mission and programs stand where they are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wording {
    InPlace,
    /// The form says `SEE SCHEDULE O`, and the schedule has the text.
    OnScheduleO,
}

/// A return as it will be written.
#[derive(Debug)]
pub(super) struct Return<'a> {
    pub(super) row: &'a Row,
    pub(super) subject: &'a Subject,
    pub(super) form: Form,
    pub(super) case: Case,
    pub(super) wording: Wording,
    pub(super) amended: bool,
    /// Year and month in which the tax period ends.
    pub(super) period: (u64, u64),
    /// Month in which it was filed.
    pub(super) filed: (u64, u64),
    pub(super) mission: String,
    pub(super) now: Amounts,
    pub(super) before: Amounts,
    pub(super) programs: Vec<Program>,
    pub(super) officers: Vec<Officer>,
    pub(super) employees: u64,
    pub(super) volunteers: Option<u64>,
    /// Grants paid in the period, and approved for the future.
    pub(super) grants: Vec<Other>,
    pub(super) approved: Vec<Other>,
    /// Organizations that it controls.
    pub(super) related: Vec<Other>,
}

/// What a section is about, where it is written several times.
#[derive(Debug, Clone, Copy)]
enum Item<'a> {
    Whole,
    Officer(&'a Officer),
    Other(&'a Other),
    /// With its number, from 1.
    Program(usize, &'a Program),
    /// A line of the form, and the text that belongs there.
    Explanation(&'a str, &'a str),
}

/// What a form says where its text is on Schedule O.
const POINTER: &str = "SEE SCHEDULE O";

/// Days of each month; of February the shorter, as a period that ends a day early is still one.
const DAYS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The XML of a return.
pub(super) fn write(filed: &Return<'_>) -> String {
    let mut xml = String::new();
    // Some real files begin with a byte order mark.
    if filed.row.ein.is_multiple_of(9) {
        xml.push('\u{feff}');
    }
    filed.section(&mut xml, filed.form.code(), Item::Whole);
    xml
}

impl Return<'_> {
    fn section(&self, xml: &mut String, name: &str, item: Item<'_>) {
        for line in &SECTIONS[name] {
            match line.strip_prefix('@') {
                Some(name) => self.sections(xml, name, item),
                None => self.line(xml, line, item),
            }
        }
    }

    /// Writes a section as often as there is something to write in it.
    fn sections(&self, xml: &mut String, name: &str, item: Item<'_>) {
        match name.split(' ').next() {
            Some("officer") => {
                let all = self.officers.iter().map(Item::Officer);
                all.for_each(|one| self.section(xml, name, one));
            }
            Some("program") => {
                let all = (1..).zip(&self.programs).map(|(at, one)| Item::Program(at, one));
                all.for_each(|one| self.section(xml, name, one));
            }
            Some("explanation") => {
                for (line, text) in self.explanations() {
                    self.section(xml, name, Item::Explanation(&line, text));
                }
            }
            Some("detail") => {
                let all = self.detailed().map(Item::Officer);
                all.for_each(|one| self.section(xml, name, one));
            }
            Some("grant") => self.others(xml, name, &self.grants),
            Some("approved") => self.others(xml, name, &self.approved),
            Some("related") => self.others(xml, name, &self.related),
            Some("application") if self.takes_no_applications() => {}
            Some("schedule") if self.explanations().is_empty() => {}
            Some("schedule-i") if self.grants.is_empty() => {}
            Some("schedule-j") if self.detailed().next().is_none() => {}
            Some("schedule-r") if self.related.is_empty() => {}
            _ => self.section(xml, name, item),
        }
    }

    fn others(&self, xml: &mut String, name: &str, all: &[Other]) {
        all.iter().for_each(|one| self.section(xml, name, Item::Other(one)));
    }

    /// Those whose pay Schedule J tells the parts of.
    fn detailed(&self) -> impl Iterator<Item = &Officer> {
        self.officers.iter().filter(|officer| officer.pay > DETAILED_FROM)
    }

    /// Writes a line unless one of its words has no value.
    fn line(&self, xml: &mut String, line: &str, item: Item<'_>) {
        let begin = xml.len();
        let mut is_known = true;
        fill(xml, line, |xml, word| match self.value(word, item) {
            Some(value) => escape(xml, &value),
            None => is_known = false,
        });
        xml.push('\n');
        if !is_known {
            xml.truncate(begin);
        }
    }

    /// What a word of the table stands for; `None` if there is nothing to say.
    fn value(&self, word: &str, item: Item<'_>) -> Option<String> {
        if let Some(text) = self.prose(word, item) {
            let is_capital = self.case == Case::Capitals;
            return Some(if is_capital { text.to_uppercase() } else { text.to_owned() });
        }
        let amounts = word.strip_suffix(" before").map_or((self.now, word), |it| (self.before, it));
        if let Some(amount) = amounts.0.named(amounts.1).or_else(|| self.amount(word, item)) {
            return Some(amount.to_string());
        }
        if let Item::Other(other) = item
            && let Some(value) = other.named(word)
        {
            return Some(value);
        }
        let ticked = |is: bool| is.then(|| "X".to_owned());
        let (row, (year, month)) = (self.row, self.period);
        let begin = if month == 12 { (year, 1) } else { (year - 1, month + 1) };
        let of_subsection = |code| (row.subsection == code).then(|| "X".to_owned());
        Some(match word {
            "amended" => return ticked(self.amended),
            "volunteers" => return self.volunteers.map(|count| count.to_string()),
            "is 03" => return of_subsection("03"),
            "is 92" => return of_subsection("92"),
            "other subsection" if matches!(row.subsection, "03" | "92") => return None,
            "other subsection" => row.subsection.trim_start_matches('0').to_owned(),
            "is preselected" => return ticked(self.takes_no_applications()),
            "is director" | "is officer" => match item {
                Item::Officer(officer) => {
                    return ticked((officer.title == "Director") == (word == "is director"));
                }
                _ => return None,
            },
            "form" => self.form.code().to_owned(),
            "tax year" => begin.0.to_string(),
            "period begin" => format!("{}-{:02}-01", begin.0, begin.1),
            "period end" => {
                format!("{year}-{month:02}-{}", DAYS[(month.clamp(1, 12) - 1) as usize])
            }
            "filed on" => {
                format!("{}-{:02}-{:02}", self.filed.0, self.filed.1, 1 + row.plus_four % 28)
            }
            "ein" => self.subject.ein.clone(),
            "organization" => row.name.clone(),
            "name control" => row.name.chars().filter(char::is_ascii_alphabetic).take(4).collect(),
            "street" => row.street.clone(),
            "city" => row.city.to_owned(),
            "state" => row.state.to_owned(),
            "zip" => row.zip.to_owned(),
            "line" => match item {
                Item::Explanation(line, _) => line.to_owned(),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// A text in the filer's own words.
    fn prose<'b>(&'b self, word: &str, item: Item<'b>) -> Option<&'b str> {
        let wording = |text| if self.wording == Wording::InPlace { text } else { POINTER };
        match (word, item) {
            ("Signer", _) => self.officers.first().map(|officer| &*officer.name),
            ("Signer's title", _) => self.officers.first().map(|officer| officer.title),
            // One return in ten is without.
            ("Website", _) if self.row.ein.is_multiple_of(10) => Some("N/A"),
            ("Website", _) => Some(self.subject.site.trim_start_matches("https://")),
            ("Mission", _) => Some(wording(&self.mission)),
            ("Name", Item::Officer(officer)) => Some(&officer.name),
            ("Title", Item::Officer(officer)) => Some(officer.title),
            ("Text", Item::Program(_, program)) => Some(wording(&program.text)),
            ("Explanation", Item::Explanation(_, text)) => Some(text),
            _ => None,
        }
    }

    /// A number that is none of the year's amounts.
    fn amount(&self, word: &str, item: Item<'_>) -> Option<i64> {
        Some(match (word, item) {
            ("receipts", _) => {
                self.row.income.map_or(self.now.revenue, |income| income.max(self.now.revenue))
            }
            ("other changes", _) => {
                self.now.net_assets() - self.before.net_assets() - self.now.surplus()
            }
            ("management", _) => {
                let programs: i64 = self.programs.iter().map(|program| program.expenses).sum();
                self.now.expenses - programs - self.now.fundraising()
            }
            ("given in all", _) => self.grants.iter().map(|grant| grant.amount).sum(),
            ("approved in all", _) => self.approved.iter().map(|grant| grant.amount).sum(),
            ("recipients", _) => self.grants.len() as i64,
            ("salaries", _) => self.employees as i64 * 52_000,
            ("employees", _) => self.employees as i64,
            ("officers", _) => self.officers.len() as i64,
            ("program expenses", _) => self.programs.iter().map(|program| program.expenses).sum(),
            ("founded", _) => self.subject.founded as i64,
            ("documents", _) => {
                let schedules = [
                    !self.explanations().is_empty(),
                    self.form == Form::Full && !self.grants.is_empty(),
                    self.form == Form::Full && self.detailed().next().is_some(),
                    !self.related.is_empty(),
                ];
                1 + schedules.into_iter().map(i64::from).sum::<i64>()
            }
            ("hours", Item::Officer(officer)) => officer.hours as i64,
            ("pay", Item::Officer(officer)) => officer.pay,
            ("other pay", Item::Officer(officer)) => officer.pay / 10,
            ("bonus", Item::Officer(officer)) => officer.pay / 20,
            ("base pay", Item::Officer(officer)) => officer.pay - officer.pay / 20,
            ("pay in all", Item::Officer(officer)) => officer.pay + officer.pay / 10,
            ("number", Item::Program(number, _)) => number as i64,
            ("further", Item::Program(number, _)) if number > 1 => number as i64,
            ("cost", Item::Program(_, program)) => program.expenses,
            ("grants", Item::Program(_, program)) => program.grants,
            ("earned", Item::Program(_, program)) => program.revenue,
            _ => return None,
        })
    }

    /// Whether a foundation gives to preselected organizations only.
    fn takes_no_applications(&self) -> bool {
        self.row.ein % 5 < 3
    }

    /// What Schedule O says: the line of the form, and the text.
    fn explanations(&self) -> Vec<(String, &str)> {
        let mut all = Vec::new();
        if self.form == Form::PrivateFoundation {
            return all;
        }
        if self.wording == Wording::OnScheduleO {
            let (form, purpose) = match self.form {
                Form::Short => ("FORM 990-EZ, PART III", "PRIMARY EXEMPT PURPOSE"),
                _ => ("FORM 990, PART III", "LINE 1"),
            };
            all.push((format!("{form}, {purpose}"), &*self.mission));
            for (at, program) in self.programs.iter().enumerate() {
                let line = match self.form {
                    Form::Short => (28 + at).to_string(),
                    _ => format!("4{}", char::from(b'A' + at as u8)),
                };
                all.push((format!("{form}, LINE {line}"), &*program.text));
            }
        }
        if self.amended {
            let text = "The return was amended to correct the expenses of the year.";
            all.push(("AMENDED RETURN INFORMATION".to_owned(), text));
        }
        all
    }
}

fn escape(xml: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            other => xml.push(other),
        }
    }
}
