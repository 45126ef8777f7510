//! What two versions of a nonprofit are compared by, and the file `compared`, in which a snapshot keeps it for builds whose
//! own snapshots have another format.
//!
//! The file's form is apart from the format of snapshots ([`FORMAT`](super::FORMAT)) and is to outlive it: a member of
//! [`Compared`] is never renamed, a new one has a default for files without it. Little-endian: [`MAGIC`]; blocks of lines,
//! each u32 lines, u32 bytes packed, u32 bytes plain, a u32 for the EIN of each line, and an LZ4 block of the lines, one
//! JSON object each, in the order of the snapshot; the last block has no lines but a [`Summary`] in JSON.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::coverage::Coverage;
use super::manifest::Manifest;
use crate::record::{Ein, Filing, Organization, State};

/// The file within a snapshot.
pub(crate) const FILE: &str = "compared";
/// How the file begins.
pub const MAGIC: [u8; 8] = *b"ALMCMP01";
/// Bytes of a block's lengths.
const HEAD_BYTES: usize = 12;
/// Bytes that a block may have uncompressed, so that no length makes reading allocate without bound.
const PLAIN_BYTES_MAX: usize = 256 << 20;

/// What is compared of a nonprofit. Plain values: what they are read into must not depend on the format either.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Compared {
    pub(crate) ein: Ein,
    /// As shown.
    pub(crate) name: String,
    /// As filed.
    pub(crate) legal_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) street: Option<String>,
    /// As filed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) city: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) state: Option<State>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) zip: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) foundation: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) deductibility: Option<String>,
    /// Whether the master file has it; `None` where none was loaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) is_listed: Option<bool>,
    /// Whether Publication 78 was loaded.
    #[serde(default)]
    pub(crate) has_publication_78: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) is_inactive: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) revoked: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reinstated: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) returns: Vec<ComparedReturn>,
}

/// What tells a return from others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ComparedReturn {
    pub(crate) form: String,
    pub(crate) period_end: String,
    #[serde(default)]
    pub(crate) amended: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) object_id: Option<String>,
}

impl Compared {
    pub(crate) fn of(organization: &Organization, filings: &[Filing]) -> Self {
        let Organization { address, exemption, .. } = organization;
        let listings = exemption.listings;
        let revocation = exemption.revocation.as_ref();
        let one = |filing: &Filing| ComparedReturn {
            form: filing.form.name().to_owned(),
            period_end: filing.period_end.to_string(),
            amended: filing.amended,
            object_id: filing.object_id.clone(),
        };
        Self {
            ein: organization.ein,
            name: organization.name.clone(),
            legal_name: organization.legal_name.clone(),
            street: address.street.clone(),
            city: address.city_as_filed.as_ref().or(address.city.as_ref()).cloned(),
            state: address.state,
            zip: address.zip.map(|zip| zip.to_string()),
            foundation: exemption.foundation.map(|code| code.number().to_string()),
            deductibility: exemption.deductibility.map(|code| code.number().to_string()),
            is_listed: listings.master_file.is_listed(),
            has_publication_78: listings.publication_78.is_listed().is_some(),
            is_inactive: exemption.is_inactive(),
            revoked: revocation.map(|entry| entry.revoked.to_string()),
            reinstated: revocation.and_then(|entry| entry.reinstated).map(|day| day.to_string()),
            returns: filings.iter().map(one).collect(),
        }
    }

    /// The address in one line.
    pub(crate) fn place(&self) -> Option<String> {
        let region = [self.state.map(|state| state.to_string()), self.zip.clone()];
        let region = region.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let region = Some(region).filter(|region| !region.is_empty());
        let parts = [self.street.clone(), self.city.clone(), region];
        let said = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
        (!said.is_empty()).then_some(said)
    }
}

/// What a snapshot's sources cover, as far as it tells whether somebody came or went.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Covered {
    /// States that a master file has anybody in.
    states: Vec<State>,
    has_master_file: bool,
    pub(crate) has_returns: bool,
}

impl Covered {
    pub(crate) fn of(coverage: &Coverage) -> Self {
        let states = State::all().filter(|state| coverage.has_state(*state)).collect();
        let has_master_file = coverage.count.in_master_file > 0;
        Self { states, has_master_file, has_returns: !coverage.returns.is_empty() }
    }

    /// Whether there is a master file of where a nonprofit is; one abroad is in no state's.
    pub(crate) fn covers(&self, one: &Compared) -> bool {
        match one.state {
            Some(state) => self.states.contains(&state),
            None => self.has_master_file,
        }
    }
}

/// What the file says beside its lines.
#[derive(Debug, Serialize, Deserialize)]
struct Summary {
    /// How many of the lines are of organizations; those behind are of who only the revocation list has.
    organizations: u32,
    covered: Covered,
}

/// Lines of the file, packed.
#[derive(Debug)]
pub(crate) struct Block(Vec<u8>);

