//! Collects the names and places of every organization and writes the index.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::analysis::Spelling;
use super::documents::{self, Document, Name, NameEntry};
use super::terms::TermId;
use super::{FILE, analysis, postings, similar};
use crate::index::typeahead::Weight;
use crate::mapped::{TableWriter, WriteError};
use crate::naming;
use crate::record::{Filing, OrgId, Organization};

/// Names of one organization that are indexed, the first ones: hospitals and universities list
/// dozens of trade names.
const NAMES_MAX: usize = 16;

/// Names of one organization whose initials are indexed, the first ones.
const INITIALS_NAMES_MAX: usize = 2;

/// How many organizations have a term, at least and one in how many, when its pairs with neighbours as
/// frequent are terms as well: what names of frequent words alone are found by.
const PAIRED_FREQUENCY_MIN: u32 = 256;
const PAIRED_ONE_IN: u32 = 1_000;

/// The names and places of an organization as terms; made on any thread.
#[derive(Debug, Default)]
pub struct Text {
    document: Document,
    city: Vec<String>,
    county: Vec<String>,
    region: Vec<String>,
    names: Vec<(Name, Spelling, Vec<String>)>,
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
        // A trustee, and whom a trust benefits, are other bodies.
        let is_own = |name: &str| {
            !naming::is_trustee(name) && !naming::leads_to_beneficiary(&organization.legal_name)
        };
        let others = (0..).zip(&organization.other_names).filter(|(_, name)| is_own(name));
        let filed = (0..).zip(filings);
        let all = legal
            .chain(others.map(|(at, name)| (Name::Other(at), name.as_str())))
            .chain(filed.map(|(at, filing)| (Name::Filed(at), filing.name.as_str())));
        let mut names: Vec<(Name, Spelling, Vec<String>)> = Vec::new();
        for (name, text) in all {
            let terms = analysis::terms(text);
            let spelling = Spelling::of(text);
            let known = names.iter().any(|(_, known, _)| known.hash == spelling.hash);
            if names.len() < NAMES_MAX && !known && !terms.is_empty() {
                names.push((name, spelling, terms));
            }
        }
        let called = std::iter::once(organization.legal_name.as_str());
        let others = organization.other_names.iter().map(String::as_str);
        let called = called.chain(others.filter(|name| is_own(name)));
        let mut initials: Vec<String> = Vec::new();
        for term in called.take(INITIALS_NAMES_MAX).flat_map(analysis::initials_of) {
            if !initials.contains(&term) {
                initials.push(term);
            }
        }
        names.extend(
            initials.into_iter().map(|term| (Name::Initials, Spelling::default(), vec![term])),
        );
        let host = organization.website.as_deref().and_then(analysis::host);
        names.extend(host.map(|host| (Name::Host, Spelling::of(&host), vec![host])));
        Self { document, city, county, region, names }
    }
}

/// Collects organizations. Some 60 bytes each are held until the index is written.
#[derive(Debug, Default)]
pub struct Builder {
    /// Numbers of terms in the order in which they came.
    numbers: HashMap<String, u32>,
    /// The documents as [`Document::encode`] writes them, one after another: as values they are ten times
    /// as large.
    encoded: Vec<u8>,
    /// Where each ends.
    ends: Vec<usize>,
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
            .map(|(name, spelling, terms)| NameEntry {
                name,
                spelling,
                terms: self.numbered(terms),
            })
            .collect();
        document.encode(&mut self.encoded);
        self.ends.push(self.encoded.len());
    }

    fn numbered(&mut self, terms: Vec<String>) -> Vec<TermId> {
        let number = |term| {
            let next = self.numbers.len() as u32;
            TermId(*self.numbers.entry(term).or_insert(next))
        };
        terms.into_iter().map(number).collect()
    }

    /// The numbers of terms and the documents.
    fn decode(self) -> (HashMap<String, u32>, Vec<Document>) {
        let Self { numbers, encoded, ends } = self;
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let decode = |(start, end): (usize, usize)| {
            Document::decode(&encoded[start..end]).expect("it was encoded here")
        };
        let documents = starts.zip(ends.iter().copied()).map(decode).collect();
        (numbers, documents)
    }

    /// Writes the table into a snapshot's folder.
    pub fn finish(self, folder: &Path) -> Result<(), WriteError> {
        let (mut numbers, mut documents) = self.decode();
        // Heaviest first: the position is the rank.
        documents
            .par_sort_unstable_by(|a, b| b.weight.cmp(&a.weight).then_with(|| a.org.cmp(&b.org)));
        let mut of_all: Vec<Vec<TermId>> = documents.par_iter().map(Document::terms).collect();
        add_pairs(&mut numbers, &documents, &mut of_all);
        let (texts, sorted) = sorted_terms(numbers);
        let renumber = |term: &mut TermId| *term = sorted[term.0 as usize];
        documents.par_iter_mut().for_each(|document| {
            let Document { city, county, region, names, .. } = document;
            let names = names.iter_mut().flat_map(|named| &mut named.terms);
            city.iter_mut().chain(county).chain(region).chain(names).for_each(renumber);
        });
        of_all.par_iter_mut().for_each(|terms| terms.iter_mut().for_each(renumber));
        let mut out = TableWriter::create(&folder.join(FILE))?;
        out.texts("terms", &texts)?;
        write_postings(&mut out, &of_all, texts.len())?;
        drop(of_all);
        let (segments, names) = rayon::join(
            || similar::pairs(texts.iter().map(String::as_str)),
            || by_name(&documents, &texts),
        );
        out.pairs("segments", &segments)?;
        out.pairs("names", &names)?;
        write_documents(&mut out, &documents)?;
        out.finish().map(drop)
    }
}

