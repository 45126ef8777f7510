//! `almoner search`: nonprofits that satisfy filters and fit a text, as a table or as JSON lines.
//!
//! What is asked is [`nonprofits::search`]'s to answer; here arguments become its query, and its
//! answer lines. The filters are those of `/beta/nonprofits/search`.

use std::io::{self, BufWriter, Write as _};
use std::str::FromStr as _;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser as _};
use clap::value_parser;

use super::progress::counted;
use super::table::{Table, dollars, terminal_width, thousands};
use super::{DataDir, ModelFolder, Outcome, complain, complain_plainly, print};
use crate::index::columns::{Area, Filters, Range, Sort, SortKey};
use crate::record::{Address, OrgSize, Organization, Point, Sdg, State, Subsection, Zip5};
use crate::search::nonprofits::{self, Found, Order, Query, Row};
use crate::snapshot;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    data_dir: DataDir,
    #[command(flatten)]
    model: ModelFolder,
    /// What they should be about, in plain words: ranks by meaning and by words
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    amounts: Amounts,
    /// Only NTEE codes that start with any of these: A, A2 or A20
    #[arg(long, value_name = "CODE", env = "ALMONER_NTEE", value_delimiter = ',', value_parser = ntee_prefix)]
    ntee: Vec<String>,
    /// Only those that serve any of these Sustainable Development Goals, 1 to 17
    #[arg(long, value_name = "GOAL", env = "ALMONER_SDG", value_delimiter = ',', value_parser = goal)]
    sdg: Vec<Sdg>,
    /// Only those of any of these sizes
    #[arg(long, env = "ALMONER_SIZE", value_delimiter = ',', ignore_case = true, value_parser = PossibleValuesParser::new(OrgSize::ALL.map(OrgSize::name)).map(size_of))]
    size: Vec<OrgSize>,
    /// Only these subsections of section 501(c): 03 is 501(c)(3)
    #[arg(long, value_name = "CODE", env = "ALMONER_SUBSECTION", value_delimiter = ',')]
    subsection: Vec<Subsection>,
    /// Only private foundations, or none of them
    #[arg(long, env = "ALMONER_FOUNDATION")]
    foundation: Option<bool>,
    /// Only (or only not) those contributions to which are deductible
    #[arg(long, env = "ALMONER_DEDUCTIBLE")]
    deductible: Option<bool>,
    /// How far from TEXT in meaning they may be, 0 to 1; higher is more lenient
    #[arg(long, value_name = "DISTANCE", env = "ALMONER_MAX_DISTANCE", value_parser = distance, requires = "text")]
    max_distance: Option<f64>,
    /// What to sort by, in order, `-` in front for descending: relevance, name, revenue, expenses,
    /// assets, employees, score, rating, distance
    #[arg(long, value_name = "KEY", env = "ALMONER_SORT", value_delimiter = ',', allow_hyphen_values = true, value_parser = order)]
    sort: Vec<Order>,
    /// Page, from 1
    #[arg(long, value_name = "N", env = "ALMONER_PAGE", default_value_t = 1, value_parser = value_parser!(u64).range(1..))]
    page: u64,
    /// Rows of a page, 1 to 100
    #[arg(long, value_name = "N", env = "ALMONER_LIMIT", default_value_t = 10, value_parser = value_parser!(u8).range(1..=nonprofits::SIZE_MAX as i64))]
    limit: u8,
    /// Print the records as stored, one JSON object a line, each with its cosine as vectorScore
    #[arg(long, env = "ALMONER_JSON")]
    json: bool,
}

