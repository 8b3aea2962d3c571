//! Updates names when files move: the paths of functions, and the file paths in scripts and scenarios. In: old and new
//! paths of files or folders. Out: the edits of declarations. The path of a function keeps its source root: a path that
//! started below `src` still does. The path of a file stays relative, or starts at the project's folder.

use nodewise_analysis::functions::Module;
use nodewise_analysis::python::module_path;
use nodewise_analysis::scenario_target::{folder_of, joined, relative};
use nodewise_analysis::workspace::Snapshot;
use smol_str::{SmolStr, format_smolstr};

use super::collect::Change;
use super::{FileEdits, RenameRefusal, write};
use crate::names::{Entity, names};

/// A file or folder that moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMove {
    /// The old path, relative to the project, with `/` between its parts.
    pub from: String,
    /// The new path.
    pub to: String,
}

/// The edits that keep references valid when files move.
pub fn rename_files(snapshot: &Snapshot, moves: &[FileMove]) -> Result<Vec<FileEdits>, RenameRefusal> {
    let mut changes = Vec::new();
    for (module, new_name) in moved_modules(snapshot, moves) {
        let last = module.name.rsplit('.').next().unwrap_or(&module.name);
        let finder = memchr::memmem::Finder::new(last.as_bytes());
        let files = snapshot.files().iter().take_while(|_| !snapshot.is_cancelled());
        let files = files.filter(|file| finder.find(file.text.as_bytes()).is_some());
        for one in files.flat_map(|file| names(snapshot, file.source)) {
            let Entity::Function { path } = &one.entity else { continue };
            let is_meant = snapshot.functions().module_of(path).is_some_and(|found| found == module);
            let length = snapshot.functions().module_length(path).filter(|_| is_meant);
            let Some((written, function)) = length.and_then(|length| path.split_at_checked(length)) else {
                continue;
            };
            let root = module.name.strip_suffix(written).unwrap_or_default();
            let new_module = new_name.strip_prefix(root).unwrap_or(&new_name);
            let text = format_smolstr!("{new_module}{function}");
            changes.push(Change { name: one, text });
        }
    }
    changes.extend(moved_paths(snapshot, moves));
    write::write(snapshot, changes, None)
}

/// The paths that change when files move: paths to these files, and paths inside of them.
fn moved_paths(snapshot: &Snapshot, moves: &[FileMove]) -> Vec<Change> {
    let mut changes = Vec::new();
    let files = snapshot.index().lettered().filter_map(|source| snapshot.file(source));
    for file in files.take_while(|_| !snapshot.is_cancelled()) {
        let new_file = new_path(moves, &file.path).unwrap_or_else(|| file.path.to_string());
        let folder = folder_of(&new_file);
        for one in names(snapshot, file.source) {
            let Entity::File { path } = &one.entity else { continue };
            let Some(to) = new_path(moves, path).or_else(|| snapshot.source(path).map(|_| path.to_string()))
            else {
                continue;
            };
            if joined(folder, &one.name) != to {
                let text = match one.name.starts_with('/') {
                    true => format_smolstr!("/{to}"),
                    false => SmolStr::new(relative(folder, &to)),
                };
                changes.push(Change { name: one, text });
            }
        }
    }
    changes
}

/// The new path of a file, if it moves.
fn new_path(moves: &[FileMove], path: &str) -> Option<String> {
    moves.iter().find_map(|one| {
        let rest = path.strip_prefix(one.from.trim_end_matches('/'))?;
        let is_inside = rest.is_empty() || rest.starts_with('/');
        is_inside.then(|| format!("{}{rest}", one.to.trim_end_matches('/')))
    })
}

/// The modules that move, with their new dotted paths.
fn moved_modules<'s>(snapshot: &'s Snapshot, moves: &[FileMove]) -> Vec<(&'s Module, String)> {
    let new_name = |module: &Module| module_path(&new_path(moves, &module.path)?);
    snapshot.functions().modules().filter_map(|module| Some((module, new_name(module)?))).collect()
}
