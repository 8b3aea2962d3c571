//! Renames an entity everywhere. In: a snapshot, a position and the new name. Out: the edits of each file, or the
//! reason why there are none. Either all uses are rewritten and still refer to the entity, or nothing changes.

mod allowed;
mod collect;
mod expression;
mod files;
mod module;
#[cfg(test)]
mod tests;
mod write;

use std::fmt;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::edit::TextEdit;
use smol_str::SmolStr;

pub use files::{FileMove, rename_files};

use crate::anchors::{AnchorUses, anchor_at};
use crate::names::{Entity, NameKind, Occurrence, name_at};
use crate::position::FilePosition;

/// A name that can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamable {
    /// The name at the cursor.
    pub at: Origin,
    /// The name without escapes.
    pub name: SmolStr,
}

/// Why a name cannot be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenameRefusal {
    /// The reason, as text.
    pub reason: String,
}

/// What is renamed in addition to the uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RenameOptions {
    /// The name as a whole word, in comments of the files that use it.
    pub comments: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdits {
    /// The file.
    pub source: SourceId,
    /// Its edits, in reading order.
    pub edits: Vec<TextEdit>,
}

impl fmt::Display for RenameRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.reason)
    }
}

impl std::error::Error for RenameRefusal {}

impl RenameRefusal {
    pub(crate) fn new(reason: impl Into<String>) -> RenameRefusal {
        RenameRefusal { reason: reason.into() }
    }
}

/// Whether the name at the cursor can be changed.
pub fn prepare_rename(snapshot: &Snapshot, position: FilePosition) -> Result<Renamable, RenameRefusal> {
    if let Some(anchor) = position.file(snapshot).and_then(|file| anchor_at(file, position.offset)) {
        return Ok(Renamable { at: anchor.clicked, name: SmolStr::new(&anchor.name) });
    }
    let name = name_at(snapshot, position).ok_or_else(|| allowed::no_name(snapshot, position))?;
    allowed::may_change(snapshot, &name.entity)?;
    Ok(Renamable { at: name.at, name: own_name(snapshot, &name) })
}

/// The edits that rename the entity at the cursor.
pub fn rename(
    snapshot: &Snapshot,
    position: FilePosition,
    new_name: &str,
    options: RenameOptions,
) -> Result<Vec<FileEdits>, RenameRefusal> {
    let file = position.file(snapshot).ok_or_else(|| allowed::no_name(snapshot, position))?;
    if let Some(anchor) = anchor_at(file, position.offset) {
        return rename_anchor(file, &anchor, new_name);
    }
    let old_name = prepare_rename(snapshot, position)?.name;
    let name = name_at(snapshot, position).ok_or_else(|| allowed::no_name(snapshot, position))?;
    if old_name == new_name {
        return Ok(Vec::new());
    }
    allowed::is_fit(snapshot, &name, new_name)?;
    let changes = collect::changes(snapshot, &name.entity, new_name)?;
    let comments = options.comments.then_some((old_name.as_str(), new_name));
    let is_in_module =
        |change: &collect::Change| snapshot.file(change.name.at.source).is_some_and(FileFacts::is_module);
    let (in_modules, in_documents): (Vec<_>, Vec<_>) = changes.into_iter().partition(is_in_module);
    let mut edits = write::write(snapshot, in_documents, comments)?;
    if !in_modules.is_empty() {
        edits.extend(module::edits(snapshot, &in_modules)?);
        module::is_complete(snapshot, &in_modules, &edits)?;
    }
    Ok(edits)
}

/// The name of an occurrence's entity, as the user would type it.
fn own_name(snapshot: &Snapshot, name: &Occurrence) -> SmolStr {
    match &name.entity {
        Entity::Local { kind: NameKind::State, name, .. } => own_key(name),
        Entity::Local { name, .. } | Entity::Shared { name, .. } | Entity::Missing { name, .. } => {
            name.clone()
        }
        Entity::Declaration { document, kind, part } => {
            let declared = crate::names::declared_name(snapshot, *document, kind, *part);
            declared.map_or_else(|| name.name.clone(), |declared| declared.value.clone())
        }
        Entity::Function { path } | Entity::File { path } => path.clone(),
    }
}

/// A key without the part of the state.
fn own_key(name: &SmolStr) -> SmolStr {
    name.split_once('.').map_or_else(|| name.clone(), |(_, key)| SmolStr::new(key))
}

fn rename_anchor(
    file: &FileFacts,
    anchor: &AnchorUses,
    new_name: &str,
) -> Result<Vec<FileEdits>, RenameRefusal> {
    let is_odd = |letter: char| letter.is_whitespace() || letter.is_control() || ",[]{}".contains(letter);
    if new_name.is_empty() || new_name.contains(is_odd) {
        return Err(RenameRefusal::new(format!(
            "`{new_name}` is not a valid anchor: anchors cannot contain spaces or any of `,[]{{}}`"
        )));
    }
    let is_taken = |name: &str| name == new_name && name != anchor.name;
    if file.tree().nodes().filter_map(|node| node.anchor()).any(|found| is_taken(found.name)) {
        return Err(RenameRefusal::new(format!("the file already has an anchor `{new_name}`")));
    }
    let places = std::iter::once(&anchor.at).chain(&anchor.aliases);
    let mut edits: Vec<TextEdit> =
        places.map(|at| TextEdit { range: at.range, text: new_name.to_owned() }).collect();
    edits.arrange_by_key(|edit| edit.range.start());
    Ok(vec![FileEdits { source: file.source, edits }])
}
