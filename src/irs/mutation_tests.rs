//! Seeded mutations of good files: no reader panics, and no line is lost.

use proptest::prelude::*;

use super::*;

const MUTATIONS: u64 = 10_000;

/// A small generator (SplitMix64), so that every run tries the same mutations.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

fn good(kind: List) -> Vec<u8> {
    match kind {
        List::MasterFile => format!(
            "{}\r\n010180687,WINDSOR CORP,% H PYKE,PO BOX 455,WINDSOR,VT,05089-0455,0000,03,3,\
             1000,200211,1,15,000000000,1,01,202406,6,4,01,0,06,1416834,433360,324462,S30,\r\n\
             010180688,\"A, \"\"B\"\" C\",,,\"X\r\nY\",,00000-0000,,,,,,,,,,,,,,02,,,,,0,050,\r\n",
            master::COLUMNS.join(",")
        )
        .into_bytes(),
        List::Publication78 => {
            b"\n000003154|A|Norfolk|VA|United States|EO,LODGE\n000262650|B|X|TN|US|PC\n".to_vec()
        }
        List::RevocationList => b"010564885|A|B|1 ST|X|VT|05089|US|03|15-MAY-2010|09-JUN-2011|\n\
              010564886|A||1 ST|X|VT|05089|US|03|15-MAY-2010|09-JUN-2011|15-MAY-2010\n"
            .to_vec(),
        List::Postcard => format!(
            "010564885|2020|A CLUB|T|F|b|e|WWW.Club.ORG/x{}|THE CLUB||\n\
             010564885|2021|A CLUB|T|F|b|e|N/A{}|||\n",
            "|x".repeat(15),
            "|y".repeat(15)
        )
        .into_bytes(),
    }
}

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    const SPECIAL: &[u8] = b"\0\n\r\",|-@./ \x80\xC3\xEF\xFF0Z";
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        let to = (at + random.below(40)).min(bytes.len());
        let special = SPECIAL[random.below(SPECIAL.len())];
        match random.below(7) {
            _ if bytes.is_empty() => bytes.push(special),
            0 => bytes[at] = special,
            1 => bytes[at] = random.next() as u8,
            2 => bytes.insert(at, special),
            3 => drop(bytes.drain(at..to)),
            4 => {
                let copied = bytes[at..to].to_vec();
                let into = random.below(bytes.len());
                bytes.splice(into..into, copied);
            }
            5 => bytes.truncate(at),
            _ => bytes.splice(at..at, vec![special; random.below(2_000)]).for_each(drop),
        }
    }
}

/// Rows and rejects, or `None` when the header lacks columns.
fn count(kind: List, bytes: &[u8]) -> Option<u64> {
    let (mut count, mut last, mut told) = (0, 0, 0);
    let read = read(kind, bytes, &mut |event| {
        let line = match event {
            Event::Row { line, .. } => line,
            Event::Fault { line, .. } => line,
            Event::Progress { text_bytes } => {
                told = text_bytes;
                return Ok(());
            }
        };
        assert!(line > last, "lines rise");
        (count, last) = (count + 1, line);
        Ok::<_, ReadError>(())
    });
    if read.is_ok() {
        assert_eq!(told, bytes.len() as u64, "all bytes are read");
    }
    read.ok().map(|_| count)
}

/// Lines of a pipe-separated file that are neither blank nor a header.
fn data_lines(bytes: &[u8]) -> u64 {
    let data = |line: &&[u8]| {
        let line = line.strip_prefix(records::BYTE_ORDER_MARK).unwrap_or(line);
        let first = line.split(|byte| *byte == b'|').next().unwrap_or_default();
        !line.trim_ascii().is_empty() && !first.trim_ascii().eq_ignore_ascii_case(b"EIN")
    };
    bytes.split(|byte| *byte == b'\n').filter(data).count() as u64
}

fn check(kind: List) {
    let base = good(kind);
    assert_eq!(recognise(&base, false), Some(Head::Known(kind)));
    assert_eq!(count(kind, &base), Some(2));
    let mut random = Random(kind as u64);
    for round in 0..MUTATIONS {
        let mut bytes = base.clone();
        mutate(&mut bytes, &mut random);
        recognise(&bytes, false);
        let counted = count(kind, &bytes);
        if kind != List::MasterFile {
            assert_eq!(counted, Some(data_lines(&bytes)), "round {round}: {bytes:?}");
        }
    }
}

#[test]
fn mutated_master_files() {
    check(List::MasterFile);
}

#[test]
fn mutated_publication_78() {
    check(List::Publication78);
}

#[test]
fn mutated_revocation_lists() {
    check(List::RevocationList);
}

#[test]
fn mutated_postcards() {
    check(List::Postcard);
}

proptest! {
    #[test]
    fn any_bytes_are_read_by_every_reader(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        recognise(&bytes, false);
        for kind in List::ALL {
            count(kind, &bytes);
        }
    }

    /// Without quotes, every data line of a master file is a row or a reject.
    #[test]
    fn no_line_of_a_master_file_is_lost(lines in proptest::collection::vec("[0-9A-Z,|é\u{0}]{0,60}", 0..40)) {
        let mut file = good(List::MasterFile);
        let body: String = lines.iter().map(|line| format!("x{line}\n")).collect();
        file.extend_from_slice(body.as_bytes());
        prop_assert_eq!(count(List::MasterFile, &file), Some(2 + lines.len() as u64));
    }

    #[test]
    fn websites_stay_as_they_are_once_normalised(typed in "[ -~é]{0,60}") {
        if let Some(address) = website(&typed) {
            prop_assert_eq!(website(&address), Some(address));
        }
    }
}