impl Block {
    /// Packs what follows in the order of the snapshot.
    pub(crate) fn of(rows: &[Compared]) -> io::Result<Self> {
        let mut plain = Vec::new();
        for row in rows {
            serde_json::to_writer(&mut plain, row)?;
            plain.push(b'\n');
        }
        Self::pack(&plain, rows.iter().map(|row| row.ein.pack()).collect())
    }

    fn pack(plain: &[u8], eins: Vec<u32>) -> io::Result<Self> {
        let packed = lz4_flex::block::compress(plain);
        let mut bytes = Vec::with_capacity(HEAD_BYTES + 4 * eins.len() + packed.len());
        for number in [eins.len(), packed.len(), plain.len()] {
            let number = u32::try_from(number).map_err(io::Error::other)?;
            bytes.extend(number.to_le_bytes());
        }
        eins.iter().for_each(|ein| bytes.extend(ein.to_le_bytes()));
        bytes.extend(packed);
        Ok(Self(bytes))
    }
}

/// Writes the file.
#[derive(Debug)]
pub(crate) struct ComparedWriter(BufWriter<File>);

impl ComparedWriter {
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        let mut out = BufWriter::new(File::create(folder.join(FILE))?);
        out.write_all(&MAGIC)?;
        Ok(Self(out))
    }

    pub(crate) fn append(&mut self, blocks: &[Block]) -> io::Result<()> {
        blocks.iter().try_for_each(|Block(bytes)| self.0.write_all(bytes))
    }

    /// Ends the file; `organizations` is how many of its rows are no departed ones'.
    pub(crate) fn finish(mut self, organizations: u32, coverage: &Coverage) -> io::Result<()> {
        let summary = Summary { organizations, covered: Covered::of(coverage) };
        let last = Block::pack(&serde_json::to_vec(&summary)?, Vec::new())?;
        self.append(&[last])?;
        self.0.flush()
    }
}

/// Why the file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ComparedError {
    #[error("cannot read {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} {what}", path.display())]
    Form { path: PathBuf, what: String },
}

/// The opened file, held packed.
#[derive(Debug)]
pub(crate) struct ComparedFile {
    path: PathBuf,
    bytes: Vec<u8>,
    blocks: Vec<Packed>,
    /// The EIN of each line and its number, by EIN.
    by_ein: Vec<(u32, u32)>,
    organizations: u32,
    covered: Covered,
}

/// A block in the file.
#[derive(Debug)]
struct Packed {
    /// Number of its first line.
    first: u32,
    range: Range<usize>,
    plain_bytes: usize,
}

impl ComparedFile {
    /// Opens the file of a snapshot's folder; `None` where the snapshot has none.
    ///
    /// # Errors
    /// Also where it is not the one that the manifest lists.
    pub(crate) fn open(folder: &Path, manifest: &Manifest) -> Result<Option<Self>, ComparedError> {
        let Some(listed) = manifest.file(FILE) else { return Ok(None) };
        let path = folder.join(FILE);
        let bytes =
            fs::read(&path).map_err(|source| ComparedError::Io { path: path.clone(), source })?;
        if HEXLOWER.encode(&Sha256::digest(&bytes)) != listed.sha256 {
            let what = "is not the one that the manifest lists".to_owned();
            return Err(ComparedError::Form { path, what });
        }
        let parsed = Self::parse(path.clone(), bytes);
        parsed.map(Some).map_err(|what| ComparedError::Form { path, what })
    }

    fn parse(path: PathBuf, bytes: Vec<u8>) -> Result<Self, String> {
        let mut rest = bytes.strip_prefix(&MAGIC).ok_or("is of another form")?;
        let (mut blocks, mut by_ein) = (Vec::new(), Vec::new());
        loop {
            let ([lines, packed, plain_bytes], behind) =
                numbers::<3>(rest).ok_or("ends within a block")?;
            let (eins, behind) = split(behind, 4 * lines as usize)?;
            let start = bytes.len() - behind.len();
            let (_, behind) = split(behind, packed as usize)?;
            let (range, plain_bytes) = (start..start + packed as usize, plain_bytes as usize);
            let first = by_ein.len() as u32;
            let block = Packed { first, range, plain_bytes };
            if lines == 0 {
                let summary = unpack(&bytes, &block)?;
                let Summary { organizations, covered } =
                    serde_json::from_slice(&summary).map_err(|error| error.to_string())?;
                by_ein.sort_unstable();
                return Ok(Self { path, blocks, by_ein, organizations, covered, bytes });
            }
            let eins = eins
                .chunks_exact(4)
                .map(|ein| u32::from_le_bytes([ein[0], ein[1], ein[2], ein[3]]));
            by_ein.extend(eins.zip(first..));
            blocks.push(block);
            rest = behind;
        }
    }

    pub(crate) fn organizations(&self) -> u32 {
        self.organizations
    }

    pub(crate) fn covered(&self) -> &Covered {
        &self.covered
    }

    /// EINs of all lines, as packed.
    pub(crate) fn eins(&self) -> impl Iterator<Item = u32> {
        self.by_ein.iter().map(|(ein, _)| *ein)
    }

