//! Messages of a conversation, a line each: whatever is said, each is answered, and only by members that
//! its intent may fill.

#![no_main]

use std::sync::OnceLock;

use almoner::search::chat::{Intent, Question, answer};
use almoner::understand::QUERY_CHARACTERS_MAX;
use almoner::snapshot::{self, Snapshot};
use almoner::understand::{Conversation, Frame};
use almoner::{build, fictional};
use libfuzzer_sys::fuzz_target;

/// A small snapshot, built once.
fn snapshot() -> &'static Snapshot {
    static SNAPSHOT: OnceLock<Snapshot> = OnceLock::new();
    SNAPSHOT.get_or_init(|| {
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
            without: Vec::new(),
            reject_limit_percent: None,
            fall_max_percent: None,
            feed_ein: None,
        };
        build::build(&options, &build::NoProgress).expect("fictional data builds");
        let opened = snapshot::open(&data_dir).expect("what was built opens");
        // Linux keeps mapped files until they are unmapped.
        let _ = std::fs::remove_dir_all(&folder);
        opened
    })
}

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let explicit = Frame::default();
    let mut conversation = Conversation::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let message: String = line.chars().take(QUERY_CHARACTERS_MAX).collect();
        let question =
            Question { message: &message, explicit: &explicit, earlier: Some(&conversation), language_model: None };
        let found = answer(snapshot(), &question).expect("the snapshot is whole");
        assert!(!found.message.is_empty(), "{message:?}");
        let of_nonprofits = matches!(
            found.intent,
            Intent::FindNonprofits | Intent::SimilarNonprofits | Intent::NonprofitDetails
        );
        assert!(of_nonprofits || found.nonprofits.is_empty(), "{message:?}");
        assert!(found.intent == Intent::FindArticles || found.articles.is_empty(), "{message:?}");
        assert!(found.intent == Intent::Knowledge || found.sources.is_empty(), "{message:?}");
        conversation = found.next;
    }
});
