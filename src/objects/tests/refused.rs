//! What is published and cannot be served, and what is no file at all.

use std::os::unix::fs::symlink;
use std::process::Command;

use super::*;

#[test]
fn what_cannot_be_opened_is_not_published() {
    let bench = Bench::new();
    for (snapshot, text) in [(FIRST, "one"), (SECOND, "two")] {
        bench.build("data", snapshot, &[("columns", text.as_bytes())]);
        bench.push("data").unwrap();
        bench.pull().unwrap();
    }
    let refused = |served: &[(&str, &[u8])]| {
        let error = bench.strict().pull(&bench.path("replica")).unwrap_err();
        assert!(matches!(error, ObjectsError::Unusable { .. }), "{error}");
        assert!(error.is_of_content());
        bench.assert_serves(SECOND, served);
    };
    // A new one, whose files are as its manifest says and no snapshot.
    let second: &[(&str, &[u8])] = &[("columns", b"two")];
    bench.build("data", THIRD, &[("columns", b"three")]);
    bench.push("data").unwrap();
    refused(second);
    refused(second);
    // One that is here already, to which the store goes back.
    bench.build("data", FIRST, &[("columns", b"one")]);
    bench.push("data").unwrap();
    refused(second);
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    let bench = Bench::new();
    bench.build("data", FIRST, &[("columns", b"one")]);
    bench.push("data").unwrap();
    let object = bench.object(b"one");
    let refused = || {
        let error = bench.pull().unwrap_err();
        assert!(error.to_string().contains("is no regular file"), "{error}");
        assert!(crate::snapshot::current(&bench.path("replica")).is_err());
    };
    fs::remove_file(&object).unwrap();
    assert!(Command::new("mkfifo").arg(&object).status().unwrap().success());
    // Whoever opens the pipe would wait without this.
    let writer = File::options().read(true).write(true).open(&object).unwrap();
    refused();
    drop(writer);
    let current = bench.path("store/CURRENT");
    let of_current = fs::read(&current).unwrap();
    for (path, bytes) in [(&object, &b"one"[..]), (&current, &of_current)] {
        fs::remove_file(path).unwrap();
        symlink("/dev/zero", path).unwrap();
        refused();
        fs::remove_file(path).unwrap();
        fs::create_dir(path).unwrap();
        refused();
        fs::remove_dir(path).unwrap();
        fs::write(path, bytes).unwrap();
    }
    bench.pull().unwrap();
    bench.assert_serves(FIRST, &[("columns", b"one")]);
}
