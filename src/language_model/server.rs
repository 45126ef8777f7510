//! A model behind a server of the operator's with the interface of OpenAI's chat completions (llama.cpp, vLLM and others
//! have it).
//!
//! Each text is one request over a connection of its own, on a thread that ends with it: the caller may be any thread. No
//! redirect is followed, no proxy used.

use std::io;
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use hyper::{Request, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};

use super::{ACTS_MAX, Failure, Form, Prompt};
use crate::reader::DialogueAct;

/// The longest body that is read: a few sentences, and what servers report about themselves.
pub const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// Tokens of a list of acts.
const LIST_TOKENS_MAX: usize = 64;
/// How long the server may take to answer when it is asked whether it is there.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// What stands before `/chat/completions`: `https://host/v1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress(Uri);

/// A text that is no address of a server.
#[derive(Debug, thiserror::Error)]
#[error(
    "expected http:// or https://, a host and perhaps a path, such as http://127.0.0.1:8081/v1, without a name, a \
     password or a query (a key goes into ALMONER_LANGUAGE_MODEL_KEY)"
)]
pub struct AddressError;

impl FromStr for ServerAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let uri: Uri = text.trim_end_matches('/').parse().map_err(|_| AddressError)?;
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@'));
        let is_web = matches!(uri.scheme_str(), Some("http" | "https"));
        if !is_web || authority.is_none() || uri.query().is_some() || text.contains('#') {
            return Err(AddressError);
        }
        Ok(Self(uri))
    }
}

impl ServerAddress {
    /// Host and port.
    pub(super) fn host(&self) -> &str {
        self.0.authority().map_or("", |authority| authority.as_str())
    }

    /// Something below the path, which is `/v1` where there is none.
    fn below(&self, path: &str) -> String {
        let root = if self.0.path() == "/" { "v1" } else { "" };
        format!("{}{root}/{path}", self.0)
    }
}

/// A server, and how it is asked.
pub(super) struct Server {
    address: ServerAddress,
    model: String,
    authorization: Option<HeaderValue>,
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
}

impl Server {
    /// One that is asked for a model by its name; the key is sent as a bearer's. `None` of a key that no header can hold.
    pub(super) fn new(address: ServerAddress, model: String, key: Option<&str>) -> Option<Self> {
        let authorization = key.map(|key| HeaderValue::try_from(format!("Bearer {key}")));
        let mut authorization = authorization.transpose().ok()?;
        authorization.iter_mut().for_each(|value| value.set_sensitive(true));
        let connector =
            HttpsConnectorBuilder::new().with_webpki_roots().https_or_http().enable_http1().build();
        let client =
            Client::builder(TokioExecutor::new()).pool_max_idle_per_host(0).build(connector);
        Some(Self { address, model, authorization, client })
    }

    /// Asks whether the server is there, whatever it answers.
    pub(super) fn probe(&self) -> Result<(), Failure> {
        let request = Request::get(self.address.below("models")).body(Full::default());
        self.ask(request, Instant::now() + PROBE_TIMEOUT).map(|_| ())
    }

    /// What the model answers to a prompt: any text at all.
    pub(super) fn write(
        &self,
        prompt: &Prompt,
        form: &Form<'_>,
        until: Instant,
    ) -> Result<String, Failure> {
        let body = self.body(prompt, form).to_string();
        let request = Request::post(self.address.below("chat/completions"))
            .header(CONTENT_TYPE, "application/json")
            .body(Full::from(body));
        let answer = self.ask(request, until)?;
        let read: Value = serde_json::from_slice(&answer).map_err(|_| Failure::Nonsense)?;
        let content = read.pointer("/choices/0/message/content").and_then(Value::as_str);
        content.map(str::to_owned).ok_or(Failure::Nonsense)
    }

    fn body(&self, prompt: &Prompt, form: &Form<'_>) -> Value {
        let tokens_max = match form {
            Form::List(_) => LIST_TOKENS_MAX,
            // Few tokens are one byte.
            Form::Line { bytes_max } => *bytes_max,
        };
        let mut body = json!({
            "model": self.model,
            "messages": [{"role": "user", "content": format!("{}{}", prompt.fixed, prompt.rest)}],
            "temperature": 0,
            "max_tokens": tokens_max,
        });
        if let Form::List(_) = form {
            body["response_format"] = json!({
                "type": "json_schema",
                "json_schema": {"name": "acts", "strict": true, "schema": {
                    "type": "object",
                    "properties": {"acts": {
                        "type": "array",
                        "items": {"enum": DialogueAct::predicted().to_vec()},
                        "minItems": 1,
                        "maxItems": ACTS_MAX,
                    }},
                    "required": ["acts"],
                    "additionalProperties": false,
                }},
            });
        }
        body
    }

    /// The body of an answer to a request.
    fn ask(
        &self,
        request: Result<Request<Full<Bytes>>, hyper::http::Error>,
        until: Instant,
    ) -> Result<Vec<u8>, Failure> {
        let mut request = request.map_err(|cause| Failure::Engine(cause.to_string()))?;
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization.clone());
        }
        let work = async {
            let answer = tokio::time::timeout_at(until.into(), self.exchange(request)).await;
            answer.unwrap_or(Err(Failure::Late))
        };
        // A thread that runs a server already may not wait for another one.
        thread::scope(|scope| {
            let asking = thread::Builder::new().name("language-model".to_owned());
            let asking = asking.spawn_scoped(scope, || {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
                let answer = runtime.block_on(work);
                // A name that is still being looked up is not waited for.
                runtime.shutdown_background();
                io::Result::Ok(answer)
            });
            let answer = asking.map_err(|cause| Failure::Engine(cause.to_string()))?.join();
            match answer {
                Ok(Ok(answer)) => answer,
                Ok(Err(cause)) => Err(Failure::Engine(cause.to_string())),
                Err(_) => Err(Failure::Engine("the client panicked".to_owned())),
            }
        })
    }

    async fn exchange(&self, request: Request<Full<Bytes>>) -> Result<Vec<u8>, Failure> {
        let is_probe = request.method() == hyper::Method::GET;
        let refused =
            |cause: String| Failure::Server { host: self.address.host().to_owned(), cause };
        let answer = self.client.request(request).await.map_err(|cause| refused(text(&cause)))?;
        if is_probe {
            return Ok(Vec::new());
        }
        if !answer.status().is_success() {
            return Err(refused(format!("status {}", answer.status().as_u16())));
        }
        let body = Limited::new(answer.into_body(), ANSWER_BYTES_MAX).collect().await;
        Ok(body.map_err(|cause| refused(text(&*cause)))?.to_bytes().to_vec())
    }
}

/// An error with its causes.
fn text(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_no_secrets() {
        for (text, expected) in [
            ("http://127.0.0.1:8081", Some("http://127.0.0.1:8081/v1/models")),
            ("http://127.0.0.1:8081/", Some("http://127.0.0.1:8081/v1/models")),
            ("https://models.example/v1/", Some("https://models.example/v1/models")),
            ("https://models.example/a/b", Some("https://models.example/a/b/models")),
            ("https://me:secret@models.example/v1", None),
            ("https://models.example/v1?key=secret", None),
            ("https://models.example/v1#a", None),
            ("ftp://models.example", None),
            ("https://", None),
            ("models.example", None),
        ] {
            let found = text.parse::<ServerAddress>().ok().map(|address| address.below("models"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