/// Where they should be.
#[derive(Debug, clap::Args)]
struct Place {
    /// USPS code of their state, such as OH
    #[arg(long, env = "ALMONER_STATE")]
    state: Option<State>,
    /// Their city, in any case
    #[arg(long, env = "ALMONER_CITY", value_parser = NonEmptyStringValueParser::new())]
    city: Option<String>,
    /// Their county, in any case, with or without “County”
    #[arg(long, env = "ALMONER_COUNTY", value_parser = NonEmptyStringValueParser::new())]
    county: Option<String>,
    /// Their ZIP code, five digits
    #[arg(long, env = "ALMONER_ZIP")]
    zip: Option<Zip5>,
    /// A point, degrees north and east, such as 41.5,-81.7
    #[arg(long, value_name = "LAT,LON", env = "ALMONER_NEAR", allow_hyphen_values = true, value_parser = point)]
    near: Option<Point>,
    /// How far from --near they may be; 0 is any distance
    #[arg(long, value_name = "MILES", env = "ALMONER_WITHIN", value_parser = amount, requires = "near")]
    within: Option<f64>,
}

/// Their figures, both bounds included. Whose figure is not known is left out.
#[derive(Debug, clap::Args)]
struct Amounts {
    /// At least this annual revenue, in dollars
    #[arg(long, value_name = "N", env = "ALMONER_MIN_REVENUE", value_parser = amount)]
    min_revenue: Option<f64>,
    /// At most this annual revenue, in dollars
    #[arg(long, value_name = "N", env = "ALMONER_MAX_REVENUE", value_parser = amount)]
    max_revenue: Option<f64>,
    /// At least these annual expenses, in dollars
    #[arg(long, value_name = "N", env = "ALMONER_MIN_EXPENSES", value_parser = amount)]
    min_expenses: Option<f64>,
    /// At most these annual expenses, in dollars
    #[arg(long, value_name = "N", env = "ALMONER_MAX_EXPENSES", value_parser = amount)]
    max_expenses: Option<f64>,
    /// At least these total assets, in dollars
    #[arg(long, value_name = "N", env = "ALMONER_MIN_ASSETS", value_parser = amount)]
    min_assets: Option<f64>,
    /// At most these total assets, in dollars
    #[arg(long, value_name = "N", env = "ALMONER_MAX_ASSETS", value_parser = amount)]
    max_assets: Option<f64>,
    /// At least this many employees
    #[arg(long, value_name = "N", env = "ALMONER_MIN_EMPLOYEES", value_parser = amount)]
    min_employees: Option<f64>,
    /// At most this many employees
    #[arg(long, value_name = "N", env = "ALMONER_MAX_EMPLOYEES", value_parser = amount)]
    max_employees: Option<f64>,
    /// At least this organization score, 0 to 100
    #[arg(long, value_name = "N", env = "ALMONER_MIN_SCORE", value_parser = score)]
    min_score: Option<f64>,
    /// At most this organization score, 0 to 100
    #[arg(long, value_name = "N", env = "ALMONER_MAX_SCORE", value_parser = score)]
    max_score: Option<f64>,
    /// At least this star rating, 0 to 4
    #[arg(long, value_name = "N", env = "ALMONER_MIN_RATING", value_parser = rating)]
    min_rating: Option<f64>,
    /// At most this star rating, 0 to 4
    #[arg(long, value_name = "N", env = "ALMONER_MAX_RATING", value_parser = rating)]
    max_rating: Option<f64>,
}

