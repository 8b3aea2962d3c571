//! What is to run: a graph of a document, or the agent that documents of nodes make together.
//!
//! Input: names as people give them; output: the declaration, or a fault that says what there is instead. Invariant: of
//! several that fit the first in load order counts, and a fault names only what exists.

use std::fmt;

use nodewise_analysis::facts::{DocumentFacts, DocumentId, FileFacts};
pub use nodewise_analysis::scenario_target::{folder_of, joined};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::graph::Graph;
use nodewise_model::scenario::TargetNames;
use nodewise_model::{Body, Declaration, Node, NodeKind, SourceId};
use smol_str::SmolStr;

/// What is to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SimulationTarget {
    /// A graph that a document declares.
    Graph {
        document: DocumentId,
        /// Which of its graphs, from 0.
        part: usize,
        /// The node at which the run begins. `None` for the start of the graph.
        node: Option<SmolStr>,
    },
    /// The agent of a project of nodes.
    Agent {
        /// The node that takes each turn, as `Kind/name`.
        start: SmolStr,
        /// The document that declares it.
        document: DocumentId,
    },
}

/// Why a run cannot be found or prepared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetError {
    /// What is wrong.
    pub message: String,
    pub help: Option<String>,
}

impl SimulationTarget {
    /// Finds the target that a file names. `folder` is the folder of that file.
    ///
    /// # Errors
    /// If nothing has the names.
    pub fn find(
        snapshot: &Snapshot,
        names: &TargetNames,
        folder: &str,
    ) -> Result<SimulationTarget, TargetError> {
        let file = match &names.file {
            Some(file) => {
                let path = joined(folder, &file.value);
                let source = snapshot
                    .source(&path)
                    .ok_or_else(|| TargetError::new(format!("there is no file `{path}` in the project")))?;
                Some(source)
            }
            None => None,
        };
        let graph = names.graph.as_ref().map(|graph| graph.name.as_str());
        let node = names.node.as_ref().map(|node| node.value.as_str());
        SimulationTarget::named(snapshot, file, graph, node)
    }

    /// Finds a target by a file, the id of a graph, and the node to begin at. Each of them is optional.
    ///
    /// # Errors
    /// If nothing has the names, or if nothing is named and the project has nothing to run.
    pub fn named(
        snapshot: &Snapshot,
        file: Option<SourceId>,
        graph: Option<&str>,
        node: Option<&str>,
    ) -> Result<SimulationTarget, TargetError> {
        let files: Vec<&FileFacts> = match file {
            Some(source) => snapshot.file(source).into_iter().collect(),
            None => snapshot.files().iter().map(AsRef::as_ref).collect(),
        };
        if let Some(target) = graph_in(snapshot, &files, graph, node) {
            return Ok(target);
        }
        if let Some(id) = graph {
            return Err(TargetError {
                message: format!("no graph has the id `{id}`"),
                help: listed("graphs", graph_ids(snapshot, &files)),
            });
        }
        agent_in(snapshot, &files, file.is_some(), node)
    }

    /// The document that declares it.
    #[must_use]
    pub fn document(&self) -> DocumentId {
        match self {
            SimulationTarget::Graph { document, .. } | SimulationTarget::Agent { document, .. } => *document,
        }
    }

    /// The graph, if it is one.
    #[must_use]
    pub fn graph<'s>(&self, snapshot: &'s Snapshot) -> Option<&'s Graph> {
        match self {
            SimulationTarget::Graph { document, part, .. } => {
                declaration_of(snapshot, *document)?.graph(*part)
            }
            SimulationTarget::Agent { .. } => None,
        }
    }
}

impl TargetError {
    pub(crate) fn new(message: String) -> TargetError {
        TargetError { message, help: None }
    }
}

impl fmt::Display for TargetError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(formatter, "\n  help: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TargetError {}

/// The declaration in a document, with overlays applied.
pub(crate) fn declaration_of(snapshot: &Snapshot, document: DocumentId) -> Option<&Declaration> {
    let file = snapshot.file(document.source)?;
    let facts = file.documents.get(document.position as usize)?;
    snapshot.index().effective(facts)?.written()
}

fn declared<'s>(
    snapshot: &'s Snapshot,
    file: &'s FileFacts,
) -> impl Iterator<Item = (&'s DocumentFacts, &'s Declaration)> {
    file.documents.iter().filter_map(|facts| Some((facts, snapshot.index().effective(facts)?.written()?)))
}

/// The kind of the first declaration in some files that only a program can run, by itself or as a graph.
pub fn plan_of<'s>(
    snapshot: &'s Snapshot,
    files: impl Iterator<Item = &'s FileFacts>,
) -> Option<&'static str> {
    let mut declarations = files.flat_map(|file| declared(snapshot, file));
    declarations.find_map(|(_, declaration)| match declaration.body {
        Body::Plan(_) => Some(declaration.kind),
        _ => None,
    })
}

