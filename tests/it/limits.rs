//! The table of limits in SECURITY.md, against the constants, and the other way round.

use almoner::{
    build, embed, http, index, irs::efile, language_model, matching, objects, rank, reader, search,
    understand,
};

#[test]
fn security_md_tells_the_limits_as_they_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/SECURITY.md");
    let document = std::fs::read_to_string(path).unwrap();
    let seconds = |duration: std::time::Duration| format!("{} s", duration.as_secs());
    let milliseconds = |duration: std::time::Duration| format!("{} ms", duration.as_millis());
    let kib = |bytes: usize| format!("{} KiB", bytes / 1024);
    let limits = [
        ("CONNECTIONS_MAX", http::CONNECTIONS_MAX.to_string()),
        ("HEAD_TIMEOUT", seconds(http::HEAD_TIMEOUT)),
        ("SEND_BUFFER_BYTES", kib(http::SEND_BUFFER_BYTES as usize)),
        ("HEAD_BYTES_MAX", kib(http::HEAD_BYTES_MAX)),
        ("TARGET_BYTES_MAX", kib(http::TARGET_BYTES_MAX)),
        ("SEARCH_TARGET_BYTES_MAX", kib(http::SEARCH_TARGET_BYTES_MAX)),
        ("HEADER_BYTES_MAX", kib(http::HEADER_BYTES_MAX)),
        ("BODY_BYTES_MAX", kib(http::BODY_BYTES_MAX)),
        ("SUBMISSION_BYTES_MAX", kib(http::SUBMISSION_BYTES_MAX)),
        ("QUERIES_MAX", http::QUERIES_MAX.to_string()),
        ("PARTS_MAX", http::PARTS_MAX.to_string()),
        ("PART_HEAD_BYTES_MAX", kib(http::PART_HEAD_BYTES_MAX)),
        ("CALLBACK_CHARACTERS_MAX", http::CALLBACK_CHARACTERS_MAX.to_string()),
        ("BODIES_BYTES_MAX", kib(http::BODIES_BYTES_MAX)),
        ("BODIES_OF_CLIENT_BYTES_MAX", kib(http::BODIES_OF_CLIENT_BYTES_MAX)),
        ("PACE_TIME", seconds(http::PACE_TIME)),
        ("EXPORTS_MAX", http::EXPORTS_MAX.to_string()),
        ("EXPORT_TIME_MAX", seconds(http::EXPORT_TIME_MAX)),
        ("KEYED_CPU_MAX", milliseconds(http::KEYED_CPU_MAX)),
        ("KEYLESS_CPU_MAX", milliseconds(http::KEYLESS_CPU_MAX)),
        ("COUNTED_CPU", milliseconds(http::COUNTED_CPU)),
        ("MCP_MESSAGE_BYTES_MAX", kib(http::MCP_MESSAGE_BYTES_MAX)),
        ("REQUEST_DEADLINE", seconds(http::REQUEST_DEADLINE)),
        ("JOBS_WAITING_MAX", http::JOBS_WAITING_MAX.to_string()),
        ("JOBS_OF_CLIENT_MAX", http::JOBS_OF_CLIENT_MAX.to_string()),
        ("WAIT_MAX", seconds(http::WAIT_MAX)),
        ("WRITE_TIMEOUT", seconds(http::WRITE_TIMEOUT)),
        ("DRAIN_MAX", seconds(http::DRAIN_MAX)),
        ("UNKNOWN_PLACES_MAX", search::gaps::UNKNOWN_PLACES_MAX.to_string()),
        ("SIZE_MAX", search::listing::SIZE_MAX.to_string()),
        ("DIMENSIONS_MAX", index::columns::DIMENSIONS_MAX.to_string()),
        ("LIMIT_MAX", search::typeahead::LIMIT_MAX.to_string()),
        ("CANDIDATES_MAX", search::candidates::CANDIDATES_MAX.to_string()),
        ("AROUND_MAX", search::candidates::AROUND_MAX.to_string()),
        ("READ_MAX", rank::READ_MAX.to_string()),
        ("KEY_FILE_BYTES_MAX", kib(http::keys::KEY_FILE_BYTES_MAX as usize)),
        ("PAIR_TOKENS_MAX", embed::PAIR_TOKENS_MAX.to_string()),
        ("OF_CODE_MAX", search::candidates::OF_CODE_MAX.to_string()),
        ("KEPT_MAX", index::changes::KEPT_MAX.to_string()),
        ("SNAPSHOTS_MAX", index::changes::SNAPSHOTS_MAX.to_string()),
        ("LISTED_MAX", index::causes::LISTED_MAX.to_string()),
        ("QUERY_WORDS_MAX", index::fulltext::QUERY_WORDS_MAX.to_string()),
        ("TERMS_MAX", index::names::TERMS_MAX.to_string()),
        ("STEPS_MAX", index::names::STEPS_MAX.to_string()),
        ("QUERY_CHARACTERS_MAX", understand::QUERY_CHARACTERS_MAX.to_string()),
        ("MESSAGE_CHARACTERS_MAX", search::chat::MESSAGE_CHARACTERS_MAX.to_string()),
        ("TOKENS_MAX", reader::TOKENS_MAX.to_string()),
        ("NAME_CHARACTERS_MAX", matching::NAME_CHARACTERS_MAX.to_string()),
        ("SESSIONS_MAX", understand::SESSIONS_MAX.to_string()),
        ("SESSION_BYTES_MAX", kib(understand::SESSION_BYTES_MAX)),
        ("SESSION_AGE_MAX", seconds(understand::SESSION_AGE_MAX)),
        ("OTHER_NAMES_MAX", embed::recipe::OTHER_NAMES_MAX.to_string()),
        ("ROWS_MAX", efile::ROWS_MAX.to_string()),
        ("VALUE_BYTES_MAX", kib(efile::VALUE_BYTES_MAX)),
        ("FALL_MAX_PERCENT", format!("{} %", build::FALL_MAX_PERCENT)),
        ("CURRENT_BYTES_MAX", kib(objects::CURRENT_BYTES_MAX as usize)),
        ("FILES_MAX", objects::FILES_MAX.to_string()),
        ("SNAPSHOT_BYTES_MAX", format!("{} GiB", objects::SNAPSHOT_BYTES_MAX >> 30)),
        ("KEEP_MAX", objects::KEEP_MAX.to_string()),
        ("LIMIT_MS_MAX", format!("{} s", language_model::LIMIT_MS_MAX / 1_000)),
        ("CONTEXT_TOKENS_MAX", language_model::CONTEXT_TOKENS_MAX.to_string()),
        ("COMPOSED_BYTES_MAX", language_model::COMPOSED_BYTES_MAX.to_string()),
        ("ANSWER_BYTES_MAX", kib(language_model::ANSWER_BYTES_MAX)),
        ("ACTS_MAX", language_model::ACTS_MAX.to_string()),
        ("DIMS_MAX", index::vectors::DIMS_MAX.to_string()),
    ];
    let (_, table) = document.split_once("| Limit | Value | Of what |").unwrap();
    let table: Vec<&str> =
        table.lines().skip(2).take_while(|line| line.starts_with("| ")).collect();
    for (name, value) in &limits {
        let row = format!("| `{name}` | {value} |");
        let is_told = table.iter().any(|line| line.starts_with(&row));
        assert!(is_told, "SECURITY.md has no row that begins {row}");
    }
    for line in &table {
        let is_known = limits.iter().any(|(name, _)| line.starts_with(&format!("| `{name}` |")));
        assert!(is_known, "no constant is held against the row {line}");
    }
}
