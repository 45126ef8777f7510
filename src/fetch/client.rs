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
use super::error::{FetchError, FileError};
use super::options::Options;

/// How many redirects are followed: one to another host and one to another name are known.
const REDIRECTS_MAX: usize = 5;

/// Who asks.
const USER_AGENT: &str = concat!("almoner/", env!("CARGO_PKG_VERSION"));

type Connections<C> = Pooled<HttpsConnector<C>, Empty<Bytes>>;

/// Connections to servers, kept for the next request where the server allows it.
pub(super) struct Client {
    direct: Connections<HttpConnector>,
    /// The proxies of the environment: `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`.
    proxies: Matcher,
    connect_timeout: Duration,
    head_timeout: Duration,
}

impl Client {
    /// With the proxies given. Certificates are checked against the roots that the program has in it.
    pub(super) fn new(proxies: Matcher, options: &Options) -> Self {
        let Options { connect_timeout, head_timeout, .. } = *options;
        let connector = HttpsConnectorBuilder::new()
            .with_webpki_roots()
            .https_or_http()
            .enable_http1()
            .wrap_connector(sockets(connect_timeout));
        let direct = Pooled::builder(TokioExecutor::new()).build(connector);
        Self { direct, proxies, connect_timeout, head_timeout }
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
        Err(not_followed(format!("more than {REDIRECTS_MAX}, the last to {address}")))
    }

    async fn ask(
        &self,
        address: &Address,
        headers: &HeaderMap,
    ) -> Result<Response<Incoming>, FileError> {
        let mut request = Request::new(Empty::new());
        *request.uri_mut() = address.uri().clone();
        *request.headers_mut() = headers.clone();
        let fields = request.headers_mut();
        fields.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
        fields.insert(header::ACCEPT, HeaderValue::from_static("*/*"));
        // Lengths and ranges count the bytes of the file only when it comes as it is.
        fields.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        // What is http goes to a mirror nearby, and is not sent through proxies.
        let proxy = self.proxies.intercept(address.uri()).filter(|_| address.is_secure());
        let answer = match proxy {
            Some(proxy) => self.through(&proxy)?.request(request),
            None => self.direct.request(request),
        };
        let after = self.head_timeout;
        match tokio::time::timeout(after, answer).await {
            Ok(answer) => answer.map_err(FileError::connection),
            Err(_) => Err(FileError::Timeout { what: "the head of the answer", after }),
        }
    }

    /// A client that asks a proxy to connect it: one a request, for a request is a whole file.
    fn through(&self, proxy: &Intercept) -> Result<Connections<Tunnel<HttpConnector>>, FetchError> {
        if proxy.uri().scheme_str() != Some("http") {
            return Err(FetchError::Proxy { found: proxy.uri().to_string() });
        }
        let mut tunnel = Tunnel::new(proxy.uri().clone(), sockets(self.connect_timeout));
        if let Some(secret) = proxy.basic_auth() {
            tunnel = tunnel.with_auth(secret.clone());
        }
        let connector = HttpsConnectorBuilder::new()
            .with_webpki_roots()
            .https_only()
            .enable_http1()
            .wrap_connector(tunnel);
        Ok(Pooled::builder(TokioExecutor::new()).build(connector))
    }
}

fn sockets(connect_timeout: Duration) -> HttpConnector {
    let mut sockets = HttpConnector::new();
    sockets.set_connect_timeout(Some(connect_timeout));
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
        return Err(not_followed(format!("expected an address, found {found:?}")));
    };
    if from.is_secure() && !to.is_secure() {
        let why = format!("from https to {to}, which anyone on the way could change");
        return Err(not_followed(why));
    }
    Ok(to)
}

fn not_followed(why: String) -> FileError {
    FileError::Answer(format!("a redirect that is not followed: {why}"))
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
