//! Whether the list shown is wanted as a file, which the chat does not write.

use super::says_any;
use crate::naming::normalise;
use crate::reader::{Message, Role, Span};
use crate::understand::{opens_with, says, tells};

/// Whether the list shown is to be saved, printed or put into a file: `export as csv`, `give me that as a spreadsheet`.
pub(super) fn handles_list(text: &str, message: &Message) -> bool {
    let favors = ["asks a favor", "asks for a file"];
    let handles = opens_with(text, "handles a list")
        || (says(text, "handles a list") && says_any(text, &favors));
    // `a table with EINs`: the columns are nothing that is sought.
    let is_column = |words: &str| {
        normalise(words).split(' ').all(|word| !tells(word) || says(word, "word of a file"))
    };
    let finds = |span: &Span| {
        let is_sought = matches!(
            span.role,
            Role::Cause | Role::Name | Role::Place | Role::Foundation | Role::Subsection
        );
        is_sought && !is_column(&text[span.bytes.clone()])
    };
    handles && !says(text, "tax form") && !message.spans.iter().any(finds)
}
