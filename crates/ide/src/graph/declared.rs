//! A graph that one document declares, as data to draw. In: the document; out: its nodes in order, marks for start and
//! end where something leads from or to them, edges in order.

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::graphs::handed_ids;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Use;
use nodewise_model::graph::{EdgeCondition, Endpoint, EndpointRole, Graph, Way};
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use super::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView, problems_in};
use crate::names::{Entity, Sort, declaration, names, tight};

/// The ids of the marks; ids of nodes cannot be empty, nor begin with a blank that way.
const START: &str = " start";
const END: &str = " end";

/// The graph of a document at a position among its graphs.
pub(super) fn view(snapshot: &Snapshot, id: DocumentId, part: usize) -> Option<GraphView> {
    let found = declaration(snapshot, id)?;
    let graph = found.graph(part)?;
    let name = graph.id.as_ref().or(graph.name.as_ref());
    let title = match name {
        Some(name) => format!("graph `{}`", name.value),
        None => "graph".to_owned(),
    };
    let mut view = GraphView { title, nodes: nodes(snapshot, id, part, graph), edges: edges(graph) };
    mark_ends(&mut view);
    Some(view)
}

fn nodes(snapshot: &Snapshot, id: DocumentId, part: usize, graph: &Graph) -> Vec<NodeView> {
    let places: Vec<Origin> = graph.nodes.iter().map(|node| node.at).collect();
    let problems = problems_in(snapshot, id.source, &places);
    let mut nodes: Vec<NodeView> = Vec::new();
    for (node, problems) in graph.nodes.iter().zip(problems) {
        let label = node.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
        let kind = node.type_word.as_ref().map(|word| word.value.clone()).unwrap_or_default();
        let at = node.id.as_ref().map_or(node.head, |id| tight(snapshot, id.at));
        nodes.push(NodeView {
            id: label.to_string(),
            label,
            kind,
            role: NodeRole::Node,
            at: Some(at),
            reads: Vec::new(),
            writes: Vec::new(),
            problems,
        });
    }
    // Nodes stand in the order of the text, so that the last one that begins before a name is the one around it.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|position| places.get(*position).map(|at| at.range.start()));
    for one in names(snapshot, id.source) {
        let Entity::Local { document, graph: Some(graph), sort: Sort::State, name } = &one.entity else {
            continue;
        };
        if *document != id || *graph != part {
            continue;
        }
        let starts_before = |position: &usize| {
            places.get(*position).is_some_and(|at| at.range.start() <= one.at.range.start())
        };
        let around = order.partition_point(starts_before).checked_sub(1).and_then(|last| order.get(last));
        let is_inside = |position: &&usize| {
            places.get(**position).is_some_and(|at| at.range.contains_range(one.at.range))
        };
        let Some(node) = around.filter(is_inside).and_then(|position| nodes.get_mut(*position)) else {
            continue;
        };
        let keys = match one.usage {
            Use::Reads => &mut node.reads,
            Use::Writes => &mut node.writes,
            Use::Declares | Use::Refers => continue,
        };
        if !keys.contains(name) {
            keys.push(name.clone());
        }
    }
    nodes
}

fn edges(graph: &Graph) -> Vec<EdgeView> {
    let mut edges = Vec::new();
    if let Some(start) = &graph.start {
        edges.push(plain(START, &start.value, start.at));
    }
    for edge in &graph.edges {
        let (Some(from), Some(to)) = (&edge.source, &edge.target) else { continue };
        let (kind, condition) = way(&edge.way);
        edges.push(EdgeView { from: end_id(from), to: end_id(to), condition, at: edge.at, kind });
    }
    for node in &graph.nodes {
        let Some(id) = &node.id else { continue };
        for target in handed_ids(node) {
            let edge = plain(&id.value, &target.value, target.at);
            edges.push(EdgeView { kind: EdgeKind::HandOver, ..edge });
        }
    }
    let ends = graph.ends.iter().flat_map(|ends| &ends.value);
    edges.extend(ends.map(|end: &Located<SmolStr>| plain(&end.value, END, end.at)));
    edges
}

fn plain(from: &str, to: &str, at: Origin) -> EdgeView {
    EdgeView { from: from.to_owned(), to: to.to_owned(), condition: None, at, kind: EdgeKind::Always }
}

fn end_id(end: &Endpoint) -> String {
    match end.role {
        EndpointRole::Start => START.to_owned(),
        EndpointRole::End => END.to_owned(),
        EndpointRole::Node | EndpointRole::Placeholder => end.name.value.to_string(),
    }
}

/// Why an edge is followed, and what decides it as text.
fn way(way: &Way) -> (EdgeKind, Option<String>) {
    match way {
        Way::Always => (EdgeKind::Always, None),
        Way::When(condition) => {
            let text = match condition {
                Some(EdgeCondition::Expression(Some(expression))) => Some(expression.text.to_string()),
                _ => None,
            };
            (EdgeKind::Conditional, text)
        }
        Way::Discovery(discovery) => {
            (EdgeKind::Discovery, discovery.query.as_ref().map(|query| query.value.to_string()))
        }
        Way::Personality(choice) => {
            let text = choice.as_ref().and_then(|choice| {
                let threshold = choice.threshold.as_ref()?.value;
                Some(format!("{} >= {threshold}", choice.trait_name.as_ref()?.value))
            });
            (EdgeKind::Personality, text)
        }
        Way::Unknown => (EdgeKind::Unknown, None),
    }
}

/// Adds what edges name and no node is: marks, and names that lead nowhere.
fn mark_ends(view: &mut GraphView) {
    let known: std::collections::BTreeSet<String> = view.nodes.iter().map(|node| node.id.clone()).collect();
    let mut missing: Vec<&String> =
        view.edges.iter().flat_map(|edge| [&edge.from, &edge.to]).filter(|id| !known.contains(*id)).collect();
    missing.sort_unstable();
    missing.dedup();
    let mark = |id: &String| NodeView {
        id: id.clone(),
        label: SmolStr::new(id.trim_start()),
        kind: SmolStr::default(),
        role: match id.as_str() {
            START => NodeRole::Start,
            END => NodeRole::End,
            _ => NodeRole::Unknown,
        },
        at: None,
        reads: Vec::new(),
        writes: Vec::new(),
        problems: 0,
    };
    let marks: Vec<NodeView> = missing.into_iter().map(mark).collect();
    let (first, last): (Vec<NodeView>, Vec<NodeView>) =
        marks.into_iter().partition(|node| node.role == NodeRole::Start);
    view.nodes.splice(0..0, first);
    view.nodes.extend(last);
}