/// Adds to the terms of each document the pairs of frequent ones in its names, numbered behind all terms.
fn add_pairs(
    numbers: &mut HashMap<String, u32>,
    documents: &[Document],
    of_all: &mut [Vec<TermId>],
) {
    let mut frequencies = vec![0_u32; numbers.len()];
    of_all.iter().flatten().for_each(|term| frequencies[term.0 as usize] += 1);
    let least = PAIRED_FREQUENCY_MIN.max(documents.len() as u32 / PAIRED_ONE_IN);
    let is_frequent = |term: &TermId| frequencies[term.0 as usize] >= least;
    let mut known: HashMap<(TermId, TermId), u32> = HashMap::new();
    for (document, terms) in documents.iter().zip(of_all) {
        let neighbours = document.names.iter().flat_map(|named| named.terms.windows(2));
        let frequent = neighbours.filter(|pair| pair.iter().all(is_frequent));
        let single = terms.len();
        for pair in frequent {
            let next = (frequencies.len() + known.len()) as u32;
            terms.push(TermId(*known.entry((pair[0], pair[1])).or_insert(next)));
        }
        terms[single..].sort_unstable();
        terms.dedup();
    }
    let mut texts = vec![""; frequencies.len()];
    for (text, number) in &*numbers {
        texts[*number as usize] = text;
    }
    let text = |term: TermId| texts[term.0 as usize];
    let named: Vec<(String, u32)> = known
        .into_iter()
        .map(|((first, second), number)| (analysis::pair(text(first), text(second)), number))
        .collect();
    numbers.extend(named);
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

/// Writes which ranks have each of `terms` terms, and how many; `of_all` are the terms of each rank.
fn write_postings(
    out: &mut TableWriter,
    of_all: &[Vec<TermId>],
    terms: usize,
) -> Result<(), WriteError> {
    // Counted first, then filled: two passes over the documents and one array.
    let mut ends = vec![0_usize; terms];
    of_all.iter().flatten().for_each(|term| ends[term.0 as usize] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    let mut ranks = vec![0_u32; total];
    for (rank, terms) in (0_u32..).zip(of_all) {
        for term in terms {
            let end = &mut ends[term.0 as usize];
            ranks[*end] = rank;
            *end += 1;
        }
    }
    let starts = || std::iter::once(0).chain(ends.iter().copied());
    out.column("frequencies", starts().zip(&ends).map(|(start, end)| (end - start) as u32))?;
    let encoded = starts().zip(&ends).map(|(start, end)| postings::encode(&ranks[start..*end]));
    out.texts("postings", encoded)
}

/// The rank of each organization by the hashes of its names, sorted.
fn by_name(documents: &[Document], texts: &[String]) -> Vec<(u64, u32)> {
    let hash = |terms: &[TermId]| {
        documents::hash(terms.iter().map(|term| texts[term.0 as usize].as_str()))
    };
    let mut pairs: Vec<(u64, u32)> = documents
        .par_iter()
        .zip(0_u32..documents.len() as u32)
        .flat_map_iter(|(document, rank)| {
            document.names.iter().map(move |named| (hash(&named.terms), rank))
        })
        .collect();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

fn write_documents(out: &mut TableWriter, documents: &[Document]) -> Result<(), WriteError> {
    let mut ranks = vec![0; documents.len()];
    for (rank, document) in (0_u32..).zip(documents) {
        ranks[document.org().index()] = rank;
    }
    out.column("ranks", ranks)?;
    let encoded = documents.iter().map(|document| {
        let mut bytes = Vec::new();
        document.encode(&mut bytes);
        bytes
    });
    out.texts("documents", encoded)
}
