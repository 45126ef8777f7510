//! A hostile request, and what it may be answered with.

use super::interface::Endpoint;

/// What the server holds, as far as it is asked for.
#[derive(Debug)]
pub struct World {
    pub endpoints: Vec<Endpoint>,
    pub eins: Vec<String>,
    pub key: String,
}

/// Statuses that a request may be answered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Whatever the interface knows.
    Any,
    One(u16),
    /// What there is, or that there is none.
    Found,
    /// The same, or that the parameters are wrong.
    Read,
    /// What a message of the Model Context Protocol may be answered with.
    Frame,
}

impl Expected {
    pub fn allows(self, status: u16) -> bool {
        match self {
            Self::Any => matches!(status, 200 | 401 | 404 | 405 | 414 | 422 | 431),
            Self::One(one) => status == one,
            Self::Found => matches!(status, 200 | 404),
            Self::Read => matches!(status, 200 | 404 | 422),
            Self::Frame => matches!(status, 200 | 202 | 400),
        }
    }
}

/// A request.
#[derive(Debug)]
pub struct Request {
    /// What it is counted as.
    pub kind: &'static str,
    pub method: String,
    pub target: String,
    /// Lines of its head after `Host`, each with its end.
    pub fields: Vec<u8>,
    pub body: Vec<u8>,
    /// What the answer must say again.
    pub id: Option<String>,
    pub expected: Expected,
    /// The connection may end after it.
    pub may_end: bool,
}

impl Request {
    /// One with a valid key and an identifier.
    pub fn new(kind: &'static str, target: String, world: &World, id: &str) -> Self {
        let fields = format!("X-API-Key: {}\r\nX-Request-Id: {id}\r\n", world.key);
        Self {
            kind,
            method: "GET".to_owned(),
            target,
            fields: fields.into_bytes(),
            body: Vec::new(),
            id: Some(id.to_owned()),
            expected: Expected::Any,
            may_end: false,
        }
    }

    /// One with a body and further lines of its head.
    pub fn post(
        kind: &'static str,
        target: &str,
        world: &World,
        id: &str,
        head: &str,
        body: Vec<u8>,
    ) -> Self {
        let mut request = Self::new(kind, target.to_owned(), world, id);
        request.method = "POST".to_owned();
        request.fields.extend(head.as_bytes());
        request.body = body;
        request
    }
}
