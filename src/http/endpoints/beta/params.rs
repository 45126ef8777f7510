//! What the search takes, and what its explicit parameters ask for.

use uuid::Uuid;

use crate::http::endpoints::filters::{LATITUDE, LONGITUDE, SEARCH_FILTERS, SearchFilters};
use crate::http::interface::declared::{PAGE, SESSION, size};
use crate::http::interface::filters::{FACETS, SortOrder};
use crate::http::interface::parameter::{
    Many, Optional, Parameter, defaulted, many, optional, parameters,
};
use crate::http::interface::parameter_type::{Choice, Number, Text};
use crate::index::columns::Facet;
use crate::query::{Sort, SortKey};
use crate::search::SearchError;
use crate::search::nonprofits::{Order, Query};
use crate::understand::{
    Conversation, Extent, Frame, Interpretation, Lookup, Model, QUERY_CHARACTERS_MAX, Request,
    interpret,
};

const SORT: Parameter<SortOrder, Many> = many(
    "sort",
    SortOrder,
    "What to sort by, in order, `-` in front for descending; what is not known comes last. \
     `relevance`, in either direction the best first, is how well a nonprofit fits `q`, or its \
     revenue without one; with `q`, other keys sort the nonprofits that fit it best. `distance` \
     needs a point.",
);

parameters! {
    /// What the search takes.
    Params {
        q: Option<String> = optional(
            "q",
            Text::at_most(QUERY_CHARACTERS_MAX),
            "What to search for, in plain words: places, amounts and the like become filters, the rest ranks.",
        ),
        filters: SearchFilters = SEARCH_FILTERS,
        sort: Vec<Order> = SORT,
        max_vector_distance: Option<f64> = optional(
            "max_vector_distance",
            Number::between(0.0, 1.0),
            "How far from `q` in meaning a nonprofit may be; higher is more lenient.",
        ),
        model: Model = defaulted(
            "model",
            Choice::of(&[Model::MiniLm, Model::Grammar], Model::name).or(&[("gemini-2.5-flash-lite", Model::MiniLm), ("gpt-3.5-turbo-0125", Model::MiniLm)]),
            Model::MiniLm,
            "What interprets `q`. The names of hosted models, which clients of another service send, mean `minilm`: \
             the member `model` of the arguments says what ran.",
        ),
        extent: Extent = defaulted(
            "extent",
            Choice::of(&Extent::ALL, Extent::name),
            Extent::All,
            "Which nonprofits are listed and counted for the words of `q`: `all` that satisfy the filters, those that do not \
             fit the words last; or `fitting`, those that have all the words or come close to what was asked for.",
        ),
        page: i64 = PAGE,
        size: i64 = size(10),
        facets: Vec<Facet> = FACETS,
        session: Option<Uuid> = SESSION,
    }
    joined |input, errors| {
        let is_absent = |one: &Parameter<Number, Optional>| one.read(input, &mut Vec::new()) == Some(None);
        if is_absent(&LATITUDE) && is_absent(&LONGITUDE) {
            let by_distance =
                |order: &Order| matches!(order, Order::By(Sort { key: SortKey::Distance, .. }));
            let why = "distance needs a point: give latitude and longitude";
            SORT.unfit_items(input, by_distance, why, errors);
        }
    }
}

impl Params {
    /// What `q` means beside explicit parameters, on top of a conversation where there is one.
    pub(crate) fn interpret(
        &self,
        lookup: &Lookup<'_>,
        explicit: &Frame,
        earlier: Option<&Conversation>,
    ) -> Result<Interpretation, SearchError> {
        let request = Request::of(self.q.as_deref(), explicit);
        Ok(interpret(lookup, &Request { model: self.model, earlier, ..request })?)
    }

    /// The page that is asked for, and its order.
    pub(crate) fn page_query(&self) -> Query {
        Query {
            origin: self.filters.origin(),
            distance_max: self.max_vector_distance,
            sort: self.sort.clone(),
            ends_with_text: self.extent == Extent::Fitting,
            page: self.page as u64,
            size: self.size as usize,
            facets: self.facets.clone(),
            ..Query::default()
        }
    }
}
