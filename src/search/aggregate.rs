//! Counts, sums and quantiles of the nonprofits that satisfy filters, group by group.

use std::cmp::{Ordering, Reverse};

use rayon::prelude::*;

use super::SearchError;
use super::gaps::{Gaps, field_of, unknown_places};
use super::listing::{ListPage, Paging};
use super::plan::Plan;
use crate::index::columns::{Bitmap, Distribution, Grouping, MEASURES, Selection, median};
use crate::processor_time::Account;
use crate::query::{Figure, Filters, order_key};
use crate::record::Organization;
use crate::snapshot::Snapshot;

pub use crate::index::columns::{DIMENSIONS_MAX, Dimension};

/// What is asked of the nonprofits that satisfy filters.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub filters: Filters,
    /// At most [`DIMENSIONS_MAX`]; without one all nonprofits are one group.
    pub group_by: Vec<Dimension>,
    /// Of [`MEASURES`]; the one that groups are sorted by is added where it is missing.
    pub measures: Vec<Figure>,
    pub order: Order,
    pub paging: Paging,
}

/// What groups are sorted by: of sums and medians those of nobody last either way, ties by the values that groups
/// are by, of which the unknown is the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub key: OrderKey,
    pub descending: bool,
}

/// The key of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKey {
    /// How many nonprofits they have.
    Count,
    /// The values that they are grouped by.
    Group,
    Sum(Figure),
    Median(Figure),
}

impl Order {
    /// The largest groups first.
    pub const DEFAULT: Self = Self { key: OrderKey::Count, descending: true };

    /// The names of all orders, each key also with `-` in front for descending.
    pub fn names() -> Vec<String> {
        let of_measures = MEASURES.into_iter().flat_map(|figure| {
            [OrderKey::Sum(figure), OrderKey::Median(figure)].map(OrderKey::name)
        });
        let keys = [OrderKey::Count, OrderKey::Group].map(OrderKey::name);
        keys.into_iter().chain(of_measures).flat_map(|name| [format!("-{name}"), name]).collect()
    }

    /// The order of a name; `None` where no order is called so.
    pub fn parse(text: &str) -> Option<Self> {
        let (descending, name) = order_key(text);
        let of_measure = |ending: &str, key: fn(Figure) -> OrderKey| {
            let figure = Figure::named(name.strip_suffix(ending)?)?;
            MEASURES.contains(&figure).then(|| key(figure))
        };
        let key = match name {
            "count" => Some(OrderKey::Count),
            "group" => Some(OrderKey::Group),
            _ => of_measure("_sum", OrderKey::Sum)
                .or_else(|| of_measure("_median", OrderKey::Median)),
        };
        key.map(|key| Self { key, descending })
    }

    /// Its name.
    pub fn name(self) -> String {
        format!("{}{}", if self.descending { "-" } else { "" }, self.key.name())
    }
}

impl OrderKey {
    fn name(self) -> String {
        match self {
            Self::Count => "count".to_owned(),
            Self::Group => "group".to_owned(),
            Self::Sum(figure) => format!("{}_sum", figure.name()),
            Self::Median(figure) => format!("{}_median", figure.name()),
        }
    }

    /// The measure that it needs.
    fn measure(self) -> Option<Figure> {
        match self {
            Self::Count | Self::Group => None,
            Self::Sum(figure) | Self::Median(figure) => Some(figure),
        }
    }
}

/// A group of nonprofits.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupRow {
    /// One of them: what they are grouped by is the same of all.
    pub first: Organization,
    pub count: u64,
    /// In the order of the measures.
    pub measures: Vec<(Figure, Distribution)>,
}

/// The groups, and how many nonprofits they count.
#[derive(Debug, Clone, PartialEq)]
pub struct Aggregation {
    /// How many nonprofits satisfy the filters: each is in one group.
    pub counted: u64,
    /// How many are left out only because what a filter asks about is not known.
    pub left_out: u64,
    /// How many of those counted have an issue area that columns other than the NTEE code imply, where they are grouped by
    /// it.
    pub derived: Option<u64>,
    /// The measures that were added up, each once.
    pub measures: Vec<Figure>,
    pub groups: ListPage<GroupRow>,
    pub plan: Plan,
    /// Why nothing, or less than was asked for, is answered: clauses without a full stop.
    pub remarks: Vec<String>,
}

impl Aggregation {
    /// What is answered where the filters ask for what is known of nobody.
    pub fn of_nobody(query: &Query) -> Self {
        Self {
            counted: 0,
            left_out: 0,
            derived: query.group_by.contains(&Dimension::IssueArea).then_some(0),
            measures: measures(query),
            groups: ListPage::EMPTY,
            plan: Plan::columns(0),
            remarks: vec![NOBODY.to_owned()],
        }
    }

    /// Why nothing, or less than was asked for, is answered; `None` where nothing is missing.
    pub fn message(&self) -> Option<String> {
        (!self.remarks.is_empty()).then(|| self.remarks.join("; "))
    }
}

/// The measures of a query that names none.
pub const MEASURES_DEFAULT: [Figure; 2] = [Figure::Revenue, Figure::Assets];

/// What an answer says where nobody satisfies the filters, and everything asked about is loaded.
const NOBODY: &str = "no nonprofit that is loaded satisfies the filters";