impl Amounts {
    /// Every range by its name in the flags.
    fn ranges(&self) -> [(&'static str, Range); 6] {
        let range = |min, max| Range { min, max };
        [
            ("revenue", range(self.min_revenue, self.max_revenue)),
            ("expenses", range(self.min_expenses, self.max_expenses)),
            ("assets", range(self.min_assets, self.max_assets)),
            ("employees", range(self.min_employees, self.max_employees)),
            ("score", range(self.min_score, self.max_score)),
            ("rating", range(self.min_rating, self.max_rating)),
        ]
    }
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<Outcome> {
    if let Some(why) = misfit(&arguments) {
        complain(&why);
        return Ok(Outcome::Usage);
    }
    let query = query(&arguments);
    let Arguments { data_dir, model, json, .. } = arguments;
    let snapshot = snapshot::open_with(&data_dir.path, &model.lazy())?;
    let has_text = query.text.as_deref().is_some_and(|text| !text.trim().is_empty());
    if has_text && snapshot.vectors.is_none() {
        let distance =
            if query.distance_max.is_some() { "; --max-distance asks nothing" } else { "" };
        complain_plainly(&format!(
            "the snapshot was built without embeddings: only words rank, and what has none of \
             them is not shown{distance}"
        ));
    }
    let found = nonprofits::search(&snapshot, &query)?;
    if json {
        print_lines(&found.rows)?;
    } else if !found.rows.is_empty() {
        print(&table(&found.rows).render_within(terminal_width()))?;
    }
    complain_plainly(&summary(&found));
    if found.rows.is_empty() {
        complain(&nothing(&query, &found));
        return Ok(Outcome::NotFound);
    }
    Ok(Outcome::Done)
}

/// Why arguments that are each good do not fit together, if so.
fn misfit(arguments: &Arguments) -> Option<String> {
    for (name, range) in arguments.amounts.ranges() {
        if let (Some(min), Some(max)) = (range.min, range.max)
            && min > max
        {
            return Some(format!(
                "no {name} fits: expected --min-{name} to be at most --max-{name}, found {min} \
                 and {max}"
            ));
        }
    }
    let by_distance =
        |order: &Order| matches!(order, Order::By(Sort { key: SortKey::Distance, .. }));
    (arguments.place.near.is_none() && arguments.sort.iter().any(by_distance)).then(|| {
        "--sort distance needs the point that distances are measured from: add --near LAT,LON"
            .to_owned()
    })
}

fn query(arguments: &Arguments) -> Query {
    let place = &arguments.place;
    let [revenue, expenses, assets, employees, score, rating] =
        arguments.amounts.ranges().map(|(_, range)| range);
    let area = Area {
        state: place.state,
        county: place.county.clone(),
        city: place.city.clone(),
        zip: place.zip,
        near: place.near.zip(place.within),
    };
    let filters = Filters {
        subsections: arguments.subsection.clone(),
        foundation: arguments.foundation,
        deductible: arguments.deductible,
        areas: Vec::from_iter((!area.is_whole()).then_some(area)),
        revenue,
        expenses,
        assets,
        employees,
        score,
        rating,
        sdgs: arguments.sdg.iter().copied().collect(),
        ntee_prefixes: arguments.ntee.clone(),
        sizes: arguments.size.clone(),
        ..Filters::default()
    };
    Query {
        filters,
        origin: place.near,
        text: arguments.text.clone(),
        distance_max: arguments.max_distance,
        sort: arguments.sort.clone(),
        page: arguments.page,
        size: usize::from(arguments.limit),
    }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&["name", "place", "revenue", "score"]);
    let unknown = || "-".to_owned();
    for Row { organization, cosine } in rows {
        let revenue = organization.finances.revenue;
        table.row([
            organization.name.clone(),
            place_of(&organization.address),
            revenue.map_or_else(unknown, |usd| dollars(usd.dollars())),
            cosine.map_or_else(unknown, |cosine| format!("{cosine:.3}")),
        ]);
    }
    table
}

/// `City, ST`, or what is known of it.
fn place_of(address: &Address) -> String {
    let state = address.state.map(State::code);
    let parts: Vec<&str> = address.city.as_deref().into_iter().chain(state).collect();
    if parts.is_empty() { "-".to_owned() } else { parts.join(", ") }
}

/// A record as `--json` writes it.
#[derive(serde::Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    organization: &'a Organization,
    #[serde(rename = "vectorScore")]
    cosine: Option<f32>,
}

