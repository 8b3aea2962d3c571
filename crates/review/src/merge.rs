//! Three versions of a file merged by what they mean.
//!
//! Input: the text that two sides began with, and the texts of both. Output: our text with the changes of theirs, or where
//! both sides say something else. Reading order: `renames` (nodes that a side renamed), `plan` (what to change), `apply` (the
//! changes in a text). Invariant: a merge
//! that succeeds means the same whoever merges whom, and has no error that neither side has.

mod apply;
mod plan;
mod renames;

use std::collections::BTreeSet;
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_dialect::table::Shape;
use nodewise_syntax::write::NewValue;

use crate::compare::review;
use crate::version::ProjectVersion;
use apply::applied;
use plan::{MergeStep, plan};
use renames::SideRenames;

/// How a merge ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeOutcome {
    /// The merged text.
    Merged(String),
    /// Both sides changed the same parts in different ways.
    Conflicts(Vec<MergeConflict>),
    /// The texts cannot be merged by meaning. Holds the reason.
    Unreadable(&'static str),
}

/// A place where the two sides disagree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MergeConflict {
    /// The keys and names that lead to the place; empty for the whole file.
    pub path: String,
    /// What both sides did to it.
    pub message: String,
}

/// A file of a version, as values.
struct MergedFile {
    snapshot: Snapshot,
    documents: Vec<MergedDocument>,
}

/// A document with its kind and shape.
struct MergedDocument {
    kind: &'static str,
    shape: &'static Shape,
    value: NewValue,
}

/// Merges the changes of their text into ours. `path` is the path of the file in its project.
#[must_use]
pub fn merge(path: &str, base: &str, ours: &str, theirs: &str) -> MergeOutcome {
    if ours == theirs || base == theirs {
        return MergeOutcome::Merged(ours.to_owned());
    }
    if base == ours {
        return MergeOutcome::Merged(theirs.to_owned());
    }
    let versions = match MergedFile::read_all(path, [base, ours, theirs]) {
        Ok(versions) => versions,
        Err(reason) => return MergeOutcome::Unreadable(reason),
    };
    let [base_file, our_file, their_file] = &versions;
    let since = |side: &MergedFile| {
        SideRenames::of(&version(base_file.snapshot.clone()), &version(side.snapshot.clone()))
    };
    let (our_renames, their_renames) = (since(our_file), since(their_file));
    if our_renames.is_empty() && their_renames.is_empty() {
        return merged(path, [ours, theirs], &versions, &[]);
    }
    let mut conflicts = our_renames.contradictions(&their_renames);
    conflicts.extend(their_renames.contradictions(&our_renames));
    conflicts.sort();
    conflicts.dedup();
    if !conflicts.is_empty() {
        return MergeOutcome::Conflicts(conflicts);
    }
    let is_json = path.ends_with(".json");
    let new_names =
        |renames: &SideRenames, file: &MergedFile, text: &str| renames.applied(&file.snapshot, text, is_json);
    let texts = (
        new_names(&our_renames.with(&their_renames), base_file, base),
        new_names(&their_renames.without(&our_renames), our_file, ours),
        new_names(&our_renames.without(&their_renames), their_file, theirs),
    );
    let (Some(base), Some(ours), Some(theirs)) = texts else {
        let message = "a node that one side renamed is named in a text of several lines";
        return MergeOutcome::Conflicts(vec![MergeConflict::whole(message)]);
    };
    match MergedFile::read_all(path, [&base, &ours, &theirs]) {
        Ok(renamed) => merged(path, [&ours, &theirs], &renamed, &versions),
        Err(reason) => MergeOutcome::Unreadable(reason),
    }
}

