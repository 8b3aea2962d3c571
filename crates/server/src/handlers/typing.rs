//! Edits while the user types.
//!
//! Input: the typed character, and its position. Output: edits in the types of the protocol. Invariant: a character
//! that was not announced gets no edits.

use nodewise_ide::on_type;
use tower_lsp_server::ls_types as lsp;

use crate::request::Asked;

/// The character after which the next line is indented.
pub(crate) const LINE_BREAK: &str = "\n";

/// `textDocument/onTypeFormatting`
pub(crate) fn on_type(
    asked: &Asked<'_>,
    parameters: &lsp::DocumentOnTypeFormattingParams,
) -> Option<Vec<lsp::TextEdit>> {
    if parameters.ch != LINE_BREAK {
        return None;
    }
    let (file, position) = asked.at_document(&parameters.text_document_position)?;
    let step = usize::try_from(parameters.options.tab_size).unwrap_or_default().clamp(1, 16);
    let edits = on_type::on_new_line(file.snapshot(), position, step);
    Some(edits.into_iter().map(|edit| file.edit(edit.range, edit.text)).collect())
}
