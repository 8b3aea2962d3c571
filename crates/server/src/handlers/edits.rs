//! Workspace edits in the types of the protocol.
//!
//! Input: a change, and what the client supports. Output: the protocol's edit. Invariant: an edit has the version of
//! each open document that it changes, if the client supports versions.

use std::collections::BTreeMap;

use nodewise_ide::actions::SourceChange;
use tower_lsp_server::ls_types::{
    CreateFile, CreateFileOptions, DeleteFile, DocumentChangeOperation, DocumentChanges, OneOf,
    OptionalVersionedTextDocumentIdentifier, Position, Range, ResourceOp, TextDocumentEdit, TextEdit, Uri,
    WorkspaceEdit,
};

use crate::abilities::Abilities;
use crate::convert;
use crate::request::File;
use crate::uri;

/// A change in the protocol's type. `None` if this client cannot apply it.
pub(crate) fn workspace_edit(
    file: &File<'_>,
    change: &SourceChange,
    abilities: Abilities,
) -> Option<WorkspaceEdit> {
    let mut files: BTreeMap<Uri, Vec<TextEdit>> = BTreeMap::new();
    for edit in &change.edits {
        let (uri, range) = file.place(edit.at)?;
        files.entry(uri).or_default().push(TextEdit { range, new_text: edit.text.clone() });
    }
    if !abilities.document_changes {
        let is_of_texts = change.new_files.is_empty() && change.deleted_files.is_empty();
        let changes = is_of_texts.then(|| files.into_iter().collect())?;
        return Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    let edit = |(uri, edits): (Uri, Vec<TextEdit>)| {
        let version = file.version(uri.as_str());
        let edits = edits.into_iter().map(OneOf::Left).collect();
        TextDocumentEdit { text_document: OptionalVersionedTextDocumentIdentifier { uri, version }, edits }
    };
    let changes = if change.new_files.is_empty() && change.deleted_files.is_empty() {
        DocumentChanges::Edits(files.into_iter().map(edit).collect())
    } else {
        let mut operations = Vec::new();
        for new in &change.new_files {
            let root = file.project.root.as_deref().filter(|_| abilities.creates_files)?;
            let uri = convert::uri(&uri::from_path(&root.join(&new.path)))?;
            let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
            let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
            let start = Range::new(Position::new(0, 0), Position::new(0, 0));
            let text = TextEdit { range: start, new_text: new.text.clone() };
            operations.push(DocumentChangeOperation::Edit(edit((uri, vec![text]))));
        }
        operations.extend(files.into_iter().map(|one| DocumentChangeOperation::Edit(edit(one))));
        for source in &change.deleted_files {
            let path = abilities.deletes_files.then(|| file.path_of(*source)).flatten()?;
            let uri = convert::uri(&file.project.uri(&path)?)?;
            let delete = DeleteFile { uri, options: None, annotation_id: None };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Delete(delete)));
        }
        DocumentChanges::Operations(operations)
    };
    Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
}
