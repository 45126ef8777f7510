//! Filters to a bitmap, and what they leave out for lack of a value.

use super::bitmap::Passes;
use super::layout::{FigureColumn, FlagValue, MaybeUnknown, View};
use super::{Bitmap, Columns};
use crate::mapped::{Column, Damage};
use crate::query::{Choice, Figure, Filters, Range};
use crate::record::{Ein, Month, Ntee, OrgId, OrgSize, Point, State, Subsection, as_written};

/// What filters let pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The organizations that satisfy every filter.
    pub matching: Bitmap,
    /// How many are left out only because what a flag, a range or a choice asks about is not known. Whose revenue is at most
    /// less than is asked for is left out by that.
    pub unknown: u64,
    /// How many of these are asked for their revenue, of which it is known only what it is at most.
    pub only_ceiling: u64,
    /// How many of those that match do by what their revenue is at most, its amount not being known.
    pub by_ceiling: u64,
}

/// The NTEE codes that begin with any of some prefixes, a bit each, so that an organization costs
/// one look however long the list is.
struct Prefixes(Vec<u64>);

/// Distinct [`Prefixes::position`]s: 5 bits of the first character and 6 of each other.
const NTEE_POSITIONS: usize = 1 << 17;

/// Those of codes that begin with one letter.
const MAJOR_POSITIONS: usize = 1 << 12;

impl Prefixes {
    /// Those of a filter; `None` when it asks nothing.
    fn of(typed: &[String]) -> Option<Self> {
        if typed.is_empty() {
            return None;
        }
        let mut codes = vec![0_u64; NTEE_POSITIONS / 64];
        for prefix in typed {
            let prefix = prefix.trim().to_ascii_uppercase().into_bytes();
            // Codes with a prefix stand together, as the first characters count most.
            let (free_bits, good) = match prefix[..] {
                [] => (17, true),
                [a] => (12, is_code(&[a])),
                [a, b] => (6, is_code(&[a, b])),
                [a, b, c] => (0, is_code(&[a, b, c])),
                _ => (0, false),
            };
            if !good {
                continue;
            }
            let at = |index: usize| prefix.get(index).copied().unwrap_or_default();
            let first = Self::position(&[at(0), at(1), at(2)]) >> free_bits << free_bits;
            for position in first..first + (1 << free_bits) {
                codes[position / 64] |= 1 << (position % 64);
            }
        }
        Some(Self(codes))
    }

    /// Where the bit of a code is. The characters of codes are capitals, digits and blanks, which
    /// differ in these bits.
    fn position(code: &[u8; 3]) -> usize {
        let bits = |byte: u8, mask: u8| usize::from(byte & mask);
        bits(code[0], 31) << 12 | bits(code[1], 63) << 6 | bits(code[2], 63)
    }

    /// Whether any begins a code.
    fn matches(&self, code: &[u8; 3]) -> bool {
        let position = Self::position(code);
        self.0[position / 64] >> (position % 64) & 1 == 1
    }
}

/// The letters that NTEE codes with any of some prefixes begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Majors {
    pub letters: Vec<u8>,
    /// Whether every code that begins with any of them has such a prefix.
    pub are_whole: bool,
}

impl Majors {
    /// Those of some prefixes, written as in a filter.
    pub fn of(prefixes: &[String]) -> Self {
        let codes = Prefixes::of(prefixes).map_or_else(Vec::new, |prefixes| prefixes.0);
        let mut majors = Self { letters: Vec::new(), are_whole: true };
        for letter in b'A'..=b'Z' {
            let first = Prefixes::position(&[letter, 0, 0]) / 64;
            let of_letter = codes.get(first..first + MAJOR_POSITIONS / 64).unwrap_or_default();
            if of_letter.iter().any(|word| *word != 0) {
                majors.letters.push(letter);
                majors.are_whole &= of_letter.iter().all(|word| *word == u64::MAX);
            }
        }
        majors
    }
}

/// Whether characters may begin a code; what may not begins none.
fn is_code(prefix: &[u8]) -> bool {
    prefix[0].is_ascii_uppercase()
        && prefix[1..].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b' ')
}

