//! `GET /articles/search`: articles by words, kind and day.

use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::{PAGE, flag, size};
use crate::http::interface::endpoint::{Context, Cost, Endpoint, Page, Reply, Rows, paging};
use crate::http::interface::parameter::{optional, parameters};
use crate::http::interface::parameter_type::{Day, Text};
use crate::record::Date;
use crate::search::articles::{Query, search};
use crate::search::listing::ListPage;
use crate::views::Article;

parameters! {
    /// What the search takes.
    Params {
        q: Option<String> =
            optional("q", Text::at_most(256), "What the articles should be about, in plain words."),
        post_type: Option<String> = optional(
            "post_type",
            Text::at_most(100),
            "Only articles of this type. No loaded source gives types, so every type leaves out all articles.",
        ),
        date_added: Option<Date> =
            optional("date_added", Day, "Only articles added on this day or later."),
        gc_original: Option<bool> =
            flag("gc_original", "Only the operator's own articles, or none of them."),
        page: i64 = PAGE,
        size: i64 = size(10),
    }
}

pub(crate) static SEARCH: Endpoint = Endpoint {
    summary: "Articles by words, kind and day",
    rows: Rows::In("items"),
    cost: Cost::Heavy, // A text is embedded and compared.
    ..Endpoint::json::<Page<Article<'_>>>("/articles/search", Params::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = Params::read(&context.input)?;
    let (snapshot, is_of_type) = (context.snapshot()?, asked.post_type.is_some());
    let query = asked.query();
    let found = if is_of_type { ListPage::EMPTY } else { search(snapshot, &query)? };
    Page::of(found.by_ref().map(Article::of), query.paging).reply()
}

impl Params {
    /// The question, whatever the type: no article is of any.
    pub(crate) fn query(self) -> Query {
        Query {
            about: self.q,
            added_from: self.date_added,
            is_original: self.gc_original,
            paging: paging(self.page, self.size),
        }
    }
}
