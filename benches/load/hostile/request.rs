//! A request as it is sent, the statuses that may answer it, and what of the server it is made from.

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
}

impl Expected {
    pub fn allows(self, status: u16) -> bool {
        match self {
            Self::Any => matches!(status, 200 | 401 | 404 | 405 | 414 | 422 | 431),
            Self::One(one) => status == one,
            Self::Found => matches!(status, 200 | 404),
            Self::Read => matches!(status, 200 | 404 | 422),
        }
    }
}

/// A request.
#[derive(Debug)]
pub struct Request {
    /// What it is counted as.
    pub kind: &'static str,
    pub method: &'static str,
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
            method: "GET",
            target,
            fields: fields.into_bytes(),
            body: Vec::new(),
            id: Some(id.to_owned()),
            expected: Expected::Any,
            may_end: false,
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let line = format!("{} {} HTTP/1.1\r\nHost: x\r\n", self.method, self.target);
        [line.as_bytes(), &self.fields, b"\r\n", &self.body].concat()
    }
}
