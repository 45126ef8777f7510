//! Collects the names and places of every organization and writes the index.

use std::collections::HashMap;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::documents::{self, Document, Name, Named};
use super::terms::{self, TermId};
use super::{analysis, keys, postings, similar};
use crate::index::typeahead::Weight;
use crate::record::{Filing, OrgId, Organization};

/// Names of one organization that are indexed, the first ones: hospitals and universities list
/// dozens of trade names.
const NAMES_MAX: usize = 16;

/// Why the index cannot be built.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the index of names in {}", path.display())]
pub struct BuildError {
    path: PathBuf,
    source: io::Error,
}

/// The names and places of an organization as terms; made on any thread.
#[derive(Debug, Default)]
pub struct Text {
    document: Document,
    city: Vec<String>,
    county: Vec<String>,
    region: Vec<String>,
    names: Vec<(Name, u16, bool, Vec<String>)>,
}

impl Text {
    /// What the index knows of an organization.
    pub fn of(org: OrgId, organization: &Organization, filings: &[Filing]) -> Self {
        let address = &organization.address;
        let document = Document {
            org: org.0,
            weight: Weight::of(organization).value(),
            is_active_charity: organization.exemption.is_active_charity(),
            ..Document::default()
        };
        let mut city = analysis::terms(address.city.as_deref().unwrap_or_default());
        for term in analysis::terms(address.city_as_filed.as_deref().unwrap_or_default()) {
            if !city.contains(&term) {
                city.push(term);
            }
        }
        let county = analysis::terms(address.county.as_deref().unwrap_or_default());
        let state = address.state.map(|state| analysis::region(state.code()));
        let zip = address.zip.map(|zip| analysis::region(&zip.to_string()));
        let region = state.into_iter().chain(zip).collect();
        let legal = std::iter::once((Name::Legal, organization.legal_name.as_str()));
        let others = (0..).zip(&organization.other_names);
        let filed = (0..).zip(filings);
        let all = legal
            .chain(others.map(|(at, name)| (Name::Other(at), name.as_str())))
            .chain(filed.map(|(at, filing)| (Name::Filed(at), filing.name.as_str())));
        let mut names: Vec<(Name, u16, bool, Vec<String>)> = Vec::new();
        for (name, text) in all {
            let terms = analysis::terms(text);
            let spelling = analysis::spelling(text);
            let known = names.iter().any(|(_, known, ..)| *known == spelling);
            if names.len() < NAMES_MAX && !known && !terms.is_empty() {
                names.push((name, spelling, analysis::has_initials(text), terms));
            }
        }
        let host = organization.website.as_deref().and_then(analysis::host);
        names.extend(host.map(|host| (Name::Host, analysis::spelling(&host), false, vec![host])));
        Self { document, city, county, region, names }
    }
}

/// Collects organizations. About 16 bytes a term of a name or place are held.
#[derive(Debug, Default)]
pub struct Builder {
    /// Numbers of terms in the order in which they came.
    numbers: HashMap<String, u32>,
    documents: Vec<Document>,
}

impl Builder {
    /// An index without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an organization.
    pub fn add(&mut self, text: Text) {
        let Text { mut document, city, county, region, names } = text;
        document.city = self.numbered(city);
        document.county = self.numbered(county);
        document.region = self.numbered(region);
        document.names = names
            .into_iter()
            .map(|(name, spelling, has_initials, terms)| Named {
                name,
                spelling,
                has_initials,
                terms: self.numbered(terms),
            })
            .collect();
        self.documents.push(document);
    }

    fn numbered(&mut self, terms: Vec<String>) -> Vec<TermId> {
        let number = |term| {
            let next = self.numbers.len() as u32;
            TermId(*self.numbers.entry(term).or_insert(next))
        };
        terms.into_iter().map(number).collect()
    }

