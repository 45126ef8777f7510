//! Bodies in fewer bytes: gzip and Brotli, as the client takes them.

use std::io::{self, Write as _};
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use hyper::HeaderMap;
use hyper::body::Bytes;
use hyper::header::{self, HeaderName, HeaderValue};

use super::negotiation::preference;

/// Shorter bodies are sent as they are.
const BODY_BYTES_MIN: usize = 1024;
/// Effort for a body that is made for one request, and for one that is sent to everybody. Brotli at 1
/// takes a third of the time of 4 for a body that is a tenth longer.
const GZIP_ONCE: u32 = 5;
const GZIP_KEPT: u32 = 9;
const BROTLI_ONCE: i32 = 1;
const BROTLI_KEPT: i32 = 9;
/// Bits of Brotli's window, 4 MiB: what its format recommends.
const BROTLI_WINDOW: i32 = 22;
/// Bytes that Brotli's writer buffers.
const BUFFER_BYTES: usize = 4096;

/// How a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Gzip,
    Brotli,
}

/// For how many requests a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    Once,
    Kept,
}

impl Encoding {
    /// The encoding that a client likes best, Brotli of equals; `None` where it names neither.
    pub(crate) fn accepted(headers: &HeaderMap) -> Option<Self> {
        let preference = preference(headers, header::ACCEPT_ENCODING);
        let weight = |name: &str| {
            let names = || preference.names.iter();
            let found =
                names().find(|(one, _)| one == name).or(names().find(|(one, _)| one == "*"));
            found.map_or(0, |(_, weight)| *weight)
        };
        match (weight("br"), weight("gzip")) {
            (0, 0) => None,
            (brotli, gzip) if brotli >= gzip => Some(Self::Brotli),
            _ => Some(Self::Gzip),
        }
    }

    /// As `Content-Encoding` names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Brotli => "br",
        }
    }

    fn encode(self, body: &[u8], effort: Effort) -> io::Result<Bytes> {
        let room = Vec::with_capacity(body.len() / 4);
        Ok(match self {
            Self::Gzip => {
                let level = if effort == Effort::Once { GZIP_ONCE } else { GZIP_KEPT };
                let mut encoder = GzEncoder::new(room, Compression::new(level));
                encoder.write_all(body)?;
                encoder.finish()?
            }
            Self::Brotli => {
                let quality = if effort == Effort::Once { BROTLI_ONCE } else { BROTLI_KEPT };
                let params = brotli::enc::BrotliEncoderParams {
                    quality,
                    lgwin: BROTLI_WINDOW,
                    size_hint: body.len(),
                    ..Default::default()
                };
                let mut encoder =
                    brotli::CompressorWriter::with_params(room, BUFFER_BYTES, &params);
                encoder.write_all(body)?;
                encoder.into_inner()
            }
        }
        .into())
    }
}

/// The headers of a body that was, or might have been, encoded.
pub(crate) fn headers(
    encoding: Option<Encoding>,
) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
    let vary = (header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let named = encoding
        .map(|encoding| (header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name())));
    std::iter::once(vary).chain(named)
}

/// A body in the encoding that the client of a request with these headers takes, and which that is.
pub(crate) fn encoded(body: Bytes, headers: &HeaderMap) -> (Bytes, Option<Encoding>) {
    if body.len() < BODY_BYTES_MIN {
        return (body, None);
    }
    let encoding = Encoding::accepted(headers);
    match encoding.map(|encoding| encoding.encode(&body, Effort::Once)) {
        Some(Ok(smaller)) if smaller.len() < body.len() => (smaller, encoding),
        _ => (body, None),
    }
}

/// Encodes what is written to it on its way.
pub(crate) enum EncodingWriter<W: io::Write> {
    Plain(W),
    Gzip(Box<GzEncoder<W>>),
    Brotli(Box<brotli::CompressorWriter<W>>),
}

impl<W: io::Write> EncodingWriter<W> {
    pub(crate) fn new(encoding: Option<Encoding>, out: W) -> Self {
        match encoding {
            None => Self::Plain(out),
            Some(Encoding::Gzip) => {
                Self::Gzip(Box::new(GzEncoder::new(out, Compression::new(GZIP_ONCE))))
            }
            Some(Encoding::Brotli) => {
                let params = brotli::enc::BrotliEncoderParams {
                    quality: BROTLI_ONCE,
                    lgwin: BROTLI_WINDOW,
                    ..Default::default()
                };
                let writer = brotli::CompressorWriter::with_params(out, BUFFER_BYTES, &params);
                Self::Brotli(Box::new(writer))
            }
        }
    }

