//! The objects of a PDF by their numbers, and its pages.
//!
//! The cross-reference table is not used: it is wrong in many files, and a crafted one has readers parse one object a
//! million times. Instead the file is gone through once, from its beginning to its end, for whatever says `obj`; of one
//! number the last counts, as in files that were saved again and again. Objects are parsed when they are asked for.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use memchr::memmem;

use super::super::ReportError;
use super::super::budget::Budget;
use super::filter;
use super::object::{Dict, Lexer, Object, is_blank};

/// The longest object, streams left out: the tables of the widest fonts have some 100 KiB.
const OBJECT_BYTES_MAX: usize = 1 << 20;

/// Objects that a file may have: what a million pages would need.
const OBJECTS_MAX: usize = 4_000_000;

/// How deep the tree of pages is followed.
const TREE_DEPTH_MAX: usize = 32;

/// References that lead to a reference.
const REFERENCES_MAX: usize = 8;

/// Where an object is.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// In the file; what follows `obj`.
    File { at: usize, stream: Option<(usize, usize)> },
    /// Among those of an object stream.
    Packed { container: u32, at: usize },
}

/// A stream as it is in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Stream {
    pub(super) dict: Dict,
    range: (usize, usize),
}

/// A page: its dictionary with what it inherits.
#[derive(Debug, Default)]
pub(super) struct PageObject {
    pub(super) dict: Dict,
    pub(super) resources: Rc<Dict>,
    /// Degrees, clockwise.
    pub(super) rotate: i32,
}

/// A PDF.
pub(super) struct File<'a> {
    bytes: &'a [u8],
    places: HashMap<u32, Place>,
    /// Object streams, unpacked.
    packed: HashMap<u32, Vec<u8>>,
    root: Option<u32>,
}

impl<'a> File<'a> {
    /// Finds the objects of a file.
    pub(super) fn open(bytes: &'a [u8], budget: &mut Budget) -> Result<Self, ReportError> {
        let mut file = Self { bytes, places: HashMap::new(), packed: HashMap::new(), root: None };
        let mut at = 0;
        // No number begins an object twice where they are dense.
        while let Some((begins, number)) = next_object(bytes, at) {
            budget.spend(begins - at)?;
            at = file.take(begins, number, budget)?;
            if file.places.len() > OBJECTS_MAX {
                return Err(damaged(format!("more than {OBJECTS_MAX} objects")));
            }
        }
        file.take_trailers(budget)?;
        Ok(file)
    }

    /// Notes the object that begins at a position; says where what follows it begins.
    fn take(
        &mut self,
        begins: usize,
        number: u32,
        budget: &mut Budget,
    ) -> Result<usize, ReportError> {
        let end = self.bytes.len().min(begins + OBJECT_BYTES_MAX);
        let mut lexer = Lexer::new(&self.bytes[..end], begins);
        let object = lexer.next().unwrap_or_default();
        budget.spend(lexer.at - begins)?;
        let (mut after, mut stream) = (lexer.at, None);
        if let Object::Dict(dict) = &object {
            lexer.skip_blanks();
            if self.bytes[lexer.at..].starts_with(b"stream") {
                let range = self.stream_range(lexer.at + b"stream".len(), dict);
                budget.spend(range.1 - range.0)?;
                (after, stream) = (range.1, Some(range));
            }
            if dict.is_of("Type", "Catalog") {
                self.root.get_or_insert(number);
            }
            if dict.is_of("Type", "XRef") {
                self.take_trailer(dict)?;
            }
        }
        self.places.insert(number, Place::File { at: begins, stream });
        if let (Object::Dict(dict), Some(range)) = (object, stream)
            && dict.is_of("Type", "ObjStm")
        {
            self.take_packed(number, Stream { dict, range }, budget)?;
        }
        Ok(after.max(begins))
    }

    /// The bytes of a stream: as many as it says, where it then ends; else up to its end.
    fn stream_range(&self, keyword_end: usize, dict: &Dict) -> (usize, usize) {
        let bytes = self.bytes;
        let mut start = keyword_end;
        start += usize::from(bytes.get(start) == Some(&b'\r'));
        start += usize::from(bytes.get(start) == Some(&b'\n'));
        let start = start.min(bytes.len());
        let said = dict.get("Length").and_then(Object::count);
        let said = said.and_then(|length| start.checked_add(length)).filter(|end| {
            let Some(rest) = bytes.get(*end..) else { return false };
            let blanks = rest.iter().take(4).take_while(|byte| is_blank(**byte)).count();
            rest[blanks..].starts_with(b"endstream")
        });
        let end = said.unwrap_or_else(|| {
            let found = memmem::find(&bytes[start..], b"endstream");
            found.map_or(bytes.len(), |length| start + length)
        });
        (start, end)
    }

