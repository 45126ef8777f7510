//! Any bytes: no reader panics, and no line is lost.

use proptest::prelude::*;

use super::super::*;

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
        List::Extract => b"EIN,tax_pd,totrevnue,totexpns\n010564885,202012,5,\n\
              010564886,202106,-7,x\n"
            .to_vec(),
        List::Approvals => format!(
            "{}\n10564885,EO-2014269-000138,A CLUB,,www.club.org,1/1/1998,VT,A20,1,0,0,0,0,0,0,0\n\
             010564886,x,B,\"C, D\",,37223,,,0,0,0,0,0,0,0,1\n",
            approval::COLUMNS.join(",")
        )
        .into_bytes(),
        List::FilingIndex => b"EIN,TAX_PERIOD,TAXPAYER_NAME,RETURN_TYPE,OBJECT_ID\n\
              010564885,202312,A CLUB,990,202400559349300125\n\
              010564886,202406,B, C, AND D,990T,202400559349300126\n"
            .to_vec(),
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

#[test]
fn good_files_have_no_faults() {
    for kind in List::ALL {
        assert_eq!(recognise(&good(kind), Extent::Whole), Some(Head::Known(kind)));
        assert_eq!(count(kind, &good(kind)), Some(2));
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_by_every_reader(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        recognise(&bytes, Extent::Whole);
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