    /// Writes what is left, and gives what it was written to. What Brotli cannot write is an error of the next write.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(out) => Ok(out),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Brotli(encoder) => Ok(encoder.into_inner()),
        }
    }
}

impl<W: io::Write> io::Write for EncodingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Brotli(encoder) => encoder.write(bytes),
        }
    }

    /// Nothing is sent earlier for it: each flush costs bytes.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A body that is the same for everybody, encoded once.
#[derive(Debug)]
pub(crate) struct SharedBody {
    plain: Bytes,
    gzip: OnceLock<Bytes>,
    brotli: OnceLock<Bytes>,
}

impl SharedBody {
    pub(crate) fn new(plain: impl Into<Bytes>) -> Self {
        Self { plain: plain.into(), gzip: OnceLock::new(), brotli: OnceLock::new() }
    }

    /// In the encoding that the client of a request takes, and which that is.
    pub(crate) fn encoded(&self, accepted: Option<Encoding>) -> (Bytes, Option<Encoding>) {
        let Some(encoding) = accepted.filter(|_| self.plain.len() >= BODY_BYTES_MIN) else {
            return (self.plain.clone(), None);
        };
        let kept = match encoding {
            Encoding::Gzip => &self.gzip,
            Encoding::Brotli => &self.brotli,
        };
        let encode = || encoding.encode(&self.plain, Effort::Kept).unwrap_or_default();
        match kept.get_or_init(encode) {
            // What cannot be encoded is sent plain.
            failed if failed.is_empty() => (self.plain.clone(), None),
            body => (body.clone(), Some(encoding)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn decoded(body: &Bytes, encoding: Option<Encoding>) -> Vec<u8> {
        let mut plain = Vec::new();
        match encoding {
            None => plain.extend_from_slice(body),
            Some(Encoding::Gzip) => {
                flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut plain).map(drop).unwrap();
            }
            Some(Encoding::Brotli) => {
                brotli::Decompressor::new(&body[..], BUFFER_BYTES)
                    .read_to_end(&mut plain)
                    .map(drop)
                    .unwrap();
            }
        }
        plain
    }

    #[test]
    fn the_best_liked_encoding_is_taken() {
        for (sent, encoding) in [
            ("gzip, deflate, br", Some(Encoding::Brotli)),
            ("gzip;q=1, br;q=0.5", Some(Encoding::Gzip)),
            ("gzip", Some(Encoding::Gzip)),
            ("*", Some(Encoding::Brotli)),
            ("*;q=0.5, br;q=0", Some(Encoding::Gzip)),
            ("br;q=0, gzip;q=0", None),
            ("identity", None),
            ("zstd", None),
            ("", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, sent.parse().unwrap());
            assert_eq!(Encoding::accepted(&headers), encoding, "{sent}");
        }
        assert_eq!(Encoding::accepted(&HeaderMap::new()), None);
    }

    #[test]
    fn bodies_are_decoded_to_what_they_were() {
        let long = Bytes::from("0123456789 abc ".repeat(400));
        let short = Bytes::from("0123456789");
        let noise: Bytes = std::iter::repeat_with(|| fastrand::u8(..)).take(4096).collect();
        for accepted in [None, Some(Encoding::Gzip), Some(Encoding::Brotli)] {
            let mut headers = HeaderMap::new();
            headers.extend(
                accepted.map(|one| (header::ACCEPT_ENCODING, HeaderValue::from_static(one.name()))),
            );
            for (body, is_encoded) in
                [(&long, accepted.is_some()), (&short, false), (&noise, false)]
            {
                let (sent, encoding) = encoded(body.clone(), &headers);
                assert_eq!(encoding.is_some(), is_encoded);
                assert_eq!(decoded(&sent, encoding), *body);
            }
            let shared = SharedBody::new(long.clone());
            let (sent, encoding) = shared.encoded(accepted);
            assert_eq!((decoded(&sent, encoding), encoding), (long.to_vec(), accepted));
        }
    }
}