    /// Notes the objects of an object stream (7.5.7).
    fn take_packed(
        &mut self,
        container: u32,
        stream: Stream,
        budget: &mut Budget,
    ) -> Result<(), ReportError> {
        let Some(bytes) = self.unpack(&stream, budget)? else { return Ok(()) };
        let count = stream.dict.get("N").and_then(Object::count).unwrap_or_default();
        let first = stream.dict.get("First").and_then(Object::count).unwrap_or_default();
        let mut header = Lexer::new(&bytes, 0);
        for _ in 0..count.min(bytes.len()) {
            let number = header.next().and_then(|number| number.count());
            let at = header.next().and_then(|at| at.count());
            let (Some(number), Some(at)) = (number, at) else { break };
            if let (Ok(number), Some(at)) = (u32::try_from(number), first.checked_add(at)) {
                self.places.insert(number, Place::Packed { container, at });
            }
        }
        self.packed.insert(container, bytes);
        Ok(())
    }

    /// Takes the trailers that stand in the file as such.
    fn take_trailers(&mut self, budget: &mut Budget) -> Result<(), ReportError> {
        for at in memmem::find_iter(self.bytes, b"trailer") {
            let end = self.bytes.len().min(at + OBJECT_BYTES_MAX);
            let mut lexer = Lexer::new(&self.bytes[..end], at + b"trailer".len());
            let object = lexer.next();
            budget.spend(lexer.at - at)?;
            if let Some(Object::Dict(dict)) = object {
                self.take_trailer(&dict)?;
            }
        }
        Ok(())
    }

    fn take_trailer(&mut self, dict: &Dict) -> Result<(), ReportError> {
        if dict.get("Encrypt").is_some_and(|encrypt| *encrypt != Object::Null) {
            return Err(ReportError::Encrypted);
        }
        if let Some(Object::Reference(root)) = dict.get("Root") {
            self.root = Some(*root);
        }
        Ok(())
    }

    /// The object of a number and, where it is a stream, which; null where there is none.
    fn object(
        &self,
        number: u32,
        budget: &mut Budget,
    ) -> Result<(Object, Option<(usize, usize)>), ReportError> {
        let (bytes, at, stream) = match self.places.get(&number) {
            None => return Ok((Object::Null, None)),
            Some(Place::File { at, stream }) => (self.bytes, *at, *stream),
            Some(Place::Packed { container, at }) => {
                (self.packed.get(container).map_or(&[][..], Vec::as_slice), *at, None)
            }
        };
        let end = bytes.len().min(at.saturating_add(OBJECT_BYTES_MAX));
        let mut lexer = Lexer::new(&bytes[..end], at);
        let start = lexer.at;
        let object = lexer.next().unwrap_or_default();
        budget.spend(lexer.at - start + 1)?;
        // `12 0 R` may itself be what an object is.
        if let Object::Number(number) = object {
            let mut rest = lexer.clone();
            let is_reference = rest.next().is_some_and(|object| object.count().is_some())
                && rest.next() == Some(Object::Keyword(b"R".to_vec()));
            if is_reference {
                return Ok((Object::Reference(number as u32), None));
            }
        }
        Ok((object, stream))
    }

    /// An object, or the one that a reference leads to.
    pub(super) fn resolve(
        &self,
        object: &Object,
        budget: &mut Budget,
    ) -> Result<Object, ReportError> {
        budget.spend(object.weight())?;
        let mut found = object.clone();
        for _ in 0..REFERENCES_MAX {
            let Object::Reference(number) = found else { return Ok(found) };
            found = self.object(number, budget)?.0;
        }
        Ok(Object::Null)
    }

    /// The value of a key, references followed; null where there is none.
    pub(super) fn value(
        &self,
        dict: &Dict,
        key: &str,
        budget: &mut Budget,
    ) -> Result<Object, ReportError> {
        budget.spend(dict.len())?;
        match dict.get(key) {
            Some(object) => self.resolve(object, budget),
            None => Ok(Object::Null),
        }
    }

    /// The dictionary that a key leads to; an empty one where there is none.
    pub(super) fn dict(
        &self,
        dict: &Dict,
        key: &str,
        budget: &mut Budget,
    ) -> Result<Dict, ReportError> {
        Ok(match self.value(dict, key, budget)? {
            Object::Dict(dict) => dict,
            _ => Dict::default(),
        })
    }

