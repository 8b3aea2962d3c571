//! The scripts of a project that can answer for the graphs of a file.
//!
//! Input: a file and the name of one of its graphs. Output: scripts. Invariant: a script about another system, or about
//! another graph of the file, is not among them.

use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::scenario_target::staged;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Dialect;
use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;

use crate::scenario::{FoundScenario, documents_of};
use crate::target::folder_of;

/// A script that can answer for the graphs of a file.
#[derive(Debug, Clone)]
pub struct MatchingScript<'s> {
    /// The script.
    pub found: FoundScenario<'s>,
    /// Whether it was written for this file: it names the file, or has the file's name and names no other file.
    pub is_made_for: bool,
}

/// The scripts for a file, those that are made for it first: the one with its name, then the others by their paths.
#[must_use]
pub fn matching_scripts<'s>(
    snapshot: &'s Snapshot,
    file: &FileFacts,
    graph: Option<&str>,
) -> Vec<MatchingScript<'s>> {
    let Ownership::Ours(dialect) = file.ownership else { return Vec::new() };
    let mut scripts: Vec<(bool, MatchingScript<'s>)> = Vec::new();
    for facts in snapshot.files().iter() {
        let Some(found) = documents_of(snapshot, facts).next().filter(|found| found.scenario.is_script)
        else {
            continue;
        };
        let names = &found.scenario.target;
        let is_other = |name: &str| graph.is_some_and(|graph| graph != name);
        if names.graph.as_ref().is_some_and(|named| is_other(&named.name)) {
            continue;
        }
        let is_beside = is_named_after(found.path, &file.path);
        let about = match staged(snapshot, found.path, found.scenario) {
            Some(about) => Some((about.dialect, about.document.source)),
            None => namesake(snapshot, found.path),
        };
        if about.is_some_and(|(system, _)| system.id != dialect.id) {
            continue;
        }
        let is_made_for = about.is_some_and(|(_, source)| source == file.source);
        scripts.push((is_beside, MatchingScript { found, is_made_for }));
    }
    scripts.arrange_by_key(|(is_beside, script)| (!script.is_made_for, !is_beside, script.found.path));
    scripts.into_iter().map(|(_, script)| script).collect()
}

/// The declarations that have the name of a script, with their system.
fn namesake(snapshot: &Snapshot, script: &str) -> Option<(&'static Dialect, SourceId)> {
    snapshot.files().iter().find_map(|file| match file.ownership {
        Ownership::Ours(dialect) if dialect.file_name(&file.path).is_none() => {
            is_named_after(script, &file.path).then_some((dialect, file.source))
        }
        _ => None,
    })
}

/// Whether a script has the name of a file, and is in its folder: `claims.script.yaml` beside `claims.yaml`.
fn is_named_after(script: &str, file: &str) -> bool {
    let stem =
        |path: &str| path.rsplit('/').next().and_then(|name| name.split('.').next()).map(str::to_owned);
    folder_of(script) == folder_of(file) && stem(script) == stem(file)
}
