//! API keys on the command line: made, listed and revoked, in the data directory or in a folder of their own.

use std::fs;

use crate::commands::served;
use crate::fixture::{Fixture, run, text};

#[test]
fn keys_are_shown_once_and_listed_without_their_secret() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let data_dir = fixture.data_dir();
    let data_dir = text(&data_dir);
    let created = run(&["keys", "create", "--data-dir", data_dir, "--name", "first"]);
    let key = created.succeeds().trim().to_owned();
    assert!(key.len() >= 40 && !key.contains(char::is_whitespace), "{created:?}");
    let listed = run(&["keys", "list", "--data-dir", data_dir]);
    assert!(listed.succeeds().contains("first") && !listed.out.contains(&key), "{listed:?}");
    assert!(!fs::read_to_string(fixture.data_dir().join("keys.json")).unwrap().contains(&key));
    run(&["keys", "revoke", "--data-dir", data_dir, "no-such-id"]).fails(3, &["no-such-id"]);
    run(&["keys", "create", "--data-dir", data_dir, "--name", ""]).fails(2, &["name"]);
}

#[test]
fn keys_belong_to_a_data_directory() {
    let fixture = Fixture::new();
    let absent = fixture.path("absent");
    for action in [&["create", "--name", "me"][..], &["list"], &["revoke", "key_0"]] {
        let mut arguments = vec!["keys"];
        arguments.extend(action);
        arguments.extend(["--data-dir", text(&absent)]);
        run(&arguments).fails(1, &["does not exist", "almoner build"]);
    }
    assert!(!absent.exists());
}

#[test]
fn keys_may_have_a_folder_of_their_own() {
    let fixture = Fixture::new();
    fixture.build().succeeds();
    let (data_dir, folder) = (fixture.data_dir(), fixture.path("keys"));
    run(&["keys", "list", "--keys", text(&folder)]).fails(1, &["folder of keys"]);
    fs::create_dir(&folder).unwrap();
    let created = run(&["keys", "create", "--keys", text(&folder), "--name", "first"]);
    let key = created.succeeds().trim().to_owned();
    assert!(folder.join("keys.json").exists() && !data_dir.join("keys.json").exists());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--data-dir", text(&data_dir)];
    let path = "/nonprofits/details/970000001";
    for (arguments, status) in [(&[][..], 401), (&["--keys", text(&folder)], 200)] {
        let answer = served(&[&serve[..], arguments].concat(), &key, path);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
    }
    assert_eq!(run(&["keys", "list"]).code, Some(2));
}
