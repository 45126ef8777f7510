//! The kinds of chat answers, by the names of the service's specification.

use crate::record::named;

named! {
    /// The intent of a message, as answers name it.
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
