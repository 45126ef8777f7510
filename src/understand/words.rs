//! Words that mean the same in every query: nouns for any nonprofit, words that say nothing, what is
//! counted. Lists are of normal forms.

/// Nouns for any nonprofit: what is searched for anyway.
pub(super) const GENERIC: [&str; 47] = [
    "nonprofit", "nonprofits", "profit", "profits", "non", "org", "orgs", "organization",
    "organizations", "organisation", "organisations", "charity", "charities", "group", "groups",
    "ngo", "ngos", "npo", "npos", "agency", "agencies", "institution", "institutions",
    "association", "associations", "entity", "entities", "outfit", "outfits", "ones", "one",
    "place", "places", "results", "result", "options", "anything", "something", "organizacion",
    "organizaciones", "organizacione", "fundaciones", "asociaciones", "caridades", "ongs", "ong",
    "grupos",
];

/// Words with which people begin and that say nothing about what they look for.
pub(super) const LEAD: [&str; 120] = [
    "please", "show", "me", "us", "find", "give", "list", "search", "searching", "looking",
    "look", "want", "wanted", "need", "i", "im", "am", "we", "were", "can", "could", "would",
    "you", "help", "to", "see", "get", "hi", "hello", "hey", "ok", "okay", "so", "well", "um",
    "uh", "what", "which", "who", "whats", "are", "is", "there", "any", "all", "every", "each",
    "some", "the", "a", "an", "that", "those", "these", "do", "does", "for", "of", "in", "on",
    "with", "at", "by", "from", "and", "or", "but", "only", "just", "also", "now", "then", "my",
    "our", "your", "their", "it", "this", "about", "like", "know", "tell", "have", "has", "be",
    "been", "being", "id", "ill", "ive", "lets", "let", "how", "where", "when", "as", "who's",
    "whos", "w", "more", "new", "good", "great", "best", "top", "local", "other", "others",
    "recommend", "suggest", "suggestions", "donate", "donating", "volunteer at", "support any",
    "several", "many", "most", "various", "certain",
];

/// Words that say nothing wherever they stand at the edge of what is left.
pub(super) const EDGE: [&str; 81] = [
    "the", "a", "an", "of", "for", "in", "on", "at", "by", "from", "to", "with", "and", "or",
    "but", "that", "which", "who", "whose", "is", "are", "was", "were", "be", "do", "does",
    "their", "its", "it", "them", "they", "this", "these", "those", "near", "around", "within",
    "into", "as", "than", "please", "thanks", "thank", "you", "me", "us", "my", "our", "have",
    "has", "having", "there", "here", "any", "all", "some", "based", "located", "operating",
    "working", "work", "works", "de", "en", "la", "el", "los", "las", "con", "para", "por", "y",
    "o", "del", "un", "una", "que", "focused", "focusing", "dedicated", "area",
];

/// Things that numbers count and that are no money.
pub(super) const COUNTED: [&str; 94] = [
    "people", "persons", "kids", "kid", "children", "child", "students", "student", "families",
    "family", "meals", "meal", "pounds", "lbs", "tons", "members", "member", "volunteers",
    "volunteer", "acres", "acre", "animals", "dogs", "cats", "pets", "horses", "trees", "homes",
    "houses", "households", "patients", "seniors", "veterans", "clients", "visitors", "residents",
    "books", "followers", "subscribers", "women", "men", "girls", "boys", "youth", "youths",
    "teens", "americans", "adults", "individuals", "participants", "lives", "hours", "hour",
    "miles", "mile", "mi", "km", "kilometers", "years", "year", "yr", "yrs", "days", "day",
    "weeks", "months", "percent", "steps", "step", "grades", "schools", "communities",
    "countries", "states", "cities", "locations", "chapters", "run", "runs", "race", "races",
    "walk", "walks", "beds", "units", "farmers", "refugees", "immigrants", "teachers", "athletes",
    "artists", "th", "st", "nd",
];

/// Whether a word says nothing of what is looked for.
pub(super) fn is_common(form: &str) -> bool {
    LEAD.contains(&form) || EDGE.contains(&form) || GENERIC.contains(&form)
}