    /// The number of an EIN's line.
    pub(crate) fn number_of(&self, ein: Ein) -> Option<u32> {
        let at = self.by_ein.binary_search_by_key(&ein.pack(), |(ein, _)| *ein).ok()?;
        Some(self.by_ein[at].1)
    }

    /// The rows of some numbers. Each block is unpacked once where they follow the order of the file.
    pub(crate) fn rows(&self, numbers: &[u32]) -> Result<Vec<Compared>, ComparedError> {
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_unstable_by_key(|at| numbers[*at]);
        let mut rows: Vec<Option<Compared>> = vec![None; numbers.len()];
        let mut open: Option<(usize, Vec<u8>, Vec<Range<usize>>)> = None;
        for at in order {
            let number = numbers[at];
            let missing = || self.form(format!("has no row {number}"));
            let block = self.blocks.partition_point(|block| block.first <= number);
            let block = block.checked_sub(1).ok_or_else(missing)?;
            if open.as_ref().is_none_or(|(open, ..)| *open != block) {
                let plain = unpack(&self.bytes, &self.blocks[block]);
                let plain = plain.map_err(|what| self.form(what))?;
                let lines = lines(&plain);
                open = Some((block, plain, lines));
            }
            let row = open.as_ref().and_then(|(_, plain, lines)| {
                let line = (number - self.blocks[block].first) as usize;
                serde_json::from_slice(&plain[lines.get(line)?.clone()]).ok()
            });
            rows[at] = Some(row.ok_or_else(missing)?);
        }
        Ok(rows.into_iter().flatten().collect())
    }

    fn form(&self, what: String) -> ComparedError {
        ComparedError::Form { path: self.path.clone(), what }
    }
}

fn unpack(bytes: &[u8], block: &Packed) -> Result<Vec<u8>, String> {
    if block.plain_bytes > PLAIN_BYTES_MAX {
        return Err("has a block longer than any".to_owned());
    }
    lz4_flex::block::decompress(&bytes[block.range.clone()], block.plain_bytes)
        .map_err(|error| format!("has a damaged block: {error}"))
}

fn lines(plain: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', plain);
    ends.map(|end| std::mem::replace(&mut start, end + 1)..end).collect()
}

/// The numbers at the start, and what follows.
fn numbers<const N: usize>(bytes: &[u8]) -> Option<([u32; N], &[u8])> {
    let (head, rest) = bytes.split_at_checked(4 * N)?;
    let mut read =
        head.chunks_exact(4).map(|one| u32::from_le_bytes([one[0], one[1], one[2], one[3]]));
    Some((std::array::from_fn(|_| read.next().unwrap_or_default()), rest))
}

fn split(bytes: &[u8], at: usize) -> Result<(&[u8], &[u8]), String> {
    bytes.split_at_checked(at).ok_or_else(|| "ends within a block".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(number: usize) -> Compared {
        let ein = format!("97{number:07}").parse().unwrap();
        let mut organization = Organization::named(ein, &format!("CLUB {number}"));
        organization.address.city = number.is_multiple_of(2).then(|| "Burlington".to_owned());
        Compared::of(&organization, &[])
    }

    fn written(rows: &[Compared], organizations: u32) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = ComparedWriter::create(folder.path()).unwrap();
        for rows in rows.chunks(7) {
            writer.append(&[Block::of(rows).unwrap()]).unwrap();
        }
        writer.finish(organizations, &Coverage::default()).unwrap();
        fs::read(folder.path().join(FILE)).unwrap()
    }

    #[test]
    fn rows_are_found_by_ein_in_any_order() {
        let mut rows: Vec<_> = (0..40).map(compared).collect();
        rows.reverse();
        let file = ComparedFile::parse(PathBuf::new(), written(&rows, 38)).unwrap();
        assert_eq!((file.organizations(), file.eins().count()), (38, 40));
        let asked = [compared(3), compared(39), compared(0), compared(17)];
        let numbers: Vec<u32> = asked.iter().map(|row| file.number_of(row.ein).unwrap()).collect();
        assert_eq!(file.rows(&numbers).unwrap(), asked);
        assert_eq!(file.number_of("980000000".parse().unwrap()), None);
        assert!(file.rows(&[40]).is_err());
    }

    #[test]
    fn what_is_cut_or_changed_is_refused() {
        let bytes = written(&[compared(1)], 1);
        for cut in 0..bytes.len() {
            assert!(ComparedFile::parse(PathBuf::new(), bytes[..cut].to_vec()).is_err(), "{cut}");
        }
    }

    #[test]
    fn members_that_are_not_known_are_left_out_and_those_missing_have_defaults() {
        let row: Compared = serde_json::from_str(
            r#"{"ein":"970000001","name":"A","legal_name":"A","color":"red"}"#,
        )
        .unwrap();
        assert_eq!((row.street, row.is_listed, row.returns.len()), (None, None, 0));
    }
}
