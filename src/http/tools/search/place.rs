//! Where a search looks: the circle around a place by its name, the points that distances are from, and the states that
//! it reaches into.

use crate::http::tools::arguments::{Arguments, ToolError, again, quoted_excerpt, unknown};
use crate::places;
use crate::query::{Sort, SortKey};
use crate::record::{Ein, Point, State, Zip5};
use crate::search::details::details;
use crate::search::nonprofits::{Order, Query};
use crate::snapshot::Snapshot;
use crate::understand::{Frame, NamedPlace, surroundings};

/// Miles around a place unless the call says.
const MILES: &str = "25";

/// The circle that the arguments `near` and `miles` ask for.
pub(super) struct Circle {
    pub(super) point: Point,
    miles: String,
    /// What is at its centre.
    name: String,
}

impl Circle {
    /// Reads the arguments; `None` where there is no such circle.
    pub(super) fn read(
        snapshot: &Snapshot,
        sent: &Arguments<'_>,
    ) -> Result<Option<Self>, ToolError> {
        match (sent.text("near"), sent.text("miles")) {
            (Some(text), miles) => {
                let (point, name) = match Ein::from_typed(text) {
                    Some(ein) => center_of(snapshot, ein)?,
                    None => center(text)?,
                };
                Ok(Some(Self { point, name, miles: miles.unwrap_or(MILES).to_owned() }))
            }
            (None, Some(_)) => Err(again("miles needs near: \"Lexington, KY\" or a ZIP code")),
            (None, None) => Ok(None),
        }
    }

    /// The parameters of the endpoint, which takes coordinates.
    pub(super) fn parameters(&self) -> String {
        form_urlencoded::Serializer::new(String::new())
            .append_pair("latitude", &self.point.latitude().to_string())
            .append_pair("longitude", &self.point.longitude().to_string())
            .append_pair("location_range", &self.miles)
            .finish()
    }

    /// Calls the circle by its centre in what these parameters ask for, which has only coordinates.
    pub(super) fn name(&self, frame: &mut Frame) {
        let coordinates = format!("{}, {}", self.point.latitude(), self.point.longitude());
        for place in &mut frame.places {
            place.name = place.name.replacen(&coordinates, &self.name, 1);
        }
    }
}

/// Where a nonprofit is, and its name.
fn center_of(snapshot: &Snapshot, ein: Ein) -> Result<(Point, String), ToolError> {
    let found = details(snapshot, ein)?.ok_or_else(|| unknown(ein))?;
    let point = found.address.point.ok_or_else(|| {
        again(&format!("near: where {} is, is not known; name a city or ZIP code", found.name))
    })?;
    Ok((point, found.name))
}

/// The point of a place by its name, and the name in full.
fn center(text: &str) -> Result<(Point, String), ToolError> {
    let of_zip = || {
        let zip = text.trim().parse::<Zip5>().ok()?;
        Some((places::zip(zip)?.point?, zip.to_string()))
    };
    let of_city = || {
        let (city, state) = text.rsplit_once(',')?;
        let state: State = state.trim().parse().ok()?;
        let city = places::city(&places::city_key(city), state)?;
        Some((city.point?, format!("{}, {state}", city.name)))
    };
    of_zip().or_else(of_city).ok_or_else(|| {
        again(&format!(
            "near: expected a city with its state, such as \"Lexington, KY\", a ZIP code of five digits, or an EIN; found {}",
            quoted_excerpt(text)
        ))
    })
}

/// The points that distances of rows are from: the centres of circles, else of cities, counties and ZIP codes.
pub(super) fn centers(places: &[NamedPlace]) -> Vec<Point> {
    let areas = places.iter().flat_map(|place| &place.areas);
    let circles: Vec<Point> = areas.filter_map(|area| area.near).map(|near| near.0).collect();
    match circles.is_empty() {
        true => surroundings(places).into_iter().filter_map(|one| one.point).collect(),
        false => circles,
    }
}

/// The states that the places reach into.
pub(super) fn states(places: &[NamedPlace]) -> Vec<State> {
    let mut found: Vec<State> = places.iter().filter_map(|place| place.state).collect();
    for area in places.iter().flat_map(|place| &place.areas) {
        match (area.state, area.circle()) {
            (Some(state), _) => found.push(state),
            (None, Some((point, miles))) => found.extend(places::states_within(point, miles)),
            (None, None) => {}
        }
    }
    found
}

/// Keeps a search within circles that words draw: who asks for fifty miles is not helped by rows beyond.
pub(super) fn keep_within_circles(query: &mut Query) {
    if let Some(hint) = &mut query.place {
        let is_drawn = hint.areas.iter().all(|area| area.circle().is_some());
        // A filter in words lets likely rows beyond it in; a hint ranks those that satisfy the filters.
        hint.is_filter &= !is_drawn;
    }
}

/// The orders that are asked for, where one is by distance: the endpoint takes that with coordinates only.
pub(super) fn sorts_by_distance(sent: &Arguments<'_>) -> Option<Vec<Order>> {
    let names = sent.texts("sort").into_iter().flat_map(|text| text.split(','));
    let orders: Vec<Order> = names.map(Order::parse).collect::<Option<_>>()?;
    let is_distance =
        |order: &Order| matches!(order, Order::By(Sort { key: SortKey::Distance, .. }));
    orders.iter().any(is_distance).then_some(orders)
}