    /// Writes the files into a snapshot's folder. Not synced: who stages the snapshot does that.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn finish(self, folder: &Path) -> Result<(), BuildError> {
        let own = folder.join("names");
        fs::create_dir_all(&own).map_err(|source| BuildError { path: own, source })?;
        self.write(folder).map_err(|source| BuildError { path: folder.join("names"), source })
    }

    fn write(self, folder: &Path) -> io::Result<()> {
        let Self { numbers, mut documents } = self;
        let organizations = u32::try_from(documents.len()).map_err(io::Error::other)?;
        let (texts, sorted) = sorted_terms(numbers);
        documents.par_iter_mut().for_each(|document| {
            let Document { city, county, region, names, .. } = document;
            let names = names.iter_mut().flat_map(|named| &mut named.terms);
            for term in city.iter_mut().chain(county).chain(region).chain(names) {
                *term = sorted[term.0 as usize];
            }
        });
        // Heaviest first: the position is the rank.
        documents
            .par_sort_unstable_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.org.cmp(&b.org)));
        let entries = write_postings(&folder.join(postings::FILE), &documents, &texts)?;
        let (dictionary, rest) = rayon::join(
            || {
                terms::write(&folder.join(terms::FILE), organizations, &entries)?;
                similar::write(&folder.join(similar::FILE), texts.iter().map(String::as_str))
            },
            || {
                write_keys(&folder.join(keys::FILE), &documents, &texts)?;
                write_documents(folder, &documents)
            },
        );
        dictionary.and(rest)
    }
}

/// The terms in order, and the place of each by its number.
fn sorted_terms(numbers: HashMap<String, u32>) -> (Vec<String>, Vec<TermId>) {
    let mut terms: Vec<(String, u32)> = numbers.into_iter().collect();
    terms.par_sort_unstable();
    let mut sorted = vec![TermId(0); terms.len()];
    for (at, (_, number)) in (0_u32..).zip(&terms) {
        sorted[*number as usize] = TermId(at);
    }
    (terms.into_iter().map(|(text, _)| text).collect(), sorted)
}

/// Writes which ranks have each term.
fn write_postings<'a>(
    path: &Path,
    documents: &[Document],
    texts: &'a [String],
) -> io::Result<Vec<terms::Entry<'a>>> {
    // Counted first, then filled: two passes over the documents and one array.
    let of_all: Vec<Vec<TermId>> = documents.par_iter().map(Document::terms).collect();
    let mut ends = vec![0_usize; texts.len()];
    of_all.iter().flatten().for_each(|term| ends[term.0 as usize] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    let mut ranks = vec![0_u32; total];
    for (rank, terms) in (0_u32..).zip(&of_all) {
        for term in terms {
            let end = &mut ends[term.0 as usize];
            ranks[*end] = rank;
            *end += 1;
        }
    }
    let mut out = BufWriter::new(fs::File::create(path)?);
    let mut entries = Vec::with_capacity(texts.len());
    let (mut position, mut start, mut list) = (0_usize, 0, Vec::new());
    for (text, &end) in texts.iter().zip(&ends) {
        list.clear();
        postings::encode(&ranks[start..end], &mut list);
        out.write_all(&list)?;
        let postings = u32::try_from(position).map_err(io::Error::other)?;
        entries.push(terms::Entry { text, frequency: (end - start) as u32, postings });
        position += list.len();
        start = end;
    }
    out.flush()?;
    Ok(entries)
}

fn write_keys(path: &Path, documents: &[Document], texts: &[String]) -> io::Result<()> {
    let hash =
        |terms: &[TermId]| keys::hash(terms.iter().map(|term| texts[term.0 as usize].as_str()));
    let mut entries: Vec<(u64, u32)> = documents
        .par_iter()
        .zip(0_u32..documents.len() as u32)
        .flat_map_iter(|(document, rank)| {
            document.names.iter().map(move |named| (hash(&named.terms), rank))
        })
        .collect();
    entries.par_sort_unstable();
    entries.dedup();
    keys::write(path, &entries)
}

fn write_documents(folder: &Path, documents: &[Document]) -> io::Result<()> {
    let mut out = BufWriter::new(fs::File::create(folder.join(documents::FILE))?);
    let mut ends = BufWriter::new(fs::File::create(folder.join(documents::ENDS_FILE))?);
    let (mut bytes, mut end) = (Vec::new(), 0_usize);
    for document in documents {
        bytes.clear();
        document.encode(&mut bytes);
        end += bytes.len();
        out.write_all(&bytes)?;
        ends.write_all(&u32::try_from(end).map_err(io::Error::other)?.to_le_bytes())?;
    }
    out.flush()?;
    ends.flush()
}