/// The page of groups asked for. What is asked of all nonprofits is worked out once a snapshot.
pub fn aggregate(snapshot: &Snapshot, query: &Query) -> Result<Aggregation, SearchError> {
    if query.filters != Filters::default() {
        return fresh(snapshot, query);
    }
    let Query { filters: _, group_by, measures, order, paging } = query;
    let asked = format!("{group_by:?} {measures:?} {order:?} {paging:?}");
    Ok((*snapshot.of_all.get(&asked, || fresh(snapshot, query))?).clone())
}

fn fresh(snapshot: &Snapshot, query: &Query) -> Result<Aggregation, SearchError> {
    let columns = &snapshot.columns;
    let Selection { matching, unknown, .. } = columns.select(&query.filters)?;
    let counted = matching.count();
    let gaps = Gaps::of(&query.filters, &snapshot.coverage);
    let measures = measures(query);
    let grouping = columns.group(&matching, distinct(&query.group_by).as_slice())?;
    let page = page(snapshot, &matching, &grouping, query)?;
    let account = Account::current();
    let distributions = |figure: &Figure| {
        account.charge(|| columns.of_known(&matching, &grouping, &page, *figure, Distribution::of))
    };
    let of_measures = measures.par_iter().map(distributions).collect::<Result<Vec<_>, _>>()?;
    let rows = page.iter().enumerate().map(|(at, &number)| {
        let group = &grouping.groups[number as usize];
        let of_group = of_measures.iter().map(|distributions| distributions[at]);
        Ok(GroupRow {
            first: snapshot.records.organization(group.first)?,
            count: group.count.into(),
            measures: measures.iter().copied().zip(of_group).collect(),
        })
    });
    let rows = rows.collect::<Result<_, SearchError>>()?;
    Ok(Aggregation {
        counted,
        left_out: unknown,
        derived: query
            .group_by
            .contains(&Dimension::IssueArea)
            .then(|| columns.derived_areas(&matching))
            .transpose()?,
        groups: ListPage { total: grouping.groups.len() as u64, rows },
        plan: Plan { gaps, ..Plan::columns(counted) },
        remarks: remarks(snapshot, &query.filters, counted, &measures),
        measures,
    })
}

/// Why less is answered than was asked for.
fn remarks(
    snapshot: &Snapshot,
    filters: &Filters,
    counted: u64,
    measures: &[Figure],
) -> Vec<String> {
    let mut remarks = Gaps::of(filters, &snapshot.coverage).clauses();
    remarks.extend(unknown_places(&filters.areas).iter().map(ToString::to_string));
    if counted == 0 && remarks.is_empty() {
        remarks.push(NOBODY.to_owned());
    }
    let unknown = |figure: &&Figure| !snapshot.coverage.has_field(field_of(**figure));
    let clauses = measures.iter().filter(unknown).map(|figure| figure.definition().not_loaded);
    for clause in clauses {
        if remarks.iter().all(|remark| remark != clause) {
            remarks.push(clause.to_owned());
        }
    }
    remarks
}

/// The measures asked for, each once, and the one that decides the order.
fn measures(query: &Query) -> Vec<Figure> {
    let asked = query.measures.iter().copied().chain(query.order.key.measure());
    distinct(&asked.collect::<Vec<_>>())
}

/// Each value once.
pub fn distinct<T: Copy + PartialEq>(values: &[T]) -> Vec<T> {
    let mut kept = Vec::new();
    for value in values {
        if !kept.contains(value) {
            kept.push(*value);
        }
    }
    kept
}

/// The numbers of the groups on the page asked for, in order.
fn page(
    snapshot: &Snapshot,
    matching: &Bitmap,
    grouping: &Grouping,
    query: &Query,
) -> Result<Vec<u32>, SearchError> {
    let Order { key, descending } = query.order;
    let groups = &grouping.groups;
    let mut numbers: Vec<u32> = (0..groups.len() as u32).collect();
    let of_values = |values: &mut [i64]| match key {
        OrderKey::Sum(_) => {
            (!values.is_empty()).then(|| values.iter().map(|value| i128::from(*value)).sum())
        }
        _ => median(values).map(i128::from),
    };
    let values: Vec<Option<i128>> = match key.measure() {
        Some(figure) => {
            snapshot.columns.of_known(matching, grouping, &numbers, figure, of_values)?
        }
        None => Vec::new(),
    };
    let value = |number: &u32| match key {
        OrderKey::Count => Some(groups[*number as usize].count.into()),
        _ => values.get(*number as usize).copied().flatten(),
    };
    let by_key = |a: &u32, b: &u32| {
        let [a, b] = [a, b].map(|number| grouping.key(&groups[*number as usize]));
        if descending && key == OrderKey::Group { b.cmp(&a) } else { a.cmp(&b) }
    };
    let by_value = |a: &u32, b: &u32| match (value(a), value(b)) {
        (Some(a), Some(b)) if descending => b.cmp(&a),
        (Some(a), Some(b)) => a.cmp(&b),
        (a, b) => Reverse(a.is_some()).cmp(&Reverse(b.is_some())),
    };
    let order = |a: &u32, b: &u32| -> Ordering { by_value(a, b).then_with(|| by_key(a, b)) };
    let skipped = query.paging.before();
    let end = skipped.saturating_add(query.paging.size());
    if end < numbers.len() {
        numbers.select_nth_unstable_by(end, order);
        numbers.truncate(end);
    }
    numbers.sort_unstable_by(order);
    Ok(numbers.into_iter().skip(skipped).collect())
}