fn print_lines(rows: &[Row]) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    for Row { organization, cosine } in rows {
        serde_json::to_writer(&mut out, &Line { organization, cosine: *cosine })?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// How much was found, and how.
fn summary(found: &Found) -> String {
    let satisfy = if found.total == 1 { "satisfies" } else { "satisfy" };
    let left_out = match found.unknown {
        0 => "none is left out for a figure that is not known".to_owned(),
        1 => "1 is left out because a figure is not known".to_owned(),
        more => format!("{} are left out because a figure is not known", thousands(more)),
    };
    let total = counted(found.total, "nonprofit");
    format!("{total} {satisfy} the filters; {left_out}; plan: {}", found.plan)
}

/// Why there are no rows, and what to do about it.
fn nothing(query: &Query, found: &Found) -> String {
    if found.total > 0 && query.page > 1 {
        return format!("nothing found on page {}: name a lower --page", query.page);
    }
    if found.total > 0 {
        return "nothing found: no name has a word of the text; use other words, or \
                build the snapshot with embeddings"
            .to_owned();
    }
    let given = given(query);
    match &given[..] {
        [] => "nothing found: the snapshot holds no nonprofits".to_owned(),
        [one] => format!("nothing found: widen {one} or leave it out"),
        _ => format!("nothing found: widen one of {} or leave it out", given.join(", ")),
    }
}

/// The flags that narrow a query, as they are written.
fn given(query: &Query) -> Vec<&'static str> {
    let Query { filters, distance_max, .. } = query;
    let placed = |is: fn(&Area) -> bool| filters.areas.iter().any(is);
    let flags = [
        ("--state", placed(|area| area.state.is_some())),
        ("--city", placed(|area| area.city.is_some())),
        ("--county", placed(|area| area.county.is_some())),
        ("--zip", placed(|area| area.zip.is_some())),
        ("--within", placed(|area| area.near.is_some_and(|(_, miles)| miles > 0.0))),
        ("--min-revenue", filters.revenue.min.is_some()),
        ("--max-revenue", filters.revenue.max.is_some()),
        ("--min-expenses", filters.expenses.min.is_some()),
        ("--max-expenses", filters.expenses.max.is_some()),
        ("--min-assets", filters.assets.min.is_some()),
        ("--max-assets", filters.assets.max.is_some()),
        ("--min-employees", filters.employees.min.is_some()),
        ("--max-employees", filters.employees.max.is_some()),
        ("--min-score", filters.score.min.is_some()),
        ("--max-score", filters.score.max.is_some()),
        ("--min-rating", filters.rating.min.is_some()),
        ("--max-rating", filters.rating.max.is_some()),
        ("--ntee", !filters.ntee_prefixes.is_empty()),
        ("--sdg", !filters.sdgs.is_empty()),
        ("--size", !filters.sizes.is_empty()),
        ("--subsection", !filters.subsections.is_empty()),
        ("--foundation", filters.foundation.is_some()),
        ("--deductible", filters.deductible.is_some()),
        ("--max-distance", distance_max.is_some()),
    ];
    flags.into_iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| flag).collect()
}

fn number(text: &str, bounds: std::ops::RangeInclusive<f64>) -> Result<f64, String> {
    let number = f64::from_str(text).ok().filter(|number| number.is_finite());
    number.filter(|number| bounds.contains(number)).ok_or_else(|| {
        let (min, max) = (bounds.start(), bounds.end());
        match max.is_finite() {
            true => format!("expected a number of {min} to {max}, found {text:?}"),
            false => format!("expected a number of at least {min}, found {text:?}"),
        }
    })
}

fn amount(text: &str) -> Result<f64, String> {
    number(text, 0.0..=f64::INFINITY)
}

fn score(text: &str) -> Result<f64, String> {
    number(text, 0.0..=100.0)
}

fn rating(text: &str) -> Result<f64, String> {
    number(text, 0.0..=4.0)
}

fn distance(text: &str) -> Result<f64, String> {
    number(text, 0.0..=1.0)
}

fn point(text: &str) -> Result<Point, String> {
    let numbers = text
        .split_once(',')
        .and_then(|(north, east)| Some((north.trim().parse().ok()?, east.trim().parse().ok()?)));
    let Some((north, east)) = numbers else {
        let expected = "a latitude, a comma and a longitude, such as 41.5,-81.7";
        return Err(format!("expected {expected}, found {text:?}"));
    };
    Point::new(north, east).map_err(|error| error.to_string())
}

