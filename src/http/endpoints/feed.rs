//! `GET /feed/posts`: what nonprofits publish, newest first.

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{CITY, COUNTY, NTEE_CODES, PAGE, STATE, ZIP_CODE, size};
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Page, Reply, Rows, paging};
use crate::http::interface::parameter::{defaulted, many, optional, parameters};
use crate::http::interface::parameter_type::{Choice, EinDigits, Text};
use crate::query::{Area, Filters};
use crate::record::{Classification, Ein, State, Zip5, named};
use crate::search::feed::{Query, search};
use crate::views::PostRow;

named! {
    /// Whose posts are asked for.
    View {
        /// Everybody's.
        Latest = "latest",
        /// Those of the EINs listed.
        Following = "following",
    }
}

parameters! {
    /// What the feed takes.
    Params {
        classification: Option<Classification> = optional(
            "classification",
            Choice::of(&Classification::ALL, Classification::name),
            "Only posts of this kind.",
        ),
        search: Option<String> = optional(
            "search",
            Text::at_most(256),
            "Words that all stand in the title, the description or the content.",
        ),
        view: View = defaulted(
            "view",
            Choice::of(&View::ALL, View::name),
            View::Latest,
            "`latest` for all posts, `following` for those of `eins`.",
        ),
        city: Option<String> = CITY,
        county: Option<String> = COUNTY,
        state: Option<State> = STATE,
        zip_code: Option<Zip5> = ZIP_CODE,
        ntee_codes: Vec<String> = NTEE_CODES,
        page: i64 = PAGE,
        size: i64 = size(10),
        eins: Vec<Ein> = many("eins", EinDigits, "With `view=following`: the EINs followed."),
    }
}

pub(crate) static POSTS: Endpoint = Endpoint {
    tag: "Feed",
    summary: "Posts published by nonprofits, newest first",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // Filters look at every organization, and the bitmap at every post.
    ..Endpoint::json::<Page<PostRow>>("/feed/posts", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let query = Params::read(&context.input)?.query();
    let found = search(context.snapshot()?, &query)?;
    Page::of(found.map(PostRow::of), query.paging).reply()
}

impl Params {
    pub(crate) fn query(self) -> Query {
        let given = |text: Option<String>| text.filter(|text| !text.is_empty());
        let area = Area {
            state: self.state,
            county: self.county,
            city: self.city,
            zip: self.zip_code,
            near: None,
        };
        Query {
            classification: self.classification,
            words: given(self.search),
            followed: match self.view {
                View::Latest => None,
                View::Following => Some(self.eins),
            },
            filters: Filters {
                areas: if area.is_whole() { Vec::new() } else { vec![area] },
                ntee_prefixes: self.ntee_codes,
                ..Filters::default()
            },
            paging: paging(self.page, self.size),
        }
    }
}
