//! What the tests share: running the program, and small inputs in folders of their own.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

pub const MASTER_HEADER: &str = "EIN,NAME,ICO,STREET,CITY,STATE,ZIP,GROUP,SUBSECTION,AFFILIATION,\
CLASSIFICATION,RULING,DEDUCTIBILITY,FOUNDATION,ACTIVITY,ORGANIZATION,STATUS,TAX_PERIOD,ASSET_CD,\
INCOME_CD,FILING_REQ_CD,PF_FILING_REQ_CD,ACCT_PD,ASSET_AMT,INCOME_AMT,REVENUE_AMT,NTEE_CD,SORT_NAME";

/// Fictional organizations, with an EIN prefix that the IRS does not issue.
pub const MASTER_ROWS: [&str; 4] = [
    "970000001,MAPLE RIVER FOOD SHELF INC,% FICTIONAL ENTRY,1 MAIN ST,BURLINGTON,VT,05401-1234,0000,03,3,1000,199905,1,15,000000000,1,01,202412,5,5,01,0,12,900000,800000,750000,K31,",
    "970000002,MAPLE RIVER PTA,,2 ELM ST,SALT LAKE CTY,UT,84116-3988,1234,03,9,2000,200001,1,16,000000000,5,01,202406,0,0,02,0,12,0,0,0,B94,MAPLE SCHOOL",
    "970000003,ORDER OF THE WOODEN SPOON,,3 OAK ST,BURLINGTON,VT,05401-0000,0000,08,3,1000,196001,2,00,000000000,5,01,,0,0,02,0,12,,,,,SPOON LODGE 7",
    "970000004,\"QUOTED, NAME AND SONS FOUNDATION\",,4 ASH ST,CHEYENNE,WY,82001-0000,0000,03,3,1000,198007,1,04,000000000,1,01,202312,6,4,00,1,12,2500000,120000,,T20,",
];

/// A folder with a file of a master file's rows in it, and room for a data directory.
pub struct Fixture {
    folder: TempDir,
}

impl Fixture {
    pub fn new() -> Self {
        let fixture = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir(fixture.inputs()).unwrap();
        fixture.write_master("eo_test.csv", &MASTER_ROWS);
        fixture
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn inputs(&self) -> PathBuf {
        self.path("inputs")
    }

    pub fn data_dir(&self) -> PathBuf {
        self.path("data")
    }

    pub fn write_master(&self, name: &str, rows: &[&str]) {
        let mut text = format!("{MASTER_HEADER}\r\n");
        rows.iter().for_each(|row| text.extend([row, "\r\n"]));
        std::fs::write(self.inputs().join(name), text).unwrap();
    }

    /// Builds the inputs into the data directory.
    pub fn build(&self) -> Ran {
        let (data_dir, inputs) = (self.data_dir(), self.inputs());
        run(&["build", "--no-semantic", "--data-dir", text(&data_dir), text(&inputs)])
    }

    pub fn get(&self, path: &str) -> Ran {
        run(&["get", "--data-dir", text(&self.data_dir()), path])
    }
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// How a run of the program ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Asserts that it failed with a code, and one line of error that holds all of `parts`.
    #[track_caller]
    pub fn fails(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{self:?}");
        let line = self.err.lines().last().unwrap_or_default();
        assert!(line.starts_with("almoner: "), "{self:?}");
        for part in parts {
            assert!(line.contains(part), "expected {part:?} in: {line}");
        }
        assert!(!self.err.contains("panicked"), "{self:?}");
    }

    #[track_caller]
    pub fn succeeds(&self) -> &str {
        assert_eq!(self.code, Some(0), "{self:?}");
        &self.out
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

pub fn run(arguments: &[&str]) -> Ran {
    let output = command(arguments).output().unwrap();
    let Output { status, stdout, stderr } = output;
    Ran {
        code: status.code(),
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
    }
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_almoner"));
    command.args(arguments);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("ALMONER_")) {
        command.env_remove(name);
    }
    command
}
