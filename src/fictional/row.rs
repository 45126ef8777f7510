//! One fictional organization: every column of its master file row, drawn so that gaps, codes and
//! amounts follow the real file, and its rows in the other files.

use super::name::{self, CITIES, City, Sort, word};
use super::options::Options;
use super::random::{PARTS, Random};
use crate::taxonomy;

/// Group rulings of the fictional master file: few have thousands of subordinates, most a few.
const GROUPS: u64 = 4_000;

/// Assets and revenue of the master file where they are neither blank nor zero, in whole dollars, by
/// the share of organizations that have no more, in parts of [`PARTS`].
const AMOUNTS: [(u64, u64, u64); 12] = [
    (0, 1, 1),
    (PARTS / 100, 2, 1_365),
    (PARTS / 20, 2_685, 16_397),
    (PARTS / 10, 13_483, 37_879),
    (PARTS / 4, 73_658, 87_042),
    (PARTS / 2, 347_821, 241_752),
    (PARTS / 4 * 3, 1_697_836, 995_788),
    (PARTS / 10 * 9, 8_735_701, 4_869_645),
    (PARTS / 20 * 19, 23_980_677, 13_223_147),
    (PARTS / 100 * 99, 186_038_653, 90_305_550),
    (PARTS / 1000 * 999, 2_333_479_544, 954_634_085),
    (PARTS, 120_000_000_000, 60_000_000_000),
];

/// EIN prefixes that are absent from the IRS's list of issued ones ("How EINs are assigned and
/// valid EIN prefixes"): 17, 18 and 19 are among its gaps between 16 and 20, and so on.
pub(super) const PREFIXES: [u32; 15] = [7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96];

/// EINs of one prefix.
pub(super) const EINS_OF_PREFIX: u64 = 10_000_000;

/// Every organization of one run by its number: each is drawn from a stream of its own, so that a return
/// may name any other without that being kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Population {
    seed: u64,
    pub(super) count: u64,
}

impl Population {
    pub(super) fn of(options: &Options) -> Self {
        Self { seed: options.seed, count: options.organizations }
    }

    /// The organization of a number below the count, and what is left of its stream.
    pub(super) fn draw(self, index: u64) -> (Row, Random) {
        let stride = PREFIXES.len() as u64 * EINS_OF_PREFIX / self.count;
        let mut random = Random::new(self.seed, index);
        let position = index * stride + random.below(stride);
        let prefix = PREFIXES[(position / EINS_OF_PREFIX) as usize];
        let ein = prefix * EINS_OF_PREFIX as u32 + (position % EINS_OF_PREFIX) as u32;
        (Row::draw(self.seed, index, ein, &mut random), random)
    }
}

/// One organization.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) ein: u32,
    pub(super) name: String,
    pub(super) street: String,
    pub(super) city: &'static str,
    /// USPS code; empty abroad.
    pub(super) state: &'static str,
    pub(super) zip: &'static str,
    pub(super) plus_four: u64,
    pub(super) group: u64,
    pub(super) subsection: &'static str,
    pub(super) affiliation: u64,
    pub(super) classification: &'static str,
    pub(super) ruling: u64,
    pub(super) deductibility: u64,
    pub(super) foundation: &'static str,
    pub(super) organization: u64,
    pub(super) status: &'static str,
    pub(super) tax_period: Option<u64>,
    pub(super) filing: &'static str,
    pub(super) foundation_filing: u64,
    pub(super) accounting_month: u64,
    pub(super) assets: Option<i64>,
    pub(super) income: Option<i64>,
    pub(super) revenue: Option<i64>,
    pub(super) ntee: String,
    /// The NTEE code that its name promises; empty where it promises none.
    pub(super) promised: &'static str,
    pub(super) sort_name: String,
    /// Whether Publication 78 lists it.
    pub(super) listed: bool,
    /// Whether it files Form 990-N.
    pub(super) postcard: bool,
}

impl Row {
    /// Draws the organization of that index; the first is always a small public charity, so that
    /// every file has a row at any size.
    pub(super) fn draw(seed: u64, index: u64, ein: u32, random: &mut Random) -> Self {
        let mut row = Self { ein, subsection: "03", ..Self::default() };
        row.place(random);
        let sort = match random.below(1000) {
            _ if index == 0 => Sort::Other,
            0..=228 => Sort::Order,
            229..=353 => Sort::Church,
            354..=409 => Sort::Family,
            _ => Sort::Other,
        };
        row.call(seed, sort, random);
        row.classify(sort, random);
        row.exempt(sort, random);
        row.account(sort, index == 0, random);
        let charity = row.subsection == "03";
        row.listed = charity && random.chance(if row.group == 0 { 960 } else { 550 });
        row.postcard = row.assets == Some(0) && row.revenue == Some(0) && random.chance(850);
        if index == 0 {
            (row.listed, row.postcard) = (true, true);
        }
        row
    }

    fn place(&mut self, random: &mut Random) {
        self.plus_four = random.below(10_000);
        if random.chance(300) {
            self.street = format!("PO BOX {}", 1 + random.skewed(9_999));
        } else {
            self.street = format!("{} {}", 1 + random.skewed(9_999), word("street", random));
            if random.chance(120) {
                self.street += &format!(" STE {}", 100 + random.below(900));
            }
        }
        if random.below(1000) < 4 {
            (self.city, self.state) = (word("country", random), "");
            (self.zip, self.plus_four) = ("00000", 0);
            return;
        }
        let City { name, state, zips } = random.weighted(&CITIES);
        (self.city, self.state) = (name, state);
        let which = random.below(1 + zips.len() as u64 / 6) as usize;
        self.zip = zips.split(' ').nth(which).unwrap_or(&zips[..5]);
    }

