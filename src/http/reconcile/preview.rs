//! `GET /reconcile/preview/{ein}`: a small card of a nonprofit, for a frame within the page of a client.
//!
//! Of all pages this one alone may stand in a frame. It has no script, and the policy that it is sent with
//! lets none run.

use std::fmt::Write as _;
use std::sync::LazyLock;

use data_encoding::BASE64;
use hyper::header::{self, HeaderValue};
use sha2::{Digest, Sha256};

use super::entity::{EntityType, place};
use crate::http::interface::api_error::ApiError;
use crate::http::interface::declared::OfNonprofit;
use crate::http::interface::endpoint::{Body, Context, Endpoint, Media, Reply, UNKNOWN_EIN};
use crate::http::interface::markup::escaped;
use crate::record::{Organization, thousands};
use crate::taxonomy;

/// Characters of a summary that are shown.
const SUMMARY_CHARACTERS_MAX: usize = 200;

const STYLE: &str = "body{font:14px/1.4 sans-serif;margin:8px;color:#222;background:#fff}\
    h1{font-size:16px;margin:0 0 4px}p{margin:0 0 4px}.warning{color:#a00}";

/// What the card may do: have its one style, and open its link elsewhere.
static POLICY: LazyLock<Option<HeaderValue>> = LazyLock::new(|| {
    let style = BASE64.encode(&Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; \
         frame-ancestors *; sandbox allow-popups allow-popups-to-escape-sandbox"
    );
    HeaderValue::try_from(policy).ok()
});

/// The endpoint: one lookup and one record.
pub(in crate::http) static PREVIEW: Endpoint = Endpoint {
    tag: "Reconciliation",
    summary: "Card of one nonprofit, for a frame",
    body: Body::Html,
    not_found: Some(UNKNOWN_EIN),
    ..Endpoint::json::<()>("/reconcile/preview/{ein}", OfNonprofit::DECLARED, answer)
};

fn answer(context: &Context<'_>) -> Result<Reply, ApiError> {
    let asked = OfNonprofit::read(&context.input)?;
    let found = context.nonprofit(asked.ein)?;
    let policy = POLICY.clone().ok_or_else(|| ApiError::Panic("no policy of a card".to_owned()))?;
    let headers = vec![
        // The address may hold a key.
        (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok(Reply { body: card(&found).into(), media: Media::Html, plan: None, position: None, headers })
}

fn card(found: &Organization) -> String {
    let name = escaped(&found.name);
    let mut html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>{name}</title>\
         <style>{STYLE}</style><h1>{name}</h1>"
    );
    let ein = found.ein.as_str();
    let mut line = |class: &str, text: &str| {
        if !text.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(html, "<p{class}>{}</p>", escaped(text));
        }
    };
    let own_place = place(found);
    let parts = [format!("EIN {}-{}", &ein[..2], &ein[2..]), own_place];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    line("", &parts.join(" · "));
    let cause = found.ntee.and_then(taxonomy::title);
    let kind = EntityType::of(found).first().map(|kind| kind.name);
    line("", &kind.into_iter().chain(cause).collect::<Vec<_>>().join(" · "));
    if found.exemption.is_inactive() == Some(true) {
        line(" class=\"warning\"", "Its exemption is revoked");
    }
    if let Some(revenue) = found.finances.revenue.map(|usd| usd.dollars()) {
        let sign = if revenue < 0 { "−" } else { "" };
        let year = found.finances.tax_period.map(|period| format!(" ({})", period.year()));
        let amount = thousands(revenue.unsigned_abs());
        line("", &format!("Revenue {sign}${amount}{}", year.unwrap_or_default()));
    }
    line("", &shortened(found.summary.as_deref().unwrap_or_default()));
    let _ = write!(
        html,
        "<p><a href=\"/#/nonprofit/{ein}\" target=\"_blank\" rel=\"noopener noreferrer\">Profile</a></p>"
    );
    html
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(SUMMARY_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ein;

    #[test]
    fn a_card_escapes_what_records_say() {
        let ein = Ein::from_typed("990000001").unwrap();
        let mut found = Organization::named(ein, "<script>alert(1)</script> & \"Sons\"");
        found.summary = Some(format!("<img src=x>{}", "é".repeat(300)));
        let html = card(&found);
        assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
        assert!(html.contains("&lt;script&gt;") && html.contains("é…"), "{html}");
        assert!(html.contains("EIN 99-0000001"), "{html}");
        assert!(POLICY.is_some());
    }
}
