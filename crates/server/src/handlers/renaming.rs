//! Other names for things.
//!
//! Input: a position, a name. Output: edits. Invariant: what cannot be renamed is refused with the reason.

use nodewise_analysis::diagnostic::Edit;
use nodewise_ide::actions::SourceChange;
use nodewise_ide::rename::{self, FileEdits, Refusal, RenameOptions};
use nodewise_model::Origin;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::ls_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit,
};

use crate::backend::Asked;
use crate::convert;

/// The protocol's code for a request that was understood and cannot be done.
const REQUEST_FAILED: i64 = -32803;

/// `textDocument/prepareRename`
pub(crate) fn prepare(
    asked: &Asked<'_>,
    parameters: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let Some((file, position)) = asked.at(parameters) else { return Ok(None) };
    let name = rename::prepare_rename(file.snapshot(), position).map_err(refused)?;
    let placeholder = name.name.to_string();
    Ok(file.span(name.at).map(|range| PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

/// `textDocument/rename`
pub(crate) fn rename(asked: &Asked<'_>, parameters: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some((file, position)) = asked.at(&parameters.text_document_position) else { return Ok(None) };
    let options = RenameOptions { comments: asked.view.options.rename_comments };
    let found = rename::rename(file.snapshot(), position, &parameters.new_name, options).map_err(refused)?;
    let edits = found.into_iter().flat_map(|FileEdits { source, edits }| {
        edits.into_iter().map(move |edit| Edit { at: Origin::new(source, edit.range), text: edit.text })
    });
    let change = SourceChange { edits: edits.collect(), new_files: Vec::new() };
    Ok(convert::edits::workspace_edit(&file, &change, asked.abilities))
}

fn refused(refusal: Refusal) -> Error {
    Error { code: ErrorCode::ServerError(REQUEST_FAILED), message: refusal.reason.into(), data: None }
}
