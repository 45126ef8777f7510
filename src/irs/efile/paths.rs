//! The elements that are taken of a return, by the names that they had since 2009, as a tree.
//!
//! Names changed in 2013 (`Txt`, `Amt`, `Grp`, … were added) and once more in 2014 (names and
//! addresses); a form of any year has those of its own year only, so that all of them stand side by
//! side. Where a form says the same thing in two places, the place named first counts.

use std::sync::LazyLock;

use super::meaning::{Cell, List, Meaning};
use crate::record::{ElementPath, Form};
use crate::table::{Table, table};

/// An element of the tree.
pub(super) struct Node {
    pub(super) name: &'static str,
    parent: usize,
    /// Sorted by name, for a return has some thousand elements that are asked for and not found.
    pub(super) children: Vec<(&'static str, usize)>,
    /// What it says, and its rank among the elements that say the same, 0 first.
    pub(super) says: Option<(Meaning, u8)>,
    /// The form whose element it is.
    pub(super) form: Option<Form>,
}

impl Node {
    fn named(name: &'static str, parent: usize) -> Self {
        Self { name, parent, children: Vec::new(), says: None, form: None }
    }
}

/// The elements that are taken, from the parent of `Return` down.
pub(super) struct Tree {
    nodes: Vec<Node>,
}

const TABLE: Table = table!("data/efile_paths.tsv");

/// Number of the node above the root element.
pub(super) const TOP: usize = 0;

impl Tree {
    /// The tree of the table, built once.
    pub(super) fn get() -> &'static Self {
        static TREE: LazyLock<Tree> = LazyLock::new(|| Tree::parse(TABLE));
        &TREE
    }

    fn parse(table: Table) -> Self {
        let mut tree = Self { nodes: vec![Node::named("", TOP)] };
        let rows = table.each(|[place, meaning, paths]| {
            let place = Place::named(place)?;
            Some((place, place.meaning(meaning)?, paths))
        });
        for (place, meaning, paths) in rows {
            for parent in tree.parents(place) {
                for (rank, path) in paths.split('|').enumerate() {
                    let step = |node, name| tree.child_or_new(node, name);
                    let node = path.split('/').fold(parent, step);
                    tree.nodes[node].says = Some((meaning, u8::try_from(rank).unwrap_or(u8::MAX)));
                }
            }
        }
        tree
    }

    /// The elements that hold those of a place: each that is a row of a list.
    fn parents(&mut self, place: Place) -> Vec<usize> {
        match place {
            Place::Element(steps, form) => {
                let node = steps.iter().fold(TOP, |node, name| self.child_or_new(node, name));
                self.nodes[node].form = form;
                vec![node]
            }
            Place::Row(list) => {
                let is_row = |says: Option<(Meaning, u8)>| {
                    says.is_some_and(|(meaning, _)| meaning == Meaning::List(list))
                };
                (0..self.nodes.len()).filter(|node| is_row(self.nodes[*node].says)).collect()
            }
        }
    }

    fn child_or_new(&mut self, node: usize, name: &'static str) -> usize {
        let known = self.nodes[node].children.binary_search_by_key(&name, |child| child.0);
        match known {
            Ok(place) => self.nodes[node].children[place].1,
            Err(place) => {
                let new = self.nodes.len();
                self.nodes.push(Node::named(name, node));
                self.nodes[node].children.insert(place, (name, new));
                new
            }
        }
    }

    /// The element of that name in an element, if any of it is taken.
    pub(super) fn child(&self, node: usize, name: &str) -> Option<usize> {
        let children = &self.nodes[node].children;
        let place = children.binary_search_by_key(&name, |child| child.0).ok()?;
        Some(children[place].1)
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The XPath of an element by local names; `None` of one that the table does not have.
    pub(super) fn xpath(&self, at: &ElementPath) -> Option<String> {
        let mut steps = Vec::new();
        let mut node = usize::from(at.node);
        while node != TOP {
            let Node { name, parent, .. } = self.nodes.get(node)?;
            steps.push(*name);
            node = *parent;
        }
        steps.reverse();
        let step = |(depth, name): (usize, &&str)| {
            let position = at.positions.iter().find(|(at, _)| usize::from(*at) == depth);
            position.map_or(format!("/{name}"), |(_, position)| format!("/{name}[{position}]"))
        };
        Some(steps.iter().enumerate().map(step).collect())
    }

    /// An element; `node` is [`TOP`] or came from [`Self::child`].
    pub(super) fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }
}

