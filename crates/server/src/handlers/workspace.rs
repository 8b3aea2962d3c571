//! Folders, files on disk, settings.
//!
//! Input: notifications. Output: events. Invariant: nothing is awaited, so they keep their order.

use tower_lsp_server::ls_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeConfigurationParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, RenameFilesParams, WorkspaceFolder,
};

use crate::options::{SECTION, UserSettings};
use crate::session::Event;

/// `workspace/didChangeWorkspaceFolders`
pub(crate) fn did_change_folders(parameters: DidChangeWorkspaceFoldersParams) -> Event {
    let uris = |folders: Vec<WorkspaceFolder>| {
        folders.into_iter().map(|folder| folder.uri.as_str().to_owned()).collect()
    };
    Event::Folders { added: uris(parameters.event.added), removed: uris(parameters.event.removed) }
}

/// `workspace/didChangeWatchedFiles`
pub(crate) fn did_change_watched_files(parameters: DidChangeWatchedFilesParams) -> Event {
    Event::Touched(parameters.changes.iter().map(|change| change.uri.as_str().to_owned()).collect())
}

/// `workspace/didCreateFiles`
pub(crate) fn did_create(parameters: CreateFilesParams) -> Event {
    Event::Touched(parameters.files.into_iter().map(|file| file.uri).collect())
}

/// `workspace/didRenameFiles`
pub(crate) fn did_rename(parameters: RenameFilesParams) -> Event {
    Event::Touched(parameters.files.into_iter().flat_map(|file| [file.old_uri, file.new_uri]).collect())
}

/// `workspace/didDeleteFiles`
pub(crate) fn did_delete(parameters: DeleteFilesParams) -> Event {
    Event::Touched(parameters.files.into_iter().map(|file| file.uri).collect())
}

/// `workspace/didChangeConfiguration`. The settings, if the client sends them. Otherwise the server requests them.
pub(crate) fn did_change_configuration(parameters: &DidChangeConfigurationParams) -> Option<Event> {
    let section = parameters.settings.get(SECTION)?;
    section.is_object().then(|| Event::Options(UserSettings::read(section)))
}
