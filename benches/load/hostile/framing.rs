//! Which requests HTTP/1.1 (RFC 9112) says there are in the bytes of a connection, told from them
//! alone: a server that answers more of them took for a request what is none.
//!
//! Where a message is broken, or says its length in two ways, nothing after it is a request: a
//! server may answer that one, and must not go on. A single line feed ends a line, as it may.

/// A request that is there, the last one perhaps broken or cut off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Framed {
    pub is_head: bool,
    pub target: Vec<u8>,
    /// The first `x-request-id`.
    pub id: Option<Vec<u8>>,
    /// Nothing is wrong with it, and all of it is there.
    pub is_whole: bool,
}

/// The requests of a connection that the client ends after these bytes.
pub fn requests(bytes: &[u8]) -> Vec<Framed> {
    let mut reader = Reader { bytes, at: 0 };
    let mut found = Vec::new();
    while reader.skip_empty_lines() {
        let mut framed = Framed::default();
        let next = reader.request(&mut framed);
        framed.is_whole = next.is_some();
        found.push(framed);
        if next != Some(Next::Request) {
            break;
        }
    }
    found
}

/// What follows a request that is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Request,
    /// The connection ends.
    End,
}

/// What the fields of a head say of what follows it.
#[derive(Debug, Default)]
struct Fields {
    lengths: Vec<Vec<u8>>,
    codings: Vec<Vec<u8>>,
    closes: bool,
    keeps: bool,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Passes empty lines, as a server should before a request; whether anything follows.
    fn skip_empty_lines(&mut self) -> bool {
        loop {
            match &self.bytes[self.at..] {
                [] => return false,
                [b'\n', ..] => self.at += 1,
                [b'\r', b'\n', ..] => self.at += 2,
                _ => return true,
            }
        }
    }

    /// The next line without its end; `None` if it has no end, or a carriage return within.
    fn line(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| *byte == b'\n')?;
        self.at += end + 1;
        let line = rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]);
        (!line.contains(&b'\r')).then_some(line)
    }

    /// Reads a request with its body; `None` if it is broken or not all there.
    fn request(&mut self, framed: &mut Framed) -> Option<Next> {
        let line = self.line();
        let mut words = line.unwrap_or(&self.bytes[self.at..]).split(|byte| *byte == b' ');
        let (method, target, version) = (words.next()?, words.next(), words.next());
        framed.is_head = method == b"HEAD";
        framed.target = target.unwrap_or_default().to_vec();
        line?;
        let is_old = match version {
            Some(b"HTTP/1.1") => false,
            Some(b"HTTP/1.0") => true,
            _ => return None,
        };
        let target = target.unwrap_or_default();
        let is_plain = target.iter().all(|byte| *byte > b' ' && *byte != 0x7f);
        if words.next().is_some() || !is_token(method) || target.is_empty() || !is_plain {
            return None;
        }
        let fields = self.fields(&mut framed.id)?;
        self.body(&fields, is_old)?;
        let two_lengths = !fields.lengths.is_empty() && !fields.codings.is_empty();
        let ends = fields.closes || two_lengths || (is_old && !fields.keeps);
        Some(if ends { Next::End } else { Next::Request })
    }

    /// Reads fields up to the empty line after them.
    fn fields(&mut self, id: &mut Option<Vec<u8>>) -> Option<Fields> {
        let mut fields = Fields::default();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                return Some(fields);
            }
            let colon = line.iter().position(|byte| *byte == b':')?;
            let (name, value) = (&line[..colon], trimmed(&line[colon + 1..]));
            // A line that goes on the one before begins with a blank, which is in no token.
            if !is_token(name) || !value.iter().all(is_of_field) {
                return None;
            }
            let lists = |word: &[u8]| items(value).any(|item| item.eq_ignore_ascii_case(word));
            match name.to_ascii_lowercase().as_slice() {
                b"content-length" => fields.lengths.push(value.to_vec()),
                b"transfer-encoding" => fields.codings.extend(items(value).map(<[u8]>::to_vec)),
                b"connection" => {
                    fields.closes |= lists(b"close");
                    fields.keeps |= lists(b"keep-alive");
                }
                b"x-request-id" => {
                    id.get_or_insert_with(|| value.to_vec());
                }
                _ => {}
            }
        }
    }

    /// Passes the body.
    fn body(&mut self, fields: &Fields, is_old: bool) -> Option<()> {
        if let Some(last) = fields.codings.last() {
            let is_framed = !is_old && last.eq_ignore_ascii_case(b"chunked");
            return if is_framed { self.chunks() } else { None };
        }
        let Some(first) = fields.lengths.first() else { return Some(()) };
        let is_one = fields.lengths.iter().all(|other| number(other, 10) == number(first, 10));
        let length = number(first, 10).filter(|_| is_one)?;
        self.pass(length)
    }

    /// Passes so many bytes, if they are there.
    fn pass(&mut self, count: u64) -> Option<()> {
        let left = (self.bytes.len() - self.at) as u64;
        self.at += usize::try_from(count).ok().filter(|_| count <= left)?;
        Some(())
    }

    /// Passes chunks and what may trail them.
    fn chunks(&mut self) -> Option<()> {
        loop {
            let line = self.strict_line()?;
            let size = line.split(|byte| *byte == b';').next()?;
            let size = number(trimmed(size), 16)?;
            if size == 0 {
                self.fields(&mut None)?;
                return Some(());
            }
            self.pass(size)?;
            if !self.strict_line()?.is_empty() {
                return None;
            }
        }
    }

    /// The next line, which must end in carriage return and line feed.
    fn strict_line(&mut self) -> Option<&'a [u8]> {
        let begin = self.at;
        let line = self.line()?;
        (self.at == begin + line.len() + 2).then_some(line)
    }
}

/// The items of a list, without blanks around them and without empty ones.
fn items(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| *byte == b',').map(trimmed).filter(|item| !item.is_empty())
}

/// Without blanks and tabs around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let begin = text.iter().take_while(|byte| is_blank(byte)).count();
    let end = text[begin..].iter().rev().take_while(|byte| is_blank(byte)).count();
    &text[begin..text.len() - end]
}

/// Digits only; `None` where there are none or too many for 64 bits.
fn number(text: &[u8], base: u32) -> Option<u64> {
    let digits = std::str::from_utf8(text).ok()?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_alphanumeric());
    u64::from_str_radix(digits, base).ok().filter(|_| plain)
}

fn is_token(text: &[u8]) -> bool {
    const MARKS: &[u8] = b"!#$%&'*+-.^_`|~";
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || MARKS.contains(byte);
    !text.is_empty() && text.iter().all(fits)
}

/// Whether a field's value may have it: no control character but the tab.
fn is_of_field(byte: &u8) -> bool {
    *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f)
}