/// The start of an NTEE code: a letter, then up to two letters or digits.
fn ntee_prefix(text: &str) -> Result<String, String> {
    let fits = text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.len() <= 3
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    fits.then(|| text.to_owned()).ok_or_else(|| {
        format!("expected an NTEE code or how one starts, such as A, A2 or A20, found {text:?}")
    })
}

fn goal(text: &str) -> Result<Sdg, String> {
    let number = i64::from_str(text).map_err(|_| {
        format!("expected the number of a Sustainable Development Goal, 1 to 17, found {text:?}")
    })?;
    Sdg::new(number).map_err(|error| error.to_string())
}

/// The size of a name that was checked.
fn size_of(name: String) -> OrgSize {
    let of_that_name = |size: &OrgSize| size.name().eq_ignore_ascii_case(&name);
    OrgSize::ALL.into_iter().find(of_that_name).expect("clap lets the names of sizes pass only")
}

fn order(text: &str) -> Result<Order, String> {
    let (descending, name) = match text.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, text),
    };
    let key = match name {
        // In either direction the best come first.
        "relevance" => return Ok(Order::Relevance),
        "name" => SortKey::Name,
        "revenue" => SortKey::Revenue,
        "expenses" => SortKey::Expenses,
        "assets" => SortKey::Assets,
        "employees" => SortKey::Employees,
        "score" => SortKey::Score,
        "rating" => SortKey::Rating,
        "distance" => SortKey::Distance,
        _ => {
            return Err(format!(
                "expected relevance, name, revenue, expenses, assets, employees, score, rating or \
                 distance, with - in front for descending, found {text:?}"
            ));
        }
    };
    Ok(Order::By(Sort { key, descending }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused_saying_what_is_expected() {
        let refused = |error: Result<(), String>, part: &str| {
            let error = error.unwrap_err();
            assert!(error.contains("expected") || error.contains("1 to 17"), "{error}");
            assert!(error.contains("found") && error.contains(part), "{error}");
        };
        assert_eq!(amount("1e6"), Ok(1e6));
        assert_eq!(rating("4"), Ok(4.0));
        for bad in ["", "-1", "nan", "inf", "1,000", "$5"] {
            refused(amount(bad).map(drop), bad);
        }
        refused(rating("4.1").map(drop), "0 to 4");
        refused(distance("1.01").map(drop), "0 to 1");
        assert_eq!(point("41.5, -81.7"), Ok(Point::new(41.5, -81.7).unwrap()));
        for bad in ["", "41.5", "41.5;-81.7", "north,east", "91,0", "nan,0"] {
            refused(point(bad).map(drop), "latitude");
        }
        for good in ["A", "a2", "A20", "A6E"] {
            assert_eq!(ntee_prefix(good), Ok(good.to_owned()));
        }
        for bad in ["", "2", "A200", "A-", "Ä"] {
            refused(ntee_prefix(bad).map(drop), bad);
        }
        assert_eq!(goal("17"), Ok(Sdg::new(17).unwrap()));
        for bad in ["0", "18", "four"] {
            refused(goal(bad).map(drop), bad);
        }
        assert_eq!(order("-relevance"), Ok(Order::Relevance));
        assert_eq!(
            order("-revenue"),
            Ok(Order::By(Sort { key: SortKey::Revenue, descending: true }))
        );
        for bad in ["", "-", "size", "--name", "Name"] {
            refused(order(bad).map(drop), "relevance");
        }
    }

    #[test]
    fn a_place_is_what_is_known_of_it() {
        let place = |city: Option<&str>, state: Option<&str>| {
            let state = state.map(|code| code.parse().unwrap());
            place_of(&Address { city: city.map(str::to_owned), state, ..Address::default() })
        };
        assert_eq!(place(Some("Akron"), Some("OH")), "Akron, OH");
        assert_eq!(place(Some("Paris"), None), "Paris");
        assert_eq!(place(None, Some("OH")), "OH");
        assert_eq!(place(None, None), "-");
    }
}