    fn call(&mut self, seed: u64, sort: Sort, random: &mut Random) {
        let city = City { name: self.city, state: self.state, zips: self.zip };
        if sort != Sort::Order {
            (self.name, self.promised) = name::legal(sort, random, city);
            if sort == Sort::Other {
                self.subsection = word("subsection", random);
            }
            if random.chance(85) {
                self.sort_name = name::short(random);
            }
            return;
        }
        // Skewed twice: the first groups have thousands of members.
        let bound = 1 + random.skewed(GROUPS);
        self.group = 1 + random.skewed(bound);
        let (name, charity) = name::order(seed, self.group);
        self.name = name;
        self.subsection = match self.group % 8 {
            _ if charity => "03",
            2 => "05",
            5 => "08",
            6 => "04",
            _ if self.group.is_multiple_of(3) => "19",
            _ => "10",
        };
        if random.chance(500) {
            // Congregations and clubs under a group ruling that go by their own name.
            (self.name, self.promised) = name::legal(Sort::Other, random, city);
        }
        if random.chance(740) {
            self.sort_name = name::chapter(random, city);
        }
    }

    /// One of the activity codes of what its name promises.
    pub(super) fn activity(&self, drawn: u64) -> Option<&'static str> {
        let codes = taxonomy::activity_codes(self.promised.chars().next()?);
        codes.get(drawn as usize % codes.len().max(1)).copied()
    }

    fn classify(&mut self, sort: Sort, random: &mut Random) {
        let missing = match sort {
            Sort::Order => 420,
            Sort::Church => 560,
            _ => 245,
        };
        if random.chance(missing) {
            return;
        }
        let is_promised = !self.promised.is_empty();
        self.ntee.push_str(if is_promised { self.promised } else { word("code", random) });
        match random.below(10_000) {
            0 => self.ntee.truncate(2),
            1 => self.ntee = "050".to_owned(),
            2..=1150 => self.ntee.push(char::from(random.pick(b"0ZZ2IJ"))),
            _ => {}
        }
    }

    fn exempt(&mut self, sort: Sort, random: &mut Random) {
        let charity = self.subsection == "03";
        self.affiliation = match (sort, random.below(100)) {
            (Sort::Order, 0) => 6,
            (Sort::Order, _) => 9,
            (_, 0) => random.pick(&[0, 1, 2, 8]),
            _ => 3,
        };
        self.classification = match sort {
            Sort::Church => "7000",
            _ if !charity => word("classification of others", random),
            _ => word("classification", random),
        };
        self.ruling = match random.below(1000) {
            0..=4 => 0,
            5..=24 => 194_603,
            _ => (2026 - random.skewed(90)) * 100 + 1 + random.below(12),
        };
        // Nothing was ruled after the extract's own month.
        self.ruling = self.ruling.min(202_603);
        self.deductibility = match (charity, random.below(1000)) {
            (true, 0..=986) => 1,
            (true, _) => 0,
            (false, 0..=690) => 2,
            (false, 691..=740) => 0,
            (false, _) => 1,
        };
        self.foundation = match sort {
            _ if !charity => "00",
            Sort::Church => "10",
            Sort::Family => random.weighted(&[(920, "04"), (80, "03")]),
            _ => word("foundation", random),
        };
        self.organization = random.weighted(&[(740, 1), (235, 5), (20, 2), (4, 0), (1, 3)]);
        self.status = word("status", random);
        self.accounting_month =
            random.weighted(&[(716, 12), (147, 6), (35, 9), (19, 8), (17, 3), (16, 5), (50, 7)]);
    }

    /// Amounts, tax period and filing requirement: they are blank, zero or known together.
    fn account(&mut self, sort: Sort, zero: bool, random: &mut Random) {
        let shape = match sort {
            _ if zero => 1,
            Sort::Family => 3,
            Sort::Church => random.weighted(&[(95, 0), (3, 1), (2, 2)]),
            Sort::Order => random.weighted(&[(150, 0), (620, 1), (220, 2), (10, 4)]),
            Sort::Other => random.weighted(&[(82, 0), (505, 1), (402, 2), (11, 4)]),
        };
        if shape != 0 {
            let year = 2025 - random.skewed(8).min(random.skewed(8));
            let month = if year == 2025 { self.accounting_month } else { 12 };
            self.tax_period = Some(year * 100 + month);
        }
        match shape {
            0 => {
                let filing = word("filing without amounts", random);
                self.filing = if sort == Sort::Church { "06" } else { filing };
            }
            1 => {
                (self.assets, self.income, self.revenue) = (Some(0), Some(0), Some(0));
                self.filing = "02";
            }
            4 => self.filing = "01",
            _ => {
                let assets = AMOUNTS.map(|(part, assets, _)| (part, assets));
                let revenue = AMOUNTS.map(|(part, _, revenue)| (part, revenue));
                let assets = random.quantile(&assets) as i64;
                let revenue = random.quantile(&revenue) as i64;
                // Income is gross: revenue with the cost of what was sold.
                let income = revenue + (random.skewed(revenue as u64 / 3 + 1) as i64);
                (self.assets, self.income) = (Some(assets), Some(income));
                let loss = random.below(1000) < 4;
                self.revenue = Some(if loss { -revenue } else { revenue });
                self.filing = if random.chance(920) { "01" } else { "02" };
            }
        }
        if sort == Sort::Family {
            // Form 990-PF reports no total revenue to the master file.
            (self.revenue, self.filing, self.foundation_filing) = (None, "00", 1);
        }
    }
}
