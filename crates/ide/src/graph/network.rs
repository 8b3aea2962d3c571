//! The graph of nodes that are separate documents, as data to draw. In: the nodes to start from. Out: everything that
//! is reachable from them, breadth first, with overlays applied.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::index::Resolution;
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView};
use nodewise_model::{Body, Declaration, Node, Origin, Reference, SourceId};
use smol_str::SmolStr;

use super::{ProblemCounts, Problems};
use crate::names::{document, tight};

/// Everything that is reachable from some declarations.
pub(super) fn reachable(
    snapshot: &Snapshot,
    title: String,
    roots: Vec<DocumentId>,
    counts: ProblemCounts,
) -> GraphView {
    let mut view = GraphView { title, ..GraphView::default() };
    let mut seen: BTreeSet<DocumentId> = roots.iter().copied().collect();
    let mut problems: BTreeMap<SourceId, Problems> = BTreeMap::new();
    let mut unknown: BTreeMap<String, SmolStr> = BTreeMap::new();
    let mut pending: VecDeque<DocumentId> = roots.into();
    while let Some(id) = pending.pop_front() {
        let Some((declaration, node)) = node_of(snapshot, id) else { continue };
        let Some(from) = add_node(snapshot, id, (declaration, node), (&mut problems, counts), &mut view)
        else {
            continue;
        };
        for (reference, at, kind, condition) in ways(node) {
            let to = match resolved(snapshot, reference) {
                Some((kind, next)) => {
                    if seen.insert(next) {
                        pending.push_back(next);
                    }
                    node_id(kind, &reference.name)
                }
                None => {
                    let id = node_id("", &reference.name);
                    unknown.insert(id.clone(), reference.name.clone());
                    id
                }
            };
            let known =
                problems.entry(at.source).or_insert_with(|| Problems::new(snapshot, at.source, counts));
            let (problems, errors) = known.inside(at.range);
            view.edges.push(EdgeView {
                from: from.clone(),
                to,
                condition,
                at: Some(at),
                kind,
                problems,
                errors,
                ..EdgeView::default()
            });
        }
    }
    let unknown = unknown.into_iter().map(|(id, label)| NodeView {
        id,
        label,
        role: NodeRole::Unknown,
        ..NodeView::default()
    });
    view.nodes.extend(unknown);
    view
}

fn node_of(snapshot: &Snapshot, id: DocumentId) -> Option<(&Declaration, &Node)> {
    let found = document(snapshot, id)?;
    let declaration = snapshot.index().effective(found)?.declaration.as_ref()?;
    match &declaration.body {
        Body::Node(node) => Some((declaration, node)),
        _ => None,
    }
}

fn add_node(
    snapshot: &Snapshot,
    id: DocumentId,
    (declaration, node): (&Declaration, &Node),
    (problems, counts): (&mut BTreeMap<SourceId, Problems>, ProblemCounts),
    view: &mut GraphView,
) -> Option<String> {
    let name = declaration.name.as_ref()?;
    let whole = document(snapshot, id)?.range;
    let known = problems.entry(id.source).or_insert_with(|| Problems::new(snapshot, id.source, counts));
    let (problems, errors) = known.inside(whole.range);
    let node = NodeView {
        id: node_id(declaration.kind, &name.value),
        label: name.value.clone(),
        kind: SmolStr::new_static(declaration.kind),
        role: NodeRole::Node,
        work: node.kind.into(),
        at: Some(tight(snapshot, name.at)),
        problems,
        errors,
        ..NodeView::default()
    };
    let id = node.id.clone();
    view.nodes.push(node);
    Some(id)
}

/// The targets of a node: the name, the place, the reason, and the condition.
fn ways(node: &Node) -> Vec<(&Reference, Origin, EdgeKind, Option<String>)> {
    let mut ways = Vec::new();
    for edge in &node.edges {
        let condition = edge.condition.as_ref().map(|condition| condition.text.to_string());
        let kind = if condition.is_some() { EdgeKind::Conditional } else { EdgeKind::Always };
        ways.extend(edge.targets.iter().map(|target| (target, target.at, kind, condition.clone())));
    }
    ways.extend(node.tools.iter().map(|tool| (tool, tool.at, EdgeKind::Tool, None)));
    ways
}

/// The declaration that a name refers to: its kind and document.
fn resolved(snapshot: &Snapshot, reference: &Reference) -> Option<(&'static str, DocumentId)> {
    let declared = match snapshot.index().resolve(reference) {
        Resolution::To(declared) => declared,
        Resolution::Ambiguous(all) => all.first().copied()?,
        Resolution::WrongKind(_) | Resolution::Nothing => return None,
    };
    Some((declared.kind, declared.document))
}

fn node_id(kind: &str, name: &str) -> String {
    format!("{kind}/{name}")
}
