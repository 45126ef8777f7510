//! The target of a request: whatever path and query are asked of a small snapshot, the answer is
//! one of the contract and no fault of the server.

#![no_main]

use std::sync::{Arc, OnceLock};

use almoner::http::{App, Keys, Options, request_of};
use almoner::{build, fictional, snapshot};
use libfuzzer_sys::fuzz_target;

/// The service over a small snapshot, built once.
fn app() -> &'static App {
    static APP: OnceLock<App> = OnceLock::new();
    APP.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("almoner-fuzz-{}", std::process::id()));
        let (inputs, data_dir) = (folder.join("inputs"), folder.join("data"));
        let options = fictional::Options::new(300, 1);
        fictional::generate(&inputs, &options, &mut |_| {})
            .expect("the temporary folder is writable");
        let options = build::Options {
            data_dir: data_dir.clone(),
            inputs: vec![inputs],
            model: None,
            wait_for_vectors: false,
            reject_limit_percent: None,
            fall_max_percent: None,
            without: Vec::new(),
            feed_ein: None,
        };
        build::build(&options, &build::NoProgress).expect("fictional data builds");
        let app = App::new(Keys::none(), Options::default());
        app.swap(Arc::new(snapshot::open(&data_dir).expect("what was built opens")));
        // Linux keeps mapped files until they are unmapped.
        let _ = std::fs::remove_dir_all(&folder);
        app
    })
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let Some(request) = request_of(&text) else { return };
    let status = app().answer_trusted(request, Default::default()).status().as_u16();
    assert!(matches!(status, 200 | 404 | 405 | 414 | 422), "{status} for {text:?}");
});
