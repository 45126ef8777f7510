//! The elements that are taken of a return, by the names that they had since 2009, as a tree.
//!
//! Names changed in 2013 (`Txt`, `Amt`, `Grp`, … were added) and once more in 2014 (names and
//! addresses); a form of any year has those of its own year only, so that all of them stand side by
//! side. Where a form says the same thing in two places, the place named first counts.

use std::sync::LazyLock;

use super::cells::{Cell, List, Total};
use crate::record::{ElementPath, Form};
use crate::table::{Table, table};

/// The meaning of an element. The start of a group resets the fields in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    FormType,
    Ein,
    NameLine1,
    NameLine2,
    StreetLine1,
    StreetLine2,
    City,
    State,
    Zip,
    TaxYear,
    PeriodBegin,
    PeriodEnd,
    Filed,
    Amended,
    Website,
    DoingBusinessAs1,
    DoingBusinessAs2,
    /// Ticked: 501(c)(3).
    Charitable,
    /// The subsection of another 501(c), which is an attribute.
    Subsection,
    /// Ticked: a foundation that is not exempt.
    Taxable,
    /// Part III, line 1.
    Mission,
    /// Part I, line 1.
    Summary,
    YearFormed,
    Revenue,
    Expenses,
    Assets,
    Liabilities,
    NetAssets,
    Employees,
    Volunteers,
    Phone,
    PrincipalOfficer,
    BusinessOfficer,
    VotingMembers,
    IndependentMembers,
    ConflictPolicy,
    WhistleblowerPolicy,
    RetentionPolicy,
    /// Ticked: a foundation that takes no applications.
    OnlyPreselected,
    Total(Total),
    /// A row of a list, and what it says.
    List(List),
    Cell(Cell),
    ProgramGroup(Line),
    ProgramText(Line),
    ProgramExpenses(Line),
    ProgramGrants(Line),
    ProgramRevenue(Line),
    OtherExpenses,
    OtherGrants,
    OtherRevenue,
    NoteGroup,
    NoteIdentifier,
    NoteReference,
    NoteText,
}

/// A line of the form on which a programme stands: 4a to 4d of Form 990, 28 to 31 of Form 990-EZ,
/// 1 to 4 of the summary of direct charitable activities of Form 990-PF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Line {
    First,
    Second,
    Third,
    /// The last line, which several programmes share.
    Other,
    /// The line after that of the programme before.
    Next,
}

impl Field {
    /// Whether it is an element that only holds others.
    pub(super) fn is_group(self) -> bool {
        matches!(self, Self::List(_) | Self::ProgramGroup(_) | Self::NoteGroup)
    }

    /// The same field of a programme, whichever line that stands on.
    pub(super) fn on_no_line(self) -> Self {
        match self {
            Self::ProgramText(_) => Self::ProgramText(Line::Next),
            Self::ProgramExpenses(_) => Self::ProgramExpenses(Line::Next),
            Self::ProgramGrants(_) => Self::ProgramGrants(Line::Next),
            Self::ProgramRevenue(_) => Self::ProgramRevenue(Line::Next),
            other => other,
        }
    }

    /// Whether it is prose, of which more is kept.
    pub(super) fn is_prose(self) -> bool {
        matches!(self, Self::Mission | Self::Summary | Self::ProgramText(_) | Self::NoteText)
    }
}

/// What the table calls a field, and the field. Programmes add their line: `program.first.text`.
const FIELDS: &[(&str, Field)] = &[
    ("form", Field::FormType),
    ("ein", Field::Ein),
    ("name.1", Field::NameLine1),
    ("name.2", Field::NameLine2),
    ("street.1", Field::StreetLine1),
    ("street.2", Field::StreetLine2),
    ("city", Field::City),
    ("state", Field::State),
    ("zip", Field::Zip),
    ("tax_year", Field::TaxYear),
    ("period_begin", Field::PeriodBegin),
    ("period_end", Field::PeriodEnd),
    ("filed", Field::Filed),
    ("amended", Field::Amended),
    ("website", Field::Website),
    ("doing_business_as.1", Field::DoingBusinessAs1),
    ("doing_business_as.2", Field::DoingBusinessAs2),
    ("charitable", Field::Charitable),
    ("subsection", Field::Subsection),
    ("taxable", Field::Taxable),
    ("mission", Field::Mission),
    ("summary", Field::Summary),
    ("year_formed", Field::YearFormed),
    ("revenue", Field::Revenue),
    ("expenses", Field::Expenses),
    ("assets", Field::Assets),
    ("liabilities", Field::Liabilities),
    ("net_assets", Field::NetAssets),
    ("employees", Field::Employees),
    ("volunteers", Field::Volunteers),
    ("phone", Field::Phone),
    ("principal_officer", Field::PrincipalOfficer),
    ("business_officer", Field::BusinessOfficer),
    ("voting_members", Field::VotingMembers),
    ("independent_members", Field::IndependentMembers),
    ("conflict_policy", Field::ConflictPolicy),
    ("whistleblower_policy", Field::WhistleblowerPolicy),
    ("retention_policy", Field::RetentionPolicy),
    ("only_preselected", Field::OnlyPreselected),
    ("other.expenses", Field::OtherExpenses),
    ("other.grants", Field::OtherGrants),
    ("other.revenue", Field::OtherRevenue),
    ("note", Field::NoteGroup),
    ("note.identifier", Field::NoteIdentifier),
    ("note.reference", Field::NoteReference),
    ("note.text", Field::NoteText),
];

