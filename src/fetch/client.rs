//! Asks for a file over HTTP/1.1, with TLS or plain, through a proxy where the environment names
//! one, and follows redirects. What the answer means, and what comes after its head, is for
//! `attempt`.

use std::time::Duration;

use http_body_util::Empty;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::{Request, Response};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client as Pooled;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioExecutor;

use super::address::Address;
use super::error::FileError;
use super::options::Timeouts;

/// How many redirects are followed: one to another host and one to another name are known.
const REDIRECTS_MAX: usize = 5;

/// Who asks.
const USER_AGENT: &str = concat!("almoner/", env!("CARGO_PKG_VERSION"));

type Body = Empty<Bytes>;

/// Connections to servers, kept for the next request where the server allows it.
pub(super) struct Client {
    direct: Pooled<HttpsConnector<HttpConnector>, Body>,
    /// The proxies of the environment: `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`.
    proxies: Matcher,
    timeouts: Timeouts,
}

impl Client {
    /// With the proxies given. Certificates are checked against the roots that the program has in it.
    pub(super) fn new(proxies: Matcher, timeouts: Timeouts) -> Self {
        let direct = Pooled::builder(TokioExecutor::new()).build(
            HttpsConnectorBuilder::new()
                .with_webpki_roots()
                .https_or_http()
                .enable_http1()
                .wrap_connector(sockets(timeouts.connect)),
        );
        Self { direct, proxies, timeouts }
    }

    /// The answer to a GET of `address`, or of where it leads; its body is yet to come.
    pub(super) async fn get(
        &self,
        address: &Address,
        headers: &HeaderMap,
    ) -> Result<Response<Incoming>, FileError> {
        let mut address = address.clone();
        for _ in 0..=REDIRECTS_MAX {
            let answer = self.ask(&address, headers).await?;
            if !matches!(answer.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
                return Ok(answer);
            }
            address = next(&address, answer.headers())?;
        }
        let why = format!("more than {REDIRECTS_MAX}, the last to {address}");
        Err(FileError::Redirect { why })
    }

    async fn ask(
        &self,
        address: &Address,
        headers: &HeaderMap,
    ) -> Result<Response<Incoming>, FileError> {
        let mut request = Request::new(Body::new());
        *request.uri_mut() = address.uri().clone();
        *request.headers_mut() = headers.clone();
        let fields = request.headers_mut();
        fields.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
        fields.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
        // Lengths and ranges count the bytes of the file only when it comes as it is.
        fields.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        // What is http goes to a mirror nearby, and is not sent through proxies.
        let proxy = if address.is_secure() { self.proxies.intercept(address.uri()) } else { None };
        let answer = match proxy {
            Some(proxy) => self.through(&proxy)?.request(request),
            None => self.direct.request(request),
        };
        let after = self.timeouts.head;
        match tokio::time::timeout(after, answer).await {
            Ok(answer) => answer.map_err(FileError::connection),
            Err(_) => Err(FileError::Timeout { what: "the head of the answer", after }),
        }
    }

    /// A client that asks a proxy to connect it: one a request, for a request is a whole file.
    fn through(
        &self,
        proxy: &Intercept,
    ) -> Result<Pooled<HttpsConnector<Tunnel<HttpConnector>>, Body>, FileError> {
        if proxy.uri().scheme_str() != Some("http") {
            return Err(FileError::Proxy { found: proxy.uri().to_string() });
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), sockets(self.timeouts.connect));
        if let Some(secret) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(secret.clone());
        }
        Ok(Pooled::builder(TokioExecutor::new()).build(
            HttpsConnectorBuilder::new()
                .with_webpki_roots()
                .https_only()
                .enable_http1()
                .wrap_connector(tunnel),
        ))
    }
}

fn sockets(connect: Duration) -> HttpConnector {
    let mut sockets = HttpConnector::new();
    sockets.set_connect_timeout(Some(connect));
    sockets.set_nodelay(true);
    // It is given https addresses too; TLS is laid over it.
    sockets.enforce_http(false);
    sockets
}

/// Where a redirect leads.
fn next(from: &Address, headers: &HeaderMap) -> Result<Address, FileError> {
    let location = headers.get(header::LOCATION).and_then(|value| value.to_str().ok());
    let Some(to) = location.and_then(|location| from.redirect(location)) else {
        let found = location.unwrap_or("nothing").chars().take(100).collect::<String>();
        return Err(FileError::Redirect { why: format!("expected an address, found {found:?}") });
    };
    if from.is_secure() && !to.is_secure() {
        let why = format!("from https to {to}, which anyone on the way could change");
        return Err(FileError::Redirect { why });
    }
    Ok(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_never_lead_from_https_to_http() {
        for (from, location, follows) in [
            ("https://a.example/b", "https://c.example/d", true),
            ("https://a.example/b", "/d", true),
            ("https://a.example/b", "http://a.example/b", false),
            ("http://a.example/b", "http://c.example/d", true),
            ("http://a.example/b", "https://c.example/d", true),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::LOCATION, location.parse().unwrap());
            let found = next(&Address::parse(from).unwrap(), &headers);
            assert_eq!(found.is_ok(), follows, "{from} to {location}");
        }
    }
}