/// The targets in a file: each of its graphs, and an agent for each model node that nothing refers to.
#[must_use]
pub fn targets_of_file(snapshot: &Snapshot, file: &FileFacts) -> Vec<SimulationTarget> {
    let mut targets = Vec::new();
    for (facts, declaration) in declared(snapshot, file) {
        let graphs = declaration.graphs().enumerate();
        targets.extend(graphs.map(|(part, _)| SimulationTarget::Graph {
            document: facts.id,
            part,
            node: None,
        }));
        if let (Body::Node(node), Some(name)) = (&declaration.body, &declaration.name)
            && node.kind == NodeKind::Model
            && !snapshot.index().is_used(facts.id)
        {
            let start = smol_str::format_smolstr!("{}/{}", declaration.kind, name.value);
            targets.push(SimulationTarget::Agent { start, document: facts.id });
        }
    }
    targets
}

/// The graph with this id. Without an id, the first graph that has the node, or just the first one.
fn graph_in(
    snapshot: &Snapshot,
    files: &[&FileFacts],
    id: Option<&str>,
    node: Option<&str>,
) -> Option<SimulationTarget> {
    let graphs = files.iter().flat_map(|file| declared(snapshot, file)).flat_map(|(facts, declaration)| {
        declaration.graphs().enumerate().map(move |(part, graph)| (facts.id, part, graph))
    });
    let fits = |graph: &Graph| match (id, node) {
        (Some(id), _) => graph.id.as_ref().is_some_and(|own| own.value == id),
        (None, Some(node)) => graph.node(node).is_some(),
        (None, None) => true,
    };
    let (document, part, _) = graphs.into_iter().find(|(.., graph)| fits(graph))?;
    Some(SimulationTarget::Graph { document, part, node: node.map(SmolStr::new) })
}

fn graph_ids<'s>(snapshot: &'s Snapshot, files: &[&'s FileFacts]) -> Vec<&'s str> {
    let declarations = files.iter().flat_map(|file| declared(snapshot, file));
    let graphs = declarations.flat_map(|(_, declaration)| declaration.graphs());
    graphs.filter_map(|graph| graph.id.as_ref()).map(|id| id.value.as_str()).collect()
}

/// The agent that begins at the node of this name. Without a name, at the first model node that nothing refers to, or just
/// the first one.
fn agent_in(
    snapshot: &Snapshot,
    files: &[&FileFacts],
    is_file: bool,
    name: Option<&str>,
) -> Result<SimulationTarget, TargetError> {
    let nodes: Vec<(DocumentId, &Declaration, &Node)> = files
        .iter()
        .flat_map(|file| declared(snapshot, file))
        .filter_map(|(facts, declaration)| match &declaration.body {
            Body::Node(node) => Some((facts.id, declaration, node.as_ref())),
            _ => None,
        })
        .collect();
    let full_name = |declaration: &Declaration| {
        let name = declaration.name.as_ref()?;
        Some(smol_str::format_smolstr!("{}/{}", declaration.kind, name.value))
    };
    if let Some(name) = name {
        let fits = |declaration: &Declaration| {
            full_name(declaration).is_some_and(|full| full == name)
                || declaration.name.as_ref().is_some_and(|own| own.value == name)
        };
        // A node of another file of the project can be named too.
        let found = nodes.iter().find(|(_, declaration, _)| fits(declaration));
        return match found.and_then(|(document, declaration, _)| Some((*document, full_name(declaration)?))) {
            Some((document, start)) => Ok(SimulationTarget::Agent { start, document }),
            None => Err(TargetError {
                message: format!("no node is named `{name}`"),
                help: listed(
                    "nodes",
                    nodes.iter().filter_map(|(_, one, _)| Some(one.name.as_ref()?.value.as_str())).collect(),
                ),
            }),
        };
    }
    let models = || nodes.iter().filter(|(_, _, node)| node.kind == NodeKind::Model);
    let entry =
        models().find(|(document, ..)| !snapshot.index().is_used(*document)).or_else(|| models().next());
    match entry.and_then(|(document, declaration, _)| Some((*document, full_name(declaration)?))) {
        Some((document, start)) => Ok(SimulationTarget::Agent { start, document }),
        None => {
            let place = if is_file { "the file" } else { "the project" };
            let message = format!("{place} declares nothing to run: no graph and no model node");
            let help = plan_of(snapshot, files.iter().copied())
                .map(|kind| format!("a {kind} is checked, but cannot run: a program compiles it to a graph"));
            Err(TargetError { message, help })
        }
    }
}

/// A help text such as "there are graphs `a`, `b`". `None` if there are no names.
fn listed(what: &str, mut names: Vec<&str>) -> Option<String> {
    const NAMES_MAX: usize = 8;
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let more = if names.len() > NAMES_MAX { ", …" } else { "" };
    let shown: Vec<String> = names.iter().take(NAMES_MAX).map(|name| format!("`{name}`")).collect();
    Some(format!("there are {what} {}{more}", shown.join(", ")))
}
