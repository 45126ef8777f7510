//! What an answer of the chat is, by the names of the service's specification.

/// What was asked for, as answers call it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Intent {
    FindNonprofits,
    SimilarNonprofits,
    NonprofitDetails,
    FindArticles,
    ArticleDetails,
    FindFunds,
    Knowledge,
    Greeting,
    Unknown,
}

impl Intent {
    pub fn name(self) -> &'static str {
        match self {
            Self::FindNonprofits => "find_nonprofits",
            Self::SimilarNonprofits => "similar_nonprofits",
            Self::NonprofitDetails => "nonprofit_details",
            Self::FindArticles => "find_articles",
            Self::ArticleDetails => "article_details",
            Self::FindFunds => "find_funds",
            Self::Knowledge => "knowledge",
            Self::Greeting => "greeting",
            Self::Unknown => "unknown",
        }
    }
}
