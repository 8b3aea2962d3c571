//! Formatting on request.
//!
//! Input: a document, perhaps ranges of it. Output: edits in the types of the protocol. Invariant: the options are the
//! project's and not the editor's, so `nodewise fmt` changes nothing afterwards.

use nodewise_format::FormatRefusal;
use nodewise_ide::formatting;
use nodewise_syntax::edit::TextEdit;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::{self as lsp, Uri};

use super::request_failed;
use crate::request::{Asked, File};

/// The result: edits, or the reason why the document does not change.
type Edits = Result<Option<Vec<lsp::TextEdit>>>;

/// `textDocument/formatting`
pub(crate) fn document(asked: &Asked<'_>, uri: &Uri) -> Edits {
    let Some(file) = asked.document(uri) else { return Ok(None) };
    let found = formatting::whole(file.snapshot(), file.source(), &file.project.format);
    edits(&file, found)
}

/// `textDocument/rangeFormatting`
pub(crate) fn range(asked: &Asked<'_>, uri: &Uri, range: lsp::Range) -> Edits {
    let Some(file) = asked.document(uri) else { return Ok(None) };
    let wanted = file.text_range(range);
    let found = formatting::part(file.snapshot(), file.source(), wanted, &file.project.format);
    edits(&file, found)
}

/// If the text is broken, which is normal while the user types, nothing changes and no error is shown. Other reasons
/// are returned as an error.
fn edits(file: &File<'_>, found: std::result::Result<Vec<TextEdit>, FormatRefusal>) -> Edits {
    match found {
        Ok(edits) => Ok(Some(edits.into_iter().map(|edit| file.edit(edit.range, edit.text)).collect())),
        Err(FormatRefusal::Broken(_)) => Ok(None),
        Err(FormatRefusal::Doubted(failure)) => {
            Err(request_failed(format!("nodewise does not format this file: {failure}")))
        }
    }
}