/// Merges versions in which each node has the same name everywhere. Errors that the versions `before` already have are
/// accepted.
fn merged(
    path: &str,
    [ours, theirs]: [&str; 2],
    [base, our_file, their_file]: &[MergedFile; 3],
    before: &[MergedFile],
) -> MergeOutcome {
    let is_json = path.ends_with(".json");
    let into = |text: &str, own: &MergedFile, other: &MergedFile| {
        let steps: Vec<MergeStep> = plan(&base.documents, &own.documents, &other.documents)?;
        applied(text, is_json, &steps)
            .ok_or_else(|| vec![MergeConflict::whole("a change has no place in our text")])
    };
    let (merged, mirrored) = match (into(ours, our_file, their_file), into(theirs, their_file, our_file)) {
        (Ok(merged), Ok(mirrored)) => (merged, mirrored),
        (Err(conflicts), _) | (_, Err(conflicts)) => return MergeOutcome::Conflicts(conflicts),
    };
    let sides = [our_file, their_file].into_iter().chain(before);
    match problem(path, &merged, &mirrored, sides) {
        Some(conflict) => MergeOutcome::Conflicts(vec![conflict]),
        None => MergeOutcome::Merged(merged),
    }
}

/// Checks the merged text. `mirrored` is the merge in the other direction: if it means something else, the order of the
/// sides would decide, which is a conflict.
fn problem<'m>(
    path: &str,
    merged: &str,
    mirrored: &str,
    sides: impl Iterator<Item = &'m MergedFile>,
) -> Option<MergeConflict> {
    let (one, other) = (snapshot(path, merged), snapshot(path, mirrored));
    let known: BTreeSet<String> = sides.flat_map(|side| errors(&side.snapshot)).collect();
    if let Some(error) = errors(&one).into_iter().find(|error| !known.contains(error)) {
        return Some(MergeConflict::whole(&format!(
            "together, the changes of both sides have an error: {error}"
        )));
    }
    let differs = !review(&[version(one)], &[version(other)]).is_empty();
    differs.then(|| MergeConflict::whole("both sides changed the order of the same list"))
}

/// The messages of the errors in all files.
fn errors(snapshot: &Snapshot) -> BTreeSet<String> {
    let files = snapshot.files().iter();
    let found = files.flat_map(|file| snapshot.diagnostics(file.source).to_vec());
    let errors = found.filter(|one| one.severity == Severity::Error);
    errors.map(|one| one.finding.message.to_string()).collect()
}

fn version(snapshot: Snapshot) -> ProjectVersion {
    let sources = snapshot.files().iter().map(|file| file.source).collect();
    ProjectVersion { folder: String::new(), snapshot, sources }
}

fn snapshot(path: &str, text: &str) -> Snapshot {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    workspace.apply(vec![Change::Write { path: path.into(), text: text.into(), settings }]);
    workspace.snapshot()
}

impl MergedFile {
    fn read_all(path: &str, [base, ours, theirs]: [&str; 3]) -> Result<[MergedFile; 3], &'static str> {
        let read = |text: &str| MergedFile::read(path, text);
        Ok([read(base)?, read(ours)?, read(theirs)?])
    }

    fn read(path: &str, text: &str) -> Result<MergedFile, &'static str> {
        let tree = nodewise_syntax::parse(text);
        if !tree.is_valid() {
            return Err("a version is no valid YAML");
        }
        let snapshot = snapshot(path, text);
        let Some(file) = snapshot.files().iter().next() else { return Err("a version cannot be read") };
        let mut documents = Vec::new();
        for document in tree.documents() {
            let Some(root) = document.root() else { continue };
            let facts = file.documents.iter().find(|facts| facts.id.position as usize == document.index());
            let known = facts.and_then(|facts| snapshot.value(facts.id));
            let Some((_, kind, _)) = known.filter(|(dialect, ..)| dialect.is_system()) else {
                return Err("a document declares nothing that nodewise knows");
            };
            let value = NewValue::of(root).ok_or("a version has aliases, anchors or tags")?;
            documents.push(MergedDocument { kind: kind.name, shape: &kind.shape, value });
        }
        Ok(MergedFile { documents, snapshot })
    }
}

impl MergeConflict {
    fn whole(message: &str) -> MergeConflict {
        MergeConflict { path: String::new(), message: message.to_owned() }
    }
}