/// Organizations that filters by flags and amounts are narrowing down.
struct Narrowing {
    /// Those that satisfy the filters so far.
    matching: Bitmap,
    /// Those that would if all their values were known: these and some more.
    possible: Bitmap,
}

impl Columns {
    /// The organizations that satisfy every filter, and how many are left out for lack of a value.
    pub fn select(&self, filters: &Filters) -> Result<Selection, Damage> {
        let Filters {
            eins,
            not_eins,
            areas,
            not_areas,
            // By cause.
            ntee_prefixes: _,
            not_ntee_prefixes: _,
            sdgs: _,
            subsections,
            // By value.
            flags: _,
            ranges: _,
            admits_ceilings: _,
            choices: _,
        } = filters;
        let mut found = match &eins[..] {
            [] => Bitmap::all(self.organizations),
            eins => self.of_eins(eins)?,
        };
        if !areas.is_empty() {
            found = self.in_areas(areas, &found)?;
        }
        if !not_areas.is_empty() {
            found.subtract(&self.in_areas(not_areas, &found)?);
        }
        if !not_eins.is_empty() {
            found.subtract(&self.of_eins(not_eins)?);
        }
        self.by_standing(subsections, &mut found)?;
        self.by_cause(filters, &mut found)?;
        self.by_value(filters, found)
    }

    fn by_standing(&self, codes: &[Subsection], found: &mut Bitmap) -> Result<(), Damage> {
        if !codes.is_empty() {
            let mut asked = [false; 256];
            for code in codes {
                asked[usize::from(code.number())] = true;
            }
            retain(found, &self.stored.subsection, |code| asked[usize::from(code)])?;
        }
        Ok(())
    }

    fn by_cause(&self, filters: &Filters, found: &mut Bitmap) -> Result<(), Damage> {
        let (wanted, barred) =
            (Prefixes::of(&filters.ntee_prefixes), Prefixes::of(&filters.not_ntee_prefixes));
        if wanted.is_some() || barred.is_some() {
            retain(found, &self.stored.ntee, |code| {
                let begins = |with: &Prefixes| code[0] != 0 && with.matches(&code);
                wanted.as_ref().is_none_or(begins) && !barred.as_ref().is_some_and(begins)
            })?;
        }
        if !filters.sdgs.is_empty() {
            let mask = filters.sdgs.mask();
            retain(found, &self.stored.sdgs, |sdgs| sdgs & mask != 0)?;
        }
        Ok(())
    }

    /// The organizations of EINs; one that no organization has is of none.
    fn of_eins(&self, eins: &[Ein]) -> Result<Bitmap, Damage> {
        let orgs = eins.iter().map(|&ein| self.org_of(ein)).collect::<Result<Vec<_>, _>>()?;
        Ok(Bitmap::of(self.organizations, orgs.into_iter().flatten()))
    }

    /// Keeps the organizations that have an NTEE code that begins with any of the prefixes.
    pub fn keep_ntee(&self, found: &mut Bitmap, prefixes: &[String]) -> Result<(), Damage> {
        let filters = Filters { ntee_prefixes: prefixes.to_vec(), ..Filters::default() };
        self.by_cause(&filters, found)
    }

    /// The NTEE codes that some organizations filed.
    pub fn ntee_of(&self, orgs: &[OrgId]) -> Result<Vec<Option<Ntee>>, Damage> {
        self.known(&self.stored.ntee, orgs, Ntee::from_bytes)
    }

    /// The states of some organizations.
    pub fn states(&self, orgs: &[OrgId]) -> Result<Vec<Option<State>>, Damage> {
        self.known(&self.stored.state, orgs, State::from_index)
    }

    /// The size classes of some organizations.
    pub fn sizes(&self, orgs: &[OrgId]) -> Result<Vec<Option<OrgSize>>, Damage> {
        self.known(&self.stored.size, orgs, |at| OrgSize::ALL.get(usize::from(at)).copied())
    }

    /// The places of some organizations in the order of their names.
    pub fn name_ranks(&self, orgs: &[OrgId]) -> Result<Vec<Option<u32>>, Damage> {
        self.known(&self.stored.name, orgs, Some)
    }

