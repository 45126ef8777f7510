//! What a request may be: its size, and how long it may take. The description of the interface states
//! these limits too.

use std::time::Duration;

/// Longest path and query: a chat message of 2,000 characters of four bytes, percent-encoded, has 24,000 bytes.
pub const TARGET_BYTES_MAX: usize = 32 * 1024;
/// Longest path and query that is worked on as a search; a longer one is text, of which every word is read, and waits
/// with the lists.
pub const SEARCH_TARGET_BYTES_MAX: usize = 1024;
/// Most bytes of header names and values: ten times what browsers send.
pub const HEADER_BYTES_MAX: usize = 16 * 1024;
/// Most headers: hyper's own limit, which it is left at.
pub(crate) const HEADERS_MAX: usize = 100;
/// Bytes of a request's body that are read and dropped: GETs carry none, and a client that sends
/// an empty object by habit is still answered.
pub const BODY_BYTES_MAX: usize = 4 * 1024;
/// Most bytes of a body that is asked for: 500 queries of some 2 KiB.
pub const SUBMISSION_BYTES_MAX: usize = 1 << 20;
/// Longest message of the Model Context Protocol: 500 rows of a list to match, each with its address, of half a
/// kilobyte.
pub const MCP_MESSAGE_BYTES_MAX: usize = 256 * 1024;
/// How long a request may take from its head to its answer, waiting included: a client that hears
/// nothing for that long has mostly given up.
pub const REQUEST_DEADLINE: Duration = Duration::from_secs(10);
/// Longest request identifier taken over from a client, as the contract says.
pub(crate) const REQUEST_ID_MAX: usize = 64;
