//! What a version of some files declares.
//!
//! Input: snapshots of projects. Output: every declaration by its meaning, in the order of the files. Invariant: overlays are
//! applied, and scripts and scenarios are left out: they declare nothing that runs.

use std::collections::{BTreeMap, BTreeSet};

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::meaning::{MeaningPart, PartRole, meaning};
use nodewise_model::graph::Graph;
use nodewise_model::{Origin, SourceId};
use smol_str::SmolStr;

use crate::change::ChangedPlace;
use crate::titles::shown_name;

#[derive(Debug, Clone)]
pub struct ProjectVersion {
    /// Its folder; projects of both versions with the same folder are compared. Empty for the folder that is compared.
    pub folder: String,
    /// Its files.
    pub snapshot: Snapshot,
    /// The files that are compared.
    pub sources: Vec<SourceId>,
}

/// For each node id, the state keys that are named after the node and that no declaration grants.
pub(crate) type ImpliedKeys = BTreeMap<SmolStr, BTreeSet<SmolStr>>;

/// A declaration of a version.
#[derive(Debug)]
pub(crate) struct DeclaredVersion<'v> {
    pub(crate) project: &'v ProjectVersion,
    /// The title of its system.
    pub(crate) system: &'static str,
    pub(crate) part: MeaningPart,
    /// The implied keys of each graph in it, in order.
    pub(crate) implied: Vec<ImpliedKeys>,
    /// The path of its file in the project.
    pub(crate) path: &'v str,
}

/// The declarations of all projects.
pub(crate) fn declarations(projects: &[ProjectVersion]) -> Vec<DeclaredVersion<'_>> {
    let mut found = Vec::new();
    for project in projects {
        for file in project.sources.iter().filter_map(|source| project.snapshot.file(*source)) {
            for document in &file.documents {
                let Some((dialect, kind, value)) = project.snapshot.value(document.id) else { continue };
                if !dialect.is_system() {
                    continue;
                }
                let effective = project.snapshot.index().effective(document);
                let graphs = effective.and_then(|effective| effective.declaration.as_ref());
                let implied =
                    graphs.into_iter().flat_map(|declared| declared.graphs()).map(implied).collect();
                let part = meaning(kind, &value);
                found.push(DeclaredVersion {
                    project,
                    system: dialect.title,
                    part,
                    implied,
                    path: &file.path,
                });
            }
        }
    }
    found
}

fn implied(graph: &Graph) -> ImpliedKeys {
    let accesses = graph.conventions.state.accesses(graph);
    let keys = graph.nodes.iter().zip(accesses).filter_map(|(node, access)| {
        let id = &node.id.as_ref()?.value;
        let is_granted = |key: &SmolStr| node.access.writes.iter().any(|granted| granted.value == *key);
        let is_named_after = |key: &SmolStr| {
            let behind = key.strip_prefix(id.as_str()).is_some_and(|rest| rest.starts_with('_'));
            behind || key.strip_suffix(id.as_str()).is_some_and(|rest| rest.ends_with('.'))
        };
        let keys = access.implied.iter().chain(&access.leaves).chain(&access.answer);
        let keys = keys
            .filter(|key| is_named_after(key) && !is_granted(key) && !access.named.contains(key))
            .cloned();
        Some((id.clone(), keys.collect()))
    });
    keys.collect()
}

impl ProjectVersion {
    /// The paths of its files, relative to the version.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        self.sources.iter().filter_map(|source| Some(self.path_of(&self.snapshot.file(*source)?.path)))
    }

    /// The path of a file of the project, relative to the version.
    pub(crate) fn path_of(&self, path: &str) -> String {
        match self.folder.is_empty() {
            true => path.to_owned(),
            false => format!("{}/{path}", self.folder),
        }
    }
}

impl DeclaredVersion<'_> {
    /// The file and line of a part, relative to the version.
    pub(crate) fn place(&self, at: Origin) -> Option<ChangedPlace> {
        let file = self.project.snapshot.file(at.source)?;
        let path = self.project.path_of(&file.path);
        Some(ChangedPlace { path, line: file.line(at.range.start()) })
    }

    /// The name that declarations are compared by: their own, or the path of the file if they have none.
    pub(crate) fn name(&self) -> SmolStr {
        self.part.name.clone().unwrap_or_else(|| SmolStr::new(self.path))
    }

    /// What people call it.
    pub(crate) fn title(&self) -> String {
        shown_name(&self.part, &self.name()).to_string()
    }

    pub(crate) fn graphs(&self) -> impl Iterator<Item = &MeaningPart> {
        let own = (self.part.role == PartRole::Graph).then_some(&self.part);
        own.into_iter().chain(self.part.parts.iter().filter(|part| part.role == PartRole::Graph))
    }
}
