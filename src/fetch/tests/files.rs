//! Made-up files as the IRS would publish them.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// A part of the master file with so many organizations.
pub(super) fn master(rows: usize) -> Vec<u8> {
    let mut text = String::from(
        "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,CLASSIFICATION,RULING,\
         DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,ASSET_CD,INCOME_CD,\
         FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,REVENUE_AMT,NTEE_CD,SORT_NAME\r\n",
    );
    for row in 0..rows {
        text.push_str(&format!(
            "00{row:07},QUILLBROOK LANTERN SOCIETY {row},,1 MAPLE ST,BOISE,ID,83702-0000,0000,03,3,\
             1000,200101,1,15,000000000,1,01,202312,3,3,01,0,12,5000,4000,4000,A20,\r\n"
        ));
    }
    text.into_bytes()
}

/// A ZIP file with these members.
pub(super) fn zipped(members: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(super) fn publication_78() -> Vec<u8> {
    let text = "\r\n\r\n000000001|Quillbrook Lantern Society|Boise|ID|United States|PC\r\n";
    zipped(&[("data-download-pub78.txt", text)])
}

pub(super) fn revocations() -> Vec<u8> {
    let text =
        "000000002|OLD MILL CHOIR||1 ELM ST|BOISE|ID|83702|US|03|15-MAY-2010|09-JUN-2011|\r\n";
    zipped(&[("data-download-revocation.txt", text)])
}

pub(super) fn postcards() -> Vec<u8> {
    let text = format!("000000003|2023|FERNHILL KITES{}\r\n", "|".repeat(23));
    zipped(&[("data-download-epostcard.txt", &text)])
}

/// Form 1023-EZ approvals, as CSV.
pub(super) fn approvals() -> Vec<u8> {
    b"EIN,Case Number,Orgname1,Orgname2,Orgurl,Incorporateddate,Incorporatedstate,Nteecode,\
      Orgpurposecharitable,Orgpurposereligious,Orgpurposeeducational,Orgpurposescientific,\
      Orgpurposeliterary,Orgpurposepublicsafety,Orgpurposeamateursports,\
      Orgpurposecrueltyprevention\r\n\
      4,EO-2014269-000138,FERNHILL CHOIR,,,1/1/2014,ID,A6B,1,0,0,0,0,0,0,0\r\n"
        .to_vec()
}

/// An annual extract of Form 990-EZ.
pub(super) fn extract() -> Vec<u8> {
    let text = "EIN,tax_pd,totrevnue,totexpns\r\n000000004,202312,5,7\r\n";
    zipped(&[("eoextract.csv", text)])
}

/// A ZIP file of returns with these object identifiers.
pub(super) fn returns(ids: std::ops::Range<u64>) -> Vec<u8> {
    let text = "<?xml version=\"1.0\"?>\r\n<Return xmlns=\"http://www.irs.gov/efile\"></Return>";
    let names: Vec<String> = ids.map(|id| format!("{id}_public.xml")).collect();
    let members: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), text)).collect();
    zipped(&members)
}

/// An index of returns, each with its batch, or of a year before there were batches.
pub(super) fn index(returns: &[(u64, &str)]) -> Vec<u8> {
    let with = returns.iter().any(|(_, batch)| !batch.is_empty());
    let column = if with { ",XML_BATCH_ID" } else { "" };
    let mut text = format!(
        "RETURN_ID,FILING_TYPE,EIN,TAX_PERIOD,SUB_DATE,TAXPAYER_NAME,RETURN_TYPE,DLN,OBJECT_ID{column}\r\n"
    );
    for (id, batch) in returns {
        let batch = if with { format!(",{batch}") } else { String::new() };
        text.push_str(&format!(
            "{id},EFILE,00000000{},202312,2024,KITES, INC,990,1,{id}{batch}\r\n",
            id % 10
        ));
    }
    text.into_bytes()
}