    /// A figure of some organizations, in whole dollars or as a count; `None` where it is not known, and of figures that
    /// are neither.
    pub fn amounts(&self, orgs: &[OrgId], figure: Figure) -> Result<Vec<Option<i64>>, Damage> {
        match self.stored.figure(figure) {
            FigureColumn::Dollars(dollars) => self.known(dollars, orgs, Some),
            FigureColumn::Count(counts) => self.known(counts, orgs, |count| Some(count.into())),
            FigureColumn::Real(_) | FigureColumn::Month(_) => Ok(vec![None; orgs.len()]),
        }
    }

    /// Filters by what may not be known of an organization.
    fn by_value(&self, filters: &Filters, found: Bitmap) -> Result<Selection, Damage> {
        let is_asked = filters.flags.asked().next().is_some()
            || filters.ranges.bounded().next().is_some()
            || filters.choices.asked().next().is_some();
        if !is_asked {
            return Ok(Selection { matching: found, unknown: 0, only_ceiling: 0, by_ceiling: 0 });
        }
        let mut sets = Narrowing { possible: found.clone(), matching: found };
        for (flag, asked) in filters.flags.asked() {
            sets.narrow(&self.stored.flags, |flags| {
                passes(match FlagValue::read(flags, flag) {
                    FlagValue::Known(is_so) => Some(is_so == asked),
                    FlagValue::Unknown => None,
                    FlagValue::NotAsked => Some(false),
                })
            })?;
        }
        for (figure, range) in filters.ranges.bounded() {
            match self.stored.figure(figure) {
                FigureColumn::Dollars(_)
                    if figure == Figure::Revenue && filters.admits_ceilings =>
                {
                    self.narrow_by_revenue(&mut sets, range)?;
                }
                FigureColumn::Dollars(column) => {
                    let (low, high) = whole(range);
                    sets.narrow(column, |dollars| {
                        // Without a branch: this is asked of every organization.
                        let is_unknown = dollars == i64::UNKNOWN;
                        let surely = (dollars >= low) & (dollars <= high) & !is_unknown;
                        Passes { surely, perhaps: surely | is_unknown }
                    })?;
                }
                FigureColumn::Count(column) => sets.narrow(column, |count| {
                    passes(count.known().map(|count| range.contains(f64::from(count))))
                })?,
                FigureColumn::Real(column) => sets.narrow(column, |value| {
                    passes(value.known().map(|value| range.contains(as_written(value))))
                })?,
                FigureColumn::Month(column) => sets.narrow(column, |value| {
                    passes(month(value).map(|month| range.contains(f64::from(month.year()))))
                })?,
            }
        }
        for choice in filters.choices.asked() {
            let wanted = filters.choices.wanted(choice);
            let verdict = |at: usize| passes(wanted.get(at).copied());
            match choice {
                Choice::Size => sets.narrow(&self.stored.size, |size| verdict(size.into()))?,
            }
        }
        let Narrowing { matching, possible: mut left_out } = sets;
        left_out.subtract(&matching);
        let only_ceiling = self.keep_reaching(&mut left_out, filters.ranges[Figure::Revenue])?;
        let (matches, unknown) = (matching.count(), left_out.count());
        let is_of_revenue = filters.admits_ceilings && !filters.ranges[Figure::Revenue].is_open();
        let by_ceiling = match is_of_revenue || !filters.choices.sizes.is_empty() {
            true => matches - self.of_known_revenue(&matching)?,
            false => 0,
        };
        Ok(Selection { matching, unknown, only_ceiling, by_ceiling })
    }

    /// Keeps of the organizations left out those whose ceiling of revenue reaches the range, and counts those of which
    /// only a ceiling is known.
    fn keep_reaching(&self, left_out: &mut Bitmap, range: Range) -> Result<u64, Damage> {
        let Some(rows) = left_out.hull().filter(|_| !range.is_open()) else { return Ok(0) };
        let ceilings = View::of(&self.stored.revenue_ceiling, rows)?;
        let (low, _) = whole(range);
        let mut only_ceiling = 0;
        left_out.retain(|row| {
            let ceiling = ceilings.at(row);
            let reaches = ceiling.is_none_or(|ceiling| ceiling >= low);
            only_ceiling += u64::from(reaches && ceiling.is_some());
            reaches
        });
        Ok(only_ceiling)
    }

