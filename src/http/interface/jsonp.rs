//! JSONP: an answer as a script that calls a function of the page it is included in, for clients of the
//! reconciliation service that are older than CORS.
//!
//! A browser sends no `Origin` with a script that a page includes, so a script is never given to who shows no key,
//! and never to a page of this server, which needs none and whose policy lets scripts of its own origin run.

use hyper::Method;
use hyper::http::request::Parts;

use super::endpoint::Body;
use super::route::Route;
use super::validation_error::{ParameterLocation, Reason, ValidationError, ValidationErrors};
use crate::http::server::access::FETCH_SITE;

/// The parameter that names the function.
pub(crate) const CALLBACK: &str = "callback";
/// Characters of the name of a function: jQuery's have some 45.
pub const CALLBACK_CHARACTERS_MAX: usize = 128;

/// The name of a function: ASCII identifiers, joined by dots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Callback(String);

impl Callback {
    fn parse(text: &str) -> Option<Self> {
        let is_identifier = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
                && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$')
        };
        let fits = text.len() <= CALLBACK_CHARACTERS_MAX && text.split('.').all(is_identifier);
        fits.then(|| Self(text.to_owned()))
    }

    /// The script that calls it with an answer. The comment in front keeps whoever chooses the name from choosing
    /// how the file begins; two line ends of Unicode may stand in JSON, and in older scripts not.
    pub(crate) fn script(&self, json: &[u8]) -> String {
        let json = String::from_utf8_lossy(json);
        let json = json.replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029");
        format!("/**/{}({json});", self.0)
    }
}

/// Whether a request asks for a script: a GET of the reconciliation service that names a function.
pub(crate) fn is_asked(parts: &Parts) -> bool {
    asked(parts).is_some()
}

/// The function that a request names, if it asks for a script.
///
/// # Errors
/// When it is no name of a function.
pub(crate) fn callback(parts: &Parts) -> Result<Option<Callback>, ValidationErrors> {
    let Some(name) = asked(parts) else { return Ok(None) };
    let refused = || {
        let why = format!(
            "expected the name of a function, identifiers of letters, digits, _ and $ joined by dots, of at most \
             {CALLBACK_CHARACTERS_MAX} characters"
        );
        ValidationErrors(vec![ValidationError {
            place: ParameterLocation::Query,
            name: CALLBACK,
            position: None,
            reason: Reason::ValueError(why),
            input: Some(name.clone()),
        }])
    };
    Callback::parse(&name).map(Some).ok_or_else(refused)
}

fn asked(parts: &Parts) -> Option<String> {
    let route = Route::of(parts.uri.path());
    let is_of_own_page =
        parts.headers.get(FETCH_SITE).is_some_and(|site| site.as_bytes() == b"same-origin");
    let is_script = route.is_for_every_origin()
        && route.endpoint().is_some_and(|endpoint| matches!(endpoint.body, Body::Json(_)))
        && (parts.method == Method::GET || parts.method == Method::HEAD)
        && !is_of_own_page;
    let query = parts.uri.query().filter(|_| is_script)?;
    let names = form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == CALLBACK);
    names.last().map(|(_, value)| value.into_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_functions() {
        for good in ["f", "jQuery112404923875029384756_1638000000000", "a.b_1.$c", "_"] {
            let script = Callback::parse(good).unwrap().script(b"{\"a\":1}");
            assert_eq!(script, format!("/**/{good}({{\"a\":1}});"));
        }
        let long = "f".repeat(CALLBACK_CHARACTERS_MAX + 1);
        for bad in
            ["", ".", "a.", ".a", "a..b", "1a", "a-b", "a[0]", "a b", "é", "f(1)//", "a;b", &long]
        {
            assert_eq!(Callback::parse(bad), None, "{bad}");
        }
        assert!(Callback::parse(&long[1..]).is_some());
    }

    #[test]
    fn line_ends_of_unicode_are_escaped() {
        let script = Callback::parse("f").unwrap().script("\"a\u{2028}b\u{2029}\"".as_bytes());
        assert_eq!(script, "/**/f(\"a\\u2028b\\u2029\");");
    }

    #[test]
    fn who_asks_for_a_script() {
        for (method, target, site, expected) in [
            (Method::GET, "/reconcile?callback=f", "", Some("f")),
            (Method::HEAD, "/reconcile?callback=f", "", Some("f")),
            (
                Method::GET,
                "/reconcile/suggest/entity?callback=a&callback=f",
                "cross-site",
                Some("f"),
            ),
            (Method::GET, "/reconcile?callback=f", "same-origin", None),
            (Method::POST, "/reconcile?callback=f", "", None),
            (Method::GET, "/reconcile?callback=", "", None),
            (Method::GET, "/reconcile", "", None),
            (Method::GET, "/reconcile/preview/530196605?callback=f", "", None),
            (Method::GET, "/coverage?callback=f", "", None),
        ] {
            let request = hyper::Request::builder().method(method).uri(target);
            let request = request.header(FETCH_SITE, site).body(()).unwrap();
            assert_eq!(asked(&request.into_parts().0).as_deref(), expected, "{target}");
        }
    }
}
