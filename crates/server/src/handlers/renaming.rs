//! Renaming.
//!
//! Input: a position, a name. Output: edits. Invariant: if a name cannot be changed, the error says why.

use nodewise_analysis::diagnostic::Edit;
use nodewise_ide::actions::SourceChange;
use nodewise_ide::names::name_at;
use nodewise_ide::position::FilePosition;
use nodewise_ide::rename::{self, FileEdits, FileMove, RenameOptions, RenameRefusal};
use nodewise_model::Origin;
use nodewise_project::paths;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{
    PrepareRenameResponse, RenameFilesParams, RenameParams, TextDocumentPositionParams, WorkspaceEdit,
};

use super::{edits, request_failed};
use crate::request::{Asked, File};
use crate::uri;
use crate::view::ProjectView;

/// `textDocument/prepareRename`
pub(crate) fn prepare(
    asked: &Asked<'_>,
    parameters: &TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>> {
    let Some((file, position)) = asked.at(parameters) else { return Ok(None) };
    if is_of_program(&file, position) {
        return Ok(None);
    }
    let name = rename::prepare_rename(file.snapshot(), position).map_err(refused)?;
    let placeholder = name.name.to_string();
    Ok(file.span(name.at).map(|range| PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

/// `textDocument/rename`
pub(crate) fn rename(asked: &Asked<'_>, parameters: &RenameParams) -> Result<Option<WorkspaceEdit>> {
    let Some((file, position)) = asked.at(&parameters.text_document_position) else {
        return Ok(None);
    };
    if is_of_program(&file, position) {
        return Ok(None);
    }
    let options = RenameOptions { comments: asked.view.options.rename_comments };
    let found = rename::rename(file.snapshot(), position, &parameters.new_name, options).map_err(refused)?;
    Ok(edits::workspace_edit(&file, &change(found), asked.abilities))
}

/// `workspace/willRenameFiles`: updates function paths to renamed programs.
pub(crate) fn files(asked: &Asked<'_>, parameters: &RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
    let moved = |project: &ProjectView| -> Vec<FileMove> {
        let relative = |uri: &str| {
            let path = uri::to_path(uri)?;
            Some(paths::slashed(path.strip_prefix(project.root.as_deref()?).ok()?))
        };
        let moves = parameters.files.iter();
        moves
            .filter_map(|one| Some(FileMove { from: relative(&one.old_uri)?, to: relative(&one.new_uri)? }))
            .collect()
    };
    let mut whole: Option<WorkspaceEdit> = None;
    for project in asked.view.projects.values() {
        let moves = moved(project);
        let found = match moves.is_empty() {
            true => Vec::new(),
            false => rename::rename_files(&asked.snapshot(project), &moves).map_err(refused)?,
        };
        let Some(first) = found.first() else { continue };
        let Some(file) = asked.file_in(project, first.source) else { continue };
        let edit = edits::workspace_edit(&file, &change(found), asked.abilities);
        // A file is in one project only, so the first project with edits has all of them.
        whole = whole.or(edit);
    }
    Ok(whole)
}

/// Whether a position in a module has no name of a graph, so that the program's own language answers.
fn is_of_program(file: &File<'_>, position: FilePosition) -> bool {
    file.facts.is_module() && name_at(file.snapshot(), position).is_none()
}

fn change(found: Vec<FileEdits>) -> SourceChange {
    let edits = found.into_iter().flat_map(|FileEdits { source, edits }| {
        edits.into_iter().map(move |edit| Edit { at: Origin::new(source, edit.range), text: edit.text })
    });
    SourceChange { edits: edits.collect(), ..SourceChange::default() }
}

fn refused(refusal: RenameRefusal) -> Error {
    request_failed(refusal.reason)
}