    /// Narrows by the amount of revenue or, where that is not known, by what it is at most.
    fn narrow_by_revenue(&self, sets: &mut Narrowing, range: Range) -> Result<(), Damage> {
        let Some(rows) = sets.possible.hull() else { return Ok(()) };
        let amounts = View::of(&self.stored.revenue, rows.clone())?;
        let ceilings = View::of(&self.stored.revenue_ceiling, rows)?;
        let (low, high) = whole(range);
        let has_low = range.min.is_some();
        sets.possible.retain_known(&mut sets.matching, |row| {
            match (amounts.at(row), ceilings.at(row)) {
                (Some(amount), _) => passes(Some(amount >= low && amount <= high)),
                (None, Some(ceiling)) => {
                    Passes { surely: !has_low && ceiling <= high, perhaps: ceiling >= low }
                }
                (None, None) => passes(None),
            }
        });
        Ok(())
    }

    /// How many of some organizations have a known amount of revenue or of expenses.
    fn of_known_revenue(&self, found: &Bitmap) -> Result<u64, Damage> {
        let Some(rows) = found.hull() else { return Ok(0) };
        let revenue = View::of(&self.stored.revenue, rows.clone())?;
        let expenses = View::of(&self.stored.expenses, rows)?;
        let mut known = found.clone();
        known.retain(|row| revenue.at(row).or(expenses.at(row)).is_some());
        Ok(known.count())
    }
}

impl Narrowing {
    /// Keeps the organizations whose value is good, and as possible those whose value is not known.
    fn narrow<V: MaybeUnknown>(
        &mut self,
        column: &Column<V>,
        good: impl Fn(V) -> Passes,
    ) -> Result<(), Damage> {
        let Some(rows) = self.possible.hull() else { return Ok(()) };
        let view = View::of(column, rows)?;
        self.possible.retain_known(&mut self.matching, |row| good(view.raw(row)));
        Ok(())
    }
}

/// Keeps the organizations whose value is good, which what stands for an unknown one is asked of as well.
pub(super) fn retain<V: MaybeUnknown>(
    found: &mut Bitmap,
    column: &Column<V>,
    mut good: impl FnMut(V) -> bool,
) -> Result<(), Damage> {
    let Some(rows) = found.hull() else { return Ok(()) };
    let view = View::of(column, rows)?;
    found.retain(|row| good(view.raw(row)));
    Ok(())
}

/// Whether a known verdict is yes; an unknown one may be.
fn passes(verdict: Option<bool>) -> Passes {
    Passes { surely: verdict == Some(true), perhaps: verdict != Some(false) }
}

/// The whole numbers in a range, both ends included.
fn whole(range: Range) -> (i64, i64) {
    // The conversion saturates.
    let low = range.min.map_or(i64::MIN, |min| min.ceil() as i64);
    let high = range.max.map_or(i64::MAX, |max| max.floor() as i64);
    (low, high)
}

/// The month of a value.
fn month(value: u16) -> Option<Month> {
    value.known()?.try_into().ok()
}

/// The point of a value.
pub(super) fn point(value: [u8; 8]) -> Option<Point> {
    let [a, b, c, d, e, f, g, h] = value.known()?;
    let degrees = |bytes| f64::from(f32::from_le_bytes(bytes));
    Point::new(degrees([a, b, c, d]), degrees([e, f, g, h])).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn majors_of_prefixes() {
        for (prefixes, letters, are_whole) in [
            (&["A"][..], "A", true),
            (&["b ", "a"], "AB", true),
            (&["A2"], "A", false),
            (&["A20", "C"], "AC", false),
            // What no code begins with.
            (&["7", "A\u{e9}", "ABCD"], "", true),
            (&[""], "ABCDEFGHIJKLMNOPQRSTUVWXYZ", true),
        ] {
            let prefixes: Vec<String> = prefixes.iter().map(|one| (*one).to_owned()).collect();
            let expected = Majors { letters: letters.as_bytes().to_vec(), are_whole };
            assert_eq!(Majors::of(&prefixes), expected, "{prefixes:?}");
        }
    }
}