const LINES: [(&str, Line); 5] = [
    ("first", Line::First),
    ("second", Line::Second),
    ("third", Line::Third),
    ("other", Line::Other),
    ("next", Line::Next),
];

impl Field {
    fn named(name: &str) -> Option<Self> {
        let Some(of_program) = name.strip_prefix("program.") else {
            let known = FIELDS.iter().find(|(known, _)| *known == name).map(|(_, field)| *field);
            let total = || Total::named(name).map(Self::Total);
            return known.or_else(total).or_else(|| List::named(name).map(Self::List));
        };
        let (line, what) = of_program.split_once('.').unwrap_or((of_program, ""));
        let line = LINES.iter().find(|(known, _)| *known == line)?.1;
        match what {
            "" => Some(Self::ProgramGroup(line)),
            "text" => Some(Self::ProgramText(line)),
            "expenses" => Some(Self::ProgramExpenses(line)),
            "grants" => Some(Self::ProgramGrants(line)),
            "revenue" => Some(Self::ProgramRevenue(line)),
            _ => None,
        }
    }
}

/// An element of the tree.
pub(super) struct Node {
    pub(super) name: &'static str,
    parent: usize,
    /// Sorted by name, for a return has some thousand elements that are asked for and not found.
    pub(super) children: Vec<(&'static str, usize)>,
    /// What it says, and its rank among the elements that say the same, 0 first.
    pub(super) says: Option<(Field, u8)>,
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
        let rows = table.each(|[place, field, paths]| {
            let place = Place::named(place)?;
            Some((place, place.field(field)?, paths))
        });
        for (place, field, paths) in rows {
            for parent in tree.parents(place) {
                for (rank, path) in paths.split('|').enumerate() {
                    let step = |node, name| tree.child_or_new(node, name);
                    let node = path.split('/').fold(parent, step);
                    tree.nodes[node].says = Some((field, u8::try_from(rank).unwrap_or(u8::MAX)));
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
                let is_row = |says: Option<(Field, u8)>| {
                    says.is_some_and(|(field, _)| field == Field::List(list))
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

    fn field(self, name: &str) -> Option<Field> {
        match self {
            Self::Element(..) => Field::named(name),
            Self::Row(_) => Cell::named(name).map(Field::Cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use data_encoding::HEXLOWER;

    #[test]
    fn the_table_says_what_is_known() {
        let mut named = std::collections::BTreeSet::new();
        for [_, field, paths] in TABLE.rows() {
            assert!(paths.split(['|', '/']).all(|name| !name.trim().is_empty()), "{paths}");
            named.insert(field);
        }
        let lists = List::ALL.map(List::name);
        let (cells, totals) = (Cell::ALL.map(Cell::name), Total::ALL.map(Total::name));
        let fields = FIELDS.iter().map(|(name, _)| *name);
        for name in fields.chain(lists).chain(cells).chain(totals) {
            assert!(named.contains(name), "{name} is on no line");
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
        assert_eq!(found, "21 06d61b7b96f94610");
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
        let check = |path: &str, expected: Option<(Field, u8)>| {
            let node = path.split('/').try_fold(TOP, |node, name| tree.child(node, name));
            assert_eq!(node.and_then(|node| tree.node(node).says), expected, "{path}");
        };
        check("Return/ReturnHeader/Filer/EIN", Some((Field::Ein, 0)));
        check("Return/ReturnHeader/ReturnType", Some((Field::FormType, 1)));
        check("Return/ReturnData/IRS990/Desc", Some((Field::ProgramText(Line::First), 0)));
        check("Return/ReturnData/IRS990/Activity2", Some((Field::ProgramGroup(Line::Second), 1)));
        check("Return/ReturnData/IRS990ScheduleO/GeneralExplanation", Some((Field::NoteGroup, 1)));
        let recipients = "Return/ReturnData/IRS990ScheduleI/RecipientTable";
        check(recipients, Some((Field::List(List::ScheduleI), 0)));
        check(&format!("{recipients}/EINOfRecipient"), Some((Field::Cell(Cell::Ein), 1)));
        check("Return/ReturnHeader/Filer", None);
        check("Return/EIN", None);
        check("Return/ReturnData/IRS990EZ/Desc", None);
    }
}
