//! Returns that were extracted, and vectors that were made elsewhere: a build from them is the build from the files.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::fixture::{Ran, run, text};

/// A folder of fictional inputs: lists, and returns as ZIP or files, one of which is none.
struct Inputs {
    folder: tempfile::TempDir,
}

impl Inputs {
    fn new() -> Self {
        let inputs = Self { folder: tempfile::tempdir().unwrap() };
        let generated = inputs.path("generated");
        let sizes = ["--organizations", "400", "--returns", "60"];
        run(&[&["generate"], &sizes[..], &[text(&generated)]].concat()).succeeds();
        // Half of them in a ZIP file, the others in a folder: two sources.
        let loose = inputs.path("returns/loose");
        fs::create_dir(inputs.path("returns")).unwrap();
        fs::rename(generated.join("returns"), &loose).unwrap();
        let mut zip = ZipWriter::new(fs::File::create(inputs.path("returns/a.zip")).unwrap());
        for path in files(&loose).iter().step_by(2) {
            let name = path.file_name().unwrap().to_str().unwrap();
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(&fs::read(path).unwrap()).unwrap();
            fs::remove_file(path).unwrap();
        }
        zip.start_file("cut.xml", SimpleFileOptions::default()).unwrap();
        zip.write_all(b"<Return xmlns=\"http://www.irs.gov/efile\">").unwrap();
        zip.finish().unwrap();
        let root = "<?xml version=\"1.0\"?><Return xmlns=\"http://www.irs.gov/efile\">";
        fs::write(loose.join("202399999349300001_public.xml"), format!("{root}<cut")).unwrap();
        fs::write(loose.join("202399999349300002_public.xml"), format!("{root}</Return>")).unwrap();
        inputs
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Builds from the lists and a folder that has the returns, in a form or another.
    fn build(&self, data: &str, returns: &str, more: &[&str]) -> Ran {
        let (data, generated, returns) =
            (self.path(data), self.path("generated"), self.path(returns));
        let build = ["build", "--data-dir", text(&data), text(&generated), text(&returns)];
        run(&[&build[..], more].concat())
    }

    fn extract(&self, part: &str, to: &str) -> Ran {
        let (returns, output) = (self.path("returns"), self.path(to));
        run(&["extract", "--part", part, "--output", text(&output), text(&returns)])
    }
}

/// Every file below a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// The files of the published snapshot by name; of its manifest all but when it was built.
fn snapshot(data: &Path) -> BTreeMap<String, Vec<u8>> {
    let current: Vec<PathBuf> =
        fs::read_dir(data.join("snapshots")).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [snapshot] = &current[..] else { panic!("{current:?}") };
    let mut all = BTreeMap::new();
    for path in files(snapshot) {
        let name = text(path.strip_prefix(snapshot).unwrap()).to_owned();
        let mut bytes = fs::read(&path).unwrap();
        if name == "manifest.json" {
            let mut manifest: Value = serde_json::from_slice(&bytes).unwrap();
            let known = manifest.as_object_mut().unwrap();
            assert!(known.remove("snapshot").is_some() && known.remove("built_at").is_some());
            bytes = manifest.to_string().into_bytes();
        }
        all.insert(name, bytes);
    }
    all
}

#[track_caller]
fn same(one: &Path, other: &Path) {
    let (one, other) = (snapshot(one), snapshot(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(*bytes == other[name], "{name} differs");
    }
}

#[cfg(not(feature = "tables"))]
#[test]
fn extracting_needs_the_feature() {
    let inputs = Inputs::new();
    inputs.extract("1/1", "a.parquet").fails(2, &["feature tables", "cargo install"]);
    // What other programs wrote is left out, what was extracted is not.
    let (returns, other) = (inputs.path("returns"), inputs.path("returns/other.parquet"));
    fs::write(&other, b"PAR1 of another program PAR1").unwrap();
    inputs.build("data", "returns", &["--no-semantic"]).succeeds();
    fs::write(returns.join("part.parquet"), b"PAR1 almoner.extract PAR1").unwrap();
    let refused = inputs.build("data", "returns", &["--no-semantic"]);
    refused.fails(1, &["part.parquet", "feature tables"]);
}

#[cfg(feature = "tables")]
mod with_parquet {
    use super::*;

    #[test]
    fn a_build_from_extracted_returns_is_that_from_the_files() {
        let inputs = Inputs::new();
        inputs.build("local", "returns", &["--no-semantic"]).succeeds();
        fs::create_dir(inputs.path("extracted")).unwrap();
        for part in 1..=3 {
            let to = format!("extracted/part-{part}.parquet");
            inputs.extract(&format!("{part}/3"), &to).succeeds();
            let first = fs::read(inputs.path(&to)).unwrap();
            inputs.extract(&format!("{part}/3"), &to).succeeds();
            assert!(first == fs::read(inputs.path(&to)).unwrap(), "the same bytes");
        }
        let built = inputs.build("parts", "extracted", &["--no-semantic"]);
        assert!(built.succeeds().contains("rejects"), "{built:?}");
        same(&inputs.path("local"), &inputs.path("parts"));
        let list = |data: &str| fs::read_to_string(inputs.path(data).join("rejects.ndjson"));
        let rejects = list("parts").unwrap();
        assert_eq!(rejects, list("local").unwrap());
        for name in ["202399999349300001_public.xml", "a.zip!cut.xml"] {
            assert!(rejects.contains(name), "{rejects}");
        }

        // Without people as from the files.
        let options = ["--no-semantic", "--without", "people"];
        inputs.build("few", "returns", &options).succeeds();
        inputs.build("few-parts", "extracted", &options).succeeds();
        same(&inputs.path("few"), &inputs.path("few-parts"));

        let refused = inputs.extract_again();
        refused.fails(1, &["extracted returns already"]);
    }

    #[test]
    fn what_is_no_whole_extraction_is_refused() {
        let inputs = Inputs::new();
        fs::create_dir(inputs.path("extracted")).unwrap();
        for part in ["1", "2"] {
            inputs.extract(&format!("{part}/2"), &format!("extracted/{part}.parquet")).succeeds();
        }
        let second = inputs.path("extracted/2.parquet");
        let whole = fs::read(&second).unwrap();
        let build = || inputs.build("data", "extracted", &["--no-semantic"]);

        fs::remove_file(&second).unwrap();
        build().fails(1, &["part 2 of the 2", "--part 2/2"]);

        fs::write(&second, &whole[..whole.len() / 2]).unwrap();
        build().fails(1, &["2.parquet", "no whole Parquet file", "write it again"]);

        let older = replaced(&whole, b"{\"form\":1,", b"{\"form\":0,");
        fs::write(&second, older).unwrap();
        build().fails(1, &["2.parquet", "form 0, expected form 1", "write them again"]);

        // Records are hashed: damage is an error, never another return.
        let mut damaged = whole.clone();
        (2_000..whole.len() / 2).step_by(997).for_each(|at| damaged[at] ^= 0x10);
        fs::write(&second, damaged).unwrap();
        build().fails(1, &["2.parquet"]);

        fs::write(&second, &whole).unwrap();
        fs::write(inputs.path("extracted/3.parquet"), &whole).unwrap();
        build().fails(1, &["3.parquet", "give it once"]);

        fs::remove_file(inputs.path("extracted/3.parquet")).unwrap();
        build().succeeds();
    }

    #[test]
    fn parts_and_places_that_make_no_sense_are_refused() {
        let inputs = Inputs::new();
        inputs.extract("3/2", "a.parquet").fails(2, &["--part", "3/16", "found \"3/2\""]);
        inputs.extract("1/1", "absent/a.parquet").fails(1, &["its folder must exist"]);
        let (lists, output) = (inputs.path("generated"), inputs.path("a.parquet"));
        run(&["extract", "--output", text(&output), text(&lists)])
            .fails(1, &["no input has returns"]);
        assert!(!output.exists());
    }

    impl Inputs {
        fn extract_again(&self) -> Ran {
            let (extracted, output) = (self.path("extracted"), self.path("again.parquet"));
            run(&["extract", "--output", text(&output), text(&extracted)])
        }
    }

    fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
        let at = bytes.windows(from.len()).position(|found| found == from).unwrap();
        [&bytes[..at], to, &bytes[at + from.len()..]].concat()
    }
}

#[test]
fn vectors_made_elsewhere_are_those_of_a_build() {
    let inputs = Inputs::new();
    inputs.build("local", "returns", &["--wait-for-vectors"]).succeeds();
    let texts = inputs.path("texts");
    let listed = inputs.build("shared", "returns", &["--texts", text(&texts)]);
    assert!(listed.succeeds().contains("without vectors"), "{listed:?}");
    assert!(!inputs.path("shared/CURRENT").exists(), "nothing was published");
    let lines = fs::read_to_string(&texts).unwrap();
    let lines: Vec<&str> = lines.lines().collect();
    fs::create_dir(inputs.path("vectors")).unwrap();
    for (number, some) in lines.chunks(lines.len().div_ceil(2)).enumerate() {
        let (part, output) =
            (inputs.path(&format!("part-{number}")), inputs.path(&format!("vectors/{number}")));
        fs::write(&part, some.join("\n")).unwrap();
        run(&["embed", "--json", "--output", text(&output), text(&part)]).succeeds();
    }
    let vectors = inputs.path("vectors");
    let built = inputs.build("shared", "returns", &["--wait-for-vectors", text(&vectors)]);
    assert!(built.succeeds().contains("embedded now: 0 "), "{built:?}");
    same(&inputs.path("local"), &inputs.path("shared"));

    // What is cut off is embedded again.
    let first = vectors.join("0");
    let bytes = fs::read(&first).unwrap();
    fs::write(&first, &bytes[..bytes.len() - 7]).unwrap();
    let built = inputs.build("cut", "returns", &["--wait-for-vectors", text(&vectors)]);
    assert!(built.succeeds().contains("damaged or cut off; embedded again"), "{built:?}");
    same(&inputs.path("local"), &inputs.path("cut"));

    // Those of another model are refused.
    fs::write(&first, [&bytes[..16], &[0; 64]].concat()).unwrap();
    let refused = inputs.build("other", "returns", &["--wait-for-vectors", text(&vectors)]);
    refused.fails(1, &["vectors of another model", "embed --output"]);
    let part = inputs.path("part-0");
    fs::write(&part, "no JSON\n").unwrap();
    let refused = run(&["embed", "--json", "--output", text(&inputs.path("v")), text(&part)]);
    refused.fails(1, &["expected a JSON string", "no JSON"]);
    assert!(!inputs.path("v").exists());
}