    /// The stream that an object leads to.
    pub(super) fn stream(
        &self,
        object: &Object,
        budget: &mut Budget,
    ) -> Result<Option<Stream>, ReportError> {
        let mut found = object.clone();
        for _ in 0..REFERENCES_MAX {
            let Object::Reference(number) = found else { return Ok(None) };
            match self.object(number, budget)? {
                (Object::Dict(dict), Some(range)) => return Ok(Some(Stream { dict, range })),
                (next, _) => found = next,
            }
        }
        Ok(None)
    }

    /// What a stream holds; `None` where it cannot be unpacked.
    pub(super) fn unpack(
        &self,
        stream: &Stream,
        budget: &mut Budget,
    ) -> Result<Option<Vec<u8>>, ReportError> {
        let mut parameters = Dict::default();
        for key in ["Filter", "F", "DecodeParms", "DP"] {
            let value = self.value(&stream.dict, key, budget)?;
            let value = match value {
                Object::Array(values) => {
                    let resolved = values.iter().map(|value| self.resolve(value, budget));
                    Object::Array(resolved.collect::<Result<_, _>>()?)
                }
                value => value,
            };
            parameters.set(key, value);
        }
        let (start, end) = stream.range;
        filter::unpack(&parameters, &self.bytes[start..end], budget)
    }

    /// Calls `on` for each page, in order: they are not kept, since crafted ones take much memory.
    pub(super) fn each_page(
        &self,
        budget: &mut Budget,
        on: &mut dyn FnMut(&PageObject, &mut Budget) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        let catalog = match self.root {
            Some(root) => self.object(root, budget)?.0,
            None => Object::Null,
        };
        let Object::Dict(catalog) = catalog else {
            return Err(damaged("no catalog of its parts".to_owned()));
        };
        let mut walk = PageWalk { file: self, seen: HashSet::new(), on };
        if let Some(root) = catalog.get("Pages") {
            walk.node(root, &PageObject::default(), TREE_DEPTH_MAX, budget)?;
        }
        if budget.page == 0 {
            return Err(damaged("no page".to_owned()));
        }
        Ok(())
    }
}

/// Goes down the tree of pages (7.7.3).
struct PageWalk<'f, 'a, 'on> {
    file: &'f File<'a>,
    seen: HashSet<u32>,
    on: &'on mut dyn FnMut(&PageObject, &mut Budget) -> Result<(), ReportError>,
}

impl PageWalk<'_, '_, '_> {
    fn node(
        &mut self,
        node: &Object,
        inherited: &PageObject,
        depth: usize,
        budget: &mut Budget,
    ) -> Result<(), ReportError> {
        if let Object::Reference(number) = node
            && !self.seen.insert(*number)
        {
            return Ok(());
        }
        let Object::Dict(dict) = self.file.resolve(node, budget)? else { return Ok(()) };
        let (mut resources, mut rotate) = (inherited.resources.clone(), inherited.rotate);
        if let Object::Dict(own) = self.file.value(&dict, "Resources", budget)? {
            resources = Rc::new(own);
        }
        if let Some(own) = self.file.value(&dict, "Rotate", budget)?.number() {
            rotate = (own as i32).rem_euclid(360);
        }
        match self.file.value(&dict, "Kids", budget)? {
            Object::Array(_) if depth == 0 => {
                Err(damaged(format!("a tree of pages more than {TREE_DEPTH_MAX} deep")))
            }
            Object::Array(kids) => {
                let inherited = PageObject { dict: Dict::default(), resources, rotate };
                kids.iter().try_for_each(|kid| self.node(kid, &inherited, depth - 1, budget))
            }
            _ => {
                budget.turn()?;
                (self.on)(&PageObject { dict, resources, rotate }, budget)
            }
        }
    }
}

fn damaged(found: String) -> ReportError {
    ReportError::Damaged { expected: "a PDF with pages", found }
}

/// Where the next object's content begins, behind `obj`, and its number.
fn next_object(bytes: &[u8], from: usize) -> Option<(usize, u32)> {
    memmem::find_iter(bytes.get(from..)?, b"obj").find_map(|found| {
        let at = from + found;
        let before = without_blanks(&bytes[from..at])?;
        let before = without_digits(before)?;
        let before = without_blanks(before)?;
        let digits = &before[without_digits(before)?.len()..];
        let number = std::str::from_utf8(digits).ok()?.parse().ok()?;
        Some((at + b"obj".len(), number))
    })
}

/// What stands before the blanks at an end; `None` where there are none.
fn without_blanks(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.iter().rposition(|byte| !is_blank(*byte))? + 1;
    (end < bytes.len()).then(|| &bytes[..end])
}

/// What stands before the digits at an end; `None` where there are none, or too many for a number.
fn without_digits(bytes: &[u8]) -> Option<&[u8]> {
    let digits = bytes.iter().rev().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    (1..=10).contains(&digits).then(|| &bytes[..bytes.len() - digits])
}
