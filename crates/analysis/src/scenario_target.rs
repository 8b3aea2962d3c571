//! What a script or scenario is about: the graph of another document, or the nodes that documents declare by themselves.
//!
//! Input: a snapshot and the names that a scenario says; output: the graph that it runs. Invariant: the answer is the one
//! that a run begins with; where nothing has the names there is none.

use nodewise_dialect::table::Dialect;
use nodewise_model::Body;
use nodewise_model::scenario::{Scenario, TargetNames};

use crate::facts::{DocumentFacts, DocumentId, FileFacts, Ownership};
use crate::workspace::Snapshot;

/// The graph or the nodes that a scenario runs.
#[derive(Debug, Clone, Copy)]
pub struct ScenarioTarget {
    /// The document with the graph. For nodes that are documents of their own, the document of one of them.
    pub document: DocumentId,
    /// The position of the graph in the document; `None` for nodes that are documents of their own.
    pub graph: Option<usize>,
    /// The dialect of the document.
    pub dialect: &'static Dialect,
}

/// The target of a script or scenario: what it names itself, or else what the first script that it uses names.
#[must_use]
pub fn staged(snapshot: &Snapshot, path: &str, scenario: &Scenario) -> Option<ScenarioTarget> {
    if is_said(&scenario.target) {
        let found = of_names(snapshot, path, &scenario.target);
        if found.is_some() || !is_said_by_others(&scenario.target) {
            return found;
        }
    }
    scenario.uses.iter().find_map(|name| {
        let used = joined(folder_of(path), &name.value);
        let file = snapshot.source(&used).and_then(|source| snapshot.file(source))?;
        let names = declared(snapshot, file).find_map(|(_, body)| match body {
            Body::Scenario(used) if is_said(&used.target) => Some(&used.target),
            _ => None,
        });
        of_names(snapshot, &used, names?)
    })
}

/// Resolves `path` relative to a folder of the project, including `.` and `..`. A path that begins with `/` is relative to
/// the project.
#[must_use]
pub fn joined(folder: &str, path: &str) -> String {
    let folder = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The relative path from a folder of the project to a file. The reverse of [`joined`].
#[must_use]
pub fn relative(folder: &str, path: &str) -> String {
    let parts = |path: &str| path.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let (folders, to): (Vec<String>, Vec<String>) = (parts(folder), parts(path));
    let shared = folders.iter().zip(&to).take_while(|(one, other)| one == other).count();
    let up = folders.iter().skip(shared).map(|_| "..".to_owned());
    up.chain(to.into_iter().skip(shared)).collect::<Vec<_>>().join("/")
}

/// The folder of a file; empty for a file directly in the project's folder.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_said(names: &TargetNames) -> bool {
    names.file.is_some() || names.graph.is_some() || names.node.is_some()
}

/// Whether a scenario names only a single node. Then the scripts that it uses say where the node is.
pub(crate) fn is_said_by_others(names: &TargetNames) -> bool {
    names.file.is_none() && names.graph.is_none() && names.is_alone
}

fn of_names(snapshot: &Snapshot, path: &str, names: &TargetNames) -> Option<ScenarioTarget> {
    if let Some(graph) = &names.graph {
        let declared = graph.scope.kinds.iter().find_map(|kind| snapshot.index().first(kind, &graph.name))?;
        let dialect = dialect_of(snapshot.file(declared.document.source)?)?;
        return Some(ScenarioTarget { document: declared.document, graph: Some(declared.part()), dialect });
    }
    if let Some(file) = &names.file {
        let file = snapshot.file(snapshot.source(&joined(folder_of(path), &file.value))?)?;
        let dialect = dialect_of(file)?;
        let runs = |graph: bool| {
            declared(snapshot, file).find(|(_, body)| match body {
                Body::Graph(_) | Body::Bundle(_) => graph,
                Body::Node(_) => !graph,
                _ => false,
            })
        };
        let of =
            |(facts, _): (&DocumentFacts, _), graph| ScenarioTarget { document: facts.id, graph, dialect };
        return runs(true)
            .map(|found| of(found, Some(0)))
            .or_else(|| runs(false).map(|found| of(found, None)));
    }
    let node = names.node.as_ref()?;
    let name = node.value.rsplit(['/', ':']).next().unwrap_or_default();
    snapshot.index().declared(name).iter().find_map(|declared| {
        let dialect = dialect_of(snapshot.file(declared.document.source)?)?;
        dialect.discriminator().map(|_| ScenarioTarget { document: declared.document, graph: None, dialect })
    })
}

fn declared<'s>(
    snapshot: &'s Snapshot,
    file: &'s FileFacts,
) -> impl Iterator<Item = (&'s DocumentFacts, &'s Body)> {
    file.documents
        .iter()
        .filter_map(|facts| Some((facts, &snapshot.index().effective(facts)?.declaration.as_ref()?.body)))
}

fn dialect_of(file: &FileFacts) -> Option<&'static Dialect> {
    match file.ownership {
        Ownership::Ours(dialect) => Some(dialect),
        Ownership::Empty | Ownership::NotOurs => None,
    }
}
