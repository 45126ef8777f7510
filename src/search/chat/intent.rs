//! What an answer of the chat is, by the names of the service's specification.

use crate::record::named;

named! {
    /// What was asked for, as answers call it.
    Intent {
        FindNonprofits = "find_nonprofits",
        SimilarNonprofits = "similar_nonprofits",
        NonprofitDetails = "nonprofit_details",
        FindArticles = "find_articles",
        ArticleDetails = "article_details",
        FindFunds = "find_funds",
        Knowledge = "knowledge",
        Greeting = "greeting",
        Unknown = "unknown",
    }
}