/// Where the paths of a part of the table begin.
#[derive(Clone, Copy)]
enum Place {
    /// Within this element, which is of a form or of any.
    Element(&'static [&'static str], Option<Form>),
    /// Within each row of a list.
    Row(List),
}

impl Place {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "header" => Self::Element(&["Return", "ReturnHeader"], None),
            "990" => Self::Element(&["Return", "ReturnData", "IRS990"], Some(Form::Full)),
            "990-EZ" => Self::Element(&["Return", "ReturnData", "IRS990EZ"], Some(Form::Short)),
            "990-PF" => {
                Self::Element(&["Return", "ReturnData", "IRS990PF"], Some(Form::PrivateFoundation))
            }
            "notes" | "schedules" => Self::Element(&["Return", "ReturnData"], None),
            list => Self::Row(List::named(list)?),
        })
    }

    fn meaning(self, name: &str) -> Option<Meaning> {
        match self {
            Self::Element(..) => Meaning::named(name),
            Self::Row(_) => Cell::named(name).map(Meaning::Cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::super::meaning::{Field, Line, Part};
    use super::*;
    use crate::record::Totals;
    use data_encoding::HEXLOWER;

    #[test]
    fn the_table_says_what_is_known() {
        let mut named = std::collections::BTreeSet::new();
        for [_, field, paths] in TABLE.rows() {
            assert!(paths.split(['|', '/']).all(|name| !name.trim().is_empty()), "{paths}");
            named.insert(field);
        }
        let lists = List::ALL.map(List::name);
        let (fields, cells) = (Field::ALL.map(Field::name), Cell::ALL.map(Cell::name));
        for name in fields.into_iter().chain(lists).chain(cells) {
            assert!(named.contains(name), "{name} is on no line");
        }
        for total in Totals::NAMES {
            assert!(named.contains(&*format!("total.{total}")), "{total} is on no line");
        }
    }

    /// Snapshots keep elements by their numbers: who changes the table raises the snapshot's format.
    #[test]
    fn the_numbers_of_elements_belong_to_a_format() {
        let tree = Tree::get();
        let (mut hasher, mut name) = (Sha256::new(), Vec::new());
        for node in &tree.nodes {
            name.clear();
            name.extend_from_slice(node.name.as_bytes());
            name.extend_from_slice(&(node.parent as u32).to_le_bytes());
            hasher.update(&name);
        }
        let found =
            format!("{} {}", crate::snapshot::FORMAT, HEXLOWER.encode(&hasher.finalize()[..8]));
        assert_eq!(found, "24 58adb0ab62fb79f6");
    }

    #[test]
    fn every_path_is_one_fields_own() {
        let mut paths = std::collections::BTreeSet::new();
        for [place, _, of_field] in TABLE.rows() {
            for path in of_field.split('|') {
                assert!(paths.insert((place, path)), "{place} {path} is there twice");
            }
        }
    }

    #[test]
    fn elements_are_found_by_path() {
        let tree = Tree::get();
        let check = |path: &str, expected: Option<(Meaning, u8)>| {
            let node = path.split('/').try_fold(TOP, |node, name| tree.child(node, name));
            assert_eq!(node.and_then(|node| tree.node(node).says), expected, "{path}");
        };
        check("Return/ReturnHeader/Filer/EIN", Some((Field::Ein.into(), 0)));
        check("Return/ReturnHeader/ReturnType", Some((Field::FormType.into(), 1)));
        check(
            "Return/ReturnData/IRS990/Desc",
            Some((Meaning::Program(Part::Text, Line::First), 0)),
        );
        check(
            "Return/ReturnData/IRS990/Activity2",
            Some((Meaning::Program(Part::Group, Line::Second), 1)),
        );
        check(
            "Return/ReturnData/IRS990ScheduleO/GeneralExplanation",
            Some((Field::NoteGroup.into(), 1)),
        );
        let recipients = "Return/ReturnData/IRS990ScheduleI/RecipientTable";
        check(recipients, Some((Meaning::List(List::ScheduleI), 0)));
        check(&format!("{recipients}/EINOfRecipient"), Some((Meaning::Cell(Cell::Ein), 1)));
        check("Return/ReturnHeader/Filer", None);
        check("Return/EIN", None);
        check("Return/ReturnData/IRS990EZ/Desc", None);
    }
}
