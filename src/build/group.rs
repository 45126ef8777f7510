//! Derives what a group ruling's members are for from those that have an NTEE code.

use std::collections::{BTreeMap, HashMap};

use crate::irs::MasterRow;
use crate::record::{GroupNumber, Ntee};

/// Coded members that a group needs before their majority counts for the others.
const CODED_MIN: u32 = 3;

/// How many members of each group have each code.
#[derive(Debug, Default)]
pub(super) struct GroupCodes(HashMap<GroupNumber, BTreeMap<Ntee, u32>>);

impl GroupCodes {
    /// Counts a member of a group and its code.
    pub(super) fn add(&mut self, (group, code): (GroupNumber, Ntee)) {
        *self.0.entry(group).or_default().entry(code).or_default() += 1;
    }

    /// The code that more than half of the coded members have or, where no single code has a majority but a
    /// major group does, that group's general code (`N99`).
    pub(super) fn majorities(self) -> HashMap<GroupNumber, Ntee> {
        let majority = |(group, codes)| Some((group, majority(&codes)?));
        self.0.into_iter().filter_map(majority).collect()
    }
}

/// The group and the code of a row, if it counts towards its group's majority.
pub(super) fn coded_member(row: &MasterRow) -> Option<(GroupNumber, Ntee)> {
    row.group.zip(row.ntee.filter(|code| !code.is_unknown()))
}

fn majority(codes: &BTreeMap<Ntee, u32>) -> Option<Ntee> {
    let coded: u32 = codes.values().sum();
    if coded < CODED_MIN {
        return None;
    }
    if let Some((code, _)) = codes.iter().find(|(_, count)| **count * 2 > coded) {
        return Some(*code);
    }
    let mut majors: BTreeMap<char, u32> = BTreeMap::new();
    for (code, count) in codes {
        *majors.entry(code.major()).or_default() += count;
    }
    let (major, _) = majors.into_iter().find(|(_, count)| count * 2 > coded)?;
    format!("{major}99").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_half_of_three_coded_members_tell() {
        for (codes, expected) in [
            (&["N63", "N63"][..], None),
            (&["N63", "N63", "B94"], Some("N63")),
            (&["N63", "N60", "B94"], Some("N99")),
            (&["N63", "N63", "B94", "B94"], None),
        ] {
            let mut group = GroupCodes::default();
            let number = GroupNumber::parse("1489").unwrap().unwrap();
            for code in codes {
                group.add((number, code.parse().unwrap()));
            }
            let found = group.majorities().remove(&number).map(|code| code.to_string());
            assert_eq!(found.as_deref(), expected, "{codes:?}");
        }
    }
}
